//! Players of repeated games, as terms name them.
//!
//! | term | plays |
//! |---|---|
//! | `uniform` `fixed(A)` `history(K)` `mixture(Ks)` | see [`repeated`](zug_matrix::repeated) |
//! | `nash` | an equilibrium of one round |
//! | `mcts` `mcts(N)` | as decoupled UCT mixes actions in N plays, 10,000 |
//! | `counter(P)` | a best reply to a player by P |
//! | any other | what `strategy(Name, Own, Others, Action)` says |

use super::Breach;
use super::rules::Rules;
use zug_machine::{Machine, key_of};
use zug_matrix::repeated::MAX_COUNTERS;
use zug_search::game::Sampling;
use zug_term::{Cell, Heap, Record, Value};

/// The players that every game has.
const BUILT_IN: [&str; 7] = [
    "uniform",
    "nash",
    "mcts(N)",
    "fixed(Action)",
    "history(K)",
    "mixture([K1,K2])",
    "counter(Player)",
];

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlayerSpec {
    pub base: Base,
    /// How many times it is countered.
    pub counters: usize,
}

/// The innermost player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Uniform,
    Nash,
    /// By so many plays at random.
    Mcts(u64),
    Fixed(Record),
    History(usize),
    Mixture(Vec<usize>),
    /// A player of the rule file.
    Named(Record),
}

/// Reads a player.
pub(super) fn read(rules: &Rules<'_>, term: &Record) -> Result<PlayerSpec, Breach> {
    let (mut heap, mut at) = term.to_heap();
    let m = &*rules.machine;
    let mut counters = 0;
    while let Some(inner) = argument(m, &heap, at, "counter") {
        counters += 1;
        at = heap.deref(inner);
        if counters > MAX_COUNTERS {
            break;
        }
    }
    let base = base(rules, &mut heap, at);
    let base = base.ok_or_else(|| Breach::NotPlayer(term.clone(), known(rules)))?;
    Ok(PlayerSpec { base, counters })
}

fn base(rules: &Rules<'_>, heap: &mut Heap, at: Cell) -> Option<Base> {
    let m = &*rules.machine;
    let at = heap.deref(at);
    match at.as_atom().map(|name| m.symbols.name(name)) {
        Some("uniform") => return Some(Base::Uniform),
        Some("nash") => return Some(Base::Nash),
        Some("mcts") => return Some(Base::Mcts(Sampling::PLAYOUTS)),
        _ => {}
    }
    if let Some(action) = argument(m, heap, at, "fixed") {
        return Some(Base::Fixed(Record::new(heap, action)));
    }
    if let Some(plays) = argument(m, heap, at, "mcts") {
        return number(heap, plays).filter(|&plays| plays > 0).map(|n| Base::Mcts(n as u64));
    }
    if let Some(order) = argument(m, heap, at, "history") {
        return number(heap, order).map(Base::History);
    }
    if let Some(orders) = argument(m, heap, at, "mixture") {
        let orders = heap.proper_list(orders)?;
        let orders: Option<Vec<usize>> = orders.iter().map(|&order| number(heap, order)).collect();
        return orders.map(Base::Mixture);
    }
    if at.is_var() || !is_named(rules, heap, at) {
        return None;
    }
    Some(Base::Named(Record::new(heap, at)))
}

/// The argument of a term `name(Argument)`.
fn argument(m: &Machine, heap: &Heap, at: Cell, wanted: &str) -> Option<Cell> {
    match heap.name_arity(at) {
        Some((name, 1, args)) if m.symbols.name(name) == wanted => Some(heap.at(args)),
        _ => None,
    }
}

fn number(heap: &Heap, cell: Cell) -> Option<usize> {
    match heap.value(cell) {
        Value::Int(number) => usize::try_from(number).ok(),
        _ => None,
    }
}

/// The index keys of the first arguments of `strategy/4`.
fn keys(rules: &Rules<'_>) -> Vec<Option<Cell>> {
    let program = &rules.machine.program;
    let Some(pred) = rules.parts.strategy else { return Vec::new() };
    program.live_clauses(pred).iter().map(|&id| program.clauses[id as usize].key).collect()
}

/// Whether a clause of `strategy/4` may be about this player.
fn is_named(rules: &Rules<'_>, heap: &Heap, at: Cell) -> bool {
    let own = key_of(&heap.cells, at);
    keys(rules).into_iter().any(|key| key.is_none() || key == own)
}

/// The players there are.
fn known(rules: &Rules<'_>) -> Vec<String> {
    let name = |atom: Cell| Some(rules.machine.symbols.name(atom.as_atom()?).to_owned());
    let own = named(rules).into_iter().filter_map(name);
    let own = own.filter(|name| !BUILT_IN.contains(&name.as_str()));
    BUILT_IN.iter().map(|&name| name.to_owned()).chain(own).collect()
}

/// The atoms that are players of the rule file.
pub(super) fn named(rules: &Rules<'_>) -> Vec<Cell> {
    let mut names: Vec<Cell> = Vec::new();
    for atom in keys(rules).into_iter().flatten().filter(|key| key.as_atom().is_some()) {
        if !names.contains(&atom) {
            names.push(atom);
        }
    }
    names
}
