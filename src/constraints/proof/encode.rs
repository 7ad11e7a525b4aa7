//! Constraints of library(clpfd) as linear models: each constraint, as it was noted, becomes inequalities that its
//! solutions meet, with some values for what is between, and no others.
//!
//! Domains are those that the constraints on single variables say; where a variable has no bounds, those that sums, products
//! and lists leave it. No propagator of the library is asked.

use super::builder::Builder;
use super::operations::Total;
use super::ranges::Ranges;
use super::sums::{Built, Sum, Truth, Unsupported, small};
use crate::domain::Domain;
use crate::expression::{
    Binary, Expression, NoValue, Node, Unary, binary_value, power_bits, unary_value,
};
use crate::formula::{Connective, Part};
use crate::post::Comparison;
use crate::propagators::division::Rounding;
use crate::session::{Refusal, Session};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use zug_proof::VarId;
use zug_term::{Cell, Value};

const NO_TRUTH: &str = "has a truth that has no linear form here";

/// Bits of powers and shifts that are computed.
const MOST_BITS: u64 = 128;
/// What a power or a shift is by, at most.
const MOST_BY: u64 = 1 << 16;

/// Lists of sums of one length.
type Tuples = Vec<Vec<Sum>>;

fn large_values() -> Unsupported {
    "has powers or shifts whose values have more than 60 bits".to_owned()
}

/// The value of an operation on two numbers, if it has one.
fn value_of(operation: Binary, left: i64, right: i64) -> Built<Option<i64>> {
    let (a, b): (BigInt, BigInt) = (left.into(), right.into());
    let up = match operation {
        Binary::ShiftRight => -right,
        _ => right,
    };
    let is_large = match operation {
        Binary::Power => power_bits(&a, &b) > MOST_BITS,
        Binary::ShiftLeft | Binary::ShiftRight => {
            up.unsigned_abs() > MOST_BY || (left != 0 && up > MOST_BITS as i64)
        }
        _ => false,
    };
    if is_large {
        return Err(large_values());
    }
    match binary_value(operation, &a, &b) {
        Some(value) => small(&value).map(Some).map_err(|_| large_values()),
        None => Ok(None),
    }
}

/// What is at most 0 where a value compares so with another one, by order.
fn excess(comparison: Comparison, x: &Sum, y: &Sum) -> Built<Sum> {
    let (less, more) = match comparison {
        Comparison::AtLeast | Comparison::Greater => (y, x),
        _ => (x, y),
    };
    let is_strict = matches!(comparison, Comparison::Less | Comparison::Greater);
    less.minus(more)?.more(is_strict.into())
}

/// The two truths of which one must hold, for a connective that says so.
fn alternatives(connective: Connective, x: Truth, y: Truth) -> Option<[Truth; 2]> {
    match connective {
        Connective::Or => Some([x, y]),
        Connective::Implies => Some([x.not(), y]),
        Connective::Follows => Some([x, y.not()]),
        _ => None,
    }
}

pub(super) struct Valued {
    pub value: Sum,
    /// Whether no divisor is 0.
    pub defined: Truth,
    /// Whether each of its functions has a value whatever its arguments are: where one has none, no values of the variables
    /// meet what was built.
    is_total: bool,
}

/// What the posting predicates say of a term that they do not take.
pub(super) fn taken<T>(found: Result<T, Refusal>) -> Built<T> {
    found.map_err(|_| "has an argument that is not known when it is posted".to_owned())
}

/// Makes linear constraints of constraints.
pub(super) struct Encoder<'e, 's> {
    pub session: &'e mut Session<'s>,
    pub builder: Builder,
    pub variables: FxHashMap<Cell, VarId>,
    /// Why others are not declared.
    pub undeclared: FxHashMap<Cell, String>,
}

impl Encoder<'_, '_> {
    pub(super) fn operand(&mut self, cell: Cell) -> Built<Sum> {
        match self.session.m.heap.value(cell) {
            Value::Int(value) => Ok(Sum::number(value)),
            Value::Big(value) => Ok(Sum::number(small(&value)?)),
            Value::Var(_) => {
                let cell = self.session.m.heap.deref(cell);
                match (self.variables.get(&cell), self.undeclared.get(&cell)) {
                    (Some(&var), _) => Ok(Sum::var(var)),
                    (None, Some(why)) => Err(format!("has a variable: {why}")),
                    (None, None) => Err("has a variable without bounds".to_owned()),
                }
            }
            _ => Err("has an argument that is no integer".to_owned()),
        }
    }

