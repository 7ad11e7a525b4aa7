//! Integers that depend on leaves: computing and comparing.

use crate::bounds::compare_bounds;
use crate::floats::rounded;
use crate::limits;
use crate::store::{
    Condition, Domain, Formula, Guarded, Leaf, Leaves, Obstacle, Operation, Relation, Shape, Store,
    Term,
};
use rustc_hash::FxHashMap;
use zug_term::Cell;

/// An operation on integers, as the standard defines it (ISO/IEC 13211-1, 9.1, 9.3, 9.4).
///
/// # Errors
/// Where it has no value, or none that fits a cell.
pub fn computed(operation: Operation, operands: &[i64]) -> Result<i64, Obstacle> {
    let (a, b) = match *operands {
        [a] => (a, 0),
        [a, b] => (a, b),
        _ => return Err(Obstacle::Undefined),
    };
    let value = match operation {
        Operation::Add => a.checked_add(b),
        Operation::Subtract => a.checked_sub(b),
        Operation::Multiply => a.checked_mul(b),
        Operation::Truncate | Operation::Floor | Operation::Modulo | Operation::Remainder
            if b == 0 =>
        {
            return Err(Obstacle::Undefined);
        }
        Operation::Truncate => a.checked_div(b),
        Operation::Floor => {
            let quotient = a.checked_div(b);
            quotient.map(|q| if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q })
        }
        Operation::Modulo => {
            let rest = a.checked_rem(b);
            rest.map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r })
        }
        Operation::Remainder => a.checked_rem(b),
        Operation::PopCount if a < 0 => return Err(Obstacle::Undefined),
        Operation::HighestBit | Operation::LowestBit if a <= 0 => {
            return Err(Obstacle::Undefined);
        }
        Operation::PopCount => Some(i64::from(a.count_ones())),
        Operation::HighestBit => Some(i64::from(a.ilog2())),
        Operation::LowestBit => Some(i64::from(a.trailing_zeros())),
        Operation::Number => Some(a),
        Operation::Minimum => Some(a.min(b)),
        Operation::Maximum => Some(a.max(b)),
        Operation::BitAnd => Some(a & b),
        Operation::BitOr => Some(a | b),
        Operation::BitXor => Some(a ^ b),
        Operation::ShiftRight if b < 0 => return Err(Obstacle::Undefined),
        Operation::ShiftRight => Some(a >> b.min(63)),
        Operation::ShiftLeft => match u32::try_from(b).map_err(|_| Obstacle::Undefined)? {
            _ if a == 0 => Some(0),
            by @ 0..62 => a.checked_mul(1 << by),
            _ => None,
        },
        // It is computed of a float.
        Operation::Round(_) => return Err(Obstacle::NotInteger),
        Operation::Negate => a.checked_neg(),
        Operation::Absolute => a.checked_abs(),
    };
    let value = value.ok_or(Obstacle::Large)?;
    Cell::try_small(value).map(|_| value).ok_or(Obstacle::Large)
}

impl Store {
    /// The integer that an operation computes of integers.
    ///
    /// # Errors
    /// The [`Obstacle`] that there is for some values of the leaves at least.
    pub fn compute(&mut self, operation: Operation, operands: &[Term]) -> Result<Term, Obstacle> {
        self.compute_where(operation, operands, false)
    }

