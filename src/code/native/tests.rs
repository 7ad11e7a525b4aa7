//! Native code beside the interpreter.

use super::compare::{Tried, agree};
use super::*;
use crate::backend::{Backend, Narrow};
use crate::code::{AGAIN, Temp};
use crate::code::{Block, BlockId, Cost, End, Find, Hole, Move, NOTHING, Step};
use crate::code::{Switch, Template};
use crate::interpreter;
use crate::residual::Amount;
use crate::residual::{BinaryOp, Leaf, Operand, Relation};
use crate::straighten::straighten;
use std::collections::HashMap;
use zug_state::Word;

/// Code of these blocks, the last of which is the entry.
fn code(leaves: usize, temps: usize, blocks: Vec<(Vec<Step>, End)>) -> Code {
    let blocks: Vec<Block> = blocks.into_iter().map(|(steps, end)| Block { steps, end }).collect();
    Code { entry: blocks.len() as BlockId - 1, leaves, temps, blocks, ..Code::default() }
}

/// Leaves with nothing around them.
const LEAVES: Layout = Layout { before: 0, words: 0 };

fn compiled(code: &Arc<Code>, forms: &[Form], width: Width) -> Option<Native> {
    match width {
        Width::Bytes => Native::of_bytes(code, forms, LEAVES, None),
        Width::Words => Native::of_words(code, forms),
    }
}

/// Runs code on words by all that can: the reply.
#[track_caller]
fn reply(code: Code, words: &[i64]) -> Reply {
    let code = Arc::new(code);
    let mut frame = Frame { words: words.to_vec(), ..Frame::default() };
    let forms = Form::all(&code, LEAVES);
    let tried = Tried { code: &code, forms: &forms, layout: LEAVES, sum: None };
    let native = compiled(&code, &forms, Width::Words).expect("it compiles");
    let by_words = agree(&tried, &native, &[], &mut frame);
    let bytes: Option<Vec<u8>> = words.iter().map(|&word| u8::try_from(word).ok()).collect();
    if let Some(bytes) = bytes {
        let native = compiled(&code, &forms, Width::Bytes).expect("it compiles");
        assert_eq!(agree(&tried, &native, &bytes, &mut frame), by_words);
    }
    by_words
}

fn word(value: i64) -> i64 {
    Word::int(value).expect("it fits").0
}

#[test]
fn operations_and_their_limits() {
    use BinaryOp::*;
    let all = [Add, Sub, Mul, Div, FloorDiv, Mod, Rem, Min, Max, And, Or, Xor];
    let values = [0, 1, -1, 2, -2, 3, -3, 7, -7, 10, -10, i64::MIN, i64::MIN + 1, i64::MAX];
    // By a leaf that says which, so that no constant is known; and by constants.
    for op in all {
        for a in values {
            for b in values {
                let expected = op.apply(a, b).map_or(Reply::Deopt(None), Reply::Int);
                let value = (vec![Step::Binary(op, 2, 0, 1)], End::Value(Amount::Expr(0), 2));
                let constants = vec![Step::Const(0, a), Step::Const(1, b)];
                let other = (vec![Step::Const(0, 5), Step::Const(1, 5)], End::Goto(0));
                let given = (constants.clone(), End::Goto(0));
                let leaf = (vec![], End::Is(0, Word(0x60), 1, 2));
                let found = reply(code(1, 3, vec![value.clone(), given, other, leaf]), &[0x60]);
                assert_eq!(found, expected, "{op:?} {a} {b}");
                let steps = [&constants[..], &value.0].concat();
                assert_eq!(reply(code(0, 3, vec![(steps, value.1)]), &[]), expected);
            }
        }
    }
}

#[test]
fn leaves_and_tables() {
    let value = || End::Value(Amount::Expr(0), 0);
    for x in [-17, -16, 0, 79, 80, 1 << 38, -(1 << 38)] {
        let leaf = code(1, 1, vec![(vec![Step::Leaf(0, 0)], value())]);
        assert_eq!(reply(leaf, &[word(x)]), Reply::Int(x));
    }
    let mut table = Box::new([0; 256]);
    table[0x61] = 10;
    table[0x62] = NOTHING;
    table[0x63] = i64::MAX;
    let steps = vec![Step::Const(0, 1), Step::Table(0, 0, 0), Step::Add(0, 5)];
    let looked_up = Code { tables: vec![*table], ..code(1, 1, vec![(steps, value())]) };
    for (leaf, expected) in [
        (0x60, Reply::Int(6)),
        (0x61, Reply::Int(16)),
        (0x62, Reply::Deopt(None)),
        (0x63, Reply::Deopt(None)),
        (Word::constant(500).0, Reply::Deopt(None)),
        (-1, Reply::Deopt(None)),
    ] {
        assert_eq!(reply(looked_up.clone(), &[leaf]), expected, "{leaf}");
    }
    let float = End::Value(Amount::Float(2.5f64.to_bits()), 0);
    assert_eq!(reply(code(0, 0, vec![(vec![], float)]), &[]), Reply::Float(2.5));
}

