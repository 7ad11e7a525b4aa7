//! The game engines as predicates. `games.pl` gives them the forms that users call.

use super::chance::to_cell;
use super::table::{Table, find_game, initial_player, with_game, with_plain_game};
use super::task::GameTask;
use crate::Packed;
use crate::error::{RuleError, Violation};
use crate::journal::{note_condition, note_game};
use crate::predicates::{limit, said_by};
use num_bigint::{BigInt, BigUint};
use zug_machine::{Fault, Machine, Outcome as Answer};
use zug_prolog::builtins::{Entry, World};
use zug_report::{GameOutcome, GameSolution, Proof, Worth};
use zug_search::game::{
    CHANCE, Expected, Game, GameEngine, Halt, count, explore, grundy, strategy,
};
use zug_search::{Limits, StopReason};
use zug_state::Number;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record, Value};

/// The built-ins under the game predicates; all run goals.
pub const TABLE: &[Entry] = &[
    Entry::search("$game_engine", 6, engine),
    Entry::pure("$initial_player", 1, first_player),
    Entry::search("$solved", 6, solved),
    Entry::search("$game_line", 4, line),
    Entry::search("$grundy", 3, grundy_value),
    Entry::search("$reach", 5, reach),
    Entry::search("$strategy", 3, winning_strategy),
    Entry::search("$count_states", 3, count_states),
    Entry::search("$count_plays", 3, count_plays),
    Entry::search("$perft", 4, perft),
];

/// The arguments of a predicate on games: player and state.
pub(super) struct GameArguments {
    pub player: Record,
    pub state: Record,
}

impl GameArguments {
    pub fn of(m: &mut Machine, a: &[Cell]) -> GameArguments {
        GameArguments {
            player: Record::new(&mut m.heap, a[0]),
            state: Record::new(&mut m.heap, a[1]),
        }
    }
}

/// A failure or a limit as an exception.
pub(super) fn raise(m: &mut Machine, w: &World, error: RuleError, name: &str, arity: i64) -> Fault {
    let fault = error.into_fault(m, w);
    said_by(m, fault, name, arity)
}

/// Puts the game on the table for one question, whose answer is unified with a cell.
fn ask<T>(
    m: &mut Machine,
    w: &mut World,
    a: &[Cell],
    name: &'static str,
    question: impl FnOnce(&mut Table<'_>, &Packed) -> Result<QuestionResult<T>, Box<RuleError>>,
    answer: impl FnOnce(&mut Machine, T, &[Cell]) -> bool,
) -> Answer {
    // States and lines are asked for as they are, not as classes.
    let plain = !matches!(name, "solve_game" | "grundy");
    let asked = GameArguments::of(m, a);
    let base = m.roots.len();
    m.roots.extend_from_slice(a);
    let mut condition = None;
    let question = |table: &mut Table<'_>| {
        let start = table.position(Some(&asked.player), &asked.state)?;
        let found = question(table, &start)?;
        condition = table.impurity();
        Ok(found)
    };
    let limits = Limits::none();
    let found = if plain {
        with_plain_game(m, w, &limits, question)
    } else {
        with_game(m, w, &limits, question)
    };
    let args = m.roots[base..].to_vec();
    m.roots.truncate(base);
    if let Some(condition) = condition.filter(|_| !w.experiment) {
        note_condition(w, condition);
    }
    match found {
        Ok(QuestionResult::Answer(found)) => Ok(answer(m, found, &args)),
        Ok(QuestionResult::No) => Ok(false),
        Ok(QuestionResult::Stopped(reason)) => Err(limit(m, reason, name)),
        Err(error) => Err(raise(m, w, *error, name, a.len() as i64)),
    }
}

/// The answer to a question about a game.
enum QuestionResult<T> {
    Answer(T),
    No,
    Stopped(StopReason),
}

impl<T> QuestionResult<T> {
    fn of(result: Result<T, Halt>) -> Result<Self, Box<RuleError>> {
        match result {
            Ok(answer) => Ok(QuestionResult::Answer(answer)),
            Err(Halt::Stop(reason)) => Ok(QuestionResult::Stopped(reason)),
            Err(Halt::Fail(failure)) => Err(failure.into()),
        }
    }
}

/// `'$initial_player'(J)`.
fn first_player(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let base = m.roots.len();
    m.roots.push(a[0]);
    let found = initial_player(m, w);
    let cell = m.roots[base];
    m.roots.truncate(base);
    match found {
        Ok(player) => {
            let player = match player {
                Some(player) => player.instantiate(&mut m.heap),
                None => Cell::atom(m.symbols.intern("first")),
            };
            Ok(m.unify(cell, player))
        }
        Err(error) => Err(raise(m, w, *error, "initial_player", 1)),
    }
}

