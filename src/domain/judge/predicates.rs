//! Comparisons and surveys as predicates: `compare/0,1,2` and `check_heuristics/0,1,2` of `judge.pl`.

use super::compare::{
    Compared, Comparison, GameMatrix, NODES, PuzzleMatrix, Start, TIME, compare, compare_games,
    named_starts, random_starts, usual_engines, usual_game_engines,
};
use super::survey::{RuleSurvey, survey};
use crate::bases;
use crate::contract::{Contract, DomainKind, Heuristic};
use crate::error::{RuleError, Violation};
use crate::game::to_cell;
use crate::journal::note_comparison;
use crate::options::OF_ENGINES;
use crate::predicates::{limit, said_by};
use crate::verify::Effort;
use zug_machine::{Fault, Machine, Outcome as Answer};
use zug_options::{Row, Table, Within, row};
use zug_prolog::builtins::{Entry, World};
use zug_report::{GameSolution, Outcome, Solution, StopReason, Verdict};
use zug_search::game::{GameEngine, Sampling};
use zug_search::options::{LIMITS, PARAMETERS, SURVEY};
use zug_search::{Engine, Estimated, Limits, Options, SurveyOptions, effective_branching};
use zug_state::Number;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// The built-ins under the predicates; all run goals.
pub const TABLE: &[Entry] =
    &[Entry::search("$compare", 2, comparison), Entry::search("$heuristics", 2, estimates)];

/// Instances that are looked at when a program has no end of them.
const MOST_STARTS: usize = 10_000;

/// The options of `compare/1,2` and `heuristics/1,2`.
#[derive(Default)]
pub(crate) struct CompareOptions {
    engines: Option<Vec<String>>,
    heuristics: Option<Vec<String>>,
    instances: Option<Vec<String>>,
    random: u64,
    survey: SurveyOptions,
    options: Options,
    limits: Limits,
}

static WHICH: [Row<CompareOptions>; 4] = [
    row!(
        names("engines", "Names", "The engines [default: those that fit]") => Some(CompareOptions.engines)
    )
    .alias("engine"),
    row!(
        names("heuristics", "Names", "The heuristics [default: all]") => Some(CompareOptions.heuristics)
    )
    .alias("heuristic"),
    row!(
        names("instances", "Names", "The instances [default: all]") => Some(CompareOptions.instances)
    )
    .alias("instance"),
    row!(
        count("random", "N", "Make so many other starts, by walks at random from the first instance")
            => CompareOptions.random
    ),
];

/// The options.
pub(crate) static OPTIONS: Table<CompareOptions, Cell> = Table(&[
    &Within(&WHICH, |asked: &mut CompareOptions| asked),
    &Within(&SURVEY, |asked: &mut CompareOptions| &mut asked.survey),
    &Within(&PARAMETERS, |asked: &mut CompareOptions| &mut asked.options),
    &Within(&LIMITS, |asked: &mut CompareOptions| &mut asked.limits),
]);

fn read(m: &mut Machine, w: &World, list: Cell) -> Result<CompareOptions, Fault> {
    let mut asked = CompareOptions::default();
    OF_ENGINES.read(m, w, list, &OPTIONS, &mut asked)?;
    Ok(asked)
}

/// An error about a name that is none.
fn unknown(m: &mut Machine, kind: &str, name: &str) -> Fault {
    let kind = Cell::atom(m.symbols.intern(kind));
    let name = Cell::atom(m.symbols.intern(name));
    let formal = m.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, name]);
    let context = m.heap.new_var();
    let ball = m.heap.new_struct(atoms::ERROR, &[formal, context]);
    m.ball(ball)
}

/// The heuristics that are asked for, or all.
fn chosen_heuristics(
    m: &mut Machine,
    contract: &Contract,
    wanted: Option<&[String]>,
) -> Result<Vec<Heuristic>, Fault> {
    let Some(wanted) = wanted else { return Ok(contract.heuristics()) };
    let mut found = Vec::new();
    for name in wanted {
        match contract.heuristic_named(&m.symbols, name) {
            Some(heuristic) => found.push(heuristic),
            None => return Err(unknown(m, "heuristic", name)),
        }
    }
    Ok(found)
}

