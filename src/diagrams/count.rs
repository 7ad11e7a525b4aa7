//! How many states a diagram has, and some of them.

use super::NoDiagrams;
use super::bits::{Bits, When};
use super::conditions::Maker;
use super::store::{Diagram, Full, Store};
use oxidd::util::Borrowed;
use oxidd::{Edge, Function, HasLevel, InnerNode, Manager, Node};
use rustc_hash::FxHashMap;
use zug_derived::{Leaf, Value};

/// The number of states; an error if 128 bits do not hold it.
pub fn states(set: &Diagram, store: &Store, bits: &Bits) -> Result<u128, NoDiagrams> {
    set.with_manager_shared(|manager, edge| {
        let always = store.always.as_edge(manager);
        let counting = &mut Counting { manager, always, bits, known: FxHashMap::default() };
        let counted = counting.from(edge.borrowed()).and_then(|(count, bit)| scaled(count, bit));
        counted.ok_or(NoDiagrams::Count)
    })
}

/// So many, each for all values of so many bits.
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
    /// The number of states by the bits from the one of a node on, and that bit. Variables of what is after a move are in
    /// no set of states.
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
pub fn some(maker: &mut Maker<'_>, set: &Diagram, most: usize) -> Result<Vec<Vec<Value>>, Full> {
    let mut order: Vec<usize> = (0..maker.bits.places.len()).collect();
    order.sort_by_key(|&leaf| maker.bits.places[leaf].first);
    let mut found = Vec::new();
    // What is left to look at, and the values of the first leaves of the order.
    let mut waiting = vec![(set.clone(), Vec::new())];
    while let Some((set, values)) = waiting.pop() {
        if set == maker.store.never {
            continue;
        }
        let Some(&leaf) = order.get(values.len()) else {
            let mut state = vec![0; order.len()];
            order.iter().zip(&values).for_each(|(&leaf, &value)| state[leaf] = value);
            found.push(state);
            if found.len() == most {
                break;
            }
            continue;
        };
        for value in maker.bits.places[leaf].values.iter().rev() {
            let is = maker.is(leaf as Leaf, *value, When::Before)?;
            let next = maker.store.and(&is, &set)?;
            waiting.push((next, [&values[..], &[*value]].concat()));
        }
    }
    Ok(found)
}
