//! Stored costs of a puzzle's states, in a base.
//!
//! A state is stored under its packed term in the words of the base, with the cost of a cheapest
//! plan and the place of its first move. From a state that is there the plan is read off; a
//! search that starts elsewhere uses these costs as estimates where they are known; they are
//! exact, so that it goes straight to the goal from the perimeter of stored states. A base
//! of whole spaces comes from [`save_costs`], one of plans from [`save_plan`].

use super::{PuzzleCore, RuleProblem};
use crate::bases::{BaseWriter, Keys, OpenBase, SaveError, SaveLimits, Saved};
use crate::contract::Contract;
use crate::contract::indicator;
use crate::error::RuleError;
use crate::error::stop_reason;
use crate::run::{by_cost, nested};
use crate::{Packed, PackedState, Violation};
use zug_base::{BaseError, Meta, RecordCounts, Section, Start};
use zug_engines::{HotRow, Run};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::{
    Batch, Claim, CostsToGo, Engine, Failure, HotEngine, Limits, Observer, Operation, Outcome,
    Report, SearchError, Space, Stats, Successors, Team, costs_to_go,
};
use zug_state::{Large, Number, RuleCost};
use zug_term::{Record, varint};

/// What a search found, and whether it was read off.
type Searched<S, C> = Result<(Report<S, C>, bool), SearchError>;

/// By which a whole space was found that is kept: [`Start::by`].
pub const SPACE: &str = "enumerate";

/// Between the engine by which a plan was found and what has to be so for it to be a cheapest one:
/// [`Start::by`].
pub const KEPT_IF: &str = " if ";

/// What has to be so for the plans of the base that is attached to be cheapest ones, if not all of
/// them are proved. A record does not say from which start it comes, so that it holds for all.
pub(crate) fn kept_if(w: &World) -> Option<String> {
    let kept = crate::bases::base_in_use(w)?;
    let mut all: Vec<&str> = Vec::new();
    for start in &kept.base.meta().starts {
        if let Some((_, condition)) = start.by.split_once(KEPT_IF)
            && !all.contains(&condition)
        {
            all.push(condition);
        }
    }
    (!all.is_empty()).then(|| all.join(" and "))
}

/// Moves of the longest plan that is read off.
const LONGEST_PLAN: usize = 1 << 20;

/// What is stored of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Entry {
    /// No goal can be reached.
    Hopeless,
    /// The cost of a cheapest plan, and the place of its first move where it has one.
    Plan(Number, Option<usize>),
}

const HOPELESS: u8 = 0;
const AN_INTEGER: u8 = 1;
const A_FLOAT: u8 = 2;
const A_LARGE_INTEGER: u8 = 3;

