//! The sandbox: what rules of strangers can't do.
//!
//! Every built-in is listed here: [`DOORS`] lead outside and are shut, [`WATCHED`] ask the
//! sandbox themselves what they may, and those of `sandbox_inside.txt` were looked at and
//! touch nothing but the session. What is in none of the three, since it is new, is refused
//! too, and a test says that it was forgotten. Predicates of the library are made of
//! built-ins, so they need no list.
//!
//! A shut door costs nothing while it isn't used: the function behind the built-in's number
//! is another one.

use super::files::normalized;
use super::{Builtin, Entry, Extension, World, args};
use std::path::{Path, PathBuf};
use zug_machine::{Fault, Machine};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// What is said in the context of each refusal.
pub const REFUSED: &str = "the rules run in a sandbox";

/// The built-ins that lead outside, with what they do in a sandbox: raise
/// `permission_error(Action, Type, Culprit)`.
const DOORS: &[Entry] = &[
    ("exists_file", 1, |m, _, a| Err(refusal(m, "access", "file", a))),
    ("exists_directory", 1, |m, _, a| Err(refusal(m, "access", "directory", a))),
    ("delete_file", 1, |m, _, a| Err(refusal(m, "delete", "file", a))),
    ("rename_file", 2, |m, _, a| Err(refusal(m, "rename", "file", a))),
    ("size_file", 2, |m, _, a| Err(refusal(m, "access", "file", a))),
    ("time_file", 2, |m, _, a| Err(refusal(m, "access", "file", a))),
    ("tmp_file", 2, |m, _, a| Err(refusal(m, "create", "file", a))),
    ("absolute_file_name", 2, |m, _, a| Err(refusal(m, "access", "file", a))),
    ("absolute_file_name", 3, |m, _, a| Err(refusal(m, "access", "file", a))),
    ("make_directory", 1, |m, _, a| Err(refusal(m, "create", "directory", a))),
    ("delete_directory", 1, |m, _, a| Err(refusal(m, "delete", "directory", a))),
    ("directory_files", 2, |m, _, a| Err(refusal(m, "access", "directory", a))),
    ("working_directory", 2, |m, _, a| Err(refusal(m, "access", "directory", &a[1..]))),
    ("getenv", 2, |m, _, a| Err(refusal(m, "access", "environment_variable", a))),
    ("setenv", 2, |m, _, a| Err(refusal(m, "modify", "environment_variable", a))),
    ("unsetenv", 1, |m, _, a| Err(refusal(m, "modify", "environment_variable", a))),
    ("shell", 1, |m, _, a| Err(refusal(m, "run", "program", a))),
    ("shell", 2, |m, _, a| Err(refusal(m, "run", "program", a))),
];

/// The built-ins that ask [`World::sandbox`]: they open files only if there is none, and
/// load rule files only below its root. All of them go through
/// [`open_file`](super::stream_predicates) or [`World::source_file`].
const WATCHED: &[(&str, usize)] = &[
    ("open", 3),
    ("open", 4),
    ("see", 1),
    ("tell", 1),
    ("append", 1),
    ("consult", 1),
    (".", 2),
    ("ensure_loaded", 1),
    ("$load_test_files", 0),
    ("load_files", 2),
    ("use_module", 1),
    ("use_module", 2),
    ("reexport", 1),
    ("autoload", 1),
    ("autoload", 2),
    ("include", 1),
    ("make", 0),
];

/// The built-ins that touch nothing outside, one `name/arity` a word; lines with `%` are
/// comments.
const INSIDE: &str = include_str!("sandbox_inside.txt");

/// Where rules may load rule files from.
#[derive(Clone, Debug)]
pub struct Sandbox {
    root: PathBuf,
}

impl Sandbox {
    /// A sandbox in which rule files at or below a folder may be loaded.
    pub fn new(root: &Path) -> Sandbox {
        Sandbox { root: root.canonicalize().unwrap_or_else(|_| plain(root)) }
    }

    /// Whether a file may be loaded, wherever links on the way lead; one that isn't there
    /// could be there.
    pub fn allows(&self, path: &Path) -> bool {
        match path.canonicalize() {
            Ok(path) => path.starts_with(&self.root),
            // The folder may be reached through links: they count as written too.
            Err(_) => match (path.parent().map(Path::canonicalize), path.file_name()) {
                (Some(Ok(folder)), Some(_)) => folder.starts_with(&self.root),
                _ => plain(path).starts_with(&self.root),
            },
        }
    }
}

