//! How moves are chosen and how games change what is known of them: [`Rule`].

use super::policy::MoveStats;
use zug_random::Random;

/// No reward is greater, nor its negation less.
pub(super) const GREATEST: f64 = 1e9;

/// How to learn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Michie's matchboxes.
    #[default]
    Matchboxes,
    /// Tabular Q-learning.
    Q,
    /// Every-visit Monte Carlo control.
    MonteCarlo,
}

impl Method {
    /// All methods with their names in commands and queries.
    pub const ALL: [(Method, &'static str); 3] =
        [(Method::Matchboxes, "matchboxes"), (Method::Q, "q"), (Method::MonteCarlo, "monte-carlo")];

    /// Their names, as an option takes them.
    pub const NAMES: [(&'static str, &'static str); 3] =
        [(Self::ALL[0].1, ""), (Self::ALL[1].1, ""), (Self::ALL[2].1, "")];

    /// The name in commands and queries.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(method, _)| *method == self).map_or("", |(_, name)| name)
    }

    /// What it keeps, in half a line.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Matchboxes => "beads in a box for every state: Michie's machine",
            Self::Q => "what every move is worth, step by step from the best answer to it",
            Self::MonteCarlo => "what every move is worth, as the mean of what games came to",
        }
    }

    /// The method of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, own)| *own == name).map(|(method, _)| *method)
    }
}

/// Beads put into the boxes of the moves that were made; taken out, where they are negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beads {
    /// After a win.
    pub win: i32,
    /// After a draw.
    pub draw: i32,
    /// After a loss.
    pub loss: i32,
    /// For every move of the game, not only for the last one.
    pub all: bool,
}

impl Default for Beads {
    fn default() -> Self {
        Self { win: 1, draw: 0, loss: 0, all: true }
    }
}

/// Rates of Q-learning and Monte Carlo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// How many moves are made at random, as a part of 1.
    pub epsilon: f64,
    /// How large a step is; `None` for the mean of all that was seen.
    pub alpha: Option<f64>,
    /// After n games both rates are divided by 1 + decay · n.
    pub decay: f64,
    /// What a thing is worth one move later.
    pub discount: f64,
}

impl Default for Rates {
    fn default() -> Self {
        Self { epsilon: 0.2, alpha: None, decay: 0.0, discount: 1.0 }
    }
}

/// How to learn, with all that can be set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rule {
    /// The method.
    pub method: Method,
    /// For matchboxes.
    pub beads: Beads,
    /// For the others.
    pub rates: Rates,
}

/// A step of Q-learning unless something else is said.
const Q_STEP: f64 = 0.2;

impl Rule {
    /// What is known of the moves of a state that was never met.
    pub fn fresh(&self, moves: usize) -> Vec<MoveStats> {
        let worth = if self.method == Method::Matchboxes { 1.0 } else { 0.0 };
        vec![MoveStats { worth, tries: 0 }; moves]
    }

    /// How many moves are made at random after so many games.
    pub fn epsilon(&self, games: u64) -> f64 {
        self.rates.epsilon / self.decayed(games)
    }

    fn decayed(&self, games: u64) -> f64 {
        1.0 + self.rates.decay * games as f64
    }

    /// How large a step is after so many games, for a move made `tries` times.
    fn step(&self, games: u64, tries: u64) -> f64 {
        match (self.rates.alpha, self.method) {
            (Some(alpha), _) => alpha / self.decayed(games),
            (None, Method::MonteCarlo) => 1.0 / tries.max(1) as f64,
            (None, _) => Q_STEP / self.decayed(games),
        }
    }

    /// The places of the likeliest moves: more than one if they are as likely.
    pub fn likeliest(&self, moves: &[MoveStats]) -> Vec<usize> {
        let most = moves.iter().map(|known| known.worth).fold(f64::NEG_INFINITY, f64::max);
        (0..moves.len()).filter(|&at| moves[at].worth == most).collect()
    }

    /// How likely each move is after so many games.
    pub fn probabilities(&self, moves: &[MoveStats], games: u64) -> Vec<f64> {
        if self.method == Method::Matchboxes {
            let all: f64 = moves.iter().map(|known| known.worth).sum();
            return moves.iter().map(|known| known.worth / all).collect();
        }
        let (best, epsilon) = (self.likeliest(moves), self.epsilon(games).min(1.0));
        let each = epsilon / moves.len() as f64;
        let part = (1.0 - epsilon) / best.len() as f64;
        let likely = |at: usize| if best.contains(&at) { each + part } else { each };
        (0..moves.len()).map(likely).collect()
    }

    /// Draws a move.
    pub fn draw(&self, moves: &[MoveStats], games: u64, random: &mut Random) -> usize {
        if self.method != Method::Matchboxes {
            return match random.float() < self.epsilon(games) {
                true => random.below(moves.len().max(1) as u64) as usize,
                false => self.greedy(moves, random),
            };
        }
        let beads = |known: &MoveStats| known.worth as u64;
        let all: u64 = moves.iter().map(beads).sum();
        let mut bead = random.below(all.max(1));
        let drawn = moves.iter().position(|known| {
            let here = bead < beads(known);
            bead = bead.saturating_sub(beads(known));
            here
        });
        drawn.unwrap_or(0)
    }

    /// One of the likeliest moves; any of them if there are more.
    pub fn greedy(&self, moves: &[MoveStats], random: &mut Random) -> usize {
        let best = self.likeliest(moves);
        match best.as_slice() {
            [] => 0,
            [only] => *only,
            several => several[random.below(several.len() as u64) as usize],
        }
    }

    /// Whether this can be known of a move: beads are counted.
    pub fn allows(&self, worth: f64) -> bool {
        match self.method {
            Method::Matchboxes => (0.0..1e15).contains(&worth) && worth.fract() == 0.0,
            _ => worth.abs() <= GREATEST,
        }
    }

    /// Puts beads into a box for a move, or takes them out. A box without any is filled anew.
    pub(super) fn put(moves: &mut [MoveStats], at: usize, beads: i32) {
        moves[at].worth = (moves[at].worth + f64::from(beads)).max(0.0);
        if moves.iter().all(|known| known.worth == 0.0) {
            moves.iter_mut().for_each(|known| known.worth = 1.0);
        }
    }

    /// Moves the worth of a move a step towards a target.
    pub(super) fn approach(&self, known: &mut MoveStats, target: f64, games: u64) {
        known.worth += self.step(games, known.tries) * (target - known.worth);
    }
}
