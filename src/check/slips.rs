//! Slips in clauses that their text alone tells: arithmetic that is not computed, `is` with its
//! sides swapped, recursion that comes before anything else.

use crate::builtins::World;
use crate::diagnostic::Diagnostic;
use crate::domain::purity::goals::{self, Goal};
use crate::explain::{called_at, functor, indicator_of, is_number, resolve, visit, would_end};
use crate::machine::{ClauseId, Machine};
use crate::source::{Source, Span};
use crate::symbol::{Atom, atoms};
use crate::term::Cell;

/// Slips in all clauses of the user's.
pub(super) fn in_clauses(m: &Machine, w: &World, is_domain: bool) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for pred in super::user_predicates(m) {
        for id in m.program.live_clauses(pred) {
            if m.program.clauses[id as usize].place.is_none() {
                continue;
            }
            for goal in goals::of_clause(m, id) {
                let own = m.program.is_users(goal.name, goal.arity, goal.space);
                if goal.written == 2 && goal.arity == 2 && !own {
                    findings.extend(arithmetic(m, w, id, &goal));
                }
            }
        }
        if is_domain && would_end(m, pred) {
            findings.extend(left_recursion(m, w, pred));
        }
    }
    findings
}

/// Whether a term is an expression of arithmetic over numbers and variables, with an operator.
fn is_expression(m: &Machine, cells: &[Cell], term: Cell) -> bool {
    let Some((name, 2, args)) = functor(cells, term) else { return false };
    let operator = matches!(m.symbols.name(name), "+" | "-" | "*" | "/" | "//" | "mod" | "rem");
    operator && (0..2).all(|i| is_operand(m, cells, resolve(cells, cells[args + i])))
}

/// An operand, or an expression of operands: numbers and variables.
fn is_operand(m: &Machine, cells: &[Cell], term: Cell) -> bool {
    let mut fits = true;
    visit(cells, term, &mut |cell| {
        let operator = functor(cells, cell).is_some_and(|(name, arity, _)| {
            arity == 2
                && matches!(m.symbols.name(name), "+" | "-" | "*" | "/" | "//" | "mod" | "rem")
        });
        fits &= operator || cell.is_ref() || is_number(cells, cell);
    });
    fits
}

fn number_inside(cells: &[Cell], term: Cell) -> bool {
    let mut found = false;
    visit(cells, term, &mut |cell| found |= is_number(cells, cell));
    found
}

fn has_variable(cells: &[Cell], term: Cell) -> bool {
    let mut found = false;
    visit(cells, term, &mut |cell| found |= cell.is_ref());
    found
}

/// Whether a variable is computed with in another goal of the clause.
fn computed(m: &Machine, id: ClauseId, but: &Goal, variables: Cell) -> bool {
    let cells = &m.program.clauses[id as usize].record.cells;
    let mut wanted = Vec::new();
    visit(cells, variables, &mut |cell| {
        if cell.is_ref() {
            wanted.push(cell);
        }
    });
    let mut found = false;
    for goal in goals::of_clause(m, id).iter().filter(|goal| goal.slot != but.slot) {
        if goal.written != 2 || !is_arithmetic(goal.name) {
            continue;
        }
        for i in 0..2 {
            visit(cells, cells[goal.args + i], &mut |cell| found |= wanted.contains(&cell));
        }
    }
    found
}

fn is_arithmetic(name: Atom) -> bool {
    matches!(
        name,
        atoms::IS
            | atoms::NUM_EQ
            | atoms::NUM_NE
            | atoms::NUM_LT
            | atoms::NUM_GT
            | atoms::NUM_LE
            | atoms::NUM_GE
    )
}

fn arithmetic(m: &Machine, w: &World, id: ClauseId, goal: &Goal) -> Option<Diagnostic> {
    let cells = &m.program.clauses[id as usize].record.cells;
    let (left, right) = (goal.arg(cells, 0)?, goal.arg(cells, 1)?);
    let at = |finding: Diagnostic| match called_at(m, w, id, goal.slot, goal.name) {
        Some((source, span)) => finding.at(&source, span, ""),
        None => finding,
    };
    if goal.name == atoms::IS {
        return assignment(m, cells, left, right)
            .map(|(message, hint)| at(Diagnostic::warning("W0511", message).hint(hint)));
    }
    let (operator, meant, always) = match goal.name {
        atoms::IDENTICAL => ("==", "=:=", "never true"),
        atoms::NOT_IDENTICAL => ("\\==", "=\\=", "always true"),
        atoms::UNIFY => ("=", "=:=", "never true"),
        atoms::NOT_UNIFY => ("\\=", "=\\=", "always true"),
        _ => return None,
    };
    let sides = [(left, right), (right, left)];
    let (expression, other) = sides.into_iter().find(|side| is_expression(m, cells, side.0))?;
    let (name, ..) = functor(cells, expression)?;
    // Pairs and quotients are data more often than not.
    let data = matches!(m.symbols.name(name), "-" | "/");
    let message = if is_number(cells, other) {
        format!("`{operator}` does not compute: an expression against a number is {always}")
    } else if other.is_ref()
        && matches!(goal.name, atoms::IDENTICAL | atoms::NOT_IDENTICAL)
        && (!data || number_inside(cells, expression))
        && (!data || computed(m, id, goal, expression) || computed(m, id, goal, other))
    {
        format!("`{operator}` does not compute: it compares terms as they are written")
    } else {
        return None;
    };
    let hint = format!("numbers are compared by `{meant}`");
    let finding = at(Diagnostic::warning("W0512", message).hint(hint));
    Some(replaced(finding, operator, meant))
}

