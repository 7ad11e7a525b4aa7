//! Making the program of a contract predicate for states of one shape.

use super::lower::{Asked, Board, Growth, Lowered, lower};
use super::represented::{Presence, term_of};
use crate::merging::{CALLERS, Evaluator, Memory, Reader, Site};
use crate::residual::Reason;
use crate::units::{Arg, Target};
use crate::words::Words;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::{Codec, Word};
use zug_symbolic::{Domain, Leaf, Store, Substitute, Term, Variable};
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap};

/// How often a program is made anew because its own moves lead to values that were not yet met.
const MOST_ROUNDS: usize = 12;
/// After so many times, numbers that its moves compute are expected to stay within those that are:
/// states in which they do not are given back. Counters that the rules bound in ways that are not seen
/// would grow for ever.
const FREE_ROUNDS: usize = 2;
/// The most leaves of a shape that are taken for counters.
const MOST_COUNTERS: usize = 4;
/// Units of work of a store that take as long as a step of what making may take: of rule files tried, a
/// unit took 0.05 to 0.37 µs.
const UNITS: u64 = 3;

/// Why there is no program where a term has more than a store holds.
const TOO_LARGE_TERM: &str = "a term of the rules is too large";

/// Why states are given back where the run does not say it.
const NOT_KNOWN: &str = "this is left to the machine";

/// A program with what it takes for granted.
pub struct Made {
    /// The program and its moves.
    pub lowered: Lowered,
    /// The [version](Codec::seen_version) of what leaves may be.
    pub version: u32,
    /// Leaves that may be unbound.
    pub unbound: Vec<bool>,
    /// Why some states are given back.
    pub reasons: Vec<Reason>,
    /// Work done.
    pub work: u64,
}

/// What was met of the states of a shape.
#[derive(Clone, Copy)]
pub struct Met<'a> {
    /// The leaves of one of them.
    pub sample: &'a [Word],
    /// What just one leaf was in each of them.
    pub singles: &'a [Word],
    /// By leaf: how many integers it was seen to be when a program was made before that new values
    /// made useless, if there was one.
    pub integers: Option<&'a [u32]>,
}

/// By leaf: how many integers it was seen to be.
pub fn integers(codec: &Codec, shape: u8) -> Vec<u32> {
    let of = |leaf| codec.seen(shape, leaf).map_or(0, |seen| integers_of(&seen).count() as u32);
    (0..codec.leaves_of(shape)).map(of).collect()
}

/// The integers among the bytes that a leaf was seen to be.
fn integers_of(seen: &[u64; 4]) -> impl Iterator<Item = i64> {
    let met = (0..Word::INTS).filter(|&at| seen[at as usize / 64] >> (at % 64) & 1 != 0);
    met.map(|at| Word(at).int_value())
}

