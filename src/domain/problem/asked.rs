//! What the machine says of a puzzle's states.
//!
//! Each operation opens a run, puts the state on the heap, calls the contract predicate and
//! packs its answers; when it returns, heap and trail are as before.
//! Cells needed across answers lie on [`Machine::roots`], since a call may collect garbage.

use super::{Change, GOAL, MOST_MOVES, Moves, RULE, RuleProblem, indicator_of};
use crate::error::{RuleError, Violation};
use std::mem::discriminant;
use zug_machine::{ClauseId, Fault, Machine, Outcome, PredId, Run, StopReason};
use zug_search::{StateId, Successor, SuccessorOf};
use zug_state::PackedState;
use zug_state::{Codec, Unpackable};
use zug_state::{NoNumber, Number, RuleCost};
use zug_term::{Cell, Record};

/// Answers of a clause looked through to find the one at fault.
const MOST_ANSWERS: usize = 10_000;

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Counts a question to the machine.
    #[inline]
    fn may_ask(&mut self, predicate: &'static str) -> Result<(), Box<RuleError>> {
        match &mut self.allowed {
            None => Ok(()),
            Some(0) => {
                let over = Fault::Stopped(StopReason::Inferences);
                let violation = Violation::Fault(over, Box::default());
                Err(RuleError::new(violation, predicate))
            }
            Some(left) => {
                *left -= 1;
                Ok(())
            }
        }
    }

    /// Calls `visit` with the move, the cost and the packed state of each answer of rule/4.
    #[inline]
    pub(super) fn each_successor(
        &mut self,
        state: &S,
        mut visit: impl FnMut(StateId, Number, &[u8]) -> Result<(), Violation>,
    ) -> Result<(), Box<RuleError>> {
        self.may_ask(RULE)?;
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

    /// Appends the successors, as the machine says; `code` is what code says, if it does.
    #[inline(never)]
    pub(super) fn successors_by_rules(
        &mut self,
        state: &S,
        out: &mut Vec<SuccessorOf<Self>>,
        code: Option<Vec<SuccessorOf<Self>>>,
    ) -> Result<(), Box<RuleError>> {
        let before = out.len();
        let most = before + MOST_MOVES;
        self.each_successor(state, |mv, cost, state| {
            if out.len() >= most {
                return Err(Violation::TooManyMoves(MOST_MOVES));
            }
            let cost = C::count(cost)?;
            let state = S::from_bytes(state).ok_or(Violation::Room)?;
            out.push(Successor { mv, cost, state, hint: Change::UNKNOWN });
            Ok(())
        })?;
        let Some(code) = code else { return Ok(()) };
        let key = |s: &SuccessorOf<Self>| (s.mv, s.cost, s.state.clone());
        let same = code.iter().map(key).eq(out[before..].iter().map(key));
        self.compare(Some(same), true, RULE, state)?;
        // What was noticed of them is to be checked too.
        out.truncate(before);
        out.extend(code);
        Ok(())
    }

    /// Whether a state is a goal, as the machine says.
    pub(super) fn goal_by_rules(&mut self, state: &S) -> Result<bool, Box<RuleError>> {
        let Some(goal) = self.predicates.goal else { return Ok(false) };
        self.may_ask(GOAL)?;
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

    /// The heuristic, as name and arity.
    pub(super) fn heuristic_indicator(&self) -> &'static str {
        indicator_of(self.predicates.heuristic_name.is_some())
    }

    /// The estimate that the machine says.
    #[inline(never)]
    pub(super) fn estimate_by_rules(
        &mut self,
        pred: PredId,
        state: &S,
    ) -> Result<Option<C>, Box<RuleError>> {
        self.may_ask(self.heuristic_indicator())?;
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
                return Err(self.fault(fault, self.heuristic_indicator(), state));
            }
        };
        m.roots.truncate(base);
        read.map_err(|violation| self.estimate_error(violation, pred, state))
    }

    /// Calls the heuristic: its first answer, still on the heap, if the run is open.
    pub(super) fn call_heuristic(&mut self, pred: PredId, state: &S, run: Run) -> Outcome {
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
    pub(super) fn rule_error(&mut self, ended: Ended, state: &S) -> Box<RuleError> {
        match ended {
            Ended::Fault(fault) => self.fault(fault, RULE, state),
            Ended::Violation(
                violation @ (Violation::Fraction | Violation::Beyond | Violation::Room),
                _,
            ) => RuleError::new(violation, RULE),
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
    pub(super) fn estimate_error(
        &mut self,
        violation: Violation,
        pred: PredId,
        state: &S,
    ) -> Box<RuleError> {
        let wanted = discriminant(&violation);
        let arity = self.machine.program.preds[pred as usize].arity;
        let clause = match violation {
            Violation::NoEstimate | Violation::Fraction | Violation::Beyond => None,
            _ => self.blame(pred, state, arity - 2, |m, _, args| {
                let read = read_estimate::<C>(m, args[arity - 1]);
                read.is_err_and(|found| discriminant(&found) == wanted)
            }),
        };
        let state = Some(self.unpack(state.bytes()));
        let predicate = self.heuristic_indicator();
        Box::new(RuleError { violation, predicate, state, player: None, mv: None, clause })
    }

    #[cold]
    pub(super) fn fault(
        &mut self,
        fault: Fault,
        predicate: &'static str,
        state: &S,
    ) -> Box<RuleError> {
        let trace = Box::new(self.machine.trace.clone());
        let state = Some(self.unpack(state.bytes()));
        let violation = Violation::Fault(fault, trace);
        Box::new(RuleError { violation, predicate, state, player: None, mv: None, clause: None })
    }

    /// The first clause of a predicate with an answer that passes the test; argument number
    /// `at` is the state.
    pub(super) fn blame(
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
}

/// How the answers of rule/4 ended early.
pub(super) enum Ended {
    Fault(Fault),
    Violation(Violation, Record),
}

pub(crate) fn unpackable(problem: Unpackable) -> Violation {
    match problem {
        Unpackable::Cyclic => Violation::Cyclic,
        Unpackable::TooLarge => Violation::TooLarge,
    }
}

/// Reads one answer of rule/4.
#[inline]
pub(super) fn read_successor<'c>(
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
pub(super) fn read_number(m: &mut Machine, cell: Cell) -> Result<Number, Violation> {
    match Number::read_cost(m, cell) {
        Ok(number) if number.is_negative() => Err(Violation::Negative(number)),
        Ok(number) => Ok(number),
        Err(NoNumber::Unbound) => Err(Violation::Unbound),
        Err(NoNumber::Other) => Err(Violation::NotNumber(Record::new(&mut m.heap, cell))),
        Err(NoNumber::Huge) => Err(Violation::HugeCost),
    }
}

/// Reads an estimate; `None` if it is infinite.
#[inline]
pub(super) fn read_estimate<C: RuleCost>(
    m: &mut Machine,
    cell: Cell,
) -> Result<Option<C>, Violation> {
    let number = read_number(m, cell)?;
    if number.is_infinite() {
        return Ok(None);
    }
    Ok(Some(C::count(number)?))
}
