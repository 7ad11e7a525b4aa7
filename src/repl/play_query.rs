//! `play.` and `play(Options)` at the prompt.

use super::{Dialogue, DialogueError, Repl};
use std::io;
use zug_domain::game::Roles;
use zug_domain::{Contract, DomainKind};
use zug_machine::PredId;
use zug_machine::arithmetic::Random;
use zug_options::{Row, Table, Within};
use zug_prolog::builtins::streams::{USER_INPUT, USER_OUTPUT};
use zug_prolog::session::Query;
use zug_render::play as show;
use zug_term::{Cell, Record};
use zug_usecases::Failure;
use zug_usecases::options::take_options;
use zug_usecases::play::{AgentScore, Match, PlayRequest, Series};
use zug_usecases::puzzle::{Puzzle, PuzzleRequest};

impl Repl<'_> {
    /// Plays by the rules that are loaded.
    pub(super) fn play_query(&mut self, query: Query) -> Result<(), DialogueError> {
        match Contract::of(&self.session.machine).kind() {
            DomainKind::Puzzle => self.play_puzzle(query),
            DomainKind::Simultaneous => {
                let request = self.rounds_request(&query);
                self.session.close(query);
                self.play_rounds(request.map_err(Failure::Players)?)
            }
            _ => {
                let request = self.play_request(&query);
                self.session.close(query);
                match request.map_err(Failure::Players)? {
                    (request, None) => self.play_game(&request),
                    (request, Some(games)) => self.play_series(&request, games),
                }
            }
        }
    }

    /// Plays a puzzle: `play`, `play(State)` or `play(Options)`.
    fn play_puzzle(&mut self, query: Query) -> Result<(), DialogueError> {
        let contract = Contract::of(&self.session.machine);
        let mut request =
            PuzzleRequest { rules: self.rules_with(contract.rule), ..PuzzleRequest::default() };
        let heap = &self.session.machine.heap;
        let argument = self.session.goal(&query).and_then(|goal| heap.name_arity(goal));
        let argument = argument.filter(|(_, arity, _)| *arity == 1).map(|(.., args)| heap.at(args));
        let argument = argument.map(|cell| Record::new(&mut self.session.machine.heap, cell));
        let taken = self.options(&query, ("play/1 for a puzzle", &PUZZLE_OPTIONS), &mut request);
        self.session.close(query);
        let begun = match (argument, taken) {
            (None, _) | (Some(_), Ok(())) => Puzzle::begin(self.session, &request),
            // What is no option is a state.
            (Some(state), Err(words)) => {
                let plain = PuzzleRequest { rules: request.rules.clone(), ..Default::default() };
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

    /// What `play(Options)` asks for, and how many games among machines.
    fn play_request(&mut self, query: &Query) -> Result<(PlayRequest, Option<u32>), String> {
        let moves = Roles::of(&self.session.machine).map(|roles| roles.moves.pred);
        let rules = self.rules_with(moves);
        let mut asked = PlayOptions::default();
        self.options(query, ("play/1", &OPTIONS), &mut asked)?;
        asked.request.rules = rules;
        asked.request.seed = asked.seed.unwrap_or_else(|| Random::from_clock().below(1_000_000));
        Ok((asked.request, asked.games))
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

/// What the options of `play(Options)` come to.
#[derive(Default)]
pub(super) struct PlayOptions {
    request: PlayRequest,
    games: Option<u32>,
    seed: Option<u64>,
}

static PLAYERS: [Row<PlayOptions>; 9] = [
    Row::names("as", "Player", "The players you are", |to: &mut PlayOptions, players| {
        to.request.humans.extend(players);
        Ok(())
    }),
    Row::pair("against", "Who", "Who plays the others", |to: &mut PlayOptions, who| {
        to.request.agents.push(who.parse()?);
        Ok(())
    }),
    Row::whole("level", "N", "How strong the machine plays", |to: &mut PlayOptions, level| {
        to.request.agents.push(format!("level:{level}").parse()?);
        Ok(())
    }),
    Row::text("first", "Player", "The player who begins", |to: &mut PlayOptions, player| {
        to.request.first = Some(player.to_owned());
        Ok(())
    }),
    Row::text("instance", "Name", "The instance", |to: &mut PlayOptions, name| {
        to.request.instance = Some(name.to_owned());
        Ok(())
    }),
    Row::term_text("state", "S", "The state to start from", |to: &mut PlayOptions, state| {
        to.request.state = Some(state.to_owned());
        Ok(())
    }),
    Row::small("games", "N", "Let machines play this many games", |to: &mut PlayOptions, games| {
        to.games = Some(games);
        Ok(())
    }),
    Row::whole("seed", "N", "The seed of what happens at random", |to: &mut PlayOptions, seed| {
        to.seed = Some(seed);
        Ok(())
    }),
    Row::time("time", "TIME", "Time for a move of the machine", |to: &mut PlayOptions, time| {
        to.request.time = time;
        Ok(())
    }),
];

/// The options of play/1.
pub(super) static OPTIONS: Table<PlayOptions, Cell> =
    Table(&[&Within(&PLAYERS, |asked: &mut PlayOptions| asked)]);

static PUZZLE: [Row<PuzzleRequest>; 3] = [
    Row::text("instance", "Name", "The instance", |to: &mut PuzzleRequest, name| {
        to.instance = Some(name.to_owned());
        Ok(())
    }),
    Row::term_text("state", "S", "The state to start from", |to: &mut PuzzleRequest, state| {
        to.state = Some(state.to_owned());
        Ok(())
    }),
    Row::time("time", "TIME", "Time for a look ahead", |to: &mut PuzzleRequest, time| {
        to.time = time;
        Ok(())
    }),
];

/// The options of play/1 for a puzzle.
static PUZZLE_OPTIONS: Table<PuzzleRequest, Cell> =
    Table(&[&Within(&PUZZLE, |request: &mut PuzzleRequest| request)]);

/// Whether a term may have been meant as options: a compound of one argument, or a list of such.
fn looks_like_options(term: &Record) -> bool {
    let (heap, root) = term.to_heap();
    let single = |cell| matches!(heap.name_arity(cell), Some((_, 1, _)));
    match heap.proper_list(root) {
        Some(items) => !items.is_empty() && items.into_iter().all(single),
        None => single(root),
    }
}
