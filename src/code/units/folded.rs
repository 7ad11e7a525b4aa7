//! Moves that are folded: guards tell which there are, and one body makes them, number by number.

use super::unit::At;
use super::{Asked, Bytes, Units, with_room};
use crate::deopt::DeoptCause;
use crate::frame::{Narrow, Reply};
use crate::moves::{HEAD, Visit};
use crate::program::slices::all;
use zug_machine::Machine;
use zug_state::Codec;

/// Takes a move; false if it can't.
type Visitor<'a> = &'a mut dyn FnMut(&mut Visit<'_>) -> bool;

impl Units {
    /// Calls `visit` with the moves of a packed state.
    #[inline(never)]
    pub(super) fn ask_folded(
        &mut self,
        at: At,
        packed: Bytes<'_>,
        (m, codec): (&Machine, &mut Codec),
        visit: Visitor<'_>,
    ) -> Asked {
        let leaves = &packed.0[self.layout.before..];
        let mut numbers = std::mem::take(&mut self.called.numbers);
        let done = self.each_folded(at, (packed, leaves), codec, (&mut numbers, visit));
        self.called.numbers = numbers;
        if let Err(why) = done {
            return self.deoptimise(at, why, leaves, codec);
        }
        if let Some((compiled, runs)) = self.units.ready(at)
            && compiled.picker.as_ref().is_some_and(|picker| picker.is_due(*runs))
        {
            self.look_at_picker(at, m);
        }
        Asked::Answered(Reply::Done)
    }

    fn each_folded(
        &mut self,
        at: At,
        (packed, leaves): (Bytes<'_>, &[u8]),
        codec: &Codec,
        (numbers, visit): (&mut Vec<u32>, Visitor<'_>),
    ) -> Result<(), DeoptCause> {
        let Units { units, frame, room, bytes, .. } = self;
        let (compiled, _) = units.ready(at).ok_or(DeoptCause::Asked(None))?;
        let picker = compiled.picker.as_deref().ok_or(DeoptCause::Asked(None))?;
        let is_narrow = picker.guards.load(leaves, frame, codec);
        let Some(is_narrow) = is_narrow else {
            return Err(DeoptCause::of_leaves(&picker.guards));
        };
        let room = with_room(packed, 8 * picker.guards.words(), room);
        let narrow = is_narrow.then_some(Narrow { room, leaves });
        if codec.has_variables() && !compiled.allows(narrow.map(|state| state.leaves), frame) {
            return Err(DeoptCause::New);
        }
        let picker = compiled.picker.as_deref_mut().ok_or(DeoptCause::Asked(None))?;
        if let Reply::Deopt(reason) = picker.guards.run(narrow, frame) {
            return Err(DeoptCause::Asked(reason));
        }
        all(&picker.groups, &frame.exit[HEAD..frame.end], numbers);
        for &number in numbers.iter() {
            let made =
                picker.make(number, narrow, frame, bytes, |found| visit(found).then_some(()));
            made.ok_or(DeoptCause::Asked(None))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Layout;
    use crate::merging::{Folding, Residual};
    use crate::mode::Specialise;
    use crate::program::make::{Met, make};
    use crate::target::{Arg, Target};
    use zug_machine::Space;
    use zug_prolog::session::Session;
    use zug_state::{Packed, Word};
    use zug_term::{Cell, Heap, Record};

    /// A wheel that is turned to a place found in a long table.
    const RULES: &str = "
rule(turn(By), 1, wheel(A, B), wheel(C, B)) :- between(1, 90, By), times(300, By, N), C is (A + N) mod 12.
times(N, By, M) :- findall(K, ( between(1, N, K), K mod 97 =:= By ), Ks), sum_list(Ks, M).
";

    fn turned(by: i64, a: i64) -> i64 {
        let sum: i64 = (1..=300).filter(|k| k % 97 == by).sum();
        (a + sum) % 12
    }

    #[test]
    fn moves_are_folded_until_it_pays_to_make_each_by_itself() {
        let (mut session, _) = Session::captured(&[], "");
        assert_eq!(session.load_text("rules", RULES).len(), 0);
        let Session { machine, world, .. } = &mut session;
        let mut codec = Codec::new();
        let mut units = Units::new(machine, Specialise::On, Layout { before: 1, words: 0 });
        let name = machine.symbols.lookup("rule").expect("a rule");
        let pred = machine.program.lookup(name, 4, Space::User).expect("a predicate");
        let args = vec![Arg::Name, Arg::Cost, Arg::State, Arg::To];
        let rule = units.add(Target { pred, indicator: "rule/4", args });
        let wheel = machine.symbols.intern("wheel");
        let pack = |codec: &mut Codec, numbers: [i64; 2]| -> Packed {
            let mut heap = Heap::new();
            let state = heap.new_struct(wheel, &numbers.map(Cell::small));
            codec.encode(&mut heap, state).expect("it is small")
        };
        let (mut was_folded, mut by_code) = (false, 0);
        for number in 0..20_000 {
            let [a, b] = [number % 12, number / 12 % 12];
            let state = pack(&mut codec, [a, b]);
            let mut found = Vec::new();
            let asker = (&mut *machine, &mut *world, &mut codec);
            let asked = units.ask(rule, &state, asker, |visit| {
                found.extend(visit.next::<Packed>(&state, None));
                true
            });
            let folded = units.folded((rule, state.bytes()[0]));
            if let Asked::Answered(_) = asked {
                by_code += 1;
                let expected: Vec<Packed> =
                    (1..=90).map(|by| pack(&mut codec, [turned(by, a), b])).collect();
                let bytes = |all: &[Packed]| -> Vec<Vec<u8>> {
                    all.iter().map(|one| one.bytes().to_vec()).collect()
                };
                assert_eq!(bytes(&found), bytes(&expected), "{a} {b}");
                if was_folded && folded.is_none() {
                    return;
                }
            }
            if folded.is_some() && !was_folded {
                was_folded = true;
                units.pay(10_000_000);
            }
        }
        panic!("folded: {was_folded}, by code: {by_code}");
    }

    #[test]
    fn folded_code_takes_no_more_steps_than_it_is_given() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/nine_mens_morris.pl");
        let (mut session, _) = Session::captured(&[], "");
        session.load_file(&std::path::PathBuf::from(file)).expect("a file");
        let walk = "
walk(N, J, S, [S|Ss]) :-
    N > 0, findall(T, move(J, _, S, T), Ts), length(Ts, L), L > 0, !,
    I is N * 7919 mod L, nth0(I, Ts, T), opponent(J, K), N1 is N - 1, walk(N1, K, T, Ss).
walk(_, _, _, []).
";
        assert_eq!(session.load_text("walk", walk).len(), 0);
        let query = "initial_state(S), initial_player(J), walk(300, J, S, X).";
        let mut query = session.query(query).expect("it is a query");
        assert!(session.next(&mut query).expect("no error"));
        let (_, list) = session.bindings(&query).find(|&(name, _)| name == "X").expect("X");
        let mut codec = Codec::new();
        let states: Vec<Cell> = session.machine.heap.items(list).collect();
        let states: Vec<Packed> = states
            .into_iter()
            .map(|state| codec.encode(&mut session.machine.heap, state).expect("it is small"))
            .collect();
        session.close(query);
        let Session { machine, world, .. } = &mut session;
        let name = machine.symbols.lookup("move").expect("moves");
        let pred = machine.program.lookup(name, 4, Space::User).expect("a predicate");
        let player = Record::atomic(Cell::atom(machine.symbols.intern("w")));
        let args = vec![Arg::Fixed(player), Arg::Name, Arg::State, Arg::To];
        let target = Target { pred, indicator: "move/4", args };
        let (mut words, mut shared) = (Vec::new(), None);
        codec.words(&states[0].bytes()[1..], &mut words).expect("atoms and integers");
        let words: Vec<Word> = words.into_iter().map(Word).collect();
        let (mut progress, shape) = (None, states[0].bytes()[0]);
        for limit in (11..).map(|power| 1 << power) {
            let folding = Some(Folding::default());
            let met = Met { sample: &words, folding, progress, ..Met::default() };
            let kept = (&mut shared, &mut Residual::default());
            let made = make(machine, world, &mut codec, &target, (shape, met), limit, kept);
            let work = made.as_ref().map_or_else(|unmade| unmade.work, |made| made.work);
            assert!(work < limit + limit / 2 + 2_000, "{work} of {limit}");
            match made {
                Ok(_) => return,
                Err(unmade) => progress = Some(unmade.why.expect("it was interrupted")),
            }
        }
    }
}
