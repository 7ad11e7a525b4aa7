//! What integers can be, so that overflow is looked for only where it can be met.

use crate::code::{BlockId, Code, NOTHING, Step, Temp};
use crate::residual::BinaryOp;
use rustc_hash::FxHashMap;

/// The least and the greatest value.
pub type Range = (i64, i64);

/// What temporaries can be anywhere, as every block runs at most once.
pub struct Bounds(Vec<Option<i64>>);

impl Bounds {
    /// The bounds of temporaries that only constants and tables are added to.
    pub fn of(code: &Code, blocks: &[BlockId]) -> Bounds {
        let mut starts = vec![Some(0u64); code.temps];
        let mut sums = vec![0u64; code.temps];
        for step in blocks.iter().flat_map(|&block| &code.blocks[block as usize].steps) {
            match *step {
                Step::Const(to, value) => {
                    let start = &mut starts[to as usize];
                    *start = start.map(|start| start.max(value.unsigned_abs()));
                }
                Step::Leaf(to, _) | Step::Binary(_, to, ..) => starts[to as usize] = None,
                Step::Add(to, value) => {
                    let sum = &mut sums[to as usize];
                    *sum = sum.saturating_add(value.unsigned_abs());
                }
                Step::Table(to, _, table) => {
                    let table = code.tables[table as usize].iter();
                    let known = table.filter(|&&entry| entry != NOTHING);
                    let most = known.map(|entry| entry.unsigned_abs()).max();
                    let sum = &mut sums[to as usize];
                    *sum = sum.saturating_add(most.unwrap_or(0));
                }
                Step::Move(_) => {}
            }
        }
        let both = starts.into_iter().zip(sums);
        let bound = |(start, sum): (Option<u64>, u64)| {
            let most = start?.saturating_add(sum);
            i64::try_from(most).ok().filter(|&most| most < i64::MAX / 2)
        };
        Bounds(both.map(bound).collect())
    }

    /// The range of a temporary, if it can't overflow.
    pub fn of_temp(&self, temp: Temp) -> Option<Range> {
        self.0[temp as usize].map(|most| (-most, most))
    }
}

/// What is known of temporaries at a place within a block.
#[derive(Default)]
pub struct Ranges(FxHashMap<Temp, Range>);

impl Ranges {
    /// Nothing is known.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// A temporary has a new value.
    pub fn set(&mut self, temp: Temp, range: Option<Range>) {
        match range {
            Some(range) => self.0.insert(temp, range),
            None => self.0.remove(&temp),
        };
    }

    /// The one value that a temporary can have.
    pub fn constant(&self, temp: Temp) -> Option<i64> {
        self.0.get(&temp).filter(|(low, high)| low == high).map(|&(low, _)| low)
    }

    /// The range of an operation that can't overflow, as far as is known.
    pub fn binary(&self, op: BinaryOp, a: Temp, b: Temp, bounds: &Bounds) -> Option<Range> {
        let range = |temp: Temp| self.0.get(&temp).copied().or_else(|| bounds.of_temp(temp));
        let ((a, b), (c, d)) = (range(a)?, range(b)?);
        let corners = |values: [Option<i64>; 4]| {
            let mut all = [0; 4];
            for (to, value) in all.iter_mut().zip(values) {
                *to = value?;
            }
            Some((all.into_iter().min()?, all.into_iter().max()?))
        };
        match op {
            BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
            BinaryOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
            BinaryOp::Mul => {
                let product = |x: i64, y: i64| x.checked_mul(y);
                corners([product(a, c), product(a, d), product(b, c), product(b, d)])
            }
            BinaryOp::Min => Some((a.min(c), b.min(d))),
            BinaryOp::Max => Some((a.max(c), b.max(d))),
            _ => None,
        }
    }
}
