//! What Tab offers: predicates with their arity, files, commands.

use super::commands;
use super::prompt_query::PromptQuery;
use std::path::{Path, PathBuf};
use zug_domain::options_of;
use zug_files::Access;
use zug_machine::{Kind as Defined, Space};
use zug_options::{Kind, Named};
use zug_prolog::session::Session;
use zug_syntax::{Completeness, completeness, is_plain_atom};

/// Something that can stand where the cursor is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// What the list shows: `append/3`.
    pub display: String,
    /// What is typed: `append(`.
    pub replacement: String,
}

/// Names that can be completed.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// Predicates, sorted.
    predicates: Vec<(String, usize)>,
    /// Where relative file names start.
    directory: PathBuf,
    files: Access,
    /// The only words that are wanted, if they are.
    words: Option<Vec<String>>,
}

/// Where the word at the end of a text begins, and what it may become.
pub fn completions(session: &Session, before: &str) -> (usize, Vec<String>) {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let (start, found) = Names::of(session).complete(line, line.len());
    let start = before.len() - line.len() + start;
    (start, found.into_iter().map(|candidate| candidate.replacement).collect())
}

impl Names {
    /// No names.
    pub fn none() -> Names {
        Names {
            predicates: Vec::new(),
            directory: PathBuf::new(),
            files: Access::FREE,
            words: None,
        }
    }

    /// The names a session knows now.
    pub fn of(session: &Session) -> Names {
        let machine = &session.machine;
        let mut predicates: Vec<(String, usize)> = machine
            .program
            .preds
            .iter()
            .filter(|pred| pred.kind != Defined::Undefined)
            .map(|pred| (pred, machine.symbols.name(pred.name)))
            .filter(|(pred, name)| {
                name.starts_with(char::is_alphabetic)
                    && is_plain_atom(name)
                    && (pred.space == Space::User || !name.contains('$'))
            })
            .map(|(pred, name)| (name.to_owned(), pred.arity))
            .collect();
        predicates.sort();
        predicates.dedup();
        Names {
            predicates,
            directory: session.world.path("."),
            files: session.world.files.clone(),
            words: None,
        }
    }

    /// Just these words; files behind those that end in a blank.
    pub fn words(session: &Session, words: &[String]) -> Names {
        let directory = session.world.path(".");
        Names {
            predicates: Vec::new(),
            directory,
            files: session.world.files.clone(),
            words: Some(words.to_vec()),
        }
    }

    /// Where the word under the cursor begins, and what it may become.
    pub fn complete(&self, line: &str, pos: usize) -> (usize, Vec<Candidate>) {
        let typed = line.get(..pos).unwrap_or(line);
        if let Some(words) = &self.words {
            let file = words.iter().filter(|word| word.ends_with(' '));
            if let Some(file) = file.filter_map(|word| typed.strip_prefix(word.as_str())).next() {
                return (typed.len() - file.len(), self.files(file, ""));
            }
            let fitting = words.iter().filter(|word| word.starts_with(typed));
            let candidate =
                |word: &String| Candidate { display: word.clone(), replacement: word.clone() };
            return (0, fitting.map(candidate).collect());
        }
        if let Some(rest) = typed.strip_prefix(':') {
            let file = ["load ", "add "].iter().find_map(|command| rest.strip_prefix(command));
            return match file {
                Some(file) => {
                    let file = file.trim_start();
                    (typed.len() - file.len(), self.files(file, ""))
                }
                None => (1, commands_like(rest)),
            };
        }
        if let Completeness::InQuoted(open) = completeness(typed) {
            let quote = &typed[open..=open];
            return (open + 1, self.files(&typed[open + 1..], quote));
        }
        let start = typed
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric() || *c == '_')
            .last()
            .map_or(typed.len(), |(at, _)| at);
        let word = &typed[start..];
        let opened = typed[..start].trim_end();
        if opened == "[" || opened == "?- [" || opened == "consult(" {
            return (start, self.rule_files(word));
        }
        if let Some(table) = options_at(&typed[..start]) {
            return (start, options_like(table, word));
        }
        if !word.starts_with(char::is_lowercase) {
            return (pos, Vec::new());
        }
        (start, self.predicates_like(word))
    }

    fn predicates_like(&self, word: &str) -> Vec<Candidate> {
        let from = self.predicates.partition_point(|(name, _)| name.as_str() < word);
        let near = self.predicates[from..].iter().take_while(|(name, _)| name.starts_with(word));
        near.map(|(name, arity)| Candidate {
            display: format!("{name}/{arity}"),
            replacement: if *arity == 0 { name.clone() } else { format!("{name}(") },
        })
        .collect()
    }

    /// Files behind a quote; a file's name is closed with it, a folder's goes on.
    fn files(&self, prefix: &str, quote: &str) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = self
            .entries(prefix)
            .into_iter()
            .map(|(name, path, folder)| {
                let end = if folder { "/" } else { quote };
                Candidate {
                    display: format!("{name}{}", if folder { "/" } else { "" }),
                    replacement: path + end,
                }
            })
            .collect();
        found.sort();
        found
    }

    /// Rule files as `[name]` takes them: without `.pl`, quoted where need be.
    fn rule_files(&self, prefix: &str) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = self
            .entries(prefix)
            .into_iter()
            .filter_map(|(name, path, folder)| {
                let stem = path.strip_suffix(".pl").unwrap_or(&path);
                let rules = folder || path.ends_with(".pl");
                let replacement = match (folder, is_plain_atom(stem)) {
                    (true, _) => format!("'{path}/"),
                    (false, true) => format!("{stem}]"),
                    (false, false) => format!("'{path}']"),
                };
                rules.then_some(Candidate { display: name, replacement })
            })
            .collect();
        found.sort();
        found
    }

    /// Entries of the folder that a prefix names: name, path as typed, whether a folder.
    fn entries(&self, prefix: &str) -> Vec<(String, String, bool)> {
        let (folder, start) = match prefix.rsplit_once('/') {
            Some((folder, start)) => (format!("{folder}/"), start),
            None => (String::new(), prefix),
        };
        let base = match folder.strip_prefix("~/") {
            Some(rest) => std::env::home_dir().unwrap_or_default().join(rest),
            None => self.directory.join(Path::new(&folder)),
        };
        let Ok(entries) = self.files.list(&base) else { return Vec::new() };
        entries
            .iter()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let hidden = name.starts_with('.') && !start.starts_with('.');
                let fits = name.starts_with(start) && !hidden;
                let is_folder = entry.path().is_dir();
                fits.then(|| (name.clone(), format!("{folder}{name}"), is_folder))
            })
            .collect()
    }
}

