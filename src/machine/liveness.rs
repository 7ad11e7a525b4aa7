//! Which registers of a clause are live at an instruction.
//!
//! Needed where a goal is put in between in the middle of a clause ([`super::wake`]): what is not live may hold stale
//! words, which the collector must not see. Found on demand from the clause's code, and kept by address.

use super::instr::{Access, Instr, Register};
use super::points::Live;
use super::wake::Y;
use super::{Host, Machine, Program, fixed};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

impl Program {
    /// The code of the clause that an address lies in.
    pub(super) fn code_around(&self, at: u32) -> Option<Range<u32>> {
        if (fixed::CATCH..fixed::END).contains(&at) {
            return Some(fixed::CATCH..fixed::END);
        }
        let at = self.origin(at);
        if (fixed::DET..fixed::DET_END).contains(&at) {
            return Some(fixed::DET..fixed::DET_END);
        }
        let clause = &self.clauses[self.clause_at(at)? as usize];
        let own = (clause.code, clause.code_len);
        let other = clause.other.as_ref().map(|other| (other.start, other.len));
        let both = [Some(own), other].into_iter().flatten();
        let mut ranges = both.map(|(start, len)| start..start + len);
        ranges.find(|range| range.contains(&at))
    }
}

impl Machine {
    pub(super) fn live_at<H: Host>(&mut self, host: &H, at: u32) -> Arc<Live> {
        if let Some(known) = self.program.live.get(&at) {
            return known.clone();
        }
        let found = Arc::new(match self.program.code_around(at) {
            Some(range) => self.analyse(host, range, at),
            None => Live::default(),
        });
        self.program.live.insert(at, found.clone());
        found
    }

    fn analyse<H: Host>(&self, host: &H, range: Range<u32>, at: u32) -> Live {
        let code = &self.program.code[range.start as usize..range.end as usize];
        let at = (at - range.start) as usize;
        let next = |i: usize| code[i].successors(i, range.start);
        let mut framed = vec![None; code.len()];
        let mut todo = vec![(0, false)];
        while let Some((i, before)) = todo.pop() {
            if i >= code.len() || framed[i].is_some() {
                continue;
            }
            framed[i] = Some(before);
            let after = match code[i] {
                Instr::Allocate { .. } => true,
                Instr::Deallocate => false,
                _ => before,
            };
            todo.extend(next(i).map(|to| (to, after)));
        }
        // Jumps lead forward, so one way back is enough.
        let mut live: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); code.len() + 1];
        for i in (at..code.len()).rev() {
            let mut here = BTreeSet::new();
            if !matches!(code[i], Instr::Call { .. }) {
                for to in next(i).filter(|&to| to <= code.len()) {
                    here.extend(&live[to]);
                }
            } else if let Some(after) = live.get(i + 1) {
                // No X register survives a call.
                here.extend(after.range(Y..));
            }
            let mut used = Vec::new();
            let arity = |pred: u32| self.program.preds[pred as usize].arity;
            code[i].registers(
                arity,
                |id| host.arity(id),
                |access, register| {
                    let number = match register {
                        Register::X(x) => u32::from(x),
                        Register::Y(y) => Y + u32::from(y),
                    };
                    match access {
                        Access::Use => used.push(number),
                        Access::Define => {
                            here.remove(&number);
                        }
                    }
                },
            );
            here.extend(used);
            live[i] = here;
        }
        let registers = std::mem::take(&mut live[at]).into_iter().collect();
        Live { framed: framed[at].unwrap_or(false), registers }
    }
}
