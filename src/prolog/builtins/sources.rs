//! System predicates whose answers depend on more than their arguments, by name.

use zug_machine::Source;

/// The source that answers of a built-in or library predicate depend on, whatever its arity.
pub fn source_of(name: &str) -> Option<Source> {
    NAMES.iter().find(|known| known.0 == name).map(|known| known.1)
}

/// The source that a call of a built-in shows: what it reads, or that it changes what others read.
///
/// `open/3` is none: to write a file changes no answer, and to read one takes another goal.
pub(super) fn source_of_call(name: &str) -> Option<Source> {
    let changes = CHANGING.contains(&name).then_some(Source::Changes);
    changes.or_else(|| source_of(name).filter(|_| name != "open"))
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

const NAMES: &[(&str, Source)] = &[
    ("random", Source::Random),
    ("random_between", Source::Random),
    ("random_member", Source::Random),
    ("random_select", Source::Random),
    ("random_permutation", Source::Random),
    ("random_subseq", Source::Random),
    ("randseq", Source::Random),
    ("randset", Source::Random),
    ("get_time", Source::Clock),
    ("statistics", Source::Clock),
    ("call_with_time_limit", Source::Clock),
    ("read", Source::Input),
    ("read_term", Source::Input),
    ("read_string", Source::Input),
    ("get", Source::Input),
    ("get0", Source::Input),
    ("get_char", Source::Input),
    ("get_code", Source::Input),
    ("get_byte", Source::Input),
    ("peek_char", Source::Input),
    ("peek_code", Source::Input),
    ("peek_byte", Source::Input),
    ("skip", Source::Input),
    ("at_end_of_stream", Source::Input),
    ("read_line_to_string", Source::Input),
    ("read_line_to_codes", Source::Input),
    ("read_stream_to_codes", Source::Input),
    ("see", Source::Files),
    ("consult", Source::Files),
    (".", Source::Files),
    ("load_files", Source::Files),
    ("ensure_loaded", Source::Files),
    ("open", Source::Files),
    ("exists_file", Source::Files),
    ("exists_source", Source::Files),
    ("exists_directory", Source::Files),
    ("directory_files", Source::Files),
    ("size_file", Source::Files),
    ("time_file", Source::Files),
    ("tmp_file", Source::Files),
    ("getenv", Source::Environment),
    ("working_directory", Source::Environment),
    ("prolog_load_context", Source::Environment),
    ("shell", Source::Environment),
];
