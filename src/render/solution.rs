//! What a search found, for people. Programs get the report itself as JSON.

use super::board::{beside, trimmed};
use super::code_use;
use super::number::{bytes, counted, grouped, rate, time};
use super::style::{Theme, paint};
use crate::usecases::solve::InstanceReport;
use std::fmt::Write;
use zug_prolog::builtins::{CodeUse, EngineRun, TooHigh, Verdict};
use zug_search::{EngineInfo, Outcome, Progress, Stats, StopReason};
use zug_tools::columns::most;

/// Columns for the moves of a plan.
const COLUMNS: usize = 72;
/// Moves in a row of a long plan.
const ROW: usize = 10;
/// Characters of a move beyond which each stands on its own line.
const SHORT_MOVE: usize = 14;

/// What a search came to, with every term turned to text.
#[derive(Clone, Debug)]
pub struct Summary {
    /// How it ended; `None` if an error in a rule ended it.
    pub outcome: Option<Outcome>,
    /// Moves in the plan.
    pub moves: usize,
    /// The cost of the plan.
    pub cost: Option<String>,
    /// No plan costs less.
    pub lower_bound: Option<String>,
    /// The plan costs at most this many times the least.
    pub factor: Option<f64>,
    /// What is said of it, …
    pub verdict: Verdict,
    /// … and what has to be so for the bound and the factor to hold.
    pub given: Option<String>,
    /// The cost of a cheapest plan, where another one was found.
    pub cheapest: Option<String>,
    /// Where the heuristic was seen to overestimate.
    pub overestimate: Option<TooHigh>,
    /// What went wrong, or in which rule and state a limit struck.
    pub remark: Option<String>,
    /// What answered its questions.
    pub code: Option<CodeUse>,
    /// The counts.
    pub stats: Stats,
}

impl From<&EngineRun> for Summary {
    fn from(run: &EngineRun) -> Summary {
        Summary {
            outcome: run.outcome,
            moves: run.moves,
            cost: run.cost.clone(),
            lower_bound: run.lower_bound.clone(),
            factor: run.factor,
            verdict: run.verdict.clone(),
            given: run.given.clone(),
            cheapest: run.cheapest.clone(),
            overestimate: run.overestimate.clone(),
            remark: run.remark.clone(),
            code: run.code.clone(),
            stats: run.stats,
        }
    }
}

impl From<&InstanceReport> for Summary {
    fn from(report: &InstanceReport) -> Summary {
        let found = &report.found;
        Summary {
            outcome: Some(found.outcome),
            moves: found.path.len(),
            cost: found.cost.map(|cost| cost.to_string()),
            lower_bound: found.lower_bound.map(|bound| bound.to_string()),
            factor: found.factor,
            verdict: found.said.verdict.clone(),
            given: found.said.given.clone(),
            cheapest: found.said.cheapest.map(|cost| cost.to_string()),
            overestimate: report.overestimate.clone(),
            remark: report
                .remark()
                .or(found.from_base.then(|| "read from the base, not searched".to_owned())),
            code: report.code.clone(),
            stats: found.stats,
        }
    }
}

/// An engine and the heuristic it uses.
fn method(engine: &EngineInfo, heuristic: Option<&str>) -> String {
    match heuristic {
        Some(heuristic) if heuristic != "heuristic" => format!("{} with {heuristic}", engine.name),
        _ => engine.name.to_owned(),
    }
}

/// The report of an instance for people. `boards`: the start, and the end of the
/// plan, as `print_state/1` draws them.
pub fn text(
    report: &InstanceReport,
    boards: (Option<&str>, Option<&str>),
    theme: &Theme,
) -> String {
    let mut title = report.file.clone();
    if report.named {
        let _ = write!(title, ", {}", report.instance);
    }
    let method = method(report.found.engine.info(), report.heuristic.as_deref());
    let mut text = paint(theme.strong, &format!("{title}: {method}")) + "\n";
    match boards {
        (Some(start), Some(end)) => {
            let _ = write!(text, "\n{}\n", beside(start, end));
        }
        (Some(start), None) => {
            let _ = write!(text, "\n{}\n\n", trimmed(start));
        }
        (None, _) => {}
    }
    let summary = Summary::from(report);
    text += &summary.verdict(theme);
    let moves = report.path.iter().flatten().map(|mv| mv.text.clone());
    text += &plan(&moves.collect::<Vec<_>>());
    text += &summary.notes(theme);
    let _ = writeln!(text, "{}", paint(theme.dim, &counts(&summary.stats)));
    text + &code_use::text(summary.code.as_ref(), theme)
}

