//! All texts that are known: open ones, and files on disk that they load, or that lie in the folders
//! of the editor.

use crate::documents::Document;
use crate::positions::Encoding;
use ls_types::Uri;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use zug_editing::directives::Loaded;
use zug_editing::outline::{Occurrence, Predicate, Use};
use zug_editing::{Files, Outline};
use zug_files::{Access, is_loadable_name};
use zug_prolog::builtins::loader::named;
use zug_term::source::Source;

/// Files of the folders that are looked through.
const MOST_FILES: usize = 2_000;
/// Bytes of a file on disk that is looked into.
const MOST_BYTES: u64 = 4 << 20;

/// A file on disk as it was read.
struct OnDisk {
    modified: Option<SystemTime>,
    document: Arc<Document>,
}

pub struct Workspace {
    /// Open ones.
    open: FxHashMap<String, Arc<Document>>,
    disk: RefCell<FxHashMap<PathBuf, OnDisk>>,
    /// The folders of the editor.
    pub folders: Vec<PathBuf>,
    /// How columns are counted.
    pub encoding: Encoding,
}

/// A text, open or on disk, with its outline.
#[derive(Clone)]
pub struct View {
    pub document: Arc<Document>,
    pub outline: Arc<Outline>,
}

impl std::ops::Deref for View {
    type Target = Document;

    fn deref(&self) -> &Document {
        &self.document
    }
}

impl Workspace {
    /// No texts.
    pub fn new(folders: Vec<PathBuf>, encoding: Encoding) -> Workspace {
        let (open, disk) = Default::default();
        Workspace { open, disk, folders, encoding }
    }

    pub fn open(&mut self, document: Document) {
        self.open.insert(document.uri.to_string(), Arc::new(document));
        self.forget();
    }

    pub fn close(&mut self, uri: &Uri) {
        self.open.remove(uri.as_str());
        self.forget();
    }

    pub fn document(&self, uri: &Uri) -> Option<Arc<Document>> {
        self.open.get(uri.as_str()).cloned()
    }

    /// What texts say of each other is found again: one of them has changed.
    fn forget(&mut self) {
        for document in self.open.values_mut() {
            *document = Arc::new(document.unseen());
        }
    }

    fn seen(&self, document: Arc<Document>) -> View {
        let files = Around::new(self, document.path.as_deref());
        View { outline: document.outline(&files), document }
    }

    /// An open text with its outline.
    pub fn view(&self, uri: &Uri) -> Option<View> {
        self.document(uri).map(|document| self.seen(document))
    }

    pub fn open_views(&self) -> Vec<View> {
        let mut open: Vec<(&String, &Arc<Document>)> = self.open.iter().collect();
        open.sort_unstable_by_key(|(uri, _)| *uri);
        open.into_iter().map(|(_, document)| self.seen(document.clone())).collect()
    }

    /// The text of a file: as it is open, or as it is on disk.
    fn file(&self, path: &Path) -> Option<View> {
        let uri = Uri::from_file_path(path)?;
        let document = self.document(&uri).or_else(|| self.on_disk(path, uri))?;
        Some(self.seen(document))
    }

    /// The file that a name in a file of a folder means: one that is open, or on disk.
    pub fn path_of(&self, folder: &Path, name: &str) -> Option<PathBuf> {
        let is_open = |path: &Path| {
            Uri::from_file_path(path).is_some_and(|uri| self.document(&uri).is_some())
        };
        let mut paths = named(folder.join(name)).into_iter().map(|path| normal(&path));
        paths.find(|path| path.is_file() || is_open(path))
    }

    /// The text of a file on disk, read again when it has changed.
    fn on_disk(&self, path: &Path, uri: Uri) -> Option<Arc<Document>> {
        let facts = Access::FREE.metadata(path).ok()?;
        if !facts.is_file() || facts.len() > MOST_BYTES {
            return None;
        }
        let modified = facts.modified().ok();
        if let Some(known) = self.disk.borrow().get(path).filter(|known| known.modified == modified)
        {
            return Some(known.document.clone());
        }
        let bytes = Access::FREE.read(path).ok()?;
        let (text, _) = zug_syntax::decode(&bytes);
        let document = Arc::new(Document::new(uri, 0, &text, self.encoding));
        let known = OnDisk { modified, document: document.clone() };
        self.disk.borrow_mut().insert(path.to_owned(), known);
        Some(document)
    }

