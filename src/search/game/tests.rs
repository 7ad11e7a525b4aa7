//! Laws that every engine obeys, on random games.

use super::alphabeta;
use super::interface::{Game, Player};
use super::{
    GameEngine, GameOptions, GameOutcome, GameReport, Graph, Sampling, Solved, TableGame, run,
};
use super::{count, strategy};
use crate::limits::Limits;
use crate::report::StopReason;
use proptest::prelude::*;
use std::time::Duration;

type State = (Player, u32);

/// A game of `states` states; moves lead on, or anywhere if it may go round.
pub(super) fn games(states: u32, cyclic: bool) -> impl Strategy<Value = TableGame> {
    let moves = move |state: u32| {
        let lowest = if cyclic { 0 } else { state + 1 };
        prop::collection::vec(lowest..states, 1..4)
    };
    let rows: Vec<_> = (0..states - 1).map(moves).collect();
    let values = prop::collection::vec(-2i64..=2, states as usize);
    let estimates = prop::collection::vec(-3i64..=3, states as usize);
    let over = prop::collection::vec(prop::bool::weighted(0.2), states as usize);
    let again = prop::collection::vec(prop::bool::weighted(0.15), states as usize);
    (rows, values, estimates, over, again).prop_map(
        move |(rows, values, estimates, over, moves_again)| {
            let ends = |i: usize| over[i] || i as u32 == states - 1;
            let moves = rows.into_iter().chain([vec![]]).enumerate().map(|(i, row)| {
                let row = if ends(i) { vec![] } else { row };
                (0..).zip(row).collect()
            });
            let utility = |i: usize| ends(i).then(|| vec![values[i], -values[i]]);
            TableGame {
                players: 2,
                moves: moves.collect(),
                utilities: (0..states as usize).map(utility).collect(),
                estimates,
                moves_again,
                ..TableGame::default()
            }
        },
    )
}

/// The place of a state of a game with ten.
fn at(state: State) -> usize {
    usize::from(state.0) * 10 + state.1 as usize
}

/// In how many moves a player forces a win from each state, at most so many.
fn within(game: &mut TableGame, winner: Player, most: u32) -> Vec<Option<u32>> {
    let states: Vec<State> = (0..2).flat_map(|player| (0..10).map(move |s| (player, s))).collect();
    let won = |game: &mut TableGame, state: State| {
        game.is_over(&state).unwrap() && game.utility(&state, winner).unwrap() > 0
    };
    let mut found: Vec<Option<u32>> =
        states.iter().map(|&state| won(game, state).then_some(0)).collect();
    for distance in 1..=most {
        let before = found.clone();
        for &state in &states {
            if found[at(state)].is_some() || game.is_over(&state).unwrap() {
                continue;
            }
            let mut moves = Vec::new();
            game.moves(&state, &mut moves).unwrap();
            let mut next = moves.iter().map(|&(_, next)| before[at(next)].is_some());
            let forced = if state.0 == winner { next.any(|won| won) } else { next.all(|won| won) };
            found[at(state)] = forced.then_some(distance);
        }
    }
    found
}

/// The definition of negamax: value and first best move, and how many calls it takes.
fn by_definition(game: &mut TableGame, state: State, left: u32) -> (i64, Option<u32>, u64) {
    if left == 0 {
        return (game.heuristic(&state, state.0).unwrap(), None, 1);
    }
    if game.is_over(&state).unwrap() {
        return (game.utility(&state, state.0).unwrap(), None, 1);
    }
    let mut moves = Vec::new();
    game.moves(&state, &mut moves).unwrap();
    let mut calls = 1;
    let mut best: Option<(i64, u32)> = None;
    for (mv, next) in moves {
        let (value, _, inner) = by_definition(game, next, left - 1);
        calls += inner;
        let value = if next.0 == state.0 { value } else { -value };
        if best.is_none_or(|(known, _)| value > known) {
            best = Some((value, mv));
        }
    }
    let (value, mv) = best.unwrap();
    (value, Some(mv), calls)
}

