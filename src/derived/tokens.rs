//! Things that move from leaf to leaf: boxes of a warehouse, toads and frogs, pegs.
//!
//! A value is a *token* if every move that may make it appear somewhere makes it disappear at as many leaves at
//! least. How far one token is from a leaf is found in a coarser puzzle that knows where this token is, and
//! what the [control leaves](super::grounding) are: where the keeper stands, say. There a move costs what it costs only
//! if it moves the token, and where it moves several, each pays its part. So no move is paid twice, and the
//! cheapest way to give every token of a state, or every leaf that the goal wants one at, another of the other kind is
//! a lower bound (as for boxes of Sokoban: A. Junghanns, J. Schaeffer, *Sokoban: Enhancing General
//! Single-Agent Search Methods Using Domain Knowledge*, Artificial Intelligence 129, 2001). If there is no such way
//! there is no plan: a box in a corner.
//!
//! The bounds of several values are added up if no move is paid for by two of them, else the greatest counts.

use super::assignment::Assignment;
use super::grounding::{Configurations, Grounding, Step};
use super::incoming::Incoming;
use super::kept::{Kept, kept};
use super::operators::{Condition, ConditionId, Leaf, Operators, Value, Values};
use std::cell::RefCell;
use std::cmp::Reverse;

/// A unit of cost in parts, so that moves of several tokens can be shared out.
const PARTS: u32 = 12;
/// The most tokens that a move is shared out among.
const MOST_MOVED: usize = 4;
/// The most targets that count as few.
const FEW: usize = 12;
/// The most values that are tokens.
const MOST_KINDS: usize = 8;
/// The most control configurations, leaves and targets, multiplied, that tables have.
const MOST_ENTRIES: usize = 1 << 24;

/// What a step does to tokens of a value.
#[derive(Debug, Default)]
struct Carried {
    /// Leaves that have one before it and not behind it, or may.
    from: Vec<Leaf>,
    /// Leaves that may have one behind it and not before it.
    to: Vec<Leaf>,
    /// How many surely leave.
    leaving: usize,
    /// All of this is sure, and as many appear as leave.
    is_kept: bool,
}

/// The tokens of one value.
#[derive(Clone, Debug)]
struct Kind {
    value: Value,
    /// By leaf: its place among those that may have one.
    places: Vec<Option<u32>>,
    /// How many leaves these are.
    count: usize,
    /// Every token has to get to a target; else every target has to get one.
    is_for_all: bool,
    targets: usize,
    /// By target, configuration and place: the distance, in parts.
    distances: Box<[u32]>,
}

kept!(Kind { value, places, count, is_for_all, targets, distances });

thread_local! {
    /// Room for one estimate after the other.
    static ROOM: RefCell<Assignment> = RefCell::default();
}

/// Lower bounds by tokens.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    configurations: Configurations,
    /// Those that are added up.
    sum: Vec<Kind>,
    /// Those of which the greatest counts, in addition to the sum.
    others: Vec<Kind>,
}

impl Kept for Tokens {
    fn write(&self, to: &mut Vec<u8>) {
        self.configurations.control.write(to);
        self.configurations.numbers.write(to);
        self.sum.write(to);
        self.others.write(to);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let (control, numbers) = (Kept::read(from)?, Kept::read(from)?);
        let (sum, others) = (Kept::read(from)?, Kept::read(from)?);
        Some(Tokens { configurations: Configurations { control, numbers }, sum, others })
    }

    fn held(&self) -> usize {
        self.configurations.numbers.held() + self.sum.held() + self.others.held()
    }
}

