//! Puzzles for tests, and plain search through their states as the reference.

use super::operators::{
    Condition, ConditionId, Leaf, Operator, Operators, Source, Table, Value, Values,
};
use super::permutation::Permutations;
use std::collections::{HashMap, HashSet};

pub(crate) const BLANK: Value = b'_';

/// The most states of a [`Space`].
const MOST_STATES: usize = 200_000;

/// A move: tests, cost, writes.
pub(crate) type Move = (Vec<(Leaf, Value)>, u32, Vec<(Leaf, Source)>);

/// Adds a move to a puzzle.
pub(crate) fn add(puzzle: &mut Operators, (tests, cost, writes): Move) {
    let condition = all_of(puzzle, tests);
    puzzle.operators.push(Operator { condition, cost, writes });
}

/// Every leaf has its value.
pub(crate) fn all_of(
    puzzle: &mut Operators,
    facts: impl IntoIterator<Item = (Leaf, Value)>,
) -> ConditionId {
    let facts = facts.into_iter().map(|(leaf, value)| puzzle.is(leaf, value)).collect();
    puzzle.all(facts)
}

/// The goal is this state.
pub(crate) fn set_goal(puzzle: &mut Operators, goal: &[Value]) {
    puzzle.goal = all_of(puzzle, (0..).zip(goal.iter().copied()));
}

/// A puzzle of leaves that may all have these values, with moves, but without a goal.
pub(crate) fn without_goal(
    values: impl IntoIterator<Item = Value>,
    leaves: usize,
    moves: impl IntoIterator<Item = Move>,
) -> Operators {
    let mut puzzle = Operators::new(vec![values.into_iter().collect(); leaves]);
    moves.into_iter().for_each(|one| add(&mut puzzle, one));
    puzzle
}

/// The same with one goal.
pub(crate) fn puzzle(
    values: impl IntoIterator<Item = Value>,
    moves: impl IntoIterator<Item = Move>,
    goal: &[Value],
) -> Operators {
    let mut puzzle = without_goal(values, goal.len(), moves);
    set_goal(&mut puzzle, goal);
    puzzle
}

/// A move that always applies and gives each leaf the value of another.
pub(crate) fn turn(cost: u32, from: impl IntoIterator<Item = Leaf>) -> Move {
    (Vec::new(), cost, (0..).zip(from).map(|(leaf, from)| (leaf, Source::Leaf(from))).collect())
}

/// The blank changes places with the value of a leaf.
pub(crate) fn slide(blank: Value, at: Leaf, to: Leaf) -> Move {
    (vec![(at, blank)], 1, vec![(at, Source::Leaf(to)), (to, Source::Value(blank))])
}

/// What the blank of a sliding puzzle may do.
pub(crate) fn slides(width: u16, height: u16, blank: Value) -> Vec<Move> {
    let mut moves = Vec::new();
    for at in 0..width * height {
        let (row, column) = (at / width, at % width);
        let to = [
            (row > 0).then(|| at - width),
            (row + 1 < height).then(|| at + width),
            (column > 0).then(|| at - 1),
            (column + 1 < width).then(|| at + 1),
        ];
        moves.extend(to.into_iter().flatten().map(|to| slide(blank, at, to)));
    }
    moves
}

/// Values in order.
pub(crate) fn ordered(count: u16) -> Vec<Value> {
    (0..count as Value).collect()
}

/// A sliding puzzle whose goal has the blank at a place and tiles in order.
pub(crate) fn tiles(width: u16, height: u16, blank: u16) -> Operators {
    let mut goal = ordered(width * height);
    goal[usize::from(blank)] = BLANK;
    puzzle(goal.clone(), slides(width, height, BLANK), &goal)
}

/// Turning over the first N pancakes, at this cost.
pub(crate) fn flips(count: u16, cost: impl Fn(u16) -> u32) -> Vec<Move> {
    (2..=count).map(|size| turn(cost(size), (0..size).rev())).collect()
}

/// A stack of pancakes, the first N of which are turned over at this cost.
pub(crate) fn pancakes(count: u16, cost: impl Fn(u16) -> u32) -> Operators {
    puzzle(ordered(count), flips(count, cost), &ordered(count))
}

/// A ring of tokens, which turns, and of which N next to one another can be turned over.
pub(crate) fn ring(count: u16, window: u16) -> Operators {
    let by = |step: u16| turn(1, (0..count).map(move |leaf| (leaf + step) % count));
    let moves = [by(1), by(count - 1), turn(1, (0..window).rev())];
    puzzle(ordered(count), moves, &ordered(count))
}

/// A puzzle as permutations.
pub(crate) fn permutations(puzzle: &Operators) -> Permutations {
    Permutations::from(puzzle, &[]).expect("permutations")
}

/// Whether a condition holds, where all that it depends on is known.
pub(crate) fn holds(puzzle: &Operators, condition: ConditionId, state: &[Value]) -> bool {
    match &puzzle.conditions[condition as usize] {
        Condition::Unknown => panic!("nothing tells"),
        Condition::In(leaf, values) => values.has(state[usize::from(*leaf)]),
        Condition::Table(table) => *looked_up(puzzle, table, state),
        Condition::All(parts) => parts.iter().all(|&part| holds(puzzle, part, state)),
        Condition::Any(parts) => parts.iter().any(|&part| holds(puzzle, part, state)),
    }
}

