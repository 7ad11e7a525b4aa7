//! Code as text, for people.

use crate::instr::Instr;
use crate::{PredId, Program};
use std::fmt::Write;
use zug_term::symbol::{Atom, Symbols};

/// The code of the compiled clauses of a predicate, one instruction a line.
pub fn disassemble(program: &Program, symbols: &Symbols, pred: PredId) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}:", program.indicator(pred, symbols));
    for (i, id) in program.live_clauses(pred).into_iter().enumerate() {
        let clause = &program.clauses[id as usize];
        let _ = writeln!(out, "  clause {}:", i + 1);
        if clause.code == 0 {
            let _ = writeln!(out, "    (not compiled yet)");
        }
        for pc in clause.code..clause.code + clause.code_len {
            let instr = &program.code[pc as usize];
            let _ = writeln!(out, "    {pc:6}  {}", line(program, symbols, instr));
        }
    }
    out
}

fn line(program: &Program, symbols: &Symbols, instr: &Instr) -> String {
    let functor = |f: &u32| {
        let header = program.functors[*f as usize];
        format!("{}/{}", symbols.name(header.functor_name()), header.functor_arity())
    };
    let name = |atom: &u32| symbols.name(Atom(*atom));
    let callee = |pred: &u32| program.indicator(*pred, symbols);
    match instr {
        Instr::GetAtom { a, atom } => format!("GetAtom X{a}, {}", name(atom)),
        Instr::PutAtom { a, atom } => format!("PutAtom X{a}, {}", name(atom)),
        Instr::UnifyAtom { atom } => format!("UnifyAtom {}", name(atom)),
        Instr::SetAtom { atom } => format!("SetAtom {}", name(atom)),
        Instr::GetStruct { a, f } => format!("GetStruct X{a}, {}", functor(f)),
        Instr::PutStruct { a, f } => format!("PutStruct X{a}, {}", functor(f)),
        Instr::UnifyTailStruct { f } => format!("UnifyTailStruct {}", functor(f)),
        Instr::SetHeader { f } => format!("SetHeader {}", functor(f)),
        Instr::Call { pred, live, .. } => format!("Call {} (live {live:#b})", callee(pred)),
        Instr::DeallocateExecute { pred } => format!("DeallocateExecute {}", callee(pred)),
        Instr::GuardExecute { pred } => format!("GuardExecute {}", callee(pred)),
        Instr::Execute { pred } => format!("Execute {}", callee(pred)),
        other => format!("{other:?}"),
    }
}
