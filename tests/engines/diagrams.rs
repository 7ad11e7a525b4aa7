//! Layers that are decision diagrams, against enumerations that list the states, on all rule files.

use crate::support::{files, loaded, part, root, sample, session};
use zug::usecases::enumerate::{EnumerateReport, EnumerateRequest, enumerate_loaded};
use zug_prolog::session::Session;
use zug_search::Limits;

/// Spaces with more states are not compared.
const MOST: u64 = 1_000;
/// Spaces whose diagrams take more bytes are not compared either: permutations have large ones.
const LARGEST: usize = 4 << 20;
/// At least so many spaces are compared.
const FEWEST: usize = 60;

fn counted(
    session: &mut Session,
    diagrams: bool,
    limits: Limits,
) -> Result<EnumerateReport, String> {
    let request = EnumerateRequest { diagrams, limits, ..EnumerateRequest::default() };
    enumerate_loaded(session, &request, None).map_err(|failure| format!("{failure:?}"))
}

/// What is told of a space, with the deepest states if all of these are told.
fn told(report: &EnumerateReport) -> (Vec<u128>, u128, u64, Vec<String>) {
    let few = report.by_depth.last().is_some_and(|states| states.0 <= 100);
    let mut deepest: Vec<String> =
        { report.deepest.iter().filter(|_| few) }.map(|state| state.text.clone()).collect();
    deepest.sort();
    (
        report.by_depth.iter().map(|layer| layer.0).collect(),
        report.terminal.0,
        report.stats.expanded,
        deepest,
    )
}

#[test]
fn layers_that_are_diagrams_are_those_of_a_list() {
    let (mut count, mut wrong) = (0, Vec::new());
    for path in sample(files(&["rules", "tests/domains"])) {
        let limits = Limits { nodes: Some(MOST), ..Limits::none() };
        let Ok(known) = counted(&mut session(&path), false, limits) else { continue };
        if known.outcome != "complete" {
            continue;
        }
        let limits = Limits { memory: Some(LARGEST), ..Limits::none() };
        // Rules that are not known in full are refused.
        let Ok(found) = counted(&mut session(&path), true, limits) else { continue };
        if found.outcome == "complete" {
            count += 1;
            if told(&found) != told(&known) || found.kept != "in_diagrams" {
                wrong.push(format!(
                    "{}\n  {:?}\n  {:?}",
                    path.display(),
                    told(&known),
                    told(&found)
                ));
            }
        } else if !known.by_depth.starts_with(&found.by_depth) {
            wrong.push(format!("{}: {:?} {:?}", path.display(), known.by_depth, found.by_depth));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= part(FEWEST), "only {count} files");
}

/// A board of Connect Four, from the rule file.
fn connect_four(width: u32, height: u32) -> Session {
    let path = root().join("rules/connect4.pl");
    let text = std::fs::read_to_string(path).expect("it can be read");
    let text = text.replace("width(7).", &format!("width({width})."));
    let text = text.replace("height(6).", &format!("height({height})."));
    loaded(&text).0
}

#[test]
fn connect_four_by_ply() {
    let found = counted(&mut connect_four(4, 4), true, Limits::none()).expect("it is counted");
    let known = counted(&mut connect_four(4, 4), false, Limits::none()).expect("it is listed");
    // J. Tromp, John's Connect Four Playground.
    assert_eq!((found.states.0, known.states.0), (161_029, 161_029));
    assert_eq!((found.by_depth, found.terminal), (known.by_depth, known.terminal));
    let limits = Limits { depth: Some(8), ..Limits::none() };
    let found = counted(&mut connect_four(7, 6), true, limits).expect("it is counted");
    let by_depth: Vec<u128> = found.by_depth.iter().map(|layer| layer.0).collect();
    assert_eq!(by_depth, [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275]);
    assert_eq!((found.outcome, found.reason.as_deref()), ("stopped", Some("depth")));
}

#[test]
fn what_is_not_known_in_full_is_refused() {
    let refused = |rules: &str, why: &str| {
        let (mut session, _) = loaded(rules);
        let error = counted(&mut session, true, Limits::none()).expect_err("it is refused");
        assert!(error.contains("the states can't be counted by diagrams"), "{error}");
        assert!(error.contains(why), "{error}");
    };
    refused(
        "initial_state([]). final_state([_,_,_]). rule(a, 1, L, [a|L]) :- length(L, N), N < 4.",
        "it is not known in full what moves lead to",
    );
    let pig = root().join("rules/pig.pl");
    refused(&std::fs::read_to_string(pig).expect("it can be read"), "chance moves");
}

#[test]
fn what_is_wrong_far_away_is_an_error() {
    // Walks at random do not come so far.
    let cost = "initial_state(s(0,a)). final_state(s(200,a)).
        rule(inc,1,s(N,A),s(M,A)) :- N < 60, M is N+1.
        rule(bad,-1,s(59,A),s(59,b)) :- A = a.";
    let stuck = "initial_state(s(0)). initial_player(a). opponent(a,b). opponent(b,a).
        move(_,inc,s(N),s(M)) :- N < 60, M is N+1.
        terminal(_,s(N)) :- N > 70. utility(_,_,0).";
    for rules in [cost, stuck] {
        let run = |diagrams| {
            let (mut session, _) = loaded(rules);
            counted(&mut session, diagrams, Limits::none()).expect_err("an error in the rules")
        };
        assert!(run(false).contains("E0502"), "{}", run(false));
        assert_eq!(run(true), run(false));
    }
}
