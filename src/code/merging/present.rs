//! Library predicates over lists, element by element, whichever of those are there: none of them
//! goes on in two ways for each element that may be absent.
//!
//! They are for ground elements, of which unifying is comparing, and those of ordered sets for lists
//! that are seen to be ones; all else goes by the clauses.

use super::Run;
use super::environment::{Way, Ways, tested};
use zug_symbolic::{Condition, Guarded, Operation, Term, Variable};
use zug_term::Cell;

impl Run<'_> {
    /// The elements of a list, if no variable can be in them where a condition holds.
    fn bound_elements(&mut self, list: Term, within: Condition) -> Option<Vec<Guarded>> {
        if !self.is_bound(list, within) {
            return None;
        }
        self.store.elements(list)
    }

    fn is_bound(&mut self, term: Term, within: Condition) -> bool {
        self.store.is_ground(term) && self.unbound_leaves(term, within).is_empty()
    }

    /// Where a term is an element of a list that is there.
    fn among(&mut self, term: Term, list: &[Guarded]) -> Option<Condition> {
        let mut ways = Vec::with_capacity(list.len());
        self.store.spend(1 + list.len() / 8);
        for &(there, element) in list {
            let same = self.store.identical(term, element)?;
            ways.push(self.store.both(there, same));
        }
        Some(self.store.or(ways))
    }

    fn those_among(
        &mut self,
        items: &[Guarded],
        others: &[Guarded],
        wanted: bool,
    ) -> Option<Vec<Guarded>> {
        let mut left = items.to_vec();
        for (there, item) in &mut left {
            let mut stays = self.among(*item, others)?;
            if !wanted {
                stays = self.store.not(stays);
            }
            *there = self.store.both(*there, stays);
        }
        Some(left)
    }

    /// Whether elements are seen to ascend in the standard order, whichever of them are there.
    fn ascend(&mut self, items: &[Guarded]) -> bool {
        items.windows(2).all(|pair| self.precedes(pair[0].1, pair[1].1) == Some(Condition::ALWAYS))
    }

    pub fn is_list_of(&mut self, list: Term, items: Vec<Guarded>, way: Way) -> Vec<Way> {
        let items = self.store.present(items);
        self.unify(list, items, way)
    }

    fn ordered(&mut self, lists: [Term; 2], within: Condition) -> Option<[Vec<Guarded>; 2]> {
        let [one, other] = lists.map(|list| self.bound_elements(list, within));
        let (one, other) = (one?, other?);
        (self.ascend(&one) && self.ascend(&other)).then_some([one, other])
    }
}

pub fn filtered(run: &mut Run<'_>, args: &[Term], way: Way, wanted: bool) -> Ways {
    let [one, other] = [0, 1].map(|at| run.bound_elements(args[at], way.condition));
    let left = run.those_among(&one?, &other?, wanted)?;
    Some(run.is_list_of(args[2], left, way))
}

/// `union/3`: the elements of the first list that are not in the second, and then those of that.
pub fn union(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let [one, other] = [0, 1].map(|at| run.bound_elements(args[at], way.condition));
    let other = other?;
    let mut all = run.those_among(&one?, &other, false)?;
    all.extend(other);
    Some(run.is_list_of(args[2], all, way))
}

pub fn subset(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let [one, other] = [0, 1].map(|at| run.bound_elements(args[at], way.condition));
    let (one, other) = (one?, other?);
    let mut all = Vec::with_capacity(one.len());
    for (there, item) in one {
        let found = run.among(item, &other)?;
        let absent = run.store.not(there);
        all.push(run.store.or([absent, found]));
    }
    let all = run.store.and(all);
    Some(tested(run, way, all))
}

/// `delete/3`: without the elements that unify with a term.
pub fn delete(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let mut items = run.store.elements(args[0])?;
    for (there, item) in &mut items {
        let equal = run.unify(*item, args[1], way.clone());
        let equal = run.any_way(&equal);
        let equal = run.store.given(equal, way.condition);
        let not = run.store.not(equal);
        *there = run.store.both(*there, not);
    }
    Some(run.is_list_of(args[2], items, way))
}

pub fn select(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let others = |items: &[Guarded], at| [&items[..at], &items[at + 1..]].concat();
    selected(run, args, args[2], way, others)
}

