//! Searches of puzzles by several threads, on all rule files and programs at random: what they find is what one
//! thread finds.

use super::crews;
use crate::support::random::program;
use crate::support::{files, full, loaded, part, sample, session};
use zug_domain::{Contract, DomainKind, Enumeration, Heuristic, Task, explore, find, instances};
use zug_prolog::session::Session;
use zug_report::{Outcome, Solution};
use zug_search::{Engine, Limits, Options};
use zug_term::Record;

/// Expansions of a search by rule files, and by programs at random.
const FEW: (u64, u64) = (1_000, 200);
/// Puzzles that are compared are more than this.
const FEWEST: usize = 60;

/// The folders of all rule files.
const FOLDERS: &[&str] = &["rules", "tests/domains", "tests/domains/corners", "benches/derived"];

fn limits(nodes: u64, threads: usize) -> Limits {
    let threads = std::num::NonZeroUsize::new(threads);
    Limits { nodes: Some(nodes), threads, ..Limits::none() }
}

fn searched(
    session: &mut Session,
    (engine, heuristic): (Engine, Option<Heuristic>),
    limits: Limits,
    start: &Record,
) -> Result<Solution<Record>, String> {
    let contract = Contract::of(&session.machine);
    let options = Options::default();
    let task = Task { engine, heuristic, options, by_itself: false, limits };
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = find(m, w, &contract, &task, start, None);
    found.map_err(|error| format!("{:?}", error.violation))
}

fn explored(session: &mut Session, limits: Limits, start: &Record) -> Result<Enumeration, String> {
    let contract = Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = explore(m, w, &contract, &limits, start, None);
    found.map_err(|error| format!("{:?}", error.violation))
}

/// What is the same by any number of threads of a whole space.
fn told(found: Result<Enumeration, String>) -> impl PartialEq + std::fmt::Debug {
    found.map(|found| {
        let Enumeration { by_depth, deepest, terminal, stopped, stats, .. } = found;
        (by_depth, deepest, terminal, stopped, stats.expanded, stats.generated)
    })
}

/// Holds searches by several threads against searches by one: whether the heuristic overestimates; nothing if there
/// is nothing to compare.
fn compared(session: &mut Session, nodes: u64, crews: &[usize], about: &str) -> Option<bool> {
    let contract = Contract::of(&session.machine);
    if contract.kind() != DomainKind::Puzzle || contract.goal.is_none() {
        return None;
    }
    let (m, w) = (&mut session.machine, &mut session.world);
    let starts = instances(m, w, &contract, 1).ok()?;
    let start = &starts.first()?.state;
    let heuristic = contract.heuristics().first().copied();
    let alone = told(explored(session, limits(nodes, 1), start));
    let bfs = searched(session, (Engine::Bfs, None), limits(nodes, 1), start);
    for &threads in crews {
        let found = told(explored(session, limits(nodes, threads), start));
        assert_eq!(alone, found, "{about}: enumerate by {threads} threads");
        let found = searched(session, (Engine::Bfs, None), limits(nodes, threads), start);
        match (&bfs, found) {
            (Ok(alone), Ok(found)) => {
                assert_eq!(alone.ending, found.ending, "{about}: bfs by {threads}");
                assert_eq!((&alone.path, &alone.states), (&found.path, &found.states), "{about}");
                let counts = |of: &Solution<Record>| (of.stats.expanded, of.stats.generated);
                assert_eq!(counts(alone), counts(&found), "{about}: bfs by {threads}");
            }
            (alone, found) => {
                assert_eq!(alone.as_ref().err(), found.as_ref().err(), "{about}: bfs by {threads}");
            }
        }
    }
    let (derived, mut odd) = (Some(Heuristic::Derived), false);
    for with in [
        (Engine::Ucs, None),
        (Engine::Astar, heuristic),
        (Engine::Idastar, heuristic),
        (Engine::Astar, derived),
    ] {
        if with.1.is_none() && with.0 != Engine::Ucs {
            continue;
        }
        let alone = searched(session, with, limits(nodes, 1), start);
        let shared = searched(session, with, limits(4 * nodes, 2), start);
        let about = format!("{about}: {with:?}");
        match (alone, shared) {
            (Ok(alone), Ok(shared)) => match (alone.outcome(), shared.outcome()) {
                // In the last round more may be expanded.
                (Outcome::Stopped(_), _) | (_, Outcome::Stopped(_)) => {}
                (one, two) => {
                    assert_eq!(one, two, "{about}");
                    // Plans that differ in cost show that the heuristic overestimates.
                    let is_odd = alone.cost != shared.cost;
                    assert!(!is_odd || with.1 == heuristic && with.1 != derived, "{about}");
                    odd |= is_odd;
                    assert!(is_odd || alone.ending.claim == shared.ending.claim, "{about}");
                }
            },
            (Err(_), _) | (_, Err(_)) => {}
        }
    }
    Some(odd)
}

#[test]
fn find_in_rule_files_what_one_finds() {
    let (mut count, mut odd) = (0, 0);
    for (nth, path) in sample(files(FOLDERS)).into_iter().enumerate() {
        let mut session = session(&path);
        let found = compared(&mut session, FEW.0, &crews(nth), &path.display().to_string());
        count += usize::from(found.is_some());
        odd += usize::from(found == Some(true));
    }
    assert!(odd < 4, "{odd} heuristics overestimate");
    assert!(count > part(FEWEST), "only {count} puzzles");
}

#[test]
fn find_in_random_programs_what_one_finds() {
    for seed in 0..if full() { 300 } else { 8 } {
        let text = program(seed);
        let (mut session, _) = loaded(&text);
        compared(&mut session, FEW.1, &crews(seed as usize), &text);
    }
}
