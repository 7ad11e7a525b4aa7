//! Sums of projections: costs shared out among them.
//!
//! The first projection of an order takes of the cost of each operator what it needs for its distances, the
//! next ones make do with what is left (J. Seipp, T. Keller, M. Helmert, *Saturated Cost Partitioning for
//! Optimal Classical Planning*, JAIR 67, 2020). What they say then may be added up. Of several orders the
//! greatest sum counts. Such sums are consistent.

use super::kept::kept;
use super::operators::{Operators, Value};
use super::projection::{Distances, Keys, Projection};

/// A projection in an order: its number among the keys, and what it says.
type Part = (u32, Distances);

/// Tables of projections that are added up, in several ways.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partitions {
    keys: Vec<Keys>,
    orders: Vec<Vec<Part>>,
}

kept!(Partitions { keys, orders });

impl Partitions {
    /// What it costs at least to reach a goal; `None` if none can be reached.
    pub fn estimate(&self, state: &[Value]) -> Option<u32> {
        let mut keys = [None; MOST_PROJECTIONS];
        for (key, of) in keys.iter_mut().zip(&self.keys) {
            *key = of.of(state);
        }
        let mut greatest = 0;
        for order in &self.orders {
            let mut sum = 0;
            for (number, distances) in order {
                if let Some(key) = keys[*number as usize] {
                    sum += distances.of(key)?;
                }
            }
            greatest = greatest.max(sum);
        }
        Some(greatest)
    }

    /// Whether the coarser states of a state were met.
    pub fn knows(&self, state: &[Value]) -> bool {
        self.orders.iter().flatten().all(|(number, distances)| {
            let key = self.keys[*number as usize].of(state);
            key.is_some_and(|key| distances.has(key))
        })
    }

    /// The leaves that are known together, by projection.
    pub fn patterns(&self) -> impl Iterator<Item = Vec<u16>> {
        self.keys.iter().map(|keys| keys.leaves().collect())
    }

    /// How many ways there are to share the costs out.
    pub fn orders(&self) -> usize {
        self.orders.len()
    }
}

/// The most projections that are added up.
pub(crate) const MOST_PROJECTIONS: usize = 64;
/// The most orders.
const MOST_ORDERS: usize = 8;

/// Shares costs out among projections, so that sums say much of the samples, with no more work than so many
/// states and moves looked at.
pub(crate) fn partitions(
    puzzle: &Operators,
    projections: &[Projection],
    samples: &[&[Value]],
    mut work: usize,
) -> Partitions {
    let costs: Vec<u32> = puzzle.operators.iter().map(|operator| operator.cost).collect();
    let size: usize = projections.iter().map(Projection::size).sum();
    // What each says alone, and what it takes for that.
    let mut alone = Vec::with_capacity(projections.len());
    for projection in projections {
        let distances = projection.distances(&costs);
        let mut taken = 0u64;
        projection.saturate(&distances, |_, needed| taken += u64::from(needed));
        alone.push((projection.table(&distances), taken));
    }
    work = work.saturating_sub(size);
    let mut orders: Vec<Vec<Part>> = Vec::new();
    let mut best: Vec<u32> = vec![0; samples.len()];
    // States that are far from one another first.
    for at in spread(samples.len()) {
        let sample = samples[at];
        if orders.len() == MOST_ORDERS || (work < size && !orders.is_empty()) {
            break;
        }
        let mut order: Vec<(f64, usize)> = Vec::with_capacity(projections.len());
        for (number, (table, taken)) in alone.iter().enumerate() {
            let says = projections[number].says(table, sample);
            order.push((f64::from(says) / (1 + taken) as f64, number));
        }
        order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let parts = shared_out(&costs, projections, order.into_iter().map(|(_, number)| number));
        work = work.saturating_sub(size);
        let sums = samples.iter().map(|sample| {
            let says = |(number, table): &Part| projections[*number as usize].says(table, sample);
            parts.iter().map(says).sum::<u32>()
        });
        let sums: Vec<u32> = sums.collect();
        let says_more = sums.iter().zip(&best).any(|(sum, best)| sum > best);
        if !parts.is_empty() && (orders.is_empty() || says_more) {
            best.iter_mut().zip(sums).for_each(|(best, sum)| *best = (*best).max(sum));
            orders.push(parts);
        }
    }
    let keys = projections.iter().map(|projection| projection.keys.clone()).collect();
    compact(keys, orders)
}

/// Numbers below this, the halves first.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    let step = (count * 618 / 1000).max(1);
    let step = (step..).find(|&step| gcd(step, count.max(1)) == 1).unwrap_or(1);
    (0..count).map(move |number| number * step % count)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What projections say if each, in this order, takes what it needs of the costs.
fn shared_out(
    costs: &[u32],
    projections: &[Projection],
    order: impl Iterator<Item = usize>,
) -> Vec<Part> {
    let mut left = costs.to_vec();
    let mut parts = Vec::new();
    for number in order {
        let projection = &projections[number];
        let distances = projection.distances(&left);
        // One that says nothing but that there is no plan is useful.
        if distances.iter().all(|&distance| distance == 0) {
            continue;
        }
        projection.saturate(&distances, |operator, needed| {
            left[operator] = left[operator].saturating_sub(needed);
        });
        parts.push((number as u32, projection.table(&distances)));
    }
    parts
}

fn compact(keys: Vec<Keys>, mut orders: Vec<Vec<Part>>) -> Partitions {
    let mut numbers: Vec<u32> = orders.iter().flatten().map(|&(number, _)| number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for part in orders.iter_mut().flatten() {
        part.0 = numbers.binary_search(&part.0).unwrap_or(0) as u32;
    }
    let keys = keys.into_iter().enumerate();
    let keys = keys.filter(|(at, _)| numbers.binary_search(&(*at as u32)).is_ok());
    Partitions { keys: keys.map(|(_, keys)| keys).collect(), orders }
}
