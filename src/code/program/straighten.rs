//! Blocks in a row made one.

use super::{End, Program};

impl Program {
    /// A block entered from one place joins it (A. V. Aho et al., *Compilers*, 2nd edition, 8.4), in the same order.
    pub(super) fn straighten(&mut self) {
        let count = self.blocks.len();
        let mut ways_in = vec![0u32; count];
        for block in &self.blocks {
            block.end.targets().into_iter().for_each(|to| ways_in[to as usize] += 1);
        }
        let mut is_kept = vec![true; count];
        // Blocks lead to greater numbers: what is taken in has taken in its own rest.
        for at in (0..count).rev() {
            let End::Goto(next) = self.blocks[at].end else { continue };
            let next = next as usize;
            if ways_in[next] == 1 {
                let rest = std::mem::take(&mut self.blocks[next].steps);
                let end = std::mem::replace(&mut self.blocks[next].end, End::Done);
                self.blocks[at].steps.extend(rest);
                self.blocks[at].end = end;
                is_kept[next] = false;
            }
        }
        self.keep(&is_kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Block, BlockId, Step};

    /// The moves and the end that come of each choice of ways, in the order of blocks.
    fn runs(program: &Program) -> Vec<(Vec<u32>, String)> {
        let mut waiting: Vec<(BlockId, Vec<u32>)> = vec![(0, Vec::new())];
        let mut done = Vec::new();
        while let Some((at, mut moves)) = waiting.pop() {
            let block = &program.blocks[at as usize];
            moves.extend(block.steps.iter().filter_map(|step| match step {
                Step::Move(number) => Some(*number),
                Step::Let(_) => None,
            }));
            match block.end.targets() {
                targets if targets.is_empty() => done.push((moves, format!("{:?}", block.end))),
                targets => waiting.extend(targets.into_iter().map(|to| (to, moves.clone()))),
            }
        }
        done
    }

    #[test]
    fn what_runs_is_the_same() {
        let block = |steps: &[u32], end| Block {
            steps: steps.iter().map(|&number| Step::Move(number)).collect(),
            end,
        };
        let blocks = vec![
            block(&[0], End::Goto(1)),
            block(&[1], End::If(0, 2, 4)),
            block(&[2], End::Goto(3)),
            block(&[3], End::Goto(5)),
            block(&[4], End::Goto(5)),
            block(&[5], End::Goto(6)),
            block(&[6], End::True),
        ];
        let mut program = Program { blocks, ..Program::default() };
        let before = runs(&program);
        program.straighten();
        assert_eq!(runs(&program), before);
        // The two ways behind the test, and where both meet.
        assert_eq!(program.blocks.len(), 4);
    }
}
