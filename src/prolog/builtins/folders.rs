//! Folders, and facts about files.

use super::sandbox::refusal;
use super::stream_predicates::{source_sink, system_error};
use super::{Entry, World, args};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::UNIX_EPOCH;
use zug_machine::{Machine, Outcome};
use zug_term::Cell;

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

fn rename_file(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (old, new) = (source_sink(m, a[0])?, source_sink(m, a[1])?);
    let renamed = w.files.rename(&w.path(&old), &w.path(&new));
    renamed.map(|()| true).map_err(|error| system_error(m, "rename", "file", a[0], &error))
}

fn size_file(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    match w.files.metadata(&w.path(&file)) {
        Ok(facts) => Ok(args::unify_int(m, a[1], i64::try_from(facts.len()).unwrap_or(i64::MAX))),
        Err(error) => Err(system_error(m, "access", "file", a[0], &error)),
    }
}

/// `time_file(File, Time)`: when it was changed last, in seconds since 1970.
fn time_file(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    match w.files.metadata(&w.path(&file)).and_then(|facts| facts.modified()) {
        Ok(time) => {
            let seconds = time.duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
            Ok(args::unify_float(m, a[1], seconds))
        }
        Err(error) => Err(system_error(m, "access", "file", a[0], &error)),
    }
}

fn make_directory(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let folder = source_sink(m, a[0])?;
    let made = w.files.make_folder(&w.path(&folder));
    made.map(|()| true).map_err(|error| system_error(m, "create", "directory", a[0], &error))
}

fn delete_directory(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let folder = source_sink(m, a[0])?;
    let deleted = w.files.remove_folder(&w.path(&folder));
    deleted.map(|()| true).map_err(|error| system_error(m, "delete", "directory", a[0], &error))
}

/// `directory_files(Folder, Names)`: `.` and `..` first, the others sorted.
fn directory_files(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let folder = source_sink(m, a[0])?;
    match w.files.list(&w.path(&folder)) {
        Ok(entries) => {
            let names: Vec<String> = entries
                .iter()
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect();
            let all = [".", ".."].into_iter().chain(names.iter().map(|name| &**name));
            let cells: Vec<Cell> = all.map(|name| args::atom_cell(m, name)).collect();
            Ok(args::unify_list(m, a[1], &cells))
        }
        Err(error) => Err(system_error(m, "open", "directory", a[0], &error)),
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
