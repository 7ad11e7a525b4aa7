//! What a game engine found, for people.

use super::code_use;
use super::number::{bytes, counted, grouped, rate, time};
use super::style::{Theme, paint};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use zug_prolog::builtins::GameRun;
use zug_search::StopReason;
use zug_search::game::{GameEngine, GameOutcome, GameProgress, GameStats, Proof};
use zug_tools::columns::most;

/// Moves of best play that are shown.
const LINE: usize = 20;
/// Columns for them.
const COLUMNS: usize = 72;
/// Moves that are shown of those tried in plays at random.
const ROWS: usize = 12;

/// Why `solve_game` stops where play can go round.
const ROUND: &str = "play can go round for ever, and what that is worth would decide the value";

/// What the values rest on, where two players don't simply play for what the other loses.
fn played_for(run: &GameRun) -> Option<String> {
    if run.value.is_none() && run.proof.is_none() {
        return None;
    }
    let utilities = run.utilities.as_ref()?;
    match utilities.kind {
        "general_sum" => Some("a general-sum game: each player looks after their own".to_owned()),
        "constant_sum" => {
            let sum = utilities.sum.as_deref().unwrap_or("a constant");
            Some(format!("what the two players get adds up to {sum}"))
        }
        "heuristic" if run.exact => Some(
            "values are from the heuristic at ends, read as zero-sum: what one wins the other loses"
                .to_owned(),
        ),
        _ => None,
    }
}

/// The report of an engine: verdict, best play, counts.
pub fn run(run: &GameRun, theme: &Theme) -> String {
    let title = paint(theme.strong, run.engine.info().title);
    let mut text = format!("{title}: {}\n", verdict(run, theme));
    if run.line.len() > 1 {
        let _ = writeln!(text, "  line: {}", line(&run.line));
    }
    text += &tried(run);
    if let Some(remark) = played_for(run) {
        let _ = writeln!(text, "{}: {remark}", paint(theme.dim, "note"));
    }
    if let Some(remark) = &run.remark {
        let _ = writeln!(text, "{}: {remark}", paint(theme.warning, "note"));
    }
    let counts = if run.from_base { read(&run.stats) } else { counts(&run.stats) };
    let _ = writeln!(text, "{}", paint(theme.dim, &counts));
    text + &code_use::text(run.code.as_ref(), theme)
}

/// The moves that were tried in plays at random, those tried most first.
fn tried(run: &GameRun) -> String {
    let mut rows: Vec<_> = run.tried.iter().collect();
    rows.sort_by_key(|tried| std::cmp::Reverse(tried.visits));
    let widest = rows.iter().take(ROWS).map(|tried| tried.mv.width()).max().unwrap_or(0).max(4);
    let mut text = String::new();
    if !rows.is_empty() {
        let _ = writeln!(
            text,
            "  move{:pad$}     plays       mean     win    draw    loss",
            "",
            pad = widest - 4
        );
    }
    for row in rows.iter().take(ROWS) {
        let part = |count: u64| match row.outcomes.iter().sum::<u64>() {
            0 => "-".to_owned(),
            all => format!("{:.1}%", 100.0 * count as f64 / all as f64),
        };
        let [wins, draws, losses] = row.outcomes.map(part);
        let pad = widest - row.mv.width();
        let (mv, plays, mean) = (&row.mv, grouped(row.visits), row.mean);
        let _ = writeln!(
            text,
            "  {mv}{:pad$}{plays:>10} {mean:>10.4} {wins:>7} {draws:>7} {losses:>7}",
            ""
        );
    }
    if rows.len() > ROWS {
        let _ = writeln!(text, "  … and {}", counted((rows.len() - ROWS) as u64, "move"));
    }
    text
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
        text += &certainty(run);
        // The first moves that reach the value need not be the shortest way.
        let shown = |&moves: &u32| moves > 0 && moves as usize == run.line.len();
        if let Some(moves) = run.distance.filter(|&moves| moves > 0) {
            let moves_shown = counted(u64::from(moves), "move");
            let _ = match shown(&moves) {
                true => write!(text, ", over in {moves_shown}"),
                false if value == "0" || run.line.is_empty() => Ok(()),
                false => write!(text, ", over in {moves_shown} by the quickest win"),
            };
        }
    } else if let (Some(proof), true) = (run.proof, run.values.is_empty()) {
        let proved = match proof {
            Proof::Won => "wins",
            Proof::Lost => "loses",
        };
        text = match &run.best {
            Some(best) => format!("{} plays {best} and {proved} (proved)", run.player),
            None => format!("{} {proved} (proved)", run.player),
        };
    } else if !run.values.is_empty() {
        let values = run.values.iter().map(|(player, value)| format!("{player} {value}"));
        text = format!("value {}{}", values.collect::<Vec<_>>().join(", "), certainty(run));
    }
    if let GameOutcome::Stopped(reason) = run.outcome {
        let why = match (reason, run.engine) {
            (StopReason::Cycle, GameEngine::SolveGame) => ROUND,
            _ => why(reason),
        };
        let stopped = format!("{}: {why}", paint(theme.warning, "stopped"));
        text = if text.is_empty() { stopped } else { format!("{text}; {stopped}") };
    }
    text
}

/// How well the value is known, in brackets.
fn certainty(run: &GameRun) -> String {
    if let Some(error) = run.error {
        return format!(" (within {error:.0e})");
    }
    match run.proof {
        Some(Proof::Won) => return " (a proved win)".to_owned(),
        Some(Proof::Lost) => return " (a proved loss)".to_owned(),
        None => {}
    }
    if run.ties {
        return " (exact if players make the first of moves equally good to them)".to_owned();
    }
    match (run.exact, run.depth) {
        (true, _) => " (exact)".to_owned(),
        (false, _) if run.engine.is_sampling() => {
            format!(" (the mean of {})", counted(u64::from(run.stats.iterations), "play"))
        }
        (false, Some(depth)) => format!(" (estimated at depth {depth})"),
        (false, None) => " (estimated)".to_owned(),
    }
}

/// Best play, cut where it gets long.
pub(super) fn line(moves: &[String]) -> String {
    let mut text = String::new();
    for (i, mv) in moves.iter().enumerate() {
        let next = if i == 0 { mv.clone() } else { format!(", {mv}") };
        if i >= LINE || text.chars().count() + next.chars().count() > most(COLUMNS) && i > 0 {
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
        StopReason::Depth | StopReason::Width | StopReason::Heuristic => {
            "the limit of depth is reached"
        }
        StopReason::Time => "the time is over",
        StopReason::Memory => "the limit of memory is reached",
        StopReason::Cancelled => "interrupted",
        StopReason::Cycle => "play can go round for ever; give it a depth, or take solve_game",
    }
}

/// What it took to read it.
fn read(stats: &GameStats) -> String {
    let asked = counted(stats.states, "state");
    format!("read from the base without search, {asked} asked, {}", time(stats.elapsed))
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
    let seconds = progress.elapsed.as_secs_f64().max(1e-9);
    let speed = rate(progress.nodes as f64 / seconds);
    let mut text = format!("{}, {speed} nodes/s", counted(progress.nodes, "node"));
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
