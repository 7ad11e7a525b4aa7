//! Text that grows within the limits: of a term that was written, however large it is.
//!
//! A term of a few cells may be written as gigabytes, since subterms may be shared. The
//! writer stops at the memory the rules have, when their time is over, and beyond what may be
//! put out.

use super::OrFault;
use std::fmt;
use zug_machine::{Fault, Machine, StopReason};
use zug_syntax::floor_char_boundary;

/// Bytes between two polls of the clock.
const STEP: usize = 1 << 14;
/// Writes between two polls of the clock.
const WRITES: u32 = 1 << 12;

/// Text that was written, and the fault that truncated it.
pub struct Written {
    /// The text, or its beginning.
    pub text: String,
    /// What truncated it; beyond the number of bytes asked for the limit of output.
    pub fault: Option<Fault>,
}

impl Written {
    /// The whole text.
    pub fn whole(self) -> OrFault<String> {
        self.fault.map_or(Ok(self.text), Err)
    }
}

struct Bounded<'m> {
    machine: &'m Machine,
    text: String,
    room: usize,
    most: usize,
    look_at: usize,
    writes: u32,
    /// Why it was truncated: a limit, or there was no room.
    ended: Option<Option<StopReason>>,
}

impl Bounded<'_> {
    fn end(&mut self, ended: Option<StopReason>) -> fmt::Result {
        self.ended = Some(ended);
        Err(fmt::Error)
    }
}

impl fmt::Write for Bounded<'_> {
    /// Nothing to write is a chance to stop.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let length = self.text.len() + text.len();
        self.writes += 1;
        if text.is_empty() || length >= self.look_at || self.writes >= WRITES {
            self.look_at = length + STEP;
            self.writes = 0;
            if let Some(reason) = self.machine.stop_reason() {
                return self.end(Some(reason));
            }
        }
        if length > self.room {
            return self.end(None);
        }
        if length > self.most {
            let may = floor_char_boundary(text, self.most - self.text.len());
            self.text.push_str(&text[..may]);
            return self.end(Some(StopReason::Output));
        }
        self.text.push_str(text);
        Ok(())
    }
}

impl<'m> Bounded<'m> {
    fn new(machine: &'m Machine, most: usize) -> Bounded<'m> {
        Bounded {
            room: machine.room(),
            machine,
            text: String::new(),
            most,
            look_at: STEP,
            writes: 0,
            ended: None,
        }
    }
}

/// What `write` writes, as far as the machine's limits let it, and at most N bytes.
pub fn written(
    machine: &mut Machine,
    most: usize,
    write: impl FnOnce(&Machine, &mut dyn fmt::Write) -> fmt::Result,
) -> Written {
    let mut out = Bounded::new(machine, most);
    // The only error is that of the limits.
    let _ = write(out.machine, &mut out);
    let Bounded { text, ended, .. } = out;
    let fault =
        ended.map(|ended| ended.map_or_else(|| machine.resource_error("memory"), Fault::Stopped));
    Written { text, fault }
}

/// As [`written`], of a machine that only looks on: the text, and whether it is whole.
pub fn beginning(
    machine: &Machine,
    most: usize,
    write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> (String, bool) {
    let mut out = Bounded::new(machine, most);
    let whole = write(&mut out).is_ok();
    (out.text, whole)
}
