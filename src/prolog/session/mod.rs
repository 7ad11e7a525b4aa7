//! A session: load rules, ask queries, go through answers.

mod answer;
mod fresh;
mod library;
mod limits;
mod template;

pub use answer::{Left, Named, walk};
pub use fresh::Past;
pub use library::{LIBRARY, LibraryText};
pub use limits::Allowance;
pub use template::Template;

use crate::builtins::streams::{Incoming, Outgoing};
use crate::builtins::{self, Extension, OrFault, World, host, loader, loads, messages, tracer};
use std::path::Path;
use std::sync::Arc;
use zug_machine::{Fault, Machine, Run, Space};
use zug_syntax::{Completeness, Reader, SyntaxFault, completeness};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::atoms;
use zug_term::{Cell, attributed_variables};

/// A machine with the library loaded, its world, and the program of one user.
pub struct Session {
    /// The machine.
    pub machine: Machine,
    /// Streams, operators, flags, loaded files.
    pub world: World,
}

/// A query being answered.
pub struct Query {
    /// The text that places refer to.
    pub source: Source,
    /// Where the goal stands in it.
    pub span: Span,
    variables: Vec<Arc<str>>,
    /// Where the variables' cells start in [`Machine::roots`].
    roots: usize,
    goal: Option<Cell>,
    run: Option<Run>,
    /// A list of goals stands behind the variables' cells: what is left of the answer.
    residual: bool,
}

impl Query {
    fn new(source: Source, span: Span, names: Vec<Arc<str>>, roots: usize, goal: Cell) -> Query {
        let (goal, run) = (Some(goal), None);
        Query { source, span, variables: names, roots, goal, run, residual: false }
    }
}

impl Default for Session {
    fn default() -> Self {
        Session::new()
    }
}

impl Session {
    /// A session on the standard streams of the process.
    pub fn new() -> Session {
        Session::with_extensions(&[])
    }

    /// A session on the standard streams of the process, whose language is extended.
    pub fn with_extensions(extensions: &'static [Extension]) -> Session {
        let (input, output) = (Box::new(std::io::stdin()), Box::new(std::io::stdout()));
        Session::with_io(extensions, input, output, Box::new(std::io::stderr()))
    }

    /// A session on streams of the caller's.
    pub fn with_io(
        extensions: &'static [Extension],
        input: Incoming,
        output: Outgoing,
        error: Outgoing,
    ) -> Session {
        let mut machine = Machine::new();
        let world = World::with_io(&mut machine.symbols, input, output, error);
        Session::start(machine, world, extensions)
    }

    /// A session that reads the given text and keeps what is written.
    pub fn captured(
        extensions: &'static [Extension],
        input: &str,
    ) -> (Session, builtins::streams::SharedBuffer) {
        let mut machine = Machine::new();
        let (world, buffer) = World::captured(&mut machine.symbols, input);
        (Session::start(machine, world, extensions), buffer)
    }

    fn start(mut machine: Machine, mut world: World, extensions: &'static [Extension]) -> Session {
        host::define_instructions(&mut machine);
        for tables in [builtins::CORE_TABLES, builtins::PROGRAM_TABLES, builtins::IO_TABLES] {
            for group in tables {
                world.register(&mut machine, group, false);
            }
        }
        for group in builtins::REENTRANT_TABLES {
            world.register(&mut machine, group, true);
        }
        for group in extensions.iter().flat_map(|extension| extension.tables) {
            world.register(&mut machine, group, true);
        }
        world.extensions = extensions;
        for native in extensions.iter().flat_map(|extension| extension.attributes) {
            let module = machine.symbols.intern(native.module);
            machine.add_native(module);
        }
        let added = extensions.iter().flat_map(|extension| extension.library);
        for LibraryText { name, text, tokens } in LIBRARY.iter().chain(added) {
            let source = Source::new(name, text);
            let loaded = loader::load_library(&mut machine, &mut world, source, tokens);
            debug_assert!(loaded.is_ok(), "{name}");
        }
        for (name, text) in extensions.iter().filter_map(|extension| extension.made) {
            let made = Source::new(name, &text());
            let loaded = loader::load_text(&mut machine, &mut world, made, Space::System);
            debug_assert!(loaded.is_ok(), "{name}");
        }
        host::protect(&mut machine);
        builtins::libraries::name_modules(&mut machine);
        let findings = world.loader.take_diagnostics();
        debug_assert!(!findings.iter().any(Diagnostic::is_error), "library: {findings:#?}");
        world.loader.sources.clear();
        Session { machine, world }
    }

