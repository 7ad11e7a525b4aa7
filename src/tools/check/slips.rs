//! Slips in clauses, found in their text alone: arithmetic that is not computed, `is` with its
//! sides swapped, recursion that comes before anything else.

use super::placed;
use super::states::{GrownExpression, Uncomputed};
use zug_domain::PREDICATES;
use zug_domain::purity::goals::{self, Goal};
use zug_explain::{
    called_at, clause_place, functor, has, head_place, indicator_of, is_number, resolve,
    variables_in, visit, would_end,
};
use zug_machine::arithmetic::Op0;
use zug_machine::{ClauseId, Machine};
use zug_prolog::builtins::World;
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::{Atom, atoms};

/// Slips in all clauses of the user's.
pub(super) fn in_clauses(m: &Machine, w: &World) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for pred in super::user_predicates(m) {
        let clauses = m.program.live_clauses(pred).into_iter();
        for id in clauses.filter(|&id| m.program.clauses[id as usize].place.is_some()) {
            let goals = goals::of_clause(m, id);
            let mut atom_told = false;
            for goal in &goals {
                let own = m.program.is_users(goal.name, goal.arity, goal.space);
                if !own {
                    findings.extend(name_for_number(m, w, id, goal));
                }
                if goal.written == 2 && goal.arity == 2 && !own {
                    findings.extend(arithmetic(m, w, id, goal));
                    let found = no_function(m, w, id, goal).filter(|_| !atom_told);
                    atom_told |= found.is_some();
                    findings.extend(found);
                }
            }
            findings.extend(goes_on(m, w, id, &goals));
            findings.extend(text_as_value(m, w, id, &goals));
        }
        if would_end(m, pred) {
            findings.extend(left_recursion(m, w, pred));
        }
    }
    findings
}

/// Whether a term is an expression of arithmetic over numbers and variables, with an operator.
fn is_expression(m: &Machine, cells: &[Cell], term: Cell) -> bool {
    let is_operation = |term: Cell| {
        functor(cells, term).is_some_and(|(name, arity, _)| {
            arity == 2
                && matches!(m.symbols.name(name), "+" | "-" | "*" | "/" | "//" | "mod" | "rem")
        })
    };
    let is_other = |cell: Cell| !is_operation(cell) && !cell.is_var() && !is_number(cells, cell);
    is_operation(term) && !has(cells, term, is_other)
}

fn number_inside(cells: &[Cell], term: Cell) -> bool {
    has(cells, term, |cell| is_number(cells, cell))
}

/// Whether a variable is computed with in another goal of the clause.
fn computed(m: &Machine, id: ClauseId, but: Option<&Goal>, variables: Cell) -> bool {
    let cells = &m.program.clauses[id as usize].record.cells;
    let wanted = variables_in(cells, variables);
    goals::of_clause(m, id).iter().any(|goal| {
        let counts = goal.written == 3 && m.symbols.name(goal.name) == "between"
            || goal.written == 2 && is_arithmetic(goal.name);
        let args = &cells[goal.args..goal.args + goal.written];
        counts
            && but.is_none_or(|but| goal.slot != but.slot)
            && args.iter().any(|&term| has(cells, term, |cell| wanted.contains(&cell)))
    })
}

/// Comparisons of numbers.
#[rustfmt::skip]
const COMPARISONS: [Atom; 6] = [
    atoms::NUM_EQ, atoms::NUM_NE, atoms::NUM_LT, atoms::NUM_GT, atoms::NUM_LE, atoms::NUM_GE,
];

pub(super) fn is_comparison(name: Atom) -> bool {
    COMPARISONS.contains(&name)
}

fn is_arithmetic(name: Atom) -> bool {
    name == atoms::IS || is_comparison(name)
}

fn arithmetic(m: &Machine, w: &World, id: ClauseId, goal: &Goal) -> Option<Diagnostic> {
    let cells = &m.program.clauses[id as usize].record.cells;
    let (left, right) = (goal.arg(cells, 0)?, goal.arg(cells, 1)?);
    let at = |finding| placed(finding, called_at(m, w, id, goal.slot, goal.name));
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
    } else if other.is_var()
        && matches!(goal.name, atoms::IDENTICAL | atoms::NOT_IDENTICAL)
        && (!data || number_inside(cells, expression))
        && (!data || computed(m, id, Some(goal), expression) || computed(m, id, Some(goal), other))
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
    if left.is_var() && right != left && has(cells, right, |cell| cell == left) {
        let message = "`is` does not change a variable: the same one stands on both sides";
        let hint = "give the result another name, as in `N1 is N + 1`";
        return Some((message.to_owned(), hint.to_owned()));
    }
    if is_expression(m, cells, left) && has(cells, left, Cell::is_var) {
        let message = "the left side of `is` is not computed";
        let hint = if right.is_var() {
            "the result stands on the left: `N is M + 1`"
        } else {
            "compare by `=:=`, or put the result on the left: `N is M + 1`"
        };
        return Some((message.to_owned(), hint.to_owned()));
    }
    None
}

