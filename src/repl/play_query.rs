//! `play.` and `play(Options)` at the prompt.

use super::query::Typed;
use super::{Flow, PuzzleTalk, Repl, Talk};
use crate::render::play as show;
use crate::usecases::Failure;
use crate::usecases::play::{Match, PlayRequest, Series, Tally};
use crate::usecases::puzzle::{Puzzle, PuzzleRequest};
use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;
use zug_domain::game::Roles;
use zug_domain::{Contract, DomainKind};
use zug_machine::arithmetic::Random;
use zug_machine::{Fault, PredId, StopReason};
use zug_prolog::builtins::streams::{USER_INPUT, USER_OUTPUT};
use zug_prolog::session::Query;
use zug_prolog::user_predicate;
use zug_syntax::near::distance;
use zug_syntax::{WriteOptions, term_to_string};
use zug_term::diagnostic::Diagnostic;
use zug_term::{Cell, Record};

impl Repl<'_> {
    /// Whether a query is `play` or `play(Options)`, and not a predicate of the program.
    pub(super) fn is_play(&self, typed: &Typed) -> bool {
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
        let options = self.options(&query, ("play/1", PUZZLE_OPTIONS));
        self.session.close(query);
        let taken = options.and_then(|options| {
            options.iter().try_for_each(|(name, value)| take_for_puzzle(&mut request, name, value))
        });
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
        let talk = PuzzleTalk::new(self.session, &mut *self.console, self.theme, request);
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
        let talk = Talk::new(self.session, &mut *self.console, self.theme);
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
        let mut tallies = vec![Tally::default(); series.agents().len()];
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
        let mut asked = Asked {
            request: PlayRequest {
                rules,
                seed: Random::from_clock().below(1_000_000),
                ..PlayRequest::default()
            },
            games: None,
        };
        for (name, value) in self.options(query, ("play/1", OPTIONS))? {
            asked.take(&name, &value)?;
        }
        Ok((asked.request, asked.games))
    }

    /// The options of a query such as `play(Options)`: a list, or a single one; names and
    /// values. `of` says of what, and which there are.
    pub(super) fn options(
        &self,
        query: &Query,
        of: (&str, &str),
    ) -> Result<Vec<(String, String)>, String> {
        let machine = &self.session.machine;
        let heap = &machine.heap;
        let Some((_, 1, args)) = self.session.goal(query).and_then(|goal| heap.name_arity(goal))
        else {
            return Ok(Vec::new());
        };
        let all = heap.at(args);
        let options = heap.proper_list(all).unwrap_or_else(|| vec![all]);
        let text = |cell| self.term_shown(cell);
        let option = |option: Cell| match heap.name_arity(option) {
            Some((name, 1, args)) => {
                Ok((machine.symbols.name(name).to_owned(), text(heap.at(args))))
            }
            Some((name, 2, args)) if machine.symbols.name(name) == "against" => {
                let (engine, depth) = (text(heap.at(args)), text(heap.at(args + 1)));
                Ok(("against".to_owned(), format!("{engine}:{depth}")))
            }
            _ => Err(no_option(&text(option), of)),
        };
        options.into_iter().map(option).collect()
    }

    /// A term as it is written in a query.
    pub(super) fn term_shown(&self, cell: Cell) -> String {
        let (machine, world) = (&self.session.machine, &self.session.world);
        let options = WriteOptions { quoted: true, ..WriteOptions::default() };
        term_to_string(&machine.heap, &machine.symbols, &world.operators, cell, &options)
    }

    pub(super) fn play_failure(&mut self, failure: &Failure) -> io::Result<()> {
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

/// The options of play/1.
const OPTIONS: &str = "as(Player), against(Who), against(Engine, Depth), level(N), \
    first(Player), instance(Name), state(S), games(N), seed(N), time(Seconds)";

/// The options of play/1 for a puzzle.
const PUZZLE_OPTIONS: &str = "instance(Name), state(S), time(Seconds)";

/// Takes an option of play/1 for a puzzle.
fn take_for_puzzle(request: &mut PuzzleRequest, name: &str, value: &str) -> Result<(), String> {
    match name {
        "instance" => request.instance = Some(value.trim_matches('\'').to_owned()),
        "state" => request.state = Some(value.to_owned()),
        "time" => request.time = Some(seconds(value)?),
        _ => return Err(no_option(name, ("play/1 for a puzzle", PUZZLE_OPTIONS))),
    }
    Ok(())
}

/// That a word is no option, and which one was meant: one that is nearly written so, or all that
/// there are. `of` says of what, and lists them with their arguments.
pub(super) fn no_option(word: &str, (what, known): (&str, &str)) -> String {
    let name = word.split('(').next().unwrap_or(word);
    let mut open = 0;
    // `against(Engine, Depth)` has a comma of its own.
    let options = known.split(|c| {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        c == ',' && open == 0
    });
    let near = options
        .filter_map(|option| {
            let option = option.trim();
            let own = option.split('(').next().unwrap_or(option);
            Some((distance(own, name)?, option))
        })
        .min();
    match near {
        Some((_, option)) => format!("`{word}` is no option of {what}; did you mean `{option}`?"),
        None => format!("`{word}` is no option of {what}; its options are {known}"),
    }
}

/// Whether a term may have been meant as options: a compound of one argument, or a list of such.
fn looks_like_options(term: &Record) -> bool {
    let (heap, root) = term.to_heap();
    let single = |cell| matches!(heap.name_arity(cell), Some((_, 1, _)));
    match heap.proper_list(root) {
        Some(items) => !items.is_empty() && items.into_iter().all(single),
        None => single(root),
    }
}

/// A time in seconds.
fn seconds(value: &str) -> Result<Duration, String> {
    let seconds: f64 = value.parse().map_err(|_| format!("`time({value})` wants a number"))?;
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`time({value})` is no time"))
}

/// What the options of `play(Options)` come to.
struct Asked {
    request: PlayRequest,
    games: Option<u32>,
}

impl Asked {
    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
            value.parse().map_err(|_| format!("`{name}({value})` wants a number"))
        }
        let request = &mut self.request;
        let plain = || Some(value.trim_matches('\'').to_owned());
        match name {
            "as" => {
                let list = value.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
                let names = list.map_or(vec![value], |list| list.split(',').collect());
                let names = names.into_iter().map(|name| name.trim_matches('\'').to_owned());
                request.humans.extend(names);
            }
            "state" => request.state = Some(value.to_owned()),
            "first" => request.first = plain(),
            "instance" => request.instance = plain(),
            "against" => request.agents.push(value.parse()?),
            "level" => request.agents.push(format!("level:{value}").parse()?),
            "seed" => request.seed = number(name, value)?,
            "games" => self.games = Some(number(name, value)?),
            "time" => request.time = Some(seconds(value)?),
            _ => return Err(no_option(name, ("play/1", OPTIONS))),
        }
        Ok(())
    }
}
