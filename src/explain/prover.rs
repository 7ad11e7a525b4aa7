//! The interpreter behind the explanations: clauses are resolved one by one, as the standard
//! says (ISO 13211-1, 7.7), on a heap of its own, and what was called stays to be looked at.
//!
//! The calls of the proof so far stand in [`Prover::calls`], each with the clause it took;
//! backtracking takes calls away again, so after a success just the proof is left. What
//! failed is told to [`Failures`]. System predicates are leaves, which the machine runs;
//! those that call goals they are given (`maplist/2`) are followed like the user's own.
//!
//! Nothing here recurses on the Rust stack, and everything is bounded by a [`Budget`].

use super::effects::Natures;
use super::failures::{Failure, FailureReason, Failures, Witness};
use super::goals::{
    Alternative, Budget, Call, Candidates, Choice, Continuation, ContinuationCell, CutSeen,
    Effects, Goal, Hypothesis, Justification, NONE, Polarity, RunEnd, StepResult,
};
use super::question::Question;
use super::terms::Store;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use zug_machine::{ClauseId, Fault, Machine, PredId, Space};
use zug_prolog::builtins::World;
use zug_term::{Cell, Record};

/// Cells copied that count as one step.
const COPIED: u64 = 64;

/// An interpreter with a goal.
pub struct Prover<'a> {
    pub m: &'a mut Machine,
    pub w: &'a mut World,
    pub store: Store,
    pub(super) nexts: Vec<ContinuationCell>,
    /// The calls of the proof so far; the first stands for the query.
    pub calls: Vec<Call>,
    pub(super) choices: Vec<Choice>,
    pub(super) bags: Vec<Vec<Record>>,
    pub(super) natures: Natures,
    pub(super) effects: Effects,
    pub(super) hypothesis: Hypothesis,
    pub(super) budget: Budget,
    /// Clauses and built-ins tried.
    pub steps: u64,
    /// Steps at which limits are looked at next.
    pub(super) look_at: u64,
    /// The clauses of static predicates.
    pub(super) lists: FxHashMap<PredId, Rc<[ClauseId]>>,
    /// What failed, if that is wanted.
    pub failures: Option<Failures>,
    /// Cuts that took alternatives away, each once.
    pub cuts: Vec<CutSeen>,
    /// Where the run was when it ended otherwise than by a proof or failure.
    pub last: Option<Goal>,
    /// Whether anything was done that backtracking does not undo.
    pub changed: bool,
    /// What a negated goal was found to be, while its failure is noted.
    pub(super) witness: Option<Witness>,
    /// The cell that holds the query.
    pub(super) query_slot: usize,
    /// The goal as it was asked.
    pub(super) asked: Question,
    /// The continuation of the goal that raised an exception.
    pub(super) raised_before: u32,
    pub(super) outer_limit: u64,
    pub(super) outer_deadline: Option<Instant>,
    roots: usize,
    experiment: bool,
}

