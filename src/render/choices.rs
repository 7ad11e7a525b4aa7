//! Moves to choose from, and replies to text that names none of them.

use super::style::{Theme, paint};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_term::Record;
use zug_term::spelling::distance_within;
use zug_tools::columns::most as most_columns;
use zug_usecases::play::NotFound;

/// Columns for the list of moves.
const COLUMNS: usize = 76;
/// Columns for the moves named in a complaint.
const FEW: usize = 60;

/// Moves that a person can choose from.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The moves, as they are typed.
    pub names: Vec<String>,
    /// The moves with what tells them apart.
    pub labels: Vec<String>,
    /// The names are integers, so that a number is a name and not a place in the list.
    pub integers: bool,
}

impl Choices {
    /// Moves whose names tell them apart.
    pub fn new<'m>(
        session: &Session,
        moves: impl ExactSizeIterator<Item = &'m Record> + Clone,
    ) -> Choices {
        let names: Vec<String> =
            moves.clone().map(|mv| term_text(&session.machine, &session.world, mv)).collect();
        let mut moves = moves;
        let integers = moves.len() > 0 && moves.all(|mv| mv.root.as_int().is_some());
        Choices { labels: names.clone(), names, integers }
    }

    /// The place that a number stands for, or the reply if no move has it; `None` for what is no
    /// number of a move.
    pub fn by_number(&self, typed: &str) -> Option<Result<usize, String>> {
        let number = typed.parse::<usize>().ok().filter(|_| !self.integers)?;
        let at = number.checked_sub(1).filter(|&at| at < self.names.len());
        Some(at.ok_or_else(|| match self.names.as_slice() {
            [] => self.no_such_move(typed),
            [only] => format!("there is no move {typed} here; legal: {only}\n"),
            names => {
                format!("there is no move {typed} here; they are numbered 1 to {}\n", names.len())
            }
        }))
    }

    /// The reply to a term that names no move, or several.
    pub fn refused(&self, typed: &str, why: &NotFound) -> String {
        match why {
            NotFound::None => self.no_such_move(typed),
            NotFound::Several(found) => self.several(typed, found),
        }
    }

    /// The reply to text that names no move.
    pub fn no_such_move(&self, typed: &str) -> String {
        if self.names.is_empty() {
            return "there is no move here; `undo` takes one back\n".to_owned();
        }
        let legal = in_a_row(&self.names);
        match near(&self.names, typed) {
            Some(meant) => {
                format!("there is no move `{typed}` here; did you mean `{meant}`? legal: {legal}\n")
            }
            None => format!("there is no move `{typed}` here; legal: {legal}\n"),
        }
    }

    fn several(&self, typed: &str, found: &[usize]) -> String {
        let fits: Vec<String> =
            found.iter().filter_map(|&at| self.labels.get(at).cloned()).collect();
        let numbers: Vec<String> = found.iter().map(|at| (at + 1).to_string()).collect();
        let fits = in_a_row(&fits);
        if self.integers || numbers.len() > 8 {
            return format!("`{typed}` could be any of {fits}\n");
        }
        format!("`{typed}` could be any of {fits}: type its number, {}\n", numbers.join(" or "))
    }
}

/// Names with their numbers, in columns.
pub(super) fn rows(names: &[String], theme: &Theme) -> String {
    let digits = names.len().to_string().len();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let cell = digits + 1 + widest + 3;
    let most = ((most_columns(COLUMNS) - 2) / cell).clamp(1, names.len().max(1));
    // Rows of about the same length.
    let columns = names.len().div_ceil(names.len().div_ceil(most).max(1)).max(1);
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        let number = paint(theme.dim, &format!("{:>digits$}", at + 1));
        let last = (at + 1) % columns == 0 || at + 1 == names.len();
        let pad = if last { 0 } else { cell - digits - 1 - name.width() };
        let _ =
            write!(text, "{}{number} {name}{:pad$}", if at % columns == 0 { "  " } else { "" }, "");
        if last {
            text.push('\n');
        }
    }
    text
}

/// A few names, in a row.
pub(super) fn in_a_row(names: &[String]) -> String {
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        if text.width() + name.width() > FEW && at > 0 {
            text += ", … (`moves` lists them)";
            break;
        }
        let _ = write!(text, "{}{name}", if at == 0 { "" } else { ", " });
    }
    text
}

/// The name that was perhaps meant: nearly the same letters, and the same but for their case and
/// blanks before all.
fn near<'n>(names: &'n [String], typed: &str) -> Option<&'n str> {
    let plain =
        |text: &str| text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let typed = plain(typed);
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let mut found: Option<(usize, &str)> = None;
    for name in names {
        // Two short names differ in most of their letters, and another number is another move.
        let most = (letters(name).min(letters(&typed)) / 3).min(2);
        if let Some(distance) = distance_within(&plain(name), &typed, most)
            && digits(name) == digits(&typed)
            && found.is_none_or(|(least, _)| distance < least)
        {
            found = Some((distance, name));
        }
    }
    found.map(|(_, name)| name)
}
