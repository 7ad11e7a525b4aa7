//! Single inferences: what constraints rule out by themselves.

use super::flatzinc::Constraint;
use super::known::Known;

/// Values of a variable that are looked at one by one.
const MOST: i64 = 1 << 20;

/// Whether what is known can't be, by a constraint in the way that a label says.
pub(super) fn refutes(constraint: &Constraint, label: &str, known: &Known) -> Result<(), String> {
    let (is_refuted, takes) = match (constraint, label) {
        (Constraint::AtMost(terms, bound), "linear_bounds") => {
            (exceeds(terms, *bound, known), "the sum need not be above its bound")
        }
        (Constraint::AllDifferent(vars), "all_different") => {
            (lacks_values(vars, known), "the variables have values enough")
        }
        (Constraint::Cumulative(tasks, capacity), "time_table") => {
            (overloads(tasks, *capacity, known), "the tasks need not exceed the capacity")
        }
        _ => return Err(format!("the constraint is none for `{label}`")),
    };
    if is_refuted { Ok(()) } else { Err(takes.to_owned()) }
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

/// Whether tasks that must run at a time use too much together, or a task finds no time beside those that must.
fn overloads(tasks: &[(usize, i64, i64)], capacity: i64, known: &Known) -> bool {
    let compulsory = |&(start, duration, usage): &(usize, i64, i64)| {
        let (lo, hi) = known.range(start)?.finite()?;
        (hi < lo + duration).then_some((hi, lo + duration, usage))
    };
    let fixed: Vec<Option<(i64, i64, i64)>> = tasks.iter().map(compulsory).collect();
    let used = |time: i64, but: Option<usize>| -> i64 {
        let others = fixed.iter().enumerate().filter(|&(at, _)| Some(at) != but);
        let running = others.filter_map(|(_, part)| *part);
        running.filter(|&(from, to, _)| from <= time && time < to).map(|(_, _, usage)| usage).sum()
    };
    if fixed.iter().flatten().any(|&(from, _, _)| used(from, None) > capacity) {
        return true;
    }
    tasks.iter().enumerate().any(|(at, &(start, duration, usage))| {
        if usage > capacity && duration > 0 {
            return true;
        }
        let Some(range) = known.range(start) else { return false };
        let Some((lo, hi)) = range.finite() else { return false };
        // Only where some others must run can there be no time left.
        let others = fixed.iter().enumerate().filter(|&(other, _)| other != at);
        let parts: Vec<(i64, i64)> =
            others.filter_map(|(_, part)| part.map(|(from, to, _)| (from, to))).collect();
        let full: Vec<(i64, i64)> = parts
            .iter()
            .filter(|&&(from, _)| used(from, Some(at)) + usage > capacity)
            .map(|&(from, to)| {
                // The height stays until the next part ends.
                let ends = parts.iter().filter(|&&(begin, end)| begin <= from && from < end);
                (from, ends.map(|&(_, end)| end).min().unwrap_or(to))
            })
            .collect();
        !full.is_empty()
            && hi - lo < MOST
            && (lo..=hi)
                .filter(|time| !range.holes.contains(time))
                .all(|time| full.iter().any(|&(from, to)| from < time + duration && time < to))
    })
}
