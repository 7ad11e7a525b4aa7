//! From clauses to instructions.
//!
//! [`compile`] takes a clause's image and produces code in three passes: the body becomes a tree of goals ([`goal`]),
//! the analysis assigns variables to registers ([`analyse`]), and the emitter walks it once ([`emit`], with [`head`],
//! [`subsume`], [`args`], [`branches`], [`expression`] and [`registers`]). [`peephole`] joins pairs of instructions;
//! [`disassemble`] prints the result. The compiler knows cells and instructions. It knows no text and runs nothing.

mod analyse;
mod args;
mod branches;
mod code;
mod disassemble;
mod emit;
mod expression;
mod goal;
mod head;
mod image;
mod peephole;
mod registers;
mod subsume;

pub use disassemble::disassemble;

use crate::clause::Neck;
use crate::clause::is_connective;
use crate::{Clause, Fault, Machine, Program, Space};
use analyse::Analysis;
use code::{Code, Problem};
use emit::Emitter;
use goal::{CutTarget, Reader};
use image::Image;
use rustc_hash::FxHashSet;
use zug_term::Cell;
use zug_term::symbol::atoms;

/// How many times as large as its cells a clause may be, written out.
const SHARED: usize = 16;
/// Cells of a clause that may always be shared so.
const SMALL: usize = 1 << 12;

/// Compiles a clause given as an image; `root` is the compound `Head :- Body`.
fn compile(
    program: &mut Program,
    cells: &[Cell],
    root: Cell,
    space: Space,
    neck: Neck,
) -> Result<Code, Problem> {
    let image = Image(cells);
    let (head, body_slot) = (root.addr() + 1, root.addr() + 2);
    // Code has no shared subterms: what is shared over and over would grow without bound.
    if image.larger_than(root, SHARED * (cells.len() + SMALL)) {
        return Err(Problem::TooLarge);
    }
    for far in [false, true] {
        let plain = program.plain && program.modules.is_programs(space);
        let mut reader = Reader { program, image, space, marks: 0, plain };
        let mut body = reader.body(body_slot, CutTarget::Clause, 0)?;
        if neck == Neck::Commit {
            body = body.after_cut();
        }
        let marks = reader.marks;
        let head = image.deref(image.at(head));
        let (_, arity, args) = image.functor(head).ok_or(Problem::NotCallable(head))?;
        let head_args: Vec<Cell> = (0..arity).map(|i| image.deref(image.at(args + i))).collect();
        if neck == Neck::Guard {
            body.match_first(image, &head_args);
        }
        let analysis = Analysis::run(image, &head_args, &mut body);
        let mut emitter = Emitter::new(program, image, analysis, marks, far, plain);
        emitter.one_sided = neck.is_rule();
        match emitter.clause(&head_args, &body) {
            Ok(()) => return Ok(peephole::join_pairs(emitter.finish())),
            Err(Problem::FarJump) => continue,
            Err(problem) => return Err(problem),
        }
    }
    Err(Problem::TooLarge)
}

/// Whether a body could be compiled: no goal place holds a number or the like.
///
/// # Errors
/// The image cell of the goal at fault.
pub fn check_body(cells: &[Cell], slot: usize) -> Result<(), Cell> {
    let image = Image(cells);
    let mut todo = vec![slot];
    let (mut steps, mut seen) = (0, FxHashSet::default());
    while let Some(slot) = todo.pop() {
        steps += 1;
        // More places than cells: parts are shared, or it goes round.
        if steps > cells.len() && !seen.insert(slot) {
            continue;
        }
        let cell = image.deref(image.at(slot));
        if cell.is_var() {
            continue;
        }
        match image.functor(cell) {
            None => return Err(cell),
            Some((name, 2, args)) if is_connective(name) => todo.extend([args + 1, args]),
            Some((atoms::NOT_PROVABLE, 1, args)) => todo.push(args),
            Some(_) => {}
        }
    }
    Ok(())
}

/// Compiles a clause of the program and installs its code.
///
/// # Errors
/// `type_error(callable, Goal)` or `resource_error(registers)`.
pub fn compile_clause(machine: &mut Machine, id: u32) -> Result<(), Fault> {
    let clause = &mut machine.program.clauses[id as usize];
    let cells = std::mem::take(&mut clause.record.cells);
    let (pred, root, neck) = (clause.pred, clause.record.root, clause.neck);
    let space = machine.program.preds[pred as usize].space;
    // Abandoned or not, the clause gets its cells back.
    let compiled = machine.within_limits(|m| compile(&mut m.program, &cells, root, space, neck));
    let result = compiled.and_then(|compiled| match compiled {
        Ok(code) => {
            let start = machine.program.install(&code.instrs);
            let clause = &mut machine.program.clauses[id as usize];
            clause.code = start;
            clause.code_len = code.instrs.len() as u32;
            clause.goal_spans = spans(clause, &code.goals);
            machine.program.clause_starts.insert(start, id);
            Ok(())
        }
        Err(Problem::TooLarge | Problem::FarJump) => Err(machine.resource_error("registers")),
        Err(Problem::NotCallable(cell)) => {
            let goal = machine.heap.instantiate(&cells, cell);
            Err(machine.type_error("callable", goal))
        }
    });
    machine.program.clauses[id as usize].record.cells = cells;
    result
}

/// Source spans of the goals of a clause that was read from a text.
fn spans(clause: &Clause, goals: &[(u32, u32)]) -> Box<[(u32, zug_term::source::Span)]> {
    let Some(place) = &clause.place else { return Box::default() };
    goals
        .iter()
        .filter_map(|&(offset, slot)| {
            let at = place.goals.binary_search_by_key(&slot, |goal| goal.0).ok()?;
            Some((offset, place.goals[at].1))
        })
        .collect()
}
