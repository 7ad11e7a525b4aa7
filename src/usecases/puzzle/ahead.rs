//! What is known of the way from a state to a goal, and how well.
//!
//! A blind search proves: what it finds is cheapest, and where it finds nothing there is nothing.
//! Where it does not come to its end a search with the program's first heuristic goes farther; what
//! it says holds if the heuristic never overestimates.

use super::{Puzzle, look};
use crate::Failure;
use std::sync::atomic::Ordering;
use std::time::Duration;
use zug_domain::{Contract, Heuristic, Number, Task, find};
use zug_prolog::session::Session;
use zug_report::Solution;
use zug_search::{Engine, Limits, Options, Outcome, StopReason};
use zug_term::Record;

/// States that are looked at after every move, to see a dead end.
const GLANCE: u64 = 20_000;
/// Time for that.
const GLANCE_TIME: Duration = Duration::from_millis(500);

/// The way to a goal.
#[derive(Clone, Debug)]
pub enum GoalOutlook {
    /// A plan; no plan is cheaper, proved.
    Cheapest(KnownPlan),
    /// A plan; whether there is a cheaper one is open if the heuristic of this name overestimates
    /// somewhere.
    Plan(KnownPlan, String),
    /// No plan costs less; if a heuristic is named, as long as it never overestimates.
    AtLeast(Number, Option<String>, StopReason),
    /// No final state can be reached: so many states were tried.
    DeadEnd(u64),
    /// Nothing is known.
    Unknown(StopReason),
}

/// A plan.
#[derive(Clone, Debug)]
pub struct KnownPlan {
    /// Its moves.
    pub path: Vec<Record>,
    /// The states along it.
    states: Vec<Record>,
    /// What it costs.
    pub cost: Number,
}

impl KnownPlan {
    fn of(found: Solution<Record>) -> KnownPlan {
        let cost = found.cost.as_ref().map_or(Number::Int(0), Number::of);
        KnownPlan { path: found.path.unwrap_or_default(), states: found.states, cost }
    }
}

impl GoalOutlook {
    /// The plan that is known.
    pub fn way(&self) -> Option<&KnownPlan> {
        match self {
            GoalOutlook::Cheapest(way) | GoalOutlook::Plan(way, _) => Some(way),
            _ => None,
        }
    }
}

/// A search.
fn search(
    session: &mut Session,
    (engine, heuristic): (Engine, Option<Heuristic>),
    limits: Limits,
    state: &Record,
) -> Result<Solution<Record>, Failure> {
    let contract = Contract::of(&session.machine);
    let task = Task { engine, heuristic, options: Options::default(), by_itself: false, limits };
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = find(m, w, &contract, &task, state, None);
    // Ctrl-C was for this search.
    session.machine.interrupt.store(false, Ordering::Relaxed);
    found.map_err(|error| Failure::rule(session, &error))
}

/// A blind search: what it proves.
fn blind(session: &mut Session, limits: Limits, state: &Record) -> Result<GoalOutlook, Failure> {
    let found = search(session, (Engine::Ucs, None), limits, state)?;
    Ok(match found.outcome() {
        Outcome::Solved => GoalOutlook::Cheapest(KnownPlan::of(found)),
        Outcome::Exhausted => GoalOutlook::DeadEnd(found.stats.expanded),
        Outcome::Stopped(reason) => match found.lower_bound {
            Some(bound) if bound.as_f64() > 0.0 => {
                GoalOutlook::AtLeast(Number::of(&bound), None, reason)
            }
            _ => GoalOutlook::Unknown(reason),
        },
    })
}

