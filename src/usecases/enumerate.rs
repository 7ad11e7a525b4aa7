//! `enumerate`: every state that can be reached from an instance, by depth.

use super::asking::{Operation, diagnosing, must_suit};
use super::base::{SavedReport, close, keeper};
use super::exit::{CommandResult, Exit};
use super::given::starts;
use super::record::TermData;
use super::{Failure, FileTo, Named, load};
use serde::Serialize;
use std::path::PathBuf;
use zug_base::Start;
use zug_domain::bases::BaseWriter;
#[cfg(feature = "cluster")]
use zug_domain::explore_on_cluster;
use zug_domain::{
    Contract, DomainKind, Enumeration, ExploreError, canonical_text, explore_by_diagrams,
    explore_on_disk, save_costs,
};
use zug_options::{Row, row};
use zug_prolog::session::Session;
use zug_report::{CodeUse, Count, DiagramUse, Stats};
use zug_search::{Limits, Observer, StopReason};
use zug_term::diagnostic::Diagnostic;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct EnumerateRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The instance; the first one if none is named.
    pub instance: Option<String>,
    /// The state to start from in the place of an instance, as a term.
    pub state: Option<String>,
    /// Limits.
    pub limits: Limits,
    /// Where to keep what it costs to get from each state to a goal.
    pub save: Option<FileTo>,
    /// A folder to keep the states in, and to go on from.
    pub disk: Option<PathBuf>,
    /// No state is kept: layers are decision diagrams.
    pub diagrams: bool,
    /// Several workers, which keep their layers in `disk` as well as in memory.
    #[cfg(feature = "cluster")]
    pub cluster: Option<super::cluster::ClusterWanted>,
}

/// The start.
pub static PLACE: [Row<EnumerateRequest>; 2] = [
    row!(
        text(
            "instance", "NAME",
            "The instance to start from: the name in initial_state(Name, S), or its number [default: the first]",
        ) => Some(EnumerateRequest.instance)
    )
    .alias("instances"),
    row!(term_text("state", "TERM", "The state to start from, as a term") => Some(EnumerateRequest.state))
        .conflicts(&["instance"]),
];

/// What is kept of states.
pub static KEPT: [Row<EnumerateRequest>; 3] = [
    row!(
        file("save", "DB", "Keep in this base what it costs to get from each state to a goal, for `zug solve --db`")
            => Some(EnumerateRequest.save)
    ),
    row!(
        file(
            "disk", "DIR",
            "Keep the states in files of this folder, and not in memory; go on from there if it has some. Of layers \
             that it has already all are counted, whatever `--depth` says",
        ) => Some(EnumerateRequest.disk)
    )
    .conflicts(&["save"]),
    row!(
        flag(
            "diagrams",
            "List no state: layers are decision diagrams, which may be small where states are very many",
        ) => EnumerateRequest.diagrams
    )
    .conflicts(&["save", "disk", "cross_check", "inferences"]),
];

/// What became of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EnumerateReport {
    /// The rule file.
    pub file: String,
    /// The instance.
    pub instance: String,
    /// `complete` or `stopped`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["complete", "stopped"])))]
    pub outcome: &'static str,
    /// Which limit stopped it, if one did.
    pub reason: Option<String>,
    /// What has to be so for these to be all states, where the rules are no functions of the
    /// state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trusted: Option<String>,
    /// The number of states.
    pub states: Count,
    /// The number of states at each depth.
    pub by_depth: Vec<Count>,
    /// States without a successor.
    pub terminal: Count,
    /// How the states were kept: each `in_full`, or in `two_bits`, of a number that each has, or `in_files`, or not at
    /// all, since layers are `in_diagrams`.
    #[cfg_attr(
        feature = "schema",
        schemars(extend("enum" = ["in_full", "two_bits", "in_files", "in_diagrams"]))
    )]
    pub kept: &'static str,
    /// Bytes of the files that have the states, if they are in files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<u64>,
    /// The folder had deeper layers already than the limit of depth allows: all of them are here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
    pub beyond_depth: bool,
    /// The diagrams, if layers are such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagrams: Option<DiagramUse>,
    /// Some of the deepest states.
    pub deepest: Vec<TermData>,
    /// What was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<SavedReport>,
    /// The counts.
    pub stats: Stats,
    /// What answered the questions asked of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeUse>,
    /// The space itself.
    #[serde(skip)]
    pub explored: Enumeration,
    /// The instance's name is worth showing.
    #[serde(skip)]
    pub named: bool,
    /// Warnings of the load.
    #[serde(skip)]
    pub findings: Vec<Diagnostic>,
}

impl CommandResult for EnumerateReport {
    fn exit(&self) -> Exit {
        Exit::stopped(self.limit())
    }

