//! How many states a diagram has, and some of them.

use super::NoDiagrams;
use super::bits::{Bits, Place};
use super::store::{Diagram, Store};
use oxidd::util::Borrowed;
use oxidd::{Edge, Function, HasLevel, InnerNode, Manager, Node};
use rustc_hash::FxHashMap;
use zug_derived::Value;

/// The number of states; an error if 128 bits do not hold it.
pub fn states(set: &Diagram, store: &Store<'_>, bits: &Bits) -> Result<u128, NoDiagrams> {
    set.with_manager_shared(|manager, edge| {
        let always = store.always.as_edge(manager);
        let counting = &mut Counting { manager, always, bits, known: FxHashMap::default() };
        let counted = counting.from(edge.borrowed()).and_then(|(count, bit)| scaled(count, bit));
        counted.ok_or(NoDiagrams::Count)
    })
}

fn scaled(count: u128, bits: u32) -> Option<u128> {
    if count == 0 { Some(0) } else { count.checked_mul(1u128.checked_shl(bits)?) }
}

struct Counting<'m, M: Manager> {
    manager: &'m M,
    always: &'m M::Edge,
    bits: &'m Bits,
    known: FxHashMap<usize, u128>,
}

impl<M: Manager> Counting<'_, M>
where
    M::InnerNode: HasLevel,
{
    /// The number of states by the bits from the one of a node on, and that bit. Variables of what is after a
    /// move are in no set of states.
    fn from(&mut self, edge: Borrowed<'_, M::Edge>) -> Option<(u128, u32)> {
        let node = match self.manager.get_node(&edge) {
            Node::Inner(node) => node,
            Node::Terminal(_) => return Some((u128::from(*edge == *self.always), self.bits.count)),
        };
        let bit = node.level() / 2;
        if let Some(&count) = self.known.get(&edge.node_id()) {
            return Some((count, bit));
        }
        let mut count: u128 = 0;
        for child in node.children() {
            let (below, next) = self.from(child)?;
            count = count.checked_add(scaled(below, next - bit - 1)?)?;
        }
        self.known.insert(edge.node_id(), count);
        Some((count, bit))
    }
}

/// Some states of a set, as the values of leaves: those that have the lowest bits.
pub fn some(set: &Diagram, store: &Store<'_>, bits: &Bits, most: usize) -> Vec<Vec<Value>> {
    set.with_manager_shared(|manager, edge| {
        let always = store.always.as_edge(manager);
        let found = Vec::new();
        let mut walk = Walk { manager, always, bits, is: vec![false; bits.count as usize], found };
        walk.from(edge.borrowed(), 0, most);
        walk.found
    })
}

struct Walk<'m, M: Manager> {
    manager: &'m M,
    always: &'m M::Edge,
    bits: &'m Bits,
    /// What the bits are so far.
    is: Vec<bool>,
    found: Vec<Vec<Value>>,
}

impl<M: Manager> Walk<'_, M>
where
    M::InnerNode: HasLevel,
{
    /// Finds states by the bits from this one on.
    fn from(&mut self, edge: Borrowed<'_, M::Edge>, bit: u32, most: usize) {
        if self.found.len() >= most {
            return;
        }
        let node = match self.manager.get_node(&edge) {
            Node::Inner(node) => Some(node),
            Node::Terminal(_) if *edge != *self.always => return,
            Node::Terminal(_) => None,
        };
        if bit == self.bits.count {
            self.found.push(self.state());
            return;
        }
        for is in [false, true] {
            self.is[bit as usize] = is;
            match node {
                // The first child is what follows where the bit is set.
                Some(node) if node.level() / 2 == bit => {
                    self.from(node.child(usize::from(!is)), bit + 1, most);
                }
                _ => self.from(edge.borrowed(), bit + 1, most),
            }
        }
    }

    fn state(&self) -> Vec<Value> {
        let value = |place: &Place| {
            let bits = (0..place.count).rev().map(|bit| self.is[(place.first + bit) as usize]);
            let number = bits.fold(0, |number, is| 2 * number + usize::from(is));
            place.values.get(number).copied().unwrap_or_default()
        };
        self.bits.places.iter().map(value).collect()
    }
}