/// The options that can stand at the end of a line: it ends in a list that is an argument of a
/// predicate with options, or in the argument of a query that the prompt answers itself.
fn options_at(line: &str) -> Option<&'static dyn Named> {
    if !line.trim_end().ends_with(['[', ',', '(']) {
        return None;
    }
    let mut open: Vec<(char, &str)> = Vec::new();
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => {
                let name = |c: char| c.is_alphanumeric() || c == '_';
                open.push((c, &line[line[..at].trim_end_matches(name).len()..at]));
            }
            (None, ')' | ']' | '}') => drop(open.pop()),
            _ => {}
        }
    }
    match open.as_slice() {
        [.., ('(', name), ('[', "")] => prompt_options(name).or_else(|| options_of(name)),
        // Of `tree` the options are behind the goal.
        [('(', name @ ("play" | "solve" | "train"))] if line.ends_with('(') => prompt_options(name),
        _ => None,
    }
}

/// The options of queries that the prompt answers itself.
fn prompt_options(name: &str) -> Option<&'static dyn Named> {
    PromptQuery::by_name(name).map(|query| query.options as &'static dyn Named)
}

fn options_like(table: &dyn Named, prefix: &str) -> Vec<Candidate> {
    let infos = table.infos().into_iter();
    let candidates = infos.filter(|info| info.atom().starts_with(prefix)).map(|info| {
        let flag = info.kind == Kind::Flag;
        let replacement = if flag { info.atom() } else { format!("{}(", info.atom()) };
        Candidate { display: info.in_list(), replacement }
    });
    candidates.collect()
}

fn commands_like(prefix: &str) -> Vec<Candidate> {
    commands::names()
        .filter(|name| name.starts_with(prefix))
        .map(|name| Candidate { display: format!(":{name}"), replacement: name.to_owned() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: &[(&str, &str)]) {
        let mut session = zug_tools::language::captured("").0;
        session.load_text("t", "zebra_owner(_). zebra_owner(_, _). zebras.");
        session.world.directory = Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        let (_, found) = Names::of(&session).complete(line, line.len());
        let found: Vec<(&str, &str)> =
            found.iter().map(|c| (c.display.as_str(), c.replacement.as_str())).collect();
        assert_eq!(found, expect, "{line:?}");
    }

    #[test]
    fn predicates_and_commands() {
        let both = [("zebra_owner/1", "zebra_owner("), ("zebra_owner/2", "zebra_owner(")];
        check("zebra_", &both);
        check("foo(X), zebras", &[("zebras/0", "zebras")]);
        check("zzz", &[]);
        check("X", &[]);
        check(":he", &[(":help", "help")]);
    }

    #[test]
    fn options_of_predicates() {
        check("astar(S, P, C, [we", &[("weight(W)", "weight(")]);
        check("astar(S, P, C, [weight(2), wi", &[("width(K)", "width(")]);
        check("X = 'it''s', playouts(J, S, 10, T, [se", &[("seed(S)", "seed(")]);
        check("train([al", &[("alpha(A)", "alpha(")]);
        check("train(me", &[("method(matchboxes)", "method(")]);
        check("tree(moves, [tr", &[("truncate", "truncate")]);
        // Inside a value there are none, nor in other lists.
        check("astar(S, P, C, [weight(zebras", &[("zebras/0", "zebras")]);
        check("member(X, [zebras", &[("zebras/0", "zebras")]);
        check("train(X), zebras", &[("zebras/0", "zebras")]);
        check("astar([zebras], [no_such", &[]);
    }

    #[test]
    fn files() {
        check("['rules/taquin1", &[("taquin15.pl", "rules/taquin15.pl'")]);
        check("consult(\"rul", &[("rules/", "rules/")]);
        check("[rul", &[("rules", "'rules/")]);
        check(":load rules/jug", &[("jugs.pl", "rules/jugs.pl")]);
        check("X = 'Cargo.to", &[("Cargo.toml", "Cargo.toml'")]);
    }
}