impl<'a> Prover<'a> {
    /// An interpreter for a goal of the user's.
    pub fn new(
        m: &'a mut Machine,
        w: &'a mut World,
        question: &Question,
        budget: Budget,
        effects: Effects,
    ) -> Prover<'a> {
        let (outer_limit, outer_deadline) = (m.inference_limit, m.deadline);
        m.limit_inferences(budget.steps.saturating_mul(64));
        if let Some(own) = budget.deadline {
            m.deadline = Some(m.deadline.map_or(own, |outer| outer.min(own)));
        }
        let roots = m.roots.len();
        let experiment = std::mem::replace(&mut w.experiment, true);
        let mut prover = Prover {
            m,
            w,
            store: Store::default(),
            nexts: Vec::new(),
            calls: Vec::new(),
            choices: Vec::new(),
            bags: Vec::new(),
            natures: Natures::default(),
            effects,
            hypothesis: Hypothesis::Nothing,
            budget,
            steps: 0,
            look_at: 0,
            lists: FxHashMap::default(),
            failures: None,
            cuts: Vec::new(),
            last: None,
            changed: false,
            witness: None,
            query_slot: 0,
            asked: question.clone(),
            raised_before: NONE,
            outer_limit,
            outer_deadline,
            roots,
            experiment,
        };
        let root = question.term.instantiate(&mut prover.store.heap);
        // `v(Goal, …)`: the goal stands in a cell, as in a clause's body.
        let slot = root.addr() + 1;
        prover.query_slot = slot;
        let goal = prover.store.heap.deref(prover.store.heap.at(slot));
        let len = prover.store.heap.top();
        prover.calls.push(Call {
            goal,
            frame: NONE,
            site: NONE,
            pred: 0,
            how: Justification::BuiltIn,
            base: 0,
            len,
            depth: 0,
            from: Space::User,
            space: Space::User,
        });
        prover
    }

    /// With a list of what fails.
    #[must_use]
    pub fn recording(mut self) -> Self {
        self.failures = Some(Failures::default());
        self
    }

    #[must_use]
    pub fn without_cut(mut self, clause: ClauseId, site: u32) -> Self {
        self.hypothesis = Hypothesis::WithoutCut(clause, site);
        self
    }

    /// With a goal that failed taken to be true.
    #[must_use]
    pub fn assuming(mut self, failure: &Failure) -> Self {
        let root = failure.term.instantiate(&mut self.store.heap);
        let goal = self.store.heap.at(root.addr() + 1);
        self.hypothesis = Hypothesis::Assume(failure.site, goal);
        self
    }

    /// A term off the heap; what it takes counts.
    pub(super) fn copy(&mut self, cell: Cell) -> Record {
        let record = Record::new(&mut self.store.heap, cell);
        self.steps += record.cells.len() as u64 / COPIED;
        record
    }

    /// The goal that was asked about.
    pub fn query(&self) -> Cell {
        self.calls[0].goal
    }

    /// The variables of the query that have names, with their values.
    pub fn query_values(&self) -> Vec<(Arc<str>, Cell)> {
        let value = |i: usize| self.store.heap.deref(self.store.heap.at(self.query_slot + 1 + i));
        self.asked.names.iter().enumerate().map(|(i, name)| (name.clone(), value(i))).collect()
    }

    /// Looks for the first proof.
    ///
    /// # Errors
    /// An interrupt, `halt`, or a limit that the caller did not set for this.
    pub fn first(&mut self) -> Result<RunEnd, Fault> {
        let slot = self.query_slot;
        let goal = Goal {
            cell: self.calls[0].goal,
            slot,
            frame: 0,
            cut: 1,
            space: Space::User,
            polarity: Polarity::Normal,
        };
        self.push_choice(Alternative::Bottom, NONE);
        let start = self.go_on(goal, NONE);
        self.run(start)
    }

    pub fn again(&mut self) -> Result<RunEnd, Fault> {
        self.run(StepResult::Fail)
    }

    /// Whether there may be another proof.
    pub fn has_more(&self) -> bool {
        self.choices.iter().any(|choice| {
            !matches!(
                choice.what,
                Alternative::Bottom | Alternative::Dead | Alternative::Catch { .. }
            )
        })
    }

    /// Bytes that the run holds, approximately.
    pub(super) fn bytes(&self) -> usize {
        self.store.heap.top() * size_of::<Cell>()
            + self.calls.len() * size_of::<Call>()
            + self.nexts.len() * size_of::<ContinuationCell>()
            + self.choices.len() * size_of::<Choice>()
    }

    pub(super) fn next(&mut self, work: Continuation, then: u32) -> u32 {
        self.nexts.push(ContinuationCell { work, then });
        self.nexts.len() as u32 - 1
    }

    pub(super) fn goal(&mut self, goal: Goal, then: u32) -> u32 {
        self.next(Continuation::Goal(goal), then)
    }

    pub(super) fn go_on(&mut self, goal: Goal, then: u32) -> StepResult {
        StepResult::On(self.goal(goal, then))
    }

    pub(super) fn push_choice(&mut self, what: Alternative, then: u32) {
        let (calls, nexts) = (self.calls.len(), self.nexts.len());
        self.choices.push(Choice { what, mark: self.store.mark(), calls, nexts, then });
    }

    fn run(&mut self, first: StepResult) -> Result<RunEnd, Fault> {
        let mut step = first;
        loop {
            step = match step {
                StepResult::On(NONE) => return Ok(RunEnd::Proved),
                StepResult::On(next) => self.work(next)?,
                StepResult::Fail => self.backtrack()?,
                StepResult::Raise(ball) => match self.raise(&ball) {
                    Some(step) => step,
                    None => return Ok(RunEnd::Raised(ball)),
                },
                StepResult::Stop(ended) => return Ok(ended),
            };
        }
    }

    fn work(&mut self, at: u32) -> Result<StepResult, Fault> {
        let ContinuationCell { work, then } = self.nexts[at as usize];
        Ok(match work {
            Continuation::Goal(goal) => return self.call(goal, then),
            Continuation::Negate(goal) => self.negate(goal, then),
            Continuation::CutTo(height) => {
                self.cut_to(height);
                StepResult::On(then)
            }
            Continuation::SoftCut(height) => {
                self.choices[height].what = Alternative::Dead;
                StepResult::On(then)
            }
            Continuation::Refuted(height) => {
                if let Alternative::Negation(goal) = self.choices[height].what {
                    // What is true is told with the goal as it was before that was found.
                    let first = self.calls.get(self.choices[height].calls);
                    let clause = first.and_then(|call| match call.how {
                        Justification::Clause(id) if call.from.is_users() => Some(id),
                        _ => None,
                    });
                    let wanted = self.failures.is_some();
                    let witness = wanted.then(|| Witness { goal: self.copy(goal.cell), clause });
                    self.cut_to(height + 1);
                    self.restore();
                    self.witness = witness;
                    self.failed(&goal, None, FailureReason::Refuted);
                    self.witness = None;
                }
                self.cut_to(height);
                StepResult::Fail
            }
            Continuation::LeaveCatch(_) => StepResult::On(then),
            Continuation::Collect(bag) => {
                let template = self.choices.iter().rev().find_map(|choice| match choice.what {
                    Alternative::Findall { template, bag: own, .. } if own == bag => Some(template),
                    _ => None,
                });
                let answer = template.map(|template| Record::new(&mut self.store.heap, template));
                self.bags[bag].extend(answer);
                StepResult::Fail
            }
        })
    }

    /// Ends runs of the machine and forgets choices down to a height.
    pub(super) fn cut_to(&mut self, height: usize) {
        while self.choices.len() > height {
            let Some(choice) = self.choices.pop() else { return };
            self.drop_choice(&choice.what);
        }
    }

    fn drop_choice(&mut self, what: &Alternative) {
        match what {
            Alternative::Leaf { run, root, .. } => {
                self.m.abandon(*run);
                self.m.roots.truncate(*root);
            }
            Alternative::Findall { bag, .. } => self.bags.truncate(*bag),
            _ => {}
        }
    }

    /// Undoes everything since the newest choice.
    fn restore(&mut self) {
        let Some(choice) = self.choices.last() else { return };
        self.store.undo(choice.mark);
        self.calls.truncate(choice.calls);
        self.nexts.truncate(choice.nexts);
    }

    fn backtrack(&mut self) -> Result<StepResult, Fault> {
        self.restore();
        let Some(choice) = self.choices.last_mut() else {
            return Ok(StepResult::Stop(RunEnd::Failed));
        };
        let then = choice.then;
        match &mut choice.what {
            Alternative::Bottom => return Ok(StepResult::Stop(RunEnd::Failed)),
            Alternative::Clauses { goal, pred, clauses, at, seen } => {
                let candidates = Candidates { pred: *pred, clauses: clauses.clone(), seen: *seen };
                let (goal, at) = (*goal, *at);
                return self.try_clauses(goal, &candidates, at, then, true);
            }
            Alternative::Leaf { goal, pred, run, root } => {
                let (goal, pred, run, root) = (*goal, *pred, *run, *root);
                if let Some(ended) = self.tick()? {
                    return Ok(StepResult::Stop(ended));
                }
                let outcome = self.m.redo(self.w, run);
                return self.leaf_answer(goal, pred, run, root, outcome, then, true);
            }
            _ => {}
        }
        let Some(choice) = self.choices.pop() else { return Ok(StepResult::Fail) };
        Ok(match choice.what {
            Alternative::Else(goal) => self.go_on(goal, then),
            Alternative::Negation(goal) => {
                self.enter(&goal, 0, Justification::NoProof, 0, 0);
                StepResult::On(then)
            }
            Alternative::Table(goal, pred) => {
                self.enter(&goal, pred, Justification::Tabled, 0, 0);
                StepResult::On(then)
            }
            Alternative::Findall { goal, list, tail, bag, .. } => {
                let answers = self.bags.pop().unwrap_or_default();
                self.bags.truncate(bag);
                let heap = &mut self.store.heap;
                let items: Vec<Cell> =
                    answers.iter().map(|record| record.instantiate(heap)).collect();
                let found = heap.list_from(&items, tail.unwrap_or(Cell::NIL));
                if !self.store.unify(list, found) {
                    let collected = self.failures.is_some().then(|| self.copy(found));
                    self.witness = collected.map(|goal| Witness { goal, clause: None });
                    self.failed(&goal, None, FailureReason::Collected);
                    self.witness = None;
                    return Ok(StepResult::Fail);
                }
                self.enter(&goal, 0, Justification::Collected(items.len() as u32), 0, 0);
                StepResult::On(then)
            }
            _ => StepResult::Fail,
        })
    }

    /// Looks for what catches a ball; `None` if nothing does.
    fn raise(&mut self, ball: &Record) -> Option<StepResult> {
        // Only a goal that is still running is caught: its end is still to come.
        let mut at = self.raised_before;
        let mut running = Vec::new();
        while at != NONE {
            let next = &self.nexts[at as usize];
            if let Continuation::LeaveCatch(height) = next.work {
                running.push(height);
            }
            at = next.then;
        }
        for height in running {
            self.cut_to(height + 1);
            self.restore();
            let choice = self.choices.pop()?;
            let Alternative::Catch { catcher, recovery } = choice.what else { continue };
            let copy = ball.instantiate(&mut self.store.heap);
            let mark = self.store.mark();
            if self.store.unify(catcher, copy) {
                return Some(self.go_on(recovery, choice.then));
            }
            self.store.undo(mark);
        }
        None
    }
}

impl Drop for Prover<'_> {
    fn drop(&mut self) {
        self.cut_to(0);
        self.m.roots.truncate(self.roots);
        self.m.inference_limit = self.outer_limit;
        self.m.deadline = self.outer_deadline;
        // What engines did for an explanation is no report of the query's.
        self.w.experiment = self.experiment;
    }
}
