//! Built-in predicates written in Rust, grouped as the standard groups them.
//!
//! A built-in is deterministic: it gets its dereferenced arguments and returns true,
//! false or a fault. It never calls back into the machine; predicates that call
//! goals or have several answers are written in the rule language
//! (`src/library`), over built-ins that do one step.

use std::path::{Path, PathBuf};
use zug_files::Access;
use zug_machine::{Effect, Fault, Machine, Observer, Outcome};
use zug_syntax::Operators;
use zug_term::Cell;
use zug_term::symbol::Symbols;

mod args;
mod arithmetic;
mod atoms;
mod attributes;
pub mod bounded;
mod capture;
mod char_types;
mod characters;
mod clause_places;
mod clause_text;
mod conditional;
mod consult;
mod database;
mod dates;
pub mod dcg;
mod definitions;
mod digest;
mod edinburgh;
mod engines;
mod expansion;
pub mod expectations;
mod extension;
mod files;
pub mod flags;
mod folders;
mod format;
pub mod host;
pub mod impurity;
#[cfg(test)]
mod io_tests;
pub mod libraries;
mod limited;
mod lists;
pub mod loader;
pub mod loads;
pub mod messages;
mod modules;
mod ops;
mod other_languages;
mod output;
mod portray;
mod positions;
mod properties;
mod read;
mod rules;
pub mod sandbox;
mod slots;
mod sort;
pub mod statistics;
pub mod store;
pub mod stream_options;
mod stream_predicates;
pub mod stream_text;
pub mod streams;
mod strings;
mod sub_text;
pub mod suggest;
mod system;
mod tabling;
#[cfg(test)]
mod tabling_tests;
mod terms;
#[cfg(test)]
pub(crate) mod testing;
mod text;
pub mod tracer;
pub mod unit_tests;
mod unsaved;

pub use attributes::{FindGoals, NativeAttribute};
pub use definitions::user_predicate;
pub use extension::{Carry, Count, Extension, FindHint, Library, MakeText};
use flags::Flags;
pub use output::term_text;
pub use slots::{Slot, Slots};
pub use sort::list_end;
pub use stream_predicates::put_text;
use streams::{Incoming, Outgoing, SharedBuffer, Streams};

/// A value, or why there is none.
pub type OrFault<T> = Result<T, Fault>;

/// A built-in predicate. Arguments are dereferenced; their number is the arity.
pub type Builtin = fn(&mut Machine, &mut World, &[Cell]) -> Outcome;

/// A row of a group's table: a built-in with what it does besides answering, which explanations, the
/// check of purity and the sandbox go by.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// The number of its arguments, or the least of it …
    pub arity: usize,
    /// … and the most: a stream may stand before the others, or options behind them.
    pub most: usize,
    /// The function.
    pub run: Builtin,
    /// What it does besides answering.
    pub effect: Effect,
    /// The function in its place in a sandbox, if it is refused there.
    pub refused: Option<Builtin>,
    /// It asks for [`Machine::call_sites`].
    pub sited: bool,
}

impl Entry {
    const fn new(name: &'static str, arity: usize, run: Builtin, effect: Effect) -> Entry {
        Entry { name, arity, most: arity, run, effect, refused: None, sited: false }
    }

    /// The same, which asks for [`Machine::call_sites`]: a last call of it returns to its clause.
    #[must_use]
    pub const fn with_site(self) -> Entry {
        Entry { sited: true, ..self }
    }

    /// The same with N arguments, too.
    #[must_use]
    pub const fn up_to(self, most: usize) -> Entry {
        Entry { most, ..self }
    }

    /// It answers, and does nothing else.
    pub const fn pure(name: &'static str, arity: usize, run: Builtin) -> Entry {
        Entry::new(name, arity, run, Effect::Pure)
    }

    /// It answers by a search.
    pub const fn search(name: &'static str, arity: usize, run: Builtin) -> Entry {
        Entry::new(name, arity, run, Effect::Search)
    }

    /// It writes to a stream of the session.
    pub const fn output(name: &'static str, arity: usize, run: Builtin) -> Entry {
        Entry::new(name, arity, run, Effect::Output)
    }

