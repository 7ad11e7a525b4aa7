//! Terms as shapes whose holes are values: names of moves and the states they lead to.

use super::{Lowering, Lowers};
use crate::code::{Hole, Leaf, Template};
use crate::merging::UNBOUND;
use crate::program::{Op, ValueId};
use zug_state::Word;
use zug_symbolic::{Shape, Term};
use zug_term::Cell;
use zug_term::symbol::atoms;

impl Lowering<'_, '_> {
    /// A term as a shape with holes.
    pub(super) fn template(&mut self, term: Term) -> Lowers<Template> {
        let mut leaves = Vec::new();
        self.unbound.clear();
        self.opaque.clear();
        let example = self.heap.push(Cell::ZERO);
        let mut waiting = vec![(term, example, false)];
        while let Some((term, to, tail)) = waiting.pop() {
            let hole = match self.store.shape(term).clone() {
                Shape::Pair(head, rest) => {
                    let at = self.heap.push(Cell::ZERO);
                    self.heap.push(Cell::ZERO);
                    self.heap.set(to, Cell::list(at));
                    waiting.push((rest, at + 1, true));
                    waiting.push((head, at, false));
                    continue;
                }
                Shape::Struct(header, parts) => {
                    let at = self.heap.push(header);
                    for _ in 0..parts.len() {
                        self.heap.push(Cell::ZERO);
                    }
                    self.heap.set(to, Cell::structure(at));
                    for (place, &part) in parts.iter().enumerate().rev() {
                        waiting.push((part, at + 1 + place, false));
                    }
                    continue;
                }
                Shape::Constant(Cell::NIL) if tail => {
                    self.heap.set(to, Cell::NIL);
                    continue;
                }
                Shape::Opaque(_) => {
                    self.opaque.push((leaves.len() as Leaf, term));
                    Hole::Word(Word::constant(0))
                }
                _ if tail && self.may_be(term, Cell::NIL) => {
                    return Err("a leaf ends a list".to_owned());
                }
                _ => self.hole(term)?,
            };
            self.heap.set(to, Cell::atom(atoms::TRUE));
            leaves.push(hole);
        }
        self.store.spend(leaves.len());
        self.go_on()?;
        let example = self.heap.at(example);
        let shape = self.words.shape(self.heap, example);
        let shape = shape.ok_or("there are too many shapes of states")?;
        Ok(Template { shape, leaves })
    }

    /// A scalar as a hole.
    pub(super) fn hole(&mut self, term: Term) -> Lowers<Hole> {
        Ok(match self.store.shape(term).clone() {
            Shape::Constant(cell) => Hole::Word(self.word(cell)?),
            Shape::Variable(_) | Shape::Leaf(_) | Shape::Choice(_) => {
                let mut unbound = std::mem::take(&mut self.unbound);
                self.unbound_in(term, &mut unbound)?;
                self.unbound = unbound;
                match *self.store.shape(term) {
                    Shape::Variable(_) => Hole::Word(Word::VAR),
                    Shape::Leaf(leaf) => Hole::Leaf(leaf.0 as Leaf),
                    _ => Hole::Value(self.scalar(term)?),
                }
            }
            Shape::Integer(..) => Hole::Temp(self.int(term)?),
            Shape::Boxed(_) => return Err("a text or a number that no word holds".to_owned()),
            _ => return Err("a list of unknown length".to_owned()),
        })
    }

    /// Collects the variables that a scalar may be, of which each stands in one place of a term.
    fn unbound_in(&self, term: Term, met: &mut Vec<Term>) -> Lowers<()> {
        let (mut waiting, mut own) = (vec![term], Vec::new());
        while let Some(term) = waiting.pop() {
            match self.store.shape(term) {
                Shape::Choice(ways) => waiting.extend(ways.iter().map(|&(_, way)| way)),
                Shape::Variable(_) | Shape::Leaf(_)
                    if self.may_be(term, UNBOUND) && !own.contains(&term) =>
                {
                    own.push(term);
                }
                _ => {}
            }
        }
        if own.iter().any(|one| met.contains(one)) {
            return Err("a variable stands in two places".to_owned());
        }
        met.extend(own);
        Ok(())
    }

    pub(super) fn may_be(&self, term: Term, value: Cell) -> bool {
        match self.store.shape(term) {
            Shape::Constant(cell) => *cell == value,
            Shape::Leaf(leaf) => self.store.domain(*leaf).has(value),
            Shape::Choice(ways) => ways.iter().any(|&(_, way)| self.may_be(way, value)),
            Shape::Variable(_) => true,
            _ => false,
        }
    }

    /// The word of a scalar.
    pub(super) fn scalar(&mut self, term: Term) -> Lowers<ValueId> {
        if let Some(word) = self.word_by_move(term)? {
            return Ok(word);
        }
        match self.store.shape(term).clone() {
            Shape::Constant(cell) => {
                let word = self.word(cell)?;
                Ok(self.program.value(Op::Word(word)))
            }
            Shape::Variable(_) => Ok(self.program.value(Op::Word(Word::VAR))),
            Shape::Leaf(leaf) => Ok(self.program.value(Op::Leaf(leaf.0 as Leaf))),
            Shape::Choice(ways) => self.chosen(&ways, &mut |this, term| this.scalar(term)),
            Shape::Integer(..) => {
                let value = self.int(term)?;
                let (low, high) = self.bounds_anywhere(value);
                let (low, high) = (low.max(1 - Word::HALF), high.min(Word::HALF - 1));
                Ok(self.program.word_within(value, low, high))
            }
            _ => Err("a part of a state is a structure in some states only".to_owned()),
        }
    }
}
