//! The lines of the four-port trace.

use super::super::World;
use super::super::streams::{USER_ERROR, USER_OUTPUT};
use super::super::{output, portray};
use super::ports::{Frame, Port};
use crate::machine::Machine;
use crate::syntax::printer::WriteOptions;
use crate::term::{Cell, size};
use std::sync::Arc;

/// Nesting of a term below which `...` is written.
const DEPTH: usize = 12;
/// Characters of a goal shown.
const WIDTH: usize = 240;
/// Nodes of a term beyond which its variables get no letters.
const LARGE: usize = 5_000;
/// Calls shown of the chain that leads to a call.
const ANCESTORS: usize = 40;

/// Writes to the error stream, behind what the program wrote.
pub(super) fn say(w: &mut World, text: &str) {
    // A stream that can't be written must not end the query.
    let _ = fresh_line(w).and_then(|()| w.streams.put_str(USER_ERROR, text));
}

/// Begins a new line behind one that the program left open, without adding to what the
/// program writes.
pub(super) fn fresh_line(w: &mut World) -> std::io::Result<()> {
    w.streams.flush_standard()?;
    let place = w.streams.get(USER_OUTPUT).map(|stream| (stream.place.column, stream.place.characters));
    let Some((column, written)) = place else { return Ok(()) };
    if column > 0 && w.tracer.broken_at != written {
        w.tracer.broken_at = written;
        return w.streams.put_str(USER_ERROR, "\n");
    }
    Ok(())
}

/// `   Call: (2) edge(a, _) at graph.pl:3`; a spied call has `*` before it.
pub(super) fn line(
    m: &mut Machine,
    w: &World,
    port: Port,
    frame: &Frame,
    spied: bool,
    ball: Option<Cell>,
    full: bool,
) -> String {
    let star = if spied { '*' } else { ' ' };
    let goal = text(m, w, frame.goal, full);
    let mut line = format!(" {star} {}: ({}) {goal}", port.title(), frame.depth);
    if let Some(ball) = ball {
        line += &format!(" raised {}", text(m, w, ball, full));
    }
    if port == Port::Call
        && let Some(place) = place(m, w, frame.site)
    {
        line += &format!(" at {place}");
    }
    line
}

/// File and line of a call.
pub(super) fn place(m: &Machine, w: &World, site: u32) -> Option<String> {
    let clause = m.program.clause_at(site)?;
    let span = m.program.goal_span(clause, site)?;
    let place = m.program.clauses[clause as usize].place.as_ref()?;
    let source = w.loader.sources.get(place.source as usize)?;
    Some(format!("{}:{}", source.name, source.position(span.start).line))
}

/// A term, cut short unless it is wanted in full. A variable that occurs several times is
/// `_A`, `_B`, …, others are `_`.
pub(super) fn text(m: &Machine, w: &World, cell: Cell, full: bool) -> String {
    let names: Vec<(Arc<str>, Cell)> = if size(&m.heap, cell, LARGE) < LARGE {
        let named = portray::names(&m.heap, cell).into_iter();
        named
            .map(|(name, cell)| (if &*name == "_" { name } else { format!("_{name}").into() }, cell))
            .collect()
    } else {
        Vec::new()
    };
    let options = WriteOptions {
        spacing: true,
        max_depth: if full { 0 } else { DEPTH },
        variable_names: &names,
        ..WriteOptions::writeq()
    };
    let mut text = String::new();
    output::append_term(&m.heap, &m.symbols, &w.operators, &options, cell, &mut text);
    if !full && let Some((at, _)) = text.char_indices().nth(WIDTH) {
        text.truncate(at);
        text.push('…');
    }
    text
}

/// Shows the calls that led to a call, the innermost first.
pub(super) fn ancestors(m: &mut Machine, w: &mut World, frame: &Frame) {
    let mut next = Some(*frame);
    let mut shown = String::new();
    let mut left = ANCESTORS;
    while let Some(frame) = next {
        if left == 0 {
            shown += &format!("    … {} more\n", frame.depth);
            break;
        }
        left -= 1;
        let goal = text(m, w, frame.goal, false);
        let place = place(m, w, frame.site).map_or(String::new(), |place| format!(" at {place}"));
        shown += &format!("    ({}) {goal}{place}\n", frame.depth);
        next = Frame::of(m, frame.parent);
    }
    say(w, &shown);
}
