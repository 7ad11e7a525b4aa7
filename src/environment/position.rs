//! One state with what can be asked about it.

use smallvec::SmallVec;
use std::sync::{Arc, OnceLock, Weak};
use zug_domain::Packed;
use zug_domain::game::Numbering;
use zug_search::game::Player;
use zug_term::Record;

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// A player, by number.
    Seat(Player),
    /// Chance.
    Chance,
    /// All players at once.
    Together,
    /// Nobody: it is over.
    Over,
}

/// Where one is.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// A state of a game of players in turn, or of a puzzle.
    Packed(Packed),
    /// A state of a game in which all choose at once; none in one that is played once.
    Stage(Option<Record>),
    /// The end of a game that is played once, and what it pays.
    Paid(Vec<f64>),
}

/// A state, and what there is to choose.
#[derive(Clone, Debug)]
pub struct Position {
    /// Who is to move.
    pub mover: Mover,
    /// The state.
    pub place: Place,
    /// Of a puzzle: it is a goal.
    pub is_goal: bool,
    /// The numbers of legal actions, ascending: of who is to move, or of each player where all choose at
    /// once. Of chance they are numbers of outcomes.
    pub legal: SmallVec<[Vec<u32>; 1]>,
    /// Of a puzzle: what each of them costs.
    pub costs: Vec<f64>,
    /// Of chance: how likely each of them is.
    pub chances: Vec<f64>,
    /// At the end: what it is worth to each player.
    pub returns: Vec<f64>,
    /// By action: the place of the move in the order of the rules, if that is another one.
    pub(crate) order: Vec<u32>,
    /// By action: the number of its move, where the rules have numbered them, and what the numbers mean.
    pub(crate) numbers: Vec<u32>,
    pub(crate) numbering: Option<Numbering>,
    /// Where each of them leads: of all, or of none that have not been made.
    pub(crate) to: Vec<Packed>,
    /// The positions that were reached from here, where positions are kept.
    pub(crate) next: Vec<OnceLock<Weak<Position>>>,
    /// Where all choose at once: the actions as terms.
    pub(crate) terms: Vec<Vec<Record>>,
}

impl Position {
    /// A place where nothing is known yet.
    pub(crate) fn at(place: Place, mover: Mover) -> Position {
        Position {
            mover,
            place,
            is_goal: false,
            legal: SmallVec::new(),
            costs: Vec::new(),
            chances: Vec::new(),
            returns: Vec::new(),
            order: Vec::new(),
            numbers: Vec::new(),
            numbering: None,
            to: Vec::new(),
            next: Vec::new(),
            terms: Vec::new(),
        }
    }

    /// The position that an action of who is to move leads to, or an outcome of chance, if that was
    /// reached before and is kept still.
    #[inline]
    pub fn known_after(&self, action: u32) -> Option<Arc<Position>> {
        self.next.get(self.place_of(action)?)?.get()?.upgrade()
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.mover == Mover::Over
    }

    /// Of a puzzle: what an action costs; 0 where it is not legal.
    pub fn cost_of(&self, action: u32) -> f64 {
        self.place_of(action).and_then(|at| self.costs.get(at).copied()).unwrap_or(0.0)
    }

    /// What a player may choose.
    pub fn legal_of(&self, player: Player) -> &[u32] {
        let at = match self.mover {
            Mover::Together => usize::from(player),
            Mover::Seat(mover) if mover == player => 0,
            _ => return &[],
        };
        self.legal.get(at).map_or(&[], Vec::as_slice)
    }

    /// What can happen: the actions of who is to move, or the outcomes of chance.
    pub fn legal(&self) -> &[u32] {
        self.legal.first().map_or(&[], Vec::as_slice)
    }

    /// The place that the move of an action has in the order of the rules, by its place among those that are
    /// legal.
    pub(crate) fn place_among_moves(&self, at: usize) -> usize {
        self.order.get(at).map_or(at, |&place| place as usize)
    }

    /// The number of the move of an action, by its place among those that are legal.
    pub(crate) fn number_of(&self, at: usize) -> Option<(u32, Numbering)> {
        Some((*self.numbers.get(at)?, self.numbering?))
    }

    /// The place of an action among those that are legal.
    pub(crate) fn place_of(&self, action: u32) -> Option<usize> {
        self.legal().binary_search(&action).ok()
    }
}
