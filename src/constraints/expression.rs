//! Integer expressions of rules, taken apart: a list of nodes in which parts stand before wholes.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use rustc_hash::FxHashSet;
use zug_term::symbol::{Atom, Symbols, atoms};
use zug_term::{Cell, Heap, Value, is_acyclic, watchdog};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Truncate,
    Floor,
    /// The quotient of a division without remainder: `rdiv`.
    Exact,
    Modulo,
    Remainder,
    Power,
    Least,
    Greatest,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Negate,
    Abs,
    BitNot,
    HighestBit,
    LowestBit,
    BitCount,
}

/// A node of an expression; its parts are given by their numbers.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    Variable(Cell),
    Integer(BigInt),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
}

impl Node {
    /// The same among nodes N places further on.
    fn moved(self, by: isize) -> Node {
        let to = |at: usize| at.checked_add_signed(by).expect("a part of the same expression");
        match self {
            Node::Unary(operation, part) => Node::Unary(operation, to(part)),
            Node::Binary(operation, left, right) => Node::Binary(operation, to(left), to(right)),
            leaf => leaf,
        }
    }
}

/// Why an expression without variables has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoValue {
    /// There is none, as there is no quotient by 0.
    Undefined,
    TooLarge,
}

/// An expression: its last node.
#[derive(Clone, Debug, Default)]
pub struct Expression {
    /// Parts before wholes.
    pub nodes: Vec<Node>,
}

/// A sum of variables and other parts of an expression, all times integers, and an integer.
#[derive(Default)]
pub struct Sum {
    pub terms: Vec<(BigInt, Cell)>,
    pub others: Vec<(BigInt, usize)>,
    pub constant: BigInt,
}

/// What is no expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Unknown {
    /// A term that is none.
    Term(Cell),
    /// `?(X)` or `#(X)` with something else than an integer in it.
    NoInteger(Cell),
}

const BINARY: [(Atom, &str, Binary); 15] = [
    (atoms::PLUS, "+", Binary::Add),
    (atoms::MINUS, "-", Binary::Subtract),
    (atoms::STAR, "*", Binary::Multiply),
    (atoms::INT_DIVIDE, "//", Binary::Truncate),
    (atoms::DIV, "div", Binary::Floor),
    (atoms::MOD, "mod", Binary::Modulo),
    (atoms::REM, "rem", Binary::Remainder),
    (atoms::CARET, "^", Binary::Power),
    (atoms::MIN, "min", Binary::Least),
    (atoms::MAX, "max", Binary::Greatest),
    (atoms::SHIFT_LEFT, "<<", Binary::ShiftLeft),
    (atoms::SHIFT_RIGHT, ">>", Binary::ShiftRight),
    (atoms::BIT_AND, "/\\", Binary::BitAnd),
    (atoms::BIT_OR, "\\/", Binary::BitOr),
    (atoms::XOR, "xor", Binary::BitXor),
];

const UNARY: [(Atom, &str, Unary); 6] = [
    (atoms::MINUS, "-", Unary::Negate),
    (atoms::ABS, "abs", Unary::Abs),
    (atoms::BIT_NOT, "\\", Unary::BitNot),
    (atoms::MSB, "msb", Unary::HighestBit),
    (atoms::LSB, "lsb", Unary::LowestBit),
    (atoms::POPCOUNT, "popcount", Unary::BitCount),
];

impl Binary {
    fn of(symbols: &Symbols, atom: Atom) -> Option<Binary> {
        let found = BINARY.iter().find(|(own, ..)| *own == atom).map(|row| row.2);
        found.or_else(|| (symbols.name(atom) == "rdiv").then_some(Binary::Exact))
    }

    pub fn name(self) -> &'static str {
        BINARY.iter().find(|row| row.2 == self).map_or("rdiv", |row| row.1)
    }
}

impl Unary {
    fn of(atom: Atom) -> Option<Unary> {
        UNARY.iter().find(|(own, ..)| *own == atom).map(|row| row.2)
    }

