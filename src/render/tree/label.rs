//! What a state looks like in a node.

use crate::board::grid::grid;
use crate::board::svg::{self, Picture};
use crate::board::{draw, trimmed};
use crate::svg::Svg;
use unicode_width::UnicodeWidthStr;
use zug_options::Row;
use zug_prolog::session::Session;
use zug_usecases::tree::TreeReport;

/// What is shown of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelKind {
    /// The board that the state is, or what `print_state/1` writes; the term where there is
    /// nothing, or too much.
    #[default]
    Board,
    /// The term.
    Term,
    /// Nothing.
    None,
}

/// The option for it.
pub static LABEL: [Row<LabelKind>; 1] = [Row::word(
    "label",
    "WHAT",
    "What stands in a node",
    &[
        ("board", "What print_state/1 draws, or the term"),
        ("term", "The term"),
        ("none", "Nothing"),
    ],
    |to: &mut LabelKind, label| {
        *to = match label {
            "board" => LabelKind::Board,
            "term" => LabelKind::Term,
            _ => LabelKind::None,
        };
        Ok(())
    },
)
.default("board")];

/// The picture of a state: a board where it is one, else lines of text, each character as wide
/// as the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The lines; of a board what stands in its place where there are no pictures.
    pub lines: Vec<String>,
    /// The board.
    pub board: Option<Picture>,
}

/// A board in a tree is as large as this beside one that stands alone.
const SCALE: f64 = 0.6;
/// The most squares of a board that is drawn in a node, down and across.
const SQUARES: usize = 12;

impl Label {
    /// The width and height of the board.
    pub fn board_size(&self) -> Option<(f64, f64)> {
        let (width, height) = svg::size(self.board.as_ref()?);
        Some((width * SCALE, height * SCALE))
    }

    /// The board as elements of a picture, its upper left corner at 0, 0.
    pub fn board_part(&self) -> Option<String> {
        let mut part = Svg::part();
        part.open(&format!("transform=\"scale({SCALE})\""));
        svg::draw(&mut part, (0.0, 0.0), self.board.as_ref()?);
        part.close();
        Some(part.into_part())
    }
}

/// The most lines and columns of a board that is drawn in a node.
const BOARD: (usize, usize) = (16, 34);
/// Columns of a term, and how many lines of them.
const TERM: (usize, usize) = (24, 4);

/// The labels of all states of a tree. Programs draw their boards themselves, so this runs
/// rules.
pub fn labels(session: &mut Session, report: &TreeReport, kind: LabelKind) -> Vec<Label> {
    let label = |state: &zug_usecases::tree::TreeState| match kind {
        LabelKind::None => Label::default(),
        LabelKind::Term => of_term(&state.term.text),
        LabelKind::Board => {
            let text = draw(session, &state.record).and_then(|text| of_board(&text));
            let text = text.map_or_else(
                || of_term(&state.term.text),
                |board| with_term(board, &state.term.text),
            );
            // What is wrong with draw_state/2 is for `zug check` to say.
            let squares = grid(session, &state.record).ok().flatten();
            let board = squares
                .filter(|grid| grid.rows.len() <= SQUARES && grid.columns() <= SQUARES)
                .map(Picture::Grid);
            Label { board, ..text }
        }
    };
    report.states.iter().map(label).collect()
}

/// A board, without the blank rows and columns around it; `None` if it is too large.
fn of_board(board: &str) -> Option<Label> {
    let lines: Vec<&str> = trimmed(board).lines().map(str::trim_end).collect();
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let blank = lines.iter().filter(|line| !line.is_empty()).map(indent).min()?;
    let lines: Vec<String> =
        lines.iter().map(|line| line.get(blank..).unwrap_or_default().replace('\t', " ")).collect();
    let fits = lines.len() <= BOARD.0 && lines.iter().all(|line| line.width() <= BOARD.1);
    fits.then_some(Label { lines, board: None })
}

/// A board of one line with a short term below it: who counts 14 matches?
fn with_term(mut board: Label, term: &str) -> Label {
    const LONG: usize = 4;
    const SHORT: usize = 10;
    if let [line] = board.lines.as_slice()
        && line.width() > LONG
        && term.width() <= SHORT
        && line != term
    {
        let indent = line.width().saturating_sub(term.width()) / 2;
        board.lines.push(format!("{}{term}", " ".repeat(indent)));
    }
    board
}

/// A term, broken into lines where it is long, cut where it is very long.
fn of_term(term: &str) -> Label {
    let (columns, most) = TERM;
    let mut lines = vec![String::new()];
    // A line may end behind a comma that isn't the first thing on it.
    let mut pieces: Vec<String> = vec![String::new()];
    for c in term.chars() {
        let piece = pieces.last_mut().expect("there is one");
        piece.push(if c.is_control() { ' ' } else { c });
        if c == ',' || piece.width() >= columns {
            pieces.push(String::new());
        }
    }
    for piece in pieces {
        let line = lines.last_mut().expect("there is one");
        if line.width() + piece.width() <= columns || line.is_empty() {
            line.push_str(&piece);
        } else if lines.len() == most {
            lines[most - 1].push('…');
            break;
        } else {
            lines.push(piece);
        }
    }
    Label { lines, board: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_lose_what_is_blank_around_them() {
        let label = of_board("\n  x .\n  . o\n\n").expect("it fits");
        assert_eq!(label.lines, ["x .", ". o"]);
        assert_eq!(of_board(&"wide ".repeat(20)), None);
        assert_eq!(of_board("   \n"), None);
    }

    #[test]
    fn long_terms_are_broken_and_cut() {
        assert_eq!(of_term("s(1,2)").lines, ["s(1,2)"]);
        let lines = of_term(&format!("[{}]", "abc,".repeat(60))).lines;
        assert_eq!(lines.len(), 4);
        assert!(lines.iter().all(|line| line.width() <= 25) && lines[3].ends_with('…'));
        assert_eq!(of_term(&"x".repeat(500)).lines.len(), 4);
    }
}
