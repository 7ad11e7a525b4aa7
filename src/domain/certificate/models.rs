//! Certificates of models: a solution, that there is none, and that none is better.
//!
//! What rules the others out is a proof in DRCP about a model in FlatZinc, two texts that stand in files of their own, so that
//! the checkers of these formats read them as they are. The certificate names them by their checksums. Whoever checks it makes
//! the model of the rules again.

use super::records::Facts;
use super::{Accepted, Checked, ProvedNumbers, Rejected, not_pure, why_not_made};
use crate::canonical_text::canonical_text;
use crate::claim::impurity_of_model;
use crate::contract::Contract;
use crate::error::RuleError;
use crate::model::{Claimed, Refusal, encoded_model, models, refusal};
use crate::run::nested;
use crate::simultaneous::same;
use num_traits::ToPrimitive;
use std::io;
use zug_certificate::drcp::{self, Proved};
use zug_certificate::{Lines, Writer, adler};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_proof::{Objective, Outcome as Found, VarId};
use zug_report::{ModelSolution, Number, Outcome};
use zug_search::Limits;
use zug_term::{Record, watchdog};

/// The kind of a certificate that a model has no solution.
pub const NO_SOLUTION: &str = "no_solution";
/// The kind of a certificate of a solution.
pub const SOLUTION: &str = "solution";
/// The kind of a certificate of a best solution.
pub const OPTIMAL: &str = "optimal";
/// Models of a program that are looked through.
const MOST_MODELS: usize = 10_000;

/// A certificate of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCertificate {
    /// What it is a certificate of.
    pub kind: &'static str,
    /// Its text.
    pub text: Vec<u8>,
    /// Its records.
    pub records: u64,
    /// The model in FlatZinc and the proof in DRCP, where something is ruled out.
    pub proof: Option<ModelProof>,
}

/// What rules solutions out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelProof {
    /// The model in FlatZinc.
    pub flatzinc: String,
    /// The proof in DRCP.
    pub drcp: Vec<u8>,
}

/// Makes the certificate of what a search over a model found; or says why there is none.
///
/// # Errors
/// An error in a rule.
pub fn certify_model(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (name, found): (Option<&Record>, &ModelSolution<Record>),
    limits: &Limits,
) -> Result<Result<ModelCertificate, String>, Box<RuleError>> {
    let solution = found.solutions.first();
    let kind = match (found.outcome, solution) {
        (Outcome::Exhausted, _) if found.goal_failed => {
            return Ok(Err("a goal of the model fails that is no constraint".to_owned()));
        }
        (Outcome::Exhausted, _) => NO_SOLUTION,
        (_, Some(_)) if found.optimal == Some(true) => OPTIMAL,
        (_, Some(_)) => SOLUTION,
        (_, None) => {
            return Ok(Err("a limit ended the search: nothing is claimed".to_owned()));
        }
    };
    if let Some(condition) = impurity_of_model(m, w, contract).filter(|_| kind != SOLUTION) {
        return Ok(Err(not_pure(&condition)));
    }
    let proof = if kind == SOLUTION {
        None
    } else {
        let value = found.value.as_ref().filter(|_| kind == OPTIMAL);
        let made = nested(m, w, limits, |m, w, _| proof_of(m, w, contract, name, value));
        match made {
            Ok(Ok(proof)) => Some(proof),
            Ok(Err(why)) => return Ok(Err(why)),
            Err(error) => {
                let is_timed = limits.time.is_some();
                return why_not_made(m, w, error, is_timed, "the proof does").map(Err);
            }
        }
    };
    let text = |record: &Record| canonical_text(m, w, record);
    let mut bytes = Vec::new();
    let mut write = || -> io::Result<u64> {
        let mut writer = Writer::new(&mut bytes, kind)?;
        writer.record(&match name {
            Some(name) => format!("model(instance({}))", text(name)),
            None => "model(instance)".to_owned(),
        })?;
        if let (Some(direction), Some(value)) = (found.objective, &found.value) {
            writer.record(&format!("objective({direction},{})", text(value)))?;
        }
        if let Some(solution) = solution {
            writer.record(&format!("solution({})", text(&solution.list)))?;
        }
        if let Some(ModelProof { flatzinc, drcp }) = &proof {
            for (name, bytes) in [("flatzinc", flatzinc.as_bytes()), ("proof", drcp)] {
                writer.record(&format!("{name}({},{})", bytes.len(), adler(bytes)))?;
            }
        }
        Ok(writer.finish()?.0)
    };
    let written = write();
    Ok(match written {
        Ok(records) => Ok(ModelCertificate { kind, text: bytes, records, proof }),
        Err(error) => Err(error.to_string()),
    })
}

