//! The steps of the loop that are too rare or too long to stand in it.

use super::instr::{Instr, Relation, TypeTest};
use super::program::{Kind, PredId, Space, StaticIndex, SwitchTable, Target, key_of};
use super::run::{Alt, Choice, FRAME, Host, Next};
use super::{Fault, Machine, Outcome, StopReason, arithmetic, database};
use crate::symbol::{Atom, atoms};
use crate::term::{self, Cell, Value};
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering as AtomicOrdering;

/// Inferences between two looks at limits and flags.
pub(super) const QUOTA: u32 = 4096;
/// Words by which the environments grow at most at a time.
const FRAMES_STEP: usize = 1 << 22;
/// Bytes of new atoms after which the next call looks at limits.
const ATOMS_STEP: usize = 1 << 24;
/// Words of large numbers computed after which the next call looks at limits.
const WORDS_STEP: usize = 1 << 12;
/// Callers looked at to find the predicate that an error names.
const CALLERS: usize = 64;
/// Most arguments of a built-in.
const BUILTIN_ARGS: usize = 8;
/// Keys in a table up to which it is searched from the front.
const FEW_KEYS: usize = 6;
/// Arguments of a static predicate considered for a table.
const INDEXED_ARGS: usize = 4;

impl Machine {
    /// Looks at limits, flags and memory; collects garbage when due. `pred` is
    /// about to be entered with its arguments in X.
    #[cold]
    pub(super) fn poll(&mut self, pred: PredId) -> Result<(), Fault> {
        let mut tight = self.heap.top() > self.heap_limit;
        if self.fuel == 0 {
            self.inferences += u64::from(self.quota);
            self.fuel = QUOTA;
            self.quota = QUOTA;
            self.check_limits(pred)?;
            // The heap may be mostly garbage: the collector looks before memory is out.
            tight |= self.stack_bytes() + self.heap.top() * size_of::<Cell>() > self.memory_limit;
        }
        if tight {
            let arity = self.program.preds[pred as usize].arity;
            self.collect_garbage(arity);
            let live = self.heap.top();
            let stacks = self.stack_bytes();
            let room = self.memory_limit.saturating_sub(stacks) / size_of::<Cell>();
            // Cells that must be free again after a collection, or the next ones
            // would come ever sooner and find ever less.
            let least = self.memory_limit / size_of::<Cell>() / 32;
            if live + least > room {
                return Err(self.out_of_memory(pred));
            }
            // PERF: a collection visits the stacks too, so their size counts.
            let next = live + live.max(stacks / size_of::<Cell>() / 2);
            self.heap_limit = next.max(self.nursery).min(room);
        }
        Ok(())
    }

    /// Looks at limits between two answers of `between/3`; its choice point, which
    /// may have moved.
    #[cold]
    pub(super) fn poll_between(&mut self, choice: Choice) -> Result<Choice, Fault> {
        self.poll(self.ids.between)?;
        Ok(self.choices.last().copied().unwrap_or(choice))
    }

    /// Has the next call look at limits.
    pub(super) fn look_soon(&mut self) {
        self.inferences += u64::from(self.quota - self.fuel);
        self.fuel = 1;
        self.quota = 1;
    }

    /// Counts words of large numbers computed, which take time though no call is made.
    #[cold]
    pub(super) fn computed_words(&mut self, words: usize) {
        self.computed += words;
        if self.computed > WORDS_STEP {
            self.computed = 0;
            self.look_soon();
        }
    }

    fn check_limits(&mut self, pred: PredId) -> Result<(), Fault> {
        if self.interrupt.load(AtomicOrdering::Relaxed) {
            self.interrupted_in = Some(pred);
            return Err(Fault::Stopped(StopReason::Interrupted));
        }
        if let Some(deadline) = self.deadline
            && std::time::Instant::now() >= deadline
        {
            return Err(Fault::Stopped(StopReason::Time));
        }
        if self.inferences >= self.inference_limit {
            return Err(Fault::Stopped(StopReason::Inferences));
        }
        Ok(())
    }

