//! Moves, as code puts them down while it runs and as they are read when it has ended.
//!
//! What code does has no effect but its moves. In the [exit](super::frame::Frame::exit)
//! each takes some words: its number; the temporaries that it needs; and if native code could
//! make the state that it leads to, that state and by how much its value differs.

use super::code::{Call, Code, Cost, Hole, Layout, Leaf, Move, Template, ValueId};
use zug_state::{Codec, Number, PackedState, Word};

/// Words of an exit before its moves: where they end, and the value.
pub const HEAD: usize = 2;
/// Added to the number of a move that the state does not follow, though it might.
pub const STATELESS: i64 = 1 << 32;
/// In the place of the word of a leaf where there is none.
pub const NO_WORD: i64 = -1;
/// The difference of values where nothing is known of it.
pub const UNKNOWN_CHANGE: i64 = i64::MIN;

/// What is put down of a move behind its number.
pub struct Form {
    /// The temporaries that it needs.
    pub saved: Box<[ValueId]>,
    /// Words of the state that follows, and of the difference of its value; 0 if none can.
    pub words: usize,
    /// The leaves that are written in it, each once.
    pub writes: Box<[Write]>,
}

/// A leaf that is written in the words of a state.
pub struct Write {
    pub leaf: Leaf,
    /// Where its byte lies: which word, and how many bits are below it.
    pub word: usize,
    pub shift: usize,
    pub what: Written,
}

/// What is written where a byte lies.
#[derive(Clone, Copy)]
pub enum Written {
    Byte(u8),
    /// A leaf of the state before, whose leaves are all of one byte.
    Leaf(Leaf),
    /// The integer in a temporary, if it fits.
    Temp(ValueId),
    /// The word in a temporary, if it is of one byte.
    Value(ValueId),
}

impl Written {
    /// What fills a hole; `None` if it is a constant of more than a byte.
    fn of(hole: Hole) -> Option<Written> {
        Some(match hole {
            Hole::Word(word) => Written::Byte(word.byte()?),
            Hole::Leaf(leaf) => Written::Leaf(leaf),
            Hole::Temp(temp) => Written::Temp(temp),
            Hole::Value(temp) => Written::Value(temp),
        })
    }
}

impl Form {
    /// What code puts down of its moves, from states that are laid out so.
    pub fn all(code: &Code, layout: Layout) -> Vec<Form> {
        let form = |mv: &Move| {
            let write = |&(leaf, hole): &(Leaf, Hole)| {
                let at = layout.before + usize::from(leaf);
                Some(Write { leaf, word: at / 8, shift: at % 8 * 8, what: Written::of(hole)? })
            };
            // The state can be made of the one before by writing bytes, or it can't; nor can one that is
            // longer than those that are laid out so.
            let all = |writes: &Vec<_>| writes.iter().map(write).collect::<Option<Box<_>>>();
            let has_room = layout.before + mv.to.leaves.len() <= 8 * layout.words;
            let writes = mv.writes.as_ref().filter(|_| has_room).and_then(all);
            let words = if writes.is_some() { layout.words + 1 } else { 0 };
            // What is but in the state need not be kept, unless it may not fit a byte there.
            let fits = |(_, hole): &(Leaf, Hole)| !matches!(hole, Hole::Temp(_));
            let made = words > 0 && mv.writes.iter().flatten().all(fits);
            Form { saved: mv.needs(made), words, writes: writes.unwrap_or_default() }
        };
        code.moves.iter().map(form).collect()
    }

    #[inline]
    pub fn room(&self) -> usize {
        1 + self.saved.len() + self.words
    }
}

#[derive(Clone, Copy, Default)]
pub struct Label {
    /// The number of its name, once that is known.
    name: Option<u32>,
    cost: Option<Number>,
}

impl Label {
    pub fn all(code: &Code) -> Vec<Label> {
        let cost = |mv: &Move| match mv.cost {
            Some(Cost::Fixed(cost)) if !cost.is_negative() && !cost.is_infinite() => Some(cost),
            _ => None,
        };
        code.moves.iter().map(|mv| Label { name: None, cost: cost(mv) }).collect()
    }

