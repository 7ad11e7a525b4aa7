//! Counts against a search that lists all states.

use super::{Ended, Limits, Next, NoDiagrams, Side, Space, explore};
use std::collections::BTreeSet;
use zug_derived::{
    Condition, ConditionId, Leaf, Operator, Operators, Source, Table, Value, Values,
};
use zug_random::Random;

fn holds(of: &Operators, condition: ConditionId, state: &[Value]) -> bool {
    match &of.conditions[condition as usize] {
        Condition::Unknown => panic!("nothing tells"),
        Condition::In(leaf, values) => values.has(state[usize::from(*leaf)]),
        Condition::Table(table) => *looked_up(of, table, state),
        Condition::All(parts) => parts.iter().all(|&part| holds(of, part, state)),
        Condition::Any(parts) => parts.iter().any(|&part| holds(of, part, state)),
    }
}

fn looked_up<'t, T>(of: &'t Operators, table: &'t Table<T>, state: &[Value]) -> &'t T {
    let here: Vec<Value> = table.leaves.iter().map(|leaf| state[usize::from(*leaf)]).collect();
    table.each(&of.domains).find(|(values, _)| *values == here).unwrap().1
}

fn successors(of: &Operators, state: &[Value]) -> Vec<Vec<Value>> {
    let apply = |operator: &Operator| {
        let mut next = state.to_vec();
        for (leaf, source) in &operator.writes {
            next[usize::from(*leaf)] = match source {
                Source::Unknown => panic!("nothing tells"),
                Source::Value(value) => *value,
                Source::Leaf(from) => state[usize::from(*from)],
                Source::Table(table) => *looked_up(of, table, state),
                Source::Cases(cases) => {
                    cases.iter().find(|(when, _)| holds(of, *when, state)).unwrap().1
                }
            };
        }
        next
    };
    let applicable = of.operators.iter().filter(|operator| holds(of, operator.condition, state));
    applicable.map(apply).collect()
}

/// States by depth, and how many have no successor, listed.
fn listed(sides: &[Side<'_>], start: &[Value]) -> (Vec<u128>, u128) {
    let mut seen = BTreeSet::from([(0, start.to_vec())]);
    let (mut layer, mut by_depth, mut terminal) = (seen.clone(), Vec::new(), 0);
    while !layer.is_empty() {
        by_depth.push(layer.len() as u128);
        let mut next = BTreeSet::new();
        for (player, state) in layer {
            let side = sides[player];
            let is_over = side.over.is_some_and(|over| holds(over, over.goal, &state));
            let all = if is_over { Vec::new() } else { successors(side.moves, &state) };
            terminal += u128::from(all.is_empty());
            for state in all {
                let to = match side.next {
                    Next::Player(to) => to,
                    Next::Told(of, turns) => {
                        turns.iter().find(|(when, _)| holds(of, *when, &state)).unwrap().1
                    }
                };
                if seen.insert((to, state.clone())) {
                    next.insert((to, state));
                }
            }
        }
        layer = next;
    }
    (by_depth, terminal)
}

fn side(moves: &Operators) -> Side<'_> {
    Side { moves, over: None, must_go_on: false, next: Next::Player(0) }
}

fn counted(sides: &[Side<'_>], start: &[Value], limits: &Limits) -> Result<Space, NoDiagrams> {
    explore(sides, (0, start), limits, &mut |_| None)
}

/// Operators at random over leaves of two to five values.
struct Made<'r> {
    random: &'r mut Random,
    of: Operators,
}

