//! `:help` and its like: what is not a query.

use super::{Flow, Repl};
use crate::builtins::streams::USER_OUTPUT;
use crate::diagnostic::Diagnostic;
use crate::render::engines;
use std::io;
use std::path::PathBuf;

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Help,
    Commands,
    Load,
    Full,
    Engines,
    Hints,
    Quit,
}

/// A command: name, argument, explanation.
const COMMANDS: &[(&str, &str, &str, Action)] = &[
    ("help", "", "a first look", Action::Help),
    ("commands", "", "this list", Action::Commands),
    ("load", "FILE", "load a rule file; as `['FILE'].`", Action::Load),
    ("full", "", "the last answer without anything left out", Action::Full),
    ("engines", "", "the search engines", Action::Engines),
    ("hints", "on|off", "the line under `false.` that says what came closest", Action::Hints),
    ("quit", "", "leave; as `halt.` and Ctrl-D", Action::Quit),
];

const HELP: &str = "\
A query ends with a full stop:
  ?- member(X, [a, b]).      X = a, then `;` for the next answer, Return to stop
Rules live in files, and are asked about here:
  ?- ['rules/taquin.pl'].    load a file; `make.` loads again what has changed
  ?- listing(rule/4).        the clauses of a predicate
  ?- help(append/3).         what a predicate does; `apropos(list).` finds some
  ?- astar(Path, Cost).      search with an engine; `:engines` lists them
  ?- tree(astar(P, C)).      what the engine did, as a tree; `tree(moves).` all moves
  ?- play.                   a game, if the rules are those of one
  ?- train.                  learns it by playing; `train([method(q), games(5000)]).`
  ?- why_not(path(a, d)).    what stands in the way of a goal; `why(G).` for its proof
  ?- [user].                 type rules here, up to Ctrl-D
  ?- trace, Goal.            step by step; trace_tree(Goal) as a tree, profile(Goal) its costs
Tab completes predicates and files, the arrow keys bring back earlier queries,
Ctrl-C stops a query, Ctrl-D leaves. `:commands` lists what begins with a colon.
";

/// The names of the commands, for completion.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, ..)| *name)
}

impl Repl<'_> {
    /// Runs a command, given without its colon.
    pub(super) fn command(&mut self, text: &str) -> io::Result<Flow> {
        let (name, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let name = name.trim_end_matches('.');
        let name = match name {
            "h" | "?" => "help",
            "q" | "exit" => "quit",
            other => other,
        };
        let Some(&(.., action)) = COMMANDS.iter().find(|(known, ..)| *known == name) else {
            self.unknown_command(name)?;
            return Ok(Flow::Continue);
        };
        match action {
            Action::Help => self.say(HELP)?,
            Action::Commands => {
                for (name, argument, explanation, _) in COMMANDS {
                    let usage = format!(":{name} {argument}");
                    self.say(&format!("{usage:<14} {explanation}\n"))?;
                }
            }
            Action::Load => return self.load_command(argument),
            Action::Full => {
                let text = self.full.take();
                match &text {
                    Some(text) if text.ends_with('\n') => self.say(text)?,
                    Some(text) => self.say(&format!("{text}.\n"))?,
                    None => self.say("nothing was left out of the last answer\n")?,
                }
                self.full = text;
            }
            Action::Engines => {
                let table = engines::table(&self.theme);
                self.say(&table)?;
            }
            Action::Hints => self.hints_command(argument)?,
            Action::Quit => return Ok(Flow::Leave),
        }
        self.session.world.streams.flush(USER_OUTPUT)?;
        Ok(Flow::Continue)
    }

    /// Switches hints, or says whether they are on.
    fn hints_command(&mut self, argument: &str) -> io::Result<()> {
        match argument.trim().trim_end_matches('.') {
            "" => {
                let on = self.session.world.flags.is_on(&self.session.machine, "hints");
                self.say(if on { "hints are on\n" } else { "hints are off\n" })
            }
            word @ ("on" | "off") => {
                self.session.world.flags.switch("hints", word == "on");
                Ok(())
            }
            _ => {
                self.tally.unreadable += 1;
                self.complain(&Diagnostic::error("E0702", "`:hints` takes `on` or `off`"))
            }
        }
    }

    fn load_command(&mut self, argument: &str) -> io::Result<Flow> {
        let name = argument.trim().trim_end_matches('.').trim_matches(['\'', '"']);
        if name.is_empty() {
            self.complain(&Diagnostic::error("E0702", "`:load` needs the name of a file"))?;
            return Ok(Flow::Continue);
        }
        let path = self.session.world.find_source(argument.trim().trim_matches(['\'', '"']));
        let path = path.or_else(|| self.session.world.find_source(name));
        self.load(&path.unwrap_or_else(|| PathBuf::from(name)))
    }

    fn unknown_command(&mut self, name: &str) -> io::Result<()> {
        let near = names()
            .map(|known| (strsim::damerau_levenshtein(known, name), known))
            .min()
            .filter(|(distance, known)| *distance <= 2 || known.starts_with(name));
        let mut finding = Diagnostic::error("E0702", format!("there is no command `:{name}`"));
        finding.hint = Some(match near {
            Some((_, known)) => format!("did you mean `:{known}`?"),
            None => "`:commands` lists them".to_owned(),
        });
        self.tally.unreadable += 1;
        self.complain(&finding)
    }
}
