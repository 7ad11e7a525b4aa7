//! Names that no predicate of a written file may have.

/// Names that mean something in every rule file.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().chain(CONTRACT).copied()
}

/// Whether a name is one of them.
pub fn is_reserved(name: &str) -> bool {
    names().any(|known| known == name)
}

/// Predicates that can't be redefined, and others that loading or a written file calls.
#[rustfmt::skip]
const BUILT_IN: &[&str] = &[
    "!", "$", "*->", ",", "->", ";", "<", "=", "=..", "=:=", "=<", "==", "=\\=", ">", ">=", "@<",
    "@=<", "@>", "@>=", "\\+", "\\=", "\\==", "abolish", "append", "apply", "arg", "assert",
    "asserta", "assertz", "at_end_of_stream", "atom", "atom_chars", "atom_codes", "atom_concat",
    "atom_length", "atomic", "bagof", "call", "callable", "catch", "char_code", "clause", "close",
    "compare", "compound", "copy_term", "current_input", "current_op", "current_output",
    "current_predicate", "current_prolog_flag", "discontiguous", "dynamic", "ensure_loaded", "fail",
    "false", "findall", "float", "flush_output", "forall", "functor", "get_byte", "get_char",
    "get_code", "goal_expansion", "ground", "halt", "if", "include", "initialization", "integer",
    "is", "keysort", "length", "member", "memberchk", "module", "msort", "multifile", "nl",
    "nonvar", "not", "number", "number_chars", "number_codes", "number_vars", "once", "op", "open",
    "peek_byte", "peek_char", "peek_code", "portray", "print", "put_byte", "put_char", "read",
    "read_term", "repeat", "retract", "retractall", "set_input", "set_output", "set_prolog_flag",
    "setof", "sort", "stream_property", "sub_atom", "subsumes_term", "table", "term_expansion",
    "term_variables", "test", "throw", "true", "unify_with_occurs_check", "use_module", "var",
    "write", "write_canonical", "write_term", "writeq", "|",
];

/// Predicates that engines ask for.
#[rustfmt::skip]
const CONTRACT: &[&str] = &[
    "action", "actions", "click", "draw_state", "final_state", "heuristic", "initial_player",
    "initial_state", "joint_move", "model", "move", "objective", "opponent", "payoff", "players",
    "print_model", "print_state", "probability", "rule", "strategy", "symmetry", "terminal",
    "to_move", "utility", "utility_bounds",
];

#[cfg(test)]
mod tests {
    use super::*;
    use zug_prolog::builtins::host::PROTECTED;

    #[test]
    fn all_that_cannot_be_redefined_is_reserved() {
        let missing: Vec<&str> =
            PROTECTED.iter().map(|(name, _)| *name).filter(|name| !is_reserved(name)).collect();
        assert_eq!(missing, [""; 0]);
    }
}
