//! Unbound variables: goals that compute with a variable, or compare it by `\=`, before any goal can have bound it; and
//! results that one branch of a disjunction leaves unbound.

use super::slips::is_comparison;
use rustc_hash::FxHashSet;
use zug_domain::{Contract, PREDICATES};
use zug_explain::{called_at, functor, has, head_args, head_place, resolve, variables_in};
use zug_machine::{ClauseId, Machine};
use zug_prolog::builtins::World;
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::{Atom, atoms};

pub(super) fn in_clauses(m: &Machine, w: &World, contract: &Contract) -> Vec<Diagnostic> {
    let asked = [
        contract.rule,
        contract.heuristic,
        contract.game.as_ref().map(|roles| roles.moves.pred),
        contract.game.as_ref().and_then(|roles| Some(roles.utility?.pred)),
    ];
    let mut findings = Vec::new();
    for (pred, id) in super::user_clauses(m) {
        if m.program.clauses[id as usize].place.is_some() {
            findings.extend(Walk::new(m, w, id, asked.contains(&Some(pred))).findings());
        }
    }
    findings
}

/// The variables of a contract predicate's head that stand in its results alone.
fn head_results(m: &Machine, id: ClauseId) -> FxHashSet<Cell> {
    let clause = &m.program.clauses[id as usize];
    let predicate = &m.program.preds[clause.pred as usize];
    let name = m.symbols.name(predicate.name);
    let known = PREDICATES.iter().find(|p| p.name == name && p.arity == predicate.arity);
    let Some(known) = known else { return FxHashSet::default() };
    let pattern = known.pattern.split_once('(').map_or("", |(_, rest)| rest);
    let is_result = |word: &str| matches!(word, "Cost" | "S2" | "H" | "U" | "Name" | "M");
    let places: Vec<&str> = pattern.trim_end_matches(')').split(", ").collect();
    let (mut given, mut results) = (FxHashSet::default(), FxHashSet::default());
    for (at, arg) in head_args(clause).into_iter().enumerate() {
        let into = match places.get(at) {
            Some(word) if is_result(word) => &mut results,
            _ => &mut given,
        };
        into.extend(variables_in(&clause.record.cells, arg));
    }
    results.retain(|variable| !given.contains(variable));
    results
}

/// Disjunctions and negations within each other that are looked into.
const DEEPEST: usize = 100;

/// A walk through the body of a clause in the order in which its goals are called.
struct Walk<'m> {
    m: &'m Machine,
    w: &'m World,
    id: ClauseId,
    cells: &'m [Cell],
    /// Variables of the head that are results: they have no value before the body gives them one.
    results: FxHashSet<Cell>,
    findings: Vec<Diagnostic>,
}

