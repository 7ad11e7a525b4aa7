//! A puzzle in words: shows the board, asks for moves, obeys a few words.
//!
//! One loop for `zug play` and for `play.` at the prompt; see [`super::play`].

use super::asking::{complain, first_word, line, near_word, typed_move};
use super::{Console, DialogueEnd};
use std::io;
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::session::Session;
use zug_render::number::counted;
use zug_render::play as board;
use zug_render::puzzle as show;
use zug_render::style::{Theme, paint};
use zug_tools::columns;
use zug_usecases::Failure;
use zug_usecases::play::{NotFound, NotLoaded};
use zug_usecases::puzzle::{GoalOutlook, Puzzle, PuzzleRequest, load, save};

/// A word beside the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DialogueCommand {
    Again,
    Board,
    Far,
    Help,
    Hint,
    Instance,
    Load,
    Moves,
    Path,
    Plan,
    Quit,
    Redo,
    Save,
    Undo,
}

/// The words, with other forms that people try.
const WORDS: &[(&str, DialogueCommand)] = &[
    ("again", DialogueCommand::Again),
    ("board", DialogueCommand::Board),
    ("far", DialogueCommand::Far),
    ("help", DialogueCommand::Help),
    ("hint", DialogueCommand::Hint),
    ("instance", DialogueCommand::Instance),
    ("load", DialogueCommand::Load),
    ("moves", DialogueCommand::Moves),
    ("path", DialogueCommand::Path),
    ("plan", DialogueCommand::Plan),
    ("quit", DialogueCommand::Quit),
    ("redo", DialogueCommand::Redo),
    ("save", DialogueCommand::Save),
    ("undo", DialogueCommand::Undo),
    ("?", DialogueCommand::Help),
    ("bye", DialogueCommand::Quit),
    ("distance", DialogueCommand::Far),
    ("eval", DialogueCommand::Far),
    ("exit", DialogueCommand::Quit),
    ("halt", DialogueCommand::Quit),
    ("how", DialogueCommand::Far),
    ("instances", DialogueCommand::Instance),
    ("q", DialogueCommand::Quit),
    ("restart", DialogueCommand::Again),
    ("solution", DialogueCommand::Plan),
    ("solve", DialogueCommand::Plan),
];
/// How many of them Tab offers.
const OFFERED: usize = 14;

impl DialogueCommand {
    /// Whether a word may be followed by this.
    fn takes(self, rest: &str) -> bool {
        match self {
            DialogueCommand::Save | DialogueCommand::Load | DialogueCommand::Instance => true,
            DialogueCommand::Undo | DialogueCommand::Redo => {
                rest.is_empty() || rest.parse::<usize>().is_ok()
            }
            DialogueCommand::Far => matches!(rest, "" | "far"),
            _ => rest.is_empty(),
        }
    }
}

/// What comes next.
enum NextAction {
    /// The state is another one, or to be shown again.
    Show,
    /// The person made a move.
    Made,
    Ask,
    Leave,
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

/// A conversation about a puzzle.
pub struct PuzzleDialogue<'a> {
    session: &'a mut Session,
    console: &'a mut dyn Console,
    theme: Theme,
    request: PuzzleRequest,
}

