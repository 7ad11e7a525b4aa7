//! Many boards stepped at once, into buffers of the caller.
//!
//! A board keeps what there is to choose in its state: it was found out for the mask of legal
//! actions. Where code tells the names of moves without making them, the next step makes the one that was
//! chosen; else it takes the state that was found out with the mask. A board that is over begins again
//! within the same step: the rewards are those of the end, and mask, observation and player those of the
//! new beginning. A step asks the same question of all boards before it asks the next one.

use crate::actions::MOST;
use crate::arena::{Arena, Kind, no_number};
use crate::error::{Answered, EnvironmentError};
use crate::position::Place;
use crate::rules::Rules;
use crate::stepper::{Buffers, Common, Pixels, Stepper, Stepping};
use crate::together_boards::TogetherBoards;
use smallvec::SmallVec;
use zug_domain::game::{Numbering, Outlook, Successors};
use zug_domain::{Fixed, Packed, PackedState, Violation};
use zug_random::Random;
use zug_search::game::{CHANCE, Player};

/// Boards of one arena.
pub struct Batch(Box<dyn Stepper>);

impl Batch {
    /// Boards that are to be [reset](Batch::reset) first.
    pub fn new(arena: &Arena, stepping: Stepping) -> Batch {
        let common = Common {
            actions: arena.actions().clone(),
            observer: arena.observer().ok().cloned(),
            seats: arena.seats(),
            most_moves: stepping.most_moves,
            is_puzzle: arena.kind() == Kind::Puzzle,
        };
        let Place::Packed(start) = arena.start() else {
            return Batch(Box::new(TogetherBoards::new(arena, common, stepping)));
        };
        Batch(match (arena.kind(), start.bytes().len()) {
            (Kind::Game, 0..16) => boards::<Fixed<16>>(common, start, stepping),
            (Kind::Game, 16..32) => boards::<Fixed<32>>(common, start, stepping),
            (Kind::Game, 32..48) => boards::<Fixed<48>>(common, start, stepping),
            (Kind::Game, 48..64) => boards::<Fixed<64>>(common, start, stepping),
            (Kind::Game, 64..96) => boards::<Fixed<96>>(common, start, stepping),
            _ => boards::<Packed>(common, start, stepping),
        })
    }

    /// All boards begin anew; with a seed, what chance goes by too.
    ///
    /// # Errors
    /// An error in a rule, or something that has no number.
    pub fn reset(
        &mut self,
        arena: &mut Arena,
        seed: Option<u64>,
        buffers: &mut Buffers<'_>,
    ) -> Answered<()> {
        match self.0.reset(arena, seed, buffers) {
            Err(error) if is_outgrown(&error) => {
                self.0 = self.0.widened();
                self.0.reset(arena, seed, buffers)
            }
            done => done,
        }
    }

    /// Makes a move on each board. There is an action for each; where all choose at once, one for each
    /// player of each board.
    ///
    /// # Errors
    /// An action is not legal, and then nothing has changed; an error in a rule, or something that has
    /// no number. A step that the time was too short for goes on where it was when it is called again.
    pub fn step(
        &mut self,
        arena: &mut Arena,
        actions: &[i64],
        buffers: &mut Buffers<'_>,
    ) -> Answered<()> {
        match self.0.step(arena, actions, buffers) {
            Err(error) if is_outgrown(&error) => {
                self.0 = self.0.widened();
                self.0.step(arena, actions, buffers)
            }
            done => done,
        }
    }

    /// The state of a board.
    pub fn place(&self, board: usize) -> Option<Place> {
        self.0.place(board)
    }
}

/// Whether a state has outgrown the kind that boards have.
fn is_outgrown(error: &EnvironmentError) -> bool {
    matches!(error, EnvironmentError::Rule(error) if matches!(error.violation, Violation::Room))
}

fn boards<S: Stepped + 'static>(
    common: Common,
    start: &Packed,
    stepping: Stepping,
) -> Box<dyn Stepper> {
    match S::from_bytes(start.bytes()) {
        Some(start) => Box::new(Boards::new(common, start, stepping)),
        None => Box::new(Boards::new(common, start.clone(), stepping)),
    }
}

