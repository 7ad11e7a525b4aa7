//! Chance nodes under pruning: [`ChanceNode`].
//!
//! The value is the mean of those of the successors. As long as no value is beyond known
//! bounds the mean lies between that of what each successor is worth at least and that of
//! what it is worth at most; what a search of one of them must show to push the whole past a
//! window is its own window (Star1). Looking first at one move of each successor where a
//! player chooses narrows what they are worth for little (Star2).
//!
//! Ballard, *The \*-minimax search procedure for trees containing chance nodes*, Artificial
//! Intelligence 21 (1983).

use super::expected::Expected;
use std::sync::Arc;

/// The bounds between which a value matters; a missing bound is infinite.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    pub alpha: Option<Expected>,
    pub beta: Option<Expected>,
}

impl Window {
    /// Whether a value is too small to matter.
    pub fn is_below(&self, value: &Expected) -> bool {
        self.alpha.as_ref().is_some_and(|alpha| value <= alpha)
    }

    /// Whether a value is too large to matter.
    pub fn is_above(&self, value: &Expected) -> bool {
        self.beta.as_ref().is_some_and(|beta| value >= beta)
    }
}

/// Bounds on the values of the successors.
struct Range {
    low: Vec<Expected>,
    high: Vec<Expected>,
    /// The means.
    low_mean: Expected,
    high_mean: Expected,
}

/// A chance node.
pub(super) struct ChanceNode {
    chances: Arc<[Expected]>,
    /// The values of the successors that were searched.
    values: Vec<Expected>,
    /// `None` if no bounds are known; then nothing is pruned.
    range: Option<Range>,
    /// The successor whose first move is to be looked at; all of them were, past the last.
    probe: usize,
}

impl ChanceNode {
    /// Nothing is known of the successors but the bounds.
    pub fn new(chances: Arc<[Expected]>, bounds: Option<&(Expected, Expected)>) -> Self {
        let count = chances.len();
        let range = bounds.map(|(low, high)| Range {
            low: vec![low.clone(); count],
            high: vec![high.clone(); count],
            low_mean: low.clone(),
            high_mean: high.clone(),
        });
        Self { chances, values: Vec::with_capacity(count), range, probe: 0 }
    }

    /// The successor to be probed next, once each.
    pub fn next_probe(&mut self) -> Option<usize> {
        if self.range.is_none() || self.probe == self.chances.len() {
            return None;
        }
        self.probe += 1;
        Some(self.probe - 1)
    }

    /// What a successor must be worth for the whole to lie in a window.
    pub fn window(&self, at: usize, whole: &Window) -> Window {
        let Some(range) = &self.range else { return Window::default() };
        let chance = &self.chances[at];
        // What is left for it, if the others are worth as much as can be.
        let share = |bound: &Expected, mean: &Expected, own: &Expected| {
            bound.minus(&mean.minus(&chance.times(own))).over(chance)
        };
        let alpha = whole.alpha.as_ref();
        let beta = whole.beta.as_ref();
        Window {
            alpha: alpha.map(|alpha| share(alpha, &range.high_mean, &range.high[at])),
            beta: beta.map(|beta| share(beta, &range.low_mean, &range.low[at])),
        }
    }

    /// A successor is worth at least so much: what the whole is worth at least.
    fn at_least(&mut self, at: usize, value: &Expected) -> Option<&Expected> {
        let range = self.range.as_mut()?;
        if *value > range.low[at] {
            let more = self.chances[at].times(&value.minus(&range.low[at]));
            range.low_mean = range.low_mean.plus(&more);
            range.low[at] = value.clone();
        }
        Some(&range.low_mean)
    }

    /// A successor is worth at most so much: what the whole is worth at most.
    fn at_most(&mut self, at: usize, value: &Expected) -> Option<&Expected> {
        let range = self.range.as_mut()?;
        if *value < range.high[at] {
            let less = self.chances[at].times(&range.high[at].minus(value));
            range.high_mean = range.high_mean.minus(&less);
            range.high[at] = value.clone();
        }
        Some(&range.high_mean)
    }

    /// Takes what the search of the next successor came to; a bound of the whole, if that is
    /// beyond its window.
    pub fn take(&mut self, value: Expected, whole: &Window) -> Option<Expected> {
        let at = self.values.len();
        let window = self.window(at, whole);
        if window.is_above(&value) {
            // Floats may miss the window that they are beyond.
            return self.at_least(at, &value).max(whole.beta.as_ref()).cloned();
        }
        if window.is_below(&value) {
            return self.at_most(at, &value).min(whole.alpha.as_ref()).cloned();
        }
        self.at_least(at, &value);
        self.at_most(at, &value);
        self.values.push(value);
        None
    }

    /// As [`ChanceNode::take`], of one move of a successor: with its own player to choose it is
    /// worth at least that, with the opponent at most.
    pub fn take_probe(
        &mut self,
        at: usize,
        own: bool,
        value: &Expected,
        whole: &Window,
    ) -> Option<Expected> {
        let window = self.window(at, whole);
        if own && !window.is_below(value) {
            let low = self.at_least(at, value).max(whole.beta.as_ref());
            return low.filter(|_| window.is_above(value)).cloned();
        }
        if !own && !window.is_above(value) {
            let high = self.at_most(at, value).min(whole.alpha.as_ref());
            return high.filter(|_| window.is_below(value)).cloned();
        }
        None
    }

    /// The value, once all successors were searched.
    pub fn value(&self) -> Option<Expected> {
        let all = self.values.len() == self.chances.len();
        all.then(|| Expected::mean(&self.chances, &self.values))
    }
}
