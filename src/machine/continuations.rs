//! Delimited continuations: `reset/3`, `shift/1`, `call_continuation/1` (Schrijvers, Demoen, Desouter & Wielemaker,
//! "Delimited continuations for Prolog", TPLP 13, 2013).
//!
//! A continuation is the chain of environments from the call of `shift/1` up to that of `reset/3`, as the term
//! `call_continuation(Frames)`. Each frame is `'$cont$'(Address, Stamp, Values…)`, the innermost first: the code
//! address that the environment goes on at, and the Y registers that its `Call` says are live there. Calling it makes
//! the environments again.
//!
//! Invariants: size and registers of a frame come from the code ([`ReturnPoint`]), so no term makes the machine jump
//! to anything but the instruction behind a call. Code of clauses is freed only when no goal is running; the
//! *stamp* counts these times, and a continuation from before one of them is refused. Heights of the choice stack are
//! no part of a continuation: its cuts go to the height at which it is called, where `catch/3` and `reset/3` are in
//! force again.

use super::choices::Alt;
use super::frames::FRAME;
use super::gc::{LIVE_ALL, LIVE_SET};
use super::host::Next;
use super::instr::{Access, Instr, Register};
use super::points::{Height, ReturnPoint};
use super::{Fault, Machine, PredId, Program, Space, fixed};
use std::sync::Arc;
use zug_term::Cell;
use zug_term::symbol::atoms;

/// Y registers of an environment that delimits: two values, and the number of open bags.
const DELIMITER: u16 = 3;

/// The code of `reset/3` and `'$table_run'/3`, from [`fixed::RESET`] on.
pub(super) fn code(call: PredId, table_body: PredId) -> [Instr; 8] {
    let live = (1 << DELIMITER) - 1;
    [
        Instr::Allocate { n: DELIMITER },
        Instr::Delimit,
        Instr::Call { stub: false, live, pred: call },
        Instr::ResetExit,
        Instr::Allocate { n: DELIMITER },
        Instr::Delimit,
        Instr::Call { stub: false, live, pred: table_body },
        Instr::DeallocateProceed,
    ]
}

/// An environment of a continuation.
pub(super) struct Frame {
    cp: u32,
    pub(super) point: Arc<ReturnPoint>,
    /// What its registers hold, in the order of [`ReturnPoint::live`]; of `catch/3`, catcher and recovery.
    pub(super) values: Vec<Cell>,
}

impl Program {
    /// What is known of a code address, if a call returns to it that a continuation may hold.
    pub(super) fn return_point(&mut self, cp: u32) -> Option<Arc<ReturnPoint>> {
        if let Some(known) = self.return_points.get(&cp) {
            return Some(known.clone());
        }
        let found = Arc::new(self.find_return_point(cp)?);
        self.return_points.insert(cp, found.clone());
        Some(found)
    }

    fn find_return_point(&self, cp: u32) -> Option<ReturnPoint> {
        if self.origin(cp) != cp {
            // Frames have the addresses that stubs stand for.
            return None;
        }
        if cp == fixed::RESET_RETURN {
            return Some(ReturnPoint::fixed(DELIMITER, [0, 1].into(), true));
        }
        if cp == fixed::CATCH_RETURN {
            return Some(ReturnPoint::fixed(1, Box::default(), false));
        }
        let call = cp.checked_sub(1)?;
        let Instr::Call { live, .. } = *self.code.get(call as usize)? else { return None };
        let clause = self.clause_at(call)?;
        let range = self.code_around(call)?;
        let pred = &self.preds[self.clauses[clause as usize].pred as usize];
        let code = &self.code[range.start as usize..range.end as usize];
        let size = code.iter().filter_map(|instr| match *instr {
            Instr::Allocate { n } => Some(n),
            _ => None,
        });
        let size = size.max()?;
        let mut live = self.live_numbers(live)?;
        let place = (cp - range.start) as usize;
        let code = Code::from(code, place, range.start);
        let mut heights = code.heights();
        let mut passed = Vec::new();
        if pred.space == Space::System
            && let Some(argument) = height_argument(pred.name, pred.arity)
        {
            let registers = code.code.iter().filter_map(|instr| instr.register_of(argument));
            passed.extend(registers.filter(|y| live.contains(y)));
            heights.extend(passed.iter().map(|&y| (y, Height::Cut)));
        }
        live.retain(|y| !heights.iter().any(|(height, _)| height == y));
        if live.iter().chain(heights.iter().map(|(y, _)| y)).any(|&y| y >= size) {
            return None;
        }
        let cut = code.cut();
        let begins = |instr: &Instr| match *instr {
            Instr::Mark { y } => heights.iter().any(|&(height, _)| height == y),
            Instr::Call { .. } | Instr::TryElse { .. } => cut.is_some(),
            _ => false,
        };
        let before = &code.code[..place];
        let within = before.iter().position(begins).map_or(&[][..], |from| &before[from..]);
        let sets = within.iter().any(|instr| live.iter().any(|&y| instr.sets(y)));
        Some(ReturnPoint {
            size,
            live: live.into(),
            heights: heights.into(),
            passed: passed.into(),
            cut,
            sets,
            of_program: self.modules.is_programs(pred.space),
        })
    }

