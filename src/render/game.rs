//! What a game engine found, for people.

use super::code_use;
use super::number::{bytes, counted, grouped, rate, time};
use super::style::{Theme, paint};
use crate::builtins::GameRun;
use crate::search::StopReason;
use crate::search::game::{GameOutcome, GameProgress, GameStats};
use std::fmt::Write;

/// Moves of best play that are shown.
const LINE: usize = 20;
/// Columns for them.
const COLUMNS: usize = 72;

/// The report of an engine: verdict, best play, counts.
pub fn run(run: &GameRun, theme: &Theme) -> String {
    let title = paint(theme.strong, run.engine.info().title);
    let mut text = format!("{title}: {}\n", verdict(run, theme));
    if run.line.len() > 1 {
        let _ = writeln!(text, "  line: {}", line(&run.line));
    }
    if let Some(remark) = &run.remark {
        let _ = writeln!(text, "{}: {remark}", paint(theme.warning, "note"));
    }
    let _ = writeln!(text, "{}", paint(theme.dim, &counts(&run.stats)));
    text + &code_use::text(run.code.as_ref(), theme)
}

/// How it ended, in a clause.
fn verdict(run: &GameRun, theme: &Theme) -> String {
    let mut text = String::new();
    if let Some(value) = &run.value {
        text = match &run.best {
            Some(best) => format!("{} plays {best}, value {value}", run.player),
            None => format!("value {value} for {}", run.player),
        };
        if !run.values.is_empty() {
            let values = run.values.iter().map(|(player, value)| format!("{player} {value}"));
            let _ = write!(text, " ({})", values.collect::<Vec<_>>().join(", "));
        }
        text += &match (run.exact, run.depth) {
            (true, _) => " (exact)".to_owned(),
            (false, Some(depth)) => format!(" (estimated at depth {depth})"),
            (false, None) => " (estimated)".to_owned(),
        };
        // The first moves that reach the value need not be the shortest way.
        let shown = |&moves: &u32| moves > 0 && moves as usize == run.line.len();
        if let Some(moves) = run.distance.filter(shown) {
            let _ = write!(text, ", over in {}", counted(u64::from(moves), "move"));
        }
    }
    if let GameOutcome::Stopped(reason) = run.outcome {
        let stopped = format!("{}: {}", paint(theme.warning, "stopped"), why(reason));
        text = if text.is_empty() { stopped } else { format!("{text}; {stopped}") };
    }
    text
}

/// Best play, cut where it gets long.
pub(super) fn line(moves: &[String]) -> String {
    let mut text = String::new();
    for (i, mv) in moves.iter().enumerate() {
        let next = if i == 0 { mv.clone() } else { format!(", {mv}") };
        if i >= LINE || text.chars().count() + next.chars().count() > COLUMNS && i > 0 {
            let _ = write!(text, ", … ({})", counted(moves.len() as u64, "move"));
            break;
        }
        text += &next;
    }
    text
}

/// Why a search stopped, in a clause.
pub fn why(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Nodes => "the limit of nodes is reached",
        StopReason::Depth | StopReason::Width => "the limit of depth is reached",
        StopReason::Time => "the time is over",
        StopReason::Memory => "the limit of memory is reached",
        StopReason::Cancelled => "interrupted",
        StopReason::Cycle => "play can go round for ever; give it a depth, or take solve_game",
    }
}

fn counts(stats: &GameStats) -> String {
    let mut text = counted(stats.nodes, "node");
    let _ = write!(text, ", {} asked", counted(stats.states, "state"));
    if stats.table_hits > 0 {
        let _ = write!(text, ", {} from the table", grouped(stats.table_hits));
    }
    let _ = write!(text, ", {}", time(stats.elapsed));
    if stats.elapsed.as_millis() > 0 {
        let _ = write!(text, ", {} nodes/s", rate(stats.nodes_per_second()));
    }
    let _ = write!(text, ", {}", bytes(stats.peak_memory_bytes));
    text
}

/// How far a search is, on one line.
pub fn progress(progress: &GameProgress) -> String {
    let mut text = counted(progress.nodes, "node");
    if let Some(depth) = progress.depth {
        let _ = write!(text, ", depth {depth}");
    }
    let _ = write!(
        text,
        ", {}, {}, {}",
        counted(progress.states, "state"),
        bytes(progress.memory_bytes),
        time(progress.elapsed)
    );
    text
}
