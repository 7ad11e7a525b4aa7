//! Symmetries found in the rules, of all rule files and of programs at random: what is found with them is what
//! is found without.

use crate::support::random::program;
use crate::support::{files, full, loaded, part, sample, session};
use zug_domain::game::{GameTask, find_game, initial_player};
use zug_domain::{Contract, DomainKind, Task, find, instances};
use zug_prolog::session::Session;
use zug_report::{GameOutcome, GameSolution, Outcome, Solution};
use zug_search::game::GameEngine;
use zug_search::{Engine, Limits, Options};
use zug_term::Record;

/// Files with symmetries of which one search is shorter by them are more than this, and programs at random
/// that have symmetries.
const FEWEST: (usize, usize) = (8, 2);
/// Games with symmetries are at least so many.
const FEWEST_GAMES: usize = 5;
/// Expansions of a search by rule files,
fn few() -> u64 {
    if full() { 30_000 } else { 6_000 }
}

/// and by programs at random, whose states may have very many successors.
const FEW_AT_RANDOM: u64 = 200;

/// The folders of all rule files.
const FOLDERS: &[&str] = &["rules", "tests/domains", "tests/domains/corners", "benches/derived"];

/// A search from a start; nothing if the rules are at fault.
fn searched(
    session: &mut Session,
    engine: Engine,
    (symmetry, nodes): (bool, u64),
    start: &Record,
) -> Option<Solution<Record>> {
    let contract = Contract::of(&session.machine);
    let task = Task {
        engine,
        heuristic: None,
        options: Options { symmetry, ..Options::default() },
        by_itself: false,
        limits: Limits { nodes: Some(nodes), ..Limits::none() },
    };
    find(&mut session.machine, &mut session.world, &contract, &task, start, None).ok()
}

/// Holds searches with symmetries against searches without: whether there are symmetries, and whether a search
/// was shorter by them.
fn compared(session: &mut Session, nodes: u64, about: &str) -> (bool, bool) {
    let contract = Contract::of(&session.machine);
    if contract.kind() != DomainKind::Puzzle || contract.goal.is_none() {
        return (false, false);
    }
    let starts = instances(&mut session.machine, &mut session.world, &contract, 1);
    let (mut has, mut shorter) = (false, false);
    for start in starts.unwrap_or_default() {
        for engine in [Engine::Ucs, Engine::Bfs] {
            let Some(plain) = searched(session, engine, (false, nodes), &start.state) else {
                continue;
            };
            let Some(found) = searched(session, engine, (true, nodes), &start.state) else {
                continue;
            };
            has |= found.symmetries.is_some_and(|by| by.renamings > 1);
            match (plain.outcome(), found.outcome()) {
                (Outcome::Solved, Outcome::Solved) if engine == Engine::Ucs => {
                    assert_eq!(plain.cost, found.cost, "{about}");
                }
                (Outcome::Solved, Outcome::Solved) => {
                    assert_eq!(plain.moves().len(), found.moves().len(), "{about}");
                }
                // With symmetries a search comes further.
                (Outcome::Stopped(_), _) => {}
                (plain, found) => assert_eq!(plain, found, "{about}"),
            }
            shorter |= found.stats.expanded < plain.stats.expanded;
        }
    }
    (has, shorter)
}

#[test]
fn of_rule_files_lead_to_plans_as_cheap() {
    let (mut shorter, mut lost) = (0, Vec::new());
    for path in sample(files(FOLDERS)) {
        let mut session = session(&path);
        let (has, is_shorter) = compared(&mut session, few(), &path.display().to_string());
        shorter += usize::from(is_shorter);
        if has && !is_shorter {
            lost.push(path);
        }
    }
    assert!(shorter > part(FEWEST.0), "of {shorter} files; not of {lost:?}");
}

#[test]
fn of_random_programs_lead_to_plans_as_cheap() {
    let programs = if full() { 300 } else { 40 };
    let mut with_symmetries = 0;
    for seed in 0..programs {
        let text = program(seed);
        let (mut session, _) = loaded(&text);
        with_symmetries += usize::from(compared(&mut session, FEW_AT_RANDOM, &text).0);
    }
    assert!(with_symmetries > part(FEWEST.1), "of {with_symmetries} programs");
}

/// The value of the first start of a game by retrograde analysis; nothing if it takes too long.
fn solved(session: &mut Session, symmetry: bool) -> Option<GameSolution<Record>> {
    let found = said(session, GameTask { symmetry, ..GameTask::of(GameEngine::SolveGame) })?;
    (found.outcome == GameOutcome::Solved).then_some(found)
}

/// What an engine says of the first start of a game; nothing if it can't.
fn said(session: &mut Session, task: GameTask) -> Option<GameSolution<Record>> {
    let contract = Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    let starts = instances(m, w, &contract, 1).ok()?;
    let player = initial_player(m, w).ok()?;
    let limits = Limits { nodes: Some(few()), ..Limits::none() };
    let task = GameTask { limits, ..task };
    find_game(m, w, &task, player.as_ref(), &starts.first()?.state, None).ok()
}

#[test]
fn of_games_change_no_value() {
    let mut smaller = 0;
    for path in sample(files(FOLDERS)) {
        let mut session = session(&path);
        if Contract::of(&session.machine).kind() != DomainKind::Game {
            continue;
        }
        let Some(plain) = solved(&mut session, false) else { continue };
        let Some(found) = solved(&mut session, true) else { continue };
        let about = path.display().to_string();
        assert_eq!(
            (&plain.value, &plain.best, plain.distance, plain.line.len()),
            (&found.value, &found.best, found.distance, found.line.len()),
            "{about}"
        );
        smaller += usize::from(found.stats.nodes < plain.stats.nodes);
        // What was found with symmetries does not show without.
        let again = solved(&mut session, false).expect("it was solved before");
        assert_eq!((&again.line, again.symmetries), (&plain.line, None), "{about}");
    }
    assert!(smaller >= part(FEWEST_GAMES), "of {smaller} games");
}

#[test]
fn of_games_leave_alpha_beta_as_it_is() {
    let (mut smaller, mut compared) = (0, 0);
    for path in sample(files(FOLDERS)) {
        let mut session = session(&path);
        if Contract::of(&session.machine).kind() != DomainKind::Game {
            continue;
        }
        let depths: &[Option<u32>] = if full() { &[Some(2), Some(5), None] } else { &[None] };
        for &depth in depths {
            let mut search = |symmetry| {
                let task = GameTask { symmetry, depth, ..GameTask::of(GameEngine::Alphabeta) };
                said(&mut session, task).filter(|found| found.outcome == GameOutcome::Solved)
            };
            let (Some(found), Some(plain)) = (search(true), search(false)) else { continue };
            let told = |found: &GameSolution<Record>| {
                (found.value.clone(), found.best.clone(), found.line.clone())
            };
            assert_eq!(told(&plain), told(&found), "{} to depth {depth:?}", path.display());
            smaller += usize::from(found.stats.nodes < plain.stats.nodes);
            compared += 1;
        }
    }
    assert!(smaller >= part(FEWEST_GAMES / 2), "{smaller} of {compared} searches took less");
}
