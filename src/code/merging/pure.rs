//! Built-ins that depend on nothing but their arguments: the machine runs them while code is made.

use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// What the machine says of a call of a built-in.
pub enum Said {
    /// The call with its only answer.
    Yes(Record),
    /// It fails.
    No,
    /// It is not for code, and why.
    Nothing(&'static str),
}

/// Calls a built-in with the arguments of a term, which may have more behind those.
pub fn said(m: &mut Machine, w: &mut World, pred: PredId, call: &Record) -> Said {
    m.ask(w, |ask| {
        let term = call.instantiate(&mut ask.machine.heap);
        let (_, _, first) = ask.machine.heap.name_arity(term).unwrap_or((atoms::NIL, 0, 0));
        let arity = ask.machine.program.preds[pred as usize].arity;
        let cells: Vec<Cell> = (0..arity).map(|i| ask.machine.heap.at(first + i)).collect();
        ask.add_root(term);
        match ask.call(pred, &cells) {
            Ok(true) if ask.has_more() => Said::Nothing("it has several answers"),
            Ok(true) => {
                let [term] = ask.rooted();
                Said::Yes(Record::new(&mut ask.machine.heap, term))
            }
            Ok(false) => Said::No,
            Err(_) => Said::Nothing("it raises an error"),
        }
    })
}

/// Whether a predicate is a built-in that may be called while code is made: what it answers depends
/// on its arguments alone. (That it changes nothing is not enough: a global variable changes.)
pub fn depends_on_arguments(m: &Machine, pred: PredId) -> bool {
    let predicate = &m.program.preds[pred as usize];
    PURE.contains(&(m.symbols.name(predicate.name), predicate.arity))
}

/// Built-ins of the machine with at most one answer that depend on nothing but their
/// arguments, of which those that are unbound are bound to ground terms.
const PURE: &[(&str, usize)] = &[
    ("numlist", 3),
    ("atom_length", 2),
    ("atom_chars", 2),
    ("atom_codes", 2),
    ("char_code", 2),
    ("number_codes", 2),
    ("number_chars", 2),
    ("atom_number", 2),
    ("atom_string", 2),
    ("string_concat", 3),
    ("string_chars", 2),
    ("string_length", 2),
    ("number_string", 2),
    ("upcase_atom", 2),
    ("downcase_atom", 2),
    ("atomic_list_concat", 2),
    ("$concat", 5),
    ("$sub_text", 7),
    ("$length", 3),
    ("$sum_list", 3),
    ("$max_list", 3),
    ("$min_list", 3),
    ("$arity", 2),
    ("$skip_list", 3),
    ("sort", 4),
    ("keysort", 2),
];
