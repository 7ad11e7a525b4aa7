//! Loading rule files: clauses into the program, directives run as they come.
//!
//! Faults never stop a load: each becomes a [`Diagnostic`] and reading goes on
//! with the next clause. Loading a file again replaces what it defined before. What
//! a function here raises is `halt` or a stop; a file that can't be read is an I/O error.

use super::database::new_clause;
use super::loads::{FileQuery, LoadedFile, LoadedTerm, Loading};
use super::{
    OrFault, World, clause_places, conditional, dcg, definitions, expansion, expectations,
    messages, modules, other_languages, rules, suggest, unit_tests,
};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;
use zug_files::{Access, MOST_BYTES};
use zug_machine::instr::Instr;
use zug_machine::{ClauseSource, Fault, Kind, Machine, Neck, Space, compile};
use zug_syntax::{ReadLimit, ReadTerm, Reader};
use zug_term::diagnostic::{Diagnostic, Severity};
use zug_term::source::{Source, Span};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap, Record};

/// The endings that rule files have.
const ENDINGS: [&str; 2] = [".pl", ".prolog"];

/// The files that a program may mean by a path: as it is, or with an ending of rule files behind it.
pub fn named(direct: PathBuf) -> Vec<PathBuf> {
    let longer = ENDINGS.map(|ending| {
        let mut longer = direct.clone().into_os_string();
        longer.push(ending);
        PathBuf::from(longer)
    });
    std::iter::once(direct).chain(longer).collect()
}

pub use zug_term::source::STDIN;

/// What a name of a source file leads to.
pub enum SourceFile {
    /// A file.
    Found(PathBuf),
    /// Nothing.
    Missing,
    /// A place that the sandbox keeps the rules from.
    Refused,
}

impl World {
    /// As [`World::find_source`], for the rules themselves, which may be in a sandbox.
    pub fn source_file(&self, name: &str) -> SourceFile {
        let found = self.find_source(name);
        // Whether a file is there is not told of places outside.
        match found {
            Some(path) if self.files.allows(&path) => SourceFile::Found(path),
            None if self.source_paths(name).iter().any(|path| self.files.allows(path)) => {
                SourceFile::Missing
            }
            _ => SourceFile::Refused,
        }
    }

    /// The path that a file name means in the load in progress: as it is, or with the ending of a
    /// rule file behind it, relative to the loading file, and if there is none, to the working directory.
    pub fn find_source(&self, name: &str) -> Option<PathBuf> {
        let is_there = |path: &PathBuf| path.is_file() || self.loader.unsaved.get(path).is_some();
        self.source_paths(name).into_iter().find(is_there)
    }

    /// Whether rules may load a file, if it is there.
    pub fn may_load(&self, path: &Path) -> bool {
        self.files.allows(path)
    }

    /// The paths that a file name may mean, by its text, in the order in which they are looked at.
    pub(super) fn source_paths(&self, name: &str) -> Vec<PathBuf> {
        let loading = self.loader.stack.last().and_then(|loading| loading.directory.clone());
        // As it was typed: so messages have it, and so it is known from before.
        let as_typed = self.directory.is_none() && !name.starts_with('~');
        let from_here = if as_typed { PathBuf::from(name) } else { self.path(name) };
        let mut paths = match loading {
            Some(directory) if Path::new(name).is_relative() => named(directory.join(name)),
            _ => Vec::new(),
        };
        let known: Vec<PathBuf> =
            named(from_here).into_iter().filter(|path| !paths.contains(path)).collect();
        paths.extend(known);
        paths
    }
}

/// Loads a file into a space, replacing what it defined before; a module has a space of its own, but for the
/// program of the session.
pub fn load_file(
    m: &mut Machine,
    w: &mut World,
    path: &Path,
    role: FileRole,
) -> OrFault<std::io::Result<()>> {
    // The person who started the process named the program; rules name its parts.
    let access = if role == FileRole::Program { Access::FREE } else { w.files.clone() };
    let text = match read_file(m, w, &access, path)? {
        Ok(text) => text,
        Err(error) => return Ok(Err(error)),
    };
    let modified = access.metadata(path).and_then(|data| data.modified()).ok();
    let known = w.loader.known(path);
    // By whatever name, it is the same file.
    let path = known.map_or(path.to_owned(), |at| w.loader.files[at].path.clone());
    let path = path.as_path();
    let source = Source::new(&path.to_string_lossy(), &text);
    let file = match known {
        Some(at) => {
            definitions::unload(m, at as u32);
            w.expectations.retain(|expected| expected.file != Some(at as u32));
            unit_tests::removed(w, at as u32);
            w.loader.files[at].modified = modified;
            w.loader.files[at].module = None;
            at
        }
        None => {
            w.loader.files.push(LoadedFile { path: path.to_owned(), modified, module: None });
            w.loader.files.len() - 1
        }
    };
    let directory = path.parent().map(Path::to_owned);
    load(m, w, Reader::new(source), Origin::File(file as u32, role), directory, role.space())?;
    Ok(Ok(()))
}

