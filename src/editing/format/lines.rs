//! Lines of pieces, and where the pieces stood in the text before.

use unicode_width::UnicodeWidthChar as _;
use zug_syntax::Token;
use zug_term::source::Span;

/// Columns between two stops of a tab.
const TAB: usize = 8;

/// Where a token stood.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Its line, from 0.
    pub line: usize,
    /// Its column, from 0.
    pub column: usize,
    /// Columns between it and the token before it in the line; in front of the first its column.
    pub gap: usize,
    /// Ends of lines between it and the token before it.
    pub breaks: usize,
}

impl Place {
    /// Whether blanks stand before it in its line.
    pub fn is_spaced(self) -> bool {
        self.gap > 0 && self.breaks == 0
    }
}

/// Columns of a text without ends of lines.
pub fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// The column behind a text that begins in a column.
pub fn advance(mut column: usize, text: &str) -> usize {
    for c in text.chars() {
        column = match c {
            '\t' => (column / TAB + 1) * TAB,
            '\n' => 0,
            c => column + c.width().unwrap_or(0),
        };
    }
    column
}

/// Where the tokens of a clause stand. Lines are counted from that of the first token: those of the
/// whole text are found by [`super::page::Page::put`].
pub fn places(text: &str, tokens: &[Token]) -> Vec<Place> {
    let mut places = Vec::with_capacity(tokens.len());
    let Some(first) = tokens.first() else { return places };
    let start = text[..first.start as usize].rfind('\n').map_or(0, |end| end + 1);
    let (mut at, mut line, mut column) = (start, 0, 0);
    for token in tokens {
        let between = &text[at..token.start as usize];
        let breaks = between.matches('\n').count();
        let from = if breaks > 0 { 0 } else { column };
        let begin = advance(column, between);
        line += breaks;
        places.push(Place { line, column: begin, gap: begin - from, breaks });
        let shown = token.text(text);
        line += shown.matches('\n').count();
        column = advance(begin, shown);
        at = token.end as usize;
    }
    places
}

/// A token or a stretch of the old text in a line of the new one.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub span: Span,
    /// Blanks before it, at least.
    pub gap: usize,
    pub place: Place,
    pub width: usize,
    /// It has several lines: nothing behind it is lined up.
    pub long: bool,
    /// It is lined up by its end.
    pub number: bool,
    /// It is never lined up.
    pub fixed: bool,
    /// The gap before it is what the author made it: a comment, or a clause in the line of another.
    pub keeps: bool,
}

/// A column of the page: that of a piece, and some more.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spot {
    /// Line and number of the piece; `None` is the margin.
    pub piece: Option<(usize, usize)>,
    /// Columns to add.
    pub add: usize,
    /// The column as long as nothing is lined up.
    pub column: usize,
}

impl Spot {
    /// A column from the margin.
    pub fn margin(column: usize) -> Spot {
        Spot { piece: None, add: column, column }
    }

    /// Some columns to the right.
    pub fn plus(self, more: usize) -> Spot {
        Spot { add: self.add + more, column: self.column + more, ..self }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Line {
    pub indent: Spot,
    pub pieces: Vec<Piece>,
    /// Empty lines before it.
    pub empty: usize,
    /// It goes on with a clause.
    pub continues: bool,
}
