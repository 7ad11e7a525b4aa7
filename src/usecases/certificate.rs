//! Certificates: what was found, with what proves it, in a file that anyone can check.

use super::asking::ask;
use super::exit::{CommandResult, Exit};
use super::given::mover;
use super::record::TermData;
use super::solve::{Found, ModelReport, SolveRequest};
use super::{Failure, FileTo, Named};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use zug_domain::certificate::{
    Accepted, Beside, Certified, ModelClaim, ModelProof, Open, Origin, Written, beside,
    certify_equilibrium, certify_model, certify_plan, certify_value, check_certificate, is_beside,
};
use zug_domain::{Contract, DomainKind, RuleError};
use zug_files::Access;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_prolog::session::Session;
use zug_report::{Number, Worth};
use zug_search::Limits;
use zug_term::Record;

/// The name that stands for the standard input.
const STDIN: &str = "-";

/// What became of a certificate that was wanted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CertificateReport {
    /// The certificate; null if there is none.
    pub certificate: Option<CertificateFile>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate_reason: Option<String>,
}

/// A certificate in a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CertificateFile {
    /// The file.
    pub file: String,
    /// What is proved: `plan`, `cheapest`, `unsolvable`, `value`, `values`, `bounds` or `equilibrium`; of a model `solution`,
    /// `optimal` or `no_solution`.
    pub kind: &'static str,
    /// Its records.
    pub records: u64,
    /// Its bytes.
    pub bytes: u64,
    /// The model in FlatZinc that a proof is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flatzinc: Option<TextFile>,
    /// The proof in DRCP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<TextFile>,
}

/// A text beside a certificate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextFile {
    /// The file.
    pub file: String,
    /// Its bytes.
    pub bytes: u64,
}

/// Whether a certificate may be written, with the other texts of a model: tested before the search.
///
/// # Errors
/// A file is there already, or can't be written.
pub(super) fn may_certify(to: Option<&FileTo>, kind: DomainKind) -> Result<(), Failure> {
    let Some(FileTo { path, force }) = to else { return Ok(()) };
    if path == Path::new(STDIN) {
        let why = io::Error::other("a certificate is written as a whole, into a file: name one");
        return Err(Failure::Unwritable(path.clone(), why));
    }
    let beside = texts_beside(path).into_iter().filter(|_| kind == DomainKind::Model);
    std::iter::once(path.clone()).chain(beside).try_for_each(|path| {
        Access::FREE.may_create(&path, *force).map_err(|error| Failure::Unwritable(path, error))
    })
}

/// Writes the certificate of what was found from a start, if one is wanted.
pub(super) fn certify(
    session: &mut Session,
    request: &SolveRequest,
    start: Option<&Named>,
    found: &Found,
) -> Result<Option<CertificateReport>, Failure> {
    let Some(to) = &request.certificate else { return Ok(None) };
    let origin = match start {
        None => Origin::Once,
        Some(_) if request.state.is_some() => Origin::Given,
        Some(named) => Origin::Instance(named.instance.name.clone()),
    };
    let limits = &request.limits;
    let made = match found {
        Found::Plan(report) => write(session, to, |m, w, open| {
            let contract = Contract::of(m);
            certify_plan(m, w, &contract, (&report.found, &origin), limits, open)
        }),
        Found::Value(report) => {
            let player = mover(session, request.player.as_deref(), request.state.is_some())?;
            let from = (player.as_ref(), &origin);
            write(session, to, |m, w, open| certify_value(m, w, from, &report.found, limits, open))
        }
        Found::Equilibria(report) if report.stopped.is_some() => {
            Ok(none("a limit ended the search: nothing is claimed"))
        }
        Found::Equilibria(_) => {
            let from = (start.map(|named| &named.instance.state), &origin);
            write(session, to, |m, w, open| certify_equilibrium(m, w, from, limits, open))
        }
        Found::Model(report) => {
            let name = start.and_then(|named| named.instance.name.as_ref());
            of_model(session, to, (name, report), limits)
        }
        Found::Plans(_) | Found::Tries(_) => return Ok(None),
    };
    made.map(Some)
}

