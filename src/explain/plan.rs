//! `why_not(plan(Moves))`: the first move of a plan that does not apply, or why the state that
//! it comes to is not final. The walk is `'$plan_trouble'/3` of the library. Where no moves are
//! given, or an engine is asked, the state that comes nearest to a final one.

use super::explanation::Explanation;
use super::question::Question;
use super::terms::{Store, TermPrinter};
use super::why_not::why_not;
use zug_machine::{Fault, Machine, PredId, Space};
use zug_prolog::builtins::World;
use zug_prolog::user_predicate;
use zug_search::engines;
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap, Record};

/// Clauses of `final_state/1` that states are compared with.
const HEADS: usize = 20;

/// Explains what is wrong with a plan; `None` if the goal is no call of the library's
/// `plan/1` or `plan/2`.
///
/// # Errors
/// What the rules raise; an interrupt.
pub fn plan(m: &mut Machine, w: &mut World, goal: Cell) -> Result<Option<Explanation>, Fault> {
    let Some((name, arity, args)) = m.heap.name_arity(goal) else { return Ok(None) };
    let is_plan = m.symbols.name(name) == "plan" && (1..=2).contains(&arity);
    if !is_plan || !is_system(m, name, arity) {
        return Ok(None);
    }
    let moves = m.heap.at(args + arity - 1);
    if m.heap.deref(moves).is_var() {
        return Ok(None);
    }
    let start = if arity == 2 { m.heap.at(args) } else { m.heap.new_var() };
    let query = m.heap.new_struct(atoms::CALL, &[goal]);
    let query = Record::new(&mut m.heap, query);
    let Some(found) = walked(m, w, "$plan_trouble", &[start, moves])? else { return Ok(None) };
    trouble(m, w, &query, &found)
}

/// The last argument of a walk of the library, if it succeeds with the other ones.
fn walked(
    m: &mut Machine,
    w: &mut World,
    name: &str,
    args: &[Cell],
) -> Result<Option<Record>, Fault> {
    let walk = m.symbols.intern(name);
    let walk = m.program.pred(walk, args.len() + 1, Space::System);
    m.ask(w, |ask| {
        let [found] = ask.outputs();
        if !ask.call(walk, &[args, &[found]].concat())? {
            return Ok(None);
        }
        let [found] = ask.rooted();
        Ok(Some(Record::new(&mut ask.machine.heap, found)))
    })
}

fn is_system(m: &mut Machine, name: Atom, arity: usize) -> bool {
    let pred = m.program.pred(name, arity, Space::User);
    let pred = m.program.resolve(pred);
    m.program.preds[pred as usize].space == Space::System
}

/// Explains why a puzzle has no plan: `plan/1`, `plan/2` or an engine with a path not known yet.
/// `None` for other goals, and where a final state can be reached.
///
/// # Errors
/// What the rules raise; an interrupt.
pub fn no_plan(m: &mut Machine, w: &mut World, goal: Cell) -> Result<Option<Explanation>, Fault> {
    let Some((name, arity, args)) = m.heap.name_arity(goal) else { return Ok(None) };
    let text = m.symbols.name(name).to_owned();
    let (start, path) = match arity {
        1 | 2 if text == "plan" => ((arity == 2).then_some(0), arity - 1),
        2 | 3 if engines().any(|engine| engine.name == text) => {
            ((arity == 3).then_some(0), arity - 2)
        }
        _ => return Ok(None),
    };
    let goal_test = user_predicate(m, "final_state", 1);
    let (Some(test), true) = (goal_test, is_system(m, name, arity)) else { return Ok(None) };
    if user_predicate(m, "rule", 4).is_none() || !m.heap.deref(m.heap.at(args + path)).is_var() {
        return Ok(None);
    }
    let start = match start {
        Some(at) => m.heap.at(args + at),
        None => m.heap.new_var(),
    };
    let Some(found) = walked(m, w, "$plan_reached", &[start])? else { return Ok(None) };
    let (heap, root) = found.to_heap();
    let Some((_, 2, args)) = heap.name_arity(root) else {
        let title = "a final state can be reached: an engine finds the moves, as `bfs(Path, Cost)`";
        let found = Explanation { title: title.to_owned(), ..Explanation::default() };
        return Ok((text == "plan").then_some(found));
    };
    let all = heap.deref(heap.at(args + 1)) == Cell::atom(m.symbols.intern("all"));
    let states: Vec<Cell> = heap.items(heap.at(args)).collect();
    let Some((clashes, state)) = nearest(&heap, &states, &heads(m, test)) else { return Ok(None) };
    let count = states.len();
    let which = match (all, count) {
        (true, 1) => "the only state that can be reached is not final".to_owned(),
        (true, _) => format!("none of the {count} states that can be reached is final"),
        (false, _) => format!("none of the {count} states reached first is final"),
    };
    let title = match (count, clashes) {
        (1, _) => which,
        (_, 0) => format!("{which}; the last of them is this"),
        _ => format!("{which}; what comes nearest is this"),
    };
    let state_text = format!("`{}`", TermPrinter::new(&heap, m, w).term(state));
    let state = copied(&heap, state);
    let own = state.instantiate(&mut m.heap);
    let name = m.symbols.intern("final_state");
    let test = m.heap.new_struct(name, &[own]);
    let question = Question::new(m, w, test);
    let inner = why_not(m, w, &question)?;
    Ok(Some(Explanation { title, state: Some((state, state_text)), ..inner }))
}

