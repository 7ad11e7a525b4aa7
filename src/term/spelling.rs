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

/// Texts of more characters are no slip of each other: finding out would take the product of both
/// lengths.
const LONGEST: usize = 256;

/// The edit distance of two texts (replaced, surplus, missing and transposed letters), if it is not
/// above `most`, and neither has more than 256 characters.
pub fn distance_within(a: &str, b: &str, most: usize) -> Option<usize> {
    let length = |text: &str| text.chars().take(LONGEST + 1).count();
    let (left, right) = (length(a), length(b));
    if left.abs_diff(right) > most || left.max(right) > LONGEST {
        return None;
    }
    let distance = strsim::damerau_levenshtein(a, b);
    (distance <= most).then_some(distance)
}

/// The edit distance of a name from what was typed, if it is small enough for the name to be meant.
pub fn distance(known: &str, typed: &str) -> Option<usize> {
    distance_within(known, typed, max_distance(typed.chars().count()))
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
    fn what_is_long_is_not_compared() {
        let long = "a".repeat(500_000);
        assert_eq!(distance_within(&long, &format!("{long}b"), 3), None);
        assert_eq!(nearest([&long[1..], "aa"], &long), None);
        let longest = "a".repeat(LONGEST);
        assert_eq!(distance_within(&longest, &longest[1..], 3), Some(1));
    }

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
