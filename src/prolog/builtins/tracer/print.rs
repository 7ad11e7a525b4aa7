//! The lines of the four-port trace.

use super::super::args::shortened;
use super::super::streams::{USER_ERROR, USER_OUTPUT};
use super::super::{World, output};
use super::frame::{Frame, Port};
use std::sync::Arc;
use zug_machine::Machine;
use zug_syntax::printer::{WriteOptions, letter};
use zug_term::source::{Source, Span};
use zug_term::{Cell, size, variables};

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
    let place =
        w.streams.get(USER_OUTPUT).map(|stream| (stream.place.column, stream.place.characters));
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
    Some(at_line(source, span))
}

/// File and line of a piece of a text.
pub(super) fn at_line(source: &Source, span: Span) -> String {
    format!("{}:{}", source.name, source.position(span.start).line)
}

/// A term, cut short unless it is wanted in full. A variable that occurs several times is
/// `_A`, `_B`, …, others are `_`.
pub(super) fn text(m: &Machine, w: &World, cell: Cell, full: bool) -> String {
    written(m, w, cell, &names(m, cell), full)
}

/// Parts of a term; a variable has the same name in all of them.
pub(super) fn parts<const N: usize>(
    m: &Machine,
    w: &World,
    whole: Cell,
    parts: [Cell; N],
) -> [String; N] {
    let names = names(m, whole);
    parts.map(|part| written(m, w, part, &names, false))
}

fn names(m: &Machine, cell: Cell) -> Vec<(Arc<str>, Cell)> {
    if size(&m.heap, cell, LARGE) >= LARGE {
        return Vec::new();
    }
    let named = output::names(&m.heap, cell).into_iter();
    let marked = |name: Arc<str>| if &*name == "_" { name } else { format!("_{name}").into() };
    named.map(|(name, cell)| (marked(name), cell)).collect()
}

/// A term whose variables have these names.
fn written(m: &Machine, w: &World, cell: Cell, names: &[(Arc<str>, Cell)], full: bool) -> String {
    let options = WriteOptions {
        spacing: true,
        max_depth: if full { 0 } else { DEPTH },
        variable_names: names,
        ..WriteOptions::writeq()
    };
    let mut text = String::new();
    output::append_term(&m.heap, &m.symbols, &w.operators, &options, cell, &mut text);
    if full { text } else { shortened(text, WIDTH) }
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

/// Characters of a goal in a tree, and of a value in an answer there.
const GOAL: usize = 120;
const VALUE: usize = 60;
/// Variables that are given a letter of their own.
const LETTERS: usize = 200;

/// A goal that is about to be called, every variable of it with a letter.
pub(super) fn named(m: &Machine, w: &World, goal: Cell) -> String {
    let found = variables(&m.heap, goal);
    let names: Vec<(Arc<str>, Cell)> = found
        .into_iter()
        .take(LETTERS)
        .enumerate()
        .map(|(i, cell)| (letter(i).into(), cell))
        .collect();
    shortened(written(m, w, goal, &names, false), GOAL)
}

/// What became of the variables of a goal: `A = b, C = f(_)`; `true` if nothing did.
pub(super) fn bindings(m: &Machine, w: &World, list: Cell) -> String {
    let cells: Vec<Cell> = m.heap.items(list).take(LETTERS).collect();
    let mut parts = Vec::new();
    let mut seen: Vec<(Cell, usize)> = Vec::new();
    for (i, &cell) in cells.iter().enumerate() {
        let value = m.heap.deref(cell);
        if !value.is_var() {
            let value = shortened(text(m, w, value, false), VALUE);
            parts.push(format!("{} = {value}", letter(i)));
            continue;
        }
        match seen.iter().find(|(other, _)| *other == value) {
            Some(&(_, first)) => parts.push(format!("{} = {}", letter(first), letter(i))),
            None => seen.push((value, i)),
        }
    }
    if parts.is_empty() { "true".to_owned() } else { parts.join(", ") }
}
