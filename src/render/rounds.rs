//! A person against a player of a repeated game, for people.

use super::contest::until;
use super::number::counted;
use super::style::{Theme, paint};
use zug_domain::simultaneous::DuelRound;
use zug_tools::columns::{filled, most};
use zug_usecases::record::TermData;
use zug_usecases::rounds::Rounds;

/// Probabilities that differ by less are the same.
const SAME: f64 = 1e-9;
/// Columns that actions take at most.
const COLUMNS: usize = 76;

/// What can be typed, for `help`.
pub const HELP: &str = "\
Type an action, its number, or the beginning of its name. Beside that:
  expect       what the machine expects of you now; it has chosen already
  score        the score so far
  actions      the actions again
  help         this text
  quit         leave; as Ctrl-D
";

/// What stands above the rounds.
pub fn heading(rounds: &Rounds, theme: &Theme) -> String {
    let [own, other] = rounds.seats();
    let request = &rounds.request;
    format!(
        "{}: you are {}, against {} ({}), {}; seed {}. `help` explains.\n{}",
        paint(theme.strong, &request.rules),
        rounds.players[own],
        rounds.players[other],
        request.against,
        until(request.until.into()),
        request.seed,
        actions(rounds)
    )
}

/// The person's actions with their numbers.
pub fn actions(rounds: &Rounds) -> String {
    let own = rounds.actions[rounds.seats()[0]].iter().enumerate();
    let own: Vec<String> = own.map(|(at, name)| format!("{} {name}", at + 1)).collect();
    let lines = filled(own.iter().map(String::as_str), "   ", 2, most(COLUMNS));
    lines.join("\n") + "\n"
}

/// A round, and the score after it.
pub fn round(rounds: &Rounds, round: &DuelRound, theme: &Theme) -> String {
    let [own, other] = rounds.seats();
    let name = |player: usize| &rounds.actions[player][round.actions[player]];
    let verdict = match round.winner {
        Some(winner) if winner == own => paint(theme.good, "you win"),
        Some(_) => paint(theme.warning, "you lose"),
        None => "a draw".to_owned(),
    };
    let (mine, theirs) = (name(own), name(other));
    let player = &rounds.players[other];
    format!("{mine} against {theirs} of {player}: {verdict}. {}\n", standing(rounds))
}

/// The score in a clause: wins of both, what was paid.
pub fn standing(rounds: &Rounds) -> String {
    let [own, other] = rounds.seats();
    let score = rounds.score();
    let [mine, theirs] = [own, other].map(|player| score.wins[player]);
    let [paid, other_paid] = [own, other].map(|player| score.payoffs[player].to_string());
    format!("you {mine}, {} {theirs}; paid {paid} and {other_paid}", rounds.players[other])
}

/// What the machine expects.
pub fn expects(rounds: &Rounds) -> String {
    let own = &rounds.actions[rounds.seats()[0]];
    let expected = rounds.expects();
    let first = expected.first().copied().unwrap_or_default();
    if expected.iter().all(|share| (share - first).abs() < SAME) && own.len() > 1 {
        return "anything alike\n".to_owned();
    }
    let mut shares: Vec<(f64, &TermData)> = expected.into_iter().zip(own).collect();
    shares.retain(|(share, _)| *share >= SAME);
    shares.sort_by(|a, b| b.0.total_cmp(&a.0));
    let each = shares.iter().map(|(share, name)| format!("{name} {:.0} %", 100.0 * share));
    format!("{}\n", each.collect::<Vec<_>>().join(", "))
}

/// The end, whether all was played or not.
pub fn ending(rounds: &Rounds, theme: &Theme) -> String {
    let score = rounds.score();
    let played = counted(score.rounds, "round");
    let draws = counted(score.draws, "draw");
    let [own, _] = rounds.seats();
    let verdict = match rounds.leader() {
        _ if !rounds.is_over() => "unfinished",
        Some(winner) if winner == own => "you win",
        Some(_) => "you lose",
        None => "a draw",
    };
    let text = format!("{played}, {draws}: {verdict}. {}", standing(rounds));
    format!("{}\n", paint(theme.strong, &text))
}

/// What was typed is none of the actions.
pub fn no_such_action(rounds: &Rounds, typed: &str) -> String {
    let own = &rounds.actions[rounds.seats()[0]];
    format!("there is no action and no word `{typed}`; the actions are {}\n", own.join(", "))
}

/// What was typed may be several actions.
pub fn several(rounds: &Rounds, typed: &str, found: &[usize]) -> String {
    let own = &rounds.actions[rounds.seats()[0]];
    let names: Vec<&str> = found.iter().map(|&at| &*own[at].text).collect();
    format!("`{typed}` could be any of {}\n", names.join(", "))
}
