//! Attributed variables: goals and native modules that bindings wake, and when.
//!
//! An attributed variable is two cells of the heap: `Attributed(v)` at `v`, and its attributes at `v + 1`,
//! `att(Module, Value, More)` or `[]`. Binding it notes the variable as *pending*. What is pending runs before the
//! next step that could see it: while anything is pending `heap_limit` is 0, so that the next call looks
//! ([`Machine::tick`]), and the instructions that cut, make choice points, test or collect answers ask
//! [`Machine::is_pending`] where their outcome depends on variables. So no choice point is ever made while something
//! is pending, and backtracking, which undoes the bindings, takes what is pending because of them off again.
//!
//! Native modules are asked first, by [`Host::wake`]: they are deterministic and leave the registers alone. What is
//! left is a call of `'$wakeup'/1` at that point. It returns to a [`Instr::WakeReturn`], and its environment holds
//! the registers that are live there: the arguments at a call, and in the middle of a clause those that
//! [`super::liveness`] finds.

use super::frames::FRAME;
use super::host::{Host, Next};
use super::instr::Instr;
use super::unify::SPECIAL_ADDRESS;
use super::{Fault, Machine, PredId, fixed};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap};

/// A goal that is pending.
const GOAL_ADDRESS: usize = SPECIAL_ADDRESS;
/// Those from here on name levels, …
const LEVEL_ADDRESS: usize = 1 << 57;
/// … and those from here on stand for anchors.
const ANCHOR_ADDRESS: usize = 1 << 58;

/// What is to be done before the machine goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// The attributed variable that was bound, or a goal to be called.
    what: Cell,
    /// The value of the variable; a header where `what` is a goal.
    value: Cell,
    /// The number of a native module that knows already.
    knows: Option<u16>,
}

/// A number that backtracking restores.
#[derive(Clone, Copy, Default)]
struct Level {
    value: u64,
    /// Where on the trail it was noted last.
    noted: Option<usize>,
}

/// What attributed variables need of the machine.
#[derive(Default)]
pub(super) struct Attributes {
    pending: Vec<Pending>,
    /// What is pending below this number is the business of an outer run.
    pub(super) outer: usize,
    /// Modules whose attributes are looked after by the host.
    natives: Vec<Atom>,
    anchors: Vec<Cell>,
    levels: Vec<Level>,
    /// `heap_limit` without anything pending.
    heap_limit: usize,
}

/// The value of a goal's [`Pending`].
const GOAL: Cell = Cell::functor(Atom(0), 0);

/// A step towards what is done about bindings.
pub(super) enum Woken {
    /// Nothing is left to do.
    Done,
    /// A binding is refused.
    Refused,
    /// A list of goals for `'$wakeup'/1`.
    Goals(Cell),
}

impl Attributes {
    /// Calls `visit` with each cell that is a root of the collector.
    pub(super) fn cells(&self) -> impl Iterator<Item = &Cell> {
        let pending = self.pending.iter().flat_map(|pending| [&pending.what, &pending.value]);
        pending.filter(|cell| !cell.is_header()).chain(&self.anchors)
    }

    /// Moves the roots; the trail is about to change.
    pub(super) fn moved(&mut self, relocate: impl Fn(Cell) -> Cell) {
        for pending in &mut self.pending {
            pending.what = relocate(pending.what);
            if !pending.value.is_header() {
                pending.value = relocate(pending.value);
            }
        }
        for anchor in &mut self.anchors {
            *anchor = relocate(*anchor);
        }
        for level in &mut self.levels {
            level.noted = None;
        }
    }

    /// Those of another machine with the same program, at rest.
    pub(super) fn fresh_copy(&self) -> Attributes {
        Attributes { natives: self.natives.clone(), ..Attributes::default() }
    }

    pub(super) fn clear(&mut self) {
        self.pending.clear();
        self.outer = 0;
        self.anchors.clear();
        self.levels.clear();
    }
}

/// The attributes of a variable, as pairs of module and value.
pub fn attributes(heap: &Heap, variable: Cell) -> impl Iterator<Item = (Atom, Cell)> {
    let mut rest = heap.attributes(variable);
    std::iter::from_fn(move || {
        let [module, value, more] = heap.match_struct::<3>(rest, atoms::ATT)?;
        rest = more;
        Some((heap.deref(module).as_atom()?, value))
    })
}

