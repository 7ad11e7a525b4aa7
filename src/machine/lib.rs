//! The abstract machine that runs compiled clauses: a register machine in the family of Warren's (1983; Aït-Kaci
//! 1991).
//!
//! - the **heap** ([`zug_term::Heap`]) holds every term, and all variables;
//! - **environments** hold the Y registers of clauses that call more than one goal;
//! - **choice points** hold what to try next and the state to go back to;
//! - the **trail** holds bindings to undo;
//! - **bags** hold the copied solutions of `findall/3` outside the heap.
//!
//! Invariants: the machine knows no text, no operators, no files and no search. A [`Host`] provides built-ins,
//! compiles clauses, and handles undefined predicates. Garbage is collected only when a predicate is entered: the
//! arguments are then the only live X registers, and a built-in may hold [`zug_term::Cell`]s while it runs. Rust code
//! that starts a nested run ([`Machine::ask`]) keeps cells it needs afterwards on [`Machine::roots`].

mod answers;
pub mod arithmetic;
mod ask;
mod bags;
#[cfg(test)]
mod bench;
mod between;
mod calls;
mod chains;
mod choices;
mod clause;
mod cleanup;
pub mod compile;
mod continuations;
mod copies;
pub mod database;
mod determinism;
mod exceptions;
mod fault;
mod frames;
mod gc;
mod globals;
mod hooks;
mod host;
mod impurity;
pub mod instr;
mod keys;
mod limits;
mod liveness;
mod meta;
pub mod modules;
#[cfg(feature = "native")]
mod native;
mod points;
pub mod profile;
pub mod program;
mod qualify;
mod raw;
mod rules;
mod run;
mod select;
mod shallow;
mod solve;
mod spaces;
mod steps;
pub mod tables;
mod unify;
mod wake;
mod walk;

pub use answers::Mode;
pub use ask::OpenQuery;
pub use clause::{Clause, ClauseId, ClauseSource, Neck, PredId, Space, key_of};
pub use exceptions::Trace;
pub use fault::{Fault, Outcome, StopReason};
pub use gc::LIVE_SET;
pub use hooks::Observer;
pub use host::Host;
pub use impurity::{Impurities, Impurity, ImpurityNotes};
pub use limits::LimitCheck;
pub use meta::{META, MetaTable, Positions, goal_arguments};
pub use program::{Effect, Kind, Program, fixed};
pub use solve::Run;
pub use unify::TrailEntry;
pub use wake::attributes;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use zug_term::symbol::{Atom, Symbols};
use zug_term::{Cell, Heap, watchdog};

/// Calls of built-ins, or cells that they make, that take as long as an inference.
const BUILT: u64 = 2;
/// Number of X registers: a register number is a `u16`.
const REGISTERS: usize = 1 << 16;
/// Modules before a goal or a clause, `m:n:p`, that are taken off: a cyclic term has no end of them.
pub const MODULES: usize = 1 << 16;

/// When predicates get machine code (feature `native`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NativeCode {
    /// Never.
    Never,
    /// When they have been called often.
    #[default]
    Often,
    /// When they are called first: for tests.
    Always,
}

/// Predicates that the machine itself calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ids {
    conjunction: PredId,
    disjunction: PredId,
    if_then: PredId,
    if_then_else: PredId,
    soft_if: PredId,
    between: PredId,
    walk: PredId,
    tabled_call: PredId,
    table_answers: PredId,
    wakeup: PredId,
}

/// The machine: heap, stacks, registers and the program.
pub struct Machine {
    /// The global stack: every term of a running goal.
    pub heap: Heap,
    /// Atoms.
    pub symbols: Symbols,
    /// Predicates, clauses, code.
    pub program: Program,
    /// Cells that Rust code needs across nested runs; moved by the collector.
    pub roots: Vec<Cell>,

