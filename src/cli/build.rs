//! Tells the program which commit it is built from, which `zug --version` says: `ZUG_COMMIT` if a release sets it, else what
//! the checkout says; nothing in an archive of the sources.

use std::fs::read_to_string;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-env-changed=ZUG_COMMIT");
    let commit = std::env::var("ZUG_COMMIT").ok().or_else(checked_out).unwrap_or_default();
    println!("cargo:rustc-env=ZUG_COMMIT={}", commit.get(..12).unwrap_or(&commit));
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=ZUG_TARGET={target}");
}

/// The commit of the checkout, read as `git` keeps it.
fn checked_out() -> Option<String> {
    let git = Path::new("../../.git");
    let git = match read_to_string(git) {
        // A work tree beside others: a file says where its folder is.
        Ok(text) => Path::new("../..").join(text.strip_prefix("gitdir: ")?.trim()),
        Err(_) => git.to_owned(),
    };
    let head_file = git.join("HEAD");
    println!("cargo:rerun-if-changed={}", head_file.display());
    let head = read_to_string(head_file).ok()?;
    let Some(name) = head.trim().strip_prefix("ref: ") else { return Some(head.trim().to_owned()) };
    // Branches of a work tree beside others are kept with those of the main one.
    let common =
        read_to_string(git.join("commondir")).map_or(git.clone(), |to| git.join(to.trim()));
    let file = common.join(name);
    if file.exists() {
        println!("cargo:rerun-if-changed={}", file.display());
        return Some(read_to_string(file).ok()?.trim().to_owned());
    }
    let packed = read_to_string(common.join("packed-refs")).ok()?;
    let line = packed.lines().find(|line| line.ends_with(&format!(" {name}")))?;
    line.split(' ').next().map(str::to_owned)
}
