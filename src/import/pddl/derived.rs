//! Checks of derived predicates: no action changes them, and none depends on the contrary of itself.

use super::definitions::Domain;
use super::formula::Condition;
use super::log::Log;
use std::collections::BTreeSet;

/// Finds what is wrong with the derived predicates of a domain.
pub fn check(domain: &Domain, log: &Log<'_>) {
    for derived in &domain.derived {
        let name = &derived.head.name;
        let depends =
            |other: &&&str| domain.depended_on(std::iter::once(**other)).contains(name.as_str());
        let mut effects = domain.actions.iter().flat_map(|action| &action.effects);
        if effects.any(|effect| effect.atom.name == *name) {
            let message = format!("`{name}` is derived, and an action changes it");
            log.error("E0827", derived.span, message);
        }
        let mut denied = BTreeSet::new();
        denied_by(&derived.condition, false, &mut denied);
        if let Some(through) = denied.iter().find(depends) {
            let message = format!(
                "`{name}` depends on the contrary of itself, through `{through}`, or on itself within `forall`"
            );
            log.error("E0827", derived.span, message);
        }
    }
}

/// The predicates that are asked for within a condition that something does not hold: `forall` is one, as there
/// is no object for which the contrary holds.
fn denied_by<'c>(condition: &'c Condition, within: bool, into: &mut BTreeSet<&'c str>) {
    match condition {
        Condition::Atom(holds, atom) => {
            if within || !holds {
                into.insert(&atom.name);
            }
        }
        Condition::Same(..) => {}
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| denied_by(part, within, into));
        }
        Condition::Exists(some, _, inner) => denied_by(inner, within || !some, into),
    }
}
