//! What a session may use, and what its rules may reach.
//!
//! [`Session::allow`] gives the next query or load its time, memory, inferences and output;
//! [`Session::sandbox`] closes the doors that lead outside, for rules of strangers. What
//! ends at a limit of time, inferences or output is a [`Fault::Stopped`] that rules can't
//! catch; at the limit of memory it is the standard's `resource_error(memory)`.
//!
//! ```
//! use zug_machine::{Fault, StopReason};
//! use zug_prolog::session::{Allowance, Session};
//!
//! let (mut session, _) = Session::captured(&[], "");
//! session.sandbox(std::path::Path::new("."));
//! session.allow(&Allowance { output: Some(100), ..Allowance::default() });
//! let mut query = session.query("repeat, write(again), fail").expect("it reads");
//! let end = session.next(&mut query);
//! assert!(matches!(end, Err(Fault::Stopped(StopReason::Output))));
//! session.close(query);
//! ```
//!
//! [`Fault::Stopped`]: zug_machine::Fault::Stopped

use super::Session;
use std::path::Path;
use std::time::{Duration, Instant};
use zug_files::Access;

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
    /// load rule files at or below `root` that are not hidden, wherever links lead. What they try nevertheless
    /// raises a `permission_error`. A program that embeds the session may still load any
    /// file by [`Session::load_file`].
    pub fn sandbox(&mut self, root: &Path) {
        self.world.enter_access(Access::sandbox(root));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_machine::{Fault, StopReason};

    fn outcome(session: &mut Session, goal: &str) -> Result<bool, Fault> {
        let mut query = session.query(goal).expect("it reads");
        let outcome = session.next(&mut query);
        session.close(query);
        outcome
    }

    #[test]
    fn a_goal_may_have_more_arguments_than_registers() {
        let mut session = Session::captured(&[], "").0;
        session.load_text("t", ":- dynamic f/1. :- table t/1. t(1).");
        let error = "error(representation_error(max_arity), _)";
        for goal in
            ["call(T)", "call(T, a)", "findall(x, T, _)", "G = (true, T), G", "maplist(T, [1])"]
        {
            let goal = format!("functor(T, g, 65536), catch(({goal}, T), {error}, true)");
            assert!(matches!(outcome(&mut session, &goal), Ok(true)), "{goal}");
        }
    }

    #[test]
    fn integers_without_end_are_counted_under_limits() {
        let mut session = Session::captured(&[], "").0;
        session
            .allow(&Allowance { time: Some(Duration::from_millis(200)), ..Allowance::default() });
        let found = outcome(&mut session, "X is 7**300000, between(X, inf, _), fail");
        assert!(matches!(found, Err(Fault::Stopped(StopReason::Time))));
    }

    /// Compounds of thousands of arguments are marked in parts.
    #[test]
    fn wide_compounds_outlive_collections() {
        let mut session = Session::captured(&[], "").0;
        session.allow(&Allowance { memory: Some(48 << 20), ..Allowance::default() });
        session.load_text(
            "t",
            "fill(0, _) :- !.
             fill(N, T) :- arg(N, T, g(N, [N, Y|Y])), M is N-1, fill(M, T).
             right(0, _) :- !.
             right(N, T) :- arg(N, T, g(N, [N, Y|Z])), var(Y), Y == Z, M is N-1, right(M, T).
             waste(0) :- !.
             waste(N) :- length(L, 100), L = [_|_], M is N-1, waste(M).",
        );
        let goal =
            "functor(T, f, 20000), arg(7, T, X), arg(8, T, X), functor(U, f, 5000), arg(5, T, U),
            arg(5, T, V), functor(W, h, 20000), fill(20000, W), waste(60000),
            right(20000, W), arg(8, T, Z), X == Z, V == U, functor(V, _, 5000),
            statistics(garbage_collection, [N|_]), N > 0";
        assert!(matches!(outcome(&mut session, goal), Ok(true)));
    }
}
