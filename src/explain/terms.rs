//! Terms of an explanation: unification that says where two terms clash, and terms as text.

use std::fmt;
use std::sync::Arc;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_syntax::Operators;
use zug_syntax::printer::{WriteOptions, write_term};
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap, is_variant, structural_eq};

/// Characters shown of a term.
const LONGEST: usize = 72;
/// Depth to which a term is shown.
const DEEPEST: usize = 24;
/// Variables that are looked for among the names.
const NAMED: usize = 200;
/// Clashes looked for in one argument.
const MOST_CLASHES: usize = 64;

/// A heap with a trail of all bindings, so that any of them can be undone.
#[derive(Default)]
pub struct Store {
    pub heap: Heap,
    trail: Vec<usize>,
}

/// A moment of a [`Store`] to go back to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    heap: usize,
    trail: usize,
}

impl Store {
    pub fn mark(&self) -> Mark {
        Mark { heap: self.heap.top(), trail: self.trail.len() }
    }

    /// Undoes all that was bound and built since.
    pub fn undo(&mut self, mark: Mark) {
        self.undo_bindings(mark);
        self.heap.cells.truncate(mark.heap);
    }

    /// Undoes all that was bound since.
    pub fn undo_bindings(&mut self, mark: Mark) {
        for addr in self.trail.drain(mark.trail..) {
            if addr < self.heap.cells.len() {
                self.heap.cells[addr] = Cell::reference(addr);
            }
        }
    }

    fn bind(&mut self, variable: Cell, value: Cell) {
        self.heap.set(variable.addr(), value);
        self.trail.push(variable.addr());
    }

    /// Unifies two terms; on failure bindings made so far stay for the caller to undo.
    pub fn unify(&mut self, a: Cell, b: Cell) -> bool {
        self.unify_all(a, b, |_, _, _, _| false)
    }

    /// Unifies what can be unified; `clash` is told of parts that can't, with the way to
    /// them as argument numbers, and says whether to go on.
    fn unify_all(
        &mut self,
        a: Cell,
        b: Cell,
        mut clash: impl FnMut(&Heap, &[u32], Cell, Cell) -> bool,
    ) -> bool {
        // Pairs of argument runs: addresses, next and last argument.
        let mut todo: Vec<(usize, usize, u32, u32)> = Vec::new();
        let mut path: Vec<u32> = Vec::new();
        let mut same = true;
        // What unifies a cyclic term with another: steps beyond which nothing is new.
        let mut steps = 0usize;
        let (mut a, mut b) = (a, b);
        loop {
            (a, b) = (self.heap.deref(a), self.heap.deref(b));
            steps += 1;
            if a == b || steps > 4 * self.heap.top() + 1024 {
            } else if a.is_var() {
                if b.is_var() && b.addr() > a.addr() { self.bind(b, a) } else { self.bind(a, b) }
            } else if b.is_var() {
                self.bind(b, a);
            } else {
                match (self.heap.name_arity(a), self.heap.name_arity(b)) {
                    (Some((n, k, x)), Some((m, l, y))) if n == m && k == l && k > 0 => {
                        todo.push((x, y, 0, k as u32));
                        path.push(0);
                    }
                    _ if a.is_boxed() && b.is_boxed() && structural_eq(&self.heap, a, b) => {}
                    _ => {
                        same = false;
                        if !clash(&self.heap, &path, a, b) {
                            return false;
                        }
                    }
                }
            }
            loop {
                let Some((x, y, next, last)) = todo.last_mut() else { return same };
                if *next < *last {
                    (a, b) = (self.heap.at(*x + *next as usize), self.heap.at(*y + *next as usize));
                    *next += 1;
                    *path.last_mut().expect("as long as the stack") = *next;
                    break;
                }
                todo.pop();
                path.pop();
            }
        }
    }

