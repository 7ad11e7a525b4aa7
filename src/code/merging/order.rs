//! The standard order of terms that depend on the state, and sorting by it.

use super::concrete::known_in_heap;
use super::environment::{Way, Ways, tested};
use super::{Run, UNBOUND};
use std::cmp::Ordering;
use zug_symbolic::{Condition, Domain, Guarded, Relation, Shape, Term, Variable, limits};
use zug_term::{Cell, Heap};

impl Run<'_> {
    fn order_of(&self, one: Cell, other: Cell) -> Ordering {
        zug_term::compare(&Heap::new(), &self.machine.symbols, one, other)
    }

    /// How two terms compare that are the same in all states, made of atoms and integers.
    fn known_order(&self, one: Term, other: Term) -> Option<Ordering> {
        if one == other {
            return Some(Ordering::Equal);
        }
        if !self.store.is_known(one) || !self.store.is_known(other) {
            return None;
        }
        let all = |one: &[Term], other: &[Term]| {
            for (&a, &b) in one.iter().zip(other) {
                match self.known_order(a, b)? {
                    Ordering::Equal => {}
                    order => return Some(order),
                }
            }
            Some(Ordering::Equal)
        };
        match (self.store.shape(one), self.store.shape(other)) {
            (&Shape::Constant(a), &Shape::Constant(b)) => match (a.as_int(), b.as_int()) {
                (Some(a), Some(b)) => Some(a.cmp(&b)),
                _ => Some(self.order_of(a, b)),
            },
            (&Shape::Pair(a, b), &Shape::Pair(c, d)) => all(&[a, b], &[c, d]),
            (Shape::Struct(a, left), Shape::Struct(b, right)) if a == b => all(left, right),
            _ => None,
        }
    }

    /// As [`any_way`](zug_symbolic::Store::any_way), where the run is needed.
    pub fn any_of(
        &mut self,
        ways: &[Guarded],
        holds: impl Fn(&mut Self, Term) -> Option<Condition>,
    ) -> Option<Condition> {
        let mut some = Vec::with_capacity(ways.len());
        for &(condition, way) in ways {
            let holds = holds(self, way)?;
            some.push(self.store.both(condition, holds));
        }
        Some(self.store.or(some))
    }

    /// Where one term comes before another in the standard order; `None` if that is not worked out.
    pub fn precedes(&mut self, one: Term, other: Term) -> Option<Condition> {
        self.store.spend(1);
        if one == other {
            return Some(Condition::NEVER);
        }
        if let Some(order) = self.known_order(one, other) {
            return Some(Condition::certain(order == Ordering::Less));
        }
        match (self.store.shape(one).clone(), self.store.shape(other).clone()) {
            (Shape::Choice(ways), _) => self.any_of(&ways, |run, way| run.precedes(way, other)),
            (_, Shape::Choice(ways)) => self.any_of(&ways, |run, way| run.precedes(one, way)),
            (Shape::Variable(_) | Shape::Present(_), _)
            | (_, Shape::Variable(_) | Shape::Present(_)) => None,
            (Shape::Leaf(leaf), _) if self.has_values(one) => {
                let cases = self.store.cases(leaf)?;
                self.any_of(&cases, |run, value| run.precedes(value, other))
            }
            (_, Shape::Leaf(leaf)) if self.has_values(other) => {
                let cases = self.store.cases(leaf)?;
                self.any_of(&cases, |run, value| run.precedes(one, value))
            }
            _ if self.store.bounds(one).is_some() && self.store.bounds(other).is_some() => {
                Some(self.store.compare(Relation::Less, one, other))
            }
            (Shape::Constant(a), Shape::Constant(b)) => {
                Some(Condition::certain(self.order_of(a, b) == Ordering::Less))
            }
            (Shape::Pair(a, b), Shape::Pair(c, d)) => self.precede(&[a, b], &[c, d]),
            (Shape::Struct(a, left), Shape::Struct(b, right)) => {
                if a == b {
                    return self.precede(&left, &right);
                }
                let name = |cell: Cell| self.machine.symbols.name(cell.functor_name());
                let order = left.len().cmp(&right.len()).then_with(|| name(a).cmp(name(b)));
                Some(Condition::certain(order == Ordering::Less))
            }
            (Shape::Pair(..), Shape::Struct(header, parts)) => Some(Condition::certain(
                self.list_cell_order(header, parts.len()) == Ordering::Less,
            )),
            (Shape::Struct(header, parts), Shape::Pair(..)) => Some(Condition::certain(
                self.list_cell_order(header, parts.len()) == Ordering::Greater,
            )),
            // An unbound leaf comes before all else.
            (Shape::Leaf(_), _) if self.store.bounds(one).is_none() => None,
            (_, Shape::Leaf(_)) if self.store.bounds(other).is_none() => None,
            (Shape::Pair(..) | Shape::Struct(..), _) => Some(Condition::NEVER),
            (_, Shape::Pair(..) | Shape::Struct(..)) => Some(Condition::ALWAYS),
            (Shape::Boxed(_), Shape::Boxed(_) | Shape::Constant(_))
            | (Shape::Constant(_), Shape::Boxed(_)) => {
                let mut heap = Heap::new();
                let [one, other] =
                    [one, other].map(|side| known_in_heap(&self.store, &mut heap, side));
                let order = zug_term::compare(&heap, &self.machine.symbols, one, other);
                Some(Condition::certain(order == Ordering::Less))
            }
            // A number beside an atom.
            (_, Shape::Constant(cell)) if cell.is_atom() && self.is_number(one) => {
                Some(Condition::ALWAYS)
            }
            (Shape::Constant(cell), _) if cell.is_atom() && self.is_number(other) => {
                Some(Condition::NEVER)
            }
            // By value, and a float before the same integer; of zeros with signs nothing is known.
            _ if self.is_number(one) && self.is_number(other) => {
                let less = self.store.compare_numbers(Relation::Less, one, other)?;
                let equal = self.store.compare_numbers(Relation::Equal, one, other)?;
                let is_float = [one, other].map(|side| self.store.float_bounds(side).is_some());
                match is_float {
                    [true, false] => Some(self.store.or([less, equal])),
                    [true, true] => self.store.identical(one, other).map(|_| less),
                    _ => Some(less),
                }
            }
            _ => None,
        }
    }

    /// Whether a term is an integer or a float whatever the leaves are.
    fn is_number(&self, term: Term) -> bool {
        self.store.bounds(term).is_some() || self.store.float_bounds(term).is_some()
    }

    /// Whether a term is a leaf whose values are to be gone through.
    fn has_values(&self, term: Term) -> bool {
        match self.store.shape(term) {
            Shape::Leaf(leaf) => match self.store.domain(*leaf) {
                Domain::Values(values) | Domain::Mixed(values, ..) => {
                    self.store.bounds(term).is_none() && !values.contains(&UNBOUND)
                }
                Domain::Range(..) => false,
            },
            _ => false,
        }
    }

    /// A list cell beside another compound term.
    fn list_cell_order(&self, header: Cell, arity: usize) -> Ordering {
        let mut heap = Heap::new();
        let list = heap.list_from(&[Cell::NIL], Cell::NIL);
        let other = heap.new_struct(header.functor_name(), &vec![Cell::NIL; arity]);
        zug_term::compare(&heap, &self.machine.symbols, list, other)
    }

    fn precede(&mut self, one: &[Term], other: &[Term]) -> Option<Condition> {
        let (mut before, mut equal) = (Vec::new(), Condition::ALWAYS);
        for (&a, &b) in one.iter().zip(other) {
            if a == b {
                continue;
            }
            let less = self.precedes(a, b)?;
            before.push(self.store.both(equal, less));
            let same = self.store.identical(a, b)?;
            equal = self.store.both(equal, same);
            if equal == Condition::NEVER {
                break;
            }
        }
        Some(self.store.or(before))
    }

    pub fn order(&mut self, args: &[Term], way: Way) -> Ways {
        let before = self.precedes(args[1], args[2])?;
        let same = self.store.identical(args[1], args[2])?;
        let either = self.store.or([before, same]);
        let after = self.store.not(either);
        let mut ways = Vec::with_capacity(3);
        for (name, holds) in [("<", before), ("=", same), (">", after)] {
            let name = self.machine.symbols.intern(name);
            let sign = self.store.constant(Cell::atom(name));
            for way in tested(self, way.clone(), holds) {
                ways.extend(self.unify(args[0], sign, way));
            }
        }
        Some(self.merged_ways(ways, None))
    }

    /// Items in the standard order of keys: the first of identical ones if `distinct`, or all. `None`: not worked out.
    pub fn sorted(
        &mut self,
        items: Vec<Guarded>,
        key: impl Fn(&Run<'_>, Term) -> Option<Term>,
        distinct: bool,
        within: Condition,
    ) -> Option<Vec<Guarded>> {
        let keys: Vec<Term> =
            items.iter().map(|&(_, item)| key(self, item)).collect::<Option<_>>()?;
        // Where no two can be alike, none is left out: the list keeps its length.
        let distinct = distinct && !self.all_differ(&items, &keys, within);
        if let Some(sorted) = self.order_known(&items, &keys, distinct, within) {
            return Some(sorted);
        }
        let by_itself = items.iter().zip(&keys).all(|(item, key)| item.1 == *key);
        let values: usize = items.iter().map(|&(_, item)| self.values_of(item)).sum();
        if !distinct
            && (!by_itself || values > limits::FEW_ALTERNATIVES)
            && let Some(sorted) = self.by_insertion(&items, &keys, within)
        {
            return Some(sorted);
        }
        if by_itself { self.by_values(&items, distinct, within) } else { None }
    }

    /// How many values a structure of leaves may have, [`limits::ALTERNATIVES`] at most.
    fn values_of(&self, term: Term) -> usize {
        let (mut values, mut waiting) = (1_usize, vec![term]);
        while let Some(term) = waiting.pop() {
            let of_one = match self.store.shape(term) {
                Shape::Leaf(leaf) => match self.store.domain(*leaf) {
                    Domain::Values(values) => values.len(),
                    Domain::Range(..) | Domain::Mixed(..) => limits::ALTERNATIVES,
                },
                Shape::Pair(head, tail) => {
                    waiting.extend([*head, *tail]);
                    1
                }
                Shape::Struct(_, parts) => {
                    waiting.extend(parts.iter());
                    1
                }
                Shape::Choice(ways) => ways.len(),
                _ => 1,
            };
            values = values.saturating_mul(of_one).min(limits::ALTERNATIVES);
        }
        values
    }

    /// Whether no two of a few items can have identical keys.
    fn all_differ(&mut self, items: &[Guarded], keys: &[Term], within: Condition) -> bool {
        if keys.len() > limits::SORTED || items.iter().any(|&(there, _)| there != Condition::ALWAYS)
        {
            return false;
        }
        for (place, &one) in keys.iter().enumerate() {
            for &other in &keys[place + 1..] {
                let Some(same) = self.store.identical(one, other) else { return false };
                if !self.store.exclude(same, within) {
                    return false;
                }
            }
        }
        true
    }

    /// Where the order of each two of them is known.
    fn order_known(
        &mut self,
        items: &[Guarded],
        keys: &[Term],
        distinct: bool,
        within: Condition,
    ) -> Option<Vec<Guarded>> {
        let mut sorted: Vec<(Condition, Term, Term)> = Vec::with_capacity(items.len());
        for (&(there, item), &key) in items.iter().zip(keys) {
            // Behind the last that it does not come before.
            let (mut low, mut high) = (0, sorted.len());
            while low < high {
                let middle = (low + high) / 2;
                let before = self.precedes(key, sorted[middle].2)?;
                match self.decided(before, within)? {
                    true => high = middle,
                    false => low = middle + 1,
                }
            }
            sorted.insert(low, (there, item, key));
        }
        if !distinct {
            return Some(sorted.into_iter().map(|(there, item, _)| (there, item)).collect());
        }
        let mut kept: Vec<(Condition, Term, Term)> = Vec::with_capacity(sorted.len());
        for (there, item, key) in sorted {
            let mut stays = there;
            // Only those just before it can be the same.
            for place in (0..kept.len()).rev() {
                let (other_there, _, other_key) = kept[place];
                let same = self.store.identical(key, other_key)?;
                let same = self.store.both(same, within);
                if same == Condition::NEVER {
                    break;
                }
                let both = self.store.both(other_there, same);
                let not = self.store.not(both);
                if key == other_key && item == kept[place].1 {
                    kept[place].0 = self.store.or([other_there, stays]);
                    stays = Condition::NEVER;
                    break;
                }
                stays = self.store.both(stays, not);
            }
            if stays != Condition::NEVER {
                kept.push((stays, item, key));
            }
        }
        Some(kept.into_iter().map(|(there, item, _)| (there, item)).collect())
    }

    /// Whether a condition holds always where another does, or never.
    fn decided(&mut self, condition: Condition, within: Condition) -> Option<bool> {
        if self.store.exclude(condition, within) {
            return Some(false);
        }
        let not = self.store.not(condition);
        self.store.exclude(not, within).then_some(true)
    }

    /// By the values that items may have, in order; where identical ones count, by how many stand before.
    fn by_values(
        &mut self,
        items: &[Guarded],
        distinct: bool,
        within: Condition,
    ) -> Option<Vec<Guarded>> {
        let mut values: Vec<(Term, Vec<Condition>)> = Vec::new();
        for (at, &(there, item)) in items.iter().enumerate() {
            let condition = self.store.both(within, there);
            for (holds, ways) in self.spread(&[item], condition, limits::ALTERNATIVES)? {
                let value = ways[0];
                if !self.store.is_ground(value) {
                    return None;
                }
                let holds = self.store.given(holds, within);
                let known = values.iter().position(|&(known, _)| known == value);
                let place = known.unwrap_or_else(|| {
                    values.push((value, vec![Condition::NEVER; items.len()]));
                    values.len() - 1
                });
                values[place].1[at] = self.store.or([values[place].1[at], holds]);
                if values.len() > limits::ALTERNATIVES {
                    return None;
                }
            }
        }
        let mut order: Vec<(Term, Vec<Condition>)> = Vec::with_capacity(values.len());
        for (value, holds) in values {
            let (mut low, mut high) = (0, order.len());
            while low < high {
                let middle = (low + high) / 2;
                if self.precedes(value, order[middle].0)? == Condition::ALWAYS {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            order.insert(low, (value, holds));
        }
        if distinct {
            let mut kept = Vec::with_capacity(order.len());
            for (value, holds) in order {
                kept.push((self.store.or(holds), value));
            }
            return Some(kept);
        }
        if items.len() > limits::SORTED {
            return None;
        }
        let all_there = items.iter().all(|&(there, _)| there == Condition::ALWAYS);
        // Of the items, more than so many are at most the value.
        let mut more = vec![Condition::NEVER; items.len()];
        let mut is_at_most = vec![Condition::NEVER; items.len()];
        let mut columns: Vec<Vec<Guarded>> = vec![Vec::new(); items.len()];
        for (value, holds) in order {
            for (at_most, is) in is_at_most.iter_mut().zip(holds) {
                *at_most = self.store.or([*at_most, is]);
            }
            let now = self.more_than(&is_at_most);
            for (place, column) in columns.iter_mut().enumerate() {
                let here = self.minus(now[place], more[place]);
                if here != Condition::NEVER {
                    column.push((here, value));
                }
            }
            more = now;
        }
        let mut sorted = Vec::with_capacity(items.len());
        for (column, there) in columns.into_iter().zip(more) {
            // More items are there than stand before this place.
            let there = if all_there { Condition::ALWAYS } else { there };
            if !column.is_empty() {
                sorted.push((there, self.store.merged(&column)?));
            }
        }
        Some(sorted)
    }

    /// That more of them hold than their place says: for each place.
    fn more_than(&mut self, conditions: &[Condition]) -> Vec<Condition> {
        let mut more = vec![Condition::NEVER; conditions.len()];
        for &condition in conditions {
            for place in (0..more.len()).rev() {
                let fewer = if place == 0 { Condition::ALWAYS } else { more[place - 1] };
                let with = self.store.both(fewer, condition);
                more[place] = self.store.or([more[place], with]);
            }
        }
        more
    }

    fn by_insertion(
        &mut self,
        items: &[Guarded],
        keys: &[Term],
        within: Condition,
    ) -> Option<Vec<Guarded>> {
        if items.len() > limits::SORTED / 2
            || items.iter().any(|&(there, _)| there != Condition::ALWAYS)
        {
            return None;
        }
        let mut sorted: Vec<(Term, Term)> = Vec::with_capacity(items.len());
        for (&(_, item), &key) in items.iter().zip(keys) {
            let (mut item, mut key) = (item, key);
            let mut placed = Vec::with_capacity(sorted.len() + 1);
            // Once it stands before one, that one is pushed on, and stands before the next.
            let mut passed = Condition::NEVER;
            for (other, other_key) in sorted {
                let before = self.precedes(key, other_key)?;
                let before = self.store.both(before, within);
                let before = self.store.given(before, within);
                let first = self.store.or([passed, before]);
                let not = self.store.not(first);
                let chosen =
                    |run: &mut Self, a: Term, b: Term| run.store.merged(&[(first, a), (not, b)]);
                placed.push((chosen(self, item, other)?, chosen(self, key, other_key)?));
                (item, key) = (chosen(self, other, item)?, chosen(self, other_key, key)?);
                passed = first;
            }
            placed.push((item, key));
            sorted = placed;
        }
        Some(sorted.into_iter().map(|(item, _)| (Condition::ALWAYS, item)).collect())
    }
}

/// `@<` and its like: sides, and whether the first is to come before the second.
pub fn before(run: &mut Run<'_>, sides: [Term; 2], way: Way, holds: bool) -> Ways {
    let mut condition = run.precedes(sides[0], sides[1])?;
    if !holds {
        condition = run.store.not(condition);
    }
    Some(tested(run, way, condition))
}

pub fn sort(run: &mut Run<'_>, args: &[Term], way: Way, live: &[Variable], distinct: bool) -> Ways {
    let items = run.store.elements(args[0])?;
    if live.is_empty() && matches!(run.store.shape(args[1]), Shape::Variable(_)) {
        // The sorted list is useless.
        return Some(vec![way]);
    }
    let sorted = run.sorted(items, |_, item| Some(item), distinct, way.condition)?;
    Some(run.is_list_of(args[1], sorted, way))
}

pub fn keysort(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let items = run.store.elements(args[0])?;
    let key = |run: &Run<'_>, item| match run.store.shape(item) {
        Shape::Struct(header, parts)
            if parts.len() == 2 && run.machine.symbols.name(header.functor_name()) == "-" =>
        {
            Some(parts[0])
        }
        _ => None,
    };
    let sorted = run.sorted(items, key, false, way.condition)?;
    Some(run.is_list_of(args[1], sorted, way))
}

pub fn sort_by(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let place = usize::try_from(run.store.as_integer(args[0])?).ok()?;
    let Shape::Constant(order) = run.store.shape(args[1]) else { return None };
    let order = run.machine.symbols.name(order.as_atom()?).to_owned();
    let mut items = run.store.elements(args[2])?;
    let key = |run: &Run<'_>, item| match (place, run.store.shape(item)) {
        (0, _) => Some(item),
        (_, Shape::Struct(_, parts)) => parts.get(place - 1).copied(),
        _ => None,
    };
    let (distinct, descends) = match &order[..] {
        "@<" => (true, false),
        "@=<" => (false, false),
        "@>=" => (false, true),
        "@>" if place == 0 => (true, true),
        _ => return None,
    };
    // What is the same keeps its order.
    if descends && !distinct {
        items.reverse();
    }
    let mut sorted = run.sorted(items, key, distinct, way.condition)?;
    if descends {
        sorted.reverse();
    }
    Some(run.is_list_of(args[3], sorted, way))
}

pub fn set(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let items = run.store.elements(args[0])?;
    let mut kept: Vec<Guarded> = Vec::with_capacity(items.len());
    for (there, item) in items {
        let mut stays = there;
        for &(other_there, other) in &kept {
            let same = run.store.identical(item, other)?;
            let both = run.store.both(other_there, same);
            stays = run.minus(stays, both);
        }
        kept.push((stays, item));
    }
    Some(run.is_list_of(args[1], kept, way))
}
