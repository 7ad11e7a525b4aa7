//! The blocks of code in an order in which every block comes behind those that lead to it.

use crate::domain::specialise::code::{BlockId, Code, End, Step, Width};

/// The blocks that can be reached.
pub struct Order {
    /// Every block behind all that lead to it.
    pub blocks: Vec<BlockId>,
    /// The most words that the moves of one run take.
    pub room: usize,
}

/// Where a block leads.
pub fn targets(code: &Code, end: &End, width: Width) -> Vec<BlockId> {
    let mut all = match *end {
        End::Goto(next) => vec![next],
        End::Is(_, word, _, other) if !width.has(word) => vec![other],
        End::Is(.., then, other)
        | End::Same(.., then, other)
        | End::Kind(.., then, other)
        | End::Compare(.., then, other)
        | End::Before(.., then, other) => vec![then, other],
        End::Switch(_, number) => {
            let switch = &code.switches[number as usize];
            let mut all = switch.narrow.to_vec();
            all.push(switch.other);
            if width == Width::Words {
                all.extend(switch.wide.iter().map(|&(_, block)| block));
            }
            all
        }
        End::Find(number) => {
            let find = &code.finds[number as usize];
            if !width.has(find.word) {
                return vec![find.none];
            }
            let asked = |leaf: usize| leaf < 64 && find.leaves >> leaf & 1 != 0;
            let at = find.at.iter().enumerate().filter(|&(leaf, _)| asked(leaf));
            let mut all: Vec<BlockId> = at.map(|(_, &block)| block).collect();
            all.extend([find.none, find.several]);
            all
        }
        End::Done | End::True | End::Value(..) | End::Deopt(_) => Vec::new(),
    };
    all.sort_unstable();
    all.dedup();
    all
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
