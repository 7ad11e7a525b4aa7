//! Matches and tournaments of a repeated game, for people.

use super::game::why;
use super::number::{counted, grouped};
use super::plot::{Bar, Bars};
use super::style::{Theme, paint};
use super::table::aligned;
use std::fmt::Write;
use zug_search::StopReason;
use zug_usecases::contest::{MatchReport, Standing, TournamentReport, UntilData};

/// When a match is over, in a clause.
pub fn until(until: UntilData) -> String {
    match until.to {
        Some(wins) => format!("to {}", counted(wins, "win")),
        None => counted(until.rounds, "round"),
    }
}

/// A match and its score.
pub fn one(report: &MatchReport, theme: &Theme) -> String {
    let [first, second] = &report.players;
    let mut text = format!(
        "{}: {first} against {second}, {}; seed {}\n",
        paint(theme.strong, &report.file),
        until(report.until),
        report.seed
    );
    let rows: Vec<Vec<String>> = [0, 1]
        .map(|player| {
            let wins = counted(report.wins[player], "win");
            let payoff = format!("payoff {}", report.payoffs[player]);
            vec![report.players[player].text.clone(), wins, payoff]
        })
        .into();
    text += &aligned(&rows, 1, 2);
    let draws = counted(report.draws, "draw");
    let rounds = counted(report.rounds, "round");
    let verdict = match (report.stopped, report.winner) {
        (Some(_), _) => stopped(report.stopped, theme),
        (None, Some(winner)) => format!("{} wins", report.players[winner]),
        (None, None) => "a draw".to_owned(),
    };
    let _ = writeln!(text, "{rounds}, {draws}: {}", paint(theme.strong, &verdict));
    text
}

fn stopped(reason: Option<StopReason>, theme: &Theme) -> String {
    let why = reason.map_or("", why);
    format!("{}: {why}", paint(theme.warning, "stopped"))
}

/// A tournament and its table.
pub fn all(report: &TournamentReport, theme: &Theme) -> String {
    let mut text = format!(
        "{}: {}, {} of every two, {}; seed {}\n\n",
        paint(theme.strong, &report.file),
        counted(report.standings.len() as u64, "player"),
        counted(report.matches, "match").replace("matchs", "matches"),
        until(report.until),
        report.seed
    );
    let titles = ["", "player", "won", "drawn", "lost", "wins of 100", "paid a match"];
    let mut rows: Vec<Vec<String>> = vec![titles.map(str::to_owned).into()];
    for (place, standing) in report.standings.iter().enumerate() {
        let (low, high) = standing.interval;
        rows.push(vec![
            (place + 1).to_string(),
            standing.player.text.clone(),
            grouped(standing.won),
            grouped(standing.drawn),
            grouped(standing.lost),
            format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high),
            format!("{:.2}", standing.mean_payoff),
        ]);
    }
    text += &aligned(&rows, 2, 2);
    text += "\nWins of 100: where the part of matches won lies, with a confidence of 95 %.\n";
    if report.stopped.is_some() {
        let _ = writeln!(text, "{}", stopped(report.stopped, theme));
    }
    text
}

/// Matches won, with the intervals in which the parts lie in the long run.
pub fn bars(report: &TournamentReport) -> Bars {
    let bar = |standing: &Standing| {
        let played = standing.won + standing.drawn + standing.lost;
        Bar {
            name: standing.player.text.clone(),
            value: standing.won as f64 / played.max(1) as f64,
            interval: standing.interval,
        }
    };
    Bars {
        title: format!("{}: a tournament of {}", report.file, until(report.until)),
        axis: "matches won".to_owned(),
        note: "where it lies in the long run, with a confidence of 95 %".to_owned(),
        bars: report.standings.iter().map(bar).collect(),
    }
}
