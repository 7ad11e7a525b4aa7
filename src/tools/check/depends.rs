//! Rules that are no functions of the state: what [`impurities`] knows, in words.

use super::names::Uses;
use super::placed;
use zug_domain::purity::{self, Category, Witness, impurities};
use zug_domain::{DomainKind, PREDICATES};
use zug_explain::{called_at, functor};
use zug_machine::{Impurity, Machine, PredId, Space};
use zug_prolog::builtins::World;
use zug_prolog::user_predicate;
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;

/// One finding for each goal through which contract predicates depend on more than the state.
pub(super) fn on_more(m: &Machine, w: &World, kind: DomainKind) -> Vec<Diagnostic> {
    let mut goals: Vec<(Witness, Vec<String>)> = Vec::new();
    for impurity in impurities(m, w, kind) {
        for witness in impurity.witnesses {
            // A start may be drawn by chance; it is the same for the whole search.
            let start = impurity.predicate.starts_with("initial_state/");
            let harmless = witness.category == Category::Cache
                || start && witness.category != Category::Impure(Impurity::Changes);
            if harmless {
                continue;
            }
            let same = |known: &&mut (Witness, Vec<String>)| {
                let other = &known.0;
                let span = |w: &Witness| w.place.as_ref().map(|place| place.1);
                other.goal == witness.goal
                    && other.category == witness.category
                    && other.changed == witness.changed
                    && span(other) == span(&witness)
            };
            match goals.iter_mut().find(same) {
                Some(known) => known.1.push(impurity.predicate.clone()),
                None => goals.push((witness, vec![impurity.predicate.clone()])),
            }
        }
    }
    goals.iter().map(|(witness, asked)| told(witness, asked)).collect()
}

/// Facts that rules of the contract assert, and that no clause reads.
pub(super) fn unread_facts(
    m: &Machine,
    w: &World,
    kind: DomainKind,
    uses: &Uses,
) -> Vec<Diagnostic> {
    if kind == DomainKind::Program {
        return Vec::new();
    }
    let mut told: Vec<PredId> = Vec::new();
    let mut findings = Vec::new();
    let roots = PREDICATES.iter().filter_map(|p| user_predicate(m, p.name, p.arity));
    let mut reached: Vec<PredId> = roots.flat_map(|root| purity::reached(m, root)).collect();
    reached.sort_unstable();
    reached.dedup();
    let clauses = reached.iter().flat_map(|&pred| m.program.live_clauses(pred));
    for id in clauses {
        let cells: &[Cell] = &m.program.clauses[id as usize].record.cells;
        for goal in purity::goals::of_clause(m, id) {
            if !matches!(m.symbols.name(goal.name), "assert" | "asserta" | "assertz")
                || goal.written != 1
                || m.program.is_users(goal.name, goal.arity, goal.space)
            {
                continue;
            }
            let fact = goal.arg(cells, 0).and_then(|fact| functor(cells, fact));
            let Some((name, arity, _)) = fact else { continue };
            let Some(pred) = m.program.lookup(name, arity, Space::User) else { continue };
            if told.contains(&pred) || uses.is_read(m, pred) {
                continue;
            }
            told.push(pred);
            let indicator = m.program.indicator(pred, &m.symbols);
            let message = format!("`{indicator}` is asserted, and nobody reads it");
            let finding = Diagnostic::warning("W0524", message).hint(
                "a search keeps what was visited by itself; what a rule must know belongs into \
                 the state",
            );
            findings.push(placed(finding, called_at(m, w, id, goal.slot, goal.name)));
        }
    }
    findings
}

fn told(witness: &Witness, asked: &[String]) -> Diagnostic {
    let predicates = asked.join(", ");
    let (code, hint) = match witness.category {
        Category::Impure(Impurity::Changes) | Category::Cache => (
            "W0515",
            "a search itself remembers the states it has met: delete such goals; what else a move must know belongs in the state",
        ),
        Category::Impure(Impurity::Random) if asked.iter().all(|p| p.starts_with("heuristic/")) => {
            ("W0514", "an estimate is computed from the state alone: the same one every time")
        }
        Category::Impure(Impurity::Random) => (
            "W0514",
            "a move of chance is a move of the player `chance`, with probability/3; in a puzzle \
             a rule gives all moves there are",
        ),
        _ => ("W0514", "what a search must know belongs in the state, or in facts"),
    };
    let (on, goal) = (witness.category.words(), &witness.goal);
    let how = match &witness.changed {
        Some(changed) => format!("{goal} changes {changed}"),
        None => format!("{goal} is called"),
    };
    let message =
        format!("what {predicates} answers depends on {on}, not on the state alone: {how}");
    placed(Diagnostic::warning(code, message).hint(hint), witness.place.clone())
}
