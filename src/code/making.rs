//! Making code: the symbolic run of a contract predicate on a shape, within a budget.

use super::backend::Backend;
use super::code::{Code, End, Hole, Layout, Sum};
use super::compile::{MOST_BLOCKS, compile};
use super::moves::Label;
use super::ops::Ops;
use super::picked::Picker;
use super::program;
use super::program::lower::SEVERAL;
use super::residual::{Cond, NodeId, Reason, Residual, kind};
use super::run::{Context, Run, Site};
use super::terms;
use super::units::{
    Arg, Compiled, MOST_TRIES, MOST_VALUES, Spent, State, Target, Unit, Units, is_narrow,
};
use super::words::Words;
use zug_machine::{Machine, Space};
use zug_prolog::builtins::World;
use zug_state::{Codec, Word};
use zug_term::{Cell, Heap, compare};

// What making may take, so that a whole run takes at most 20 ms, or a quarter more than on the
// machine alone, or a twentieth from 5 s on: the free steps, and those that are bought by what the
// machine has done and by what code has answered. Of rule files tried, a step took 0.4 to 1.1 µs, an
// inference, with all around it, 40 to 110 ns.

/// Steps that are free: of symbolic runs, and one for each block of code. They take 6 to 15 ms.
const FREE_STEPS: u64 = 16_000;
/// Inferences of the machine that buy a step at first: mostly a fifth of its time or less; half of it
/// where steps are slow and inferences quick.
const STEP: u64 = 50;
/// The most steps bought so: 0.2 to 0.5 s.
const MOST_BOUGHT: u64 = 500_000;
/// Inferences that buy one later, a twentieth of the machine's time or less.
const LATER_STEP: u64 = 250;
/// Steps that a shape is worth for each time it was met.
const WORTH: u64 = 4096;
/// The fewest steps to begin with.
const FEWEST_STEPS: u64 = 1000;
/// The same for states that are represented.
const REPRESENTED_WORTH: u64 = 2 * WORTH;
/// What they are to be worth at first: their programs take some more steps than others.
const FEWEST_REPRESENTED: u64 = 12_000;
/// Why there is no code of too many blocks.
pub(super) const TOO_LARGE: &str = "the code would become too large";
/// Why there is no code where the symbolic run took too long.
pub(super) const TOO_MUCH: &str = "making the code takes too long";
/// The most work for one program.
pub(super) const MOST_STEPS: u64 = 4_000_000;
/// The most steps of a run that follows each way for itself.
pub(super) const RESIDUAL_STEPS: u64 = 100_000;
/// Integers that leaves may have in common.
const COMMON: i64 = 24;

impl Units {
    /// Makes code for a shape, as far as the budget goes.
    #[cold]
    pub(super) fn make(
        &mut self,
        target: usize,
        shape: u8,
        m: &mut Machine,
        w: &mut World,
        codec: &mut Codec,
    ) {
        let left = self.budget(m);
        // One that takes long is not to take it all from the others, if some wait for code.
        let waits = |(number, units): (usize, &Vec<Option<Unit>>)| {
            let mut cold = units.iter().flatten().filter(|unit| matches!(unit.state, State::Cold));
            if number == target {
                units.iter().flatten().count() > 1
            } else {
                cold.next().is_some()
            }
        };
        let others_wait = self.units.iter().enumerate().any(waits);
        let share = if others_wait { left / 2 } else { left };
        let Some(unit) = &self.units[target][usize::from(shape)] else { return };
        let met = u64::from(unit.asked) + unit.runs;
        // All states have the one shape that is represented.
        let worth = met * if codec.represents() { REPRESENTED_WORTH } else { WORTH };
        let steps = share.min(worth).min(MOST_STEPS);
        // Not yet affordable: later, when more work was done.
        if steps < unit.needed.max(FEWEST_STEPS) {
            return;
        }
        if codec.represents() && worth < FEWEST_REPRESENTED {
            return;
        }
        match self.program_of((target, shape), m, w, codec, steps) {
            Ok(made) => self.take_program((target, shape), made),
            Err(why) => {
                let unit = self.units[target][usize::from(shape)].as_mut();
                let unit = unit.expect("it was asked about");
                match why {
                    None if unit.taken < MOST_STEPS => {
                        // Of what was taken, a tenth to a quarter is taken again to find out where to
                        // go on.
                        unit.needed = unit.taken / 2;
                        unit.gave_back = Some(Reason::plain(TOO_MUCH));
                    }
                    why => {
                        let why = why.unwrap_or_else(|| Reason::plain(TOO_MUCH));
                        unit.state = State::Machine(why);
                        self.release(shape);
                    }
                }
            }
        }
    }

