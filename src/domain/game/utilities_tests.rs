//! Games for two whose utilities add up to nothing, to something, or to nothing in particular,
//! against a naive solver of their own; and that no answer hangs on what was asked before.

use crate::tests::{check, session};
use crate::{journal, take_journal};
use std::fmt::Write;
use zug_prolog::session::Session;
use zug_random::Random;
use zug_report::Exactness;
use zug_search::game::Proof;

/// A game tree over layers: moves lead to the layer below, states of the last one are ends.
struct Tree {
    text: String,
    /// By state, what moves lead to; empty for ends.
    to: Vec<Vec<usize>>,
    mover: Vec<usize>,
    ends: Vec<[i64; 2]>,
}

/// How utilities of both stand to each other.
#[derive(Clone, Copy, PartialEq)]
enum Sum {
    Constant(i64),
    None,
}

const LAYERS: usize = 4;
const WIDTH: usize = 3;

fn tree(seed: u64, sum: Sum) -> Tree {
    let mut random = Random::new(seed);
    let count = LAYERS * WIDTH;
    let (mut to, mut ends) = (vec![Vec::new(); count], vec![[0, 0]; count]);
    let mut mover = vec![0; count];
    let mut text = "initial_state(0). initial_player(a). opponent(a, b). opponent(b, a).
        to_move(S, J) :- turn(S, J). terminal(_, S) :- end(S, _, _).
        utility(a, S, U) :- end(S, U, _). utility(b, S, U) :- end(S, _, U).
        move(_, M, S, T) :- edge(S, M, T).\n"
        .to_owned();
    for state in 0..count {
        mover[state] = random.below(2) as usize;
        let player = ["a", "b"][mover[state]];
        let _ = writeln!(text, "turn({state}, {player}).");
        let layer = state / WIDTH;
        if layer + 1 == LAYERS || layer > 0 && random.below(5) == 0 {
            let own = 1 + random.below(6) as i64;
            let other = match sum {
                Sum::Constant(sum) => sum - own,
                Sum::None => 1 + random.below(6) as i64,
            };
            ends[state] = [own, other];
            continue;
        }
        for name in 0..1 + random.below(3) {
            let next = (layer + 1) * WIDTH + random.below(WIDTH as u64) as usize;
            to[state].push(next);
            let _ = writeln!(text, "edge({state}, m{name}, {next}).");
        }
    }
    for state in (0..count).filter(|&state| to[state].is_empty()) {
        let [a, b] = ends[state];
        let _ = writeln!(text, "end({state}, {a}, {b}).");
    }
    Tree { text, to, mover, ends }
}

impl Tree {
    /// What both get: each takes the first of what is best for them.
    fn worth(&self, state: usize) -> [i64; 2] {
        let own = self.mover[state];
        let worths = self.to[state].iter().map(|&next| self.worth(next));
        let best = worths.reduce(|best, next| if next[own] > best[own] { next } else { best });
        best.unwrap_or(self.ends[state])
    }

