//! The steps under `library/tabling.pl`; what they do is in [`zug_machine::tables`].

use super::{Entry, OrFault, World, args};
use zug_machine::Mode;
use zug_machine::tables::Added;
use zug_machine::{Machine, Outcome, PredId, Space};
use zug_term::{Cell, MAX_ARITY, Record};

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::session("$set_tabled", 4, set_tabled),
    Entry::session("$set_untabled", 2, set_untabled),
    Entry::session("$set_incremental_tables", 2, |m, _, a| {
        let pred = predicate(m, a[0], a[1])?;
        m.program.set_incremental_tables(pred);
        Ok(true)
    }),
    Entry::session("$tables", 2, tables),
    Entry::session("$abolish_tables", 1, |m, _, a| {
        let numbers = args::list(m, a[0])?;
        let numbers: OrFault<Vec<usize>> =
            numbers.into_iter().map(|cell| number(m, cell)).collect();
        m.abolish_tables_of(&numbers?);
        Ok(true)
    }),
    Entry::session("$table_joins", 3, joins),
    Entry::session("$table_joins", 2, joins_of),
    Entry::session("$table_indices", 3, indices),
    Entry::session("$table", 5, table),
    Entry::session("$table_begin", 1, |m, _, a| {
        let table = number(m, a[0])?;
        Ok(m.begin_table(table))
    }),
    Entry::session("$table_pass_begins", 0, |m, _, _| {
        m.begin_table_pass();
        Ok(true)
    }),
    Entry::session("$table_settled", 0, |m, _, _| m.settle_table()),
    Entry::session("$table_add", 3, add),
    Entry::session("$table_replace", 2, |m, _, a| {
        let table = number(m, a[0])?;
        m.replace_in_table(table, a[1])
    }),
    Entry::session("$table_next", 4, next),
    Entry::session("$table_answer", 3, answer),
    Entry::session("$table_work", 2, work),
    Entry::session("$table_take", 2, |m, _, a| {
        let consumer = number(m, a[0])?;
        Ok(m.take_answer(consumer).is_some_and(|answer| m.unify(a[1], answer)))
    }),
    Entry::session("abolish_all_tables", 0, |m, _, _| {
        m.abolish_tables();
        Ok(true)
    }),
];

/// The number of a table, of an answer, or of arguments.
fn number(m: &mut Machine, cell: Cell) -> OrFault<usize> {
    let cell = m.heap.deref(cell);
    match cell.as_int().map(usize::try_from) {
        Some(Ok(number)) => Ok(number),
        _ => Err(m.type_error("not_less_than_zero", cell)),
    }
}

/// The predicate of `Module:Name` and an arity.
fn predicate(m: &mut Machine, name: Cell, arity: Cell) -> OrFault<PredId> {
    let (name, space) = m.goal_and_space(name, Space::User);
    let name = args::atom(m, name)?;
    let arity = number(m, arity)?;
    if arity > MAX_ARITY {
        return Err(m.representation_error("max_arity"));
    }
    super::database::refuse_protected(m, name, arity)?;
    Ok(m.program.own(name, arity, space).pred)
}

/// `'$set_tabled'(Module:Name, Arity, Modes, Joins)`: Modes has one of `index min max first last joined`
/// for each argument, or is empty; Joins is kept for the library.
fn set_tabled(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let pred = predicate(m, a[0], a[1])?;
    let mut modes = Vec::new();
    for mode in args::list(m, a[2])? {
        modes.push(match args::text(m, mode).as_deref() {
            Some("min") => Mode::Min,
            Some("max") => Mode::Max,
            Some("first") => Mode::First,
            Some("last") => Mode::Last,
            Some("joined") => Mode::Joined,
            _ => Mode::Index,
        });
    }
    m.abolish_tables();
    let joins = Record::new(&mut m.heap, a[3]);
    let load = w.loader.stack.last().map(|loading| loading.number);
    m.program.set_tabled(pred, &modes, joins, load);
    Ok(true)
}

