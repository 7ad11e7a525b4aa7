//! What searches beside each other say of each other.

use super::{CompareReport, GameRow, Optimal, PuzzleRow, Rows};
use crate::usecases::claim::ClaimData;
use crate::usecases::record::seconds;
use crate::usecases::solve::JsonNumber;
use serde::Serialize;
use std::time::Duration;
use zug_domain::Number;
use zug_prolog::builtins::{CodeUse, Compared, EngineRun, GameRun, Verdict};
use zug_search::game::GameOutcome;
use zug_search::{Guarantee, Outcome, StopReason, effective_branching};

/// How many times more nodes a heuristic took than the best one, with the same engine.
#[derive(Clone, Debug, Serialize)]
pub struct Factor {
    /// The engine.
    pub engine: &'static str,
    /// The heuristic with which it expanded fewest.
    pub better: String,
    /// The other one.
    pub worse: String,
    /// The geometric mean of the quotients of their expansions.
    pub mean: f64,
    /// The least of the quotients.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
    /// Instances that both solved, over which they are taken.
    pub instances: usize,
}

/// The name of a method: `astar with manhattan`.
fn method(engine: &str, heuristic: Option<&str>) -> String {
    match heuristic {
        Some(heuristic) => format!("{engine} with {heuristic}"),
        None => engine.to_owned(),
    }
}

fn cost(row: &Compared<EngineRun>) -> Option<Number> {
    let run = row.run.as_ref().ok()?;
    run.cost.as_deref().and_then(Number::parse)
}

/// What a search says of its plan.
fn verdict(row: &Compared<EngineRun>) -> Option<&Verdict> {
    let run = row.run.as_ref().ok()?;
    (run.outcome == Some(Outcome::Solved)).then_some(&run.verdict)
}

/// Whether two costs are the same: integers exactly, sums of floats up to the order in which they
/// were made.
fn same(a: Number, b: Number) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
    match (a, b) {
        (Number::Float(_), _) | (_, Number::Float(_)) => near(a.as_f64(), b.as_f64()),
        _ => a == b,
    }
}

/// Whether two values that engines say mean the same: `0` and `0.0` do.
fn same_value(a: &str, b: &str) -> bool {
    let number = |text| Number::parse(text);
    a == b || number(a).zip(number(b)).is_some_and(|(a, b)| same(a, b))
}

fn outcome(row: &Compared<EngineRun>) -> Option<Outcome> {
    row.run.as_ref().ok()?.outcome
}

/// The report on searches in a puzzle.
pub fn judge_puzzle(file: &str, runs: &[Compared<EngineRun>]) -> CompareReport {
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    for group in runs.chunk_by(|a, b| a.instance == b.instance) {
        rows.extend(judge_instance(group, &mut notes));
    }
    notes.extend(errors(runs));
    let cancelled = Some(Outcome::Stopped(StopReason::Cancelled));
    CompareReport {
        file: file.to_owned(),
        factors: factors(&rows),
        rows: Rows::Puzzle(rows),
        notes,
        interrupted: runs.last().is_some_and(|last| outcome(last) == cancelled),
    }
}

/// The errors that ended searches, each once, with the first of the searches.
fn errors<R>(runs: &[Compared<R>]) -> Vec<String> {
    let mut found: Vec<(&str, String, u64)> = Vec::new();
    for row in runs {
        let Err(message) = &row.run else { continue };
        match found.iter_mut().find(|(known, ..)| known == message) {
            Some((_, _, others)) => *others += 1,
            None => {
                let method = method(row.engine, row.heuristic.as_deref());
                found.push((message, format!("{method} on {}", row.instance), 0));
            }
        }
    }
    let note = |(message, first, others): (&str, String, u64)| match others {
        0 => format!("{first}: {message}"),
        1 => format!("{first} and another search: {message}"),
        n => format!("{first} and {n} other searches: {message}"),
    };
    found.into_iter().map(note).collect()
}

/// The cheapest plan of an instance, as far as it is known.
struct Best {
    cost: Number,
    /// The search that proves it, if one does.
    proof: Option<String>,
    /// Moves of the plan, if a search has found it.
    depth: Option<usize>,
}

