//! The emitter: walks the goal tree once and writes instructions.
//!
//! Its state is where each variable is now: in an X register, in its Y register, or nowhere yet. Branches start from
//! the same state and end in it again: before a branching construct every variable that is used after it, and first
//! occurs inside it, is made.

use super::analyse::Analysis;
use super::code::{Code, Problem};
use super::goal::{CutTarget, Goal, GoalNode};
use super::image::Image;
use crate::Program;
use crate::instr::Instr;
use zug_term::Cell;

pub(super) type Emit<T = ()> = Result<T, Problem>;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Home {
    /// It has a value or is a variable cell.
    pub made: bool,
    /// X register that holds it.
    pub x: Option<u16>,
    /// Its Y register holds it.
    pub in_y: bool,
}

pub(super) struct Emitter<'a> {
    pub program: &'a mut Program,
    pub image: Image<'a>,
    pub analysis: Analysis,
    pub code: Vec<Instr>,
    pub goals: Vec<(u32, u32)>,
    pub homes: Vec<Home>,
    /// Y register of each permanent variable.
    pub y_of: Vec<Option<u16>>,
    /// Variable that each X register holds; `SCRATCH` for a temporary in use.
    pub owners: Vec<Option<u32>>,
    /// X registers below this are argument registers, taken on request only.
    pub floor: usize,
    /// The environment is in place.
    pub frame: bool,
    pub frame_size: usize,
    pub first_mark: usize,
    /// Position of the goal being emitted.
    pub pos: u32,
    /// A test's jump goes over a long one.
    pub far: bool,
    /// A last call returns to its clause like any other.
    pub plain: bool,
    /// The head binds nothing of the call.
    pub one_sided: bool,
}

/// Owner of an X register in use for something unnamed.
pub(super) const SCRATCH: u32 = u32::MAX;
/// Y registers the compiler uses at most.
const MAX_Y: usize = 0x3F00;

/// A test's jumps to patch: instruction indexes.
pub(super) type Patches = Vec<usize>;

impl<'a> Emitter<'a> {
    pub fn new(
        program: &'a mut Program,
        image: Image<'a>,
        analysis: Analysis,
        marks: usize,
        far: bool,
        plain: bool,
    ) -> Self {
        let mut y_of = Vec::with_capacity(analysis.variables.len());
        let mut next = 0u32;
        for variable in &analysis.variables {
            y_of.push(variable.permanent.then(|| {
                next += 1;
                next.min(u32::from(u16::MAX)) as u16 - 1
            }));
        }
        Emitter {
            program,
            image,
            code: Vec::new(),
            goals: Vec::new(),
            homes: vec![Home::default(); analysis.variables.len()],
            y_of,
            owners: Vec::new(),
            floor: analysis.max_args,
            frame: false,
            frame_size: next as usize + marks,
            first_mark: next as usize,
            pos: 0,
            far,
            plain,
            one_sided: false,
            analysis,
        }
    }

    pub fn finish(self) -> Code {
        Code { instrs: self.code, goals: self.goals }
    }

    /// The whole clause.
    pub fn clause(&mut self, head_args: &[Cell], body: &GoalNode) -> Emit {
        if self.frame_size > MAX_Y {
            return Err(Problem::TooLarge);
        }
        let early = needs_frame_first(body);
        self.head(head_args, early)?;
        self.goal(body, true)
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.code.push(instr);
    }

    pub(super) fn proceed(&mut self) {
        if self.frame {
            self.emit(Instr::Deallocate);
        }
        self.emit(Instr::Proceed);
    }

    /// Emits a goal. `last`: nothing follows it in the clause, so return after it.
    pub(super) fn goal(&mut self, node: &GoalNode, last: bool) -> Emit {
        self.pos = node.pos;
        if node.slot != 0 && !matches!(node.goal, Goal::Seq(_)) {
            self.goals.push((self.code.len() as u32, node.slot as u32));
        }
        match &node.goal {
            Goal::Seq(goals) => return self.sequence(goals, last),
            Goal::Call { pred, args } => return self.call(*pred, args, last),
            Goal::If { parts, soft, marks } => {
                if !*soft && parts[0].is_test() {
                    return self.jump_if(node, parts, last);
                }
                return self.general_if(node, parts, *soft, *marks, last);
            }
            Goal::Guarded { goal, marks } => return self.guarded(node, goal, *marks, last),
            Goal::Or(alternatives) => return self.disjunction(node, alternatives, last),
            Goal::Not { goal, marks } if !node.is_test() => self.negation(node, goal, *marks)?,
            Goal::Findall { template, goal, result, inner } => {
                self.findall(node, *template, goal, *result, *inner)?;
            }
            Goal::Cut(target) => self.cut(*target),
            Goal::True => {}
            Goal::Fail => {
                self.emit(Instr::Fail);
                return Ok(());
            }
            Goal::Unify(a, b) => self.unify(*a, *b)?,
            Goal::Match(variable, term) => {
                let x = self.load(self.var(*variable))?;
                self.subsume(x, *term)?;
            }
            Goal::Is(result, expression) => self.is(*result, *expression)?,
            Goal::Builtin { id, args, .. } => self.builtin(*id, args)?,
            _ => {
                let mut to_fail = Patches::new();
                self.test(node, false, &mut to_fail)?;
                // A test's own "else" already means: backtrack.
                for at in to_fail {
                    if matches!(self.code[at], Instr::Jump { .. }) {
                        self.code[at] = Instr::Fail;
                    }
                }
            }
        }
        self.pos = self.pos.max(node.pos);
        self.expire();
        if last {
            self.proceed();
        }
        Ok(())
    }

