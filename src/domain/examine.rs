//! What the specialiser makes of a program: its rules tried on some hundred states.

use super::game::{self, RuleGame};
use super::run::within;
use super::{Contract, DomainKind, Packed, RuleError, RuleProblem, instances};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use zug_code::{Examined, Specialise, Stage};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::game::Game;
use zug_search::{Float, Limits, Successors};

/// States that the rules are tried on.
pub(super) const STATES: usize = 400;
/// Instances they are taken from.
const INSTANCES: usize = 8;

/// Tries the rules of a program and says for each contract predicate and shape of states
/// whether there is code for it; `stage` asks for a text of it. With a limit of time the rules
/// are tried on as many states as it allows.
///
/// # Errors
/// There is no state to begin with.
pub fn examine(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    stage: Stage,
    time: Option<Duration>,
) -> Result<Vec<Examined>, Box<RuleError>> {
    let mode = Specialise::On.set(w);
    let limits = Limits { time, ..Limits::none() };
    let examined = within(m, &limits, |m, _| {
        m.within_limits_and_grace(|m| match contract.kind() {
            DomainKind::Game => game::examine(m, w, contract, stage, INSTANCES),
            _ => examine_puzzle(m, w, contract, stage),
        })
    });
    mode.set(w);
    examined.unwrap_or_else(|fault| Err(RuleError::abandoned(m, fault)))
}

fn examine_puzzle(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    stage: Stage,
) -> Result<Vec<Examined>, Box<RuleError>> {
    let starts = instances(m, w, contract, INSTANCES)?;
    let ends = Ends::of(m);
    let mut heuristics: Vec<_> = contract.heuristics().into_iter().map(Some).collect();
    if heuristics.is_empty() {
        heuristics.push(None);
    }
    let mut all: Vec<Examined> = Vec::new();
    for heuristic in heuristics {
        let mut problem = RuleProblem::<Float>::new(m, w, contract, heuristic, false)?;
        let mut states = Vec::new();
        for start in &starts {
            states.extend(problem.pack(&start.state));
        }
        let mut found = Successors::default();
        visit(states, STATES, &ends, |state| {
            // What goes wrong here goes wrong in a search too, where it is reported.
            let _ = problem.is_goal(state);
            let _ = problem.heuristic(state);
            found.clear();
            let _ = problem.successors(state, &mut found);
            std::mem::take(&mut found.rows)
        });
        for examined in problem.examine(stage) {
            if !all.iter().any(|known| known.what == examined.what) {
                all.push(examined);
            }
        }
    }
    Ok(all)
}

/// What ends a visit early: the machine's deadline, and an interrupt.
pub(super) struct Ends(Option<Instant>, Arc<AtomicBool>);

impl Ends {
    pub(super) fn of(m: &Machine) -> Ends {
        Ends(m.deadline, m.interrupt.clone())
    }

    fn now(&self) -> bool {
        self.0.is_some_and(|deadline| Instant::now() > deadline) || self.1.load(Ordering::Relaxed)
    }
}

/// Visits so many states, breadth first.
pub(super) fn visit<S: Clone + Eq + Hash>(
    starts: Vec<S>,
    most: usize,
    ends: &Ends,
    mut next: impl FnMut(&S) -> Vec<S>,
) {
    let mut seen: FxHashSet<S> = FxHashSet::default();
    let mut queue: VecDeque<S> = starts.into();
    while let Some(state) = queue.pop_front() {
        if seen.len() >= most || ends.now() {
            break;
        }
        if seen.insert(state.clone()) {
            queue.extend(next(&state).into_iter().filter(|state| !seen.contains(state)));
        }
    }
}

/// Asks everything there is to ask about a state of a game: where its moves lead.
pub(super) fn visit_position(game: &mut RuleGame<'_>, state: &Packed) -> Vec<Packed> {
    let over = game.is_over(state).unwrap_or(true);
    for player in 0..game.known_players().min(2) {
        if over {
            let _ = game.utility(state, player);
        }
        if game.has_heuristic() {
            let _ = game.heuristic(state, player);
        }
    }
    let mut moves = Vec::new();
    if !over {
        let _ = game.moves(state, &mut moves);
    }
    moves.into_iter().map(|(_, state)| state).collect()
}
