//! Where clauses and goals stand in the text, and how the text names their variables.

use std::sync::Arc;
use zug_machine::{Clause, ClauseId, Machine, PredId};
use zug_prolog::builtins::World;
use zug_term::source::{Source, Span};
use zug_term::spelling::distance_within;
use zug_term::symbol::Atom;
use zug_term::{Cell, Tag};

/// A goal in the text: its clause, `None` for the query, and its address in the image.
pub type Site = (Option<ClauseId>, u32);

/// The text a clause was read from, and its place in it.
pub fn clause_place(m: &Machine, w: &World, id: ClauseId) -> Option<(Source, Span)> {
    let place = m.program.clauses.get(id as usize)?.place.as_ref()?;
    Some((w.loader.sources.get(place.source as usize)?.clone(), place.span))
}

/// The head of a clause in its text.
pub fn head_place(m: &Machine, w: &World, id: ClauseId) -> Option<(Source, Span)> {
    let (source, span) = clause_place(m, w, id)?;
    let text = source.text.get(span.start as usize..span.end as usize)?;
    let neck = text.find(":-").or_else(|| text.find("-->"));
    let head = text[..neck.unwrap_or(text.len())].trim_end().trim_end_matches('.').trim_end();
    // A head over several lines is marked in its first.
    let length = head.lines().next().unwrap_or(head).len() as u32;
    Some((source, Span { start: span.start, end: span.start + length }))
}

/// The place of a goal in the text, if it is known.
pub fn goal_place(m: &Machine, w: &World, site: Site) -> Option<(Source, Span)> {
    let place = m.program.clauses.get(site.0? as usize)?.place.as_ref()?;
    let at = place.goals.binary_search_by_key(&site.1, |entry| entry.0).ok()?;
    let source = w.loader.sources.get(place.source as usize)?.clone();
    Some((source, place.goals[at].1))
}

/// The place of a goal by the image cell that holds it: its own, or that of its name in the
/// clause, or the clause's.
pub fn called_at(
    m: &Machine,
    w: &World,
    clause: ClauseId,
    slot: usize,
    name: Atom,
) -> Option<(Source, Span)> {
    let (source, whole) = clause_place(m, w, clause)?;
    let place = m.program.clauses[clause as usize].place.as_deref()?;
    let exact = place.goals.iter().find(|goal| goal.0 as usize == slot);
    let span = exact.map_or_else(|| word_in(&source, whole, m.symbols.name(name)), |goal| goal.1);
    Some((source, span))
}

/// Where a name stands in a clause, for goals whose place was not kept.
fn word_in(source: &Source, clause: Span, name: &str) -> Span {
    let text = source.text.get(clause.start as usize..clause.end as usize).unwrap_or("");
    let body = text.find(":-").map_or(0, |neck| neck + 2);
    find_word(text, clause.start, name, body).unwrap_or(clause)
}

/// Where a word stands alone in a text that begins at `start`, from an offset of it on.
pub fn find_word(text: &str, start: u32, word: &str, from: usize) -> Option<Span> {
    let part_of_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let alone = |&(at, found): &(usize, &str)| {
        !part_of_word(text[..at].chars().next_back())
            && !part_of_word(text[at + found.len()..].chars().next())
    };
    let (at, _) = text.match_indices(word).filter(|found| found.0 >= from).find(alone)?;
    let start = start as usize + at;
    Some(Span::new(start, start + word.len()))
}

/// `file:line` of a place.
pub fn line(place: &(Source, Span)) -> String {
    format!("{}:{}", place.0.name, place.0.position(place.1.start).line)
}

/// `likes/2`.
pub fn indicator(m: &Machine, pred: PredId) -> String {
    m.program.indicator(pred, &m.symbols)
}

/// Follows references in an image.
pub fn resolve(cells: &[Cell], mut cell: Cell) -> Cell {
    while cell.is_var() && cells[cell.addr()] != cell {
        cell = cells[cell.addr()];
    }
    cell
}

