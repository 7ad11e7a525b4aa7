//! Symmetry classes: all states that symmetry/2 leads to from one.

use crate::ask::{self, Arg, Asker};
use crate::contract::indicator::SYMMETRY;
use crate::error::{RuleError, Violation};
use zug_machine::{Machine, PredId};
use zug_state::{Codec, PackedState};
use zug_term::Cell;

/// The most states of one symmetry class.
const LARGEST_CLASS: usize = 400;

/// The states that a predicate of two arguments leads to from one, packed by `pack`.
///
/// # Errors
/// What the predicate raises, no state or too many.
pub(crate) fn images<S>(
    asker: Asker<'_>,
    symmetry: PredId,
    from: &[u8],
    mut pack: impl FnMut(&mut Machine, &mut Codec, Cell) -> Result<S, Violation>,
) -> Result<Vec<S>, Violation> {
    let mut images = Vec::new();
    ask::each(asker, symmetry, &[Arg::Packed(from), Arg::Out], |m, codec, [to]| {
        if m.heap.deref(to).is_var() {
            return Err(Violation::NoSuccessor);
        }
        if images.len() >= LARGEST_CLASS {
            return Err(Violation::TooManyMoves(LARGEST_CLASS));
        }
        images.push(pack(m, codec, to)?);
        Ok(true)
    })?;
    Ok(images)
}

/// All states that a state's images, and theirs, come to, the state itself first.
///
/// # Errors
/// What `images` says; a class that is too large to be one.
pub(crate) fn class_of<S: PackedState>(
    state: &S,
    mut images: impl FnMut(&S) -> Result<Vec<S>, Box<RuleError>>,
) -> Result<Vec<S>, Box<RuleError>> {
    let mut class = vec![state.clone()];
    let mut next = 0;
    while let Some(from) = class.get(next).cloned() {
        next += 1;
        if class.len() > LARGEST_CLASS {
            return Err(RuleError::new(Violation::LargeClass(LARGEST_CLASS), SYMMETRY));
        }
        for image in images(&from)? {
            if !class.contains(&image) {
                class.push(image);
            }
        }
    }
    Ok(class)
}

/// The state that stands for its class: the least by its bytes.
pub(crate) fn least<S: PackedState>(class: Vec<S>) -> Option<S> {
    class.into_iter().min_by(|a, b| a.bytes().cmp(b.bytes()))
}
