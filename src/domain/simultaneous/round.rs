//! A round of a game in which all choose at once: what there is to choose, what players of the machine
//! choose, and what follows.

use super::arena::{Arena, unfit};
use super::player_spec::{self, Base, PlayerSpec};
use super::rules::{Answered, Rules, same};
use super::{Breach, NashTask, nash, sampled, table};
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use crate::run::nested;
use zug_machine::Machine;
use zug_matrix::learn::draw;
use zug_matrix::{Rational, to_float};
use zug_prolog::builtins::World;
use zug_prolog::term_text;
use zug_random::Random;
use zug_search::game::Sampling;
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// Players of the machine in a game of one round that is repeated.
const REPEATED: [&str; 5] = ["mixture([1,2,3])", "nash", "mcts", "uniform", "history(3)"];
/// The same in a game of several stages, or of more than two players.
const STAGED: [&str; 3] = ["nash", "mcts", "uniform"];

/// What there is to choose in a state.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The players, in order.
    pub players: Vec<Record>,
    /// The actions of each; none where the game is over.
    pub actions: Vec<Vec<Record>>,
    /// Where the game is over, its value to each player.
    pub ending: Option<Vec<Rational>>,
}

/// What follows when all have chosen.
#[derive(Clone, Debug)]
pub enum RoundResult {
    /// What a game of one round pays to the players.
    Payoffs(Vec<Rational>),
    /// The next state of a game of several.
    State(Record),
}

/// A player of the machine in a round.
#[derive(Clone, Debug)]
pub struct Seat<'r> {
    /// The number of the player.
    pub player: usize,
    /// Who sits there, as a term; see [`player_spec`].
    pub who: &'r Record,
    /// The rounds before, by the numbers of players and actions.
    pub past: &'r [Vec<usize>],
    /// The seed of what happens at random.
    pub seed: u64,
}

/// What there is to choose in a state; without one in a game of one round.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract.
pub fn choices(
    m: &mut Machine,
    w: &mut World,
    state: Option<&Record>,
    limits: &Limits,
) -> Result<Choices, Box<RuleError>> {
    nested(m, w, limits, |m, w, _| {
        let mut rules = Rules::of(m, w)?;
        let players = rules.players()?;
        if let Some(state) = state.filter(|_| !rules.parts.is_matrix())
            && rules.is_over(&players[0], state)?
        {
            let values = players.iter().map(|player| rules.utility(player, state));
            let ending = Some(values.collect::<Answered<_>>()?);
            return Ok(Choices { actions: vec![Vec::new(); players.len()], players, ending });
        }
        let actions = table::actions(&mut rules, &players, state)?;
        Ok(Choices { players, actions, ending: None })
    })
}

/// What follows when each player has chosen an action.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract.
pub fn play_round(
    m: &mut Machine,
    w: &mut World,
    state: Option<&Record>,
    actions: &[&Record],
    limits: &Limits,
) -> Result<RoundResult, Box<RuleError>> {
    nested(m, w, limits, |m, w, _| {
        let mut rules = Rules::of(m, w)?;
        match state {
            Some(state) if !rules.parts.is_matrix() => {
                rules.joint_move(actions, state).map(RoundResult::State)
            }
            _ => rules.payoffs(actions).map(RoundResult::Payoffs),
        }
    })
}

/// The number of the action that a player of the machine chooses. Inside, the limit that struck.
///
/// # Errors
/// There is no such player here; or an error in the rules.
pub fn choose(
    m: &mut Machine,
    w: &mut World,
    state: Option<&Record>,
    seat: &Seat<'_>,
    limits: &Limits,
) -> Result<Result<usize, StopReason>, Box<RuleError>> {
    nested(m, w, limits, |m, w, limits| {
        m.arithmetic.random = Random::new(seat.seed);
        let mut rules = Rules::of(m, w)?;
        let who = player_spec::read(&rules, seat.who)
            .map_err(|breach| RuleError::new(Violation::Together(breach), indicator::STRATEGY))?;
        let two = rules.players()?.len() == 2;
        let plays = if rules.parts.is_matrix() && two {
            repeated(&mut rules, state, seat, who, limits)?
        } else {
            staged(&mut rules, state, seat, &who, limits)?
        };
        Ok(plays.map(|plays| draw(&plays, &mut Random::new(seat.seed))))
    })
}

