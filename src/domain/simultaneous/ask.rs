//! Asking a contract predicate: arguments in, answers out, and the clause at fault where an
//! answer breaks the contract.

use crate::error::{RuleError, Violation};
use std::mem::discriminant;
use zug_machine::{ClauseId, Machine, PredId};
use zug_prolog::builtins::World;
use zug_term::{Cell, Heap, Record};

/// Answers of a clause looked through to find the one at fault.
const MOST_ANSWERS: usize = 10_000;

/// An argument of a contract predicate.
#[derive(Clone, Copy)]
pub(super) enum Arg<'r> {
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
    fn cell(self, heap: &mut Heap) -> Cell {
        match self {
            Arg::Term(record) => record.instantiate(heap),
            Arg::List(records) => list(heap, records.iter().copied()),
            Arg::Any | Arg::Out => heap.new_var(),
        }
    }
}

/// A list of terms.
pub(super) fn list<'r>(heap: &mut Heap, records: impl Iterator<Item = &'r Record>) -> Cell {
    let items: Vec<Cell> = records.map(|record| record.instantiate(heap)).collect();
    heap.list_from(&items, Cell::NIL)
}

/// A question to the rules.
#[derive(Clone, Copy)]
pub(super) struct Question<'r> {
    pub pred: PredId,
    /// Name and arity.
    pub indicator: &'static str,
    pub args: &'r [Arg<'r>],
    /// Answers that are wanted at most.
    pub most: usize,
}

/// Reads an answer from the cells of the arguments that were [`Arg::Out`].
pub(super) type Reader<'f, T> = &'f mut dyn FnMut(&mut Machine, &[Cell]) -> Result<T, Violation>;

/// The answers to a question, each as `read` has it.
///
/// # Errors
/// An exception in the rules, or what `read` finds wrong, with the clause at fault.
pub(super) fn ask<T>(
    (m, w): (&mut Machine, &mut World),
    question: Question<'_>,
    read: Reader<'_, T>,
) -> Result<Vec<T>, Box<RuleError>> {
    let base = m.roots.len();
    let run = m.open();
    let cells: Vec<Cell> = question.args.iter().map(|arg| arg.cell(&mut m.heap)).collect();
    let wanted = question.args.iter().zip(&cells).filter(|(arg, _)| matches!(arg, Arg::Out));
    m.roots.extend(wanted.map(|(_, &cell)| cell));
    let end = m.roots.len();
    let mut found = Vec::new();
    let mut outcome = m.call(w, run, question.pred, &cells);
    let ended = loop {
        match outcome {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(fault) => break Err(Violation::Fault(fault, Box::new(m.trace.clone()))),
        }
        let answer = m.roots[base..end].to_vec();
        let answer = read(m, &answer);
        let last = found.len() + 1 >= question.most || !m.has_more(run);
        if answer.is_err() || last {
            m.abandon(run);
        }
        match answer {
            Ok(answer) => found.push(answer),
            Err(violation) => break Err(violation),
        }
        if last {
            break Ok(());
        }
        outcome = m.redo(w, run);
    };
    m.roots.truncate(base);
    match ended {
        Ok(()) => Ok(found),
        Err(violation) => {
            let clause = blame((m, w), question, &violation, read);
            let mut error = RuleError::new(violation, question.indicator);
            error.clause = clause;
            Err(error)
        }
    }
}

/// The first clause that has an answer with such a fault.
fn blame<T>(
    (m, w): (&mut Machine, &mut World),
    question: Question<'_>,
    violation: &Violation,
    read: Reader<'_, T>,
) -> Option<ClauseId> {
    if matches!(violation, Violation::Fault(..)) {
        return None;
    }
    let mut wrong = |m: &mut Machine, answer: &[Cell]| {
        read(m, answer).is_err_and(|found| discriminant(&found) == discriminant(violation))
    };
    m.program
        .live_clauses(question.pred)
        .into_iter()
        .find(|&id| is_at_fault((m, w), question, id, &mut wrong))
}

fn is_at_fault(
    (m, w): (&mut Machine, &mut World),
    question: Question<'_>,
    id: ClauseId,
    wrong: &mut dyn FnMut(&mut Machine, &[Cell]) -> bool,
) -> bool {
    let (base, outer) = (m.roots.len(), m.open());
    let record = m.program.clauses[id as usize].record.clone();
    let clause = record.instantiate(&mut m.heap);
    let [head, body] = [1, 2].map(|i| m.heap.deref(m.heap.at(clause.addr() + i)));
    let at = m.heap.name_arity(head).map_or(0, |(_, _, args)| args);
    let mut fits = true;
    for (i, arg) in question.args.iter().enumerate() {
        let own = m.heap.at(at + i);
        match arg {
            Arg::Out => m.roots.push(own),
            arg => {
                let given = arg.cell(&mut m.heap);
                fits = fits && m.unify(own, given);
            }
        }
    }
    let end = m.roots.len();
    let mut found = false;
    if fits {
        let (run, mut outcome) = m.solve(w, body);
        for _ in 0..MOST_ANSWERS {
            if !matches!(outcome, Ok(true)) || found {
                break;
            }
            let answer = m.roots[base..end].to_vec();
            found = wrong(m, &answer);
            if !found {
                outcome = m.redo(w, run);
            }
        }
    }
    m.abandon(outer);
    m.roots.truncate(base);
    found
}
