//! Everything that is read from outside, valid and then mutated: bits flipped, bytes taken out,
//! lines dropped and doubled, parts of one input put into another. Whatever comes of it, there is
//! no panic, and what is refused is refused in words that lead to the place.
//!
//! The readers are those of the fuzz targets (`fuzz/README.md`); the seeds are fixed, so that
//! every run does the same.

#[path = "../../fuzz/src/formats/mod.rs"]
mod formats;

use formats::{Read, Says, format};
use std::panic::{AssertUnwindSafe, catch_unwind};
use zug_random::Random;

/// What is put into texts, since chance would take long to find it.
const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "|",
    ".",
    ".\n",
    ":-",
    "-->",
    "\\+",
    "->",
    ";",
    "!",
    "'",
    "\"",
    "`",
    "0'",
    "0x",
    "\\",
    "%",
    "/*",
    "*/",
    "_",
    "X",
    "a",
    "-1",
    "0",
    "1e999",
    "1.0",
    "99999999999999999999999",
    "9223372036854775808",
    "null",
    "{\"a\":[",
    "\u{feff}",
    "\u{0}",
    "\u{301}",
    "é",
    "op(200,xfy,a)",
    "\n",
    "\r\n",
    "*",
    "**",
    "=..",
    "is",
    "f(f(f(",
];

/// Changes bytes a little.
fn mutate(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let some = |random: &mut Random| &seeds[random.below(seeds.len() as u64) as usize];
    let mut bytes = some(random).clone();
    for _ in 0..=random.below(4) {
        let at = |random: &mut Random, bytes: &[u8]| random.below(bytes.len() as u64 + 1) as usize;
        let from = at(random, &bytes);
        let to = (from + random.below(20) as usize).min(bytes.len());
        match random.below(10) {
            0 => bytes.truncate(from),
            1 => drop(bytes.drain(from..to)),
            2 | 3 if from < bytes.len() => bytes[from] ^= 1 << random.below(8),
            4 if from < bytes.len() => bytes[from] = random.below(256) as u8,
            5 => lines(random, &mut bytes),
            6 => {
                // A part of another one.
                let other = some(random);
                let start = at(random, other);
                let end = (start + random.below(60) as usize).min(other.len());
                bytes.splice(from..from, other[start..end].iter().copied());
            }
            7 => {
                let again = bytes[from..to].to_vec();
                bytes.splice(from..from, again);
            }
            _ => {
                let word = WORDS[random.below(WORDS.len() as u64) as usize];
                let end = if random.below(2) == 0 { from } else { to };
                bytes.splice(from..end, word.bytes());
            }
        }
    }
    bytes
}

/// Drops a line, doubles it, or puts it somewhere else.
fn lines(random: &mut Random, bytes: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let count = lines.len() as u64;
    let (from, to) = (random.below(count) as usize, random.below(count) as usize);
    match random.below(3) {
        0 => drop(lines.remove(from)),
        1 => {
            let line = lines[from].clone();
            lines.insert(to, line);
        }
        _ => lines.swap(from, to),
    }
    *bytes = lines.concat();
}

/// Reads so many mutations of the seeds, or, with `ZUG_MUTATIONS=10`, ten times as many.
fn check(name: &str, times: u64) {
    let format = format(name);
    let (seeds, says) = ((format.seeds)(), format.says);
    for (number, seed) in seeds.iter().enumerate() {
        let taken = format.check(seed);
        // Some programs are there to be refused.
        let wrong = matches!(name, "reader" | "session" | "domain" | "grade");
        assert!(taken == Read::Taken || wrong || says == Says::Words, "{name} {number}: {taken:?}");
    }
    if let Some(corpus) = std::env::var_os("ZUG_SEEDS") {
        return write_seeds(&std::path::Path::new(&corpus).join(name), &seeds);
    }
    let factor = std::env::var("ZUG_MUTATIONS").ok().and_then(|factor| factor.parse().ok());
    let times = times * factor.unwrap_or(1);
    let mut refused = 0;
    for number in 0..times {
        let bytes = mutate(&mut Random::new(number), &seeds);
        let shown = || String::from_utf8_lossy(&bytes).into_owned();
        let outcome = catch_unwind(AssertUnwindSafe(|| format.check(&bytes)));
        match outcome {
            Ok(Read::Taken) => {}
            Ok(Read::Refused(_)) => refused += 1,
            Err(_) => panic!("{name} panics, seed {number}:\n{}", shown()),
        }
    }
    // The mutations are worth something: not all of them are taken, not all refused.
    assert!(refused > 0 || says == Says::Words, "{name}: nothing was refused");
    assert!(refused < times, "{name}: all was refused");
    formats::tidy();
}

/// Writes the seeds as files, for the fuzz targets to begin with.
fn write_seeds(folder: &std::path::Path, seeds: &[Vec<u8>]) {
    std::fs::create_dir_all(folder).expect("a folder");
    for (number, seed) in seeds.iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number}")), seed).expect("written");
    }
}

macro_rules! formats {
    ($($name:ident $times:literal)*) => {$(
        #[test]
        fn $name() {
            check(stringify!($name), $times);
        }
    )*};
}

formats! {
    reader 1000
    session 300
    domain 120
    query 300
    prompt 200
    options 500
    policy 300
    record 400
    base 200
    entries 200
    expect 300
    grade 200
    results 200
    list 500
}

/// Every reader is tried here.
#[test]
fn all_of_them() {
    let own = include_str!("mutations.rs");
    for format in formats::FORMATS {
        let listed = own.lines().any(|line| line.trim().starts_with(&format!("{} ", format.name)));
        assert!(listed, "{} is not tried", format.name);
        let target = format!("fuzz/fuzz_targets/{}.rs", format.name);
        assert!(std::path::Path::new(&target).is_file(), "there is no {target}");
    }
}
