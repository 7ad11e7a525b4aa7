//! The program: predicates, clauses, code, and the tables that select clauses.
//!
//! A predicate is known by name, arity and *space*. Library clauses call in the system space, a user's clauses in the
//! user space; a user predicate without a definition of its own shares the entry of the system's. So a user's
//! `append/3` wins for the user and never disturbs the library. Modules are spaces over others in the same way
//! (`modules.rs`).
//!
//! Clauses are kept as terms and compiled when their predicate is first called. Static predicates then get a
//! [`StaticIndex`]; dynamic ones select among live clauses at run time (`database.rs`).

use super::answers::Tabled;
use super::chains::ClauseChains;
use super::clause::{Clause, ClauseId, PredId, Space};
use super::instr::Instr;
use super::keys::Plans;
use super::meta::MetaTable;
use super::modules::Modules;
use super::points::{Live, ReturnPoint};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use zug_term::symbol::{Atom, Symbols, atoms};
use zug_term::{Cell, Record};

/// What a built-in does besides answering.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Nothing.
    Pure,
    /// Nothing, but it may take long: it searches.
    Search,
    /// It writes to a stream of the session.
    Output,
    /// It changes the session, or says something of it that may change: clauses, flags, streams.
    Session,
    /// It reaches files, programs or the environment.
    Outside,
}

/// How a predicate is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Mentioned, not defined.
    Undefined,
    /// By clauses that don't change.
    Static,
    /// By clauses that assert and retract change.
    Dynamic,
    /// By an instruction or a Rust function.
    Builtin,
}

type PredKey = (Atom, u32, Space);

/// Predicates that are found without a look into the table of all.
const RECENT: usize = 64;
/// Stands for none of them: no predicate has so many arguments.
const NONE_RECENT: (PredKey, PredId) = ((atoms::CALL, u32::MAX, Space::System), 0);

/// Built-ins that the compiler, or machine code, does in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// `'$arg'/3`: `arg/3` for a number that is known.
    Arg,
    /// `functor/3`.
    Functor,
}

impl Known {
    const ALL: [Known; 2] = [Known::Arg, Known::Functor];

    fn of(name: &str, arity: usize) -> Option<Known> {
        match (name, arity) {
            ("$arg", 3) => Some(Known::Arg),
            ("functor", 3) => Some(Known::Functor),
            _ => None,
        }
    }
}

/// A predicate.
#[derive(Clone)]
pub struct Predicate {
    /// Name.
    pub name: Atom,
    /// Number of arguments.
    pub arity: usize,
    /// Space.
    pub space: Space,
    /// How it is defined.
    pub kind: Kind,
    /// Code address of its entry instruction, its own for life.
    pub slot: u32,
    /// Its clauses in order. For a dynamic predicate also some already erased.
    pub clauses: Vec<ClauseId>,
    /// Clauses of a dynamic predicate by argument.
    pub chains: ClauseChains,
    /// Erased clauses still in `clauses`.
    pub erased: usize,
    /// Declared `discontiguous`, `multifile`, or `dynamic` in a file.
    pub discontiguous: bool,
    /// Clauses may come from several files.
    pub multifile: bool,
    /// A built-in of the standard: users can't redefine it.
    pub protected: bool,
    /// A Rust built-in that runs goals of its own, so that no X register survives it: never called in place.
    pub reentrant: bool,
    /// It wants to know where it was called from: a last call of it returns to its clause.
    pub sited: bool,
    /// What it does besides answering; of one that is not built in, only its clauses say that.
    pub effect: Effect,
    /// Source file of its (first) definition, in the session's numbering.
    pub file: Option<u32>,
    /// Its clauses are rules that match: see [`super::rules`].
    pub rules: Option<Rules>,
}

/// Clauses that may match: none, one (`start` is its address), or a run of addresses in [`Program::targets`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The address, or the first entry.
    pub start: u32,
    /// Number of entries.
    pub len: u32,
}

/// Clauses by the key of one argument.
#[derive(Clone, Debug, Default)]
pub struct SwitchTable {
    /// Which argument.
    pub arg: u16,
    /// For list cells.
    pub list: Target,
    /// For keys without a row: clauses with a variable there.
    pub other: Target,
    /// Rows, when few.
    pub few: Vec<(Cell, Target)>,
    /// Rows, when many.
    pub many: FxHashMap<Cell, Target>,
}

