//! Rules and queries: the class `Session`.

use crate::arena::PyArena;
use crate::asked::{read, take};
use crate::commands;
use crate::errors::Trouble;
use crate::progress::Told;
use crate::terms::Taken;
use crate::watched::{told, watched, watched_for};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use zug::Failure;
use zug::render::board;
use zug::render::style::Theme;
use zug::render::tree::{self as tree_pictures, TreeOutput, View};
use zug::usecases::tree::options::{ENGINE, FORM, PLACE, STATE};
use zug::usecases::tree::{TreeRequest, tree};
use zug::usecases::{check, load};
use zug_code::Specialise;
use zug_domain::options::EFFORT;
use zug_domain::{Contract, DomainKind};
use zug_environment::{Arena, SurveyLimits};
use zug_machine::Fault;
use zug_options::{Rows, Table, Within};
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::session::{Allowance, LoadError, Query, Session};
use zug_search::options::{LIMITS, PARAMETERS, SAMPLING};

/// Where rules come from.
#[derive(Clone)]
pub(crate) enum RuleSource {
    File(PathBuf),
    /// A name, and the text.
    Text(String, String),
}

/// A query that is open.
struct Open {
    number: u64,
    query: Query,
    /// Nobody wants more of it; it is closed when those begun later are.
    is_done: bool,
}

/// A session with its open queries, the one begun last at the end.
pub(crate) struct Rules {
    pub(crate) session: Session,
    written: SharedBuffer,
    sources: Vec<RuleSource>,
    /// The folder that a sandbox keeps the rules in (none, if the path is empty), if they are in one.
    sandbox: Option<PathBuf>,
    /// Bytes that the rules may take.
    memory: Option<usize>,
    /// The base that all is answered from, if there is one.
    pub(crate) base: Option<PathBuf>,
    open: Vec<Open>,
    begun: u64,
}

/// Where rules come from, and how they are loaded.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    sources: &'a [RuleSource],
    sandbox: Option<&'a Path>,
    memory: Option<usize>,
}

// `Session::query` is answered in the order of a stack.
impl Rules {
    /// What the rules are called in reports: their first file.
    pub(crate) fn file(&self) -> PathBuf {
        match self.sources.first() {
            Some(RuleSource::File(path)) => path.clone(),
            Some(RuleSource::Text(name, _)) => PathBuf::from(name),
            None => PathBuf::from("rules"),
        }
    }

    /// Where the rules come from, and how they are loaded.
    pub(crate) fn origin(&self) -> Origin<'_> {
        Origin { sources: &self.sources, sandbox: self.sandbox.as_deref(), memory: self.memory }
    }

    fn close_done(&mut self) {
        while self.open.last().is_some_and(|open| open.is_done) {
            if let Some(open) = self.open.pop() {
                self.session.close(open.query);
            }
        }
    }

    fn close(&mut self, number: u64) {
        if let Some(open) = self.open.iter_mut().find(|open| open.number == number) {
            open.is_done = true;
        }
        self.close_done();
    }

    fn next(&mut self, number: u64, limits: &Allowance) -> Result<Option<Answer>, Trouble> {
        let Some(open) = self.open.last_mut() else { return Ok(None) };
        if open.number != number {
            return match self.open.iter().any(|open| open.number == number && !open.is_done) {
                true => Err(Trouble::new(
                    "RequestError",
                    "a query that was begun later is still open: finish it, or close() it, first",
                )),
                false => Ok(None),
            };
        }
        self.session.allow(limits);
        let answered = self.session.next(&mut open.query);
        self.session.allow(&Allowance::default());
        match answered {
            Ok(true) => self.answer().map(Some),
            Ok(false) => {
                self.close(number);
                Ok(None)
            }
            Err(fault) => {
                let trouble = Trouble::fault(&self.session, &fault);
                self.close(number);
                Err(trouble)
            }
        }
    }

    /// The answer of the query begun last.
    fn answer(&self) -> Result<Answer, Trouble> {
        let Some(open) = self.open.last() else { return Ok(Vec::new()) };
        let m = &self.session.machine;
        let named = self.session.bindings(&open.query);
        let shown = named.filter(|(name, _)| !name.starts_with('_'));
        shown
            .map(|(name, cell)| Ok((name.to_owned(), Taken::of(&m.heap, &m.symbols, cell)?)))
            .collect()
    }
}