/// The files of a model in FlatZinc and of a proof in DRCP beside a certificate.
fn texts_beside(path: &Path) -> [PathBuf; 2] {
    ["fzn", "drcp"].map(|ending| {
        let mut file = path.as_os_str().to_owned();
        file.push(".");
        file.push(ending);
        file.into()
    })
}

/// The texts beside a certificate that is there which are its own: beside another certificate they would be taken for its
/// proof.
fn own_texts(path: &Path) -> Vec<PathBuf> {
    let files = texts_beside(path);
    let is_there = files.iter().any(|file| file.is_file());
    let Some(text) = is_there.then(|| Access::FREE.read_text(path).ok()).flatten() else {
        return Vec::new();
    };
    let is_own = |(file, name): &(PathBuf, &str)| {
        file.is_file() && Access::FREE.read(file).is_ok_and(|bytes| is_beside(&text, name, &bytes))
    };
    let named = files.into_iter().zip(["flatzinc", "proof"]);
    named.filter(is_own).map(|(file, _)| file).collect()
}

/// Removes texts of a certificate that was replaced.
fn remove_all(files: Vec<PathBuf>) -> Result<(), Failure> {
    for file in files {
        Access::FREE.remove(&file).map_err(|error| Failure::Unwritable(file, error))?;
    }
    Ok(())
}

/// Writes the certificate of what was found of a model.
fn of_model(
    session: &mut Session,
    to: &FileTo,
    (name, report): (Option<&Record>, &ModelReport),
    limits: &Limits,
) -> Result<CertificateReport, Failure> {
    let contract = Contract::of(&session.machine);
    let made = ask(session, |m, w| certify_model(m, w, &contract, (name, &report.found), limits))?;
    let made = match made {
        Ok(made) => made,
        Err(why) => return Ok(none(&why)),
    };
    let keep = |path: &Path, text: &[u8]| {
        Access::FREE
            .write_whole(path, text)
            .map_err(|error| Failure::Unwritable(path.to_owned(), error))?;
        Ok(TextFile { file: path.display().to_string(), bytes: text.len() as u64 })
    };
    let (mut flatzinc, mut proof) = (None, None);
    let stale = if made.proof.is_none() { own_texts(&to.path) } else { Vec::new() };
    // The certificate, which says what it is, comes last.
    if let Some(ModelProof { flatzinc: model, drcp }) = &made.proof {
        let [model_file, proof_file] = texts_beside(&to.path);
        flatzinc = Some(keep(&model_file, model.as_bytes())?);
        proof = Some(keep(&proof_file, drcp)?);
    }
    let TextFile { file, bytes } = keep(&to.path, &made.text)?;
    remove_all(stale)?;
    let (kind, records) = (made.kind, made.records);
    let certificate = Some(CertificateFile { file, kind, records, bytes, flatzinc, proof });
    Ok(CertificateReport { certificate, certificate_reason: None })
}

/// There is no certificate, for this reason.
fn none(why: &str) -> CertificateReport {
    CertificateReport { certificate: None, certificate_reason: Some(why.to_owned()) }
}

type Made = Result<io::Result<Certified>, Box<RuleError>>;

