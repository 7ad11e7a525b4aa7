//! Laws of projections, on whole spaces: of puzzles as they are, and as they are told with less.

use super::escapes::without_unreached;
use super::groups::groups;
use super::heuristic::Derived;
use super::operators::{
    Condition, ConditionId, Leaf, Operator, Operators, Source, Table, Value, Values,
};
use super::patterns::Budget;
use super::test_puzzles::{Space, add, all_of};
use proptest::prelude::*;

/// Estimates are admissible and consistent. What they say of the start, and what it costs.
pub(crate) fn checked(
    puzzle: &Operators,
    told: &Operators,
    start: &[Value],
    states: u64,
) -> (u32, Option<u32>) {
    let space = Space::of(puzzle, start);
    let cost = space.distances[0];
    let samples: Vec<&[Value]> = space.states.iter().step_by(7).map(|state| &state[..]).collect();
    let Some(derived) = Derived::of(told, start, &samples, Budget::of(states)) else {
        return (0, cost);
    };
    space.check_admissible(|state| derived.estimate(state));
    if !derived.is_for_all_starts() {
        space.check_consistent(|state| derived.estimate(state));
    }
    (derived.estimate(start).unwrap_or(u32::MAX), cost)
}

/// Switches in a row, each of which can be turned on where the one before is on.
#[test]
fn a_chain_of_switches_is_seen_through() {
    let mut puzzle = Operators::new(vec![Values::from_iter([0, 1]); 6]);
    for at in 0..6u16 {
        let before = at.checked_sub(1).map(|before| (before, 1));
        let tests = [(at, 0)].into_iter().chain(before).collect();
        add(&mut puzzle, (tests, 2, vec![(at, Source::Value(1))]));
    }
    puzzle.goal = puzzle.is(5, 1);
    assert_eq!(checked(&puzzle, &puzzle, &[0; 6], 100_000), (12, Some(12)));
}

/// Blocks as facts: `on(a, b)`, `clear(a)`. Of the facts about where one block is, one holds.
#[test]
fn facts_of_which_one_holds_are_known_together() {
    let blocks = 3u16;
    // Leaf of on(a, b), where a block on itself is on the table; clear(a) behind them.
    let on = |a: u16, b: u16| a * blocks + b;
    let clear = |a: u16| blocks * blocks + a;
    let mut puzzle = Operators::new(vec![Values::from_iter([0, 1]); 12]);
    for (a, from, to) in (0..27).map(|n| (n / 9, n / 3 % 3, n % 3)) {
        if from == to {
            continue;
        }
        let mut tests = vec![(on(a, from), 1), (clear(a), 1)];
        let mut writes = vec![(on(a, from), Source::Value(0)), (on(a, to), Source::Value(1))];
        if to != a {
            tests.push((clear(to), 1));
            writes.push((clear(to), Source::Value(0)));
        }
        if from != a {
            writes.push((clear(from), Source::Value(1)));
        }
        add(&mut puzzle, (tests, 1, writes));
    }
    puzzle.goal = all_of(&mut puzzle, [(on(0, 1), 1), (on(1, 2), 1)]);
    // c on a, a on b.
    let mut start = vec![0; 12];
    for leaf in [on(2, 0), on(0, 1), on(1, 1), clear(2)] {
        start[usize::from(leaf)] = 1;
    }
    assert!(groups(&puzzle, &start).contains(&vec![on(0, 0), on(0, 1), on(0, 2)]));
    let (estimate, cost) = checked(&puzzle, &puzzle, &start, 200_000);
    assert_eq!(cost, Some(4));
    assert!(estimate >= 3, "{estimate}");
}

/// A start from which no goal can be reached.
#[test]
fn no_plan() {
    let mut puzzle = Operators::new(vec![Values::from_iter([0, 1, 2]); 2]);
    add(&mut puzzle, (vec![(0, 0)], 1, vec![(0, Source::Value(1))]));
    puzzle.goal = puzzle.is(0, 2);
    assert_eq!(checked(&puzzle, &puzzle, &[0, 0], 1000), (u32::MAX, None));
}

/// Where nothing is known of what moves lead to, nothing is said.
#[test]
fn escapes_count_as_goals() {
    let mut puzzle = Operators::new(vec![Values::from_iter(0..10); 1]);
    let next = Table { leaves: [0].into(), rows: (0..10).map(|at| (at + 1) % 10).collect() };
    add(&mut puzzle, (Vec::new(), 1, vec![(0, Source::Table(next))]));
    puzzle.goal = puzzle.is(0, 9);
    let derived = |puzzle: &Operators| Derived::of(puzzle, &[0], &[], Budget::of(10_000));
    assert_eq!(derived(&puzzle).expect("a heuristic").estimate(&[0]), Some(9));
    puzzle.escape = puzzle.is(0, 4);
    let with = derived(&puzzle).expect("a heuristic");
    assert_eq!([0, 4, 5].map(|at| with.estimate(&[at])), [Some(4), Some(0), Some(4)]);
}

/// Three heaps among which counters are moved: none can be fuller than all were together at the start.
#[test]
fn escapes_that_are_not_reached_do_not_count() {
    let mut puzzle = Operators::new(vec![Values::from_iter(0..4); 3]);
    let mut escapes = Vec::new();
    let next = |leaf: Leaf, by: u8| {
        Source::Table(Table { leaves: [leaf].into(), rows: (0..4).map(|n| (n + by) % 4).collect() })
    };
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let some = puzzle.condition(Condition::In(from, Values::from_iter(1..4)));
        let full = puzzle.is(to, 3);
        escapes.push(puzzle.all(vec![some, full]));
        let writes = vec![(from, next(from, 3)), (to, next(to, 1))];
        puzzle.operators.push(Operator { condition: some, cost: 1, writes });
    }
    puzzle.escape = puzzle.any(escapes);
    puzzle.goal = puzzle.is(2, 3);
    let start = [3, 0, 0];
    assert!(!without_unreached(&puzzle, &start, 1000).has_escapes());
    assert!(without_unreached(&puzzle, &[3, 1, 0], 1000).has_escapes());
    assert_eq!(checked(&puzzle, &puzzle, &start, 100_000), (6, Some(6)));
}

