//! The part of a rule-made puzzle that depends on no type of rows or costs: [`PuzzleCore`].
//!
//! Queries take states as bytes, and are compiled once for all types of rows.

use super::{GOAL, Moves, RULE, alike, derived, grounded, no_plan, watch_points, whole};
use crate::Packed;
use crate::ask::{self, Asker};
use crate::contract::{Contract, Heuristic, indicator};
use crate::error::{RuleError, Violation};
use crate::representing::Represented;
use std::sync::Arc;
use zug_code::{Arg, Counts, Examined, Layout, Specialise, Stage, Target, Units};
use zug_machine::{Kind, Machine, PredId};
use zug_prolog::builtins::World;
use zug_report::CodeUse;
use zug_search::{StateId, StateStore};
use zug_state::{Codec, Number};
use zug_term::{Cell, Record};

/// The contract predicates as the problem calls them.
#[derive(Clone, Debug)]
pub(super) struct Predicates {
    pub(super) goal: Option<PredId>,
    pub(super) rule: PredId,
    pub(super) heuristic: Option<PredId>,
    /// The name that `heuristic/3` gets.
    pub(super) heuristic_name: Option<Cell>,
    /// No move costs less: known if every clause of rule/4 has a number for its cost.
    pub(super) least_cost: Option<Number>,
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

/// What outlives a search.
pub(super) struct Kit {
    pub(super) codec: Codec,
    /// How states are represented is decided.
    pub(super) is_decided: bool,
    /// The representation that it was decided for.
    pub(super) representation: Option<Arc<Represented>>,
    pub(super) moves: Moves,
    pub(super) grounding: grounded::Grounding,
    pub(super) units: Units,
    pub(super) code: Targets,
    pub(super) derived: derived::Derived,
    pub(super) alike: alike::Alike,
}

/// A rule program under search, without its rows and costs.
pub struct PuzzleCore<'a> {
    pub(super) machine: &'a mut Machine,
    pub(super) world: &'a mut World,
    pub(super) predicates: Predicates,
    pub(super) kit: Kit,
    /// What was seen of states, while some are watched.
    pub(super) watching: Option<Box<watch_points::WatchedStates>>,
    /// The heuristics to choose from, if there are to be several: what is the rules' own, and whether
    /// it is derived as well.
    pub(super) estimates: Vec<(Option<Estimate>, derived::Deriving)>,
    /// Questions that the machine may still be asked, if they are counted.
    pub(super) allowed: Option<u64>,
    /// Whether estimates are derived from the rules.
    pub(super) deriving: derived::Deriving,
    pub(super) proof: no_plan::Proof,
    /// A start, and walks from it that estimates can be derived by.
    pub(super) walked: Option<(Packed, derived::Walks)>,
    pub(super) numbers: whole::Numbers,
    /// It is a copy for another thread.
    pub(super) is_copy: bool,
    /// There are copies, so that states may come from others.
    pub(super) has_team: bool,
    /// Costs that the type can't hold count as zero: no caller reads them.
    pub(super) ignores_costs: bool,
    /// Words that a state consists of.
    pub(super) words: usize,
}

/// The numbers of the predicates that may have code.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    pub(super) rule: usize,
    pub(super) goal: Option<usize>,
    pub(super) heuristic: Option<usize>,
}

/// A heuristic: predicate, name, number of the target that may have code.
type Estimate = (PredId, Option<Cell>, usize);

/// The rules' own part of a heuristic: predicate and name.
fn own_estimate(
    contract: &Contract,
    heuristic: Option<Heuristic>,
) -> Option<(PredId, Option<Cell>)> {
    match heuristic?.own()? {
        Heuristic::Named(name) => Some((contract.named_heuristic?, Some(Cell::atom(name)))),
        _ => Some((contract.heuristic?, None)),
    }
}

/// What code for a heuristic is made for.
fn estimate_target(pred: PredId, name: Option<Cell>) -> Target {
    let fixed = name.map(|name| Arg::Fixed(Record::atomic(name)));
    let args = fixed.into_iter().chain([Arg::State, Arg::Value]).collect();
    Target { pred, indicator: indicator_of(name.is_some()), args }
}

/// A heuristic, as name and arity; `named` ones get a name.
pub(super) fn indicator_of(named: bool) -> &'static str {
    if named { indicator::HEURISTIC_3 } else { indicator::HEURISTIC_2 }
}