/// `'$table_joins'(Module:Name, Arity, Joins)`: what `'$set_tabled'/4` was given.
fn joins(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let pred = predicate(m, a[0], a[1])?;
    let Some(joins) = m.program.table_joins(pred).cloned() else { return Ok(false) };
    let joins = joins.instantiate(&mut m.heap);
    Ok(m.unify(a[2], joins))
}

/// `'$table_joins'(Table, Joins)`: the same, by the number of a table.
fn joins_of(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let table = number(m, a[0])?;
    let joins = m.table_pred(table).and_then(|pred| m.program.table_joins(pred)).cloned();
    let Some(joins) = joins else { return Ok(false) };
    let joins = joins.instantiate(&mut m.heap);
    Ok(m.unify(a[1], joins))
}

/// `'$table_indices'(Module:Name, Arity, List)`: `index` or `chosen` for each argument.
fn indices(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let pred = predicate(m, a[0], a[1])?;
    let Some(modes) = m.program.table_modes(pred) else { return Ok(false) };
    let names = modes.iter().map(|mode| if *mode == Mode::Index { "index" } else { "chosen" });
    let cells: Vec<Cell> = names.map(|name| Cell::atom(m.symbols.intern(name))).collect();
    Ok(args::unify_list(m, a[2], &cells))
}

fn set_untabled(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let pred = predicate(m, a[0], a[1])?;
    m.abolish_tables();
    m.program.set_untabled(pred);
    Ok(true)
}

/// `'$table'(Goal, Table, How, General-Kept, Answer)`: How is `ready` or `fresh`.
fn table(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let call = m.table_of(a[0])?;
    let how = args::atom_cell(m, if call.ready { "ready" } else { "fresh" });
    let pair = args::compound(m, "-", &[call.general, call.kept]);
    Ok(m.unify(a[1], Cell::small(call.table as i64))
        && m.unify(a[2], how)
        && m.unify(a[3], pair)
        && m.unify(a[4], call.answer))
}

/// `'$table_add'(Table, Answer, Old)`: Old is an answer to join this one with, or `[]`.
fn add(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let table = number(m, a[0])?;
    let old = match m.add_to_table(table, a[1])? {
        Added::Done => Cell::NIL,
        Added::Join(old) => old,
    };
    Ok(m.unify(a[2], old))
}

/// `'$tables'(Module, List)`: `Number-Call` for each table of a predicate of a module.
fn tables(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let nothing = Cell::NIL;
    let inner = args::compound(m, ":", &[a[0], nothing]);
    let (_, space) = m.goal_and_space(inner, Space::User);
    let found = m.current_tables();
    let own = found.into_iter().filter(|&(_, _, of)| of == space);
    let pairs: Vec<Cell> = own
        .map(|(number, call, _)| args::compound(m, "-", &[Cell::small(number as i64), call]))
        .collect();
    Ok(args::unify_list(m, a[1], &pairs))
}

/// `'$table_work'(Consumer, Work)`: a consumer that goes on with answers.
fn work(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let Some((number, work)) = m.next_consumer() else { return Ok(false) };
    Ok(m.unify(a[0], Cell::small(number as i64)) && m.unify(a[1], work))
}

/// `'$table_next'(Table, From, At, More)`: More is `none` where there is no answer at or behind From.
fn next(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (table, from) = (number(m, a[0])?, number(m, a[1])?);
    let Some((at, more)) = m.next_in_table(table, from) else {
        return Ok(args::unify_atom(m, a[3], "none"));
    };
    let more = args::atom_cell(m, if more { "true" } else { "false" });
    Ok(m.unify(a[2], Cell::small(at as i64)) && m.unify(a[3], more))
}

/// `'$table_answer'(Table, At, Answer)`.
fn answer(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (table, at) = (number(m, a[0])?, number(m, a[1])?);
    Ok(m.table_answer(table, at).is_some_and(|found| m.unify(a[2], found)))
}
