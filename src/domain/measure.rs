//! What code made from rules answers, measured: the rules tried on states from the first ones on.

use crate::examine::{Ends, visit};
use crate::game::measure as measure_game;
use crate::run::within;
use crate::{Contract, DomainKind, RuleError, RuleProblem, instances};
use zug_code::Specialise;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::CodeUse;
use zug_search::{Estimates, Float, Limits, Successors};

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
            DomainKind::Program | DomainKind::Simultaneous | DomainKind::Model => Ok(None),
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
    let mut found = Successors::default();
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
        std::mem::take(&mut found.rows)
    });
    Ok(problem.code_use())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::session;
    use zug_report::{CodeObstacle, CodeReason};

    const TRIAL: Trial = Trial { states: 100, inferences: 1_000_000, paid: 0 };

    fn measured(rules: &str, trial: Trial) -> CodeUse {
        let mut session = session(rules);
        let contract = Contract::of(&session.machine);
        let (m, w) = (&mut session.machine, &mut session.world);
        measure(m, w, &contract, trial).expect("a state to begin with").expect("a puzzle or a game")
    }

    /// Questions about a predicate by code and by the machine.
    fn of(code: &CodeUse, predicate: &str) -> (u64, u64) {
        let found = code.predicates.iter().find(|known| known.predicate == predicate);
        found.map_or((0, 0), |found| (found.by_code, found.by_machine))
    }

    #[test]
    fn what_the_rules_do_is_told_of_the_predicate_and_its_line() {
        let rules = "
            initial_state(0).
            final_state(200).
            rule(up, 1, N, M) :-
                N < 200,
                write(''),
                M is N + 1.
            heuristic(N, H) :- H is 200 - N.
            heuristic(none, _, 0).
        ";
        let code = measured(rules, TRIAL);
        assert_eq!(of(&code, "rule/4"), (0, 100));
        // Every heuristic is asked, and what is code is not blamed.
        for predicate in ["final_state/1", "heuristic/2", "heuristic/3"] {
            let (by_code, by_machine) = of(&code, predicate);
            assert_eq!(by_code + by_machine, 100, "{predicate}");
            let blamed = code.obstacle(predicate).map(|reason| reason.kind);
            assert_ne!(blamed, Some(CodeObstacle::Rules), "{predicate}");
        }
        assert!(of(&code, "final_state/1").0 > 90, "{code:?}");
        let CodeReason { kind, change, line, .. } = code.obstacle("rule/4").expect("it writes");
        assert_eq!((*kind, *line), (CodeObstacle::Rules, Some(6)));
        assert_eq!(*change, Some("write in print_state/1 instead"));
        // The same states, counted in the same way.
        assert_eq!(CodeUse { making: code.making, ..measured(rules, TRIAL) }, code);
    }

    #[test]
    fn what_is_not_yet_bought_is_no_fault_of_the_rules() {
        let rules = "
            initial_state(0).
            final_state(200).
            rule(up, 1, N, M) :- \\+ ( between(1, 250, X), between(1, 250, Y), X * Y =:= N - 1000 ), M is N + 1.
        ";
        let code = measured(rules, Trial { states: 7, inferences: 10_000_000, paid: 0 });
        let rule = code.obstacle("rule/4").expect("no code");
        assert_eq!(rule.kind, CodeObstacle::NotBought, "{code:?}");
        assert_eq!(rule.change, None);
    }

    #[test]
    fn games_are_asked_for_all_that_engines_ask() {
        let code = measured(
            "
            initial_state(30).
            initial_player(a).
            opponent(a, b).
            opponent(b, a).
            move(_, K, N, M) :- member(K, [1, 2, 3]), K =< N, M is N - K.
            terminal(_, 0).
            utility(J, 0, U) :- ( J == a -> U = -1 ; U = 1 ).
            heuristic(_, N, H) :- H is N mod 4.
            ",
            TRIAL,
        );
        for predicate in ["move/4", "terminal/2", "heuristic/3", "utility/3"] {
            let (by_code, by_machine) = of(&code, predicate);
            assert!(by_code + by_machine > 0, "{predicate} was not asked");
        }
        assert!(of(&code, "move/4").0 > 50, "{code:?}");
    }
}
