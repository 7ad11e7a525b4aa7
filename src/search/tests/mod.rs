//! Engines against problems: every claim an engine makes is checked.

mod failures;
mod forks;
mod layers;
mod limits;
mod matrix;
mod random;
mod tiles;
mod verify;

use super::{
    Claim, Cost, Digraph, Engine, Explicit, Limits, Options, Outcome, Plain, Problem, Reachable,
    Report, Row, Successor, Team, enumerate, run,
};

/// Runs an engine without an observer on a problem that cannot fail.
fn search<P: Problem<Error = std::convert::Infallible>>(
    engine: Engine,
    problem: &mut P,
    start: &P::State,
    limits: &Limits,
) -> Report<P::State, P::Cost> {
    match run(engine, problem, start, &Options::default(), limits, None) {
        Ok(report) => report,
        Err(error) => match error.error {},
    }
}

/// As [`search`], over a space.
fn search_space<R: Row, C: Cost>(
    engine: Engine,
    mut team: Team<'_, R, C>,
    start: &R,
    limits: &Limits,
) -> Report<R, C> {
    let report = super::search(engine, &mut team, start, &Options::default(), limits, None);
    report.expect("nothing fails")
}

/// The space of a problem that cannot fail.
fn reachable<P: Problem>(
    problem: &mut P,
    start: &P::State,
    limits: &Limits,
) -> Reachable<Plain<P::State>> {
    let mut space = Explicit::new(problem);
    let found = enumerate(&mut Team::of(&mut space), &Plain(start.clone()), limits, None);
    found.expect("nothing fails")
}

/// Whether it says that no path is cheaper than the one it found; only an engine that asks a
/// heuristic says so on a condition, if it does not rule out all other paths.
fn is_cheapest<R, C: Cost>(report: &Report<R, C>) -> bool {
    let informed = report.engine.info().informed;
    let free = report.cost == Some(C::ZERO);
    let expected = if informed && !free { Claim::IfAdmissible } else { Claim::Proved };
    let excludes = report.engine == Engine::Restarting && report.claim == Claim::Proved;
    assert!(excludes || [expected, Claim::Nothing].contains(&report.claim), "{:?}", report.claim);
    report.outcome == Outcome::Solved && report.claim != Claim::Nothing
}

/// Asserts that the path of a report leads from `start` to a goal by moves of the problem,
/// and costs what it says.
fn check_path<P>(problem: &mut P, start: &P::State, report: &Report<P::State, P::Cost>)
where
    P: Problem<Error = std::convert::Infallible>,
    P::State: std::fmt::Debug,
{
    let name = report.engine.info().name;
    let Outcome::Solved = report.outcome else {
        assert!(report.path.is_empty() && report.states.is_empty(), "{name}");
        assert_eq!(report.cost, None, "{name}");
        return;
    };
    assert_eq!(report.states.len(), report.path.len() + 1, "{name}");
    assert_eq!(report.states.first(), Some(start), "{name}");
    let mut cost = P::Cost::ZERO;
    let mut out: Vec<Successor<P::Cost, P::State>> = Vec::new();
    for (step, mv) in report.states.windows(2).zip(&report.path) {
        out.clear();
        let Ok(()) = problem.successors(&step[0], &mut out);
        let taken = out.iter().filter(|s| s.mv == *mv && s.state == step[1]).map(|s| s.cost).min();
        let Some(taken) = taken else { panic!("{name}: no such move from {:?}", step[0]) };
        cost = cost.plus(taken);
    }
    let Ok(goal) = problem.is_goal(&report.states[report.path.len()]);
    assert!(goal, "{name}: the path does not end in a goal");
    assert_eq!(report.cost, Some(cost), "{name}");
}

/// The least cost and the fewest moves from `start` to a goal, by relaxation.
fn oracle(
    edges: &[(u32, u32, i64)],
    goals: &[u32],
    start: u32,
    nodes: u32,
) -> Option<(i64, usize)> {
    let costs = distances(edges, goals, nodes);
    let ones: Vec<_> = edges.iter().map(|&(from, to, _)| (from, to, 1)).collect();
    let moves = distances(&ones, goals, nodes);
    Some((costs[start as usize]?, moves[start as usize]? as usize))
}

/// The distance from every node to a nearest goal (Bellman, Ford).
fn distances(edges: &[(u32, u32, i64)], goals: &[u32], nodes: u32) -> Vec<Option<i64>> {
    let mut distance = vec![None; nodes as usize];
    for &goal in goals {
        distance[goal as usize] = Some(0);
    }
    for _ in 0..nodes {
        for &(from, to, cost) in edges {
            if let Some(rest) = distance[to as usize] {
                let known = &mut distance[from as usize];
                *known = Some(known.map_or(rest + cost, |d: i64| d.min(rest + cost)));
            }
        }
    }
    distance
}