/// How a static predicate selects clauses.
#[derive(Clone, Debug)]
pub struct StaticIndex {
    /// Arity of the predicate.
    pub arity: u16,
    /// All clauses.
    pub all: Target,
    /// The table asked first.
    pub first: SwitchTable,
    /// Tables asked when the first leaves several clauses.
    pub others: Vec<SwitchTable>,
    pub(super) pred: PredId,
    /// Tables asked when many are left: by other places, and by several together.
    pub(super) wide: Plans<WideTable>,
}

/// Clauses by the keys that they have at some places.
#[derive(Clone, Debug)]
pub(super) struct WideTable {
    /// By key.
    pub rows: FxHashMap<u64, Target>,
    /// For keys without a row.
    pub other: Target,
}

/// What a predicate has that is defined by rules that match.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Where it goes on when no rule has matched.
    pub(super) none: u32,
}

/// Entries that lead past an observer.
#[derive(Clone, Debug)]
pub struct Hooks {
    /// Entry of each predicate without the hook.
    pub(super) behind: Vec<u32>,
    /// Predicates never hooked, by name and arity.
    pub(super) unseen: FxHashSet<(Atom, usize)>,
}

/// A predicate that must have exactly one answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Det {
    /// Where it is entered.
    pub slot: u32,
    /// What it is defined by.
    pub behind: u32,
}

/// Code addresses with a fixed meaning.
pub mod fixed {
    /// Backtracks; also what "not compiled" looks like.
    pub const FAIL: u32 = 0;
    /// A query has an answer.
    pub const STOP: u32 = 1;
    /// Body of `catch/3`.
    pub const CATCH: u32 = 2;
    /// Where the goal of `catch/3` returns to.
    pub const CATCH_RETURN: u32 = 5;
    /// First address behind that.
    pub const END: u32 = 8;
    /// Where `'$wakeup'/1` returns to.
    pub const WAKE_RETURN: u32 = 10;
    /// A call of `call/1`.
    pub const CALL: u32 = 11;
    /// Body of `reset/3`.
    pub const RESET: u32 = 12;
    /// Where the goal of `reset/3` returns to.
    pub const RESET_RETURN: u32 = 15;
    /// Body of `'$table_run'/3`.
    pub const TABLE_RUN: u32 = 16;
    /// Where the clauses of a tabled predicate return to.
    pub const TABLE_RETURN: u32 = 19;
    /// First address behind these.
    pub const DELIMITED: u32 = 20;
    /// A goal that must have one answer; …
    pub const DET: u32 = 20;
    /// … where it returns to; …
    pub const DET_RETURN: u32 = 22;
    /// … and the first address behind.
    pub const DET_END: u32 = 24;
}

#[derive(Clone)]
struct Recent(Box<[(PredKey, PredId); RECENT]>);

impl Default for Recent {
    fn default() -> Self {
        Recent(Box::new([NONE_RECENT; RECENT]))
    }
}