    /// Whether the code of a clause from an address on does more than fail. A clause of the library may call built-ins
    /// before: they undo what its condition did. A clause of the program may call nothing, as it would be seen.
    pub(super) fn leads_anywhere(&self, at: u32) -> bool {
        let at = self.origin(at);
        let (Some(range), Some(clause)) = (self.code_around(at), self.clause_at(at)) else {
            return true;
        };
        let pred = self.clauses[clause as usize].pred;
        let is_programs = |pred: PredId| self.modules.is_programs(self.preds[pred as usize].space);
        let of_program = is_programs(pred);
        let code = &self.code[range.start as usize..range.end as usize];
        let code = Code { code, from: vec![(at - range.start) as usize], start: range.start };
        code.reachable(|_| false).any(|(at, instr)| match instr {
            Instr::Fail => false,
            Instr::Cut | Instr::CutNeck | Instr::CutTo { .. } | Instr::SoftCut { .. } => true,
            Instr::BagAdd { .. } => true,
            Instr::Builtin { .. } if of_program => true,
            Instr::Call { pred, .. } if of_program || is_programs(pred) => true,
            _ => instr.successors(at, range.start).next().is_none(),
        })
    }

    /// The Y registers in the `live` field of an instruction of a clause.
    fn live_numbers(&self, live: u16) -> Option<Vec<u16>> {
        if live == LIVE_ALL {
            return None;
        }
        let own = [u64::from(live)];
        let words = match live & LIVE_SET {
            0 => &own[..],
            _ => self.live_sets.get(usize::from(live & !LIVE_SET))?,
        };
        let bits = words.iter().enumerate().flat_map(|(i, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (64 * i + bit) as u16)
        });
        Some(bits.collect())
    }
}

/// The code of a clause, which begins at `start`, and a place in it with the alternatives around it.
struct Code<'a> {
    code: &'a [Instr],
    from: Vec<usize>,
    start: u32,
}

