//! Searches beside each other: table, summary, plot.

use super::number::{bytes, counted, grouped, rate, time};
use super::plot::{Axis, Plot, Series, Shape};
use super::style::{Theme, paint};
use super::table::{Column, Table, cell};
use std::fmt::Write;
use std::time::Duration;
use zug_domain::judge::ComparisonProgress;
use zug_report::Number;
use zug_usecases::compare::{CompareReport, Factor, GameRow, Optimal, PuzzleRow, Rows};

/// How far a comparison is, on one line.
pub fn progress(standing: &ComparisonProgress<'_>) -> String {
    let with = standing.heuristic.map_or(String::new(), |name| format!(" with {name}"));
    format!(
        "{} of {}: {}{with} on {}, {}",
        standing.done + 1,
        standing.all,
        standing.engine,
        standing.instance,
        counted(standing.nodes, "node")
    )
}

/// Table, summary and notes for people.
pub fn text(report: &CompareReport, theme: &Theme) -> String {
    let text = paint(theme.strong, &format!("{}: engines compared", report.file)) + "\n\n";
    text + &table(report, theme)
}

/// The same without the file.
pub fn table(report: &CompareReport, theme: &Theme) -> String {
    people(report).text() + &below(report, theme)
}

/// What stands below the table.
pub fn below(report: &CompareReport, theme: &Theme) -> String {
    let mut text = String::new();
    if !report.factors.is_empty() {
        text += "\n";
    }
    for factor in &report.factors {
        let _ = writeln!(text, "{}", factor_text(factor));
    }
    let trusted = taken_on_trust(report);
    if !report.notes.is_empty() || !trusted.is_empty() {
        text += "\n";
    }
    for condition in trusted {
        let _ = writeln!(text, "{}: optimal if {condition}", paint(theme.warning, "on trust"));
    }
    for note in &report.notes {
        let _ = writeln!(text, "{}: {note}", paint(theme.warning, "note"));
    }
    if report.interrupted {
        let _ = writeln!(text, "\n{}: there was more to do", paint(theme.warning, "Interrupted"));
    }
    text
}

/// What has to be so for plans to be the cheapest, beside that heuristics are admissible.
fn taken_on_trust(report: &CompareReport) -> Vec<&str> {
    let Rows::Puzzle(rows) = &report.rows else { return Vec::new() };
    let mut found: Vec<&str> = Vec::new();
    for row in rows {
        if let Optimal::If(condition) = &row.standing
            && !condition.ends_with("never overestimates")
            && !found.contains(&condition.as_str())
        {
            found.push(condition);
        }
    }
    found
}

/// As Markdown, with the summary below.
pub fn markdown(report: &CompareReport) -> String {
    people(report).markdown() + &below(report, &Theme::new(false))
}

/// As comma-separated values, numbers as they are.
pub fn csv(report: &CompareReport) -> String {
    match &report.rows {
        Rows::Puzzle(rows) => Table::of(&PUZZLE_CSV, 5, rows).csv(),
        Rows::Game(rows) => Table::of(&GAME_CSV, 5, rows).csv(),
    }
}

fn factor_text(factor: &Factor) -> String {
    let Factor { engine, better, worse, .. } = factor;
    let even = factor.greatest - factor.least < 1e-9;
    let of = match factor.instances {
        n if even && n > 1 => format!("on each of the {n} instances that both solved"),
        1 => "on the one instance that both solved".to_owned(),
        n => format!(
            "in the geometric mean over {n} instances that both solved ({} to {} times)",
            times(factor.least),
            times(factor.greatest)
        ),
    };
    if (factor.mean - 1.0).abs() < 1e-9 {
        return format!("{engine}: {better} and {worse} expand equally many nodes, {of}");
    }
    format!(
        "{engine}: {better} expands {} times fewer nodes than {worse}, {of}",
        times(factor.mean)
    )
}

/// A factor to three digits or so.
fn times(factor: f64) -> String {
    if factor < 10.0 { format!("{factor:.2}") } else { rate(factor) }
}

fn people(report: &CompareReport) -> Table {
    let mut table = match &report.rows {
        Rows::Puzzle(rows) => Table { spare: PUZZLE_SPARE, ..Table::of(&PUZZLE, 5, rows) },
        Rows::Game(rows) => Table { spare: GAME_SPARE, ..Table::of(&GAME, 4, rows) },
    };
    if matches!(report.rows, Rows::Game(_)) && table.rows.iter().all(|row| row[0] == "1") {
        table.rows.iter_mut().for_each(|row| row[0].clear());
    }
    table.without_repetitions().without_empty_columns()
}

fn outcome(outcome: &str, reason: Option<&str>) -> String {
    match (outcome, reason) {
        // The error stands below the table.
        ("stopped", Some(reason)) => format!("stopped: {reason}"),
        _ => outcome.to_owned(),
    }
}

fn elapsed(seconds: f64) -> String {
    time(Duration::from_secs_f64(seconds.max(0.0)))
}

fn optimal(row: &PuzzleRow) -> String {
    match &row.standing {
        Optimal::Proved => "proved".to_owned(),
        Optimal::Equal(method) => format!("yes, as {method}"),
        // Which heuristic stands beside it.
        Optimal::If(condition) if condition.ends_with("never overestimates") => {
            "if admissible".to_owned()
        }
        // It stands below the table.
        Optimal::If(_) => "on trust".to_owned(),
        Optimal::No => {
            format!("no, +{}", row.excess.as_ref().map(Number::to_string).unwrap_or_default())
        }
        Optimal::Unknown => "?".to_owned(),
        Optimal::None => String::new(),
    }
}

