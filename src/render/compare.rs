//! Searches beside each other: table, summary, plot.

use super::number::{bytes, counted, grouped, rate, time};
use super::plot::{Axis, Plot, Series, Shape};
use super::style::{Theme, paint};
use super::table::Table;
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
        Rows::Puzzle(rows) => puzzle_csv(rows).csv(),
        Rows::Game(rows) => game_csv(rows).csv(),
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
    match &report.rows {
        Rows::Puzzle(rows) => puzzle_table(rows),
        Rows::Game(rows) => game_table(rows),
    }
}

/// What repeats the row above is left out.
fn unless_repeated(name: &str, before: Option<&str>) -> String {
    if before == Some(name) { String::new() } else { name.to_owned() }
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

fn puzzle_table(rows: &[PuzzleRow]) -> Table {
    let mut before = None;
    let rows = rows.iter().map(|row| {
        let instance = unless_repeated(&row.instance, before);
        before = Some(&*row.instance);
        let known = |figure: String| if row.outcome == "error" { String::new() } else { figure };
        vec![
            instance,
            row.engine.to_owned(),
            row.heuristic.clone().unwrap_or_default(),
            outcome(row.outcome, row.reason.as_deref()),
            optimal(row),
            row.cost.as_ref().map(Number::to_string).unwrap_or_default(),
            row.moves.map(|moves| moves.to_string()).unwrap_or_default(),
            known(grouped(row.expanded)),
            known(grouped(row.generated)),
            if row.reopened > 0 { grouped(row.reopened) } else { String::new() },
            if row.peak_open > 0 { grouped(row.peak_open) } else { String::new() },
            known(elapsed(row.elapsed_seconds)),
            known(bytes(row.peak_memory_bytes)),
            row.branching.map(|b| format!("{b:.2}")).unwrap_or_default(),
        ]
    });
    let headings = vec![
        "instance",
        "engine",
        "heuristic",
        "outcome",
        "optimal",
        "cost",
        "moves",
        "expanded",
        "generated",
        "reopened",
        "peak open",
        "time",
        "memory",
        "b*",
    ];
    let spare = &["peak open", "b*", "reopened", "generated", "moves", "memory", "outcome"];
    Table { headings, left: 5, spare, rows: rows.collect() }.without_empty_columns()
}

fn puzzle_csv(rows: &[PuzzleRow]) -> Table {
    let rows = rows.iter().map(|row| {
        vec![
            row.instance.clone(),
            row.engine.to_owned(),
            row.heuristic.clone().unwrap_or_default(),
            row.outcome.to_owned(),
            row.reason.clone().unwrap_or_default(),
            row.cost.as_ref().map(Number::to_string).unwrap_or_default(),
            row.moves.map(|moves| moves.to_string()).unwrap_or_default(),
            row.claim.optimal.map(|optimal| optimal.to_string()).unwrap_or_default(),
            row.claim.optimal_by.clone().unwrap_or_default(),
            row.claim.optimal_if.clone().unwrap_or_default(),
            row.excess.as_ref().map(Number::to_string).unwrap_or_default(),
            row.expanded.to_string(),
            row.generated.to_string(),
            row.reopened.to_string(),
            row.peak_open.to_string(),
            row.elapsed_seconds.to_string(),
            row.peak_memory_bytes.to_string(),
            row.branching.map(|b| b.to_string()).unwrap_or_default(),
            row.depth.map(|depth| depth.to_string()).unwrap_or_default(),
        ]
    });
    let headings = vec![
        "instance",
        "engine",
        "heuristic",
        "outcome",
        "reason",
        "cost",
        "moves",
        "optimal",
        "optimal_by",
        "optimal_if",
        "excess",
        "expanded",
        "generated",
        "reopened",
        "peak_open",
        "elapsed_seconds",
        "peak_memory_bytes",
        "branching",
        "depth",
    ];
    Table { headings, left: 5, spare: &[], rows: rows.collect() }
}

fn game_table(rows: &[GameRow]) -> Table {
    let one = rows.iter().all(|row| row.instance == "1");
    let mut before = None;
    let rows = rows.iter().map(|row| {
        let instance = unless_repeated(&row.instance, before);
        before = Some(&*row.instance);
        vec![
            if one { String::new() } else { instance },
            row.engine.to_owned(),
            outcome(row.outcome, row.reason.as_deref()),
            row.mv.clone().unwrap_or_default(),
            row.shown.clone().unwrap_or_default(),
            if row.exact { "yes".to_owned() } else { String::new() },
            row.depth.map(|depth| depth.to_string()).unwrap_or_default(),
            grouped(row.nodes),
            grouped(row.states),
            elapsed(row.elapsed_seconds),
            bytes(row.peak_memory_bytes),
        ]
    });
    let headings = vec![
        "instance",
        "engine",
        "outcome",
        "move",
        "value",
        "exact",
        "depth",
        "nodes",
        "states asked",
        "time",
        "memory",
    ];
    let spare = &["memory", "states asked", "depth", "nodes"];
    Table { headings, left: 4, spare, rows: rows.collect() }.without_empty_columns()
}

fn game_csv(rows: &[GameRow]) -> Table {
    let rows = rows.iter().map(|row| {
        vec![
            row.instance.clone(),
            row.engine.to_owned(),
            row.player.clone().unwrap_or_default(),
            row.outcome.to_owned(),
            row.reason.clone().unwrap_or_default(),
            row.shown.clone().unwrap_or_default(),
            row.exact.to_string(),
            row.mv.clone().unwrap_or_default(),
            row.depth.map(|depth| depth.to_string()).unwrap_or_default(),
            row.nodes.to_string(),
            row.states.to_string(),
            row.elapsed_seconds.to_string(),
            row.peak_memory_bytes.to_string(),
        ]
    });
    let headings = vec![
        "instance",
        "engine",
        "player",
        "outcome",
        "reason",
        "value",
        "exact",
        "move",
        "depth",
        "nodes",
        "states",
        "elapsed_seconds",
        "peak_memory_bytes",
    ];
    Table { headings, left: 5, spare: &[], rows: rows.collect() }
}

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
