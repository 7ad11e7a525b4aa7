//! A folder of layers, and its list of what is done: [`Folder`].
//!
//! The list is a text file that is written again, under another name, at the end of each step: whatever ends the
//! process, the folder is as a step left it. Files that the list does not name are of a step that did not end, and are
//! removed when the folder is opened.

use super::disk_error::DiskError;
use super::file::checksum;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use zug_files::Access;

/// The format of folders and their files.
const FORMAT: u32 = 1;
const LIST: &str = "layers.list";
const LOCK: &str = "layers.lock";
/// How names of files of states end.
const STATES: &str = "states";

/// What the layers are of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayersOf {
    /// The rules: the same text for rules that mean the same.
    pub rules: String,
    /// What the rules are called.
    pub name: String,
    /// The start, as a term.
    pub start: String,
}

/// What is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Words of a number.
    pub words: u64,
    /// The states of each layer that is complete.
    pub layers: Vec<u64>,
    /// Of the last of these, how many states were expanded.
    pub expanded: u64,
    /// States expanded, their successors, and those without one, in all.
    pub counts: [u64; 3],
    /// The files with the layers before the last one, each longer than the next.
    pub known: Vec<(u64, u64)>,
    /// The file with the last layer.
    pub layer: Option<u64>,
    /// Files with what the last layer leads to, as far as it was expanded.
    pub next: Vec<u64>,
    /// The number of the next file.
    pub files: u64,
    /// All is found.
    pub is_done: bool,
    /// What is needed to read states.
    pub vocabulary: Vec<u8>,
}

/// A folder of layers that this process alone writes into.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    of: LayersOf,
    /// What is done.
    pub done: Progress,
    /// Files that may not be on the disk yet.
    unsynced: Vec<u64>,
    /// Held as long as the folder is open.
    _lock: File,
}

impl Folder {
    /// Opens a folder, or makes one.
    ///
    /// # Errors
    /// It has other things in it, is damaged, in use, or can't be read or written.
    pub fn open(path: &Path, of: LayersOf) -> Result<Folder, DiskError> {
        Access::FREE.make_folders(path).map_err(DiskError::io("make", path))?;
        let names = names(path)?;
        let is_ours = |name: &String| {
            let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
            let is_number = stem.len() >= 6 && stem.bytes().all(|byte| byte.is_ascii_digit());
            name == LIST
                || name == LOCK
                || name == "layers.new"
                || matches!(ending, STATES | "new") && is_number
        };
        // A folder without a lock was never ours.
        let is_new = !names.iter().any(|name| name == LOCK);
        if !names.iter().all(is_ours) || (is_new && !names.is_empty()) {
            return Err(DiskError::Foreign(path.to_owned()));
        }
        let at = path.join(LOCK);
        let lock = Access::FREE.create(&at).map_err(DiskError::io("write", &at))?;
        if lock.try_lock().is_err() {
            return Err(DiskError::Busy(path.to_owned()));
        }
        let list = path.join(LIST);
        let mut folder = Folder {
            path: path.to_owned(),
            of,
            done: Progress::default(),
            unsynced: Vec::new(),
            _lock: lock,
        };
        match Access::FREE.read_text(&list) {
            Ok(text) => folder.read(&list, &text)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                return Err(DiskError::Damaged(list, "it is no text"));
            }
            Err(error) => return Err(DiskError::Io("read", list, error)),
        }
        folder.tidy()?;
        Ok(folder)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The place of a file.
    pub fn file(&self, number: u64) -> PathBuf {
        self.path.join(format!("{number:06}.{STATES}"))
    }

    /// A number for a new file.
    pub fn new_file(&mut self) -> u64 {
        self.done.files += 1;
        self.unsynced.push(self.done.files);
        self.done.files
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        let all = self.named().into_iter();
        all.map(|file| self.file(file).metadata().map_or(0, |found| found.len())).sum()
    }

    /// The files that are useful.
    fn named(&self) -> Vec<u64> {
        let known = self.done.known.iter().map(|&(file, _)| file);
        known.chain(self.done.layer).chain(self.done.next.iter().copied()).collect()
    }

