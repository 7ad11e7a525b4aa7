//! Rounds of a game in which all choose at once, each asked for by itself: who remembers the rounds
//! before is not here.

use super::Failure;
use super::asking::{ask, must_be_simultaneous};
use super::contest::contest_failure;
use super::given::{all_starts, term};
use zug_domain::Contract;
use zug_domain::simultaneous::{self, Choices, RoundResult, Seat};
use zug_prolog::session::Session;
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// A state of such a game.
pub struct Standing {
    /// The state; none in a game of one round.
    pub state: Option<Record>,
    /// What there is to choose.
    pub choices: Choices,
}

/// A player of the machine.
#[derive(Clone, Debug)]
pub struct MachineSeat<'q> {
    /// The number of the player.
    pub player: usize,
    /// Who sits there, as a term.
    pub who: &'q str,
    /// The rounds before, by the numbers of players and actions.
    pub past: &'q [Vec<usize>],
    /// The seed of what happens at random.
    pub seed: u64,
}

/// What there is to choose: in a state as it is written, or in an instance.
///
/// # Errors
/// See [`Failure`].
pub fn standing(
    session: &mut Session,
    state: Option<&str>,
    instance: Option<&str>,
    limits: &Limits,
) -> Result<Standing, Failure> {
    must_be_simultaneous(session)?;
    let contract = Contract::of(&session.machine);
    let first = all_starts(session, &contract, instance, state)?.into_iter().next().flatten();
    at(session, first.map(|named| named.instance.state), limits)
}

fn at(session: &mut Session, state: Option<Record>, limits: &Limits) -> Result<Standing, Failure> {
    let choices = ask(session, |m, w| simultaneous::choices(m, w, state.as_ref(), limits))?;
    Ok(Standing { state, choices })
}

/// Who may play for the machine, as terms, the usual one first.
///
/// # Errors
/// See [`Failure`].
pub fn opponents(session: &mut Session, limits: &Limits) -> Result<Vec<String>, Failure> {
    ask(session, |m, w| simultaneous::opponents(m, w, limits))
}

impl Standing {
    /// The number of the action that a player of the machine chooses.
    ///
    /// # Errors
    /// See [`Failure`]; a limit struck.
    pub fn choose(
        &self,
        session: &mut Session,
        seat: &MachineSeat<'_>,
        limits: &Limits,
    ) -> Result<usize, Failure> {
        let who = &term(session, "player", seat.who)?;
        let seat = Seat { player: seat.player, who, past: seat.past, seed: seat.seed };
        let (m, w) = (&mut session.machine, &mut session.world);
        let chosen = simultaneous::choose(m, w, self.state.as_ref(), &seat, limits);
        match chosen.map_err(|error| contest_failure(session, &error))? {
            Ok(action) => Ok(action),
            Err(StopReason::Cancelled) => Err(Failure::Players("it was stopped".to_owned())),
            Err(reason) => Err(Failure::Players(format!(
                "no action was found: {reason}; let another player choose"
            ))),
        }
    }

    /// What follows when all have chosen, each an action by its number: what a game of one round pays, or
    /// the next state.
    ///
    /// # Errors
    /// See [`Failure`]; there is no such action.
    pub fn play(
        &self,
        session: &mut Session,
        chosen: &[usize],
        limits: &Limits,
    ) -> Result<(RoundResult, Standing), Failure> {
        let own = self.choices.actions.iter().zip(chosen);
        let actions: Option<Vec<&Record>> = own.map(|(own, &at)| own.get(at)).collect();
        let actions = actions.filter(|actions| actions.len() == self.choices.players.len());
        let actions =
            actions.ok_or_else(|| Failure::Players("there is no such action".to_owned()))?;
        let state = self.state.as_ref();
        let result = ask(session, |m, w| simultaneous::play_round(m, w, state, &actions, limits))?;
        let state = match &result {
            RoundResult::State(state) => Some(state.clone()),
            RoundResult::Payoffs(_) => self.state.clone(),
        };
        Ok((result, at(session, state, limits)?))
    }
}