    /// The same; with `has_value` it is to be used only where the operation [has a value](Store::has_value).
    ///
    /// # Errors
    /// As [`Store::compute`].
    pub fn compute_where(
        &mut self,
        operation: Operation,
        operands: &[Term],
        has_value: bool,
    ) -> Result<Term, Obstacle> {
        self.spend(1);
        if let Operation::Round(rounding) = operation {
            return self.round(rounding, operands[0]);
        }
        if let Some(values) = self.constants(operands) {
            return match computed(operation, &values) {
                Ok(value) => self.integer(value).ok_or(Obstacle::Large),
                // It is never this one.
                Err(_) if has_value => Ok(self.constant(Cell::ZERO)),
                Err(obstacle) => Err(obstacle),
            };
        }
        if operation == Operation::Add
            && let &[left, right] = operands
            && self.is_independent_sum(left, right)
        {
            return self.add_unspread(left, right);
        }
        if let Some(place) = self.to_spread(operands) {
            let Shape::Choice(choices) = self.shape(operands[place]).clone() else {
                return Err(Obstacle::NotInteger);
            };
            let mut operands = operands.to_vec();
            return self.computed_by_way(&choices, |store, way| {
                operands[place] = way;
                store.compute_where(operation, &operands, has_value)
            });
        }
        for &operand in operands {
            self.bounds(operand).ok_or(Obstacle::NotInteger)?;
        }
        if let Some(term) = self.simplified(operation, operands, has_value)? {
            return Ok(term);
        }
        let term = self.term(Shape::Integer(operation, operands.into()));
        if has_value {
            return self.known_integer(term);
        }
        if let Leaves::One(leaf) = self.leaves(term)
            && self.is_plain(term)
        {
            // All its values are computed, so that none is undefined.
            if let Domain::Values(values) = self.domain(leaf).clone() {
                self.spend(1 + values.len() / 4);
                for &value in &values {
                    self.value_at(term, value)?;
                }
                return Ok(term);
            }
        }
        match self.obstacle(operation, operands) {
            Some(obstacle) => Err(obstacle),
            None => self.known_integer(term),
        }
    }

    /// Whether the sum of two integers that depend on different leaves stays a sum: one of them is a choice, and spread
    /// over its ways the sum would be computed in each of them, or have many.
    fn is_independent_sum(&self, left: Term, right: Term) -> bool {
        let ways = |term: Term| match self.shape(term) {
            Shape::Choice(ways) => Some(ways),
            _ => None,
        };
        let is_computed = |term: Term| match ways(term) {
            Some(ways) => ways.iter().any(|&(_, way)| self.as_integer(way).is_none()),
            None => self.leaves(term) == Leaves::Several,
        };
        let is_large = match (ways(left), ways(right)) {
            (None, None) => return false,
            (Some(one), Some(other)) => one.len() * other.len() > limits::INDEPENDENT_PAIRS,
            _ => false,
        };
        (is_large || is_computed(left) || is_computed(right))
            && self.filter_of_term(left).is_apart(self.filter_of_term(right))
            && self.bounds(left).is_some()
            && self.bounds(right).is_some()
    }

    /// A number that is computed way by way of a choice.
    pub(crate) fn computed_by_way(
        &mut self,
        choices: &[Guarded],
        mut compute: impl FnMut(&mut Store, Term) -> Result<Term, Obstacle>,
    ) -> Result<Term, Obstacle> {
        let mut ways = Vec::with_capacity(choices.len());
        for &(condition, way) in choices {
            ways.push((condition, compute(self, way)?));
        }
        self.merged(&ways).ok_or(Obstacle::NotInteger)
    }

    /// A computed integer; the constant, if it can be but one.
    fn known_integer(&mut self, term: Term) -> Result<Term, Obstacle> {
        match self.bounds(term).ok_or(Obstacle::NotInteger)? {
            (low, high) if low == high => self.integer(low).ok_or(Obstacle::Large),
            _ => Ok(term),
        }
    }

    /// The integer that a leaf is which may be something else, too: to be used only where it is one.
    pub fn number_of(&mut self, leaf: Leaf) -> Term {
        let of = self.leaf(leaf);
        match self.domain(leaf) {
            Domain::Mixed(..) => self.term(Shape::Integer(Operation::Number, [of].into())),
            _ => of,
        }
    }

    /// The sum of two integers, choices left as they are: where many are added up, each is selected
    /// for itself.
    ///
    /// # Errors
    /// It may be too large, or one of them is no integer.
    pub fn add_unspread(&mut self, left: Term, right: Term) -> Result<Term, Obstacle> {
        if self.depth(left).max(self.depth(right)) >= limits::SUM_DEPTH {
            let addends = [self.addends(left), self.addends(right)].concat();
            self.spend(addends.len());
            let is_flat = addends.iter().all(|&addend| self.depth(addend) < limits::SUM_DEPTH / 2);
            if let Some(term) = is_flat.then(|| self.sum(&addends)).flatten() {
                return Ok(term);
            }
        }
        self.added(left, right)
    }