    /// A residual program is made code, if it is whole.
    fn take_residual(
        &mut self,
        (target, shape): (usize, u8),
        made: Made,
        short: Option<Reason>,
        (m, codec): (&Machine, &mut Codec),
        (left, steps): (u64, u64),
    ) {
        let layout = self.layout;
        let unit = self.units[target][usize::from(shape)].as_mut().expect("it was there");
        unit.tries += 1;
        unit.needed = 2 * steps;
        let again = unit.tries < MOST_TRIES;
        self.steps += made.steps;
        if made.out_of_steps && again {
            unit.gave_back = short.or(made.reason().cloned());
            return;
        }
        let most_blocks = MOST_BLOCKS.min(left.saturating_sub(made.steps) as usize);
        let code = unit.compiled(made, codec, m, (shape, layout), most_blocks);
        self.steps += match &code {
            Ok(compiled) => compiled.code.code().blocks.len(),
            Err(reason) if reason.what == TOO_LARGE => most_blocks,
            Err(_) => 0,
        } as u64;
        match code {
            Ok(compiled) => {
                self.moves_unseen |= !compiled.labels.is_empty();
                unit.state = State::Ready(Box::new(compiled));
            }
            Err(reason) if reason.what == TOO_LARGE && most_blocks < MOST_BLOCKS && again => {
                unit.gave_back = Some(reason);
            }
            Err(reason) => {
                unit.state = State::Machine(Reason::of_two(short.as_ref(), &reason));
            }
        }
    }

    /// A program answers from now on.
    fn take_program(&mut self, (target, shape): (usize, u8), made: program::make::Made) {
        let compiled = Compiled::of_program(made, self.layout);
        self.has_programs = true;
        let unit = self.units[target][usize::from(shape)].as_mut().expect("it was asked about");
        unit.tries += 1;
        unit.state = State::Ready(Box::new(compiled));
        self.release(shape);
    }

    /// What was found out of a shape is kept as long as predicates wait for their code on it.
    fn release(&mut self, shape: u8) {
        let mut all = self.units.iter().filter_map(|units| units.get(usize::from(shape))?.as_ref());
        if !all.any(|unit| matches!(unit.state, State::Cold)) {
            self.shared.remove(&shape);
        }
    }

    /// The program of a predicate on a shape that was asked about, with so many steps at most; an error
    /// says why there is none, and nothing where more steps are needed.
    pub(super) fn program_of(
        &mut self,
        (target, shape): (usize, u8),
        m: &mut Machine,
        w: &mut World,
        codec: &mut Codec,
        steps: u64,
    ) -> Result<program::make::Made, Option<Reason>> {
        let unit = self.units[target][usize::from(shape)].as_ref().expect("it was asked about");
        let Unit { sample, singles, integers, round, .. } = unit;
        let met = program::make::Met { sample, singles, integers: *integers, round: *round };
        let mut shared = self.shared.remove(&shape);
        let target_of = &self.targets[target];
        let made = program::make::make(m, w, codec, target_of, (shape, met), steps, &mut shared);
        self.shared.extend(shared.map(|shared| (shape, shared)));
        let unit = self.units[target][usize::from(shape)].as_mut().expect("it is there");
        unit.integers = Some(program::expected::Integers::of(codec, shape));
        let (work, round) = match &made {
            Ok(made) => (made.work, 0),
            Err(unmade) => (unmade.work, unmade.round),
        };
        self.steps += work;
        (unit.taken, unit.round) = (unit.taken + work, round);
        made.map_err(|unmade| unmade.why)
    }