/// Writes a file, all of it or nothing.
fn write(
    session: &mut Session,
    to: &FileTo,
    make: impl FnOnce(&mut Machine, &mut World, Open<'_>) -> Made,
) -> Result<CertificateReport, Failure> {
    let unwritable = |error| Failure::Unwritable(to.path.clone(), error);
    let whole = Access::FREE.begin(&to.path).map_err(unwritable)?;
    let mut open = || {
        let file = whole.open()?;
        Ok(Box::new(BufWriter::new(file)) as Box<dyn Write>)
    };
    let made = ask(session, |m, w| make(m, w, &mut open))?;
    let Written { kind, records, bytes } = match made.map_err(unwritable)? {
        Certified::Not(why) => return Ok(none(&why)),
        Certified::Written(written) => written,
    };
    let stale = own_texts(&to.path);
    whole.keep().map_err(unwritable)?;
    remove_all(stale)?;
    let file = to.path.display().to_string();
    let (flatzinc, proof) = (None, None);
    let certificate = Some(CertificateFile { file, kind, records, bytes, flatzinc, proof });
    Ok(CertificateReport { certificate, certificate_reason: None })
}

/// What a check of a certificate found, as the command line writes it in JSON.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerifyReport {
    /// The rule file.
    pub file: String,
    /// The certificate.
    pub certificate: String,
    /// It proves what it says.
    pub accepted: bool,
    /// What kind of certificate it is, if it was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What it proves, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proves: Option<String>,
    /// What the plan costs, of kinds `plan` and `cheapest`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Number>,
    /// To whom the value or the bounds are, of kinds `value` and `bounds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<TermData>,
    /// What the game is worth to this player; of a model what its objective comes to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Number>,
    /// What the game is worth at least and at most to this player, of the kind `bounds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[Number; 2]>,
    /// What the game is worth to each player, of kinds `values` and `equilibrium`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Worth<TermData>>,
    /// Its records, if it was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// The line of the certificate that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl CommandResult for VerifyReport {
    fn exit(&self) -> Exit {
        if self.accepted { Exit::Success } else { Exit::Failure }
    }
}

/// Checks a certificate of the rules that a session has loaded; `-` is read from the standard input.
///
/// # Errors
/// The certificate can't be read, or a text that belongs to it; an error in a rule, or a limit.
pub fn verify(
    session: &mut Session,
    (rules, certificate): (&Path, &Path),
    limits: &Limits,
) -> Result<VerifyReport, Failure> {
    let bytes = Access::FREE.read(certificate);
    let bytes = bytes.map_err(|error| Failure::Unreadable(certificate.to_owned(), error))?;
    let mut report = VerifyReport {
        file: rules.display().to_string(),
        certificate: certificate.display().to_string(),
        ..VerifyReport::default()
    };
    let Ok(text) = String::from_utf8(bytes) else {
        report.reason = Some("it is no text in UTF-8".to_owned());
        return Ok(report);
    };
    let contract = Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    let checked = match beside(&text) {
        None => check_certificate(m, w, &contract, &text, limits),
        Some(beside) => match ModelClaim::of(m, w, &contract, &text) {
            Err(error) => Err(error),
            Ok(Err(rejected)) => Ok(Err(rejected)),
            Ok(Ok(claim)) => {
                let mut texts = Vec::new();
                let files = texts_beside(certificate).into_iter();
                for file in files.filter(|_| beside == Beside::Proof) {
                    let bytes = Access::FREE.read(&file);
                    let bytes = bytes.map_err(|error| Failure::Unreadable(file.clone(), error))?;
                    let Ok(text) = String::from_utf8(bytes) else {
                        report.reason = Some(format!("`{}` is no text in UTF-8", file.display()));
                        return Ok(report);
                    };
                    texts.push(text);
                }
                let proof = texts.first().zip(texts.get(1));
                let proof = proof.map(|(model, drcp)| (model.as_str(), drcp.as_str()));
                claim.check(m, w, &contract, proof, limits)
            }
        },
    };
    let checked = match checked {
        Ok(checked) => checked,
        // The rules have no answer where one is needed: that proves nothing.
        Err(error) => {
            return match Failure::rule(session, &error) {
                Failure::Rule(raised) if !raised.lacking => {
                    report.reason = Some(raised.finding.message.clone());
                    Ok(report)
                }
                failure => Err(failure),
            };
        }
    };
    match checked {
        Ok(Accepted { kind, proves, proved, records }) => {
            report.accepted = true;
            let term = |term: &Record| TermData::of(&session.machine, &session.world, term);
            report.player = proved.player.as_ref().map(term);
            let worth = |worth: &Worth<Record>| Worth {
                player: term(&worth.player),
                value: worth.value.clone(),
            };
            report.values = proved.values.iter().map(worth).collect();
            (report.cost, report.value, report.bounds) = (proved.cost, proved.value, proved.bounds);
            (report.kind, report.proves, report.records) =
                (Some(kind), Some(proves), Some(records));
        }
        Err(rejected) => (report.line, report.reason) = (rejected.line, Some(rejected.why)),
    }
    Ok(report)
}
