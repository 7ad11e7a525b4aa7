//! What a training came to, for people: figures, learning curve, policy.

use super::number::{counted, grouped};
use super::plot::{Axis, Plot, Series, Shape};
use super::style::{Theme, paint};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use zug_domain::game::training::CurvePoint;
use zug_search::game::learn::OutcomeCounts;
use zug_usecases::train::{CurveRecord, PolicyRow, TrainReport};

/// States of a policy that are shown.
const STATES: usize = 24;
/// Moves of a state that are shown.
const MOVES: usize = 4;
/// Columns for a state.
const WIDEST: usize = 40;

/// How far a training is, on one line.
pub fn progress(games: u64, goal: u64, curve: &[CurvePoint], baseline: &str) -> String {
    let mut text = format!("{} of {}", grouped(games), counted(goal, "game"));
    if let Some(last) = curve.last() {
        let won = percent(last.tally.wins, last.tally.games());
        let _ = write!(text, ", {won} won against {baseline}");
    }
    text
}

fn percent(part: u64, of: u64) -> String {
    format!("{:.0}%", 100.0 * part as f64 / of.max(1) as f64)
}

/// How the game between two tallies ended, for who played against the learner.
pub fn result(before: OutcomeCounts, now: OutcomeCounts) -> &'static str {
    match () {
        () if now.wins > before.wins => "Over: the learner wins.\n",
        () if now.losses > before.losses => "Over: you win.\n",
        () if now.draws > before.draws => "Over: a draw.\n",
        () => "",
    }
}

/// The report.
pub fn report(report: &TrainReport, theme: &Theme) -> String {
    let title = paint(theme.strong, &report.file);
    let TrainReport { method, against, seed, .. } = report;
    let mut text = format!("{title}: {method} against {against}, seed {seed}\n");
    text += &figures(report);
    if report.curve.len() > 1 {
        text += "\n";
        text += &plot(report).text();
    }
    text += "\n";
    text + &policy(report, theme)
}

fn figures(report: &TrainReport) -> String {
    let mut text = format!("{} learned from", counted(report.games, "game"));
    if report.before > 0 {
        let _ = write!(text, ", {} of them before", grouped(report.before));
    }
    let who = if report.against == "self" { "for who begins" } else { "for the learner" };
    let losses = if report.losses == 1 { "loss" } else { "losses" };
    let _ = writeln!(
        text,
        ": {}, {}, {} {losses} {who}",
        counted(report.wins, "win"),
        counted(report.draws, "draw"),
        grouped(report.losses),
    );
    if let Some(reason) = report.stopped {
        let _ = writeln!(text, "stopped: {}", super::game::why(reason));
    }
    if let Some(last) = report.curve.last() {
        let games = last.wins + last.draws + last.losses;
        let _ = writeln!(
            text,
            "its likeliest moves against {}: {} won, {} drawn, {} lost of {}",
            report.baseline,
            last.wins,
            last.draws,
            last.losses,
            counted(games, "game")
        );
    }
    if let Some(share) = &report.optimal {
        let of = |right: u64, all: u64| format!("{} of {}", grouped(right), grouped(all));
        let _ = writeln!(
            text,
            "optimal in {} states met where the choice matters ({}), in {} of all such, \
             in {} states in all",
            of(share.right_met, share.met),
            percent(share.right_met, share.met),
            of(share.right_choices, share.choices),
            of(share.right, share.states)
        );
    }
    if let Some(given) = &report.optimal_if {
        let _ = writeln!(text, "note: these moves are optimal if {given}");
    }
    text
}

/// The learning curve: games won and, where there are draws, games not lost.
pub fn plot(report: &TrainReport) -> Plot {
    let curve = |name: &str, part: &dyn Fn(&CurveRecord) -> u64| {
        let points = report.curve.iter().map(|point| {
            let games = point.wins + point.draws + point.losses;
            (point.games as f64, part(point) as f64 / games.max(1) as f64)
        });
        let name = format!("{name} against {}", report.baseline);
        Series { name, shape: Shape::Line, points: points.collect() }
    };
    let mut series = vec![curve("won", &|point| point.wins)];
    if report.curve.iter().any(|point| point.draws > 0) {
        series.push(curve("won or drawn", &|point| point.wins + point.draws));
    }
    Plot {
        title: format!("{}: {} against {}", report.file, report.method, report.against),
        x: Axis::new("games learned from"),
        y: Axis::new("evaluation games").shares(),
        series,
    }
}

fn policy(report: &TrainReport, theme: &Theme) -> String {
    let numbers = if report.beads { "beads" } else { "worth" };
    let heading = format!("state: moves, the likeliest first, with their {numbers} and how likely");
    let mut text = format!("{}\n", paint(theme.dim, &heading));
    let shown: Vec<(String, &PolicyRow)> =
        report.policy.iter().take(STATES).map(|row| (label(row), row)).collect();
    let width = shown.iter().map(|(label, _)| label.width()).max().unwrap_or(0);
    for (label, row) in &shown {
        let pad = width - label.width();
        let _ = writeln!(text, "{:pad$}{label}: {}", "", moves(row, report.beads));
    }
    if report.policy.len() > STATES {
        let hidden = counted((report.policy.len() - STATES) as u64, "more state");
        let _ = writeln!(text, "{}", paint(theme.dim, &format!("… and {hidden}")));
    }
    text
}

fn label(row: &PolicyRow) -> String {
    let mut state: String = row.state.text.chars().take(WIDEST).collect();
    if state.len() < row.state.text.len() {
        state.push('…');
    }
    match &row.player {
        Some(player) => format!("{state}, {player}"),
        None => state,
    }
}

fn moves(row: &PolicyRow, beads: bool) -> String {
    let mut moves: Vec<_> = row.moves.iter().collect();
    moves.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    let shown = moves.iter().take(MOVES).map(|known| {
        let likely = format!("{:.0}%", 100.0 * known.probability);
        match beads {
            true => format!("{} {} ({likely})", known.mv, grouped(known.worth as u64)),
            false => format!("{} {:.2} ({likely})", known.mv, known.worth),
        }
    });
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if moves.len() > MOVES {
        let _ = write!(text, ", … ({})", counted(moves.len() as u64, "move"));
    }
    text
}