    pub fn name(self) -> &'static str {
        UNARY.iter().find(|row| row.2 == self).expect("all are listed").1
    }
}

enum Task {
    Read(Cell),
    Unary(Unary),
    Binary(Binary),
}

/// Looks, once, whether a term ends of which much has been read.
#[derive(Default)]
pub struct EndWatch {
    is_done: bool,
}

impl EndWatch {
    /// Parts of a term after which it is looked whether it ends.
    const LARGE: usize = 1 << 10;

    /// False if so many parts of a term have been read, or wait to be, that it was looked, and the term has no end.
    pub fn goes_on(&mut self, heap: &Heap, term: Cell, parts: usize) -> bool {
        if self.is_done || parts < Self::LARGE {
            return true;
        }
        self.is_done = true;
        is_acyclic(heap, term)
    }
}

impl Expression {
    pub fn read(heap: &Heap, symbols: &Symbols, term: Cell) -> Result<Expression, Unknown> {
        let mut nodes = Vec::new();
        let mut done: Vec<usize> = Vec::new();
        let mut tasks = vec![Task::Read(term)];
        let mut end = EndWatch::default();
        while let Some(task) = tasks.pop() {
            watchdog::step();
            if !end.goes_on(heap, term, nodes.len() + tasks.len()) {
                return Err(Unknown::Term(term));
            }
            let node = match task {
                Task::Unary(operation) => {
                    Node::Unary(operation, done.pop().expect("its part was read"))
                }
                Task::Binary(operation) => {
                    let right = done.pop().expect("its parts were read");
                    Node::Binary(operation, done.pop().expect("its parts were read"), right)
                }
                Task::Read(cell) => match heap.value(cell) {
                    Value::Var(_) => Node::Variable(heap.deref(cell)),
                    Value::Int(value) => Node::Integer(value.into()),
                    Value::Big(value) => Node::Integer(value),
                    Value::Struct(name, 1, at) => {
                        let part = heap.at(at);
                        if let Some(operation) = Unary::of(name) {
                            tasks.extend([Task::Unary(operation), Task::Read(part)]);
                            continue;
                        }
                        if !matches!(symbols.name(name), "?" | "#") {
                            return Err(Unknown::Term(cell));
                        }
                        match heap.value(part) {
                            Value::Var(_) | Value::Int(_) | Value::Big(_) => {
                                tasks.push(Task::Read(part));
                                continue;
                            }
                            _ => return Err(Unknown::NoInteger(part)),
                        }
                    }
                    Value::Struct(name, 2, at) => {
                        let operation = Binary::of(symbols, name).ok_or(Unknown::Term(cell))?;
                        let [left, right] = [heap.at(at), heap.at(at + 1)].map(Task::Read);
                        tasks.extend([Task::Binary(operation), right, left]);
                        continue;
                    }
                    _ => return Err(Unknown::Term(cell)),
                },
            };
            done.push(nodes.len());
            nodes.push(node);
        }
        Ok(Expression { nodes })
    }

    /// A part as an expression of its own.
    pub fn part(&self, root: usize) -> Expression {
        let first = self.first(root);
        let nodes = self.nodes[first..=root].iter().cloned();
        Expression { nodes: nodes.map(|node| node.moved(-(first as isize))).collect() }
    }

    /// The number of the whole.
    pub fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    pub fn is_leaf(&self, at: usize) -> bool {
        matches!(self.nodes[at], Node::Variable(_) | Node::Integer(_))
    }

    /// The parts of `self`, and then those of another; the number of the other's whole.
    pub fn append(&mut self, other: Expression) -> usize {
        let by = self.nodes.len();
        self.nodes.extend(other.nodes.into_iter().map(|node| node.moved(by as isize)));
        self.root()
    }