    /// Steps that may still be taken. A question that code has answered earns one: the machine would
    /// have taken several times as long for it.
    fn budget(&self, m: &Machine) -> u64 {
        let worked = m.inferences().saturating_sub(self.inferences);
        let bought = (worked / STEP).min(MOST_BOUGHT).max(worked / LATER_STEP);
        let Spent { steps, answered } = self.before;
        let earned = answered + self.answered();
        (FREE_STEPS + bought + earned).saturating_sub(steps + self.steps)
    }

    /// The residual program of a predicate on a shape that was asked about.
    pub(super) fn residual_of(
        &mut self,
        target: usize,
        shape: u8,
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
        most_steps: u64,
    ) -> Made {
        let ops = self.ops.get_or_insert_with(|| Ops::new(&mut m.symbols));
        let unit = self.units[target][usize::from(shape)].as_ref().expect("it was asked about");
        let (kinds, domains) = (unit.kinds(), unit.domains());
        let (kinds, domains) = (&kinds[..], &domains[..]);
        let distinct = unit.distinct;
        let question = Question { target: &self.targets[target], shape, kinds, domains, distinct };
        residual(m, w, codec, ops, &question, most_steps)
    }
}

/// A residual program with what its making took.
pub struct Made {
    /// The program.
    pub residual: Residual,
    /// Where it begins.
    pub root: NodeId,
    /// Steps of the symbolic run.
    pub steps: u64,
    /// There were not enough of them.
    pub out_of_steps: bool,
    /// Leaves that may be unbound.
    pub unbound: Vec<bool>,
}

impl Made {
    /// Why the machine is asked of all states, or else of some.
    pub fn reason(&self) -> Option<&Reason> {
        // What new values are met for is mended when they are.
        let lasts = |reason: &&Reason| reason.happens() && !reason.new_value;
        let mut others = self.residual.reasons.iter().rev().filter(lasts);
        self.residual.whole_deopt(self.root).or_else(|| others.next())
    }
}

/// What a symbolic run is about.
pub struct Question<'q> {
    /// The predicate.
    pub target: &'q Target,
    /// The shape of the state.
    pub shape: u8,
    /// What its leaves may be.
    pub kinds: &'q [u8],
    /// Values they were seen to have.
    pub domains: &'q [Vec<Word>],
    /// No two of them were seen to be alike.
    pub distinct: bool,
}

/// Steps after which a run begins again with joins.
const FIRST_STEPS: u64 = 5_000;
/// The same for a value: what choices add to it is better joined early.
const FIRST_STEPS_OF_VALUE: u64 = 1_000;
/// Steps of a run for a value with joins after which it begins again, with what states seen so
/// far have in common taken for granted. What that brings costs a look at all leaves each time.
const SECOND_STEPS_OF_VALUE: u64 = 20_000;

/// What a symbolic run may do to keep the program small.
#[derive(Clone, Copy)]
struct Means {
    /// Choices between numbers become numbers.
    joins: bool,
    /// No two leaves are taken to be alike.
    distinct: bool,
}

