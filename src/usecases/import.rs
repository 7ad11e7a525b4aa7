//! `import`: rule files from games, planning tasks and levels of other formats.

use super::Failure;
use std::path::{Path, PathBuf};
use zug_files::Access;
use zug_import::{Format, Imported};
use zug_syntax::decode;
use zug_term::source::Source;

/// The rule file that some files make, all of them in one format.
///
/// # Errors
/// A file that can't be read, or what is wrong with the text.
pub fn import(paths: &[PathBuf], format: Option<Format>) -> Result<Imported, Failure> {
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
    let mut imported = zug_import::import(&sources, format).map_err(Failure::Faults)?;
    imported.findings.splice(0..0, warnings);
    Ok(imported)
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
