//! The squares that mean a move, by `click/3` of the rules.

use zug_domain::Contract;
use zug_prolog::session::Session;
use zug_render::board::briefly;
use zug_term::symbol::atoms::MINUS;
use zug_term::{Cell, Heap, Record, Value};

/// Squares of a move.
const MOST: usize = 2000;

/// For each move its squares as row and column from 0; none without `click/3`, or where it fails to answer in
/// time or raises an error: the page goes by the squares that change then.
pub fn squares<'m>(
    session: &mut Session,
    state: &Record,
    moves: impl Iterator<Item = &'m Record>,
) -> Vec<Option<Vec<(u64, u64)>>> {
    let Some(pred) = Contract::of(&session.machine).click else { return Vec::new() };
    briefly(session, |session| {
        let (m, w) = (&mut session.machine, &mut session.world);
        let captures = w.streams.captures();
        w.streams.push_capture();
        let found = moves.map(|mv| {
            m.ask(w, |ask| {
                let [square] = ask.outputs();
                let (mv, state) = (
                    mv.instantiate(&mut ask.machine.heap),
                    state.instantiate(&mut ask.machine.heap),
                );
                let mut outcome = ask.call(pred, &[mv, state, square]);
                let mut squares = Vec::new();
                while outcome.as_ref().ok()? == &true && squares.len() < MOST {
                    let [square] = ask.rooted();
                    squares.extend(place(&ask.machine.heap, square));
                    outcome = ask.redo();
                }
                Some(squares)
            })
        });
        let found = found.collect();
        w.streams.pop_captures(captures);
        found
    })
}

/// A square `Row-Column` that counts from 1.
fn place(heap: &Heap, square: Cell) -> Option<(u64, u64)> {
    let [row, column] = heap.match_struct(square, MINUS)?;
    let from_zero = |cell: Cell| match heap.value(cell) {
        Value::Int(number) => u64::try_from(number - 1).ok(),
        _ => None,
    };
    Some((from_zero(row)?, from_zero(column)?))
}
