//! The output buffer of the formatter.

use super::align::align;
use super::lines::{Line, Piece, Place, Spot, advance, places, width};
use zug_syntax::Token;
use zug_term::source::Span;

pub struct Page<'t> {
    text: &'t str,
    /// Offsets at which the lines of the old text begin.
    starts: Vec<usize>,
    lines: Vec<Line>,
    /// The column behind the last piece.
    pub column: usize,
    /// How far the old text is used up.
    used: usize,
    /// The gap before the next piece.
    gap: usize,
}

impl<'t> Page<'t> {
    /// An empty page for a text. A first line for the shell stays.
    pub fn new(text: &'t str) -> Page<'t> {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        let mut page = Page { text, starts, lines: Vec::new(), column: 0, used: 0, gap: 0 };
        if text.starts_with("#!") {
            let end = text.find('\n').unwrap_or(text.len());
            page.break_line(Spot::default(), 0);
            page.piece(Span::new(0, end), Place::default());
        }
        page
    }

    /// Goes on to what begins at an offset of the old text: in a new line, if it did there.
    pub fn between(&mut self, start: usize, most_empty: usize) {
        let between = &self.text[self.used..start];
        let breaks = between.matches('\n').count();
        if self.lines.is_empty() {
            self.break_line(Spot::default(), 0);
        } else if breaks > 0 {
            self.break_line(Spot::default(), (breaks - 1).min(most_empty));
        } else {
            // Nothing stands between a piece that was left alone and the next clause.
            self.gap = advance(0, between);
        }
    }

    /// A comment between clauses, in the column in which it stood; blanks at its end go, or are kept.
    pub fn comment(&mut self, token: Token, kept: bool) {
        let place = places(self.text, &[token])[0];
        if let Some(line) = self.lines.last_mut().filter(|line| line.pieces.is_empty()) {
            line.indent = Spot::margin(place.column);
            self.column = place.column;
            self.gap = 0;
        } else {
            let from = self.text[..token.start as usize].trim_end_matches([' ', '\t']).len();
            let blanks = advance(0, &self.text[from..token.start as usize]);
            self.gap = blanks.max(1);
        }
        let gap = self.gap;
        let shown = token.text(self.text);
        let shown = if kept { shown } else { shown.trim_end() };
        let span = Span::new(token.start as usize, token.start as usize + shown.len());
        self.piece(span, Place { gap, ..place });
        self.last_piece().keeps = true;
        self.used = token.end as usize;
    }

    /// A stretch of the old text as it is, with what stands before it in its line.
    pub fn verbatim(&mut self, span: Span) {
        let mut start = span.start as usize;
        if self.lines.last().is_some_and(|line| line.pieces.is_empty()) {
            let line = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
            if self.text[line..start].trim_start().is_empty() && line >= self.used {
                start = line;
            }
        }
        self.piece(Span::new(start, span.end as usize), Place::default());
        self.used = span.end as usize;
        self.last_piece().long = true;
    }

    pub fn last_piece(&mut self) -> &mut Piece {
        let piece = self.lines.last_mut().and_then(|line| line.pieces.last_mut());
        piece.expect("one was put")
    }

    /// Begins a line of a clause.
    pub fn continue_line(&mut self, indent: Spot, empty: usize) {
        self.break_line(indent, empty);
        self.lines.last_mut().expect("begun just now").continues = true;
    }

    fn break_line(&mut self, indent: Spot, empty: usize) {
        self.column = indent.column;
        self.gap = 0;
        self.lines.push(Line { indent, pieces: Vec::new(), empty, continues: false });
    }

    pub fn line_start(&self) -> Spot {
        let number = self.lines.len() - 1;
        Spot { piece: Some((number, 0)), add: 0, column: self.lines[number].indent.column }
    }

    /// The gap that the next piece of a clause has at its beginning.
    pub fn first_gap(&self) -> usize {
        self.gap
    }

    /// A token of a clause, some blanks behind the one before. Says where it is.
    pub fn put(&mut self, span: Span, gap: usize, place: Place) -> Spot {
        self.gap = gap;
        self.piece(span, place);
        Spot { column: self.column - self.last_piece().width, ..self.last_spot() }
    }

    /// The column behind the last piece, at the piece.
    fn last_spot(&self) -> Spot {
        let line = self.lines.len() - 1;
        let piece = self.lines[line].pieces.len() - 1;
        Spot { piece: Some((line, piece)), add: 0, column: self.column }
    }

    /// A token that belongs to the piece put last, right behind it. Says where it is.
    pub fn lengthen(&mut self, span: Span) -> Spot {
        let columns = width(&self.text[span.start as usize..span.end as usize]);
        let spot = self.last_spot();
        let last = self.last_piece();
        let add = last.width;
        last.span.end = span.end;
        last.width += columns;
        self.column += columns;
        self.used = span.end as usize;
        Spot { add, ..spot }
    }

    fn piece(&mut self, span: Span, place: Place) {
        let shown = &self.text[span.start as usize..span.end as usize];
        let first = shown.split('\n').next().unwrap_or_default();
        let width = width(first);
        let line = self.starts.partition_point(|&start| start <= span.start as usize) - 1;
        let long = shown.contains('\n');
        let gap = self.gap;
        self.column += gap + width;
        self.gap = 0;
        let place = Place { line, ..place };
        let piece =
            Piece { span, gap, place, width, long, number: false, fixed: false, keeps: false };
        self.lines.last_mut().expect("a line was begun").pieces.push(piece);
        self.used = span.end as usize;
    }

    pub fn finish(self) -> String {
        let ends = self.text.matches('\n').count();
        let carriage = ends > 0 && self.text.matches("\r\n").count() == ends;
        let end = if carriage { "\r\n" } else { "\n" };
        let columns = align(&self.lines);
        let mut text = String::with_capacity(self.text.len());
        for (number, (line, columns)) in self.lines.iter().zip(&columns).enumerate() {
            if line.pieces.is_empty() {
                continue;
            }
            if number > 0 && !text.is_empty() {
                text += &end.repeat(1 + line.empty);
            }
            let mut behind = 0;
            for (piece, &column) in line.pieces.iter().zip(columns) {
                text.extend(std::iter::repeat_n(' ', column - behind));
                text += &self.text[piece.span.start as usize..piece.span.end as usize];
                behind = column + piece.width;
            }
        }
        // What can't be read goes up to the end of the text.
        let last = self.lines.last().and_then(|line| line.pieces.last());
        let is_raw = |piece: &Piece| piece.long && piece.span.end as usize == self.text.len();
        if !text.is_empty() && !text.ends_with('\n') && !last.is_some_and(is_raw) {
            text += end;
        }
        text
    }
}