    /// Bytes in the stacks other than the heap.
    pub(super) fn stack_bytes(&self) -> usize {
        self.frames_top() * 8
            + self.choices.len() * size_of::<Choice>()
            + self.choice_args.len() * 8
            + self.trail.len() * 8
            + self.bag_cells.len() * 8
            + self.bag_roots.len() * size_of::<(usize, Cell)>()
            + self.program.clause_bytes
            + self.symbols.bytes()
    }

    fn out_of_memory(&mut self, pred: PredId) -> Fault {
        let (name, arity) = self.culprit(pred);
        self.heap_limit = self.heap.top() + 4096;
        let indicator =
            self.heap.new_struct(atoms::SLASH, &[Cell::atom(name), Cell::small(arity as i64)]);
        let message = self.heap.new_var();
        let context = self.heap.new_struct(atoms::CONTEXT, &[indicator, message]);
        let formal = self.heap.new_struct(atoms::RESOURCE_ERROR, &[Cell::atom(atoms::MEMORY)]);
        let ball = self.heap.new_struct(atoms::ERROR, &[formal, context]);
        self.ball(ball)
    }

    /// The predicate that an error names when `pred` is about to be entered: itself
    /// or, if it only calls others, what it calls or the nearest caller.
    fn culprit(&self, pred: PredId) -> (Atom, usize) {
        let entered = &self.program.preds[pred as usize];
        let own = (entered.name, entered.arity);
        if !self.only_calls(own.0) {
            return own;
        }
        if own.0 == atoms::CALL
            && let Some(called) = self.called(own.1)
        {
            return called;
        }
        let callers = self.callers(self.cp, self.e).take(CALLERS);
        let mut clauses = callers.filter_map(|address| self.program.clause_at(address));
        let caller = clauses.find_map(|clause| {
            let caller = &self.program.preds[self.program.clauses[clause as usize].pred as usize];
            (!self.only_calls(caller.name)).then_some((caller.name, caller.arity))
        });
        caller.unwrap_or(own)
    }

    /// Whether a predicate of this name is one that only calls others for the user.
    fn only_calls(&self, name: Atom) -> bool {
        matches!(name, atoms::CALL | atoms::CATCH) || self.symbols.name(name).starts_with('$')
    }

    /// The predicate that `call/n`, with its arguments in X, will enter.
    fn called(&self, n: usize) -> Option<(Atom, usize)> {
        let mut goal = self.heap.deref(self.x[0]);
        while let Some([_, inner]) = self.heap.match_struct::<2>(goal, atoms::COLON) {
            goal = self.heap.deref(inner);
        }
        let (name, arity, _) = self.heap.name_arity(goal)?;
        let arity = arity + n - 1;
        (!self.only_calls(name) && !is_control(name, arity)).then_some((name, arity))
    }

    /// Makes room for environments up to `end`.
    #[cold]
    pub(super) fn grow_frames(&mut self, end: usize) {
        let size = (self.frames.len() + self.frames.len().min(FRAMES_STEP)).max(end + 1024);
        self.frames.resize(size, 0);
        // A runaway recursion shows here first: have the next call look at it.
        if size * 8 > self.memory_limit / 4 {
            self.look_soon();
        }
    }

    /// A copy of a literal on the heap.
    pub(super) fn put_literal(&mut self, literal: u32) -> Cell {
        let record = &self.program.literals[literal as usize];
        self.heap.instantiate(&record.cells, record.root)
    }