    /// The number of a constant name, given by `intern`; `bytes` is scratch.
    #[inline]
    pub(super) fn constant_name(
        &mut self,
        mv: &Move,
        bytes: &mut Vec<u8>,
        intern: impl FnOnce(&[u8]) -> u32,
    ) -> Option<u32> {
        if self.name.is_none() {
            bytes.clear();
            bytes.push(mv.name.shape);
            for hole in &mv.name.leaves {
                let Hole::Word(word) = *hole else { return None };
                Codec::push_word(word, bytes);
            }
            self.name = Some(intern(bytes));
        }
        self.name
    }
}

/// The moves of a run that are all put down alike: number, the state each leads to, change.
pub struct Plain<'v> {
    pub(super) labels: &'v [Label],
    /// What was put down of those to come.
    pub(super) rest: &'v [i64],
    /// The differences of the value hold.
    pub(super) told: bool,
}

pub struct PlainMove<'v> {
    pub name: u32,
    pub cost: Number,
    /// The words of the state that it leads to.
    pub state: &'v [i64],
    /// By how much the value of that state differs, if that is known.
    pub change: Option<i64>,
}

impl<'v> Plain<'v> {
    /// The next move, from states of N words; `None` at the end, or if it is unlike the others or new.
    #[inline(always)]
    pub fn next(&mut self, words: usize) -> Option<PlainMove<'v>> {
        let (found, behind) = self.rest.split_at_checked(words + 2)?;
        // A move without a state has a number beyond all.
        let label = self.labels.get(found[0] as usize)?;
        let (name, cost) = (label.name?, label.cost?);
        let change = found[words + 1];
        let change = if self.told && change != UNKNOWN_CHANGE { Some(change) } else { None };
        self.rest = behind;
        Some(PlainMove { name, cost, state: &found[1..=words], change })
    }

    /// Visits moves with the values behind them, not negative, until `visit` is false; whether these were all.
    #[inline(always)]
    pub fn each_valued(
        self,
        words: usize,
        value: i64,
        mut visit: impl FnMut(PlainMove<'v>, i64) -> bool,
    ) -> bool {
        // PERF: the loop of a long tree search.
        let mut each = self.rest.chunks_exact(words + 2);
        for found in &mut each {
            // A move without a state has a number beyond all.
            let Some(&Label { name: Some(name), cost: Some(cost) }) =
                self.labels.get(found[0] as usize)
            else {
                return false;
            };
            // Nothing known, or a sum that is too large, comes out negative.
            let change = found[words + 1];
            let (after, state) = (value.wrapping_add(change), &found[1..=words]);
            if after < 0
                || !self.told
                || !visit(PlainMove { name, cost, state, change: Some(change) }, after)
            {
                return false;
            }
        }
        each.remainder().is_empty()
    }

    #[inline(always)]
    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }
}

/// What the moves of a run are read from.
pub struct Source<'v> {
    pub code: &'v Code,
    pub forms: &'v [Form],
    pub exit: &'v [i64],
    /// The leaves of the state it ran on, if each is of one byte.
    pub narrow: Option<&'v [u8]>,
    /// The leaves, if not.
    pub words: &'v [i64],
}

pub struct Visit<'v> {
    source: &'v Source<'v>,
    label: &'v mut Label,
    bytes: &'v mut Vec<u8>,
    /// Which move it is, and where it lies in the exit.
    number: usize,
    at: usize,
    /// The state it leads to, if that was made.
    state: Option<&'v [i64]>,
    change: i64,
    /// Name and state as packed terms, if the move was put together of several.
    whole: Option<(&'v [u8], &'v [u8])>,
}

impl<'v> Source<'v> {
    /// The move at a place, and the next place. `told`: its difference holds. `bytes` is scratch.
    #[inline(always)]
    pub fn read(
        &'v self,
        at: usize,
        told: bool,
        labels: &'v mut [Label],
        bytes: &'v mut Vec<u8>,
    ) -> (Visit<'v>, usize) {
        let head = self.exit[at];
        let number = (head & !STATELESS) as usize;
        let form = &self.forms[number];
        let behind = at + 1 + form.saved.len();
        let (mut state, mut change, mut next) = (None, UNKNOWN_CHANGE, behind);
        if form.words > 0 && head & STATELESS == 0 {
            next = behind + form.words;
            state = Some(&self.exit[behind..next - 1]);
            if told {
                change = self.exit[next - 1];
            }
        }
        let label = &mut labels[number];
        let whole = None;
        (Visit { source: self, label, bytes, number, at, state, change, whole }, next)
    }

