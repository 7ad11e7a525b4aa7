//! OpenQuery a contract predicate: arguments in, answers out, and the clause at fault where an
//! answer breaks the contract.
//!
//! Puzzles, games and games in which all move at once ask their rules here. When a question is
//! answered, heap and trail are as before it.

use crate::error::Violation;
use zug_machine::{ClauseId, Fault, Machine, OpenQuery, PredId};
use zug_prolog::builtins::World;
use zug_state::{Codec, Unpackable};
use zug_term::{Cell, Heap, Record};

/// Answers of a clause looked through to find the one at fault.
const MOST_ANSWERS: usize = 10_000;
/// The most arguments of a contract predicate.
const MOST_ARGS: usize = 4;

/// Who asks: the machine that has the rules, its world, and how states are packed.
pub(crate) type Asker<'a> = (&'a mut Machine, &'a mut World, &'a mut Codec);

/// An argument of a contract predicate.
#[derive(Clone, Copy)]
pub(crate) enum Arg<'r> {
    /// A packed term: a state, a player, a move's name.
    Packed(&'r [u8]),
    /// An atom or a number.
    Atomic(Cell),
    /// A term.
    Term(&'r Record),
    /// A list of terms.
    List(&'r [&'r Record]),
    /// Anything: a fresh variable.
    Any,
    /// What the rules say; a fresh variable.
    Out,
}

impl Arg<'_> {
    /// The argument on a heap.
    #[inline]
    pub(crate) fn cell(self, heap: &mut Heap, codec: &Codec) -> Cell {
        match self {
            Arg::Packed(bytes) => codec.decode(bytes, heap),
            Arg::Atomic(cell) => cell,
            Arg::Term(record) => record.instantiate(heap),
            Arg::List(records) => list(heap, records),
            Arg::Any | Arg::Out => heap.new_var(),
        }
    }
}

/// A list of terms.
pub(crate) fn list(heap: &mut Heap, records: &[&Record]) -> Cell {
    let items: Vec<Cell> = records.iter().map(|record| record.instantiate(heap)).collect();
    heap.list_from(&items, Cell::NIL)
}

impl Violation {
    /// What a rule raised just now, or why it was stopped.
    #[cold]
    pub(crate) fn raised(m: &Machine, fault: Fault) -> Violation {
        Violation::Fault(fault, Box::new(m.trace.clone()))
    }
}

impl From<Unpackable> for Violation {
    fn from(problem: Unpackable) -> Violation {
        match problem {
            Unpackable::Cyclic => Violation::Cyclic,
            Unpackable::TooLarge => Violation::TooLarge,
            Unpackable::Attributed => Violation::Attributed,
        }
    }
}

