//! Which load defines a predicate: loading a file again replaces what it defined before,
//! and clauses of one predicate belong together.

use super::World;
use super::loader::Loader;
use crate::diagnostic::Diagnostic;
use crate::machine::instr::Instr;
use crate::machine::{Kind, Machine, PredId, Space};
use crate::source::{Source, Span};
use crate::symbol::Atom;

/// Forgets what a file defined.
pub(super) fn unload(m: &mut Machine, file: u32) {
    for id in 0..m.program.preds.len() as u32 {
        if m.program.preds[id as usize].file == Some(file) {
            m.program.set_untabled(id);
            forget(m, id);
        }
    }
}

/// Forgets what a unit of tests defined.
pub(super) fn forget_space(m: &mut Machine, space: Space) {
    for id in 0..m.program.preds.len() as u32 {
        if m.program.preds[id as usize].space == space {
            forget(m, id);
        }
    }
}

fn forget(m: &mut Machine, pred: PredId) {
    let predicate = &mut m.program.preds[pred as usize];
    predicate.file = None;
    predicate.discontiguous = false;
    match predicate.kind {
        Kind::Dynamic => {
            for id in m.program.live_clauses(pred) {
                m.program.erase(id);
            }
            m.tidy(pred, false);
        }
        Kind::Static => {
            predicate.clauses.clear();
            m.program.define(pred, Kind::Undefined, Instr::Undefined { pred });
        }
        _ => {}
    }
}

/// Says that clauses of another file are replaced.
fn replaced(m: &Machine, loader: &Loader, pred: PredId, source: &Source, span: Span) -> Diagnostic {
    let indicator = m.program.indicator(pred, &m.symbols);
    let message = format!("`{indicator}` replaces the clauses of another file");
    let finding = Diagnostic::warning("W0409", message).at(source, span, "defined here").hint(
        format!("rename one of them; to add to them, write `:- multifile {indicator}.` in both"),
    );
    let first = m.program.live_clauses(pred).first().copied();
    let place = first.and_then(|id| m.program.clauses[id as usize].place.as_deref());
    match place.and_then(|place| Some((loader.sources.get(place.source as usize)?, place.span))) {
        Some((before, span)) => finding.also(before, span, "and here before"),
        None => finding,
    }
}

/// The predicate a clause of the load in progress belongs to, ready to take it.
pub(super) fn predicate_for(
    m: &mut Machine,
    w: &mut World,
    source: &Source,
    span: Span,
    name: Atom,
    arity: usize,
) -> Option<PredId> {
    let loading = w.loader.stack.last_mut().expect("a load is in progress");
    let (space, load) = (loading.space, loading.number);
    if space.is_users()
        && let Some(system) = m.program.lookup(name, arity, Space::System)
        && m.program.preds[system as usize].protected
    {
        let indicator = m.program.indicator(system, &m.symbols);
        let text = source.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let (message, hint) = match indicator.as_str() {
            // `a : - b, c.` and `a, b.`
            ",/2" | ":/2" if text.contains(": -") => {
                ("`:-` is written without a space".to_owned(), "write `:-` between head and body")
            }
            ",/2" => (
                "a clause ends with a full stop, not with `,`".to_owned(),
                "write `.` behind the first clause; or `:-` if what follows are its conditions",
            ),
            _ => (
                format!("`{indicator}` is built in and can't be redefined"),
                match m.symbols.name(name).starts_with(char::is_alphabetic) {
                    true => "give the predicate another name",
                    false => "a head comes before `:-`, and goals to be run stand behind it",
                },
            ),
        };
        let finding = Diagnostic::error("E0307", message).at(source, span, "").hint(hint);
        w.loader.diagnostics.push(finding);
        return None;
    }
    let pred = m.program.pred(name, arity, space);
    let contiguous = loading.last == Some(pred);
    loading.last = Some(pred);
    if contiguous {
        return Some(pred);
    }
    if loading.defined.insert(pred) {
        let predicate = &m.program.preds[pred as usize];
        let elsewhere = predicate.file != loading.file || loading.file.is_none();
        let has_clauses = predicate.kind == Kind::Static || predicate.file.is_some();
        let file = loading.file;
        if has_clauses && elsewhere && !predicate.multifile && space.is_users() {
            if predicate.file.is_some() && file.is_some() {
                let finding = replaced(m, &w.loader, pred, source, span);
                w.loader.diagnostics.push(finding);
            }
            if m.program.is_tabled_elsewhere(pred, load) {
                m.program.set_untabled(pred);
            }
            forget(m, pred);
        }
        m.program.preds[pred as usize].file = file;
    } else if !m.program.preds[pred as usize].discontiguous
        && m.program.preds[pred as usize].kind != Kind::Dynamic
        && loading.warned.insert(pred)
    {
        let indicator = m.program.indicator(pred, &m.symbols);
        let message = format!("clauses of `{indicator}` are not together");
        let finding = Diagnostic::warning("W0403", message)
            .at(source, span, "")
            .hint(format!("move them together, or write `:- discontiguous {indicator}.`"));
        w.loader.diagnostics.push(finding);
    }
    Some(pred)
}
