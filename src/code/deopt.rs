//! Runs of code on packed states, and causes of deoptimisation.

use super::backend::Backend;
use super::frame::{Frame, Narrow, Reply};
use zug_state::Codec;

/// Why the machine handles a state that code was to answer.
pub(crate) enum DeoptCause {
    /// A leaf is of more than one byte, for which there is no program.
    Wide,
    /// It can't work with its leaves.
    Leaves,
    /// A leaf is unbound that was not before.
    New,
    /// The program leaves it to the machine, with the number of the reason; `None` if a value is out of range.
    Asked(Option<u32>),
}

impl DeoptCause {
    pub fn of_leaves(code: &Backend) -> DeoptCause {
        if code.is_wide() { DeoptCause::Leaves } else { DeoptCause::Wide }
    }
}

/// Runs code on a state with leaves at `before`: its reply, and whether it is narrow.
pub(super) fn run_on(
    code: &mut Backend,
    state: &[u8],
    before: usize,
    (frame, room): (&mut Frame, &mut Vec<u8>),
    codec: &Codec,
) -> Result<(Reply, bool), DeoptCause> {
    let leaves = &state[before..];
    match code.load(leaves, frame, codec) {
        None => return Err(DeoptCause::of_leaves(code)),
        Some(false) => return Ok((code.run(None, frame), false)),
        Some(true) => {}
    }
    room.clear();
    room.extend_from_slice(state);
    room.resize(state.len().max(8 * code.words()), 0);
    Ok((code.run(Some(Narrow { room, leaves }), frame), true))
}
