//! A policy as text, state by state, and as one who plays: [`Row`], [`Learned`].

use crate::canonical_text;
use rustc_hash::FxHashMap;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_random::Random;
use zug_search::game::learn::{MoveStats, Rule};
use zug_term::Record;

/// What is known of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Who is to move; `None` where both players share the box.
    pub player: Option<String>,
    /// The state.
    pub state: String,
    /// The moves in move order.
    pub moves: Vec<(String, MoveStats)>,
}

/// As [`Row`], as terms.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Who is to move; `None` where both players share the box.
    pub player: Option<Record>,
    /// The state.
    pub state: Record,
    /// The moves in move order.
    pub moves: Vec<(Record, MoveStats)>,
}

impl Terms {
    /// The terms as text.
    pub fn row(&self, m: &Machine, w: &World) -> Row {
        let text = |record: &Record| canonical_text(m, w, record);
        Row {
            player: self.player.as_ref().map(text),
            state: text(&self.state),
            moves: self.moves.iter().map(|(mv, known)| (text(mv), *known)).collect(),
        }
    }
}

/// Moves by the player to move and the state.
type Boxes = FxHashMap<(Option<String>, String), Vec<(String, MoveStats)>>;

/// A policy that plays.
#[derive(Clone, Debug)]
pub struct Learned {
    rule: Rule,
    games: u64,
    boxes: Boxes,
}

impl Learned {
    /// A policy learned by a rule in so many games.
    pub fn new(rule: Rule, games: u64, rows: Vec<Row>) -> Learned {
        let boxes = rows.into_iter().map(|row| ((row.player, row.state), row.moves)).collect();
        Learned { rule, games, boxes }
    }

    /// What is known of the moves of a state; `None` if it was never met.
    pub(super) fn moves(
        &self,
        m: &Machine,
        w: &World,
        (player, state): (&Record, &Record),
        moves: &[Record],
    ) -> Option<Vec<MoveStats>> {
        let mut key = (None, canonical_text(m, w, state));
        let found = match self.boxes.get(&key) {
            Some(found) => found,
            None => {
                key.0 = Some(canonical_text(m, w, player));
                self.boxes.get(&key)?
            }
        };
        let known = |mv: &Record| {
            let name = canonical_text(m, w, mv);
            found.iter().find(|(other, _)| *other == name).map(|(_, known)| *known)
        };
        moves.iter().map(known).collect()
    }

    /// The move it makes, as a place among those given: drawn as in training, or one of the
    /// likeliest; any move in a state that was never met, and whether it is such a one.
    pub fn choose(
        &self,
        m: &Machine,
        w: &World,
        position: (&Record, &Record),
        moves: &[Record],
        greedy: bool,
        random: &mut Random,
    ) -> (usize, bool) {
        match self.moves(m, w, position, moves) {
            Some(known) => (self.draw(&known, greedy, random), true),
            None => (random.below(moves.len().max(1) as u64) as usize, false),
        }
    }

    pub(super) fn draw(&self, known: &[MoveStats], greedy: bool, random: &mut Random) -> usize {
        if greedy {
            self.rule.greedy(known, random)
        } else {
            self.rule.draw(known, self.games, random)
        }
    }
}
