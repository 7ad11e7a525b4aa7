//! Conditions in a form that does not depend on how they were come by: the union of the largest cubes in which
//! they hold.
//!
//! A *cube* is a set of values for each leaf. The largest ones in which a condition holds are its prime
//! implicants, and their union is one form for all ways to write the condition (A. Blake, *Canonical
//! Expressions in Boolean Algebra*, 1937): rules that try one line after the other, each where those before it
//! fail, come to the same as rules that try them in another order. Those of a conjunction are intersections of
//! those of its parts; those of a disjunction are found by consensus (W. V. Quine, *A Way to Simplify Truth
//! Functions*, American Mathematical Monthly 62, 1955).

use crate::operators::{Condition, ConditionId, Leaf, Operators, Value, Values};
use std::collections::HashMap;
use std::rc::Rc;

/// The most cubes of a condition.
const MOST: usize = 300;

/// By leaf, ascending, the places in its domain of the values that it may have; all where none is said.
type Cube = Vec<(Leaf, u64)>;

/// Tells conditions as unions of cubes.
pub(super) struct Cubes<'p> {
    operators: &'p Operators,
    known: HashMap<ConditionId, Option<Rc<Vec<Cube>>>>,
    /// Conditions that are copied already, and their copies.
    copies: HashMap<ConditionId, ConditionId>,
    /// Comparisons of cubes that may still be made.
    steps: u64,
}

