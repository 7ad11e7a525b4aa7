//! Calls of goals that are terms: `call/n`, and bodies at run time.

use super::clause::{PredId, Space, is_connective, is_control};
use super::host::{Host, Next};
use super::{Fault, MODULES, Machine};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, watchdog};

impl Machine {
    pub(super) fn call_undefined<H: Host>(
        &mut self,
        host: &mut H,
        pred: PredId,
    ) -> Result<Next, Fault> {
        let known = host.undefined(self, pred).inspect_err(|_| {
            let predicate = &self.program.preds[pred as usize];
            self.fault_in = Some((predicate.name, predicate.arity));
        })?;
        Ok(if known { Next::Go(self.cp) } else { Next::Fail })
    }

    /// `call/n`: `X[0]` the goal, `X[1..n]` further arguments.
    pub(super) fn meta_call(&mut self, n: u16) -> Result<Next, Fault> {
        let extra = n as usize - 1;
        let (mut goal, space) = self.goal_and_space(self.x[0], Space::User);
        if self.program.qualifies(space) {
            goal = self.qualify_call(goal, extra, space);
        }
        let Some((name, arity, args)) = self.heap.name_arity(goal) else {
            self.fault_in = Some((atoms::CALL, n as usize));
            return Err(self.type_error("callable", goal));
        };
        if is_control(name, arity + extra) {
            return self.call_control(goal, extra);
        }
        self.load_arguments(args, arity, extra)?;
        Ok(Next::Go(self.entry(name, arity + extra, space)))
    }

    /// The entry of the predicate that a `call/n` names, with its arguments in X, where its name alone decides.
    #[cfg(feature = "native")]
    pub(super) fn call_plain(&mut self, n: u16) -> Option<u32> {
        let extra = n as usize - 1;
        let goal = self.heap.deref(self.x[0]);
        let (name, arity, args) = match goal.as_atom() {
            Some(name) => (name, 0, 0),
            None if goal.tag() == zug_term::Tag::Struct => {
                let header = self.heap.at(goal.addr());
                (header.functor_name(), header.functor_arity(), goal.addr() + 1)
            }
            None => return None,
        };
        // PERF: not by `name_arity`, whose step may be the last: there is no unwinding through machine code.
        let is_plain = name != atoms::COLON
            && !is_control(name, arity + extra)
            && !self.program.qualifies(Space::User)
            && arity + extra < self.x.len();
        if !is_plain {
            return None;
        }
        self.load_arguments(args, arity, extra).ok()?;
        Some(self.entry(name, arity + extra, Space::User))
    }

    /// A goal without the modules before it, and the space that the last of them names, made if need be.
    pub fn goal_and_space(&mut self, goal: Cell, around: Space) -> (Cell, Space) {
        let (mut goal, mut space) = (self.heap.deref(goal), around);
        for _ in 0..MODULES {
            let Some([module, inner]) = self.heap.match_struct::<2>(goal, atoms::COLON) else {
                break;
            };
            if let Some(name) = self.heap.deref(module).as_atom() {
                space = self.program.module(name, &mut self.symbols).unwrap_or(space);
            }
            goal = self.heap.deref(inner);
        }
        (goal, space)
    }

    /// A goal that calls a predicate, from wherever: with its module before it if it has one.
    pub(super) fn qualified(&mut self, goal: Cell, pred: PredId) -> Cell {
        match self.program.modules.get(self.program.preds[pred as usize].space) {
            Some(module) => {
                let name = module.name;
                self.heap.new_struct(atoms::COLON, &[Cell::atom(name), goal])
            }
            None => goal,
        }
    }

    /// The call of a predicate with the arguments in X, as a term.
    pub(super) fn goal_in_x(&mut self, pred: PredId) -> Cell {
        let predicate = &self.program.preds[pred as usize];
        let (name, arity) = (predicate.name, predicate.arity);
        let goal = match arity {
            0 => Cell::atom(name),
            _ => self.heap.new_struct(name, &self.x[..arity]),
        };
        let pred = self.program.resolve(pred);
        self.qualified(goal, pred)
    }

    /// Puts the arguments of a goal into the registers, and behind them the further ones that stand in `X[1..]`.
    /// Errors: the goal has more arguments than there are registers.
    pub(super) fn load_arguments(
        &mut self,
        args: usize,
        arity: usize,
        further: usize,
    ) -> Result<(), Fault> {
        if arity + further >= self.x.len() {
            self.fault_in = Some((atoms::CALL, further + 1));
            return Err(self.representation_error("max_arity"));
        }
        self.x.copy_within(1..1 + further, arity);
        self.x[..arity].copy_from_slice(&self.heap.cells[args..args + arity]);
        Ok(())
    }

    fn entry(&mut self, name: Atom, arity: usize, space: Space) -> u32 {
        let pred = self.program.pred(name, arity, space);
        self.program.entries[pred as usize]
    }

