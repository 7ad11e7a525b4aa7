//! What a library predicate does besides answering: an explanation runs goals again, so it
//! must know which of them change anything or write.

use super::places::{functor, resolve};
use rustc_hash::FxHashMap;
use zug_machine::{Effect, Kind, Machine, PredId, Space};
use zug_term::Cell;
use zug_term::symbol::{Atom, atoms};

/// The side effects of a system predicate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Nature {
    /// It answers, and nothing else.
    Pure,
    /// A search: it answers, but may take long.
    Search,
    Output,
    /// It calls goals that it is given: its clauses are followed.
    Meta,
    /// It changes or reads something outside, or is unknown.
    Effect,
}

/// What is known of system predicates; they don't change.
#[derive(Default)]
pub struct Natures(FxHashMap<PredId, Nature>);

impl Natures {
    pub fn of(&mut self, m: &Machine, pred: PredId) -> Nature {
        if let Some(&known) = self.0.get(&pred) {
            return known;
        }
        let mut seen = vec![pred];
        let mut next = 0;
        let mut worst = Nature::Pure;
        while next < seen.len() {
            let at = seen[next];
            next += 1;
            let predicate = &m.program.preds[at as usize];
            let users = predicate.space.is_users();
            let named = || if users { None } else { by_name(m, at) };
            let known = self.0.get(&at).copied().or_else(named);
            if let Some(known) = known {
                worst = worst.max(known);
                continue;
            }
            if users && matches!(predicate.kind, Kind::Dynamic | Kind::Undefined) {
                continue;
            }
            if predicate.kind != Kind::Static {
                worst = Nature::Effect;
                break;
            }
            for &clause in &predicate.clauses {
                let clause = &m.program.clauses[clause as usize];
                if !called(m, &clause.record.cells, clause.body(), predicate.space, &mut seen) {
                    worst = worst.max(Nature::Meta);
                }
            }
        }
        self.0.insert(pred, worst);
        worst
    }
}

/// Whether a system predicate searches, writes, or changes something.
pub fn does_more(m: &Machine, pred: PredId) -> bool {
    matches!(Natures::default().of(m, pred), Nature::Search | Nature::Output | Nature::Effect)
}

/// Whether a system predicate without clauses answers, searches or writes, and does nothing else.
pub fn is_pure(m: &Machine, pred: PredId) -> bool {
    by_name(m, pred).is_some_and(|nature| nature < Nature::Meta)
}

/// Adds the predicates that a body in an image of a text calls; whether all are known.
fn called(m: &Machine, cells: &[Cell], body: Cell, space: Space, seen: &mut Vec<PredId>) -> bool {
    let mut all = true;
    let mut todo = vec![body];
    while let Some(cell) = todo.pop() {
        let goal = functor(cells, cell).filter(|_| !resolve(cells, cell).is_list());
        let Some((name, arity, args)) = goal else {
            all = false;
            continue;
        };
        match (name, arity) {
            (atoms::TRUE | atoms::CUT | atoms::FAIL | atoms::FALSE, 0) => {}
            (atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW, 2)
            | (atoms::FORALL, 2) => todo.extend([cells[args], cells[args + 1]]),
            (atoms::NOT_PROVABLE | atoms::NOT | atoms::ONCE | atoms::IGNORE | atoms::DOLLAR, 1) => {
                todo.push(cells[args]);
            }
            (atoms::FINDALL, 3 | 4) => todo.push(cells[args + 1]),
            (atoms::CATCH, 3) => todo.extend([cells[args], cells[args + 2]]),
            (atoms::CALL, _) => all = false,
            _ => match callee(m, name, arity, space) {
                Some(pred) if !seen.contains(&pred) => seen.push(pred),
                Some(_) => {}
                None => all = false,
            },
        }
    }
    all
}

/// The predicate that a text calls by a name: the user's own go before the system's.
fn callee(m: &Machine, name: Atom, arity: usize, space: Space) -> Option<PredId> {
    let own = space.is_users().then(|| m.program.lookup(name, arity, space)).flatten();
    let pred = own.or_else(|| m.program.lookup(name, arity, Space::System))?;
    Some(m.program.resolve(pred))
}

/// The nature of predicates whose clauses, if any, are not looked at.
fn by_name(m: &Machine, pred: PredId) -> Option<Nature> {
    let predicate = &m.program.preds[pred as usize];
    let name = m.symbols.name(predicate.name);
    if OUTPUT.contains(&name) {
        return Some(Nature::Output);
    }
    if predicate.space == Space::System && LABELLING.contains(&name) {
        return Some(Nature::Search);
    }
    if INLINE.contains(&(name, predicate.arity)) {
        return Some(Nature::Pure);
    }
    (predicate.kind == Kind::Builtin).then_some(match predicate.effect {
        Effect::Pure => Nature::Pure,
        Effect::Search => Nature::Search,
        Effect::Output => Nature::Output,
        Effect::Session | Effect::Outside => Nature::Effect,
    })
}

/// Library predicates that write, and format what they write.
const OUTPUT: &[&str] =
    &["format", "listing", "print", "print_message", "print_message_lines", "put", "tab"];

/// Predicates that give variables values: what they set is the seed of random choices.
const LABELLING: &[&str] = &["label", "labeling", "indomain"];

/// Predicates that are instructions.
#[rustfmt::skip]
const INLINE: &[(&str, usize)] = &[
    ("=", 2), ("\\==", 2), ("==", 2), ("@<", 2), ("@>", 2), ("@=<", 2), ("@>=", 2), ("is", 2),
    ("=:=", 2), ("=\\=", 2), ("<", 2), (">", 2), ("=<", 2), (">=", 2), ("var", 1), ("nonvar", 1),
    ("atom", 1), ("integer", 1), ("float", 1), ("number", 1), ("atomic", 1), ("compound", 1),
    ("callable", 1), ("otherwise", 0), ("between", 3), ("$walk", 4), ("throw", 1),
];
