//! Finds the tokens of the library, so that a session does not have to.
//!
//! The library is some 190 KB of Prolog that every session begins with. To match its tokens takes
//! most of that time; here it is done once, by the same grammar and the same code.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=library");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names a folder"));
    zug_syntax::stored::pack_folder("library".as_ref(), &folder)
}