#[test]
fn one_leaf_of_many() {
    for leaves in [1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64] {
        let ends = (0..leaves as u32).map(|leaf| (vec![], End::Deopt(leaf)));
        let more = [(vec![], End::Done), (vec![], End::True), (vec![], End::Find(0))];
        let mut code = code(leaves, 0, ends.chain(more).collect());
        // The leaf before the last is not in question.
        let asked = !0u64 >> (64 - leaves) & !(1 << (leaves as u64 - 1) >> 1);
        code.finds = vec![Find {
            word: Word(0xD0),
            leaves: asked,
            at: (0..leaves as u32).collect(),
            none: leaves as u32,
            several: leaves as u32 + 1,
        }];
        let mut words = vec![0x60; leaves];
        assert_eq!(reply(code.clone(), &words), Reply::Done);
        for leaf in 0..leaves {
            words[leaf] = 0xD0;
            let one = Reply::Deopt(Some(leaf as u32));
            let expected = if asked >> leaf & 1 != 0 { one } else { Reply::Done };
            assert_eq!(reply(code.clone(), &words), expected, "{leaf} of {leaves}");
            if leaves > 3 && leaf != leaves - 1 {
                words[leaves - 1] = 0xD0;
                let both = if asked >> leaf & 1 != 0 {
                    Reply::True
                } else {
                    Reply::Deopt(Some(leaves as u32 - 1))
                };
                assert_eq!(reply(code.clone(), &words), both, "{leaf} and the last of {leaves}");
                words[leaves - 1] = 0x60;
            }
            words[leaf] = 0x61;
        }
    }
}

#[test]
fn cycles_and_what_is_too_large_are_not_compiled() {
    let cycle = code(0, 0, vec![(vec![], End::Goto(1)), (vec![], End::Goto(0))]);
    assert!(compiled(&Arc::new(cycle), &[], Width::Bytes).is_none());
    let many = (0..=MOST_BLOCKS as u32)
        .map(|i| (vec![], if i == 0 { End::Done } else { End::Goto(i - 1) }));
    let many = Arc::new(code(0, 0, many.collect()));
    assert!(compiled(&many, &[], Width::Bytes).is_none());
}

#[test]
fn a_deep_graph() {
    let many = (0..5000u32).map(|i| match i {
        0 => (vec![], End::Value(Amount::Expr(0), 0)),
        _ => (vec![Step::Add(0, 1)], End::Is((i % 9) as Leaf, Word(0x60), i - 1, i / 2)),
    });
    let mut blocks: Vec<_> = many.collect();
    blocks.push((vec![Step::Const(0, 0)], End::Goto(4999)));
    let deep = code(9, 1, blocks);
    assert_eq!(reply(deep.clone(), &[0x60; 9]), Reply::Int(4999));
    assert_eq!(reply(deep, &[0x61; 9]), Reply::Int(13));
}

/// Numbers from a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

const TEMPS: usize = 6;

/// The word of a leaf; the first half of them are integers.
fn some_word(r: &mut Random, int: bool, wide: bool) -> Word {
    match r.below(if wide { 5 } else { 3 }) {
        3 => Word::int(r.pick(&[-17, 80, 1000, -100_000, 1 << 38])).expect("it fits"),
        4 if !int => Word::constant(r.pick(&[128, 129, 3000])),
        1 if !int => r.pick(&[Word::VAR, Word(0x61)]),
        2 if !int => Word(r.pick(&[0x60, 0x61, 0x62, 0x70, 0xDF])),
        _ => Word(r.pick(&[0, 1, 15, 16, 17, 18, 0x5F])),
    }
}

