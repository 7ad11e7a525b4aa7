//! System predicates whose answers depend on more than their arguments, by name.

use zug_machine::Impurity;

/// The source that answers of a built-in or library predicate depend on, whatever its arity.
pub fn impurity_of(name: &str) -> Option<Impurity> {
    NAMES.iter().find(|known| known.0 == name).map(|known| known.1)
}

/// The source that a call of a built-in shows: what it reads, or that it changes what others read.
///
/// `open/3` is none: to write a file changes no answer, and to read one takes another goal.
pub(super) fn impurity_of_call(name: &str) -> Option<Impurity> {
    let changes = CHANGING.contains(&name).then_some(Impurity::Changes);
    changes.or_else(|| impurity_of(name).filter(|_| name != "open"))
}

/// Built-ins that change facts, global variables, counters, records, flags or operators for good.
const CHANGING: &[&str] = &[
    "assert",
    "asserta",
    "assertz",
    "$erase",
    "retractall",
    "abolish",
    "nb_setval",
    "flag",
    "recorda",
    "recordz",
    "erase",
    "set_prolog_flag",
    "create_prolog_flag",
    "op",
];

const NAMES: &[(&str, Impurity)] = &[
    ("engine_next", Impurity::Changes),
    ("$engine_fetch", Impurity::Changes),
    ("engine_self", Impurity::Changes),
    ("is_engine", Impurity::Changes),
    ("$engines", Impurity::Changes),
    ("random", Impurity::Random),
    ("random_between", Impurity::Random),
    ("random_member", Impurity::Random),
    ("random_select", Impurity::Random),
    ("random_permutation", Impurity::Random),
    ("random_subseq", Impurity::Random),
    ("randseq", Impurity::Random),
    ("randset", Impurity::Random),
    ("get_time", Impurity::Clock),
    ("statistics", Impurity::Clock),
    ("call_with_time_limit", Impurity::Clock),
    ("read", Impurity::Input),
    ("read_term", Impurity::Input),
    ("read_string", Impurity::Input),
    ("get", Impurity::Input),
    ("get0", Impurity::Input),
    ("get_char", Impurity::Input),
    ("get_code", Impurity::Input),
    ("get_byte", Impurity::Input),
    ("peek_char", Impurity::Input),
    ("peek_code", Impurity::Input),
    ("peek_byte", Impurity::Input),
    ("skip", Impurity::Input),
    ("at_end_of_stream", Impurity::Input),
    ("read_line_to_string", Impurity::Input),
    ("read_line_to_codes", Impurity::Input),
    ("read_stream_to_codes", Impurity::Input),
    ("see", Impurity::Files),
    ("consult", Impurity::Files),
    (".", Impurity::Files),
    ("load_files", Impurity::Files),
    ("ensure_loaded", Impurity::Files),
    ("open", Impurity::Files),
    ("exists_file", Impurity::Files),
    ("exists_source", Impurity::Files),
    ("exists_directory", Impurity::Files),
    ("directory_files", Impurity::Files),
    ("size_file", Impurity::Files),
    ("time_file", Impurity::Files),
    ("tmp_file", Impurity::Files),
    ("getenv", Impurity::Environment),
    ("working_directory", Impurity::Environment),
    ("prolog_load_context", Impurity::Environment),
    ("shell", Impurity::Environment),
];