impl<'m> Walk<'m> {
    fn new(m: &'m Machine, w: &'m World, id: ClauseId, of_contract: bool) -> Walk<'m> {
        let cells = &m.program.clauses[id as usize].record.cells;
        let results = if of_contract { head_results(m, id) } else { FxHashSet::default() };
        Walk { m, w, id, cells, results, findings: Vec::new() }
    }

    fn variables(&self, term: Cell) -> Vec<Cell> {
        variables_in(self.cells, term)
    }

    fn findings(mut self) -> Vec<Diagnostic> {
        let clause = &self.m.program.clauses[self.id as usize];
        let mut known: FxHashSet<Cell> = self.variables(clause.head()).into_iter().collect();
        known.retain(|variable| !self.results.contains(variable));
        self.goal(clause.record.root.addr() + 2, 0, &mut known);
        self.findings
    }

    /// Goes through a goal; `known`: the variables that may be bound before, and then behind it. What is nested too
    /// deeply counts as one goal.
    fn goal(&mut self, mut slot: usize, depth: usize, known: &mut FxHashSet<Cell>) {
        loop {
            let term = resolve(self.cells, self.cells[slot]);
            let Some((name, arity, args)) = functor(self.cells, term) else { return };
            match (name, arity) {
                (atoms::COMMA | atoms::ARROW | atoms::SOFT_ARROW, 2) if depth < DEEPEST => {
                    self.goal(args, depth + 1, known);
                    slot = args + 1;
                    continue;
                }
                (atoms::SEMICOLON | atoms::BAR, 2) if depth < DEEPEST => {
                    let before = known.clone();
                    let mut other = known.clone();
                    self.goal(args, depth + 1, known);
                    self.goal(args + 1, depth + 1, &mut other);
                    self.one_sided(slot, (args, known), (args + 1, &other), &before);
                    known.extend(other);
                }
                (atoms::NOT_PROVABLE | atoms::NOT, 1) if depth < DEEPEST => {
                    self.goal(args, depth + 1, &mut known.clone());
                }
                _ => {
                    self.without_value(slot, (name, arity, args), known);
                    known.extend(self.variables(term));
                }
            }
            return;
        }
    }

    /// Tells of a goal that needs a value which nothing has given.
    fn without_value(
        &mut self,
        slot: usize,
        (name, arity, args): (Atom, usize, usize),
        known: &FxHashSet<Cell>,
    ) {
        if arity != 2 || self.m.program.is_users(name, arity, zug_machine::Space::User) {
            return;
        }
        let (needed, is_test): (&[usize], _) = match name {
            atoms::IS => (&[1], false),
            name if is_comparison(name) => (&[0, 1], false),
            atoms::NOT_UNIFY => (&[0, 1], true),
            _ => return,
        };
        let parts = needed.iter().map(|&at| self.cells[args + at]);
        let is_open = |variable: &Cell| variable.is_var() && !known.contains(variable);
        let open = match is_test {
            // Variables inside of terms tell them apart later.
            true => parts.map(|part| resolve(self.cells, part)).find(is_open),
            false => parts.flat_map(|part| self.variables(part)).find(is_open),
        };
        let Some(open) = open else { return };
        let Some((source, span)) = called_at(self.m, self.w, self.id, slot, name) else { return };
        let Some(variable) = self.name_of(open) else { return };
        let operator = self.m.symbols.name(name);
        let message = match is_test {
            true => {
                format!("`{variable}` has no value yet, so that `{operator}` is always false here")
            }
            false => format!("`{variable}` has no value yet where `{operator}` computes with it"),
        };
        let hint = match self.given_later(open, slot) {
            Some(line) => format!(
                "move this goal behind the one in line {line}, which gives `{variable}` a value"
            ),
            None => {
                format!("no goal before this one gives `{variable}` a value: is the name mistyped?")
            }
        };
        self.findings.push(Diagnostic::warning("W0529", message).at(&source, span, "").hint(hint));
    }

    /// The line of a goal behind another one that has a variable.
    fn given_later(&self, variable: Cell, slot: usize) -> Option<u32> {
        let goals = zug_domain::purity::goals::of_clause(self.m, self.id);
        let at = goals.iter().position(|goal| goal.slot == slot)?;
        let later = goals[at + 1..].iter().find(|goal| {
            let first = if goal.name == atoms::IS { 1 } else { goal.written };
            !is_comparison(goal.name)
                && (0..first).any(|i| self.variables(self.cells[goal.args + i]).contains(&variable))
        })?;
        let (source, span) = called_at(self.m, self.w, self.id, later.slot, later.name)?;
        Some(source.position(span.start).line)
    }

    /// Tells of results of the clause that one branch gives a value and the other leaves open.
    fn one_sided(
        &mut self,
        slot: usize,
        (left, after_left): (usize, &FxHashSet<Cell>),
        (right, after_right): (usize, &FxHashSet<Cell>),
        before: &FxHashSet<Cell>,
    ) {
        let sides = [(after_left, right, after_right), (after_right, left, after_left)];
        for (here, other, there) in sides {
            let open = self.results.iter().copied().find(|variable| {
                here.contains(variable) && !there.contains(variable) && !before.contains(variable)
            });
            let Some(open) = open.filter(|_| !self.fails(other) && !self.given_behind(slot)) else {
                continue;
            };
            let Some(variable) = self.name_of(open) else { continue };
            let Some((source, span)) = self.place_of(other) else { continue };
            let message =
                format!("`{variable}` gets a value in the other branch and none in this one");
            let hint = match self.is_choice(slot) {
                true => {
                    format!(
                        "what the clause gives has `{variable}` in it: give it a value here, too"
                    )
                }
                false => format!(
                    "`;` means or: write `,` if both are to hold; else give `{variable}` a value here, too"
                ),
            };
            let finding = Diagnostic::warning("W0530", message).at(&source, span, "").hint(hint);
            self.findings.push(finding);
            return;
        }
    }

    /// Whether a branch ends in a failure or an error, so that nothing is left open.
    fn fails(&self, slot: usize) -> bool {
        has(self.cells, self.cells[slot], |cell| {
            let term = functor(self.cells, cell);
            let name = term.map(|(name, arity, _)| (self.m.symbols.name(name), arity));
            matches!(name, Some(("fail" | "false", 0) | ("throw", _)))
        })
    }

    /// Whether goals behind a disjunction may give values.
    fn given_behind(&self, slot: usize) -> bool {
        let goals = zug_domain::purity::goals::of_clause(self.m, self.id);
        let mut inside = FxHashSet::default();
        let mut todo = vec![slot];
        while let Some(slot) = todo.pop() {
            inside.insert(slot);
            if let Some((_, arity, args)) = functor(self.cells, self.cells[slot]) {
                todo.extend(args..args + arity);
            }
        }
        let last = goals.iter().rposition(|goal| inside.contains(&goal.slot));
        let behind = last.map_or(&[][..], |last| &goals[last + 1..]);
        behind.iter().any(|goal| {
            (0..goal.written).any(|i| {
                self.variables(self.cells[goal.args + i]).iter().any(|v| self.results.contains(v))
            })
        })
    }

    /// Whether a disjunction is `( Condition -> … ; … )`.
    fn is_choice(&self, slot: usize) -> bool {
        let parts = functor(self.cells, self.cells[slot]);
        let first = parts.and_then(|(_, _, args)| functor(self.cells, self.cells[args]));
        first.is_some_and(|(name, ..)| matches!(name, atoms::ARROW | atoms::SOFT_ARROW))
    }

    /// Where the first goal of a branch stands.
    fn place_of(&self, mut slot: usize) -> Option<(Source, Span)> {
        loop {
            let (name, arity, args) = functor(self.cells, self.cells[slot])?;
            let inner =
                matches!(name, atoms::COMMA | atoms::ARROW | atoms::SOFT_ARROW | atoms::SEMICOLON);
            if !(inner && arity == 2) {
                return called_at(self.m, self.w, self.id, slot, name)
                    .or_else(|| head_place(self.m, self.w, self.id));
            }
            slot = args;
        }
    }

    fn name_of(&self, variable: Cell) -> Option<String> {
        let place = self.m.program.clauses[self.id as usize].place.as_deref()?;
        let named = place.variables.iter().find(|(_, at)| *at as usize == variable.addr())?;
        Some(named.0.to_string())
    }
}