/// Reads the clauses of a file into the load in progress.
///
/// # Errors
/// `existence_error` or `permission_error` when it can't be read.
pub fn include_file(m: &mut Machine, w: &mut World, path: &Path) -> OrFault<()> {
    let access = w.files.clone();
    let text = match read_file(m, w, &access, path)? {
        Ok(text) => text,
        Err(_) => return Err(unreadable(m, &path.to_string_lossy())),
    };
    let source = Source::new(&path.to_string_lossy(), &text);
    if w.loader.stack.is_empty() {
        return load_text(m, w, source, Space::User);
    }
    const NESTING: usize = 64;
    if w.loader.included >= NESTING {
        return Err(m.resource_error("nested_loads"));
    }
    w.loader.sources.push(source.clone());
    let number = w.loader.sources.len() as u32 - 1;
    let loading = w.loader.stack.last_mut().expect("not empty");
    let outer = std::mem::replace(&mut loading.source, number);
    w.loader.included += 1;
    let result = read_clauses(m, w, Reader::new(source));
    w.loader.included -= 1;
    if let Some(loading) = w.loader.stack.last_mut() {
        loading.source = outer;
    }
    result
}

/// The error for a file that can't be read.
pub(super) fn unreadable(m: &mut Machine, name: &str) -> Fault {
    let culprit = Cell::atom(m.symbols.intern(name));
    m.permission_error("open", "source_sink", culprit)
}

/// Bytes of memory that reading and keeping a text takes for each of its bytes, at least.
const TEXT_SHARE: usize = 4;

/// The text of a file.
///
/// # Errors
/// A limit of time, an interrupt, or no room for it; within, that of the system.
fn read_file(
    m: &mut Machine,
    w: &mut World,
    access: &Access,
    path: &Path,
) -> OrFault<std::io::Result<String>> {
    if let Some(text) = w.loader.unsaved.get(path) {
        return Ok(Ok(text.to_owned()));
    }
    let read = access.read_polled(path, MOST_BYTES, |bytes| {
        m.keep_going()?;
        m.room_for(bytes.saturating_mul(TEXT_SHARE))
    })?;
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(error) => return Ok(Err(error)),
    };
    let (text, warning) = zug_syntax::decode(&bytes);
    w.loader.diagnostics.extend(warning.map(|warning| Diagnostic {
        message: format!("{}: {}", path.display(), warning.message),
        ..warning
    }));
    Ok(Ok(text))
}

/// Loads text typed or embedded; `space` tells whose predicates it defines.
pub fn load_text(m: &mut Machine, w: &mut World, source: Source, space: Space) -> OrFault<()> {
    load(m, w, Reader::new(source), Origin::Text, None, space)
}

/// The first line of a cell whose predicates take the place of those of other cells.
pub const REPLACE: &str = "%%replace";

/// Loads a cell of a notebook: its clauses take the place of those that it had before, and are added to those that
/// other cells have of the same predicates, unless its first line is [`REPLACE`].
pub fn load_cell(m: &mut Machine, w: &mut World, source: Source) -> OrFault<()> {
    let of_cell: Vec<bool> =
        w.loader.sources.iter().map(|known| known.name == source.name).collect();
    definitions::unload_sources(m, &of_cell);
    let adds = source.text.lines().next().is_none_or(|line| line.trim_end() != REPLACE);
    let origin = if adds { Origin::Cell } else { Origin::Text };
    load(m, w, Reader::new(source), origin, None, Space::User)
}

/// What a file is to the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileRole {
    /// The program that it is about.
    Program,
    /// Part of a program: clauses without a module go to this space.
    Part(Space),
}

/// Where clauses come from.
#[derive(Clone, Copy)]
enum Origin {
    /// A file, by its number in [`super::loads::Loader::files`].
    File(u32, FileRole),
    /// Typed or embedded text.
    Text,
    /// A cell of a notebook, which adds to what others define.
    Cell,
}

