//! `play.` and `play(Options)` at the prompt.

use super::{Dialogue, DialogueError, Repl};
use std::io;
use zug_domain::game::Roles;
use zug_domain::simultaneous::Parts;
use zug_domain::{Contract, DomainKind};
use zug_machine::PredId;
use zug_options::{Row, Table, Within};
use zug_prolog::builtins::streams::{USER_INPUT, USER_OUTPUT};
use zug_prolog::session::Query;
use zug_render::play as show;
use zug_term::{Cell, Record};
use zug_usecases::Failure;
use zug_usecases::options::take_options;
use zug_usecases::play::options::{GAMES, LENGTH, PLACE, PLAYERS, PlayOptions, SEED, TIME};
use zug_usecases::play::{AgentScore, Match, PlayRequest, Series};
use zug_usecases::puzzle::{Puzzle, PuzzleRequest};
use zug_usecases::rounds::Rounds;

impl Repl<'_> {
    /// Plays by the rules that are loaded.
    pub(super) fn play_query(&mut self, query: Query) -> Result<(), DialogueError> {
        match Contract::of(&self.session.machine).kind() {
            DomainKind::Puzzle => self.play_puzzle(query),
            DomainKind::Simultaneous => {
                let parts = Parts::of(&self.session.machine);
                let pred = parts.and_then(|parts| parts.payoff.or(parts.joint_move));
                let what = ("play/1 in a game in which all choose at once", &ROUNDS_OPTIONS);
                let (asked, rules) = self.play_options(query, what, pred)?;
                let rounds = Rounds::begin(self.session, asked.rounds(rules))?;
                self.dialogue()?.rounds(rounds)?;
                Ok(())
            }
            _ => {
                let moves = Roles::of(&self.session.machine).map(|roles| roles.moves.pred);
                let (asked, rules) = self.play_options(query, ("play/1", &OPTIONS), moves)?;
                let games = asked.games;
                let request = asked.in_turn(rules).map_err(|(_, why)| Failure::Players(why))?;
                match games {
                    None => self.play_game(&request),
                    Some(games) => self.play_series(&request, games),
                }
            }
        }
    }

    /// Plays a puzzle: `play`, `play(State)` or `play(Options)`.
    fn play_puzzle(&mut self, query: Query) -> Result<(), DialogueError> {
        let contract = Contract::of(&self.session.machine);
        let rules = self.rules_with(contract.rule);
        let mut asked = PlayOptions::default();
        let heap = &self.session.machine.heap;
        let argument = self.session.goal(&query).and_then(|goal| heap.name_arity(goal));
        let argument = argument.filter(|(_, arity, _)| *arity == 1).map(|(.., args)| heap.at(args));
        let argument = argument.map(|cell| Record::new(&mut self.session.machine.heap, cell));
        let taken = self.options(&query, ("play/1 for a puzzle", &PUZZLE_OPTIONS), &mut asked);
        self.session.close(query);
        let begun = match (argument, taken) {
            (None, _) | (Some(_), Ok(())) => Puzzle::begin(self.session, &asked.puzzle(rules)),
            // What is no option is a state.
            (Some(state), Err(words)) => {
                let plain = PuzzleRequest { rules, ..PuzzleRequest::default() };
                match Puzzle::begin_at(self.session, &plain, &state) {
                    Err(Failure::Players(_)) if looks_like_options(&state) => {
                        Err(Failure::Players(words))
                    }
                    begun => begun,
                }
            }
        };
        let puzzle = begun?;
        self.dialogue()?.puzzle(puzzle)?;
        Ok(())
    }

    fn play_game(&mut self, request: &PlayRequest) -> Result<(), DialogueError> {
        let game = Match::begin(self.session, request)?;
        self.dialogue()?.game(game)?;
        Ok(())
    }

    /// A conversation. What is left of the line of the query is no move.
    pub(super) fn dialogue(&mut self) -> io::Result<Dialogue<'_>> {
        let streams = &mut self.session.world.streams;
        while !self.console.interactive()
            && let Some((c, _)) = streams.peek_char(USER_INPUT)?
            && c.is_whitespace()
        {
            streams.next_char(USER_INPUT)?;
            if c == '\n' {
                break;
            }
        }
        Ok(Dialogue::new(self.session, &mut *self.console, self.theme))
    }

    fn play_series(&mut self, request: &PlayRequest, games: u32) -> Result<(), DialogueError> {
        let mut series = Series::new(self.session, request)?;
        self.say(&show::series(&series, request.seed))?;
        let mut tallies = vec![AgentScore::default(); series.agents().len()];
        for number in 1..=games {
            let game = match series.next(self.session) {
                Ok(game) => game,
                Err(failure) => {
                    self.fresh_line()?;
                    self.say(&show::score(&series, &tallies))?;
                    return Err(failure.into());
                }
            };
            game.count(&mut tallies);
            let line = show::played(self.session, u64::from(number), &game);
            self.say(&line)?;
            self.session.world.streams.flush(USER_OUTPUT)?;
        }
        self.say(&show::score(&series, &tallies))?;
        Ok(())
    }

    /// How the rules are called that a predicate is from: by their file.
    pub(super) fn rules_with(&self, pred: Option<PredId>) -> String {
        let file = pred.and_then(|pred| self.session.machine.program.preds[pred as usize].file);
        let files = &self.session.world.loader.files;
        file.and_then(|file| files.get(file as usize))
            .map_or("the rules".to_owned(), |file| file.path.display().to_string())
    }

    /// The options of `play(Options)`, and how the rules are called that a predicate is from.
    fn play_options(
        &mut self,
        query: Query,
        what: (&str, &Table<PlayOptions, Cell>),
        pred: Option<PredId>,
    ) -> Result<(PlayOptions, String), Failure> {
        let rules = self.rules_with(pred);
        let mut asked = PlayOptions::default();
        let taken = self.options(&query, what, &mut asked);
        self.session.close(query);
        taken.map_err(Failure::Players)?;
        Ok((asked, rules))
    }

    /// Puts the options of a query such as `play(Options)`, its last argument, where a table says: a
    /// list, or a single one. `of` says of what they are.
    pub(super) fn options<U>(
        &mut self,
        query: &Query,
        (what, table): (&str, &Table<U, Cell>),
        to: &mut U,
    ) -> Result<(), String> {
        let heap = &self.session.machine.heap;
        let goal = self.session.goal(query).and_then(|goal| heap.name_arity(goal));
        let Some((_, arity @ 1.., args)) = goal else { return Ok(()) };
        let options = heap.deref(heap.at(args + arity - 1));
        take_options(self.session, options, what, table, to)
    }
}

