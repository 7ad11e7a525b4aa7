//! Running a goal while its constraints are noted.

use super::Reasons;
use super::trial::Verdict;
use crate::domain::Domain;
use crate::predicates::{Post, post_now, post_of};
use zug_explain::Explanation;
use zug_machine::{Fault, Machine, Outcome, Run, StopReason};
use zug_prolog::World;
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record, is_ground, variables};

/// Calls that a goal may make while its constraints are noted.
const INFERENCES: u64 = 1_000_000;
/// Constraints that are looked at one by one.
const MOST: usize = 20_000;

/// Whether constraints are noted now, and how.
#[derive(Default)]
pub(crate) struct Noting {
    /// The number of anchors of the machine when it began.
    since: Option<usize>,
    /// Which computed values are held back.
    held: Held,
    /// Where the goal stands among the machine's roots.
    goal_root: usize,
    pub(super) seen: Seen,
    /// What is watched while constraints are posted.
    pub(super) watched: Option<Watched>,
    /// What is done where values are asked for: whether the constraints so far can hold together, and the
    /// explanation if they can't.
    pub(super) at_labels: AtLabels,
}

/// What a goal does while its constraints are posted.
#[derive(Default)]
pub(crate) struct Watched {
    /// The constraints that it has posted, those that were undone as well.
    pub(super) posted: Vec<Record>,
    /// How many they were when the first was refused, or a value.
    pub(super) refused: Option<usize>,
}

/// What happened while constraints were noted.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    pub noted: usize,
    /// Values that were computed, as that of `N1` by `N1 #= N + 1`.
    computed: usize,
    /// Constraints that were false for the values they had, where there was another way to go on.
    pub refused: usize,
    /// Requests for values, as by `label/1`.
    pub labels: usize,
}

/// What is done where a goal asks for values.
#[derive(Default)]
pub(super) enum AtLabels {
    /// Nothing: it goes on without.
    #[default]
    Pass,
    /// It is found out whether the constraints so far can hold together.
    Explain,
    Explained(Box<Explanation>),
}

/// Which values that `#=` computes are held back, so that constraints name the variables that have them.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Held {
    /// None: each is there at once.
    #[default]
    Nothing,
    /// Those of variables of the goal.
    OfGoal,
    All,
}

#[derive(Clone)]
pub(super) struct Noted {
    /// As it is shown.
    pub goal: Cell,
    /// What is posted for it.
    pub parts: Vec<Cell>,
    /// The address of the user's goal that it was called for.
    pub at: Option<u32>,
}

pub(crate) fn is_noting(w: &World) -> bool {
    w.slots.get::<Noting>().is_some_and(|noting| noting.since.is_some())
}

pub(super) fn noting(w: &mut World) -> &mut Noting {
    w.slots.get_mut()
}

