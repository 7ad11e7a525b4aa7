//! Boards as grids: what `draw_state/2` says of a state, or a state that is a list of rows.
//!
//! `draw_state(S, Rows)` answers a list of rows, each a list of squares. A square is empty (an
//! unbound variable, `''` or `' '`), any other term, which is written in it, or
//! `cell(Text, Looks)`: looks are `fill(C)`, the colour of the square, `disc(C)`, a round piece
//! of a colour, `ink(C)`, the colour of the text, and `mark`, a frame around what is to be noticed, such as
//! the line that wins. Colours are those of [`Colour::NAMES`],
//! or written as `'#0072b2'`.

use super::brief::drawn;
use zug_domain::Contract;
use zug_machine::{Fault, Machine};
use zug_prolog::builtins::messages::describe;
use zug_prolog::session::Session;
use zug_syntax::{WriteOptions, term_to_string};
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap, Record, Value};

/// Rows and columns that are drawn.
const MOST: usize = 64;
/// Characters of a square that are drawn.
const WIDEST: usize = 12;

/// A colour that rules may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Its name; empty if it was given by its parts.
    pub name: &'static str,
    /// Red, green and blue.
    pub parts: (u8, u8, u8),
}

const fn colour(name: &'static str, red: u8, green: u8, blue: u8) -> Colour {
    Colour { name, parts: (red, green, blue) }
}

impl Colour {
    /// The colours with names: told apart also by those who see red and green alike.
    pub const NAMES: &'static [Colour] = &[
        colour("white", 255, 255, 255),
        colour("black", 34, 34, 34),
        colour("grey", 153, 153, 153),
        colour("gray", 153, 153, 153),
        colour("red", 213, 94, 0),
        colour("orange", 230, 159, 0),
        colour("yellow", 240, 228, 66),
        colour("green", 0, 158, 115),
        colour("blue", 0, 114, 178),
        colour("sky", 86, 180, 233),
        colour("purple", 204, 121, 167),
        colour("brown", 140, 86, 44),
    ];

    /// The colour that a text names, or writes as `#rrggbb`.
    pub fn of(text: &str) -> Option<Colour> {
        if let Some(known) = Colour::NAMES.iter().find(|known| known.name == text) {
            return Some(*known);
        }
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some(colour("", red, green, blue))
    }

    /// As `#rrggbb`.
    pub fn css(self) -> String {
        let (red, green, blue) = self.parts;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Whether dark text is read better on it than light text.
    pub fn is_light(self) -> bool {
        let (red, green, blue) = self.parts;
        // Luma, ITU-R BT.601.
        u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114 > 140_000
    }
}

/// A square.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Square {
    /// What is written in it.
    pub text: String,
    /// The colour of the square.
    pub fill: Option<Colour>,
    /// The colour of a round piece on it.
    pub disc: Option<Colour>,
    /// The colour of the text.
    pub ink: Option<Colour>,
    /// A frame around it: it is part of the line that wins, or to be noticed otherwise.
    pub mark: bool,
}

impl Square {
    /// Whether nothing is on it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.disc.is_none()
    }
}

/// A board of squares; rows may differ in length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The rows, the upper one first.
    pub rows: Vec<Vec<Square>>,
    /// What else the state says.
    pub below: Option<String>,
}

impl Grid {
    /// The most squares in a row.
    pub fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// The grid that a state is drawn as: by `draw_state/2`, or as it is. `None` if it is no grid.
///
/// # Errors
/// What is wrong with `draw_state/2`.
pub fn grid(session: &mut Session, state: &Record) -> Result<Option<Grid>, String> {
    match Contract::of(&session.machine).draw_state {
        Some(pred) => drawn(session, |session| {
            let (m, w) = (&mut session.machine, &mut session.world);
            let kept = w.streams.captures();
            w.streams.push_capture();
            m.ask(w, |ask| {
                let cell = state.instantiate(&mut ask.machine.heap);
                let [answer] = ask.outputs();
                let drawn = ask.call(pred, &[cell, answer]);
                let ([rows], m, w) = (ask.rooted(), &*ask.machine, &mut *ask.host);
                w.streams.pop_captures(kept);
                match drawn {
                    Ok(true) => Reader::new(m, w).grid(rows).map(Some),
                    Ok(false) => Err("draw_state/2 fails for a state".to_owned()),
                    Err(Fault::Ball(ball)) => {
                        let (heap, root) = ball.to_heap();
                        let words = describe(&heap, &m.symbols, &w.operators, root, None);
                        Err(format!("draw_state/2 raises an error for a state: {}", words.message))
                    }
                    Err(_) => Err("draw_state/2 was ended by a limit".to_owned()),
                }
            })
        })
        .unwrap_or(Ok(None)),
        None => Ok(session.machine.scratch(|m| {
            let cell = state.instantiate(&mut m.heap);
            Reader::new(m, &session.world).own_grid(cell)
        })),
    }
}

/// Reads grids out of terms.
struct Reader<'a> {
    heap: &'a Heap,
    symbols: &'a Symbols,
    world: &'a zug_prolog::builtins::World,
}

