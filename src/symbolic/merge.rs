//! Merging: one term of several that exclude one another.
//!
//! By type, as in E. Torlak, R. Bodik, *A Lightweight Symbolic Virtual Machine for Solver-Aided Host
//! Languages* (PLDI 2014): structures of one header argument by argument, lists element by element,
//! and atomic terms, which have nothing to share, as a choice. Lists of different lengths become one
//! list whose elements are there by condition: what is common to both is there in both.

use crate::store::{Condition, Guarded, Leaves, Operation, Shape, Store, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use zug_term::Cell;

impl Store {
    /// The term that exclusive ways come to, useful where one of them holds; `None` if a variable
    /// or opaque term would have to be merged.
    pub fn merged(&mut self, ways: &[Guarded]) -> Option<Term> {
        let (&(_, first), rest) = ways.split_first()?;
        if rest.iter().all(|&(_, term)| term == first) {
            return Some(first);
        }
        if let Some(term) = self.factored(ways) {
            return Some(term);
        }
        let mut terms: BTreeMap<Term, Condition> = BTreeMap::new();
        for &(condition, term) in ways {
            self.spend(1);
            match self.shape(term).clone() {
                Shape::Choice(choices) => {
                    for &(inner, term) in choices.iter() {
                        let both = self.both(condition, inner);
                        self.join(&mut terms, both, term);
                    }
                }
                _ => self.join(&mut terms, condition, term),
            }
        }
        let mut atomic = Vec::new();
        let mut lists = Vec::new();
        let mut structures: Vec<(Cell, Vec<Guarded>)> = Vec::new();
        for (term, condition) in terms {
            match self.shape(term) {
                Shape::Variable(_) | Shape::Opaque(_) => return None,
                Shape::Pair(..) | Shape::Present(_) | &Shape::Constant(Cell::NIL) => {
                    lists.push((condition, term));
                }
                &Shape::Struct(header, _) => {
                    match structures.iter_mut().find(|(known, _)| *known == header) {
                        Some((_, ways)) => ways.push((condition, term)),
                        None => structures.push((header, vec![(condition, term)])),
                    }
                }
                _ => atomic.push((condition, term)),
            }
        }
        let mut merged = atomic;
        for (header, ways) in structures {
            let term = self.merged_structures(header, &ways)?;
            merged.push((self.any(&ways), term));
        }
        if !lists.is_empty() {
            let term = self.merged_lists(&lists)?;
            merged.push((self.any(&lists), term));
        }
        Some(self.choice(merged))
    }

    /// The addends that exclusive integers have in common, plus a choice of their other addends: an accumulator stays a
    /// sum of choices, where a choice of sums would have a way for each combination.
    ///
    /// `None` if they have none in common, or if common and other addends depend on one leaf at most: a choice of few
    /// numbers is easier to compute with than a sum.
    fn factored(&mut self, ways: &[Guarded]) -> Option<Term> {
        let is_sum = |store: &Store, term: Term| {
            matches!(store.shape(term), Shape::Integer(Operation::Add, _))
        };
        if ways.len() < 2 || !ways.iter().any(|&(_, term)| is_sum(self, term)) {
            return None;
        }
        let mut others: Vec<(Condition, Vec<Term>)> = Vec::with_capacity(ways.len());
        let mut shared: FxHashMap<Term, usize> = FxHashMap::default();
        for (place, &(condition, term)) in ways.iter().enumerate() {
            self.bounds(term)?;
            let addends = self.addends(term);
            self.spend(addends.len());
            let mut times: FxHashMap<Term, usize> = FxHashMap::default();
            for &addend in addends.iter().filter(|&&addend| self.as_integer(addend).is_none()) {
                *times.entry(addend).or_default() += 1;
            }
            if place == 0 {
                shared = times;
            } else {
                shared.retain(|addend, most| {
                    *most = (*most).min(times.get(addend).copied().unwrap_or(0));
                    *most > 0
                });
            }
            others.push((condition, addends));
        }
        if shared.is_empty() {
            return None;
        }
        let mut common = Vec::with_capacity(shared.len());
        for (place, (_, addends)) in others.iter_mut().enumerate() {
            let mut left = shared.clone();
            addends.retain(|addend| match left.get_mut(addend) {
                Some(times) if *times > 0 => {
                    *times -= 1;
                    if place == 0 {
                        common.push(*addend);
                    }
                    false
                }
                _ => true,
            });
        }
        let sum = self.sum(&common)?;
        let mut rests = Vec::with_capacity(others.len());
        let mut differs = self.leaves(sum) == Leaves::Several;
        for (condition, addends) in others {
            let rest = self.sum(&addends)?;
            let leaves = self.leaves(rest);
            differs |= leaves != Leaves::None && leaves != self.leaves(sum);
            rests.push((condition, rest));
        }
        if !differs {
            return None;
        }
        let rest = self.merged(&rests)?;
        self.add_unspread(sum, rest).ok()
    }

    /// The term that is one of several by condition: merged, if that can be.
    pub fn chosen(&mut self, ways: Vec<Guarded>) -> Term {
        self.merged(&ways).unwrap_or_else(|| self.term(Shape::Choice(ways.into())))
    }

    fn join(&mut self, terms: &mut BTreeMap<Term, Condition>, condition: Condition, term: Term) {
        if condition != Condition::NEVER {
            let known = terms.get(&term).copied().unwrap_or(Condition::NEVER);
            let either = self.or([known, condition]);
            terms.insert(term, either);
        }
    }

    fn any(&mut self, ways: &[Guarded]) -> Condition {
        self.or(ways.iter().map(|&(condition, _)| condition))
    }

    /// A choice between terms that have nothing to share.
    fn choice(&mut self, mut ways: Vec<Guarded>) -> Term {
        if let [(_, only)] = ways[..] {
            return only;
        }
        let conditions: Vec<Condition> = ways.iter().map(|&(condition, _)| condition).collect();
        let shared = self.shared(&conditions);
        for (condition, _) in &mut ways {
            *condition = self.without(*condition, &shared);
        }
        ways.sort_unstable_by_key(|&(_, term)| term);
        self.term(Shape::Choice(ways.into()))
    }

    fn merged_structures(&mut self, header: Cell, ways: &[Guarded]) -> Option<Term> {
        if let [(_, only)] = *ways {
            return Some(only);
        }
        let mut arguments = Vec::with_capacity(header.functor_arity());
        for place in 0..header.functor_arity() {
            let mut column = Vec::with_capacity(ways.len());
            for &(condition, term) in ways {
                if let Shape::Struct(_, arguments) = self.shape(term) {
                    column.push((condition, arguments[place]));
                }
            }
            arguments.push(self.merged(&column)?);
        }
        Some(self.structure(header, arguments))
    }

    fn merged_lists(&mut self, ways: &[Guarded]) -> Option<Term> {
        if let [(_, only)] = *ways {
            return Some(only);
        }
        if let Some((columns, tail)) = self.columns(ways) {
            let mut items = Vec::with_capacity(columns.len());
            for column in columns {
                items.push(self.merged(&column)?);
            }
            return Some(self.list(&items, tail));
        }
        let mut lists = Vec::with_capacity(ways.len());
        for &(condition, list) in ways {
            lists.push((condition, self.elements(list)?));
        }
        let any = self.any(ways);
        let mut lists = lists.into_iter();
        let (mut condition, mut elements) = lists.next()?;
        for (other, others) in lists {
            elements = self.interleaved(&elements, condition, &others, other);
            condition = Condition::ALWAYS;
        }
        for (there, _) in &mut elements {
            *there = self.given(*there, any);
        }
        Some(self.present(elements))
    }

    /// Heads of lists by place, up to a common rest; `None` if there is none.
    fn columns(&mut self, ways: &[Guarded]) -> Option<(Vec<Vec<Guarded>>, Term)> {
        let mut rests = ways.to_vec();
        let mut columns = Vec::new();
        loop {
            let tail = rests[0].1;
            if rests.iter().all(|&(_, rest)| rest == tail) {
                return Some((columns, tail));
            }
            self.spend(1);
            let mut heads = Vec::with_capacity(rests.len());
            for (condition, rest) in &mut rests {
                let &Shape::Pair(head, tail) = self.shape(*rest) else { return None };
                heads.push((*condition, head));
                *rest = tail;
            }
            columns.push(heads);
        }
    }

    /// The elements of a list by place, and where there are so many: each is behind those before it that are there.
    /// Where there are more than `room`, that is told to `beyond`.
    pub fn by_place(
        &mut self,
        items: &[Guarded],
        room: usize,
        mut beyond: impl FnMut(&mut Store, Condition),
    ) -> (Vec<Vec<Guarded>>, Vec<Condition>) {
        let mut places: Vec<Vec<Guarded>> = vec![Vec::new(); room];
        let mut counts = vec![Condition::ALWAYS];
        for &(there, item) in items {
            let absent = self.not(there);
            let mut next = vec![Condition::NEVER; counts.len() + 1];
            for (count, &so_many) in counts.iter().enumerate() {
                let here = self.both(so_many, there);
                match places.get_mut(count) {
                    _ if here == Condition::NEVER => {}
                    Some(place) => place.push((here, item)),
                    None => beyond(self, here),
                }
                let not = self.both(so_many, absent);
                next[count] = self.or([next[count], not]);
                next[count + 1] = here;
            }
            next.truncate(room + 1);
            counts = next;
            if self.is_spent() {
                break;
            }
        }
        (places, counts)
    }

    /// Two exclusive lists in one with a longest common part in both (Wagner and Fischer 1974).
    fn interleaved(
        &mut self,
        left: &[Guarded],
        one: Condition,
        right: &[Guarded],
        other: Condition,
    ) -> Vec<Guarded> {
        let same = |(a, b): (&Guarded, &Guarded)| a.1 == b.1;
        let front = left.iter().zip(right).take_while(|&pair| same(pair)).count();
        let (front_left, left) = left.split_at(front);
        let (front_right, right) = right.split_at(front);
        let back = left.iter().rev().zip(right.iter().rev()).take_while(|&pair| same(pair)).count();
        let (left, back_left) = left.split_at(left.len() - back);
        let (right, back_right) = right.split_at(right.len() - back);
        let mut pairs: Vec<(Option<&Guarded>, Option<&Guarded>)> = Vec::new();
        pairs.extend(front_left.iter().zip(front_right).map(|(a, b)| (Some(a), Some(b))));
        self.spend(left.len() * right.len());
        pairs.extend(common(left, right));
        pairs.extend(back_left.iter().zip(back_right).map(|(a, b)| (Some(a), Some(b))));
        let mut elements = Vec::with_capacity(pairs.len());
        for (a, b) in pairs {
            let mut ways = [Condition::NEVER; 2];
            for (way, (list, element)) in ways.iter_mut().zip([(one, a), (other, b)]) {
                if let Some(&(there, _)) = element {
                    *way = self.both(list, there);
                }
            }
            if let Some(&(_, term)) = a.or(b) {
                elements.push((self.or(ways), term));
            }
        }
        elements
    }

    /// A term, to be used only where a condition holds: without the ways that it rules out.
    pub fn narrowed(&mut self, term: Term, known: Condition) -> Term {
        let Shape::Choice(choices) = self.shape(term).clone() else { return term };
        if known == Condition::ALWAYS {
            return term;
        }
        let mut left = Vec::with_capacity(choices.len());
        for &(condition, way) in choices.iter() {
            let both = self.both(known, condition);
            if both != Condition::NEVER {
                left.push((self.given(both, known), way));
            }
        }
        match left[..] {
            [] => term,
            _ if left.len() == choices.len() => term,
            _ => self.choice(left),
        }
    }
}

/// Two lists side by side, equal terms beside each other where that leaves the fewest alone.
fn common<'a>(
    left: &'a [Guarded],
    right: &'a [Guarded],
) -> Vec<(Option<&'a Guarded>, Option<&'a Guarded>)> {
    let width = right.len() + 1;
    let mut longest = vec![0_u32; (left.len() + 1) * width];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            longest[i * width + j] = if left[i].1 == right[j].1 {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < left.len() && j < right.len() {
        if left[i].1 == right[j].1 {
            pairs.push((Some(&left[i]), Some(&right[j])));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            pairs.push((Some(&left[i]), None));
            i += 1;
        } else {
            pairs.push((None, Some(&right[j])));
            j += 1;
        }
    }
    pairs.extend(left[i..].iter().map(|element| (Some(element), None)));
    pairs.extend(right[j..].iter().map(|element| (None, Some(element))));
    pairs
}
