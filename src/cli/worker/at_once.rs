//! Games in which all choose at once: what there is to choose, and a round.

use super::Desk;
use super::board::Painter;
use super::play::{Advice, ChoiceData, Spot};
use super::question::At;
use super::reply::End;
use serde::{Deserialize, Serialize};
use zug_domain::canonical_text;
use zug_domain::simultaneous::RoundResult;
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_render::found::text as found_text;
use zug_render::style::Theme;
use zug_term::Record;
use zug_usecases::Failure;
use zug_usecases::round::{MachineSeat, Standing, standing};
use zug_usecases::solve::{Found, SolveRequest, solve};

/// Who chooses in a round, and how.
#[derive(Debug, Deserialize)]
pub struct RoundRequest {
    /// Where.
    #[serde(flatten)]
    pub at: At,
    /// By player: the number of the action that a person has chosen, or who of the machine chooses.
    pub choices: Vec<Chooser>,
    /// The rounds before, by the numbers of players and actions.
    #[serde(default)]
    pub past: Vec<Vec<usize>>,
    /// The seed of what happens at random.
    pub seed: u64,
}

/// Who chooses.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Chooser {
    /// A person: the number of the action.
    Person(usize),
    /// The machine: who plays, as a term.
    Machine(String),
}

/// A round that was played.
#[derive(Serialize)]
struct Round {
    /// What the players chose: by number, and in words.
    chosen: Vec<usize>,
    actions: Vec<String>,
    /// What it pays to each, in a game of one round.
    payoffs: Option<Vec<String>>,
    /// What comes next.
    spot: Spot,
}

fn here(desk: &Desk, session: &mut Session, at: &At) -> Result<Standing, Failure> {
    let instance = at.instance.as_deref().filter(|_| at.state.is_none());
    standing(session, at.state.as_deref(), instance, &desk.limits())
}

/// A state and what each player may choose there.
pub fn spot(desk: &Desk, session: &mut Session, at: &At) -> Result<Spot, Failure> {
    let standing = here(desk, session, at)?;
    Ok(shown(session, &standing))
}

fn shown(session: &mut Session, standing: &Standing) -> Spot {
    let board = standing.state.as_ref().map(|state| Painter::default().board(session, state));
    let (m, w) = (&session.machine, &session.world);
    let texts = |records: &[Record]| records.iter().map(|record| term_text(m, w, record)).collect();
    let choices = &standing.choices;
    let players: Vec<String> = texts(&choices.players);
    let ending = choices.ending.as_ref().map(|values| {
        let each = players.iter().zip(values).map(|(player, value)| format!("{player} {value}"));
        each.collect::<Vec<_>>().join(", ")
    });
    let own = players.into_iter().zip(&choices.actions);
    Spot {
        state: standing.state.as_ref().map(|state| canonical_text(m, w, state)),
        player: None,
        over: ending.is_some(),
        ending,
        chance: false,
        moves: Vec::new(),
        choices: own.map(|(player, own)| ChoiceData { player, actions: texts(own) }).collect(),
        board: board.flatten(),
    }
}

/// Plays a round. The machine knows nothing of what persons have chosen in it.
pub fn round(desk: &Desk, asked: &RoundRequest) -> Result<End, Failure> {
    let (mut session, _) = desk.domain()?;
    let standing = here(desk, &mut session, &asked.at)?;
    let limits = desk.limits();
    let mut chosen = Vec::with_capacity(asked.choices.len());
    for (player, chooser) in asked.choices.iter().enumerate() {
        chosen.push(match chooser {
            Chooser::Person(action) => *action,
            Chooser::Machine(_) if standing.choices.actions.len() <= player => 0,
            Chooser::Machine(who) => {
                // Two of the machine don't draw alike.
                let seed =
                    asked.seed.wrapping_add((player as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let seat = MachineSeat { player, who, past: &asked.past, seed };
                standing.choose(&mut session, &seat, &limits)?
            }
        });
    }
    let (result, next) = standing.play(&mut session, &chosen, &limits)?;
    let payoffs = match &result {
        RoundResult::Payoffs(paid) => Some(paid.iter().map(ToString::to_string).collect()),
        RoundResult::State(_) => None,
    };
    let own = standing.choices.actions.iter().zip(&chosen);
    let name =
        |(own, &at): (&Vec<Record>, &usize)| term_text(&session.machine, &session.world, &own[at]);
    let actions = own.map(name).collect();
    let spot = shown(&mut session, &next);
    desk.reply.record("round", &Round { chosen, actions, payoffs, spot });
    Ok(End::done())
}

/// Says how not to lose: equilibria of what is to be chosen now.
pub fn hint(desk: &Desk, session: &mut Session, at: &At) -> Result<End, Failure> {
    let request = SolveRequest {
        file: desk.file(),
        instance: at.instance.clone().filter(|_| at.state.is_none()),
        state: at.state.clone(),
        limits: desk.limits(),
        ..SolveRequest::default()
    };
    let mut text = String::new();
    let mut each = |found: &Found, session: &mut Session| {
        text += &found_text(found, session, None, &Theme::new(false));
        true
    };
    solve(session, &request, None, &mut each)?;
    let text = text.trim().to_owned();
    desk.reply.record("advice", &Advice { choice: None, text });
    Ok(End::done())
}