fn best_of(group: &[Compared<EngineRun>]) -> Option<Best> {
    let cheapest = group.iter().filter_map(|row| {
        let run = row.run.as_ref().ok()?;
        run.cheapest.as_deref().and_then(Number::parse)
    });
    let costs = group.iter().filter_map(cost).chain(cheapest);
    let cost = costs.min_by(|a, b| a.compare(*b))?;
    let with_it = || group.iter().filter(|row| self::cost(row).is_some_and(|c| same(c, cost)));
    let proof = with_it()
        .filter(|row| matches!(verdict(row), Some(Verdict::Proved(_))))
        // A search without a heuristic is the plainest proof.
        .min_by_key(|row| row.heuristic.is_some())
        .map(|row| method(row.engine, row.heuristic.as_deref()));
    let depth = with_it().filter_map(|row| Some(row.run.as_ref().ok()?.moves)).min();
    Some(Best { cost, proof, depth })
}

/// The rows of one instance.
fn judge_instance(group: &[Compared<EngineRun>], notes: &mut Vec<String>) -> Vec<PuzzleRow> {
    let best = best_of(group);
    let rows = group.iter().map(|row| {
        let standing = standing(row, best.as_ref());
        if let (Some(heuristic), Some(best)) = (&row.heuristic, &best) {
            notes.extend(misled(row, heuristic, best, standing == Optimal::No));
        }
        puzzle_row(row, standing, best.as_ref())
    });
    rows.collect()
}

/// How the plan of a search looks beside the best one.
fn standing(row: &Compared<EngineRun>, best: Option<&Best>) -> Optimal {
    let (Some(cost), Some(best)) = (cost(row), best) else { return Optimal::None };
    if !same(cost, best.cost) {
        return Optimal::No;
    }
    match (verdict(row), &best.proof) {
        (Some(Verdict::Proved(_)), _) => Optimal::Proved,
        (_, Some(proof)) => Optimal::Equal(proof.clone()),
        (Some(Verdict::If(condition)), None) => Optimal::If(condition.clone()),
        _ => Optimal::Unknown,
    }
}

/// Where a search went wrong by its heuristic: what it says of the heuristic.
fn misled(row: &Compared<EngineRun>, heuristic: &str, best: &Best, dearer: bool) -> Option<String> {
    let run = row.run.as_ref().ok()?;
    let start = &row.instance;
    let claimed = run.engine.info().guarantee == Guarantee::Cheapest;
    let what = match run.outcome {
        Some(Outcome::Solved) if claimed && dearer => format!(
            "took its plan of cost {} on {start} for a cheapest one, and there is one of cost {}",
            run.cost.as_deref().unwrap_or_default(),
            best.cost
        ),
        Some(Outcome::Exhausted) => format!("found no plan on {start}, and there is one"),
        _ => return None,
    };
    Some(format!(
        "{} {what}; {heuristic} says too much (`zug heuristics` looks for a witness)",
        method(row.engine, Some(heuristic))
    ))
}

/// What is known of a plan, by its search or by another one.
fn claim_of(row: &Compared<EngineRun>, standing: &Optimal) -> ClaimData {
    let run = row.run.as_ref().ok();
    let outcome = run.and_then(|run| run.outcome);
    let own = ClaimData::of(run.map_or(&Verdict::Open, |run| &run.verdict), outcome);
    let none = ClaimData::default();
    match standing {
        Optimal::Proved | Optimal::If(_) | Optimal::None => own,
        Optimal::Equal(proof) => {
            let by = format!("{proof} proves that no plan is cheaper");
            ClaimData { optimal: Some(true), optimal_by: Some(by), ..none }
        }
        Optimal::No => ClaimData { optimal: Some(false), ..none },
        Optimal::Unknown => none,
    }
}

/// The seconds of a search but for those that making code took: all rows share the code.
fn searching(elapsed: Duration, code: Option<&CodeUse>) -> f64 {
    let making = code.map_or(Duration::ZERO, |code| code.making);
    seconds(elapsed.saturating_sub(making))
}