/// Variables and their values.
type Answer = Vec<(String, Taken)>;

/// What a cell has said: text, and a picture (SVG) behind it, if there is one.
type Said = (String, Option<String>);

/// Rules that are loaded, and what they are asked.
#[pyclass(frozen, name = "Session", module = "zug._zug")]
pub(crate) struct PySession {
    rules: Arc<Mutex<Rules>>,
    flag: Arc<AtomicBool>,
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A session that has loaded rules; warnings are of no interest here. `flag` ends what it does.
pub(crate) fn loaded(
    Origin { sources, sandbox, memory }: Origin<'_>,
    flag: Option<&Arc<AtomicBool>>,
    mode: Specialise,
) -> Result<Rules, Trouble> {
    let (mut session, written) = zug::captured("");
    let most = memory.unwrap_or_else(zug::default_memory);
    session.allow(&Allowance { memory: Some(most), ..Allowance::default() });
    mode.set(&mut session.world);
    if let Some(flag) = flag {
        session.machine.interrupt.clone_from(flag);
    }
    if let Some(root) = sandbox {
        session.sandbox(root);
    }
    for source in sources {
        match source {
            RuleSource::File(path) => {
                load(&mut session, path).map_err(|failure| Trouble::failure(&failure))?;
            }
            RuleSource::Text(name, text) => {
                let findings = match session.try_load_text(name, text) {
                    Ok(findings) => findings,
                    Err(LoadError::Stopped(fault, findings))
                        if !matches!(fault, Fault::Halt(_)) =>
                    {
                        return Err(Trouble::failure(&Failure::Stopped(fault, findings)));
                    }
                    Err(LoadError::Stopped(_, findings)) => findings,
                    Err(LoadError::Io(error)) => {
                        return Err(Trouble::new("LoadError", error.to_string()));
                    }
                };
                if findings.iter().any(|finding| finding.is_error()) {
                    return Err(Trouble::findings("LoadError", &findings));
                }
            }
        }
    }
    let (sources, sandbox) = (sources.to_vec(), sandbox.map(Path::to_owned));
    Ok(Rules { session, written, sources, sandbox, memory, base: None, open: Vec::new(), begun: 0 })
}

/// Limits as Python gives them.
fn allowance(time: Option<f64>, inferences: Option<u64>, memory: Option<usize>) -> Allowance {
    let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Allowance { time, inferences, memory, ..Allowance::default() }
}

impl PySession {
    /// Does some work with the rules.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Rules) -> Result<T, Trouble> + Send,
    ) -> PyResult<T> {
        let rules = self.rules.clone();
        Ok(watched(py, &self.flag, move || work(&mut locked(&rules)))??)
    }
}

#[pymethods]
impl PySession {
    /// Loads files and texts, each a pair of a name and the text or `None` for a file.
    #[new]
    #[pyo3(signature = (sources, sandbox=None, time=None, memory=None))]
    fn new(
        py: Python<'_>,
        sources: Vec<(String, Option<String>)>,
        sandbox: Option<PathBuf>,
        time: Option<f64>,
        memory: Option<usize>,
    ) -> PyResult<PySession> {
        let sources = sources.into_iter().map(|(name, text)| match text {
            Some(text) => RuleSource::Text(name, text),
            None => RuleSource::File(PathBuf::from(name)),
        });
        let sources: Vec<RuleSource> = sources.collect();
        let flag: Arc<AtomicBool> = Arc::default();
        let origin = Origin { sources: &sources, sandbox: sandbox.as_deref(), memory };
        let rules = watched_for(py, &flag, time, || loaded(origin, Some(&flag), Specialise::On))??;
        Ok(PySession { rules: Arc::new(Mutex::new(rules)), flag })
    }

    /// Begins a query.
    #[pyo3(signature = (goal, time=None, inferences=None, memory=None))]
    fn query(
        &self,
        py: Python<'_>,
        goal: String,
        time: Option<f64>,
        inferences: Option<u64>,
        memory: Option<usize>,
    ) -> PyResult<PyQuery> {
        let number = self.work(py, move |rules| {
            let begun = rules.session.query(&goal);
            let query = begun.map_err(|fault| {
                Trouble::findings("SyntaxError", std::slice::from_ref(&fault.diagnostic))
            })?;
            rules.begun += 1;
            rules.open.push(Open { number: rules.begun, query, is_done: false });
            Ok(rules.begun)
        })?;
        let limits = allowance(time, inferences, memory);
        Ok(PyQuery { rules: self.rules.clone(), flag: self.flag.clone(), number, limits })
    }

