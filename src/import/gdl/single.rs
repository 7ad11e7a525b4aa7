//! Places that never have several values, proved from the rules.
//!
//! A state in which no place has two values leads to such states only if no two rules say different values
//! of one place to hold next: then what both ask for can't be. That is refuted by a tableau (`tableau`); where
//! it takes more to be known of states, that is looked for (`invariants`). (Proofs of invariants by induction
//! over states: S. Haufe, S. Schiffel, M. Thielscher, *Automated verification of state sequence invariants in
//! general game playing*, 2012; there by answer sets, over ground rules.)

use super::boards::Board;
use super::interpret::Interpreter;
use super::invariants;
use super::plays::Plays;
use super::program::{Program, fluent, key};
use super::relaxed::Reach;
use super::syntax::{Key, Rule, Term};
use super::table::is_determined;
use super::tableau::{Case, Prover, Statics};
use super::unify::{renamed, unify};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Goals of derivations before the proofs of a game are given up.
const BUDGET: u64 = 200_000;

/// Finds out which boards have one value on a place at most, in all states, and gives a prover that takes what
/// is proved for granted.
pub fn prove<'a>(
    program: &'a Program,
    interpreter: &Interpreter,
    reach: &Reach,
    plays: &mut Plays,
    boards: &mut [Board],
) -> Option<Prover<'a>> {
    let values: FxHashMap<Key, usize> = boards
        .iter()
        .filter_map(|board| Some((board.functor.clone(), board.value?)))
        .filter(|(functor, value)| is_single_at_first(interpreter, functor, *value))
        .collect();
    if values.is_empty() {
        return None;
    }
    let statics = Rc::new(Statics::of(program, interpreter, reach));
    let mut prover = Prover::new(program, &statics, BUDGET);
    prover.values = values.clone();
    // Each proof may use that the others have one value; what fails takes that away from them.
    loop {
        let mut all: Vec<Key> = prover.values.keys().cloned().collect();
        all.sort_unstable();
        let mut refute = |prover: &mut Prover<'_>, case| prover.refute(case);
        match all.into_iter().find(|functor| !stays_single(&mut prover, functor, &mut refute)) {
            Some(functor) => prover.values.remove(&functor),
            None => break,
        };
    }
    if prover.values.len() < values.len() {
        let proved = invariants::prove(program, &statics, plays, &values, &prover.values);
        prover.values.extend(proved.values);
        prover.never = proved.never.into_iter().enumerate().collect();
    }
    for board in boards {
        board.single = prover.values.contains_key(&board.functor);
    }
    Some(prover)
}

fn is_single_at_first(interpreter: &Interpreter, functor: &Key, value: usize) -> bool {
    let terms = interpreter.terms();
    let own = interpreter.initial().iter().filter(|&&fact| terms.is_of(fact, functor));
    is_determined(own.map(|&fact| terms.get(fact).1), value)
}

/// How a case is refuted.
pub type Refute<'r, 'a> = dyn FnMut(&mut Prover<'a>, Case) -> bool + 'r;

/// The rules that say what of a relation of fluents holds next.
pub fn rules_of_next<'a>(program: &'a Program, (name, arity): (&str, usize)) -> Vec<&'a Rule> {
    program.rules_of(&key("next", 1)).filter(|rule| is_of_next(rule, (name, arity))).collect()
}

/// Whether a rule says what holds next, of fluents with this functor.
pub fn is_of_next(rule: &Rule, functor: (&str, usize)) -> bool {
    rule.head.name == "next" && fluent(&rule.head).and_then(Term::functor) == Some(functor)
}

/// Whether the rules never say two values of a place to hold next.
pub fn stays_single<'a>(
    prover: &mut Prover<'a>,
    functor: &Key,
    refute: &mut Refute<'_, 'a>,
) -> bool {
    let rules = rules_of_next(prover.program, (&functor.0, functor.1));
    let value = prover.values[functor];
    let pairs = (0..rules.len()).flat_map(|one| (one..rules.len()).map(move |two| (one, two)));
    pairs
        .filter_map(|(one, two)| two_values(rules[one], rules[two], value))
        .all(|case| refute(prover, case))
}

/// The case in which two rules say different values of one place to hold next, if it is not excluded.
fn two_values(one: &Rule, two: &Rule, value: usize) -> Option<Case> {
    let mut case = Case::default();
    let one = renamed(one, &mut case.free);
    let two = renamed(two, &mut case.free);
    let (left, right) = (fluent(&one.head)?, fluent(&two.head)?);
    let mut places = (0..left.args().len()).filter(|&n| n != value);
    if !places.all(|n| unify(&left.args()[n], &right.args()[n], 0, &mut case.bindings)) {
        return None;
    }
    case.different.push((left.args()[value].clone(), right.args()[value].clone()));
    (case.assume(&one, 0) && case.assume(&two, 0)).then_some(case)
}