/// The same game, with other numbers for its states: `names[i]` for the state `i`.
fn renamed(game: &TableGame, names: &[u32]) -> TableGame {
    let mut renamed = game.clone();
    for (i, &name) in names.iter().enumerate() {
        let name = name as usize;
        let rename = |&(mv, to): &(u32, u32)| (mv, names[to as usize]);
        renamed.moves[name] = game.moves[i].iter().map(rename).collect();
        renamed.utilities[name].clone_from(&game.utilities[i]);
        renamed.estimates[name] = game.estimates[i];
        renamed.moves_again[name] = game.moves_again[i];
    }
    renamed
}

fn search(
    game: &mut TableGame,
    engine: GameEngine,
    depth: Option<u32>,
    limits: &Limits,
) -> GameReport<i64> {
    let mut graph = Graph::default();
    let options = GameOptions { depth, ..GameOptions::default() };
    run(engine, game, &mut graph, &(0, 0), &options, limits, None).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn engines_agree_with_the_definition(mut game in games(14, true), depth in 0u32..7) {
        let (value, best, calls) = by_definition(&mut game, (0, 0), depth);
        for engine in [GameEngine::Negamax, GameEngine::Minimax, GameEngine::Alphabeta] {
            let report = search(&mut game, engine, Some(depth), &Limits::none());
            prop_assert_eq!((report.value, report.best), (Some(value), best), "{:?}", engine);
            prop_assert_eq!(report.line.first().copied(), best);
            if engine != GameEngine::Alphabeta {
                prop_assert_eq!(report.stats.nodes, calls);
            }
        }
    }

    #[test]
    fn little_memory_changes_nothing(mut game in games(60, false), depth in 3u32..9) {
        let (value, best, _) = by_definition(&mut game, (0, 0), depth);
        for engine in [GameEngine::Negamax, GameEngine::Minimax, GameEngine::Alphabeta] {
            for memory in [3000, 6000, 12_000] {
                let limits = Limits { memory: Some(memory), ..Limits::none() };
                let report = search(&mut game, engine, Some(depth), &limits);
                match report.outcome {
                    GameOutcome::Solved => {
                        prop_assert_eq!((report.value, report.best), (Some(value), best));
                    }
                    stopped => {
                        prop_assert_eq!(stopped, GameOutcome::Stopped(StopReason::Memory));
                    }
                }
            }
        }
    }

    /// With little memory the table grows and gives states away.
    #[test]
    fn several_threads_agree_with_the_definition(
        mut game in games(60, false), depth in 3u32..9, copies in 1..4usize,
        memory in prop::option::of(1000..20_000usize),
    ) {
        let (value, best, _) = by_definition(&mut game, (0, 0), depth);
        game.copies = copies;
        let limits = Limits { memory, ..Limits::none() };
        for depth in [Some(depth), None] {
            let report = search(&mut game, GameEngine::Alphabeta, depth, &limits);
            prop_assert_eq!(game.copies, copies);
            if report.outcome != GameOutcome::Solved {
                prop_assert_eq!(report.outcome, GameOutcome::Stopped(StopReason::Memory));
                continue;
            }
            prop_assert_eq!(report.line.first().copied(), report.best);
            if depth.is_some() {
                prop_assert_eq!((report.value, report.best), (Some(value), best));
            } else {
                let mut alone = TableGame { copies: 0, ..game.clone() };
                let alone = search(&mut alone, GameEngine::Alphabeta, None, &Limits::none());
                prop_assert_eq!((report.value, report.best), (alone.value, alone.best));
                prop_assert_eq!((report.exact, alone.exact), (true, true));
            }
        }
    }

    #[test]
    fn both_questions_at_once(
        mut game in games(40, false), copies in 1..3usize, nodes in prop::option::of(0..200u64),
    ) {
        game.estimates.clear();
        let limits = Limits { nodes, ..Limits::none() };
        let alone = search(&mut game, GameEngine::Pns, None, &limits);
        game.copies = copies;
        let report = search(&mut game, GameEngine::Pns, None, &limits);
        let both = alone.outcome == GameOutcome::Solved && report.outcome == alone.outcome;
        prop_assert!(nodes.is_some() || both);
        prop_assert!(nodes.is_none_or(|nodes| report.stats.nodes <= nodes));
        if both {
            prop_assert_eq!((report.value, report.exact), (alone.value, alone.exact));
            prop_assert_eq!((report.best, report.line), (alone.best, alone.line));
        }
    }

    #[test]
    fn several_threads_agree_where_play_goes_round(
        mut game in games(14, true), depth in 0u32..7, copies in 1..4usize,
    ) {
        let (value, best, _) = by_definition(&mut game, (0, 0), depth);
        game.copies = copies;
        let report = search(&mut game, GameEngine::Alphabeta, Some(depth), &Limits::none());
        prop_assert_eq!((report.value, report.best), (Some(value), best));
    }

    #[test]
    fn names_of_states_do_not_count(
        game in games(60, false),
        names in Just((1u32..60).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let renamed = renamed(&game, &[vec![0], names].concat());
        let all = |mut game: TableGame| {
            let mut report = search(&mut game, GameEngine::Alphabeta, Some(9), &Limits::none());
            report.stats.elapsed = Duration::ZERO;
            (report.value, report.line, report.stats)
        };
        prop_assert_eq!(all(game), all(renamed));
    }

    #[test]
    fn a_line_keeps_to_the_value(mut game in games(14, true), depth in 1u32..7) {
        let report = search(&mut game, GameEngine::Alphabeta, Some(depth), &Limits::none());
        let (mut state, mut sign) = ((0, 0), 1);
        for (step, &mv) in report.line.iter().enumerate() {
            let left = depth - step as u32;
            let (value, best, _) = by_definition(&mut game, state, left);
            prop_assert_eq!(best, Some(mv));
            prop_assert_eq!(Some(sign * value), report.value);
            let mut moves = Vec::new();
            game.moves(&state, &mut moves).unwrap();
            let next = moves[mv as usize].1;
            sign *= if next.0 == state.0 { 1 } else { -1 };
            state = next;
        }
    }

    #[test]
    fn what_ends_is_solved_exactly(mut game in games(12, false)) {
        let (value, best, _) = by_definition(&mut game, (0, 0), 40);
        for engine in [GameEngine::SolveGame, GameEngine::Alphabeta, GameEngine::Negamax] {
            let report = search(&mut game, engine, None, &Limits::none());
            prop_assert!(report.exact && report.depth.is_none());
            prop_assert_eq!(report.value, Some(value), "{:?}", engine);
            if engine != GameEngine::SolveGame {
                prop_assert_eq!(report.best, best, "{:?}", engine);
            }
        }
        let report = search(&mut game, GameEngine::Pns, None, &Limits::none());
        prop_assert_eq!(report.value, Some(value.signum()));
        let report = search(&mut game, GameEngine::Maxn, None, &Limits::none());
        prop_assert_eq!((report.value, report.best), (Some(value), best));
        prop_assert_eq!(&report.values, &[value, -value]);
    }

    #[test]
    fn exact_means_deeper_is_the_same(mut game in games(14, true), depth in 1u32..7) {
        game.estimates.clear();
        let utility = |state: usize| game.utilities[state].as_ref().map_or(0, |u| u[0]);
        let estimates = (0..game.moves.len()).map(|s| utility(s) + i64::from(s % 3 == 0)).collect();
        game.estimates = estimates;
        let report = search(&mut game, GameEngine::Alphabeta, Some(depth), &Limits::none());
        if report.exact {
            for deeper in depth..depth + 4 {
                let (value, best, _) = by_definition(&mut game, (0, 0), deeper);
                prop_assert_eq!((report.value, report.best), (Some(value), best));
            }
        }
    }

    /// The value of a game that may go round, by its fixed points: the greatest value that can
    /// be forced in any number of moves, play without an end being worth nothing.
    #[test]
    fn what_goes_round_is_solved_exactly(mut game in games(10, true)) {
        let states: Vec<State> =
            (0..2).flat_map(|player| (0..10).map(move |s| (player, s))).collect();
        let (mut low, mut high) = (vec![0i64; 20], vec![0i64; 20]);
        // To the first player: `low` from below, what that player can force before the end
        // is put off for ever; `high` the same for the opponent.
        for (values, best_case) in [(&mut low, false), (&mut high, true)] {
            for _ in 0..200 {
                let before = values.clone();
                for &state in &states {
                    let value = if game.is_over(&state).unwrap() {
                        game.utility(&state, 0).unwrap()
                    } else {
                        let mut moves = Vec::new();
                        game.moves(&state, &mut moves).unwrap();
                        let next = moves.iter().map(|&(_, next)| before[at(next)]);
                        if state.0 == 0 { next.max().unwrap() } else { next.min().unwrap() }
                    };
                    // Only an end that was reached counts: gains for one, losses for the other.
                    values[at(state)] = if best_case { value.min(0) } else { value.max(0) };
                }
            }
        }
        let mut graph = Graph::default();
        let mut solved = Solved::new(&game);
        for &state in &states {
            let root = graph.intern(&game, &state).unwrap();
            solved.solve(&mut game, &mut graph, root, &Limits::none()).unwrap();
            let expected = low[at(state)] + high[at(state)];
            prop_assert_eq!(solved.value_to(&graph, root, 0), Some(expected), "{:?}", state);
            // Play along the moves chosen reaches an end worth that, if it is worth anything.
            if expected != 0 {
                let mut end = state;
                for mv in solved.line(&graph, root) {
                    let mut moves = Vec::new();
                    game.moves(&end, &mut moves).unwrap();
                    end = moves[mv as usize].1;
                }
                prop_assert!(game.is_over(&end).unwrap());
                prop_assert_eq!(game.utility(&end, 0).unwrap(), expected);
                prop_assert!(solved.distance(root).is_some());
            }
            let strategy = strategy::winning(&graph, &solved, root, 0);
            prop_assert_eq!(strategy.is_some(), expected > 0);
        }
    }

    /// Every engine that is asked for it finds the shortest win and the longest defence, whatever estimates say, and
    /// a line of best play that is as long.
    #[test]
    fn the_shortest_win_and_the_longest_defence(mut game in games(10, true), depth in 1u32..8) {
        for utilities in game.utilities.iter_mut().flatten() {
            utilities.iter_mut().for_each(|value| *value = value.signum());
        }
        let root = (0, 0);
        let wins = [within(&mut game, 0, 40), within(&mut game, 1, 40)];
        let engines = [
            (GameEngine::SolveGame, None),
            (GameEngine::Pns, None),
            (GameEngine::Alphabeta, Some(depth)),
            (GameEngine::Negamax, Some(depth)),
            (GameEngine::Maxn, Some(depth)),
            (GameEngine::Mcts, None),
        ];
        for (engine, depth) in engines {
            let mut graph = Graph::default();
            let sampling = Sampling { playouts: Some(20), cutoff: Some(9), ..Sampling::default() };
            let options = GameOptions { depth, sampling, soonest: true, ..GameOptions::default() };
            let none = Limits::none();
            let report = run(engine, &mut game, &mut graph, &root, &options, &none, None).unwrap();
            let most = depth.unwrap_or(40);
            let expected = (0..2).find_map(|winner: usize| {
                let distance = wins[winner][at(root)].filter(|&distance| distance <= most)?;
                Some((winner, distance))
            });
            let Some((winner, distance)) = expected.filter(|&(_, distance)| distance > 0) else {
                continue;
            };
            prop_assert_eq!(report.distance, Some(distance), "{:?}", engine);
            let mut state = root;
            for (made, &mv) in (1..).zip(&report.line) {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves).unwrap();
                state = moves[mv as usize].1;
                prop_assert_eq!(wins[winner][at(state)], Some(distance - made), "{:?}", engine);
            }
            prop_assert_eq!(report.line.len() as u32, distance, "{:?}", engine);
        }
    }

    #[test]
    fn plays_are_the_leaves_of_the_tree(mut game in games(12, false)) {
        fn leaves(game: &mut TableGame, state: State) -> u64 {
            if game.is_over(&state).unwrap() {
                return 1;
            }
            let mut moves = Vec::new();
            game.moves(&state, &mut moves).unwrap();
            moves.into_iter().map(|(_, next)| leaves(game, next)).sum()
        }
        let mut graph = Graph::default();
        let plays = count::plays(&mut game, &mut graph, &(0, 0), &Limits::none()).unwrap();
        prop_assert_eq!(plays, leaves(&mut game, (0, 0)).into());
    }
}