/// A kind of states, and the way to rules about them.
trait Stepped: PackedState + Send {
    fn ask<T>(arena: &mut Arena, run: impl FnOnce(&mut dyn Rules<Self>) -> T) -> Answered<T>;
}

impl<const N: usize> Stepped for Fixed<N>
where
    Fixed<N>: PackedState,
{
    fn ask<T>(arena: &mut Arena, run: impl FnOnce(&mut dyn Rules<Self>) -> T) -> Answered<T> {
        arena.with_game(|rules| Ok(run(rules)))
    }
}

impl Stepped for Packed {
    fn ask<T>(arena: &mut Arena, run: impl FnOnce(&mut dyn Rules<Self>) -> T) -> Answered<T> {
        arena.with_rules(|rules| Ok(run(rules)))
    }
}

/// A board.
#[derive(Clone)]
struct Board<S> {
    state: S,
    mover: Player,
    /// Moves made.
    moves: u32,
    choices: Choices<S>,
}

/// The actions of moves, or their numbers, in the order of the rules.
// PERF: most states have a dozen moves or fewer, and theirs lie in the board itself.
type Numbers = SmallVec<[u16; 12]>;
const _: () = assert!(MOST <= 1 << u16::BITS);

/// What there is to choose, by move in the order of the rules.
#[derive(Clone)]
struct Choices<S> {
    actions: Numbers,
    /// The numbers of the moves, where the rules have numbered them.
    numbers: Numbers,
    /// What these mean.
    numbering: Option<Numbering>,
    /// What the rules had to find out beside the names of moves.
    more: Option<Box<Found<S>>>,
}

/// What else is known of moves, if something is.
#[derive(Clone)]
struct Found<S> {
    /// Of a puzzle: what each costs.
    costs: Vec<f64>,
    /// Where each leads.
    to: Vec<S>,
}

impl<S> Default for Found<S> {
    fn default() -> Self {
        Found { costs: Vec::new(), to: Vec::new() }
    }
}

impl<S> Choices<S> {
    /// The number of the move at a place.
    #[inline]
    fn numbered(&self, place: usize) -> Option<(u32, Numbering)> {
        Some((u32::from(*self.numbers.get(place)?), self.numbering?))
    }
}

impl<S> Default for Choices<S> {
    fn default() -> Self {
        Choices { actions: Numbers::new(), numbers: Numbers::new(), numbering: None, more: None }
    }
}

/// Where the next state of a board is looked at before the board becomes it.
struct Scratch<S> {
    look: Outlook<S>,
    actions: Numbers,
    random: Random,
}

impl<S> Scratch<S> {
    fn new(random: Random) -> Self {
        Scratch { look: Outlook::default(), actions: Numbers::new(), random }
    }
}

/// Beginnings that are drawn before a game counts as one without moves.
const MOST_BEGINNINGS: u32 = 10_000;

struct Boards<S> {
    common: Common,
    start: S,
    boards: Vec<Board<S>>,
    /// A board as it begins, once it is known and where chance does not move first.
    first: Option<Board<S>>,
    scratch: Scratch<S>,
    /// By board: the place among its moves of the one that is made in this step.
    chosen: Vec<u32>,
    /// By board: the state that its move leads to, and what that costs, of those that are made already.
    reached: Vec<(S, Option<f64>)>,
    /// By board: whether it is over there, as far as that is known; nothing is where the rules don't tell by
    /// itself.
    ends: Vec<Option<bool>>,
    /// The board that is next in a step that was interrupted.
    next: usize,
}

impl<S: Stepped> Boards<S> {
    fn new(common: Common, start: S, stepping: Stepping) -> Self {
        let empty = Board { state: start.clone(), mover: 0, moves: 0, choices: Choices::default() };
        let boards = vec![empty; stepping.boards];
        let scratch = Scratch::new(Random::new(stepping.seed));
        Boards {
            common,
            start,
            boards,
            first: None,
            scratch,
            chosen: Vec::new(),
            reached: Vec::new(),
            ends: Vec::new(),
            next: 0,
        }
    }

