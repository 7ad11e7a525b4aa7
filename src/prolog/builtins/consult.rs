//! `consult/1` and its family, and facts about what is loaded.

use super::loader::{FileRole, SourceFile};
use super::modules::{self, Imports};
use super::{Entry, OrFault, World, args, libraries, loader, loads, sandbox};
use zug_machine::{Fault, Machine, Outcome, Space};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// Predicates that run goals: directives of the files they load.
pub const REENTRANT: &[Entry] = &[
    Entry::guarded("consult", 1, consult),
    Entry::guarded(".", 2, |m, w, a| {
        consult(m, w, &[a[0]])?;
        consult(m, w, &[a[1]])
    }),
    Entry::guarded("ensure_loaded", 1, ensure_loaded),
    Entry::guarded("load_files", 2, |m, w, a| consult(m, w, &a[..1])),
    Entry::guarded("use_module", 1, |m, w, a| use_module(m, w, a, false)).up_to(2),
    Entry::guarded("reexport", 1, |m, w, a| use_module(m, w, a, true)).up_to(2),
    Entry::guarded("autoload", 1, |m, w, a| use_module(m, w, a, false)).up_to(2),
    Entry::guarded("include", 1, include),
    Entry::guarded("make", 0, make),
];

/// Predicates that only look or declare.
pub const TABLE: &[Entry] = &[
    Entry::session("style_check", 1, |_, _, _| Ok(true)),
    Entry::session("set_stream_encoding", 1, |_, _, _| Ok(true)),
    Entry::session("encoding", 1, |_, _, _| Ok(true)),
    Entry::session("exists_source", 1, exists_source),
    Entry::session("$has_functions", 0, |_, w, _| {
        w.has_functions = true;
        Ok(true)
    }),
    Entry::session("license", 1, |_, _, _| Ok(true)),
    Entry::session("expects_dialect", 1, |_, _, _| Ok(true)),
    Entry::session("initialization", 1, |_, _, _| Ok(true)),
    Entry::session("garbage_collect", 0, |_, _, _| Ok(true)),
    Entry::session("halt", 0, |_, _, _| Err(Fault::Halt(0))),
    Entry::session("halt", 1, |m, _, a| match a[0].as_int() {
        Some(status) => Err(Fault::Halt(status as i32)),
        None => Err(m.type_error("integer", a[0])),
    }),
    Entry::session("prolog_load_context", 2, load_context),
    Entry::session("$loaded_files", 1, loaded_files),
    Entry::guarded("$load_test_files", 0, load_test_files),
];

/// Text of a file name: an atom, a string, or `a/b` paths.
fn file_name(m: &mut Machine, cell: Cell) -> OrFault<String> {
    /// Parts of a path: more than any file system takes, and than a cyclic term is let have.
    const PARTS: usize = 4096;
    let (mut waiting, mut name) = (vec![cell], String::new());
    for number in 0.. {
        let Some(part) = waiting.pop() else { break };
        if waiting.len() + number > PARTS {
            return Err(m.domain_error("source_sink", cell));
        }
        if let Some([left, right]) = m.heap.match_struct::<2>(part, atoms::SLASH) {
            waiting.extend([right, left]);
            continue;
        }
        if !name.is_empty() {
            name.push('/');
        }
        match m.heap.value(part) {
            Value::Var(_) => return Err(m.instantiation_error()),
            Value::Atom(part) => name += m.symbols.name(part),
            Value::Str(part) => name += part,
            _ => return Err(m.domain_error("source_sink", cell)),
        }
    }
    Ok(name)
}

/// Loads a file or each file of a list.
fn consult(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (names, space) = files(m, w, a[0])?;
    for name in names {
        if let Some(file) = load_named(m, w, &name, space)? {
            modules::import_file(m, w, file, space, (&Imports::All, false))?;
        }
    }
    Ok(true)
}

/// The names of files, and the space that their clauses go to.
fn files(m: &mut Machine, w: &World, spec: Cell) -> OrFault<(Vec<String>, Space)> {
    let (spec, space) = m.goal_and_space(spec, modules::here(w));
    if spec == Cell::NIL {
        return Ok((Vec::new(), space));
    }
    if !spec.is_list() {
        return Ok((vec![file_name(m, spec)?], space));
    }
    let Some(items) = m.heap.proper_list(spec) else { return Err(m.type_error("list", spec)) };
    let names: OrFault<_> = items.into_iter().map(|item| file_name(m, item)).collect();
    Ok((names?, space))
}

