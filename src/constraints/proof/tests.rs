//! Linear forms against labelling in the library: the same values of the variables are solutions.

use super::{Encoded, encode};
use std::collections::BTreeSet;
use zug_prolog::Session;
use zug_proof::{Model, Outcome, Values, solve};
use zug_random::Random;

fn session(text: &str) -> Session {
    let (mut session, _) = Session::captured(&[crate::EXTENSION], "");
    let found = session.load_text("model.pl", &format!(":- use_module(library(clpfd)).\n{text}"));
    assert!(found.is_empty(), "{found:?}: {text}");
    session
}

/// The values of `a` and `b` in all solutions that labelling finds in some order of the variables; nothing after an error,
/// as of a power that is too large.
fn labelled(session: &mut Session, order: &str) -> Option<BTreeSet<[i32; 2]>> {
    let goal = format!("model([a=A, b=B]), label({order}).");
    let mut query = session.query(&goal).expect("it can be read");
    let mut found = BTreeSet::new();
    while session.next(&mut query).ok()? {
        let values = ["A", "B"].map(|name| {
            let bound = session.bindings(&query).find(|(own, _)| *own == name);
            let value = bound.and_then(|(_, cell)| session.machine.heap.deref(cell).as_int());
            i32::try_from(value.expect("an integer")).expect("a small one")
        });
        found.insert(values);
    }
    session.close(query);
    Some(found)
}

fn linear(session: &mut Session) -> Result<Model, String> {
    let model = session.machine.symbols.intern("model");
    let (m, w) = (&mut session.machine, &mut session.world);
    let encoded = m.ask(w, |ask| {
        let list = ask.machine.heap.new_var();
        let goal = ask.machine.heap.new_struct(model, &[list]);
        encode(ask.machine, ask.host, goal, None)
    });
    encoded.expect("no limit").map(|Encoded { model, .. }| model)
}

/// The values of `a` and `b` with which the linear form has solutions.
fn of_linear(model: &Model) -> BTreeSet<[i32; 2]> {
    let place = |name: &str| model.variables.iter().position(|variable| variable.name == name);
    let [a, b] = ["a", "b"].map(|name| place(name).expect("it is declared"));
    let mut found = BTreeSet::new();
    for one in model.variables[a].values.iter() {
        for other in model.variables[b].values.iter() {
            let mut model = model.clone();
            model.variables[a].values = Values::interval(one, one);
            model.variables[b].values = Values::interval(other, other);
            if let Outcome::Solution(all) = solve(&model, None, &mut || {}).0 {
                assert!(model.is_solution(&all), "{}", model.flatzinc());
                found.insert([one, other]);
            }
        }
    }
    found
}

/// Holds the two against each other; why there is no linear form.
fn same_solutions(constraints: &str) -> Result<(), String> {
    let mut session = session(&format!("model([a=A, b=B]) :- {constraints}.\n"));
    let model = linear(&mut session)?;
    let failed = || "has an error in the library".to_owned();
    let expected = labelled(&mut session, "[A,B]").ok_or_else(failed)?;
    assert_eq!(labelled(&mut session, "[B,A]").as_ref(), Some(&expected), "{constraints}");
    assert_eq!(of_linear(&model), expected, "{constraints}\n{}", model.flatzinc());
    Ok(())
}

/// Constraints have linear forms, which are exact.
fn all_same(all: &[&str]) {
    for constraints in all {
        same_solutions(constraints).unwrap_or_else(|why| panic!("{constraints}: {why}"));
    }
}

/// Constraints have none, of which it is said why.
fn none_has_one(all: &[&str], why: &str) {
    for constraints in all {
        let said = same_solutions(constraints).expect_err(constraints);
        assert!(said.contains(why), "{constraints}: {said}");
    }
}

