//! Libraries by name: those whose predicates zug has, and what it has not.
//!
//! The whole library is always there, so `use_module(library(lists))` has nothing to do. What of
//! SWI-Prolog's is not there is said, with what to do instead.

use super::{OrFault, World, args};
use zug_machine::Machine;
use zug_syntax::OpKind;
use zug_term::Cell;
use zug_term::spelling::nearest;

/// Names of libraries whose predicates are built in, as far as rule files use them; also those
/// that declare nothing a rule could miss.
const THERE: &str = "aggregate ansi_term apply apply_macros arithmetic assoc attvar backcomp base64 basics \
    charsio codesio coroutining csv ctypes date dcg/basics dcg/high_order debug dialect dif \
    edinburgh error gensym hashtable heaps listing lists main nb_set occurs option optparse \
    ordsets pairs plunit pprint prolog_code prolog_stack pure_input quintus random rbtrees \
    readutil record settings solution_sequences sort statistics strings system tabling terms \
    thread time ugraphs varnumbers when writef yall";

/// Those in which one writes constraints of other kinds than zug has.
const CONSTRAINTS: &[&str] = &["clpr", "clpq", "clpBNR", "chr"];

/// Operators that come with a library, be it there or not: without it a program is at least read.
const OPERATORS: &[(&str, i64, OpKind, &str)] = &[
    ("record", 1150, OpKind::Fx, "record"),
    ("chr", 1200, OpKind::Xfx, "@"),
    ("chr", 1190, OpKind::Xfx, "pragma"),
    ("chr", 1180, OpKind::Xfx, "==> <=>"),
    (
        "chr",
        1150,
        OpKind::Fx,
        "constraints chr_constraint chr_preprocessor handler rules chr_type chr_declaration ?",
    ),
    ("chr", 1130, OpKind::Xfx, "--->"),
    ("chr", 1100, OpKind::Xfx, "\\"),
    ("chr", 500, OpKind::Yfx, "#"),
    ("clpBNR", 700, OpKind::Xfx, "::"),
];

/// Clauses and directives of the language that a missing library adds: they are left out without a word, since its
/// absence was told.
const FOREIGN: &[(&str, usize, &str)] = &[
    ("chr", 2, "@ <=> ==> pragma chr_option"),
    (
        "chr",
        1,
        "chr_constraint constraints chr_type chr_declaration chr_preprocessor handler rules",
    ),
];

/// What to do without them.
const INSTEAD: &str = "zug has constraints over integers: `:- use_module(library(clpfd)).`";

/// Lets the modules of libraries be names for where these are.
pub fn name_modules(m: &mut Machine) {
    for path in names() {
        let name = path.rsplit('/').next().expect("a path has a last part");
        let name = m.symbols.intern(name);
        m.program.modules.set_name(name, zug_machine::Space::System);
    }
}

/// The names of the libraries that are always there.
pub fn names() -> impl Iterator<Item = &'static str> {
    THERE.split(' ')
}

/// The operators that one of them brings: priority, kind, name.
pub fn operators_of(library: &str) -> impl Iterator<Item = (i64, OpKind, &'static str)> {
    let of = OPERATORS.iter().filter(move |entry| entry.0 == library);
    of.flat_map(|&(_, priority, kind, names)| {
        names.split(' ').map(move |name| (priority, kind, name))
    })
}

/// Whether there is a library of this name.
pub(super) fn is_there(name: &str) -> bool {
    args::is_among(THERE, name)
}

/// Whether there is a library of this name, and if not, what to do.
pub(super) fn advice(name: &str) -> Result<(), Option<String>> {
    if is_there(name) {
        return Ok(());
    }
    if CONSTRAINTS.contains(&name) {
        return Err(Some(INSTEAD.to_owned()));
    }
    let near = nearest(names(), name);
    Err(near.map(|near| format!("did you mean `library({near})`?")))
}

