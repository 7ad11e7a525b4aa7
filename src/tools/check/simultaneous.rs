//! The contract of games in which all choose at once: which commands apply, what is missing,
//! and whether the rules hold together.

use super::domain::{COUNTED, EngineFit, Trial, finding};
use super::trial::Allowance;
use super::{define, lacks};
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
    let once = ["nash", "solve_game", "mcts"].map(|engine| fit(engine, false));
    let repeated = ["match", "tournament", "play"].map(|engine| fit(engine, true));
    once.into_iter().chain(repeated).collect()
}

fn lacking(parts: &Parts, contract: &Contract) -> Vec<(&'static str, &'static str)> {
    parts.lacking(contract.initial.is_some() || contract.named_initial.is_some())
}

pub(super) fn incomplete(
    m: &Machine,
    w: &World,
    contract: &Contract,
    parts: &Parts,
) -> Vec<Diagnostic> {
    let at = parts.payoff.or(parts.joint_move).or(parts.action).or(parts.players);
    lacks((m, w, at), "game", lacking(parts, contract), define)
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