impl<'a> Code<'a> {
    fn from(code: &'a [Instr], place: usize, start: u32) -> Code<'a> {
        let alternative = |instr: &Instr| match *instr {
            Instr::TryElse { to, .. } => Some((to - start) as usize).filter(|&to| to > place),
            _ => None,
        };
        let mut from = vec![place];
        from.extend(code[..place].iter().filter_map(alternative));
        Code { code, from, start }
    }

    /// The instructions that may run from the place on with their places, each once, up to those that end the walk.
    fn reachable(&self, ends: impl Fn(&Instr) -> bool) -> impl Iterator<Item = (usize, Instr)> {
        let mut seen = vec![false; self.code.len()];
        let mut todo = self.from.clone();
        std::iter::from_fn(move || {
            loop {
                let at = todo.pop()?;
                let Some(instr) = self.code.get(at) else { continue };
                if !std::mem::replace(&mut seen[at], true) {
                    if !ends(instr) {
                        todo.extend(instr.successors(at, self.start));
                    }
                    return Some((at, *instr));
                }
            }
        })
    }

    /// Whether the clause may be cut from the place on, and whether each such cut is the end of it.
    fn cut(&self) -> Option<bool> {
        let cuts = self.reachable(|_| false).filter(|(_, instr)| matches!(instr, Instr::Cut));
        let is_last = |(at, _)| matches!(self.code.get(at + 1), Some(Instr::DeallocateProceed));
        cuts.map(is_last).reduce(|all, one| all && one)
    }

    /// The Y registers with heights that are needed later. The `live` field of a call has none of
    /// them, as the collector has no use for them.
    fn heights(&self) -> Vec<(u16, Height)> {
        let mut used: Vec<(u16, Height)> = self
            .reachable(|_| false)
            .filter_map(|(_, instr)| match instr {
                Instr::CutTo { y } => Some((y, Height::Cut)),
                Instr::SoftCut { y } | Instr::GuardExit { y } => Some((y, Height::SoftCut)),
                _ => None,
            })
            .collect();
        used.sort_unstable_by_key(|&(y, height)| (y, height == Height::Cut));
        used.dedup_by_key(|&mut (y, _)| y);
        let sets = |instr: &Instr, y: u16| matches!(*instr, Instr::Mark { y: own } if own == y);
        used.retain(|&(y, _)| {
            let mut before = self.reachable(|instr| sets(instr, y));
            before.any(|(_, instr)| {
                matches!(
                    instr,
                    Instr::CutTo { y: own } | Instr::SoftCut { y: own } | Instr::GuardExit { y: own } if own == y
                )
            })
        });
        used
    }
}

/// The argument of a control construct in the library that is the height its cuts go to.
fn height_argument(name: zug_term::symbol::Atom, arity: usize) -> Option<u16> {
    match (name, arity) {
        (atoms::CONJUNCTION, 3) | (atoms::DISJUNCTION, 3) | (atoms::IF_THEN, 3) => Some(2),
        (atoms::IF_THEN_ELSE, 4) | (atoms::SOFT_IF, 4) => Some(3),
        _ => None,
    }
}

impl Instr {
    fn sets(&self, y: u16) -> bool {
        let mut sets = false;
        self.registers(
            |_| 0,
            |_| 0,
            |access, register| sets |= access == Access::Define && register == Register::Y(y),
        );
        sets
    }

    /// The Y register that an argument is moved to.
    fn register_of(&self, argument: u16) -> Option<u16> {
        match *self {
            Instr::GetVarY { y, a } if a == argument => Some(y),
            Instr::GetVarYY { y, a, .. } if u16::from(a) == argument => Some(y.into()),
            Instr::GetVarYY { z, b, .. } if u16::from(b) == argument => Some(z.into()),
            _ => None,
        }
    }
}

impl Machine {
    /// Enters the code of a delimiter, whose environment is in place: goal in `X[0]`, its values in `X[1]`, `X[2]`.
    pub(super) fn delimit(&mut self) {
        for (y, x) in [(0, 1), (1, 2)] {
            let cell = self.x[x];
            self.set_y(y, cell);
        }
        let bags = Cell::small(self.bags.len() as i64);
        self.set_y(2, bags);
    }

    /// The goal of a `reset/3` has succeeded without a `shift/1`. Errors: the continuation is not a variable.
    pub(super) fn reset_exit(&mut self) -> Result<Next, Fault> {
        self.set_continuation(self.y(1), Cell::ZERO)?;
        self.deallocate();
        Ok(Next::Go(self.cp))
    }

    fn set_continuation(&mut self, variable: Cell, continuation: Cell) -> Result<(), Fault> {
        let variable = self.heap.deref(variable);
        if !variable.is_var() {
            self.fault_in = Some((atoms::RESET, 3));
            return Err(self.uninstantiation_error(variable));
        }
        self.unify(variable, continuation);
        Ok(())
    }

    pub(super) fn outer_frame(&self, e: usize) -> (u32, usize) {
        let (cp, outer) = self.caller_of(e);
        (self.program.origin(cp), outer)
    }

    /// Whether a delimiter has a bag of `findall/3` opened in it that is not closed yet.
    pub(super) fn has_open_bag(&self, delimiter: usize) -> bool {
        let then = Cell(self.frames[delimiter + FRAME + 2]);
        then.as_int() != Some(self.bags.len() as i64)
    }

