//! The reading of one clause: operator precedence over tokens.
//!
//! Pratt 1973; ISO/IEC 13211-1, 6.3. Three explicit stacks: open brackets,
//! operators that wait for an argument, and terms read. Nothing recurses, so
//! nesting is limited by memory and [`MAX_DEPTH`] only. Terms are built in the
//! caller's heap, arguments before the compound.

use super::clause_read::{Quotes, ReadOptions, Role};
use super::literal;
use super::operators::{Op, Operators};
use super::stacks::{Frame, FrameKind, Operand, Parsed, Pending, Place, Stacks};
use super::token::{Token, TokenKind, Tokens};
use zug_term::source::Source;
use zug_term::symbol::{Atom, Symbols, atoms};
use zug_term::{Cell, Heap, MAX_ARITY};

/// Open brackets and waiting operators a clause may have at one place.
pub const MAX_DEPTH: usize = 10_000_000;

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Operand,
    Operator,
    Done,
}

/// What is read, and by which operators and flags.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub text: &'a str,
    pub source: &'a Source,
    pub operators: &'a Operators,
    pub options: &'a ReadOptions,
}

/// The reading of one clause.
pub(super) struct Clause<'a> {
    pub text: &'a str,
    pub source: &'a Source,
    pub tokens: &'a mut Tokens,
    pub stacks: &'a mut Stacks,
    pub heap: &'a mut Heap,
    pub symbols: &'a mut Symbols,
    pub operators: &'a Operators,
    options: &'a ReadOptions,
    /// The clause's first token.
    pub first: Token,
    /// The token taken last.
    pub last: Token,
    /// The token taken before that; of kind `End` if there is none.
    pub before: Token,
}

