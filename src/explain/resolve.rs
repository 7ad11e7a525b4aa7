//! One step of the interpreter: a call, its clauses, or what the machine answers.

use super::effects::Nature;
use super::failures::FailureReason;
use super::goals::{
    Alternative, Bound, Call, Candidates, Effects, Goal, Hypothesis, Justification, NONE, OPAQUE,
    RunEnd, StepResult,
};
use super::prover::Prover;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use zug_machine::{ClauseId, Fault, Kind, Neck, Outcome, PredId, Run, StopReason, key_of};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record, Value, attributed_variables, size, variables};

/// Calls between two polls of the clock and the flag.
const POLL: u64 = 256;
/// Depth from which on the chain of callers is searched for a call that comes again.
const LOOK_BACK: u32 = 256;
/// Callers compared with a call to see whether it comes again.
const ANCESTORS: usize = 128;
/// Nodes of a call beyond which it is not compared with others.
const LARGEST: usize = 2000;
/// Clauses passed over that count as one step.
const SCANNED: usize = 64;
/// Cells of an answer of the machine that count as one step.
const ANSWERED: u64 = 16;

impl Prover<'_> {
    /// Counts a step; what ends the run, if its budget is used up.
    pub(super) fn tick(&mut self) -> Result<Option<RunEnd>, Fault> {
        self.steps += 1;
        if self.steps >= self.look_at {
            self.look_at = self.steps + POLL;
            if self.m.interrupt.load(Ordering::Relaxed) {
                return Err(Fault::Stopped(StopReason::Interrupted));
            }
            if self.m.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return self.out_of_time().map(Some);
            }
            if self.bytes() > self.budget.bytes {
                return Ok(Some(RunEnd::Bounded(Bound::Memory)));
            }
        }
        let out = self.steps >= self.budget.steps;
        Ok(out.then_some(RunEnd::Bounded(Bound::Steps)))
    }

    /// The time of the explanation is over, or that of the whole query.
    fn out_of_time(&self) -> Result<RunEnd, Fault> {
        match self.outer_deadline {
            Some(outer) if Instant::now() >= outer => Err(Fault::Stopped(StopReason::Time)),
            _ => Ok(RunEnd::Bounded(Bound::Time)),
        }
    }

    /// Adds a call to the proof; its number.
    pub(super) fn enter(
        &mut self,
        goal: &Goal,
        pred: PredId,
        how: Justification,
        base: usize,
        len: usize,
    ) -> u32 {
        let depth = self.calls[goal.frame as usize].depth + 1;
        let site = self.site(goal);
        let call = Call {
            goal: goal.cell,
            frame: goal.frame,
            site,
            pred,
            how,
            base,
            len,
            depth,
            from: goal.space,
            space: goal.space,
        };
        self.calls.push(call);
        self.note_proved(goal);
        self.calls.len() as u32 - 1
    }

    /// Where a goal stands in the image of its frame's clause.
    pub(super) fn site(&self, goal: &Goal) -> u32 {
        let frame = &self.calls[goal.frame as usize];
        let inside = goal.slot >= frame.base && goal.slot < frame.base + frame.len;
        if inside { (goal.slot - frame.base) as u32 } else { NONE }
    }

    fn error(&mut self, formal: impl FnOnce(&mut Self) -> Cell, then: u32) -> StepResult {
        let formal = formal(self);
        // As `call/1` says it.
        let heap = &mut self.store.heap;
        let call = heap.new_struct(atoms::SLASH, &[Cell::atom(atoms::CALL), Cell::small(1)]);
        let said = heap.new_var();
        let context = heap.new_struct(atoms::CONTEXT, &[call, said]);
        let ball = self.store.heap.new_struct(atoms::ERROR, &[formal, context]);
        let ball = Record::new(&mut self.store.heap, ball);
        self.raised(Box::new(ball), then)
    }

    fn raised(&mut self, ball: Box<Record>, then: u32) -> StepResult {
        self.raised_before = then;
        if let Some(goal) = self.last {
            self.failed(&goal, None, FailureReason::Raised);
        }
        StepResult::Raise(ball)
    }

    pub(super) fn call(&mut self, mut goal: Goal, then: u32) -> Result<StepResult, Fault> {
        goal.cell = self.store.heap.deref(goal.cell);
        if goal.cut == OPAQUE {
            goal.cut = self.choices.len();
        }
        self.last = Some(goal);
        let value = self.store.heap.value(goal.cell);
        let (name, arity, args) = match value {
            Value::Var(_) => {
                return Ok(self.error(|_| Cell::atom(atoms::INSTANTIATION_ERROR), then));
            }
            Value::Atom(_) | Value::Struct(..) | Value::List(_) => {
                self.store.heap.name_arity(goal.cell).unwrap_or((atoms::NIL, 0, 0))
            }
            _ => {
                let callable = |p: &mut Self| {
                    let parts = [Cell::atom(atoms::CALLABLE), goal.cell];
                    p.store.heap.new_struct(atoms::TYPE_ERROR, &parts)
                };
                return Ok(self.error(callable, then));
            }
        };
        if let Some(step) = self.control(&goal, name, arity, args, then) {
            return Ok(step);
        }
        if let Some(ended) = self.tick()? {
            return Ok(StepResult::Stop(ended));
        }
        if let Hypothesis::Assume(site, assumed) = self.hypothesis
            && self.goal_site(&goal) == site
            && self.store.is_variant(goal.cell, assumed)
        {
            return Ok(StepResult::On(then));
        }
        let pred = self.m.program.pred(name, arity, goal.space);
        let pred = self.m.program.resolve(pred);
        let predicate = &self.m.program.preds[pred as usize];
        let clauses = matches!(predicate.kind, Kind::Static | Kind::Dynamic);
        if predicate.space.is_users() && clauses {
            if self.m.program.is_tabled(pred) {
                return self.tabled(goal, pred, then);
            }
            return self.user(goal, pred, then);
        }
        if name == atoms::UNIFY && arity == 2 {
            let [left, right] = [0, 1].map(|i| self.store.heap.at(args + i));
            let mark = self.store.mark();
            if self.store.unify(left, right) {
                self.enter(&goal, pred, Justification::BuiltIn, 0, 0);
                return Ok(StepResult::On(then));
            }
            self.store.undo_bindings(mark);
            self.failed(&goal, Some(pred), FailureReason::Leaf);
            return Ok(StepResult::Fail);
        }
        self.system(goal, pred, then)
    }

    fn user(&mut self, goal: Goal, pred: PredId, then: u32) -> Result<StepResult, Fault> {
        let depth = self.calls[goal.frame as usize].depth + 1;
        if depth >= self.budget.depth {
            return Ok(StepResult::Stop(RunEnd::Bounded(Bound::Depth)));
        }
        // At ever larger depths, and at the next one: a cycle may be of two calls.
        let look = depth >= LOOK_BACK && (depth.is_power_of_two() || (depth - 1).is_power_of_two());
        if look && !self.changed && self.comes_again(&goal, pred) {
            return Ok(StepResult::Stop(RunEnd::Bounded(Bound::Loop)));
        }
        let candidates = self.candidates(pred);
        self.try_clauses(goal, &candidates, 0, then, false)
    }

    /// The clauses of a predicate as a call sees them that begins now.
    pub(super) fn candidates(&mut self, pred: PredId) -> Candidates {
        let seen = self.m.program.generation;
        if let Some(clauses) = self.lists.get(&pred) {
            return Candidates { pred, clauses: clauses.clone(), seen };
        }
        let clauses: Rc<[ClauseId]> = self.m.program.live_clauses(pred).into();
        if self.m.program.preds[pred as usize].kind == Kind::Static && !self.changed {
            self.lists.insert(pred, clauses.clone());
        }
        Candidates { pred, clauses, seen }
    }

    /// Whether a call is a variant of one that it is inside of.
    fn comes_again(&self, goal: &Goal, pred: PredId) -> bool {
        if size(&self.store.heap, goal.cell, LARGEST) >= LARGEST {
            return false;
        }
        self.frames(goal.frame)
            .take(ANCESTORS)
            .any(|call| call.pred == pred && self.store.is_variant(call.goal, goal.cell))
    }

    /// Tries the clauses from a place on. `open`: the choice of this call is the newest.
    pub(super) fn try_clauses(
        &mut self,
        goal: Goal,
        candidates: &Candidates,
        mut at: usize,
        then: u32,
        mut open: bool,
    ) -> Result<StepResult, Fault> {
        let Candidates { pred, ref clauses, seen } = *candidates;
        let height = self.choices.len() - usize::from(open);
        let first = self.store.heap.name_arity(goal.cell).filter(|(_, arity, _)| *arity > 0);
        let key = first.and_then(|(_, _, args)| {
            key_of(&self.store.heap.cells, self.store.heap.deref(self.store.heap.at(args)))
        });
        let fresh = !open;
        let rules = self.m.program.preds[pred as usize].rules.is_some();
        loop {
            let program = &self.m.program;
            let may = |id: ClauseId| {
                let clause = &program.clauses[id as usize];
                // What was erased meanwhile may be gone, and its number another clause's.
                let there = clause.died == u64::MAX && clause.born <= seen && clause.pred == pred;
                there && (key.is_none() || clause.key.is_none() || key == clause.key)
            };
            let Some(step) = clauses[at..].iter().position(|&id| may(id)) else {
                self.steps += ((clauses.len() - at) / SCANNED) as u64;
                if open {
                    self.choices.pop();
                }
                if rules {
                    return Ok(self.no_rule(&goal, then));
                }
                if fresh {
                    self.failed(&goal, Some(pred), FailureReason::NoClause);
                }
                return Ok(StepResult::Fail);
            };
            at += step;
            let id = clauses[at];
            let next = clauses[at + 1..].iter().position(|&id| may(id));
            // Behind the last rule that may match is the error that none does.
            let more = next.is_some() || rules;
            self.steps += ((step + next.unwrap_or(clauses.len() - at)) / SCANNED) as u64;
            if let Some(ended) = self.tick()? {
                return Ok(StepResult::Stop(ended));
            }
            at += 1;
            let mark = self.store.mark();
            if more && !open {
                let clauses = clauses.clone();
                let what = Alternative::Clauses { goal, pred, clauses, at, seen };
                self.push_choice(what, then);
                open = true;
            } else if open {
                if more {
                    if let Some(choice) = self.choices.last_mut()
                        && let Alternative::Clauses { at: next, .. } = &mut choice.what
                    {
                        *next = at;
                    }
                } else {
                    self.choices.pop();
                    open = false;
                }
            }
            if let Some(step) = self.enter_clause(goal, pred, id, height, then) {
                return Ok(step);
            }
            self.store.undo(mark);
            if rules && next.is_none() {
                self.choices.pop();
                return Ok(self.no_rule(&goal, then));
            }
            if !more {
                if fresh {
                    self.failed(&goal, Some(pred), FailureReason::NoClause);
                }
                return Ok(StepResult::Fail);
            }
        }
    }

    /// Unifies a goal with the head of a clause and goes on with its body.
    fn enter_clause(
        &mut self,
        goal: Goal,
        pred: PredId,
        id: ClauseId,
        cut: usize,
        then: u32,
    ) -> Option<StepResult> {
        let base = self.store.heap.top();
        let clause = &self.m.program.clauses[id as usize];
        let (len, neck) = (clause.record.cells.len(), clause.neck);
        let asked =
            if neck.is_rule() { variables(&self.store.heap, goal.cell) } else { Vec::new() };
        let root = clause.record.instantiate(&mut self.store.heap);
        let heap = &self.store.heap;
        let head = heap.at(root.addr() + 1);
        let own = heap.name_arity(head).map_or(0, |(_, _, args)| args);
        let (arity, args) = heap.name_arity(goal.cell).map_or((0, 0), |(_, k, args)| (k, args));
        let matched = if neck == Neck::Guard { self.matched_in_guard(root) } else { Vec::new() };
        for i in 0..arity {
            if !self.store.unify(self.store.heap.at(args + i), self.store.heap.at(own + i)) {
                return None;
            }
        }
        if !matched.into_iter().all(|(variable, term)| self.store.unify(variable, term)) {
            return None;
        }
        if !self.are_apart(asked) {
            return None;
        }
        let frame = self.enter(&goal, pred, Justification::Clause(id), base, len);
        if neck == Neck::Commit {
            self.cut_to(cut);
        }
        self.calls[frame as usize].space = self.m.program.preds[pred as usize].space;
        let slot = root.addr() + 2;
        let space = self.m.program.preds[pred as usize].space;
        let clause = Goal { frame, space, ..goal };
        let body = self.inner(&clause, slot, cut, goal.polarity);
        Some(self.go_on(body, then))
    }

    /// The unifications at the start of a rule's guard that belong to its head: of a variable that is an argument and
    /// a term that is none.
    fn matched_in_guard(&self, rule: Cell) -> Vec<(Cell, Cell)> {
        let heap = &self.store.heap;
        let arguments =
            heap.name_arity(heap.at(rule.addr() + 1)).map_or(Vec::new(), |(_, k, at)| {
                (at..at + k).map(|at| heap.deref(heap.at(at))).collect::<Vec<_>>()
            });
        let is_argument = |cell: &Cell| cell.is_var() && arguments.contains(cell);
        let mut found = Vec::new();
        let body = heap.match_struct::<2>(heap.at(rule.addr() + 2), atoms::COMMA);
        let mut todo: Vec<Cell> = body.into_iter().map(|[guard, _]| guard).collect();
        while let Some(goal) = todo.pop() {
            if let Some([left, right]) = heap.match_struct::<2>(goal, atoms::COMMA) {
                todo.extend([right, left]);
                continue;
            }
            let Some(sides) = heap.match_struct::<2>(goal, atoms::UNIFY) else { break };
            let [a, b] = sides.map(|side| heap.deref(side));
            match () {
                () if is_argument(&a) && !b.is_var() => found.push((a, b)),
                () if is_argument(&b) && !a.is_var() => found.push((b, a)),
                () => {}
            }
        }
        found
    }

    /// Whether variables are still variables, and different ones.
    fn are_apart(&self, mut cells: Vec<Cell>) -> bool {
        cells.iter_mut().for_each(|cell| *cell = self.store.heap.deref(*cell));
        let count = cells.len();
        cells.sort_unstable_by_key(|cell| cell.0);
        cells.dedup();
        cells.len() == count && cells.iter().all(|cell| cell.is_var())
    }

    /// No rule matches a goal, where one must.
    fn no_rule(&mut self, goal: &Goal, then: u32) -> StepResult {
        self.last = Some(*goal);
        let kind = Cell::atom(self.m.symbols.intern("matching_rule"));
        let formal =
            |p: &mut Self| p.store.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, goal.cell]);
        self.error(formal, then)
    }

    /// Calls a system predicate, or one that does not exist.
    fn system(&mut self, goal: Goal, pred: PredId, then: u32) -> Result<StepResult, Fault> {
        let predicate = &self.m.program.preds[pred as usize];
        let nature = match predicate.kind {
            Kind::Undefined | Kind::Dynamic => Nature::Pure,
            _ => self.natures.of(self.m, pred),
        };
        match (nature, self.effects) {
            (Nature::Meta, _) => {
                let candidates = self.candidates(pred);
                return self.try_clauses(goal, &candidates, 0, then, false);
            }
            (Nature::Pure, _) | (Nature::Search, Effects::Perform | Effects::Skip) => {}
            (_, Effects::Perform) => {
                self.changed = true;
                self.lists.clear();
            }
            (Nature::Output, Effects::Skip) => {
                self.enter(&goal, pred, Justification::Skipped, 0, 0);
                return Ok(StepResult::On(then));
            }
            _ => return Ok(StepResult::Stop(RunEnd::Refused(pred))),
        }
        self.leaf(goal, pred, then)
    }

    /// Has the machine call a predicate.
    pub(super) fn leaf(
        &mut self,
        goal: Goal,
        pred: PredId,
        then: u32,
    ) -> Result<StepResult, Fault> {
        let arity = self.m.program.preds[pred as usize].arity;
        let term = if goal.cell.is_atom() { Cell::NIL } else { goal.cell };
        let record = self.copy(term);
        let run = self.m.open();
        let term = record.instantiate(&mut self.m.heap);
        let root = self.m.roots.len();
        self.m.roots.push(term);
        let first = self.m.heap.name_arity(term).map_or(0, |(_, _, args)| args);
        let cells: Vec<Cell> = (0..arity).map(|i| self.m.heap.at(first + i)).collect();
        let outcome = self.m.call(self.w, run, pred, &cells);
        self.leaf_answer(goal, pred, run, root, outcome, then, false)
    }

    /// Takes the answer of a system predicate. `open`: its choice is the newest.
    #[expect(clippy::too_many_arguments, reason = "the parts of an open run")]
    pub(super) fn leaf_answer(
        &mut self,
        goal: Goal,
        pred: PredId,
        run: Run,
        root: usize,
        outcome: Outcome,
        then: u32,
        open: bool,
    ) -> Result<StepResult, Fault> {
        match outcome {
            Ok(true) => {
                let answer = self.m.roots[root];
                // What they wait for would be lost.
                if !attributed_variables(&self.m.heap, answer).is_empty() {
                    if open {
                        self.choices.pop();
                    }
                    let fault = self.m.type_error("free_of_attvar", answer);
                    self.m.abandon(run);
                    self.m.roots.truncate(root);
                    return Err(fault);
                }
                let record = Record::new(&mut self.m.heap, answer);
                // An answer is looked through, copied and compared.
                self.steps += record.cells.len() as u64 / ANSWERED;
                if self.m.has_more(run) {
                    if !open {
                        self.push_choice(Alternative::Leaf { goal, pred, run, root }, then);
                    }
                } else {
                    if open {
                        self.choices.pop();
                    }
                    self.m.abandon(run);
                    self.m.roots.truncate(root);
                }
                let answer = record.instantiate(&mut self.store.heap);
                let bound = goal.cell.is_atom() || self.store.unify(goal.cell, answer);
                if bound && self.m.program.is_tabled(pred) {
                    return self.tabled_answer(goal, pred, then, root);
                }
                self.enter(&goal, pred, Justification::BuiltIn, 0, 0);
                Ok(if bound { StepResult::On(then) } else { StepResult::Fail })
            }
            other => {
                // The run has ended itself.
                if open {
                    self.choices.pop();
                }
                self.m.roots.truncate(root);
                self.last = Some(goal);
                match other {
                    Ok(_) => {
                        if !open && self.m.program.is_tabled(pred) {
                            return self.tabled_failure(goal, pred, then);
                        }
                        if !open {
                            self.failed(&goal, Some(pred), FailureReason::Leaf);
                        }
                        Ok(StepResult::Fail)
                    }
                    Err(Fault::Ball(ball)) => Ok(self.raised(ball, then)),
                    Err(Fault::Stopped(StopReason::Inferences))
                        if self.m.inferences() < self.outer_limit =>
                    {
                        Ok(StepResult::Stop(RunEnd::Bounded(Bound::Steps)))
                    }
                    Err(Fault::Stopped(StopReason::Time)) => {
                        self.out_of_time().map(StepResult::Stop)
                    }
                    Err(fault) => Err(fault),
                }
            }
        }
    }
}
