//! Colours of what is being typed, by token.

use anstyle::{AnsiColor, Style};
use zug_syntax::{TokenKind, tokenize};

/// The style of a token, if it has one.
fn style(kind: TokenKind) -> Option<Style> {
    let colour = |colour: AnsiColor| Some(Style::new().fg_color(Some(colour.into())));
    match kind {
        TokenKind::Variable => colour(AnsiColor::Cyan),
        TokenKind::Quoted | TokenKind::String | TokenKind::BackQuoted | TokenKind::OpenQuoted => {
            colour(AnsiColor::Green)
        }
        TokenKind::Integer
        | TokenKind::Float
        | TokenKind::SpecialFloat
        | TokenKind::Rational
        | TokenKind::CharacterCode
        | TokenKind::Hexadecimal
        | TokenKind::Octal
        | TokenKind::Binary
        | TokenKind::Radix => colour(AnsiColor::Magenta),
        TokenKind::LineComment | TokenKind::BlockComment | TokenKind::OpenComment => {
            Some(Style::new().dimmed())
        }
        TokenKind::BadEscape | TokenKind::Unknown => colour(AnsiColor::Red),
        TokenKind::Solo => Some(Style::new().bold()),
        _ => None,
    }
}

/// The text with ANSI colours; its width stays the same.
pub(super) fn highlight(text: &str) -> String {
    if text.starts_with(':') && !text.starts_with(":-") {
        let bold = Style::new().bold();
        return format!("{bold}{text}{bold:#}");
    }
    let mut coloured = String::with_capacity(text.len() * 2);
    let mut at = 0;
    for token in tokenize(text) {
        let span = token.start as usize..token.end as usize;
        coloured += &text[at..span.start];
        at = span.end;
        match style(token.kind) {
            Some(style) => coloured += &format!("{style}{}{style:#}", &text[span]),
            None => coloured += &text[span],
        }
    }
    coloured + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_add_no_width() {
        for text in ["foo(X, 'a b', 12) % c", "X = \"é", ":help", "a\tb", "'\\q'"] {
            assert_eq!(anstream::adapter::strip_str(&highlight(text)).to_string(), text);
        }
        assert!(highlight("X").starts_with("\u{1b}["));
    }
}
