//! Which contract predicates may answer otherwise when they are asked again.
//!
//! A search takes rules for functions of the state: the moves of a state, its estimate, whether
//! it is a goal. Rules that draw random numbers, look at a clock, read, or go by facts that other
//! rules change are none, and what a search proves with them is no proof. [`impurities`] follows
//! the clauses from each contract predicate, through the library, and keeps for each the goals
//! that stand in the way: *witnesses*, each at its place in the user's text.
//!
//! # Invariants
//!
//! - Facts that the rules only read, and what is asserted by directives, are no witnesses; nor is
//!   output.
//! - What is changed counts only if something reads it that a search asks for, and only if a call
//!   does not begin by setting it anew (`retractall(seen(_))`, `nb_setval(best, 0)`).
//! - Facts kept by a predicate for itself, never taken back, are [`Category::Cache`].

mod access;
mod cache;
pub mod goals;
mod kinds;
#[cfg(test)]
mod tests;

pub use kinds::Category;

use super::{DomainKind, PREDICATES};
use access::{Access, Resource, access};
use goals::{BodyGoals, Goal};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_explain::called_at;
use zug_machine::{ClauseId, Impurity, Kind, Machine, PredId, Space};
use zug_prolog::builtins::World;
use zug_prolog::user_predicate;
use zug_term::source::{Source, Span};

/// A goal through which an answer depends on more than the state.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What is called, as `random/1`.
    pub goal: String,
    /// On what the answer depends.
    pub category: Category,
    /// What is changed, for [`Impurity::Changes`] and [`Category::Cache`].
    pub changed: Option<String>,
    /// The user's predicate in whose clause it stands.
    pub caller: PredId,
    /// The goal in the user's text.
    pub place: Option<(Source, Span)>,
}

/// A contract predicate whose answers depend on more than its arguments.
#[derive(Clone, Debug)]
pub struct ImpurePredicate {
    /// The predicate, as `rule/4`.
    pub predicate: String,
    /// The same as a number.
    pub pred: PredId,
    /// Why, in the order in which the clauses are reached; one of a kind at a place.
    pub witnesses: Vec<Witness>,
}

impl ImpurePredicate {
    /// Whether it is more than kept answers.
    pub fn matters(&self) -> bool {
        self.witnesses.iter().any(|witness| witness.category != Category::Cache)
    }
}

/// Contract predicates that no engine asks about states.
const DISPLAY: &[&str] = &[
    "print_state",
    "draw_state",
    "click",
    "strategy",
    "model",
    "objective",
    "print_model",
    "actions",
];
/// Names that count in a kind of domain; in a program for queries none does.
fn asked(kind: DomainKind, name: &str) -> bool {
    match kind {
        DomainKind::Puzzle => {
            matches!(name, "initial_state" | "final_state" | "rule" | "heuristic" | "symmetry")
        }
        DomainKind::Program => false,
        DomainKind::Model => matches!(name, "model" | "objective"),
        _ => !DISPLAY.contains(&name) && !matches!(name, "rule" | "final_state"),
    }
}

/// What clauses show of the purity of a program's contract predicates.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Those that are no functions of the state, in the order of the contract.
    pub impurities: Vec<ImpurePredicate>,
    /// Some goals that they reach are known only when they are called.
    pub has_unknown: bool,
}

/// The contract predicates of a program that are no functions of the state, in the order of the
/// contract.
pub fn impurities(m: &Machine, w: &World, kind: DomainKind) -> Vec<ImpurePredicate> {
    survey(m, w, kind).impurities
}

