//! Which bits say what a leaf is: as many as its values need, by their places in its domain.
//!
//! Each bit has two variables, one behind the other: what it is, and what it is after a move, which only
//! relations of moves ask for.

use super::NoDiagrams;
use super::store::{Diagram, Stop, Store};
use std::collections::HashMap;
use zug_derived::{Leaf, Value, Values};

/// The most bits of a state: operations recurse as deep.
const MOST_BITS: usize = 2000;

/// The bits of a leaf.
#[derive(Clone, Debug)]
pub struct Place {
    /// The values, by the number that the bits are.
    pub values: Vec<Value>,
    /// The first bit, the lowest.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

#[derive(Clone, Debug)]
pub struct Bits {
    /// By leaf.
    pub places: Vec<Place>,
    /// How many bits a state has.
    pub count: u32,
}

/// Whether what a leaf is before a move is meant, or after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum When {
    Before,
    After,
}

impl When {
    pub fn variable(self, bit: u32) -> u32 {
        2 * bit + u32::from(self == When::After)
    }
}

impl Bits {
    pub fn new(domains: &[Values], order: &[Leaf]) -> Result<Bits, NoDiagrams> {
        let empty = Place { values: Vec::new(), first: 0, count: 0 };
        let (mut places, mut next) = (vec![empty; domains.len()], 0);
        for &leaf in order {
            let values: Vec<Value> = domains[usize::from(leaf)].iter().collect();
            if values.is_empty() {
                return Err(NoDiagrams::Leaf(usize::from(leaf)));
            }
            let count = usize::BITS - (values.len() - 1).leading_zeros();
            places[usize::from(leaf)] = Place { values, first: next, count };
            next += count;
        }
        match next as usize {
            bits if bits > MOST_BITS => Err(NoDiagrams::Bits(bits)),
            _ => Ok(Bits { places, count: next }),
        }
    }

    pub fn variables(&self) -> u32 {
        2 * self.count
    }
}

/// What leaves are, as diagrams.
pub struct Literals {
    known: HashMap<(Leaf, Value, When), Diagram>,
}

impl Literals {
    pub fn new() -> Literals {
        Literals { known: HashMap::new() }
    }

    /// That a leaf has a value; never, if it is none of its own.
    pub fn is(
        &mut self,
        (store, bits): (&Store<'_>, &Bits),
        leaf: Leaf,
        value: Value,
        when: When,
    ) -> Result<Diagram, Stop> {
        if let Some(known) = self.known.get(&(leaf, value, when)) {
            return Ok(known.clone());
        }
        let place = &bits.places[usize::from(leaf)];
        let is = match place.values.iter().position(|&other| other == value) {
            None => store.never.clone(),
            Some(number) => {
                let literal = |bit: u32| {
                    let variable = when.variable(place.first + bit);
                    store.literal(variable, number >> bit & 1 != 0).clone()
                };
                store.all((0..place.count).map(literal).collect())?
            }
        };
        self.known.insert((leaf, value, when), is.clone());
        Ok(is)
    }

    /// That a leaf has one of these values.
    pub fn is_in(
        &mut self,
        with: (&Store<'_>, &Bits),
        leaf: Leaf,
        values: &Values,
    ) -> Result<Diagram, Stop> {
        let all = values.iter().map(|value| self.is(with, leaf, value, When::Before));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        with.0.any(all)
    }
}