impl Tokens {
    /// The tokens of a puzzle, for what can be reached from a start, if they say something of samples: with no
    /// more work than N states and moves looked at.
    pub fn of(
        puzzle: &Operators,
        start: &[Value],
        samples: &[&[Value]],
        most: usize,
    ) -> Option<Tokens> {
        let control = Grounding::of(puzzle, start, most)?;
        let mut left = most;
        let mut kinds: Vec<(Kind, Vec<bool>)> = Vec::new();
        for value in values(puzzle, &control.configurations) {
            let size = control.steps.len();
            left = left.checked_sub(size)?;
            let Some((carried, may_be)) = carried(puzzle, &control, value) else { continue };
            let is_kept = carried.iter().all(|of| of.is_kept);
            let Some(goal) = Goal::of(puzzle, &may_be, is_kept, value) else { continue };
            let kind = Kind::of((&control, &carried), (value, &may_be), goal, &mut left);
            let pays = carried.iter().map(|of| !of.to.is_empty()).collect();
            kinds.extend(kind.map(|kind| (kind, pays)));
            if kinds.len() == MOST_KINDS {
                break;
            }
        }
        // What says most of the samples comes first.
        let mut room = Assignment::default();
        let mut says = |kind: &Kind| -> u64 {
            let of = |sample: &&[Value]| {
                let at = control.configurations.number(sample)?;
                // A state without a plan is worth much.
                Some(kind.estimate(sample, at, &mut room).map_or(1 << 16, u64::from))
            };
            samples.iter().filter_map(of).sum()
        };
        let mut told: Vec<(u64, Kind, Vec<bool>)> =
            kinds.into_iter().map(|(kind, pays)| (says(&kind), kind, pays)).collect();
        told.retain(|&(says, ..)| says > 0);
        // Of two that say much the same the one with fewer targets does.
        told.sort_by_key(|(says, kind, _)| {
            let says = if kind.targets > FEW { says / 4 * 3 } else { *says };
            (Reverse(says), kind.targets, kind.value)
        });
        let Grounding { configurations, steps } = control;
        let mut found = Tokens { configurations, sum: Vec::new(), others: Vec::new() };
        let mut paid = vec![false; steps.len()];
        for (_, kind, pays) in told {
            if paid.iter().zip(&pays).any(|(paid, pays)| *paid && *pays) {
                let says_more = samples.iter().any(|sample| found.says_less(sample, &kind));
                found.others.extend(Some(kind).filter(|_| says_more));
            } else {
                paid.iter_mut().zip(pays).for_each(|(paid, pays)| *paid |= pays);
                found.sum.push(kind);
            }
        }
        (!found.sum.is_empty()).then_some(found)
    }

    /// A lower bound of what a plan costs; `None` if there is none. Of states of which nothing is known it is 0.
    pub fn estimate(&self, state: &[Value]) -> Option<u32> {
        let Some(at) = self.configurations.number(state) else { return Some(0) };
        ROOM.with_borrow_mut(|room| self.estimate_in(state, at, room))
    }

    fn estimate_in(&self, state: &[Value], at: u32, room: &mut Assignment) -> Option<u32> {
        let mut sum = 0u32;
        for kind in &self.sum {
            sum = sum.saturating_add(kind.estimate(state, at, room)?);
        }
        for kind in &self.others {
            sum = sum.max(kind.estimate(state, at, room)?);
        }
        Some(sum.div_ceil(PARTS))
    }

    fn says_less(&self, state: &[Value], kind: &Kind) -> bool {
        let Some(at) = self.configurations.number(state) else { return false };
        let other = ROOM.with_borrow_mut(|room| kind.estimate(state, at, room));
        match (self.estimate(state), other) {
            (Some(known), Some(other)) => known < other.div_ceil(PARTS),
            (known, other) => known.is_some() && other.is_none(),
        }
    }

    /// Whether anything is known of a state.
    pub fn knows(&self, state: &[Value]) -> bool {
        self.configurations.number(state).is_some()
    }

    /// The values that move about.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        self.sum.iter().chain(&self.others).map(|kind| kind.value)
    }

    /// The leaves that are known in addition to the place of a token.
    pub fn control(&self) -> &[Leaf] {
        &self.configurations.control
    }
}

/// The values that may be tokens: those that some leaf gets that is no control leaf.
fn values(puzzle: &Operators, configurations: &Configurations) -> Vec<Value> {
    let mut all = Values::default();
    for (leaf, domain) in puzzle.domains.iter().enumerate() {
        if !configurations.is_control(leaf as Leaf) && domain.only().is_none() {
            all = all.union(domain);
        }
    }
    all.iter().collect()
}

