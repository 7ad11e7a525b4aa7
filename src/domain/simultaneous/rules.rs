//! The rules of a simultaneous game, asked one question at a time.
//!
//! Players, actions and states are terms here; what is solved numbers them. After a question
//! the machine's heap and trail are as before.

use super::{Breach, Parts, exact};
use crate::Codec;
use crate::ask::{self, Arg, Asker};
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use std::mem::discriminant;
use zug_machine::{Machine, PredId};
use zug_matrix::Rational;
use zug_prolog::builtins::World;
use zug_term::{Cell, Record, is_ground, is_variant};

/// The most actions of a player in a state, and answers looked at.
const MOST_ACTIONS: usize = 1 << 12;

/// What a question returns.
pub(super) type Answered<T> = Result<T, Box<RuleError>>;

/// A question to the rules.
#[derive(Clone, Copy)]
pub(super) struct Question<'r> {
    pub pred: PredId,
    /// Name and arity.
    pub indicator: &'static str,
    pub args: &'r [Arg<'r>],
    /// Answers that are wanted at most.
    pub most: usize,
}

/// A program that is a simultaneous game.
pub(super) struct Rules<'a> {
    pub machine: &'a mut Machine,
    pub world: &'a mut World,
    pub codec: Codec,
    pub parts: Parts,
}

impl<'a> Rules<'a> {
    /// The rules of the program.
    ///
    /// # Errors
    /// It is no simultaneous game.
    pub fn of(machine: &'a mut Machine, world: &'a mut World) -> Answered<Rules<'a>> {
        match Parts::of(machine) {
            Some(parts) => Ok(Rules { machine, world, codec: Codec::new(), parts }),
            None => Err(missing(indicator::PLAYERS, "players(Js)")),
        }
    }

    /// PlayerSpec asks.
    pub fn asker(&mut self) -> Asker<'_> {
        (self.machine, self.world, &mut self.codec)
    }

    /// The answers to a question, each as `read` has it.
    ///
    /// # Errors
    /// An exception in the rules, or what `read` finds wrong, with the clause at fault.
    pub fn ask<T, const N: usize>(
        &mut self,
        Question { pred, indicator, args, most }: Question<'_>,
        mut read: impl FnMut(&mut Machine, [Cell; N]) -> Result<T, Violation>,
    ) -> Answered<Vec<T>> {
        let mut found = Vec::new();
        let asked = ask::each(self.asker(), pred, args, |m, _, row| {
            found.push(read(m, row)?);
            Ok(found.len() < most)
        });
        let Err(violation) = asked else { return Ok(found) };
        let mut error = RuleError::new(violation, indicator);
        if !matches!(error.violation, Violation::Fault(..)) {
            let wanted = discriminant(&error.violation);
            error.clause = ask::clause_with(self.asker(), pred, args, |m, _, row| {
                read(m, row).is_err_and(|found| discriminant(&found) == wanted)
            });
        }
        Err(error)
    }

    /// The players.
    pub fn players(&mut self) -> Answered<Vec<Record>> {
        const INDICATOR: &str = indicator::PLAYERS;
        let pred = needed(self.parts.players, INDICATOR, "players(Js)")?;
        let question = Question { pred, indicator: INDICATOR, args: &[Arg::Out], most: 1 };
        let mut found = self.ask(question, |m, [answer]| {
            let players = ground_list(m, answer)?;
            let twice = players
                .iter()
                .enumerate()
                .find(|(at, p)| players[..*at].iter().any(|q| same(q, p)));
            match twice {
                Some((_, player)) => Err(Violation::Together(Breach::Twice(player.clone()))),
                None => Ok(players),
            }
        })?;
        match found.pop() {
            Some(players) if !players.is_empty() => Ok(players),
            _ => Err(RuleError::new(Violation::Together(Breach::NoPlayers), INDICATOR)),
        }
    }

    /// The actions of a player, each once, in the order of the rules' answers; without a state
    /// those of a game that is played once.
    pub fn actions(&mut self, player: &Record, state: Option<&Record>) -> Answered<Vec<Record>> {
        const INDICATOR: &str = indicator::ACTION;
        let pred = needed(self.parts.action, INDICATOR, "action(J, S, A)")?;
        let args = [Arg::Term(player), state.map_or(Arg::Any, Arg::Term), Arg::Out];
        let question = Question { pred, indicator: INDICATOR, args: &args, most: MOST_ACTIONS };
        let found = self.ask(question, |m, [answer]| ground(m, answer));
        let about = |mut error: Box<RuleError>| {
            error.state = state.cloned();
            error.player = Some(player.clone());
            error
        };
        let found = found.map_err(about)?;
        if found.len() >= MOST_ACTIONS {
            let violation = Violation::TooManyMoves(MOST_ACTIONS - 1);
            return Err(about(RuleError::new(violation, INDICATOR)));
        }
        let mut actions: Vec<Record> = Vec::with_capacity(found.len());
        for action in found {
            if !actions.iter().any(|known| same(known, &action)) {
                actions.push(action);
            }
        }
        if actions.is_empty() {
            let violation = Violation::Together(Breach::NoAction);
            return Err(about(RuleError::new(violation, INDICATOR)));
        }
        Ok(actions)
    }

    /// What actions, one of each player, pay to the players.
    pub fn payoffs(&mut self, actions: &[&Record]) -> Answered<Vec<Rational>> {
        const INDICATOR: &str = indicator::PAYOFF;
        let pred = needed(self.parts.payoff, INDICATOR, "payoff(As, Us)")?;
        let args = [Arg::List(actions), Arg::Out];
        let question = Question { pred, indicator: INDICATOR, args: &args, most: 1 };
        let mut found = self.ask(question, |m, [answer]| {
            let Some(items) = m.heap.proper_list(answer) else {
                return Err(no_list(m, answer));
            };
            if items.len() != actions.len() {
                let breach = Breach::Length(items.len(), actions.len());
                return Err(Violation::Together(breach));
            }
            items.into_iter().map(|item| exact::read(m, item)).collect()
        })?;
        found.pop().ok_or_else(|| self.no_answer(INDICATOR, actions))
    }

    /// Whether the game is over in a state.
    pub fn is_over(&mut self, player: &Record, state: &Record) -> Answered<bool> {
        let Some(role) = self.parts.terminal else {
            return Err(missing(indicator::TERMINAL_1, "terminal(S)"));
        };
        let args = [Arg::Term(player), Arg::Term(state)];
        let args = if role.with_player { &args[..] } else { &args[1..] };
        let question = Question { pred: role.pred, indicator: role.indicator, args, most: 1 };
        let found = self.ask(question, |_, []| Ok(()));
        Ok(!found.map_err(|error| in_state(error, state))?.is_empty())
    }

    /// The value of an end to a player.
    pub fn utility(&mut self, player: &Record, state: &Record) -> Answered<Rational> {
        const INDICATOR: &str = indicator::UTILITY_3;
        let pred = needed(self.parts.utility, INDICATOR, "utility(J, S, U)")?;
        let args = [Arg::Term(player), Arg::Term(state), Arg::Out];
        let question = Question { pred, indicator: INDICATOR, args: &args, most: 1 };
        let found = self.ask(question, |m, [answer]| exact::read(m, answer));
        let found = found.and_then(|mut found| {
            found.pop().ok_or_else(|| RuleError::new(Violation::NoWorth, INDICATOR))
        });
        found.map_err(|error| {
            let mut error = in_state(error, state);
            error.player = Some(player.clone());
            error
        })
    }

    /// Where actions, one of each player, lead.
    pub fn joint_move(&mut self, actions: &[&Record], state: &Record) -> Answered<Record> {
        const INDICATOR: &str = indicator::JOINT_MOVE;
        let pred = needed(self.parts.joint_move, INDICATOR, "joint_move(As, S1, S2)")?;
        let args = [Arg::List(actions), Arg::Term(state), Arg::Out];
        // PERF: most rules leave a choice point behind that has nothing more to say.
        let question = Question { pred, indicator: INDICATOR, args: &args, most: MOST_ACTIONS };
        let mut first: Option<Record> = None;
        let several = Violation::Together(Breach::Several(self.listed(actions)));
        let found = self.ask(question, |m, [answer]| {
            if m.heap.deref(answer).is_var() {
                return Err(Violation::NoSuccessor);
            }
            let to = Record::new(&mut m.heap, answer);
            match &first {
                Some(first) if !same(first, &to) => Err(several.clone()),
                Some(_) => Ok(()),
                None => {
                    first = Some(to);
                    Ok(())
                }
            }
        });
        found.map_err(|error| in_state(error, state))?;
        first.ok_or_else(|| in_state(self.no_answer(INDICATOR, actions), state))
    }

    fn listed(&mut self, actions: &[&Record]) -> Record {
        self.machine.scratch(|m| {
            let cell = ask::list(&mut m.heap, actions);
            Record::new(&mut m.heap, cell)
        })
    }

    fn no_answer(&mut self, indicator: &'static str, actions: &[&Record]) -> Box<RuleError> {
        let breach = Breach::NoAnswer(self.listed(actions));
        RuleError::new(Violation::Together(breach), indicator)
    }
}

