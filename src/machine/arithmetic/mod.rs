//! Arithmetic: evaluation of expressions and the operations compiled code calls (ISO 13211-1, clause 9; SWI-Prolog
//! where the standard is silent).
//!
//! The operations work on [`Number`]s apart from any heap ([`unary`], [`binary`], [`integer`], [`power`]); this
//! module takes numbers off the heap, puts results back and turns a [`Failure`] into the standard's error. Small
//! integers take a short cut that never leaves the word.
//!
//! Integers have no bound but memory: a result of more than [`MAX_BITS`](number::MAX_BITS) bits is a resource error,
//! raised before it is computed.

mod binary;
mod clock;
mod integer;
mod large;
mod number;
mod ops;
mod power;
mod rational;
#[cfg(test)]
mod tests;
mod unary;

pub use clock::Clock;
pub use number::{Failure, Number};
pub use ops::{Op0, Op1, Op2, Op3, functors};
pub use zug_random::Random;

use super::{Fault, Impurity, Machine};
use num_traits::ToPrimitive;
use number::Computed;
use std::cmp::Ordering;
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, HeaderKind, MAX_INT, MIN_INT, Tag, watchdog};

/// Words of an integer from which on it is reckoned that it takes time.
const LARGE: usize = 64;

/// What arithmetic keeps in a machine.
#[derive(Default)]
pub struct Arithmetic {
    /// The generator behind `random/1`.
    pub random: Random,
    /// When the machine started, and how much processor time was used since.
    pub clock: Clock,
    /// Scratch of [`Machine::eval`]: operations that wait for an operand.
    pending: Vec<Pending>,
}

/// An operation that waits for the operand being evaluated.
struct Pending {
    operation: Operation,
    /// Operands that are evaluated.
    done: usize,
    /// Their values, then expressions.
    operands: [Cell; 3],
}

#[derive(Clone, Copy)]
enum Operation {
    One(Op1),
    Two(Op2),
    Three(Op3),
}

/// What the evaluation of an expression does next.
enum EvalStep {
    /// A number.
    Value(Cell),
    /// An operation to keep and its first operand to go on with.
    Into(Pending, Cell),
    /// An expression that stands for another one: `[X]`.
    Same(Cell),
}

impl Machine {
    /// The value of an expression, a number cell.
    #[inline]
    pub fn eval(&mut self, expression: Cell) -> Result<Cell, Fault> {
        let cell = self.heap.deref(expression);
        if cell.is_int() {
            return Ok(cell);
        }
        self.eval_compound(cell)
    }

    fn eval_compound(&mut self, expression: Cell) -> Result<Cell, Fault> {
        let mark = self.heap.top();
        let mut pending = std::mem::take(&mut self.arithmetic.pending);
        let result = self.eval_with(expression, &mut pending);
        pending.clear();
        self.arithmetic.pending = pending;
        Ok(self.keep_only(result?, mark))
    }

    fn eval_with(&mut self, expression: Cell, pending: &mut Vec<Pending>) -> Result<Cell, Fault> {
        // An expression nests no deeper than there are cells, unless it is cyclic.
        let bound = self.heap.top() + 1;
        let mut next = expression;
        let mut same = 0;
        loop {
            watchdog::step();
            let mut value = match self.step(next)? {
                EvalStep::Value(value) => value,
                EvalStep::Same(cell) => {
                    same += 1;
                    if same > bound {
                        return Err(self.type_error("expression", expression));
                    }
                    next = cell;
                    continue;
                }
                EvalStep::Into(operation, operand) => {
                    if pending.len() > bound {
                        return Err(self.type_error("expression", expression));
                    }
                    pending.push(operation);
                    next = operand;
                    continue;
                }
            };
            loop {
                let Some(mut waiting) = pending.pop() else { return Ok(value) };
                waiting.operands[waiting.done] = value;
                waiting.done += 1;
                let [x, y, z] = waiting.operands;
                value = match (waiting.operation, waiting.done) {
                    (Operation::One(op), _) => self.apply1(op, x)?,
                    (Operation::Two(op), 2) => self.apply2(op, x, y)?,
                    (Operation::Three(op), 3) => self.apply3(op, x, y, z)?,
                    (_, done) => {
                        next = waiting.operands[done];
                        pending.push(waiting);
                        break;
                    }
                };
            }
        }
    }

