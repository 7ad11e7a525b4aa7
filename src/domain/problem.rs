//! A rule program as a [`search::Problem`](crate::search::Problem), run by the machine.
//!
//! States are [`Packed`]. Each operation opens a run, puts the state on the heap, calls the
//! contract predicate and packs its answers; when it returns, heap and trail are as before.
//! Cells needed across answers lie on [`Machine::roots`], since a call may collect garbage.
//!
//! Another implementation of `Problem` over the same packed states and the same [`Codec`] can
//! take this one's place for the states it knows.

use super::codec::{Codec, Unpackable};
use super::contract::{Contract, Heuristic};
use super::error::{RuleError, Violation};
use super::number::{NoNumber, Number, RuleCost};
use super::specialise::{Arg, Asked, Counts, Examined, Layout, Reply, Stage, Target, Units};
use super::{Packed, PackedState, PackedStore};
use crate::builtins::{CodeUse, Specialise, World};
use crate::machine::{ClauseId, Fault, Kind, Machine, Outcome, PredId, Run};
use crate::search::{Problem, StateId, StateStore, Successor, SuccessorOf};
use crate::term::{Cell, Heap, Record};
use std::marker::PhantomData;
use std::mem::discriminant;

/// The most moves of one state.
pub(super) const MOST_MOVES: usize = 1 << 22;
/// Answers of a clause looked through to find the one at fault.
const MOST_ANSWERS: usize = 10_000;

/// The contract predicates as the problem calls them.
#[derive(Clone, Debug)]
struct Predicates {
    goal: Option<PredId>,
    rule: PredId,
    heuristic: Option<PredId>,
    /// The name that `heuristic/3` gets.
    heuristic_name: Option<Cell>,
    /// No move costs less: known if every clause of rule/4 has a number for its cost.
    least_cost: Option<Number>,
}

/// The least of the costs in the heads of rule/4, if every clause has one there.
fn least_cost(m: &Machine, rule: PredId) -> Option<Number> {
    if m.program.preds[rule as usize].kind != Kind::Static {
        return None;
    }
    let costs = m.program.live_clauses(rule).into_iter().map(|id| {
        let clause = &m.program.clauses[id as usize];
        let cost = clause.record.cells[clause.head().addr() + 2];
        cost.as_int().filter(|&cost| cost >= 0)
    });
    let costs: Option<Vec<i64>> = costs.collect();
    costs?.into_iter().min().map(Number::Int)
}

/// A rule program under search, costs counted as `C`, states kept as `S`.
pub struct RuleProblem<'a, C, S = Packed> {
    machine: &'a mut Machine,
    world: &'a mut World,
    predicates: Predicates,
    codec: Codec,
    moves: Moves,
    units: Units,
    code: Targets,
    types: PhantomData<(C, S)>,
}

/// The numbers of the predicates that may have code.
#[derive(Clone, Copy)]
struct Targets {
    rule: usize,
    goal: Option<usize>,
    heuristic: Option<usize>,
}

/// By how much a move changes the estimate, if that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change(i32);

impl Change {
    const UNKNOWN: Change = Change(i32::MIN);

    #[inline]
    fn of(change: Option<i64>) -> Change {
        change.and_then(|change| change.try_into().ok()).map_or(Change::UNKNOWN, Change)
    }

    /// An estimate after the change; `None` if that is not known or is negative.
    #[inline]
    fn applied(self, h: i64) -> Option<i64> {
        let after = h.checked_add(i64::from(self.0))?;
        (self != Change::UNKNOWN && after >= 0).then_some(after)
    }
}

/// The names of moves, by number.
#[derive(Default)]
pub(super) struct Moves {
    pub(super) store: PackedStore,
    /// Numbers of atoms and small integers met lately, by the low bits of their number.
    recent: [Option<(Cell, StateId)>; 16],
}

impl Moves {
    /// A move's name, packed.
    pub(super) fn bytes_of(&self, mv: StateId) -> &[u8] {
        self.store.bytes_of(mv)
    }