impl FileRole {
    fn space(self) -> Space {
        match self {
            FileRole::Program => Space::User,
            FileRole::Part(space) => space,
        }
    }
}

/// Loads a text of the library, whose tokens may be known.
pub fn load_library(m: &mut Machine, w: &mut World, source: Source, tokens: &[u8]) -> OrFault<()> {
    load(m, w, Reader::of_tokens(source, tokens), Origin::Text, None, Space::System)
}

fn load(
    m: &mut Machine,
    w: &mut World,
    reader: Reader,
    origin: Origin,
    directory: Option<PathBuf>,
    space: Space,
) -> OrFault<()> {
    const NESTING: usize = 64;
    if w.loader.stack.len() >= NESTING {
        return Err(m.resource_error("nested_loads"));
    }
    // Answers that the old clauses gave are worth nothing.
    m.abolish_tables();
    let source = reader.source().clone();
    w.loader.sources.push(source.clone());
    w.loader.begun += 1;
    w.loader.stack.push(Loading {
        source: w.loader.sources.len() as u32 - 1,
        file: match origin {
            Origin::File(file, _) => Some(file),
            Origin::Text | Origin::Cell => None,
        },
        adds: matches!(origin, Origin::Cell),
        directory,
        space,
        outer: (space, w.flags.quotes()),
        defined: FxHashSet::default(),
        last: None,
        warned: FxHashSet::default(),
        replaced: Vec::new(),
        afterwards: Vec::new(),
        number: w.loader.begun,
        term: Span::default(),
        about: None,
        unit: None,
        is_program: matches!(origin, Origin::File(_, FileRole::Program)),
        module: None,
        foreign: Vec::new(),
        plunit: false,
        stray: None,
        blocks: Default::default(),
    });
    let quotes = w.flags.quotes();
    let before = w.loader.diagnostics.len();
    let mut result = read_clauses(m, w, reader);
    other_languages::one_error(&source, &mut w.loader.diagnostics, before);
    unit_tests::unfinished(m, w);
    w.flags.set_quotes(quotes);
    conditional::unfinished(w, &source);
    let loading = w.loader.stack.pop().expect("pushed above");
    modules::finished(w, &loading);
    definitions::tell_replaced(m, w, &source, loading.replaced);
    for (goal, span) in loading.afterwards {
        if result.is_ok() {
            let goal = goal.instantiate(&mut m.heap);
            result = run_directive(m, w, &source, (atoms::NECK, goal), span);
        }
    }
    result
}

/// Words of memory that reading a clause takes, without its cells.
const CLAUSE_WORDS: usize = 64;
/// Bytes that a token takes while its clause is read.
const TOKEN_BYTES: usize = 48;

/// The limits of a machine, for a reader.
pub(super) fn read_limit(m: &Machine) -> ReadLimit {
    let (deadline, interrupt, room) = (m.deadline, m.interrupt.clone(), m.room());
    ReadLimit(Box::new(move |tokens| {
        tokens.saturating_mul(TOKEN_BYTES) <= room
            && !interrupt.load(Ordering::Relaxed)
            && deadline.is_none_or(|deadline| Instant::now() < deadline)
    }))
}

/// Why a reader was stopped.
pub(super) fn impatience(m: &mut Machine) -> Fault {
    match m.keep_going() {
        Err(fault) => fault,
        Ok(()) => m.resource_error("memory"),
    }
}

fn read_clauses(m: &mut Machine, w: &mut World, mut reader: Reader) -> OrFault<()> {
    let source = &reader.source().clone();
    reader.set_read_limit(read_limit(m));
    let mut heap = Heap::new();
    loop {
        if m.worked(CLAUSE_WORDS + heap.top()) {
            m.keep_going()?;
            m.room_for(0)?;
        }
        heap.cells.clear();
        let options = w.flags.read_options();
        let found = reader.next(&mut heap, &mut m.symbols, &w.operators, &options);
        if reader.stopped() {
            return Err(impatience(m));
        }
        match found {
            Ok(Some(term)) => {
                if term.root == Cell::atom(atoms::END_OF_FILE) {
                    return Ok(());
                }
                let read = LoadedTerm { source, heap: &mut heap, term: &term };
                m.within_limits(|m| term_read(m, w, read)).flatten()?;
            }
            Ok(None) => return Ok(()),
            // What is passed over may be in another system's syntax.
            Err(_) if w.loader.stack.last().is_some_and(|loading| loading.blocks.skip()) => {}
            Err(fault) => w.loader.diagnostics.extend(fault.diagnostics()),
        }
    }
}

