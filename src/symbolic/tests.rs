//! The laws: whatever is simplified, computed or merged is in every state what the plain definition
//! says.

use crate::{Condition, Domain, Guarded, Leaf, Operation, Relation, Shape, Store, Term, Variable};
use proptest::prelude::*;
use zug_term::Cell;
use zug_term::symbol::Atom;

const A: Cell = Cell::atom(Atom(1_000));
const B: Cell = Cell::atom(Atom(1_001));
const F: Cell = Cell::functor(Atom(1_002), 2);
const G: Cell = Cell::functor(Atom(1_003), 1);

/// Leaves of atoms, of atoms and integers, of integers by number, in a range, in a range beside atoms.
fn store() -> Store {
    let values = |values: &[Cell]| Domain::Values(values.into());
    let small = Cell::small;
    let domains = vec![
        values(&[A, B, Cell::NIL, small(1)]),
        values(&[A, small(1), small(2), Cell::NIL, B]),
        values(&[small(0), small(1), small(2)]),
        Domain::Range(-1, 2),
        Domain::Mixed([B, Cell::NIL].into(), 0, 2),
    ];
    Store::new(domains, 10_000_000)
}

/// Every state.
fn states() -> Vec<Vec<Cell>> {
    let small = Cell::small;
    let mut states = vec![vec![]];
    for values in [
        vec![A, B, Cell::NIL, small(1)],
        vec![A, small(1), small(2), Cell::NIL, B],
        vec![small(0), small(1), small(2)],
        vec![small(-1), small(0), small(1), small(2)],
        vec![B, Cell::NIL, small(0), small(1), small(2)],
    ] {
        let longer = |state: Vec<Cell>| {
            values.clone().into_iter().map(move |value| {
                let mut state = state.clone();
                state.push(value);
                state
            })
        };
        states = states.into_iter().flat_map(longer).collect();
    }
    states
}

/// How a condition is written down.
#[derive(Clone, Debug)]
enum Wanted {
    Is(u32, Cell),
    Less(u32, i64),
    Equal(u32, u32),
    Not(Box<Wanted>),
    And(Vec<Wanted>),
    Or(Vec<Wanted>),
}

impl Wanted {
    fn made(&self, store: &mut Store) -> Condition {
        match self {
            &Wanted::Is(leaf, value) => store.is_value(Leaf(leaf), value),
            &Wanted::Less(leaf, than) => {
                let (number, is_one) = (store.number_of(Leaf(leaf)), store.is_integer(Leaf(leaf)));
                let than = store.constant(Cell::small(than));
                let less = store.compare(Relation::Less, number, than);
                store.both(is_one, less)
            }
            &Wanted::Equal(one, other) => {
                let (one, other) = (store.leaf(Leaf(one)), store.leaf(Leaf(other)));
                store.identical(one, other).expect("of leaves it is known")
            }
            Wanted::Not(wanted) => {
                let condition = wanted.made(store);
                store.not(condition)
            }
            Wanted::And(all) => {
                let all: Vec<Condition> = all.iter().map(|one| one.made(store)).collect();
                store.and(all)
            }
            Wanted::Or(ways) => {
                let ways: Vec<Condition> = ways.iter().map(|way| way.made(store)).collect();
                store.or(ways)
            }
        }
    }

    fn holds(&self, state: &[Cell]) -> bool {
        match self {
            &Wanted::Is(leaf, value) => state[leaf as usize] == value,
            &Wanted::Less(leaf, than) => {
                state[leaf as usize].as_int().is_some_and(|value| value < than)
            }
            &Wanted::Equal(one, other) => state[one as usize] == state[other as usize],
            Wanted::Not(wanted) => !wanted.holds(state),
            Wanted::And(all) => all.iter().all(|one| one.holds(state)),
            Wanted::Or(ways) => ways.iter().any(|way| way.holds(state)),
        }
    }
}

