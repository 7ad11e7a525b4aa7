//! Column stops: the text of a `format/2` as it grows, with the places where
//! blanks may go.
//!
//! A segment is the text between two column stops. When the next stop is set,
//! the segment is widened to reach it; the fill points in it (`~t`) share the
//! pad, the last one taking what doesn't divide, and without any the pad goes to the right.

use crate::builtins::stream_text::next_column;
use zug_term::watchdog;

/// Appends a character so many times, in parts that take steps.
pub(super) fn push_repeated(text: &mut String, c: char, mut count: usize) {
    const PART: usize = 1 << 12;
    let part = c.to_string().repeat(count.min(PART));
    while count > 0 {
        let next = count.min(PART);
        watchdog::steps(next);
        text.push_str(&part[..next * c.len_utf8()]);
        count -= next;
    }
}

/// The text so far and the segment that isn't finished.
pub(super) struct Columns {
    /// The text of the whole format.
    pub text: String,
    /// Where in `text` the segment begins.
    start: usize,
    /// The column the segment begins in.
    start_column: usize,
    /// The last column stop.
    stop: usize,
    /// Places in the segment where a pad may go, and what it is made of.
    fills: Vec<(usize, char)>,
}

impl Columns {
    /// A text whose first character stands in this column.
    pub(super) fn new(column: usize) -> Columns {
        Columns { text: String::new(), start: 0, start_column: column, stop: 0, fills: Vec::new() }
    }

    /// `~t`: a place for a pad.
    pub(super) fn fill(&mut self, c: char) {
        self.fills.push((self.text.len(), c));
    }

    /// The column behind the text.
    pub(super) fn column(&self) -> usize {
        self.text[self.start..].chars().fold(self.start_column, next_column)
    }

    /// `~N|`: a stop at a column, or where the text is.
    pub(super) fn stop_at(&mut self, column: Option<usize>) {
        let here = self.column();
        self.finish(here, column.unwrap_or(here));
    }

    /// `~N+`: a stop N columns behind the last one.
    pub(super) fn stop_behind(&mut self, width: usize) {
        let here = self.column();
        self.finish(here, self.stop.saturating_add(width));
    }

    fn finish(&mut self, here: usize, stop: usize) {
        if here < stop {
            self.pad(stop - here);
        }
        self.fills.clear();
        self.start = self.text.len();
        self.start_column = here.max(stop);
        self.stop = self.start_column;
    }

    fn pad(&mut self, width: usize) {
        if self.fills.is_empty() {
            self.fills.push((self.text.len(), ' '));
        }
        let count = self.fills.len();
        let (share, rest) = (width / count, width % count);
        let segment = self.text.split_off(self.start);
        let mut done = 0;
        for (i, &(at, c)) in self.fills.iter().enumerate() {
            let at = at - self.start;
            self.text.push_str(&segment[done..at]);
            done = at;
            // The last ones take what is left over.
            let extra = usize::from(i >= count - rest);
            push_repeated(&mut self.text, c, share + extra);
        }
        self.text.push_str(&segment[done..]);
    }

    /// The text that no later stop can change: what an error still lets out.
    pub(super) fn settled(&self) -> &str {
        match self.fills.first() {
            None => &self.text,
            Some(_) => &self.text[..self.start],
        }
    }
}
