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
fn terms_are_ordered_by_type_before_value() {
    check("msort([1, 2.0, 1.0, 0], L)", "L = [0,1.0,1,2.0]", "L = [1.0,2.0,0,1]");
    check("compare(O, 1, 1.5)", "O = <", "O = >");
}

#[test]
fn division_and_power_of_integers_are_floats() {
    check("X is 4 / 2", "X = 2", "X = 2.0");
    check("X is 2 ** 3", "X = 8", "X = 8.0");
    check("X is 7 // 2", "X = 3", "X = 3");
    check("X is 2 ^ 3", "X = 8", "X = 8");
}

#[test]
fn atoms_are_wanted_where_text_passes() {
    let wrong = "expected an atom, found `12` (an integer)";
    check("atom_length(12, L)", "L = 2", wrong);
    check("sub_atom(12, 0, 1, _, S)", "S = '1'", wrong);
}

#[test]
fn other_syntax_is_refused() {
    check("X = 1e10", "X = 10000000000.0", "syntax: `1e10` is no number");
    check("X = \"a\"", "X = \"a\"", "X = [97]");
}

#[test]
fn rounding_takes_floats_alone() {
    check("X is floor(9)", "X = 9", "expected a float, found `9` (an integer)");
    check("X is round(-3.5)", "X = -4", "X = -3");
    check("X is truncate(2.7)", "X = 2", "X = 2");
}

#[test]
fn a_number_of_an_argument_is_wanted() {
    check("arg(N, f(a), X)", "N = 1, X = a", "a variable has no value yet where one is needed");
}
