//! Propagation of constraints, each inference with its explanation.
//!
//! - Sums: bounds (explanations are made when they are asked for, and weakened by what is to spare; T. Feydy,
//!   P. J. Stuckey, *Lazy clause generation reengineered*, CP 2009).
//! - Different values: a matching and strongly connected components (J.-C. Régin, *A filtering algorithm for constraints
//!   of difference in CSPs*, AAAI 1994), explained by Hall sets (K. Downing, T. Feydy, P. J. Stuckey, *Explaining
//!   alldifferent*, ACSC 2012).
//! - Tasks: the time table, explained at one point of time (A. Schutt, T. Feydy, P. J. Stuckey, M. G. Wallace,
//!   *Explaining the cumulative propagator*, Constraints 16, 2011).

use crate::atom::{Atom, HI, LO, VarId};
use crate::graph::Graph;
use crate::model::{Constraint, Task};
use crate::state::{Conflict, Place, Reason, State};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Propagates a constraint, by its number.
pub(crate) fn propagate(
    state: &mut State,
    constraint: &Constraint,
    number: u32,
) -> Result<(), Conflict> {
    match constraint {
        Constraint::AtMost(terms, bound) => sum(state, terms, *bound, number),
        Constraint::AllDifferent(vars) => different(state, vars, number),
        Constraint::Cumulative(tasks, capacity) => time_table(state, tasks, *capacity, number),
    }
}

/// The end of a variable's values at which a term of a sum is least.
fn end_of(by: i32) -> usize {
    if by > 0 { LO } else { HI }
}

/// The least value of a term of a sum.
fn least(state: &State, (by, var): (i32, VarId)) -> i64 {
    let value = if by > 0 { state.lo(var) } else { state.hi(var) };
    i64::from(by) * i64::from(value)
}

fn sum(state: &mut State, terms: &[(i32, VarId)], bound: i32, number: u32) -> Result<(), Conflict> {
    let total: i64 = terms.iter().map(|&term| least(state, term)).sum();
    let room = i64::from(bound) - total;
    if room < 0 {
        let place = state.trail.len() as Place;
        let premises = sum_premises(state, terms, place, None, -room - 1);
        return Err(Conflict::Constraint(premises, number));
    }
    for &(by, var) in terms {
        let width = i64::from(state.hi(var)) - i64::from(state.lo(var));
        if width * i64::from(by).abs() <= room {
            continue;
        }
        let by = i64::from(by);
        let more = room.div_euclid(by.abs()) as i32;
        let atom = if by > 0 {
            Atom::at_most(var, state.lo(var) + more)
        } else {
            Atom::at_least(var, state.hi(var) - more)
        };
        state.make(atom, Reason::Sum(number))?;
    }
    Ok(())
}

/// What a consequence of a sum, or its conflict, follows from: bounds of the other variables before a place of the trail,
/// weakened by what is to spare.
pub(crate) fn sum_premises(
    state: &State,
    terms: &[(i32, VarId)],
    place: Place,
    but: Option<VarId>,
    spare: i64,
) -> Vec<Atom> {
    let mut spare = spare;
    let others = terms.iter().filter(|&&(_, var)| Some(var) != but);
    let mut bounds: Vec<(i64, VarId, i64, i64)> = others
        .map(|&(by, var)| {
            let side = end_of(by);
            (by.into(), var, state.before(side, var, place).into(), state.first(side, var).into())
        })
        .collect();
    // Those that need not be told at all, then one that may be told weaker.
    for (by, _, bound, first) in &mut bounds {
        let cost = (*bound - *first) * *by;
        if cost <= spare {
            spare -= cost;
            *bound = *first;
        }
    }
    for (by, _, bound, first) in &mut bounds {
        if bound != first && by.abs() <= spare {
            let steps = spare / by.abs();
            *bound -= steps * by.signum();
            spare -= steps * by.abs();
        }
    }
    bounds
        .into_iter()
        .map(|(by, var, bound, _)| Atom::bound(if by > 0 { LO } else { HI }, var, bound as i32))
        .collect()
}

/// What an entry of the trail that a sum made follows from.
pub(crate) fn explain_sum(
    state: &State,
    terms: &[(i32, VarId)],
    bound: i32,
    atom: Atom,
    place: Place,
) -> Vec<Atom> {
    let mut total = 0;
    let mut own = 0;
    for &(by, var) in terms {
        if var == atom.var {
            // What the variable would be if the atom did not hold.
            own = i64::from(by) * i64::from(atom.negated().value);
        } else {
            total += i64::from(by) * i64::from(state.before(end_of(by), var, place));
        }
    }
    let spare = total + own - i64::from(bound) - 1;
    debug_assert!(spare >= 0, "the sum made it");
    sum_premises(state, terms, place, Some(atom.var), spare)
}

/// Values of variables that are all different up to which a matching is looked for.
const MATCHED: i64 = 20_000;

const NONE: usize = usize::MAX;

