//! The smallest set of goals that still fails, found by leaving out one goal after the other
//! (A. Zeller, R. Hildebrandt 2002, with steps of one, as a query has few goals).

use super::failures::Failures;
use super::goals::{Effects, RunEnd};
use super::places::{Site, clause_place, goal_place, line};
use super::prover::Prover;
use super::question::Question;
use super::terms::TermPrinter;
use super::trials::Trials;
use std::sync::Arc;
use zug_machine::{ClauseId, Fault, Machine};
use zug_prolog::builtins::World;
use zug_term::diagnostic::Label;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Record};

/// Goals of a conjunction beyond which nothing is left out.
const MOST: usize = 16;

/// A conjunction: goals that stay, and goals that may be left out.
struct Conjunction {
    heap: Heap,
    fixed: Vec<Cell>,
    goals: Vec<Cell>,
    names: Vec<Arc<str>>,
    variables: Vec<Cell>,
    /// The addresses of the goals in the image of their clause.
    slots: Vec<u32>,
    /// The clause, and where it stands.
    at: Option<(ClauseId, String)>,
}

/// A remark on which goals of a conjunction are enough for it to fail; nothing where all are
/// needed, or where there is one goal only.
///
/// # Errors
/// An interrupt, or a limit of the whole query.
pub fn note(
    m: &mut Machine,
    w: &mut World,
    question: &Question,
    failures: &Failures,
    told: Option<&Label>,
    trials: &mut Trials,
) -> Result<Option<String>, Fault> {
    let Some(mut all) = conjunction(m, w, question, failures) else { return Ok(None) };
    if all.goals.len() < 2 || all.goals.len() > MOST {
        return Ok(None);
    }
    let mut kept: Vec<usize> = (0..all.goals.len()).collect();
    // From the last on, so that goals stay which bind what others need.
    for leave in (0..all.goals.len()).rev() {
        let without: Vec<usize> = kept.iter().copied().filter(|&i| i != leave).collect();
        if without.is_empty() {
            break;
        }
        let asked = all.question(&without);
        let ended = trials.first(|budget| Prover::new(m, w, &asked, budget, Effects::Skip))?;
        match ended {
            Some(RunEnd::Failed) => kept = without,
            Some(_) => {}
            None => break,
        }
    }
    if kept.len() == all.goals.len() {
        return Ok(None);
    }
    let names = all.names.iter().cloned().zip(all.variables.iter().copied()).collect();
    let words = TermPrinter::new(&all.heap, m, w).named(names);
    let texts: Vec<String> =
        kept.iter().map(|&i| format!("`{}`", words.limited(all.goals[i], 60))).collect();
    let place = match &all.at {
        Some((clause, at)) => {
            let only = kept.first().filter(|_| kept.len() == 1).and_then(|&i| all.slots.get(i));
            let place = only.and_then(|&slot| goal_place(m, w, (Some(*clause), slot)));
            let known = |label: &Label| place.as_ref().is_some_and(|(_, span)| *span == label.span);
            if told.is_some_and(known) {
                // The finding says so already.
                return Ok(None);
            }
            format!(" of the clause at {at}")
        }
        None => String::new(),
    };
    Ok(Some(match texts.as_slice() {
        [one] => format!("goal {}{place} fails on its own: {one}", kept[0] + 1),
        _ => format!("these goals{place} fail together, without the others: {}", texts.join(", ")),
    }))
}

/// The conjunction that was asked, or the body of the clause that came furthest.
fn conjunction(
    m: &Machine,
    w: &World,
    question: &Question,
    failures: &Failures,
) -> Option<Conjunction> {
    let (heap, root) = question.term.to_heap();
    let (_, arity, args) = heap.name_arity(root)?;
    let goal = heap.deref(heap.at(args));
    let variables = (1..arity).map(|i| heap.deref(heap.at(args + i))).collect();
    let (goals, _) = flat(&heap, args);
    if goals.len() > 1 {
        let (names, slots) = (question.names.clone(), Vec::new());
        return Some(Conjunction {
            heap,
            fixed: Vec::new(),
            goals,
            names,
            variables,
            slots,
            at: None,
        });
    }
    let (name, arity, _) = heap.name_arity(goal)?;
    let own = |clause: ClauseId| {
        let pred = m.program.clauses[clause as usize].pred;
        let pred = &m.program.preds[pred as usize];
        pred.name == name && pred.arity == arity
    };
    let sites = failures.all().iter().filter(|failure| !failure.soft);
    let inside = |site: &Site| site.0.filter(|&clause| own(clause));
    let best = sites
        .filter_map(|failure| {
            let mut path = std::iter::once(&failure.site).chain(&failure.callers);
            Some((failure.progress, path.find_map(inside)?))
        })
        .max_by_key(|(progress, _)| *progress)?;
    let clause = &m.program.clauses[best.1 as usize];
    let place = clause.place.as_ref()?;
    let mut heap = heap;
    let base = heap.top();
    let root = clause.record.instantiate(&mut heap);
    let (goals, slots) = flat(&heap, root.addr() + 2);
    let slots = slots.into_iter().map(|slot| (slot - base) as u32).collect();
    if goals.iter().any(|&goal| has_cut(&heap, goal)) {
        return None;
    }
    let head = heap.at(root.addr() + 1);
    let matching = heap.new_struct(atoms::UNIFY, &[head, goal]);
    let (names, variables) = place
        .variables
        .iter()
        .map(|(name, addr)| (name.clone(), heap.deref(Cell::reference(base + *addr as usize))))
        .unzip();
    let at = clause_place(m, w, best.1).map(|place| (best.1, line(&place)));
    Some(Conjunction { heap, fixed: vec![matching], goals, names, variables, slots, at })
}

/// The goals of the conjunction in a cell, and the cells that hold them.
fn flat(heap: &Heap, slot: usize) -> (Vec<Cell>, Vec<usize>) {
    let (mut goals, mut slots) = (Vec::new(), Vec::new());
    let mut todo = vec![slot];
    while let Some(slot) = todo.pop() {
        match heap.name_arity(heap.at(slot)) {
            Some((atoms::COMMA, 2, args)) => todo.extend([args + 1, args]),
            _ => {
                goals.push(heap.deref(heap.at(slot)));
                slots.push(slot);
            }
        }
        if goals.len() > MOST {
            break;
        }
    }
    (goals, slots)
}

fn has_cut(heap: &Heap, goal: Cell) -> bool {
    let mut todo = vec![goal];
    while let Some(goal) = todo.pop() {
        match heap.name_arity(goal) {
            Some((atoms::CUT | atoms::DOLLAR, 0, _)) => return true,
            Some((atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW, 2, args)) => {
                todo.extend([heap.at(args), heap.at(args + 1)]);
            }
            _ => {}
        }
    }
    false
}

impl Conjunction {
    /// These goals, as a question.
    fn question(&mut self, kept: &[usize]) -> Question {
        let top = self.heap.top();
        let goals = kept.iter().map(|&i| self.goals[i]);
        let all: Vec<Cell> = self.fixed.iter().copied().chain(goals).collect();
        let mut body = all.last().copied().unwrap_or(Cell::atom(atoms::TRUE));
        for &goal in all.iter().rev().skip(1) {
            body = self.heap.new_struct(atoms::COMMA, &[goal, body]);
        }
        let mut parts = vec![body];
        parts.extend(&self.variables);
        let term = self.heap.new_struct(atoms::CALL, &parts);
        let term = Record::new(&mut self.heap, term);
        self.heap.cells.truncate(top);
        Question::of(term, self.names.clone())
    }
}
