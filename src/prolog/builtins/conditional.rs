//! Conditional compilation: `:- if(Goal).`, `:- elif(Goal).`, `:- else.` and `:- endif.` decide
//! which terms of a text are loaded.

use super::loads::{Block, Branch, LoadedTerm};
use super::{OrFault, World, messages, modules};
use zug_machine::{Fault, Machine};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap};

/// A directive of conditional compilation.
enum Step {
    If(Cell),
    Elif(Cell),
    Else,
    Endif,
}

fn step(m: &Machine, heap: &Heap, root: Cell) -> Option<Step> {
    let [directive] = heap.match_struct::<1>(root, atoms::NECK)?;
    let directive = heap.deref(directive);
    if let Some(name) = directive.as_atom() {
        return match m.symbols.name(name) {
            "else" => Some(Step::Else),
            "endif" => Some(Step::Endif),
            _ => None,
        };
    }
    let (name, arity, arguments) = heap.name_arity(directive)?;
    match (m.symbols.name(name), arity) {
        ("if", 1) => Some(Step::If(heap.at(arguments))),
        ("elif", 1) => Some(Step::Elif(heap.at(arguments))),
        _ => None,
    }
}

/// Whether a term of a text is not to be loaded, since it is a directive of conditional compilation
/// or stands in a branch that is not taken.
pub fn takes(m: &mut Machine, w: &mut World, read: &mut LoadedTerm<'_>) -> OrFault<bool> {
    let (source, span) = (read.source, read.term.span);
    let Some(step) = step(m, read.heap, read.term.root) else {
        return Ok(w.loader.stack.last().is_some_and(|loading| loading.blocks.skip()));
    };
    let Some(loading) = w.loader.stack.last() else { return Ok(false) };
    let skip = loading.blocks.skip();
    match step {
        Step::If(_) if skip => open(w, Branch::Done, span),
        Step::If(goal) => {
            let holds = holds(m, w, read, goal)?;
            open(w, if holds { Branch::Taken } else { Branch::Waiting }, span);
        }
        Step::Elif(goal) => {
            let waits = inner(w).is_some_and(|block| block.branch == Branch::Waiting);
            let holds = waits && holds(m, w, read, goal)?;
            match inner(w) {
                Some(block) if !block.last => block.branch = after(block.branch, holds),
                _ => stray(w, source, span, "elif"),
            }
        }
        Step::Else => match inner(w) {
            Some(block) if !block.last => {
                block.branch = after(block.branch, true);
                block.last = true;
            }
            _ => stray(w, source, span, "else"),
        },
        Step::Endif => {
            let closed = w.loader.stack.last_mut().and_then(|loading| loading.blocks.0.pop());
            if closed.is_none() {
                stray(w, source, span, "endif");
            }
        }
    }
    Ok(true)
}

/// What a block does behind its next directive, whose condition holds or not.
fn after(branch: Branch, holds: bool) -> Branch {
    match branch {
        Branch::Waiting if holds => Branch::Taken,
        Branch::Waiting => Branch::Waiting,
        Branch::Taken | Branch::Done => Branch::Done,
    }
}

fn open(w: &mut World, branch: Branch, span: Span) {
    if let Some(loading) = w.loader.stack.last_mut() {
        loading.blocks.0.push(Block { branch, last: false, span });
    }
}

fn inner(w: &mut World) -> Option<&mut Block> {
    w.loader.stack.last_mut()?.blocks.0.last_mut()
}

/// Whether a condition holds; one that raises an error does not, and that is said.
fn holds(m: &mut Machine, w: &mut World, read: &mut LoadedTerm<'_>, goal: Cell) -> OrFault<bool> {
    let (source, span) = (read.source, read.term.span);
    if let Some(loading) = w.loader.stack.last_mut() {
        loading.term = span;
    }
    let goal = modules::directive(m, w, read.heap, goal);
    let goal = m.heap.instantiate(&read.heap.cells, goal);
    match m.holds(w, goal) {
        Err(Fault::Ball(ball)) => {
            let finding = messages::finding(m, w, &ball, "E0301", "this condition");
            w.loader.diagnostics.push(finding.at(source, span, "raised here"));
            Ok(false)
        }
        answer => answer,
    }
}

fn stray(w: &mut World, source: &Source, span: Span, name: &str) {
    let finding = Diagnostic::warning("W0414", format!("there is no open `if` for this `{name}`"))
        .at(source, span, "");
    w.loader.diagnostics.push(finding);
}

/// Says which blocks are open at the end of a text.
pub fn unfinished(w: &mut World, source: &Source) {
    let Some(loading) = w.loader.stack.last_mut() else { return };
    let open = std::mem::take(&mut loading.blocks.0);
    for block in open {
        let finding = Diagnostic::warning("W0414", "this `if` has no `endif`")
            .at(source, block.span, "it begins here")
            .hint("end it with `:- endif.`");
        w.loader.diagnostics.push(finding);
    }
}
