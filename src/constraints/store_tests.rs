//! Variables that are joined.

use crate::domain::Domain;
use crate::shown::Var;
use crate::store::Store;

const COUNT: u32 = 1000;

fn variables() -> Store {
    let mut store = Store::default();
    for _ in 0..COUNT {
        store.new_var(Domain::small(0, 9).expect("in order"));
    }
    store
}

/// Joins neighbours in an order, and takes that back.
fn joined(pairs: impl Iterator<Item = u32>) {
    let mut store = variables();
    let mark = store.mark();
    for at in pairs {
        store.join(Var(at), Var(at + 1)).expect("they have the same values");
    }
    for at in 0..COUNT {
        assert_eq!(store.find(Var(at)), Var(0), "the oldest one stands for all");
        assert!(store.depth(Var(at)) <= 10, "{at}: {}", store.depth(Var(at)));
    }
    store.undo_to(mark);
    for at in 0..COUNT {
        assert_eq!((store.find(Var(at)), store.depth(Var(at))), (Var(at), 0));
    }
}

#[test]
fn chains_of_joined_variables_are_not_deep() {
    joined(0..COUNT - 1);
    joined((0..COUNT - 1).rev());
    joined((0..COUNT - 1).step_by(2).chain((1..COUNT - 1).step_by(2)));
}

#[test]
fn what_was_joined_later_is_taken_back_first() {
    let mut store = variables();
    store.join(Var(5), Var(7)).expect("the same values");
    let mark = store.mark();
    store.join(Var(7), Var(2)).expect("the same values");
    store.fix_small(Var(5), 4).expect("it has this value");
    assert_eq!(store.small_value(Var(2)), Some(4));
    store.undo_to(mark);
    assert_eq!(store.find(Var(7)), Var(5));
    assert_eq!(store.find(Var(2)), Var(2));
    assert_eq!((store.small_value(Var(2)), store.small_value(Var(7))), (None, None));
}
