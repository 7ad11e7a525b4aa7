//! What searches beside each other say of each other.

use super::{CompareReport, GameRow, Optimal, PuzzleRow, Rows};
use crate::record::TermData;
use serde::Serialize;
use std::time::Duration;
use zug_domain::judge::{Compared, Comparison};
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_report::{
    Claims, CodeUse, GameSolution, Number, Outcome, Solution, StopReason, Verdict, Worth,
    round_seconds,
};
use zug_search::{Engine, Guarantee, effective_branching};
use zug_term::Record;

/// How many times more nodes a heuristic took than the best one, with the same engine.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// What a search found, unless an error ended it.
fn found<R>(row: &Compared<R>) -> Option<&R> {
    row.run.as_ref().ok()
}

fn cost(row: &Compared<Solution<Record>>) -> Option<&Number> {
    found(row)?.cost.as_ref()
}

/// What a search says of its plan.
fn verdict(row: &Compared<Solution<Record>>) -> Option<&Verdict> {
    let found = found(row)?;
    (found.outcome() == Outcome::Solved).then_some(&found.ending.verdict)
}

/// The report on searches in a puzzle.
fn judge_puzzle(file: &str, runs: &[Compared<Solution<Record>>]) -> CompareReport {
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    for group in runs.chunk_by(|a, b| a.instance == b.instance) {
        rows.extend(judge_instance(group, &mut notes));
    }
    notes.extend(errors(runs));
    CompareReport {
        file: file.to_owned(),
        factors: factors(&rows),
        rows: Rows::Puzzle(rows),
        notes,
        interrupted: is_interrupted(runs, |found| found.outcome().reason()),
    }
}

