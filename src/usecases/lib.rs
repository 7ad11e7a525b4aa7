//! What zug does for a person, without the person: a request in, a report out.
//!
//! Nothing here prints, asks or knows a terminal. Reports are plain data; the ones that
//! the command line writes as JSON implement `serde::Serialize`.

mod asking;
pub mod base;
pub mod batch;
pub mod certificate;
pub mod check;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod compare;
pub mod contest;
mod diagnosis;
pub mod doc;
pub mod enumerate;
pub mod exit;
mod failure;
mod files;
pub mod generate;
pub mod given;
pub mod heuristics;
pub mod import;
pub mod layout;
pub mod new;
pub mod options;
pub mod play;
pub mod puzzle;
pub mod record;
pub mod round;
pub mod rounds;
mod saved;
pub mod solve;
pub mod specialise;
#[cfg(test)]
mod tests;
pub mod trace;
pub mod train;
pub mod tree;
pub mod unit;

pub use asking::no_model;
pub use files::{FileTo, nearest_file};

use asking::ask;
use exit::Exit;
use record::{Call, TermData};
use std::io::ErrorKind;
use std::path::Path;
use zug_base::BaseError;
use zug_domain::{Contract, Instance, RuleError};
use zug_machine::Fault;
use zug_prolog::session::{LoadError, Session};
use zug_sorted::DiskError;
use zug_syntax::SyntaxFault;
use zug_term::Record;
use zug_term::diagnostic::Diagnostic;

/// Why a request came to no report.
#[derive(Debug)]
pub enum Failure {
    /// The file can't be read.
    Unreadable(std::path::PathBuf, std::io::Error),
    /// A file that was asked for can't be written.
    Unwritable(std::path::PathBuf, std::io::Error),
    /// The rule file has errors; with all findings of the load.
    Faults(Vec<Diagnostic>),
    /// A directive called `halt`, or the load was stopped.
    Stopped(Fault, Vec<Diagnostic>),
    /// An error in a rule, or an answer that breaks the contract.
    Rule(Box<Raised>),
    /// The rules ran into a limit of memory, or of another resource that they may catch.
    Limit(Box<Raised>),
    /// There is no instance of this name; the names there are.
    NoSuchInstance(String, Vec<String>),
    /// There is no heuristic of this name; the names there are.
    NoSuchHeuristic(String, Vec<String>),
    /// There is no contract predicate of this name and arity; those there are.
    NoSuchPredicate(String, Vec<String>),
    /// The program has no predicate of this name and arity.
    UnknownPredicate(String),
    /// Another failure, and what `check` finds in the rules that explains it.
    Diagnosed(Box<Failure>, Vec<Diagnostic>),
    /// The program is no puzzle, no game and no model.
    NoDomain,
    /// There is no engine of this name.
    NoSuchEngine(String),
    /// There is no unit of tests, or test, of this name; those there are.
    NoSuchTest(String, Vec<String>),
    /// There is no player of this name; the players there are.
    NoSuchPlayer(String, Vec<String>),
    /// The players asked for do not go together; why not.
    Players(String),
    /// A policy can't be read, written or used; why.
    Policy(Vec<Diagnostic>),
    /// The program is no game; it is a puzzle.
    NoGame {
        /// It is a puzzle.
        puzzle: bool,
    },
    /// The program is no game in which all choose at once.
    NotAtOnce,
    /// The engine of this name is not for games.
    NotForGames(String),
    /// The engine of this name is for games.
    NotForPuzzles(String),
    /// Only exact results can be kept in a base.
    NothingToKeep,
    /// A base can't be opened, read or written.
    Base(BaseError),
    /// A folder of layers can't be opened, read or written.
    Layers(DiskError),
    /// Several workers, or processes, have not found what was asked for.
    #[cfg(feature = "cluster")]
    Cluster(Box<zug_domain::ClusterFailure>),
    /// A term given with the request can't be read: what it is, and the fault.
    UnreadableTerm(&'static str, Box<SyntaxFault>),
}

/// An error of the rules.
#[derive(Debug)]
pub struct Raised {
    /// What, where, and what to do.
    pub finding: Diagnostic,
    /// The rules lack a predicate that is needed.
    pub lacking: bool,
    /// The resource that is used up, if that is what happened: `memory`.
    pub resource: Option<String>,
    /// The exception, if it was one.
    pub ball: Option<Record>,
    /// The same as data.
    pub term: Option<TermData>,
    /// The calls that led to it, innermost first.
    pub calls: Vec<Call>,
}

impl Raised {
    /// An error of rules that were asked by an engine.
    pub fn new(session: &Session, error: &RuleError) -> Raised {
        let (m, w) = (&session.machine, &session.world);
        let (ball, calls) = match &error.violation {
            zug_domain::Violation::Fault(Fault::Ball(ball), trace) => {
                (Some(Record::clone(ball)), record::calls(m, w, trace))
            }
            _ => (None, Vec::new()),
        };
        let term = ball.as_ref().map(|ball| TermData::of(m, w, ball));
        let resource = error.fault().and_then(Fault::resource);
        let resource = resource.map(|resource| m.symbols.name(resource).to_owned());
        let lacking = matches!(
            error.violation,
            zug_domain::Violation::Missing(_)
                | zug_domain::Violation::NoStart
                | zug_domain::Violation::Unbounded(_)
                | zug_domain::Violation::Undecided
                | zug_domain::Violation::NoModel
                | zug_domain::Violation::NoObjective
        );
        Raised { finding: error.diagnostic(m, w), lacking, resource, ball, term, calls }
    }
}

impl Failure {
    /// A load that a fault ended; an exception becomes a finding.
    fn load(session: &Session, fault: Fault, mut findings: Vec<Diagnostic>) -> Failure {
        if matches!(fault, Fault::Ball(_)) {
            let words = session.describe(&fault);
            let mut finding = Diagnostic::error("E0301", words.message);
            finding.hint = words.hint;
            findings.push(finding);
        }
        Failure::Stopped(fault, findings)
    }

