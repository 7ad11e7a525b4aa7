//! What a search found, for people and for programs.

use super::number::{bytes, counted, grouped, rate, time};
use super::style::{Theme, paint};
use crate::search::{EngineInfo, Outcome, Overestimate, Progress, Stats, StopReason};
use serde::Serialize;
use std::fmt::{self, Write};

/// Columns for the moves of a plan.
const COLUMNS: usize = 72;
/// Moves in a row of a long plan.
const ROW: usize = 10;
/// Characters of a move beyond which each stands on its own line.
const SHORT_MOVE: usize = 14;

/// A cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Amount {
    /// A whole number.
    Int(i64),
    /// Any other.
    Float(f64),
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Int(n) => write!(f, "{n}"),
            Amount::Float(x) => write!(f, "{x}"),
        }
    }
}

/// A search for one instance of a puzzle, with everything turned to text.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The rule file.
    pub file: String,
    /// The engine.
    pub engine: &'static EngineInfo,
    /// The heuristic, if it has a name.
    pub heuristic: Option<String>,
    /// The instance, if it has a name.
    pub instance: Option<String>,
    /// The start, as `print_state/1` draws it.
    pub board: Option<String>,
    /// How the search ended.
    pub outcome: Outcome,
    /// The cost of the plan.
    pub cost: Option<Amount>,
    /// The names of its moves.
    pub path: Vec<String>,
    /// No plan is cheaper.
    pub lower_bound: Option<Amount>,
    /// The plan costs at most this many times the least.
    pub factor: Option<f64>,
    /// Where the heuristic was seen to promise less than is true.
    pub overestimate: Option<Overestimate<Amount>>,
    /// The counts.
    pub stats: Stats,
}

/// The object that `--format json` prints; its fields are documented in `docs/cli.md`.
#[derive(Serialize)]
struct Json<'s> {
    file: &'s str,
    engine: &'s str,
    heuristic: Option<&'s str>,
    instance: Option<&'s str>,
    outcome: &'static str,
    reason: Option<String>,
    optimal: bool,
    cost: Option<Amount>,
    moves: Option<usize>,
    path: Option<&'s [String]>,
    lower_bound: Option<Amount>,
    stats: JsonStats,
}

/// The counts in JSON.
#[derive(Serialize)]
pub(super) struct JsonStats {
    expanded: u64,
    generated: u64,
    evaluated: u64,
    reopened: u64,
    peak_open: u64,
    max_depth: u32,
    iterations: u32,
    elapsed_ms: f64,
    nodes_per_second: f64,
    peak_memory_bytes: usize,
}

impl JsonStats {
    pub(super) fn new(stats: &Stats) -> JsonStats {
        let round = |x: f64| (x * 1000.0).round() / 1000.0;
        JsonStats {
            expanded: stats.expanded,
            generated: stats.generated,
            evaluated: stats.evaluated,
            reopened: stats.reopened,
            peak_open: stats.peak_open,
            max_depth: stats.max_depth,
            iterations: stats.iterations,
            elapsed_ms: round(stats.elapsed.as_secs_f64() * 1000.0),
            nodes_per_second: stats.nodes_per_second().round(),
            peak_memory_bytes: stats.peak_memory_bytes,
        }
    }
}

impl Solution {
    fn optimal(&self) -> bool {
        matches!(self.outcome, Outcome::Solved { optimal: true })
    }

    fn solved(&self) -> bool {
        matches!(self.outcome, Outcome::Solved { .. })
    }

    /// One line of JSON, without its end.
    pub fn json(&self) -> String {
        let json = Json {
            file: &self.file,
            engine: self.engine.name,
            heuristic: self.heuristic.as_deref(),
            instance: self.instance.as_deref(),
            outcome: match self.outcome {
                Outcome::Solved { .. } => "solved",
                Outcome::Exhausted => "exhausted",
                Outcome::Stopped(_) => "stopped",
            },
            reason: match self.outcome {
                Outcome::Stopped(reason) => Some(reason.to_string()),
                _ => None,
            },
            optimal: self.optimal(),
            cost: self.cost,
            moves: self.solved().then_some(self.path.len()),
            path: self.solved().then_some(&self.path),
            lower_bound: self.lower_bound,
            stats: JsonStats::new(&self.stats),
        };
        // Only maps with other keys than strings can fail.
        serde_json::to_string(&json).unwrap_or_default()
    }

