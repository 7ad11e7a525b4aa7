//! What heuristics are worth, for people.

use super::board::{beside, trimmed};
use super::number::{counted, grouped, time};
use super::style::{Theme, paint};
use std::fmt::Write;
use zug_search::{Progress, StopReason};
use zug_usecases::heuristics::{HeuristicReport, HeuristicsReport, Pair, Verdict};
use zug_usecases::record::TermData;

/// Moves of a plan that are shown.
const MOVES: usize = 12;

/// The boards of a heuristic's witnesses, as `print_state/1` draws them: of the state of which
/// it says too much, and of the two states between which it falls.
#[derive(Clone, Debug, Default)]
pub struct Boards {
    /// The state.
    pub overestimate: Option<String>,
    /// The two states.
    pub fall: Option<(String, String)>,
}

/// How far a look at heuristics is, on one line.
pub fn progress(progress: &Progress) -> String {
    format!("{} expanded, {}", counted(progress.expanded, "state"), time(progress.elapsed))
}

/// The report; `boards` are those of the heuristics, in order.
pub fn text(report: &HeuristicsReport, boards: &[Boards], theme: &Theme) -> String {
    let mut text = paint(theme.strong, &format!("{}: heuristics", report.file)) + "\n";
    text += &looked_at(report, theme);
    let none = Boards::default();
    for (number, one) in report.heuristics.iter().enumerate() {
        text += &heuristic(report, one, boards.get(number).unwrap_or(&none), theme);
    }
    if !report.pairs.is_empty() {
        text += "\n";
    }
    for one in &report.pairs {
        let _ = writeln!(text, "{}", pair(report, one));
    }
    text
}

/// How much was looked at.
fn looked_at(report: &HeuristicsReport, theme: &Theme) -> String {
    let from = match report.instances.as_slice() {
        [one] => format!("instance {one}"),
        all => counted(all.len() as u64, "instance"),
    };
    let (states, moves) = (counted(report.states, "state"), counted(report.moves, "move"));
    let mut text = match report.whole {
        true => format!("all {states} that can be reached from {from}, with {moves}"),
        false => format!(
            "samples: {states} with {moves}, on {} at random from {from}",
            counted(report.walks, "walk")
        ),
    };
    text += "\n";
    let plans = grouped(report.solved);
    let costs = format!("mean {:.2}, at most {}", report.mean_cost, &report.max_cost);
    let _ = match (report.whole, report.solved) {
        (true, 0) => writeln!(text, "no goal can be reached from any of them"),
        (true, n) if n == report.states => writeln!(text, "cost of a cheapest plan: {costs}"),
        (true, _) => {
            writeln!(text, "cost of a cheapest plan from the {plans} that have one: {costs}")
        }
        (false, _) => writeln!(text, "plans are known of {plans} of them, cost: {costs}"),
    };
    for condition in &report.trusted {
        let said = paint(theme.warning, "nothing of this is proved");
        let _ = writeln!(text, "{said}: it takes on trust that {condition}");
    }
    match report.limit {
        Some(StopReason::Cancelled) => {
            let _ = writeln!(text, "{}: there was more to do", paint(theme.warning, "interrupted"));
        }
        Some(reason) => {
            let _ = writeln!(
                text,
                "{}: the limit of {reason} is reached, there was more to do",
                paint(theme.warning, "stopped")
            );
        }
        None => {}
    }
    text
}

fn verdict(verdict: Verdict, name: &str, theme: &Theme) -> String {
    match verdict {
        Verdict::Proved => paint(theme.good, name),
        Verdict::NotRefuted => format!("no sign that it is not {name}"),
        Verdict::Violated => paint(theme.error, &format!("not {name}")),
    }
}

fn heuristic(
    report: &HeuristicsReport,
    one: &HeuristicReport,
    boards: &Boards,
    theme: &Theme,
) -> String {
    let mut text = format!(
        "\n{}: {}, {}\n",
        paint(theme.strong, &one.heuristic),
        verdict(one.admissible, "admissible", theme),
        verdict(one.consistent, "consistent", theme)
    );
    for line in one.explanation.iter().flat_map(|explanation| explanation.split("; ")) {
        let _ = writeln!(text, "  {line}");
    }
    if report.solved > 0 {
        let _ = writeln!(
            text,
            "  mean {:.2}, at most {}; it says {:.0}% of the cost on average",
            one.mean,
            &one.max,
            100.0 * one.informed
        );
    }
    if let Some(witness) = &one.overestimate {
        let _ = writeln!(
            text,
            "  says too much of {}; nearest to a goal it says {} where {} is enough:",
            counted(one.overestimated, "state"),
            &witness.estimate,
            &witness.cost
        );
        text += &drawn(boards.overestimate.as_deref(), &witness.state.text);
        let _ = writeln!(text, "    plan: {}", plan(&witness.plan));
    }
    // A goal above 0 is the nearest witness there can be, if it has not been shown yet.
    if let Some((state, value)) = &one.goal_above
        && one.overestimate.as_ref().is_none_or(|witness| witness.state != *state)
    {
        let goals = counted(one.goals_above, "goal");
        let _ = writeln!(text, "  says more than 0 of {goals}, as {} of {state}", value);
    }
    if let Some(fall) = &one.inconsistency {
        let _ = writeln!(
            text,
            "  falls too far along {}; from {} to {} by the move {} of cost {}:",
            counted(one.inconsistent, "move"),
            &fall.before,
            &fall.after,
            fall.mv,
            &fall.cost
        );
        match &boards.fall {
            Some((from, to)) => text += &indented(&beside(from, to)),
            None => {
                let _ = writeln!(text, "    {}\n    {}", fall.from, fall.to);
            }
        }
    }
    text
}

fn plan(moves: &[TermData]) -> String {
    match moves {
        [] => "none is needed, it is a goal".to_owned(),
        moves if moves.len() > MOVES => {
            format!("{}, … ({})", moves[..MOVES].join(", "), counted(moves.len() as u64, "move"))
        }
        moves => moves.join(", "),
    }
}

fn drawn(board: Option<&str>, state: &str) -> String {
    match board {
        Some(board) => indented(trimmed(board)),
        None => format!("    {state}\n"),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect()
}

/// Which of two heuristics says more; what is not admissible says too much, and is not the
/// better one for it.
fn pair(report: &HeuristicsReport, pair: &Pair) -> String {
    let says_too_much = |name: &str| {
        let mut all = report.heuristics.iter();
        all.any(|one| one.heuristic == name && one.admissible == Verdict::Violated)
    };
    let over = |one: &str, other: &str, states: u64| {
        let states = counted(states, "state");
        if says_too_much(one) {
            return format!(
                "{one} is never less than {other}, more of {states}; but it says too much"
            );
        }
        format!("{one} dominates {other}: never less, more of {states}")
    };
    let Pair { one, other, above, below } = pair;
    match (*above, *below) {
        (0, 0) => format!("{one} and {other} say the same of every state"),
        (above, 0) => over(one, other, above),
        (0, below) => over(other, one, below),
        (above, below) => {
            let more = format!(
                "neither dominates: {one} says more of {}, {other} of {}",
                counted(above, "state"),
                grouped(below)
            );
            match says_too_much(one) || says_too_much(other) {
                true => more,
                false => more + "; the greater of both is better than either",
            }
        }
    }
}
