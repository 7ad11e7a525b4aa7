//! What a search found, for people. Programs get the report itself as JSON.

use super::board::{beside, trimmed};
use super::code_use;
use super::number::{bytes, counted, grouped, rate, time};
use super::style::{Theme, paint};
use std::fmt::Write;
use zug_domain::{FailedSearch, short_text};
use zug_prolog::session::Session;
use zug_report::{
    Ending, Number, Outcome, Solution, Stats, StopReason, StoppedIn, Symmetries, Verdict,
};
use zug_search::Progress;
use zug_term::Record;
use zug_tools::columns::most;
use zug_usecases::record::TermData;
use zug_usecases::solve::InstanceReport;

/// Columns for the moves of a plan.
const COLUMNS: usize = 72;
/// Moves in a row of a long plan.
const ROW: usize = 10;
/// Characters of a move beyond which each stands on its own line.
const SHORT_MOVE: usize = 14;

/// An engine and the heuristic it uses.
fn method(engine: &str, heuristic: Option<&str>) -> String {
    match heuristic {
        Some(heuristic) if heuristic != "heuristic" => format!("{engine} with {heuristic}"),
        _ => engine.to_owned(),
    }
}

/// The report of an instance. `boards`: the start, and the end of the plan, as `print_state/1`
/// draws them.
pub fn text(
    report: &InstanceReport,
    session: &Session,
    boards: (Option<&str>, Option<&str>),
    theme: &Theme,
) -> String {
    let found = &report.found;
    let mut title = report.file.clone();
    if report.named {
        let _ = write!(title, ", {}", report.instance);
    }
    let method = method(found.engine, found.heuristic.as_deref());
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
    text += &verdict(found, theme);
    text += &plan(&names(session, found.moves()));
    text + &below(found, session, theme)
}

/// The report of an engine that a query called, one line and its notes.
pub fn run(found: &Solution<Record>, session: &Session, theme: &Theme) -> String {
    let verdict = verdict(found, theme);
    let verdict = verdict.trim_end().trim_end_matches(['.', ':']);
    let method = method(found.engine, found.heuristic.as_deref());
    format!("{}: {verdict}\n", paint(theme.strong, &method)) + &below(found, session, theme)
}

/// The report of an engine that an error in a rule ended.
pub fn failed(failed: &FailedSearch, theme: &Theme) -> String {
    let method = paint(theme.strong, &method(failed.engine, failed.heuristic.as_deref()));
    let ended = paint(theme.error, "ended by an error in the rules");
    let note = paint(theme.warning, "note");
    format!("{method}: {ended}\n{note}: {}\n", failed.message)
}

/// Terms as text.
pub fn names(session: &Session, terms: &[Record]) -> Vec<String> {
    terms.iter().map(|term| TermData::text_of(session, term)).collect()
}

/// How it ended, in a sentence.
fn verdict(found: &Solution<Record>, theme: &Theme) -> String {
    let ending = &found.ending;
    let said = match ending.outcome {
        Outcome::Solved => {
            let moves = found.moves().len();
            let cost = found.cost.as_ref().map_or(String::new(), |cost| format!(", cost {cost}"));
            let verdict = paint(theme.good, "Solved");
            let quality = quality(ending, found.factor);
            let end = if moves == 0 { "." } else { ":" };
            format!("{verdict} in {}{cost}{quality}{end}", counted(moves as u64, "move"))
        }
        Outcome::Exhausted => {
            let condition = match &ending.verdict {
                Verdict::If(condition) => format!(", if {condition}"),
                _ => String::new(),
            };
            let reason = match &found.no_plan {
                Some(why) => why.clone(),
                None => {
                    let tried = all_tried(found.stats.expanded);
                    format!("no final state can be reached from here; {tried}")
                }
            };
            format!("{}: {reason}{condition}.", paint(theme.error, "No solution"))
        }
        Outcome::Stopped(StopReason::Heuristic) => format!(
            "{}: the heuristic hides all solutions; there is a plan of cost {}.",
            paint(theme.warning, "Stopped"),
            ending.cheapest.as_ref().map_or("unknown".to_owned(), Number::to_string),
        ),
        Outcome::Stopped(reason) => {
            format!("{}: {}.", paint(theme.warning, "Stopped"), why(reason))
        }
    };
    said + "\n"
}

