//! Residual goals of Boolean constraints, in algebraic normal form.
//!
//! Each constraint is a sum modulo 2 of products of variables. Constraints on the same variables are joined, and one is taken
//! apart where parts of it that leave a variable out say the same (Triska 2016, section 6).

use super::diagrams::{Diagrams, Node, TRUE};
use super::session::Session;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use zug_machine::{Fault, Machine};
use zug_prolog::World;
use zug_term::{Cell, compare, watchdog};

/// Most products of a sum that is shown.
const PRODUCTS: usize = 512;

/// The sum of products: each the places of its variables, in their order.
type Sum = BTreeSet<Vec<u32>>;

/// The goals of variables that have constraints: what is left of all that they hang together with, and `sat(X=:=X)` for
/// each variable beyond.
pub fn goals(m: &mut Machine, w: &mut World, variables: &[Cell]) -> Result<Vec<Cell>, Fault> {
    let mut session = Session::new(m, w);
    let mut vars: Vec<u32> = variables.iter().filter_map(|&cell| session.known(cell)).collect();
    vars.sort_unstable();
    vars.dedup();
    let mut goals = Vec::new();
    let mut shown: Vec<u32> = Vec::new();
    let mut components: Vec<u32> = Vec::new();
    for component in vars.iter().filter_map(|&var| session.store.component_of(var)) {
        if !components.contains(&component) {
            components.push(component);
        }
    }
    for component in components {
        let parts = session.store.component(component).parts.clone();
        for part in &parts {
            shown.extend(session.store.diagrams.support(*part));
        }
        goals.extend(session.component_goals(&parts));
    }
    for var in vars.into_iter().filter(|var| !shown.contains(var)) {
        let cell = session.term(var);
        if cell.is_var() {
            let cell = session.marked(cell);
            let equal = session.compound("=:=", &[cell, cell]);
            goals.push(session.compound("sat", &[equal]));
        }
    }
    session.keep();
    Ok(goals)
}

