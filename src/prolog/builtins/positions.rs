//! Where the parts of a term stand in the text that it was read from: `subterm_positions` and `comments` of
//! `read_term/2`, in the form of SWI-Prolog.
//!
//! The reader knows where each argument stands; what else there is, functors, brackets and quotes, is found
//! among the tokens in between.

use super::stream_text::StreamPosition;
use super::{args, characters};
use zug_machine::Machine;
use zug_syntax::{ReadTerm, Token, TokenKind, tokenize};
use zug_term::source::Span;
use zug_term::symbol::atoms;
use zug_term::{Cell, watchdog};

/// What is still to be done.
enum Task {
    /// The position of the term in a cell.
    Part(Cell, Span),
    /// A term whose last positions are those of its arguments.
    Term { span: Span, functor: Span, arity: usize },
    /// A list whose last positions are those of its items, and of a tail if it has one.
    List { span: Span, items: usize, tail: bool },
    /// Something around one position.
    Around(&'static str, Span),
}

struct Places<'a> {
    machine: &'a mut Machine,
    text: &'a str,
    read: &'a ReadTerm,
    tokens: Vec<Token>,
    /// Characters before the text.
    base: usize,
    /// Bytes up to which characters were counted, and how many there are.
    counted: (usize, usize),
    tasks: Vec<Task>,
    found: Vec<Cell>,
}

/// The positions of a term and of all its parts; `base` characters stand before the text.
pub(super) fn of_term(machine: &mut Machine, text: &str, read: &ReadTerm, base: usize) -> Cell {
    let tokens = tokenize(text).into_iter().filter(|token| !token.kind.is_comment()).collect();
    let tasks = vec![Task::Part(read.root, read.span)];
    let found = Vec::new();
    let mut places = Places { machine, text, read, tokens, base, counted: (0, 0), tasks, found };
    while let Some(task) = places.tasks.pop() {
        watchdog::step();
        places.run(task);
    }
    places.found.pop().unwrap_or(Cell::NIL)
}

/// The comments of a text that begins at a place: `Position-Text`.
pub(super) fn comments(machine: &mut Machine, text: &str, start: StreamPosition) -> Cell {
    let all = tokenize(text);
    let mut pairs = Vec::new();
    for comment in all.into_iter().filter(|token| token.kind.is_comment()) {
        let mut place = start;
        let before = &text[..comment.start as usize];
        place.advance(before, before.len());
        let place = characters::position_cell(machine, place);
        let said = machine.heap.new_string(comment.text(text));
        pairs.push(machine.heap.new_struct(atoms::MINUS, &[place, said]));
    }
    machine.heap.list_from(&pairs, Cell::NIL)
}