    pub(super) fn operands(&mut self, list: Cell) -> Built<Vec<Sum>> {
        let items = taken(self.session.list(list))?;
        items.into_iter().map(|item| self.operand(item)).collect()
    }

    pub(super) fn rows(&mut self, list: Cell) -> Built<Tuples> {
        let items = taken(self.session.list(list))?;
        items.into_iter().map(|item| self.operands(item)).collect()
    }

    pub(super) fn numbers(&mut self, list: Cell) -> Built<Vec<i64>> {
        let items = taken(self.session.list(list))?;
        let number = |item| {
            let number = taken(self.session.number(item))?;
            small(&number)
        };
        items.into_iter().map(number).collect()
    }

    /// Tuples, and the rows that they may be.
    fn table(&mut self, tuples: Cell, rows: Cell) -> Built<(Tuples, Vec<Vec<i64>>)> {
        let tuples = self.rows(tuples)?;
        let rows = taken(self.session.list(rows))?;
        let rows = rows.into_iter().map(|row| self.numbers(row)).collect::<Built<_>>()?;
        Ok((tuples, rows))
    }

    pub fn value(&mut self, e: &Expression) -> Built<Valued> {
        let known = |value: Sum, defined: bool| Valued {
            value,
            defined: Truth::Known(defined),
            is_total: true,
        };
        match e.value(e.root()) {
            Some(Ok(value)) => return Ok(known(Sum::number(small(&value)?), true)),
            Some(Err(NoValue::Undefined)) => return Ok(known(Sum::number(0), false)),
            Some(Err(NoValue::TooLarge)) => return Err(large_values()),
            None => {}
        }
        let mut values: Vec<Sum> = Vec::with_capacity(e.nodes.len());
        let mut defined = Vec::new();
        let mut is_total = true;
        for node in &e.nodes {
            let found: Total = match node {
                Node::Variable(cell) => self.operand(*cell)?.into(),
                Node::Integer(value) => Sum::number(small(value)?).into(),
                Node::Unary(operation, part) => self.unary(*operation, &values[*part].clone())?,
                Node::Binary(operation, left, right) => {
                    let (x, y) = (values[*left].clone(), values[*right].clone());
                    self.binary(*operation, &x, &y, &mut defined)?
                }
            };
            is_total &= found.is_total;
            values.push(found.value);
        }
        let defined = self.builder.all(&defined)?;
        Ok(Valued { value: values.pop().unwrap_or_default(), defined, is_total })
    }

    /// The value of an expression that must have one.
    pub fn defined_value(&mut self, e: &Expression) -> Built<Sum> {
        let Valued { value, defined, .. } = self.value(e)?;
        if defined != Truth::Known(true) {
            self.builder.assert(defined)?;
        }
        Ok(value)
    }

    fn unary(&mut self, operation: Unary, x: &Sum) -> Built<Total> {
        Ok(match operation {
            Unary::Negate => x.times(-1)?.into(),
            Unary::Abs => self.builder.absolute(x)?.into(),
            Unary::BitNot => x.times(-1)?.more(-1)?.into(),
            Unary::HighestBit | Unary::LowestBit | Unary::BitCount => {
                let apply = |value: i64| {
                    let found = unary_value(operation, &value.into());
                    found.map(|value| small(&value)).transpose()
                };
                self.builder.function(x, "bits", apply)?
            }
        })
    }

