//! Unevaluated expressions, and values that are nearly those asked for.

use super::case::{Case, is_written_expression};
use super::explanation::Advice;
use super::places::{Site, functor, goal_place, resolve};
use zug_machine::{Kind, Space};
use zug_term::source::{Source, Span};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// Callers whose clauses are looked at.
const CALLERS: usize = 6;

/// Goals `X = Y + 1` in the clauses that led to a failure.
pub fn unevaluated(case: &Case<'_>) -> Option<(Source, Span)> {
    let mut sites: Vec<Site> = vec![case.failure.site];
    sites.extend(case.failure.callers.iter().take(CALLERS).copied());
    for (clause, _) in sites {
        let Some(id) = clause else { continue };
        let Some(found) = unevaluated_in(case.m, id) else { continue };
        return goal_place(case.m, case.w, (Some(id), found));
    }
    None
}

/// A goal `X = Y + 1` in a clause, or a call with `Y + 1` as an argument: its site.
pub fn unevaluated_in(m: &zug_machine::Machine, id: u32) -> Option<u32> {
    let clause = m.program.clauses.get(id as usize)?;
    let cells = &clause.record.cells;
    let place = clause.place.as_ref()?;
    let has = |slot: u32, equation: bool| {
        let Some((name, arity, args)) = functor(cells, cells[slot as usize]) else { return false };
        if arity == 0 || (name == atoms::UNIFY && arity == 2) != equation {
            return false;
        }
        let system = m.program.lookup(name, arity, Space::System);
        let own = m.program.lookup(name, arity, Space::User);
        let is_user = own.is_some_and(|id| m.program.preds[id as usize].kind != Kind::Undefined);
        if !equation && system.is_some() && !is_user {
            return false;
        }
        (0..arity).any(|i| is_written_expression(m, cells, cells[args + i]))
    };
    let slots = || place.goals.iter().map(|(slot, _)| *slot);
    slots().find(|&slot| has(slot, true)).or_else(|| slots().find(|&slot| has(slot, false)))
}

/// A comparison of what came as `N-1` from a caller, where nobody computed it.
pub fn unevaluated_test(case: &Case<'_>) -> Option<Advice> {
    let (name, arity) = case.name();
    if arity != 2 || !matches!(name, "<" | ">" | "=<" | ">=" | "=:=" | "=\\=") {
        return None;
    }
    let (cells, goal) = case.written()?;
    let (_, _, args) = functor(cells, goal)?;
    let came = |i: usize| {
        let cell = case.argument(i)?;
        let written = resolve(cells, cells[args + i]);
        (written.is_var() && case.is_expression(cell)).then_some(cell)
    };
    let term = came(0).or_else(|| came(1))?;
    let place = unevaluated(case)?;
    let hint = format!(
        "`{}` is a term that nobody has worked out: compute it with `is` before it is passed on",
        case.words().limited(term, 40)
    );
    Some(Advice::new(3, hint).at(Some(place), "this does not compute"))
}

/// The right side of `is` has the same value, but of another kind.
pub fn value(case: &Case<'_>, left: Cell, right: Cell) -> Option<Advice> {
    let mut budget = 200;
    let same = about(case, left, &mut budget)? == about(case, right, &mut budget)?;
    same.then(|| {
        Advice::new(1, "an integer never equals a float here, as 1 and 1.0: `=:=` compares values")
    })
}

/// The value of an expression of no more than 200 terms, about; `None` where there are others in it.
fn about(case: &Case<'_>, cell: Cell, budget: &mut u32) -> Option<f64> {
    // Each level takes of the budget, so that this does not go deep.
    *budget = budget.checked_sub(1)?;
    match case.store.heap.value(cell) {
        Value::Int(n) => Some(n as f64),
        Value::Float(x) => Some(x),
        Value::Struct(name, arity @ 1..=2, args) => {
            let a = about(case, case.store.heap.at(args), budget)?;
            let b = match arity {
                2 => about(case, case.store.heap.at(args + 1), budget)?,
                _ => 0.0,
            };
            match (case.m.symbols.name(name), arity) {
                ("+", 2) => Some(a + b),
                ("-", 2) => Some(a - b),
                ("*", 2) => Some(a * b),
                ("/", 2) => Some(a / b),
                ("**" | "^", 2) => Some(a.powf(b)),
                ("-", 1) => Some(-a),
                ("+" | "float", 1) => Some(a),
                ("sqrt", 1) => Some(a.sqrt()),
                ("abs", 1) => Some(a.abs()),
                _ => None,
            }
        }
        _ => None,
    }
}
