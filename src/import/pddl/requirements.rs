//! Requirements: which are understood, and what they stand for.

use super::log::Log;
use crate::sexpr::Node;
use std::collections::BTreeSet;
use zug_term::diagnostic::Diagnostic;

/// The requirements that are understood, and others that each stands for.
const SUPPORTED: &[(&str, &[&str])] = &[
    (":strips", &[]),
    (":typing", &[]),
    (":negative-preconditions", &[]),
    (":negation", &[":negative-preconditions"]),
    (":disjunctive-preconditions", &[]),
    (":equality", &[]),
    (":existential-preconditions", &[]),
    (":universal-preconditions", &[]),
    (":quantified-preconditions", &[":existential-preconditions", ":universal-preconditions"]),
    (":conditional-effects", &[]),
    (
        ":adl",
        &[
            ":typing",
            ":negative-preconditions",
            ":disjunctive-preconditions",
            ":equality",
            ":existential-preconditions",
            ":universal-preconditions",
            ":conditional-effects",
        ],
    ),
    (":action-costs", &[]),
    (":derived-predicates", &[]),
];

/// What some words of `:requirements` stand for.
pub fn read(log: &Log<'_>, nodes: &[Node], into: &mut BTreeSet<&'static str>) {
    for node in nodes {
        let Some(word) = log.word(node) else { continue };
        match SUPPORTED.iter().find(|(known, _)| *known == word) {
            Some((known, others)) => {
                into.insert(known);
                into.extend(*others);
            }
            None => {
                let message = format!("the requirement `{word}` is not supported");
                let known = SUPPORTED.iter().map(|(known, _)| *known);
                log.meant(Diagnostic::error("E0822", message), node.span, word, known);
            }
        }
    }
}