    /// The number of a move's name.
    #[inline]
    pub(super) fn intern(
        &mut self,
        codec: &mut Codec,
        heap: &mut Heap,
        name: Cell,
    ) -> Result<StateId, Violation> {
        let name = heap.deref(name);
        let at = (name.0 >> 3) as usize % self.recent.len();
        if let Some((cell, number)) = self.recent[at]
            && cell == name
        {
            return Ok(number);
        }
        let (number, _) =
            self.store.intern_bytes(codec.encode_bytes(heap, name).map_err(unpackable)?);
        if name.is_atom() || name.is_int() {
            self.recent[at] = Some((name, number));
        }
        Ok(number)
    }
}

const RULE: &str = "rule/4";
const GOAL: &str = "final_state/1";

impl<'a, C: RuleCost, S: PackedState> RuleProblem<'a, C, S> {
    /// The problem that a program poses, with one of its heuristics. `needs_goal`: a goal will
    /// be tested.
    ///
    /// # Errors
    /// A predicate is missing.
    pub fn new(
        machine: &'a mut Machine,
        world: &'a mut World,
        contract: &Contract,
        heuristic: Option<Heuristic>,
        needs_goal: bool,
    ) -> Result<Self, Box<RuleError>> {
        let missing = |name, pattern| RuleError::new(Violation::Missing(pattern), name);
        let rule = contract.rule.ok_or_else(|| missing(RULE, "rule(Name, Cost, S1, S2)"))?;
        if needs_goal && contract.goal.is_none() {
            return Err(missing(GOAL, "final_state(S)"));
        }
        let (predicate, name) = match heuristic {
            None => (None, None),
            Some(Heuristic::Plain) => (contract.heuristic, None),
            Some(Heuristic::Named(name)) => (contract.named_heuristic, Some(Cell::atom(name))),
        };
        let least_cost = least_cost(machine, rule);
        let mut units =
            Units::new(machine, world.specialise, Layout { before: 1, words: S::WORDS });
        let fixed = name.map(|name| Arg::Fixed(Record::atomic(name)));
        let code = Targets {
            rule: units.add(Target {
                pred: rule,
                indicator: RULE,
                args: vec![Arg::Name, Arg::Cost, Arg::State, Arg::To],
            }),
            goal: contract
                .goal
                .map(|pred| units.add(Target { pred, indicator: GOAL, args: vec![Arg::State] })),
            heuristic: predicate.map(|pred| {
                let args = fixed.into_iter().chain([Arg::State, Arg::Value]);
                let indicator = if name.is_some() { "heuristic/3" } else { "heuristic/2" };
                units.add(Target { pred, indicator, args: args.collect() })
            }),
        };
        if let Some(heuristic) = code.heuristic {
            units.follow(heuristic);
        }
        Ok(RuleProblem {
            machine,
            world,
            predicates: Predicates {
                goal: contract.goal,
                rule,
                heuristic: predicate,
                heuristic_name: name,
                least_cost,
            },
            codec: Codec::new(),
            moves: Moves::default(),
            units,
            code,
            types: PhantomData,
        })
    }

    /// Packs a state.
    ///
    /// # Errors
    /// It is cyclic or too large.
    pub fn pack(&mut self, state: &Record) -> Result<S, Box<RuleError>> {
        let run = self.machine.open();
        let cell = state.instantiate(&mut self.machine.heap);
        let packed = self.codec.encode_bytes(&mut self.machine.heap, cell);
        let packed = packed.map_err(unpackable);
        let packed = packed.and_then(|bytes| S::from_bytes(bytes).ok_or(Violation::Room));
        self.machine.abandon(run);
        packed.map_err(|violation| RuleError::new(violation, "initial_state/1"))
    }

    /// A packed term as a record.
    pub fn unpack(&mut self, packed: &[u8]) -> Record {
        let run = self.machine.open();
        let cell = self.codec.decode(packed, &mut self.machine.heap);
        let record = Record::new(&mut self.machine.heap, cell);
        self.machine.abandon(run);
        record
    }

    /// The term of a move.
    pub fn move_term(&mut self, mv: StateId) -> Record {
        let packed = self.moves.store.state(mv);
        self.unpack(packed.bytes())
    }

    /// The codec of states and moves.
    pub fn codec(&self) -> &Codec {
        &self.codec
    }

    /// What there is of code for the rules.
    pub fn examine(&mut self, stage: Stage) -> Vec<Examined> {
        self.units.examine((self.machine, self.world, &mut self.codec), stage)
    }

