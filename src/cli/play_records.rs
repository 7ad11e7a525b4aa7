//! `zug play` for programs: a record for each position, move, round and result.
//!
//! A person's moves are lines of the standard input ([`Lines`]): a move as it is written, or its number where moves
//! are no numbers; `undo` takes one back, `hint` gives a record `hint`, `quit` or the end of the input leaves. A line that
//! is none of these gives a record `refused`, and the next one is read.

use super::{Exit, emit, fail, rules};
use std::sync::atomic::Ordering;
use std::time::Instant;
use zug_prolog::builtins::streams::USER_INPUT;
use zug_prolog::session::Session;
use zug_render::board::draw;
use zug_render::play as show;
use zug_search::StopReason;
use zug_term::Record;
use zug_usecases::Failure;
use zug_usecases::play::{Agent, AgentScore, Match, NotFound, PlayRequest, Series, Thought};
use zug_usecases::record::games::{self, Refused, RoundData};
use zug_usecases::record::{ErrorData, Progress};
use zug_usecases::rounds::Rounds;

/// Why a game went no further.
pub(super) enum RecordsEnd {
    Failure(Failure),
    /// Somebody left.
    Left,
    Exit(Exit),
}

impl From<Failure> for RecordsEnd {
    fn from(failure: Failure) -> RecordsEnd {
        RecordsEnd::Failure(failure)
    }
}

/// Plays one game.
pub fn game(session: &mut Session, mut game: Match, lines: Lines) -> Exit {
    let stopped = play(session, &mut game, lines);
    let ending = game.ending();
    emit::record("result", &games::result(session, (1, 0), &game, ending.as_ref()));
    finish(stopped)
}

/// The exit code of a game that went so far.
pub(super) fn finish(played: Result<(), RecordsEnd>) -> Exit {
    match played {
        Ok(()) | Err(RecordsEnd::Left) => Exit::Success,
        Err(RecordsEnd::Exit(exit)) => exit,
        Err(RecordsEnd::Failure(failure)) => rules::show_failure(&failure),
    }
}

fn play(session: &mut Session, game: &mut Match, mut lines: Lines) -> Result<(), RecordsEnd> {
    loop {
        let board = draw(session, &game.now().state);
        emit::record("state", &games::state(session, game, board));
        go_on(session)?;
        if game.ending().is_some() {
            return Ok(());
        }
        let (choice, thought) = match game.to_move() {
            Agent::Human => match ask(session, game, &mut lines)? {
                Some(choice) => (choice, None),
                // A move was taken back.
                None => continue,
            },
            _ => {
                let thought = game.think(session)?;
                if was_interrupted(&thought) {
                    return Err(RecordsEnd::Exit(Exit::Interrupted));
                }
                (thought.choice, thought.outlook)
            }
        };
        emit::record("move", &games::made(session, game, choice, thought.as_ref()));
        game.play(session, choice)?;
    }
}

fn was_interrupted(thought: &Thought) -> bool {
    let stopped = thought.outlook.as_ref().and_then(|outlook| outlook.stopped);
    stopped == Some(StopReason::Cancelled)
}

/// Stops on Ctrl-C, and where the records can't be written.
pub(super) fn go_on(session: &Session) -> Result<(), RecordsEnd> {
    if session.machine.interrupt.load(Ordering::Relaxed) {
        return Err(RecordsEnd::Exit(Exit::Interrupted));
    }
    emit::full().map_or(Ok(()), |exit| Err(RecordsEnd::Exit(exit)))
}

/// The lines of the standard input that a person or a program types.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// A move is its term, never its number in the list, and the first line that is refused ends the play.
    strict: bool,
    /// Lines that were read.
    count: u64,
}

impl Lines {
    /// All lines of the standard input.
    pub fn new(strict: bool) -> Lines {
        Lines { strict, count: 0 }
    }

    /// The next line, without a full stop.
    pub(super) fn next(&mut self, session: &mut Session) -> Result<String, RecordsEnd> {
        loop {
            go_on(session)?;
            session.world.streams.begin_read(&session.machine);
            match session.world.streams.read_line(USER_INPUT) {
                Ok(None) => return Err(RecordsEnd::Left),
                Ok(Some(text)) if text.trim().is_empty() => {}
                Ok(Some(text)) => {
                    self.count += 1;
                    let text = text.trim();
                    return Ok(text.strip_suffix('.').unwrap_or(text).trim_end().to_owned());
                }
                // Ctrl-C takes the reading away.
                Err(_) if session.machine.interrupt.load(Ordering::Relaxed) => {}
                Err(error) => {
                    fail("io", &format!("can't read the standard input: {error}"));
                    return Err(RecordsEnd::Exit(Exit::Error));
                }
            }
        }
    }

