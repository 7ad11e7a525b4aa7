//! `play` of a game in which all choose at once: a person against a player, round by round.

use super::Failure;
use super::asking::{ask, must_be_simultaneous};
use super::contest::contest_failure;
use super::given::term;
use super::record::TermData;
use zug_domain::simultaneous::{Duel, DuelRound};
use zug_matrix::repeated::{Score, Until};
use zug_prolog::session::Session;

/// Who plays against a person unless somebody else is asked for.
pub const OPPONENT: &str = "mixture([1,2,3])";

/// What is asked for.
#[derive(Clone, Debug)]
pub struct RoundsRequest {
    /// How the rules are called: the file.
    pub rules: String,
    /// The player that the person is; the first without it.
    pub person: Option<String>,
    /// Who plays against the person, as a term.
    pub against: String,
    /// When it is over.
    pub until: Until,
    /// The seed of what happens at random.
    pub seed: u64,
}

/// Such a game being played.
pub struct Rounds {
    /// What was asked for.
    pub request: RoundsRequest,
    /// The players.
    pub players: Vec<TermData>,
    /// The actions of each.
    pub actions: Vec<Vec<TermData>>,
    duel: Duel,
}

impl Rounds {
    /// The game before its first round.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn begin(session: &mut Session, request: RoundsRequest) -> Result<Rounds, Failure> {
        must_be_simultaneous(session)?;
        let against = term(session, "opponent", &request.against)?;
        let person = match &request.person {
            Some(text) => Some(term(session, "player", text)?),
            None => None,
        };
        let (m, w) = (&mut session.machine, &mut session.world);
        let duel = Duel::new(m, w, person.as_ref(), &against, request.until, request.seed);
        let duel = duel.map_err(|error| contest_failure(session, &error))?;
        let text = |record| TermData::of(&session.machine, &session.world, record);
        let table = duel.table();
        let players = table.players.iter().map(text).collect();
        let actions = table.actions.iter().map(|own| own.iter().map(text).collect()).collect();
        Ok(Rounds { request, players, actions, duel })
    }

    /// The number of the person, and that of the machine.
    pub fn seats(&self) -> [usize; 2] {
        [self.duel.seat, 1 - self.duel.seat]
    }

    /// The score.
    pub fn score(&self) -> &Score {
        &self.duel.score
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.duel.is_over()
    }

    /// Who is ahead.
    pub fn leader(&self) -> Option<usize> {
        self.duel.score.leader(self.request.until)
    }

    /// What the machine expects of the person now: a probability for each action.
    pub fn expects(&self) -> Vec<f64> {
        self.duel.expects()
    }

    /// The person plays an action, by its number.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn play(&mut self, session: &mut Session, own: usize) -> Result<DuelRound, Failure> {
        ask(session, |m, w| self.duel.play(m, w, own))
    }
}
