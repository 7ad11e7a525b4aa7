//! Certificates of what was found of rules: made here, and checked by asking the rules again.
//!
//! [`zug_certificate`] has the proofs themselves, over any problem and game; here are the records in which terms of the
//! rules stand. `docs/certificates.md` describes them.

mod bounds;
mod equilibria;
mod equilibria_checked;
mod figures;
mod games;
mod games_checked;
mod models;
mod payoffs;
mod puzzles;
mod puzzles_checked;
mod records;
mod seats;
mod starts;
mod strategies_checked;
mod table_checked;
mod texts;

pub use equilibria::certify_equilibrium;
pub use games::certify_value;
pub use models::{
    Beside, ModelCertificate, ModelClaim, ModelProof, beside, certify_model, is_beside,
};
pub use puzzles::certify_plan;

use super::canonical_text::canonical_text;
use super::contract::Contract;
use super::error::{RuleError, stopped_in};
use records::Facts;
use std::fmt;
use std::io::{self, Write};
use zug_certificate::{Damage, Lines};
use zug_machine::{Fault, Machine};
use zug_prolog::builtins::World;
use zug_report::{Number, Worth};
use zug_search::{Failure, Limits, StopReason};
use zug_term::Record;

/// Where a certificate is written: opened anew where writing has to begin again.
pub type Open<'a> = &'a mut dyn FnMut() -> io::Result<Box<dyn Write>>;

/// Where a search began, as a certificate says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An initial state, with its name if it has one.
    Instance(Option<Record>),
    /// A state that was given.
    Given,
    /// Nowhere: the game is played once, and has no states.
    Once,
}

/// Why there is no certificate of rules that may answer otherwise when they are asked again.
pub(super) fn not_pure(condition: &str) -> String {
    let condition = condition.replace('`', "");
    format!(
        "what was found holds only if {condition}: put what the rules draw, read or change into the state, then ask again"
    )
}

/// What became of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certified {
    /// It is written.
    Written(Written),
    /// There is none, for this reason.
    Not(String),
}

/// A certificate that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What it is a certificate of.
    pub kind: &'static str,
    /// Its records.
    pub records: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// What is made of rules: an error of the stream, or of the rules.
type Made = Result<io::Result<Certified>, Box<RuleError>>;

/// Why no certificate is written.
enum Unmade {
    /// What was found has none, for this reason.
    Not(String),
    /// The stream failed.
    Io(io::Error),
    /// The rules have an error, or a limit struck.
    Failed(Box<RuleError>),
}

impl Unmade {
    fn because(why: &str) -> Unmade {
        Unmade::Not(why.to_owned())
    }

    /// A limit struck.
    fn limit(reason: StopReason) -> Unmade {
        Unmade::Not(limited(reason, STATES))
    }
}

impl From<io::Error> for Unmade {
    fn from(error: io::Error) -> Unmade {
        Unmade::Io(error)
    }
}

impl From<Box<RuleError>> for Unmade {
    fn from(error: Box<RuleError>) -> Unmade {
        Unmade::Failed(error)
    }
}

impl From<Failure> for Unmade {
    fn from(failure: Failure) -> Unmade {
        Unmade::Failed(failure.into())
    }
}

/// The form of callers. Where what was to be written does not fit into memory, there is no certificate.
fn made(written: Result<Written, Unmade>) -> Made {
    Ok(match written {
        Ok(written) => Ok(Certified::Written(written)),
        Err(Unmade::Not(why)) => Ok(Certified::Not(why)),
        Err(Unmade::Failed(error)) => return Err(error),
        Err(Unmade::Io(error)) => match error.kind() {
            io::ErrorKind::OutOfMemory => Ok(Certified::Not(limited(StopReason::Memory, STATES))),
            io::ErrorKind::InvalidData => {
                Ok(Certified::Not("a number is too large, or a name too long".to_owned()))
            }
            _ => Err(error),
        },
    })
}

/// A certificate that was accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Accepted {
    /// What it is a certificate of.
    pub kind: String,
    /// What it proves, in words.
    pub proves: String,
    /// The same in numbers.
    pub proved: ProvedNumbers,
    /// Its records.
    pub records: u64,
}

/// The numbers that a certificate proves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProvedNumbers {
    /// What the plan costs, of kinds `plan` and `cheapest`.
    pub cost: Option<Number>,
    /// To whom the value or the bounds are, of kinds `value` and `bounds`.
    pub player: Option<Record>,
    /// What the game is worth to this player; of a model what its objective comes to.
    pub value: Option<Number>,
    /// What the game is worth at least and at most to this player, of the kind `bounds`.
    pub bounds: Option<[Number; 2]>,
    /// What the game is worth to each player, of kinds `values` and `equilibrium`.
    pub values: Vec<Worth<Record>>,
}

/// A certificate that proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The line of the text that shows it.
    pub line: Option<u64>,
    /// What is wrong.
    pub why: String,
}

