//! What is asked of a puzzle beside a search: the moves of one state, and whether the rules as
//! they are written agree with moves that are to be handed out.

use super::{PuzzleCore, RULE, RuleProblem};
use crate::PackedState;
use crate::error::{RuleError, Violation};
use zug_search::{PlanGraph, StateId};
use zug_state::{Number, RuleCost};
use zug_term::Record;

/// A state of a puzzle and what can be done there.
#[derive(Clone, Debug)]
pub struct PuzzleState {
    /// The state.
    pub state: Record,
    /// It is final.
    pub goal: bool,
    /// The moves, each answer of rule/4 once.
    pub moves: Vec<PuzzleMove>,
}

/// A move.
#[derive(Clone, Debug)]
pub struct PuzzleMove {
    /// Its name.
    pub mv: Record,
    /// What it costs.
    pub cost: Number,
    /// The state it leads to.
    pub state: Record,
}

impl PuzzleCore<'_> {
    /// The moves of a state by the rules as they are written.
    pub(crate) fn spot(&mut self, state: &[u8]) -> Result<PuzzleState, Box<RuleError>> {
        let goal = self.goal_by_rules(state)?;
        let mut found: Vec<(StateId, Number, Vec<u8>)> = Vec::new();
        self.each_successor(state, &mut |mv, cost, to| {
            let same = |(other, price, state): &(StateId, Number, Vec<u8>)| {
                *other == mv && *price == cost && state == to
            };
            if !found.iter().any(same) {
                found.push((mv, cost, to.to_vec()));
            }
            Ok(())
        })?;
        let moves = found.into_iter().map(|(mv, cost, to)| PuzzleMove {
            mv: self.move_term(mv),
            cost,
            state: self.unpack(&to),
        });
        let moves = moves.collect();
        Ok(PuzzleState { state: self.unpack(state), goal, moves })
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Asks the rules as they are written for every move of a graph, and whether its ends are
    /// goals.
    pub(crate) fn confirm(
        &mut self,
        graph: &PlanGraph<StateId, S, C>,
    ) -> Result<(), Box<RuleError>> {
        let broken = |step| RuleError::new(Violation::Replay(step), RULE);
        for at in 0..graph.len() {
            if graph.is_goal(at) {
                if !self.core.goal_by_rules(graph.state(at).bytes())? {
                    return Err(broken(0));
                }
                continue;
            }
            let moves = graph.moves(at);
            let mut seen = vec![false; moves.len()];
            self.core.each_successor(graph.state(at).bytes(), &mut |mv, cost, to| {
                for (number, known) in moves.iter().enumerate() {
                    seen[number] |= known.mv == mv
                        && graph.state(known.to).bytes() == to
                        && C::of(cost) == Some(known.cost);
                }
                Ok(())
            })?;
            if seen.contains(&false) {
                return Err(broken(0));
            }
        }
        Ok(())
    }
}