    /// Whether an environment only watches the goal in it, for a profile or for the number of its answers.
    pub(super) fn is_left_out(&self, cp: u32) -> bool {
        cp == fixed::DET_RETURN
            || matches!(self.program.code[cp as usize], Instr::HookReturn { .. })
    }

    /// As [`Machine::is_left_out`], for a continuation of the user's: the boxes of the tracer stay behind as well.
    pub(super) fn stays_behind(&self, cp: u32, e: usize) -> bool {
        if self.is_left_out(cp) {
            return true;
        }
        let of_tracer = |name| self.symbols.name(name).starts_with("$traced");
        if cp == fixed::CATCH_RETURN {
            let [_, recovery] = self.handler(e);
            let recovery = self.heap.name_arity(self.heap.deref(recovery));
            return recovery.is_some_and(|(name, ..)| of_tracer(name));
        }
        self.program.clause_at(cp - 1).is_some_and(|clause| {
            let pred = &self.program.preds[self.program.clauses[clause as usize].pred as usize];
            pred.space == Space::System && of_tracer(pred.name)
        })
    }

    /// The height of the choice point of a `catch/3` with an environment, whose goal is running.
    pub(super) fn catch_height(&self, e: usize) -> Option<usize> {
        Cell(self.frames[e + FRAME]).as_int().and_then(|at| usize::try_from(at).ok())
    }

    /// Catcher and recovery of the `catch/3` with an environment, whose goal is running.
    fn handler(&self, e: usize) -> [Cell; 2] {
        let choice = self.catch_height(e).and_then(|height| self.choices.get(height));
        [1, 2].map(|i| {
            let arg = choice.and_then(|choice| self.choice_args.get(choice.args as usize + i));
            arg.copied().unwrap_or(Cell::NIL)
        })
    }

    pub(super) fn frame(&self, cp: u32, point: Arc<ReturnPoint>, e: usize) -> Frame {
        let values = match cp {
            fixed::CATCH_RETURN => self.handler(e).into(),
            _ => {
                let word = |&y: &u16| Cell(self.frames[e + FRAME + usize::from(y)]);
                point.live.iter().map(word).collect()
            }
        };
        Frame { cp, point, values }
    }

    /// The frames of a running clause as the term that [`Machine::call_continuation`] takes.
    pub(super) fn frame_list(&mut self, frames: &[Frame]) -> Cell {
        let stamp = Cell::small(self.program.stamp as i64);
        let mut items = Vec::with_capacity(frames.len());
        for frame in frames {
            let mut args = vec![Cell::small(i64::from(frame.cp)), stamp];
            args.extend_from_slice(&frame.values);
            items.push(self.heap.new_struct(atoms::CONT, &args));
        }
        self.worked(items.len());
        self.heap.list_from(&items, Cell::NIL)
    }

    /// The frames from a call of a tabled predicate up to the evaluation it is made in, if they can go
    /// on later, each time for another answer: the environment of the evaluation, and the frames.
    pub(super) fn consumer_frames(&mut self) -> Option<(usize, Vec<Frame>)> {
        let (mut cp, mut e) = (self.program.origin(self.cp), self.e);
        let mut frames = Vec::new();
        while cp > fixed::STOP {
            zug_term::watchdog::step();
            if cp == fixed::TABLE_RETURN {
                return (!self.has_open_bag(e)).then_some((e, frames));
            }
            if !self.is_left_out(cp) {
                let point = self.program.return_point(cp).filter(|point| point.is_free())?;
                frames.push(self.frame(cp, point, e));
            }
            (cp, e) = self.outer_frame(e);
        }
        None
    }

    /// The two values that the environment of a delimiter knows.
    pub(super) fn delimiter_values(&self, e: usize) -> [Cell; 2] {
        [0, 1].map(|y| Cell(self.frames[e + FRAME + y]))
    }