    /// What answered the questions so far.
    pub fn code_use(&self) -> Option<CodeUse> {
        self.units.report(self.machine, self.world, Counts::default())
    }

    /// Makes the moves of a plan again by the rules as they are written, one after the other,
    /// and tests the goal: the least cost and the greatest. They differ where a move has
    /// several answers that only their costs tell apart.
    ///
    /// # Errors
    /// A step that rule/4 does not allow, a last state that is no goal, or an error in a rule.
    pub fn replay(
        &mut self,
        path: &[StateId],
        states: &[S],
    ) -> Result<(Number, Number), Box<RuleError>> {
        let broken = |step| RuleError::new(Violation::Replay(step), RULE);
        // A plan found just in time is still to be shown.
        self.machine.deadline = None;
        let (mut least, mut greatest) = (Number::Int(0), Number::Int(0));
        for (step, &mv) in path.iter().enumerate() {
            let (Some(from), Some(to)) = (states.get(step), states.get(step + 1)) else {
                return Err(broken(step));
            };
            let mut costs: Option<(Number, Number)> = None;
            self.each_successor(from, |name, cost, state| {
                if name == mv && state == to.bytes() {
                    let (low, high) = costs.unwrap_or((cost, cost));
                    let low = if cost.as_f64() < low.as_f64() { cost } else { low };
                    let high = if cost.as_f64() > high.as_f64() { cost } else { high };
                    costs = Some((low, high));
                }
                Ok(())
            })?;
            let (low, high) = costs.ok_or_else(|| broken(step))?;
            (least, greatest) = (least.plus(low), greatest.plus(high));
        }
        match states.last() {
            Some(last) if self.goal_by_rules(last)? => Ok((least, greatest)),
            _ => Err(broken(path.len())),
        }
    }

    /// Calls `visit` with the move, the cost and the packed state of each answer of rule/4.
    #[inline]
    fn each_successor(
        &mut self,
        state: &S,
        mut visit: impl FnMut(StateId, Number, &[u8]) -> Result<(), Violation>,
    ) -> Result<(), Box<RuleError>> {
        let m = &mut *self.machine;
        let base = m.roots.len();
        let run = m.open();
        let from = self.codec.decode(state.bytes(), &mut m.heap);
        let [name, cost, to] = std::array::from_fn(|_| m.heap.new_var());
        m.roots.extend([name, cost, to]);
        let mut outcome = m.call(self.world, run, self.predicates.rule, &[name, cost, from, to]);
        let ended = loop {
            match outcome {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(fault) => break Err(Ended::Fault(fault)),
            }
            let m = &mut *self.machine;
            let [name, cost, to] = std::array::from_fn(|i| m.roots[base + i]);
            let read = read_successor(m, &mut self.codec, &mut self.moves, name, cost, to);
            if let Err(violation) = read.and_then(|(mv, cost, state)| visit(mv, cost, state)) {
                let mv = Record::new(&mut m.heap, name);
                m.abandon(run);
                break Err(Ended::Violation(violation, mv));
            }
            if !m.has_more(run) {
                m.abandon(run);
                break Ok(());
            }
            outcome = m.redo(self.world, run);
        };
        self.machine.roots.truncate(base);
        ended.map_err(|ended| self.rule_error(ended, state))
    }

    /// Whether a state is a goal, as the machine says.
    fn goal_by_rules(&mut self, state: &S) -> Result<bool, Box<RuleError>> {
        let Some(goal) = self.predicates.goal else { return Ok(false) };
        let m = &mut *self.machine;
        let run = m.open();
        let cell = self.codec.decode(state.bytes(), &mut m.heap);
        match m.call(self.world, run, goal, &[cell]) {
            Ok(found) => {
                if found {
                    self.machine.abandon(run);
                }
                Ok(found)
            }
            Err(fault) => Err(self.fault(fault, GOAL, state)),
        }
    }

    /// Whether code and machine are to be compared.
    fn cross_checks(&self) -> bool {
        self.world.specialise == Specialise::CrossCheck
    }