    /// Runs a built-in on `X[base]`….
    #[inline]
    pub(super) fn call_builtin<H: Host>(&mut self, host: &mut H, id: u16, base: u16) -> Outcome {
        let arity = host.arity(id);
        let mut args = [Cell::ZERO; BUILTIN_ARGS];
        for (i, arg) in args[..arity].iter_mut().enumerate() {
            *arg = self.heap.deref(self.x[base as usize + i]);
        }
        match host.builtin(self, id, &args[..arity]) {
            Ok(success) => {
                if self.symbols.bytes() > self.atoms_seen + ATOMS_STEP {
                    self.atoms_seen = self.symbols.bytes();
                    self.look_soon();
                }
                Ok(success)
            }
            Err(fault) => {
                self.fault_in = Some((host.builtin_name(id), arity));
                Err(fault)
            }
        }
    }

    pub(super) fn type_test(&self, test: TypeTest, cell: Cell) -> bool {
        match test {
            TypeTest::Var => cell.is_ref(),
            TypeTest::Nonvar => !cell.is_ref(),
            TypeTest::Atom => cell.is_atom(),
            TypeTest::Compound => cell.is_compound(),
            TypeTest::Callable => cell.is_atom() || cell.is_compound(),
            TypeTest::Atomic => !cell.is_ref() && !cell.is_compound(),
            TypeTest::Integer => cell.is_int() || matches!(self.heap.value(cell), Value::Big(_)),
            TypeTest::Float => cell.is_boxed() && matches!(self.heap.value(cell), Value::Float(_)),
            TypeTest::Number => {
                cell.is_int() || cell.is_boxed() && !matches!(self.heap.value(cell), Value::Str(_))
            }
            TypeTest::String => cell.is_boxed() && matches!(self.heap.value(cell), Value::Str(_)),
            TypeTest::IsList => self.is_list(cell),
            TypeTest::Ground => term::is_ground(&self.heap, cell),
        }
    }

    /// Whether a term is a proper list.
    pub fn is_list(&self, cell: Cell) -> bool {
        let mut cell = self.heap.deref(cell);
        let mut steps = 0;
        while cell.is_list() {
            cell = self.heap.deref(self.heap.at(cell.addr() + 1));
            steps += 1;
            if steps > self.heap.top() {
                return false;
            }
        }
        cell == Cell::NIL
    }

    /// Compares two expressions that are not both small integers.
    #[cold]
    pub(super) fn compare_slow(
        &mut self,
        relation: Relation,
        a: Cell,
        b: Cell,
    ) -> Result<bool, Fault> {
        let name = match relation {
            Relation::Equal => atoms::NUM_EQ,
            Relation::NotEqual => atoms::NUM_NE,
            Relation::Less => atoms::NUM_LT,
            Relation::LessEqual => atoms::NUM_LE,
            Relation::Greater => atoms::NUM_GT,
            Relation::GreaterEqual => atoms::NUM_GE,
        };
        self.fault_in = Some((name, 2));
        let a = self.eval(a)?;
        let b = self.eval(b)?;
        self.fault_in = None;
        Ok(match self.compare_numbers(a, b) {
            Some(order) => relation.holds(order),
            None => relation == Relation::NotEqual,
        })
    }

    /// Compares two terms in standard order.
    #[inline(always)]
    pub(super) fn compare_terms(&self, relation: Relation, a: Cell, b: Cell) -> bool {
        match relation {
            Relation::Equal => a == b || self.same_deep(a, b),
            Relation::NotEqual => a != b && !self.same_deep(a, b),
            _ => relation.holds(term::compare(&self.heap, &self.symbols, a, b)),
        }
    }

    #[inline(always)]
    fn same_deep(&self, a: Cell, b: Cell) -> bool {
        // Atoms, small integers and variables are equal only as words.
        a.tag() == b.tag()
            && (a.is_compound() || a.is_boxed())
            && term::structural_eq(&self.heap, a, b)
    }

    /// Applies an evaluable of one argument to an expression.
    #[inline]
    pub(super) fn arith1(&mut self, op: arithmetic::Op1, a: Cell) -> Result<Cell, Fault> {
        self.fault_in = Some((atoms::IS, 2));
        let a = if a.is_int() { a } else { self.eval(a)? };
        self.apply1(op, a)
    }

