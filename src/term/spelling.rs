//! "Did you mean": known names within a small edit distance of what was typed.

/// The largest edit distance at which a name of so many characters is taken for another one.
pub fn max_distance(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    }
}

/// The edit distance of a name from what was typed (replaced, surplus, missing and transposed
/// letters), if it is small enough for the name to be meant.
pub fn distance(known: &str, typed: &str) -> Option<usize> {
    let distance = strsim::damerau_levenshtein(known, typed);
    (distance <= max_distance(typed.chars().count())).then_some(distance)
}

/// The nearest name that may be meant; of several the first in alphabetical order.
pub fn nearest<'n>(names: impl IntoIterator<Item = &'n str>, typed: &str) -> Option<&'n str> {
    let near = names.into_iter().filter_map(|known| Some((distance(known, typed)?, known)));
    near.min().map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_is_not_guessed() {
        let names = ["nodes", "depth", "heuristic", "ab"];
        assert_eq!(nearest(names, "ndoes"), Some("nodes"));
        assert_eq!(nearest(names, "heuristics"), Some("heuristic"));
        assert_eq!(nearest(names, "dept"), Some("depth"));
        assert_eq!(nearest(names, "xx"), None);
        assert_eq!(nearest(names, "ac"), None);
        assert_eq!(nearest(["abd", "abc"], "abe"), Some("abc"));
    }
}