#[test]
fn plays_without_an_end_are_reported() {
    let mut game = TableGame {
        players: 2,
        moves: vec![vec![(0, 1)], vec![(0, 0), (1, 2)], vec![]],
        utilities: vec![None, None, Some(vec![-1, 1])],
        ..TableGame::default()
    };
    for engine in [GameEngine::Negamax, GameEngine::Minimax, GameEngine::Alphabeta] {
        let report = search(&mut game, engine, None, &Limits::none());
        assert_eq!(report.outcome, GameOutcome::Stopped(StopReason::Cycle), "{engine:?}");
    }
    // The opponent wins by ending it.
    let report = search(&mut game, GameEngine::SolveGame, None, &Limits::none());
    assert_eq!((report.value, report.distance), (Some(-1), Some(2)));
    let mut graph = Graph::default();
    let plays = count::plays(&mut game, &mut graph, &(0, 0), &Limits::none());
    assert!(matches!(plays, Err(super::Halt::Stop(StopReason::Cycle))));
}

/// The search is exact at a depth that best play goes beyond.
#[test]
fn a_line_goes_on_where_the_search_ended() {
    let mut moves = vec![vec![]; 12];
    let rows: [&[u32]; 11] =
        [&[2], &[2], &[4, 10], &[4], &[5, 11, 7], &[10], &[7], &[10], &[9], &[10], &[11]];
    for (row, to) in moves.iter_mut().zip(rows) {
        *row = (0..).zip(to.iter().copied()).collect();
    }
    let mut utilities = vec![None; 12];
    utilities[11] = Some(vec![0, 0]);
    let mut estimates = vec![0; 12];
    estimates[7] = -1;
    let mut game = TableGame { players: 2, moves, utilities, estimates, ..TableGame::default() };
    let report = search(&mut game, GameEngine::Alphabeta, None, &Limits::none());
    assert_eq!((report.value, report.line.len()), (Some(0), 5));
    assert!(report.exact);
}