    /// The texts that one loads, directly or not, itself first.
    pub fn loaded_by(&self, view: View) -> Vec<View> {
        let mut seen: FxHashSet<String> = FxHashSet::default();
        seen.insert(view.uri.to_string());
        let mut views = vec![view];
        let mut at = 0;
        while at < views.len() && views.len() < MOST_FILES {
            let folder = folder_of(views[at].path.as_deref());
            let outline = views[at].outline.clone();
            at += 1;
            for (loaded, _) in &outline.loads {
                let Loaded::File(name) = loaded else { continue };
                let path = self.path_of(&folder, name);
                let Some(view) = path.and_then(|path| self.file(&path)) else { continue };
                if seen.insert(view.uri.to_string()) {
                    views.push(view);
                }
            }
        }
        views
    }

    /// The open texts that one loads, directly or not, by path.
    pub fn open_texts_below(&self, view: View) -> BTreeMap<PathBuf, String> {
        let loaded = self.loaded_by(view).into_iter().skip(1);
        let open = loaded.filter(|view| self.document(&view.uri).is_some());
        open.filter_map(|view| Some((view.path.clone()?, view.text().to_owned()))).collect()
    }

    /// The open texts that load one, directly or not.
    pub fn dependents(&self, uri: &Uri) -> Vec<Uri> {
        let others = self.open_views().into_iter();
        let others = others.filter(|view| view.uri != *uri && !view.outline.loads.is_empty());
        let loads = |view: &View| {
            let loaded = self.loaded_by(view.clone());
            loaded.iter().any(|loaded| loaded.uri == *uri)
        };
        others.filter(loads).map(|view| view.uri.clone()).collect()
    }

    /// All texts that may speak of a predicate of one: those that it loads, those that load it, and
    /// those that are loaded together with it.
    pub fn connected(&self, view: View) -> Vec<View> {
        let uri = view.uri.to_string();
        let mut groups: Vec<Vec<View>> = vec![self.loaded_by(view)];
        for other in self.all_files() {
            if other.outline.loads.is_empty() {
                continue;
            }
            let group = self.loaded_by(other);
            if group.iter().any(|view| view.uri.as_str() == uri) {
                groups.push(group);
            }
        }
        let mut seen = FxHashSet::default();
        let views = groups.into_iter().flatten();
        views.filter(|view| seen.insert(view.uri.to_string())).collect()
    }

    /// All rule files of the folders, and all open texts.
    pub fn all_files(&self) -> Vec<View> {
        let mut views = self.open_views();
        let mut seen: FxHashSet<String> = views.iter().map(|view| view.uri.to_string()).collect();
        let mut waiting = self.folders.clone();
        let mut count = 0;
        while let Some(folder) = waiting.pop() {
            let Ok(entries) = Access::FREE.list(&folder) else { continue };
            for path in entries.iter().map(std::fs::DirEntry::path) {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                let hidden = name.as_deref().is_none_or(|name| {
                    name.starts_with('.') || name == "target" || name == "node_modules"
                });
                count += 1;
                if hidden || count > MOST_FILES * 8 {
                    continue;
                }
                if path.is_dir() && !path.is_symlink() {
                    waiting.push(path);
                } else if is_loadable_name(&path) && views.len() < MOST_FILES {
                    let view = self.file(&path);
                    views.extend(view.filter(|view| seen.insert(view.uri.to_string())));
                }
            }
        }
        views
    }

    /// The heads of a predicate, in the texts that one loads.
    pub fn definitions(&self, views: &[View], predicate: &Predicate) -> Vec<(usize, Occurrence)> {
        let mut found = Vec::new();
        for (number, view) in views.iter().enumerate() {
            let heads = view.outline.of_predicate(predicate);
            let heads = heads.filter(|head| head.what == Use::Definition);
            found.extend(heads.map(|head| (number, head.clone())));
        }
        found
    }
}

/// The folder of a file.
pub fn folder_of(path: Option<&Path>) -> PathBuf {
    path.and_then(Path::parent).map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// A path without `.` and `..`, by its text.
pub fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

/// Files as they are seen from a text.
pub struct Around<'w> {
    workspace: &'w Workspace,
    folder: PathBuf,
}

impl<'w> Around<'w> {
    /// Files as they are seen from a file.
    pub fn new(workspace: &'w Workspace, path: Option<&Path>) -> Around<'w> {
        Around { workspace, folder: folder_of(path) }
    }
}

impl Files for Around<'_> {
    fn find(&self, from: Option<&Path>, name: &str) -> Option<PathBuf> {
        let folder = from.map_or(self.folder.clone(), |file| folder_of(Some(file)));
        self.workspace.path_of(&folder, name)
    }

    fn text(&self, path: &Path) -> Option<Source> {
        let uri = Uri::from_file_path(path)?;
        let open = self.workspace.document(&uri);
        let document = open.or_else(|| self.workspace.on_disk(path, uri))?;
        Some(document.source.clone())
    }
}
