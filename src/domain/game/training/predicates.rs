//! Training as a predicate: `train/2,3` of `games.pl`.

use super::{Opponent, Training, TrainingEnd, TrainingPlan};
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use crate::game::initial_player;
use crate::game::predicates::raise;
use crate::options::OF_TRAINING;
use crate::predicates::{limit, said_by};
use crate::{Contract, instances};
use zug_machine::{Machine, Outcome as Answer};
use zug_options::{Rejected, Row, Table, Within};
use zug_prolog::builtins::{Entry, World};
use zug_search::game::GameEngine;
use zug_search::game::learn::Rule;
use zug_search::options::{BEADS, METHOD, RATES, SCHEDULE, Schedule};
use zug_search::{Limits, StopReason};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// The built-in under `train/2,3`; it runs goals.
pub const TABLE: &[Entry] = &[Entry::session("$train", 4, train)];

/// The options of `train/2,3`.
pub(crate) struct TrainOptions {
    schedule: Schedule,
    rule: Rule,
    against: Opponent,
    baseline: Opponent,
}

/// The policy of a state: the player to move, and the probability of each move.
struct StatePolicy {
    player: Option<Record>,
    state: Record,
    moves: Vec<(Record, f64)>,
}

/// The result of training.
struct TrainResult {
    rows: Vec<StatePolicy>,
    figures: [(&'static str, u64); 6],
}

/// `'$train'(Options, Policy, Result, WithPolicy)`.
fn train(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let mut asked = TrainOptions {
        schedule: Schedule::default(),
        rule: Rule::default(),
        against: Opponent::Itself,
        baseline: Opponent::Random,
    };
    let read = OF_TRAINING.read(m, w, a[0], &OPTIONS, &mut asked);
    read.map_err(|fault| said_by(m, fault, "train", 2))?;
    let with_policy = m.heap.deref(a[3]) == Cell::atom(atoms::TRUE);
    let base = m.roots.len();
    m.roots.extend([a[1], a[2]]);
    let learnt = learn(m, w, asked, with_policy);
    let [policy, result] = std::array::from_fn(|i| m.roots[base + i]);
    m.roots.truncate(base);
    let learnt = match learnt {
        Ok(Ok(learnt)) => learnt,
        Ok(Err(reason)) => return Err(limit(m, reason, "train")),
        Err(error) => return Err(raise(m, w, *error, "train", 2)),
    };
    let figures: Vec<Cell> = learnt
        .figures
        .into_iter()
        .map(|(name, count)| {
            let name = m.symbols.intern(name);
            m.heap.new_struct(name, &[Cell::small(count as i64)])
        })
        .collect();
    let figures = m.heap.list_from(&figures, Cell::NIL);
    if !m.unify(result, figures) {
        return Ok(false);
    }
    let rows = learnt.rows.iter().map(|row| row_term(m, row)).collect::<Vec<_>>();
    let rows = m.heap.list_from(&rows, Cell::NIL);
    Ok(!with_policy || m.unify(policy, rows))
}

fn row_term(m: &mut Machine, row: &StatePolicy) -> Cell {
    let StatePolicy { player, state, moves } = row;
    let player = match player {
        Some(player) => player.instantiate(&mut m.heap),
        None => m.heap.new_var(),
    };
    let state = state.instantiate(&mut m.heap);
    let pair = |m: &mut Machine, (mv, likely): &(Record, f64)| {
        let mv = mv.instantiate(&mut m.heap);
        let likely = m.heap.new_float(*likely);
        m.heap.new_struct(atoms::MINUS, &[mv, likely])
    };
    let moves: Vec<Cell> = moves.iter().map(|mv| pair(m, mv)).collect();
    let moves = m.heap.list_from(&moves, Cell::NIL);
    let name = m.symbols.intern("state");
    m.heap.new_struct(name, &[player, state, moves])
}

fn learn(
    m: &mut Machine,
    w: &mut World,
    asked: TrainOptions,
    with_policy: bool,
) -> Result<Result<TrainResult, StopReason>, Box<RuleError>> {
    let contract = Contract::of(m);
    let Some(start) = instances(m, w, &contract, 1)?.into_iter().next() else {
        return Err(RuleError::new(
            Violation::Missing("initial_state(S)"),
            indicator::INITIAL_STATE,
        ));
    };
    let player = initial_player(m, w)?;
    let TrainOptions { schedule: Schedule { games, seed }, rule, against, baseline } = asked;
    let plan = TrainingPlan { rule, seed, against, baseline };
    let mut training = Training::new(m, w, plan, player.as_ref(), &start.state)?;
    match training.run(m, w, games, &Limits::none(), &mut |_| {}) {
        TrainingEnd::Done | TrainingEnd::Waiting(_) => {}
        TrainingEnd::Stopped(reason) => return Ok(Err(reason)),
        TrainingEnd::Failed(error) => return Err(error),
    }
    let now = match training.now(m, w)? {
        Ok(now) => now,
        Err(reason) => return Ok(Err(reason)),
    };
    let share = training.share(m, w)?.unwrap_or_default();
    let rows = training.terms(m, w)?;
    let figures = [
        ("won", now.tally.wins),
        ("drawn", now.tally.draws),
        ("lost", now.tally.losses),
        ("right", share.right_choices),
        ("choices", share.choices),
        ("states", rows.len() as u64),
    ];
    let likely = |row: super::Terms| {
        let stats: Vec<_> = row.moves.iter().map(|(_, known)| *known).collect();
        let likely = rule.probabilities(&stats, games);
        let moves = row.moves.into_iter().map(|(mv, _)| mv).zip(likely).collect();
        StatePolicy { player: row.player, state: row.state, moves }
    };
    let rows = if with_policy { rows.into_iter().map(likely).collect() } else { Vec::new() };
    Ok(Ok(TrainResult { rows, figures }))
}

/// Who plays.
static OPPONENTS: [Row<TrainOptions>; 2] = [
    Row::pair("against", "Who", "Who plays against the learner", |to: &mut TrainOptions, who| {
        match opponent(who) {
            Some(who) => to.against = who,
            None => return Rejected::out_of_range(),
        }
        Ok(())
    }),
    Row::pair("baseline", "Who", "Who plays the evaluation games", |to: &mut TrainOptions, who| {
        match opponent(who).filter(|who| !matches!(who, Opponent::Itself)) {
            Some(who) => to.baseline = who,
            None => return Rejected::out_of_range(),
        }
        Ok(())
    }),
];

/// The options.
pub(crate) static OPTIONS: Table<TrainOptions, Cell> = Table(&[
    &Within(&SCHEDULE, |asked: &mut TrainOptions| &mut asked.schedule),
    &Within(&OPPONENTS, |asked: &mut TrainOptions| asked),
    &Within(&METHOD, |asked: &mut TrainOptions| &mut asked.rule),
    &Within(&BEADS, |asked: &mut TrainOptions| &mut asked.rule),
    &Within(&RATES, |asked: &mut TrainOptions| &mut asked.rule),
]);

/// Who is named: `random`, `alphabeta:4`.
fn opponent(who: &str) -> Option<Opponent> {
    match who {
        "self" => Some(Opponent::Itself),
        "random" => Some(Opponent::Random),
        "optimal" => Some(Opponent::Optimal),
        _ => {
            let (name, depth) = match who.split_once(':') {
                Some((name, depth)) => (name, Some(depth.parse().ok().filter(|&d| d > 0)?)),
                None => (who, None),
            };
            Some(Opponent::Engine(GameEngine::by_name(name)?, depth))
        }
    }
}
