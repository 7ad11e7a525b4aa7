//! States as the page draws them.

use serde::Serialize;
use zug_prolog::session::Session;
use zug_render::board::grid::{Colour, Grid, Square};
use zug_render::board::lines::grid_in;
use zug_render::board::picture;
use zug_render::board::svg::Picture;
use zug_term::Record;

/// Squares of all boards of an answer: beyond them the page asks for each.
const MOST_SQUARES: usize = 60_000;

/// What a state looks like.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Board {
    /// Squares.
    Grid {
        /// The rows, the upper one first.
        rows: Vec<Vec<SquareData>>,
        /// What else the state says.
        below: Option<String>,
    },
    /// Lines of text.
    Text(String),
}

/// A square.
#[derive(Serialize)]
pub struct SquareData {
    /// What is written in it.
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    /// Its colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    fill: Option<ColourData>,
    /// The colour of a round piece on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    disc: Option<ColourData>,
    /// The colour of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    ink: Option<ColourData>,
    /// It is framed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    mark: bool,
}

/// A colour.
#[derive(Serialize)]
struct ColourData {
    /// As `#rrggbb`.
    css: String,
    /// Its name; empty if it has none.
    name: &'static str,
    /// Dark text is read on it.
    light: bool,
}

impl From<Colour> for ColourData {
    fn from(colour: Colour) -> ColourData {
        ColourData { css: colour.css(), name: colour.name, light: colour.is_light() }
    }
}

impl From<Square> for SquareData {
    fn from(Square { text, fill, disc, ink, mark }: Square) -> SquareData {
        let [fill, disc, ink] = [fill, disc, ink].map(|colour| colour.map(ColourData::from));
        SquareData { text, fill, disc, ink, mark }
    }
}

/// Draws the states of an answer, as many as it has room for.
#[derive(Default)]
pub struct Painter {
    squares: usize,
    /// Whether the first text was split into squares: the others are alike, or moves can't be told.
    splits: Option<bool>,
}

impl Painter {
    /// What a state looks like; `None` if there is no room left, or it can't be drawn.
    pub fn board(&mut self, session: &mut Session, state: &Record) -> Option<Board> {
        if self.squares >= MOST_SQUARES {
            return None;
        }
        let picture = picture(session, state).ok()?;
        let split = match &picture {
            Picture::Text(text) if self.splits != Some(false) => {
                let grid = grid_in(text);
                self.splits.get_or_insert(grid.is_some());
                grid.map(Picture::Grid)
            }
            _ => None,
        };
        Some(match split.unwrap_or(picture) {
            Picture::Grid(Grid { rows, below }) => {
                self.squares += rows.iter().map(Vec::len).sum::<usize>();
                let rows = rows.into_iter();
                let squares = |row: Vec<Square>| row.into_iter().map(SquareData::from).collect();
                Board::Grid { rows: rows.map(squares).collect(), below }
            }
            Picture::Text(text) => {
                self.squares += text.len().div_ceil(8);
                Board::Text(text)
            }
        })
    }
}