/// By step: what it does to tokens of a value, and by leaf whether they may be there; `None` if there are none.
/// A leaf at which one may appear without another that disappears has none.
fn carried(
    puzzle: &Operators,
    control: &Grounding,
    value: Value,
) -> Option<(Vec<Carried>, Vec<bool>)> {
    let is_control = |leaf: usize| control.configurations.is_control(leaf as Leaf);
    let domains = puzzle.domains.iter().enumerate();
    let mut may_be: Vec<bool> = domains
        .map(|(leaf, domain)| domain.has(value) && domain.only().is_none() && !is_control(leaf))
        .collect();
    loop {
        let mut all = Vec::with_capacity(control.steps.len());
        let mut is_one = true;
        for step in &control.steps {
            let carried = Carried::of(step, value, &may_be);
            if carried.to.len() > carried.leaving {
                is_one = false;
                carried.to.iter().for_each(|&leaf| may_be[usize::from(leaf)] = false);
            }
            all.push(carried);
        }
        if is_one {
            let moves = all.iter().any(|of| !of.to.is_empty());
            let are_few = all.iter().all(|of| of.to.len() <= MOST_MOVED);
            return (moves && are_few).then_some((all, may_be));
        }
    }
}

impl Carried {
    fn of(step: &Step, value: Value, may_be: &[bool]) -> Carried {
        let mut carried = Carried { is_kept: true, ..Carried::default() };
        for (leaf, cases) in step.effects.iter().filter(|(leaf, _)| may_be[usize::from(*leaf)]) {
            let had = |case: &(Value, Values)| case.0 == value;
            let may_have = |case: &(Value, Values)| case.1.has(value);
            let surely_has = |case: &(Value, Values)| case.1.only() == Some(value);
            if cases.iter().any(|case| !had(case) && may_have(case)) {
                carried.to.push(*leaf);
                carried.is_kept &= cases.iter().all(|case| !had(case) && surely_has(case));
            }
            if cases.iter().any(|case| had(case) && !surely_has(case)) {
                let surely = cases.iter().all(|case| had(case) && !may_have(case));
                carried.from.push(*leaf);
                carried.leaving += usize::from(surely);
                carried.is_kept &= surely;
            }
        }
        carried.is_kept &= carried.to.len() == carried.leaving;
        carried
    }
}

/// Where a goal wants tokens.
struct Goal {
    is_for_all: bool,
    targets: Vec<Leaf>,
}

impl Goal {
    /// What the goal says of tokens of a value, if it says anything.
    fn of(puzzle: &Operators, may_be: &[bool], is_kept: bool, value: Value) -> Option<Goal> {
        let mut asker = Asker { puzzle, known: vec![None; puzzle.conditions.len()], of: None };
        let (mut wanted, mut allowed, mut forbidden) = (Vec::new(), Vec::new(), 0);
        for (leaf, domain) in (0..).zip(&puzzle.domains) {
            if !may_be[usize::from(leaf)] {
                continue;
            }
            let others: Values = domain.iter().filter(|&other| other != value).collect();
            if asker.may_hold(puzzle.goal, leaf, Values::from_iter([value])) {
                allowed.push(leaf);
                if !asker.may_hold(puzzle.goal, leaf, others) {
                    wanted.push(leaf);
                }
            } else {
                forbidden += 1;
            }
        }
        match () {
            () if is_kept && forbidden > 0 => Some(Goal { is_for_all: true, targets: allowed }),
            () if !wanted.is_empty() => Some(Goal { is_for_all: false, targets: wanted }),
            () => None,
        }
    }
}

/// Asks whether conditions may hold where one leaf is one of some values.
struct Asker<'p> {
    puzzle: &'p Operators,
    /// By condition: the answer, and which question it was.
    known: Vec<Option<bool>>,
    of: Option<(Leaf, Values)>,
}

impl Asker<'_> {
    fn may_hold(&mut self, condition: ConditionId, leaf: Leaf, values: Values) -> bool {
        if self.of != Some((leaf, values)) {
            self.of = Some((leaf, values));
            self.known.fill(None);
        }
        if let Some(known) = self.known[condition as usize] {
            return known;
        }
        let puzzle = self.puzzle;
        let holds = match &puzzle.conditions[condition as usize] {
            Condition::Unknown => true,
            Condition::In(of, may) if *of == leaf => !may.common(&values).is_empty(),
            Condition::In(of, may) => {
                let domain = puzzle.domains[usize::from(*of)];
                domain.is_empty() || !may.common(&domain).is_empty()
            }
            Condition::Table(table) => {
                let may = |of| (of == leaf).then_some(values);
                table.among(&puzzle.domains, may).any(|&holds| holds)
            }
            Condition::All(parts) => parts.iter().all(|&part| self.may_hold(part, leaf, values)),
            Condition::Any(parts) => parts.iter().any(|&part| self.may_hold(part, leaf, values)),
        };
        self.known[condition as usize] = Some(holds);
        holds
    }
}

