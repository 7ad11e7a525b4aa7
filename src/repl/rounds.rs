//! Conversation about a game in which all choose at once: actions asked for, the score.
//!
//! See [`super::dialogue`].

use super::dialogue::{Dialogue, DialogueEnd, DialogueError};
use std::io;
use zug_render::rounds as show;
use zug_tools::columns;
use zug_usecases::record::TermData;
use zug_usecases::rounds::Rounds;

/// A word beside the actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    Actions,
    Expect,
    Help,
    Quit,
    Score,
}

/// The words, with other forms that people try.
const WORDS: &[(&str, Command)] = &[
    ("actions", Command::Actions),
    ("expect", Command::Expect),
    ("help", Command::Help),
    ("quit", Command::Quit),
    ("score", Command::Score),
    ("?", Command::Help),
    ("bye", Command::Quit),
    ("exit", Command::Quit),
    ("halt", Command::Quit),
    ("q", Command::Quit),
];
/// How many of them Tab offers.
const OFFERED: usize = 5;

/// What was typed.
enum TypedAction {
    Nothing,
    Action(usize),
    Several(Vec<usize>),
    Word(Command),
    Unknown,
}

impl Dialogue<'_> {
    /// Plays rounds until the end, or until the person leaves; the score comes last.
    ///
    /// # Errors
    /// The I/O error of the console or of `user_output`; an error in a rule.
    pub fn rounds(mut self, mut rounds: Rounds) -> Result<DialogueEnd, DialogueError> {
        self.say(&show::heading(&rounds, &self.theme))?;
        let mut ended = DialogueEnd::Over;
        while !rounds.is_over() {
            let Some(action) = self.action(&rounds)? else {
                ended = DialogueEnd::Left;
                break;
            };
            let round = match rounds.play(self.session, action) {
                Ok(round) => round,
                Err(failure) => {
                    self.say(&show::ending(&rounds, &self.theme))?;
                    return Err(failure.into());
                }
            };
            self.say(&show::round(&rounds, &round, &self.theme))?;
        }
        self.say(&show::ending(&rounds, &self.theme))?;
        Ok(ended)
    }

    /// Asks until the person names an action; `None` to leave.
    fn action(&mut self, rounds: &Rounds) -> io::Result<Option<usize>> {
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
                TypedAction::Word(Command::Quit) => return Ok(None),
                TypedAction::Word(Command::Help) => columns::in_pairs(show::HELP).into_owned(),
                TypedAction::Word(Command::Expect) => show::expects(rounds),
                TypedAction::Word(Command::Score) => format!("{}\n", show::standing(rounds)),
                TypedAction::Word(Command::Actions) => show::actions(rounds),
                TypedAction::Several(found) => show::several(rounds, text, &found),
                TypedAction::Unknown => show::no_such_action(rounds, text),
            };
            self.say(&text)?;
        }
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
        return TypedAction::Word(*word);
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