fn wanted() -> impl Strategy<Value = Wanted> {
    let value = prop_oneof![Just(A), Just(B), Just(Cell::NIL), (-1..4_i64).prop_map(Cell::small)];
    let leaf = prop_oneof![
        (0..5_u32, value).prop_map(|(leaf, value)| Wanted::Is(leaf, value)),
        (2..5_u32, -2..4_i64).prop_map(|(leaf, than)| Wanted::Less(leaf, than)),
        (0..5_u32, 0..5_u32).prop_map(|(one, other)| Wanted::Equal(one, other)),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|one| Wanted::Not(Box::new(one))),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Wanted::And),
            prop::collection::vec(inner, 0..4).prop_map(Wanted::Or),
        ]
    })
}

/// How a term is written down.
#[derive(Clone, Debug)]
enum Built {
    Constant(Cell),
    Leaf(u32),
    Sum(u32, u32),
    List(Vec<Built>),
    Present(Vec<(Wanted, Built)>),
    Two(Box<Built>, Box<Built>),
    One(Box<Built>),
}

impl Built {
    fn made(&self, store: &mut Store) -> Term {
        match self {
            &Built::Constant(cell) => store.constant(cell),
            &Built::Leaf(leaf) => store.leaf(Leaf(leaf)),
            &Built::Sum(one, other) => {
                let operands = [one, other].map(|leaf| store.leaf(Leaf(leaf)));
                store.compute(Operation::Add, &operands).expect("small integers")
            }
            Built::List(items) => {
                let items: Vec<Term> = items.iter().map(|item| item.made(store)).collect();
                let nil = store.constant(Cell::NIL);
                store.list(&items, nil)
            }
            Built::Present(items) => {
                let items: Vec<Guarded> = items
                    .iter()
                    .map(|(there, item)| (there.made(store), item.made(store)))
                    .collect();
                store.present(items)
            }
            Built::Two(one, other) => {
                let arguments = [one.made(store), other.made(store)];
                store.structure(F, arguments)
            }
            Built::One(one) => {
                let argument = [one.made(store)];
                store.structure(G, argument)
            }
        }
    }
}

fn built() -> impl Strategy<Value = Built> {
    let leaf = prop_oneof![
        prop_oneof![Just(A), Just(B), Just(Cell::NIL), (0..3_i64).prop_map(Cell::small)]
            .prop_map(Built::Constant),
        (0..5_u32).prop_map(Built::Leaf),
        (2..4_u32, 2..4_u32).prop_map(|(one, other)| Built::Sum(one, other)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Built::List),
            prop::collection::vec((wanted(), inner.clone()), 0..4).prop_map(Built::Present),
            (inner.clone(), inner.clone())
                .prop_map(|(one, other)| Built::Two(Box::new(one), Box::new(other))),
            inner.prop_map(|one| Built::One(Box::new(one))),
        ]
    })
}

/// Terms under conditions that exclude one another: the first that holds counts.
fn first_of(store: &mut Store, ways: &[(Wanted, Built)]) -> Vec<Guarded> {
    let mut before = Condition::NEVER;
    let mut guarded = Vec::new();
    for (wanted, built) in ways {
        let (condition, term) = (wanted.made(store), built.made(store));
        let none = store.not(before);
        let first = store.both(condition, none);
        before = store.or([before, condition]);
        if first != Condition::NEVER {
            guarded.push((first, term));
        }
    }
    guarded
}

