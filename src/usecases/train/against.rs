//! Who trains somebody, as people name them: [`Against`].

use crate::Failure;
use crate::play::Agent;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use zug_domain::game::training::{Learned, Opponent};
use zug_prolog::session::Session;

/// Who plays against the one who learns. Its text reads as a term too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    /// The learner itself.
    Itself,
    /// Exact play: any optimal move.
    Optimal,
    /// Somebody else.
    Agent(Agent),
}

impl fmt::Display for Against {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Against::Itself => f.write_str("self"),
            Against::Optimal => f.write_str("optimal"),
            Against::Agent(agent) => agent.fmt(f),
        }
    }
}

impl FromStr for Against {
    type Err = String;

    fn from_str(text: &str) -> Result<Against, String> {
        match text.trim() {
            "self" => Ok(Against::Itself),
            "optimal" => Ok(Against::Optimal),
            text => match text.parse()? {
                Agent::Level(_) => {
                    Err("levels go by the clock; take an engine with a depth, as alphabeta:4"
                        .to_owned())
                }
                agent => Ok(Against::Agent(agent)),
            },
        }
    }
}

impl Against {
    /// The one who is named, ready to play.
    pub(super) fn opponent(&self, session: &mut Session) -> Result<Opponent, Failure> {
        Ok(match self {
            Against::Itself => Opponent::Itself,
            Against::Optimal => Opponent::Optimal,
            Against::Agent(Agent::Human) => Opponent::Human,
            Against::Agent(Agent::Engine(engine, depth)) => Opponent::Engine(*engine, *depth),
            Against::Agent(Agent::Policy { file, greedy }) => {
                Opponent::Policy(learned(session, file)?, *greedy)
            }
            Against::Agent(Agent::Random | Agent::Chance | Agent::Level(_)) => Opponent::Random,
        })
    }
}

/// The policy in a file, learned with the rules that are loaded.
pub fn learned(session: &mut Session, file: &str) -> Result<Arc<Learned>, Failure> {
    let said = super::file::read(session, &session.world.files.clone(), Path::new(file))?;
    let rows = said.saved.rows.into_iter().map(|(row, ..)| row).collect();
    Ok(Arc::new(Learned::new(said.rule, said.saved.games, rows)))
}
