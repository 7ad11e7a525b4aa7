//! `nth0/4` and `nth1/4`: an element of a list by its place, and the others.

use super::Evaluator;
use super::environment::Way;
use zug_symbolic::{Condition, Shape, Term};
use zug_term::Cell;

/// The element at a place and the others, where the list is known but for its elements, or the others
/// are; `None`: by its clauses.
pub fn nth_rest(run: &mut Evaluator<'_>, args: &[Term], way: Way, first: i64) -> Option<Vec<Way>> {
    match run.store.as_integer(args[0]) {
        Some(place) => {
            let before = usize::try_from(place.checked_sub(first)?).ok()?;
            taken(run, args, way, before)
        }
        None if matches!(run.store.shape(args[0]), Shape::Variable(_)) => {
            let items = certain(run, args[1])?;
            let mut ways = Vec::new();
            for (before, &item) in items.iter().enumerate() {
                let place = run.store.integer(first + before as i64)?;
                let others = [&items[..before], &items[before + 1..]].concat();
                let nil = run.store.constant(Cell::NIL);
                let others = run.store.list(&others, nil);
                let pairs = [(args[0], place), (args[2], item), (args[3], others)];
                ways.extend(run.unify_all(&pairs, way.clone()));
            }
            Some(ways)
        }
        None => None,
    }
}

/// The elements of a list whose elements are there for certain.
fn certain(run: &mut Evaluator<'_>, list: Term) -> Option<Vec<Term>> {
    let items = run.store.elements(list)?;
    let is_certain = items.iter().all(|&(there, _)| there == Condition::ALWAYS);
    is_certain.then(|| items.into_iter().map(|(_, item)| item).collect())
}

/// The element behind so many others.
fn taken(run: &mut Evaluator<'_>, args: &[Term], way: Way, before: usize) -> Option<Vec<Way>> {
    let nil = run.store.constant(Cell::NIL);
    if let Some(items) = certain(run, args[1]) {
        let Some(&item) = items.get(before) else { return Some(Vec::new()) };
        let others = [&items[..before], &items[before + 1..]].concat();
        let others = run.store.list(&others, nil);
        return Some(run.unify_all(&[(args[2], item), (args[3], others)], way));
    }
    if !matches!(run.store.shape(args[1]), Shape::Variable(_)) {
        return None;
    }
    let others = certain(run, args[3])?;
    if others.len() < before {
        return Some(Vec::new());
    }
    let whole = [&others[..before], &[args[2]], &others[before..]].concat();
    let whole = run.store.list(&whole, nil);
    Some(run.unify_all(&[(args[1], whole)], way))
}
