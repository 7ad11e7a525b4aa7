//! The texts of the library.

use zug_syntax::stored;

/// A file of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryText {
    /// What it is called, as `library(lists)`.
    pub name: &'static str,
    /// What it says.
    pub text: &'static str,
    /// Its tokens but for comments; none if those in its token file are out of date.
    pub tokens: &'static [u8],
}

impl LibraryText {
    /// A text with its token file.
    pub const fn new(name: &'static str, text: &'static str, file: &'static [u8]) -> LibraryText {
        LibraryText { name, text, tokens: stored::tokens(text, file) }
    }
}

/// A list of [`LibraryText`]s, by name and file, from the folder `library` of the crate. A new text needs an
/// empty file `NAME.tokens` next to it; `ZUG_TOKENS=overwrite cargo test -p zug-prolog --lib token_files` fills it,
/// and brings those of changed texts up to date.
#[macro_export]
macro_rules! library {
    ($($name:literal $file:literal,)*) => {
        &[$($crate::LibraryText::new(
            concat!("library(", $name, ")"),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/library/", $file, ".pl")),
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/library/", $file, ".tokens")),
        )),*]
    };
}

/// The library of Prolog, in the order in which it is loaded.
pub const LIBRARY: &[LibraryText] = library! {
    "inline" "inline", "builtins" "builtins", "control" "control", "database" "database", "lists" "lists",
    "apply" "apply", "sort" "sort", "pairs" "pairs", "all_solutions" "all_solutions", "aggregate" "aggregate",
    "error" "error", "assoc" "assoc", "ordsets" "ordsets", "ugraphs" "ugraphs", "heaps" "heaps",
    "option" "option", "strings" "strings", "gensym" "gensym", "random" "random", "readutil" "readutil",
    "dcg/basics" "dcg_basics", "dcg/high_order" "dcg_high_order", "edinburgh" "edinburgh",
    "messages" "messages", "yall" "yall", "io" "io", "system" "system", "tabling" "tabling",
    "modules" "modules", "trace" "trace", "coroutining" "coroutining", "occurs" "occurs", "thread" "thread",
    "terms" "terms", "rbtrees" "rbtrees", "nb_set" "nb_set", "ctypes" "ctypes", "codesio" "codesio",
    "prolog_code" "prolog_code", "main" "main", "date" "date", "hashtable" "hashtable", "backcomp" "backcomp",
    "misc" "misc", "solutions" "solutions", "term_positions" "term_positions", "base64" "base64", "csv" "csv",
    "record" "record", "pprint" "pprint", "settings" "settings", "optparse" "optparse", "plunit" "plunit",
    "engines" "engines",
};

#[cfg(test)]
mod tests {
    use super::stored;
    use std::ffi::OsStr;
    use std::fs;
    use std::path::Path;

    /// The files of all crates, which `ZUG_TOKENS=overwrite` writes.
    #[test]
    fn token_files_are_those_of_the_texts() {
        let overwrite = std::env::var("ZUG_TOKENS").is_ok_and(|what| what == "overwrite");
        let crates = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).expect("src");
        let libraries =
            crates.filter_map(|folder| folder.ok()?.path().join("library").read_dir().ok());
        for text in libraries.flatten().filter_map(|entry| Some(entry.ok()?.path())) {
            if text.extension() != Some(OsStr::new("pl")) {
                continue;
            }
            let file = stored::file(&fs::read_to_string(&text).expect("a text of the library"));
            let path = text.with_extension("tokens");
            if overwrite {
                fs::write(path, file).expect("the token file is written");
            } else {
                assert!(
                    fs::read(path).is_ok_and(|found| found == file),
                    "{text:?} has other tokens"
                );
            }
        }
    }
}
