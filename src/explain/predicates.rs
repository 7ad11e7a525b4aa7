//! The built-ins under `why/1` and `why_not/1`.

use super::explanation::{Explanation, keep};
use super::goals::{Budget, Effects, RunEnd};
use super::plan::{no_plan, plan};
use super::prover::Prover;
use super::question::Question;
use super::why_not::why_not;
use zug_machine::{Fault, Machine, Outcome, Space};
use zug_prolog::builtins::{Entry, World};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record, attributed_variables};

/// This group's predicates; they run goals.
pub const TABLE: &[Entry] = &[
    Entry::session("$why", 4, why),
    Entry::session("$why_not", 1, why_not_predicate),
    Entry::session("$is_constrained", 1, is_constrained),
    Entry::session("$is_told", 1, is_told),
];

/// Predicates by which extensions say what stands in the way of a goal: it is kept, if they succeed.
const TELLING: [&str; 2] = ["$conflict", "$contrasted"];

/// How much a proof may take.
const PROOF: Budget = Budget { steps: 2_000_000, deadline: None, bytes: 512 << 20, depth: 200_000 };

/// `'$why'(N, Goal, Answer, More)`: the proof of answer N of Goal; More is `true` if there
/// may be another.
fn why(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let nth = a[0].as_int().unwrap_or(1);
    plain(m, a[1])?;
    let goal = Question::new(m, w, a[1]);
    let base = m.roots.len();
    m.roots.extend([a[2], a[3]]);
    let proved = prove(m, w, &goal, nth);
    let [answer, more] = [m.roots[base], m.roots[base + 1]];
    m.roots.truncate(base);
    let Some((found, has_more)) = proved? else { return Ok(false) };
    let found = found.instantiate(&mut m.heap);
    let flag = Cell::atom(if has_more { atoms::TRUE } else { atoms::FALSE });
    Ok(m.unify(answer, found) && m.unify(more, flag))
}

/// A goal must have no variables that others wait for: an explanation does not see these.
fn plain(m: &mut Machine, goal: Cell) -> Result<(), Fault> {
    match attributed_variables(&m.heap, goal).is_empty() {
        true => Ok(()),
        false => Err(m.type_error("free_of_attvar", goal)),
    }
}

fn prove(
    m: &mut Machine,
    w: &mut World,
    goal: &Question,
    nth: i64,
) -> Result<Option<(Record, bool)>, Fault> {
    let mut prover = Prover::new(m, w, goal, PROOF, Effects::Perform);
    let mut ended = prover.first()?;
    for _ in 1..nth {
        if !matches!(ended, RunEnd::Proved) {
            break;
        }
        ended = prover.again()?;
    }
    match ended {
        RunEnd::Proved => {
            let proof = prover.proof();
            let query = prover.query();
            let answer = Record::new(&mut prover.store.heap, query);
            let more = prover.has_more() && !prover.changed;
            drop(prover);
            keep(w, proof);
            Ok(Some((answer, more)))
        }
        RunEnd::Failed | RunEnd::Refused(_) => {
            let query = prover.query_text();
            drop(prover);
            if nth == 1 {
                let title = format!("{query} has no proof; `why_not` says what stands in the way");
                keep(w, Explanation { title, ..Explanation::default() });
            }
            Ok(None)
        }
        RunEnd::Raised(ball) => Err(Fault::Ball(ball)),
        RunEnd::Bounded(bound) => {
            let found = prover.endless(bound);
            drop(prover);
            keep(w, found);
            let what = Cell::atom(m.symbols.intern("inferences"));
            let formal = m.heap.new_struct(atoms::RESOURCE_ERROR, &[what]);
            Err(m.error(formal))
        }
    }
}

/// The proof of a goal whose variables may have attributes, which are left out; what writes is passed over. `None` if
/// none is found.
///
/// # Errors
/// An interrupt, `halt`, or a limit that the caller did not set for this.
pub fn proof_of(m: &mut Machine, w: &mut World, goal: Cell) -> Result<Option<Explanation>, Fault> {
    let goal = Question::new(m, w, goal);
    let mut prover = Prover::new(m, w, &goal, PROOF, Effects::Skip);
    let ended = prover.first()?;
    Ok(matches!(ended, RunEnd::Proved).then(|| prover.proof()))
}

/// Whether an extension says of a goal that its constraints matter, by its `'$constrained'/1`.
fn is_constrained(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    asks_extension(m, w, "$constrained", a[0])
}

/// Whether an extension has words for why a goal is true, by its `'$why_told'/1`, which its `'$why_tell'/1` keeps.
fn is_told(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    asks_extension(m, w, "$why_told", a[0])
}

/// What an extension says of a goal, if it has such a predicate.
fn asks_extension(m: &mut Machine, w: &mut World, name: &str, goal: Cell) -> Outcome {
    let name = m.symbols.intern(name);
    if m.program.lookup(name, 1, Space::System).is_none() {
        return Ok(false);
    }
    let question = m.heap.new_struct(name, &[goal]);
    m.holds(w, question)
}

/// `'$why_not'(Goal)`: keeps what stands in the way of Goal.
fn why_not_predicate(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    plain(m, a[0])?;
    m.roots.push(a[0]);
    let mut planned = plan(m, w, a[0]);
    if matches!(planned, Ok(None)) {
        let goal = m.roots.last().copied().unwrap_or(a[0]);
        planned = no_plan(m, w, goal);
    }
    let goal = m.roots.pop().unwrap_or(a[0]);
    let found = match planned? {
        Some(found) => found,
        None => {
            m.roots.push(goal);
            for name in TELLING {
                let goal = m.roots.last().copied().unwrap_or(goal);
                let told = asks_extension(m, w, name, goal);
                if !matches!(told, Ok(false)) {
                    m.roots.pop();
                    return told;
                }
            }
            let goal = m.roots.pop().unwrap_or(goal);
            let question = Question::new(m, w, goal);
            why_not(m, w, &question)?
        }
    };
    keep(w, found);
    Ok(true)
}