    /// The move with a number as an answer of its call, without a cost of its own.
    pub fn whole(
        &'v self,
        number: u32,
        label: &'v mut Label,
        bytes: &'v mut Vec<u8>,
        whole: (&'v [u8], &'v [u8]),
    ) -> Visit<'v> {
        let (number, at, state, change) = (number as usize, 0, None, UNKNOWN_CHANGE);
        Visit { source: self, label, bytes, number, at, state, change, whole: Some(whole) }
    }

    /// What fills the holes of the move with this number at a place.
    fn filler(&self, number: usize, at: usize) -> Filler<'_> {
        let saved = &self.forms[number].saved;
        let values = &self.exit[at + 1..at + 1 + saved.len()];
        Filler { saved, values, narrow: self.narrow, words: self.words }
    }

    /// The state that a move leads to, made leaf by leaf; `bytes` is scratch.
    #[inline(never)]
    fn written<S: PackedState>(
        &self,
        (number, at): (usize, usize),
        from: &S,
        player: Option<u8>,
        bytes: &mut Vec<u8>,
    ) -> Option<S> {
        let (mv, filler) = (&self.code.moves[number], self.filler(number, at));
        if let (Some(_), Some(writes)) = (self.narrow, &mv.writes) {
            let mut next = from.clone();
            let leaves = 1 + usize::from(player.is_some());
            if let Some(player) = player {
                next.set_byte(0, player);
            }
            let fits = writes.iter().all(|&(leaf, hole)| {
                let byte = filler.word(hole).and_then(|word| word.byte());
                byte.map(|byte| next.set_byte(leaves + usize::from(leaf), byte)).is_some()
            });
            if fits {
                return Some(next);
            }
        }
        bytes.clear();
        bytes.extend(player);
        if !filler.pack(&mv.to, bytes) {
            return None;
        }
        S::from_bytes(bytes)
    }
}

impl<'v> Visit<'v> {
    /// The cost, not negative and not infinite; `None` if there is none.
    #[inline(always)]
    pub fn cost(&self) -> Option<Number> {
        if self.label.cost.is_some() {
            return self.label.cost;
        }
        let computed = |temp| self.source.filler(self.number, self.at).temp(temp);
        match self.source.code.moves[self.number].cost? {
            Cost::Temp(temp) => computed(temp).filter(|&cost| cost >= 0).map(Number::Int),
            Cost::Float(temp) => {
                let cost = f64::from_bits(computed(temp)? as u64);
                (cost >= 0.0 && cost.is_finite()).then_some(Number::Float(cost))
            }
            Cost::Fixed(_) => None,
        }
    }

    /// By how much the value of the state it leads to differs, if that is known.
    #[inline(always)]
    pub fn change(&self) -> Option<i64> {
        (self.change != UNKNOWN_CHANGE).then_some(self.change)
    }

    /// The number of the name; `intern` numbers packed names, if it knows them.
    #[inline(always)]
    pub fn name(&mut self, intern: impl FnOnce(&[u8]) -> Option<u32>) -> Option<u32> {
        if self.label.name.is_some() {
            return self.label.name;
        }
        if let Some((name, _)) = self.whole {
            return intern(name);
        }
        let name = &self.source.code.moves[self.number].name;
        self.bytes.clear();
        if !self.source.filler(self.number, self.at).pack(name, self.bytes) {
            return None;
        }
        let number = intern(self.bytes)?;
        if name.leaves.iter().all(|hole| matches!(hole, Hole::Word(_))) {
            self.label.name = Some(number);
        }
        Some(number)
    }

    /// The packed state behind the move, with the player in front; `None` if a leaf does not fit.
    #[inline(always)]
    pub fn next<S: PackedState>(&mut self, from: &S, player: Option<u8>) -> Option<S> {
        match self.made(from) {
            Some(mut next) => {
                if let Some(player) = player {
                    next.set_byte(0, player);
                }
                Some(next)
            }
            None => match self.whole {
                Some((_, state)) => {
                    self.bytes.clear();
                    self.bytes.extend(player);
                    self.bytes.extend_from_slice(state);
                    S::from_bytes(self.bytes)
                }
                None => self.source.written((self.number, self.at), from, player, self.bytes),
            },
        }
    }

