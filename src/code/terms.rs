//! Terms of the symbolic run: ordinary cells, in which a leaf, an expression and a list of
//! answers stand as structures of reserved names.

use super::knowledge::Knowledge;
use super::residual::{ExprId, Leaf, NodeId};
use zug_state::Word;
use zug_term::symbol::Atom;
use zug_term::{Cell, Heap};

const LEAF: Cell = Cell::functor(Atom(u32::MAX), 1);
const EXPR: Cell = Cell::functor(Atom(u32::MAX - 1), 1);
const BAG: Cell = Cell::functor(Atom(u32::MAX - 2), 1);
const OPEN: Cell = Cell::functor(Atom(u32::MAX - 3), 1);

/// A term as the symbolic run sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// An unbound variable of the rules.
    Var(usize),
    /// An atom, an integer or another constant.
    Const(Cell),
    /// A leaf whose value is not known; it may be unbound.
    Leaf(Leaf),
    /// An integer that depends on leaves.
    Expr(ExprId),
    /// A list of answers.
    Bag(NodeId),
    /// A list cell: the address of head and tail.
    List(usize),
    /// A structure: header, address of the first argument.
    Struct(Cell, usize),
}

fn reserved(heap: &mut Heap, header: Cell, number: u32) -> Cell {
    let addr = heap.push(header);
    heap.push(Cell::small(i64::from(number)));
    Cell::structure(addr)
}

/// The term of a leaf.
pub fn leaf_cell(heap: &mut Heap, leaf: Leaf) -> Cell {
    reserved(heap, LEAF, u32::from(leaf))
}

/// The term of an expression.
pub fn expr_cell(heap: &mut Heap, expr: ExprId) -> Cell {
    reserved(heap, EXPR, expr)
}

/// The term of a list of answers.
pub fn bag_cell(heap: &mut Heap, bag: NodeId) -> Cell {
    reserved(heap, BAG, bag)
}

/// A variable of the rules, by its address, where it must not be renamed.
pub fn open_cell(heap: &mut Heap, addr: usize) -> Cell {
    reserved(heap, OPEN, addr as u32)
}

/// The address of the variable that [`open_cell`] wrote down.
pub fn open_addr(heap: &Heap, cell: Cell) -> Option<usize> {
    let cell = heap.deref(cell);
    let is_open = cell.is_struct() && heap.at(cell.addr()) == OPEN;
    is_open.then(|| heap.at(cell.addr() + 1).int_value() as usize)
}

/// Looks at a term with what is known; `word_cell` gives the constant of a word.
pub fn view(
    heap: &Heap,
    known: &Knowledge,
    word_cell: impl Fn(Word) -> Cell,
    mut cell: Cell,
) -> View {
    loop {
        cell = heap.deref(cell);
        if cell.is_ref() {
            return View::Var(cell.addr());
        }
        if cell.is_list() {
            return View::List(cell.addr());
        }
        if !cell.is_struct() {
            return View::Const(cell);
        }
        let header = heap.at(cell.addr());
        let number = |heap: &Heap| heap.at(cell.addr() + 1).int_value() as u32;
        match header {
            LEAF => {
                let leaf = known.root(number(heap) as Leaf);
                let about = known.leaf(leaf);
                match (about.bound, about.is) {
                    (Some(bound), _) => cell = bound,
                    (None, Some(word)) if word != Word::VAR => return View::Const(word_cell(word)),
                    _ => return View::Leaf(leaf),
                }
            }
            EXPR => return View::Expr(number(heap)),
            BAG => {
                let bag = number(heap);
                match known.opened.iter().find(|(opened, _)| *opened == bag) {
                    Some(&(_, list)) => cell = list,
                    None => return View::Bag(bag),
                }
            }
            _ => return View::Struct(header, cell.addr() + 1),
        }
    }
}
