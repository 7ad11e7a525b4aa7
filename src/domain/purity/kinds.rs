//! System predicates whose answer is not a function of their arguments, by name.

use zug_machine::{Impurity, Kind, Machine, PredId, Space};
use zug_prolog::builtins::impurity::impurity_of;
use zug_term::symbol::Atom;

/// Why an answer is not a function of the state alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Category {
    /// It depends on a source outside of the state.
    Impure(Impurity),
    /// The rules keep answers that they found: as long as that is all, nothing is wrong.
    Cache,
}

impl Category {
    /// What the answer depends on, in words.
    pub fn words(self) -> &'static str {
        match self {
            Category::Impure(Impurity::Random) => "random numbers",
            Category::Impure(Impurity::Clock) => "the time",
            Category::Impure(Impurity::Input) => "what is read",
            Category::Impure(Impurity::Files) => "files",
            Category::Impure(Impurity::Environment) => "the environment",
            Category::Impure(Impurity::Changes) => "what was asked before",
            Category::Cache => "answers that it keeps",
        }
    }
}

/// Predicates that look impure by what they are made of, and are not. (Labelling in a random order sets the seed that it
/// is given.)
const HARMLESS: &[&str] = &[
    "time",
    "print_message",
    "portray_clause",
    "listing",
    "assertion",
    "label",
    "labeling",
    "indomain",
];

/// Functions of arithmetic with another value each time: name and arity.
pub(super) const FUNCTIONS: &[(&str, usize, Impurity)] = &[
    ("random", 0, Impurity::Random),
    ("random", 1, Impurity::Random),
    ("random", 2, Impurity::Random),
    ("random_float", 0, Impurity::Random),
    ("random_float", 1, Impurity::Random),
    ("rand", 1, Impurity::Random),
    ("irand", 1, Impurity::Random),
    ("cputime", 0, Impurity::Clock),
    ("realtime", 0, Impurity::Clock),
];

/// The predicates of arithmetic, and which of their arguments are evaluated.
pub(super) const ARITHMETIC: &[(&str, &[usize])] = &[
    ("is", &[1]),
    ("=:=", &[0, 1]),
    ("=\\=", &[0, 1]),
    ("<", &[0, 1]),
    (">", &[0, 1]),
    ("=<", &[0, 1]),
    (">=", &[0, 1]),
];

/// What is known of a system predicate by its name.
pub(super) fn by_name(m: &Machine, name: Atom) -> Option<Category> {
    impurity_of(m.symbols.name(name)).map(Category::Impure)
}

/// Whether the clauses of a system predicate need not be looked at.
fn is_leaf(m: &Machine, pred: PredId) -> bool {
    let predicate = &m.program.preds[pred as usize];
    let name = m.symbols.name(predicate.name);
    predicate.kind != Kind::Static || HARMLESS.contains(&name)
}

/// The categories of what a system predicate is made of, through the clauses of the library.
pub(super) fn of_system(m: &Machine, pred: PredId) -> Vec<Category> {
    let mut found = Vec::new();
    let mut seen = vec![pred];
    let mut next = 0;
    while next < seen.len() {
        let at = seen[next];
        next += 1;
        if let Some(category) = by_name(m, m.program.preds[at as usize].name) {
            if !found.contains(&category) {
                found.push(category);
            }
            continue;
        }
        if is_leaf(m, at) {
            continue;
        }
        for &id in &m.program.preds[at as usize].clauses {
            for goal in super::goals::of_clause(m, id) {
                found.extend(goal.evaluated(m, id));
                let callee = m.program.lookup(goal.name, goal.arity, Space::System);
                if let Some(callee) = callee.filter(|callee| !seen.contains(callee)) {
                    seen.push(callee);
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