impl Entry {
    fn written(self) -> Vec<u8> {
        let (mut bytes, first) = match self {
            Entry::Hopeless => return vec![HOPELESS],
            Entry::Plan(Number::Int(cost), first) => {
                let mut bytes = vec![AN_INTEGER];
                varint::push(cost as u64, &mut bytes);
                (bytes, first)
            }
            Entry::Plan(Number::Large(cost), first) => {
                let limbs = cost.limbs().into_iter().flat_map(u64::to_le_bytes);
                (Vec::from_iter([A_LARGE_INTEGER].into_iter().chain(limbs)), first)
            }
            Entry::Plan(Number::Float(cost), first) => {
                (Vec::from_iter([A_FLOAT].into_iter().chain(cost.to_le_bytes())), first)
            }
        };
        varint::push(first.map_or(0, |first| first as u64 + 1), &mut bytes);
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Entry> {
        let (&kind, mut rest) = bytes.split_first()?;
        let cost = match kind {
            HOPELESS => return rest.is_empty().then_some(Entry::Hopeless),
            AN_INTEGER => Number::Int(i64::try_from(varint::take(&mut rest)?).ok()?),
            A_FLOAT => {
                let (cost, more) = rest.split_first_chunk()?;
                rest = more;
                Number::Float(f64::from_le_bytes(*cost))
            }
            A_LARGE_INTEGER => {
                let mut limbs = [0; 4];
                for limb in &mut limbs {
                    let (bytes, more) = rest.split_first_chunk()?;
                    (*limb, rest) = (u64::from_le_bytes(*bytes), more);
                }
                Number::Large(Large::of_limbs(limbs))
            }
            _ => return None,
        };
        let first = varint::take_size(&mut rest)?.checked_sub(1);
        let sound = rest.is_empty() && !cost.is_negative() && !cost.as_f64().is_nan();
        sound.then_some(Entry::Plan(cost, first))
    }

    fn count(self, tally: &mut RecordCounts) {
        tally.all += 1;
        match self {
            Entry::Hopeless => tally.lost += 1,
            Entry::Plan(..) => tally.won += 1,
        }
    }
}

/// Keeps the cost of every state that can be reached from a start. `None`: a limit ended it
/// before the costs were known.
///
/// # Errors
/// An error in a rule, or the base can't be written.
#[expect(clippy::needless_option_as_deref, reason = "the macro may attempt it several times")]
pub fn save_costs(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    limits: &Limits,
    (state, start): (&Record, &Start),
    keeper: &mut BaseWriter,
    mut observer: Option<&mut Observer<'_>>,
) -> Result<Saved, SaveError> {
    let mut kept = None;
    let done = nested(m, w, limits, |m, w, limits| {
        let asked = (contract, limits, state, start);
        by_cost!(<C> save_as::<C>(m, w, asked, keeper, observer.as_deref_mut(), &mut kept))
    });
    done?;
    kept.unwrap_or(Ok(Saved::default())).map_err(SaveError::Base)
}

fn save_as<C: RuleCost>(
    m: &mut Machine,
    w: &mut World,
    (contract, limits, state, start): (&Contract, &Limits, &Record, &Start),
    keeper: &mut BaseWriter,
    observer: Option<&mut Observer<'_>>,
    kept: &mut Option<Result<Saved, BaseError>>,
) -> Result<(), Box<RuleError>> {
    let mut watch = SaveLimits::new(limits);
    let mut problem = RuleProblem::<C, Packed>::new(m, w, contract, None, true)?;
    let state = problem.pack(state)?;
    let costs = match costs_to_go(&mut problem, &state, limits, observer) {
        Ok(costs) => costs,
        Err(error) => {
            let timed = limits.time.is_some();
            let error: Box<RuleError> = error.error.error();
            let Some(reason) = stop_reason(&error, timed) else { return Err(error) };
            *kept = Some(Ok(Saved::stopped(Some(reason))));
            return Ok(());
        }
    };
    if let Some(reason) = costs.stopped {
        *kept = Some(Ok(Saved::stopped(Some(reason))));
        return Ok(());
    }
    if (0..costs.len()).any(|number| costs.cost(number).is_some_and(C::is_saturated)) {
        return Err(RuleError::new(Violation::Beyond, indicator::RULE));
    }
    *kept = Some(write(&mut problem, &costs, start, keeper, &mut watch));
    Ok(())
}

/// Keeps the costs of the states along a plan that is proved a cheapest one, which ends in a goal.
///
/// # Errors
/// An error in a rule, or the base can't be written.
pub fn save_plan(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    states: &[Record],
    start: &Start,
    keeper: &mut BaseWriter,
) -> Result<Saved, SaveError> {
    let entries = nested(
        m,
        w,
        &Limits::none(),
        |m, w, _| by_cost!(<C> plan_as::<C>(m, w, contract, states, keeper)),
    );
    let mut entries = entries?;
    entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    let records = entries.iter().map(|(key, entry)| (key, entry.written()));
    keeper.begin(m, start).map_err(SaveError::Base)?;
    let added = keeper.add(Section::Costs, records, tally, || true, start);
    let added = added.map_err(SaveError::Base)?;
    Ok(Saved { new: added.new, known: added.known, stopped: None })
}

/// The entries of the states along a plan; none if a base can't have one of them.
fn plan_as<C: RuleCost>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    states: &[Record],
    keeper: &mut BaseWriter,
) -> Result<Vec<(Vec<u8>, Entry)>, Box<RuleError>> {
    let mut problem = RuleProblem::<C, Packed>::new(m, w, contract, None, true)?;
    let (mut entries, mut left) = (Vec::with_capacity(states.len()), C::ZERO);
    let (mut next, mut successors): (Option<Packed>, _) = (None, Successors::default());
    for state in states.iter().rev() {
        let state = problem.pack(state)?;
        let mut first = None;
        if let Some(next) = &next {
            successors.clear();
            problem.successors(&state, &mut successors)?;
            let steps = successors.iter().enumerate().filter(|(_, (_, row))| *row == next);
            let step = steps.min_by_key(|(_, (head, _))| head.cost);
            let Some((place, (step, _))) = step else { return Ok(Vec::new()) };
            left = left.plus(step.cost);
            first = Some(place);
        }
        let Some(key) = problem.key(keeper.terms_mut(), state.bytes()) else {
            return Ok(Vec::new());
        };
        entries.push((key, Entry::Plan(left.number(), first)));
        next = Some(state);
    }
    if left.is_saturated() {
        return Err(RuleError::new(Violation::Beyond, indicator::RULE));
    }
    Ok(entries)
}

