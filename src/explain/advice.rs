//! Mistakes that are made often, recognised by what failed.

use super::case::{Case, Constant, alike, alike_names, is_written_expression};
use super::explanation::Advice;
use super::expressions::{unevaluated, unevaluated_test, value};
use super::failures::FailureReason;
use super::misspellings::{lone_variable, lower_case, near_atom};
use super::places::{Site, functor, has, resolve, variables_in};
use super::terms::TermPrinter;
use zug_machine::{Kind, Space};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// Facts named.
const FACTS: usize = 8;

/// The likeliest mistake behind a failure.
pub fn advice(case: &mut Case<'_>) -> Option<Advice> {
    let matching = match case.failure.why {
        FailureReason::NoClause => no_clause(case),
        FailureReason::Leaf => leaf(case),
        FailureReason::Refuted => negation(case),
        FailureReason::Raised => raised(case),
        FailureReason::Collected => None,
    };
    let lone = lone_variable(case);
    let all = [matching, lone, lower_case(case), near_atom(case)];
    all.into_iter().flatten().max_by_key(|advice| advice.weight)
}

fn no_clause(case: &mut Case<'_>) -> Option<Advice> {
    let misses = case.misses();
    let near = misses.first()?;
    if near.is_expression {
        let hint = format!(
            "`{}` is a term, not a number: `=` does not compute; use `is` where it is made",
            near.wants
        );
        return Some(Advice::new(3, hint).at(unevaluated(case), "this does not compute"));
    }
    if near.arguments.len() == 1
        && let Some((has, wants)) = near.constants.clone()
        && alike(&has, &wants)
    {
        let hint = match (&has, &wants) {
            (Constant::Atom(_), Constant::Atom(_)) | (Constant::Text(_), Constant::Text(_)) => {
                format!("the clause has `{}`: one of the two is misspelt", near.has)
            }
            _ => format!("`{}` is {}, `{}` is {}", near.wants, kind(&wants), near.has, kind(&has)),
        };
        return Some(Advice::new(3, hint));
    }
    let facts = facts(case, near.arguments.contains(&1));
    swapped(case).or_else(|| base_case(case)).or(facts)
}

/// What there are facts for, where there are none for the first argument.
fn facts(case: &Case<'_>, first: bool) -> Option<Advice> {
    let pred = case.failure.pred?;
    let (name, arity) = case.name();
    if !first || arity < 2 || case.argument(0)?.is_var() {
        return None;
    }
    let mut known: Vec<String> = Vec::new();
    for id in case.m.program.live_clauses(pred).into_iter().take(1000) {
        let clause = &case.m.program.clauses[id as usize];
        let (heap, root) = clause.record.to_heap();
        let (_, _, args) = heap.name_arity(heap.at(root.addr() + 1))?;
        let part = heap.at(args);
        if clause.body() != Cell::atom(atoms::TRUE) || heap.deref(part).is_var() {
            return None;
        }
        let text = format!("`{}`", TermPrinter::new(&heap, case.m, case.w).limited(part, 24));
        if !known.contains(&text) {
            known.push(text);
        }
    }
    let more = known.len().saturating_sub(FACTS);
    known.truncate(FACTS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let hint = format!("the facts of `{name}/{arity}` are for {}{more}", known.join(", "));
    (!known.is_empty()).then(|| Advice::new(1, hint))
}

fn kind(constant: &Constant) -> &'static str {
    match constant {
        Constant::Atom(_) => "an atom",
        Constant::Text(_) => "a string",
        Constant::Integer(_) => "an integer",
        Constant::Float(_) => "a float",
    }
}

/// Whether the goal would match with two arguments in each other's places.
fn swapped(case: &mut Case<'_>) -> Option<Advice> {
    let (name, arity, args) = case.store.heap.name_arity(case.goal)?;
    let pred = case.failure.pred?;
    // A goal that was proved with other values is right as it is.
    if !(2..=6).contains(&arity) || case.proved {
        return None;
    }
    let parts: Vec<Cell> = (0..arity).map(|i| case.store.heap.at(args + i)).collect();
    for i in 0..arity {
        for j in i + 1..arity {
            let [a, b] = [parts[i], parts[j]].map(|cell| case.store.heap.deref(cell));
            if a.is_var() || b.is_var() || a == b {
                continue;
            }
            let mut other = parts.clone();
            other.swap(i, j);
            let mark = case.store.mark();
            let goal = case.store.heap.new_struct(name, &other);
            for id in case.m.program.live_clauses(pred).into_iter().take(1000) {
                let clause = &case.m.program.clauses[id as usize];
                let is_fact = clause.body() == Cell::atom(atoms::TRUE);
                let inner = case.store.mark();
                let root = clause.record.instantiate(&mut case.store.heap);
                let head = case.store.heap.at(root.addr() + 1);
                let fits = case.store.unify(goal, head);
                let text = case.text(head);
                case.store.undo(inner);
                if fits && is_fact {
                    let hint = format!(
                        "with arguments {} and {} swapped it matches the clause `{text}`",
                        i + 1,
                        j + 1
                    );
                    return Some(Advice::new(2, hint));
                }
            }
            case.store.undo(mark);
        }
    }
    None
}