    /// Drops what evaluation left on the heap above `mark`, all but the result.
    fn keep_only(&mut self, result: Cell, mark: usize) -> Cell {
        if self.heap.top() == mark {
            return result;
        }
        if !result.is_boxed() || result.addr() < mark {
            self.heap.cells.truncate(mark);
            return result;
        }
        let addr = result.addr();
        let words = 1 + self.heap.at(addr).payload_words();
        self.heap.cells.copy_within(addr..addr + words, mark);
        self.heap.cells.truncate(mark + words);
        Cell::boxed(mark)
    }

    fn step(&mut self, cell: Cell) -> Result<EvalStep, Fault> {
        let cell = self.heap.deref(cell);
        match cell.tag() {
            Tag::Int => Ok(EvalStep::Value(cell)),
            Tag::Boxed => match self.heap.at(cell.addr()).header_kind() {
                HeaderKind::String => match code_of(self.heap.str_at(cell.addr())) {
                    Some(code) => Ok(EvalStep::Value(code)),
                    None => Err(self.type_error("[]", cell)),
                },
                _ => Ok(EvalStep::Value(cell)),
            },
            Tag::Atom => {
                let name = cell.as_atom().unwrap_or(atoms::NIL);
                match Op0::from_functor(name) {
                    Some(op) => Ok(EvalStep::Value(self.apply0(op))),
                    None => Err(self.not_evaluable(name, 0)),
                }
            }
            Tag::List => self.step_into_list(cell.addr()),
            Tag::Struct => self.step_into_struct(cell.addr()),
            Tag::Ref | Tag::Attributed | Tag::Header => {
                self.fault_on_attributed = cell.tag() == Tag::Attributed;
                Err(self.instantiation_error())
            }
        }
    }

    fn step_into_struct(&mut self, addr: usize) -> Result<EvalStep, Fault> {
        let header = self.heap.at(addr);
        let (name, arity) = (header.functor_name(), header.functor_arity());
        let operation = match arity {
            1 => Op1::from_functor(name).map(Operation::One),
            2 => Op2::from_functor(name).map(Operation::Two),
            3 => Op3::from_functor(name).map(Operation::Three),
            _ => None,
        };
        let Some(operation) = operation else { return Err(self.not_evaluable(name, arity)) };
        let mut operands = [Cell::ZERO; 3];
        operands[..arity].copy_from_slice(&self.heap.cells[addr + 1..=addr + arity]);
        Ok(EvalStep::Into(Pending { operation, done: 0, operands }, operands[0]))
    }

    /// `[X]` is the value of X, or the code of a one-character atom.
    fn step_into_list(&mut self, addr: usize) -> Result<EvalStep, Fault> {
        if self.heap.deref(self.heap.at(addr + 1)) != Cell::NIL {
            return Err(self.not_evaluable(atoms::DOT, 2));
        }
        let item = self.heap.deref(self.heap.at(addr));
        let code = item.as_atom().and_then(|atom| code_of(self.symbols.name(atom)));
        Ok(code.map_or(EvalStep::Same(item), EvalStep::Value))
    }

    /// `type_error(evaluable, Name/Arity)`.
    pub fn not_evaluable(&mut self, name: Atom, arity: usize) -> Fault {
        let indicator = self.indicator(name, arity);
        self.type_error("evaluable", indicator)
    }

