//! Sideways information passing: the value of a place as an argument of recursive relations.
//!
//! A relation that follows a line of squares queries the value of each square, and so do its callers:
//!
//! ```text
//! (<= (ends ?x ?y ?dir) (true (cell ?x ?y ?c)) (beyond ?x ?y ?dir ?v ?w) (true (cell ?v ?w ?c)) (ends ?v ?w ?dir))
//! ```
//!
//! A place has at most one value, so the caller can pass it: one query per place, and specialised code for one value
//! in place of all.

use super::board::{Board, Boards};
use super::order::{self, Bound, Costs};
use super::program::{Level, Program};
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};

/// Relations that have their arguments from elsewhere.
const ROOTS: &[&str] = &["init", "role", "legal", "next", "goal", "terminal"];

/// A place of which a relation asks what stands there.
struct Place<'a> {
    board: &'a Board,
    /// The arguments of the relation that are its key, in the order of the board's.
    args: Vec<usize>,
}

/// The program in which such relations have the value as one more argument.
pub fn passed_on(program: &Program, boards: &Boards, costs: &dyn Costs) -> Option<Program> {
    let mut rules = program.rules.clone();
    let mut done = false;
    for component in &program.components {
        let [own] = component.as_slice() else { continue };
        let longer = (own.0.clone(), own.1 + 1);
        if ROOTS.contains(&own.0.as_str())
            || !program.recursive(own)
            || program.level(own) != Level::State
            || program.relations.contains_key(&longer)
        {
            continue;
        }
        let Some(place) = place(program, boards, own) else { continue };
        let changed: Option<Vec<Rule>> =
            rules.iter().map(|rule| with_value(rule, own, &place, costs)).collect();
        if let Some(changed) = changed {
            rules = changed;
            done = true;
        }
    }
    done.then(|| Program::of_relations(&program.source, rules))
}

/// A place that the first rule of a relation asks for.
fn place<'a>(program: &Program, boards: &'a Boards, own: &Key) -> Option<Place<'a>> {
    let rule = program.rules_of(own).next()?;
    let single = boards.boards.iter().filter(|board| board.single && !board.keys.is_empty());
    let mut places = single.flat_map(|board| {
        let fluents = rule.body.iter().filter_map(|literal| on_board(literal, board));
        fluents.filter_map(move |fluent| {
            let arg = |n: usize| {
                let key = &fluent.args()[n];
                rule.head.args.iter().position(|arg| arg == key && matches!(arg, Term::Var(_)))
            };
            Some(Place { board, args: board.places().into_iter().map(arg).collect::<Option<_>>()? })
        })
    });
    places.next()
}

/// The fluent of a condition, if it is of a board and is to hold.
fn on_board<'a>(literal: &'a Literal, board: &Board) -> Option<&'a Term> {
    let asked = literal.positive()?;
    let fluent = fluent(asked).filter(|_| asked.name == "true")?;
    (fluent.functor() == Some((board.functor.0.as_str(), board.functor.1))).then_some(fluent)
}

/// The condition that says what stands on the place of an atom's relation, and the value.
fn value<'a>(rule: &'a Rule, atom: &Atom, place: &Place<'_>) -> Option<(usize, &'a Term)> {
    rule.body.iter().enumerate().find_map(|(nth, literal)| {
        let fluent = on_board(literal, place.board)?;
        let mut keys = place.board.places().into_iter().zip(&place.args);
        let same = keys.all(|(n, &arg)| fluent.args()[n] == atom.args[arg]);
        Some((nth, &fluent.args()[place.board.value.filter(|_| same)?]))
    })
}

/// A rule in which a relation has the value of its place; none if the rule doesn't ask for it.
fn with_value(rule: &Rule, own: &Key, place: &Place<'_>, costs: &dyn Costs) -> Option<Rule> {
    let longer = |atom: &Atom| -> Option<Atom> {
        if atom.key() != *own {
            return Some(atom.clone());
        }
        let (_, value) = value(rule, atom, place)?;
        Some(Atom { args: [&atom.args[..], std::slice::from_ref(value)].concat(), ..atom.clone() })
    };
    let body = rule.body.iter().map(|literal| {
        Some(match literal.atom() {
            Some(atom) => literal.with(longer(atom)?),
            None => literal.clone(),
        })
    });
    let body = body.collect::<Option<Vec<Literal>>>()?;
    let made = Rule { head: longer(&rule.head)?, body, ..rule.clone() };
    let asked = (rule.head.key() == *own).then(|| value(rule, &rule.head, place)).flatten();
    let Some((nth, _)) = asked else { return Some(made) };
    // The caller knows that it holds.
    let mut shorter = made.clone();
    shorter.body.remove(nth);
    let safe = order::order(&shorter, Bound::default(), costs).is_some();
    Some(if safe { shorter } else { made })
}
