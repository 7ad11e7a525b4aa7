//! The blocks of code in an order in which every block comes behind those that lead to it.

use crate::code::{BlockId, Code, End, Step, Width};

/// The blocks that can be reached.
pub struct Order {
    /// Every block behind all that lead to it.
    pub blocks: Vec<BlockId>,
    /// The most words that the moves of one run take.
    pub room: usize,
}

/// Where a block leads.
pub fn targets(code: &Code, end: &End, width: Width) -> Vec<BlockId> {
    match *end {
        End::Is(_, word, _, other) if !width.has(word) => vec![other],
        End::Switch(_, number) if width == Width::Bytes => {
            let switch = &code.switches[number as usize];
            let mut all = switch.narrow.to_vec();
            all.push(switch.other);
            all.sort_unstable();
            all.dedup();
            all
        }
        End::Find(number) if !width.has(code.finds[number as usize].word) => {
            vec![code.finds[number as usize].none]
        }
        _ => code.targets(end),
    }
}

impl Order {
    /// The order of the blocks of some code; `None` if it has cycles.
    pub fn of(code: &Code, width: Width, words_of: impl Fn(u32) -> usize) -> Option<Order> {
        const NEW: usize = usize::MAX;
        const OPEN: usize = usize::MAX - 1;
        // Of each block that is finished: the most words of moves from there on.
        let mut words = vec![NEW; code.blocks.len()];
        let mut blocks = Vec::new();
        let mut stack: Vec<(BlockId, Vec<BlockId>, usize)> = Vec::new();
        let open =
            |block: BlockId| (block, targets(code, &code.blocks[block as usize].end, width), 0);
        words[code.entry as usize] = OPEN;
        stack.push(open(code.entry));
        while let Some((block, targets, most)) = stack.last_mut() {
            let Some(target) = targets.pop() else {
                let moves = code.blocks[*block as usize].steps.iter().map(|step| match step {
                    Step::Move(number) => words_of(*number),
                    _ => 0,
                });
                words[*block as usize] = *most + moves.sum::<usize>();
                blocks.push(*block);
                stack.pop();
                continue;
            };
            match words[target as usize] {
                OPEN => return None,
                NEW => {
                    targets.push(target);
                    words[target as usize] = OPEN;
                    stack.push(open(target));
                }
                known => *most = known.max(*most),
            }
        }
        blocks.reverse();
        Some(Order { room: words[code.entry as usize], blocks })
    }
}
