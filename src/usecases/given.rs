//! Where a search begins: an instance of the program, or a state that is given.

use super::asking::ask;
use super::{Failure, Named, choose_instances};
use zug_domain::game::{Roles, initial_player};
use zug_domain::{Contract, DomainKind, Instance, puzzle_state, short_text};
use zug_prolog::session::Session;
use zug_term::{Cell, Record};

/// How a state that was given is called among instances.
pub const GIVEN: &str = "the state given";
/// Nodes of a term that are compared.
const SKELETON: usize = 1000;

/// The instances to work on, or the state that is given in their place.
///
/// # Errors
/// There is no such instance, the state can't be read or is none; an error in a rule.
pub fn starts(
    session: &mut Session,
    contract: &Contract,
    instance: Option<&str>,
    state: Option<&str>,
) -> Result<Vec<Named>, Failure> {
    let Some(text) = state else { return choose_instances(session, contract, instance) };
    let state = term(session, "state", text)?;
    must_be_state(session, contract, &state)?;
    let instance = Instance { name: None, state };
    Ok(vec![Named { instance, name: GIVEN.to_owned(), named: true }])
}

/// The starts of any kind of domain. `None` is the start of a game in which all choose at once that has no states.
pub(crate) fn all_starts(
    session: &mut Session,
    contract: &Contract,
    instance: Option<&str>,
    state: Option<&str>,
) -> Result<Vec<Option<Named>>, Failure> {
    let has_states = contract.initial.is_some() || contract.named_initial.is_some();
    let is_given = instance.is_some() || state.is_some();
    if contract.kind() == DomainKind::Simultaneous && !has_states && !is_given {
        return Ok(vec![None]);
    }
    Ok(starts(session, contract, instance, state)?.into_iter().map(Some).collect())
}

/// Who is to move: a player that was asked for, or the first one. Where a state was asked for
/// that says it itself (`to_move/2`), nobody else does.
pub(crate) fn mover(
    session: &mut Session,
    asked: Option<&str>,
    of_a_state: bool,
) -> Result<Option<Record>, Failure> {
    if let Some(text) = asked {
        return term(session, "player", text).map(Some);
    }
    let told = Roles::of(&session.machine).is_some_and(|roles| roles.to_move.is_some());
    if of_a_state && told {
        return Ok(None);
    }
    ask(session, initial_player)
}

/// A term that was given as text.
///
/// # Errors
/// It can't be read.
pub fn term(session: &mut Session, what: &'static str, text: &str) -> Result<Record, Failure> {
    if text.trim().is_empty() {
        return Err(Failure::Players(format!("the {what} given is empty")));
    }
    let query = session.query(text).map_err(|fault| Failure::UnreadableTerm(what, fault))?;
    let cell = session.goal(&query);
    let record = cell.map(|cell| Record::new(&mut session.machine.heap, cell));
    session.close(query);
    let record = record.ok_or_else(|| Failure::NoSuchInstance(text.to_owned(), Vec::new()))?;
    if record.root.is_var() {
        let words = format!("a variable is no {what}; give the whole term, in quotes");
        return Err(Failure::Players(words));
    }
    Ok(record)
}

/// The place of the start that is shown or played if none is named: in a game the largest state, since the machine
/// plays by the clock; otherwise the first, which is the one to be solved.
pub fn preferred_start(contract: &Contract, starts: &[Named]) -> usize {
    if contract.kind() != DomainKind::Game {
        return 0;
    }
    let size = |at: &usize| starts[*at].instance.state.cells.len();
    let largest = (0..starts.len()).rev().max_by_key(size);
    largest.unwrap_or(0)
}

/// Whether a term is a state of the puzzle that is loaded: it is final, or has a move, or looks
/// like a state it begins in.
///
/// # Errors
/// It is none, in words; an error in a rule.
pub fn must_be_state(
    session: &mut Session,
    contract: &Contract,
    state: &Record,
) -> Result<(), Failure> {
    if contract.kind() != DomainKind::Puzzle {
        return Ok(());
    }
    if state.root.is_var() {
        let words = "a variable is no state; give the whole term".to_owned();
        return Err(Failure::Players(words));
    }
    let spot = ask(session, |m, w| puzzle_state(m, w, contract, state))?;
    if spot.goal || !spot.moves.is_empty() {
        return Ok(());
    }
    let known = choose_instances(session, contract, None).unwrap_or_default();
    let own = skeleton(state);
    if own.is_some() && known.iter().any(|named| skeleton(&named.instance.state) == own) {
        return Ok(());
    }
    let (m, w) = (&session.machine, &session.world);
    let mut words = format!(
        "`{}` is no state of this puzzle: no move leads on from it, and it is not final",
        short_text(m, w, state)
    );
    if let Some(first) = known.first() {
        words += &format!("; it begins in {}", short_text(m, w, &first.instance.state));
    }
    Err(Failure::Players(words))
}

/// The functors of a term in preorder; `None` for what is no compound, or a very large one.
fn skeleton(term: &Record) -> Option<Vec<Option<Cell>>> {
    let (heap, root) = term.to_heap();
    let (mut found, mut todo) = (Vec::new(), vec![root]);
    while let Some(cell) = todo.pop() {
        if found.len() >= SKELETON {
            return None;
        }
        let cell = heap.deref(cell);
        match heap.name_arity(cell) {
            Some((_, arity @ 1.., args)) => {
                let functor = if cell.is_list() { Cell::list(0) } else { heap.at(args - 1) };
                found.push(Some(functor));
                todo.extend((0..arity).rev().map(|i| heap.at(args + i)));
            }
            _ => found.push((cell == Cell::NIL).then_some(Cell::NIL)),
        }
    }
    (found.len() > 1).then_some(found)
}
