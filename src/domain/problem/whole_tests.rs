//! Numbered spaces of rule programs, against plain enumeration.

use super::*;
use crate::tests::session;
use zug_search::{Limits, Numbered, NumberedWalk, Reachable, Team, enumerate};

const SLIDING: &str = "
    initial_state([[b,1,2],[3,4,5]]).
    final_state([[1,2,3],[4,5,b]]).
    rule(row, 1, S1, S2) :- in_row(S1, S2).
    rule(column, 2, [A1,B1], [A2,B2]) :- in_column(A1, B1, A2, B2).
    in_row([R1|Rs], [R2|Rs]) :- swapped(R1, R2).
    in_row([R|Rs1], [R|Rs2]) :- in_row(Rs1, Rs2).
    swapped([b,X|Xs], [X,b|Xs]).
    swapped([X,b|Xs], [b,X|Xs]).
    swapped([X|Xs], [X|Ys]) :- swapped(Xs, Ys).
    in_column([b|As], [X|Bs], [X|As], [b|Bs]).
    in_column([X|As], [b|Bs], [b|As], [X|Bs]).
    in_column([A|As], [B|Bs], [A|Cs], [B|Ds]) :- in_column(As, Bs, Cs, Ds).
";
const PANCAKES: &str = "
    initial_state([3,1,5,4,2]).
    final_state([1,2,3,4,5]).
    rule(flip(N), N, S1, S2) :-
        member(N, [2,3,4,5]), length(Top, N), append(Top, Rest, S1),
        reverse(Top, Pot), append(Pot, Rest, S2).
";
/// Two values are tested, moves can't be undone, and some states are dead ends; no goal is named.
const ONE_WAY: &str = "
    initial_state(s(a,k,c,d,e,f)).
    rule(left, 1, s(a,B,C,D,E,F), s(B,C,a,D,E,F)).
    rule(right, 3, s(A,B,a,D,E,k), s(E,B,D,a,k,A)).
    rule(turn, 1, s(A,B,a,D,E,F), s(A,D,E,B,a,F)).
    rule(turn, 2, s(A,B,C,D,a,F), s(a,F,B,C,D,A)).
    rule(stay, 1, s(A,B,C,a,E,F), s(A,B,C,a,E,F)).
    rule(swap, 1, s(A,B,k,D,E,F), s(k,B,A,E,D,F)).
    rule(cycle, 2, s(A,k,C,D,E,F), s(A,C,D,E,k,F)).
";

/// The space of a program: plainly, and if its states have numbers, by these.
fn spaces(text: &str) -> (Reachable<crate::Packed>, Option<NumberedWalk<crate::Packed>>) {
    let mut session = session(text);
    let contract = crate::Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    let start = crate::instances(m, w, &contract, 1).expect("a start").remove(0).state;
    let mut problem =
        RuleProblem::<i64>::new(m, w, &contract, None, false).expect("rule/4 is there");
    let start = problem.pack(&start).expect("a small state");
    let found =
        enumerate(&mut Team::of(&mut problem), &start, &Limits::none(), None).expect("sound rules");
    let numbered = problem.numbers(start.bytes(), 1 << 20);
    let walk = numbered.map(|mut numbered| numbered.walk(u32::MAX, &mut |_| true));
    (found, walk.map(|walk| walk.expect("memory")))
}

#[test]
fn spaces_by_numbers_are_those_of_plain_enumeration() {
    for (text, states) in [(SLIDING, 360), (PANCAKES, 120), (ONE_WAY, 432)] {
        let (plain, walk) = spaces(text);
        let walk = walk.unwrap_or_else(|| panic!("states of these have numbers: {text}"));
        assert_eq!(plain.total(), states, "{text}");
        assert_eq!((walk.by_depth, walk.terminal), (plain.by_depth, plain.terminal));
        assert_eq!(
            (walk.walked.expanded, walk.walked.generated),
            (plain.stats.expanded, plain.stats.generated)
        );
        let sorted = |states: Vec<crate::Packed>| {
            let mut bytes: Vec<Vec<u8>> = states.iter().map(|s| s.bytes().to_vec()).collect();
            bytes.sort();
            bytes
        };
        assert_eq!(sorted(walk.deepest), sorted(plain.deepest));
    }
}

#[test]
fn states_of_other_puzzles_have_no_numbers() {
    for text in [
        // Two of a kind; a value that is made.
        &SLIDING.replace("[3,4,5]]).\n    final", "[3,4,4]]).\n    final"),
        &PANCAKES.replace("reverse(Top, Pot)", "reverse(Top, [_|Top2]), Pot = [1|Top2]"),
    ] {
        assert!(spaces(text).1.is_none(), "{text}");
    }
}

#[test]
fn a_move_of_negative_cost_is_an_error_still() {
    let text = SLIDING.to_owned() + "rule(no, -1, [[A,B,b]|Rows], [[A,B,b]|Rows]).";
    let mut session = session(&text);
    let contract = crate::Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    let start = crate::instances(m, w, &contract, 1).expect("a start").remove(0).state;
    let mut problem =
        RuleProblem::<i64>::new(m, w, &contract, None, false).expect("rule/4 is there");
    let start = problem.pack(&start).expect("a small state");
    assert!(enumerate(&mut Team::of(&mut problem), &start, &Limits::none(), None).is_err());
    assert!(problem.numbers(start.bytes(), 1 << 20).is_none());
}
