//! Games where chance moves: values by hand, by definition, and with and without pruning.

use super::expected::Expected;
use super::interface::{CHANCE, Game, Player};
use super::{GameEngine, GameOptions, GameOutcome, GameReport, Graph, TableGame, run};
use crate::limits::Limits;
use crate::report::StopReason;
use proptest::prelude::*;

type State = (Player, u32);

/// A game without cycles in which chance moves in some states, with values from -3 to 3.
fn games(states: u32) -> impl Strategy<Value = TableGame> {
    let size = states as usize;
    let moves = move |state: u32| prop::collection::vec(state + 1..states, 1..4);
    let rows: Vec<_> = (0..states - 1).map(moves).collect();
    let weights = prop::collection::vec(prop::collection::vec(1u32..5, 3), size);
    let chance = prop::collection::vec(prop::bool::weighted(0.45), size);
    let values = prop::collection::vec(-3i64..=3, size);
    let estimates = prop::collection::vec(-3i64..=3, size);
    let again = prop::collection::vec(prop::bool::weighted(0.15), size);
    let parts = (rows, weights, chance, values, estimates, again);
    parts.prop_map(move |(rows, weights, chance, values, estimates, moves_again)| {
        let moves: Vec<Vec<(u32, u32)>> =
            rows.into_iter().chain([vec![]]).map(|row| (0..).zip(row).collect()).collect();
        let weights = weights.into_iter().zip(&moves).zip(&chance);
        let weights = weights.map(
            |((row, moves), &chance)| {
                if chance { row[..moves.len()].to_vec() } else { Vec::new() }
            },
        );
        TableGame {
            players: 2,
            weights: weights.collect(),
            utilities: (0..size)
                .map(|at| moves[at].is_empty().then(|| vec![values[at], -values[at]]))
                .collect(),
            moves,
            estimates,
            moves_again,
            ..TableGame::default()
        }
    })
}

/// The definition: the value to the first player, and the first move that reaches it.
fn by_definition(game: &mut TableGame, state: State, left: u32) -> (Expected, Option<u32>) {
    let asked = if left == 0 {
        Some(game.heuristic(&state, 0).unwrap())
    } else if game.is_over(&state).unwrap() {
        Some(game.utility(&state, 0).unwrap())
    } else {
        None
    };
    if let Some(value) = asked {
        return (Expected::integer(value), None);
    }
    let mut moves = Vec::new();
    game.moves(&state, &mut moves).unwrap();
    let values: Vec<Expected> =
        moves.iter().map(|&(_, to)| by_definition(game, to, left - 1).0).collect();
    let best = match game.player(&state) {
        CHANCE => {
            return (Expected::mean(&game.probabilities(&state, &[]).unwrap(), &values), None);
        }
        0 => values.iter().max().unwrap(),
        _ => values.iter().min().unwrap(),
    };
    let at = values.iter().position(|value| value == best).unwrap();
    (best.clone(), Some(moves[at].0))
}

fn search(game: &mut TableGame, engine: GameEngine, depth: Option<u32>) -> GameReport<i64> {
    let mut graph = Graph::default();
    let options = GameOptions { depth, ..GameOptions::default() };
    run(engine, game, &mut graph, &(0, 0), &options, &Limits::none(), None).unwrap()
}