/// `select/4`: an element, and the list with another in its place.
pub fn select_replaced(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let replaced = |items: &[Guarded], at: usize| {
        let mut items = items.to_vec();
        items[at] = (Condition::ALWAYS, args[2]);
        items
    };
    selected(run, args, args[3], way, replaced)
}

/// The ways in which the first argument is an element of the second; `result` makes what is left.
fn selected(
    run: &mut Run<'_>,
    args: &[Term],
    result: Term,
    way: Way,
    made: impl Fn(&[Guarded], usize) -> Vec<Guarded>,
) -> Ways {
    let items = run.store.elements(args[1])?;
    let mut ways = Vec::new();
    for (at, &(there, item)) in items.iter().enumerate() {
        for way in tested(run, way.clone(), there) {
            for way in run.unify(args[0], item, way) {
                ways.extend(run.is_list_of(result, made(&items, at), way));
            }
        }
        if run.stopped() {
            break;
        }
    }
    Some(ways)
}

/// `last/2`, where the list is proper: the elements behind the last one are absent.
pub fn last(run: &mut Run<'_>, args: &[Term], way: Way, live: &[Variable]) -> Ways {
    let items = run.store.elements(args[0])?;
    let (mut ways, mut behind) = (Vec::new(), Condition::ALWAYS);
    for &(there, item) in items.iter().rev() {
        let last = run.store.both(there, behind);
        let absent = run.store.not(there);
        behind = run.store.both(behind, absent);
        for way in tested(run, way.clone(), last) {
            ways.extend(run.unify(args[1], item, way));
        }
        if behind == Condition::NEVER {
            break;
        }
    }
    // There is one: its ways exclude one another.
    Some(run.merged_ways(ways, Some(live)))
}

/// `append/3` of a list that is taken apart: before each element that is there, and behind the last.
pub fn split(run: &mut Run<'_>, args: &[Term], way: Way) -> Ways {
    let items = run.store.elements(args[2])?;
    let mut ways = Vec::new();
    for at in 0..=items.len() {
        let (before, behind) = items.split_at(at);
        let mut behind = behind.to_vec();
        let there = match behind.first_mut() {
            Some((there, _)) => std::mem::replace(there, Condition::ALWAYS),
            None => Condition::ALWAYS,
        };
        for way in tested(run, way.clone(), there) {
            for way in run.is_list_of(args[0], before.to_vec(), way) {
                ways.extend(run.is_list_of(args[1], behind.clone(), way));
            }
        }
        if run.stopped() {
            break;
        }
    }
    Some(ways)
}

pub fn is_among(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let items = run.bound_elements(args[1], way.condition)?;
    if !run.is_bound(args[0], way.condition) || !run.ascend(&items) {
        return None;
    }
    let found = run.among(args[0], &items)?;
    Some(tested(run, way, found))
}

pub fn filtered_sets(run: &mut Run<'_>, args: &[Term], way: Way, wanted: bool) -> Ways {
    let [one, other] = run.ordered([args[0], args[1]], way.condition)?;
    let left = run.those_among(&one, &other, wanted)?;
    Some(run.is_list_of(args[2], left, way))
}

pub fn without_element(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let element = one_element(run, args[1]);
    filtered_sets(run, &[args[0], element, args[2]], way, false)
}

pub fn ordered_union(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let [one, other] = run.ordered([args[0], args[1]], way.condition)?;
    let all = run.sorted([one, other].concat(), |_, item| Some(item), true, way.condition)?;
    Some(run.is_list_of(args[2], all, way))
}

pub fn with_element(run: &mut Run<'_>, args: &[Term], way: Way, live: &[Variable]) -> Ways {
    let element = one_element(run, args[1]);
    ordered_union(run, &[args[0], element, args[2]], way, live)
}

fn one_element(run: &mut Run<'_>, element: Term) -> Term {
    let nil = run.store.constant(Cell::NIL);
    run.store.pair(element, nil)
}

/// The number of elements that are there, if it is an integer of the state and N more.
pub fn counted(run: &mut Run<'_>, items: &[Guarded], within: Condition) -> Option<Term> {
    let (leaf, more) = run.store.count_by_leaf(items, [within, Condition::ALWAYS])?;
    let (length, more) = (run.store.leaf(leaf), run.store.integer(more)?);
    // It is an integer, also where the way does not go.
    run.store.bounds(length)?;
    run.store.compute(Operation::Add, &[length, more]).ok()
}