/// The depth of an argument: an integer that is not negative, or `inf`.
fn depth_of(m: &mut Machine, cell: Cell) -> Result<Option<u32>, Fault> {
    match m.heap.value(cell) {
        Value::Atom(atoms::INF | atoms::INFINITE) => Ok(None),
        Value::Int(depth) => Ok(u32::try_from(depth).ok()),
        _ => Err(m.type_error("integer", cell)),
    }
}

/// `'$game_engine'(Engine, J, S, Depth, Move, Value)`.
fn engine(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let name = a[0].as_atom().map(|name| m.symbols.shared(name));
    let Some(engine) = name.and_then(|name| GameEngine::by_name(&name)) else {
        return Err(m.domain_error("engine", a[0]));
    };
    let depth = depth_of(m, a[3])?;
    let asked = GameArguments::of(m, &a[1..]);
    let task = GameTask { depth, ..GameTask::of(engine) };
    let (found, [mv, value]) = find_as_asked(m, w, &task, &asked, [a[4], a[5]])?;
    Ok(unify_move(m, found.best.as_ref(), mv) && unify_value(m, &found, value))
}

/// What an engine finds out, with cells that the caller needs afterwards.
///
/// # Errors
/// An error in a rule, or a limit.
pub(super) fn find_as_asked<const N: usize>(
    m: &mut Machine,
    w: &mut World,
    task: &GameTask,
    asked: &GameArguments,
    cells: [Cell; N],
) -> Result<(GameSolution<Record>, [Cell; N]), Fault> {
    let base = m.roots.len();
    m.roots.extend(cells);
    let found = find_game(m, w, task, Some(&asked.player), &asked.state, None);
    let cells = std::array::from_fn(|i| m.roots[base + i]);
    m.roots.truncate(base);
    let name = task.engine.info().name;
    let found = found.map_err(|error| raise(m, w, *error, name, 5))?;
    note_game(w, &found);
    match found.outcome {
        GameOutcome::Stopped(reason) => Err(limit(m, reason, name)),
        _ => Ok((found, cells)),
    }
}

pub(super) fn unify_move(m: &mut Machine, best: Option<&Record>, cell: Cell) -> bool {
    let best = match best {
        Some(mv) => mv.instantiate(&mut m.heap),
        None => Cell::atom(m.symbols.intern("none")),
    };
    m.unify(cell, best)
}

pub(super) fn unify_value(m: &mut Machine, found: &GameSolution<Record>, cell: Cell) -> bool {
    if found.engine == GameEngine::Pns.info().name {
        let sign = match found.proof {
            Some(Proof::Won) => 1,
            Some(Proof::Lost) => -1,
            None => 0,
        };
        return m.unify(cell, Cell::small(sign));
    }
    // Engines for two give the value to the player to move.
    let own = found.value.as_ref().filter(|_| {
        found.values.is_empty()
            || found.values.len() == 2 && found.engine != GameEngine::Maxn.info().name
    });
    let value = if let Some(value) = own {
        to_cell(m, &Expected::from(value))
    } else if found.values.is_empty() {
        return false;
    } else {
        let pairs: Vec<Cell> = found
            .values
            .iter()
            .map(|Worth { player, value }| {
                let player = player.instantiate(&mut m.heap);
                let value = to_cell(m, &Expected::from(value));
                m.heap.new_struct(atoms::MINUS, &[player, value])
            })
            .collect();
        m.heap.list_from(&pairs, Cell::NIL)
    };
    m.unify(cell, value)
}

/// `'$solved'(J, S, Report, Value, Move, Distance)`: exact play. Distance is `none` where
/// nobody can force an end.
fn solved(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    if m.heap.deref(a[2]) == Cell::atom(atoms::TRUE) {
        let task = GameTask::of(GameEngine::SolveGame);
        let asked = GameArguments::of(m, a);
        let base = m.roots.len();
        m.roots.extend_from_slice(&a[3..]);
        let found = find_game(m, w, &task, Some(&asked.player), &asked.state, None);
        let [value, mv, distance] = std::array::from_fn(|i| m.roots[base + i]);
        m.roots.truncate(base);
        let found = match found {
            Ok(found) => found,
            Err(error) => return Err(raise(m, w, *error, "solve_game", 3)),
        };
        note_game(w, &found);
        if let GameOutcome::Stopped(reason) = found.outcome {
            return Err(limit(m, reason, "solve_game"));
        }
        let moves = found.distance;
        let own = GameSolution { values: Vec::new(), ..found.clone() };
        let own = if found.value.is_some() { &own } else { &found };
        return Ok(unify_value(m, own, value)
            && unify_move(m, found.best.as_ref(), mv)
            && unify_distance(m, moves, distance));
    }
    // Who wins and who loses is asked for.
    let judges = m.heap.deref(a[2]) == Cell::atom(m.symbols.intern("judge"));
    let question = |table: &mut Table<'_>, start: &Packed| {
        let (node, from_base) = match table.tell(start)? {
            Ok(told) => told,
            Err(reason) => return Ok(QuestionResult::Stopped(reason)),
        };
        let Some(solved) = table.known(from_base) else { return Ok(QuestionResult::No) };
        let mover = table.graph.player(node);
        let value = solved.mean_to(table.graph, node, mover);
        let distance = solved.distance(node);
        if judges {
            table.must_not_be_apart("winning/2")?;
        }
        let Some(value) = value.filter(|_| mover != CHANCE) else { return Ok(QuestionResult::No) };
        Ok(QuestionResult::Answer((value, distance)))
    };
    ask(m, w, a, "solve_game", question, |m, (value, distance): (Expected, Option<u32>), a| {
        let value = to_cell(m, &value);
        m.unify(a[3], value) && unify_distance(m, distance, a[5])
    })
}