/// Of some states the one that comes nearest to a final one, by its number.
pub fn nearest_state(m: &Machine, test: PredId, states: &[&Record]) -> Option<usize> {
    let mut heap = Heap::new();
    let cells: Vec<Cell> = states.iter().map(|state| state.instantiate(&mut heap)).collect();
    let (_, found) = nearest(&heap, &cells, &heads(m, test))?;
    cells.iter().rposition(|&cell| cell == found)
}

/// Clauses that states are compared with.
fn heads(m: &Machine, test: PredId) -> Vec<Record> {
    let clauses = m.program.live_clauses(test).into_iter().take(HEADS);
    clauses.map(|id| m.program.clauses[id as usize].record.clone()).collect()
}

/// The state that differs from a clause's head in the fewest places, the last of equals.
fn nearest(heap: &Heap, states: &[Cell], heads: &[Record]) -> Option<(usize, Cell)> {
    let mut store = Store::default();
    store.heap = heap.clone();
    let mut best: Option<(usize, Cell)> = None;
    for &state in states {
        for clause in heads {
            let mark = store.mark();
            let root = clause.instantiate(&mut store.heap);
            let head = store.heap.at(root.addr() + 1);
            let pattern = store.heap.name_arity(head).map(|(.., args)| store.heap.at(args));
            let clashes = pattern.map_or(0, |pattern| store.clashes(state, pattern).len());
            store.undo(mark);
            if best.is_none_or(|(least, _)| clashes <= least) {
                best = Some((clashes, state));
            }
        }
    }
    best
}

/// What the walk says.
fn trouble(
    m: &mut Machine,
    w: &mut World,
    query: &Record,
    found: &Record,
) -> Result<Option<Explanation>, Fault> {
    let (heap, root) = found.to_heap();
    let Some((name, arity, args)) = heap.name_arity(root) else { return Ok(None) };
    let part = |i: usize| heap.at(args + i);
    let text = |cell: Cell| format!("`{}`", TermPrinter::new(&heap, m, w).term(cell));
    let (asked, asked_root) = query.to_heap();
    let asked = asked
        .match_struct::<1>(asked_root, atoms::CALL)
        .map(|[goal]| TermPrinter::new(&asked, m, w).term(goal));
    let asked = asked.unwrap_or_default();
    let name = m.symbols.name(name).to_owned();
    let only = |title| Ok(Some(Explanation { title, ..Explanation::default() }));
    let (title, goal, state) = match (name.as_str(), arity) {
        ("none", 0) => {
            return only(format!("`{asked}` is true; `why` shows the proof"));
        }
        ("no_start", 0) => {
            return only("there is no state for the plan to start from".to_owned());
        }
        ("illegal", 5) => {
            let moves: Vec<String> = heap.items(part(4)).take(12).map(text).collect();
            let there = match moves.len() {
                0 => "there is no move at all".to_owned(),
                1 => format!("the only move there is {}", moves[0]),
                _ => format!("the moves there are {}", moves.join(", ")),
            };
            let title = format!(
                "move {} of the plan, {}, can't be made; {there}",
                text(part(0)).trim_matches('`'),
                text(part(1))
            );
            (title, part(2), part(3))
        }
        ("not_final", 2) => {
            let title = "every move can be made, but the state at the end is not final".to_owned();
            (title, part(0), part(1))
        }
        _ => return Ok(None),
    };
    let state_text = text(state);
    let [goal, state] = [goal, state].map(|cell| copied(&heap, cell));
    let goal = goal.instantiate(&mut m.heap);
    let question = Question::new(m, w, goal);
    let inner = why_not(m, w, &question)?;
    Ok(Some(Explanation { title, state: Some((state, state_text)), ..inner }))
}

fn copied(heap: &Heap, cell: Cell) -> Record {
    let mut heap = heap.clone();
    Record::new(&mut heap, cell)
}
