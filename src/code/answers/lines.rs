//! Lines that are not too long.

/// Lines are broken if they are longer.
pub const WIDTH: usize = 90;
/// They are broken within N parentheses, if need be.
const DEEPEST: usize = 8;

/// A line, broken if long behind commas, semicolons and signs, at little depth, never in quotes.
pub fn filled(line: &str, indent: usize) -> Vec<String> {
    let fits = |lines: &Vec<String>| lines.iter().all(|line| line.len() <= WIDTH);
    let mut ways = (0..DEEPEST).map(|depth| filled_within(line, indent, depth));
    ways.find(fits).unwrap_or_else(|| filled_within(line, indent, DEEPEST))
}

fn filled_within(line: &str, indent: usize, most: usize) -> Vec<String> {
    let (mut lines, mut current, mut next) = (Vec::new(), String::new(), String::new());
    let (mut depth, mut quotes) = (0, 0);
    let mut words = line.split_inclusive([' ', ',']).peekable();
    while let Some(word) = words.next() {
        next += word;
        quotes += word.matches('\'').count();
        depth += word.matches(['(', '[', '{']).count();
        depth = depth.saturating_sub(word.matches([')', ']', '}']).count());
        let word = word.trim_end();
        let is_end = word.ends_with([',', ';']) || word == "+" || word == "-";
        if words.peek().is_none() || (is_end && quotes % 2 == 0 && depth <= most) {
            if current.len() + next.trim_end().len() > WIDTH && !current.trim().is_empty() {
                lines.push(current.trim_end().to_owned());
                current = " ".repeat(indent) + next.trim_start();
            } else {
                current += &next;
            }
            next.clear();
        }
    }
    lines.push(current);
    lines
}
