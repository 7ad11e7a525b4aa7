//! Random rule programs: they load, have moves, and the domain answers about every state
//! what plain queries answer. `ZUG_SEED` and `ZUG_PROGRAMS` choose others than the usual ones;
//! a failing seed can be looked at with `ZUG_SHOW=1`.

use crate::support::compare::difference;
use crate::support::explore::{Asker, Node, transcript};
use crate::support::full;
use crate::support::random::{program, walks};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// States of a program that are visited.
fn most_states() -> usize {
    if full() { 100 } else { 15 }
}

/// Programs.
fn programs() -> u64 {
    if full() { 400 } else { 40 }
}

/// A number from the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// What the programs are like.
#[derive(Debug, Default)]
struct Statistics {
    programs: usize,
    games: usize,
    /// Some state has a move.
    moving: usize,
    /// More than five states were met.
    wide: usize,
    /// Every state ended in an error.
    faulty: usize,
    /// Some state ended in an error, and some didn't.
    mixed: usize,
    /// Some state has the same answer twice.
    doubled: usize,
    states: usize,
    answers: usize,
}

impl Statistics {
    fn add(&mut self, nodes: &[Node]) {
        let errors = nodes.iter().filter(|node| node.error.is_some()).count();
        let doubled =
            |node: &Node| node.moves.iter().enumerate().any(|(i, mv)| node.moves[..i].contains(mv));
        self.programs += 1;
        self.games += usize::from(nodes.iter().any(|node| node.player.is_some()));
        self.moving += usize::from(nodes.iter().any(|node| !node.moves.is_empty()));
        self.wide += usize::from(nodes.len() > 5);
        self.faulty += usize::from(errors == nodes.len());
        self.mixed += usize::from(errors > 0 && errors < nodes.len());
        self.doubled += usize::from(nodes.iter().any(doubled));
        self.states += nodes.len();
        self.answers += nodes.iter().map(|node| node.moves.len()).sum::<usize>();
    }
}

/// Explores a program and compares; what is wrong.
fn check(text: &str, statistics: &mut Statistics) -> Option<String> {
    let (mut session, _) = zug_tools::language::captured("");
    let findings = session.load_text("random", text);
    if findings.iter().any(|finding| finding.is_error()) {
        return Some(format!("{findings:?}"));
    }
    session.machine.deadline = Some(Instant::now() + Duration::from_secs(20));
    let asker = Asker::new(&mut session);
    let nodes = asker.explore(&mut session, most_states());
    statistics.add(&nodes);
    if std::env::var_os("ZUG_SHOW").is_some() {
        return Some(format!("{text}\n{}", transcript(&nodes)));
    }
    difference(&mut session, &asker, &nodes).map(|difference| difference.to_string())
}

/// Checks so many programs.
fn check_all(program: fn(u64) -> String, count: u64) -> Statistics {
    let mut statistics = Statistics::default();
    let mut report = String::new();
    let first = number("ZUG_SEED", 1);
    for seed in first..first + number("ZUG_PROGRAMS", count) {
        if let Some(fault) = check(&program(seed), &mut statistics) {
            let _ = writeln!(report, "seed {seed}: {fault}");
        }
    }
    assert!(report.is_empty(), "{report}");
    statistics
}

#[test]
fn the_domain_answers_as_queries_do() {
    let statistics = check_all(program, programs());
    let Statistics { programs, moving, wide, faulty, .. } = statistics;
    if programs >= 30 {
        let sound = moving * 10 > programs * 6 && wide * 2 > programs && faulty * 10 < programs;
        assert!(sound, "{statistics:?}");
    }
    let show = std::env::var_os("ZUG_STATISTICS").is_some();
    assert!(!show, "{statistics:?}");
}

#[test]
fn walks_answer_as_queries_do() {
    let statistics = check_all(walks::program, programs());
    let Statistics { programs, moving, faulty, .. } = statistics;
    assert!(programs < 30 || moving * 10 > programs * 6 && faulty * 3 < programs, "{statistics:?}");
}
