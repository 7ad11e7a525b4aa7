//! The record of a puzzle: Prolog clauses that a person can read and write.
//!
//! ```text
//! % A puzzle of zug, to be loaded with `load` while playing by its rules.
//! rules('rules/jugs.pl').
//! start(jugs(0, 0)).
//! played(1, fill(left)).
//! played(2, pour(left, right)).
//! ```
//!
//! On loading the moves are made again, each looked for among those that the rules give.

use super::{Puzzle, look};
use crate::given::GIVEN;
use crate::play::Played;
use crate::saved::{Clause, NotLoaded, Saved, read, shown, unfit, write};
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use zug_domain::canonical_text;
use zug_prolog::session::Session;
use zug_term::Record;
use zug_term::source::{Source, Span};

/// How a record begins.
const HEADER: &str = "% A puzzle of zug";

/// The record of a puzzle.
pub(super) fn text(session: &Session, puzzle: &Puzzle) -> String {
    let (m, w) = (&session.machine, &session.world);
    let mut rules = String::new();
    zug_syntax::push_quoted(&mut rules, &puzzle.rules, '\'');
    let mut text = format!(
        "{HEADER}, to be loaded with `load` while playing by its rules.\nrules({rules}).\n\
         start({}).\n",
        canonical_text(m, w, puzzle.start())
    );
    for (number, mv) in (1..).zip(puzzle.moves()) {
        let _ = writeln!(text, "played({number}, {}).", canonical_text(m, w, mv));
    }
    text
}

/// Writes the record of a puzzle to a file, all of it or nothing. A file that is no record is
/// left alone.
///
/// # Errors
/// The I/O error.
pub fn save(session: &Session, puzzle: &Puzzle, path: &Path) -> io::Result<()> {
    write(session, path, (HEADER, "record of a puzzle"), &text(session, puzzle))
}

/// What a record says.
#[derive(Default)]
struct SavedPuzzle {
    start: Option<Record>,
    /// The moves, and where they stand.
    moves: Vec<(Record, Span)>,
}

/// Makes the puzzle of a record the one that is played.
///
/// # Errors
/// See [`NotLoaded`]; then all is as it was.
pub fn load(session: &mut Session, puzzle: &mut Puzzle, path: &Path) -> Result<(), NotLoaded> {
    let (said, source): (SavedPuzzle, Source) = read(session, path)?;
    let Some(start) = said.start else {
        return Err(NotLoaded::Unfit("it does not say where the puzzle began".to_owned()));
    };
    let mut replayed = puzzle.clone();
    replayed.now = look(session, &start).map_err(NotLoaded::Rule)?;
    (replayed.past, replayed.undone) = (Vec::new(), Vec::new());
    if puzzle.start() != &start {
        replayed.instance = Some(GIVEN.to_owned());
    }
    for (number, (mv, span)) in (1..).zip(&said.moves) {
        let Ok(choice) = replayed.find(session, mv) else {
            let name = shown(session, mv);
            let why = format!("move {number}, `{name}`, can't be made by these rules");
            return Err(unfit(&source, *span, why));
        };
        replayed.make(session, choice).map_err(NotLoaded::Rule)?;
    }
    *puzzle = replayed;
    Ok(())
}

impl Saved for SavedPuzzle {
    fn take(&mut self, clause: &mut Clause<'_>) -> Result<bool, String> {
        match clause.indicator() {
            ("rules", 1) => {}
            ("start", 1) => self.start = Some(clause.part(0)),
            ("played", 2) => {
                clause.must_be_move(self.moves.len() + 1)?;
                self.moves.push((clause.part(1), clause.span));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