/// Everything that is loaded. The default has no code at all: [`Program::new`] puts in the fixed code.
#[derive(Clone, Default)]
pub struct Program {
    /// Predicates by number.
    pub preds: Vec<Predicate>,
    /// Entry address of each predicate (its own slot, or the system's).
    pub entries: Vec<u32>,
    index: FxHashMap<PredKey, PredId>,
    /// Predicates that were looked up last: goals are called by their names over and over.
    recent: Recent,
    /// Clauses by number.
    pub clauses: Vec<Clause>,
    /// Numbers of clauses that are free again.
    pub(super) free_clauses: Vec<ClauseId>,
    /// Engines: machines that borrow the program, with choice points in its clauses.
    pub engines: usize,
    /// All code.
    pub code: Vec<Instr>,
    /// Free runs of code by length.
    free_code: FxHashMap<u32, Vec<u32>>,
    /// Functor headers that instructions refer to.
    pub functors: Vec<Cell>,
    functor_index: FxHashMap<Cell, u32>,
    /// Literals that instructions refer to.
    pub literals: Vec<Record>,
    literal_index: FxHashMap<Record, u32>,
    /// Sets of live Y registers too large for an instruction.
    pub live_sets: Vec<Box<[u64]>>,
    /// Selection tables.
    pub indexes: Vec<StaticIndex>,
    /// Runs of code addresses the tables point into.
    pub targets: Vec<u32>,
    /// Code address to clause, for errors.
    pub clause_starts: std::collections::BTreeMap<u32, ClauseId>,
    /// Counts changes of dynamic predicates.
    pub generation: u64,
    /// Bytes held by clauses, approximately.
    pub clause_bytes: usize,
    /// What leads calls past an observer, while there is one.
    pub(super) hooks: Option<Box<Hooks>>,
    /// Address of each predicate's hook; 0 where none was made yet.
    pub(super) hook_slots: Vec<u32>,
    /// Whether the user's clauses are compiled so that every goal can be seen.
    pub plain: bool,
    /// Which arguments of system predicates are goals; empty until there is a module.
    pub meta: MetaTable,
    /// Which arguments of the user's predicates were declared to be goals.
    pub(super) declared: FxHashMap<PredId, Arc<[(usize, usize)]>>,
    /// The modules.
    pub modules: Modules,
    /// Tabled predicates.
    pub(super) tabled: FxHashMap<PredId, Tabled>,
    /// Predicates that must have exactly one answer.
    pub(super) det: FxHashMap<PredId, Det>,
    /// What is live at instructions where it was asked for.
    pub(super) live: FxHashMap<u32, Arc<Live>>,
    /// What continuations have to know of the addresses that calls return to.
    pub(super) return_points: FxHashMap<u32, Arc<ReturnPoint>>,
    /// How often code of rules was given back.
    pub(super) stamp: u64,
    /// Dynamic predicates that tables depend on.
    pub(super) incremental: FxHashSet<PredId>,
    /// One of them has changed since the tables were looked at.
    pub(super) incremental_changed: bool,
    known: [Option<u16>; Known::ALL.len()],
    #[cfg(feature = "native")]
    pub(super) natives: super::native::natives::Natives,
}

impl Program {
    /// An empty program with the fixed code in place.
    pub fn new() -> Self {
        let mut program = Program { generation: 1, ..Program::default() };
        let call = program.pred(atoms::CALL, 1, Space::System);
        debug_assert_eq!(call, 0);
        // The slot of call/1 was pushed at 0; the fixed code goes behind it, so move it.
        program.code.clear();
        program.code.extend([
            Instr::Fail,
            Instr::Stop,
            Instr::Allocate { n: 1 },
            Instr::CatchEnter,
            Instr::Call { stub: false, live: 0, pred: call },
            Instr::CatchExit,
            Instr::Deallocate,
            Instr::Proceed,
            Instr::MetaCall { n: 1 },
            // The call of '$wakeup'/1 and what it returns to, when its number is known.
            Instr::Fail,
            Instr::Fail,
            Instr::Execute { pred: call },
        ]);
        // `reset/3` and `'$table_run'/3`, when the numbers of their predicates are known.
        program.code.resize(fixed::DELIMITED as usize, Instr::Fail);
        // Goals that must have one answer are called by this, from `fixed::DET`.
        program.code.extend([
            Instr::Allocate { n: 1 },
            Instr::Call { stub: false, live: 0, pred: call },
            Instr::DetExit,
            Instr::DeallocateProceed,
        ]);
        program.preds[0].slot = fixed::END;
        program.preds[0].kind = Kind::Builtin;
        program.preds[0].protected = true;
        program.entries[0] = fixed::END;
        program
    }

    /// The predicate with this name, arity and space, if it was ever mentioned.
    pub fn lookup(&self, name: Atom, arity: usize, space: Space) -> Option<PredId> {
        self.index.get(&(name, arity as u32, space)).copied()
    }

    /// Gives a name a place in the index; the predicate that had it.
    pub(super) fn set_index(
        &mut self,
        (name, arity, space): (Atom, usize, Space),
        id: PredId,
    ) -> Option<PredId> {
        self.recent.0.fill(NONE_RECENT);
        self.index.insert((name, arity as u32, space), id)
    }

