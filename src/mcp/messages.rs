//! Messages of the client, one a line, bounded in length.
//!
//! A message that is too long is not kept. In its place stands a request of [`TOO_LONG`] with the same `id`, so that
//! the client gets an error and does not wait for ever.

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

/// Bytes of a message: 4 MiB.
pub const MOST: usize = 4 << 20;
/// The method in the place of a message that is too long.
pub const TOO_LONG: &str = "zug/message_too_long";

/// Copies messages until there are no more, or the reader has gone.
pub async fn copy(from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, most: usize) {
    let mut from = BufReader::with_capacity(1 << 16, from);
    let (mut line, mut length, mut id) = (Vec::new(), 0, IdScanner::default());
    loop {
        let piece = match from.fill_buf().await {
            Ok([]) | Err(_) => break,
            Ok(piece) => piece,
        };
        let end = piece.iter().position(|&byte| byte == b'\n');
        let text = &piece[..end.unwrap_or(piece.len())];
        length += text.len();
        text.iter().for_each(|&byte| id.take(byte));
        if length <= most {
            line.extend_from_slice(text);
        }
        let count = text.len() + usize::from(end.is_some());
        from.consume(count);
        if end.is_some() {
            if length > most {
                line = id.request().into_bytes();
            }
            line.push(b'\n');
            if to.write_all(&line).await.is_err() {
                return;
            }
            line.clear();
            (length, id) = (0, IdScanner::default());
        }
    }
    // A last line without its end is a message, too.
    if length > 0 && length <= most {
        line.push(b'\n');
        let _ = to.write_all(&line).await;
    }
}

/// Finds the `id` of a request in its text, byte by byte: a field of the outermost object.
#[derive(Default)]
struct IdScanner {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The string that was read last, or the value of `id` so far.
    text: Vec<u8>,
    state: IdState,
}

#[derive(Default, PartialEq, Eq)]
enum IdState {
    #[default]
    Before,
    /// The key was read, and what follows is its value.
    Value,
    Found,
}

/// Bytes of an id, beyond which it is none.
const MOST_ID: usize = 256;

impl IdScanner {
    fn take(&mut self, byte: u8) {
        if self.state == IdState::Found {
            return;
        }
        let is_value = self.state == IdState::Value;
        if self.in_string {
            let ends = byte == b'"' && !self.escaped;
            self.escaped = byte == b'\\' && !self.escaped;
            if self.text.len() < MOST_ID && (is_value || !ends) {
                self.text.push(byte);
            }
            self.in_string = !ends;
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                if !is_value {
                    self.text.clear();
                } else {
                    self.text.push(byte);
                }
            }
            b',' | b'}' if is_value && self.depth == 1 => self.state = IdState::Found,
            b'{' | b'[' => {
                self.depth += 1;
                // An object or a list is no id: its text, without its end, is no JSON.
                if is_value && self.text.len() < MOST_ID {
                    self.text.push(byte);
                }
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b':' if self.depth == 1 && !is_value && self.text == b"id" => {
                self.text.clear();
                self.state = IdState::Value;
            }
            byte if is_value && self.text.len() < MOST_ID => self.text.push(byte),
            _ => {}
        }
    }

    /// The request in the place of the message.
    fn request(&self) -> String {
        let text = String::from_utf8_lossy(&self.text);
        let id = match serde_json::from_str::<serde_json::Value>(text.trim()) {
            Ok(id) if self.state == IdState::Found && (id.is_number() || id.is_string()) => id,
            _ => serde_json::Value::Null,
        };
        serde_json::json!({ "jsonrpc": "2.0", "id": id, "method": TOO_LONG }).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use tokio::io::AsyncReadExt;

    fn copied(text: &str, most: usize) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let (to, mut from) = tokio::io::duplex(1 << 20);
            copy(text.as_bytes(), to, most).await;
            let mut copied = String::new();
            from.read_to_string(&mut copied).await.expect("text");
            copied
        })
    }

    #[test]
    fn long_messages_become_requests_with_their_id() {
        let long = "x".repeat(200);
        for (message, id) in [
            (json!({"id": 7, "method": "m", "params": {"id": 8, "a": long}}), json!(7)),
            (json!({"a": {"id": [1, "}\"{"]}, "id": "s\"é,}", "z": long}), json!("s\"é,}")),
            (json!({"params": long, "z": "id", "zid": 3}), Value::Null),
            (json!({"id": [1], "z": long}), Value::Null),
        ] {
            let text = format!("{message}\n{}\n", json!({"id": 1}));
            let copied = copied(&text, 100);
            let lines: Vec<Value> =
                copied.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            assert_eq!(lines.len(), 2, "{message}");
            assert_eq!(
                (&lines[0]["method"], &lines[0]["id"]),
                (&json!(TOO_LONG), &id),
                "{message}"
            );
            assert_eq!(lines[1], json!({"id": 1}));
        }
        assert_eq!(copied("{}\n[]", 100), "{}\n[]\n");
    }
}
