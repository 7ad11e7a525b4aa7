//! Rules as a graph: what renames leaves and values and keeps the rules is an automorphism of it.
//!
//! The graph of planning tasks (N. Pochter, A. Zohar, J. Rosenschein, *Exploiting Problem Symmetries in
//! State-Based Planners*, AAAI 2011), with conditions as trees. Leaves between which values are copied are of one
//! sort, and a value is renamed alike in all leaves of a sort.

use super::Part;
use super::graph::{Drawing, Graph, Vertex};
use super::renaming::Renaming;
use crate::operators::{Condition, ConditionId, Leaf, Operators, Source, Table, Value, Values};
use crate::parts::Parts;
use std::collections::BTreeMap;

/// The most vertices and edges.
const LARGEST: usize = 400_000;

/// The colour of what a vertex stands for, times 2^40; what belongs to it is added.
mod kind {
    pub const LEAF: u64 = 1 << 40;
    pub const FACT: u64 = 2 << 40;
    pub const VALUE: u64 = 3 << 40;
    pub const IN: u64 = 4 << 40;
    pub const TABLE: u64 = 5 << 40;
    pub const ROW: u64 = 6 << 40;
    pub const ALL: u64 = 7 << 40;
    pub const ANY: u64 = 8 << 40;
    pub const OPERATOR: u64 = 9 << 40;
    pub const WRITE: u64 = 10 << 40;
    pub const ROOT: u64 = 11 << 40;
    pub const OUTCOME: u64 = 12 << 40;
    pub const CASE: u64 = 13 << 40;
}

/// What an edge says.
mod label {
    pub const OF_LEAF: u32 = 1;
    pub const OF_VALUE: u32 = 2;
    pub const PART: u32 = 3;
    pub const CONDITION: u32 = 4;
    pub const WRITES: u32 = 5;
    pub const INTO: u32 = 6;
    pub const COPIES: u32 = 7;
    pub const RESULT: u32 = 8;
}

/// Rules as a graph.
pub(super) struct Drawn {
    pub graph: Graph,
    /// How many leaves, whose vertices are the first ones.
    pub leaves: usize,
    /// By leaf: vertices of its values, in their order.
    pub facts: Vec<BTreeMap<Value, Vertex>>,
    /// How many vertices are leaves, facts and values, which come first.
    pub core: usize,
    /// What these are.
    core_of: Vec<Core>,
    values: BTreeMap<(Leaf, Value), Vertex>,
}

/// What a vertex stands for.
enum Core {
    Leaf(Leaf),
    Fact(Leaf, Value),
    Value(Leaf, Value),
}

impl Drawn {
    /// The image of a leaf, a fact or a value.
    pub fn image(&self, by: &Renaming, vertex: Vertex) -> Option<Vertex> {
        match self.core_of.get(vertex as usize)? {
            Core::Leaf(leaf) => Some(Vertex::from(by.image(*leaf))),
            Core::Fact(leaf, value) => {
                self.facts[usize::from(by.image(*leaf))].get(&by.value(*leaf, *value)).copied()
            }
            Core::Value(leaf, value) => {
                let fact = (by.image(*leaf), by.value(*leaf, *value));
                self.values.get(&fact).copied()
            }
        }
    }
}

