//! Modules of files: `module/2`, what it exports, who imports it, and goals in a module
//! ([`zug_machine::modules`]).
//!
//! The file that a session is about, which was named on the command line, is at home in the user's space: its
//! module is another name for that, so that engines and the prompt find its predicates whether they are
//! exported or not. All other files with `module/2` have a space of their own.

use super::database::indicator_of;
use super::loads::{FileModule, Loading};
use super::{Entry, OrFault, World, args};
use zug_machine::modules::Module;
use zug_machine::{Kind, Machine, Outcome, PredId, Space};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap};

/// This group's predicates.
pub const TABLE: &[Entry] = &[
    Entry::session("module", 2, module),
    Entry::session("export", 1, export),
    Entry::session("import", 1, import),
    Entry::session("meta_predicate", 1, meta_predicate),
    Entry::session("context_module", 1, context_module),
    Entry::pure("strip_module", 3, strip_module),
    Entry::pure("$modules", 1, modules),
    Entry::pure("$goal_places", 2, goal_places),
    Entry::pure("$module_exports", 2, module_exports),
    Entry::pure("$module_base", 2, module_base),
];

/// `module(Name, Exports)`: the file in progress is a module.
fn module(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (name, _) = m.goal_and_space(a[0], Space::User);
    let (list, _) = m.goal_and_space(a[1], Space::User);
    // `module(_, …)`: the file's own name, or none that anybody asks for.
    let name = match m.heap.deref(name) {
        cell if cell.is_var() => nameless(m, w),
        cell => args::atom(m, cell)?,
    };
    let items = args::list(m, list)?;
    let Some(loading) = w.loader.stack.last() else { return Ok(true) };
    let (is_program, file) = (loading.is_program, loading.file);
    let space = match m.program.modules.named(name) {
        _ if is_program => {
            m.program.modules.set_name(name, Space::User);
            Space::User
        }
        Some(space @ (Space::User | Space::Module(_))) => {
            told_twice(m, w, name, file);
            space
        }
        _ => match m.program.new_module(name, Space::User, false, &mut m.symbols) {
            Some(space) => space,
            None => return Err(m.resource_error("modules")),
        },
    };
    if let Some(module) = m.program.modules.get_mut(space) {
        module.exports.clear();
    }
    let outside = (space != Space::User).then(|| w.operators.clone());
    if !is_program {
        // These flags belong to modules.
        let quotes = w.flags.quotes_of_modules();
        w.flags.set_quotes(quotes);
    }
    let told = FileModule { name, space, operators: Vec::new(), exports: Vec::new(), outside };
    let loading = w.loader.stack.last_mut().expect("looked at");
    loading.space = space;
    loading.module = Some(told);
    for item in items {
        export_one(m, w, item)?;
    }
    let told = w.loader.stack.last().and_then(|loading| loading.module.clone());
    if let (Some(told), Some(file)) = (told, file) {
        w.loader.files[file as usize].module = Some(FileModule { outside: None, ..told });
    }
    Ok(true)
}

/// A name for a module that was given none.
fn nameless(m: &mut Machine, w: &World) -> Atom {
    let file = w.loader.current_source().map(|source| source.name.to_string()).unwrap_or_default();
    let stem = std::path::Path::new(&file).file_stem().map(|stem| stem.to_string_lossy());
    m.symbols.intern(stem.as_deref().unwrap_or("module"))
}

/// Says that another file is the module of this name.
fn told_twice(m: &Machine, w: &mut World, name: Atom, file: Option<u32>) {
    let other = (0..).zip(&w.loader.files).find(|(number, known)| {
        Some(*number) != file && known.module.as_ref().is_some_and(|module| module.name == name)
    });
    let Some(other) = other.map(|(_, known)| known.path.display().to_string()) else { return };
    let message = format!("`{other}` is the module `{}` too", m.symbols.name(name));
    say(w, "W0410", message, Some("give one of them another name".to_owned()));
}

/// The address of the arguments of an item `op(P, T, N)`.
fn is_operator(m: &Machine, item: Cell) -> Option<usize> {
    let (name, 3, args) = m.heap.name_arity(item)? else { return None };
    (m.symbols.name(name) == "op").then_some(args)
}