impl<'p> Cubes<'p> {
    pub fn new(operators: &'p Operators, steps: u64) -> Cubes<'p> {
        Cubes { operators, known: HashMap::new(), copies: HashMap::new(), steps }
    }

    /// The same condition among others over the same leaves, always the same others: told by its cubes, or as it is if
    /// these are many.
    pub fn copied(&mut self, condition: ConditionId, to: &mut Operators) -> ConditionId {
        if let Some(&copy) = self.copies.get(&condition) {
            return copy;
        }
        let copy = self.new_copy(condition, to);
        self.copies.insert(condition, copy);
        copy
    }

    fn new_copy(&mut self, condition: ConditionId, to: &mut Operators) -> ConditionId {
        if let Some(cubes) = self.of(condition) {
            let each = cubes.iter().map(|cube| {
                let parts = cube.iter().map(|&(leaf, mask)| {
                    let values = self.values(leaf, mask);
                    to.condition(Condition::In(leaf, values))
                });
                let parts: Vec<ConditionId> = parts.collect();
                to.all(parts)
            });
            let each: Vec<ConditionId> = each.collect();
            return to.any(each);
        }
        let of = self.operators;
        let mut parts = |parts: &[ConditionId], to: &mut Operators| -> Vec<ConditionId> {
            parts.iter().map(|&part| self.copied(part, to)).collect()
        };
        match &of.conditions[condition as usize] {
            Condition::All(all) => {
                let all = parts(all, to);
                to.all(all)
            }
            Condition::Any(all) => {
                let all = parts(all, to);
                to.any(all)
            }
            other => to.condition(other.clone()),
        }
    }

    fn values(&self, leaf: Leaf, mask: u64) -> Values {
        let all = self.operators.domains[usize::from(leaf)].iter().enumerate();
        all.filter(|(place, _)| mask >> place & 1 != 0).map(|(_, value)| value).collect()
    }

    /// The places of some values; `None` if there are more than a word has bits.
    fn mask(&self, leaf: Leaf, has: impl Fn(Value) -> bool) -> Option<u64> {
        let domain = &self.operators.domains[usize::from(leaf)];
        let places = domain.iter().enumerate().filter(|(_, value)| has(*value));
        (domain.len() <= 64).then(|| places.fold(0, |mask, (place, _)| mask | 1 << place))
    }

    fn full(&self, leaf: Leaf) -> u64 {
        u64::MAX >> (64 - self.operators.domains[usize::from(leaf)].len().clamp(1, 64))
    }

    /// The largest cubes of a condition; `None` if they are many.
    fn of(&mut self, condition: ConditionId) -> Option<Rc<Vec<Cube>>> {
        if let Some(known) = self.known.get(&condition) {
            return known.clone();
        }
        let found = self.found(condition).map(Rc::new);
        self.known.insert(condition, found.clone());
        found
    }

    fn found(&mut self, condition: ConditionId) -> Option<Vec<Cube>> {
        let operators = self.operators;
        match &operators.conditions[condition as usize] {
            Condition::Unknown => None,
            Condition::In(leaf, values) => {
                let mask = self.mask(*leaf, |value| values.has(value))?;
                Some(match mask {
                    0 => Vec::new(),
                    all if all == self.full(*leaf) => vec![Vec::new()],
                    mask => vec![vec![(*leaf, mask)]],
                })
            }
            Condition::Table(table) => {
                let mut cubes = Vec::new();
                for (values, _) in table.each(&operators.domains).filter(|(_, holds)| **holds) {
                    let mut cube = Cube::new();
                    for (&leaf, value) in table.leaves.iter().zip(values) {
                        cube.push((leaf, self.mask(leaf, |other| other == value)?));
                    }
                    cube.sort_unstable();
                    cube.retain(|&(leaf, mask)| mask != self.full(leaf));
                    cubes.push(cube);
                    if cubes.len() > MOST {
                        return None;
                    }
                }
                self.closed(cubes)
            }
            Condition::All(parts) => {
                let mut all = vec![Cube::new()];
                for &part in parts {
                    let cubes = self.of(part)?;
                    let mut both = Vec::new();
                    for one in &all {
                        for other in cubes.iter() {
                            if let Some(cube) = common(one, other) {
                                self.add(&mut both, cube)?;
                            }
                        }
                    }
                    all = both;
                }
                Some(all)
            }
            Condition::Any(parts) => {
                let mut cubes = Vec::new();
                for &part in parts {
                    cubes.extend(self.of(part)?.iter().cloned());
                }
                self.closed(cubes)
            }
        }
    }

    /// Adds a cube, unless it lies in another one; those that lie in it are left out.
    fn add(&mut self, cubes: &mut Vec<Cube>, cube: Cube) -> Option<bool> {
        self.steps = self.steps.checked_sub(2 * cubes.len() as u64 + 1)?;
        if cubes.iter().any(|other| is_within(&cube, other)) {
            return Some(false);
        }
        cubes.retain(|other| !is_within(other, &cube));
        cubes.push(cube);
        (cubes.len() <= MOST).then_some(true)
    }

    /// The largest cubes of a union.
    fn closed(&mut self, cubes: Vec<Cube>) -> Option<Vec<Cube>> {
        let mut all = Vec::with_capacity(cubes.len());
        let mut waiting = cubes;
        while let Some(cube) = waiting.pop() {
            if !self.add(&mut all, cube.clone())? {
                continue;
            }
            self.steps = self.steps.checked_sub(all.len() as u64)?;
            for other in &all {
                waiting.extend(self.consensus(&cube, other));
            }
            if waiting.len() > 40 * MOST {
                return None;
            }
        }
        Some(all)
    }

    /// The cubes that lie in the union of two, and in none of them, as large as they can be: for each leaf that
    /// may be more in the one or in the other, both of that.
    fn consensus(&self, one: &Cube, other: &Cube) -> Vec<Cube> {
        // Leaves at which they exclude each other: the consensus can only be at one of them.
        let apart: Vec<Leaf> = leaves(one, other)
            .filter(|&leaf| self.at(one, leaf) & self.at(other, leaf) == 0)
            .collect();
        let at: Vec<Leaf> = match apart[..] {
            [] => leaves(one, other).collect(),
            [only] => vec![only],
            _ => return Vec::new(),
        };
        let mut found = Vec::new();
        for leaf in at {
            let (a, b) = (self.at(one, leaf), self.at(other, leaf));
            if a & !b == 0 || b & !a == 0 {
                continue;
            }
            let mut cube = Cube::with_capacity(one.len() + other.len());
            for of in leaves(one, other) {
                let (a, b) = (self.at(one, of), self.at(other, of));
                let mask = if of == leaf { a | b } else { a & b };
                if mask != self.full(of) {
                    cube.push((of, mask));
                }
            }
            found.push(cube);
        }
        found
    }

    fn at(&self, cube: &Cube, leaf: Leaf) -> u64 {
        let place = cube.binary_search_by_key(&leaf, |&(leaf, _)| leaf);
        place.map_or_else(|_| self.full(leaf), |place| cube[place].1)
    }
}

/// The leaves of two cubes, ascending.
fn leaves<'c>(one: &'c Cube, other: &'c Cube) -> impl Iterator<Item = Leaf> + use<'c> {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    std::iter::from_fn(move || {
        let least = match (one.peek(), other.peek()) {
            (Some(a), Some(b)) => a.0.min(b.0),
            (Some(a), None) => a.0,
            (None, Some(b)) => b.0,
            (None, None) => return None,
        };
        one.next_if(|(leaf, _)| *leaf == least);
        other.next_if(|(leaf, _)| *leaf == least);
        Some(least)
    })
}

/// What lies in both; nothing if that is empty.
fn common(one: &Cube, other: &Cube) -> Option<Cube> {
    let mut cube = Cube::with_capacity(one.len() + other.len());
    let (mut a, mut b) = (0, 0);
    while a < one.len() || b < other.len() {
        let next = match (one.get(a), other.get(b)) {
            (Some(x), Some(y)) if x.0 == y.0 => {
                (a, b) = (a + 1, b + 1);
                (x.0, x.1 & y.1)
            }
            (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => {
                a += 1;
                *x
            }
            (_, Some(y)) => {
                b += 1;
                *y
            }
            _ => break,
        };
        if next.1 == 0 {
            return None;
        }
        cube.push(next);
    }
    Some(cube)
}

/// Whether one cube lies in another.
fn is_within(one: &Cube, other: &Cube) -> bool {
    let mut of = one.iter();
    other.iter().all(|&(leaf, mask)| {
        of.find(|(own, _)| *own >= leaf)
            .is_some_and(|&(own, own_mask)| own == leaf && own_mask & !mask == 0)
    })
}
