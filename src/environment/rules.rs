//! What stepping asks of rules, be they those of a game or of a puzzle.

use zug_domain::game::{GameValue, Numbering, Outlook, RuleGame, Successors};
use zug_domain::{Packed, PackedState, PuzzleCore, RuleError, RuleProblem};
use zug_search::StateId;
use zug_search::game::{Game, Player};
use zug_state::{AnyCost, Codec};
use zug_term::Record;

type Answered<T> = Result<T, Box<RuleError>>;

/// Rules whose states are stepped.
pub(crate) trait Rules<S> {
    /// Bytes of a packed state before its shape.
    fn before(&self) -> usize;

    /// What there is to choose in a state.
    fn outlook(&mut self, at: &S, wanted: Successors, out: &mut Outlook<S>) -> Answered<()>;

    /// Whether it is over in a state, where that is asked for by itself; `None` where [`Rules::outlook`] tells it.
    fn is_over(&mut self, at: &S) -> Answered<Option<bool>>;

    /// What there is to choose in a state in which it is not over.
    fn choices(&mut self, at: &S, wanted: Successors, out: &mut Outlook<S>) -> Answered<()>;

    /// The state that a move leads to which [`Rules::outlook`] has only named: by its number, if it has one, or
    /// else by its place.
    fn after_move(&mut self, at: &S, place: usize, mv: Option<(u32, Numbering)>) -> Answered<S>;

    /// Who is to move: a player, or [`CHANCE`](zug_search::game::CHANCE).
    fn mover(&self, at: &S) -> Player;

    /// What an end is worth to each player.
    fn returns(&mut self, at: &S) -> Answered<Vec<f64>>;

    /// How states are packed.
    fn codec(&self) -> &Codec;

    /// The number of a move's name.
    fn move_number(&mut self, name: &Record) -> Answered<StateId>;

    /// The name of a move.
    fn move_term(&mut self, mv: StateId) -> Record;

    /// The term of a state.
    fn state_term(&mut self, at: &S) -> Record;
}

impl<S: PackedState> Rules<S> for RuleGame<'_, S, GameValue> {
    fn before(&self) -> usize {
        1
    }

    fn outlook(&mut self, at: &S, wanted: Successors, out: &mut Outlook<S>) -> Answered<()> {
        RuleGame::outlook(self, at, wanted, out)
    }

    fn is_over(&mut self, at: &S) -> Answered<Option<bool>> {
        Ok(Some(Game::is_over(self, at)?))
    }

    fn choices(&mut self, at: &S, wanted: Successors, out: &mut Outlook<S>) -> Answered<()> {
        out.clear();
        RuleGame::choices(self, at, wanted, out)
    }

    fn after_move(&mut self, at: &S, place: usize, mv: Option<(u32, Numbering)>) -> Answered<S> {
        self.after_numbered(at, place, mv)
    }

    fn mover(&self, at: &S) -> Player {
        self.player(at)
    }

    fn returns(&mut self, at: &S) -> Answered<Vec<f64>> {
        RuleGame::returns(self, at)
    }

    fn codec(&self) -> &Codec {
        RuleGame::codec(self)
    }

    fn move_number(&mut self, name: &Record) -> Answered<StateId> {
        RuleGame::move_number(self, name)
    }

    fn move_term(&mut self, mv: StateId) -> Record {
        RuleGame::move_term(self, mv)
    }

    fn state_term(&mut self, at: &S) -> Record {
        RuleGame::state_term(self, at)
    }
}

impl Rules<Packed> for RuleProblem<'_, AnyCost> {
    fn before(&self) -> usize {
        0
    }

    fn outlook(&mut self, at: &Packed, _: Successors, out: &mut Outlook<Packed>) -> Answered<()> {
        RuleProblem::outlook(self, at, out)
    }

    fn is_over(&mut self, _: &Packed) -> Answered<Option<bool>> {
        Ok(None)
    }

    fn choices(&mut self, at: &Packed, _: Successors, out: &mut Outlook<Packed>) -> Answered<()> {
        RuleProblem::outlook(self, at, out)
    }

    fn after_move(
        &mut self,
        at: &Packed,
        place: usize,
        _: Option<(u32, Numbering)>,
    ) -> Answered<Packed> {
        let mut look = Outlook::default();
        RuleProblem::outlook(self, at, &mut look)?;
        Ok(look.to.swap_remove(place))
    }

    fn mover(&self, _: &Packed) -> Player {
        0
    }

    fn returns(&mut self, _: &Packed) -> Answered<Vec<f64>> {
        Ok(vec![0.0])
    }

    fn codec(&self) -> &Codec {
        PuzzleCore::codec(self)
    }

    fn move_number(&mut self, name: &Record) -> Answered<StateId> {
        PuzzleCore::move_number(self, name)
    }

    fn move_term(&mut self, mv: StateId) -> Record {
        PuzzleCore::move_term(self, mv)
    }

    fn state_term(&mut self, at: &Packed) -> Record {
        self.unpack(at.bytes())
    }
}