    fn binary(
        &mut self,
        operation: Binary,
        x: &Sum,
        y: &Sum,
        defined: &mut Vec<Truth>,
    ) -> Built<Total> {
        let rounding = match operation {
            Binary::Add => return Ok(x.plus(1, y)?.into()),
            Binary::Subtract => return Ok(x.minus(y)?.into()),
            Binary::Multiply => return Ok(self.builder.product(x, y)?.into()),
            Binary::Greatest => return Ok(self.builder.greatest(x, y)?.into()),
            Binary::Least => {
                let most = self.builder.greatest(&x.times(-1)?, &y.times(-1)?)?;
                return Ok(most.times(-1)?.into());
            }
            Binary::Floor | Binary::Modulo => Rounding::Floor,
            Binary::Truncate | Binary::Remainder | Binary::Exact => Rounding::Truncate,
            Binary::Power
            | Binary::ShiftLeft
            | Binary::ShiftRight
            | Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor => {
                if let Some(b) = y.as_number() {
                    return self.builder.function(x, "power", |a| value_of(operation, a, b));
                }
                let apply = |a, b| value_of(operation, a, b);
                return self.builder.function2([x, y], "power", apply);
            }
        };
        let division = self.builder.divided(rounding, x, y)?;
        defined.push(division.defined);
        match operation {
            Binary::Modulo | Binary::Remainder => Ok(division.remainder.into()),
            Binary::Exact => {
                // Of a quotient that is not exact, the library says not that it is undefined: it fails.
                let is_exact = self.builder.is_0(&division.remainder)?;
                self.builder.assert(is_exact)?;
                let is_total = is_exact == Truth::Known(true);
                Ok(Total { value: division.quotient, is_total })
            }
            _ => Ok(division.quotient.into()),
        }
    }

    pub(super) fn compare(&mut self, comparison: Comparison, x: &Sum, y: &Sum) -> Built {
        match comparison {
            Comparison::Equal => self.builder.equal(x, y),
            Comparison::NotEqual => self.builder.differ(x, y),
            _ => self.builder.at_most_0(&excess(comparison, x, y)?),
        }
    }

    fn sides(&mut self, left: Cell, right: Cell) -> Built<(Expression, Expression)> {
        let left = taken(self.session.expression(left))?;
        Ok((left, taken(self.session.expression(right))?))
    }

    /// Whether two terms compare so.
    ///
    /// A function without a value makes the truth 0 if its side of the comparison is known when it is posted, which is a
    /// question of what was propagated until then; or else it fails. So there is no linear form of it.
    fn compared(&mut self, comparison: Comparison, left: Cell, right: Cell) -> Built<Truth> {
        let (x, y) = self.sides(left, right)?;
        let (x, y) = (self.value(&x)?, self.value(&y)?);
        if !x.is_total || !y.is_total {
            return Err(
                "has a truth with functions that have no value for some of their arguments, which has no linear form here"
                    .to_owned(),
            );
        }
        if [x.defined, y.defined].contains(&Truth::Known(false)) {
            return Ok(Truth::Known(false));
        }
        let (defined, x, y) = ([x.defined, y.defined], x.value, y.value);
        let b = &mut self.builder;
        let truth = match comparison {
            Comparison::Equal => b.is_0(&x.minus(&y)?)?,
            Comparison::NotEqual => b.is_0(&x.minus(&y)?)?.not(),
            _ => b.is_at_most_0(&excess(comparison, &x, &y)?)?,
        };
        b.all(&[truth, defined[0], defined[1]])
    }

    fn within(&mut self, x: &Sum, set: Option<&Domain>) -> Built<Truth> {
        let mut parts = Vec::new();
        for (lo, hi) in set.map(Domain::parts).unwrap_or_default() {
            let mut both = Vec::new();
            if let Some(lo) = lo.finite() {
                both.push(self.builder.is_at_most_0(&Sum::number(small(lo)?).minus(x)?)?);
            }
            if let Some(hi) = hi.finite() {
                both.push(self.builder.is_at_most_0(&x.more(-small(hi)?)?)?);
            }
            parts.push(self.builder.all(&both)?);
        }
        self.builder.any(&parts)
    }

    fn formula(&mut self, formula: Cell) -> Built<Truth> {
        let parts = taken(self.session.parts(formula))?;
        let mut truths: Vec<Truth> = Vec::with_capacity(parts.len());
        for part in parts {
            let truth = match part {
                Part::Truth(cell) => self.truth(cell)?,
                Part::Compare(comparison, left, right) => self.compared(comparison, left, right)?,
                Part::In(x, set) => {
                    let (x, set) = (self.operand(x)?, taken(self.session.set(set))?);
                    self.within(&x, set.as_ref())?
                }
                Part::InSet(x, set) => {
                    let (x, set) = (self.operand(x)?, taken(self.session.given_set(set))?);
                    self.within(&x, set.as_ref())?
                }
                Part::Finite(_) => return Err(NO_TRUTH.to_owned()),
                Part::Tuples(tuples, rows) => {
                    let (tuples, rows) = self.table(tuples, rows)?;
                    let mut all = Vec::new();
                    for tuple in tuples {
                        all.push(self.builder.is_in_table(&tuple, &rows)?);
                    }
                    self.builder.all(&all)?
                }
                Part::Not(part) => truths[part].not(),
                Part::Both(connective, left, right) => {
                    let (x, y) = (truths[left], truths[right]);
                    let b = &mut self.builder;
                    match (connective, alternatives(connective, x, y)) {
                        (_, Some(one_of)) => b.any(&one_of)?,
                        (Connective::And, _) => b.all(&[x, y])?,
                        (Connective::Different, _) => b.is_same(x, y)?.not(),
                        _ => b.is_same(x, y)?,
                    }
                }
            };
            truths.push(truth);
        }
        truths.pop().ok_or_else(|| NO_TRUTH.to_owned())
    }

