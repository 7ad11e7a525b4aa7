//! The tokens of a clause with what the layout must know of each: its role, its bracket, where it
//! stood.

use super::lines::{Place, places, width};
use crate::reading::Clause;
use zug_syntax::{Role, Token, TokenKind};

/// What a bracket is.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// The clause itself.
    #[default]
    Clause,
    Arguments,
    List,
    Group,
    /// A group in braces.
    Braces,
}

/// A bracket and what stands in it.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub kind: FrameKind,
    /// Its opening bracket; of the clause its first token.
    pub open: usize,
    /// Its closing bracket; of the clause its full stop.
    pub close: usize,
    /// A line was broken between the two.
    pub broken: bool,
    /// It has if-then-else or alternatives.
    pub control: bool,
    pub conjunction: bool,
    /// It has an operator of a clause: `:-`.
    pub neck: bool,
    /// Blanks stood behind its opening bracket or before the closing one.
    pub padded: bool,
    /// It stands inside of arguments or of a list, or is an operand: it is data.
    pub nested: bool,
    /// Blanks stood behind one of its commas.
    pub spaced_commas: bool,
    /// Blanks stood beside its bar.
    pub spaced_bar: bool,
}

/// What a token is to the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A name in a role; a comma or a bar too, where it is an operator.
    Name(Role),
    /// It opens the frame of this number.
    Open(usize),
    /// It closes the frame of this number.
    Close(usize),
    /// Between arguments or elements.
    Separator,
    End,
    Comment,
    /// A variable, a number, a text.
    Plain,
}

/// A token with what the layout must know.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub token: Token,
    pub part: Part,
    /// The frame that it stands in; of a bracket the one around it.
    pub frame: usize,
    pub place: Place,
    /// Its columns; of one with several lines those of the first.
    pub width: usize,
    /// It has several lines.
    pub long: bool,
    /// Of an infix operator the item at which a chain of its kind begins, else itself.
    pub anchor: usize,
}

impl Item {
    /// The priority of an infix operator.
    pub fn infix(&self) -> Option<u16> {
        match self.part {
            Part::Name(Role::Infix { priority, .. }) => Some(priority),
            _ => None,
        }
    }

    pub fn is_comment(&self) -> bool {
        self.part == Part::Comment
    }

    /// Whether it is a comma that joins goals.
    pub fn is_conjunction(&self) -> bool {
        self.token.kind == TokenKind::Comma && self.infix().is_some()
    }
}

/// A clause with what the layout must know.
pub struct Laid<'t> {
    pub text: &'t str,
    pub items: Vec<Item>,
    /// The brackets; the first is the clause.
    pub frames: Vec<Frame>,
    /// The operator between head and body, or before a directive.
    pub neck: Option<usize>,
    /// Goals that stay in the line of the head.
    guard: Option<(usize, usize)>,
}

/// Priorities of alternatives and if-then-else.
fn is_control(text: &str) -> bool {
    matches!(text, ";" | "->" | "*->" | "|")
}

impl<'t> Laid<'t> {
    /// The tokens of a clause that was read.
    pub fn new(text: &'t str, clause: &Clause, roles: &[(u32, Role)]) -> Laid<'t> {
        let places = places(text, &clause.tokens);
        let mut items: Vec<Item> = Vec::with_capacity(clause.tokens.len());
        let mut roles = roles.iter().peekable();
        for (token, place) in clause.tokens.iter().zip(places) {
            while roles.next_if(|role| role.0 < token.start).is_some() {}
            let role = roles.next_if(|role| role.0 == token.start).map(|role| role.1);
            let shown = token.text(text);
            let first = shown.split('\n').next().unwrap_or_default();
            items.push(Item {
                token: *token,
                part: part(*token, role),
                frame: 0,
                place,
                width: width(first),
                long: shown.trim_end().contains('\n'),
                anchor: items.len(),
            });
        }
        let mut laid = Laid { text, items, frames: Vec::new(), neck: None, guard: None };
        laid.find_frames();
        laid.move_breaks();
        laid.describe_frames();
        laid.find_anchors();
        laid.neck = laid.find_neck();
        laid.guard = laid.find_guard();
        laid
    }

    /// What a token is written as.
    pub fn shown(&self, item: usize) -> &'t str {
        self.items[item].token.text(self.text)
    }