fn puzzle_row(row: &Compared<EngineRun>, standing: Optimal, best: Option<&Best>) -> PuzzleRow {
    let cost = cost(row);
    let dearer = cost.zip(best).filter(|_| standing == Optimal::No);
    let excess = dearer.map(|(cost, best)| JsonNumber::from(cost.minus(best.cost)));
    let run = row.run.as_ref();
    let (outcome, reason) = match run.map(|run| run.outcome) {
        Ok(Some(Outcome::Solved)) => ("solved", None),
        Ok(Some(Outcome::Exhausted)) => ("exhausted", None),
        Ok(Some(Outcome::Stopped(reason))) => ("stopped", Some(reason.to_string())),
        Ok(None) => ("error", None),
        Err(message) => ("error", Some(message.clone())),
    };
    let stats = run.map(|run| run.stats).unwrap_or_default();
    let moves = run.ok().filter(|_| outcome == "solved").map(|run| run.moves);
    PuzzleRow {
        claim: claim_of(row, &standing),
        standing,
        instance: row.instance.clone(),
        engine: row.engine,
        heuristic: row.heuristic.clone(),
        outcome,
        reason,
        cost: cost.map(JsonNumber::from),
        moves,
        excess,
        expanded: stats.expanded,
        generated: stats.generated,
        reopened: stats.reopened,
        peak_open: stats.peak_open,
        elapsed_seconds: searching(stats.elapsed, run.ok().and_then(|run| run.code.as_ref())),
        peak_memory_bytes: stats.peak_memory_bytes,
        branching: moves.and_then(|moves| effective_branching(stats.generated, moves)),
        depth: best.and_then(|best| best.depth),
    }
}

/// Which heuristic was the better one with each engine, and by how much.
fn factors(rows: &[PuzzleRow]) -> Vec<Factor> {
    let mut engines: Vec<&'static str> = Vec::new();
    for row in rows.iter().filter(|row| row.heuristic.is_some()) {
        if !engines.contains(&row.engine) {
            engines.push(row.engine);
        }
    }
    engines.into_iter().flat_map(|engine| engine_factors(rows, engine)).collect()
}

