//! What is found without a graph is what is found with it.

use crate::game::tests::games;
use crate::game::{
    GameEngine, GameOptions, GameOutcome, GameReport, Graph, Storage, TableGame, run,
};
use crate::limits::Limits;
use crate::report::StopReason;
use proptest::prelude::*;

fn solve(game: &mut TableGame, compact: bool, limits: &Limits) -> GameReport<i64> {
    let mut graph = Graph::default();
    let options = GameOptions { storage: Storage { compact }, ..GameOptions::default() };
    run(GameEngine::SolveGame, game, &mut graph, &(0, 0), &options, limits, None).unwrap()
}

fn check(game: &mut TableGame) -> Result<(), TestCaseError> {
    let with = solve(game, false, &Limits::none());
    let without = solve(game, true, &Limits::none());
    prop_assert_eq!((with.outcome, with.value), (without.outcome, without.value));
    prop_assert_eq!(
        (with.distance, with.best, with.exact),
        (without.distance, without.best, without.exact)
    );
    prop_assert_eq!(with.line, without.line);
    prop_assert_eq!(
        (with.stats.nodes, with.stats.states),
        (without.stats.nodes, without.stats.states)
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn games_that_go_round(mut game in games(40, true)) {
        check(&mut game)?;
    }

    #[test]
    fn games_that_come_to_an_end(mut game in games(60, false)) {
        check(&mut game)?;
    }

    #[test]
    fn games_of_wins_and_losses(mut game in games(80, true), draws in any::<bool>()) {
        // Few kinds of ends, so that passes are left out.
        for utilities in game.utilities.iter_mut().flatten() {
            let value = if draws { utilities[0].signum() } else { 2 * i64::from(utilities[0] > 0) - 1 };
            *utilities = vec![value, -value];
        }
        check(&mut game)?;
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn long_ways(mut game in games(40, true), pace in 2u32..30, back in 0u32..200) {
        // A road with a way back at some place, behind which a game lies.
        let road = 300;
        let shift = |to: u32| to + road;
        for moves in &mut game.moves {
            moves.iter_mut().for_each(|(_, to)| *to = shift(*to));
        }
        let step = |at: u32| {
            let aside = if at.is_multiple_of(pace) { at.saturating_sub(back) } else { at + 1 };
            vec![(0, aside), (1, at + 1)]
        };
        let ahead: Vec<_> = (0..road).map(step).collect();
        game.moves.splice(0..0, ahead);
        game.utilities.splice(0..0, (0..road).map(|_| None));
        game.moves_again.splice(0..0, (0..road).map(|_| false));
        game.estimates.clear();
        check(&mut game)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn states_that_are_settled_by_a_measure(
        jumps in prop::collection::vec((0u32..2100, any::<prop::sample::Index>(), any::<bool>()), 0..60),
        ends in prop::collection::vec((0usize..200, -2i64..=2), 1..20),
    ) {
        // Matches, of which some moves take many, and others, perhaps, put some back.
        let matches = 2100;
        let mut game = TableGame::nim(matches, 20);
        for (at, to, back) in jumps {
            let most = if back { matches } else { at };
            if most > 0 && at > 0 {
                game.moves[at as usize].push((9, to.index(most as usize) as u32));
            }
        }
        for (at, value) in ends {
            game.moves[at].clear();
            game.utilities[at] = Some(vec![value, -value]);
        }
        game.moves[0] = (1..=matches).rev().step_by(7).map(|n| (n, n)).collect();
        game.utilities[0] = None;
        check(&mut game)?;
    }
}

/// A walk to the right or down from a corner of a square; who comes to the far edges has won or lost.
fn walk(side: u32) -> TableGame {
    let at = |x: u32, y: u32| x * side + y;
    let ends = |n: u32| n / side == side - 1 || n % side == side - 1;
    let moves = |n: u32| match ends(n) {
        true => Vec::new(),
        false => vec![(0, at(n / side + 1, n % side)), (1, at(n / side, n % side + 1))],
    };
    let value = |n: u32| if n.is_multiple_of(3) { 1 } else { -1 };
    TableGame {
        players: 2,
        moves: (0..side * side).map(moves).collect(),
        utilities: (0..side * side).map(|n| ends(n).then(|| vec![value(n), -value(n)])).collect(),
        ..TableGame::default()
    }
}

#[test]
fn nodes_end_it() {
    let mut game = walk(40);
    let limits = Limits { nodes: Some(100), ..Limits::none() };
    let report = solve(&mut game, true, &limits);
    assert_eq!(report.outcome, GameOutcome::Stopped(StopReason::Nodes));
    assert_eq!((report.value, report.stats.nodes), (None, 100));
}

#[test]
fn little_memory_has_it_taken_by_itself() {
    let mut game = walk(150);
    let solve =
        |game: &mut TableGame, memory| solve(game, false, &Limits { memory, ..Limits::none() });
    let with = solve(&mut game, None);
    let without = solve(&mut game, Some(with.stats.peak_memory_bytes / 2));
    assert_eq!(without.outcome, GameOutcome::Solved);
    assert_eq!((with.value, with.best), (without.value, without.best));
    assert_eq!(with.line, without.line);
    assert_eq!((with.distance, with.stats.nodes), (without.distance, without.stats.nodes));
    assert_eq!(with.stats.states, without.stats.states);
    let stopped = solve(&mut game, Some(20_000));
    assert_eq!(stopped.outcome, GameOutcome::Stopped(StopReason::Memory));
}
