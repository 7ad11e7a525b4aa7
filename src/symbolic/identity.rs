//! Whether two terms are identical (`==`), as a condition.

use crate::limits;
use crate::store::{Condition, Domain, Guarded, Leaf, Relation, Shape, Store, Term, UNBOUND};
use zug_term::Cell;

impl Store {
    /// Where two terms are identical; `None` if not worked out, as for lists of different absent elements.
    pub fn identical(&mut self, one: Term, other: Term) -> Option<Condition> {
        self.spend(1);
        if one == other {
            return Some(Condition::ALWAYS);
        }
        if self.is_opaque(one) || self.is_opaque(other) {
            return None;
        }
        // Terms without leaves and variables are kept once each.
        if self.is_known(one) && self.is_known(other) {
            return Some(Condition::NEVER);
        }
        match (self.shape(one).clone(), self.shape(other).clone()) {
            (Shape::Choice(ways), _) => {
                self.any_way(&ways, |store, way| store.identical(way, other))
            }
            (_, Shape::Choice(ways)) => self.any_way(&ways, |store, way| store.identical(way, one)),
            (Shape::Variable(_), _) | (_, Shape::Variable(_)) => Some(Condition::NEVER),
            (Shape::Leaf(a), Shape::Leaf(b)) => Some(self.same_value(a, b, one, other)),
            (Shape::Leaf(leaf), Shape::Constant(value))
            | (Shape::Constant(value), Shape::Leaf(leaf)) => Some(self.is_value(leaf, value)),
            (Shape::Integer(..), _) | (_, Shape::Integer(..)) => {
                self.identical_integers(one, other)
            }
            (Shape::Float(..), _) | (_, Shape::Float(..)) => self.identical_floats(one, other),
            (Shape::Present(_), _) | (_, Shape::Present(_)) => self.identical_lists(one, other),
            (Shape::Pair(a, b), Shape::Pair(c, d)) => self.identical_pairs((a, b), (c, d)),
            (Shape::Struct(a, left), Shape::Struct(b, right)) if a == b => {
                let mut all = Vec::with_capacity(left.len());
                for (&a, &b) in left.iter().zip(right.iter()) {
                    all.push(self.identical(a, b)?);
                }
                Some(self.and(all))
            }
            _ => Some(Condition::NEVER),
        }
    }

    /// That a leaf has this value.
    pub fn is_value(&mut self, leaf: Leaf, value: Cell) -> Condition {
        if !self.domain(leaf).has(value) {
            return Condition::NEVER;
        }
        let is_number = value.is_int() && !matches!(self.domain(leaf), Domain::Values(_));
        let place = self.domain(leaf).place(value);
        let is_kind = match place {
            Some(place) => self.where_value(leaf, |_, at| at == place),
            None => Condition::ALWAYS,
        };
        if !is_number {
            return is_kind;
        }
        let (number, value) = (self.number_of(leaf), self.constant(value));
        let same = self.compare(Relation::Equal, number, value);
        self.both(is_kind, same)
    }

    /// That a leaf is an integer.
    pub fn is_integer(&mut self, leaf: Leaf) -> Condition {
        match self.domain(leaf).clone() {
            Domain::Range(..) => Condition::ALWAYS,
            Domain::Values(values) => self.where_value(leaf, |_, at| values[at].is_int()),
            Domain::Mixed(others, ..) => self.where_value(leaf, |_, at| at == others.len()),
        }
    }

    /// The values of a leaf with conditions, a range as one number; `None` if it may be unbound.
    pub fn cases(&mut self, leaf: Leaf) -> Option<Vec<Guarded>> {
        let of = match self.domain(leaf).clone() {
            Domain::Values(of) | Domain::Mixed(of, ..) => of,
            Domain::Range(..) => Box::default(),
        };
        if of.contains(&UNBOUND) {
            return None;
        }
        let mut cases = Vec::with_capacity(of.len() + 1);
        for &value in &of {
            cases.push((self.is_value(leaf, value), self.constant(value)));
        }
        if !matches!(self.domain(leaf), Domain::Values(_)) {
            cases.push((self.is_integer(leaf), self.number_of(leaf)));
        }
        Some(cases)
    }