fn unify_distance(m: &mut Machine, distance: Option<u32>, cell: Cell) -> bool {
    let distance = match distance {
        Some(distance) => Cell::small(i64::from(distance)),
        None => Cell::atom(m.symbols.intern("none")),
    };
    m.unify(cell, distance)
}

/// `'$game_line'(J, S, Depth, Line)`.
fn line(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let depth = depth_of(m, a[2])?;
    let asked = GameArguments::of(m, a);
    let base = m.roots.len();
    m.roots.push(a[3]);
    let task = GameTask { depth, ..GameTask::of(GameEngine::Alphabeta) };
    let found = find_game(m, w, &task, Some(&asked.player), &asked.state, None);
    let cell = m.roots[base];
    m.roots.truncate(base);
    let found = match found {
        Ok(found) => found,
        Err(error) => return Err(raise(m, w, *error, "principal_variation", 4)),
    };
    note_game(w, &found);
    if let GameOutcome::Stopped(reason) = found.outcome {
        return Err(limit(m, reason, "principal_variation"));
    }
    Ok(unify_line(m, &found.line, cell))
}

fn unify_line(m: &mut Machine, line: &[Record], cell: Cell) -> bool {
    let moves: Vec<Cell> = line.iter().map(|mv| mv.instantiate(&mut m.heap)).collect();
    let list = m.heap.list_from(&moves, Cell::NIL);
    m.unify(cell, list)
}

/// `'$grundy'(J, S, G)`.
fn grundy_value(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let question = |table: &mut Table<'_>, start: &Packed| {
        if table.game.has_chance() {
            return Err(RuleError::new(Violation::Chance("grundy/2"), "grundy/2"));
        }
        let limits = table.limits.clone();
        QuestionResult::of(grundy::value(&mut table.game, table.graph, start, &limits))
    };
    ask(m, w, a, "grundy", question, |m, value, a| m.unify(a[2], Cell::small(i64::from(value))))
}

/// `'$reach'(J, S, Value, Line, How)`.
fn reach(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let wanted = m.heap.deref(a[2]);
    let wanted = if wanted.is_var() {
        None
    } else {
        let number = Number::read(m, wanted).map_err(|_| m.type_error("number", a[2]))?;
        Some(super::GameValue(number))
    };
    let shortest = m.symbols.intern("shortest");
    let shortest = m.heap.deref(a[4]) == Cell::atom(shortest);
    let question = |table: &mut Table<'_>, start: &Packed| {
        table.weigh()?;
        let limits = table.limits.clone();
        let player = table.game.player(start);
        let (game, graph) = (&mut table.game, &mut *table.graph);
        let found = explore::reach(game, graph, start, player, wanted, shortest, &limits);
        Ok(match QuestionResult::of(found)? {
            QuestionResult::Answer(Some((value, line))) => {
                let line: Vec<Record> = line.iter().map(|&mv| table.game.move_term(mv)).collect();
                QuestionResult::Answer((value.0, line))
            }
            QuestionResult::Answer(None) | QuestionResult::No => QuestionResult::No,
            QuestionResult::Stopped(reason) => QuestionResult::Stopped(reason),
        })
    };
    ask(m, w, a, "reach", question, |m, (value, line), a| {
        let value = value.to_cell(&mut m.heap);
        // What was asked for may be 1 where the rules say 1.0.
        let same = !m.heap.deref(a[2]).is_var() || m.unify(a[2], value);
        same && unify_line(m, &line, a[3])
    })
}

