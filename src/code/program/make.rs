//! Making the program of a contract predicate for states of one shape.

use super::expected::{Integers, expect_alike, expect_more, words_of};
use super::lower::{Asked, Board, Growth, Lowered, MANY, lower};
use super::represented::{Presence, term_of};
use crate::costs::{FOLDING_SHARE, STORE_UNITS};
use crate::merging::{
    Answer, CALLERS, Folding, Memory, Outcome, Reader, Residual, Run, Site, numbers_answered,
};
use crate::reason::Reason;
use crate::target::{Arg, CALLED, Target};
use crate::words::Words;
use std::sync::Arc;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::{Codec, Word};
use zug_symbolic::{Condition, Domain, Leaf, Shape, Store, Substitute, Term, Variable, limits};
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap};

/// Why there is no program where a term has more than a store holds.
const TOO_LARGE_TERM: &str = "a term of the rules is too large";

/// Why states deoptimise where the run does not say it.
const NOT_KNOWN: &str = "this is left to the machine";

/// A program with what it takes for granted.
pub struct Made {
    pub lowered: Lowered,
    /// The [version](Codec::seen_version) of what leaves may be.
    pub version: u32,
    /// Leaves that may be unbound.
    pub unbound: Vec<bool>,
    /// Why some states deoptimise.
    pub reasons: Vec<Reason>,
    pub work: u64,
    /// Steps that making it without folds would take in addition, as it seems; 0 if nothing is folded.
    pub spared: u64,
}

/// What was met of the states of a shape.
#[derive(Clone, Copy, Default)]
pub struct Met<'a> {
    /// The leaves of one of them.
    pub sample: &'a [Word],
    /// What just one leaf was in each of them.
    pub singles: &'a [Word],
    /// The integers that leaves were seen to be when the program was last worked at, if it was.
    pub integers: Option<Integers>,
    /// Where to go on, if the work was interrupted.
    pub progress: Option<Progress>,
    /// Integers that moves compute stay within what leaves were; other states deoptimise.
    pub is_settled: bool,
    /// The program is shown as it is before scheduling.
    pub is_unscheduled: bool,
    /// When ways are run as one, if they may be.
    pub folding: Option<Folding>,
}

/// Where the making of a program was interrupted.
#[derive(Clone, Copy)]
pub struct Progress {
    /// How often it was made again.
    round: usize,
    /// The integers that leaves were seen to be when it began.
    before: Integers,
    /// How many reasons other predicates had found when it began.
    known_reasons: usize,
    /// The [version](Codec::seen_version) of what leaves may be.
    version: u32,
    /// Work with folds so far.
    folding: u64,
    /// Nothing is folded any more: that failed, or took too much work.
    is_unfolded: bool,
}

impl Progress {
    /// Whether leaves still are what they were.
    pub fn holds(&self, codec: &Codec, shape: u8) -> bool {
        self.version == codec.seen_version(shape)
    }
}

/// There is no program, or not yet.
pub struct Unmade {
    /// Why; or where to go on, if the work was interrupted.
    pub why: Result<Progress, Reason>,
    pub work: u64,
}

/// What programs of several predicates for one shape have in common.
pub struct Shared {
    shape: u8,
    version: u32,
    store: Store,
    memory: Memory,
    /// The state, its leaves unknown.
    state: Term,
    presence: Presence,
    /// Leaves that may be unbound.
    unbound: Vec<bool>,
}

impl Shared {
    /// The store, and the state in it, whose leaves are unknown.
    pub fn parts(&self) -> (&Store, Term) {
        (&self.store, self.state)
    }

    /// Whether leaves still are what they were.
    pub fn is_current(&self, codec: &Codec, shape: u8) -> bool {
        self.version == codec.seen_version(shape)
    }
}

