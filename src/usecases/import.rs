//! `import`: rule files from games, planning tasks and levels of other formats.

use super::{Failure, Raised};
use std::path::{Path, PathBuf};
use zug_files::Access;
use zug_import::{Format, Imported};
use zug_machine::{Fault, StopReason};
use zug_syntax::decode;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;
use zug_term::watchdog::{AbortReason, LimitScope};

/// The rule file that some files make, all of them in one format.
///
/// # Errors
/// A file that can't be read, what is wrong with the text, or the limit that was reached.
pub fn import(
    paths: &[PathBuf],
    format: Option<Format>,
    limits: LimitScope,
) -> Result<Imported, Failure> {
    limits.within(|| import_all(paths, format)).unwrap_or_else(|reason| Err(stopped(reason)))
}

fn stopped(reason: AbortReason) -> Failure {
    let reason = match reason {
        AbortReason::Interrupted => StopReason::Interrupted,
        AbortReason::Time => StopReason::Time,
        AbortReason::Steps => StopReason::Inferences,
        AbortReason::Memory => {
            let message = "out of memory while the files were imported";
            let finding = Diagnostic::error("E0813", message).hint("`--memory` gives more");
            let resource = Some("memory".to_owned());
            let (term, calls) = (None, Vec::new());
            return Failure::Limit(
                Raised { finding, lacking: false, resource, ball: None, term, calls }.into(),
            );
        }
    };
    Failure::Stopped(Fault::Stopped(reason), Vec::new())
}

fn import_all(paths: &[PathBuf], format: Option<Format>) -> Result<Imported, Failure> {
    let mut sources = Vec::new();
    let mut warnings = Vec::new();
    for path in paths {
        let bytes =
            Access::FREE.read(path).map_err(|error| Failure::Unreadable(path.clone(), error))?;
        let (text, warning) = decode(&bytes);
        sources.push(Source::new(&path.to_string_lossy(), &text));
        warnings.extend(warning);
    }
    let format = format.unwrap_or_else(|| by_name(paths.first()));
    match zug_import::import(&sources, format) {
        Ok(mut imported) => {
            imported.findings.splice(0..0, warnings);
            Ok(imported)
        }
        Err(faults) => Err(Failure::Faults([warnings, faults].concat())),
    }
}

/// The format that a name asks for; levels of Sokoban have many endings.
fn by_name(path: Option<&PathBuf>) -> Format {
    let ending = path.map(PathBuf::as_path).and_then(Path::extension).unwrap_or_default();
    match ending.to_string_lossy().to_lowercase().as_str() {
        "kif" | "gdl" => Format::Gdl,
        "pddl" => Format::Pddl,
        _ => Format::Sokoban,
    }
}
