//! The language of rule files: Prolog, and what zug adds to it.

use std::io::{Read, Write};
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::{Extension, LibraryText, Session};

/// Engines, explanations, constraints, the manual.
pub const EXTENSIONS: &[Extension] = &[
    zug_domain::EXTENSION,
    zug_explain::EXTENSION,
    zug_constraints::EXTENSION,
    zug_solvers::EXTENSION,
    Extension { tables: &[crate::manual::TABLE], ..Extension::NONE },
];

/// All texts of the library.
pub fn library() -> impl Iterator<Item = &'static LibraryText> {
    let added = EXTENSIONS.iter().flat_map(|extension| extension.library);
    zug_prolog::session::LIBRARY.iter().chain(added)
}

/// A session on the standard streams of the process.
pub fn session() -> Session {
    Session::with_extensions(EXTENSIONS)
}

/// A session on streams of the caller's.
pub fn with_io(
    input: Box<dyn Read + Send>,
    output: Box<dyn Write + Send>,
    error: Box<dyn Write + Send>,
) -> Session {
    Session::with_io(EXTENSIONS, input, output, error)
}

/// A session that reads the given text and keeps what is written.
pub fn captured(input: &str) -> (Session, SharedBuffer) {
    Session::captured(EXTENSIONS, input)
}

#[cfg(test)]
mod tests {
    use super::library;
    use std::collections::BTreeMap;

    /// The name and the number of arguments of the head that a text begins with.
    fn head(text: &str) -> Option<(String, usize)> {
        let mut chars = text.char_indices().peekable();
        let (_, first) = chars.peek().copied()?;
        if !first.is_lowercase() && first != '\'' {
            return None;
        }
        let (mut quoted, mut depth, mut commas, mut name) = (false, 0, 0, None);
        for (at, c) in chars {
            match c {
                '\'' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' | '{' => {
                    name.get_or_insert(&text[..at]);
                    depth += 1;
                }
                ')' | ']' | '}' => {
                    depth -= 1;
                    if depth == 0 {
                        // A rule of a grammar has two arguments more.
                        let is_grammar = text[at + 1..].trim_start().starts_with("-->");
                        let more = if is_grammar { 2 } else { 0 };
                        return Some((name?.to_owned(), commas + 1 + more));
                    }
                }
                ',' if depth == 1 => commas += 1,
                ' ' | '.' | ':' if depth == 0 => return Some((text[..at].to_owned(), 0)),
                _ => {}
            }
        }
        None
    }

    /// Clauses of two files would be clauses of one predicate, with twice the answers.
    #[test]
    fn no_predicate_of_the_library_is_in_two_files() {
        let mut files: BTreeMap<(String, usize), Vec<&str>> = BTreeMap::new();
        for text in library() {
            let mut start = 0;
            for line in text.text.split_inclusive('\n') {
                if let Some(head) = head(&text.text[start..]) {
                    let files = files.entry(head).or_default();
                    if files.last() != Some(&text.name) {
                        files.push(text.name);
                    }
                }
                start += line.len();
            }
        }
        assert!(files.len() > 500, "{}", files.len());
        assert!(files.contains_key(&("transpose".to_owned(), 2)));
        let twice: Vec<_> = files.iter().filter(|(_, files)| files.len() > 1).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