    /// Where two terms clash, all places up to a bound; every binding is undone.
    pub fn clashes(&mut self, a: Cell, b: Cell) -> Vec<Clash> {
        let mark = self.mark();
        let mut found: Vec<Clash> = Vec::new();
        self.unify_all(a, b, |_, path, left, right| {
            found.push(Clash { path: path.to_vec(), left, right });
            found.len() < MOST_CLASHES
        });
        self.undo_bindings(mark);
        found
    }

    /// Whether two terms differ in the names of their variables only.
    pub fn is_variant(&self, a: Cell, b: Cell) -> bool {
        is_variant(&self.heap, a, b)
    }
}

/// Where two terms can't be made equal.
#[derive(Clone, Debug)]
pub struct Clash {
    /// Argument numbers from 1, outermost first; a list's tail is its argument 2.
    pub path: Vec<u32>,
    /// The part of the one term.
    pub left: Cell,
    /// The part of the other.
    pub right: Cell,
}

/// Terms as text, with the names that variables have in a clause.
pub struct TermPrinter<'a> {
    pub heap: &'a Heap,
    symbols: &'a Symbols,
    operators: &'a Operators,
    pub names: Vec<(Arc<str>, Cell)>,
}

impl<'a> TermPrinter<'a> {
    /// Terms of a heap in the syntax of a world.
    pub fn new(heap: &'a Heap, m: &'a Machine, w: &'a World) -> TermPrinter<'a> {
        TermPrinter { heap, symbols: &m.symbols, operators: &w.operators, names: Vec::new() }
    }

    /// The same with these names for variables.
    #[must_use]
    pub fn named(mut self, names: Vec<(Arc<str>, Cell)>) -> TermPrinter<'a> {
        self.names = names;
        self
    }

    /// A term on one line, cut off when it is long.
    pub fn term(&self, cell: Cell) -> String {
        self.limited(cell, LONGEST)
    }

    /// A term of at most N characters.
    pub fn limited(&self, cell: Cell, longest: usize) -> String {
        let mut out = Limited { text: String::new(), left: longest, cut: false };
        let mut names = self.names.clone();
        for variable in zug_term::variables(self.heap, cell).into_iter().take(NAMED) {
            if !names.iter().any(|(_, known)| self.heap.deref(*known) == variable) {
                names.push((Arc::from("_"), variable));
            }
        }
        let options = WriteOptions {
            quoted: true,
            numbervars: true,
            spacing: true,
            max_depth: DEEPEST,
            priority: 999,
            variable_names: &names,
            ..WriteOptions::default()
        };
        // The only error is that the text is long enough.
        let _ = write_term(&mut out, self.heap, self.symbols, self.operators, cell, &options);
        if out.cut {
            out.text.push_str("...");
        }
        out.text
    }
}

/// Text up to a length.
struct Limited {
    text: String,
    left: usize,
    cut: bool,
}

impl fmt::Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if self.left == 0 {
                self.cut = true;
                return Err(fmt::Error);
            }
            self.left -= 1;
            self.text.push(c);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_term::symbol::Symbols;

    #[test]
    fn clashes_are_found_where_they_are() {
        let mut symbols = Symbols::new();
        let mut store = Store::default();
        let [f, a, b] = ["f", "a", "b"].map(|name| symbols.intern(name));
        let x = store.heap.new_var();
        let inner = store.heap.new_list(Cell::atom(a), Cell::NIL);
        let left = store.heap.new_struct(f, &[x, inner, Cell::atom(a)]);
        let other = store.heap.new_list(Cell::atom(b), Cell::NIL);
        let right = store.heap.new_struct(f, &[Cell::small(1), other, Cell::small(2)]);
        let found = store.clashes(left, right);
        let paths: Vec<&[u32]> = found.iter().map(|clash| clash.path.as_slice()).collect();
        assert_eq!(paths, [[2, 1].as_slice(), [3].as_slice()]);
        assert!(store.heap.deref(x).is_var(), "bindings are undone");
        assert!(store.unify(x, Cell::small(1)));
        assert!(!store.unify(x, Cell::small(2)));
    }
}
