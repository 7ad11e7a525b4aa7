//! `specialize`: what the specialiser makes of a rule file.

use super::Failure;
use crate::domain::specialise::{Examined, Stage};
use crate::domain::{Contract, DomainKind, examine};
use crate::session::Session;
use std::path::Path;

/// Loads a file and specialises the contract predicates it defines; `predicate`, as
/// `rule/4`, picks one.
///
/// # Errors
/// The file can't be read or has errors, or it is no puzzle and no game.
pub fn specialise(
    session: &mut Session,
    file: &Path,
    predicate: Option<&str>,
    stage: Stage,
) -> Result<Vec<Examined>, Failure> {
    super::load(session, file)?;
    let contract = Contract::of(&session.machine);
    if contract.kind() == DomainKind::Program {
        return Err(Failure::NoGame { puzzle: false });
    }
    let examined = examine(&mut session.machine, &mut session.world, &contract, stage);
    let mut all = examined.map_err(|error| Failure::rule(session, &error))?;
    all.retain(|examined| predicate.is_none_or(|wanted| wanted == examined.indicator));
    Ok(all)
}
