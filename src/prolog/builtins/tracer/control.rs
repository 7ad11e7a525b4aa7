//! Switching the tracer: what `trace/0`, `spy/1` and their like do. Name and arity of a
//! predicate come checked from `library/trace.pl`.

use super::super::{Entry, World, args};
use super::frame::Port;
use super::points::{Point, Ports, add_spy};
use super::tree::{Recorder, TreeOptions};
use super::{install, print};
use crate::builtins::OrFault;
use zug_machine::{Machine, Outcome};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::session("trace", 0, |m, w, _| switch(m, w, Some(true), Some(true))),
    Entry::session("notrace", 0, |m, w, _| switch(m, w, Some(false), None)),
    Entry::session("debug", 0, |m, w, _| switch(m, w, None, Some(true))),
    Entry::session("nodebug", 0, |m, w, _| switch(m, w, Some(false), Some(false))),
    Entry::session("tracing", 0, |_, w, _| Ok(w.tracer.tracing)),
    Entry::session("debugging", 0, debugging),
    Entry::session("nospyall", 0, nospyall),
    Entry::session("$spy", 3, spy),
    Entry::session("$nospy", 2, nospy),
    Entry::session("$trace_point", 4, point),
    Entry::session("$trace_ports", 3, ports),
    Entry::session("$trace_arities", 3, arities),
    Entry::session("$trace_state", 1, state),
    Entry::session("$trace_back", 1, back),
    Entry::session("$tree_begin", 5, tree_begin),
    Entry::session("$tree_end", 0, |m, w, _| {
        w.tracer.end_tree();
        install(m, w);
        Ok(true)
    }),
    Entry::session("$trace_thrown", 0, |m, _, _| {
        m.raised_within = Some(m.trace.clone());
        Ok(true)
    }),
];

/// Switches tracing and debugging; `None` leaves it.
fn switch(m: &mut Machine, w: &mut World, trace: Option<bool>, debug: Option<bool>) -> Outcome {
    let tracer = &mut w.tracer;
    tracer.tracing = trace.unwrap_or(tracer.tracing);
    tracer.debugging = debug.unwrap_or(tracer.debugging);
    tracer.skip = None;
    install(m, w);
    Ok(true)
}

fn pred(m: &mut Machine, name: Cell, arity: Cell) -> OrFault<(Atom, usize)> {
    let name = args::atom(m, name)?;
    let arity = args::integer(m, arity)?;
    Ok((name, usize::try_from(arity).unwrap_or(0)))
}

/// `'$spy'(Name, Arity, When)`: When is `Head-Condition` or `[]`.
fn spy(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let pred = pred(m, a[0], a[1])?;
    let when = (a[2] != Cell::NIL).then(|| Record::new(&mut m.heap, a[2]));
    add_spy(w, pred, when);
    switch(m, w, None, Some(true))
}

/// `'$nospy'(Name, Arity)`.
fn nospy(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let pred = pred(m, a[0], a[1])?;
    w.tracer.spies.retain(|spy| spy.pred != pred);
    Ok(true)
}

fn nospyall(_: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    w.tracer.spies.clear();
    Ok(true)
}

/// `'$trace_point'(Name, Arity, Port, OnOrOff)`.
fn point(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let pred = pred(m, a[0], a[1])?;
    let Some(port) = port_of(m, a[2]) else { return Err(m.domain_error("port", a[2])) };
    let on = args::boolean(m, a[3]).unwrap_or(true);
    let points = &mut w.tracer.points;
    if !points.iter().any(|point| point.pred == pred) {
        points.push(Point { pred, ports: Ports::NONE });
    }
    for point in points.iter_mut().filter(|point| point.pred == pred) {
        point.ports.set(port, on);
    }
    points.retain(|point| !point.ports.is_empty());
    install(m, w);
    Ok(true)
}

fn port_of(m: &Machine, cell: Cell) -> Option<Port> {
    let name = m.symbols.name(m.heap.deref(cell).as_atom()?);
    Port::ALL.into_iter().find(|port| port.name() == name)
}

/// `'$trace_ports'(Which, Port, OnOrOff)`: Which is `leash` or `visible`.
fn ports(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let Some(port) = port_of(m, a[1]) else { return Err(m.domain_error("port", a[1])) };
    let on = args::boolean(m, a[2]).unwrap_or(true);
    let leash = a[0].as_atom().is_some_and(|name| m.symbols.name(name) == "leash");
    let set = if leash { &mut w.tracer.leashed } else { &mut w.tracer.visible };
    set.set(port, on);
    Ok(true)
}

