//! `op/3` and what `current_op/3` needs (ISO 13211-1, 8.14.3 and 8.14.4).

use super::{Entry, World, args};
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

pub(super) fn op(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    if all[0].is_var() || all[1].is_var() || machine.heap.deref(all[2]).is_var() {
        return Err(machine.instantiation_error());
    }
    let priority = match machine.heap.value(all[0]) {
        Value::Int(priority) => priority,
        Value::Big(_) => return Err(machine.domain_error("operator_priority", all[0])),
        _ => return Err(machine.type_error("integer", all[0])),
    };
    if !(0..=1200).contains(&priority) {
        return Err(machine.domain_error("operator_priority", all[0]));
    }
    let specifier = args::atom(machine, all[1])?;
    let Some(kind) = OpKind::from_name(machine.symbols.name(specifier)) else {
        return Err(machine.domain_error("operator_specifier", all[1]));
    };
    let names = names(machine, all[2])?;
    // All names or none: a fault in the list changes nothing.
    let mut changed = world.operators.clone();
    for name in names {
        if let Err(error) = changed.define(priority, kind, name) {
            return Err(refused(machine, error, all[0], name));
        }
    }
    world.operators = changed;
    if is_everybodys(machine, all[2]) {
        // Said in a module's file of all others.
        let all = described(machine, all)?;
        for loading in &mut world.loader.stack {
            let outside = loading.module.as_mut().and_then(|module| module.outside.as_mut());
            for (&(priority, kind, name), outside) in all.iter().zip(outside) {
                let _ = outside.define(priority, kind, name);
            }
        }
    }
    Ok(true)
}

/// Whether operators are named as those of `user` or `system`.
fn is_everybodys(machine: &Machine, names: Cell) -> bool {
    let module = machine.heap.match_struct::<2>(names, atoms::COLON).map(|[module, _]| module);
    let module = module.and_then(|module| machine.heap.deref(module).as_atom());
    matches!(module, Some(atoms::USER | atoms::SYSTEM))
}

/// Operators as `op/3` has them, which took them: priority, kind, name.
pub(super) fn described(
    machine: &mut Machine,
    all: &[Cell],
) -> Result<Vec<(i64, OpKind, Atom)>, Fault> {
    let (priority, specifier) = (all[0].as_int().unwrap_or(0), args::atom(machine, all[1])?);
    let Some(kind) = OpKind::from_name(machine.symbols.name(specifier)) else {
        return Ok(Vec::new());
    };
    let names = names(machine, all[2])?;
    Ok(names.into_iter().map(|name| (priority, kind, name)).collect())
}

fn refused(machine: &mut Machine, error: OpError, priority: Cell, name: Atom) -> Fault {
    match error {
        OpError::Priority => machine.domain_error("operator_priority", priority),
        OpError::Modify => machine.permission_error("modify", "operator", Cell::atom(name)),
        OpError::Create => machine.permission_error("create", "operator", Cell::atom(name)),
    }
}

/// An atom or a list of atoms; a module prefix is dropped.
fn names(machine: &mut Machine, cell: Cell) -> Result<Vec<Atom>, Fault> {
    let cell = unqualified(machine, cell);
    match machine.heap.value(cell) {
        Value::Atom(name) => Ok(vec![name]),
        Value::List(_) => {
            let items = args::list(machine, cell)?;
            let mut names = Vec::with_capacity(items.len());
            for item in items {
                let item = unqualified(machine, item);
                names.push(args::atom(machine, item)?);
            }
            Ok(names)
        }
        _ => Err(machine.type_error("list", cell)),
    }
}

fn unqualified(machine: &Machine, cell: Cell) -> Cell {
    match machine.heap.match_struct(cell, atoms::COLON) {
        Some([_, name]) => machine.heap.deref(name),
        None => machine.heap.deref(cell),
    }
}

/// `'$check_op'(P, T, Op)`: the errors of `current_op/3`.
fn check_op(machine: &mut Machine, _: &mut World, all: &[Cell]) -> Outcome {
    match machine.heap.value(all[0]) {
        Value::Var(_) => {}
        Value::Int(priority) if (0..=1200).contains(&priority) => {}
        Value::Int(_) => return Err(machine.domain_error("operator_priority", all[0])),
        // The standard has one error for both.
        _ if !machine.is_iso() => return Err(machine.type_error("integer", all[0])),
        _ => return Err(machine.domain_error("operator_priority", all[0])),
    }
    match machine.heap.value(all[1]) {
        Value::Var(_) => {}
        Value::Atom(name) if OpKind::from_name(machine.symbols.name(name)).is_some() => {}
        Value::Atom(_) => return Err(machine.domain_error("operator_specifier", all[1])),
        _ if !machine.is_iso() => return Err(machine.type_error("atom", all[1])),
        _ => return Err(machine.domain_error("operator_specifier", all[1])),
    }
    match machine.heap.value(all[2]) {
        Value::Var(_) | Value::Atom(_) => Ok(true),
        _ => Err(machine.type_error("atom", all[2])),
    }
}

/// `'$ops'(Name, List)`: the operators of this name, of all names when it is
/// unbound, as `op(P, T, Name)`, by name.
fn ops(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let table = &world.operators;
    let found: Vec<(Atom, Op)> = match all[0].as_atom() {
        Some(name) => {
            let meanings = [table.prefix(name), table.infix(name), table.postfix(name)];
            meanings.into_iter().flatten().map(|op| (name, op)).collect()
        }
        None => table.all(&machine.symbols),
    };
    let mut cells = Vec::with_capacity(found.len());
    for (name, op) in found {
        let kind = args::atom_cell(machine, op.kind.name());
        let parts = [Cell::small(i64::from(op.priority)), kind, Cell::atom(name)];
        cells.push(args::compound(machine, "op", &parts));
    }
    let list = machine.heap.list_from(&cells, Cell::NIL);
    Ok(machine.unify(all[1], list))
}