    /// It touches the session, and nothing outside.
    pub const fn session(name: &'static str, arity: usize, run: Builtin) -> Entry {
        Entry::new(name, arity, run, Effect::Session)
    }

    /// It may reach outside, and asks [`World::files`] itself what it may.
    pub const fn guarded(name: &'static str, arity: usize, run: Builtin) -> Entry {
        Entry::new(name, arity, run, Effect::Outside)
    }

    /// It reaches outside. In a sandbox `refused` is in its place, which raises a
    /// [`refusal`](sandbox::refusal).
    pub const fn outside(
        name: &'static str,
        arity: usize,
        run: Builtin,
        refused: Builtin,
    ) -> Entry {
        Entry { refused: Some(refused), ..Entry::new(name, arity, run, Effect::Outside) }
    }
}

/// What built-ins know beyond the machine: operators, flags, streams.
pub struct World {
    /// The operators in force.
    pub operators: Operators,
    /// The flags.
    pub flags: Flags,
    /// The open streams.
    pub streams: Streams,
    /// Where relative paths start; `None`: the working directory of the process.
    pub directory: Option<PathBuf>,
    /// What is being loaded and was loaded.
    pub loader: loads::Loader,
    /// The names of the variables of the query that is running, …
    pub query_names: Vec<std::sync::Arc<str>>,
    /// … and where they begin among [`Machine::roots`].
    pub query_roots: usize,
    /// Number of changes to what rules can see, other than clauses.
    pub changes: u64,
    /// Predicates were declared to be functions of arithmetic.
    pub has_functions: bool,
    /// What runs is an experiment: what built-ins would leave to be shown under the answer of the
    /// query is not kept.
    pub experiment: bool,
    /// What extensions keep.
    pub slots: Slots,
    /// Global variables, flags that count, recorded terms.
    pub store: store::Store,
    /// Times that `statistics/2` was asked for last.
    pub laps: statistics::LastTimes,
    /// What was changed of the system around the session.
    pub system: system::System,
    /// What rule files say should come out of them, by `expect/1,2,3`.
    pub expectations: Vec<expectations::Expected>,
    /// What is traced.
    pub tracer: tracer::Tracer,
    /// Tests that are loaded, and their results.
    pub tests: unit_tests::Tests,
    /// The files that rules, prompts and clients may open.
    pub files: Access,
    /// What was added to the language.
    pub extensions: &'static [Extension],
    /// Names of queries that the prompt answers and that are no predicates.
    pub prompt_queries: &'static [&'static str],
    /// The built-ins by number.
    table: Vec<host::Registered>,
}

impl World {
    /// A world whose standard streams are these.
    pub fn with_io(
        symbols: &mut Symbols,
        input: Incoming,
        output: Outgoing,
        error: Outgoing,
    ) -> World {
        World {
            operators: Operators::standard(symbols),
            flags: Flags::new(),
            streams: Streams::new(input, output, error),
            directory: None,
            loader: loads::Loader::default(),
            query_names: Vec::new(),
            query_roots: 0,
            changes: 0,
            has_functions: false,
            experiment: false,
            slots: Slots::default(),
            store: store::Store::default(),
            laps: statistics::LastTimes::default(),
            system: system::System::default(),
            expectations: Vec::new(),
            tracer: tracer::Tracer::default(),
            tests: unit_tests::Tests::default(),
            files: Access::FREE,
            extensions: &[],
            prompt_queries: &[],
            table: Vec::new(),
        }
    }

    /// What every world begins with, to make others for
    /// [fresh copies](Machine::fresh_copy) of the machine.
    #[must_use]
    pub fn beginning(&self) -> Beginning {
        Beginning {
            operators: self.operators.clone(),
            flags: self.flags.clone(),
            extensions: self.extensions,
            table: self.table.clone(),
        }
    }