/// A figure of a search that was not ended by an error.
fn known(row: &PuzzleRow, figure: String) -> String {
    if row.outcome == "error" { String::new() } else { figure }
}

/// A count that is worth showing.
fn positive(count: u64) -> String {
    cell((count > 0).then(|| grouped(count)))
}

const PUZZLE: [Column<PuzzleRow>; 14] = [
    ("instance", |row| row.instance.clone()),
    ("engine", |row| row.engine.to_owned()),
    ("heuristic", |row| cell(row.heuristic.as_ref())),
    ("outcome", |row| outcome(row.outcome, row.reason.as_deref())),
    ("optimal", optimal),
    ("cost", |row| cell(row.cost.as_ref())),
    ("moves", |row| cell(row.moves)),
    ("expanded", |row| known(row, grouped(row.expanded))),
    ("generated", |row| known(row, grouped(row.generated))),
    ("reopened", |row| positive(row.reopened)),
    ("peak open", |row| positive(row.peak_open)),
    ("time", |row| known(row, elapsed(row.elapsed_seconds))),
    ("memory", |row| known(row, bytes(row.peak_memory_bytes))),
    ("b*", |row| cell(row.branching.map(|b| format!("{b:.2}")))),
];
/// Columns of puzzles that a narrow terminal has no room for, the first to go first.
const PUZZLE_SPARE: &[&str] =
    &["peak open", "b*", "reopened", "generated", "moves", "memory", "outcome"];

const PUZZLE_CSV: [Column<PuzzleRow>; 19] = [
    ("instance", |row| row.instance.clone()),
    ("engine", |row| row.engine.to_owned()),
    ("heuristic", |row| cell(row.heuristic.as_ref())),
    ("outcome", |row| row.outcome.to_owned()),
    ("reason", |row| cell(row.reason.as_ref())),
    ("cost", |row| cell(row.cost.as_ref())),
    ("moves", |row| cell(row.moves)),
    ("optimal", |row| cell(row.claim.optimal)),
    ("optimal_by", |row| cell(row.claim.optimal_by.as_ref())),
    ("optimal_if", |row| cell(row.claim.optimal_if.as_ref())),
    ("excess", |row| cell(row.excess.as_ref())),
    ("expanded", |row| row.expanded.to_string()),
    ("generated", |row| row.generated.to_string()),
    ("reopened", |row| row.reopened.to_string()),
    ("peak_open", |row| row.peak_open.to_string()),
    ("elapsed_seconds", |row| row.elapsed_seconds.to_string()),
    ("peak_memory_bytes", |row| row.peak_memory_bytes.to_string()),
    ("branching", |row| cell(row.branching)),
    ("depth", |row| cell(row.depth)),
];

const GAME: [Column<GameRow>; 11] = [
    ("instance", |row| row.instance.clone()),
    ("engine", |row| row.engine.to_owned()),
    ("outcome", |row| outcome(row.outcome, row.reason.as_deref())),
    ("move", |row| cell(row.mv.as_ref())),
    ("value", |row| cell(row.shown.as_ref())),
    ("exact", |row| cell(row.exact.then_some("yes"))),
    ("depth", |row| cell(row.depth)),
    ("nodes", |row| grouped(row.nodes)),
    ("states asked", |row| grouped(row.states)),
    ("time", |row| elapsed(row.elapsed_seconds)),
    ("memory", |row| bytes(row.peak_memory_bytes)),
];
/// As [`PUZZLE_SPARE`], of games.
const GAME_SPARE: &[&str] = &["memory", "states asked", "depth", "nodes"];

const GAME_CSV: [Column<GameRow>; 13] = [
    ("instance", |row| row.instance.clone()),
    ("engine", |row| row.engine.to_owned()),
    ("player", |row| cell(row.player.as_ref())),
    ("outcome", |row| row.outcome.to_owned()),
    ("reason", |row| cell(row.reason.as_ref())),
    ("value", |row| cell(row.shown.as_ref())),
    ("exact", |row| row.exact.to_string()),
    ("move", |row| cell(row.mv.as_ref())),
    ("depth", |row| cell(row.depth)),
    ("nodes", |row| row.nodes.to_string()),
    ("states", |row| row.states.to_string()),
    ("elapsed_seconds", |row| row.elapsed_seconds.to_string()),
    ("peak_memory_bytes", |row| row.peak_memory_bytes.to_string()),
];

/// Nodes expanded against the depth of the solution, by engine and heuristic; `None` where
/// there is nothing to be drawn.
pub fn plot(report: &CompareReport) -> Option<Plot> {
    let Rows::Puzzle(rows) = &report.rows else { return None };
    let mut series: Vec<Series> = Vec::new();
    for row in rows.iter().filter(|row| row.outcome == "solved") {
        // Plans differ in length; the depth is that of the cheapest one.
        let Some(depth) = row.depth else { continue };
        let name = match &row.heuristic {
            Some(heuristic) => format!("{}, {heuristic}", row.engine),
            None => row.engine.to_owned(),
        };
        // A start that is a goal is expanded by nobody, and has no place on this axis.
        let point = (depth as f64, row.expanded.max(1) as f64);
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name, shape: Shape::Points, points: vec![point] }),
        }
    }
    if series.is_empty() {
        return None;
    }
    Some(Plot {
        title: format!("{}: nodes by depth of the solution", report.file),
        x: Axis::new("moves of the cheapest plan"),
        y: Axis::new("nodes expanded").log(),
        series,
    })
}
