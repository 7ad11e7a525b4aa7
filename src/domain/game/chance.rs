//! What rules say of chance: how likely its moves are, and between which bounds values lie.

use super::rules::{Answered, Kit, RuleGame};
use super::training::ignores_argument;
use super::value::RuleValue;
use crate::ask::{self, Arg};
use crate::contract::indicator::{PROBABILITY, UTILITY_BOUNDS as BOUNDS};
use crate::error::{RuleError, Violation};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use zug_machine::{ClauseId, Kind, Machine, PredId};
use zug_search::StateId;
use zug_search::game::{CHANCE, Expected};
use zug_state::{NoNumber, Number, PackedState};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record, Value};

/// Cache of probability distributions that depend on the moves alone.
#[derive(Default)]
pub(super) struct Distributions {
    /// Whether `probability/3` never looks at the state; `None` until it was asked.
    ignore_states: Option<bool>,
    /// By move numbers of the same [`Kit`]: renumbering the moves invalidates them.
    known: FxHashMap<Box<[StateId]>, Arc<[Expected]>>,
    /// Uniform distributions, by the number of moves.
    equal: FxHashMap<usize, Arc<[Expected]>>,
}

/// Most cached distributions: dice need a few, shuffled cards would fill memory.
const MOST_KEPT: usize = 1024;

/// Who moves by chance, in rules.
pub(super) const NAME: &str = "chance";

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// Whether chance moves in this game, as far as it is known.
    pub fn has_chance(&self) -> bool {
        self.roles.probability.is_some() || self.kit.met_chance
    }

    /// The probabilities of moves, one after the other.
    pub(super) fn chances(&mut self, state: &S, moves: &[StateId]) -> Answered<Arc<[Expected]>> {
        let Distributions { ignore_states, known, equal } = &mut self.kit.distributions;
        let Some(pred) = self.roles.probability else {
            let equally = || Expected::equally_likely(moves.len()).into();
            return Ok(equal.entry(moves.len()).or_insert_with(equally).clone());
        };
        let same = *ignore_states.get_or_insert_with(|| is_same_everywhere(self.machine, pred));
        if !same {
            return Ok(self.asked_chances(pred, state, moves)?.into());
        }
        if let Some(found) = known.get(moves) {
            return Ok(found.clone());
        }
        let found: Arc<[Expected]> = self.asked_chances(pred, state, moves)?.into();
        let known = &mut self.kit.distributions.known;
        if known.len() < MOST_KEPT {
            known.insert(moves.into(), found.clone());
        }
        Ok(found)
    }

    fn asked_chances(
        &mut self,
        pred: PredId,
        state: &S,
        moves: &[StateId],
    ) -> Answered<Vec<Expected>> {
        let mut chances = Vec::with_capacity(moves.len());
        for &mv in moves {
            chances.push(self.chance_of(pred, state, mv)?);
        }
        let sum = chances.iter().fold(Expected::zero(), |sum, chance| sum.plus(chance));
        if sum.is_one() {
            return Ok(chances);
        }
        let mut error = self.error(Violation::NotCertain(sum), PROBABILITY, CHANCE, state);
        error.clause = self.machine.program.live_clauses(pred).first().copied();
        Err(error)
    }

    fn chance_of(&mut self, pred: PredId, state: &S, mv: StateId) -> Answered<Expected> {
        let Kit { codec, moves, .. } = &mut *self.kit;
        let (name, from) = (Arg::Packed(moves.bytes_of(mv)), Arg::Packed(&state.bytes()[1..]));
        let asker = (&mut *self.machine, &mut *self.world, codec);
        let found =
            ask::first(asker, pred, &[name, from, Arg::Out], |m, _, [cell]| read_chance(m, cell));
        let found = found.and_then(|chance| chance.ok_or(Violation::NoProbability));
        found.map_err(|violation| {
            let name = self.move_term(mv);
            let clause = ask::clause_about(self.asker(), pred, &[Arg::Term(&name), from]);
            let mut error = self.error(violation, PROBABILITY, CHANCE, state);
            (error.mv, error.clause) = (Some(name), clause);
            error
        })
    }

    /// The least and the greatest value, as the rules declare them.
    pub(super) fn declared_bounds(&mut self) -> Answered<Option<(V, V)>> {
        let Some(pred) = self.roles.utility_bounds else { return Ok(None) };
        let args = [Arg::Out, Arg::Out];
        let found = ask::first(self.asker(), pred, &args, |m, _, [low, high]| {
            Ok((read_number(m, low)?, read_number(m, high)?))
        });
        let found = found.and_then(|found| found.ok_or(Violation::NoWorth));
        let (low, high) = found.map_err(|violation| RuleError::new(violation, BOUNDS))?;
        self.kit.bounds = Some((low, high));
        let finite = !low.is_infinite() && !high.is_infinite();
        let fraction = || RuleError::new(Violation::Fraction, BOUNDS);
        let bounds = V::of(low).zip(V::of(high)).ok_or_else(fraction)?;
        Ok(finite.then_some(bounds))
    }

    /// A value, if it lies between the bounds that were asked for.
    pub(super) fn within_bounds(
        &mut self,
        value: V,
        predicate: &'static str,
        state: &S,
    ) -> Answered<V> {
        let Some((low, high)) = self.kit.bounds else { return Ok(value) };
        let number = value.number();
        if low.as_f64() <= number.as_f64() && number.as_f64() <= high.as_f64() {
            return Ok(value);
        }
        let violation = Violation::BeyondBounds(Box::new([number, low, high]));
        Err(self.error(violation, predicate, state.bytes()[0], state))
    }
}

