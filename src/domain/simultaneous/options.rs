//! Options of the predicates: a list of `name(Value)`, or `name` for `name(true)`.

use std::sync::Arc;
use std::time::Duration;
use zug_machine::{Fault, Machine};
use zug_search::Limits;
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// An option: its name, its value, and the whole of it for complaints.
pub(super) struct Asked {
    pub name: Arc<str>,
    pub value: Cell,
    pub whole: Cell,
}

/// The options of a list.
pub(super) fn options(m: &mut Machine, list: Cell) -> Result<Vec<Asked>, Fault> {
    let Some(items) = m.heap.proper_list(list) else { return Err(m.type_error("list", list)) };
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        let whole = m.heap.deref(item);
        let (name, value) = match m.heap.name_arity(whole) {
            Some((name, 1, args)) => (name, m.heap.deref(m.heap.at(args))),
            _ => match whole.as_atom() {
                Some(name) => (name, Cell::atom(atoms::TRUE)),
                None if whole.is_ref() => return Err(m.instantiation_error()),
                None => return Err(wrong(m, whole)),
            },
        };
        all.push(Asked { name: m.symbols.shared(name), value, whole });
    }
    Ok(all)
}

/// The fault of an option that is none.
pub(super) fn wrong(m: &mut Machine, option: Cell) -> Fault {
    m.domain_error("option", option)
}

/// A number that is not negative.
pub(super) fn count(m: &mut Machine, asked: &Asked) -> Result<u64, Fault> {
    match m.heap.value(asked.value) {
        Value::Int(number) => {
            let number = u64::try_from(number);
            number.map_err(|_| wrong(m, asked.whole))
        }
        Value::Var(_) => Err(m.instantiation_error()),
        _ => Err(m.type_error("integer", asked.value)),
    }
}

/// Whether an option is a limit, which is then set.
pub(super) fn is_limit(m: &mut Machine, asked: &Asked, limits: &mut Limits) -> Result<bool, Fault> {
    match &*asked.name {
        "nodes" => limits.nodes = Some(count(m, asked)?),
        "time" => {
            let seconds = match m.heap.value(asked.value) {
                Value::Int(seconds) => seconds as f64,
                Value::Float(seconds) => seconds,
                _ => return Err(m.type_error("number", asked.value)),
            };
            // What is too long for a duration is no limit.
            limits.time = Duration::try_from_secs_f64(seconds).ok();
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// An atom by name.
pub(super) fn word(m: &mut Machine, asked: &Asked) -> Result<Arc<str>, Fault> {
    match asked.value.as_atom() {
        Some(name) => Ok(m.symbols.shared(name)),
        None => Err(wrong(m, asked.whole)),
    }
}
