//! Rule programs made at random over leaves of wide ranges, of integers alone or of floats too: what their programs answer, in both back
//! ends, is what the machine answers, and the states that moves lead to are packed as the codec does it.

use super::make::{Made, Met, Unmade, make};
use crate::backend::Backend;
use crate::code::Layout;
use crate::deopt::run_on;
use crate::frame::{Frame, Reply};
use crate::merging::{Folding, Residual};
use crate::moves::{HEAD, Label, Visit};
use crate::picker::Picker;
use crate::program::slices::all;
use crate::target::{Arg, Target};
use std::collections::BTreeMap;
use std::fmt::Write;
use zug_machine::Space;
use zug_prolog::session::Session;
use zug_random::Random;
use zug_state::{Codec, Number, Packed, Word};
use zug_term::{Cell, Record};

const HELPERS: &str = "
amount(X, V) :- ( integer(X) -> V = X ; X == none -> V = 0 ; V = 1 ).
bits(0, N, N) :- !.
bits(S, N0, N) :- N1 is N0 + S /\\ 1, T is S >> 1, bits(T, N1, N).
digits(N, [N]) :- N < 10, !.
digits(N, [D|Ds]) :- D is N mod 10, M is N // 10, digits(M, Ds).
";

/// What each leaf is drawn from: atoms, and integers from the first to the last.
struct Drawn {
    atoms: &'static [&'static str],
    range: (i64, i64),
}

const LEAVES: [Drawn; 5] = [
    Drawn { atoms: &[], range: (-5_000, 40_000) },
    Drawn { atoms: &["none", "lost"], range: (0, 3_000) },
    Drawn { atoms: &[], range: (0, 12) },
    Drawn { atoms: &[], range: (0, (1 << 49) - 1) },
    Drawn { atoms: &["a", "b"], range: (0, 3) },
];

impl Drawn {
    fn value(&self, random: &mut Random) -> String {
        if !self.atoms.is_empty() && random.below(3) == 0 {
            return any(random, self.atoms).to_owned();
        }
        let (low, high) = self.range;
        let any = low + random.below((high - low) as u64 + 1) as i64;
        let value = match random.below(6) {
            0 => low,
            1 => high,
            2 => any >> random.below(40),
            3 => (random.below(130) as i64).min(high),
            _ => any,
        };
        value.to_string()
    }
}

fn any<T: Clone>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len() as u64) as usize].clone()
}

fn state(random: &mut Random) -> String {
    let leaves: Vec<String> = LEAVES.iter().map(|drawn| drawn.value(random)).collect();
    format!("s({})", leaves.join(","))
}

struct Text {
    random: Random,
    /// Operands, and the other values that a leaf may get.
    numbers: Vec<String>,
    others: Vec<String>,
    /// Numbers that may be floats.
    floats: Vec<String>,
    made: usize,
}

