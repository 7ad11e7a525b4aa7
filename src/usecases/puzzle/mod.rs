//! `play` of a puzzle: a person makes the moves.
//!
//! A [`Puzzle`] is where the person stands, with the way there and what was taken back; the rules
//! are asked for every move. What is known of the way to a goal is in [`GoalOutlook`]. All of it is
//! text- and terminal-free; the crate `repl` holds the conversation.

mod ahead;
mod record;
#[cfg(test)]
mod tests;

pub use ahead::{GoalOutlook, KnownPlan};
pub use record::{load, save};

use super::diagnosis::diagnosed;
use super::given::{GIVEN, must_be_state, starts};
use super::{Failure, Named};
use std::time::Duration;
use zug_domain::{Contract, DomainKind, Number, PuzzleState, puzzle_state};
use zug_prolog::session::Session;
use zug_term::Record;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct PuzzleRequest {
    /// How the rules are called: the file.
    pub rules: String,
    /// The instance; the first one if none is named.
    pub instance: Option<String>,
    /// The state to start from in its place, as a term.
    pub state: Option<String>,
    /// Time for a look ahead.
    pub time: Option<Duration>,
}

/// A puzzle being played.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// How the rules are called.
    pub rules: String,
    /// How the start is called, if that is worth showing.
    pub instance: Option<String>,
    time: Duration,
    /// The states so far, each with the move that was made there.
    past: Vec<(PuzzleState, usize)>,
    now: PuzzleState,
    /// What was taken back, the last one first.
    undone: Vec<(usize, PuzzleState)>,
    /// What is known of the way from states to a goal.
    known: Vec<(Record, GoalOutlook)>,
}

/// Time for a look ahead unless something else is said.
const TIME: Duration = Duration::from_secs(2);

/// A state and what can be done there.
fn look(session: &mut Session, state: &Record) -> Result<PuzzleState, Failure> {
    let contract = Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    puzzle_state(m, w, &contract, state).map_err(|error| Failure::rule(session, &error))
}

impl Puzzle {
    /// Begins with the rules that are loaded.
    ///
    /// # Errors
    /// They are no puzzle; there is no such instance, or the state is none; an error in a rule.
    pub fn begin(session: &mut Session, request: &PuzzleRequest) -> Result<Puzzle, Failure> {
        Self::begun(session, request).map_err(|failure| diagnosed(session, failure))
    }

    fn begun(session: &mut Session, request: &PuzzleRequest) -> Result<Puzzle, Failure> {
        let contract = Contract::of(&session.machine);
        if contract.kind() != DomainKind::Puzzle {
            return Err(Failure::NoDomain);
        }
        let (instance, state) = (request.instance.as_deref(), request.state.as_deref());
        let found = starts(session, &contract, instance, state)?;
        let Some(Named { instance, name, named }) = found.into_iter().next() else {
            return Err(Failure::NoSuchInstance("1".to_owned(), Vec::new()));
        };
        let now = look(session, &instance.state)?;
        Ok(Puzzle {
            rules: request.rules.clone(),
            instance: named.then_some(name),
            time: request.time.unwrap_or(TIME),
            past: Vec::new(),
            now,
            undone: Vec::new(),
            known: Vec::new(),
        })
    }

    /// Begins another instance of the same rules.
    ///
    /// # Errors
    /// As there; then nothing has changed.
    pub fn restart_with(&mut self, session: &mut Session, name: &str) -> Result<(), Failure> {
        let request = PuzzleRequest {
            rules: self.rules.clone(),
            instance: Some(name.to_owned()),
            state: None,
            time: Some(self.time),
        };
        *self = Puzzle::begin(session, &request)?;
        Ok(())
    }

    /// As [`Puzzle::begin`], from a state.
    ///
    /// # Errors
    /// As there.
    pub fn begin_at(
        session: &mut Session,
        request: &PuzzleRequest,
        state: &Record,
    ) -> Result<Puzzle, Failure> {
        let contract = Contract::of(&session.machine);
        must_be_state(session, &contract, state)?;
        let mut puzzle = Puzzle::begin(session, request)?;
        puzzle.now = look(session, state)?;
        puzzle.instance = Some(GIVEN.to_owned());
        Ok(puzzle)
    }

    /// Where the person stands.
    pub fn now(&self) -> &PuzzleState {
        &self.now
    }

    /// The state it began in.
    pub fn start(&self) -> &Record {
        self.past.first().map_or(&self.now.state, |(spot, _)| &spot.state)
    }

    /// The moves so far.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = &Record> {
        self.past.iter().map(|(spot, at)| &spot.moves[*at].mv)
    }

    /// What they cost together.
    pub fn cost(&self) -> Number {
        let costs = self.past.iter().map(|(spot, at)| spot.moves[*at].cost);
        costs.fold(Number::Int(0), Number::plus)
    }

    /// Makes a move, by its place.
    ///
    /// # Errors
    /// An error in a rule; then nothing has changed.
    pub fn make(&mut self, session: &mut Session, choice: usize) -> Result<(), Failure> {
        let Some(to) = self.now.moves.get(choice).map(|choice| choice.state.clone()) else {
            return Ok(());
        };
        let next = look(session, &to)?;
        self.past.push((std::mem::replace(&mut self.now, next), choice));
        self.undone.clear();
        Ok(())
    }

    /// Takes back so many moves, or as many as there are: how many that were.
    pub fn undo(&mut self, moves: usize) -> usize {
        let most = moves.min(self.past.len());
        for _ in 0..most {
            if let Some((spot, choice)) = self.past.pop() {
                self.undone.push((choice, std::mem::replace(&mut self.now, spot)));
            }
        }
        most
    }

    /// Makes so many moves again that were taken back: how many that were.
    pub fn redo(&mut self, moves: usize) -> usize {
        let most = moves.min(self.undone.len());
        for _ in 0..most {
            if let Some((choice, spot)) = self.undone.pop() {
                self.past.push((std::mem::replace(&mut self.now, spot), choice));
            }
        }
        most
    }

    /// The names of the program's instances.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn instances(session: &mut Session) -> Result<Vec<String>, Failure> {
        let contract = Contract::of(&session.machine);
        let found = starts(session, &contract, None, None)?;
        Ok(found.into_iter().map(|named| named.name).collect())
    }
}
