//! The contract of games in which all choose at once: which commands apply, what is missing,
//! and whether the rules hold together.

use super::at_predicate;
use super::domain::{COUNTED, EngineFit, Trial, finding};
use super::trial::Allowance;
use zug_domain::simultaneous::{Parts, outline};
use zug_domain::{Contract, RuleError, instances};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_prolog::session::Session;
use zug_term::Record;
use zug_term::diagnostic::Diagnostic;

/// What each engine, and each way to let players meet, misses.
pub(super) fn engines_for(parts: &Parts, contract: &Contract, players: usize) -> Vec<EngineFit> {
    let base: Vec<&'static str> =
        lacking(parts, contract).into_iter().map(|(pattern, _)| pattern).collect();
    let fit = |engine, repeated| {
        let mut missing = base.clone();
        if repeated && !parts.is_matrix() {
            missing.push("payoff(As, Us) alone");
        }
        if repeated && players != 2 {
            missing.push("two players");
        }
        EngineFit { engine, missing }
    };
    vec![
        fit("nash", false),
        fit("solve_game", false),
        fit("mcts", false),
        fit("match", true),
        fit("tournament", true),
        fit("play", true),
    ]
}

fn lacking(parts: &Parts, contract: &Contract) -> Vec<(&'static str, &'static str)> {
    parts.lacking(contract.initial.is_some() || contract.named_initial.is_some())
}

/// What a program that means to be such a game lacks.
pub(super) fn incomplete(
    m: &Machine,
    w: &World,
    contract: &Contract,
    parts: &Parts,
) -> Vec<Diagnostic> {
    let there = [parts.payoff, parts.joint_move, parts.action, parts.players];
    let at = there.into_iter().flatten().next();
    let lacks = lacking(parts, contract).into_iter();
    lacks
        .map(|(pattern, effect)| {
            let name = pattern.split('(').next().unwrap_or(pattern);
            let message = format!("this game has no `{name}`: {effect}");
            let finding = Diagnostic::warning("W0503", message).hint(format!("define `{pattern}`"));
            match at {
                Some(pred) => at_predicate(m, w, pred, finding),
                None => finding,
            }
        })
        .collect()
}

/// Asks for the first table; the number of players.
pub(super) fn try_out(session: &mut Session, contract: &Contract) -> (Trial, usize) {
    let mut trial = Trial::default();
    let allowance = Allowance::new(&session.machine, &session.world);
    let players = {
        let _work = allowance.question(&mut session.machine);
        try_rules(session, contract, &mut trial)
    };
    let players = players.unwrap_or_else(|error| {
        trial.findings.push(finding(session, &error));
        2
    });
    allowance.end(&mut session.machine);
    (trial, players)
}

fn try_rules(
    session: &mut Session,
    contract: &Contract,
    trial: &mut Trial,
) -> Result<usize, Box<RuleError>> {
    let mut start: Option<Record> = None;
    if contract.initial.is_some() || contract.named_initial.is_some() {
        let (m, w) = (&mut session.machine, &mut session.world);
        let found = instances(m, w, contract, COUNTED)?;
        trial.name(session, contract, &found);
        start = found.into_iter().next().map(|instance| instance.state);
        if start.is_none() {
            return Ok(2);
        }
    }
    outline(&mut session.machine, &mut session.world, start.as_ref())
}
