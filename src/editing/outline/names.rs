//! Source positions of the names in a term.

use crate::reading::Clause;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use zug_syntax::{ReadTerm, Role, Token, unquoted};
use zug_term::source::Span;
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap};

/// A predicate by its name and number of arguments.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Predicate {
    /// Its name, without quotes.
    pub name: Arc<str>,
    /// Its number of arguments.
    pub arity: usize,
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.name, self.arity)
    }
}

/// A clause as a term and as text.
pub struct Names<'a> {
    pub text: &'a str,
    /// The terms.
    pub heap: &'a Heap,
    /// Their names.
    pub symbols: &'a Symbols,
    /// The clause.
    pub term: &'a ReadTerm,
    /// Its tokens.
    pub clause: &'a Clause,
}

impl<'a> Names<'a> {
    /// Name, arity and address of the first argument of a compound.
    pub fn functor(&self, cell: Cell) -> Option<(&'a str, usize, usize)> {
        let (name, arity, args) = self.heap.name_arity(self.heap.deref(cell))?;
        (arity > 0).then(|| (self.symbols.name(name), arity, args))
    }

    /// Name and arity of an atom or a compound.
    pub fn name_arity(&self, cell: Cell) -> Option<(&'a str, usize)> {
        let cell = self.heap.deref(cell);
        if let Some(name) = cell.as_atom() {
            return Some((self.symbols.name(name), 0));
        }
        self.functor(cell).map(|(name, arity, _)| (name, arity))
    }

    /// The term in an argument and where it stands; where the whole stands if that isn't known.
    pub fn place(&self, addr: usize, whole: Span) -> (Cell, Span) {
        (self.heap.deref(self.heap.at(addr)), self.term.span_of(addr).unwrap_or(whole))
    }

    /// Where the name of a term stands, whose place is known.
    pub fn name_span(&self, cell: Cell, whole: Span) -> Option<Span> {
        let cell = self.heap.deref(cell);
        let (name, arity) = self.name_arity(cell)?;
        let roles = self.clause.roles.as_deref()?;
        let from = roles.partition_point(|role| role.0 < whole.start);
        let inside = roles[from..].iter().take_while(|role| role.0 < whole.end);
        // A sign belongs to its number.
        let named = inside.filter(|role| role.1 != Role::Sign).filter_map(|&(start, role)| {
            let token = self.token(start)?;
            (self.name(token) == name).then_some((token.span(), role))
        });
        if arity == 0 {
            return named.map(|(span, _)| span).next();
        }
        let (_, _, args) = self.functor(cell)?;
        let first = self.term.span_of(args)?;
        let mut prefix = None;
        for (span, role) in named {
            match role {
                Role::Functor | Role::Prefix { .. } if span.start < first.start => {
                    prefix = Some(span);
                }
                Role::Infix { .. } if arity == 2 => {
                    let second = self.term.span_of(args + 1)?;
                    if first.end <= span.start && span.end <= second.start {
                        return Some(span);
                    }
                }
                Role::Postfix if arity == 1 && first.end <= span.start => return Some(span),
                _ => {}
            }
        }
        prefix
    }

    /// The token that begins at an offset.
    fn token(&self, start: u32) -> Option<Token> {
        let tokens = &self.clause.tokens;
        let at = tokens.binary_search_by_key(&start, |token| token.start).ok()?;
        Some(tokens[at])
    }

    /// The name that a token is, without quotes.
    fn name(&self, token: Token) -> Cow<'a, str> {
        let shown = token.text(self.text);
        match shown {
            "[" => Cow::Borrowed("[]"),
            "{" => Cow::Borrowed("{}"),
            _ => unquoted(shown).unwrap_or(Cow::Borrowed(shown)),
        }
    }

    /// The predicate that `Name/Arity` or `Name//Arity` means.
    pub fn indicator(&self, cell: Cell) -> Option<Predicate> {
        let (functor, 2, args) = self.functor(cell)? else { return None };
        let added = match functor {
            "/" => 0,
            "//" => 2,
            _ => return None,
        };
        let name = self.heap.deref(self.heap.at(args)).as_atom()?;
        let arity = self.heap.deref(self.heap.at(args + 1)).as_int()?;
        let arity = usize::try_from(arity).ok()? + added;
        Some(Predicate { name: self.symbols.name(name).into(), arity })
    }

    /// All `Name/Arity` of the clause, with where the name and where the whole stands.
    pub fn indicators(&self) -> Vec<(Predicate, Span, Span)> {
        let mut found = Vec::new();
        for &(addr, whole) in &self.term.spans {
            let cell = self.heap.deref(self.heap.at(addr));
            let Some(predicate) = self.indicator(cell) else { continue };
            let Some((_, _, args)) = self.functor(cell) else { continue };
            let (name, place) = self.place(args, whole);
            if let Some(span) = self.name_span(name, place) {
                found.push((predicate, span, whole));
            }
        }
        found
    }
}