    /// Whether all errors of a load are directives that had no memory, or no more of another
    /// resource: the text itself may be right.
    pub fn is_resource(findings: &[Diagnostic]) -> bool {
        let mut errors = findings.iter().filter(|finding| finding.is_error()).peekable();
        errors.peek().is_some() && errors.all(|error| error.out_of_resources)
    }

    /// What kind of failure it is, in a word for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Failure::Unreadable(..) => "unreadable",
            Failure::Unwritable(..) => "unwritable",
            Failure::Faults(_) => "faults",
            Failure::Stopped(..) => "stopped",
            Failure::Rule(_) => "rule",
            Failure::Limit(_) => "limit",
            Failure::NoSuchInstance(..) => "no_such_instance",
            Failure::NoSuchHeuristic(..) => "no_such_heuristic",
            Failure::NoSuchPredicate(..) | Failure::UnknownPredicate(_) => "no_such_predicate",
            Failure::NoDomain => "no_domain",
            Failure::NoSuchEngine(_) => "no_such_engine",
            Failure::NoSuchTest(..) => "no_such_test",
            Failure::NoSuchPlayer(..) => "no_such_player",
            Failure::Players(_) => "arguments",
            Failure::Policy(_) => "policy",
            Failure::NoGame { .. } => "no_game",
            Failure::NotAtOnce => "not_at_once",
            Failure::NotForGames(_) => "not_for_games",
            Failure::NotForPuzzles(_) => "not_for_puzzles",
            Failure::Base(_) | Failure::NothingToKeep => "base",
            Failure::Layers(_) => "layers",
            #[cfg(feature = "cluster")]
            Failure::Cluster(_) => "cluster",
            Failure::UnreadableTerm(..) => "unreadable_term",
            Failure::Diagnosed(failure, _) => failure.kind(),
        }
    }

    /// The names that could have been given in the place of one that isn't there.
    pub fn known(&self) -> &[String] {
        match self {
            Failure::NoSuchInstance(_, known)
            | Failure::NoSuchHeuristic(_, known)
            | Failure::NoSuchPredicate(_, known)
            | Failure::NoSuchTest(_, known)
            | Failure::NoSuchPlayer(_, known) => known,
            Failure::Diagnosed(failure, _) => failure.known(),
            _ => &[],
        }
    }

    /// An error of rules that were asked by an engine, `halt` in them, or a limit.
    pub fn rule(session: &Session, error: &RuleError) -> Failure {
        match error.fault() {
            Some(fault @ (Fault::Halt(_) | Fault::Stopped(_))) => {
                Failure::Stopped(fault.clone(), Vec::new())
            }
            Some(fault) if fault.is_limit() => Failure::Limit(Raised::new(session, error).into()),
            _ => Failure::Rule(Raised::new(session, error).into()),
        }
    }

    /// How the command ends that fails so.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Diagnosed(failure, _) => failure.exit(),
            Failure::Base(error) if error.is_usage() => Exit::Usage,
            Failure::Base(_) | Failure::Layers(DiskError::Io(..)) => Exit::Error,
            Failure::Layers(_) => Exit::Usage,
            #[cfg(feature = "cluster")]
            Failure::Cluster(failure) => cluster::exit(failure),
            Failure::Faults(findings) if Failure::is_resource(findings) => Exit::Limit,
            Failure::Faults(_) => Exit::Rules,
            Failure::Rule(raised) if raised.lacking => Exit::Rules,
            Failure::Stopped(Fault::Halt(_), _) => Exit::Error,
            Failure::Stopped(Fault::Stopped(reason), _) => match reason {
                zug_machine::StopReason::Interrupted => Exit::Interrupted,
                _ => Exit::Limit,
            },
            Failure::Limit(_) => Exit::Limit,
            Failure::Stopped(fault @ Fault::Ball(_), _) if fault.is_limit() => Exit::Limit,
            Failure::Stopped(Fault::Ball(_), _) | Failure::Rule(_) => Exit::Error,
            // As what can't be read if it could be known beforehand.
            Failure::Unwritable(_, error) => match error.kind() {
                ErrorKind::AlreadyExists
                | ErrorKind::NotFound
                | ErrorKind::PermissionDenied
                | ErrorKind::IsADirectory
                | ErrorKind::NotADirectory => Exit::Usage,
                _ => Exit::Error,
            },
            // What was asked for is not there, or makes no sense.
            _ => Exit::Usage,
        }
    }
}