/// `Head-Condition` in words.
fn described(m: &mut Machine, w: &World, pair: &Record) -> String {
    let cell = pair.instantiate(&mut m.heap);
    let Some([head, condition]) = m.heap.match_struct::<2>(cell, atoms::MINUS) else {
        return String::new();
    };
    if m.heap.deref(condition) == Cell::atom(atoms::TRUE) {
        return print::text(m, w, head, false);
    }
    // A variable has one name in both.
    let [head, condition] = print::parts(m, w, cell, [head, condition]);
    format!("{head} where {condition}")
}

/// Says what is switched on.
fn debugging(m: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    let state = match (w.tracer.tracing, w.tracer.debugging) {
        (true, _) => "tracing: every port is shown",
        (false, true) => "debugging: spy points are watched for",
        (false, false) => "not debugging",
    };
    let mut lines = format!("% {state}\n");
    for spy in &w.tracer.spies {
        lines += &format!("% spy point on {}/{}", m.symbols.name(spy.pred.0), spy.pred.1);
        if let Some(when) = &spy.when {
            lines += &format!(": {}", described(m, w, when));
        }
        lines.push('\n');
    }
    for watch in &w.tracer.watches {
        lines += &format!("% watch point on states: {}\n", described(m, w, watch));
    }
    for point in &w.tracer.points {
        let ports: Vec<&str> = point.ports.iter().map(Port::name).collect();
        let name = m.symbols.name(point.pred.0);
        lines += &format!("% trace point on {name}/{}: {}\n", point.pred.1, ports.join(", "));
    }
    print::say(w, &lines);
    Ok(true)
}

/// `'$trace_arities'(Name, Arity, Arities)`: those of the predicates of this name, and of
/// this arity if it is bound.
fn arities(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let name = args::atom(m, a[0])?;
    let wanted = a[1].as_int();
    let fits = |arity: usize| wanted.is_none_or(|wanted| wanted == arity as i64);
    let mut found: Vec<usize> = (0..m.program.preds.len() as u32)
        .filter(|&id| m.program.preds[id as usize].name == name && m.program.is_defined(id))
        .map(|id| m.program.preds[id as usize].arity)
        .filter(|&arity| fits(arity))
        .collect();
    found.sort_unstable();
    found.dedup();
    let cells: Vec<Cell> = found.into_iter().map(|arity| Cell::small(arity as i64)).collect();
    Ok(args::unify_list(m, a[2], &cells))
}

/// `'$trace_state'(State)`: what `'$trace_back'(State)` goes back to.
fn state(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let state = i64::from(w.tracer.tracing) + 2 * i64::from(w.tracer.debugging);
    Ok(m.unify(a[0], Cell::small(state)))
}

fn back(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let state = a[0].as_int().unwrap_or(0);
    switch(m, w, Some(state & 1 == 1), Some(state & 2 == 2))
}

/// `'$tree_begin'(Predicates, Depth, Calls, Lines, Builtins)`: Predicates are a list of
/// Name/Arity; fails if a tree is being recorded.
fn tree_begin(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if w.tracer.recorder.is_some() {
        return Ok(false);
    }
    let usual = TreeOptions::default();
    let mut predicates = Vec::new();
    for item in args::list(m, a[0])? {
        let Some([name, arity]) = m.heap.match_struct::<2>(item, atoms::SLASH) else {
            return Err(m.type_error("predicate_indicator", item));
        };
        predicates.push(pred(m, name, m.heap.deref(arity))?);
    }
    let number = |cell: Cell| cell.as_int().and_then(|number| usize::try_from(number).ok());
    let options = TreeOptions {
        predicates,
        depth: number(a[1]).map_or(usual.depth, |depth| u32::try_from(depth).unwrap_or(u32::MAX)),
        calls: number(a[2]).unwrap_or(usual.calls),
        builtins: args::boolean(m, a[4]).unwrap_or(false),
    };
    w.tracer.layout.lines = number(a[3]).unwrap_or(w.tracer.layout.lines);
    w.tracer.recorder = Some(Recorder::new(options));
    install(m, w);
    Ok(true)
}