/// Bytes of a reason: what a certificate says may be of any length.
const LONGEST: usize = 600;

impl Rejected {
    fn at(line: u64, why: impl Into<String>) -> Rejected {
        Rejected { line: Some(line), ..Rejected::new(why) }
    }

    fn new(why: impl Into<String>) -> Rejected {
        let mut why = why.into();
        if why.len() > LONGEST {
            why.truncate(zug_syntax::floor_char_boundary(&why, LONGEST));
            why.push('…');
        }
        Rejected { line: None, why }
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}

/// What a check found.
pub type Checked = Result<Accepted, Rejected>;

/// Why a check ends.
enum Refusal {
    /// Something is wrong with the certificate.
    Rejected(Rejected),
    /// The rules have an error, or a limit struck.
    Failed(Box<RuleError>),
}

impl From<Rejected> for Refusal {
    fn from(rejected: Rejected) -> Refusal {
        Refusal::Rejected(rejected)
    }
}

impl<E: Into<Box<RuleError>>> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal::Failed(error.into())
    }
}

/// What a part of a check found.
type Found<T> = Result<T, Refusal>;

/// The form of callers that treat an error of the rules in another way than a certificate that proves nothing.
fn split<T>(found: Found<T>) -> Result<Result<T, Rejected>, Box<RuleError>> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(Refusal::Rejected(rejected)) => Ok(Err(rejected)),
        Err(Refusal::Failed(error)) => Err(error),
    }
}

/// Checks a certificate of the rules that are loaded.
///
/// # Errors
/// An error in a rule, or a limit that struck in one.
pub fn check_certificate(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    text: &str,
    limits: &Limits,
) -> Result<Checked, Box<RuleError>> {
    let lines = match Lines::of(text) {
        Ok(lines) => lines,
        Err(damage) => {
            let line = match damage {
                Damage::Line(line) | Damage::Word(line) => Some(line),
                _ => None,
            };
            return Ok(Err(Rejected { line, ..Rejected::new(damage.to_string()) }));
        }
    };
    let mut place = None;
    let checked = check_lines(m, w, contract, lines, (limits, &mut place));
    split(checked).or_else(|error| match error.fault() {
        // Whether it is a proof stays open.
        Some(fault) if fault.is_limit() || !matches!(fault, Fault::Ball(_)) => Err(error),
        _ => {
            let why = format!("the rules have no answer there: {}", error.diagnostic(m, w).message);
            Ok(Err(Rejected { line: place.filter(|&line| line > 0), ..Rejected::new(why) }))
        }
    })
}

fn check_lines(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    lines: Lines<'_>,
    (limits, place): (&Limits, &mut Option<u64>),
) -> Found<Accepted> {
    let facts = Facts::read(m, w, lines)?;
    match lines.kind {
        kind @ ("plan" | "cheapest" | "unsolvable") => {
            puzzles_checked::check(m, w, contract, (kind, facts), (limits, place))
        }
        kind @ (games::VALUE | games::VALUES | games::BOUNDS) => {
            games_checked::check(m, w, contract, (kind, facts), (limits, place))
        }
        equilibria::EQUILIBRIUM => equilibria_checked::check(m, w, contract, facts, place),
        other => Err(Rejected::at(1, format!("there is no kind `{other}` of certificates")).into()),
    }
}

/// The record of where a search began.
fn start_record(m: &Machine, w: &World, origin: &Origin, start: &Record) -> String {
    let start = canonical_text(m, w, start);
    match origin {
        Origin::Instance(Some(name)) => {
            format!("start(instance({}),{start})", canonical_text(m, w, name))
        }
        Origin::Instance(None) => format!("start(instance,{start})"),
        Origin::Given => format!("start(given,{start})"),
        Origin::Once => format!("start(once,{start})"),
    }
}

/// What an error of the pass that makes a certificate comes to: there is none, if a limit struck.
fn not_made(m: &Machine, w: &World, error: Box<RuleError>, timed: bool) -> Made {
    let why = why_not_made(m, w, error, timed, STATES)?;
    Ok(Ok(Certified::Not(why)))
}

/// Which limit left no certificate, if one did; `what` does not fit into memory then.
fn why_not_made(
    m: &Machine,
    w: &World,
    error: Box<RuleError>,
    timed: bool,
    what: &str,
) -> Result<String, Box<RuleError>> {
    if let Some(fault @ Fault::Ball(_)) = error.fault()
        && fault.is_limit()
    {
        return Ok(limited(StopReason::Memory, what));
    }
    Ok(limited(stopped_in(m, w, error, timed)?.0, what))
}

/// What most certificates consist of, as the subject of a sentence that goes on.
const STATES: &str = "the states that prove it do";

/// Why a limit left no certificate.
fn limited(reason: StopReason, what: &str) -> String {
    match reason {
        StopReason::Memory => format!("{what} not fit into memory (--memory)"),
        reason => format!("a limit ended the pass that makes it ({reason})"),
    }
}