impl<'a> Reader<'a> {
    fn new(m: &'a Machine, world: &'a zug_prolog::builtins::World) -> Reader<'a> {
        Reader { heap: &m.heap, symbols: &m.symbols, world }
    }

    fn text(&self, cell: Cell) -> String {
        let options = WriteOptions { numbervars: true, ..WriteOptions::default() };
        let operators = &self.world.operators;
        let text = term_to_string(self.heap, self.symbols, operators, cell, &options);
        match text.char_indices().nth(WIDEST) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    /// What `draw_state/2` answers.
    fn grid(&self, rows: Cell) -> Result<Grid, String> {
        let lists = self.heap.proper_list(rows);
        let lists = lists.ok_or_else(|| self.wrong(rows, "is no list of rows"))?;
        let mut grid = Grid::default();
        for &row in lists.iter().take(MOST) {
            let squares = self.heap.proper_list(row);
            let squares = squares.ok_or_else(|| self.wrong(row, "is no row: a list of squares"))?;
            let squares = squares.iter().take(MOST).map(|&square| self.square(square));
            grid.rows.push(squares.collect::<Result<_, _>>()?);
        }
        match grid.columns() {
            0 => Err("draw_state/2 answers no squares".to_owned()),
            _ => Ok(grid),
        }
    }

    fn wrong(&self, cell: Cell, what: &str) -> String {
        format!("draw_state/2: `{}` {what}", self.text(cell))
    }

    fn square(&self, cell: Cell) -> Result<Square, String> {
        let Some((name, 2, args)) = self.heap.name_arity(cell) else {
            return Ok(Square { text: self.content(cell), ..Square::default() });
        };
        if self.symbols.name(name) != "cell" {
            return Ok(Square { text: self.content(cell), ..Square::default() });
        }
        let (text, looks) = (self.heap.at(args), self.heap.at(args + 1));
        let mut square = Square { text: self.content(text), ..Square::default() };
        let looks = self.heap.proper_list(looks);
        for look in looks.ok_or_else(|| self.wrong(cell, "has no list of looks"))? {
            let unknown =
                || self.wrong(look, "is no look: there are fill(C), disc(C), ink(C) and mark");
            if self.heap.deref(look).as_atom().is_some_and(|name| self.symbols.name(name) == "mark")
            {
                square.mark = true;
                continue;
            }
            let Some((name, 1, args)) = self.heap.name_arity(look) else {
                return Err(unknown());
            };
            let colour = Colour::of(&self.text(self.heap.at(args))).ok_or_else(|| {
                let names = Colour::NAMES.iter().map(|known| known.name);
                let names: Vec<_> = names.filter(|&name| name != "gray").collect();
                let names = names.join(", ");
                self.wrong(look, &format!("has no colour: there are {names}, and '#0072b2'"))
            })?;
            match self.symbols.name(name) {
                "fill" => square.fill = Some(colour),
                "disc" => square.disc = Some(colour),
                "ink" => square.ink = Some(colour),
                _ => return Err(unknown()),
            }
        }
        Ok(square)
    }

    /// What is written in a square.
    fn content(&self, cell: Cell) -> String {
        match self.heap.value(cell) {
            Value::Var(_) => String::new(),
            _ => self.text(cell).trim().to_owned(),
        }
    }

    /// The grid that a state is itself: a list of rows of equal length, or a structure with one
    /// such list and otherwise nothing but constants.
    fn own_grid(&self, state: Cell) -> Option<Grid> {
        if let Some(rows) = self.rows(state) {
            return Some(Grid { rows, below: None });
        }
        let (_, arity, args) =
            self.heap.name_arity(state).filter(|_| !is_list(self.heap, state))?;
        let args: Vec<Cell> = (0..arity).map(|at| self.heap.at(args + at)).collect();
        let mut grids = args.iter().filter_map(|&arg| self.rows(arg));
        let (grid, None) = (grids.next()?, grids.next()) else { return None };
        let mut rest = args.iter().filter(|&&arg| !is_list(self.heap, arg));
        if rest.clone().count() + 1 != args.len() || !rest.clone().all(|&arg| self.is_leaf(arg)) {
            return None;
        }
        let below: Vec<String> = rest.by_ref().map(|&arg| self.text(arg)).collect();
        Some(Grid { rows: grid, below: (!below.is_empty()).then(|| below.join(", ")) })
    }

    fn rows(&self, cell: Cell) -> Option<Vec<Vec<Square>>> {
        let lists = self.heap.proper_list(cell).filter(|rows| (2..=MOST).contains(&rows.len()))?;
        let rows = lists.iter().map(|&row| {
            let squares = self.heap.proper_list(row)?;
            let leaves = !squares.is_empty() && squares.iter().all(|&square| self.is_leaf(square));
            let square = |&cell: &Cell| Square { text: self.leaf(cell), ..Square::default() };
            leaves.then(|| squares.iter().map(square).collect::<Vec<_>>())
        });
        let rows: Vec<Vec<Square>> = rows.collect::<Option<_>>()?;
        let columns = rows[0].len();
        ((2..=MOST).contains(&columns) && rows.iter().all(|row| row.len() == columns))
            .then_some(rows)
    }

    fn is_leaf(&self, cell: Cell) -> bool {
        !matches!(self.heap.name_arity(cell), Some((_, 1.., _)))
            && self.heap.deref(cell) != Cell::NIL
    }

    /// A leaf of a state, of which some are commonly written for an empty square.
    fn leaf(&self, cell: Cell) -> String {
        let text = self.content(cell);
        let empty = ["-", ".", "_", "empty", "blank", "vide", "free", "none"];
        if empty.contains(&text.as_str()) { String::new() } else { text }
    }
}

fn is_list(heap: &Heap, cell: Cell) -> bool {
    heap.deref(cell).is_list()
}
