//! "Did you mean": names that are a slip or two away from what was typed.

/// The most slips in a name of so many characters that is still taken for another one.
pub fn slips(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    }
}

/// How far a name is from what was typed, if it may have been meant: letters that are other ones,
/// too many, missing, or two that changed places.
pub fn distance(known: &str, typed: &str) -> Option<usize> {
    let distance = strsim::damerau_levenshtein(known, typed);
    (distance <= slips(typed.chars().count())).then_some(distance)
}

/// The name that was perhaps meant: the nearest, of several the first by its letters.
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
