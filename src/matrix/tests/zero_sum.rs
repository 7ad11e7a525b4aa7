//! Matrix games with known values.

use super::{RPS, mixed, ratios, solved, zero_sum};
use crate::{Matrix, MatrixGame, TableError, ratio, solve_zero_sum, to_float, verify};
use zug_random::Random;
use zug_search::{Limits, StopReason};

/// Value, strategy of the row player, strategy of the column player.
fn check<R: AsRef<[i64]>>(
    rows: &[R],
    value: (i64, i64),
    row: &[(i64, i64)],
    column: &[(i64, i64)],
) {
    let solution = solved(&zero_sum(rows));
    assert_eq!(solution.value, ratio(value.0, value.1));
    assert_eq!(solution.profile, [mixed(row), mixed(column)]);
}

#[test]
fn symmetric_games_are_worth_nothing() {
    let third = [(1, 3); 3];
    check(&RPS, (0, 1), &third, &third);
    check(&[[1, -1], [-1, 1]], (0, 1), &[(1, 2); 2], &[(1, 2); 2]);
    // Rock, paper, scissors, lizard, Spock: each beats two.
    let beats = [[2, 3], [0, 4], [1, 3], [1, 4], [0, 2]];
    let cell =
        |a: usize, b: usize| i64::from(beats[a].contains(&b)) - i64::from(beats[b].contains(&a));
    let rows: Vec<Vec<i64>> = (0..5).map(|a| (0..5).map(|b| cell(a, b)).collect()).collect();
    check(&rows, (0, 1), &[(1, 5); 5], &[(1, 5); 5]);
}

#[test]
fn a_saddle_point_is_played_for_sure() {
    check(&[[4, 3], [2, 1]], (3, 1), &[(1, 1), (0, 1)], &[(0, 1), (1, 1)]);
    check(&[[7]], (7, 1), &[(1, 1)], &[(1, 1)]);
    check(&[[2, -5, 1]], (-5, 1), &[(1, 1)], &[(0, 1), (1, 1), (0, 1)]);
}

/// Ferguson, *Game Theory*, part II, sections 2.4 to 2.6.
#[test]
fn textbook_games() {
    check(
        &[[2, 3, 1, 5], [4, 1, 6, 0]],
        (17, 7),
        &[(5, 7), (2, 7)],
        &[(0, 1), (5, 7), (2, 7), (0, 1)],
    );
    check(
        &[[2, 0, 4], [1, 2, 3], [4, 1, 2]],
        (7, 4),
        &[(0, 1), (3, 4), (1, 4)],
        &[(1, 4), (3, 4), (0, 1)],
    );
    // Here the row player has another optimal strategy beside the published one.
    let game = zero_sum(&[[10, 0, 7, 1], [2, 6, 4, 7], [6, 3, 3, 5]]);
    assert_eq!(solved(&game).value, ratio(30, 7));
    let row = mixed(&[(2, 7), (5, 7), (0, 1)]);
    let published = [row, mixed(&[(3, 7), (4, 7), (0, 1), (0, 1)])];
    assert!(verify(&game, &published).expect("its profile").holds());
}

/// Colonel Blotto's four regiments against three, two posts (Karlin 1959).
#[test]
fn colonel_blotto() {
    let rows = [[4, 0, 2, 1], [0, 4, 1, 2], [1, -1, 3, 0], [-1, 1, 0, 3], [-2, -2, 2, 2]];
    let solution = solved(&zero_sum(&rows));
    assert_eq!(solution.value, ratio(14, 9));
    let blotto = ratios(&[(4, 9), (4, 9), (0, 1), (0, 1), (1, 9)]);
    assert_eq!(solution.profile[0].probabilities(), blotto);
}

