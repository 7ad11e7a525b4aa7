//! Interpreter and native code, one beside the other: what runs is run by both, for tests.

use super::*;
use crate::code::Hole;
use crate::frame::{Narrow, Packed};
use crate::moves::{STATELESS, UNKNOWN_CHANGE};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use zug_state::Word;

thread_local! {
    /// How many runs were compared, where they are.
    static COMPARED: Cell<Option<u64>> = const { Cell::new(None) };
    /// What was compiled, by the address of the code, which is kept, and by how states are laid out.
    static MADE: RefCell<HashMap<Key, Pair>> = RefCell::default();
}

/// Programs of more parts are not compared: compilers of debug builds take their time.
const MOST_PARTS: u64 = 1500;

/// The address of code, and how states are laid out.
type Key = (usize, (usize, usize));
type Pair = (Arc<Code>, Option<Native>);

/// Does something; whatever code it runs, back ends are compared: how often.
pub fn comparing(what: impl FnOnce()) -> u64 {
    COMPARED.set(Some(0));
    what();
    MADE.take();
    COMPARED.take().unwrap_or(0)
}

/// Compares back ends on a state, where that is wanted.
pub fn compare(
    code: &Arc<Code>,
    forms: &[Form],
    layout: Layout,
    narrow: Option<Narrow<'_>>,
    frame: &mut Frame,
) {
    let Some(count) = COMPARED.get() else { return };
    if code.program.parts() > MOST_PARTS {
        return;
    }
    COMPARED.set(Some(count + 1));
    if let Some(state) = narrow {
        frame.load_bytes(state.leaves);
    }
    let is_wide = code.program.is_wide();
    if !is_wide && narrow.is_none() {
        return;
    }
    MADE.with_borrow_mut(|made| {
        let key = (Arc::as_ptr(code) as usize, (layout.before, layout.words));
        let new = || (code.clone(), Native::new(code, forms, layout, None));
        let (_, native) = made.entry(key).or_insert_with(new);
        let native = native.as_ref().expect("a program is compiled");
        let state = narrow.filter(|_| !is_wide).map_or(&[][..], |state| state.room);
        agree(&Tried { code, forms, layout, sum: None }, native, state, frame);
    });
}

/// Code under comparison.
pub(super) struct Tried<'t> {
    pub code: &'t Code,
    pub forms: &'t [Form],
    pub layout: Layout,
    pub sum: Option<&'t Sum>,
}

/// What a run did: its moves with what they need, and its reply.
type Outcome = (Vec<(usize, Vec<i64>)>, Reply);

#[track_caller]
pub(super) fn agree(tried: &Tried<'_>, native: &Native, state: &[u8], frame: &mut Frame) -> Reply {
    let &Tried { code, forms, layout, sum } = tried;
    let reply = if state.is_empty() {
        code.program.run_on_words(forms, frame)
    } else {
        let leaves = &state[layout.before..layout.before + code.leaves];
        code.program.run(forms, frame, &Packed { room: state, leaves, sum })
    };
    let by_interpreter: Outcome = (tried.moves(state, frame), reply);
    let reply = native.run(state, frame);
    let by_native: Outcome = (tried.moves(state, frame), reply);
    assert_eq!(by_interpreter, by_native, "{:#?}\non {:?}", tried.code, frame.words);
    reply
}

impl Tried<'_> {
    /// The moves in a frame with their temporaries; states that were put down with them are checked.
    fn moves(&self, state: &[u8], frame: &Frame) -> Vec<(usize, Vec<i64>)> {
        let (mut moves, mut at) = (Vec::new(), HEAD);
        if self.code.moves.is_empty() {
            // Planes, or nothing.
            return vec![(0, frame.exit[HEAD..frame.end].to_vec())];
        }
        while at < frame.end {
            let head = frame.exit[at];
            let number = (head & !STATELESS) as usize;
            let form = &self.forms[number];
            let temps = frame.exit[at + 1..at + 1 + form.saved.len()].to_vec();
            at += 1 + form.saved.len();
            if form.words > 0 && head & STATELESS == 0 {
                let (made, change) = frame.exit[at..at + form.words].split_at(form.words - 1);
                let made: Vec<u8> = made.iter().flat_map(|word| word.to_le_bytes()).collect();
                let written = self.written(number, state, (&temps, &frame.temps));
                assert_eq!(made, written, "{:#?}", self.code.moves[number]);
                assert_eq!(change, [self.change(state, &written, number)]);
                at += form.words;
            }
            moves.push((number, temps));
        }
        assert_eq!(at, frame.end);
        moves
    }

    /// The state that a move leads to, byte by byte.
    fn written(&self, number: usize, state: &[u8], (temps, all): (&[i64], &[i64])) -> Vec<u8> {
        let mut made = state[..8 * self.layout.words].to_vec();
        let first = self.layout.before;
        let saved = &self.forms[number].saved;
        let writes = self.code.moves[number].writes.as_ref();
        for &(leaf, hole) in writes.expect("states are made by writing leaves") {
            let word = match hole {
                Hole::Word(word) => word,
                Hole::Leaf(leaf) => Word(i64::from(state[first + usize::from(leaf)])),
                Hole::Temp(temp) | Hole::Value(temp) => {
                    // What is but in the state is not saved: the interpreter, which ran before, has it.
                    let at = saved.iter().position(|&saved| saved == temp);
                    let value = at.map_or_else(|| all[temp as usize], |at| temps[at]);
                    match hole {
                        Hole::Temp(_) => Word::int(value).expect("it fits"),
                        _ => Word(value),
                    }
                }
            };
            made[first + usize::from(leaf)] = word.byte().expect("it is of one byte");
        }
        made
    }

    /// By how much the sum differs in the leaves that a move writes.
    fn change(&self, state: &[u8], written: &[u8], number: usize) -> i64 {
        let Some(sum) = self.sum else { return UNKNOWN_CHANGE };
        let mut change = 0;
        for &(leaf, _) in self.code.moves[number].writes.iter().flatten() {
            let at = self.layout.before + usize::from(leaf);
            let [old, new] = [state[at], written[at]]
                .map(|byte| sum.tables[usize::from(leaf)][usize::from(byte)]);
            if old == Sum::UNKNOWN || new == Sum::UNKNOWN {
                return UNKNOWN_CHANGE;
            }
            change += i64::from(new) - i64::from(old);
        }
        change
    }
}