    /// `shift/1`: the ball in `X[0]`. Goes on behind the innermost `reset/3` whose ball unifies.
    pub(super) fn shift(&mut self) -> Result<Next, Fault> {
        let ball = self.x[0];
        let (mut cp, mut e) = (self.program.origin(self.cp), self.e);
        let mut frames = Vec::new();
        while cp > fixed::STOP && cp != fixed::TABLE_RETURN {
            zug_term::watchdog::step();
            if cp == fixed::RESET_RETURN {
                if self.has_open_bag(e) {
                    break;
                }
                if self.unify_or_undo(Cell(self.frames[e + FRAME]), ball) {
                    return self.leave_reset(e, &frames);
                }
            }
            if !self.stays_behind(cp, e) {
                let Some(point) = self.program.return_point(cp) else { break };
                frames.push(self.frame(cp, point, e));
            }
            (cp, e) = self.outer_frame(e);
        }
        let reset = self.indicator(atoms::RESET, 3);
        let formal = self.heap.new_struct(atoms::EXISTENCE_ERROR, &[reset, ball]);
        self.fault_in = Some((atoms::SHIFT, 1));
        Err(self.error(formal))
    }

    fn leave_reset(&mut self, e: usize, frames: &[Frame]) -> Result<Next, Fault> {
        let list = self.frame_list(frames);
        let continuation = self.heap.new_struct(atoms::CALL_CONTINUATION, &[list]);
        let variable = Cell(self.frames[e + FRAME + 1]);
        self.e = e;
        self.deallocate();
        self.set_continuation(variable, continuation)?;
        Ok(Next::Go(self.cp))
    }

    /// `call_continuation/1`: makes the environments in `X[0]` again, and goes on in the innermost. Errors: it is no
    /// continuation, or its code has gone.
    pub(super) fn call_continuation(&mut self) -> Result<Next, Fault> {
        let list = self.x[0];
        let Some(items) = self.heap.proper_list(list) else {
            self.fault_in = Some((atoms::CALL_CONTINUATION, 1));
            return Err(self.type_error("list", list));
        };
        let mut frames = Vec::with_capacity(items.len());
        for item in items {
            match self.frame_of(item) {
                Some(frame) => frames.push(frame),
                None => {
                    self.fault_in = Some((atoms::CALL_CONTINUATION, 1));
                    return Err(self.type_error("continuation", item));
                }
            }
        }
        for frame in frames.iter().rev() {
            self.enter_frame(frame);
        }
        Ok(Next::Go(self.cp))
    }

    /// Makes an environment again; what is called next returns to it.
    fn enter_frame(&mut self, frame: &Frame) {
        let height = |m: &Machine| Cell::small(m.choices.len() as i64);
        let soft = height(self);
        if frame.point.heights.iter().any(|&(_, height)| height == Height::SoftCut) {
            // What a soft cut makes a dead end, in the place of what is there no more.
            self.push_choice(Alt::Dead, 0);
        }
        let cut = height(self);
        self.b0 = self.choices.len() as u32;
        self.allocate(frame.point.size);
        for (&y, &cell) in frame.point.live.iter().zip(&frame.values) {
            self.set_y(y, cell);
        }
        for &(y, kind) in &frame.point.heights {
            self.set_y(y, if kind == Height::SoftCut { soft } else { cut });
        }
        match frame.cp {
            fixed::RESET_RETURN => {
                let bags = Cell::small(self.bags.len() as i64);
                self.set_y(2, bags);
            }
            fixed::CATCH_RETURN => {
                self.x[0] = Cell::NIL;
                self.x[1..3].copy_from_slice(&frame.values);
                self.catch_enter();
            }
            _ => {}
        }
        self.cp = self.program.stub_of(frame.cp);
    }

    fn frame_of(&mut self, item: Cell) -> Option<Frame> {
        let item = self.heap.deref(item);
        let (name, arity, args) = self.heap.name_arity(item).filter(|_| item.is_compound())?;
        let number = |m: &Machine, i: usize| m.heap.deref(m.heap.at(args + i)).as_int();
        if name != atoms::CONT || arity < 2 || number(self, 1)? != self.program.stamp as i64 {
            return None;
        }
        let cp = u32::try_from(number(self, 0)?).ok()?;
        let point = self.program.return_point(cp)?;
        let values: Vec<Cell> = (2..arity).map(|i| self.heap.at(args + i)).collect();
        let wanted = if cp == fixed::CATCH_RETURN { 2 } else { point.live.len() };
        (values.len() == wanted).then_some(Frame { cp, point, values })
    }
}