impl<'a> PuzzleDialogue<'a> {
    /// A conversation on a console; all is written to `user_output`. The request is asked again
    /// for other instances.
    pub fn new(
        session: &'a mut Session,
        console: &'a mut dyn Console,
        theme: Theme,
        request: PuzzleRequest,
    ) -> PuzzleDialogue<'a> {
        PuzzleDialogue { session, console, theme, request }
    }

    /// Plays a puzzle until it is solved, or until the person leaves.
    ///
    /// # Errors
    /// The I/O error of the console or of `user_output`; inside, an error in a rule.
    pub fn play(mut self, mut puzzle: Puzzle) -> io::Result<Result<DialogueEnd, Failure>> {
        self.say(&show::heading(&puzzle, &self.theme))?;
        match self.rounds(&mut puzzle) {
            Ok(ended) => {
                if ended != DialogueEnd::Over {
                    self.say(&show::left(&puzzle))?;
                }
                Ok(Ok(ended))
            }
            Err(DialogueError::Rules(failure)) => Ok(Err(failure)),
            Err(DialogueError::Io(error)) => Err(error),
        }
    }

    fn rounds(&mut self, puzzle: &mut Puzzle) -> Result<DialogueEnd, DialogueError> {
        // Told once that it is one, a person may look around in it.
        let mut dead = false;
        let mut made = true;
        loop {
            self.board(puzzle)?;
            if puzzle.now().goal {
                let best = puzzle.ahead_of_start(self.session)?;
                self.say(&show::solved(puzzle, &best, &self.theme))?;
                if !self.console.interactive() {
                    return Ok(DialogueEnd::Over);
                }
                match self.ask_after(puzzle)? {
                    NextAction::Leave => return Ok(DialogueEnd::Over),
                    step => made = matches!(step, NextAction::Made),
                }
                continue;
            }
            self.say(&show::moves(self.session, puzzle.now(), &self.theme))?;
            if made && !puzzle.now().moves.is_empty() {
                let states = puzzle.glance(self.session)?;
                if let Some(states) = states.filter(|_| !dead) {
                    self.say(&show::dead_end(states))?;
                }
                dead = states.is_some();
            }
            match self.ask(puzzle)? {
                NextAction::Leave => return Ok(DialogueEnd::Left),
                step => {
                    made = matches!(step, NextAction::Made);
                    dead &= made;
                }
            }
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        let text = zug_tools::columns::fitted(text);
        self.session.world.streams.put_str(USER_OUTPUT, &text)
    }

    fn board(&mut self, puzzle: &Puzzle) -> io::Result<()> {
        let board = board::board(self.session, &puzzle.now().state);
        self.say(&format!("\n{board}\n"))
    }

    /// What is known of the way from here.
    fn ahead(&mut self, puzzle: &mut Puzzle) -> Result<Option<GoalOutlook>, DialogueError> {
        if self.console.interactive() {
            let text = "let me see … (Ctrl-C: enough)";
            self.say(&paint(self.theme.dim, text))?;
            self.session.world.streams.flush(USER_OUTPUT)?;
        }
        let ahead = puzzle.ahead(self.session);
        if self.console.interactive() {
            self.say("\r\x1b[2K")?;
        }
        match ahead {
            Ok(ahead) => Ok(Some(ahead)),
            // The puzzle itself can go on.
            Err(Failure::Rule(raised) | Failure::Limit(raised)) => {
                complain(self.session, &raised.finding, &self.theme)?;
                Ok(None)
            }
            Err(failure) => Err(DialogueError::Rules(failure)),
        }
    }

    /// Reads a line; `None` to leave.
    fn line(&mut self, puzzle: &Puzzle, prompt: &str) -> io::Result<Option<String>> {
        let moves = puzzle.now().moves.iter().map(|choice| board::name(self.session, &choice.mv));
        let words = WORDS[..OFFERED].iter().map(|(word, kind)| match kind {
            DialogueCommand::Save | DialogueCommand::Load => format!("{word} "),
            _ => (*word).to_owned(),
        });
        let words: Vec<String> = moves.chain(words).collect();
        line(self.session, self.console, (prompt, &words))
    }

    /// Asks until the person makes a move or says something else that changes the state.
    fn ask(&mut self, puzzle: &mut Puzzle) -> Result<NextAction, DialogueError> {
        loop {
            let prompt = format!("{}> ", puzzle.moves().len() + 1);
            let Some(text) = self.line(puzzle, &prompt)? else { return Ok(NextAction::Leave) };
            match self.answer(puzzle, text.trim())? {
                NextAction::Ask => {}
                step => return Ok(step),
            }
        }
    }

    /// Asks what to do when it is solved.
    fn ask_after(&mut self, puzzle: &mut Puzzle) -> Result<NextAction, DialogueError> {
        self.say("`again`, `undo`, `path`, `instance NAME`, `save FILE`, or Return to leave\n")?;
        loop {
            let Some(text) = self.line(puzzle, "solved> ")? else { return Ok(NextAction::Leave) };
            let text = text.trim();
            if text.is_empty() {
                return Ok(NextAction::Leave);
            }
            match self.answer(puzzle, text)? {
                NextAction::Ask => {}
                step => return Ok(step),
            }
        }
    }

    /// A line that was typed.
    fn answer(&mut self, puzzle: &mut Puzzle, text: &str) -> Result<NextAction, DialogueError> {
        let count = puzzle.now().moves.len();
        if text.is_empty() {
            return if count == 1 { self.make(puzzle, 0) } else { Ok(NextAction::Ask) };
        }
        let bare = text.strip_suffix('.').unwrap_or(text).trim_end();
        if let Ok(number) = bare.parse::<usize>()
            && !show::are_integers(puzzle.now())
        {
            if (1..=count).contains(&number) {
                return self.make(puzzle, number - 1);
            }
            let text = show::no_such_number(self.session, puzzle.now(), bare);
            self.say(&text)?;
            return Ok(NextAction::Ask);
        }
        let mut names = puzzle.now().moves.iter();
        let is_move = names.any(|choice| board::name(self.session, &choice.mv) == bare);
        if !is_move && let Some((word, rest)) = word_of(text) {
            let rest = rest.to_owned();
            return self.obey(puzzle, word, &rest);
        }
        self.term(puzzle, text, bare)
    }

    /// A move typed as a term.
    fn term(
        &mut self,
        puzzle: &mut Puzzle,
        text: &str,
        bare: &str,
    ) -> Result<NextAction, DialogueError> {
        let typed = match typed_move(self.session, text) {
            Ok(typed) => typed,
            Err(finding) => {
                if let Some(finding) = finding {
                    complain(self.session, &finding, &self.theme)?;
                }
                return Ok(NextAction::Ask);
            }
        };
        let words = match puzzle.find(self.session, &typed) {
            Ok(choice) => return self.make(puzzle, choice),
            Err(NotFound::Several(found)) => {
                show::several(self.session, puzzle.now(), bare, &found)
            }
            Err(NotFound::None) => {
                let words = WORDS[..OFFERED].iter().map(|(word, _)| *word);
                match near_word(words, bare) {
                    Some(word) => {
                        format!("there is no move and no word `{bare}`; did you mean `{word}`?\n")
                    }
                    None => show::no_such_move(self.session, puzzle.now(), bare),
                }
            }
        };
        self.say(&words)?;
        Ok(NextAction::Ask)
    }

    fn make(&mut self, puzzle: &mut Puzzle, choice: usize) -> Result<NextAction, DialogueError> {
        puzzle.make(self.session, choice)?;
        Ok(NextAction::Made)
    }

    /// Does what a word asks for.
    fn obey(
        &mut self,
        puzzle: &mut Puzzle,
        word: DialogueCommand,
        rest: &str,
    ) -> Result<NextAction, DialogueError> {
        match word {
            DialogueCommand::Quit => return Ok(NextAction::Leave),
            DialogueCommand::Help => self.say(&columns::in_pairs(show::HELP))?,
            DialogueCommand::Board => self.board(puzzle)?,
            DialogueCommand::Moves => {
                let text = show::moves(self.session, puzzle.now(), &self.theme);
                self.say(&text)?;
            }
            DialogueCommand::Path => {
                let text = show::path(self.session, puzzle);
                self.say(&text)?;
            }
            DialogueCommand::Far | DialogueCommand::Hint | DialogueCommand::Plan => {
                if let Some(ahead) = self.ahead(puzzle)? {
                    let text = match word {
                        DialogueCommand::Hint => show::hint(self.session, &ahead),
                        DialogueCommand::Plan => show::plan(self.session, &ahead),
                        _ => show::far(&ahead),
                    };
                    self.say(&text)?;
                }
            }
            DialogueCommand::Undo | DialogueCommand::Redo => {
                let asked = rest.parse().unwrap_or(1);
                let (done, none) = match word {
                    DialogueCommand::Undo => (puzzle.undo(asked), "you made no move yet\n"),
                    _ => (puzzle.redo(asked), "no move was taken back\n"),
                };
                if done > 0 {
                    let verb =
                        if word == DialogueCommand::Undo { "took back" } else { "made again" };
                    self.say(&format!("{verb} {}\n", counted(done as u64, "move")))?;
                    return Ok(NextAction::Show);
                }
                self.say(if asked == 0 { "no move is nothing to do\n" } else { none })?;
            }
            DialogueCommand::Again => {
                puzzle.undo(usize::MAX);
                return Ok(NextAction::Show);
            }
            DialogueCommand::Instance => return self.instance(puzzle, rest),
            DialogueCommand::Save | DialogueCommand::Load => return self.file(puzzle, word, rest),
        }
        Ok(NextAction::Ask)
    }

    /// Takes another instance, or says which there are.
    fn instance(&mut self, puzzle: &mut Puzzle, name: &str) -> Result<NextAction, DialogueError> {
        if name.is_empty() {
            let names = Puzzle::instances(self.session)?;
            self.say(&show::instances(&names))?;
            return Ok(NextAction::Ask);
        }
        let instance = Some(name.to_owned());
        let request = PuzzleRequest { instance, state: None, ..self.request.clone() };
        match Puzzle::begin(self.session, &request) {
            Ok(other) => *puzzle = other,
            Err(Failure::NoSuchInstance(name, known)) => {
                let known = show::instances(&known);
                self.say(&format!("there is no instance `{name}`; {known}"))?;
                return Ok(NextAction::Ask);
            }
            Err(failure) => return Err(DialogueError::Rules(failure)),
        }
        self.say(&show::heading(puzzle, &self.theme))?;
        Ok(NextAction::Show)
    }

    fn file(
        &mut self,
        puzzle: &mut Puzzle,
        word: DialogueCommand,
        rest: &str,
    ) -> Result<NextAction, DialogueError> {
        let name = rest.trim_matches(['\'', '"']);
        if name.is_empty() {
            let word = if word == DialogueCommand::Save { "save" } else { "load" };
            self.say(&format!("`{word}` needs the name of a file: `{word} moves.pl`\n"))?;
            return Ok(NextAction::Ask);
        }
        let path = self.session.world.path(name);
        if word == DialogueCommand::Save {
            let text = match save(self.session, puzzle, &path) {
                Ok(()) => format!("the moves are in `{name}`\n"),
                Err(error) => format!("can't write `{name}`: {error}\n"),
            };
            self.say(&text)?;
            return Ok(NextAction::Ask);
        }
        match load(self.session, puzzle, &path) {
            Ok(()) => {
                let moves = counted(puzzle.moves().len() as u64, "move");
                self.say(&format!("`{name}`: {moves}, checked against the rules\n"))?;
                return Ok(NextAction::Made);
            }
            Err(NotLoaded::Unreadable(error)) => {
                self.say(&format!("can't read `{name}`: {error}\n"))?;
            }
            Err(NotLoaded::Unfit(why)) => {
                self.say(&format!("`{name}` is not loaded: {why}\n"))?;
            }
            Err(NotLoaded::Syntax(findings)) => {
                for finding in &findings {
                    complain(self.session, finding, &self.theme)?;
                }
                self.say(&format!("`{name}` is not loaded\n"))?;
            }
            Err(NotLoaded::Rule(failure)) => return Err(DialogueError::Rules(failure)),
        }
        Ok(NextAction::Ask)
    }
}

/// The word that a line begins with and what follows it.
fn word_of(text: &str) -> Option<(DialogueCommand, &str)> {
    let (first, rest) = first_word(text);
    let (_, word) = *WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(first))?;
    word.takes(rest).then_some((word, rest))
}