/// A recursion that reaches its end and finds no clause for it.
fn base_case(case: &Case<'_>) -> Option<Advice> {
    let (end, stops) = recursion_end(case)?;
    let (text, what) = (case.text(end), if end == Cell::NIL { "the empty list" } else { "zero" });
    let hint = format!("no clause is there for {what}, `{text}`, where the recursion ends");
    (!stops).then(|| Advice::new(3, hint))
}

/// Whether a failure is the end of a recursion that another clause may stop before: that of
/// a search through a list, where nothing was found.
pub fn is_natural_end(case: &Case<'_>) -> bool {
    case.failure.why == FailureReason::NoClause
        && recursion_end(case).is_some_and(|(_, stops)| stops)
}

/// The `[]` or 0 that a recursion reached, and whether any of its clauses does not recurse.
fn recursion_end(case: &Case<'_>) -> Option<(Cell, bool)> {
    let pred = case.failure.pred?;
    let caller = case.failure.site.0?;
    if case.m.program.clauses[caller as usize].pred != pred {
        return None;
    }
    let (_, arity) = case.name();
    let end = (0..arity)
        .filter_map(|i| case.argument(i))
        .find(|&cell| cell == Cell::NIL || cell == Cell::ZERO)?;
    // A clause for the end would be one that the recursion stops at.
    let stops = case.m.program.live_clauses(pred).into_iter().any(|id| !calls_itself(case.m, id));
    Some((end, stops))
}

fn leaf(case: &mut Case<'_>) -> Option<Advice> {
    let (name, arity) = case.name();
    if let Some(advice) = unevaluated_test(case).or_else(|| endless_clauses(case)) {
        return Some(advice);
    }
    if is_lone_condition(case) {
        let hint = "this condition has no else branch: where it is false, so is the whole; \
                    `( C -> T ; E )` has one";
        return Some(Advice::new(2, hint));
    }
    if arity != 2 {
        return None;
    }
    let name = name.to_owned();
    let (left, right) = (case.argument(0)?, case.argument(1)?);
    let expressions = (case.is_expression(left), case.is_expression(right));
    let numbers = (case.is_number(left), case.is_number(right));
    match name.as_str() {
        "=" | "==" if expressions.0 && numbers.1 || numbers.0 && expressions.1 => {
            let advice = if name == "=" { "`is`" } else { "`=:=`" };
            let hint = format!("`{name}` compares terms and does not compute: use {advice}");
            // The expression may come from elsewhere.
            let here = case.written().is_some_and(|(cells, goal)| {
                functor(cells, goal).is_some_and(|(_, _, args)| {
                    (0..2).any(|i| is_written_expression(case.m, cells, cells[args + i]))
                })
            });
            let place = if here { None } else { unevaluated(case) };
            Some(Advice::new(3, hint).at(place, "this does not compute"))
        }
        "=" if expressions.0 && expressions.1 => {
            Some(Advice::new(3, "`=` compares terms and does not compute: `=:=` compares values"))
        }
        "is" if numbers.0 && is_same_variable(case) => Some(Advice::new(
            3,
            "a variable keeps its value: the new value needs a variable of its own, as `N1 is N + 1`",
        )),
        "\\=" if left.is_var() || right.is_var() => Some(unbound(case, "`\\=`")),
        "==" if left.is_var() || right.is_var() => Some(Advice::new(
            2,
            "`==` binds nothing, and an unbound variable is equal only to itself: `=` is meant, or the goal stands too early",
        )),
        "is" if case.is_number(left) => value(case, left, right),
        "=" | "==" => {
            let (a, b) = (case.constant(left)?, case.constant(right)?);
            let differ = std::mem::discriminant(&a) != std::mem::discriminant(&b);
            (alike(&a, &b) && differ).then(|| {
                let [x, y] = [left, right].map(|cell| case.text(cell));
                Advice::new(2, format!("`{x}` is {}, `{y}` is {}", kind(&a), kind(&b)))
            })
        }
        _ => None,
    }
}

/// A test that ends a recursion of which every clause calls itself.
fn endless_clauses(case: &Case<'_>) -> Option<Advice> {
    let program = &case.m.program;
    let pred_of = |site: &Site| program.clauses.get(site.0? as usize).map(|clause| clause.pred);
    let own = pred_of(&case.failure.site)?;
    if case.failure.callers.first().and_then(pred_of) != Some(own) {
        return None;
    }
    let clauses = program.live_clauses(own);
    clauses.iter().all(|&id| calls_itself(case.m, id)).then(|| {
        let name = super::places::indicator(case.m, own);
        let hint = format!(
            "every clause of `{name}` calls `{name}`: one is missing for where the recursion ends"
        );
        Advice::new(2, hint)
    })
}

