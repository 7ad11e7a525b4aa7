//! Large integers in parts: products, quotients and digits, with a chance to stop between
//! the parts.
//!
//! What one operation on numbers of many megabits takes is seconds or minutes. The functions
//! here do the same in steps of milliseconds and ask `go_on` before each; its error ends the
//! work. Products are by Karatsuba and Ofman (1962), quotients by long division in blocks of
//! words (Knuth, The Art of Computer Programming 2, 4.3.1), digits by dividing by powers of
//! the base that halve the number (Knuth 2, 4.4).

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;

/// A callback between two parts of the work; its error ends the work.
pub type GoOn<'g, E> = dyn FnMut() -> Result<(), E> + 'g;

/// Bits of the largest factors that are multiplied in one go: a tenth of a second.
pub const AT_ONCE: u64 = 1 << 22;
/// Steps of a quotient that is computed in one go, in words of the divisor times words of
/// the quotient: a few milliseconds.
const STEPS_AT_ONCE: u64 = 1 << 21;
/// Bits of a number whose digits are made in one go.
const DIGITS_AT_ONCE: u64 = 1 << 14;

/// The product, in parts. Calls itself no deeper than the factors have doublings above
/// [`AT_ONCE`].
pub fn product<E>(a: &BigUint, b: &BigUint, go_on: &mut GoOn<'_, E>) -> Result<BigUint, E> {
    go_on()?;
    let (long, short) = if a.bits() < b.bits() { (b, a) } else { (a, b) };
    if long.bits() <= AT_ONCE {
        return Ok(long * short);
    }
    let half = long.bits().div_ceil(2);
    let (high, low) = parts(long, half);
    if short.bits() <= half {
        return Ok((product(&high, short, go_on)? << half) + product(&low, short, go_on)?);
    }
    let (short_high, short_low) = parts(short, half);
    let highs = product(&high, &short_high, go_on)?;
    let lows = product(&low, &short_low, go_on)?;
    let all = product(&(high + low), &(short_high + short_low), go_on)?;
    let middle = all - &highs - &lows;
    Ok((highs << (2 * half)) + (middle << half) + lows)
}

/// The bits from `at` on, and those below.
fn parts(x: &BigUint, at: u64) -> (BigUint, BigUint) {
    let high = x >> at;
    let low = x - (&high << at);
    (high, low)
}

/// Whether a quotient is too much for one go.
pub fn is_long_division(a: &BigUint, b: &BigUint) -> bool {
    let (a, b) = (a.bits(), b.bits());
    a > b && ((a - b) / 64 + 1).saturating_mul(b / 64 + 1) > STEPS_AT_ONCE
}

/// Quotient and rest of a division by a number that is not 0.
pub fn quotient<E>(
    a: &BigUint,
    b: &BigUint,
    go_on: &mut GoOn<'_, E>,
) -> Result<(BigUint, BigUint), E> {
    go_on()?;
    if !is_long_division(a, b) {
        return Ok(a.div_rem(b));
    }
    // Digits of the quotient in a base of `block` words of 32 bits.
    let words = b.bits().div_ceil(32);
    let block = usize::try_from(4 * STEPS_AT_ONCE / words).unwrap_or(usize::MAX).max(8);
    let digits = a.to_u32_digits();
    let mut found = vec![0; digits.len()];
    let mut rest = BigUint::ZERO;
    for (i, chunk) in digits.chunks(block).enumerate().rev() {
        go_on()?;
        rest = (rest << (32 * chunk.len())) + BigUint::from_slice(chunk);
        let (digit, left) = rest.div_rem(b);
        rest = left;
        let digit = digit.to_u32_digits();
        found[i * block..i * block + digit.len()].copy_from_slice(&digit);
    }
    Ok((BigUint::new(found), rest))
}

