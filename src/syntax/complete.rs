//! Whether typed text is a whole clause: when a prompt stops asking for more.

use super::token::{TokenKind, Tokens};

/// How far a typed text has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// Nothing but layout and comments.
    Empty,
    /// The last clause has its full stop.
    Complete,
    /// More is to come: no full stop yet.
    Incomplete,
    /// More is to come: a quoted item is open since this offset.
    InQuoted(usize),
    /// More is to come: a block comment is open since this offset.
    InComment(usize),
}

/// How far a typed text has come. A full stop inside brackets ends a clause
/// too, though a faulty one: asking for more would not mend it.
pub fn completeness(text: &str) -> Completeness {
    let mut tokens = Tokens::new(0, false);
    let mut last = Completeness::Empty;
    loop {
        let token = tokens.next(text);
        last = match token.kind {
            TokenKind::Eof => return last,
            TokenKind::End => Completeness::Complete,
            TokenKind::OpenQuoted => Completeness::InQuoted(token.start as usize),
            TokenKind::OpenComment => Completeness::InComment(token.start as usize),
            _ => Completeness::Incomplete,
        };
    }
}

/// Where the first clause of a text ends: the offset behind its full stop.
pub fn clause_end(text: &str) -> Option<usize> {
    let mut tokens = Tokens::new(0, false);
    loop {
        let token = tokens.next(text);
        match token.kind {
            TokenKind::Eof => return None,
            TokenKind::End => return Some(token.end as usize),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_clauses() {
        assert_eq!(clause_end("foo. bar."), Some(4));
        assert_eq!(clause_end("'a. b'. c."), Some(7));
        assert_eq!(clause_end("foo"), None);
    }

    #[test]
    fn states() {
        let check = |text, expect| assert_eq!(completeness(text), expect, "{text:?}");
        check("", Completeness::Empty);
        check(" % x\n/* y */", Completeness::Empty);
        check("foo.", Completeness::Complete);
        check("foo. % end", Completeness::Complete);
        check("foo. bar", Completeness::Incomplete);
        check("foo(X) :- bar,\n", Completeness::Incomplete);
        check("X = 'a. ", Completeness::InQuoted(4));
        check("X = \"a. ", Completeness::InQuoted(4));
        check("X /* a. ", Completeness::InComment(2));
        check("X = 0'.", Completeness::Incomplete);
        check("X = 0'. .", Completeness::Complete);
    }
}