/// What a report says the state is worth to the first player.
fn value(report: &GameReport<i64>) -> Option<Expected> {
    match &report.means {
        Some(means) => means.values.first().cloned(),
        None => report.value.map(Expected::of),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn pruning_changes_no_value_and_no_move(mut game in games(16), depth in 0u32..8) {
        let (expected, best) = by_definition(&mut game, (0, 0), depth);
        let plain = search(&mut game, GameEngine::Expectiminimax, Some(depth));
        prop_assert_eq!((value(&plain), plain.best), (Some(expected.clone()), best));
        for bounds in [(-3, 3), (-7, 4)] {
            game.bounds = Some(bounds);
            let pruned = search(&mut game, GameEngine::Expectiminimax, Some(depth));
            prop_assert_eq!((value(&pruned), pruned.best), (Some(expected.clone()), best));
        }
    }

    #[test]
    fn what_ends_is_solved_exactly(mut game in games(14)) {
        let (expected, best) = by_definition(&mut game, (0, 0), 40);
        for engine in [GameEngine::SolveGame, GameEngine::Expectiminimax] {
            let report = search(&mut game, engine, None);
            prop_assert!(report.exact && report.depth.is_none());
            prop_assert_eq!(value(&report), Some(expected.clone()), "{:?}", engine);
            if engine == GameEngine::Expectiminimax {
                prop_assert_eq!(report.best, best);
            }
        }
    }
}

/// A tree in which players and chance take turns, with three moves everywhere.
fn tree(height: u32) -> TableGame {
    let inner = (3u32.pow(height) - 1) / 2;
    let size = (3u32.pow(height + 1) - 1) / 2;
    let level = |at: u32| (0..).find(|&level| at < (3u32.pow(level + 1) - 1) / 2).unwrap();
    let is_end = |at: u32| at >= inner;
    let value = |at: u32| if at.wrapping_mul(2_654_435_761) >> 29 < 4 { 3 } else { -3 };
    let moves = |at: u32| (0..3).map(|mv| (mv, 3 * at + 1 + mv)).collect();
    let chance = |at: u32| !is_end(at) && level(at) % 2 == 1;
    TableGame {
        players: 2,
        moves: (0..size).map(|at| if is_end(at) { vec![] } else { moves(at) }).collect(),
        utilities: (0..size).map(|at| is_end(at).then(|| vec![value(at), -value(at)])).collect(),
        weights: (0..size).map(|at| if chance(at) { vec![1, 2, 1] } else { vec![] }).collect(),
        bounds: Some((-3, 3)),
        ..TableGame::default()
    }
}

#[test]
fn pruning_saves_nodes() {
    let mut game = tree(7);
    let pruned = search(&mut game, GameEngine::Expectiminimax, None);
    game.bounds = None;
    let plain = search(&mut game, GameEngine::Expectiminimax, None);
    assert_eq!((value(&pruned), pruned.best), (value(&plain), plain.best));
    let (visited, all) = (pruned.stats.nodes, plain.stats.nodes);
    assert!(visited * 3 < all * 2, "{visited} of {all}");
}

/// Throw a die, and once again if that is wanted: 14/3 with 2 throws, 5 + 1/3 * ... by hand.
#[test]
fn a_die_that_may_be_thrown_again() {
    // 0: chance; 1 to 6: keep the number or throw again; 7 to 12 ends worth 1 to 6; 13: chance.
    let keep_or_throw = |face: u32| vec![(0, face + 6), (1, 13)];
    let faces = |first: u32| (0..6).map(|face| (face, first + face)).collect::<Vec<_>>();
    let mut moves = vec![faces(1)];
    moves.extend((1..=6).map(keep_or_throw));
    moves.extend(vec![vec![]; 6]);
    moves.push(faces(7));
    let mut weights = vec![vec![]; 14];
    (weights[0], weights[13]) = (vec![1; 6], vec![1; 6]);
    let mut utilities = vec![None; 14];
    (0..6).for_each(|face| utilities[7 + face] = Some(vec![face as i64 + 1]));
    let mut game = TableGame { players: 1, moves, weights, utilities, ..TableGame::default() };
    for engine in [GameEngine::Expectiminimax, GameEngine::SolveGame] {
        let report = search(&mut game, engine, None);
        // Throw again up to 3, which is worth 7/2; keep 4, 5, 6: (3 * 7/2 + 15) / 6.
        assert_eq!(value(&report).unwrap().to_string(), "17/4", "{engine:?}");
        assert_eq!(report.best, None);
    }
}

/// The first player wins a game of coins that both throw until somebody gets heads: 2/3.
#[test]
fn coins_until_heads() {
    let mut game = TableGame {
        players: 2,
        // 0: throw; 1: the coin; heads end it, tails pass the turn.
        moves: vec![vec![(0, 1)], vec![(0, 2), (1, 0)], vec![]],
        weights: vec![vec![], vec![1, 1], vec![]],
        // It is the other one's turn then.
        utilities: vec![None, None, Some(vec![-1, 1])],
        ..TableGame::default()
    };
    let report = search(&mut game, GameEngine::SolveGame, None);
    let means = report.means.clone().unwrap();
    assert_eq!(means.error, None);
    assert!(report.exact);
    assert_eq!(Some(means.values[0].clone()), Expected::fraction(1.into(), 3.into()));
    assert_eq!(report.best, Some(0));
    let report = search(&mut game, GameEngine::Expectiminimax, None);
    assert_eq!(report.outcome, GameOutcome::Stopped(StopReason::Cycle));
}

/// Both may wait for ever: nobody says what that is worth.
#[test]
fn play_that_chance_need_not_end_has_no_value() {
    let mut game = TableGame {
        players: 2,
        moves: vec![vec![(0, 0), (1, 1)], vec![(0, 2), (1, 3)], vec![], vec![]],
        weights: vec![vec![], vec![1, 3], vec![], vec![]],
        utilities: vec![None, None, Some(vec![-1, 1]), Some(vec![1, -1])],
        ..TableGame::default()
    };
    let report = search(&mut game, GameEngine::SolveGame, None);
    assert_eq!(report.outcome, GameOutcome::Stopped(StopReason::Cycle));
}