    /// Whether an item is `;`, `->` or their like, as an operator.
    pub fn is_control(&self, item: usize) -> bool {
        self.items[item].infix().is_some_and(|priority| priority >= 1050)
            && is_control(self.shown(item))
    }

    /// The item before, comments left out.
    pub fn before(&self, item: usize) -> Option<usize> {
        (0..item).rev().find(|&before| !self.items[before].is_comment())
    }

    /// The item behind, comments left out.
    pub fn behind(&self, item: usize) -> Option<usize> {
        (item + 1..self.items.len()).find(|&behind| !self.items[behind].is_comment())
    }

    /// Gives each item its bracket.
    fn find_frames(&mut self) {
        let last = self.items.len() - 1;
        self.frames.push(Frame { close: last, ..Frame::default() });
        let mut open = vec![0];
        for number in 0..self.items.len() {
            let kind = self.items[number].token.kind;
            let around = *open.last().expect("the clause is never closed");
            self.items[number].frame = around;
            let functor = number > 0
                && self.items[number - 1].part == Part::Name(Role::Functor)
                && self.items[number - 1].token.end == self.items[number].token.start;
            let opens = match kind {
                TokenKind::OpenCt if functor => Some(FrameKind::Arguments),
                TokenKind::Open | TokenKind::OpenCt => Some(FrameKind::Group),
                TokenKind::OpenList => Some(FrameKind::List),
                TokenKind::OpenCurly => Some(FrameKind::Braces),
                _ => None,
            };
            if let Some(opens) = opens {
                open.push(self.frames.len());
                self.items[number].part = Part::Open(self.frames.len());
                let outer = &self.frames[around];
                let inside = matches!(outer.kind, FrameKind::Arguments | FrameKind::List)
                    || self.is_operand(number, opens);
                let nested = outer.nested || inside;
                let frame = Frame { kind: opens, open: number, close: last, ..Frame::default() };
                self.frames.push(Frame { nested, ..frame });
                continue;
            }
            let closes = [TokenKind::Close, TokenKind::CloseList, TokenKind::CloseCurly];
            if closes.contains(&kind) && open.len() > 1 {
                open.pop();
                self.items[number].part = Part::Close(around);
                self.items[number].frame = *open.last().expect("the clause is never closed");
                self.frames[around].close = number;
            }
        }
    }

    /// A line that begins with a comma is one that is broken behind it.
    fn move_breaks(&mut self) {
        for number in 1..self.items.len().saturating_sub(1) {
            let [before, comma, next] = &mut self.items[number - 1..=number + 1] else { continue };
            let breaks = comma.place.breaks;
            if comma.token.kind != TokenKind::Comma || breaks == 0 || before.is_comment() {
                continue;
            }
            comma.place = Place { breaks: 0, gap: 0, ..before.place };
            if !next.is_comment() || next.place.breaks > 0 {
                next.place.breaks = next.place.breaks.max(breaks);
            }
        }
    }

    /// Finds out what stands in each bracket.
    fn describe_frames(&mut self) {
        for number in 0..self.items.len() {
            let item = self.items[number];
            let next = self.items.get(number + 1).map(|next| next.place);
            let in_line = next.is_some_and(Place::is_spaced);
            let control = self.is_control(number);
            let shown = self.shown(number);
            match item.part {
                Part::Open(frame) => self.frames[frame].padded |= in_line,
                Part::Close(frame) => {
                    self.frames[frame].padded |= item.place.is_spaced();
                }
                Part::Separator if shown == "," => {
                    self.frames[item.frame].spaced_commas |= in_line;
                }
                Part::Separator => {
                    let mut beside = next.into_iter().chain([item.place]);
                    self.frames[item.frame].spaced_bar |=
                        beside.any(|place| place.gap > 0 || place.breaks > 0);
                }
                _ => {}
            }
            let frame = &mut self.frames[item.frame];
            frame.control |= control;
            frame.conjunction |= item.is_conjunction();
            frame.neck |= item.infix().is_some_and(|priority| priority > 1100);
        }
        for frame in &mut self.frames {
            let (open, close) = (self.items[frame.open].place, self.items[frame.close].place);
            frame.broken = open.line != close.line;
        }
    }

