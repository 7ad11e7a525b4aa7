//! `play.` and `play(Options)` at the prompt, where the rules are of a game in which all choose
//! at once.

use super::{DialogueError, Repl};
use zug_domain::simultaneous::Parts;
use zug_domain::simultaneous::contests::WINS;
use zug_matrix::repeated::Until;
use zug_options::{Rejected, Row, Table, Within};
use zug_prolog::session::Query;
use zug_random::Random;
use zug_term::Cell;
use zug_usecases::rounds::{OPPONENT, Rounds, RoundsRequest};

static WHO: [Row<RoundsRequest>; 2] = [
    Row::term_text("as", "Player", "The player you are", |to: &mut RoundsRequest, player| {
        to.person = Some(player.to_owned());
        Ok(())
    }),
    Row::term_text("against", "Who", "Who plays the other", |to: &mut RoundsRequest, who| {
        to.against = who.to_owned();
        Ok(())
    }),
];
static LENGTH: [Row<RoundsRequest>; 3] = [
    Row::whole("to", "N", "Rounds to win", |to: &mut RoundsRequest, wins| {
        if wins == 0 {
            return Rejected::out_of_range();
        }
        to.until = Until::first_to(wins);
        Ok(())
    }),
    Row::whole("rounds", "N", "Rounds to play", |to: &mut RoundsRequest, rounds| {
        if rounds == 0 {
            return Rejected::out_of_range();
        }
        to.until = Until::Rounds(rounds);
        Ok(())
    }),
    Row::whole(
        "seed",
        "N",
        "The seed of what happens at random",
        |to: &mut RoundsRequest, seed| {
            to.seed = seed;
            Ok(())
        },
    ),
];

/// The options of play/1 here.
pub(super) static OPTIONS: Table<RoundsRequest, Cell> = Table(&[
    &Within(&WHO, |request: &mut RoundsRequest| request),
    &Within(&LENGTH, |request: &mut RoundsRequest| request),
]);
/// What they are options of.
const AT_ONCE: &str = "play/1 in a game in which all choose at once";

impl Repl<'_> {
    /// Plays rounds by the rules that are loaded.
    pub(super) fn play_rounds(&mut self, request: RoundsRequest) -> Result<(), DialogueError> {
        let rounds = Rounds::begin(self.session, request)?;
        self.dialogue()?.rounds(rounds)?;
        Ok(())
    }

    /// What `play(Options)` asks for.
    pub(super) fn rounds_request(&mut self, query: &Query) -> Result<RoundsRequest, String> {
        let parts = Parts::of(&self.session.machine);
        let pred = parts.and_then(|parts| parts.payoff.or(parts.joint_move));
        let mut request = RoundsRequest {
            rules: self.rules_with(pred),
            person: None,
            against: OPPONENT.to_owned(),
            until: Until::first_to(WINS),
            seed: Random::from_clock().below(1_000_000),
        };
        self.options(query, (AT_ONCE, &OPTIONS), &mut request)?;
        Ok(request)
    }
}