/// Handles one term of a file: a directive, a grammar rule, a clause.
fn term_read(m: &mut Machine, w: &mut World, mut read: LoadedTerm<'_>) -> OrFault<()> {
    let LoadedTerm { source, term, .. } = read;
    if conditional::takes(m, w, &mut read)? || is_foreign(m, w, read.heap, term.root) {
        return Ok(());
    }
    let expanded = match expansion::expand_term(m, w, &read)? {
        Some(expanded) => expanded,
        None => {
            let marked = |arrow| read.heap.match_struct::<1>(term.root, arrow).is_some();
            let is_directive = marked(atoms::NECK) || marked(atoms::QUERY);
            if !is_directive {
                expansion::style_warnings(w, source, term);
            }
            return handle(m, w, read, term.root);
        }
    };
    let (new, root) = expanded.to_heap();
    let plain = ReadTerm { spans: Vec::new(), variables: Vec::new(), ..term.clone() };
    let mut todo = vec![root];
    while let Some(cell) = todo.pop() {
        let cell = new.deref(cell);
        if cell == Cell::NIL {
            continue;
        }
        if cell.is_list() {
            todo.extend([new.at(cell.addr() + 1), new.at(cell.addr())]);
            continue;
        }
        handle(m, w, LoadedTerm { source, heap: &mut new.clone(), term: &plain }, cell)?;
    }
    Ok(())
}

/// Whether a term is of the language of a library that is missing.
fn is_foreign(m: &Machine, w: &World, heap: &Heap, root: Cell) -> bool {
    let foreign = w.loader.stack.last().map_or(&[][..], |loading| &loading.foreign);
    if foreign.is_empty() {
        return false;
    }
    let goal = heap.match_struct::<1>(root, atoms::NECK).map_or(root, |[goal]| goal);
    heap.name_arity(goal)
        .is_some_and(|(name, arity, _)| foreign.contains(&(m.symbols.name(name), arity)))
}

/// A directive or a clause, as it was read or as `term_expansion/2` made it.
fn handle(m: &mut Machine, w: &mut World, mut read: LoadedTerm<'_>, root: Cell) -> OrFault<()> {
    let span = read.term.span;
    if let Some(loading) = w.loader.stack.last_mut() {
        loading.term = span;
    }
    for arrow in [atoms::NECK, atoms::QUERY] {
        if let Some([goal]) = read.heap.match_struct::<1>(root, arrow) {
            w.loader.asked += usize::from(arrow == atoms::QUERY);
            let loading = w.loader.stack.last().filter(|loading| loading.space.is_users());
            w.loader.directives.extend(loading.map(|loading| (loading.source, span)));
            if arrow == atoms::QUERY && keep_query(w, &mut read, goal) {
                return Ok(());
            }
            return directive(m, w, read, (arrow, goal));
        }
    }
    clause(m, w, read, root)
}

/// Keeps a query for after the load, if that is wanted.
fn keep_query(w: &mut World, read: &mut LoadedTerm<'_>, goal: Cell) -> bool {
    let LoadedTerm { source, heap, term } = read;
    let outermost = w.loader.stack.len() == 1;
    let Some(queries) = w.loader.queries.as_mut().filter(|_| outermost) else { return false };
    let cells: Vec<Cell> = term.variables.iter().map(|&(_, cell)| cell).collect();
    let list = heap.list_from(&cells, Cell::NIL);
    let whole = heap.new_struct(atoms::NECK, &[goal, list]);
    queries.push(FileQuery {
        source: (*source).clone(),
        span: term.span,
        variables: term.variables.iter().map(|(name, _)| name.clone()).collect(),
        record: Record::new(heap, whole),
    });
    true
}

/// Runs the queries that were kept, as if nobody had kept them.
pub fn run_kept_queries(m: &mut Machine, w: &mut World) -> OrFault<()> {
    for kept in w.loader.queries.take().unwrap_or_default() {
        let whole = kept.record.instantiate(&mut m.heap);
        let goal = m.heap.match_struct::<2>(whole, atoms::NECK).map_or(whole, |[goal, _]| goal);
        run_directive(m, w, &kept.source, (atoms::QUERY, goal), kept.span)?;
    }
    Ok(())
}

