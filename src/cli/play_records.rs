//! `zug play` for programs: a record for each position, move, round and result.
//!
//! A person's moves are lines of the standard input ([`Lines`]): a move as it is written, or its number where moves
//! are no numbers; `undo` takes one back, `hint` gives a record `hint`, `quit` or the end of the input leaves. A line that
//! is none of these gives a record `refused`, and the next one is read. In a puzzle `redo` and `again` change the
//! state too, and `far` gives a record `ahead`.

use super::{Exit, emit, fail, rules};
use std::sync::atomic::Ordering;
use std::time::Instant;
use zug_prolog::builtins::streams::USER_INPUT;
use zug_prolog::session::Session;
use zug_render::board::draw;
use zug_render::choices::Choices;
use zug_render::{play as show, puzzle as show_puzzle};
use zug_search::StopReason;
use zug_usecases::Failure;
use zug_usecases::play::{
    Agent, AgentScore, Match, NotFound, PlayRequest, Played, Series, Thought, typed_move,
};
use zug_usecases::puzzle::Puzzle;
use zug_usecases::record::games::{self, Refused, RoundData};
use zug_usecases::record::{ErrorData, Progress, puzzles};
use zug_usecases::rounds::Rounds;

/// Why a game went no further.
enum RecordsEnd {
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
    let stopped = play_game(session, &mut game, lines);
    let ending = game.ending();
    emit::record("result", &games::result(session, (1, 0), &game, ending.as_ref()));
    finish(stopped)
}

/// The exit code of a game that went so far.
fn finish(played: Result<(), RecordsEnd>) -> Exit {
    match played {
        Ok(()) | Err(RecordsEnd::Left) => Exit::Success,
        Err(RecordsEnd::Exit(exit)) => exit,
        Err(RecordsEnd::Failure(failure)) => rules::show_failure(&failure),
    }
}

fn play_game(session: &mut Session, game: &mut Match, mut lines: Lines) -> Result<(), RecordsEnd> {
    loop {
        let board = draw(session, &game.now().state);
        emit::record("state", &games::state(session, game, board));
        go_on(session)?;
        if game.is_over() {
            return Ok(());
        }
        let (choice, thought) = match game.to_move() {
            Agent::Human => match ask(session, game, &mut lines, game_choices, obey_in_game)? {
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
fn go_on(session: &Session) -> Result<(), RecordsEnd> {
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
    fn next(&mut self, session: &mut Session) -> Result<String, RecordsEnd> {
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

    /// Refuses the line that was read last.
    fn refuse(&self, line: String, message: &str) -> Result<(), RecordsEnd> {
        let message = message.trim().to_owned();
        if self.strict {
            let words = format!("line {}: {message}", self.count);
            emit::error(ErrorData::new("illegal_move", words));
        }
        emit::record("refused", &Refused { number: self.count, line, message });
        if self.strict { Err(RecordsEnd::Exit(Exit::Usage)) } else { Ok(()) }
    }
}

/// What became of a line that is no move.
enum Obeyed {
    /// The position is another one.
    Changed,
    Answered,
    /// It is no word.
    Unknown,
}

/// A person's move, as a place among those there are; `None` if a word changed the position. A word is one only
/// where no move has its name.
fn ask<P: Played>(
    session: &mut Session,
    play: &mut P,
    lines: &mut Lines,
    choices: fn(&Session, &P) -> Choices,
    obey: fn(&mut Session, &mut P, &str) -> Result<Obeyed, Failure>,
) -> Result<Option<usize>, RecordsEnd> {
    loop {
        let text = lines.next(session)?;
        let choices = choices(session, play);
        if let Some(choice) = choices.by_number(&text).filter(|_| !lines.strict) {
            match choice {
                Ok(choice) => return Ok(Some(choice)),
                Err(words) => lines.refuse(text, &words)?,
            }
            continue;
        }
        let typed = match typed_move(session, &text) {
            Ok(Some(typed)) => typed,
            Ok(None) => continue,
            Err(fault) => {
                lines.refuse(text, &fault.diagnostic.message)?;
                continue;
            }
        };
        let why = match play.find(session, &typed) {
            Ok(choice) => return Ok(Some(choice)),
            Err(NotFound::None) if text == "quit" => return Err(RecordsEnd::Left),
            Err(why) => why,
        };
        let obeyed = match why {
            NotFound::None => obey(session, play, &text)?,
            NotFound::Several(_) => Obeyed::Unknown,
        };
        match obeyed {
            Obeyed::Changed => return Ok(None),
            Obeyed::Answered => {}
            Obeyed::Unknown => lines.refuse(text.clone(), &choices.refused(&text, &why))?,
        }
    }
}

fn game_choices(session: &Session, game: &Match) -> Choices {
    show::choices(session, game.now())
}

fn obey_in_game(session: &mut Session, game: &mut Match, word: &str) -> Result<Obeyed, Failure> {
    Ok(match word {
        "undo" if game.undo() > 0 => Obeyed::Changed,
        "hint" => {
            let outlook = game.evaluate(session)?;
            if let Some(choice) = outlook.choice {
                emit::record("hint", &games::made(session, game, choice, Some(&outlook)));
            }
            Obeyed::Answered
        }
        _ => Obeyed::Unknown,
    })
}

/// Plays a puzzle.
pub fn puzzle(session: &mut Session, mut puzzle: Puzzle, lines: Lines) -> Exit {
    let mut stopped = play_puzzle(session, &mut puzzle, lines);
    let mut best = None;
    if puzzle.is_over() {
        match puzzle.ahead_of_start(session) {
            Ok(ahead) => best = Some(ahead),
            Err(failure) => stopped = Err(RecordsEnd::Failure(failure)),
        }
    }
    emit::record("result", &puzzles::result(session, &puzzle, best.as_ref()));
    finish(stopped)
}

fn play_puzzle(
    session: &mut Session,
    puzzle: &mut Puzzle,
    mut lines: Lines,
) -> Result<(), RecordsEnd> {
    loop {
        let board = draw(session, &puzzle.now().state);
        emit::record("state", &puzzles::state(session, puzzle, board));
        go_on(session)?;
        if puzzle.is_over() {
            return Ok(());
        }
        if let Some(choice) = ask(session, puzzle, &mut lines, puzzle_choices, obey_in_puzzle)? {
            if let Some(made) = puzzles::made(session, puzzle, choice) {
                emit::record("move", &made);
            }
            puzzle.make(session, choice)?;
        }
    }
}

fn puzzle_choices(session: &Session, puzzle: &Puzzle) -> Choices {
    show_puzzle::choices(session, puzzle.now())
}

fn obey_in_puzzle(
    session: &mut Session,
    puzzle: &mut Puzzle,
    word: &str,
) -> Result<Obeyed, Failure> {
    Ok(match word {
        "undo" if puzzle.undo(1) > 0 => Obeyed::Changed,
        "redo" if puzzle.redo(1) > 0 => Obeyed::Changed,
        "again" if puzzle.undo(usize::MAX) > 0 => Obeyed::Changed,
        "far" | "hint" | "plan" => {
            let ahead = puzzle.ahead(session)?;
            emit::record("ahead", &puzzles::ahead(session, &ahead));
            Obeyed::Answered
        }
        _ => Obeyed::Unknown,
    })
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
    let number = text.parse::<usize>().ok().filter(|_| !lines.strict);
    let number = number.and_then(|number| number.checked_sub(1));
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
