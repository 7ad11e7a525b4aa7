//! `check`: what is wrong with a rule file, what kind of domain it is, which engines apply.

use super::Failure;
use super::exit::{CommandResult, Exit};
use super::record::Finding;
use serde::Serialize;
use std::path::Path;
use zug_domain::DomainKind;
use zug_files::Access;
use zug_prolog::session::{LoadError, Session};
use zug_report::CodeUse;
use zug_tools::check::fixes::{Fixed, fixed};
use zug_tools::check::{self, FileCheck, ModelFindings, UtilityFindings};

/// Loads a file, faults and all, and checks it; `tried` if its rules are to be tried out, too.
///
/// # Errors
/// It can't be read, or stops the load.
pub fn check(session: &mut Session, file: &Path, tried: bool) -> Result<FileCheck, Failure> {
    match session.load_file(file) {
        Ok(findings) if tried => Ok(check::program(session, findings)),
        Ok(findings) => Ok(check::text_alone(session, findings)),
        Err(LoadError::Io(error)) => Err(Failure::Unreadable(file.to_owned(), error)),
        Err(LoadError::Stopped(fault, findings)) => Err(Failure::load(session, fault, findings)),
    }
}

/// How the command ends.
impl CommandResult for FileCheck {
    fn exit(&self) -> Exit {
        let errors = self.findings.iter().any(zug_term::diagnostic::Diagnostic::is_error);
        if errors { Exit::Rules } else { Exit::Success }
    }
}

/// The texts that the certain changes of what was found mend.
pub fn mended(checked: &FileCheck) -> Vec<Fixed> {
    fixed(&checked.findings)
}

/// Writes a mended text, all of it or nothing.
///
/// # Errors
/// It can't be read or written, or is no more the text that was checked.
pub fn write_mended(text: &Fixed) -> Result<(), Failure> {
    let path = Path::new(&*text.source.name);
    let now =
        Access::FREE.read(path).map_err(|error| Failure::Unreadable(path.to_owned(), error))?;
    if now != text.source.text.as_bytes() {
        let error = std::io::Error::other(
            "it has changed, or is not in UTF-8: mend it by hand, or save it as UTF-8 first",
        );
        return Err(Failure::Unwritable(path.to_owned(), error));
    }
    Access::FREE
        .write_whole(path, text.text.as_bytes())
        .map_err(|error| Failure::Unwritable(path.to_owned(), error))
}

/// What was found in a file, as the command line writes it in JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckReport {
    /// The rule file.
    pub file: String,
    /// `puzzle`, `game`, `simultaneous`, `model` or `program`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["puzzle", "game", "simultaneous", "model", "program"])))]
    pub kind: &'static str,
    /// The contract predicates it defines, as `rule/4`.
    pub defines: Vec<String>,
    /// The instances' names; numbers for those without.
    pub instances: Vec<String>,
    /// The heuristics' names, the default first.
    pub heuristics: Vec<String>,
    /// What two players of a game play for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utilities: Option<UtilityFindings>,
    /// What the models post, the first few of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelFindings>,
    /// The engines for such a domain.
    pub engines: Vec<EngineRow>,
    /// What answered the questions about the first states; with `--code` as in a search of some
    /// seconds.
    pub code: Option<CodeUse>,
    /// All findings: the loader's first, then by place.
    pub findings: Vec<Finding>,
    /// Findings beyond the most that are told.
    pub findings_omitted: usize,
    /// Findings that `--fix` mended before these were found.
    pub fixed: usize,
}

/// An engine and what it misses.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineRow {
    /// The engine.
    pub engine: String,
    /// It can be used with this file.
    pub applies: bool,
    /// The contract predicates that it needs and that are not there.
    pub missing: Vec<String>,
}

/// Findings told of a file.
const FINDINGS: usize = 10_000;

/// What was found, as data.
pub fn report(file: &Path, checked: &FileCheck) -> CheckReport {
    // A program that is no domain misses everything.
    let domain = checked.kind != DomainKind::Program;
    let engines = checked.engines.iter().filter(|_| domain).map(|engine| EngineRow {
        engine: engine.engine.to_owned(),
        applies: engine.missing.is_empty(),
        missing: engine.missing.iter().map(|&name| name.to_owned()).collect(),
    });
    CheckReport {
        file: file.display().to_string(),
        kind: match checked.kind {
            DomainKind::Puzzle => "puzzle",
            DomainKind::Game => "game",
            DomainKind::Simultaneous => "simultaneous",
            DomainKind::Model => "model",
            DomainKind::Program => "program",
        },
        defines: checked.defines.clone(),
        instances: checked.instances.clone(),
        heuristics: checked.heuristics.clone(),
        utilities: checked.utilities.clone(),
        models: checked.models.clone(),
        engines: engines.collect(),
        code: checked.code.clone(),
        fixed: 0,
        findings: checked.findings.iter().take(FINDINGS).map(Finding::from).collect(),
        findings_omitted: checked.findings.len().saturating_sub(FINDINGS),
    }
}
