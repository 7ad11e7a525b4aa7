//! Joins: a choice whose branches differ in numbers alone becomes one number.
//!
//! A count kept along a list, `( Square == x -> N is N0 + 1 ; N = N0 )`, would double the
//! program at every square. Where each way through a choice ends with exactly one answer, and
//! the answers bind the same variables to integers, the choice is one expression, and what
//! follows it is run once.

use super::residual::{Answer, BinaryOp, Cond, Expr, ExprId, Label, Need, Node, NodeId, kind};
use super::run::{Context, Frame, Link, Mark, Rest, Run, Step, Stop, Taken};
use super::terms::{self, View};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_machine::PredId;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// Steps that a choice may take for a join to be tried.
const MOST_STEPS: u64 = 600;
/// Ways through a choice that are told apart.
const MOST_WAYS: usize = 32;
/// Tests of a choice up to which all cases are gone through.
const MOST_CONDS: usize = 6;
/// Choices of a predicate that are no joins, after which none of them is tried any more.
const MOST_REFUSED: u32 = 8;
/// Nested choices, each of which takes its part of the Rust stack.
const DEEPEST: u32 = 300;

/// Terms that are looked at to see whether a variable occurs in them.
const MOST_LOOKED: usize = 3000;

/// What answers of a choice say at a place: what they have bound a variable to, by its address,
/// or an argument of the call that they come to, by its number.
pub struct Column {
    /// The place.
    pub at: usize,
    /// What they say, those that say something.
    pub values: Vec<Cell>,
    /// All of them do.
    pub in_all: bool,
}

/// How a way through a residual ends: answers, and the scope that is left.
type Way = (u8, Option<Label>);

