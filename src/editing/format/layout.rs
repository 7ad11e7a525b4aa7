//! Where the lines of a clause are broken, and how far each is indented.
//!
//! A clause in one line that fits stays in one. Else its body begins in a line of its own; goals stay
//! together in a line if the author has put them there and they fit, and are one a line if not.
//! If-then-else over several lines is laid out in columns of four. In other brackets lines are
//! broken where they were, or behind each comma if a line in which they were is too long.

use super::clause::{FrameKind, Item, Laid, Part};
use super::gaps::gaps;
use super::lines::{Place, Spot};
use super::page::Page;
use super::{INDENT, WIDTH, ends_line};
use zug_syntax::Role;
use zug_term::source::Span;

/// Empty lines that are kept within a clause.
const MOST_EMPTY: usize = 1;

/// The column beyond which if-then-else is not laid out any more.
const MOST_INDENT: usize = 400;

/// A bracket as it is laid out.
#[derive(Clone, Copy, Default)]
struct Bracket {
    /// If-then-else in columns of four.
    columns: bool,
    /// Where it stands.
    base: Spot,
    /// Where its line begins.
    line: Spot,
    /// A line is broken right behind it.
    opened: bool,
    /// A line was broken behind one of its commas.
    settled: bool,
    /// Where what stands in it begins.
    elements: Option<Spot>,
}

struct Layout<'p, 't, 'l> {
    page: &'p mut Page<'t>,
    laid: &'l Laid<'t>,
    gaps: Vec<usize>,
    /// Columns of all items up to this one, with their gaps.
    sums: Vec<usize>,
    /// Items up to this one that can't stand amid a line.
    hard: Vec<usize>,
    brackets: Vec<Bracket>,
    /// A line is broken behind the item, whatever the author did.
    broken: Vec<bool>,
    /// Of a comma behind which a line may be broken, the last item of what stands behind it; else 0.
    next: Vec<usize>,
    /// An arrow that stays amid its line.
    inline: Vec<bool>,
    /// Where the items stand.
    spots: Vec<Spot>,
    /// All in one line.
    flat: bool,
}

/// Puts a clause on a page.
pub fn clause<'t>(page: &mut Page<'t>, laid: &Laid<'t>) {
    let gaps = gaps(laid);
    let (mut sums, mut hard) = (Vec::new(), Vec::new());
    let (mut sum, mut count) = (0, 0);
    for (item, gap) in laid.items.iter().zip(&gaps) {
        sum += gap + item.width;
        count += usize::from(ends_line(item.token.kind) || item.long);
        sums.push(sum);
        hard.push(count);
    }
    let mut layout = Layout {
        page,
        gaps,
        sums,
        hard,
        brackets: vec![Bracket::default(); laid.frames.len()],
        broken: vec![false; laid.items.len()],
        next: vec![0; laid.items.len()],
        inline: vec![false; laid.items.len()],
        spots: Vec::with_capacity(laid.items.len()),
        flat: false,
        laid,
    };
    layout.flat = layout.is_flat();
    layout.all();
}

