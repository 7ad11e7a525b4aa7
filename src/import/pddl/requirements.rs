//! Requirements: which are understood, what they stand for, and those that a task uses without naming them.

use super::log::Log;
use crate::sexpr::Node;
use std::collections::{BTreeMap, BTreeSet};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};

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

/// What is used and not named: common, and harmless.
pub fn missing(
    source: &Source,
    uses: &BTreeMap<&'static str, Span>,
    named: &BTreeSet<&'static str>,
    findings: &mut Vec<Diagnostic>,
) {
    for (requirement, span) in uses.iter().filter(|(requirement, _)| !named.contains(*requirement))
    {
        let message = format!("this needs `{requirement}`, which `:requirements` does not name");
        findings.push(Diagnostic::warning("W0820", message).at(source, *span, ""));
    }
}