    /// Has a board begin.
    fn begin(&mut self, rules: &mut dyn Rules<S>, at: usize) -> Answered<()> {
        let board = &mut self.boards[at];
        if let Some(first) = &self.first {
            board.take(first);
            return Ok(());
        }
        let is_settled = rules.mover(&self.start) != CHANCE;
        let mut drawn = 0;
        let (state, mover) = loop {
            let start = self.start.clone();
            let settled = self.scratch.settle(rules, &self.common, start, None)?;
            // A play that chance ends before the first move has no steps.
            if is_settled || !self.scratch.look.is_over {
                break settled;
            }
            drawn += 1;
            if drawn == MOST_BEGINNINGS {
                let text = format!("chance ended {drawn} plays before the first move");
                return Err(EnvironmentError::NoEnvironment(text));
            }
        };
        board.become_scratch(&mut self.scratch, state, mover);
        board.moves = 0;
        if is_settled {
            self.first = Some(board.clone());
        }
        Ok(())
    }

    /// The state that the move leads to which was chosen on a board, and what it costs.
    #[inline]
    fn made(&self, rules: &mut dyn Rules<S>, at: usize) -> Answered<(S, Option<f64>)> {
        let (board, chosen) = (&self.boards[at], self.chosen[at] as usize);
        let Some(found) = board.choices.more.as_deref() else {
            let mv = board.choices.numbered(chosen);
            return Ok((rules.after_move(&board.state, chosen, mv)?, None));
        };
        let cost = found.costs.get(chosen).copied();
        let to = match found.to.get(chosen) {
            Some(to) => to.clone(),
            None => rules.after_move(&board.state, chosen, board.choices.numbered(chosen))?,
        };
        Ok((to, cost))
    }

    /// Has a board go on in the state that its move leads to, and writes what came of it.
    #[inline]
    fn advance(
        &mut self,
        rules: &mut dyn Rules<S>,
        at: usize,
        buffers: &mut Buffers<'_>,
    ) -> Answered<()> {
        let (common, board) = (&self.common, &mut self.boards[at]);
        let (to, cost) = &self.reached[at];
        let (state, mover) = self.scratch.settle(rules, common, to.clone(), self.ends[at])?;
        let rewards = &mut buffers.rewards[at * common.seats..(at + 1) * common.seats];
        rewards.fill(0.0);
        if let (Some(cost), Some(reward)) = (cost, rewards.first_mut()) {
            *reward = -cost as f32;
        }
        let (is_over, is_solved) = (self.scratch.look.is_over, self.scratch.look.is_goal);
        if is_over && !common.is_puzzle {
            for (reward, value) in rewards.iter_mut().zip(rules.returns(&state)?) {
                *reward = value as f32;
            }
        }
        board.become_scratch(&mut self.scratch, state, mover);
        let moves = board.moves + 1;
        let is_cut_off = !is_over && common.most_moves > 0 && moves >= common.most_moves;
        (buffers.terminated[at], buffers.truncated[at]) = (is_over, is_cut_off);
        buffers.solved[at] = is_solved;
        if is_over || is_cut_off {
            if let Some(finals) = &mut buffers.finals {
                self.look(rules, at, &mut finals.observations, finals.masks)?;
            }
            self.begin(rules, at)?;
        } else {
            board.moves = moves;
        }
        self.show(rules, at, buffers)
    }

    /// Writes what there is to see of a board.
    #[inline]
    fn show(&self, rules: &mut dyn Rules<S>, at: usize, buffers: &mut Buffers<'_>) -> Answered<()> {
        buffers.players[at] = i32::from(self.boards[at].mover);
        self.look(rules, at, &mut buffers.observations, buffers.masks)
    }

    /// Writes the observation and the legal actions of a board.
    #[inline]
    fn look(
        &self,
        rules: &mut dyn Rules<S>,
        at: usize,
        observations: &mut Pixels<'_>,
        masks: &mut [bool],
    ) -> Answered<()> {
        let board = &self.boards[at];
        let count = self.common.actions.len();
        let mask = &mut masks[at * count..(at + 1) * count];
        mask.fill(false);
        for &action in &board.choices.actions {
            mask[usize::from(action)] = true;
        }
        let Some(observer) = &self.common.observer else { return Ok(()) };
        let (packed, size) = (&board.state.bytes()[rules.before()..], observer.size());
        let part = at * size..(at + 1) * size;
        match observations {
            Pixels::None => Ok(()),
            Pixels::Floats(all) => {
                observer.write(rules.codec(), packed, board.mover, &mut all[part])
            }
            Pixels::Bytes(all) => {
                observer.write(rules.codec(), packed, board.mover, &mut all[part])
            }
        }
    }