    /// Follows ISO/IEC 13211-1 where it and common practice differ, in what is loaded and asked from
    /// here on.
    pub fn follow_standard(&mut self) {
        self.world.flags.follow_standard();
        self.machine.set_iso(true);
    }

    /// Loads a rule file; what is found wrong with it.
    pub fn load_file(&mut self, path: &Path) -> Result<Vec<Diagnostic>, LoadError> {
        let loaded =
            loader::load_file(&mut self.machine, &mut self.world, path, loader::FileRole::Program);
        // A directive may have switched the tracer on: for queries.
        tracer::pause(&mut self.machine, &mut self.world, false);
        match loaded {
            Ok(Err(error)) => {
                self.world.loader.take_diagnostics();
                Err(LoadError::Io(error))
            }
            loaded => self.findings_of(loaded.map(|_| ())),
        }
    }

    /// What a load found, or what ended it.
    fn findings_of(&mut self, loaded: OrFault<()>) -> Result<Vec<Diagnostic>, LoadError> {
        let found = self.world.loader.take_diagnostics();
        match loaded {
            Ok(()) => Ok(found),
            Err(fault) => Err(LoadError::Stopped(fault, found)),
        }
    }

    /// Has a file be read as `text`, whatever it has, from now on: one that is being edited and is not
    /// saved. It need not be there; there may be several.
    pub fn read_unsaved(&mut self, path: &Path, text: String) {
        self.world.loader.unsaved.put(path, text);
    }

    /// Loads rules from text; what is found wrong with it.
    pub fn load_text(&mut self, name: &str, text: &str) -> Vec<Diagnostic> {
        // `halt` in embedded text only ends the load.
        match self.try_load_text(name, text) {
            Ok(found) | Err(LoadError::Stopped(_, found)) => found,
            Err(LoadError::Io(_)) => Vec::new(),
        }
    }

    /// Loads a cell of a notebook: its clauses take the place of those that the cell of this name had before, and are
    /// added to those of other cells, unless its first line is `%%replace`.
    pub fn load_cell(&mut self, name: &str, text: &str) -> Vec<Diagnostic> {
        // `halt` only ends the cell.
        let _ = loader::load_cell(&mut self.machine, &mut self.world, Source::new(name, text));
        self.world.loader.take_diagnostics()
    }

    /// As [`Session::load_text`], where limits are in force.
    ///
    /// # Errors
    /// A limit that ended the load, or the exit status of `halt`, with what was found until then.
    pub fn try_load_text(&mut self, name: &str, text: &str) -> Result<Vec<Diagnostic>, LoadError> {
        let source = Source::new(name, text);
        let loaded = loader::load_text(&mut self.machine, &mut self.world, source, Space::User);
        self.findings_of(loaded)
    }

    /// Reads a query; the full stop may be left out.
    pub fn query(&mut self, text: &str) -> Result<Query, Box<SyntaxFault>> {
        let text = text.trim_end();
        let source = Source::new("query", text);
        if matches!(completeness(text), Completeness::Complete | Completeness::Empty) {
            return self.query_from(source);
        }
        let ended = Source::new("query", &format!("{text} ."));
        self.query_from(ended).map_err(|mut fault| {
            // The full stop that was not typed is not shown.
            let end = text.len() as u32;
            let finding = &mut fault.diagnostic;
            finding.secondary.retain(|label| label.span.start < end);
            for label in finding.primary.iter_mut().chain(&mut finding.secondary) {
                label.source = source.clone();
                label.span =
                    Span { start: label.span.start.min(end), end: label.span.end.min(end) };
            }
            fault
        })
    }