#[test]
fn powers_and_shifts_have_all_their_values_or_no_linear_form() {
    all_same(&[
        "A in -3..3, B in 0..9, A ^ 2 #= B",
        "A in -3..3, B in -1..4, A ^ B #>= 3",
        "A in -1..1, B in -70.. -68 \\/ -1..1 \\/ 69..70, A ^ B #= 1",
        "A in -2..2, B in -70.. -69 \\/ -2..2, A ^ B #= -1",
        "A in 0..1, B in 0..1 \\/ 98..100, A ^ B #= 0",
        "A in -9..3, B in 0..4, A << B #= -16",
        "A in -2..9, B in -4..4, A >> B #= 2",
        "A in -9..2, B in -4..2, A << B #= -3",
        "A in -9..1, B in 70..72, A >> B #= -1",
        "A in 0..0, B in 60..70, A << B #= 0",
        "A in -9..3, B in -3..3, A >> 2 #= B, A << -1 #\\= B",
        "A in -4..4, B in -4..4, A /\\ B #= 2, A \\/ B #\\= 6, A xor B #< 3",
        "A in -2..2, B in -9..9, A ^ A #= B",
        "A in -3..2, B in -1..9, A << A #= B",
    ]);
    none_has_one(
        &[
            "A in 1\\/10, B in 0..1, A ^ 20 #>= 1",
            "A in 1\\/10, B in 20..21, A ^ B #>= 1",
            "A in 0\\/8, B in 0..1, A << 62 #>= 0",
            "A in 0\\/8, B in 60..70, A << B #>= 0",
            "A in 1\\/8, B in -64.. -62, A >> B #>= 1",
            "A in 1..2, B in 0..1, A << 5000000000 #>= 1",
        ],
        "bits",
    );
}

#[test]
fn functions_without_a_value_have_no_linear_form_within_truths() {
    all_same(&[
        "A in -3..9, B in -3..3, msb(A) #= B",
        "A in -3..9, B in -3..3, lsb(A) #= B",
        "A in -3..9, B in -3..3, popcount(A) #= B",
        "A in -1..1, B in -3..3, lsb(A - B) #>= A",
        "A in 1..9, B in 0..1, B #<==> (msb(A) #= 2)",
        "A in 1..9, B in 0..1, B #<==> (lsb(A) #> popcount(A) - 1)",
        "A in 0..9, B in 0..1, B #<==> (popcount(A mod 4 + 1) #= 2)",
        "A in 0..9, B in -3..3, #\\ (popcount(A rem 3) #= B)",
        "A in 1..3, B in 0..1, B #<==> (popcount(-1) #= A)",
        "A in 1..3, B in 0..1, B #<==> (A #> 1 // 0)",
        "A in 1..3, B in 0..1, B #<==> (A #\\= (-1) ^ 3 + 2 ^ -1)",
        "A in 1..3, B in 0..1, B #<==> (A #= 3 rdiv 2)",
        "A in 1..3, B in 0..1, B #<==> (A #= 4 rdiv 2)",
        "A in -1..1, B in 0..0, #\\ ((5 mod B) + 1 #= A)",
        "A in -4..4, B in -2..2, A rdiv B #= 2",
        "A in -4..4, B in -2..2, A rdiv 2 #= B",
        "A in -4..4, B in 0..1, B #<==> (A rdiv -1 #= 2)",
        "A in -4..4, B in -2..2, (A // B #> 1) #\\/ (A mod B #= 1)",
        "A in -4..4, B in -2..2, (A div B #= -1) #<==> (A rem B #= 0)",
        "A in -4..4, B in -2..2, #\\ ((A // B) // (B - 1) #= 0)",
    ]);
    none_has_one(
        &[
            "A in -1..1, B in 0..1, A #< 0, B #<==> (popcount(A) #= 2)",
            "A in -1..1, B in 0..0, #\\ (msb(5 mod B) #= A)",
            "A in 0..1, B in 0..1, #\\ (msb(A - 5) #< A // 0)",
            "A in 2..3, B in -1..1, #\\ (A ^ B #= 3)",
            "A in 0..1, B in 0..1, #\\ (A rdiv 2 #= 3)",
            "A in 0..1, B in 0..1, #\\ (A + popcount(-1) #= 3)",
        ],
        "no value for some",
    );
}

#[test]
fn large_numbers_have_linear_forms_that_are_exact_or_none() {
    all_same(&[
        "A in 0..4, B in 2..2, 1048576*A #=< 1048576*B",
        "A in 0..4, B in 0..1, B #<==> (1099511627776*A #=< 2199023255552)",
        "A in 0..4, B in 0..1, B #<==> (1099511627776*A #>= 2199023255551)",
        "A in 0..4, B in -3..3, (6*A - 4*B #> 3) #<==> (3*A + 6*B #< -4)",
        "A in -4..4, B in -3..3, #\\ (6*A - 4*B #= 8)",
        "A in -4..4, B in -3..3, 6*A - 4*B #\\= 8, #\\ (2*A #= 3 + 4*B)",
        "A in -4..4, B in -4..4, 281474976710656*A #> -281474976710656*B",
        "A in 1..5, B in 0..1, 3*A - A - A #= 2 + 1000000007*B",
    ]);
    let large = [
        "A in 1..5, B in 1..3, -9223372036854775808 #\\= A",
        "A in 0..4, B in 2..2, D #<==> (4611686018427387904*A #=< 4611686018427387904*B), A*D #=< 2*D",
        "A in 1..5, B in 0..1, B #<==> (-9223372036854775808 #= A)",
        "A in 1..5, B in 0..1, #\\ (A in inf.. -9223372036854775808)",
        "A in 1..5, B in 1..3, abs(4611686018427387904*A - 9223372036854775807*B) #> 3",
        "A in 1..5, B in 1..3, A * (576460752303423488*B) #> 3",
        "A in 1..5, B in 1..3, (576460752303423488*A) // B #> 3",
        "A in 1..5, B in 1..3, A // (576460752303423488*B) #> 3",
    ];
    for constraints in large {
        if let Err(why) = same_solutions(constraints) {
            assert!(why.contains("bits"), "{constraints}: {why}");
        }
    }
}