/// The greatest common divisor (Euclid).
pub fn gcd<E>(a: &BigUint, b: &BigUint, go_on: &mut GoOn<'_, E>) -> Result<BigUint, E> {
    /// Bits of numbers for which the usual way takes a millisecond.
    const SMALL: u64 = 1 << 14;
    let (mut a, mut b) = (a.clone(), b.clone());
    while b.bits() > SMALL {
        let (_, rest) = quotient(&a, &b, go_on)?;
        a = std::mem::replace(&mut b, rest);
    }
    if b == BigUint::ZERO {
        return Ok(a);
    }
    let (_, rest) = quotient(&a, &b, go_on)?;
    Ok(b.gcd(&rest))
}

/// `base` to the power of `exponent`, modulo a number that is not 0.
pub fn power_modulo<E>(
    base: &BigUint,
    exponent: &BigUint,
    modulus: &BigUint,
    go_on: &mut GoOn<'_, E>,
) -> Result<BigUint, E> {
    let (_, base) = quotient(base, modulus, go_on)?;
    let (_, mut power) = quotient(&BigUint::from(1u32), modulus, go_on)?;
    for bit in (0..exponent.bits()).rev() {
        power = quotient(&product(&power, &power, go_on)?, modulus, go_on)?.1;
        if exponent.bit(bit) {
            power = quotient(&product(&power, &base, go_on)?, modulus, go_on)?.1;
        }
    }
    Ok(power)
}

/// An integer in digits of a base from 2 to 36, in lower case.
pub fn text<E>(value: &BigInt, base: u32, go_on: &mut GoOn<'_, E>) -> Result<String, E> {
    let mut text = String::new();
    if value.sign() == Sign::Minus {
        text.push('-');
    }
    let value = value.magnitude();
    if value.bits() <= DIGITS_AT_ONCE || base.is_power_of_two() {
        go_on()?;
        text.push_str(&value.to_str_radix(base));
        return Ok(text);
    }
    // The power of the base with half as many digits, the one with a quarter, …
    let count = (DIGITS_AT_ONCE as f64 / f64::from(base).log2()) as usize;
    let mut powers = vec![BigUint::from(base).pow(u32::try_from(count).unwrap_or(u32::MAX))];
    while let Some(last) = powers.last().filter(|last| 2 * last.bits() <= value.bits() + 1) {
        let next = product(last, last, go_on)?;
        powers.push(next);
    }
    let mut write = Digits { base, count, powers, text, leading: true, go_on };
    write.parts(value.clone(), write.powers.len())?;
    Ok(write.text)
}

/// Digits being written, those of highest value first.
struct Digits<'g, E> {
    base: u32,
    /// Digits below the first power.
    count: usize,
    /// Each the square of the one before.
    powers: Vec<BigUint>,
    text: String,
    /// Nothing was written yet: zeros are left out.
    leading: bool,
    go_on: &'g mut dyn FnMut() -> Result<(), E>,
}

impl<E> Digits<'_, E> {
    /// Calls itself no deeper than there are powers.
    fn parts(&mut self, value: BigUint, level: usize) -> Result<(), E> {
        let Some(lower) = level.checked_sub(1) else {
            (self.go_on)()?;
            let digits = value.to_str_radix(self.base);
            if !self.leading {
                self.text.extend(std::iter::repeat_n('0', self.count - digits.len()));
            } else if digits == "0" {
                return Ok(());
            }
            self.leading = false;
            self.text.push_str(&digits);
            return Ok(());
        };
        let (high, low) = quotient(&value, &self.powers[lower], self.go_on)?;
        drop(value);
        if !self.leading || high != BigUint::ZERO {
            self.parts(high, lower)?;
        }
        self.parts(low, lower)
    }
}