    // Registers.
    x: Box<[Cell; REGISTERS]>,
    /// Current environment: where it starts in `frames`.
    e: usize,
    /// Continuation: code address to return to.
    cp: u32,
    /// Height of the choice stack when the running predicate was called.
    b0: u32,
    /// Next argument to read, in read mode.
    s: usize,
    /// Whether `Unify…` builds (write mode) or matches (read mode).
    write: bool,
    /// Cells below this address are older than the newest choice point.
    hb: usize,
    /// Environments below this height belong to the newest choice point.
    protected: usize,
    /// Clauses that are left to be tried, for which no choice point stands.
    shallow: shallow::Shallow,

    // Stacks.
    frames: Vec<u64>,
    choices: Vec<choices::Choice>,
    choice_args: Vec<Cell>,
    trail: Vec<TrailEntry>,
    /// Old values behind the `VALUE` entries of the trail.
    value_trail: Vec<(usize, Cell)>,
    /// Open bags: where their cells and roots start.
    bags: Vec<(usize, usize)>,
    bag_cells: Vec<Cell>,
    /// Where each begins, its root, and whether goals come with it.
    bag_roots: Vec<(usize, Cell, bool)>,
    /// The standard is followed where it differs from common practice.
    iso: bool,
    /// Quotients of integers are rational numbers.
    pub prefer_rationals: bool,
    /// Random numbers, clock, scratch of evaluation.
    pub arithmetic: arithmetic::Arithmetic,
    /// Global variables that backtracking restores.
    globals: globals::Globals,
    /// What is to be done about bindings of attributed variables, and what native modules keep.
    attributes: wake::Attributes,
    /// Terms that the running built-in would unify, to see if what wakes up then allows it.
    undecided: Option<(Cell, Cell)>,
    tables: tables::Tables,
    /// Heights of the choice points that wait with a cleanup, ascending.
    cleanups: Vec<usize>,
    /// Cleanups whose goals were cut or left by an exception: the next call runs them.
    owed: Vec<zug_term::Record>,
    /// Scratch of `unify`: runs of argument pairs still to do.
    unify_stack: Vec<unify::Run>,

