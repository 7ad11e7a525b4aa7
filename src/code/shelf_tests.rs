//! Code that one copy of some rules has made answers the others what their own would have answered, or is not taken.

use super::code::Layout;
use super::mode::Specialise;
use super::target::{Arg, Target};
use super::units::{Asked, Units};
use std::collections::BTreeSet;
use zug_machine::{Machine, Space};
use zug_prolog::builtins::World;
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_state::{Codec, Packed};
use zug_term::{Cell, Heap, Record};

/// A number that goes round with a colour; such a number alone; one beside a number that stays.
const RULES: &str = "
rule(step, 1, s(N, C), s(M, C)) :- M is (N + 1) mod 12.
rule(turn(D), 1, s(N, C), s(N, D)) :- after(C, D).
rule(step, 1, t(N), t(M)) :- M is (N + 1) mod 12.
rule(step, 1, u(N, K), u(M, L)) :- M is (N + 1) mod 4, L is K.
after(red, green).
after(green, blue).
after(blue, red).
after(odd, blue).
after(odd, odd).
after(even, X) :- after(odd, X).
";

fn expected(number: i64, colour: &str) -> Vec<String> {
    let after = match colour {
        "red" => &["green"][..],
        "green" => &["blue"],
        "blue" => &["red"],
        "mauve" => &[],
        _ => &["blue", "odd"],
    };
    let step = format!("step to s({},{colour})", (number + 1) % 12);
    let turns = after.iter().map(|after| format!("turn({after}) to s({number},{after})"));
    [step].into_iter().chain(turns).collect()
}

/// A copy of the rules, with what asks it.
struct Asker {
    machine: Machine,
    world: World,
    codec: Codec,
    units: Units,
    rule: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Code,
    Machine,
}

impl Asker {
    fn of(machine: Machine, world: World, codec: Codec) -> Asker {
        let mut units = Units::new(&machine, Specialise::On, Layout { before: 1, words: 0 });
        let name = machine.symbols.lookup("rule").expect("a rule");
        let pred = machine.program.lookup(name, 4, Space::User).expect("a predicate");
        let args = vec![Arg::Name, Arg::Cost, Arg::State, Arg::To];
        let rule = units.add(Target { pred, indicator: "rule/4", args });
        Asker { machine, world, codec, units, rule }
    }

    fn main() -> Asker {
        let (mut session, _) = Session::captured(&[], "");
        assert_eq!(session.load_text("rules", RULES).len(), 0);
        let Session { machine, world, .. } = session;
        Asker::of(machine, world, Codec::new())
    }

    /// The main one, when all that its moves lead to has numbers, from these colours.
    fn knowing(colours: &[&str]) -> Asker {
        let mut main = Asker::main();
        let mut heap = Heap::new();
        main.pack(0, "red");
        for colour in colours.iter().copied().chain(["step"]) {
            let atom = main.machine.symbols.intern(colour);
            main.codec.atom_code(atom);
        }
        let turn = main.machine.symbols.intern("turn");
        for name in [Cell::atom(turn), heap.new_struct(turn, &[Cell::small(0)])] {
            main.codec.encode_plain(&mut heap, name).expect("it is small");
        }
        main
    }

    fn copy(&mut self) -> Asker {
        let mut machine = self.machine.fork();
        let world = self.world.fork(&mut machine.symbols);
        let shelf = self.units.share(&self.machine, &mut self.codec);
        let mut copy = Asker::of(machine, world, self.codec.clone());
        copy.units.join(&shelf, &copy.machine);
        copy
    }

    fn pack(&mut self, number: i64, colour: &str) -> Packed {
        let (mut heap, colour) = (Heap::new(), self.machine.symbols.intern(colour));
        let name = self.machine.symbols.intern("s");
        let state = heap.new_struct(name, &[Cell::small(number), Cell::atom(colour)]);
        self.codec.encode(&mut heap, state).expect("it is small")
    }