/// The options of play/1.
pub(super) static OPTIONS: Table<PlayOptions, Cell> = Table(&[
    &Within(&IN_TURN, |to: &mut PlayOptions| to),
    &Within(&PLACE, |to: &mut PlayOptions| to),
    &Within(&GAMES, |to: &mut PlayOptions| to),
    &Within(&SEED, |to: &mut PlayOptions| &mut to.contest),
    &Within(&TIME, |to: &mut PlayOptions| to),
]);

/// The options of play/1 for a puzzle.
static PUZZLE_OPTIONS: Table<PlayOptions, Cell> =
    Table(&[&Within(&PLACE, |to: &mut PlayOptions| to), &Within(&TIME, |to: &mut PlayOptions| to)]);

/// The options of play/1 where all choose at once: players are terms.
static ROUNDS_OPTIONS: Table<PlayOptions, Cell> = Table(&[
    &Within(&WHO, |to: &mut PlayOptions| to),
    &Within(&LENGTH, |to: &mut PlayOptions| &mut to.contest),
]);

/// A level is one of several opponents.
static IN_TURN: [Row<PlayOptions>; 4] =
    [PLAYERS[0], PLAYERS[1], PLAYERS[2].conflicts(&[]), PLAYERS[3]];

static WHO: [Row<PlayOptions>; 2] = [
    Row::term_text("as", "PLAYER", "The player you are", |to: &mut PlayOptions, player| {
        to.request.humans = vec![player.to_owned()];
        Ok(())
    }),
    Row::term_text("against", "WHO", "Who plays the other", |to: &mut PlayOptions, who| {
        to.against = vec![who.to_owned()];
        Ok(())
    }),
];

/// Whether a term may have been meant as options: a compound of one argument, or a list of such.
fn looks_like_options(term: &Record) -> bool {
    let (heap, root) = term.to_heap();
    let single = |cell| matches!(heap.name_arity(cell), Some((_, 1, _)));
    match heap.proper_list(root) {
        Some(items) => !items.is_empty() && items.into_iter().all(single),
        None => single(root),
    }
}
