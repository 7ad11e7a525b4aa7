//! The steps under the library, whose names begin with `$`, can be called by anyone: with
//! arguments that the library never gives them they fail or raise an error.

use crate::support::Folder;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use zug_machine::Space;
use zug_prolog::session::{Allowance, Session};

/// Arguments that are in the place of others.
const ODD: &[&str] = &[
    "_",
    "5",
    "-1",
    "foo",
    "[a|_]",
    "1180591620717411303424",
    "0",
    "[]",
    "f(x)",
    "user",
    "[b,1]",
    "\"text\"",
    "1.5",
    "100000000",
    "foo/2",
    "(a:-b)",
    "[f(X)-Y,Y]",
    "true",
    "passed(true)",
];
/// Of these, how many are given for all arguments at once.
const ALIKE: usize = 6;
/// Calls of each predicate with arguments drawn at random.
const MIXED: usize = 4;
/// Predicates called in one session.
const TOGETHER: usize = 16;

fn session(root: &std::path::Path) -> Session {
    let (mut session, _) = zug_tools::language::captured("a. b.");
    session.sandbox(root);
    session.load_text(
        "rules",
        ":- table p/1, best(_, max). p(1). p(2). best(a, 1). :- dynamic d/1. d(1).",
    );
    session
}

fn ask(session: &mut Session, goal: &str) {
    session.allow(&Allowance {
        inferences: Some(2_000),
        time: Some(Duration::from_millis(20)),
        memory: Some(64 << 20),
        output: Some(10_000),
    });
    let Ok(mut query) = session.query(goal) else { return };
    if matches!(session.next(&mut query), Ok(true)) && session.has_more(&query) {
        let _ = session.next(&mut query);
    }
    session.close(query);
    let _ = session.world.streams.end_query();
}

#[test]
fn inner_predicates_bear_any_arguments() {
    let root = Folder::new("odd");
    let first = session(&root);
    let names: Vec<(String, usize)> = first
        .machine
        .program
        .preds
        .iter()
        .filter(|pred| pred.space == Space::System)
        .map(|pred| (first.machine.symbols.name(pred.name).to_owned(), pred.arity))
        .filter(|(name, arity)| name.starts_with('$') && *arity > 0)
        .collect();
    assert!(names.len() > 100);
    drop(first);
    let mut seed = 1_u64;
    let mut draw = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ODD[(seed >> 33) as usize % ODD.len()]
    };
    let mut wrong = Vec::new();
    let mut asked = session(&root);
    for (i, (name, arity)) in names.into_iter().enumerate() {
        let mut calls: Vec<Vec<&str>> = ODD[..ALIKE].iter().map(|odd| vec![*odd; arity]).collect();
        if arity > 1 {
            calls.extend((0..MIXED).map(|_| (0..arity).map(|_| draw()).collect()));
        }
        if i % TOGETHER == 0 {
            asked = session(&root);
        }
        let goals = calls.iter().map(|call| format!("p(_), '{name}'({})", call.join(", ")));
        for goal in goals.chain(["p(X), best(a, Y), d(Z)".to_owned()]) {
            let done = catch_unwind(AssertUnwindSafe(|| {
                ask(&mut asked, &goal);
            }));
            if done.is_err() {
                wrong.push(goal);
                asked = session(&root);
            }
        }
    }
    assert!(wrong.is_empty(), "these panic:\n{}", wrong.join("\n"));
}
