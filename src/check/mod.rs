//! Checking a rule file: calls of predicates that nobody defined, the domain contract, and a
//! first look at the rules at work.
//!
//! What the loader has to say (syntax, singletons, clauses apart) comes first; everything else
//! looks at the program as it is after the load. Findings are data.

mod calls;
mod domain;
mod game;
mod simultaneous;
#[cfg(test)]
mod tests;

pub use domain::EngineFit;

use crate::builtins::{Utilities, World};
use crate::diagnostic::Diagnostic;
use crate::domain::specialise::{Obstacle, Stage};
use crate::domain::{Contract, DomainKind, ends_text, examine};
use crate::machine::{ClauseId, Kind, Machine, PredId, Space};
use crate::session::Session;
use crate::source::{Source, Span};
use serde::Serialize;
use std::time::Duration;

/// What checking a program found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// All findings: the loader's first, then by place.
    pub findings: Vec<Diagnostic>,
    /// The kind of domain.
    pub kind: DomainKind,
    /// The contract predicates it defines, as `rule/4`.
    pub defines: Vec<String>,
    /// The instances' names; numbers for those without.
    pub instances: Vec<String>,
    /// The heuristics' names, the default first.
    pub heuristics: Vec<String>,
    /// What two players of a game play for.
    pub utilities: Option<UtilitiesSeen>,
    /// The engines, and what each of them misses.
    pub engines: Vec<EngineFit>,
    /// Whether there is code for what the engines ask.
    pub code: Vec<CodeFit>,
    /// Units of tests that it brings, and tests in them.
    pub tests: (usize, usize),
}

/// What two players of a game play for, as far as it was looked.
#[derive(Clone, Debug, Serialize)]
pub struct UtilitiesSeen {
    /// What it is.
    #[serde(flatten)]
    pub utilities: Utilities,
    /// How many ends were looked at.
    pub ends: u64,
    /// These are all there are.
    pub complete: bool,
    /// Ends that show it, where what one wins is not what the other loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witnesses: Option<String>,
}

/// Whether there is code for a contract predicate.
#[derive(Clone, Debug)]
pub struct CodeFit {
    /// The predicate, as `rule/4`.
    pub predicate: &'static str,
    /// There is code for some shape of states.
    pub code: bool,
    /// What stands in the way for others.
    pub obstacles: Vec<Obstacle>,
}

/// Time to see whether there is code.
const CODE_TIME: Duration = Duration::from_secs(1);

/// Checks the program of a session; `findings` are those of its load.
pub fn program(session: &mut Session, mut findings: Vec<Diagnostic>) -> Checked {
    let contract = Contract::of(&session.machine);
    let mut found = calls::undefined(&session.machine, &session.world);
    found.extend(redefined(&session.machine, &session.world));
    found.extend(domain::wrong_arity(&session.machine, &session.world, &contract));
    let lacks = match &contract.game {
        Some(roles) if contract.kind() == DomainKind::Game => {
            game::incomplete(&session.machine, &session.world, &contract, roles)
        }
        _ => match &contract.together {
            Some(parts) if contract.kind() == DomainKind::Simultaneous => {
                simultaneous::incomplete(&session.machine, &session.world, &contract, parts)
            }
            _ => domain::incomplete(&session.machine, &session.world, &contract),
        },
    };
    // What is missing is not missed once more by trying it out.
    let of_players = matches!(contract.kind(), DomainKind::Game | DomainKind::Simultaneous);
    let whole = !of_players || lacks.is_empty();
    found.extend(lacks);
    found.sort_by_key(|finding| {
        let place = finding.primary.as_ref();
        place.map_or((u32::MAX, u32::MAX), |label| (label.span.start, label.span.end))
    });
    let loads = !findings.iter().any(Diagnostic::is_error);
    findings.append(&mut found);
    let mut instances = Vec::new();
    let mut seats = game::Seats { players: 2, ..game::Seats::default() };
    if loads && whole {
        let trial = match contract.kind() {
            DomainKind::Puzzle => domain::try_out(session, &contract),
            DomainKind::Game => {
                let (trial, met) = game::try_out(session, &contract);
                seats = met;
                trial
            }
            DomainKind::Simultaneous => {
                let (trial, players) = simultaneous::try_out(session, &contract);
                seats.players = players;
                trial
            }
            DomainKind::Program => domain::Trial::default(),
        };
        findings.extend(trial.findings);
        instances = trial.instances;
    }
    let wrong = findings.iter().any(Diagnostic::is_error);
    let code = if wrong { Vec::new() } else { code_fit(session, &contract) };
    let m = &session.machine;
    let units = &session.world.tests.units;
    Checked {
        utilities: seats.stakes.as_ref().map(|stakes| {
            let witnesses = ends_text(m, &session.world, &stakes.witnesses);
            UtilitiesSeen {
                utilities: stakes.sharing.utilities(stakes.asked_of),
                ends: stakes.ends,
                complete: stakes.complete,
                witnesses: (!witnesses.is_empty()).then_some(witnesses),
            }
        }),
        tests: (units.len(), units.iter().map(|unit| unit.tests.len()).sum()),
        code,
        findings,
        kind: contract.kind(),
        defines: domain::defines(m, contract.kind()),
        instances,
        heuristics: contract.heuristics().iter().map(|h| h.name(&m.symbols)).collect(),
        engines: match &contract.game {
            Some(roles) if contract.kind() == DomainKind::Game => {
                game::engines_for(roles, &contract, &seats)
            }
            _ => match &contract.together {
                Some(parts) if contract.kind() == DomainKind::Simultaneous => {
                    simultaneous::engines_for(parts, &contract, seats.players)
                }
                _ => domain::engines_for(&contract),
            },
        },
    }
}

