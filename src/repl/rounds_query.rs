//! `play.` and `play(Options)` at the prompt, where the rules are of a game in which all choose
//! at once.

use super::play_query::no_option;
use super::{Repl, RoundTalk};
use crate::usecases::Failure;
use crate::usecases::rounds::{OPPONENT, Rounds, RoundsRequest};
use std::io;
use zug_domain::simultaneous::Parts;
use zug_domain::simultaneous::contests::WINS;
use zug_matrix::repeated::Until;
use zug_prolog::session::Query;
use zug_random::Random;

/// The options of play/1 here.
const OPTIONS: &str = "as(Player), against(Who), to(N), rounds(N), seed(N)";
/// What they are options of.
const AT_ONCE: &str = "play/1 in a game in which all choose at once";

impl Repl<'_> {
    /// Plays rounds by the rules that are loaded.
    pub(super) fn play_rounds(
        &mut self,
        request: RoundsRequest,
    ) -> io::Result<Result<(), Failure>> {
        let rounds = match Rounds::begin(self.session, request) {
            Ok(rounds) => rounds,
            Err(failure) => return Ok(Err(failure)),
        };
        if !self.console.interactive() {
            self.end_line()?;
        }
        let talk = RoundTalk::new(self.session, &mut *self.console, self.theme);
        Ok(talk.play(rounds)?.map(|_| ()))
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
        for (name, value) in self.options(query, ("play/1", OPTIONS))? {
            let number = || -> Result<u64, String> {
                let number = value.parse().ok().filter(|&number| number > 0 || name == "seed");
                number.ok_or_else(|| format!("`{name}({value})` wants a number"))
            };
            match &*name {
                "as" => request.person = Some(value.clone()),
                "against" => request.against = value.clone(),
                "to" => request.until = Until::first_to(number()?),
                "rounds" => request.until = Until::Rounds(number()?),
                "seed" => request.seed = number()?,
                _ => return Err(no_option(&name, (AT_ONCE, OPTIONS))),
            }
        }
        Ok(request)
    }
}