/// `'$strategy'(J, S, Tree)`.
fn winning_strategy(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let question = |table: &mut Table<'_>, start: &Packed| {
        let players = table.game.players();
        if players != 2 {
            let violation = Violation::Players("strategy/3", players);
            return Err(RuleError::new(violation, "strategy/3"));
        }
        let node = match table.solve(start)? {
            Ok(node) => node,
            Err(reason) => return Ok(QuestionResult::Stopped(reason)),
        };
        table.must_not_be_apart("strategy/3")?;
        if table.game.has_chance() {
            return Err(RuleError::new(Violation::Chance("strategy/3"), "strategy/3"));
        }
        let player = table.game.player(start);
        let steps =
            table.solved().and_then(|solved| strategy::winning(table.graph, solved, node, player));
        let Some(steps) = steps else { return Ok(QuestionResult::No) };
        let mut named = Vec::new();
        for step in steps {
            let moves = step.moves.into_iter();
            let moves = moves.map(|(mv, to)| (table.game.move_term(mv), to)).collect();
            named.push(StrategyNode { own: step.player == player, moves });
        }
        if tree_size(&named) > LARGEST_TREE {
            return Ok(QuestionResult::Stopped(StopReason::Memory));
        }
        Ok(QuestionResult::Answer(named))
    };
    ask(m, w, a, "strategy", question, |m, steps, a| {
        let tree = strategy_term(m, &steps);
        m.unify(a[2], tree)
    })
}

/// A state of a strategy with the names of its moves.
struct StrategyNode {
    own: bool,
    moves: Vec<(Record, u32)>,
}

/// The most nodes of a strategy written out as a tree.
const LARGEST_TREE: u64 = 1_000_000;

/// The nodes of a strategy as a tree, where shared steps count as often as they come up.
fn tree_size(steps: &[StrategyNode]) -> u64 {
    let mut sizes: Vec<Option<u64>> = vec![None; steps.len()];
    let mut path = vec![0usize];
    while let Some(&at) = path.last() {
        let inner = steps[at].moves.iter().map(|&(_, to)| to as usize);
        let before = path.len();
        path.extend(inner.clone().filter(|&to| sizes[to].is_none()));
        if path.len() == before {
            path.pop();
            let sum = inner.fold(1u64, |sum, to| sum.saturating_add(sizes[to].unwrap_or(0)));
            sizes[at] = Some(sum);
        }
    }
    sizes[0].unwrap_or(0)
}

/// The first step as a term; steps that come up again share theirs.
fn strategy_term(m: &mut Machine, steps: &[StrategyNode]) -> Cell {
    let play = m.symbols.intern("play");
    let over = Cell::atom(m.symbols.intern("over"));
    let mut terms: Vec<Option<Cell>> = vec![None; steps.len()];
    let mut path = vec![0usize];
    while let Some(&at) = path.last() {
        let StrategyNode { own, moves } = &steps[at];
        let wanted = moves.iter().map(|&(_, to)| to as usize);
        let before = path.len();
        path.extend(wanted.filter(|&to| terms[to].is_none()));
        if path.len() > before {
            continue;
        }
        path.pop();
        let mut answers = Vec::new();
        for (mv, to) in moves {
            let mv = mv.instantiate(&mut m.heap);
            answers.push([mv, terms[*to as usize].unwrap_or(over)]);
        }
        terms[at] = Some(match (answers.as_slice(), own) {
            ([], _) => over,
            ([first, ..], true) => m.heap.new_struct(play, first),
            (_, false) => {
                let pair = |answer: &[Cell; 2]| m.heap.new_struct(atoms::MINUS, answer);
                let pairs: Vec<Cell> = answers.iter().map(pair).collect();
                m.heap.list_from(&pairs, Cell::NIL)
            }
        });
    }
    terms[0].unwrap_or(over)
}

fn unify_count(m: &mut Machine, count: BigUint, cell: Cell) -> bool {
    let count = m.heap.new_big(&BigInt::from(count));
    m.unify(cell, count)
}

/// `'$count_states'(J, S, N)`.
fn count_states(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let question = |table: &mut Table<'_>, start: &Packed| {
        let limits = table.limits.clone();
        QuestionResult::of(count::states(&mut table.game, table.graph, start, &limits))
    };
    ask(m, w, a, "count_states", question, |m, count, a| unify_count(m, count.into(), a[2]))
}

/// `'$count_plays'(J, S, N)`.
fn count_plays(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let question = |table: &mut Table<'_>, start: &Packed| {
        let limits = table.limits.clone();
        QuestionResult::of(count::plays(&mut table.game, table.graph, start, &limits))
    };
    ask(m, w, a, "count_plays", question, |m, count, a| unify_count(m, count, a[2]))
}

/// `'$perft'(J, S, Depth, N)`.
fn perft(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let depth = depth_of(m, a[2])?.unwrap_or(u32::MAX);
    let question = |table: &mut Table<'_>, start: &Packed| {
        let limits = table.limits.clone();
        QuestionResult::of(count::perft(&mut table.game, table.graph, start, depth, &limits))
    };
    ask(m, w, a, "perft", question, |m, count, a| unify_count(m, count, a[3]))
}