impl Text {
    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        any(&mut self.random, all)
    }

    fn number(&mut self) -> String {
        match self.random.below(3) {
            0 => self
                .of(&[
                    "0", "1", "2", "3", "7", "10", "31", "100", "255", "1000", "4096", "-1", "-7",
                ])
                .to_owned(),
            _ => any(&mut self.random, &self.numbers),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            return self.number();
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(12) {
            0 => {
                let name = self.of(&["abs", "sign", "\\", "-", "msb", "popcount", "lsb"]);
                format!("{name}({a})")
            }
            1 => {
                let name = self.of(&["min", "max"]);
                format!("{name}({a}, {b})")
            }
            2 => {
                let by = self.of(&["1", "3", "K", "C", "8"]);
                let name = self.of(&["<<", ">>"]);
                format!("(({a}) {name} ({by}))")
            }
            3 => format!("getbit({a}, K)"),
            4 => format!("(1 << (({a}) mod 49))"),
            5 => format!("(({a}) rem 1009)"),
            _ => {
                let name = self.of(&[
                    "+", "-", "*", "//", "div", "mod", "rem", "/\\", "\\/", "xor", "+", "-", "/\\",
                ]);
                format!("(({a}) {name} ({b}))")
            }
        }
    }

    /// An expression whose value may be a float.
    fn mixed(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            return match self.random.below(5) {
                0 if !self.floats.is_empty() => any(&mut self.random, &self.floats),
                0 | 1 => self
                    .of(&["0.5", "2.5", "-1.5", "0.0", "-0.0", "1.0e3", "1.0", "3.0", "pi", "0.1"])
                    .to_owned(),
                2 => self.of(&["K", "C", "K", "2", "4", "-3"]).to_owned(),
                _ => self.expression(1),
            };
        }
        let (a, b) = (self.mixed(depth - 1), self.mixed(depth - 1));
        match self.random.below(16) {
            0 => format!("abs({a})"),
            1 => format!("-({a})"),
            2 => format!("sqrt(abs({a}))"),
            3 => {
                let name = self.of(&["sqrt", "float", "sign", "+"]);
                format!("{name}({a})")
            }
            4 | 5 => {
                let name = self.of(&["min", "max"]);
                format!("{name}({a}, {b})")
            }
            6 => {
                let by = self.of(&["2", "3", "4", "100", "0.5", "-7", "C", "(C + 1)"]);
                format!("(({a}) / {by})")
            }
            7 => {
                let (a, b) = (self.expression(1), self.expression(1));
                format!("(({a}) / ({b}))")
            }
            8 => {
                let name = self.of(&["sin", "cos", "exp", "atan"]);
                format!("{name}(C mod 7)")
            }
            9 => {
                let power = self.of(&["** 2", "^ 2", "** 0.5", "** -1"]);
                format!("(({a}) {power})")
            }
            10 => self.rounded(depth - 1),
            _ => {
                let name = self.of(&["+", "-", "*"]);
                format!("(({a}) {name} ({b}))")
            }
        }
    }

    /// An expression whose value is an integer, if it has one.
    fn rounded(&mut self, depth: u32) -> String {
        let name = self.of(&["round", "truncate", "floor", "ceiling", "integer"]);
        format!("{name}({})", self.mixed(depth))
    }

    /// A goal that compares numbers that may be floats.
    fn mixed_test(&mut self) -> String {
        let (a, b) = (self.mixed(2), self.mixed(1));
        let x = self.of(&["B", "E", "1", "0.5"]);
        match self.random.below(6) {
            0 => format!("T is {a}, T @< {x}"),
            1 => format!("T is {a}, T = {x}"),
            2 => format!("T is {a}, float(T)"),
            _ => {
                let name = self.of(&["<", ">=", "=:=", "=\\=", ">"]);
                format!("{a} {name} {b}")
            }
        }
    }

    /// Goals with floats, behind which numbers may be some.
    fn goals_with_floats(&mut self, count: usize) -> String {
        let mut body = String::new();
        for _ in 0..count {
            self.made += 1;
            let new = format!("F{}", self.made);
            let test = self.mixed_test().replace('T', &format!("T{}", self.made));
            let (a, b) = (self.mixed(3), self.mixed(2));
            let goal = match self.random.below(5) {
                0 => format!("( {test} -> {new} is {a} ; {new} is {b} )"),
                1 => format!("( {test} -> true ; K > 0 ), {new} is {a}"),
                2 => {
                    let rounded = self.rounded(3);
                    self.numbers.push(new.clone());
                    format!("{new} is {rounded}")
                }
                _ => format!("{new} is {a}"),
            };
            let _ = write!(body, ", {goal}");
            self.floats.push(new);
        }
        body
    }

    fn test(&mut self) -> String {
        let (a, b) = (self.expression(1), self.expression(1));
        let (x, y) = (self.other(), self.other());
        match self.random.below(8) {
            0 => format!("{x} == {y}"),
            1 => format!("{x} @< {y}"),
            2 => format!("{x} \\== 1000"),
            3 => format!("integer({x})"),
            4 => format!("{x} = none"),
            _ => {
                let name = self.of(&["<", ">=", "=:=", "=\\=", ">"]);
                format!("{a} {name} {b}")
            }
        }
    }

    fn other(&mut self) -> String {
        any(&mut self.random, &self.others)
    }

    fn goals(&mut self, count: usize) -> String {
        let mut body = String::new();
        for _ in 0..count {
            self.made += 1;
            let new = format!("V{}", self.made);
            let (x, test) = (self.other(), self.test());
            let (a, b) = (self.expression(2), self.expression(2));
            let goal = match self.random.below(9) {
                0 => format!("( {test} -> {new} is {a} ; {new} is {b} )"),
                1 => format!("amount({x}, {new})"),
                2 => format!("( between(0, 3, {new}), {test} ; {new} is {b} )"),
                3 => format!("{new}0 is ({a}) /\\ 4095, bits({new}0, 0, {new})"),
                4 => format!(
                    "{new}0 is abs({a}) mod 1000, digits({new}0, {new}1), sum_list({new}1, {new})"
                ),
                5 => format!(
                    "findall(I, ( member(I, [1,2,5,{a}]), I > K ), {new}0), sum_list({new}0, {new})"
                ),
                6 => {
                    let _ = write!(body, ", {test}");
                    continue;
                }
                _ => format!("{new} is {a}"),
            };
            let _ = write!(body, ", {goal}");
            self.numbers.push(new.clone());
            self.others.push(new);
        }
        body
    }
}

