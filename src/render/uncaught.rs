//! Errors that nothing caught: what happened, where, and how the rules came there.
//!
//! The ball says what happened; the machine's trace says which clauses were
//! running. Of a clause that was read from a text, the goal at fault is marked in
//! its source line. A call in last place leaves no trace, so for an unknown
//! procedure the program is searched for clauses that call it.

use std::time::{Duration, Instant};
use zug_explain::{calls_of, unknown_procedure};
use zug_machine::{ClauseId, PredId};
use zug_prolog::builtins::messages;
use zug_prolog::builtins::suggest::for_ball;
use zug_prolog::session::Session;
use zug_term::Record;
use zug_term::diagnostic::{Diagnostic, Label};
use zug_term::source::{Source, Span};
use zug_term::symbol::Atom;
use zug_term::watchdog::LimitScope;
use zug_usecases::record::{Call, TermData, calls};

/// Callers shown.
const CALLERS: usize = 8;
/// Time for each of the texts made of a ball, behind the limit of the query.
const TIME: Duration = Duration::from_millis(150);
/// Calls of an unknown procedure shown.
const CALLS: usize = 3;

/// An uncaught error, ready to be shown.
#[derive(Clone, Debug)]
pub struct Uncaught {
    /// What, where, and advice.
    pub diagnostic: Diagnostic,
    /// The chain of calls, innermost first: `called from main/0 at game.pl:12:3`.
    pub chain: Vec<String>,
    /// The exception itself.
    pub term: TermData,
    /// The chain of calls as data.
    pub calls: Vec<Call>,
    /// The procedure that does not exist, if that is the error.
    pub unknown: Option<(Atom, usize)>,
}

/// Describes the ball of an uncaught exception of the query that ran last.
pub fn uncaught(session: &Session, ball: &Record) -> Uncaught {
    let (heap, root) = ball.to_heap();
    let unknown = unknown_procedure(&heap, root);
    let symbols = &session.machine.symbols;
    let suggestion = for_ball(&session.machine, &session.world, &heap, root);
    let operators = &session.world.operators;
    let words = shortly(session, || {
        messages::describe(&heap, symbols, operators, root, suggestion.as_deref())
    });
    let words = words.unwrap_or_else(|| messages::Description {
        message: "nothing catches the exception, which is too large to be shown".to_owned(),
        predicate: None,
        hint: None,
    });
    let code = if unknown.is_some() { "E0602" } else { "E0601" };
    let mut diagnostic = Diagnostic::error(code, words.message);
    if let Some(predicate) = words.predicate.filter(|_| unknown.is_none()) {
        diagnostic.message += &format!(", in {predicate}");
    }
    let trace = &session.machine.trace;
    diagnostic.hint = session.world.better_hint(&session.machine, trace, words.hint);
    let mut frames: Vec<(PredId, Option<(Source, Span)>)> = trace
        .callers
        .iter()
        .zip(&trace.addresses)
        .map(|(&(pred, clause), &address)| (pred, goal_place(session, clause, address)))
        .collect();
    // Library clauses on the way are no news to the user, nor their places.
    while frames.first().is_some_and(|(_, place)| place.is_none()) {
        frames.remove(0);
    }
    if let Some((_, Some((source, span)))) = frames.first() {
        diagnostic = diagnostic.at(source, *span, "");
    }
    if let Some((name, arity)) = unknown {
        add_calls(session, &mut diagnostic, name, arity);
    }
    let (m, w) = (&session.machine, &session.world);
    Uncaught {
        chain: chain(session, &frames),
        term: shortly(session, || TermData::brief(m, w, ball))
            .unwrap_or_else(|| TermData { truncated: true, ..TermData::atom("…") }),
        calls: calls(m, w, trace),
        diagnostic,
        unknown,
    }
}

/// Writes about a ball, which may be of millions of cells, in the [`TIME`] there is for it; `None` if
/// that was too little, or at an interrupt.
fn shortly<T>(session: &Session, work: impl FnOnce() -> T) -> Option<T> {
    let m = &session.machine;
    LimitScope::new(Some(Instant::now() + TIME), &m.interrupt, m.memory_limit).within(work).ok()
}

/// Where the goal stands that a clause was calling when it left off at `address`.
fn goal_place(session: &Session, clause_id: ClauseId, address: u32) -> Option<(Source, Span)> {
    let clause = session.machine.program.clauses.get(clause_id as usize)?;
    let place = clause.place.as_ref()?;
    let span = session.machine.program.goal_span(clause_id, address)?;
    Some((session.world.loader.sources.get(place.source as usize)?.clone(), span))
}

/// The chain of calls; a predicate that calls itself is shown once.
fn chain(session: &Session, frames: &[(PredId, Option<(Source, Span)>)]) -> Vec<String> {
    let machine = &session.machine;
    let mut lines: Vec<String> = Vec::new();
    let mut last: Option<(PredId, usize)> = None;
    for (i, (pred, place)) in frames.iter().enumerate() {
        let Some((source, span)) = place else { continue };
        if let Some((known, times)) = &mut last
            && known == pred
        {
            *times += 1;
            continue;
        }
        if lines.len() == CALLERS {
            lines.push("…".to_owned());
            break;
        }
        let at = source.position(span.start);
        let indicator = machine.program.indicator(*pred, &machine.symbols);
        let how = if i == 0 { "in" } else { "called from" };
        lines.push(format!("{how} {indicator} at {}:{}:{}", source.name, at.line, at.column));
        last = Some((*pred, 1));
    }
    lines
}

/// Marks the calls of an unknown procedure, as far as they are known.
fn add_calls(session: &Session, diagnostic: &mut Diagnostic, name: Atom, arity: usize) {
    let calls = calls_of(&session.machine, &session.world, name, arity);
    let primary = diagnostic.primary.as_ref();
    if let Some(label) = primary
        && calls.iter().any(|(source, span)| same(label, source, *span))
    {
        return;
    }
    for (source, span) in calls.into_iter().take(CALLS) {
        let label = Label { source, span, text: "called here".to_owned() };
        if diagnostic.primary.is_none() {
            diagnostic.primary = Some(label);
        } else {
            diagnostic.secondary.push(label);
        }
    }
}

fn same(label: &Label, source: &Source, span: Span) -> bool {
    label.source.name == source.name && label.span == span
}