/// The rule file that a name means.
fn source_file(m: &mut Machine, w: &mut World, name: &str) -> OrFault<std::path::PathBuf> {
    match w.source_file(name) {
        SourceFile::Found(path) => Ok(path),
        SourceFile::Missing => {
            let paths = w.source_paths(name);
            w.loader.absent.extend(paths);
            let culprit = Cell::atom(m.symbols.intern(name));
            Err(m.existence_error("source_sink", culprit))
        }
        SourceFile::Refused => {
            let culprit = Cell::atom(m.symbols.intern(name));
            Err(sandbox::refusal(m, "load", "source_sink", &[culprit]))
        }
    }
}

/// Loads a file into a space, unless it is a module; its number.
fn load_named(m: &mut Machine, w: &mut World, name: &str, space: Space) -> OrFault<Option<usize>> {
    if name == "user" {
        load_user(m, w)?;
        return Ok(None);
    }
    let path = source_file(m, w, name)?;
    match loader::load_file(m, w, &path, FileRole::Part(space))? {
        Ok(()) => Ok(w.loader.known(&path)),
        Err(_) => Err(loader::unreadable(m, name)),
    }
}

/// `[user].`: clauses from the standard input up to its end.
fn load_user(m: &mut Machine, w: &mut World) -> OrFault<()> {
    let mut text = String::new();
    let input = super::streams::USER_INPUT;
    w.streams.begin_read(m);
    while let Some(line) = {
        let line = w.streams.read_line(input);
        super::stream_predicates::was_read(m, input, line)?
    } {
        if line.trim() == "end_of_file." {
            break;
        }
        text.push_str(&line);
        text.push('\n');
    }
    let source = zug_term::source::Source::new("user", &text);
    loader::load_text(m, w, source, Space::User)
}

/// The file in `library(File)`; `None` of other terms.
fn library(m: &Machine, spec: Cell) -> Option<Cell> {
    match m.heap.name_arity(spec)? {
        (name, 1, args) if m.symbols.name(name) == "library" => Some(m.heap.deref(m.heap.at(args))),
        _ => None,
    }
}

fn ensure_loaded(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let plain = super::database::strip_module(&m.heap, a[0]);
    if library(m, plain).is_some() {
        return use_module(m, w, a, false);
    }
    let (names, space) = files(m, w, a[0])?;
    for name in names {
        load_once(m, w, &name, space, (&Imports::All, false))?;
    }
    Ok(true)
}

/// Loads a file that is not loaded yet, and imports what it exports.
fn load_once(
    m: &mut Machine,
    w: &mut World,
    name: &str,
    space: Space,
    imports: (&Imports, bool),
) -> OrFault<()> {
    let known = match w.source_file(name) {
        SourceFile::Found(path) => w.loader.known(&path),
        SourceFile::Missing | SourceFile::Refused => None,
    };
    match known.map_or_else(|| load_named(m, w, name, space), |known| Ok(Some(known)))? {
        Some(file) => modules::import_file(m, w, file, space, imports),
        None => Ok(()),
    }
}

/// `use_module` and `reexport`: of a library only new names are imported, since it is always there.
fn use_module(m: &mut Machine, w: &mut World, a: &[Cell], again: bool) -> Outcome {
    let imports = match a.get(1) {
        Some(&spec) => modules::imports(m, spec)?,
        None => Imports::All,
    };
    let mut waiting = vec![(a[0], modules::here(w))];
    while let Some((spec, around)) = waiting.pop() {
        let (spec, space) = m.goal_and_space(spec, around);
        if spec.is_list() || spec == Cell::NIL {
            let items = m.heap.proper_list(spec).unwrap_or_default();
            if m.worked(items.len() + 1) {
                m.keep_going()?;
            }
            waiting.extend(items.into_iter().rev().map(|item| (item, space)));
        } else if let Some(file) = library(m, spec) {
            let name = super::database::strip_module(&m.heap, file);
            let name = file_name(m, name)?;
            if let ("plunit", Some(loading)) = (&*name, w.loader.stack.last_mut()) {
                loading.plunit = true;
            }
            libraries::asked_for(m, w, spec, &name)?;
            modules::rename_library(m, w, space, &imports);
        } else {
            let name = file_name(m, spec)?;
            load_once(m, w, &name, space, (&imports, again))?;
        }
    }
    Ok(true)
}