proptest! {
    #[test]
    fn conditions_mean_what_was_written(wanted in wanted()) {
        let mut store = store();
        let condition = wanted.made(&mut store);
        let negation = store.not(condition);
        for state in states() {
            prop_assert_eq!(store.holds(condition, &state), wanted.holds(&state), "{:?}", state);
            prop_assert_eq!(store.holds(negation, &state), !wanted.holds(&state), "{:?}", state);
        }
        prop_assert_eq!(store.not(negation), condition);
        prop_assert!(store.exclude(condition, negation));
        prop_assert_eq!(store.or([condition, negation]), Condition::ALWAYS);
        prop_assert!(!store.is_spent());
    }

    #[test]
    fn given_and_discriminator_agree_where_they_are_asked(one in wanted(), other in wanted()) {
        let mut store = store();
        let (one, other) = (one.made(&mut store), other.made(&mut store));
        let given = store.given(one, other);
        let otherwise = store.not(other);
        let apart = store.both(one, otherwise);
        let (is_apart, is_other) = store.discriminator(apart, other);
        for state in states() {
            if store.holds(other, &state) {
                prop_assert_eq!(store.holds(given, &state), store.holds(one, &state));
                prop_assert!(store.holds(is_other, &state) && !store.holds(is_apart, &state));
            }
            if store.holds(apart, &state) {
                prop_assert!(store.holds(is_apart, &state) && !store.holds(is_other, &state));
            }
        }
    }

    #[test]
    fn what_is_merged_is_what_each_way_was(
        ways in prop::collection::vec((wanted(), built()), 1..5),
        known in wanted(),
    ) {
        let mut store = store();
        let ways = first_of(&mut store, &ways);
        if ways.is_empty() {
            return Ok(());
        }
        let merged = store.merged(&ways).expect("there are no variables");
        let known = known.made(&mut store);
        let narrowed = store.narrowed(merged, known);
        for state in states() {
            let way = ways.iter().find(|&&(condition, _)| store.holds(condition, &state));
            let Some(&(_, way)) = way else { continue };
            let expected = store.term_in(way, &state);
            prop_assert_eq!(store.term_in(merged, &state), expected, "{:?}", state);
            if store.holds(known, &state) {
                prop_assert_eq!(store.term_in(narrowed, &state), expected, "{:?}", state);
            }
        }
    }

    #[test]
    fn identity_is_that_of_the_terms(
        one in prop::collection::vec((wanted(), built()), 1..3),
        other in built(),
    ) {
        let mut store = store();
        let ways = first_of(&mut store, &one);
        if ways.is_empty() {
            return Ok(());
        }
        let one = store.merged(&ways).expect("there are no variables");
        let other = other.made(&mut store);
        let Some(same) = store.identical(one, other) else { return Ok(()) };
        for state in states() {
            if !ways.iter().any(|&(condition, _)| store.holds(condition, &state)) {
                continue;
            }
            let terms = [one, other].map(|term| store.term_in(term, &state));
            prop_assert_eq!(store.holds(same, &state), terms[0] == terms[1], "{:?}", state);
        }
    }

    #[test]
    fn integers_are_computed_and_compared(
        operation in prop::sample::select(OPERATIONS),
        ways in prop::collection::vec((wanted(), (2..4_u32, -3..4_i64)), 1..4),
        right in (2..4_u32, -3..4_i64),
    ) {
        let mut store = store();
        let sum = |store: &mut Store, (leaf, addend): (u32, i64)| {
            let operands = [store.leaf(Leaf(leaf)), store.constant(Cell::small(addend))];
            store.compute(Operation::Add, &operands).expect("small integers")
        };
        let ways: Vec<(Condition, (u32, i64))> =
            ways.into_iter().map(|(wanted, of)| (wanted.made(&mut store), of)).collect();
        let mut before = Condition::NEVER;
        let mut guarded = Vec::new();
        for (condition, of) in ways {
            let none = store.not(before);
            guarded.push((store.both(condition, none), sum(&mut store, of)));
            before = store.or([before, condition]);
        }
        guarded.retain(|&(condition, _)| condition != Condition::NEVER);
        if guarded.is_empty() {
            return Ok(());
        }
        let left = store.merged(&guarded).expect("there are no variables");
        let right = sum(&mut store, right);
        let operands = if UNARY.contains(&operation) { vec![left] } else { vec![left, right] };
        let computed = store.compute(operation, &operands);
        let less = store.compare(Relation::Less, left, right);
        let equal = store.compare(Relation::Equal, left, right);
        for state in states().into_iter().filter(|state| store.holds(before, state)) {
            let values: Vec<Option<i64>> =
                operands.iter().map(|&operand| store.integer_in(operand, &state)).collect();
            let [a, b] = [left, right].map(|side| store.integer_in(side, &state).expect("one"));
            prop_assert_eq!(store.holds(less, &state), a < b);
            prop_assert_eq!(store.holds(equal, &state), a == b);
            if let Ok(term) = computed {
                let values: Vec<i64> = values.into_iter().flatten().collect();
                let value = crate::computed(operation, &values).ok();
                prop_assert!(value.is_some(), "{:?} of {:?}", operation, values);
                prop_assert_eq!(store.integer_in(term, &state), value);
                let (low, high) = store.bounds(term).expect("it is an integer");
                prop_assert!(value.is_some_and(|value| low <= value && value <= high));
            }
        }
    }
}