    /// A world for a [fork](Machine::fork) of the machine, with what rules can see in this one. It has nothing to
    /// read, and [`Streams::emitted`] tells what its rules would have written.
    #[must_use]
    pub fn fork(&self, symbols: &mut Symbols) -> World {
        let nowhere = || Box::new(std::io::sink());
        let begun = self.beginning();
        let world = begun.world(symbols, Box::new(std::io::empty()), nowhere(), nowhere());
        World {
            directory: self.directory.clone(),
            changes: self.changes,
            store: self.store.clone(),
            files: self.files.clone(),
            ..world
        }
    }

    /// A world that reads the given text and whose output, errors included, is kept.
    pub fn captured(symbols: &mut Symbols, input: &str) -> (World, SharedBuffer) {
        let buffer = SharedBuffer::new();
        let input = std::io::Cursor::new(input.as_bytes().to_vec());
        let world = World::with_io(
            symbols,
            Box::new(input),
            Box::new(buffer.clone()),
            Box::new(buffer.clone()),
        );
        (world, buffer)
    }

    /// Bytes held for the rules outside the machine: captured output, recorded terms.
    pub fn held(&self) -> usize {
        self.streams.held() + self.store.bytes()
    }

    /// Whether the machine must run every call of the user's predicates, as they are traced.
    pub fn is_traced(&self, machine: &Machine) -> bool {
        matches!(machine.observer, Observer::Boxes(_))
    }

    /// The path that a file name given by a program means.
    pub fn path(&self, file: &str) -> PathBuf {
        let home = || std::env::var_os("HOME").map(PathBuf::from);
        let path = match file.strip_prefix("~/").and_then(|rest| Some(home()?.join(rest))) {
            Some(path) => path,
            None => Path::new(file).to_owned(),
        };
        match &self.directory {
            Some(directory) => directory.join(path),
            None if path.is_absolute() => path,
            None => std::env::current_dir()
                .map_or_else(|_| path.clone(), |directory| directory.join(&path)),
        }
    }
}

/// What worlds have in common when nothing has happened in them yet.
pub struct Beginning {
    operators: Operators,
    flags: Flags,
    extensions: &'static [Extension],
    table: Vec<host::Registered>,
}

impl Beginning {
    /// A world that begins so, whose standard streams are these.
    pub fn world(
        &self,
        symbols: &mut Symbols,
        input: Incoming,
        output: Outgoing,
        error: Outgoing,
    ) -> World {
        World {
            operators: self.operators.clone(),
            flags: self.flags.clone(),
            extensions: self.extensions,
            table: self.table.clone(),
            ..World::with_io(symbols, input, output, error)
        }
    }
}

/// The tables of terms, numbers, text as data, lists and globals.
pub const CORE_TABLES: &[&[Entry]] = &[
    arithmetic::TABLE,
    atoms::TABLE,
    digest::TABLE,
    attributes::TABLE,
    char_types::TABLE,
    dates::TABLE,
    limited::TABLE,
    lists::TABLE,
    sort::TABLE,
    statistics::TABLE,
    store::TABLE,
    strings::TABLE,
    sub_text::TABLE,
    system::TABLE,
    tabling::TABLE,
    terms::TABLE,
];

/// The tables of clauses, files and grammar rules.
pub const PROGRAM_TABLES: &[&[Entry]] = &[
    database::TABLE,
    consult::TABLE,
    dcg::TABLE,
    expectations::TABLE,
    modules::TABLE,
    tracer::TABLE,
    tracer::profiler::TABLE,
    tracer::watch::TABLE,
    unit_tests::TABLE,
];

/// Built-ins that run goals of their own.
pub const REENTRANT_TABLES: &[&[Entry]] =
    &[consult::REENTRANT, limited::REENTRANT, tracer::REENTRANT, unit_tests::REENTRANT];

/// The tables of streams, text in and out, operators and flags.
pub const IO_TABLES: &[&[Entry]] = &[
    capture::TABLE,
    characters::TABLE,
    edinburgh::TABLE,
    engines::TABLE,
    files::TABLE,
    flags::TABLE,
    folders::TABLE,
    format::TABLE,
    messages::TABLE,
    ops::TABLE,
    output::TABLE,
    portray::TABLE,
    properties::TABLE,
    read::TABLE,
    stream_predicates::TABLE,
];
