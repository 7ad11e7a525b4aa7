//! Products of very large integers, which take seconds: in parts, with a look at the
//! limits between them (Karatsuba and Ofman 1962).

use super::super::{Fault, Machine};
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
        let number = |bits: u64, odd: u32| (BigInt::from(odd) << bits) / 7 + 5;
        for (a, b) in [(1 << 22, 1 << 22), (9 << 20, 5 << 20), (17 << 20, 3 << 20)] {
            let (a, b) = (number(a, 0x1234_5677), -number(b, 0x7654_3211));
            let product = machine.large_product(&a, &b).expect("no limit");
            assert!(product == &a * &b);
        }
    }

    #[test]
    fn a_limit_ends_a_product() {
        let mut machine = Machine::new();
        machine.deadline = Some(std::time::Instant::now());
        let a = BigInt::from(3) << AT_ONCE;
        assert!(matches!(machine.large_product(&a, &a), Err(Fault::Stopped(_))));
    }
}