/// An atom in arithmetic that is no function, where a variable of the same letters is meant:
/// `r =\= Q`.
fn no_function(m: &Machine, w: &World, id: ClauseId, goal: &Goal) -> Option<Diagnostic> {
    if !is_arithmetic(goal.name) {
        return None;
    }
    let cells: &[Cell] = &m.program.clauses[id as usize].record.cells;
    let first = if goal.name == atoms::IS { 1 } else { 0 };
    let mut odd = None;
    for i in first..2 {
        visit(cells, cells[goal.args + i], &mut |cell| {
            if let Some(atom) = cell.as_atom()
                && Op0::from_functor(atom).is_none()
                && atom != atoms::NIL
                && m.symbols.name(atom).chars().count() > 0
            {
                odd.get_or_insert(atom);
            }
        });
    }
    let name = m.symbols.name(odd?);
    let (source, span) = called_at(m, w, id, goal.slot, goal.name)?;
    let message = format!("arithmetic knows no `{name}`: this goal raises an error");
    let capital = capitalised(name)?;
    let hint = as_variable(m, id, &capital).unwrap_or_else(|| {
        format!(
            "write the number; or a fact `{name}(…).` and a goal `{name}({capital})` before, and compute with `{capital}`"
        )
    });
    Some(Diagnostic::warning("W0526", message).hint(hint).at(&source, span, ""))
}

fn capitalised(name: &str) -> Option<String> {
    let mut letters = name.chars();
    Some(letters.next()?.to_uppercase().chain(letters).collect())
}

/// Advice if a clause has a variable of this name.
fn as_variable(m: &Machine, id: ClauseId, name: &str) -> Option<String> {
    let place = m.program.clauses[id as usize].place.as_deref()?;
    let is_known = place.variables.iter().any(|(known, _)| **known == *name);
    is_known.then(|| format!("a variable begins with a capital letter: `{name}`"))
}

/// An atom where between/3 and the like need an integer, and a variable of the same letters is in the clause.
fn name_for_number(m: &Machine, w: &World, id: ClauseId, goal: &Goal) -> Option<Diagnostic> {
    let name = m.symbols.name(goal.name);
    let places: &[usize] = match (name, goal.written) {
        ("between", 3) => &[0, 1],
        ("nth0" | "nth1", 3 | 4) => &[0],
        ("length", 2) => &[1],
        _ => return None,
    };
    let cells: &[Cell] = &m.program.clauses[id as usize].record.cells;
    places.iter().find_map(|&at| {
        let atom = m.symbols.name(goal.arg(cells, at)?.as_atom()?);
        if !atom.starts_with(char::is_lowercase) || atom == "inf" || atom == "infinite" {
            return None;
        }
        let capital = capitalised(atom)?;
        let (source, span) = called_at(m, w, id, goal.slot, goal.name)?;
        let message = format!("`{name}/{}` needs an integer, and `{atom}` is a name", goal.written);
        let hint = as_variable(m, id, &capital)
            .unwrap_or_else(|| "write the number, or a variable that has it".to_owned());
        Some(Diagnostic::warning("W0526", message).hint(hint).at(&source, span, ""))
    })
}

