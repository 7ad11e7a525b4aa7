//! A state that is stepped in place, with the names that OpenSpiel has: the class `State`.

use crate::arena::Shared;
use crate::session::pictures;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::Arc;
use zug_environment::{EnvironmentError, Mover, Position};

/// The player to move where chance moves.
const CHANCE: i32 = -1;
/// The player to move where all choose at once.
const SIMULTANEOUS: i32 = -2;
/// The player to move at the end.
const TERMINAL: i32 = -4;

/// What was chosen on the way to a state.
#[derive(Clone)]
enum Chosen {
    /// By one player, or by chance.
    One(u32),
    /// By all players at once.
    All(Box<[u32]>),
}

/// A state, stepped in place. Made by `Game.new_initial_state()`.
///
/// The names are those of OpenSpiel's `pyspiel.State`.
#[pyclass(name = "State", module = "zug")]
pub(crate) struct PyState {
    /// The `zug.Game` that it is a state of.
    #[pyo3(get)]
    game: Py<PyAny>,
    shared: Shared,
    position: Arc<Position>,
    history: Vec<Chosen>,
    /// Of a puzzle: what its moves have cost, and the last of them.
    paid: f64,
    last: Option<f64>,
}

impl PyState {
    pub(crate) fn new(game: Py<PyAny>, shared: Shared, position: Arc<Position>) -> PyState {
        PyState { game, shared, position, history: Vec::new(), paid: 0.0, last: None }
    }

    /// The legal actions of who is to move, or of a player.
    fn legal(&self, player: Option<i64>) -> &[u32] {
        match (player, self.position.mover) {
            (None, Mover::Together) => &[],
            (None, _) => self.position.legal(),
            (Some(player), _) => {
                u8::try_from(player).map_or(&[], |seat| self.position.legal_of(seat))
            }
        }
    }

    fn of_player(values: Vec<f64>, player: usize) -> PyResult<f64> {
        let value = values.get(player).copied();
        value.ok_or_else(|| PyIndexError::new_err(format!("there is no player {player}")))
    }

    fn text(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.shared.ask(py, |arena| {
            let term = arena.state_term(&self.position.place)?;
            Ok(term.map(|term| zug::text(&arena.session, &term)))
        })
    }

    /// The board as text and as a picture (SVG).
    fn pictures(&self, py: Python<'_>) -> PyResult<(Option<String>, Option<String>)> {
        self.shared.ask(py, |arena| {
            let term = arena.state_term(&self.position.place)?;
            Ok(term.map_or((None, None), |term| pictures(&mut arena.session, &term)))
        })
    }
}

#[pymethods]
impl PyState {
    /// The game that it is a state of.
    fn get_game(&self, py: Python<'_>) -> Py<PyAny> {
        self.game.clone_ref(py)
    }

    /// Who is to move: a player, `CHANCE`, `SIMULTANEOUS` or `TERMINAL`.
    fn current_player(&self) -> i32 {
        match self.position.mover {
            Mover::Seat(seat) => i32::from(seat),
            Mover::Chance => CHANCE,
            Mover::Together => SIMULTANEOUS,
            Mover::Over => TERMINAL,
        }
    }

    /// Whether it is over.
    fn is_terminal(&self) -> bool {
        self.position.is_over()
    }

    /// Of a puzzle: whether it is solved.
    fn is_goal(&self) -> bool {
        self.position.is_goal
    }

    /// Whether chance is to move.
    fn is_chance_node(&self) -> bool {
        self.position.mover == Mover::Chance
    }

    /// Whether all players are to choose at once.
    fn is_simultaneous_node(&self) -> bool {
        self.position.mover == Mover::Together
    }

    /// Whether one player is to move.
    fn is_player_node(&self) -> bool {
        matches!(self.position.mover, Mover::Seat(_))
    }