/// Whether `probability/3` consists of static facts that ignore the state.
fn is_same_everywhere(m: &Machine, pred: PredId) -> bool {
    let clauses = m.program.live_clauses(pred);
    let is_fact = |id: &ClauseId| {
        let (heap, root) = m.program.clauses[*id as usize].record.to_heap();
        let body = heap.name_arity(root).map(|(_, _, args)| heap.deref(heap.at(args + 1)));
        body.and_then(Cell::as_atom) == Some(atoms::TRUE)
    };
    m.program.preds[pred as usize].kind == Kind::Static
        && clauses.iter().all(is_fact)
        && ignores_argument(m, pred, 1)
}

fn read_number(m: &mut Machine, cell: Cell) -> Result<Number, Violation> {
    Number::read(m, cell).map_err(|no_number| match no_number {
        NoNumber::Unbound => Violation::Unbound,
        NoNumber::Other => Violation::NotNumber(Record::new(&mut m.heap, cell)),
        NoNumber::Huge => Violation::HugeValue,
    })
}

/// A probability: an integer, a quotient of two as `1/6` or `1 rdiv 6`, or a float.
fn read_chance(m: &mut Machine, cell: Cell) -> Result<Expected, Violation> {
    let chance = match quotient(m, cell) {
        Some(chance) => chance,
        None => match read_number(m, cell)? {
            Number::Int(value) => Expected::integer(value),
            number => Expected::Float(number.as_f64()),
        },
    };
    if chance.is_positive() { Ok(chance) } else { Err(Violation::NotPositive(chance)) }
}

/// The fraction that a term is, unevaluated.
fn quotient(m: &mut Machine, cell: Cell) -> Option<Expected> {
    let cell = m.heap.deref(cell);
    let (name, arity, args) = m.heap.name_arity(cell)?;
    let is_quotient = name == atoms::SLASH || name == m.symbols.intern("rdiv");
    if !is_quotient || arity != 2 {
        return None;
    }
    let [above, below] = [0, 1].map(|i| m.heap.at(args + i));
    Expected::fraction(integer(m, above)?, integer(m, below)?)
}

fn integer(m: &mut Machine, cell: Cell) -> Option<BigInt> {
    let cell = m.heap.deref(cell);
    if cell.is_var() {
        return None;
    }
    let value = m.eval(cell).ok()?;
    match m.heap.value(value) {
        Value::Int(value) => Some(value.into()),
        Value::Big(value) => Some(value),
        _ => None,
    }
}

/// A value as a term: a fraction that is no integer as the quotient of two.
pub(crate) fn to_cell(m: &mut Machine, value: &Expected) -> Cell {
    match value {
        Expected::Float(value) => m.heap.new_float(*value),
        Expected::Exact(value) if value.is_integer() => m.heap.new_big(value.numer()),
        Expected::Exact(value) => {
            let above = m.heap.new_big(value.numer());
            let below = m.heap.new_big(value.denom());
            m.heap.new_struct(atoms::SLASH, &[above, below])
        }
    }
}