/// Draws rules; `None` if they are not known in all, or large.
pub(super) fn drawn(parts: &[Part<'_>], used: &[Vec<bool>]) -> Option<Drawn> {
    let domains = &parts.first()?.operators.domains;
    let mut drawing = Drawing::default();
    let mut core_of: Vec<Core> = Vec::new();
    for leaf in 0..domains.len() {
        drawing.vertex(kind::LEAF);
        core_of.push(Core::Leaf(leaf as Leaf));
    }
    let sorts = sorts(parts, domains.len());
    let (mut of_sorts, mut values) = (BTreeMap::new(), BTreeMap::new());
    let mut facts = Vec::with_capacity(domains.len());
    for (leaf, domain) in (0..).zip(domains) {
        let mut of_leaf = BTreeMap::new();
        for value in domain.iter() {
            let fact = drawing.vertex(kind::FACT);
            core_of.push(Core::Fact(leaf, value));
            let sort = (sorts[usize::from(leaf)], value);
            let of_sort = *of_sorts.entry(sort).or_insert_with(|| {
                core_of.push(Core::Value(leaf, value));
                drawing.vertex(kind::VALUE)
            });
            drawing.edge(fact, Vertex::from(leaf), label::OF_LEAF);
            drawing.edge(fact, of_sort, label::OF_VALUE);
            values.insert((leaf, value), of_sort);
            of_leaf.insert(value, fact);
        }
        facts.push(of_leaf);
    }
    let core = drawing.colours.len();
    let mut draw = Draw { drawing, facts, domains };
    for (number, (part, used)) in (0..).zip(parts.iter().zip(used)) {
        draw.part(number, part, used)?;
    }
    let Draw { drawing, facts, .. } = draw;
    let (graph, leaves) = (drawing.done(), domains.len());
    Some(Drawn { graph, leaves, facts, core, core_of, values })
}

/// By leaf: a number for its sort.
fn sorts(parts: &[Part<'_>], leaves: usize) -> Vec<u32> {
    let mut sorts = Parts::new(leaves);
    let writes = parts.iter().flat_map(|part| &part.operators.operators);
    for (leaf, source) in writes.flat_map(|operator| &operator.writes) {
        if let Source::Leaf(from) = source {
            sorts.join(u32::from(*leaf), u32::from(*from));
        }
    }
    (0..leaves as u32).map(|leaf| sorts.least(leaf)).collect()
}

struct Draw<'d> {
    drawing: Drawing,
    facts: Vec<BTreeMap<Value, Vertex>>,
    domains: &'d [Values],
}

impl Draw<'_> {
    fn part(&mut self, number: u64, part: &Part<'_>, used: &[bool]) -> Option<()> {
        let Operators { conditions, operators, .. } = part.operators;
        let mut vertices: Vec<Vertex> = Vec::with_capacity(conditions.len());
        for (condition, &used) in conditions.iter().zip(used) {
            vertices.push(if used { self.condition(condition, &vertices)? } else { 0 });
            if self.drawing.size() > LARGEST {
                return None;
            }
        }
        let of = |condition: ConditionId| vertices[condition as usize];
        for operator in operators {
            let colour = kind::OPERATOR + (number << 32) + u64::from(operator.cost);
            let vertex = self.drawing.vertex(colour);
            self.drawing.edge(vertex, of(operator.condition), label::CONDITION);
            for (leaf, source) in &operator.writes {
                self.write(vertex, (*leaf, source), &vertices)?;
            }
            if self.drawing.size() > LARGEST {
                return None;
            }
        }
        for (which, root) in (0..).zip(part.roots()) {
            let vertex = self.drawing.vertex(kind::ROOT + number * 8 + which);
            self.drawing.edge(vertex, of(root), label::CONDITION);
        }
        for &(condition, value) in part.outcomes {
            let mut colour = super::graph::both(kind::OUTCOME + number, value as u64);
            colour |= 1 << 63;
            let vertex = self.drawing.vertex(colour);
            self.drawing.edge(vertex, of(condition), label::CONDITION);
        }
        Some(())
    }

    fn condition(&mut self, condition: &Condition, vertices: &[Vertex]) -> Option<Vertex> {
        Some(match condition {
            Condition::Unknown => return None,
            Condition::In(leaf, values) => {
                let vertex = self.drawing.vertex(kind::IN);
                for value in values.common(&self.domains[usize::from(*leaf)]).iter() {
                    self.drawing.edge(vertex, self.fact(*leaf, value)?, label::PART);
                }
                vertex
            }
            Condition::Table(table) => {
                let vertex = self.drawing.vertex(kind::TABLE);
                for (values, _) in table.each(self.domains).filter(|(_, holds)| **holds) {
                    self.row(vertex, table, &values)?;
                }
                vertex
            }
            Condition::All(parts) => self.parts(kind::ALL, parts, vertices),
            Condition::Any(parts) => self.parts(kind::ANY, parts, vertices),
        })
    }

    fn parts(&mut self, kind: u64, parts: &[ConditionId], vertices: &[Vertex]) -> Vertex {
        let vertex = self.drawing.vertex(kind);
        for &part in parts {
            self.drawing.edge(vertex, vertices[part as usize], label::PART);
        }
        vertex
    }

    fn row<T>(&mut self, table: Vertex, of: &Table<T>, values: &[Value]) -> Option<Vertex> {
        let row = self.drawing.vertex(kind::ROW);
        self.drawing.edge(table, row, label::PART);
        for (&leaf, &value) in of.leaves.iter().zip(values) {
            self.drawing.edge(row, self.fact(leaf, value)?, label::PART);
        }
        Some(row)
    }

    fn write(
        &mut self,
        operator: Vertex,
        (leaf, source): (Leaf, &Source),
        conditions: &[Vertex],
    ) -> Option<()> {
        let vertex = self.drawing.vertex(kind::WRITE);
        self.drawing.edge(operator, vertex, label::WRITES);
        self.drawing.edge(vertex, Vertex::from(leaf), label::INTO);
        match source {
            Source::Unknown => return None,
            Source::Cases(cases) => {
                for &(when, value) in cases {
                    let case = self.drawing.vertex(kind::CASE);
                    self.drawing.edge(vertex, case, label::PART);
                    self.drawing.edge(case, conditions[when as usize], label::CONDITION);
                    if let Some(fact) = self.fact(leaf, value) {
                        self.drawing.edge(case, fact, label::RESULT);
                    }
                }
            }
            Source::Value(value) => {
                self.drawing.edge(vertex, self.fact(leaf, *value)?, label::RESULT);
            }
            Source::Leaf(from) => {
                self.drawing.edge(vertex, Vertex::from(*from), label::COPIES);
            }
            Source::Table(table) => {
                for (values, &value) in table.each(self.domains) {
                    let row = self.row(vertex, table, &values)?;
                    // What is no value of the leaf is never written.
                    if let Some(fact) = self.fact(leaf, value) {
                        self.drawing.edge(row, fact, label::RESULT);
                    }
                }
            }
        }
        Some(())
    }

    fn fact(&self, leaf: Leaf, value: Value) -> Option<Vertex> {
        self.facts[usize::from(leaf)].get(&value).copied()
    }
}
