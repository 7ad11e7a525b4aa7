//! Code that several threads have in common.
//!
//! Threads with copies of the same rules have [units](super::units::Units) of their own, and a *shelf* together. The
//! thread that makes code puts it there, and the others take it for queries that they have no code for. A thread that
//! begins to make code says so, and the others wait for it. The work of all pays for it.
//!
//! # Invariants
//!
//! Code means what it means by numbers of shapes and constants, and takes for granted what leaves may be. So it is
//! put down with a `Snapshot` of the codec that it was made with, and taken only where
//!
//! - all numbers of that codec mean the same, and atoms and predicates of these numbers are the same;
//! - the program is in the same state, and states are laid out alike;
//! - leaves were seen to be nothing that it was not made for. What they were seen to be where it was made counts as seen
//!   from then on, since it leads to such states.
//!
//! A thread that does not find all that makes code of its own.

use super::code::Layout;
use super::reason::Reason;
use super::target::{Arg, Target};
use super::units::unit::Compiled;
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use zug_machine::{Machine, PredId, Space};
use zug_state::Codec;
use zug_term::Record;
use zug_term::symbol::{Atom, Symbols};

/// Where threads put down the code that they have made.
#[derive(Default)]
pub struct Shelf {
    pub(super) slots: Mutex<Slots>,
    pub(super) changes: AtomicU64,
    pub(super) done: Pool,
}

/// What there is, by predicate and shape.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) all: FxHashMap<(PredId, u8), Vec<Slot>>,
    pub(super) holders: u32,
}

/// A place for the code of a predicate and a shape.
pub(super) struct Slot {
    pub(super) target: Target,
    /// What was put here last by each holder, with its number.
    pub(super) put: Vec<(u32, u32, Put)>,
    pub(super) number: u32,
    pub(super) maker: Option<u32>,
}

#[derive(Clone)]
pub(super) enum Put {
    Code(Arc<Made>),
    Refused(Reason),
}

/// Code, with what has to be the same where it is taken.
pub(super) struct Made {
    pub(super) compiled: Compiled,
    pub(super) snapshot: Arc<Snapshot>,
    /// Atoms of calls that are not in the codec.
    pub(super) names: Names,
    pub(super) preds: Box<[(PredId, Atom, usize, Space)]>,
    pub(super) stamp: (u64, usize),
    pub(super) layout: Layout,
}

pub(super) type Names = Box<[(Atom, Arc<str>)]>;

/// A codec as it was when code was made.
pub(super) struct Snapshot {
    pub(super) codec: Codec,
    pub(super) names: Names,
}

/// What all threads have done, by which making code is paid for.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) worked: AtomicU64,
    pub(super) saved: AtomicU64,
    pub(super) steps: AtomicU64,
    pub(super) before: [AtomicU64; 2],
}

#[derive(Clone, Copy, Default)]
pub(super) struct Done {
    pub(super) worked: u64,
    pub(super) saved: u64,
    pub(super) steps: u64,
}

pub(super) struct Holder {
    pub(super) shelf: Arc<Shelf>,
    pub(super) number: u32,
    /// What was told of what was done here; nothing while nobody else works.
    pub(super) told: Option<Done>,
    /// The codec, as it was put down last.
    pub(super) snapshot: Option<Arc<Snapshot>>,
}

impl Shelf {
    pub(super) fn slots(&self) -> MutexGuard<'_, Slots> {
        // What a thread puts down it puts down whole.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    pub(super) fn slot(&mut self, target: &Target, shape: u8) -> &mut Slot {
        let all = self.all.entry((target.pred, shape)).or_default();
        let at = all.iter().position(|slot| slot.target.is(target)).unwrap_or_else(|| {
            all.push(Slot { target: target.clone(), put: Vec::new(), number: 0, maker: None });
            all.len() - 1
        });
        &mut all[at]
    }
}

impl Snapshot {
    pub(super) fn of(codec: &Codec, symbols: &Symbols) -> Snapshot {
        Snapshot { names: names(codec.atoms(), symbols), codec: codec.clone() }
    }

    pub(super) fn is_current(&self, codec: &Codec) -> bool {
        self.codec.counts() == codec.counts()
            && self.codec.version() == codec.version()
            && self.codec.has_variables() == codec.has_variables()
    }
}

/// What atoms are, each once.
pub(super) fn names(atoms: impl Iterator<Item = Atom>, symbols: &Symbols) -> Names {
    let mut atoms: Vec<Atom> = atoms.filter(|atom| (atom.0 as usize) < symbols.len()).collect();
    atoms.sort_unstable_by_key(|atom| atom.0);
    atoms.dedup();
    atoms.into_iter().map(|atom| (atom, symbols.shared(atom))).collect()
}

fn are_same(names: &Names, symbols: &Symbols) -> bool {
    let is_same = |&(atom, ref name): &(Atom, Arc<str>)| {
        (atom.0 as usize) < symbols.len() && *symbols.name(atom) == **name
    };
    names.iter().all(is_same)
}

/// The atoms in arguments that never change.
pub(super) fn atoms_of(args: &[Arg]) -> impl Iterator<Item = Atom> {
    let fixed = args.iter().filter_map(|arg| match arg {
        Arg::Fixed(term) => Some(term),
        _ => None,
    });
    fixed.flat_map(|term: &Record| {
        let (heap, root) = term.to_heap();
        let atoms = heap.cells.iter().chain([&root]).filter_map(|cell| match cell.as_atom() {
            None if cell.is_header() => Some(cell.functor_name()),
            atom => atom,
        });
        atoms.collect::<Vec<_>>()
    })
}

impl Made {
    pub(super) fn fits(
        &self,
        m: &Machine,
        codec: &Codec,
        stamp: (u64, usize),
        layout: Layout,
    ) -> bool {
        let is_same = |&(pred, name, arity, space): &(PredId, Atom, usize, Space)| {
            let known = m.program.preds.get(pred as usize);
            known
                .is_some_and(|known| (known.name, known.arity, known.space) == (name, arity, space))
        };
        (self.stamp, self.layout) == (stamp, layout)
            && codec.extends(&self.snapshot.codec)
            && are_same(&self.snapshot.names, &m.symbols)
            && are_same(&self.names, &m.symbols)
            && self.preds.iter().all(is_same)
    }
}
