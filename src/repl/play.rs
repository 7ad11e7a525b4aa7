//! A game in words: shows the board, asks for moves, obeys a few words.
//!
//! One loop for `zug play` and for `play.` at the prompt, over a [`Console`] and the
//! session's own output, so that a pipe, a terminal and a test all see the same game.

use super::asking::{self, first_word, near_word};
use super::{Console, Line};
use std::io;
use std::sync::atomic::Ordering;
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::session::Session;
use zug_render::number::counted;
use zug_render::play as show;
use zug_render::style::{Theme, paint};
use zug_search::StopReason;
use zug_term::diagnostic::Diagnostic;
use zug_tools::columns;
use zug_usecases::Failure;
use zug_usecases::play::{Agent, Match, NotFound, NotLoaded, load, save};

/// A word beside the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DialogueCommand {
    Again,
    Board,
    Eval,
    Help,
    Hint,
    Load,
    Moves,
    Quit,
    Save,
    Swap,
    Undo,
}

/// The words, with other forms that people try.
const WORDS: &[(&str, DialogueCommand)] = &[
    ("again", DialogueCommand::Again),
    ("board", DialogueCommand::Board),
    ("eval", DialogueCommand::Eval),
    ("help", DialogueCommand::Help),
    ("hint", DialogueCommand::Hint),
    ("load", DialogueCommand::Load),
    ("moves", DialogueCommand::Moves),
    ("quit", DialogueCommand::Quit),
    ("save", DialogueCommand::Save),
    ("swap", DialogueCommand::Swap),
    ("undo", DialogueCommand::Undo),
    ("?", DialogueCommand::Help),
    ("bye", DialogueCommand::Quit),
    ("exit", DialogueCommand::Quit),
    ("halt", DialogueCommand::Quit),
    ("q", DialogueCommand::Quit),
    ("resign", DialogueCommand::Quit),
    ("restart", DialogueCommand::Again),
];
/// The reply to a move that is typed after the end.
const OVER: &str = "the game is over: `again`, `undo`, `save FILE` or `quit`\n";
/// How many of them Tab offers.
const OFFERED: usize = 11;

/// How a conversation about a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogueEnd {
    /// The game is over.
    Over,
    /// The person left before.
    Left,
    /// Ctrl-C, where nobody plays who could be asked.
    Interrupted,
}

/// What became of the machine's turn.
enum TurnEnd {
    /// It is over.
    Moved,
    /// Ctrl-C came.
    Interrupted,
    /// The person left.
    Left,
}

/// What comes next.
enum NextAction {
    /// The position is another one, or to be shown again.
    Show,
    /// Ask again.
    Ask,
    Leave,
}

/// A conversation about a game.
pub struct GameDialogue<'a> {
    session: &'a mut Session,
    console: &'a mut dyn Console,
    theme: Theme,
}

