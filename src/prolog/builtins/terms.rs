//! Terms taken apart, built, copied, compared (ISO 13211-1, 8.2 to 8.5), and the
//! destructive assignments of SWI-Prolog.

use super::sort::check_partial_list;
use super::text::count;
use super::{Entry, OrFault, World, args};
use std::cmp::Ordering;
use zug_machine::{Machine, Outcome};
use zug_term::symbol::atoms;
use zug_term::{Cell, MAX_ARITY};

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::pure("functor", 3, functor),
    Entry::pure("$arg", 3, arg),
    Entry::pure("$arity", 2, arity),
    Entry::pure("=..", 2, univ),
    Entry::pure("compound_name_arity", 3, compound_name_arity),
    Entry::pure("compound_name_arguments", 3, compound_name_arguments),
    Entry::pure("term_variables", 2, term_variables),
    Entry::pure("term_variables", 3, term_variables_tail),
    Entry::pure("nonground", 2, nonground),
    Entry::pure("ground", 1, |m, _, a| {
        m.walk_checked(|m, check| zug_term::is_ground_at(&m.heap, a[0], check))
    }),
    Entry::pure("acyclic_term", 1, |m, _, a| is_acyclic(m, a[0])),
    Entry::pure("cyclic_term", 1, |m, _, a| is_acyclic(m, a[0]).map(|acyclic| !acyclic)),
    Entry::pure("compare", 3, compare),
    Entry::pure("=@=", 2, |m, _, a| is_variant(m, a)),
    Entry::pure("\\=@=", 2, |m, _, a| is_variant(m, a).map(|variant| !variant)),
    Entry::pure("?=", 2, |m, _, a| {
        Ok(zug_term::structural_eq(&m.heap, a[0], a[1]) || !m.unifiable(a[0], a[1]))
    }),
    Entry::pure("same_term", 2, |_, _, a| Ok(a[0] == a[1])),
    Entry::pure("\\=", 2, |m, _, a| Ok(m.not_unifiable(a[0], a[1]))),
    Entry::pure("unify_with_occurs_check", 2, |m, _, a| m.unify_occurs_check(a[0], a[1])),
    Entry::pure("subsumes_term", 2, |m, _, a| m.subsumes(a[0], a[1])),
    Entry::pure("unifiable", 3, unifiable),
    Entry::session("setarg", 3, setarg),
    Entry::session("nb_setarg", 3, nb_setarg),
    Entry::pure("numbervars", 1, |m, _, a| number_from(m, a[0], 0).map(|_| true)),
    Entry::pure("numbervars", 3, numbervars),
    Entry::pure("term_size", 2, term_size),
    Entry::pure("is_list", 1, |m, _, a| Ok(super::sort::list_end(&m.heap, a[0]).1 == Cell::NIL)),
    Entry::pure("rational", 1, |m, _, a| {
        Ok(m.number_of(a[0]).is_some_and(|number| number.is_exact()))
    }),
    Entry::pure("rational", 3, rational),
    Entry::pure("is_dict", 1, |_, _, _| Ok(false)),
    Entry::pure("blob", 2, |_, _, _| Ok(false)),
];

/// `rational(X, Numerator, Denominator)`, in lowest terms.
fn rational(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let Some(Ok(value)) = m.number_of(a[0]).map(|number| number.into_rational()) else {
        return Ok(false);
    };
    let [above, below] = [value.numer(), value.denom()].map(|part| m.heap.new_big(part));
    Ok(m.unify(a[1], above) && m.unify(a[2], below))
}

/// The arity asked for: an integer that is not negative and not too large.
fn wanted_arity(m: &mut Machine, cell: Cell) -> OrFault<usize> {
    match count(m, cell)? {
        None => Err(m.instantiation_error()),
        Some(arity) if arity > MAX_ARITY => Err(m.representation_error("max_arity")),
        Some(arity) => {
            m.room_for(arity * size_of::<Cell>())?;
            Ok(arity)
        }
    }
}

/// A compound with fresh variables for arguments.
fn most_general(m: &mut Machine, name: Cell, arity: usize) -> OrFault<Cell> {
    let Some(atom) = name.as_atom() else {
        let expected = if name.is_compound() { "atomic" } else { "atom" };
        return Err(m.type_error(expected, name));
    };
    Ok(m.heap.new_general(atom, arity))
}

