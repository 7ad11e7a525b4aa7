//! What the tests of rule files share: [`ask`] asks queries, [`explore`] visits the states of
//! a program by plain queries, [`compare`] holds the domain's answers against them, [`random`]
//! makes programs.

pub mod ask;
pub mod compare;
pub mod explore;
pub mod random;

use std::path::{Path, PathBuf};

/// The rule files of some folders, in order.
pub fn files(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder is there");
        files.extend(entries.map(|entry| entry.expect("it can be read").path()));
    }
    files.retain(|path| path.extension().is_some_and(|kind| kind == "pl"));
    files.sort();
    files
}

/// Without [`full`] strength, tests of many files take one of so many.
const ONE_IN: usize = 3;

/// Every file at full strength, a third of them otherwise.
pub fn sample(files: Vec<PathBuf>) -> Vec<PathBuf> {
    files.into_iter().step_by(if full() { 1 } else { ONE_IN }).collect()
}

/// The least that a [`sample`] must show, of what all files show.
pub fn part(of_all: usize) -> usize {
    if full() { of_all } else { of_all / (2 * ONE_IN) }
}

/// Whether tests run at full strength: `ZUG_FULL=1`, for builds with optimisation.
/// Without it they take samples, so that a plain `cargo test` is soon over.
pub fn full() -> bool {
    std::env::var("ZUG_FULL").is_ok_and(|wish| wish == "1")
}