impl Session<'_> {
    fn compound(&mut self, name: &str, args: &[Cell]) -> Cell {
        let name = self.m.symbols.intern(name);
        self.m.heap.new_struct(name, args)
    }

    /// A variable of a goal, as the flag `clpb_monotonic` has it.
    fn marked(&mut self, cell: Cell) -> Cell {
        if self.monotonic && cell.is_var() { self.compound("v", &[cell]) } else { cell }
    }

    fn component_goals(&mut self, parts: &[Node]) -> Vec<Cell> {
        let mut fused: BTreeMap<Vec<u32>, Node> = BTreeMap::new();
        for &part in parts {
            let support = self.store.diagrams.support(part);
            let so_far = fused.get(&support).copied().unwrap_or(TRUE);
            let joined = self.store.diagrams.and(so_far, part);
            fused.insert(support, joined);
        }
        let mut open: Vec<Node> = fused.into_values().filter(|&node| node != TRUE).collect();
        let mut done: Vec<Node> = Vec::new();
        while let Some(node) = open.pop() {
            match self.separated(node) {
                Some(parts) => {
                    open.extend(parts.into_iter().filter(|part| !done.contains(part)));
                }
                None if !done.contains(&node) => done.push(node),
                None => {}
            }
        }
        let mut goals: Vec<Cell> = done.into_iter().flat_map(|node| self.shown(node)).collect();
        let (heap, symbols) = (&self.m.heap, &self.m.symbols);
        goals.sort_by(|&a, &b| compare(heap, symbols, a, b));
        goals.dedup_by(|a, b| compare(heap, symbols, *a, *b).is_eq());
        goals
    }

    /// The parts of a formula, each without one of its variables, that say the same together.
    fn separated(&mut self, node: Node) -> Option<Vec<Node>> {
        let vars = self.store.diagrams.support(node);
        let vars: Vec<u32> =
            vars.into_iter().filter(|&var| !self.store.is_universal(var)).collect();
        let without: Vec<Node> =
            vars.iter().map(|&var| self.store.diagrams.exists(node, var)).collect();
        let mut parts: Vec<Node> = Vec::new();
        for (at, &one) in without.iter().enumerate() {
            for &other in &without[at + 1..] {
                if self.store.diagrams.and(one, other) == node {
                    parts.extend([one, other]);
                }
            }
        }
        parts.sort_unstable();
        parts.dedup();
        // A part that is the whole would be taken apart for ever.
        parts.retain(|&part| part != node);
        (!parts.is_empty()).then_some(parts)
    }

    /// The goal that a formula holds: as a sum of products, or, if that is too long, node by node.
    fn shown(&mut self, node: Node) -> Vec<Cell> {
        let store = &*self.store;
        let place = |var: u32| (store.is_universal(var), var);
        let Some(sum) = sum_of(&store.diagrams, node) else { return self.nodes(node) };
        let mut products: Vec<Vec<(bool, u32)>> = sum
            .into_iter()
            .map(|product| {
                let mut product: Vec<_> = product.into_iter().map(place).collect();
                product.sort_unstable();
                product
            })
            .collect();
        products.sort_unstable();
        let is_variable = |product: &Vec<(bool, u32)>| matches!(product[..], [(false, _)]);
        let terms: Vec<Cell> = products.iter().map(|product| self.product(product)).collect();
        let formula = match &products[..] {
            [first, _, ..] if is_variable(first) => {
                let rest = self.sum(&terms[1..]);
                self.compound("=\\=", &[terms[0], rest])
            }
            [one, first, _, ..] if one.is_empty() && is_variable(first) => {
                let rest = self.sum(&terms[2..]);
                self.compound("=:=", &[terms[1], rest])
            }
            _ => self.sum(&terms),
        };
        vec![self.compound("sat", &[formula])]
    }

    fn product(&mut self, vars: &[(bool, u32)]) -> Cell {
        let cells: Vec<Cell> = vars
            .iter()
            .map(|&(_, var)| {
                let cell = self.term(var);
                self.marked(cell)
            })
            .collect();
        let Some((&first, rest)) = cells.split_first() else { return Cell::small(1) };
        rest.iter().fold(first, |so_far, &cell| self.compound("*", &[so_far, cell]))
    }

    fn sum(&mut self, terms: &[Cell]) -> Cell {
        let Some((&first, rest)) = terms.split_first() else { return Cell::small(0) };
        rest.iter().fold(first, |so_far, &term| self.compound("#", &[so_far, term]))
    }

    /// A formula with a new variable for each of its nodes: what it says of the others is the same.
    fn nodes(&mut self, node: Node) -> Vec<Cell> {
        let mut cells: FxHashMap<Node, Cell> =
            FxHashMap::from_iter([(0, Cell::small(0)), (TRUE, Cell::small(1))]);
        let mut goals = Vec::new();
        let nodes = self.store.diagrams.nodes_of(node);
        for &at in &nodes {
            watchdog::step();
            let inner = self.store.diagrams.inner(at);
            let var = self.term(inner.var);
            let var = self.marked(var);
            let [low, high] = [cells[&inner.low], cells[&inner.high]];
            let not = self.compound("~", &[var]);
            let [zero, one] = [[not, low], [var, high]].map(|both| self.compound("*", &both));
            let either = self.compound("+", &[zero, one]);
            if at == node {
                goals.push(self.compound("sat", &[either]));
                break;
            }
            let name = self.m.heap.new_var();
            let name = self.marked(name);
            cells.insert(at, name);
            let equal = self.compound("=:=", &[name, either]);
            goals.push(self.compound("sat", &[equal]));
        }
        goals
    }
}

/// A function as a sum; `None` if it is too long.
fn sum_of(diagrams: &Diagrams, node: Node) -> Option<Sum> {
    let mut sums: FxHashMap<Node, Sum> = FxHashMap::default();
    sums.insert(0, Sum::new());
    sums.insert(TRUE, Sum::from([Vec::new()]));
    for at in diagrams.nodes_of(node) {
        let inner = diagrams.inner(at);
        // low # var * (low # high)
        let (low, high) = (&sums[&inner.low], &sums[&inner.high]);
        let mut sum = low.clone();
        for product in low.symmetric_difference(high) {
            watchdog::steps(product.len() + 1);
            let mut with = Vec::with_capacity(product.len() + 1);
            with.push(inner.var);
            with.extend(product);
            if !sum.remove(&with) {
                sum.insert(with);
            }
        }
        if sum.len() > PRODUCTS {
            return None;
        }
        sums.insert(at, sum);
    }
    sums.remove(&node)
}
