//! "Did you mean": names near to one that does not exist.

use super::Session;
use crate::machine::{Kind, Space};

/// Least similarity (Damerau-Levenshtein, 1 for equal) of a name that is suggested.
const ALIKE: f64 = 0.7;

impl Session {
    /// The defined predicate that was most probably meant by `name/arity`: the
    /// same name with another arity, or a name spelt nearly so.
    pub fn suggest(&self, name: &str, arity: usize) -> Option<String> {
        let m = &self.machine;
        let mut best: Option<(f64, String)> = None;
        for (id, predicate) in m.program.preds.iter().enumerate() {
            let other = m.symbols.name(predicate.name);
            if predicate.kind == Kind::Undefined || other.starts_with('$') {
                continue;
            }
            let mut score = strsim::normalized_damerau_levenshtein(name, other);
            if score < ALIKE || (name.len() < 3 && other != name) {
                continue;
            }
            // The user's own before the library's, equal arity before others.
            score += f64::from(u8::from(predicate.arity == arity)) * 0.2;
            score += f64::from(u8::from(predicate.space == Space::User)) * 0.1;
            score -= predicate.arity.abs_diff(arity) as f64 * 0.01;
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, m.program.indicator(id as u32, &m.symbols)));
            }
        }
        best.map(|(_, indicator)| indicator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_nearly_right() {
        let mut session = Session::captured("").0;
        session.load_text("t", "heuristic(_, 0). parent(a, b).");
        let check = |name, arity, expect: Option<&str>| {
            assert_eq!(session.suggest(name, arity).as_deref(), expect, "{name}/{arity}");
        };
        check("heuristc", 2, Some("heuristic/2"));
        check("parent", 3, Some("parent/2"));
        check("appendd", 3, Some("append/3"));
        check("lenght", 2, Some("length/2"));
        check("qqqqqq", 1, None);
    }
}
