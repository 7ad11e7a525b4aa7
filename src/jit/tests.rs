//! Operations beside Rust's own, what functions may read and write, and what a builder refuses.

use super::*;
use std::sync::Arc;

/// Values at which operations turn.
const VALUES: [i64; 15] =
    [0, 1, -1, 2, -2, 3, -7, 63, 64, 255, 256, 1 << 32, i64::MIN, i64::MIN + 1, i64::MAX];

/// A function of nothing but its input, which leaves with 7.
fn compiled(
    puts_down: bool,
    effort: Effort,
    build: impl for<'f> FnOnce(&mut Builder<'f>),
) -> Function {
    let function = compile(Arc::new(()), puts_down, effort, |b, ()| {
        build(b);
        b.leave(7);
    });
    function.expect("the processor is known")
}

/// Checks a function of two values, `None` where it has none, at all pairs of values; it is not run where its value is left
/// open.
fn check_pairs(
    name: &str,
    emit: impl for<'f> FnOnce(&mut Builder<'f>, Int<'f>, Int<'f>) -> Int<'f>,
    expected: impl Fn(i64, i64) -> Option<i64>,
) {
    let function = compiled(false, Effort::Full, |b| {
        let begin = b.block();
        b.jump(begin);
        b.enter(begin);
        let [x, y] = [0, 8].map(|at| b.input_int(at));
        let value = emit(b, x, y);
        b.answer(value);
    });
    for (x, y) in VALUES.into_iter().flat_map(|x| VALUES.map(|y| (x, y))) {
        let Some(expected) = expected(x, y) else { continue };
        let mut exit = [0; HEAD];
        assert_eq!(function.call(&[x, y], &mut exit), 7);
        assert_eq!(exit[1], expected, "{name} of {x} and {y}");
    }
}

#[test]
fn operations_of_two_values() {
    type Operation = for<'f> fn(&mut Builder<'f>, Int<'f>, Int<'f>) -> Int<'f>;
    type Expected = fn(i64, i64) -> Option<i64>;
    let operations: [(&str, Operation, Expected); 11] = [
        ("sum", |b, x, y| b.add(x, y), |x, y| Some(x.wrapping_add(y))),
        ("difference", |b, x, y| b.sub(x, y), |x, y| Some(x.wrapping_sub(y))),
        ("product", |b, x, y| b.mul(x, y), |x, y| Some(x.wrapping_mul(y))),
        ("quotient", |b, x, y| b.div(x, y), i64::checked_div),
        ("remainder", |b, x, y| b.rem(x, y), i64::checked_rem),
        ("shift", |b, x, y| b.shl(x, y), |x, y| Some(x.wrapping_shl(y as u32))),
        ("and", |b, x, y| b.and(x, y), |x, y| Some(x & y)),
        ("or", |b, x, y| b.or(x, y), |x, y| Some(x | y)),
        ("xor", |b, x, y| b.xor(x, y), |x, y| Some(x ^ y)),
        ("negative", |b, x, _| b.neg(x), |x, _| Some(x.wrapping_neg())),
        ("zeros", |b, x, _| b.trailing_zeros(x), |x, _| Some(x.trailing_zeros().into())),
    ];
    for (name, emit, expected) in operations {
        check_pairs(name, emit, expected);
    }
}

#[test]
fn overflow() {
    type Operation = for<'f> fn(&mut Builder<'f>, Int<'f>, Int<'f>) -> (Int<'f>, Bit<'f>);
    type Expected = fn(i64, i64) -> Option<i64>;
    let operations: [(&str, Operation, Expected); 3] = [
        ("sum", |b, x, y| b.add_overflow(x, y), i64::checked_add),
        ("difference", |b, x, y| b.sub_overflow(x, y), i64::checked_sub),
        ("product", |b, x, y| b.mul_overflow(x, y), i64::checked_mul),
    ];
    for (name, emit, expected) in operations {
        check_pairs(
            name,
            |b, x, y| {
                let (value, over) = emit(b, x, y);
                let none = b.int(-5);
                b.select(over, none, value)
            },
            |x, y| Some(expected(x, y).unwrap_or(-5)),
        );
    }
}

