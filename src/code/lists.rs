//! Lists in the symbolic run.

use super::arithmetic::Value;
use super::builtins::{At, deopt};
use super::numbers::MOST_NUMBERS;
use super::ops::Op;
use super::residual::{Cond, kind};
use super::run::{Run, Step, Stop, Taken};
use super::terms::View;
use std::cmp::Ordering;
use zug_term::Cell;

/// The longest list that is walked.
const MOST_ITEMS: i64 = 1 << 14;

impl Run<'_> {
    pub fn length_of(&mut self, list: Cell) -> Taken<Cell> {
        if let View::Bag(bag) = self.view(list) {
            let count = self.count(bag);
            return Ok(self.value_cell(Value::Int(count)));
        }
        let length = self.known_list(list)?.len();
        Ok(Cell::small(length as i64))
    }

    pub fn length(&mut self, args: &[Cell], at: &At<'_>) -> Taken<Step> {
        let done = |()| Step::Next(at.next.clone());
        if let Some(wanted) = self.plain_int(args[1])? {
            let zero = self.residual.constant(0);
            if self.less(wanted, zero)? {
                return deopt("length/2 of a negative number");
            }
        }
        // A list that ends in a variable gets as many elements as are wanted.
        let mut items = 0;
        let mut rest = args[0];
        while let View::List(addr) = self.view(rest) {
            items += 1;
            rest = self.heap.at(addr + 1);
            if items > MOST_ITEMS {
                return deopt("the list is too long");
            }
        }
        if let View::Var(_) = self.view(rest) {
            if matches!(self.view(args[1]), View::Var(_)) {
                return deopt("length/2 of a list without end");
            }
            let length = self.known_int(args[1])?;
            if length < items {
                return Err(Stop::Fail);
            }
            if length - items > MOST_NUMBERS {
                return deopt("the list is too long");
            }
            let more: Vec<Cell> = (items..length).map(|_| self.heap.new_var()).collect();
            let list = self.heap.list_from(&more, Cell::NIL);
            return self.unify(rest, list).map(done);
        }
        let length = self.length_of(args[0])?;
        self.unify(args[1], length).map(done)
    }

    /// A list sorted, without duplicates or with; or in its order without duplicates.
    pub fn sorted(&mut self, op: Op, list: Cell) -> Taken<Cell> {
        let mut sorted: Vec<Cell> = Vec::new();
        'items: for item in self.known_list(list)? {
            let mut at = sorted.len();
            for i in (0..sorted.len()).rev() {
                match self.compare(sorted[i], item)? {
                    Ordering::Equal if op == Op::Msort => break,
                    Ordering::Equal => continue 'items,
                    Ordering::Less if op != Op::ListToSet => break,
                    _ => at = if op == Op::ListToSet { at } else { i },
                }
            }
            sorted.insert(at, item);
        }
        Ok(self.heap.list_from(&sorted, Cell::NIL))
    }

    pub fn is_list(&mut self, list: Cell) -> Taken<bool> {
        let mut rest = list;
        for _ in 0..MOST_ITEMS {
            match self.view(rest) {
                View::List(addr) => rest = self.heap.at(addr + 1),
                View::Const(cell) => return Ok(cell == Cell::NIL),
                View::Leaf(leaf) => {
                    let nil = self.words.word(Cell::NIL).expect("an atom has a word");
                    return self.ask(Cond::Is(leaf, nil));
                }
                View::Bag(_) => return Ok(true),
                _ => return Ok(false),
            }
        }
        deopt("the list is too long")
    }

    /// The elements of a proper list.
    pub fn known_list(&mut self, list: Cell) -> Taken<Vec<Cell>> {
        let mut items = Vec::new();
        let mut rest = list;
        loop {
            match self.view(rest) {
                View::List(addr) => {
                    items.push(self.heap.at(addr));
                    rest = self.heap.at(addr + 1);
                    if items.len() as i64 > MOST_ITEMS {
                        return deopt("the list is too long");
                    }
                }
                View::Const(cell) if cell == Cell::NIL => return Ok(items),
                View::Bag(bag) => rest = self.open(bag)?,
                View::Leaf(leaf) => {
                    let nil = self.words.word(Cell::NIL).expect("an atom has a word");
                    self.ask(Cond::Is(leaf, nil))?;
                    return deopt("a list is expected");
                }
                _ => return deopt("a list is expected"),
            }
        }
    }

    pub fn known_list_or_bag(&mut self, list: Cell) -> Taken<()> {
        self.known_list(list).map(|_| ())
    }

    /// Head and tail of a list that is not empty.
    pub fn tail(&mut self, list: Cell) -> Taken<(Cell, Cell)> {
        match self.view(list) {
            View::List(addr) => Ok((self.heap.at(addr), self.heap.at(addr + 1))),
            View::Bag(bag) => {
                let list = self.open(bag)?;
                self.tail(list)
            }
            View::Var(_) => deopt("a list without end"),
            View::Leaf(leaf) if self.ask(Cond::Kind(leaf, kind::VAR))? => {
                deopt("a list without end")
            }
            _ => Err(Stop::Fail),
        }
    }
}
