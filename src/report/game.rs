//! The result of a search in a game.

use crate::code::CodeUse;
use crate::number::Number;
use crate::outcome::{GameOutcome, StoppedIn};
use crate::stats::GameStats;
use crate::symmetries::Symmetries;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;

/// On what exact values rest where moves are equals to who makes them, and not to others.
pub const FIRST_OF_EQUALS: &str = "of moves that are equally good to them players make the first";

/// What is proved of a state by an engine whose values are estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// The value is at least so much, more than nothing.
    Won,
    /// It is at most so much, less than nothing.
    Lost,
}

/// How well a value is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exactness {
    /// No estimate went into it, no limit and no choice among equals.
    Exact,
    /// It would be exact, but for this: somewhere moves are worth the same to who makes them and
    /// not to others, and the first of them was taken.
    FirstOfEquals,
    /// It is an estimate.
    #[default]
    Estimated,
}

/// How well a value is known, and the condition on which that rests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certainty {
    /// How well it is known if the rules are functions of the state.
    pub exactness: Exactness,
    /// What has to be so for the rules to be functions of the state, where that is in doubt and something is claimed;
    /// names stand in backquotes.
    pub given: Option<String>,
}

impl Certainty {
    /// It is exact, without a condition.
    pub fn is_exact(&self) -> bool {
        self.exactness == Exactness::Exact && self.given.is_none()
    }

    /// The condition of what is claimed, for programs: names are without backquotes.
    pub fn condition(&self) -> Option<String> {
        let ties = (self.exactness == Exactness::FirstOfEquals).then(|| FIRST_OF_EQUALS.to_owned());
        joined(ties, self.given.as_deref().map(|given| given.replace('`', "")))
    }

    /// `true`: exact; `None`: exact on a condition; `false`: an estimate.
    pub fn exact(&self) -> Option<bool> {
        match self.exactness {
            Exactness::Estimated => Some(false),
            _ => self.is_exact().then_some(true),
        }
    }
}

/// What a player comes to with best play, and in how many moves of all players.
pub fn outcome_words(decided: Ordering, distance: Option<u32>) -> String {
    let word = match (decided, distance) {
        (Ordering::Greater, Some(0)) => return "has won".to_owned(),
        (Ordering::Less, Some(0)) => return "has lost".to_owned(),
        (Ordering::Equal, _) => return "draws".to_owned(),
        (Ordering::Greater, _) => "wins",
        (Ordering::Less, _) => "loses",
    };
    match distance {
        Some(1) => format!("{word} in 1 move"),
        Some(moves) => format!("{word} in {moves} moves"),
        None => word.to_owned(),
    }
}

/// Two conditions as one.
pub fn joined(one: Option<String>, other: Option<String>) -> Option<String> {
    match (one, other) {
        (Some(one), Some(other)) => Some(format!("{one} and {other}")),
        (one, other) => one.or(other),
    }
}

/// The fields of a [`Certainty`], to be flattened into a report.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CertaintyFields {
    /// True: no estimate, no limit and no choice among equals went into the value. Null: that is so under the
    /// condition of exact_if.
    exact: Option<bool>,
    /// What has to be so for the value to be exact, or for its error or what is proved of it to hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact_if: Option<String>,
}

impl Serialize for Certainty {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = CertaintyFields { exact: self.exact(), exact_if: self.condition() };
        fields.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Certainty {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Certainty".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        CertaintyFields::json_schema(generator)
    }
}

/// The schema of whether a value is exact.
#[cfg(feature = "schema")]
pub struct Exact;

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Exact {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Exact".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Of a value: true if no estimate went into it, null if it is exact under the \
                condition of exact_if.",
            "type": ["boolean", "null"],
        })
    }
}

/// A player and what something is worth to that player.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Worth_{T}"))]
pub struct Worth<T> {
    /// The player.
    pub player: T,
    /// The value.
    pub value: Number,
}

/// A move that was tried in plays at random.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Tried"))]
pub struct Tried<M> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: M,
    /// How often it was tried.
    pub visits: u64,
    /// The mean value of these plays to the player who made the move.
    pub mean: f64,
    /// Plays that ended with more than nothing for that player, with nothing, with less.
    #[serde(flatten, serialize_with = "named_outcomes")]
    #[cfg_attr(feature = "schema", schemars(with = "Outcomes"))]
    pub outcomes: [u64; 3],
}

/// [`Tried::outcomes`] as fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Outcomes {
    /// Plays that ended with more than 0 for the player who made the move.
    wins: u64,
    /// Plays that ended with 0 for the player who made the move.
    draws: u64,
    /// Plays that ended with less than 0 for the player who made the move.
    losses: u64,
}

fn named_outcomes<S: Serializer>(outcomes: &[u64; 3], to: S) -> Result<S::Ok, S::Error> {
    let [wins, draws, losses] = *outcomes;
    Outcomes { wins, draws, losses }.serialize(to)
}

impl<M> Tried<M> {
    /// The same with another name of the move.
    pub fn named<N>(&self, mv: N) -> Tried<N> {
        Tried { mv, visits: self.visits, mean: self.mean, outcomes: self.outcomes }
    }
}

