//! All answers of a goal in the symbolic run: as a list, counted, added up.

use super::arithmetic::Value;
use super::builtins::{At, deopt};
use super::ops::Filter;
use super::residual::{Answer, Cond, Expr, ExprId, FAIL, Node, NodeId, Relation};
use super::run::{Context, Frame, Run, Site, Step, Stop, Taken};
use super::terms::{self, View};
use rustc_hash::FxHashMap;
use zug_machine::Space;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

impl Run<'_> {
    /// `findall(Template, Goal, List)`.
    pub fn findall(&mut self, args: [Cell; 3], at: &At<'_>) -> Taken<Step> {
        let bag = self.all_answers(args[0], args[1], at)?;
        let list = self.bag(bag);
        Ok(self.with_all(bag, args[2], list, at))
    }

    /// `findall(Template, Goal, List, Rest)`.
    pub fn findall_tail(&mut self, args: [Cell; 4], at: &At<'_>) -> Taken<Step> {
        let bag = self.all_answers(args[0], args[1], at)?;
        let list = self.bag(bag);
        let list = self.known_list(list)?;
        let list = self.heap.list_from(&list, args[3]);
        self.unify(args[2], list).map(|()| Step::Next(at.next.clone()))
    }

    /// Whether a filter of a list can be one of answers: nothing in it is unbound, and nothing
    /// is bound by what is tried.
    pub fn filters(&self, filter: Filter, args: &[Cell]) -> bool {
        let lambda = match self.view(args[1]) {
            View::Struct(header, lambda) if header == Cell::functor(atoms::SHIFT_RIGHT, 2) => {
                // Its variables are renamed each time, but for those said to be shared.
                !matches!(self.view(self.heap.at(lambda)), View::Struct(..))
            }
            _ => false,
        };
        let tried = self.is_closed(args[1]) || lambda && filter != Filter::Delete;
        self.joins && tried && self.is_closed(args[0])
    }

    /// The elements of a list that a filter keeps.
    pub fn filter(&mut self, filter: Filter, args: [Cell; 3], at: &At<'_>) -> Taken<Step> {
        let [list, tried, kept] = args;
        let item = self.heap.new_var();
        let named = |run: &mut Self, name: &str, args: &[Cell]| {
            let name = run.machine.symbols.intern(name);
            run.heap.new_struct(name, args)
        };
        let member = named(self, "member", &[item, list]);
        let test = match filter {
            Filter::Delete => named(self, "\\=", &[item, tried]),
            Filter::Include | Filter::Exclude => {
                let call = named(self, "call", &[tried, item]);
                named(self, if filter == Filter::Include { "once" } else { "\\+" }, &[call])
            }
        };
        let goal = self.heap.new_struct(atoms::COMMA, &[member, test]);
        let site = Site { space: Space::System, ..at.site };
        self.findall([item, goal, kept], &At { site, ..*at })
    }

    fn all_answers(&mut self, template: Cell, goal: Cell, at: &At<'_>) -> Taken<NodeId> {
        let bag = self.answers(Context::Bag(template), goal, at.site, at.depth);
        match self.residual.whole_deopt(bag) {
            Some(reason) => Err(Stop::Deopt(reason.what.clone(), reason.new_value)),
            None => Ok(bag),
        }
    }

    /// Goes on with the value of something that was made of all answers.
    fn with_all(&mut self, bag: NodeId, to: Cell, value: Cell, at: &At<'_>) -> Step {
        self.after_all(bag, Run::then(Frame::Unify(to, value), at.next))
    }

    /// What always holds, and takes all answers to find out.
    pub fn always(&mut self, bag: NodeId) -> Cond {
        let (count, zero) = (self.count(bag), self.residual.constant(0));
        Cond::Compare(Relation::LessEqual, zero, count)
    }

    /// A list of answers, as a list if it depends on nothing.
    fn bag(&mut self, bag: NodeId) -> Cell {
        let open = |node: &Node| {
            self.look(1);
            !matches!(node, Node::Fail | Node::Alt(_) | Node::Answer(_))
        };
        if self.residual.any(bag, open) {
            return terms::bag_cell(&mut self.heap, bag);
        }
        self.open(bag).unwrap_or_else(|_| terms::bag_cell(&mut self.heap, bag))
    }

    pub fn aggregate_all(&mut self, args: &[Cell], at: &At<'_>) -> Taken<Step> {
        let template = match self.view(args[0]) {
            View::Const(c) => Some((c, None)),
            View::Struct(header, first) if header.functor_arity() == 1 => {
                Some((Cell::atom(header.functor_name()), Some(self.heap.at(first))))
            }
            _ => None,
        };
        let kind = template.map(|(c, of)| {
            let name = c.as_atom().map_or("", |atom| self.machine.symbols.name(atom));
            (name.to_owned(), of)
        });
        let (name, of) = match kind {
            Some((name, of))
                if matches!(
                    (name.as_str(), of),
                    ("count", _) | ("sum" | "max" | "min" | "bag", Some(_))
                ) =>
            {
                (name, of)
            }
            _ => {
                // The library's own definition.
                let aggregate = self.machine.symbols.intern("$aggregate_all");
                let goal = self.heap.new_struct(aggregate, args);
                let goal = self.heap.new_struct(atoms::COLON, &[Cell::atom(atoms::SYSTEM), goal]);
                return Ok(Step::Next(Run::then(Frame::Call(goal, at.site), at.next)));
            }
        };
        let bag = self.all_answers(of.unwrap_or(Cell::NIL), args[1], at)?;
        let list = self.bag(bag);
        let value = match name.as_str() {
            "count" => self.length_of(list)?,
            "sum" => self.sum(list)?,
            "bag" => list,
            name => self.extreme(list, name == "max", true)?,
        };
        Ok(self.with_all(bag, args[2], value, at))
    }

    /// The number of elements of a list of answers.
    pub fn count(&mut self, bag: NodeId) -> u32 {
        self.residual.expr(Expr::Count(bag)).expect("a count has a value")
    }

    /// Whether a list of answers is empty.
    pub fn is_empty(&mut self, bag: NodeId) -> Taken<bool> {
        let (count, zero) = (self.count(bag), self.residual.constant(0));
        self.equal(count, zero)
    }

    pub fn sum(&mut self, list: Cell) -> Taken<Cell> {
        if let View::Bag(bag) = self.view(list) {
            let values = self.with_values(bag)?;
            let Some(sum) = self.residual.expr(Expr::Sum(values)) else {
                return deopt("the sum is too large");
            };
            return Ok(self.value_cell(Value::Int(sum)));
        }
        let mut sum = Value::Int(self.residual.constant(0));
        for item in self.known_list(list)? {
            let item = self.eval(item)?;
            let (a, b) = (self.value_cell(sum), self.value_cell(item));
            let term = self.heap.new_struct(atoms::PLUS, &[a, b]);
            sum = self.eval(term)?;
        }
        Ok(self.value_cell(sum))
    }

    /// The greatest or least element; fails for the empty list. An only one is a term as it is,
    /// unless it is `evaluated`.
    pub fn extreme(&mut self, list: Cell, greatest: bool, evaluated: bool) -> Taken<Cell> {
        if let View::Bag(bag) = self.view(list) {
            if self.is_empty(bag)? {
                return Err(Stop::Fail);
            }
            if !evaluated && self.has_compound(bag) {
                return deopt("the only element may be an expression");
            }
            let values = self.with_values(bag)?;
            let expr = if greatest { Expr::Max(values) } else { Expr::Min(values) };
            let Some(expr) = self.residual.expr(expr) else {
                return deopt("the value is too large");
            };
            return Ok(self.value_cell(Value::Int(expr)));
        }
        let items = self.known_list(list)?;
        let Some((&first, rest)) = items.split_first() else { return Err(Stop::Fail) };
        if !evaluated && rest.is_empty() && matches!(self.view(first), View::Struct(..)) {
            return deopt("the only element may be an expression");
        }
        let mut best = self.eval(first)?;
        let name = if greatest { atoms::MAX } else { atoms::MIN };
        for &item in rest {
            let item = self.eval(item)?;
            let (a, b) = (self.value_cell(best), self.value_cell(item));
            let term = self.heap.new_struct(name, &[a, b]);
            best = self.eval(term)?;
        }
        Ok(self.value_cell(best))
    }

    /// Whether an element of a list of answers is a compound.
    fn has_compound(&mut self, bag: NodeId) -> bool {
        let mut terms = Vec::new();
        let answers = &self.residual.answers;
        self.residual.any(bag, |node| {
            self.look(1);
            if let Node::Answer(answer) = node
                && let Answer::Item { term: Some(term), .. } = &answers[*answer as usize]
            {
                terms.push(term.clone());
            }
            false
        });
        terms.iter().any(|term| {
            let cell = term.instantiate(&mut self.heap);
            matches!(self.view(cell), View::Struct(..) | View::List(_))
        })
    }

    /// A list of answers, each with its value.
    fn with_values(&mut self, bag: NodeId) -> Taken<NodeId> {
        self.valued(bag, None, &mut FxHashMap::default(), 0)
    }

    /// As [`Run::with_values`], of what the answers of a choice say at a place, but for some
    /// addends that they all have.
    pub fn with_values_of(
        &mut self,
        choice: NodeId,
        at: usize,
        without: &[ExprId],
    ) -> Taken<NodeId> {
        self.valued(choice, Some((at, without)), &mut FxHashMap::default(), 0)
    }

    fn valued(
        &mut self,
        node: NodeId,
        place: Option<(usize, &[ExprId])>,
        memo: &mut FxHashMap<NodeId, NodeId>,
        depth: u32,
    ) -> Taken<NodeId> {
        if let Some(&done) = memo.get(&node) {
            return Ok(done);
        }
        if depth > 500 {
            return deopt("the answers nest too deep");
        }
        self.look(1);
        let new = match self.residual.node(node).clone() {
            Node::Fail => FAIL,
            Node::Deopt(_) => node,
            Node::Alt(parts) => {
                let mut new = Vec::new();
                for &part in &parts {
                    new.push(self.valued(part, place, memo, depth + 1)?);
                }
                self.residual.alt(&new)
            }
            Node::If(cond, a, b) => {
                let a = self.valued(a, place, memo, depth + 1)?;
                let b = self.valued(b, place, memo, depth + 1)?;
                self.residual.test(cond, a, b)
            }
            Node::Scope(label, inner) => {
                let inner = self.valued(inner, place, memo, depth + 1)?;
                self.residual.scope(label, inner)
            }
            Node::Commit(label, inner) => {
                let inner = self.valued(inner, place, memo, depth + 1)?;
                self.residual.commit(label, inner)
            }
            Node::Answer(answer) => match self.residual.answers[answer as usize].clone() {
                Answer::Item { term: Some(term), .. } => {
                    let mut cell = term.instantiate(&mut self.heap);
                    let whole = match place {
                        Some((at, _)) => {
                            cell = self.joined_value(cell, at).unwrap_or(cell);
                            match self.integer(self.view(cell))? {
                                Some(value) => value,
                                None => return deopt("a term that is no integer"),
                            }
                        }
                        None => self.eval_int(cell)?,
                    };
                    let without = place.map_or(&[][..], |(_, without)| without);
                    let Some(value) = self.residual.without(whole, without) else {
                        return deopt("a value that is too large");
                    };
                    let value = Some(value);
                    self.residual.answer(Answer::Item { term: None, value, copy: 0 })
                }
                _ => return deopt("an answer whose value can't be told"),
            },
        };
        memo.insert(node, new);
        Ok(new)
    }

    /// The elements of a list of answers, in order; asks until they are known.
    pub fn open(&mut self, bag: NodeId) -> Taken<Cell> {
        if let Some(&(_, list)) = self.known.opened.iter().find(|(opened, _)| *opened == bag) {
            return Ok(list);
        }
        let mut items = Vec::new();
        self.collect(bag, &mut items, 0)?;
        let items: Vec<Cell> = items.iter().map(|item| item.instantiate(&mut self.heap)).collect();
        let list = self.heap.list_from(&items, Cell::NIL);
        self.known.opened.push((bag, list));
        Ok(list)
    }

    /// Goes through a list of answers; the label that was committed to, if one was.
    fn collect(&mut self, node: NodeId, items: &mut Vec<Record>, depth: u32) -> Taken<Option<u32>> {
        if depth > 500 {
            return deopt("the answers nest too deep");
        }
        self.look(1);
        match *self.residual.node(node) {
            Node::Fail => Ok(None),
            Node::Alt(ref parts) => {
                for i in 0..parts.len() {
                    let Node::Alt(parts) = self.residual.node(node) else { break };
                    let part = parts[i];
                    if let Some(label) = self.collect(part, items, depth + 1)? {
                        return Ok(Some(label));
                    }
                }
                Ok(None)
            }
            Node::If(cond, a, b) => {
                let part = if self.ask(cond)? { a } else { b };
                self.collect(part, items, depth + 1)
            }
            Node::Scope(label, inner) => {
                let left = self.collect(inner, items, depth + 1)?;
                Ok(left.filter(|&left| left != label))
            }
            Node::Commit(label, inner) => {
                let left = self.collect(inner, items, depth + 1)?;
                Ok(Some(left.unwrap_or(label)))
            }
            Node::Answer(answer) => match &self.residual.answers[answer as usize] {
                Answer::Item { term: Some(term), .. } => {
                    items.push(term.clone());
                    Ok(None)
                }
                _ => deopt("an answer that can't be told"),
            },
            Node::Deopt(reason) => {
                let reason = &self.residual.reasons[reason as usize];
                Err(Stop::Deopt(reason.what.clone(), reason.new_value))
            }
        }
    }
}