impl Made<'_> {
    fn leaf(&mut self) -> Leaf {
        self.random.below(self.of.domains.len() as u64) as Leaf
    }

    fn value(&mut self, leaf: Leaf) -> Value {
        let values: Vec<Value> = self.of.domains[usize::from(leaf)].iter().collect();
        values[self.random.below(values.len() as u64) as usize]
    }

    fn leaves(&mut self, most: u64) -> Box<[Leaf]> {
        let count = 1 + self.random.below(most);
        let leaves: BTreeSet<Leaf> = (0..count).map(|_| self.leaf()).collect();
        leaves.into_iter().collect()
    }

    fn rows(&self, leaves: &[Leaf]) -> usize {
        leaves.iter().map(|leaf| self.of.domains[usize::from(*leaf)].len()).product()
    }

    fn condition(&mut self, depth: u32) -> ConditionId {
        match self.random.below(if depth == 0 { 2 } else { 4 }) {
            0 => {
                let leaf = self.leaf();
                let values = [self.value(leaf), self.value(leaf)].into_iter().collect();
                self.of.condition(Condition::In(leaf, values))
            }
            1 => {
                let leaves = self.leaves(3);
                let rows = (0..self.rows(&leaves)).map(|_| self.random.below(2) == 0).collect();
                self.of.condition(Condition::Table(Table { leaves, rows }))
            }
            kind => {
                let parts =
                    (0..2 + self.random.below(2)).map(|_| self.condition(depth - 1)).collect();
                if kind == 2 { self.of.all(parts) } else { self.of.any(parts) }
            }
        }
    }

    fn source(&mut self, leaf: Leaf) -> Source {
        match self.random.below(4) {
            0 => Source::Value(self.value(leaf)),
            1 => {
                let from = self.leaf();
                let domains = [leaf, from].map(|leaf| self.of.domains[usize::from(leaf)]);
                match domains[0].union(&domains[1]) == domains[0] {
                    true => Source::Leaf(from),
                    false => Source::Value(self.value(leaf)),
                }
            }
            2 => {
                let leaves = self.leaves(2);
                let rows = (0..self.rows(&leaves)).map(|_| self.value(leaf)).collect();
                Source::Table(Table { leaves, rows })
            }
            _ => {
                let when = self.condition(1);
                let leaves: Box<[Leaf]> = (0..self.of.domains.len() as Leaf).collect();
                let all = Table { rows: vec![true; self.rows(&leaves)].into(), leaves };
                let rows =
                    all.each(&self.of.domains).map(|(state, _)| !holds(&self.of, when, &state));
                let rows = rows.collect();
                let not = self.of.condition(Condition::Table(Table { leaves: all.leaves, rows }));
                Source::Cases([(when, self.value(leaf)), (not, self.value(leaf))].into())
            }
        }
    }

    fn operators(&mut self) {
        for _ in 0..1 + self.random.below(5) {
            let condition = self.condition(2);
            let leaves = self.leaves(4);
            let writes = leaves.iter().map(|&leaf| (leaf, self.source(leaf))).collect();
            self.of.operators.push(Operator { condition, cost: 1, writes });
        }
    }
}

fn domains(random: &mut Random) -> Vec<Values> {
    let leaves = 2 + random.below(4);
    let size = |random: &mut Random| 1 + random.below(5);
    (0..leaves).map(|_| (0..size(random) as Value).map(|value| value * 3).collect()).collect()
}

#[test]
fn counts_are_those_of_a_list() {
    let random = &mut Random::new(7);
    let (mut states, mut deepest) = (0, 0);
    for _ in 0..300 {
        let domains = domains(random);
        let start: Vec<Value> = domains.iter().map(|_| 0).collect();
        let mut make = || {
            let mut made = Made { random, of: Operators::new(domains.clone()) };
            made.operators();
            let goal = made.condition(1);
            made.of.goal = if made.random.below(2) == 0 { goal } else { made.of.never() };
            let turns = [made.condition(1), made.of.always()];
            (made.of, turns)
        };
        let [(first, turns), (second, _)] = [make(), make()];
        let turns = [(turns[0], 1), (turns[1], 0)];
        let all: [Vec<Side<'_>>; 3] = [
            vec![side(&first)],
            vec![
                Side { over: Some(&second), next: Next::Player(1), ..side(&first) },
                side(&second),
            ],
            vec![Side { over: Some(&first), next: Next::Told(&first, &turns), ..side(&first) }; 2],
        ];
        for sides in all {
            let (by_depth, terminal) = listed(&sides, &start);
            let space = counted(&sides, &start, &Limits::default()).unwrap();
            assert_eq!((&space.by_depth, space.terminal), (&by_depth, terminal));
            assert_eq!((space.expanded, space.ended), (by_depth.iter().sum(), None));
            states += space.expanded;
            deepest = deepest.max(by_depth.len());
        }
    }
    assert!(states > 4_000 && deepest > 10, "{states} states, {deepest} deep");
}

#[test]
fn where_there_has_to_be_a_move_there_is_one() {
    let mut of = Operators::new(vec![(0..4).collect()]);
    for value in 0..3 {
        let condition = of.is(0, value);
        let writes = vec![(0, Source::Value(value + 1))];
        of.operators.push(Operator { condition, cost: 1, writes });
    }
    let mut over = Operators::new(of.domains.clone());
    let found = |over: &Operators| {
        let sides = [Side { over: Some(over), must_go_on: true, ..side(&of) }];
        counted(&sides, &[0], &Limits::default()).map(|space| space.by_depth)
    };
    over.goal = over.never();
    assert_eq!(found(&over), Err(NoDiagrams::Moves(0, vec![3])));
    over.goal = over.is(0, 3);
    assert_eq!(found(&over), Ok(vec![1; 4]));
}

/// Moves of all leaves by one place, which are too many to be taken apart.
#[test]
fn many_leaves_change_at_once() {
    let leaves: u16 = 7;
    let mut of = Operators::new(vec![(0..7).collect(); 7]);
    for length in 2..=leaves {
        let condition = of.always();
        let writes = (0..length).map(|leaf| (leaf, Source::Leaf(length - 1 - leaf))).collect();
        of.operators.push(Operator { condition, cost: 1, writes });
    }
    let sides = [side(&of)];
    let start: Vec<Value> = (0..7).collect();
    let space = counted(&sides, &start, &Limits::default()).unwrap();
    // Pancakes: A. Heydari, I. Sudborough, On the Diameter of the Pancake Network, Journal of Algorithms 25, 1997.
    assert_eq!(space.by_depth, [1, 6, 30, 149, 543, 1357, 1903, 1016, 35]);
    assert_eq!((space.terminal, listed(&sides, &start)), (0, (space.by_depth, 0)));
}