    fn added(&mut self, left: Term, right: Term) -> Result<Term, Obstacle> {
        self.spend(1);
        if let Some(values) = self.constants(&[left, right]) {
            let value = computed(Operation::Add, &values)?;
            return self.integer(value).ok_or(Obstacle::Large);
        }
        if let Some(term) = self.simplified(Operation::Add, &[left, right], false)? {
            return Ok(term);
        }
        match self.obstacle(Operation::Add, &[left, right]) {
            Some(obstacle) => Err(obstacle),
            None => Ok(self.term(Shape::Integer(Operation::Add, [left, right].into()))),
        }
    }

    /// Addends in their order, those of one leaf in one group.
    pub fn by_leaf(&self, addends: &[Term]) -> Vec<Vec<Term>> {
        let mut by_leaf: Vec<Vec<Term>> = Vec::with_capacity(addends.len());
        let mut places: FxHashMap<Leaf, usize> = FxHashMap::default();
        for &addend in addends {
            if let Leaves::One(leaf) = self.leaves(addend) {
                let place = *places.entry(leaf).or_insert(by_leaf.len());
                if let Some(others) = by_leaf.get_mut(place) {
                    others.push(addend);
                    continue;
                }
            }
            by_leaf.push(vec![addend]);
        }
        by_leaf
    }

    /// The sum of integers as a balanced tree, choices left as they are. What one leaf adds is one term of it, a function
    /// of that leaf.
    pub fn sum(&mut self, addends: &[Term]) -> Option<Term> {
        let by_leaf = self.by_leaf(addends);
        let sums = by_leaf.iter().map(|addends| self.sum_as_tree(addends));
        let sums: Vec<Term> = sums.collect::<Option<_>>()?;
        self.sum_as_tree(&sums)
    }

    fn sum_as_tree(&mut self, addends: &[Term]) -> Option<Term> {
        match *addends {
            [] => Some(self.constant(Cell::ZERO)),
            [one] => Some(one),
            _ => {
                let (left, right) = addends.split_at(addends.len() / 2);
                let (left, right) = (self.sum_as_tree(left)?, self.sum_as_tree(right)?);
                self.added(left, right).ok()
            }
        }
    }

    /// What a term is the sum of, from left to right.
    pub(crate) fn addends(&self, term: Term) -> Vec<Term> {
        let (mut addends, mut waiting) = (Vec::new(), vec![term]);
        while let Some(term) = waiting.pop() {
            match self.shape(term) {
                Shape::Integer(Operation::Add, parts) => waiting.extend([parts[1], parts[0]]),
                _ => addends.push(term),
            }
        }
        addends
    }

    fn constants(&self, terms: &[Term]) -> Option<Vec<i64>> {
        terms.iter().map(|&term| self.as_integer(term)).collect()
    }

    /// The integer that a term is.
    pub fn as_integer(&self, term: Term) -> Option<i64> {
        match self.shape(term) {
            Shape::Constant(cell) => cell.as_int(),
            _ => None,
        }
    }

    /// The operand that is a choice to be computed with way by way.
    pub(crate) fn to_spread(&self, operands: &[Term]) -> Option<usize> {
        let ways = |&term: &Term| match self.shape(term) {
            Shape::Choice(ways) => Some(ways.len()),
            _ => None,
        };
        let widths: Vec<Option<usize>> = operands.iter().map(ways).collect();
        let total = widths.iter().flatten().product::<usize>();
        let limit =
            if widths.iter().flatten().count() > 1 { limits::PAIRS } else { limits::COMPUTED };
        let first = widths.iter().position(Option::is_some)?;
        (total <= limit).then_some(first)
    }

