//! Boards: relations of fluents as places with values.

use super::syntax::{Key, Term};
use std::cmp::Ordering;
use zug_term::watchdog;

/// How relations are kept.
#[derive(Default)]
pub struct Boards {
    /// The relations that are boards.
    pub boards: Vec<Board>,
    /// What stands on an empty place.
    pub empty: &'static str,
}

/// A relation of fluents as a board.
pub struct Board {
    pub functor: Key,
    /// The argument that stands on a place; without one a place says `yes`.
    pub value: Option<usize>,
    /// The other arguments, in order.
    pub keys: Vec<Axis>,
    /// Whether it is proved that there is one value on a place at most.
    pub single: bool,
    /// What moves change is not known: each computes all places.
    pub is_whole: bool,
    /// What moves may change, where there are several places.
    pub changes: Vec<Change>,
    /// Its delta rules, if it has any: they replace `changes`.
    pub delta: Option<Delta>,
}

/// An argument by which places are told apart.
pub struct Axis {
    pub argument: usize,
    /// What it may be, as written.
    pub values: Vec<String>,
}

/// What moves of a form may change.
pub struct Change {
    pub chosen: String,
    /// The keys of places; without them all.
    pub keys: Option<Vec<String>>,
}

impl Boards {
    /// Whether the place of a fluent on a board is known.
    pub fn has_place(&self, functor: (&str, usize), known: impl Fn(usize) -> bool) -> bool {
        let mut boards = self.boards.iter();
        let board = boards.find(|b| (b.functor.0.as_str(), b.functor.1) == functor);
        board.is_some_and(|board| board.keys.iter().all(|axis| known(axis.argument)))
    }
}

impl Axis {
    pub fn position(&self, value: &Term) -> Option<usize> {
        watchdog::step();
        let value = shown(value);
        self.values.binary_search_by(|known| by_number(known, &value)).ok()
    }

    /// Whether the values are 1, 2, and so on.
    pub fn counts(&self) -> bool {
        self.values.iter().enumerate().all(|(nth, value)| *value == (nth + 1).to_string())
    }
}

/// The delta rules of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delta {
    /// For gained fluents alone, which replace all lost ones.
    Gained,
    /// For lost and for gained fluents.
    Both,
}

impl Board {
    /// Whether a place may have a list of values.
    pub fn is_several(&self) -> bool {
        self.value.is_some() && !self.single
    }

    /// The arguments that are keys.
    pub fn places(&self) -> Vec<usize> {
        self.keys.iter().map(|axis| axis.argument).collect()
    }

    /// The keys of all places.
    pub fn all_keys(&self) -> Vec<String> {
        (0..self.size()).map(|place| joined(&self.key(place))).collect()
    }

    /// The number of a place.
    pub fn place(&self, key: &[Term]) -> Option<usize> {
        self.keys.iter().zip(key).try_fold(0, |place, (axis, part)| {
            Some(place * axis.values.len() + axis.position(part)?)
        })
    }

    /// The key of a place by its number.
    pub fn key(&self, mut place: usize) -> Vec<String> {
        let mut key: Vec<String> = Vec::new();
        for axis in self.keys.iter().rev() {
            key.push(axis.values[place % axis.values.len()].clone());
            place /= axis.values.len();
        }
        key.reverse();
        key
    }

    pub fn size(&self) -> usize {
        self.keys.iter().map(|axis| axis.values.len()).product()
    }
}

/// Integers first, by size.
pub fn by_number(one: &str, other: &str) -> Ordering {
    let number = |word: &str| word.parse::<i64>().map_or((1, 0), |n| (0, n));
    number(one).cmp(&number(other)).then_with(|| one.cmp(other))
}

pub fn shown(term: &Term) -> String {
    term.text(&|_| "_".to_owned())
}

/// A key as a term.
pub fn joined(key: &[String]) -> String {
    let part = |part: &String| {
        if part.starts_with('-') { format!("({part})") } else { part.clone() }
    };
    key.iter().map(part).collect::<Vec<_>>().join("-")
}
