//! Recording of failures: what the prover notes of goals that fail or are proved.

use super::failures::{Failure, FailureReason, MOST};
use super::goals::{Call, Goal, Justification, NONE, Polarity};
use super::places::Site;
use super::prover::Prover;
use zug_machine::{PredId, Space};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// Callers kept of a failure.
const CALLERS: usize = 64;

impl Prover<'_> {
    /// The goal in the user's text that a goal belongs to: itself, or the call of a library
    /// predicate that led to it. With the frame it stands in.
    fn anchor(&self, goal: &Goal) -> (Cell, u32, u32, bool) {
        let (mut cell, mut frame, mut site) = (goal.cell, goal.frame, self.site(goal));
        let mut inside = goal.space == Space::System;
        loop {
            let call = &self.calls[frame as usize];
            let hidden = call.space == Space::System && call.frame != NONE;
            if !hidden {
                return (cell, frame, site, inside);
            }
            // A goal that a library predicate was given is of interest itself.
            if goal.space == Space::System {
                cell = call.goal;
                inside = true;
            }
            (site, frame) = (call.site, call.frame);
        }
    }

    /// Where a goal stands in the user's text.
    pub fn goal_site(&self, goal: &Goal) -> Site {
        let (_, frame, site, _) = self.anchor(goal);
        self.site_of(frame, site)
    }

    pub(super) fn site_of(&self, frame: u32, site: u32) -> Site {
        match self.calls[frame as usize].how {
            Justification::Clause(clause) => (Some(clause), site),
            _ => (None, site),
        }
    }

    /// The calls that a frame stands in, itself first; the query is none of them.
    pub(super) fn frames(&self, mut frame: u32) -> impl Iterator<Item = &Call> {
        std::iter::from_fn(move || {
            let call = (frame != NONE && frame != 0).then(|| &self.calls[frame as usize])?;
            frame = call.frame;
            Some(call)
        })
    }

    /// The goals in the text that a frame was called from, innermost first.
    pub fn callers(&self, frame: u32, most: usize) -> Vec<Site> {
        let calls = self.frames(frame).filter(|call| call.space.is_users());
        calls.map(|call| self.site_of(call.frame, call.site)).take(most).collect()
    }

    /// Notes that a call was proved, for what is said about others at its place.
    pub(super) fn note_proved(&mut self, goal: &Goal) {
        if self.failures.is_none() || goal.space == Space::System {
            return;
        }
        let (_, frame, site, _) = self.anchor(goal);
        let site = self.site_of(frame, site);
        if let Some(failures) = &mut self.failures {
            failures.proved(site);
        }
    }

    pub(super) fn failed(&mut self, goal: &Goal, pred: Option<PredId>, why: FailureReason) {
        if self.failures.is_none()
            || goal.polarity == Polarity::Negated && why != FailureReason::Raised
        {
            return;
        }
        let (cell, frame, site, inside) = self.anchor(goal);
        let site = self.site_of(frame, site);
        let (pred, why) = if inside && why != FailureReason::Raised {
            (None, FailureReason::Leaf)
        } else {
            (pred, why)
        };
        let soft = goal.polarity == Polarity::Soft;
        let progress = self.calls.len();
        let Some(failures) = &mut self.failures else { return };
        let known = failures.index.get(&(site, pred)).copied();
        if let Some(at) = known {
            let old = &mut failures.list[at];
            old.times += 1;
            let better = old.soft && !soft || progress > old.progress && old.soft == soft;
            if !better && why != FailureReason::Raised {
                return;
            }
        } else if failures.list.len() >= MOST {
            return;
        }
        let new = self.failure(cell, frame, site, pred, why, soft);
        let Some(failures) = &mut self.failures else { return };
        match known {
            Some(at) => {
                let times = failures.list[at].times;
                failures.list[at] = Failure { times, ..new };
            }
            None => {
                failures.index.insert((site, pred), failures.list.len());
                failures.list.push(new);
            }
        }
    }

    /// A goal and its surroundings, off the heap.
    pub(super) fn failure(
        &mut self,
        cell: Cell,
        frame: u32,
        site: Site,
        pred: Option<PredId>,
        why: FailureReason,
        soft: bool,
    ) -> Failure {
        let call = self.calls[frame as usize];
        let mut parts = vec![cell];
        let mut names = Vec::new();
        if let Justification::Clause(clause) = call.how
            && let Some(place) = &self.m.program.clauses[clause as usize].place
            && self.m.program.clauses[clause as usize].pred == call.pred
        {
            for (name, addr) in &place.variables {
                names.push(name.clone());
                parts.push(Cell::reference(call.base + *addr as usize));
            }
        }
        if frame == 0 {
            for (name, value) in self.query_values() {
                names.push(name);
                parts.push(value);
            }
        }
        let mark = self.store.mark();
        let term = self.store.heap.new_struct(atoms::CALL, &parts);
        let term = self.copy(term);
        self.store.undo(mark);
        let witness = self.witness.take();
        let callers = self.callers(frame, CALLERS);
        Failure {
            site,
            pred,
            why,
            progress: self.calls.len(),
            times: 1,
            soft,
            term,
            names,
            callers,
            witness,
        }
    }
}
