//! Operations on very large integers, which take seconds or minutes: in parts
//! ([`zug_term::numeral`]), with a look at the limits between them.

use super::super::{Fault, Machine};
use super::number::{Failure, MAX_BITS, Number};
use super::ops::Op2;
use num_bigint::{BigInt, BigUint, Sign};
use zug_term::{Cell, numeral};

/// Bits of the largest factors that are multiplied in one go.
pub(super) const AT_ONCE: u64 = numeral::AT_ONCE;
/// Bits of two numbers together whose greatest common divisor is found in one go.
const GCD_AT_ONCE: u64 = 1 << 15;

impl Machine {
    #[cold]
    pub(super) fn large_product(&self, a: &BigInt, b: &BigInt) -> Result<BigInt, Fault> {
        let sign = if a.sign() == b.sign() { Sign::Plus } else { Sign::Minus };
        let product = numeral::product(a.magnitude(), b.magnitude(), &mut || self.keep_going())?;
        Ok(BigInt::from_biguint(sign, product))
    }

    /// A power whose exponent [`exponent`] found to be a matter of time.
    #[cold]
    pub(super) fn large_power(&mut self, base: Number, exponent: u32) -> Result<Cell, Fault> {
        let base = match base.into_big() {
            Ok(base) => base,
            Err(failure) => return Err(self.failure(failure)),
        };
        let mut power = BigInt::from(1);
        for bit in (0..u32::BITS - exponent.leading_zeros()).rev() {
            power = self.large_product(&power, &power)?;
            if exponent >> bit & 1 == 1 {
                power = self.large_product(&power, &base)?;
            }
        }
        self.computed(Ok(Number::Big(power)))
    }

    /// A quotient, a remainder, a gcd or an lcm of numbers so large that it takes time; `None` for all others.
    #[cold]
    pub(super) fn large_division(
        &mut self,
        op: Op2,
        a: &BigInt,
        b: &BigInt,
    ) -> Result<Option<Number>, Fault> {
        let (x, y) = (a.magnitude(), b.magnitude());
        let go_on = &mut || self.keep_going();
        if matches!(op, Op2::Gcd | Op2::Lcm) {
            if x.bits() + y.bits() <= GCD_AT_ONCE || x.bits() == 0 || y.bits() == 0 {
                return Ok(None);
            }
            let common = numeral::gcd(x, y, go_on)?;
            if op == Op2::Gcd {
                return Ok(Some(Number::from_big(common.into())));
            }
            if x.bits() + y.bits() > MAX_BITS {
                return Err(self.failure(Failure::TooLarge));
            }
            let (part, _) = numeral::quotient(x, &common, go_on)?;
            return Ok(Some(Number::from_big(numeral::product(&part, y, go_on)?.into())));
        }
        if !numeral::is_long_division(x, y) {
            return Ok(None);
        }
        let (quotient, rest) = numeral::quotient(x, y, go_on)?;
        let differ = a.sign() != b.sign();
        let exact = rest == BigUint::ZERO;
        let signed = |sign: Sign, value: BigUint| BigInt::from_biguint(sign, value);
        let quotient = signed(if differ { Sign::Minus } else { Sign::Plus }, quotient);
        let rest = signed(a.sign(), rest);
        let found = match op {
            Op2::IntDivide => quotient,
            Op2::Rem => rest,
            Op2::Div if differ && !exact => quotient - 1,
            Op2::Div => quotient,
            Op2::Mod if differ && !exact => rest + b,
            Op2::Mod => rest,
            // `/` with a rest is a float, of which the first words tell all.
            _ if exact => quotient,
            _ => {
                let inexact = super::number::divide_inexact(
                    Number::Big(a.clone()),
                    Number::from_big(b.clone()),
                );
                return inexact.map(Some).map_err(|failure| self.failure(failure));
            }
        };
        Ok(Some(Number::from_big(found)))
    }

    /// `powm` of numbers so large that it takes time; `None` for others, and for those that are errors.
    #[cold]
    pub(super) fn large_power_modulo(
        &mut self,
        base: &Number,
        exponent: &Number,
        modulus: &Number,
    ) -> Result<Option<Number>, Fault> {
        const STEPS_AT_ONCE: u64 = 1 << 20;
        let words = modulus.bits() / 64 + 1;
        let steps = words.saturating_mul(words).saturating_mul(exponent.bits());
        let negative = [base, exponent, modulus].into_iter().any(Number::is_negative);
        if negative || steps + base.bits() / 64 <= STEPS_AT_ONCE || modulus.bits() == 0 {
            return Ok(None);
        }
        let whole = |number: &Number| number.clone().into_big().ok().map(|big| big.into_parts().1);
        let (Some(base), Some(exponent), Some(modulus)) =
            (whole(base), whole(exponent), whole(modulus))
        else {
            return Ok(None);
        };
        let go_on = &mut || self.keep_going();
        let power = numeral::power_modulo(&base, &exponent, &modulus, go_on)?;
        Ok(Some(Number::from_big(power.into())))
    }

    /// The digits of an integer in a base from 2 to 36.
    ///
    /// # Errors
    /// A limit ends it, or there is no room for N.
    pub fn integer_text(&mut self, value: &BigInt, base: u32) -> Result<String, Fault> {
        let digits = value.bits() as f64 / f64::from(base).log2();
        self.room_for(digits as usize)?;
        numeral::text(value, base, &mut || self.keep_going())
    }
}

/// The exponent of a power of integers whose value is large, but not too large.
pub(super) fn exponent(base: &Number, exponent: &Number) -> Option<u32> {
    match exponent {
        Number::Int(value @ 2..) if base.is_integer() => {
            let bits = (base.bits() - 1).saturating_mul(*value as u64);
            (AT_ONCE..=MAX_BITS).contains(&bits).then_some(*value as u32)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_in_parts_are_powers() {
        let mut machine = Machine::new();
        let (base, by) = (Number::Int(-3), Number::Int(5_000_001));
        let by = exponent(&base, &by).expect("a large power");
        let cell = machine.large_power(base, by).expect("no limit");
        assert_eq!(machine.number_of(cell), Some(Number::Big(BigInt::from(-3).pow(by))));
        assert_eq!(exponent(&Number::Int(3), &Number::Int(1000)), None);
    }

    #[test]
    fn divisions_in_parts_are_divisions() {
        use num_integer::Integer;
        let mut machine = Machine::new();
        let a: BigInt = (BigInt::from(0x1234_5677) << (1 << 20)) / 7;
        let b: BigInt = (BigInt::from(0x7654_3211) << (1 << 19)) / 11;
        for (a, b) in [(a.clone(), b.clone()), (-&a, b.clone()), (a.clone(), -&b), (-&a, -&b)] {
            for (op, expected) in [
                (Op2::IntDivide, &a / &b),
                (Op2::Rem, &a % &b),
                (Op2::Div, a.div_floor(&b)),
                (Op2::Mod, a.mod_floor(&b)),
            ] {
                let found = machine.large_division(op, &a, &b).expect("no limit");
                assert!(found == Some(Number::from_big(expected)), "{op:?}");
            }
        }
        let found = machine.large_division(Op2::Divide, &(&a * &b), &b).expect("no limit");
        assert!(found == Some(Number::Big(a)));
    }

    #[test]
    fn a_limit_ends_a_product() {
        let mut machine = Machine::new();
        machine.deadline = Some(std::time::Instant::now());
        let a = BigInt::from(3) << AT_ONCE;
        assert!(matches!(machine.large_product(&a, &a), Err(Fault::Stopped(_))));
    }
}
