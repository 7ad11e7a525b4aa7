//! The engines as predicates: `astar/2,3,4` and the same for every engine of the registry.
//!
//! `'$engine'(Name, S0, Path, Cost, Options)` runs one engine from one state; `engines.pl`
//! tries the initial states, and [`wrappers`] gives each engine its predicates.
//!
//! No plan at all, proved, is failure. A limit is not: it raises `resource_error(nodes)`,
//! `depth`, `time`, `memory` or `width`, since failure would claim a proof. An interrupt
//! stops the query as any other goal.

use super::contract::{Contract, Heuristic};
use super::error::{RuleError, Violation};
use super::journal;
use super::options::OF_ENGINES;
use super::problem::Obstacle;
use super::run::{Enumeration, Task, explore, find, no_start, obstacle_of};
use zug_explain::Explanation;
use zug_machine::{Fault, Machine, Outcome as Answer};
use zug_options::{Row, Rows, Table, Within, row};
use zug_prolog::builtins::{Entry, World};
use zug_prolog::user_predicate;
use zug_report::{Solution, Verdict};
use zug_search::options::{LIMITS, PARAMETERS, SYMMETRY};
use zug_search::{Engine, Limits, Options, Outcome, Stats, StopReason, engines};
use zug_state::Number;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// The built-ins under the engine predicates; all run goals.
pub const TABLE: &[Entry] = &[
    Entry::search("$engine", 5, engine),
    Entry::search("$enumerate", 3, enumerate),
    Entry::pure("$contract", 2, contract_predicate),
    Entry::session("$no_start", 0, no_initial_state),
    Entry::pure("$chosen_start", 2, chosen_start),
    Entry::session("$explained", 2, explained),
    Entry::search("$obstacle", 2, obstacle),
];

/// The clauses that give each engine its predicates.
pub fn wrappers() -> String {
    let mut text = String::new();
    for engine in engines() {
        let name = engine.name;
        text += &format!(
            "{name}(Path, Cost) :- '$search'({name}, _, Path, Cost, []).\n\
             {name}(S0, Path, Cost) :- '$search'({name}, S0, Path, Cost, []).\n\
             {name}(S0, Path, Cost, Options) :- '$search'({name}, S0, Path, Cost, Options).\n"
        );
    }
    text
}

/// `'$contract'(Name, Arity)`: the program defines this predicate.
fn contract_predicate(m: &mut Machine, _: &mut World, a: &[Cell]) -> Answer {
    let (Some(name), Some(arity)) = (a[0].as_atom(), a[1].as_int()) else { return Ok(false) };
    let name = m.symbols.shared(name);
    Ok(user_predicate(m, &name, usize::try_from(arity).unwrap_or(usize::MAX)).is_some())
}

/// `'$no_start'`: the error that there is no initial state.
fn no_initial_state(m: &mut Machine, w: &mut World, _: &[Cell]) -> Answer {
    let contract = Contract::of(m);
    let error = no_start(m, &contract);
    Err(error.into_fault(m, w))
}

/// `'$chosen_start'(S, Players)`: the start that was chosen for goals without one, if one was, and the player to move, in a
/// list of at most one.
fn chosen_start(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let Some(start) = &super::memory::engines(w).start else { return Ok(false) };
    let state = start.state.instantiate(&mut m.heap);
    let players = match &start.player {
        Some(player) => {
            let player = player.instantiate(&mut m.heap);
            m.heap.new_list(player, Cell::NIL)
        }
        None => Cell::NIL,
    };
    Ok(m.unify(a[0], state) && m.unify(a[1], players))
}

/// `'$explained'(Title, Notes)`: an explanation, shown under the answer of the query.
fn explained(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let text = |cell: Cell| {
        m.heap.deref(cell).as_atom().map(|atom| m.symbols.name(atom).to_owned()).unwrap_or_default()
    };
    let notes = m.heap.items(a[1]).map(text).collect();
    zug_explain::keep(w, Explanation { title: text(a[0]), notes, ..Explanation::default() });
    Ok(true)
}

