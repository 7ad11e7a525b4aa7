//! Hashes of the contents of files: whether a file changed since a batch saw it.

use std::path::Path;
use zug_files::Access;

/// The 128-bit FNV-1a hash of a text (Fowler, Noll, Vo; RFC 9923), in hexadecimal digits. It tells texts apart that
/// differ by chance, not by malice.
pub fn hash(text: &str) -> String {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let step = |hash: u128, byte: u8| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    format!("{:032x}", text.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, step))
}

/// The hash of the text of a file, as rules are read; empty for what is no file or can't be read.
pub fn hash_file(path: &Path) -> String {
    // A device or a pipe may have no end.
    let bytes = if path.is_file() { Access::FREE.read(path).ok() } else { None };
    bytes.map_or_else(String::new, |bytes| hash(&zug_syntax::decode(&bytes).0))
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

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_has_no_hash() {
        assert_eq!(hash_file(Path::new("/dev/zero")), "");
    }
}
