//! Finds the tokens of the library, so that a session does not have to.
//!
//! The library is 190 KB of Prolog that every session begins with. To match its tokens takes most
//! of that time; here it is done once, by the same grammar and the same code.

use std::path::{Path, PathBuf};

// The modules that the crate is built from; what is not needed here is not dead there.
#[allow(dead_code)]
#[path = "src/source.rs"]
mod source;
#[allow(dead_code)]
#[path = "src/syntax/stored.rs"]
mod stored;
#[allow(dead_code)]
#[path = "src/syntax/token.rs"]
mod token;
#[allow(dead_code)]
#[path = "src/varint.rs"]
mod varint;

fn main() {
    for used in ["build.rs", "grammars", "src/library", "src/source.rs", "src/syntax/stored.rs"]
        .into_iter()
        .chain(["src/syntax/token.rs", "src/varint.rs"])
    {
        println!("cargo::rerun-if-changed={used}");
    }
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names a folder"));
    for entry in std::fs::read_dir("src/library").expect("the library's folder") {
        let path = entry.expect("an entry of the library's folder").path();
        if path.extension().is_some_and(|extension| extension == "pl") {
            store(&path, &folder);
        }
    }
}

/// Writes the tokens of a file, but for comments, to a file in `folder`.
fn store(path: &Path, folder: &Path) {
    let text = std::fs::read_to_string(path).expect("a text of the library");
    let mut tokens = token::tokenize(&text);
    tokens.retain(|token| !token.kind.is_comment());
    let name = path.with_extension("tokens");
    let name = name.file_name().expect("a file's name");
    std::fs::write(folder.join(name), stored::pack(&tokens)).expect("a place for the tokens");
}