/// An item of a list of exports: a predicate or an operator.
fn export_one(m: &mut Machine, w: &mut World, item: Cell) -> OrFault<()> {
    if let Some(args) = is_operator(m, item) {
        let parts: Vec<Cell> = (0..3).map(|i| m.heap.deref(m.heap.at(args + i))).collect();
        super::ops::op(m, w, &parts)?;
        let defined = super::ops::described(m, &parts)?;
        if let Some(told) = w.loader.stack.last_mut().and_then(|loading| loading.module.as_mut()) {
            told.operators.extend(defined);
        }
        return Ok(());
    }
    let (name, arity) = indicator_of(m, item)?;
    let Some(told) = w.loader.stack.last_mut().and_then(|loading| loading.module.as_mut()) else {
        return Ok(());
    };
    let exports = match m.program.modules.get_mut(told.space) {
        Some(module) => &mut module.exports,
        None => &mut told.exports,
    };
    if !exports.contains(&(name, arity)) {
        exports.push((name, arity));
    }
    Ok(())
}

/// `export(PI)`: one, a list, or joined by commas.
fn export(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let around = here(w);
    for (item, space) in listed(m, a[0], around) {
        let (name, arity) = indicator_of(m, item)?;
        if let Some(module) = m.program.modules.get_mut(space)
            && !module.exports.contains(&(name, arity))
        {
            module.exports.push((name, arity));
        }
    }
    Ok(true)
}

/// `import(Module:PI)`: one, a list, or joined by commas.
fn import(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let into = here(w);
    for (item, from) in listed(m, a[0], into) {
        let (name, arity) = indicator_of(m, item)?;
        let pred = m.program.pred(name, arity, from);
        import_one(m, w, (name, into), pred);
    }
    Ok(true)
}

/// Items that stand in lists or are joined by commas, with the modules before them.
fn listed(m: &mut Machine, spec: Cell, around: Space) -> Vec<(Cell, Space)> {
    /// More than any file has.
    const MOST: usize = 1 << 16;
    let (mut found, mut todo) = (Vec::new(), vec![(spec, around)]);
    while let Some((spec, around)) = todo.pop() {
        let (spec, space) = m.goal_and_space(spec, around);
        if found.len() + todo.len() > MOST {
            break;
        }
        if let Some(parts) = m.heap.match_struct::<2>(spec, atoms::COMMA) {
            todo.extend(parts.into_iter().rev().map(|part| (part, space)));
        } else if spec.is_list() {
            todo.extend([1, 0].map(|i| (m.heap.at(spec.addr() + i), space)));
        } else if spec != Cell::NIL {
            found.push((spec, space));
        }
    }
    found
}

/// The space that the load in progress is in; without one the user's.
pub(super) fn here(w: &World) -> Space {
    w.loader.stack.last().map_or(Space::User, |loading| loading.space)
}

/// Imports what a library is asked for under other names.
pub(super) fn rename_library(m: &mut Machine, w: &mut World, into: Space, imports: &Imports) {
    let (Imports::Only(renamed) | Imports::Except(_, renamed)) = imports else { return };
    for &((name, arity), known_as) in renamed.iter().filter(|((name, _), other)| name != other) {
        if let Some(pred) = m.program.find(name, arity, Space::System) {
            import_one(m, w, (known_as, into), pred);
        }
    }
}

/// Which of a module's exports somebody asks for.
pub(super) enum Imports {
    All,
    /// Those that stand there: name and arity, and the name they get.
    Only(Vec<((Atom, usize), Atom)>),
    /// All but some, with other names for some.
    Except(Vec<(Atom, usize)>, Vec<((Atom, usize), Atom)>),
}

