//! Which name was meant.

use zug_term::spelling::nearest;

/// What a word is that was given as an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant<'a> {
    /// The name of one.
    Known,
    /// Nearly the name of this one.
    Nearly(&'a str),
    /// Nothing like one.
    Unknown,
}

impl<'a> Meant<'a> {
    /// Looks at a word.
    pub fn of(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Meant<'a> {
        if known.clone().into_iter().any(|name| name == word) {
            return Meant::Known;
        }
        nearest(known, word).map_or(Meant::Unknown, Meant::Nearly)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips() {
        let names = ["heuristic", "weight", "width", "seed"];
        for (word, expected) in [
            ("weight", Meant::Known),
            ("wieght", Meant::Nearly("weight")),
            ("heuristc", Meant::Nearly("heuristic")),
            ("sed", Meant::Nearly("seed")),
            ("se", Meant::Unknown),
            ("plays", Meant::Unknown),
            ("", Meant::Unknown),
        ] {
            assert_eq!(Meant::of(word, names), expected, "{word}");
        }
    }
}
