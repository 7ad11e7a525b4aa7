//! Conversation about a puzzle: a person makes the moves.

use super::dialogue::{Command, Dialogue, DialogueEnd, DialogueError, Next, Talk};
use zug_prolog::session::Session;
use zug_render::choices::Choices;
use zug_render::number::counted;
use zug_render::puzzle as show;
use zug_render::style::Theme;
use zug_usecases::Failure;
use zug_usecases::play::Played;
use zug_usecases::puzzle::Puzzle;

impl Talk for Puzzle {
    const WORDS: &'static [(&'static str, Command)] = &[
        ("again", Command::Again),
        ("board", Command::Board),
        ("far", Command::Far),
        ("help", Command::Help),
        ("hint", Command::Hint),
        ("instance", Command::Instance),
        ("load", Command::Load),
        ("moves", Command::Moves),
        ("path", Command::Path),
        ("plan", Command::Plan),
        ("quit", Command::Quit),
        ("redo", Command::Redo),
        ("save", Command::Save),
        ("undo", Command::Undo),
        ("?", Command::Help),
        ("bye", Command::Quit),
        ("distance", Command::Far),
        ("eval", Command::Far),
        ("exit", Command::Quit),
        ("halt", Command::Quit),
        ("how", Command::Far),
        ("instances", Command::Instance),
        ("q", Command::Quit),
        ("restart", Command::Again),
        ("solution", Command::Plan),
        ("solve", Command::Plan),
    ];
    const OFFERED: usize = 14;
    const HELP: &'static str = show::HELP;
    const AFTER: &'static str =
        "`again`, `undo`, `path`, `instance NAME`, `save FILE`, or Return to leave\n";
    const OVER: Option<&'static str> = None;
    const SAVED: (&'static str, &'static str) = ("the moves are", "moves.pl");

    fn takes(word: Command, rest: &str) -> bool {
        match word {
            Command::Save | Command::Load | Command::Instance => true,
            Command::Undo | Command::Redo => rest.is_empty() || rest.parse::<usize>().is_ok(),
            Command::Far => matches!(rest, "" | "far"),
            _ => rest.is_empty(),
        }
    }

    fn prompt(&self, _: &Session) -> String {
        match self.is_over() {
            true => "solved> ".to_owned(),
            false => format!("{}> ", self.made() + 1),
        }
    }

    fn named_choices(&self, session: &Session) -> Choices {
        show::choices(session, self.now())
    }

    fn listed(&self, session: &Session, theme: &Theme) -> String {
        show::moves(session, self.now(), theme)
    }

    fn obey(
        &mut self,
        talk: &mut Dialogue<'_>,
        word: Command,
        rest: &str,
    ) -> Result<Next, DialogueError> {
        match word {
            Command::Path => talk.reply(&show::path(talk.session, self)),
            Command::Far | Command::Hint | Command::Plan => {
                let Some(ahead) = talk.search(|session| self.ahead(session))? else {
                    return Ok(Next::Ask);
                };
                let text = match word {
                    Command::Hint => show::hint(talk.session, &ahead),
                    Command::Plan => show::plan(talk.session, &ahead),
                    _ => show::far(&ahead),
                };
                talk.reply(&text)
            }
            Command::Undo | Command::Redo => {
                let asked = rest.parse().unwrap_or(1);
                let (done, verb, none) = match word {
                    Command::Undo => (self.undo(asked), "took back", "you made no move yet\n"),
                    _ => (self.redo(asked), "made again", "no move was taken back\n"),
                };
                if done == 0 {
                    return talk.reply(if asked == 0 {
                        "no move is nothing to do\n"
                    } else {
                        none
                    });
                }
                talk.say(&format!("{verb} {}\n", counted(done as u64, "move")))?;
                Ok(Next::Show)
            }
            Command::Again => {
                self.undo(usize::MAX);
                Ok(Next::Show)
            }
            Command::Instance if rest.is_empty() => {
                let names = Puzzle::instances(talk.session)?;
                talk.reply(&show::instances(&names))
            }
            Command::Instance => match self.restart_with(talk.session, rest) {
                Ok(()) => {
                    talk.say(&show::heading(self, &talk.theme))?;
                    Ok(Next::Show)
                }
                Err(Failure::NoSuchInstance(name, known)) => {
                    let known = show::instances(&known);
                    talk.reply(&format!("there is no instance `{name}`; {known}"))
                }
                Err(failure) => Err(failure.into()),
            },
            // No word of a puzzle.
            _ => Ok(Next::Ask),
        }
    }
}

impl Dialogue<'_> {
    /// Plays a puzzle until it is solved, or until the person leaves.
    ///
    /// # Errors
    /// The I/O error of the console or of `user_output`; an error in a rule.
    pub fn puzzle(mut self, mut puzzle: Puzzle) -> Result<DialogueEnd, DialogueError> {
        self.say(&show::heading(&puzzle, &self.theme))?;
        let ended = self.attempt(&mut puzzle)?;
        if ended != DialogueEnd::Over {
            self.say(&show::left(&puzzle))?;
        }
        Ok(ended)
    }

    fn attempt(&mut self, puzzle: &mut Puzzle) -> Result<DialogueEnd, DialogueError> {
        // Told once that it is one, a person may look around in it.
        let mut dead = false;
        let mut made = true;
        loop {
            self.board(puzzle.state())?;
            if puzzle.now().goal {
                let best = puzzle.ahead_of_start(self.session)?;
                self.say(&show::solved(puzzle, &best, &self.theme))?;
                if !self.console.interactive() {
                    return Ok(DialogueEnd::Over);
                }
                match self.ask(puzzle)? {
                    Next::Leave => return Ok(DialogueEnd::Over),
                    step => made = matches!(step, Next::Made),
                }
                continue;
            }
            self.moves(puzzle)?;
            if made && !puzzle.now().moves.is_empty() {
                let states = puzzle.glance(self.session)?;
                if let Some(states) = states.filter(|_| !dead) {
                    self.say(&show::dead_end(states))?;
                }
                dead = states.is_some();
            }
            match self.ask(puzzle)? {
                Next::Leave => return Ok(DialogueEnd::Left),
                step => {
                    made = matches!(step, Next::Made);
                    dead &= made;
                }
            }
        }
    }
}
