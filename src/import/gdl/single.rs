//! Places that never have several values, proved from the rules.
//!
//! A state in which no place has two values leads to such states only if no two rules say different values
//! of one place to hold next: then what both ask for can't be. That is refuted by a tableau (`tableau`); where
//! it takes more to be known of states, that is looked for (`invariants`). (Proofs of invariants by induction
//! over states: S. Haufe, S. Schiffel, M. Thielscher, *Automated verification of state sequence invariants in
//! general game playing*, 2012; there by answer sets, over ground rules.)

use super::board::Board;
use super::interpret::Interpreter;
use super::invariants::{self, stays_single};
use super::plays::Plays;
use super::program::Program;
use super::relaxed::Reach;
use super::syntax::Key;
use super::table::is_determined;
use super::tableau::{Prover, Statics};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Goals of derivations before the proof for a relation is given up.
const BUDGET: u64 = 200_000;

/// Finds out which boards have one value on a place at most, in all states.
pub fn prove(
    program: &Program,
    interpreter: &Interpreter,
    reach: &Reach,
    plays: &mut Plays,
    boards: &mut [Board],
) {
    let values: FxHashMap<Key, usize> = boards
        .iter()
        .filter_map(|board| Some((board.functor.clone(), board.value?)))
        .filter(|(functor, value)| is_single_at_first(interpreter, functor, *value))
        .collect();
    if values.is_empty() {
        return;
    }
    let statics = Rc::new(Statics::of(program, interpreter, reach));
    let mut prover = Prover::new(program, &statics, BUDGET);
    prover.values = values.clone();
    // Each proof may use that the others have one value; what fails takes that away from them.
    loop {
        let mut all: Vec<Key> = prover.values.keys().cloned().collect();
        all.sort_unstable();
        let fails = |functor: &Key| {
            prover.left = BUDGET;
            !stays_single(&mut prover, functor, &mut |prover, case| prover.refute(case))
        };
        match all.into_iter().find(fails) {
            Some(functor) => prover.values.remove(&functor),
            None => break,
        };
    }
    if prover.values.len() < values.len() {
        let (proved, _) = invariants::prove(program, &statics, plays, &values, &prover.values);
        prover.values.extend(proved);
    }
    for board in boards {
        board.single = prover.values.contains_key(&board.functor);
    }
}

fn is_single_at_first(interpreter: &Interpreter, functor: &Key, value: usize) -> bool {
    let terms = &interpreter.terms;
    let own = interpreter.initial.iter().filter(|&&fact| terms.is_of(fact, functor));
    is_determined(own.map(|&fact| terms.get(fact).1), value)
}