/// The report of an engine that a query called, one line and its notes.
pub fn run(run: &EngineRun, theme: &Theme) -> String {
    let summary = Summary::from(run);
    let method = method(run.engine.info(), run.heuristic.as_deref());
    let verdict = summary.verdict(theme);
    let verdict = verdict.trim_end().trim_end_matches(['.', ':']);
    let mut text = format!("{}: {verdict}\n", paint(theme.strong, &method));
    text += &summary.notes(theme);
    if run.outcome.is_some() {
        let _ = writeln!(text, "{}", paint(theme.dim, &counts(&summary.stats)));
        text += &code_use::text(summary.code.as_ref(), theme);
    }
    text
}

impl Summary {
    /// How it ended, in a sentence.
    fn verdict(&self, theme: &Theme) -> String {
        let Some(outcome) = self.outcome else {
            return paint(theme.error, "ended by an error in the rules") + "\n";
        };
        let said = match outcome {
            Outcome::Solved => {
                let moves = counted(self.moves as u64, "move");
                let cost =
                    self.cost.as_ref().map_or(String::new(), |cost| format!(", cost {cost}"));
                let verdict = paint(theme.good, "Solved");
                let quality = self.quality();
                let end = if self.moves == 0 { "." } else { ":" };
                format!("{verdict} in {moves}{cost}{quality}{end}")
            }
            Outcome::Exhausted => {
                let condition = match &self.verdict {
                    Verdict::If(condition) => format!(", if {condition}"),
                    _ => String::new(),
                };
                let tried = all_tried(self.stats.expanded);
                format!(
                    "{}: no final state can be reached from here; {tried}{condition}.",
                    paint(theme.error, "No solution"),
                )
            }
            Outcome::Stopped(StopReason::Heuristic) => format!(
                "{}: the heuristic hides all solutions; there is a plan of cost {}.",
                paint(theme.warning, "Stopped"),
                self.cheapest.as_deref().unwrap_or("unknown"),
            ),
            Outcome::Stopped(reason) => {
                format!("{}: {}.", paint(theme.warning, "Stopped"), why(reason))
            }
        };
        said + "\n"
    }

    /// How good the plan is, in brackets.
    fn quality(&self) -> String {
        let given = self.given.as_ref().map(|given| format!(" if {given}")).unwrap_or_default();
        match (&self.verdict, &self.cheapest, self.factor) {
            (Verdict::Proved(_), ..) => " (optimal)".to_owned(),
            (Verdict::If(condition), ..) => format!(" (optimal if {condition})"),
            (Verdict::Refuted, Some(cost), _) => {
                format!(" (not optimal: there is a plan of cost {cost})")
            }
            (_, _, Some(factor)) => format!(" (at most {factor:.2} times the optimum{given})"),
            _ => " (perhaps not optimal)".to_owned(),
        }
    }

    fn notes(&self, theme: &Theme) -> String {
        let mut text = String::new();
        if let (Some(Outcome::Stopped(_)), Some(bound)) = (self.outcome, &self.lower_bound)
            && bound != "0"
        {
            let given = self.given.as_ref().map(|given| format!(", if {given}"));
            let _ = writeln!(text, "No plan costs less than {bound}{}.", given.unwrap_or_default());
        }
        if let Some(TooHigh { state, step, estimate, cost }) = &self.overestimate {
            let place = match step {
                Some(0) => ", where the plan begins,".to_owned(),
                Some(step) => format!(", after move {step},"),
                None => String::new(),
            };
            let enough = match cost.as_str() {
                "0" => "which is a final state".to_owned(),
                cost => format!("and {cost} is enough"),
            };
            let said = match estimate.as_str() {
                "inf" => "that no goal can be reached".to_owned(),
                estimate => estimate.to_owned(),
            };
            let _ = writeln!(
                text,
                "{}: the heuristic overestimates: of `{state}`{place} it says {said}, {enough}",
                paint(theme.warning, "note"),
            );
        }
        if let Some(remark) = &self.remark {
            let _ = writeln!(text, "{}: {remark}", paint(theme.warning, "note"));
        }
        text
    }
}

/// Why a search stopped, in a clause.
pub(super) fn why(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Nodes => "the limit of nodes is reached, whether there is a solution is open",
        StopReason::Depth => {
            "there is no solution within the limit of depth, deeper ones were not looked for"
        }
        StopReason::Time => "the time is over, whether there is a solution is open",
        StopReason::Memory => "the limit of memory is reached, whether there is a solution is open",
        StopReason::Cancelled => "interrupted, whether there is a solution is open",
        StopReason::Cycle => "play can go round for ever; give it a depth (--depth)",
        StopReason::Heuristic => "the heuristic hides all solutions",
        StopReason::Width => "the beam ran empty; a wider one may find a solution (--width)",
    }
}

