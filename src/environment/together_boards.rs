//! Boards of a game in which all choose at once.
//!
//! The rules are asked about a stage once, and about what actions lead to from there once: both are kept, as
//! far as there is room, where answers depend on the state alone.

use crate::arena::Arena;
use crate::error::{Answered, EnvironmentError};
use crate::observer::Pixel;
use crate::position::{Place, Position};
use crate::stepper::{Buffers, Common, Pixels, Stepper, Stepping};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use zug_search::game::{CHANCE, Player};

/// Who is to move where all choose at once, in [`Buffers::players`].
pub const SIMULTANEOUS: i32 = -2;
/// Stages, and ways from one to another, that are kept at most.
const MOST_STAGES: usize = 1 << 16;
const MOST_WAYS: usize = 1 << 20;

/// A stage that boards are in.
#[derive(Clone)]
struct Stage {
    position: Arc<Position>,
    /// The state as the arena packs it; nothing in a game that is played once.
    packed: Box<[u8]>,
    /// The numbers of the stages that actions lead to, one of each player.
    next: FxHashMap<Box<[u32]>, u32>,
}

#[derive(Clone, Copy)]
struct Board {
    /// The number of its stage.
    stage: u32,
    /// Moves made.
    moves: u32,
}

/// Boards on which all choose at once.
#[derive(Clone)]
pub(crate) struct TogetherBoards {
    common: Common,
    start: Place,
    /// The number of the stage that plays begin with, once it is known.
    first: Option<u32>,
    stages: Vec<Stage>,
    /// The numbers of stages by their packed states.
    known: FxHashMap<Box<[u8]>, u32>,
    /// Entries of all `next`.
    ways: usize,
    /// Answers may be kept.
    is_pure: bool,
    boards: Vec<Board>,
    /// By board and player: the action of this step.
    chosen: Vec<u32>,
    /// The board that is next in a step that was interrupted.
    next: usize,
}

impl TogetherBoards {
    pub(crate) fn new(arena: &Arena, common: Common, stepping: Stepping) -> Self {
        TogetherBoards {
            common,
            start: arena.start().clone(),
            first: None,
            stages: Vec::new(),
            known: FxHashMap::default(),
            ways: 0,
            is_pure: arena.is_pure(),
            boards: vec![Board { stage: 0, moves: 0 }; stepping.boards],
            chosen: Vec::new(),
            next: 0,
        }
    }

    /// The number of the stage that a place is.
    fn stage_of(&mut self, arena: &mut Arena, place: &Place) -> Answered<u32> {
        let packed = match place {
            Place::Stage(Some(state)) => arena.packed_stage(state)?,
            _ => Vec::new(),
        };
        let is_kept = self.is_pure && !packed.is_empty();
        if is_kept && let Some(&number) = self.known.get(&packed[..]) {
            return Ok(number);
        }
        let position = arena.position(place)?;
        let number = self.stages.len() as u32;
        let packed: Box<[u8]> = packed.into();
        if is_kept {
            self.known.insert(packed.clone(), number);
        }
        self.stages.push(Stage { position, packed, next: FxHashMap::default() });
        Ok(number)
    }

    /// The number of the stage that the actions of a board lead to.
    #[inline]
    fn after(&mut self, arena: &mut Arena, at: usize) -> Answered<u32> {
        let seats = self.common.seats;
        let chosen = &self.chosen[at * seats..(at + 1) * seats];
        let from = self.boards[at].stage as usize;
        if let Some(&known) = self.stages[from].next.get(chosen) {
            return Ok(known);
        }
        let chosen: Box<[u32]> = chosen.into();
        let place = arena.after_all(&self.stages[from].position, &chosen)?;
        let to = self.stage_of(arena, &place)?;
        if self.is_pure {
            self.stages[from].next.insert(chosen, to);
            self.ways += 1;
        }
        Ok(to)
    }

    /// Forgets all stages but those that boards are in.
    fn forget(&mut self) {
        let mut kept: Vec<Stage> = Vec::new();
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        for board in &mut self.boards {
            board.stage = *numbers.entry(board.stage).or_insert_with(|| {
                let stage = &self.stages[board.stage as usize];
                let (position, packed) = (stage.position.clone(), stage.packed.clone());
                kept.push(Stage { position, packed, next: FxHashMap::default() });
                kept.len() as u32 - 1
            });
        }
        let named = kept.iter().zip(0..).filter(|(stage, _)| !stage.packed.is_empty());
        self.known = match self.is_pure {
            true => named.map(|(stage, number)| (stage.packed.clone(), number)).collect(),
            false => FxHashMap::default(),
        };
        (self.stages, self.first, self.ways) = (kept, None, 0);
    }

    /// Has a board begin.
    #[inline]
    fn begin(&mut self, arena: &mut Arena, at: usize) -> Answered<()> {
        let first = match self.first {
            Some(first) => first,
            None => {
                let start = self.start.clone();
                let first = self.stage_of(arena, &start)?;
                self.first = self.is_pure.then_some(first);
                first
            }
        };
        self.boards[at] = Board { stage: first, moves: 0 };
        Ok(())
    }

