//! Faults in a text: what kinds there are, and how they are named.
//!
//! Codes that others give: E0119, blocks of Markdown around or among the rules, and E0120, another
//! language (PDDL, GDL), told by the loader; W0101, the text isn't UTF-8.

use zug_term::diagnostic::Diagnostic;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// Two terms without an operator between them.
    OperatorExpected,
    /// Operators whose priorities don't fit together.
    OperatorClash,
    /// A term is missing.
    CannotStartTerm,
    /// The clause ends where a term is expected.
    EndOfClause,
    /// A full stop is missing between two clauses.
    EndOfClauseExpected,
    /// The text ends within a clause.
    EndOfFile,
    /// A bracket is never closed.
    UnclosedBracket,
    /// A closing bracket fits no opening one.
    UnmatchedBracket,
    /// More than one term after `|` in a list.
    ListRest,
    /// A quoted item, with this quote, is never closed.
    EndOfFileInQuoted(char),
    /// A block comment is never closed.
    EndOfFileInComment,
    /// An escape sequence that doesn't exist: the character behind the backslash.
    UndefinedEscape(char),
    /// A character number that is no character's.
    IllegalCode,
    /// A number that can't be read.
    IllegalNumber,
    /// A float too large.
    FloatOverflow,
    /// A character that has no meaning.
    IllegalCharacter,
    /// Brackets or operators nested too deeply.
    TooDeep,
    /// Too many faults in one text.
    TooManyFaults,
}

impl FaultKind {
    /// Its code, and its name in `syntax_error(…)`.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            FaultKind::OperatorExpected => ("E0101", "operator_expected"),
            FaultKind::OperatorClash => ("E0102", "operator_clash"),
            FaultKind::CannotStartTerm => ("E0103", "cannot_start_term"),
            FaultKind::EndOfClause => ("E0104", "end_of_clause"),
            FaultKind::EndOfClauseExpected => ("E0105", "end_of_clause_expected"),
            FaultKind::EndOfFile => ("E0106", "end_of_file"),
            FaultKind::UnclosedBracket => ("E0107", "end_of_clause"),
            FaultKind::UnmatchedBracket => ("E0108", "cannot_start_term"),
            FaultKind::ListRest => ("E0109", "list_rest"),
            FaultKind::EndOfFileInQuoted(_) => ("E0110", "end_of_file_in_quoted"),
            FaultKind::EndOfFileInComment => ("E0111", "end_of_file_in_block_comment"),
            FaultKind::UndefinedEscape(_) => ("E0112", "undefined_char_escape"),
            FaultKind::IllegalCode => ("E0113", "illegal_character_code"),
            FaultKind::IllegalNumber => ("E0114", "illegal_number"),
            FaultKind::FloatOverflow => ("E0115", "float_overflow"),
            FaultKind::IllegalCharacter => ("E0116", "illegal_character"),
            FaultKind::TooDeep => ("E0117", "nesting_too_deep"),
            FaultKind::TooManyFaults => ("E0118", "too_many_errors"),
        }
    }

    /// The stable code shown with the message.
    pub fn code(self) -> &'static str {
        self.names().0
    }

    /// The argument of `syntax_error(…)`: an atom, or an atom and the character
    /// that is its one argument.
    pub fn iso(self) -> (&'static str, Option<char>) {
        let character = match self {
            FaultKind::EndOfFileInQuoted(c) | FaultKind::UndefinedEscape(c) => Some(c),
            _ => None,
        };
        (self.names().1, character)
    }
}

/// A fault found while reading: its kind, for `syntax_error(…)`, and how it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxFault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The finding to show.
    pub diagnostic: Diagnostic,
    /// Findings about later goals of the same clause.
    pub further: Vec<Diagnostic>,
}

impl SyntaxFault {
    /// All findings about the clause.
    pub fn diagnostics(self) -> impl Iterator<Item = Diagnostic> {
        std::iter::once(self.diagnostic).chain(self.further)
    }
}