/// Notes a constraint. What is known is done at once: recursion over numbers must end, and values that are
/// computed are computed.
pub(crate) fn note(
    m: &mut Machine,
    w: &mut World,
    name: &str,
    post: Post,
    args: &[Cell],
) -> Outcome {
    if name.starts_with('$') {
        return Ok(true);
    }
    let (Some(pairs), Some(post_in)) = (pairs_of_ins(m, name, args), post_of(IN, 2)) else {
        return note_one(m, w, name, post, args);
    };
    for pair in pairs {
        if !note_one(m, w, IN, post_in, &pair)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What [`pairs_of_ins`] are arguments of.
pub(super) const IN: &str = "in";

/// `ins` as one `in` for each item, if its list has an end.
pub(super) fn pairs_of_ins(m: &Machine, name: &str, args: &[Cell]) -> Option<Vec<[Cell; 2]>> {
    let items = m.heap.proper_list(args[0]).filter(|_| name == "ins")?;
    Some(items.into_iter().map(|item| [item, args[1]]).collect())
}

/// The constraints that were noted since a number of anchors, those that were done at once as well, one after the other, as
/// a term.
pub(super) fn goals_since(m: &mut Machine, base: usize) -> Cell {
    let goals = each_goal_since(m, base);
    m.heap.list_from(&goals, Cell::NIL)
}

/// As [`goals_since`], each for itself.
pub(super) fn each_goal_since(m: &Machine, base: usize) -> Vec<Cell> {
    notes_since(m, base)
        .into_iter()
        .filter_map(|note| m.heap.name_arity(note))
        .filter(|&(kind, _, _)| [atoms::MINUS, atoms::PLUS].contains(&kind))
        .map(|(_, _, at)| m.heap.at(at))
        .collect()
}

fn note_one(m: &mut Machine, w: &mut World, name: &str, post: Post, args: &[Cell]) -> Outcome {
    noting(w).seen.noted += 1;
    let atom = m.symbols.intern(name);
    let goal = m.heap.new_struct(atom, args);
    if computes(m, w, name, args) {
        noting(w).seen.computed += 1;
        keep_note(m, atoms::PLUS, goal);
        return post_now(m, w, post, args);
    }
    if is_ground(&m.heap, goal) {
        if post_now(m, w, post, args)? {
            keep_note(m, atoms::PLUS, goal);
            return Ok(true);
        }
        if m.has_alternatives() {
            noting(w).seen.refused += 1;
            return Ok(false);
        }
    }
    keep_note(m, atoms::MINUS, goal);
    Ok(true)
}

/// Whether a constraint gives a variable a value that is not held back.
fn computes(m: &Machine, w: &World, name: &str, args: &[Cell]) -> bool {
    let Some(noting) = w.slots.get::<Noting>() else { return false };
    let [one, other] = [args[0], *args.last().unwrap_or(&args[0])].map(|cell| m.heap.deref(cell));
    let variable = match (one.is_var(), other.is_var()) {
        _ if name != "#=" => return false,
        (true, false) if is_ground(&m.heap, other) => one,
        (false, true) if is_ground(&m.heap, one) => other,
        _ => return false,
    };
    match noting.held {
        Held::Nothing => true,
        Held::OfGoal => m
            .roots
            .get(noting.goal_root)
            .is_none_or(|&goal| !variables(&m.heap, goal).contains(&variable)),
        Held::All => false,
    }
}

/// Notes a goal: `goal-place`, or `goal+place` where it was done at once.
fn keep_note(m: &mut Machine, kind: Atom, goal: Cell) {
    let at = Cell::small(place(m).map_or(-1, i64::from));
    let note = m.heap.new_struct(kind, &[goal, at]);
    m.anchor(note);
}

/// `'$fd_whole'(Goal)`, `'$fd_end'`: the constraints between them are one, which is written Goal.
pub(crate) fn whole(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    if is_noting(w) {
        keep_note(m, atoms::COMMA, args[0]);
    }
    Ok(true)
}

/// `'$fd_noted_label'`: values are asked for while constraints are noted. Fails where they are not noted. Where it is to be
/// found out whether the constraints so far can hold together, and they can't, the explanation is kept.
pub(crate) fn label_noted(m: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    if !is_noting(w) {
        return Ok(false);
    }
    noting(w).seen.labels += 1;
    if !matches!(noting(w).at_labels, AtLabels::Explain) {
        return Ok(true);
    }
    let since = noting(w).since.unwrap_or_else(|| m.anchors());
    let noted = noted_since(m, since);
    let goal = m.roots.get(noting(w).goal_root).copied().unwrap_or(Cell::NIL);
    if let (Verdict::Fails, found) = Reasons::of(m, w, noted).conflict(goal) {
        noting(w).at_labels = AtLabels::Explained(Box::new(found));
    }
    Ok(true)
}

/// The address of the user's goal that the running built-in was called for.
fn place(m: &Machine) -> Option<u32> {
    m.call_sites().find(|&at| {
        m.program.clause_at(at).is_some_and(|clause| {
            let pred = m.program.clauses[clause as usize].pred;
            m.program.preds[pred as usize].space.is_users()
        })
    })
}

/// Does something while constraints are noted and not posted.
pub fn while_noting<T>(
    m: &mut Machine,
    w: &mut World,
    work: impl FnOnce(&mut Machine, &mut World) -> T,
) -> T {
    let since = Some(m.anchors());
    let before = std::mem::replace(&mut noting(w).since, since);
    let done = work(m, w);
    noting(w).since = before;
    done
}

/// Ends all noting: where work was aborted amid of it.
pub fn stop_noting(w: &mut World) {
    *noting(w) = Noting::default();
}

/// Runs a goal once while its constraints are noted: the run, which the caller is to
/// [abandon](Machine::abandon), and what was noted; nothing if the goal fails whatever its constraints, or
/// has an error, or so many constraints that it takes too long to look at them.
///
/// Where values are computed, constraints name the variables that have them if the goal comes the same way without
/// these values.
pub(super) fn noted_run(
    m: &mut Machine,
    w: &mut World,
    goal: Cell,
) -> Result<Option<(Run, Vec<Noted>)>, Fault> {
    rooted(m, goal, |m, root| best_run(m, w, root))
}

/// Does something while a term is among the machine's roots, at a place.
pub(super) fn rooted<T>(
    m: &mut Machine,
    term: Cell,
    work: impl FnOnce(&mut Machine, usize) -> T,
) -> T {
    let root = m.roots.len();
    m.roots.push(term);
    let done = work(m, root);
    m.roots.truncate(root);
    done
}

fn best_run(
    m: &mut Machine,
    w: &mut World,
    root: usize,
) -> Result<Option<(Run, Vec<Noted>)>, Fault> {
    noting(w).seen = Seen::default();
    let Some(run) = NotedRun::begin(m, w, root, Held::Nothing)? else { return Ok(None) };
    let seen = noting(w).seen;
    if seen.computed == 0 {
        return Ok(run.within_bounds(m));
    }
    let notes = goals_since(m, run.base);
    let notes = Record::new(&mut m.heap, notes);
    m.abandon(run.run);
    for held in [Held::All, Held::OfGoal] {
        let Some(run) = NotedRun::begin(m, w, root, held)? else { continue };
        if run.agrees(m, &notes) {
            noting(w).seen = seen;
            return Ok(run.within_bounds(m));
        }
        m.abandon(run.run);
    }
    noting(w).seen = Seen::default();
    Ok(NotedRun::begin(m, w, root, Held::Nothing)?.and_then(|run| run.within_bounds(m)))
}

/// What constraints the further ways through a goal have, with their values computed.
pub(super) fn other_ways(
    m: &mut Machine,
    w: &mut World,
    goal: Cell,
    mut seen: impl FnMut(&mut Machine, &mut World, Vec<Noted>) -> bool,
) -> Result<(), Fault> {
    let begun = rooted(m, goal, |m, root| NotedRun::begin(m, w, root, Held::Nothing));
    let Some(mut run) = begun? else { return Ok(()) };
    while m.has_more(run.run) {
        match run.redo(m, w)? {
            Some(next) => run = next,
            None => return Ok(()),
        }
        let noted = noted_since(m, run.base);
        if noted.len() > MOST || !seen(m, w, noted) {
            break;
        }
    }
    m.abandon(run.run);
    Ok(())
}

pub(super) fn seen(w: &mut World) -> Seen {
    noting(w).seen
}

/// The explanation why the constraints before a request for values can't hold together, if they can't.
pub(super) fn conflict_at_label(
    m: &mut Machine,
    w: &mut World,
    goal: Cell,
) -> Result<Option<Explanation>, Fault> {
    noting(w).at_labels = AtLabels::Explain;
    let run = rooted(m, goal, |m, root| NotedRun::begin(m, w, root, Held::Nothing));
    let found = std::mem::take(&mut noting(w).at_labels);
    if let Some(run) = run? {
        m.abandon(run.run);
    }
    Ok(match found {
        AtLabels::Explained(found) => Some(*found),
        AtLabels::Pass | AtLabels::Explain => None,
    })
}

struct NotedRun {
    run: Run,
    base: usize,
}

impl NotedRun {
    fn begin(
        m: &mut Machine,
        w: &mut World,
        root: usize,
        held: Held,
    ) -> Result<Option<NotedRun>, Fault> {
        let base = m.anchors();
        let goal = m.roots[root];
        let before = (noting(w).held, noting(w).goal_root);
        (noting(w).held, noting(w).goal_root) = (held, root);
        let (run, outcome) = observed(m, w, base, |m, w| m.solve(w, goal));
        (noting(w).held, noting(w).goal_root) = before;
        NotedRun::of(run, base, outcome)
    }

    fn redo(self, m: &mut Machine, w: &mut World) -> Result<Option<NotedRun>, Fault> {
        let run = self.run;
        let outcome = observed(m, w, self.base, |m, w| m.redo(w, run));
        NotedRun::of(self.run, self.base, outcome)
    }

    fn of(run: Run, base: usize, outcome: Outcome) -> Result<Option<NotedRun>, Fault> {
        match outcome {
            Ok(true) => Ok(Some(NotedRun { run, base })),
            Err(fault @ Fault::Stopped(StopReason::Interrupted | StopReason::Time)) => Err(fault),
            _ => Ok(None),
        }
    }

    fn within_bounds(self, m: &mut Machine) -> Option<(Run, Vec<Noted>)> {
        let noted = noted_since(m, self.base);
        if noted.len() > MOST {
            m.abandon(self.run);
            return None;
        }
        Some((self.run, noted))
    }

    /// Whether the notes of another run are the same, with some values for the variables in these alone.
    fn agrees(&self, m: &mut Machine, others: &Record) -> bool {
        let own = goals_since(m, self.base);
        is_instance(m, others, own)
    }
}

/// Whether a term is another one with some values for its variables.
pub(super) fn is_instance(m: &mut Machine, instance: &Record, of: Cell) -> bool {
    m.scratch(|m| {
        let root = m.roots.len();
        m.roots.push(of);
        let instance = instance.instantiate(&mut m.heap);
        // Its own variables stay what they are: each a constant that is nowhere else.
        for (number, variable) in (0..).zip(zug_term::variables(&m.heap, instance)) {
            let constant = m.heap.new_struct(atoms::UNIFY, &[Cell::small(number)]);
            m.unify(variable, constant);
        }
        let of = m.roots[root];
        m.roots.truncate(root);
        m.unify(of, instance)
    })
}

/// Runs something while constraints are noted, within a number of calls; every goal of a clause of the user is called
/// from there, and its place is known.
fn observed<T>(
    m: &mut Machine,
    w: &mut World,
    base: usize,
    work: impl FnOnce(&mut Machine, &mut World) -> T,
) -> T {
    let before = noting(w).since.replace(base);
    let done = limited(m, |m| work(m, w));
    noting(w).since = before;
    done
}

/// Runs something within a number of calls; every goal of a clause of the user is called from there.
pub(super) fn limited<T>(m: &mut Machine, work: impl FnOnce(&mut Machine) -> T) -> T {
    let (limit, is_plain) = (m.inference_limit, m.program.plain);
    m.inference_limit = limit.min(m.inferences() + INFERENCES);
    m.program.set_plain(true);
    let done = work(m);
    m.program.set_plain(is_plain);
    m.inference_limit = limit;
    done
}

/// The notes among the anchors from one on: the others are of variables in the store.
fn notes_since(m: &Machine, base: usize) -> Vec<Cell> {
    let all = (base..m.anchors()).map(|at| m.heap.deref(m.anchored(at)));
    all.filter(|&cell| m.heap.name_arity(cell).is_some_and(|(_, arity, _)| arity == 2)).collect()
}

/// The constraints that were noted since a number of anchors.
fn noted_since(m: &Machine, base: usize) -> Vec<Noted> {
    let mut noted = Vec::new();
    let mut whole: Option<Noted> = None;
    for note in notes_since(m, base) {
        let Some((kind, 2, place)) = m.heap.name_arity(note) else { continue };
        let [goal, place] = [m.heap.deref(m.heap.at(place)), m.heap.deref(m.heap.at(place + 1))];
        let at = place.as_int().and_then(|at| u32::try_from(at).ok());
        match &mut whole {
            _ if kind == atoms::COMMA => {
                let begun = whole.take();
                if goal != Cell::NIL {
                    whole = Some(Noted { goal, parts: Vec::new(), at });
                }
                noted.extend(begun.filter(|begun| !begun.parts.is_empty()));
            }
            Some(whole) if kind == atoms::MINUS => whole.parts.push(goal),
            None if kind == atoms::MINUS => noted.push(Noted { goal, parts: vec![goal], at }),
            _ => {}
        }
    }
    noted.extend(whole.filter(|begun| !begun.parts.is_empty()));
    noted
}

/// What the constraints that were noted so far leave of a variable.
pub(crate) fn domain_of_noted(m: &mut Machine, w: &mut World, variable: Cell) -> Domain {
    let since = noting(w).since;
    let noted = noted_since(m, since.unwrap_or_else(|| m.anchors()));
    let variable = m.heap.deref(variable);
    let mut reasons = Reasons::of(m, w, noted);
    let trial = reasons.trial(&reasons.all(), None, false);
    trial.var(variable).map_or_else(Domain::all, |var| trial.store.domain(var).clone())
}