    /// Makes the moves that were chosen on a board, and writes what came of it.
    #[inline]
    fn advance(&mut self, arena: &mut Arena, at: usize, buffers: &mut Buffers<'_>) -> Answered<()> {
        let to = self.after(arena, at)?;
        let (seats, most_moves) = (self.common.seats, self.common.most_moves);
        let position = &self.stages[to as usize].position;
        let rewards = &mut buffers.rewards[at * seats..(at + 1) * seats];
        let is_over = position.is_over();
        match is_over {
            true => {
                for (reward, &value) in rewards.iter_mut().zip(&position.returns) {
                    *reward = value as f32;
                }
            }
            false => rewards.fill(0.0),
        }
        let moves = self.boards[at].moves + 1;
        let is_cut_off = !is_over && most_moves > 0 && moves >= most_moves;
        (buffers.terminated[at], buffers.truncated[at]) = (is_over, is_cut_off);
        buffers.solved[at] = false;
        if is_over || is_cut_off {
            if let Some(finals) = &mut buffers.finals {
                self.look(arena, (at, to), &mut finals.observations, finals.masks)?;
            }
            self.begin(arena, at)?;
        } else {
            self.boards[at] = Board { stage: to, moves };
        }
        self.show(arena, at, buffers)
    }

    /// Writes what there is to see of a board.
    #[inline]
    fn show(&self, arena: &Arena, at: usize, buffers: &mut Buffers<'_>) -> Answered<()> {
        buffers.players[at] = SIMULTANEOUS;
        let stage = self.boards[at].stage;
        self.look(arena, (at, stage), &mut buffers.observations, buffers.masks)
    }

    /// Writes the observation and the legal actions of a board in a stage.
    #[inline]
    fn look(
        &self,
        arena: &Arena,
        (at, stage): (usize, u32),
        observations: &mut Pixels<'_>,
        masks: &mut [bool],
    ) -> Answered<()> {
        let stage = &self.stages[stage as usize];
        let (seats, count) = (self.common.seats, self.common.actions.len());
        let mask = &mut masks[at * seats * count..(at + 1) * seats * count];
        mask.fill(false);
        for (own, legal) in mask.chunks_exact_mut(count.max(1)).zip(&stage.position.legal) {
            for &action in legal {
                own[action as usize] = true;
            }
        }
        match observations {
            Pixels::None => Ok(()),
            Pixels::Floats(all) => self.observe(arena, stage, at, all),
            Pixels::Bytes(all) => self.observe(arena, stage, at, all),
        }
    }

    fn observe<P: Pixel>(
        &self,
        arena: &Arena,
        stage: &Stage,
        at: usize,
        all: &mut [P],
    ) -> Answered<()> {
        let Some(observer) = &self.common.observer else { return Ok(()) };
        let out = &mut all[at * observer.size()..(at + 1) * observer.size()];
        match arena.stage_codec() {
            Some(codec) if !stage.packed.is_empty() => {
                observer.write(codec, &stage.packed, CHANCE, out)
            }
            _ => {
                out.fill(P::ZERO);
                Ok(())
            }
        }
    }

    /// Sees to it that all actions are legal, and notes them.
    fn choose(&mut self, actions: &[i64]) -> Answered<()> {
        let seats = self.common.seats;
        self.chosen.clear();
        for (at, (board, own)) in self.boards.iter().zip(actions.chunks_exact(seats)).enumerate() {
            let position = &self.stages[board.stage as usize].position;
            for (player, &action) in own.iter().enumerate() {
                let legal = position.legal_of(player as Player);
                let number = u32::try_from(action).ok();
                let number = number.filter(|number| legal.binary_search(number).is_ok());
                self.chosen.push(number.ok_or_else(|| illegal(at, player, action))?);
            }
        }
        Ok(())
    }
}

impl Stepper for TogetherBoards {
    fn reset(
        &mut self,
        arena: &mut Arena,
        _seed: Option<u64>,
        buffers: &mut Buffers<'_>,
    ) -> Answered<()> {
        self.next = 0;
        buffers.rewards.fill(0.0);
        buffers.terminated.fill(false);
        buffers.truncated.fill(false);
        buffers.solved.fill(false);
        for at in 0..self.boards.len() {
            self.begin(arena, at)?;
            self.show(arena, at, buffers)?;
        }
        Ok(())
    }

    fn step(
        &mut self,
        arena: &mut Arena,
        actions: &[i64],
        buffers: &mut Buffers<'_>,
    ) -> Answered<()> {
        if self.stages.is_empty() {
            for at in 0..self.boards.len() {
                self.begin(arena, at)?;
            }
        }
        if self.next == 0 {
            if self.stages.len() > MOST_STAGES.max(2 * self.boards.len()) || self.ways > MOST_WAYS {
                self.forget();
            }
            self.choose(actions)?;
        }
        while self.next < self.boards.len() {
            if let Err(error) = self.advance(arena, self.next, buffers) {
                if !Arena::is_out_of_time(&error) {
                    self.next = 0;
                }
                return Err(error);
            }
            self.next += 1;
        }
        self.next = 0;
        Ok(())
    }

    fn place(&self, board: usize) -> Option<Place> {
        let stage = self.boards.get(board)?.stage as usize;
        Some(self.stages.get(stage)?.position.place.clone())
    }

    /// States are of any length here.
    fn widened(&self) -> Box<dyn Stepper> {
        Box::new(self.clone())
    }
}

#[cold]
fn illegal(board: usize, player: usize, action: i64) -> EnvironmentError {
    EnvironmentError::Illegal(format!(
        "action {action} of player {player} is not legal on board {board}; no board was stepped"
    ))
}
