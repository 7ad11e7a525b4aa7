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
use crate::files;
use crate::given::GIVEN;
use crate::play::NotLoaded;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use zug_domain::canonical_text;
use zug_prolog::session::Session;
use zug_syntax::ReadTerm;
use zug_term::Record;
use zug_term::diagnostic::Diagnostic;
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
    let files = &session.world.files;
    files.may_replace(path, HEADER, "record of a puzzle")?;
    files.write_whole(path, text(session, puzzle).as_bytes())
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
    let access = session.world.files.clone();
    let text = files::read_text(session, &access, path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => NotLoaded::Unfit(error.to_string()),
        _ => NotLoaded::Unreadable(error),
    })?;
    let source = Source::new(&path.display().to_string(), &text);
    let mut said = SavedPuzzle::default();
    let faults = files::each_clause(session, source.clone(), |session, clause| {
        take(session, &mut said, clause).map_err(|why| unfit(&source, clause.span, why))
    })?;
    if !faults.is_empty() {
        return Err(NotLoaded::Syntax(faults));
    }
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
            let name = canonical_text(&session.machine, &session.world, mv);
            let why = format!("move {number}, `{name}`, can't be made by these rules");
            return Err(unfit(&source, *span, why));
        };
        replayed.make(session, choice).map_err(NotLoaded::Rule)?;
    }
    *puzzle = replayed;
    Ok(())
}

/// What does not fit in a record, and where.
fn unfit(source: &Source, span: Span, why: String) -> NotLoaded {
    NotLoaded::Syntax(vec![Diagnostic::error("E0706", why).at(source, span, "")])
}

/// Takes note of a clause.
fn take(session: &mut Session, said: &mut SavedPuzzle, read: &ReadTerm) -> Result<(), String> {
    let m = &mut session.machine;
    let record = Record::new(&mut m.heap, read.root);
    let Some((name, arity, args)) = m.heap.name_arity(read.root) else {
        let text = canonical_text(m, &session.world, &record);
        return Err(format!("`{text}` is no clause of a record"));
    };
    match (&*m.symbols.shared(name), arity) {
        ("rules", 1) => {}
        ("start", 1) => {
            let state = m.heap.at(args);
            said.start = Some(Record::new(&mut m.heap, state));
        }
        ("played", 2) => {
            let next = said.moves.len() as i64 + 1;
            if m.heap.deref(m.heap.at(args)).as_int() != Some(next) {
                return Err(format!("move {next} is missing or not in its place"));
            }
            let mv = m.heap.at(args + 1);
            said.moves.push((Record::new(&mut m.heap, mv), read.span));
        }
        _ => {
            let text = canonical_text(m, &session.world, &record);
            return Err(format!("`{text}` is no clause of a record"));
        }
    }
    Ok(())
}
