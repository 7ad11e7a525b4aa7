//! Copies of a session's rules, for the other threads of a search.

use super::contract::DomainKind;
use super::memory::carry;
use super::purity::impurities;
use std::time::Duration;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::{Limits, Scope};
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
    if limits.threads() < 2 || why_alone(m, w, kind).is_some() {
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

/// Why a search asks rules by one thread alone, whatever is asked for.
pub fn why_alone(m: &Machine, w: &World, kind: DomainKind) -> Option<String> {
    if m.program.is_hooked() || w.is_traced(m) || !w.tracer.watches.is_empty() {
        return Some("its rules are watched".to_owned());
    }
    let impure = impurities(m, w, kind);
    let witness = impure.iter().find_map(|impurity| Some((impurity, impurity.witnesses.first()?)));
    witness.map(|(impurity, witness)| {
        let (predicate, goal) = (&impurity.predicate, &witness.goal);
        format!("what {predicate} says depends on more than the state, by {goal}")
    })
}

/// Has a copy do something within the limits of its machine, in any thread; `None` if one of them ended it, now or
/// before.
pub(crate) fn within_limits<T, R>(
    copy: &mut T,
    machine: impl Fn(&mut T) -> &mut Machine,
    work: impl FnOnce(&mut T) -> R,
) -> Option<R> {
    let m = machine(copy);
    if m.is_abandoned {
        return None;
    }
    let found = limits_of(m).within(|| work(copy)).ok();
    machine(copy).is_abandoned = found.is_none();
    found
}

/// The limits of a copy's machine, as [`Space::scope`](zug_search::Space::scope) has them.
pub(crate) fn scope(m: &Machine) -> Option<Scope> {
    if m.is_abandoned {
        return None;
    }
    let (deadline, interrupt, memory) = (m.deadline, m.interrupt.clone(), m.memory_limit);
    Some(Box::new(move |work| {
        LimitScope::new(deadline, &interrupt, memory).patient(GRACE).within(work).is_ok()
    }))
}

/// The limits of a machine, put in force for the thread that it runs in.
pub(crate) fn limits_of(m: &Machine) -> LimitScope {
    LimitScope::new(m.deadline, &m.interrupt, m.memory_limit).patient(GRACE)
}

#[cfg(test)]
mod tests {
    use super::within_limits;
    use std::sync::atomic::Ordering::Relaxed;
    use std::time::{Duration, Instant};
    use zug_machine::Machine;
    use zug_term::watchdog;

    #[test]
    fn a_copy_that_a_limit_ended_is_asked_no_more() {
        let mut machine = Machine::new();
        assert_eq!(within_limits(&mut machine, |machine| machine, |_| true), Some(true));
        machine.interrupt.store(true, Relaxed);
        let began = Instant::now();
        let endless = |_: &mut Machine| -> bool {
            while began.elapsed() < Duration::from_secs(60) {
                watchdog::step();
            }
            true
        };
        assert_eq!(within_limits(&mut machine, |machine| machine, endless), None);
        machine.interrupt.store(false, Relaxed);
        let asked = within_limits(&mut machine, |machine| machine, |_| true);
        assert_eq!(asked, None);
    }
}