    /// Where two leaves are equal: by values if they are few, else as a comparison that [conjunctions](Store::and) use.
    fn same_value(&mut self, a: Leaf, b: Leaf, one: Term, other: Term) -> Condition {
        let domains = (self.domain(a).clone(), self.domain(b).clone());
        let shared: Vec<Cell> = match &domains {
            (Domain::Values(values), other)
            | (other, Domain::Values(values))
            | (Domain::Mixed(values, ..), other) => {
                values.iter().copied().filter(|&value| other.has(value)).collect()
            }
            _ => Vec::new(),
        };
        // Two variables are two.
        let shared: Vec<Cell> = shared.into_iter().filter(|&value| value != UNBOUND).collect();
        let of_values = matches!(domains, (Domain::Values(_), Domain::Values(_)));
        if shared.len() > limits::COMPARED && of_values {
            let same = self.comparison(Relation::Equal, one, other);
            let unbound = self.is_value(a, UNBOUND);
            let bound = self.not(unbound);
            return self.both(same, bound);
        }
        let mut ways = Vec::with_capacity(shared.len() + 1);
        for value in shared {
            let sides = [self.is_value(a, value), self.is_value(b, value)];
            ways.push(self.and(sides));
        }
        if !matches!(domains.0, Domain::Values(_)) && !matches!(domains.1, Domain::Values(_)) {
            let numbers = [self.number_of(a), self.number_of(b)];
            let same = self.compare(Relation::Equal, numbers[0], numbers[1]);
            let sides = [self.is_integer(a), self.is_integer(b), same];
            ways.push(self.and(sides));
        }
        self.or(ways)
    }

    fn identical_integers(&mut self, one: Term, other: Term) -> Option<Condition> {
        if self.bounds(one).is_some() && self.bounds(other).is_some() {
            return Some(self.compare(Relation::Equal, one, other));
        }
        // A leaf that is an integer for some of its values only.
        let (leaf, integer) = match (self.shape(one), self.shape(other)) {
            (&Shape::Leaf(leaf), _) => (leaf, other),
            (_, &Shape::Leaf(leaf)) => (leaf, one),
            _ => return Some(Condition::NEVER),
        };
        match self.domain(leaf).clone() {
            Domain::Values(values) => {
                let mut ways = Vec::new();
                for &value in values.iter().filter(|value| value.is_int()) {
                    let constant = self.constant(value);
                    let is = self.is_value(leaf, value);
                    let same = self.compare(Relation::Equal, constant, integer);
                    ways.push(self.both(is, same));
                }
                Some(self.or(ways))
            }
            Domain::Range(..) => None,
            Domain::Mixed(..) => {
                let number = self.number_of(leaf);
                let sides = [self.is_integer(leaf), self.compare(Relation::Equal, number, integer)];
                Some(self.and(sides))
            }
        }
    }

    fn identical_pairs(&mut self, one: (Term, Term), other: (Term, Term)) -> Option<Condition> {
        let (mut one, mut other) = (one, other);
        let mut all = Vec::new();
        loop {
            let heads = self.identical(one.0, other.0)?;
            if heads == Condition::NEVER {
                return Some(heads);
            }
            all.push(heads);
            match (self.shape(one.1), self.shape(other.1)) {
                (&Shape::Pair(a, b), &Shape::Pair(c, d)) if one.1 != other.1 => {
                    (one, other) = ((a, b), (c, d));
                }
                _ => {
                    all.push(self.identical(one.1, other.1)?);
                    return Some(self.and(all));
                }
            }
        }
    }

