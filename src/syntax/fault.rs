//! Faults in a text: what kinds there are, how they are named and explained.
//!
//! | code | what | ISO name in `syntax_error(…)` |
//! |---|---|---|
//! | E0101 | two terms without an operator between them | `operator_expected` |
//! | E0102 | operators whose priorities don't fit | `operator_clash` |
//! | E0103 | a term is missing | `cannot_start_term` |
//! | E0104 | the clause ends too early | `end_of_clause` |
//! | E0105 | a full stop is missing between two clauses | `end_of_clause_expected` |
//! | E0106 | the text ends within a clause | `end_of_file` |
//! | E0107 | a bracket is never closed | `end_of_clause` |
//! | E0108 | a closing bracket fits no opening one | `cannot_start_term` |
//! | E0109 | more than one term after `\|` in a list | `list_rest` |
//! | E0110 | a quoted item is never closed | `end_of_file_in_quoted(…)` |
//! | E0111 | a block comment is never closed | `end_of_file_in_block_comment` |
//! | E0112 | an escape sequence that doesn't exist | `undefined_char_escape(C)` |
//! | E0113 | a character number that is no character's | `illegal_character_code` |
//! | E0114 | a number that can't be read | `illegal_number` |
//! | E0115 | a float too large | `float_overflow` |
//! | E0116 | a character that has no meaning | `illegal_character` |
//! | E0117 | brackets or operators nested too deeply | `nesting_too_deep` |
//! | E0118 | too many faults in one text | `too_many_errors` |
//! | E0119 | blocks of Markdown around or among the rules; told by the loader | |
//! | E0120 | another language: PDDL, GDL; told by the loader | |
//! | W0101 | the text isn't UTF-8 | |

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
    /// The stable code shown with the message.
    pub fn code(self) -> &'static str {
        match self {
            FaultKind::OperatorExpected => "E0101",
            FaultKind::OperatorClash => "E0102",
            FaultKind::CannotStartTerm => "E0103",
            FaultKind::EndOfClause => "E0104",
            FaultKind::EndOfClauseExpected => "E0105",
            FaultKind::EndOfFile => "E0106",
            FaultKind::UnclosedBracket => "E0107",
            FaultKind::UnmatchedBracket => "E0108",
            FaultKind::ListRest => "E0109",
            FaultKind::EndOfFileInQuoted(_) => "E0110",
            FaultKind::EndOfFileInComment => "E0111",
            FaultKind::UndefinedEscape(_) => "E0112",
            FaultKind::IllegalCode => "E0113",
            FaultKind::IllegalNumber => "E0114",
            FaultKind::FloatOverflow => "E0115",
            FaultKind::IllegalCharacter => "E0116",
            FaultKind::TooDeep => "E0117",
            FaultKind::TooManyFaults => "E0118",
        }
    }

    /// The argument of `syntax_error(…)`: an atom, or an atom and the character
    /// that is its one argument.
    pub fn iso(self) -> (&'static str, Option<char>) {
        let name = match self {
            FaultKind::OperatorExpected => "operator_expected",
            FaultKind::OperatorClash => "operator_clash",
            FaultKind::CannotStartTerm | FaultKind::UnmatchedBracket => "cannot_start_term",
            FaultKind::EndOfClause | FaultKind::UnclosedBracket => "end_of_clause",
            FaultKind::EndOfClauseExpected => "end_of_clause_expected",
            FaultKind::EndOfFile => "end_of_file",
            FaultKind::ListRest => "list_rest",
            FaultKind::EndOfFileInQuoted(quote) => return ("end_of_file_in_quoted", Some(quote)),
            FaultKind::EndOfFileInComment => "end_of_file_in_block_comment",
            FaultKind::UndefinedEscape(c) => return ("undefined_char_escape", Some(c)),
            FaultKind::IllegalCode => "illegal_character_code",
            FaultKind::IllegalNumber => "illegal_number",
            FaultKind::FloatOverflow => "float_overflow",
            FaultKind::IllegalCharacter => "illegal_character",
            FaultKind::TooDeep => "nesting_too_deep",
            FaultKind::TooManyFaults => "too_many_errors",
        };
        (name, None)
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