/// Reads the second argument of `use_module/2` and `reexport/2`.
pub(super) fn imports(m: &mut Machine, spec: Cell) -> OrFault<Imports> {
    let (spec, _) = m.goal_and_space(spec, Space::User);
    if spec == Cell::atom(m.symbols.intern("all")) {
        return Ok(Imports::All);
    }
    if let Some((name, 1, at)) = m.heap.name_arity(spec)
        && m.symbols.name(name) == "except"
    {
        let items = args::list(m, m.heap.at(at))?;
        let (mut left_out, mut renamed) = (Vec::new(), Vec::new());
        for item in items {
            match import_item(m, item)? {
                (known, Some(name)) => renamed.push((known, name)),
                (known, None) => left_out.push(known),
            }
        }
        return Ok(Imports::Except(left_out, renamed));
    }
    let items = args::list(m, spec)?;
    let mut only = Vec::new();
    for item in items {
        // Operators come with the module.
        if is_operator(m, item).is_some() {
            continue;
        }
        let (known, name) = import_item(m, item)?;
        only.push((known, name.unwrap_or(known.0)));
    }
    Ok(Imports::Only(only))
}

/// `Name/Arity`, or `Name/Arity as Other`.
fn import_item(m: &mut Machine, item: Cell) -> OrFault<((Atom, usize), Option<Atom>)> {
    let renamed = m.symbols.intern("as");
    if let Some([item, name]) = m.heap.match_struct::<2>(item, renamed) {
        return Ok((indicator_of(m, item)?, Some(args::atom(m, name)?)));
    }
    Ok((indicator_of(m, item)?, None))
}

/// Imports what a file's module exports; exports it again if that is asked for.
pub(super) fn import_file(
    m: &mut Machine,
    w: &mut World,
    file: usize,
    into: Space,
    (imports, again): (&Imports, bool),
) -> OrFault<()> {
    let Some(told) = w.loader.files[file].module.clone() else { return Ok(()) };
    for &(priority, kind, name) in &told.operators {
        // What can't be one was said where it stands.
        let _ = w.operators.define(priority, kind, name);
    }
    let exports = match m.program.modules.get(told.space) {
        Some(module) => module.exports.clone(),
        None => told.exports.clone(),
    };
    let asked = asked_for(m, w, &told, &exports, imports);
    for ((name, arity), known_as) in asked {
        let pred = m.program.pred(name, arity, told.space);
        // What it got from elsewhere itself is that one's.
        let stays = m.program.preds[pred as usize].space == told.space;
        let pred = if stays { pred } else { m.program.resolve(pred) };
        if told.space != into {
            import_one(m, w, (known_as, into), pred);
        }
        if again && let Some(module) = m.program.modules.get_mut(into) {
            module.exports.push((known_as, arity));
        }
    }
    if again && let Some(own) = w.loader.stack.last_mut().and_then(|load| load.module.as_mut()) {
        own.operators.extend(told.operators);
    }
    Ok(())
}

/// The exports that are asked for, with the names that they get; what is none is said.
fn asked_for(
    m: &Machine,
    w: &mut World,
    told: &FileModule,
    exports: &[(Atom, usize)],
    imports: &Imports,
) -> Vec<((Atom, usize), Atom)> {
    match imports {
        Imports::All => exports.iter().map(|&known| (known, known.0)).collect(),
        Imports::Except(left_out, renamed) => exports
            .iter()
            .filter(|known| !left_out.contains(known))
            .map(|&known| {
                let name = renamed.iter().find(|(old, _)| *old == known).map(|&(_, name)| name);
                (known, name.unwrap_or(known.0))
            })
            .collect(),
        Imports::Only(only) => {
            // What is given another name need not be exported, as long as it is there.
            let is_there = |(name, arity): (Atom, usize)| {
                let own = m.program.find(name, arity, told.space);
                own.is_some_and(|own| m.program.preds[own as usize].kind != Kind::Undefined)
            };
            let missing = only.iter().filter(|&&(known, known_as)| {
                !exports.contains(&known) && (known.0 == known_as || !is_there(known))
            });
            for &((name, arity), _) in missing {
                let module = m.symbols.name(told.name);
                let indicator = format!("{}/{arity}", m.symbols.name(name));
                let message = format!("the module `{module}` does not export `{indicator}`");
                let hint = format!("add `{indicator}` to the list in its `module/2`");
                say(w, "W0411", message, Some(hint));
            }
            only.clone()
        }
    }
}

/// A warning at the directive that is run.
pub(super) fn say(w: &mut World, code: &'static str, message: String, hint: Option<String>) {
    let Some(loading) = w.loader.stack.last() else { return };
    let source = &w.loader.sources[loading.source as usize];
    let finding = Diagnostic::warning(code, message).at(source, loading.term, "");
    w.loader.diagnostics.push(Diagnostic { hint, ..finding });
}

