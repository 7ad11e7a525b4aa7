//! Tests as the loader meets them: `begin_tests`, `end_tests`, and the clauses between.

use super::{Test, Unit, options};
use crate::builtins::loads::Loading;
use crate::builtins::{OrFault, World, args, definitions, modules};
use std::sync::Arc;
use zug_machine::{ClauseId, Kind, Machine, Outcome, PredId, Space};
use zug_syntax::ReadTerm;
use zug_syntax::printer::{WriteOptions, letter, term_to_string};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap, Record, variables};

/// `begin_tests(Unit)`, `begin_tests(Unit, Options)`: clauses from here on are the unit's.
pub fn begin(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let name = args::atom(m, a[0])?;
    let list = a.get(1).map_or(Cell::NIL, |&options| m.heap.deref(options));
    let problem = options::of_unit(m, list);
    let options = Record::new(&mut m.heap, list);
    let Some(loading) = w.loader.stack.last() else {
        let indicator = crate::builtins::database::indicator(m, name, 0);
        return Err(m.permission_error("begin", "unit_outside_a_file", indicator));
    };
    let (load, file) = (loading.number, loading.file);
    let place = (w.loader.sources[loading.source as usize].clone(), loading.term);
    if let Some((open, opened)) = loading.unit.clone() {
        let shown = quoted(m, w, open);
        let finding = Diagnostic::warning("W0404", format!("the unit `{shown}` is still open"))
            .at(&place.0, place.1, "here another begins")
            .also(&opened.0, opened.1, "it begins here")
            .hint(format!("end it with `:- end_tests({shown}).` before"));
        w.loader.diagnostics.push(finding);
        closed(w);
    }
    if let Some(problem) = &problem {
        let message = format!("{problem}: the tests of this unit are not run");
        let finding = Diagnostic::warning("W0406", message).at(&place.0, place.1, "");
        w.loader.diagnostics.push(finding);
    }
    let space = space_of(m, name, modules::here(w))?;
    let known = w.tests.units.iter().position(|unit| unit.name == name);
    match known {
        Some(at) if w.tests.units[at].load == load => {
            w.tests.units[at].options = options;
            w.tests.units[at].problem = problem;
        }
        _ => {
            if let Some(at) = known {
                // Another file's, or what was typed before.
                w.tests.units.remove(at);
                definitions::forget_space(m, space);
            }
            let unit = Unit {
                name,
                space,
                options,
                problem,
                file,
                quotes: w.flags.quotes_of_modules(),
                load,
                place: place.clone(),
                tests: Vec::new(),
            };
            w.tests.units.push(unit);
        }
    }
    let unit = w.tests.units.iter().find(|unit| unit.name == name);
    let quotes = unit.map_or_else(|| w.flags.quotes_of_modules(), |unit| unit.quotes);
    let loading = w.loader.stack.last_mut().expect("looked at above");
    loading.outer = (std::mem::replace(&mut loading.space, space), w.flags.quotes());
    loading.unit = Some((name, place));
    loading.plunit = true;
    w.flags.set_quotes(quotes);
    Ok(true)
}

/// `end_tests(Unit)`: clauses from here on are the file's again.
pub fn end(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let name = m.heap.deref(a[0]);
    let said = shown(&m.heap, m, w, name);
    let Some(loading) = w.loader.stack.last() else {
        return Err(m.existence_error("open_unit", name));
    };
    let place = (w.loader.sources[loading.source as usize].clone(), loading.term);
    match loading.unit.clone() {
        None => {
            let message = format!("there is no open unit `{said}` to end");
            let finding = Diagnostic::warning("W0404", message)
                .at(&place.0, place.1, "")
                .hint(format!("its tests begin with `:- begin_tests({said}).`"));
            w.loader.diagnostics.push(finding);
        }
        Some((open, opened)) if name.as_atom() != Some(open) => {
            let open = quoted(m, w, open);
            let message = format!("this ends the unit `{said}`, but `{open}` is open");
            let finding = Diagnostic::warning("W0404", message)
                .at(&place.0, place.1, "")
                .also(&opened.0, opened.1, "the open unit begins here")
                .hint(format!("write `:- end_tests({open}).`"));
            w.loader.diagnostics.push(finding);
        }
        Some(_) => {}
    }
    closed(w);
    Ok(true)
}

