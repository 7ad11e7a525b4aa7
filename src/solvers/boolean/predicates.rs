//! The predicates in Rust, over which `library/clpb.pl` has the others.

use super::consequences::heaviest;
use super::diagrams::{FALSE, Node, TRUE};
use super::session::Session;
use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashMap;
use zug_machine::{Fault, Machine, Outcome};
use zug_prolog::World;
use zug_prolog::builtins::Entry;
use zug_random::Random;
use zug_term::{Cell, Value, variables};

pub const TABLE: &[Entry] = &[
    Entry::pure("sat", 1, sat),
    Entry::pure("taut", 2, taut),
    Entry::pure("$clpb_count", 2, sat_count),
    Entry::pure("$clpb_order", 2, order),
    Entry::pure("$clpb_random", 3, random),
    Entry::pure("$clpb_heaviest", 3, weighted_maximum),
];

/// Runs a predicate on the store of the session.
fn run(m: &mut Machine, w: &mut World, work: impl FnOnce(&mut Session<'_>) -> Outcome) -> Outcome {
    let mut session = Session::new(m, w);
    let outcome = work(&mut session);
    session.keep();
    outcome
}

fn sat(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    run(m, w, |session| {
        let parts = session.conjuncts(a[0])?;
        for (part, is_so) in parts {
            let mut function = session.function(part)?;
            if !is_so {
                function = session.store.diagrams.not(function);
            }
            if !session.post(function) {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

fn taut(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    run(m, w, |session| {
        let function = session.function(a[0])?;
        let is_so = session.with_constraints(function, &[]);
        if !session.is_satisfiable(is_so) && session.m.unify(a[1], Cell::small(0)) {
            return Ok(true);
        }
        let support = session.store.diagrams.support(function);
        let not = session.store.diagrams.not(function);
        let is_not = session.with_constraints(not, &support);
        Ok(is_not == FALSE && session.m.unify(a[1], Cell::small(1)))
    })
}

/// `'$clpb_count'(Expression, Count)`: of the values of all variables of an expression for which it is 1.
fn sat_count(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let mut count = BigUint::default();
    run(m, w, |session| {
        let function = session.function(a[0])?;
        let cells = variables(&session.m.heap, a[0]);
        let mut vars: Vec<u32> = cells.into_iter().map(|cell| session.variable(cell)).collect();
        vars.sort_unstable();
        vars.dedup();
        let mut formula = session.with_constraints(function, &vars);
        let support = session.store.diagrams.support(formula);
        let (atoms, others): (Vec<u32>, Vec<u32>) = support
            .into_iter()
            .filter(|var| vars.binary_search(var).is_err())
            .partition(|&var| session.store.is_universal(var));
        for var in atoms.into_iter().chain(others) {
            formula = session.eliminated(formula, var);
        }
        count = session.store.diagrams.count(formula, &vars);
        Ok(true)
    })?;
    let count = m.heap.new_big(&BigInt::from(count));
    Ok(m.unify(a[1], count))
}

/// `'$clpb_order'(Variables, Ordered)`: in the order in which they were constrained first.
fn order(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    run(m, w, |session| {
        let mut items = session.m.heap.proper_list(a[0]).unwrap_or_default();
        items.sort_by_key(|&item| session.known(item).unwrap_or(0));
        let list = session.m.heap.list_from(&items, Cell::NIL);
        Ok(session.m.unify(a[1], list))
    })
}

/// Variables of a list that have no values yet, as those of the store.
fn open(session: &mut Session<'_>, items: &[Cell]) -> Vec<u32> {
    let open = items.iter().filter(|&&item| session.m.heap.deref(item).is_var());
    let open: Vec<Cell> = open.copied().collect();
    open.into_iter().map(|item| session.variable(item)).collect()
}

/// `'$clpb_random'(Seed, Variables, Values)`: values of one solution, all of which are equally likely.
fn random(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let Some(seed) = a[0].as_int() else { return Err(m.type_error("integer", a[0])) };
    run(m, w, |session| {
        let items = session.m.heap.proper_list(a[1]).unwrap_or_default();
        let mut vars = open(session, &items);
        vars.sort_unstable();
        vars.dedup();
        let formula = projected(session, &vars);
        if formula == FALSE {
            return Ok(false);
        }
        let diagrams = &session.store.diagrams;
        let counts = diagrams.counts(formula, &vars);
        let mut random = Random::new(seed as u64);
        let mut values: FxHashMap<u32, bool> = FxHashMap::default();
        let mut at = formula;
        for (place, &var) in vars.iter().enumerate() {
            if diagrams.place(at, &vars) > place {
                values.insert(var, random.below(2) == 1);
                continue;
            }
            let inner = diagrams.inner(at);
            let of = |child| &counts[&child] << (diagrams.place(child, &vars) - place - 1);
            let (low, high) = (of(inner.low), of(inner.high));
            let drawn = random.below_big(&BigInt::from(&low + &high));
            let value = drawn >= BigInt::from(low);
            values.insert(var, value);
            at = if value { inner.high } else { inner.low };
        }
        let values: Vec<Cell> = items
            .iter()
            .map(|&item| match session.known(item) {
                Some(var) => Cell::small(values[&var].into()),
                None => session.m.heap.deref(item),
            })
            .collect();
        let list = session.m.heap.list_from(&values, Cell::NIL);
        Ok(session.m.unify(a[2], list))
    })
}

/// What is known of variables, whatever all others are.
fn projected(session: &mut Session<'_>, vars: &[u32]) -> Node {
    let mut formula = session.with_constraints(TRUE, vars);
    for var in session.store.diagrams.support(formula).into_iter().rev() {
        if vars.binary_search(&var).is_err() {
            formula = session.eliminated(formula, var);
        }
    }
    formula
}

/// `'$clpb_heaviest'(Weights, Variables, Maximum)`: the greatest sum of the weights of variables that are 1; posts that
/// it is reached.
fn weighted_maximum(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let mut maximum = BigInt::default();
    let holds = run(m, w, |session| {
        let weights = session.m.heap.proper_list(a[0]).unwrap_or_default();
        let items = session.m.heap.proper_list(a[1]).unwrap_or_default();
        let mut known: FxHashMap<u32, BigInt> = FxHashMap::default();
        for (&weight, &item) in weights.iter().zip(&items) {
            let weight = integer(session, weight)?;
            match session.m.heap.value(item) {
                Value::Var(_) => {
                    let var = session.variable(item);
                    *known.entry(var).or_default() += weight;
                }
                Value::Int(1) => maximum += weight,
                _ => {}
            }
        }
        let mut weights: Vec<(u32, BigInt)> = known.into_iter().collect();
        weights.sort_unstable();
        let vars: Vec<u32> = weights.iter().map(|(var, _)| *var).collect();
        let formula = projected(session, &vars);
        if formula == FALSE {
            return Ok(false);
        }
        let (sum, best) = heaviest(&mut session.store.diagrams, formula, &weights);
        maximum += sum;
        Ok(session.post(best))
    })?;
    let maximum = m.heap.new_big(&maximum);
    Ok(holds && m.unify(a[2], maximum))
}

fn integer(session: &mut Session<'_>, cell: Cell) -> Result<BigInt, Fault> {
    match session.m.heap.value(cell) {
        Value::Int(value) => Ok(value.into()),
        Value::Big(value) => Ok(value),
        Value::Var(_) => Err(session.m.instantiation_error()),
        _ => Err(session.m.type_error("integer", cell)),
    }
}