    /// A simpler form with a constant, which goes to the end of sums, so that order makes no difference.
    fn simplified(
        &mut self,
        operation: Operation,
        operands: &[Term],
        has_value: bool,
    ) -> Result<Option<Term>, Obstacle> {
        let &[left, right] = operands else { return Ok(None) };
        let known = (self.as_integer(left), self.as_integer(right));
        let (term, addend) = match (operation, known.0, known.1) {
            (Operation::Add, _, Some(value)) => (left, value),
            (Operation::Add, Some(value), None) => (right, value),
            (Operation::Subtract, _, Some(value)) => (left, -value),
            (Operation::Multiply | Operation::Truncate | Operation::Floor, _, Some(1))
            | (
                Operation::ShiftLeft | Operation::ShiftRight | Operation::BitOr | Operation::BitXor,
                _,
                Some(0),
            ) => return Ok(Some(left)),
            (Operation::Multiply, Some(1), _)
            | (Operation::BitOr | Operation::BitXor, Some(0), _) => {
                return Ok(Some(right));
            }
            _ => return Ok(None),
        };
        let (term, value) = self.addend(term);
        let addend = addend.checked_add(value).ok_or(Obstacle::Large)?;
        if addend == 0 {
            return Ok(Some(term));
        }
        let addend = self.integer(addend).ok_or(Obstacle::Large)?;
        match self.obstacle(Operation::Add, &[term, addend]) {
            Some(obstacle) if !has_value => Err(obstacle),
            _ => Ok(Some(self.term(Shape::Integer(Operation::Add, [term, addend].into())))),
        }
    }

    /// What a constant is added to, and the constant.
    fn addend(&self, sum: Term) -> (Term, i64) {
        match self.shape(sum) {
            Shape::Integer(Operation::Add, parts) => match self.as_integer(parts[1]) {
                Some(addend) => (parts[0], addend),
                None => (sum, 0),
            },
            _ => (sum, 0),
        }
    }

    /// How much more an integer is than another, if it is so in all states.
    pub fn distance(&self, from: Term, to: Term) -> Option<i64> {
        let [(one, less), (other, more)] = [from, to].map(|term| self.addend(term));
        (one == other).then(|| more.checked_sub(less))?
    }

    /// That two integers, or two floats, compare so.
    pub fn compare(&mut self, relation: Relation, left: Term, right: Term) -> Condition {
        self.spend(1);
        if self.float_bounds(left).is_some() {
            return self.compare_floats(relation, left, right);
        }
        if let Some(values) = self.constants(&[left, right]) {
            return Condition::certain(relation.holds(values[0], values[1]));
        }
        if let Some(condition) = self.compare_ways(relation, [left, right]) {
            return condition;
        }
        if let Some(condition) = self.compare_values(relation, [left, right], Store::value_at) {
            return condition;
        }
        if let (Some(a), Some(b)) = (self.bounds(left), self.bounds(right))
            && let Some(known) = compare_bounds(relation, a, b)
        {
            return Condition::certain(known);
        }
        self.comparison(relation, left, right)
    }

    /// The same by the values of the only leaf of two numbers, if these are numbered.
    pub(crate) fn compare_values<T: Copy + PartialOrd>(
        &mut self,
        relation: Relation,
        sides: [Term; 2],
        at: fn(&mut Store, Term, Cell) -> Result<T, Obstacle>,
    ) -> Option<Condition> {
        let leaf = self.only_leaf(sides[0], sides[1])?;
        let Domain::Values(values) = self.domain(leaf).clone() else { return None };
        Some(self.where_value(leaf, |store, place| {
            let sides = sides.map(|side| at(store, side, values[place]));
            matches!(sides, [Ok(a), Ok(b)] if relation.holds(a, b))
        }))
    }

    /// Values of leaves for which a comparison may hold either way, of sides of one leaf by the bounds of the other.
    pub fn possible(&mut self, condition: Condition) -> Vec<(Leaf, Vec<Cell>)> {
        let Formula::Comparison { relation, left, right, negated } = *self.says(condition) else {
            return Vec::new();
        };
        let mut possible = Vec::new();
        for (side, other, is_left) in [(left, right, true), (right, left, false)] {
            let (Leaves::One(leaf), true) = (self.leaves(side), self.is_plain(side)) else {
                continue;
            };
            let (Some((low, high)), Domain::Values(values)) =
                (self.bounds(other), self.domain(leaf).clone())
            else {
                continue;
            };
            let may = |value: i64| match (relation, negated, is_left) {
                (Relation::Less, false, true) => value < high,
                (Relation::Less, false, false) => low < value,
                (Relation::Less, true, true) => value >= low,
                (Relation::Less, true, false) => high >= value,
                (Relation::Equal, false, _) => (low..=high).contains(&value),
                (Relation::Equal, true, _) => low != high || value != low,
            };
            self.spend(1 + values.len() / 4);
            let mut left = Vec::with_capacity(values.len());
            for &value in &values {
                if self.value_at(side, value).is_ok_and(may) {
                    left.push(value);
                }
            }
            if left.len() < values.len() {
                possible.push((leaf, left));
            }
        }
        possible
    }

