//! Built-ins on arguments that are known: the machine runs them.

use super::Evaluator;
use super::environment::Way;
use super::goals::Reader;
use crate::concrete::{Said, depends_on_arguments, said};
use zug_machine::PredId;
use zug_symbolic::{Leaves, Shape, Store, Term};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Record};

impl Evaluator<'_> {
    /// A built-in without a form of its own: by the machine, if it depends on nothing but arguments
    /// that are known. `None` if it is not for that.
    pub fn concrete(&mut self, pred: PredId, arguments: &[Term], way: &Way) -> Option<Vec<Way>> {
        if !depends_on_arguments(self.machine, pred) {
            return None;
        }
        let is_known = |&term: &Term| {
            let is_variable = matches!(self.store.shape(term), Shape::Variable(_));
            let is_plain = self.store.is_ground(term) && self.store.is_plain(term);
            is_variable || (is_plain && self.store.leaves(term) == Leaves::None)
        };
        if !arguments.iter().all(is_known) {
            return None;
        }
        let mut heap = Heap::new();
        let cells: Vec<Cell> =
            arguments.iter().map(|&term| in_heap(&self.store, &mut heap, term)).collect();
        let call = heap.new_struct(atoms::CALL, &cells);
        let record = Record::new(&mut heap, call);
        let answer = match said(self.machine, self.world, pred, &record) {
            Said::Yes(answer) => answer,
            Said::No => return Some(Vec::new()),
            Said::Nothing(why) => {
                self.give_back(way.condition, why);
                return Some(Vec::new());
            }
        };
        let (heap, root) = answer.to_heap();
        let answer = Reader::new(&heap).term(&mut self.store, root)?;
        if !self.store.is_ground(answer) {
            return None;
        }
        let Shape::Struct(_, values) = self.store.shape(answer).clone() else { return None };
        let mut ways = vec![way.clone()];
        for (&argument, &value) in arguments.iter().zip(&values) {
            ways = ways.into_iter().flat_map(|way| self.unify(argument, value, way)).collect();
        }
        Some(ways)
    }
}

/// A term without leaves, in a heap; each variable becomes a new one.
fn in_heap(store: &Store, heap: &mut Heap, term: Term) -> Cell {
    match store.shape(term) {
        Shape::Constant(cell) => *cell,
        Shape::Pair(..) => {
            let (mut items, mut rest) = (Vec::new(), term);
            while let Shape::Pair(head, tail) = store.shape(rest) {
                items.push(in_heap(store, heap, *head));
                rest = *tail;
            }
            let tail = in_heap(store, heap, rest);
            heap.list_from(&items, tail)
        }
        Shape::Struct(header, arguments) => {
            let arguments: Vec<Cell> =
                arguments.iter().map(|&argument| in_heap(store, heap, argument)).collect();
            heap.new_struct(header.functor_name(), &arguments)
        }
        _ => heap.new_var(),
    }
}
