//! Boolean constraints and linear programs as predicates.
//!
//! `boolean` is library(clpb), on decision diagrams of its own; `linear` is library(simplex), on the exact simplex
//! method of `zug-matrix`.

mod boolean;
mod linear;

use zug_prolog::builtins::{Library, NativeAttribute};
use zug_prolog::{Extension, library};

/// The extension of the language: library(clpb) and library(simplex).
pub const EXTENSION: Extension = Extension {
    tables: &[boolean::TABLE, linear::TABLE],
    library: library! { "clpb" "clpb", "simplex" "simplex", },
    attributes: &[NativeAttribute {
        module: boolean::MODULE,
        unify: boolean::bound,
        goals: boolean::goals,
    }],
    libraries: &[
        Library { name: "clpb", operators: &[(300, "fy", "~"), (500, "yfx", "#")] },
        Library { name: "simplex", operators: &[] },
    ],
    ..Extension::NONE
};
