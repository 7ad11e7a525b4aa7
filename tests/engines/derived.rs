//! Heuristics derived from rules, of all rule files and of programs at random: they are held against what
//! plans cost, in every state where the space is small, else in states of walks.

use crate::support::random::boards::board;
use crate::support::random::program;
use crate::support::{files, full, loaded, part, sample, session};
use zug::usecases::Failure;
use zug::usecases::heuristics::{HeuristicsReport, HeuristicsRequest, heuristics_loaded};
use zug_domain::{Contract, DomainKind};
use zug_prolog::session::Session;
use zug_search::{Limits, SurveyOptions};

/// Files of which one can be derived are more than this, programs at random, and boards at random.
const FEWEST: (usize, usize, usize) = (50, 2, 12);

/// States, and nodes.
const FEW: (usize, u64) = (200, 200);

/// Looks at the derived heuristic of a loaded puzzle, in so many states, or at the ends of walks that take no
/// more nodes to solve; nothing if it has none, or its rules are at fault.
fn survey(session: &mut Session, (states, nodes): (usize, u64)) -> Option<HeuristicsReport> {
    let contract = Contract::of(&session.machine);
    if contract.kind() != DomainKind::Puzzle || contract.goal.is_none() {
        return None;
    }
    let request = HeuristicsRequest {
        heuristics: vec!["derived".to_owned()],
        survey: SurveyOptions { states, walks: 5, nodes, steps: 20, seed: 1 },
        limits: Limits { nodes: Some(if full() { 200_000 } else { 30_000 }), ..Limits::none() },
        ..HeuristicsRequest::default()
    };
    match heuristics_loaded(session, &request, None) {
        Ok(report) => Some(report),
        Err(Failure::Rule(_) | Failure::Players(_) | Failure::Diagnosed(..)) => None,
        Err(other) => panic!("{other:?}"),
    }
}

/// The greater of a heuristic of the file and the derived one, of states and along moves, by whatever way an
/// engine gets at estimates.
#[test]
fn the_greater_of_both_is_neither_less() {
    for file in ["rules/hanoi.pl", "rules/sokoban.pl", "rules/taquin.pl"] {
        let mut session = session(file);
        let contract = Contract::of(&session.machine);
        let own = contract.heuristics()[0].name(&session.machine.symbols);
        let both = format!("{own}+derived");
        let request = HeuristicsRequest {
            heuristics: vec![own.clone(), "derived".to_owned(), both.clone()],
            survey: SurveyOptions { states: 500, walks: 5, nodes: 500, steps: 20, seed: 1 },
            limits: Limits { nodes: Some(200_000), ..Limits::none() },
            ..HeuristicsRequest::default()
        };
        let report = heuristics_loaded(&mut session, &request, None).expect("a report");
        for pair in report.pairs.iter().filter(|pair| pair.other == both) {
            assert_eq!(pair.above, 0, "{file}: {} above {both}", pair.one);
        }
        let own_says_more = report.pairs[0].above > 0;
        let more = report.pairs.iter().find(|pair| pair.one == "derived" && pair.other == both);
        let more = more.expect("a pair").below;
        assert_eq!(more > 0, own_says_more, "{file}");
        assert!(contract.heuristic_named(&session.machine.symbols, "derived+derived").is_none());
        assert!(contract.heuristic_named(&session.machine.symbols, "none+derived").is_none());
    }
}

/// What is wrong with it.
fn faults(report: &HeuristicsReport) -> Option<String> {
    let found = &report.heuristics[0];
    let told = found.explanation.as_deref().unwrap_or_default();
    // Pattern databases leave out where tested values are.
    let has_to_be_consistent = told.contains("marked *") || told.contains("cheapest ways");
    let is_wrong = found.overestimated > 0
        || found.goals_above > 0
        || (has_to_be_consistent && found.inconsistent > 0);
    is_wrong.then(|| format!("{told}: {:?} {:?}", found.overestimate, found.inconsistency))
}

#[test]
fn of_rule_files_never_say_too_much() {
    let folders = ["rules", "tests/domains", "tests/domains/corners", "benches/derived"];
    let mut derived = 0;
    for path in sample(files(&folders)) {
        let mut session = session(&path);
        let most = if full() { (20_000, 20_000) } else { FEW };
        let Some(report) = survey(&mut session, most) else { continue };
        derived += 1;
        assert_eq!(faults(&report), None, "{}", path.display());
    }
    assert!(derived > part(FEWEST.0), "of {derived} files");
}

#[test]
fn of_random_programs_never_say_too_much() {
    let programs = if full() { 600 } else { 30 };
    let mut derived = 0;
    for seed in 0..programs {
        let text = program(seed);
        let (mut session, _) = loaded(&text);
        let Some(report) = survey(&mut session, FEW) else { continue };
        derived += 1;
        assert_eq!(faults(&report), None, "{seed}:\n{text}");
    }
    assert!(derived > part(FEWEST.1), "of {derived} programs");
}

/// Of the kinds of puzzles that there are heuristics for: most of these boards have one.
#[test]
fn of_random_boards_never_say_too_much() {
    let boards = if full() { 900 } else { 15 };
    let mut derived = 0;
    for seed in 0..boards {
        let text = board(seed);
        let (mut session, _) = loaded(&text);
        let Some(report) = survey(&mut session, (1_000, 500)) else { continue };
        derived += 1;
        assert_eq!(faults(&report), None, "{seed}:\n{text}");
    }
    assert!(derived > part(FEWEST.2), "of {derived} boards");
}