fn engine_factors(rows: &[PuzzleRow], engine: &'static str) -> Vec<Factor> {
    let solved: Vec<(&str, &str, f64)> = rows
        .iter()
        .filter(|row| row.engine == engine && row.outcome == "solved")
        // A start that is a goal takes no node with any of them.
        .filter(|row| row.expanded > 0)
        .filter_map(|row| Some((row.heuristic.as_deref()?, &*row.instance, row.expanded as f64)))
        .collect();
    let mut names: Vec<&str> = Vec::new();
    for &(name, ..) in &solved {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let quotients = |over: &str, under: &str| -> Vec<f64> {
        let of = |name: &str, instance: &str| {
            solved.iter().find(|row| row.0 == name && row.1 == instance).map(|row| row.2)
        };
        let pairs = solved.iter().filter(|row| row.0 == under);
        pairs.filter_map(|row| Some(of(over, row.1)? / row.2)).collect()
    };
    let mean = |quotients: &[f64]| {
        let logs: f64 = quotients.iter().map(|quotient| quotient.ln()).sum();
        (logs / quotients.len().max(1) as f64).exp()
    };
    // The one that takes least beside the first, over what both solved.
    let first = names.first().copied().unwrap_or_default();
    let beside_first = |name: &&str| mean(&quotients(name, first));
    let best = names.iter().min_by(|a, b| beside_first(a).total_cmp(&beside_first(b)));
    let Some(&best) = best else { return Vec::new() };
    let others = names.iter().filter(|&&name| name != best);
    let factor = |&name: &&str| {
        let quotients = quotients(name, best);
        (!quotients.is_empty()).then(|| Factor {
            engine,
            better: best.to_owned(),
            worse: name.to_owned(),
            mean: mean(&quotients),
            least: quotients.iter().copied().fold(f64::INFINITY, f64::min),
            greatest: quotients.iter().copied().fold(0.0, f64::max),
            instances: quotients.len(),
        })
    };
    others.filter_map(factor).collect()
}

/// The report on searches in a game.
pub fn judge_game(file: &str, runs: &[Compared<GameRun>]) -> CompareReport {
    let mut notes = Vec::new();
    for group in runs.chunk_by(|a, b| a.instance == b.instance) {
        // Values that are proved must be the same.
        let exact = group.iter().filter_map(|row| {
            let run = row.run.as_ref().ok().filter(|run| run.exact)?;
            Some((row.engine, run.value.as_deref()?))
        });
        let exact: Vec<(&str, &str)> = exact.collect();
        if let Some(&(engine, value)) = exact.first()
            && let Some(&(other, said)) = exact.iter().find(|(_, said)| !same_value(said, value))
        {
            notes.push(format!(
                "{engine} says {value} of {}, {other} says {said}, and both claim to be exact",
                group[0].instance
            ));
        }
    }
    notes.extend(errors(runs));
    let cancelled = GameOutcome::Stopped(StopReason::Cancelled);
    let interrupted =
        runs.last().is_some_and(|last| last.run.as_ref().is_ok_and(|run| run.outcome == cancelled));
    CompareReport {
        file: file.to_owned(),
        factors: Vec::new(),
        rows: Rows::Game(runs.iter().map(game_row).collect()),
        notes,
        interrupted,
    }
}

fn game_row(row: &Compared<GameRun>) -> GameRow {
    let run = row.run.as_ref();
    let (outcome, reason) = match run.map(|run| run.outcome) {
        Ok(GameOutcome::Solved) => ("solved", None),
        Ok(GameOutcome::Stopped(reason)) => ("stopped", Some(reason.to_string())),
        Err(message) => ("error", Some(message.clone())),
    };
    let stats = run.map(|run| run.stats).unwrap_or_default();
    let run = run.ok();
    let values = |run: &GameRun| {
        let values = run.values.iter().map(|(player, value)| format!("{player} {value}"));
        Some(values.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
    };
    GameRow {
        instance: row.instance.clone(),
        engine: row.engine,
        player: run.map(|run| run.player.clone()),
        outcome,
        reason,
        value: run.and_then(|run| run.value.clone().or_else(|| values(run))),
        exact: run.is_some_and(|run| run.exact),
        mv: run.and_then(|run| run.best.clone()),
        depth: run.and_then(|run| run.depth),
        nodes: stats.nodes,
        states: stats.states,
        elapsed_seconds: searching(stats.elapsed, run.and_then(|run| run.code.as_ref())),
        peak_memory_bytes: stats.peak_memory_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_search::{Engine, Stats};

    fn run(
        engine: Engine,
        heuristic: Option<&str>,
        instance: &str,
        found: ((Outcome, Verdict), Option<&str>, u64),
    ) -> Compared<EngineRun> {
        let ((outcome, verdict), cost, expanded) = found;
        let stats = Stats { expanded, generated: expanded * 2, ..Stats::default() };
        let run = EngineRun {
            engine,
            heuristic: heuristic.map(str::to_owned),
            outcome: Some(outcome),
            cost: cost.map(str::to_owned),
            moves: 4,
            lower_bound: None,
            factor: None,
            verdict,
            given: None,
            cheapest: None,
            overestimate: None,
            unverified: None,
            remark: None,
            code: None,
            stats,
        };
        let heuristic = run.heuristic.clone();
        let engine = engine.info().name;
        Compared { engine, heuristic, instance: instance.to_owned(), run: Ok(run) }
    }

    fn some() -> (Outcome, Verdict) {
        (Outcome::Solved, Verdict::Open)
    }

    fn proved() -> (Outcome, Verdict) {
        (Outcome::Solved, Verdict::Proved("no heuristic was used".into()))
    }

    fn given() -> (Outcome, Verdict) {
        (Outcome::Solved, Verdict::If("`g` never overestimates".into()))
    }

    #[test]
    fn plans_are_judged_by_the_cheapest_of_their_instance() {
        let runs = [
            run(Engine::Ucs, None, "one", (proved(), Some("4"), 100)),
            run(Engine::Greedy, Some("h"), "one", (some(), Some("4"), 5)),
            run(Engine::Greedy, Some("g"), "one", (some(), Some("6.5"), 5)),
            run(Engine::Astar, Some("g"), "one", (given(), Some("5"), 7)),
            run(
                Engine::Idastar,
                Some("g"),
                "one",
                ((Outcome::Exhausted, Verdict::If(String::new())), None, 7),
            ),
            run(Engine::Greedy, Some("h"), "two", (some(), Some("3"), 5)),
        ];
        let report = judge_puzzle("f.pl", &runs);
        let Rows::Puzzle(rows) = &report.rows else { panic!("a puzzle") };
        let optimal: Vec<&Optimal> = rows.iter().map(|row| &row.standing).collect();
        let equal = Optimal::Equal("ucs".to_owned());
        let (no, none) = (Optimal::No, Optimal::None);
        assert_eq!(optimal, [&Optimal::Proved, &equal, &no, &no, &none, &Optimal::Unknown]);
        let known: Vec<Option<bool>> = rows.iter().map(|row| row.claim.optimal).collect();
        assert_eq!(known, [Some(true), Some(true), Some(false), Some(false), None, None]);
        let excess: Vec<Option<JsonNumber>> = rows.iter().map(|row| row.excess.clone()).collect();
        let (more, one) = (JsonNumber::Float(2.5), JsonNumber::Int(1));
        assert_eq!(excess, [None, None, Some(more), Some(one), None, None]);
        assert_eq!(report.notes.len(), 2, "{:?}", report.notes);
        assert!(report.notes[0].contains("plan of cost 5 on one") && report.notes[0].contains('4'));
        assert!(report.notes[1].starts_with("idastar with g found no plan on one"));
    }

    #[test]
    fn costs_are_compared_exactly_whatever_their_size() {
        let runs = [
            run(Engine::Ucs, None, "one", (proved(), Some("18446744073709551614"), 100)),
            run(Engine::Astar, Some("g"), "one", (given(), Some("18446744073709551615"), 7)),
            run(Engine::Astar, Some("g"), "two", (given(), Some("9007199254740993"), 7)),
        ];
        let report = judge_puzzle("f.pl", &runs);
        let Rows::Puzzle(rows) = &report.rows else { panic!("a puzzle") };
        assert_eq!((&rows[1].standing, rows[1].claim.optimal), (&Optimal::No, Some(false)));
        assert_eq!(rows[1].excess, Some(JsonNumber::Int(1)));
        assert_eq!(rows[1].cost, Some(JsonNumber::Text("18446744073709551615".into())));
        assert_eq!(rows[2].claim.optimal, None);
        assert_eq!(rows[2].claim.optimal_if.as_deref(), Some("g never overestimates"));
    }

    #[test]
    fn an_error_is_told_once() {
        let failed = |instance: &str, message: &str| Compared {
            run: Err(message.to_owned()),
            ..run(Engine::Astar, Some("h"), instance, (some(), None, 0))
        };
        let runs = [failed("one", "bad"), failed("two", "bad"), failed("two", "worse")];
        let report = judge_puzzle("f.pl", &runs);
        let notes = ["astar with h on one and another search: bad", "astar with h on two: worse"];
        assert_eq!(report.notes, notes);
        assert_eq!(report.exit_code(), 5);
    }

    #[test]
    fn factors_are_geometric_means_over_what_both_solved() {
        let runs = [
            run(Engine::Astar, Some("weak"), "one", (proved(), Some("4"), 20)),
            run(Engine::Astar, Some("strong"), "one", (proved(), Some("4"), 10)),
            run(Engine::Astar, Some("weak"), "two", (proved(), Some("4"), 80)),
            run(Engine::Astar, Some("strong"), "two", (proved(), Some("4"), 10)),
            run(Engine::Astar, Some("strong"), "three", (proved(), Some("4"), 1)),
        ];
        let report = judge_puzzle("f.pl", &runs);
        let [factor] = report.factors.as_slice() else { panic!("{:?}", report.factors) };
        assert_eq!((&*factor.better, &*factor.worse), ("strong", "weak"));
        assert!((factor.mean - 4.0).abs() < 1e-12, "{factor:?}");
        assert_eq!((factor.least, factor.greatest, factor.instances), (2.0, 8.0, 2));
    }
}