#[test]
fn repeated_variables_and_contradictions_leave_exact_forms() {
    all_same(&[
        "B in 0..1, A #>= -3, scalar_product([1,-1], [A,A], #=<, 0), A*A #=< 100, A #=< 10",
        "A #>= -3, scalar_product([2,-1,1], [A,A,B], #=<, 7), B in 0..3",
        "A #>= 5, B in 0..3, A #=< B",
        "A #=< -5, B in 0..3, A #= B",
        "A in 0..3, B in 0..3, scalar_product([1,1,-2], [A,B,A], #\\=, 0)",
        "A in 1..2, B in 0..9, global_cardinality([A,A], [1-B,2-_])",
        "A in 0..5, B in 0..1, all_distinct([A,B,A])",
        "A in 0..5, B in 0..1, cumulative([task(A,2,_,5,_)], [limit(3)])",
        "A in 0..5, B in 0..3, cumulative([task(A,2,_,2,_),task(B,2,_,3,_)], [limit(4)])",
        "B in 0..1, element(A, [], B)",
        "A in 0..2, B in -2..2, tuples_in([[A,B],[B,A]], [[0,1],[1,0],[2,-2],[2,2]])",
    ]);
}

/// A random expression over two variables, with operations that have no value for some of their arguments.
fn expression(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(6) == 0 {
        return match random.below(5) {
            0 | 1 => "A".to_owned(),
            2 | 3 => "B".to_owned(),
            _ => format!("({})", [-7, -2, -1, 0, 1, 2, 3, 60][random.below(8) as usize]),
        };
    }
    let one = expression(random, depth - 1);
    if random.below(3) == 0 {
        let names = ["msb", "lsb", "popcount", "abs", "\\", "-", "1000003*", "-4294967297*"];
        return format!("{}({one})", names[random.below(8) as usize]);
    }
    let other = expression(random, depth - 1);
    let names =
        ["+", "-", "*", "//", "div", "mod", "rem", "^", "<<", ">>", "/\\", "\\/", "xor", "rdiv"];
    format!("({one} {} {other})", names[random.below(14) as usize])
}

fn formula(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        let name = ["#=", "#\\=", "#<", "#=<", "#>", "#>="][random.below(6) as usize];
        let by = random.below(2) as u32;
        return format!("{} {name} {}", expression(random, 2 - by), expression(random, by));
    }
    if random.below(4) == 0 {
        return format!("#\\ ({})", formula(random, depth - 1));
    }
    let name = ["#/\\", "#\\/", "#==>", "#<==", "#<==>", "#\\"][random.below(6) as usize];
    format!("({}) {name} ({})", formula(random, depth - 1), formula(random, depth - 1))
}

#[test]
fn random_functions_have_exact_forms_or_none() {
    let mut random = Random::new(17);
    let mut seen = [0, 0];
    for round in 0..120 {
        let (lo, hi) = ([-4, -2, 0, 1][random.below(4) as usize], [2, 4][random.below(2) as usize]);
        let formula = formula(&mut random, round % 2);
        let found = same_solutions(&format!("A in {lo}..{hi}, B in {lo}..3, {formula}"));
        seen[usize::from(found.is_ok())] += 1;
    }
    assert!(seen[0] > 10 && seen[1] > 50, "{seen:?}");
}

#[test]
fn tables_of_many_rows_have_all_of_them() {
    let rows: Vec<String> = (0..300).map(|row| format!("[{row},{}]", row % 7)).collect();
    let table = format!("tuples_in([[C,B]], [{}])", rows.join(","));
    all_same(&[&format!("A in 0..9, B in 0..9, C in 0..299, C #= 30 * A + B, {table}")]);
}