#[test]
fn relations() {
    type Expected = fn(i64, i64) -> bool;
    let relations: [(Compare, Expected); 7] = [
        (Compare::Equal, |x, y| x == y),
        (Compare::NotEqual, |x, y| x != y),
        (Compare::Less, |x, y| x < y),
        (Compare::LessEqual, |x, y| x <= y),
        (Compare::GreaterEqual, |x, y| x >= y),
        (Compare::Below, |x, y| (x as u64) < y as u64),
        (Compare::NotBelow, |x, y| x as u64 >= y as u64),
    ];
    for (relation, expected) in relations {
        check_pairs(
            &format!("{relation:?}"),
            |b, x, y| {
                let holds = b.compare(relation, x, y);
                let opposite = b.not(holds);
                let [holds, opposite] = [holds, opposite].map(|bit| b.int_of_bit(bit));
                let opposite = b.shl_const(opposite, 1);
                b.or(holds, opposite)
            },
            |x, y| Some(if expected(x, y) { 1 } else { 2 }),
        );
    }
}

/// Values that are kept come back, more of them than there are registers, with either effort, and where a
/// frame is larger than a page.
#[test]
fn values_are_kept() {
    const MANY: i64 = 2000;
    for effort in [Effort::Full, Effort::Little] {
        let function = compiled(false, effort, |b| {
            let given = b.input_int(0);
            let kept: Vec<_> = (0..MANY)
                .map(|number| {
                    let number = b.int(number);
                    let product = b.mul(given, number);
                    b.keep(product)
                })
                .collect();
            let mut sum = b.int(0);
            for (number, kept) in (0..MANY).zip(kept) {
                let value = b.kept(kept);
                let odd = b.and_const(value, i64::MAX - number);
                sum = b.add(sum, odd);
            }
            b.answer(sum);
        });
        let mut exit = [0; HEAD];
        assert_eq!(function.call(&[77i64], &mut exit), 7);
        let expected = (0..MANY).map(|number| (77 * number) & (i64::MAX - number)).sum::<i64>();
        assert_eq!(exit[1], expected, "{effort:?}");
    }
}

#[test]
fn bytes_side_by_side() {
    // Which of sixteen bytes, from the second on, are 200; with the third set to it.
    let function = compiled(false, Effort::Full, |b| {
        let (all, wanted) = (b.input_lanes(1), b.lanes(200));
        let byte = b.index(200);
        let all = b.with_lane(all, 2, byte);
        let bits = b.equal_lanes(all, wanted);
        let [low, high] = [0, 8].map(|at| b.input_int(at));
        let other = b.lanes_of(low, high);
        let more = b.equal_lanes(other, wanted);
        let more = b.shl_const(more, 16);
        let both = b.or(bits, more);
        b.answer(both);
    });
    // At any place in memory.
    for shift in 0..16 {
        let mut input = [0u8; 40];
        input[shift + 5] = 200;
        input[shift + 16] = 200;
        let mut exit = [0; HEAD];
        assert_eq!(function.call(&input[shift..shift + 17], &mut exit), 7);
        assert_eq!(exit[1], 1 << 4 | 1 << 15 | 1 << 2 | 1 << (16 + 5), "from {shift}");
    }
}

#[test]
fn tables() {
    let mut tables = ([0u32; 256], [-3i32; 256]);
    (tables.0[0], tables.0[1], tables.0[255]) = (7, u32::MAX, 9);
    let function = compile(Arc::new(tables), false, Effort::Full, |b, (few, all)| {
        let index = b.input_int(0);
        let byte = b.low_byte(index);
        let value = b.look_up(few, byte);
        let more = b.look_up(all, byte);
        let sum = b.add(value, more);
        b.answer(sum);
        b.leave(0);
    });
    let function = function.expect("the processor is known");
    let mut exit = [0; HEAD];
    for (at, expected) in [(0i64, 4), (1, i64::from(u32::MAX) - 3), (255, 6), (256, 4), (-1, 6)] {
        assert_eq!(function.call(&[at], &mut exit), 0);
        assert_eq!(exit[1], expected);
    }
}

#[test]
fn a_jump_by_number() {
    let function = compile(Arc::new(()), false, Effort::Full, |b, ()| {
        let blocks = [(); 3].map(|()| b.block());
        let other = b.block();
        let index = b.input_int(0);
        b.jump_table(index, &blocks, other);
        for (status, block) in (10..).zip(blocks) {
            b.enter(block);
            b.leave(status);
        }
        b.enter(other);
        b.leave(99);
    });
    let function = function.expect("the processor is known");
    let mut exit = [0; HEAD];
    let statuses = [0i64, 1, 2, 3, -1].map(|at| function.call(&[at], &mut exit));
    assert_eq!(statuses, [10, 11, 12, 99, 99]);
}