    fn sequence(&mut self, goals: &[GoalNode], last: bool) -> Emit {
        let Some((final_goal, before)) = goals.split_last() else {
            if last {
                self.proceed();
            }
            return Ok(());
        };
        // Whether the goal before may have bound attributed variables with nothing behind it that looks.
        let mut unified = false;
        for (i, goal) in before.iter().chain([final_goal]).enumerate() {
            let unifies = self.may_bind(goal);
            if unified && unifies && matches!(goal.goal, Goal::Unify(..) | Goal::Is(..)) {
                self.emit(Instr::Wake);
            }
            unified = unifies;
            self.goal(goal, last && i == before.len())?;
        }
        Ok(())
    }

    /// Whether a goal is, or ends with, a unification that may bind variables made before it in this clause.
    fn may_bind(&self, node: &GoalNode) -> bool {
        let made = |cell: Cell| {
            let cell = self.image.deref(cell);
            !cell.is_var() || self.homes[self.var(cell) as usize].made
        };
        match &node.goal {
            Goal::Unify(a, b) => made(*a) && made(*b),
            Goal::Is(result, _) => made(*result),
            Goal::Seq(goals) => goals.last().is_some_and(|goal| self.may_bind(goal)),
            Goal::Or(goals) => goals.iter().any(|goal| self.may_bind(goal)),
            Goal::If { parts, .. } => {
                let [test, then, other] = &**parts;
                let then = if matches!(then.goal, Goal::True) { test } else { then };
                self.may_bind(then) || self.may_bind(other)
            }
            _ => false,
        }
    }

    fn cut(&mut self, target: CutTarget) {
        match target {
            CutTarget::Clause if self.frame => self.emit(Instr::Cut),
            CutTarget::Clause => self.emit(Instr::CutNeck),
            CutTarget::Local(mark) => {
                let y = self.mark_y(mark);
                self.emit(Instr::CutTo { y });
            }
        }
    }

    fn call(&mut self, pred: u32, args: &[Cell], last: bool) -> Emit {
        let sited = self.program.preds[self.program.resolve(pred) as usize].sited;
        let returns = !last || self.plain || sited;
        if returns {
            self.open_frame();
        }
        self.arguments(args)?;
        if !returns {
            if self.frame {
                self.emit(Instr::Deallocate);
            }
            self.emit(Instr::Execute { pred });
        } else {
            let live = self.live(self.pos)?;
            self.emit(Instr::Call { stub: false, live, pred });
            self.forget_x();
            if last {
                self.proceed();
            }
        }
        Ok(())
    }
}

/// Goals that call nothing, and a last call behind them: what may be behind `$/0` for the call to take its place.
pub(super) fn split_last_call(node: &GoalNode) -> Option<(&[GoalNode], &GoalNode)> {
    let (before, last) = match &node.goal {
        Goal::Seq(goals) => {
            let (last, before) = goals.split_last()?;
            (before, last)
        }
        _ => (&[][..], node),
    };
    let simple = matches!(last.goal, Goal::Call { .. }) && before.iter().all(GoalNode::is_inline);
    simple.then_some((before, last))
}

/// Whether the environment is best made before the head: the first thing the body does needs it.
fn needs_frame_first(body: &GoalNode) -> bool {
    match &body.goal {
        Goal::Seq(goals) => match goals.as_slice() {
            [] => false,
            [first, ..] => match &first.goal {
                Goal::Call { .. } => goals.len() > 1,
                _ => needs_frame_first(first),
            },
        },
        Goal::Not { .. } => !body.is_test(),
        Goal::Guarded { goal, .. } => {
            split_last_call(goal).is_none_or(|(before, _)| !before.is_empty())
        }
        Goal::Or(_) | Goal::Findall { .. } => true,
        Goal::If { parts, soft, .. } => *soft || !parts[0].is_test(),
        _ => false,
    }
}