    /// What the machine says, unless code said something else.
    fn compare<T: PartialEq>(
        &mut self,
        code: Option<T>,
        machine: T,
        predicate: &'static str,
        state: &S,
    ) -> Result<T, Box<RuleError>> {
        if code.is_some_and(|code| code != machine) {
            let mut error = RuleError::new(Violation::Differs, predicate);
            error.state = Some(self.unpack(state.bytes()));
            return Err(error);
        }
        Ok(machine)
    }

    /// Asks code a question that has one answer.
    fn ask_code(&mut self, target: usize, state: &S) -> Option<Reply> {
        let machine = (&mut *self.machine, &mut *self.world, &mut self.codec);
        match self.units.ask(target, state, machine, |_| false) {
            Asked::Answered(ended) => Some(ended),
            Asked::Machine => None,
        }
    }

    /// Asks code for the successors; if it does not know, nothing is added.
    #[inline]
    fn code_successors(&mut self, state: &S, out: &mut Vec<SuccessorOf<Self>>) -> bool {
        let before = out.len();
        let moves = &mut self.moves;
        let machine = (&mut *self.machine, &mut *self.world, &mut self.codec);
        let asked = self.units.ask(self.code.rule, state, machine, |visit| {
            let name = visit.name(|name| moves.store.intern_bytes(name).0);
            let (Some(cost), Some(mv)) = (visit.cost().and_then(C::of), name) else {
                return false;
            };
            let count = out.len();
            // PERF: what is made goes from there to where it stays.
            if let Some(state) = visit.made() {
                out.push(Successor { mv, cost, state, hint: Change::of(visit.change()) });
                return true;
            }
            let next = visit.next(state, None);
            out.extend(next.map(|state| Successor { mv, cost, state, hint: Change::UNKNOWN }));
            out.len() > count
        });
        let answered = matches!(asked, Asked::Answered(_));
        if !answered {
            out.truncate(before);
        }
        answered
    }

    #[cold]
    fn rule_error(&mut self, ended: Ended, state: &S) -> Box<RuleError> {
        match ended {
            Ended::Fault(fault) => self.fault(fault, RULE, state),
            Ended::Violation(violation @ (Violation::Fraction | Violation::Room), _) => {
                RuleError::new(violation, RULE)
            }
            Ended::Violation(violation, mv) => {
                let wanted = discriminant(&violation);
                let mut scratch = Moves::default();
                let clause = self.blame(self.predicates.rule, state, 2, |m, codec, args| {
                    let &[name, cost, _, to] = args else { return false };
                    let read = read_successor(m, codec, &mut scratch, name, cost, to);
                    read.is_err_and(|found| discriminant(&found) == wanted)
                });
                let state = Some(self.unpack(state.bytes()));
                Box::new(RuleError {
                    violation,
                    predicate: RULE,
                    state,
                    player: None,
                    mv: Some(mv),
                    clause,
                })
            }
        }
    }

    #[cold]
    fn fault(&mut self, fault: Fault, predicate: &'static str, state: &S) -> Box<RuleError> {
        let trace = Box::new(self.machine.trace.clone());
        let state = Some(self.unpack(state.bytes()));
        let violation = Violation::Fault(fault, trace);
        Box::new(RuleError { violation, predicate, state, player: None, mv: None, clause: None })
    }

    /// The first clause of a predicate with an answer that passes the test; argument number
    /// `at` is the state.
    fn blame(
        &mut self,
        pred: PredId,
        state: &S,
        at: usize,
        mut test: impl FnMut(&mut Machine, &mut Codec, &[Cell]) -> bool,
    ) -> Option<ClauseId> {
        let arity = self.machine.program.preds[pred as usize].arity;
        for id in self.machine.program.live_clauses(pred) {
            let m = &mut *self.machine;
            let (base, outer) = (m.roots.len(), m.open());
            let state = self.codec.decode(state.bytes(), &mut m.heap);
            let record = m.program.clauses[id as usize].record.clone();
            let clause = record.instantiate(&mut m.heap);
            let [head, body] = [1, 2].map(|i| m.heap.deref(m.heap.at(clause.addr() + i)));
            let args = m.heap.name_arity(head).map_or(0, |(_, _, args)| args);
            let cells: Vec<Cell> = (0..arity).map(|i| m.heap.at(args + i)).collect();
            m.roots.extend(cells.iter().copied());
            let mut found = false;
            if m.unify(cells[at], state) {
                let (run, mut outcome) = m.solve(self.world, body);
                for _ in 0..MOST_ANSWERS {
                    if !matches!(outcome, Ok(true)) {
                        break;
                    }
                    let m = &mut *self.machine;
                    let now = m.roots[base..base + arity].to_vec();
                    if test(m, &mut self.codec, &now) {
                        found = true;
                        break;
                    }
                    outcome = m.redo(self.world, run);
                }
            }
            self.machine.abandon(outer);
            self.machine.roots.truncate(base);
            if found {
                return Some(id);
            }
        }
        None
    }

