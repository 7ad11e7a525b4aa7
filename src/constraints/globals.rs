//! Constraints on many variables, as predicates.

use crate::expression::integer;
use crate::propagators::cardinality::{Consistency, post_costs, post_global_cardinality};
use crate::propagators::distinct::{post_circuit, post_different, post_distinct};
use crate::propagators::element::post_element;
use crate::propagators::lexicographic::post_lex_chain;
use crate::propagators::scheduling::{Task, post_cumulative, post_disjoint2, post_serialized};
use crate::propagators::table::post_tuples_in;
use crate::session::{Posted, Refusal, Session};
use crate::shown::{Shown, Var};
use num_bigint::BigInt;
use num_traits::Signed;
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

pub(crate) fn all_different(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let vars = session.operands(args[0])?;
    let post = if session.beside { post_distinct } else { post_different };
    Ok(post(session.store, &vars)?)
}

pub(crate) fn all_distinct(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let vars = session.operands(args[0])?;
    Ok(post_distinct(session.store, &vars)?)
}

pub(crate) fn circuit(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let vars = session.operands(args[0])?;
    Ok(post_circuit(session.store, &vars)?)
}

pub(crate) fn lex_chain(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let lists = session.tuples(args[0])?;
    Ok(post_lex_chain(session.store, &lists)?)
}

pub(crate) fn tuples_in(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let tuples = session.tuples(args[0])?;
    let relation = session.relation(args[1])?;
    Ok(post_tuples_in(session.store, &tuples, &relation)?)
}

pub(crate) fn element(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let list = session.operands(args[1])?;
    let (index, value) = (session.operand(args[0])?, session.operand(args[2])?);
    Ok(post_element(session.store, index, &list, value)?)
}

pub(crate) fn global_cardinality(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let items = session.list(args[0])?;
    let pairs = session.list(args[1])?;
    let options = match args.get(2) {
        Some(&options) => session.list(options)?,
        None => Vec::new(),
    };
    let mut counts: Vec<(BigInt, Var)> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let Some([key, number]) = session.m.heap.match_struct::<2>(pair, atoms::MINUS) else {
            return Err(session.m.domain_error("gcc_pair", pair).into());
        };
        let key = session.number(key)?;
        counts.push((key, session.operand(number)?));
    }
    let vars: Vec<Var> =
        items.into_iter().map(|item| session.operand(item)).collect::<Posted<_>>()?;
    let keys: Vec<BigInt> = counts.iter().map(|(key, _)| key.clone()).collect();
    let mut sorted = keys.clone();
    sorted.sort();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(session.m.domain_error("gcc_unique_key_pairs", args[1]).into());
    }
    let mut consistency = Consistency::Domain;
    let mut costs = None;
    for option in options {
        match session.m.heap.value(option) {
            Value::Struct(name, 1, at) if session.m.symbols.name(name) == "consistency" => {
                let kind = session.m.heap.deref(session.m.heap.at(at)).as_atom();
                if kind.is_some_and(|kind| session.m.symbols.name(kind) == "value") {
                    consistency = Consistency::Value;
                }
            }
            Value::Struct(name, 2, at) if session.m.symbols.name(name) == "cost" => {
                costs = Some((session.m.heap.at(at), session.m.heap.at(at + 1)));
            }
            _ => {}
        }
    }
    // No value is a key: of no variables this fails too.
    if counts.is_empty() {
        return Err(Refusal::Fail);
    }
    post_global_cardinality(session.store, &vars, &counts, consistency)?;
    session.propagate()?;
    if let Some((cost, matrix)) = costs {
        let matrix = session.relation(matrix)?;
        let cost = session.operand(cost)?;
        if matrix.len() != vars.len() || matrix.iter().any(|row| row.len() != keys.len()) {
            return Err(Refusal::Fail);
        }
        post_costs(session.store, &vars, &keys, &matrix, cost)?;
    }
    Ok(())
}

pub(crate) fn serialized(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let durations = session.numbers(args[1])?;
    let starts = session.operands(args[0])?;
    if starts.len() != durations.len() || durations.iter().any(Signed::is_negative) {
        return Err(Refusal::Fail);
    }
    Ok(post_serialized(session.store, &starts, &durations)?)
}

pub(crate) fn cumulative(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let items = session.list(args[0])?;
    let options = match args.get(1) {
        Some(&options) => session.list(options)?,
        None => Vec::new(),
    };
    let limit_name = session.m.symbols.intern("limit");
    let limit = match &*options {
        [] => BigInt::from(1),
        [option] if let Some([limit]) = session.m.heap.match_struct::<1>(*option, limit_name) => {
            session.number(limit)?
        }
        _ => {
            let domain = "cumulative_options_empty_or_limit";
            return Err(session.m.domain_error(domain, args[1]).into());
        }
    };
    let task_name = session.m.symbols.intern("task");
    let mut tasks = Vec::with_capacity(items.len());
    for item in items {
        let Some(parts) = session.m.heap.match_struct::<5>(item, task_name) else {
            return Err(session.m.type_error("task", item).into());
        };
        let [start, duration, end, demand, name] = parts;
        // What a task is called is shown where it is a number.
        let name = match session.m.heap.value(name) {
            Value::Int(value) => Shown::int(value),
            _ => Shown::Compound("_", Vec::new()),
        };
        tasks.push(Task {
            start: session.operand(start)?,
            duration: session.operand(duration)?,
            end: session.operand(end)?,
            demand: session.operand(demand)?,
            name,
        });
    }
    let limit = session.store.constant(&limit);
    post_cumulative(session.store, &tasks, limit)?;
    session.propagate()?;
    // Its times are looked at one by one.
    for task in &tasks {
        let is_open = |var| session.store.domain(var).as_small().is_none();
        if [task.start, task.duration, task.end].into_iter().any(is_open) {
            return Err(session.m.instantiation_error().into());
        }
    }
    Ok(())
}

pub(crate) fn disjoint2(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let mut rectangles = Vec::new();
    for item in session.list(args[0])? {
        let Value::Struct(_, 4, at) = session.m.heap.value(item) else {
            return Err(session.m.type_error("rectangle", item).into());
        };
        let mut rectangle = [Var(0); 4];
        for (place, part) in rectangle.iter_mut().enumerate() {
            *part = session.operand(session.m.heap.at(at + place))?;
        }
        rectangles.push(rectangle);
    }
    Ok(post_disjoint2(session.store, &rectangles)?)
}

impl Session<'_> {
    pub(crate) fn number(&mut self, cell: Cell) -> Posted<BigInt> {
        integer(&self.m.heap, cell).ok_or_else(|| self.m.type_error("integer", cell).into())
    }

    pub(crate) fn numbers(&mut self, list: Cell) -> Posted<Vec<BigInt>> {
        self.list(list)?.into_iter().map(|item| self.number(item)).collect()
    }
}
