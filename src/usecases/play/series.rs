//! Several games among machines.
//!
//! The agents take the sides in turn, so that each begins as often as the others. So that
//! games differ, each begins with a few moves at random, the same for all sides of the same
//! agents: none of them ends the game.

use super::{Agent, Ending, Match, PlayRequest};
use crate::Failure;
use zug_machine::Fault;
use zug_machine::arithmetic::Random;
use zug_prolog::session::Session;
use zug_search::StopReason;

/// Moves at random of each player at the beginning of a game.
const OPENING: usize = 1;
/// Moves after which a game that goes round is broken off.
const LONGEST: usize = 1000;

/// A series of games, one after the other.
#[derive(Clone, Debug)]
pub struct Series {
    request: PlayRequest,
    agents: Vec<Agent>,
    /// Games begun so far.
    begun: u64,
}

/// A game of a series.
#[derive(Clone, Debug)]
pub struct SeriesGame {
    /// The number of the agent that played each player, in order of turns.
    pub seats: Vec<usize>,
    /// The game.
    pub game: Match,
    /// Its moves that were made at random, at the beginning.
    pub opening: usize,
    /// How it ended; `None` if it was broken off.
    pub ending: Option<Ending>,
}

/// Wins, draws and losses of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentScore {
    /// Games won.
    pub wins: u64,
    /// Games without a winner, or won together with others.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Series {
    /// A series among the agents of a request, in which the first begins the first game.
    ///
    /// # Errors
    /// As [`Match::begin`], or one of them is a person.
    pub fn new(session: &mut Session, request: &PlayRequest) -> Result<Series, Failure> {
        let mut request = request.clone();
        if request.humans.is_empty() {
            request.humans.push("none".to_owned());
        }
        let game = Match::begin(session, &request)?;
        if game.has_human() {
            let words = "several games are played by machines: give --as none".to_owned();
            return Err(Failure::Players(words));
        }
        Ok(Series { request, agents: game.agents, begun: 0 })
    }

    /// The agents, in the order in which they begin.
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// Plays the next game.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn next(&mut self, session: &mut Session) -> Result<SeriesGame, Failure> {
        let count = self.agents.len();
        let turn = (self.begun % count as u64) as usize;
        let seats: Vec<usize> = (0..count).map(|seat| (seat + turn) % count).collect();
        let round = self.begun / count as u64;
        self.begun += 1;
        let agents = seats.iter().map(|&agent| self.agents[agent].clone()).collect();
        let request = PlayRequest { agents, ..self.request.clone() };
        let mut game = Match::begin(session, &request)?;
        let mut openings = Random::new(self.request.seed.wrapping_add(round));
        game.brain.random = Random::new(self.request.seed.wrapping_mul(31) ^ self.begun);
        game.brain.dice = Random::new(!self.request.seed.wrapping_add(round));
        let mut opening = 0;
        while opening < OPENING * count && game.now().ends.is_none() {
            let before = game.clone();
            if !game.now().chances.is_empty() {
                let falls = game.think(session)?.choice;
                game.play(session, falls)?;
                continue;
            }
            let moves = game.now().choices.len().max(1) as u64;
            game.play(session, openings.below(moves) as usize)?;
            if game.now().ends.is_some() {
                game = before;
                break;
            }
            opening += 1;
        }
        while game.now().ends.is_none() && game.moves().len() < LONGEST {
            let thought = game.think(session)?;
            let stopped = thought.outlook.as_ref().and_then(|outlook| outlook.stopped);
            if stopped == Some(StopReason::Cancelled) {
                let fault = Fault::Stopped(zug_machine::StopReason::Interrupted);
                return Err(Failure::Stopped(fault, Vec::new()));
            }
            game.play(session, thought.choice)?;
        }
        let ending = game.ending();
        Ok(SeriesGame { seats, game, opening, ending })
    }
}

impl SeriesGame {
    /// Adds the game to the tallies of all agents.
    pub fn count(&self, tallies: &mut [AgentScore]) {
        for (player, &agent) in self.game.players.iter().zip(&self.seats) {
            let Some(tally) = tallies.get_mut(agent) else { continue };
            match &self.ending {
                Some(ending) if !ending.draw => match ending.winners.as_slice() {
                    winners if !winners.contains(player) => tally.losses += 1,
                    [_] => tally.wins += 1,
                    _ => tally.draws += 1,
                },
                _ => tally.draws += 1,
            }
        }
    }
}