    /// What the rules have written since the last time.
    fn output(&self, py: Python<'_>) -> PyResult<String> {
        self.work(py, |rules| {
            let _ = rules.session.world.streams.flush_standard();
            Ok(rules.written.take())
        })
    }

    /// What kind of rules these are, in a word.
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.work(py, |rules| {
            Ok(match Contract::of(&rules.session.machine).kind() {
                DomainKind::Puzzle => "puzzle",
                DomainKind::Game => "game",
                DomainKind::Simultaneous => "simultaneous",
                DomainKind::Model => "model",
                DomainKind::Program => "program",
            })
        })
    }

    /// The findings about the rules, as `zug check` tells them: a record of JSON.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        self.work(py, |rules| {
            let (mut session, _) = zug::captured("");
            if let Some(root) = &rules.sandbox {
                session.sandbox(root);
            }
            let mut findings = Vec::new();
            let mut file = PathBuf::from("rules");
            for source in &rules.sources {
                match source {
                    RuleSource::File(path) => {
                        file.clone_from(path);
                        let loaded = session.load_file(path);
                        findings.extend(loaded.unwrap_or_default());
                    }
                    RuleSource::Text(name, text) => {
                        findings.extend(session.load_text(name, text));
                    }
                }
            }
            session.machine.interrupt.clone_from(&rules.session.machine.interrupt);
            let checked = zug_tools::check::program(&mut session, findings);
            Ok(zug::record_line("result", &check::report(&file, &checked)))
        })
    }

    /// Does what a command of zug does, with options as an object of JSON: the records of its reports, and
    /// remarks. `progress` is called with records of how far it is.
    #[pyo3(signature = (command, request, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        command: String,
        request: String,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Vec<String>, Vec<String>)> {
        let rules = self.rules.clone();
        let found = told(py, &self.flag, (progress.as_ref(), None), move |tell| {
            commands::run(&mut locked(&rules), &command, &request, &Told::new(tell))
        })??;
        Ok((found.records, found.remarks))
    }

    /// Answers from a base from now on, or from none: the base that was used before.
    fn answer_from(&self, py: Python<'_>, base: Option<PathBuf>) -> PyResult<Option<PathBuf>> {
        self.work(py, move |rules| {
            let before = rules.base.clone();
            rules.answer_from(base.as_deref())?;
            Ok(before)
        })
    }

    /// A tree of moves, or of a search, in a format; and what its reader has to know.
    fn tree(
        &self,
        py: Python<'_>,
        request: String,
        format: String,
    ) -> PyResult<(String, Vec<String>)> {
        self.work(py, move |rules| {
            let given = read(&request)?;
            let format = TreeOutput::by_word(&format).ok_or_else(|| {
                let formats = TreeOutput::NAMES;
                Trouble::new("RequestError", format!("there is no format `{format}`: {formats}"))
            })?;
            let session = &mut rules.session;
            let cancel = session.machine.interrupt.clone();
            let mut request = TreeRequest::default();
            take(&given, "tree", &TREE, &mut request)?;
            request.limits.cancel = Some(cancel);
            let report = tree(session, &request).map_err(|f| Trouble::failure(&f))?;
            let labels = tree_pictures::labels(session, &report, tree_pictures::LabelKind::Board);
            let view = View { columns: Some(100), lines: Some(200), ..View::default() };
            let theme = Theme::new(false);
            let written = tree_pictures::written(&report, &labels, format, &theme, view)
                .map_err(|why| Trouble::new("RequestError", why))?;
            Ok((String::from_utf8_lossy(&written.bytes).into_owned(), written.remarks))
        })
    }

    /// Numbered actions and states as numbers: rules of their own, from the same files and texts.
    #[pyo3(signature = (instance=None, states=10_000, moves=30_000, time=None, memory=None))]
    fn arena(
        &self,
        py: Python<'_>,
        instance: Option<String>,
        states: usize,
        moves: usize,
        time: Option<f64>,
        memory: Option<usize>,
    ) -> PyResult<PyArena> {
        let rules = self.rules.clone();
        let arena = watched_for(py, &self.flag, time, move || {
            let rules = &mut *locked(&rules);
            let flag = &rules.session.machine.interrupt;
            let origin = Origin { memory: memory.or(rules.memory), ..rules.origin() };
            let own = loaded(origin, Some(flag), Specialise::On)?.session;
            let limits = SurveyLimits { states, moves };
            Arena::new(own, instance.as_deref(), limits)
                .map_err(|failed| Trouble::environment(&failed.0, failed.1))
        })??;
        Ok(PyArena::new(arena, self.flag.clone()))
    }

    /// Runs a cell of a notebook: what it has said, pairs of text and a picture (SVG) behind it, if there
    /// is one; and how many errors there were.
    fn cell(
        &self,
        py: Python<'_>,
        name: String,
        text: String,
        answers: usize,
    ) -> PyResult<(Vec<Said>, u32)> {
        self.work(py, move |rules| {
            let Rules { session, written, .. } = rules;
            let mut said = Vec::new();
            let show = |picture| said.push((written.take(), Some(picture)));
            let errors = zug::repl::run_cell(session, (&name, &text), answers, show)
                .map_err(|error| Trouble::new("RulesError", error.to_string()))?;
            said.push((written.take(), None));
            Ok((said, errors))
        })
    }

    /// The names that complete what stands before a place in a text, counted in characters, and where
    /// they begin.
    fn complete(
        &self,
        py: Python<'_>,
        text: String,
        place: usize,
    ) -> PyResult<(usize, Vec<String>)> {
        self.work(py, move |rules| {
            let before: String = text.chars().take(place).collect();
            let (start, names) = zug::repl::completions(&rules.session, &before);
            Ok((before[..start].chars().count(), names))
        })
    }

    /// A state as text and as a picture (SVG); none where it is neither drawn nor printed.
    fn board(&self, py: Python<'_>, state: String) -> PyResult<(Option<String>, Option<String>)> {
        self.work(py, move |rules| board_of(&mut rules.session, &state))
    }
}