    /// Applies an evaluable of two arguments to expressions.
    #[inline]
    pub(super) fn arith2(&mut self, op: arithmetic::Op2, a: Cell, b: Cell) -> Result<Cell, Fault> {
        self.fault_in = Some((atoms::IS, 2));
        let a = if a.is_int() { a } else { self.eval(a)? };
        let b = if b.is_int() { b } else { self.eval(b)? };
        self.apply2(op, a, b)
    }

    // --- bags -----------------------------------------------------------------

    /// Copies a solution into the innermost bag.
    pub(super) fn bag_add(&mut self, x: u16) {
        let start = self.bag_cells.len();
        let root = term::copy(&mut self.heap, self.x[x as usize], &mut self.bag_cells);
        self.bag_roots.push((start, root));
    }

    /// `X[d]` := the list of the innermost bag's terms.
    pub(super) fn bag_close(&mut self, d: u16) {
        let (cells_start, roots_start) = self.bags.pop().expect("a bag is open");
        let count = self.bag_roots.len() - roots_start;
        if count == 0 {
            self.x[d as usize] = Cell::NIL;
            return;
        }
        // The spine first, so that its cells lie in order.
        let spine = self.heap.top();
        for i in 0..count {
            self.heap.push(Cell::ZERO);
            let next = if i + 1 < count { Cell::list(spine + 2 * i + 2) } else { Cell::NIL };
            self.heap.push(next);
        }
        let mut end = self.bag_cells.len();
        for i in (0..count).rev() {
            let (start, root) = self.bag_roots[roots_start + i];
            let item = self.heap.instantiate(&self.bag_cells[start..end], root);
            self.heap.set(spine + 2 * i, item);
            end = start;
        }
        self.bag_cells.truncate(cells_start);
        self.bag_roots.truncate(roots_start);
        self.x[d as usize] = Cell::list(spine);
    }

    /// Drops bags above a number, left open by an exception.
    pub(super) fn cut_bags(&mut self, open: u32) {
        if self.bags.len() > open as usize {
            let (cells, roots) = self.bags[open as usize];
            self.bag_cells.truncate(cells);
            self.bag_roots.truncate(roots);
            self.bags.truncate(open as usize);
        }
    }

    // --- between/3 --------------------------------------------------------------

    /// `between(Low, High, X)`.
    pub(super) fn between(&mut self) -> Result<Next, Fault> {
        self.fault_in = Some((self.symbols.intern("between"), 3));
        let low = self.heap.deref(self.x[0]);
        let high = self.heap.deref(self.x[1]);
        let x = self.heap.deref(self.x[2]);
        if low.is_ref() || high.is_ref() {
            return Err(self.instantiation_error());
        }
        let unbounded = matches!(high.as_atom(), Some(atoms::INF | atoms::INFINITE));
        if !self.type_test(TypeTest::Integer, low) {
            return Err(self.type_error("integer", low));
        }
        if !unbounded && !self.type_test(TypeTest::Integer, high) {
            return Err(self.type_error("integer", high));
        }
        if !x.is_ref() {
            if !self.type_test(TypeTest::Integer, x) {
                return Err(self.type_error("integer", x));
            }
            let above = term::compare(&self.heap, &self.symbols, low, x).is_le();
            let below = unbounded || term::compare(&self.heap, &self.symbols, x, high).is_le();
            return Ok(if above && below { Next::Go(self.cp) } else { Next::Fail });
        }
        if !unbounded {
            let order = term::compare(&self.heap, &self.symbols, low, high);
            if order.is_gt() {
                return Ok(Next::Fail);
            }
            if order.is_eq() {
                self.bind(x.addr(), low);
                return Ok(Next::Go(self.cp));
            }
        }
        self.x[0] = low;
        self.x[1] = high;
        self.x[2] = x;
        self.push_choice(Alt::Between, 3);
        self.bind(x.addr(), low);
        Ok(Next::Go(self.cp))
    }