    /// Another node behind the others; its number.
    pub fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.root()
    }

    pub fn increment(&mut self) {
        let root = self.root();
        let one = self.push(Node::Integer(BigInt::one()));
        self.push(Node::Binary(Binary::Add, root, one));
    }

    /// The value of a part without variables, or why it has none; `None` if there are variables.
    pub fn value(&self, root: usize) -> Option<Result<BigInt, NoValue>> {
        let mut values: Vec<Option<BigInt>> = Vec::new();
        let mut is_open = false;
        // The parts of a whole are those before it that nothing else is made of.
        let first = self.first(root);
        for node in &self.nodes[first..=root] {
            let value = match node {
                Node::Variable(_) => {
                    is_open = true;
                    None
                }
                Node::Integer(value) => Some(value.clone()),
                Node::Unary(operation, part) => {
                    values[part - first].take().and_then(|part| unary_value(*operation, &part))
                }
                Node::Binary(operation, left, right) => {
                    let both = values[left - first].take().zip(values[right - first].take());
                    if let (Binary::Power, Some((base, exponent))) = (operation, &both)
                        && power_bits(base, exponent) > MOST_BITS
                    {
                        return Some(Err(NoValue::TooLarge));
                    }
                    both.and_then(|(left, right)| binary_value(*operation, &left, &right))
                }
            };
            values.push(value);
        }
        let value = values.pop().expect("the whole");
        (!is_open).then(|| value.ok_or(NoValue::Undefined))
    }

    /// The number of the first node of a part.
    pub fn first(&self, root: usize) -> usize {
        let mut at = root;
        loop {
            match self.nodes[at] {
                Node::Unary(_, part) => at = part,
                Node::Binary(_, left, _) => at = left,
                _ => return at,
            }
        }
    }

    /// A part as a sum of variables times integers and an integer, if it is written as one; variables as
    /// they occur.
    pub fn linear(&self, root: usize) -> Option<(Vec<(BigInt, Cell)>, BigInt)> {
        let Sum { terms, others, constant } = self.sum(root);
        others.is_empty().then_some((terms, constant))
    }

    /// A part as a sum.
    pub fn sum(&self, root: usize) -> Sum {
        let mut sum = Sum::default();
        let mut todo = vec![(root, BigInt::one())];
        while let Some((at, factor)) = todo.pop() {
            match &self.nodes[at] {
                Node::Variable(cell) => sum.terms.push((factor, *cell)),
                Node::Integer(value) => sum.constant += value * factor,
                Node::Unary(Unary::Negate, part) => todo.push((*part, -factor)),
                Node::Binary(Binary::Add, left, right) => {
                    todo.push((*right, factor.clone()));
                    todo.push((*left, factor));
                }
                Node::Binary(Binary::Subtract, left, right) => {
                    todo.push((*right, -factor.clone()));
                    todo.push((*left, factor));
                }
                Node::Binary(Binary::Multiply, left, right) => {
                    let (left, right) = (*left, *right);
                    if let Node::Integer(value) = &self.nodes[left] {
                        todo.push((right, factor * value));
                    } else if let Node::Integer(value) = &self.nodes[right] {
                        todo.push((left, factor * value));
                    } else {
                        sum.others.push((factor, at));
                    }
                }
                _ => sum.others.push((factor, at)),
            }
        }
        sum
    }

    /// The variable and the exponent of a product of one variable only.
    pub fn power_of_variable(&self, root: usize) -> Option<(Cell, u32)> {
        let mut variable = None;
        let mut exponent = 0u32;
        let mut todo = vec![root];
        while let Some(at) = todo.pop() {
            match &self.nodes[at] {
                Node::Variable(cell) => {
                    if *variable.get_or_insert(*cell) != *cell {
                        return None;
                    }
                    exponent = exponent.checked_add(1)?;
                }
                Node::Binary(Binary::Multiply, left, right) => todo.extend([*right, *left]),
                Node::Binary(Binary::Power, left, right) => {
                    let (Node::Variable(cell), Node::Integer(by)) =
                        (&self.nodes[*left], &self.nodes[*right])
                    else {
                        return None;
                    };
                    if *variable.get_or_insert(*cell) != *cell {
                        return None;
                    }
                    exponent = exponent.checked_add(by.to_u32()?)?;
                }
                _ => return None,
            }
        }
        variable.map(|cell| (cell, exponent))
    }
}

