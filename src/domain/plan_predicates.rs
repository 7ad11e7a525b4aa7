//! Cheapest plans as predicates: `cheapest_plan/2,3,4` and `plan_count/2,3,4`.
//!
//! `'$plans'/4` searches and keeps what it finds under a number, `'$next_plan'/3` gives the next plan
//! of that number, `'$forget_plans'/1` drops it: the library calls it as a cleanup, so nothing is
//! kept longer than the query asks for answers.

use super::contract::Contract;
use super::journal;
use super::options::OF_ENGINES;
use super::plans::{FoundPlans, PlansWanted, find_plans};
use super::predicates::{EngineOptions, INSTANCE, limit, raise, said_by};
use num_bigint::BigInt;
use zug_machine::{Fault, Machine, Outcome as Answer};
use zug_options::{Row, Rows, Table, Within};
use zug_prolog::builtins::{Entry, World};
use zug_search::options::{MEMORY, NODES, TIME};
use zug_search::{Limits, Outcome, PlanWalk};
use zug_state::Number;
use zug_term::{Cell, Record};

/// The built-ins under the predicates; the searches run goals.
pub const TABLE: &[Entry] = &[
    Entry::session("$plans", 4, plans),
    Entry::session("$next_plan", 3, next_plan),
    Entry::session("$forget_plans", 1, forget_plans),
    Entry::session("$plan_count", 4, plan_count),
];

static LIMITS: [Row<Limits>; 3] = [NODES, TIME, MEMORY];

/// The options.
pub(crate) static OPTIONS: Table<EngineOptions, Cell> =
    Table(&[&Rows(&[INSTANCE]), &Within(&LIMITS, |asked: &mut EngineOptions| &mut asked.limits)]);

/// Plans that are being asked for, one after the other.
pub(super) struct PlanCursor {
    number: i64,
    found: FoundPlans,
    walk: PlanWalk,
    /// The plan to come.
    next: Option<Vec<Record>>,
}

/// All of them, in the goals that are running.
pub(super) fn plans_asked_for(w: &mut World) -> &mut Vec<PlanCursor> {
    w.slots.get_mut()
}

/// The plans from a state, with the cells of some roots as they are after the search.
fn search<const N: usize>(
    m: &mut Machine,
    w: &mut World,
    (start, options): (Cell, Cell),
    (name, counted): (&'static str, bool),
    kept: [Cell; N],
) -> Result<(FoundPlans, [Cell; N]), Fault> {
    let mut asked = EngineOptions::default();
    let read = OF_ENGINES.read(m, w, options, &OPTIONS, &mut asked);
    read.map_err(|fault| said_by(m, fault, name, 4))?;
    let contract = Contract::of(m);
    let start = Record::new(&mut m.heap, start);
    let base = m.roots.len();
    m.roots.extend(kept);
    let wanted = PlansWanted { most: 0, counted };
    let found = find_plans(m, w, &contract, wanted, &asked.limits, &start, None);
    let kept = std::array::from_fn(|i| m.roots[base + i]);
    m.roots.truncate(base);
    let found = found.map_err(|error| raise(m, w, *error))?;
    journal::note(m, w, found.first.clone(), &asked.limits);
    match found.first.outcome() {
        Outcome::Stopped(reason) => Err(limit(m, reason, name)),
        _ => Ok((found, kept)),
    }
}

/// `'$plans'(S0, Cost, Options, Number)`: looks for the cheapest plans from S0; fails if there are
/// none.
fn plans(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let (found, [cost, number]) =
        search(m, w, (a[0], a[2]), ("cheapest_plan", false), [a[1], a[3]])?;
    let Some(least) = &found.first.cost else { return Ok(false) };
    let least = Number::of(least).to_cell(&mut m.heap);
    if !m.unify(cost, least) {
        return Ok(false);
    }
    let mut walk = PlanWalk::default();
    let next = found.next(&mut walk);
    let walking = plans_asked_for(w);
    let free = walking.iter().map(|walking| walking.number).max().map_or(1, |last| last + 1);
    walking.push(PlanCursor { number: free, found, walk, next });
    Ok(m.unify(number, Cell::small(free)))
}

/// `'$next_plan'(Number, Path, More)`: the next plan, and whether there is another one behind it.
fn next_plan(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let number = m.heap.deref(a[0]).as_int();
    let walking = plans_asked_for(w).iter_mut().find(|walking| Some(walking.number) == number);
    let Some(walking) = walking else {
        return Err(m.existence_error("plans", a[0]));
    };
    let Some(path) = walking.next.take() else { return Ok(false) };
    walking.next = walking.found.next(&mut walking.walk);
    let more = if walking.next.is_some() { "true" } else { "false" };
    let items: Vec<Cell> = path.iter().map(|mv| mv.instantiate(&mut m.heap)).collect();
    let path = m.heap.list_from(&items, Cell::NIL);
    let more = Cell::atom(m.symbols.intern(more));
    Ok(m.unify(a[1], path) && m.unify(a[2], more))
}

/// `'$forget_plans'(Number)`: they are not asked for any more.
fn forget_plans(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let number = m.heap.deref(a[0]).as_int();
    plans_asked_for(w).retain(|walking| Some(walking.number) != number);
    Ok(true)
}

/// `'$plan_count'(S0, Count, Cost, Options)`: how many cheapest plans there are.
fn plan_count(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let (found, [count, cost]) = search(m, w, (a[0], a[3]), ("plan_count", true), [a[1], a[2]])?;
    let (Some(least), Some(all)) = (&found.first.cost, found.count) else { return Ok(false) };
    let all = BigInt::from(all.plans);
    let all = match i64::try_from(&all) {
        Ok(small) => m.heap.new_int(small),
        Err(_) => m.heap.new_big(&all),
    };
    let least = Number::of(least).to_cell(&mut m.heap);
    Ok(m.unify(count, all) && m.unify(cost, least))
}
