//! Escapes that are never reached.
//!
//! Where nothing is known of what moves lead to, a state counts as a goal, and a coarser puzzle that can't tell
//! whether it is such a state says nothing. But if no state of one coarser puzzle that is reached from the start
//! may be one, no real state is: then such conditions hold nowhere that matters.

use super::operators::{Condition, ConditionId, Leaf, Operators, Value};
use super::projection::Projection;
use std::collections::BTreeSet;

/// The most leaves of the coarser puzzle in which escapes are looked for.
const MOST_LEAVES: usize = 16;

/// A puzzle without escapes, if none can be reached from a start, as far as that is seen by looking at so many
/// states and moves of a coarser puzzle; else as it is.
pub(crate) fn without_unreached(puzzle: &Operators, start: &[Value], most: usize) -> Operators {
    let mut puzzle = puzzle.clone();
    if !puzzle.has_escapes() {
        return puzzle;
    }
    let parts: Vec<ConditionId> = match &puzzle.conditions[puzzle.escape as usize] {
        Condition::Any(parts) => parts.to_vec(),
        _ => vec![puzzle.escape],
    };
    for with_tables in [false, true] {
        let asked = parts.iter().flat_map(|&part| puzzle.asked_outright(part, with_tables));
        let leaves: Vec<Leaf> = asked.collect::<BTreeSet<Leaf>>().into_iter().collect();
        if leaves.is_empty() || leaves.len() > MOST_LEAVES {
            continue;
        }
        let reached = Projection::may_hold(&puzzle, &leaves, start, &parts, most);
        // Behind one that is reached nothing is known, of others neither.
        if reached.is_some_and(|reached| !reached.contains(&true)) {
            puzzle.escape = puzzle.never();
            break;
        }
    }
    puzzle
}
