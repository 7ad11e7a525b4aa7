//! Joins: a choice whose branches differ in numbers alone becomes one number.
//!
//! A count kept along a list, `( Square == x -> N is N0 + 1 ; N = N0 )`, would double the
//! program at every square. Where each way through a choice ends with exactly one answer, and
//! the answers bind the same variables to integers, the choice is one expression, and what
//! follows it is run once.

use super::residual::{Answer, Expr, Label, Node, NodeId, kind};
use super::run::{Context, Mark, Rest, Run, Step, Stop, Taken};
use super::terms::View;
use crate::symbol::atoms;
use crate::term::{Cell, Record};
use rustc_hash::FxHashMap;

/// Steps that a choice may take for a join to be tried.
const MOST_STEPS: u64 = 600;
/// Ways through a choice that are told apart.
const MOST_WAYS: usize = 32;
/// Choices that are no joins, after which none is tried any more.
const MOST_REFUSED: u32 = 24;
/// Nested choices, each of which takes its part of the Rust stack.
const DEEPEST: u32 = 300;

/// How a way through a residual ends: answers, and the scope that is left.
type Way = (u8, Option<Label>);

impl Run<'_> {
    /// Tries to make one step of a choice, which `choice` gives with what follows it. `None` if
    /// it is no choice between numbers.
    pub fn join(
        &mut self,
        choice: impl FnOnce(&mut Self, &Rest) -> (Label, Vec<Rest>),
        next: &Rest,
    ) -> Taken<Option<Step>> {
        if !self.joins || next.is_none() || self.depth > DEEPEST {
            return Ok(None);
        }
        let (mark, most, depth) = (self.mark(), self.most_steps, self.depth);
        self.most_steps = most.min(self.steps + MOST_STEPS);
        self.contexts.push(Context::Join(mark));
        let (label, alternatives) = choice(self, &None);
        let node = self.choice(label, alternatives, depth + 1);
        self.contexts.pop();
        self.depth = depth;
        let within = self.steps <= self.most_steps;
        self.most_steps = most;
        self.undo(mark);
        let rows = if within && self.has_one_answer(node) { self.rows(node) } else { None };
        let joined = match rows {
            Some(rows) => self.bind_joined(node, &rows)?,
            None => false,
        };
        if !joined {
            // Where choices are of other kinds, trying costs more than it brings.
            self.refused += 1;
            self.joins = self.refused < MOST_REFUSED;
            return Ok(None);
        }
        if self.residual.any(node, |node| matches!(node, Node::Deopt(_))) {
            // An error in a branch is raised though nobody may ask for the number.
            return Ok(Some(Step::All(node, next.clone())));
        }
        Ok(Some(Step::Next(next.clone())))
    }

    /// What an answer of a choice has bound, as a list of addresses and terms.
    pub fn joined(&mut self, mark: Mark) -> Taken<Answer> {
        let unknown = || Ok(Answer::Item { term: None, value: None, copy: 0 });
        let Some(bound) = self.bound_since(mark) else { return unknown() };
        let mut pairs = Vec::new();
        for addr in bound {
            let value = self.heap.at(addr);
            if !self.is_closed(value) {
                return unknown();
            }
            pairs.push((addr, value));
        }
        pairs.sort_unstable_by_key(|pair| pair.0);
        let mut items = Vec::new();
        for (addr, value) in pairs {
            let value = self.copy(value)?;
            items.push(self.heap.new_struct(atoms::MINUS, &[Cell::small(addr as i64), value]));
        }
        let list = self.heap.list_from(&items, Cell::NIL);
        Ok(Answer::Item { term: Some(Record::new(&mut self.heap, list)), value: None, copy: 0 })
    }

    /// Whether a term has no variables of the rules; leaves may be unbound, but then they must
    /// not be copied.
    fn is_closed(&self, cell: Cell) -> bool {
        let mut todo = vec![cell];
        let mut cells = 0;
        while let Some(cell) = todo.pop() {
            cells += 1;
            if cells > 1000 {
                return false;
            }
            match self.view(cell) {
                View::Var(_) | View::Bag(_) => return false,
                View::Leaf(leaf) => {
                    if self.known.leaf(leaf).kinds & kind::VAR != 0 {
                        return false;
                    }
                }
                View::List(addr) => todo.extend([self.heap.at(addr), self.heap.at(addr + 1)]),
                View::Struct(header, args) => {
                    todo.extend((0..header.functor_arity()).map(|i| self.heap.at(args + i)));
                }
                View::Const(_) | View::Expr(_) => {}
            }
        }
        true
    }

    /// Whether each way through a choice has exactly one answer.
    fn has_one_answer(&self, choice: NodeId) -> bool {
        let mut memo = FxHashMap::default();
        let ways = self.ways(choice, &mut memo, 0);
        ways.is_some_and(|ways| !ways.is_empty() && ways.iter().all(|way| *way == (1, None)))
    }

    /// The ways through a part. One that ends with the machine is none.
    fn ways(
        &self,
        node: NodeId,
        memo: &mut FxHashMap<NodeId, Option<Vec<Way>>>,
        depth: u32,
    ) -> Option<Vec<Way>> {
        if let Some(known) = memo.get(&node) {
            return known.clone();
        }
        if depth > 500 {
            return None;
        }
        let mut ways: Vec<Way> = match self.residual.node(node) {
            Node::Fail => vec![(0, None)],
            Node::Deopt(_) => Vec::new(),
            Node::Answer(_) => vec![(1, None)],
            &Node::If(_, a, b) => {
                let mut ways = self.ways(a, memo, depth + 1)?;
                ways.extend(self.ways(b, memo, depth + 1)?);
                ways
            }
            Node::Alt(parts) => {
                let mut open = vec![0u8];
                let mut ways = Vec::new();
                for &part in parts {
                    let of_part = self.ways(part, memo, depth + 1)?;
                    let before = std::mem::take(&mut open);
                    for &answers in &before {
                        for &(more, left) in &of_part {
                            let sum = (answers + more).min(2);
                            match left {
                                Some(_) => ways.push((sum, left)),
                                None => open.push(sum),
                            }
                        }
                    }
                    open.sort_unstable();
                    open.dedup();
                }
                ways.extend(open.into_iter().map(|answers| (answers, None)));
                ways
            }
            &Node::Scope(label, inner) => {
                let ways = self.ways(inner, memo, depth + 1)?.into_iter();
                ways.map(|(n, left)| (n, left.filter(|&left| left != label))).collect()
            }
            &Node::Commit(label, inner) => {
                let ways = self.ways(inner, memo, depth + 1)?.into_iter();
                ways.map(|(n, left)| (n, left.or(Some(label)))).collect()
            }
        };
        ways.sort_unstable();
        ways.dedup();
        let ways = (ways.len() <= MOST_WAYS).then_some(ways);
        memo.insert(node, ways.clone());
        ways
    }

    /// What each answer has bound: on the heap, by address. `None` if that can't be told, or
    /// not all have bound the same variables.
    fn rows(&mut self, choice: NodeId) -> Option<Vec<(usize, Vec<Cell>)>> {
        let mut answers = Vec::new();
        self.residual.any(choice, |node| {
            if let Node::Answer(answer) = node {
                answers.push(*answer);
            }
            false
        });
        let mut rows: Vec<(usize, Vec<Cell>)> = Vec::new();
        for (i, answer) in answers.into_iter().enumerate() {
            let Answer::Item { term: Some(term), .. } =
                self.residual.answers[answer as usize].clone()
            else {
                return None;
            };
            let list = term.instantiate(&mut self.heap);
            let pairs: Vec<Cell> = self.heap.items(list).collect();
            if i > 0 && pairs.len() != rows.len() {
                return None;
            }
            for (at, pair) in pairs.into_iter().enumerate() {
                let [addr, value] = self.heap.match_struct::<2>(pair, atoms::MINUS)?;
                let addr = self.heap.deref(addr).int_value() as usize;
                if i == 0 {
                    rows.push((addr, vec![value]));
                } else if rows[at].0 == addr {
                    rows[at].1.push(value);
                } else {
                    return None;
                }
            }
        }
        Some(rows)
    }

    /// Binds the variables of a choice: to what all answers say, or to a number.
    fn bind_joined(&mut self, choice: NodeId, rows: &[(usize, Vec<Cell>)]) -> Taken<bool> {
        let mark = self.mark();
        for (column, (addr, values)) in rows.iter().enumerate() {
            let first = values[0];
            let alike = values.iter().all(|&value| self.same_term(value, first));
            let value = if alike {
                first
            } else {
                match self.number_of(choice, column) {
                    Ok(value) => value,
                    Err(Stop::Need(cond)) => return Err(Stop::Need(cond)),
                    Err(_) => {
                        self.undo(mark);
                        return Ok(false);
                    }
                }
            };
            self.bind(*addr, value);
        }
        Ok(true)
    }

    /// Whether two closed terms are alike as they stand.
    fn same_term(&self, a: Cell, b: Cell) -> bool {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            match (self.view(a), self.view(b)) {
                (View::List(x), View::List(y)) => {
                    todo.push((self.heap.at(x), self.heap.at(y)));
                    todo.push((self.heap.at(x + 1), self.heap.at(y + 1)));
                }
                (View::Struct(f, x), View::Struct(g, y)) if f == g => {
                    let args = 0..f.functor_arity();
                    todo.extend(args.map(|i| (self.heap.at(x + i), self.heap.at(y + i))));
                }
                (x, y) => {
                    if x != y {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// One of the terms in an answer of a choice.
    pub fn joined_value(&self, answer: Cell, column: usize) -> Option<Cell> {
        let pair = self.heap.items(answer).nth(column)?;
        self.heap.match_struct::<2>(pair, atoms::MINUS).map(|[_, value]| value)
    }

    /// The number that a variable of a choice is bound to.
    fn number_of(&mut self, choice: NodeId, column: usize) -> Taken<Cell> {
        let values = self.with_values_of(choice, column)?;
        let sum = self.residual.expr(Expr::Sum(values));
        let sum = sum.ok_or_else(|| Stop::Deopt("the value is too large".to_owned(), false))?;
        Ok(self.value_cell(super::arithmetic::Value::Int(sum)))
    }
}