    /// A control construct as a goal: checked whole, then run.
    fn call_control(&mut self, goal: Cell, extra: usize) -> Result<Next, Fault> {
        let goal = if extra == 0 {
            goal
        } else {
            let (name, arity, args) = self.heap.name_arity(goal).expect("callable");
            let all = [&self.heap.cells[args..args + arity], &self.x[1..1 + extra]].concat();
            self.heap.new_struct(name, &all)
        };
        let Some(body) = self.body(goal) else {
            self.fault_in = None;
            return Err(self.type_error("callable", goal));
        };
        self.x[0] = body;
        self.x[1] = Cell::small(self.choices.len() as i64);
        self.meta_body()
    }

    /// A term as a body, with `call(V)` for each variable `V` that is a goal; `None` if some goal could not be called: a
    /// number stands in its place.
    pub(super) fn body(&mut self, goal: Cell) -> Option<Cell> {
        /// Goals looked at before those met again are left out: the body shares its parts, or goes round.
        const PATIENCE: usize = 1 << 12;
        let mut todo = vec![goal];
        let (mut steps, mut seen) = (0, FxHashSet::default());
        let mut is_open = false;
        while let Some(goal) = todo.pop() {
            let goal = self.heap.deref(goal);
            steps += 1;
            if goal.is_var() {
                is_open = true;
                continue;
            }
            if steps > PATIENCE && !seen.insert(goal) {
                continue;
            }
            let (name, arity, args) = self.heap.name_arity(goal)?;
            if arity == 2 && is_connective(name) {
                todo.push(self.heap.at(args + 1));
                todo.push(self.heap.at(args));
            }
        }
        Some(if is_open { self.closed_body(goal) } else { goal })
    }

    /// A body with `call(V)` in the place of each variable `V` that is a goal: a cut that it is
    /// bound to while the body runs is local (ISO 13211-1, 7.6.2).
    #[cold]
    fn closed_body(&mut self, goal: Cell) -> Cell {
        let root = self.heap.new_list(goal, Cell::NIL).addr();
        // Places whose goals are still to be looked at, and connectives that were copied.
        let (mut todo, mut copies) = (vec![root], FxHashMap::default());
        while let Some(place) = todo.pop() {
            watchdog::step();
            let goal = self.heap.deref(self.heap.at(place));
            let closed = if goal.is_var() {
                self.heap.new_struct(atoms::CALL, &[goal])
            } else if let Some(&copy) = copies.get(&goal) {
                copy
            } else {
                match self.heap.name_arity(goal) {
                    Some((name, 2, args)) if is_connective(name) => {
                        let parts = [self.heap.at(args), self.heap.at(args + 1)];
                        let copy = self.heap.new_struct(name, &parts);
                        copies.insert(goal, copy);
                        todo.extend([copy.addr() + 2, copy.addr() + 1]);
                        copy
                    }
                    _ => goal,
                }
            };
            self.heap.cells[place] = closed;
        }
        self.heap.at(root)
    }

    /// A body goal at run time: `X[0]` the goal, `X[1]` the height that `!` cuts to.
    pub(super) fn meta_body(&mut self) -> Result<Next, Fault> {
        let goal = self.heap.deref(self.x[0]);
        let cut = self.x[1];
        let Some((name, arity, args)) = self.heap.name_arity(goal) else {
            self.fault_in = Some((atoms::CALL, 1));
            return Err(self.type_error("callable", goal));
        };
        if arity == 0 && name == atoms::CUT {
            self.cut_to(self.heap.deref(cut).int_value() as usize);
            return Ok(Next::Go(self.cp));
        }
        if arity == 0 && name == atoms::TRUE {
            return Ok(Next::Go(self.cp));
        }
        if !is_control(name, arity) {
            return self.meta_call(1);
        }
        let [left, right] = [self.heap.deref(self.heap.at(args)), self.heap.at(args + 1)];
        let (pred, regs): (PredId, [Cell; 4]) = match name {
            atoms::COMMA => (self.ids.conjunction, [left, right, cut, cut]),
            atoms::ARROW => (self.ids.if_then, [left, right, cut, cut]),
            atoms::SOFT_ARROW => (self.ids.soft_if, [left, right, Cell::atom(atoms::FAIL), cut]),
            _ => {
                if let Some([test, then]) = self.heap.match_struct::<2>(left, atoms::ARROW) {
                    (self.ids.if_then_else, [test, then, right, cut])
                } else if let Some([test, then]) =
                    self.heap.match_struct::<2>(left, atoms::SOFT_ARROW)
                {
                    (self.ids.soft_if, [test, then, right, cut])
                } else {
                    (self.ids.disjunction, [left, right, cut, cut])
                }
            }
        };
        self.x[..4].copy_from_slice(&regs);
        self.b0 = self.choices.len() as u32;
        Ok(Next::Go(self.program.entries[pred as usize]))
    }
}