fn some_step(r: &mut Random, leaves: usize, tables: usize, moves: usize) -> Step {
    use BinaryOp::*;
    let temp = r.below(TEMPS) as Temp;
    let [a, b] = [0; 2].map(|_| r.below(TEMPS) as Temp);
    let all = [Add, Sub, Mul, Div, FloorDiv, Mod, Rem, Min, Max, And, Or, Xor];
    let large = r.pick(&[0, 1, -1, 2, 5, -100, 1 << 40, i64::MAX, i64::MIN]);
    let small = r.pick(&[0, 1, -1, 2, 5]);
    match r.below(8) {
        0 => Step::Const(temp, large),
        1 => Step::Leaf(temp, r.below(leaves.div_ceil(2)) as Leaf),
        2 | 3 => Step::Binary(r.pick(&all), temp, a, b),
        // The last two temporaries are only added to.
        4 => Step::Add(4 + temp % 2, small),
        5 => Step::Table(temp, r.below(leaves) as Leaf, r.below(tables) as u32),
        _ => Step::Move(r.below(moves) as u32),
    }
}

fn some_end(r: &mut Random, code: &mut Code, at: usize) -> End {
    let leaf = |r: &mut Random| r.below(code.leaves) as Leaf;
    let [then, other] = [0; 2].map(|_| at.saturating_sub(1 + r.below(4)) as BlockId);
    let [a, b] = [0; 2].map(|_| r.below(TEMPS) as Temp);
    let word = some_word(r, false, true);
    match r.below(13) {
        _ if at == 0 => End::Done,
        12 => End::Distinct(then, other),
        0 => End::Goto(then),
        1 => End::Is(leaf(r), word, then, other),
        2 => End::Same(leaf(r), leaf(r), then, other),
        3 => End::Kind(leaf(r), r.below(8) as u8, then, other),
        4 | 5 => {
            let relations = [Relation::Less, Relation::LessEqual, Relation::Equal];
            End::Compare(r.pick(&relations), a, b, then, other)
        }
        6 => {
            let a = Operand::Leaf((code.leaves - 1 - r.below(code.leaves / 2 + 1)) as Leaf);
            let b = if r.below(2) == 0 { Operand::Word(word) } else { Operand::Leaf(leaf(r)) };
            if r.below(2) == 0 {
                End::Before(a, b, then, other)
            } else {
                End::Before(b, a, then, other)
            }
        }
        7 => {
            let mut narrow = Box::new([other; 256]);
            for _ in 0..r.below(6) {
                let case = some_word(r, false, false).0 as usize;
                narrow[case] = r.below(at) as BlockId;
            }
            let wide = (0..r.below(3)).map(|_| some_word(r, false, true));
            let wide: Vec<Word> = wide.filter(|word| word.byte().is_none()).collect();
            let wide = wide.into_iter().map(|word| (word, r.below(at) as BlockId)).collect();
            code.switches.push(Switch { narrow, wide, other });
            End::Switch(leaf(r), code.switches.len() as u32 - 1)
        }
        8 if code.leaves <= 64 => {
            let all = !0u64 >> (64 - code.leaves);
            let at = (0..code.leaves).map(|_| r.below(at) as BlockId).collect();
            let leaves = r.next() & all;
            code.finds.push(Find { word, leaves, at, none: then, several: other });
            End::Find(code.finds.len() as u32 - 1)
        }
        9 if r.below(3) == 0 => match r.below(4) {
            0 => End::True,
            1 => End::Value(Amount::Float(1.5f64.to_bits()), 0),
            2 => End::Deopt(r.below(9) as u32),
            _ => End::Value(Amount::Expr(0), a),
        },
        _ => End::Goto(at as BlockId - 1),
    }
}