impl Machine {
    /// Binds an unbound attributed variable. What its attributes say to that is asked before the next goal.
    #[cold]
    #[inline(never)]
    pub(super) fn bind_attributed(&mut self, variable: Cell, value: Cell) {
        self.bind_known(variable, value, None);
    }

    /// Binds a dereferenced variable on behalf of a native module, which is not asked about it.
    pub fn bind_for(&mut self, variable: Cell, value: Cell, native: u16) {
        debug_assert!(variable.is_var() && self.heap.at(variable.addr()) == variable);
        let value = self.heap.deref(value);
        if value == variable {
            return;
        }
        if variable.is_attributed() {
            self.bind_known(variable, value, Some(native));
        } else {
            self.bind(variable, value);
        }
    }

    fn bind_known(&mut self, variable: Cell, value: Cell, knows: Option<u16>) {
        self.note_value(variable.addr(), variable);
        // A reference to an attributed variable is a plain one.
        let value = if value.is_attributed() { Cell::reference(value.addr()) } else { value };
        self.heap.set(variable.addr(), value);
        self.attributes.pending.push(Pending { what: variable, value, knows });
        self.look_soon();
    }

    /// Has a goal called before the next one; backtracking forgets it.
    pub fn call_soon(&mut self, goal: Cell) {
        self.note_value(GOAL_ADDRESS, Cell::ZERO);
        self.attributes.pending.push(Pending { what: goal, value: GOAL, knows: None });
        self.look_soon();
    }

    fn look_soon(&mut self) {
        if self.heap_limit != 0 {
            self.attributes.heap_limit = std::mem::replace(&mut self.heap_limit, 0);
        }
    }

    /// Whether something is to be done about bindings before the machine goes on.
    #[inline(always)]
    pub(super) fn is_pending(&self) -> bool {
        self.heap_limit == 0
    }

    /// The heap top above which the next call collects garbage has changed.
    pub(super) fn set_heap_limit(&mut self, cells: usize) {
        if self.is_pending() {
            self.attributes.heap_limit = cells.max(1);
        } else {
            self.heap_limit = cells.max(1);
        }
    }

    /// `heap_limit` without anything pending.
    pub(super) fn heap_limit(&self) -> usize {
        if self.is_pending() { self.attributes.heap_limit } else { self.heap_limit }
    }

    /// Sets `heap_limit` by whether something is pending.
    fn settle_pending(&mut self) {
        let pending = self.attributes.pending.len() > self.attributes.outer;
        match (pending, self.is_pending()) {
            (true, false) => self.look_soon(),
            (false, true) => self.heap_limit = self.attributes.heap_limit.max(1),
            _ => {}
        }
    }

    /// The binding of a variable is undone, or a goal: it is the last that is pending, if it still is.
    pub(super) fn forget_pending(&mut self, what: Cell) {
        let pending = &mut self.attributes.pending;
        if pending.len() > self.attributes.outer
            && pending.last().is_some_and(|last| {
                last.what == what || last.value.is_header() && what == Cell::ZERO
            })
        {
            pending.pop();
            self.settle_pending();
        }
    }

    /// A run begins: what is pending waits for its end. What [`Machine::close_inner`] needs then.
    #[inline(always)]
    pub(super) fn open_inner(&mut self) -> usize {
        let outer = self.attributes.outer;
        if self.attributes.pending.len() != outer {
            self.attributes.outer = self.attributes.pending.len();
            self.settle_pending();
        }
        outer
    }

    #[inline(always)]
    pub(super) fn close_inner(&mut self, outer: usize) {
        if self.attributes.outer != outer || self.attributes.pending.len() != outer {
            self.attributes.outer = outer;
            self.settle_pending();
        }
    }

    /// Heap and trail are emptied.
    pub(super) fn forget_attributes(&mut self) {
        self.attributes.clear();
        self.settle_pending();
    }

    /// Restores what an entry of the value trail that names no cell stands for.
    #[cold]
    pub(super) fn undo_special(&mut self, address: usize, old: Cell) {
        if address >= super::exceptions::CHOICE_ADDRESS {
            self.reactivate(address);
        } else if address >= super::globals::GLOBAL_ADDRESS {
            self.restore_global(address, old);
        } else if address >= ANCHOR_ADDRESS {
            self.attributes.anchors.pop();
        } else if address >= LEVEL_ADDRESS {
            let level = &mut self.attributes.levels[address & !LEVEL_ADDRESS];
            *level = Level { value: old.int_value() as u64, noted: None };
        } else {
            self.forget_pending(old);
        }
    }

