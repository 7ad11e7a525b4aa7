//! Opponents of the learner.

use super::against::Against;
use super::file::read;
use crate::Failure;
use crate::play::Agent;
use std::path::Path;
use std::sync::Arc;
use zug_domain::game::training::{Learned, Opponent};
use zug_prolog::session::Session;

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
    let said = read(session, &session.world.files.clone(), Path::new(file))?;
    let rows = said.saved.rows.into_iter().map(|(row, ..)| row).collect();
    Ok(Arc::new(Learned::new(said.rule, said.saved.games, rows)))
}
