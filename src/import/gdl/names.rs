//! Names of relations as names of predicates.

use super::program::name;
use super::syntax::Key;
use crate::reserved::is_reserved;
use crate::text;

/// Predicates that the file written has or asks for.
#[rustfmt::skip]
const OWN: &[&str] = &[
    "among", "at", "atomic_list_concat", "changed", "changes", "content", "content_of", "does",
    "effects", "gained", "holds", "is_list", "joint", "kept", "layout", "lost", "next_place", "next_places",
    "next_state", "nth1", "places", "put", "put_all", "update",
];

/// What stands before a name that is taken.
const PREFIX: &str = "game_";

/// Whether a relation keeps its name as a predicate: it is not taken, nor is it one that another relation gets.
pub fn is_free(name: &str) -> bool {
    let name = name.trim_start_matches(PREFIX);
    // The end of a game is what engines ask for by this name.
    name == "terminal" || !(is_reserved(name) || OWN.contains(&name))
}

/// The predicate of a relation; one whose name is not free has `game_` before it. (Relations of which there are parts
/// are those that the file written asks for by their names.)
pub fn predicate(key: &Key) -> String {
    let relation = name(key);
    match relation != key.0 || is_free(relation) {
        true => text::atom(relation),
        false => text::atom(&format!("{PREFIX}{relation}")),
    }
}

/// A fluent with variables.
pub fn pattern(name: &str, arity: usize) -> String {
    let args: Vec<String> = (1..=arity).map(|n| format!("X{n}")).collect();
    text::compound(&text::atom(name), &args)
}