#[test]
fn limits_stop_every_engine() {
    let mut nim = TableGame::nim(60, 3);
    for &engine in GameEngine::ALL {
        let mut graph = Graph::default();
        let start = nim.start(60);
        let limits = Limits { nodes: Some(20), ..Limits::none() };
        let options = GameOptions::default();
        let report = run(engine, &mut nim, &mut graph, &start, &options, &limits, None).unwrap();
        let stopped = GameOutcome::Stopped(StopReason::Nodes);
        assert_eq!((report.outcome, report.stats.nodes), (stopped, 20), "{engine:?}");
    }
}

#[test]
fn a_state_is_asked_about_once() {
    let mut nim = TableGame::nim(22, 3);
    let report = {
        let mut graph = Graph::default();
        let start = nim.start(22);
        let (options, limits) = (GameOptions::default(), Limits::none());
        run(GameEngine::Negamax, &mut nim, &mut graph, &start, &options, &limits, None).unwrap()
    };
    // 1 + the nodes with one, two and three matches less.
    assert_eq!(report.stats.nodes, 900_140);
    assert!(report.stats.states <= 2 * 22);
}

#[test]
fn three_players_look_after_themselves() {
    // The first of three chooses who wins: nobody gains but the second or the third.
    let mut game = TableGame {
        players: 3,
        moves: vec![vec![(0, 1), (1, 2)], vec![(0, 3), (1, 4)], vec![], vec![], vec![]],
        // To the player to move, the next one, the one after.
        utilities: vec![None, None, Some(vec![5, 1, 2]), Some(vec![0, 1, 7]), Some(vec![9, 3, 1])],
        ..TableGame::default()
    };
    for engine in [GameEngine::Maxn, GameEngine::SolveGame] {
        let report = search(&mut game, engine, None, &Limits::none());
        // The second player at 1: 3 gives (1, 7, 0) to players 0, 1, 2; 4 gives (3, 1, 9).
        assert_eq!((&report.values, report.best), (&vec![2, 5, 1], Some(1)), "{engine:?}");
    }
}

