//! Left recursion that tables would end, found in the clauses alone: for an error that comes
//! of a recursion without end, outside of `why_not/1`.

use super::effects::{Nature, Natures};
use super::places::indicator;
use zug_machine::{Kind, Machine, PredId, Trace};
use zug_prolog::builtins::{World, messages};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, is_ground, structural_eq, variables};

/// What to do about a recursion that used up memory or time, if one of the calls that were
/// running is a left recursion that tables would end.
pub fn table_hint(m: &Machine, trace: &Trace) -> Option<String> {
    let mut running = trace.callers.iter().map(|&(pred, _)| pred);
    let pred = running.find(|&pred| would_end(m, pred))?;
    let name = indicator(m, pred);
    Some(format!(
        "left recursion: `{name}` calls itself before anything else; `:- table {name}.` ends the loop"
    ))
}

/// A hint that knows more than that of an error which speaks of a recursion without end.
pub fn better_hint(m: &Machine, _: &World, trace: &Trace, hint: Option<&str>) -> Option<String> {
    let endless = hint == Some(messages::ENDLESS);
    endless.then(|| table_hint(m, trace)).flatten()
}

/// Whether a predicate is left-recursive and has an end if it is tabled, as far as its clauses
/// tell: it has no effects, and a recursive call has nothing new in it.
pub fn would_end(m: &Machine, pred: PredId) -> bool {
    let predicate = &m.program.preds[pred as usize];
    predicate.space.is_users()
        && predicate.kind == Kind::Static
        && !m.program.is_tabled(pred)
        && predicate.clauses.iter().any(|&id| {
            let (heap, root) = m.program.clauses[id as usize].record.to_heap();
            comes_again(&heap, root, m)
        })
        && Natures::default().of(m, pred) <= Nature::Search
}

/// Whether the first goal of a clause calls the predicate of its head with the arguments of the
/// head, in any order, and variables that are not in it: there are few such calls, so it is a
/// variant of one before it sooner or later.
fn comes_again(heap: &Heap, clause: Cell, m: &Machine) -> bool {
    let Some([head, body]) = heap.match_struct::<2>(clause, atoms::NECK) else { return false };
    let mut first = heap.deref(body);
    while let Some([left, _]) = heap.match_struct::<2>(first, atoms::COMMA) {
        first = heap.deref(left);
    }
    let arguments = |cell| {
        let (name, arity, args) = heap.name_arity(heap.deref(cell))?;
        let all: Vec<Cell> = (0..arity).map(|i| heap.deref(heap.at(args + i))).collect();
        Some((name, all))
    };
    let Some((name, own)) = arguments(head) else { return false };
    let Some((called, given)) = arguments(first) else { return false };
    if name != called || own.len() != given.len() {
        return false;
    }
    let inside = variables(heap, head);
    let fresh = |cell: Cell| cell.is_var() && !inside.contains(&cell);
    let old = |(&given, &own_here): (&Cell, &Cell)| {
        structural_eq(heap, given, own_here) || given.is_var() && own.contains(&given)
    };
    // From one answer to the next number there is no end.
    let counts =
        given.iter().all(|&cell| fresh(cell) || is_ground(heap, cell)) && computes(heap, body, m);
    !counts && given.iter().zip(&own).all(|pair| fresh(*pair.0) || old(pair))
}

/// Whether a goal of a body computes a number.
fn computes(heap: &Heap, body: Cell, m: &Machine) -> bool {
    let mut todo = vec![body];
    while let Some(cell) = todo.pop() {
        match heap.match_struct::<2>(cell, atoms::COMMA) {
            Some(both) => todo.extend(both),
            None => {
                let name = heap
                    .name_arity(heap.deref(cell))
                    .map(|(name, arity, _)| (m.symbols.name(name), arity));
                if matches!(name, Some(("is" | "succ", 2) | ("plus", 3))) {
                    return true;
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_machine::Space;
    use zug_prolog::session::Session;

    #[test]
    fn tables_end_calls_with_nothing_new() {
        let (mut session, _) = Session::captured(&[crate::EXTENSION], "");
        session.load_text(
            "rules",
            ":- dynamic known/1.
             edge(a, b).
             path(X, Y) :- edge(X, Y).
             path(X, Y) :- path(X, Z), edge(Z, Y).
             married(X, Y) :- married(Y, X).
             expr --> expr, \"+\", \"1\".
             :- table kept/1.
             kept(X) :- kept(Y), edge(Y, X).
             len([_|T], N) :- len(T, M), N is M + 1.
             grows(X) :- grows(f(X)).
             nat(X) :- nat(Y), X is Y + 1.
             loud(X) :- loud(X), write(X).
             late(X) :- edge(X, Y), late(Y).
             known(X) :- known(X).",
        );
        for (name, arity, expected) in [
            ("path", 2, true),
            ("married", 2, true),
            ("expr", 2, true),
            ("edge", 2, false),
            ("kept", 1, false),
            ("len", 2, false),
            ("grows", 1, false),
            ("nat", 1, false),
            ("loud", 1, false),
            ("late", 1, false),
            ("known", 1, false),
        ] {
            let m = &mut session.machine;
            let atom = m.symbols.intern(name);
            let pred = m.program.lookup(atom, arity, Space::User).expect("it is there");
            assert_eq!(would_end(m, pred), expected, "{name}");
        }
    }

    #[test]
    fn a_lack_of_memory_is_told_with_the_directive() {
        let (mut session, _) = Session::captured(&[crate::EXTENSION], "");
        session.load_text("rules", "p(X) :- p(X), q. q. l([_|T]) :- l(T), q.");
        session.machine.memory_limit = 8 << 20;
        for (goal, hint) in
            [("p(1)", "; `:- table p/1.` ends the loop"), ("l(_)", messages::ENDLESS)]
        {
            let mut query = session.query(goal).expect("it reads");
            let fault = session.next(&mut query).expect_err("there is no end");
            session.close(query);
            let words = session.describe(&fault).to_string();
            assert!(words.contains(hint), "{words}");
        }
    }
}
