//! Rational numbers, apart from any heap.

use num_bigint::BigInt;

/// A rational number in lowest terms.
pub type Rational = num_rational::Ratio<BigInt>;

/// The exact value of a float; `None` for infinities and NaN.
pub fn rational_of(value: f64) -> Option<Rational> {
    if !value.is_finite() {
        return None;
    }
    let bits = value.to_bits();
    let (power, fraction) = ((bits >> 52 & 0x7FF) as i32, bits & ((1 << 52) - 1));
    // Subnormal numbers have no bit before the point.
    let (mantissa, power) = match power {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, power - 1075),
    };
    let mantissa = BigInt::from(mantissa);
    let mantissa = if value.is_sign_negative() { -mantissa } else { mantissa };
    let shift = power.unsigned_abs() as usize;
    Some(match power < 0 {
        true => Rational::new(mantissa, BigInt::from(1) << shift),
        false => Rational::from(mantissa << shift),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_exact() {
        let check = |value: f64, above: i64, below: i64| {
            let expected = Rational::new(above.into(), below.into());
            assert_eq!(rational_of(value), Some(expected), "{value}");
        };
        check(0.25, 1, 4);
        check(-7.5, -15, 2);
        check(3.0, 3, 1);
        check(-0.0, 0, 1);
        check(0.1, 3_602_879_701_896_397, 36_028_797_018_963_968);
        let smallest = Rational::new(1.into(), BigInt::from(1) << 1074usize);
        assert_eq!(rational_of(5e-324), Some(smallest));
        assert_eq!(rational_of(f64::INFINITY), None);
        assert_eq!(rational_of(f64::NAN), None);
    }
}
