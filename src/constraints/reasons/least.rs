//! Smallest sets of constraints that can't hold together.

use super::Reasons;
use super::trial::{Other, Verdict};

impl Reasons<'_> {
    /// A set of constraints that can't hold together, or not with another value of a variable if one is given, of
    /// which none can be left out. All together are known not to hold.
    ///
    /// U. Junker, *QuickXplain: preferred explanations and relaxations for over-constrained problems*, AAAI 2004.
    pub fn least(&mut self, other: Option<&Other>) -> Vec<usize> {
        // With a stack of its own: what is known to be in the set, what was just added
        // to it, and what may be.
        enum Task {
            /// Looks for what is needed of these beside the background; whether the background has grown.
            Split(Vec<usize>, bool),
            /// The second half is known: the first one beside it.
            Then(Vec<usize>, usize),
            /// Both halves are known.
            Join(usize),
        }
        let mut background: Vec<usize> = Vec::new();
        let mut found: Vec<Vec<usize>> = Vec::new();
        let mut tasks = vec![Task::Split(self.all(), false)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Split(candidates, has_grown) => {
                    if has_grown && self.fail(&sorted(&background), other) {
                        found.push(Vec::new());
                        continue;
                    }
                    if candidates.len() == 1 {
                        found.push(candidates);
                        continue;
                    }
                    let (first, second) = candidates.split_at(candidates.len() / 2);
                    // Beside the first half, what of the second is needed?
                    let length = background.len();
                    background.extend(first);
                    tasks.push(Task::Then(first.to_vec(), length));
                    tasks.push(Task::Split(second.to_vec(), true));
                }
                Task::Then(first, length) => {
                    background.truncate(length);
                    let second = found.last().expect("the second half was looked at").clone();
                    let has_grown = !second.is_empty();
                    background.extend(second);
                    tasks.push(Task::Join(length));
                    tasks.push(Task::Split(first, has_grown));
                }
                Task::Join(length) => {
                    background.truncate(length);
                    let mut both = found.pop().expect("the first half was looked at");
                    both.extend(found.pop().expect("the second half was looked at"));
                    found.push(both);
                }
            }
        }
        sorted(&found.pop().expect("the whole"))
    }

    /// Constraints of such a set of which it is not known that the others can hold without them.
    pub fn doubtful(&mut self, least: &[usize]) -> Vec<usize> {
        let mut doubtful = least.to_vec();
        doubtful.retain(|&without| {
            let rest: Vec<usize> = least.iter().copied().filter(|&one| one != without).collect();
            self.verdict(&rest, None) != Verdict::Holds
        });
        doubtful
    }
}

fn sorted(numbers: &[usize]) -> Vec<usize> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted
}
