//! States as the program's own `print_state/1` or `draw_state/2` draws them, or as the grids
//! that they are.

mod brief;
pub mod grid;
pub mod lines;
pub mod page;
pub mod svg;
pub mod text;

pub use brief::briefly;

use brief::drawn;
use svg::Picture;
use zug_tools::columns::most;

use unicode_width::UnicodeWidthStr;
use zug_domain::{Contract, instances};
use zug_machine::PredId;
use zug_prolog::session::Session;
use zug_term::{Cell, Heap, Record};

/// Initial states that are looked at.
const INSTANCES: usize = 20;
/// Nodes of a term that make its shape.
const SHAPE: usize = 1000;
/// Columns for two boards side by side.
const COLUMNS: usize = 78;

/// A state on a terminal without colour: as `print_state/1` writes it, else as a grid. `None`
/// if it is neither.
pub fn draw(session: &mut Session, state: &Record) -> Option<String> {
    printed(session, state).or_else(|| {
        let grid = grid::grid(session, state).ok()??;
        Some(text::framed(&grid, false))
    })
}

/// A state as people want it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStyle {
    /// As `print_state/1` writes it, else as a grid.
    Printed,
    /// As a grid where it is one, in colour.
    Coloured,
    /// In sentences where it is a grid.
    Sentences,
}

/// A state on a terminal in some manner; `None` if there is nothing but the term.
pub fn draw_in(session: &mut Session, state: &Record, manner: BoardStyle) -> Option<String> {
    if manner == BoardStyle::Printed {
        return draw(session, state);
    }
    match grid::grid(session, state).ok().flatten() {
        Some(grid) if manner == BoardStyle::Sentences => Some(text::sentences(&grid)),
        Some(grid) => Some(text::framed(&grid, true)),
        None => printed(session, state),
    }
}

/// What a picture of a state shows: a grid, what `print_state/1` writes, or the term.
///
/// # Errors
/// What is wrong with `draw_state/2`.
pub fn picture(session: &mut Session, state: &Record) -> Result<Picture, String> {
    if let Some(grid) = grid::grid(session, state)? {
        return Ok(Picture::Grid(grid));
    }
    let text = printed(session, state).map(|text| trimmed(&text).to_owned());
    let (m, w) = (&session.machine, &session.world);
    Ok(Picture::Text(text.unwrap_or_else(|| zug_prolog::term_text(m, w, state))))
}

/// What `print_state/1` writes for a state; `None` without one, or if it fails.
fn printed(session: &mut Session, state: &Record) -> Option<String> {
    let pred = Contract::of(&session.machine).print_state?;
    printed_by(session, pred, state)
}

/// What a predicate writes for a term; `None` if it fails.
pub fn printed_by(session: &mut Session, pred: PredId, state: &Record) -> Option<String> {
    drawn(session, |session| {
        let (machine, world) = (&mut session.machine, &mut session.world);
        let kept = world.streams.captures();
        world.streams.push_capture();
        let drawn = machine.ask(world, |ask| {
            let cell = state.instantiate(&mut ask.machine.heap);
            ask.call(pred, &[cell])
        });
        let text = world.streams.pop_captures(kept);
        text.filter(|text| matches!(drawn, Ok(true)) && !text.trim().is_empty())
    })
    .flatten()
}

/// Two boards beside each other, with an arrow between them where they fit.
pub fn beside(left: &str, right: &str) -> String {
    let (left, right): (Vec<&str>, Vec<&str>) =
        (trimmed(left).lines().collect(), trimmed(right).lines().collect());
    let width = |lines: &[&str]| lines.iter().map(|line| line.width()).max().unwrap_or(0);
    let (indent, gap) = (width(&left), 8);
    if indent + gap + width(&right) > most(COLUMNS) {
        return format!("{}\n\nto\n\n{}\n", left.join("\n"), right.join("\n"));
    }
    let height = left.len().max(right.len());
    let mut text = String::new();
    for i in 0..height {
        let line = left.get(i).copied().unwrap_or("");
        let arrow = if i == (height - 1) / 2 { "-->" } else { "" };
        let pad = indent - line.width();
        let row = format!("{line}{:pad$}  {arrow:^4}  {}", "", right.get(i).copied().unwrap_or(""));
        text += row.trim_end();
        text.push('\n');
    }
    text
}

/// A drawing without blank lines around it.
pub fn trimmed(board: &str) -> &str {
    let body = board.trim_end();
    let blank = body.find(|c: char| !c.is_whitespace()).unwrap_or(0);
    let start = body[..blank].rfind('\n').map_or(0, |at| at + 1);
    &body[start..]
}

