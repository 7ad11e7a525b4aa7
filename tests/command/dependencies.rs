//! Every dependency of a crate is named in its sources.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Dependencies that are there for their features alone.
const FOR_FEATURES: [(&str, &str); 1] = [("Cargo.toml", "serde_core")];

/// The dependencies that a manifest lists, of any kind and for any target.
fn listed(manifest: &str) -> BTreeSet<&str> {
    let (mut names, mut is_list) = (BTreeSet::new(), false);
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_list = line.ends_with("dependencies]") && line != "[workspace.dependencies]";
        } else if is_list
            && let Some((name, _)) = line.split_once([' ', '.', '='])
            && name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter))
            && !name.is_empty()
        {
            names.insert(name);
        }
    }
    names
}

/// The text of all Rust files in a folder, but for crates inside of it.
fn sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path: PathBuf = entry.expect("an entry").path();
        // Tests of the crate `zug` include files of `fuzz`.
        let is_own = !path.join("Cargo.toml").exists() || path.ends_with("fuzz");
        if path.is_dir() && is_own && !path.ends_with("target") {
            sources(&path, text);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            *text += &std::fs::read_to_string(&path).expect("a source");
        }
    }
}

#[test]
fn all_are_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut crates = vec![root.to_owned()];
    let folders = std::fs::read_dir(root.join("src")).expect("a folder");
    crates.extend(folders.map(|entry| entry.expect("an entry").path()));
    let (mut unused, mut checked) = (Vec::new(), 0);
    for folder in crates {
        let Ok(manifest) = std::fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let place = folder.join("Cargo.toml");
        let place = place.strip_prefix(root).expect("below the root").display().to_string();
        let mut text = String::new();
        sources(&folder, &mut text);
        checked += 1;
        for name in listed(&manifest) {
            let is_used = text.contains(&name.replace('-', "_"));
            if !is_used && !FOR_FEATURES.contains(&(place.as_str(), name)) {
                unused.push(format!("{place}: nothing uses {name}"));
            }
        }
    }
    assert!(checked > 30, "{checked} crates");
    assert_eq!(unused, Vec::<String>::new());
}