    /// The words of the state that it leads to, if it lies there made, with the same player in front.
    #[inline(always)]
    pub(super) fn words(&self) -> Option<&[i64]> {
        self.state
    }

    /// Packs the state that it leads to, with the player to move in front; false if a leaf does not fit.
    #[inline]
    pub(super) fn pack_next(&self, player: u8, out: &mut Vec<u8>) -> bool {
        out.clear();
        out.push(player);
        let (mv, filler) =
            (&self.source.code.moves[self.number], self.source.filler(self.number, self.at));
        filler.pack(&mv.to, out)
    }

    /// The call that it goes on with: then it stands for the answers of that.
    #[inline]
    pub fn call(&self) -> Option<&'v Call> {
        self.source.code.moves[self.number].call.as_deref()
    }

    /// Puts its name, as a packed term, behind others; false if a part does not fit.
    pub fn put_name(&self, out: &mut Vec<u8>) -> bool {
        match self.whole {
            Some((name, _)) => {
                out.extend_from_slice(name);
                true
            }
            None => self.put(&self.source.code.moves[self.number].name, out),
        }
    }

    /// Appends the next state, or the input of its call, as a packed term; false if a part does not fit.
    pub fn put_state(&self, before: usize, out: &mut Vec<u8>) -> bool {
        let mv = &self.source.code.moves[self.number];
        match (self.whole, self.state) {
            (Some((_, state)), _) => out.extend_from_slice(state),
            (None, Some(words)) => {
                let length = before + mv.to.leaves.len();
                let bytes = words.iter().flat_map(|word| word.to_le_bytes());
                out.extend(bytes.take(length).skip(before - 1));
            }
            (None, None) => return self.put(&mv.to, out),
        }
        true
    }

    /// Puts a term whose holes are filled as those of the move behind others.
    pub fn put(&self, template: &Template, out: &mut Vec<u8>) -> bool {
        self.source.filler(self.number, self.at).pack(template, out)
    }

    /// The same move with the name and state of an answer of its call.
    pub fn whole<'w>(
        &'w self,
        label: &'w mut Label,
        bytes: &'w mut Vec<u8>,
        whole: (&'w [u8], &'w [u8]),
    ) -> Visit<'w>
    where
        'v: 'w,
    {
        *label = Label { name: None, cost: self.label.cost };
        Visit { at: self.at, ..self.source.whole(self.number as u32, label, bytes, whole) }
    }

    /// The packed state behind the move, if it lies there made, with the same player in front.
    #[inline(always)]
    pub fn made<S: PackedState>(&self, from: &S) -> Option<S> {
        from.like(self.state?)
    }
}

/// What fills holes.
#[derive(Clone, Copy)]
struct Filler<'v> {
    /// The temporaries that were put down, and their values.
    saved: &'v [ValueId],
    values: &'v [i64],
    /// The leaves, if each is of one byte.
    narrow: Option<&'v [u8]>,
    /// The leaves, if not.
    words: &'v [i64],
}

impl Filler<'_> {
    #[inline]
    fn temp(self, temp: ValueId) -> Option<i64> {
        let at = self.saved.iter().position(|&saved| saved == temp)?;
        self.values.get(at).copied()
    }

    #[inline]
    fn word(self, hole: Hole) -> Option<Word> {
        match (hole, self.narrow) {
            (Hole::Word(word), _) => Some(word),
            (Hole::Leaf(leaf), Some(leaves)) => Some(Word(i64::from(leaves[usize::from(leaf)]))),
            (Hole::Leaf(leaf), None) => Some(Word(self.words[usize::from(leaf)])),
            (Hole::Temp(temp), _) => Word::int(self.temp(temp)?),
            (Hole::Value(temp), _) => self.temp(temp).filter(|&word| word != NO_WORD).map(Word),
        }
    }

    /// Packs a term behind others; false if an integer does not fit.
    #[inline(never)]
    fn pack(self, template: &Template, out: &mut Vec<u8>) -> bool {
        out.push(template.shape);
        for &hole in &template.leaves {
            let Some(word) = self.word(hole) else { return false };
            Codec::push_word(word, out);
        }
        true
    }
}