/// A state as text and as a picture.
fn board_of(
    session: &mut Session,
    state: &str,
) -> Result<(Option<String>, Option<String>), Trouble> {
    let term = zug::usecases::given::term(session, "state", state)
        .map_err(|failure| Trouble::failure(&failure))?;
    Ok(pictures(session, &term))
}

/// A state as text and as a picture.
pub(crate) fn pictures(
    session: &mut Session,
    term: &zug_term::Record,
) -> (Option<String>, Option<String>) {
    let text = board::draw(session, term);
    let picture = board::picture(session, term).ok();
    (text, picture.map(|picture| board::svg::single("", &picture)))
}

/// What a tree is asked for with.
static TREE: Table<TreeRequest> = Table(&[
    &Rows(&ENGINE),
    &Rows(&STATE),
    &Rows(&PLACE),
    &Rows(&FORM),
    &Within(&LIMITS, |to: &mut TreeRequest| &mut to.limits),
    &Within(&PARAMETERS, |to: &mut TreeRequest| &mut to.options),
    &Within(&SAMPLING, |to: &mut TreeRequest| &mut to.sampling),
    &Within(&EFFORT, |to: &mut TreeRequest| &mut to.effort),
]);

/// Answers, one after the other.
#[pyclass(name = "Query", module = "zug._zug")]
pub(crate) struct PyQuery {
    rules: Arc<Mutex<Rules>>,
    flag: Arc<AtomicBool>,
    number: u64,
    limits: Allowance,
}

#[pymethods]
impl PyQuery {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (rules, number, limits) = (self.rules.clone(), self.number, self.limits);
        let answer = watched(py, &self.flag, move || locked(&rules).next(number, &limits))??;
        let Some(answer) = answer else { return Ok(None) };
        let bindings = PyDict::new(py);
        for (name, taken) in answer {
            bindings.set_item(name, taken.object(py)?)?;
        }
        Ok(Some(bindings))
    }

    /// Ends the query; more answers are not looked for.
    fn close(&self, py: Python<'_>) {
        py.detach(|| locked(&self.rules).close(self.number));
    }
}

impl Drop for PyQuery {
    fn drop(&mut self) {
        // Where it is asked something now, a later query closes it.
        if let Ok(mut rules) = self.rules.try_lock() {
            rules.close(self.number);
        }
    }
}