impl Places<'_> {
    /// Number of the character at a byte.
    fn character(&mut self, byte: u32) -> Cell {
        let byte = byte as usize;
        if byte < self.counted.0 {
            self.counted = (0, 0);
        }
        let (from, before) = self.counted;
        let more = self.text.get(from..byte).map_or(0, |part| part.chars().count());
        self.counted = (byte, before + more);
        Cell::small((self.base + before + more) as i64)
    }

    fn ends(&mut self, span: Span) -> [Cell; 2] {
        [self.character(span.start), self.character(span.end)]
    }

    fn push(&mut self, name: &str, span: Span, more: &[Cell]) {
        let mut parts = self.ends(span).to_vec();
        parts.extend_from_slice(more);
        let cell = args::compound(self.machine, name, &parts);
        self.found.push(cell);
    }

    /// Takes the newest positions; in a list.
    fn take(&mut self, count: usize) -> Cell {
        let from = self.found.len().saturating_sub(count);
        let list = self.machine.heap.list_from(&self.found[from..], Cell::NIL);
        self.found.truncate(from);
        list
    }

    fn run(&mut self, task: Task) {
        match task {
            Task::Part(cell, span) => self.part(cell, span),
            Task::Term { span, functor, arity } => {
                let parts = self.take(arity);
                let [from, to] = self.ends(functor);
                self.push("term_position", span, &[from, to, parts]);
            }
            Task::List { span, items, tail } => {
                let tail = match tail {
                    true => self.found.pop().unwrap_or(Cell::NIL),
                    false => args::atom_cell(self.machine, "none"),
                };
                let items = self.take(items);
                self.push("list_position", span, &[items, tail]);
            }
            Task::Around(name, span) => {
                let inner = self.found.pop().unwrap_or(Cell::NIL);
                self.push(name, span, &[inner]);
            }
        }
    }

    /// The tokens of a part.
    fn tokens_in(&self, span: Span) -> &[Token] {
        let from = self.tokens.partition_point(|token| token.start < span.start);
        let to = self.tokens.partition_point(|token| token.end <= span.end);
        self.tokens.get(from..to).unwrap_or(&[])
    }

    fn part(&mut self, cell: Cell, span: Span) {
        let cell = self.machine.heap.deref(cell);
        let tokens = self.tokens_in(span);
        let Some(&first) = tokens.first() else { return self.push("-", span, &[]) };
        if let Some(inner) = inside_brackets(tokens) {
            self.tasks.push(Task::Around("parentheses_term_position", span));
            self.tasks.push(Task::Part(cell, inner));
            return;
        }
        let whole = tokens.len() == 1;
        match first.kind {
            TokenKind::String | TokenKind::BackQuoted if whole => {
                self.push("string_position", span, &[]);
            }
            TokenKind::OpenList if cell.is_list() => self.list(cell, span),
            _ if cell.is_compound() => self.compound(cell, span, first),
            _ => self.push("-", span, &[]),
        }
    }

    fn list(&mut self, cell: Cell, span: Span) {
        let (mut parts, mut tail) = (Vec::new(), None);
        let mut at = cell.addr();
        while let Some(place) = self.read.span_of(at) {
            parts.push((self.machine.heap.at(at), place));
            let rest = self.machine.heap.at(at + 1);
            tail = self.read.span_of(at + 1).map(|place| (rest, place));
            if tail.is_some() || !rest.is_list() {
                break;
            }
            at = rest.addr();
        }
        self.tasks.push(Task::List { span, items: parts.len(), tail: tail.is_some() });
        self.parts(parts.into_iter().chain(tail));
    }

    fn compound(&mut self, cell: Cell, span: Span, first: Token) {
        let heap = &self.machine.heap;
        let Some((_, arity, args)) = heap.name_arity(cell) else { return };
        let places: Option<Vec<(Cell, Span)>> =
            (args..args + arity).map(|at| Some((heap.at(at), self.read.span_of(at)?))).collect();
        let Some(places) = places.filter(|places| !places.is_empty()) else {
            return self.push("-", span, &[]);
        };
        if first.kind == TokenKind::OpenCurly && arity == 1 {
            self.tasks.push(Task::Around("brace_term_position", span));
            return self.parts(places);
        }
        let left = places[0].1;
        let functor = if left.start == span.start {
            // An operator behind its left argument.
            let at = self.tokens.partition_point(|token| token.start < left.end);
            self.tokens.get(at).copied().unwrap_or(first)
        } else {
            first
        };
        let functor = Span { start: functor.start, end: functor.end };
        self.tasks.push(Task::Term { span, functor, arity });
        self.parts(places);
    }

    /// Has the positions of parts found, in order.
    fn parts(&mut self, parts: impl IntoIterator<Item = (Cell, Span)>) {
        let from = self.tasks.len();
        self.tasks.extend(parts.into_iter().map(|(cell, span)| Task::Part(cell, span)));
        self.tasks[from..].reverse();
    }
}

/// The place of what stands between round brackets, if they go around all of it.
fn inside_brackets(tokens: &[Token]) -> Option<Span> {
    let [first, inner @ .., last] = tokens else { return None };
    let opens = |kind| matches!(kind, TokenKind::Open | TokenKind::OpenCt);
    if !opens(first.kind) || last.kind != TokenKind::Close {
        return None;
    }
    let mut depth = 1;
    for token in inner {
        depth += i32::from(opens(token.kind)) - i32::from(token.kind == TokenKind::Close);
        if depth == 0 {
            return None;
        }
    }
    Some(Span { start: inner.first()?.start, end: inner.last()?.end })
}
