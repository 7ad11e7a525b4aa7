//! Which name was meant.

/// The name among the known ones that is nearly written so.
///
/// A mistake is a letter too many, too few, a wrong one, or two in the wrong order; there may be two,
/// but less than half of the word.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.into_iter().map(|name| (strsim::damerau_levenshtein(name, word), name));
    let (distance, name) = near.min()?;
    (distance <= 2 && distance * 2 < word.chars().count()).then_some(name)
}

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
        nearest(word, known).map_or(Meant::Unknown, Meant::Nearly)
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
