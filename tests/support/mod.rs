//! Helpers of all tests: folders, the command, sessions, the size of samples. [`ask`] asks queries, [`explore`] visits
//! the states of a program by plain queries, [`compare`] holds the domain's answers against them, [`random`] makes
//! programs.

pub mod ask;
pub mod compare;
pub mod explore;
pub mod random;

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::session::Session;

/// The folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rule files of some folders of the project, in order.
pub fn files(folders: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(root().join(folder)).expect("the folder is there");
        files.extend(entries.map(|entry| entry.expect("it can be read").path()));
    }
    files.retain(|path| path.extension().is_some_and(|kind| kind == "pl"));
    files.sort();
    files
}

/// A folder in the temporary folder of the system. Dropping it deletes it.
pub struct Folder(PathBuf);

impl Folder {
    /// A new, empty folder. The name helps to recognise it; a number makes it unique.
    pub fn new(name: &str) -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("zug-{name}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path.canonicalize().expect("it is there"))
    }

    /// The path of a file in the folder, as text.
    pub fn text(&self, name: &str) -> String {
        self.join(name).display().to_string()
    }

    /// Writes a file, and the folders that it is in. Returns its path as text.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, text).expect("written");
        self.text(name)
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The command `zug`, without colours, history and input.
pub fn zug(arguments: &[&str]) -> Command {
    let mut zug = Command::new(env!("CARGO_BIN_EXE_zug"));
    zug.args(arguments).env("NO_COLOR", "1").env("ZUG_HISTORY", "").stdin(Stdio::null());
    zug
}

/// A session with a rule file of the project. Its output is captured.
pub fn session(file: impl AsRef<Path>) -> Session {
    let (mut session, _) = zug_tools::language::captured("");
    session.load_file(&root().join(file)).expect("it can be read");
    session
}

/// A session with these rules, and what it writes.
pub fn loaded(rules: &str) -> (Session, SharedBuffer) {
    let (mut session, output) = zug_tools::language::captured("");
    let findings = session.load_text("rules", rules);
    let errors: Vec<_> = findings.iter().filter(|finding| finding.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{rules}");
    (session, output)
}

/// Whether tests run at full strength: `ZUG_FULL=1`, for builds with optimisation.
/// Without it they take samples, so that a plain `cargo test` is soon over.
pub fn full() -> bool {
    std::env::var("ZUG_FULL").is_ok_and(|wish| wish == "1")
}

/// Without [`full`] strength, tests of many files take one file in `ONE_IN`.
const ONE_IN: usize = 3;

/// Every file at full strength, a third of them otherwise.
pub fn sample(files: Vec<PathBuf>) -> Vec<PathBuf> {
    files.into_iter().step_by(if full() { 1 } else { ONE_IN }).collect()
}

/// The least that a [`sample`] must show, of what all files show.
pub fn part(of_all: usize) -> usize {
    if full() { of_all } else { of_all / (2 * ONE_IN) }
}

/// Set in the process that [`alone`] starts.
const ALONE: &str = "ZUG_TEST_ALONE";

/// Runs the test of this name in a process of its own, for a `body` that measures or changes what belongs to the
/// process. The test program starts itself again with this one test, and there `body` runs.
pub fn alone(test: &str, body: impl FnOnce()) {
    if std::env::var(ALONE).is_ok_and(|name| name == test) {
        return body();
    }
    let mut again = Command::new(std::env::current_exe().expect("the test program"));
    again.args(["--exact", test, "--nocapture"]).env(ALONE, test).stderr(Stdio::inherit());
    let output = again.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{test}: {said}");
}
