//! Heuristics derived from the rules, kept in a base beside the states.
//!
//! Each is a document whose name has the [key](zug_derived::Derived::key) of what it was derived from: operators
//! as they are read from the rules, start, work, and the version of zug. So one of other rules, or of a start that
//! needs other operators, is not found, and derived. A document of words has the numbers of the constants in states,
//! which come in another order from another start: with them such a start has the same operators.

use super::{BaseWriter, InUse, base_in_use};
use zug_base::{Base, BaseError};
use zug_derived::Derived;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_term::varint;

/// How the names of the documents begin.
const NAMES: &str = "heuristic ";
/// The document of words.
const WORDS: &str = "words of heuristics";

/// A heuristic that is new.
struct New {
    key: u128,
    /// What it says, in words.
    about: String,
    bytes: Vec<u8>,
}

/// Heuristics that were derived and are to be kept.
#[derive(Default)]
struct NewHeuristics {
    are_wanted: bool,
    all: Vec<New>,
    words: Vec<u8>,
}

/// A heuristic in a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptHeuristic {
    /// What it says, in words.
    pub about: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its bytes are as they were written, or of another version.
    pub is_whole: bool,
}

fn name(key: u128) -> String {
    format!("{NAMES}{} {key:032x}", Derived::FORM)
}

/// Whether a document is one of heuristics.
pub fn is_of_heuristics(name: &str) -> bool {
    name.starts_with(NAMES) || name == WORDS
}

/// The heuristics in a base.
///
/// # Errors
/// It can't be read.
pub fn kept_heuristics(base: &Base) -> Result<Vec<KeptHeuristic>, BaseError> {
    let mut found = Vec::new();
    for (name, length) in base.documents()? {
        let Some(rest) = name.strip_prefix(NAMES) else { continue };
        let document = base.document(&name)?.unwrap_or_default();
        let own = rest.split(' ').next() == Some(&Derived::FORM.to_string());
        let parts = parts(&document);
        let is_whole = !own || parts.is_some_and(|(_, bytes)| Derived::read(bytes).is_some());
        let about = parts.map_or(String::new(), |(about, _)| about.to_owned());
        found.push(KeptHeuristic { about, bytes: length, is_whole });
    }
    Ok(found)
}

/// What a document has: words about the heuristic, and its bytes.
fn parts(mut document: &[u8]) -> Option<(&str, &[u8])> {
    let length = varint::take_size(&mut document)?;
    let (about, bytes) = document.split_at_checked(length)?;
    Some((std::str::from_utf8(about).ok()?, bytes))
}

/// Has heuristics that are derived from now on be ready to be [saved](save_heuristics), or none.
pub fn want_heuristics(w: &mut World, wanted: bool) {
    w.slots.put(NewHeuristics { are_wanted: wanted, ..NewHeuristics::default() });
}

/// Whether heuristics are to be kept, or may be in the base that is read.
pub(crate) fn concerns_heuristics(w: &World) -> bool {
    w.slots.get::<NewHeuristics>().is_some_and(|new| new.are_wanted) || base_in_use(w).is_some()
}

/// The words of the base that is read, if it is one of the rules as they are.
pub(crate) fn kept_words(m: &Machine, w: &mut World) -> Option<Vec<u8>> {
    document(m, w, WORDS)
}

/// A heuristic of the base that is read.
pub(crate) fn kept_heuristic(m: &Machine, w: &mut World, key: u128) -> Option<Derived> {
    let document = document(m, w, &name(key))?;
    let found = parts(&document).and_then(|(_, bytes)| Derived::read(bytes));
    if found.is_none()
        && let Some(kept) = &mut w.slots.get_mut::<InUse>().0
    {
        let path = kept.base.path().to_owned();
        let why = "a heuristic in it is not as it was written".to_owned();
        kept.failed = Some(BaseError::Damaged(path, why));
    }
    found
}

fn document(m: &Machine, w: &mut World, name: &str) -> Option<Vec<u8>> {
    let mut kept = super::take(w)?;
    let mut found = None;
    if kept.fits(m, w) {
        match kept.base.document(name) {
            Ok(document) => found = document,
            Err(error) => kept.failed = Some(error),
        }
    }
    super::put_back(w, Some(kept));
    found
}

/// Notes a heuristic that was derived, with the words of states by then, if it is to be kept.
pub(crate) fn note_heuristic(
    w: &mut World,
    key: u128,
    about: String,
    of: &Derived,
    words: Vec<u8>,
) {
    let new = w.slots.get_mut::<NewHeuristics>();
    if new.are_wanted {
        new.all.push(New { key, about, bytes: of.written() });
        new.words = words;
    }
}

/// Keeps the heuristics that are new: how many they are.
///
/// # Errors
/// The base can't be written.
pub fn save_heuristics(
    m: &Machine,
    w: &mut World,
    keeper: &mut BaseWriter,
) -> Result<u64, BaseError> {
    let new = w.slots.take::<NewHeuristics>().unwrap_or_default();
    want_heuristics(w, new.are_wanted);
    if !new.all.is_empty() {
        keeper.put_document(m, WORDS, &new.words)?;
    }
    for New { key, about, bytes } in &new.all {
        let mut document = Vec::with_capacity(about.len() + bytes.len() + 10);
        varint::push(about.len() as u64, &mut document);
        document.extend_from_slice(about.as_bytes());
        document.extend_from_slice(bytes);
        keeper.put_document(m, &name(*key), &document)?;
    }
    Ok(new.all.len() as u64)
}

/// Whether there are heuristics to be kept.
pub fn has_new_heuristics(w: &World) -> bool {
    w.slots.get::<NewHeuristics>().is_some_and(|new| !new.all.is_empty())
}