pub(crate) const UNARY: &[Operation] = &[
    Operation::Negate,
    Operation::Absolute,
    Operation::PopCount,
    Operation::HighestBit,
    Operation::LowestBit,
];

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation::Add,
    Operation::Subtract,
    Operation::Multiply,
    Operation::Truncate,
    Operation::Floor,
    Operation::Modulo,
    Operation::Remainder,
    Operation::Minimum,
    Operation::Maximum,
    Operation::BitAnd,
    Operation::BitOr,
    Operation::BitXor,
    Operation::ShiftLeft,
    Operation::ShiftRight,
    Operation::Negate,
    Operation::Absolute,
    Operation::PopCount,
    Operation::HighestBit,
    Operation::LowestBit,
];

/// The standard's table of divisions, by the signs of both.
#[test]
fn divisions_round_as_the_standard_says() {
    for (operation, values) in [
        (Operation::Truncate, [2, -2, -2, 2]),
        (Operation::Floor, [2, -3, -3, 2]),
        (Operation::Modulo, [1, 2, -2, -1]),
    ] {
        let of = |a, b| crate::computed(operation, &[a, b]).expect("it has a value");
        assert_eq!([of(7, 3), of(-7, 3), of(7, -3), of(-7, -3)], values, "{operation:?}");
    }
}

#[test]
fn variables_are_not_merged_with_values() {
    let mut store = store();
    let is_a = store.is_value(Leaf(0), A);
    let is_not = store.not(is_a);
    let (variable, a) = (store.variable(Variable(0)), store.constant(A));
    assert_eq!(store.merged(&[(is_a, variable), (is_not, a)]), None);
    assert_eq!(store.merged(&[(is_a, variable), (is_not, variable)]), Some(variable));
}

/// What the lists of two ways share is there in both: its condition is none.
#[test]
fn lists_of_different_lengths_share_what_is_common() {
    let mut store = store();
    let is_a = store.is_value(Leaf(0), A);
    let is_not = store.not(is_a);
    let nil = store.constant(Cell::NIL);
    let [one, two, three] = [1, 2, 3].map(|value| store.constant(Cell::small(value)));
    let (long, short) = (store.list(&[one, two, three], nil), store.list(&[one, three], nil));
    let merged = store.merged(&[(is_a, long), (is_not, short)]).expect("there are no variables");
    let Shape::Pair(head, rest) = *store.shape(merged) else { panic!("the first is certain") };
    assert_eq!(head, one);
    let Shape::Present(rest) = store.shape(rest) else { panic!("the second may be absent") };
    assert_eq!(rest[..], [(is_a, two), (Condition::ALWAYS, three)]);
}

/// A leaf may be the empty list, and so may a list whose elements may be absent.
#[test]
fn a_leaf_is_a_list_where_it_is_empty() {
    let mut store = store();
    let (leaf, is_a) = (store.leaf(Leaf(0)), store.is_value(Leaf(1), A));
    let element = store.constant(B);
    let list = store.present(vec![(is_a, element)]);
    let same = store.identical(leaf, list).expect("it is worked out");
    let (is_nil, is_not) = (store.is_value(Leaf(0), Cell::NIL), store.not(is_a));
    assert_eq!(same, store.both(is_nil, is_not));
}

/// A limit is kept, and is seen.
#[test]
fn work_is_limited() {
    let bits: Box<[Cell]> = [Cell::small(0), Cell::small(1)].into();
    let domains: Vec<Domain> = (0..60).map(|_| Domain::Values(bits.clone())).collect();
    let mut store = Store::new(domains, 500);
    let mut all = Condition::ALWAYS;
    for leaf in 0..58 {
        let ways: Vec<Condition> =
            (0..3).map(|next| store.is_value(Leaf(leaf + next), Cell::small(1))).collect();
        let some = store.or(ways);
        all = store.both(all, some);
    }
    assert!(store.is_spent());
    assert!(store.work() < 1_000, "{}", store.work());
}

