//! Which leaves projections know together.
//!
//! All that have to do with the goal, if the puzzle is small. Else first every leaf by itself that has to do
//! with the goal, then what belongs together: leaves of which exactly one has a value at a time, and pairs of
//! which one is asked or copied where the other changes (F. Pommerening, G. Röger, M. Helmert, *Getting the
//! Most Out of Pattern Databases for Classical Planning*, IJCAI 2013). What says most of the samples then
//! grows, leaf by leaf, as long as that says more than both say by themselves (P. Haslum and others,
//! *Domain-Independent Construction of Pattern Database Heuristics*, AAAI 2007).

use super::groups::groups;
use super::operators::{Condition, ConditionId, Leaf, Operators, Source, Value};
use super::partitions::MOST_PROJECTIONS;
use super::projection::Projection;
use std::collections::{BTreeMap, BTreeSet};

/// A projection is looked at if it takes no more than this part of what there is left.
const SHARE: usize = 4;
/// Rows of tables whose inspection takes as long as a state.
const ROWS: usize = 16;
/// The most leaves of a pattern that grew.
const MOST_LEAVES: usize = 24;
/// So many states and moves are looked at to find out whether a puzzle is so small that all that matters can be known.
const SMALL: usize = 1 << 16;

/// A projection, and what it says of the samples by itself.
struct Candidate {
    leaves: Vec<Leaf>,
    projection: Projection,
    says: Vec<u32>,
}

impl Candidate {
    fn sum(&self) -> u64 {
        self.says.iter().map(|&says| u64::from(says)).sum()
    }
}

/// Projections of a puzzle, from a start, that say much of the samples: with no more states and moves
/// together than that, those that were tried and left again included.
pub(crate) fn projections(
    puzzle: &Operators,
    start: &[Value],
    samples: &[&[Value]],
    most: usize,
) -> Vec<Projection> {
    let links = Links::of(puzzle);
    let mut chooser = Chooser {
        puzzle,
        start,
        samples,
        costs: puzzle.operators.iter().map(|operator| operator.cost).collect(),
        left: most,
        setup: puzzle.rows() / ROWS,
        tried: BTreeSet::new(),
        found: Vec::new(),
    };
    let relevant = links.relevant(puzzle);
    if chooser.look_at_all(&relevant).is_some() {
        return chooser.chosen();
    }
    let units: Vec<Vec<Leaf>> = relevant.iter().map(|&leaf| vec![leaf]).collect();
    for unit in &units {
        chooser.look_at(unit.clone());
    }
    let groups = groups(puzzle, start);
    for group in &groups {
        if group.iter().any(|leaf| relevant.contains(leaf)) {
            chooser.look_at(group.clone());
        }
    }
    for &(one, other) in links.pairs.iter() {
        if relevant.contains(&one) && relevant.contains(&other) && chooser.left > most / 2 {
            chooser.look_at(vec![one, other]);
        }
    }
    chooser.grow(&links, &groups);
    chooser.chosen()
}

struct Chooser<'p> {
    puzzle: &'p Operators,
    start: &'p [Value],
    samples: &'p [&'p [Value]],
    costs: Vec<u32>,
    /// States and moves that may still be written out.
    left: usize,
    /// What it takes to begin with a projection.
    setup: usize,
    tried: BTreeSet<Vec<Leaf>>,
    found: Vec<Candidate>,
}

impl Chooser<'_> {
    /// As [`look_at`](Chooser::look_at), for all leaves that matter.
    fn look_at_all(&mut self, leaves: &[Leaf]) -> Option<usize> {
        let mut leaves = leaves.to_vec();
        leaves.sort_unstable();
        let most = SMALL.min(self.left);
        let projection = Projection::explore(self.puzzle, &leaves, self.start, most)?;
        self.keep(leaves, projection)
    }

    /// Writes a projection out and keeps it, if that is useful: its number.
    fn look_at(&mut self, mut leaves: Vec<Leaf>) -> Option<usize> {
        leaves.sort_unstable();
        leaves.dedup();
        if leaves.len() > MOST_LEAVES || !self.tried.insert(leaves.clone()) {
            return None;
        }
        self.left = self.left.saturating_sub(self.setup);
        let most = self.left / SHARE;
        let Some(projection) = Projection::explore(self.puzzle, &leaves, self.start, most) else {
            self.left -= most;
            return None;
        };
        self.left = self.left.saturating_sub(projection.size());
        self.keep(leaves, projection)
    }

    fn keep(&mut self, leaves: Vec<Leaf>, projection: Projection) -> Option<usize> {
        let distances = projection.distances(&self.costs);
        let table = projection.table(&distances);
        if distances.iter().all(|&distance| distance == 0) {
            return None;
        }
        let says = self.samples.iter().map(|sample| projection.says(&table, sample)).collect();
        self.found.push(Candidate { leaves, projection, says });
        Some(self.found.len() - 1)
    }

    /// Lets the patterns grow that say most.
    fn grow(&mut self, links: &Links, groups: &[Vec<Leaf>]) {
        let mut grown = BTreeSet::new();
        loop {
            let mut order: Vec<usize> = (0..self.found.len()).collect();
            order.sort_by_key(|&at| (std::cmp::Reverse(self.found[at].sum()), at));
            let next = order.into_iter().find(|at| !grown.contains(at));
            let Some(at) = next.filter(|_| self.left > 0) else { return };
            grown.insert(at);
            for more in links.near(&self.found[at].leaves, groups) {
                if self.left < 1000 {
                    return;
                }
                let leaves = [&self.found[at].leaves[..], &more].concat();
                let before = self.found[at].sum();
                let alone = self.alone(&more);
                if let Some(new) = self.look_at(leaves)
                    && self.found[new].sum() <= before + alone
                {
                    // It says no more than both by themselves.
                    self.found.truncate(new);
                }
            }
        }
    }

    /// What a pattern says by itself, if that is known.
    fn alone(&self, leaves: &[Leaf]) -> u64 {
        let same = |candidate: &&Candidate| candidate.leaves == leaves;
        self.found.iter().find(same).map_or(0, Candidate::sum)
    }

    /// Those that say most, the largest first.
    fn chosen(mut self) -> Vec<Projection> {
        self.found.sort_by_key(|candidate| std::cmp::Reverse(candidate.sum()));
        self.found.truncate(MOST_PROJECTIONS);
        self.found.into_iter().map(|candidate| candidate.projection).collect()
    }
}

