//! The emitter: walks the goal tree once and writes instructions.
//!
//! Its state is where each variable is now: in an X register, in its Y register,
//! or nowhere yet. Branches start from the same state and end in it again:
//! before a branching construct every variable that is used after it, and first
//! occurs inside it, is made.

use super::Code;
use super::analyse::Analysis;
use super::goal::{CutTarget, Goal, Node};
use super::image::Image;
use crate::machine::instr::{FAIL, Instr};
use crate::machine::{LIVE_SET, Program};
use crate::term::Cell;

/// Something doesn't fit its field.
#[derive(Debug, PartialEq, Eq)]
pub enum TooFar {
    /// A relative jump: compile again with long ones.
    Jump,
    /// A register number.
    Register,
}

pub(super) type Emit<T = ()> = Result<T, TooFar>;

/// Where a variable is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Home {
    /// It has a value or is a variable cell.
    pub made: bool,
    /// X register that holds it.
    pub x: Option<u16>,
    /// Its Y register holds it.
    pub in_y: bool,
}

/// State that branches save and restore.
#[derive(Clone)]
struct State {
    homes: Vec<Home>,
    owners: Vec<Option<u32>>,
    frame: bool,
}

pub(super) struct Emitter<'a> {
    pub program: &'a mut Program,
    pub image: Image<'a>,
    pub analysis: Analysis,
    pub code: Vec<Instr>,
    goals: Vec<(u32, u32)>,
    pub homes: Vec<Home>,
    /// Y register of each permanent variable.
    pub y_of: Vec<Option<u16>>,
    /// Variable that each X register holds; `SCRATCH` for a temporary in use.
    pub owners: Vec<Option<u32>>,
    /// X registers below this are argument registers, taken on request only.
    floor: usize,
    /// The environment is in place.
    pub frame: bool,
    frame_size: usize,
    first_mark: usize,
    /// Position of the goal being emitted.
    pub pos: u32,
    /// A test's jump goes over a long one.
    far: bool,
}

/// Owner of an X register in use for something unnamed.
pub(super) const SCRATCH: u32 = u32::MAX;
/// X registers the compiler uses at most.
const MAX_X: usize = 0x7F00;
/// Y registers the compiler uses at most.
const MAX_Y: usize = 0x3F00;

/// A test's jumps to patch: instruction indexes.
type Patches = Vec<usize>;