impl<'a> PuzzleCore<'a> {
    /// The problem that a program poses, with one of its heuristics, for states of that many words. `needs_goal`: a goal
    /// will be tested.
    ///
    /// # Errors
    /// A predicate is missing.
    pub(super) fn new(
        machine: &'a mut Machine,
        world: &'a mut World,
        contract: &Contract,
        (heuristic, needs_goal, words): (Option<Heuristic>, bool, usize),
    ) -> Result<Self, Box<RuleError>> {
        let missing = |name, pattern| RuleError::new(Violation::Missing(pattern), name);
        let rule = contract.rule.ok_or_else(|| missing(RULE, "rule(Name, Cost, S1, S2)"))?;
        if needs_goal && contract.goal.is_none() {
            return Err(missing(GOAL, "final_state(S)"));
        }
        let (predicate, name) = own_estimate(contract, heuristic)
            .map_or((None, None), |(pred, name)| (Some(pred), name));
        let least_cost = least_cost(machine, rule);
        let mut units =
            Units::new(machine, Specialise::now(machine, world), Layout { before: 1, words });
        let code = Targets {
            rule: units.add(Target {
                pred: rule,
                indicator: RULE,
                args: vec![Arg::Name, Arg::Cost, Arg::State, Arg::To],
            }),
            goal: contract
                .goal
                .map(|pred| units.add(Target { pred, indicator: GOAL, args: vec![Arg::State] })),
            heuristic: predicate.map(|pred| units.add(estimate_target(pred, name))),
        };
        let deriving = derived::Deriving::of(heuristic, units.mode());
        // How moves change an estimate says nothing of how they change the greater of two.
        if let Some(heuristic) = code.heuristic
            && deriving == derived::Deriving::Never
        {
            units.follow(heuristic);
        }
        if deriving != derived::Deriving::Never {
            units.keep_shared();
        }
        let watching = (!world.tracer.watches.is_empty()).then(Box::default);
        Ok(PuzzleCore {
            machine,
            world,
            predicates: Predicates {
                goal: contract.goal,
                rule,
                heuristic: predicate,
                heuristic_name: name,
                least_cost,
            },
            kit: Kit {
                codec: Codec::new(),
                is_decided: false,
                representation: None,
                moves: Moves::default(),
                grounding: grounded::Grounding::default(),
                units,
                code,
                derived: derived::Derived::default(),
                alike: alike::Alike::default(),
            },
            watching,
            estimates: Vec::new(),
            allowed: None,
            deriving,
            proof: no_plan::Proof::None,
            walked: None,
            numbers: whole::Numbers::default(),
            is_copy: false,
            has_team: false,
            ignores_costs: false,
            words,
        })
    }
}

impl PuzzleCore<'_> {
    /// Adds heuristics to choose from.
    pub(super) fn add_estimates(&mut self, contract: &Contract, heuristics: &[Heuristic]) {
        for &heuristic in heuristics {
            let own = own_estimate(contract, Some(heuristic))
                .map(|(pred, name)| (pred, name, self.kit.units.add(estimate_target(pred, name))));
            let deriving = derived::Deriving::of(Some(heuristic), self.kit.units.mode());
            self.estimates.push((own, deriving));
        }
    }

    /// Chooses one of them.
    pub(super) fn use_estimate(&mut self, number: usize) {
        let Some(&(estimate, deriving)) = self.estimates.get(number) else { return };
        self.expect_several_starts();
        self.deriving = deriving;
        self.predicates.heuristic = estimate.map(|(pred, ..)| pred);
        self.predicates.heuristic_name = estimate.and_then(|(_, name, _)| name);
        self.kit.code.heuristic = estimate.map(|(.., target)| target);
    }

    /// Limits the queries to the machine from here on.
    pub(crate) fn allow(&mut self, questions: Option<u64>) {
        self.allowed = questions;
    }

    /// A packed term as a record.
    pub fn unpack(&mut self, packed: &[u8]) -> Record {
        ask::unpack(self.machine, &self.kit.codec, packed)
    }

    /// The term of a move.
    pub fn move_term(&mut self, mv: StateId) -> Record {
        let packed = self.kit.moves.store.state(mv);
        self.unpack(packed.bytes())
    }

    /// The machine, for what is done between searches.
    pub fn machine(&mut self) -> (&mut Machine, &mut World) {
        (self.machine, self.world)
    }

    /// Whether it was made with its goals.
    #[cfg(feature = "cluster")]
    pub(crate) fn has_goal(&self) -> bool {
        self.predicates.goal.is_some()
    }

    /// The codec of states and moves.
    pub fn codec(&self) -> &Codec {
        &self.kit.codec
    }

    /// The code made from the rules.
    pub fn examine(&mut self, stage: Stage) -> Vec<Examined> {
        self.kit.units.examine((self.machine, self.world, &mut self.kit.codec), stage)
    }

    /// Steps of making code are paid for, as if a search had gone on for so long already.
    pub(crate) fn pay(&mut self, steps: u64) {
        self.kit.units.pay(steps);
    }

    /// Inferences of the machine so far.
    pub(crate) fn inferences(&self) -> u64 {
        self.machine.inferences()
    }

    /// What answered the questions so far.
    pub fn code_use(&self) -> Option<CodeUse> {
        self.kit.units.report(self.machine, self.world, &Counts::default())
    }

    /// Packs a state: its bytes, until the codec is used again.
    pub(super) fn pack_bytes(&mut self, state: &Record) -> Result<&[u8], Violation> {
        if !self.kit.is_decided {
            self.represent(state);
        }
        ask::pack(self.machine, &mut self.kit.codec, state)
    }

    /// Who asks the rules.
    #[inline]
    pub(crate) fn asker(&mut self) -> Asker<'_> {
        (self.machine, self.world, &mut self.kit.codec)
    }

    /// What is made of code for the rules.
    #[inline]
    pub(crate) fn engine_code(&self) -> Specialise {
        self.kit.units.mode()
    }

    /// Whether code and machine are to be compared.
    #[inline]
    pub(crate) fn cross_checks(&self) -> bool {
        self.engine_code() == Specialise::CrossCheck
    }

    /// # Errors
    /// Code and machine differ.
    pub(super) fn must_agree(
        &mut self,
        agree: bool,
        predicate: &'static str,
        state: &[u8],
    ) -> Result<(), Box<RuleError>> {
        if agree { Ok(()) } else { Err(self.about(Violation::Differs, predicate, state)) }
    }

    /// An error about a packed state.
    #[cold]
    pub(crate) fn about(
        &mut self,
        violation: Violation,
        predicate: &'static str,
        state: &[u8],
    ) -> Box<RuleError> {
        let mut error = RuleError::new(violation, predicate);
        error.state = Some(self.unpack(state));
        error
    }
}