/// Comparisons of sums bound their leaves: to every value with which they hold in some state.
#[test]
fn comparisons_bound_their_leaves() {
    let small = Cell::small;
    let all = |low: i64, high: i64| (low..=high).map(small).collect::<Vec<Cell>>();
    let domains = [all(1, 8), all(4, 6)].map(|values| Domain::Values(values.into()));
    let mut store = Store::new(domains.into(), 1_000_000);
    let (mut bounded, mut compared) = (0, 0);
    for more in -6..=6 {
        for (relation, swapped, negated) in [
            (Relation::Less, false, false),
            (Relation::Less, true, false),
            (Relation::Less, false, true),
            (Relation::Less, true, true),
            (Relation::Equal, false, false),
            (Relation::Equal, false, true),
        ] {
            let [one, other] = [0, 1].map(|leaf| store.leaf(Leaf(leaf)));
            let more = store.integer(more).expect("it is small");
            let one = store.compute(Operation::Add, &[one, more]).expect("it is small");
            let (left, right) = if swapped { (other, one) } else { (one, other) };
            let mut condition = store.compare(relation, left, right);
            if negated {
                condition = store.not(condition);
            }
            let possible = store.possible(condition);
            for (a, b) in (1..=8).flat_map(|a| (4..=6).map(move |b| (a, b))) {
                let state = [small(a), small(b)];
                if store.holds(condition, &state) {
                    for (leaf, values) in &possible {
                        assert!(values.contains(&state[leaf.0 as usize]), "{condition:?} {a} {b}");
                    }
                }
            }
            compared += usize::from(!matches!(condition, Condition::ALWAYS | Condition::NEVER));
            bounded += usize::from(!possible.is_empty());
        }
    }
    assert!(bounded * 2 > compared && compared > 30, "{bounded} of {compared}");
}

#[test]
fn the_distance_of_sums_is_known() {
    let mut store = store();
    let [leaf, other] = [2, 3].map(|leaf| store.leaf(Leaf(leaf)));
    let sum = |store: &mut Store, of: Term, more: i64| {
        let more = store.integer(more).expect("it is small");
        store.compute(Operation::Add, &[of, more]).expect("it is small")
    };
    let (two, five) = (sum(&mut store, leaf, 2), sum(&mut store, leaf, 5));
    let elsewhere = sum(&mut store, other, 5);
    assert_eq!(store.distance(two, five), Some(3));
    assert_eq!(store.distance(five, leaf), Some(-5));
    assert_eq!(store.distance(two, elsewhere), None);
}

#[test]
fn an_accumulator_is_a_sum_of_what_each_leaf_adds() {
    const LEAVES: u32 = 300;
    let values: Box<[Cell]> = [A].into_iter().chain((0..4).map(Cell::small)).collect();
    let mut store = Store::new(vec![Domain::Values(values); LEAVES as usize], u64::MAX);
    let mut total = store.constant(Cell::ZERO);
    for leaf in (0..LEAVES).map(Leaf) {
        let nothing = store.is_value(leaf, A);
        let mut ways = Vec::new();
        for value in 0..4 {
            let number = store.constant(Cell::small(value * value));
            ways.push((store.is_value(leaf, Cell::small(value)), number));
        }
        let more = store.merged(&ways).expect("integers");
        let more = store.compute(Operation::Add, &[total, more]).expect("it is small");
        let some = store.not(nothing);
        total = store.merged(&[(nothing, total), (some, more)]).expect("integers");
    }
    // A pass over the sum for each leaf, at most.
    assert!(store.work() < u64::from(20 * LEAVES * LEAVES), "{}", store.work());
    let kinds = [A, Cell::small(0), Cell::small(1), Cell::small(2), Cell::small(3)];
    for step in 1..5 {
        let state: Vec<Cell> =
            (0..LEAVES as usize).map(|leaf| kinds[leaf * step / 3 % kinds.len()]).collect();
        let expected: i64 = state.iter().filter_map(|cell| cell.as_int()).map(|n| n * n).sum();
        assert_eq!(store.integer_in(total, &state), Some(expected));
    }
    // Deeper than the store allows, if each sum were nested in the next.
    let nested = store.structure(G, [total]);
    assert!(store.depth(nested) < LEAVES / 2, "{}", store.depth(nested));
}
