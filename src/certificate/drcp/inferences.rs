//! Single inferences: what constraints rule out by themselves.

use super::ensure;
use super::flatzinc::Constraint;
use super::known::Known;

/// Whether what is known can't be, by a constraint in the way that a label says. `step` is called for each task and may unwind.
pub(super) fn refutes(
    constraint: &Constraint,
    label: &str,
    known: &Known,
    step: &mut dyn FnMut(),
) -> Result<(), String> {
    let (is_refuted, takes) = match (constraint, label) {
        (Constraint::AtMost(terms, bound), "linear_bounds") => {
            (exceeds(terms, *bound, known), "the sum need not be above its bound")
        }
        (Constraint::AllDifferent(vars), "all_different") => {
            (lacks_values(vars, known), "the variables have values enough")
        }
        (Constraint::Cumulative(tasks, capacity), "time_table") => {
            (overloads(tasks, *capacity, known, step), "the tasks need not exceed the capacity")
        }
        _ => return Err(format!("the constraint is none for `{label}`")),
    };
    ensure(is_refuted, takes)
}

/// Whether a sum is above its bound whatever the values.
fn exceeds(terms: &[(i64, usize)], bound: i64, known: &Known) -> bool {
    let mut sum: i128 = 0;
    for &(by, var) in terms {
        let range = known.range(var);
        let least = if by > 0 {
            range.and_then(|range| range.lo)
        } else {
            range.and_then(|range| range.hi)
        };
        let Some(least) = least else { return false };
        sum += i128::from(by) * i128::from(least);
    }
    sum > i128::from(bound)
}

/// Whether those of the variables that have bounds have fewer values together than they are.
fn lacks_values(vars: &[usize], known: &Known) -> bool {
    let mut intervals = Vec::new();
    let mut count: i64 = 0;
    for &var in vars {
        let Some(range) = known.range(var) else { continue };
        let Some((mut lo, hi)) = range.finite() else { continue };
        count += 1;
        for &hole in range.holes.range(lo..=hi) {
            if lo < hole {
                intervals.push((lo, hole - 1));
            }
            lo = hole + 1;
        }
        if lo <= hi {
            intervals.push((lo, hi));
        }
    }
    intervals.sort_unstable();
    let (mut size, mut end) = (0, i64::MIN);
    for (lo, hi) in intervals {
        let lo = lo.max(end.saturating_add(1));
        if lo <= hi {
            size += hi - lo + 1;
            end = hi;
        }
    }
    size < count
}

/// A time from which on until another one tasks that must run use so much together.
struct Height {
    from: i64,
    to: i64,
    usage: i64,
}

/// What the tasks that must run use, by time: the events at which one begins or ends, swept once.
fn profile(parts: &[Option<(i64, i64, i64)>], step: &mut dyn FnMut()) -> Vec<Height> {
    let mut events: Vec<(i64, i64)> = Vec::with_capacity(2 * parts.len());
    for &(from, to, usage) in parts.iter().flatten() {
        events.extend([(from, usage), (to, -usage)]);
    }
    events.sort_unstable();
    let mut heights: Vec<Height> = Vec::with_capacity(events.len());
    let mut usage = 0;
    for pair in events.chunk_by(|one, other| one.0 == other.0) {
        step();
        let from = pair[0].0;
        if let Some(before) = heights.last_mut() {
            before.to = from;
        }
        usage += pair.iter().map(|&(_, more)| more).sum::<i64>();
        heights.push(Height { from, to: from, usage });
    }
    // After the last event nothing runs.
    heights.pop();
    heights
}

