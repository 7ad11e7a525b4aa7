//! The options of play: of a game of players in turn, of one in which all choose at once, of a puzzle.

use super::{Agent, Level, PlayRequest};
use crate::puzzle::PuzzleRequest;
use crate::rounds::{OPPONENT, RoundsRequest};
use std::path::PathBuf;
use zug_domain::DomainKind::{self, Game, Program, Puzzle, Simultaneous};
use zug_domain::simultaneous::contests::WINS;
use zug_matrix::options::{ContestOptions, MATCH};
use zug_matrix::repeated::Until;
use zug_options::{Rejected, Row, row};

/// What is said of a play.
#[derive(Clone, Debug, Default)]
pub struct PlayOptions {
    /// What any play has: people, who begins, the start, the time.
    pub request: PlayRequest,
    /// Who plays the others.
    pub against: Vec<String>,
    /// The level that was asked for; `against` has it.
    pub level: Option<Level>,
    /// The game to go on with.
    pub load: Option<PathBuf>,
    /// How many games machines play.
    pub games: Option<u32>,
    /// When rounds are over, and the seed.
    pub contest: ContestOptions,
}

/// Who plays.
pub static PLAYERS: [Row<PlayOptions>; 4] = [
    Row::names(
        "as",
        "PLAYER",
        "The player you are, `none` to watch, or `all` to make the moves of all players, for two people at one \
         keyboard; may be given several times [default: the one who begins]",
        |to: &mut PlayOptions, players| {
            to.request.humans.extend(players);
            Ok(())
        },
    )
    .repeated(),
    Row::pair(
        "against",
        "WHO",
        "Who plays the others, in order of turns; the last one all that are left [default: level:5; in a game in \
         which all choose at once mixture([1,2,3])]",
        |to: &mut PlayOptions, who| {
            to.against.push(who.to_owned());
            Ok(())
        },
    )
    .repeated(),
    Row::text(
        "level",
        "N",
        "How strong the machine plays, from 1 to 9: short for --against level:N",
        |to: &mut PlayOptions, level| {
            let Some(level) = level.parse().ok().and_then(Level::new) else {
                return Rejected::out_of_range();
            };
            to.level = Some(level);
            to.against.push(level.to_string());
            Ok(())
        },
    )
    .wants("a level is a number from 1 to 9")
    .conflicts(&["against"]),
    row!(
        text("first", "PLAYER", "The player who begins [default: the one the file says]")
            => Some(PlayOptions.request.first)
    ),
];

/// Where a play starts.
pub static PLACE: [Row<PlayOptions>; 2] = [
    row!(
        text(
            "instance", "NAME",
            "The instance, if the file has several: the name in initial_state(Name, S), or its number \
             [default: the largest of a game, the first of a puzzle]",
        ) => Some(PlayOptions.request.instance)
    )
    .alias("instances"),
    row!(
        term_text("state", "TERM", "The state to start from, as a term; `zug tree` and `zug solve` take it too")
            => Some(PlayOptions.request.state)
    )
    .conflicts(&["instance"]),
];

/// What is gone on with.
pub static LOAD: [Row<PlayOptions>; 1] = [row!(
    file("load", "FILE", "Go on with a game that was written down with the word `save`")
        => Some(PlayOptions.load)
)
.conflicts(&[
    "as", "against", "level", "first", "instance", "state", "games", "seed", "to", "rounds",
])];

/// Games among machines.
pub static GAMES: [Row<PlayOptions>; 1] = [Row::small(
    "games",
    "N",
    "Let machines play this many games, and count",
    |to: &mut PlayOptions, games| {
        if games == 0 {
            return Rejected::out_of_range();
        }
        to.games = Some(games);
        Ok(())
    },
)
.wants("write a whole number from 1 on")];

/// When rounds of a game in which all choose at once are over, and the seed of all that happens at random.
pub static LENGTH: [Row<ContestOptions>; 3] = [
    MATCH[0].help("In a game in which all choose at once: rounds to win [default: 50]"),
    MATCH[1].help("In a game in which all choose at once: rounds to play"),
    SEED[0],
];

/// The seed.
pub static SEED: [Row<ContestOptions>; 1] = [MATCH[2]];

/// The time.
pub static TIME: [Row<PlayOptions>; 1] = [row!(
    time(
        "time",
        "TIME",
        "Time for a move of the machine, or for a look ahead in a puzzle, as 10s or 500ms [default: 2s]",
    ) => PlayOptions.request.time
)];

/// The kinds of domain that a rule is for, what does not fit, in words, and whether that is asked for.
type Misfit = (&'static [DomainKind], &'static str, fn(&PlayOptions) -> bool);

/// The first that strikes is reported.
static MISFITS: [Misfit; 4] = [
    (&[Game, Program], "--to and --rounds are for games in which all choose at once", |given| {
        given.contest.until.is_some()
    }),
    (
        &[Simultaneous],
        "all choose at once in this game, and at one keyboard each would see the other's choice: one person plays, \
         against a player such as --against nash",
        |given| {
            let humans = &given.request.humans;
            humans.len() > 1 || humans.iter().any(|who| who == "all" || who == "both")
        },
    ),
    (
        &[Simultaneous],
        "all choose at once in this game: there is one opponent, as --against history(3), and no --level, --first, \
         --games, --load, --instance or --state",
        |given| {
            let PlayRequest { first, instance, state, .. } = &given.request;
            let is_placed = first.is_some() || instance.is_some() || state.is_some();
            let in_turn = given.level.is_some() || given.games.is_some() || given.load.is_some();
            is_placed || in_turn || given.against.len() > 1
        },
    ),
    // All players are the one who solves it.
    (
        &[Puzzle],
        "the rules are those of a puzzle, with rule/4: you make the moves, and there is no --as, --against, --level, \
         --first, --games, --to or --rounds",
        |given| {
            let is_led = given.request.first.is_some() || given.games.is_some();
            let is_met = !given.against.is_empty() || given.contest.until.is_some();
            is_led || is_met || given.request.humans.iter().any(|who| who != "all")
        },
    ),
];

impl PlayOptions {
    /// The first option that does not fit the kind of domain, in a sentence.
    pub fn misfit(&self, kind: DomainKind) -> Option<&'static str> {
        let found =
            MISFITS.iter().find(|(kinds, _, strikes)| kinds.contains(&kind) && strikes(self));
        found.map(|(_, words, _)| *words)
    }

    /// The game of players in turn.
    ///
    /// # Errors
    /// Somebody in `against` plays no game: who, and why.
    pub fn in_turn(self, rules: String) -> Result<PlayRequest, (String, String)> {
        let agent = |who: String| who.parse().map_err(|why| (who, why));
        let agents = self.against.into_iter().map(agent).collect::<Result<Vec<Agent>, _>>()?;
        Ok(PlayRequest { rules, agents, seed: self.contest.seed(), ..self.request })
    }

    /// The rounds of a game in which all choose at once.
    pub fn rounds(self, rules: String) -> RoundsRequest {
        RoundsRequest {
            rules,
            person: self.request.humans.into_iter().next(),
            against: self.against.into_iter().next().unwrap_or_else(|| OPPONENT.to_owned()),
            until: self.contest.until.unwrap_or(Until::first_to(WINS)),
            seed: self.contest.seed(),
        }
    }

    /// The puzzle.
    pub fn puzzle(self, rules: String) -> PuzzleRequest {
        let PlayRequest { instance, state, time, .. } = self.request;
        PuzzleRequest { rules, instance, state, time }
    }
}