impl<'a> Emitter<'a> {
    pub fn new(
        program: &'a mut Program,
        image: Image<'a>,
        analysis: Analysis,
        marks: usize,
        far: bool,
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
            analysis,
        }
    }

    pub fn finish(self) -> Code {
        Code { instrs: self.code, goals: self.goals }
    }

    /// The whole clause.
    pub fn clause(&mut self, head_args: &[Cell], body: &Node) -> Emit {
        if self.frame_size > MAX_Y {
            return Err(TooFar::Register);
        }
        let early = needs_frame_first(body);
        self.head(head_args, early)?;
        self.goal(body, true)
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.code.push(instr);
    }

    // --- registers ------------------------------------------------------------

    /// Takes a free temporary register.
    pub(super) fn temp(&mut self, owner: u32) -> Emit<u16> {
        let from = self.floor;
        let at = match self.owners.get(from..) {
            Some(rest) => {
                rest.iter().position(Option::is_none).map_or(self.owners.len(), |i| from + i)
            }
            None => from,
        };
        self.take(at, owner)
    }

    /// Takes `n` free temporary registers in a row.
    pub(super) fn temps(&mut self, n: usize) -> Emit<u16> {
        let used = self.owners.iter().rposition(Option::is_some).map_or(0, |i| i + 1);
        let base = used.max(self.floor);
        for i in 0..n {
            self.take(base + i, SCRATCH)?;
        }
        Ok(base as u16)
    }

    pub(super) fn take(&mut self, at: usize, owner: u32) -> Emit<u16> {
        if at >= MAX_X {
            return Err(TooFar::Register);
        }
        if self.owners.len() <= at {
            self.owners.resize(at + 1, None);
        }
        self.owners[at] = Some(owner);
        Ok(at as u16)
    }

    pub(super) fn release(&mut self, x: u16) {
        if let Some(owner) = self.owners.get_mut(x as usize)
            && *owner == Some(SCRATCH)
        {
            *owner = None;
        }
    }

    /// The register a new variable goes to: the one it is asked for in, or a temporary.
    pub(super) fn register_for(&mut self, var: u32) -> Emit<u16> {
        if let Some(hint) = self.analysis.variables[var as usize].hint {
            let free = self.owners.get(hint as usize).is_none_or(Option::is_none);
            if free {
                return self.take(hint as usize, var);
            }
        }
        self.temp(var)
    }

    /// Notes that a variable is made and stands in an X register.
    pub(super) fn made_in_x(&mut self, var: u32, x: u16) {
        self.homes[var as usize] = Home { made: true, x: Some(x), in_y: false };
    }

    /// Moves a permanent variable that is in X to its Y register, if there is one yet.
    pub(super) fn settle(&mut self, var: u32) {
        if let (true, Some(y)) = (self.frame, self.y_of[var as usize])
            && let Home { made: true, x: Some(x), in_y: false } = self.homes[var as usize]
        {
            self.emit(Instr::GetVarY { y, a: x });
            self.homes[var as usize].in_y = true;
        }
    }

    /// An X register that holds a made variable; loaded from Y if need be.
    pub(super) fn load(&mut self, var: u32) -> Emit<u16> {
        if let Some(x) = self.homes[var as usize].x {
            return Ok(x);
        }
        let y = self.y_of[var as usize].expect("a made variable is in X or Y");
        let x = self.temp(var)?;
        self.emit(Instr::PutY { a: x, y });
        self.homes[var as usize].x = Some(x);
        Ok(x)
    }

    /// Makes a variable: a new cell.
    pub(super) fn make(&mut self, var: u32) -> Emit {
        if self.homes[var as usize].made {
            return Ok(());
        }
        match self.y_of[var as usize].filter(|_| self.frame) {
            Some(y) => {
                self.emit(Instr::InitY { y });
                self.homes[var as usize] = Home { made: true, x: None, in_y: true };
            }
            None => {
                let x = self.register_for(var)?;
                self.emit(Instr::PutVarX { x });
                self.made_in_x(var, x);
            }
        }
        Ok(())
    }

    pub(super) fn is_void(&self, var: u32) -> bool {
        self.analysis.variables[var as usize].count == 1
    }

    /// Frees the X registers of variables that are not used after this position.
    fn expire(&mut self) {
        let pos = self.pos;
        for x in 0..self.owners.len() {
            match self.owners[x] {
                Some(SCRATCH) => self.owners[x] = None,
                Some(var) if self.analysis.variables[var as usize].last <= pos => {
                    self.owners[x] = None;
                    self.homes[var as usize].x = None;
                }
                _ => {}
            }
        }
    }

    /// A call has been made: X registers hold nothing any more.
    fn forget_x(&mut self) {
        self.owners.clear();
        for home in &mut self.homes {
            home.x = None;
        }
    }

    fn save(&self) -> State {
        State { homes: self.homes.clone(), owners: self.owners.clone(), frame: self.frame }
    }

    fn restore(&mut self, state: &State) {
        self.homes.clone_from(&state.homes);
        self.owners.clone_from(&state.owners);
        self.frame = state.frame;
    }

    // --- environment ------------------------------------------------------------

    /// Puts the environment in place and moves permanent variables into it.
    pub(super) fn open_frame(&mut self) {
        if self.frame {
            return;
        }
        self.frame = true;
        self.emit(Instr::Allocate { n: self.frame_size as u16 });
        for var in 0..self.homes.len() as u32 {
            self.settle(var);
        }
    }

    /// Y registers that hold values needed after position `after`.
    fn live(&mut self, after: u32) -> Emit<u16> {
        let mut bits: Vec<u64> = Vec::new();
        for (var, home) in self.homes.iter().enumerate() {
            if let Some(y) = self.y_of[var]
                && home.in_y
                && self.analysis.variables[var].last > after
            {
                let word = usize::from(y) / 64;
                bits.resize(bits.len().max(word + 1), 0);
                bits[word] |= 1 << (y % 64);
            }
        }
        let small = match bits.as_slice() {
            [] => 0,
            [small] if *small < u64::from(LIVE_SET) => *small as u16,
            _ => {
                let sets = &mut self.program.live_sets;
                let bits = bits.into_boxed_slice();
                let at = sets.iter().rposition(|set| *set == bits).unwrap_or_else(|| {
                    sets.push(bits);
                    sets.len() - 1
                });
                let at = u16::try_from(at).ok().filter(|at| at & LIVE_SET == 0);
                return at.map(|at| LIVE_SET | at).ok_or(TooFar::Register);
            }
        };
        Ok(small)
    }

    fn mark_y(&self, mark: usize) -> u16 {
        (self.first_mark + mark) as u16
    }

    // --- goals --------------------------------------------------------------------

    /// Returns: drops the environment if there is one.
    fn proceed(&mut self) {
        if self.frame {
            self.emit(Instr::Deallocate);
        }
        self.emit(Instr::Proceed);
    }

    /// Emits a goal. `last`: nothing follows it in the clause, so return after it.
    fn goal(&mut self, node: &Node, last: bool) -> Emit {
        self.pos = node.pos;
        if node.slot != 0 && !matches!(node.goal, Goal::Seq(_)) {
            self.goals.push((self.code.len() as u32, node.slot as u32));
        }
        match &node.goal {
            Goal::Seq(goals) => return self.sequence(goals, last),
            Goal::Call { pred, args } => return self.call(*pred, args, last),
            Goal::If { test, then, other, soft, mark, inner } => {
                if !*soft && test.is_test() {
                    return self.jump_if(node, test, then, other, last);
                }
                return self.general_if(node, [test, then, other], *soft, *mark, *inner, last);
            }
            Goal::Or(alternatives) if !node.is_test() => {
                return self.disjunction(node, alternatives, last);
            }
            Goal::Not { goal, mark, inner } if !node.is_test() => {
                self.negation(node, goal, *mark, *inner)?;
            }
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

    fn sequence(&mut self, goals: &[Node], last: bool) -> Emit {
        let Some((final_goal, before)) = goals.split_last() else {
            if last {
                self.proceed();
            }
            return Ok(());
        };
        for goal in before {
            self.goal(goal, false)?;
        }
        self.goal(final_goal, last)
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
        if !last {
            self.open_frame();
        }
        self.arguments(args)?;
        if last {
            if self.frame {
                self.emit(Instr::Deallocate);
            }
            self.emit(Instr::Execute { pred });
        } else {
            let live = self.live(self.pos)?;
            self.emit(Instr::Call { live, pred });
            self.forget_x();
        }
        Ok(())
    }

    /// Makes what is used after a construct and first occurs inside it.
    fn make_outer(&mut self, node: &Node) -> Emit {
        for &var in &node.vars {
            if self.analysis.variables[var as usize].last > node.end {
                self.make(var)?;
            }
        }
        Ok(())
    }

    fn patch(&mut self, patches: Patches) -> Emit {
        let to = self.code.len();
        for at in patches {
            self.patch_to(at, to)?;
        }
        Ok(())
    }

    fn patch_to(&mut self, at: usize, to: usize) -> Emit {
        let by = to - at - 1;
        match &mut self.code[at] {
            Instr::Jump { to: target } | Instr::TryElse { to: target, .. } => *target = to as u32,
            Instr::Type { else_by, .. }
            | Instr::CompareNumbers { else_by, .. }
            | Instr::CompareTerms { else_by, .. }
            | Instr::Builtin { else_by, .. } => {
                *else_by = u16::try_from(by).map_err(|_| TooFar::Jump)?;
            }
            other => unreachable!("{other:?} has no target"),
        }
        Ok(())
    }

    /// Emits a test; indexes of instructions that jump when it fails go to
    /// `to_else`. With `negate` the test fails when its goal holds.
    fn test(&mut self, node: &Node, negate: bool, to_else: &mut Patches) -> Emit {
        self.pos = node.pos;
        match &node.goal {
            Goal::True | Goal::Fail => {
                if matches!(node.goal, Goal::True) == negate {
                    // A jump that is always taken.
                    to_else.push(self.code.len());
                    self.emit(Instr::Jump { to: 0 });
                }
            }
            Goal::Seq(goals) if !negate => {
                for goal in goals {
                    self.test(goal, false, to_else)?;
                }
            }
            Goal::Seq(goals) => {
                // not (A, B): fails only if all hold.
                let Some((final_goal, before)) = goals.split_last() else {
                    to_else.push(self.code.len());
                    self.emit(Instr::Jump { to: 0 });
                    return Ok(());
                };
                let mut holds = Patches::new();
                for goal in before {
                    self.test(goal, false, &mut holds)?;
                }
                self.test(final_goal, true, to_else)?;
                self.patch(holds)?;
            }
            Goal::Or(goals) if negate => {
                for goal in goals {
                    self.test(goal, true, to_else)?;
                }
            }
            Goal::Or(goals) => {
                let (final_goal, before) = goals.split_last().expect("alternatives");
                let mut holds = Patches::new();
                for goal in before {
                    self.test(goal, true, &mut holds)?;
                }
                self.test(final_goal, false, to_else)?;
                self.patch(holds)?;
            }
            Goal::Not { goal, .. } => self.test(goal, !negate, to_else)?,
            _ => self.simple_test(node, negate, to_else)?,
        }
        Ok(())
    }

    fn simple_test(&mut self, node: &Node, negate: bool, to_else: &mut Patches) -> Emit {
        use crate::machine::instr::TypeTest;
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
            self.emit(Instr::Jump { to: 0 });
            at += 2;
        }
        if negate && !inverted {
            // Falls through when the goal holds: jump to the else part from there.
            to_else.push(self.code.len());
            self.emit(Instr::Jump { to: 0 });
            self.patch(vec![at])?;
        } else {
            to_else.push(at);
        }
        Ok(())
    }

    /// If-then-else whose condition is a test: no choice point.
    fn jump_if(&mut self, node: &Node, test: &Node, then: &Node, other: &Node, last: bool) -> Emit {
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
        let to_end = self.code.len();
        if !last {
            self.emit(Instr::Jump { to: 0 });
        }
        self.restore(&state);
        self.patch(to_else)?;
        self.goal(other, last)?;
        if last {
            return Ok(());
        }
        self.patch(vec![to_end])?;
        self.restore(&state);
        if !inline {
            self.forget_x();
        }
        self.pos = node.end;
        self.expire();
        Ok(())
    }

    /// The environment and the variables that a choice point needs.
    fn prepare_choice(&mut self, node: &Node) -> Emit<State> {
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

    fn try_else(&mut self, node: &Node) -> Emit<usize> {
        let live = self.live(node.pos)?;
        self.emit(Instr::TryElse { live, to: 0 });
        Ok(self.code.len() - 1)
    }

    fn general_if(
        &mut self,
        node: &Node,
        [test, then, other]: [&Node; 3],
        soft: bool,
        mark: usize,
        inner: usize,
        last: bool,
    ) -> Emit {
        let state = self.prepare_choice(node)?;
        let y = self.mark_y(mark);
        self.emit(Instr::Mark { y });
        let choice = self.try_else(node)?;
        if has_local_cut(test, inner) {
            let y = self.mark_y(inner);
            self.emit(Instr::Mark { y });
        }
        self.goal(test, false)?;
        self.emit(if soft { Instr::SoftCut { y } } else { Instr::CutTo { y } });
        self.goal(then, last)?;
        let to_end = self.code.len();
        if !last {
            self.emit(Instr::Jump { to: 0 });
        }
        self.restore(&state);
        self.patch(vec![choice])?;
        self.goal(other, last)?;
        if last {
            return Ok(());
        }
        self.patch(vec![to_end])?;
        self.restore(&state);
        self.pos = node.end;
        Ok(())
    }

    fn disjunction(&mut self, node: &Node, alternatives: &[Node], last: bool) -> Emit {
        let state = self.prepare_choice(node)?;
        let mut to_end = Patches::new();
        for (i, alternative) in alternatives.iter().enumerate() {
            let is_final = i + 1 == alternatives.len();
            let choice = if is_final { None } else { Some(self.try_else(node)?) };
            self.goal(alternative, last)?;
            if !is_final && !last {
                to_end.push(self.code.len());
                self.emit(Instr::Jump { to: 0 });
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

    fn negation(&mut self, node: &Node, goal: &Node, mark: usize, inner: usize) -> Emit {
        let state = self.prepare_choice(node)?;
        let y = self.mark_y(mark);
        self.emit(Instr::Mark { y });
        let choice = self.try_else(node)?;
        if has_local_cut(goal, inner) {
            let y = self.mark_y(inner);
            self.emit(Instr::Mark { y });
        }
        self.goal(goal, false)?;
        self.emit(Instr::CutTo { y });
        self.emit(Instr::Fail);
        self.restore(&state);
        self.patch(vec![choice])?;
        self.pos = node.end;
        Ok(())
    }

    fn findall(
        &mut self,
        node: &Node,
        template: Cell,
        goal: &Node,
        result: Cell,
        inner: usize,
    ) -> Emit {
        let state = self.prepare_choice(node)?;
        self.emit(Instr::BagOpen);
        let choice = self.try_else(node)?;
        if has_local_cut(goal, inner) {
            let y = self.mark_y(inner);
            self.emit(Instr::Mark { y });
        }
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
fn has_local_cut(node: &Node, mark: usize) -> bool {
    match &node.goal {
        Goal::Cut(CutTarget::Local(found)) => *found == mark,
        Goal::Seq(goals) | Goal::Or(goals) => goals.iter().any(|goal| has_local_cut(goal, mark)),
        Goal::If { then, other, .. } => has_local_cut(then, mark) || has_local_cut(other, mark),
        _ => false,
    }
}

/// Whether the environment is best made before the head: the first thing the
/// body does needs it.
fn needs_frame_first(body: &Node) -> bool {
    match &body.goal {
        Goal::Seq(goals) => match goals.as_slice() {
            [] => false,
            [first, ..] => match &first.goal {
                Goal::Call { .. } => goals.len() > 1,
                _ => needs_frame_first(first),
            },
        },
        Goal::Or(_) | Goal::Not { .. } => !body.is_test(),
        Goal::Findall { .. } => true,
        Goal::If { test, soft, .. } => *soft || !test.is_test(),
        _ => false,
    }
}
