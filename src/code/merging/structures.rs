//! Structures taken apart and made, copies, and what is unbound in a term.

use super::environment::{Way, Ways, tested};
use super::{Run, UNBOUND};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use zug_symbolic::{Condition, Leaf, Relation, Shape, Term, Variable};
use zug_term::Cell;
use zug_term::symbol::atoms;

impl Run<'_> {
    pub fn unbound_leaves(&mut self, term: Term, within: Condition) -> Vec<Leaf> {
        let (mut found, mut waiting) = (Vec::new(), vec![term]);
        while let Some(term) = waiting.pop() {
            if self.has_no_leaves(term) {
                continue;
            }
            match self.store.shape(term) {
                Shape::Leaf(leaf)
                    if !found.contains(leaf) && self.store.domain(*leaf).has(UNBOUND) =>
                {
                    found.push(*leaf);
                }
                Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
                Shape::Struct(_, parts) => waiting.extend(parts.iter()),
                Shape::Choice(ways) | Shape::Present(ways) => {
                    waiting.extend(ways.iter().map(|&(_, way)| way));
                }
                _ => {}
            }
        }
        found.retain(|&leaf| {
            let unbound = self.store.is_value(leaf, UNBOUND);
            !self.store.exclude(unbound, within)
        });
        found
    }

    /// A copy with new variables, also for leaves that are unbound, for use where a condition holds.
    pub fn copied(&mut self, term: Term, way: &mut Way, within: Condition) -> Term {
        let mut copy = term;
        for leaf in self.unbound_leaves(term, within) {
            let variable = Rc::make_mut(&mut way.bindings).fresh();
            let variable = self.store.variable(variable);
            let from = self.store.leaf(leaf);
            let unbound = self.store.is_value(leaf, UNBOUND);
            let bound = self.store.not(unbound);
            let to = self.store.chosen(vec![(unbound, variable), (bound, from)]);
            copy = self.replaced(copy, from, to).unwrap_or(copy);
        }
        if self.store.is_ground(copy) {
            return copy;
        }
        let bindings = Rc::make_mut(&mut way.bindings);
        let mut names: FxHashMap<Variable, Variable> = FxHashMap::default();
        let mut name = |variable| *names.entry(variable).or_insert_with(|| bindings.fresh());
        self.store.renamed(copy, &mut name)
    }

    fn ground(&mut self, term: Term) -> Condition {
        if self.has_no_leaves(term) {
            return Condition::certain(self.store.is_ground(term));
        }
        let (mut all, mut rest) = (Vec::new(), term);
        loop {
            match self.store.shape(rest).clone() {
                Shape::Pair(head, tail) => {
                    all.push(self.ground(head));
                    rest = tail;
                    continue;
                }
                Shape::Struct(_, parts) => {
                    all.extend(parts.iter().map(|&part| self.ground(part)).collect::<Vec<_>>());
                }
                Shape::Choice(ways) => {
                    all.extend(self.any_of(&ways, |run, way| Some(run.ground(way))));
                }
                Shape::Present(elements) => {
                    for &(there, element) in elements.iter() {
                        let ground = self.ground(element);
                        let not = self.store.not(there);
                        all.push(self.store.or([not, ground]));
                    }
                }
                Shape::Leaf(leaf) => {
                    let unbound = self.store.is_value(leaf, UNBOUND);
                    all.push(self.store.not(unbound));
                }
                Shape::Variable(_) => all.push(Condition::NEVER),
                _ => {}
            }
            return self.store.and(all);
        }
    }

    /// What there is to do with a term, for each way that its outermost structure may be.
    fn each_way(
        &mut self,
        term: Term,
        way: Way,
        mut done: impl FnMut(&mut Self, Term, Way) -> Ways,
    ) -> Ways {
        let Shape::Choice(choices) = self.store.shape(term).clone() else {
            return done(self, term, way);
        };
        let mut ways = Vec::new();
        for &(condition, term) in choices.iter() {
            for way in tested(self, way.clone(), condition) {
                ways.extend(done(self, term, way)?);
            }
        }
        Some(self.merged_ways(ways, None))
    }

    /// Name and arguments; a list cell is one of two arguments. `None` if it is no structure.
    fn parts(&self, term: Term) -> Option<(Cell, Vec<Term>)> {
        match self.store.shape(term) {
            Shape::Struct(header, parts) => {
                Some((Cell::atom(header.functor_name()), parts.to_vec()))
            }
            Shape::Pair(head, tail) => Some((Cell::atom(atoms::DOT), vec![*head, *tail])),
            _ => None,
        }
    }

    /// The way where a leaf is bound; states in which it is not deoptimise.
    fn bound(&mut self, term: Term, way: Way) -> Vec<Way> {
        let Shape::Leaf(leaf) = *self.store.shape(term) else { return vec![way] };
        let unbound = self.store.is_value(leaf, UNBOUND);
        let back = self.store.both(way.condition, unbound);
        self.deoptimise(back, "a part of the state may be unbound");
        let bound = self.store.not(unbound);
        tested(self, way, bound)
    }
}

pub fn is_ground(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let condition = run.ground(args[0]);
    Some(tested(run, way, condition))
}