/// Runs a contract predicate symbolically on a shape.
pub fn residual(
    m: &mut Machine,
    w: &mut World,
    codec: &mut Codec,
    ops: &Ops,
    question: &Question<'_>,
    most_steps: u64,
) -> Made {
    let for_value = question.target.args.iter().any(|arg| matches!(arg, Arg::Value));
    let first = if for_value { FIRST_STEPS_OF_VALUE } else { FIRST_STEPS };
    let distinct = question.distinct;
    let mut runs = vec![(first, Means { joins: false, distinct: false })];
    if for_value && distinct {
        runs.push((SECOND_STEPS_OF_VALUE, Means { joins: true, distinct: false }));
    }
    runs.push((most_steps, Means { joins: true, distinct }));
    let mut taken = 0;
    loop {
        let (steps, means) = runs.remove(0);
        let left = most_steps - taken;
        // What is left is not worth another run.
        let steps = if left < 3 * steps { left } else { steps };
        let made = symbolic_run(m, w, codec, ops, question, (steps, means));
        taken += made.steps.min(left);
        if !made.out_of_steps || taken >= most_steps || runs.is_empty() {
            return Made { steps: taken, ..made };
        }
    }
}

fn symbolic_run(
    m: &mut Machine,
    w: &mut World,
    codec: &mut Codec,
    ops: &Ops,
    question: &Question<'_>,
    (most_steps, means): (u64, Means),
) -> Made {
    let &Question { target, shape, kinds, domains, .. } = question;
    let name = m.program.preds[target.pred as usize].name;
    let mut run = Run::new(m, w, Words(codec), ops, domains, kinds, most_steps);
    run.joins = means.joins;
    if means.distinct {
        run.known.take_as_distinct();
    }
    let state =
        run.words.0.skeleton(shape, &mut run.heap, |heap, i| terms::leaf_cell(heap, i as u16));
    let (mut mv, mut cost, mut to) = (Cell::NIL, None, None);
    let mut args = Vec::new();
    let mut value = None;
    for arg in &target.args {
        let cell = match arg {
            Arg::Fixed(record) => record.instantiate(&mut run.heap),
            Arg::State => state,
            _ => run.heap.new_var(),
        };
        match arg {
            Arg::Name => mv = cell,
            Arg::Cost => cost = Some(cell),
            Arg::To => to = Some(cell),
            Arg::Value => value = Some(cell),
            Arg::Fixed(_) | Arg::State => {}
        }
        args.push(cell);
    }
    let context = match (to, value) {
        (Some(to), _) => Context::Moves(mv, cost, to),
        (None, Some(value)) => Context::Value(value),
        (None, None) => Context::Test,
    };
    let goal = run.heap.new_struct(name, &args);
    let site = Site { clause: None, space: Space::User, cut: 0, caller: None, awaited: None };
    let mut root = run.answers(context, goal, site, 0);
    if run.known.needs_distinct() && run.residual.whole_deopt(root).is_none() {
        let other = run.residual.deopt(Reason {
            new_value: true,
            ..Reason::plain("two leaves are alike, which they never were before")
        });
        root = run.residual.test(Cond::Distinct, root, other);
    }
    let steps = run.steps;
    let unbound = kinds.iter().map(|kinds| kinds & kind::VAR != 0).collect();
    Made { residual: run.residual, root, steps, out_of_steps: steps > most_steps, unbound }
}

impl Compiled {
    pub(super) fn of_program(made: program::make::Made, layout: Layout) -> Compiled {
        let program::lower::Lowered { code, picking, .. } = made.lowered;
        let labels = Label::all(&code);
        let mut reasons = made.reasons;
        // The first is told; states with several of what was single have a number of their own.
        reasons.resize_with(SEVERAL as usize, || Reason::plain(""));
        let several = "several leaves are what one alone was in states before";
        reasons.push(Reason { new_value: true, ..Reason::plain(several) });
        let any_unbound = made.unbound.contains(&true);
        let layout = layout.of_leaves(code.leaves);
        let picker = picking.map(|picking| Box::new(Picker::new(picking, layout)));
        Compiled {
            code: Backend::new(code, layout),
            reasons,
            unbound: made.unbound,
            any_unbound,
            labels,
            kept_all: true,
            version: Some(made.version),
            picker,
        }
    }
}

impl Unit {
    fn kinds(&self) -> Vec<u8> {
        let unbound = |seen: &Vec<Word>| {
            if seen.contains(&Word::VAR) { kind::ANY } else { kind::INT | kind::CONST }
        };
        self.seen.iter().map(unbound).collect()
    }

