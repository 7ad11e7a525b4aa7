//! Rules that change only places where something stands already.
//!
//! In Connect Four what is above an empty square is empty, and a rule may say so of all squares at each move. Where
//! a place has one value at most, such a rule changes nothing there that is kept: the place has the
//! value that it had. That something stands on the place is claimed for each rule of what it asks of the state,
//! and proved by induction as other invariants are: what is claimed of a state gives facts of it, and
//! next a place that is said to be empty is refuted.

use super::board::Board;
use super::invariants::{are_never_next, assumed_but_fluents, is_of_state};
use super::order;
use super::plays::Plays;
use super::program::{Program, key};
use super::syntax::{Atom, Literal, Rule, Term, fluent};
use super::tableau::{Case, Prover};
use super::unify::renamed;
use std::rc::Rc;

/// Goals of derivations before the proofs of a game are given up.
const BUDGET: u64 = 100_000;

/// Rules for `next` that say what comes to stand on places with one value at most where, as is proved, something
/// stands.
pub fn covered<'a>(prover: &mut Prover<'a>, plays: &mut Plays, boards: &[Board]) -> Vec<&'a Rule> {
    let program = prover.program;
    prover.left = BUDGET;
    prover.by_ranges = true;
    let mut covered: Vec<&Rule> = Vec::new();
    let mut claims: Vec<(&Rule, Rc<Rule>)> = Vec::new();
    for rule in program.rules_of(&key("next", 1)) {
        let Some(claim) = claim(program, rule, boards) else { continue };
        match has_own_place(&claim) {
            true => covered.push(rule),
            false => {
                // No state was met in which the place is empty, the first one among them.
                let asks = claim.asked().any(|atom| atom.name == "true");
                if asks && plays.meet(&without_value(&claim)) == Ok(false) {
                    claims.push((rule, Rc::new(claim)));
                }
            }
        }
    }
    // Each proof may use all claims; what fails takes that away from them.
    loop {
        prover.implied = claims.iter().map(|(_, claim)| Rc::clone(claim)).collect();
        let failed = claims.iter().position(|(_, claim)| !stays_occupied(prover, claim));
        match failed {
            Some(nth) => claims.remove(nth),
            None => break,
        };
    }
    prover.implied.clear();
    covered.extend(claims.into_iter().map(|(rule, _)| rule));
    covered
}

/// What a rule asks of the state, and as the head that its place has a value: the last variable.
fn claim(program: &Program, rule: &Rule, boards: &[Board]) -> Option<Rule> {
    let (name, arity) = fluent(&rule.head)?.functor()?;
    let board = boards.iter().find(|board| board.functor.0 == name && board.functor.1 == arity)?;
    let value = board.value.filter(|_| board.single && !board.keys.is_empty())?;
    let body = rule.body.iter().filter(|literal| is_of_state(program, literal)).cloned();
    let mut claim = Rule { body: body.collect(), ..rule.clone() };
    let bound = claim.bound();
    let mut args = fluent(&rule.head)?.args().to_vec();
    args[value] = Term::Var(rule.vars.len());
    let known = |(n, arg): (usize, &Term)| n == value || order::is_bound(arg, &bound);
    if rule.own().is_some() || !args.iter().enumerate().all(known) {
        return None;
    }
    claim.vars.push("value".to_owned());
    claim.body.retain(|literal| literal.vars().iter().all(|var| bound.contains(var)));
    claim.head = Atom::new("true", &[Term::Function(name.to_owned(), args)]);
    Some(claim)
}

/// Whether a claim says of its conditions alone that something stands on the place.
fn has_own_place(claim: &Rule) -> bool {
    let value = Term::Var(claim.vars.len() - 1);
    let Some(place) = fluent(&claim.head) else { return false };
    claim.asked().filter_map(fluent).any(|other| {
        let pairs = other.args().iter().zip(place.args());
        other.functor() == place.functor()
            && pairs.into_iter().all(|(arg, known)| arg == known || *known == value)
    })
}

fn without_value(claim: &Rule) -> Rule {
    let mut rule = claim.clone();
    rule.body.push(Literal::Negative(claim.head.clone()));
    rule.head = Atom::new("empty", &[]);
    rule
}

/// Whether no combination of rules says what the claim asks to hold next, but nothing of its place.
fn stays_occupied(prover: &mut Prover<'_>, claim: &Rule) -> bool {
    let mut case = Case::default();
    let claim = renamed(claim, &mut case.free);
    let value = case.free - 1;
    let fluents = assumed_but_fluents(&mut case, claim.body);
    case.denied.push((Atom::new("next", &claim.head.args), vec![value]));
    are_never_next(prover, case, &fluents, &mut |prover, case| prover.refute(case))
}