/// How good the plan is, in brackets.
fn quality(ending: &Ending<Record>, factor: Option<f64>) -> String {
    let given = ending.given.as_ref().map(|given| format!(" if {given}")).unwrap_or_default();
    match (&ending.verdict, &ending.cheapest, factor) {
        (Verdict::Proved(_), ..) => " (optimal)".to_owned(),
        (Verdict::If(condition), ..) => format!(" (optimal if {condition})"),
        (Verdict::Refuted, Some(cost), _) => {
            format!(" (not optimal: there is a plan of cost {cost})")
        }
        (_, _, Some(factor)) => format!(" (at most {factor:.2} times the optimum{given})"),
        _ => " (perhaps not optimal)".to_owned(),
    }
}

/// What stands below the plan: notes, counts.
fn below(found: &Solution<Record>, session: &Session, theme: &Theme) -> String {
    let mut text = String::new();
    let ending = &found.ending;
    if let (Outcome::Stopped(_), Some(bound)) = (ending.outcome, &found.lower_bound)
        && !bound.is_zero()
    {
        let given = ending.given.as_ref().map(|given| format!(", if {given}"));
        let _ = writeln!(text, "No plan costs less than {bound}{}.", given.unwrap_or_default());
    }
    if let Some(seen) = &ending.overestimate {
        let place = match seen.step {
            Some(0) => " at the start,".to_owned(),
            Some(step) => format!(", after move {step},"),
            None => String::new(),
        };
        let enough = match seen.cost.is_zero() {
            true => "which is a final state".to_owned(),
            false => format!("and {} is enough", seen.cost),
        };
        let said = match &seen.estimate {
            estimate if *estimate == Number::INFINITE => "that no goal can be reached".to_owned(),
            estimate => estimate.to_string(),
        };
        let _ = writeln!(
            text,
            "{}: the heuristic overestimates: of `{}`{place} it says {said}, {enough}",
            paint(theme.warning, "note"),
            short_text(&session.machine, &session.world, &seen.state),
        );
    }
    if let Some(place) = &found.stopped_in {
        text += &stopped_in(place, session, theme);
    } else if found.from_base {
        let _ =
            writeln!(text, "{}: read from the base, not searched", paint(theme.warning, "note"));
    }
    if found.derived_from_base {
        let note = paint(theme.warning, "note");
        let _ = writeln!(text, "{note}: the derived heuristic was read from the base");
    }
    if let Some(by) = found.symmetries {
        let _ = writeln!(text, "{}", paint(theme.dim, &symmetries(by)));
    }
    let _ = writeln!(text, "{}", paint(theme.dim, &counts(&found.stats)));
    text + &code_use::text(found.code.as_ref(), theme)
}

/// That states alike counted as one.
pub(super) fn symmetries(by: Symmetries) -> String {
    if by.renamings == 1 {
        return "symmetry: none was found in the rules, every state counts for itself".to_owned();
    }
    let least = if by.all { "" } else { "at least " };
    format!("symmetry: states alike are one, {least}{} ways to look at it", grouped(by.renamings))
}

/// Where in the rules a limit struck.
pub(super) fn stopped_in(place: &StoppedIn<Record>, session: &Session, theme: &Theme) -> String {
    let at = place.at.as_ref().map_or(String::new(), |line| format!(", at {line}"));
    let state = short_text(&session.machine, &session.world, &place.state);
    let note = paint(theme.warning, "note");
    format!("{note}: stopped in {} of the state {state}{at}\n", place.predicate)
}

