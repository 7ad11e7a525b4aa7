//! Straightening: blocks that always follow one another become one.
//!
//! Compiling a residual program makes a block for each answer, which goes on to the next one.
//! A block that only one other leads to is appended to it, and one that ends there and does
//! next to nothing is copied (tail duplication; A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman,
//! *Compilers*, 2nd ed., §9.9).

#[cfg(feature = "native")]
use super::code::AGAIN;
use super::code::{Block, BlockId, Code, End};

/// The most steps that are copied.
const COPIED: usize = 1;

/// Straightens code in which what follows a block is before it, and leaves out blocks that
/// nothing leads to.
pub fn straighten(code: &mut Code) {
    // What follows a block is before it, so tails come first.
    let mut reached = code.reached();
    reached.sort_unstable();
    // How many jumps lead to each block.
    let mut jumps = vec![0u32; code.blocks.len()];
    jumps[code.entry as usize] = 1;
    for &at in &reached {
        for target in code.targets(&code.blocks[at as usize].end) {
            debug_assert!(target < at, "what follows a block is before it");
            jumps[target as usize] += 1;
        }
    }
    for at in reached {
        // Nothing leads to it any more: it was appended.
        if jumps[at as usize] == 0 {
            continue;
        }
        while let End::Goto(next) = code.blocks[at as usize].end {
            let follower = &mut code.blocks[next as usize];
            let ends = matches!(follower.end, End::Done | End::True | End::Deopt(_));
            let (steps, end) = if jumps[next as usize] == 1 {
                (std::mem::take(&mut follower.steps), follower.end.clone())
            } else if ends && follower.steps.len() <= COPIED {
                (follower.steps.clone(), follower.end.clone())
            } else {
                break;
            };
            jumps[next as usize] -= 1;
            let block = &mut code.blocks[at as usize];
            block.steps.extend(steps);
            block.end = end;
        }
    }
    skip_empty(code);
    leave_out(code);
}

/// Lets jumps to blocks that do nothing but go on lead to where these go.
fn skip_empty(code: &mut Code) {
    let mut leads: Vec<BlockId> = (0..code.blocks.len() as BlockId).collect();
    // In that order it is known where what follows leads.
    for at in 0..code.blocks.len() {
        if let Block { steps, end: End::Goto(next) } = &code.blocks[at]
            && steps.is_empty()
        {
            leads[at] = leads[*next as usize];
        }
    }
    code.redirect(|block| leads[block as usize]);
}

#[cfg(feature = "native")]
impl Code {
    /// The code without what it does where a find meets several leaves: that is left to
    /// [`AGAIN`]. `None` if there is no find.
    ///
    /// One empty square can be anywhere, and code for each place is short; what there is for
    /// several of them, which are not met in most puzzles, is longer than all the rest.
    pub fn without_several(&self) -> Option<Code> {
        if self.finds.is_empty() {
            return None;
        }
        let mut code = self.clone();
        let out = code.blocks.len() as BlockId;
        code.blocks.push(Block { steps: Vec::new(), end: End::Deopt(AGAIN) });
        for find in &mut code.finds {
            find.several = out;
        }
        leave_out(&mut code);
        Some(code)
    }
}

/// Leaves out blocks that nothing leads to.
fn leave_out(code: &mut Code) {
    let mut kept = code.reached();
    kept.sort_unstable();
    let mut numbers = vec![0; code.blocks.len()];
    for (number, &at) in (0..).zip(&kept) {
        numbers[at as usize] = number;
    }
    let mut blocks = std::mem::take(&mut code.blocks);
    let block = |at: &BlockId| {
        let Block { steps, end } = &mut blocks[*at as usize];
        Block { steps: std::mem::take(steps), end: end.clone() }
    };
    code.blocks = kept.iter().map(block).collect();
    // Tables that are left over may name blocks that are gone.
    code.redirect(|block| numbers[block as usize]);
}

#[cfg(test)]
mod tests {
    use super::super::code::Step;
    use super::*;

    #[test]
    fn chains_and_tails() {
        let block = |steps: &[u32], end| Block {
            steps: steps.iter().map(|&number| Step::Move(number)).collect(),
            end,
        };
        let blocks = vec![
            block(&[], End::Done),
            block(&[1], End::Goto(0)),
            block(&[2], End::Goto(1)),
            block(&[], End::Goto(1)),
            block(&[3, 4], End::Goto(0)),
            block(&[5], End::Goto(4)),
            block(&[6], End::Goto(4)),
            block(&[], End::Same(5, 6, 5, 6)),
            block(&[7], End::Same(0, 1, 2, 3)),
            block(&[], End::Same(2, 3, 7, 8)),
        ];
        let mut code = Code { blocks, entry: 9, ..Code::default() };
        straighten(&mut code);
        let moves = |block: &Block| -> Vec<u32> {
            let number = |step: &Step| match *step {
                Step::Move(number) => number,
                _ => u32::MAX,
            };
            block.steps.iter().map(number).collect()
        };
        let text: Vec<_> = code.blocks.iter().map(|block| (moves(block), &block.end)).collect();
        let (done, same) = (&End::Done, |a, b, then, other| End::Same(a, b, then, other));
        assert_eq!(
            text,
            [
                (vec![2, 1], done),
                (vec![1], done),
                (vec![3, 4], done),
                (vec![5], &End::Goto(2)),
                (vec![6], &End::Goto(2)),
                (vec![], &same(5, 6, 3, 4)),
                (vec![7], &same(0, 1, 0, 1)),
                (vec![], &same(2, 3, 5, 6)),
            ]
        );
        assert_eq!(code.entry, 7);
    }
}