    /// Calls the heuristic: its first answer, still on the heap, if the run is open.
    fn call_heuristic(&mut self, pred: PredId, state: &S, run: Run) -> Outcome {
        let m = &mut *self.machine;
        let state = self.codec.decode(state.bytes(), &mut m.heap);
        let estimate = m.heap.new_var();
        m.roots.push(estimate);
        match self.predicates.heuristic_name {
            None => m.call(self.world, run, pred, &[state, estimate]),
            Some(name) => m.call(self.world, run, pred, &[name, state, estimate]),
        }
    }

    #[cold]
    fn estimate_error(&mut self, violation: Violation, pred: PredId, state: &S) -> Box<RuleError> {
        let wanted = discriminant(&violation);
        let arity = self.machine.program.preds[pred as usize].arity;
        let clause = match violation {
            Violation::NoEstimate | Violation::Fraction => None,
            _ => self.blame(pred, state, arity - 2, |m, _, args| {
                let read = read_estimate::<C>(m, args[arity - 1]);
                read.is_err_and(|found| discriminant(&found) == wanted)
            }),
        };
        let state = Some(self.unpack(state.bytes()));
        let predicate = heuristic_indicator(arity);
        Box::new(RuleError { violation, predicate, state, player: None, mv: None, clause })
    }
}

fn heuristic_indicator(arity: usize) -> &'static str {
    if arity == 2 { "heuristic/2" } else { "heuristic/3" }
}

/// How the answers of rule/4 ended early.
enum Ended {
    Fault(Fault),
    Violation(Violation, Record),
}

pub(super) fn unpackable(problem: Unpackable) -> Violation {
    match problem {
        Unpackable::Cyclic => Violation::Cyclic,
        Unpackable::TooLarge => Violation::TooLarge,
    }
}

/// Reads one answer of rule/4.
#[inline]
fn read_successor<'c>(
    m: &mut Machine,
    codec: &'c mut Codec,
    moves: &mut Moves,
    name: Cell,
    cost: Cell,
    to: Cell,
) -> Result<(StateId, Number, &'c [u8]), Violation> {
    let cost = read_number(m, cost)?;
    if cost.is_infinite() {
        return Err(Violation::Infinite);
    }
    if m.heap.deref(to).is_ref() {
        return Err(Violation::NoSuccessor);
    }
    let mv = moves.intern(codec, &mut m.heap, name)?;
    let state = codec.encode_bytes(&mut m.heap, to).map_err(unpackable)?;
    Ok((mv, cost, state))
}

/// Reads a number that is not negative.
#[inline]
fn read_number(m: &mut Machine, cell: Cell) -> Result<Number, Violation> {
    match Number::read(m, cell) {
        Ok(number) if number.is_negative() => Err(Violation::Negative(number)),
        Ok(number) => Ok(number),
        Err(NoNumber::Unbound) => Err(Violation::Unbound),
        Err(NoNumber::Other) => Err(Violation::NotNumber(Record::new(&mut m.heap, cell))),
    }
}

/// Reads an estimate; `None` if it is infinite.
#[inline]
fn read_estimate<C: RuleCost>(m: &mut Machine, cell: Cell) -> Result<Option<C>, Violation> {
    let number = read_number(m, cell)?;
    if number.is_infinite() {
        return Ok(None);
    }
    C::of(number).map(Some).ok_or(Violation::Fraction)
}