/// Whether tasks that must run at a time use too much together, or a task finds no time beside those that must.
fn overloads(
    tasks: &[(usize, i64, i64)],
    capacity: i64,
    known: &Known,
    step: &mut dyn FnMut(),
) -> bool {
    let compulsory = |&(start, duration, usage): &(usize, i64, i64)| {
        let (lo, hi) = known.range(start)?.finite()?;
        (hi < lo + duration).then_some((hi, lo + duration, usage))
    };
    let parts: Vec<Option<(i64, i64, i64)>> = tasks.iter().map(compulsory).collect();
    let heights = profile(&parts, step);
    let highest = heights.iter().map(|height| height.usage).max().unwrap_or(0);
    if highest > capacity {
        return true;
    }
    tasks.iter().zip(&parts).any(|(&(start, duration, usage), part)| {
        step();
        if duration < 1 || usage < 1 {
            return false;
        }
        if usage > capacity {
            return true;
        }
        if highest + usage <= capacity {
            return false;
        }
        let Some(range) = known.range(start) else { return false };
        let Some((lo, hi)) = range.finite() else { return false };
        // The first start that is not ruled out yet.
        let mut open = lo;
        for height in &heights[heights.partition_point(|height| height.to <= lo)..] {
            step();
            while open <= hi && range.holes.contains(&open) {
                open += 1;
            }
            if open > hi || open + duration <= height.from {
                break;
            }
            let own = match *part {
                Some((from, to, _)) if from <= height.from && height.to <= to => usage,
                _ => 0,
            };
            if height.usage - own + usage > capacity {
                open = open.max(height.to);
            }
        }
        while open <= hi && range.holes.contains(&open) {
            open += 1;
        }
        open > hi
    })
}

#[cfg(test)]
mod tests {
    use super::super::known::{Atom, Relation};
    use super::*;
    use zug_random::Random;

    /// Whether no starts among those that are known keep the capacity, by trying each for one task beside those parts that
    /// the others must have.
    fn by_trying(tasks: &[(usize, i64, i64)], capacity: i64, starts: &[Vec<i64>]) -> bool {
        let part = |at: usize, time: i64| {
            let (_, duration, usage) = tasks[at];
            let runs = |&start: &i64| start <= time && time < start + duration;
            // The part lies between the latest start and the earliest end.
            let (lo, hi) = (starts[at][0], starts[at][starts[at].len() - 1]);
            if runs(&lo) && runs(&hi) { usage } else { 0 }
        };
        let count = tasks.len();
        let used = |time: i64, but: usize| -> i64 {
            (0..count).filter(|&at| at != but).map(|at| part(at, time)).sum()
        };
        if (-20..20).any(|time| used(time, count) > capacity) {
            return true;
        }
        (0..count).any(|at| {
            let (_, duration, usage) = tasks[at];
            starts[at].iter().all(|&start| {
                (start..start + duration).any(|time| used(time, at) + usage > capacity)
            })
        })
    }

    #[test]
    fn the_time_table_is_that_of_trying_all_times() {
        let mut random = Random::new(3);
        let mut below = |count: u64| random.below(count) as i64;
        let mut seen = [0, 0];
        for round in 0..4000 {
            let count = 1 + below(4) as usize;
            let tasks: Vec<(usize, i64, i64)> =
                (0..count).map(|at| (at, 1 + below(5), 1 + below(3))).collect();
            let capacity = 2 + below(3);
            let mut known = Known::default();
            let mut starts = Vec::new();
            for at in 0..count {
                let lo = below(8) - 4;
                let hi = lo + below(5);
                let mut own: Vec<i64> = (lo..=hi).collect();
                for (relation, value) in [(Relation::AtLeast, lo), (Relation::AtMost, hi)] {
                    known.apply(Atom { var: at, relation, value });
                }
                if hi - lo > 2 && below(2) == 0 {
                    known.apply(Atom { var: at, relation: Relation::NotEqual, value: lo + 1 });
                    own.remove(1);
                }
                starts.push(own);
            }
            let expected = by_trying(&tasks, capacity, &starts);
            let found = overloads(&tasks, capacity, &known, &mut || {});
            assert_eq!(found, expected, "{round}: {tasks:?} {capacity} {starts:?}");
            seen[usize::from(found)] += 1;
        }
        assert!(seen[0] > 500 && seen[1] > 500, "{seen:?}");
    }

    #[test]
    fn steps_of_a_time_table_grow_with_the_tasks_and_not_with_their_pairs() {
        let steps = |count: usize| {
            let tasks: Vec<(usize, i64, i64)> = (0..count).map(|at| (at, 20, 1)).collect();
            let mut known = Known::default();
            for var in 0..count {
                for (relation, value) in [(Relation::AtLeast, 0), (Relation::AtMost, 9)] {
                    known.apply(Atom { var, relation, value });
                }
            }
            let mut steps = 0;
            assert!(overloads(&tasks, count as i64 - 1, &known, &mut || steps += 1));
            assert!(!overloads(&tasks, count as i64, &known, &mut || steps += 1));
            steps
        };
        assert!(steps(2000) <= 12 * steps(200).max(200));
    }
}