    /// Makes the moves that were chosen on all boards; a step that was interrupted goes on where it was.
    ///
    /// It has three phases: all moves are made, then of all states it is asked whether it is over there, then boards
    /// become what they lead to. Each asks one question of all boards, whose code and tables stay at hand.
    fn advance_all(
        &mut self,
        rules: &mut dyn Rules<S>,
        actions: &[i64],
        buffers: &mut Buffers<'_>,
    ) -> Answered<()> {
        if self.reached.is_empty() {
            self.chosen.clear();
            for (at, (board, &action)) in self.boards.iter().zip(actions).enumerate() {
                let place = board.place_of(action).ok_or_else(|| illegal(at, action))?;
                self.chosen.push(place);
            }
        }
        let done = self.go_on(rules, buffers);
        let goes_on =
            matches!(&done, Err(error) if Arena::is_out_of_time(error) || is_outgrown(error));
        if !goes_on {
            self.drop_step();
        }
        done
    }

    /// There is no step that is to go on.
    fn drop_step(&mut self) {
        self.reached.clear();
        self.ends.clear();
        self.next = 0;
    }

    fn go_on(&mut self, rules: &mut dyn Rules<S>, buffers: &mut Buffers<'_>) -> Answered<()> {
        while self.reached.len() < self.boards.len() {
            let made = self.made(rules, self.reached.len())?;
            self.reached.push(made);
        }
        while self.ends.len() < self.boards.len() {
            let (to, _) = &self.reached[self.ends.len()];
            // Chance is asked for with its draws.
            let is_over = if rules.mover(to) == CHANCE { None } else { rules.is_over(to)? };
            self.ends.push(is_over);
        }
        while self.next < self.boards.len() {
            self.advance(rules, self.next, buffers)?;
            self.next += 1;
        }
        Ok(())
    }

    fn begin_all(&mut self, rules: &mut dyn Rules<S>, buffers: &mut Buffers<'_>) -> Answered<()> {
        self.drop_step();
        buffers.rewards.fill(0.0);
        buffers.terminated.fill(false);
        buffers.truncated.fill(false);
        buffers.solved.fill(false);
        for at in 0..self.boards.len() {
            self.begin(rules, at)?;
            self.show(rules, at, buffers)?;
        }
        Ok(())
    }
}

impl<S: Stepped> Stepper for Boards<S> {
    fn reset(
        &mut self,
        arena: &mut Arena,
        seed: Option<u64>,
        buffers: &mut Buffers<'_>,
    ) -> Answered<()> {
        if let Some(seed) = seed {
            self.scratch.random = Random::new(seed);
        }
        S::ask(arena, |rules| self.begin_all(rules, buffers))?
    }

    fn step(
        &mut self,
        arena: &mut Arena,
        actions: &[i64],
        buffers: &mut Buffers<'_>,
    ) -> Answered<()> {
        S::ask(arena, |rules| self.advance_all(rules, actions, buffers))?
    }

    fn place(&self, board: usize) -> Option<Place> {
        let board = self.boards.get(board)?;
        Some(Place::Packed(Packed::new(board.state.bytes())))
    }

    fn widened(&self) -> Box<dyn Stepper> {
        let scratch = Scratch::new(self.scratch.random.clone());
        Box::new(Boards {
            common: self.common.clone(),
            start: Packed::new(self.start.bytes()),
            boards: self.boards.iter().map(Board::widened).collect(),
            first: self.first.as_ref().map(Board::widened),
            scratch,
            chosen: self.chosen.clone(),
            reached: self
                .reached
                .iter()
                .map(|(to, cost)| (Packed::new(to.bytes()), *cost))
                .collect(),
            ends: self.ends.clone(),
            next: self.next,
        })
    }
}

