//! Several threads find what one finds, also where copies of a game fail or do not know the answer.

use super::tests::games;
use super::{Game, GameEngine, GameError, GameOptions, Graph, Player, Proof, Sampling};
use super::{Storage, TableGame, run};
use crate::fork::Fork;
use crate::limits::Limits;
use crate::space::{Failure, Operation};
use proptest::prelude::*;
use std::thread::sleep;
use std::time::Duration;

type State = (Player, u32);

/// A game with copies, in which moves have other numbers. Copies fail in some states, and say what is wrong in others:
/// then they have used a word of their own.
struct Copied {
    game: TableGame,
    copies: Vec<Copied>,
    is_copy: bool,
    words: u64,
    has_lied: bool,
    /// States are so slow that it is worth asking about them by several threads.
    is_slow: bool,
    /// The state in which all fail.
    fails_at: Option<u32>,
}

impl Copied {
    fn new(game: &TableGame, copies: usize) -> Copied {
        let new = |is_copy, copies| Copied {
            game: game.clone(),
            copies,
            is_copy,
            words: 0,
            has_lied: false,
            is_slow: true,
            fails_at: None,
        };
        let copies = (0..copies).map(|_| new(true, Vec::new())).collect();
        new(false, copies)
    }

    fn failing_at(mut self, state: u32) -> Copied {
        self.copies = self.copies.into_iter().map(|copy| copy.failing_at(state)).collect();
        Copied { fails_at: Some(state), ..self }
    }

    /// A move of the game as this one numbers it, or the other way round.
    fn numbered(&self, mv: u32) -> u32 {
        if self.is_copy { mv ^ 0x55 } else { mv }
    }
}

impl Fork for Copied {
    fn has_forks(&self) -> bool {
        !self.copies.is_empty()
    }

    fn take_forks(&mut self) -> Vec<Copied> {
        std::mem::take(&mut self.copies)
    }

    fn words(&self) -> u64 {
        self.words
    }

    fn learn(&mut self, _: &crate::Lesson, is_astray: bool) {
        assert!(is_astray, "the main one has no words");
        (self.words, self.has_lied) = (0, false);
    }

    fn has_written(&self) -> bool {
        self.has_lied
    }
}

impl Game for Copied {
    type State = State;
    type Value = i64;

    fn players(&self) -> usize {
        self.game.players()
    }

    fn player(&self, state: &State) -> Player {
        self.game.player(state)
    }

    fn is_over(&mut self, state: &State) -> Result<bool, Failure> {
        if self.is_slow {
            sleep(Duration::from_micros(10));
        }
        let over = self.game.is_over(state)?;
        if self.fails_at == Some(state.1) || self.is_copy && state.1 % 11 == 5 {
            return Err(Failure::new(Operation::Rule, state.1));
        }
        if self.is_copy && state.1 % 7 == 3 {
            self.words += 1;
            self.has_lied = true;
            return Ok(!over);
        }
        Ok(over)
    }

    fn utility(&mut self, state: &State, player: Player) -> Result<i64, Failure> {
        self.game.utility(state, player)
    }

    fn heuristic(&mut self, state: &State, player: Player) -> Result<i64, Failure> {
        self.game.heuristic(state, player)
    }

    fn has_heuristic(&self) -> bool {
        self.game.has_heuristic()
    }

    fn heuristic_is_utility(&self) -> bool {
        self.game.heuristic_is_utility()
    }

    fn moves(&mut self, state: &State, out: &mut Vec<(u32, State)>) -> Result<(), Failure> {
        let before = out.len();
        self.game.moves(state, out)?;
        if out.len() == before {
            // One that has said that it goes on where it is over.
            out.push((0, *state));
        }
        for (mv, _) in &mut out[before..] {
            *mv = self.numbered(*mv);
        }
        Ok(())
    }

    fn write_move(&self, mv: u32, out: &mut Vec<u8>) {
        out.extend(self.numbered(mv).to_le_bytes());
    }

    fn move_of(&mut self, _: u32, name: &[u8]) -> u32 {
        self.numbered(u32::from_le_bytes(name.try_into().expect("four bytes")))
    }
}

/// What an engine says of a game, and its counts.
fn said(
    mut game: Copied,
    engine: GameEngine,
    options: &GameOptions,
    nodes: Option<u64>,
) -> Result<String, u32> {
    let mut graph = Graph::default();
    let limits = Limits { nodes, ..Limits::none() };
    let found = run(engine, &mut game, &mut graph, &(0, 0), options, &limits, None);
    let found = found.map_err(|GameError { error, .. }| error.error::<u32>())?;
    let stats = &found.stats;
    Ok(format!(
        "{:?} {:?} by {:?} {:?} {} {:?} {:?}, {:?}",
        found.outcome,
        found.value,
        found.best,
        found.line,
        found.exact,
        found.distance,
        found.means,
        (stats.nodes, stats.states, stats.max_depth, stats.iterations),
    ))
}

