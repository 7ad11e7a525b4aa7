//! Directives that change how the clauses behind them are read: operators, of a text itself, of
//! libraries, and of the files that it loads.

use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use zug_prolog::builtins::{libraries, loader};
use zug_syntax::{OpKind, Operators, ReadOptions, Reader};
use zug_term::source::Source;
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap, Value};
use zug_tools::language::EXTENSIONS;

/// The files that a text may load.
pub trait Files {
    /// Where a file is that a text names; relative to the file `from` that names it, or to the text
    /// itself.
    fn find(&self, from: Option<&Path>, name: &str) -> Option<PathBuf>;
    /// What stands in a file.
    fn text(&self, path: &Path) -> Option<Source>;
}

/// No files.
pub struct NoFiles;

impl Files for NoFiles {
    fn find(&self, _: Option<&Path>, _: &str) -> Option<PathBuf> {
        None
    }

    fn text(&self, _: &Path) -> Option<Source> {
        None
    }
}

/// Files on disk, seen from a folder.
pub struct Folder(pub PathBuf);

impl Files for Folder {
    fn find(&self, from: Option<&Path>, name: &str) -> Option<PathBuf> {
        let folder = from.and_then(Path::parent).unwrap_or(&self.0);
        loader::named(folder.join(name)).into_iter().find(|path| path.is_file())
    }

    fn text(&self, path: &Path) -> Option<Source> {
        let bytes = zug_files::Access::FREE.read(path).ok()?;
        let (text, _) = zug_syntax::decode(&bytes);
        Some(Source::new(&path.to_string_lossy(), &text))
    }
}

/// A file that a directive loads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Loaded {
    /// `library(Name)`
    Library(String),
    /// A file.
    File(String),
}

/// Files that are looked into for operators, from one text.
const MOST_FILES: usize = 256;

/// Follows the directives of a text and of the files that it loads.
pub struct Directives<'f> {
    files: &'f dyn Files,
    seen: FxHashSet<PathBuf>,
}

