//! `play`: a game between a person and the machine, or among machines.
//!
//! A [`Match`] is the state of such a game: the positions so far, who plays whom, what the
//! machine remembers. It asks the rules for moves and never makes one they do not give. All
//! of it is text- and terminal-free; the crate `repl` holds the conversation.

mod agent;
pub mod options;
mod played;
mod record;
mod series;
#[cfg(test)]
mod tests;
mod think;

pub use crate::saved::NotLoaded;
pub use agent::{Agent, Level};
pub use played::{Played, typed_move};
pub use record::{load, save};
pub use series::{AgentScore, Series, SeriesGame};
pub use think::{MOVE_TIME, Outlook, Thought};

use super::Failure;
use super::diagnosis::diagnosed;
use super::given::{mover, preferred_start, starts, term};
use std::time::Duration;
use think::{MachinePlayer, game_facts};
use zug_domain::game::{Choice, Position, Roles, with_game};
use zug_domain::{Contract, Number, short_text};
use zug_machine::Machine;
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_search::Limits;
use zug_term::{Record, is_variant};

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct PlayRequest {
    /// How the rules are called: the file.
    pub rules: String,
    /// The start, if the program has several.
    pub instance: Option<String>,
    /// The state to start from in the place of an instance, as a term.
    pub state: Option<String>,
    /// The players that people are; `none` for nobody, `all` for everybody. Else who begins,
    /// unless there are two opponents or more for two players.
    pub humans: Vec<String>,
    /// Who begins.
    pub first: Option<String>,
    /// Who plays against the person, or the agents of all players in order of turns.
    pub agents: Vec<Agent>,
    /// The seed of what happens at random.
    pub seed: u64,
    /// Time for a move of the machine.
    pub time: Option<Duration>,
}

/// A game being played.
#[derive(Clone, Debug)]
pub struct Match {
    /// How the rules are called.
    pub rules: String,
    /// The players, in order of turns from the first.
    pub players: Vec<Record>,
    /// The seed of what happens at random.
    pub seed: u64,
    agents: Vec<Agent>,
    brain: MachinePlayer,
    /// The positions so far, each with the move that was made there.
    past: Vec<(Position, usize)>,
    now: Position,
    /// Chance moves somewhere.
    has_chance: bool,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// What it was worth to each player; empty where nobody can win any more because a position came for the third
    /// time.
    pub values: Vec<(Record, Number)>,
    /// Who won; several if they share the most, all if it is a draw.
    pub winners: Vec<Record>,
    /// Nobody won more than another.
    pub draw: bool,
}

/// So many times a position comes before the game is a draw.
const REPETITIONS: usize = 3;

/// Why a move that was typed is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// No move is called that.
    None,
    /// Several are, as places in [`Position::choices`].
    Several(Vec<usize>),
}

/// The position of a state.
pub(super) fn look(
    session: &mut Session,
    player: Option<&Record>,
    state: &Record,
) -> Result<Position, Failure> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = with_game(m, w, &Limits::none(), |table| {
        let at = table.position(player, state)?;
        table.look(&at)
    });
    found.map_err(|error| Failure::rule(session, &error))
}

/// The players in order of turns, from one of them on.
fn players_of(
    session: &mut Session,
    player: &Record,
    state: &Record,
) -> Result<Vec<Record>, Failure> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = with_game(m, w, &Limits::none(), |table| {
        table.position(Some(player), state)?;
        Ok(table.players())
    });
    let mut players = found.map_err(|error| Failure::rule(session, &error))?;
    let at = players.iter().position(|other| other == player).unwrap_or(0);
    players.rotate_left(at);
    Ok(players)
}

impl Match {
    /// Begins a game with the rules that are loaded.
    ///
    /// # Errors
    /// They are none of a game; there is no such player or instance; an error in a rule.
    pub fn begin(session: &mut Session, request: &PlayRequest) -> Result<Match, Failure> {
        Self::begun(session, request).map_err(|failure| diagnosed(session, failure))
    }

    fn begun(session: &mut Session, request: &PlayRequest) -> Result<Match, Failure> {
        let contract = Contract::of(&session.machine);
        if Roles::of(&session.machine).is_none() {
            return Err(Failure::NoGame { puzzle: contract.rule.is_some() });
        }
        let given = (request.instance.as_deref(), request.state.as_deref());
        let instances = starts(session, &contract, given.0, given.1)?;
        let preferred = preferred_start(&contract, &instances);
        let Some(start) = instances.into_iter().nth(preferred) else {
            return Err(Failure::NoSuchInstance("1".to_owned(), Vec::new()));
        };
        let state = start.instance.state;
        let initial = mover(session, None, request.state.is_some())?;
        let mut now = match look(session, initial.as_ref(), &state) {
            Err(Failure::Rule(raised)) if request.state.is_some() => {
                let (m, w) = (&session.machine, &session.world);
                return Err(Failure::Players(format!(
                    "`{}` is no state that the rules can play from: {}",
                    short_text(m, w, &state),
                    raised.finding.message
                )));
            }
            looked => looked?,
        };
        let mut players = players_of(session, &now.player, &state)?;
        if let Some(name) = &request.first {
            match named(session, &players, name) {
                Ok(first) => {
                    now = look(session, Some(&players[first]), &state)?;
                    players.rotate_left(first);
                }
                Err(failure) => now = chance_at(session, name, &state).ok_or(failure)?,
            }
        }
        let mut game = Match {
            rules: request.rules.clone(),
            agents: vec![Agent::Human; players.len()],
            players,
            seed: request.seed,
            brain: MachinePlayer::new(request.seed, request.time),
            past: Vec::new(),
            now,
            has_chance: game_facts(session)?.chance,
        };
        game.seat(session, request)?;
        game.check_agents(session)?;
        for agent in &game.agents {
            if let Agent::Policy { file, .. } = agent {
                game.brain.policy(session, file)?;
            }
        }
        Ok(game)
    }

