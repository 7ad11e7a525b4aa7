//! Facts that a predicate keeps to answer faster the next time, and for nothing else.

use super::access::{Resource, inside};
use super::goals::Goal;
use super::{Body, Program};
use zug_explain::{functor, resolve, visit};
use zug_machine::{ClauseId, Machine, PredId};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// Whether facts are a pure cache of one predicate's answers: it alone reads and adds them, as
/// `memo(N, F)` of its own arguments; nobody takes them back, and no clause fails for one.
pub(super) fn is_cache(program: &Program, reached: &[PredId], key: Resource) -> bool {
    let Resource::Facts(name, arity) = key else { return false };
    let mut owner = None;
    let mut reads = 0;
    for &pred in reached {
        for body in program.bodies(pred) {
            for (at, goal) in body.walk.goals.iter().enumerate() {
                let Some(access) = body.accesses[at].filter(|t| t.key.meets(key)) else { continue };
                let is_call = (goal.name, goal.arity) == (name, arity);
                let adds = program.m.symbols.name(goal.name).starts_with("assert");
                let fits = if is_call {
                    reads += 1;
                    !goal.negated && !fails_behind(body, at) && of_head(program.m, body, goal, None)
                } else {
                    access.writes && adds && of_head(program.m, body, goal, Some(0))
                };
                if !fits || *owner.get_or_insert(pred) != pred {
                    return false;
                }
            }
        }
    }
    arity > 1 && reads > 0
}

fn fails_behind(body: &Body, at: usize) -> bool {
    let goals = body.walk.goals.iter().enumerate();
    goals.skip(at + 1).any(|(later, goal)| {
        goal.arity == 0
            && matches!(goal.name, atoms::FAIL | atoms::FALSE)
            && body.walk.precedes(at, later)
    })
}

/// Whether the arguments of a goal, or of the fact in one of its arguments, are built from the
/// variables of the clause's head alone.
fn of_head(m: &Machine, body: &Body, goal: &Goal, fact: Option<usize>) -> bool {
    let cells = &m.program.clauses[body.clause as usize].record.cells;
    let known = head_variables(m, body.clause);
    let term = match fact {
        Some(at) => goal.arg(cells, at),
        None => Some(resolve(cells, cells[goal.slot])),
    };
    let Some(term) = term.filter(|&term| !is_rule(cells, term)) else { return false };
    let mut fits = true;
    visit(cells, inside(cells, term), &mut |cell| {
        fits &= !cell.is_var() || known.contains(&cell);
    });
    fits
}

fn is_rule(cells: &[Cell], term: Cell) -> bool {
    matches!(functor(cells, term), Some((atoms::NECK, 2, _)))
}

fn head_variables(m: &Machine, id: ClauseId) -> Vec<Cell> {
    let clause = &m.program.clauses[id as usize];
    let mut found = Vec::new();
    visit(&clause.record.cells, clause.head(), &mut |cell| {
        if cell.is_var() {
            found.push(cell);
        }
    });
    found
}
