//! `zug play` of a puzzle for programs: a record for each state, move and result.
//!
//! Lines of the standard input are moves as they are written, or their numbers where moves are no
//! numbers; `undo`, `redo` and `again` change the state, `far` gives a record `ahead`, `quit` or
//! the end of the input leaves. A line that is none of these gives a record `refused`.

use super::play_records::{Lines, RecordsEnd, finish, go_on};
use super::{Exit, emit};
use zug_prolog::session::Session;
use zug_render::board::draw;
use zug_render::puzzle as show;
use zug_term::Record;
use zug_usecases::play::NotFound;
use zug_usecases::puzzle::Puzzle;
use zug_usecases::record::puzzles;

/// Plays a puzzle.
pub fn puzzle(session: &mut Session, mut puzzle: Puzzle, lines: Lines) -> Exit {
    let mut stopped = play(session, &mut puzzle, lines);
    let mut best = None;
    if puzzle.now().goal {
        match puzzle.ahead_of_start(session) {
            Ok(ahead) => best = Some(ahead),
            Err(failure) => stopped = Err(RecordsEnd::Failure(failure)),
        }
    }
    emit::record("result", &puzzles::result(session, &puzzle, best.as_ref()));
    finish(stopped)
}

fn play(session: &mut Session, puzzle: &mut Puzzle, mut lines: Lines) -> Result<(), RecordsEnd> {
    loop {
        let board = draw(session, &puzzle.now().state);
        emit::record("state", &puzzles::state(session, puzzle, board));
        go_on(session)?;
        if puzzle.now().goal {
            return Ok(());
        }
        ask(session, puzzle, &mut lines)?;
    }
}

/// Reads lines until the state is another one.
fn ask(session: &mut Session, puzzle: &mut Puzzle, lines: &mut Lines) -> Result<(), RecordsEnd> {
    loop {
        let text = lines.next(session)?;
        let choice = match choose(session, puzzle, &text, lines) {
            Ok(choice) => choice,
            Err(words) => {
                match text.as_str() {
                    "quit" => return Err(RecordsEnd::Left),
                    "undo" if puzzle.undo(1) > 0 => return Ok(()),
                    "redo" if puzzle.redo(1) > 0 => return Ok(()),
                    "again" if puzzle.undo(usize::MAX) > 0 => return Ok(()),
                    "far" | "hint" | "plan" => {
                        let ahead = puzzle.ahead(session).map_err(RecordsEnd::Failure)?;
                        emit::record("ahead", &puzzles::ahead(session, &ahead));
                    }
                    _ => lines.refuse(text, &words)?,
                }
                continue;
            }
        };
        if let Some(made) = puzzles::made(session, puzzle, choice) {
            emit::record("move", &made);
        }
        puzzle.make(session, choice).map_err(RecordsEnd::Failure)?;
        return Ok(());
    }
}

/// The move that a line is; else what is wrong with it.
fn choose(
    session: &mut Session,
    puzzle: &Puzzle,
    text: &str,
    lines: &Lines,
) -> Result<usize, String> {
    let spot = puzzle.now();
    if let Some(number) = lines.number(text, show::are_integers(spot)) {
        return match number.checked_sub(1).filter(|&at| at < spot.moves.len()) {
            Some(at) => Ok(at),
            None => Err(show::no_such_number(session, spot, text)),
        };
    }
    let query = session.query(text).map_err(|fault| fault.diagnostic.message)?;
    let goal = session.goal(&query);
    let typed = goal.map(|goal| Record::new(&mut session.machine.heap, goal));
    session.close(query);
    let typed = typed.ok_or_else(|| "there is no move in it".to_owned())?;
    puzzle.find(session, &typed).map_err(|found| match found {
        NotFound::None => show::no_such_move(session, puzzle.now(), text),
        NotFound::Several(found) => show::several(session, puzzle.now(), text, &found),
    })
}