/// The starts that are asked for, or all.
fn chosen_starts(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    wanted: Option<&[String]>,
) -> Result<Vec<Start>, Fault> {
    let all = named_starts(m, w, contract, MOST_STARTS);
    let all = all.map_err(|error| error.into_fault(m, w))?;
    let Some(wanted) = wanted else { return Ok(all) };
    let mut found = Vec::new();
    for name in wanted {
        // Names of starts are terms, in quotes where they need them.
        let same = |start: &&Start| start.name == *name || start.name.trim_matches('\'') == name;
        match all.iter().find(same) {
            Some(start) => found.push(start.clone()),
            None => return Err(unknown(m, "instance", name)),
        }
    }
    Ok(found)
}

/// `'$compare'(Options, Rows)`.
fn comparison(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let asked = read(m, w, a[0]).map_err(|fault| said_by(m, fault, "compare", 2))?;
    let base = m.roots.len();
    m.roots.push(a[1]);
    // What is known beforehand would say nothing of the engines.
    let known = bases::take(w);
    let compared = run_all(m, w, asked);
    bases::put_back(w, known);
    let rows = m.roots[base];
    m.roots.truncate(base);
    let found = compared.map_err(|fault| said_by(m, fault, "compare", 2))?;
    let cancelled = found.is_interrupted();
    let cells: Vec<Cell> = match &found {
        Comparison::Puzzle(all) => all.iter().map(|row| puzzle_row(m, row)).collect(),
        Comparison::Game(all) => all.iter().map(|row| game_row(m, row)).collect(),
    };
    // What is done is shown under an interrupted query too.
    note_comparison(w, found);
    if cancelled {
        return Err(limit(m, StopReason::Cancelled, "compare"));
    }
    let list = m.heap.list_from(&cells, Cell::NIL);
    Ok(m.unify(rows, list))
}

fn run_all(m: &mut Machine, w: &mut World, asked: CompareOptions) -> Result<Comparison, Fault> {
    let contract = Contract::of(m);
    let mut starts = chosen_starts(m, w, &contract, asked.instances.as_deref())?;
    let limits = Limits {
        nodes: asked.limits.nodes.or(Some(NODES)),
        time: asked.limits.time.or(Some(TIME)),
        ..asked.limits
    };
    if contract.kind() == DomainKind::Game {
        let Some(start) = starts.first() else { return Ok(Comparison::Game(Vec::new())) };
        let engines = match &asked.engines {
            None => usual_game_engines(m, w, &start.state.clone())
                .map_err(|error| error.into_fault(m, w))?,
            Some(names) => {
                let mut found = Vec::new();
                for name in names {
                    let engine = GameEngine::by_name(name);
                    found.push(engine.ok_or_else(|| unknown(m, "game_engine", name))?);
                }
                found
            }
        };
        let (sampling, symmetry) = (Sampling::default(), false);
        let matrix = GameMatrix { engines, starts, sampling, symmetry, limits };
        let rows = compare_games(m, w, &matrix, &mut |_| {});
        return rows.map(Comparison::Game).map_err(|error| error.into_fault(m, w));
    }
    if contract.rule.is_none() {
        let missing = Violation::Missing("rule(Name, Cost, S1, S2)");
        return Err(RuleError::new(missing, "rule/4").into_fault(m, w));
    }
    let engines = match &asked.engines {
        None => usual_engines(&contract),
        Some(names) => {
            let mut found = Vec::new();
            for name in names {
                let engine = Engine::by_name(name);
                found.push(engine.ok_or_else(|| unknown(m, "engine", name))?);
            }
            found
        }
    };
    let heuristics = chosen_heuristics(m, &contract, asked.heuristics.as_deref())?;
    if let Some(first) = starts.first().filter(|_| asked.random > 0) {
        let walks = (asked.random, asked.survey.steps, asked.survey.seed);
        let walks = random_starts(m, w, &contract, &first.state.clone(), walks);
        let walks = walks.map_err(|error| error.into_fault(m, w))?;
        starts.extend(
            walks
                .into_iter()
                .zip(1..)
                .map(|(state, number)| Start { name: format!("walk {number}"), state }),
        );
    }
    let (options, effort) = (asked.options, Effort::default());
    let matrix = PuzzleMatrix { engines, heuristics, starts, options, limits, effort };
    let rows = compare(m, w, &contract, &matrix, &mut |_| {});
    rows.map(Comparison::Puzzle).map_err(|error| error.into_fault(m, w))
}

/// An atom, or `-`.
fn name_or_dash(m: &mut Machine, name: Option<&str>) -> Cell {
    Cell::atom(m.symbols.intern(name.unwrap_or("-")))
}