    // Limits and counts.
    /// Inferences until the next look at limits.
    fuel: u32,
    /// What `fuel` was after the last look.
    quota: u32,
    /// Inferences until the last look.
    inferences: u64,
    /// Calls of built-ins, and the cells that they made.
    built: u64,
    /// A limit ended it in the middle of something, and nobody put it in order: it is asked no more.
    pub is_abandoned: bool,
    /// Inferences and built cells that another machine has counted as its own.
    counted: (u64, u64),
    /// Sources outside their arguments that goals have read.
    pub impurity: ImpurityNotes,
    /// Words of large numbers computed since the last look because of them.
    computed: usize,
    /// Bytes of atoms when limits were last looked at because of them.
    atoms_seen: usize,
    /// Heap top above which the next call collects garbage.
    heap_limit: usize,
    /// Cells below which the heap is never collected.
    nursery: usize,
    /// Bytes that heap, stacks and program may take together.
    pub memory_limit: usize,
    /// Bytes that the layers above hold for the rules, as far as they say.
    pub outside: usize,
    /// A built-in could not make what it was to make, for want of memory.
    short_of_room: bool,
    /// Cells in use after the last collection.
    live: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Inferences after which to stop.
    pub inference_limit: u64,
    /// The limit on inferences that a goal of the program has, and by which number: at this limit a ball is thrown.
    pub goal_limit: Option<(u64, i64)>,
    /// Set from outside to stop the run.
    pub interrupt: Arc<AtomicBool>,
    /// The predicate that was being entered when the run was interrupted.
    pub interrupted_in: Option<PredId>,
    /// The built-in that is running, while one is.
    running: Option<u16>,
    /// The built-in that is about to raise a fault.
    fault_in: Option<(Atom, usize)>,
    /// The fault that is being raised is of a variable with attributes in arithmetic.
    fault_on_attributed: bool,
    /// Where the last uncaught exception came from.
    pub trace: Trace,
    /// Where an exception came from that a built-in passes on out of a run of its own.
    pub raised_within: Option<Trace>,
    /// Who sees the calls of hooked predicates.
    pub observer: Observer,
    profile: Option<Box<profile::Profile>>,
    ids: Ids,
    /// When predicates get machine code.
    native_code: NativeCode,
    /// What machine code sees of this machine.
    #[cfg(feature = "native")]
    window: native::window::Window,
    /// What machine code left for the loop.
    #[cfg(feature = "native")]
    kept: native::Kept,
    /// Garbage collections so far.
    pub collections: u64,
    /// Cells collected so far.
    pub collected: u64,
    /// Time spent collecting.
    pub collection_time: Duration,
    /// This machine shares the memory of the process with others.
    alive: watchdog::MachineMemory,
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

/// Default limit: 2 GiB.
const MEMORY_LIMIT: usize = 2 << 30;
/// Default nursery: 2 MiB of cells.
const NURSERY: usize = 1 << 18;

impl Machine {
    /// A machine with an empty program.
    pub fn new() -> Self {
        let mut symbols = Symbols::new();
        let mut program = Program::new();
        let mut control =
            |name: &str, arity| program.pred(symbols.intern(name), arity, Space::System);
        let ids = Ids {
            conjunction: control("$conjunction", 3),
            disjunction: control("$disjunction", 3),
            if_then: control("$if_then", 3),
            if_then_else: control("$if_then_else", 4),
            soft_if: control("$soft_if", 4),
            between: control("between", 3),
            walk: control("$walk", 4),
            tabled_call: control("$tabled_call", 1),
            table_answers: control("$table_answers", 3),
            wakeup: control("$wakeup", 1),
        };
        let table_body = control("$table_body", 1);
        program.code[fixed::WAKE_RETURN as usize - 1..=fixed::WAKE_RETURN as usize]
            .copy_from_slice(&wake::code(ids.wakeup));
        program.code[fixed::RESET as usize..fixed::DELIMITED as usize]
            .copy_from_slice(&continuations::code(0, table_body));
        Machine {
            heap: Heap::new(),
            symbols,
            program,
            roots: Vec::new(),
            x: vec![Cell::ZERO; REGISTERS].into_boxed_slice().try_into().expect("the right length"),
            e: 0,
            cp: fixed::STOP,
            b0: 0,
            s: 0,
            write: false,
            hb: 0,
            protected: 0,
            shallow: shallow::Shallow::default(),
            frames: vec![0; 1024],
            choices: Vec::new(),
            choice_args: Vec::new(),
            trail: Vec::new(),
            value_trail: Vec::new(),
            bags: Vec::new(),
            bag_cells: Vec::new(),
            bag_roots: Vec::new(),
            iso: false,
            prefer_rationals: false,
            arithmetic: arithmetic::Arithmetic::default(),
            globals: globals::Globals::default(),
            attributes: wake::Attributes::default(),
            undecided: None,
            tables: tables::Tables::default(),
            cleanups: Vec::new(),
            owed: Vec::new(),
            unify_stack: Vec::new(),
            fuel: limits::QUOTA,
            quota: limits::QUOTA,
            inferences: 0,
            built: 0,
            is_abandoned: false,
            counted: (0, 0),
            impurity: ImpurityNotes::default(),
            computed: 0,
            atoms_seen: 0,
            heap_limit: NURSERY,
            nursery: NURSERY,
            memory_limit: MEMORY_LIMIT,
            outside: 0,
            short_of_room: false,
            live: 0,
            deadline: None,
            inference_limit: u64::MAX,
            goal_limit: None,
            interrupt: Arc::new(AtomicBool::new(false)),
            interrupted_in: None,
            running: None,
            fault_in: None,
            fault_on_attributed: false,
            trace: Trace::default(),
            raised_within: None,
            observer: Observer::Nobody,
            profile: None,
            ids,
            native_code: NativeCode::default(),
            #[cfg(feature = "native")]
            window: native::window::Window::default(),
            #[cfg(feature = "native")]
            kept: native::Kept::default(),
            collections: 0,
            collected: 0,
            collection_time: Duration::ZERO,
            alive: watchdog::MachineMemory::default(),
        }
    }

