//! Comments of a rule file: above a clause, and at the head of the file.

/// The comment that stands directly above the clause that begins at `offset`, without its
/// marks; line by line.
pub fn above(text: &str, offset: usize) -> Vec<String> {
    let before = &text[..line_start(text, offset.min(text.len()))];
    let trimmed = before.trim_end_matches(' ');
    if let Some(inside) = trimmed.trim_end_matches(['\n', '\r']).strip_suffix("*/")
        && !trimmed.ends_with("\n\n")
        && let Some(start) = inside.rfind("/*")
    {
        return block(&inside[start + 2..]);
    }
    let mut lines: Vec<String> =
        before.lines().rev().map_while(|line| line.strip_prefix('%')).map(bare).collect();
    lines.reverse();
    trim(lines)
}

/// The comment with which a text begins.
pub fn heading(text: &str) -> Vec<String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if let Some(inside) = text.strip_prefix("/*") {
        return block(inside.split("*/").next().unwrap_or(inside));
    }
    let lines = text.lines().map(str::trim_end).map_while(|line| line.strip_prefix('%'));
    trim(lines.map(bare).collect())
}

fn line_start(text: &str, offset: usize) -> usize {
    let offset = (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text[..offset].rfind('\n').map_or(0, |end| end + 1)
}

/// A line without its marks: more per cents, the `!` of documentation, one blank or two.
fn bare(line: &str) -> String {
    let line = line.trim_start_matches('%').trim_end();
    let line = line.strip_prefix('!').unwrap_or(line);
    line.strip_prefix("  ").or_else(|| line.strip_prefix(' ')).unwrap_or(line).to_owned()
}

/// The lines of a comment between `/*` and `*/`, without a border of stars.
fn block(inside: &str) -> Vec<String> {
    let inside = inside.trim_start_matches('*');
    let plain = |line: &str| {
        let line = line.trim();
        line.trim_start_matches('*').trim_start().to_owned()
    };
    trim(inside.lines().map(plain).collect())
}

/// Without empty lines, and lines of nothing but marks, at both ends.
fn trim(lines: Vec<String>) -> Vec<String> {
    let empty = |line: &String| !line.chars().any(char::is_alphanumeric);
    let start = lines.iter().position(|line| !empty(line)).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !empty(line)).map_or(start, |last| last + 1);
    lines[start..end].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above_of(text: &str, clause: &str) -> String {
        above(text, text.find(clause).expect("the clause")).join("|")
    }

    #[test]
    fn a_comment_belongs_to_the_clause_right_below() {
        let text = "% The file.\n\n% One.\n%   two\na(1).\na(2). % behind\n\nb.\n";
        assert_eq!(above_of(text, "a(1)"), "One.| two");
        assert_eq!(above_of(text, "a(2)"), "");
        assert_eq!(above_of(text, "b."), "");
        assert_eq!(heading(text).join("|"), "The file.");
    }

    #[test]
    fn marks_and_borders_are_left_out() {
        assert_eq!(above_of("%%%%%\n%! a(X)\n%%%%%\na(1).", "a(1)"), "a(X)");
        assert_eq!(above_of("/** One\n *  two\n */\na(1).", "a(1)"), "One|two");
        assert_eq!(above_of("/* One */\n\na(1).", "a(1)"), "");
        assert_eq!(heading("/* ---- \n  One\n*/ a.").join("|"), "One");
        assert_eq!(above("", 0).len(), 0);
        assert_eq!(above("% ä\nä", 6).join("|"), "ä");
    }
}
