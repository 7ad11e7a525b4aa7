//! What `Session::follow_standard` changes.

use zug_prolog::session::Session;

/// The first answer, `false`, or the message of the error.
fn first(session: &mut Session, goal: &str) -> String {
    let mut query = match session.query(goal) {
        Ok(query) => query,
        Err(fault) => return format!("syntax: {}", fault.diagnostic.message),
    };
    let said = match session.next(&mut query) {
        Ok(true) => session.answer(&query),
        Ok(false) => "false".to_owned(),
        Err(fault) => session.describe(&fault).message,
    };
    session.close(query);
    said
}

fn check(goal: &str, usual: &str, standard: &str) {
    let (mut session, _) = Session::captured(&[], "");
    assert_eq!(first(&mut session, goal), usual, "by default: {goal}");
    session.follow_standard();
    assert_eq!(first(&mut session, goal), standard, "by the standard: {goal}");
    let _ = session.renew();
    assert_eq!(first(&mut session, goal), standard, "renewed: {goal}");
}

#[test]
fn the_standard_is_followed_where_it_differs() {
    let wrong = "expected an atom, found `12` (an integer)";
    let no_value = "a variable has no value yet where one is needed";
    for (goal, usual, standard) in [
        // Terms are ordered by type before value.
        ("msort([1, 2.0, 1.0, 0], L)", "L = [0,1.0,1,2.0]", "L = [1.0,2.0,0,1]"),
        ("compare(O, 1, 1.5)", "O = <", "O = >"),
        // Division and power of integers are floats.
        ("X is 4 / 2", "X = 2", "X = 2.0"),
        ("X is 2 ** 3", "X = 8", "X = 8.0"),
        ("X is 7 // 2", "X = 3", "X = 3"),
        ("X is 2 ^ 3", "X = 8", "X = 8"),
        // Atoms are wanted where text passes, and other syntax is refused.
        ("atom_length(12, L)", "L = 2", wrong),
        ("sub_atom(12, 0, 1, _, S)", "S = '1'", wrong),
        ("X = 1e10", "X = 10000000000.0", "syntax: `1e10` is no number"),
        ("X = \"a\"", "X = \"a\"", "X = [97]"),
        // Rounding takes floats alone.
        ("X is floor(9)", "X = 9", "expected a float, found `9` (an integer)"),
        ("X is round(-3.5)", "X = -4", "X = -3"),
        ("X is truncate(2.7)", "X = 2", "X = 2"),
        // A number of an argument is wanted.
        ("arg(N, f(a), X)", "N = 1, X = a", no_value),
    ] {
        check(goal, usual, standard);
    }
}
