//! Questions to the rules, with failures of a use case in place of errors of rules; operations and the kinds of
//! domain that they are for.

use super::Failure;
use super::diagnosis::diagnosed;
use zug_domain::DomainKind::{self, Game, Model, Program, Simultaneous};
use zug_domain::{Contract, RuleError};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_prolog::session::Session;

/// Asks the rules of a session.
pub(crate) fn ask<T>(
    session: &mut Session,
    work: impl FnOnce(&mut Machine, &mut World) -> Result<T, Box<RuleError>>,
) -> Result<T, Failure> {
    let answer = work(&mut session.machine, &mut session.world);
    answer.map_err(|error| Failure::rule(session, &error))
}

/// Runs an operation, and diagnoses the rules if it fails by them.
pub(crate) fn diagnosing<T>(
    session: &mut Session,
    work: impl FnOnce(&mut Session) -> Result<T, Failure>,
) -> Result<T, Failure> {
    work(session).map_err(|failure| diagnosed(session, failure))
}

/// An operation that is not for all kinds of domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// `compare`.
    Compare,
    /// `enumerate`.
    Enumerate,
    /// `generate`.
    Generate,
    /// `heuristics`.
    Heuristics,
    /// `specialize`.
    Specialise,
    /// `tree`.
    Tree,
}

/// Kinds of domain that an operation is not for, and what to do instead.
static REFUSED: &[(Operation, &[DomainKind], &str)] = &[
    (
        Operation::Compare,
        &[Simultaneous],
        "games in which all choose at once have no engines to compare; `zug tournament` compares players",
    ),
    (
        Operation::Compare,
        &[Model],
        "there are no engines to compare; `zug solve FILE --label LIST` labels otherwise and counts nodes",
    ),
    (
        Operation::Enumerate,
        &[Simultaneous],
        "games in which all choose at once are not enumerated; `zug nash` solves them",
    ),
    (
        Operation::Enumerate,
        &[Model],
        "it has no states; `zug solve FILE --all-solutions` counts its solutions",
    ),
    (
        Operation::Generate,
        &[Game, Simultaneous],
        "new starts are made for puzzles, which have plans that cost something; this file is a game",
    ),
    (
        Operation::Generate,
        &[Model],
        "new starts are made for puzzles; `zug solve FILE --unique` says whether a model has one solution alone",
    ),
    (
        Operation::Heuristics,
        &[Game, Simultaneous],
        "admissible and consistent are words for the heuristics of puzzles, which estimate a cost; those of games \
         estimate a value (`zug compare` compares engines)",
    ),
    (
        Operation::Heuristics,
        &[Model],
        "it has no heuristics; `zug solve FILE --label LIST` labels otherwise",
    ),
    (Operation::Specialise, &[Model], "code is made of moves and goals, and it has none"),
    (
        Operation::Tree,
        &[Simultaneous],
        "games in which all choose at once have no tree; `zug nash` solves them",
    ),
    (Operation::Tree, &[Model], "it has no moves to draw a tree of; `zug solve` solves it"),
];

/// Whether an operation is for the kind of domain.
pub(crate) fn must_suit(contract: &Contract, operation: Operation) -> Result<(), Failure> {
    let kind = contract.kind();
    let is_row =
        |row: &&(Operation, &[DomainKind], &str)| row.0 == operation && row.1.contains(&kind);
    match (REFUSED.iter().find(is_row), kind, operation) {
        (Some((.., why)), Model, _) => Err(no_model(why)),
        (Some((.., why)), ..) => Err(Failure::Players((*why).to_owned())),
        (None, Program, Operation::Enumerate) => Ok(()),
        (None, Program, _) | (None, Simultaneous, Operation::Specialise) => Err(Failure::NoDomain),
        (None, ..) => Ok(()),
    }
}

/// Whether the program is a game in which all choose at once.
pub(crate) fn must_be_simultaneous(session: &Session) -> Result<(), Failure> {
    match Contract::of(&session.machine).kind() {
        Simultaneous => Ok(()),
        _ => Err(Failure::NotAtOnce),
    }
}

/// That a command is not for models, and what to do with one.
pub fn no_model(why: &str) -> Failure {
    Failure::Players(format!("this file is a model (`model(Vars)`): {why}"))
}
