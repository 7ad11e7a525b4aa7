//! Games of two and more players with known equilibria.

use super::{RPS, bimatrix, mixed, normal_form, zero_sum};
use crate::{
    Bimatrix, MixedStrategy, NormalForm, Payoffs, TableError, WrongProfile, all_equilibria,
    lemke_howson, pure_equilibria, ratio, verify,
};
use zug_search::Limits;

/// All equilibria of a nondegenerate game, and that every path ends at one of them.
fn check(game: &Bimatrix, expected: &[[&[(i64, i64)]; 2]]) {
    let all = all_equilibria(game, &Limits::none()).expect("no limits");
    let expected: Vec<[MixedStrategy; 2]> =
        expected.iter().map(|profile| profile.map(mixed)).collect();
    assert_eq!((all.equilibria.as_slice(), all.nondegenerate), (expected.as_slice(), true));
    for label in 0..game.actions(0) + game.actions(1) {
        let found = lemke_howson(game, label, &Limits::none()).expect("no limits");
        assert!(expected.contains(&found.expect("a label")));
    }
    for profile in &expected {
        assert!(verify(game, profile).expect("a profile of the game").holds());
    }
    let pure: Vec<Vec<usize>> = expected
        .iter()
        .filter_map(|[row, column]| Some(vec![row.as_pure()?, column.as_pure()?]))
        .collect();
    assert_eq!(pure_equilibria(&normal_form(game), &Limits::none()), Ok(pure));
}

const FIRST: &[(i64, i64)] = &[(1, 1), (0, 1)];
const SECOND: &[(i64, i64)] = &[(0, 1), (1, 1)];

#[test]
fn two_by_two() {
    let dilemma = bimatrix(&[[3, 0], [5, 1]], &[[3, 5], [0, 1]]);
    check(&dilemma, &[[SECOND, SECOND]]);
    let sexes = bimatrix(&[[3, 0], [0, 2]], &[[2, 0], [0, 3]]);
    check(&sexes, &[[FIRST, FIRST], [&[(3, 5), (2, 5)], &[(2, 5), (3, 5)]], [SECOND, SECOND]]);
    let chicken = bimatrix(&[[0, 7], [2, 6]], &[[0, 2], [7, 6]]);
    check(&chicken, &[[FIRST, SECOND], [&[(1, 3), (2, 3)], &[(1, 3), (2, 3)]], [SECOND, FIRST]]);
    let stag = bimatrix(&[[4, 0], [3, 2]], &[[4, 3], [0, 2]]);
    check(&stag, &[[FIRST, FIRST], [&[(2, 3), (1, 3)], &[(2, 3), (1, 3)]], [SECOND, SECOND]]);
    check(&zero_sum(&[[1, -1], [-1, 1]]).to_bimatrix(), &[[&[(1, 2); 2], &[(1, 2); 2]]]);
}

/// Von Stengel 2002, example (2.2).
#[test]
fn three_by_two() {
    let game = bimatrix(&[[3, 3], [2, 5], [0, 6]], &[[3, 2], [2, 6], [3, 1]]);
    check(
        &game,
        &[
            [&[(1, 1), (0, 1), (0, 1)], FIRST],
            [&[(4, 5), (1, 5), (0, 1)], &[(2, 3), (1, 3)]],
            [&[(0, 1), (1, 3), (2, 3)], &[(1, 3), (2, 3)]],
        ],
    );
}

#[test]
fn shapleys_game_has_one_equilibrium() {
    let thirds: &[(i64, i64)] = &[(1, 3); 3];
    check(&super::shapley(), &[[thirds, thirds]]);
    check(&zero_sum(&RPS).to_bimatrix(), &[[thirds, thirds]]);
}

/// Quint, Shubik 1997: the game of the identity has an equilibrium for every set of actions.
#[test]
fn coordination_has_exponentially_many() {
    let row = |at| (0..5).map(|column| i64::from(at == column)).collect::<Vec<_>>();
    let identity: Vec<Vec<i64>> = (0..5).map(row).collect();
    let all = all_equilibria(&bimatrix(&identity, &identity), &Limits::none()).expect("no limits");
    assert_eq!((all.equilibria.len(), all.nondegenerate), (31, true));
}