impl<S: PackedState> Scratch<S> {
    /// Looks at a state, of which it may be known whether it is over there; where chance moves, at one that
    /// follows, until a player is to move or it is over. What is drawn is not drawn again if that can't be done.
    #[inline]
    fn settle(
        &mut self,
        rules: &mut dyn Rules<S>,
        common: &Common,
        state: S,
        is_over: Option<bool>,
    ) -> Answered<(S, Player)> {
        let drawn = self.random.clone();
        let settled = self.settle_by(rules, common, state, is_over);
        if settled.is_err() {
            self.random = drawn;
        }
        settled
    }

    #[inline]
    fn settle_by(
        &mut self,
        rules: &mut dyn Rules<S>,
        common: &Common,
        mut state: S,
        is_over: Option<bool>,
    ) -> Answered<(S, Player)> {
        let Scratch { look, actions, random } = self;
        match is_over {
            Some(true) => {
                look.clear();
                look.is_over = true;
            }
            Some(false) => rules.choices(&state, Successors::Named, look)?,
            None => rules.outlook(&state, Successors::Named, look)?,
        }
        let mut mover = rules.mover(&state);
        while mover == CHANCE && !look.is_over {
            let at = drawn(random, &look.chances);
            state = look.to.swap_remove(at);
            rules.outlook(&state, Successors::Named, look)?;
            mover = rules.mover(&state);
        }
        actions.clear();
        let numbered = common.actions.of_all(&look.names, |action| actions.push(action as u16));
        numbered.map_err(|at| no_number(rules, look.names[at], &common.actions))?;
        Ok((state, mover))
    }
}

/// One of things that are so likely.
fn drawn(random: &mut Random, chances: &[f64]) -> usize {
    let mut left = random.float();
    for (at, chance) in chances.iter().enumerate() {
        left -= chance;
        if left < 0.0 {
            return at;
        }
    }
    chances.len().saturating_sub(1)
}

impl<S: PackedState> Board<S> {
    /// Becomes like another, in the room that there is.
    fn take(&mut self, other: &Board<S>) {
        self.state.clone_from(&other.state);
        (self.mover, self.moves) = (other.mover, other.moves);
        self.choices.actions.clone_from(&other.choices.actions);
        self.choices.numbers.clone_from(&other.choices.numbers);
        self.choices.numbering = other.choices.numbering;
        self.choices.more.clone_from(&other.choices.more);
    }

    /// Becomes the state that was looked at.
    #[inline]
    fn become_scratch(&mut self, scratch: &mut Scratch<S>, state: S, mover: Player) {
        std::mem::swap(&mut self.choices.actions, &mut scratch.actions);
        let Outlook { costs, to, numbers, numbering, .. } = &mut scratch.look;
        self.choices.numbers.clear();
        self.choices.numbering = *numbering;
        for &number in numbers.iter() {
            match u16::try_from(number) {
                Ok(number) => self.choices.numbers.push(number),
                Err(_) => self.choices.numbering = None,
            }
        }
        if to.is_empty() {
            self.choices.more = None;
        } else {
            let found = self.choices.more.get_or_insert_default();
            std::mem::swap(&mut found.costs, costs);
            std::mem::swap(&mut found.to, to);
        }
        (self.state, self.mover) = (state, mover);
    }

    /// The place of the move that an action is.
    #[inline]
    fn place_of(&self, action: i64) -> Option<u32> {
        let place = self.choices.actions.iter().position(|&own| i64::from(own) == action);
        place.map(|place| place as u32)
    }

    fn widened(&self) -> Board<Packed> {
        let wide = |state: &S| Packed::new(state.bytes());
        let Choices { actions, more, .. } = &self.choices;
        let more = more.as_deref().map(|Found { costs, to }| {
            Box::new(Found { costs: costs.clone(), to: to.iter().map(wide).collect() })
        });
        let choices = Choices { actions: actions.clone(), more, ..Choices::default() };
        Board { state: wide(&self.state), mover: self.mover, moves: self.moves, choices }
    }
}

#[cold]
fn illegal(board: usize, action: i64) -> EnvironmentError {
    EnvironmentError::Illegal(format!(
        "action {action} is not legal on board {board}; no board was stepped"
    ))
}