    /// The value of an evaluable atom.
    pub fn apply0(&mut self, op: Op0) -> Cell {
        match op {
            Op0::Random => self.impurity.evaluated.add(Impurity::Random),
            Op0::CpuTime | Op0::RealTime => self.impurity.evaluated.add(Impurity::Clock),
            _ => {}
        }
        let float = match op {
            Op0::Pi => std::f64::consts::PI,
            Op0::E => std::f64::consts::E,
            Op0::Infinity => f64::INFINITY,
            Op0::Nan => f64::NAN,
            Op0::Epsilon => f64::EPSILON,
            Op0::MaxTagged => return Cell::small(MAX_INT),
            Op0::MinTagged => return Cell::small(MIN_INT),
            Op0::MaxInteger => return self.heap.new_int(i64::MAX),
            Op0::MinInteger => return self.heap.new_int(i64::MIN),
            Op0::Random => self.arithmetic.random.float(),
            Op0::CpuTime => self.arithmetic.clock.cpu_seconds(),
            Op0::RealTime => return self.heap.new_int(Clock::unix_seconds() as i64),
        };
        self.heap.new_float(float)
    }

    /// The value of `op(x)` for a number.
    #[inline]
    pub fn apply1(&mut self, op: Op1, x: Cell) -> Result<Cell, Fault> {
        if self.iso
            && let Some(value) = self.round_by_the_standard(op, x)
        {
            return value;
        }
        if let Some(value) = x.as_int() {
            match op {
                Op1::Negate => return Ok(self.heap.new_int(-value)),
                Op1::Plus | Op1::Eval | Op1::Integer | Op1::Truncate => return Ok(x),
                Op1::Abs => return Ok(self.heap.new_int(value.abs())),
                Op1::Sign => return Ok(Cell::small(value.signum())),
                Op1::BitNot => return Ok(Cell::small(!value)),
                _ => {}
            }
        }
        self.apply1_number(op, x)
    }

    /// What rounds a float, as the standard has it: nothing else, and halves upward.
    #[cold]
    fn round_by_the_standard(&mut self, op: Op1, x: Cell) -> Option<Result<Cell, Fault>> {
        let rounds = matches!(
            op,
            Op1::Truncate
                | Op1::Round
                | Op1::Floor
                | Op1::Ceiling
                | Op1::IntegerPart
                | Op1::FractionalPart
        );
        let number = self.number(x).ok().filter(|_| rounds)?;
        match number {
            Number::Float(value) if op == Op1::Round && value.is_finite() => {
                let half_up = Number::Float((value + 0.5).floor());
                Some(self.computed(unary::apply(Op1::Floor, half_up)))
            }
            number if number.is_integer() => {
                Some(self.computed(Err(Failure::Type("float", number))))
            }
            _ => None,
        }
    }

    fn apply1_number(&mut self, op: Op1, x: Cell) -> Result<Cell, Fault> {
        let number = self.number(x)?;
        match op {
            Op1::Random => self.random_in(Number::Int(0), number),
            Op1::RandomFloat => Ok(self.apply0(Op0::Random)),
            _ => self.computed(unary::apply(op, number)),
        }
    }

    /// The value of `op(x, y)` for two numbers.
    #[inline]
    pub fn apply2(&mut self, op: Op2, x: Cell, y: Cell) -> Result<Cell, Fault> {
        let mut op = op;
        if matches!(op, Op2::Divide | Op2::Power | Op2::IntPower) {
            if self.iso && op != Op2::IntPower {
                return self.divide_or_power_by_the_standard(op, x, y);
            }
            // The standard alone has an error where a power of integers is none.
            if !self.iso && op == Op2::IntPower {
                op = Op2::Power;
            }
            if self.prefer_rationals
                && let Some(value) = self.rational_quotient_or_power(op, x, y)
            {
                return self.computed(value);
            }
        }
        if let (Some(a), Some(b)) = (x.as_int(), y.as_int())
            && let Some(value) = apply2_small(op, a, b)
        {
            return Ok(self.heap.new_int(value));
        }
        self.apply2_number(op, x, y)
    }

