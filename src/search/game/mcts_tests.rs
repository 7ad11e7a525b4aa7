//! Monte Carlo tree search finds what is known of small games, and the same for a seed.

use super::expected::Expected;
use super::{GameEngine, GameOptions, GameReport, Graph, Proof, Sampling, TableGame, run};
use crate::limits::Limits;

fn sample(
    game: &mut TableGame,
    engine: GameEngine,
    start: u32,
    playouts: u64,
    seed: u64,
) -> GameReport<i64> {
    let mut graph = Graph::default();
    let sampling = Sampling { playouts: Some(playouts), seed, ..Sampling::default() };
    let options = GameOptions { sampling, ..GameOptions::default() };
    run(engine, game, &mut graph, &(0, start), &options, &Limits::none(), None).unwrap()
}

#[test]
fn nim_is_proved() {
    for matches in 1..=14 {
        let mut nim = TableGame::nim(matches, 3);
        let report = sample(&mut nim, GameEngine::Mcts, matches, 20_000, 1);
        let means = report.means.clone().unwrap();
        let lost = matches % 4 == 1;
        let proof = Some(if lost { Proof::Lost } else { Proof::Won });
        assert!(report.exact || means.proof == proof, "{matches}");
        if !lost {
            assert_eq!(report.best, Some((matches + 3) % 4), "{matches}");
        }
        // With bounds the value is exact.
        nim.bounds = Some((-1, 1));
        let report = sample(&mut nim, GameEngine::Mcts, matches, 20_000, 1);
        assert!(report.exact);
        let value = Expected::integer(if lost { -1 } else { 1 });
        assert_eq!(report.verdict.means.unwrap().values[0], value);
    }
}

#[test]
fn the_same_seed_is_the_same_search() {
    let mut nim = TableGame::nim(40, 3);
    for engine in [GameEngine::Mcts, GameEngine::Playouts] {
        let [first, again, other] = [1, 1, 2].map(|seed| {
            let report = sample(&mut nim, engine, 40, 300, seed);
            (format!("{:?}", report.means), report.best, report.stats.nodes)
        });
        assert_eq!(first, again);
        assert_ne!(first.0, other.0);
    }
}

fn with_rave(game: &mut TableGame, playouts: u64, seed: u64, rave: Option<f64>) -> Option<u32> {
    let mut graph = Graph::default();
    let sampling =
        Sampling { playouts: Some(playouts), seed, rave, exploration: 0.3, ..Sampling::default() };
    let options = GameOptions { sampling, ..GameOptions::default() };
    let limits = Limits::none();
    run(GameEngine::Mcts, game, &mut graph, &(0, 0), &options, &limits, None).unwrap().best
}

/// Five moves, each one of twenty; one of them wins, whenever it is made. RAVE knows it from
/// plays in which it was made later, before every move was tried once.
#[test]
fn what_is_made_later_counts_with_rave() {
    const WINS: u32 = 18;
    // The root, a state for each first move, then two for each number of moves.
    let state = |made: u32, won: bool| 21 + 2 * (made - 2) + u32::from(won);
    let row = |made: u32, won: bool| -> Vec<(u32, u32)> {
        (0..20).map(|mv| (mv, state(made + 1, won || mv == WINS))).collect()
    };
    let mut moves = vec![(0..20).map(|mv| (mv, 1 + mv)).collect()];
    moves.extend((0..20).map(|first| row(1, first == WINS)));
    moves.extend((2..5).flat_map(|made| [row(made, false), row(made, true)]));
    moves.extend([vec![], vec![]]);
    let utilities = (0..29).map(|at| (at >= 27).then(|| vec![at - 27])).collect();
    let mut game = TableGame { players: 1, moves, utilities, ..TableGame::default() };
    let mut found =
        |rave| (1..=30).filter(|&s| with_rave(&mut game, 19, s, rave) == Some(WINS)).count();
    assert_eq!(found(None), 0);
    let known = found(Some(100.0));
    assert!(known >= 20, "{known}");
}

#[test]
fn rave_proves_what_is_proved_without() {
    for matches in 1..=14 {
        let mut nim = TableGame::nim(matches, 3);
        nim.bounds = Some((-1, 1));
        let mut graph = Graph::default();
        let sampling = Sampling { playouts: Some(20_000), rave: Some(50.0), ..Sampling::default() };
        let options = GameOptions { sampling, ..GameOptions::default() };
        let limits = Limits::none();
        let report =
            run(GameEngine::Mcts, &mut nim, &mut graph, &(0, matches), &options, &limits, None);
        let report = report.unwrap();
        let value = Expected::integer(if matches % 4 == 1 { -1 } else { 1 });
        assert!(report.exact && report.verdict.means.unwrap().values[0] == value, "{matches}");
    }
}

/// Three players: the first one's means are best where the others don't care.
#[test]
fn three_players_look_for_their_own() {
    let mut game = TableGame {
        players: 3,
        moves: vec![vec![(0, 1), (1, 2)], vec![(0, 3), (1, 4)], vec![], vec![], vec![]],
        utilities: vec![None, None, Some(vec![5, 1, 2]), Some(vec![0, 1, 7]), Some(vec![9, 3, 1])],
        ..TableGame::default()
    };
    let report = sample(&mut game, GameEngine::Mcts, 0, 2000, 5);
    assert_eq!(report.best, Some(1));
    assert_eq!(report.verdict.means.unwrap().values.len(), 3);
}

/// Heads for 3 of 4 is worth more than a half for sure.
#[test]
fn chance_is_drawn() {
    let mut game = TableGame {
        players: 1,
        moves: vec![vec![(0, 1), (1, 2)], vec![], vec![(0, 3), (1, 4)], vec![], vec![]],
        utilities: vec![None, Some(vec![2]), None, Some(vec![0]), Some(vec![4])],
        weights: vec![vec![], vec![], vec![1, 3]],
        ..TableGame::default()
    };
    let report = sample(&mut game, GameEngine::Mcts, 0, 100, 1);
    // All there is was seen.
    assert_eq!((report.best, report.exact), (Some(1), true));
    assert_eq!(report.verdict.means.unwrap().values[0], Expected::integer(3));
    let report = sample(&mut game, GameEngine::Playouts, 0, 4000, 1);
    let tried = report.verdict.means.unwrap().tried;
    assert!((tried[1].mean - 3.0).abs() < 0.1 && tried[1].visits == 2000, "{tried:?}");
    assert_eq!(tried[0].outcomes, [2000, 0, 0]);
}