    /// Asks the native modules about what is pending, until nothing is; what is left for `'$wakeup'/1`.
    pub(super) fn wake_natives<H: Host>(&mut self, host: &mut H) -> Result<Woken, Fault> {
        self.settle_shallow();
        let woken = self.wake_natives_once(host);
        if !matches!(woken, Ok(Woken::Goals(_) | Woken::Done)) {
            let outer = self.attributes.outer;
            self.attributes.pending.truncate(outer);
        }
        self.settle_pending();
        woken
    }

    fn wake_natives_once<H: Host>(&mut self, host: &mut H) -> Result<Woken, Fault> {
        let mut bound: Vec<Vec<(Cell, Cell)>> = vec![Vec::new(); self.attributes.natives.len()];
        let mut left: Vec<Cell> = Vec::new();
        loop {
            let outer = self.attributes.outer;
            let pending: Vec<Pending> = self.attributes.pending.drain(outer..).collect();
            self.settle_pending();
            for Pending { what, value, knows } in pending {
                if value.is_header() {
                    left.push(self.heap.new_struct(atoms::CALL, &[what]));
                    continue;
                }
                let mut others = false;
                let natives = &self.attributes.natives;
                for (module, attribute) in attributes(&self.heap, what) {
                    match natives.iter().position(|&native| native == module) {
                        Some(at) if knows == Some(at as u16) => {}
                        Some(at) => bound[at].push((attribute, value)),
                        None => others = true,
                    }
                }
                if others {
                    let attributes = self.heap.attributes(what);
                    left.push(self.heap.new_struct(atoms::WAKEUP, &[attributes, value]));
                }
            }
            let Some(native) = bound.iter().position(|bound| !bound.is_empty()) else { break };
            let bound = std::mem::take(&mut bound[native]);
            if !host.wake(self, native as u16, &bound)? {
                return Ok(Woken::Refused);
            }
        }
        if left.is_empty() {
            return Ok(Woken::Done);
        }
        Ok(Woken::Goals(self.heap.list_from(&left, Cell::NIL)))
    }

    /// Does what is pending before a predicate is entered; where to go first, if anywhere.
    #[cold]
    #[inline(never)]
    pub(super) fn wake_at_call<H: Host>(
        &mut self,
        host: &mut H,
        pred: PredId,
    ) -> Result<Option<Next>, Fault> {
        self.wake_first(host, |m, _, goals| {
            // The limits are looked at by the next call in this one's place.
            if m.fuel == 0 {
                m.poll_soon();
            }
            let arity = m.program.preds[pred as usize].arity;
            let registers: Vec<u32> = (0..arity as u32).collect();
            m.enter_wakeup(goals, -1 - i64::from(pred), m.cp, &registers)
        })
    }

    /// Does what is pending before an instruction in the middle of a clause; where to go first, if anywhere.
    #[cold]
    #[inline(never)]
    pub(super) fn wake_at<H: Host>(
        &mut self,
        host: &mut H,
        at: u32,
    ) -> Result<Option<Next>, Fault> {
        self.wake_first(host, |m, host, goals| {
            let live = m.live_at(host, at);
            // The environment of a clause is as live as its registers that are kept, and no more.
            let cp = if live.framed { at + 1 } else { m.cp };
            m.enter_wakeup(goals, i64::from(at), cp, &live.registers)
        })
    }

    /// Does what is pending; `enter` calls the goals that are left to be run.
    fn wake_first<H: Host>(
        &mut self,
        host: &mut H,
        enter: impl FnOnce(&mut Machine, &H, Cell) -> Next,
    ) -> Result<Option<Next>, Fault> {
        Ok(match self.wake_natives(host)? {
            Woken::Done => None,
            Woken::Refused => Some(Next::Fail),
            Woken::Goals(goals) => Some(enter(self, host, goals)),
        })
    }

    /// Calls `'$wakeup'/1`, then the instruction at `resume`, or, if that is negative, the predicate `-1 - resume`.
    fn enter_wakeup(&mut self, goals: Cell, resume: i64, cp: u32, registers: &[u32]) -> Next {
        let own = self.cp;
        let kept: Vec<Cell> = registers
            .iter()
            .flat_map(|&register| [Cell::small(i64::from(register)), self.register(register)])
            .collect();
        self.cp = cp;
        self.allocate((HEAD + kept.len()) as u16);
        let head = [resume, i64::from(own), i64::from(self.b0)].map(Cell::small);
        for (i, &cell) in head.iter().chain(&kept).enumerate() {
            self.set_y(i as u16, cell);
        }
        self.x[0] = goals;
        self.cp = fixed::WAKE_RETURN;
        self.b0 = self.choices.len() as u32;
        Next::Go(self.entry_of(self.ids.wakeup))
    }

