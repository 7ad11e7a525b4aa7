//! Games that look as if players do not see the whole state: engines solve all games as games of perfect information.
//!
//! The sign is a value that chance deals into a place of the state, that all moves of some player hand on unread, and
//! that decides something all the same: the moves of one other player, or what an end is worth. So it is with cards. A
//! roll of dice is read by the moves that follow, or by the rules of the end.
//!
//! The rules are read as text, with `Variable = Term` of a body applied. What hands the whole state on to other
//! predicates counts as a reader of every place in it.

use super::at_predicate;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use zug_domain::game::{Role, Roles};
use zug_explain::{functor, head_args, variables_in};
use zug_machine::{ClauseId, Machine};
use zug_prolog::builtins::World;
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;
use zug_term::symbol::{Atom, atoms};

/// Compounds inside of each other that a place may be in.
const DEEPEST: usize = 6;

/// Where a part of a state is: functors from the outside, each with the number of the argument.
type Place = Vec<(Atom, usize, usize)>;

/// The player who deals.
const CHANCE: &str = "chance";

/// A clause about states, with its unifications applied.
struct Rule<'m> {
    cells: &'m [Cell],
    bound: FxHashMap<Cell, Cell>,
    /// How often each variable occurs, unifications not counted.
    uses: FxHashMap<Cell, usize>,
    args: Vec<Cell>,
}

/// What a clause does with a place of the state that it is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// The state has no such place.
    Elsewhere,
    /// It hands the value on, or drops it.
    Unread,
    /// It may look at the value.
    Read,
}

