//! Classes of characters, as the grammar has them.

use pest::unicode;

/// Whether a name that needs no quotes can begin with the character.
pub(super) fn starts_name(c: char) -> bool {
    c.is_ascii_lowercase()
        || (!c.is_ascii()
            && (unicode::LOWERCASE_LETTER(c)
                || unicode::OTHER_LETTER(c)
                || unicode::MODIFIER_LETTER(c)
                || unicode::LETTER_NUMBER(c)))
}

/// Whether names and variables go on with the character.
pub(super) fn is_alphanumeric(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || (!c.is_ascii() && unicode::XID_CONTINUE(c))
}

/// Whether the character is one that symbol names are made of.
pub(super) fn is_symbol(c: char) -> bool {
    match c.is_ascii() {
        true => "+-*/\\^<>=~:.?@#&$".contains(c),
        false => unicode::SYMBOL(c),
    }
}

/// Whether the character shows as itself between quotes.
fn is_printable(c: char) -> bool {
    c == ' '
        || c.is_ascii_graphic()
        || (!c.is_ascii() && !unicode::OTHER(c) && !unicode::SEPARATOR(c))
}

/// Whether text, as an atom, reads back without quotes.
pub fn is_plain_atom(text: &str) -> bool {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return false;
    };
    if starts_name(first) {
        return chars.all(is_alphanumeric);
    }
    match text {
        "[]" | "{}" | "!" | ";" => true,
        "." => false,
        _ => text.chars().all(is_symbol) && !text.starts_with("/*"),
    }
}

/// Appends text between quotes, with what can't stand there escaped.
pub fn push_quoted(out: &mut String, text: &str, quote: char) {
    out.push(quote);
    for c in text.chars() {
        let escaped = match c {
            '\\' => "\\\\",
            '\x07' => "\\a",
            '\x08' => "\\b",
            '\x0C' => "\\f",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\x0B' => "\\v",
            c if c == quote => {
                out.push('\\');
                out.push(c);
                continue;
            }
            c if is_printable(c) => {
                out.push(c);
                continue;
            }
            c => {
                out.push_str(&format!("\\x{:X}\\", c as u32));
                continue;
            }
        };
        out.push_str(escaped);
    }
    out.push(quote);
}
