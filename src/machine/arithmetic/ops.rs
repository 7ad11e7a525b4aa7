//! The evaluable functors, by arity. Compiled code carries an operation as the byte of its enum;
//! [`Op1::from_functor`] and its kin are the only place where names and operations meet.

use zug_term::symbol::{Atom, atoms};

/// Declares one enum of operations: variant, the atom that names it, meaning.
macro_rules! operations {
    ($(#[$doc:meta])* $enum:ident { $($(#[$note:meta])* $variant:ident = $($atom:ident)|+,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum $enum { $($(#[$note])* $variant),* }

        impl $enum {
            /// Every operation, in the order of its byte.
            pub const ALL: &[$enum] = &[$($enum::$variant),*];

            /// The operation with this name.
            pub fn from_functor(name: Atom) -> Option<$enum> {
                match name {
                    $($(atoms::$atom)|+ => Some($enum::$variant),)*
                    _ => None,
                }
            }

            /// All names.
            const NAMES: &[Atom] = &[$($(atoms::$atom),+),*];

            /// The name; where there are several, the first.
            pub fn name(self) -> Atom {
                match self {
                    $($enum::$variant => [$(atoms::$atom),+][0],)*
                }
            }
        }
    };
}

operations! {
    /// Evaluable atoms.
    Op0 {
        /// The ratio of a circle's circumference to its diameter.
        Pi = PI,
        /// The base of natural logarithms.
        E = E,
        /// Positive infinity.
        Infinity = INF | INFINITE,
        /// Not a number.
        Nan = NAN,
        /// The distance from 1.0 to the next float.
        Epsilon = EPSILON,
        /// The largest integer kept in a word.
        MaxTagged = MAX_TAGGED_INTEGER,
        /// The smallest integer kept in a word.
        MinTagged = MIN_TAGGED_INTEGER,
        /// The largest integer of 64 bits.
        MaxInteger = MAX_INTEGER,
        /// The smallest integer of 64 bits.
        MinInteger = MIN_INTEGER,
        /// A random float in the open interval from 0 to 1.
        Random = RANDOM_FLOAT | RANDOM,
        /// Processor time of this process, in seconds.
        CpuTime = CPUTIME,
        /// Seconds since 1970, whole.
        RealTime = REALTIME,
    }
}

operations! {
    /// Evaluable functors of one argument.
    Op1 {
        /// `-X`.
        Negate = MINUS,
        /// `+X`.
        Plus = PLUS,
        /// `\X`, the bitwise complement.
        BitNot = BIT_NOT,
        /// Magnitude.
        Abs = ABS,
        /// -1, 0 or 1, of the type of the argument.
        Sign = SIGN,
        /// `X + 1`; for naturals only.
        Succ = SUCC,
        /// The argument's value.
        Eval = EVAL,
        /// Number of the highest set bit.
        Msb = MSB,
        /// Number of the lowest set bit.
        Lsb = LSB,
        /// How many bits are set.
        PopCount = POPCOUNT,
        /// Toward zero, to an integer.
        Truncate = TRUNCATE | TRUNC,
        /// To the nearest integer; halves away from zero.
        Integer = INTEGER,
        /// To the nearest float.
        Float = FLOAT,
        /// Toward zero, keeping the type.
        IntegerPart = FLOAT_INTEGER_PART,
        /// What `float_integer_part` leaves.
        FractionalPart = FLOAT_FRACTIONAL_PART,
        /// Down, to an integer.
        Floor = FLOOR,
        /// Up, to an integer.
        Ceiling = CEILING | CEIL,
        /// To the nearest integer; halves away from zero.
        Round = ROUND,
        /// What stands above in lowest terms.
        Numerator = NUMERATOR,
        /// What stands below in lowest terms.
        Denominator = DENOMINATOR,
        /// The exact value as a rational number.
        Rational = RATIONAL,
        /// The simplest rational number that is that float.
        Rationalize = RATIONALIZE,
        /// Square root.
        Sqrt = SQRT,
        /// Sine of radians.
        Sin = SIN,
        /// Cosine of radians.
        Cos = COS,
        /// Tangent of radians.
        Tan = TAN,
        /// Arc sine.
        Asin = ASIN,
        /// Arc cosine.
        Acos = ACOS,
        /// Arc tangent.
        Atan = ATAN,
        /// Hyperbolic sine.
        Sinh = SINH,
        /// Hyperbolic cosine.
        Cosh = COSH,
        /// Hyperbolic tangent.
        Tanh = TANH,
        /// Inverse hyperbolic sine.
        Asinh = ASINH,
        /// Inverse hyperbolic cosine.
        Acosh = ACOSH,
        /// Inverse hyperbolic tangent.
        Atanh = ATANH,
        /// Cotangent of radians.
        Cot = COT,
        /// Arc cotangent.
        Acot = ACOT,
        /// Power of e.
        Exp = EXP,
        /// Natural logarithm.
        Log = LOG,
        /// Logarithm to base 2.
        Log2 = LOG2,
        /// Logarithm to base 10.
        Log10 = LOG10,
        /// A random integer from 0 to X - 1.
        Random = RANDOM,
        /// A random float in the open interval from 0 to 1; the argument is ignored.
        RandomFloat = RANDOM_FLOAT,
    }
}

operations! {
    /// Evaluable functors of two arguments.
    Op2 {
        /// `X + Y`.
        Add = PLUS | SUCC_PLUS,
        /// `X - Y`.
        Subtract = MINUS,
        /// `X * Y`.
        Multiply = STAR,
        /// `X / Y`: an integer when the division of integers leaves no rest, else a float.
        Divide = SLASH,
        /// `X rdiv Y`: the exact quotient.
        RationalDivide = RDIV,
        /// `X // Y`: integer quotient, toward zero.
        IntDivide = INT_DIVIDE,
        /// `X mod Y`: what `div` leaves; the sign of Y.
        Mod = MOD,
        /// `X rem Y`: what `//` leaves; the sign of X.
        Rem = REM,
        /// `X div Y`: integer quotient, down.
        Div = DIV,
        /// `X ** Y`: power; integers with a negative exponent give a float.
        Power = POWER,
        /// `X ^ Y`: power; integers give an integer or an error.
        IntPower = CARET,
        /// `X << Y`.
        ShiftLeft = SHIFT_LEFT,
        /// `X >> Y`, arithmetic.
        ShiftRight = SHIFT_RIGHT,
        /// `X /\ Y`.
        BitAnd = BIT_AND,
        /// `X \/ Y`.
        BitOr = BIT_OR,
        /// `X xor Y`.
        Xor = XOR,
        /// The smaller.
        Min = MIN,
        /// The larger.
        Max = MAX,
        /// Greatest common divisor, never negative.
        Gcd = GCD,
        /// Least common multiple, never negative.
        Lcm = LCM,
        /// The bit of X with number Y.
        GetBit = GETBIT,
        /// Angle of the point (Y, X): `atan2(Y, X)`, `atan(Y, X)`.
        Atan2 = ATAN2 | ATAN,
        /// `log(Base, X)`.
        LogBase = LOG,
        /// Magnitude of X with the sign of Y.
        CopySign = COPYSIGN,
        /// The float next to X in the direction of Y.
        NextToward = NEXTTOWARD,
        /// `random(L, H)`: an integer from L to H - 1.
        RandomRange = RANDOM,
    }
}

operations! {
    /// Evaluable functors of three arguments.
    Op3 {
        /// `powm(Base, Exponent, Modulus)`.
        PowM = POWM,
    }
}

/// Arities and names of all functions.
pub fn functors() -> impl Iterator<Item = (usize, Atom)> {
    let names = [Op0::NAMES, Op1::NAMES, Op2::NAMES, Op3::NAMES];
    names
        .into_iter()
        .enumerate()
        .flat_map(|(arity, names)| names.iter().map(move |&name| (arity, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for &op in Op1::ALL {
            assert_eq!(Op1::from_functor(op.name()), Some(op));
        }
        for &op in Op2::ALL {
            assert_eq!(Op2::from_functor(op.name()), Some(op));
        }
        for &op in Op0::ALL {
            assert_eq!(Op0::from_functor(op.name()), Some(op));
        }
        assert_eq!(Op3::from_functor(Op3::PowM.name()), Some(Op3::PowM));
        assert_eq!(Op1::from_functor(atoms::NIL), None);
    }
}
