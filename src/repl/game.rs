//! Conversation about a game: turns of people and of the machine.

use super::Line;
use super::dialogue::{Command, Dialogue, DialogueEnd, DialogueError, Next, Talk, word_of};
use std::sync::atomic::Ordering;
use zug_prolog::session::Session;
use zug_render::choices::Choices;
use zug_render::number::counted;
use zug_render::play as show;
use zug_render::style::Theme;
use zug_search::StopReason;
use zug_usecases::play::{Agent, Match, Played};

/// What became of the machine's turn.
enum TurnEnd {
    /// It is over.
    Moved,
    /// Ctrl-C came.
    Interrupted,
    /// The person left.
    Left,
}

/// The reply to a move that is typed after the end.
const OVER: &str = "the game is over: `again`, `undo`, `save FILE` or `quit`\n";

impl Talk for Match {
    const WORDS: &'static [(&'static str, Command)] = &[
        ("again", Command::Again),
        ("board", Command::Board),
        ("eval", Command::Eval),
        ("help", Command::Help),
        ("hint", Command::Hint),
        ("load", Command::Load),
        ("moves", Command::Moves),
        ("quit", Command::Quit),
        ("save", Command::Save),
        ("swap", Command::Swap),
        ("undo", Command::Undo),
        ("?", Command::Help),
        ("bye", Command::Quit),
        ("exit", Command::Quit),
        ("halt", Command::Quit),
        ("q", Command::Quit),
        ("resign", Command::Quit),
        ("restart", Command::Again),
    ];
    const OFFERED: usize = 11;
    const HELP: &'static str = show::HELP;
    const AFTER: &'static str = "`again`, `undo`, `save FILE`, or Return to leave\n";
    const OVER: Option<&'static str> = Some(OVER);
    const SAVED: (&'static str, &'static str) = ("the game is", "game.pl");

    fn prompt(&self, session: &Session) -> String {
        match self.is_over() {
            true => "over> ".to_owned(),
            false => format!("{}> ", show::name(session, &self.now().player)),
        }
    }

    fn named_choices(&self, session: &Session) -> Choices {
        show::choices(session, self.now())
    }

    fn listed(&self, session: &Session, theme: &Theme) -> String {
        show::moves(session, self.now(), theme)
    }

    fn reintroduced(&self, session: &Session, theme: &Theme) -> String {
        show::heading(session, self, theme)
    }

    fn obey(
        &mut self,
        talk: &mut Dialogue<'_>,
        word: Command,
        _: &str,
    ) -> Result<Next, DialogueError> {
        match word {
            Command::Eval | Command::Hint if self.is_over() => return talk.reply(OVER),
            Command::Eval | Command::Hint => {
                let Some(outlook) = talk.search(|session| self.evaluate(session))? else {
                    return Ok(Next::Ask);
                };
                let text = match word {
                    Command::Hint => show::hint(talk.session, self.now(), &outlook),
                    _ => show::outlook(talk.session, self.now(), &outlook),
                };
                return talk.reply(&text);
            }
            Command::Undo => match self.undo() {
                0 => return talk.reply("you made no move yet\n"),
                moves => talk.say(&format!("took back {}\n", counted(moves as u64, "move")))?,
            },
            Command::Again => self.restart(),
            Command::Swap => {
                if !self.swap() {
                    return talk.reply(
                        "there is no machine to change sides with: people make these moves\n",
                    );
                }
                let heading = show::heading(talk.session, self, &talk.theme);
                talk.say(&heading)?;
            }
            // No word of a game.
            _ => return Ok(Next::Ask),
        }
        Ok(Next::Show)
    }
}

impl Dialogue<'_> {
    /// Plays a game to its end, or until the person leaves.
    ///
    /// # Errors
    /// The I/O error of the console or of `user_output`; an error in a rule.
    pub fn game(mut self, mut game: Match) -> Result<DialogueEnd, DialogueError> {
        let heading = show::heading(self.session, &game, &self.theme);
        self.say(&heading)?;
        let ended = self.turns(&mut game)?;
        if ended != DialogueEnd::Over {
            let left = match game.made() as u64 {
                0 => "The game did not begin.\n".to_owned(),
                moves => format!("The game is unfinished after {}.\n", counted(moves, "move")),
            };
            self.say(&left)?;
        }
        Ok(ended)
    }

    fn turns(&mut self, game: &mut Match) -> Result<DialogueEnd, DialogueError> {
        // Where a person plays the board is shown when it is their turn.
        let mut shown = false;
        loop {
            if let Some(ending) = game.ending() {
                self.board(game.state())?;
                let text = show::ending(self.session, game, &ending, &self.theme);
                self.say(&text)?;
                if !game.has_human() || !self.console.interactive() {
                    return Ok(DialogueEnd::Over);
                }
                match self.ask(game)? {
                    Next::Leave => return Ok(DialogueEnd::Over),
                    _ => continue,
                }
            }
            if game.to_move() == Agent::Human {
                self.board(game.state())?;
                self.moves(game)?;
                shown = true;
                match self.ask(game)? {
                    Next::Leave => return Ok(DialogueEnd::Left),
                    _ => continue,
                }
            }
            if !game.has_human() || !shown && game.moves().len() == 0 {
                self.board(game.state())?;
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
        let thought = if thinks {
            let what = format!("{} thinks …", show::name(self.session, &position.player));
            self.waiting(&what, |session| game.think(session))??
        } else {
            game.think(self.session)?
        };
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
            match word_of::<Match>(text) {
                _ if text.is_empty() => return Ok(TurnEnd::Moved),
                _ if text == "any" => {
                    let position = game.now();
                    let mv = &position.choices[any].mv;
                    let made = show::made(self.session, &position.player, mv, &self.theme);
                    self.say(&made)?;
                    game.play(self.session, any)?;
                    return Ok(TurnEnd::Moved);
                }
                Some((Command::Eval | Command::Hint | Command::Moves, _)) | None => {
                    self.say(&question)?;
                }
                Some((word, rest)) => match self.obey(game, word, rest)? {
                    Next::Ask => {}
                    Next::Show | Next::Made => return Ok(TurnEnd::Moved),
                    Next::Leave => return Ok(TurnEnd::Left),
                },
            }
        }
    }
}
