//! The hierarchy of types.

use std::collections::{BTreeMap, BTreeSet};
use zug_term::watchdog;

/// The type of all objects.
pub const OBJECT: &str = "object";

/// A name with its types: one, or several of which it may be any.
pub type Typed = (String, Vec<String>);

/// For each type those right above it.
#[derive(Debug, Default)]
pub struct Types(BTreeMap<String, Vec<String>>);

impl Types {
    /// Of types with those above them, which are types too.
    pub fn of(declared: &[Typed]) -> Types {
        let mut direct: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, above) in declared {
            direct.entry(name.clone()).or_default().extend_from_slice(above);
            for kind in above {
                direct.entry(kind.clone()).or_default();
            }
        }
        Types(direct)
    }

    /// All types, but for that of all objects where it is not declared.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, kind: &str) -> bool {
        kind == OBJECT || self.0.contains_key(kind)
    }

    /// The types above a type, each once; the type itself if it is above itself.
    fn above<'t>(&'t self, kind: &str) -> impl Iterator<Item = &'t str> + use<'t> {
        let right_above = |kind: &str| self.0.get(kind).into_iter().flatten().map(String::as_str);
        let mut pending: Vec<&str> = right_above(kind).collect();
        let mut seen: BTreeSet<&str> = pending.iter().copied().collect();
        std::iter::from_fn(move || {
            let kind = pending.pop()?;
            watchdog::step();
            pending.extend(right_above(kind).filter(|above| seen.insert(above)));
            Some(kind)
        })
    }

    fn is(&self, kind: &str, other: &str) -> bool {
        other == OBJECT || kind == other || self.above(kind).any(|above| above == other)
    }

    /// Whether all objects of these types are of those.
    pub fn within(&self, types: &[String], others: &[String]) -> bool {
        types.iter().all(|kind| others.iter().any(|other| self.is(kind, other)))
    }

    /// The least of the other types that are above a type and below it.
    pub fn circle(&self, kind: &str) -> Option<&str> {
        if kind == OBJECT {
            // It is above all types.
            return self.0.get(kind)?.first().map(String::as_str);
        }
        if !self.above(kind).any(|above| above == kind) {
            return None;
        }
        let others = self.above(kind).filter(|&other| other != kind && other != OBJECT);
        others.filter(|other| self.above(other).any(|above| above == kind)).min()
    }
}
