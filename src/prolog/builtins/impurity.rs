//! System predicates whose answers depend on more than their arguments, by name.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;
use zug_machine::Impurity;

/// The source that answers of a built-in or library predicate depend on, whatever its arity.
pub fn impurity_of(name: &str) -> Option<Impurity> {
    BY_NAME.get(name).copied()
}

/// The source that a call of a built-in shows: what it reads, or that it changes what others read.
///
/// `open/3` is none: to write a file changes no answer, and to read one takes another goal.
pub(super) fn impurity_of_call(name: &str) -> Option<Impurity> {
    let changes = CHANGING.contains(name).then_some(Impurity::Changes);
    changes.or_else(|| impurity_of(name).filter(|_| name != "open"))
}

/// Built-ins that change facts, global variables, counters, records, flags or operators for good.
static CHANGING: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let names = "assert asserta assertz $erase retractall abolish nb_setval \
        flag recorda recordz erase set_prolog_flag create_prolog_flag op";
    names.split(' ').collect()
});

const NAMES: &[(Impurity, &str)] = &[
    (Impurity::Changes, "engine_next $engine_fetch engine_self is_engine $engines"),
    (
        Impurity::Random,
        "random random_between random_member random_select random_permutation random_subseq \
        randseq randset",
    ),
    (Impurity::Clock, "get_time statistics call_with_time_limit"),
    (
        Impurity::Input,
        "read read_term read_string get get0 get_char get_code get_byte peek_char peek_code \
        peek_byte skip at_end_of_stream read_line_to_string read_line_to_codes \
        read_stream_to_codes",
    ),
    (
        Impurity::Files,
        "see consult . load_files ensure_loaded open exists_file exists_source \
        exists_directory directory_files size_file time_file tmp_file",
    ),
    (Impurity::Environment, "getenv working_directory prolog_load_context shell"),
];

/// The same by name: a session looks up each built-in when it starts.
static BY_NAME: LazyLock<FxHashMap<&str, Impurity>> = LazyLock::new(|| {
    let named =
        NAMES.iter().flat_map(|&(kind, names)| names.split(' ').map(move |name| (name, kind)));
    named.collect()
});