/// Puts the arguments on the heap and calls the predicate: whether it has an answer.
#[inline]
fn call(
    ask: &mut OpenQuery<'_, World>,
    codec: &Codec,
    pred: PredId,
    args: &[Arg<'_>],
) -> Result<bool, Violation> {
    let mut cells = [Cell::ZERO; MOST_ARGS];
    for (cell, arg) in cells.iter_mut().zip(args) {
        if !matches!(arg, Arg::Out) {
            *cell = arg.cell(&mut ask.machine.heap, codec);
        }
    }
    for (cell, arg) in cells.iter_mut().zip(args) {
        if matches!(arg, Arg::Out) {
            [*cell] = ask.outputs();
        }
    }
    ask.call(pred, &cells[..args.len()]).map_err(|fault| Violation::raised(ask.machine, fault))
}

/// Hands on the answers one by one, each as the cells of the arguments that are [`Arg::Out`],
/// until `visit` wants no more of them: it says whether it does.
///
/// # Errors
/// An exception in the rules, or what `visit` finds wrong.
#[inline]
pub(crate) fn each<const N: usize>(
    (m, w, codec): Asker<'_>,
    pred: PredId,
    args: &[Arg<'_>],
    mut visit: impl FnMut(&mut Machine, &mut Codec, [Cell; N]) -> Result<bool, Violation>,
) -> Result<(), Violation> {
    m.ask(w, |ask| {
        let mut answered = call(ask, codec, pred, args)?;
        while answered {
            let row = ask.rooted();
            answered = visit(ask.machine, codec, row)?
                && ask.redo().map_err(|fault| Violation::raised(ask.machine, fault))?;
        }
        Ok(())
    })
}

/// Reads the first answer, if there is one.
///
/// # Errors
/// As [`each`].
#[inline]
pub(crate) fn first<T, const N: usize>(
    (m, w, codec): Asker<'_>,
    pred: PredId,
    args: &[Arg<'_>],
    read: impl FnOnce(&mut Machine, &mut Codec, [Cell; N]) -> Result<T, Violation>,
) -> Result<Option<T>, Violation> {
    m.ask(w, |ask| {
        if !call(ask, codec, pred, args)? {
            return Ok(None);
        }
        let row = ask.rooted();
        read(ask.machine, codec, row).map(Some)
    })
}

/// The first clause that has an answer which passes the test.
#[cold]
pub(crate) fn clause_with<const N: usize>(
    (m, w, codec): Asker<'_>,
    pred: PredId,
    args: &[Arg<'_>],
    mut test: impl FnMut(&mut Machine, &mut Codec, [Cell; N]) -> bool,
) -> Option<ClauseId> {
    m.program.live_clauses(pred).into_iter().find(|&id| {
        m.ask(w, |ask| {
            let Some(body) = fit(ask, codec, id, args) else { return false };
            let mut outcome = ask.goal(body);
            for _ in 0..MOST_ANSWERS {
                if !matches!(outcome, Ok(true)) {
                    return false;
                }
                let row = ask.rooted();
                if test(ask.machine, codec, row) {
                    return true;
                }
                outcome = ask.redo();
            }
            false
        })
    })
}

/// The first clause whose head fits the arguments.
#[cold]
pub(crate) fn clause_about(
    (m, w, codec): Asker<'_>,
    pred: PredId,
    args: &[Arg<'_>],
) -> Option<ClauseId> {
    let clauses = m.program.live_clauses(pred).into_iter();
    clauses.into_iter().find(|&id| m.ask(w, |ask| fit(ask, codec, id, args).is_some()))
}

/// Puts a clause on the heap, its head unified with the arguments: its body, if they fit.
pub(crate) fn fit(
    ask: &mut OpenQuery<'_, World>,
    codec: &Codec,
    id: ClauseId,
    args: &[Arg<'_>],
) -> Option<Cell> {
    let m = &mut *ask.machine;
    let record = m.program.clauses[id as usize].record.clone();
    let clause = record.instantiate(&mut m.heap);
    let [head, body] = [1, 2].map(|i| m.heap.deref(m.heap.at(clause.addr() + i)));
    let at = m.heap.name_arity(head).map_or(0, |(_, _, args)| args);
    for (i, arg) in args.iter().enumerate() {
        let own = ask.machine.heap.at(at + i);
        if matches!(arg, Arg::Out) {
            ask.add_root(own);
            continue;
        }
        let given = arg.cell(&mut ask.machine.heap, codec);
        if !ask.machine.unify(own, given) {
            return None;
        }
    }
    Some(body)
}

/// Packs a term: the bytes, until the codec is used again.
///
/// # Errors
/// It is cyclic or too large.
pub(crate) fn pack<'c>(
    m: &mut Machine,
    codec: &'c mut Codec,
    term: &Record,
) -> Result<&'c [u8], Violation> {
    m.scratch(|m| {
        let cell = term.instantiate(&mut m.heap);
        Ok(codec.encode_bytes(&mut m.heap, cell)?)
    })
}

/// As [`pack`], for what is no state: the name of a move.
///
/// # Errors
/// It is cyclic or too large.
pub(crate) fn pack_plain<'c>(
    m: &mut Machine,
    codec: &'c mut Codec,
    term: &Record,
) -> Result<&'c [u8], Violation> {
    m.scratch(|m| {
        let cell = term.instantiate(&mut m.heap);
        Ok(codec.encode_plain(&mut m.heap, cell)?)
    })
}

/// A packed term as a record.
pub(crate) fn unpack(m: &mut Machine, codec: &Codec, packed: &[u8]) -> Record {
    m.scratch(|m| {
        let cell = codec.decode(packed, &mut m.heap);
        Record::new(&mut m.heap, cell)
    })
}
