//! `consult/1` and its family, and facts about what is loaded.

use super::loader::SourceFile;
use super::{Entry, World, libraries, loader, sandbox};
use zug_machine::{Fault, Machine, Outcome};
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
    Entry::guarded("use_module", 1, use_module),
    Entry::guarded("use_module", 2, |m, w, a| use_module(m, w, &a[..1])),
    Entry::guarded("reexport", 1, use_module),
    Entry::guarded("autoload", 1, use_module),
    Entry::guarded("autoload", 2, |m, w, a| use_module(m, w, &a[..1])),
    Entry::guarded("include", 1, include),
    Entry::guarded("make", 0, make),
];

/// Predicates that only look or declare.
pub const TABLE: &[Entry] = &[
    Entry::session("module", 2, module),
    Entry::session("style_check", 1, |_, _, _| Ok(true)),
    Entry::session("set_stream_encoding", 1, |_, _, _| Ok(true)),
    Entry::session("encoding", 1, |_, _, _| Ok(true)),
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
fn file_name(m: &mut Machine, cell: Cell) -> Result<String, Fault> {
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
    let names = files(m, a[0])?;
    for name in names {
        load_named(m, w, &name)?;
    }
    Ok(true)
}

fn files(m: &mut Machine, spec: Cell) -> Result<Vec<String>, Fault> {
    let spec = super::database::strip_module(&m.heap, spec);
    if spec == Cell::NIL {
        return Ok(Vec::new());
    }
    if !spec.is_list() {
        return Ok(vec![file_name(m, spec)?]);
    }
    let Some(items) = m.heap.proper_list(spec) else { return Err(m.type_error("list", spec)) };
    items.into_iter().map(|item| file_name(m, item)).collect()
}

/// The rule file that a name means.
fn source_file(m: &mut Machine, w: &mut World, name: &str) -> Result<std::path::PathBuf, Fault> {
    match w.source_file(name) {
        SourceFile::Found(path) => Ok(path),
        SourceFile::Missing => {
            w.note_absent(name);
            let culprit = Cell::atom(m.symbols.intern(name));
            Err(m.existence_error("source_sink", culprit))
        }
        SourceFile::Refused => {
            let culprit = Cell::atom(m.symbols.intern(name));
            Err(sandbox::refusal(m, "load", "source_sink", &[culprit]))
        }
    }
}

fn load_named(m: &mut Machine, w: &mut World, name: &str) -> Result<(), Fault> {
    if name == "user" {
        return load_user(m, w);
    }
    let path = source_file(m, w, name)?;
    match loader::load_file(m, w, &path)? {
        Ok(()) => Ok(()),
        Err(error) => {
            let culprit = Cell::atom(m.symbols.intern(name));
            let _ = error;
            Err(m.permission_error("open", "source_sink", culprit))
        }
    }
}

/// `[user].`: clauses from the standard input up to its end.
fn load_user(m: &mut Machine, w: &mut World) -> Result<(), Fault> {
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
    loader::load_text(m, w, source, zug_machine::Space::User)
}

/// The file in `library(File)`; `None` of other terms.
fn library(m: &Machine, spec: Cell) -> Option<Cell> {
    match m.heap.name_arity(spec)? {
        (name, 1, args) if m.symbols.name(name) == "library" => Some(m.heap.deref(m.heap.at(args))),
        _ => None,
    }
}

fn ensure_loaded(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if library(m, m.heap.deref(a[0])).is_some() {
        return use_module(m, w, a);
    }
    for name in files(m, a[0])? {
        let known = match w.source_file(&name) {
            SourceFile::Found(path) => w.loader.known(&path).is_some(),
            SourceFile::Missing | SourceFile::Refused => false,
        };
        if !known {
            load_named(m, w, &name)?;
        }
    }
    Ok(true)
}

/// `module/2`: the name counts for the hooks of attributed variables alone.
fn module(_: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if let Some(loading) = w.loader.stack.last_mut() {
        loading.module = a[0].as_atom();
    }
    Ok(true)
}

/// `use_module(library(…))` has nothing to do: the library is always there. A
/// file is loaded once.
fn use_module(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let mut waiting = vec![a[0]];
    while let Some(spec) = waiting.pop() {
        let spec = super::database::strip_module(&m.heap, spec);
        if spec.is_list() || spec == Cell::NIL {
            let items = m.heap.proper_list(spec).unwrap_or_default();
            if m.worked(items.len() + 1) {
                m.keep_going()?;
            }
            waiting.extend(items.into_iter().rev());
        } else if let Some(file) = library(m, spec) {
            let name = super::database::strip_module(&m.heap, file);
            let name = file_name(m, name)?;
            if let ("plunit", Some(loading)) = (&*name, w.loader.stack.last_mut()) {
                loading.plunit = true;
            }
            libraries::asked_for(m, w, spec, &name)?;
        } else {
            ensure_loaded(m, w, &[spec])?;
        }
    }
    Ok(true)
}

/// Clauses of another file, as if they stood here.
fn include(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    for name in files(m, a[0])? {
        let path = source_file(m, w, &name)?;
        loader::include_file(m, w, &path)?;
    }
    Ok(true)
}

/// Loads again what has changed since it was loaded.
fn make(m: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    let changed: Vec<_> = w
        .loader
        .files
        .iter()
        .filter(|file| {
            let now = std::fs::metadata(&file.path).and_then(|data| data.modified()).ok();
            now.is_some() && now != file.modified
        })
        .map(|file| file.path.clone())
        .collect();
    for path in changed {
        if let Err(error) = loader::load_file(m, w, &path)? {
            let culprit = Cell::atom(m.symbols.intern(&path.to_string_lossy()));
            let _ = error;
            return Err(m.permission_error("open", "source_sink", culprit));
        }
    }
    Ok(true)
}

/// `prolog_load_context(Key, Value)` for `source` and `directory`.
fn load_context(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let Some(source) = w.loader.current_source() else { return Ok(false) };
    let Some(key) = a[0].as_atom() else { return Ok(false) };
    let path = std::path::Path::new(&*source.name);
    let text = match m.symbols.name(key) {
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
            if loader::load_file(m, w, &path)?.is_err() {
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
    let list = m.heap.list_from(&names, Cell::NIL);
    Ok(m.unify(a[0], list))
}
