//! Sequences that an automaton accepts, by tables of its transitions (Beldiceanu, Carlsson, Debruyne and
//! Petit, *Reformulation of global constraints based on constraints checkers*, Constraints 10(4), 2005).

use super::table::{Relation, post_table};
use crate::domain::Domain;
use crate::store::{Fail, Step, Store, Var};
use num_bigint::BigInt;
use std::sync::Arc;

/// A transition of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The state that it is from.
    pub from: i64,
    /// What it reads.
    pub label: BigInt,
    /// The state that it leads to.
    pub to: i64,
    /// For each counter, which of its expressions gives its next value.
    pub updates: Vec<i64>,
}

/// Posts that an automaton that begins in a source, and reads the values of the signature, ends in a
/// sink.
///
/// Before the transitions of a step are posted, `update` is told which step it is, from 0 on, and for
/// each counter the variable whose value says which of its expressions is taken, so that it
/// relates the values before and after it.
///
/// The tables make a chain whose neighbours share one state, and so without counters leave each
/// variable the values of sequences that are accepted.
///
/// # Errors
/// The automaton accepts no such sequence.
pub fn post_automaton(
    store: &mut Store,
    signature: &[Var],
    sources: &[i64],
    sinks: &[i64],
    transitions: &[Transition],
    update: &mut dyn FnMut(&mut Store, usize, &[Var]) -> Step,
) -> Step {
    let counters = transitions.first().map_or(0, |transition| transition.updates.len());
    let row = |transition: &Transition| {
        let Transition { from, label, to, updates } = transition;
        let mut row = vec![BigInt::from(*from), label.clone(), BigInt::from(*to)];
        row.extend(updates.iter().map(|&update| BigInt::from(update)));
        row
    };
    let rows: Vec<Vec<BigInt>> = transitions.iter().map(row).collect();
    let relation = Arc::new(Relation::new(3 + counters, &rows));
    let sources = Domain::of_values(sources.iter().copied()).ok_or(Fail)?;
    let sinks = Domain::of_values(sinks.iter().copied()).ok_or(Fail)?;
    let start = store.new_var(sources);
    let mut tuples = Vec::with_capacity(signature.len());
    let mut state = start;
    for (step, &label) in signature.iter().enumerate() {
        let next = store.new_var(Domain::all());
        let choices: Vec<Var> = (0..counters)
            .map(|counter| {
                let taken = transitions.iter().map(|transition| transition.updates[counter]);
                store.new_var(Domain::of_values(taken).expect("there are transitions"))
            })
            .collect();
        update(store, step, &choices)?;
        tuples.push([&[state, label, next], &*choices].concat());
        state = next;
    }
    store.intersect(state, &sinks)?;
    tuples.iter().try_for_each(|tuple| post_table(store, tuple, &relation))
}