fn some_code(r: &mut Random) -> Code {
    let leaves = r.pick(&[1, 2, 3, 7, 8, 9, 12, 15, 16, 17, 25, 33, 64, 70]);
    let mut code = Code { leaves, temps: TEMPS, ..Code::default() };
    for kind in 0..3 {
        let mut table = Box::new([0; 256]);
        for entry in table.iter_mut() {
            *entry = r.below(9) as i64 - 4;
            if kind > 0 && r.below(40) == 0 {
                *entry = r.pick(&[NOTHING, i64::MAX, i64::MIN + 1]);
            }
        }
        code.tables.push(*table);
    }
    code.ranks = (0..r.below(200)).map(|_| r.below(100) as u32).collect();
    for _ in 0..4 {
        let hole = |r: &mut Random| match r.below(3) {
            0 => Hole::Word(Word(3)),
            1 => Hole::Leaf(0),
            _ => Hole::Temp(r.below(TEMPS) as Temp),
        };
        let template = Template { shape: 0, leaves: vec![hole(r), hole(r)] };
        let cost = (r.below(2) == 0).then(|| Cost::Temp(r.below(TEMPS) as Temp));
        let first = r.below(leaves);
        let written = (first as Leaf..leaves as Leaf).step_by(1 + r.below(5)).take(2);
        let writes = (r.below(4) > 0).then(|| written.map(|leaf| (leaf, hole(r))).collect());
        code.moves.push(Move { name: template.clone(), cost, to: template, writes });
    }
    let blocks = 1 + r.below(40);
    for at in 0..blocks {
        let steps = (0..r.below(6)).map(|_| some_step(r, leaves, 3, 4)).collect();
        let end = some_end(r, &mut code, at);
        code.blocks.push(Block { steps, end });
    }
    let steps = (0..TEMPS as Temp).map(|t| Step::Const(t, r.below(5) as i64)).collect();
    code.blocks.push(Block { steps, end: End::Goto(blocks as BlockId - 1) });
    code.entry = blocks as BlockId;
    code
}

fn some_sum(r: &mut Random, leaves: usize) -> Sum {
    let mut tables = vec![[0; 256]; leaves];
    for value in tables.iter_mut().flatten() {
        *value = if r.below(20) == 0 { Sum::UNKNOWN } else { r.below(50) as i32 - 20 };
    }
    Sum { tables }
}

/// Where packed states of code lie.
fn some_layout(r: &mut Random, code: &Code) -> Layout {
    let words = if code.leaves < 25 { (code.leaves + 2).div_ceil(8) } else { 0 };
    Layout { before: 1 + r.below(2), words }
}

/// Native code for leaves of one byte, without differences.
fn laid_out(code: Code, forms: &[Form], layout: Layout) -> Native {
    Native::of_bytes(&Arc::new(code), forms, layout, None).expect("it compiles")
}

/// Some code, where packed states lie, and states for it: words of leaves.
fn some_states(seed: u64) -> (Arc<Code>, Layout, Vec<Vec<i64>>) {
    let mut r = Random(seed);
    let code = Arc::new(some_code(&mut r));
    let layout = some_layout(&mut r, &code);
    let ints = code.leaves.div_ceil(2);
    let state = |_| (0..code.leaves).map(|i| some_word(&mut r, i < ints, false).0).collect();
    let states = (0..40).map(state).collect();
    (code, layout, states)
}

/// A packed state of leaves of one byte.
fn packed(words: &[i64], layout: Layout) -> Vec<u8> {
    let mut state = vec![7; layout.before];
    state.extend(words.iter().map(|&word| Word(word).byte().expect("it is of one byte")));
    state.resize(state.len().max(8 * layout.words), 0);
    state
}

/// Blocks joined to others do what they did alone.
#[test]
fn straightened_code() {
    let mut fewer = 0;
    for seed in 200..280 {
        let (code, layout, states) = some_states(seed);
        let mut straight = Code::clone(&code);
        straighten(&mut straight);
        fewer += usize::from(straight.blocks.len() + 2 < code.reached().len());
        let forms = Form::all(&code, layout);
        let native = laid_out(straight, &forms, layout);
        let tried = Tried { code: &code, forms: &forms, layout, sum: None };
        for words in states {
            let state = packed(&words, layout);
            agree(&tried, &native, &state, &mut Frame { words, ..Frame::default() });
        }
    }
    assert!(fewer > 20, "much was joined: {fewer}");
}

/// Code without what follows where a find meets several leaves leaves just that to others.
#[test]
fn code_without_several() {
    let (mut left, mut same) = (0, 0);
    for seed in 300..400 {
        let (code, layout, states) = some_states(seed);
        let Some(common) = code.without_several() else { continue };
        let forms = Form::all(&code, layout);
        let native = laid_out(common, &forms, layout);
        let tried = Tried { code: &code, forms: &forms, layout, sum: None };
        for words in states {
            let state = packed(&words, layout);
            let leaves = &state[layout.before..layout.before + code.leaves];
            let whole = interpreter::Packed { room: &state, leaves, sum: None };
            let mut frame = Frame { words: words.clone(), ..Frame::default() };
            interpreter::run(&code, &forms, &mut frame, &whole);
            if frame.several == 0 {
                same += 1;
                agree(&tried, &native, &state, &mut frame);
            } else {
                left += 1;
                assert_eq!(native.run(&state, &mut frame), Reply::Deopt(Some(AGAIN)));
            }
        }
    }
    assert!(left > 50 && same > 500, "{left} {same}");
}

