//! Enumerations whose states are in files.

use crate::bases::fingerprint;
use crate::canonical_text;
use crate::contract::{Contract, DomainKind};
use crate::error::{RuleError, Violation};
use crate::game::{GameSpace, initial_player, with_vocabulary};
use crate::problem::RuleProblem;
use crate::run::{Enumeration, explored, nested, unfinished};
use crate::{Fixed, Packed, PackedState};
use std::path::Path;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::{Limits, Observer, OnDiskError, SearchError, enumerate_on_disk};
use zug_sorted::{DiskError, Folder, LayersOf};
use zug_term::Record;

/// Bytes of states that are carried without memory of their own.
const SHORT: usize = 32;

/// Why a space is not in files.
#[derive(Debug)]
pub enum ExploreError {
    /// An error in a rule.
    Rule(Box<RuleError>),
    /// The folder can't be read or written, or is of something else.
    Disk(DiskError),
}

impl From<Box<RuleError>> for ExploreError {
    fn from(error: Box<RuleError>) -> Self {
        Self::Rule(error)
    }
}

impl From<DiskError> for ExploreError {
    fn from(error: DiskError) -> Self {
        Self::Disk(error)
    }
}

/// Visits every state that can be reached from one, with the states in a folder, and goes on where an earlier
/// call ended. `rules` is what the rules are called.
///
/// # Errors
/// See [`ExploreError`].
pub fn explore_on_disk(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    limits: &Limits,
    (start, rules): (&Record, &str),
    path: &Path,
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, ExploreError> {
    let is_game = contract.kind() == DomainKind::Game;
    let player = if is_game { initial_player(m, w)? } else { None };
    let mut text = canonical_text(m, w, start);
    if let Some(player) = &player {
        text = format!("{text}, {} to move", canonical_text(m, w, player));
    }
    let of = LayersOf { rules: fingerprint(m, w), name: rules.to_owned(), start: text };
    let mut folder = Folder::open(path, of)?;
    if is_game {
        return game(m, w, limits, (player.as_ref(), start), &mut folder, observer);
    }
    let mut observer = observer;
    let observed = observer.as_deref_mut();
    let found = puzzle::<Fixed<SHORT>>(m, w, contract, limits, start, &mut folder, observed);
    match found {
        // States that are longer; what is done is in the folder.
        Err(ExploreError::Rule(error)) if matches!(error.violation, Violation::Room) => {
            puzzle::<Packed>(m, w, contract, limits, start, &mut folder, observer)
        }
        Err(ExploreError::Disk(DiskError::TooLarge)) => {
            puzzle::<Packed>(m, w, contract, limits, start, &mut folder, observer)
        }
        found => found,
    }
}

/// Words that make no sense.
fn nonsense(folder: &Folder) -> ExploreError {
    DiskError::Damaged(folder.path().to_owned(), "its words can't be read").into()
}

/// What is known when a limit struck inside a rule.
fn stopped(
    machine: (&mut Machine, &mut World),
    error: SearchError,
    limits: &Limits,
    code: Option<zug_report::CodeUse>,
    folder: &Folder,
) -> Result<Enumeration, ExploreError> {
    let found = unfinished(machine, error, limits, code)?;
    let done = &folder.done;
    Ok(Enumeration {
        by_depth: done.layers.iter().copied().map(u128::from).collect(),
        terminal: u128::from(done.counts[2]),
        on_disk: Some(folder.bytes()),
        ..found
    })
}

fn puzzle<S: PackedState>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    limits: &Limits,
    start: &Record,
    folder: &mut Folder,
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, ExploreError> {
    let mut disk = None;
    let found = nested(m, w, limits, |m, w, limits| {
        let words = folder.done.vocabulary.clone();
        let problem = RuleProblem::<i64, S>::with_vocabulary(m, w, contract, &words)?;
        let Some(mut problem) = problem.map(RuleProblem::without_costs) else {
            disk = Some(nonsense(folder));
            return Ok(None);
        };
        let start = problem.pack(start)?;
        let words = &mut |problem: &mut RuleProblem<'_, i64, S>| problem.vocabulary();
        let space = enumerate_on_disk(&mut problem, &start, folder, words, limits, observer);
        let code = problem.code_use();
        let found = match space {
            Ok(space) => Ok(explored(space, code, |state| problem.unpack(state.bytes()))),
            Err(OnDiskError::Disk(error)) => Err(error.into()),
            Err(OnDiskError::Search(error)) => {
                stopped(problem.machine(), error, limits, code, folder)
            }
        };
        kept_apart(found, &mut disk)
    });
    found?.ok_or_else(|| disk.unwrap_or_else(|| nonsense(folder)))
}

fn game(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    (player, start): (Option<&Record>, &Record),
    folder: &mut Folder,
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, ExploreError> {
    let mut disk = None;
    let words = folder.done.vocabulary.clone();
    let found = with_vocabulary(m, w, limits, &words, |table| {
        let start = table.position(player, start)?;
        let (before, limits) = (table.game.counts(), table.limits.clone());
        let words = &mut |space: &mut GameSpace<'_>| space.vocabulary();
        let mut space = GameSpace::of(&mut table.game);
        let space =
            enumerate_on_disk::<_, i64, _>(&mut space, &start, folder, words, &limits, observer);
        let code = table.game.code_use(&before);
        let found = match space {
            Ok(space) => Ok(explored(space, code, |state| table.game.state_term(state))),
            Err(OnDiskError::Disk(error)) => Err(error.into()),
            Err(OnDiskError::Search(error)) => {
                stopped(table.game.machine(), error, &limits, code, folder)
            }
        };
        kept_apart(found, &mut disk)
    });
    found?.flatten().ok_or_else(|| disk.unwrap_or_else(|| nonsense(folder)))
}

/// An error in a rule, which limits of the machine look at, apart from others.
fn kept_apart(
    found: Result<Enumeration, ExploreError>,
    disk: &mut Option<ExploreError>,
) -> Result<Option<Enumeration>, Box<RuleError>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(ExploreError::Rule(error)) => Err(error),
        Err(error) => {
            *disk = Some(error);
            Ok(None)
        }
    }
}