/// Why a search stopped, in a clause.
pub(super) fn why(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Nodes => {
            "the limit of nodes is reached, and it is not known whether there is a solution"
        }
        StopReason::Depth => {
            "there is no solution within the limit of depth, deeper ones were not looked for"
        }
        StopReason::Time => "the time is over, and it is not known whether there is a solution",
        StopReason::Memory => {
            "the limit of memory is reached, and it is not known whether there is a solution"
        }
        StopReason::Inferences => {
            "the limit of inferences is reached, and it is not known whether there is a solution"
        }
        StopReason::Cancelled => "interrupted, and it is not known whether there is a solution",
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
    use zug_report::Overestimate;
    use zug_term::Cell;
    use zug_term::symbol::atoms;

    /// A search with such an end, in a session.
    fn search(outcome: Outcome, verdict: Verdict) -> (Session, Solution<Record>) {
        let (mut session, _) = zug_tools::language::captured("");
        let term = Cell::atom(session.machine.symbols.intern("c"));
        let term = Record::new(&mut session.machine.heap, term);
        let mut found = Solution::nothing("astar", Some("manhattan".into()), term.clone());
        let solved = outcome == Outcome::Solved;
        (found.cost, found.path) = (solved.then_some(5.into()), solved.then(|| vec![term; 5]));
        found.lower_bound = Some(4.into());
        (found.ending.outcome, found.ending.verdict) = (outcome, verdict);
        found.ending.given = Some("`manhattan` never overestimates".into());
        found.stats = Stats {
            expanded: 6,
            generated: 14,
            peak_memory_bytes: 2048,
            elapsed: Duration::from_millis(2),
            ..Stats::default()
        };
        (session, found)
    }

    fn check(outcome: Outcome, verdict: Verdict, expect: &str) {
        let (session, found) = search(outcome, verdict);
        assert_eq!(run(&found, &session, &Theme::new(false)), expect);
    }

    #[test]
    fn engine_runs_for_people() {
        let counts = "expanded 6, generated 14; 2.00 ms, 3,000 nodes/s, 2.0 KiB\n";
        let proved = || Verdict::Proved("no heuristic was used".into());
        let given = || Verdict::If("`manhattan` never overestimates".into());
        let all = [
            (Outcome::Solved, proved(), "Solved in 5 moves, cost 5 (optimal)\n"),
            (
                Outcome::Solved,
                given(),
                "Solved in 5 moves, cost 5 (optimal if `manhattan` never overestimates)\n",
            ),
            (Outcome::Solved, Verdict::Open, "Solved in 5 moves, cost 5 (perhaps not optimal)\n"),
            (
                Outcome::Exhausted,
                proved(),
                "No solution: no final state can be reached from here; all 6 states were tried\n",
            ),
            (
                Outcome::Stopped(StopReason::Nodes),
                Verdict::Open,
                "Stopped: the limit of nodes is reached, and it is not known whether there is a solution\n\
                 No plan costs less than 4, if `manhattan` never overestimates.\n",
            ),
        ];
        for (outcome, verdict, expect) in all {
            check(outcome, verdict, &format!("astar with manhattan: {expect}{counts}"));
        }
    }

    #[test]
    fn what_is_known_of_a_cheaper_plan_is_said() {
        let (session, mut found) = search(Outcome::Solved, Verdict::Refuted);
        found.ending.cheapest = Some(3.into());
        let (state, step) = (found.start.clone(), None);
        let (estimate, cost) = (20.into(), 2.into());
        found.ending.overestimate = Some(Overestimate { state, step, estimate, cost });
        let text = run(&found, &session, &Theme::new(false));
        let expect = "astar with manhattan: Solved in 5 moves, cost 5 (not optimal: there is a \
                      plan of cost 3)\nnote: the heuristic overestimates: of `c` it says 20, and 2 \
                      is enough\n";
        assert!(text.starts_with(expect), "{text}");
    }

    /// Moves that are pairs stay apart in a list.
    #[test]
    fn moves_are_arguments() {
        let (mut session, _) = zug_tools::language::captured("");
        let heap = &mut session.machine.heap;
        let pair = heap.new_struct(atoms::COMMA, &[Cell::small(2), Cell::small(3)]);
        let pair = Record::new(heap, pair);
        assert_eq!(names(&session, &[pair.clone(), pair]).join(", "), "(2,3), (2,3)");
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