/// The moves: on one line, in rows of ten, or one a line, as they fit.
pub(super) fn plan(path: &[String]) -> String {
    if path.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    let width: usize = path.iter().map(|name| name.chars().count() + 2).sum();
    let longest = path.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let digits = path.len().to_string().len();
    if width + 2 <= most(COLUMNS + 2) {
        let _ = writeln!(text, "  {}", path.join(", "));
    } else if longest <= SHORT_MOVE {
        let row = ((most(COLUMNS + digits + 4) - digits - 4) / (longest + 2)).clamp(1, ROW);
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
    let mut text =
        format!("expanded {}, generated {}", grouped(stats.expanded), grouped(stats.generated));
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

/// That all states were tried, however many.
fn all_tried(states: u64) -> String {
    match states {
        0 | 1 => "it was the only state to try".to_owned(),
        2 => "both states were tried".to_owned(),
        _ => format!("all {} were tried", counted(states, "state")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use zug_search::Engine;

    fn engine_run(outcome: Outcome, verdict: Verdict) -> EngineRun {
        let moves = 5;
        EngineRun {
            engine: Engine::Astar,
            heuristic: Some("manhattan".into()),
            outcome: Some(outcome),
            cost: (outcome == Outcome::Solved).then(|| moves.to_string()),
            moves,
            lower_bound: Some("4".into()),
            factor: None,
            verdict,
            given: Some("`manhattan` never overestimates".into()),
            cheapest: None,
            overestimate: None,
            unverified: None,
            remark: None,
            code: None,
            stats: Stats {
                expanded: 6,
                generated: 14,
                peak_memory_bytes: 2048,
                elapsed: Duration::from_millis(2),
                ..Stats::default()
            },
        }
    }

    fn check(outcome: Outcome, verdict: Verdict, expect: &str) {
        assert_eq!(run(&engine_run(outcome, verdict), &Theme::new(false)), expect);
    }

    #[test]
    fn engine_runs_for_people() {
        let counts = "expanded 6, generated 14; 2.00 ms, 3,000 nodes/s, 2.0 KiB\n";
        let proved = || Verdict::Proved("no heuristic was used".into());
        let given = || Verdict::If("`manhattan` never overestimates".into());
        check(
            Outcome::Solved,
            proved(),
            &format!("astar with manhattan: Solved in 5 moves, cost 5 (optimal)\n{counts}"),
        );
        check(
            Outcome::Solved,
            given(),
            &format!(
                "astar with manhattan: Solved in 5 moves, cost 5 (optimal if `manhattan` never \
                 overestimates)\n{counts}"
            ),
        );
        check(
            Outcome::Solved,
            Verdict::Open,
            &format!(
                "astar with manhattan: Solved in 5 moves, cost 5 (perhaps not optimal)\n{counts}"
            ),
        );
        check(
            Outcome::Exhausted,
            proved(),
            &format!(
                "astar with manhattan: No solution: no final state can be reached from here; all 6 states were tried\n{counts}"
            ),
        );
        check(
            Outcome::Stopped(StopReason::Nodes),
            Verdict::Open,
            &format!(
                "astar with manhattan: Stopped: the limit of nodes is reached, whether there is \
                 a solution is open\nNo plan costs less than 4, if `manhattan` never \
                 overestimates.\n{counts}"
            ),
        );
    }

    #[test]
    fn what_is_known_of_a_cheaper_plan_is_said() {
        let cheapest = Some("3".to_owned());
        let overestimate = Some(TooHigh {
            state: "c".into(),
            step: None,
            estimate: "20".into(),
            cost: "2".into(),
        });
        let solved = engine_run(Outcome::Solved, Verdict::Refuted);
        let text = run(&EngineRun { cheapest, overestimate, ..solved }, &Theme::new(false));
        let expect = "astar with manhattan: Solved in 5 moves, cost 5 (not optimal: there is a \
                      plan of cost 3)\nnote: the heuristic overestimates: of `c` it says 20, and 2 \
                      is enough\n";
        assert!(text.starts_with(expect), "{text}");
    }

    #[test]
    fn plans_fit_the_page() {
        let names = |name: &str, times| vec![name.to_owned(); times];
        assert_eq!(plan(&names("up", 2)), "  up, up\n");
        assert_eq!(plan(&[]), "");
        let long = plan(&names("right", 23));
        assert!(long.starts_with("   1. right, right,"), "{long}");
        assert!(long.ends_with("  21. right, right, right\n"), "{long}");
        let wordy = plan(&names("move(disk1,left,right)", 4));
        assert!(wordy.ends_with("  4. move(disk1,left,right)\n"), "{wordy}");
    }
}
