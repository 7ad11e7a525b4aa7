//! What a program does to its own text while it is loaded: `term_expansion/2` and
//! `goal_expansion/2`; and warnings about the names of variables.

use super::World;
use super::loader::describe_ball;
use crate::diagnostic::Diagnostic;
use crate::machine::{Fault, Machine, Outcome, Run, Space};
use crate::source::{Source, Span};
use crate::symbol::atoms;
use crate::syntax::ReadTerm;
use crate::term::{Cell, Heap, Record};

fn user_predicate(m: &mut Machine, name: &str, arity: usize) -> bool {
    let Some(name) = m.symbols.lookup(name) else { return false };
    m.program
        .lookup(name, arity, Space::User)
        .is_some_and(|id| !m.program.live_clauses(id).is_empty())
}

/// Lets the user's `term_expansion/2` rewrite a term: what it gives, if it has an answer.
pub(super) fn expand_term(
    m: &mut Machine,
    w: &mut World,
    source: &Source,
    heap: &mut Heap,
    term: &ReadTerm,
) -> Result<Option<Record>, Fault> {
    if !user_predicate(m, "term_expansion", 2) {
        return Ok(None);
    }
    let before = m.heap.instantiate(&heap.cells, term.root);
    let after = m.heap.new_var();
    let name = m.symbols.intern("term_expansion");
    let goal = m.heap.new_struct(name, &[before, after]);
    m.roots.push(after);
    let (run, outcome) = m.solve(w, goal);
    first_answer(m, w, (run, outcome), "term_expansion/2", (source, term.span))
}

/// Lets the user's `goal_expansion/2` rewrite the goals of a clause: the new clause, if
/// it differs.
pub(super) fn expand_goals(
    m: &mut Machine,
    w: &mut World,
    source: &Source,
    heap: &mut Heap,
    root: Cell,
    span: Span,
) -> Result<Option<Record>, Fault> {
    if !user_predicate(m, "goal_expansion", 2)
        || heap.match_struct::<2>(root, atoms::NECK).is_none()
    {
        return Ok(None);
    }
    let record = Record::new(heap, root);
    let before = record.instantiate(&mut m.heap);
    let after = m.heap.new_var();
    let name = m.symbols.intern("$expand_clause");
    let pred = m.program.pred(name, 2, Space::System);
    m.roots.push(after);
    let (run, outcome) = m.solve_pred(w, pred, &[before, after]);
    first_answer(m, w, (run, outcome), "goal_expansion/2", (source, span))
}

/// What the first answer of an expansion, if it has one, put on top of the roots; its error
/// becomes a finding.
fn first_answer(
    m: &mut Machine,
    w: &mut World,
    (run, outcome): (Run, Outcome),
    expansion: &str,
    (source, span): (&Source, Span),
) -> Result<Option<Record>, Fault> {
    let after = m.roots.pop().expect("the caller pushed it");
    Ok(match outcome {
        Ok(true) => {
            let record = Record::new(&mut m.heap, after);
            m.abandon(run);
            Some(record)
        }
        Ok(false) => None,
        Err(Fault::Ball(ball)) => {
            let finding = describe_ball(m, w, &ball, "E0303", expansion);
            w.loader.diagnostics.push(finding.at(source, span, ""));
            None
        }
        Err(fault) => return Err(fault),
    })
}

/// Warnings about the names of variables.
pub(super) fn style_warnings(w: &mut World, source: &Source, term: &ReadTerm) {
    for (name, span) in &term.singletons {
        let finding = Diagnostic::warning("W0401", format!("variable `{name}` occurs only once"))
            .at(source, *span, "")
            .hint(format!("is the name mistyped? Write `_{name}` or `_` if it is meant"));
        w.loader.diagnostics.push(finding);
    }
    for (name, span) in &term.multiple {
        let finding = Diagnostic::warning(
            "W0402",
            format!("variable `{name}` is marked as unused but occurs several times"),
        )
        .at(source, *span, "")
        .hint("take the `_` off its name");
        w.loader.diagnostics.push(finding);
    }
}
