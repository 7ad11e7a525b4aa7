//! Which files a batch is about: files, folders, patterns and lists become rule files in order.
//!
//! A folder gives the rule files below it, sorted by name, folders among them; what begins with
//! a dot is left out. A pattern that the shell didn't expand (`*`, `?`, `[..]`, and `**` for any
//! folders) is expanded here. `@list` is a text with a path on each line. A file that was named
//! twice is run once, where it was named first.

use glob::{MatchOptions, Pattern};
use std::collections::HashSet;
use std::io::{Error, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use zug_files::{Access, is_hidden, is_rule_name};

/// Bytes of a list of paths.
const MOST_LIST: u64 = 64 << 20;

/// A rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its path.
    pub path: PathBuf,
    /// Rules in the sandbox load no file outside this folder.
    pub root: PathBuf,
}

/// A path that leads to no rule file.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// There is nothing of this name.
    #[error("there is no file or folder `{path}`{place}", path = .0.display(), place = said(.1))]
    Missing(PathBuf, Option<String>),
    /// It can't be read.
    #[error("can't read `{path}`: {error}", path = .0.display(), error = .1)]
    Unreadable(PathBuf, Error),
    /// It is a device or a pipe.
    #[error("`{path}` is a device or a pipe, not a rule file{place}", path = .0.display(), place = said(.1))]
    Special(PathBuf, Option<String>),
    /// The list is too long.
    #[error("the list `{}` is longer than {most} MiB", .0.display(), most = MOST_LIST >> 20)]
    LongList(PathBuf),
    /// No file has such a name.
    #[error("no rule file has a name as `{0}`")]
    NoMatch(String),
    /// The pattern is none.
    #[error("`{0}` is no pattern for names of files: {1}")]
    Pattern(String, glob::PatternError),
    /// The folder has no rule files.
    #[error("there is no rule file (.pl, .pro or .prolog) in the folder `{}`", .0.display())]
    Empty(PathBuf),
    /// Nothing at all was named.
    #[error("there are no files to run")]
    Nothing,
}

fn said(list: &Option<String>) -> String {
    list.as_ref().map_or(String::new(), |list| format!(", named in {list}"))
}

/// The rule files that paths lead to.
///
/// # Errors
/// One of them leads nowhere.
pub fn inputs(paths: &[PathBuf], stdin: &mut dyn Read) -> Result<Vec<Input>, InputError> {
    let mut found = FoundFiles::default();
    for path in paths {
        match path.to_str().and_then(|text| text.strip_prefix('@')) {
            Some(list) if !path.exists() => found.list(list, stdin)?,
            _ => found.path(path, None)?,
        }
    }
    if found.inputs.is_empty() { Err(InputError::Nothing) } else { Ok(found.inputs) }
}

#[derive(Default)]
struct FoundFiles {
    inputs: Vec<Input>,
    /// The files found, whatever they are called.
    seen: HashSet<PathBuf>,
}

