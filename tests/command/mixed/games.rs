//! Games with a known value to the player to move.

use super::{Due, Job, Made, Random, Recipe};
use std::collections::HashMap;
use std::fmt::Write;

pub fn recipes() -> Vec<Recipe> {
    vec![
        Recipe { kind: "nim", make: nim },
        Recipe { kind: "take_away", make: take_away },
        Recipe { kind: "token", make: token },
        Recipe { kind: "coins", make: coins },
        Recipe { kind: "matrix", make: matrix },
    ]
}

const PLAYERS: &str = "initial_player(ann).\nopponent(ann, bob).\nopponent(bob, ann).\n";

fn due(value: i64) -> Due {
    Due::new("solved").results(1).field(0, "value", value).field(0, "exact", true)
}

/// Nim: the exclusive or of the heaps says who wins (C. Bouton, 1901).
fn nim(random: &mut Random, _: &Job<'_>) -> Made {
    let heaps: Vec<i64> = (0..random.size(1, 3)).map(|_| random.range(1, 4)).collect();
    let text = format!(
        "initial_state({heaps:?}).\n{PLAYERS}\
         move(_, take(I, K), S, T) :- nth1(I, S, N, R), between(1, N, K), M is N - K, \
         nth1(I, T, M, R).\nterminal(_, S) :- sum_list(S, 0).\nutility(_, _, -1).\n"
    );
    let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
    Made::domain(text, due(if sum == 0 { -1 } else { 1 }))
}

/// One heap, of which certain numbers may be taken; who can't move has lost.
fn take_away(random: &mut Random, _: &Job<'_>) -> Made {
    let heap = random.size(5, 40);
    let mut takes: Vec<usize> = (0..3).map(|_| random.size(1, 7)).collect();
    takes.sort_unstable();
    takes.dedup();
    let mut wins: Vec<bool> = Vec::new();
    for matches in 0..=heap {
        let won = takes.iter().any(|&take| take <= matches && !wins[matches - take]);
        wins.push(won);
    }
    let text = format!(
        "initial_state({heap}).\n{PLAYERS}\
         move(_, K, N, M) :- member(K, {takes:?}), K =< N, M is N - K.\n\
         terminal(J, N) :- \\+ move(J, _, N, _).\nutility(_, _, -1).\n"
    );
    Made::domain(text, due(if wins[heap] { 1 } else { -1 }))
}

/// A token goes along the roads of a map in which there are ways round. Who can't move has
/// lost; a play without end is a draw.
fn token(random: &mut Random, _: &Job<'_>) -> Made {
    let places = random.size(3, 15);
    let mut roads: Vec<Vec<usize>> = Vec::new();
    for _ in 0..places {
        let mut all: Vec<usize> =
            (0..random.size(0, 3)).map(|_| random.size(0, places - 1)).collect();
        all.sort_unstable();
        all.dedup();
        roads.push(all);
    }
    // What is lost, then what is won, until there is no more.
    let mut values: Vec<Option<i64>> = vec![None; places];
    loop {
        let before = values.clone();
        for at in 0..places {
            let to = &roads[at];
            if to.iter().any(|&to| before[to] == Some(-1)) {
                values[at] = Some(1);
            } else if to.iter().all(|&to| before[to] == Some(1)) {
                values[at] = Some(-1);
            }
        }
        if values == before {
            break;
        }
    }
    let mut text = format!(
        "initial_state(0).\n{PLAYERS}:- dynamic road/2.\nmove(_, B, A, B) :- road(A, B).\n\
         terminal(_, A) :- \\+ road(A, _).\nutility(_, _, -1).\n"
    );
    for (from, all) in roads.iter().enumerate() {
        for to in all {
            let _ = writeln!(text, "road({from}, {to}).");
        }
    }
    Made::domain(text, due(values[0].unwrap_or(0)))
}

/// Coins in a row: each takes one from an end, and counts what is more than the other's.
fn coins(random: &mut Random, _: &Job<'_>) -> Made {
    let row: Vec<i64> = (0..random.size(1, 6)).map(|_| random.range(1, 9)).collect();
    fn best(row: &[i64], known: &mut HashMap<(usize, usize), i64>) -> i64 {
        let ([first, .., last] | [first @ last]) = row else { return 0 };
        let key = (row.as_ptr() as usize, row.len());
        if let Some(&value) = known.get(&key) {
            return value;
        }
        let left = first - best(&row[1..], known);
        let right = last - best(&row[..row.len() - 1], known);
        known.insert(key, left.max(right));
        left.max(right)
    }
    let value = best(&row, &mut HashMap::new());
    let text = format!(
        "initial_state(s({row:?}, 0)).\n{PLAYERS}\
         move(J, left, s([C|R], D), s(R, E)) :- gain(J, C, D, E).\n\
         move(J, right, s(L, D), s(R, E)) :- append(R, [C], L), gain(J, C, D, E).\n\
         gain(ann, C, D, E) :- E is D + C.\ngain(bob, C, D, E) :- E is D - C.\n\
         terminal(_, s([], _)).\nutility(ann, s(_, D), D).\n\
         utility(bob, s(_, D), U) :- U is -D.\n"
    );
    Made::domain(text, due(value))
}

/// Two choose at once, each of two actions, for nothing: the value as a fraction.
fn matrix(random: &mut Random, _: &Job<'_>) -> Made {
    let [a, b, c, d] = [(); 4].map(|()| random.range(-9, 9));
    let mut text = "players([row, column]).\naction(_, _, one).\naction(_, _, two).\n".to_owned();
    for (row, column, worth) in
        [("one", "one", a), ("one", "two", b), ("two", "one", c), ("two", "two", d)]
    {
        let _ = writeln!(text, "payoff([{row}, {column}], [{worth}, {}]).", -worth);
    }
    let (least, most) = (a.min(b).max(c.min(d)), a.max(c).min(b.max(d)));
    // A saddle, or both mix.
    let (over, under) = if least == most { (least, 1) } else { (a * d - b * c, a + d - b - c) };
    let shared = gcd(over.unsigned_abs(), under.unsigned_abs()) as i64 * under.signum();
    let (over, under) = (over / shared, under / shared);
    let due = Due::new("solved").results(1);
    let due = match under {
        1 => due.field(0, "value", over),
        _ => due.field(0, "value", format!("{over}/{under}")),
    };
    Made::domain(text, due)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}
