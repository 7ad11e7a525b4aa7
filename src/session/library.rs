//! The texts of the library.

/// A list of texts, by name and file, and the list of their tokens.
macro_rules! library {
    ($($name:literal $file:literal,)*) => {
        /// Library files, in the order they are loaded.
        pub(crate) const LIBRARY: &[(&str, &str)] = &[$((
            concat!("library(", $name, ")"),
            include_str!(concat!("../library/", $file, ".pl")),
        )),*];

        /// Their tokens, as `build.rs` found them.
        pub(super) const TOKENS: &[&[u8]] =
            &[$(include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".tokens"))),*];
    };
}

library! {
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
    "engines" "engines",
    "judge" "judge",
    "games" "games",
    "simultaneous" "simultaneous",
    "io" "io",
    "system" "system",
    "tabling" "tabling",
    "trace" "trace",
    "occurs" "occurs",
    "solutions" "solutions",
    "why" "why",
    "plunit" "plunit",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{stored, tokenize};

    #[test]
    fn tokens_are_those_of_the_texts() {
        assert_eq!(LIBRARY.len(), TOKENS.len());
        for (&(name, text), bytes) in LIBRARY.iter().zip(TOKENS) {
            let mut tokens = tokenize(text);
            tokens.retain(|token| !token.kind.is_comment());
            assert_eq!(stored::unpack(bytes), tokens, "{name}");
        }
    }
}
