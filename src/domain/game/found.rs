//! What an engine is to do with a game, and what it found.

use super::stakes::{AskedOf, Sharing};
use crate::error::{StoppedIn, stopped_in};
use zug_machine::Machine;
use zug_prolog::builtins::{CodeUse, GameRun, World};
use zug_prolog::term_text;
use zug_search::Limits;
use zug_search::game::{
    Expected, GameEngine, GameOptions, GameOutcome, GameStats, Proof, Sampling, Tried,
};
use zug_term::Record;

/// What an engine is to do with a game.
#[derive(Clone, Debug)]
pub struct GameTask {
    /// The engine.
    pub engine: GameEngine,
    /// Follow plays for so many moves.
    pub depth: Option<u32>,
    /// How plays at random are made.
    pub sampling: Sampling,
    /// Limits. Memory is limited by what the machine may take if it is not here.
    pub limits: Limits,
}

impl GameTask {
    /// All of it, without limits.
    pub fn of(engine: GameEngine) -> GameTask {
        let (sampling, limits) = (Sampling::default(), Limits::none());
        GameTask { engine, depth: None, sampling, limits }
    }

    pub(super) fn options(&self) -> GameOptions {
        GameOptions { depth: self.depth, sampling: self.sampling.clone() }
    }
}

/// What an engine found.
#[derive(Clone, Debug)]
pub struct GameFound {
    /// The engine.
    pub engine: GameEngine,
    /// Who is to move.
    pub player: Record,
    /// How it ended.
    pub outcome: GameOutcome,
    /// The value to the player to move.
    pub value: Option<Expected>,
    /// The values to all players, where they are told apart.
    pub values: Vec<(Record, Expected)>,
    /// The values are right but for this much; `None` if they are exact or nobody knows.
    pub error: Option<f64>,
    /// Who wins is proved, the value is not.
    pub proof: Option<Proof>,
    /// The moves that were tried in plays at random, in move order.
    pub tried: Vec<Tried<Record>>,
    /// The move.
    pub best: Option<Record>,
    /// Best play.
    pub line: Vec<Record>,
    /// No estimate went into the value, no limit and no choice among equals.
    pub exact: bool,
    /// It would be exact, but for this: somewhere moves are worth the same to who makes them and
    /// not to others, and the first of them was taken.
    pub ties: bool,
    /// What two players play for, and who was asked for it.
    pub stakes: Option<(Sharing, AskedOf)>,
    /// Moves to the end.
    pub distance: Option<u32>,
    /// The depth of the value, if plays were not followed to their ends.
    pub depth: Option<u32>,
    /// It was read from a base.
    pub from_base: bool,
    /// The predicate and state in which a limit struck, if it was inside a rule.
    pub stopped_in: Option<StoppedIn>,
    /// What answered the questions asked of the rules; `None` if no code was wanted.
    pub code: Option<CodeUse>,
    /// The counts.
    pub stats: GameStats,
}

impl GameFound {
    /// The report with every term turned to text.
    pub fn run(&self, m: &Machine, w: &World) -> GameRun {
        let remark = self.stopped_in.as_ref().map(|place| stopped_in(m, w, place));
        let values = self.values.iter();
        // What is not sure to the last digit is not shown so.
        let digits = match self.error {
            Some(_) => Some(9),
            None => (self.engine.is_sampling() && !self.exact && self.proof.is_none()).then_some(4),
        };
        GameRun {
            engine: self.engine,
            player: term_text(m, w, &self.player),
            outcome: self.outcome,
            value: self.value.as_ref().map(|value| shown(value, digits)),
            values: values
                .map(|(player, value)| (term_text(m, w, player), shown(value, digits)))
                .collect(),
            error: self.error,
            proof: self.proof,
            tried: self.tried.iter().map(|tried| tried.named(term_text(m, w, &tried.mv))).collect(),
            best: self.best.as_ref().map(|mv| term_text(m, w, mv)),
            line: self.line.iter().map(|mv| term_text(m, w, mv)).collect(),
            exact: self.exact,
            ties: self.ties,
            utilities: self.stakes.map(|(sharing, asked_of)| sharing.utilities(asked_of)),
            distance: self.distance,
            depth: self.depth,
            from_base: self.from_base,
            remark,
            code: self.code.clone(),
            stats: self.stats,
        }
    }
}

/// The most characters of a fraction that is shown as such.
const LONGEST_FRACTION: usize = 24;

/// A value as people read it, who care for the size of a fraction too; of a float so many
/// digits behind the point, or all.
pub fn shown(value: &Expected, digits: Option<usize>) -> String {
    let text = value.to_string();
    match value {
        Expected::Float(value) => match digits {
            Some(digits) => format!("{value:.digits$}"),
            None => text,
        },
        Expected::Exact(fraction) if !fraction.is_integer() => {
            let near = value.as_f64();
            if text.len() > LONGEST_FRACTION {
                format!("about {near:.9}")
            } else {
                format!("{text} (about {near:.4})")
            }
        }
        _ => text,
    }
}