impl Layout<'_, '_, '_> {
    fn item(&self, number: usize) -> &Item {
        &self.laid.items[number]
    }

    fn last(&self) -> usize {
        self.laid.items.len() - 1
    }

    /// Columns from an item to another one, both included.
    fn columns(&self, from: usize, to: usize) -> usize {
        self.sums[to] - self.sums[from] + self.item(from).width
    }

    /// Whether a comment or a text of several lines stands between.
    fn is_hard(&self, from: usize, to: usize) -> bool {
        self.hard[to] > self.hard[from] - usize::from(self.item(from).long)
    }

    fn is_flat(&self) -> bool {
        let column = self.page.column + self.page.first_gap();
        !self.laid.frames[0].broken
            && !self.is_hard(0, self.last())
            && column + self.columns(0, self.last()) <= WIDTH
    }

    fn all(&mut self) {
        for number in 0..self.laid.items.len() {
            let mut gap = self.gap_before(number);
            if let Some(indent) = self.break_before(number) {
                let breaks = self.item(number).place.breaks;
                self.page.continue_line(indent, breaks.saturating_sub(1).min(MOST_EMPTY));
                gap = 0;
            }
            self.put(number, gap);
            if self.flat {
                continue;
            }
            if let Part::Open(frame) = self.item(number).part {
                self.open(frame, number);
            }
            self.begin_body(number);
            self.begin_run(number);
        }
    }

    fn gap_before(&self, number: usize) -> usize {
        if number == 0 {
            return self.page.first_gap();
        }
        if !self.item(number).is_comment() && self.begins_column(number - 1) {
            return INDENT.saturating_sub(self.item(number - 1).width).max(1);
        }
        self.gaps[number]
    }

    /// Whether what stands behind an item of if-then-else begins in the fourth column.
    fn begins_column(&self, number: usize) -> bool {
        match self.item(number).part {
            Part::Open(frame) => self.brackets[frame].columns,
            _ => self.is_column_operator(number),
        }
    }

    fn is_column_operator(&self, number: usize) -> bool {
        self.laid.is_control(number)
            && self.brackets[self.item(number).frame].columns
            && !self.inline[number]
    }

    fn put(&mut self, number: usize, gap: usize) {
        let spot = self.put_piece(number, gap);
        self.spots.push(spot);
        let before = self.laid.before(number);
        if let Some(Part::Open(frame)) = before.map(|before| self.item(before).part)
            && !self.item(number).is_comment()
        {
            self.brackets[frame].elements.get_or_insert(spot);
        }
    }

    fn put_piece(&mut self, number: usize, gap: usize) -> Spot {
        let item = self.laid.items[number];
        let shown = self.laid.shown(number);
        let shown = if item.is_comment() { shown.trim_end() } else { shown };
        let start = item.token.start as usize;
        let span = Span::new(start, start + shown.len());
        let joined = number.checked_sub(1).map(|before| self.laid.items[before].part);
        let is_number = item.token.kind.is_number();
        if is_number && joined == Some(Part::Name(Role::Sign)) {
            return self.page.lengthen(span);
        }
        let first = number == 0 && gap > 0;
        let place = if first { Place { gap, ..item.place } } else { item.place };
        let spot = self.page.put(span, gap, place);
        let piece = self.page.last_piece();
        piece.number = is_number || item.part == Part::Name(Role::Sign);
        piece.keeps = first || item.is_comment();
        let begins = matches!(joined, Some(Part::Open(_)));
        piece.fixed = matches!(item.part, Part::Close(_) | Part::End | Part::Separator)
            || joined == Some(Part::Name(Role::Functor))
            || begins && !piece.number
            || item.is_conjunction();
        spot
    }

    /// A bracket has been put: decides how what stands in it is laid out.
    fn open(&mut self, frame: usize, number: usize) {
        let known = &self.laid.frames[frame];
        let bracket = &mut self.brackets[frame];
        bracket.base = self.spots[number];
        bracket.line = self.page.line_start();
        let grouping = matches!(known.kind, FrameKind::Group | FrameKind::Braces);
        let tail = self.tail(known.close);
        let fits = self.spots[number].column + self.columns(number, tail) <= WIDTH;
        let broken = known.broken || self.is_hard(number, known.close);
        if known.control && grouping && self.spots[number].column <= MOST_INDENT {
            self.brackets[frame].columns = broken || !fits;
            if self.brackets[frame].columns {
                self.brackets[frame].elements = Some(self.spots[number].plus(INDENT));
                self.keep_arrows(frame, number + 1, known.close);
            }
        } else if !broken && !fits && !grouping {
            self.fill(frame, tail);
        }
    }

    /// The last item that can't be parted from a closing bracket by the end of a line.
    fn tail(&self, close: usize) -> usize {
        let mut tail = close;
        while let Some(next) = self.laid.items.get(tail + 1) {
            match next.part {
                Part::Close(_) => tail += 1,
                Part::End | Part::Separator => return tail + 1,
                _ if next.is_conjunction() => return tail + 1,
                _ => return tail,
            }
        }
        tail
    }

    /// Has lines broken between arguments or elements where the next does not fit any more.
    fn fill(&mut self, frame: usize, tail: usize) {
        let (open, close) = (self.laid.frames[frame].open, self.laid.frames[frame].close);
        let (mut number, mut last) = (open + 1, None);
        while number < close {
            match self.item(number).part {
                Part::Open(inner) => number = self.laid.frames[inner].close,
                Part::Separator if self.laid.shown(number) == "," => {
                    if let Some(last) = last.replace(number) {
                        self.next[last] = number;
                    }
                }
                _ => {}
            }
            number += 1;
        }
        if let Some(last) = last {
            self.next[last] = tail;
        }
    }

    /// Behind the neck: decides how alternatives of the body are laid out.
    fn begin_body(&mut self, number: usize) {
        let body = self.laid.neck == Some(number) && self.laid.has_head();
        let Some(first) = self.laid.behind(number).filter(|_| body) else { return };
        let last = self.last();
        let in_lines = self.item(first).place.line != self.item(last).place.line;
        let fits = INDENT + self.columns(first, last) <= WIDTH && !self.is_hard(first, last);
        self.brackets[0].columns = self.laid.frames[0].control && (in_lines || !fits);
        if self.brackets[0].columns {
            self.keep_arrows(0, first, last);
        }
    }

    /// Finds the branches of if-then-else that stay in one line.
    fn keep_arrows(&mut self, frame: usize, first: usize, close: usize) {
        let column = self.brackets[frame].base.column + INDENT;
        let (mut branch, mut arrows) = (first, Vec::new());
        let mut number = first;
        while number <= close {
            let item = *self.item(number);
            let alternative = self.laid.is_control(number) && item.frame == frame;
            if number == close || alternative && matches!(self.laid.shown(number), ";" | "|") {
                let last = number - 1;
                let whole = branch <= last
                    && self.item(branch).place.line == self.item(last).place.line
                    && !self.is_hard(branch, last)
                    && column + self.columns(branch, last) <= WIDTH;
                for arrow in arrows.drain(..) {
                    self.inline[arrow] = whole;
                }
                branch = number + 1;
            } else if alternative {
                arrows.push(number);
            } else if let Part::Open(inner) = item.part {
                number = self.laid.frames[inner].close;
            }
            number += 1;
        }
    }

    /// Goals in one line of the old text: decides whether they stay so.
    fn begin_run(&mut self, number: usize) {
        let Some(before) = self.laid.before(number) else { return };
        let item = *self.item(number);
        let begins = match self.item(before).part {
            Part::Open(frame) => self.laid.frames[frame].conjunction,
            _ if self.laid.neck == Some(before) => true,
            _ if self.is_column_operator(before) => true,
            // Where a line is broken within a run, that was decided for all of it.
            _ => self.item(before).is_conjunction() && item.place.breaks > 0,
        };
        if !begins || item.is_comment() {
            return;
        }
        let run = self.run(number, item.frame);
        let column = self.spots[number].column;
        if run.split || column + self.columns(number, run.end) > WIDTH {
            for comma in run.commas {
                // A cut stays with what it commits to.
                self.broken[comma] = self.laid.shown(comma + 1) != "!";
            }
        }
    }

    /// The goals from an item on that stand in one line of the old text.
    fn run(&self, from: usize, frame: usize) -> Run {
        let mut run = Run { commas: Vec::new(), end: from, split: false };
        let (mut number, mut broken) = (from, false);
        while number < self.last() {
            let item = self.item(number);
            if number > from && item.frame == frame && self.laid.is_control(number)
                || matches!(item.part, Part::Close(closed) if closed == frame)
            {
                break;
            }
            broken |= number > from && item.place.breaks > 0;
            if !broken {
                run.end = number;
            }
            if item.is_conjunction() && item.frame == frame {
                let next = self.laid.behind(number).map_or(0, |next| next);
                if self.item(next).place.breaks > 0 || self.item(number + 1).is_comment() {
                    return run;
                }
                run.split |= broken;
                run.commas.push(number);
            }
            if let Part::Open(inner) = item.part {
                broken |= self.laid.frames[inner].broken;
                number = self.laid.frames[inner].close;
                if !broken {
                    run.end = number;
                }
            }
            number += 1;
        }
        if !broken {
            run.end = number;
        }
        run
    }

    /// Whether a line is broken before an item, and where the new one begins.
    fn break_before(&mut self, number: usize) -> Option<Spot> {
        if self.flat || number == 0 {
            return None;
        }
        let item = *self.item(number);
        let breaks = item.place.breaks > 0;
        if ends_line(self.item(number - 1).token.kind) {
            return Some(self.indent(number));
        }
        if item.is_comment() {
            return breaks.then(|| self.comment_indent(number));
        }
        let before = self.laid.before(number)?;
        if self.laid.neck == Some(before) && self.laid.has_head() {
            return (!self.laid.is_guard(number)).then(|| self.indent(number));
        }
        if self.is_column_operator(number) {
            return Some(self.indent(number));
        }
        if self.begins_column(before) && !matches!(item.part, Part::Close(_)) {
            let joined = before + 1 == number || !breaks;
            return (!joined).then(|| self.indent(number));
        }
        let wanted = match item.part {
            Part::Close(frame) => self.brackets[frame].columns || breaks,
            Part::End | Part::Separator => false,
            _ if item.is_conjunction() => false,
            _ => breaks || self.broken[before] || self.overflows(before, number),
        };
        wanted.then(|| self.indent(number))
    }

    /// Whether an element behind a comma does not fit into the line any more.
    fn overflows(&self, comma: usize, number: usize) -> bool {
        let last = self.next[comma];
        let column = self.page.column + self.gaps[number];
        last > 0 && column + self.columns(number, last) > WIDTH
    }

    fn indent(&mut self, number: usize) -> Spot {
        let item = *self.item(number);
        match item.part {
            Part::Close(frame) => {
                let bracket = self.brackets[frame];
                return if bracket.opened { bracket.line } else { bracket.base };
            }
            Part::End => return Spot::margin(INDENT),
            _ if self.is_column_operator(number) => return self.brackets[item.frame].base,
            Part::Name(Role::Infix { .. }) => return self.operand_indent(number),
            _ => {}
        }
        let Some(before) = self.laid.before(number) else { return Spot::margin(0) };
        if self.is_column_operator(before) {
            return self.brackets[self.item(before).frame].base.plus(INDENT);
        }
        if self.laid.neck == Some(before) {
            return Spot::margin(INDENT);
        }
        match self.item(before).part {
            Part::Open(frame) if self.brackets[frame].columns => {
                self.brackets[frame].base.plus(INDENT)
            }
            Part::Open(frame) => {
                let bracket = &mut self.brackets[frame];
                bracket.opened = true;
                let spot = bracket.line.plus(INDENT);
                bracket.elements = Some(spot);
                spot
            }
            Part::Separator => self.element_indent(self.item(before).frame, number),
            Part::Name(Role::Infix { .. }) => self.operand_indent(before),
            Part::Name(Role::Prefix { .. }) => self.spots[before].plus(INDENT),
            _ => self.page.line_start().plus(INDENT),
        }
    }

    /// Where an argument or element begins that is not the first one: below the first, or, if the
    /// author has it so, one step from the beginning of the line in which the bracket was opened.
    fn element_indent(&mut self, frame: usize, number: usize) -> Spot {
        let known = &self.laid.frames[frame];
        let bracket = &mut self.brackets[frame];
        let column = self.laid.items[number].place.column;
        let hangs = !bracket.opened
            && !bracket.settled
            && self.laid.items[number].place.breaks > 0
            && column == self.laid.line_column(known.open) + INDENT;
        let below = (!bracket.opened && !bracket.settled)
            .then(|| self.laid.element_above(frame, number))
            .flatten();
        bracket.settled = true;
        if hangs {
            bracket.elements = Some(bracket.line.plus(INDENT));
        } else if let Some(above) = below {
            bracket.elements = Some(self.spots[above]);
        }
        bracket.elements.unwrap_or_default()
    }

    /// Beside an infix operator at which a line is broken.
    fn operand_indent(&self, operator: usize) -> Spot {
        let item = self.item(operator);
        if self.laid.is_guard(item.anchor) {
            return Spot::margin(INDENT);
        }
        let spot = self.spots.get(item.anchor).copied().unwrap_or_default();
        let priority = item.infix().unwrap_or(0);
        let same = priority < 700 || priority == 1000 || self.laid.is_control(operator);
        if same { spot } else { spot.plus(INDENT) }
    }

    /// Where a comment begins that has a line of its own.
    fn comment_indent(&mut self, number: usize) -> Spot {
        let Some(next) = self.laid.behind(number) else { return Spot::margin(0) };
        if self.is_column_operator(next) {
            return self.brackets[self.item(next).frame].base.plus(INDENT);
        }
        if let Part::Close(frame) = self.item(next).part {
            let bracket = self.brackets[frame];
            return bracket.elements.unwrap_or(bracket.line.plus(INDENT));
        }
        self.indent(next)
    }
}

/// Goals in one line.
struct Run {
    /// The commas between them.
    commas: Vec<usize>,
    /// The last item in the line.
    end: usize,
    /// A goal other than the last one has several lines.
    split: bool,
}
