//! `use_base/1`.

use super::use_base;
use zug_machine::{Machine, Outcome};
use zug_prolog::builtins::sandbox::refusal;
use zug_prolog::builtins::{Entry, World};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// The built-in.
pub const TABLE: &[Entry] =
    &[Entry::outside("use_base", 1, use_base_1, |m, _, a| Err(refusal(m, "open", "base", a)))];

/// `use_base(File)`.
fn use_base_1(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let file = match m.heap.value(a[0]) {
        Value::Var(_) => return Err(m.instantiation_error()),
        Value::Atom(name) => m.symbols.name(name).to_owned(),
        Value::Str(text) => text.to_owned(),
        _ => return Err(m.type_error("atom", a[0])),
    };
    let path = w.path(&file);
    let Err(error) = use_base(m, w, &path) else { return Ok(true) };
    let [action, kind, message] =
        ["open", "base", &error.to_string()].map(|text| Cell::atom(m.symbols.intern(text)));
    let formal = m.heap.new_struct(atoms::PERMISSION_ERROR, &[action, kind, a[0]]);
    let place = m.heap.new_var();
    let context = m.heap.new_struct(atoms::CONTEXT, &[place, message]);
    let ball = m.heap.new_struct(atoms::ERROR, &[formal, context]);
    Err(m.ball(ball))
}