    /// A variable that is 0 or 1, or one of these.
    fn truth(&mut self, cell: Cell) -> Built<Truth> {
        match self.session.m.heap.value(cell) {
            Value::Int(value @ (0 | 1)) => return Ok(Truth::Known(value == 1)),
            Value::Var(_) => {}
            _ => return Err(NO_TRUTH.to_owned()),
        }
        let sum = self.operand(cell)?;
        self.builder.at_most_0(&sum.more(-1)?)?;
        self.builder.at_most_0(&sum.times(-1)?)?;
        self.builder.is_at_most_0(&Sum::number(1).minus(&sum)?)
    }

    pub fn post(&mut self, goal: Cell) -> Built {
        let Some((name, args)) = self.session.named(goal) else { return Ok(()) };
        if let (Some(comparison), [left, right]) = (Comparison::of(&name), &args[..]) {
            let (x, y) = self.sides(*left, *right)?;
            let (x, y) = (self.defined_value(&x)?, self.defined_value(&y)?);
            return self.compare(comparison, &x, &y);
        }
        // What is at the top needs no variable for its truth.
        if let (Some(connective), [left, right]) = (Connective::of(&name), &args[..]) {
            let x = self.formula(*left)?;
            if connective == Connective::And {
                self.builder.assert(x)?;
            }
            let y = self.formula(*right)?;
            return match (connective, alternatives(connective, x, y)) {
                (_, Some(one_of)) => self.builder.one_of(&one_of),
                (Connective::And, _) => self.builder.assert(y),
                (Connective::Different, _) => self.builder.same(x, y.not()),
                _ => self.builder.same(x, y),
            };
        }
        match (&*name, args.len()) {
            ("in" | "in_set", 2) | ("#\\", 1) => {
                let truth = self.formula(goal)?;
                self.builder.assert(truth)
            }
            ("scalar_product", 4) => self.scalar_product(&args),
            ("all_different" | "all_distinct", 1) => {
                let all = self.operands(args[0])?;
                self.builder.all_different(&all)
            }
            ("circuit", 1) => self.circuit(args[0]),
            ("lex_chain", 1) => {
                let lists = self.rows(args[0])?;
                lists.windows(2).try_for_each(|pair| self.in_order(&pair[0], &pair[1]))
            }
            ("tuples_in", 2) => {
                let (tuples, rows) = self.table(args[0], args[1])?;
                tuples.iter().try_for_each(|tuple| self.builder.table(tuple, &rows))
            }
            ("element", 3) => self.element(&args),
            ("global_cardinality", 2 | 3) => self.global_cardinality(&args),
            ("serialized", 2) => self.serialized(&args),
            ("cumulative", 1 | 2) => self.cumulative(&args),
            ("disjoint2", 1) => self.disjoint(args[0]),
            _ => Err("has no linear form here".to_owned()),
        }
    }

    /// Declares the variables of constraints.
    pub fn declare(&mut self, ranges: &Ranges, names: &[(String, Cell)]) -> Built {
        for (name, cell) in names {
            if self.variables.contains_key(cell) {
                continue;
            }
            // What is in no constraint as an integer, as the name of a task, needs no values.
            let values = match ranges.values(*cell) {
                Ok(values) => values,
                Err(why) => {
                    self.undeclared.insert(*cell, format!("`{name}` {why}"));
                    continue;
                }
            };
            let notes = ranges.notes(*cell);
            let note = Some(if notes.is_empty() {
                name.clone()
            } else {
                format!("{name}: {}", notes.join(", "))
            });
            let var = self.builder.new_var(name, values, note)?;
            self.variables.insert(*cell, var);
        }
        Ok(())
    }
}