impl Puzzle {
    /// The way from where the person stands, as well as it can be known in the time.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn ahead(&mut self, session: &mut Session) -> Result<GoalOutlook, Failure> {
        let state = self.now.state.clone();
        self.ahead_of(session, &state)
    }

    /// The way from the start.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn ahead_of_start(&mut self, session: &mut Session) -> Result<GoalOutlook, Failure> {
        let state = self.start().clone();
        self.ahead_of(session, &state)
    }

    /// Whether it is soon seen that no final state can be reached any more: how many states that
    /// took.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn glance(&mut self, session: &mut Session) -> Result<Option<u64>, Failure> {
        let state = self.now.state.clone();
        let known = self.recall(session, &state)?;
        let found = match known {
            Some(known) => known,
            None => {
                let time = Some(self.time.min(GLANCE_TIME));
                let limits = Limits { nodes: Some(GLANCE), time, ..Limits::none() };
                let found = blind(session, limits, &state)?;
                if let GoalOutlook::Cheapest(_) | GoalOutlook::DeadEnd(_) = found {
                    self.known.push((state, found.clone()));
                }
                found
            }
        };
        Ok(match found {
            GoalOutlook::DeadEnd(states) => Some(states),
            _ => None,
        })
    }

    /// What is known of a state, perhaps from a plan that leads through it.
    fn recall(
        &self,
        session: &mut Session,
        state: &Record,
    ) -> Result<Option<GoalOutlook>, Failure> {
        for (from, known) in self.known.iter().rev() {
            if from == state {
                return Ok(Some(known.clone()));
            }
            let GoalOutlook::Cheapest(way) = known else { continue };
            let Some(at) = way.states.iter().position(|other| other == state) else { continue };
            let mut cost = Number::Int(0);
            for (step, mv) in way.path.iter().enumerate().skip(at) {
                let spot = look(session, &way.states[step])?;
                let fits = spot.moves.iter();
                let fits = fits.filter(|to| to.mv == *mv && to.state == way.states[step + 1]);
                let least = fits.map(|to| to.cost).min_by(|a, b| a.as_f64().total_cmp(&b.as_f64()));
                let Some(least) = least else { return Ok(None) };
                cost = cost.plus(least);
            }
            let (path, states) = (way.path[at..].to_vec(), way.states[at..].to_vec());
            return Ok(Some(GoalOutlook::Cheapest(KnownPlan { path, states, cost })));
        }
        Ok(None)
    }

    fn ahead_of(&mut self, session: &mut Session, state: &Record) -> Result<GoalOutlook, Failure> {
        if let Some(known) = self.recall(session, state)? {
            return Ok(known);
        }
        let contract = Contract::of(&session.machine);
        let heuristic = contract.heuristics().first().copied();
        let share = if heuristic.is_some() { self.time / 2 } else { self.time };
        let limits = Limits { time: Some(share), ..Limits::none() };
        let mut found = blind(session, limits.clone(), state)?;
        if let (Some(heuristic), GoalOutlook::AtLeast(_, _, reason) | GoalOutlook::Unknown(reason)) =
            (heuristic, &found)
            && *reason != StopReason::Cancelled
        {
            let name = heuristic.name(&session.machine.symbols);
            let informed = search(session, (Engine::Astar, Some(heuristic)), limits, state)?;
            found = better(found, informed, name);
        }
        if !matches!(found, GoalOutlook::AtLeast(..) | GoalOutlook::Unknown(_)) {
            self.known.push((state.clone(), found.clone()));
        }
        Ok(found)
    }
}

/// What a search with a heuristic adds to what a blind one proved.
fn better(proved: GoalOutlook, found: Solution<Record>, heuristic: String) -> GoalOutlook {
    let known = match proved {
        GoalOutlook::AtLeast(bound, ..) => bound.as_f64(),
        _ => 0.0,
    };
    match found.outcome() {
        Outcome::Solved => GoalOutlook::Plan(KnownPlan::of(found), heuristic),
        // Nothing was left out that the heuristic called hopeless.
        Outcome::Exhausted if found.stats.dead_ends == 0 => {
            GoalOutlook::DeadEnd(found.stats.expanded)
        }
        Outcome::Stopped(reason) => match found.lower_bound {
            Some(bound) if bound.as_f64() > known => {
                GoalOutlook::AtLeast(Number::of(&bound), Some(heuristic), reason)
            }
            _ => proved,
        },
        Outcome::Exhausted => proved,
    }
}
