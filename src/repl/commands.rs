//! `:help` and its like: what is not a query.

use super::{Flow, Repl};
use std::io;
use std::path::{Path, PathBuf};
use zug_files::Refused;
use zug_machine::Space;
use zug_prolog::builtins::loader::SourceFile;
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::session::Past;
use zug_render::board::Shapes;
use zug_render::engines;
use zug_render::style::paint;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;
use zug_term::spelling::nearest;

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Help,
    Commands,
    Load,
    Add,
    Reload,
    Full,
    Engines,
    Hints,
    Quit,
}

/// A command: name, argument, explanation.
const COMMANDS: &[(&str, &str, &str, Action)] = &[
    ("help", "[WHAT]", "a first look; or what a command, engine or predicate does", Action::Help),
    ("commands", "", "this list", Action::Commands),
    ("load", "FILE", "load a rule file in the place of what is loaded", Action::Load),
    ("add", "FILE", "load a rule file beside what is loaded; as `['FILE'].`", Action::Add),
    ("reload", "", "load all files again, and forget what was added here", Action::Reload),
    ("full", "", "the last answer without anything left out", Action::Full),
    ("engines", "", "the search engines", Action::Engines),
    ("hints", "on|off", "the line under `false.` that says what came closest", Action::Hints),
    ("quit", "", "leave; as `halt.` and Ctrl-D", Action::Quit),
];

const HELP: &str = "\
A query ends with a full stop:
  ?- member(X, [a, b]).      X = a, then `;` for the next answer, Return to stop
Rules live in files, and are asked about here:
  ?- :load rules/taquin.pl   load a file in the place of what is loaded; `:add` beside it
  ?- make.                   load again what has changed
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

/// A command and what it does, on a line.
fn explained(name: &str, argument: &str, explanation: &str) -> String {
    let usage = format!(":{name} {argument}");
    format!("{usage:<14} {explanation}\n")
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
            Action::Help if !argument.trim().is_empty() => return self.help_on(argument),
            Action::Help => self.say(HELP)?,
            Action::Commands => {
                for (name, argument, explanation, _) in COMMANDS {
                    self.say(&explained(name, argument, explanation))?;
                }
            }
            Action::Load | Action::Add => return self.load_command(name, argument, action),
            Action::Reload => return self.reload(),
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

    /// What a command, an engine or a predicate does.
    fn help_on(&mut self, argument: &str) -> io::Result<Flow> {
        let what = argument.trim().trim_end_matches('.').trim();
        let name = what.strip_prefix(':').unwrap_or(what);
        if let Some((name, argument, explanation, _)) =
            COMMANDS.iter().find(|(known, ..)| *known == name)
        {
            self.say(&explained(name, argument, explanation))?;
            self.session.world.streams.flush(USER_OUTPUT)?;
            return Ok(Flow::Continue);
        }
        // Quoted unless it reads as a predicate: `append/3`, `rule`.
        let plain = |c: char| c.is_alphanumeric() || c == '_';
        let is_name = what.starts_with(char::is_lowercase) && what.chars().all(plain);
        let indicator = what.rsplit_once('/').is_some_and(|(_, arity)| arity.parse::<u8>().is_ok());
        let topic = match is_name || indicator {
            true => what.to_owned(),
            false => format!("'{}'", what.replace('\\', "\\\\").replace('\'', "\\'")),
        };
        self.query(Source::new("query", &format!("help({topic}).")))
    }

    fn load_command(&mut self, name: &str, argument: &str, action: Action) -> io::Result<Flow> {
        let file = argument.trim().trim_end_matches('.').trim_matches(['\'', '"']);
        if file.is_empty() {
            let message = format!("`:{name}` needs the name of a file");
            self.tally.unreadable += 1;
            self.complain(&Diagnostic::error("E0702", message))?;
            return Ok(Flow::Continue);
        }
        let names = [argument.trim().trim_matches(['\'', '"']), file];
        let mut found = names.iter().map(|name| self.session.world.source_file(name));
        let path = match found.find(|found| matches!(found, SourceFile::Found(_))) {
            Some(SourceFile::Found(path)) => path,
            _ if self.session.world.may_load(&self.session.world.path(file)) => PathBuf::from(file),
            _ => {
                let message = format!("can't load `{file}`: {Refused}");
                self.tally.unreadable += 1;
                self.complain(&Diagnostic::error("E0001", message))?;
                return Ok(Flow::Continue);
            }
        };
        if action == Action::Add { self.load(&path) } else { self.load_alone(&path) }
    }

    /// Loads a file in the place of the program. One that can't be read leaves all as it is.
    fn load_alone(&mut self, path: &Path) -> io::Result<Flow> {
        if path.is_dir() || zug_files::Access::FREE.open(path).is_err() {
            return self.load(path);
        }
        let mut gone: Vec<String> = self
            .files()
            .iter()
            .filter(|other| *other != path)
            .map(|other| other.display().to_string())
            .collect();
        if self.has_typed_clauses() {
            gone.push("what was added here".to_owned());
        }
        self.past = Some(self.forget());
        let flow = self.load(path)?;
        let replaced = self.past.take().is_some();
        if flow == Flow::Continue && replaced && !gone.is_empty() {
            let text = format!("unloaded: {}; `:add FILE` keeps what is loaded\n", gone.join(", "));
            let text = paint(self.error_theme.dim, &text);
            self.warn(&text)?;
        }
        Ok(flow)
    }

    /// Loads all files again, from nothing.
    fn reload(&mut self) -> io::Result<Flow> {
        let files = self.files();
        if files.is_empty() {
            self.complain(&Diagnostic::error("E0702", "no file is loaded"))?;
            self.tally.unreadable += 1;
            return Ok(Flow::Continue);
        }
        self.past = Some(self.forget());
        for path in files {
            // What a file loads itself is there already.
            if !self.files().contains(&path) && self.load(&path)? == Flow::Leave {
                return Ok(Flow::Leave);
            }
            if self.past.is_none() {
                break;
            }
        }
        self.past = None;
        Ok(Flow::Continue)
    }

    /// The files that are loaded.
    fn files(&self) -> Vec<PathBuf> {
        self.session.world.loader.files.iter().map(|file| file.path.clone()).collect()
    }

    /// Whether there are clauses that no file has.
    fn has_typed_clauses(&self) -> bool {
        let program = &self.session.machine.program;
        (0..).zip(&program.preds).any(|(id, pred)| {
            pred.space == Space::User && pred.file.is_none() && !program.live_clauses(id).is_empty()
        })
    }

    /// Forgets the program, which is handed out.
    fn forget(&mut self) -> Past {
        self.shapes = Shapes::default();
        self.full = None;
        self.session.renew()
    }

    fn unknown_command(&mut self, name: &str) -> io::Result<()> {
        let near = nearest(names(), name).or_else(|| names().find(|known| known.starts_with(name)));
        let mut finding = Diagnostic::error("E0702", format!("there is no command `:{name}`"));
        finding.hint = Some(match near {
            Some(known) => format!("did you mean `:{known}`?"),
            None => "`:commands` lists them".to_owned(),
        });
        self.tally.unreadable += 1;
        self.complain(&finding)
    }
}
