//! Arithmetic on leaves: what `is/2` and the comparisons evaluate.

use super::residual::{BinaryOp, Cond, Expr, ExprId, kind};
use super::run::{Run, Stop, Taken};
use super::terms::{self, View};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record};

/// The deepest nesting of an expression.
const DEEPEST: u32 = 500;

/// A value.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// An integer that fits 64 bits, constant or not.
    Int(ExprId),
    /// Another number that is known: a float or a large integer.
    Other(Cell),
}

fn unknown<T>(what: &str) -> Taken<T> {
    Err(Stop::Deopt(what.to_owned(), false))
}

impl Run<'_> {
    /// The value of a term.
    pub fn eval(&mut self, cell: Cell) -> Taken<Value> {
        self.eval_at(cell, 0)
    }

    fn eval_at(&mut self, cell: Cell, depth: u32) -> Taken<Value> {
        if depth > DEEPEST {
            return unknown("the expression nests too deep");
        }
        match self.view(cell) {
            View::Expr(expr) => Ok(Value::Int(expr)),
            View::Leaf(leaf) => {
                if !self.ask(Cond::Kind(leaf, kind::INT))? {
                    return unknown("a leaf is no integer");
                }
                Ok(Value::Int(self.residual.expr(Expr::Leaf(leaf)).expect("a leaf has a value")))
            }
            View::Const(cell) => match cell.as_int() {
                Some(value) => Ok(Value::Int(self.residual.constant(value))),
                None => self.eval_known(cell),
            },
            View::Var(_) => unknown("an unbound variable is evaluated"),
            View::Bag(_) => unknown("a list is evaluated"),
            View::List(addr) => {
                if self.view(self.heap.at(addr + 1)) != View::Const(Cell::NIL) {
                    return unknown("a list is evaluated");
                }
                let head = self.heap.at(addr);
                match self.view(head) {
                    View::Leaf(_) | View::Expr(_) | View::Const(_) => self.eval_at(head, depth + 1),
                    _ => unknown("a list is evaluated"),
                }
            }
            View::Struct(header, args) => {
                let name = header.functor_name();
                match header.functor_arity() {
                    1 => {
                        let x = self.eval_at(self.heap.at(args), depth + 1)?;
                        self.unary(name, x)
                    }
                    2 => {
                        let x = self.eval_at(self.heap.at(args), depth + 1)?;
                        let y = self.eval_at(self.heap.at(args + 1), depth + 1)?;
                        self.binary(name, x, y)
                    }
                    _ => unknown("an evaluable of more than two arguments"),
                }
            }
        }
    }

    /// An integer that is not to be evaluated; `None`: a variable.
    pub fn plain_int(&mut self, cell: Cell) -> Taken<Option<ExprId>> {
        match self.view(cell) {
            View::Var(_) => Ok(None),
            View::Struct(..) | View::List(_) => unknown("an integer is expected"),
            View::Const(cell) if cell.is_atom() => unknown("an integer is expected"),
            _ => self.eval_int(cell).map(Some),
        }
    }

    /// An integer.
    pub fn eval_int(&mut self, cell: Cell) -> Taken<ExprId> {
        match self.eval(cell)? {
            Value::Int(expr) => Ok(expr),
            Value::Other(_) => unknown("a number that is no small integer"),
        }
    }

    /// A value as a term.
    pub fn value_cell(&mut self, value: Value) -> Cell {
        match value {
            Value::Other(cell) => cell,
            Value::Int(expr) => match self.residual.const_value(expr) {
                Some(value) => self.heap.new_int(value),
                None => terms::expr_cell(&mut self.heap, expr),
            },
        }
    }

    /// Lets the machine evaluate a term without leaves.
    fn eval_known(&mut self, cell: Cell) -> Taken<Value> {
        if let Some(atom) = cell.as_atom()
            && matches!(
                atom,
                atoms::RANDOM | atoms::RANDOM_FLOAT | atoms::CPUTIME | atoms::REALTIME
            )
        {
            return unknown("a value that changes");
        }
        let record = Record::new(&mut self.heap, cell);
        let value = self.machine.scratch(|m| {
            let term = record.instantiate(&mut m.heap);
            m.eval(term).map(|value| Record::new(&mut m.heap, value))
        });
        let Ok(value) = value else { return unknown("the evaluation raises an error") };
        let value = value.instantiate(&mut self.heap);
        Ok(match value.as_int() {
            Some(value) => Value::Int(self.residual.constant(value)),
            None => Value::Other(value),
        })
    }

    fn eval_struct(&mut self, name: Atom, args: &[Value]) -> Taken<Value> {
        let args: Vec<Cell> = args.iter().map(|&arg| self.value_cell(arg)).collect();
        let term = self.heap.new_struct(name, &args);
        self.eval_known(term)
    }

    fn is_known(&self, value: Value) -> bool {
        match value {
            Value::Int(expr) => self.residual.const_value(expr).is_some(),
            Value::Other(_) => true,
        }
    }

    fn unary(&mut self, name: Atom, x: Value) -> Taken<Value> {
        if name == atoms::RANDOM || name == atoms::RANDOM_FLOAT {
            return unknown("a value that changes");
        }
        if self.is_known(x) {
            return self.eval_struct(name, &[x]);
        }
        let Value::Int(x) = x else { return unknown("a float") };
        let zero = self.residual.constant(0);
        let value = match name {
            atoms::PLUS
            | atoms::TRUNCATE
            | atoms::TRUNC
            | atoms::ROUND
            | atoms::CEILING
            | atoms::CEIL
            | atoms::FLOOR
            | atoms::INTEGER => Some(x),
            atoms::MINUS => self.residual.expr(Expr::Binary(BinaryOp::Sub, zero, x)),
            atoms::ABS => {
                let negative = self.residual.expr(Expr::Binary(BinaryOp::Sub, zero, x));
                negative.and_then(|n| self.residual.expr(Expr::Binary(BinaryOp::Max, x, n)))
            }
            atoms::SUCC => {
                let one = self.residual.constant(1);
                self.residual.expr(Expr::Binary(BinaryOp::Add, x, one))
            }
            atoms::SIGN => {
                let (one, minus) = (self.residual.constant(1), self.residual.constant(-1));
                let low = self.residual.expr(Expr::Binary(BinaryOp::Max, x, minus));
                low.and_then(|low| self.residual.expr(Expr::Binary(BinaryOp::Min, low, one)))
            }
            _ => {
                self.concretise_expr(x)?;
                return unknown("an evaluable without symbolic form");
            }
        };
        value.map(Value::Int).ok_or_else(|| Stop::Deopt("the value is too large".into(), false))
    }

    fn binary(&mut self, name: Atom, x: Value, y: Value) -> Taken<Value> {
        if matches!(name, atoms::RANDOM | atoms::RANDOM_FLOAT) {
            return unknown("a value that changes");
        }
        if self.is_known(x) && self.is_known(y) {
            return match self.small(name, x, y) {
                Some(value) => Ok(value),
                None => self.eval_struct(name, &[x, y]),
            };
        }
        let (Value::Int(x), Value::Int(y)) = (x, y) else { return unknown("a float") };
        let Some(op) = operation(name) else {
            if name == atoms::SLASH {
                return self.divide(x, y);
            }
            self.concretise_expr(x)?;
            self.concretise_expr(y)?;
            return unknown("an evaluable without symbolic form");
        };
        if matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod | BinaryOp::Rem) {
            // An error where it stands, whether or not the value is used.
            let zero = self.residual.constant(0);
            if self.equal(y, zero)? {
                return unknown("a division by zero");
            }
        }
        let value = self.residual.expr(Expr::Binary(op, x, y));
        value.map(Value::Int).ok_or_else(|| Stop::Deopt("the value is too large".into(), false))
    }

    /// The result of an operation on known integers, if it is a small one.
    fn small(&mut self, name: Atom, x: Value, y: Value) -> Option<Value> {
        // PERF: the machine takes much longer.
        let (Value::Int(x), Value::Int(y)) = (x, y) else { return None };
        let [x, y] = [x, y].map(|expr| self.residual.const_value(expr));
        let value = operation(name)?.apply(x?, y?)?;
        Cell::try_small(value)?;
        Some(Value::Int(self.residual.constant(value)))
    }

    /// `/`: an integer where the division leaves no rest.
    fn divide(&mut self, x: ExprId, y: ExprId) -> Taken<Value> {
        let zero = self.residual.constant(0);
        if self.equal(y, zero)? {
            return unknown("a division by zero");
        }
        let rest = self.residual.expr(Expr::Binary(BinaryOp::Mod, x, y));
        let value = self.residual.expr(Expr::Binary(BinaryOp::Div, x, y));
        match (rest, value) {
            (Some(rest), Some(value)) if self.equal(rest, zero)? => Ok(Value::Int(value)),
            _ => unknown("a quotient that is a float"),
        }
    }

    /// Asks for the values of the leaves of an expression until it is known.
    pub fn concretise_expr(&mut self, expr: ExprId) -> Taken<()> {
        match self.residual.exprs[expr as usize] {
            Expr::Const(_) => Ok(()),
            Expr::Leaf(leaf) => self.concretise(leaf),
            Expr::Binary(_, a, b) => {
                self.concretise_expr(a)?;
                self.concretise_expr(b)
            }
            Expr::Count(_) | Expr::Sum(_) | Expr::Max(_) | Expr::Min(_) => {
                unknown("a value must be known that depends on many leaves")
            }
        }
    }

    /// Asks for the value of a leaf until it is known.
    pub fn concretise(&mut self, leaf: u16) -> Taken<()> {
        let root = self.known.root(leaf);
        for &word in &self.domains[usize::from(root)] {
            match self.known.outcome(Cond::Is(root, word)) {
                Some(true) => return Ok(()),
                Some(false) => {}
                None => return Err(Stop::Need(Cond::Is(root, word))),
            }
        }
        Err(Stop::Deopt("a value that was not met before".to_owned(), true))
    }
}

/// The operation of this name on two integers.
fn operation(name: Atom) -> Option<BinaryOp> {
    Some(match name {
        atoms::PLUS | atoms::SUCC_PLUS => BinaryOp::Add,
        atoms::MINUS => BinaryOp::Sub,
        atoms::STAR => BinaryOp::Mul,
        atoms::INT_DIVIDE => BinaryOp::Div,
        atoms::DIV => BinaryOp::FloorDiv,
        atoms::MOD => BinaryOp::Mod,
        atoms::REM => BinaryOp::Rem,
        atoms::MIN => BinaryOp::Min,
        atoms::MAX => BinaryOp::Max,
        atoms::BIT_AND => BinaryOp::And,
        atoms::BIT_OR => BinaryOp::Or,
        atoms::XOR => BinaryOp::Xor,
        _ => return None,
    })
}