/// So many switches that their states have no number of 64 bits.
#[test]
fn very_many_states() {
    let mut of = Operators::new(vec![Values::from_iter([0, 1]); 100]);
    for leaf in 0..100 {
        let condition = of.is(leaf, 0);
        of.operators.push(Operator { condition, cost: 1, writes: vec![(leaf, Source::Value(1))] });
    }
    let sides = [side(&of)];
    let space = counted(&sides, &[0; 100], &Limits::default()).unwrap();
    assert_eq!(space.by_depth.iter().sum::<u128>(), 1 << 100);
    assert_eq!((space.by_depth.len(), space.by_depth[3], space.terminal), (101, 161_700, 1));
    assert_eq!(space.deepest, [(0, vec![1; 100])]);
}

#[test]
fn limits() {
    let mut of = Operators::new(vec![(0..200).collect(); 4]);
    for leaf in 0..4 {
        let rows: Box<[Value]> = (0..200).map(|value| (value + 7) % 200).collect();
        let condition = of.always();
        let writes = vec![(leaf, Source::Table(Table { leaves: Box::new([leaf]), rows }))];
        of.operators.push(Operator { condition, cost: 1, writes });
    }
    let sides = [side(&of)];
    let whole = [1, 4, 10, 20, 35, 56];
    let few = counted(&sides, &[0; 4], &Limits { depth: 3, ..Limits::default() }).unwrap();
    assert_eq!((&few.by_depth[..], few.ended), (&whole[..4], Some(Ended::Depth)));
    let few = counted(&sides, &[0; 4], &Limits { states: 20, ..Limits::default() }).unwrap();
    assert_eq!(
        (&few.by_depth[..], few.ended, few.expanded),
        (&whole[..4], Some(Ended::States), 15)
    );
    let few = counted(&sides, &[0; 4], &Limits { bytes: 1 << 19, ..Limits::default() }).unwrap();
    assert_eq!(few.ended, Some(Ended::Memory));
    assert_eq!(few.by_depth[..2], whole[..2]);
    let until = |most: u32| {
        explore(&sides, (0, &[0; 4]), &Limits::default(), &mut |told| {
            (told.depth == most).then_some(9)
        })
    };
    let few = until(4).unwrap();
    assert_eq!((&few.by_depth[..], few.ended), (&whole[..5], Some(Ended::Watched(9))));
}

/// What is not known ends the search where it is reached, and nowhere else.
#[test]
fn nothing_is_left_open() {
    let mut of = Operators::new(vec![(0..3).collect(); 2]);
    let (low, high) = (of.is(0, 0), of.is(0, 1));
    let unknown = of.condition(Condition::Unknown);
    let step = |condition| Operator { condition, cost: 1, writes: vec![(0, Source::Value(1))] };
    of.operators.push(step(low));
    let late = of.is(0, 2);
    let may = of.all(vec![late, unknown]);
    of.operators.push(step(may));
    of.operators.push(Operator { condition: late, cost: 1, writes: vec![(1, Source::Unknown)] });
    of.escape = late;
    let explored = |of: &Operators| {
        let sides = [side(of)];
        counted(&sides, &[0, 0], &Limits::default()).map(|space| space.by_depth)
    };
    assert_eq!(explored(&of), Ok(vec![1, 1]));
    let writes = |condition, writes| Operator { condition, cost: 1, writes };
    let changes: [&dyn Fn(&mut Operators); 4] = [
        &|open| open.escape = high,
        &|open| {
            let condition = open.all(vec![high, unknown]);
            open.operators.push(step(condition));
        },
        &|open| open.operators.push(writes(high, vec![(1, Source::Unknown)])),
        &|open| open.operators.push(writes(high, vec![(1, Source::Value(7))])),
    ];
    for change in changes {
        let mut open = of.clone();
        change(&mut open);
        assert_eq!(explored(&open), Err(NoDiagrams::Moves(0, vec![1, 0])));
    }
    let mut open = of.clone();
    open.goal = open.all(vec![high, unknown]);
    let sides = [Side { over: Some(&open), ..side(&of) }];
    let found = counted(&sides, &[0, 0], &Limits::default()).map(|space| space.by_depth);
    assert_eq!(found, Err(NoDiagrams::Over(0, vec![1, 0])));
    let sides = [Side { next: Next::Told(&of, &[(low, 0)]), ..side(&of) }];
    let found = counted(&sides, &[0, 0], &Limits::default()).map(|space| space.by_depth);
    assert_eq!(found, Err(NoDiagrams::Turn(0, vec![1, 0])));
}
