//! Checking a rule file: calls of undefined predicates, the domain contract, and a
//! trial run of the rules.
//!
//! Findings of the loader (syntax, singletons, discontiguous clauses) come first; all others are
//! about the program after the load. Findings are data.

mod calls;
mod causes;
mod constants;
mod depends;
mod domain;
pub mod fixes;
mod game;
mod guesses;
mod hidden;
mod kinds;
mod model;
mod names;
mod shapes;
mod simultaneous;
mod slips;
mod states;
#[cfg(test)]
mod tests;
mod trial;
mod values;

pub use domain::EngineFit;
pub use hidden::hidden_information;
pub use model::ModelFindings;

use serde::Serialize;
use states::StateSample;
use trial::Allowance;
use zug_domain::{Contract, DomainKind, PREDICATES, Trial, ends_text, measure};
use zug_explain::clause_place;
use zug_machine::{ClauseId, Kind, Machine, PredId, Space};
use zug_prolog::builtins::World;
use zug_prolog::session::Session;
use zug_report::{CodeUse, Utilities};
use zug_term::Record;
use zug_term::diagnostic::{Diagnostic, Severity};
use zug_term::source::{Source, Span};

/// What checking a program found.
#[derive(Clone, Debug)]
pub struct FileCheck {
    /// All findings: the loader's first, then by place.
    pub findings: Vec<Diagnostic>,
    /// The kind of domain.
    pub kind: DomainKind,
    /// All of the text could be read.
    pub reads: bool,
    /// The contract predicates it defines, as `rule/4`.
    pub defines: Vec<String>,
    /// The instances' names; numbers for those without.
    pub instances: Vec<String>,
    /// The heuristics' names, the default first.
    pub heuristics: Vec<String>,
    /// What two players of a game play for.
    pub utilities: Option<UtilityFindings>,
    /// What the models post, the first few of them.
    pub models: Vec<ModelFindings>,
    /// The engines, and what each of them misses.
    pub engines: Vec<EngineFit>,
    /// What answered the questions about the first states, if there was anything to ask.
    pub code: Option<CodeUse>,
    /// Units of tests that it brings, and tests in them.
    pub tests: (usize, usize),
}

/// How the utilities of two players are related, as far as they were surveyed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UtilityFindings {
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

/// Findings about the text of a program, without running it.
fn of_text(m: &Machine, w: &World, contract: &Contract, uses: &names::Uses) -> Vec<Diagnostic> {
    let mut found = names::nearly_contract(m, w, contract, uses);
    found.extend(names::nearly_called(m, w, contract, uses));
    found.extend(names::uncalled(m, w, contract, uses, &found));
    found.extend(slips::in_clauses(m, w));
    found.extend(values::in_clauses(m, w, contract));
    found.extend(shapes::of_moves(m, w, contract));
    found.extend(depends::on_more(m, w, contract.kind()));
    found.extend(depends::unread_facts(m, w, contract.kind(), uses));
    found.extend(kinds::mixed(m, w));
    if contract.kind() == DomainKind::Game {
        found.extend(hidden_information(m, w));
    }
    found
}

/// Checks the program of a session; `findings` are those of its load.
pub fn program(session: &mut Session, findings: Vec<Diagnostic>) -> FileCheck {
    checked(session, findings, true, false)
}

/// As [`program`], where an engine was asked for: programs with a search of their own lack something, too.
pub fn for_engines(session: &mut Session) -> FileCheck {
    checked(session, Vec::new(), true, true)
}

/// What the states of a plan or of a line of play, each with the number of the one before it, say about the rules although
/// it was found: arithmetic that was not computed, which makes two states of what should be one.
pub fn of_states(session: &Session, states: Vec<(Record, Option<usize>)>) -> Option<Diagnostic> {
    let contract = Contract::of(&session.machine);
    let moves = match contract.kind() {
        DomainKind::Puzzle => contract.rule?,
        DomainKind::Game => contract.game.as_ref()?.moves.pred,
        _ => return None,
    };
    domain::uncomputed(session, moves, &StateSample { states, ..StateSample::default() })
}

/// As [`program`], but for what trying the rules out would tell.
pub fn text_alone(session: &mut Session, findings: Vec<Diagnostic>) -> FileCheck {
    checked(session, findings, false, false)
}

