//! Results of compiling a clause: [`Code`], or a [`Problem`].

use crate::instr::Instr;
use zug_term::Cell;

/// Code of one clause, with the goals its instructions belong to.
pub struct Code {
    /// The instructions; jumps count from the first.
    pub instrs: Vec<Instr>,
    /// Instruction offset and the image address of the cell that holds the goal.
    pub goals: Vec<(u32, u32)>,
}

/// Why a clause has no code.
#[derive(Debug)]
pub enum Problem {
    /// A body goal is a number or the like: its image cell.
    NotCallable(Cell),
    /// More variables or arguments than registers.
    TooLarge,
    /// A relative jump doesn't fit its field: it is compiled again with long ones.
    FarJump,
}
