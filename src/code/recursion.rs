//! Recursive calls that all ways through a choice come to.
//!
//! ```text
//! misplaced([X|Xs], [X|Ys], N) :- !, misplaced(Xs, Ys, N).
//! misplaced([_|Xs], [_|Ys], N) :- misplaced(Xs, Ys, N0), N is N0 + 1.
//! ```
//!
//! Either clause goes on with the rest of the lists. Run as they stand, they would double the
//! program with every element; so the choice is run up to the call first. If each way comes to
//! it once, with arguments that are alike but for numbers, the call is run for all of them, and
//! then the choice again, which is now one between numbers ([`super::joins`]).
//!
//! A cut behind the call in one of the clauses would have to leave the call too, which is run
//! outside of what it leaves. In a branch of an if-then-else it leaves the clause, and the call
//! is run within that.

use super::joins::Column;
use super::residual::{Answer, Label, NodeId};
use super::run::{Context, Frame, Mark, Rest, Run, Site, Step, Taken};
use super::terms::{self, View};
use zug_machine::{ClauseId, PredId};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// A call that a choice comes to.
#[derive(Clone, Copy)]
pub struct Awaited {
    /// What is called.
    pred: PredId,
    /// The call that was run for all ways, with its results.
    pub call: Cell,
    /// Unbound until the way comes to the call; then that, if the way ends there.
    pub met: Cell,
    /// The way ends there.
    pub stops: bool,
}

