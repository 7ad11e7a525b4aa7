//! What stands in the way of code, in the words of the rules: what is so, and what to change.

use super::reason::Reason;
use std::sync::LazyLock;
use zug_report::CodeObstacle;

/// A reason in words for the author of the rules.
pub(super) struct Plain {
    pub(super) kind: CodeObstacle,
    pub(super) what: &'static str,
    pub(super) change: &'static str,
}

/// Rows of three lines: what tells a reason, by the goal where it was met or by parts of its text; what is so; what to change.
const ROWS: &str = "\
goals: write print nl writeln format put_char tab write_canonical writeq
the rules write
write in print_state/1 instead
goals: assert asserta assertz retract retractall abolish
the rules change the program
keep what changes in the state
goals: nb_getval b_getval nb_setval b_setval random random_between get_time statistics flag \
recorded recorda recordz
the rules depend on more than the state
keep what they look at in the state
goals: atom_chars atom_codes atom_length sub_atom $sub_text atom_concat $concat sub_string \
string_chars string_codes string_concat string_length atom_number number_codes number_chars \
char_code split_string atomic_list_concat upcase_atom term_to_atom atom_string number_string \
string_code string_to_atom nb_text
a text that differs from state to state is taken apart or put together
keep its characters in the state, as a list of atoms
goals: bagof setof ^ term_variables
all solutions are collected for each value of other variables
use findall/3, and sort/2 where the order counts
goals: throw catch
the rules raise or catch an error
test before instead, and fail
rules: too many constants|more than one byte
more than some 600 different atoms come up in one place of the state
use integers, or fewer different atoms
large: making the code takes too long|nest too deep|too deep
there are too many cases to tell apart
go through the places of the state one by one, each by its own test; \
leave choices that the state does not bound to facts
large: the code takes longer than the machine
there may be very many moves, of which a state has few: the machine is faster
have the rules look for what there is on the board before they look at places
shapes: too many shapes|some states only|shapes of
terms of very many forms come up
give the parts of the state one form: lists of one length, an atom for `none`
rules: quotient
something computed is a fraction
count in integers: `//` in the place of `/`, hundredths in the place of fractions
rules: float|a string|a text or a number|a text or a large number|numbers or texts
floats, strings or very large numbers are in the state or the rules
count in integers, and use atoms for texts
large: a term of the rules is too large
a list or a term of the rules is too large to tell apart by the state
keep shorter lists in the state, or go through them in parts
rules: too large|out of the range|large number|beyond 2^
a number may become very large
bound numbers by a test before they are computed, or keep small ones in the state
values: what one alone was
two parts of the state are alike that never were before
nothing, unless it is a fault of the rules
values: not met before
values keep coming up that were not met before
use few values, or integers of a small range, in each place of the state
rules: no integer|no number|is evaluated|number is a structure
what is computed or compared is a number in some states only
test with integer/1 first, or have an integer there in all states
rules: unbound|variable
a part of the state is a variable, or an answer has one
put an atom such as `empty` where there is a variable
rules: list is expected|ends a list|without end|unknown length|open end|may be absent|\
gone through
a list or a range is as long as the state says
give lists of the state a fixed length, and between/3 bounds that are numbers
rules: kept in tables
the answers are kept in tables
leave `:- table` away for what is quick
rules: runs already
a predicate calls itself, and the state does not bound how often
have it go down a list of the state, or count down from a number
rules: the goal|no such predicate|the module
what is called depends on the state
call predicates by their names
rules: raises an error|no value in some states|negative number|below zero
an error is raised in some states
test for what raises it first
rules:
this is left to the machine
write it with other goals: docs/specialisation.md lists those that can be code";

struct Row {
    by_goal: bool,
    cues: Vec<&'static str>,
    plain: Plain,
}

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let lines: Vec<&str> = ROWS.lines().collect();
    let row = |&[cues, what, change]: &[&'static str; 3]| {
        let (tag, cues) = cues.split_once(':').expect("a row begins with a tag");
        let kind = match tag {
            "large" => CodeObstacle::TooLarge,
            "shapes" => CodeObstacle::Shapes,
            "values" => CodeObstacle::NewValues,
            _ => CodeObstacle::Rules,
        };
        let by_goal = tag == "goals";
        let cues = cues.trim_start().split(if by_goal { ' ' } else { '|' }).collect();
        Row { by_goal, cues, plain: Plain { kind, what, change } }
    };
    lines.as_chunks().0.iter().map(row).collect()
});

impl Plain {
    pub(super) fn of(reason: &Reason) -> &'static Plain {
        let name = reason.goal.rsplit_once('/').map_or(&*reason.goal, |(name, _)| name);
        let rows = TABLE.iter();
        let by_goal = rows.clone().find(|row| row.by_goal && row.cues.contains(&name));
        let in_text = |cue: &&str| reason.what.contains(cue);
        // The cue of the last one is in all texts.
        let by_text = rows.clone().find(|row| !row.by_goal && row.cues.iter().any(in_text));
        let by_text = by_text.map(|row| &row.plain).expect("the last row is for all others");
        // Where it took too long it is not about the goal that was next.
        match by_goal {
            Some(row) if by_text.kind != CodeObstacle::TooLarge => &row.plain,
            _ => by_text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::{SLOW, TOO_MUCH};

    #[test]
    fn what_took_too_long_is_not_blamed_on_the_goal() {
        let reason = Reason { goal: "write/1".to_owned(), ..Reason::plain(TOO_MUCH) };
        assert_eq!(Plain::of(&reason).kind, CodeObstacle::TooLarge);
        assert_eq!(Plain::of(&Reason::plain(SLOW)).kind, CodeObstacle::TooLarge);
        let reason = Reason { what: "write/1 is for the machine".to_owned(), ..reason };
        assert_eq!(Plain::of(&reason).what, "the rules write");
    }

    #[test]
    fn no_word_of_the_compiler_is_left() {
        let words =
            ["symbolic", "leaf", "leaves", "residual", "block", "step", "shape", "specialise"];
        for Row { plain, .. } in TABLE.iter() {
            for word in plain.what.split(' ').chain(plain.change.split(' ')) {
                assert!(!words.contains(&word), "{word}: {} {}", plain.what, plain.change);
            }
        }
    }
}
