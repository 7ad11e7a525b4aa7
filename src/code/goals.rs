//! Goals and clauses in the symbolic run.

use super::ops::Op;
use super::residual::{Cond, kind};
use super::run::{Frame, Rest, Run, Site, Step, Stop, Taken};
use super::terms::View;
use zug_machine::database::arg_key;
use zug_machine::{ClauseId, PredId, Space};
use zug_term::Cell;
use zug_term::symbol::{Atom, atoms};

/// The most arguments of a built-in that has a symbolic form.
const MOST_ARGS: usize = 4;
/// The most elements of a list that are gone through in one step.
const MOST_ELEMENTS: usize = 1000;

impl Run<'_> {
    /// A body goal.
    pub fn goal(&mut self, goal: Cell, site: Site, next: &Rest, depth: u32) -> Taken<Step> {
        if goal.is_ref() && !matches!(self.view(goal), View::Var(_)) {
            // A variable in a body: as in call/1, whose goals are the user's.
            let goal = self.heap.deref(goal);
            let site = Site { space: Space::User, ..site };
            return Ok(Step::Next(Self::then(Frame::Call(goal, site), next)));
        }
        let cell = match self.view(goal) {
            View::Var(_) => return Err(Stop::Deopt("the goal is unbound".to_owned(), false)),
            View::Leaf(_) | View::Expr(_) | View::Bag(_) => {
                return Err(Stop::Deopt("the goal depends on the state".to_owned(), false));
            }
            View::List(_) => return Err(Stop::Deopt("a list is called".to_owned(), false)),
            View::Const(cell) => cell,
            View::Struct(_, args) => Cell::structure(args - 1),
        };
        let Some((name, arity, args)) = self.heap.name_arity(cell) else {
            return Err(Stop::Deopt("the goal can't be called".to_owned(), false));
        };
        let arg = |run: &Self, i: usize| run.heap.at(args + i);
        let body = |goal| Frame::Goal(goal, site);
        let on = |rest| Ok(Step::Next(rest));
        match (name, arity) {
            (atoms::TRUE, 0) => return on(next.clone()),
            (atoms::FAIL | atoms::FALSE, 0) => return Err(Stop::Fail),
            (atoms::CUT, 0) => return Ok(Step::Commit(site.cut, next.clone())),
            (atoms::COMMA, 2) => {
                let second = Self::then(body(arg(self, 1)), next);
                return on(Self::then(body(arg(self, 0)), &second));
            }
            (atoms::SEMICOLON | atoms::BAR, 2) => {
                return self.disjunction(arg(self, 0), arg(self, 1), site, next);
            }
            (atoms::ARROW, 2) => {
                let fail = Cell::atom(atoms::FAIL);
                return self.if_then_else([arg(self, 0), arg(self, 1), fail], site, next);
            }
            (atoms::SOFT_ARROW, 2) => {
                let second = Self::then(body(arg(self, 1)), next);
                return on(Self::then(Frame::Call(arg(self, 0), site), &second));
            }
            (atoms::NOT_PROVABLE, 1) => return self.negation(arg(self, 0), site, next),
            (atoms::COLON, 2) => return self.qualified(arg(self, 0), arg(self, 1), site, next),
            (atoms::CALL, 1..) => {
                let extra: Vec<Cell> = (1..arity).map(|i| arg(self, i)).collect();
                let goal = self.with_arguments(arg(self, 0), &extra)?;
                let site = Site { space: Space::User, ..site };
                return on(Self::then(Frame::Call(goal, site), next));
            }
            _ => {}
        }
        let Some((pred, op)) = self.called(name, arity, site.space) else {
            return Err(Stop::Deopt("there is no such predicate".to_owned(), false));
        };
        if let Some(op) = op {
            let few = self.few_args(args, arity);
            if self.takes(op, &few) {
                return self.built_in(op, &few[..arity], site, next, depth);
            }
        }
        if let Some(step) = self.awaited_call(pred, cell, site, next)? {
            return Ok(step);
        }
        self.predicate(pred, cell, Site { awaited: None, ..site }, next)
    }

    /// Whether the symbolic form of a built-in is for such arguments; if not, there are clauses.
    fn takes(&self, op: Op, args: &[Cell]) -> bool {
        let mut rest = match op {
            Op::Element(_) if matches!(self.view(args[0]), View::Var(_)) => args[1],
            Op::Member => args[1],
            Op::Arguments => {
                let is_var = matches!(self.view(args[0]), View::Var(_));
                return is_var && matches!(self.view(args[1]), View::Struct(..) | View::List(_));
            }
            Op::Filter(filter) if self.filters(filter, args) => args[0],
            Op::Element(_) | Op::Filter(_) => return false,
            _ => return true,
        };
        for _ in 0..MOST_ELEMENTS {
            match self.view(rest) {
                View::List(addr) => rest = self.heap.at(addr + 1),
                View::Const(cell) => return cell == Cell::NIL,
                _ => return false,
            }
        }
        false
    }

    /// What a goal calls, and its symbolic form if it is a built-in that has one.
    fn called(&self, name: Atom, arity: usize, space: Space) -> Option<(PredId, Option<Op>)> {
        let program = &self.machine.program;
        let found = program.lookup(name, arity, space).map(|id| program.resolve(id));
        let pred = found.or_else(|| program.lookup(name, arity, Space::System))?;
        let system = program.preds[pred as usize].space == Space::System;
        Some((pred, if system { self.ops.get(name, arity) } else { None }))
    }

    /// The arguments of a built-in that has a symbolic form.
    fn few_args(&self, first: usize, arity: usize) -> [Cell; MOST_ARGS] {
        let mut args = [Cell::ZERO; MOST_ARGS];
        for (i, to) in args[..arity].iter_mut().enumerate() {
            *to = self.heap.at(first + i);
        }
        args
    }

    /// The outcome of a condition that is a single test, if that is known.
    fn decided(&mut self, test: Cell, site: Site) -> Option<bool> {
        if !test.is_struct() {
            return None;
        }
        let View::Struct(header, args) = self.view(test) else { return None };
        let (name, arity) = (header.functor_name(), header.functor_arity());
        let (_, op) = self.called(name, arity, site.space)?;
        let args = self.few_args(args, arity.min(MOST_ARGS));
        self.test(op?, &args[..arity]).ok()?
    }

    /// A term as a goal with further arguments.
    pub fn with_arguments(&mut self, goal: Cell, extra: &[Cell]) -> Taken<Cell> {
        if extra.is_empty() {
            return Ok(goal);
        }
        let (cell, colon) = match self.view(goal) {
            View::Const(cell) => (cell, None),
            View::Struct(header, args) => {
                let qualified = header == Cell::functor(atoms::COLON, 2);
                (Cell::structure(args - 1), qualified.then(|| self.heap.at(args)))
            }
            _ => return Err(Stop::Deopt("the goal is not known".to_owned(), false)),
        };
        let Some((name, arity, args)) = self.heap.name_arity(cell) else {
            return Err(Stop::Deopt("the goal can't be called".to_owned(), false));
        };
        if let Some(module) = colon {
            let inner = self.heap.at(args + 1);
            let inner = self.with_arguments(inner, extra)?;
            return Ok(self.heap.new_struct(atoms::COLON, &[module, inner]));
        }
        let mut all: Vec<Cell> = (0..arity).map(|i| self.heap.at(args + i)).collect();
        all.extend_from_slice(extra);
        Ok(self.heap.new_struct(name, &all))
    }

    fn qualified(&mut self, module: Cell, goal: Cell, site: Site, next: &Rest) -> Taken<Step> {
        let space = match self.view(module) {
            View::Const(cell) if matches!(cell.as_atom(), Some(atoms::SYSTEM | atoms::ENGINE)) => {
                Space::System
            }
            View::Const(_) => Space::User,
            _ => return Err(Stop::Deopt("the module is not known".to_owned(), false)),
        };
        Ok(Step::Next(Self::then(Frame::Call(goal, Site { space, ..site }), next)))
    }

    fn disjunction(&mut self, a: Cell, b: Cell, site: Site, next: &Rest) -> Taken<Step> {
        if let View::Struct(header, args) = self.view(a)
            && header.functor_arity() == 2
        {
            let parts = [self.heap.at(args), self.heap.at(args + 1), b];
            match header.functor_name() {
                atoms::ARROW => return self.if_then_else(parts, site, next),
                atoms::SOFT_ARROW => {
                    // The test again: it changes nothing, and fails if it had no answers.
                    let then = Self::then(Frame::Goal(parts[1], site), next);
                    let holds = Self::then(Frame::Call(parts[0], site), &then);
                    let otherwise = Self::then(Frame::Goal(b, site), next);
                    let fails = Self::then(Frame::Not(parts[0], site), &otherwise);
                    return Ok(Step::Alternatives(0, vec![holds, fails]));
                }
                _ => {}
            }
        }
        let either = [a, b].map(|goal| Self::then(Frame::Goal(goal, site), next));
        Ok(Step::Alternatives(0, either.into()))
    }

    /// `(Test -> Then ; Other)`.
    pub fn if_then_else(&mut self, parts: [Cell; 3], site: Site, next: &Rest) -> Taken<Step> {
        let [test, then, other] = parts;
        // PERF: loops of the library test again and again what is known.
        if let Some(holds) = self.decided(test, site) {
            let goal = Frame::Goal(if holds { then } else { other }, site);
            return Ok(Step::Next(Self::then(goal, next)));
        }
        let choice = |run: &mut Self, site: Site, next: &Rest| {
            let label = run.new_label();
            let then = Self::then(Frame::Then(label, then, site), next);
            let test = Self::then(Frame::Call(test, site), &then);
            let other = Self::then(Frame::Goal(other, site), next);
            (label, vec![test, other])
        };
        if self.joins
            && let Some(id) = site.clause
        {
            let of = self.machine.program.clauses[id as usize].pred;
            let recurs = [then, other].map(|goal| self.calls(goal, of));
            if recurs == [true, true] && site.awaited.is_none() {
                let again = self.heap.new_struct(atoms::ARROW, &[test, then]);
                let again = self.heap.new_struct(atoms::SEMICOLON, &[again, other]);
                if let Some(step) = self.meet((of, again, site), choice, next)? {
                    return Ok(step);
                }
            }
            if (recurs == [false, false] || site.awaited.is_none_or(|awaited| !awaited.stops))
                && let Some(step) = self.join(of, |run, next| choice(run, site, next), next)?
            {
                return Ok(step);
            }
        }
        let (label, alternatives) = choice(self, site, next);
        Ok(Step::Alternatives(label, alternatives))
    }

    /// `\+ Goal`.
    pub fn negation(&mut self, goal: Cell, site: Site, next: &Rest) -> Taken<Step> {
        let label = self.new_label();
        let refuse = Self::then(Frame::Refuse(label), &None);
        let goal = Self::then(Frame::Call(goal, site), &refuse);
        Ok(Step::Alternatives(label, vec![goal, next.clone()]))
    }

    /// Whether a body has a cut that leaves it.
    pub fn cuts(&self, goal: Cell) -> Taken<bool> {
        let (mut next, mut todo) = (Some(goal), Vec::new());
        let mut steps = 0;
        let mut cuts = false;
        while let Some(goal) = next.take().or_else(|| todo.pop()) {
            steps += 1;
            match self.view(goal) {
                View::Const(cell) if cell == Cell::atom(atoms::CUT) => cuts = true,
                // Then no part of it is run.
                View::Const(cell) if !cell.is_atom() => {
                    return Err(Stop::Deopt("the goal can't be called".to_owned(), false));
                }
                View::Leaf(_) | View::Expr(_) | View::Bag(_) => {
                    return Err(Stop::Deopt("the goal depends on the state".to_owned(), false));
                }
                View::Struct(header, args)
                    if header.functor_arity() == 2
                        && matches!(
                            header.functor_name(),
                            atoms::COMMA
                                | atoms::SEMICOLON
                                | atoms::BAR
                                | atoms::ARROW
                                | atoms::SOFT_ARROW
                        ) =>
                {
                    if steps > 1000 {
                        return Err(Stop::Deopt("the goal is too large".to_owned(), false));
                    }
                    todo.extend([self.heap.at(args), self.heap.at(args + 1)]);
                }
                _ => {}
            }
        }
        Ok(cuts)
    }

    /// The clauses of a user's or library predicate.
    pub fn predicate(&mut self, pred: u32, goal: Cell, site: Site, next: &Rest) -> Taken<Step> {
        use zug_machine::Kind;
        let predicate = &self.machine.program.preds[pred as usize];
        if self.machine.program.is_tabled(pred) {
            return Err(Stop::Deopt("the answers are kept in tables".to_owned(), false));
        }
        let (_, arity, args) = self.heap.name_arity(goal).expect("a goal has a name");
        match predicate.kind {
            Kind::Static | Kind::Dynamic => {}
            Kind::Builtin => return self.concrete_call(pred, args, next),
            Kind::Undefined => {
                return Err(Stop::Deopt("there is no such predicate".to_owned(), false));
            }
        }
        let mut clauses = self.machine.program.live_clauses(pred);
        self.look(clauses.len());
        for i in 0..arity {
            let view = self.view(self.heap.at(args + i));
            if clauses.is_empty() || matches!(view, View::Var(_) | View::Bag(_)) {
                continue;
            }
            self.look(clauses.len());
            clauses.retain(|&id| {
                let clause = &self.machine.program.clauses[id as usize];
                let key = if i == 0 { clause.key } else { arg_key(clause, arity, i) };
                key.is_none_or(|key| self.may_be(view, key))
            });
        }
        let mut cut = false;
        for &id in &clauses {
            cut |= self.clause_cuts(id);
        }
        let choice = |run: &mut Self, site: Site, next: &Rest| {
            let label = if cut { run.new_label() } else { 0 };
            let enter =
                |&id| Self::then(Frame::Clause(id, goal, Site { cut: label, ..site }), next);
            (label, clauses.iter().map(enter).collect())
        };
        match clauses[..] {
            [] => return Err(Stop::Fail),
            [only] if !cut => return self.enter(only, goal, Site { cut: 0, ..site }, next),
            [_] => {}
            _ if self.joins => {
                if site.awaited.is_none()
                    && clauses.iter().all(|&id| self.recurs(id))
                    && let Some(step) = self.meet((pred, goal, site), choice, next)?
                {
                    return Ok(step);
                }
                if let Some(step) = self.join(pred, |run, next| choice(run, site, next), next)? {
                    return Ok(step);
                }
            }
            _ => {}
        }
        let (label, alternatives) = choice(self, site, next);
        match alternatives[..] {
            [] => Err(Stop::Fail),
            _ => Ok(Step::Alternatives(label, alternatives)),
        }
    }

    fn clause_cuts(&mut self, id: ClauseId) -> bool {
        if let Some(&cuts) = self.has_cut.get(&id) {
            return cuts;
        }
        let clause = &self.machine.program.clauses[id as usize];
        let cuts = clause.record.cells.contains(&Cell::atom(atoms::CUT))
            || clause.record.root == Cell::atom(atoms::CUT);
        self.has_cut.insert(id, cuts);
        cuts
    }

    /// Runs a clause for a goal at a site, whose cut is now that of the clause.
    pub fn enter(&mut self, id: ClauseId, goal: Cell, at: Site, next: &Rest) -> Taken<Step> {
        let clause = &self.machine.program.clauses[id as usize];
        let space = self.machine.program.preds[clause.pred as usize].space;
        self.look(clause.record.cells.len());
        let term = self.heap.instantiate(&clause.record.cells, clause.record.root);
        let (head, body) =
            (self.heap.deref(self.heap.at(term.addr() + 1)), self.heap.at(term.addr() + 2));
        if let (Some((_, arity, formal)), Some((_, _, actual))) =
            (self.heap.name_arity(head), self.heap.name_arity(goal))
        {
            for i in 0..arity {
                self.unify(self.heap.at(formal + i), self.heap.at(actual + i))?;
            }
        }
        if self.heap.deref(body) == Cell::atom(atoms::TRUE) {
            return Ok(Step::Next(next.clone()));
        }
        let caller = match space {
            Space::System => at.caller.or(at.clause.map(|clause| (goal, clause))),
            Space::User | Space::Unit(_) => None,
        };
        let site = Site { clause: Some(id), space, cut: at.cut, caller, awaited: at.awaited };
        Ok(Step::Next(Self::then(Frame::Goal(body, site), next)))
    }

    /// Whether an argument may match a clause whose key is this.
    fn may_be(&mut self, view: View, key: Cell) -> bool {
        match view {
            View::Var(_) | View::Bag(_) => true,
            View::Const(cell) if cell.is_boxed() => key.is_boxed(),
            View::Const(cell) => key == cell,
            View::Expr(_) => key.is_int() || key.is_boxed(),
            View::List(_) => key == Cell::list(0),
            View::Struct(_, args) => key == self.heap.at(args - 1),
            View::Leaf(leaf) => {
                if self.known.leaf(leaf).kinds & kind::VAR != 0 {
                    return true;
                }
                match self.words.word(key) {
                    Some(word) => self.known.outcome(Cond::Is(leaf, word)) != Some(false),
                    None => false,
                }
            }
        }
    }
}