/// Whether a clause calls its own predicate.
fn calls_itself(m: &zug_machine::Machine, id: u32) -> bool {
    let clause = &m.program.clauses[id as usize];
    let cells = &clause.record.cells;
    let name_of = |cell: Cell| functor(cells, cell).map(|(name, arity, _)| (name, arity));
    has(cells, clause.body(), |cell| name_of(cell) == name_of(clause.head()))
}

/// Whether a goal is the condition of `C -> T` without an else branch.
fn is_lone_condition(case: &Case<'_>) -> bool {
    let Some((cells, _)) = case.written() else { return false };
    let Some(id) = case.failure.site.0 else { return false };
    let clause = &case.m.program.clauses[id as usize];
    // Slots of goals, and whether they are the left side of `;`.
    let mut todo = vec![(clause.record.root.addr() + 2, false)];
    while let Some((slot, has_else)) = todo.pop() {
        match functor(cells, cells[slot]) {
            Some((atoms::ARROW, 2, args)) => {
                if args == case.failure.site.1 as usize {
                    return !has_else;
                }
                todo.push((args + 1, false));
            }
            Some((atoms::SEMICOLON, 2, args)) => todo.extend([(args, true), (args + 1, false)]),
            Some((atoms::COMMA, 2, args)) => todo.extend([(args, false), (args + 1, false)]),
            _ => {}
        }
    }
    false
}

fn is_same_variable(case: &Case<'_>) -> bool {
    let Some((cells, goal)) = case.written() else { return false };
    let Some((_, 2, args)) = functor(cells, goal) else { return false };
    let left = resolve(cells, cells[args]);
    left.is_var() && has(cells, cells[args + 1], |cell| cell == left)
}

/// A test that says no because a variable is not bound yet.
fn unbound(case: &Case<'_>, what: &str) -> Advice {
    let later = bound_later(case);
    let hint = format!(
        "{what} asks whether two terms can be made equal, and an unbound variable can: \
         move the goal behind those that bind its variables"
    );
    Advice::new(if later { 3 } else { 2 }, hint)
}

/// Whether a variable of the goal that is unbound now occurs in a later goal of its clause.
fn bound_later(case: &Case<'_>) -> bool {
    let Some((cells, goal)) = case.written() else { return false };
    let Some(id) = case.failure.site.0 else { return false };
    let clause = &case.m.program.clauses[id as usize];
    let Some(place) = &clause.place else { return false };
    let inside = variables_in(cells, goal);
    let open = place.variables.iter().zip(&case.values).filter(|(_, (_, value))| value.is_var());
    let open: Vec<Cell> = open
        .map(|((_, addr), _)| resolve(cells, Cell::reference(*addr as usize)))
        .filter(|variable| inside.contains(variable))
        .collect();
    let own = place.goals.iter().find(|(slot, _)| *slot == case.failure.site.1);
    let Some((_, own)) = own else { return false };
    let mut later = place.goals.iter().filter(|(_, span)| span.start >= own.end);
    later.any(|(slot, _)| has(cells, cells[*slot as usize], |cell| open.contains(&cell)))
}

fn negation(case: &mut Case<'_>) -> Option<Advice> {
    let (name, arity) = case.name();
    if arity != 1 || !matches!(name, "\\+" | "not") {
        return None;
    }
    let inner = case.argument(0)?;
    let open = zug_term::variables(&case.store.heap, inner);
    if open.is_empty() || !bound_later(case) {
        return None;
    }
    Some(Advice::new(
        3,
        "a variable in it is unbound here, so it says that nothing at all makes the goal true: \
         move it behind the goals that bind its variables",
    ))
}

fn raised(case: &mut Case<'_>) -> Option<Advice> {
    let (name, arity, _) = case.store.heap.name_arity(case.goal)?;
    let pred = case.m.program.lookup(name, arity, Space::User);
    let defined = pred.is_some_and(|id| case.m.program.is_defined(id));
    let system = case.m.program.lookup(name, arity, Space::System).is_some();
    if defined || system {
        let late = "a variable in it gets its value only in a later goal: move this one behind it";
        return bound_later(case).then(|| Advice::new(3, late));
    }
    let text = case.m.symbols.name(name);
    // Another number of arguments is likelier meant than another name.
    let mut others: Vec<usize> = case
        .m
        .program
        .preds
        .iter()
        .filter(|pred| pred.name == name && case.m.program.modules.is_programs(pred.space))
        .filter(|pred| matches!(pred.kind, Kind::Static | Kind::Dynamic))
        .map(|pred| pred.arity)
        .collect();
    others.sort_unstable();
    if let Some(&other) = others.first() {
        let noun = if other == 1 { "argument" } else { "arguments" };
        let hint = format!("`{text}` is defined with {other} {noun}, and called with {arity} here");
        return Some(Advice::new(3, hint));
    }
    let near = case.m.program.preds.iter().filter(|pred| {
        pred.kind != Kind::Undefined && alike_names(case.m.symbols.name(pred.name), text)
    });
    let near = near.min_by_key(|pred| (pred.arity != arity, pred.space == Space::System))?;
    let hint = format!("did you mean `{}/{}`?", case.m.symbols.name(near.name), near.arity);
    Some(Advice::new(3, hint))
}
