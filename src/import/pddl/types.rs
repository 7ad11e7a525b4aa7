//! The hierarchy of types.

use super::syntax::{OBJECT, Typed};
use std::collections::{BTreeMap, BTreeSet};
use zug_term::watchdog;

/// For each type those that it belongs to, itself included.
#[derive(Debug, Default)]
pub struct Types(BTreeMap<String, BTreeSet<String>>);

impl Types {
    /// Of types with those above them, which are types too.
    pub fn of(declared: &[Typed]) -> Types {
        let mut direct: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, above) in declared {
            direct.entry(name).or_default().extend(above.iter().map(String::as_str));
            for kind in above {
                direct.entry(kind).or_default();
            }
        }
        let above = |name: &&str| {
            let mut seen = BTreeSet::from([(*name).to_owned(), OBJECT.to_owned()]);
            let mut pending = vec![*name];
            while let Some(kind) = pending.pop() {
                watchdog::step();
                for &next in direct.get(kind).into_iter().flatten() {
                    if seen.insert(next.to_owned()) {
                        pending.push(next);
                    }
                }
            }
            ((*name).to_owned(), seen)
        };
        Types(direct.keys().map(above).collect())
    }

    /// All types, but for that of all objects where it is not declared.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is such a type.
    pub fn has(&self, kind: &str) -> bool {
        kind == OBJECT || self.0.contains_key(kind)
    }

    fn is(&self, kind: &str, other: &str) -> bool {
        other == OBJECT
            || kind == other
            || self.0.get(kind).is_some_and(|above| above.contains(other))
    }

    /// Whether all objects of these types are of those.
    pub fn within(&self, types: &[String], others: &[String]) -> bool {
        types.iter().all(|kind| others.iter().any(|other| self.is(kind, other)))
    }

    /// Another type that is above a type and below it.
    pub fn circle(&self, kind: &str) -> Option<&str> {
        let above = self.0.get(kind)?.iter().inspect(|_| watchdog::step()).map(String::as_str);
        above.filter(|other| *other != kind && *other != OBJECT).find(|other| self.is(other, kind))
    }
}
