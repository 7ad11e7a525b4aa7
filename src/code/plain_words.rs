//! What stands in the way of code, in the words of the rules: what is so, and what to change.

use super::reason::{Reason, TOO_MUCH};
use super::units::SLOW;
use zug_report::CodeObstacle;

/// What a reason comes to for who wrote the rules.
pub(super) struct Plain {
    pub(super) kind: CodeObstacle,
    pub(super) what: &'static str,
    pub(super) change: &'static str,
}

/// A reason by the goal where it was met.
const GOALS: [(&str, Plain); 6] = [
    (
        "write print nl writeln format put_char tab write_canonical writeq",
        Plain::rules("the rules write", "write in print_state/1 instead"),
    ),
    (
        "assert asserta assertz retract retractall abolish",
        Plain::rules("the rules change the program", "keep what changes in the state"),
    ),
    (
        "nb_getval b_getval nb_setval b_setval random random_between get_time statistics \
         flag recorded recorda recordz",
        Plain::rules(
            "the rules depend on more than the state",
            "keep what they look at in the state",
        ),
    ),
    (
        "atom_chars atom_codes atom_length sub_atom $sub_text atom_concat $concat \
         sub_string string_chars string_codes string_concat string_length atom_number \
         number_codes number_chars char_code split_string atomic_list_concat upcase_atom \
         term_to_atom atom_string number_string string_code string_to_atom nb_text",
        Plain::rules(
            "a text that differs from state to state is taken apart or put together",
            "keep its characters in the state, as a list of atoms",
        ),
    ),
    (
        "bagof setof ^ term_variables",
        Plain::rules(
            "all solutions are collected for each value of other variables",
            "use findall/3, and sort/2 where the order counts",
        ),
    ),
    (
        "throw catch",
        Plain::rules("the rules raise or catch an error", "test before instead, and fail"),
    ),
];

/// A reason by what is so: parts of its text.
const TEXTS: [(&[&str], Plain); 16] = [
    (
        &["too many constants", "more than one byte"],
        Plain::rules(
            "more than some 600 different atoms come up in one place of the state",
            "use integers, or fewer different atoms",
        ),
    ),
    (
        &[TOO_MUCH, "nest too deep", "too deep"],
        Plain {
            kind: CodeObstacle::TooLarge,
            what: "there are too many cases to tell apart",
            change: "go through the places of the state one by one, each by its own test; \
                     leave choices that the state does not bound to facts",
        },
    ),
    (
        &[SLOW],
        Plain {
            kind: CodeObstacle::TooLarge,
            what: "there may be very many moves, of which a state has few: the machine is faster",
            change: "have the rules look for what there is on the board before they look at places",
        },
    ),
    (
        &["too many shapes", "some states only", "shapes of"],
        Plain {
            kind: CodeObstacle::Shapes,
            what: "terms of very many forms come up",
            change: "give the parts of the state one form: lists of one length, an atom for `none`",
        },
    ),
    (
        &["quotient"],
        Plain::rules(
            "something computed is a fraction",
            "count in integers: `//` in the place of `/`, hundredths in the place of fractions",
        ),
    ),
    (
        &[
            "float",
            "a string",
            "a text or a number",
            "a text or a large number",
            "numbers or texts",
        ],
        Plain::rules(
            "floats, strings or very large numbers are in the state or the rules",
            "count in integers, and use atoms for texts",
        ),
    ),
    (
        &["too large", "out of the range", "large number", "beyond 2^"],
        Plain::rules(
            "a number may become very large",
            "bound numbers by a test before they are computed, or keep small ones in the state",
        ),
    ),
    (
        &["what one alone was"],
        Plain {
            kind: CodeObstacle::NewValues,
            what: "two parts of the state are alike that never were before",
            change: "nothing, unless it is a fault of the rules",
        },
    ),
    (
        &["not met before"],
        Plain {
            kind: CodeObstacle::NewValues,
            what: "values keep coming up that were not met before",
            change: "use few values, or integers of a small range, in each place of the state",
        },
    ),
    (
        &["no integer", "no number", "is evaluated", "number is a structure"],
        Plain::rules(
            "what is computed or compared is a number in some states only",
            "test with integer/1 first, or have an integer there in all states",
        ),
    ),
    (
        &["unbound", "variable"],
        Plain::rules(
            "a part of the state is a variable, or an answer has one",
            "put an atom such as `empty` where there is a variable",
        ),
    ),
    (
        &[
            "list is expected",
            "ends a list",
            "without end",
            "unknown length",
            "open end",
            "may be absent",
            "gone through",
        ],
        Plain::rules(
            "a list or a range is as long as the state says",
            "give lists of the state a fixed length, and between/3 bounds that are numbers",
        ),
    ),
    (
        &["kept in tables"],
        Plain::rules("the answers are kept in tables", "leave `:- table` away for what is quick"),
    ),
    (
        &["runs already"],
        Plain::rules(
            "a predicate calls itself, and the state does not bound how often",
            "have it go down a list of the state, or count down from a number",
        ),
    ),
    (
        &["the goal", "no such predicate", "the module"],
        Plain::rules("what is called depends on the state", "call predicates by their names"),
    ),
    (
        &["raises an error", "no value in some states", "negative number", "below zero"],
        Plain::rules("an error is raised in some states", "test for what raises it first"),
    ),
];

impl Plain {
    const fn rules(what: &'static str, change: &'static str) -> Plain {
        Plain { kind: CodeObstacle::Rules, what, change }
    }

    pub(super) fn of(reason: &Reason) -> &'static Plain {
        const OTHER: Plain = Plain::rules(
            "this is left to the machine",
            "write it with other goals: docs/specialisation.md lists those that can be code",
        );
        let name = reason.goal.rsplit_once('/').map_or(&*reason.goal, |(name, _)| name);
        let by_text =
            || TEXTS.iter().find(|(parts, _)| parts.iter().any(|part| reason.what.contains(part)));
        // Where it took too long it is not about the goal that was next.
        let found = match by_text() {
            Some((_, plain)) if plain.kind == CodeObstacle::TooLarge => Some(plain),
            text => {
                let has_it = |names: &str| names.split(' ').any(|known| known == name);
                let goal = GOALS.iter().find(|(names, _)| has_it(names)).map(|(_, plain)| plain);
                goal.or(text.map(|(_, plain)| plain))
            }
        };
        found.unwrap_or(&OTHER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_too_long_is_not_blamed_on_the_goal() {
        let reason = Reason { goal: "write/1".to_owned(), ..Reason::plain(TOO_MUCH) };
        assert_eq!(Plain::of(&reason).kind, CodeObstacle::TooLarge);
        let reason = Reason { what: "write/1 is for the machine".to_owned(), ..reason };
        assert_eq!(Plain::of(&reason).what, "the rules write");
    }

    #[test]
    fn no_word_of_the_compiler_is_left() {
        let words =
            ["symbolic", "leaf", "leaves", "residual", "block", "step", "shape", "specialise"];
        let all = GOALS.iter().map(|(_, plain)| plain).chain(TEXTS.iter().map(|(_, plain)| plain));
        for plain in all {
            for word in plain.what.split(' ').chain(plain.change.split(' ')) {
                assert!(!words.contains(&word), "{word}: {} {}", plain.what, plain.change);
            }
        }
    }
}
