//! Drawing under a time limit.

use std::time::{Duration, Instant};
use zug_machine::StopReason;
use zug_prolog::session::Session;

/// Time for drawing one state, or for looking at the initial ones; a quarter of the limit of time
/// where there is one, if that is less.
const TIME: Duration = Duration::from_secs(1);

/// Runs something for at most [`TIME`], within the time the session has anyway.
pub fn briefly<T>(session: &mut Session, run: impl FnOnce(&mut Session) -> T) -> T {
    let outer = session.machine.deadline;
    let own = Instant::now()
        + zug_domain::asking_time(&session.world).map_or(TIME, |time| TIME.min(time / 4));
    session.machine.deadline = Some(outer.map_or(own, |outer| outer.min(own)));
    let result = run(session);
    session.machine.deadline = outer;
    result
}

/// The state of a program ([`zug_machine::Program::generation`]) that took too long to draw one of
/// its states.
#[derive(Default)]
struct DrawsSlowly(Option<u64>);

/// Draws a state [`briefly`]. A program that takes too long for one is not asked again: a plan or a
/// tree has many.
pub(super) fn drawn<T>(session: &mut Session, draw: impl FnOnce(&mut Session) -> T) -> Option<T> {
    let generation = session.machine.program.generation;
    let slow = session.world.slots.get_mut::<DrawsSlowly>();
    if slow.0 == Some(generation) {
        return None;
    }
    briefly(session, |session| {
        let drawn = draw(session);
        if session.machine.stop_reason() == Some(StopReason::Time) {
            session.world.slots.put(DrawsSlowly(Some(generation)));
        }
        Some(drawn)
    })
}