/// A term `format(…)` in the head of a clause or beside `=`, where its text is meant.
fn text_as_value(m: &Machine, w: &World, id: ClauseId, all: &[Goal]) -> Option<Diagnostic> {
    let clause = &m.program.clauses[id as usize];
    let cells: &[Cell] = &clause.record.cells;
    let format = m.symbols.lookup("format")?;
    let mut places = vec![clause.head()];
    for goal in all.iter().filter(|goal| goal.name == atoms::UNIFY && goal.arity == 2) {
        places.extend([cells[goal.args], cells[goal.args + 1]]);
    }
    let own = functor(cells, clause.head()).is_some_and(|(name, ..)| name == format);
    let is_format = |cell: Cell| {
        let term = functor(cells, cell).filter(|&(name, ..)| name == format);
        term.is_some_and(|(_, arity, _)| (1..=3).contains(&arity))
    };
    if own || !places.into_iter().any(|place| has(cells, place, is_format)) {
        return None;
    }
    let (source, span) = clause_place(m, w, id)?;
    let message = "`format(…)` stands here as a term: format/2 writes, and has no value";
    let hint = "a text is made by `format(atom(A), \"…\", Args)` before A is used";
    Some(Diagnostic::warning("W0528", message).hint(hint).at(&source, span, ""))
}

/// A goal at the beginning of a line, behind a comma, that calls the predicate of its own clause:
/// the next clause, where the comma was to be a full stop.
fn goes_on(m: &Machine, w: &World, id: ClauseId, all: &[Goal]) -> Option<Diagnostic> {
    let clause = &m.program.clauses[id as usize];
    let (source, whole) = clause_place(m, w, id)?;
    let margin = source.column(whole.start);
    // Whose goals all stand at the margin writes so.
    let first = all.first()?;
    let (_, span) = called_at(m, w, id, first.slot, first.name)?;
    if source.column(span.start) == margin {
        return None;
    }
    all.iter().find_map(|goal| {
        let same = |name: Atom, arity: usize| {
            let own = &m.program.preds[clause.pred as usize];
            (name, arity) == (own.name, own.arity)
                || PREDICATES.iter().any(|p| p.arity == arity && p.name == m.symbols.name(name))
        };
        let user = m.program.is_users(goal.name, goal.arity, goal.space);
        if !user || goal.written != goal.arity || !same(goal.name, goal.arity) {
            return None;
        }
        let (_, span) = called_at(m, w, id, goal.slot, goal.name)?;
        let before = source.text.get(whole.start as usize..span.start as usize)?;
        if source.column(span.start) != margin || !before.contains('\n') {
            return None;
        }
        let comma = before.trim_end().strip_suffix(',')?;
        let start = whole.start + comma.len() as u32;
        let span = Span { start, end: start + 1 };
        let name = m.symbols.name(goal.name);
        let message = format!("the clause goes on with `{name}(…)` of the next line as a goal");
        let finding = Diagnostic::warning("W0525", message)
            .at(&source, span, "")
            .hint("a clause ends with a full stop: write `.` in the place of this comma");
        Some(finding.mend(&source, span, ".").perhaps())
    })
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
    Some(placed(finding, called_at(m, w, id, goal.slot, goal.name)))
}

/// The expression that stands in the last state of some move where a number was: `M = N + 1`, or
/// `f(N - 1)` in a head or a goal that does not compute. It is looked for in the clauses of the
/// moves at the place where it was seen, and where these leave that to others, in all clauses
/// that they reach.
pub(super) fn uncomputed(
    m: &Machine,
    w: &World,
    (moves, last): (u32, usize),
    reached: &[u32],
    grown: &GrownExpression,
) -> Option<Uncomputed> {
    let mut elsewhere = false;
    for id in m.program.live_clauses(moves) {
        match at_path(m, w, id, last, grown) {
            AtPath::Found(found) => return Some(found),
            AtPath::Unknown => elsewhere = true,
            AtPath::No => {}
        }
    }
    if !elsewhere {
        return None;
    }
    for &pred in reached {
        for id in m.program.live_clauses(pred) {
            let cells = &m.program.clauses[id as usize].record.cells;
            for goal in goals::of_clause(m, id) {
                if is_arithmetic(goal.name) && goal.written == 2 {
                    continue;
                }
                let mut arguments = (0..goal.written).map(|i| cells[goal.args + i]);
                if arguments.any(|term| expression_in(m, id, term, grown))
                    && let Some(found) = in_goal(m, w, id, &goal)
                {
                    return Some(found);
                }
            }
            let head = m.program.clauses[id as usize].head();
            if pred != moves
                && expression_in(m, id, head, grown)
                && let Some(place) = head_place(m, w, id)
            {
                return Some(Uncomputed { place, equals: None });
            }
        }
    }
    None
}

/// What a clause of the moves has at a place of its last state.
enum AtPath {
    Found(Uncomputed),
    /// Other clauses make it.
    Unknown,
    No,
}