/// A path from the root on, without `.` and `..`, by its text alone.
fn plain(path: &Path) -> PathBuf {
    normalized(&std::env::current_dir().unwrap_or_default().join(path))
}

/// What becomes of a built-in in a sandbox.
enum Verdict {
    /// It is another function.
    Shut(Builtin),
    /// It stays what it is.
    Open,
    /// Not examined yet.
    Unknown,
}

fn verdict(name: &str, arity: usize, added: &[Extension]) -> Verdict {
    let mut doors = DOORS.iter().chain(added.iter().flat_map(|added| added.shut_in_sandbox));
    if let Some((.., shut)) = doors.find(|(n, a, _)| *n == name && *a == arity) {
        return Verdict::Shut(*shut);
    }
    let listed = |entry: &str| {
        entry.rsplit_once('/').is_some_and(|(n, a)| n == name && a.parse() == Ok(arity))
    };
    let lists = std::iter::once(INSIDE).chain(added.iter().map(|added| added.open_in_sandbox));
    let mut inside = lists.flat_map(str::lines).filter(|line| !line.starts_with('%'));
    if WATCHED.contains(&(name, arity))
        || inside.any(|line| line.split_ascii_whitespace().any(listed))
    {
        return Verdict::Open;
    }
    Verdict::Unknown
}

impl World {
    /// The built-ins of which nobody has said what a sandbox makes of them, as `name/arity`: they
    /// are refused there.
    pub fn unlisted_in_sandbox(&self, machine: &Machine) -> Vec<String> {
        let added = self.extensions;
        let all = self.builtins().map(|(name, arity)| (machine.symbols.name(name), arity));
        let unlisted =
            all.filter(|&(name, arity)| matches!(verdict(name, arity, added), Verdict::Unknown));
        unlisted.map(|(name, arity)| format!("{name}/{arity}")).collect()
    }

    /// Closes all doors; there is no way back.
    pub fn enter_sandbox(&mut self, machine: &Machine, sandbox: Sandbox) {
        self.sandbox = Some(sandbox);
        let added = self.extensions;
        self.change_builtins(|name, arity| {
            match verdict(machine.symbols.name(name), arity, added) {
                Verdict::Open => None,
                Verdict::Shut(shut) => Some(shut),
                Verdict::Unknown => Some(|m, _, a| Err(refusal(m, "call", "built_in", a))),
            }
        });
    }
}

/// The error of what is refused: about the first of the arguments, if there is one.
pub fn refusal(m: &mut Machine, action: &str, kind: &str, all: &[Cell]) -> Fault {
    let culprit = all.first().copied().unwrap_or(Cell::NIL);
    let [action, kind, message] = [action, kind, REFUSED].map(|text| args::atom_cell(m, text));
    let formal = m.heap.new_struct(atoms::PERMISSION_ERROR, &[action, kind, culprit]);
    let place = m.heap.new_var();
    let context = m.heap.new_struct(atoms::CONTEXT, &[place, message]);
    let ball = m.heap.new_struct(atoms::ERROR, &[formal, context]);
    m.ball(ball)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;

    /// Every built-in is in one of the lists.
    #[test]
    fn every_built_in_was_looked_at() {
        let (session, _) = Session::captured(&[], "");
        let all: Vec<(String, usize)> = session
            .world
            .builtins()
            .map(|(name, arity)| (session.machine.symbols.name(name).to_owned(), arity))
            .collect();
        let unlisted = session.world.unlisted_in_sandbox(&session.machine);
        assert_eq!(unlisted, [""; 0], "are they safe in a sandbox? see builtins/sandbox.rs");
        let there = |name: &str, arity: usize| all.iter().any(|(n, a)| n == name && *a == arity);
        let doors = DOORS.iter().map(|&(name, arity, _)| (name, arity));
        for (name, arity) in doors.chain(WATCHED.iter().copied()) {
            assert!(there(name, arity), "there is no {name}/{arity}");
        }
        for word in INSIDE.lines().filter(|line| !line.starts_with('%')) {
            for word in word.split_ascii_whitespace() {
                let (name, arity) = word.rsplit_once('/').expect("name/arity");
                let arity = arity.parse().expect("an arity");
                assert!(there(name, arity), "there is no {word}");
                assert!(!DOORS.iter().any(|(n, a, _)| *n == name && *a == arity), "{word} twice");
                assert!(!WATCHED.contains(&(name, arity)), "{word} twice");
            }
        }
    }
}