/// The predicates of a program: moves, a test, a value.
fn text(number: u64, seed: u64, floats: bool) -> String {
    let text = || Text {
        floats: Vec::new(),
        random: Random::nth(seed, number),
        numbers: ["A", "C", "D", "K", "A", "D"].map(str::to_owned).to_vec(),
        others: ["A", "B", "C", "D", "E", "B", "E"].map(str::to_owned).to_vec(),
        made: 0,
    };
    let goals = |text: &mut Text, count: usize| match floats {
        true => text.goals_with_floats(count) + &text.goals(count - 1),
        false => text.goals(count),
    };
    let mut rule = text();
    let body = goals(&mut rule, if floats { 2 } else { 3 });
    let cost = if floats { format!("abs({})", rule.mixed(2)) } else { "1".to_owned() };
    let mut leaf = |own: &str| match rule.random.below(5) {
        0 | 1 => own.to_owned(),
        2 => rule.numbers.last().cloned().unwrap_or_default(),
        _ => rule.other(),
    };
    let to = ["A", "B", "C", "D", "E"].map(&mut leaf).join(",");
    let mut test = text();
    test.random.below(7);
    let goals_of_test = goals(&mut test, 2);
    let last = if floats { test.mixed_test() } else { test.test() };
    let mut value = text();
    value.random.below(5);
    let goals_of_value = goals(&mut value, 2);
    let result = if floats { value.mixed(3) } else { value.expression(2) };
    format!(
        "rule_{number}(m(K,X), Cost, s(A,B,C,D,E), s({to})) :- \
             member(K, [0,1,5,2,9]){body}, X = K, Cost is {cost}.\n\
         test_{number}(s(A,B,C,D,E)) :- K = 2{goals_of_test}, {last}.\n\
         value_{number}(s(A,B,C,D,E), V) :- K = 3{goals_of_value}, V is {result}, !.\n"
    )
}

/// The items of the list that `X` is in the first answer of a query; `None` if that is an error.
fn items(session: &mut Session, text: &str) -> Option<Vec<Record>> {
    let mut query = session.query(text).unwrap_or_else(|_| panic!("{text} is a query"));
    let found = session.next(&mut query);
    if !matches!(found, Ok(true)) {
        session.close(query);
        return None;
    }
    let (_, list) = session.bindings(&query).find(|&(name, _)| name == "X").expect("there is X");
    let heap = &mut session.machine.heap;
    let items: Vec<Cell> = heap.items(list).collect();
    let records = items.into_iter().map(|item| Record::new(heap, item)).collect();
    session.close(query);
    Some(records)
}

/// A number; a float by its bits, of which zero has two.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Exact {
    Int(i64),
    Float(u64),
}