/// Name, arity and address of the first argument of a term in an image.
pub fn functor(cells: &[Cell], cell: Cell) -> Option<(Atom, usize, usize)> {
    let cell = resolve(cells, cell);
    match cell.tag() {
        Tag::Atom => Some((cell.as_atom()?, 0, 0)),
        Tag::List => Some((zug_term::symbol::atoms::DOT, 2, cell.addr())),
        Tag::Struct => {
            let header = cells[cell.addr()];
            Some((header.functor_name(), header.functor_arity(), cell.addr() + 1))
        }
        _ => None,
    }
}

/// Whether a cell of an image is a number.
pub fn is_number(cells: &[Cell], cell: Cell) -> bool {
    cell.as_int().is_some() || cell.is_boxed() && !cells[cell.addr()].is_string_header()
}

/// The arguments of a clause's head in its image.
pub fn head_args(clause: &Clause) -> Vec<Cell> {
    let cells = &clause.record.cells;
    let head = functor(cells, clause.head());
    head.map_or_else(Vec::new, |(_, arity, args)| cells[args..args + arity].to_vec())
}

/// Whether a subterm of a term in an image is as wanted.
pub fn has(cells: &[Cell], root: Cell, wanted: impl Fn(Cell) -> bool) -> bool {
    let mut found = false;
    visit(cells, root, &mut |cell| found = found || wanted(cell));
    found
}

/// The variables in a term of an image, with repetitions.
pub fn variables_in(cells: &[Cell], root: Cell) -> Vec<Cell> {
    let mut found = Vec::new();
    visit(cells, root, &mut |cell| found.extend(cell.is_var().then_some(cell)));
    found
}

/// How often each variable of a clause occurs in it, by its address in the image.
pub fn occurrences(clause: &Clause) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for cell in variables_in(&clause.record.cells, clause.record.root) {
        match found.iter_mut().find(|(addr, _)| *addr == cell.addr()) {
            Some((_, times)) => *times += 1,
            None => found.push((cell.addr(), 1)),
        }
    }
    found
}

/// Calls a function on every subterm of a term in an image.
pub fn visit(cells: &[Cell], root: Cell, see: &mut dyn FnMut(Cell)) {
    let mut todo = vec![root];
    // An image is a tree but for its variables; a bound all the same.
    let mut left = 4 * cells.len() + 64;
    while let Some(cell) = todo.pop() {
        if left == 0 {
            return;
        }
        left -= 1;
        let cell = resolve(cells, cell);
        see(cell);
        if let Some((_, arity, args)) = functor(cells, cell) {
            todo.extend((0..arity).rev().map(|i| cells[args + i]));
        }
    }
}

/// The variables that a clause names only once although they look as if they were meant to
/// be others, with the name they are near to if there is one.
pub fn lone_variables(clause: &Clause) -> Vec<(Arc<str>, usize, Option<Arc<str>>)> {
    let Some(place) = &clause.place else { return Vec::new() };
    let counts = occurrences(clause);
    let times = |addr: u32| {
        let root = resolve(&clause.record.cells, Cell::reference(addr as usize));
        counts.iter().find(|(at, _)| *at == root.addr()).map_or(0, |(_, times)| *times)
    };
    let alike = |a: &str, b: &str| {
        let length = a.chars().count().max(b.chars().count());
        let most = if length > 5 { 2 } else { 1 };
        let near = length > 1 && distance_within(a, b, most).is_some();
        a != b && (near || a.to_lowercase() == b.to_lowercase())
    };
    let lone: Vec<&(Arc<str>, u32)> = place
        .variables
        .iter()
        .filter(|(name, addr)| !name.starts_with('_') && times(*addr) == 1)
        .collect();
    lone.iter()
        .map(|(name, addr)| {
            let others = place.variables.iter().filter(|(other, _)| alike(name, other));
            // One that occurs once as well is the likeliest.
            let near = others.min_by_key(|(other, addr)| {
                // One that differs by its case alone may be further away.
                (times(*addr) != 1, distance_within(name, other, 2).unwrap_or(usize::MAX))
            });
            (name.clone(), *addr as usize, near.map(|(other, _)| other.clone()))
        })
        .collect()
}
