//! What a search over a model found, for people.

use super::board::trimmed;
use super::explain::explanation;
use super::number::{counted, grouped, time};
use super::style::{Theme, paint};
use std::fmt::Write;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;
use zug_domain::model::SolutionsWanted;
use zug_prolog::session::Session;
use zug_report::{ModelSolution, ModelValues, Outcome, PostedModel, StopReason};
use zug_term::Record;
use zug_usecases::record::TermData;
use zug_usecases::solve::ModelReport;

/// The longest name that values are aligned to.
const NAME: usize = 24;

/// The report of a model. `printed`: for each solution what the file's own predicate writes of it, if it has one.
pub fn text(
    report: &ModelReport,
    session: &mut Session,
    printed: &[Option<String>],
    theme: &Theme,
) -> String {
    let found = &report.found;
    let mut title = report.file.clone();
    if let Some(name) = &report.instance {
        let _ = write!(title, ", {name}");
    }
    let mut text = paint(theme.strong, &format!("{title}: {}", posted(found.posted.as_ref())));
    text.push('\n');
    text += &verdict(report, session, theme);
    let several = found.solutions.len() > 1;
    for (number, solution) in found.solutions.iter().enumerate() {
        if several {
            let _ = writeln!(text, "{}", paint(theme.strong, &format!("{}.", number + 1)));
        }
        text += &values(solution, session);
        if let Some(Some(board)) = printed.get(number) {
            let _ = write!(text, "\n{}\n\n", trimmed(board));
        }
    }
    let more = found.count.saturating_sub(found.solutions.len() as u64);
    if more > 0 && report.wanted == SolutionsWanted::All {
        let _ = writeln!(text, "… and {} more", grouped(more));
    }
    for conflict in &report.conflict {
        text += &explanation(session, conflict, "", theme).text;
    }
    text + &counts(found)
}

/// What the model is, in a few words.
pub fn posted(posted: Option<&PostedModel>) -> String {
    let Some(posted) = posted else { return "a model".to_owned() };
    let variables = counted(posted.variables, "variable");
    let mut text = format!("{variables}, {}", counted(posted.constraints, "constraint"));
    if posted.fixed > 0 {
        let _ = write!(text, ", {} with a value at once", grouped(posted.fixed));
    }
    text
}

/// A number of ways by its decimal logarithm.
pub fn ways(log10: f64) -> String {
    if log10 < 15.0 {
        return grouped(10f64.powf(log10).round() as u64);
    }
    format!("about 10^{}", log10.round() as u64)
}

/// How it ended, in a sentence.
fn verdict(report: &ModelReport, session: &Session, theme: &Theme) -> String {
    let found = &report.found;
    let value = found.value.as_ref().map(|value| TermData::text_of(session, value));
    let best = match (found.objective, &value) {
        (Some("max"), Some(value)) => format!("maximum {value}"),
        (_, Some(value)) => format!("minimum {value}"),
        _ => String::new(),
    };
    match found.outcome {
        Outcome::Exhausted => {
            let why = match found.goal_failed {
                true => "a goal of the model fails before any value is tried",
                false => "the constraints can't hold together, all values were tried or ruled out",
            };
            let given = found.exhausted_if.as_ref();
            let given = given.map(|given| format!(", if {given}")).unwrap_or_default();
            format!("{}: {why}{given}.\n", paint(theme.error, "No solution"))
        }
        Outcome::Stopped(reason) => stopped(found, reason, value.as_deref(), theme),
        Outcome::Solved => {
            let said = paint(theme.good, "Solved");
            let what = if found.value.is_some() { "best solution" } else { "solution" };
            let how_many = match (report.wanted, found.unique) {
                (SolutionsWanted::One, _) => String::new(),
                (_, Some(true)) => format!("the only {what}"),
                (_, None) if found.complete_if.is_some() && found.count == 1 => {
                    let given = found.complete_if.as_deref().unwrap_or_default();
                    format!("the only {what} if {given}")
                }
                (SolutionsWanted::Second, _) => format!("not the only {what}, here are two"),
                _ => counted(found.count, what),
            };
            let optimal = match (found.optimal, &found.optimal_if) {
                (Some(true), _) => "optimal".to_owned(),
                (_, Some(given)) => format!("optimal if {given}"),
                _ => String::new(),
            };
            let parts = [best.as_str(), &optimal, how_many.as_str()];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            if parts.is_empty() {
                format!("{said}:\n")
            } else {
                format!("{said}: {}.\n", parts.join(", "))
            }
        }
    }
}

fn stopped(
    found: &ModelSolution<Record>,
    reason: StopReason,
    value: Option<&str>,
    theme: &Theme,
) -> String {
    let said = paint(theme.warning, "Stopped");
    let why = super::game::why(reason);
    let open = match (found.count, value, found.optimal) {
        (0, ..) => "and it is not known whether there is a solution".to_owned(),
        (_, Some(value), None) => {
            let worse = if found.objective == Some("max") { "greater" } else { "smaller" };
            format!("the best value so far is {value}; that there is none {worse} is not proved")
        }
        (1, _, _) => "one solution so far, there may be more".to_owned(),
        (count, _, _) => format!("{} solutions so far, there may be more", grouped(count)),
    };
    format!("{said}: {why}, {open}.\n")
}

/// Names and values, the values below each other.
fn values(solution: &ModelValues<Record>, session: &Session) -> String {
    let text = |record: &Record| TermData::text_of(session, record);
    let rows: Vec<(String, String)> =
        solution.values.iter().map(|one| (text(&one.name), text(&one.value))).collect();
    let width = rows.iter().map(|(name, _)| name.width()).filter(|&width| width <= NAME).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for (name, value) in rows {
        let fill = " ".repeat(width.saturating_sub(name.width()));
        let _ = writeln!(text, "  {name}{fill} = {value}");
    }
    text
}

fn counts(found: &ModelSolution<Record>) -> String {
    let stats = &found.stats;
    let mut text = counted(stats.nodes, "node");
    let _ = write!(text, ", {}", counted(stats.propagations, "propagator run"));
    if found.improvements > 1 {
        let _ = write!(text, ", {}", counted(found.improvements - 1, "improvement"));
    }
    let _ = writeln!(text, ", {}", time(stats.elapsed));
    text
}

/// How far a query was in a search for values, behind what else it did.
pub fn labelled(steps: u64) -> String {
    match steps {
        0 => String::new(),
        steps => format!(", in a search for values: {} of labelling", counted(steps, "step")),
    }
}

/// How far a search is, in a line.
pub fn progress(best: Option<&str>, nodes: u64, elapsed: Duration) -> String {
    let best = best.map_or(String::new(), |best| format!("best so far {best}, "));
    format!("{best}{}, {}", counted(nodes, "node"), time(elapsed))
}
