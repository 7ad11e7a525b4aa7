//! What a game engine found, for people.

use super::code_use;
use super::number::{bytes, counted, grouped, rate, time};
use super::style::{Theme, paint};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

use super::solution::{names, stopped_in, symmetries};
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_report::{
    Exactness, GameOutcome, GameSolution, GameStats, StopReason, Tried, joined, outcome_words,
};
use zug_search::game::{GameEngine, GameProgress};
use zug_term::Record;
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
fn played_for(found: &GameSolution<Record>) -> Option<String> {
    if found.value.is_none() && found.proof.is_none() {
        return None;
    }
    let utilities = found.utilities.as_ref()?;
    match utilities.kind {
        "general_sum" => Some("a general-sum game: each player looks after their own".to_owned()),
        "constant_sum" => {
            let sum = utilities.sum.as_deref().unwrap_or("a constant");
            Some(format!("what the two players get adds up to {sum}"))
        }
        "heuristic" if found.certainty.exactness == Exactness::Exact => Some(
            "values are from the heuristic at ends, read as zero-sum: what one wins the other loses"
                .to_owned(),
        ),
        _ => None,
    }
}

/// The report of an engine: verdict, best play, counts.
pub fn run(found: &GameSolution<Record>, session: &Session, theme: &Theme) -> String {
    let engine = GameEngine::by_name(found.engine);
    let title = paint(theme.strong, engine.map_or(found.engine, |engine| engine.info().title));
    let mut text = format!("{title}: {}\n", verdict(found, session, theme));
    if found.line.len() > 1 {
        let _ = writeln!(text, "  line: {}", line(&names(session, &found.line)));
    }
    text += &tried(found, session);
    if let Some(remark) = played_for(found) {
        let _ = writeln!(text, "{}: {remark}", paint(theme.dim, "note"));
    }
    if let Some(place) = &found.stopped_in {
        text += &stopped_in(place, session, theme);
    }
    if let Some(by) = found.symmetries {
        let _ = writeln!(text, "{}", paint(theme.dim, &symmetries(by)));
    }
    let counts = if found.from_base { read(&found.stats) } else { counts(&found.stats) };
    let _ = writeln!(text, "{}", paint(theme.dim, &counts));
    text + &code_use::text(found.code.as_ref(), theme)
}

/// What has to be so for an answer about a game to hold.
pub fn condition(given: &str, theme: &Theme) -> String {
    format!("{}: this holds if {given}\n", paint(theme.dim, "note"))
}

/// The moves that were tried in plays at random, those tried most first.
fn tried(found: &GameSolution<Record>, session: &Session) -> String {
    let mut rows: Vec<Tried<String>> = found
        .tried
        .iter()
        .map(|tried| tried.named(term_text(&session.machine, &session.world, &tried.mv)))
        .collect();
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

/// Values of all players, as `x 1, o -1`.
pub(super) fn values(found: &GameSolution<Record>, session: &Session) -> String {
    let values = found.values.iter().map(|worth| {
        let player = term_text(&session.machine, &session.world, &worth.player);
        format!("{player} {}", found.shown(&worth.value))
    });
    values.collect::<Vec<_>>().join(", ")
}

/// How it ended, in a clause.
fn verdict(found: &GameSolution<Record>, session: &Session, theme: &Theme) -> String {
    let mut text = claim(found, session);
    if let GameOutcome::Stopped(reason) = found.outcome {
        let why = match (reason, GameEngine::by_name(found.engine)) {
            (StopReason::Cycle, Some(GameEngine::SolveGame)) => ROUND,
            _ => why(reason),
        };
        let stopped = format!("{}: {why}", paint(theme.warning, "stopped"));
        text = if text.is_empty() { stopped } else { format!("{text}; {stopped}") };
    }
    text
}

/// The move and what it comes to, in a clause.
fn claim(found: &GameSolution<Record>, session: &Session) -> String {
    let term = |term: &Record| term_text(&session.machine, &session.world, term);
    let (player, best) = (term(&found.player), found.best.as_ref().map(term));
    let each = values(found, session);
    let certainty = certainty(found);
    if let Some(decided) = found.decided() {
        let value = match &found.value {
            _ if !each.is_empty() => format!("{each}; "),
            Some(value) => format!("value {}, ", found.shown(value)),
            None => String::new(),
        };
        let outcome = outcome_words(decided, found.distance);
        return match best {
            Some(best) => format!("{player} plays {best} and {outcome} ({value}{certainty})"),
            None => format!("{player} {outcome} ({value}{certainty})"),
        };
    }
    match (&found.value, best) {
        (Some(value), best) => {
            let shown = found.shown(value);
            let mut text = match best {
                Some(best) => format!("{player} plays {best}, value {shown}"),
                None => format!("value {shown} for {player}"),
            };
            if !each.is_empty() {
                let _ = write!(text, " ({each})");
            }
            let _ = write!(text, " ({certainty})");
            if let Some(moves) = found.distance.filter(|&moves| moves > 0) {
                let _ = write!(text, ", over in {}", counted(u64::from(moves), "move"));
            }
            text
        }
        (None, _) if !each.is_empty() => format!("value {each} ({certainty})"),
        (None, _) => String::new(),
    }
}

/// How well the value is known.
fn certainty(found: &GameSolution<Record>) -> String {
    let given = found.certainty.given.clone();
    let on = |claim: &str, given: Option<String>| match given {
        Some(given) => format!("{claim} if {given}"),
        None => claim.to_owned(),
    };
    if let Some(error) = found.error {
        return on(&format!("within {error:.0e}"), given);
    }
    if found.proof.is_some() {
        return on("proved", given);
    }
    match (found.certainty.exactness, found.depth) {
        (Exactness::FirstOfEquals, _) => {
            let ties = "players make the first of moves equally good to them".to_owned();
            on("exact", joined(Some(ties), given))
        }
        (Exactness::Exact, _) => on("exact", given),
        (Exactness::Estimated, _) if found.distance.is_some() => on("proved", given),
        (Exactness::Estimated, _) if found.sampled => {
            format!("the mean of {}", counted(u64::from(found.stats.iterations), "play"))
        }
        (Exactness::Estimated, Some(depth)) => format!("estimated at depth {depth}"),
        (Exactness::Estimated, None) => "estimated".to_owned(),
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
        StopReason::Inferences => "the limit of inferences is reached",
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
