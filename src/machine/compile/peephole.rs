//! Two instructions that often follow each other become one.
//!
//! A dispatch costs about as much as a simple instruction does, so pairs of register transfers, and the ends of
//! clauses, are worth joining. A pair is left alone when something jumps to its second half.

use super::code::Code;
use crate::instr::Instr;

pub(super) fn join_pairs(code: Code) -> Code {
    let Code { instrs, goals } = code;
    let mut is_target = vec![false; instrs.len() + 1];
    for (at, instr) in instrs.iter().enumerate() {
        if let Some(to) = instr.target(at, 0) {
            is_target[to] = true;
        }
    }
    let mut joined = Vec::with_capacity(instrs.len());
    // Where each old instruction went, and one more for the end.
    let mut moved = Vec::with_capacity(instrs.len() + 1);
    let mut at = 0;
    while at < instrs.len() {
        moved.push(joined.len());
        let pair = instrs.get(at + 1).filter(|_| !is_target[at + 1]);
        match pair.and_then(|second| join(&instrs[at], second)) {
            Some(both) => {
                moved.push(joined.len());
                joined.push((at, both));
                at += 2;
            }
            None => {
                joined.push((at, instrs[at]));
                at += 1;
            }
        }
    }
    moved.push(joined.len());
    let retarget = |(new, (old, mut instr)): (usize, (usize, Instr))| {
        if let Some(to) = instr.target(old, 0) {
            // Code only gets shorter, so what fitted before still does; a jump
            // over nothing can't arise, since its target was not joined.
            instr.set_target(new, moved[to]);
        }
        instr
    };
    let instrs = joined.into_iter().enumerate().map(retarget).collect();
    let goals = goals.iter().map(|&(at, slot)| (moved[at as usize] as u32, slot)).collect();
    Code { instrs, goals }
}

fn join(first: &Instr, second: &Instr) -> Option<Instr> {
    let byte = |register: u16| u8::try_from(register).ok();
    Some(match (*first, *second) {
        (Instr::PutY { a, y }, Instr::PutY { a: b, y: z }) => {
            Instr::PutYY { a: byte(a)?, y: byte(y)?, b: byte(b)?, z: byte(z)? }
        }
        (Instr::GetVarY { y, a }, Instr::GetVarY { y: z, a: b }) => {
            Instr::GetVarYY { y: byte(y)?, a: byte(a)?, z: byte(z)?, b: byte(b)? }
        }
        (Instr::Move { d, x }, Instr::Move { d: e, x: w }) => {
            Instr::MoveMove { d: byte(d)?, x: byte(x)?, e: byte(e)?, w: byte(w)? }
        }
        (Instr::SetY { y }, Instr::SetY { y: z }) => Instr::SetYY { y, z },
        (Instr::SetVarY { y }, Instr::SetVarY { y: z }) => Instr::SetVarYVarY { y, z },
        (Instr::SetX { x }, Instr::SetX { x: w }) => Instr::SetXX { x, w },
        (Instr::UnifyVarX { x }, Instr::UnifyVarX { x: w }) => Instr::UnifyVarXX { x, w },
        (Instr::Deallocate, Instr::Execute { pred }) => Instr::DeallocateExecute { pred },
        (Instr::Deallocate, Instr::Proceed) => Instr::DeallocateProceed,
        _ => return None,
    })
}