fn at_path(m: &Machine, w: &World, id: ClauseId, last: usize, grown: &GrownExpression) -> AtPath {
    let clause = &m.program.clauses[id as usize];
    let cells: &[Cell] = &clause.record.cells;
    let Some((_, arity, args)) = functor(cells, clause.head()).filter(|head| last < head.1) else {
        return AtPath::No;
    };
    debug_assert!(last < arity);
    let mut cell = resolve(cells, cells[args + last]);
    let mut path = grown.path.iter();
    let goals = goals::of_clause(m, id);
    loop {
        if cell.is_var() {
            // A goal `S = f(…)` goes on with it.
            let equal = goals.iter().find_map(|goal| {
                let equation = goal.name == atoms::UNIFY && goal.written == 2;
                let (left, right) = (goal.arg(cells, 0)?, goal.arg(cells, 1)?);
                match equation {
                    true if left == cell && !right.is_var() => Some((goal, right)),
                    true if right == cell && !left.is_var() => Some((goal, left)),
                    _ => None,
                }
            });
            let Some((goal, term)) = equal else { break };
            if path.as_slice().is_empty() {
                // Beside a value that is computed in the same way, it is built on purpose.
                let meant = expression_at(m, id, term, grown)
                    || !is_data(&grown.operator)
                        && !computes_by(m, id, &grown.operator)
                        && expression_at(m, id, term, &grown.outside());
                let found = meant.then(|| in_goal(m, w, id, goal)).flatten();
                return found.map_or(AtPath::No, AtPath::Found);
            }
            cell = term;
        }
        let Some(&argument) = path.next() else { break };
        match functor(cells, cell) {
            Some((_, arity, args)) if argument < arity => {
                cell = resolve(cells, cells[args + argument]);
            }
            _ => return AtPath::No,
        }
    }
    if cell.is_var() {
        // A number that the clause computes, or a part of the state before, is none.
        let computed = goals.iter().any(|goal| {
            goal.name == atoms::IS && goal.written == 2 && goal.arg(cells, 0) == Some(cell)
        });
        return if computed { AtPath::No } else { AtPath::Unknown };
    }
    match head_place(m, w, id) {
        Some(place) if expression_at(m, id, cell, grown) => {
            AtPath::Found(Uncomputed { place, equals: None })
        }
        _ => AtPath::No,
    }
}

fn in_goal(m: &Machine, w: &World, id: ClauseId, goal: &Goal) -> Option<Uncomputed> {
    let place = called_at(m, w, id, goal.slot, goal.name)?;
    let equation = goal.name == atoms::UNIFY && goal.written == 2;
    let equals = equation.then(|| sign_of(&place)).flatten();
    Some(Uncomputed { place, equals })
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

/// Whether a term of a clause is an expression by this operator, with a variable in it, that
/// looks like arithmetic: pairs and quotients, and what stands in pairs, are data unless something
/// in them is a number, or is computed with elsewhere in the clause.
fn expression_at(m: &Machine, id: ClauseId, term: Cell, grown: &GrownExpression) -> bool {
    let cells: &[Cell] = &m.program.clauses[id as usize].record.cells;
    let Some((name, 2, _)) = functor(cells, term) else { return false };
    let name = m.symbols.name(name);
    let data = grown.in_pair || is_data(name);
    name == grown.operator
        && is_expression(m, cells, term)
        && has(cells, term, Cell::is_var)
        && (!data || number_inside(cells, term) || computed(m, id, None, term))
}

fn is_data(operator: &str) -> bool {
    matches!(operator, "-" | "/")
}

/// Whether a clause computes something by an operator.
fn computes_by(m: &Machine, id: ClauseId, operator: &str) -> bool {
    let cells: &[Cell] = &m.program.clauses[id as usize].record.cells;
    goals::of_clause(m, id).iter().any(|goal| {
        let term = (goal.name == atoms::IS).then(|| goal.arg(cells, 1)).flatten();
        let functor = term.and_then(|term| functor(cells, term));
        functor.is_some_and(|(name, ..)| m.symbols.name(name) == operator)
    })
}

/// Whether there is such an expression somewhere in a term.
fn expression_in(m: &Machine, id: ClauseId, term: Cell, grown: &GrownExpression) -> bool {
    let cells: &[Cell] = &m.program.clauses[id as usize].record.cells;
    has(cells, term, |cell| expression_at(m, id, cell, grown))
}