impl<C: RuleCost, S: PackedState> Problem for RuleProblem<'_, C, S> {
    type State = S;
    type Move = StateId;
    type Cost = C;
    type Hint = Change;
    type Store = S::Store;
    type Error = Box<RuleError>;

    fn new_store(&self) -> S::Store {
        S::Store::default()
    }

    fn least_move_cost(&self) -> C {
        self.predicates.least_cost.and_then(C::of).unwrap_or(C::ZERO)
    }

    fn is_goal(&mut self, state: &S) -> Result<bool, Box<RuleError>> {
        let code = match self.code.goal.and_then(|goal| self.ask_code(goal, state)) {
            Some(Reply::True) => Some(true),
            Some(Reply::Done) => Some(false),
            _ => None,
        };
        match code {
            Some(found) if !self.cross_checks() => Ok(found),
            _ => {
                let found = self.goal_by_rules(state)?;
                self.compare(code, found, GOAL, state)
            }
        }
    }

    fn successors(
        &mut self,
        state: &S,
        out: &mut Vec<SuccessorOf<Self>>,
    ) -> Result<(), Box<RuleError>> {
        let before = out.len();
        let mut code = None;
        if self.code_successors(state, out) {
            if !self.cross_checks() {
                return Ok(());
            }
            code = Some(out.split_off(before));
        }
        let most = out.len() + MOST_MOVES;
        self.each_successor(state, |mv, cost, state| {
            if out.len() >= most {
                return Err(Violation::TooManyMoves(MOST_MOVES));
            }
            let cost = C::of(cost).ok_or(Violation::Fraction)?;
            let state = S::from_bytes(state).ok_or(Violation::Room)?;
            out.push(Successor { mv, cost, state, hint: Change::UNKNOWN });
            Ok(())
        })?;
        let same = code.as_ref().is_none_or(|code| {
            let key = |s: &SuccessorOf<Self>| (s.mv, s.cost, s.state.clone());
            code.iter().map(key).eq(out[before..].iter().map(key))
        });
        self.compare(code.as_ref().map(|_| same), true, RULE, state)?;
        if let Some(code) = code {
            // What was noticed of them is to be checked too.
            out.truncate(before);
            out.extend(code);
        }
        Ok(())
    }

    fn heuristic_after(
        &mut self,
        before: &S,
        h: C,
        state: &S,
        change: &Change,
    ) -> Result<Option<C>, Box<RuleError>> {
        if let Some(target) = self.code.heuristic
            && let Number::Int(h) = h.number()
        {
            let told = match change.applied(h) {
                Some(h) => {
                    self.units.count_told();
                    Some(h)
                }
                None => {
                    let (machine, codec) = (&*self.machine, &self.codec);
                    self.units.value_after(target, (before, h), state, machine, codec)
                }
            };
            if let Some(h) = told.filter(|&h| h >= 0).and_then(|h| C::of(Number::Int(h))) {
                if !self.cross_checks() {
                    return Ok(Some(h));
                }
                let found = self.heuristic(state)?;
                return self.compare(Some(Some(h)), found, "heuristic/2", state);
            }
        }
        self.heuristic(state)
    }

    fn heuristic(&mut self, state: &S) -> Result<Option<C>, Box<RuleError>> {
        let Some(pred) = self.predicates.heuristic else { return Ok(Some(C::ZERO)) };
        let number = match self.code.heuristic.and_then(|target| self.ask_code(target, state)) {
            Some(Reply::Int(value)) => Some(Number::Int(value)),
            Some(Reply::Float(value)) => Some(Number::Float(value)),
            _ => None,
        };
        let code = number.filter(|number| !number.is_negative()).and_then(C::of).map(Some);
        if let Some(estimate) = code
            && !self.cross_checks()
        {
            return Ok(estimate);
        }
        let base = self.machine.roots.len();
        let run = self.machine.open();
        let outcome = self.call_heuristic(pred, state, run);
        let m = &mut *self.machine;
        let read = match outcome {
            Ok(true) => {
                let read = read_estimate(m, m.roots[base]);
                m.abandon(run);
                read
            }
            Ok(false) => Err(Violation::NoEstimate),
            Err(fault) => {
                m.roots.truncate(base);
                let arity = m.program.preds[pred as usize].arity;
                return Err(self.fault(fault, heuristic_indicator(arity), state));
            }
        };
        m.roots.truncate(base);
        let estimate = read.map_err(|violation| self.estimate_error(violation, pred, state))?;
        let indicator = heuristic_indicator(self.machine.program.preds[pred as usize].arity);
        self.compare(code, estimate, indicator, state)
    }
}
