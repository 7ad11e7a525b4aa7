//! What a session may use, and what its rules may reach.
//!
//! [`Session::allow`] gives the next query or load its time, memory, inferences and output;
//! [`Session::sandbox`] closes the doors that lead outside, for rules of strangers. What
//! ends at a limit of time, inferences or output is a [`Fault::Stopped`] that rules can't
//! catch; at the limit of memory it is the standard's `resource_error(memory)`.
//!
//! ```
//! use zug::machine::{Fault, StopReason};
//! use zug::session::{Allowance, Session};
//!
//! let (mut session, _) = Session::captured("");
//! session.sandbox(std::path::Path::new("."));
//! session.allow(&Allowance { output: Some(100), ..Allowance::default() });
//! let mut query = session.query("repeat, write(again), fail").expect("it reads");
//! let end = session.next(&mut query);
//! assert!(matches!(end, Err(Fault::Stopped(StopReason::Output))));
//! session.close(query);
//! ```
//!
//! [`Fault::Stopped`]: crate::machine::Fault::Stopped

use super::Session;
use crate::builtins::sandbox::Sandbox;
use std::path::Path;
use std::time::{Duration, Instant};

/// What a query or a load may use. `None`: as much as it likes; of memory, what the machine
/// had before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Wall-clock time from [`Session::allow`] on.
    pub time: Option<Duration>,
    /// Bytes that terms, stacks, program and captured output may take together.
    pub memory: Option<usize>,
    /// Calls.
    pub inferences: Option<u64>,
    /// Bytes that rules may write: to the standard streams and to files, together.
    pub output: Option<u64>,
}

impl Session {
    /// Gives the next query or load its limits, in the place of all those before, and
    /// starts its clock.
    pub fn allow(&mut self, allowance: &Allowance) {
        let m = &mut self.machine;
        m.deadline = allowance.time.and_then(|time| Instant::now().checked_add(time));
        if let Some(memory) = allowance.memory {
            m.set_memory_limit(memory);
        }
        m.inference_limit = u64::MAX;
        if let Some(inferences) = allowance.inferences {
            m.limit_inferences(inferences);
        }
        self.world.streams.limit_output(allowance.output);
    }

    /// Keeps rules from files, environment and processes from now on, except that they may
    /// load rule files at or below `root`, wherever links lead. What they try nevertheless
    /// raises a `permission_error`. A program that embeds the session may still load any
    /// file by [`Session::load_file`].
    pub fn sandbox(&mut self, root: &Path) {
        self.world.enter_sandbox(&self.machine, Sandbox::new(root));
    }
}