/// Runs a directive. `initialization/1` goals wait for the end of the load.
fn directive(
    m: &mut Machine,
    w: &mut World,
    LoadedTerm { source, heap, term }: LoadedTerm<'_>,
    (arrow, goal): (Atom, Cell),
) -> OrFault<()> {
    let later = match heap.name_arity(goal) {
        Some((atoms::INITIALIZATION, 1 | 2, args)) => Some(heap.at(args)),
        _ => None,
    };
    let goal = modules::directive(m, w, heap, later.unwrap_or(goal));
    if later.is_some() {
        let record = Record::new(heap, goal);
        if let Some(loading) = w.loader.stack.last_mut() {
            loading.afterwards.push((record, term.span));
        }
        return Ok(());
    }
    let (symbols, operators) = (&m.symbols, &w.operators);
    let about = expectations::about(symbols, operators, heap, goal, &term.variables);
    if let Some(loading) = w.loader.stack.last_mut() {
        loading.about = about;
    }
    let goal = m.heap.instantiate(&heap.cells, goal);
    run_directive(m, w, source, (arrow, goal), term.span)
}

fn run_directive(
    m: &mut Machine,
    w: &mut World,
    source: &Source,
    (arrow, goal): (Atom, Cell),
    span: Span,
) -> OrFault<()> {
    // The goal is gone when it has raised an exception.
    let (plain, called_in) = m.goal_and_space(goal, Space::User);
    let called = m.heap.name_arity(plain).map(|(name, arity, _)| (name, arity));
    match m.holds(w, goal) {
        Ok(true) => Ok(()),
        Ok(false) => {
            let finding = Diagnostic::warning("W0302", "this directive has no answer");
            w.loader.diagnostics.push(finding.at(source, span, "the goal fails"));
            Ok(())
        }
        Err(Fault::Ball(ball))
            if arrow == atoms::NECK && is_unknown(m, called, called_in, &ball) =>
        {
            let (name, arity) = called.expect("it is unknown");
            let name = m.symbols.name(name);
            let message = format!("there is no directive `{name}/{arity}`: it is left out");
            let mut finding = Diagnostic::warning("W0413", message).at(source, span, "");
            finding.hint = suggest::did_you_mean(m, name, arity)
                .map(|meant| format!("did you mean `{meant}`?"));
            w.loader.diagnostics.push(finding);
            Ok(())
        }
        Err(Fault::Ball(ball)) => {
            let mut finding = messages::finding(m, w, &ball, "E0301", "this directive");
            // Other resources, such as nested loads, no option gives more of.
            finding.out_of_resources = Fault::Ball(ball).resource() == Some(atoms::MEMORY);
            w.loader.diagnostics.push(finding.at(source, span, "raised here"));
            Ok(())
        }
        Err(fault) => Err(fault),
    }
}

/// Whether a ball says that the goal of a directive itself is of no predicate.
fn is_unknown(m: &Machine, called: Option<(Atom, usize)>, space: Space, ball: &Record) -> bool {
    let Some((name, arity)) = called else { return false };
    let (heap, root) = ball.to_heap();
    let said = heap.match_struct::<2>(root, atoms::ERROR).and_then(|[formal, _]| {
        let [kind, what] = heap.match_struct::<2>(formal, atoms::EXISTENCE_ERROR)?;
        let is_procedure = heap.deref(kind) == Cell::atom(atoms::PROCEDURE);
        let what = super::database::strip_module(&heap, what);
        let [name, arity] = heap.match_struct::<2>(what, atoms::SLASH).filter(|_| is_procedure)?;
        Some((heap.deref(name).as_atom()?, heap.deref(arity).as_int()?))
    });
    said == Some((name, arity as i64)) && m.program.find(name, arity, space).is_none()
}

