//! Rounds of a game in which all choose at once, in words: asks for actions, tells the score.
//!
//! One loop for `zug play` and for `play.` at the prompt; see [`super::play`].

use super::{Console, DialogueEnd};
use std::io;
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::session::Session;
use zug_render::rounds as show;
use zug_render::style::Theme;
use zug_tools::columns;
use zug_usecases::Failure;
use zug_usecases::record::TermData;
use zug_usecases::rounds::Rounds;

/// A word beside the actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DialogueCommand {
    Actions,
    Expect,
    Help,
    Quit,
    Score,
}

/// The words, with other forms that people try.
const WORDS: &[(&str, DialogueCommand)] = &[
    ("actions", DialogueCommand::Actions),
    ("expect", DialogueCommand::Expect),
    ("help", DialogueCommand::Help),
    ("quit", DialogueCommand::Quit),
    ("score", DialogueCommand::Score),
    ("?", DialogueCommand::Help),
    ("bye", DialogueCommand::Quit),
    ("exit", DialogueCommand::Quit),
    ("halt", DialogueCommand::Quit),
    ("q", DialogueCommand::Quit),
];
/// How many of them Tab offers.
const OFFERED: usize = 5;

/// What was typed.
enum TypedAction {
    Nothing,
    Action(usize),
    Several(Vec<usize>),
    DialogueCommand(DialogueCommand),
    Unknown,
}

/// A conversation about rounds.
pub struct RoundsDialogue<'a> {
    session: &'a mut Session,
    console: &'a mut dyn Console,
    theme: Theme,
}

impl<'a> RoundsDialogue<'a> {
    /// A conversation on a console; all is written to `user_output`.
    pub fn new(session: &'a mut Session, console: &'a mut dyn Console, theme: Theme) -> Self {
        RoundsDialogue { session, console, theme }
    }

    /// Plays rounds until the end, or until the person leaves; the score comes last.
    ///
    /// # Errors
    /// The I/O error of the console or of `user_output`; inside, an error in a rule.
    pub fn play(mut self, mut rounds: Rounds) -> io::Result<Result<DialogueEnd, Failure>> {
        self.say(&show::heading(&rounds, &self.theme))?;
        let mut ended = DialogueEnd::Over;
        while !rounds.is_over() {
            let Some(action) = self.ask(&rounds)? else {
                ended = DialogueEnd::Left;
                break;
            };
            let round = match rounds.play(self.session, action) {
                Ok(round) => round,
                Err(failure) => {
                    self.say(&show::ending(&rounds, &self.theme))?;
                    return Ok(Err(failure));
                }
            };
            self.say(&show::round(&rounds, &round, &self.theme))?;
        }
        self.say(&show::ending(&rounds, &self.theme))?;
        Ok(Ok(ended))
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        let text = zug_tools::columns::fitted(text);
        self.session.world.streams.put_str(USER_OUTPUT, &text)
    }

    /// Asks until the person names an action; `None` to leave.
    fn ask(&mut self, rounds: &Rounds) -> io::Result<Option<usize>> {
        let prompt = format!("{}> ", rounds.players[rounds.seats()[0]]);
        let actions = &rounds.actions[rounds.seats()[0]];
        let words = WORDS[..OFFERED].iter().map(|(word, _)| (*word).to_owned());
        let words: Vec<String> =
            actions.iter().map(|action| action.text.clone()).chain(words).collect();
        loop {
            let Some(text) = self.line(&prompt, &words)? else { return Ok(None) };
            let text = text.trim();
            let text = match read(actions, text) {
                TypedAction::Nothing => continue,
                TypedAction::Action(action) => return Ok(Some(action)),
                TypedAction::DialogueCommand(DialogueCommand::Quit) => return Ok(None),
                TypedAction::DialogueCommand(DialogueCommand::Help) => {
                    columns::in_pairs(show::HELP).into_owned()
                }
                TypedAction::DialogueCommand(DialogueCommand::Expect) => show::expects(rounds),
                TypedAction::DialogueCommand(DialogueCommand::Score) => {
                    format!("{}\n", show::standing(rounds))
                }
                TypedAction::DialogueCommand(DialogueCommand::Actions) => show::actions(rounds),
                TypedAction::Several(found) => show::several(rounds, text, &found),
                TypedAction::Unknown => show::no_such_action(rounds, text),
            };
            self.say(&text)?;
        }
    }

    /// Reads a line; `None` to leave. Ctrl-C says how to leave, pressed again it does.
    fn line(&mut self, prompt: &str, words: &[String]) -> io::Result<Option<String>> {
        super::asking::line(self.session, self.console, (prompt, words))
    }
}

/// What a line means. A word that is also an action means the action; with a colon before it,
/// the word.
fn read(actions: &[TermData], text: &str) -> TypedAction {
    let (colon, bare) = match text.strip_prefix(':') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let bare = bare.strip_suffix('.').unwrap_or(bare).trim();
    if bare.is_empty() {
        return TypedAction::Nothing;
    }
    let word = || WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(bare));
    if !colon && let Some(at) = actions.iter().position(|name| name.text == bare) {
        return TypedAction::Action(at);
    }
    if let Some((_, word)) = word() {
        return TypedAction::DialogueCommand(*word);
    }
    let number = bare.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    if let Some(at) = number.filter(|&at| at < actions.len()) {
        return TypedAction::Action(at);
    }
    let fits = |name: &TermData| name.text.to_lowercase().starts_with(&bare.to_lowercase());
    let found: Vec<usize> = (0..actions.len()).filter(|&at| fits(&actions[at])).collect();
    match found.as_slice() {
        [] => TypedAction::Unknown,
        [only] => TypedAction::Action(*only),
        _ => TypedAction::Several(found),
    }
}
