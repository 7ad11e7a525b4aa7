//! What code made from rules answers, measured: the rules tried on states from the first ones on.

use crate::examine::{Ends, visit};
use crate::game::measure as measure_game;
use crate::run::within;
use crate::{Contract, DomainKind, RuleError, RuleProblem, instances};
use zug_code::Specialise;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::CodeUse;
use zug_search::{Estimates, Float, Limits, Problem};

/// Instances that states are taken from.
pub(crate) const INSTANCES: usize = 3;

/// How far rules are tried. These are counts, so that what is measured is the same every time.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// States.
    pub states: usize,
    /// Inferences after which no more states are tried.
    pub inferences: u64,
    /// Steps of making code that are paid for, as if a search had gone on for so long already.
    pub paid: u64,
}

/// Asks everything that an engine asks of the first states of a program, breadth first, and says
/// what answered: code or the machine. `None` if there is nothing to ask.
///
/// # Errors
/// There is no state to begin with.
pub fn measure(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    trial: Trial,
) -> Result<Option<CodeUse>, Box<RuleError>> {
    let mode = Specialise::On.set(w);
    let measured = within(m, &Limits::none(), |m, _| {
        m.within_limits_and_grace(|m| match contract.kind() {
            DomainKind::Program | DomainKind::Simultaneous => Ok(None),
            DomainKind::Game => measure_game(m, w, contract, trial),
            DomainKind::Puzzle => measure_puzzle(m, w, contract, trial),
        })
    });
    mode.set(w);
    measured.unwrap_or_else(|fault| Err(RuleError::abandoned(m, fault)))
}

fn measure_puzzle(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    trial: Trial,
) -> Result<Option<CodeUse>, Box<RuleError>> {
    let starts = instances(m, w, contract, INSTANCES)?;
    let ends = Ends::of(m);
    let over = m.inferences().saturating_add(trial.inferences);
    let heuristics = contract.heuristics();
    let mut problem = RuleProblem::<Float>::new(m, w, contract, None, false)?
        .with_estimates(contract, &heuristics);
    problem.pay(trial.paid);
    let mut states = Vec::new();
    for start in &starts {
        states.extend(problem.pack(&start.state));
    }
    let mut found = Vec::new();
    visit(states, trial.states, &ends, |state| {
        if problem.inferences() > over {
            return Vec::new();
        }
        // What goes wrong here goes wrong in a search too, where it is reported.
        let _ = problem.is_goal(state);
        for number in 0..problem.estimates() {
            problem.use_estimate(number);
            let _ = problem.heuristic(state);
        }
        found.clear();
        let _ = problem.successors(state, &mut found);
        found.iter().map(|successor| successor.state.clone()).collect()
    });
    Ok(problem.code_use())
}