    /// The next answer of `between/3`, its arguments reloaded into X.
    pub(super) fn next_between(&mut self, choice: &Choice) {
        let (low, high, x) = (self.x[0], self.x[1], self.x[2]);
        let next = match low.as_int().and_then(|low| Cell::try_small(low + 1)) {
            Some(next) => next,
            None => {
                let one = Cell::small(1);
                self.apply2(arithmetic::Op2::Add, low, one).expect("integers add")
            }
        };
        if next.is_int() && next == high
            || !next.is_int() && term::structural_eq(&self.heap, next, high)
        {
            self.pop_choice(choice);
        } else {
            self.choice_args[choice.args as usize] = next;
            // The number may be boxed: keep it when backtracking.
            let top = self.choices.len() - 1;
            self.choices[top].heap = self.heap.top();
            self.hb = self.heap.top();
        }
        self.bind(x.addr(), next);
    }

    // --- calls --------------------------------------------------------------------

    /// A call of an undefined predicate.
    pub(super) fn call_undefined<H: Host>(
        &mut self,
        host: &mut H,
        pred: PredId,
    ) -> Result<Next, Fault> {
        let predicate = &self.program.preds[pred as usize];
        self.fault_in = Some((predicate.name, predicate.arity));
        Ok(if host.undefined(self, pred)? { Next::Go(self.cp) } else { Next::Fail })
    }

    /// `call/n`: `X[0]` the goal, `X[1..n]` further arguments.
    pub(super) fn meta_call(&mut self, n: u16) -> Result<Next, Fault> {
        let mut goal = self.heap.deref(self.x[0]);
        let extra = n as usize - 1;
        let mut space = Space::User;
        while let Some([module, inner]) = self.heap.match_struct::<2>(goal, atoms::COLON) {
            let module = self.heap.deref(module).as_atom();
            if matches!(module, Some(atoms::SYSTEM | atoms::ENGINE)) {
                space = Space::System;
            }
            goal = self.heap.deref(inner);
        }
        let Some((name, arity, args)) = self.heap.name_arity(goal) else {
            self.fault_in = Some((atoms::CALL, n as usize));
            return Err(self.type_error("callable", goal));
        };
        if is_control(name, arity + extra) {
            return self.call_control(goal, extra);
        }
        self.x.copy_within(1..1 + extra, arity);
        for i in 0..arity {
            self.x[i] = self.heap.at(args + i);
        }
        Ok(Next::Go(self.entry(name, arity + extra, space)))
    }