fn functor(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if let Some((name, arity, _)) = m.heap.name_arity(a[0]) {
        return Ok(m.unify(a[1], Cell::atom(name)) && m.unify(a[2], Cell::small(arity as i64)));
    }
    if !a[0].is_var() {
        return Ok(m.unify(a[1], a[0]) && m.unify(a[2], Cell::ZERO));
    }
    if a[1].is_var() || a[2].is_var() {
        return Err(m.instantiation_error());
    }
    if a[1].is_compound() {
        return Err(m.type_error("atomic", a[1]));
    }
    let arity = wanted_arity(m, a[2])?;
    let term = if arity == 0 { a[1] } else { most_general(m, a[1], arity)? };
    Ok(m.unify(a[0], term))
}

/// The address of argument N of a compound; `None` when there is no such argument.
fn argument(m: &mut Machine, n: Cell, compound: Cell) -> OrFault<Option<usize>> {
    if n.is_var() || compound.is_var() {
        return Err(m.instantiation_error());
    }
    if let (Some(n), true) = (n.as_int(), compound.is_compound())
        && n > 0
    {
        let found = m.heap.name_arity(compound).filter(|&(_, arity, _)| n as u64 <= arity as u64);
        return Ok(found.map(|(_, _, args)| args + n as usize - 1));
    }
    if !m.number_of(n).is_some_and(|number| number.is_integer()) {
        return Err(m.type_error("integer", n));
    }
    if !compound.is_compound() {
        return Err(m.type_error("compound", compound));
    }
    let n = count(m, n)?.unwrap_or(0);
    let found = m.heap.name_arity(compound).filter(|&(_, arity, _)| (1..=arity).contains(&n));
    Ok(found.map(|(_, _, args)| args + n - 1))
}

/// `arg(N, Compound, Arg)` for a known N.
fn arg(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let Some(at) = argument(m, a[0], a[1])? else { return Ok(false) };
    let value = m.heap.at(at);
    Ok(m.unify(a[2], value))
}

/// `$arity(Compound, Arity)`, with the errors of `arg/3` for a number that is not known.
fn arity(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if m.is_iso() {
        return Err(m.instantiation_error());
    }
    if !a[0].is_compound() {
        return Err(m.type_error("compound", a[0]));
    }
    let arity = m.heap.name_arity(a[0]).map_or(0, |(_, arity, _)| arity);
    Ok(m.unify(a[1], Cell::small(arity as i64)))
}

fn arguments(m: &Machine, compound: Cell) -> Vec<Cell> {
    m.heap.name_arity(compound).map_or_else(Vec::new, |(_, arity, args)| {
        (args..args + arity).map(|at| m.heap.at(at)).collect()
    })
}

fn univ(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if !a[0].is_var() {
        check_partial_list(m, a[1])?;
        let (name, args) = match m.heap.name_arity(a[0]) {
            Some((name, arity, _)) => {
                // The list, and the arguments while it is made.
                m.room_for(3 * arity * size_of::<Cell>())?;
                (Cell::atom(name), arguments(m, a[0]))
            }
            None => (a[0], Vec::new()),
        };
        let tail = m.heap.list_from(&args, Cell::NIL);
        let list = m.heap.new_list(name, tail);
        return Ok(m.unify(a[1], list));
    }
    let items = args::list(m, a[1])?;
    let Some((&name, args)) = items.split_first() else {
        return Err(m.domain_error("non_empty_list", Cell::NIL));
    };
    args::bound(m, name)?;
    let term = match (name.as_atom(), args) {
        (_, []) if name.is_compound() => return Err(m.type_error("atomic", name)),
        (_, []) => name,
        (None, _) => return Err(m.type_error("atom", name)),
        (_, args) if args.len() > MAX_ARITY => return Err(m.representation_error("max_arity")),
        (Some(name), args) => m.heap.new_struct(name, args),
    };
    Ok(m.unify(a[0], term))
}

fn compound_name_arity(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if a[0].is_compound() {
        let Some((name, arity, _)) = m.heap.name_arity(a[0]) else { return Ok(false) };
        return Ok(m.unify(a[1], Cell::atom(name)) && m.unify(a[2], Cell::small(arity as i64)));
    }
    if !a[0].is_var() {
        return Err(m.type_error("compound", a[0]));
    }
    if a[1].is_var() || a[2].is_var() {
        return Err(m.instantiation_error());
    }
    let arity = wanted_arity(m, a[2])?;
    if a[1].as_atom().is_none() {
        return Err(m.type_error("atom", a[1]));
    }
    let term = if arity == 0 { a[1] } else { most_general(m, a[1], arity)? };
    Ok(m.unify(a[0], term))
}