    /// Gives every player an agent.
    fn seat(&mut self, session: &Session, request: &PlayRequest) -> Result<(), Failure> {
        let count = self.players.len();
        let asked = &request.agents;
        let humans = self.people(session, request)?;
        let people = humans.iter().filter(|human| **human).count();
        if asked.len() > count - people {
            return Err(Failure::Players(format!(
                "{} players are too many: the game has {count}",
                asked.len() + people
            )));
        }
        let last = asked.last().cloned().unwrap_or(Agent::Level(Level::MIDDLE));
        let mut rest = asked.iter().cloned().chain(std::iter::repeat(last.clone()));
        for (at, agent) in self.agents.iter_mut().enumerate() {
            *agent = if humans[at] { Agent::Human } else { rest.next().unwrap_or(last.clone()) };
        }
        Ok(())
    }

    /// Which of the players are people.
    fn people(&self, session: &Session, request: &PlayRequest) -> Result<Vec<bool>, Failure> {
        let count = self.players.len();
        let mut humans = vec![false; count];
        match request.humans.as_slice() {
            [] if request.agents.len() >= count && count > 1 => {}
            [] => humans[0] = true,
            [one] if one == "none" => {}
            names => {
                for name in names {
                    match named(session, &self.players, name) {
                        Ok(at) => humans[at] = true,
                        Err(_) if matches!(name.as_str(), "all" | "both") => humans.fill(true),
                        Err(failure) => return Err(failure),
                    }
                }
            }
        }
        Ok(humans)
    }

    /// Whether every agent can play this game, before the first move.
    fn check_agents(&self, session: &mut Session) -> Result<(), Failure> {
        let count = self.players.len();
        let facts = game_facts(session)?;
        for agent in &self.agents {
            let Agent::Engine(engine, depth) = agent else { continue };
            let info = engine.info();
            let name = info.name;
            let why = if !info.players.allows(count) {
                format!("{name} is for {}, the game has {count}; take maxn", info.players.words())
            } else if facts.chance && !info.chance {
                format!(
                    "{name} is for games without chance, and here chance moves; take \
                     expectiminimax, mcts or solve_game"
                )
            } else if depth.is_some() && !engine.is_sampling() && !facts.heuristic {
                format!(
                    "{agent} would ask heuristic/3 behind its last move, and the rules have none; \
                     take {name} without a number, mcts or a level"
                )
            } else {
                continue;
            };
            return Err(Failure::Players(why));
        }
        Ok(())
    }

    /// The position now.
    pub fn now(&self) -> &Position {
        &self.now
    }