    /// The same way by way, if one of two numbers is a choice of few.
    pub(crate) fn compare_ways(
        &mut self,
        relation: Relation,
        [left, right]: [Term; 2],
    ) -> Option<Condition> {
        for (place, side) in [left, right].into_iter().enumerate() {
            let Shape::Choice(choices) = self.shape(side).clone() else { continue };
            if choices.len() > limits::COMPUTED {
                continue;
            }
            return self.any_way(&choices, |store, way| match place {
                0 => Some(store.compare(relation, way, right)),
                _ => Some(store.compare(relation, left, way)),
            });
        }
        None
    }

    /// Where one of some ways holds of which something does; `None` if that is not known of one of them.
    pub fn any_way(
        &mut self,
        ways: &[Guarded],
        mut holds: impl FnMut(&mut Store, Term) -> Option<Condition>,
    ) -> Option<Condition> {
        let mut some = Vec::with_capacity(ways.len());
        for &(condition, way) in ways {
            some.push((condition, holds(self, way)?));
        }
        // Exactly one way of a choice applies.
        if some.iter().all(|(_, holds)| *holds == Condition::ALWAYS) {
            return Some(Condition::ALWAYS);
        }
        let some: Vec<Condition> =
            some.into_iter().map(|(condition, holds)| self.both(condition, holds)).collect();
        Some(self.or(some))
    }

    /// The one leaf of two terms that are computed of it alone.
    pub(crate) fn only_leaf(&self, left: Term, right: Term) -> Option<Leaf> {
        if !self.is_plain(left) || !self.is_plain(right) {
            return None;
        }
        match (self.leaves(left), self.leaves(right)) {
            (Leaves::One(leaf), Leaves::None) | (Leaves::None, Leaves::One(leaf)) => Some(leaf),
            (Leaves::One(one), Leaves::One(other)) if one == other => Some(one),
            _ => None,
        }
    }

    /// That the value of a leaf, by its number in the domain, is one for which a test holds.
    pub(crate) fn where_value(
        &mut self,
        leaf: Leaf,
        mut test: impl FnMut(&mut Store, usize) -> bool,
    ) -> Condition {
        let Some(size) = self.domain(leaf).places() else { return Condition::NEVER };
        let members: Vec<usize> = (0..size).filter(|&place| test(self, place)).collect();
        // A value takes little.
        self.spend(1 + size / 8);
        let set = self.sets.of(size, members);
        self.literal(leaf, set)
    }

    /// The integer that a term is whose only leaf has this value.
    pub(crate) fn value_at(&mut self, term: Term, value: Cell) -> Result<i64, Obstacle> {
        match self.shape(term) {
            Shape::Constant(cell) => cell.as_int().ok_or(Obstacle::NotInteger),
            Shape::Leaf(_) => value.as_int().ok_or(Obstacle::NotInteger),
            Shape::Integer(operation, operands) => {
                // An integer may be an operand many times over.
                if let Some(&known) = self.values.get(&(term, value)) {
                    return known;
                }
                let (operation, operands) = (*operation, operands.clone());
                let found = match operation {
                    Operation::Round(rounding) => {
                        let of = self.float_at(operands[0], value);
                        of.and_then(|of| rounded(rounding, of))
                    }
                    _ => {
                        let values = operands.iter().map(|&of| self.value_at(of, value));
                        let values: Result<Vec<i64>, Obstacle> = values.collect();
                        values.and_then(|values| computed(operation, &values))
                    }
                };
                self.values.insert((term, value), found);
                found
            }
            _ => Err(Obstacle::NotInteger),
        }
    }
}