    pub(super) fn take_index(&mut self, (name, arity, space): (Atom, usize, Space)) {
        self.recent.0.fill(NONE_RECENT);
        self.index.remove(&(name, arity as u32, space));
    }

    /// The predicate with this name, arity and space, made if need be.
    pub fn pred(&mut self, name: Atom, arity: usize, space: Space) -> PredId {
        let key = (name, arity as u32, space);
        let recent = (name.0 as usize + arity) % RECENT;
        if self.recent.0[recent].0 == key {
            return self.recent.0[recent].1;
        }
        if let Some(&id) = self.index.get(&key) {
            self.recent.0[recent] = (key, id);
            return id;
        }
        let id = self.preds.len() as PredId;
        let slot = self.code.len() as u32;
        self.code.push(Instr::Undefined { pred: id });
        self.index.insert((name, arity as u32, space), id);
        self.preds.push(Predicate {
            name,
            arity,
            space,
            kind: Kind::Undefined,
            slot,
            clauses: Vec::new(),
            chains: ClauseChains::default(),
            erased: 0,
            discontiguous: false,
            multifile: false,
            protected: false,
            reentrant: false,
            sited: false,
            effect: Effect::Session,
            file: None,
            rules: None,
        });
        let shared = self.behind(name, arity, space);
        self.entries.push(shared.map_or(slot, |shared| self.slot_of(shared)));
        self.new_entry(id);
        id
    }

    /// The predicate whose definition a call to `id` runs: itself or the system's.
    pub fn resolve(&self, id: PredId) -> PredId {
        let pred = &self.preds[id as usize];
        let is_own = self.definition(id) == pred.slot || self.is_tabled(id);
        if is_own || self.is_det(id) && pred.kind != Kind::Undefined {
            return id;
        }
        if let Some(&other) = self.modules.stands_for.get(&id) {
            return other;
        }
        let shared = self.behind(pred.name, pred.arity, pred.space);
        shared.or_else(|| self.lookup(pred.name, pred.arity, Space::System)).unwrap_or(id)
    }

    /// Whether a call to this predicate finds a definition.
    pub fn is_defined(&self, id: PredId) -> bool {
        self.preds[self.resolve(id) as usize].kind != Kind::Undefined
    }

    /// A built-in has a number.
    pub fn note_builtin(&mut self, name: &str, arity: usize, id: u16) {
        if let Some(known) = Known::of(name, arity) {
            self.known[known as usize] = Some(id);
        }
    }

    pub(super) fn id_of(&self, known: Known) -> Option<u16> {
        self.known[known as usize]
    }

    #[cfg(feature = "native")]
    pub(super) fn known(&self, id: u16) -> Option<Known> {
        Known::ALL.into_iter().find(|&known| self.id_of(known) == Some(id))
    }

    /// Sets how a predicate is defined and the instruction at its entry. Defining
    /// a user predicate takes it off the system's; undefining gives it back.
    pub fn define(&mut self, id: PredId, kind: Kind, entry: Instr) {
        let pred = &mut self.preds[id as usize];
        pred.kind = kind;
        let slot = pred.slot;
        let (name, arity, space) = (pred.name, pred.arity, pred.space);
        self.code[slot as usize] = entry;
        #[cfg(feature = "native")]
        self.forget_native(id);
        self.share(id);
        // PERF: without modules nobody shares what the user defines.
        if space != Space::User || !self.modules.is_empty() {
            self.share_name(name, arity);
        }
        self.share_stand_ins(id);
    }

    /// Leads calls of a predicate to its own definition or to that which it shares.
    pub(super) fn share(&mut self, id: PredId) {
        let pred = &self.preds[id as usize];
        let shared = match pred.kind {
            Kind::Undefined => self
                .modules
                .stands_for
                .get(&id)
                .copied()
                .or_else(|| self.behind(pred.name, pred.arity, pred.space)),
            _ => None,
        };
        let slot = self.slot_of(shared.unwrap_or(id));
        self.set_entry(id, slot);
    }

    /// Where what a predicate is defined by begins: at its table, if it has one.
    fn slot_of(&self, id: PredId) -> u32 {
        if let Some(det) = self.det.get(&id) {
            return det.slot;
        }
        self.tabled.get(&id).map_or(self.preds[id as usize].slot, |tabled| tabled.slot)
    }

