//! `specialize`: what the specialiser makes of a rule file.

use super::Failure;
use zug_code::{Examined, Stage};
use zug_domain::{Contract, DomainKind, examine};
use zug_prolog::session::Session;

/// Specialises the contract predicates of the program that a session has loaded; `predicate`,
/// as `rule/4`, picks one.
///
/// # Errors
/// It is no puzzle and no game, has no such predicate, or no state to begin with.
pub fn specialise(
    session: &mut Session,
    predicate: Option<&str>,
    stage: Stage,
) -> Result<Vec<Examined>, Failure> {
    let contract = Contract::of(&session.machine);
    if matches!(contract.kind(), DomainKind::Program | DomainKind::Simultaneous) {
        return Err(Failure::NoDomain);
    }
    let examined = examine(&mut session.machine, &mut session.world, &contract, stage, None);
    let all = examined.map_err(|error| Failure::rule(session, &error))?;
    let Some(wanted) = predicate else { return Ok(all) };
    let mut known: Vec<String> = Vec::new();
    for examined in &all {
        if !known.iter().any(|known| known == examined.indicator) {
            known.push(examined.indicator.to_owned());
        }
    }
    let (found, _): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|examined| wanted == examined.indicator);
    if found.is_empty() {
        return Err(Failure::NoSuchPredicate(wanted.to_owned(), known));
    }
    Ok(found)
}