/// Which leaves have to do with which.
struct Links {
    /// By leaf that changes: leaves that are asked or copied where it does, or that change with it.
    near: BTreeMap<Leaf, BTreeSet<Leaf>>,
    /// Pairs of which the second is asked or copied where the first changes.
    pairs: Vec<(Leaf, Leaf)>,
}

impl Links {
    fn of(puzzle: &Operators) -> Links {
        let mut near: BTreeMap<Leaf, BTreeSet<Leaf>> = BTreeMap::new();
        let mut pairs = BTreeSet::new();
        let mut about: Vec<Option<BTreeSet<Leaf>>> = vec![None; puzzle.conditions.len()];
        for operator in &puzzle.operators {
            let mut asked = leaves_of(puzzle, operator.condition, &mut about);
            for (_, source) in &operator.writes {
                match source {
                    Source::Leaf(leaf) => drop(asked.insert(*leaf)),
                    Source::Table(table) => asked.extend(table.leaves.iter()),
                    Source::Unknown | Source::Value(_) | Source::Cases(_) => {}
                }
            }
            for (leaf, _) in &operator.writes {
                let near = near.entry(*leaf).or_default();
                near.extend(asked.iter().filter(|other| *other != leaf));
                near.extend(operator.writes.iter().map(|(other, _)| other).filter(|o| *o != leaf));
                pairs.extend(asked.iter().filter(|o| *o != leaf).map(|&other| (*leaf, other)));
            }
        }
        Links { near, pairs: pairs.into_iter().collect() }
    }

    /// The leaves that change and have to do with the goal, near ones first.
    fn relevant(&self, puzzle: &Operators) -> Vec<Leaf> {
        let mut about = vec![None; puzzle.conditions.len()];
        let mut found = Vec::new();
        let mut waiting: Vec<Leaf> =
            leaves_of(puzzle, puzzle.goal, &mut about).into_iter().collect();
        let mut seen: BTreeSet<Leaf> = waiting.iter().copied().collect();
        while !waiting.is_empty() {
            let mut next = Vec::new();
            for leaf in waiting {
                let Some(near) = self.near.get(&leaf) else { continue };
                if !puzzle.domains[usize::from(leaf)].is_empty() {
                    found.push(leaf);
                }
                next.extend(near.iter().copied().filter(|&other| seen.insert(other)));
            }
            waiting = next;
        }
        found
    }

    fn near(&self, leaves: &[Leaf], groups: &[Vec<Leaf>]) -> Vec<Vec<Leaf>> {
        let mut all = BTreeSet::new();
        for leaf in leaves {
            all.extend(self.near.get(leaf).into_iter().flatten());
        }
        all.retain(|leaf| !leaves.contains(leaf) && self.near.contains_key(leaf));
        let grouped = groups.iter().filter(|group| {
            group.iter().any(|leaf| all.contains(leaf))
                && !group.iter().all(|leaf| leaves.contains(leaf))
        });
        let grouped = grouped.cloned();
        let single = all.iter().map(|&leaf| vec![leaf]);
        single.chain(grouped).collect()
    }
}

/// The leaves that a condition is about.
fn leaves_of(
    puzzle: &Operators,
    condition: ConditionId,
    known: &mut [Option<BTreeSet<Leaf>>],
) -> BTreeSet<Leaf> {
    if let Some(known) = &known[condition as usize] {
        return known.clone();
    }
    let leaves = match &puzzle.conditions[condition as usize] {
        Condition::Unknown => BTreeSet::new(),
        Condition::In(leaf, _) => BTreeSet::from([*leaf]),
        Condition::Table(table) => table.leaves.iter().copied().collect(),
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().flat_map(|&part| leaves_of(puzzle, part, known)).collect()
        }
    };
    known[condition as usize] = Some(leaves.clone());
    leaves
}