/// The space of a unit over that of its file, made if need be.
fn space_of(m: &mut Machine, name: Atom, file: Space) -> OrFault<Space> {
    let module = format!("plunit_{}", m.symbols.name(name));
    let module = m.symbols.intern(&module);
    if let Some(known) = m.program.modules.named(module) {
        if let Some(module) = m.program.modules.get_mut(known) {
            (module.base, module.is_unit) = (file, true);
        }
        return Ok(known);
    }
    m.program
        .new_module(module, file, true, &mut m.symbols)
        .ok_or_else(|| m.resource_error("units_of_tests"))
}

/// Ends the open unit, if there is one.
fn closed(w: &mut World) {
    let Some(loading) = w.loader.stack.last_mut() else { return };
    let Some((name, _)) = loading.unit.take() else { return };
    let (space, quotes) = loading.outer;
    loading.space = space;
    if let Some(unit) = w.tests.units.iter_mut().find(|unit| unit.name == name) {
        unit.quotes = w.flags.quotes();
    }
    w.flags.set_quotes(quotes);
}

/// At the end of a text: what was left open, and tests that stand outside.
pub fn unfinished(m: &Machine, w: &mut World) {
    let Some(loading) = w.loader.stack.last() else { return };
    let stray = loading.stray.clone().filter(|_| loading.plunit);
    if let Some((open, (source, span))) = loading.unit.clone() {
        let open = quoted(m, w, open);
        let message = format!("the unit `{open}` has no end");
        let finding = Diagnostic::warning("W0404", message)
            .at(&source, span, "it begins here")
            .hint(format!("write `:- end_tests({open}).` behind its last test"));
        w.loader.diagnostics.push(finding);
    }
    if let Some((source, span)) = stray {
        let finding = Diagnostic::warning("W0405", "this test stands in no unit and is not run")
            .at(&source, span, "")
            .hint("put it between `:- begin_tests(name).` and `:- end_tests(name).`");
        w.loader.diagnostics.push(finding);
    }
    closed(w);
}

/// Notes a clause outside of units that looks like a test.
pub fn stray(
    loading: &mut Loading,
    m: &Machine,
    (name, arity): (Atom, usize),
    (source, span): (&Source, Span),
) {
    let looks = matches!(arity, 1 | 2) && m.symbols.name(name) == "test";
    if looks && loading.unit.is_none() && loading.stray.is_none() {
        loading.stray = Some((source.clone(), span));
    }
}

/// Forgets the units of a file that is loaded again.
pub fn removed(w: &mut World, file: u32) {
    w.tests.units.retain(|unit| unit.file != Some(file));
}