/// A few leaves that come to be other integers are counters, not squares of a board: they are expected to
/// be any of one byte.
fn expect_counters(codec: &mut Codec, shape: u8, before: &[u32]) {
    let now = integers(codec, shape);
    let grown: Vec<usize> =
        (0..now.len().min(before.len())).filter(|&leaf| now[leaf] > before[leaf].max(1)).collect();
    if grown.len() > MOST_COUNTERS {
        return;
    }
    for leaf in grown {
        let Some(seen) = codec.seen(shape, leaf) else { continue };
        let is_negative = integers_of(&seen).any(|value| value < 0);
        let first = if is_negative { Word::FIRST_INT } else { 0 };
        for value in first..Word::FIRST_INT + Word::INTS {
            if let Some(byte) = Word::int(value).and_then(Word::byte) {
                codec.expect(shape, leaf, byte);
            }
        }
    }
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

/// Makes the program of a predicate for a shape, with so much work at most, and with what others have
/// found out. An error says why there is none, with the work done.
pub fn make(
    m: &mut Machine,
    w: &mut World,
    codec: &mut Codec,
    target: &Target,
    (shape, met): (u8, Met<'_>),
    limit: u64,
    shared: &mut Option<Shared>,
) -> Result<Made, (Reason, u64)> {
    expect_alike(codec, shape);
    if let Some(before) = met.integers {
        expect_counters(codec, shape, before);
    }
    let (mut done, limit) = (0, limit.saturating_mul(UNITS));
    for round in 0..MOST_ROUNDS {
        let version = codec.seen_version(shape);
        let growth = match round {
            0..FREE_ROUNDS => Growth::Bounded,
            FREE_ROUNDS => Growth::Open,
            _ => Growth::Settled,
        };
        let left = limit.saturating_sub(done);
        let made = once(m, w, codec, target, (shape, met, growth), left, shared);
        let (made, work) = made.map_err(|(why, work)| (why, (done + work) / UNITS))?;
        done += work;
        if codec.seen_version(shape) == version {
            return Ok(Made { version, work: done / UNITS, ..made });
        }
    }
    let why = Reason::plain("moves keep leading to values that were not met before");
    Err((why, done / UNITS))
}

/// Leaves that have been one of the same values are expected to be what any of them was, as the
/// squares of a board. A leaf that was but one integer may be a constant that the rules count with:
/// it stays one.
fn expect_alike(codec: &mut Codec, shape: u8) {
    let leaves = codec.leaves_of(shape);
    let seen: Option<Vec<[u64; 4]>> = (0..leaves).map(|leaf| codec.seen(shape, leaf)).collect();
    let Some(mut seen) = seen else { return };
    let is_one_integer = |of: &[u64; 4]| {
        let all: u32 = of.iter().map(|bits| bits.count_ones()).sum();
        all == 1 && (0..Word::INTS as usize).any(|byte| of[byte / 64] >> (byte % 64) & 1 != 0)
    };
    let values = codec.representation(shape).map(|whole| whole.values());
    let is_value = |leaf: usize| values.as_ref().is_none_or(|values| values[leaf]);
    let is_fixed = |leaf: usize| {
        let one = seen[leaf].iter().map(|bits| bits.count_ones()).sum::<u32>() == 1;
        one && codec.is_fixed(shape, leaf)
    };
    let alike: Vec<usize> = (0..leaves)
        .filter(|&leaf| is_value(leaf) && !is_one_integer(&seen[leaf]) && !is_fixed(leaf))
        .collect();
    let mut grown = true;
    while grown {
        grown = false;
        for byte in 0..=u8::MAX {
            let (word, bit) = (usize::from(byte / 64), 1 << (byte % 64));
            let mut all = [0; 4];
            for &leaf in alike.iter().filter(|&&leaf| seen[leaf][word] & bit != 0) {
                all.iter_mut().zip(seen[leaf]).for_each(|(all, of)| *all |= of);
            }
            for &leaf in &alike {
                if seen[leaf][word] & bit != 0 && seen[leaf] != all {
                    (seen[leaf], grown) = (all, true);
                }
            }
        }
    }
    for &leaf in &alike {
        for byte in 0..=u8::MAX {
            if seen[leaf][usize::from(byte / 64)] >> (byte % 64) & 1 != 0 {
                codec.expect(shape, leaf, byte);
            }
        }
    }
}

/// What a run says of a place in the rules.
fn reason(what: String, site: Site, symbols: &Symbols) -> Reason {
    let goal = site.goal.map(|(name, arity)| format!("{}/{arity}", symbols.name(name)));
    Reason { what, goal: goal.unwrap_or_default(), clause: site.clause, new_value: false }
}

/// What is needed to begin with a shape.
fn begun(codec: &mut Codec, shape: u8, limit: u64) -> Result<Shared, Reason> {
    let leaves = codec.leaves_of(shape);
    let (mut domains, mut unbound) = (Vec::with_capacity(leaves), Vec::with_capacity(leaves));
    for leaf in 0..leaves {
        let Some(seen) = codec.seen(shape, leaf) else {
            return Err(Reason::plain("a leaf of a state is of more than one byte"));
        };
        let words = (0..256).filter(|byte| seen[byte / 64] >> (byte % 64) & 1 != 0);
        let words: Vec<Word> = words.map(|byte| Word(byte as i64)).collect();
        unbound.push(words.contains(&Word::VAR));
        let words_of = Words(codec);
        let cells: Vec<Cell> = words.iter().map(|&word| words_of.cell_or_unbound(word)).collect();
        if cells.iter().any(|cell| cell.is_boxed()) {
            return Err(Reason::plain("a leaf of a state is a text or a large number"));
        }
        domains.push(Domain::Values(cells.into()));
    }
    let mut store = Store::new(domains, limit);
    let mut heap = Heap::new();
    let too_large = || Reason::plain(TOO_LARGE_TERM);
    let (state, presence) = match codec.representation(shape).cloned() {
        Some(whole) => term_of(&mut store, &mut heap, &whole).ok_or_else(too_large)?,
        None => {
            let state = codec.skeleton(shape, &mut heap, |heap, _| heap.new_var());
            let state = Reader::new(&heap).term(&mut store, state).ok_or_else(too_large)?;
            let leaf = |store: &mut Store, variable: Variable| {
                Substitute::Done(store.leaf(Leaf(variable.0)))
            };
            (store.substituted(state, &mut { leaf }), Presence::default())
        }
    };
    let version = codec.seen_version(shape);
    Ok(Shared { shape, version, store, memory: Memory::default(), state, presence, unbound })
}

fn once(
    m: &mut Machine,
    w: &mut World,
    codec: &mut Codec,
    target: &Target,
    (shape, met, growth): (u8, Met<'_>, Growth),
    limit: u64,
    shared: &mut Option<Shared>,
) -> Result<(Made, u64), (Reason, u64)> {
    let version = codec.seen_version(shape);
    let known = shared.take().filter(|known| known.shape == shape && known.version == version);
    let known = match known {
        Some(known) => known,
        None => begun(codec, shape, limit).map_err(|why| (why, 0))?,
    };
    let Shared { mut store, memory, state, presence, unbound, .. } = known;
    let before = store.work();
    store.allow(limit);
    let leaves = codec.leaves_of(shape);
    let mut heap = Heap::new();
    let too_large = || (Reason::plain(TOO_LARGE_TERM), 0);
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
                let term = Reader::new(&heap).term(&mut store, cell).ok_or_else(too_large)?;
                if !store.is_ground(term) {
                    return Err(too_large());
                }
                term
            }
            Arg::State => state,
            Arg::Name | Arg::To => variable(&mut store),
            Arg::Cost => {
                cost = true;
                variable(&mut store)
            }
            Arg::Value => {
                asked = Asked::Value;
                variable(&mut store)
            }
        };
        if matches!(arg, Arg::To) {
            asked = Asked::Moves { cost };
        }
        arguments.push(term);
    }
    let known_reasons = memory.reasons().count();
    let mut run = Evaluator::resumed(m, w, store, memory);
    let outcome = run.answers(target.pred, &arguments);
    let (mut store, memory) = run.finished();
    let spent = |store: &Store| (Reason::plain(crate::making::TOO_MUCH), store.work() - before);
    let outcome = outcome.ok_or_else(|| spent(&store))?;
    // What other predicates gave back for may have to do with this one, if nothing new has.
    let is_new = memory.reasons().count() > known_reasons;
    let gave_back = outcome.given_back != zug_symbolic::Condition::NEVER;
    let all = memory.reasons().skip(if is_new { known_reasons } else { 0 }).filter(|_| gave_back);
    let mut reasons: Vec<Reason> = all.map(|(why, site)| reason(why, site, &m.symbols)).collect();
    if outcome.given_back == zug_symbolic::Condition::ALWAYS {
        let why = reasons.first().cloned().unwrap_or_else(|| Reason::plain(NOT_KNOWN));
        let work = store.work() - before;
        *shared = Some(Shared { shape, version, store, memory, state, presence, unbound });
        return Err((why, work));
    }
    let Met { sample, singles, .. } = met;
    let board = Board { shape, leaves, sample, singles, growth, presence: &presence };
    let lowered = lower(&mut store, &outcome, asked, &board, Words(codec), &mut heap);
    if store.is_spent() {
        return Err(spent(&store));
    }
    let work = store.work() - before;
    let of_leaves = unbound.clone();
    *shared = Some(Shared { shape, version, store, memory, state, presence, unbound });
    let lowered = lowered.map_err(|why| (Reason::plain(&why), work))?;
    if lowered.gives_back && outcome.given_back == zug_symbolic::Condition::NEVER {
        reasons = vec![Reason::plain("a state that a move leads to is not represented")];
    }
    Ok((Made { lowered, version: 0, unbound: of_leaves, reasons, work }, work))
}
