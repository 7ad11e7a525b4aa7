//! Sets of keys of bytes, sorted, in a few bytes for each key.
//!
//! A [`Coding`] makes a number of each key: the bytes that keys of a length were seen to have at each
//! place are the digits of a number in mixed radix. Numbers are `W` words of 64 bits. A [`Run`] has numbers
//! in rising order, as gaps in blocks with an index of their first ones (exponential Golomb codes: J. Teuhola, *A Compression Method
//! for Clustered Bit-Vectors*, Information Processing Letters 7, 1978), and with each, if wanted, a
//! mark of a byte or more. [`Runs`] are merged so that there are few of them, which is how duplicates are
//! found late and all at once (R. Korf, *Best-First Frontier Search with Delayed Duplicate Detection*, AAAI 2004).
//!
//! ```
//! use std::sync::Arc;
//! use zug_sorted::{Coding, Number, Run, RunWriter};
//!
//! let mut coding: Coding<1> = Coding::new();
//! let keys = [b"abba", b"abab", b"baba"];
//! keys.iter().for_each(|key| assert!(coding.learn(*key)));
//! let mut numbers: Vec<Number<1>> = keys.iter().filter_map(|key| coding.number(*key)).collect();
//! numbers.sort_unstable();
//! let mut writer = RunWriter::new(Arc::new(coding));
//! numbers.iter().for_each(|&number| writer.push(number));
//! let run: Run<1> = writer.finish();
//! assert_eq!(run.len(), 3);
//! let number = run.coding().number(b"abab").expect("its bytes are known");
//! let place = run.finder().find(number).expect("it is there");
//! assert_eq!(run.rank(place), numbers.iter().position(|&n| n == number).unwrap() as u64);
//! ```
//!
//! # Invariants
//!
//! - Numbers of one coding are equal exactly when the keys are.
//! - A coding that learns new bytes gives other numbers, but in the same order: runs stay sorted when
//!   their numbers are made again.

mod coding;
mod disk_error;
mod file;
mod finder;
mod folder;
mod marks;
mod merge;
mod number;
mod run;
mod segment;

pub use coding::{Coding, Seen};
pub use disk_error::DiskError;
pub use file::{FileReader, FileWriter, ReadErrors};
pub use finder::Finder;
pub use folder::{Folder, LayersOf, Progress};
pub use marks::Marks;
pub use merge::{Numbers, Runs, in_coding, merged};
pub use number::Number;
pub use run::{Place, Run, RunWriter, SegmentWriter};
pub use segment::{BLOCK, Cursor, Segment};

#[cfg(test)]
mod tests;