    /// The legal actions, ascending: of who is to move, or of a player.
    #[pyo3(signature = (player=None))]
    fn legal_actions<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.legal(player))
    }

    /// By action: 1 if it is legal, else 0.
    #[pyo3(signature = (player=None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut mask = vec![0_u8; self.shared.actions];
        if !self.is_chance_node() {
            for &action in self.legal(player) {
                mask[action as usize] = 1;
            }
        }
        PyList::new(py, mask)
    }

    /// The outcomes of chance, and how likely each of them is.
    fn chance_outcomes(&self) -> Vec<(u32, f64)> {
        let pairs = self.position.legal().iter().zip(&self.position.chances);
        pairs.map(|(&outcome, &chance)| (outcome, chance)).collect()
    }

    /// Makes a move, or takes an outcome of chance.
    fn apply_action(&mut self, py: Python<'_>, action: i64) -> PyResult<()> {
        let number = u32::try_from(action).unwrap_or(u32::MAX);
        let to = match self.position.known_after(number) {
            Some(known) => known,
            None => {
                let from = &self.position;
                self.shared.ask_briefly(py, |arena| match arena.after(from, number) {
                    Err(EnvironmentError::Illegal(_)) if number == u32::MAX => {
                        Err(EnvironmentError::Illegal(format!("action {action} is not legal here")))
                    }
                    reached => reached,
                })?
            }
        };
        if self.shared.is_puzzle() {
            let cost = self.position.cost_of(number);
            self.paid += cost;
            self.last = Some(cost);
        }
        self.position = to;
        self.history.push(Chosen::One(number));
        Ok(())
    }

    /// Makes the moves of all players at once.
    fn apply_actions(&mut self, py: Python<'_>, actions: Vec<u32>) -> PyResult<()> {
        let from = &self.position;
        self.position = self.shared.ask_briefly(py, |arena| {
            let place = arena.after_all(from, &actions)?;
            arena.position(&place)
        })?;
        self.history.push(Chosen::All(actions.into()));
        Ok(())
    }

    /// The state that an action leads to; this one stays.
    fn child(&self, py: Python<'_>, action: i64) -> PyResult<PyState> {
        let mut child = self.clone(py);
        child.apply_action(py, action)?;
        Ok(child)
    }

    /// A state of its own that is the same.
    fn clone(&self, py: Python<'_>) -> PyState {
        PyState {
            game: self.game.clone_ref(py),
            shared: self.shared.clone(),
            position: self.position.clone(),
            history: self.history.clone(),
            paid: self.paid,
            last: self.last,
        }
    }

    fn __copy__(&self, py: Python<'_>) -> PyState {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: Py<PyAny>) -> PyState {
        self.clone(py)
    }

    /// What it has come to for each player: the utility of the end, 0 before; of a puzzle, what
    /// its moves have cost, negative.
    fn returns(&self) -> Vec<f64> {
        if self.shared.is_puzzle() {
            return vec![-self.paid];
        }
        match self.position.returns.is_empty() {
            true => vec![0.0; self.shared.seats],
            false => self.position.returns.clone(),
        }
    }

    /// What the last move has brought.
    fn rewards(&self) -> Vec<f64> {
        match self.shared.is_puzzle() {
            true => vec![-self.last.unwrap_or(0.0)],
            false => self.returns(),
        }
    }

    /// What it has come to for a player.
    fn player_return(&self, player: usize) -> PyResult<f64> {
        PyState::of_player(self.returns(), player)
    }

    /// What the last move has brought a player.
    fn player_reward(&self, player: usize) -> PyResult<f64> {
        PyState::of_player(self.rewards(), player)
    }

    /// The actions that have led here; tuples where all chose at once.
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let made = self.history.iter().map(|chosen| match chosen {
            Chosen::One(action) => Ok(action.into_pyobject(py)?.into_any()),
            Chosen::All(actions) => Ok(PyTuple::new(py, &**actions)?.into_any()),
        });
        made.collect()
    }

    /// How many moves have led here.
    fn move_number(&self) -> usize {
        self.history.len()
    }

    /// The move that an action is, or the outcome of chance: `(action)` or `(player, action)`.
    #[pyo3(signature = (player_or_action, action=None))]
    fn action_to_string<'py>(
        &self,
        py: Python<'py>,
        player_or_action: i64,
        action: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let is_chance = match action {
            Some(_) => player_or_action == i64::from(CHANCE),
            None => self.is_chance_node(),
        };
        let number = action.unwrap_or(player_or_action);
        let name = if is_chance { "outcome_to_string" } else { "action_to_string" };
        self.game.bind(py).call_method1(name, (number,))
    }

    /// The action that is written so.
    fn string_to_action<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
        let name = if self.is_chance_node() { "outcome" } else { "action" };
        self.game.bind(py).call_method1(name, (text,))
    }

    /// The state as numbers, flat; all players see the same.
    #[pyo3(signature = (player=0))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: i64,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let _ = player;
        // Without a size there is an error, which the arena tells.
        let size = self.shared.observation.unwrap_or(0);
        let array = PyArray1::<f32>::zeros(py, size, false);
        {
            let mut own = array.try_readwrite()?;
            let buffer = own.as_slice_mut()?;
            self.shared.ask_briefly(py, |arena| arena.observe(&self.position, buffer))?;
        }
        Ok(array)
    }

    /// The state as a term; `None` in a game that is played once.
    fn term<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let term = self.shared.ask(py, |arena| arena.state_term(&self.position.place))?;
        term.map(|term| self.shared.object(py, &term)).transpose()
    }

    /// The state as text; `None` in a game that is played once.
    fn to_text(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.text(py)
    }

    fn __eq__(&self, other: PyRef<'_, PyState>) -> bool {
        Arc::ptr_eq(&self.shared.arena, &other.shared.arena)
            && self.position.place == other.position.place
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text(py)?.into_pyobject(py)?.hash()
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let (drawn, _) = self.pictures(py)?;
        match drawn {
            Some(drawn) => Ok(drawn),
            None => Ok(self.text(py)?.unwrap_or_default()),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<zug.State {}>", self.text(py)?.unwrap_or_default()))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.pictures(py)?.1)
    }
}
