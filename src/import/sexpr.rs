//! S-expressions with their places: the notation of GDL and of PDDL.
//!
//! A text is a row of expressions; `;` begins a comment. What is wrong is a diagnostic, and reading goes on
//! behind it. Expressions are nested [`MAX_DEPTH`] deep at most, so that whoever walks them may recurse.

use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::watchdog;

/// How deep expressions may be nested.
pub const MAX_DEPTH: usize = 500;

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub kind: Kind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Symbol(String),
    List(Vec<Node>),
}

/// An expression that stands in no other.
#[derive(Clone, Debug)]
pub struct Form {
    pub node: Node,
    /// The lines of comment before it, without semicolons.
    pub comments: Vec<String>,
}

impl Node {
    pub fn symbol(&self) -> Option<&str> {
        match &self.kind {
            Kind::Symbol(text) => Some(text),
            Kind::List(_) => None,
        }
    }

    pub fn list(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::Symbol(_) => None,
            Kind::List(items) => Some(items),
        }
    }

    /// The first word of a list and the other items.
    pub fn call(&self) -> Option<(&str, &[Node])> {
        let (head, rest) = self.list()?.split_first()?;
        Some((head.symbol()?, rest))
    }
}

/// Reads all expressions of a text. Bytes of `begin` begin a word, and so end the one before them.
pub fn read(source: &Source, begin: &[u8], faults: &mut Vec<Diagnostic>) -> Vec<Form> {
    let (forms, open, comments) = Default::default();
    Reader { source, faults, forms, open, suspect: None, comments }.run(begin)
}

struct Reader<'a> {
    source: &'a Source,
    faults: &'a mut Vec<Diagnostic>,
    forms: Vec<Form>,
    /// Lists that were begun: where, and their items.
    open: Vec<(usize, Vec<Node>)>,
    /// A list that is not closed where one begins that does not seem to stand in it.
    suspect: Option<usize>,
    /// Comments since the last form.
    comments: Vec<String>,
}

impl Reader<'_> {
    fn run(mut self, begin: &[u8]) -> Vec<Form> {
        let text = self.source.text.clone();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let from = at;
            watchdog::step();
            match bytes[at] {
                b';' => {
                    at = end_of(bytes, at, |b| matches!(b, b'\n' | b'\r'));
                    self.comment(&text[from..at]);
                }
                b'(' => {
                    at += 1;
                    if !self.begin(from) {
                        return self.forms;
                    }
                }
                b')' => {
                    at += 1;
                    self.end(at);
                }
                b if b.is_ascii_whitespace() => at += 1,
                _ => {
                    let ends = |b: u8| b.is_ascii_whitespace() || b"();".contains(&b);
                    at = end_of(bytes, at + 1, |b| ends(b) || begin.contains(&b));
                    let kind = Kind::Symbol(text[from..at].to_owned());
                    self.push(Node { kind, span: Span::new(from, at) });
                }
            }
        }
        if let Some((first, _)) = self.open.first() {
            let begun = self.open.iter().rev().find(|(from, _)| self.column(*from).is_some());
            let from = self.suspect.unwrap_or_else(|| begun.map_or(*first, |(from, _)| *from));
            self.fault(Span::new(from, from + 1), "E0802", "this parenthesis is not closed");
        }
        self.forms
    }

    fn fault(&mut self, span: Span, code: &'static str, message: &str) {
        self.faults.push(Diagnostic::error(code, message).at(self.source, span, ""));
    }

    fn comment(&mut self, text: &str) {
        let line = text.trim_start_matches(';').trim();
        if self.open.is_empty() && line.chars().any(char::is_alphanumeric) {
            self.comments.push(line.to_owned());
        }
    }

    /// The column of a list that begins its line.
    fn column(&self, from: usize) -> Option<usize> {
        let before = &self.source.text.as_bytes()[..from];
        let blanks = before.iter().rev().take_while(|b| matches!(b, b' ' | b'\t')).count();
        watchdog::steps(blanks);
        let is_first = matches!(
            before.len().checked_sub(blanks + 1).map(|n| before[n]),
            None | Some(b'\n' | b'\r')
        );
        is_first.then_some(blanks)
    }

    /// The innermost open list that begins a line no further left than another one in it; in a text that is not
    /// indented both are sections (`(:`) or rules (`(<=`).
    fn left_open(&self, from: usize) -> Option<usize> {
        let column = self.column(from)?;
        let mark = |from: usize| self.source.text.as_bytes().get(from + 1).copied();
        let is_alike = |other: usize| {
            mark(other) == mark(from) && mark(from).is_some_and(|b| b.is_ascii_punctuation())
        };
        let mut open = self.open.iter().rev().map(|(other, _)| *other);
        open.find(|&other| {
            watchdog::step();
            let at = self.column(other);
            at.is_some_and(|at| at > column || (at == column && (column > 0 || is_alike(other))))
        })
    }

    fn begin(&mut self, from: usize) -> bool {
        if self.suspect.is_none() {
            self.suspect = self.left_open(from);
        }
        self.open.push((from, Vec::new()));
        if self.open.len() > MAX_DEPTH {
            let message = format!("expressions are nested more than {MAX_DEPTH} deep");
            self.fault(Span::new(from, from + 1), "E0803", &message);
            return false;
        }
        true
    }

    fn end(&mut self, at: usize) {
        match self.open.pop() {
            Some((from, items)) => {
                self.push(Node { kind: Kind::List(items), span: Span::new(from, at) });
            }
            None => self.fault(Span::new(at - 1, at), "E0801", "no parenthesis is open here"),
        }
    }

    fn push(&mut self, node: Node) {
        match self.open.last_mut() {
            Some((_, items)) => items.push(node),
            None => {
                self.suspect = None;
                let comments = std::mem::take(&mut self.comments);
                self.forms.push(Form { node, comments });
            }
        }
    }
}