/// The proof that a model has no solution, or none that is better than a value.
fn proof_of(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    name: Option<&Record>,
    value: Option<&Record>,
) -> Result<Result<ModelProof, String>, Box<RuleError>> {
    let encoded = match encoded_model(m, w, contract, name, value.is_some())? {
        Ok(encoded) => encoded,
        Err(why) => return Ok(Err(why)),
    };
    let value = value.map(integer);
    let better = match (value, encoded.objective) {
        (None, _) => None,
        (Some(Some(value)), Some(objective)) => Some(objective.better_than(value)),
        _ => return Ok(Err("the best value has more than 32 bits".to_owned())),
    };
    match zug_proof::solve(&encoded, better, &mut watchdog::step).0 {
        Found::Solution(_) => Ok(Err(
            "what the model does beside posting constraints is no part of a proof, and without it there are solutions"
                .to_owned(),
        )),
        Found::Proved(proof) => {
            let mut drcp = Vec::new();
            match proof.write(&encoded, &mut drcp) {
                Ok(()) => Ok(Ok(ModelProof { flatzinc: encoded.flatzinc(), drcp })),
                Err(error) => Ok(Err(error.to_string())),
            }
        }
    }
}

fn integer(record: &Record) -> Option<i32> {
    let (heap, root) = record.to_heap();
    heap.deref(root).as_int()?.to_i32()
}

/// What stands beside a certificate of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Nothing: a solution speaks for itself.
    Nothing,
    /// The model in FlatZinc and the proof in DRCP.
    Proof,
}

/// What stands beside a certificate, if it is one of a model.
pub fn beside(text: &str) -> Option<Beside> {
    match Lines::of(text).ok()?.kind {
        SOLUTION => Some(Beside::Nothing),
        NO_SOLUTION | OPTIMAL => Some(Beside::Proof),
        _ => None,
    }
}

/// Whether a text is the one that a record of a certificate of a model names: `flatzinc` or `proof`.
pub fn is_beside(certificate: &str, name: &str, text: &[u8]) -> bool {
    let Ok(lines) = Lines::of(certificate) else { return false };
    let record = format!("{name}({},{})", text.len(), adler(text));
    beside(certificate) == Some(Beside::Proof) && lines.records().any(|(_, line)| line == record)
}

/// What a certificate of a model says.
pub struct ModelClaim {
    kind: String,
    /// The line that names the model.
    line: u64,
    name: Option<Record>,
    /// The line, the direction of the objective, and the value.
    objective: Option<(u64, String, Record)>,
    /// The line, and the list.
    solution: Option<(u64, Record)>,
    /// Sizes and checksums of the two texts.
    sums: Option<[(u64, u64); 2]>,
    records: u64,
}

impl ModelClaim {
    /// Reads a certificate, whose model the rules have to have.
    ///
    /// # Errors
    /// An error in a rule, or a limit.
    pub fn of(
        m: &mut Machine,
        w: &mut World,
        contract: &Contract,
        text: &str,
    ) -> Result<Result<ModelClaim, Rejected>, Box<RuleError>> {
        let lines = Lines::of(text).map_err(|damage| Rejected::new(damage.to_string()));
        let claim = match lines.and_then(|lines| ModelClaim::read(m, w, lines)) {
            Ok(claim) => claim,
            Err(rejected) => return Ok(Err(rejected)),
        };
        let known = models(m, w, contract, MOST_MODELS)?;
        let is_named = |known: &Option<Record>| match (known, &claim.name) {
            (Some(known), Some(name)) => same(known, name),
            (known, name) => known.is_none() && name.is_none(),
        };
        Ok(match (known.names.iter().any(is_named), known.error) {
            (true, _) => Ok(claim),
            (false, Some(error)) => return Err(error),
            (false, None) => Err(Rejected::at(claim.line, "the rules have no such model")),
        })
    }

    /// Checks it, with the texts of the model in FlatZinc and the proof in DRCP if they are there.
    ///
    /// # Errors
    /// An error in a rule, or a limit.
    pub fn check(
        &self,
        m: &mut Machine,
        w: &mut World,
        contract: &Contract,
        proof: Option<(&str, &str)>,
        limits: &Limits,
    ) -> Result<Checked, Box<RuleError>> {
        nested(m, w, limits, |m, w, _| self.check_all(m, w, contract, proof))
    }

    fn read(m: &mut Machine, w: &World, lines: Lines<'_>) -> Result<ModelClaim, Rejected> {
        let mut facts = Facts::read(m, w, lines)?;
        let records = facts.0.len() as u64;
        let model = facts.take("model", 1)?;
        let name = {
            let (mut heap, root) = model.arguments[0].to_heap();
            match heap.name_arity(heap.deref(root)) {
                Some((functor, 1, at)) if m.symbols.name(functor) == "instance" => {
                    let name = heap.at(at);
                    Some(Record::new(&mut heap, name))
                }
                _ if canonical_text(m, w, &model.arguments[0]) == "instance" => None,
                _ => {
                    return Err(Rejected::at(
                        model.line,
                        "it does not say which model it is about",
                    ));
                }
            }
        };
        let (has_solution, has_proof) = (lines.kind != NO_SOLUTION, lines.kind != SOLUTION);
        let objective = match lines.kind {
            NO_SOLUTION => None,
            OPTIMAL => Some(facts.take("objective", 2)?),
            _ => facts.perhaps("objective", 2)?,
        };
        let objective = objective.map(|fact| {
            (fact.line, canonical_text(m, w, &fact.arguments[0]), fact.arguments[1].clone())
        });
        let solution = if has_solution { Some(facts.take("solution", 1)?) } else { None };
        let solution = solution.map(|mut fact| (fact.line, fact.arguments.swap_remove(0)));
        let mut sum = |name: &str| -> Result<(u64, u64), Rejected> {
            let fact = facts.take(name, 2)?;
            let number = |at| {
                let number = fact.integer(at, u64::BITS.into())?.to_u64();
                number.ok_or_else(|| {
                    Rejected::at(fact.line, "it has a number that is none of a text")
                })
            };
            Ok((number(0)?, number(1)?))
        };
        let sums = if has_proof { Some([sum("flatzinc")?, sum("proof")?]) } else { None };
        if let Some(fact) = facts.0.first() {
            return Err(fact.foreign(lines.kind));
        }
        let (kind, line) = (lines.kind.to_owned(), model.line);
        Ok(ModelClaim { kind, line, name, objective, solution, sums, records })
    }