#[test]
fn the_line_of_a_plain_engine_is_that_of_alpha_beta() {
    let mut nim = TableGame::nim(11, 3);
    let mut graph = Graph::default();
    let start = nim.start(11);
    let root = graph.intern(&nim, &start).unwrap();
    let line = alphabeta::line(&mut nim, &mut graph, root, None, &Limits::none());
    assert_eq!(line, [2, 1, 3, 1, 3, 1]);
}

/// The first move that reaches the greatest value of all, though another reaches it at once.
#[test]
fn the_first_of_the_moves_that_are_worth_most() {
    let most = i64::MAX;
    let mut game = TableGame {
        players: 2,
        moves: vec![vec![(0, 4), (1, 1), (2, 3)], vec![(0, 2)], vec![(0, 3)], vec![], vec![]],
        utilities: vec![None, None, None, Some(vec![-most, most]), Some(vec![0, 0])],
        estimates: vec![1; 5],
        ..TableGame::default()
    };
    for depth in [1, 2, 3, 4] {
        let (value, best, _) = by_definition(&mut game, (0, 0), depth);
        let report = search(&mut game, GameEngine::Alphabeta, Some(depth), &Limits::none());
        assert_eq!((report.value, report.best), (Some(value), best), "depth {depth}");
    }
    let report = search(&mut game, GameEngine::Alphabeta, None, &Limits::none());
    assert_eq!((report.value, report.best), (Some(most), Some(1)));
}