/// A clause `test(Name, Options) :- Body` in the open unit: its head becomes that of a
/// predicate of its own. `None`: it is no test. `Some(None)`: it can't be one; that was said.
pub fn test_head(
    m: &mut Machine,
    w: &mut World,
    source: &Source,
    heap: &mut Heap,
    (root, whole, head): (Cell, Cell, Cell),
    term: &ReadTerm,
) -> Option<Option<NewTest>> {
    let loading = w.loader.stack.last()?;
    loading.unit.as_ref()?;
    let space = loading.space;
    let (name, arity, args) = heap.name_arity(head)?;
    if !matches!(arity, 1 | 2) || m.symbols.name(name) != "test" {
        return None;
    }
    let text = shown(heap, m, w, heap.at(args));
    if heap.match_struct::<2>(root, atoms::NECK).is_none() {
        let finding = Diagnostic::warning("W0406", format!("the test `{text}` has no body"))
            .at(source, term.span, "")
            .hint("write `:- true` behind the head if it has nothing to do");
        w.loader.diagnostics.push(finding);
        return Some(None);
    }
    let head_span = term.span_of(whole.addr() + 1).unwrap_or(term.span);
    let list = (arity == 2).then(|| (heap.at(args + 1), args + 1));
    let (mut spans, mut problem) = (Vec::new(), None);
    if let Some((list, slot)) = list {
        let whole = term.span_of(slot).unwrap_or(head_span);
        for (option, slot) in options::elements(heap, list, slot) {
            let span = slot.and_then(|slot| term.span_of(slot)).unwrap_or(whole);
            spans.push(span);
            if problem.is_none() {
                problem = options::of_test(m, heap, option).map(|words| (words, span));
            }
        }
        if problem.is_none() {
            problem = options::together(m, heap, list).map(|words| (words, whole));
        }
    }
    if let Some((words, span)) = &problem {
        let message = format!("{words}: the test `{text}` can't be run");
        let finding = Diagnostic::warning("W0406", message).at(source, *span, "");
        w.loader.diagnostics.push(finding);
    }
    let line = source.position(term.span.start).line;
    let own = free_name(m, &text, arity, (space, line));
    heap.set(head.addr(), Cell::functor(own, arity));
    Some(Some(NewTest {
        name: own,
        test: Test {
            pred: 0,
            clause: 0,
            source: source.clone(),
            span: term.span,
            head: head_span,
            options: spans,
            problem,
        },
    }))
}

/// A name for the predicate of a test that no other test of the unit has.
fn free_name(m: &mut Machine, text: &str, arity: usize, (space, line): (Space, u32)) -> Atom {
    let mut tried = format!("test {text}");
    for next in 2.. {
        let name = m.symbols.intern(&tried);
        let taken = m.program.lookup(name, arity, space);
        if taken.is_none_or(|id| m.program.preds[id as usize].kind == Kind::Undefined) {
            return name;
        }
        tried = match next {
            2 => format!("test {text} at line {line}"),
            _ => format!("test {text} at line {line}, {}", next - 1),
        };
    }
    unreachable!("some name is free")
}

/// A test whose clause is about to be added.
pub struct NewTest {
    /// The name of its predicate.
    pub name: Atom,
    /// The test, but for predicate and clause.
    test: Test,
}

impl NewTest {
    /// Keeps the test with its clause.
    pub fn added(self, w: &mut World, pred: PredId, clause: ClauseId) {
        let open = w.loader.stack.last().and_then(|loading| loading.unit.as_ref());
        let Some(&(name, _)) = open else { return };
        if let Some(unit) = w.tests.units.iter_mut().find(|unit| unit.name == name) {
            unit.tests.push(Test { pred, clause, ..self.test });
        }
    }
}

/// A name as the rules would write it.
fn quoted(m: &Machine, w: &World, name: Atom) -> String {
    shown(&m.heap, m, w, Cell::atom(name))
}

/// A term as the rules would write it, cut short.
pub fn shown(heap: &Heap, m: &Machine, w: &World, cell: Cell) -> String {
    // Variables by letters, for their numbers mean nothing to anybody.
    let names: Vec<(Arc<str>, Cell)> =
        (0..LETTERS).map(|n| format!("_{}", letter(n)).into()).zip(variables(heap, cell)).collect();
    let options = WriteOptions { priority: 999, variable_names: &names, ..WriteOptions::writeq() };
    let text = term_to_string(heap, &m.symbols, &w.operators, cell, &options);
    shortened(text)
}

/// Variables of a term that are given letters.
const LETTERS: usize = 260;

/// Characters of a term shown in a message.
const SHOWN: usize = 300;

/// A text of at most some hundred characters.
pub fn shortened(text: String) -> String {
    args::shortened(text, SHOWN)
}