/// Imports a predicate, unless the space has one of its own, or another one's, under that name.
pub(super) fn import_one(
    m: &mut Machine,
    w: &mut World,
    (name, into): (Atom, Space),
    pred: PredId,
) {
    let arity = m.program.preds[pred as usize].arity;
    let known = m.program.lookup(name, arity, into).filter(|&known| known != pred);
    if let Some(known) = known {
        let predicate = &m.program.preds[known as usize];
        let (defined, own) = (predicate.kind != Kind::Undefined, predicate.space == into);
        if own && defined {
            return;
        }
        if !own && defined {
            let (one, other) = [known, pred].map(|id| m.program.indicator(id, &m.symbols)).into();
            let message = format!("`{other}` is not imported: there is `{one}` already");
            let hint =
                "name the predicates that are wanted in `use_module/2`, or rename one with `as`";
            say(w, "W0412", message, Some(hint.to_owned()));
            return;
        }
    }
    m.program.import(name, into, pred);
}

/// Says that a definition takes the place of an imported predicate.
pub(super) fn hides(m: &Machine, w: &mut World, source: &Source, span: Span, imported: PredId) {
    let from = m.program.indicator(imported, &m.symbols);
    let message = format!("this takes the place of `{from}`, which was imported");
    let hint = "leave it out of the import by `use_module/2`, or give one of them another name";
    let finding = Diagnostic::warning("W0412", message).at(source, span, "").hint(hint);
    w.loader.diagnostics.push(finding);
}

/// `meta_predicate(Head)`: which arguments are goals; one, a list, or joined by commas.
fn meta_predicate(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let around = here(w);
    for (head, space) in listed(m, a[0], around) {
        let (name, arity, at) = args::callable(m, head)?;
        let mut positions = Vec::new();
        for place in 0..arity {
            let mode = m.heap.deref(m.heap.at(at + place));
            let more = match (mode.as_int(), mode.as_atom().map(|mode| m.symbols.name(mode))) {
                (Some(more @ 0..=9), _) => Some(more as usize),
                (_, Some("^")) => Some(0),
                (_, Some("//")) => Some(2),
                _ => None,
            };
            positions.extend(more.map(|more| (place, more)));
        }
        let pred = m.program.own(name, arity, space).pred;
        m.program.declare_meta(pred, positions.into());
    }
    Ok(true)
}

/// `'$goal_places'(Goal, Places)`: `goal` for each argument of a goal that is called as it stands, `term` for the
/// others; fails where there are no goals.
fn goal_places(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (goal, space) = m.goal_and_space(a[0], here(w));
    let Some((name, arity, _)) = m.heap.name_arity(goal) else { return Ok(false) };
    let pred = m.program.find(name, arity, space);
    let declared = pred.and_then(|pred| m.program.declared_meta(pred));
    let known = declared.map(|positions| &**positions);
    let known = known.or_else(|| zug_machine::goal_arguments(m.symbols.name(name), arity));
    let Some(known) = known.filter(|known| known.iter().any(|(_, more)| *more == 0)) else {
        return Ok(false);
    };
    let known = known.to_vec();
    let places = (0..arity).map(|place| {
        let is_goal = known.contains(&(place, 0));
        args::atom_cell(m, if is_goal { "goal" } else { "term" })
    });
    let places: Vec<Cell> = places.collect();
    Ok(args::unify_list(m, a[1], &places))
}

/// `context_module(M)`: the module that the goal stands in.
fn context_module(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let around = here(w);
    let (variable, space) = m.goal_and_space(a[0], around);
    let name = m.program.modules.name_of(space);
    Ok(m.unify(variable, Cell::atom(name)))
}

/// `strip_module(Term, Module, Plain)`.
fn strip_module(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (mut plain, mut module) = (m.heap.deref(a[0]), Cell::atom(atoms::USER));
    for _ in 0..zug_machine::MODULES {
        let Some([named, inner]) = m.heap.match_struct::<2>(plain, atoms::COLON) else { break };
        let named = m.heap.deref(named);
        if !named.is_atom() {
            break;
        }
        (plain, module) = (m.heap.deref(inner), named);
    }
    Ok(m.unify(a[1], module) && m.unify(a[2], plain))
}