/// A probability for each action, or the limit that struck.
type Plays = Result<Vec<f64>, StopReason>;

/// How a player of a repeated game plays after the rounds before.
fn repeated(
    rules: &mut Rules<'_>,
    state: Option<&Record>,
    seat: &Seat<'_>,
    who: PlayerSpec,
    limits: &Limits,
) -> Answered<Plays> {
    let mut arena = Arena::new(rules, state)?;
    let spec = match arena.invite(who, limits)? {
        Ok(spec) => spec,
        Err(reason) => return Ok(Err(reason)),
    };
    let model = arena.game.model(&spec, seat.player);
    let mut model = model.map_err(|error| unfit(error, &arena.table))?;
    let known = |round: &[usize]| {
        let within = |(&at, own): (&usize, &Vec<Record>)| at < own.len();
        round.len() == 2 && round.iter().zip(&arena.table.actions).all(within)
    };
    for round in seat.past.iter().filter(|round| known(round)) {
        model.observe(round[seat.player], round[1 - seat.player]);
    }
    arena.prepare(rules)?;
    Ok(Ok(model.plays()))
}

/// How a player plays in a state of a game of several stages, or of other numbers of players.
fn staged(
    rules: &mut Rules<'_>,
    state: Option<&Record>,
    seat: &Seat<'_>,
    who: &PlayerSpec,
    limits: &Limits,
) -> Answered<Plays> {
    let error = |breach| RuleError::new(Violation::Together(breach), indicator::PLAYERS);
    let players = rules.players()?;
    let own = rules.actions(&players[seat.player], state)?;
    match &who.base {
        _ if who.counters > 0 => Err(error(Breach::NotMatrix)),
        Base::Uniform => Ok(Ok(vec![1.0 / own.len() as f64; own.len()])),
        Base::Fixed(action) => {
            let at = own.iter().position(|known| same(known, action));
            let at = at.ok_or_else(|| error(Breach::NoSuchAction(action.clone(), own.clone())))?;
            Ok(Ok((0..own.len()).map(|number| f64::from(number == at)).collect()))
        }
        Base::Mcts(plays) => {
            let sampling = Sampling { playouts: Some(*plays), ..Sampling::default() };
            let tried = sampled::sample(rules, state, &sampling, limits)?;
            Ok(tried.map(|tried| tried.found.mixture(seat.player)))
        }
        Base::Nash => {
            let table = match super::table(rules, state, limits)? {
                Ok((table, _)) => table,
                Err(reason) => return Ok(Err(reason)),
            };
            let task = NashTask { limits: limits.clone(), ..NashTask::default() };
            let found = match nash(&table, &task) {
                Ok(found) => found.equilibria.into_iter().next(),
                Err(reason) => return Ok(Err(reason)),
            };
            let found = found.ok_or_else(|| error(Breach::NoEquilibrium))?;
            let own = found.profile[seat.player].probabilities();
            Ok(Ok(own.iter().map(to_float).collect()))
        }
        Base::History(_) | Base::Mixture(_) | Base::Named(_) => Err(error(Breach::NotMatrix)),
    }
}

/// Who may sit in the seats of the machine, as terms, the usual one first.
///
/// # Errors
/// An error in the rules.
pub fn opponents(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
) -> Result<Vec<String>, Box<RuleError>> {
    nested(m, w, limits, |m, w, _| {
        let mut rules = Rules::of(m, w)?;
        let repeated = rules.parts.is_matrix() && rules.players()?.len() == 2;
        let built_in: &[&str] = if repeated { &REPEATED } else { &STAGED };
        let mut all: Vec<String> = built_in.iter().map(|&who| who.to_owned()).collect();
        let own = if repeated { player_spec::named(&rules) } else { Vec::new() };
        for atom in own {
            let (m, w, _) = rules.asker();
            let name = Record::new(&mut m.heap, atom);
            all.push(term_text(m, w, &name));
        }
        Ok(all)
    })
}
