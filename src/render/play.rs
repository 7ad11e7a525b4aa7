//! A game being played, for people: board, moves, thoughts, how it ended.

use super::board::{draw, trimmed};
use super::choices::{Choices, rows};
use super::game::line;
use super::number::{counted, short};
use super::style::{Theme, paint};
use std::cmp::Ordering;
use std::fmt::Write;
use zug_domain::Number;
use zug_domain::game::Position;
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_report::outcome_words;
use zug_search::StopReason;
use zug_search::game::{Expected, GameEngine};
use zug_term::Record;
use zug_usecases::play::{Agent, AgentScore, Ending, Match, Outlook, Series, SeriesGame, Thought};

/// What can be typed, for `help`.
pub const HELP: &str = "\
Type the number of a move, or the move itself: `2`, `[1,2]`, `take(3)`. Return plays an
only move. Beside that:
  board        the board again        eval         the value of the position, the best line
  moves        the moves again        hint         the move the machine would make
  undo         take back your move    swap         change sides with the machine
  save FILE    write the game down    load FILE    go on with a game written down
  again        from the start         quit         leave; as Ctrl-D
A word that is also a move means the move; `:undo` is always the word.
";

/// A term as text.
pub fn name(session: &Session, record: &Record) -> String {
    term_text(&session.machine, &session.world, record)
}

/// Who an agent is, in a clause.
pub fn agent(agent: &Agent) -> String {
    match agent {
        Agent::Human => "you".to_owned(),
        Agent::Chance => "chance".to_owned(),
        Agent::Random => "random".to_owned(),
        Agent::Level(_) => agent.to_string().replace("level:", "level ") + " of 9",
        Agent::Engine(..) => agent.to_string(),
        Agent::Policy { file, greedy: false } => format!("policy {file}"),
        Agent::Policy { file, greedy: true } => format!("the likeliest moves of {file}"),
    }
}

/// What stands above a game.
pub fn heading(session: &Session, game: &Match, theme: &Theme) -> String {
    let title = paint(theme.strong, &game.rules);
    let mut text = format!("{title}: ");
    let others = game.players.iter().filter(|player| game.agent(player) != Agent::Human);
    let others = others
        .map(|player| format!("{} ({})", name(session, player), agent(&game.agent(player))))
        .collect::<Vec<_>>();
    match game.human() {
        Some(player) if others.is_empty() => {
            let _ = write!(text, "you are {}, alone. `help` explains.", name(session, player));
        }
        Some(player) => {
            let begins = if game.start().player == *player { " and begin" } else { "" };
            let _ = write!(
                text,
                "you are {}{begins}, against {}. `help` explains.",
                name(session, player),
                others.join(", ")
            );
        }
        None if game.has_human() => {
            let people = game.people_playing();
            let people: Vec<String> = people.map(|player| name(session, player)).collect();
            let _ = write!(text, "you make the moves of {}", listed(&people));
            if !others.is_empty() {
                let _ = write!(text, ", against {}", others.join(", "));
            }
            text += ". `help` explains.";
        }
        None => text += &others.join(" against "),
    }
    text.push('\n');
    text
}

/// A state: as the program draws it, else the term.
pub fn board(session: &mut Session, state: &Record) -> String {
    match draw(session, state) {
        Some(board) => format!("{}\n", trimmed(&board)),
        None => format!("  {}\n", name(session, state)),
    }
}

/// The moves of a position, to choose from.
pub fn choices(session: &Session, position: &Position) -> Choices {
    Choices::new(session, position.choices.iter().map(|choice| &choice.mv))
}

/// The moves, numbered.
pub fn moves(session: &Session, position: &Position, theme: &Theme) -> String {
    let player = name(session, &position.player);
    let Choices { names, integers, .. } = choices(session, position);
    match names.as_slice() {
        [only] => format!("{player} can only play {only}: Return plays it\n"),
        _ if integers => format!("{player} to move: {}\n", names.join("  ")),
        _ => format!("{player} to move:\n{}", rows(&names, theme)),
    }
}

/// A move that somebody made, or chance.
pub fn made(session: &Session, player: &Record, mv: &Record, theme: &Theme) -> String {
    format!("{}: {}\n", name(session, player), paint(theme.strong, &name(session, mv)))
}

