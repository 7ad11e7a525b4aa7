//! The record of a game: Prolog clauses that a person can read and write.
//!
//! ```text
//! % A game of zug, to be loaded with `load` while playing by its rules.
//! rules('rules/nim.pl').
//! seed(1).
//! random(7914908, 2401).
//! start(a, 16).
//! player(a, human).
//! player(b, level:5).
//! played(1, a, take(3)).
//! played(2, b, take(1)).
//! ```
//!
//! On loading the moves are made again, each looked for among those that the rules give; a
//! record that does not fit the rules is refused and nothing changes. `random` says where the
//! random numbers of the machine and those of chance stand, so that a game that is loaded goes on
//! as if it had not been interrupted; without it chance has fallen once for each of its moves.

use super::agent::Agent;
use super::think::MachinePlayer;
use super::{Match, Played, look, players_of};
use crate::Failure;
use crate::saved::{Clause, NotLoaded, Saved, read, shown, unfit, write};
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use zug_domain::canonical_text;
use zug_prolog::session::Session;
use zug_random::Random;
use zug_term::Record;
use zug_term::source::{Source, Span};

/// How a record begins.
const HEADER: &str = "% A game of zug";

/// The record of a game.
pub fn text(session: &Session, game: &Match) -> String {
    let (m, w) = (&session.machine, &session.world);
    let name = |record: &Record| canonical_text(m, w, record);
    let mut rules = String::new();
    zug_syntax::push_quoted(&mut rules, &game.rules, '\'');
    let mut text = format!(
        "{HEADER}, to be loaded with `load` while playing by its rules.\n\
         rules({rules}).\nseed({}).\nrandom({}, {}).\n",
        game.seed,
        game.brain.random.position(),
        game.brain.dice.position()
    );
    let start = game.start();
    let _ = writeln!(text, "start({}, {}).", name(&start.player), name(&start.state));
    for player in &game.players {
        let _ = writeln!(text, "player({}, {}).", name(player), game.agent(player));
    }
    for (number, (player, mv)) in (1..).zip(game.moves()) {
        let _ = writeln!(text, "played({number}, {}, {}).", name(player), name(mv));
    }
    text
}

/// Writes the record of a game to a file, all of it or nothing. A file that is no record is
/// left alone.
///
/// # Errors
/// The I/O error.
pub fn save(session: &Session, game: &Match, path: &Path) -> io::Result<()> {
    write(session, path, (HEADER, "record of a game"), &text(session, game))
}

/// What a record says.
#[derive(Default)]
struct SavedGame {
    rules: Option<String>,
    seed: Option<u64>,
    /// Where the random numbers stand: the machine's, and those of chance.
    random: Option<[u64; 2]>,
    start: Option<(Record, Record)>,
    players: Vec<(Record, Agent)>,
    /// Who made which move, and where that stands.
    moves: Vec<(Record, Record, Span)>,
}

/// Makes the game of a record the one that is played; whether it was recorded under other
/// rules' name.
///
/// # Errors
/// See [`NotLoaded`]; then the game goes on as it was.
pub fn load(
    session: &mut Session,
    game: &mut Match,
    path: &Path,
) -> Result<Option<String>, NotLoaded> {
    let (said, source): (SavedGame, Source) = read(session, path)?;
    let other = said.rules.clone().filter(|rules| {
        let name = |file: &str| Path::new(file).file_name().map(ToOwned::to_owned);
        name(rules) != name(&game.rules)
    });
    let replayed =
        replay(session, game, &said, &source).map_err(|fault| match (fault, &other) {
            (NotLoaded::Rule(Failure::Rule(_)), Some(rules)) => {
                NotLoaded::Unfit(format!("it was played by the rules `{rules}`"))
            }
            (fault, _) => fault,
        })?;
    *game = replayed;
    Ok(other)
}

impl Saved for SavedGame {
    fn take(&mut self, clause: &mut Clause<'_>) -> Result<bool, String> {
        let known = match clause.indicator() {
            ("rules", 1) => {
                self.rules = clause.atom(0);
                self.rules.is_some()
            }
            ("seed", 1) => {
                self.seed = clause.shown(0).parse().ok();
                self.seed.is_some()
            }
            ("random", 2) => {
                let [own, dice] = [0, 1].map(|place| clause.shown(place).parse().ok());
                self.random = own.zip(dice).map(|(own, dice)| [own, dice]);
                self.random.is_some()
            }
            ("start", 2) => {
                self.start = Some((clause.part(0), clause.part(1)));
                true
            }
            ("player", 2) => {
                self.players.push((clause.part(0), clause.shown(1).parse()?));
                true
            }
            ("played", 3) => {
                clause.must_be_move(self.moves.len() + 1)?;
                self.moves.push((clause.part(1), clause.part(2), clause.span));
                true
            }
            _ => false,
        };
        Ok(known)
    }
}

/// The game of a record, every move made again.
fn replay(
    session: &mut Session,
    old: &Match,
    said: &SavedGame,
    source: &Source,
) -> Result<Match, NotLoaded> {
    let Some((player, state)) = &said.start else {
        return Err(NotLoaded::Unfit("it does not say where the game began".to_owned()));
    };
    let now = look(session, Some(player), state).map_err(NotLoaded::Rule)?;
    let players = players_of(session, &now.player, state).map_err(NotLoaded::Rule)?;
    let seed = said.seed.unwrap_or(old.seed);
    let mut game = Match {
        rules: old.rules.clone(),
        agents: Vec::new(),
        players,
        seed,
        brain: MachinePlayer::new(seed, old.brain.time),
        past: Vec::new(),
        now,
        has_chance: old.has_chance,
    };
    for player in &game.players {
        let agent = said.players.iter().find(|(other, _)| other == player);
        let Some((_, agent)) = agent else {
            let name = shown(session, player);
            return Err(NotLoaded::Unfit(format!("it does not say who plays {name}")));
        };
        game.agents.push(agent.clone());
    }
    game.check_agents(session).map_err(|failure| match failure {
        Failure::Players(why) => NotLoaded::Unfit(why),
        failure => NotLoaded::Rule(failure),
    })?;
    for agent in game.agents.clone() {
        if let Agent::Policy { file, .. } = &agent {
            game.brain.policy(session, file).map_err(|failure| match failure {
                Failure::Policy(findings) => NotLoaded::Syntax(findings),
                failure => NotLoaded::Rule(failure),
            })?;
        }
    }
    for (number, (player, mv, span)) in (1..).zip(&said.moves) {
        if !game.now.chances.is_empty() {
            game.brain.roll(&game.now);
        }
        let choice = game.find(session, mv).ok().filter(|_| game.now.player == *player);
        let Some(choice) = choice else {
            let (player, mv) = (shown(session, player), shown(session, mv));
            let why = format!("{player} can't make its move {number}, `{mv}`, by these rules");
            return Err(unfit(source, *span, why));
        };
        game.play(session, choice).map_err(NotLoaded::Rule)?;
    }
    if let Some([own, dice]) = said.random {
        (game.brain.random, game.brain.dice) = (Random::at(own), Random::at(dice));
    }
    Ok(game)
}
