//! The start of a certificate, checked against the initial states of the rules: [`Start`].

use super::records::{Fact, Facts};
use super::{Found, Origin, Rejected};
use crate::canonical_text::canonical_text;
use crate::claim::impurity_of_start;
use crate::contract::Contract;
use crate::error::RuleError;
use crate::run::{Instance, instances};
use crate::simultaneous::{Parts, same};
use rustc_hash::FxHashSet;
use zug_machine::Machine;
use zug_machine::arithmetic::{Op0, Op1, Op2, Op3};
use zug_prolog::builtins::World;
use zug_term::symbol::Atom;
use zug_term::{Cell, Heap, Record, Value, is_ground};

/// Starts of a program that are looked through.
const MOST_INSTANCES: usize = 10_000;

/// The start of a certificate.
pub(super) struct Start {
    /// The line that says it.
    pub line: u64,
    pub origin: Origin,
    pub state: Record,
}

impl Start {
    /// Takes out the record of the start.
    pub fn take(m: &Machine, facts: &mut Facts) -> Result<Start, Rejected> {
        let Fact { line, mut arguments, .. } = facts.take("start", 2)?;
        let origin = origin_of(m, &arguments[0]);
        let state = arguments.swap_remove(1);
        let unknown = || Rejected::at(line, "it does not say where the start comes from");
        Ok(Start { line, origin: origin.ok_or_else(unknown)?, state })
    }

    /// Whether the rules begin in it; one that is given has to consist of what states of the rules consist of. `others`:
    /// what else is listed.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn check<'r>(
        &self,
        m: &mut Machine,
        w: &mut World,
        contract: &Contract,
        others: impl Iterator<Item = &'r Record>,
    ) -> Found<()> {
        let begins = match &self.origin {
            Origin::Instance(name) => {
                let same_name = |one: &Instance| match (&one.name, name) {
                    (Some(one), Some(name)) => same(one, name),
                    (one, name) => one.is_none() && name.is_none(),
                };
                let found = instances(m, w, contract, MOST_INSTANCES)?;
                found.iter().any(|one| same_name(one) && same(&one.state, &self.state))
            }
            Origin::Given => {
                !is_variable(&self.state)
                    && foreign_kinds(m, w, contract, &self.state, others)?.is_empty()
            }
            Origin::Once => {
                is_variable(&self.state) && Parts::of(m).is_some_and(|parts| parts.is_matrix())
            }
        };
        match begins {
            true => Ok(()),
            false => Err(Rejected::at(self.line, "the rules do not begin there").into()),
        }
    }

    /// Words for where the search began.
    pub fn words(&self, m: &Machine, w: &World) -> String {
        match &self.origin {
            Origin::Instance(Some(name)) => format!("from {}", canonical_text(m, w, name)),
            Origin::Instance(None) => "from the initial state".to_owned(),
            Origin::Given => format!("from {}", canonical_text(m, w, &self.state)),
            Origin::Once => "of the game".to_owned(),
        }
    }
}

/// What a state that is given has, and no initial state: variables, floats, strings, atoms and functors of arithmetic. Where
/// the rules have no initial state, another one that is listed counts as one.
fn foreign_kinds<'r>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    state: &Record,
    others: impl Iterator<Item = &'r Record>,
) -> Result<FxHashSet<Kind>, Box<RuleError>> {
    let mut left = kinds(state);
    if left.is_empty() {
        return Ok(left);
    }
    let mut find = |state: &Record| {
        let there = kinds(state);
        left.retain(|kind| !there.contains(kind));
        left.is_empty()
    };
    if contract.initial.or(contract.named_initial).is_some() {
        let _ = instances(m, w, contract, MOST_INSTANCES)?.iter().any(|one| find(&one.state));
    } else {
        let _ = others.filter(|other| !same(other, state)).any(find);
    }
    Ok(left)
}

/// Why a start gives no certificate: it is drawn at random, or it is given and has terms of other kinds than the initial
/// states.
///
/// # Errors
/// An error in a rule.
pub(super) fn start_in_doubt(
    m: &mut Machine,
    w: &mut World,
    origin: &Origin,
    state: Option<&Record>,
) -> Result<Option<String>, Box<RuleError>> {
    let contract = Contract::of(m);
    if matches!(origin, Origin::Instance(_)) {
        let condition = impurity_of_start(m, w, &contract);
        return Ok(condition.map(|condition| {
            let condition = condition.replace('`', "");
            format!("what was found holds only if {condition}: give the start by --state, then ask again")
        }));
    }
    let has_starts = contract.initial.or(contract.named_initial).is_some();
    let Some(state) = state.filter(|_| *origin == Origin::Given && has_starts) else {
        return Ok(None);
    };
    let foreign = foreign_kinds(m, w, &contract, state, std::iter::empty())?;
    let why = "the state has variables, floats, strings or arithmetic, and no initial state has such terms";
    Ok((!foreign.is_empty()).then(|| why.to_owned()))
}

fn is_variable(record: &Record) -> bool {
    let (heap, root) = record.to_heap();
    heap.deref(root).is_var()
}

fn origin_of(m: &Machine, term: &Record) -> Option<Origin> {
    let (mut heap, root) = term.to_heap();
    let (name, arity, at) = heap.name_arity(heap.deref(root)).filter(|_| is_ground(&heap, root))?;
    match (m.symbols.name(name), arity) {
        ("given", 0) => Some(Origin::Given),
        ("once", 0) => Some(Origin::Once),
        ("instance", 0) => Some(Origin::Instance(None)),
        ("instance", 1) => {
            let cell = heap.at(at);
            Some(Origin::Instance(Some(Record::new(&mut heap, cell))))
        }
        _ => None,
    }
}

/// A kind of terms that rules mean something else by than by atoms, integers and structures of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Variable,
    Float,
    String,
    Fraction,
    /// An atom or a functor of arithmetic.
    Arithmetic(Atom, usize),
}

/// The kinds of all parts of a term.
fn kinds(record: &Record) -> FxHashSet<Kind> {
    let (heap, root) = record.to_heap();
    let (mut kinds, mut todo) = (FxHashSet::default(), vec![root]);
    let mut seen = FxHashSet::default();
    while let Some(cell) = todo.pop() {
        let cell = heap.deref(cell);
        kinds.extend(kind(&heap, cell));
        if let Some((_, arity, at)) = heap.name_arity(cell).filter(|_| seen.insert(cell)) {
            todo.extend((0..arity).map(|i| heap.at(at + i)));
        }
    }
    kinds
}

fn kind(heap: &Heap, cell: Cell) -> Option<Kind> {
    if cell.is_var() {
        return Some(Kind::Variable);
    }
    if let Some((name, arity, _)) = heap.name_arity(cell) {
        let is_arithmetic = match arity {
            0 => Op0::from_functor(name).is_some(),
            1 => Op1::from_functor(name).is_some(),
            2 => Op2::from_functor(name).is_some(),
            3 => Op3::from_functor(name).is_some(),
            _ => false,
        };
        return is_arithmetic.then_some(Kind::Arithmetic(name, arity));
    }
    match heap.value(cell) {
        Value::Float(_) => Some(Kind::Float),
        Value::Str(_) => Some(Kind::String),
        Value::Rational(_) => Some(Kind::Fraction),
        _ => None,
    }
}