/// A move of the machine.
pub fn thought(session: &Session, position: &Position, thought: &Thought, theme: &Theme) -> String {
    let Some(choice) = position.choices.get(thought.choice) else { return String::new() };
    if !position.chances.is_empty() {
        return made(session, &position.player, &choice.mv, theme);
    }
    let (player, mv) = (name(session, &position.player), name(session, &choice.mv));
    let mut text = format!("{player} plays {}.", paint(theme.strong, &mv));
    let aside = match &thought.outlook {
        _ if position.choices.len() == 1 => "the only move".to_owned(),
        None if thought.guess => "at random: it never met this position".to_owned(),
        None => String::new(),
        Some(outlook) => {
            let stopped = match outlook.stopped {
                Some(StopReason::Cancelled) => "interrupted, ",
                _ => "",
            };
            match outlook {
                _ if thought.guess => {
                    let why = outlook.stopped.map_or("nothing is known", super::game::why);
                    format!("at random: {why}")
                }
                Outlook { engine: Some(engine), .. } if engine.is_sampling() => {
                    format!("{stopped}by plays at random")
                }
                Outlook { exact_if: Some(given), .. } => format!("{stopped}exact if {given}"),
                Outlook { engine: Some(GameEngine::SolveGame), exact: false, .. } => {
                    format!("{stopped}by value iteration")
                }
                Outlook { exact: true, .. } => format!("{stopped}exact"),
                Outlook { distance: Some(_), .. } => format!("{stopped}proved"),
                Outlook { depth: Some(depth), .. } => {
                    format!("{stopped}looking {} ahead", counted(u64::from(*depth), "move"))
                }
                _ => stopped.trim_end_matches(", ").to_owned(),
            }
        }
    };
    if !aside.is_empty() {
        let _ = write!(text, " {}", paint(theme.dim, &format!("({aside})")));
    }
    text.push('\n');
    text
}

fn values<N>(session: &Session, values: &[(Record, N)], text: impl Fn(&N) -> String) -> String {
    let each = values.iter();
    let each = each.map(|(player, value)| format!("{} {}", name(session, player), text(value)));
    each.collect::<Vec<_>>().join(", ")
}

/// A value as people read it: a fraction as it is, a float in few digits.
fn worth(value: &Expected) -> String {
    match value {
        Expected::Float(value) => short(*value),
        exact => zug_report::Number::from(exact.clone()).shown(None),
    }
}

/// What an end is worth, in few digits.
fn number(value: Number) -> String {
    match value {
        Number::Float(value) => short(value),
        value => value.to_string(),
    }
}

/// What best play comes to, in a clause; with the value where that is asked for.
fn verdict(
    session: &Session,
    position: &Position,
    outlook: &Outlook,
    asks_for_value: bool,
) -> String {
    let own = outlook.values.iter().find(|(player, _)| *player == position.player);
    let Some((player, own)) = own else {
        return "nothing is known of this position".to_owned();
    };
    let player = name(session, player);
    let exact = match &outlook.exact_if {
        Some(given) => Some(format!("exact if {given}")),
        None if outlook.exact => Some("exact".to_owned()),
        None => outlook.distance.map(|_| "proved".to_owned()),
    };
    let distance = outlook.distance.filter(|&moves| moves > 0);
    let mut text = match (outlook.values.as_slice(), exact) {
        ([(one, first), (other, other_value)], Some(exact)) if !outlook.mean => {
            let claim = match first.as_f64().total_cmp(&other_value.as_f64()) {
                Ordering::Equal => "a draw with best play".to_owned(),
                order => {
                    let winner = if order.is_gt() { one } else { other };
                    format!(
                        "{} {}",
                        name(session, winner),
                        outcome_words(Ordering::Greater, distance)
                    )
                }
            };
            match asks_for_value {
                true => format!("{claim} (value {} for {player}, {exact})", worth(own)),
                false => format!("{claim} ({exact})"),
            }
        }
        (all, exact) => {
            let mut text = match all {
                [_] | [_, _] if outlook.mean => {
                    format!("worth {} to {player} on average", worth(own))
                }
                [_] | [_, _] => format!("value {} for {player}", worth(own)),
                all => format!("best play comes to {}", values(session, all, worth)),
            };
            match (exact, outlook.depth) {
                (Some(exact), _) => {
                    let _ = write!(text, ", {exact}");
                }
                (None, Some(depth)) => {
                    let _ = write!(text, ", estimated {} ahead", counted(u64::from(depth), "move"));
                }
                (None, None) => {}
            }
            if let Some(moves) = distance {
                let _ = write!(text, ", over in {}", counted(u64::from(moves), "move"));
            }
            text
        }
    };
    if outlook.stopped == Some(StopReason::Cancelled) {
        text += " (interrupted)";
    }
    text
}

