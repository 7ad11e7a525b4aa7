//! Words of other formats as atoms, integers and variables of the rule language.

use std::collections::{BTreeMap, BTreeSet};
use zug_term::watchdog;

/// A constant: an integer if it is written as one would be printed, else an atom.
pub fn constant(word: &str) -> String {
    if is_integer(word) { word.to_owned() } else { atom(word) }
}

/// Whether a word is an integer in its shortest form.
pub fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    digits.bytes().all(|b| b.is_ascii_digit())
        && match digits.as_bytes() {
            [] => false,
            [b'0'] => word == "0",
            [first, ..] => *first != b'0',
        }
}

/// An atom, in quotes where it needs them.
pub fn atom(word: &str) -> String {
    let plain = word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain && !OPERATORS.contains(&word) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Atoms that are operators; in quotes they stand anywhere.
#[rustfmt::skip]
const OPERATORS: &[&str] = &[
    "is", "mod", "rem", "div", "divmod", "rdiv", "xor", "dynamic", "table", "discontiguous",
    "initialization", "multifile", "public", "as", "tnot", "meta_predicate", "module_transparent",
    "thread_local", "volatile",
];

/// A word with only letters, digits and underscores.
pub fn plain(word: &str) -> String {
    word.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// A name of a variable that reads like a word.
pub fn variable(word: &str) -> String {
    let word = plain(word);
    let trimmed = word.trim_start_matches('_');
    let mut letters = trimmed.chars();
    match letters.next() {
        Some(first) if first.is_ascii_alphabetic() => {
            format!("{}{}", first.to_ascii_uppercase(), letters.as_str())
        }
        _ => format!("V{trimmed}"),
    }
}

/// An atom and arguments.
pub fn compound(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}({})", args.join(", ")) }
}

/// A clause with a goal on each line.
pub fn clause(head: &str, goals: &[String]) -> String {
    if goals.is_empty() {
        return format!("{head}.\n");
    }
    format!("{head} :-\n    {}.\n", goals.join(",\n    "))
}

/// A clause of a predicate that never holds.
pub fn never(name: &str, arity: usize) -> String {
    clause(&compound(name, &vec!["_".to_owned(); arity]), &["fail".to_owned()])
}

/// Names that are given once each.
#[derive(Default)]
pub struct Fresh {
    pub given: BTreeSet<String>,
    /// How often a name was asked for.
    asked: BTreeMap<String, usize>,
}

impl Fresh {
    /// Names but for these.
    pub fn but_for<'n>(given: impl IntoIterator<Item = &'n str>) -> Fresh {
        let given = given.into_iter().map(str::to_owned).collect();
        Fresh { given, asked: BTreeMap::new() }
    }

    /// A name: `base`, or if that was given, `base` with a number.
    pub fn name(&mut self, base: &str) -> String {
        let n = self.asked.entry(base.to_owned()).or_default();
        loop {
            watchdog::step();
            *n += 1;
            let name = if *n == 1 { base.to_owned() } else { format!("{base}_{n}") };
            if self.given.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_written_so_that_they_are_read_again() {
        assert_eq!(constant("12"), "12");
        assert_eq!(constant("-3"), "-3");
        assert_eq!(constant("01"), "'01'");
        assert_eq!(constant("-0"), "'-0'");
        assert_eq!(constant("-"), "'-'");
        assert_eq!(constant("cellOpen"), "cellOpen");
        assert_eq!(constant("X"), "'X'");
        assert_eq!(constant("it's"), "'it\\'s'");
        assert_eq!(constant("mod"), "'mod'");
    }

    #[test]
    fn variables_begin_with_a_capital() {
        assert_eq!(variable("x1"), "X1");
        assert_eq!(variable("_a-b"), "A_b");
        assert_eq!(variable("1"), "V1");
    }
}