    /// The moves so far, with who made them.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = (&Record, &Record)> {
        self.past.iter().map(|(at, choice)| (&at.player, &at.choices[*choice].mv))
    }

    /// Where the game began.
    pub fn start(&self) -> &Position {
        self.past.first().map_or(&self.now, |(start, _)| start)
    }

    /// Who makes a player's moves, whoever is to move now.
    pub fn seated(&self, player: &Record) -> Agent {
        let at = self.players.iter().position(|other| other == player);
        at.map_or(Agent::Level(Level::MIDDLE), |at| self.agents[at].clone())
    }

    /// Who makes a player's moves.
    pub fn agent(&self, player: &Record) -> Agent {
        if *player == self.now.player && !self.now.chances.is_empty() {
            return Agent::Chance;
        }
        self.seated(player)
    }

    /// Who makes the next move.
    pub fn to_move(&self) -> Agent {
        self.agent(&self.now.player)
    }

    /// The player that a person is, if it is a single one.
    pub fn human(&self) -> Option<&Record> {
        let mut people = self.people_playing();
        people.next().filter(|_| people.next().is_none())
    }

    /// The players that people are.
    pub fn people_playing(&self) -> impl Iterator<Item = &Record> {
        let seats = self.players.iter().zip(&self.agents);
        seats.filter(|(_, agent)| **agent == Agent::Human).map(|(player, _)| player)
    }

    /// Whether there is anybody who can be asked.
    pub fn has_human(&self) -> bool {
        self.agents.contains(&Agent::Human)
    }

    /// Makes a move, given by its place in [`Position::choices`].
    ///
    /// # Errors
    /// An error in a rule; then nothing has changed.
    pub fn play(&mut self, session: &mut Session, choice: usize) -> Result<(), Failure> {
        let Some(Choice { player, state, .. }) = self.now.choices.get(choice) else {
            return Ok(());
        };
        let next = look(session, Some(player), state)?;
        self.past.push((std::mem::replace(&mut self.now, next), choice));
        if self.now.ends.is_none() && self.is_repeated() {
            self.now.ends = Some(Vec::new());
            self.now.choices.clear();
        }
        Ok(())
    }

    /// Whether the position now comes for the third time, in a game where nothing falls by chance.
    fn is_repeated(&self) -> bool {
        let same = |(at, _): &&(Position, usize)| {
            at.state == self.now.state && at.player == self.now.player
        };
        !self.has_chance && self.past.iter().filter(same).count() >= REPETITIONS - 1
    }

    /// Takes back the person's last move and all that came after it; how many moves that
    /// were, 0 if there is none to take back.
    pub fn undo(&mut self) -> usize {
        let own = |(at, _): &(Position, usize)| self.agent(&at.player) == Agent::Human;
        let Some(last) = self.past.iter().rposition(own) else { return 0 };
        let undone = self.past.len() - last;
        self.past.truncate(last + 1);
        if let Some((position, _)) = self.past.pop() {
            self.now = position;
        }
        undone
    }

    /// Back to the start.
    pub fn restart(&mut self) {
        if let Some((start, _)) = self.past.drain(..).next() {
            self.now = start;
        }
    }

    /// The person takes the side of the player who moves after theirs, and its agent takes
    /// theirs; whether there is one person to do so.
    pub fn swap(&mut self) -> bool {
        if self.human().is_none() {
            return false;
        }
        if let Some(at) = self.agents.iter().position(|agent| *agent == Agent::Human) {
            let next = (at + 1) % self.agents.len();
            self.agents.swap(at, next);
        }
        true
    }

    /// The machine's move for the player whose turn it is.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn think(&mut self, session: &mut Session) -> Result<Thought, Failure> {
        let agent = self.to_move();
        self.brain.think(session, &self.now, &self.past, &agent)
    }

    /// The value of the position and best play, as well as they can be known in the time.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn evaluate(&mut self, session: &mut Session) -> Result<Outlook, Failure> {
        self.brain.evaluate(session, &self.now)
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        let values = self.now.ends.clone()?;
        let most = values.iter().map(|(_, value)| value.as_f64()).fold(f64::MIN, f64::max);
        let best = values.iter().filter(|(_, value)| value.as_f64() == most);
        let winners: Vec<Record> = best.map(|(player, _)| player.clone()).collect();
        let draw = winners.len() == values.len();
        Some(Ending { values, winners, draw })
    }
}

/// The move with this name among some: as it is written, or the only one that matches it.
pub(super) fn find_move(
    session: &mut Session,
    moves: &[&Record],
    typed: &Record,
) -> Result<usize, NotFound> {
    let pick = |fits: &dyn Fn(&mut Machine, &Record) -> bool, m: &mut Machine| {
        let found = (0..moves.len()).filter(|&at| fits(m, moves[at]));
        match found.collect::<Vec<_>>().as_slice() {
            [] => Err(NotFound::None),
            [one] => Ok(*one),
            several => Err(NotFound::Several(several.to_vec())),
        }
    };
    let m = &mut session.machine;
    match pick(&|m, mv| compare(m, typed, mv, |m, a, b| is_variant(&m.heap, a, b)), m) {
        Err(NotFound::None) => pick(&|m, mv| compare(m, typed, mv, Machine::unify), m),
        found => found,
    }
}

/// The place of a player with this name.
fn named(session: &Session, players: &[Record], name: &str) -> Result<usize, Failure> {
    let (m, w) = (&session.machine, &session.world);
    let names: Vec<String> = players.iter().map(|player| term_text(m, w, player)).collect();
    let at = names.iter().position(|other| other == name || other.trim_matches('\'') == name);
    at.ok_or_else(|| Failure::NoSuchPlayer(name.to_owned(), names))
}

/// The position in which nobody chooses, if that is who is to move.
fn chance_at(session: &mut Session, name: &str, state: &Record) -> Option<Position> {
    let nobody = term(session, "player", name).ok()?;
    let position = look(session, Some(&nobody), state).ok()?;
    (!position.chances.is_empty()).then_some(position)
}

/// Puts two terms on the heap for a moment.
fn compare(
    m: &mut Machine,
    a: &Record,
    b: &Record,
    test: impl FnOnce(&mut Machine, zug_term::Cell, zug_term::Cell) -> bool,
) -> bool {
    m.scratch(|m| {
        let (a, b) = (a.instantiate(&mut m.heap), b.instantiate(&mut m.heap));
        test(m, a, b)
    })
}