    /// Notes what is done, and removes files that are useless any more.
    ///
    /// # Errors
    /// The folder can't be written.
    pub fn commit(&mut self) -> Result<(), DiskError> {
        let named = self.named();
        for file in self.unsynced.drain(..).filter(|file| named.contains(file)) {
            let path = self.path.join(format!("{file:06}.{STATES}"));
            let synced = Access::FREE.open(&path).and_then(|file| file.sync_all());
            synced.map_err(DiskError::io("write", &path))?;
        }
        let (new, list) = (self.path.join("layers.new"), self.path.join(LIST));
        let failed = DiskError::io("write", &new);
        let mut file = Access::FREE.create(&new).map_err(&failed)?;
        file.write_all(self.text().as_bytes()).and_then(|()| file.sync_all()).map_err(&failed)?;
        Access::FREE.rename(&new, &list).map_err(DiskError::io("rename", &new))?;
        if let Ok(folder) = Access::FREE.open(&self.path) {
            // Not every system can do this to a folder; then the list may be that of a step before.
            let _ = folder.sync_all();
        }
        self.tidy()
    }

    fn tidy(&self) -> Result<(), DiskError> {
        let named: Vec<PathBuf> = self.named().into_iter().map(|file| self.file(file)).collect();
        for name in names(&self.path)? {
            let path = self.path.join(&name);
            if name != LIST && name != LOCK && !named.contains(&path) {
                Access::FREE.remove(&path).map_err(DiskError::io("remove", &path))?;
            }
        }
        Ok(())
    }

    fn text(&self) -> String {
        let Progress {
            words, layers, expanded, counts, known, layer, next, files, is_done, ..
        } = &self.done;
        let list =
            |all: &[u64]| all.iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
        let known: Vec<u64> = known.iter().flat_map(|&(file, count)| [file, count]).collect();
        let rows = [
            ("rules", hexadecimal(self.of.rules.as_bytes())),
            ("name", hexadecimal(self.of.name.as_bytes())),
            ("start", hexadecimal(self.of.start.as_bytes())),
            ("words", words.to_string()),
            ("layers", list(layers)),
            ("expanded", expanded.to_string()),
            ("counts", list(counts)),
            ("known", list(&known)),
            ("layer", list(layer.as_slice())),
            ("next", list(next)),
            ("files", files.to_string()),
            ("done", u64::from(*is_done).to_string()),
            ("vocabulary", hexadecimal(&self.done.vocabulary)),
        ];
        let mut text = format!("zug layers {FORMAT}\n");
        for (name, value) in rows {
            let _ = writeln!(text, "{name} {value}");
        }
        let sum = checksum(text.as_bytes());
        let _ = writeln!(text, "check {sum:016x}");
        text
    }

    fn read(&mut self, list: &Path, text: &str) -> Result<(), DiskError> {
        let format = text.lines().next().and_then(|line| line.strip_prefix("zug layers "));
        let damaged = |what| DiskError::Damaged(list.to_owned(), what);
        let format = format.ok_or_else(|| damaged("it does not begin as a list of layers does"))?;
        if format != FORMAT.to_string() {
            let (path, found) = (self.path.clone(), format.to_owned());
            return Err(DiskError::Format { path, found, own: FORMAT });
        }
        let whole = text.rfind("check ").is_some_and(|at| {
            text[at..].trim_end() == format!("check {:016x}", checksum(&text.as_bytes()[..at]))
        });
        if !whole {
            return Err(damaged("it is not as it was written"));
        }
        let (of, done) = parsed(text).ok_or_else(|| damaged("it makes no sense"))?;
        if (&of.rules, &of.start) != (&self.of.rules, &self.of.start) {
            let path = self.path.clone();
            let (found, own) = if of.rules == self.of.rules {
                (format!("the start {}", of.start), self.of.start.clone())
            } else {
                (format!("other rules (`{}`)", of.name), "these".to_owned())
            };
            return Err(DiskError::Other { path, found, own });
        }
        self.done = done;
        Ok(())
    }
}

/// The names of the files in a folder.
fn names(path: &Path) -> Result<Vec<String>, DiskError> {
    let entries = Access::FREE.list(path).map_err(DiskError::io("read", path))?;
    Ok(entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

fn parsed(text: &str) -> Option<(LayersOf, Progress)> {
    let field = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let numbers = |name| -> Option<Vec<u64>> {
        field(name)?.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
    };
    let number = |name| -> Option<u64> { field(name)?.parse().ok() };
    let words = |name| String::from_utf8(bytes(field(name)?)?).ok();
    let of = LayersOf { rules: words("rules")?, name: words("name")?, start: words("start")? };
    let known = numbers("known")?;
    let done = Progress {
        words: number("words")?,
        layers: numbers("layers")?,
        expanded: number("expanded")?,
        counts: numbers("counts")?.try_into().ok()?,
        known: known.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(),
        layer: numbers("layer")?.first().copied(),
        next: numbers("next")?,
        files: number("files")?,
        is_done: number("done")? != 0,
        vocabulary: bytes(field("vocabulary")?)?,
    };
    Some((of, done))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
