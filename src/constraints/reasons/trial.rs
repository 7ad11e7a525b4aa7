//! Constraints posted into a store of their own, and whether they can hold together.

use super::Reasons;
use crate::domain::{Domain, Small};
use crate::number::Bound;
use crate::predicates::post_of;
use crate::session::{Posted, Session};
use crate::store::{Step, Store, Var};
use zug_term::{Cell, watchdog};

/// Values that are tried to find out whether constraints can hold together.
const TRIED: u64 = 20_000;

/// Values of a variable that are tried where it has no end of them.
const SOME: i64 = 64;

/// The number of what is assumed: no constraint's.
pub(super) const ASSUMED: u32 = u32::MAX;

/// Whether constraints can hold together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They can.
    Holds,
    /// They can't: propagators say so, or all values that were tried.
    Fails,
    /// It was not found out.
    Open,
}

/// A value that a variable is assumed not to have.
#[derive(Clone)]
pub(super) struct Other {
    pub variable: Cell,
    pub value: Bound,
}

/// A store in which some constraints were posted.
pub(super) struct Trial {
    pub store: Store,
    /// Variables of terms in it.
    pub variables: Vec<(Cell, Var)>,
    /// They contradict each other, by what propagators find.
    pub failed: bool,
}

impl Trial {
    /// The variable of the store that a variable of a term has.
    pub fn var(&self, variable: Cell) -> Option<Var> {
        self.variables.iter().find(|&&(cell, _)| cell == variable).map(|&(_, var)| var)
    }

    /// Whether variables can have these values all together, by what propagators find.
    pub fn admits(&mut self, values: &[(Cell, Bound)]) -> bool {
        let mark = self.store.mark();
        let admits = !self.failed
            && values.iter().all(|(variable, value)| {
                self.var(*variable).is_none_or(|var| self.store.fix(var, value).is_ok())
            })
            && self.store.propagate().is_ok();
        self.store.undo_to(mark);
        admits
    }

    fn rule_out(&mut self, other: &Other) -> Step {
        // What is in no constraint may be anything.
        let Some(var) = self.var(other.variable) else { return Ok(()) };
        self.store.set_origin(ASSUMED);
        let done = self.store.remove(var, &other.value).and_then(|()| self.store.propagate());
        if done.is_err() {
            self.store.log_failure();
        }
        done
    }
}

impl Reasons<'_> {
    /// Posts some constraints into a store of their own, and then that a variable has another value, if one is
    /// given.
    pub fn trial(&mut self, which: &[usize], other: Option<&Other>, logged: bool) -> Trial {
        let mut store = Store::new();
        if logged {
            store.log_changes();
        }
        let (noted, terms) = (&self.noted, &self.terms);
        let (variables, failed) = self.m.scratch(|m| {
            let mut session = Session::beside(m, &mut store);
            let mut failed = false;
            for &number in which {
                watchdog::step();
                session.store.set_origin(number as u32);
                let posted = post_goal(&mut session, noted[number].goal)
                    .and_then(|()| Ok(session.store.propagate()?));
                if posted.is_err() {
                    session.store.log_failure();
                    failed = true;
                    break;
                }
            }
            // As the variables are outside: what is attached to them here goes with the scratch.
            let variables = terms.iter().filter_map(|&cell| Some((cell, session.known(cell)?)));
            (variables.collect::<Vec<_>>(), failed)
        });
        let mut trial = Trial { store, variables, failed };
        if let Some(other) = other.filter(|_| !failed) {
            trial.failed = trial.rule_out(other).is_err();
        }
        trial
    }

    /// Whether some constraints can hold together, with another value of a variable if one is given.
    pub fn verdict(&mut self, which: &[usize], other: Option<&Other>) -> Verdict {
        let mut trial = self.trial(which, other, false);
        if trial.failed {
            return Verdict::Fails;
        }
        let vars: Vec<Var> = trial.variables.iter().map(|&(_, var)| var).collect();
        let mut left = TRIED;
        search(&mut trial.store, &vars, &mut left)
    }
}

/// Posts a goal.
fn post_goal(session: &mut Session<'_>, goal: Cell) -> Posted {
    let Some((name, arity, at)) = session.m.heap.name_arity(goal) else { return Ok(()) };
    let args: Vec<Cell> =
        (0..arity).map(|i| session.m.heap.deref(session.m.heap.at(at + i))).collect();
    let name = session.m.symbols.name(name).to_owned();
    match post_of(&name, arity) {
        Some(post) => post(session, &args),
        None => Ok(()),
    }
}

/// Tries values: whether there is a solution.
fn search(store: &mut Store, vars: &[Var], left: &mut u64) -> Verdict {
    /// A variable whose values are tried, and where they were when it began.
    struct Level {
        var: Var,
        values: Vec<i64>,
        next: usize,
        mark: usize,
    }
    let next = |store: &Store| {
        let open = vars.iter().copied().filter(|&var| !store.is_fixed(var));
        open.min_by_key(|&var| store.domain(var).as_small().map_or(u64::MAX, Small::size))
    };
    let mut levels: Vec<Level> = Vec::new();
    // Not all values are tried.
    let mut is_open = false;
    let mut descend = true;
    loop {
        if descend {
            let Some(var) = next(store) else { return Verdict::Holds };
            let (values, are_all) = values_to_try(store.domain(var), *left);
            is_open |= !are_all;
            let mark = store.mark();
            levels.push(Level { var, values, next: 0, mark });
        }
        let Some(level) = levels.last_mut() else {
            return if is_open { Verdict::Open } else { Verdict::Fails };
        };
        let (var, mark) = (level.var, level.mark);
        store.undo_to(mark);
        store.mark();
        let Some(&value) = level.values.get(level.next) else {
            levels.pop();
            descend = false;
            continue;
        };
        level.next += 1;
        if *left == 0 {
            return Verdict::Open;
        }
        *left -= 1;
        watchdog::step();
        descend = store.fix_small(var, value).and_then(|()| store.propagate()).is_ok();
    }
}

/// Values of a domain, and whether they are all: of one that has no end, or more than `most` values, those at its least
/// end, or at its other one, or around 0.
fn values_to_try(domain: &Domain, most: u64) -> (Vec<i64>, bool) {
    let small = domain.as_small();
    if let Some(small) = small.filter(|small| small.size() <= most) {
        return (small.values().collect(), true);
    }
    let (low, high) = (domain.lo().small(), domain.hi().small());
    let from = match (low, high) {
        (Some(low), _) => low,
        (None, Some(high)) => high.saturating_sub(SOME - 1),
        (None, None) => -SOME / 2,
    };
    let values = (0..SOME).map(|offset| from.saturating_add(offset));
    (values.filter(|&value| domain.contains(&Bound::from(value))).collect(), false)
}
