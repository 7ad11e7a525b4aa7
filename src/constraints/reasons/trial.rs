//! Constraints posted into a store of their own, and whether they can hold together.

use super::Reasons;
use crate::domain::{Domain, Small};
use crate::number::{Bound, Number};
use crate::predicates::post_of;
use crate::session::{Posted, Refusal, Session};
use crate::shown::Var;
use crate::store::{Step, Store};
use zug_term::{Cell, watchdog};

/// Values that are tried to find out whether constraints can hold together.
const TRIED: u64 = 20_000;
/// Values that are tried to find a solution where there is no end of them.
const TRIED_NEAR: u64 = 4000;

/// How far from 0 values are tried where constraints have to know bounds.
const NARROW: i64 = 50;
/// How many values are tried of variables without bounds, when it is looked for a solution.
const NEAR: [u64; 4] = [1_000_000, 2000, 128, 16];

/// The number of what is assumed, that a variable has not some value: no constraint's.
pub(super) const ASSUMED: u32 = u32::MAX;

/// The number of a case, in which a variable has some value.
pub(super) const CASE: u32 = u32::MAX - 1;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
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

pub(super) struct Trial {
    pub store: Store,
    pub variables: Vec<(Cell, Var)>,
    /// They contradict each other, by what propagators find.
    pub failed: bool,
    /// Some were not posted, since they have to know bounds of their variables.
    is_partial: bool,
}

/// The variable of a store that a variable of a term has.
pub(super) fn var_of(variables: &[(Cell, Var)], variable: Cell) -> Option<Var> {
    variables.iter().find(|&&(cell, _)| cell == variable).map(|&(_, var)| var)
}

impl Trial {
    pub fn var(&self, variable: Cell) -> Option<Var> {
        var_of(&self.variables, variable)
    }

    fn vars(&self) -> Vec<Var> {
        self.variables.iter().map(|&(_, var)| var).collect()
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
        let mut store = Store::default();
        if logged {
            store.log_changes();
        }
        self.trial_in(store, which, other, None)
    }

    /// The same in a given store, after all variables have got a domain, if one is given.
    fn trial_in(
        &mut self,
        mut store: Store,
        which: &[usize],
        other: Option<&Other>,
        within: Option<&Domain>,
    ) -> Trial {
        let (noted, terms) = (&self.noted, &self.terms);
        let (variables, failed, is_partial) = self.m.scratch(|m| {
            let mut session = Session::beside(m, &mut store);
            let (mut failed, mut is_partial) = (false, false);
            if let Some(within) = within {
                for &cell in terms {
                    let var = session.variable(cell);
                    failed |= session.store.intersect(var, within).is_err();
                }
            }
            for &number in which {
                watchdog::step();
                session.store.set_origin(number as u32);
                let mut parts = noted[number].parts.iter();
                let posted = parts
                    .try_for_each(|&part| post_goal(&mut session, part))
                    .and_then(|()| Ok(session.store.propagate()?));
                match posted {
                    Ok(()) => {}
                    Err(Refusal::Fail) if session.store.was_too_large() => is_partial = true,
                    Err(Refusal::Fail) => {
                        session.store.log_failure();
                        failed = true;
                        break;
                    }
                    Err(Refusal::Fault(_)) => is_partial = true,
                }
            }
            // As the variables are outside: what is attached to them here goes with the scratch.
            let variables = terms.iter().filter_map(|&cell| Some((cell, session.known(cell)?)));
            (variables.collect::<Vec<_>>(), failed, is_partial)
        });
        let mut trial = Trial { store, variables, failed, is_partial };
        if let Some(other) = other.filter(|_| !failed) {
            trial.failed = trial.rule_out(other).is_err();
        }
        trial
    }

    /// Whether some constraints can hold together, with another value of a variable if one is given.
    pub fn verdict(&mut self, which: &[usize], other: Option<&Other>) -> Verdict {
        let (verdict, mut trial) = self.tried(which, other);
        if verdict == Verdict::Fails {
            return Verdict::Fails;
        }
        if trial.is_partial {
            return self.verdict_within(which, other);
        }
        match verdict == Verdict::Open && is_witnessed(&mut trial) {
            true => Verdict::Holds,
            false => verdict,
        }
    }

    /// Whether it is known that some constraints can't hold together: no solution is looked for where there is no end of
    /// values.
    pub fn fail(&mut self, which: &[usize], other: Option<&Other>) -> bool {
        self.tried(which, other).0 == Verdict::Fails
    }