/// The first place from `at` on whose byte is one to stop at.
fn end_of(bytes: &[u8], at: usize, stop: impl Fn(u8) -> bool) -> usize {
    bytes[at..].iter().position(|&b| stop(b)).map_or(bytes.len(), |n| at + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<&'static str> {
        let mut faults = Vec::new();
        read(&Source::new("t", text), b"", &mut faults);
        faults.iter().map(|fault| fault.code).collect()
    }

    #[test]
    fn forms_have_their_comments() {
        let mut faults = Vec::new();
        let forms = read(&Source::new("t", ";;;;\n; one\n(a (b c)) ; two\nd"), b"", &mut faults);
        assert!(faults.is_empty());
        assert_eq!(forms.len(), 2);
        assert_eq!(forms[0].comments, ["one"]);
        assert_eq!(forms[0].node.call().map(|(name, rest)| (name, rest.len())), Some(("a", 1)));
        assert_eq!(forms[1].node.symbol(), Some("d"));
    }

    #[test]
    fn what_is_not_closed_is_found_by_lines() {
        let line = |text: &str| {
            let mut faults = Vec::new();
            let source = Source::new("t", text);
            read(&source, b"", &mut faults);
            let place = faults[0].primary.as_ref().expect("a place");
            source.position(place.span.start).line
        };
        assert_eq!(line("(a\n  (b\n    (c (d))\n  (b e))"), 2);
        assert_eq!(line("(a\n  (:b\n    (c (d)\n  (:b e))\n"), 3);
        assert_eq!(line("(a\n  (:b\n    (c\n      (d)\n  (:b e))\n"), 3);
        assert_eq!(line("(a\n  (:b (c\n    :d (e))\n  (:b f))\n"), 2);
        assert_eq!(line("(a\n(:b (c)\n(:b (d)))\n"), 2);
        assert_eq!(line("(<= a\n b)\n(<= (c\n d)\n(<= e f)\n"), 3);
        assert_eq!(line("(a\n  (b)\n  (c\n"), 3);
        assert_eq!(line("(a\n  (b\n  (c)))\n(d\n  (e)\n"), 4);
    }

    #[test]
    fn comments_end_with_the_line() {
        for end in ["\n", "\r\n", "\r"] {
            let mut faults = Vec::new();
            let text = ["; one", "(a) ; two", "(b)"].join(end);
            let forms = read(&Source::new("t", &text), b"", &mut faults);
            assert_eq!((forms.len(), faults.len()), (2, 0), "{text:?}");
        }
    }

    #[test]
    fn parentheses_match() {
        assert_eq!(codes("(a))"), ["E0801"]);
        assert_eq!(codes("(a (b"), ["E0802"]);
        assert_eq!(codes(&"(".repeat(1000)), ["E0803"]);
    }
}
