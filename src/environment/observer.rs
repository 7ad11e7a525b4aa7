//! States as numbers: a plane for each thing that a leaf can be, and for each player.
//!
//! A state has leaves, its atoms and integers (the squares of a board, counters). Plane by plane
//! there is a number for each leaf: 1 where the leaf is the atom, or one of few integers, that the plane stands for;
//! the integer itself in the plane of integers, where there are many or others may come up; planes of players
//! are 1 all over for the player to move.

use crate::error::{Answered, EnvironmentError};
use crate::survey::Leaves;
use rustc_hash::FxHashMap;
use zug_search::game::Player;
use zug_state::{Codec, Word};
use zug_term::{Cell, Heap, Tag};

/// No plane.
const NONE: u16 = u16::MAX;
/// The plane of integers.
const INTEGER: u16 = u16::MAX - 1;
/// Lists within lists that a board is made of at most.
const DEEPEST: u32 = 3;
/// The most planes.
const MOST_PLANES: usize = 4_096;

/// A number of an observation.
pub(crate) trait Pixel: Copy + 'static {
    const ZERO: Self;
    const ONE: Self;
    /// An integer, if it fits.
    fn of(value: i64) -> Option<Self>;
}

impl Pixel for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    fn of(value: i64) -> Option<f32> {
        Some(value as f32)
    }
}

impl Pixel for u8 {
    const ZERO: u8 = 0;
    const ONE: u8 = 1;
    fn of(value: i64) -> Option<u8> {
        u8::try_from(value).ok()
    }
}

/// Writes states as numbers.
#[derive(Clone, Debug)]
pub struct Observer {
    /// What the planes are, in order: constants, integers, forms of states, players.
    planes: Vec<String>,
    leaves: usize,
    /// The lengths of rows and columns, if the leaves are a board.
    board: Vec<usize>,
    /// By byte: the plane of a leaf that is packed so.
    by_byte: [u16; 256],
    by_word: FxHashMap<i64, u16>,
    integers: Option<usize>,
    shapes: Vec<u8>,
    first_shape: usize,
    players: usize,
    first_player: usize,
}

impl Observer {
    /// For states whose leaves are these; `is_complete`: there are no others. `name` gives the text of a
    /// constant; `board` the lengths of the lists that the start is made of.
    pub(crate) fn new(
        (leaves, is_complete): (&Leaves, bool),
        players: &[String],
        board: Vec<usize>,
        name: impl Fn(Word) -> String,
    ) -> Answered<Observer> {
        if let Some(trouble) = leaves.trouble {
            return Err(EnvironmentError::Space(format!(
                "states can't be written as numbers: {trouble}"
            )));
        }
        let mut constants: Vec<(String, i64)> =
            leaves.words.iter().map(|&word| (name(Word(word)), word)).collect();
        constants.sort();
        let mut observer = Observer {
            planes: Vec::new(),
            leaves: leaves.shapes.values().copied().max().unwrap_or(0).max(1),
            board,
            by_byte: [NONE; 256],
            by_word: FxHashMap::default(),
            integers: None,
            shapes: leaves.shapes.keys().copied().collect(),
            first_shape: 0,
            players: players.len(),
            first_player: 0,
        };
        for (text, word) in constants {
            observer.add_plane(text, Word(word));
        }
        if !leaves.integers.is_empty() && (leaves.has_many_integers || !is_complete) {
            for byte in 0..=u8::MAX {
                if Word(i64::from(byte)).is_int() {
                    observer.by_byte[usize::from(byte)] = INTEGER;
                }
            }
        }
        if !leaves.has_many_integers {
            for &value in &leaves.integers {
                let word = Word::int(value).ok_or_else(|| unseen("an integer"))?;
                observer.add_plane(value.to_string(), word);
            }
        }
        if observer.by_byte.contains(&INTEGER) {
            observer.integers = Some(observer.planes.len());
            observer.planes.push("integer".to_owned());
        }
        observer.add_forms_and_players(players);
        if observer.planes.is_empty() {
            // There is nothing to see, as in a game that is played once.
            observer.planes.push("nothing".to_owned());
        }
        if observer.planes.len() > MOST_PLANES {
            return Err(EnvironmentError::Space(format!(
                "states can't be written as numbers: more than {MOST_PLANES} different atoms are in them"
            )));
        }
        let whole = observer.board.iter().product::<usize>();
        if observer.shapes.len() != 1 || whole != observer.leaves {
            observer.board = vec![observer.leaves];
        }
        Ok(observer)
    }

    /// A plane for a constant or an integer.
    fn add_plane(&mut self, text: String, word: Word) {
        let plane = self.planes.len() as u16;
        match word.byte() {
            Some(byte) => self.by_byte[usize::from(byte)] = plane,
            None => _ = self.by_word.insert(word.0, plane),
        }
        self.planes.push(text);
    }