/// What a back end says does not change when native code is made, nor when it is made again
/// since several leaves are met.
#[test]
fn back_ends_take_over() {
    let vide = Word(0x61);
    let block = |number: Option<u32>, end| Block {
        steps: number.map(Step::Move).into_iter().collect(),
        end,
    };
    let to = Template { shape: 0, leaves: vec![] };
    let writes = |leaf: Leaf| Some(vec![(leaf, Hole::Word(Word(16)))]);
    let mv = |leaf| Move { name: to.clone(), cost: None, to: to.clone(), writes: writes(leaf) };
    let find = Find { word: vide, leaves: 0b11, at: vec![1, 2, 0], none: 0, several: 3 };
    let code = Code {
        blocks: vec![
            block(None, End::Done),
            block(Some(0), End::Done),
            block(Some(1), End::Done),
            block(Some(2), End::Done),
            block(None, End::Find(0)),
        ],
        entry: 4,
        finds: vec![find],
        moves: (0..3).map(mv).collect(),
        leaves: 3,
        ..Code::default()
    };
    let layout = Layout { before: 1, words: 1 };
    let mut backend = Backend::new(code, layout);
    let mut frame = Frame { exit: vec![0; HEAD], ..Frame::default() };
    // The first words of the moves, which are their numbers.
    let mut ask = |backend: &mut Backend, leaves: [Word; 3]| {
        let state = packed(&leaves.map(|word| word.0), layout);
        let narrow = Narrow { room: &state, leaves: &state[1..4] };
        assert_eq!(backend.run(Some(narrow), &mut frame), Reply::Done);
        let numbers = |exit: &[i64]| exit.iter().step_by(3).copied().collect::<Vec<i64>>();
        let (due, rest) = (backend.is_due(), numbers(&frame.exit[HEAD..frame.end]));
        // The short way says the same, or nothing.
        if let Some(moves) = backend.moves(narrow, &mut frame) {
            assert_eq!(numbers(moves), rest);
        }
        let numbers = rest;
        if due {
            backend.make_native();
        }
        (numbers, due)
    };
    let other = Word(17);
    let mut made = Vec::new();
    for asked in 0..20_000 {
        let (one, due) = ask(&mut backend, [other, vide, other]);
        assert_eq!(one, [1]);
        made.extend(due.then_some(asked));
        if asked >= 10_000 {
            let (both, due) = ask(&mut backend, [vide, vide, other]);
            assert_eq!(both, [2]);
            made.extend(due.then_some(asked));
        }
    }
    // Once for one leaf, and once more when several were met often enough.
    assert!(matches!(made[..], [first, second] if first < 10_000 && second > 10_100), "{made:?}");
}

#[test]
fn random_code() {
    let mut replies = HashMap::new();
    for seed in 0..120 {
        let mut r = Random(seed);
        let code = Arc::new(some_code(&mut r));
        let layout = some_layout(&mut r, &code);
        let forms = Form::all(&code, layout);
        let sum = Arc::new(some_sum(&mut r, code.leaves));
        let tried = Tried { code: &code, forms: &forms, layout, sum: Some(&sum) };
        let by_bytes = Native::of_bytes(&code, &forms, layout, Some(sum.clone()));
        let by_bytes = by_bytes.expect("it compiles");
        let by_words = Native::of_words(&code, &forms).expect("it compiles");
        for _ in 0..40 {
            let wide = r.below(2) == 0;
            let ints = code.leaves.div_ceil(2);
            let words = (0..code.leaves).map(|i| some_word(&mut r, i < ints, wide).0);
            let mut frame = Frame { words: words.collect(), ..Frame::default() };
            let reply = agree(&tried, &by_words, &[], &mut frame);
            *replies
                .entry(format!("{reply:?}").chars().take(4).collect::<String>())
                .or_insert(0) += 1;
            if frame.words.iter().all(|&word| Word(word).byte().is_some()) {
                let state = packed(&frame.words, layout);
                agree(&tried, &by_bytes, &state, &mut frame);
            }
        }
    }
    // All kinds of replies were met.
    assert!(replies.len() == 5 && replies.values().all(|&count| count > 15), "{replies:?}");
}
