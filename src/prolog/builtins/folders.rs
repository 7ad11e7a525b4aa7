//! Folders, and facts about files.

use super::sandbox::refusal;
use super::stream_predicates::{source_sink, with_message};
use super::{Entry, World, args};
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::UNIX_EPOCH;
use zug_machine::{Fault, Machine, Outcome};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::outside("rename_file", 2, rename_file, |m, _, a| Err(refusal(m, "rename", "file", a))),
    Entry::outside("size_file", 2, size_file, |m, _, a| Err(refusal(m, "access", "file", a))),
    Entry::outside("time_file", 2, time_file, |m, _, a| Err(refusal(m, "access", "file", a))),
    Entry::outside("make_directory", 1, make_directory, |m, _, a| {
        Err(refusal(m, "create", "directory", a))
    }),
    Entry::outside("delete_directory", 1, delete_directory, |m, _, a| {
        Err(refusal(m, "delete", "directory", a))
    }),
    Entry::outside("directory_files", 2, directory_files, |m, _, a| {
        Err(refusal(m, "access", "directory", a))
    }),
    Entry::outside("tmp_file", 2, tmp_file, |m, _, a| Err(refusal(m, "create", "file", a))),
];

/// The error for a file or folder with which the system refused to do something.
fn refused(m: &mut Machine, action: &str, kind: &str, culprit: Cell, error: &io::Error) -> Fault {
    let kind = args::atom_cell(m, kind);
    let missing = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists);
    let formal = if missing {
        m.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, culprit])
    } else {
        let action = args::atom_cell(m, action);
        m.heap.new_struct(atoms::PERMISSION_ERROR, &[action, kind, culprit])
    };
    with_message(m, formal, error)
}

fn rename_file(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let (old, new) = (source_sink(m, a[0])?, source_sink(m, a[1])?);
    let renamed = world.files.rename(&world.path(&old), &world.path(&new));
    renamed.map(|()| true).map_err(|error| refused(m, "rename", "file", a[0], &error))
}

fn size_file(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    match world.files.metadata(&world.path(&file)) {
        Ok(facts) => Ok(args::unify_int(m, a[1], i64::try_from(facts.len()).unwrap_or(i64::MAX))),
        Err(error) => Err(refused(m, "access", "file", a[0], &error)),
    }
}

/// `time_file(File, Time)`: when it was changed last, in seconds since 1970.
fn time_file(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    match world.files.metadata(&world.path(&file)).and_then(|facts| facts.modified()) {
        Ok(time) => {
            let seconds = time.duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
            Ok(args::unify_float(m, a[1], seconds))
        }
        Err(error) => Err(refused(m, "access", "file", a[0], &error)),
    }
}

fn make_directory(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let folder = source_sink(m, a[0])?;
    let made = world.files.make_folder(&world.path(&folder));
    made.map(|()| true).map_err(|error| refused(m, "create", "directory", a[0], &error))
}

fn delete_directory(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let folder = source_sink(m, a[0])?;
    let deleted = world.files.remove_folder(&world.path(&folder));
    deleted.map(|()| true).map_err(|error| refused(m, "delete", "directory", a[0], &error))
}

/// `directory_files(Folder, Names)`: `.` and `..` first, the others sorted.
fn directory_files(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let folder = source_sink(m, a[0])?;
    match world.files.list(&world.path(&folder)) {
        Ok(entries) => {
            let names: Vec<String> = entries
                .iter()
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect();
            let all = [".", ".."].into_iter().chain(names.iter().map(|name| &**name));
            let cells: Vec<Cell> = all.map(|name| args::atom_cell(m, name)).collect();
            Ok(args::unify_list(m, a[1], &cells))
        }
        Err(error) => Err(refused(m, "open", "directory", a[0], &error)),
    }
}

/// `tmp_file(Base, Name)`: a name that no file has.
fn tmp_file(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let base = super::text::required(m, a[0], "atomic")?;
    let folder = std::env::temp_dir();
    let process = std::process::id();
    // A name that was given is not given again, though nobody has made the file yet: sessions share a process.
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let mut names = std::iter::repeat_with(|| {
        let number = GIVEN.fetch_add(1, Ordering::Relaxed);
        folder.join(format!("zug_{}_{process}_{number}", &*base))
    });
    Ok(names
        .find(|path| !path.exists())
        .is_some_and(|path| args::unify_atom(m, a[1], &path.to_string_lossy())))
}
