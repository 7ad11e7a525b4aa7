//! State of loading: what is loaded, and the loads in progress.

use super::unsaved::UnsavedTexts;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use zug_machine::{PredId, Space};
use zug_syntax::{OpKind, Operators, ReadTerm};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::Atom;
use zug_term::{Heap, Record};

/// A file that was loaded.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    /// Its path, as found.
    pub path: PathBuf,
    /// When it was last changed, as of loading.
    pub modified: Option<SystemTime>,
    /// The module that it says it is.
    pub module: Option<FileModule>,
}

/// A `?- Goal.` of a file, kept to be asked after the load.
#[derive(Clone, Debug)]
pub struct FileQuery {
    /// The text it stands in.
    pub source: Source,
    /// Where the goal stands.
    pub span: Span,
    /// Its variables' names; …
    pub variables: Vec<Arc<str>>,
    /// … and `Goal :- [Variable, …]`.
    pub record: Record,
}

/// What loading keeps between and during loads.
#[derive(Default)]
pub struct Loader {
    /// All sources ever loaded, for the places of clauses.
    pub sources: Vec<Source>,
    /// Files loaded, in order.
    pub files: Vec<LoadedFile>,
    /// Findings of the loads since they were last taken.
    pub diagnostics: Vec<Diagnostic>,
    /// Loads in progress, innermost last.
    pub(super) stack: Vec<Loading>,
    /// Where given, `?- Goal.` in a file that no other file loads is kept here and not run.
    pub queries: Option<Vec<FileQuery>>,
    /// Files that were looked for and not there.
    pub absent: Vec<PathBuf>,
    /// Texts that are read in the place of what their files have.
    pub unsaved: UnsavedTexts,
    /// Where the directives and queries of the user's texts stand: source and span.
    pub directives: Vec<(u32, Span)>,
    /// How many queries stood in files so far.
    pub asked: usize,
    /// Depth of `include/1`.
    pub(super) included: usize,
    /// Loads begun so far.
    pub(super) begun: u64,
}

/// One load in progress.
pub(super) struct Loading {
    pub(super) source: u32,
    /// Number of the file in [`Loader::files`]; `None` for typed text.
    pub(super) file: Option<u32>,
    /// Clauses are added to those that other typed text has of the same predicates.
    pub(super) adds: bool,
    pub(super) directory: Option<PathBuf>,
    pub(super) space: Space,
    /// That of the file around an open unit of tests.
    pub(super) outer: (Space, [zug_syntax::Quotes; 2]),
    /// Predicates whose clauses began in this load.
    pub(super) defined: FxHashSet<PredId>,
    pub(super) last: Option<PredId>,
    pub(super) warned: FxHashSet<PredId>,
    /// Clauses of other files that were replaced.
    pub(super) replaced: Vec<ReplacedPredicate>,
    /// `initialization/1` goals.
    pub(super) afterwards: Vec<(Record, Span)>,
    /// Which load it is, of all.
    pub(super) number: u64,
    /// Where the term stands that is handled.
    pub(super) term: Span,
    /// What the directive is about that is run, if it is an expectation.
    pub(super) about: Option<String>,
    /// The unit of tests that is open, and where it begins.
    pub(super) unit: Option<(Atom, (Source, Span))>,
    /// The file that the session is about: see [`super::modules`].
    pub(super) is_program: bool,
    /// The module that it says it is.
    pub(super) module: Option<FileModule>,
    /// Names and arities of clauses and directives of a missing library's own language, which are left out.
    pub(super) foreign: Vec<(&'static str, usize)>,
    /// The text has to do with tests.
    pub(super) plunit: bool,
    /// A clause that looks like a test and stands in no unit.
    pub(super) stray: Option<(Source, Span)>,
    /// Blocks of conditional compilation that are open.
    pub(super) blocks: Blocks,
}

impl Loader {
    /// Takes the findings so far.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics)
    }

    /// The number of a file that was loaded, by this name or another one.
    pub(super) fn known(&self, path: &Path) -> Option<usize> {
        let named = self.files.iter().position(|file| file.path == path);
        named.or_else(|| {
            let real = path.canonicalize().ok()?;
            self.files.iter().position(|file| file.path.canonicalize().is_ok_and(|at| at == real))
        })
    }

    /// The source and span of the load in progress, for `prolog_load_context`.
    pub fn current_source(&self) -> Option<&Source> {
        self.stack.last().map(|loading| &self.sources[loading.source as usize])
    }
}

/// What a file's `module/2` says.
#[derive(Clone, Debug)]
pub struct FileModule {
    /// Its name.
    pub name: Atom,
    /// Where its clauses are.
    pub space: Space,
    /// Operators that it exports: priority, kind, name.
    pub operators: Vec<(i64, OpKind, Atom)>,
    /// Exported predicates, for a module in the user's space.
    pub(super) exports: Vec<(Atom, usize)>,
    /// The operators that were there before, to which the file's own are not added.
    pub(super) outside: Option<Operators>,
}

/// A predicate whose clauses another file had before.
pub(super) struct ReplacedPredicate {
    /// The number of that file.
    pub(super) file: u32,
    pub(super) indicator: String,
    /// Where the predicate stands now, …
    pub(super) now: (Source, Span),
    /// … and where it stood.
    pub(super) before: Option<(Source, Span)>,
}

/// What becomes of the terms behind the last directive of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Branch {
    /// They are loaded.
    Taken,
    /// They are passed over, and a later branch may be taken.
    Waiting,
    /// They are passed over, as are all later branches.
    Done,
}

/// A block between `if` and `endif`.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) branch: Branch,
    /// `else` was met.
    pub(super) last: bool,
    /// Where it begins.
    pub(super) span: Span,
}

/// The blocks that are open in a text, innermost last.
#[derive(Debug, Default)]
pub struct Blocks(pub(super) Vec<Block>);

impl Blocks {
    /// Whether terms are passed over.
    pub fn skip(&self) -> bool {
        self.0.last().is_some_and(|block| block.branch != Branch::Taken)
    }
}

/// A term of a text that is loaded.
pub(super) struct LoadedTerm<'a> {
    pub source: &'a Source,
    pub heap: &'a mut Heap,
    /// What is known of it.
    pub term: &'a ReadTerm,
}
