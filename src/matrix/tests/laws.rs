//! Laws on random games; payoffs are few, so that ties are many.

use super::{bimatrix, normal_form, solved, zero_sum};
use crate::{
    Bimatrix, Elimination, Payoffs, all_equilibria, eliminate, lemke_howson, pure_equilibria,
    verify,
};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, Strategy, prop_assert, prop_assert_eq, proptest};
use zug_search::Limits;

fn rows(bound: i64) -> impl Strategy<Value = Vec<Vec<i64>>> {
    (1usize..=5, 1usize..=5)
        .prop_flat_map(move |(rows, columns)| vec(vec(-bound..=bound, columns), rows))
}

fn game(bound: i64) -> impl Strategy<Value = Bimatrix> {
    (1usize..=4, 1usize..=4).prop_flat_map(move |(rows, columns)| {
        let matrix = || vec(vec(-bound..=bound, columns), rows);
        (matrix(), matrix()).prop_map(|(row, column)| bimatrix(&row, &column))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn both_methods_find_the_value(rows in rows(3)) {
        let game = zero_sum(&rows);
        let value = solved(&game).value;
        let both = game.to_bimatrix();
        for label in 0..rows.len() + rows[0].len() {
            let found = lemke_howson(&both, label, &Limits::none()).unwrap().unwrap();
            let certificate = verify(&game, &found).unwrap();
            prop_assert!(certificate.holds());
            prop_assert_eq!(&certificate.payoffs[0], &value);
        }
    }

    #[test]
    fn every_path_ends_at_an_extreme_equilibrium(game in game(2)) {
        let all = all_equilibria(&game, &Limits::none()).unwrap();
        for profile in &all.equilibria {
            prop_assert!(verify(&game, profile).unwrap().holds());
        }
        for label in 0..game.actions(0) + game.actions(1) {
            let found = lemke_howson(&game, label, &Limits::none()).unwrap().unwrap();
            prop_assert!(all.equilibria.contains(&found));
        }
        prop_assert!(!all.nondegenerate || all.equilibria.len() % 2 == 1);
    }

    #[test]
    fn pure_equilibria_are_among_all(game in game(40)) {
        let all = all_equilibria(&game, &Limits::none()).unwrap();
        let pure: Vec<Vec<usize>> = all
            .equilibria
            .iter()
            .filter_map(|[row, column]| Some(vec![row.as_pure()?, column.as_pure()?]))
            .collect();
        let mut found = pure_equilibria(&normal_form(&game), &Limits::none()).unwrap();
        found.sort();
        let mut pure = pure;
        pure.sort();
        prop_assert_eq!(found, pure);
    }

    #[test]
    fn strict_elimination_keeps_every_equilibrium(game in game(3)) {
        let which = Elimination { weak: false, mixed: true };
        let left = eliminate(&normal_form(&game), which, &Limits::none()).unwrap();
        for profile in all_equilibria(&game, &Limits::none()).unwrap().equilibria {
            for (player, own) in profile.iter().enumerate() {
                for (action, _) in own.support() {
                    prop_assert!(left.kept[player].contains(&action));
                }
            }
        }
    }

    #[test]
    fn weak_elimination_leaves_an_equilibrium(game in game(2)) {
        let which = Elimination { weak: true, mixed: true };
        let left = eliminate(&normal_form(&game), which, &Limits::none()).unwrap();
        let small = left.game.to_bimatrix().unwrap();
        for profile in all_equilibria(&small, &Limits::none()).unwrap().equilibria {
            let large = [0, 1].map(|player| {
                let mut shares = vec![super::ratio(0, 1); game.actions(player)];
                for (at, share) in profile[player].support() {
                    shares[left.kept[player][at]] = share.clone();
                }
                super::MixedStrategy::new(shares).unwrap()
            });
            prop_assert!(verify(&game, &large).unwrap().holds());
        }
    }
}