fn compound_name_arguments(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if a[0].is_compound() {
        let Some((name, _, _)) = m.heap.name_arity(a[0]) else { return Ok(false) };
        let args = arguments(m, a[0]);
        let list = m.heap.list_from(&args, Cell::NIL);
        return Ok(m.unify(a[1], Cell::atom(name)) && m.unify(a[2], list));
    }
    if !a[0].is_var() {
        return Err(m.type_error("compound", a[0]));
    }
    args::bound(m, a[1])?;
    let Some(name) = a[1].as_atom() else { return Err(m.type_error("atom", a[1])) };
    let args = args::list(m, a[2])?;
    let term = m.heap.new_struct(name, &args);
    Ok(m.unify(a[0], term))
}

/// Whether a term is finite.
fn is_acyclic(m: &mut Machine, cell: Cell) -> Outcome {
    m.walk_checked(|m, check| zug_term::are_acyclic_at(&m.heap, [cell], check))
}

/// Whether two arguments are variants.
fn is_variant(m: &mut Machine, a: &[Cell]) -> Outcome {
    m.walk_checked(|m, check| zug_term::is_variant_at(&m.heap, a[0], a[1], check))
}

/// The unbound variables of a term.
fn variables(m: &mut Machine, cell: Cell) -> OrFault<Vec<Cell>> {
    m.walk_checked(|m, check| zug_term::variables_at(&m.heap, cell, check))
}

fn term_variables(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    check_partial_list(m, a[1])?;
    let variables = variables(m, a[0])?;
    Ok(args::unify_list(m, a[1], &variables))
}

fn term_variables_tail(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let variables = variables(m, a[0])?;
    let list = m.heap.list_from(&variables, a[2]);
    Ok(m.unify(a[1], list))
}

/// `nonground(T, V)`: V is a variable of T.
fn nonground(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    Ok(variables(m, a[0])?.first().is_some_and(|&variable| m.unify(a[1], variable)))
}

fn compare(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if !a[0].is_var() {
        match a[0].as_atom() {
            Some(atoms::NUM_LT | atoms::UNIFY | atoms::NUM_GT) => {}
            Some(_) => return Err(m.domain_error("order", a[0])),
            None => return Err(m.type_error("atom", a[0])),
        }
    }
    let (one, other) = (a[1], a[2]);
    let order =
        m.walk_checked(|m, check| zug_term::compare_at(&m.heap, &m.symbols, one, other, check))?;
    let order = match order {
        Ordering::Less => atoms::NUM_LT,
        Ordering::Equal => atoms::UNIFY,
        Ordering::Greater => atoms::NUM_GT,
    };
    Ok(m.unify(a[0], Cell::atom(order)))
}

/// `unifiable(X, Y, Unifier)`: the bindings that would make X and Y equal.
fn unifiable(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let Some(pairs) = m.unifier(a[0], a[1]) else { return Ok(false) };
    let equations: Vec<Cell> = pairs
        .into_iter()
        .map(|(var, value)| m.heap.new_struct(atoms::UNIFY, &[var, value]))
        .collect();
    Ok(args::unify_list(m, a[2], &equations))
}

fn setarg(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let Some(at) = argument(m, a[0], a[1])? else { return Ok(false) };
    m.set_trailed(at, a[2]);
    Ok(true)
}

fn nb_setarg(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let Some(at) = argument(m, a[0], a[1])? else { return Ok(false) };
    m.set_for_good(at, a[2]);
    Ok(true)
}

/// Binds the variables of a term to `'$VAR'(N)`, N counting up; the next N.
fn number_from(m: &mut Machine, cell: Cell, start: i64) -> OrFault<i64> {
    let mut next = start;
    let variables = variables(m, cell)?;
    if variables.iter().any(|variable| variable.is_attributed()) {
        return Err(m.type_error("free_of_attvar", cell));
    }
    for variable in variables {
        let number = m.heap.new_int(next);
        let name = m.heap.new_struct(atoms::VARNAME, &[number]);
        m.bind(variable, name);
        next += 1;
    }
    Ok(next)
}

fn numbervars(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let start = a[1].as_int().ok_or_else(|| m.type_error("integer", a[1]))?;
    let end = number_from(m, a[0], start)?;
    Ok(args::unify_int(m, a[2], end))
}

/// `term_size(T, Cells)`: subterms of T, counted.
fn term_size(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let size = m.walk_checked(|m, check| zug_term::size_at(&m.heap, a[0], usize::MAX, check))?;
    Ok(args::unify_int(m, a[1], size as i64))
}

#[cfg(test)]
mod tests;