/// Whether there is code for what the engines ask, as far as a second tells.
fn code_fit(session: &mut Session, contract: &Contract) -> Vec<CodeFit> {
    if matches!(contract.kind(), DomainKind::Program | DomainKind::Simultaneous) {
        return Vec::new();
    }
    let (m, w) = (&mut session.machine, &mut session.world);
    // What is wrong with the rules was said where they were tried out.
    let examined = examine(m, w, contract, Stage::Verdict, Some(CODE_TIME)).unwrap_or_default();
    let mut fits: Vec<CodeFit> = Vec::new();
    for examined in examined.iter().filter(|examined| !examined.shapes.is_empty()) {
        let predicate = examined.indicator;
        let at = fits.iter().position(|fit| fit.predicate == predicate).unwrap_or_else(|| {
            fits.push(CodeFit { predicate, code: false, obstacles: Vec::new() });
            fits.len() - 1
        });
        for shape in &examined.shapes {
            match &shape.outcome {
                Ok(_) => {
                    fits[at].code = true;
                    // More than one in ten is not "now and then".
                    let often = shape.given_back * 10 > shape.asked;
                    for obstacle in shape.gives_back.iter().filter(|_| often) {
                        if !fits[at].obstacles.contains(obstacle) {
                            fits[at].obstacles.push(obstacle.clone());
                        }
                    }
                }
                Err(obstacle) if !fits[at].obstacles.contains(obstacle) => {
                    fits[at].obstacles.push(obstacle.clone());
                }
                Err(_) => {}
            }
        }
    }
    fits
}

/// Where a clause stands.
fn place_of(m: &Machine, w: &World, id: ClauseId) -> Option<(Source, Span)> {
    let place = m.program.clauses.get(id as usize)?.place.as_deref()?;
    Some((w.loader.sources.get(place.source as usize)?.clone(), place.span))
}

/// The finding at the first clause of a predicate.
fn at_predicate(m: &Machine, w: &World, pred: PredId, finding: Diagnostic) -> Diagnostic {
    let first = m.program.live_clauses(pred).first().copied();
    match first.and_then(|id| place_of(m, w, id)) {
        Some((source, span)) => finding.at(&source, span, ""),
        None => finding,
    }
}

/// Numbers of the predicates the user's texts define.
fn user_predicates(m: &Machine) -> impl Iterator<Item = PredId> + '_ {
    let defined = |id: &PredId| {
        let predicate = &m.program.preds[*id as usize];
        predicate.space == Space::User && matches!(predicate.kind, Kind::Static | Kind::Dynamic)
    };
    (0..m.program.preds.len() as PredId).filter(defined)
}

/// Library predicates that the program has its own of.
fn redefined(m: &Machine, w: &World) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for id in user_predicates(m) {
        let predicate = &m.program.preds[id as usize];
        let system = m.program.lookup(predicate.name, predicate.arity, Space::System);
        let system = system.filter(|&id| m.program.preds[id as usize].kind != Kind::Undefined);
        if system.is_none() || m.program.live_clauses(id).is_empty() {
            continue;
        }
        let indicator = m.program.indicator(id, &m.symbols);
        let message = format!("`{indicator}` is the program's own and hides the library's");
        let hint = format!(
            "the library's can still be called as `system:{}(...)`",
            m.symbols.name(predicate.name)
        );
        let finding = Diagnostic::new(crate::diagnostic::Severity::Note, "N0601", message);
        findings.push(at_predicate(m, w, id, finding.hint(hint)));
    }
    findings
}