    /// Number of a functor header.
    pub fn functor(&mut self, header: Cell) -> u32 {
        *self.functor_index.entry(header).or_insert_with(|| {
            self.functors.push(header);
            self.functors.len() as u32 - 1
        })
    }

    /// Number of a literal.
    pub fn literal(&mut self, literal: Record) -> u32 {
        if let Some(&id) = self.literal_index.get(&literal) {
            return id;
        }
        let id = self.literals.len() as u32;
        self.literals.push(literal.clone());
        self.literal_index.insert(literal, id);
        id
    }

    /// Puts code into the code area, with jump targets moved; its address.
    pub fn install(&mut self, code: &[Instr]) -> u32 {
        let len = code.len() as u32;
        let start = match self.free_code.get_mut(&len).and_then(Vec::pop) {
            Some(start) => {
                self.live.clear();
                self.return_points.clear();
                self.code[start as usize..(start + len) as usize].copy_from_slice(code);
                start
            }
            None => {
                let start = self.code.len() as u32;
                self.code.extend_from_slice(code);
                start
            }
        };
        for instr in &mut self.code[start as usize..(start + len) as usize] {
            match instr {
                Instr::Jump { to } | Instr::TryElse { to, .. } => *to += start,
                _ => {}
            }
        }
        start
    }

    /// The address that a code address stands for: see `native`.
    #[cfg(not(feature = "native"))]
    pub(super) fn origin(&self, address: u32) -> u32 {
        address
    }

    /// What stands for a place where machine code goes on: see `native`.
    #[cfg(not(feature = "native"))]
    pub(super) fn stub_of(&self, origin: u32) -> u32 {
        origin
    }

    /// Gives the code of a clause back. Nothing may run or return into it any more.
    pub(super) fn free(&mut self, start: u32, len: u32) {
        self.clause_starts.remove(&start);
        #[cfg(feature = "native")]
        self.forget_stubs(start, len);
        let code = &self.code[start as usize..(start + len) as usize];
        // No continuation comes back to code without calls.
        self.stamp += u64::from(code.iter().any(|instr| matches!(instr, Instr::Call { .. })));
        self.free_code.entry(len).or_default().push(start);
    }

    /// The clause a code address lies in.
    pub fn clause_at(&self, pc: u32) -> Option<ClauseId> {
        let pc = self.origin(pc);
        let (&start, &id) = self.clause_starts.range(..=pc).next_back()?;
        let clause = self.clauses.get(id as usize)?;
        let len = match &clause.other {
            Some(other) if other.start == start => other.len,
            _ => clause.code_len,
        };
        (pc < start + len).then_some(id)
    }

    /// Adds a clause at the end or the front of its predicate.
    pub fn add_clause(&mut self, clause: Clause, at_end: bool) -> ClauseId {
        self.clause_bytes += clause.record.bytes() + size_of::<Clause>();
        let pred = clause.pred;
        let id = match self.free_clauses.pop() {
            Some(id) => {
                self.clauses[id as usize] = clause;
                id
            }
            None => {
                self.clauses.push(clause);
                self.clauses.len() as ClauseId - 1
            }
        };
        self.attach(pred, id, at_end);
        id
    }

    /// Puts a clause into its predicate's list.
    pub fn attach(&mut self, pred: PredId, id: ClauseId, at_end: bool) {
        let predicate = &mut self.preds[pred as usize];
        if predicate.kind == Kind::Dynamic {
            self.incremental_changed |= self.incremental.contains(&pred);
            predicate.chains.add(&self.clauses, id, at_end);
        } else if at_end {
            predicate.clauses.push(id);
        } else {
            predicate.clauses.insert(0, id);
        }
    }

    /// `Name/Arity` as text, with its module before it if it has one.
    pub fn indicator(&self, id: PredId, symbols: &Symbols) -> String {
        let pred = &self.preds[id as usize];
        let plain = format!("{}/{}", symbols.name(pred.name), pred.arity);
        match self.modules.get(pred.space).filter(|module| !module.is_unit) {
            Some(module) => format!("{}:{plain}", symbols.name(module.name)),
            None => plain,
        }
    }
}