    fn pack_numbers(&mut self, name: &str, numbers: &[i64]) -> Packed {
        let (mut heap, name) = (Heap::new(), self.machine.symbols.intern(name));
        let numbers: Vec<Cell> = numbers.iter().map(|&number| Cell::small(number)).collect();
        let state = heap.new_struct(name, &numbers);
        self.codec.encode(&mut heap, state).expect("it is small")
    }

    /// Asks about states of numbers until there is code, which has to be right.
    fn warm_numbers(&mut self, name: &str, round: i64, stays: &[i64]) {
        let mut answered = 0;
        for number in 0..200 {
            let numbers = |number: i64| [&[number % round], stays].concat();
            let state = self.pack_numbers(name, &numbers(number));
            let expected = self.pack_numbers(name, &numbers(number + 1));
            let Asker { machine, world, codec, units, rule } = self;
            let mut found = None;
            let asked = units.ask(*rule, &state, (machine, world, codec), |visit| {
                found = visit.next::<Packed>(&state, None);
                true
            });
            if let Asked::Answered(_) = asked {
                assert_eq!(found.expect("a move").bytes(), expected.bytes());
                answered += 1;
            }
        }
        assert!(answered > 100, "{answered}");
    }

    /// Asks about a state: what code answers has to be right.
    fn ask(&mut self, number: i64, colour: &str) -> By {
        let state = self.pack(number, colour);
        let Asker { machine, world, codec, units, rule } = self;
        let mut found: Vec<(Vec<u8>, Packed)> = Vec::new();
        let asked = units.ask(*rule, &state, (machine, world, codec), |visit| {
            let mut name = Vec::new();
            let has_name = visit.put_name(&mut name);
            visit.next(&state, None).is_some_and(|next: Packed| {
                found.push((name, next));
                has_name
            })
        });
        let Asked::Answered(_) = asked else { return By::Machine };
        let text = |packed: &[u8]| {
            let mut heap = Heap::new();
            let term = codec.decode(packed, &mut heap);
            term_text(machine, world, &Record::new(&mut heap, term))
        };
        let texts =
            found.iter().map(|(name, to)| format!("{} to {}", text(name), text(to.bytes())));
        assert_eq!(texts.collect::<Vec<_>>(), expected(number, colour));
        By::Code
    }

    fn warm(&mut self, colours: &[&str]) {
        let ask = |at: usize| self.ask(at as i64 % 12, colours[at % colours.len()]);
        let answered = (0..2000).map(ask).filter(|&by| by == By::Code).count();
        assert!(answered > 1000, "{answered}");
    }

    fn steps(&self) -> u64 {
        self.units.steps
    }
}

const PLAIN: &[&str] = &["red", "green", "blue"];
const ALL: &[&str] = &["red", "green", "blue", "odd", "even"];

#[test]
fn code_that_one_has_made_answers_the_others() {
    let mut main = Asker::knowing(ALL);
    let mut early = main.copy();
    assert_eq!(early.ask(1, "red"), By::Machine);
    main.warm(PLAIN);
    let made = main.steps();
    assert!(made > 0);
    let mut late = main.copy();
    for copy in [&mut late, &mut early] {
        // It is looked for where the machine is asked.
        assert_eq!(copy.ask(3, "green"), By::Machine);
        assert_eq!(copy.ask(3, "green"), By::Code);
        copy.warm(PLAIN);
        assert_eq!(copy.steps(), 0);
    }
    assert_eq!(main.steps(), made);
}

#[test]
fn what_a_copy_has_made_answers_the_main_one() {
    let mut main = Asker::knowing(ALL);
    let mut copies = [main.copy(), main.copy()];
    copies[1].warm(PLAIN);
    assert!(copies[1].steps() > 0);
    main.warm(PLAIN);
    copies[0].warm(PLAIN);
    assert_eq!((main.steps(), copies[0].steps()), (0, 0));
}