/// Makes a program with so much work at most, from what was found out before, perhaps when interrupted.
pub fn make(
    m: &mut Machine,
    w: &mut World,
    codec: &mut Codec,
    target: &Target,
    (shape, met): (u8, Met<'_>),
    limit: u64,
    (shared, residual): (&mut Option<Shared>, &mut Residual),
) -> Result<Made, Unmade> {
    expect_alike(codec, shape);
    let resumed = met.progress.filter(|progress| progress.holds(codec, shape));
    if let (None, Some(before)) = (resumed, met.integers) {
        expect_more(codec, shape, before);
    }
    let (mut done, limit) = (0, limit.saturating_mul(STORE_UNITS));
    let mut progress = resumed.unwrap_or_else(|| Progress {
        round: 0,
        before: Integers::of(codec, shape),
        known_reasons: shared.as_ref().map_or(0, |known| known.memory.reasons.len()),
        version: 0,
        folding: 0,
        is_unfolded: false,
    });
    while progress.round < limits::ROUNDS {
        let version = codec.seen_version(shape);
        let few = || progress.before.grown(codec, shape).len() <= limits::COUNTERS;
        let growth = match progress.round {
            _ if met.is_settled => Growth::Settled,
            0..limits::FREE_ROUNDS => Growth::Bounded,
            limits::FREE_ROUNDS if few() => Growth::Open,
            _ => Growth::Settled,
        };
        let left = limit.saturating_sub(done);
        let met = Met { folding: met.folding.filter(|_| !progress.is_unfolded), ..met };
        let asked = (shape, met, growth, progress.known_reasons);
        let (made, taken, spared) = once(m, w, codec, target, asked, left, (shared, residual));
        done += taken;
        progress.folding += if spared > 0 { taken } else { 0 };
        let work = done / STORE_UNITS;
        match made {
            Err(Some(_)) if spared > 0 && met.folding.is_some() => {
                (progress.is_unfolded, progress.known_reasons) = (true, 0);
                continue;
            }
            Err(Some(why)) => return Err(Unmade { why: Err(why), work }),
            Err(None) => {
                progress.is_unfolded |= progress.folding > spared / FOLDING_SHARE;
                progress.version = codec.seen_version(shape);
                return Err(Unmade { why: Ok(progress), work });
            }
            Ok(made) if codec.seen_version(shape) == version => {
                return Ok(Made { version, work, ..made });
            }
            Ok(_) if progress.round + 1 == limits::FREE_ROUNDS && !met.is_settled => {
                expect_more(codec, shape, progress.before);
            }
            Ok(_) => {}
        }
        // Reasons of another store.
        (progress.round, progress.known_reasons) = (progress.round + 1, 0);
    }
    let why = Reason::plain("moves keep leading to values that were not met before");
    Err(Unmade { why: Err(why), work: done / STORE_UNITS })
}

/// What a run says of a place in the rules.
fn reason(what: &str, site: Site, symbols: &Symbols) -> Reason {
    let goal = site.goal.map(|(name, arity)| format!("{}/{arity}", symbols.name(name)));
    let what = what.to_owned();
    Reason { what, goal: goal.unwrap_or_default(), clause: site.clause, new_value: false }
}

/// What is needed to begin with a shape.
fn begun(codec: &mut Codec, shape: u8, limit: u64) -> Result<Shared, Reason> {
    let leaves = codec.leaves_of(shape);
    let (mut domains, mut unbound) = (Vec::with_capacity(leaves), Vec::with_capacity(leaves));
    for leaf in 0..leaves {
        let may = codec.may(shape, leaf).ok_or_else(|| Reason::plain(MANY))?;
        let words: Vec<Word> =
            words_of(&may).filter(|word| may.range.is_none() || !word.is_int()).collect();
        unbound.push(words.contains(&Word::VAR));
        let words_of = Words(codec);
        let mut cells: Vec<Cell> =
            words.iter().map(|&word| words_of.cell_or_unbound(word)).collect();
        // States with such leaves are never asked about.
        cells.retain(|cell| !cell.is_boxed());
        domains.push(match may.range {
            Some((low, high)) if cells.is_empty() => Domain::Range(low, high),
            Some((low, high)) => Domain::Mixed(cells.into(), low, high),
            None if cells.is_empty() => {
                return Err(Reason::plain("a leaf of a state is a text or a large number"));
            }
            None => Domain::Values(cells.into()),
        });
    }
    let mut store = Store::new(domains, limit);
    let mut heap = Heap::new();
    let too_large = || Reason::plain(TOO_LARGE_TERM);
    let (state, presence) = match codec.representation(shape).cloned() {
        Some(whole) => term_of(&mut store, &mut heap, &whole).ok_or_else(too_large)?,
        None => {
            let state = codec.skeleton(shape, &mut heap, |heap, _| heap.new_var());
            let state = Reader::new(&heap).term(&mut store, state).ok_or_else(too_large)?;
            let leaf = &mut |store: &mut Store, variable: Variable| {
                Substitute::Done(store.leaf(Leaf(variable.0)))
            };
            (store.substituted(state, leaf), Presence::default())
        }
    };
    let version = codec.seen_version(shape);
    Ok(Shared { shape, version, store, memory: Memory::default(), state, presence, unbound })
}

/// A round, its work, and the work that folds spared: the program, or why there is none; no reason if the work was
/// interrupted.
fn once(
    m: &mut Machine,
    w: &mut World,
    codec: &mut Codec,
    target: &Target,
    (shape, met, growth, known_reasons): (u8, Met<'_>, Growth, usize),
    limit: u64,
    (shared, residual): (&mut Option<Shared>, &mut Residual),
) -> (Result<Made, Option<Reason>>, u64, u64) {
    let version = codec.seen_version(shape);
    let known = shared.take().filter(|known| known.shape == shape && known.version == version);
    let mut known = match known.map_or_else(|| begun(codec, shape, limit), Ok) {
        Ok(known) => known,
        Err(why) => return (Err(Some(why)), 0, 0),
    };
    let before = known.store.work();
    known.store.allow(limit);
    let (made, known) = match asked(target, &mut known) {
        Some(question) => {
            let question = (target, question, residual);
            program(m, w, codec, question, (met, growth, known_reasons), known)
        }
        None => (Err(Some(Reason::plain(TOO_LARGE_TERM))), known),
    };
    let (work, spared) = (known.store.work() - before, known.memory.spared());
    let made = match made {
        _ if known.store.is_too_deep() => Err(Some(Reason::plain(TOO_LARGE_TERM))),
        _ if known.store.is_spent() => Err(None),
        made => made,
    };
    if !known.store.is_too_deep() {
        *shared = Some(known);
    }
    (made, work, spared)
}

/// The arguments of a question, and what it asks for; `None` if there is a term that is too large.
fn asked(target: &Target, known: &mut Shared) -> Option<(Vec<Term>, Asked)> {
    let store = &mut known.store;
    let mut heap = Heap::new();
    let (mut arguments, mut variables, mut cost) = (Vec::new(), 0, false);
    let mut asked = Asked::Test;
    for arg in &target.args {
        let mut variable = |store: &mut Store| {
            variables += 1;
            store.variable(Variable(CALLERS + variables - 1))
        };
        let term: Term = match arg {
            Arg::Fixed(record) => {
                let cell = record.instantiate(&mut heap);
                Reader::new(&heap).term(store, cell).filter(|&term| store.is_ground(term))?
            }
            Arg::State => known.state,
            Arg::Part(part) => match store.shape(known.state) {
                Shape::Struct(_, parts) => *parts.get(usize::from(*part))?,
                _ => return None,
            },
            Arg::Name | Arg::To | Arg::Output => variable(store),
            Arg::Cost => {
                cost = true;
                variable(store)
            }
            Arg::Value => {
                asked = Asked::Value;
                variable(store)
            }
        };
        if matches!(arg, Arg::To | Arg::Name) {
            asked = Asked::Moves { cost };
        }
        arguments.push(term);
    }
    Some((arguments, asked))
}

/// The outcome of a query; nothing if the run ended before its time.
fn run(
    m: &mut Machine,
    w: &mut World,
    (target, residual): (&Target, &mut Residual),
    (arguments, asked, folding): (&[Term], Asked, Option<Folding>),
    known: Shared,
) -> (Option<Arc<Outcome>>, Shared) {
    let Shared { store, mut memory, ref unbound, .. } = known;
    if folding.is_none() {
        // What was folded is run way by way.
        memory.forget_folded();
    }
    let mut run = Run::new(m, w, store, memory);
    // Variables in states may be shared between what is put together.
    let leads_on = matches!(asked, Asked::Moves { .. }) && !target.names_alone();
    let leaves_calls = leads_on && !unbound.contains(&true);
    if leaves_calls {
        run.left.residual = Some(std::mem::take(residual));
        let is_callee = target.indicator == CALLED;
        run.folding = folding.filter(|_| !is_callee);
    }
    let mut outcome = run.answers(target.pred, arguments);
    if matches!(asked, Asked::Value) {
        outcome = outcome.map(|found| Arc::new(numbers_answered(&mut run, &found)));
    }
    if let Some(found) = run.left.residual.clone() {
        *residual = found;
    }
    let (mut store, memory) = run.finished();
    if target.names_alone() {
        outcome = outcome.map(|named| Arc::new(leading_nowhere(&named, known.state)));
    }
    let outcome = match target.state_output() {
        Some(state) => outcome.map(|outcome| as_moves(&mut store, &outcome, state)),
        None => outcome,
    };
    (outcome, Shared { store, memory, ..known })
}

/// The answers of a callee as moves: one output is the state, the others are the name.
fn as_moves(store: &mut Store, outcome: &Outcome, state: usize) -> Arc<Outcome> {
    let mut answers = Vec::with_capacity(outcome.answers.len());
    for answer in &outcome.answers {
        let mut names = answer.values.to_vec();
        if state >= names.len() {
            continue;
        }
        let to = names.remove(state);
        let name = match names[..] {
            [] => store.constant(Cell::atom(atoms::TRUE)),
            [only] => only,
            _ => store.structure(Cell::functor(atoms::CALL, names.len()), names),
        };
        answers.push(Answer { values: [name, to].into(), ..answer.clone() });
    }
    Arc::new(Outcome { answers, deopt: outcome.deopt })
}

/// Answers that are names alone, as moves that lead back to the state.
fn leading_nowhere(named: &Outcome, state: Term) -> Outcome {
    let answers = named.answers.iter().map(|answer| {
        let values = answer.values.iter().copied().chain([state]).collect();
        Answer { values, ..answer.clone() }
    });
    Outcome { answers: answers.collect(), deopt: named.deopt }
}

/// The guarded answers of a predicate and what it asks for, found when its program was made.
pub fn outcome(
    m: &mut Machine,
    w: &mut World,
    (target, residual): (&Target, &mut Residual),
    mut known: Shared,
) -> (Option<(Arc<Outcome>, Asked)>, Shared) {
    known.store.allow(STORE_UNITS * limits::STEPS);
    let Some((arguments, asked)) = asked(target, &mut known) else { return (None, known) };
    let asking = (&arguments[..], asked, None);
    let (outcome, known) = run(m, w, (target, residual), asking, known);
    (outcome.map(|outcome| (outcome, asked)), known)
}

fn program(
    m: &mut Machine,
    w: &mut World,
    codec: &mut Codec,
    (target, (arguments, asked), residual): (&Target, (Vec<Term>, Asked), &mut Residual),
    (met, growth, known_reasons): (Met<'_>, Growth, usize),
    known: Shared,
) -> (Result<Made, Option<Reason>>, Shared) {
    let shape = known.shape;
    let asking = (&arguments[..], asked, met.folding);
    let (outcome, mut known) = run(m, w, (target, residual), asking, known);
    let Some(outcome) = outcome else { return (Err(None), known) };
    // Why other predicates deoptimised may have to do with this one, if nothing new has.
    let is_new = known.memory.reasons.len() > known_reasons;
    let has_deopts = outcome.deopt != Condition::NEVER;
    let first = if is_new { known_reasons } else { 0 };
    let all = known.memory.reasons[first..].iter().filter(|_| has_deopts);
    let mut reasons: Vec<Reason> = all.map(|(why, site)| reason(why, *site, &m.symbols)).collect();
    if outcome.deopt == Condition::ALWAYS {
        let why = reasons.first().cloned().unwrap_or_else(|| Reason::plain(NOT_KNOWN));
        return (Err(Some(why)), known);
    }
    let Met { sample, singles, .. } = met;
    let leaves = codec.leaves_of(shape);
    let (presence, folds) = (&known.presence, &known.memory.folds[..]);
    let board = Board { shape, leaves, sample, singles, growth, presence, folds };
    let mut heap = Heap::new();
    let lowered = lower(&mut known.store, &outcome, asked, &board, Words(codec), &mut heap);
    let has_calls = outcome.answers.iter().any(|answer| answer.call.is_some());
    if lowered.is_err() && has_calls && !known.store.is_spent() {
        // Without calls for later, then.
        residual.give_up();
        known.memory.forget_left();
        let question = (target, (arguments, asked), residual);
        return program(m, w, codec, question, (met, growth, known_reasons), known);
    }
    let made = lowered.map_err(|why| Some(Reason::plain(&why))).map(|mut lowered| {
        if !met.is_unscheduled {
            lowered.schedule();
        }
        if lowered.may_deopt && !has_deopts {
            reasons = vec![Reason::plain("a state that a move leads to is not represented")];
        }
        let Shared { version, ref unbound, .. } = known;
        Made {
            lowered,
            version,
            unbound: unbound.clone(),
            reasons,
            work: 0,
            spared: known.memory.spared() / STORE_UNITS,
        }
    });
    (made, known)
}