/// What clauses show of the purity of a program's contract predicates.
pub fn survey(m: &Machine, w: &World, kind: DomainKind) -> Survey {
    let roots = PREDICATES.iter().filter(|p| asked(kind, p.name));
    let roots: Vec<PredId> = roots.filter_map(|p| user_predicate(m, p.name, p.arity)).collect();
    let mut program = Program::new(m);
    let reached: Vec<Vec<PredId>> = roots.iter().map(|&root| program.reach(root)).collect();
    let all: Vec<PredId> = {
        let mut seen = FxHashSet::default();
        reached.iter().flatten().copied().filter(|&pred| seen.insert(pred)).collect()
    };
    let changes = program.changes(&all);
    let mut found = Vec::new();
    for (&root, reached) in roots.iter().zip(&reached) {
        let mut witnesses = program.direct(w, reached);
        for change in &changes {
            if !program.depends(root, change.access.key) {
                continue;
            }
            let cached = cache::is_cache(&program, &all, change.access.key);
            let category =
                if cached { Category::Cache } else { Category::Impure(Impurity::Changes) };
            witnesses.push(program.witness(w, change, category));
        }
        if !witnesses.is_empty() {
            let predicate = m.program.indicator(root, &m.symbols);
            found.push(ImpurePredicate { predicate, pred: root, witnesses });
        }
    }
    let mut bodies = all.iter().flat_map(|&pred| program.bodies(pred));
    let has_unknown = bodies.any(|body| body.walk.unknown);
    Survey { impurities: found, has_unknown }
}

/// The user's predicates that a call of one may reach, itself first.
pub fn reached(m: &Machine, root: PredId) -> Vec<PredId> {
    Program::new(m).reach(root)
}

/// A goal that changes something.
struct Change {
    pred: PredId,
    clause: ClauseId,
    goal: Goal,
    access: Access,
}

/// A clause as the analysis sees it.
pub(super) struct Body {
    pub clause: ClauseId,
    pub walk: BodyGoals,
    /// For each goal, what it does with what outlives a call.
    pub accesses: Vec<Option<Access>>,
    /// For each goal, the user's predicate that it calls.
    pub callees: Vec<Option<PredId>>,
}

/// The clauses of the user's predicates that were reached.
struct Program<'m> {
    m: &'m Machine,
    bodies: FxHashMap<PredId, Vec<Body>>,
}