impl Run<'_> {
    /// Tries to run a recursive call of a predicate that all ways through a choice come to
    /// before the choice: `again` is the choice as a goal at a site.
    pub fn meet(
        &mut self,
        (pred, again, site): (PredId, Cell, Site),
        choice: impl FnOnce(&mut Self, Site, &Rest) -> (Label, Vec<Rest>),
        next: &Rest,
    ) -> Taken<Option<Step>> {
        if !self.may_join(pred) {
            return Ok(None);
        }
        let met = self.heap.new_var();
        let awaited = Awaited { pred, call: Cell::NIL, met, stops: true };
        let stopping = Site { awaited: Some(awaited), ..site };
        let ways =
            self.ways_of(|mark| Context::Call(met, mark), |run, next| choice(run, stopping, next));
        let calls = match &ways {
            Some((node, columns)) => self.one_call(*node, columns)?,
            None => None,
        };
        self.weigh(pred, calls.is_some());
        let (Some((node, _)), Some((args, results))) = (ways, calls) else { return Ok(None) };
        let predicate = &self.machine.program.preds[pred as usize];
        let (name, space) = (predicate.name, predicate.space);
        let [call, result] = [args, results].map(|args| self.heap.new_struct(name, &args));
        let met = self.heap.new_var();
        let awaited = Awaited { pred, call: result, met, stops: false };
        let resume = Frame::Resume(again, Site { awaited: Some(awaited), ..site });
        let rest = Self::then(resume, next);
        let call = Frame::Goal(call, Site { space, awaited: None, ..site });
        Ok(Some(self.after_all(node, Self::then(call, &rest))))
    }

    /// The arguments of the call that all ways come to, and the same with what a way has to do
    /// with them once the call was run: results of it, or variables for what went in. What a way
    /// finds unbound before the call stays so until it comes to it.
    fn one_call(
        &mut self,
        choice: NodeId,
        columns: &[Column],
    ) -> Taken<Option<(Vec<Cell>, Vec<Cell>)>> {
        let (mut args, mut results) = (Vec::new(), Vec::new());
        // By answer, the variables that were passed.
        let mut passed: Vec<Vec<usize>> = Vec::new();
        for column in columns {
            let open = column.values.iter().map(|&value| terms::open_addr(&self.heap, value));
            let Some(open) = open.collect::<Option<Vec<usize>>>() else {
                let Some(arg) = self.one_of(choice, column)? else { return Ok(None) };
                args.push(arg);
                results.push(self.heap.new_var());
                continue;
            };
            passed.resize(open.len(), Vec::new());
            for (passed, &addr) in passed.iter_mut().zip(&open) {
                if passed.contains(&addr) {
                    return Ok(None);
                }
                passed.push(addr);
            }
            let result = self.heap.new_var();
            results.push(result);
            args.push(result);
        }
        Ok(Some((args, results)))
    }

    /// A call that is awaited ends the way, or takes the results that are there by now.
    pub fn awaited_call(
        &mut self,
        pred: PredId,
        goal: Cell,
        site: Site,
        next: &Rest,
    ) -> Taken<Option<Step>> {
        let Some(Awaited { call, met, stops, .. }) =
            site.awaited.filter(|awaited| awaited.pred == pred)
        else {
            return Ok(None);
        };
        let View::Var(addr) = self.view(met) else { return Ok(None) };
        if stops {
            self.bind(addr, goal);
            return Ok(Some(Step::Next(None)));
        }
        self.bind(addr, Cell::NIL);
        self.unify(call, goal)?;
        Ok(Some(Step::Next(next.clone())))
    }

    /// The arguments of the call that a way has come to.
    pub fn called_with(&mut self, met: Cell, mark: Mark) -> Taken<Answer> {
        let (View::Struct(header, args), Some(_)) = (self.view(met), self.bound_since(mark)) else {
            return Ok(Answer::UNKNOWN);
        };
        let mut pairs = Vec::new();
        for i in 0..header.functor_arity() {
            let arg = self.heap.at(args + i);
            let arg = match self.view(arg) {
                View::Var(addr) => terms::open_cell(&mut self.heap, addr),
                _ if self.is_closed(arg) => self.copy(arg)?,
                _ => return Ok(Answer::UNKNOWN),
            };
            pairs.push((i, arg));
        }
        Ok(self.row(&pairs))
    }

    /// Goes on with a choice whose common call was run.
    pub fn resume(&mut self, choice: Cell, site: Site, next: &Rest) -> Taken<Step> {
        if let Some([either, other]) = self.heap.match_struct::<2>(choice, atoms::SEMICOLON)
            && let Some([test, then]) = self.heap.match_struct::<2>(either, atoms::ARROW)
        {
            return self.if_then_else([test, then, other], site, next);
        }
        match site.awaited {
            Some(awaited) => self.predicate(awaited.pred, choice, site, next),
            None => Ok(Step::Next(next.clone())),
        }
    }

    /// Whether a clause calls its own predicate, and does not cut after that: what the call
    /// leaves open would be cut off, too.
    pub fn recurs(&mut self, id: ClauseId) -> bool {
        if let Some(&recurs) = self.recursive.get(&id) {
            return recurs;
        }
        let clause = &self.machine.program.clauses[id as usize];
        let pred = clause.pred;
        let term = self.heap.instantiate(&clause.record.cells, clause.record.root);
        let body = self.heap.at(term.addr() + 2);
        let goals = self.flat(body);
        let call = goals.iter().position(|&goal| self.is_call(goal, pred));
        let recurs = call.is_some_and(|at| !goals[at..].contains(&Cell::atom(atoms::CUT)));
        self.recursive.insert(id, recurs);
        recurs
    }

    /// Whether a goal has a call of a predicate in it.
    pub fn calls(&self, goal: Cell, pred: PredId) -> bool {
        self.flat(goal).into_iter().any(|goal| self.is_call(goal, pred))
    }

    fn is_call(&self, goal: Cell, pred: PredId) -> bool {
        let predicate = &self.machine.program.preds[pred as usize];
        let called = self.heap.name_arity(goal).map(|(name, arity, _)| (name, arity));
        called == Some((predicate.name, predicate.arity))
    }

    /// The goals of a body from left to right.
    fn flat(&self, body: Cell) -> Vec<Cell> {
        let (mut goals, mut todo) = (Vec::new(), vec![body]);
        while let Some(goal) = todo.pop() {
            let goal = self.heap.deref(goal);
            match self.heap.name_arity(goal) {
                Some((
                    atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW,
                    2,
                    args,
                )) => todo.extend([self.heap.at(args + 1), self.heap.at(args)]),
                _ => goals.push(goal),
            }
        }
        goals
    }
}