#[test]
fn code_in_other_numbers_is_not_taken() {
    let mut main = Asker::main();
    let mut copy = main.copy();
    // The first constant of this one is another one there.
    copy.pack(0, "blue");
    main.warm(PLAIN);
    assert!(!copy.codec.extends(&main.codec) && !main.codec.extends(&copy.codec));
    copy.warm(PLAIN);
    assert!(copy.steps() > 0);
    // The words of the main one, and with them its code.
    copy.machine.take_symbols(&main.machine.symbols);
    copy.codec = main.codec.clone();
    copy.units.restart(&copy.machine);
    let made = copy.steps();
    copy.warm(PLAIN);
    assert_eq!(copy.steps(), made);
}

#[test]
fn atoms_of_the_same_number_may_be_others() {
    let mut main = Asker::knowing(ALL);
    let mut copy = main.copy();
    let count = copy.machine.symbols.len();
    assert_eq!(main.machine.symbols.len(), count);
    // Not in the rules: both are followed by nothing.
    assert_eq!(main.machine.symbols.intern("mauve").0 as usize, count);
    assert_eq!(copy.machine.symbols.intern("ochre").0 as usize, count);
    let (one, other) = (main.pack(0, "mauve"), copy.pack(0, "ochre"));
    assert_eq!(one.bytes(), other.bytes());
    assert!(copy.codec.extends(&main.codec) && main.codec.extends(&copy.codec));
    for (asker, colour) in [(&mut main, "mauve"), (&mut copy, "ochre")] {
        for number in 0..200 {
            let state = asker.pack(number % 12, colour);
            let Asker { machine, world, codec, units, rule } = &mut *asker;
            units.ask(*rule, &state, (machine, world, codec), |_| true);
        }
        assert!(asker.steps() > 0, "it made code of its own");
    }
}

#[test]
fn code_for_fewer_values_is_not_taken_and_made_anew_for_all() {
    let mut main = Asker::knowing(ALL);
    main.warm(PLAIN);
    let mut copies = [main.copy(), main.copy()];
    // It takes the code, and drops it when it meets what that was not made for.
    copies[0].warm(PLAIN);
    assert_eq!(copies[0].ask(5, "odd"), By::Machine);
    copies[0].warm(&["odd", "red", "even"]);
    let made = copies[0].steps();
    assert!(made > 0);
    // This one has met it before it sees any code; what there is by now is for that, too.
    assert_eq!(copies[1].ask(5, "odd"), By::Machine);
    copies[1].warm(&["odd", "red", "even"]);
    assert_eq!(copies[1].steps(), 0);
    let before = main.steps();
    main.warm(&["odd", "red", "even"]);
    assert_eq!(main.steps(), before);
    copies.iter_mut().for_each(|copy| copy.warm(PLAIN));
}

#[test]
fn code_made_with_another_codec_is_for_what_that_one_has_seen() {
    // How often values are new to the other codec is to come to what it came to with the first one.
    let are_even = (75..90).filter(|&more| {
        let mut main = Asker::knowing(PLAIN);
        main.pack_numbers("t", &[0]);
        main.pack_numbers("u", &[0, 0]);
        let mut copies = [main.copy(), main.copy()];
        let first = copies[0].codec.clone();
        (0..4).for_each(|number| drop(copies[0].pack_numbers("u", &[number, 1])));
        copies[0].warm_numbers("t", 12, &[]);
        let version = copies[0].codec.version();
        copies[0].codec = first;
        copies[0].units.restart(&copies[0].machine);
        (0..more).for_each(|number| drop(copies[0].pack(number, "red")));
        copies[0].warm_numbers("u", 4, &[0]);
        copies[1].warm_numbers("u", 4, &[1]);
        copies[0].codec.version() == version
    });
    assert!(are_even.count() > 0);
}

#[test]
fn who_has_met_more_than_code_was_made_for_does_not_take_it() {
    let mut main = Asker::knowing(ALL);
    let mut copy = main.copy();
    copy.pack(7, "even");
    main.warm(PLAIN);
    for _ in 0..2 {
        assert_eq!(copy.ask(7, "even"), By::Machine);
    }
    assert_eq!(copy.ask(7, "even"), By::Code);
    copy.warm(&["even", "red", "odd"]);
    assert!(copy.steps() > 0);
}

