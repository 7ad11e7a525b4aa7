//! From terms at the end of a path to what an answer says.

use super::arithmetic::Value;
use super::residual::{Amount, Answer, Built, Cond, Source, kind};
use super::run::{Run, Stop, Taken};
use super::terms::View;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// The most leaves of a state.
pub const MOST_LEAVES: usize = 1 << 10;
/// The most cells of a term that is copied.
const MOST_COPIED: usize = 1 << 14;

/// What a copy does with variables.
struct Renaming {
    /// Variables of the rules and leaves met, with their copies.
    vars: Vec<(View, Cell)>,
    cells: usize,
}

impl Run<'_> {
    /// A number that an answer gives.
    pub fn amount(&mut self, cell: Cell) -> Taken<Amount> {
        match self.eval(cell)? {
            Value::Int(expr) => Ok(Amount::Expr(expr)),
            Value::Other(cell) => match self.heap.value(cell) {
                zug_term::Value::Float(value) if value.is_finite() => {
                    Ok(Amount::Float(value.to_bits()))
                }
                _ => Err(Stop::Deopt("the number is no small integer".to_owned(), false)),
            },
        }
    }

    /// A term with its leaves as holes.
    pub fn built(&mut self, cell: Cell) -> Taken<Built> {
        let deopt = |what: &str| Stop::Deopt(what.to_owned(), false);
        let example = self.heap.push(Cell::ZERO);
        let mut leaves = Vec::new();
        let mut unbound = Vec::new();
        let mut todo = vec![(cell, example, false)];
        let mut nodes = 0;
        while let Some((cell, to, tail)) = todo.pop() {
            nodes += 1;
            if leaves.len() > MOST_LEAVES || nodes > 8 * MOST_LEAVES {
                return Err(deopt("the state has too many leaves"));
            }
            let view = self.view(cell);
            let source = match view {
                View::List(addr) => {
                    let [head, rest] = [0, 1].map(|i| self.heap.at(addr + i));
                    let at = self.heap.push(Cell::ZERO);
                    self.heap.push(Cell::ZERO);
                    self.heap.set(to, Cell::list(at));
                    todo.push((rest, at + 1, true));
                    todo.push((head, at, false));
                    continue;
                }
                View::Struct(header, args) => {
                    let arity = header.functor_arity();
                    let at = self.heap.push(header);
                    for _ in 0..arity {
                        self.heap.push(Cell::ZERO);
                    }
                    self.heap.set(to, Cell::structure(at));
                    for i in (0..arity).rev() {
                        todo.push((self.heap.at(args + i), at + 1 + i, false));
                    }
                    continue;
                }
                View::Bag(bag) => {
                    let list = self.open(bag)?;
                    todo.push((list, to, tail));
                    continue;
                }
                View::Const(c) if tail && c == Cell::NIL => {
                    self.heap.set(to, c);
                    continue;
                }
                View::Const(c) => match self.words.word(c) {
                    Some(word) => Source::Word(word),
                    None => return Err(deopt("a leaf is a float, a string or a large integer")),
                },
                View::Leaf(leaf) => {
                    let nil = self.words.word(Cell::NIL).expect("an atom has a word");
                    if tail && self.ask(Cond::Is(leaf, nil))? {
                        return Err(deopt("a leaf ends a list"));
                    }
                    // PERF: states may have hundreds of leaves, of which few are unbound.
                    if self.known.leaf(leaf).kinds & kind::VAR != 0 {
                        if unbound.contains(&view) && self.ask(Cond::Kind(leaf, kind::VAR))? {
                            return Err(deopt("a variable stands in two places"));
                        }
                        unbound.push(view);
                    }
                    Source::Leaf(leaf)
                }
                View::Expr(expr) => Source::Expr(expr),
                View::Var(_) => {
                    if unbound.contains(&view) {
                        return Err(deopt("a variable stands in two places"));
                    }
                    unbound.push(view);
                    Source::Fresh
                }
            };
            self.heap.set(to, Cell::atom(atoms::TRUE));
            leaves.push(source);
        }
        let example = self.heap.at(example);
        let shape = self.words.shape(&mut self.heap, example);
        let shape = shape.ok_or_else(|| deopt("there are too many shapes of states"))?;
        Ok(Built { shape, leaves: leaves.into() })
    }

    /// An element of a list of answers.
    pub fn item(&mut self, template: Cell) -> Taken<Answer> {
        let mut renaming = Renaming { vars: Vec::new(), cells: 0 };
        let term = match self.renamed(template, &mut renaming, 0) {
            Ok(copy) => Some(Record::new(&mut self.heap, copy)),
            // A leaf that may be unbound would have to be renamed if it is.
            Err(Stop::Need(Cond::Kind(_, kind::VAR))) => None,
            Err(stop) => return Err(stop),
        };
        let mut copy = 0;
        if term.is_some() && !renaming.vars.is_empty() {
            self.copies += 1;
            copy = self.copies;
        }
        Ok(Answer::Item { term, value: None, copy })
    }

    /// A copy of a term with variables of its own.
    pub fn copy(&mut self, cell: Cell) -> Taken<Cell> {
        self.renamed(cell, &mut Renaming { vars: Vec::new(), cells: 0 }, 0)
    }

    fn renamed(&mut self, cell: Cell, renaming: &mut Renaming, depth: usize) -> Taken<Cell> {
        renaming.cells += 1;
        if renaming.cells > MOST_COPIED || depth > 200 {
            return Err(Stop::Deopt("the term to be copied is too large".to_owned(), false));
        }
        let view = self.view(cell);
        Ok(match view {
            View::Const(cell) => cell,
            View::Expr(_) => self.heap.deref(cell),
            View::Bag(bag) => {
                let list = self.open(bag)?;
                self.renamed(list, renaming, depth)?
            }
            View::Leaf(leaf) if !self.ask(Cond::Kind(leaf, kind::VAR))? => {
                super::terms::leaf_cell(&mut self.heap, leaf)
            }
            View::Leaf(_) | View::Var(_) => {
                match renaming.vars.iter().find(|(known, _)| *known == view) {
                    Some(&(_, copy)) => copy,
                    None => {
                        let copy = self.heap.new_var();
                        renaming.vars.push((view, copy));
                        copy
                    }
                }
            }
            View::List(_) => self.renamed_list(cell, renaming, depth)?,
            View::Struct(header, args) => {
                let mut copies = Vec::new();
                for i in 0..header.functor_arity() {
                    copies.push(self.renamed(self.heap.at(args + i), renaming, depth + 1)?);
                }
                self.heap.new_struct(header.functor_name(), &copies)
            }
        })
    }

    /// Lists are long, and copied without recursion along them.
    fn renamed_list(&mut self, cell: Cell, renaming: &mut Renaming, depth: usize) -> Taken<Cell> {
        let mut items = Vec::new();
        let mut rest = cell;
        while let View::List(addr) = self.view(rest) {
            items.push(self.renamed(self.heap.at(addr), renaming, depth + 1)?);
            rest = self.heap.at(addr + 1);
        }
        let tail = self.renamed(rest, renaming, depth + 1)?;
        Ok(self.heap.list_from(&items, tail))
    }
}