/// Says in the load in progress, or in an exception, if there is no such library.
pub(super) fn asked_for(m: &mut Machine, w: &mut World, spec: Cell, name: &str) -> OrFault<()> {
    let mut added = w.extensions.iter().flat_map(|extension| extension.libraries);
    if let Some(library) = added.find(|library| library.name == name) {
        for &(priority, kind, operator) in library.operators {
            let kind = OpKind::from_name(kind).expect("a type of operators");
            let operator = m.symbols.intern(operator);
            // Of a name that the program has made an operator of, that stays.
            _ = w.operators.define(priority, kind, operator);
        }
        return Ok(());
    }
    for (priority, kind, operator) in operators_of(name) {
        let operator = m.symbols.intern(operator);
        _ = w.operators.define(priority, kind, operator);
    }
    let Err(hint) = advice(name) else { return Ok(()) };
    let Some(loading) = w.loader.stack.last_mut() else {
        return Err(m.existence_error("source_sink", spec));
    };
    for &(_, arity, names) in FOREIGN.iter().filter(|row| row.0 == name) {
        loading.foreign.extend(names.split(' ').map(|name| (name, arity)));
    }
    super::modules::say(w, "W0408", format!("zug has no `library({name})`"), hint);
    Ok(())
}

/// What to write in the place of predicates of other languages, by name and arity; `None`: any.
const ELSEWHERE: &[(&str, Option<usize>, &str)] = &[
    ("{}", Some(1), INSTEAD),
    (":=", Some(2), "a number is computed by `X is …`, a term is given by `X = …`"),
    ("=>", Some(2), "\"if\" is `( A -> B ; C )`, \"at least\" is `>=`"),
    ("in contains", Some(2), "`member(X, List)` asks whether X is in a list"),
    ("len size", Some(2), "`length(List, N)` gives the length of a list"),
    ("print", None, "`format(\"~w ~w~n\", [A, B])` writes several terms"),
    ("printf println puts", None, "`format(\"~w~n\", [X])` writes"),
    ("if", None, "\"if A then B else C\" is written `( A -> B ; C )`"),
    ("and", Some(2), "\"and\" is written `,`"),
    ("or", Some(2), "\"or\" is written `;`"),
    ("return", Some(1), "a predicate gives nothing back: its results are arguments"),
    (
        "equal equals",
        Some(2),
        "`X = Y` makes terms equal, `X == Y` asks whether they are, `X =:= Y` whether numbers are",
    ),
    ("not_equal neq", Some(2), "\"not equal\" is written `\\=` for terms, `=\\=` for numbers"),
    ("not_member", Some(2), "`\\+ member(X, List)` asks whether X is not in a list"),
    ("increment", Some(2), "`Y is X + 1` computes it"),
];

/// What to do without a predicate of a library that is not there, or of another language.
pub fn instead_of(name: &str, arity: usize) -> Option<&'static str> {
    let meant = |&&(names, wanted, _): &&(&str, Option<usize>, _)| {
        wanted.is_none_or(|wanted| wanted == arity) && args::is_among(names, name)
    };
    ELSEWHERE.iter().find(meant).map(|found| found.2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::LIBRARY;

    #[test]
    fn every_library_of_ours_is_there() {
        for text in LIBRARY {
            let name = text.name.trim_start_matches("library(").trim_end_matches(')');
            // Parts of our own have names that no program asks for.
            let own = "inline builtins control database all_solutions messages modules io misc trace \
                solutions term_positions engines";
            assert!(args::is_among(own, name) || advice(name).is_ok(), "{name}");
        }
        assert_eq!(advice("clpr"), Err(Some(INSTEAD.to_owned())));
        assert_eq!(advice("list"), Err(Some("did you mean `library(lists)`?".to_owned())));
        assert_eq!(advice("http/http_server"), Err(None));
        assert_eq!(advice("dicts"), Err(None));
        assert!(instead_of("{}", 1).is_some() && instead_of("dif", 2).is_none());
        assert!(instead_of("path", 2).is_none());
    }
}