    /// `x / y` and `x ** y` as the standard has them: floats, also of integers.
    #[cold]
    fn divide_or_power_by_the_standard(
        &mut self,
        op: Op2,
        x: Cell,
        y: Cell,
    ) -> Result<Cell, Fault> {
        let (a, b) = (self.number(x)?, self.number(y)?);
        if op == Op2::Divide && b == Number::Int(0) {
            return self.computed(Err(number::ZERO_DIVISOR));
        }
        let value = if op == Op2::Divide && a.is_integer() && b.is_integer() {
            number::divide_inexact(a, b)
        } else {
            let floats = a.to_float().and_then(|a| Ok((a, b.to_float()?)));
            floats.and_then(|(a, b)| binary::apply(op, Number::Float(a), Number::Float(b)))
        };
        self.computed(value)
    }

    /// A quotient of integers, or a power with a negative exponent, where rational numbers are preferred to floats.
    #[cold]
    fn rational_quotient_or_power(&self, op: Op2, x: Cell, y: Cell) -> Option<Computed> {
        let (a, b) = (self.number_of(x)?, self.number_of(y)?);
        if !a.is_exact() || !b.is_exact() {
            return None;
        }
        match op {
            Op2::Divide => Some(rational::divide(a, b)),
            _ if b.is_negative() => rational::power(&a, &b),
            _ => None,
        }
    }

    fn apply2_number(&mut self, op: Op2, x: Cell, y: Cell) -> Result<Cell, Fault> {
        if let (Some(a), Some(b)) = (self.small_or_float(x), self.small_or_float(y)) {
            let value = match op {
                Op2::Add => a + b,
                Op2::Subtract => a - b,
                Op2::Multiply => a * b,
                Op2::Divide if b != 0.0 => a / b,
                _ => f64::NAN,
            };
            if value.is_finite() && !(x.is_int() && y.is_int()) {
                return Ok(self.heap.new_float(value));
            }
        }
        let (a, b) = (self.number(x)?, self.number(y)?);
        // What may be very large integers.
        match (op, &a, &b) {
            (Op2::RandomRange, ..) => return self.random_in(a, b),
            (Op2::Multiply, Number::Big(x), Number::Big(y))
                if (large::AT_ONCE + 1..=number::MAX_BITS).contains(&(x.bits() + y.bits())) =>
            {
                let product = self.large_product(x, y)?;
                return self.computed(Ok(Number::Big(product)));
            }
            (
                Op2::Divide | Op2::IntDivide | Op2::Div | Op2::Mod | Op2::Rem | Op2::Gcd | Op2::Lcm,
                Number::Big(x),
                Number::Big(y),
            ) => {
                if let Some(found) = self.large_division(op, x, y)? {
                    return self.computed(Ok(found));
                }
            }
            (Op2::Power | Op2::IntPower, ..) if a.bits() > 1 => {
                if let Some(exponent) = large::exponent(&a, &b) {
                    return self.large_power(a, exponent);
                }
            }
            _ => {}
        }
        self.computed(binary::apply(op, a, b))
    }

    /// The value of `op(x, y, z)` for three numbers.
    pub fn apply3(&mut self, op: Op3, x: Cell, y: Cell, z: Cell) -> Result<Cell, Fault> {
        let (x, y, z) = (self.number(x)?, self.number(y)?, self.number(z)?);
        match op {
            Op3::PowM => match self.large_power_modulo(&x, &y, &z)? {
                Some(power) => self.computed(Ok(power)),
                None => self.computed(power::powm(x, y, z)),
            },
        }
    }

    #[inline]
    fn small_or_float(&self, cell: Cell) -> Option<f64> {
        if let Some(value) = cell.as_int() {
            return Some(value as f64);
        }
        let float = cell.is_boxed() && self.heap.at(cell.addr()).header_kind() == HeaderKind::Float;
        float.then(|| self.heap.float_at(cell.addr()))
    }

    fn random_in(&mut self, low: Number, high: Number) -> Result<Cell, Fault> {
        self.impurity.evaluated.add(Impurity::Random);
        let bounds = low.into_big().and_then(|low| Ok((low, high.into_big()?)));
        let (low, high) = match bounds {
            Ok(bounds) => bounds,
            Err(failure) => return Err(self.failure(failure)),
        };
        let span = &high - &low;
        if span.sign() != num_bigint::Sign::Plus {
            return Err(self.failure(Failure::Domain("not_less_than_one", Number::from_big(high))));
        }
        let drawn = match span.to_u64() {
            Some(span) => self.arithmetic.random.below(span).into(),
            None => self.arithmetic.random.below_big(&span),
        };
        Ok(self.heap.new_big(&(low + drawn)))
    }

