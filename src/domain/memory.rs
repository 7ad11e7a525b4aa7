//! What the engines cache in a session, in a query and between queries.

use super::bases::{NewHeuristics, OpenBase};
use super::claim::Conditions;
use super::contract::DomainKind;
use super::game::GameMemory;
use super::journal::Journal;
use super::plan_predicates::PlanCursor;
use super::problem::PuzzleMemory;
use super::representing::Looked;
use std::time::Duration;
use zug_code::{Specialise, Spent};
use zug_machine::{ImpurityNotes, Machine};
use zug_prolog::builtins::World;
use zug_term::Record;

/// The state of a program: equal as long as nothing changes that rules can see.
pub(super) type Stamp = (u64, usize, u64);

/// The state of the program.
pub(super) fn stamp(m: &Machine, w: &World) -> Stamp {
    (m.program.generation, m.program.clauses.len(), w.changes)
}

/// Cached results of earlier queries about the program.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) games: Vec<GameMemory>,
    pub(super) puzzles: Vec<PuzzleMemory>,
    /// Cheapest plans that a query is asking for.
    pub(super) plans: Vec<PlanCursor>,
    /// The contract predicates that are no functions of the state, in a program of the kind asked about last.
    pub(super) impure: Option<(Stamp, DomainKind, Conditions)>,
    /// The sources outside of states that rules read in searches, and the program as it was after the last one.
    impurity: Option<(Stamp, ImpurityNotes)>,
    /// What code has cost, and brought, in searches of puzzles.
    pub(super) spent: Spent,
    /// How states are represented, by the starts that were looked at.
    pub(super) represented: Vec<Looked>,
}

/// Data of the engines in a session.
#[derive(Default)]
pub(super) struct Engines {
    /// Their results in the running query.
    pub journal: Journal,
    /// How deep they run inside each other's rules.
    pub running: u32,
    /// Questions that code answered.
    pub by_code: u64,
    /// Time that rules may take for what is asked of them before a search.
    pub asking_time: Option<Duration>,
    /// What was found out about the program.
    pub memory: Memory,
    /// The start that goals without one get.
    pub start: Option<ChosenStart>,
    /// The base of solved states that is in use.
    pub base: Option<Box<OpenBase>>,
    /// Derived heuristics that are to be kept.
    pub heuristics: NewHeuristics,
}

/// A start in the place of the first initial state.
pub(super) struct ChosenStart {
    pub state: Record,
    /// Who is to move, in a game.
    pub player: Option<Record>,
}

/// Has goals that name no start begin in a state, in a game with a player to move.
pub fn choose_start(w: &mut World, state: Record, player: Option<Record>) {
    engines(w).start = Some(ChosenStart { state, player });
}

/// Data of the engines in a session.
pub(super) fn engines(w: &mut World) -> &mut Engines {
    w.slots.get_mut()
}

/// What was found out about the program.
pub(super) fn memory(w: &mut World) -> &mut Memory {
    &mut engines(w).memory
}

/// Time that rules may take for what is asked of them before a search, each question for itself:
/// its starts, who begins. `None`: as much as they like.
pub fn asking_time(w: &World) -> Option<Duration> {
    w.slots.get::<Engines>()?.asking_time
}

/// Sets [`asking_time`].
pub fn set_asking_time(w: &mut World, time: Option<Duration>) {
    engines(w).asking_time = time;
}

/// Runs a search and keeps the notes of the sources that its rules read. Notes of goals outside of searches count for
/// nothing, and neither do those about a program that has changed between searches.
pub(super) fn with_notes<T>(
    m: &mut Machine,
    w: &mut World,
    run: impl FnOnce(&mut Machine, &mut World) -> T,
) -> T {
    let before = stamp(m, w);
    memory(w).impurity.take_if(|(then, _)| *then != before);
    let outer = std::mem::take(&mut m.impurity);
    let result = run(m, w);
    let mut notes = std::mem::replace(&mut m.impurity, outer);
    m.impurity.join(notes);
    if let Some((_, known)) = memory(w).impurity {
        notes.join(known);
    }
    let after = stamp(m, w);
    memory(w).impurity = Some((after, notes));
    result
}

/// The sources that rules read in searches, the one that is running included.
pub(super) fn impurity_notes(m: &Machine, w: &mut World) -> ImpurityNotes {
    let engines = engines(w);
    let mut notes = engines.memory.impurity.map(|(_, notes)| notes).unwrap_or_default();
    if engines.running > 0 {
        notes.join(m.impurity);
    }
    notes
}

/// Questions that code answered in a session.
pub(super) fn by_code(w: &World) -> u64 {
    w.slots.get::<Engines>().map_or(0, |engines| engines.by_code)
}

/// Hands on how engines work to a session that begins anew.
pub(super) fn carry(from: &World, to: &mut World) {
    set_asking_time(to, asking_time(from));
    Specialise::set_in(from).set(to);
}

/// Forgets what was found out of states, but not the code that was made.
pub(super) fn forget_results(w: &mut World) {
    memory(w).games.iter_mut().for_each(GameMemory::forget_results);
}

/// Forgets everything.
pub(super) fn forget(w: &mut World) {
    // A query may be in the middle of them.
    let plans = std::mem::take(&mut memory(w).plans);
    *memory(w) = Memory { plans, ..Memory::default() };
}