fn tally(meta: &mut Meta, _: &[u8], value: &[u8]) {
    if let Some(entry) = Entry::read(value) {
        entry.count(&mut meta.costs);
    }
}

fn write<C: RuleCost>(
    problem: &mut RuleProblem<'_, C, Packed>,
    costs: &CostsToGo<Packed, C>,
    start: &Start,
    keeper: &mut BaseWriter,
    watch: &mut SaveLimits<'_>,
) -> Result<Saved, BaseError> {
    let mut keys = Keys::new();
    for number in 0..costs.len() {
        if number.is_multiple_of(1 << 10) && !watch.go_on(costs.bytes() + keys.bytes()) {
            return Ok(Saved::stopped(watch.stopped));
        }
        let state = costs.state(number);
        if let Some(key) = problem.key(keeper.terms_mut(), state.bytes()) {
            keys.push(&key, number);
        }
    }
    keeper.begin(problem.machine().0, start)?;
    let written = |number| {
        let first = costs.first_move(number);
        let cost = costs.cost(number);
        let entry = cost.map_or(Entry::Hopeless, |cost| Entry::Plan(cost.number(), first));
        Some(entry.written())
    };
    keys.write(keeper, Section::Costs, start, (watch, costs.bytes()), tally, written)
}

impl PuzzleCore<'_> {
    /// The key of a state; `None` if a base can't have it.
    fn key(&mut self, terms: &mut crate::bases::Terms, state: &[u8]) -> Option<Vec<u8>> {
        self.machine.scratch(|m| {
            let term = self.kit.codec.decode(state, &mut m.heap);
            terms.pack(&mut m.heap, term).map(<[u8]>::to_vec)
        })
    }

    /// What a base knows of a state.
    fn entry(&mut self, kept: &mut OpenBase, state: &[u8]) -> Option<Entry> {
        if kept.failed.is_some() {
            return None;
        }
        let key = self.key(&mut kept.terms, state)?;
        match kept.base.get(Section::Costs, &key) {
            Ok(found) => found.as_deref().and_then(Entry::read),
            Err(error) => {
                kept.failed = Some(error);
                None
            }
        }
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// The plan from a state as a base knows it, or that there is none; `None` if the base
    /// doesn't say.
    fn read_off(
        &mut self,
        engine: Engine,
        kept: &mut OpenBase,
        start: &S,
    ) -> Result<Option<Report<S, C>>, SearchError> {
        let began = std::time::Instant::now();
        let mut stats = Stats::default();
        let (mut path, mut states) = (Vec::new(), vec![start.clone()]);
        let mut cost = None;
        loop {
            let at = states[states.len() - 1].clone();
            let (known, first) = match self.core.entry(kept, at.bytes()) {
                None => return Ok(None),
                Some(Entry::Hopeless) => (None, None),
                Some(Entry::Plan(known, first)) => {
                    let Some(known) = C::of(known) else { return Ok(None) };
                    (Some(known), first)
                }
            };
            if path.is_empty() {
                cost = known;
            }
            let Some(first) = first else { break };
            let mut successors = Successors::default();
            stats.expanded += 1;
            self.successors(&at, &mut successors).map_err(|error| SearchError {
                error: Failure::new(Operation::Successors, error),
                operation: Operation::Successors,
                stats: Box::new(stats),
            })?;
            stats.generated += successors.len() as u64;
            if path.len() >= LONGEST_PLAN || first >= successors.len() {
                return Ok(None);
            }
            path.push(successors.heads[first].mv);
            states.push(successors.rows.swap_remove(first));
        }
        stats.max_depth = path.len() as u32;
        stats.elapsed = began.elapsed();
        let solved = cost.is_some();
        Ok(Some(Report {
            engine,
            outcome: if solved { Outcome::Solved } else { Outcome::Exhausted },
            claim: Claim::Proved,
            cost,
            path,
            states: if solved { states } else { Vec::new() },
            lower_bound: cost,
            factor: solved.then_some(1.0),
            overestimate: None,
            stats,
        }))
    }

    /// Runs an engine that proves its plans the cheapest, from a base as far as it goes; whether
    /// the plan was read off, and how many estimates were. `None` if there is no base for it.
    pub(crate) fn search_with_base(
        &mut self,
        engine: Engine,
        start: &S,
        run: (&zug_search::Options, &Limits, Option<&mut Observer<'_>>),
    ) -> Option<Searched<S, C>>
    where
        S: HotRow<C>,
    {
        if !matches!(engine, Engine::Astar | Engine::Ucs | Engine::Idastar) {
            return None;
        }
        let mut kept = crate::bases::take(self.core.world)?;
        let fits = kept.fits(self.core.machine, self.core.world) && kept.base.meta().costs.all > 0;
        let read = if fits { self.known_plan(engine, &mut kept, start) } else { None };
        // Plans alone are hardly met, and IDA* asks too often for what takes a look into a file.
        let spaces = kept.base.meta().starts.iter().any(|start| start.by.starts_with(SPACE));
        crate::bases::put_back(self.core.world, Some(kept));
        if read.is_some() || !fits || !spaces || engine == Engine::Idastar {
            return read;
        }
        self.derive_by_base(start);
        let (options, limits, observer) = run;
        let mut kept = crate::bases::take(self.core.world)?;
        let mut perimeter = Perimeter { problem: self, kept: &mut kept };
        let team = &mut Team::of(&mut perimeter);
        let report =
            S::search_hot(HotEngine::Astar, team, start, Run { options, limits, observer });
        crate::bases::put_back(self.core.world, Some(kept));
        Some(report.map(|report| (Report { engine, ..report }, false)))
    }

    /// The plan from a start, if a base has it.
    fn known_plan(
        &mut self,
        engine: Engine,
        kept: &mut OpenBase,
        start: &S,
    ) -> Option<Searched<S, C>> {
        match self.read_off(engine, kept, start) {
            Ok(Some(report)) => {
                kept.found += 1;
                Some(Ok((report, true)))
            }
            Ok(None) => {
                kept.missing += 1;
                None
            }
            Err(error) => Some(Err(error)),
        }
    }
}

/// A puzzle whose costs are known in part: the estimate of such a state is its cost.
struct Perimeter<'p, 'a, C, S> {
    problem: &'p mut RuleProblem<'a, C, S>,
    kept: &'p mut OpenBase,
}

impl<C: RuleCost, S: PackedState> Space<S, C> for Perimeter<'_, '_, C, S> {
    fn is_goal(&mut self, row: &S) -> Result<bool, Failure> {
        Space::is_goal(self.problem, row)
    }

    fn expand(
        &mut self,
        batch: Batch<'_, S, C>,
        out: &mut Successors<S, C>,
    ) -> Result<(), Failure> {
        self.problem.expand(Batch { estimates: &[], ..batch }, out)
    }

    fn estimate(&mut self, row: &S, _: Option<(&S, C)>) -> Result<Option<C>, Failure> {
        match self.problem.entry(self.kept, row.bytes()) {
            Some(Entry::Hopeless) => return Ok(None),
            Some(Entry::Plan(cost, _)) => {
                if let Some(cost) = C::of(cost) {
                    return Ok(Some(cost));
                }
            }
            None => {}
        }
        self.problem.estimate(row, None)
    }

    fn least_move_cost(&self) -> C {
        self.problem.least_move_cost()
    }
}
