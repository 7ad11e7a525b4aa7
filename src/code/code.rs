//! What back ends run: a program over the leaves of a state, with its moves. Values that are computed lie
//! in *temporaries*.

use super::program::Program;
pub use super::program::{BlockId, Leaf, NOTHING, ValueId};
use super::target::Arg;
use std::sync::Arc;
use zug_machine::PredId;
use zug_state::{PackedState, Word};
use zug_term::symbol::Atom;

/// Where the leaves of a packed state lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// Bytes before them.
    pub before: usize,
    /// Words of eight bytes that every state takes; 0 if states have no common length.
    pub words: usize,
}

impl Layout {
    /// The layout of states of N leaves, each of one byte: their own, if states have no common length or these are
    /// longer; of no words, if they are too long for that.
    pub fn of_leaves(self, leaves: usize) -> Layout {
        let bytes = self.before + leaves;
        let words = match self.words {
            words if words > 0 && bytes <= 8 * words => words,
            _ if bytes <= zug_state::LARGEST_LIKE => bytes.div_ceil(8),
            _ => 0,
        };
        Layout { words, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_all_leaves_or_none() {
        for words in 0..6 {
            for leaves in 0..100 {
                let layout = Layout { before: 2, words }.of_leaves(leaves);
                let is_room = layout.words == 0 || layout.before + leaves <= 8 * layout.words;
                assert!(is_room, "{layout:?} for {leaves} leaves");
                assert!(words == 0 || 2 + leaves > 8 * words || layout.words == words);
            }
        }
    }
}

pub fn writes(leaves: &[Hole]) -> Vec<(Leaf, Hole)> {
    let all = leaves.iter().enumerate();
    all.filter(|&(i, hole)| *hole != Hole::Leaf(i as Leaf))
        .map(|(i, &hole)| (i as Leaf, hole))
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hole {
    Word(Word),
    Leaf(Leaf),
    Temp(ValueId),
    Value(ValueId),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    pub shape: u8,
    /// What its leaves are, in preorder.
    pub leaves: Vec<Hole>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cost {
    Fixed(zug_state::Number),
    Temp(ValueId),
    /// The float in a temporary, by its bits.
    Float(ValueId),
}

/// A move that compiled code answers.
#[derive(Clone, Debug)]
pub struct Move {
    pub name: Template,
    pub cost: Option<Cost>,
    pub to: Template,
    /// The leaves that change, if the shape is the same.
    pub writes: Option<Vec<(Leaf, Hole)>>,
    /// The call for whose answers the move stands: what it leads to is its input.
    pub call: Option<Box<Call>>,
}

impl Move {
    /// The values that it needs, ascending; where the state is made already, but for those of the state.
    pub fn needs(&self, is_made: bool) -> Box<[ValueId]> {
        let state = Some(&self.to).filter(|_| !is_made);
        let behind = self.call.iter().filter_map(|call| call.to.as_ref()).map(|(to, _)| to);
        let holes = [&self.name].into_iter().chain(state).chain(behind).flat_map(|of| &of.leaves);
        let values = holes.filter_map(|hole| match *hole {
            Hole::Temp(value) | Hole::Value(value) => Some(value),
            Hole::Word(_) | Hole::Leaf(_) => None,
        });
        let cost = match self.cost {
            Some(Cost::Temp(value) | Cost::Float(value)) => Some(value),
            _ => None,
        };
        let mut needs: Vec<ValueId> = values.chain(cost).collect();
        needs.sort_unstable();
        needs.dedup();
        needs.into()
    }
}

/// A call that is made for a move: each of its answers is one.
#[derive(Clone, Debug)]
pub struct Call {
    pub callee: Callee,
    /// Its number among the targets, once it has one.
    pub target: usize,
    /// How many outputs it has, and which of them is the state that it leads to.
    pub outputs: u8,
    pub state: u8,
    /// The leaves of the name in whose place outputs stand, with the numbers of these.
    pub name: Holes,
    /// The state that follows, if it is not just what the callee leads to.
    pub to: Option<(Template, Holes)>,
}

/// Leaves of a term in whose place outputs of a callee stand, with the numbers of these.
pub type Holes = Box<[(Leaf, u8)]>;

/// What is called: a predicate with arguments that never change, inputs and outputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Callee {
    pub pred: PredId,
    pub name: Atom,
    pub args: Vec<Arg>,
}

/// What was made of a predicate for states of a shape.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub program: Program,
    pub moves: Vec<Move>,
    pub leaves: usize,
    /// The value as a sum over the leaves, if it is no more than that.
    pub sum: Option<Arc<Sum>>,
}

/// A value that is a sum over tables of leaves, so that a move changes it by its leaves alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// By leaf and byte: what is added; [`Sum::UNKNOWN`] where the machine is to be asked.
    pub tables: Vec<[i32; 256]>,
}

impl Sum {
    /// What tables hold where the machine is to be asked.
    pub const UNKNOWN: i32 = i32::MIN;
}

impl Code {
    /// The value after a move of a narrow state whose leaves begin at `first`; `None` if it needs the whole state.
    #[inline(always)]
    pub fn value_after<S: PackedState>(
        &self,
        first: usize,
        before: &S,
        value: i64,
        after: &S,
    ) -> Option<i64> {
        let sum = self.sum.as_ref()?;
        if before.bytes().len() != first + self.leaves {
            return None;
        }
        let mut value = value;
        let told = before.each_difference(after, |at, old, new| {
            let Some(table) = at.checked_sub(first).and_then(|leaf| sum.tables.get(leaf)) else {
                return false;
            };
            let [old, new] = [old, new].map(|byte| table[usize::from(byte)]);
            let change = i64::from(new) - i64::from(old);
            let sum =
                value.checked_add(change).filter(|_| old != Sum::UNKNOWN && new != Sum::UNKNOWN);
            sum.map(|sum| value = sum).is_some()
        });
        told.then_some(value)
    }
}
