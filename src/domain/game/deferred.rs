//! Moves told apart from the states they lead to, by the machine.
//!
//! A clause of the moves may end in goals that must have exactly one answer, as
//! `$(once(next_state(As, S1, S2)))`: *demands*. The goals before them, the *guards*, say which moves there are. A play
//! at random runs the guards for all moves, and the demands for the one that it takes; counting moves runs the guards
//! alone. Errors in the demands of other moves go unnoticed.

use super::queries::read_move;
use super::rules::{Answered, RuleGame};
use super::value::RuleValue;
use crate::ask::{self, Arg, Asker};
use crate::error::Violation;
use crate::problem::MOST_MOVES;
use zug_machine::{ClauseId, Machine, OpenQuery, PredId};
use zug_prolog::builtins::World;
use zug_search::StateId;
use zug_state::{Codec, PackedState};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Record, variables};

/// A move that is not made: its clause, and what the goals before the demands bind.
pub(super) type Unmade = (ClauseId, Record);

/// The body of a clause: what says whether there is a move, and what makes the state.
struct Parts {
    guards: Cell,
    demands: Cell,
}

/// The goals of a conjunction.
fn conjuncts(heap: &Heap, body: Cell) -> Vec<Cell> {
    let (mut goals, mut rest) = (Vec::new(), body);
    while let Some([first, behind]) = heap.match_struct::<2>(rest, atoms::COMMA) {
        goals.push(heap.deref(first));
        rest = heap.deref(behind);
    }
    goals.push(heap.deref(rest));
    goals
}

fn is_demand(heap: &Heap, goal: Cell) -> bool {
    heap.match_struct::<1>(goal, atoms::DOLLAR).is_some()
}

/// How many goals stand before the demands at the end.
fn guards_of(heap: &Heap, goals: &[Cell]) -> usize {
    goals.iter().rposition(|&goal| !is_demand(heap, goal)).map_or(0, |last| last + 1)
}

/// Whether a cut in a goal cuts its clause.
fn cuts(heap: &Heap, goal: Cell) -> bool {
    let goal = heap.deref(goal);
    let control = [atoms::COMMA, atoms::SEMICOLON, atoms::ARROW, atoms::SOFT_ARROW];
    let parts = control.iter().find_map(|&name| heap.match_struct::<2>(goal, name));
    let is_cut = [atoms::CUT, atoms::DOLLAR].map(Cell::atom).contains(&goal);
    is_cut || parts.is_some_and(|parts| parts.into_iter().any(|part| cuts(heap, part)))
}

/// A conjunction.
fn joined(heap: &mut Heap, goals: &[Cell]) -> Cell {
    let Some((&last, before)) = goals.split_last() else { return Cell::atom(atoms::TRUE) };
    before.iter().rev().fold(last, |behind, &goal| heap.new_struct(atoms::COMMA, &[goal, behind]))
}

impl Parts {
    fn of(heap: &mut Heap, body: Cell) -> Parts {
        let goals = conjuncts(heap, body);
        let (guards, demands) = goals.split_at(guards_of(heap, &goals));
        Parts { guards: joined(heap, guards), demands: joined(heap, demands) }
    }

    /// What the guards may bind that matters later: the move, its state, and the variables of the demands.
    fn bound(&self, heap: &mut Heap, [name, to]: [Cell; 2]) -> Cell {
        let items = [vec![name, to], variables(heap, self.demands)].concat();
        heap.list_from(&items, Cell::NIL)
    }
}

/// Whether the clauses of a predicate end in demands, one at least, and none cuts.
fn defers(m: &Machine, pred: PredId, clauses: &[ClauseId]) -> bool {
    let mut any = false;
    let program = &m.program;
    if program.preds[pred as usize].rules.is_some()
        || program.is_det(pred)
        || program.is_tabled(pred)
    {
        return false;
    }
    let plain = clauses.iter().all(|&id| {
        let (heap, clause) = m.program.clauses[id as usize].record.to_heap();
        let body = heap.at(clause.addr() + 2);
        let goals = conjuncts(&heap, body);
        any |= guards_of(&heap, &goals) < goals.len();
        !goals.iter().any(|&goal| cuts(&heap, goal))
    });
    plain && any
}