/// A predicate that must be there.
fn needed(
    pred: Option<PredId>,
    indicator: &'static str,
    pattern: &'static str,
) -> Answered<PredId> {
    pred.ok_or_else(|| missing(indicator, pattern))
}

fn missing(indicator: &'static str, pattern: &'static str) -> Box<RuleError> {
    RuleError::new(Violation::Missing(pattern), indicator)
}

fn in_state(mut error: Box<RuleError>, state: &Record) -> Box<RuleError> {
    error.state = Some(state.clone());
    error
}

/// Whether two terms are variants of each other.
pub(crate) fn same(a: &Record, b: &Record) -> bool {
    if a == b {
        return true;
    }
    let (mut heap, one) = a.to_heap();
    let other = b.instantiate(&mut heap);
    is_variant(&heap, one, other)
}

fn ground(m: &mut Machine, cell: Cell) -> Result<Record, Violation> {
    let record = Record::new(&mut m.heap, cell);
    if is_ground(&m.heap, cell) {
        return Ok(record);
    }
    Err(Violation::Together(Breach::Unbound(record)))
}

fn ground_list(m: &mut Machine, cell: Cell) -> Result<Vec<Record>, Violation> {
    let Some(items) = m.heap.proper_list(cell) else { return Err(no_list(m, cell)) };
    items.into_iter().map(|item| ground(m, item)).collect()
}

fn no_list(m: &mut Machine, cell: Cell) -> Violation {
    Violation::Together(Breach::NotList(Record::new(&mut m.heap, cell)))
}