#[test]
fn degenerate_games_have_extreme_equilibria() {
    // Whatever the column player does is the same to it: two pure ones and what is between.
    let game = bimatrix(&[[1, 1], [0, 2]], &[[1, 1], [1, 1]]);
    let all = all_equilibria(&game, &Limits::none()).expect("no limits");
    assert!(!all.nondegenerate);
    let half = [(1, 2), (1, 2)];
    let expected: [[&[(i64, i64)]; 2]; 4] =
        [[FIRST, FIRST], [FIRST, &half], [SECOND, &half], [SECOND, SECOND]];
    assert_eq!(all.equilibria, expected.map(|profile| profile.map(mixed)));
    for label in 0..4 {
        let found = lemke_howson(&game, label, &Limits::none()).expect("no limits");
        assert!(verify(&game, &found.expect("a label")).expect("its profile").holds());
    }
    assert_eq!(lemke_howson(&game, 4, &Limits::none()), Ok(None));
}

#[test]
fn games_of_one_payoff_are_all_equilibria() {
    let game = bimatrix(&[[5; 3]; 3], &[[5; 3]; 3]);
    let all = all_equilibria(&game, &Limits::none()).expect("no limits");
    assert_eq!((all.equilibria.len(), all.nondegenerate), (9, false));
    assert_eq!(pure_equilibria(&normal_form(&game), &Limits::none()).map(|all| all.len()), Ok(9));
}

/// Who chooses as most do is paid 1.
#[test]
fn three_players_agree() {
    let majority = |profile: &[usize]| {
        let second = profile.iter().sum::<usize>() >= 2;
        profile.iter().map(|&own| ratio(i64::from((own == 1) == second), 1)).collect()
    };
    let game = NormalForm::from_fn(vec![2; 3], majority).expect("a table");
    let pure = pure_equilibria(&game, &Limits::none());
    assert_eq!(pure, Ok(vec![vec![0, 0, 0], vec![1, 1, 1]]));
    let half = mixed(&[(1, 2), (1, 2)]);
    let certificate = verify(&game, &[half.clone(), half.clone(), half]).expect("its profile");
    assert!(certificate.holds());
    assert_eq!(certificate.payoffs, vec![ratio(3, 4); 3]);
    let split = [0, 0, 1].map(|action| MixedStrategy::pure(action, 2));
    let gains = verify(&game, &split).expect("its profile").gains;
    assert_eq!(gains, [ratio(0, 1), ratio(0, 1), ratio(1, 1)]);
}

#[test]
fn tables_and_profiles_are_checked() {
    assert_eq!(NormalForm::new(vec![2, 0], vec![]), Err(TableError::Empty));
    assert_eq!(NormalForm::new(vec![], vec![]), Err(TableError::Empty));
    let short = NormalForm::new(vec![2, 2], vec![ratio(0, 1); 7]);
    assert_eq!(short, Err(TableError::Shape { expected: 8, found: 7 }));
    assert_eq!(NormalForm::new(vec![usize::MAX; 3], vec![]), Err(TableError::TooLarge));
    let game = zero_sum(&RPS);
    assert_eq!(verify(&game, &[MixedStrategy::pure(0, 3)]), Err(WrongProfile));
    let short = [MixedStrategy::pure(0, 3), MixedStrategy::pure(0, 2)];
    assert_eq!(verify(&game, &short), Err(WrongProfile));
    assert_eq!(MixedStrategy::new(vec![ratio(3, 2), ratio(-1, 2)]), None);
    assert_eq!(MixedStrategy::new(vec![ratio(1, 2)]), None);
}

#[test]
fn tables_change_their_form_without_loss() {
    let game = bimatrix(&[[3, 3], [2, 5], [0, 6]], &[[3, 2], [2, 6], [3, 1]]);
    assert_eq!(normal_form(&game).to_bimatrix(), Some(game.clone()));
    assert_eq!(game.to_zero_sum(), None);
    let rps = zero_sum(&RPS);
    assert_eq!(rps.to_bimatrix().to_zero_sum(), Some(rps));
}
