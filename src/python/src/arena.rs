//! Rules with numbered actions: the class `Arena`.

use crate::errors::Trouble;
use crate::session::locked;
use crate::state::PyState;
use crate::terms::Taken;
use crate::watched::watched;
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use zug_environment::{Arena, EnvironmentError, Kind, Place, Position};
use zug_term::Record;

/// How long a question is asked while the interpreter is held: less than the five milliseconds for which
/// threads of Python hold it themselves. One that takes longer is asked anew.
const HELD: Duration = Duration::from_millis(2);
/// How long a question is asked beside the interpreter before it has a thread of its own.
const BESIDE: Duration = Duration::from_millis(200);

/// An arena that several objects have.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) arena: Arc<Mutex<Arena>>,
    flag: Arc<AtomicBool>,
    pub(crate) seats: usize,
    pub(crate) actions: usize,
    pub(crate) kind: Kind,
    /// Numbers of an observation, if states can be written as such.
    pub(crate) observation: Option<usize>,
}

/// Asks the rules; `None` if it takes longer.
fn within<T>(
    arena: &mut Arena,
    patience: Option<Duration>,
    work: &mut impl FnMut(&mut Arena) -> Result<T, EnvironmentError>,
) -> Option<Result<T, Trouble>> {
    arena.patience = patience;
    match work(arena) {
        Err(error) if patience.is_some() && Arena::is_out_of_time(&error) => None,
        Err(error) => Some(Err(Trouble::environment(&arena.session, error))),
        Ok(found) => Some(Ok(found)),
    }
}

impl Shared {
    pub(crate) fn is_puzzle(&self) -> bool {
        self.kind == Kind::Puzzle
    }

    /// How many actions a step of a board takes: one, or one of each player.
    pub(crate) fn choosers(&self) -> usize {
        if self.kind == Kind::Together { self.seats } else { 1 }
    }

    /// Asks the rules beside the interpreter: in this thread if they answer soon, else in one of their own,
    /// where Ctrl-C stops them.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        mut work: impl FnMut(&mut Arena) -> Result<T, EnvironmentError> + Send,
    ) -> PyResult<T> {
        let soon = py.detach(|| within(&mut locked(&self.arena), Some(BESIDE), &mut work));
        let found = match soon {
            Some(found) => Some(found),
            None => watched(py, &self.flag, || within(&mut locked(&self.arena), None, &mut work))?,
        };
        match found {
            Some(found) => Ok(found?),
            None => Err(Trouble::new("LimitError", "the rules were stopped").into()),
        }
    }

    /// Asks the rules something that they mostly answer at once; if they don't, as [`Shared::ask`].
    pub(crate) fn ask_briefly<T: Send>(
        &self,
        py: Python<'_>,
        mut work: impl FnMut(&mut Arena) -> Result<T, EnvironmentError> + Send,
    ) -> PyResult<T> {
        // Nothing is waited for while the interpreter is held.
        let found = match self.arena.try_lock() {
            Ok(mut arena) => within(&mut arena, Some(HELD), &mut work),
            Err(_) => None,
        };
        match found {
            Some(found) => Ok(found?),
            None => self.ask(py, work),
        }
    }

    /// A term as a Python object.
    pub(crate) fn object<'py>(
        &self,
        py: Python<'py>,
        term: &Record,
    ) -> PyResult<Bound<'py, PyAny>> {
        let taken = {
            let arena = locked(&self.arena);
            let (heap, root) = term.to_heap();
            Taken::of(&heap, &arena.session.machine.symbols, root)?
        };
        taken.object(py)
    }
}

/// Rules with numbered actions.
#[pyclass(frozen, name = "Arena", module = "zug._zug")]
pub(crate) struct PyArena {
    pub(crate) shared: Shared,
    names: [Vec<Record>; 3],
    start: Place,
    first: OnceLock<Arc<Position>>,
}

impl PyArena {
    pub(crate) fn new(arena: Arena, flag: Arc<AtomicBool>) -> PyArena {
        let names = [
            arena.actions().names().to_vec(),
            arena.outcomes().names().to_vec(),
            arena.players().to_vec(),
        ];
        let (start, seats, actions) = (arena.start().clone(), arena.seats(), arena.actions().len());
        let kind = arena.kind();
        let observation = arena.observer().ok().map(|observer| observer.size());
        let arena = Arc::new(Mutex::new(arena));
        let shared = Shared { arena, flag, seats, actions, kind, observation };
        PyArena { shared, names, start, first: OnceLock::new() }
    }

    fn terms<'py>(&self, py: Python<'py>, which: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.names[which].iter().map(|name| self.shared.object(py, name)).collect()
    }

    fn texts(&self, which: usize) -> Vec<String> {
        let arena = locked(&self.shared.arena);
        self.names[which].iter().map(|name| zug::text(&arena.session, name)).collect()
    }
}

#[pymethods]
impl PyArena {
    /// `game`, `simultaneous` or `puzzle`.
    fn kind(&self) -> &'static str {
        match self.shared.kind {
            Kind::Game => "game",
            Kind::Together => "simultaneous",
            Kind::Puzzle => "puzzle",
        }
    }

    /// The moves by the numbers of their actions, as terms.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.terms(py, 0)
    }

    /// The same as text.
    fn action_texts(&self) -> Vec<String> {
        self.texts(0)
    }

    /// What can come of chance, as text.
    fn outcome_texts(&self) -> Vec<String> {
        self.texts(1)
    }

    /// The players' names, as terms.
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.terms(py, 2)
    }

    /// The same as text.
    fn player_texts(&self) -> Vec<String> {
        self.texts(2)
    }

    /// How many players there are.
    fn seats(&self) -> usize {
        self.shared.seats
    }

    /// Whether the survey has seen all states, how many it has looked at, and whether the rules declare
    /// their moves.
    fn survey(&self) -> (bool, usize, bool) {
        let arena = locked(&self.shared.arena);
        let survey = arena.survey();
        (survey.is_complete, survey.states, arena.actions().is_declared)
    }

    /// The lengths of an observation, what its planes stand for, and whether integers are in it.
    fn observation(&self) -> PyResult<(Vec<usize>, Vec<String>, bool)> {
        let arena = locked(&self.shared.arena);
        let observer = match arena.observer() {
            Ok(observer) => observer.clone(),
            Err(error) => return Err(Trouble::environment(&arena.session, error).into()),
        };
        Ok((observer.shape(), observer.planes().to_vec(), observer.has_integers()))
    }

    /// The state that plays begin with, as one of a `zug.Game`.
    fn start(&self, py: Python<'_>, game: Py<PyAny>) -> PyResult<PyState> {
        let position = match self.first.get() {
            Some(first) => first.clone(),
            None => {
                let first = self.shared.ask(py, |arena| arena.position(&self.start))?;
                self.first.get_or_init(|| first).clone()
            }
        };
        Ok(PyState::new(game, self.shared.clone(), position))
    }
}
