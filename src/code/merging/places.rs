//! Elements of lists by their places: `nth0/3` and `nth1/3`, and with the others `nth0/4` and `nth1/4`.

use super::Run;
use super::environment::{Way, Ways, tested};
use zug_symbolic::{Condition, Guarded, Leaves, Operation, Shape, Term, Variable};
use zug_term::Cell;

/// The element at a place and the others, if a list's length is known; `None`: by its clauses.
pub fn nth_rest(run: &mut Run<'_>, args: &[Term], way: Way, first: i64) -> Ways {
    match run.store.as_integer(args[0]) {
        Some(place) => {
            let before = usize::try_from(place.checked_sub(first)?).ok()?;
            taken(run, args, way, before)
        }
        None if matches!(run.store.shape(args[0]), Shape::Variable(_)) => {
            let items = run.store.certain_elements(args[1])?;
            let mut ways = Vec::new();
            for (before, &item) in items.iter().enumerate() {
                let place = run.store.integer(first + before as i64)?;
                let others = [&items[..before], &items[before + 1..]].concat();
                let nil = run.store.constant(Cell::NIL);
                let others = run.store.list(&others, nil);
                let pairs = [(args[0], place), (args[2], item), (args[3], others)];
                ways.extend(run.unify_all(pairs.into_iter(), way.clone()));
            }
            Some(ways)
        }
        None => None,
    }
}

fn taken(run: &mut Run<'_>, args: &[Term], way: Way, before: usize) -> Ways {
    let nil = run.store.constant(Cell::NIL);
    if let Some(items) = run.store.certain_elements(args[1]) {
        let Some(&item) = items.get(before) else { return Some(Vec::new()) };
        let others = [&items[..before], &items[before + 1..]].concat();
        let others = run.store.list(&others, nil);
        return Some(run.unify_all([(args[2], item), (args[3], others)].into_iter(), way));
    }
    if !matches!(run.store.shape(args[1]), Shape::Variable(_)) {
        return None;
    }
    let others = run.store.certain_elements(args[3])?;
    if others.len() < before {
        return Some(Vec::new());
    }
    let whole = [&others[..before], &[args[2]], &others[before..]].concat();
    let whole = run.store.list(&whole, nil);
    Some(run.unify(args[1], whole, way))
}

/// `nth0/3`, `nth1/3`: by place, known or not, and by element.
pub fn nth(run: &mut Run<'_>, args: &[Term], way: Way, live: &[Variable], first: i64) -> Ways {
    let items = run.store.elements(args[1])?;
    let is_conditional = items.iter().any(|&(there, _)| there != Condition::ALWAYS);
    if is_conditional && run.store.as_integer(args[0]).is_none() {
        return nth_present(run, args, items, way, live, first);
    }
    let by_element = matches!(run.store.shape(args[0]), Shape::Variable(_));
    let known = run.store.as_integer(args[0]);
    let mut ways = Vec::new();
    let places = match is_conditional {
        true => run.store.by_place(&items, items.len(), |_, _| {}).0,
        false => items.iter().map(|&item| vec![item]).collect(),
    };
    for (at, items) in places.into_iter().enumerate() {
        let number = first + at as i64;
        if known.is_some_and(|known| known != number) {
            continue;
        }
        let place = run.store.integer(number)?;
        let mut here = Vec::new();
        for (there, item) in items {
            for way in tested(run, way.clone(), there) {
                for way in run.unify(args[0], place, way) {
                    here.extend(run.unify(args[2], item, way));
                }
            }
        }
        // There is one element at a place: its ways exclude one another.
        ways.extend(if here.len() > 1 { run.merged_ways(here, Some(live)) } else { here });
    }
    if by_element {
        return Some(ways);
    }
    // By place there is one: its ways exclude one another. Where the state says which of several boards
    // it is, each goes its own way: they have nothing in common but their form.
    let is_board = |&(_, item): &Guarded| {
        matches!(run.store.shape(item), Shape::Pair(..) | Shape::Struct(..))
            && run.store.leaves(item) == Leaves::Several
    };
    if ways.len() > 1
        && matches!(run.store.shape(args[0]), Shape::Leaf(_))
        && items.iter().all(is_board)
    {
        run.splits += 1;
        return Some(ways);
    }
    Some(run.merged_ways(ways, Some(live)))
}

/// The same of a list whose elements may be absent: each stands behind those before it that are there.
fn nth_present(
    run: &mut Run<'_>,
    args: &[Term],
    items: Vec<Guarded>,
    way: Way,
    live: &[Variable],
    first: i64,
) -> Ways {
    let by_element = matches!(run.store.shape(args[0]), Shape::Variable(_));
    let (zero, one) = (run.store.constant(Cell::ZERO), run.store.constant(Cell::small(1)));
    let mut place = run.store.integer(first)?;
    let mut ways = Vec::new();
    for (there, item) in items {
        for way in tested(run, way.clone(), there) {
            for way in run.unify(args[0], place, way) {
                ways.extend(run.unify(args[2], item, way));
            }
        }
        let not = run.store.not(there);
        let more = run.store.merged(&[(there, one), (not, zero)])?;
        place = run.store.compute(Operation::Add, &[place, more]).ok()?;
    }
    Some(if by_element { ways } else { run.merged_ways(ways, Some(live)) })
}