/// Loads a rule file: its warnings.
///
/// # Errors
/// It can't be read, has errors, or stops the load.
pub fn load(session: &mut Session, file: &Path) -> Result<Vec<Diagnostic>, Failure> {
    match session.load_file(file) {
        Ok(findings) if findings.iter().any(Diagnostic::is_error) => Err(Failure::Faults(findings)),
        Ok(findings) => Ok(findings),
        Err(LoadError::Io(error)) => Err(Failure::Unreadable(file.to_owned(), error)),
        Err(LoadError::Stopped(fault, findings)) => Err(Failure::load(session, fault, findings)),
    }
}

/// Starts that are looked at when a program has no end of them.
const MOST_INSTANCES: usize = 10_000;

/// A start with the name by which a person can ask for it: its own, or its number.
/// A start with its name.
pub struct Named {
    /// The start.
    pub instance: Instance,
    name: String,
    /// The name is worth showing: it is the start's own, or tells it from others.
    named: bool,
}

impl Named {
    /// The name, or the number of a start without one.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The instances to work on: all, or the one that is named.
fn choose_instances(
    session: &mut Session,
    contract: &Contract,
    wanted: Option<&str>,
) -> Result<Vec<Named>, Failure> {
    let (found, error) = ask(session, |m, w| match contract.kind() {
        zug_domain::DomainKind::Model => {
            zug_domain::model::instances(m, w, contract, MOST_INSTANCES)
        }
        _ => zug_domain::instances(m, w, contract, MOST_INSTANCES).map(|found| (found, None)),
    })?;
    // Other names are missing then, which matters unless one is asked for that is known.
    let mut incomplete = error.map(|error| Failure::rule(session, &error));
    if (found.is_empty() || wanted.is_none())
        && let Some(failure) = incomplete.take()
    {
        return Err(failure);
    }
    if found.is_empty() {
        let error = zug_domain::no_start(&session.machine, contract);
        return Err(Failure::rule(session, &error));
    }
    let (m, w) = (&session.machine, &session.world);
    let several = found.len() > 1;
    let named = found.into_iter().enumerate().map(|(i, instance)| {
        let named = several || instance.name.is_some();
        let name = match &instance.name {
            Some(name) => zug_prolog::term_text(m, w, name),
            None => (i + 1).to_string(),
        };
        Named { instance, name, named }
    });
    let mut all: Vec<Named> = named.collect();
    if let Some(wanted) = wanted {
        let plain = |name: &str| name.trim_matches('\'') == wanted || name == wanted;
        let named = all.iter().position(|instance| plain(&instance.name));
        // A number nobody is named by counts from 1.
        let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let Some(at) = named.or(number).filter(|&at| at < all.len()) else {
            let names = all.into_iter().map(|instance| instance.name).collect();
            let unknown = || Failure::NoSuchInstance(wanted.to_owned(), names);
            return Err(incomplete.unwrap_or_else(unknown));
        };
        all = vec![all.swap_remove(at)];
    }
    Ok(all)
}