impl<'m> Program<'m> {
    fn new(m: &'m Machine) -> Program<'m> {
        Program { m, bodies: FxHashMap::default() }
    }

    fn bodies(&self, pred: PredId) -> &[Body] {
        self.bodies.get(&pred).map_or(&[], Vec::as_slice)
    }

    /// The user's predicates that a call may reach, itself first.
    fn reach(&mut self, root: PredId) -> Vec<PredId> {
        let mut found = vec![root];
        let mut seen = FxHashSet::from_iter([root]);
        let mut next = 0;
        while next < found.len() {
            let pred = found[next];
            next += 1;
            if !self.bodies.contains_key(&pred) {
                let clauses = self.m.program.live_clauses(pred);
                let bodies = clauses.into_iter().map(|id| self.body(id)).collect();
                self.bodies.insert(pred, bodies);
            }
            let callees = self.bodies(pred).iter().flat_map(|body| body.callees.iter().flatten());
            found.extend(callees.copied().filter(|&callee| seen.insert(callee)));
        }
        found
    }

    fn body(&self, clause: ClauseId) -> Body {
        let walk = goals::walk(self.m, clause);
        let callees: Vec<_> = walk.goals.iter().map(|goal| callee(self.m, goal)).collect();
        let accesses = walk.goals.iter().zip(&callees).map(|(goal, callee)| {
            let changing = callee.is_none_or(|id| {
                matches!(self.m.program.preds[id as usize].kind, Kind::Dynamic | Kind::Undefined)
            });
            let own = self.m.program.is_users(goal.name, goal.arity, goal.space);
            let known = if own { None } else { access(self.m, clause, goal) };
            let key = Resource::Facts(goal.name, goal.arity);
            let read = Access { key, reads: true, writes: false, fresh: false };
            known.or_else(|| (changing && goal.space.is_users()).then_some(read))
        });
        Body { clause, accesses: accesses.collect(), callees, walk }
    }

    /// Goals of reached clauses that are impure by themselves.
    fn direct(&self, w: &World, reached: &[PredId]) -> Vec<Witness> {
        let mut found = Vec::new();
        for &pred in reached {
            for body in self.bodies(pred) {
                for (goal, callee) in body.walk.goals.iter().zip(&body.callees) {
                    for category in self.categories(body.clause, goal, *callee) {
                        let place = called_at(self.m, w, body.clause, goal.slot, goal.name);
                        let goal = self.named(goal);
                        found.push(Witness { goal, category, changed: None, caller: pred, place });
                    }
                }
            }
        }
        found
    }

    fn categories(&self, id: ClauseId, goal: &Goal, callee: Option<PredId>) -> Vec<Category> {
        if callee.is_some() {
            return Vec::new();
        }
        if let Some(category) = goal.evaluated(self.m, id) {
            return vec![category];
        }
        match self.m.program.lookup(goal.name, goal.arity, Space::System) {
            // Writing a file changes no answer.
            Some(_) if self.opens_for_output(id, goal) => Vec::new(),
            Some(system) => kinds::of_system(self.m, system),
            None => Vec::new(),
        }
    }

    fn opens_for_output(&self, id: ClauseId, goal: &Goal) -> bool {
        let cells = &self.m.program.clauses[id as usize].record.cells;
        let mode = goal.arg(cells, 1).and_then(|cell| cell.as_atom());
        self.m.symbols.name(goal.name) == "open"
            && mode.is_some_and(|mode| self.m.symbols.name(mode) != "read")
    }

    fn named(&self, goal: &Goal) -> String {
        format!("{}/{}", self.m.symbols.name(goal.name), goal.arity)
    }

    /// The first goal for each thing that reached clauses change.
    fn changes(&self, reached: &[PredId]) -> Vec<Change> {
        let mut found: Vec<Change> = Vec::new();
        for &pred in reached {
            for body in self.bodies(pred) {
                for (goal, access) in body.walk.goals.iter().zip(&body.accesses) {
                    let Some(access) = access.filter(|access| access.writes) else { continue };
                    // To take all facts away is no change by itself.
                    let known = found.iter_mut().find(|change| change.access.key == access.key);
                    match known {
                        Some(known) if known.access.fresh && !access.fresh => {
                            *known = Change { pred, clause: body.clause, goal: *goal, access };
                        }
                        Some(_) => {}
                        None => {
                            found.push(Change { pred, clause: body.clause, goal: *goal, access });
                        }
                    }
                }
            }
        }
        found
    }

    fn witness(&self, w: &World, change: &Change, category: Category) -> Witness {
        let goal = &change.goal;
        Witness {
            goal: self.named(goal),
            category,
            changed: Some(change.access.key.text(self.m)),
            caller: change.pred,
            place: called_at(self.m, w, change.clause, goal.slot, goal.name),
        }
    }

    /// Whether a call may read something before it sets it anew.
    fn depends(&self, root: PredId, key: Resource) -> bool {
        let mut seen = FxHashSet::from_iter([root]);
        let mut todo = vec![root];
        while let Some(pred) = todo.pop() {
            for body in self.bodies(pred) {
                for at in 0..body.walk.goals.len() {
                    let reads = body.accesses[at].is_some_and(|t| t.reads && t.key.meets(key));
                    let callee = body.callees[at].filter(|callee| !seen.contains(callee));
                    if !reads && callee.is_none() || self.is_set(body, at, key) {
                        continue;
                    }
                    if reads {
                        return true;
                    }
                    todo.extend(callee);
                    seen.extend(callee);
                }
            }
        }
        false
    }

    /// Whether something was set anew before a goal of a clause is called.
    fn is_set(&self, body: &Body, at: usize, key: Resource) -> bool {
        (0..at).any(|before| {
            body.walk.precedes(before, at)
                && (body.accesses[before].is_some_and(|t| t.fresh && t.key == key)
                    || body.callees[before].is_some_and(|callee| self.sets(callee, key)))
        })
    }

    /// Whether every clause of a predicate sets something anew, by itself.
    fn sets(&self, pred: PredId, key: Resource) -> bool {
        let bodies = self.bodies(pred);
        !bodies.is_empty()
            && bodies.iter().all(|body| {
                body.walk.goals.iter().zip(&body.accesses).any(|(goal, access)| {
                    goal.part == 0 && access.is_some_and(|t| t.fresh && t.key == key)
                })
            })
    }
}

/// The user's predicate that a goal calls.
fn callee(m: &Machine, goal: &Goal) -> Option<PredId> {
    let found = m.program.find(goal.name, goal.arity, goal.space);
    found.filter(|&id| m.program.preds[id as usize].space.is_users())
}
