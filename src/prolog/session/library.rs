//! The texts of the library.

/// A file of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryText {
    /// What it is called, as `library(lists)`.
    pub name: &'static str,
    /// What it says.
    pub text: &'static str,
    /// Its tokens but for comments, as [`zug_syntax::stored::pack_library`] found them when the
    /// crate was built.
    pub tokens: &'static [u8],
}

/// A list of [`LibraryText`]s, by name and file: of the folder `library` of the crate, whose tokens
/// its `build.rs` found.
#[macro_export]
macro_rules! library {
    ($($name:literal $file:literal,)*) => {
        &[$($crate::LibraryText {
            name: concat!("library(", $name, ")"),
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/library/", $file, ".pl")),
            tokens: include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".tokens")),
        }),*]
    };
}

/// The library of Prolog, in the order in which it is loaded.
pub const LIBRARY: &[LibraryText] = library! {
    "inline" "inline",
    "builtins" "builtins",
    "control" "control",
    "database" "database",
    "lists" "lists",
    "apply" "apply",
    "sort" "sort",
    "pairs" "pairs",
    "all_solutions" "all_solutions",
    "aggregate" "aggregate",
    "error" "error",
    "assoc" "assoc",
    "ordsets" "ordsets",
    "ugraphs" "ugraphs",
    "heaps" "heaps",
    "option" "option",
    "strings" "strings",
    "gensym" "gensym",
    "random" "random",
    "readutil" "readutil",
    "dcg/basics" "dcg_basics",
    "dcg/high_order" "dcg_high_order",
    "edinburgh" "edinburgh",
    "messages" "messages",
    "yall" "yall",
    "io" "io",
    "system" "system",
    "tabling" "tabling",
    "modules" "modules",
    "trace" "trace",
    "coroutining" "coroutining",
    "occurs" "occurs",
    "thread" "thread",
    "terms" "terms",
    "rbtrees" "rbtrees",
    "nb_set" "nb_set",
    "ctypes" "ctypes",
    "codesio" "codesio",
    "prolog_code" "prolog_code",
    "main" "main",
    "date" "date",
    "hashtable" "hashtable",
    "backcomp" "backcomp",
    "misc" "misc",
    "solutions" "solutions",
    "term_positions" "term_positions",
    "base64" "base64",
    "csv" "csv",
    "record" "record",
    "pprint" "pprint",
    "settings" "settings",
    "optparse" "optparse",
    "plunit" "plunit",
    "engines" "engines",
};

#[cfg(test)]
mod tests {
    use super::*;
    use zug_syntax::{stored, tokenize};

    #[test]
    fn tokens_are_those_of_the_texts() {
        for LibraryText { name, text, tokens: bytes } in LIBRARY {
            let mut tokens = tokenize(text);
            tokens.retain(|token| !token.kind.is_comment());
            assert_eq!(stored::unpack(bytes), tokens, "{name}");
        }
    }
}
