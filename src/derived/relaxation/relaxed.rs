//! Heuristics of the delete relaxation: h-max, h-add, h-FF and LM-cut ([`Relaxed`]).

use super::super::operators::Value;
use super::Relaxation;
use super::exploration::{Add, Exploration, Max, UNREACHED};
use super::landmark_cut::LandmarkCut;
use super::landmarks::{Landmarks, Reached};
use super::relaxed_plan::RelaxedPlan;
use std::collections::HashMap;
use std::sync::Arc;

/// Which heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RelaxedKind {
    /// What the dearest fact of the goal costs: admissible.
    Max,
    /// What the facts of the goal cost, added up.
    Add,
    /// What a relaxed plan costs.
    Ff,
    /// The sum of landmark cuts: admissible.
    LandmarkCut,
}

impl RelaxedKind {
    /// All of them.
    pub const ALL: [RelaxedKind; 4] =
        [RelaxedKind::Max, RelaxedKind::Add, RelaxedKind::Ff, RelaxedKind::LandmarkCut];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            RelaxedKind::Max => "hmax",
            RelaxedKind::Add => "hadd",
            RelaxedKind::Ff => "hff",
            RelaxedKind::LandmarkCut => "lmcut",
        }
    }

    /// The one of this name.
    pub fn by_name(name: &str) -> Option<RelaxedKind> {
        RelaxedKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether an estimate is never more than a plan costs.
    pub fn is_admissible(self) -> bool {
        matches!(self, RelaxedKind::Max | RelaxedKind::LandmarkCut)
    }
}

/// A heuristic, with the memory that it needs.
pub struct Relaxed {
    of: Arc<Relaxation>,
    kind: RelaxedKind,
    explored: Exploration,
    plan: RelaxedPlan,
    cuts: LandmarkCut,
    /// By grounded move, its cost, but at least 1, so that moves without cost count too.
    steps: Vec<u32>,
    /// Those of plans from the state that was asked about first, if there are any.
    landmarks: Option<Option<Landmarks>>,
    /// By state that was asked about: which landmarks the path to it has reached.
    reached: HashMap<Box<[Value]>, Reached>,
}

impl Relaxed {
    /// The estimate of a state that may have a plan although none was found: greater than those of all other states.
    pub const FAR: u32 = UNREACHED / 4;

    /// The heuristic of a puzzle.
    pub fn new(of: Arc<Relaxation>, kind: RelaxedKind) -> Relaxed {
        let cuts = match kind {
            RelaxedKind::LandmarkCut => LandmarkCut::new(&of),
            _ => LandmarkCut::default(),
        };
        let steps = of.costs.iter().map(|&cost| cost.max(1)).collect();
        let (explored, plan) = (Exploration::default(), RelaxedPlan::default());
        let (landmarks, reached) = (None, HashMap::new());
        Relaxed { of, kind, explored, plan, cuts, steps, landmarks, reached }
    }

    /// The same for another thread.
    #[must_use]
    pub fn copy(&self) -> Relaxed {
        Relaxed::new(self.of.clone(), self.kind)
    }

    /// How many landmarks a path has still to reach that leads to a state over the one before; `None` if there are none.
    /// The states before have to be asked about first: landmarks are those of plans from the very first one.
    pub fn landmarks_left(&mut self, before: Option<&[Value]>, state: &[Value]) -> Option<u32> {
        let landmarks =
            self.landmarks.get_or_insert_with(|| Landmarks::of(&self.of, state)).as_ref()?;
        let before = before.and_then(|before| self.reached.get(before));
        let (reached, left) = landmarks.count(&self.of, before, state);
        self.reached.insert(state.into(), reached);
        Some(left)
    }

    /// Which heuristic it is.
    pub fn kind(&self) -> RelaxedKind {
        self.kind
    }

    /// Parts of rules that were looked at for all estimates so far.
    pub fn work(&self) -> u64 {
        self.explored.work
    }

    /// What a plan from a state costs, by its leaves; `None` if there is none.
    pub fn estimate(&mut self, state: &[Value]) -> Option<u32> {
        let Relaxed { of, explored, .. } = self;
        let cost = match self.kind {
            RelaxedKind::LandmarkCut => return self.cuts.estimate(of, explored, state),
            RelaxedKind::Max => {
                explored.explore::<Max>(of, state, (&of.costs, true, false));
                explored.costs[of.goal as usize]
            }
            RelaxedKind::Add | RelaxedKind::Ff => {
                explored.explore::<Add>(of, state, (&self.steps, false, false));
                explored.costs[of.goal as usize]
            }
        };
        if self.kind == RelaxedKind::Ff {
            self.plan.find(of, explored);
        }
        match (cost, self.kind) {
            (UNREACHED, _) if of.escape.is_some() => Some(Self::FAR),
            (UNREACHED, _) => None,
            (_, RelaxedKind::Ff) => {
                let costs = self.plan.operators.iter().map(|&of| self.steps[of as usize]);
                Some(costs.fold(0, u32::saturating_add).min(Self::FAR))
            }
            _ => Some(cost.min(Self::FAR)),
        }
    }

    /// Whether a successor of the state that was asked about last has a fact that the relaxed plan reaches by a first
    /// move: the move to it is a preferred operator, or *helpful*. Never but by [`RelaxedKind::Ff`].
    pub fn prefers(&self, successor: &[Value]) -> bool {
        self.kind == RelaxedKind::Ff
            && self.of.reached_in(successor).any(|fact| self.plan.wants(fact))
    }
}