    /// Another machine with the same atoms and the same program, at rest: nothing that was set,
    /// drawn or counted in this one shows in it. How many sessions begin alike at little cost.
    #[must_use]
    pub fn fresh_copy(&self) -> Machine {
        Machine { symbols: self.symbols.clone(), program: self.program.clone(), ..self.alike() }
    }

    /// An empty machine that works as this one does.
    fn alike(&self) -> Machine {
        Machine {
            ids: self.ids,
            attributes: self.attributes.fresh_copy(),
            iso: self.iso,
            native_code: self.native_code,
            prefer_rationals: self.prefer_rationals,
            ..Machine::new()
        }
    }

    /// A machine for a thread of its own, at rest: same atoms, program, values of global variables and limits.
    #[must_use]
    pub fn fork(&self) -> Machine {
        let mut fork = self.fresh_copy();
        fork.memory_limit = self.memory_limit;
        fork.outside = self.outside;
        fork.deadline = self.deadline;
        fork.inference_limit = self.inference_limit;
        fork.interrupt = self.interrupt.clone();
        fork.set_nursery(self.nursery);
        let globals: Vec<_> = self.globals().collect();
        if !globals.is_empty() {
            // A record marks the heap while it is made, and this one is not to be changed.
            let mut heap = Heap { cells: self.heap.cells.clone() };
            for (name, value) in globals {
                let value = zug_term::Record::new(&mut heap, value).instantiate(&mut fork.heap);
                fork.set_global(name, value);
            }
        }
        fork
    }

    /// A machine for an engine, a goal with stacks of its own: it borrows atoms and program of this one while it runs.
    #[must_use]
    pub fn for_engine(&self) -> Machine {
        let mut engine = Machine { memory_limit: self.memory_limit, ..self.alike() };
        engine.set_nursery(self.nursery);
        engine
    }

    /// Uses the atoms of the machine that this one is a fork of, at rest; answers of tables are forgotten.
    pub fn take_symbols(&mut self, symbols: &Symbols) {
        self.abolish_tables();
        self.symbols = symbols.clone();
    }

    /// Counts what a [`Machine::fork`] did, since this was done last, as its own.
    pub fn count_also(&mut self, fork: &mut Machine) {
        let done = (fork.inferences(), fork.built);
        self.inferences += done.0 - fork.counted.0;
        self.built += done.1 - fork.counted.1;
        fork.counted = done;
        self.impurity.join(std::mem::take(&mut fork.impurity));
    }

    /// Whether the standard is followed where it differs from common practice.
    pub fn is_iso(&self) -> bool {
        self.iso
    }

    /// Follows the standard, or common practice.
    pub fn set_iso(&mut self, iso: bool) {
        self.iso = iso;
        self.symbols.floats_first = iso;
    }

    /// Never collects a heap of fewer cells than this; the next call looks at it.
    pub fn set_nursery(&mut self, cells: usize) {
        self.nursery = cells;
        self.set_heap_limit(cells);
    }

    /// Says when predicates get machine code; those that have some keep it.
    pub fn set_native_code(&mut self, when: NativeCode) {
        self.native_code = when;
    }

    /// Calls made so far.
    pub fn inferences(&self) -> u64 {
        self.inferences + u64::from(self.quota.saturating_sub(self.fuel))
    }

    /// Work done so far, in inferences, with what built-ins do and the steps of this thread on terms: the same on every
    /// machine, as no time is.
    pub fn work(&self) -> u64 {
        self.inferences() + (self.built + zug_term::watchdog::taken()) / BUILT
    }
}