pub fn integer(heap: &Heap, cell: Cell) -> Option<BigInt> {
    match heap.value(cell) {
        Value::Int(value) => Some(value.into()),
        Value::Big(value) => Some(value),
        _ => None,
    }
}

/// The variables of an expression that are written without `?` or `#` around them.
pub fn unmarked(heap: &Heap, symbols: &Symbols, term: Cell) -> Vec<Cell> {
    let mut found = Vec::new();
    let mut todo = vec![term];
    let mut seen = FxHashSet::default();
    while let Some(cell) = todo.pop() {
        watchdog::step();
        match heap.value(cell) {
            Value::Var(_) => found.push(heap.deref(cell)),
            Value::Struct(name, 1, _) if matches!(symbols.name(name), "?" | "#") => {}
            Value::Struct(_, arity, at) if seen.insert(at) => {
                todo.extend((0..arity).rev().map(|place| heap.at(at + place)));
            }
            _ => {}
        }
    }
    found
}

/// The value of an operation on an integer, if it has one.
pub fn unary_value(operation: Unary, value: &BigInt) -> Option<BigInt> {
    Some(match operation {
        Unary::Negate => -value,
        Unary::Abs => value.abs(),
        Unary::BitNot => !value,
        Unary::HighestBit => (value.is_positive()).then(|| value.bits() - 1)?.into(),
        Unary::LowestBit => value.is_positive().then(|| value.trailing_zeros())??.into(),
        Unary::BitCount => (!value.is_negative())
            .then(|| {
                value.iter_u64_digits().map(|digit| u64::from(digit.count_ones())).sum::<u64>()
            })?
            .into(),
    })
}

/// Bits of shifts that are computed.
const BITS: u64 = 1 << 32;

/// Bits of a power that is computed.
pub(crate) const MOST_BITS: u64 = 1 << 26;

/// Bits of a power, at most.
pub(crate) fn power_bits(base: &BigInt, exponent: &BigInt) -> u64 {
    if base.bits() <= 1 || exponent.is_negative() {
        return base.bits();
    }
    exponent.to_u64().map_or(u64::MAX, |exponent| base.bits().saturating_mul(exponent))
}

/// The value of an operation on two integers, if it has one.
pub fn binary_value(operation: Binary, left: &BigInt, right: &BigInt) -> Option<BigInt> {
    let divisor = || (!right.is_zero()).then_some(right);
    Some(match operation {
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => {
            watchdog::steps((left.bits() / 64 * (1 + right.bits() / 64)) as usize);
            left * right
        }
        Binary::Truncate => left / divisor()?,
        Binary::Floor => left.div_floor(divisor()?),
        Binary::Exact => left.is_multiple_of(divisor()?).then(|| left / right)?,
        Binary::Modulo => left.mod_floor(divisor()?),
        Binary::Remainder => left % divisor()?,
        Binary::Power => {
            if left.abs().is_one() {
                let positive = left.is_positive() || right.is_even();
                return Some(if positive { BigInt::one() } else { -BigInt::one() });
            }
            if left.is_zero() && right.is_positive() {
                return Some(BigInt::zero());
            }
            let exponent = right.to_u32()?;
            watchdog::steps((left.bits().saturating_mul(exponent.into()) / 64) as usize);
            left.pow(exponent)
        }
        Binary::Least => left.min(right).clone(),
        Binary::Greatest => left.max(right).clone(),
        Binary::ShiftLeft => shifted(left, right)?,
        Binary::ShiftRight => shifted(left, &-right)?,
        Binary::BitAnd => left & right,
        Binary::BitOr => left | right,
        Binary::BitXor => left ^ right,
    })
}

fn shifted(value: &BigInt, by: &BigInt) -> Option<BigInt> {
    let bits = by.abs().to_u64().filter(|bits| *bits <= BITS)?;
    if by.is_negative() {
        return Some(value >> bits);
    }
    watchdog::steps((bits / 64) as usize);
    Some(value << bits)
}
