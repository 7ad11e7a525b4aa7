//! Products and powers of very large integers, which take seconds: in parts, with a look at the
//! limits between them (Karatsuba and Ofman 1962).

use super::super::{Fault, Machine};
use super::number::{MAX_BITS, Number};
use crate::term::Cell;
use num_bigint::{BigInt, BigUint, Sign};

/// Bits of the largest factors that are multiplied in one go: a tenth of a second.
pub(super) const AT_ONCE: u64 = 1 << 22;

impl Machine {
    /// The product of two large integers, unless a limit ends it.
    #[cold]
    pub(super) fn large_product(&self, a: &BigInt, b: &BigInt) -> Result<BigInt, Fault> {
        let sign = if a.sign() == b.sign() { Sign::Plus } else { Sign::Minus };
        Ok(BigInt::from_biguint(sign, self.product(a.magnitude(), b.magnitude())?))
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
        Ok(self.push_number(&Number::Big(power)))
    }

    /// Calls itself no deeper than the factors have doublings above [`AT_ONCE`].
    fn product(&self, a: &BigUint, b: &BigUint) -> Result<BigUint, Fault> {
        if let Some(reason) = self.stop_reason() {
            return Err(Fault::Stopped(reason));
        }
        let (long, short) = if a.bits() < b.bits() { (b, a) } else { (a, b) };
        if long.bits() <= AT_ONCE {
            return Ok(long * short);
        }
        let half = long.bits().div_ceil(2);
        let (high, low) = parts(long, half);
        if short.bits() <= half {
            return Ok((self.product(&high, short)? << half) + self.product(&low, short)?);
        }
        let (short_high, short_low) = parts(short, half);
        let highs = self.product(&high, &short_high)?;
        let lows = self.product(&low, &short_low)?;
        let all = self.product(&(high + low), &(short_high + short_low))?;
        let middle = all - &highs - &lows;
        Ok((highs << (2 * half)) + (middle << half) + lows)
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

/// The bits from `at` on, and those below.
fn parts(x: &BigUint, at: u64) -> (BigUint, BigUint) {
    let high = x >> at;
    let low = x - (&high << at);
    (high, low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_in_parts_are_products() {
        let machine = Machine::new();
        let number = |bits: u64, odd: u32| -> BigInt { (BigInt::from(odd) << bits) / 7 + 5 };
        for (a, b) in [(1 << 22, 1 << 22), (9 << 20, 5 << 20), (17 << 20, 3 << 20)] {
            let (a, b) = (number(a, 0x1234_5677), -number(b, 0x7654_3211));
            let product = machine.large_product(&a, &b).expect("no limit");
            assert!(product == &a * &b);
        }
    }

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
    fn a_limit_ends_a_product() {
        let mut machine = Machine::new();
        machine.deadline = Some(std::time::Instant::now());
        let a = BigInt::from(3) << AT_ONCE;
        assert!(matches!(machine.large_product(&a, &a), Err(Fault::Stopped(_))));
    }
}
