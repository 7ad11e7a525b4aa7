//! Differences that can't hold together whatever the bounds of their variables are: those that lead from a variable
//! back to itself, and say that it is greater than itself.

use super::Reasons;
use rustc_hash::FxHashMap;
use zug_term::{Cell, Value, watchdog};

/// A constraint says that one variable is greater than another one by a number at least.
#[derive(Clone, Copy)]
pub(super) struct Difference {
    pub from: Cell,
    pub to: Cell,
    pub least: i64,
    pub number: usize,
}

impl Reasons<'_> {
    /// Differences among some constraints that lead from a variable back to itself, with a sum above 0, if there are
    /// such.
    ///
    /// R. Bellman, *On a routing problem*, 1958; a cycle is found by following predecessors back.
    pub fn cycle(&self, which: &[usize]) -> Option<Vec<Difference>> {
        let all: Vec<Difference> =
            which.iter().flat_map(|&number| self.differences(number)).collect();
        if all.is_empty() {
            return None;
        }
        let mut least: FxHashMap<Cell, (i64, Option<usize>)> = FxHashMap::default();
        for difference in &all {
            least.insert(difference.from, (0, None));
            least.insert(difference.to, (0, None));
        }
        let mut last = None;
        for _ in 0..least.len() {
            let mut changed = None;
            for (at, difference) in all.iter().enumerate() {
                watchdog::step();
                let above = least[&difference.from].0.checked_add(difference.least)?;
                if above > least[&difference.to].0 {
                    least.insert(difference.to, (above, Some(at)));
                    changed = Some(difference.to);
                }
            }
            last = Some(changed?);
        }
        // It has no end: the way back from what has changed last reaches a cycle.
        let mut at = last?;
        for _ in 0..least.len() {
            at = all[least[&at].1?].from;
        }
        let (start, mut cycle) = (at, Vec::new());
        loop {
            let difference = all[least[&at].1?];
            cycle.push(difference);
            at = difference.from;
            if at == start {
                break;
            }
        }
        cycle.reverse();
        (cycle.iter().map(|one| one.least).sum::<i64>() > 0).then_some(cycle)
    }

    /// The differences that a constraint is.
    fn differences(&self, number: usize) -> Vec<Difference> {
        let heap = &self.m.heap;
        let Some((name, 2, at)) = heap.name_arity(self.noted[number].goal) else {
            return Vec::new();
        };
        let sides = (self.sum(heap.at(at)), self.sum(heap.at(at + 1)));
        let (Some((left, add)), Some((right, more))) = sides else { return Vec::new() };
        let Some(shift) = more.checked_sub(add) else { return Vec::new() };
        let up = |least| Difference { from: right, to: left, least, number };
        let down = |least| Difference { from: left, to: right, least, number };
        match self.m.symbols.name(name) {
            "#>" => vec![up(shift + 1)],
            "#>=" => vec![up(shift)],
            "#<" => vec![down(1 - shift)],
            "#=<" => vec![down(-shift)],
            "#=" => vec![up(shift), down(-shift)],
            _ => Vec::new(),
        }
    }

    /// A variable and the number that is added to it, if an expression is that.
    fn sum(&self, term: Cell) -> Option<(Cell, i64)> {
        let heap = &self.m.heap;
        let small = |cell: Cell| match heap.value(cell) {
            Value::Int(value) if value.unsigned_abs() < 1 << 40 => Some(value),
            _ => None,
        };
        let term = heap.deref(term);
        if term.is_var() {
            return Some((term, 0));
        }
        let (name, 2, at) = heap.name_arity(term)? else { return None };
        let [one, other] = [heap.deref(heap.at(at)), heap.deref(heap.at(at + 1))];
        match self.m.symbols.name(name) {
            "+" if one.is_var() => Some((one, small(other)?)),
            "+" if other.is_var() => Some((other, small(one)?)),
            "-" if one.is_var() => Some((one, -small(other)?)),
            _ => None,
        }
    }
}
