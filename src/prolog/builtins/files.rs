//! Files and their names.

use super::sandbox::refusal;
use super::stream_predicates::{option_parts, source_sink, with_message};
use super::{Entry, World, args};
use std::path::Path;
use zug_files::normalized;
use zug_machine::{Machine, Outcome};
use zug_term::Cell;
use zug_term::symbol::atoms;

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

fn exists_file(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let file = source_sink(machine, all[0])?;
    Ok(world.path(&file).is_file())
}

fn exists_directory(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let file = source_sink(machine, all[0])?;
    Ok(world.path(&file).is_dir())
}

fn delete_file(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let file = source_sink(machine, all[0])?;
    world.files.remove(&world.path(&file)).map(|()| true).map_err(|error| {
        let kind = args::atom_cell(machine, "file");
        let formal = if error.kind() == std::io::ErrorKind::NotFound {
            machine.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, all[0]])
        } else {
            let action = args::atom_cell(machine, "delete");
            machine.heap.new_struct(atoms::PERMISSION_ERROR, &[action, kind, all[0]])
        };
        with_message(machine, formal, &error)
    })
}

/// The folder a session's relative paths start from; it ends in a slash.
fn working_directory(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let old = world.path(".");
    let mut text = normalized(&old).to_string_lossy().into_owned();
    if !text.ends_with('/') {
        text.push('/');
    }
    let old = args::atom_cell(machine, &text);
    if !machine.unify(all[0], old) {
        return Ok(false);
    }
    let new = machine.heap.deref(all[1]);
    let name = source_sink(machine, new)?;
    let path = normalized(&world.path(&name));
    if !path.is_dir() {
        return Err(machine.existence_error("directory", new));
    }
    world.directory = Some(path);
    Ok(true)
}

/// `absolute_file_name(F, A, Options)`: with `extensions/1`, `relative_to/1` and `access/1`.
fn absolute_file_name(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let file = source_sink(machine, all[0])?;
    let mut path = world.path(&file);
    let mut extensions = vec![String::new()];
    let (mut access, mut fail) = (false, false);
    for option in args::list(machine, all.get(2).copied().unwrap_or(Cell::NIL))? {
        let Some((name, value)) = option_parts(machine, option) else { continue };
        match (&*name, args::text(machine, value).as_deref()) {
            ("extensions", _) => {
                let found = args::list(machine, value)?;
                extensions = found.iter().filter_map(|&e| args::text(machine, e)).collect();
            }
            ("file_type", Some("prolog")) => extensions = vec![".pl".into(), String::new()],
            ("relative_to", Some(folder)) => path = world.path(folder).join(&file),
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
        None if access => return Err(machine.existence_error("source_sink", all[0])),
        None => normalized(&path),
    };
    let cell = args::atom_cell(machine, &found.to_string_lossy());
    Ok(machine.unify(all[1], cell))
}

fn file_base_name(machine: &mut Machine, _: &mut World, all: &[Cell]) -> Outcome {
    let file = source_sink(machine, all[0])?;
    let base = file.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    let base = args::atom_cell(machine, base);
    Ok(machine.unify(all[1], base))
}

fn file_directory_name(machine: &mut Machine, _: &mut World, all: &[Cell]) -> Outcome {
    let file = source_sink(machine, all[0])?;
    let folder = match file.trim_end_matches('/').rsplit_once('/') {
        None => ".",
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
    };
    let folder = args::atom_cell(machine, folder);
    Ok(machine.unify(all[1], folder))
}

/// `file_name_extension(Base, Extension, Name)`: takes apart or puts together.
fn file_name_extension(machine: &mut Machine, _: &mut World, all: &[Cell]) -> Outcome {
    if !machine.heap.deref(all[2]).is_var() {
        let name = source_sink(machine, all[2])?;
        let (base, extension) = match name.rsplit_once('.') {
            Some((base, extension)) if !extension.contains('/') => (base, extension),
            _ => (&*name, ""),
        };
        let (base, extension) =
            (args::atom_cell(machine, base), args::atom_cell(machine, extension));
        return Ok(machine.unify(all[1], extension) && machine.unify(all[0], base));
    }
    let (base, extension) = (source_sink(machine, all[0])?, source_sink(machine, all[1])?);
    let extension = extension.trim_start_matches('.');
    let name = if extension.is_empty() || base.ends_with(&format!(".{extension}")) {
        base
    } else {
        format!("{base}.{extension}")
    };
    let name = args::atom_cell(machine, &name);
    Ok(machine.unify(all[2], name))
}
