//! Where the goals of a clause stand in the text, through the translation of grammar rules.

use super::dcg::{self, Translator};
use zug_machine::Machine;
use zug_term::source::Span;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap};

/// Translates a grammar rule; new goals take the place of the part they come from.
pub(super) fn translate(
    m: &mut Machine,
    heap: &mut Heap,
    rule: Cell,
    spans: &mut Vec<(usize, Span)>,
) -> Result<Cell, String> {
    let old = heap.top();
    let mut translator = Translator { heap, symbols: &mut m.symbols, origins: Vec::new() };
    let clause = translator.rule(rule).map_err(|problem| match problem {
        dcg::Problem::Unbound => "the head of this grammar rule is a variable".to_owned(),
        dcg::Problem::NotCallable(_) => {
            "a part of this grammar rule is neither a nonterminal nor a list".to_owned()
        }
        dcg::Problem::NotList(_) => "terminals must be a proper list".to_owned(),
    })?;
    let origins = translator.origins;
    // Where each part of the old body stood, by the part.
    let part_spans: rustc_hash::FxHashMap<Cell, Span> =
        spans.iter().map(|&(addr, span)| (heap.deref(heap.at(addr)), span)).collect();
    let new_goals: rustc_hash::FxHashMap<Cell, Span> =
        origins.iter().filter_map(|(goal, part)| Some((*goal, *part_spans.get(part)?))).collect();
    for addr in old..heap.top() {
        if let Some(&span) = new_goals.get(&heap.at(addr)) {
            spans.push((addr, span));
        }
    }
    Ok(clause)
}

/// Spans of the cells that hold goals of a clause's body.
pub(super) fn goal_spans(heap: &Heap, clause: Cell, spans: &[(usize, Span)]) -> Box<[(u32, Span)]> {
    let mut found = Vec::new();
    let mut todo = vec![clause.addr() + 2];
    while let Some(slot) = todo.pop() {
        if let Ok(at) = spans.binary_search_by_key(&slot, |entry| entry.0) {
            found.push((slot as u32, spans[at].1));
        }
        match heap.name_arity(heap.at(slot)) {
            Some((
                atoms::COMMA
                | atoms::SEMICOLON
                | atoms::ARROW
                | atoms::SOFT_ARROW
                | atoms::BAR
                | atoms::FORALL,
                2,
                args,
            )) => todo.extend([args, args + 1]),
            Some((atoms::NOT_PROVABLE | atoms::NOT | atoms::ONCE | atoms::IGNORE, 1, args)) => {
                todo.push(args);
            }
            Some((atoms::FINDALL, 3, args)) => todo.push(args + 1),
            _ => {}
        }
    }
    found.sort_unstable_by_key(|entry| entry.0);
    found.into()
}
