//! Elimination of dominated actions, with its trace.

use super::{bimatrix, normal_form, zero_sum};
use crate::{Bimatrix, Elimination, NormalForm, Reduced, eliminate, ratio};
use zug_search::Limits;

const MIXED: Elimination = Elimination { weak: false, mixed: true };
const WEAK: Elimination = Elimination { weak: true, mixed: false };
const BOTH: Elimination = Elimination { weak: true, mixed: true };

fn left(game: &Bimatrix, which: Elimination) -> Reduced {
    eliminate(&normal_form(game), which, &Limits::none()).expect("no limits")
}

/// Round, player, action of every removal.
fn trace(reduced: &Reduced) -> Vec<(u32, usize, usize)> {
    let row = |removal: &crate::Removal| (removal.round, removal.player, removal.action);
    reduced.removed.iter().map(row).collect()
}

/// Gibbons 1992, figure 1.1.1: right, then down, then left.
#[test]
fn three_rounds() {
    let game = bimatrix(&[[1, 1, 0], [0, 0, 2]], &[[0, 2, 1], [3, 1, 0]]);
    let reduced = left(&game, Elimination::default());
    assert_eq!(trace(&reduced), [(1, 1, 2), (2, 0, 1), (3, 1, 0)]);
    assert_eq!(reduced.removed[0].by, [(1, ratio(1, 1))]);
    assert_eq!(reduced.kept, [[0], [1]]);
    assert_eq!(*reduced.game.payoff(&[0, 0], 1), ratio(2, 1));
}

#[test]
fn only_a_mix_dominates() {
    let game = bimatrix(&[[3, 0], [0, 3], [1, 1]], &[[0, 1], [1, 0], [0, 0]]);
    assert!(left(&game, Elimination::default()).removed.is_empty());
    let reduced = left(&game, MIXED);
    assert_eq!(trace(&reduced), [(1, 0, 2)]);
    assert_eq!(reduced.removed[0].by, [(0, ratio(1, 2)), (1, ratio(1, 2))]);
}

/// Ferguson, *Game Theory*, part II, exercise 2.6.3 (b): a mix that is weakly better.
#[test]
fn a_mix_dominates_weakly() {
    let game = zero_sum(&[[10, 0, 7, 1], [2, 6, 4, 7], [6, 3, 3, 5]]).to_bimatrix();
    assert_eq!(trace(&left(&game, Elimination::default())), [(1, 1, 3)]);
    let reduced = left(&game, BOTH);
    assert_eq!(reduced.kept, [[0, 1], [0, 1]]);
    assert!(reduced.removed.iter().any(|removal| removal.weak && removal.by.len() == 2));
}

#[test]
fn weak_dominance_is_asked_for() {
    let game = bimatrix(&[[1, 1], [1, 0]], &[[0, 0], [0, 0]]);
    assert!(left(&game, MIXED).removed.is_empty());
    for which in [WEAK, BOTH] {
        let reduced = left(&game, which);
        assert_eq!(trace(&reduced), [(1, 0, 1)]);
        assert!(reduced.removed[0].weak);
    }
    // Equal actions do not dominate each other.
    let equal = bimatrix(&[[1, 1], [1, 1]], &[[0, 0], [0, 0]]);
    assert!(left(&equal, BOTH).removed.is_empty());
}

/// Three players guess 1 to 4; who is nearest to half the mean is paid, ties alike.
#[test]
fn guessing_half_the_mean_leaves_the_least() {
    let payoffs = |profile: &[usize]| {
        let guesses: Vec<i64> = profile.iter().map(|&at| at as i64 + 1).collect();
        let sum: i64 = guesses.iter().sum();
        let miss = |guess: i64| (6 * guess - sum).abs();
        let best = guesses.iter().map(|&guess| miss(guess)).min().expect("players");
        let winners = guesses.iter().filter(|&&guess| miss(guess) == best).count() as i64;
        let pays = |&guess| ratio(i64::from(miss(guess) == best), winners);
        guesses.iter().map(pays).collect()
    };
    let game = NormalForm::from_fn(vec![4; 3], payoffs).expect("a table");
    let reduced = eliminate(&game, WEAK, &Limits::none()).expect("no limits");
    assert_eq!(reduced.kept, [[0], [0], [0]]);
}
