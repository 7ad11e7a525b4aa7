//! Many boards at once: the class `Batch`.

use crate::arena::{PyArena, Shared};
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Mutex;
use zug_environment::{Batch, Buffers, EnvironmentError, Finals, Pixels, Stepping};

/// Arrays of the caller's that the results of a step go to: each contiguous, in one dimension.
#[derive(FromPyObject)]
pub(crate) struct Arrays<'py> {
    observations: Option<Bound<'py, PyAny>>,
    masks: Bound<'py, PyArray1<bool>>,
    players: Bound<'py, PyArray1<i32>>,
    rewards: Bound<'py, PyArray1<f32>>,
    terminated: Bound<'py, PyArray1<bool>>,
    truncated: Bound<'py, PyArray1<bool>>,
    solved: Bound<'py, PyArray1<bool>>,
    final_observations: Option<Bound<'py, PyAny>>,
    final_masks: Option<Bound<'py, PyArray1<bool>>>,
}

/// Observations that are being written.
enum Observed<'py> {
    None,
    Floats(PyReadwriteArray1<'py, f32>),
    Bytes(PyReadwriteArray1<'py, u8>),
}

impl Observed<'_> {
    fn pixels(&mut self) -> PyResult<Pixels<'_>> {
        Ok(match self {
            Observed::None => Pixels::None,
            Observed::Floats(array) => Pixels::Floats(array.as_slice_mut()?),
            Observed::Bytes(array) => Pixels::Bytes(array.as_slice_mut()?),
        })
    }
}

/// Boards of one arena.
#[pyclass(frozen, name = "Batch", module = "zug._zug")]
pub(crate) struct PyBatch {
    shared: Shared,
    batch: Mutex<Batch>,
    boards: usize,
}

/// An array of so many numbers, for writing.
fn writable<'py, T: Element>(
    array: &Bound<'py, PyArray1<T>>,
    length: usize,
    what: &str,
) -> PyResult<PyReadwriteArray1<'py, T>> {
    let mut array =
        array.try_readwrite().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let found = array.as_slice_mut()?.len();
    if found != length {
        let text = format!("the array of {what} has {found} numbers; there are {length}");
        return Err(PyValueError::new_err(text));
    }
    Ok(array)
}

impl PyBatch {
    /// Opens the arrays, and does something that fills them.
    fn fill(
        &self,
        py: Python<'_>,
        arrays: &Arrays<'_>,
        work: impl FnMut(
            &mut Batch,
            &mut zug_environment::Arena,
            &mut Buffers<'_>,
        ) -> Result<(), EnvironmentError>
        + Send,
    ) -> PyResult<()> {
        let (boards, shared) = (self.boards, &self.shared);
        let mut observed = self.observed(arrays.observations.as_ref())?;
        let mut last_observed = self.observed(arrays.final_observations.as_ref())?;
        let legal = boards * shared.choosers() * shared.actions;
        let mut masks = writable(&arrays.masks, legal, "masks")?;
        let last_masks = arrays.final_masks.as_ref();
        let mut last_masks =
            last_masks.map(|array| writable(array, legal, "final masks")).transpose()?;
        let mut players = writable(&arrays.players, boards, "players")?;
        let mut rewards = writable(&arrays.rewards, boards * shared.seats, "rewards")?;
        let mut terminated = writable(&arrays.terminated, boards, "ends")?;
        let mut truncated = writable(&arrays.truncated, boards, "plays cut off")?;
        let mut solved = writable(&arrays.solved, boards, "goals")?;
        let mut buffers = Buffers {
            observations: observed.pixels()?,
            masks: masks.as_slice_mut()?,
            players: players.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            truncated: truncated.as_slice_mut()?,
            solved: solved.as_slice_mut()?,
            finals: match &mut last_masks {
                Some(masks) => Some(Finals {
                    observations: last_observed.pixels()?,
                    masks: masks.as_slice_mut()?,
                }),
                None => None,
            },
        };
        let (mut work, batch) = (work, &self.batch);
        self.shared.ask(py, |arena| work(&mut crate::session::locked(batch), arena, &mut buffers))
    }

    fn observed<'py>(&self, array: Option<&Bound<'py, PyAny>>) -> PyResult<Observed<'py>> {
        let Some(array) = array else { return Ok(Observed::None) };
        let length = self.boards * self.shared.observation.unwrap_or(0);
        if let Ok(floats) = array.cast::<PyArray1<f32>>() {
            return Ok(Observed::Floats(writable(floats, length, "observations")?));
        }
        if let Ok(bytes) = array.cast::<PyArray1<u8>>() {
            return Ok(Observed::Bytes(writable(bytes, length, "observations")?));
        }
        Err(PyTypeError::new_err("observations are an array of float32 or of uint8"))
    }
}

#[pymethods]
impl PyBatch {
    #[new]
    #[pyo3(signature = (arena, boards, most_moves=0, seed=0))]
    fn new(
        py: Python<'_>,
        arena: &PyArena,
        boards: usize,
        most_moves: u32,
        seed: u64,
    ) -> PyResult<PyBatch> {
        let shared = arena.shared.clone();
        let stepping = Stepping { boards, most_moves, seed };
        let batch = shared.ask(py, |arena| Ok(Batch::new(arena, stepping)))?;
        Ok(PyBatch { shared, batch: Mutex::new(batch), boards })
    }

    /// All boards begin anew.
    #[pyo3(signature = (arrays, seed=None))]
    fn reset(&self, py: Python<'_>, arrays: Arrays<'_>, seed: Option<u64>) -> PyResult<()> {
        self.fill(py, &arrays, |batch, arena, buffers| batch.reset(arena, seed, buffers))
    }

    /// Makes a move on each board; where all choose at once there is an action for each player of each board.
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let chosen = actions.as_slice()?;
        if chosen.len() != self.boards * self.shared.choosers() {
            let (boards, each) = (self.boards, self.shared.choosers());
            let text = format!("{} actions for {boards} boards, {each} for each", chosen.len());
            return Err(PyValueError::new_err(text));
        }
        self.fill(py, &arrays, |batch, arena, buffers| batch.step(arena, chosen, buffers))
    }

    /// The state of a board as text.
    fn state(&self, py: Python<'_>, board: usize) -> PyResult<Option<String>> {
        let place = crate::session::locked(&self.batch).place(board);
        let Some(place) = place else { return Err(PyValueError::new_err("no such board")) };
        self.shared.ask(py, |arena| {
            let term = arena.state_term(&place)?;
            Ok(term.map(|term| zug::text(&arena.session, &term)))
        })
    }
}
