//! Scheduling: where values are computed, behind all ways that lead to their use, as late as that.
//!
//! It is global code motion (C. Click, PLDI 1995) without its early half: values depend on the state
//! alone, so nothing forbids a place but its operands, which go before it.

use super::{BlockId, End, Program, Step, ValueId};

impl Program {
    /// Numbers blocks that were made from the last to the first, and drops those that none leads to.
    pub(super) fn in_order(&mut self) {
        let last = self.blocks.len() as BlockId - 1;
        self.blocks.reverse();
        for block in &mut self.blocks {
            block.end.each_target(|target| *target = last - *target);
        }
        let mut reached = vec![false; self.blocks.len()];
        let mut waiting = vec![0];
        while let Some(at) = waiting.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                let targets = self.blocks[at].end.targets();
                waiting.extend(targets.into_iter().map(|target| target as usize));
            }
        }
        self.keep(&reached);
    }

    /// Drops all blocks but these, to which alone they lead.
    pub(super) fn keep(&mut self, kept: &[bool]) {
        let mut numbers = Vec::with_capacity(kept.len());
        let mut next = 0;
        for &is_kept in kept {
            numbers.push(next);
            next += BlockId::from(is_kept);
        }
        let mut each = kept.iter();
        self.blocks.retain(|_| each.next() == Some(&true));
        for block in &mut self.blocks {
            block.end.each_target(|target| *target = numbers[*target as usize]);
        }
    }

    /// Joins blocks in a row, then puts each value where it is computed.
    pub fn schedule(&mut self) {
        self.straighten();
        self.place();
    }

    fn place(&mut self) {
        let above = self.dominators();
        let depth = |mut at: BlockId| {
            let mut depth = 0;
            while at != 0 {
                at = above[at as usize];
                depth += 1;
            }
            depth
        };
        let common = |mut a: BlockId, mut b: BlockId| {
            let (mut deep_a, mut deep_b) = (depth(a), depth(b));
            while a != b {
                if deep_a >= deep_b {
                    a = above[a as usize];
                    deep_a -= 1;
                } else {
                    b = above[b as usize];
                    deep_b -= 1;
                }
            }
            a
        };
        let blocks = &self.blocks;
        // By value: where it is used, or, of what is not cheap, the one place for all uses.
        let mut places: Vec<Vec<BlockId>> = vec![Vec::new(); self.values.len()];
        let used =
            |places: &mut Vec<Vec<BlockId>>, values: &Program, value: ValueId, at: BlockId| {
                let of = &mut places[value as usize];
                if values.op(value).is_cheap() {
                    if !of.contains(&at) {
                        of.push(at);
                    }
                } else {
                    // Of blocks that are entered by their number one runs: each computes its own.
                    let enters = |at: BlockId| matches!(blocks[at as usize].end, End::Enter(_));
                    let shared = of.iter_mut().find_map(|place| {
                        let both = common(*place, at);
                        (!enters(both) || both == at).then_some((place, both))
                    });
                    match shared {
                        Some((place, both)) => *place = both,
                        None => of.push(at),
                    }
                }
            };
        for (at, block) in self.blocks.iter().enumerate() {
            let at = at as BlockId;
            for step in &block.steps {
                if let Step::Move(number) = step {
                    for &value in &self.needs[*number as usize] {
                        used(&mut places, self, value, at);
                    }
                }
            }
            for &value in block.end.values() {
                used(&mut places, self, value, at);
            }
        }
        for value in (0..self.values.len()).rev() {
            let own = std::mem::take(&mut places[value]);
            for &at in &own {
                self.values[value].each_operand(|operand| used(&mut places, self, operand, at));
            }
            places[value] = own;
        }
        let mut lets: Vec<Vec<ValueId>> = vec![Vec::new(); self.blocks.len()];
        for (value, places) in places.into_iter().enumerate() {
            for at in places {
                lets[at as usize].push(value as ValueId);
            }
        }
        for (block, values) in self.blocks.iter_mut().zip(lets) {
            let moves = std::mem::take(&mut block.steps);
            block.steps = values.into_iter().map(Step::Let).chain(moves).collect();
        }
    }

    /// By block: the nearest one that all ways to it lead through.
    fn dominators(&self) -> Vec<BlockId> {
        let mut above: Vec<Option<BlockId>> = vec![None; self.blocks.len()];
        above[0] = Some(0);
        for (at, block) in self.blocks.iter().enumerate() {
            // All that lead here have smaller numbers.
            for target in block.end.targets() {
                let mut from = at as BlockId;
                if let Some(mut known) = above[target as usize] {
                    while known != from {
                        if known > from {
                            known = above[known as usize].expect("it was reached");
                        } else {
                            from = above[from as usize].expect("it was reached");
                        }
                    }
                }
                above[target as usize] = Some(from);
            }
        }
        above.into_iter().map(|above| above.expect("every block is led to")).collect()
    }
}
