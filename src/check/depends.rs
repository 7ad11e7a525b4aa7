//! Rules that are no functions of the state: what [`impurities`] knows, in words.

use crate::builtins::World;
use crate::diagnostic::Diagnostic;
use crate::domain::DomainKind;
use crate::domain::purity::{Category, Witness, impurities};
use crate::machine::Machine;

/// One finding for each goal through which contract predicates depend on more than the state.
pub(super) fn on_more(m: &Machine, w: &World, kind: DomainKind) -> Vec<Diagnostic> {
    let mut goals: Vec<(Witness, Vec<String>)> = Vec::new();
    for impurity in impurities(m, w, kind) {
        for witness in impurity.witnesses {
            // A start may be drawn by chance; it is the same for the whole search.
            let start = impurity.predicate.starts_with("initial_state/");
            let harmless = witness.category == Category::Cache
                || start && witness.category != Category::Changes;
            if harmless {
                continue;
            }
            let same = |known: &&mut (Witness, Vec<String>)| {
                let other = &known.0;
                let span = |w: &Witness| w.place.as_ref().map(|place| place.1);
                other.goal == witness.goal
                    && other.category == witness.category
                    && other.changed == witness.changed
                    && span(other) == span(&witness)
            };
            match goals.iter_mut().find(same) {
                Some(known) => known.1.push(impurity.predicate.clone()),
                None => goals.push((witness, vec![impurity.predicate.clone()])),
            }
        }
    }
    goals.iter().map(|(witness, asked)| told(witness, asked)).collect()
}

fn told(witness: &Witness, asked: &[String]) -> Diagnostic {
    let predicates = asked.join(", ");
    let (code, hint) = match witness.category {
        Category::Changes | Category::Cache => {
            ("W0515", "what a search must know belongs into the state")
        }
        Category::Random => (
            "W0514",
            "a move of chance is a move of the player `chance`, with probability/3; in a puzzle \
             a rule gives all moves there are",
        ),
        _ => ("W0514", "what a search must know belongs into the state, or into facts"),
    };
    let mut message = format!(
        "what {predicates} answers depends on {}, not on the state alone",
        witness.category.source()
    );
    if let Some(changed) = &witness.changed {
        message += &format!(": {} changes {changed}", witness.goal);
    } else {
        message += &format!(": {} is called", witness.goal);
    }
    let finding = Diagnostic::warning(code, message).hint(hint);
    match &witness.place {
        Some((source, span)) => finding.at(source, *span, ""),
        None => finding,
    }
}
