//! Source transformations of rules: sideways information passing, then delta rules with factored recursion.

use super::board::Boards;
use super::interpret::Interpreter;
use super::plays::Plays;
use super::program::Program;
use super::recursion::Recursion;
use super::sizes::Sizes;
use super::syntax::Key;
use super::{closure, delta, modes, sideways};

/// The transformed program; boards with delta rules are marked.
pub fn rewritten(
    program: &Program,
    interpreter: &Interpreter,
    plays: &Plays,
    boards: &mut Boards,
) -> Program {
    let sizes = Sizes::new(program, interpreter, boards, &plays.functions);
    let passed_on = sideways::passed_on(program, boards, &sizes);
    let program = passed_on.as_ref().unwrap_or(program);
    if let Some(changed) = delta::by_rules(program, boards) {
        if let Some((closed, steps)) = closure::closed(&changed)
            && end((&closed, &steps), interpreter, plays, boards)
        {
            return closed;
        }
        boards.boards.iter_mut().for_each(|board| board.delta = None);
    }
    program.clone()
}

/// Whether plain clauses answer recursive relations.
fn end(
    (program, keys): (&Program, &[Key]),
    interpreter: &Interpreter,
    plays: &Plays,
    boards: &Boards,
) -> bool {
    let sizes = Sizes::new(program, interpreter, boards, &plays.functions);
    let orders = modes::modes(program, &sizes, boards, plays.repeating()).orders;
    let recursion = Recursion::of(program, interpreter);
    keys.iter().all(|key| recursion.ends(std::slice::from_ref(key), &orders))
}
