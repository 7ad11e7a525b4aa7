//! Queries about a puzzle's states that the machine answers.

use super::core::{PuzzleCore, indicator_of};
use super::{GOAL, MOST_MOVES, Moves, RULE, RuleProblem};
use crate::ask::{self, Arg};
use crate::error::{RuleError, Violation};
use std::mem::discriminant;
use zug_machine::{Fault, Machine, PredId, StopReason};
use zug_search::{Head, StateId, Successors};
use zug_state::{Codec, NoNumber, Number, PackedState, RuleCost};
use zug_term::{Cell, Record};

/// The arguments of rule/4.
#[inline]
fn rule_args(state: &[u8]) -> [Arg<'_>; 4] {
    [Arg::Out, Arg::Out, Arg::Packed(state), Arg::Out]
}

/// Gets the move, the cost and the packed state of each answer of rule/4.
pub(super) type VisitSuccessor<'v> =
    dyn FnMut(StateId, Number, &[u8]) -> Result<(), Violation> + 'v;

impl PuzzleCore<'_> {
    /// Counts a query to the machine.
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

    /// Calls `visit` for each answer of rule/4.
    pub(super) fn each_successor(
        &mut self,
        state: &[u8],
        visit: &mut VisitSuccessor<'_>,
    ) -> Result<(), Box<RuleError>> {
        self.may_ask(RULE)?;
        let moves = &mut self.kit.moves;
        let mut wrong = None;
        let asker = (&mut *self.machine, &mut *self.world, &mut self.kit.codec);
        let asked = ask::each(asker, self.predicates.rule, &rule_args(state), |m, codec, row| {
            let read = read_successor(m, codec, moves, row);
            let visited = read.and_then(|(mv, cost, state)| visit(mv, cost, state));
            if visited.is_err() {
                wrong = Some(Record::new(&mut m.heap, row[0]));
            }
            visited.map(|()| true)
        });
        asked.map_err(|violation| self.rule_error(violation, wrong, state))
    }

    /// Whether a state is a goal, as the machine says.
    pub(super) fn goal_by_rules(&mut self, state: &[u8]) -> Result<bool, Box<RuleError>> {
        let Some(goal) = self.predicates.goal else { return Ok(false) };
        self.may_ask(GOAL)?;
        let found = ask::first(self.asker(), goal, &[Arg::Packed(state)], |_, _, []| Ok(()));
        let found = found.map(|found| found.is_some());
        found.map_err(|violation| self.about(violation, GOAL, state))
    }

    /// The heuristic, as name and arity.
    pub(super) fn heuristic_indicator(&self) -> &'static str {
        indicator_of(self.predicates.heuristic_name.is_some())
    }

    /// The estimate that the machine says, as a number; `None` if it is infinite.
    fn estimate_as_number(
        &mut self,
        pred: PredId,
        state: &[u8],
    ) -> Result<Option<Number>, Box<RuleError>> {
        self.may_ask(self.heuristic_indicator())?;
        let name = self.predicates.heuristic_name;
        let args = [Arg::Atomic(name.unwrap_or(Cell::NIL)), Arg::Packed(state), Arg::Out];
        let args = &args[usize::from(name.is_none())..];
        let read = ask::first(self.asker(), pred, args, |m, _, [cell]| read_number(m, cell));
        let number = read
            .and_then(|estimate| estimate.ok_or(Violation::NoEstimate))
            .map_err(|violation| self.estimate_error(violation, pred, args, state))?;
        Ok(Some(number).filter(|number| !number.is_infinite()))
    }

    #[cold]
    fn rule_error(
        &mut self,
        violation: Violation,
        mv: Option<Record>,
        state: &[u8],
    ) -> Box<RuleError> {
        match violation {
            Violation::Fault(..) => self.about(violation, RULE, state),
            Violation::Fraction | Violation::Beyond | Violation::Room => {
                RuleError::new(violation, RULE)
            }
            violation => {
                let wanted = discriminant(&violation);
                let (rule, mut scratch) = (self.predicates.rule, Moves::default());
                let args = rule_args(state);
                let clause = ask::clause_with(self.asker(), rule, &args, |m, codec, row| {
                    let read = read_successor(m, codec, &mut scratch, row);
                    read.is_err_and(|found| discriminant(&found) == wanted)
                });
                let mut error = self.about(violation, RULE, state);
                (error.mv, error.clause) = (mv, clause);
                error
            }
        }
    }

    #[cold]
    fn estimate_error(
        &mut self,
        violation: Violation,
        pred: PredId,
        args: &[Arg<'_>],
        state: &[u8],
    ) -> Box<RuleError> {
        let wanted = discriminant(&violation);
        let clause = match violation {
            Violation::Fault(..) | Violation::NoEstimate => None,
            _ => ask::clause_with(self.asker(), pred, args, |m, _, [cell]| {
                read_number(m, cell).is_err_and(|found| discriminant(&found) == wanted)
            }),
        };
        let mut error = self.about(violation, self.heuristic_indicator(), state);
        error.clause = clause;
        error
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Appends the successors, as the machine says.
    #[inline(never)]
    pub(super) fn successors_by_rules(
        &mut self,
        from: u32,
        state: &S,
        out: &mut Successors<S, C>,
    ) -> Result<(), Box<RuleError>> {
        let (most, ignores) = (out.len() + MOST_MOVES, self.core.ignores_costs);
        self.core.each_successor(state.bytes(), &mut |mv, cost, state| {
            if out.len() >= most {
                return Err(Violation::TooManyMoves(MOST_MOVES));
            }
            let cost = match C::count(cost) {
                Err(_) if ignores => C::ZERO,
                cost => cost?,
            };
            let row = S::from_bytes(state).ok_or(Violation::Room)?;
            out.push(Head { from, mv, cost, estimate: None }, row);
            Ok(())
        })
    }

    /// Checks that the successors from a place on are those that the machine says, if they are `known`; appends those
    /// otherwise.
    #[cold]
    pub(super) fn check_successors(
        &mut self,
        from: u32,
        state: &S,
        known: bool,
        first: usize,
        out: &mut Successors<S, C>,
    ) -> Result<(), Box<RuleError>> {
        if !known {
            return self.successors_by_rules(from, state, out);
        }
        let mut rules = Successors::default();
        self.successors_by_rules(from, state, &mut rules)?;
        let key = |(head, row): (&Head<C>, &S)| (head.mv, head.cost, row.clone());
        let same = out.iter().skip(first).map(key).eq(rules.iter().map(key));
        self.core.must_agree(same, RULE, state.bytes())?;
        // Their estimates are compared where a search uses them.
        self.told.clear();
        for (head, row) in out.heads.iter_mut().zip(&out.rows).skip(first) {
            self.told.extend(head.estimate.take().map(|told| (row.clone(), told)));
        }
        Ok(())
    }

    /// The estimate that the machine says; `None` if it is infinite.
    pub(super) fn estimate_by_rules(
        &mut self,
        pred: PredId,
        state: &S,
    ) -> Result<Option<C>, Box<RuleError>> {
        let number = self.core.estimate_as_number(pred, state.bytes())?;
        number.map(C::count).transpose().map_err(|why| {
            let indicator = self.heuristic_indicator();
            self.about(why.into(), indicator, state.bytes())
        })
    }
}

/// Reads one answer of rule/4: move, cost and state.
#[inline]
fn read_successor<'c>(
    m: &mut Machine,
    codec: &'c mut Codec,
    moves: &mut Moves,
    [name, cost, to]: [Cell; 3],
) -> Result<(StateId, Number, &'c [u8]), Violation> {
    let cost = read_number(m, cost)?;
    if cost.is_infinite() {
        return Err(Violation::Infinite);
    }
    if m.heap.deref(to).is_var() {
        return Err(Violation::NoSuccessor);
    }
    let mv = moves.intern(codec, &mut m.heap, name)?;
    let state = codec.encode_bytes(&mut m.heap, to)?;
    Ok((mv, cost, state))
}

/// Reads a number that is not negative.
#[inline]
fn read_number(m: &mut Machine, cell: Cell) -> Result<Number, Violation> {
    match Number::read_cost(m, cell) {
        Ok(number) if number.is_negative() => Err(Violation::Negative(number)),
        Ok(number) => Ok(number),
        Err(NoNumber::Unbound) => Err(Violation::Unbound),
        Err(NoNumber::Other) => Err(Violation::NotNumber(Record::new(&mut m.heap, cell))),
        Err(NoNumber::Huge) => Err(Violation::HugeCost),
    }
}