    /// What was pending is done: restores the registers, and goes on.
    pub(super) fn wake_return(&mut self) -> u32 {
        let own = self.e;
        let size = self.frame_word(own + 1) as u32 as usize;
        let word = |m: &Machine, i: usize| Cell(m.frame_word(own + FRAME + i));
        let resume = word(self, 0).int_value();
        self.cp = word(self, 1).int_value() as u32;
        self.b0 = word(self, 2).int_value() as u32;
        self.e = self.frame_word(own) as usize;
        for i in (HEAD..size).step_by(2) {
            self.set_register(word(self, i).int_value() as u32, word(self, i + 1));
        }
        if resume >= 0 {
            return resume as u32;
        }
        // As a call does.
        self.b0 = self.choices.len() as u32;
        self.entry_of((-1 - resume) as u32)
    }

    /// A register by its number in a list of both kinds.
    fn register(&self, register: u32) -> Cell {
        match register.checked_sub(Y) {
            Some(y) => self.y(y as u16),
            None => self.x[register as usize],
        }
    }

    fn set_register(&mut self, register: u32, cell: Cell) {
        match register.checked_sub(Y) {
            Some(y) => self.set_y(y as u16, cell),
            None => self.x[register as usize] = cell,
        }
    }

    /// Has a goal run to its first answer in the middle of a built-in's instruction, undoes it, and
    /// tells whether there was one. `at` is the address of the instruction.
    pub(super) fn holds_at<H: Host>(
        &mut self,
        host: &mut H,
        at: u32,
        goal: Cell,
    ) -> Result<bool, Fault> {
        let live = self.live_at(host, at);
        let base = self.roots.len();
        for &register in &*live.registers {
            self.roots.push(self.register(register));
        }
        let cp = self.cp;
        if live.framed {
            self.cp = at + 1;
        }
        let found = self.holds(host, goal);
        self.cp = cp;
        for (i, &register) in live.registers.iter().enumerate() {
            self.set_register(register, self.roots[base + i]);
        }
        self.roots.truncate(base);
        found
    }

    // --- native modules ----------------------------------------------------------

    /// Makes a module native: the host looks after its attributes, by this number.
    pub fn add_native(&mut self, module: Atom) -> u16 {
        let natives = &mut self.attributes.natives;
        let known = natives.iter().position(|&native| native == module);
        let at = known.unwrap_or_else(|| {
            natives.push(module);
            natives.len() - 1
        });
        at as u16
    }

    /// The native modules, by number.
    pub fn natives(&self) -> &[Atom] {
        &self.attributes.natives
    }

    /// Keeps a cell, wherever it moves, until backtracking: the number by which [`Machine::anchored`] has it.
    pub fn anchor(&mut self, cell: Cell) -> usize {
        self.note_value(ANCHOR_ADDRESS, Cell::ZERO);
        self.attributes.anchors.push(cell);
        self.attributes.anchors.len() - 1
    }

    /// What is kept by this number.
    pub fn anchored(&self, at: usize) -> Cell {
        self.attributes.anchors[at]
    }

    /// How many cells are kept for native modules.
    pub fn anchors(&self) -> usize {
        self.attributes.anchors.len()
    }

    /// A number that backtracking restores; 0 before it was set.
    pub fn level(&self, slot: usize) -> u64 {
        self.attributes.levels.get(slot).map_or(0, |level| level.value)
    }

    /// Sets a number below 2^60 that backtracking restores. Slots count from 0.
    #[inline]
    pub fn set_level(&mut self, slot: usize, value: u64) {
        if self.attributes.levels.len() <= slot {
            self.attributes.levels.resize(slot + 1, Level::default());
        }
        let is_noted = self.is_level_noted(slot);
        let top = self.trail.len();
        let level = &mut self.attributes.levels[slot];
        let old = Cell::small(level.value as i64);
        level.value = value;
        // One note since the newest choice point is enough.
        if !is_noted {
            level.noted = Some(top);
            self.note_value(LEVEL_ADDRESS | slot, old);
        }
    }

