//! Equilibria of a game in which all choose at once, for people.

use super::game::why;
use super::number::counted;
use super::style::{Theme, paint};
use super::table::aligned;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use zug_report::Seed;
use zug_tools::columns::most;
use zug_usecases::record::TermData;
use zug_usecases::solve::{
    EquilibriumData, JointLearningData, LearningData, NashReport, RemovalData, Share,
};

/// Columns that a table may take.
const COLUMNS: usize = 110;
/// Rows that a table may take.
const ROWS: usize = 40;

/// Everything that was found.
pub fn text(report: &NashReport, theme: &Theme) -> String {
    let mut text = heading(report, theme);
    if !report.players.is_empty() {
        text += &table(report);
    }
    for removal in &report.removed {
        text += &removed(removal);
    }
    if !report.removed.is_empty() {
        text.push('\n');
    }
    for (at, equilibrium) in report.equilibria.iter().enumerate() {
        text += &found(report, at, equilibrium, theme);
    }
    if let Some(learning) = &report.learning {
        text += &learned(report, learning, theme);
    }
    if let Some(learning) = &report.together {
        text += &together(report, learning, theme);
    }
    if let Some(reason) = report.stopped {
        let _ = writeln!(text, "{}: {}", paint(theme.warning, "stopped"), why(reason));
    }
    text += extent(report);
    if let Some(given) = &report.exact_if {
        let _ = writeln!(text, "{}: this holds if {given}", paint(theme.dim, "note"));
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

fn heading(report: &NashReport, theme: &Theme) -> String {
    let mut text = paint(theme.strong, &report.file);
    if let Some(name) = &report.instance {
        let _ = write!(text, ", instance {name}");
    }
    if let Some(state) = &report.state {
        let _ = write!(text, ", state {state}");
    }
    if !report.players.is_empty() {
        let _ = write!(text, ": {} choose at once", report.players.join(", "));
    }
    if report.zero_sum {
        text += "; payoffs add to zero, those of the rows are shown";
    }
    text.push('\n');
    if let Some(states) = report.states {
        let states = counted(states as u64, "state");
        let _ = writeln!(text, "{states} solved from the end; shown is what going on is worth");
    }
    text + "\n"
}

/// The payoffs: a matrix for two players, a line a profile for others.
fn table(report: &NashReport) -> String {
    let rows = match report.actions.as_slice() {
        [rows, columns] => matrix(report, rows, columns),
        _ => profiles(report),
    };
    let shown = aligned(&rows, 1, 2);
    let width = |text: &str| text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
    // On a narrow terminal a line for each profile.
    let (rows, shown) = if width(&shown) > most(COLUMNS) && width(&shown) <= COLUMNS {
        let rows = profiles(report);
        let shown = aligned(&rows, 1, 2);
        (rows, shown)
    } else {
        (rows, shown)
    };
    if rows.len() > ROWS || width(&shown) > COLUMNS {
        let shape: Vec<String> = report.actions.iter().map(|own| own.len().to_string()).collect();
        return format!("  a table of {} actions, too large to be shown\n\n", shape.join(" x "));
    }
    shown + "\n"
}

fn matrix(report: &NashReport, rows: &[TermData], columns: &[TermData]) -> Vec<Vec<String>> {
    let corner = report.players.join(" / ");
    let text = |action: &TermData| action.text.clone();
    let mut lines = vec![[vec![corner], columns.iter().map(text).collect()].concat()];
    for (name, cells) in rows.iter().zip(report.payoffs.chunks(columns.len().max(1))) {
        let cell = |payoffs: &Vec<String>| match payoffs.as_slice() {
            [first, ..] if report.zero_sum => first.clone(),
            payoffs => payoffs.join(", "),
        };
        lines.push([vec![text(name)], cells.iter().map(cell).collect()].concat());
    }
    lines
}

fn profiles(report: &NashReport) -> Vec<Vec<String>> {
    let mut lines = vec![vec![report.players.join(", "), "pays".to_owned()]];
    let mut counter = vec![0; report.actions.len()];
    for payoffs in &report.payoffs {
        let names = counter.iter().zip(&report.actions).map(|(&at, own)| own[at].text.clone());
        lines.push(vec![names.collect::<Vec<_>>().join(", "), payoffs.join(", ")]);
        for (at, own) in counter.iter_mut().zip(&report.actions).rev() {
            *at = (*at + 1) % own.len();
            if *at != 0 {
                break;
            }
        }
    }
    lines
}

fn removed(removal: &RemovalData) -> String {
    let RemovalData { round, player, action, by, weak } = removal;
    let better = if *weak { "never worse and sometimes better" } else { "always better" };
    let by = match by.as_slice() {
        [one] => one.action.text.clone(),
        several => shares(several),
    };
    format!("round {round}: {player} drops {action}, since {by} is {better}\n")
}

/// `1/2 heads, 1/2 tails`; a single action without its probability.
fn shares(shares: &[Share]) -> String {
    match shares {
        [only] => only.action.text.clone(),
        several => {
            let each =
                several.iter().map(|share| format!("{} {}", share.probability, share.action));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

fn found(report: &NashReport, at: usize, found: &EquilibriumData, theme: &Theme) -> String {
    let pairs = |values: &[String]| {
        let each = report.players.iter().zip(values);
        each.map(|(player, value)| format!("{player} {value}")).collect::<Vec<_>>().join(", ")
    };
    let value = &found.payoffs[0];
    let title = match report.extent {
        Some("value") => format!("value {value} for {}", report.players[0]),
        _ => format!("equilibrium {}: pays {}", at + 1, pairs(&found.payoffs)),
    };
    let mut text = format!("{}\n", paint(theme.good, &title));
    let names: Vec<String> = found.strategies.iter().map(|own| shares(own)).collect();
    text += &strategies(report, &names);
    let (row, column) = (&report.players[0], report.players.get(1));
    let _ = match column.filter(|_| report.extent == Some("value")) {
        Some(column) => writeln!(
            text,
            "  certificate: {row} has {value} or more against each action of {column}, and each \
             action of {row} has {value} or less"
        ),
        None => {
            writeln!(text, "  certificate: the best other action gains {}", pairs(&found.gains))
        }
    };
    text.push('\n');
    text
}

/// A line for each player.
fn strategies(report: &NashReport, names: &[String]) -> String {
    let width = report.players.iter().map(|player| player.text.width()).max().unwrap_or(0);
    let mut text = String::new();
    for (player, own) in report.players.iter().zip(names) {
        let _ = writeln!(text, "  {player}{:pad$}  {own}", "", pad = width - player.text.width());
    }
    text
}

/// Probabilities below this are not shown.
const LEAST: f64 = 0.00005;

/// Profiles of actions that are shown.
const PROFILES: usize = 12;

/// How players learned.
fn method(learner: &str, iterations: u64, seed: Option<Seed>, theme: &Theme) -> String {
    let how = match learner {
        "fictitious" => "fictitious play",
        "regret" => "regret matching",
        _ => "regret matching+",
    };
    let seed = seed.map_or(String::new(), |seed| format!(", seed {seed}"));
    let title = format!("{how}, {}{seed}", counted(iterations, "iteration"));
    format!("{}\n", paint(theme.good, &title))
}

/// What players who learned have played together.
fn together(report: &NashReport, learned: &JointLearningData, theme: &Theme) -> String {
    let mut text = method(learned.learner, learned.iterations, learned.seed, theme);
    let _ = writeln!(text, "  they played together");
    let shown = learned.profiles.iter().filter(|profile| profile.frequency >= LEAST);
    for profile in shown.take(PROFILES) {
        let _ = writeln!(text, "  {:.4}  {}", profile.frequency, profile.actions.join(", "));
    }
    if learned.profiles.len() > PROFILES {
        let more = counted((learned.profiles.len() - PROFILES) as u64, "more profile");
        let _ = writeln!(text, "  … {more}");
    }
    let each = |values: &[f64]| {
        let pairs = report.players.iter().zip(values);
        pairs
            .map(|(player, &value)| format!("{player} {}", six(value)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let _ = writeln!(text, "  pays {}", each(&learned.payoffs));
    let _ = writeln!(text, "  regret {}", each(&learned.gains));
    let most = six(learned.gains.iter().copied().fold(0.0, f64::max));
    let _ = writeln!(
        text,
        "  a coarse correlated equilibrium to within {most}, which need be no equilibrium"
    );
    text
}

fn learned(report: &NashReport, learned: &LearningData, theme: &Theme) -> String {
    let mut text = method(learned.learner, learned.iterations, learned.seed, theme);
    let own = |(own, names): (&Vec<f64>, &Vec<TermData>)| {
        let played = own.iter().zip(names).filter(|(share, _)| **share >= LEAST);
        played.map(|(share, name)| format!("{share:.4} {name}")).collect::<Vec<_>>().join(", ")
    };
    let names: Vec<String> = learned.strategies.iter().zip(&report.actions).map(own).collect();
    text += &strategies(report, &names);
    match learned.value_bounds {
        Some((low, high)) => {
            let _ = writeln!(text, "  the value is between {} and {}", six(low), six(high));
        }
        None => {
            let [row, column] = learned.payoffs.map(six);
            let players = &report.players;
            let _ = writeln!(text, "  pays {} {row}, {} {column}", players[0], players[1]);
        }
    }
    let _ = writeln!(
        text,
        "  exploitability {}: what best replies gain, on average",
        six(learned.exploitability)
    );
    text
}

/// A number to six places, without the sign of a nought.
fn six(value: f64) -> String {
    let text = format!("{value:.6}");
    if text == "-0.000000" { "0.000000".to_owned() } else { text }
}

/// What is known of other equilibria.
fn extent(report: &NashReport) -> &'static str {
    match (report.extent, report.equilibria.is_empty()) {
        (Some("some"), _) => "There may be other equilibria; --all looks for all.\n",
        (Some("all"), _) => "These are all equilibria.\n",
        (Some("extreme"), _) => "Every other equilibrium is a mix of these.\n",
        (Some("pure"), true) => "There is no pure equilibrium.\n",
        (Some("pure"), false) => "These are all pure equilibria.\n",
        _ => "",
    }
}
