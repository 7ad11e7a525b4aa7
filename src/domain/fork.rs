//! Copies of a session's rules, for the other threads of a search.

use super::contract::DomainKind;
use super::memory::carry;
use super::purity::impurities;
use std::time::Duration;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::Limits;
use zug_term::watchdog::LimitScope;

/// Time that a thread may take to notice a limit by itself.
const GRACE: Duration = Duration::from_millis(250);

/// The rules of a session, to be asked by another thread.
pub(crate) struct ForkedRules {
    pub machine: Machine,
    pub world: World,
}

/// Copies of the rules for all threads but the one that searches: none where they are observed, or where their
/// answers depend on more than the state, which may change while others ask.
pub(crate) fn forked(
    m: &Machine,
    w: &World,
    kind: DomainKind,
    limits: &Limits,
) -> Vec<ForkedRules> {
    let observed = m.program.is_hooked() || w.is_traced(m) || !w.tracer.watches.is_empty();
    if limits.threads() < 2 || observed || !impurities(m, w, kind).is_empty() {
        return Vec::new();
    }
    let fork = |_| {
        let mut machine = m.fork();
        let mut world = w.fork(&mut machine.symbols);
        carry(w, &mut world);
        ForkedRules { machine, world }
    };
    (1..limits.threads()).map(fork).collect()
}

/// The limits of a machine, put in force for the thread that it runs in.
pub(crate) fn limits_of(m: &Machine) -> LimitScope {
    LimitScope::new(m.deadline, &m.interrupt, m.memory_limit).patient(GRACE)
}
