//! The sandbox: what rules of strangers can't do.
//!
//! The row of a built-in ([`Entry`](super::Entry)) says whether it reaches outside. Those of
//! `Entry::outside` are refused in a sandbox; those of `Entry::guarded` ask [`World::sandbox`]
//! themselves: they open files only if there is none, and load rule files only below its root, all
//! of them through [`open_file`](super::stream_predicates) or [`World::source_file`]. All others
//! touch nothing but the session. Predicates of the library are made of built-ins.
//!
//! A refusal costs nothing while it isn't used: the function behind the built-in's number
//! is another one.

use super::files::normalized;
use super::{World, args};
use std::path::{Path, PathBuf};
use zug_machine::{Fault, Machine};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// What is said in the context of each refusal.
pub const REFUSED: &str = "the rules run in a sandbox";

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

impl World {
    /// Puts what raises a refusal in the place of built-ins that reach outside; there is no way back.
    pub fn enter_sandbox(&mut self, sandbox: Sandbox) {
        self.sandbox = Some(sandbox);
        self.refuse_outside();
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