impl<'a> Clause<'a> {
    /// The reading of the clause that begins with `first`.
    pub(super) fn new(
        input: Input<'a>,
        tokens: &'a mut Tokens,
        stacks: &'a mut Stacks,
        heap: &'a mut Heap,
        symbols: &'a mut Symbols,
        first: Token,
    ) -> Clause<'a> {
        let Input { text, source, operators, options } = input;
        let start = Token { kind: TokenKind::End, start: first.start, end: first.start };
        stacks.clear();
        Clause {
            text,
            source,
            tokens,
            stacks,
            heap,
            symbols,
            operators,
            options,
            first,
            last: start,
            before: start,
        }
    }

    /// Reads the clause, its full stop included.
    pub(super) fn read(&mut self) -> Parsed<Operand> {
        self.open(FrameKind::Clause, atoms::EMPTY, self.first.start, self.first.start)?;
        let mut state = State::Operand;
        while state != State::Done {
            state = match state {
                State::Operand => self.operand()?,
                _ => self.operator()?,
            };
        }
        Ok(self.pop_operand())
    }

    /// The token `ahead` places after the next one.
    #[inline]
    pub(super) fn peek(&mut self, ahead: usize) -> Token {
        self.tokens.peek(self.text, ahead)
    }

    #[inline]
    pub(super) fn take(&mut self) -> Token {
        self.before = self.last;
        self.last = self.tokens.next(self.text);
        self.last
    }

    pub(super) fn frame(&self) -> Frame {
        *self.stacks.frames.last().expect("the clause's own frame is never closed")
    }

    /// How many brackets are open.
    pub(super) fn depth(&self) -> usize {
        self.stacks.frames.len() - 1
    }

    pub(super) fn place(&self) -> Place {
        let in_body = self
            .stacks
            .ops
            .first()
            .is_some_and(|op| [atoms::NECK, atoms::DCG_ARROW].contains(&op.name));
        Place { depth: self.depth(), in_body }
    }

    /// The innermost operator waiting for its right argument.
    pub(super) fn pending(&self) -> Option<Pending> {
        self.stacks.ops[self.frame().ops as usize..].last().copied()
    }

    /// The term read last, if it waits in the innermost bracket.
    pub(super) fn last_operand(&self) -> Option<Operand> {
        self.stacks.operands.last().copied()
    }

    pub(super) fn pop_operand(&mut self) -> Operand {
        self.stacks.operands.pop().expect("an operand was read before this state")
    }

    #[inline]
    pub(super) fn push(&mut self, cell: Cell, start: u32, end: u32, priority: u16) -> State {
        self.stacks.operands.push(Operand { cell, start, end, priority });
        State::Operator
    }

    fn open(&mut self, kind: FrameKind, name: Atom, start: u32, open: u32) -> Parsed<State> {
        if self.stacks.frames.len() + self.stacks.ops.len() > MAX_DEPTH {
            return Err(self.too_deep());
        }
        let (ops, operands) = (self.stacks.ops.len() as u32, self.stacks.operands.len() as u32);
        self.stacks.frames.push(Frame { kind, name, start, open, ops, operands });
        Ok(State::Operand)
    }

    /// A term is expected.
    fn operand(&mut self) -> Parsed<State> {
        let token = self.take();
        let (start, end) = (token.start, token.end);
        match token.kind {
            TokenKind::Name | TokenKind::Symbol | TokenKind::Solo | TokenKind::Quoted => {
                let name = self.name_of(token)?;
                self.name(name, token)
            }
            TokenKind::Variable => {
                let name = token.text(self.text);
                let cell = self.stacks.variables.occurrence(name, token.span(), self.heap);
                Ok(self.push(cell, start, end, 0))
            }
            TokenKind::Open | TokenKind::OpenCt => {
                self.open(FrameKind::Paren, atoms::EMPTY, start, start)
            }
            TokenKind::OpenList => match self.peek(0).kind {
                TokenKind::CloseList => self.bracket_name(atoms::NIL, start),
                _ => self.open(FrameKind::List, atoms::EMPTY, start, start),
            },
            TokenKind::OpenCurly => match self.peek(0).kind {
                TokenKind::CloseCurly => self.bracket_name(atoms::CURLY, start),
                _ => self.open(FrameKind::Curly, atoms::EMPTY, start, start),
            },
            TokenKind::String => self.quoted_text(token, self.options.double_quotes),
            TokenKind::BackQuoted => self.quoted_text(token, self.options.back_quotes),
            kind if kind.is_number() => self.number(token, start, false),
            _ => Err(self.no_term(token)),
        }
    }

    /// The names `[]` and `{}`, of which the first bracket has been taken.
    fn bracket_name(&mut self, name: Atom, start: u32) -> Parsed<State> {
        let close = self.take();
        self.name(name, Token { start, ..close })
    }

    fn number(&mut self, token: Token, start: u32, negative: bool) -> Parsed<State> {
        self.check_literal(token)?;
        match literal::number(self.heap, self.text, token, negative) {
            Ok(cell) => Ok(self.push(cell, start, token.end, 0)),
            Err(fault) => Err(self.bad_literal(fault)),
        }
    }

    /// Refuses, under the flag `iso`, what only other systems take for a number or a quoted item.
    fn check_literal(&mut self, token: Token) -> Parsed<()> {
        if !self.options.iso {
            return Ok(());
        }
        match literal::beyond_the_standard(self.text, token) {
            None => Ok(()),
            Some(fault) => Err(self.bad_literal(fault)),
        }
    }

    fn quoted_text(&mut self, token: Token, quotes: Quotes) -> Parsed<State> {
        self.check_literal(token)?;
        let text = literal::unquote(self.text, token).map_err(|fault| self.bad_literal(fault))?;
        let cell = match quotes {
            Quotes::String => self.heap.new_string(&text),
            Quotes::Atom => Cell::atom(self.symbols.intern(&text)),
            Quotes::Codes | Quotes::Chars => {
                let cells = &mut self.stacks.cells;
                cells.clear();
                cells.extend(text.chars().map(|c| match quotes {
                    Quotes::Codes => Cell::small(c as i64),
                    _ => Cell::atom(self.symbols.intern_char(c)),
                }));
                self.heap.list_from(cells, Cell::NIL)
            }
        };
        Ok(self.push(cell, token.start, token.end, 0))
    }

    /// The atom a name token stands for.
    pub(super) fn name_of(&mut self, token: Token) -> Parsed<Atom> {
        if token.kind == TokenKind::Quoted {
            self.check_literal(token)?;
            return match literal::unquote(self.text, token) {
                Ok(text) => Ok(self.symbols.intern(&text)),
                Err(fault) => Err(self.bad_literal(fault)),
            };
        }
        Ok(self.symbols.intern(token.text(self.text)))
    }

    /// A name where a term is expected: a compound, a negative number, a prefix
    /// operator or an atom.
    fn name(&mut self, name: Atom, token: Token) -> Parsed<State> {
        let next = self.peek(0);
        if next.start == token.end {
            if next.kind == TokenKind::OpenCt {
                self.take();
                if self.peek(0).kind == TokenKind::Close && !self.options.iso {
                    let close = self.take();
                    self.note(token, Role::Functor);
                    return Ok(self.push(Cell::atom(name), token.start, close.end, 0));
                }
                self.note(token, Role::Functor);
                return self.open(FrameKind::Args, name, token.start, next.start);
            }
            if name == atoms::MINUS && token.kind == TokenKind::Symbol && next.kind.is_number() {
                self.take();
                self.note(token, Role::Sign);
                return self.number(next, token.start, true);
            }
        }
        match self.operators.prefix(name) {
            Some(op) if self.acts_as_prefix(op)? => self.prefix(name, op, token),
            _ => {
                self.note(token, Role::Atom);
                Ok(self.push(Cell::atom(name), token.start, token.end, 0))
            }
        }
    }

    /// Notes what a name is, where a caller asks.
    fn note(&mut self, token: Token, role: Role) {
        if let Some(roles) = &mut self.stacks.roles {
            roles.push((token.start, role));
        }
    }

    /// Whether a prefix operator, just taken, is one here, and not an atom: it is
    /// when a term follows, and not an infix operator of which it is the operand.
    fn acts_as_prefix(&mut self, op: Op) -> Parsed<bool> {
        let next = self.peek(0);
        if !next.kind.is_name() {
            return Ok(next.kind.starts_term());
        }
        let name = self.name_of(next)?;
        if self.operators.infix(name).is_none() && self.operators.postfix(name).is_none() {
            return Ok(true);
        }
        let after = self.peek(1);
        let negative = name == atoms::MINUS && after.kind.is_number();
        if after.start == next.end && (negative || after.kind == TokenKind::OpenCt) {
            return Ok(true);
        }
        if self.operators.prefix(name).is_some_and(|inner| inner.priority <= op.right()) {
            return Ok(true);
        }
        if !after.kind.starts_term() {
            // What follows can be no infix operator; if it isn't a postfix
            // one either, it is an atom.
            return Ok(self.operators.postfix(name).is_none());
        }
        if !after.kind.is_name() {
            return Ok(false);
        }
        let after_name = self.name_of(after)?;
        Ok(self.operators.infix(after_name).is_some()
            && self.operators.prefix(after_name).is_none()
            && self.peek(2).kind.starts_term())
    }

    fn prefix(&mut self, name: Atom, op: Op, token: Token) -> Parsed<State> {
        let limit = self.pending().map_or(1200, |pending| pending.right);
        if op.priority > limit {
            return Err(self.clash(token, None));
        }
        self.note(token, Role::Prefix { priority: op.priority });
        self.push_op(name, op, token, true)
    }

    fn push_op(&mut self, name: Atom, op: Op, token: Token, prefix: bool) -> Parsed<State> {
        if self.stacks.frames.len() + self.stacks.ops.len() > MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.stacks.ops.push(Pending {
            name,
            start: token.start,
            end: token.end,
            priority: op.priority,
            right: op.right(),
            prefix,
        });
        Ok(State::Operand)
    }

    /// A term has been read: an operator, a separator or an end is expected.
    fn operator(&mut self) -> Parsed<State> {
        let token = self.peek(0);
        match token.kind {
            TokenKind::Name | TokenKind::Symbol | TokenKind::Solo | TokenKind::Quoted => {
                let name = self.name_of(token)?;
                if let Some(op) = self.operators.infix(name) {
                    self.infix(name, op, token)
                } else if let Some(op) = self.operators.postfix(name) {
                    self.postfix(name, op, token)
                } else {
                    Err(self.no_operator(token))
                }
            }
            TokenKind::Comma => match self.frame().kind {
                FrameKind::Args | FrameKind::List => self.separator(),
                FrameKind::Tail => Err(self.list_rest(token)),
                _ => self.separator_op(atoms::COMMA, token),
            },
            TokenKind::Bar => match self.frame().kind {
                FrameKind::List => {
                    let state = self.separator();
                    if let Some(frame) = self.stacks.frames.last_mut() {
                        frame.kind = FrameKind::Tail;
                    }
                    state
                }
                FrameKind::Tail => Err(self.list_rest(token)),
                _ => self.separator_op(atoms::BAR, token),
            },
            TokenKind::Close | TokenKind::CloseList | TokenKind::CloseCurly => self.close(token),
            TokenKind::End if self.frame().kind == FrameKind::Clause => {
                self.reduce_all();
                self.take();
                Ok(State::Done)
            }
            _ => Err(self.no_operator(token)),
        }
    }

    /// `,` or `|` as an infix operator.
    fn separator_op(&mut self, name: Atom, token: Token) -> Parsed<State> {
        match self.operators.infix(name) {
            Some(op) => self.infix(name, op, token),
            None => Err(self.no_operator(token)),
        }
    }

    /// `,` or `|` between arguments or elements.
    fn separator(&mut self) -> Parsed<State> {
        self.take();
        self.reduce_all();
        Ok(State::Operand)
    }

    fn infix(&mut self, name: Atom, op: Op, token: Token) -> Parsed<State> {
        self.left_argument(op, token)?;
        let left = self.last_operand().map_or(token.start, |operand| operand.start);
        self.note(token, Role::Infix { priority: op.priority, left });
        self.take();
        self.push_op(name, op, token, false)
    }

    fn postfix(&mut self, name: Atom, op: Op, token: Token) -> Parsed<State> {
        self.left_argument(op, token)?;
        self.note(token, Role::Postfix);
        self.take();
        let operand = self.pop_operand();
        self.build(name, &[operand], operand.start, token.end, op.priority);
        Ok(State::Operator)
    }

    /// Builds what binds tighter than `op`; then the term read last is its left
    /// argument, if the priorities allow.
    fn left_argument(&mut self, op: Op, token: Token) -> Parsed<()> {
        let before = self.last_operand();
        // Of two operators of one priority that could each be an argument of the other, the standard
        // (6.3.4.2) makes the second one the argument.
        let second =
            |pending: Pending| pending.priority == op.priority && pending.right >= op.priority;
        let iso = self.options.iso;
        while (self.pending())
            .is_some_and(|pending| pending.priority <= op.left() && !(iso && second(pending)))
        {
            self.reduce();
        }
        let fits = self.last_operand().is_some_and(|operand| operand.priority <= op.left());
        if !fits || self.pending().is_some_and(|pending| pending.right < op.priority) {
            return Err(self.clash(token, before));
        }
        Ok(())
    }

    /// A closing bracket behind a term.
    fn close(&mut self, token: Token) -> Parsed<State> {
        let frame = self.frame();
        if frame.kind.closed_by() != Some(token.kind) {
            return Err(self.unmatched(token));
        }
        let base = frame.operands as usize;
        if self.stacks.operands.len() - base > MAX_ARITY && frame.kind == FrameKind::Args {
            return Err(self.too_deep());
        }
        self.take();
        self.reduce_all();
        self.stacks.frames.pop();
        match frame.kind {
            FrameKind::Args => self.close_args(frame, token.end),
            FrameKind::List | FrameKind::Tail => self.close_list(frame, token.end),
            FrameKind::Curly => {
                let inner = self.pop_operand();
                self.build(atoms::CURLY, &[inner], frame.start, token.end, 0);
            }
            _ => {
                let inner = self.pop_operand();
                self.push(inner.cell, frame.start, token.end, 0);
            }
        }
        Ok(State::Operator)
    }
}
