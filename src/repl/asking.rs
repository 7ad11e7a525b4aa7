//! What conversations of `play` share: a line that is asked for, files, complaints.

use super::{Console, Line};
use std::io;
use std::sync::atomic::Ordering;
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::session::Session;
use zug_render::diagnostic::{RenderOptions, render};
use zug_render::style::Theme;
use zug_term::Record;
use zug_term::diagnostic::Diagnostic;
use zug_term::spelling::nearest;

/// Reads a line; `None` to leave. Ctrl-C says how to leave, pressed again it does.
pub(super) fn line(
    session: &mut Session,
    console: &mut dyn Console,
    (prompt, words): (&str, &[String]),
) -> io::Result<Option<String>> {
    let mut interrupted = false;
    loop {
        session.machine.interrupt.store(false, Ordering::Relaxed);
        match console.line(session, prompt, words)? {
            Line::Text(text) => return Ok(Some(text)),
            Line::End => return Ok(None),
            Line::Interrupted if interrupted => return Ok(None),
            Line::Interrupted => {
                interrupted = true;
                let words = "`quit`, Ctrl-D or Ctrl-C again leaves the game\n";
                session.world.streams.put_str(USER_OUTPUT, words)?;
            }
        }
    }
}

/// Shows what is wrong with something that was typed or read.
pub(super) fn complain(
    session: &mut Session,
    finding: &Diagnostic,
    theme: &Theme,
) -> io::Result<()> {
    let mut text = String::new();
    let options = RenderOptions { colour: theme.colour };
    render(&mut text, finding, options).map_err(io::Error::other)?;
    session.world.streams.put_str(USER_OUTPUT, &text)
}

/// A move as it was typed.
///
/// # Errors
/// What is wrong with its text; nothing if it has none.
pub(super) fn typed_move(
    session: &mut Session,
    text: &str,
) -> Result<Record, Option<Box<Diagnostic>>> {
    let query = session.query(text).map_err(|fault| {
        let mut finding = fault.diagnostic;
        for label in finding.primary.iter_mut().chain(&mut finding.secondary) {
            label.source.name = "your move".into();
        }
        finding.hint.get_or_insert_with(|| {
            "type a move or its number; `moves` lists them, `help` helps".to_owned()
        });
        Some(Box::new(finding))
    })?;
    let goal = session.goal(&query);
    let typed = goal.map(|goal| Record::new(&mut session.machine.heap, goal));
    session.close(query);
    typed.ok_or(None)
}

/// The first word of a line and what follows it; with or without colon and full stop.
pub(super) fn first_word(text: &str) -> (&str, &str) {
    let text = text.strip_prefix(':').unwrap_or(text);
    let text = text.strip_suffix('.').unwrap_or(text).trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}

/// The word that was perhaps meant.
pub(super) fn near_word<'w>(words: impl Iterator<Item = &'w str>, typed: &str) -> Option<&'w str> {
    let first = typed.split_whitespace().next()?;
    nearest(words, first).filter(|word| *word != first)
}