    /// Finds where chains of operators begin.
    fn find_anchors(&mut self) {
        for number in 0..self.items.len() {
            let Part::Name(Role::Infix { priority, left }) = self.items[number].part else {
                continue;
            };
            let at = self.items[..number].binary_search_by_key(&left, |item| item.token.start);
            let left = at.unwrap_or(number);
            let before = self.before(left).filter(|&before| {
                self.items[before].infix() == Some(priority)
                    && self.items[before].frame == self.items[number].frame
            });
            self.items[number].anchor = before.map_or(left, |before| self.items[before].anchor);
        }
    }

    fn find_neck(&self) -> Option<usize> {
        let infix = self.items.iter().position(|item| {
            item.frame == 0 && item.infix().is_some_and(|priority| priority > 1100)
        });
        let prefix = |item: &Item| matches!(item.part, Part::Name(Role::Prefix { priority: 1200 }));
        infix.or_else(|| self.items.first().filter(|item| prefix(item)).map(|_| 0))
    }

    /// The column in which the old line begins that an item stood in.
    pub fn line_column(&self, item: usize) -> usize {
        let line = self.items[item].place.line;
        let first = self.items[..item].partition_point(|before| before.place.line < line);
        self.items[first].place.column
    }

    /// The element of a bracket below which, in the old text, one began that had a line of its own.
    pub fn element_above(&self, frame: usize, item: usize) -> Option<usize> {
        let column = self.items[item].place.column;
        let begins = |&number: &usize| {
            let before = &self.items[number - 1];
            self.items[number].place.column == column
                && !self.items[number].is_comment()
                && before.frame == frame
                && before.part == Part::Separator
        };
        (self.frames[frame].open + 1..item).find(begins)
    }

    /// The items of a guard, the first and the last: goals up to a cut in the line of the head, and
    /// more in the lines below, as in `head :- test, !,`.
    fn find_guard(&self) -> Option<(usize, usize)> {
        let neck = self.neck.filter(|_| self.has_head())?;
        let line = self.items[neck].place.line;
        let behind = self.items[neck + 1..].iter().take_while(|item| item.place.line == line);
        let comma = neck + behind.count();
        let whole = comma > neck + 1
            && self.shown(comma - 1) == "!"
            && self.items[comma].is_conjunction()
            && self.items[comma].frame == 0
            && !self.items[comma + 1].is_comment();
        whole.then_some((neck + 1, comma - 1))
    }

    pub fn is_guard(&self, item: usize) -> bool {
        self.guard.is_some_and(|(first, last)| (first..=last).contains(&item))
    }

    /// Whether what a bracket belongs to is the right operand of an operator that joins no goals.
    fn is_operand(&self, open: usize, kind: FrameKind) -> bool {
        let name = usize::from(kind == FrameKind::Arguments);
        open.checked_sub(1 + name).is_some_and(|before| {
            self.items[before].infix().is_some_and(|priority| priority < 1000)
        })
    }

    /// Whether the neck stands between head and body.
    pub fn has_head(&self) -> bool {
        self.neck.is_some_and(|neck| self.items[neck].infix().is_some())
    }
}

fn part(token: Token, role: Option<Role>) -> Part {
    match (token.kind, role) {
        (TokenKind::OpenList | TokenKind::OpenCurly, _) => Part::Plain,
        (_, Some(role)) => Part::Name(role),
        (TokenKind::Comma | TokenKind::Bar, None) => Part::Separator,
        (TokenKind::End, _) => Part::End,
        (kind, _) if kind.is_comment() => Part::Comment,
        _ => Part::Plain,
    }
}
