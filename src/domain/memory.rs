//! What the domain layer keeps in a session between queries.

use super::game::GameMemory;
use super::plan_predicates::Walking;
use super::problem::PuzzleMemory;
use zug_code::Spent;
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;

/// The state of a program: nothing that rules can see was changed if this is the same.
pub(super) type Stamp = (u64, usize, u64);

/// The state of the program.
pub(super) fn stamp(m: &Machine, w: &World) -> Stamp {
    (m.program.generation, m.program.clauses.len(), w.changes)
}

/// What was found out about the program in earlier queries.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) games: Vec<GameMemory>,
    pub(super) puzzles: Vec<PuzzleMemory>,
    /// Cheapest plans that a query is asking for.
    pub(super) plans: Vec<Walking>,
    /// The contract predicates that are no functions of the state, each with a condition that
    /// has to be trusted.
    pub(super) impure: Option<(Stamp, Vec<(PredId, String)>)>,
    /// What code has cost, and brought, in searches of puzzles.
    pub(super) spent: Spent,
}

/// What is kept in a session.
pub(super) fn memory(w: &mut World) -> &mut Memory {
    let kept = w.domain_memory.get_or_insert_with(|| Box::<Memory>::default());
    kept.downcast_mut().expect("nothing else is put there")
}

/// Forgets what was found out of states, but not the code that was made.
pub(super) fn forget_results(m: &mut Machine, w: &mut World) {
    let mut games = std::mem::take(&mut memory(w).games);
    for game in &mut games {
        game.forget_results(m, w);
    }
    memory(w).games = games;
}

/// Forgets everything.
pub(super) fn forget(w: &mut World) {
    // A query may be in the middle of them.
    let plans = std::mem::take(&mut memory(w).plans);
    w.domain_memory = None;
    memory(w).plans = plans;
}