    /// The number in the list that a line is, if numbers name moves there.
    pub(super) fn number(&self, text: &str, are_integers: bool) -> Option<usize> {
        text.parse().ok().filter(|_| !self.strict && !are_integers)
    }

    /// Refuses the line that was read last.
    pub(super) fn refuse(&self, line: String, message: &str) -> Result<(), RecordsEnd> {
        let message = message.trim().to_owned();
        if self.strict {
            let words = format!("line {}: {message}", self.count);
            emit::error(ErrorData::new("illegal_move", words));
        }
        emit::record("refused", &Refused { number: self.count, line, message });
        if self.strict { Err(RecordsEnd::Exit(Exit::Usage)) } else { Ok(()) }
    }
}

/// A person's move, as a place among those there are; `None` if one was taken back.
fn ask(
    session: &mut Session,
    game: &mut Match,
    lines: &mut Lines,
) -> Result<Option<usize>, RecordsEnd> {
    loop {
        let text = lines.next(session)?;
        let count = game.now().choices.len();
        match lines.number(&text, show::are_integers(game.now())) {
            Some(number) if (1..=count).contains(&number) => return Ok(Some(number - 1)),
            Some(_) => {
                let words = show::no_such_number(session, game.now(), &text);
                lines.refuse(text, &words)?;
                continue;
            }
            None => {}
        }
        let typed = match session.query(&text) {
            Ok(query) => {
                let goal = session.goal(&query);
                let typed = goal.map(|goal| Record::new(&mut session.machine.heap, goal));
                session.close(query);
                typed
            }
            Err(fault) => {
                lines.refuse(text, &fault.diagnostic.message)?;
                continue;
            }
        };
        let Some(typed) = typed else { continue };
        let words = match game.find(session, &typed) {
            Ok(choice) => return Ok(Some(choice)),
            Err(NotFound::None) if text == "quit" => return Err(RecordsEnd::Left),
            Err(NotFound::None) if text == "undo" && game.undo() > 0 => return Ok(None),
            Err(NotFound::None) if text == "hint" => {
                let outlook = game.evaluate(session)?;
                if let Some(choice) = outlook.choice {
                    emit::record("hint", &games::made(session, game, choice, Some(&outlook)));
                }
                continue;
            }
            Err(NotFound::None) => show::no_such_move(session, game.now(), &text),
            Err(NotFound::Several(found)) => show::several(session, game.now(), &text, &found),
        };
        lines.refuse(text, &words)?;
    }
}

/// Plays games among machines: a result for each, then the score.
pub fn series(session: &mut Session, request: &PlayRequest, count: u32) -> Exit {
    let mut series = match Series::new(session, request) {
        Ok(series) => series,
        Err(failure) => return rules::show_failure(&failure),
    };
    let began = Instant::now();
    let mut tallies = vec![AgentScore::default(); series.agents().len()];
    let mut played = Ok(());
    for number in 1..=u64::from(count) {
        let next = series.next(session).map_err(RecordsEnd::Failure);
        match next.and_then(|game| go_on(session).map(|()| game)) {
            Ok(game) => {
                game.count(&mut tallies);
                let at = (number, game.opening);
                let result = games::result(session, at, &game.game, game.ending.as_ref());
                emit::record("result", &result);
                emit::progress(|| Progress::counted(number, count.into(), began.elapsed()));
            }
            Err(stop) => {
                played = Err(stop);
                break;
            }
        }
    }
    emit::record("score", &games::score(&series, &tallies));
    finish(played)
}

/// Plays rounds of a game in which all choose at once.
pub fn rounds(session: &mut Session, mut rounds: Rounds, mut lines: Lines) -> Exit {
    let mut played = Ok(());
    while !rounds.is_over() {
        if let Err(stop) = round(session, &mut rounds, &mut lines) {
            played = Err(stop);
            break;
        }
    }
    emit::record("result", &games::rounds(&rounds));
    finish(played)
}

fn round(session: &mut Session, rounds: &mut Rounds, lines: &mut Lines) -> Result<(), RecordsEnd> {
    let own = rounds.seats()[0];
    let text = lines.next(session)?;
    let actions = &rounds.actions[own];
    let named = actions.iter().position(|name| name.text == text);
    let number = lines.number(&text, false).and_then(|number| number.checked_sub(1));
    let Some(action) = named.or(number.filter(|&at| at < actions.len())) else {
        if text == "quit" {
            return Err(RecordsEnd::Left);
        }
        let words = format!("there is no action `{text}`; the actions are {}", actions.join(", "));
        return lines.refuse(text, &words);
    };
    let round = rounds.play(session, action)?;
    let name = |player: usize| rounds.actions[player][round.actions[player]].clone();
    emit::record(
        "round",
        &RoundData {
            number: rounds.score().rounds,
            actions: vec![name(0), name(1)],
            winner: round.winner.map(|player| rounds.players[player].clone()),
        },
    );
    Ok(())
}
