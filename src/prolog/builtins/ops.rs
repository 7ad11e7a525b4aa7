//! `op/3` and what `current_op/3` needs (ISO 13211-1, 8.14.3 and 8.14.4).

use super::{Entry, OrFault, World, args};
use zug_machine::{Fault, Machine, Outcome};
use zug_syntax::{Op, OpError, OpKind};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::session("op", 3, op),
    Entry::session("$check_op", 3, check_op),
    Entry::session("$ops", 2, ops),
];

pub(super) fn op(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if a[0].is_var() || a[1].is_var() || m.heap.deref(a[2]).is_var() {
        return Err(m.instantiation_error());
    }
    let priority = match m.heap.value(a[0]) {
        Value::Int(priority) => priority,
        Value::Big(_) => return Err(m.domain_error("operator_priority", a[0])),
        _ => return Err(m.type_error("integer", a[0])),
    };
    if !(0..=1200).contains(&priority) {
        return Err(m.domain_error("operator_priority", a[0]));
    }
    let specifier = args::atom(m, a[1])?;
    let Some(kind) = OpKind::from_name(m.symbols.name(specifier)) else {
        return Err(m.domain_error("operator_specifier", a[1]));
    };
    let names = names(m, a[2])?;
    // All names or none: a fault in the list changes nothing.
    let mut changed = w.operators.clone();
    for name in names {
        if let Err(error) = changed.define(priority, kind, name) {
            return Err(refused(m, error, a[0], name));
        }
    }
    w.operators = changed;
    if is_everybodys(m, a[2]) {
        // Said in a module's file of all others.
        let a = described(m, a)?;
        for loading in &mut w.loader.stack {
            let outside = loading.module.as_mut().and_then(|module| module.outside.as_mut());
            for (&(priority, kind, name), outside) in a.iter().zip(outside) {
                let _ = outside.define(priority, kind, name);
            }
        }
    }
    Ok(true)
}

/// Whether operators are named as those of `user` or `system`.
fn is_everybodys(m: &Machine, names: Cell) -> bool {
    let module = m.heap.match_struct::<2>(names, atoms::COLON).map(|[module, _]| module);
    let module = module.and_then(|module| m.heap.deref(module).as_atom());
    matches!(module, Some(atoms::USER | atoms::SYSTEM))
}

/// Operators as `op/3` has them, which took them: priority, kind, name.
pub(super) fn described(m: &mut Machine, a: &[Cell]) -> OrFault<Vec<(i64, OpKind, Atom)>> {
    let (priority, specifier) = (a[0].as_int().unwrap_or(0), args::atom(m, a[1])?);
    let Some(kind) = OpKind::from_name(m.symbols.name(specifier)) else {
        return Ok(Vec::new());
    };
    let names = names(m, a[2])?;
    Ok(names.into_iter().map(|name| (priority, kind, name)).collect())
}

fn refused(m: &mut Machine, error: OpError, priority: Cell, name: Atom) -> Fault {
    match error {
        OpError::Priority => m.domain_error("operator_priority", priority),
        OpError::Modify => m.permission_error("modify", "operator", Cell::atom(name)),
        OpError::Create => m.permission_error("create", "operator", Cell::atom(name)),
    }
}

/// An atom or a list of atoms; a module prefix is dropped.
fn names(m: &mut Machine, cell: Cell) -> OrFault<Vec<Atom>> {
    let cell = unqualified(m, cell);
    match m.heap.value(cell) {
        Value::Atom(name) => Ok(vec![name]),
        Value::List(_) => {
            let items = args::list(m, cell)?;
            let mut names = Vec::with_capacity(items.len());
            for item in items {
                let item = unqualified(m, item);
                names.push(args::atom(m, item)?);
            }
            Ok(names)
        }
        _ => Err(m.type_error("list", cell)),
    }
}

fn unqualified(m: &Machine, cell: Cell) -> Cell {
    match m.heap.match_struct(cell, atoms::COLON) {
        Some([_, name]) => m.heap.deref(name),
        None => m.heap.deref(cell),
    }
}

/// `'$check_op'(P, T, Op)`: the errors of `current_op/3`.
fn check_op(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    match m.heap.value(a[0]) {
        Value::Var(_) => {}
        Value::Int(priority) if (0..=1200).contains(&priority) => {}
        Value::Int(_) => return Err(m.domain_error("operator_priority", a[0])),
        // The standard has one error for both.
        _ if !m.is_iso() => return Err(m.type_error("integer", a[0])),
        _ => return Err(m.domain_error("operator_priority", a[0])),
    }
    match m.heap.value(a[1]) {
        Value::Var(_) => {}
        Value::Atom(name) if OpKind::from_name(m.symbols.name(name)).is_some() => {}
        Value::Atom(_) => return Err(m.domain_error("operator_specifier", a[1])),
        _ if !m.is_iso() => return Err(m.type_error("atom", a[1])),
        _ => return Err(m.domain_error("operator_specifier", a[1])),
    }
    match m.heap.value(a[2]) {
        Value::Var(_) | Value::Atom(_) => Ok(true),
        _ => Err(m.type_error("atom", a[2])),
    }
}

/// `'$ops'(Name, List)`: the operators of this name, of all names when it is
/// unbound, as `op(P, T, Name)`, by name.
fn ops(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let table = &w.operators;
    let found: Vec<(Atom, Op)> = match a[0].as_atom() {
        Some(name) => {
            let meanings = [table.prefix(name), table.infix(name), table.postfix(name)];
            meanings.into_iter().flatten().map(|op| (name, op)).collect()
        }
        None => table.all(&m.symbols),
    };
    let mut cells = Vec::with_capacity(found.len());
    for (name, op) in found {
        let kind = args::atom_cell(m, op.kind.name());
        let parts = [Cell::small(i64::from(op.priority)), kind, Cell::atom(name)];
        cells.push(args::compound(m, "op", &parts));
    }
    Ok(args::unify_list(m, a[1], &cells))
}