/// `Name(Count)`.
fn count(m: &mut Machine, name: &str, value: u64) -> Cell {
    let value = m.heap.new_int(i64::try_from(value).unwrap_or(i64::MAX));
    wrapped(m, name, value)
}

fn wrapped(m: &mut Machine, name: &str, value: Cell) -> Cell {
    let name = m.symbols.intern(name);
    m.heap.new_struct(name, &[value])
}

fn float(m: &mut Machine, name: &str, value: f64) -> Cell {
    let value = m.heap.new_float(value);
    wrapped(m, name, value)
}

/// `stopped(Reason)`.
fn stopped(m: &mut Machine, reason: StopReason) -> Cell {
    let reason = Cell::atom(m.symbols.intern(&reason.to_string()));
    wrapped(m, "stopped", reason)
}

/// `row(Engine, Heuristic, Instance, Outcome, Cost, Figures)`.
fn row_term<R>(
    m: &mut Machine,
    row: &Compared<R>,
    outcome: Cell,
    worth: Option<Cell>,
    figures: &[Cell],
) -> Cell {
    let engine = name_or_dash(m, Some(row.engine));
    let heuristic = name_or_dash(m, row.heuristic.as_deref());
    let instance = name_or_dash(m, Some(&row.instance));
    let worth = worth.unwrap_or_else(|| name_or_dash(m, None));
    let figures = m.heap.list_from(figures, Cell::NIL);
    let name = m.symbols.intern("row");
    m.heap.new_struct(name, &[engine, heuristic, instance, outcome, worth, figures])
}

fn error_term(m: &mut Machine, message: &str) -> Cell {
    let message = m.heap.new_string(message);
    wrapped(m, "error", message)
}

fn puzzle_row(m: &mut Machine, row: &Compared<Solution<Record>>) -> Cell {
    let run = match &row.run {
        Ok(run) => run,
        Err(message) => {
            let outcome = error_term(m, message);
            return row_term(m, row, outcome, None, &[]);
        }
    };
    let solved = run.outcome() == Outcome::Solved;
    let outcome = match run.outcome().reason() {
        Some(reason) => stopped(m, reason),
        None => name_or_dash(m, Some(run.outcome().name())),
    };
    let stats = &run.stats;
    let mut figures = Vec::new();
    if solved {
        figures.push(count(m, "moves", run.moves().len() as u64));
    }
    if solved {
        let known = match &run.ending.verdict {
            Verdict::Proved(_) => Cell::atom(atoms::TRUE),
            Verdict::Refuted => Cell::atom(atoms::FALSE),
            Verdict::If(_) | Verdict::Open => name_or_dash(m, Some("unknown")),
        };
        figures.push(wrapped(m, "optimal", known));
    }
    for (name, value) in [
        ("expanded", stats.expanded),
        ("generated", stats.generated),
        ("reopened", stats.reopened),
        ("peak_open", stats.peak_open),
        ("memory", stats.peak_memory_bytes as u64),
    ] {
        figures.push(count(m, name, value));
    }
    figures.push(float(m, "time", stats.elapsed.as_secs_f64()));
    if let Some(b) = effective_branching(stats.generated, run.moves().len()).filter(|_| solved) {
        figures.push(float(m, "branching", b));
    }
    let cost = run.cost.as_ref().map(|cost| Number::of(cost).to_cell(&mut m.heap));
    row_term(m, row, outcome, cost, &figures)
}

fn game_row(m: &mut Machine, row: &Compared<GameSolution<Record>>) -> Cell {
    let run = match &row.run {
        Ok(run) => run,
        Err(message) => {
            let outcome = error_term(m, message);
            return row_term(m, row, outcome, None, &[]);
        }
    };
    let outcome = match run.outcome.reason() {
        Some(reason) => stopped(m, reason),
        None => name_or_dash(m, Some(run.outcome.name())),
    };
    let exact = Cell::atom(if run.certainty.is_exact() { atoms::TRUE } else { atoms::FALSE });
    let stats = &run.stats;
    let figures = [
        wrapped(m, "exact", exact),
        count(m, "nodes", stats.nodes),
        count(m, "states", stats.states),
        count(m, "memory", stats.peak_memory_bytes as u64),
        float(m, "time", stats.elapsed.as_secs_f64()),
    ];
    let value = run.value.as_ref().map(|value| match value {
        // A fraction with what it is about.
        zug_report::Number::Exact(fraction) if !fraction.is_integer() => {
            m.heap.new_string(&run.shown(value))
        }
        value => to_cell(m, &value.into()),
    });
    row_term(m, row, outcome, value, &figures)
}

