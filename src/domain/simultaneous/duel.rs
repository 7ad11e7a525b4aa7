//! A person against a player of a repeated game, round by round.

use super::arena::{Arena, unfit};
use super::rules::{Answered, Rules, same};
use super::{Breach, Table, first_state, player_spec};
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use crate::run::nested;
use zug_machine::{Fault, Machine, StopReason};
use zug_matrix::learn::draw;
use zug_matrix::repeated::{Model, Score, Until};
use zug_prolog::builtins::World;
use zug_random::Random;
use zug_search::Limits;
use zug_term::Record;

/// What a round was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuelRound {
    /// The actions, by player.
    pub actions: [usize; 2],
    /// PlayerSpec was paid more.
    pub winner: Option<usize>,
}

/// Such a contest. The machine chooses before the person does, and by the rounds before alone.
pub struct Duel {
    arena: Arena,
    model: Box<dyn Model>,
    random: Random,
    /// The seat of the person.
    pub seat: usize,
    /// When it is over.
    pub until: Until,
    /// The score so far.
    pub score: Score,
    /// What the machine plays in this round.
    chosen: usize,
}

impl Duel {
    /// A contest before its first round; the person has the seat of a player, the first if none
    /// is named.
    ///
    /// # Errors
    /// There is no such player, or an error in the rules.
    pub fn new(
        m: &mut Machine,
        w: &mut World,
        person: Option<&Record>,
        opponent: &Record,
        until: Until,
        seed: u64,
    ) -> Result<Duel, Box<RuleError>> {
        nested(m, w, &Limits::none(), |m, w, limits| {
            m.arithmetic.random = Random::new(seed);
            let state = first_state(m, w)?;
            let mut rules = Rules::of(m, w)?;
            let mut arena = Arena::new(&mut rules, state.as_ref())?;
            let seat = seat(&arena.table, person)?;
            let who = player_spec::read(&rules, opponent);
            let who =
                who.map_err(|b| RuleError::new(Violation::Together(b), indicator::STRATEGY))?;
            let spec = arena.invite(who, limits)?.map_err(|_| interrupted())?;
            let model = arena.game.model(&spec, 1 - seat);
            let model = model.map_err(|error| unfit(error, &arena.table))?;
            let (random, score) = (Random::new(seed), Score::default());
            let mut duel = Duel { arena, model, random, seat, until, score, chosen: 0 };
            duel.choose(&mut rules)?;
            Ok(duel)
        })
    }

    /// The game of one round.
    pub fn table(&self) -> &Table {
        &self.arena.table
    }

    /// What the machine expects of the person now: a probability for each action.
    pub fn expects(&self) -> Vec<f64> {
        self.model.expects()
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.score.is_over(self.until)
    }

    /// The person plays an action; then the machine chooses for the next round.
    ///
    /// # Errors
    /// An error in the rules.
    pub fn play(
        &mut self,
        m: &mut Machine,
        w: &mut World,
        own: usize,
    ) -> Result<DuelRound, Box<RuleError>> {
        let actions = if self.seat == 0 { [own, self.chosen] } else { [self.chosen, own] };
        let winner = self.score.count(self.arena.game.game(), actions);
        self.model.observe(self.chosen, own);
        if !self.is_over() {
            nested(m, w, &Limits::none(), |m, w, _| self.choose(&mut Rules::of(m, w)?))?;
        }
        Ok(DuelRound { actions, winner })
    }

    fn choose(&mut self, rules: &mut Rules<'_>) -> Answered<()> {
        self.arena.prepare(rules)?;
        self.chosen = draw(&self.model.plays(), &mut self.random);
        Ok(())
    }
}

fn seat(table: &Table, person: Option<&Record>) -> Answered<usize> {
    let Some(person) = person else { return Ok(0) };
    let at = table.players.iter().position(|player| same(player, person));
    at.ok_or_else(|| {
        let breach = Breach::NoSuchPlayer(person.clone(), table.players.clone());
        RuleError::new(Violation::Together(breach), indicator::PLAYERS)
    })
}

/// Ctrl-C on the way to an equilibrium: nothing else limits it.
fn interrupted() -> Box<RuleError> {
    let fault = Fault::Stopped(StopReason::Interrupted);
    RuleError::new(Violation::Fault(fault, Box::default()), indicator::PAYOFF)
}
