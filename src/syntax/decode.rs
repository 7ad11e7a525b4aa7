//! Bytes to text: UTF-8 with or without a byte-order mark, else Latin-1.

use zug_term::diagnostic::Diagnostic;

/// The text of a file. Bytes that aren't UTF-8 are read as Latin-1, in which
/// every byte is a character, and a warning says so.
pub fn decode(bytes: &[u8]) -> (String, Option<Diagnostic>) {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let fault = match std::str::from_utf8(bytes) {
        Ok(text) => return (text.to_string(), None),
        Err(fault) => fault,
    };
    let line = bytes[..fault.valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
    let message = format!("the text isn't UTF-8 (line {line}); it is read as Latin-1");
    let warning = Diagnostic::warning("W0101", message).hint("save the file as UTF-8");
    (bytes.iter().map(|&b| b as char).collect(), Some(warning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        assert_eq!(decode("é".as_bytes()), ("é".into(), None));
        assert_eq!(decode(b"\xEF\xBB\xBFa"), ("a".into(), None));
        let (text, warning) = decode(b"a.\n\xE9t\xE9.");
        assert_eq!(text, "a.\nété.");
        assert!(warning.is_some_and(|warning| warning.message.contains("line 2")));
    }
}