/// `'$obstacle'(S0, Seen)`: what shows without a search that there is no plan from a state: `shown(Why)`, `unseen(Why)`
/// where it is not known whether something does, or `nothing`.
fn obstacle(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let start = Record::new(&mut m.heap, a[0]);
    let contract = Contract::of(m);
    // The walks run goals, and cells may move meanwhile.
    let base = m.roots.len();
    m.roots.push(a[1]);
    let found = obstacle_of(m, w, &contract, &start);
    let cell = m.roots[base];
    m.roots.truncate(base);
    let (name, why) = match found.map_err(|error| error.into_fault(m, w))? {
        Obstacle::Shown(why) => ("shown", Some(why)),
        Obstacle::Unseen(why) => ("unseen", Some(why)),
        Obstacle::Nothing => ("nothing", None),
    };
    let name = m.symbols.intern(name);
    let seen = match why {
        Some(why) => {
            let why = Cell::atom(m.symbols.intern(&why));
            m.heap.new_struct(name, &[why])
        }
        None => Cell::atom(name),
    };
    Ok(m.unify(cell, seen))
}

/// The options of an engine's predicate.
#[derive(Default)]
pub(super) struct EngineOptions {
    heuristic: Option<Cell>,
    pub options: Options,
    pub limits: Limits,
    states: Option<Cell>,
    stats: Option<Cell>,
}

/// What is asked of the rules, and what is to be found out: in lists alone.
static TERMS: [Row<EngineOptions, Cell>; 4] = [
    row!(
        term("heuristic", "Name", "The heuristic, if there are several") => Some(EngineOptions.heuristic)
    ),
    INSTANCE,
    row!(term("states", "Ss", "The states along the plan") => Some(EngineOptions.states)),
    row!(term("stats", "S", "What the search has counted") => Some(EngineOptions.stats)),
];

/// The instance, of which the library sees to it.
pub(super) const INSTANCE: Row<EngineOptions, Cell> = Row::term(
    "instance",
    "Name",
    "The instance, if there are several",
    |_: &mut EngineOptions, _| Ok(()),
);

/// The options of engines.
pub(crate) static OPTIONS: Table<EngineOptions, Cell> = Table(&[
    &Rows(&TERMS),
    &Within(&PARAMETERS, |asked: &mut EngineOptions| &mut asked.options),
    &Within(&SYMMETRY, |asked: &mut EngineOptions| &mut asked.options),
    &Within(&LIMITS, |asked: &mut EngineOptions| &mut asked.limits),
]);

/// Reads the options of an engine.
pub(super) fn read_options(m: &mut Machine, w: &World, list: Cell) -> Result<EngineOptions, Fault> {
    let mut asked = EngineOptions::default();
    OF_ENGINES.read(m, w, list, &OPTIONS, &mut asked)?;
    Ok(asked)
}

/// The heuristic that is asked for or, for an engine that needs one, the default.
fn choose_heuristic(
    m: &mut Machine,
    w: &World,
    contract: &Contract,
    engine: Engine,
    asked: Option<Cell>,
) -> Result<Option<Heuristic>, Fault> {
    let Some(asked) = asked else {
        if !engine.info().informed {
            return Ok(None);
        }
        let default = contract.heuristics().first().copied();
        return match default {
            Some(heuristic) => Ok(Some(heuristic)),
            None => {
                let missing = Violation::Missing("heuristic(S, H)");
                Err(RuleError::new(missing, "heuristic/2").into_fault(m, w))
            }
        };
    };
    if asked.is_var() {
        return Err(m.instantiation_error());
    }
    let named = heuristic_name(m, asked);
    let named = named.and_then(|name| contract.heuristic_named(&m.symbols, &name));
    match named {
        Some(Heuristic::Plain) | None => {
            let name = Record::new(&mut m.heap, asked);
            let violation = Violation::NoSuchHeuristic(name);
            Err(RuleError::new(violation, "heuristic/3").into_fault(m, w))
        }
        named => Ok(named),
    }
}

/// The name of a heuristic: an atom, or two with `+` between them.
fn heuristic_name(m: &Machine, asked: Cell) -> Option<String> {
    let of = |cell: Cell| m.heap.deref(cell).as_atom().map(|name| m.symbols.name(name));
    match m.heap.match_struct::<2>(asked, atoms::PLUS) {
        Some([own, derived]) => Some(format!("{}+{}", of(own)?, of(derived)?)),
        None => of(asked).map(str::to_owned),
    }
}

