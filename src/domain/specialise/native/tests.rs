//! Interpreter and native code, one beside the other.

use super::*;
use crate::domain::specialise::code::{Block, BlockId, Cost, End, Find, Move, NOTHING, Step};
use crate::domain::specialise::code::{Switch, Template};
use crate::domain::specialise::interpreter;
use crate::domain::specialise::residual::Amount;
use crate::domain::specialise::residual::{BinaryOp, Leaf, Operand, Relation};
use crate::domain::specialise::word::Word;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

thread_local! {
    /// How many runs were compared, where they are.
    static COMPARED: Cell<Option<u64>> = const { Cell::new(None) };
    /// What was compiled, by the address of the code, which is kept.
    static MADE: RefCell<HashMap<(usize, bool), Pair>> = RefCell::default();
}

type Pair = (Arc<Code>, Option<Native>);

/// Does something; whatever code it runs, back ends are compared: how often.
pub fn comparing(what: impl FnOnce()) -> u64 {
    COMPARED.set(Some(0));
    what();
    MADE.take();
    COMPARED.take().unwrap_or(0)
}

/// Compares back ends on a state, where that is wanted.
pub fn compare(code: &Arc<Code>, narrow: Option<&[u8]>, frame: &mut Frame) {
    let Some(count) = COMPARED.get() else { return };
    // Compilers of debug builds take their time.
    if code.blocks.len() > 1500 {
        return;
    }
    COMPARED.set(Some(count + 1));
    if let Some(leaves) = narrow {
        frame.load_bytes(leaves);
    }
    MADE.with_borrow_mut(|made| {
        for (width, bytes) in [(Width::Bytes, true), (Width::Words, false)] {
            if bytes && narrow.is_none() {
                continue;
            }
            let new = || (code.clone(), Native::compile(code, width));
            let key = (Arc::as_ptr(code) as usize, bytes);
            let (_, native) = made.entry(key).or_insert_with(new);
            let Some(native) = native else {
                let order = Order::of(code, width, |number| needs(code, number as usize).len() + 1);
                panic!(
                    "not compiled: {} blocks, {} leaves, {} words for moves",
                    code.blocks.len(),
                    code.leaves,
                    order.expect("rules make no cycles").room
                );
            };
            agree(code, native, narrow.unwrap_or(&[]), frame, usize::MAX);
        }
    });
}

/// What a run did: its moves with what they need, and its reply.
type Outcome = (Vec<(u32, Vec<i64>)>, Reply);

#[track_caller]
fn agree(code: &Code, native: &Native, leaves: &[u8], frame: &mut Frame, most: usize) -> Reply {
    let record = |moves: &mut Vec<(u32, Vec<i64>)>, number: u32, frame: &Frame| {
        let temps = needs(code, number as usize);
        moves.push((number, temps.iter().map(|&t| frame.temps[usize::from(t)]).collect()));
        moves.len() < most
    };
    let mut outcomes: [Outcome; 2] = [(Vec::new(), Reply::Done), (Vec::new(), Reply::Done)];
    let [(moves, reply), (moves_2, reply_2)] = &mut outcomes;
    *reply = interpreter::run(code, frame, |number, frame| record(moves, number, frame));
    *reply_2 = native.run(leaves, frame, |number, frame| record(moves_2, number, frame));
    assert_eq!(outcomes[0], outcomes[1], "{code:#?}\non {:?}", frame.words);
    outcomes[0].1
}

/// Code of these blocks, the last of which is the entry.
fn code(leaves: usize, temps: usize, blocks: Vec<(Vec<Step>, End)>) -> Code {
    let blocks: Vec<Block> = blocks.into_iter().map(|(steps, end)| Block { steps, end }).collect();
    Code { entry: blocks.len() as BlockId - 1, leaves, temps, blocks, ..Code::default() }
}

/// Runs code on words by all that can: the reply.
#[track_caller]
fn reply(code: Code, words: &[i64]) -> Reply {
    let code = Arc::new(code);
    let mut frame = Frame { words: words.to_vec(), ..Frame::default() };
    let native = Native::compile(&code, Width::Words).expect("it compiles");
    let by_words = agree(&code, &native, &[], &mut frame, usize::MAX);
    let bytes: Option<Vec<u8>> = words.iter().map(|&word| u8::try_from(word).ok()).collect();
    if let Some(bytes) = bytes {
        let native = Native::compile(&code, Width::Bytes).expect("it compiles");
        assert_eq!(agree(&code, &native, &bytes, &mut frame, usize::MAX), by_words);
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
    assert!(Native::compile(&Arc::new(cycle), Width::Bytes).is_none());
    let many = (0..=MOST_BLOCKS as u32)
        .map(|i| (vec![], if i == 0 { End::Done } else { End::Goto(i - 1) }));
    assert!(Native::compile(&Arc::new(code(0, 0, many.collect())), Width::Bytes).is_none());
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
    match r.below(12) {
        _ if at == 0 => End::Done,
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
        code.moves.push(Move { name: template.clone(), cost, to: template, writes: None });
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

#[test]
fn random_code() {
    let mut replies = HashMap::new();
    for seed in 0..120 {
        let mut r = Random(seed);
        let code = Arc::new(some_code(&mut r));
        let by_bytes = Native::compile(&code, Width::Bytes).expect("it compiles");
        let by_words = Native::compile(&code, Width::Words).expect("it compiles");
        for _ in 0..40 {
            let wide = r.below(2) == 0;
            let ints = code.leaves.div_ceil(2);
            let words = (0..code.leaves).map(|i| some_word(&mut r, i < ints, wide).0);
            let mut frame = Frame { words: words.collect(), ..Frame::default() };
            let most = if r.below(4) == 0 { 1 + r.below(3) } else { usize::MAX };
            let reply = agree(&code, &by_words, &[], &mut frame, most);
            *replies
                .entry(format!("{reply:?}").chars().take(4).collect::<String>())
                .or_insert(0) += 1;
            let bytes: Option<Vec<u8>> = frame.words.iter().map(|&w| Word(w).byte()).collect();
            if let Some(bytes) = bytes {
                agree(&code, &by_bytes, &bytes, &mut frame, most);
            }
        }
    }
    // All kinds of replies were met.
    assert!(replies.len() == 5 && replies.values().all(|&count| count > 15), "{replies:?}");
}
