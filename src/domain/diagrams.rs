//! Enumerations that list no state: layers are decision diagrams.

use crate::Packed;
use crate::contract::{Contract, DomainKind, indicator};
use crate::error::{RuleError, Violation};
use crate::game::{initial_player, with_plain_game};
use crate::problem::RuleProblem;
use crate::run::{Enumeration, nested};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use zug_diagrams::{Ended, Limits as Most, Next, NoDiagrams, Player, Side, Space};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{DiagramUse, Stats};
use zug_search::{Float, Limits, Observer, Progress, StopReason};
use zug_term::Record;

/// Steps of making code that rules are read with.
const STEPS: u64 = 30_000_000;
/// Time between two reports of how far it is.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// How often leaves may turn out to be what was not expected of them.
const MOST_ROUNDS: usize = 8;

/// A state: the player to move, and leaves.
type Reached = (Player, Vec<u8>);
/// Why a search over sets of states is of no use, and the state that tells it.
type Unknown = (String, Option<Reached>);

/// Counts every state that can be reached from one, with layers as decision diagrams.
///
/// # Errors
/// The rules are not known in full; or an error in one of them.
pub fn explore_by_diagrams(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    limits: &Limits,
    start: &Record,
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, Box<RuleError>> {
    if contract.kind() == DomainKind::Game {
        return game(m, w, limits, start, observer);
    }
    nested(m, w, limits, |m, w, limits| {
        let (began, mut observer) = (Instant::now(), observer);
        let mut problem =
            RuleProblem::<Float, Packed>::resumed(m, w, contract, None, false, start)?;
        let start = problem.pack(start)?;
        let refused = |why| RuleError::new(Violation::NoDiagrams(why), indicator::RULE);
        let leaves = problem.leaf_values(&start).ok_or_else(|| refused(WIDE.to_owned()))?;
        let state = |leaves: &[u8]| Packed::new(&[&start.bytes()[..1], leaves].concat());
        problem.expect_met(&start)?;
        let mut rounds = 0..MOST_ROUNDS;
        loop {
            let moves = match problem.moves_in_full(&start, STEPS) {
                Ok(moves) => moves,
                Err(why) => return nothing_yet(limits, began).ok_or_else(|| refused(why)),
            };
            let sides =
                [Side { moves: &moves, over: None, must_go_on: false, next: Next::Player(0) }];
            match watched(&sides, (0, &leaves), (limits, began), observer.as_deref_mut()) {
                Ok(space) => {
                    let deepest = told(&space).iter();
                    let deepest = deepest.map(|(_, leaves)| problem.unpack(state(leaves).bytes()));
                    let explored = explored(&space, deepest.collect(), began.elapsed());
                    problem.keep();
                    return Ok(explored);
                }
                Err(NoDiagrams::Moves(_, leaves))
                    if rounds.next().is_some() && problem.expect_behind(&state(&leaves))? => {}
                Err(why) => {
                    let (why, found) = in_words(why);
                    let mut error = refused(why);
                    error.state = found.map(|(_, leaves)| problem.unpack(state(&leaves).bytes()));
                    return Err(error);
                }
            }
        }
    })
}

/// What is said of leaves that have no code of one byte.
const WIDE: &str = "parts of the state are no values of code";

fn game(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    start: &Record,
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, Box<RuleError>> {
    let player = initial_player(m, w)?;
    with_plain_game(m, w, limits, |table| {
        let start = table.position(player.as_ref(), start)?;
        let (limits, began, mut observer) = (table.limits.clone(), Instant::now(), observer);
        let game = &mut table.game;
        let refused = |why| RuleError::new(Violation::NoDiagrams(why), indicator::MOVE_4);
        let leaves = game.leaf_values(&start).ok_or_else(|| refused(WIDE.to_owned()))?;
        let &[first, shape, ..] = start.bytes() else { return Err(refused(WIDE.to_owned())) };
        let state = |(player, leaves): &Reached| {
            Packed::new(&[&[*player as u8, shape], &leaves[..]].concat())
        };
        game.expect_met(&start)?;
        let mut rounds = 0..MOST_ROUNDS;
        loop {
            let rules = match game.told_in_full(&start, STEPS) {
                Ok(rules) => rules,
                Err(error) => return nothing_yet(&limits, began).ok_or(error),
            };
            let sides = rules.sides.iter().map(|side| Side {
                moves: &side.moves,
                over: side.over.as_ref(),
                // Rules that say when it is over have to be right.
                must_go_on: side.over.is_some(),
                next: match &rules.turns {
                    Some((of, turns)) => Next::Told(of, turns),
                    None => Next::Player(usize::from(side.next)),
                },
            });
            let sides: Vec<Side<'_>> = sides.collect();
            let from = (usize::from(first), &leaves[..]);
            match watched(&sides, from, (&limits, began), observer.as_deref_mut()) {
                Ok(space) => {
                    let deepest = told(&space).iter().map(|found| game.state_term(&state(found)));
                    return Ok(explored(&space, deepest.collect(), began.elapsed()));
                }
                Err(NoDiagrams::Moves(player, leaves))
                    if rounds.next().is_some()
                        && game.expect_behind(&state(&(player, leaves.clone())))? => {}
                Err(why) => {
                    let (why, found) = in_words(why);
                    let mut error = refused(why);
                    error.state = found.as_ref().map(|found| game.state_term(&state(found)));
                    error.player = found.map(|(player, _)| game.player_term(player as u8));
                    return Err(error);
                }
            }
        }
    })
}

/// The states that are handed out: none behind a limit, where no time is left for making terms of them.
fn told(space: &Space) -> &[(Player, Vec<u8>)] {
    if space.ended.is_some() { &[] } else { &space.deepest }
}

/// Searches within limits. An error says why nothing can be counted.
fn watched(
    sides: &[Side<'_>],
    start: (Player, &[u8]),
    (limits, began): (&Limits, Instant),
    mut observer: Option<&mut Observer<'_>>,
) -> Result<Space, NoDiagrams> {
    let mut reported = Duration::ZERO;
    let most = Most {
        depth: limits.depth.unwrap_or(u32::MAX),
        states: limits.nodes.map_or(u128::MAX, u128::from),
        bytes: limits.memory.unwrap_or(usize::MAX),
    };
    zug_diagrams::explore(sides, start, &most, &mut |told| {
        if let Some(reason) = is_over(limits, began) {
            return Some(reason as u8);
        }
        let elapsed = began.elapsed();
        if elapsed >= reported + REPORT_EVERY
            && let Some(observer) = &mut observer
        {
            reported = elapsed;
            observer(&Progress {
                expanded: shown(told.expanded),
                generated: 0,
                lower_bound: None,
                depth: told.depth,
                memory_bytes: told.bytes,
                elapsed,
            });
        }
        None
    })
}

/// Why it is time to stop, if it is.
fn is_over(limits: &Limits, began: Instant) -> Option<StopReason> {
    if limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
        return Some(StopReason::Cancelled);
    }
    limits.time.is_some_and(|time| began.elapsed() >= time).then_some(StopReason::Time)
}

/// What a limit leaves that ended reading the rules, if one did.
fn nothing_yet(limits: &Limits, began: Instant) -> Option<Enumeration> {
    let ended = Some(Ended::Watched(is_over(limits, began)? as u8));
    Some(explored(&Space { ended, ..Space::default() }, Vec::new(), began.elapsed()))
}

/// A count of states as it is told where there is no room for all of it.
fn shown(count: u128) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn in_words(why: NoDiagrams) -> Unknown {
    match why {
        NoDiagrams::Leaf(leaf) => {
            (format!("it is not known what part {} of a state may be", leaf + 1), None)
        }
        NoDiagrams::Moves(player, state) => {
            ("it is not known in full what moves lead to".to_owned(), Some((player, state)))
        }
        NoDiagrams::Over(player, state) => {
            ("it is not known whether the game is over".to_owned(), Some((player, state)))
        }
        NoDiagrams::Turn(player, state) => {
            ("it is not known whose turn a move leads to".to_owned(), Some((player, state)))
        }
        NoDiagrams::Bits(bits) => (format!("a state has {bits} bits"), None),
        NoDiagrams::Count => (
            "there are more than 2**128 states: `--depth` counts those that are near".to_owned(),
            None,
        ),
    }
}

fn explored(space: &Space, deepest: Vec<Record>, elapsed: Duration) -> Enumeration {
    let stopped = space.ended.map(|ended| match ended {
        Ended::Depth => StopReason::Depth,
        Ended::States => StopReason::Nodes,
        Ended::Memory => StopReason::Memory,
        Ended::Watched(reason) if reason == StopReason::Time as u8 => StopReason::Time,
        Ended::Watched(_) => StopReason::Cancelled,
    });
    let largest = space.by_depth.iter().max().copied().unwrap_or_default();
    Enumeration {
        stats: Stats {
            expanded: shown(space.expanded),
            peak_open: shown(largest),
            max_depth: space.by_depth.len().saturating_sub(1) as u32,
            iterations: 1,
            elapsed,
            peak_memory_bytes: space.peak_bytes,
            ..Stats::default()
        },
        diagrams: Some(DiagramUse {
            nodes: space.nodes.iter().map(|&nodes| nodes as u64).collect(),
            peak_nodes: space.peak_nodes as u64,
        }),
        by_depth: space.by_depth.clone(),
        deepest,
        terminal: space.terminal,
        numbered: None,
        on_disk: None,
        stopped,
        stopped_in: None,
        code: None,
    }
}
