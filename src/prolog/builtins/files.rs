//! Files and their names.

use super::sandbox::refusal;
use super::stream_predicates::{option_parts, source_sink, system_error};
use super::{Entry, World, args};
use std::path::Path;
use zug_files::normalized;
use zug_machine::{Machine, Outcome};
use zug_term::Cell;

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::outside("exists_file", 1, exists_file, |m, _, a| Err(refusal(m, "access", "file", a))),
    Entry::outside("exists_directory", 1, exists_directory, |m, _, a| {
        Err(refusal(m, "access", "directory", a))
    }),
    Entry::outside("delete_file", 1, delete_file, |m, _, a| Err(refusal(m, "delete", "file", a))),
    Entry::outside("working_directory", 2, working_directory, |m, _, a| {
        Err(refusal(m, "access", "directory", &a[1..]))
    }),
    Entry::outside("absolute_file_name", 2, absolute_file_name, |m, _, a| {
        Err(refusal(m, "access", "file", a))
    }),
    Entry::outside("absolute_file_name", 3, absolute_file_name, |m, _, a| {
        Err(refusal(m, "access", "file", a))
    }),
    Entry::session("file_base_name", 2, file_base_name),
    Entry::session("file_directory_name", 2, file_directory_name),
    Entry::session("file_name_extension", 3, file_name_extension),
];

fn exists_file(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    Ok(w.path(&file).is_file())
}

fn exists_directory(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    Ok(w.path(&file).is_dir())
}

fn delete_file(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    let removed = w.files.remove(&w.path(&file));
    removed.map(|()| true).map_err(|error| system_error(m, "delete", "file", a[0], &error))
}

/// The folder a session's relative paths start from; it ends in a slash.
fn working_directory(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let old = w.path(".");
    let mut text = normalized(&old).to_string_lossy().into_owned();
    if !text.ends_with('/') {
        text.push('/');
    }
    let old = args::atom_cell(m, &text);
    if !m.unify(a[0], old) {
        return Ok(false);
    }
    let new = m.heap.deref(a[1]);
    let name = source_sink(m, new)?;
    let path = normalized(&w.path(&name));
    if !path.is_dir() {
        return Err(m.existence_error("directory", new));
    }
    w.directory = Some(path);
    Ok(true)
}

/// `absolute_file_name(F, A, Options)`: with `extensions/1`, `relative_to/1` and `access/1`.
fn absolute_file_name(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    let mut path = w.path(&file);
    let mut extensions = vec![String::new()];
    let (mut access, mut fail) = (false, false);
    for option in args::list(m, a.get(2).copied().unwrap_or(Cell::NIL))? {
        let Some((name, value)) = option_parts(m, option) else { continue };
        match (&*name, args::text(m, value).as_deref()) {
            ("extensions", _) => {
                let found = args::list(m, value)?;
                extensions = found.iter().filter_map(|&e| args::text(m, e)).collect();
            }
            ("file_type", Some("prolog")) => extensions = vec![".pl".into(), String::new()],
            ("relative_to", Some(folder)) => path = w.path(folder).join(&file),
            ("access", Some(kind)) => access = kind != "none",
            ("file_errors", Some(kind)) => fail = kind == "fail",
            _ => {}
        }
    }
    let named = |extension: &String| {
        let dotted = extension.trim_start_matches('.');
        let mut name = path.clone().into_os_string();
        if !dotted.is_empty() {
            name.push(".");
            name.push(dotted);
        }
        normalized(Path::new(&name))
    };
    let found = extensions.iter().map(named).find(|path| path.exists());
    let found = match found {
        Some(path) => path,
        None if access && fail => return Ok(false),
        None if access => return Err(m.existence_error("source_sink", a[0])),
        None => normalized(&path),
    };
    Ok(args::unify_atom(m, a[1], &found.to_string_lossy()))
}

fn file_base_name(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    let base = file.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    Ok(args::unify_atom(m, a[1], base))
}

fn file_directory_name(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    let folder = match file.trim_end_matches('/').rsplit_once('/') {
        None => ".",
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
    };
    Ok(args::unify_atom(m, a[1], folder))
}

/// `file_name_extension(Base, Extension, Name)`: takes apart or puts together.
fn file_name_extension(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if !m.heap.deref(a[2]).is_var() {
        let name = source_sink(m, a[2])?;
        let (base, extension) = match name.rsplit_once('.') {
            Some((base, extension)) if !extension.contains('/') => (base, extension),
            _ => (&*name, ""),
        };
        let (base, extension) = (args::atom_cell(m, base), args::atom_cell(m, extension));
        return Ok(m.unify(a[1], extension) && m.unify(a[0], base));
    }
    let (base, extension) = (source_sink(m, a[0])?, source_sink(m, a[1])?);
    let extension = extension.trim_start_matches('.');
    let name = if extension.is_empty() || base.ends_with(&format!(".{extension}")) {
        base
    } else {
        format!("{base}.{extension}")
    };
    Ok(args::unify_atom(m, a[2], &name))
}