/// Puts a clause on the heap, if its head fits: its parts, and what its guards bind, which is the third root.
fn begun(
    ask: &mut OpenQuery<'_, World>,
    codec: &Codec,
    clause: ClauseId,
    args: &[Arg<'_>],
) -> Option<(Parts, Cell)> {
    let body = ask::fit(ask, codec, clause, args)?;
    let row = ask.rooted();
    let parts = Parts::of(&mut ask.machine.heap, body);
    let bound = parts.bound(&mut ask.machine.heap, row);
    ask.add_root(bound);
    Some((parts, bound))
}

/// The unmade moves of a clause.
fn unmade_of(
    (m, w, codec): Asker<'_>,
    clause: ClauseId,
    args: &[Arg<'_>],
    found: &mut Vec<Unmade>,
) -> Result<(), Violation> {
    m.ask(w, |ask| {
        let Some((parts, _)) = begun(ask, codec, clause, args) else { return Ok(()) };
        let mut answered = ask.goal(parts.guards);
        loop {
            match answered {
                Ok(true) if found.len() >= MOST_MOVES => {
                    return Err(Violation::TooManyMoves(MOST_MOVES));
                }
                Ok(true) => {
                    let [_, _, bound] = ask.rooted();
                    found.push((clause, Record::new(&mut ask.machine.heap, bound)));
                    answered = ask.redo();
                }
                Ok(false) => return Ok(()),
                Err(fault) => return Err(Violation::raised(ask.machine, fault)),
            }
        }
    })
}

/// Makes a move: what `read` makes of its name and state.
fn made_of<T>(
    (m, w, codec): Asker<'_>,
    (clause, bound): &Unmade,
    args: &[Arg<'_>],
    read: impl FnOnce(&mut Machine, &mut Codec, [Cell; 2]) -> Result<T, Violation>,
) -> Result<T, Violation> {
    m.ask(w, |ask| {
        let (parts, own) = begun(ask, codec, *clause, args).expect("a head that did fit");
        let bound = bound.instantiate(&mut ask.machine.heap);
        ask.machine.unify(own, bound);
        let done =
            ask.goal(parts.demands).map_err(|fault| Violation::raised(ask.machine, fault))?;
        debug_assert!(done, "what must have an answer has one, or raises an error");
        let row = ask.rooted();
        read(ask.machine, codec, row)
    })
}

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// The clauses of the moves, if the rules tell moves apart from the states they lead to.
    fn deferring(&mut self) -> Option<Vec<ClauseId>> {
        // PERF: for most rules this is all that is done.
        if self.kit.defers == Some(false) || !self.world.tracer.watches.is_empty() {
            return None;
        }
        let pred = self.roles.moves.pred;
        let clauses = self.machine.program.live_clauses(pred);
        let defers = *self.kit.defers.get_or_insert_with(|| defers(self.machine, pred, &clauses));
        defers.then_some(clauses)
    }

    /// The moves of a state, unmade; `None` if the rules don't tell them apart from their states.
    pub(super) fn unmade(&mut self, state: &S) -> Answered<Option<Vec<Unmade>>> {
        let Some(clauses) = self.deferring() else { return Ok(None) };
        let mut found = Vec::new();
        let asked = self.about_moves(state, |(m, w, codec), _, args| {
            let mut clauses = clauses.into_iter();
            clauses.try_for_each(|clause| {
                unmade_of((&mut *m, &mut *w, &mut *codec), clause, args, &mut found)
            })
        });
        match asked {
            Ok(()) => Ok(Some(found)),
            Err(violation) => Err(self.move_error((violation, None), state)),
        }
    }

    /// Makes an unmade move.
    pub(super) fn made(&mut self, state: &S, unmade: &Unmade) -> Answered<(StateId, S)> {
        let mut wrong = None;
        let made = self.about_moves(state, |asker, (moves, scratch, next), args| {
            made_of(asker, unmade, args, |m, codec, [name, to]| {
                let read = read_move(m, codec, (moves, scratch, next), [name, to]);
                read.inspect_err(|_| wrong = Some(Record::new(&mut m.heap, name)))
            })
        });
        made.map_err(|violation| self.move_error((violation, wrong), state))
    }
}
