//! SHA-1 of texts (FIPS 180-4), as names for terms: not a protection against anybody.

use super::{Entry, World, args};
use zug_machine::{Machine, Outcome};
use zug_term::watchdog;

/// The predicates of this file.
pub const TABLE: &[Entry] = &[Entry::pure("$sha1", 2, sha1_of_text)];

/// `'$sha1'(Text, Digest)`: the digits of the hash of a text's UTF-8, as an atom.
fn sha1_of_text(m: &mut Machine, _: &mut World, a: &[zug_term::Cell]) -> Outcome {
    let Some(text) = args::text(m, a[0]) else {
        return Err(m.type_error("text", a[0]));
    };
    let digits: String = sha1(text.as_bytes()).iter().map(|word| format!("{word:08x}")).collect();
    Ok(args::unify_atom(m, a[1], &digits))
}

/// The five words of the hash.
fn sha1(message: &[u8]) -> [u32; 5] {
    let mut state = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
    let (blocks, rest) = message.as_chunks::<64>();
    for block in blocks {
        watchdog::step();
        compress(&mut state, block);
    }
    // One bit, zeros, and the length in bits fill the last blocks.
    let mut tail = rest.to_vec();
    tail.push(0x80);
    while tail.len() % 64 != 56 {
        tail.push(0);
    }
    tail.extend((8 * message.len() as u64).to_be_bytes());
    for block in tail.as_chunks::<64>().0 {
        compress(&mut state, block);
    }
    state
}

fn compress(state: &mut [u32; 5], block: &[u8; 64]) {
    let mut words = [0u32; 80];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for i in 16..80 {
        words[i] = (words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16]).rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (i, &word) in words.iter().enumerate() {
        let (f, k) = match i {
            0..20 => (b & c | !b & d, 0x5A82_7999),
            20..40 => (b ^ c ^ d, 0x6ED9_EBA1),
            40..60 => (b & c | b & d | c & d, 0x8F1B_BCDC),
            _ => (b ^ c ^ d, 0xCA62_C1D6),
        };
        let next =
            [a.rotate_left(5), f, e, k, word].into_iter().fold(0u32, |sum, x| sum.wrapping_add(x));
        (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
    }
    for (word, more) in state.iter_mut().zip([a, b, c, d, e]) {
        *word = word.wrapping_add(more);
    }
}

#[cfg(test)]
mod tests {
    use super::sha1;

    #[test]
    fn hashes_of_the_standard() {
        let check = |text: &str, expected: &str| {
            let found: String =
                sha1(text.as_bytes()).iter().map(|word| format!("{word:08x}")).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("", "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        check("abc", "a9993e364706816aba3e25717850c26c9cd0d89d");
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        check(long, "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
        check(&"a".repeat(1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    }
}