    fn check_all(
        &self,
        m: &mut Machine,
        w: &mut World,
        contract: &Contract,
        proof: Option<(&str, &str)>,
    ) -> Result<Checked, Box<RuleError>> {
        let kind = self.kind.as_str();
        let value = self.objective.as_ref().and_then(|(.., value)| integer(value));
        let value = value.map(|value| Number::Int(value.into()));
        let accepted = |proves: String| {
            let proved = ProvedNumbers { value: value.clone(), ..ProvedNumbers::default() };
            Ok(Ok(Accepted { kind: kind.to_owned(), proves, proved, records: self.records }))
        };
        let rejected = |why: &str| Ok(Err(Rejected::new(why)));
        let what = match &self.name {
            Some(name) => format!("the model {}", canonical_text(m, w, name)),
            None => "the model".to_owned(),
        };
        if kind != NO_SOLUTION {
            let Some((line, list)) = &self.solution else { return rejected("it has no solution") };
            let objective = self.objective.as_ref();
            let claimed = Claimed {
                list,
                objective: objective.map(|(_, direction, value)| (&**direction, value)),
            };
            if let Some(refusal) = refusal(m, w, contract, self.name.as_ref(), claimed)? {
                let (line, why) = match refusal {
                    Refusal::List(why) => (line, why),
                    Refusal::Objective(why) => (objective.map_or(line, |(line, ..)| line), why),
                    Refusal::Constraints => {
                        (line, "the constraints of the model refuse the values".to_owned())
                    }
                };
                return Ok(Err(Rejected::at(*line, why)));
            }
        }
        if kind == SOLUTION {
            return accepted(format!("{what} has this solution"));
        }
        let (Some(sums), Some((flatzinc, drcp))) = (self.sums, proof) else {
            return rejected("it has no proof");
        };
        for ((size, sum), (text, name)) in sums.into_iter().zip([(flatzinc, "fzn"), (drcp, "drcp")])
        {
            if (text.len() as u64, u64::from(adler(text.as_bytes()))) != (size, sum) {
                return rejected(&format!(
                    "the text beside it, .{name}, is another one: its checksum differs"
                ));
            }
        }
        let is_best = kind == OPTIMAL;
        let model = match encoded_model(m, w, contract, self.name.as_ref(), is_best)? {
            Ok(model) => model,
            Err(why) => return rejected(&format!("the model can't be made again: {why}")),
        };
        if let Some(line) = difference(&model.flatzinc(), flatzinc) {
            return rejected(&format!("line {line} of the model (.fzn) is not what the rules say"));
        }
        match (drcp::check(flatzinc, drcp, &mut watchdog::step), &self.objective) {
            (Err(fault), _) => {
                let file = if fault.text == drcp::Text::Model { "fzn" } else { "drcp" };
                rejected(&format!("{fault} (.{file})"))
            }
            (Ok(Proved::Unsatisfiable), _) if !is_best => {
                accepted(format!("{what} has no solution"))
            }
            (Ok(Proved::Bound(bound)), Some((_, direction, value))) if is_best => {
                let is_least = matches!(model.objective, Some(Objective::Minimize(VarId(_))));
                let words = if is_least { "min" } else { "max" };
                if words != direction || integer(value).map(i64::from) != Some(bound) {
                    return rejected("the proof is about another value");
                }
                let relation = if is_least { "lower" } else { "higher" };
                accepted(format!(
                    "{what} has this solution, and none of a {relation} value than {bound}"
                ))
            }
            _ => rejected("the proof is of something else"),
        }
    }
}

/// The first line of a model in FlatZinc that is another one than in what it should be. Lines of comments, which tell where
/// in the rules a constraint stands, are not compared.
fn difference(own: &str, given: &str) -> Option<usize> {
    let said = |(_, line): &(usize, &str)| !line.trim_start().starts_with('%');
    let mut own = own.lines().zip(1..).map(|(line, at)| (at, line)).filter(said);
    for (at, line) in given.lines().zip(1..).map(|(line, at)| (at, line)).filter(said) {
        if own.next().is_none_or(|(_, own)| own != line) {
            return Some(at);
        }
    }
    // A line is missing at the end.
    own.next().map(|_| given.lines().count() + 1)
}