impl Run<'_> {
    /// Tries to make one step of a choice, which `choice` gives with what follows it; it stands
    /// in a clause of a predicate, or between its clauses. `None` if it is no choice between
    /// numbers.
    pub fn join(
        &mut self,
        of: PredId,
        choice: impl FnOnce(&mut Self, &Rest) -> (Label, Vec<Rest>),
        next: &Rest,
    ) -> Taken<Option<Step>> {
        // At the end of a path only a value can be one of several.
        let ends = next.is_none() && !matches!(self.contexts.last(), Some(Context::Value(_)));
        if ends || !self.may_join(of) {
            return Ok(None);
        }
        let joined = match self.ways_of(Context::Join, choice) {
            Some((node, columns)) => self.bind_joined(node, &columns, next)?.then_some(node),
            None => None,
        };
        self.weigh(of, joined.is_some());
        Ok(joined.map(|node| self.after_all(node, next.clone())))
    }

    /// Whether joins are worth trying.
    pub fn may_join(&self, of: PredId) -> bool {
        let refused = self.refused.get(&of).copied().unwrap_or(0);
        self.joins && self.depth <= DEEPEST && refused < MOST_REFUSED
    }

    /// Where choices are of other kinds, trying costs more than it brings.
    pub fn weigh(&mut self, of: PredId, joined: bool) {
        let refused = self.refused.entry(of).or_insert(0);
        *refused = if joined { 0 } else { *refused + 1 };
    }

    /// The ways through a choice, and what their answers say. `None` if that can't be told, or
    /// one of them has not exactly one answer.
    pub fn ways_of(
        &mut self,
        context: impl FnOnce(Mark) -> Context,
        choice: impl FnOnce(&mut Self, &Rest) -> (Label, Vec<Rest>),
    ) -> Option<(NodeId, Vec<Column>)> {
        let (mark, most, depth) = (self.mark(), self.most_steps, self.depth);
        self.most_steps = most.min(self.steps + MOST_STEPS);
        self.contexts.push(context(mark));
        let (label, alternatives) = choice(self, &None);
        let node = self.choice(label, alternatives, depth + 1);
        self.contexts.pop();
        self.depth = depth;
        let within = self.steps <= self.most_steps;
        self.most_steps = most;
        self.undo(mark);
        if !within || !self.has_one_answer(node) {
            return None;
        }
        self.columns(node).map(|columns| (node, columns))
    }

    /// On with what follows a choice, or a list of answers. An error on the way to one of its
    /// answers is raised though nobody may ask for that.
    pub fn after_all(&self, answers: NodeId, next: Rest) -> Step {
        let deopts = |node: &Node| {
            self.look(1);
            matches!(node, Node::Deopt(_))
        };
        if self.residual.any(answers, deopts) { Step::All(answers, next) } else { Step::Next(next) }
    }

    /// What an answer of a choice has bound, as a list of addresses and terms.
    pub fn joined(&mut self, mark: Mark) -> Taken<Answer> {
        let unknown = || Ok(Answer::UNKNOWN);
        let Some(bound) = self.bound_since(mark) else { return unknown() };
        let mut pairs = Vec::new();
        for addr in bound {
            let value = self.heap.at(addr);
            let value = if self.is_closed(value) {
                self.copy(value)?
            } else {
                terms::open_cell(&mut self.heap, addr)
            };
            pairs.push((addr, value));
        }
        Ok(self.row(&pairs))
    }

    /// An answer that says what stands at some places.
    pub fn row(&mut self, pairs: &[(usize, Cell)]) -> Answer {
        let mut items = Vec::new();
        for &(at, value) in pairs {
            items.push(self.heap.new_struct(atoms::MINUS, &[Cell::small(at as i64), value]));
        }
        let list = self.heap.list_from(&items, Cell::NIL);
        Answer::Item { term: Some(Record::new(&mut self.heap, list)), value: None, copy: 0 }
    }

    /// Whether a term has no variables of the rules; leaves may be unbound, but then they must
    /// not be copied.
    pub fn is_closed(&self, cell: Cell) -> bool {
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
            || self.has_one_by_cases(choice)
    }

    /// The same, by going through what the tests of a choice may come to: alternatives may
    /// exclude each other.
    fn has_one_by_cases(&self, choice: NodeId) -> bool {
        let mut conds = Vec::new();
        let many = self.residual.any(choice, |node| {
            self.look(1);
            if let Node::If(cond, ..) = node
                && !conds.contains(cond)
            {
                conds.push(*cond);
            }
            conds.len() > MOST_CONDS
        });
        let mut found = false;
        !many
            && (0..1u32 << conds.len()).all(|case| {
                let holds = |cond: &Cond| {
                    let at = conds.iter().position(|known| known == cond);
                    at.is_some_and(|at| case >> at & 1 == 1)
                };
                // No leaf has two values.
                let mut values = Vec::new();
                let twice = conds.iter().any(|cond| match *cond {
                    Cond::Is(leaf, _) if holds(cond) => {
                        let twice = values.contains(&leaf);
                        values.push(leaf);
                        twice
                    }
                    _ => false,
                });
                if twice {
                    return true;
                }
                match self.answers_in(choice, &holds) {
                    Some((answers, left)) => {
                        found = true;
                        answers == 1 && left.is_none()
                    }
                    None => true,
                }
            })
            && found
    }

    /// The answers of a part in a case, and the scope that is left; `None` for the machine.
    fn answers_in(&self, node: NodeId, holds: &impl Fn(&Cond) -> bool) -> Option<Way> {
        self.look(1);
        match self.residual.node(node) {
            Node::Fail => Some((0, None)),
            Node::Deopt(_) => None,
            Node::Answer(_) => Some((1, None)),
            &Node::If(ref cond, a, b) => self.answers_in(if holds(cond) { a } else { b }, holds),
            Node::Alt(parts) => {
                let mut sum = 0u8;
                for &part in parts {
                    let (answers, left) = self.answers_in(part, holds)?;
                    sum = sum.saturating_add(answers);
                    if left.is_some() {
                        return Some((sum, left));
                    }
                }
                Some((sum, None))
            }
            &Node::Scope(label, inner) => {
                let (answers, left) = self.answers_in(inner, holds)?;
                Some((answers, left.filter(|&left| left != label)))
            }
            &Node::Commit(label, inner) => {
                let (answers, left) = self.answers_in(inner, holds)?;
                Some((answers, left.or(Some(label))))
            }
        }
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
        self.look(1);
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

    /// What the answers say at each place. `None` if that can't be told.
    fn columns(&mut self, choice: NodeId) -> Option<Vec<Column>> {
        let mut answers = Vec::new();
        self.residual.any(choice, |node| {
            self.look(1);
            if let Node::Answer(answer) = node {
                answers.push(*answer);
            }
            false
        });
        let mut columns: Vec<Column> = Vec::new();
        for &answer in &answers {
            let Answer::Item { term: Some(term), .. } =
                self.residual.answers[answer as usize].clone()
            else {
                return None;
            };
            let list = term.instantiate(&mut self.heap);
            let pairs: Vec<Cell> = self.heap.items(list).collect();
            for pair in pairs {
                let [at, value] = self.heap.match_struct::<2>(pair, atoms::MINUS)?;
                let at = self.heap.deref(at).int_value() as usize;
                match columns.iter_mut().find(|column| column.at == at) {
                    Some(column) => column.values.push(value),
                    None => columns.push(Column { at, values: vec![value], in_all: false }),
                }
            }
        }
        for column in &mut columns {
            column.in_all = column.values.len() == answers.len();
        }
        columns.sort_unstable_by_key(|column| column.at);
        Some(columns)
    }

    /// Binds the variables of a choice: to what all answers say, or to a number. Others must not
    /// occur in what follows.
    fn bind_joined(&mut self, choice: NodeId, columns: &[Column], next: &Rest) -> Taken<bool> {
        let mark = self.mark();
        for column in columns {
            match self.one_of(choice, column)? {
                Some(value) => self.bind(column.at, value),
                None if !self.occurs_in(column.at, next) => {}
                None => {
                    self.undo(mark);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether a variable may occur in what is still to be done or answered; one that was there
    /// before a choice around this one may occur behind that.
    fn occurs_in(&self, var: usize, next: &Rest) -> bool {
        let mut todo = Vec::new();
        for context in &self.contexts {
            match *context {
                Context::Test => {}
                Context::Join(mark) | Context::Call(_, mark) if mark.is_after(var) => return true,
                Context::Join(_) | Context::Call(..) => {}
                Context::Value(cell) | Context::Bag(cell) => todo.push(cell),
                Context::Moves(name, cost, to) => todo.extend([name, to].into_iter().chain(cost)),
            }
        }
        let mut link = next.as_deref();
        while let Some(Link { frame, next }) = link {
            match *frame {
                Frame::Goal(goal, site)
                | Frame::Call(goal, site)
                | Frame::Clause(_, goal, site)
                | Frame::Then(_, goal, site)
                | Frame::Not(goal, site)
                | Frame::Resume(goal, site) => {
                    todo.push(goal);
                    if let Some(awaited) = site.awaited {
                        todo.extend([awaited.call, awaited.met]);
                    }
                }
                Frame::Refuse(_) => {}
                Frame::Unify(a, b) => todo.extend([a, b]),
            }
            link = next.as_deref();
        }
        let mut looked = FxHashSet::default();
        while let Some(cell) = todo.pop() {
            match self.view(cell) {
                View::Var(addr) if addr == var => return true,
                View::List(addr) if looked.insert(addr) => {
                    todo.extend([self.heap.at(addr), self.heap.at(addr + 1)]);
                }
                View::Struct(header, args) if looked.insert(args) => {
                    todo.extend((0..header.functor_arity()).map(|i| self.heap.at(args + i)));
                }
                _ => {}
            }
            if looked.len() > MOST_LOOKED {
                return true;
            }
        }
        false
    }

    /// What all answers of a choice say in a column, or the number that one of them says.
    pub fn one_of(&mut self, choice: NodeId, column: &Column) -> Taken<Option<Cell>> {
        let Column { values, .. } = column;
        if !column.in_all || values.iter().any(|&v| terms::open_addr(&self.heap, v).is_some()) {
            return Ok(None);
        }
        if values.iter().all(|&value| self.same_term(value, values[0])) {
            return Ok(Some(values[0]));
        }
        match self.number_of(choice, column) {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Need(cond)) => Err(Stop::Need(cond)),
            Err(_) => Ok(None),
        }
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

    /// What an answer of a choice says at a place.
    pub fn joined_value(&self, answer: Cell, at: usize) -> Option<Cell> {
        let mut pairs = self.heap.items(answer).filter_map(|pair| {
            let [place, value] = self.heap.match_struct::<2>(pair, atoms::MINUS)?;
            Some((self.heap.deref(place).int_value() as usize, value))
        });
        pairs.find(|&(place, _)| place == at).map(|(_, value)| value)
    }

    /// The number that answers of a choice give in a column. What they all add is added once, so
    /// that a count stays a sum of small parts.
    fn number_of(&mut self, choice: NodeId, column: &Column) -> Taken<Cell> {
        let mut common: Option<Vec<ExprId>> = None;
        for &value in &column.values {
            // As it stands: `1 + 2` is no number.
            let Some(value) = self.integer(self.view(value))? else {
                return Err(Stop::Deopt("a term that is no integer".to_owned(), false));
            };
            let mut addends = self.residual.addends(value);
            common = Some(match common {
                None => addends,
                Some(mut common) => {
                    common.retain(|addend| {
                        let at = addends.iter().position(|other| other == addend);
                        at.map(|at| addends.swap_remove(at)).is_some()
                    });
                    common
                }
            });
        }
        let mut common = common.unwrap_or_default();
        common.retain(|&addend| self.residual.need(addend) == Need::State);
        let values = self.with_values_of(choice, column.at, &common)?;
        let one = self.residual.expr(Expr::Sum(values));
        let all = common.into_iter().map(Some).chain([one]);
        let sum = all
            .reduce(|sum, addend| self.residual.expr(Expr::Binary(BinaryOp::Add, sum?, addend?)));
        let sum = sum.flatten();
        let sum = sum.ok_or_else(|| Stop::Deopt("the value is too large".to_owned(), false))?;
        Ok(self.value_cell(super::arithmetic::Value::Int(sum)))
    }
}