/// `'$heuristics'(Options, Report)`: Report is a list of `Name-Facts`.
fn estimates(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let asked = read(m, w, a[0]).map_err(|fault| said_by(m, fault, "check_heuristics", 2))?;
    let base = m.roots.len();
    m.roots.push(a[1]);
    let found = survey_all(m, w, asked);
    let report = m.roots[base];
    m.roots.truncate(base);
    let (names, found) = found.map_err(|fault| said_by(m, fault, "check_heuristics", 2))?;
    if let Some(reason) = found.stopped {
        return Err(limit(m, reason, "check_heuristics"));
    }
    let mut items = Vec::new();
    for (name, one) in names.iter().zip(&found.heuristics) {
        let facts = facts(m, &found, one);
        let facts = m.heap.list_from(&facts, Cell::NIL);
        let name = Cell::atom(m.symbols.intern(name));
        items.push(m.heap.new_struct(atoms::MINUS, &[name, facts]));
    }
    let list = m.heap.list_from(&items, Cell::NIL);
    Ok(m.unify(report, list))
}

fn survey_all(
    m: &mut Machine,
    w: &mut World,
    asked: CompareOptions,
) -> Result<(Vec<String>, RuleSurvey), Fault> {
    let contract = Contract::of(m);
    let heuristics = chosen_heuristics(m, &contract, asked.heuristics.as_deref())?;
    if heuristics.is_empty() {
        let missing = Violation::Missing("heuristic(S, H)");
        return Err(RuleError::new(missing, "heuristic/2").into_fault(m, w));
    }
    let starts = chosen_starts(m, w, &contract, asked.instances.as_deref())?;
    let starts: Vec<Record> = starts.into_iter().map(|start| start.state).collect();
    let names = heuristics.iter().map(|heuristic| heuristic.name(&m.symbols)).collect();
    let all = (&contract, &heuristics[..], &starts[..], &asked.survey);
    let found = survey(m, w, all, &asked.limits, None);
    let (found, _) = found.map_err(|error| error.into_fault(m, w))?;
    Ok((names, found))
}

fn facts(
    m: &mut Machine,
    found: &RuleSurvey,
    one: &Estimated<Record, Number, Record>,
) -> Vec<Cell> {
    let good = if found.whole { "proved" } else { "not_refuted" };
    let verdict = |m: &mut Machine, name: &str, violated: bool| {
        let verdict = Cell::atom(m.symbols.intern(if violated { "violated" } else { good }));
        wrapped(m, name, verdict)
    };
    let mut facts = vec![
        verdict(m, "admissible", one.overestimated > 0),
        verdict(m, "consistent", one.inconsistent > 0),
        count(m, "states", found.states),
        count(m, "solved", found.solved),
        float(m, "mean", one.mean),
        float(m, "informed", one.informed),
    ];
    let estimate = |m: &mut Machine, value: Option<Number>| match value {
        Some(value) => value.to_cell(&mut m.heap),
        None => Cell::atom(atoms::INF),
    };
    if let Some(witness) = &one.overestimate {
        let state = witness.state.instantiate(&mut m.heap);
        let h = estimate(m, witness.estimate);
        let cost = witness.cost.to_cell(&mut m.heap);
        let plan: Vec<Cell> = witness.plan.iter().map(|mv| mv.instantiate(&mut m.heap)).collect();
        let plan = m.heap.list_from(&plan, Cell::NIL);
        let name = m.symbols.intern("overestimates");
        facts.push(m.heap.new_struct(name, &[state, h, cost, plan]));
    }
    if let Some(fall) = &one.inconsistency {
        let from = fall.from.instantiate(&mut m.heap);
        let before = estimate(m, fall.before);
        let mv = fall.mv.instantiate(&mut m.heap);
        let cost = fall.cost.to_cell(&mut m.heap);
        let to = fall.to.instantiate(&mut m.heap);
        let after = fall.after.to_cell(&mut m.heap);
        let name = m.symbols.intern("falls");
        facts.push(m.heap.new_struct(name, &[from, before, mv, cost, to, after]));
    }
    facts
}