const LEAVES: usize = 5;

#[derive(Clone, Debug)]
enum Tree {
    In(u16, Vec<Value>),
    Table(u16, u16, Vec<bool>),
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = 0..LEAVES as u16;
    let values = prop::collection::vec(0u8..3, 1..3);
    let simple = prop_oneof![
        (leaf.clone(), values).prop_map(|(leaf, values)| Tree::In(leaf, values)),
        (leaf.clone(), leaf, prop::collection::vec(any::<bool>(), 9))
            .prop_map(|(one, other, rows)| Tree::Table(one, other, rows)),
    ];
    simple.prop_recursive(2, 8, 3, |parts| {
        prop_oneof![
            prop::collection::vec(parts.clone(), 1..3).prop_map(Tree::All),
            prop::collection::vec(parts, 1..3).prop_map(Tree::Any),
        ]
    })
}

fn built(puzzle: &mut Operators, tree: &Tree) -> ConditionId {
    match tree {
        Tree::In(leaf, values) => {
            puzzle.condition(Condition::In(*leaf, values.iter().copied().collect()))
        }
        Tree::Table(one, other, _) if one == other => puzzle.is(*one, 1),
        Tree::Table(one, other, rows) => {
            let table = Table { leaves: [*one, *other].into(), rows: rows[..].into() };
            puzzle.condition(Condition::Table(table))
        }
        Tree::All(parts) => {
            let parts = parts.iter().map(|part| built(puzzle, part)).collect();
            puzzle.all(parts)
        }
        Tree::Any(parts) => {
            let parts = parts.iter().map(|part| built(puzzle, part)).collect();
            puzzle.any(parts)
        }
    }
}

fn sources() -> impl Strategy<Value = Source> {
    let leaf = 0..LEAVES as u16;
    prop_oneof![
        (0u8..3).prop_map(Source::Value),
        leaf.clone().prop_map(Source::Leaf),
        (leaf, prop::collection::vec(0u8..3, 3)).prop_map(|(leaf, rows)| Source::Table(Table {
            leaves: [leaf].into(),
            rows: rows.into()
        })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// Random puzzles, told as they are and with less: some conditions and sources are not known, some
    /// leaves neither.
    #[test]
    fn estimates_are_admissible_and_consistent(
        moves in prop::collection::vec(
            (trees(), 0u32..4, prop::collection::vec((0..LEAVES as u16, sources()), 1..3), any::<(bool, bool)>()),
            1..6,
        ),
        goal in trees(),
        start in prop::collection::vec(0u8..3, LEAVES),
        hidden in prop::option::of(0..LEAVES),
        states in 50u64..20_000,
    ) {
        let mut exact = Operators::new(vec![Values::from_iter(0..3); LEAVES]);
        for (tree, cost, mut writes, _) in moves.clone() {
            writes.sort_by_key(|write| write.0);
            writes.dedup_by_key(|write| write.0);
            let condition = built(&mut exact, &tree);
            exact.operators.push(Operator { condition, cost, writes });
        }
        exact.goal = built(&mut exact, &goal);
        checked(&exact, &exact, &start, states);
        let mut told = exact.clone();
        for (operator, (.., (condition, source))) in (0..).zip(&moves) {
            if *condition {
                told.operators[operator].condition = told.condition(Condition::Unknown);
            }
            if *source {
                told.operators[operator].writes[0].1 = Source::Unknown;
            }
        }
        checked(&exact, &told, &start, states);
        if let Some(hidden) = hidden {
            // Tables over it have no rows then.
            let is_about = |leaves: &[Leaf]| leaves.contains(&(hidden as Leaf));
            for condition in &mut told.conditions {
                if matches!(condition, Condition::Table(table) if is_about(&table.leaves)) {
                    *condition = Condition::Unknown;
                }
            }
            for (_, source) in told.operators.iter_mut().flat_map(|operator| &mut operator.writes) {
                if matches!(source, Source::Table(table) if is_about(&table.leaves)) {
                    *source = Source::Unknown;
                }
            }
            told.domains[hidden] = Values::default();
            checked(&exact, &told, &start, states);
        }
    }
}

#[test]
fn conditions_are_made_simpler() {
    let mut puzzle = Operators::new(vec![Values::from_iter(0..3); 3]);
    let below = |one: Leaf, other: Leaf| {
        let rows = (0..9).map(|row| row % 3 < row / 3).collect();
        Condition::Table(Table { leaves: [one, other].into(), rows })
    };
    let never = puzzle.never();
    let [first, second, back] =
        [below(0, 1), below(1, 2), below(1, 0)].map(|condition| puzzle.condition(condition));
    assert_eq!(puzzle.all(vec![first, back]), never);
    let high = puzzle.is(0, 2);
    assert_eq!(puzzle.all(vec![first, high]), never);
    let both = puzzle.all(vec![first, second]);
    assert_eq!(puzzle.ways(both, 10), Some(vec![vec![(0, 0), (1, 1), (2, 2)]]));
    let [low, not_low] = [Values::from_iter([0]), Values::from_iter([1, 2])]
        .map(|values| puzzle.condition(Condition::In(0, values)));
    assert_eq!(puzzle.any(vec![low, not_low]), puzzle.always());
    assert_eq!(puzzle.all(vec![low, not_low]), never);
}
