//! The goal of an engine, as it would be asked at the prompt: `astar(P, C)`,
//! `negamax(x, S, 0, 4)`.

use super::TreeRequest;
use super::options::PLACE;
use crate::Failure;
use crate::options::take_options;
use zug_options::{Row, Rows, Table, Within};
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_search::game::GameEngine;
use zug_search::options::{DEPTH, MEMORY, NODES, PARAMETERS, SAMPLING, TIME};
use zug_search::{Engine, Limits};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record, Value};

/// The name by which the plain unfolding is asked for.
const MOVES: &str = "moves";

/// Fills in what a goal given as text says.
///
/// # Errors
/// It can't be read, or is no goal of an engine.
pub fn read_goal(
    session: &mut Session,
    text: &str,
    request: &mut TreeRequest,
) -> Result<(), Failure> {
    let query = session.query(text).map_err(|fault| Failure::UnreadableTerm("goal", fault))?;
    let cell = session.goal(&query);
    let read = match cell {
        Some(cell) => take(session, cell, request),
        None => Err("there is no goal".to_owned()),
    };
    session.close(query);
    read.map_err(Failure::Players)
}

/// Fills in what a goal on the heap says.
///
/// # Errors
/// It is no goal of an engine; why, in words.
pub fn take(session: &mut Session, goal: Cell, request: &mut TreeRequest) -> Result<(), String> {
    let heap = &session.machine.heap;
    let goal = heap.deref(goal);
    let Some((name, arity, args)) = heap.name_arity(goal) else {
        return Err(format!("`{}` is no goal of an engine", text(session, goal)));
    };
    let name = session.machine.symbols.name(name).to_owned();
    let args: Vec<Cell> = (0..arity).map(|i| heap.deref(heap.at(args + i))).collect();
    if name == MOVES {
        request.engine = None;
        return match args.as_slice() {
            [] => Ok(()),
            [state] => start(session, request, None, Some(*state)),
            [player, state] => start(session, request, Some(*player), Some(*state)),
            _ => Err("it is moves, moves(S) or moves(J, S)".to_owned()),
        };
    }
    if Engine::by_name(&name).is_some() {
        request.engine = Some(name.clone());
        return match args.as_slice() {
            [] | [_, _] => Ok(()),
            [state, _, _] => start(session, request, None, Some(*state)),
            [state, _, _, list] => {
                start(session, request, None, Some(*state))?;
                options(session, &name, *list, request)
            }
            _ => Err(format!("it is {name}(P, C), {name}(S, P, C) or {name}(S, P, C, Options)")),
        };
    }
    let Some(engine) = GameEngine::by_name(&name) else {
        return Err(unknown(&name, &[MOVES]));
    };
    request.engine = Some(name.clone());
    match (engine, args.as_slice()) {
        (_, []) => Ok(()),
        (GameEngine::SolveGame | GameEngine::Pns, [player, state, _]) => {
            start(session, request, Some(*player), Some(*state))
        }
        (GameEngine::Mcts | GameEngine::Playouts, [player, state, plays, _, rest @ ..])
            if rest.len() <= 1 =>
        {
            start(session, request, Some(*player), Some(*state))?;
            if engine == GameEngine::Playouts {
                request.sampling.playouts = Some(whole(session, *plays, "N")?);
            }
            rest.iter().try_for_each(|list| options(session, &name, *list, request))
        }
        (
            GameEngine::Minimax
            | GameEngine::Negamax
            | GameEngine::Alphabeta
            | GameEngine::Maxn
            | GameEngine::Expectiminimax,
            [player, state, now, most] | [player, state, now, most, _],
        ) => {
            start(session, request, Some(*player), Some(*state))?;
            let infinite = [atoms::INF, atoms::INFINITE].map(Cell::atom).contains(most);
            if !infinite {
                let now = whole(session, *now, "the depth now")?;
                let most = whole(session, *most, "the depth")?;
                // Beyond its end play is followed to the end.
                request.limits.depth =
                    most.checked_sub(now).and_then(|depth| depth.try_into().ok());
            }
            Ok(())
        }
        (GameEngine::SolveGame | GameEngine::Pns, _) => Err(format!("it is {name}(J, S, Value)")),
        (GameEngine::Mcts, _) => Err("it is mcts(J, S, Move, Value)".to_owned()),
        (GameEngine::Playouts, _) => Err("it is playouts(J, S, N, Table)".to_owned()),
        _ => Err(format!("it is {name}(J, S, P, Pmax)")),
    }
}

/// That there is no such engine, and which one was meant, or which there are.
pub fn no_engine(name: &str) -> String {
    unknown(name, &[])
}

fn unknown(name: &str, others: &[&'static str]) -> String {
    let puzzles = Engine::ALL.iter().map(|engine| engine.info().name);
    let games = GameEngine::ALL.iter().map(|engine| engine.info().name);
    let all: Vec<&str> = puzzles.chain(games).chain(others.iter().copied()).collect();
    let hint = match zug_term::spelling::nearest(all.iter().copied(), name) {
        Some(known) => format!("; did you mean `{known}`?"),
        None => format!("; there are {}", all.join(", ")),
    };
    format!("there is no engine `{name}`{hint}")
}

fn text(session: &mut Session, cell: Cell) -> String {
    let record = Record::new(&mut session.machine.heap, cell);
    term_text(&session.machine, &session.world, &record)
}

/// The start: what is unbound is left as it is.
fn start(
    session: &mut Session,
    request: &mut TreeRequest,
    player: Option<Cell>,
    state: Option<Cell>,
) -> Result<(), String> {
    for (cell, field) in [(player, &mut request.player), (state, &mut request.state)] {
        if let Some(cell) = cell.filter(|cell| !cell.is_var()) {
            *field = Some(text(session, cell));
        }
    }
    Ok(())
}

fn whole(session: &mut Session, cell: Cell, what: &str) -> Result<u64, String> {
    match session.machine.heap.value(cell) {
        Value::Int(number) if number >= 0 => Ok(number as u64),
        _ => Err(format!("{what} is a number from 0 on, and not `{}`", text(session, cell))),
    }
}

static LIMITED: [Row<Limits>; 4] = [DEPTH, NODES, TIME, MEMORY];
/// What a search answers is of no interest here.
static ANSWERS: [Row<TreeRequest, Cell>; 2] = [
    Row::term("states", "Ss", "The states along the plan", |_: &mut TreeRequest, _| Ok(())),
    Row::term("stats", "S", "What the search has counted", |_: &mut TreeRequest, _| Ok(())),
];

/// The options of an engine whose search is drawn.
static OPTIONS: Table<TreeRequest, Cell> = Table(&[
    &Within(&PLACE, |request: &mut TreeRequest| request),
    &Rows(&ANSWERS),
    &Within(&PARAMETERS, |request: &mut TreeRequest| &mut request.options),
    &Within(&LIMITED, |request: &mut TreeRequest| &mut request.limits),
    &Within(&SAMPLING, |request: &mut TreeRequest| &mut request.sampling),
]);

/// The options of an engine.
fn options(
    session: &mut Session,
    engine: &str,
    list: Cell,
    request: &mut TreeRequest,
) -> Result<(), String> {
    if session.machine.heap.proper_list(list).is_none() {
        return Err(format!("`{}` is no list of options", text(session, list)));
    }
    take_options(session, list, engine, &OPTIONS, request)
}
