//! The rule files that may be opened: one, or all below a folder.
//!
//! A file is known by its path below the folder, with `/`, as the list has it. **Invariant.** No name
//! leads to a file elsewhere, whatever links there are: files are read by the [`Access`] of a sandbox.

use serde::Serialize;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Component, Path, PathBuf};
use zug_files::{Access, is_hidden, is_rule_name};

/// Files that are listed.
const MOST: usize = 2000;
/// Entries of folders that are looked at for them.
const ENTRIES: usize = 50_000;
/// Folders inside each other that are looked into.
const DEEP: usize = 8;
/// Bytes of a file that is opened: 8 MiB.
pub const MOST_BYTES: u64 = 8 << 20;
/// Bytes at the beginning of a file that are looked at for what it is.
const BEGINNING: u64 = 300;

/// The rule files of a server.
#[derive(Clone, Debug)]
pub struct Library {
    folder: PathBuf,
    only: Option<String>,
    access: Access,
}

/// A file of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its path below the folder.
    pub name: String,
    /// The first line of its first comment.
    pub about: String,
}

/// A file that was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Opened {
    /// What is in it.
    pub text: String,
    /// Another one whenever that changes.
    pub version: String,
}

/// Why a file was not saved.
#[derive(Debug)]
pub enum NotSaved {
    /// There is no such file, or it may not be opened here.
    Unknown,
    /// It has changed since it was opened: what it is now; `None` if it is gone.
    Changed(Option<Opened>),
    /// The I/O error.
    Io(io::Error),
}

impl Library {
    /// One file, or all below a folder.
    ///
    /// # Errors
    /// It is not there.
    pub fn new(path: &Path) -> io::Result<Library> {
        let path = path.canonicalize()?;
        if path.is_dir() {
            let access = Access::sandbox(&path);
            return Ok(Library { folder: path, only: None, access });
        }
        let only = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        // A single file may have any name.
        Ok(Library { folder, only, access: Access::FREE })
    }

    /// The folder that the names are below.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether it is one file, to which none can be added.
    pub fn is_single(&self) -> bool {
        self.only.is_some()
    }

    /// The files, sorted by name.
    pub fn list(&self) -> Vec<Listed> {
        let mut names = Vec::new();
        match &self.only {
            Some(name) => names.push(name.clone()),
            None => self.below(&self.folder, "", 0, &mut names, &mut { ENTRIES }),
        }
        names.sort();
        let listed = names.into_iter().map(|name| Listed { about: self.about(&name), name });
        listed.collect()
    }

    /// The first sentence of a file's first comment.
    fn about(&self, name: &str) -> String {
        let begin = self.access.beginning(&self.folder.join(name), BEGINNING);
        let line =
            begin.map_or_else(|_| String::new(), |bytes| about(&String::from_utf8_lossy(&bytes)));
        // Some begin with their own name.
        let file = name.rsplit('/').next().unwrap_or(name);
        let bare = line.strip_prefix(file).and_then(|rest| rest.strip_prefix(": "));
        bare.map(str::to_owned).unwrap_or(line)
    }

    /// Puts the names of the files below a folder behind `names`; `left` entries are looked at.
    fn below(
        &self,
        folder: &Path,
        before: &str,
        depth: usize,
        names: &mut Vec<String>,
        left: &mut usize,
    ) {
        let Ok(entries) = Access::FREE.list(folder) else { return };
        for entry in entries {
            let (file, Ok(kind)) = (entry.file_name(), entry.file_type()) else { continue };
            let Some(name) = file.to_str().filter(|_| !is_hidden(&file)) else { continue };
            if names.len() >= MOST || *left == 0 {
                return;
            }
            *left -= 1;
            let name = format!("{before}{name}");
            let path = entry.path();
            if kind.is_dir() && depth < DEEP {
                self.below(&path, &format!("{name}/"), depth + 1, names, left);
            } else if is_rule_name(&path) {
                names.push(name);
            }
        }
    }

