//! In which order leaves are asked.
//!
//! Diagrams are small where what has to do with one another is asked together. The order of the state is mostly
//! such; where another one brings parts of operators and conditions much nearer to one another, it is taken.
//! Leaves move to the centre of what they have to do with, until nothing gets nearer (F. Aloul, I. Markov, K.
//! Sakallah, *FORCE: A Fast and Easy-To-Implement Variable-Ordering Heuristic*, GLSVLSI 2003).

use super::Side;
use std::collections::BTreeSet;
use zug_derived::{Condition, Leaf, Operators, Source};

/// Rounds of moving leaves.
const ROUNDS: usize = 60;
/// Leaves of which more have to do with one another say nothing.
const MOST_TOGETHER: usize = 24;
/// The order of the state stays unless another one brings leaves nearer by this factor, in percent.
const WORTH: u64 = 80;

pub fn of(sides: &[Side<'_>], leaves: usize) -> Vec<Leaf> {
    let natural: Vec<Leaf> = (0..leaves as Leaf).collect();
    let mut together = BTreeSet::new();
    for side in sides {
        [Some(side.moves), side.over]
            .into_iter()
            .flatten()
            .for_each(|of| groups(of, &mut together));
    }
    let together: Vec<Vec<Leaf>> = together.into_iter().collect();
    let (mut best, before) = (natural.clone(), span(&natural, &together));
    let (mut least, mut order) = (before, natural.clone());
    for _ in 0..ROUNDS {
        let place = places(&order);
        let mut sums = vec![(0.0, 0.0); leaves];
        for group in &together {
            let centre = group.iter().map(|&leaf| place[usize::from(leaf)] as f64).sum::<f64>();
            let centre = centre / group.len() as f64;
            for &leaf in group {
                let (sum, count) = &mut sums[usize::from(leaf)];
                (*sum, *count) = (*sum + centre, *count + 1.0);
            }
        }
        let at = |leaf: Leaf| {
            let (sum, count) = sums[usize::from(leaf)];
            if count > 0.0 { sum / count } else { place[usize::from(leaf)] as f64 }
        };
        let mut next = order.clone();
        next.sort_by(|&one, &other| at(one).total_cmp(&at(other)).then(one.cmp(&other)));
        if next == order {
            break;
        }
        order = next;
        let now = span(&order, &together);
        if now < least {
            (least, best) = (now, order.clone());
        }
    }
    if least * 100 < before * WORTH { best } else { natural }
}

fn places(order: &[Leaf]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &leaf)| places[usize::from(leaf)] = at);
    places
}

/// How far what belongs together lies apart, in sum.
fn span(order: &[Leaf], together: &[Vec<Leaf>]) -> u64 {
    let place = places(order);
    let apart = |group: &Vec<Leaf>| {
        let of = group.iter().map(|&leaf| place[usize::from(leaf)]);
        (of.clone().max().unwrap_or(0) - of.min().unwrap_or(0)) as u64
    };
    together.iter().map(apart).sum()
}

/// Leaves that operators and conditions ask and change together.
fn groups(of: &Operators, together: &mut BTreeSet<Vec<Leaf>>) {
    let mut about: Vec<Option<BTreeSet<Leaf>>> = Vec::with_capacity(of.conditions.len());
    for condition in &of.conditions {
        let leaves = match condition {
            Condition::Unknown => None,
            Condition::In(leaf, _) => Some(BTreeSet::from([*leaf])),
            Condition::Table(table) => Some(table.leaves.iter().copied().collect()),
            Condition::All(parts) | Condition::Any(parts) => {
                let parts = parts.iter().map(|&part| about[part as usize].as_ref());
                parts
                    .collect::<Option<Vec<_>>>()
                    .map(|parts| parts.into_iter().flatten().copied().collect())
            }
        };
        let leaves: Option<BTreeSet<Leaf>> = leaves.filter(|all| all.len() <= MOST_TOGETHER);
        together.extend(
            leaves
                .iter()
                .filter(|all| all.len() > 1)
                .map(|all| all.iter().copied().collect::<Vec<Leaf>>()),
        );
        about.push(leaves);
    }
    for operator in &of.operators {
        let mut all: BTreeSet<Leaf> =
            about[operator.condition as usize].clone().unwrap_or_default();
        for (leaf, source) in &operator.writes {
            all.insert(*leaf);
            match source {
                Source::Leaf(from) => drop(all.insert(*from)),
                Source::Table(table) => all.extend(table.leaves.iter()),
                Source::Unknown | Source::Value(_) | Source::Cases(_) => {}
            }
        }
        if all.len() > 1 && all.len() <= MOST_TOGETHER {
            together.insert(all.into_iter().collect());
        }
    }
}