/// `'$engine'(Name, S0, Path, Cost, Options)`: the plan that an engine finds from S0.
fn engine(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let name = a[0].as_atom().map(|name| m.symbols.shared(name));
    let Some(engine) = name.and_then(|name| Engine::by_name(&name)) else {
        return Err(m.domain_error("engine", a[0]));
    };
    let asked =
        read_options(m, w, a[4]).map_err(|fault| said_by(m, fault, engine.info().name, 4))?;
    let contract = Contract::of(m);
    let heuristic = choose_heuristic(m, w, &contract, engine, asked.heuristic)?;
    let start = Record::new(&mut m.heap, a[1]);
    // The search runs goals, and cells may move meanwhile.
    let base = m.roots.len();
    let unused = Cell::NIL;
    m.roots.extend([a[2], a[3], asked.states.unwrap_or(unused), asked.stats.unwrap_or(unused)]);
    let limits = asked.limits.clone();
    let task =
        Task { engine, heuristic, options: asked.options, by_itself: false, limits: asked.limits };
    let found = find(m, w, &contract, &task, &start, None);
    let [path, cost, states, stats] = std::array::from_fn(|i| m.roots[base + i]);
    m.roots.truncate(base);
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            journal::note_error(m, w, &task, &error);
            return Err(raise(m, w, *error));
        }
    };
    let counted =
        asked.stats.is_none() || unify_stats(m, stats, &found.stats, Some(&found.ending.verdict));
    let answer = match found.outcome() {
        _ if !counted => Ok(false),
        Outcome::Exhausted => Ok(false),
        Outcome::Stopped(reason) => Err(limit(m, reason, engine.info().name)),
        Outcome::Solved => {
            let states = asked.states.map(|_| states);
            Ok(unify_plan(m, &found, path, cost, states))
        }
    };
    journal::note(m, w, found, &limits);
    answer
}

fn unify_plan(
    m: &mut Machine,
    found: &Solution<Record>,
    path: Cell,
    cost: Cell,
    states: Option<Cell>,
) -> bool {
    let list = |m: &mut Machine, records: &[Record]| {
        let items: Vec<Cell> = records.iter().map(|r| r.instantiate(&mut m.heap)).collect();
        m.heap.list_from(&items, Cell::NIL)
    };
    let plan = list(m, found.moves());
    if !m.unify(path, plan) {
        return false;
    }
    if let Some(total) = &found.cost {
        let total = Number::of(total).to_cell(&mut m.heap);
        // `Cost` may be given as 5.0 where the rules count 5.
        if !m.unify(cost, total) {
            return false;
        }
    }
    match states {
        Some(states) => {
            let along = list(m, &found.states);
            m.unify(states, along)
        }
        None => true,
    }
}

/// An exception with the name of a predicate in its context, if that is not filled in.
pub(super) fn said_by(m: &mut Machine, fault: Fault, name: &str, arity: i64) -> Fault {
    let Fault::Ball(ball) = &fault else { return fault };
    let ball = ball.instantiate(&mut m.heap);
    let Some([formal, context]) = m.heap.match_struct::<2>(ball, atoms::ERROR) else {
        return fault;
    };
    if !m.heap.deref(context).is_var() {
        return fault;
    }
    let name = Cell::atom(m.symbols.intern(name));
    let indicator = m.heap.new_struct(atoms::SLASH, &[name, Cell::small(arity)]);
    let message = m.heap.new_var();
    let context = m.heap.new_struct(atoms::CONTEXT, &[indicator, message]);
    let ball = m.heap.new_struct(atoms::ERROR, &[formal, context]);
    m.ball(ball)
}

/// A fault of the rules as an exception of the predicate that met it.
pub(super) fn raise(m: &mut Machine, w: &World, error: RuleError) -> Fault {
    let (name, arity) = error.indicator();
    let fault = error.into_fault(m, w);
    said_by(m, fault, name, arity)
}

/// The exception for a limit.
pub(super) fn limit(m: &mut Machine, reason: StopReason, engine: &str) -> Fault {
    if reason == StopReason::Cancelled {
        return Fault::Stopped(zug_machine::StopReason::Interrupted);
    }
    if reason == StopReason::Time
        && m.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline)
    {
        // The time of the whole query is over, which no rule may catch.
        return Fault::Stopped(zug_machine::StopReason::Time);
    }
    let resource = Cell::atom(m.symbols.intern(&reason.to_string()));
    let mut formal = m.heap.new_struct(atoms::RESOURCE_ERROR, &[resource]);
    let mut said = zug_prolog::builtins::messages::SEARCH_STOPPED;
    if reason == StopReason::Cycle {
        let [kind, what] = ["end_of_play", "game"].map(|name| Cell::atom(m.symbols.intern(name)));
        formal = m.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, what]);
        said = "play can go round for ever: it has no end to be followed to";
    }
    let name = Cell::atom(m.symbols.intern(engine));
    let indicator = m.heap.new_struct(atoms::SLASH, &[name, Cell::small(4)]);
    let message = m.heap.new_string(said);
    let context = m.heap.new_struct(atoms::CONTEXT, &[indicator, message]);
    let ball = m.heap.new_struct(atoms::ERROR, &[formal, context]);
    m.ball(ball)
}

