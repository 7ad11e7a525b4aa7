//! What plays at random tried where all choose at once, for people.

use super::game::why;
use super::number::{counted, grouped};
use super::style::{Theme, paint};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use zug_usecases::solve::{TriedPlayer, TryReport};

/// Everything that was found.
pub fn text(report: &TryReport, theme: &Theme) -> String {
    let mut text = paint(theme.strong, &report.file);
    if let Some(name) = &report.instance {
        let _ = write!(text, ", instance {name}");
    }
    if let Some(state) = &report.state {
        let _ = write!(text, ", state {state}");
    }
    let names: Vec<&str> = report.players.iter().map(|own| &*own.player.text).collect();
    if !names.is_empty() {
        let _ = write!(text, ": {} choose at once", names.join(", "));
    }
    let (plays, states) = (counted(report.plays, "play"), counted(report.states as u64, "state"));
    let _ =
        writeln!(text, "\n\ndecoupled UCT: {plays}, seed {}, {states} in the tree", report.seed);
    if report.players.iter().all(|own| own.actions.is_empty()) && !report.players.is_empty() {
        let ends = report.players.iter().map(|own| format!("{} {}", own.player, own.value));
        let _ = writeln!(text, "the game is over: {}", ends.collect::<Vec<_>>().join(", "));
    } else {
        report.players.iter().for_each(|own| text += &player(own, theme));
    }
    if report.broken_off > 0 {
        let broken = counted(report.broken_off, "play");
        let _ = writeln!(text, "{broken} went round, broken off as worth 0");
    }
    if let Some(reason) = report.stopped {
        let _ = writeln!(text, "{}: {}", paint(theme.warning, "stopped"), why(reason));
    }
    text
}

fn player(own: &TriedPlayer, theme: &Theme) -> String {
    let best = own.best.as_ref().map_or("nothing", |best| &best.text);
    let mut text = format!(
        "\n{} tries {} most, is paid {:.4} on average\n",
        own.player,
        paint(theme.strong, best),
        own.value
    );
    let width = own.actions.iter().map(|row| row.action.text.width()).max().unwrap_or(0).max(6);
    let _ = writeln!(text, "  {:width$}      tries       mean   share", "action");
    for row in &own.actions {
        let pad = " ".repeat(width - row.action.text.width());
        let tries = grouped(row.visits);
        let _ = writeln!(
            text,
            "  {}{pad} {tries:>10} {:>10.4} {:>6.1}%",
            row.action,
            row.mean,
            100.0 * row.share
        );
    }
    text
}