    /// Lists of which one at least has elements that may be absent.
    fn identical_lists(&mut self, one: Term, other: Term) -> Option<Condition> {
        // A leaf is a list where it is the empty one.
        for (side, list) in [(one, other), (other, one)] {
            if let &Shape::Leaf(leaf) = self.shape(side) {
                let nil = self.constant(Cell::NIL);
                let sides = [self.is_value(leaf, Cell::NIL), self.identical(list, nil)?];
                return Some(self.and(sides));
            }
        }
        let (left, right) = (self.elements(one), self.elements(other));
        let (Some(left), Some(right)) = (left, right) else { return Some(Condition::NEVER) };
        if left.is_empty() || right.is_empty() {
            let elements = if left.is_empty() { &right } else { &left };
            return Some(self.none_of(elements));
        }
        match self.of_one_order(&left, &right) {
            Some(pairs) => {
                let mut all = Vec::with_capacity(pairs.len());
                for [a, b] in pairs {
                    let (not_a, not_b) = (self.not(a), self.not(b));
                    let ways = [self.both(a, b), self.both(not_a, not_b)];
                    all.push(self.or(ways));
                }
                Some(self.and(all))
            }
            None => self.identical_from_back(&left, &right),
        }
    }

    /// That no element of a list is there.
    pub fn none_of(&mut self, elements: &[Guarded]) -> Condition {
        let mut conditions: Vec<Condition> = Vec::with_capacity(elements.len());
        for &(there, _) in elements {
            // What is there only beside the element before says nothing new: the longer part of a ray.
            if let Some(&before) = conditions.last()
                && self.implies(there, before)
            {
                continue;
            }
            conditions.push(there);
        }
        let absent: Vec<Condition> = conditions.into_iter().map(|there| self.not(there)).collect();
        self.and(absent)
    }

    /// Whether one condition implies another with which it shares a conjunct, as far as that is seen.
    fn implies(&mut self, one: Condition, other: Condition) -> bool {
        let (left, right) = (self.conjuncts(one), self.conjuncts(other));
        self.spend(left.len());
        left.iter().any(|part| right.contains(part)) && {
            let not = self.not(other);
            self.exclude(one, not)
        }
    }

    /// Elements of both lists in one order, none to be taken for another: where each is in either list.
    fn of_one_order(&mut self, left: &[Guarded], right: &[Guarded]) -> Option<Vec<[Condition; 2]>> {
        let mut pairs: Vec<[Condition; 2]> = Vec::new();
        let mut elements: Vec<Term> = Vec::new();
        let mut rest = right.iter();
        for &(there, element) in left {
            if right.iter().any(|&(_, other)| other == element) {
                loop {
                    let &(other_there, other) = rest.next()?;
                    elements.push(other);
                    if other == element {
                        pairs.push([there, other_there]);
                        break;
                    }
                    pairs.push([Condition::NEVER, other_there]);
                }
            } else {
                elements.push(element);
                pairs.push([there, Condition::NEVER]);
            }
        }
        for &(there, element) in rest {
            elements.push(element);
            pairs.push([Condition::NEVER, there]);
        }
        self.spend(elements.len() * elements.len());
        for (place, &a) in elements.iter().enumerate() {
            for &b in &elements[place + 1..] {
                if self.identical(a, b)? != Condition::NEVER {
                    return None;
                }
            }
        }
        Some(pairs)
    }

    /// Where two lists with absent elements are identical: from each pair of places on, back to front.
    fn identical_from_back(&mut self, left: &[Guarded], right: &[Guarded]) -> Option<Condition> {
        if left.len() * right.len() > limits::ANSWERS {
            return None;
        }
        let mut below = vec![Condition::ALWAYS];
        for &(there, _) in right.iter().rev() {
            let absent = self.not(there);
            below.push(self.both(*below.last()?, absent));
        }
        below.reverse();
        for &(a, one) in left.iter().rev() {
            let not_a = self.not(a);
            let mut row = vec![Condition::NEVER; right.len() + 1];
            row[right.len()] = self.both(not_a, below[right.len()]);
            for (place, &(b, other)) in right.iter().enumerate().rev() {
                let not_b = self.not(b);
                let same = self.identical(one, other)?;
                let ways = [
                    self.both(not_a, below[place]),
                    self.and([a, not_b, row[place + 1]]),
                    self.and([a, b, same, below[place + 1]]),
                ];
                row[place] = self.or(ways);
            }
            below = row;
        }
        Some(below[0])
    }
}
