//! Copies of what may be unbound: a variable of its own where a leaf is unbound, and the leaf elsewhere.
//!
//! In a state, which is packed without the names of its variables, that is the leaf itself.

use super::Lowering;
use crate::merging::UNBOUND;
use rustc_hash::{FxHashMap, FxHashSet};
use zug_symbolic::{Condition, Leaf, Shape, Term, Variable};

impl Lowering<'_, '_> {
    /// A state that a move leads to where a condition holds, with leaves in the place of their copies.
    pub(super) fn without_copies(&mut self, state: Term, condition: Condition) -> Term {
        let (mut copies, mut elsewhere) = (FxHashMap::default(), FxHashSet::default());
        let (mut waiting, mut visited) = (vec![state], FxHashSet::default());
        while let Some(term) = waiting.pop() {
            if self.store.is_plain(term) && self.store.is_ground(term) || !visited.insert(term) {
                continue;
            }
            if let Some((variable, leaf)) = self.copy(term) {
                copies.insert(term, (variable, leaf));
                continue;
            }
            match self.store.shape(term) {
                Shape::Variable(variable) => {
                    elsewhere.insert(*variable);
                }
                Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
                Shape::Struct(_, parts) => waiting.extend(parts.iter()),
                Shape::Choice(ways) | Shape::Present(ways) => {
                    waiting.extend(ways.iter().map(|&(_, way)| way));
                }
                _ => {}
            }
        }
        self.store.spend(visited.len());
        // A variable that stands alone as well, or in the copies of two leaves, is shared.
        let mut leaf_of: FxHashMap<Variable, Leaf> = FxHashMap::default();
        for &(variable, leaf) in copies.values() {
            if *leaf_of.entry(variable).or_insert(leaf) != leaf {
                elsewhere.insert(variable);
            }
        }
        copies.retain(|_, (variable, _)| !elsewhere.contains(variable));
        if copies.is_empty() {
            return state;
        }
        let leaves: FxHashMap<Term, Leaf> =
            copies.into_iter().map(|(term, (_, leaf))| (term, leaf)).collect();
        let state = self.with_leaves(state, &leaves);
        self.settled(state, condition)
    }

    fn copy(&mut self, term: Term) -> Option<(Variable, Leaf)> {
        let Shape::Choice(ways) = self.store.shape(term) else { return None };
        let [one, other] = ways[..] else { return None };
        for [(unbound, variable), (_, leaf)] in [[one, other], [other, one]] {
            if let (&Shape::Variable(variable), &Shape::Leaf(leaf)) =
                (self.store.shape(variable), self.store.shape(leaf))
                && self.store.is_value(leaf, UNBOUND) == unbound
            {
                return Some((variable, leaf));
            }
        }
        None
    }

    fn with_leaves(&mut self, term: Term, leaves: &FxHashMap<Term, Leaf>) -> Term {
        let (mut items, mut rest) = (Vec::new(), term);
        let tail = loop {
            if let Some(&leaf) = leaves.get(&rest) {
                break self.store.leaf(leaf);
            }
            match self.store.shape(rest).clone() {
                Shape::Pair(head, tail) => {
                    items.push(self.with_leaves(head, leaves));
                    rest = tail;
                }
                Shape::Struct(header, parts) => {
                    let parts: Vec<Term> =
                        parts.iter().map(|&part| self.with_leaves(part, leaves)).collect();
                    break self.store.structure(header, parts);
                }
                _ => break rest,
            }
        };
        self.store.list(&items, tail)
    }
}