impl<'a> GameDialogue<'a> {
    /// A conversation on a console; all is written to `user_output`.
    pub fn new(
        session: &'a mut Session,
        console: &'a mut dyn Console,
        theme: Theme,
    ) -> GameDialogue<'a> {
        GameDialogue { session, console, theme }
    }

    /// Plays a game to its end, or until the person leaves.
    ///
    /// # Errors
    /// The I/O error of the console or of `user_output`; inside, an error in a rule.
    pub fn play(mut self, mut game: Match) -> io::Result<Result<DialogueEnd, Failure>> {
        let heading = show::heading(self.session, &game, &self.theme);
        self.say(&heading)?;
        match self.rounds(&mut game) {
            Ok(ended) => {
                if ended != DialogueEnd::Over {
                    let left = match game.moves().len() as u64 {
                        0 => "The game did not begin.\n".to_owned(),
                        moves => {
                            format!("The game is unfinished after {}.\n", counted(moves, "move"))
                        }
                    };
                    self.say(&left)?;
                }
                Ok(Ok(ended))
            }
            Err(DialogueError::Rules(failure)) => Ok(Err(failure)),
            Err(DialogueError::Io(error)) => Err(error),
        }
    }

    fn rounds(&mut self, game: &mut Match) -> Result<DialogueEnd, DialogueError> {
        // Where a person plays the board is shown when it is their turn.
        let mut shown = false;
        loop {
            if let Some(ending) = game.ending() {
                self.board(game)?;
                let text = show::ending(self.session, game, &ending, &self.theme);
                self.say(&text)?;
                if !game.has_human() || !self.console.interactive() {
                    return Ok(DialogueEnd::Over);
                }
                match self.ask_after(game)? {
                    NextAction::Leave => return Ok(DialogueEnd::Over),
                    NextAction::Show | NextAction::Ask => continue,
                }
            }
            if game.to_move() == Agent::Human {
                self.board(game)?;
                self.moves(game)?;
                shown = true;
                match self.ask(game)? {
                    NextAction::Leave => return Ok(DialogueEnd::Left),
                    NextAction::Show | NextAction::Ask => continue,
                }
            }
            if !game.has_human() || !shown && game.moves().len() == 0 {
                self.board(game)?;
                shown = true;
            }
            match self.machine_moves(game)? {
                TurnEnd::Moved => {}
                TurnEnd::Interrupted if game.has_human() => {}
                TurnEnd::Interrupted => return Ok(DialogueEnd::Interrupted),
                TurnEnd::Left => return Ok(DialogueEnd::Left),
            }
        }
    }

    /// A move of the machine, unless Ctrl-C ended its thinking before it had one.
    fn machine_moves(&mut self, game: &mut Match) -> Result<TurnEnd, DialogueError> {
        let position = game.now().clone();
        let thinks = position.chances.is_empty();
        if thinks {
            self.waiting(&format!("{} thinks …", show::name(self.session, &position.player)))?;
        }
        let thought = game.think(self.session);
        if thinks {
            self.waited()?;
        }
        let thought = thought?;
        let stopped = thought.outlook.as_ref().and_then(|outlook| outlook.stopped);
        let interrupted = self.session.machine.interrupt.load(Ordering::Relaxed)
            || stopped == Some(StopReason::Cancelled);
        if interrupted && thought.guess && thinks {
            return if game.has_human() {
                self.ask_instead(game, thought.choice)
            } else {
                Ok(TurnEnd::Interrupted)
            };
        }
        let text = show::thought(self.session, &position, &thought, &self.theme);
        self.say(&text)?;
        game.play(self.session, thought.choice)?;
        Ok(if interrupted { TurnEnd::Interrupted } else { TurnEnd::Moved })
    }

    /// Asks what to do where the machine was interrupted before it had a move to make; `any` is
    /// a move at random.
    fn ask_instead(&mut self, game: &mut Match, any: usize) -> Result<TurnEnd, DialogueError> {
        let player = show::name(self.session, &game.now().player);
        let question = format!(
            "{player} was interrupted and knows no move yet. Return lets it think again, `any` \
             makes\na move at random, `undo` and `save FILE` work, Ctrl-C again leaves.\n"
        );
        self.say(&question)?;
        let words: Vec<String> =
            ["any", "undo", "save ", "board", "quit"].map(str::to_owned).into();
        loop {
            self.session.machine.interrupt.store(false, Ordering::Relaxed);
            let prompt = format!("{player}, interrupted> ");
            let text = match self.console.line(self.session, &prompt, &words)? {
                Line::Text(text) => text,
                Line::End | Line::Interrupted => return Ok(TurnEnd::Left),
            };
            let text = text.trim();
            match word_of(text) {
                _ if text.is_empty() => return Ok(TurnEnd::Moved),
                _ if text == "any" => {
                    let position = game.now();
                    let mv = &position.choices[any].mv;
                    let made = show::made(self.session, &position.player, mv, &self.theme);
                    self.say(&made)?;
                    game.play(self.session, any)?;
                    return Ok(TurnEnd::Moved);
                }
                Some((
                    DialogueCommand::Eval | DialogueCommand::Hint | DialogueCommand::Moves,
                    _,
                ))
                | None => self.say(&question)?,
                Some((word, rest)) => match self.obey(game, word, rest)? {
                    NextAction::Ask => {}
                    NextAction::Show => return Ok(TurnEnd::Moved),
                    NextAction::Leave => return Ok(TurnEnd::Left),
                },
            }
        }
    }

    /// Says what a person at a terminal waits for.
    fn waiting(&mut self, what: &str) -> io::Result<()> {
        if self.console.interactive() {
            let text = format!("{what} (Ctrl-C: enough)");
            self.say(&paint(self.theme.dim, &text))?;
            self.session.world.streams.flush(USER_OUTPUT)?;
        }
        Ok(())
    }

    fn waited(&mut self) -> io::Result<()> {
        if self.console.interactive() { self.say("\r\x1b[2K") } else { Ok(()) }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        let text = zug_tools::columns::fitted(text);
        self.session.world.streams.put_str(USER_OUTPUT, &text)
    }

    fn board(&mut self, game: &Match) -> io::Result<()> {
        let board = show::board(self.session, &game.now().state);
        self.say(&format!("\n{board}\n"))
    }

    fn moves(&mut self, game: &Match) -> io::Result<()> {
        let text = show::moves(self.session, game.now(), &self.theme);
        self.say(&text)
    }

    /// What Tab offers.
    fn words(&self, game: &Match) -> Vec<String> {
        let moves = game.now().choices.iter().map(|choice| show::name(self.session, &choice.mv));
        let words = WORDS[..OFFERED].iter().map(|(word, _)| match *word {
            "save" | "load" => format!("{word} "),
            word => word.to_owned(),
        });
        moves.chain(words).collect()
    }

    /// Reads a line; `None` to leave.
    fn line(&mut self, game: &Match, prompt: &str) -> io::Result<Option<String>> {
        let words = self.words(game);
        asking::line(self.session, self.console, (prompt, &words))
    }

    /// Asks until the person makes a move or says something else that changes the position.
    fn ask(&mut self, game: &mut Match) -> Result<NextAction, DialogueError> {
        loop {
            let prompt = format!("{}> ", show::name(self.session, &game.now().player));
            let Some(text) = self.line(game, &prompt)? else { return Ok(NextAction::Leave) };
            match self.answer(game, text.trim())? {
                NextAction::Ask => {}
                step => return Ok(step),
            }
        }
    }

    /// Asks what to do when the game is over.
    fn ask_after(&mut self, game: &mut Match) -> Result<NextAction, DialogueError> {
        self.say("`again`, `undo`, `save FILE`, or Return to leave\n")?;
        loop {
            let Some(text) = self.line(game, "over> ")? else { return Ok(NextAction::Leave) };
            let text = text.trim();
            if text.is_empty() {
                return Ok(NextAction::Leave);
            }
            let Some((word, rest)) = word_of(text) else {
                self.say(OVER)?;
                continue;
            };
            match self.obey(game, word, rest)? {
                NextAction::Ask => {}
                step => return Ok(step),
            }
        }
    }

    /// A line typed where a move is due.
    fn answer(&mut self, game: &mut Match, text: &str) -> Result<NextAction, DialogueError> {
        let only = game.now().choices.len() == 1;
        if text.is_empty() {
            return if only { self.make(game, 0) } else { Ok(NextAction::Ask) };
        }
        let bare = text.strip_suffix('.').unwrap_or(text).trim_end();
        if let Ok(number) = bare.parse::<usize>()
            && !show::are_integers(game.now())
        {
            if (1..=game.now().choices.len()).contains(&number) {
                return self.make(game, number - 1);
            }
            let text = show::no_such_number(self.session, game.now(), bare);
            self.say(&text)?;
            return Ok(NextAction::Ask);
        }
        let is_move =
            |choice: &zug_domain::game::Choice| show::name(self.session, &choice.mv) == bare;
        if !game.now().choices.iter().any(is_move)
            && let Some((word, rest)) = word_of(text)
        {
            return self.obey(game, word, rest);
        }
        self.term(game, text, bare)
    }

    /// A move typed as a term.
    fn term(
        &mut self,
        game: &mut Match,
        text: &str,
        bare: &str,
    ) -> Result<NextAction, DialogueError> {
        let typed = match asking::typed_move(self.session, text) {
            Ok(typed) => typed,
            Err(finding) => {
                if let Some(finding) = finding {
                    self.complain(&finding)?;
                }
                return Ok(NextAction::Ask);
            }
        };
        let found = game.find(self.session, &typed);
        let words = match found {
            Ok(choice) => return self.make(game, choice),
            Err(NotFound::Several(found)) => show::several(self.session, game.now(), bare, &found),
            Err(NotFound::None) => {
                match near_word(WORDS[..OFFERED].iter().map(|(word, _)| *word), bare) {
                    Some(word) => {
                        format!("there is no move and no word `{bare}`; did you mean `{word}`?\n")
                    }
                    None => show::no_such_move(self.session, game.now(), bare),
                }
            }
        };
        self.say(&words)?;
        Ok(NextAction::Ask)
    }

    fn complain(&mut self, finding: &Diagnostic) -> io::Result<()> {
        asking::complain(self.session, finding, &self.theme)
    }

    /// Makes the person's move.
    fn make(&mut self, game: &mut Match, choice: usize) -> Result<NextAction, DialogueError> {
        game.play(self.session, choice)?;
        Ok(NextAction::Show)
    }

    /// Does what a word asks for.
    fn obey(
        &mut self,
        game: &mut Match,
        word: DialogueCommand,
        rest: &str,
    ) -> Result<NextAction, DialogueError> {
        match word {
            DialogueCommand::Quit => return Ok(NextAction::Leave),
            DialogueCommand::Help => self.say(&columns::in_pairs(show::HELP))?,
            DialogueCommand::Board => self.board(game)?,
            DialogueCommand::Moves => self.moves(game)?,
            DialogueCommand::Eval | DialogueCommand::Hint => {
                if game.now().ends.is_some() {
                    self.say(OVER)?;
                    return Ok(NextAction::Ask);
                }
                self.waiting("let me see …")?;
                let outlook = game.evaluate(self.session);
                self.waited()?;
                let outlook = match outlook {
                    Ok(outlook) => outlook,
                    // The game itself can go on.
                    Err(Failure::Rule(raised) | Failure::Limit(raised)) => {
                        self.complain(&raised.finding)?;
                        return Ok(NextAction::Ask);
                    }
                    Err(failure) => return Err(DialogueError::Rules(failure)),
                };
                let text = match word {
                    DialogueCommand::Hint => show::hint(self.session, game.now(), &outlook),
                    _ => show::outlook(self.session, game.now(), &outlook),
                };
                self.say(&text)?;
            }
            DialogueCommand::Undo => match game.undo() {
                0 => self.say("you made no move yet\n")?,
                moves => {
                    self.say(&format!("took back {}\n", counted(moves as u64, "move")))?;
                    return Ok(NextAction::Show);
                }
            },
            DialogueCommand::Again => {
                game.restart();
                return Ok(NextAction::Show);
            }
            DialogueCommand::Swap => {
                if !game.swap() {
                    self.say(
                        "there is no machine to change sides with: people make these moves\n",
                    )?;
                    return Ok(NextAction::Ask);
                }
                let heading = show::heading(self.session, game, &self.theme);
                self.say(&heading)?;
                return Ok(NextAction::Show);
            }
            DialogueCommand::Save | DialogueCommand::Load => return self.file(game, word, rest),
        }
        Ok(NextAction::Ask)
    }

    fn file(
        &mut self,
        game: &mut Match,
        word: DialogueCommand,
        rest: &str,
    ) -> Result<NextAction, DialogueError> {
        let name = rest.trim_matches(['\'', '"']);
        if name.is_empty() {
            let word = if word == DialogueCommand::Save { "save" } else { "load" };
            self.say(&format!("`{word}` needs the name of a file: `{word} game.pl`\n"))?;
            return Ok(NextAction::Ask);
        }
        let path = self.session.world.path(name);
        if word == DialogueCommand::Save {
            let text = match save(self.session, game, &path) {
                Ok(()) => format!("the game is in `{name}`\n"),
                Err(error) => format!("can't write `{name}`: {error}\n"),
            };
            self.say(&text)?;
            return Ok(NextAction::Ask);
        }
        match load(self.session, game, &path) {
            Ok(other) => {
                if let Some(rules) = other {
                    self.say(&format!("note: it was played by the rules `{rules}`\n"))?;
                }
                let moves = counted(game.moves().len() as u64, "move");
                self.say(&format!("`{name}`: {moves}, checked against the rules\n"))?;
                let heading = show::heading(self.session, game, &self.theme);
                self.say(&heading)?;
                return Ok(NextAction::Show);
            }
            Err(NotLoaded::Unreadable(error)) => {
                self.say(&format!("can't read `{name}`: {error}\n"))?;
            }
            Err(NotLoaded::Unfit(why)) => {
                self.say(&format!("`{name}` is not loaded: {why}\n"))?;
            }
            Err(NotLoaded::Syntax(findings)) => {
                for finding in &findings {
                    self.complain(finding)?;
                }
                self.say(&format!("`{name}` is not loaded\n"))?;
            }
            Err(NotLoaded::Rule(failure)) => return Err(DialogueError::Rules(failure)),
        }
        Ok(NextAction::Ask)
    }
}

/// Why a conversation broke off.
enum DialogueError {
    Io(io::Error),
    Rules(Failure),
}

impl From<io::Error> for DialogueError {
    fn from(error: io::Error) -> DialogueError {
        DialogueError::Io(error)
    }
}

impl From<Failure> for DialogueError {
    fn from(failure: Failure) -> DialogueError {
        DialogueError::Rules(failure)
    }
}

/// The word that a line begins with and what follows it; with or without colon and full stop.
fn word_of(text: &str) -> Option<(DialogueCommand, &str)> {
    let (first, rest) = first_word(text);
    let (_, word) = *WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(first))?;
    let takes_file = matches!(word, DialogueCommand::Save | DialogueCommand::Load);
    (takes_file || rest.is_empty()).then_some((word, rest))
}
