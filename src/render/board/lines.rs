//! Grids in text: lines that `print_state/1` writes and that form squares of single characters.
//!
//! Three layouts are recognised: characters with one space between them (`x o .`), characters side by
//! side (`xo.`), and cells between bars (`|x|o|`) with border lines. Up to two lines above the squares and
//! all lines below them are captions.

use super::grid::{Grid, Square};

/// Rows and columns of a grid.
const MOST: usize = 64;
/// Lines above the squares.
const ABOVE: usize = 2;
/// Different characters of a grid whose characters stand side by side: prose has more.
const SIGNS: usize = 12;
/// Characters of a cell between bars.
const CELL: usize = 2;
/// Characters of diagrams rather than squares.
const DRAWN: [char; 3] = ['|', '/', '\\'];
/// Characters for an empty square.
const EMPTY: [char; 4] = [' ', '.', '-', '_'];

/// The grid that a text is, if it is one.
pub fn grid_in(text: &str) -> Option<Grid> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // A line above is a caption if it has a word.
    let is_word = |word: &str| word.chars().filter(|sign| sign.is_alphabetic()).count() > 1;
    let captions = lines.iter().take(ABOVE).take_while(|line| line.split_whitespace().any(is_word));
    (0..=captions.count()).find_map(|above| {
        let (captions, rest) = lines.split_at(above);
        let (rows, taken) = spaced(rest).or_else(|| dense(rest)).or_else(|| barred(rest))?;
        let below: Vec<&str> = captions.iter().chain(&rest[taken..]).copied().collect();
        let below: Vec<&str> =
            below.into_iter().map(str::trim).filter(|line| !line.is_empty()).collect();
        Some(Grid { rows, below: (!below.is_empty()).then(|| below.join("; ")) })
    })
}

fn square(sign: char) -> Square {
    Square {
        text: if EMPTY.contains(&sign) { String::new() } else { sign.to_string() },
        ..Square::default()
    }
}

/// The rows and the number of their lines, if there are enough of them.
fn checked(rows: Vec<Vec<Square>>, taken: usize) -> Option<(Vec<Vec<Square>>, usize)> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    ((2..=MOST).contains(&rows.len()) && (2..=MOST).contains(&columns)).then_some((rows, taken))
}

/// Characters with one space between them.
fn spaced(lines: &[&str]) -> Option<(Vec<Vec<Square>>, usize)> {
    let indent = |line: &str| line.chars().take_while(|sign| *sign == ' ').count();
    let row = |line: &str, margin: usize| -> Option<Vec<Square>> {
        let signs: Vec<char> = line.chars().skip(margin).collect();
        let fits = indent(line) >= margin
            && signs.len() % 2 == 1
            && signs.iter().skip(1).step_by(2).all(|sign| *sign == ' ')
            && !signs.iter().any(|sign| DRAWN.contains(sign) || *sign == '+');
        fits.then(|| signs.into_iter().step_by(2).map(square).collect())
    };
    // Captions below may begin further left.
    let lines = &lines[..lines.len().min(MOST + 1)];
    let full = lines.iter().take_while(|line| !line.is_empty());
    let mut margins: Vec<usize> = full.map(|line| indent(line)).collect();
    margins.sort_unstable();
    margins.dedup();
    let rows_at = |margin| lines.iter().map_while(|line| row(line, margin)).collect::<Vec<_>>();
    let rows = margins.into_iter().rev().map(rows_at).max_by_key(Vec::len)?;
    let taken = rows.len();
    checked(rows, taken)
}

/// Characters side by side, in lines of one length.
fn dense(lines: &[&str]) -> Option<(Vec<Vec<Square>>, usize)> {
    let bare: Vec<&str> = lines.iter().map(|line| line.trim_start()).collect();
    let length = bare.first()?.chars().count();
    let fits = |line: &&&str| line.chars().count() == length && !line.contains(' ');
    let rows: Vec<&str> = bare.iter().take_while(fits).copied().collect();
    let mut signs: Vec<char> = rows.iter().flat_map(|row| row.chars()).collect();
    signs.sort_unstable();
    signs.dedup();
    if signs.len() > SIGNS || signs.iter().any(|sign| DRAWN.contains(sign)) {
        return None;
    }
    let taken = rows.len();
    checked(rows.iter().map(|row| row.chars().map(square).collect()).collect(), taken)
}

/// Cells between bars. Border lines have none.
fn barred(lines: &[&str]) -> Option<(Vec<Vec<Square>>, usize)> {
    let is_border = |line: &str| {
        !line.is_empty()
            && line.chars().all(|sign| "+-=| ".contains(sign))
            && line.contains(['-', '='])
    };
    let bars = |line: &str| -> Vec<usize> {
        line.chars().enumerate().filter(|(_, sign)| *sign == '|').map(|(at, _)| at).collect()
    };
    let first = bars(lines.iter().find(|line| !is_border(line))?);
    let (mut rows, mut taken) = (Vec::new(), 0);
    for line in lines {
        if !is_border(line) {
            if first.is_empty() || bars(line) != first {
                break;
            }
            let cells: Vec<&str> = line.split('|').collect();
            // Outer bars have nothing beside them.
            let inner = cells
                .iter()
                .enumerate()
                .filter(|(at, cell)| !cell.trim().is_empty() || (*at > 0 && *at + 1 < cells.len()));
            let texts: Vec<&str> = inner.map(|(_, cell)| cell.trim()).collect();
            if texts.iter().any(|text| text.chars().count() > CELL) {
                break;
            }
            let own = |text: &&str| match text.chars().next() {
                Some(sign) if text.chars().count() == 1 => square(sign),
                _ => Square { text: (*text).to_owned(), ..Square::default() },
            };
            rows.push(texts.iter().map(own).collect::<Vec<_>>());
        }
        taken += 1;
    }
    let columns = rows.first().map(Vec::len)?;
    rows.iter().all(|row| row.len() == columns).then(|| checked(rows, taken)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares as lines, `.` for an empty one.
    fn shown(text: &str) -> Option<String> {
        let grid = grid_in(text)?;
        let sign =
            |square: &Square| if square.text.is_empty() { "." } else { &square.text }.to_owned();
        let rows: Vec<String> =
            grid.rows.iter().map(|row| row.iter().map(sign).collect()).collect();
        let below = grid.below.map_or(String::new(), |below| format!(" {below}"));
        Some(rows.join("/") + &below)
    }

    #[test]
    fn squares_are_found_in_text() {
        for (text, expected) in [
            (" x o .\n . x .\nx to move", "xo./.x. x to move"),
            ("xo-\n-x-", "xo./.x."),
            (" @ # #\n # #\n", "@##/##"),
            ("    1 2\n  1 2 3 4\n    1 2\n", ".12/1234/.12"),
            ("+---+---+\n| a |   |\n+---+---+\n| b | c |\n+---+---+\n", "a./bc"),
            ("turn: x\nxo\nox", "xo/ox turn: x"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn prose_and_diagrams_stay_text() {
        for text in [
            "",
            "x",
            "x o",
            "left: 3 and 2\nright: 1 and 0\n",
            "+---+   +\n|   |\n+---+---+\n",
            "+   +   +\n|\n+   +   +\n\n+   +---+\na has 0, b draws",
            "1 |-3-2-1\n2 |\n3 |\n",
            "  b-e-h\n /|\\|/|\\\na-c-f-i-k\n",
            "the wolf\nthe goat",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