impl<'m> Rule<'m> {
    fn of(m: &'m Machine, id: ClauseId) -> Rule<'m> {
        let clause = &m.program.clauses[id as usize];
        let cells: &[Cell] = &clause.record.cells;
        let (bound, uses) = Default::default();
        let mut rule = Rule { cells, bound, uses, args: head_args(clause) };
        let (mut todo, mut rest) = (vec![clause.body()], Vec::new());
        while let Some(goal) = todo.pop() {
            match functor(cells, goal) {
                Some((atoms::COMMA, 2, at)) => todo.extend([cells[at + 1], cells[at]]),
                Some((atoms::UNIFY, 2, at)) => {
                    let [left, right] = [cells[at], cells[at + 1]].map(|cell| rule.resolve(cell));
                    match (left.is_var(), right.is_var()) {
                        (true, _) if left != right => drop(rule.bound.insert(left, right)),
                        (false, true) => drop(rule.bound.insert(right, left)),
                        _ => rest.extend([left, right]),
                    }
                }
                _ => rest.push(goal),
            }
        }
        let terms: Vec<Cell> = rule.args.iter().copied().chain(rest).collect();
        terms.into_iter().for_each(|term| rule.count(term));
        rule
    }

    /// A term, by what its variable is unified with.
    fn resolve(&self, cell: Cell) -> Cell {
        let mut cell = zug_explain::resolve(self.cells, cell);
        // Each step is one of a unification; a cycle of them has no more.
        for _ in 0..=self.bound.len() {
            let Some(&next) = self.bound.get(&cell) else { break };
            cell = zug_explain::resolve(self.cells, next);
        }
        cell
    }

    fn count(&mut self, term: Cell) {
        let mut todo = vec![(term, 0)];
        let mut left = 4 * self.cells.len() + 64;
        while let Some((term, depth)) = todo.pop() {
            left -= 1;
            if left == 0 {
                return;
            }
            for variable in variables_in(self.cells, term) {
                let value = self.resolve(variable);
                if value.is_var() {
                    *self.uses.entry(value).or_default() += 1;
                } else if depth < DEEPEST {
                    todo.push((value, depth + 1));
                }
            }
        }
    }

    /// The part of a term at a place; `Err` with the variable that it is in, `Ok(None)` where the term is of another form.
    fn part(&self, term: Cell, place: &[(Atom, usize, usize)]) -> Result<Option<Cell>, Cell> {
        let mut cell = self.resolve(term);
        for &(name, arity, i) in place {
            if cell.is_var() {
                return Err(cell);
            }
            match functor(self.cells, cell) {
                Some((own, width, at)) if own == name && width == arity => {
                    cell = self.resolve(self.cells[at + i]);
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(cell))
    }

    /// What the clause does with a place of the state that it is given; `next` is the state that it makes, if any.
    fn access(&self, state: Cell, next: Option<Cell>, place: &Place) -> Access {
        let value = match self.part(state, place) {
            Ok(None) => return Access::Elsewhere,
            Ok(Some(value)) | Err(value) => value,
        };
        if !value.is_var() {
            return Access::Read;
        }
        let uses = self.uses.get(&value).copied().unwrap_or_default();
        let handed_on = next.is_some_and(
            |next| matches!(self.part(next, place), Ok(Some(same)) | Err(same) if same == value),
        );
        if uses <= 1 + usize::from(handed_on) { Access::Unread } else { Access::Read }
    }

    /// The places of the state made that get values which the state before it does not have.
    fn dealt(&self, [state, next]: [Cell; 2]) -> Vec<Place> {
        let mut found = Vec::new();
        let mut todo = vec![(self.resolve(next), Place::new())];
        while let Some((cell, place)) = todo.pop() {
            if cell.is_var() {
                let before = self.part(state, &place);
                // A value that is computed from the one before it is no deal.
                let is_new = match before {
                    Ok(None) => true,
                    Ok(Some(before)) => !before.is_var() || self.uses.get(&before) == Some(&1),
                    Err(_) => false,
                };
                if is_new && !place.is_empty() && self.uses.get(&cell).is_some_and(|&uses| uses > 1)
                {
                    found.push(place);
                }
            } else if let Some((name, arity, at)) = functor(self.cells, cell)
                && place.len() < DEEPEST
            {
                todo.extend((0..arity).map(|i| {
                    let inner = place.iter().copied().chain([(name, arity, i)]).collect();
                    (self.resolve(self.cells[at + i]), inner)
                }));
            }
        }
        found
    }
}

/// A warning where chance deals something that some player's moves never look at.
pub fn hidden_information(m: &Machine, w: &World) -> Option<Diagnostic> {
    let roles = Roles::of(m)?;
    let chance = m.symbols.lookup(CHANCE)?;
    let rules_of = |role: Role| -> Vec<Rule<'_>> {
        let clauses = m.program.live_clauses(role.pred);
        clauses.into_iter().map(|id| Rule::of(m, id)).collect()
    };
    // Without players as arguments, no player knows more than another.
    let moves = Some(roles.moves).filter(|role| role.with_player).map(rules_of)?;
    let player = |rule: &Rule<'_>| {
        let player = rule.resolve(rule.args[0]);
        player.as_atom().or_else(|| (!player.is_var()).then_some(atoms::NIL))
    };
    let states = |rule: &Rule<'_>| [rule.args[2], rule.args[3]];
    let (deals, others): (Vec<_>, Vec<_>) =
        moves.iter().partition(|rule| player(rule) == Some(chance));
    let reads_end = |role: Option<Role>, place: &Place| {
        role.map(rules_of).unwrap_or_default().iter().any(|rule| {
            let state = rule.args[usize::from(role.is_some_and(|role| role.with_player))];
            rule.access(state, None, place) == Access::Read
        })
    };
    for place in deals.iter().flat_map(|rule| rule.dealt(states(rule))) {
        let (mut readers, mut all_read, mut blind) = (BTreeSet::new(), false, BTreeSet::new());
        for rule in &others {
            let [state, next] = states(rule);
            match (rule.access(state, Some(next), &place), player(rule)) {
                (Access::Read, Some(player)) => drop(readers.insert(player)),
                (Access::Read, None) => all_read = true,
                (Access::Unread, player) => drop(blind.insert(player)),
                (Access::Elsewhere, _) => {}
            }
        }
        blind.retain(|player| player.is_none_or(|player| !readers.contains(&player)));
        if all_read || blind.is_empty() || readers.len() > 1 {
            continue;
        }
        let shown = pattern(m, &place);
        let message = match readers.first() {
            Some(&reader) => {
                let reader = m.symbols.name(reader);
                format!("chance deals `X` of `{shown}`, and only moves of `{reader}` look at it")
            }
            None if reads_end(roles.terminal, &place) => continue,
            None if reads_end(roles.utility.or(roles.heuristic), &place) => format!(
                "chance deals `X` of `{shown}`: no move looks at it, and what an end is worth does"
            ),
            None => continue,
        };
        let finding = Diagnostic::warning("W0527", message).hint(
            "engines take games for games of perfect information: every player sees the whole state; values and \
             moves are wrong where players do not see what chance deals",
        );
        return Some(at_predicate(m, w, roles.moves.pred, finding));
    }
    None
}

/// A state in which `X` stands at a place.
fn pattern(m: &Machine, place: &Place) -> String {
    place.iter().rev().fold("X".to_owned(), |inner, &(name, arity, at)| {
        let args: Vec<&str> =
            (0..arity).map(|i| if i == at { inner.as_str() } else { "_" }).collect();
        match (name, arity) {
            (atoms::DOT, 2) => format!("[{}|{}]", args[0], args[1]),
            _ => format!("{}({})", m.symbols.name(name), args.join(",")),
        }
    })
}
