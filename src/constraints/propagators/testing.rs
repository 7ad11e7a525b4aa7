//! Propagators against a search of all assignments.

use crate::domain::Domain;
use crate::store::{Propagator, Store, Var};
use std::sync::Arc;

/// All assignments of values to variables with these domains that satisfy a test.
pub(crate) fn solutions(domains: &[Vec<i64>], holds: &dyn Fn(&[i64]) -> bool) -> Vec<Vec<i64>> {
    let mut found = vec![vec![]];
    for domain in domains {
        found = found
            .into_iter()
            .flat_map(|begun: Vec<i64>| {
                domain.iter().map(move |&value| [begun.clone(), vec![value]].concat())
            })
            .collect();
    }
    found.retain(|assignment| holds(assignment));
    found
}

/// All assignments that a store with such variables finds by trying values, after a constraint was posted.
/// Before each step, what it has ruled out is compared with what is a solution.
pub(crate) fn searched(domains: &[Vec<i64>], post: &dyn Fn(&mut Store, &[Var])) -> Vec<Vec<i64>> {
    let mut store = Store::new();
    let vars: Vec<Var> = domains
        .iter()
        .map(|values| store.new_var(Domain::of_values(values.iter().copied()).unwrap()))
        .collect();
    post(&mut store, &vars);
    let mut found = Vec::new();
    if store.propagate().is_ok() {
        label(&mut store, &vars, &mut found);
    }
    found
}

fn label(store: &mut Store, vars: &[Var], found: &mut Vec<Vec<i64>>) {
    let Some(&open) = vars.iter().find(|&&var| !store.is_fixed(var)) else {
        found.push(vars.iter().map(|&var| store.small_value(var).unwrap()).collect());
        return;
    };
    let values: Vec<i64> = store.domain(open).as_small().unwrap().values().collect();
    for value in values {
        let mark = store.mark();
        if store.fix_small(open, value).and_then(|()| store.propagate()).is_ok() {
            label(store, vars, found);
        }
        store.undo_to(mark);
    }
}

/// Checks that a search with the constraint finds its solutions, and no others, and that posting it
/// leaves each value of a solution.
pub(crate) fn agrees(
    domains: &[Vec<i64>],
    post: &dyn Fn(&mut Store, &[Var]),
    holds: &dyn Fn(&[i64]) -> bool,
) {
    assert_eq!(searched(domains, post), solutions(domains, holds), "domains {domains:?}");
}

/// Posts one propagator.
pub(crate) fn posting<P: Propagator + 'static>(
    make: impl Fn(&[Var]) -> P,
) -> impl Fn(&mut Store, &[Var]) {
    move |store, vars| {
        store.post(Arc::new(make(vars)));
    }
}
