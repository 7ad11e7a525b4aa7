//! Searches that end because the rules show that there is no plan.

use crate::{Contract, Heuristic, Task, find, instances};
use std::fmt::Write;
use zug_prolog::session::Session;
use zug_report::{Outcome, Solution, StopReason, Verdict};
use zug_search::{Engine, Limits, Options};
use zug_term::Record;

/// What a tile of a board does that slides into the empty place.
pub(super) fn board(width: usize, height: usize, goal: &str) -> String {
    let row = |at: usize, there: usize, [one, other]: [&str; 2]| {
        let name = |leaf| match leaf {
            leaf if leaf == at => one.to_owned(),
            leaf if leaf == there => other.to_owned(),
            leaf => format!("T{leaf}"),
        };
        (0..width * height).map(name).collect::<Vec<_>>().join(",")
    };
    let mut rules = format!("final_state({goal}).\nheuristic(_, 0).\n");
    for at in 0..width * height {
        let right = (at % width + 1 < width).then_some(at + 1);
        let below = (at + width < width * height).then_some(at + width);
        for there in [right, below].into_iter().flatten() {
            for [one, other] in [["b", "X"], ["X", "b"]] {
                let (from, to) = (row(at, there, [one, other]), row(at, there, [other, one]));
                let _ = writeln!(rules, "rule(slide, 1, [{from}], [{to}]).");
            }
        }
    }
    rules
}

/// What a search from a start comes to, with so many states at most.
pub(super) fn solved(
    rules: &str,
    start: &str,
    by: (Engine, Option<Heuristic>),
    limits: (bool, u64),
) -> Solution<Record> {
    solved_in_turn(rules, start, &[by], limits).remove(0)
}

/// The same of several searches in one session.
pub(super) fn solved_in_turn(
    rules: &str,
    start: &str,
    searches: &[(Engine, Option<Heuristic>)],
    (by_itself, nodes): (bool, u64),
) -> Vec<Solution<Record>> {
    let (mut session, _) = crate::language::captured("");
    session.load_text("rules.pl", &format!("{rules} initial_state({start})."));
    let session: &mut Session = &mut session;
    let contract = Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    let start = instances(m, w, &contract, 1).expect("no error").remove(0).state;
    let limits = Limits { nodes: Some(nodes), ..Limits::none() };
    let mut search = |&(engine, heuristic): &(Engine, Option<Heuristic>)| {
        let options = Options::default();
        let task = Task { engine, heuristic, options, by_itself, limits: limits.clone() };
        find(m, w, &contract, &task, &start, None).expect("no error")
    };
    searches.iter().map(&mut search).collect()
}

/// Orders of five tiles and a blank: the one is searched, the other proved.
#[test]
fn a_proof_says_what_searching_all_says() {
    let rules = board(3, 2, "[1,2,3,4,5,b]");
    let mut unsolvable = 0;
    for start in [
        "[1,2,3,4,b,5]",
        "[1,2,3,5,4,b]",
        "[b,1,2,3,4,5]",
        "[5,4,3,2,1,b]",
        "[b,5,4,3,2,1]",
        "[2,1,4,3,5,b]",
        "[2,1,4,3,b,5]",
        "[3,1,2,b,5,4]",
        "[1,b,2,3,5,4]",
        "[4,2,b,1,5,3]",
    ] {
        let searched = solved(&rules, start, (Engine::Ucs, None), (false, 1000));
        let heuristics = [
            (Engine::Astar, Heuristic::Derived),
            (Engine::Idastar, Heuristic::PlainWithDerived),
            (Engine::Greedy, Heuristic::Derived),
        ];
        for (engine, heuristic) in heuristics {
            let found = solved(&rules, start, (engine, Some(heuristic)), (false, 1000));
            assert_eq!(found.outcome(), searched.outcome(), "{start}");
            let is_proved = found.outcome() == Outcome::Exhausted;
            assert_eq!(found.no_plan.is_some(), is_proved, "{start}");
            if is_proved {
                let why = "the parity of the permutation of 1, 2, 3, 4, 5 and of the place of b is another \
                    one in the final state, and no move changes it";
                assert_eq!(found.ending.verdict, Verdict::Proved(why.to_owned()));
                assert_eq!(found.stats.expanded, 0);
                unsolvable += 1;
            }
        }
        assert_eq!(searched.no_plan, None);
    }
    assert!((9..=21).contains(&unsolvable), "{unsolvable}");
}

#[test]
fn values_that_are_alike_have_no_parity() {
    let rules = board(3, 2, "[1,2,3,4,4,b]");
    for start in ["[1,2,3,4,b,4]", "[2,1,3,4,4,b]"] {
        let found = solved(&rules, start, (Engine::Astar, Some(Heuristic::Derived)), (false, 1000));
        assert_eq!((found.outcome(), found.no_plan), (Outcome::Solved, None), "{start}");
    }
    let found =
        solved(&rules, "[1,2,3,3,4,b]", (Engine::Astar, Some(Heuristic::Derived)), (false, 1000));
    let why = "no final state has what this state has in places where moves, which only move it about, \
               can bring it";
    assert_eq!(found.no_plan.as_deref(), Some(why));
}

#[test]
fn a_search_that_goes_on_for_long_looks_for_a_proof() {
    let rules = board(3, 3, "[1,2,3,4,5,6,7,8,b]");
    let start = "[2,1,3,4,5,6,7,8,b]";
    let most = 70_000;
    for heuristic in [Heuristic::Plain, Heuristic::DerivedInTime] {
        let with = (Engine::Astar, Some(heuristic));
        let found = solved(&rules, start, with, (true, most));
        assert_eq!(found.outcome(), Outcome::Exhausted);
        assert!(matches!(&found.ending.verdict, Verdict::Proved(why) if why.contains("parity")));
        assert_eq!((found.stats.expanded, found.stats.dead_ends), (1 << 16, 0));
    }
    // An engine that was asked for by name goes on.
    let found = solved(&rules, start, (Engine::Astar, Some(Heuristic::Plain)), (false, most));
    assert_eq!((found.outcome(), found.no_plan), (Outcome::Stopped(StopReason::Nodes), None));
}