/// The report on searches.
pub fn judge(session: &Session, file: &str, found: &Comparison) -> CompareReport {
    match found {
        Comparison::Puzzle(runs) => judge_puzzle(file, runs),
        Comparison::Game(runs) => {
            judge_game(file, runs, |term| term_text(&session.machine, &session.world, term))
        }
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
struct CheapestPlan {
    cost: Number,
    /// The search that proves it, if one does.
    proof: Option<String>,
    /// Moves of the plan, if a search has found it.
    depth: Option<usize>,
}

fn best_of(group: &[Compared<Solution<Record>>]) -> Option<CheapestPlan> {
    let cheapest = group.iter().filter_map(|row| found(row)?.ending.cheapest.as_ref());
    let costs = group.iter().filter_map(cost).chain(cheapest);
    let cost = costs.min_by(|a, b| a.compare(b))?;
    let with_it = || group.iter().filter(|row| self::cost(row).is_some_and(|c| c.is_near(cost)));
    let proof = with_it()
        .filter(|row| matches!(verdict(row), Some(Verdict::Proved(_))))
        // A search without a heuristic is the plainest proof.
        .min_by_key(|row| row.heuristic.is_some())
        .map(|row| method(row.engine, row.heuristic.as_deref()));
    let depth = with_it().filter_map(|row| Some(found(row)?.moves().len())).min();
    Some(CheapestPlan { cost: cost.clone(), proof, depth })
}

/// The rows of one instance.
fn judge_instance(group: &[Compared<Solution<Record>>], notes: &mut Vec<String>) -> Vec<PuzzleRow> {
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
fn standing(row: &Compared<Solution<Record>>, best: Option<&CheapestPlan>) -> Optimal {
    let (Some(cost), Some(best)) = (cost(row), best) else { return Optimal::None };
    if !cost.is_near(&best.cost) {
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
fn misled(
    row: &Compared<Solution<Record>>,
    heuristic: &str,
    best: &CheapestPlan,
    dearer: bool,
) -> Option<String> {
    let found = found(row)?;
    let start = &row.instance;
    let guarantee = Engine::by_name(found.engine).map(|engine| engine.info().guarantee);
    let what = match (found.outcome(), &found.cost) {
        (Outcome::Solved, Some(cost)) if guarantee == Some(Guarantee::Cheapest) && dearer => {
            format!(
                "took its plan of cost {cost} on {start} for a cheapest one, and there is one of \
                 cost {}",
                best.cost
            )
        }
        (Outcome::Exhausted, _) => format!("found no plan on {start}, and there is one"),
        _ => return None,
    };
    Some(format!(
        "{} {what}; {heuristic} says too much (`zug heuristics` looks for a witness)",
        method(row.engine, Some(heuristic))
    ))
}

/// What is known of a plan, by its search or by another one.
fn claim_of(row: &Compared<Solution<Record>>, standing: &Optimal) -> Claims<TermData> {
    match (standing, found(row)) {
        (Optimal::Proved | Optimal::If(_) | Optimal::None, Some(found)) => {
            Claims::of(&found.ending.verdict, found.outcome())
        }
        (Optimal::Equal(proof), _) => {
            let by = format!("{proof} proves that no plan is cheaper");
            Claims { optimal: Some(true), optimal_by: Some(by), ..Claims::NONE }
        }
        (Optimal::No, _) => Claims { optimal: Some(false), ..Claims::NONE },
        _ => Claims::NONE,
    }
}

/// The seconds of a search but for those that making code took: all rows share the code.
fn searching(elapsed: Duration, code: Option<&CodeUse>) -> f64 {
    let making = code.map_or(Duration::ZERO, |code| code.making);
    round_seconds(elapsed.saturating_sub(making))
}

fn puzzle_row(
    row: &Compared<Solution<Record>>,
    standing: Optimal,
    best: Option<&CheapestPlan>,
) -> PuzzleRow {
    let cost = cost(row);
    let dearer = cost.zip(best).filter(|_| standing == Optimal::No);
    let excess = dearer.map(|(cost, best)| cost.minus(&best.cost));
    let run = row.run.as_ref();
    let (outcome, reason) = match run.map(Solution::outcome) {
        Ok(outcome) => (outcome.name(), outcome.reason().map(|reason| reason.to_string())),
        Err(message) => ("error", Some(message.clone())),
    };
    let stats = run.map(|run| run.stats).unwrap_or_default();
    let moves = run.ok().and_then(|run| run.path.as_ref()).map(Vec::len);
    PuzzleRow {
        claim: claim_of(row, &standing),
        standing,
        instance: row.instance.clone(),
        engine: row.engine,
        heuristic: row.heuristic.clone(),
        outcome,
        reason,
        cost: cost.cloned(),
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

/// Whether somebody cancelled the last search.
fn is_interrupted<R>(runs: &[Compared<R>], reason: impl Fn(&R) -> Option<StopReason>) -> bool {
    runs.last().and_then(found).and_then(reason) == Some(StopReason::Cancelled)
}

/// The report on searches in a game; `term` writes terms.
fn judge_game(
    file: &str,
    runs: &[Compared<GameSolution<Record>>],
    term: impl Fn(&Record) -> String,
) -> CompareReport {
    let mut notes = Vec::new();
    for group in runs.chunk_by(|a, b| a.instance == b.instance) {
        // Values that are proved must be the same.
        let exact = group.iter().filter_map(|row| {
            let found = found(row).filter(|found| found.certainty.is_exact())?;
            Some((row.engine, found.value.as_ref()?))
        });
        let exact: Vec<(&str, &Number)> = exact.collect();
        if let Some(&(engine, value)) = exact.first()
            && let Some(&(other, said)) = exact.iter().find(|(_, said)| !said.is_near(value))
        {
            notes.push(format!(
                "{engine} says {} of {}, {other} says {}, and both claim to be exact",
                value.shown(None),
                group[0].instance,
                said.shown(None)
            ));
        }
    }
    let given = runs.iter().filter_map(|row| found(row)?.certainty.given.as_deref()).next();
    notes.extend(given.map(|given| format!("values are exact if {}", given.replace('`', ""))));
    notes.extend(errors(runs));
    CompareReport {
        file: file.to_owned(),
        factors: Vec::new(),
        rows: Rows::Game(runs.iter().map(|row| game_row(row, &term)).collect()),
        notes,
        interrupted: is_interrupted(runs, |found| found.outcome.reason()),
    }
}

/// The value to the player to move, or the values to all, for people.
fn shown(found: &GameSolution<Record>, term: &impl Fn(&Record) -> String) -> Option<String> {
    if let Some(value) = &found.value {
        return Some(found.shown(value));
    }
    let values = found.values.iter();
    let values = values.map(|one| format!("{} {}", term(&one.player), found.shown(&one.value)));
    Some(values.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
}

fn game_row(row: &Compared<GameSolution<Record>>, term: &impl Fn(&Record) -> String) -> GameRow {
    let run = row.run.as_ref();
    let (outcome, reason) = match run.map(|run| run.outcome) {
        Ok(outcome) => (outcome.name(), outcome.reason().map(|reason| reason.to_string())),
        Err(message) => ("error", Some(message.clone())),
    };
    let stats = run.map(|run| run.stats).unwrap_or_default();
    let run = run.ok();
    let worths = run.into_iter().flat_map(|run| &run.values);
    let values =
        worths.map(|worth| Worth { player: term(&worth.player), value: worth.value.clone() });
    GameRow {
        instance: row.instance.clone(),
        engine: row.engine,
        player: run.map(|run| term(&run.player)),
        outcome,
        reason,
        value: run.and_then(|run| run.value.clone()),
        values: values.collect(),
        shown: run.and_then(|run| shown(run, term)),
        exact: run.is_some_and(|run| run.certainty.is_exact()),
        exact_if: run.and_then(|run| run.certainty.condition()),
        mv: run.and_then(|run| run.best.as_ref()).map(term),
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
    use crate::exit::{CommandResult, Exit};
    use num_bigint::BigInt;
    use num_rational::Ratio;
    use zug_report::Stats;
    use zug_term::{Cell, Heap};

    fn run(
        engine: Engine,
        heuristic: Option<&str>,
        instance: &str,
        found: ((Outcome, Verdict), Option<&str>, u64),
    ) -> Compared<Solution<Record>> {
        let ((outcome, verdict), cost, expanded) = found;
        let name = engine.info().name;
        let term = || Record::new(&mut Heap::new(), Cell::NIL);
        let mut found = Solution::nothing(name, heuristic.map(str::to_owned), term());
        (found.ending.outcome, found.ending.verdict) = (outcome, verdict);
        found.cost = cost.map(|cost| match cost.parse() {
            Ok(cost) => Number::exact(Ratio::<BigInt>::from_integer(cost)),
            Err(_) => Number::Float(cost.parse().expect("a number")),
        });
        found.path = Some((0..4).map(|_| term()).collect());
        found.stats = Stats { expanded, generated: expanded * 2, ..Stats::default() };
        let heuristic = found.heuristic.clone();
        Compared { engine: name, heuristic, instance: instance.to_owned(), run: Ok(found) }
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
        let excess: Vec<Option<Number>> = rows.iter().map(|row| row.excess.clone()).collect();
        let (more, one) = (Number::Float(2.5), Number::Int(1));
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
        assert_eq!(rows[1].excess, Some(Number::Int(1)));
        assert_eq!(rows[1].cost, Some(Number::exact(BigInt::from(u64::MAX).into())));
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
        assert_eq!(report.exit(), Exit::Error);
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
