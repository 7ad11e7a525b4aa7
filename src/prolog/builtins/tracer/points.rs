//! Spy points and trace points: which ports of which calls are to be seen.

use super::super::World;
use super::frame::Port;
use zug_machine::Machine;
use zug_term::symbol::Atom;
use zug_term::{Cell, Record};

/// A set of ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports(u8);

impl Default for Ports {
    fn default() -> Ports {
        Ports::ALL
    }
}

impl Ports {
    /// No port.
    pub const NONE: Ports = Ports(0);
    /// Every port.
    pub const ALL: Ports = Ports(0b1_1111);

    /// Whether a port belongs to the set.
    pub fn has(self, port: Port) -> bool {
        self.0 >> port as u8 & 1 == 1
    }
    /// With a port, or without it.
    pub fn set(&mut self, port: Port, on: bool) {
        let bit = 1 << port as u8;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Its ports.
    pub fn iter(self) -> impl Iterator<Item = Port> {
        Port::ALL.into_iter().filter(move |&port| self.has(port))
    }
}

/// A spy point.
#[derive(Debug)]
pub struct Spy {
    /// Name and arity of its predicate.
    pub pred: (Atom, usize),
    /// `Head-Condition`: only calls that match the head and for which the condition holds.
    pub when: Option<Record>,
}

/// A point that `trace/2` set.
#[derive(Debug)]
pub(super) struct Point {
    pub(super) pred: (Atom, usize),
    pub(super) ports: Ports,
}

/// Whether a call is spied on.
pub(super) fn is_spied(m: &mut Machine, w: &mut World, goal: Cell) -> bool {
    let Some((name, arity, _)) = m.heap.name_arity(goal) else { return false };
    let found = w.tracer.spies.iter().filter(|spy| spy.pred == (name, arity));
    let conditions: Vec<Option<Record>> = found.map(|spy| spy.when.clone()).collect();
    for condition in conditions {
        let Some(condition) = condition else { return true };
        if holds(m, w, &condition, goal) {
            return true;
        }
    }
    false
}

/// Whether a goal is an instance of the head of `Head-Condition`, and the condition has an
/// answer. A condition that fails or raises an exception doesn't hold; nothing is bound.
pub(super) fn holds(m: &mut Machine, w: &mut World, condition: &Record, goal: Cell) -> bool {
    let pair = condition.instantiate(&mut m.heap);
    let Some([head, condition]) = m.heap.match_struct::<2>(pair, zug_term::symbol::atoms::MINUS)
    else {
        return false;
    };
    if !matches!(m.subsumes(head, goal), Ok(true)) {
        return false;
    }
    let both = super::super::args::compound(m, "=", &[head, goal]);
    let both = m.heap.new_struct(zug_term::symbol::atoms::COMMA, &[both, condition]);
    let observer = std::mem::take(&mut m.observer);
    let holds = m.holds(w, both);
    m.observer = observer;
    matches!(holds, Ok(true))
}

impl super::Tracer {
    /// Whether `trace/2` shows this port of the goal's predicate.
    pub(super) fn is_point(&self, m: &Machine, port: Port, goal: Cell) -> bool {
        if self.points.is_empty() {
            return false;
        }
        let Some((name, arity, _)) = m.heap.name_arity(goal) else { return false };
        self.points.iter().any(|point| point.pred == (name, arity) && point.ports.has(port))
    }
}

fn pred_of(m: &Machine, goal: Cell) -> Option<((Atom, usize), String)> {
    let (name, arity, _) = m.heap.name_arity(goal)?;
    Some(((name, arity), format!("{}/{arity}", m.symbols.name(name))))
}

/// Sets a spy point on the predicate of a goal; its name.
pub(super) fn spy_on(m: &Machine, w: &mut World, goal: Cell) -> String {
    let Some((pred, name)) = pred_of(m, goal) else { return String::new() };
    add_spy(w, pred, None);
    name
}

/// Takes the spy points on the predicate of a goal away; its name.
pub(super) fn spy_off(m: &Machine, w: &mut World, goal: Cell) -> String {
    let Some((pred, name)) = pred_of(m, goal) else { return String::new() };
    w.tracer.spies.retain(|spy| spy.pred != pred);
    name
}

/// Adds a spy point: without a condition it takes the place of all with one.
pub(super) fn add_spy(w: &mut World, pred: (Atom, usize), when: Option<Record>) {
    let spies = &mut w.tracer.spies;
    match &when {
        None => spies.retain(|spy| spy.pred != pred),
        Some(_) => spies.retain(|spy| spy.pred != pred || spy.when.is_some()),
    }
    if !spies.iter().any(|spy| spy.pred == pred && spy.when == when) {
        spies.push(Spy { pred, when });
    }
}
