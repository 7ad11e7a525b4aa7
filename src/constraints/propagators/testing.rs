//! Propagators against a search of all assignments.

use super::Code;
use crate::domain::Domain;
use crate::shown::Var;
use crate::store::Store;

/// All assignments of values to variables with these domains that satisfy a test.
pub(super) fn solutions(domains: &[Vec<i64>], holds: &dyn Fn(&[i64]) -> bool) -> Vec<Vec<i64>> {
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

pub(super) fn new_vars(store: &mut Store, domains: &[Vec<i64>]) -> Vec<Var> {
    let domain = |values: &Vec<i64>| Domain::of_values(values.iter().copied()).unwrap();
    domains.iter().map(|values| store.new_var(domain(values))).collect()
}

fn all_domains(store: &Store) -> Vec<Domain> {
    (0..store.len() as u32).map(|var| store.domain(Var(var)).clone()).collect()
}

/// Searches by trying values, and checks at each step that domains come back when it is undone.
pub(super) fn search(store: &mut Store, vars: &[Var], found: &mut Vec<Vec<i64>>) {
    let Some(&open) = vars.iter().find(|&&var| !store.is_fixed(var)) else {
        found.push(vars.iter().map(|&var| store.small_value(var).unwrap()).collect());
        return;
    };
    let before = all_domains(store);
    let choices: Vec<i64> = store.domain(open).as_small().unwrap().values().collect();
    for value in choices {
        let mark = store.mark();
        if store.fix_small(open, value).and_then(|()| store.propagate()).is_ok() {
            search(store, vars, found);
        }
        store.undo_to(mark);
        assert!(before == all_domains(store), "a domain has not come back");
    }
}

/// Checks that a search with the constraint finds its solutions, and no others.
pub(super) fn agrees(
    domains: &[Vec<i64>],
    post: &dyn Fn(&mut Store, &[Var]),
    holds: &dyn Fn(&[i64]) -> bool,
) {
    let mut store = Store::default();
    let vars = new_vars(&mut store, domains);
    post(&mut store, &vars);
    let mut found = Vec::new();
    if store.propagate().is_ok() {
        search(&mut store, &vars, &mut found);
    }
    assert_eq!(found, solutions(domains, holds), "domains {domains:?}");
}

pub(super) fn posting(make: impl Fn(&[Var]) -> Code) -> impl Fn(&mut Store, &[Var]) {
    move |store, vars| {
        store.post(make(vars));
    }
}