#[test]
fn a_program_that_has_changed_has_other_code() {
    let mut main = Asker::knowing(ALL);
    let mut copy = main.copy();
    main.warm(PLAIN);
    copy.machine.program.generation += 1;
    assert_eq!(copy.ask(1, "red"), By::Machine);
    copy.warm(PLAIN);
    assert!(copy.steps() > 0);
}

#[test]
fn several_threads_take_what_any_of_them_makes() {
    let mut main = Asker::knowing(ALL);
    let mut copies: Vec<Asker> = (0..3).map(|_| main.copy()).collect();
    // Each meets values in another order, so that code is made again while it runs elsewhere.
    std::thread::scope(|scope| {
        for (first, copy) in copies.iter_mut().chain([&mut main]).enumerate() {
            scope.spawn(move || {
                let mut known = BTreeSet::new();
                for round in 0..ALL.len() {
                    known.insert(ALL[(first + round) % ALL.len()]);
                    let known: Vec<&str> = known.iter().copied().collect();
                    for at in 0..600 {
                        copy.ask(at % 12, known[at as usize % known.len()]);
                    }
                }
                // While another one makes code, it is waited for.
                let mut asked = (0..10_000_000).map(|at| copy.ask(at % 12, ALL[at as usize % 5]));
                assert_eq!(asked.by_ref().filter(|&by| by == By::Code).take(1000).count(), 1000);
            });
        }
    });
    let makers = copies.iter().chain([&main]).filter(|copy| copy.steps() > 0).count();
    assert!(makers > 0);
}

/// One that is at making code is waited for, but not for ever.
#[test]
fn code_that_is_never_done_is_made_by_another() {
    let mut main = Asker::knowing(ALL);
    let mut copies = [main.copy(), main.copy()];
    copies[0].ask(0, "red");
    let (rule, shape) = (main.rule, main.shape());
    assert!(copies[0].units.is_to_make((rule, shape)));
    copies[1].ask(0, "red");
    assert!(!copies[1].units.is_to_make((rule, shape)));
    // It uses other words from now on, and what it was at is dropped.
    let Asker { machine, units, .. } = &mut copies[0];
    units.restart(machine);
    assert!(copies[1].units.is_to_make((rule, shape)));
    assert!(!main.is_free(rule, shape));
    let waited = (0..10_000).take_while(|_| !main.is_free(rule, shape)).count();
    assert!((100..1000).contains(&waited), "{waited}");
}

impl Asker {
    fn shape(&mut self) -> u8 {
        self.pack(0, "red").bytes()[0]
    }

    fn is_free(&mut self, rule: usize, shape: u8) -> bool {
        self.ask(0, "red");
        self.units.is_to_make((rule, shape))
    }
}

#[cfg(feature = "native")]
#[test]
fn native_code_of_one_is_that_of_all() {
    let mut main = Asker::main();
    let native = |asker: &Asker| asker.units.native_of(asker.rule);
    for at in 0..400_000 {
        main.ask(at % 12, PLAIN[at as usize % 3]);
        if native(&main).is_some() {
            break;
        }
    }
    let made = native(&main).expect("it was made");
    let mut copies = [main.copy(), main.copy()];
    for copy in &mut copies {
        copy.warm(PLAIN);
        assert!(std::sync::Arc::ptr_eq(&native(copy).expect("it was taken"), &made));
    }
    // What runs it meanwhile is dropped when it is to be made for more.
    copies[0].warm(&["red", "odd"]);
    copies[1].warm(PLAIN);
    assert!(native(&copies[1]).is_some_and(|native| std::sync::Arc::ptr_eq(&native, &made)));
}

#[cfg(feature = "native")]
impl Units {
    fn native_of(&self, target: usize) -> Option<std::sync::Arc<super::native::Native>> {
        self.units.of(target).find_map(|unit| match &unit.state {
            super::units::unit::State::Ready(compiled) => compiled.code.native().cloned(),
            _ => None,
        })
    }
}
