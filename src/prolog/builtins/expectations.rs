//! `expect/1,2,3`: what a rule file says should come out of it.
//!
//! ```text
//! :- expect(cost(5)).
//! :- expect(hard, moves(31), points(2)).
//! ```
//!
//! Here they are only checked and kept; `zug batch --expect` holds them against what comes.

use super::{Entry, OrFault, World, args};
use std::sync::Arc;
use zug_machine::{Machine, Outcome};
use zug_syntax::Operators;
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::spelling::distance;
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap, Record, Value, variables};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[Entry::session("expect", 1, expect).up_to(3)];

/// Expectations without an argument.
const PLAIN: &str =
    "solved unsolvable true false stopped error faults halted program passed failed";

/// Expectations with one.
const WITH_VALUE: &str = "cost moves plan value best answers error stopped";

/// How expectations are written, for advice.
const FORMS: &str = "solved|unsolvable|cost(C)|moves(N)|plan([M, …])|value(V)|best(M)|true|false|answers([A, …])|error(E)|\
    passed|failed|stopped|stopped(Reason)|error|faults|halted|program";

/// What was perhaps meant by an expectation that there isn't, or else all that there are.
pub fn advice(name: &str) -> String {
    let near = FORMS.split('|').filter_map(|form| {
        let known = form.split('(').next().unwrap_or_default();
        Some((distance(known, name)?, form))
    });
    match near.min_by_key(|(distance, _)| *distance) {
        Some((_, form)) => format!("did you mean `{form}`?"),
        None => format!("what can be expected: {}", FORMS.replace('|', ", ")),
    }
}

/// Something that should come out of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The file that says so, in the numbering of the loader; `None` for what was typed.
    pub file: Option<u32>,
    /// The instance or query it is about; `None`: the first.
    pub instance: Option<Record>,
    /// The same as it was written, where that is known.
    pub written: Option<String>,
    /// What is expected.
    pub what: Record,
    /// What it is worth.
    pub points: f64,
}

fn expect(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let file = w.loader.stack.last().and_then(|loading| loading.file);
    let mut expected = Expected { file, ..read(m, a)? };
    let written = w.loader.stack.last_mut().and_then(|loading| loading.about.take());
    expected.written = written.filter(|_| expected.instance.is_some());
    w.expectations.push(expected);
    Ok(true)
}

/// What the arguments of `expect` say: `What`, `(Instance, What)`, `(What, points(N))` or
/// `(Instance, What, points(N))`.
pub fn read(m: &mut Machine, a: &[Cell]) -> OrFault<Expected> {
    let last = *a.last().unwrap_or(&Cell::NIL);
    let points = points(m, last, a.len() == 3)?;
    let rest = if points.is_some() { &a[..a.len() - 1] } else { a };
    let (instance, what) = match *rest {
        [what] => (None, what),
        [instance, what] => (Some(instance), what),
        _ => return Err(m.domain_error("points", last)),
    };
    check(m, what)?;
    let heap = &mut m.heap;
    let instance = instance.map(|cell| Record::new(heap, cell));
    let what = Record::new(heap, what);
    Ok(Expected { file: None, instance, written: None, what, points: points.unwrap_or(1.0) })
}

/// What an expectation says first, with the names of its variables: `path(a,Y)` of
/// `expect(path(a,Y), true)`. None where it is about nothing by name.
pub fn about(
    symbols: &Symbols,
    operators: &Operators,
    heap: &Heap,
    goal: Cell,
    names: &[(Arc<str>, Cell)],
) -> Option<String> {
    let (name, arity, at) = heap.name_arity(goal)?;
    if symbols.name(name) != "expect" || !(2..=3).contains(&arity) {
        return None;
    }
    let named = |variable: Cell| names.iter().find(|(_, cell)| heap.deref(*cell) == variable);
    let names: Vec<(Arc<str>, Cell)> = variables(heap, heap.at(at))
        .into_iter()
        .map(|cell| (named(cell).map_or_else(|| "_".into(), |(name, _)| name.clone()), cell))
        .collect();
    let options = WriteOptions { variable_names: &names, priority: 999, ..WriteOptions::writeq() };
    Some(term_to_string(heap, symbols, operators, heap.at(at), &options))
}