/// `exists_source(Source)`: there is such a library, or such a file.
fn exists_source(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if let Some(file) = library(m, a[0]) {
        let name = super::database::strip_module(&m.heap, file);
        let name = file_name(m, name)?;
        let mut added = w.extensions.iter().flat_map(|extension| extension.libraries);
        return Ok(libraries::is_there(&name) || added.any(|library| library.name == name));
    }
    let name = file_name(m, a[0])?;
    Ok(matches!(w.source_file(&name), SourceFile::Found(_)))
}

/// Clauses of another file, as if they stood here.
fn include(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    for name in files(m, w, a[0])?.0 {
        let path = source_file(m, w, &name)?;
        loader::include_file(m, w, &path)?;
    }
    Ok(true)
}

/// Loads again what has changed since it was loaded.
fn make(m: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    let has_changed = |file: &&loads::LoadedFile| {
        let now = w.files.metadata(&file.path).and_then(|data| data.modified()).ok();
        now.is_some() && now != file.modified
    };
    let changed = w.loader.files.iter().filter(has_changed).map(|file| file.path.clone());
    let changed: Vec<_> = changed.collect();
    for path in changed {
        let role = role_of(m, w, &path);
        if loader::load_file(m, w, &path, role)?.is_err() {
            return Err(loader::unreadable(m, &path.to_string_lossy()));
        }
    }
    Ok(true)
}

/// What a file is to the session that was loaded before.
fn role_of(m: &Machine, w: &World, path: &std::path::Path) -> FileRole {
    let file = w.loader.known(path);
    let module = file.and_then(|file| w.loader.files[file].module.as_ref());
    if module.is_some_and(|module| module.space == Space::User) {
        return FileRole::Program;
    }
    // Those of a file without a module are where its clauses are.
    let own = m.program.preds.iter().find(|pred| pred.file == file.map(|file| file as u32));
    FileRole::Part(own.map_or(Space::User, |pred| pred.space))
}

/// `prolog_load_context(Key, Value)` for `source` and `directory`.
fn load_context(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let Some(source) = w.loader.current_source() else { return Ok(false) };
    let Some(key) = a[0].as_atom() else { return Ok(false) };
    let path = std::path::Path::new(&*source.name);
    let text = match m.symbols.name(key) {
        "module" => {
            let name = m.program.modules.name_of(modules::here(w));
            return Ok(m.unify(a[1], Cell::atom(name)));
        }
        "source" | "file" => source.name.to_string(),
        "directory" => match path.parent() {
            Some(directory) => directory.to_string_lossy().into_owned(),
            None => return Ok(false),
        },
        _ => return Ok(false),
    };
    let value = Cell::atom(m.symbols.intern(&text));
    Ok(m.unify(a[1], value))
}

/// `$load_test_files`: loads the `.plt` files beside those that are loaded, as far as rules may
/// load them.
fn load_test_files(m: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    let paths = w.loader.files.iter().map(|file| file.path.clone());
    let rules = paths.filter(|path| path.extension().is_none_or(|ending| ending != "plt"));
    let tests: Vec<_> = rules.map(|path| path.with_extension("plt")).collect();
    for path in tests {
        let known = w.loader.files.iter().any(|file| file.path == path);
        if known || !w.may_load(&path) {
            continue;
        }
        if !path.is_file() {
            w.loader.absent.push(path);
        } else {
            // It may have gone meanwhile, or not be readable.
            let role = FileRole::Part(Space::User);
            if loader::load_file(m, w, &path, role)?.is_err() {
                let culprit = Cell::atom(m.symbols.intern(&path.to_string_lossy()));
                return Err(m.permission_error("open", "source_sink", culprit));
            }
        }
    }
    Ok(true)
}

fn loaded_files(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let names: Vec<Cell> = w
        .loader
        .files
        .iter()
        .map(|file| Cell::atom(m.symbols.intern(&file.path.to_string_lossy())))
        .collect();
    Ok(args::unify_list(m, a[0], &names))
}