impl<'f> Directives<'f> {
    /// The beginning of a text.
    pub fn new(files: &'f dyn Files) -> Directives<'f> {
        Directives { files, seen: FxHashSet::default() }
    }

    /// What a clause changes, if it is a directive.
    pub fn follow(
        &mut self,
        heap: &Heap,
        symbols: &mut Symbols,
        operators: &mut Operators,
        clause: Cell,
    ) {
        let mut waiting = operators_and_files(heap, symbols, operators, clause, None);
        while let Some((from, name)) = waiting.pop() {
            let Some(path) = self.files.find(from.as_deref(), &name) else { continue };
            if self.seen.len() >= MOST_FILES || !self.seen.insert(path.clone()) {
                continue;
            }
            let Some(source) = self.files.text(&path) else { continue };
            let mut reader = Reader::new(source);
            loop {
                let mut heap = Heap::new();
                let options = ReadOptions::default();
                let read = reader.next(&mut heap, symbols, operators, &options);
                let Ok(term) = read else { continue };
                let Some(term) = term else { break };
                let more =
                    operators_and_files(&heap, symbols, operators, term.root, Some(path.clone()));
                waiting.extend(more);
            }
        }
    }
}

/// Makes the operators of a directive, and says which files it loads.
fn operators_and_files(
    heap: &Heap,
    symbols: &mut Symbols,
    operators: &mut Operators,
    clause: Cell,
    from: Option<PathBuf>,
) -> Vec<(Option<PathBuf>, String)> {
    let mut found = Vec::new();
    for goal in goals_of_directive(heap, symbols, clause) {
        for item in exported_items(heap, symbols, goal).into_iter().chain([goal]) {
            if let Some((name, 3, args)) = heap.name_arity(item)
                && symbols.name(name) == "op"
            {
                define(heap, symbols, operators, args);
            }
        }
        for loaded in loaded_by(heap, symbols, goal) {
            match loaded {
                Loaded::Library(name) => of_library(symbols, operators, &name),
                Loaded::File(name) => found.push((from.clone(), name)),
            }
        }
    }
    found
}

/// The goals of a directive; none if the clause is no directive.
pub fn goals_of_directive(heap: &Heap, symbols: &Symbols, clause: Cell) -> Vec<Cell> {
    let Some((name, 1, args)) = heap.name_arity(clause) else { return Vec::new() };
    if symbols.name(name) != ":-" {
        return Vec::new();
    }
    let (mut goals, mut rest) = (Vec::new(), heap.deref(heap.at(args)));
    while let Some([goal, others]) = heap.match_struct::<2>(rest, atoms::COMMA) {
        goals.push(heap.deref(goal));
        rest = heap.deref(others);
    }
    goals.push(rest);
    goals
}

/// The items of `module(Name, Items)`.
pub fn exported_items(heap: &Heap, symbols: &Symbols, goal: Cell) -> Vec<Cell> {
    match heap.name_arity(goal) {
        Some((name, 2, args)) if symbols.name(name) == "module" => {
            heap.proper_list(heap.at(args + 1)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// The text of an atom or a string.
pub fn text_of(heap: &Heap, symbols: &Symbols, cell: Cell) -> Option<String> {
    match heap.value(cell) {
        Value::Atom(name) => Some(symbols.name(name).to_owned()),
        Value::Str(text) => Some(text.to_owned()),
        _ => None,
    }
}

/// What a goal loads.
pub fn loaded_by(heap: &Heap, symbols: &Symbols, goal: Cell) -> Vec<Loaded> {
    if heap.is_list(goal) && goal != Cell::NIL {
        return specs(heap, symbols, goal);
    }
    let Some((name, arity, args)) = heap.name_arity(goal) else { return Vec::new() };
    let loads = matches!(
        symbols.name(name),
        "use_module" | "reexport" | "consult" | "ensure_loaded" | "include" | "load_files"
    );
    if loads && (1..=2).contains(&arity) { specs(heap, symbols, heap.at(args)) } else { Vec::new() }
}

/// The files of a specification, which may be a list of them.
fn specs(heap: &Heap, symbols: &Symbols, spec: Cell) -> Vec<Loaded> {
    let spec = heap.deref(spec);
    let one = |spec: Cell| {
        let spec = heap.deref(spec);
        if let Some(name) = text_of(heap, symbols, spec) {
            return Some(Loaded::File(name));
        }
        match heap.name_arity(spec)? {
            (name, 1, args) if symbols.name(name) == "library" => {
                Some(Loaded::Library(path_of(heap, symbols, heap.at(args))?))
            }
            _ => None,
        }
    };
    match heap.proper_list(spec) {
        Some(items) if spec != Cell::NIL => items.into_iter().filter_map(one).collect(),
        _ => one(spec).into_iter().collect(),
    }
}

/// A name, or names with slashes between them.
fn path_of(heap: &Heap, symbols: &Symbols, cell: Cell) -> Option<String> {
    let (mut parts, mut rest) = (Vec::new(), heap.deref(cell));
    while let Some((name, 2, args)) = heap.name_arity(rest) {
        if symbols.name(name) != "/" {
            return None;
        }
        parts.push(text_of(heap, symbols, heap.at(args + 1))?);
        rest = heap.deref(heap.at(args));
    }
    parts.push(text_of(heap, symbols, rest)?);
    parts.reverse();
    Some(parts.join("/"))
}

/// `op(Priority, Kind, Names)`; what makes no sense changes nothing.
fn define(heap: &Heap, symbols: &mut Symbols, operators: &mut Operators, args: usize) {
    let at = |i| heap.deref(heap.at(args + i));
    let kind = at(1).as_atom().and_then(|kind| OpKind::from_name(symbols.name(kind)));
    let (Some(priority), Some(kind)) = (at(0).as_int(), kind) else { return };
    let names = match heap.proper_list(at(2)) {
        Some(names) if at(2) != Cell::NIL => names,
        _ => vec![at(2)],
    };
    for name in names {
        let mut name = heap.deref(name);
        if let Some((functor, 2, args)) = heap.name_arity(name)
            && symbols.name(functor) == ":"
        {
            name = heap.deref(heap.at(args + 1));
        }
        if let Some(name) = name.as_atom() {
            let _ = operators.define(priority, kind, name);
        }
    }
}

fn of_library(symbols: &mut Symbols, operators: &mut Operators, library: &str) {
    let added = EXTENSIONS.iter().flat_map(|extension| extension.libraries);
    let added = added.filter(|known| known.name == library).flat_map(|known| known.operators);
    let added = added
        .filter_map(|&(priority, kind, name)| Some((priority, OpKind::from_name(kind)?, name)));
    for (priority, kind, name) in added.chain(libraries::operators_of(library)) {
        let name = symbols.intern(name);
        let _ = operators.define(priority, kind, name);
    }
}