/// The finding with its operator replaced, if it stands once in the goal.
fn replaced(finding: Diagnostic, operator: &str, meant: &str) -> Diagnostic {
    let Some(place) = finding.primary.clone() else { return finding };
    let span = place.span;
    let text = place.source.text.get(span.start as usize..span.end as usize).unwrap_or("");
    let mut found = text.match_indices(operator);
    match (found.next(), found.next()) {
        (Some((at, _)), None) => {
            let start = span.start + at as u32;
            let end = start + operator.len() as u32;
            finding.mend(&place.source, Span { start, end }, meant)
        }
        _ => finding,
    }
}

/// What is wrong with `Left is Right`.
fn assignment(m: &Machine, cells: &[Cell], left: Cell, right: Cell) -> Option<(String, String)> {
    let changes = left.is_ref() && right != left && {
        let mut found = false;
        visit(cells, right, &mut |cell| found |= cell == left);
        found
    };
    if changes {
        let message = "`is` does not change a variable: the same one stands on both sides";
        let hint = "give the result another name, as in `N1 is N + 1`";
        return Some((message.to_owned(), hint.to_owned()));
    }
    if is_expression(m, cells, left) && has_variable(cells, left) {
        let message = "the left side of `is` is not computed";
        let hint = if right.is_ref() {
            "the result stands on the left: `N is M + 1`"
        } else {
            "compare by `=:=`, or put the result on the left: `N is M + 1`"
        };
        return Some((message.to_owned(), hint.to_owned()));
    }
    None
}

fn left_recursion(m: &Machine, w: &World, pred: u32) -> Option<Diagnostic> {
    let own = &m.program.preds[pred as usize];
    let (id, goal) = m.program.live_clauses(pred).into_iter().find_map(|id| {
        let first = goals::of_clause(m, id).into_iter().next()?;
        ((first.name, first.arity) == (own.name, own.arity)).then_some((id, first))
    })?;
    let name = indicator_of(m, pred);
    let message = format!("left recursion: `{name}` calls itself before anything else");
    let hint =
        format!("put a goal that binds something before the call, or write `:- table {name}.`");
    let finding = Diagnostic::warning("W0513", message).hint(hint);
    Some(match called_at(m, w, id, goal.slot, goal.name) {
        Some((source, span)) => finding.at(&source, span, ""),
        None => finding,
    })
}

/// The place and operator `=` of a goal that binds a variable to an expression, and its operator:
/// where a state may get arithmetic that nobody computed.
pub(super) struct Uncomputed {
    pub operator: String,
    pub place: (Source, Span),
    /// Where the `=` stands, if it is one.
    pub equals: Option<(Source, Span)>,
}

/// Expressions in the clauses that a predicate reaches: `M = N + 1`, or `f(N - 1)` in a head or
/// a goal that does not compute.
pub(super) fn uncomputed(m: &Machine, w: &World, reached: &[u32]) -> Vec<Uncomputed> {
    let mut found = Vec::new();
    for &pred in reached {
        for id in m.program.live_clauses(pred) {
            let clause = &m.program.clauses[id as usize];
            let cells = &clause.record.cells;
            for goal in goals::of_clause(m, id) {
                if is_arithmetic(goal.name) && goal.written == 2 {
                    continue;
                }
                for i in 0..goal.written {
                    let Some(operator) = expression_in(m, cells, cells[goal.args + i]) else {
                        continue;
                    };
                    let Some(place) = called_at(m, w, id, goal.slot, goal.name) else { continue };
                    let equals = (goal.name == atoms::UNIFY && goal.written == 2)
                        .then(|| sign_of(&place))
                        .flatten();
                    found.push(Uncomputed { operator, place, equals });
                }
            }
            if let Some(operator) = expression_in(m, cells, clause.head())
                && let Some(place) = crate::explain::head_place(m, w, id)
            {
                found.push(Uncomputed { operator, place, equals: None });
            }
        }
    }
    found
}

/// Where the only `=` of a goal stands that is of the form `Variable = …`.
fn sign_of(place: &(Source, Span)) -> Option<(Source, Span)> {
    let (source, span) = place;
    let text = source.text.get(span.start as usize..span.end as usize)?;
    let (left, _) = text.split_once('=')?;
    let variable = left.trim();
    let is_variable = variable.starts_with(|c: char| c.is_uppercase() || c == '_')
        && variable.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_variable || text.matches('=').count() != 1 {
        return None;
    }
    let start = span.start + left.len() as u32;
    Some((source.clone(), Span { start, end: start + 1 }))
}

/// The operator of an expression with a variable in it, somewhere in a term.
fn expression_in(m: &Machine, cells: &[Cell], term: Cell) -> Option<String> {
    let mut found = None;
    visit(cells, term, &mut |cell| {
        let Some((name, 2, _)) = functor(cells, cell) else { return };
        let data = matches!(m.symbols.name(name), "-" | "/");
        let counts = !data || number_inside(cells, cell);
        if counts && is_expression(m, cells, cell) && has_variable(cells, cell) {
            found.get_or_insert_with(|| m.symbols.name(name).to_owned());
        }
    });
    found
}
