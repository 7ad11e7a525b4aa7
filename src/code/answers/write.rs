//! Conditions and terms as text.

use super::Writer;
use super::parts::Part;
use crate::merging::CALLERS;
use crate::program::show::leaf;
use std::sync::Arc;
use zug_symbolic::{
    Condition, Formula, Guarded, Leaf, Relation, Set, Shape, Term, UNBOUND, Variable,
};
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::{Cell, Heap};

/// Where a disjunction may stand as it is.
pub const OR: u16 = 1100;
/// Where a conjunction may.
pub const AND: u16 = 1000;
/// Where neither may: as an argument.
pub const ARGUMENT: u16 = 999;
/// Where sums and comparisons have their sides.
const SIDE: u16 = 699;
/// Where nothing but a call or a constant may stand as it is.
pub const CALL: u16 = 0;

/// A term as it is put together: parts that have a text of their own are variables of that name.
#[derive(Default)]
struct Page {
    heap: Heap,
    texts: Vec<(Arc<str>, Cell)>,
}

impl Page {
    fn text(&mut self, text: &str) -> Cell {
        let cell = self.heap.new_var();
        self.texts.push((text.into(), cell));
        cell
    }
}

impl Writer<'_> {
    /// The parts of a conjunction or disjunction: first what is known of single leaves, by leaf.
    pub fn parts(&self, condition: Condition) -> Vec<Condition> {
        let (Formula::And(parts) | Formula::Or(parts)) = self.store.says(condition) else {
            return vec![condition];
        };
        let mut parts = parts.to_vec();
        parts.sort_by_key(|&part| match self.store.says(part) {
            Formula::Literal(leaf, _) => leaf.0,
            _ => u32::MAX,
        });
        parts
    }

    /// A condition where something of this priority may stand.
    pub fn condition(&mut self, condition: Condition, most: u16) -> String {
        let name = self.name(Part::Condition(condition), true);
        name.unwrap_or_else(|| self.formula(condition, most))
    }

    pub fn formula(&mut self, condition: Condition, most: u16) -> String {
        let (between, priority) = match *self.store.says(condition) {
            Formula::Never => return "false".to_owned(),
            Formula::Always => return "true".to_owned(),
            Formula::Literal(leaf, set) => return self.literal(leaf, set),
            Formula::Comparison { relation, left, right, negated } => {
                let swapped = matches!(self.store.shape(left), Shape::Constant(_));
                let (left, right) = if swapped { (right, left) } else { (left, right) };
                let sign = match (relation, negated, swapped) {
                    (Relation::Less, false, false) => "<",
                    (Relation::Less, false, true) => ">",
                    (Relation::Less, true, false) => ">=",
                    (Relation::Less, true, true) => "=<",
                    (Relation::Equal, false, _) => "=",
                    (Relation::Equal, true, _) => "\\=",
                };
                return format!("{} {sign} {}", self.number(left, SIDE), self.number(right, SIDE));
            }
            Formula::And(_) => (", ", AND),
            Formula::Or(_) => (" ; ", OR),
        };
        let parts = self.parts(condition);
        let parts: Vec<String> =
            parts.into_iter().map(|part| self.condition(part, priority - 1)).collect();
        let text = parts.join(between);
        if priority > most { format!("({text})") } else { text }
    }

    /// That a leaf is in a set, by the fewer values.
    fn literal(&self, of: Leaf, set: Set) -> String {
        let (inside, outside) = self.store.values_by(of, set);
        let names = |values: Vec<Cell>, integers: bool| {
            let next = |a: &Cell, b: &Cell| {
                a.as_int().zip(b.as_int()).is_some_and(|(a, b)| b.wrapping_sub(a) == 1)
            };
            let mut names = Vec::new();
            for run in values.chunk_by(next) {
                match run {
                    [first, _, .., last] => {
                        names.push(format!("{}..{}", self.constant(*first), self.constant(*last)));
                    }
                    few => names.extend(few.iter().map(|&value| self.constant(value))),
                }
            }
            names.extend(integers.then(|| "integers".to_owned()));
            names
        };
        let integers = self.store.has_integers(of, set);
        let (with, without) = (integers == Some(true), integers == Some(false));
        let of = leaf(of.0 as u16);
        match (&inside[..], &outside[..]) {
            (&[one], _) if !with => return format!("{of} = {}", self.constant(one)),
            (_, &[one]) if !without => return format!("{of} \\= {}", self.constant(one)),
            _ => {}
        }
        let (inside, outside) = (names(inside, with), names(outside, without));
        match inside.len() <= outside.len() {
            true => format!("{of} in {{{}}}", inside.join(", ")),
            false => format!("{of} not in {{{}}}", outside.join(", ")),
        }
    }

    fn constant(&self, cell: Cell) -> String {
        if cell == UNBOUND { "_".to_owned() } else { self.page(&Page::default(), cell) }
    }

    fn page(&self, page: &Page, cell: Cell) -> String {
        let options = WriteOptions {
            quoted: true,
            priority: ARGUMENT,
            variable_names: &page.texts,
            ..WriteOptions::default()
        };
        term_to_string(&page.heap, self.symbols, self.operators, cell, &options)
    }

    pub fn term(&mut self, term: Term) -> String {
        let name = self.name(Part::Term(term), false);
        name.unwrap_or_else(|| self.unnamed(term))
    }

    pub fn unnamed(&mut self, term: Term) -> String {
        let mut page = Page::default();
        let cell = self.shape(&mut page, term, ARGUMENT);
        self.page(&page, cell)
    }

    fn cell(&mut self, page: &mut Page, term: Term, most: u16) -> Cell {
        match self.name(Part::Term(term), true) {
            Some(name) => page.text(&name),
            None => self.shape(page, term, most),
        }
    }

    fn shape(&mut self, page: &mut Page, term: Term, most: u16) -> Cell {
        let store = self.store;
        match store.shape(term) {
            Shape::Constant(UNBOUND) => page.text("_"),
            Shape::Constant(cell) => *cell,
            Shape::Boxed(boxed) => store.unboxed(*boxed).instantiate(&mut page.heap),
            Shape::Variable(Variable(number)) => {
                page.text(&format!("_{}", number.wrapping_sub(CALLERS)))
            }
            Shape::Leaf(number) => page.text(&leaf(number.0 as u16)),
            Shape::Opaque(number) => page.text(&format!("v{number}")),
            Shape::Struct(header, arguments) => {
                let name = header.functor_name();
                let most = if self.operators.is_op(name) { CALL } else { ARGUMENT };
                let arguments: Vec<Cell> =
                    arguments.iter().map(|&term| self.cell(page, term, most)).collect();
                page.heap.new_struct(name, &arguments)
            }
            Shape::Pair(..) | Shape::Present(_) => self.list(page, term),
            Shape::Choice(ways) => {
                let text = self.choice(ways);
                page.text(&text)
            }
            Shape::Integer(operation, operands) => {
                let text = self.computed(*operation, operands, most);
                page.text(&text)
            }
            Shape::Float(operation, operands) => {
                let text = self.computed_float(*operation, operands, most);
                page.text(&text)
            }
        }
    }

    fn list(&mut self, page: &mut Page, list: Term) -> Cell {
        let store = self.store;
        let (mut items, mut rest) = (Vec::new(), list);
        while let &Shape::Pair(head, tail) = store.shape(rest) {
            items.push(self.cell(page, head, ARGUMENT));
            rest = tail;
        }
        let tail = match store.shape(rest) {
            Shape::Present(elements) => match self.name(Part::Term(rest), true) {
                Some(name) if rest != list => page.text(&name),
                _ => {
                    for &element in elements.iter() {
                        items.push(self.element(page, element));
                    }
                    Cell::NIL
                }
            },
            _ => self.cell(page, rest, ARGUMENT),
        };
        page.heap.list_from(&items, tail)
    }

    fn element(&mut self, page: &mut Page, (condition, term): Guarded) -> Cell {
        if condition == Condition::ALWAYS {
            return self.cell(page, term, ARGUMENT);
        }
        let text = self.inner(term);
        let text = format!("{text} if {}", self.condition(condition, ARGUMENT));
        page.text(&text)
    }

    pub fn inner(&mut self, term: Term) -> String {
        let mut page = Page::default();
        let cell = self.cell(&mut page, term, ARGUMENT);
        self.page(&page, cell)
    }

    fn choice(&mut self, ways: &[Guarded]) -> String {
        let last = ways.len() - 1;
        let mut parts = Vec::with_capacity(ways.len());
        for (at, &(condition, term)) in ways.iter().enumerate() {
            let condition = (at < last).then(|| self.condition(condition, AND) + " -> ");
            parts.push(condition.unwrap_or_default() + &self.inner(term));
        }
        format!("({})", parts.join(" ; "))
    }
}