fn looked_up<'t, T>(puzzle: &'t Operators, table: &'t Table<T>, state: &[Value]) -> &'t T {
    let only = |leaf| Some(Values::from_iter([state[usize::from(leaf)]]));
    table.among(&puzzle.domains, only).next().expect("a row")
}

/// Where moves lead from a state, with what they cost, in the order of the operators.
pub(crate) fn moves(puzzle: &Operators, state: &[Value]) -> Vec<(u32, Vec<Value>)> {
    let applied = puzzle.operators.iter().filter(|of| holds(puzzle, of.condition, state));
    let after = |operator: &Operator| {
        let mut after = state.to_vec();
        for (leaf, source) in &operator.writes {
            after[usize::from(*leaf)] = match source {
                Source::Unknown | Source::Cases(_) => panic!("nothing tells"),
                Source::Value(value) => *value,
                Source::Leaf(from) => state[usize::from(*from)],
                Source::Table(table) => *looked_up(puzzle, table, state),
            };
        }
        (operator.cost, after)
    };
    applied.map(after).collect()
}

/// The states of [`moves`].
pub(crate) fn successors(puzzle: &Operators, state: &[Value]) -> Vec<Vec<Value>> {
    moves(puzzle, state).into_iter().map(|(_, after)| after).collect()
}

/// All orders of some values.
pub(crate) fn orders(values: &[Value]) -> HashSet<Vec<Value>> {
    let Some((first, rest)) = values.split_first() else { return HashSet::from([Vec::new()]) };
    let with = |order: &Vec<Value>| {
        let order = order.clone();
        (0..=order.len()).map(move |at| [&order[..at], &[*first], &order[at..]].concat())
    };
    orders(rest).iter().flat_map(with).collect()
}

/// The states that a start leads to, or the first N and the rest of their layer.
pub(crate) fn reached(puzzle: &Operators, start: &[Value], most: usize) -> HashSet<Vec<Value>> {
    let (mut all, mut layer) = (HashSet::new(), vec![start.to_vec()]);
    while all.len() < most && !layer.is_empty() {
        layer.retain(|state| all.insert(state.clone()));
        layer = layer.iter().flat_map(|state| successors(puzzle, state)).collect();
    }
    all
}

/// All that can be reached from a start, with the moves, and what a plan from there costs.
pub(crate) struct Space {
    pub states: Vec<Vec<Value>>,
    /// From a state, at a cost, to a state.
    pub moves: Vec<(usize, u32, usize)>,
    /// By state; nothing where there is no plan.
    pub distances: Vec<Option<u32>>,
}

impl Space {
    pub fn of(puzzle: &Operators, start: &[Value]) -> Space {
        Space::from_all(puzzle, vec![start.to_vec()])
    }

    /// From several starts.
    pub fn from_all(puzzle: &Operators, mut states: Vec<Vec<Value>>) -> Space {
        let mut numbers: HashMap<Vec<Value>, usize> = states.iter().cloned().zip(0..).collect();
        let (mut all, mut at) = (Vec::new(), 0);
        while at < states.len() {
            for (cost, to) in moves(puzzle, &states[at]) {
                let to = *numbers.entry(to).or_insert_with_key(|state| {
                    states.push(state.clone());
                    states.len() - 1
                });
                all.push((at, cost, to));
            }
            at += 1;
            assert!(states.len() < MOST_STATES, "a small space");
        }
        let goal = |state: &Vec<Value>| holds(puzzle, puzzle.goal, state).then_some(0);
        let mut distances: Vec<Option<u32>> = states.iter().map(goal).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, cost, to) in &all {
                let Some(behind) = distances[to] else { continue };
                if distances[from].is_none_or(|known| behind + cost < known) {
                    distances[from] = Some(behind + cost);
                    changed = true;
                }
            }
        }
        Space { states, moves: all, distances }
    }

    /// The states that have a plan, and what it costs.
    pub fn solvable(&self) -> impl Iterator<Item = (&[Value], u32)> {
        let all = self.states.iter().zip(&self.distances);
        all.filter_map(|(state, distance)| Some((&state[..], (*distance)?)))
    }

    /// No estimate is too high. What estimates add up to, and distances.
    #[track_caller]
    pub fn check_admissible(
        &self,
        mut estimate: impl FnMut(&[Value]) -> Option<u32>,
    ) -> (u32, u32) {
        let (mut said, mut all) = (0, 0);
        for (state, distance) in self.solvable() {
            let estimate = estimate(state);
            let is_right = estimate.is_some_and(|h| h <= distance);
            assert!(is_right, "{state:?}: {estimate:?} of {distance}");
            (said, all) = (said + estimate.unwrap_or(0), all + distance);
        }
        (said, all)
    }

    /// Estimates fall along a move by no more than it costs.
    #[track_caller]
    pub fn check_consistent(&self, estimate: impl Fn(&[Value]) -> Option<u32>) {
        for &(from, cost, to) in &self.moves {
            let [from, to] = [from, to].map(|at| &self.states[at]);
            if let (Some(before), Some(after)) = (estimate(from), estimate(to)) {
                assert!(before <= after + cost, "{from:?} to {to:?}");
            }
        }
    }
}
