//! Control constructs of the interpreter: the standard's, and those that the compiler knows.

use super::goals::{
    Alternative, Continuation, CutSeen, Goal, Hypothesis, Justification, NONE, OPAQUE, Polarity,
    StepResult,
};
use super::prover::Prover;
use zug_machine::Space;
use zug_term::Cell;
use zug_term::symbol::{Atom, atoms};

/// Identifies a cut.
const MOST_CUTS: usize = 64;

impl Prover<'_> {
    fn at(&self, args: usize, i: usize) -> Cell {
        self.store.heap.at(args + i)
    }

    /// The space that the module in an argument names.
    fn module(&self, args: usize) -> Option<Space> {
        let module = self.store.heap.deref(self.at(args, 0)).as_atom()?;
        self.m.program.modules.named(module)
    }

    /// A goal inside another one, at an argument of it.
    pub(super) fn inner(&self, goal: &Goal, slot: usize, cut: usize, polarity: Polarity) -> Goal {
        let cell = self.store.heap.at(slot);
        if cell.is_var() {
            // A variable in a body stands for `call/1`: the user's goal in a scope of its own.
            return Goal { cell, slot, cut: OPAQUE, polarity, space: Space::User, ..*goal };
        }
        Goal { cell, slot, cut, polarity, ..*goal }
    }

    /// Control constructs; `None` if it is none.
    pub(super) fn control(
        &mut self,
        goal: &Goal,
        name: Atom,
        arity: usize,
        args: usize,
        then: u32,
    ) -> Option<StepResult> {
        let height = self.choices.len();
        let step = match (name, arity) {
            (atoms::TRUE, 0) => StepResult::On(then),
            // Why goals must have one answer is not told.
            (atoms::CUT | atoms::DOLLAR, 0) => {
                self.cut(goal);
                StepResult::On(then)
            }
            (atoms::COLON, 2) => {
                let mut inner = self.inner(goal, args + 1, goal.cut, goal.polarity);
                if let Some(space @ Space::Module(_)) = self.module(args) {
                    inner.space = space;
                }
                self.go_on(inner, then)
            }
            (atoms::COMMA, 2) => {
                let right = self.inner(goal, args + 1, goal.cut, goal.polarity);
                let left = self.inner(goal, args, goal.cut, goal.polarity);
                let right = self.goal(right, then);
                self.go_on(left, right)
            }
            (atoms::SEMICOLON | atoms::BAR, 2) => self.disjunction(goal, args, then),
            (atoms::ARROW, 2) => {
                // Without an else branch the condition is as good as any goal.
                let branch = self.inner(goal, args + 1, goal.cut, goal.polarity);
                let condition = self.inner(goal, args, height, goal.polarity);
                let branch = self.goal(branch, then);
                let commit = self.next(Continuation::CutTo(height), branch);
                self.go_on(condition, commit)
            }
            (atoms::SOFT_ARROW, 2) => {
                let right = self.inner(goal, args + 1, goal.cut, goal.polarity);
                let left = self.inner(goal, args, height, goal.polarity);
                let right = self.goal(right, then);
                self.go_on(left, right)
            }
            (atoms::ONCE | atoms::DOLLAR, 1) => {
                let inner = self.inner(goal, args, height, goal.polarity);
                let commit = self.next(Continuation::CutTo(height), then);
                self.go_on(inner, commit)
            }
            (atoms::IGNORE, 1) => {
                let inner = self.inner(goal, args, height + 1, goal.polarity.soft());
                let truth = Goal { cell: Cell::atom(atoms::TRUE), slot: usize::MAX, ..*goal };
                self.push_choice(Alternative::Else(truth), then);
                let commit = self.next(Continuation::CutTo(height), then);
                self.go_on(inner, commit)
            }
            (atoms::NOT_PROVABLE | atoms::NOT, 1) => {
                let inner = self.inner(goal, args, height + 1, goal.polarity.negated());
                self.push_choice(Alternative::Negation(*goal), then);
                let refuted = self.next(Continuation::Refuted(height), NONE);
                self.go_on(inner, refuted)
            }
            (atoms::FORALL, 2) => {
                let action = self.inner(goal, args + 1, 0, goal.polarity.negated());
                let condition = self.inner(goal, args, height + 1, goal.polarity.negated());
                self.push_choice(Alternative::Negation(*goal), then);
                let refuted = self.next(Continuation::Refuted(height), NONE);
                let negated = self.next(Continuation::Negate(action), refuted);
                self.go_on(condition, negated)
            }
            (atoms::FINDALL, 3 | 4) => {
                let tail = (arity == 4).then(|| self.at(args, 3));
                let bag = self.bags.len();
                self.bags.push(Vec::new());
                let (template, list) = (self.at(args, 0), self.at(args, 2));
                let inner = self.inner(goal, args + 1, height + 1, goal.polarity.soft());
                let what = Alternative::Findall { goal: *goal, template, list, tail, bag };
                self.push_choice(what, then);
                let collect = self.next(Continuation::Collect(bag), NONE);
                self.go_on(inner, collect)
            }
            (atoms::CATCH, 3) => {
                let inner = self.inner(goal, args, height + 1, goal.polarity);
                let recovery = self.inner(goal, args + 2, height, goal.polarity);
                let catcher = self.at(args, 1);
                self.push_choice(Alternative::Catch { catcher, recovery }, then);
                let leave = self.next(Continuation::LeaveCatch(height), then);
                self.go_on(inner, leave)
            }
            (atoms::CALL, n) if n > 0 => return Some(self.call_n(goal, arity, args, then)),
            (atoms::DOLLAR_CALL_BODY, 2) => {
                let inner = self.inner(goal, args, height, goal.polarity);
                StepResult::On(
                    self.next(Continuation::Goal(Goal { space: Space::User, ..inner }), then),
                )
            }
            _ => return None,
        };
        Some(step)
    }

    fn disjunction(&mut self, goal: &Goal, args: usize, then: u32) -> StepResult {
        let height = self.choices.len();
        let left = self.store.heap.deref(self.at(args, 0));
        let right = self.inner(goal, args + 1, goal.cut, goal.polarity);
        let branches = self.store.heap.name_arity(left);
        self.push_choice(Alternative::Else(right), then);
        let (first, commit) = match branches {
            Some((atoms::ARROW, 2, inner)) => (inner, Continuation::CutTo(height)),
            Some((atoms::SOFT_ARROW, 2, inner)) => (inner, Continuation::SoftCut(height)),
            _ => {
                let left = self.inner(goal, args, goal.cut, goal.polarity);
                return self.go_on(left, then);
            }
        };
        let branch = self.inner(goal, first + 1, goal.cut, goal.polarity);
        let condition = self.inner(goal, first, height + 1, goal.polarity.soft());
        let branch = self.goal(branch, then);
        let commit = self.next(commit, branch);
        self.go_on(condition, commit)
    }

    /// Shows that a goal has no proof, for the action of `forall/2`.
    pub(super) fn negate(&mut self, goal: Goal, then: u32) -> StepResult {
        let height = self.choices.len();
        let inner = Goal { cut: height + 1, polarity: goal.polarity.negated(), ..goal };
        // The goal itself says what failed, so nothing is said of its negation.
        self.push_choice(
            Alternative::Else(Goal { cell: Cell::atom(atoms::TRUE), slot: usize::MAX, ..goal }),
            then,
        );
        let refuted = self.next(Continuation::Refuted(height), NONE);
        self.go_on(inner, refuted)
    }

    /// `call/N`: the goal with the other arguments behind its own, in a scope of its own.
    fn call_n(&mut self, goal: &Goal, arity: usize, args: usize, then: u32) -> StepResult {
        let height = self.choices.len();
        let mut closure = self.store.heap.deref(self.at(args, 0));
        let mut space = Space::User;
        for _ in 0..zug_machine::MODULES {
            let named = self.store.heap.match_struct::<2>(closure, atoms::COLON);
            let Some([module, inner]) = named else { break };
            let module = self.store.heap.deref(module).as_atom();
            if let Some(Space::Module(unit)) =
                module.and_then(|name| self.m.program.modules.named(name))
            {
                space = Space::Module(unit);
            }
            closure = self.store.heap.deref(inner);
        }
        let mut inner = self.inner(goal, args, height, goal.polarity);
        // What a library predicate is given to call is the user's.
        inner.space = space;
        inner.cell = closure;
        if arity > 1 {
            let Some((name, own, first)) = self.store.heap.name_arity(closure) else {
                return self.go_on(inner, then);
            };
            let mut parts: Vec<Cell> = (0..own).map(|i| self.at(first, i)).collect();
            parts.extend((1..arity).map(|i| self.at(args, i)));
            inner.cell = self.store.heap.new_struct(name, &parts);
        }
        self.go_on(inner, then)
    }

    fn cut(&mut self, goal: &Goal) {
        let frame = self.calls[goal.frame as usize];
        let site = self.site(goal);
        if let Justification::Clause(clause) = frame.how {
            if let Hypothesis::WithoutCut(other, at) = self.hypothesis
                && (clause, site) == (other, at)
            {
                return;
            }
            let lost = self.choices.get(goal.cut..).unwrap_or_default();
            let takes = lost.iter().any(|choice| !matches!(choice.what, Alternative::Dead));
            if takes && frame.space.is_users() && self.cuts.len() < MOST_CUTS {
                let kept_from = lost.first().and_then(|choice| match &choice.what {
                    Alternative::Clauses { clauses, at, pred, .. } if *pred == frame.pred => {
                        clauses.get(*at).copied()
                    }
                    _ => None,
                });
                let known = self.cuts.iter().any(|seen| (seen.clause, seen.site) == (clause, site));
                if !known {
                    self.cuts.push(CutSeen { clause, site, kept_from });
                }
            }
        }
        self.cut_to(goal.cut);
    }
}