struct Matching<'m> {
    /// The values that each variable has, by their numbers.
    options: Vec<Vec<usize>>,
    values: Vec<i32>,
    value_of: Vec<usize>,
    var_of: Vec<usize>,
    vars: &'m [VarId],
}

fn different(state: &mut State, vars: &[VarId], number: u32) -> Result<(), Conflict> {
    let width = |&var: &VarId| i64::from(state.hi(var)) - i64::from(state.lo(var)) + 1;
    if vars.len() == 2 || vars.iter().map(width).sum::<i64>() > MATCHED {
        return apart(state, vars, number);
    }
    let mut matching = Matching::of(state, vars);
    if let Err(hall) = matching.complete() {
        let premises = matching.hall_premises(state, &hall);
        return Err(Conflict::Constraint(premises, number));
    }
    let graph = matching.graph();
    let mut told: FxHashMap<usize, Rc<[Atom]>> = FxHashMap::default();
    for (at, options) in matching.options.iter().enumerate() {
        for &value in options {
            let owner = matching.var_of[value];
            // A variable that can move to a value that nobody has gives its own away.
            let gives = |to: usize| graph.component(owner) == graph.component(to);
            if owner == at || owner == NONE || gives(at) || gives(vars.len()) {
                continue;
            }
            let premises = told.entry(owner).or_insert_with(|| {
                let hall = matching.reached(owner);
                matching.hall_premises(state, &hall).into()
            });
            let atom = Atom::not_equal(vars[at], matching.values[value]);
            state.tell(atom, premises, number)?;
        }
    }
    Ok(())
}

/// No other variable has the value of one that has only that.
fn apart(state: &mut State, vars: &[VarId], number: u32) -> Result<(), Conflict> {
    for &var in vars {
        if !state.is_fixed(var) {
            continue;
        }
        let value = state.lo(var);
        let premises: Rc<[Atom]> = [Atom::at_least(var, value), Atom::at_most(var, value)].into();
        for &other in vars {
            if other != var {
                state.tell(Atom::not_equal(other, value), &premises, number)?;
            }
        }
    }
    Ok(())
}

impl<'m> Matching<'m> {
    fn of(state: &State, vars: &'m [VarId]) -> Self {
        let mut numbers: FxHashMap<i32, usize> = FxHashMap::default();
        let mut values = Vec::new();
        let options = vars
            .iter()
            .map(|&var| {
                (state.lo(var)..=state.hi(var))
                    .filter(|&value| state.contains(var, value))
                    .map(|value| {
                        *numbers.entry(value).or_insert_with(|| {
                            values.push(value);
                            values.len() - 1
                        })
                    })
                    .collect()
            })
            .collect();
        let (value_of, var_of) = (vec![NONE; vars.len()], vec![NONE; values.len()]);
        Matching { options, values, value_of, var_of, vars }
    }

    /// Gives each variable a value of its own, or else finds variables that have fewer values together than they are.
    fn complete(&mut self) -> Result<(), Vec<usize>> {
        for at in 0..self.options.len() {
            if let Some(&free) = self.options[at].iter().find(|&&v| self.var_of[v] == NONE) {
                (self.value_of[at], self.var_of[free]) = (free, at);
            }
        }
        for at in 0..self.options.len() {
            if self.value_of[at] != NONE {
                continue;
            }
            self.augment(at)?;
        }
        Ok(())
    }

    /// Breadth first along alternating paths from a variable without value.
    fn augment(&mut self, root: usize) -> Result<(), Vec<usize>> {
        let mut queue = vec![root];
        // By which variable each value was reached.
        let mut from = vec![NONE; self.values.len()];
        let mut head = 0;
        while head < queue.len() {
            let at = queue[head];
            head += 1;
            for &value in &self.options[at] {
                if from[value] != NONE {
                    continue;
                }
                from[value] = at;
                let owner = self.var_of[value];
                if owner != NONE {
                    queue.push(owner);
                    continue;
                }
                let mut value = value;
                loop {
                    let taker = from[value];
                    let before = std::mem::replace(&mut self.value_of[taker], value);
                    self.var_of[value] = taker;
                    if taker == root {
                        return Ok(());
                    }
                    value = before;
                }
            }
        }
        Err(queue)
    }

    /// The variables that have to move where one does.
    fn reached(&self, root: usize) -> Vec<usize> {
        let mut seen = vec![false; self.vars.len()];
        let mut queue = vec![root];
        seen[root] = true;
        let mut head = 0;
        while head < queue.len() {
            for &value in &self.options[queue[head]] {
                let owner = self.var_of[value];
                if owner != NONE && !seen[owner] {
                    seen[owner] = true;
                    queue.push(owner);
                }
            }
            head += 1;
        }
        queue
    }

