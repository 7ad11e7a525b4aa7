//! Numbers as certificates write them, unevaluated: [`Figure`].
//!
//! Numbers are compared with those that follow from the rules, and never computed with before: a huge number costs no more
//! than reading it.

use super::Rejected;
use super::records::Fact;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};
use zug_matrix::Rational;
use zug_search::game::Expected;
use zug_state::{Large, Number};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Value};

/// Bits of the numerator and the denominator of a probability of a strategy.
pub(super) const MOST_BITS: u64 = 1 << 14;
/// Bits of a bound, or of its scale.
const UNIT_BITS: u64 = 127;
/// Bits of a rank.
const RANK_BITS: u64 = 63;

/// A number that a certificate says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Figure {
    /// An integer.
    Whole(BigInt),
    /// A fraction: what is above is an integer, what is below an integer above 1.
    Fraction(BigInt, BigInt),
    /// A finite float other than -0.0.
    Float(f64),
}

impl Figure {
    /// The number that a term is, if it is one.
    pub fn of(heap: &Heap, cell: Cell) -> Option<Figure> {
        let cell = heap.deref(cell);
        if let Some([above, below]) = heap.match_struct::<2>(cell, atoms::SLASH) {
            let (above, below) = (whole(heap, above)?, whole(heap, below)?);
            return (below > BigInt::one()).then_some(Figure::Fraction(above, below));
        }
        match heap.value(cell) {
            Value::Float(value) => {
                let is_figure = value.is_finite() && (value != 0.0 || value.is_sign_positive());
                is_figure.then_some(Figure::Float(value))
            }
            _ => whole(heap, cell).map(Figure::Whole),
        }
    }

    /// Whether it is this number, of the same kind and in lowest terms.
    pub fn is(&self, value: &Expected) -> bool {
        match (self, value) {
            (Figure::Whole(own), Expected::Exact(value)) => {
                value.is_integer() && own == value.numer()
            }
            (Figure::Fraction(above, below), Expected::Exact(value)) => {
                above == value.numer() && below == value.denom()
            }
            (Figure::Float(own), Expected::Float(value)) => own == value,
            _ => false,
        }
    }

    /// A cost or a value of the rules, or half of what two players get.
    pub fn expected(&self) -> Option<Expected> {
        match self {
            Figure::Whole(value) => Some(Expected::integer(value.clone())),
            Figure::Fraction(above, below) if *below == BigInt::from(2) => {
                Expected::fraction(above.clone(), below.clone())
            }
            Figure::Fraction(..) => None,
            Figure::Float(value) => Some(Expected::Float(*value)),
        }
    }

    /// A probability: a fraction in lowest terms above 0, of so few digits that it can be counted with.
    pub fn share(&self) -> Option<Rational> {
        let (above, below) = match self {
            Figure::Whole(value) => (value.clone(), BigInt::one()),
            Figure::Fraction(above, below) => (above.clone(), below.clone()),
            Figure::Float(_) => return None,
        };
        let is_short = above.bits() <= MOST_BITS && below.bits() <= MOST_BITS;
        if !above.is_positive() || !is_short {
            return None;
        }
        let share = Rational::new(above, below.clone());
        (*share.denom() == below).then_some(share)
    }
}

fn whole(heap: &Heap, cell: Cell) -> Option<BigInt> {
    match heap.value(heap.deref(cell)) {
        Value::Int(value) => Some(value.into()),
        Value::Big(value) => Some(value),
        _ => None,
    }
}

impl Fact {
    /// An argument that is a number.
    pub fn figure(&self, at: usize) -> Result<Figure, Rejected> {
        let (heap, root) = self.arguments[at].to_heap();
        let found = Figure::of(&heap, root);
        found.ok_or_else(|| Rejected::at(self.line, "it has no number where one belongs"))
    }

    /// An argument that is a list of numbers.
    pub fn figures(&self, at: usize) -> Result<Vec<Figure>, Rejected> {
        let (heap, root) = self.arguments[at].to_heap();
        let items = heap.proper_list(root);
        let found = items.and_then(|items| {
            items.into_iter().map(|item| Figure::of(&heap, item)).collect::<Option<_>>()
        });
        found.ok_or_else(|| Rejected::at(self.line, "it has no list of numbers where one belongs"))
    }

    /// An argument that is a cost.
    pub fn cost(&self, at: usize) -> Result<Number, Rejected> {
        let cost = match self.figure(at)? {
            Figure::Whole(value) => match value.to_i64() {
                Some(small) => Some(Number::Int(small)),
                None => Large::of_big(&value).map(Number::Large),
            },
            Figure::Float(value) => Some(Number::Float(value)),
            Figure::Fraction(..) => None,
        };
        let cost = cost.filter(|cost| !cost.is_negative());
        cost.ok_or_else(|| Rejected::at(self.line, "its cost is no sum of costs of moves"))
    }

    /// An argument that is a rank.
    pub fn rank(&self, at: usize) -> Result<u64, Rejected> {
        let rank = self.integer(at, RANK_BITS)?;
        rank.to_u64().ok_or_else(|| Rejected::at(self.line, "its rank is no natural number"))
    }

    /// An argument that is a bound, or its scale.
    pub fn units(&self, at: usize) -> Result<BigInt, Rejected> {
        self.integer(at, UNIT_BITS)
    }

    /// An argument that is an integer of at most `bits` bits.
    pub fn integer(&self, at: usize, bits: u64) -> Result<BigInt, Rejected> {
        match self.figure(at)? {
            Figure::Whole(value) if value.bits() <= bits => Ok(value),
            _ => {
                Err(Rejected::at(self.line, "it has no integer where one belongs, or a large one"))
            }
        }
    }
}
