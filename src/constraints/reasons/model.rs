//! Recorded constraints of a whole model, for translations and proofs.

use super::Reasons;
use super::noting::{Noted, noted_run, seen};
use super::posted::{Posted, is_noted, posted_run};
use zug_machine::{Fault, Machine};
use zug_prolog::World;
use zug_term::Cell;
use zug_term::symbol::atoms;

/// The constraints of a model, noted.
pub(crate) struct NotedModel {
    /// The constraints: what is posted for each, its text, and where it stands in the rules.
    pub constraints: Vec<(Vec<Cell>, String, String)>,
    /// The variables in them with their names.
    pub names: Vec<(String, Cell)>,
    pub objective: Option<Cell>,
}

/// Why the constraints of a model are not all noted: a sentence.
pub(crate) struct NotNoted(pub String);

/// Runs a model, and its objective, once while constraints are noted, and does something with them while its variables are
/// there.
pub(crate) fn noted_model<T>(
    m: &mut Machine,
    w: &mut World,
    goal: Cell,
    objective: Option<(Cell, Cell)>,
    work: impl FnOnce(&mut Machine, Result<NotedModel, NotNoted>) -> T,
) -> Result<T, Fault> {
    let root = m.roots.len();
    m.roots.push(goal);
    m.roots.push(objective.map_or(Cell::NIL, |(_, found)| found));
    let whole = match objective {
        Some((asked, _)) => m.heap.new_struct(atoms::COMMA, &[goal, asked]),
        None => goal,
    };
    m.roots.push(whole);
    let found = noted(m, w, root, objective.is_some(), work);
    m.roots.truncate(root);
    found
}

fn noted<T>(
    m: &mut Machine,
    w: &mut World,
    root: usize,
    has_objective: bool,
    work: impl FnOnce(&mut Machine, Result<NotedModel, NotNoted>) -> T,
) -> Result<T, Fault> {
    let not = |why: &str| Err(NotNoted(why.to_owned()));
    let labels = "the model asks for values itself, by label/1 or one of its kin";
    let whole = m.roots[root + 2];
    let posted = posted_run(m, w, whole)?;
    let whole = m.roots[root + 2];
    let base = m.anchors();
    let Some((run, noted)) = noted_run(m, w, whole)? else {
        let why = if seen(w).labels > 0 {
            labels
        } else {
            "a goal of the model fails or has an error where its constraints are only noted"
        };
        return Ok(work(m, not(why)));
    };
    let found = if seen(w).labels > 0 {
        not(labels)
    } else if let Posted::Open = posted {
        not(
            "the model has several ways to post its constraints, goes on by whether one fails, as in the condition \
             of an if-then-else, or posts very many",
        )
    } else if !is_noted(m, base, &posted) {
        not(
            "the model goes on by whether a constraint fails or what is known of a variable, as in the condition of an \
             if-then-else",
        )
    } else {
        let goal = m.roots[root];
        let objective = has_objective.then(|| m.heap.deref(m.roots[root + 1]));
        Ok(told(m, w, goal, objective, noted))
    };
    let done = work(m, found);
    m.abandon(run);
    Ok(done)
}

fn told(
    m: &mut Machine,
    w: &mut World,
    goal: Cell,
    objective: Option<Cell>,
    noted: Vec<Noted>,
) -> NotedModel {
    let mut reasons = Reasons::of(m, w, noted);
    // The variables of the objective may be in no constraint.
    if let Some(objective) = objective {
        for cell in zug_term::variables(&reasons.m.heap, objective) {
            let cell = reasons.m.heap.deref(cell);
            if !reasons.terms.contains(&cell) {
                reasons.terms.push(cell);
            }
        }
    }
    let names = reasons.names(goal);
    let all = reasons.all();
    let texts = reasons.texts(&all, &names);
    let constraints = all
        .into_iter()
        .map(|at| {
            let text = texts.texts.get(&at).cloned().unwrap_or_default();
            (reasons.noted[at].parts.clone(), text, texts.place(at))
        })
        .collect();
    let terms: rustc_hash::FxHashSet<Cell> = reasons.terms.iter().copied().collect();
    let names = names.all().filter(|(_, cell)| terms.contains(cell));
    let names = names.map(|(name, cell)| (name.to_owned(), cell)).collect();
    NotedModel { constraints, names, objective }
}