/// Adds a clause or grammar rule; what is wrong with it becomes a finding.
fn clause(m: &mut Machine, w: &mut World, mut read: LoadedTerm<'_>, root: Cell) -> OrFault<()> {
    let LoadedTerm { source, term, .. } = read;
    let (span, heap) = (term.span, &mut *read.heap);
    let mut spans = Cow::Borrowed(term.spans.as_slice());
    let mut root = heap.deref(root);
    if dcg::is_rule(heap, root) {
        match clause_places::translate(m, heap, root, spans.to_mut()) {
            Ok(clause) => root = clause,
            Err(message) => {
                let finding = Diagnostic::error("E0305", message).at(source, span, "");
                w.loader.diagnostics.push(finding);
                return Ok(());
            }
        }
    }
    let mut neck = Neck::Clause;
    if let Some((kind, clause)) = rules::as_placed_clause(heap, root, spans.to_mut()) {
        (neck, root) = (kind, clause);
    }
    let rewritten = expansion::expand_goals(m, w, &mut read, root)?;
    let heap = read.heap;
    let (mut new_heap, heap) = match rewritten {
        Some(record) => {
            // Its goals stand nowhere in the text.
            spans = Cow::Owned(Vec::new());
            let (new_heap, new_root) = record.to_heap();
            root = new_root;
            (new_heap, None)
        }
        None => (Heap::new(), Some(heap)),
    };
    let is_new = heap.is_none();
    let heap = heap.unwrap_or(&mut new_heap);
    let parts = heap.match_struct::<2>(root, atoms::NECK);
    let [head, body] = parts.unwrap_or([root, Cell::atom(atoms::TRUE)]);
    if let Some(finding) = definitions::colon_at_end(heap, head, source, span) {
        w.loader.diagnostics.push(finding);
        return Ok(());
    }
    let around = modules::here(w);
    let (head, space) = modules::head_and_space(m, heap, head, around);
    let Some((mut name, arity, _)) = heap.name_arity(head) else {
        let what = if head.is_var() { "a variable" } else { "a number or string" };
        let finding = Diagnostic::error("E0304", format!("the head of this clause is {what}"))
            .at(source, span, "")
            .hint("a clause begins with the name of the predicate it defines");
        w.loader.diagnostics.push(finding);
        return Ok(());
    };
    // The image's root is a compound of its own when the term is not one yet.
    let whole = match heap.match_struct::<2>(root, atoms::NECK) {
        Some([original, _]) if heap.deref(original) == head => root,
        _ => heap.new_struct(atoms::NECK, &[head, body]),
    };
    if compile::check_body(&heap.cells, whole.addr() + 2).is_err() {
        let finding = Diagnostic::error("E0306", "a goal of this clause is a number or a string")
            .at(source, span, "")
            .hint("only predicates can be called");
        w.loader.diagnostics.push(finding);
        return Ok(());
    }
    // What was rewritten stands nowhere in the text.
    let unplaced = is_new.then(|| ReadTerm { spans: Vec::new(), ..term.clone() });
    let read = unplaced.as_ref().unwrap_or(term);
    let test = unit_tests::test_head(m, w, source, heap, (root, whole, head), read);
    if matches!(test, Some(None)) {
        return Ok(());
    }
    let test = test.flatten();
    name = test.as_ref().map_or(name, |test| test.name);
    let whole = modules::clause_body(m, heap, whole, (around, space), spans.to_mut());
    let Some(pred) = definitions::predicate_for(m, w, (source, span), (name, arity, space)) else {
        return Ok(());
    };
    if !m.program.takes_neck(pred, neck) {
        definitions::mixed(m, w, (source, span), (pred, neck));
        return Ok(());
    }
    m.program.set_rules(pred, neck.is_rule());
    let loading = w.loader.stack.last_mut().expect("a load is in progress");
    unit_tests::stray(loading, m, (name, arity), (source, span));
    let place = loading.space.is_users().then(|| {
        Box::new(ClauseSource {
            source: loading.source,
            span: term.span,
            goals: clause_places::goal_spans(heap, whole, &spans),
            variables: term
                .variables
                .iter()
                .filter(|(_, cell)| cell.is_var() && !is_new)
                .map(|(name, cell)| (name.clone(), cell.addr() as u32))
                .collect(),
        })
    });
    let record = Record { cells: heap.cells.as_slice().into(), root: whole };
    let mut new = new_clause(m, pred, record, place);
    new.neck = neck;
    m.program.generation += 1;
    new.born = m.program.generation;
    let added = m.program.add_clause(new, true);
    if let Some(test) = test {
        test.added(w, pred, added);
    }
    let predicate = &m.program.preds[pred as usize];
    let waits = matches!(m.program.code[predicate.slot as usize], Instr::Link { .. });
    if predicate.kind != Kind::Dynamic && !waits {
        m.program.define(pred, Kind::Static, Instr::Link { pred });
    }
    Ok(())
}

/// How bad the worst of some findings is.
pub fn worst(diagnostics: &[Diagnostic]) -> Option<Severity> {
    diagnostics.iter().map(|finding| finding.severity).max()
}