fn checked(
    session: &mut Session,
    mut findings: Vec<Diagnostic>,
    tried: bool,
    wanted: bool,
) -> FileCheck {
    let (m, w) = (&session.machine, &session.world);
    let contract = Contract::of(m);
    let reads = !findings.iter().any(Diagnostic::is_error);
    let unread = causes::unread_words(m, w, &findings);
    let mut found = calls::undefined(m, w, &unread);
    found.extend(redefined(m, w));
    let uses = names::Uses::of(m, w, &unread);
    found.extend(of_text(m, w, &contract, &uses));
    let (guessed, is_other) = guesses::guessed(m, w, &contract, (&uses, wanted));
    let roles = contract.game.as_ref().filter(|_| contract.kind() == DomainKind::Game);
    let parts = contract.together.as_ref();
    let parts = parts.filter(|_| contract.kind() == DomainKind::Simultaneous);
    let lacks = match (roles, parts) {
        (Some(roles), _) => game::incomplete(m, w, &contract, roles),
        (_, Some(parts)) => simultaneous::incomplete(m, w, &contract, parts),
        _ => domain::incomplete(m, w, &contract),
    };
    found.extend(roles.and_then(|roles| game::left_open(m, w, roles)));
    findings_of_models(m, w, &contract, &mut found);
    // A clause that can't be read may be the one that is missing.
    let mut lacks = if reads && !is_other { lacks } else { Vec::new() };
    // What is missing is not missed once more by trying it out.
    let of_players = matches!(contract.kind(), DomainKind::Game | DomainKind::Simultaneous);
    let whole = !of_players || lacks.is_empty();
    let is_guessed = |lack: &Diagnostic| guessed.iter().any(|guess| guesses::is_about(guess, lack));
    lacks.retain(|lack| !is_guessed(lack));
    found.extend(lacks);
    // W0507 replaces W0509 about the same predicate.
    let place = |finding: &Diagnostic| {
        finding.primary.as_ref().map(|own| (own.source.name.clone(), own.span.start))
    };
    let places: Vec<_> = guessed.iter().map(place).collect();
    found.retain(|finding| finding.code != "W0509" || !places.contains(&place(finding)));
    found.extend(guessed);
    found.sort_by_key(|finding| {
        let place = finding.primary.as_ref();
        place.map_or((u32::MAX, u32::MAX), |label| (label.span.start, label.span.end))
    });
    let loads = !findings.iter().any(Diagnostic::is_error);
    findings.append(&mut found);
    let mut names = Vec::new();
    let mut models = Vec::new();
    let mut seats = game::Seats::default();
    if loads && whole && tried {
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
            DomainKind::Model => {
                let (trial, found) = model::try_out(session, &contract);
                models = found;
                trial
            }
            DomainKind::Program => domain::Trial::default(),
        };
        findings.extend(trial.findings);
        names = trial.instances;
    }
    causes::once_each(&mut findings);
    let m = &session.machine;
    let units = &session.world.tests.units;
    FileCheck {
        utilities: seats.utilities.as_ref().map(|utilities| {
            let witnesses = ends_text(m, &session.world, &utilities.witnesses);
            UtilityFindings {
                utilities: utilities.kind.utilities(utilities.source),
                ends: utilities.ends,
                complete: utilities.complete,
                witnesses: (!witnesses.is_empty()).then_some(witnesses),
            }
        }),
        tests: (units.len(), units.iter().map(|unit| unit.tests.len()).sum()),
        models,
        code: None,
        findings,
        kind: contract.kind(),
        reads,
        defines: domain::defines(m, contract.kind()),
        instances: names,
        heuristics: contract.heuristics().iter().map(|h| h.name(&m.symbols)).collect(),
        engines: match (roles, parts) {
            (Some(roles), _) => game::engines_for(m, roles, &contract, &seats),
            (_, Some(parts)) => simultaneous::engines_for(parts, &contract, seats.players),
            _ if contract.kind() == DomainKind::Model => Vec::new(),
            _ => domain::engines_for(&contract),
        },
    }
}

