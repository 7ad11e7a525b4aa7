//! Training as a predicate: `train/2,3` of `games.pl`.

use super::{Ended, Opponent, Plan, Training};
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use crate::game::initial_player;
use crate::game::predicates::raise;
use crate::predicates::{limit, said_by};
use crate::{Contract, instances};
use zug_machine::{Fault, Machine, Outcome as Answer};
use zug_prolog::builtins::{Entry, World};
use zug_search::game::GameEngine;
use zug_search::game::learn::{Method, Rule};
use zug_search::{Limits, StopReason};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record, Value};

/// The built-in under `train/2,3`; it runs goals.
pub const TABLE: &[Entry] = &[("$train", 4, train)];

/// Games unless something else is said.
const GAMES: u64 = 10_000;

/// What the options say.
struct Asked {
    games: u64,
    plan: Plan,
}

/// A state with who is to move and how likely each move is.
struct Likely {
    player: Option<Record>,
    state: Record,
    moves: Vec<(Record, f64)>,
}

/// What training came to.
struct Learnt {
    rows: Vec<Likely>,
    figures: [(&'static str, u64); 6],
}

/// `'$train'(Options, Policy, Result, WithPolicy)`.
fn train(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let asked = options(m, a[0]).map_err(|fault| said_by(m, fault, "train", 2))?;
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

fn row_term(m: &mut Machine, row: &Likely) -> Cell {
    let Likely { player, state, moves } = row;
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
    asked: Asked,
    with_policy: bool,
) -> Result<Result<Learnt, StopReason>, Box<RuleError>> {
    let contract = Contract::of(m);
    let Some(start) = instances(m, w, &contract, 1)?.into_iter().next() else {
        return Err(RuleError::new(
            Violation::Missing("initial_state(S)"),
            indicator::INITIAL_STATE,
        ));
    };
    let player = initial_player(m, w)?;
    let rule = asked.plan.rule;
    let mut training = Training::new(m, w, asked.plan, player.as_ref(), &start.state)?;
    match training.run(m, w, asked.games, &Limits::none(), &mut |_, _| {}) {
        Ended::Done | Ended::Waiting(_) => {}
        Ended::Stopped(reason) => return Ok(Err(reason)),
        Ended::Failed(error) => return Err(error),
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
        let likely = rule.probabilities(&stats, asked.games);
        let moves = row.moves.into_iter().map(|(mv, _)| mv).zip(likely).collect();
        Likely { player: row.player, state: row.state, moves }
    };
    let rows = if with_policy { rows.into_iter().map(likely).collect() } else { Vec::new() };
    Ok(Ok(Learnt { rows, figures }))
}

fn options(m: &mut Machine, list: Cell) -> Result<Asked, Fault> {
    let plan = Plan {
        rule: Rule::default(),
        seed: 1,
        against: Opponent::Itself,
        baseline: Opponent::Random,
    };
    let mut asked = Asked { games: GAMES, plan };
    let Some(items) = m.heap.proper_list(list) else { return Err(m.type_error("list", list)) };
    for item in items {
        let item = m.heap.deref(item);
        if item.is_ref() {
            return Err(m.instantiation_error());
        }
        if take(m, &mut asked, item).is_none() {
            return Err(m.domain_error("train_option", item));
        }
    }
    Ok(asked)
}

/// Takes note of an option; `None` if it is none.
fn take(m: &Machine, asked: &mut Asked, option: Cell) -> Option<()> {
    let (name, arity, args) = m.heap.name_arity(option)?;
    let arg = |i: usize| m.heap.deref(m.heap.at(args + i));
    let atom = |i: usize| arg(i).as_atom().map(|atom| m.symbols.name(atom));
    let count = || arg(0).as_int().and_then(|count| u64::try_from(count).ok());
    let number = || match m.heap.value(arg(0)) {
        Value::Int(number) if number >= 0 => Some(number as f64),
        Value::Float(number) if number >= 0.0 && number.is_finite() => Some(number),
        _ => None,
    };
    let part = || number().filter(|&part| part <= 1.0);
    let Plan { rule, seed, against, baseline } = &mut asked.plan;
    match (m.symbols.name(name), arity) {
        ("games", 1) => asked.games = count()?,
        ("seed", 1) => *seed = count()?,
        ("method", 1) => rule.method = Method::by_name(&atom(0)?.replace('_', "-"))?,
        ("against", 1) => *against = opponent(m, arg(0))?,
        ("baseline", 1) => {
            *baseline = opponent(m, arg(0)).filter(|who| !matches!(who, Opponent::Itself))?;
        }
        ("reinforce", 1) => {
            rule.beads.all = match atom(0)? {
                "all" => true,
                "last" => false,
                _ => return None,
            };
        }
        ("punish", 1) => rule.beads.loss = if atom(0)? == "true" { -1 } else { 0 },
        ("beads", 3) => {
            let bead = |i: usize| arg(i).as_int().and_then(|beads| i32::try_from(beads).ok());
            (rule.beads.win, rule.beads.draw, rule.beads.loss) = (bead(0)?, bead(1)?, bead(2)?);
        }
        ("epsilon", 1) => rule.rates.epsilon = part()?,
        ("alpha", 1) => rule.rates.alpha = Some(part()?),
        ("decay", 1) => rule.rates.decay = number()?,
        ("discount", 1) => rule.rates.discount = part()?,
        _ => return None,
    }
    Some(())
}

fn opponent(m: &Machine, who: Cell) -> Option<Opponent> {
    if let Some(name) = who.as_atom() {
        return match m.symbols.name(name) {
            "self" => Some(Opponent::Itself),
            "random" => Some(Opponent::Random),
            "optimal" => Some(Opponent::Optimal),
            name => Some(Opponent::Engine(GameEngine::by_name(name)?, None)),
        };
    }
    let (colon, 2, args) = m.heap.name_arity(who)? else { return None };
    let [engine, depth] = [0, 1].map(|i| m.heap.deref(m.heap.at(args + i)));
    let engine = GameEngine::by_name(m.symbols.name(engine.as_atom()?))?;
    let depth = u32::try_from(depth.as_int()?).ok().filter(|&depth| depth > 0)?;
    (m.symbols.name(colon) == ":").then_some(Opponent::Engine(engine, Some(depth)))
}
