//! What one search of a puzzle leaves to the next in the session: how terms are packed, the
//! names of moves, and the code made for the rules.
//!
//! It is kept as long as nothing was changed that rules can see. PERF: making code takes longer
//! than many a search.

use super::core::{Kit, Predicates, PuzzleCore};
use super::{RuleProblem, represented};
use crate::PackedState;
use crate::contract::{Contract, Heuristic};
use crate::error::RuleError;
use crate::memory::{Stamp, cache, stamp};
use std::sync::Arc;
use zug_code::{Specialise, Spent};
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_state::RuleCost;
use zug_term::{Cell, Record};

/// Searches that something is kept of: with one heuristic and another, with states of different
/// lengths.
const MOST: usize = 4;
/// Constants up to which the packing of terms is worth keeping.
const MOST_CONSTANTS: usize = 1 << 16;

/// What code was made for.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Purpose {
    rule: PredId,
    goal: Option<PredId>,
    heuristic: Option<(PredId, Option<Cell>)>,
    /// Words that a state consists of.
    words: usize,
    mode: Specialise,
}

/// What is kept of searches.
#[derive(Default)]
struct PuzzleMemory {
    searches: Vec<KeptSearch>,
    /// What code has cost, and brought.
    spent: Spent,
}

/// What is kept of a search.
struct KeptSearch {
    stamp: Stamp,
    purpose: Purpose,
    kit: Kit,
}

impl Predicates {
    fn purpose(&self, words: usize, mode: Specialise) -> Purpose {
        let heuristic = self.heuristic.map(|pred| (pred, self.heuristic_name));
        Purpose { rule: self.rule, goal: self.goal, heuristic, words, mode }
    }
}

impl<'a> PuzzleCore<'a> {
    /// As [`PuzzleCore::new`], for a search from a start, with what an earlier search of the same
    /// problem left.
    ///
    /// # Errors
    /// A predicate is missing.
    fn resumed(
        machine: &'a mut Machine,
        world: &'a mut World,
        contract: &Contract,
        needed: (Option<Heuristic>, bool, usize),
        start: &Record,
    ) -> Result<Self, Box<RuleError>> {
        let represented = represented(machine, world, contract, start);
        let now = stamp(machine, world);
        let mut problem = PuzzleCore::new(machine, world, contract, needed)?;
        let purpose = problem.predicates.purpose(problem.words, problem.engine_code());
        let PuzzleMemory { searches: kept, spent } = cache(problem.world);
        let spent = *spent;
        kept.retain(|kept| kept.stamp == now);
        let same = |kept: &KeptSearch| {
            kept.purpose == purpose
                && match (&kept.kit.representation, &represented) {
                    (Some(kept), Some(now)) => Arc::ptr_eq(kept, now),
                    (kept, now) => kept.is_none() && now.is_none(),
                }
        };
        if let Some(at) = kept.iter().position(same) {
            problem.kit = kept.remove(at).kit;
            problem.kit.units.resume(problem.machine);
        } else if let Some(found) = &represented {
            found.declare(&mut problem.kit.codec);
        }
        (problem.kit.representation, problem.kit.is_decided) = (represented, true);
        problem.kit.units.spent(spent);
        Ok(problem)
    }

    /// Leaves to the next search what it can use.
    fn keep(self) {
        let PuzzleCore { machine, world, predicates, mut kit, words, .. } = self;
        let purpose = predicates.purpose(words, kit.units.mode());
        if purpose.mode == Specialise::Off || kit.codec.constants().len() > MOST_CONSTANTS {
            return;
        }
        let stamp = stamp(machine, world);
        let PuzzleMemory { searches: kept, spent } = cache(world);
        *spent = kit.units.rest(machine);
        if kept.len() >= MOST {
            kept.remove(0);
        }
        let kit = Kit { derived: kit.derived.kept(), alike: kit.alike.kept(), ..kit };
        kept.push(KeptSearch { stamp, purpose, kit });
    }
}

impl<'a, C: RuleCost, S: PackedState> RuleProblem<'a, C, S> {
    /// As [`RuleProblem::new`], for a search from a start, with what an earlier search of the same
    /// problem left.
    ///
    /// # Errors
    /// A predicate is missing.
    pub fn resumed(
        machine: &'a mut Machine,
        world: &'a mut World,
        contract: &Contract,
        heuristic: Option<Heuristic>,
        needs_goal: bool,
        start: &Record,
    ) -> Result<Self, Box<RuleError>> {
        let needed = (heuristic, needs_goal, S::WORDS);
        Ok(Self::of(PuzzleCore::resumed(machine, world, contract, needed, start)?))
    }

    /// Leaves to the next search what it can use.
    pub fn keep(self) {
        self.core.keep();
    }
}

#[cfg(test)]
mod tests {
    use zug_prolog::session::Session;

    const RULES: &str = "
        :- dynamic(last/1).
        last(40).
        initial_state(0).
        final_state(40).
        rule(right, 1, X, Y) :- last(L), X < L, Y is X + 1.
        rule(left, 1, X, Y) :- X > 0, Y is X - 1.
        heuristic(X, H) :- H is abs(40 - X).
        heuristic(none, _, 0).
    ";

    /// The questions of a search that the machine answered, and its answer's cost.
    fn search(session: &mut Session, goal: &str) -> (u64, Option<String>) {
        crate::take_journal(&mut session.world);
        let mut query = session.query(goal).expect("a goal that reads");
        let found = session.next(&mut query).expect("no error");
        let cost = found.then(|| session.answer(&query).to_string());
        session.close(query);
        let journal = crate::take_journal(&mut session.world);
        let run = journal.puzzles.last().and_then(|last| last.as_ref().ok()).expect("a search");
        let run = &run.solution;
        (run.code.as_ref().expect("code is wanted").by_machine, cost)
    }

    #[test]
    fn the_next_search_finds_the_code_of_the_last() {
        let (mut session, _) = crate::language::captured("");
        session.load_text("rules.pl", RULES);
        let goal = "astar(S, _, C, [heuristic(H)])";
        let mut search = |goal: &str| search(&mut session, goal);
        let (first, answer) = search("astar(_, C)");
        assert!(first > 0);
        assert_eq!(search("astar(_, C)"), (0, answer.clone()));
        // From another state, by another engine.
        assert_eq!(search("idastar(30, _, C)"), (0, Some("C = 10".to_owned())));
        // Another heuristic is code of its own, and does not take the place of the first.
        assert!(search(&goal.replace('S', "0").replace('H', "none")).0 > 0);
        assert_eq!(search("astar(_, C)"), (0, answer.clone()));
        // What rules can see has changed.
        assert_eq!(search("b_setval(x, 1), astar(_, C)").1, answer);
        let (again, none) = search("retract(last(_)), assertz(last(39)), astar(_, C)");
        assert!(again > 0);
        assert_eq!(none, None);
        let (again, found) = search("retract(last(_)), assertz(last(40)), astar(_, C)");
        assert!(again > 0);
        assert_eq!(found, answer);
    }
}
