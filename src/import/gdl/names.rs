//! Names of relations as names of predicates.

use super::syntax::Key;
use crate::text;

/// Names with a meaning of their own in a rule file, or that the file written uses.
const TAKEN: &[&str] = &[
    "!", ",", "->", ";", "<", "=", "=..", "==", "=<", ">", ">=", "\\+", "\\=", "\\==", "|",
    "abs", "action", "actions", "append", "apply", "arg", "assert", "asserta", "assertz", "atom",
    "atom_chars", "atom_codes", "atom_length", "atomic", "bagof", "call", "callable", "catch", "char_code",
    "clause", "compare", "compound", "copy_term", "does", "draw_state", "fail", "false", "final_state",
    "findall", "float", "forall", "functor", "ground", "halt", "heuristic", "holds", "if", "initial_player",
    "initial_state", "integer", "is_list", "joint", "joint_move", "member", "memberchk", "model", "move",
    "next_state", "nl", "nonvar", "not", "number", "number_chars", "number_codes", "objective", "once",
    "op", "opponent", "payoff", "players", "print_state", "probability", "read", "read_term", "repeat",
    "retract", "rule", "set_prolog_flag", "setof", "sort", "strategy", "sub_atom", "subsumes_term", "symmetry", "throw", "to_move", "true", "unify_with_occurs_check", "utility", "utility_bounds", "var",
    "write", "write_canonical", "write_term", "writeq", "open", "close", "flush_output", "put_char",
    "get_char", "peek_char", "number_vars", "current_op", "table", "dynamic", "test",
];

/// The predicate of a relation; one whose name is taken has `game_` before it.
pub fn predicate((name, _): &Key) -> String {
    let name = name.split(' ').next().unwrap_or(name);
    if TAKEN.contains(&name) { text::atom(&format!("game_{name}")) } else { text::atom(name) }
}
