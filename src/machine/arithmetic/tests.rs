//! Values and errors of the evaluable functors, and laws against oracles.

use super::number::{Computed, Failure, Number};
use super::ops::{Op1, Op2};
use super::{binary, unary};
use crate::bench::Bench;
use num_bigint::BigInt;
use proptest::prelude::*;
use std::cmp::Ordering;

/// Evaluates each expression and compares the text of value or error.
#[track_caller]
fn check(rows: &str) {
    let mut bench = Bench::default();
    let mut wrong = Vec::new();
    for row in rows.split(';').map(str::trim).filter(|row| !row.is_empty()) {
        let (text, expected) = row.rsplit_once(" = ").expect("expression = value");
        let expected = match expected {
            "zero" => "evaluation_error(zero_divisor)",
            "undefined" => "evaluation_error(undefined)",
            "overflow" => "evaluation_error(float_overflow)",
            value => value,
        };
        let found = value(&mut bench, text);
        if found != expected {
            wrong.push(format!("{text}: expected {expected}, found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn value(bench: &mut Bench, text: &str) -> String {
    let expression = bench.read(text);
    match bench.machine.eval(expression) {
        Ok(value) => bench.show(value),
        Err(fault) => bench.show_fault(&fault),
    }
}

#[test]
fn integers() {
    check(
        r"
        1+2*3-4 = 3; 7//(-2) = -3; -7//2 = -3; -7 mod 2 = 1; 7 mod -2 = -1; -7 rem 2 = -1;
        -7 div 2 = -4; 7 div -2 = -4; 1//0 = zero; 1 mod 0 = zero; 1 rem 0 = zero; 1 div 0 = zero;
        1.0 mod 2 = type_error(integer,1.0); 2//1.5 = type_error(integer,1.5);
        -9223372036854775808 // -1 = 9223372036854775808; -9223372036854775808 rem -1 = 0;
        -9223372036854775808 mod -1 = 0; -(-9223372036854775808) = 9223372036854775808;
        abs(-9223372036854775808) = 9223372036854775808;
        1152921504606846975+1 = 1152921504606846976;
        -1152921504606846976-1 = -1152921504606846977;
        -(-1152921504606846976) = 1152921504606846976;
        9223372036854775807+1-1 = 9223372036854775807; (1<<64) mod -3 = -2;
        -(1<<64) // 3 = -6148914691236517205; -(1<<64) div 3 = -6148914691236517206;
        gcd(12,-18) = 6; gcd(0,0) = 0; gcd(1.0,2) = type_error(integer,1.0); lcm(4,6) = 12;
        msb(8) = 3; msb(1<<100) = 100; msb(0) = domain_error(not_less_than_one,0); lsb(8) = 3;
        popcount(7) = 3; getbit(5,0) = 1; succ(3) = 4; plus(1,2) = 3;
        succ(-1) = domain_error(not_less_than_zero,-1); sign(-3) = -1; sign(-2.5) = -1.0;
        powm(2,10,1000) = 24; random(0) = domain_error(not_less_than_one,0); random(1) = 0;
        truncate(random_float) = 0; max_tagged_integer = 1152921504606846975;
        max_integer = 9223372036854775807; min_integer = -9223372036854775808;
        ",
    );
}

#[test]
fn bits() {
    check(
        r"
        1<<70 = 1180591620717411303424; 1<<(-1) = 0; 4>>(-1) = 8; -5>>1 = -3; -1>>100 = -1;
        1>>1000 = 0; 1<<1.0 = type_error(integer,1.0); \5 = -6; 5 xor 3 = 6; 5/\3 = 1; 5\/3 = 7;
        1<<(10**12) = resource_error(memory); 0<<(10**30) = 0;
        1<<(10**30) = resource_error(memory); 1>>(10**30) = 0; -5>>(1<<70) = -1;
        -1<<(-(10**30)) = -1; -1<<62 = -4611686018427387904; -1<<63 = -9223372036854775808;
        -1<<64 = -18446744073709551616; 1<<62 = 4611686018427387904; 1<<63 = 9223372036854775808;
        -(1<<100)>>99 = -2; (-(1<<100)-1)>>99 = -3; \(1<<70) = -1180591620717411303425;
        -1 /\ (1<<70) = 1180591620717411303424;
        ",
    );
}

#[test]
fn division_and_powers() {
    check(
        r"
        4/2 = 2; 7/2 = 3.5; 7/2.0 = 3.5; 4/2.0 = 2.0; 1/0 = zero; 0/0 = zero; 1/0.0 = zero;
        0/0.0 = undefined; 0.0/0 = undefined; (1<<80)/(1<<79) = 2;
        -9223372036854775808 / -1 = 9223372036854775808; (10**400+1)/(10**400) = 1.0;
        (10**400+10**399)/(10**398) = 110; 1/(10**300) = 1.0e-300; (10**400)/7.0 = overflow;
        2** -1 = 0.5; 2**3 = 8; 2**3.0 = 8.0; 2**0.5 = 1.4142135623730951; 0**0 = 1; 2^(-1) = 0.5;
        1^(-1) = 1; (-1)^(-1) = -1; (-1)^(-2) = 1; 0^0 = 1; 0^(-1) = zero; 0** -1 = zero;
        0.0** -1 = zero; 2^(-1.0) = 0.5; (-2)**0.5 = undefined; 0^0.0 = 1.0;
        10**20 = 100000000000000000000; 10.0**400 = overflow; 7^7^7^7 = resource_error(memory);
        2**(10**12) = resource_error(memory); 2^(10**30) = resource_error(memory);
        1**(10**30) = 1; (-1)**(10**30) = 1; (-1)**(10**30+1) = -1; 0**(10**30) = 0;
        (-2)^63 = -9223372036854775808; 2^64 = 18446744073709551616;
        ",
    );
}

#[test]
fn floats() {
    check(
        r"
        truncate(3.7) = 3; trunc(-3.7) = -3; integer(2.5) = 3; integer(-2.5) = -3;
        integer(1.0e20) = 100000000000000000000; round(0.49999999999999994) = 0; ceiling(2.1) = 3;
        floor(-2.1) = -3; floor(3) = 3; float(3) = 3.0; float(1<<2000) = overflow;
        float_integer_part(-2.5) = -2.0; float_fractional_part(-2.5) = -0.5;
        float_integer_part(3) = 3; sqrt(-1) = undefined; sqrt(4) = 2.0; log(0) = undefined;
        log(-1) = undefined; log(2,8) = 3.0; log2(8) = 3.0; exp(1000) = overflow;
        asin(2) = undefined; atan(1,2) = 0.4636476090008061; atan2(0,0) = undefined;
        atan2(1,0) = 1.5707963267948966; acosh(0.5) = undefined; cot(1) = 0.6420926159343306;
        acot(1) = 0.7853981633974483; pi = 3.141592653589793; 1.0e308*10 = overflow; inf = 1.0Inf;
        -inf = -1.0Inf; inf-inf = undefined; nan+1 = undefined; min(inf,3) = 3; max(-inf,3) = 3;
        abs(-inf) = 1.0Inf; 0.1+0.2 = 0.30000000000000004; 0.0* -1 = -0.0; abs(-0.0) = 0.0;
        max(1,1.0) = 1.0; max(1.0,1) = 1.0; max(3,2.0) = 3; min(2.0,3) = 2.0; min(1,1.0) = 1.0;
        max(1,nan) = 1; min(nan,1) = 1; max(0.0,-0.0) = 0.0; min(0.0,-0.0) = -0.0;
        9007199254740993+0.0 = 9.007199254740992e+15; 10**400*1.0 = overflow;
        copysign(2,-0.0) = -2; nexttoward(1,2) = 1.0000000000000002;
        epsilon = 2.220446049250313e-16;
        123456789012345678901234567890*1.0 = 1.2345678901234568e+29;
        ",
    );
}

#[test]
fn what_is_no_number() {
    check(
        r#"
        foo = type_error(evaluable,foo/0); foo+1 = type_error(evaluable,foo/0);
        1+foo(1/0) = type_error(evaluable,foo/1); mod(5) = type_error(evaluable,(mod)/1);
        X = instantiation_error; 1+X = instantiation_error; X+foo = instantiation_error;
        [] = type_error(evaluable,[]/0); [1] = 1; [1+2] = 3; [a] = 97; [X] = instantiation_error;
        [1,2] = type_error(evaluable,'.'/2); "a" = 97; "ab" = type_error([],"ab"); "a"+0 = 97;
        (1,2) = type_error(evaluable,(',')/2); a mod 2 = type_error(evaluable,a/0);
        random(1.0) = type_error(integer,1.0);
        "#,
    );
}

#[test]
fn depth_is_no_limit_and_cycles_end() {
    let mut bench = Bench::default();
    let plus = bench.machine.symbols.intern("+");
    let one = zug_term::Cell::small(1);
    let (mut left, mut right) = (one, one);
    for _ in 0..1_000_000 {
        left = bench.machine.heap.new_struct(plus, &[left, one]);
        right = bench.machine.heap.new_struct(plus, &[one, right]);
    }
    let top = bench.machine.heap.top();
    for deep in [left, right] {
        let value = bench.machine.eval(deep).expect("a sum");
        assert_eq!(value.as_int(), Some(1_000_001));
    }
    assert_eq!(bench.machine.heap.top(), top, "nothing is left behind");
    let var = bench.machine.heap.new_var();
    let cyclic = bench.machine.heap.new_struct(plus, &[var, one]);
    assert!(bench.machine.unify(var, cyclic));
    let fault = bench.machine.eval(cyclic).expect_err("no value");
    assert!(matches!(fault, crate::Fault::Ball(_)));
}

#[test]
fn only_the_result_stays_on_the_heap() {
    let mut bench = Bench::default();
    let expression = bench.read("1.5+2.5*(1<<100)*1.0+(2.0-(3.5+1))");
    let top = bench.machine.heap.top();
    let value = bench.machine.eval(expression).expect("a float");
    assert_eq!(bench.machine.heap.top(), top + 2);
    assert_eq!(bench.show(value), "3.1691265005705735e+30");
}

#[test]
fn comparison() {
    let mut bench = Bench::default();
    let mut compare = |a: &str, b: &str| {
        let expression = bench.read(&format!("{a} + ({b})"));
        let plus = zug_term::symbol::atoms::PLUS;
        let [a, b] = bench.machine.heap.match_struct(expression, plus).expect("a sum");
        let eval = |cell, bench: &mut Bench| bench.machine.eval(cell).expect("a number");
        let (a, b) = (eval(a, &mut bench), eval(b, &mut bench));
        bench.machine.compare_numbers(a, b)
    };
    use Ordering::{Equal, Greater, Less};
    assert_eq!(compare("1", "1.0"), Some(Equal));
    assert_eq!(compare("nan", "nan"), None);
    assert_eq!(compare("9007199254740993", "9007199254740992.0"), Some(Equal));
    assert_eq!(compare("(1<<100)", "1.0e30"), Some(Greater));
    assert_eq!(compare("(1<<2000)", "inf"), Some(Equal));
    assert_eq!(compare("-(1<<2000)", "1.0"), Some(Less));
    assert_eq!(compare("(1<<100)", "inf"), Some(Less));
    assert_eq!(compare("-inf", "-(1<<100)"), Some(Less));
    assert_eq!(compare("(1<<61)", "(1<<62)"), Some(Less));
}

/// Integers around the borders of the representations.
fn integer() -> impl Strategy<Value = BigInt> {
    let border = prop_oneof![
        Just(0i128),
        Just(1 << 60),
        Just(-(1 << 60)),
        Just(1 << 63),
        Just(-(1 << 63)),
        Just(1 << 64),
        Just(1i128 << 100),
    ];
    prop_oneof![
        (-20i128..20).prop_map(BigInt::from),
        any::<i64>().prop_map(BigInt::from),
        (border, -3i128..4).prop_map(|(border, near)| BigInt::from(border + near)),
        any::<i128>().prop_map(BigInt::from),
    ]
}

fn number(value: &BigInt) -> Number {
    Number::from_big(value.clone())
}

fn big(result: Computed) -> Option<BigInt> {
    result.ok().and_then(|value| value.into_big().ok())
}

proptest! {
    #[test]
    fn integer_operations_agree_with_big_integers(a in integer(), b in integer()) {
        use num_integer::Integer;
        let run = |op| big(binary::apply(op, number(&a), number(&b)));
        prop_assert_eq!(run(Op2::Add), Some(&a + &b));
        prop_assert_eq!(run(Op2::Subtract), Some(&a - &b));
        prop_assert_eq!(run(Op2::Multiply), Some(&a * &b));
        prop_assert_eq!(run(Op2::BitAnd), Some(&a & &b));
        prop_assert_eq!(run(Op2::BitOr), Some(&a | &b));
        prop_assert_eq!(run(Op2::Xor), Some(&a ^ &b));
        prop_assert_eq!(run(Op2::Gcd), Some(a.gcd(&b)));
        prop_assert_eq!(run(Op2::Max), Some((&a).max(&b).clone()));
        if b != BigInt::ZERO {
            prop_assert_eq!(run(Op2::IntDivide), Some(&a / &b));
            prop_assert_eq!(run(Op2::Rem), Some(&a % &b));
            prop_assert_eq!(run(Op2::Div), Some(a.div_floor(&b)));
            prop_assert_eq!(run(Op2::Mod), Some(a.mod_floor(&b)));
            let exact = (&a % &b == BigInt::ZERO).then(|| &a / &b);
            prop_assert_eq!(run(Op2::Divide), exact);
        }
        prop_assert_eq!(number(&a).compare(&number(&b)), Some(a.cmp(&b)));
    }

    #[test]
    fn cells_agree_with_numbers(a in integer(), b in integer()) {
        let mut bench = Bench::default();
        let (x, y) = (bench.machine.heap.new_big(&a), bench.machine.heap.new_big(&b));
        for &op in Op2::ALL {
            if matches!(op, Op2::RandomRange | Op2::ShiftLeft | Op2::ShiftRight | Op2::Power | Op2::IntPower) {
                continue;
            }
            let expected = binary::apply(op, number(&a), number(&b));
            let found = bench.machine.apply2(op, x, y).ok();
            let found = found.and_then(|found| bench.machine.number_of(found));
            prop_assert_eq!(found, expected.ok(), "{:?}", op);
        }
        for &op in Op1::ALL {
            if matches!(op, Op1::Random | Op1::RandomFloat) {
                continue;
            }
            let found = bench.machine.apply1(op, x).ok();
            let found = found.and_then(|found| bench.machine.number_of(found));
            prop_assert_eq!(found, unary::apply(op, number(&a)).ok(), "{:?}", op);
        }
    }

    #[test]
    fn shifts_multiply_and_divide_by_powers(a in integer(), by in 0u32..200) {
        let power = BigInt::from(2).pow(by);
        let by = Number::Int(i64::from(by));
        let left = big(binary::apply(Op2::ShiftLeft, number(&a), by.clone()));
        prop_assert_eq!(left, Some(&a * &power));
        let right = big(binary::apply(Op2::ShiftRight, number(&a), by));
        prop_assert_eq!(right, Some(num_integer::Integer::div_floor(&a, &power)));
    }

    #[test]
    fn small_operations_agree_with_wide_ones(a in -(1i64 << 60)..(1 << 60), b in -(1i64 << 60)..(1 << 60)) {
        let wide = i128::from(a) * i128::from(b);
        let product = big(binary::apply(Op2::Multiply, Number::Int(a), Number::Int(b)));
        prop_assert_eq!(product, Some(BigInt::from(wide)));
        let quotient = binary::apply(Op2::Divide, Number::Int(a), Number::Int(b));
        match quotient {
            Ok(Number::Float(value)) => prop_assert_eq!(value, a as f64 / b as f64),
            Ok(value) => prop_assert_eq!(value, Number::Int(a / b)),
            Err(failure) => prop_assert_eq!((failure, b), (Failure::Evaluation("zero_divisor"), 0)),
        }
    }

    #[test]
    fn floats_follow_the_hardware(a in any::<f64>(), b in any::<f64>()) {
        let run = |op| binary::apply(op, Number::Float(a), Number::Float(b));
        for (op, value) in [(Op2::Add, a + b), (Op2::Subtract, a - b), (Op2::Multiply, a * b)] {
            match run(op) {
                Ok(found) => prop_assert_eq!(found, Number::Float(value)),
                Err(failure) => prop_assert_eq!(
                    failure,
                    Failure::Evaluation(if value.is_nan() { "undefined" } else { "float_overflow" })
                ),
            }
        }
        prop_assert_eq!(Number::Float(a).compare(&Number::Float(b)), a.partial_cmp(&b));
    }

    #[test]
    fn integers_beside_floats_are_compared_as_floats(a in integer(), scale in -3i32..3) {
        let nearest = num_traits::ToPrimitive::to_f64(&a).unwrap();
        let float = nearest * f64::from(scale);
        let found = number(&a).compare(&Number::Float(float));
        prop_assert_eq!(found, nearest.partial_cmp(&float));
        let back = Number::Float(float).compare(&number(&a));
        prop_assert_eq!(back, found.map(Ordering::reverse));
    }

    #[test]
    fn rounding_agrees_with_the_float(x in -1.0e17..1.0e17f64) {
        let run = |op| unary::apply(op, Number::Float(x)).ok();
        prop_assert_eq!(run(Op1::Floor), Some(Number::Int(x.floor() as i64)));
        prop_assert_eq!(run(Op1::Ceiling), Some(Number::Int(x.ceil() as i64)));
        prop_assert_eq!(run(Op1::Truncate), Some(Number::Int(x as i64)));
        prop_assert_eq!(run(Op1::Round), Some(Number::Int(x.round() as i64)));
    }
}