/// What the states of a program look like: the skeletons of its initial states.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// The program they were made from.
    generation: Option<u64>,
    shapes: Vec<Vec<Option<Cell>>>,
}

impl Shapes {
    /// Whether a term looks like a state that can be drawn. Looks at the initial
    /// states when the program has changed since.
    pub fn fit(&mut self, session: &mut Session, term: &Record) -> bool {
        let contract = Contract::of(&session.machine);
        if term.cells.is_empty() {
            return false;
        }
        let generation = session.machine.program.generation;
        if self.generation != Some(generation) {
            self.generation = Some(generation);
            let found = briefly(session, |session| {
                instances(&mut session.machine, &mut session.world, &contract, INSTANCES)
            });
            let states = found.unwrap_or_default();
            self.shapes = states.iter().filter_map(|instance| shape_of(&instance.state)).collect();
            self.shapes.dedup();
        }
        shape_of(term).is_some_and(|shape| self.shapes.contains(&shape))
    }
}

/// The functors of a term in preorder, `None` for what is no compound; `None` for
/// a term that is no compound at all or a very large one.
fn shape_of(term: &Record) -> Option<Vec<Option<Cell>>> {
    let (heap, root) = term.to_heap();
    let mut shape = Vec::new();
    let mut todo = vec![root];
    while let Some(cell) = todo.pop() {
        if shape.len() >= SHAPE {
            return None;
        }
        shape.push(functor(&heap, cell));
        if let Some((_, arity, args)) = heap.name_arity(cell) {
            todo.extend((0..arity).rev().map(|i| heap.at(args + i)));
        }
    }
    (shape.len() > 1).then_some(shape)
}

fn functor(heap: &Heap, cell: Cell) -> Option<Cell> {
    let cell = heap.deref(cell);
    match heap.name_arity(cell) {
        Some((_, 1.., _)) if cell.is_list() => Some(Cell::list(0)),
        Some((_, 1.., args)) => Some(heap.at(args - 1)),
        // The end of a list belongs to its shape; other atoms are contents.
        _ => (cell == Cell::NIL).then_some(Cell::NIL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const RULES: &str = "
        initial_state([[a,b],[c,_]]).
        print_state([[A,B],[C,_]]) :- write(A), write(B), nl, write(C), nl.
    ";

    fn record(session: &mut Session, text: &str) -> Record {
        let query = session.query(&format!("X = {text}")).expect("it reads");
        let [_, value] = session
            .machine
            .heap
            .match_struct(session.goal(&query).expect("not run"), zug_term::symbol::atoms::UNIFY)
            .expect("X = Y");
        let record = Record::new(&mut session.machine.heap, value);
        session.close(query);
        record
    }

    #[test]
    fn states_are_known_by_their_shape() {
        let mut session = zug_tools::language::captured("").0;
        session.load_text("t", RULES);
        let mut shapes = Shapes::default();
        let mut check = |text, expect| {
            let term = record(&mut session, text);
            assert_eq!(shapes.fit(&mut session, &term), expect, "{text}");
        };
        check("[[x,y],[Z,1]]", true);
        check("[[x,y],[z]]", false);
        check("[x,y]", false);
        check("a", false);
    }

    #[test]
    fn boards() {
        let mut session = zug_tools::language::captured("").0;
        session.load_text("t", RULES);
        let state = record(&mut session, "[[x,y],[z,_]]");
        assert_eq!(draw(&mut session, &state).as_deref(), Some("xy\nz\n"));
        let other = record(&mut session, "nonsense");
        assert_eq!(draw(&mut session, &other), None);
        assert_eq!(beside("xy\nz\n", "ab\nc\nd\n"), "xy        ab\nz   -->   c\n          d\n");
        assert_eq!(trimmed("\n\n  a\nb\n\n"), "  a\nb");
    }

    #[test]
    fn who_draws_too_slowly_is_not_asked_again() {
        let mut session = zug_tools::language::captured("").0;
        zug_domain::set_asking_time(&mut session.world, Some(Duration::from_millis(40)));
        session.load_text(
            "t",
            ":- nb_setval(asked, 0).
             print_state(_) :- nb_getval(asked, N), M is N+1, nb_setval(asked, M), repeat, fail.",
        );
        for state in ["a", "b", "c"] {
            let state = record(&mut session, state);
            assert_eq!(draw(&mut session, &state), None);
        }
        let mut query = session.query("nb_getval(asked, 1)").expect("it reads");
        assert!(matches!(session.next(&mut query), Ok(true)));
        session.close(query);
        session.load_text("u", "print_state(_) :- write(drawn).");
        let state = record(&mut session, "a");
        assert_eq!(draw(&mut session, &state).as_deref(), Some("drawn"), "another program");
    }
}