impl Kind {
    /// The distances of one token; `None` if they take more work than there is left.
    fn of(
        (control, carried): (&Grounding, &[Carried]),
        (value, may_be): (Value, &[bool]),
        goal: Goal,
        left: &mut usize,
    ) -> Option<Kind> {
        let (mut places, mut leaves) = (vec![None; may_be.len()], Vec::new());
        for (leaf, _) in (0..).zip(may_be).filter(|(_, may_be)| **may_be) {
            places[usize::from(leaf)] = Some(leaves.len() as u32);
            leaves.push(leaf);
        }
        let (count, configurations) = (leaves.len(), control.configurations.numbers.len());
        let nodes = count * configurations;
        let entries = nodes.checked_mul(goal.targets.len()).filter(|&all| all <= MOST_ENTRIES)?;
        // Moves of the coarser puzzle, by where they lead.
        let mut edges: Vec<(u32, u32, u32)> = Vec::new();
        for (step, carried) in control.steps.iter().zip(carried) {
            let may_have = |leaf: Leaf| {
                let found = step.before.binary_search_by_key(&leaf, |&(leaf, _)| leaf);
                found.map_or(true, |at| step.before[at].1.has(value))
            };
            let node = |configuration: u32, leaf: Leaf| {
                let place = places[usize::from(leaf)].unwrap_or_default();
                configuration * count as u32 + place
            };
            *left = left.checked_sub(count)?;
            let shared = carried.to.len() as u32;
            for &leaf in &leaves {
                if !may_have(leaf) {
                    continue;
                }
                let leaves_it = carried.from.contains(&leaf);
                for &to in carried.to.iter().filter(|_| leaves_it) {
                    let cost = step.cost.saturating_mul(PARTS) / shared;
                    edges.push((node(step.to, to), node(step.from, leaf), cost));
                }
                let stays =
                    step.effects.iter().find(|(of, _)| *of == leaf).is_none_or(|(_, cases)| {
                        cases.iter().any(|(before, after)| *before == value && after.has(value))
                    });
                if stays && step.from != step.to {
                    edges.push((node(step.to, leaf), node(step.from, leaf), 0));
                }
            }
        }
        *left = left.checked_sub(edges.len().checked_mul(1 + goal.targets.len())?)?;
        edges.sort_unstable();
        edges.dedup();
        let edges = Incoming::new(nodes, edges, |&(to, ..)| to);
        let mut distances = Vec::with_capacity(entries);
        for &target in &goal.targets {
            let Some(place) = places[usize::from(target)] else { continue };
            let ends = (0..configurations as u32).map(|at| at * count as u32 + place);
            distances.extend(edges.distances(ends, |&(_, from, cost)| (from, cost)));
        }
        let (is_for_all, targets) = (goal.is_for_all, goal.targets.len());
        Some(Kind { value, places, count, is_for_all, targets, distances: distances.into() })
    }

    /// A lower bound in parts, in a configuration; `None` if there is no plan.
    fn estimate(&self, state: &[Value], at: u32, room: &mut Assignment) -> Option<u32> {
        let at = at as usize * self.count;
        let nodes = self.distances.len() / self.targets.max(1);
        let here = self.places.iter().zip(state).filter(|(_, value)| **value == self.value);
        let tokens = here.filter_map(|(place, _)| place.map(|place| at + place as usize));
        let costs = &mut room.costs;
        costs.clear();
        let (mut rows, mut columns) = (0, self.targets);
        if self.is_for_all {
            for token in tokens {
                let of = (0..self.targets).map(|target| self.distances[target * nodes + token]);
                costs.extend(of);
                rows += 1;
            }
        } else {
            (rows, columns) = (self.targets, tokens.clone().count());
            for target in 0..self.targets {
                costs.extend(tokens.clone().map(|token| self.distances[target * nodes + token]));
            }
        }
        room.least(rows, columns).map(|sum| u32::try_from(sum).unwrap_or(u32::MAX))
    }
}
