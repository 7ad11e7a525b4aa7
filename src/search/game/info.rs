//! Descriptions of game engines.

/// For how many players an engine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayersAllowed {
    /// One, or two of whom one wins what the other loses.
    OneOrTwo,
    /// Two, and what one wins the other loses.
    Two,
    /// Any number.
    Any,
}

impl PlayersAllowed {
    /// Whether a game with this many players can be searched.
    pub fn allows(self, players: usize) -> bool {
        match self {
            Self::OneOrTwo => players <= 2,
            Self::Two => players == 2,
            Self::Any => true,
        }
    }

    /// Who they are, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::OneOrTwo => "one or two players",
            Self::Two => "two players",
            Self::Any => "any number of players",
        }
    }

    /// How many, in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneOrTwo => "1 or 2",
            Self::Two => "2",
            Self::Any => "any",
        }
    }
}

/// The description of an engine: what it finds, what it needs, when to choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEngineInfo {
    /// The name in commands and queries.
    pub name: &'static str,
    /// The name in print.
    pub title: &'static str,
    /// What it finds, in half a line.
    pub summary: &'static str,
    /// For how many players it is.
    pub players: PlayersAllowed,
    /// It can play games where chance moves.
    pub chance: bool,
    /// Several threads can work at it ([`Limits::threads`](crate::Limits::threads)).
    pub threads: bool,
    /// Take it when this is so.
    pub when: &'static str,
    /// Author and year.
    pub reference: &'static str,
}