    fn add_forms_and_players(&mut self, players: &[String]) {
        self.first_shape = self.planes.len();
        if self.shapes.len() > 1 {
            let forms = (0..self.shapes.len()).map(|form| format!("form {}", form + 1));
            self.planes.extend(forms);
        }
        self.first_player = self.planes.len();
        if players.len() > 1 {
            self.planes.extend(players.iter().map(|player| format!("{player} to move")));
        }
    }

    /// What the planes stand for.
    pub fn planes(&self) -> &[String] {
        &self.planes
    }

    /// The lengths of an observation: planes, then rows and columns of a board, or leaves.
    pub fn shape(&self) -> Vec<usize> {
        let mut shape = vec![self.planes.len()];
        shape.extend(&self.board);
        shape
    }

    /// Numbers of an observation.
    pub fn size(&self) -> usize {
        self.planes.len() * self.leaves
    }

    /// Whether there is a plane of integers, which may be of any size.
    pub fn has_integers(&self) -> bool {
        self.integers.is_some()
    }

    /// Writes a packed state.
    pub(crate) fn write<P: Pixel>(
        &self,
        codec: &Codec,
        packed: &[u8],
        mover: Player,
        out: &mut [P],
    ) -> Answered<()> {
        out.fill(P::ZERO);
        let Some((&shape, bytes)) = packed.split_first() else { return Ok(()) };
        let Ok(form) = self.shapes.binary_search(&shape) else {
            return Err(unseen("a state of a form"));
        };
        if self.shapes.len() > 1 {
            self.fill(self.first_shape + form, out);
        }
        if self.players > 1 && usize::from(mover) < self.players {
            self.fill(self.first_player + usize::from(mover), out);
        }
        if bytes.len() <= self.leaves && bytes.iter().all(|&byte| byte < 0xE0 || byte == 0xF2) {
            for (leaf, &byte) in bytes.iter().enumerate() {
                self.put(self.by_byte[usize::from(byte)], i64::from(byte), leaf, out)?;
            }
            return Ok(());
        }
        self.write_wide(codec, bytes, out)
    }

    /// Leaves of which some take more than a byte.
    #[cold]
    fn write_wide<P: Pixel>(&self, codec: &Codec, bytes: &[u8], out: &mut [P]) -> Answered<()> {
        let mut words = Vec::new();
        codec.words(bytes, &mut words).map_err(|_| unseen("a part of a state"))?;
        if words.len() > self.leaves {
            return Err(unseen("a state of a form"));
        }
        for (leaf, &word) in words.iter().enumerate() {
            let plane = match Word(word).byte() {
                Some(byte) => self.by_byte[usize::from(byte)],
                None => match self.by_word.get(&word) {
                    Some(&plane) => plane,
                    None if Word(word).is_int() && self.integers.is_some() => INTEGER,
                    None => NONE,
                },
            };
            self.put(plane, word, leaf, out)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn put<P: Pixel>(&self, plane: u16, word: i64, leaf: usize, out: &mut [P]) -> Answered<()> {
        match plane {
            NONE => return Err(unseen("a part of a state")),
            INTEGER => {
                let at = self.integers.unwrap_or(0) * self.leaves + leaf;
                out[at] = P::of(Word(word).int_value()).ok_or_else(too_large)?;
            }
            plane => out[usize::from(plane) * self.leaves + leaf] = P::ONE,
        }
        Ok(())
    }

    fn fill<P: Pixel>(&self, plane: usize, out: &mut [P]) {
        out[plane * self.leaves..(plane + 1) * self.leaves].fill(P::ONE);
    }
}

#[cold]
fn unseen(what: &str) -> EnvironmentError {
    EnvironmentError::Space(format!(
        "{what} came up that the survey of the rules has not seen; give the survey more states and moves"
    ))
}

#[cold]
fn too_large() -> EnvironmentError {
    EnvironmentError::Space(
        "an integer of a state does not fit a byte; take observations of the type float32"
            .to_owned(),
    )
}

/// The lengths of the lists that a term is made of, if all at one level have the same.
pub(crate) fn board_of(heap: &Heap, cell: Cell) -> Option<Vec<usize>> {
    lengths(heap, cell, DEEPEST)
}

fn lengths(heap: &Heap, cell: Cell, depth: u32) -> Option<Vec<usize>> {
    let cell = heap.deref(cell);
    match cell.tag() {
        Tag::Struct => None,
        Tag::List if depth == 0 => None,
        Tag::List => {
            let items = heap.proper_list(cell)?;
            let mut inner = items.iter().map(|&item| lengths(heap, item, depth - 1));
            let first = inner.next()??;
            let is_even = inner.all(|lengths| lengths.as_ref() == Some(&first));
            is_even.then(|| [vec![items.len()], first].concat())
        }
        _ => Some(Vec::new()),
    }
}
