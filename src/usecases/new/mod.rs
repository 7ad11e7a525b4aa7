//! Rule files to begin with: small, complete, commented, with tests.
//!
//! A template is a rule file of its own, which the tests check, test and solve; what is written
//! is its text with the name of the new file in the place of its own.

use super::Failure;
use std::path::{Path, PathBuf};
use zug_files::Access;
use zug_term::source::word;

/// Kinds of rule files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One who moves, and a goal.
    Puzzle,
    /// Two players in turn.
    Game,
    /// Two players and chance.
    Chance,
    /// Two players who choose at once.
    Simultaneous,
    /// Constraints on variables.
    Model,
}

impl Kind {
    /// The template, with the name it has there.
    fn template(self) -> (&'static str, &'static str) {
        match self {
            Kind::Puzzle => ("puzzle.pl", include_str!("puzzle.pl")),
            Kind::Game => ("game.pl", include_str!("game.pl")),
            Kind::Chance => ("chance.pl", include_str!("chance.pl")),
            Kind::Simultaneous => ("simultaneous.pl", include_str!("simultaneous.pl")),
            Kind::Model => ("model.pl", include_str!("model.pl")),
        }
    }

    /// The text of a new rule file that is called so.
    pub fn text(self, file: &str) -> String {
        let (own, text) = self.template();
        text.replace(own, &word(file))
    }
}

/// What is there then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// The file.
    pub path: PathBuf,
    /// Its name as a word of a command line.
    pub word: String,
}

/// Writes a rule file; `.pl` is put behind a name that has no ending.
///
/// # Errors
/// It is there already, unless by `force`; or the I/O error.
pub fn write(kind: Kind, name: &Path, force: bool) -> Result<NewFile, Failure> {
    let path = match name.extension() {
        Some(_) => name.to_owned(),
        None => name.with_extension("pl"),
    };
    let unwritable = |error| Failure::Unwritable(path.clone(), error);
    let file = path.file_name().map(|file| file.to_string_lossy().into_owned());
    let Some(file) = file.filter(|file| !file.starts_with('.')) else {
        let words = "this is no name of a file";
        return Err(unwritable(std::io::Error::new(std::io::ErrorKind::InvalidInput, words)));
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let words = format!("there is no folder `{}`", folder.display());
        return Err(unwritable(std::io::Error::new(std::io::ErrorKind::NotFound, words)));
    }
    Access::FREE.may_create(&path, force).map_err(unwritable)?;
    let text = kind.text(&file);
    Access::FREE.write_new(&path, text.as_bytes(), force).map_err(unwritable)?;
    let word = word(&path.to_string_lossy());
    Ok(NewFile { path, word })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::exit::{CommandResult, Exit};

    const ALL: [Kind; 5] =
        [Kind::Puzzle, Kind::Game, Kind::Chance, Kind::Simultaneous, Kind::Model];

    /// A template in a folder of its own.
    fn written(kind: Kind) -> PathBuf {
        let thread = std::thread::current().id();
        let folder = format!("zug-new-{}-{thread:?}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        write(kind, &folder.join(kind.template().0), true).expect("it is written").path
    }

    #[test]
    fn templates_are_without_a_finding_and_pass_their_tests() {
        for kind in ALL {
            let path = written(kind);
            let (mut session, _) = zug_tools::language::captured("");
            let checked = check(&mut session, &path, true).expect("it loads");
            assert_eq!(checked.findings, [], "{kind:?}");
            assert_eq!(checked.exit(), Exit::Success);
            let (mut session, output) = zug_tools::language::captured("");
            assert_eq!(session.load_file(&path).expect("it loads"), [], "{kind:?}");
            let mut query = session.query("run_tests").expect("it reads");
            assert!(session.next(&mut query).expect("no error"), "{}", output.take());
            session.close(query);
        }
    }

    #[test]
    fn templates_hold_no_name_but_the_new_one() {
        for kind in ALL {
            let text = kind.text("mine.pl");
            assert!(text.contains("zug solve mine.pl"), "{kind:?}");
            assert!(!text.contains(kind.template().0), "{kind:?}");
            assert!(kind.text("it's mine.pl").contains("'it'\\''s mine.pl'"), "{kind:?}");
        }
    }

    #[test]
    fn nothing_is_overwritten_unless_asked_for() {
        let path = written(Kind::Puzzle);
        assert!(matches!(write(Kind::Game, &path, false), Err(Failure::Unwritable(..))));
        assert!(std::fs::read_to_string(&path).expect("a file").contains("A puzzle"));
    }
}