    /// The path of a file by its name; `None` for what may not be opened.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        self.place(name).filter(|path| self.access.is_file(path))
    }

    /// Whether a file may have this name.
    pub fn is_name(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    /// Where a file of this name is, or would be.
    fn place(&self, name: &str) -> Option<PathBuf> {
        match &self.only {
            Some(only) if name != only => return None,
            Some(_) => {}
            None => {
                let plain = |part| matches!(part, Component::Normal(name) if !is_hidden(name));
                let parts = Path::new(name).components();
                if !is_rule_name(Path::new(name)) || !parts.into_iter().all(plain) {
                    return None;
                }
            }
        }
        Some(self.folder.join(name))
    }

    /// Opens a file.
    ///
    /// # Errors
    /// There is none of this name, or it can't be read.
    pub fn open(&self, name: &str) -> io::Result<Opened> {
        let path = self.find(name).ok_or(io::ErrorKind::NotFound)?;
        let bytes = self.access.read_at_most(&path, MOST_BYTES)?;
        let version = version(&bytes);
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| io::Error::other("the file is not in UTF-8"))?;
        Ok(Opened { text, version })
    }

    /// Writes a file that was opened as `version`; a new one if there was none. What it is then.
    ///
    /// # Errors
    /// See [`NotSaved`].
    pub fn save(&self, name: &str, text: &str, version: Option<&str>) -> Result<Opened, NotSaved> {
        let path = self.place(name).ok_or(NotSaved::Unknown)?;
        let now = match self.open(name) {
            Ok(now) => Some(now),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(NotSaved::Io(error)),
        };
        if now.as_ref().map(|now| now.version.as_str()) != version {
            return Err(NotSaved::Changed(now));
        }
        // A link that leads nowhere is no file of the list, and nothing to be written through.
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        let inside = folder.is_some_and(|folder| folder.starts_with(&self.folder));
        if !inside || (now.is_none() && path.symlink_metadata().is_ok()) {
            return Err(NotSaved::Unknown);
        }
        Access::FREE.write_whole(&path, text.as_bytes()).map_err(NotSaved::Io)?;
        self.open(name).map_err(NotSaved::Io)
    }
}

fn version(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{:016x}-{}", hasher.finish(), bytes.len())
}

/// The first sentence of a text's first comment.
fn about(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).skip_while(|line| line.is_empty());
    let first = lines.next().and_then(|line| line.strip_prefix('%')).unwrap_or_default();
    first.trim_start_matches('%').trim().trim_end_matches(['.', '\u{fffd}']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("zug-serve-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("inner/.hidden")).expect("folders");
        fs::write(folder.join("a.pl"), "% A puzzle.\n% More.\n").expect("written");
        fs::write(folder.join("inner/b.pro"), "p.\n").expect("written");
        fs::write(folder.join("inner/.hidden/c.pl"), "p.\n").expect("written");
        fs::write(folder.join("notes.txt"), "secret\n").expect("written");
        folder
    }

    #[test]
    fn a_folder_has_its_rule_files_and_nothing_else() {
        let folder = folder("list");
        let library = Library::new(&folder).expect("a folder");
        let listed: Vec<_> =
            library.list().into_iter().map(|file| (file.name, file.about)).collect();
        let expected = [("a.pl", "A puzzle"), ("inner/b.pro", "")];
        assert_eq!(listed, expected.map(|(name, about)| (name.to_owned(), about.to_owned())));
        assert!(library.open("inner/b.pro").is_ok());
        for name in [
            "notes.txt",
            "../a.pl",
            "/etc/passwd",
            "inner/.hidden/c.pl",
            "",
            "inner",
            "a.pl/../a.pl",
        ] {
            assert!(library.find(name).is_none(), "{name}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc/passwd", folder.join("link.pl")).expect("a link");
            assert!(library.find("link.pl").is_none());
            let saved = library.save("link.pl", "p.\n", None);
            assert!(matches!(saved, Err(NotSaved::Unknown)));
        }
        let one = Library::new(&folder.join("a.pl")).expect("a file");
        assert_eq!(one.list().len(), 1);
        assert!(one.find("a.pl").is_some() && one.find("inner/b.pro").is_none());
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn what_changed_meanwhile_is_not_overwritten() {
        let folder = folder("save");
        let library = Library::new(&folder).expect("a folder");
        let opened = library.open("a.pl").expect("opened");
        let saved = library.save("a.pl", "p(1).\n", Some(&opened.version)).expect("saved");
        assert_eq!(saved.text, "p(1).\n");
        let late = library.save("a.pl", "p(2).\n", Some(&opened.version));
        assert!(matches!(late, Err(NotSaved::Changed(Some(now))) if now == saved));
        fs::remove_file(folder.join("a.pl")).expect("removed");
        let gone = library.save("a.pl", "p(2).\n", Some(&saved.version));
        assert!(matches!(gone, Err(NotSaved::Changed(None))));
        assert!(library.save("a.pl", "p(3).\n", None).is_ok());
        assert!(matches!(library.save("x.txt", "", None), Err(NotSaved::Unknown)));
        fs::remove_dir_all(folder).expect("removed");
    }
}
