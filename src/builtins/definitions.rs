//! Which load defines a predicate: loading a file again replaces what it defined before,
//! and clauses of one predicate belong together.

use super::World;
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
        let finding =
            Diagnostic::error("E0307", format!("`{indicator}` is built in and can't be redefined"))
                .at(source, span, "")
                .hint("give the predicate another name");
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
        if has_clauses && elsewhere && !predicate.multifile && space.is_users() {
            if m.program.is_tabled_elsewhere(pred, load) {
                m.program.set_untabled(pred);
            }
            forget(m, pred);
        }
        m.program.preds[pred as usize].file = loading.file;
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