    /// Leaves whose values all had words of one byte.
    pub(super) fn narrow(&self) -> Vec<bool> {
        self.seen.iter().map(|seen| is_narrow(seen)).collect()
    }

    /// Whether a sum tells of all values that leaves had.
    fn knows_all(&self, sum: &Sum) -> bool {
        let mut leaves = self.seen.iter().zip(&sum.tables);
        leaves.all(|(seen, table)| {
            let knows = |byte| table[usize::from(byte)] != Sum::UNKNOWN;
            seen.len() < MOST_VALUES && seen.iter().all(|word| word.byte().is_none_or(knows))
        })
    }

    /// The values that leaves may be asked for one by one.
    fn domains(&self) -> Vec<Vec<Word>> {
        // Small numbers that one leaf is, others may be too.
        let ints = self.seen.iter().flatten().filter(|word| word.is_int());
        let (low, high) = ints.fold((0, 0), |(low, high), word| {
            (word.int_value().min(low), word.int_value().max(high))
        });
        let common = if high - low <= COMMON { low..=high } else { 0..=0 };
        self.seen.iter().map(|seen| domain(seen, common.clone())).collect()
    }

    fn compiled(
        &self,
        made: Made,
        codec: &mut Codec,
        m: &Machine,
        (shape, layout): (u8, Layout),
        most_blocks: usize,
    ) -> Result<Compiled, Reason> {
        if let Some(reason) = made.residual.whole_deopt(made.root) {
            return Err(reason.clone());
        }
        let mut code = compile(&made.residual, made.root, shape, &self.narrow(), most_blocks)
            .ok_or_else(|| Reason::plain(TOO_LARGE))?;
        code.rank(codec, m);
        if code.moves.iter().any(|mv| mv.to.leaves.contains(&Hole::Word(Word::VAR))) {
            codec.expect_variables();
        }
        if code.sum.as_ref().is_some_and(|sum| !self.knows_all(sum)) {
            code.sum = None;
        }
        let labels = Label::all(&code);
        let code = Backend::new(code, layout);
        let any_unbound = made.unbound.contains(&true);
        let (reasons, unbound) = (made.residual.reasons, made.unbound);
        let kept_all = true;
        Ok(Compiled {
            code,
            reasons,
            unbound,
            any_unbound,
            labels,
            kept_all,
            version: None,
            picker: None,
        })
    }
}

/// The values seen, the integers among them with those between, from 0 up, and common ones.
fn domain(seen: &[Word], common: std::ops::RangeInclusive<i64>) -> Vec<Word> {
    let mut all: Vec<Word> = seen.iter().copied().filter(|&word| word != Word::VAR).collect();
    let ints = || seen.iter().filter(|word| word.is_int()).map(|word| word.int_value());
    if let (Some(low), Some(high)) = (ints().min(), ints().max()) {
        let low = low.min(0).max(high - 64);
        for value in (low..=high).chain(common) {
            if let Some(word) = Word::int(value)
                && !all.contains(&word)
            {
                all.push(word);
            }
        }
    }
    all.sort_unstable();
    all
}

impl Code {
    /// Ranks the constants known so far, if code asks for their order.
    fn rank(&mut self, codec: &Codec, m: &Machine) {
        if !self.blocks.iter().any(|block| matches!(block.end, End::Before(..))) {
            return;
        }
        let heap = Heap::new();
        let constants = codec.constants();
        let mut codes: Vec<usize> =
            (0..constants.len()).filter(|&i| constants[i].is_atom()).collect();
        codes.sort_by(|&a, &b| compare(&heap, &m.symbols, constants[a], constants[b]));
        self.ranks = vec![0; constants.len()];
        for (rank, code) in codes.into_iter().enumerate() {
            self.ranks[code] = rank as u32;
        }
    }
}