/// The integer that digits of a base stand for, as [`text`] writes them, without a sign;
/// `None` if they are none.
pub fn parse<E>(digits: &str, base: u32, go_on: &mut GoOn<'_, E>) -> Result<Option<BigUint>, E> {
    /// Digits that are read in one go.
    const CHUNK: usize = 1 << 12;
    if !digits.is_ascii() {
        return Ok(None);
    }
    go_on()?;
    if digits.len() <= CHUNK {
        return Ok(BigUint::parse_bytes(digits.as_bytes(), base));
    }
    // The parts from the right; then pairs of parts, pairs of pairs, …
    let mut values = Vec::with_capacity(digits.len() / CHUNK + 1);
    for chunk in digits.as_bytes().rchunks(CHUNK) {
        go_on()?;
        let Some(value) = BigUint::parse_bytes(chunk, base) else { return Ok(None) };
        values.push(value);
    }
    let mut power = BigUint::from(base).pow(CHUNK as u32);
    while values.len() > 1 {
        let mut pairs = Vec::with_capacity(values.len().div_ceil(2));
        for pair in values.chunks(2) {
            pairs.push(match pair {
                [low, high] => product(high, &power, go_on)? + low,
                _ => pair[0].clone(),
            });
        }
        values = pairs;
        if values.len() > 1 {
            power = product(&power, &power, go_on)?;
        }
    }
    Ok(values.pop())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn always() -> Result<(), ()> {
        Ok(())
    }

    fn number(bits: u64, odd: u32) -> BigUint {
        (BigUint::from(odd) << bits) / 7u32 + 5u32
    }

    #[test]
    fn quotients_in_parts_are_quotients() {
        for (a, b) in [(1 << 20, 1 << 19), (1 << 21, 1 << 17), (3 << 20, 1000), (100, 200)] {
            let (a, b) = (number(a, 0x1234_5677), number(b, 0x7654_3211));
            let found = quotient(&a, &b, &mut always).expect("no limit");
            assert!(found == a.div_rem(&b));
        }
    }

    #[test]
    fn digits_in_parts_are_digits() {
        for base in [2, 3, 8, 10, 16, 36] {
            for bits in [10, 20_000, 70_001, 300_000] {
                let value = BigInt::from(number(bits, 0x7654_3211));
                let expected = value.to_str_radix(base);
                assert!(text(&value, base, &mut always) == Ok(expected.clone()), "{base} {bits}");
                let read = parse(&expected, base, &mut always).expect("no limit");
                assert!(read.as_ref() == Some(value.magnitude()), "{base} {bits}");
                let minus = text(&-value, base, &mut always).expect("no limit");
                assert!(minus == format!("-{expected}"));
            }
        }
        let power = BigInt::from(10).pow(20_000);
        assert!(text(&power, 10, &mut always) == Ok(power.to_string()));
        assert_eq!(parse("12x", 10, &mut always), Ok(None));
        assert_eq!(parse(&"1x".repeat(5000), 10, &mut always), Ok(None));
    }

    #[test]
    fn common_divisors_and_powers() {
        let (a, b) = (number(40_000, 77), number(50_000, 33));
        assert_eq!(gcd(&a, &b, &mut always), Ok(a.gcd(&b)));
        let common = number(30_000, 5);
        let (a, b) = (&common * 12u32, &common * 18u32);
        assert_eq!(gcd(&a, &b, &mut always), Ok(a.gcd(&b)));
        let (base, exponent, modulus) = (number(900, 3), number(100, 7), number(800, 9));
        let power = power_modulo(&base, &exponent, &modulus, &mut always);
        assert_eq!(power, Ok(base.modpow(&exponent, &modulus)));
    }

    #[test]
    fn everything_can_be_ended() {
        let value = number(1 << 18, 3);
        let never = &mut || Err(());
        assert_eq!(product(&value, &value, never), Err(()));
        assert_eq!(quotient(&value, &value, never), Err(()));
        assert_eq!(text(&value.clone().into(), 10, never), Err(()));
        assert_eq!(parse("1", 10, never), Err(()));
        assert_eq!(gcd(&value, &value, never), Err(()));
    }
}