    /// All that both can get when equals are chosen among in any way.
    fn all(&self, state: usize) -> Vec<[i64; 2]> {
        if self.to[state].is_empty() {
            return vec![self.ends[state]];
        }
        let own = self.mover[state];
        let mut found = Vec::new();
        let below: Vec<Vec<[i64; 2]>> = self.to[state].iter().map(|&next| self.all(next)).collect();
        // Every choice of what the successors come to.
        let mut at = vec![0; below.len()];
        loop {
            let here: Vec<[i64; 2]> = below.iter().zip(&at).map(|(all, &at)| all[at]).collect();
            let best = here.iter().map(|worth| worth[own]).max();
            found.extend(here.into_iter().filter(|worth| Some(worth[own]) == best));
            let Some(next) = (0..at.len()).find(|&i| at[i] + 1 < below[i].len()) else { break };
            at[..next].fill(0);
            at[next] += 1;
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The sums of the ends that can be reached.
    fn sums(&self, state: usize) -> Vec<i64> {
        if self.to[state].is_empty() {
            return vec![self.ends[state][0] + self.ends[state][1]];
        }
        let mut sums: Vec<i64> = self.to[state].iter().flat_map(|&next| self.sums(next)).collect();
        sums.sort_unstable();
        sums.dedup();
        sums
    }
}

fn error(session: &mut Session, goal: &str) -> Option<String> {
    let mut query = session.query(goal).expect("a goal that reads");
    let found = session.next(&mut query).map_err(|fault| session.describe(&fault).to_string());
    session.close(query);
    found.err()
}

#[test]
fn trees_are_worth_what_a_naive_solver_finds() {
    let (mut general, mut tied) = (0, 0);
    for seed in 0..120 {
        let sum = [Sum::None, Sum::Constant(0), Sum::Constant(7), Sum::None][seed as usize % 4];
        let tree = tree(seed, sum);
        let (worth, mover) = (tree.worth(0), tree.mover[0]);
        let [a, b] = worth;
        let player = ["a", "b"][mover];
        let mut game = session(&tree.text);
        let value = worth[mover];
        check(&mut game, &format!("solve_game({player}, 0, V)"), &format!("V = {value}"));
        let run = take_journal(&mut game.world).games.pop().expect("a report");
        let apart = tree.sums(0).len() > 1;
        let all = tree.all(0);
        // Ranges are no less wide than what can happen.
        let exact = run.certainty.exactness;
        assert!(exact != Exactness::Exact || all.len() == 1, "{seed}: {all:?}\n{}", tree.text);
        assert_ne!(exact, Exactness::Estimated, "{seed}");
        assert!(apart || exact == Exactness::Exact, "{seed}");
        let signed = |value: i64| if value < 0 { format!(" {value}") } else { value.to_string() };
        let pairs = format!("[a-{},b-{}]", signed(a), signed(b));
        let goal = format!("(maxn({player}, 0, 0, inf, [_, _R]), msort(_R, V))");
        check(&mut game, &goal, &format!("V = {pairs}"));
        for engine in ["negamax", "minimax", "alphabeta", "expectiminimax"] {
            let goal = format!("{engine}({player}, 0, 0, inf, [_, V])");
            if apart {
                let said = error(&mut game, &goal).expect("it refuses");
                assert!(said.contains(engine) && said.contains("is worth"), "{said}");
            } else {
                check(&mut game, &goal, &format!("V = {value}"));
            }
        }
        let run = apart.then(|| error(&mut game, "winning(_, _)")).flatten();
        assert_eq!(run.is_some(), apart, "{seed}");
        general += usize::from(apart);
        tied += usize::from(apart && all.len() > 1);
    }
    assert!(general > 30 && tied > 3, "{general} {tied}");
}

/// All orders of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(count - 1);
    let insert = |order: &Vec<usize>, at: usize| {
        let mut order = order.clone();
        order.insert(at, count - 1);
        order
    };
    (0..count).flat_map(|at| shorter.iter().map(move |order| insert(order, at))).collect()
}

/// What a query says: its answer, or its error.
fn said(session: &mut Session, goal: &str) -> String {
    let mut query = session.query(goal).expect("a goal that reads");
    let found = session.next(&mut query);
    let said = match found {
        Ok(true) => session.answer(&query),
        Ok(false) => "false".to_owned(),
        Err(fault) => session.describe(&fault).to_string(),
    };
    session.close(query);
    said
}

/// Every query says the same, whatever was asked before.
fn in_all_orders(rules: &str, queries: &[&str]) {
    let mut first: Vec<Option<String>> = vec![None; queries.len()];
    for order in orders(queries.len()) {
        let mut game = session(rules);
        for at in order {
            let found = said(&mut game, queries[at]);
            let known = first[at].get_or_insert_with(|| found.clone());
            assert_eq!(*known, found, "{}", queries[at]);
        }
    }
}

const ROUND: &str = "initial_player(a). opponent(a, b). opponent(b, a). initial_state(s).
    to_move(S, J) :- turn(S, J). move(_, M, S, T) :- edge(S, M, T).
    turn(s, a). turn(c, chance). turn(t, b). turn(x, a). turn(y, b). turn(top, a). turn(w, a).
    turn(z, chance). turn(u, a). turn(q, a).
    edge(s, throw, c). edge(c, h, w). edge(c, t, t). edge(t, back, s).
    edge(x, r, y). edge(y, r, x). edge(top, x, s). edge(top, y, x). edge(top, z, q).
    edge(u, throw, z). edge(z, h, u). edge(z, t, u).
    edge(q, stop, w). edge(q, go, c).";

#[test]
fn no_answer_hangs_on_what_was_asked_before() {
    let utility = "terminal(_, w). utility(a, w, 1). utility(b, w, -1).";
    let queries = [
        "solve_game(a, top, V), best_move(a, top, M)",
        "solve_game(a, x, V), best_move(a, x, M)",
        "solve_game(a, s, V)",
        "solve_game(b, t, V)",
        "solve_game(a, u, V)",
    ];
    in_all_orders(&format!("{ROUND} {utility}"), &queries);
    let halves = "terminal(_, w). utility(a, w, 1). utility(b, w, 0). heuristic(_, _, 0.25).";
    let queries = [
        "expectiminimax(a, top, 0, 2, [M, V])",
        "solve_game(a, q, V)",
        "drawn(a, x)",
        "expectiminimax(a, u, 0, 2, [M, V])",
    ];
    in_all_orders(&format!("{ROUND} {halves}"), &queries);
}

#[test]
fn play_that_never_ends() {
    let mut game =
        session(&format!("{ROUND} terminal(_, w). utility(a, w, 1). utility(b, w, -1)."));
    // Sooner or later the coin falls; what is worth 1 is 1 and no float.
    check(&mut game, "solve_game(a, s, V)", "V = 1");
    // Nobody can make it end, and no chance is there to do it: a draw.
    check(&mut game, "solve_game(a, x, V)", "V = 0");
    // Chance never ends it: nobody says what that is worth.
    let said = error(&mut game, "solve_game(a, u, V)").expect("it refuses");
    assert!(said.contains("round"), "{said}");
    // A third of the way there and back.
    let mut game = session(
        "initial_state(1). initial_player(a). opponent(a, a). to_move(S, chance) :- S \\== 3, S \\== 0.
         to_move(3, a). to_move(0, a). terminal(_, 0). terminal(_, 3).
         move(chance, up, S, T) :- T is S + 1. move(chance, down, S, T) :- T is S - 1.
         utility(_, S, S).",
    );
    check(&mut game, "solve_game(chance, 1, [_-V])", "V = 1");
    check(&mut game, "solve_game(chance, 2, [_-V])", "V = 2");
}

#[test]
fn views_of_the_player_to_move_are_zero_sum() {
    let nim = "initial_state(5). initial_player(a). opponent(a, b). opponent(b, a).
        move(_, K, N, M) :- member(K, [1, 2]), K =< N, M is N - K.
        terminal(_, 0).";
    let kind = |session: &mut Session| {
        let run = journal(&mut session.world).games.last().expect("a report");
        run.utilities.as_ref().map(|utilities| utilities.kind)
    };
    // The one who moves there took nothing and has lost; said in several ways.
    for (utility, expected) in [
        ("utility(_, 0, -1).", "player_to_move"),
        ("utility(J, 0, U) :- ( atom(J) -> U = -1 ; U = 0 ).", "constant_sum"),
        ("utility(0, -1).", "player_to_move"),
        ("heuristic(_, _, -1).", "heuristic"),
    ] {
        let mut game = session(&format!("{nim} {utility}"));
        if expected == "constant_sum" {
            // Both get -1 whoever moves: that is said of both.
            check(&mut game, "solve_game(a, 5, V)", "V = -1");
        } else {
            check(&mut game, "solve_game(a, 5, V), best_move(a, 5, M)", "V = 1, M = 2");
        }
        assert_eq!(kind(&mut game), Some(expected), "{utility}");
    }
    // Who has lost is told, who has won gets nothing by a clause for everybody else.
    let last = "initial_state(s(3, none)). initial_player(a). opponent(a, b). opponent(b, a).
        move(J, K, s(N, _), s(M, J)) :- member(K, [1, 2]), K =< N, M is N - K.
        terminal(_, s(0, _)).
        utility(J, s(0, K), -1) :- K \\== J, !.
        utility(_, _, 0).";
    let mut game = session(last);
    check(&mut game, "solve_game(a, S, V)", "S = s(3,none), V = -1");
    check(&mut game, "alphabeta(b, s(2,a), 0, inf, [M, V])", "M = 2, V = 1");
    assert_eq!(kind(&mut game), Some("player_to_move"));
    // One player alone has utilities.
    let one = "initial_state(s). initial_player(a). opponent(a, b). opponent(b, a).
        move(a, l, s, x). move(a, r, s, y). terminal(_, x). terminal(_, y).
        utility(a, x, 3). utility(a, y, 5).";
    let mut game = session(one);
    check(&mut game, "solve_game(a, s, V), negamax(a, s, 0, 9, [M, W])", "V = 5, M = r, W = 5");
}

/// Two moves each: to `e1`, the better one for a, or to `e2`; to `e3` or to `e2`.
fn two_by_two(ends: &str) -> String {
    format!(
        "initial_state(root). initial_player(a). opponent(a, b). opponent(b, a).
         move(a, l, root, x). move(a, r, root, y).
         move(b, l, x, e1). move(b, r, x, e2). move(b, l, y, e3). move(b, r, y, e2).
         terminal(_, S) :- member(S, [e1, e2, e3]). {ends}"
    )
}

#[test]
fn all_engines_say_a_constant_sum_in_the_same_words() {
    let halves = "utility(a, e1, 1). utility(b, e1, 0). utility(_, e2, 0.5).
        utility(a, e3, 0). utility(b, e3, 1).";
    let whole = "utility(a, e1, 2). utility(b, e1, 0). utility(_, e2, 1).
        utility(a, e3, 0). utility(b, e3, 2).";
    for (ends, expected) in [(halves, "V = 0.5"), (whole, "V = 1")] {
        for goal in [
            "solve_game(a, root, V)",
            "negamax(a, root, 0, 9, [_, V])",
            "alphabeta(a, root, 0, 9, [_, V])",
            "expectiminimax(a, root, 0, 9, [_, V])",
            "mcts(a, root, _, V, [])",
        ] {
            check(&mut session(&two_by_two(ends)), goal, expected);
        }
    }
}

#[test]
fn proof_numbers_say_who_wins_and_not_how_much() {
    let ends = "utility(a, e1, 5). utility(b, e1, -5). utility(a, e2, 2). utility(b, e2, -2).
        utility(a, e3, 0). utility(b, e3, 0).";
    let mut game = session(&two_by_two(ends));
    check(&mut game, "pns(a, root, V)", "V = 1");
    let run = take_journal(&mut game.world).games.pop().expect("a report");
    let known = (run.value, run.proof, run.certainty.exactness);
    assert_eq!(known, (None, Some(Proof::Won), Exactness::Estimated));
    let draw = "utility(a, e1, 2). utility(b, e1, 0). utility(_, e2, 1).
        utility(a, e3, 0). utility(b, e3, 2).";
    let mut game = session(&two_by_two(draw));
    check(&mut game, "pns(a, root, V)", "V = 0");
    let run = take_journal(&mut game.world).games.pop().expect("a report");
    let known = (run.value, run.proof, run.certainty.exactness);
    assert_eq!(known, (Some(1.into()), None, Exactness::Exact));
    assert_eq!(run.line.len(), 1);
}