    /// Whether a number was set since the newest choice point: backtracking undoes all since then, or nothing.
    pub fn is_level_noted(&self, slot: usize) -> bool {
        let barrier = self.choices.last().map_or(0, |choice| choice.trail);
        let noted = self.attributes.levels.get(slot).and_then(|level| level.noted);
        noted.is_some_and(|noted| noted >= barrier)
    }

    /// Code addresses of the calls that wait, innermost first, for a built-in that runs as a predicate: the
    /// first is where it was called from, if it is [`super::program::Predicate::sited`].
    /// [`super::Program::clause_at`] and [`super::Program::goal_span`] tell whose they are.
    pub fn call_sites(&self) -> impl Iterator<Item = u32> + '_ {
        self.callers(self.cp, self.e)
    }

    // --- attributes ---------------------------------------------------------------

    /// The value that a module has with a variable.
    pub fn attribute(&self, variable: Cell, module: Atom) -> Option<Cell> {
        let variable = self.heap.deref(variable);
        if !variable.is_attributed() {
            return None;
        }
        attributes(&self.heap, variable).find(|(name, _)| *name == module).map(|(_, value)| value)
    }

    /// Gives an unbound variable a value of a module; backtracking restores the old one.
    pub fn set_attribute(&mut self, variable: Cell, module: Atom, value: Cell) {
        let variable = self.heap.deref(variable);
        debug_assert!(variable.is_var());
        if !variable.is_attributed() {
            let own = self.new_attribute(module, value);
            let attributed = self.heap.new_attributed(own);
            self.bind(variable, Cell::reference(attributed.addr()));
            return;
        }
        match self.find_attribute(variable, module) {
            (_, Some(args)) => self.set_trailed(args + 1, value),
            (end, None) => {
                let own = self.new_attribute(module, value);
                self.set_trailed(end, own);
            }
        }
    }

    /// The cell that holds the attribute of a module, or the end of all, and the place of its arguments if there is one.
    fn find_attribute(&self, variable: Cell, module: Atom) -> (usize, Option<usize>) {
        let mut slot = variable.addr() + 1;
        while let Some((_, 3, args)) = self.heap.name_arity(self.heap.at(slot)) {
            if self.heap.deref(self.heap.at(args)) == Cell::atom(module) {
                return (slot, Some(args));
            }
            slot = args + 2;
        }
        (slot, None)
    }

    fn new_attribute(&mut self, module: Atom, value: Cell) -> Cell {
        self.heap.new_struct(atoms::ATT, &[Cell::atom(module), value, Cell::NIL])
    }

    /// Takes the value of a module from a variable, until backtracking. Without attributes it is a plain variable.
    pub fn remove_attribute(&mut self, variable: Cell, module: Atom) {
        let variable = self.heap.deref(variable);
        if !variable.is_attributed() {
            return;
        }
        let (slot, Some(args)) = self.find_attribute(variable, module) else { return };
        let more = self.heap.deref(self.heap.at(args + 2));
        if slot == variable.addr() + 1 && more == Cell::NIL {
            self.set_trailed(variable.addr(), Cell::reference(variable.addr()));
        } else {
            self.set_trailed(slot, more);
        }
    }

    /// Gives an unbound variable these attributes in the place of those it has; backtracking restores them.
    pub fn set_attributes(&mut self, variable: Cell, attributes: Cell) {
        let variable = self.heap.deref(variable);
        let attributes = self.heap.deref(attributes);
        match (variable.is_attributed(), attributes == Cell::NIL) {
            (true, true) => self.set_trailed(variable.addr(), Cell::reference(variable.addr())),
            (true, false) => self.set_trailed(variable.addr() + 1, attributes),
            (false, true) => {}
            (false, false) => {
                let attributed = self.heap.new_attributed(attributes);
                self.bind(variable, Cell::reference(attributed.addr()));
            }
        }
    }

    /// Whether a term is an attributed variable.
    pub fn has_attributes(&self, cell: Cell) -> bool {
        let cell = self.heap.deref(cell);
        cell.is_attributed()
    }
}

/// Registers from here on are Y registers, in lists of both.
pub(super) const Y: u32 = 1 << 16;
/// Words of a wake-up's environment before the registers.
const HEAD: usize = 3;

/// The code that a wake-up returns to: a call whose environment is live as a whole.
pub(super) const fn code(wakeup: PredId) -> [Instr; 2] {
    [Instr::Call { stub: false, live: super::gc::LIVE_ALL, pred: wakeup }, Instr::WakeReturn]
}
