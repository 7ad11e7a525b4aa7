//! Built-ins on integers in the symbolic run.

use super::arithmetic::Value;
use super::builtins::{At, deopt, holds};
use super::residual::{BinaryOp, Cond, Expr, kind};
use super::run::{Frame, Run, Step, Stop, Taken};
use super::terms::View;
use std::cmp::Ordering;
use zug_term::Cell;
use zug_term::symbol::atoms;

/// The most answers of `between/3` and elements of a new list.
pub const MOST_NUMBERS: i64 = 1000;

impl Run<'_> {
    /// The order of two numbers that are known.
    pub fn known_order(&mut self, x: Value, y: Value) -> Taken<Ordering> {
        let (x, y) = (self.value_cell(x), self.value_cell(y));
        let number = |run: &Self, cell: Cell| match run.view(cell) {
            View::Const(cell) => match run.heap.value(cell) {
                zug_term::Value::Int(value) if value.unsigned_abs() < 1 << 52 => Ok(value as f64),
                zug_term::Value::Float(value) if !value.is_nan() => Ok(value),
                _ => deopt("a large number is compared"),
            },
            _ => deopt("a float is compared with a value that is not known"),
        };
        let (x, y) = (number(self, x)?, number(self, y)?);
        x.partial_cmp(&y).ok_or_else(|| Stop::Deopt("not a number".to_owned(), false))
    }

    /// A known integer; leaves are asked for their values.
    pub fn known_int(&mut self, cell: Cell) -> Taken<i64> {
        match self.view(cell) {
            View::Const(c) => match c.as_int() {
                Some(value) => Ok(value),
                None => deopt("an integer is expected"),
            },
            View::Leaf(leaf) => {
                if !self.ask(Cond::Kind(leaf, kind::INT))? {
                    return deopt("an integer is expected");
                }
                self.concretise(leaf)?;
                deopt("an integer is expected")
            }
            View::Expr(expr) => {
                self.concretise_expr(expr)?;
                deopt("an integer is expected")
            }
            _ => deopt("an integer is expected"),
        }
    }

    pub fn succ(&mut self, args: &[Cell]) -> Taken<()> {
        let one = self.residual.constant(1);
        let zero = self.residual.constant(0);
        let (low, high) = (self.plain_int(args[0])?, self.plain_int(args[1])?);
        for value in [low, high].into_iter().flatten() {
            if self.less(value, zero)? {
                return deopt("succ/2 of a negative number");
            }
        }
        let (value, to) = match (low, high) {
            (Some(low), _) => (Expr::Binary(BinaryOp::Add, low, one), args[1]),
            (None, Some(high)) => {
                if self.equal(high, zero)? {
                    return Err(Stop::Fail);
                }
                (Expr::Binary(BinaryOp::Sub, high, one), args[0])
            }
            (None, None) => return deopt("an unbound variable is evaluated"),
        };
        self.unify_value(to, value)
    }

    pub fn plus(&mut self, args: &[Cell]) -> Taken<()> {
        let mut known = [None; 3];
        for (known, &arg) in known.iter_mut().zip(args) {
            *known = self.plain_int(arg)?;
        }
        let (value, to) = match known {
            [Some(x), Some(y), _] => (Expr::Binary(BinaryOp::Add, x, y), 2),
            [Some(x), None, Some(z)] => (Expr::Binary(BinaryOp::Sub, z, x), 1),
            [None, Some(y), Some(z)] => (Expr::Binary(BinaryOp::Sub, z, y), 0),
            _ => return deopt("an unbound variable is evaluated"),
        };
        self.unify_value(args[to], value)
    }

    fn unify_value(&mut self, to: Cell, value: Expr) -> Taken<()> {
        let Some(value) = self.residual.expr(value) else {
            return deopt("the value is too large");
        };
        let value = self.value_cell(Value::Int(value));
        self.unify(to, value)
    }

    pub fn between(&mut self, args: &[Cell], at: &At<'_>) -> Taken<Step> {
        let infinite = matches!(self.view(args[1]), View::Const(c)
            if matches!(c.as_atom(), Some(atoms::INF | atoms::INFINITE)));
        let low = self.plain_int(args[0])?;
        let high = if infinite { None } else { self.plain_int(args[1])? };
        if low.is_none() || (high.is_none() && !infinite) {
            return deopt("an unbound variable is evaluated");
        }
        if let (Some(low), Some(x)) = (low, self.plain_int(args[2])?) {
            let inside = !self.less(x, low)?
                && match high {
                    Some(high) => !self.less(high, x)?,
                    None => true,
                };
            return holds(inside, at);
        }
        if infinite {
            return deopt("between/3 without an upper bound");
        }
        let (low, high) = (self.known_int(args[0])?, self.known_int(args[1])?);
        if high < low {
            return Err(Stop::Fail);
        }
        if high.saturating_sub(low) > MOST_NUMBERS {
            return deopt("between/3 has too many answers");
        }
        let unify = |i| Run::then(Frame::Unify(args[2], Cell::small(i)), at.next);
        Ok(Step::Alternatives(0, (low..=high).map(unify).collect()))
    }
}