/// A model beside rules of another kind.
fn findings_of_models(m: &Machine, w: &World, contract: &Contract, found: &mut Vec<Diagnostic>) {
    let Some(pred) = contract.model.or(contract.named_model) else { return };
    let what = match contract.kind() {
        DomainKind::Puzzle => "puzzle",
        DomainKind::Game | DomainKind::Simultaneous => "game",
        DomainKind::Model | DomainKind::Program => return,
    };
    let message = format!("the file is a {what}: nobody asks its model");
    let finding = Diagnostic::new(Severity::Note, "N0541", message);
    found.push(at_predicate(m, w, pred, finding.hint("put the model in a file of its own")));
}

/// How far rules are tried to say which questions code answers: as in a search of some seconds.
const LONG: Trial = Trial { states: 10_000, inferences: 6_000_000, paid: 1_000_000 };

/// What answers the questions of engines about the first states: code or the machine. `None` if there is nothing to search.
pub fn code_use(session: &mut Session) -> Option<CodeUse> {
    let contract = Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    let allowance = Allowance::new(m, w);
    let measured = {
        let _work = allowance.work(m, LONG.inferences + trial::QUESTION);
        measure(m, w, &contract, LONG)
    };
    allowance.end(m);
    // What is wrong with the rules was said where they were tried out.
    measured.ok().flatten()
}

/// The finding at a place, if that is known.
fn placed(finding: Diagnostic, place: Option<(Source, Span)>) -> Diagnostic {
    match place {
        Some((source, span)) => finding.at(&source, span, ""),
        None => finding,
    }
}

/// The finding at the first clause of a predicate.
fn at_predicate(
    m: &Machine,
    w: &World,
    pred: impl Into<Option<PredId>>,
    finding: Diagnostic,
) -> Diagnostic {
    let first = pred.into().and_then(|pred| m.program.live_clauses(pred).first().copied());
    placed(finding, first.and_then(|id| clause_place(m, w, id)))
}

/// Findings about the parts of the contract that a program lacks, each with what can't be done without it.
fn lacks(
    (m, w, at): (&Machine, &World, Option<PredId>),
    what: &str,
    lacking: Vec<(&'static str, &'static str)>,
    hint: impl Fn(&str, &str) -> String,
) -> Vec<Diagnostic> {
    let finding = |(pattern, effect): (&str, &str)| {
        let name = pattern.split('(').next().unwrap_or(pattern);
        let message = format!("this {what} has no `{name}`: {effect}");
        let finding = Diagnostic::warning("W0503", message).hint(hint(name, pattern));
        at_predicate(m, w, at, finding)
    };
    lacking.into_iter().map(finding).collect()
}

/// Advice to define a part of the contract of games.
fn define(_: &str, pattern: &str) -> String {
    format!("define `{pattern}`")
}

/// Numbers of the predicates the user's texts define.
pub(crate) fn user_predicates(m: &Machine) -> impl Iterator<Item = PredId> + '_ {
    let defined = |id: &PredId| {
        let predicate = &m.program.preds[*id as usize];
        m.program.modules.is_programs(predicate.space)
            && matches!(predicate.kind, Kind::Static | Kind::Dynamic)
    };
    (0..m.program.preds.len() as PredId).filter(defined)
}

/// The clauses of the user's texts with their predicates.
fn user_clauses(m: &Machine) -> impl Iterator<Item = (PredId, ClauseId)> + '_ {
    user_predicates(m)
        .flat_map(|pred| m.program.live_clauses(pred).into_iter().map(move |id| (pred, id)))
}

/// Library predicates that the program has its own of.
fn redefined(m: &Machine, w: &World) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for id in user_predicates(m) {
        let predicate = &m.program.preds[id as usize];
        let system = m.program.lookup(predicate.name, predicate.arity, Space::System);
        let system = system.filter(|&id| m.program.preds[id as usize].kind != Kind::Undefined);
        let name = m.symbols.name(predicate.name);
        let of_contract =
            PREDICATES.iter().any(|known| known.name == name && known.arity == predicate.arity);
        if system.is_none() || of_contract || m.program.live_clauses(id).is_empty() {
            continue;
        }
        let indicator = m.program.indicator(id, &m.symbols);
        let message = format!("`{indicator}` is the program's own and hides the library's");
        let hint = format!("the library's can still be called as `system:{name}(...)`");
        let finding = Diagnostic::new(Severity::Note, "N0601", message);
        findings.push(at_predicate(m, w, id, finding.hint(hint)));
    }
    findings
}
