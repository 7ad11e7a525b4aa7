//! Who trains somebody, as people name them: [`Against`].

use crate::play::Agent;
use std::fmt;
use std::str::FromStr;

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