    /// The report for people: the start, the plan, its cost, the counts.
    pub fn text(&self, theme: &Theme) -> String {
        let mut text = self.heading(theme);
        if let Some(board) = &self.board {
            let _ = write!(text, "\n{}\n\n", board.trim_end_matches('\n'));
        }
        text += &self.result(theme);
        text
    }

    /// The report without the start: what stands under an answer.
    pub fn result(&self, theme: &Theme) -> String {
        let mut text = self.verdict(theme);
        if self.solved() {
            text += &plan(&self.path);
        }
        text += &self.notes(theme);
        let _ = writeln!(text, "{}", paint(theme.dim, &counts(&self.stats)));
        text
    }

    fn heading(&self, theme: &Theme) -> String {
        let mut title = self.file.clone();
        if let Some(instance) = &self.instance {
            let _ = write!(title, ", {instance}");
        }
        let _ = write!(title, ": {}", self.engine.name);
        if let Some(heuristic) = &self.heuristic {
            let _ = write!(title, " with {heuristic}");
        }
        paint(theme.strong, &title) + "\n"
    }

    fn verdict(&self, theme: &Theme) -> String {
        let said = match self.outcome {
            Outcome::Solved { optimal } => {
                let moves = counted(self.path.len() as u64, "move");
                let cost = self.cost.map_or(String::new(), |cost| format!(", cost {cost}"));
                let verdict = paint(theme.good, "Solved");
                let quality = self.quality(optimal);
                let end = if self.path.is_empty() { "." } else { ":" };
                format!("{verdict} in {moves}{cost}{quality}{end}")
            }
            Outcome::Exhausted => format!(
                "{}: no final state can be reached from here; all {} were tried.",
                paint(theme.error, "No solution"),
                counted(self.stats.expanded, "state"),
            ),
            Outcome::Stopped(reason) => {
                format!("{}: {}.", paint(theme.warning, "Stopped"), why(reason))
            }
        };
        said + "\n"
    }

    fn quality(&self, optimal: bool) -> String {
        if optimal {
            return " (optimal)".to_owned();
        }
        match self.factor {
            Some(factor) => format!(" (at most {factor:.2} times the optimum)"),
            None => " (perhaps not optimal)".to_owned(),
        }
    }

    fn notes(&self, theme: &Theme) -> String {
        let mut text = String::new();
        if let (Outcome::Stopped(_), Some(bound)) = (self.outcome, self.lower_bound)
            && bound != Amount::Int(0)
        {
            let _ = writeln!(text, "No plan costs less than {bound}.");
        }
        if let Some(found) = &self.overestimate {
            let _ = writeln!(
                text,
                "{}: the heuristic overestimates: after move {} it says {}, but {} is enough; \
                 the plan may not be the cheapest",
                paint(theme.warning, "note"),
                found.step,
                found.estimate,
                found.actual,
            );
        }
        text
    }
}

/// Why a search stopped, in a clause.
fn why(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Nodes => "the limit of nodes is reached, whether there is a solution is open",
        StopReason::Depth => {
            "there is no solution within the limit of depth, deeper ones were not looked for"
        }
        StopReason::Time => "the time is over, whether there is a solution is open",
        StopReason::Memory => "the limit of memory is reached, whether there is a solution is open",
        StopReason::Cancelled => "interrupted, whether there is a solution is open",
        StopReason::Width => "the beam ran empty; a wider one may find a solution (--width)",
    }
}

/// The moves: on one line, in rows of ten, or one a line, as they fit.
fn plan(path: &[String]) -> String {
    if path.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    let width: usize = path.iter().map(|name| name.chars().count() + 2).sum();
    let longest = path.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let digits = path.len().to_string().len();
    if width <= COLUMNS {
        let _ = writeln!(text, "  {}", path.join(", "));
    } else if longest <= SHORT_MOVE {
        let row = (COLUMNS / (longest + 2)).clamp(1, ROW);
        for (i, moves) in path.chunks(row).enumerate() {
            let comma = if (i + 1) * row < path.len() { "," } else { "" };
            let _ = writeln!(text, "  {:>digits$}. {}{comma}", i * row + 1, moves.join(", "));
        }
    } else {
        for (i, name) in path.iter().enumerate() {
            let _ = writeln!(text, "  {:>digits$}. {name}", i + 1);
        }
    }
    text
}

