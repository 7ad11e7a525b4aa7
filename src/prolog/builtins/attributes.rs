//! Attributed variables: attributes of modules, put on variables and taken off again; copies with
//! them; residual goals.

use super::{Entry, OrFault, World, args};
use zug_machine::{Machine, Outcome, Space, attributes};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record, attributed_variables};

/// The predicates of this group. What they do is undone by backtracking.
pub const TABLE: &[Entry] = &[
    Entry::pure("attvar", 1, |m, _, a| Ok(m.has_attributes(a[0]))),
    Entry::pure("put_attr", 3, put_attr),
    Entry::pure("get_attr", 3, get_attr),
    Entry::pure("del_attr", 2, del_attr),
    Entry::pure("get_attrs", 2, get_attrs),
    Entry::pure("put_attrs", 2, put_attrs),
    Entry::pure("del_attrs", 1, del_attrs),
    Entry::pure("term_attvars", 2, term_attvars),
    Entry::pure("copy_term", 2, copy_term),
    Entry::pure("duplicate_term", 2, copy_term),
    Entry::pure("copy_term_nat", 2, copy_term_nat),
    Entry::pure("$is_native", 1, |m, _, a| {
        Ok(a[0].as_atom().is_some_and(|module| m.natives().contains(&module)))
    }),
    Entry::pure("$native_goals", 3, native_goals),
    Entry::pure("$hook", 4, hook),
    Entry::pure("$residue_mark", 1, residue_mark),
    Entry::pure("$residue_since", 2, residue_since),
];

/// Says what is known about variables, as goals.
pub type FindGoals = fn(&mut Machine, &mut World, &[Cell]) -> OrFault<Vec<Cell>>;

/// What a module in Rust does about the attributes that it puts on variables.
#[derive(Clone, Copy)]
pub struct NativeAttribute {
    /// The name of the module.
    pub module: &'static str,
    /// Called with all pending bindings of its variables: the value of the attribute, and what the
    /// variable was bound to, which may be a variable. It may bind variables by
    /// [`Machine::bind_for`] with its number ([`Machine::add_native`]), and have goals called by
    /// [`Machine::call_soon`]; it must not run goals. False means that the bindings are refused.
    pub unify: fn(&mut Machine, &mut World, &[(Cell, Cell)]) -> Outcome,
    /// The goals that say what it knows about variables that have its attribute.
    pub goals: FindGoals,
}

impl World {
    /// The native module of this number.
    pub(super) fn native(&self, number: u16) -> Option<&'static NativeAttribute> {
        let mut all = self.extensions.iter().flat_map(|extension| extension.attributes);
        all.nth(usize::from(number))
    }
}

/// The name of a module whose attributes rules may change.
fn module(m: &mut Machine, cell: Cell) -> OrFault<Atom> {
    let module = args::atom(m, cell)?;
    if m.natives().contains(&module) {
        return Err(m.permission_error("modify", "attribute", cell));
    }
    Ok(module)
}

fn put_attr(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    args::unbound(m, a[0])?;
    let module = module(m, a[1])?;
    m.set_attribute(a[0], module, a[2]);
    Ok(true)
}

fn get_attr(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let module = args::atom(m, a[1])?;
    Ok(m.attribute(a[0], module).is_some_and(|value| m.unify(value, a[2])))
}

fn del_attr(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let module = module(m, a[1])?;
    m.remove_attribute(a[0], module);
    Ok(true)
}

fn get_attrs(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if !m.has_attributes(a[0]) {
        return Ok(false);
    }
    let all = m.heap.attributes(a[0]);
    Ok(m.unify(all, a[1]))
}

fn put_attrs(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    args::unbound(m, a[0])?;
    let mut rest = m.heap.deref(a[1]);
    let mut steps = 0;
    while rest != Cell::NIL {
        let Some([name, _, more]) = m.heap.match_struct::<3>(rest, atoms::ATT) else {
            return Err(m.type_error("attributes", rest));
        };
        module(m, name)?;
        rest = m.heap.deref(more);
        steps += 1;
        if steps > m.heap.top() {
            return Err(m.type_error("attributes", a[1]));
        }
    }
    refuse_native(m, a[0])?;
    m.set_attributes(a[0], a[1]);
    Ok(true)
}

fn del_attrs(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if a[0].is_attributed() {
        refuse_native(m, a[0])?;
        m.set_attributes(a[0], Cell::NIL);
    }
    Ok(true)
}

/// All attributes of a variable are about to go: none may be a native module's.
fn refuse_native(m: &mut Machine, variable: Cell) -> OrFault<()> {
    if !variable.is_attributed() {
        return Ok(());
    }
    let native = attributes(&m.heap, variable).find(|(name, _)| m.natives().contains(name));
    match native {
        Some((name, _)) => Err(m.permission_error("modify", "attribute", Cell::atom(name))),
        None => Ok(()),
    }
}

fn term_attvars(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let found = attributed_variables(&m.heap, a[0]);
    Ok(args::unify_list(m, a[1], &found))
}

fn copy_term(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let copy = m.copy_term(w, a[0])?;
    Ok(m.unify(a[1], copy))
}

fn copy_term_nat(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let record = Record::new(&mut m.heap, a[0]);
    m.room_for(record.bytes())?;
    let copy = record.instantiate(&mut m.heap);
    Ok(m.unify(a[1], copy))
}

/// `'$native_goals'(Module, Variables, Goals)`.
fn native_goals(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let module = args::atom(m, a[0])?;
    let variables = m.heap.proper_list(a[1]).unwrap_or_default();
    let number = m.natives().iter().position(|&native| native == module);
    let native = number.and_then(|number| w.native(number as u16));
    let goals = match native {
        Some(native) => (native.goals)(m, w, &m.variables_of(module, &variables))?,
        None => Vec::new(),
    };
    Ok(args::unify_list(m, a[2], &goals))
}

/// `'$hook'(Module, Hook, Arity, Goal)`: the predicate of a module that is the hook, if there is one, as a goal
/// to be called.
fn hook(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (Some(module), Some(name)) = (a[0].as_atom(), a[1].as_atom()) else { return Ok(false) };
    let arity = a[2].as_int().unwrap_or(0) as usize;
    let space = m.program.modules.named(module).filter(|space| space.is_users());
    if !m.program.is_users(name, arity, space.unwrap_or(Space::User)) {
        return Ok(false);
    }
    let goal = m.heap.new_struct(atoms::COLON, &[Cell::atom(module), Cell::atom(name)]);
    Ok(m.unify(a[3], goal))
}

/// `'$residue_mark'(Mark)`: Mark is younger than all that is on the heap, and older than what is to come.
fn residue_mark(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let mark = m.heap.new_struct(atoms::ATT, &[Cell::NIL]);
    Ok(m.unify(a[0], mark))
}

/// `'$residue_since'(Mark, Variables)`: the attributed variables younger than a mark.
fn residue_since(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let found = m.attributed_since(a[0].addr());
    Ok(args::unify_list(m, a[1], &found))
}
