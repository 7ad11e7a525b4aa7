//! What is known of predicates that no rule file defines: built-ins, the library, engines; and of those that a
//! rule file may define for the engines.

use rustc_hash::FxHashMap;
use zug_editing::outline::Predicate;
use zug_tools::manual::Book;
use zug_tools::manual::entries::{Entry, Head};

/// The manual, by name.
pub struct Known {
    book: Book,
    /// Numbers of entries.
    by_name: FxHashMap<String, Vec<usize>>,
    /// Entries of the contract come first.
    contract: usize,
}

impl Default for Known {
    fn default() -> Known {
        let book = Book::default();
        let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (number, entry) in book.entries.iter().enumerate() {
            for head in &entry.heads {
                let of = by_name.entry(head.name.clone()).or_default();
                if of.last() != Some(&number) {
                    of.push(number);
                }
            }
        }
        let contract = zug_tools::manual::contract_entries().len();
        Known { book, by_name, contract }
    }
}

impl Known {
    fn named(&self, name: &str) -> impl Iterator<Item = (usize, &Entry)> {
        let numbers = self.by_name.get(name).into_iter().flatten();
        numbers.map(|&number| (number, &self.book.entries[number]))
    }

    /// What the system has of this name and arity.
    pub fn built_in(&self, predicate: &Predicate) -> Option<&Entry> {
        self.entry(predicate, false)
    }

    /// What the engines ask of rule files.
    pub fn contract(&self, predicate: &Predicate) -> Option<&Entry> {
        self.entry(predicate, true)
    }

    fn entry(&self, Predicate { name, arity }: &Predicate, contract: bool) -> Option<&Entry> {
        let mut entries = self.named(name).filter(|(n, _)| (*n < self.contract) == contract);
        entries.find(|(_, entry)| entry.is_for(name, Some(*arity))).map(|(_, entry)| entry)
    }

    /// All heads of a name, whatever their arity.
    pub fn heads(&self, name: &str) -> Vec<(&Entry, &Head)> {
        let entries = self.named(name).map(|(_, entry)| entry);
        let heads = entries.flat_map(|entry| entry.heads.iter().map(move |head| (entry, head)));
        heads.filter(|(_, head)| head.name == name).collect()
    }

    /// All that the system has, and what the engines ask for: with whether it is the latter.
    pub fn all(&self) -> impl Iterator<Item = (&Entry, &Head, bool)> {
        self.book.entries.iter().enumerate().flat_map(move |(number, entry)| {
            entry.heads.iter().map(move |head| (entry, head, number < self.contract))
        })
    }
}

/// An entry in Markdown.
pub fn shown(entry: &Entry) -> String {
    let heads: Vec<&str> = entry.heads.iter().map(|head| head.text.as_str()).collect();
    let mut text = format!("```zug\n{}\n```\n{}", heads.join("\n"), entry.words.join("\n"));
    if !entry.examples.is_empty() {
        text += &format!("\n\n```zug\n{}\n```", entry.examples.join("\n"));
    }
    text + &format!("\n\n*{}*", entry.origin)
}

/// The arguments of a head as it is written in the manual, with their modes.
pub fn arguments(head: &str) -> Vec<&str> {
    let Some(open) = head.find('(') else { return Vec::new() };
    let inside = head[open + 1..].rsplit_once(')').map_or("", |(inside, _)| inside);
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(inside[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inside.is_empty() {
        parts.push(inside[start..].trim());
    }
    parts
}
