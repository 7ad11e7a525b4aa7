//! Known names and those that are nearly known.

use zug_term::spelling::nearest;

/// How a given name matches the known ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameMatch<'a> {
    /// It is one of them.
    Known,
    /// It is nearly this one.
    Nearly(&'a str),
    /// It is like none of them.
    Unknown,
}

impl<'a> NameMatch<'a> {
    /// Matches a word against known names.
    pub fn of(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> NameMatch<'a> {
        if known.clone().into_iter().any(|name| name == word) {
            return NameMatch::Known;
        }
        nearest(known, word).map_or(NameMatch::Unknown, NameMatch::Nearly)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names() {
        let names = ["heuristic", "weight", "width", "seed"];
        for (word, expected) in [
            ("weight", NameMatch::Known),
            ("wieght", NameMatch::Nearly("weight")),
            ("heuristc", NameMatch::Nearly("heuristic")),
            ("sed", NameMatch::Nearly("seed")),
            ("se", NameMatch::Unknown),
            ("plays", NameMatch::Unknown),
            ("", NameMatch::Unknown),
        ] {
            assert_eq!(NameMatch::of(word, names), expected, "{word}");
        }
    }
}