/// The answer to `eval`.
pub fn outlook(session: &Session, position: &Position, outlook: &Outlook) -> String {
    let mut text = format!("{}\n", verdict(session, position, outlook, true));
    if outlook.line.len() > 1 {
        let names: Vec<String> = outlook.line.iter().map(|mv| name(session, mv)).collect();
        let _ = writeln!(text, "  best line: {}", line(&names));
    }
    text
}

/// The answer to `hint`.
pub fn hint(session: &Session, position: &Position, outlook: &Outlook) -> String {
    match outlook.choice.and_then(|at| position.choices.get(at)) {
        Some(choice) => {
            format!(
                "{}: {}\n",
                name(session, &choice.mv),
                verdict(session, position, outlook, false)
            )
        }
        None => format!("{}\n", verdict(session, position, outlook, false)),
    }
}

/// Names with `and` before the last.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// How a game ended, in a clause, with the players called as they are in `call`.
fn end(session: &Session, ending: &Ending, call: &dyn Fn(&Record) -> String) -> String {
    let winners: Vec<String> = ending.winners.iter().map(call).collect();
    // Of two the loser loses what the winner wins.
    let opposed = matches!(ending.values.as_slice(), [(_, one), (_, other)]
        if one.as_f64() + other.as_f64() == 0.0);
    let all = match ending.values.as_slice() {
        _ if opposed => String::new(),
        [_] => String::new(),
        all => format!(" ({})", values(session, all, |value| number(*value))),
    };
    match winners.as_slice() {
        _ if ending.values.is_empty() => "a draw: the same position for the third time".to_owned(),
        _ if ending.draw => format!("a draw{all}"),
        [winner] => format!("{winner} wins{all}"),
        several => format!("{} share the win{all}", listed(several)),
    }
}

/// How a game ended.
pub fn result(session: &Session, ending: &Ending) -> String {
    end(session, ending, &|player| name(session, player))
}

/// How a game ended, for who played it.
pub fn ending(session: &Session, game: &Match, ending: &Ending, theme: &Theme) -> String {
    let moves = counted(game.moves().len() as u64, "move");
    let mut text =
        format!("Over after {moves}: {}.", end(session, ending, &|player| name(session, player)));
    if let Some(player) = game.human().filter(|_| !ending.draw) {
        text += match (ending.winners.contains(player), ending.winners.len()) {
            (true, 1) => " You win.",
            (true, _) => " You are among them.",
            (false, _) => " You lose.",
        };
    }
    format!("{}\n", paint(theme.strong, &text))
}

/// Who plays in a series, and its seed.
pub fn series(series: &Series, seed: u64) -> String {
    let agents = series.agents().iter().enumerate();
    let agents: Vec<String> =
        agents.map(|(at, who)| format!("{} is {}", letter(at), agent(who))).collect();
    format!("{}; seed {seed}\n", agents.join(", "))
}

/// What the agents of a series are called.
fn letter(at: usize) -> String {
    format!("#{}", at + 1)
}

/// A game of a series, on a line.
pub fn played(session: &Session, number: u64, played: &SeriesGame) -> String {
    let game = &played.game;
    let called = |player: &Record| {
        let seat = game.players.iter().position(|other| other == player);
        let agent = seat.and_then(|seat| played.seats.get(seat));
        let agent = agent.map_or(String::new(), |&at| format!(" ({})", letter(at)));
        format!("{}{agent}", name(session, player))
    };
    let seats: Vec<String> = game.players.iter().map(called).collect();
    let opening: Vec<String> =
        game.moves().take(played.opening).map(|(_, mv)| name(session, mv)).collect();
    let mut text = format!("game {number}: {}; ", seats.join(" against "));
    if !opening.is_empty() {
        let _ = write!(text, "opening {}; ", opening.join(", "));
    }
    let _ = match &played.ending {
        Some(ending) => write!(text, "{}", end(session, ending, &called)),
        None => write!(text, "broken off, counts as a draw"),
    };
    let _ = writeln!(text, ", {}", counted(game.moves().len() as u64, "move"));
    text
}

/// The score of a series.
pub fn score(series: &Series, tallies: &[AgentScore]) -> String {
    let mut text = String::new();
    for (at, (who, tally)) in series.agents().iter().zip(tallies).enumerate() {
        let _ = writeln!(
            text,
            "{} {}: {}, {}, {}",
            letter(at),
            agent(who),
            counted(tally.wins, "win"),
            counted(tally.draws, "draw"),
            match tally.losses {
                1 => "1 loss".to_owned(),
                losses => format!("{} losses", super::number::grouped(losses)),
            }
        );
    }
    text
}
