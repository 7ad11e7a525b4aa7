//! Rules stepped by numbered actions: the classes `Arena` and `State`.

use crate::errors::Trouble;
use crate::session::{locked, pictures};
use crate::terms::Taken;
use crate::watched::watched;
use numpy::{PyReadwriteArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use zug_environment::{Arena, EnvironmentError, Kind, Mover, Place, Position};
use zug_term::Record;

/// How long a question is asked at once; one that takes longer is asked anew beside the interpreter.
const AT_ONCE: Duration = Duration::from_millis(200);

/// An arena that several objects have.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) arena: Arc<Mutex<Arena>>,
    flag: Arc<AtomicBool>,
}

impl Shared {
    /// Asks the rules: at once if they answer soon, else beside the interpreter, where Ctrl-C stops it.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        mut work: impl FnMut(&mut Arena) -> Result<T, EnvironmentError> + Send,
    ) -> PyResult<T> {
        let mut run = |patience: Option<Duration>| {
            let mut arena = locked(&self.arena);
            arena.patience = patience;
            match work(&mut arena) {
                Err(error) if patience.is_some() && Arena::is_out_of_time(&error) => None,
                Err(error) => Some(Err(Trouble::environment(&arena.session, error))),
                Ok(found) => Some(Ok(found)),
            }
        };
        let found = match py.detach(|| run(Some(AT_ONCE))) {
            Some(found) => Some(found),
            None => watched(py, &self.flag, || run(None))?,
        };
        match found {
            Some(found) => Ok(found?),
            None => Err(Trouble::new("LimitError", "the rules were stopped").into()),
        }
    }

    /// A term as a Python object.
    fn object<'py>(&self, py: Python<'py>, term: &Record) -> PyResult<Bound<'py, PyAny>> {
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
    pub(crate) seats: usize,
    pub(crate) actions: usize,
}

impl PyArena {
    pub(crate) fn new(arena: Arena, flag: Arc<AtomicBool>) -> PyArena {
        let names = [
            arena.actions().names().to_vec(),
            arena.outcomes().names().to_vec(),
            arena.players().to_vec(),
        ];
        let (start, seats, actions) = (arena.start().clone(), arena.seats(), arena.actions().len());
        let shared = Shared { arena: Arc::new(Mutex::new(arena)), flag };
        PyArena { shared, names, start, seats, actions }
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
        match locked(&self.shared.arena).kind() {
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
        self.seats
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

    /// The state that plays begin with.
    fn start(&self, py: Python<'_>) -> PyResult<PyState> {
        PyState::at(py, &self.shared, &self.start)
    }
}

/// A state, and what there is to choose.
#[pyclass(frozen, name = "State", module = "zug._zug")]
pub(crate) struct PyState {
    shared: Shared,
    position: Arc<Position>,
}

impl PyState {
    fn at(py: Python<'_>, shared: &Shared, place: &Place) -> PyResult<PyState> {
        let known = shared.arena.try_lock().ok().and_then(|arena| arena.known(place));
        let position = match known {
            Some(position) => position,
            None => shared.ask(py, |arena| arena.position(place))?,
        };
        Ok(PyState { shared: shared.clone(), position })
    }

    fn trouble(&self, error: EnvironmentError) -> PyErr {
        Trouble::environment(&locked(&self.shared.arena).session, error).into()
    }
}

#[pymethods]
impl PyState {
    /// The player to move by number; -1 for chance, -2 where all choose at once, -4 at the end.
    fn mover(&self) -> i32 {
        match self.position.mover {
            Mover::Seat(seat) => i32::from(seat),
            Mover::Chance => -1,
            Mover::Together => -2,
            Mover::Over => -4,
        }
    }

    /// Whether it is over.
    fn is_over(&self) -> bool {
        self.position.is_over()
    }

    /// Of a puzzle: whether it is a goal.
    fn is_goal(&self) -> bool {
        self.position.is_goal
    }

    /// The legal actions of who is to move; the outcomes of chance.
    fn legal(&self) -> Vec<u32> {
        match self.position.mover {
            Mover::Together => Vec::new(),
            _ => self.position.legal().to_vec(),
        }
    }

    /// The legal actions of a player.
    fn legal_of(&self, player: u8) -> Vec<u32> {
        self.position.legal_of(player).to_vec()
    }

    /// The outcomes of chance, and how likely each of them is.
    fn chances(&self) -> Vec<(u32, f64)> {
        let pairs = self.position.legal().iter().zip(&self.position.chances);
        pairs.map(|(&outcome, &chance)| (outcome, chance)).collect()
    }

    /// What the end is worth to each player.
    fn returns(&self) -> Vec<f64> {
        self.position.returns.clone()
    }

    /// Of a puzzle: what an action costs.
    fn cost(&self, action: u32) -> f64 {
        let at = self.position.legal().binary_search(&action).ok();
        at.and_then(|at| self.position.costs.get(at).copied()).unwrap_or(0.0)
    }

    /// The state that an action leads to, or an outcome of chance.
    fn after(&self, py: Python<'_>, action: i64) -> PyResult<PyState> {
        let number = u32::try_from(action).unwrap_or(u32::MAX);
        let place = Arena::after(&self.position, number).map_err(|error| match error {
            EnvironmentError::Illegal(_) if number == u32::MAX => self
                .trouble(EnvironmentError::Illegal(format!("action {action} is not legal here"))),
            error => self.trouble(error),
        })?;
        PyState::at(py, &self.shared, &place)
    }

    /// The state that actions lead to, one of each player.
    fn after_all(&self, py: Python<'_>, actions: Vec<u32>) -> PyResult<PyState> {
        let from = self.position.clone();
        let place = self.shared.ask(py, |arena| arena.after_all(&from, &actions))?;
        PyState::at(py, &self.shared, &place)
    }

    /// The state as a term; `None` in a game that is played once.
    fn term<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let term = self.shared.ask(py, |arena| arena.state_term(&self.position.place))?;
        term.map(|term| self.shared.object(py, &term)).transpose()
    }

    /// The same as text.
    fn text(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let term = self.shared.ask(py, |arena| arena.state_term(&self.position.place))?;
        Ok(term.map(|term| zug::text(&locked(&self.shared.arena).session, &term)))
    }

    /// The board as text and as a picture (SVG).
    fn pictures(&self, py: Python<'_>) -> PyResult<(Option<String>, Option<String>)> {
        self.shared.ask(py, |arena| {
            let term = arena.state_term(&self.position.place)?;
            Ok(term.map_or((None, None), |term| pictures(&mut arena.session, &term)))
        })
    }

    /// Writes the state as numbers, into an array of the caller's.
    fn observe(&self, py: Python<'_>, mut out: PyReadwriteArray1<'_, f32>) -> PyResult<()> {
        let length = out.len();
        let buffer = out.as_slice_mut()?;
        self.shared.ask(py, |arena| {
            let size = arena.observer()?.size();
            if size != length {
                return Err(EnvironmentError::Space(format!(
                    "an observation has {size} numbers, and the array {length}"
                )));
            }
            arena.observe(&self.position, buffer)
        })
    }

    fn __eq__(&self, other: PyRef<'_, PyState>) -> bool {
        Arc::ptr_eq(&self.shared.arena, &other.shared.arena)
            && self.position.place == other.position.place
    }
}
