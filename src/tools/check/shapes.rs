//! Moves of puzzles whose heads show that they lead nowhere: back to the same state, or to a term that is no state.

use zug_domain::Contract;
use zug_explain::{functor, head_args, head_place, resolve};
use zug_machine::{ClauseId, Machine, PredId};
use zug_prolog::builtins::World;
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;

/// Findings about the heads of rule/4.
pub(super) fn of_moves(m: &Machine, w: &World, contract: &Contract) -> Vec<Diagnostic> {
    let (Some(rule), Some(goal)) = (contract.rule, contract.goal) else { return Vec::new() };
    let mut findings = Vec::new();
    for id in m.program.live_clauses(rule) {
        let cells: &[Cell] = &m.program.clauses[id as usize].record.cells;
        let [from, to] = [2, 3].map(|at| argument(m, id, at));
        let (Some(from), Some(to)) = (from, to) else { continue };
        if same(cells, from, to) {
            let message = "this move leads back to the state in which it is made";
            let finding = Diagnostic::warning("W0533", message)
                .hint("the last argument of rule/4 is the state after the move");
            findings.extend(placed(m, w, id, finding));
        } else if let Some(shape) = shape(m, cells, to)
            && !takes(m, (rule, 2), shape)
            && !takes(m, (goal, 0), shape)
        {
            let message = format!(
                "this move leads to {}, which no rule and no final_state takes",
                words(shape)
            );
            let finding = Diagnostic::warning("W0534", message).hint(
                "write the state after the move as the states of the other clauses are written",
            );
            findings.extend(placed(m, w, id, finding));
        }
    }
    findings
}

fn placed(m: &Machine, w: &World, id: ClauseId, finding: Diagnostic) -> Option<Diagnostic> {
    let (source, span) = head_place(m, w, id)?;
    Some(finding.at(&source, span, ""))
}

/// An argument of a clause's head.
fn argument(m: &Machine, id: ClauseId, at: usize) -> Option<Cell> {
    let clause = &m.program.clauses[id as usize];
    let cell = *head_args(clause).get(at)?;
    Some(resolve(&clause.record.cells, cell))
}

/// Whether two terms of a clause are the same, variables included.
fn same(cells: &[Cell], a: Cell, b: Cell) -> bool {
    let mut todo = vec![(a, b)];
    while let Some((a, b)) = todo.pop() {
        let (a, b) = (resolve(cells, a), resolve(cells, b));
        match (functor(cells, a), functor(cells, b)) {
            (Some((name, arity, left)), Some((other, count, right))) if arity > 0 => {
                if (name, arity) != (other, count) {
                    return false;
                }
                todo.extend((0..arity).map(|i| (cells[left + i], cells[right + i])));
            }
            _ if a == b => {}
            _ => return false,
        }
    }
    true
}

/// What a term is from the outside.
#[derive(Clone, Copy, PartialEq)]
enum Shape<'m> {
    List,
    Compound(&'m str, usize),
}

/// The shape of a list or a compound; of constants all may be meant.
fn shape<'m>(m: &'m Machine, cells: &[Cell], term: Cell) -> Option<Shape<'m>> {
    if term == Cell::NIL || term.is_list() {
        return Some(Shape::List);
    }
    let (name, arity, _) = functor(cells, term)?;
    (arity > 0).then(|| Shape::Compound(m.symbols.name(name), arity))
}

/// Whether a clause of a predicate takes states of a shape.
fn takes(m: &Machine, (pred, at): (PredId, usize), wanted: Shape<'_>) -> bool {
    let clauses = m.program.live_clauses(pred);
    clauses.into_iter().any(|id| match argument(m, id, at) {
        Some(term) if !term.is_var() => {
            shape(m, &m.program.clauses[id as usize].record.cells, term) == Some(wanted)
        }
        _ => true,
    })
}

fn words(shape: Shape<'_>) -> String {
    match shape {
        Shape::List => "a list".to_owned(),
        Shape::Compound(name, arity) => format!("a term `{name}` of {arity} arguments"),
    }
}