    /// Reads a query with its full stop; `?-` or `:-` before it changes nothing.
    pub fn query_from(&mut self, source: Source) -> Result<Query, Box<SyntaxFault>> {
        let options = self.world.flags.read_options();
        let m = &mut self.machine;
        let mut reader = Reader::new(source.clone());
        let read = reader.next(&mut m.heap, &mut m.symbols, &self.world.operators, &options)?;
        let roots = m.roots.len();
        let Some(term) = read else {
            let truth = Cell::atom(atoms::TRUE);
            return Ok(Query::new(source, Span::default(), Vec::new(), roots, truth));
        };
        let (variables, cells): (_, Vec<Cell>) = term.variables.into_iter().unzip();
        m.roots.extend(cells);
        let mut goal = term.root;
        for arrow in [atoms::QUERY, atoms::NECK] {
            if let Some([inner]) = m.heap.match_struct::<1>(goal, arrow) {
                goal = inner;
            }
        }
        Ok(Query::new(source, term.span, variables, roots, goal))
    }

    /// A query that was kept while its file was loaded.
    pub fn kept_query(&mut self, kept: &loads::FileQuery) -> Query {
        let m = &mut self.machine;
        let roots = m.roots.len();
        let whole = kept.record.instantiate(&mut m.heap);
        let [goal, list] = m.heap.match_struct::<2>(whole, atoms::NECK).unwrap_or([whole; 2]);
        let cells = m.heap.proper_list(list).unwrap_or_default();
        m.roots.extend(cells);
        Query::new(kept.source.clone(), kept.span, kept.variables.clone(), roots, goal)
    }

    /// Runs the queries that were kept while files were loaded as directives; what is found wrong.
    pub fn run_kept_queries(&mut self) -> Result<Vec<Diagnostic>, LoadError> {
        let ran = loader::run_kept_queries(&mut self.machine, &mut self.world);
        self.findings_of(ran)
    }

    /// The goal of a query that was not run yet.
    pub fn goal(&self, query: &Query) -> Option<Cell> {
        query.goal.map(|goal| self.machine.heap.deref(goal))
    }

    /// Looks for the next answer. After `false` or a fault there is none, and
    /// the session is as it was before the query.
    pub fn next(&mut self, query: &mut Query) -> OrFault<bool> {
        self.name_variables(query);
        self.forget_goals(query);
        self.machine.outside = self.world.held();
        tracer::resume(&mut self.machine, &mut self.world, query.goal.is_some());
        let outcome = match (query.goal.take(), query.run) {
            (Some(goal), _) => {
                let (run, outcome) = self.machine.solve(&mut self.world, goal);
                query.run = Some(run);
                outcome
            }
            (None, Some(run)) => self.machine.redo(&mut self.world, run),
            (None, None) => Ok(false),
        };
        tracer::pause(&mut self.machine, &mut self.world, !matches!(outcome, Ok(true)));
        if !matches!(outcome, Ok(true)) {
            query.run = None;
        }
        if matches!(outcome, Err(Fault::Stopped(_))) {
            // Whatever is owed must not run into the same limit.
            return outcome;
        }
        self.machine.run_cleanups(&mut self.world)?;
        if matches!(outcome, Ok(true)) {
            self.find_goals(query)?;
        }
        outcome
    }

    /// Asks what is left to be true of the variables of an answer, if any has attributes.
    fn find_goals(&mut self, query: &mut Query) -> OrFault<()> {
        let m = &mut self.machine;
        let values = m.roots[query.roots..query.roots + query.variables.len()].to_vec();
        // PERF: most answers have none, and most of them are small.
        let attributed = |cell: &Cell| !attributed_variables(&m.heap, *cell).is_empty();
        if !values.iter().any(attributed) {
            return Ok(());
        }
        let list = m.heap.list_from(&values, Cell::NIL);
        let goals = m.heap.new_var();
        let name = m.symbols.intern("$answer_goals");
        let goal = m.heap.new_struct(name, &[list, goals]);
        let goal = m.heap.new_struct(atoms::COLON, &[Cell::atom(atoms::SYSTEM), goal]);
        m.roots.push(goals);
        let (run, outcome) = m.solve(&mut self.world, goal);
        let m = &mut self.machine;
        match outcome {
            Ok(true) => m.finish(run),
            // What a hook throws says nothing about the answer.
            Ok(false) | Err(Fault::Ball(_)) => {}
            Err(fault) => {
                m.roots.pop();
                return Err(fault);
            }
        }
        query.residual = true;
        Ok(())
    }