/// Behind an estimate a win is proved, and how much it is worth is not: a greater one may lie beyond the depth.
#[test]
fn a_win_behind_an_estimate_is_not_exact() {
    let mut game = TableGame {
        players: 2,
        moves: vec![vec![(0, 1), (1, 2)], vec![(0, 3)], vec![], vec![(0, 4)], vec![]],
        utilities: vec![None, None, Some(vec![-1, 1]), None, Some(vec![-3, 3])],
        estimates: vec![0; 5],
        ..TableGame::default()
    };
    for (depth, value, exact) in [(1, 1, false), (4, 3, true)] {
        let mut graph = Graph::default();
        let (depth, engine) = (Some(depth), GameEngine::Alphabeta);
        let options = GameOptions { depth, soonest: true, ..GameOptions::default() };
        let none = Limits::none();
        let report = run(engine, &mut game, &mut graph, &(0, 0), &options, &none, None).unwrap();
        assert_eq!((report.value, report.exact), (Some(value), exact), "{depth:?}");
    }
}

/// A win at once is seen before another move is searched.
#[test]
fn a_win_at_once_is_found_first() {
    let wide = (0..20).map(|mv| (mv, 3)).collect();
    let mut game = TableGame {
        players: 2,
        moves: vec![vec![(0, 1)], vec![(0, 2), (1, 4)], wide, vec![(0, 4)], vec![]],
        utilities: vec![None, None, None, None, Some(vec![-1, 1])],
        ..TableGame::default()
    };
    let report = search(&mut game, GameEngine::Alphabeta, Some(1), &Limits::none());
    assert!(report.stats.nodes <= 2);
    let report = search(&mut game, GameEngine::Alphabeta, Some(4), &Limits::none());
    assert_eq!((report.value, report.best), (Some(-1), Some(0)));
    assert!(report.stats.nodes < 10, "{}", report.stats.nodes);
}
