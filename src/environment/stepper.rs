//! Batch stepping of boards, common to all kinds of rules: [`Stepper`].

use crate::actions::Actions;
use crate::arena::Arena;
use crate::error::Answered;
use crate::observer::Observer;
use crate::position::Place;
use std::sync::Arc;

/// Where observations go.
pub enum Pixels<'b> {
    /// Nowhere.
    None,
    /// Into floats.
    Floats(&'b mut [f32]),
    /// Into bytes.
    Bytes(&'b mut [u8]),
}

/// Where the results of a step go, board by board.
pub struct Buffers<'b> {
    /// Observations.
    pub observations: Pixels<'b>,
    /// By board and action: whether it is legal; where all choose at once by board, player and action.
    pub masks: &'b mut [bool],
    /// By board: the player to move; [`SIMULTANEOUS`](crate::SIMULTANEOUS) where all choose at once.
    pub players: &'b mut [i32],
    /// By board and player: what the step has brought.
    pub rewards: &'b mut [f32],
    /// By board: a play has ended by the rules.
    pub terminated: &'b mut [bool],
    /// By board: a play was ended as it had gone on for too many moves.
    pub truncated: &'b mut [bool],
    /// By board: the puzzle was solved.
    pub solved: &'b mut [bool],
    /// Of boards whose play this step has ended: how it ended. Other boards' parts stay as they are.
    pub finals: Option<Finals<'b>>,
}

/// Where the last states of plays go, in the shapes of [`Buffers`].
pub struct Finals<'b> {
    /// Observations.
    pub observations: Pixels<'b>,
    /// Legal actions: of a play that was cut off; else there are none.
    pub masks: &'b mut [bool],
}

/// How boards are stepped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stepping {
    /// How many there are.
    pub boards: usize,
    /// Moves after which a play is ended; 0 for no bound.
    pub most_moves: u32,
    /// What chance goes by.
    pub seed: u64,
}

/// What is the same for all boards.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) actions: Arc<Actions>,
    pub(crate) observer: Option<Arc<Observer>>,
    pub(crate) seats: usize,
    pub(crate) most_moves: u32,
    pub(crate) is_puzzle: bool,
}

/// Boards, whatever their states are kept in.
pub(crate) trait Stepper: Send {
    fn reset(
        &mut self,
        arena: &mut Arena,
        seed: Option<u64>,
        buffers: &mut Buffers<'_>,
    ) -> Answered<()>;

    fn step(
        &mut self,
        arena: &mut Arena,
        actions: &[i64],
        buffers: &mut Buffers<'_>,
    ) -> Answered<()>;

    fn place(&self, board: usize) -> Option<Place>;

    /// The same with states of any length.
    fn widened(&self) -> Box<dyn Stepper>;
}