    /// The entry address of a predicate.
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
            let mut all: Vec<Cell> = (0..arity).map(|i| self.heap.at(args + i)).collect();
            all.extend_from_slice(&self.x[1..1 + extra]);
            self.heap.new_struct(name, &all)
        };
        if !self.is_body(goal) {
            self.fault_in = None;
            return Err(self.type_error("callable", goal));
        }
        self.x[0] = goal;
        self.x[1] = Cell::small(self.choices.len() as i64);
        self.meta_body()
    }

    /// Whether every goal of a body could be called: no numbers in goal places.
    fn is_body(&self, goal: Cell) -> bool {
        let mut todo = vec![goal];
        while let Some(goal) = todo.pop() {
            let goal = self.heap.deref(goal);
            if goal.is_ref() {
                continue;
            }
            let Some((name, arity, args)) = self.heap.name_arity(goal) else { return false };
            if arity == 2 && is_connective(name) {
                todo.push(self.heap.at(args + 1));
                todo.push(self.heap.at(args));
            }
        }
        true
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
        let left = self.heap.deref(self.heap.at(args));
        let right = if arity == 2 { self.heap.at(args + 1) } else { Cell::ZERO };
        let (pred, regs): (PredId, [Cell; 4]) = match name {
            atoms::COMMA => (self.ids.conjunction, [left, right, cut, cut]),
            atoms::ARROW => (self.ids.if_then, [left, right, cut, cut]),
            atoms::SOFT_ARROW => (self.ids.conjunction, [left, right, cut, cut]),
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

    // --- dynamic predicates ---------------------------------------------------------

    /// Enters a dynamic predicate.
    pub(super) fn enter_dynamic<H: Host>(
        &mut self,
        host: &mut H,
        pred: PredId,
    ) -> Result<Next, Fault> {
        let program = &mut self.program;
        let predicate = &mut program.preds[pred as usize];
        let arity = predicate.arity;
        if predicate.erased > 32 {
            self.tidy(pred, false);
        }
        let program = &mut self.program;
        let predicate = &mut program.preds[pred as usize];
        let chain = predicate.chains.select(&program.clauses, &self.heap, &self.x[..arity]);
        let position = predicate.chains.chain(chain).start();
        let generation = program.generation;
        let Some(found) = self.next_clause(pred, chain, position, generation) else {
            return Ok(Next::Fail);
        };
        if let Some(next) = self.next_clause(pred, chain, found + 1, generation) {
            self.push_choice(Alt::Dynamic { pred, chain }, arity);
            self.choice_args.extend([Cell::small(next), Cell::small(generation as i64)]);
        }
        Ok(Next::Go(self.clause_code(host, pred, chain, found)?))
    }

    /// Position of the next clause that is alive in a generation and whose first
    /// argument may match `X[0]`.
    fn next_clause(&self, pred: PredId, chain: u32, from: i64, generation: u64) -> Option<i64> {
        let predicate = &self.program.preds[pred as usize];
        let chain = predicate.chains.chain(chain);
        let key = if predicate.arity == 0 {
            None
        } else {
            key_of(&self.heap.cells, self.heap.deref(self.x[0]))
        };
        let mut position = from;
        loop {
            let id = chain.get(position)?;
            let clause = &self.program.clauses[id as usize];
            let fits = match (clause.key, key) {
                (Some(a), Some(b)) => a == b,
                _ => true,
            };
            if fits && self.program.visible(id, generation) {
                return Some(position);
            }
            position += 1;
        }
    }

    fn clause_code<H: Host>(
        &mut self,
        host: &mut H,
        pred: PredId,
        chain: u32,
        position: i64,
    ) -> Result<u32, Fault> {
        let chains = &self.program.preds[pred as usize].chains;
        let id = chains.chain(chain).get(position).expect("a position just found");
        if self.program.clauses[id as usize].code == 0 {
            host.compile(self, id)?;
        }
        Ok(self.program.clauses[id as usize].code)
    }

    /// Backtracks into the next clause; the arguments are in X again.
    pub(super) fn retry_dynamic<H: Host>(
        &mut self,
        host: &mut H,
        pred: PredId,
        chain: u32,
        choice: &Choice,
    ) -> Result<Option<u32>, Fault> {
        let at = choice.args as usize + self.program.preds[pred as usize].arity;
        let position = self.choice_args[at].int_value();
        let generation = self.choice_args[at + 1].int_value() as u64;
        match self.next_clause(pred, chain, position + 1, generation) {
            Some(next) => self.choice_args[at] = Cell::small(next),
            None => self.pop_choice(choice),
        }
        let id = self.program.preds[pred as usize].chains.chain(chain).get(position);
        match id {
            Some(_) => Ok(Some(self.clause_code(host, pred, chain, position)?)),
            None => Ok(None),
        }
    }

    // --- linking ----------------------------------------------------------------------

    /// Compiles a static predicate and makes its selection table.
    pub(super) fn link<H: Host>(&mut self, host: &mut H, pred: PredId) -> Result<Next, Fault> {
        let ids = self.program.preds[pred as usize].clauses.clone();
        for &id in &ids {
            if self.program.clauses[id as usize].code == 0 {
                host.compile(self, id)?;
            }
        }
        let arity = self.program.preds[pred as usize].arity;
        let entry = match ids.as_slice() {
            [] => Instr::Fail,
            [one] => Instr::Jump { to: self.program.clauses[*one as usize].code },
            _ => {
                let codes: Vec<u32> =
                    ids.iter().map(|&id| self.program.clauses[id as usize].code).collect();
                match self.build_index(&ids, &codes, arity) {
                    Some(index) => {
                        self.program.indexes.push(index);
                        Instr::Switch { table: self.program.indexes.len() as u32 - 1 }
                    }
                    None => {
                        let at = self.program.targets.len() as u32;
                        self.program.targets.push(codes.len() as u32);
                        self.program.targets.extend_from_slice(&codes);
                        Instr::TryAll { arity: arity as u16, at }
                    }
                }
            }
        };
        self.program.define(pred, Kind::Static, entry);
        Ok(Next::Go(self.program.preds[pred as usize].slot))
    }

    fn new_target(&mut self, addresses: &[u32]) -> Target {
        if let [one] = addresses {
            return Target { start: *one, len: 1 };
        }
        let start = self.program.targets.len() as u32;
        self.program.targets.extend_from_slice(addresses);
        Target { start, len: addresses.len() as u32 }
    }

    /// The tables of a predicate, if an argument tells its clauses apart.
    fn build_index(&mut self, ids: &[u32], codes: &[u32], arity: usize) -> Option<StaticIndex> {
        let mut tables = Vec::new();
        for arg in 0..arity.min(INDEXED_ARGS) {
            let keys: Vec<Option<Cell>> = ids
                .iter()
                .map(|&id| database::arg_key(&self.program.clauses[id as usize], arity, arg))
                .collect();
            if tells_apart(&keys, arg) {
                tables.push(self.build_table(arg, &keys, codes));
            }
        }
        if tables.is_empty() {
            return None;
        }
        let others = tables.split_off(1);
        let first = tables.pop()?;
        let all = self.new_target(codes);
        Some(StaticIndex { arity: arity as u16, all, first, others })
    }

    fn build_table(&mut self, arg: usize, keys: &[Option<Cell>], codes: &[u32]) -> SwitchTable {
        let mut order: Vec<Cell> = Vec::new();
        let mut rows: FxHashMap<Cell, Vec<u32>> = FxHashMap::default();
        let mut variable: Vec<u32> = Vec::new();
        for (&key, &code) in keys.iter().zip(codes) {
            match key {
                None => {
                    variable.push(code);
                    for row in rows.values_mut() {
                        row.push(code);
                    }
                }
                Some(key) => {
                    let row = rows.entry(key).or_insert_with(|| {
                        order.push(key);
                        variable.clone()
                    });
                    row.push(code);
                }
            }
        }
        let other = self.new_target(&variable);
        let mut table = SwitchTable {
            arg: arg as u16,
            list: other,
            other,
            few: Vec::new(),
            many: FxHashMap::default(),
        };
        for key in order {
            let target = self.new_target(&rows[&key]);
            if key == Cell::list(0) {
                table.list = target;
            } else if rows.len() <= FEW_KEYS {
                table.few.push((key, target));
            } else {
                table.many.insert(key, target);
            }
        }
        table
    }

    /// The address of the Y registers of the current environment, for `gc`.
    pub(super) fn y_base(e: usize) -> usize {
        e + FRAME
    }
}

/// Whether an argument with these keys is worth a table: it has several keys, or
/// one key and clauses without; a later argument must be bound in most clauses.
fn tells_apart(keys: &[Option<Cell>], arg: usize) -> bool {
    let bound = keys.iter().flatten().count();
    let mut distinct = keys.iter().flatten();
    let first = distinct.next();
    let several = distinct.any(|key| Some(key) != first);
    bound > 0 && (several || bound < keys.len()) && (arg == 0 || bound * 2 >= keys.len())
}

/// Whether a name and arity make a control construct that `call/1` runs as a body.
fn is_control(name: Atom, arity: usize) -> bool {
    arity == 2 && is_connective(name) || arity == 0 && name == atoms::CUT
}

fn is_connective(name: Atom) -> bool {
    matches!(name, atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW)
}
