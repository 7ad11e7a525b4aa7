//! Rules in forms that are asked faster and mean the same.

use super::board::Boards;
use super::interpret::Interpreter;
use super::program::Program;
use super::recursion::Recursion;
use super::sizes::Sizes;
use super::syntax::Key;
use super::{closure, counting, effects, modes, passed};

/// The program to be written; boards of which rules say what moves change are told so.
pub fn rewritten(program: &Program, interpreter: &Interpreter, boards: &mut Boards) -> Program {
    let counted = counting::counted(program, interpreter);
    let sizes = Sizes::new(program, interpreter, boards, &counted);
    let passed = passed::passed(program, boards, &sizes);
    let program = passed.unwrap_or_else(|| program.clone());
    let Some((changed, effects)) = effects::by_rules(&program, boards) else { return program };
    let Some((closed, steps)) = closure::closed(&changed) else { return program };
    if !end(&closed, &steps, interpreter, boards) {
        return program;
    }
    for board in &mut boards.boards {
        let found = effects.iter().find(|(functor, _)| *functor == board.functor);
        board.effects = found.map(|(_, effects)| *effects);
    }
    closed
}

/// Whether plain clauses answer recursive relations.
fn end(program: &Program, keys: &[Key], interpreter: &Interpreter, boards: &Boards) -> bool {
    let counted = counting::counted(program, interpreter);
    let sizes = Sizes::new(program, interpreter, boards, &counted);
    let orders = modes::modes(program, &sizes, boards).orders;
    let recursion = Recursion::of(program, interpreter);
    keys.iter().all(|key| recursion.ends(std::slice::from_ref(key), &orders, &[]))
}
