//! What differs between a text and its layout.

use zug_term::source::Span;

/// The changes that make one text of another, where only blanks and ends of lines differ: each is a
/// gap and what takes its place. Of texts that differ otherwise it is the whole text.
pub fn changes(old: &str, new: &str) -> Vec<(Span, String)> {
    let mut changes = Vec::new();
    let (mut one, mut other) = (0, 0);
    loop {
        let (gap, new_gap) = (gap_length(&old[one..]), gap_length(&new[other..]));
        let (gap, new_gap) = (&old[one..one + gap], &new[other..other + new_gap]);
        if gap != new_gap {
            changes.push((Span::new(one, one + gap.len()), new_gap.to_owned()));
        }
        one += gap.len();
        other += new_gap.len();
        let (word, new_word) = (word_length(&old[one..]), word_length(&new[other..]));
        // `a:-b` becomes `a :- b`: the shorter word is the beginning of the longer one.
        let length = word.min(new_word);
        if old[one..one + length] != new[other..other + length] || length == 0 && word != new_word {
            return vec![(Span::new(0, old.len()), new.to_owned())];
        }
        if length == 0 {
            return changes;
        }
        one += length;
        other += length;
    }
}

fn gap_length(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

fn word_length(text: &str) -> usize {
    text.find(char::is_whitespace).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::changes;

    fn check(old: &str, new: &str, count: usize) {
        let changes = changes(old, new);
        assert_eq!(changes.len(), count, "{old:?} {new:?} {changes:?}");
        let mut text = old.to_owned();
        for (span, put) in changes.iter().rev() {
            text.replace_range(span.start as usize..span.end as usize, put);
        }
        assert_eq!(text, new);
    }

    #[test]
    fn changes_are_of_gaps() {
        check("a:-b,c.", "a :- b, c.\n", 4);
        check("a  :-\n b.\n\n\n", "a :-\n    b.\n", 3);
        check("same.\n", "same.\n", 0);
        check("", "", 0);
        check("a", "b", 1);
        check("a b", "a", 1);
    }
}
