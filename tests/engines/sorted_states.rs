//! States that are kept sorted: games without their graph, and layers in files, against the engines that keep all
//! in memory, on all rule files.

use crate::support::{Folder, files, part, sample};
use std::path::Path;
use zug::SolveRequest;
use zug::usecases::enumerate::{EnumerateReport, EnumerateRequest, enumerate_loaded};
use zug::usecases::record::TermData;
use zug_domain::{Contract, DomainKind};
use zug_prolog::session::Session;
use zug_search::Limits;
use zug_search::game::Storage;

/// Games with more states are not solved, and spaces with more are not written.
const MOST: u64 = 3_000;
/// States that are expanded before the next process goes on.
const AT_ONCE: u64 = 799;
/// At least so many games are compared, and spaces.
const FEWEST: (usize, usize) = (25, 60);

/// The folders of the rule files.
const FOLDERS: &[&str] = &["rules", "tests/domains"];

/// A session in which names have other numbers than in the next one.
fn session(path: &Path, names: usize) -> Session {
    let (mut session, _) = zug_tools::language::captured("");
    for name in 0..names {
        session.machine.symbols.intern(&format!("met before {name}"));
    }
    session.load_file(path).expect("it can be read");
    session
}

/// All that is said of a game; `None` if it has too many states.
fn solved(path: &Path, compact: bool) -> Option<String> {
    let mut session = session(path, 0);
    let limits = Limits { nodes: Some(MOST), ..Limits::none() };
    let (engine, storage) = (Some("solve_game".to_owned()), Storage { compact });
    let request = SolveRequest { engine, limits, storage, ..SolveRequest::default() };
    let found = match zug::solve(&mut session, &request) {
        Ok(report) => report.results[0].value().expect("a game").found.clone(),
        Err(failure) => return Some(format!("{failure:?}").chars().take(200).collect()),
    };
    if found.outcome.reason().is_some() {
        return None;
    }
    let best = found.best.as_ref().map(|mv| TermData::text_of(&session, mv));
    let line: Vec<String> = found.line.iter().map(|mv| TermData::text_of(&session, mv)).collect();
    Some(format!(
        "value {:?} {:?} by {best:?} {:?} in {:?}, {:?}, {} nodes, {} states, {}",
        found.value.as_ref().map(ToString::to_string),
        found.values.len(),
        found.certainty.exactness,
        found.distance,
        found.utilities,
        found.stats.nodes,
        found.stats.states,
        line.join(" ")
    ))
}

#[test]
fn games_are_solved_without_their_graph() {
    let (mut count, mut wrong) = (0, Vec::new());
    for path in sample(files(FOLDERS)) {
        if Contract::of(&session(&path, 0).machine).kind() != DomainKind::Game {
            continue;
        }
        let (with, without) = (solved(&path, false), solved(&path, true));
        count += usize::from(with.is_some());
        if with != without {
            wrong.push(format!("{}\n  {with:?}\n  {without:?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= part(FEWEST.0), "only {count} games");
}

fn counted(session: &mut Session, request: &EnumerateRequest) -> Result<EnumerateReport, String> {
    enumerate_loaded(session, request, None).map_err(|failure| format!("{failure:?}"))
}

#[test]
fn layers_in_files_are_those_in_memory() {
    let folder = Folder::new("sorted-states");
    let (mut count, mut wrong) = (0, Vec::new());
    for (number, path) in sample(files(FOLDERS)).iter().enumerate() {
        let limits = Limits { nodes: Some(MOST), ..Limits::none() };
        let request = EnumerateRequest { limits, ..EnumerateRequest::default() };
        let Ok(known) = counted(&mut session(path, 0), &request) else { continue };
        if known.outcome != "complete" {
            continue;
        }
        let limits = Limits { nodes: Some(AT_ONCE), ..Limits::none() };
        let disk = Some(folder.join(number.to_string()));
        let request = EnumerateRequest { limits, disk, ..EnumerateRequest::default() };
        let mut calls = 0;
        let found = loop {
            calls += 1;
            match counted(&mut session(path, 50 * calls), &request) {
                Ok(found) if found.outcome == "stopped" && calls < 10 => {}
                found => break found,
            }
        };
        count += 1;
        let of = |report: &EnumerateReport| {
            let stats = &report.stats;
            let counts = (stats.expanded, stats.generated, stats.max_depth);
            (report.outcome, report.by_depth.clone(), report.terminal, counts)
        };
        match found {
            Ok(found) if of(&found) == of(&known) && found.kept == "in_files" => {
                let mut deepest = [&found, &known].map(|report| {
                    let texts = report.deepest.iter().map(|state| state.text.clone());
                    texts.collect::<Vec<String>>()
                });
                deepest.iter_mut().for_each(|states| states.sort());
                let last = known.by_depth.last().map_or(0, |layer| layer.0);
                if last <= 100 && deepest[0] != deepest[1] {
                    wrong.push(format!("{}: {deepest:?}", path.display()));
                }
            }
            Ok(found) => {
                wrong.push(format!("{}\n  {:?}\n  {:?}", path.display(), of(&known), of(&found)));
            }
            Err(error) => wrong.push(format!("{}: {error}", path.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= part(FEWEST.1), "only {count} files");
}
