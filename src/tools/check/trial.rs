//! How much trying rules out may take: counts, so that what is found is the same on every machine
//! however busy it is. A limit of time that the user gives (`--time`) holds in addition.

use std::time::{Duration, Instant};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_prolog::session::Session;
use zug_term::watchdog;

/// Inferences that the answers of one question may take.
pub(super) const QUESTION: u64 = 3_000_000;
/// Inferences after which no more states behind a start are looked at.
pub(super) const STATES: u64 = 1_000_000;
/// Steps of work other than inferences that one question may take: see [`watchdog`].
const STEPS: u64 = 1 << 27;

/// The limits in force before rules are tried out, and what a question may take.
pub(super) struct Allowance {
    inferences: u64,
    deadline: Option<Instant>,
    /// The time that the user gives each question.
    time: Option<Duration>,
}

impl Allowance {
    pub(super) fn new(m: &Machine, w: &World) -> Allowance {
        Allowance {
            inferences: m.inference_limit,
            deadline: m.deadline,
            time: zug_domain::asking_time(w),
        }
    }

    /// Puts the limits of a question in force; those of steps while the result lives.
    #[must_use]
    pub(super) fn question(&self, m: &mut Machine) -> watchdog::StepBudget {
        self.work(m, QUESTION)
    }

    /// As [`Allowance::question`], with N inferences.
    #[must_use]
    pub(super) fn work(&self, m: &mut Machine, inferences: u64) -> watchdog::StepBudget {
        m.inference_limit = self.inferences;
        m.limit_inferences(inferences);
        let own = self.time.and_then(|time| Instant::now().checked_add(time));
        m.deadline = self.deadline.into_iter().chain(own).min();
        watchdog::StepBudget::new(STEPS)
    }

    /// The answer to a question, with its limits in force.
    pub(super) fn ask<T>(
        &self,
        session: &mut Session,
        question: impl FnOnce(&mut Session) -> T,
    ) -> T {
        let _work = self.question(&mut session.machine);
        let answer = question(session);
        self.end(&mut session.machine);
        answer
    }

    /// Puts the limits back that were in force before.
    pub(super) fn end(&self, m: &mut Machine) {
        m.inference_limit = self.inferences;
        m.deadline = self.deadline;
    }

    /// The deadline from outside is over.
    pub(super) fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
