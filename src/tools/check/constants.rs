//! Constants of states: one that the rules never speak of, where they look for another.

use super::states::StateSample;
use rustc_hash::FxHashSet;
use zug_domain::{Contract, purity, short_text};
use zug_explain::{alike_names, head_args, visit};
use zug_machine::{ClauseId, Machine, PredId};
use zug_prolog::builtins::World;
use zug_term::{Cell, Record};

/// Constants named in a message.
const NAMED: usize = 3;
/// The argument of `rule/4` that is the state before a move.
const FROM: usize = 2;

/// Atoms and small integers in a term of an image.
fn constants(cells: &[Cell], root: Cell, found: &mut FxHashSet<Cell>) {
    visit(cells, root, &mut |cell| {
        let constant = cell.is_atom() && cell != Cell::NIL || cell.as_int().is_some();
        if constant {
            found.insert(cell);
        }
    });
}

fn of_state(state: &Record) -> FxHashSet<Cell> {
    let (heap, root) = state.to_heap();
    let mut found = FxHashSet::default();
    constants(&heap.cells, root, &mut found);
    found
}

/// Constants in an argument of a clause's head.
fn of_argument(m: &Machine, id: ClauseId, at: usize) -> FxHashSet<Cell> {
    let clause = &m.program.clauses[id as usize];
    let mut found = FxHashSet::default();
    if let Some(&cell) = head_args(clause).get(at) {
        constants(&clause.record.cells, cell, &mut found);
    }
    found
}

/// Constants in clauses of predicates; of the heads of `rule` those of the state before a move
/// alone.
fn of_clauses(m: &Machine, preds: &[PredId], rule: Option<PredId>) -> FxHashSet<Cell> {
    let mut found = FxHashSet::default();
    for &pred in preds {
        let places = if rule == Some(pred) { FROM..FROM + 1 } else { 0..usize::MAX };
        for id in m.program.live_clauses(pred) {
            let clause = &m.program.clauses[id as usize];
            let args = head_args(clause).into_iter().take(places.end).skip(places.start);
            for cell in args.chain([clause.body()]) {
                constants(&clause.record.cells, cell, &mut found);
            }
        }
    }
    found
}

/// Constants in the heads of the goal's clauses, a set for each.
fn of_goals(m: &Machine, goal: PredId) -> Vec<FxHashSet<Cell>> {
    m.program.live_clauses(goal).into_iter().map(|id| of_argument(m, id, 0)).collect()
}

fn names(m: &Machine, w: &World, cells: &FxHashSet<Cell>) -> String {
    let text = |cell: &Cell| {
        let constant = Record { cells: vec![*cell].into(), root: *cell };
        format!("`{}`", short_text(m, w, &constant))
    };
    let mut texts: Vec<String> = cells.iter().map(text).collect();
    texts.sort();
    texts.join(", ")
}

/// What is to be said of constants of a start that occur nowhere else in the program.
pub(super) fn strangers(
    m: &Machine,
    w: &World,
    contract: &Contract,
    start: &Record,
) -> Option<String> {
    let initial = [contract.initial, contract.named_initial];
    let others: Vec<PredId> =
        super::user_predicates(m).filter(|&pred| !initial.contains(&Some(pred))).collect();
    let (inside, elsewhere) = (of_state(start), of_clauses(m, &others, None));
    let mut strange: FxHashSet<Cell> = inside.difference(&elsewhere).copied().collect();
    let rules = purity::reached(m, contract.rule?);
    let looked_for = of_clauses(m, &rules, contract.rule);
    let goals: FxHashSet<Cell> =
        contract.goal.map_or(Vec::new(), |goal| of_goals(m, goal)).into_iter().flatten().collect();
    let wanted = |cell: &&Cell| looked_for.contains(cell) && !inside.contains(cell);
    let mut wanted: FxHashSet<Cell> = goals.iter().filter(wanted).copied().collect();
    if wanted.is_empty() {
        let clauses = m.program.live_clauses(contract.rule?).into_iter();
        wanted = clauses.flat_map(|id| of_argument(m, id, FROM)).collect();
        wanted.retain(|cell| !inside.contains(cell));
    }
    // Numbers are computed and compared more often than looked for.
    if !wanted.iter().any(|cell| cell.is_atom()) {
        strange.retain(|cell| cell.is_atom());
    }
    if strange.is_empty() || strange.len() > NAMED {
        return None;
    }
    let stands = if strange.len() == 1 { "stands" } else { "stand" };
    let strange = names(m, w, &strange);
    Some(match wanted.len() {
        1..=NAMED => format!(
            "{strange} in the initial state {stands} nowhere else; the rules look for {}, which \
             is not in it",
            names(m, w, &wanted)
        ),
        _ => format!("{strange} in the initial state {stands} nowhere else: is it mistyped?"),
    })
}

/// Constants of `final_state/1` that no state has that was seen, and that no rule speaks of; and
/// advice if one is nearly another constant.
pub(super) fn never_made(
    m: &Machine,
    w: &World,
    contract: &Contract,
    seen: &StateSample,
) -> Option<(String, Option<String>)> {
    if seen.ends || seen.states.len() < 2 {
        return None;
    }
    let rules = purity::reached(m, contract.rule?);
    // What is made of parts of names, or computed, stands nowhere.
    let calls = |makes: &dyn Fn(&str) -> bool| {
        let mut clauses = rules.iter().flat_map(|&pred| m.program.live_clauses(pred));
        clauses.any(|id| {
            let goals = purity::goals::of_clause(m, id);
            goals.iter().any(|goal| makes(m.symbols.name(goal.name)))
        })
    };
    const MAKERS: [&str; 8] =
        ["is", "succ", "plus", "between", "length", "nb_getval", "clause", "call"];
    const PARTS: [&str; 11] =
        ["atom", "char", "term", "number", "string", "nth", "sum", "max", "min", "num", "fold"];
    let made =
        calls(&|name| MAKERS.contains(&name) || PARTS.iter().any(|part| name.contains(part)));
    let mut known = of_clauses(m, &rules, None);
    for (state, _) in &seen.states {
        known.extend(of_state(state));
    }
    let mut missing = of_goals(m, contract.goal?);
    for wanted in &mut missing {
        wanted.retain(|cell| !known.contains(cell) && (!made || cell.is_atom()));
    }
    let atoms_made = calls(&|name| {
        name.contains("atom") || name.contains("term") || name == "=.." || name == "call"
    });
    let first = missing.iter().find(|missing| !missing.is_empty())?;
    if atoms_made || missing.iter().any(FxHashSet::is_empty) {
        return None;
    }
    let text = |cell: &Cell| cell.as_atom().map(|atom| m.symbols.name(atom));
    let mut near: Vec<&str> = known
        .iter()
        .filter_map(text)
        .filter(|known| first.iter().filter_map(text).any(|name| alike_names(name, known)))
        .collect();
    near.sort_unstable();
    let meant = near.first().map(|known| format!("did you mean `{known}`?"));
    Some((names(m, w, first), meant))
}