/// `'$modules'(Names)`.
fn modules(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let mut names: Vec<Cell> = [atoms::USER, atoms::SYSTEM].map(Cell::atom).into();
    names.extend(m.program.modules.all().iter().map(|module| Cell::atom(module.name)));
    Ok(args::unify_list(m, a[0], &names))
}

/// The module that an argument names.
fn named(m: &Machine, cell: Cell) -> Option<&Module> {
    let name = m.heap.deref(cell).as_atom()?;
    m.program.modules.get(m.program.modules.named(name)?)
}

/// `'$module_exports'(Module, List)`.
fn module_exports(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let Some(exports) = named(m, a[0]).map(|module| module.exports.clone()) else {
        return Ok(false);
    };
    let exports =
        exports.into_iter().map(|(name, arity)| super::database::indicator(m, name, arity));
    let cells: Vec<Cell> = exports.collect();
    Ok(args::unify_list(m, a[1], &cells))
}

/// `'$module_base'(Module, Base)`: where predicates are looked for that a module has not.
fn module_base(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let base = match m.heap.deref(a[0]).as_atom() {
        Some(atoms::USER) => Space::System,
        _ => match named(m, a[0]) {
            Some(module) => module.base,
            None => return Ok(false),
        },
    };
    let name = m.program.modules.name_of(base);
    Ok(m.unify(a[1], Cell::atom(name)))
}

/// A directive as the module means it that is loaded.
pub(super) fn directive(m: &Machine, w: &World, heap: &mut Heap, goal: Cell) -> Cell {
    let space = here(w);
    let Some(module) = m.program.modules.get(space) else { return goal };
    // What is about the load itself needs no module, and makes a better message without.
    let own = heap.name_arity(goal).is_some_and(|(name, ..)| {
        args::is_among("begin_tests end_tests module op set_prolog_flag", m.symbols.name(name))
    });
    if own { goal } else { heap.new_struct(atoms::COLON, &[Cell::atom(module.name), goal]) }
}

/// The head of a clause without modules before it, and the space that it belongs to.
pub(super) fn head_and_space(
    m: &mut Machine,
    heap: &Heap,
    head: Cell,
    around: Space,
) -> (Cell, Space) {
    let (mut head, mut space) = (heap.deref(head), around);
    for _ in 0..zug_machine::MODULES {
        let Some([module, inner]) = heap.match_struct::<2>(head, atoms::COLON) else { break };
        let Some(name) = heap.deref(module).as_atom() else { break };
        match m.program.module(name, &mut m.symbols) {
            // Nobody adds to the system.
            Some(Space::System) | None => {}
            Some(named) => space = named,
        }
        head = heap.deref(inner);
    }
    (head, space)
}

/// A clause `:-(Head, Body)` of a space, read in another one or the same, with its body as the place means it where it was
/// read; goals that move take their places along.
pub(super) fn clause_body(
    m: &Machine,
    heap: &mut Heap,
    clause: Cell,
    (read_in, of): (Space, Space),
    spans: &mut Vec<(usize, Span)>,
) -> Cell {
    if read_in == of && !m.program.qualifies(of) {
        return clause;
    }
    let [head, body] = [1, 2].map(|i| heap.deref(heap.at(clause.addr() + i)));
    let (body, mut moved) = if read_in == of {
        m.program.qualified_body(heap, body, read_in)
    } else {
        m.program.called_body(heap, body, read_in)
    };
    let new = heap.new_struct(atoms::NECK, &[head, body]);
    moved.extend([1, 2].map(|i| (clause.addr() + i, new.addr() + i)));
    for (from, to) in moved {
        if let Ok(at) = spans.binary_search_by_key(&from, |entry| entry.0) {
            let span = spans[at].1;
            spans.push((to, span));
        }
    }
    spans.sort_unstable_by_key(|entry| entry.0);
    new
}

/// The end of a file: operators of its own go, those that it exports stay.
pub(super) fn finished(w: &mut World, loading: &Loading) {
    let Some(told) = &loading.module else { return };
    let Some(outside) = &told.outside else { return };
    w.operators = outside.clone();
}
