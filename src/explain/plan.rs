//! `why_not(plan(Moves))`: the first move of a plan that does not apply, or why the state that
//! it comes to is not final. The walk is `'$plan_trouble'/3` of the library.

use super::question::Question;
use super::terms::Words;
use super::why_not::why_not;
use crate::builtins::{Explanation, World};
use crate::machine::{Fault, Machine, Space};
use crate::symbol::atoms;
use crate::term::{Cell, Heap, Record};

/// Explains what is wrong with a plan; `None` if the goal is no call of the library's
/// `plan/1` or `plan/2`.
///
/// # Errors
/// What the rules raise; an interrupt.
pub fn plan(m: &mut Machine, w: &mut World, goal: Cell) -> Result<Option<Explanation>, Fault> {
    let Some((name, arity, args)) = m.heap.name_arity(goal) else { return Ok(None) };
    if m.symbols.name(name) != "plan" || !(1..=2).contains(&arity) {
        return Ok(None);
    }
    let pred = m.program.pred(name, arity, Space::User);
    let pred = m.program.resolve(pred);
    if m.program.preds[pred as usize].space != Space::System {
        return Ok(None);
    }
    let moves = m.heap.at(args + arity - 1);
    let start = if arity == 2 { m.heap.at(args) } else { m.heap.new_var() };
    let trouble = m.heap.new_var();
    let query = m.heap.new_struct(atoms::CALL, &[goal]);
    let query = Record::new(&mut m.heap, query);
    let walk = m.symbols.intern("$plan_trouble");
    let walk = m.program.pred(walk, 3, Space::System);
    m.roots.push(trouble);
    let (run, outcome) = m.solve_pred(w, walk, &[start, moves, trouble]);
    let trouble = m.roots.pop().unwrap_or(trouble);
    let found = match outcome? {
        true => {
            let found = Record::new(&mut m.heap, trouble);
            m.abandon(run);
            found
        }
        false => return Ok(None),
    };
    Trouble::read(m, w, &query, &found)
}

/// Reading what the walk says.
struct Trouble;

impl Trouble {
    fn read(
        m: &mut Machine,
        w: &mut World,
        query: &Record,
        found: &Record,
    ) -> Result<Option<Explanation>, Fault> {
        let (heap, root) = found.to_heap();
        let Some((name, arity, args)) = heap.name_arity(root) else { return Ok(None) };
        let part = |i: usize| heap.at(args + i);
        let text = |cell: Cell| format!("`{}`", Words::new(&heap, m, w).term(cell));
        let (asked, asked_root) = query.to_heap();
        let asked = asked
            .match_struct::<1>(asked_root, atoms::CALL)
            .map(|[goal]| Words::new(&asked, m, w).term(goal));
        let asked = asked.unwrap_or_default();
        let name = m.symbols.name(name).to_owned();
        let (title, goal, state) = match (name.as_str(), arity) {
            ("none", 0) => {
                let title = format!("`{asked}` is true; `why` shows the proof");
                return Ok(Some(Explanation { title, ..Explanation::default() }));
            }
            ("no_start", 0) => {
                let title = "there is no state for the plan to start from".to_owned();
                return Ok(Some(Explanation { title, ..Explanation::default() }));
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
                let title =
                    "every move can be made, but the state at the end is not final".to_owned();
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
}

fn copied(heap: &Heap, cell: Cell) -> Record {
    let mut heap = heap.clone();
    Record::new(&mut heap, cell)
}