    /// What comes of posting some constraints, and of trying all values.
    fn tried(&mut self, which: &[usize], other: Option<&Other>) -> (Verdict, Trial) {
        let mut trial = self.trial(which, other, false);
        if trial.failed || self.cycle(which).is_some() {
            return (Verdict::Fails, trial);
        }
        let vars = trial.vars();
        let mut left = TRIED;
        (search(&mut trial.store, &vars, &mut left), trial)
    }

    /// Whether there is a solution with few values next to 0; it is not found out that there is none.
    fn verdict_within(&mut self, which: &[usize], other: Option<&Other>) -> Verdict {
        let Some(within) = Domain::small(-NARROW, NARROW) else { return Verdict::Open };
        let mut trial = self.trial_in(Store::default(), which, other, Some(&within));
        let vars = trial.vars();
        let mut left = TRIED;
        let is_whole = !trial.failed && !trial.is_partial;
        match is_whole && search(&mut trial.store, &vars, &mut left) == Verdict::Holds {
            true => Verdict::Holds,
            false => Verdict::Open,
        }
    }
}

pub(super) fn post_goal(session: &mut Session<'_>, goal: Cell) -> Posted {
    let Some((name, args)) = session.named(goal) else { return Ok(()) };
    post_of(&name, args.len()).map_or(Ok(()), |post| post(session, &args))
}

/// Whether a solution is found among few values of the variables that have no bounds: those next to 0, or to a bound.
fn is_witnessed(trial: &mut Trial) -> bool {
    let vars = &trial.vars();
    let store = &mut trial.store;
    let mark = store.mark();
    let found = NEAR.iter().any(|&near| {
        store.undo_to(mark);
        store.mark();
        // What is far from 0 is tried at the one end that is nearest.
        let bounded = vars.iter().all(|&var| {
            if store.is_fixed(var)
                || store.domain(var).as_small().is_some_and(|small| small.size() <= near)
            {
                return true;
            }
            let window = window(store.domain(var), near);
            store.intersect(var, &window).and_then(|()| store.propagate()).is_ok()
        });
        let mut left = TRIED_NEAR;
        bounded && search(store, vars, &mut left) == Verdict::Holds
    });
    store.undo_to(mark);
    found
}

/// The values of a domain next to 0, or to the bound that is nearest to it.
fn window(domain: &Domain, near: u64) -> Domain {
    let (lo, hi) = (domain.lo(), domain.hi());
    let width = Bound::from(near as i64);
    let half = Bound::from(near as i64 / 2);
    let zero = Bound::int(0);
    let (from, to) = match (lo > zero, hi < zero) {
        (true, _) => (lo.clone(), lo.plus(&width)),
        (_, true) => (hi.minus(&width), hi.clone()),
        _ => (zero.minus(&half), zero.plus(&half)),
    };
    // Numbers of many words can't be tried one after the other.
    let window = Domain::interval(&from, &to).and_then(|window| domain.and(&window));
    match window {
        Some(window) if window.as_small().is_none() => {
            let end = if lo > zero { lo } else { hi };
            Domain::interval(&end, &end).unwrap_or(window)
        }
        Some(window) => window,
        None => domain.clone(),
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
    let next = |store: &Store| -> Result<Option<Var>, ()> {
        let open = vars.iter().copied().filter(|&var| !store.is_fixed(var));
        let best =
            open.min_by_key(|&var| store.domain(var).as_small().map_or(u64::MAX, Small::size));
        match best {
            Some(var) if store.domain(var).as_small().is_none() => Err(()),
            best => Ok(best),
        }
    };
    let mut levels: Vec<Level> = Vec::new();
    let mut is_open = false;
    let mut descend = true;
    loop {
        if descend {
            match next(store) {
                Ok(None) => return Verdict::Holds,
                Err(()) => {
                    // There is no end of values: whether one of them goes is not tried.
                    is_open = true;
                }
                Ok(Some(var)) => {
                    let small = store.domain(var).as_small().expect("it was looked at");
                    if small.size() > *left {
                        is_open = true;
                    } else {
                        let values = small.values().collect();
                        let mark = store.mark();
                        levels.push(Level { var, values, next: 0, mark });
                    }
                }
            }
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
        if is_open && descend || store.was_too_large() {
            return Verdict::Open;
        }
    }
}