    /// Another answer is to take the place of the one that stands.
    fn forget_goals(&mut self, query: &mut Query) {
        if std::mem::take(&mut query.residual) {
            self.machine.roots.truncate(query.roots + query.variables.len());
        }
    }

    /// The goals that are left of an answer: what is known about its unbound variables.
    pub fn goals(&self, query: &Query) -> Vec<Cell> {
        if !query.residual {
            return Vec::new();
        }
        let m = &self.machine;
        let goals = m.heap.items(m.roots[query.roots + query.variables.len()]);
        // A module in Rust stands before its goals, which mean the same without it.
        let native = |module: Cell| {
            m.heap.deref(module).as_atom().is_some_and(|name| m.natives().contains(&name))
        };
        let bare = |goal| match m.heap.match_struct::<2>(goal, atoms::COLON) {
            Some([module, inner]) if native(module) => inner,
            _ => goal,
        };
        goals.map(bare).collect()
    }

    /// Lets the world know how a query calls its variables, for explanations.
    pub fn name_variables(&mut self, query: &Query) {
        self.world.query_names.clone_from(&query.variables);
        self.world.query_roots = query.roots;
    }

    /// Whether there may be another answer.
    pub fn has_more(&self, query: &Query) -> bool {
        query.run.is_some_and(|run| self.machine.has_more(run))
    }

    /// The named variables of a query and their values.
    pub fn bindings<'q>(&self, query: &'q Query) -> impl Iterator<Item = (&'q str, Cell)> {
        let roots: Vec<Cell> =
            self.machine.roots[query.roots..query.roots + query.variables.len()].to_vec();
        query.variables.iter().map(|name| &**name).zip(roots)
    }

    /// Ends a query and undoes its bindings.
    pub fn close(&mut self, query: Query) {
        if let Some(run) = query.run {
            self.machine.abandon(run);
        }
        // `halt` in a cleanup after the last answer has nothing left to end.
        let _ = self.machine.run_cleanups(&mut self.world);
        self.machine.roots.truncate(query.roots);
        if self.machine.roots.is_empty() {
            self.machine.idle();
        }
    }

    /// Calls the goals that `at_halt/1` kept for the end.
    pub fn run_at_halt(&mut self) {
        let Some(name) = self.machine.symbols.lookup("$run_at_halt") else { return };
        let pred = self.machine.program.pred(name, 0, Space::System);
        let _ = self.machine.ask(&mut self.world, |ask| ask.call(pred, &[]));
    }

    /// An uncaught exception in human words.
    pub fn describe(&self, fault: &Fault) -> messages::Description {
        match fault {
            Fault::Ball(ball) => {
                let (heap, root) = ball.to_heap();
                let m = &self.machine;
                let meant = builtins::suggest::for_ball(m, &self.world, &heap, root);
                let operators = &self.world.operators;
                let words =
                    messages::describe(&heap, &m.symbols, operators, root, meant.as_deref());
                let hint = self.world.better_hint(m, &m.trace, words.hint);
                messages::Description { hint, ..words }
            }
            Fault::Halt(status) => messages::Description {
                message: format!("halted with status {status}"),
                predicate: None,
                hint: None,
            },
            Fault::Stopped(reason) => {
                messages::Description { message: reason.to_string(), predicate: None, hint: None }
            }
        }
    }
}

/// Why a file was not loaded whole.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It can't be read.
    #[error("{0}")]
    Io(std::io::Error),
    /// A directive called `halt`, or the load was stopped. With what was found
    /// until then.
    #[error("the load was stopped")]
    Stopped(Fault, Vec<Diagnostic>),
}
