//! Bases: what is in one, whether it is whole, and keeping what was found.

use super::{Failure, FileTo};
use serde::Serialize;
use std::path::Path;
use zug_base::{BaseCheck, Meta, RecordCounts, Section, Start};
use zug_domain::bases::{
    BaseWriter, KeptHeuristic, base_in_use, is_of_heuristics, kept_heuristics, use_base,
};
use zug_domain::game::{SaveError, Saved};
use zug_prolog::session::Session;
use zug_search::StopReason;

/// What was kept.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SavedReport {
    /// The base.
    pub base: String,
    /// Records that are new.
    pub new: u64,
    /// Records that were there.
    pub known: u64,
    /// All of the kind that are there now.
    pub all: u64,
    /// Heuristics derived from the rules that are new.
    #[serde(skip_serializing_if = "crate::record::is_zero")]
    pub heuristics: u64,
    /// All that was to be kept is there.
    pub complete: bool,
    /// What kept it from writing all.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
    /// Bytes of the file.
    pub bytes: u64,
}

impl SavedReport {
    /// What was kept in a file: records that are new, that were there, and all; and what kept it
    /// from writing more.
    pub(super) fn of(
        path: &Path,
        (new, known, all): (u64, u64, u64),
        stopped: Option<StopReason>,
    ) -> SavedReport {
        SavedReport {
            base: path.display().to_string(),
            new,
            known,
            all,
            heuristics: 0,
            complete: stopped.is_none(),
            stopped,
            bytes: path.metadata().map_or(0, |file| file.len()),
        }
    }
}

/// What is in a base.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BaseReport {
    /// The file.
    pub base: String,
    /// The format.
    pub format: u32,
    /// The version of zug that made it.
    pub zug: String,
    /// The rule file it was made of.
    pub rules: String,
    /// The fingerprint of its rules.
    pub fingerprint: String,
    /// All that was to be kept is there.
    pub complete: bool,
    /// From where states are kept.
    pub starts: Vec<Start>,
    /// Positions of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<RecordsReport>,
    /// States of a puzzle with what they cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub costs: Option<RecordsReport>,
    /// Heuristics derived from the rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub heuristics: Vec<KeptHeuristicReport>,
    /// Policies by name, with their bytes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<PolicyReport>,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Records of one kind.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordsReport {
    /// How many there are, and of what kinds.
    #[serde(flatten)]
    pub tally: RecordCounts,
    /// States stand for those that are symmetrical to them.
    pub symmetry: bool,
    /// Bytes of the records.
    pub bytes: u64,
    /// Bytes of the records, by their number.
    pub bytes_each: f64,
    /// Bytes of the whole file, by their number.
    pub file_bytes_each: f64,
}

/// A heuristic in a base.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeptHeuristicReport {
    /// What it says, in words.
    pub about: String,
    /// Its bytes.
    pub bytes: u64,
}

/// A policy in a base.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolicyReport {
    /// Its name.
    pub name: String,
    /// Bytes of its text.
    pub bytes: u64,
}

/// Says what is in a base.
///
/// # Errors
/// It can't be read or is damaged.
pub fn info(path: &Path) -> Result<BaseReport, Failure> {
    let base = zug_base::Base::open(path).map_err(Failure::Base)?;
    let meta = base.meta().clone();
    let bytes = base.bytes();
    let records = |section, tally: RecordCounts, symmetry| -> Result<_, Failure> {
        if tally.all == 0 {
            return Ok(None);
        }
        let BaseCheck { bytes: own, .. } = base.measure(section).map_err(Failure::Base)?;
        let each = |bytes: u64| (bytes as f64 * 100.0 / tally.all as f64).round() / 100.0;
        let (bytes_each, file_bytes_each) = (each(own), each(bytes));
        Ok(Some(RecordsReport { tally, symmetry, bytes: own, bytes_each, file_bytes_each }))
    };
    let positions = records(Section::Positions, meta.positions, meta.symmetry)?;
    let costs = records(Section::Costs, meta.costs, false)?;
    let documents = base.documents().map_err(Failure::Base)?;
    let policies = documents.into_iter().filter(|(name, _)| !is_of_heuristics(name));
    let policies = policies.map(|(name, bytes)| PolicyReport { name, bytes });
    let heuristics = kept_heuristics(&base).map_err(Failure::Base)?.into_iter();
    let heuristics = heuristics.map(|kept| {
        let KeptHeuristic { about, bytes, .. } = kept;
        KeptHeuristicReport { about, bytes }
    });
    let complete = meta.is_complete();
    let Meta { zug, rules, fingerprint, starts, .. } = meta;
    Ok(BaseReport {
        base: path.display().to_string(),
        format: zug_base::FORMAT,
        zug,
        rules,
        fingerprint,
        complete,
        starts,
        positions,
        costs,
        heuristics: heuristics.collect(),
        policies: policies.collect(),
        bytes,
    })
}