/// Puts one word down, then two more if the input is positive, or else one.
fn writer() -> Function {
    compiled(true, Effort::Full, |b| {
        let input = b.input_int(0);
        b.put(0, input);
        b.advance(1, None);
        let (more, end) = (b.block(), b.block());
        let positive = b.compare_with(Compare::Less, input, 100);
        b.branch(positive, more, end);
        b.enter(more);
        b.put(1, input);
        b.put(0, input);
        let negative = b.compare_with(Compare::Less, input, 0);
        b.advance(2, Some((negative, 1)));
        b.jump(end);
        b.enter(end);
    })
}

#[test]
fn what_is_put_down() {
    let function = writer();
    assert_eq!(function.room(), HEAD + 3);
    let mut exit = vec![0; function.room()];
    for (input, count) in [(5, 3), (-5, 2), (500, 1)] {
        function.call(&[input], &mut exit);
        assert_eq!(exit[HEAD..end(&exit)], vec![input; count]);
    }
}

#[test]
#[should_panic(expected = "there is room in the exit")]
fn an_exit_without_room() {
    writer().call(&[5i64], &mut [0; HEAD + 2]);
}

#[test]
#[should_panic(expected = "the input is as long as it is read")]
fn an_input_that_is_short() {
    writer().call(&[5u8; 7], &mut [0; HEAD + 3]);
}

#[test]
#[should_panic(expected = "a block is led to after it was entered")]
fn a_loop() {
    compile(Arc::new(()), false, Effort::Full, |b, ()| {
        let block = b.block();
        b.jump(block);
        b.enter(block);
        b.jump(block);
    });
}

#[test]
#[should_panic(expected = "a block is led to and never entered")]
fn a_block_of_nothing() {
    compile(Arc::new(()), false, Effort::Full, |b, ()| {
        let block = b.block();
        b.jump(block);
    });
}

#[test]
#[should_panic(expected = "a block has no end")]
fn a_block_without_end() {
    compile(Arc::new(()), false, Effort::Full, |b, ()| {
        let block = b.block();
        b.enter(block);
    });
}

#[test]
fn tables_live_as_long_as_the_function() {
    let tables = Arc::new([1i64; 256]);
    let kept = Arc::downgrade(&tables);
    let function = compile(tables, false, Effort::Full, |b, _| b.leave(0));
    assert!(kept.upgrade().is_some());
    drop(function);
    assert!(kept.upgrade().is_none());
}

/// The places of a plane are gone through in order, in loops within loops; words are put down in each,
/// and there is room for all of them.
#[test]
fn bits_are_gone_through() {
    let function = compiled(true, Effort::Full, |b| {
        let plane = b.input_int(0);
        let blocks: Vec<_> = (0..64u8).map(|at| (at, b.block())).collect();
        let then = b.block();
        let outer = b.each_bit(plane, &blocks, then);
        for &(at, block) in &blocks {
            b.enter(block);
            let value = b.int(i64::from(at));
            b.put(0, value);
            b.advance(1, None);
            // After the first: those of the second word, at three places.
            if at == 1 {
                let inner = b.input_int(8);
                let bodies: Vec<_> = [3, 5, 9].map(|at| (at, b.block())).into();
                let behind = b.block();
                let within = b.each_bit(inner, &bodies, behind);
                for (at, body) in bodies {
                    b.enter(body);
                    let value = b.int(100 + i64::from(at));
                    b.put(0, value);
                    b.put(1, value);
                    b.advance(2, None);
                    b.next(within);
                }
                b.enter(behind);
            }
            b.next(outer);
        }
        b.enter(then);
    });
    assert!(function.room() >= 2 + 64 + 6);
    let mut exit = vec![0; function.room()];
    let run = |input: [i64; 2], exit: &mut Vec<i64>| {
        assert_eq!(function.call(&input, exit), 7);
        exit[2..end(exit)].to_vec()
    };
    assert_eq!(run([0, -1], &mut exit), []);
    assert_eq!(run([0b1011, -1], &mut exit), [0, 1, 103, 103, 105, 105, 109, 109, 3]);
    assert_eq!(run([0b10, 0b10_0000], &mut exit), [1, 105, 105]);
    let all = run([-1, 0], &mut exit);
    assert_eq!(all, (0..64).collect::<Vec<i64>>());
}

/// A block is part of one body: two that share it could run it twice.
#[test]
#[should_panic(expected = "a block is part of two bodies")]
fn bodies_share_no_block() {
    compile(Arc::new(()), true, Effort::Full, |b, ()| {
        let plane = b.input_int(0);
        let [one, other, shared, then] = std::array::from_fn(|_| b.block());
        b.each_bit(plane, &[(0, one), (1, other)], then);
        b.enter(one);
        b.jump(shared);
        b.enter(other);
        b.jump(shared);
    });
}
