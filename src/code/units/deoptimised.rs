//! Deoptimisation: the machine handles a state, and code is made again, or dropped.

use super::unit::{At, State, Unit};
use super::{Asked, Units};
use crate::costs::WARM;
use crate::deopt::DeoptCause;
use crate::frame::Frame;
use crate::reason::Reason;
use crate::tally::Lost;
use zug_state::Codec;
use zug_symbolic::limits;

impl Units {
    #[cold]
    pub(crate) fn deoptimise(
        &mut self,
        at: At,
        why: DeoptCause,
        leaves: &[u8],
        codec: &Codec,
    ) -> Asked {
        self.cool();
        let Some(unit) = self.units.get_mut(at) else {
            return Asked::Machine;
        };
        let State::Ready(compiled) = &mut unit.state else { return Asked::Machine };
        compiled.kept_all = false;
        if Some(at.0) == self.value {
            self.epoch += 1;
        }
        unit.deopts += 1;
        let reason = match why {
            DeoptCause::Wide => Reason::plain("a leaf is of more than one byte"),
            DeoptCause::Leaves => {
                let what = codec.words(leaves, &mut self.frame.words).err();
                Reason::plain(&format!("a leaf is {}", what.unwrap_or("of another term")))
            }
            DeoptCause::Asked(Some(reason)) => compiled.reasons[reason as usize].clone(),
            DeoptCause::Asked(None) => {
                Reason::plain("a number is out of the range that code was made for")
            }
            DeoptCause::New => Reason { new_value: true, ..Reason::plain("a leaf is unbound") },
        };
        let is_mended = reason.new_value && unit.tries < limits::REMADE;
        self.counts.lost(at.0, if is_mended { Lost::News } else { Lost::Reason(&reason) });
        match reason.new_value {
            true => unit.met_new(reason, leaves, codec, &mut self.frame),
            false => unit.weigh(reason),
        }
        Asked::Machine
    }
}

impl Unit {
    /// Code lacked a value.
    #[cold]
    fn met_new(&mut self, reason: Reason, leaves: &[u8], codec: &Codec, frame: &mut Frame) {
        self.see(leaves, codec, frame);
        self.news += 1;
        if self.tries >= limits::REMADE {
            let what = format!("{}, and code was made {} times", reason.what, limits::REMADE);
            self.weigh(Reason { what, new_value: false, ..reason });
        } else if self.news >= 4 << (2 * self.tries) {
            self.state = State::Cold;
            self.asked = WARM - 1;
            self.news = 0;
            (self.needed, self.taken, self.progress) = (0, 0, None);
        }
    }

    /// Drops code that does not do its work.
    pub(crate) fn weigh(&mut self, reason: Reason) {
        if self.deopts >= 64 && self.deopts * 2 > self.runs {
            self.state = State::Machine(reason);
        } else {
            self.last_deopt = Some(reason);
        }
    }
}
