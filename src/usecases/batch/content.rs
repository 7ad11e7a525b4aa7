//! What files hold, as a short text: whether a file changed since a batch saw it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes of a file in memory at a time, where it is UTF-8.
const CHUNK: usize = 1 << 16;
/// Bytes beyond which a text that is not UTF-8, read as Latin-1, is not looked at.
const MOST: u64 = 1 << 28;

/// 128-bit FNV-1a (Fowler, Noll, Vo; RFC 9923).
struct Fnv(u128);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn add(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let step = |hash: u128, &byte: &u8| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
        self.0 = bytes.iter().fold(self.0, step);
    }

    fn text(&self) -> String {
        format!("{:032x}", self.0)
    }
}

/// The hash of a text, in hexadecimal digits. It tells texts apart that differ by chance, not by
/// malice.
pub fn hash(text: &str) -> String {
    let mut fnv = Fnv::new();
    fnv.add(text.as_bytes());
    fnv.text()
}

/// The hash of the text of a file, as rules are read; of none if it is no file or can't be read.
pub fn hash_file(path: &Path) -> String {
    // A device or a pipe may have no end.
    let regular = std::fs::metadata(path).is_ok_and(|data| data.is_file());
    let found = regular.then(|| File::open(path).and_then(hash_utf8));
    match found {
        Some(Ok(Some(hash))) => hash,
        Some(Ok(None)) => {
            let mut bytes = Vec::new();
            let read = File::open(path).and_then(|file| file.take(MOST).read_to_end(&mut bytes));
            read.map_or_else(|_| String::new(), |_| hash(&zug_syntax::decode(&bytes).0))
        }
        _ => String::new(),
    }
}

/// The hash of a text in pieces; `None` if it isn't UTF-8.
fn hash_utf8(mut file: impl Read) -> std::io::Result<Option<String>> {
    let mut fnv = Fnv::new();
    let mut bytes = Vec::with_capacity(CHUNK + 4);
    let mut first = true;
    loop {
        let kept = bytes.len();
        let read = file.by_ref().take(CHUNK as u64).read_to_end(&mut bytes)?;
        if first {
            first = false;
            if bytes.starts_with(b"\xEF\xBB\xBF") {
                bytes.drain(..3);
            }
        }
        let whole = match std::str::from_utf8(&bytes) {
            Ok(_) => bytes.len(),
            // A character may go on in the next piece.
            Err(fault) if fault.error_len().is_none() && read > 0 => fault.valid_up_to(),
            Err(_) => return Ok(None),
        };
        fnv.add(&bytes[..whole]);
        bytes.drain(..whole);
        if read == 0 && (kept == 0 || bytes.is_empty()) {
            return Ok(Some(fnv.text()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // From the reference implementation's table of tests.
        assert_eq!(hash(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(hash("a"), "d228cb696f1a8caf78912b704e4a8964");
        assert_eq!(hash("foobar"), "343e1662793c64bf6f0d3597ba446f18");
    }

    #[test]
    fn in_pieces_as_in_whole() {
        let euro = "\u{20ac}".repeat(CHUNK);
        let bom = format!("\u{feff}{euro}");
        for (text, whole) in [("", ""), ("abc", "abc"), (&*euro, &*euro), (&*bom, &*euro)] {
            let found = hash_utf8(text.as_bytes()).expect("it reads");
            assert_eq!(found.as_deref(), Some(&*hash(whole)), "{} bytes", text.len());
        }
        for latin in [&b"caf\xe9"[..], b"caf\xe9 noir", b"\xe2\x82"] {
            assert_eq!(hash_utf8(latin).expect("it reads"), None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_has_no_hash() {
        assert_eq!(hash_file(Path::new("/dev/zero")), "");
    }
}