/// `optimal(true)`, `optimal(if(Condition))` or `optimal(unknown)`: what the search itself knows.
fn optimal_term(m: &mut Machine, verdict: &Verdict) -> Cell {
    let known = match verdict {
        Verdict::Proved(_) => Cell::atom(atoms::TRUE),
        Verdict::If(condition) => {
            let condition = m.heap.new_string(condition);
            let name = m.symbols.intern("if");
            m.heap.new_struct(name, &[condition])
        }
        Verdict::Refuted => Cell::atom(atoms::FALSE),
        Verdict::Open => Cell::atom(m.symbols.intern("unknown")),
    };
    let name = m.symbols.intern("optimal");
    m.heap.new_struct(name, &[known])
}

fn unify_stats(m: &mut Machine, cell: Cell, stats: &Stats, said: Option<&Verdict>) -> bool {
    let counts = [
        ("expanded", stats.expanded),
        ("generated", stats.generated),
        ("evaluated", stats.evaluated),
        ("reopened", stats.reopened),
        ("peak_open", stats.peak_open),
        ("max_depth", u64::from(stats.max_depth)),
        ("iterations", u64::from(stats.iterations)),
        ("peak_memory_bytes", stats.peak_memory_bytes as u64),
    ];
    let mut items = Vec::new();
    for (name, count) in counts {
        let name = m.symbols.intern(name);
        let count = m.heap.new_int(i64::try_from(count).unwrap_or(i64::MAX));
        items.push(m.heap.new_struct(name, &[count]));
    }
    let name = m.symbols.intern("elapsed");
    let seconds = m.heap.new_float(stats.elapsed.as_secs_f64());
    items.push(m.heap.new_struct(name, &[seconds]));
    if let Some(said) = said {
        items.push(optimal_term(m, said));
    }
    let list = m.heap.list_from(&items, Cell::NIL);
    m.unify(cell, list)
}

/// `'$enumerate'(S0, Space, Options)`: Space is `space(States, Depths, Terminal, Deepest)`.
fn enumerate(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let asked = read_options(m, w, a[2]).map_err(|fault| said_by(m, fault, "enumerate", 3))?;
    let contract = Contract::of(m);
    let start = Record::new(&mut m.heap, a[0]);
    let base = m.roots.len();
    m.roots.extend([a[1], asked.stats.unwrap_or(Cell::NIL)]);
    let explored = explore(m, w, &contract, &asked.limits, &start, None);
    let [space, stats] = std::array::from_fn(|i| m.roots[base + i]);
    m.roots.truncate(base);
    let explored = match explored {
        Ok(explored) => explored,
        Err(error) => return Err(error.into_fault(m, w)),
    };
    if asked.stats.is_some() && !unify_stats(m, stats, &explored.stats, None) {
        return Ok(false);
    }
    match explored.stopped {
        // A depth given is what is asked for, not what is missing.
        None | Some(StopReason::Depth) => Ok(unify_space(m, &explored, space)),
        Some(reason) => Err(limit(m, reason, "enumerate")),
    }
}

fn unify_space(m: &mut Machine, explored: &Enumeration, cell: Cell) -> bool {
    let count =
        |n: u128| Cell::try_small(i64::try_from(n).unwrap_or(i64::MAX)).unwrap_or(Cell::ZERO);
    let depths: Vec<Cell> = explored.by_depth.iter().map(|&n| count(n)).collect();
    let depths = m.heap.list_from(&depths, Cell::NIL);
    let deepest: Vec<Cell> =
        explored.deepest.iter().map(|state| state.instantiate(&mut m.heap)).collect();
    let deepest = m.heap.list_from(&deepest, Cell::NIL);
    let total = count(explored.by_depth.iter().sum());
    let name = m.symbols.intern("space");
    let space = m.heap.new_struct(name, &[total, depths, count(explored.terminal), deepest]);
    m.unify(cell, space)
}