/// Morra with as many fingers as are given: show, and guess what the other shows.
fn morra(fingers: i64) -> MatrixGame {
    let calls: Vec<(i64, i64)> =
        (1..=fingers).flat_map(|show| (1..=fingers).map(move |guess| (show, guess))).collect();
    let pays = |a: (i64, i64), b: (i64, i64)| {
        (a.0 + b.0) * (i64::from(a.1 == b.0) - i64::from(b.1 == a.0))
    };
    let rows: Vec<Vec<i64>> =
        calls.iter().map(|&a| calls.iter().map(|&b| pays(a, b)).collect()).collect();
    zero_sum(&rows)
}

#[test]
fn morra_with_two_and_three_fingers() {
    let two = solved(&morra(2));
    let row = two.profile[0].probabilities();
    assert_eq!((&two.value, &(&row[1] + &row[2])), (&ratio(0, 1), &ratio(1, 1)));
    assert!(ratio(4, 7) <= row[1] && row[1] <= ratio(3, 5), "{row:?}");
    // Four extreme optimal strategies; all guess that both show four together.
    let game = morra(3);
    let found = solved(&game).profile;
    let published = [(5, 4, 3, 12), (16, 12, 9, 37), (20, 15, 12, 47), (25, 20, 16, 61)];
    let published = published.map(|(a, b, c, of)| {
        let none = (0, 1);
        mixed(&[none, none, (a, of), none, (b, of), none, (c, of), none, none])
    });
    for a in &published {
        for b in &published {
            assert!(verify(&game, &[a.clone(), b.clone()]).expect("its profile").holds());
        }
    }
    assert!(found.iter().all(|strategy| published.contains(strategy)));
}

#[test]
fn fractions_and_one_cell_shifts_are_exact() {
    let rows = vec![ratios(&[(1, 3), (-1, 7)]), ratios(&[(-2, 5), (1, 11)])];
    let game = MatrixGame::new(Matrix::new(rows).expect("a matrix"));
    let value = solved(&game).value;
    // (ad - bc) / (a + d - b - c)
    let expected = (ratio(1, 33) - ratio(2, 35)) / (ratio(14, 33) + ratio(19, 35));
    assert_eq!(value, expected);
}

/// A matrix of payoffs in -100..=100.
pub fn random_game(rows: usize, columns: usize, seed: u64) -> MatrixGame {
    let mut random = Random::new(seed);
    let mut row = || (0..columns).map(|_| random.below(201) as i64 - 100).collect::<Vec<_>>();
    zero_sum(&(0..rows).map(|_| row()).collect::<Vec<_>>())
}

#[test]
fn forty_actions_each_are_solved_alike_every_time() {
    let game = random_game(40, 40, 1);
    assert_eq!(solved(&game), solved(&game));
}

#[test]
fn limits_strike() {
    let game = random_game(20, 20, 2);
    let limits = Limits { nodes: Some(3), ..Limits::none() };
    assert_eq!(solve_zero_sum(&game, &limits), Err(StopReason::Nodes));
}

#[test]
fn matrices_have_a_shape() {
    assert_eq!(Matrix::of_integers::<[i64; 0]>(&[]), Err(TableError::Empty));
    assert_eq!(Matrix::of_integers(&[[0; 0]]), Err(TableError::Empty));
    let uneven = Matrix::of_integers(&[vec![1, 2], vec![3]]);
    assert_eq!(uneven, Err(TableError::Shape { expected: 2, found: 1 }));
}

#[test]
fn floats_are_near() {
    for (numerator, denominator) in [(1, 3), (-2, 7), (0, 1), (5, 1), (1, i64::MAX), (i64::MAX, 3)]
    {
        let float = to_float(&ratio(numerator, denominator));
        let expected = numerator as f64 / denominator as f64;
        assert!((float - expected).abs() <= 1e-15 * expected.abs(), "{float} {expected}");
    }
    let large = num_traits::Pow::pow(&ratio(10, 1), 400u32);
    assert_eq!(to_float(&large), f64::INFINITY);
    assert_eq!(to_float(&-large.recip()), 0.0);
}
