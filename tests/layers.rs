//! The table of layers in `docs/architecture.md`, held against the `use` lines:
//! a module imports from layers below its own, or from its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Modules of the crate, lowest layer first. Modules in one row know each other.
const LAYERS: &[&[&str]] = &[
    &["columns", "random", "symbol", "source", "varint"],
    &["diagnostic", "term"],
    &["syntax"],
    &["base", "search"],
    &["machine"],
    &["compile"],
    &["builtins"],
    &["domain", "explain", "manual", "session"],
    &["check"],
    &["usecases"],
    &["render"],
    &["repl"],
    &["cli"],
];

/// Pairs that must not know each other although their rows would allow it.
const FORBIDDEN: &[(&str, &str)] = &[
    ("search", "syntax"),
    ("search", "term"),
    ("search", "symbol"),
    ("machine", "syntax"),
    ("machine", "search"),
    ("compile", "syntax"),
    ("compile", "search"),
];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a source folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The first word behind each `crate::` outside comments and tests.
fn imports(text: &str) -> Vec<String> {
    let code: String = text
        .lines()
        .take_while(|line| !line.starts_with("#[cfg(test)]"))
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    code.split("crate::")
        .skip(1)
        .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
        .collect()
}

#[test]
fn modules_import_from_below() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let layer: BTreeMap<&str, usize> = LAYERS
        .iter()
        .enumerate()
        .flat_map(|(at, row)| row.iter().map(move |module| (*module, at)))
        .collect();
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    let mut wrong = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&source).expect("a file under src");
        let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        let is_test = inside.to_string_lossy().contains("test");
        if ["lib", "main"].contains(&module.as_str()) || is_test {
            continue;
        }
        let own = *layer.get(module.as_str()).unwrap_or_else(|| panic!("no layer for {module}"));
        for import in imports(&std::fs::read_to_string(&file).expect("a source file")) {
            let Some(&other) = layer.get(import.as_str()) else { continue };
            let forbidden = FORBIDDEN.contains(&(module.as_str(), import.as_str()));
            if other > own || forbidden {
                wrong.push(format!("{} imports {import}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
