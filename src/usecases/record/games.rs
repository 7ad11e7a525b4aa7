//! Games being played, as data: positions, moves, rounds, results.

use super::TermData;
use crate::play::{Agent, AgentScore, Ending, Match, Outlook, Series};
use crate::rounds::Rounds;
use serde::Serialize;
use zug_prolog::session::Session;
use zug_report::{Number, Worth};
use zug_term::Record;

/// A position of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateData {
    /// Moves made so far.
    pub number: usize,
    /// Who is to move.
    pub player: TermData,
    /// Who makes the move: `human`, `level:5`, `chance`.
    pub by: String,
    /// The state.
    pub state: TermData,
    /// How it looks, if the rules say so.
    pub board: Option<String>,
    /// The moves there are; none where the game is over.
    pub moves: Vec<TermData>,
}

/// A move that was made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveData {
    /// The number of the move, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub number: usize,
    /// The player who moved.
    pub player: TermData,
    /// Who made it: `human`, `level:5`, `chance`.
    pub by: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: TermData,
    /// What best play is worth to each player, as far as the machine knew.
    pub values: Vec<Worth<TermData>>,
    /// No estimate went into the values, and they rest on no condition.
    pub exact: bool,
    /// What has to be so for the values to be exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_if: Option<String>,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameResult {
    /// The number of the game, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub game: u64,
    /// `over`, or `unfinished` if somebody left or it went round and round.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["over", "unfinished"])))]
    pub outcome: &'static str,
    /// Who made the moves of each player.
    pub seats: Vec<Seat>,
    /// Moves made.
    pub moves: Vec<TermData>,
    /// Those of them, from the first, that were made at random before the players began.
    pub opening: usize,
    /// What the end is worth to each player.
    pub values: Vec<Worth<TermData>>,
    /// Who won; all if it is a draw.
    pub winners: Vec<TermData>,
    /// Nobody won more than another.
    pub draw: bool,
}

/// A player and who makes its moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seat {
    /// The player.
    pub player: TermData,
    /// Who makes its moves.
    pub by: String,
}

/// How the agents of a series did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreData {
    /// Each agent, in the order in which they were given.
    pub standings: Vec<StandingData>,
}

/// How an agent did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StandingData {
    /// Who it is.
    pub by: String,
    /// Games won.
    pub wins: u64,
    /// Games without a winner, or won together with others.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// A round of a game in which all choose at once.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundData {
    /// The number of the round, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub number: u64,
    /// The action of each player.
    pub actions: Vec<TermData>,
    /// The player who was paid more.
    pub winner: Option<TermData>,
}

/// How such rounds ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundsResult {
    /// `over`, or `unfinished` if the person left.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["over", "unfinished"])))]
    pub outcome: &'static str,
    /// The players; the person is `human`.
    pub players: [TermData; 2],
    /// Who makes their choices.
    pub by: [String; 2],
    /// Rounds played.
    pub rounds: u64,
    /// Rounds won by each.
    pub wins: [u64; 2],
    /// Rounds without a winner.
    pub draws: u64,
    /// What each was paid, exactly: `"7"`, `"7/2"`.
    pub payoffs: [String; 2],
    /// The player who won, or is ahead.
    pub winner: Option<TermData>,
}

/// A line that was typed and is no move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refused {
    /// The number of the line among those that were read, from 1.
    pub number: u64,
    /// What was typed.
    pub line: String,
    /// What is wrong with it.
    pub message: String,
}

fn term(session: &Session, record: &Record) -> TermData {
    TermData::of(&session.machine, &session.world, record)
}

/// The position of a game now; `board` is how it looks.
pub fn state(session: &Session, game: &Match, board: Option<String>) -> StateData {
    let now = game.now();
    StateData {
        number: game.moves().len(),
        player: term(session, &now.player),
        by: by(&game.to_move()),
        state: term(session, &now.state),
        board,
        moves: now.choices.iter().map(|choice| term(session, &choice.mv)).collect(),
    }
}

/// The move that is about to be made, by its place among those there are.
pub fn made(session: &Session, game: &Match, choice: usize, known: Option<&Outlook>) -> MoveData {
    let now = game.now();
    let mv = now.choices.get(choice).map_or(&now.state, |choice| &choice.mv);
    let values = known.into_iter().flat_map(|outlook| &outlook.values);
    MoveData {
        number: game.moves().len() + 1,
        player: term(session, &now.player),
        by: by(&game.to_move()),
        mv: term(session, mv),
        values: values
            .map(|(player, value)| Worth {
                player: term(session, player),
                value: Number::from(value.clone()),
            })
            .collect(),
        exact: known.is_some_and(|outlook| outlook.exact),
        exact_if: known.and_then(|outlook| Some(outlook.exact_if.as_ref()?.replace('`', ""))),
    }
}

/// How a game ended; `None` if it didn't.
pub fn result(
    session: &Session,
    (number, opening): (u64, usize),
    game: &Match,
    ending: Option<&Ending>,
) -> GameResult {
    let values = ending.into_iter().flat_map(|ending| &ending.values);
    GameResult {
        game: number,
        outcome: if ending.is_some() { "over" } else { "unfinished" },
        seats: game
            .players
            .iter()
            .map(|player| Seat { player: term(session, player), by: seat(game, player) })
            .collect(),
        moves: game.moves().map(|(_, mv)| term(session, mv)).collect(),
        opening,
        values: values
            .map(|(player, value)| Worth {
                player: term(session, player),
                value: Number::from(*value),
            })
            .collect(),
        winners: ending
            .into_iter()
            .flat_map(|ending| &ending.winners)
            .map(|player| term(session, player))
            .collect(),
        draw: ending.is_some_and(|ending| ending.draw),
    }
}

/// How the agents of a series did.
pub fn score(series: &Series, tallies: &[AgentScore]) -> ScoreData {
    let standings = series.agents().iter().zip(tallies).map(|(agent, tally)| StandingData {
        by: by(agent),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
    });
    ScoreData { standings: standings.collect() }
}

/// How rounds stand, whether all were played or not.
pub fn rounds(rounds: &Rounds) -> RoundsResult {
    let (score, [own, _]) = (rounds.score(), rounds.seats());
    let by = |seat: usize| match seat == own {
        true => "human".to_owned(),
        false => rounds.request.against.clone(),
    };
    RoundsResult {
        outcome: if rounds.is_over() { "over" } else { "unfinished" },
        players: [0, 1].map(|seat| rounds.players[seat].clone()),
        by: [0, 1].map(by),
        rounds: score.rounds,
        wins: score.wins,
        draws: score.draws,
        payoffs: [0, 1].map(|seat| score.payoffs[seat].to_string()),
        winner: rounds.leader().map(|seat| rounds.players[seat].clone()),
    }
}

fn by(agent: &Agent) -> String {
    agent.to_string()
}

/// Who makes a player's moves, also where chance is to move just now.
fn seat(game: &Match, player: &Record) -> String {
    by(&game.seated(player))
}
