//! `play.` and `play(Options)` at the prompt.

use super::query::TypedQuery;
use super::{Flow, GameDialogue, PuzzleDialogue, Repl};
use std::io;
use std::sync::atomic::Ordering;
use zug_domain::game::Roles;
use zug_domain::{Contract, DomainKind};
use zug_machine::arithmetic::Random;
use zug_machine::{Fault, PredId, StopReason};
use zug_options::{Row, Table, Within};
use zug_prolog::builtins::streams::{USER_INPUT, USER_OUTPUT};
use zug_prolog::session::Query;
use zug_prolog::user_predicate;
use zug_render::play as show;
use zug_term::diagnostic::Diagnostic;
use zug_term::{Cell, Record};
use zug_usecases::Failure;
use zug_usecases::options::take_options;
use zug_usecases::play::{AgentScore, Match, PlayRequest, Series};
use zug_usecases::puzzle::{Puzzle, PuzzleRequest};

impl Repl<'_> {
    /// Whether a query is `play` or `play(Options)`, and not a predicate of the program.
    pub(super) fn is_play(&self, typed: &TypedQuery) -> bool {
        let machine = &self.session.machine;
        typed.name.is_some_and(|(name, arity)| {
            arity <= 1
                && machine.symbols.name(name) == "play"
                && user_predicate(machine, "play", arity).is_none()
        })
    }

    /// Plays a game by the rules that are loaded.
    pub(super) fn play_query(&mut self, query: Query) -> io::Result<Flow> {
        let kind = Contract::of(&self.session.machine).kind();
        let played = if kind == DomainKind::Puzzle {
            self.play_puzzle(query)?
        } else if kind == DomainKind::Simultaneous {
            let request = self.rounds_request(&query);
            self.session.close(query);
            match request {
                Ok(request) => self.play_rounds(request)?,
                Err(words) => Err(Failure::Players(words)),
            }
        } else {
            let request = self.play_request(&query);
            self.session.close(query);
            match request {
                Ok((request, None)) => self.play_game(&request)?,
                Ok((request, Some(games))) => self.play_series(&request, games)?,
                Err(words) => Err(Failure::Players(words)),
            }
        };
        if let Err(failure) = played {
            self.tally.errors += 1;
            self.play_failure(&failure)?;
        }
        self.session.machine.interrupt.store(false, Ordering::Relaxed);
        self.session.world.streams.end_query()?;
        Ok(Flow::Continue)
    }

    /// Plays a puzzle: `play`, `play(State)` or `play(Options)`.
    fn play_puzzle(&mut self, query: Query) -> io::Result<Result<(), Failure>> {
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
        let puzzle = match begun {
            Ok(puzzle) => puzzle,
            Err(failure) => return Ok(Err(failure)),
        };
        if !self.console.interactive() {
            self.end_line()?;
        }
        let talk = PuzzleDialogue::new(self.session, &mut *self.console, self.theme, request);
        Ok(talk.play(puzzle)?.map(|_| ()))
    }

    fn play_game(&mut self, request: &PlayRequest) -> io::Result<Result<(), Failure>> {
        let game = match Match::begin(self.session, request) {
            Ok(game) => game,
            Err(failure) => return Ok(Err(failure)),
        };
        if !self.console.interactive() {
            self.end_line()?;
        }
        let talk = GameDialogue::new(self.session, &mut *self.console, self.theme);
        Ok(talk.play(game)?.map(|_| ()))
    }

    /// What is left of the line of the query is no move.
    pub(super) fn end_line(&mut self) -> io::Result<()> {
        let streams = &mut self.session.world.streams;
        while let Some((c, _)) = streams.peek_char(USER_INPUT)? {
            if !c.is_whitespace() {
                break;
            }
            streams.next_char(USER_INPUT)?;
            if c == '\n' {
                break;
            }
        }
        Ok(())
    }

    fn play_series(
        &mut self,
        request: &PlayRequest,
        games: u32,
    ) -> io::Result<Result<(), Failure>> {
        let mut series = match Series::new(self.session, request) {
            Ok(series) => series,
            Err(failure) => return Ok(Err(failure)),
        };
        self.say(&show::series(&series, request.seed))?;
        let mut tallies = vec![AgentScore::default(); series.agents().len()];
        for number in 1..=games {
            let game = match series.next(self.session) {
                Ok(game) => game,
                Err(failure) => {
                    self.fresh_line()?;
                    self.say(&show::score(&series, &tallies))?;
                    return Ok(Err(failure));
                }
            };
            game.count(&mut tallies);
            let line = show::played(self.session, u64::from(number), &game);
            self.say(&line)?;
            self.session.world.streams.flush(USER_OUTPUT)?;
        }
        self.say(&show::score(&series, &tallies))?;
        Ok(Ok(()))
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

    pub(super) fn play_failure(&mut self, failure: &Failure) -> io::Result<()> {
        if let Failure::Diagnosed(failure, findings) = failure {
            self.play_failure(failure)?;
            return findings.iter().try_for_each(|finding| self.complain(finding));
        }
        let finding = match failure {
            Failure::Rule(raised) | Failure::Limit(raised) => {
                return self.complain(&raised.finding);
            }
            Failure::Stopped(Fault::Stopped(StopReason::Interrupted), _) => {
                return self.warn("interrupted\n");
            }
            Failure::Stopped(fault, _) => {
                Diagnostic::error("E0703", self.session.describe(fault).to_string())
            }
            Failure::NoSuchPlayer(name, known) => {
                let message = format!("there is no player `{name}`");
                let hint = format!("the players are {}", known.join(", "));
                Diagnostic::error("E0703", message).hint(&hint)
            }
            Failure::NoSuchInstance(name, _) => {
                Diagnostic::error("E0703", format!("there is no instance `{name}`"))
            }
            Failure::Policy(findings) => {
                return findings.iter().try_for_each(|finding| self.complain(finding));
            }
            Failure::Players(words) => Diagnostic::error("E0703", words.clone()),
            _ => {
                let message = "no rules of a puzzle or a game are loaded";
                Diagnostic::error("E0703", message)
                    .hint("`['rules/tictactoe.pl'].` loads one; `play.` and `train.` then play it")
            }
        };
        self.complain(&finding)
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
