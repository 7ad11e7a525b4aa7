//! Who plays: a person, or the machine at some strength.
//!
//! | level | moves at random | looks ahead, with `heuristic/3` | of the time for a move |
//! |---|---|---|---|
//! | 1 | 96% | 1 move | 1/16 |
//! | 2 | 70% | 1 | 1/16 |
//! | 3 | 50% | 2 | 1/16 |
//! | 4 | 34% | 2 | 1/16 |
//! | 5 | 23% | 3 | 1/16 |
//! | 6 | 18% | 4 | 1/16 |
//! | 7 | 11% | 5 | 1/16 |
//! | 8 | 8% | exactly, else as far as the time allows | 1/4 |
//! | 9 | none | exactly, else as far as the time allows | all |
//!
//! From level 7 on a move at random is made only where no move wins at once.
//!
//! Exactly: if all positions can be solved in twice the time for a move. Without an estimate every level plays exactly
//! where it can, and else by plays at random. `benches/levels.py` measures each level against the one below.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use zug_search::game::GameEngine;
use zug_syntax::{push_quoted, unquoted};

/// How strong the machine plays, from 1 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(u8);

impl Level {
    /// Neither weak nor perfect.
    pub const MIDDLE: Level = Level(5);
    /// As strong as it can.
    pub const BEST: Level = Level(9);

    /// A level, if there is one of this number.
    pub fn new(number: u8) -> Option<Level> {
        (1..=9).contains(&number).then_some(Level(number))
    }

    fn place(self) -> usize {
        usize::from(self.0) - 1
    }

    /// Of a hundred moves, how many are made at random.
    pub(super) fn at_random(self) -> u64 {
        [96, 70, 50, 34, 23, 18, 11, 8, 0][self.place()]
    }

    /// How far it looks ahead; `None` for as far as the time allows.
    pub(super) fn depth(self) -> Option<u32> {
        [Some(1), Some(1), Some(2), Some(2), Some(3), Some(4), Some(5), None, None][self.place()]
    }

    /// The part of the time for a move that it takes to look ahead: one of so many.
    pub(super) fn share_of_time(self) -> u32 {
        [16, 16, 16, 16, 16, 16, 16, 4, 1][self.place()]
    }

    /// Whether it takes an immediate win even where it would move at random.
    pub(super) fn is_strong(self) -> bool {
        self.0 >= 7
    }

    /// Whether it plays exactly where it can, though there is an estimate.
    pub(super) fn is_exact(self) -> bool {
        self.0 >= 8
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level:{}", self.0)
    }
}

/// Who makes a player's moves. Its text reads as a term too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agent {
    /// A person.
    Human,
    /// What comes up, where nobody chooses.
    Chance,
    /// Any move.
    Random,
    /// The machine at a level.
    Level(Level),
    /// An engine; without a depth, as deep as the time allows. For those that make plays at
    /// random, with how many of them in the place of the depth.
    Engine(GameEngine, Option<u32>),
    /// What was learned, in a file: drawn, or the likeliest moves.
    Policy {
        /// The file.
        file: Arc<str>,
        /// Only the likeliest moves.
        greedy: bool,
    },
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Agent::Human => f.write_str("human"),
            Agent::Chance => f.write_str("chance"),
            Agent::Random => f.write_str("random"),
            Agent::Level(level) => level.fmt(f),
            Agent::Engine(engine, None) => f.write_str(engine.info().name),
            Agent::Engine(engine, Some(depth)) => write!(f, "{}:{depth}", engine.info().name),
            Agent::Policy { file, greedy } => {
                let mut name = String::new();
                push_quoted(&mut name, file, '\'');
                write!(f, "{}:{name}", if *greedy { "greedy" } else { "policy" })
            }
        }
    }
}

impl FromStr for Agent {
    type Err = String;

    fn from_str(text: &str) -> Result<Agent, String> {
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name.trim(), Some(number.trim())),
            None => (text.trim(), None),
        };
        let depth = |number: Option<&str>| match number.map(str::parse) {
            None => Ok(None),
            Some(Ok(depth)) if depth > 0 => Ok(Some(depth)),
            Some(_) => Err(format!("`{}` is no number, as 6", number.unwrap_or_default())),
        };
        match (name, number) {
            ("human", None) => Ok(Agent::Human),
            ("random", None) => Ok(Agent::Random),
            ("policy" | "greedy", Some(file)) if !file.is_empty() => {
                let file = unquoted(file).unwrap_or(file.into());
                Ok(Agent::Policy { file: file.into(), greedy: name == "greedy" })
            }
            ("policy" | "greedy", _) => Err(format!("`{name}` wants a file, as {name}:nim.policy")),
            ("level", Some(number)) => {
                let level = number.parse().ok().and_then(Level::new);
                level.map(Agent::Level).ok_or_else(|| "levels go from 1 to 9".to_owned())
            }
            _ => match GameEngine::by_name(name) {
                Some(engine @ (GameEngine::SolveGame | GameEngine::Pns)) if number.is_some() => {
                    Err(format!("{} takes no depth", engine.info().name))
                }
                Some(engine) => Ok(Agent::Engine(engine, depth(number)?)),
                None => {
                    let names = GameEngine::ALL.iter().map(|engine| engine.info().name);
                    let names = names.collect::<Vec<_>>().join(", ");
                    Err(format!("there is no engine `{name}`; there are {names} and random"))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_read_as_they_are_written() {
        for text in [
            "human",
            "random",
            "level:5",
            "alphabeta",
            "minimax:4",
            "solve_game",
            "policy:'a b'",
            r"policy:'it\'s'",
            r"greedy:'a\\b\x2\c\n'",
        ] {
            assert_eq!(text.parse::<Agent>().map(|agent| agent.to_string()).as_deref(), Ok(text));
        }
        for text in ["level:0", "level", "alphabeta:x", "alphabeta:0", "solve_game:3", "deep_blue"]
        {
            assert!(text.parse::<Agent>().is_err(), "{text}");
        }
    }
}