    fn limit(&self) -> Option<StopReason> {
        let kept = self.saved.as_ref().and_then(|saved| saved.stopped);
        self.explored.stopped.or(kept)
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
    mut observer: Option<&mut Observer<'_>>,
) -> Result<EnumerateReport, Failure> {
    diagnosing(session, |session| {
        let contract = Contract::of(&session.machine);
        must_suit(&contract, Operation::Enumerate)?;
        let given = (request.instance.as_deref(), request.state.as_deref());
        let mut instances = starts(session, &contract, given.0, given.1)?;
        if instances.is_empty() {
            return Err(Failure::NoSuchInstance("1".to_owned(), Vec::new()));
        }
        let named = instances.swap_remove(0);
        if request.save.is_some() && contract.kind() != DomainKind::Puzzle {
            let why = "positions of games are kept by `zug solve FILE --save DB`";
            return Err(Failure::Players(why.to_owned()));
        }
        #[cfg(feature = "cluster")]
        let cluster = match &request.cluster {
            Some(wanted) => Some(wanted.cluster(request.disk.as_deref())?),
            None => None,
        };
        let keeper =
            request.save.as_ref().map(|to| keeper(session, to, &request.file)).transpose()?;
        let state = &named.instance.state;
        #[cfg(feature = "cluster")]
        let by_workers = match cluster {
            Some(cluster) => {
                let (m, w) = (&mut session.machine, &mut session.world);
                let limits = &request.limits;
                let observed = observer.as_deref_mut();
                let found = explore_on_cluster(m, w, &contract, limits, state, &cluster, observed);
                Some(found.map_err(|failed| super::cluster::failure(session, failed))?)
            }
            None => None,
        };
        #[cfg(not(feature = "cluster"))]
        let by_workers = None;
        let observed = observer.as_deref_mut();
        let (m, w) = (&mut session.machine, &mut session.world);
        let explored = match (by_workers, &request.disk) {
            (Some(found), _) => Ok(found),
            (None, None) if request.diagrams => {
                explore_by_diagrams(m, w, &contract, &request.limits, state, observed)
            }
            (None, None) => zug_domain::explore(m, w, &contract, &request.limits, state, observed),
            (None, Some(folder)) => {
                let rules = request.file.file_name().unwrap_or_default().to_string_lossy();
                let from = (state, rules.as_ref());
                match explore_on_disk(m, w, &contract, &request.limits, from, folder, observed) {
                    Ok(explored) => Ok(explored),
                    Err(ExploreError::Rule(error)) => Err(error),
                    Err(ExploreError::Disk(error)) => return Err(Failure::Layers(error)),
                }
            }
        };
        let whole = explored.as_ref().is_ok_and(|explored| explored.stopped.is_none());
        let saved = match keeper {
            Some(keeper) if whole => {
                Some(keep(session, &contract, request, &named, keeper, observer)?)
            }
            Some(keeper) => {
                keeper.leave().map_err(Failure::Base)?;
                None
            }
            None => None,
        };
        let explored = explored.map_err(|error| Failure::rule(session, &error))?;
        let (m, w) = (&session.machine, &mut session.world);
        let trusted = zug_domain::impurity(m, w, &contract, None);
        let (m, w) = (&session.machine, &session.world);
        // Of layers that are done counts are known for all of them together alone.
        let is_beyond = |most: u32| explored.by_depth.len() as u64 > u64::from(most) + 1;
        let beyond_depth = request.disk.is_some() && request.limits.depth.is_some_and(is_beyond);
        Ok(EnumerateReport {
            trusted,
            file: request.file.display().to_string(),
            instance: named.name,
            outcome: if explored.stopped.is_none() { "complete" } else { "stopped" },
            reason: explored.stopped.map(|reason| reason.to_string()),
            states: Count(explored.by_depth.iter().sum()),
            by_depth: explored.by_depth.iter().copied().map(Count).collect(),
            terminal: Count(explored.terminal),
            kept: match (explored.on_disk, explored.numbered, &explored.diagrams) {
                (_, _, Some(_)) => "in_diagrams",
                (Some(_), _, _) => "in_files",
                (None, Some(_), _) => "two_bits",
                (None, None, _) => "in_full",
            },
            file_bytes: explored.on_disk,
            beyond_depth,
            diagrams: explored.diagrams.clone(),
            deepest: explored.deepest.iter().map(|state| TermData::of(m, w, state)).collect(),
            saved,
            stats: explored.stats,
            code: explored.code.clone(),
            explored,
            named: named.named,
            findings: Vec::new(),
        })
    })
}

/// Keeps what it costs to get from each state to a goal.
fn keep(
    session: &mut Session,
    contract: &Contract,
    request: &EnumerateRequest,
    named: &Named,
    mut keeper: BaseWriter,
    observer: Option<&mut Observer<'_>>,
) -> Result<SavedReport, Failure> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let trusted = zug_domain::impurity(m, w, contract, None);
    let trusted = trusted.map(|condition| format!("{}{condition}", zug_domain::KEPT_IF));
    let start = Start {
        instance: Some(named.name.clone()),
        player: None,
        state: canonical_text(m, w, &named.instance.state),
        by: format!("{}{}", zug_domain::SPACE, trusted.unwrap_or_default()),
        complete: false,
    };
    let from = (&named.instance.state, &start);
    let kept = save_costs(m, w, contract, &request.limits, from, &mut keeper, observer);
    close(session, keeper, kept)
}
