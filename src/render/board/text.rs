//! Boards on a terminal: in colour, as plain characters, or as sentences.

use super::grid::{Colour, Grid, Square};
use anstyle::{RgbColor, Style};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// A grid with lines around its squares, in colour or without.
pub fn framed(grid: &Grid, colour: bool) -> String {
    let columns = grid.columns();
    let squares = || grid.rows.iter().flatten();
    let width = squares().map(|square| sign(square, colour).width()).max().unwrap_or(0).max(1);
    let border = format!("{}+\n", format!("+{}", "-".repeat(width + 2)).repeat(columns));
    let mut text = border.clone();
    for row in &grid.rows {
        for column in 0..columns {
            let square = row.get(column).cloned().unwrap_or_default();
            let shown = sign(&square, colour);
            let (left, right) = ((width - shown.width()) / 2, (width - shown.width()).div_ceil(2));
            let content = format!(" {:left$}{shown}{:right$} ", "", "");
            let style = if colour { style(&square) } else { Style::new() };
            let _ = write!(text, "|{style}{content}{style:#}");
        }
        text += "|\n";
        text += &border;
    }
    if let Some(below) = &grid.below {
        let _ = writeln!(text, "{below}");
    }
    text
}

/// What stands for a square.
fn sign(square: &Square, colour: bool) -> String {
    match square.disc {
        Some(_) if colour && square.text.is_empty() => "●".to_owned(),
        Some(disc) if square.text.is_empty() => {
            disc.name.chars().next().map_or_else(|| "o".to_owned(), |c| c.to_string())
        }
        _ => square.text.clone(),
    }
}

fn style(square: &Square) -> Style {
    let ansi = |colour: Colour| {
        let (red, green, blue) = colour.parts;
        Some(RgbColor(red, green, blue).into())
    };
    let ink = square.ink.or(if square.text.is_empty() { square.disc } else { None });
    let ink = ink.or_else(|| {
        let light = square.fill?.is_light();
        Colour::of(if light { "black" } else { "white" })
    });
    let style = Style::new().bg_color(square.fill.and_then(ansi)).fg_color(ink.and_then(ansi));
    if square.mark { style.bold().underline() } else { style }
}

/// A grid in sentences, a line for each row: for those who listen to it.
pub fn sentences(grid: &Grid) -> String {
    let mut text = String::new();
    for (number, row) in grid.rows.iter().enumerate() {
        let squares: Vec<String> = row.iter().map(spoken).collect();
        let _ = writeln!(text, "row {}: {}", number + 1, squares.join(", "));
    }
    if let Some(below) = &grid.below {
        let _ = writeln!(text, "and {below}");
    }
    text
}

fn spoken(square: &Square) -> String {
    let disc = square.disc.map(|disc| match disc.name {
        "" => "disc".to_owned(),
        name => format!("{name} disc"),
    });
    let fill = square.fill.filter(|fill| !matches!(fill.name, "" | "white"));
    let on = fill.map(|fill| format!(" on {}", fill.name)).unwrap_or_default();
    let what = match (disc, square.text.as_str()) {
        (None, "") => "empty".to_owned(),
        (None, text) => text.to_owned(),
        (Some(disc), "") => disc,
        (Some(disc), text) => format!("{text} on a {disc}"),
    };
    let mark = if square.mark { " (marked)" } else { "" };
    what + &on + mark
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        Square { text: text.to_owned(), ..Square::default() }
    }

    #[test]
    fn a_grid_three_ways() {
        let red = Square { disc: Colour::of("red"), ..Square::default() };
        let dark = Square { fill: Colour::of("black"), ..square("x") };
        let rows = vec![vec![square("10"), square("")], vec![red, dark]];
        let grid = Grid { rows, below: Some("x to move".to_owned()) };
        let plain = "+----+----+\n| 10 |    |\n+----+----+\n| r  | x  |\n+----+----+\nx to move\n";
        assert_eq!(framed(&grid, false), plain);
        let coloured = framed(&grid, true);
        assert!(
            coloured.contains('●') && coloured.contains("\u{1b}[48;2;34;34;34m"),
            "{coloured:?}"
        );
        let said = "row 1: 10, empty\nrow 2: red disc, x on black\nand x to move\n";
        assert_eq!(sentences(&grid), said);
    }
}
