//! Tests and branches: conditions that are jumps, and constructs with choice points.

use super::code::Problem;
use super::emit::{Emit, Emitter, Patches, SCRATCH, split_last_call};
use super::goal::{CutTarget, Goal, GoalNode, Marks};
use super::registers::State;
use crate::instr::{FAIL, Instr};
use zug_term::Cell;

impl Emitter<'_> {
    /// Makes what is used after a construct and first occurs inside it.
    pub(super) fn make_outer(&mut self, node: &GoalNode) -> Emit {
        for &var in &node.vars {
            if self.analysis.variables[var as usize].last > node.end {
                self.make(var)?;
            }
        }
        Ok(())
    }

    fn patch(&mut self, patches: Patches) -> Emit {
        let test_ends =
            |&at: &usize| at + 1 == self.code.len() && !matches!(self.code[at], Instr::Jump { .. });
        if patches.iter().any(test_ends) {
            // A test cannot jump to the next instruction: that distance means failure.
            let behind = self.code.len() as u32 + 1;
            self.emit(Instr::Jump { to: behind });
        }
        let to = self.code.len();
        for at in patches {
            self.patch_to(at, to)?;
        }
        Ok(())
    }

    fn patch_to(&mut self, at: usize, to: usize) -> Emit {
        if self.code[at].set_target(at, to) { Ok(()) } else { Err(Problem::FarJump) }
    }

    /// Emits a test; indexes of instructions that jump when it fails go to
    /// `to_else`. With `negate` the test fails when its goal holds.
    pub(super) fn test(&mut self, node: &GoalNode, negate: bool, to_else: &mut Patches) -> Emit {
        self.pos = node.pos;
        match &node.goal {
            Goal::True | Goal::Fail => {
                if matches!(node.goal, Goal::True) == negate {
                    // A jump that is always taken.
                    to_else.push(self.jump());
                }
            }
            // not (A, B) fails only if all hold, as (A; B) fails only if all fail.
            Goal::Seq(goals) | Goal::Either(goals) => {
                let all_must_hold = matches!(node.goal, Goal::Seq(_)) != negate;
                if all_must_hold {
                    return goals.iter().try_for_each(|goal| self.test(goal, negate, to_else));
                }
                let Some((final_goal, before)) = goals.split_last() else {
                    to_else.push(self.jump());
                    return Ok(());
                };
                let mut decided = Patches::new();
                for goal in before {
                    self.test(goal, !negate, &mut decided)?;
                }
                self.test(final_goal, negate, to_else)?;
                self.patch(decided)?;
            }
            Goal::Not { goal, .. } => self.test(goal, !negate, to_else)?,
            _ => self.simple_test(node, negate, to_else)?,
        }
        Ok(())
    }

    fn simple_test(&mut self, node: &GoalNode, negate: bool, to_else: &mut Patches) -> Emit {
        use crate::instr::TypeTest;
        let else_by = FAIL;
        let mut inverted = false;
        match &node.goal {
            Goal::CompareNumbers(relation, a, b) => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                // Not inverted: with NaN, `\+ X < Y` differs from `X >= Y`.
                let relation = *relation;
                self.emit(Instr::CompareNumbers { relation, a, b, else_by });
            }
            Goal::CompareTerms(relation, a, b) => {
                let (a, b) = (self.term_slot(*a)?, self.term_slot(*b)?);
                inverted = negate;
                let relation = if negate { relation.negated() } else { *relation };
                self.emit(Instr::CompareTerms { relation, a, b, else_by });
            }
            Goal::Type(test, a) => {
                let slot = self.term_slot(*a)?;
                let test = match (negate, *test) {
                    (true, TypeTest::Var) => TypeTest::Nonvar,
                    (true, TypeTest::Nonvar) => TypeTest::Var,
                    (_, test) => test,
                };
                inverted = negate && matches!(test, TypeTest::Var | TypeTest::Nonvar);
                self.emit(Instr::Type { test, slot, else_by });
            }
            Goal::Builtin { id, args, .. } => {
                self.builtin(*id, args)?;
            }
            _ => unreachable!("not a test"),
        }
        let mut at = self.code.len() - 1;
        if self.far {
            // Failing, the test skips one instruction: a jump over the long jump.
            self.patch_to(at, at + 2)?;
            self.emit(Instr::Jump { to: at as u32 + 3 });
            at = self.jump();
        }
        if negate && !inverted {
            // Falls through when the goal holds: jump to the else part from there.
            to_else.push(self.jump());
            self.patch(vec![at])?;
        } else {
            to_else.push(at);
        }
        Ok(())
    }

    /// If-then-else whose condition is a test: no choice point.
    pub(super) fn jump_if(
        &mut self,
        node: &GoalNode,
        [test, then, other]: &[GoalNode; 3],
        last: bool,
    ) -> Emit {
        let inline = then.is_inline() && other.is_inline();
        if !last {
            if !inline {
                self.open_frame();
            }
            self.make_outer(node)?;
        }
        // Operands that the test loads are not there on every path to the else part.
        let state = self.save();
        let mut to_else = Patches::new();
        self.test(test, false, &mut to_else)?;
        self.goal(then, last)?;
        self.otherwise(&state, to_else, other, last)?;
        if last {
            return Ok(());
        }
        if !inline {
            self.forget_x();
        }
        self.pos = node.end;
        self.expire();
        Ok(())
    }

    /// A jump whose target is patched later: its place.
    fn jump(&mut self) -> usize {
        self.emit(Instr::Jump { to: 0 });
        self.code.len() - 1
    }

    /// The second branch of a construct, in the state before it. Unless the construct is last, both end in that state.
    fn otherwise(&mut self, state: &State, to_else: Patches, other: &GoalNode, last: bool) -> Emit {
        let to_end: Patches = (!last).then(|| self.jump()).into_iter().collect();
        self.restore(state);
        self.patch(to_else)?;
        self.goal(other, last)?;
        if !last {
            self.patch(to_end)?;
            self.restore(state);
        }
        Ok(())
    }

    /// The environment and the variables that a choice point needs.
    fn prepare_choice(&mut self, node: &GoalNode) -> Emit<State> {
        self.open_frame();
        self.make_outer(node)?;
        let mut state = self.save();
        state.owners.clear();
        for home in &mut state.homes {
            home.x = None;
            home.made &= home.in_y;
        }
        Ok(state)
    }

    /// Marks the height of the choice stack, and makes a choice point for a goal that may be cut to the mark, or to one of
    /// its own: the state before, the register of the mark, and where the alternative is to be put in.
    fn open_choice(
        &mut self,
        node: &GoalNode,
        goal: &GoalNode,
        marks: Marks,
    ) -> Emit<(State, u16, usize)> {
        let state = self.prepare_choice(node)?;
        let y = self.mark_y(marks.outer);
        self.emit(Instr::Mark { y });
        let choice = self.try_else(node)?;
        self.mark_local_cut(goal, marks.inner);
        Ok((state, y, choice))
    }

    fn mark_local_cut(&mut self, goal: &GoalNode, mark: usize) {
        if has_local_cut(goal, mark) {
            let y = self.mark_y(mark);
            self.emit(Instr::Mark { y });
        }
    }

    fn try_else(&mut self, node: &GoalNode) -> Emit<usize> {
        let live = self.live(node.pos)?;
        self.emit(Instr::TryElse { stub: false, live, to: 0 });
        Ok(self.code.len() - 1)
    }

    pub(super) fn general_if(
        &mut self,
        node: &GoalNode,
        [test, then, other]: &[GoalNode; 3],
        soft: bool,
        marks: Marks,
        last: bool,
    ) -> Emit {
        let (state, y, choice) = self.open_choice(node, test, marks)?;
        self.goal(test, false)?;
        self.emit(if soft { Instr::SoftCut { y } } else { Instr::CutTo { y } });
        self.goal(then, last)?;
        self.otherwise(&state, vec![choice], other, last)?;
        if !last {
            self.pos = node.end;
        }
        Ok(())
    }

    pub(super) fn disjunction(
        &mut self,
        node: &GoalNode,
        alternatives: &[GoalNode],
        last: bool,
    ) -> Emit {
        let state = self.prepare_choice(node)?;
        let mut to_end = Patches::new();
        for (i, alternative) in alternatives.iter().enumerate() {
            let is_final = i + 1 == alternatives.len();
            let choice = if is_final { None } else { Some(self.try_else(node)?) };
            self.goal(alternative, last)?;
            if !is_final && !last {
                to_end.push(self.jump());
            }
            self.restore(&state);
            self.patch(choice.into_iter().collect())?;
        }
        if last {
            return Ok(());
        }
        self.patch(to_end)?;
        self.pos = node.end;
        Ok(())
    }

    pub(super) fn guarded(
        &mut self,
        node: &GoalNode,
        goal: &GoalNode,
        marks: Marks,
        last: bool,
    ) -> Emit {
        let call = split_last_call(goal).filter(|_| last && !self.plain);
        if let Some(([], call)) = call {
            return self.last_guarded(call);
        }
        let (state, y, choice) = self.open_choice(node, goal, marks)?;
        if let Some((before, call)) = call {
            for goal in before {
                self.goal(goal, false)?;
            }
            self.emit(Instr::CutTo { y });
            self.last_guarded(call)?;
        } else {
            self.goal(goal, false)?;
            self.emit(Instr::GuardExit { y });
            if last {
                self.proceed();
            }
        }
        let to_end: Patches = (!last).then(|| self.jump()).into_iter().collect();
        self.restore(&state);
        self.patch(vec![choice])?;
        self.emit(Instr::GuardFail);
        if !last {
            self.patch(to_end)?;
            self.pos = node.end;
        }
        Ok(())
    }

    fn last_guarded(&mut self, node: &GoalNode) -> Emit {
        let Goal::Call { pred, args } = &node.goal else { unreachable!("a call") };
        self.pos = node.pos;
        if node.slot != 0 {
            self.goals.push((self.code.len() as u32, node.slot as u32));
        }
        self.arguments(args)?;
        if self.frame {
            self.emit(Instr::Deallocate);
        }
        self.emit(Instr::GuardExecute { pred: *pred });
        Ok(())
    }

    pub(super) fn negation(&mut self, node: &GoalNode, goal: &GoalNode, marks: Marks) -> Emit {
        let (state, y, choice) = self.open_choice(node, goal, marks)?;
        self.goal(goal, false)?;
        self.emit(Instr::CutTo { y });
        self.emit(Instr::Fail);
        self.restore(&state);
        self.patch(vec![choice])?;
        self.pos = node.end;
        Ok(())
    }

    pub(super) fn findall(
        &mut self,
        node: &GoalNode,
        template: Cell,
        goal: &GoalNode,
        result: Cell,
        inner: usize,
    ) -> Emit {
        let state = self.prepare_choice(node)?;
        self.emit(Instr::BagOpen);
        let choice = self.try_else(node)?;
        self.mark_local_cut(goal, inner);
        self.goal(goal, false)?;
        self.pos = goal.end + 1;
        let x = self.temp(SCRATCH)?;
        self.put(x, template)?;
        self.emit(Instr::BagAdd { x });
        self.emit(Instr::Fail);
        self.restore(&state);
        self.patch(vec![choice])?;
        self.pos = node.end;
        let d = self.temp(SCRATCH)?;
        self.emit(Instr::BagClose { d });
        self.unify_register(result, d)
    }
}

/// Whether a goal contains a cut that is local to the construct with this mark.
fn has_local_cut(node: &GoalNode, mark: usize) -> bool {
    match &node.goal {
        Goal::Cut(CutTarget::Local(found)) => *found == mark,
        Goal::Seq(goals) | Goal::Or(goals) => goals.iter().any(|goal| has_local_cut(goal, mark)),
        Goal::If { parts, .. } => parts[1..].iter().any(|goal| has_local_cut(goal, mark)),
        _ => false,
    }
}
