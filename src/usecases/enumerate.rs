//! `enumerate`: every state that can be reached from an instance, by depth.

use super::solve::JsonStats;
use super::{Failure, choose_instances, load};
use crate::builtins::CodeUse;
use crate::diagnostic::Diagnostic;
use crate::domain::{self, Contract, DomainKind, Explored, term_text};
use crate::search::{Limits, Observer, StopReason};
use crate::session::Session;
use serde::Serialize;
use std::path::PathBuf;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct EnumerateRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The instance; the first one if none is named.
    pub instance: Option<String>,
    /// Limits.
    pub limits: Limits,
}

/// What became of it.
#[derive(Clone, Debug, Serialize)]
pub struct EnumerateReport {
    /// The rule file.
    pub file: String,
    /// The instance.
    pub instance: String,
    /// `complete` or `stopped`.
    pub outcome: &'static str,
    /// Which limit stopped it, if one did.
    pub reason: Option<String>,
    /// The number of states.
    pub states: u64,
    /// The number of states at each depth.
    pub by_depth: Vec<u64>,
    /// States without a successor.
    pub terminal: u64,
    /// Some of the deepest states, as text.
    pub deepest: Vec<String>,
    /// The counts.
    pub stats: JsonStats,
    /// What answered the questions asked of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeUse>,
    /// The space itself.
    #[serde(skip)]
    pub explored: Explored,
    /// The instance's name is worth showing.
    #[serde(skip)]
    pub named: bool,
    /// Warnings of the load.
    #[serde(skip)]
    pub findings: Vec<Diagnostic>,
}

impl EnumerateReport {
    /// The exit code of the command.
    pub fn exit_code(&self) -> i32 {
        match self.explored.stopped {
            None => 0,
            Some(StopReason::Cancelled) => 130,
            Some(_) => 4,
        }
    }
}

/// Loads a file and enumerates the space of one of its instances.
///
/// # Errors
/// See [`Failure`].
pub fn enumerate(
    session: &mut Session,
    request: &EnumerateRequest,
    observer: Option<&mut Observer<'_>>,
) -> Result<EnumerateReport, Failure> {
    let findings = load(session, &request.file)?;
    let report = enumerate_loaded(session, request, observer)?;
    Ok(EnumerateReport { findings, ..report })
}

/// As [`enumerate`], with the file loaded already.
///
/// # Errors
/// See [`Failure`].
pub fn enumerate_loaded(
    session: &mut Session,
    request: &EnumerateRequest,
    observer: Option<&mut Observer<'_>>,
) -> Result<EnumerateReport, Failure> {
    let contract = Contract::of(&session.machine);
    if contract.kind() == DomainKind::Simultaneous {
        let why = "games in which all choose at once are not enumerated; `zug nash` solves them";
        return Err(Failure::Players(why.to_owned()));
    }
    let mut instances = choose_instances(session, &contract, request.instance.as_deref())?;
    if instances.is_empty() {
        return Err(Failure::NoSuchInstance("1".to_owned(), Vec::new()));
    }
    let named = instances.swap_remove(0);
    let (m, w) = (&mut session.machine, &mut session.world);
    let explored =
        domain::explore(m, w, &contract, &request.limits, &named.instance.state, observer);
    let explored = explored.map_err(|error| Failure::rule(session, &error))?;
    let (m, w) = (&session.machine, &session.world);
    Ok(EnumerateReport {
        file: request.file.display().to_string(),
        instance: named.name,
        outcome: if explored.stopped.is_none() { "complete" } else { "stopped" },
        reason: explored.stopped.map(|reason| reason.to_string()),
        states: explored.by_depth.iter().sum(),
        by_depth: explored.by_depth.clone(),
        terminal: explored.terminal,
        deepest: explored.deepest.iter().map(|state| term_text(m, w, state)).collect(),
        stats: JsonStats::from(&explored.stats),
        code: explored.code.clone(),
        explored,
        named: named.named,
        findings: Vec::new(),
    })
}