/// What a check of a base came to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedReport {
    /// The file.
    pub base: String,
    /// Blocks that were read.
    pub blocks: u64,
    /// Records in them.
    pub records: u64,
    /// All that was to be kept is there.
    pub complete: bool,
}

/// Reads all of a base and compares it with what it says of itself.
///
/// # Errors
/// It can't be read or is damaged.
pub fn check(path: &Path) -> Result<CheckedReport, Failure> {
    let base = zug_base::Base::open_checked(path).map_err(Failure::Base)?;
    let meta = base.meta();
    let damaged =
        |why: &str| Failure::Base(zug_base::BaseError::Damaged(path.to_owned(), why.into()));
    let mut report = CheckedReport {
        base: path.display().to_string(),
        blocks: 0,
        records: 0,
        complete: meta.is_complete(),
    };
    let sections = [(Section::Positions, meta.positions), (Section::Costs, meta.costs)];
    for (section, tally) in sections {
        let mut last: Option<Vec<u8>> = None;
        let mut sorted = true;
        let found = base.each(section, |key, _| {
            sorted &= last.as_deref().is_none_or(|last| last < key);
            last = Some(key.to_vec());
            true
        });
        let BaseCheck { blocks, records, .. } = found.map_err(Failure::Base)?;
        if !sorted {
            return Err(damaged("its records are out of order"));
        }
        if records != tally.all {
            return Err(damaged("it has another number of records than it says"));
        }
        report.blocks += blocks;
        report.records += records;
    }
    let heuristics = kept_heuristics(&base).map_err(Failure::Base)?;
    if !heuristics.iter().all(|kept| kept.is_whole) {
        return Err(damaged("a heuristic in it is not as it was written"));
    }
    Ok(report)
}

/// Has a session answer from a base.
///
/// # Errors
/// It can't be read, is damaged or of other rules than those that are loaded.
pub fn attach(session: &mut Session, path: &Path) -> Result<(), Failure> {
    use_base(&mut session.machine, &mut session.world, path).map_err(Failure::Base)
}

/// What there is to say about the base that a session answered from: states that were not there,
/// or what was wrong with it.
pub fn remark(session: &Session) -> Option<String> {
    let kept = base_in_use(&session.world)?;
    let base = kept.base.path().display();
    if let Some(error) = &kept.failed {
        return Some(format!("{error}; what was asked for was searched"));
    }
    let unfinished = if kept.base.meta().is_complete() { "" } else { ", which is unfinished" };
    match kept.missing {
        0 => None,
        1 => Some(format!("one state asked for is not in `{base}`{unfinished}: it was searched")),
        many => Some(format!(
            "{many} states asked for are not in `{base}`{unfinished}: they were searched"
        )),
    }
}

/// Closes a base that costs of a puzzle were to be kept in: what came of it.
pub(super) fn close(
    session: &Session,
    keeper: BaseWriter,
    kept: Result<Saved, SaveError>,
) -> Result<SavedReport, Failure> {
    let (path, all) = (keeper.path().to_owned(), keeper.meta().costs.all);
    let whole = kept.as_ref().is_ok_and(|saved| saved.stopped.is_none());
    let closed = if whole { keeper.finish() } else { keeper.leave() };
    let saved = match kept {
        Ok(saved) => saved,
        Err(SaveError::Rule(error)) => return Err(Failure::rule(session, &error)),
        Err(SaveError::Base(error)) => return Err(Failure::Base(error)),
    };
    closed.map_err(Failure::Base)?;
    Ok(SavedReport::of(&path, (saved.new, saved.known, all), saved.stopped))
}

/// Opens a base to be written.
pub(super) fn keeper(
    session: &mut Session,
    to: &FileTo,
    rules: &Path,
) -> Result<BaseWriter, Failure> {
    let rules = rules.display().to_string();
    let (m, w) = (&mut session.machine, &session.world);
    BaseWriter::open(m, w, &to.path, &rules, to.force).map_err(Failure::Base)
}