    /// Order of two numbers by value; `None` when one is not a number's value (NaN).
    #[inline]
    pub fn compare_numbers(&self, x: Cell, y: Cell) -> Option<Ordering> {
        match (x.as_int(), y.as_int()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => self.number_of(x)?.compare(&self.number_of(y)?),
        }
    }

    /// The number of a dereferenced cell, if it is one.
    pub fn number_of(&self, cell: Cell) -> Option<Number> {
        if let Some(value) = cell.as_int() {
            return Some(Number::Int(value));
        }
        if !cell.is_boxed() {
            return None;
        }
        match self.heap.at(cell.addr()).header_kind() {
            HeaderKind::Float => Some(Number::Float(self.heap.float_at(cell.addr()))),
            HeaderKind::Big => Some(Number::from_big(self.heap.big_at(cell.addr()))),
            HeaderKind::Rational => {
                Some(Number::Rational(Box::new(self.heap.rational_at(cell.addr()))))
            }
            _ => None,
        }
    }

    fn number(&mut self, cell: Cell) -> Result<Number, Fault> {
        match self.number_of(cell) {
            Some(number) => Ok(number),
            None => Err(self.type_error("evaluable", cell)),
        }
    }

    /// Puts a number on the heap.
    pub fn push_number(&mut self, number: &Number) -> Cell {
        match number {
            Number::Int(value) => self.heap.new_int(*value),
            Number::Big(value) => self.heap.new_big(value),
            Number::Float(value) => self.heap.new_float(*value),
            Number::Rational(value) => self.heap.new_rational(value),
        }
    }

    fn computed(&mut self, result: Result<Number, Failure>) -> Result<Cell, Fault> {
        match result {
            Ok(number) => {
                let words = number.bits() as usize / 64;
                if words > LARGE {
                    self.computed_words(words)?;
                }
                Ok(self.push_number(&number))
            }
            Err(failure) => Err(self.failure(failure)),
        }
    }

    fn failure(&mut self, failure: Failure) -> Fault {
        match failure {
            Failure::Type(expected, culprit) => {
                let culprit = self.push_number(&culprit);
                self.type_error(expected, culprit)
            }
            Failure::Domain(domain, culprit) => {
                let culprit = self.push_number(&culprit);
                self.domain_error(domain, culprit)
            }
            Failure::Evaluation(what) => self.evaluation_error(what),
            Failure::TooLarge => self.resource_error("memory"),
        }
    }
}

/// The code of a text of one character, which is the value of the text.
fn code_of(text: &str) -> Option<Cell> {
    let mut chars = text.chars();
    let code = i64::from(u32::from(chars.next()?));
    chars.next().is_none().then(|| Cell::small(code))
}

/// Operations of two words (of 61 bits) that end in a word (of 64).
#[inline(always)]
fn apply2_small(op: Op2, a: i64, b: i64) -> Option<i64> {
    match op {
        Op2::Add => Some(a + b),
        Op2::Subtract => Some(a - b),
        Op2::Multiply => a.checked_mul(b),
        Op2::IntDivide => a.checked_div(b),
        Op2::Rem => a.checked_rem(b),
        Op2::Mod if b != 0 => Some(num_integer::Integer::mod_floor(&a, &b)),
        Op2::Div if b != 0 => Some(num_integer::Integer::div_floor(&a, &b)),
        Op2::Divide if a.checked_rem(b) == Some(0) => Some(a / b),
        Op2::Min => Some(a.min(b)),
        Op2::Max => Some(a.max(b)),
        Op2::BitAnd => Some(a & b),
        Op2::BitOr => Some(a | b),
        Op2::Xor => Some(a ^ b),
        Op2::ShiftRight if b >= 0 => Some(a >> b.min(63)),
        _ => None,
    }
}