/// The number in `points(N)`.
fn points(m: &mut Machine, cell: Cell, needed: bool) -> OrFault<Option<f64>> {
    let name = m.symbols.intern("points");
    let Some([number]) = m.heap.match_struct::<1>(cell, name) else {
        return if needed { Err(m.type_error("points", cell)) } else { Ok(None) };
    };
    let number = m.heap.deref(number);
    let value = match m.heap.value(number) {
        Value::Int(value) => value as f64,
        Value::Float(value) => value,
        _ => return Err(m.type_error("number", number)),
    };
    match value {
        value if (0.0..=1e9).contains(&value) => Ok(Some(value)),
        _ => Err(m.domain_error("points", number)),
    }
}

/// Whether it can be expected at all.
fn check(m: &mut Machine, what: Cell) -> OrFault<()> {
    let what = m.heap.deref(what);
    args::bound(m, what)?;
    let Some((name, arity, at)) = m.heap.name_arity(what) else {
        return Err(m.type_error("expectation", what));
    };
    let known = match arity {
        0 => PLAIN,
        1 => WITH_VALUE,
        _ => "",
    };
    let name = m.symbols.name(name).to_owned();
    if !args::is_among(known, &name) || name.is_empty() {
        return Err(m.domain_error("expectation", what));
    }
    if arity == 0 {
        return Ok(());
    }
    let value = m.heap.deref(m.heap.at(at));
    match &*name {
        "plan" | "answers" if m.heap.proper_list(value).is_none() => {
            Err(m.type_error("list", value))
        }
        "cost" | "moves" | "value" if value.is_var() => Err(m.instantiation_error()),
        "cost" | "moves" | "value" if !is_number(&m.heap, &m.symbols, value) => {
            Err(m.type_error("number", value))
        }
        _ => Ok(()),
    }
}

/// A number, a fraction `A/B`, or `inf` with or without a sign.
fn is_number(heap: &Heap, symbols: &zug_term::symbol::Symbols, cell: Cell) -> bool {
    match heap.value(cell) {
        Value::Int(_) | Value::Float(_) | Value::Big(_) => true,
        Value::Atom(name) => symbols.name(name) == "inf",
        Value::Struct(name, arity, at) => {
            let whole = |i| matches!(heap.value(heap.at(at + i)), Value::Int(_) | Value::Big(_));
            match (symbols.name(name), arity) {
                ("/" | "rdiv", 2) => whole(0) && whole(1),
                ("-", 1) => {
                    let inner = heap.deref(heap.at(at));
                    inner.as_atom().is_some_and(|name| symbols.name(name) == "inf")
                }
                _ => false,
            }
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::session::Session;

    fn outcome(goal: &str) -> String {
        let (mut session, _) = Session::captured(&[], "");
        let mut query = session.query(goal).expect("it reads");
        match session.next(&mut query) {
            Ok(answer) => answer.to_string(),
            Err(fault) => session.describe(&fault).message,
        }
    }

    #[test]
    fn what_can_be_expected() {
        for goal in [
            "expect(solved)",
            "expect(one, cost(5))",
            "expect(cost(5), points(2))",
            "expect(one, plan([a]), points(0.5))",
            "expect(value(1/3))",
            "expect(value(-inf))",
            "catch(expect(X), error(instantiation_error, _), true)",
            "catch(expect(one, X), error(instantiation_error, _), true)",
            "catch(expect(cost(X)), error(instantiation_error, _), true)",
            "catch(expect(cots(5)), error(domain_error(expectation, cots(5)), _), true)",
            "catch(expect(7), error(type_error(expectation, 7), _), true)",
            "catch(expect(plan(a)), error(type_error(list, a), _), true)",
            "catch(expect(cost(a)), error(type_error(number, a), _), true)",
            "catch(expect(one, solved, two), error(type_error(points, two), _), true)",
            "catch(expect(solved, points(-1)), error(domain_error(points, -1), _), true)",
        ] {
            assert_eq!(outcome(goal), "true", "{goal}");
        }
    }
}