    /// That variables have no other values than those that they have together.
    fn hall_premises(&self, state: &State, hall: &[usize]) -> Vec<Atom> {
        let mut all: Vec<i32> = hall
            .iter()
            .flat_map(|&at| self.options[at].iter().map(|&value| self.values[value]))
            .collect();
        all.sort_unstable();
        all.dedup();
        let (Some(&lo), Some(&hi)) = (all.first(), all.last()) else { return Vec::new() };
        let missing: Vec<i32> =
            (lo..=hi).filter(|value| all.binary_search(value).is_err()).collect();
        let mut premises = Vec::new();
        for &at in hall {
            let var = self.vars[at];
            // One bound is all that is needed where there are no others; both are, for the union of all to be known.
            premises.extend([Atom::at_least(var, lo), Atom::at_most(var, hi)]);
            premises.extend(missing.iter().map(|&value| Atom::not_equal(var, value)));
        }
        debug_assert!(premises.iter().all(|&atom| state.holds(atom)));
        premises
    }

    /// The graph of variables, with an edge to each that has a value which one can have, and one node more for all values
    /// that nobody has, which reaches all variables; with its components.
    fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        let free = self.vars.len() as u32;
        for (at, options) in self.options.iter().enumerate() {
            for &value in options {
                match self.var_of[value] {
                    NONE => graph.edge(free),
                    owner if owner == at => {}
                    owner => graph.edge(owner as u32),
                }
            }
            graph.end_node();
        }
        (0..free).for_each(|at| graph.edge(at));
        graph.end_node();
        graph.find_components();
        graph
    }
}

/// The time in which a task runs whatever its start, if there is any.
fn compulsory(state: &State, task: &Task) -> Option<(i64, i64)> {
    let (from, to) = (
        i64::from(state.hi(task.start)),
        i64::from(state.lo(task.start)) + i64::from(task.duration),
    );
    (from < to).then_some((from, to))
}

fn time_table(
    state: &mut State,
    tasks: &[Task],
    capacity: i32,
    number: u32,
) -> Result<(), Conflict> {
    let capacity = i64::from(capacity);
    let mut events: Vec<(i64, i64)> = Vec::new();
    for task in tasks {
        if let Some((from, to)) = compulsory(state, task) {
            events.extend([(from, i64::from(task.usage)), (to, -i64::from(task.usage))]);
        }
    }
    events.sort_unstable();
    // Intervals with what is used in them.
    let mut profile: Vec<(i64, i64, i64)> = Vec::new();
    let mut height = 0;
    for (at, &(time, change)) in events.iter().enumerate() {
        height += change;
        let Some(&(end, _)) = events.get(at + 1) else { break };
        if end > time && height > 0 {
            profile.push((time, end, height));
        }
    }
    for &(time, _, height) in &profile {
        if height > capacity {
            let premises = running(state, tasks, None, time, capacity + 1);
            return Err(Conflict::Constraint(premises, number));
        }
    }
    for (at, task) in tasks.iter().enumerate() {
        let usage = i64::from(task.usage);
        if state.is_fixed(task.start) {
            continue;
        }
        let own = compulsory(state, task);
        let too_high = |from: i64, height: i64| {
            let is_own = own.is_some_and(|(begin, end)| begin <= from && from < end);
            let others = if is_own { height - usage } else { height };
            others + usage > capacity
        };
        let duration = i64::from(task.duration);
        for &(from, to, height) in &profile {
            if !too_high(from, height) {
                continue;
            }
            loop {
                let start = i64::from(state.lo(task.start));
                let time = (to - 1).min(start + duration - 1);
                if start >= to || time < from {
                    break;
                }
                let mut premises = running(state, tasks, Some(at), time, capacity - usage + 1);
                premises.push(Atom::at_least(task.start, (time - duration + 1) as i32));
                let atom = Atom::at_least(task.start, (time + 1) as i32);
                state.tell(atom, &premises.into(), number)?;
            }
        }
        for &(from, to, height) in profile.iter().rev() {
            if !too_high(from, height) {
                continue;
            }
            loop {
                let start = i64::from(state.hi(task.start));
                let time = from.max(start);
                if start + duration <= from || time >= to {
                    break;
                }
                let mut premises = running(state, tasks, Some(at), time, capacity - usage + 1);
                premises.push(Atom::at_most(task.start, time as i32));
                let atom = Atom::at_most(task.start, (time - duration) as i32);
                state.tell(atom, &premises.into(), number)?;
            }
        }
    }
    Ok(())
}

/// That tasks run at a time which use so much together.
fn running(state: &State, tasks: &[Task], but: Option<usize>, time: i64, enough: i64) -> Vec<Atom> {
    let mut premises = Vec::new();
    let mut used = 0;
    for (at, task) in tasks.iter().enumerate() {
        if used >= enough {
            break;
        }
        let runs = compulsory(state, task).is_some_and(|(from, to)| from <= time && time < to);
        if Some(at) == but || !runs {
            continue;
        }
        used += i64::from(task.usage);
        premises.push(Atom::at_most(task.start, time as i32));
        premises.push(Atom::at_least(task.start, (time - i64::from(task.duration) + 1) as i32));
    }
    debug_assert!(used >= enough);
    premises
}
