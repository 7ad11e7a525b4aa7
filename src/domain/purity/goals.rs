//! The goals of a clause in the order of the text, those that predicates like `findall/3` call
//! included.

use super::kinds::{ARITHMETIC, Category, FUNCTIONS};
use zug_explain::{functor, resolve, visit};
use zug_machine::{ClauseId, Machine, Space, goal_arguments};
use zug_term::Cell;
use zug_term::symbol::{Atom, atoms};

/// A goal of a clause.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The predicate's name, …
    pub name: Atom,
    /// … and arity, arguments that its caller adds included.
    pub arity: usize,
    /// Arguments in the text.
    pub written: usize,
    /// Image address of its first argument.
    pub args: usize,
    /// Image address of the cell that holds it.
    pub slot: usize,
    /// Where the name is looked up first.
    pub space: Space,
    /// It stands under a negation.
    pub negated: bool,
    /// The number of the part of the body behind which it certainly stands: see [`BodyGoals`].
    pub part: usize,
}

/// A goal still to be visited: the cell that holds it, arguments added, where its name is looked up,
/// whether it is negated, and its part.
type PendingGoal = (usize, usize, Space, bool, usize);

/// The goals of a body in order. Parts are numbers: the goals of a part run one behind the other; a part inside
/// of another runs, if at all, behind what stands before it there.
#[derive(Debug, Default)]
pub struct BodyGoals {
    /// All goals in the order of the text.
    pub goals: Vec<Goal>,
    /// For each part the one around it; the first is the body.
    pub parts: Vec<usize>,
    /// Goals that are known only when they are called.
    pub unknown: bool,
}

impl BodyGoals {
    /// Whether a goal certainly ran before another one of the clause is called.
    pub fn precedes(&self, first: usize, second: usize) -> bool {
        if first >= second {
            return false;
        }
        let mut part = self.goals[second].part;
        loop {
            if self.goals[first].part == part {
                return true;
            }
            if part == 0 {
                return false;
            }
            part = self.parts[part];
        }
    }
}

/// The goals of a clause.
pub fn of_clause(m: &Machine, id: ClauseId) -> Vec<Goal> {
    walk(m, id).goals
}

/// The body of a clause in order.
pub fn walk(m: &Machine, id: ClauseId) -> BodyGoals {
    let clause = &m.program.clauses[id as usize];
    let space = m.program.preds[clause.pred as usize].space;
    let mut walk = BodyGoals { parts: vec![0], ..BodyGoals::default() };
    let slot = clause.record.root.addr() + 2;
    let mut todo: Vec<PendingGoal> = vec![(slot, 0, space, false, 0)];
    while let Some(next) = todo.pop() {
        step(m, &clause.record.cells, next, &mut walk, &mut todo);
    }
    walk
}

fn step(
    m: &Machine,
    cells: &[Cell],
    (slot, extra, space, negated, part): PendingGoal,
    walk: &mut BodyGoals,
    todo: &mut Vec<PendingGoal>,
) {
    let Some((name, written, args)) = functor(cells, cells[slot]) else {
        walk.unknown |= resolve(cells, cells[slot]).is_var();
        return;
    };
    let goal = |slot, extra, negated, part| (slot, extra, space, negated, part);
    match (name, written, extra) {
        (atoms::TRUE | atoms::CUT | atoms::DOLLAR, 0, 0) => return,
        (atoms::COMMA, 2, 0) => {
            todo.extend([goal(args + 1, 0, negated, part), goal(args, 0, negated, part)]);
            return;
        }
        (atoms::COLON, 2, _) => {
            let module = resolve(cells, cells[args]).as_atom();
            let named = module.and_then(|module| m.program.modules.named(module));
            let space = named.unwrap_or(Space::User);
            todo.push((args + 1, extra, space, negated, part));
            return;
        }
        (atoms::CARET, 2, 0) => {
            todo.push(goal(args + 1, 0, negated, part));
            return;
        }
        (atoms::ONCE | atoms::DOLLAR, 1, 0) => {
            todo.push(goal(args, 0, negated, part));
            return;
        }
        _ => {}
    }
    let inner = |walk: &mut BodyGoals| {
        walk.parts.push(part);
        walk.parts.len() - 1
    };
    match (name, written, extra) {
        (atoms::SEMICOLON | atoms::BAR, 2, 0) => {
            let (first, second) = (inner(walk), inner(walk));
            todo.extend([goal(args + 1, 0, negated, second), goal(args, 0, negated, first)]);
            return;
        }
        // What stands behind a condition runs behind it.
        (atoms::ARROW | atoms::SOFT_ARROW, 2, 0) => {
            let both = inner(walk);
            todo.extend([goal(args + 1, 0, negated, both), goal(args, 0, negated, both)]);
            return;
        }
        (atoms::NOT_PROVABLE | atoms::NOT, 1, 0) => {
            let inside = inner(walk);
            todo.push(goal(args, 0, true, inside));
            return;
        }
        _ if m.symbols.name(name) == ">>" && written == 2 => {
            let parameters = list_length(cells, args);
            let inside = inner(walk);
            todo.push(goal(args + 1, extra.saturating_sub(parameters), negated, inside));
            return;
        }
        _ => {}
    }
    if extra == 0 {
        let text = m.symbols.name(name);
        let user = m.program.is_users(name, written, space);
        let meta = goal_arguments(text, written).filter(|_| !user);
        for &(at, more) in meta.unwrap_or_default().iter().rev() {
            let inside = inner(walk);
            todo.push(goal(args + at, more, negated, inside));
        }
    }
    let arity = written + extra;
    walk.goals.push(Goal { name, arity, written, args, slot, space, negated, part });
}

fn list_length(cells: &[Cell], slot: usize) -> usize {
    let mut cell = resolve(cells, cells[slot]);
    // `Free/[X]>>Goal`
    if let Some((atoms::SLASH, 2, args)) = functor(cells, cell) {
        cell = resolve(cells, cells[args + 1]);
    }
    let mut length = 0;
    while cell.is_list() && length <= cells.len() {
        length += 1;
        cell = resolve(cells, cells[cell.addr() + 1]);
    }
    length
}

impl Goal {
    /// What the expressions that it evaluates depend on beside their variables.
    pub fn evaluated(&self, m: &Machine, id: ClauseId) -> Option<Category> {
        let name = m.symbols.name(self.name);
        let positions = ARITHMETIC.iter().find(|row| row.0 == name && self.written == 2)?.1;
        let cells = &m.program.clauses[id as usize].record.cells;
        let mut found = None;
        for &position in positions {
            visit(cells, cells[self.args + position], &mut |cell| {
                let Some((name, arity, _)) = functor(cells, cell) else { return };
                let name = m.symbols.name(name);
                let known = FUNCTIONS.iter().find(|row| row.0 == name && row.1 == arity);
                found = found.or(known.map(|row| Category::Impure(row.2)));
            });
        }
        found
    }

    /// An argument in the text.
    pub fn arg(&self, cells: &[Cell], at: usize) -> Option<Cell> {
        (at < self.written).then(|| resolve(cells, cells[self.args + at]))
    }
}

/// Whether all arguments of a term are variables, none twice.
pub(super) fn is_open(cells: &[Cell], term: Cell) -> bool {
    let Some((_, arity, args)) = functor(cells, term) else { return false };
    let mut seen: Vec<Cell> = Vec::new();
    (0..arity).all(|at| {
        let cell = resolve(cells, cells[args + at]);
        let new = cell.is_var() && !seen.contains(&cell);
        seen.push(cell);
        new
    })
}