pub fn copy_term(run: &mut Run<'_>, args: &[Term], mut way: Way, _: &[Variable]) -> Ways {
    let within = way.condition;
    let copy = run.copied(args[0], &mut way, within);
    Some(run.unify(args[1], copy, way))
}

pub fn term_variables(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let leaves = run.unbound_leaves(args[0], way.condition);
    let mut way = way;
    for leaf in leaves {
        let leaf = run.store.leaf(leaf);
        way = run.bound(leaf, way).pop()?;
    }
    let (mut found, mut waiting) = (Vec::new(), vec![args[0]]);
    while let Some(term) = waiting.pop() {
        if run.store.is_ground(term) {
            continue;
        }
        match run.store.shape(term) {
            Shape::Variable(_) => {
                if !found.contains(&term) {
                    found.push(term);
                }
            }
            Shape::Pair(head, tail) => waiting.extend([*tail, *head]),
            Shape::Struct(_, parts) => waiting.extend(parts.iter().rev()),
            _ => return None,
        }
    }
    let nil = run.store.constant(Cell::NIL);
    let list = run.store.list(&found, nil);
    Some(run.unify(args[1], list, way))
}

pub fn functor(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    if matches!(run.store.shape(args[0]), Shape::Variable(_) | Shape::Present(_)) {
        return None;
    }
    let (name, arity) = (args[1], args[2]);
    run.each_way(args[0], way, |run, term, way| {
        let (its_name, its_arity) = match run.parts(term) {
            Some((name, parts)) => (run.store.constant(name), parts.len()),
            None => (term, 0),
        };
        let its_arity = run.store.integer(its_arity as i64)?;
        let mut ways = Vec::new();
        for way in run.bound(term, way) {
            for way in run.unify(name, its_name, way) {
                ways.extend(run.unify(arity, its_arity, way));
            }
        }
        Some(ways)
    })
}

fn may_be_list(run: &Run<'_>, term: Term) -> bool {
    let mut end = term;
    while let &Shape::Pair(_, tail) = run.store.shape(end) {
        end = tail;
    }
    matches!(
        run.store.shape(end),
        Shape::Variable(_) | Shape::Present(_) | &Shape::Constant(Cell::NIL)
    )
}

pub fn univ(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let other = args[1];
    match run.store.shape(args[0]) {
        Shape::Present(_) => None,
        Shape::Variable(_) => {
            let items = run.store.certain_elements(other)?;
            let (&name, arguments) = items.split_first()?;
            let mut ways = Vec::new();
            for (condition, names) in run.spread(&[name], way.condition, 64)? {
                let Shape::Constant(cell) = *run.store.shape(names[0]) else { return None };
                let term = match (cell.as_atom(), arguments) {
                    (_, []) => names[0],
                    (Some(atoms::DOT), &[head, tail]) => run.store.pair(head, tail),
                    (Some(name), arguments) => {
                        let header = Cell::functor(name, arguments.len());
                        run.store.structure(header, arguments)
                    }
                    (None, _) => {
                        run.deoptimise(condition, "a structure has a number as its name");
                        continue;
                    }
                };
                ways.extend(run.unify(args[0], term, way.within(condition)));
            }
            Some(run.merged_ways(ways, None))
        }
        _ if !may_be_list(run, other) => {
            run.deoptimise(way.condition, "a list is expected");
            Some(Vec::new())
        }
        _ => run.each_way(args[0], way, |run, term, way| {
            let items = match run.parts(term) {
                Some((name, parts)) => [vec![run.store.constant(name)], parts].concat(),
                None => vec![term],
            };
            let nil = run.store.constant(Cell::NIL);
            let list = run.store.list(&items, nil);
            let ways = run.bound(term, way);
            Some(ways.into_iter().flat_map(|way| run.unify(other, list, way)).collect())
        }),
    }
}

/// `arg/3` where the number is known, or depends on the state.
pub fn argument(run: &mut Run<'_>, args: &[Term], way: Way, live: &[Variable]) -> Ways {
    let (number, argument) = (args[0], args[2]);
    let (low, high) = run.store.bounds(number)?;
    let mut way = way;
    if low < 0 {
        let zero = run.store.constant(Cell::ZERO);
        let below = run.store.compare(Relation::Less, number, zero);
        let back = run.store.both(way.condition, below);
        run.deoptimise(back, "an argument is asked for below the first");
        way.condition = run.minus(way.condition, below);
    }
    let ways = run.each_way(args[1], way, |run, term, way| {
        let (_, parts) = run.parts(term)?;
        let mut ways = Vec::new();
        for (place, &part) in parts.iter().enumerate() {
            let place = place as i64 + 1;
            if low <= place && place <= high {
                let at = run.store.integer(place)?;
                let here = run.store.compare(Relation::Equal, number, at);
                for way in tested(run, way.clone(), here) {
                    ways.extend(run.unify(argument, part, way));
                }
            }
        }
        Some(ways)
    })?;
    // There is one place: its ways exclude one another.
    Some(run.merged_ways(ways, Some(live)))
}

pub fn arity(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let result = args[1];
    run.each_way(args[0], way, |run, term, way| {
        let (_, parts) = run.parts(term)?;
        let arity = run.store.integer(parts.len() as i64)?;
        Some(run.unify(result, arity, way))
    })
}
