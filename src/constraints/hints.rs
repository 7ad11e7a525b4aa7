//! Advice for exceptions of variables that have constraints and no value.

use crate::domain::Domain;
use crate::number::Bound;
use zug_machine::{Machine, Trace};
use zug_prolog::World;
use zug_prolog::builtins::messages;

/// The variable of a list that could not be labelled last.
#[derive(Clone, Debug)]
pub(crate) struct Unlabelled {
    /// Its place in the list, from 1 on.
    pub place: usize,
    pub domain: Domain,
}

/// A hint that knows more than that of an error which speaks of a variable without a value.
pub(crate) fn better_hint(
    m: &Machine,
    w: &World,
    trace: &Trace,
    hint: Option<&str>,
) -> Option<String> {
    if hint != Some(messages::UNBOUND) {
        return None;
    }
    let (name, arity) = trace.raised_in?;
    let constraint = match (m.symbols.name(name), arity) {
        ("labeling", 2) => {
            return w.slots.get::<Unlabelled>().map(bounds_wanted);
        }
        ("is" | "=:=", 2) => "#=",
        ("=\\=", 2) => "#\\=",
        ("<", 2) => "#<",
        ("=<", 2) => "#=<",
        (">", 2) => "#>",
        (">=", 2) => "#>=",
        _ => return None,
    };
    let is_ours = m.symbols.lookup("#=").is_some_and(|name| w.operators.infix(name).is_some());
    (trace.on_attributed && is_ours).then(|| {
        format!(
            "a variable with constraints gets its value by `label/1`; `{constraint}` holds without one"
        )
    })
}

fn bounds_wanted(unlabelled: &Unlabelled) -> String {
    let place = unlabelled.place;
    let (lo, hi) = (unlabelled.domain.lo(), unlabelled.domain.hi());
    let (lacks, example) = match (lo == Bound::Inf, hi == Bound::Sup) {
        (true, true) => ("bounds", "X in 0..100"),
        (true, false) => ("lower bound", "X #>= 0"),
        _ => ("upper bound", "X #=< 100"),
    };
    format!(
        "variable {place} of the list has no {lacks}: say first which values it has, as `{example}`"
    )
}