impl FoundFiles {
    /// The paths in a list: beside it, or else from where zug was started.
    fn list(&mut self, name: &str, stdin: &mut dyn Read) -> Result<(), InputError> {
        let list = Path::new(name);
        let read = match name {
            "-" => {
                let mut bytes = Vec::new();
                stdin.take(MOST_LIST + 1).read_to_end(&mut bytes).map(|_| bytes)
            }
            // A list may come from a pipe, but not from a device without end.
            _ => Access::FREE.read_at_most(list, MOST_LIST),
        };
        let long = || InputError::LongList(list.to_owned());
        let bytes = read.map_err(|error| match error.kind() {
            ErrorKind::NotFound => InputError::Missing(list.to_owned(), None),
            ErrorKind::FileTooLarge => long(),
            _ => InputError::Unreadable(list.to_owned(), error),
        })?;
        if bytes.len() as u64 > MOST_LIST {
            return Err(long());
        }
        let text = String::from_utf8_lossy(&bytes);
        let folder = list.parent().filter(|_| name != "-");
        for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place =
                format!("line {} of {}", number + 1, if name == "-" { "stdin" } else { name });
            let beside = folder.map(|folder| folder.join(line));
            let beside =
                beside.filter(|path| exists(path) || is_pattern(line) && !exists(Path::new(line)));
            self.path(&beside.unwrap_or_else(|| PathBuf::from(line)), Some(&place))?;
        }
        Ok(())
    }

    fn path(&mut self, path: &Path, place: Option<&str>) -> Result<(), InputError> {
        let shown = path.to_string_lossy();
        match Access::FREE.metadata(path) {
            Ok(data) if data.is_dir() => {
                let before = self.inputs.len();
                let known = self.seen.len();
                self.folder(path, path)?;
                let none = self.inputs.len() == before && self.seen.len() == known;
                if none && !self.has_any(path) {
                    return Err(InputError::Empty(path.to_owned()));
                }
                Ok(())
            }
            Ok(data) if data.is_file() => {
                self.file(path, parent(path));
                Ok(())
            }
            Ok(_) => Err(InputError::Special(path.to_owned(), place.map(str::to_owned))),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let mut longer = path.as_os_str().to_owned();
                longer.push(".pl");
                let longer = PathBuf::from(longer);
                if longer.is_file() {
                    self.file(&longer, parent(&longer));
                    return Ok(());
                }
                if is_pattern(&shown) {
                    return self.pattern(&shown);
                }
                Err(InputError::Missing(path.to_owned(), place.map(str::to_owned)))
            }
            Err(error) => Err(InputError::Unreadable(path.to_owned(), error)),
        }
    }

    /// Whether a folder has rule files, perhaps all known already.
    fn has_any(&self, folder: &Path) -> bool {
        let Ok(folder) = folder.canonicalize() else { return false };
        self.seen.iter().any(|file| file.starts_with(&folder))
    }

    fn file(&mut self, path: &Path, root: PathBuf) {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.seen.insert(real) {
            self.inputs.push(Input { path: path.to_owned(), root });
        }
    }

    /// The rule files below a folder.
    fn folder(&mut self, folder: &Path, root: &Path) -> Result<(), InputError> {
        let mut entered = HashSet::new();
        // Folders and files to look at, the next one last.
        let mut waiting = vec![folder.to_owned()];
        while let Some(path) = waiting.pop() {
            if !path.is_dir() {
                self.file(&path, root.to_owned());
                continue;
            }
            // A link may lead back to where we come from.
            let real = path.canonicalize().map_err(|e| InputError::Unreadable(path.clone(), e))?;
            if entered.insert(real) {
                let mut inside = names(&path)?;
                inside.retain(|name| {
                    let inner = path.join(name);
                    !is_hidden(name) && (inner.is_dir() || is_rule_file(&inner))
                });
                waiting.extend(inside.into_iter().rev().map(|name| path.join(name)));
            }
        }
        Ok(())
    }

    fn pattern(&mut self, text: &str) -> Result<(), InputError> {
        let base: PathBuf = Path::new(text).components().take_while(|part| !wild(part)).collect();
        let parts: Vec<Component<'_>> =
            Path::new(text).components().skip_while(|part| !wild(part)).collect();
        let mut patterns = Vec::new();
        for part in parts {
            let part = part.as_os_str().to_string_lossy();
            let pattern = Pattern::new(&part);
            patterns.push(pattern.map_err(|error| InputError::Pattern(text.to_owned(), error))?);
        }
        let mut matched = false;
        let mut entered = HashSet::new();
        let mut waiting = vec![(base.clone(), 0)];
        let root = if base.as_os_str().is_empty() { PathBuf::from(".") } else { base.clone() };
        while let Some((path, at)) = waiting.pop() {
            let Some(pattern) = patterns.get(at) else {
                if path.is_dir() {
                    // As if it had been named.
                    let before = self.inputs.len();
                    self.folder(&path, &root)?;
                    matched |= self.inputs.len() > before || self.has_any(&path);
                } else if path.is_file() {
                    matched = true;
                    self.file(&path, root.clone());
                }
                continue;
            };
            let here = if path.as_os_str().is_empty() { Path::new(".") } else { &path };
            let deep = pattern.as_str() == "**";
            if !here.is_dir() {
                continue;
            }
            if deep {
                let real =
                    here.canonicalize().map_err(|e| InputError::Unreadable(path.clone(), e))?;
                if !entered.insert((real, at)) {
                    continue;
                }
            }
            let last = at + 1 == patterns.len();
            let mut next = Vec::new();
            for name in names(here)? {
                let inner = path.join(&name);
                let options =
                    MatchOptions { require_literal_leading_dot: true, ..MatchOptions::new() };
                if deep && !is_hidden(&name) {
                    if inner.is_dir() {
                        next.push((inner, at));
                    } else if last && is_rule_file(&inner) {
                        next.push((inner, at + 1));
                    }
                } else if !deep && pattern.matches_with(&name.to_string_lossy(), options) {
                    next.push((inner, at + 1));
                }
            }
            // What stands in the folder itself comes before what stands below it.
            waiting.extend(next.into_iter().rev());
            if deep && !last {
                waiting.push((path, at + 1));
            }
        }
        if matched { Ok(()) } else { Err(InputError::NoMatch(text.to_owned())) }
    }
}

/// The folder a file is in.
fn parent(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<std::ffi::OsString>, InputError> {
    let unreadable = |error| InputError::Unreadable(folder.to_owned(), error);
    let entries = Access::FREE.list(folder).map_err(unreadable)?;
    Ok(entries.iter().map(std::fs::DirEntry::file_name).collect())
}

fn is_rule_file(path: &Path) -> bool {
    is_rule_name(path) && path.is_file()
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

fn wild(part: &Component<'_>) -> bool {
    is_pattern(&part.as_os_str().to_string_lossy())
}

fn exists(path: &Path) -> bool {
    path.exists() || path.with_extension("pl").exists() && path.extension().is_none()
}
