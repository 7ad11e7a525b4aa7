//! The gateway for files: no code but `src/files` opens, lists or changes files.

use std::path::{Path, PathBuf};

/// What opens, lists or changes files, in the standard library.
const OPENERS: [&str; 19] = [
    "File::open",
    "File::create",
    "File::options",
    "OpenOptions",
    "fs::read",
    "fs::write",
    "fs::copy",
    "fs::rename",
    "fs::metadata",
    "fs::symlink_metadata",
    "fs::canonicalize",
    "fs::create_dir",
    "fs::remove_",
    "fs::hard_link",
    "fs::exists",
    "fs::set_permissions",
    "DirBuilder",
    ".read_dir()",
    "tokio::fs",
];

/// Files that may: the gateway; build scripts; a reading of the system's own statistics.
const ALLOWED: [&str; 4] =
    ["src/files/", "src/cli/build.rs", "src/syntax/stored.rs", "src/term/watchdog.rs"];

/// Whether a file is compiled for tests only.
fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("tests.rs") || path.ends_with("/testing.rs")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The lines of a text that open files, outside of tests and comments.
fn openers(text: &str) -> Vec<usize> {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let code = code.split("#[cfg(all(test").next().unwrap_or(code);
    let lines = code.lines().enumerate().filter(|(_, line)| {
        let line = line.trim_start();
        let is_code = !line.starts_with("//");
        is_code && OPENERS.iter().any(|opener| line.contains(opener))
    });
    lines.map(|(at, _)| at + 1).collect()
}

#[test]
fn files_are_opened_by_the_gateway_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    assert!(files.len() > 500, "the sources are there");
    let mut found = Vec::new();
    for path in files {
        let name = path.strip_prefix(root).expect("below").to_string_lossy().replace('\\', "/");
        if is_test(&name) || ALLOWED.iter().any(|allowed| name.starts_with(allowed)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        found.extend(openers(&text).into_iter().map(|line| format!("{name}:{line}")));
    }
    assert_eq!(found, Vec::<String>::new(), "open files by `zug_files::Access`");
    // The check finds what it looks for.
    assert_eq!(openers("// fs::read\nlet x = std::fs::read(path);\n#[cfg(test)]\nFile::open"), [2]);
}
