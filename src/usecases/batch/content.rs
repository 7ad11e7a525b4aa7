//! What files hold, as a short text: whether a file changed since a batch saw it.

use crate::syntax;
use std::path::Path;

/// The 128-bit FNV-1a hash of a text (Fowler, Noll, Vo; RFC 9923), in hexadecimal digits. It
/// tells texts apart that differ by chance, not by malice.
pub fn hash(text: &str) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let step = |hash: u128, &byte: &u8| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    format!("{:032x}", text.as_bytes().iter().fold(BASIS, step))
}

/// The hash of the text of a file; of none if it can't be read.
pub fn hash_file(path: &Path) -> String {
    std::fs::read(path).map_or_else(|_| String::new(), |bytes| hash(&syntax::decode(&bytes).0))
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
}