fn solving(compact: bool) -> GameOptions {
    GameOptions { storage: Storage { compact }, ..GameOptions::default() }
}

fn playing(playouts: u64) -> GameOptions {
    let sampling = Sampling { playouts: Some(playouts), cutoff: Some(30), ..Sampling::default() };
    GameOptions { sampling, ..GameOptions::default() }
}

/// Holds what an engine says with two copies against what it says with none.
fn check(
    game: &TableGame,
    engine: GameEngine,
    options: &GameOptions,
    nodes: Option<u64>,
) -> Result<(), TestCaseError> {
    let [with, without] =
        [2, 0].map(|copies| said(Copied::new(game, copies), engine, options, nodes));
    prop_assert_eq!(with, without);
    let [with, without] = [2, 0].map(|copies| {
        let game = Copied::new(game, copies).failing_at(game.moves.len() as u32 / 2);
        said(game, engine, options, nodes)
    });
    prop_assert_eq!(with, without);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn games_are_solved(game in games(160, true), compact: bool, nodes in 1..400_u64) {
        check(&game, GameEngine::SolveGame, &solving(compact), None)?;
        check(&game, GameEngine::SolveGame, &solving(compact), Some(nodes))?;
    }

    #[test]
    fn values_are_those_of_one(game in games(60, false), depth in prop::option::of(1..9_u32)) {
        let options = GameOptions { depth, ..GameOptions::default() };
        let values = [2, 0].map(|copies| {
            let mut game = Copied { is_slow: false, ..Copied::new(&game, copies) };
            let (mut graph, limits) = (Graph::default(), Limits::none());
            let engine = GameEngine::Alphabeta;
            let found = run(engine, &mut game, &mut graph, &(0, 0), &options, &limits, None);
            found.map(|found| (found.value, found.best, found.exact, found.line)).ok()
        });
        prop_assert_eq!(&values[0], &values[1]);
    }

    #[test]
    fn plays_are_made(game in games(60, true), nodes in 1..400_u64) {
        check(&game, GameEngine::Playouts, &playing(40), None)?;
        check(&game, GameEngine::Playouts, &playing(40), Some(nodes))?;
    }

    #[test]
    fn trees_are_the_same_again(game in games(60, false), nodes in 100..4000_u64) {
        let grown = || {
            let game = Copied { is_slow: false, ..Copied::new(&game, 2) };
            said(game, GameEngine::Mcts, &playing(600), Some(nodes))
        };
        prop_assert_eq!(grown(), grown());
    }
}

#[test]
fn trees_prove_what_is_so() {
    for matches in 1..=14 {
        let mut nim = TableGame::nim(matches, 3);
        // The matches that are left are counted down from the first state.
        let count = nim.moves.len() as u32 - 1;
        nim.moves.reverse();
        nim.utilities.reverse();
        nim.moves.iter_mut().flatten().for_each(|(_, to)| *to = count - *to);
        for bounds in [None, Some((-1, 1))] {
            nim.bounds = bounds;
            let mut game = Copied { is_slow: false, ..Copied::new(&nim, 2) };
            let mut graph = Graph::default();
            let options = playing(20_000);
            let limits = Limits::none();
            let found =
                run(GameEngine::Mcts, &mut game, &mut graph, &(0, 0), &options, &limits, None);
            let found = found.expect("the main one knows all answers");
            let (lost, means) = (matches % 4 == 1, found.means.clone().expect("means"));
            let proof = Some(if lost { Proof::Lost } else { Proof::Won });
            assert!(found.exact || means.proof == proof, "{matches}");
            if !lost {
                assert_eq!(found.best, Some((matches + 3) % 4), "{matches}");
            }
        }
    }
}

#[test]
fn several_trees_make_all_plays() {
    // Nothing is proved of so many.
    let nim = TableGame::nim(4000, 3);
    for copies in [1, 2, 4] {
        let mut game = Copied { is_slow: false, ..Copied::new(&nim, copies) };
        let mut graph = Graph::default();
        let found = run(
            GameEngine::Mcts,
            &mut game,
            &mut graph,
            &(0, 4000),
            &playing(1001),
            &Limits::none(),
            None,
        );
        let found = found.expect("the main one knows all answers");
        let tried = found.means.clone().expect("means").tried;
        assert_eq!(found.stats.iterations, 1001);
        assert_eq!(tried.iter().map(|tried| tried.visits).sum::<u64>(), 1001);
        let ends = tried.iter().flat_map(|tried| tried.outcomes);
        assert_eq!(ends.sum::<u64>(), 1001);
    }
}