/// The counts of a search on one line.
pub fn counts(stats: &Stats) -> String {
    let mut text = format!(
        "expanded {}, generated {}",
        grouped(stats.expanded),
        grouped(stats.generated)
    );
    if stats.reopened > 0 {
        let _ = write!(text, ", reopened {}", grouped(stats.reopened));
    }
    if stats.iterations > 1 {
        let _ = write!(text, ", iterations {}", stats.iterations);
    }
    let _ = write!(text, "; {}", time(stats.elapsed));
    if stats.expanded > 0 && !stats.elapsed.is_zero() {
        let _ = write!(text, ", {} nodes/s", rate(stats.nodes_per_second()));
    }
    if stats.peak_memory_bytes > 0 {
        let _ = write!(text, ", {}", bytes(stats.peak_memory_bytes));
    }
    text
}

/// The progress of a search on one line.
pub fn progress(progress: &Progress) -> String {
    let seconds = progress.elapsed.as_secs_f64().max(1e-9);
    let mut text = format!(
        "{}, {} nodes/s",
        counted(progress.expanded, "node"),
        rate(progress.expanded as f64 / seconds)
    );
    if let Some(bound) = progress.lower_bound {
        let _ = write!(text, ", best f {bound}");
    }
    let _ = write!(text, ", depth {}", progress.depth);
    if progress.memory_bytes > 0 {
        let _ = write!(text, ", {}", bytes(progress.memory_bytes));
    }
    let _ = write!(text, ", {}", time(progress.elapsed));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Engine;
    use std::time::Duration;

    fn solution(outcome: Outcome, path: &[&str]) -> Solution {
        Solution {
            file: "taquin.pl".into(),
            engine: Engine::Astar.info(),
            heuristic: Some("manhattan".into()),
            instance: Some("easy".into()),
            board: Some("b h c\na f d\ng . e\n".into()),
            outcome,
            cost: matches!(outcome, Outcome::Solved { .. }).then_some(Amount::Int(path.len() as i64)),
            path: path.iter().map(|&name| name.to_owned()).collect(),
            lower_bound: None,
            factor: None,
            overestimate: None,
            stats: Stats {
                expanded: 6,
                generated: 14,
                peak_memory_bytes: 2048,
                elapsed: Duration::from_millis(2),
                ..Stats::default()
            },
        }
    }

    fn check(solution: &Solution, expect: &str) {
        assert_eq!(solution.text(&Theme::new(false)), expect);
    }

    #[test]
    fn a_plan_for_people() {
        check(
            &solution(Outcome::Solved { optimal: true }, &["up", "left"]),
            "taquin.pl, easy: astar with manhattan\n\nb h c\na f d\ng . e\n\n\
             Solved in 2 moves, cost 2 (optimal):\n  up, left\n\
             expanded 6, generated 14; 2.00 ms, 3,000 nodes/s, 2.0 KiB\n",
        );
        let long = solution(Outcome::Solved { optimal: false }, &["right"; 23]).result(&Theme::new(false));
        assert!(long.contains("perhaps not optimal"), "{long}");
        assert!(long.contains("   1. right, right,"), "{long}");
        assert!(long.contains("  21. right, right, right\n"), "{long}");
        let wordy = solution(Outcome::Solved { optimal: false }, &["move(disk1,left,right)"; 4]);
        assert!(wordy.result(&Theme::new(false)).contains("  4. move(disk1,left,right)\n"));
    }

    #[test]
    fn no_plan_for_people() {
        let none = solution(Outcome::Exhausted, &[]).result(&Theme::new(false));
        assert!(none.starts_with("No solution: no final state can be reached"), "{none}");
        let stopped = solution(Outcome::Stopped(StopReason::Nodes), &[]).result(&Theme::new(false));
        assert!(stopped.starts_with("Stopped: the limit of nodes"), "{stopped}");
    }

    #[test]
    fn json_has_the_documented_fields() {
        let text = solution(Outcome::Solved { optimal: true }, &["up"]).json();
        let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(json["outcome"], "solved");
        assert_eq!(json["optimal"], true);
        assert_eq!(json["cost"], 1);
        assert_eq!(json["path"], serde_json::json!(["up"]));
        assert_eq!(json["reason"], serde_json::Value::Null);
        for field in ["expanded", "generated", "reopened", "peak_open", "elapsed_ms", "peak_memory_bytes"] {
            assert!(json["stats"][field].is_number(), "{field}");
        }
        let text = solution(Outcome::Stopped(StopReason::Time), &[]).json();
        let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!((&json["outcome"], &json["reason"]), (&"stopped".into(), &"time".into()));
        assert!(json["path"].is_null());
    }
}
