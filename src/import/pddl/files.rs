//! Definitions of a domain and of problems, in any order, in one file or several.

use crate::sexpr::{self, Node};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};

/// `(define (KIND NAME) …)`, in lower case.
pub struct Definition<'a> {
    pub source: &'a Source,
    /// `domain` or `problem`.
    pub kind: String,
    pub name: String,
    /// Where kind and name stand.
    pub head: Span,
    /// The parts behind the name, with the comments before them.
    pub parts: Vec<Node>,
}

/// The domain of some files and the problems of it, if there is one of the one and some of the others.
pub fn task<'a>(
    sources: &'a [Source],
    faults: &mut Vec<Diagnostic>,
) -> Option<(Definition<'a>, Vec<Definition<'a>>)> {
    let mut all = Vec::new();
    sources.iter().for_each(|source| definitions(source, &mut all, faults));
    let (domains, problems): (Vec<Definition<'_>>, Vec<Definition<'_>>) =
        all.into_iter().partition(|definition| definition.kind == "domain");
    let mut domains = domains.into_iter();
    let domain = domains.next();
    for second in domains {
        let message = format!("a second domain, `{}`: a task has one", second.name);
        let fault = Diagnostic::error("E0811", message).at(second.source, second.head, "");
        faults.push(match &domain {
            Some(first) => fault.also(first.source, first.head, "the first"),
            None => fault,
        });
    }
    match (domain, problems.first()) {
        (Some(domain), Some(_)) => return Some((domain, problems)),
        // What is missing may stand in what can't be read.
        _ if !faults.is_empty() => {}
        (Some(domain), None) => {
            let message = "there is a domain and no problem: name the file of a problem too";
            faults.push(Diagnostic::error("E0811", message).at(domain.source, domain.head, ""));
        }
        (None, Some(problem)) => {
            let message = "there is a problem and no domain: name the file of the domain too";
            faults.push(Diagnostic::error("E0811", message).at(problem.source, problem.head, ""));
        }
        (None, None) => {
            let message =
                "there is no `(define (domain NAME) …)` and no `(define (problem NAME) …)`";
            let fault = Diagnostic::error("E0820", message);
            faults.push(match sources.first() {
                Some(source) => fault.at(source, Span::new(0, 0), ""),
                None => fault,
            });
        }
    }
    None
}

fn definitions<'a>(
    source: &'a Source,
    into: &mut Vec<Definition<'a>>,
    faults: &mut Vec<Diagnostic>,
) {
    // Only letters of ASCII change, so that places stay.
    let lower = Source { text: source.text.to_ascii_lowercase().into(), ..source.clone() };
    let mut found = Vec::new();
    let forms = sexpr::read(&lower, b"?", &mut found);
    let is_read = found.is_empty();
    // What is wrong is shown as it is written.
    faults.extend(found.into_iter().map(|mut fault| {
        fault.primary.iter_mut().for_each(|label| label.source = source.clone());
        fault
    }));
    if !is_read {
        return;
    }
    for form in forms {
        match definition(source, &form.node) {
            Some(definition) => into.push(definition),
            None => {
                let message =
                    "`(define (domain NAME) …)` or `(define (problem NAME) …)` is expected here";
                faults.push(Diagnostic::error("E0820", message).at(source, form.node.span, ""));
            }
        }
    }
}

fn definition<'a>(source: &'a Source, node: &Node) -> Option<Definition<'a>> {
    let ("define", [head, parts @ ..]) = node.call()? else { return None };
    let (kind @ ("domain" | "problem"), [name]) = head.call()? else { return None };
    Some(Definition {
        source,
        kind: kind.to_owned(),
        name: name.symbol()?.to_owned(),
        head: head.span,
        parts: parts.to_vec(),
    })
}
