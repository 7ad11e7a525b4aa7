//! A puzzle with what is known of it, owned by its user: [`OwnPuzzle`].

use super::RuleProblem;
use super::core::{Kit, PuzzleCore};
use crate::ask;
use crate::contract::{Contract, indicator};
use crate::error::RuleError;
use crate::game::Outlook;
use crate::run::nested;
use crate::{Packed, PackedState};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::{Limits, StateId, Successors};
use zug_state::{AnyCost, RuleCost};
use zug_term::Record;

/// The puzzle of a program, apart from what the session keeps: the states that it packs stay what
/// they are from one call to the next. It has no heuristic.
pub struct OwnPuzzle {
    contract: Contract,
    kept: Option<Kit>,
}

impl OwnPuzzle {
    /// The puzzle of a program.
    pub fn new(contract: Contract) -> OwnPuzzle {
        OwnPuzzle { contract, kept: None }
    }

    /// Opens the puzzle.
    ///
    /// # Errors
    /// A predicate is missing; or what `run` says.
    pub fn with<T>(
        &mut self,
        m: &mut Machine,
        w: &mut World,
        limits: &Limits,
        run: impl FnOnce(&mut RuleProblem<'_, AnyCost>) -> Result<T, Box<RuleError>>,
    ) -> Result<T, Box<RuleError>> {
        let OwnPuzzle { contract, kept } = self;
        nested(m, w, limits, |m, w, _| {
            let mut problem = RuleProblem::new(m, w, contract, None, true)?;
            if let Some(kit) = kept.take() {
                problem.core.kit = kit;
            }
            let found = run(&mut problem);
            *kept = Some(problem.core.kit);
            found
        })
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// What there is to choose in a state.
    ///
    /// # Errors
    /// An error in a rule or an answer that breaks the contract.
    pub fn outlook(&mut self, at: &S, out: &mut Outlook<S>) -> Result<(), Box<RuleError>> {
        out.clear();
        out.is_goal = self.is_goal(at)?;
        if out.is_goal {
            out.is_over = true;
            return Ok(());
        }
        let mut moves = Successors::default();
        self.successors(at, &mut moves)?;
        for (head, state) in moves.drain() {
            out.names.push(head.mv);
            out.to.push(state);
            out.costs.push(head.cost.number().as_f64());
        }
        out.is_over = out.names.is_empty();
        Ok(())
    }
}

impl PuzzleCore<'_> {
    /// The number of a move's name.
    ///
    /// # Errors
    /// It is cyclic or too large.
    pub fn move_number(&mut self, name: &Record) -> Result<StateId, Box<RuleError>> {
        let packed = ask::pack_plain(self.machine, &mut self.kit.codec, name);
        let packed = packed.map_err(|violation| RuleError::new(violation, indicator::ACTIONS))?;
        Ok(self.kit.moves.store.intern_bytes(packed).0)
    }

    /// The term of a state.
    pub fn term_of(&mut self, state: &Packed) -> Record {
        self.unpack(state.bytes())
    }
}
