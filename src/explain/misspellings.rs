//! Slips in names: a variable spelt in two ways, an atom that was to be a variable, an atom
//! that is nearly another.

use super::case::{Case, alike_names};
use super::explanation::Advice;
use super::failures::FailureReason;
use super::places::{Site, clause_place, find_word, functor, lone_variables, resolve, visit};
use std::sync::Arc;
use zug_term::Cell;
use zug_term::source::{Source, Span};

/// A variable that stands only once in the clause of the goal and in the goal.
pub fn lone_variable(case: &Case<'_>) -> Option<Advice> {
    let mut sites: Vec<Site> = vec![case.failure.site];
    if case.failure.why == FailureReason::Raised || case.failure.why == FailureReason::Leaf {
        sites.extend(case.failure.callers.iter().take(1).copied());
    }
    for (at, site) in sites.into_iter().enumerate() {
        let Some(id) = site.0 else { continue };
        let clause = &case.m.program.clauses[id as usize];
        let cells = &clause.record.cells;
        let mut inside = Vec::new();
        if let Some(&goal) = cells.get(site.1 as usize) {
            visit(cells, goal, &mut |cell| inside.push(cell));
        }
        let mut lone = lone_variables(clause);
        // One in the goal itself comes first.
        let root = |addr: usize| resolve(cells, Cell::reference(addr));
        lone.sort_by_key(|(_, addr, _)| !inside.contains(&root(*addr)));
        for (name, _, near) in lone {
            let Some(near) = near else { continue };
            let place = variable_place(case, id, &name);
            let hint =
                format!("`{name}` occurs nowhere else in its clause: did you mean `{near}`?");
            let weight = if at == 0 { 3 } else { 2 };
            return Some(Advice::new(weight, hint).at(place, "occurs only here"));
        }
    }
    None
}

/// Where a variable that occurs once stands in the text of its clause.
fn variable_place(case: &Case<'_>, id: u32, name: &str) -> Option<(Source, Span)> {
    let (source, span) = clause_place(case.m, case.w, id)?;
    let text = source.text.get(span.start as usize..span.end as usize)?;
    let place = find_word(text, span.start, name, 0)?;
    Some((source, place))
}

/// An atom in the goal that is a variable of the clause in lower case.
pub fn lower_case(case: &Case<'_>) -> Option<Advice> {
    let (cells, goal) = case.written()?;
    let (_, arity, args) = functor(cells, goal)?;
    let clause = &case.m.program.clauses[case.failure.site.0? as usize];
    let place = clause.place.as_ref()?;
    for i in 0..arity {
        let Some(atom) = resolve(cells, cells[args + i]).as_atom() else { continue };
        let name = case.m.symbols.name(atom);
        let mut variables = place.variables.iter().map(|(variable, _)| variable);
        let is_same = |known: &&Arc<str>| known.to_lowercase() == name && ***known != *name;
        if let Some(variable) = variables.find(is_same) {
            let hint = format!("`{name}` is an atom: did you mean the variable `{variable}`?");
            return Some(Advice::new(3, hint));
        }
    }
    None
}

/// An atom written in a goal of the library's that is nearly one of its values.
pub fn near_atom(case: &Case<'_>) -> Option<Advice> {
    if case.failure.why != FailureReason::Leaf {
        return None;
    }
    let (cells, goal) = case.written()?;
    let mut written = Vec::new();
    visit(cells, goal, &mut |cell| written.extend(cell.as_atom()));
    let heap = &case.store.heap;
    let mut todo = vec![case.goal];
    let mut seen = 0;
    while let Some(cell) = todo.pop() {
        seen += 1;
        let Some((name, arity, args)) = heap.name_arity(cell).filter(|_| seen < 10_000) else {
            continue;
        };
        todo.extend((0..arity).map(|i| heap.at(args + i)));
        if arity > 0 || written.contains(&name) {
            continue;
        }
        let text = case.m.symbols.name(name);
        let slip = |atom: &&zug_term::symbol::Atom| {
            let own = case.m.symbols.name(**atom);
            own.chars().count() > 3 && alike_names(own, text)
        };
        if let Some(&atom) = written.iter().find(slip) {
            let own = case.m.symbols.name(atom);
            // The one that the program has less often is the slip.
            let (ours, theirs) = (clauses_with(case, atom), clauses_with(case, name));
            if let &[only] = theirs.as_slice()
                && ours.len() > 1
            {
                let hint = format!("`{text}` stands only there: did you mean `{own}`?");
                let place = clause_place(case.m, case.w, only);
                return Some(Advice::new(2, hint).at(place, format!("`{text}` comes from here")));
            }
            let hint = format!("`{own}` is not `{text}`: did you mean `{text}`?");
            return Some(Advice::new(2, hint));
        }
    }
    None
}

/// The user's clauses in which an atom stands as an argument, the first two.
fn clauses_with(case: &Case<'_>, atom: zug_term::symbol::Atom) -> Vec<u32> {
    let preds = &case.m.program.preds;
    let own = (0..preds.len()).filter(|&id| case.m.program.modules.is_programs(preds[id].space));
    let clauses = own.flat_map(|id| case.m.program.live_clauses(id as u32));
    let has = |id: &u32| {
        let cells = &case.m.program.clauses[*id as usize].record.cells;
        cells.contains(&Cell::atom(atom))
    };
    clauses.filter(has).take(2).collect()
}