impl Exact {
    fn of(heap: &zug_term::Heap, cell: Cell) -> Option<Exact> {
        match heap.value(cell) {
            zug_term::Value::Int(value) => Some(Exact::Int(value)),
            zug_term::Value::Float(value) => Some(Exact::Float(value.to_bits())),
            _ => None,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Answer {
    /// Packed names, costs and packed states, in order.
    Moves(Vec<(Vec<u8>, Exact, Vec<u8>)>),
    Holds(bool),
    Value(Option<Exact>),
    Deoptimised,
}

fn by_program(
    backend: &mut Backend,
    codec: &Codec,
    packed: &Packed,
    kind: usize,
    native: bool,
) -> Answer {
    let mut frame = Frame { exit: vec![0; HEAD], ..Frame::default() };
    let leaves = &packed.bytes()[1..];
    assert!(frame.load(leaves, LEAVES.len(), codec), "atoms and integers have words");
    let reply = if native {
        backend.run(None, &mut frame)
    } else {
        let (code, forms) = backend.shared();
        code.program.run_on_words(&forms, &mut frame)
    };
    match (reply, kind) {
        (Reply::Deopt(_), _) => Answer::Deoptimised,
        (Reply::Done, 1) => Answer::Holds(false),
        (Reply::True, 1) => Answer::Holds(true),
        (Reply::Done, 2) => Answer::Value(None),
        (Reply::Int(value), 2) => Answer::Value(Some(Exact::Int(value))),
        (Reply::Float(value), 2) => Answer::Value(Some(Exact::Float(value.to_bits()))),
        (Reply::Done, 0 | 3) => {
            let source = backend.source(None, &frame);
            let (mut at, mut moves, mut scratch) = (HEAD, Vec::new(), Vec::new());
            while at < source.exit.len() {
                // A name that was numbered once is not told again.
                let mut labels = Label::all(backend.code());
                let (mut found, next) = source.read(at, false, &mut labels, &mut scratch);
                match move_of(&mut found, packed) {
                    Some(one) => moves.push(one),
                    None => return Answer::Deoptimised,
                }
                at = next;
            }
            Answer::Moves(moves)
        }
        (reply, _) => panic!("{reply:?} of {kind}"),
    }
}

/// The moves of a state by guards and bodies.
fn by_picker(picker: &mut Picker, codec: &Codec, packed: &Packed) -> Answer {
    let (mut frame, mut room) = (Frame::default(), Vec::new());
    let state = packed.bytes();
    let ran = run_on(&mut picker.guards, state, 1, (&mut frame, &mut room), codec);
    let Ok((Reply::Done, _)) = ran else { return Answer::Deoptimised };
    let (mut numbers, mut moves, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    all(&picker.groups, &frame.exit[HEAD..frame.end], &mut numbers);
    for number in numbers {
        // A name that was numbered once is not told again.
        picker.labels = Label::all(picker.bodies.code());
        let around = (&mut frame, &mut room, codec);
        let made = picker.make_on(state, 1, number, around, &mut bytes, |found| {
            let one = move_of(found, packed);
            one.map(|one| moves.push(one))
        });
        if made.is_none() {
            return Answer::Deoptimised;
        }
    }
    Answer::Moves(moves)
}

/// The packed name of a move, its cost, and the packed state that it leads to.
fn move_of(found: &mut Visit<'_>, packed: &Packed) -> Option<(Vec<u8>, Exact, Vec<u8>)> {
    let mut name = Vec::new();
    found.name(|bytes| {
        name = bytes.to_vec();
        Some(0)
    })?;
    let to = found.next(packed, None)?;
    let cost = match found.cost()? {
        Number::Int(cost) => Exact::Int(cost),
        Number::Float(cost) => Exact::Float(cost.to_bits()),
        Number::Large(_) => panic!("code has no large costs"),
    };
    Some((name, cost, to.bytes().to_vec()))
}

/// The answer of the machine; `None` if it is an error or a number that no cell holds.
fn by_machine(
    session: &mut Session,
    codec: &mut Codec,
    (number, kind): (u64, usize),
    state: &str,
) -> Option<Answer> {
    let goal = match kind {
        0 | 3 => format!("findall(m(N,C,T), rule_{number}(N, C, {state}, T), X)."),
        1 => format!("( test_{number}({state}) -> X = [yes] ; X = [] )."),
        _ => format!("( value_{number}({state}, V) -> X = [V] ; X = [] )."),
    };
    let found = items(session, &goal)?;
    Some(match kind {
        0 | 3 => {
            let pack = |codec: &mut Codec, heap: &mut zug_term::Heap, cell| {
                codec.encode_plain(heap, cell).expect("finite").to_vec()
            };
            let mut moves = Vec::new();
            for one in found {
                let (mut heap, root) = one.to_heap();
                let (_, _, first) = heap.name_arity(root)?;
                let (name, to) = (heap.at(first), heap.at(first + 2));
                let cost = Exact::of(&heap, heap.at(first + 1))?;
                let name = pack(codec, &mut heap, name);
                moves.push((name, cost, pack(codec, &mut heap, to)));
            }
            Answer::Moves(moves)
        }
        1 => Answer::Holds(!found.is_empty()),
        _ => {
            let value = found.first().map(|one| {
                let (heap, root) = one.to_heap();
                Exact::of(&heap, root)
            });
            match value {
                Some(value) => Answer::Value(Some(value?)),
                None => Answer::Value(None),
            }
        }
    })
}

fn made(
    session: &mut Session,
    codec: &mut Codec,
    of: (u64, usize),
    sample: &Packed,
) -> Result<Made, Unmade> {
    let (number, kind) = of;
    let (name, args) = match kind {
        0 | 3 => ("rule", vec![Arg::Name, Arg::Cost, Arg::State, Arg::To]),
        1 => ("test", vec![Arg::State]),
        _ => ("value", vec![Arg::State, Arg::Value]),
    };
    let name = session.machine.symbols.intern(&format!("{name}_{number}"));
    let program = &session.machine.program;
    let pred = program.resolve(program.lookup(name, args.len(), Space::User).expect("it is there"));
    let target = Target { pred, indicator: "", args };
    let mut words = Vec::new();
    codec.words(&sample.bytes()[1..], &mut words).expect("atoms and integers");
    let words: Vec<Word> = words.into_iter().map(Word).collect();
    let folding = (kind == 3).then_some(Folding { least: 0, sample: 0 });
    let met = Met { sample: &words, folding, ..Met::default() };
    let shape = sample.bytes()[0];
    let (m, w) = (&mut session.machine, &mut session.world);
    // What programs call is for the tests of whole searches.
    let mut residual = Residual::after(usize::MAX);
    make(m, w, codec, &target, (shape, met), 300_000, (&mut None, &mut residual))
}

#[derive(Default, Debug)]
struct Tally {
    answered: usize,
    /// Those in which they deoptimised, though the machine has an answer that code may give.
    deopt: usize,
    none: usize,
    /// Programs whose moves are folded.
    folded: usize,
    reasons: BTreeMap<String, usize>,
}

fn agree(programs: u64, states: usize, seed: u64, floats: bool) -> Tally {
    let mut tally = Tally::default();
    for number in 0..programs {
        let (mut session, _) = Session::captured(&[], "");
        let text = text(number, seed, floats);
        session.load_text("generated", &format!("{HELPERS}{text}"));
        let mut random = Random::nth(seed + 1, number);
        let mut codec = Codec::new();
        let mut met = Vec::new();
        for _ in 0..60 {
            let state = state(&mut random);
            let term = &items(&mut session, &format!("X = [{state}].")).expect("a list")[0];
            let (mut heap, root) = term.to_heap();
            met.push((state, codec.encode(&mut heap, root).expect("finite")));
        }
        for kind in 0..4 {
            let made = match made(&mut session, &mut codec, (number, kind), &met[0].1) {
                Ok(made) => made,
                Err(unmade) => {
                    tally.none += 1;
                    let why = unmade.why.map_or_else(|why| why.what, |_| String::new());
                    *tally.reasons.entry(why).or_default() += 1;
                    continue;
                }
            };
            let layout = Layout { before: 1, words: 0 };
            if made.lowered.is_folded {
                tally.folded += 1;
                let picking = made.lowered.picking.expect("folded moves are picked from");
                let mut picker = Picker::new(picking, Some(0), layout);
                for native in [false, true] {
                    #[cfg(feature = "native")]
                    if native {
                        picker.backends().into_iter().for_each(|code| {
                            code.make_native();
                        });
                    }
                    for (state, packed) in met.iter().take(states) {
                        let found = by_picker(&mut picker, &codec, packed);
                        let expected = by_machine(&mut session, &mut codec, (number, kind), state);
                        if found == Answer::Deoptimised {
                            tally.deopt += usize::from(expected.is_some());
                            continue;
                        }
                        assert_eq!(
                            Some(found),
                            expected,
                            "folded, native {native} in {state} of\n{text}"
                        );
                        tally.answered += 1;
                    }
                }
                continue;
            }
            let mut backend = Backend::new(made.lowered.code, layout);
            assert!(backend.code().program.is_wide(), "leaves are of more than one byte");
            if cfg!(feature = "native") {
                #[cfg(feature = "native")]
                backend.make_native();
            }
            for (state, packed) in met.iter().take(states) {
                let found = by_program(&mut backend, &codec, packed, kind, false);
                let native = by_program(&mut backend, &codec, packed, kind, true);
                assert_eq!(found, native, "back ends in {state} of\n{text}");
                let expected = by_machine(&mut session, &mut codec, (number, kind), state);
                if found == Answer::Deoptimised {
                    tally.deopt += usize::from(expected.is_some());
                    continue;
                }
                assert_eq!(Some(found), expected, "kind {kind} in {state} of\n{text}");
                tally.answered += 1;
            }
        }
    }
    tally
}

fn given(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|number| number.parse().ok())
}

#[test]
fn programs_with_floats_answer_as_the_machine_does() {
    let count = given("ZUG_PROGRAMS").unwrap_or(60);
    let tally = agree(count, 12, given("ZUG_SEED").unwrap_or(31), true);
    assert!(tally.answered > 2 * tally.deopt && tally.answered > 10 * tally.none, "{tally:?}");
    assert!(2 * tally.folded > count as usize, "{tally:?}");
}

#[test]
fn programs_over_wide_leaves_answer_as_the_machine_does() {
    let count = given("ZUG_PROGRAMS").unwrap_or(60);
    let tally = agree(count, 12, given("ZUG_SEED").unwrap_or(21), false);
    assert!(tally.answered > 3 * tally.deopt && tally.answered > 10 * tally.none, "{tally:?}");
    assert!(2 * tally.folded > count as usize, "{tally:?}");
}