/// What two players play for, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Utilities {
    /// `zero_sum`, `constant_sum`, `general_sum`; `player_to_move`, `heuristic` or
    /// `cannot_move_loses` where one player alone is asked, and what one wins the other loses.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["zero_sum", "constant_sum", "general_sum", "player_to_move", "heuristic", "cannot_move_loses"])))]
    pub kind: &'static str,
    /// What the utilities of both add up to, as the rule language writes it, if that is the same at
    /// all ends and not nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<String>,
}

/// What a search in a game found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameSolution<T> {
    /// The engine, by its name in the registry.
    pub engine: &'static str,
    /// The player to move.
    pub player: T,
    /// The state.
    pub state: T,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: GameOutcome,
    /// Where in the rules a limit struck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_in: Option<StoppedIn<T>>,
    /// The value to the player to move.
    pub value: Option<Number>,
    /// The values to all players, where they are told apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Worth<T>>,
    /// The values are right but for this much; `None` if they are exact or nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Who wins is proved, the value is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// The moves that were tried in plays at random, in move order.
    #[serde(rename = "moves", skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<Tried<T>>,
    /// The move; none where the game is over.
    #[serde(rename = "move")]
    pub best: Option<T>,
    /// Best play.
    pub line: Vec<T>,
    /// It is a mean of plays at random.
    #[serde(skip)]
    pub sampled: bool,
    /// How well the value is known.
    #[serde(flatten)]
    pub certainty: Certainty,
    /// What two players play for, as the search went by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utilities: Option<Utilities>,
    /// The depth of the value, if plays were not followed to their ends.
    pub depth: Option<u32>,
    /// Moves to the end with best play, if somebody can force it.
    pub distance: Option<u32>,
    /// States alike by these symmetries, which were found in the rules, counted as one, if any did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetries: Option<Symmetries>,
    /// It was read from a base.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
    pub from_base: bool,
    /// The counts.
    pub stats: GameStats,
    /// What answered the questions asked of the rules; `None` if no code was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeUse>,
}

impl<T> GameSolution<T> {
    /// What is known of a state when a search ends before anything is found.
    pub fn nothing(engine: &'static str, player: T, state: T, outcome: GameOutcome) -> Self {
        GameSolution {
            engine,
            player,
            state,
            outcome,
            stopped_in: None,
            value: None,
            values: Vec::new(),
            error: None,
            proof: None,
            tried: Vec::new(),
            best: None,
            line: Vec::new(),
            sampled: false,
            certainty: Certainty::default(),
            utilities: None,
            depth: None,
            distance: None,
            symmetries: None,
            from_base: false,
            stats: GameStats::default(),
            code: None,
        }
    }

    /// Whether the player to move wins, draws or loses with best play, where that is known of a game of two players of
    /// whom one loses what the other wins.
    pub fn decided(&self) -> Option<Ordering> {
        let utilities = self.utilities.as_ref().filter(|known| known.kind != "general_sum")?;
        match self.proof {
            Some(Proof::Won) => return Some(Ordering::Greater),
            Some(Proof::Lost) => return Some(Ordering::Less),
            // Where the end is forced it is proved who wins, though not by how much.
            None if self.certainty.exactness != Exactness::Exact && self.distance.is_none()
                || self.error.is_some() =>
            {
                return None;
            }
            None => {}
        }
        let value = self.value.as_ref()?;
        match (&utilities.sum, self.values.as_slice()) {
            (Some(_), [one, other]) => {
                let rest = if one.value == *value { &other.value } else { &one.value };
                Some(value.compare(rest))
            }
            _ => Some(value.compare(&Number::ZERO)),
        }
    }

    /// One of its values as people read it: what is not sure to the last digit is not shown so.
    pub fn shown(&self, value: &Number) -> String {
        let estimated = self.sampled
            && self.certainty.exactness == Exactness::Estimated
            && self.proof.is_none();
        value.shown(match self.error {
            Some(_) => Some(9),
            None => estimated.then_some(4),
        })
    }

    /// The same with terms in another form.
    pub fn map<U>(&self, mut term: impl FnMut(&T) -> U) -> GameSolution<U> {
        let worth = |worth: &Worth<T>, player| Worth { player, value: worth.value.clone() };
        GameSolution {
            engine: self.engine,
            player: term(&self.player),
            state: term(&self.state),
            outcome: self.outcome,
            stopped_in: self.stopped_in.as_ref().map(|place| place.map(&mut term)),
            value: self.value.clone(),
            values: self.values.iter().map(|one| worth(one, term(&one.player))).collect(),
            error: self.error,
            proof: self.proof,
            tried: self.tried.iter().map(|tried| tried.named(term(&tried.mv))).collect(),
            best: self.best.as_ref().map(&mut term),
            line: self.line.iter().map(term).collect(),
            sampled: self.sampled,
            certainty: self.certainty.clone(),
            utilities: self.utilities.clone(),
            depth: self.depth,
            distance: self.distance,
            symmetries: self.symmetries,
            from_base: self.from_base,
            stats: self.stats,
            code: self.code.clone(),
        }
    }
}
