//! Session memory of the engines: a cache for each type of value, all emptied together.

use std::time::Duration;
use zug_code::Specialise;
use zug_machine::{ImpurityNotes, Machine};
use zug_prolog::builtins::{Slot, World};
use zug_term::Record;

/// The state of a program: equal as long as nothing changes that rules can see.
pub(super) type Stamp = (u64, usize, u64);

/// The state of the program.
pub(super) fn stamp(m: &Machine, w: &World) -> Stamp {
    (m.program.generation, m.program.clauses.len(), w.changes)
}

/// Data of the engines in a session.
#[derive(Default)]
pub(super) struct Engines {
    /// How deep they run inside each other's rules.
    pub running: u32,
    /// Questions that code answered.
    pub by_code: u64,
    /// Time that rules may take for what is asked of them before a search.
    pub asking_time: Option<Duration>,
    /// The start that goals without one get.
    pub start: Option<ChosenStart>,
    /// How often everything was [forgotten](forget).
    epoch: u64,
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

/// A value that is kept between queries.
#[derive(Default)]
struct Cached<T> {
    epoch: u64,
    value: T,
}

/// The cached value of a type, which is of one module; its default at first, and after [`forget`].
pub(super) fn cache<T: Slot + Default>(w: &mut World) -> &mut T {
    let epoch = engines(w).epoch;
    let cached: &mut Cached<T> = w.slots.get_mut();
    if cached.epoch != epoch {
        *cached = Cached { epoch, value: T::default() };
    }
    &mut cached.value
}

/// Forgets what is cached.
pub(super) fn forget(w: &mut World) {
    engines(w).epoch += 1;
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

/// The sources outside of states that rules read in searches, and the program as it was after the last one.
type Impurity = Option<(Stamp, ImpurityNotes)>;

/// Runs a search and keeps the notes of the sources that its rules read. Notes of goals outside of searches count for
/// nothing, and neither do those about a program that has changed between searches.
pub(super) fn with_notes<T>(
    m: &mut Machine,
    w: &mut World,
    run: impl FnOnce(&mut Machine, &mut World) -> T,
) -> T {
    let before = stamp(m, w);
    cache::<Impurity>(w).take_if(|(then, _)| *then != before);
    let outer = std::mem::take(&mut m.impurity);
    let result = run(m, w);
    let mut notes = std::mem::replace(&mut m.impurity, outer);
    m.impurity.join(notes);
    if let Some((_, known)) = *cache::<Impurity>(w) {
        notes.join(known);
    }
    *cache::<Impurity>(w) = Some((stamp(m, w), notes));
    result
}

/// The sources that rules read in searches, the one that is running included.
pub(super) fn impurity_notes(m: &Machine, w: &mut World) -> ImpurityNotes {
    let mut notes = cache::<Impurity>(w).map(|(_, notes)| notes).unwrap_or_default();
    if engines(w).running > 0 {
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
