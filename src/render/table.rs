//! Tables: for people, as Markdown, and as comma-separated values.

use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use zug_tools::columns;

/// A table with a heading for each column.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What stands above the columns.
    pub headings: Vec<&'static str>,
    /// How many columns stand on the left; the others stand on the right, as numbers do.
    pub left: usize,
    /// Columns that are left out where the terminal is too narrow for all, one after the other, by heading.
    pub spare: &'static [&'static str],
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table of rows `R`: the heading and a cell.
pub(super) type Column<R> = (&'static str, fn(&R) -> String);

/// A cell that may be empty.
pub(super) fn cell<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

impl Table {
    /// A table of rows.
    pub(super) fn of<R>(columns: &[Column<R>], left: usize, rows: &[R]) -> Table {
        let cells = |row: &R| columns.iter().map(|(_, cell)| cell(row)).collect();
        Table {
            headings: columns.iter().map(|(heading, _)| *heading).collect(),
            left,
            spare: &[],
            rows: rows.iter().map(cells).collect(),
        }
    }

    /// Leaves out of the first column what repeats the row above.
    #[must_use]
    pub(super) fn without_repetitions(mut self) -> Table {
        for at in (1..self.rows.len()).rev() {
            if self.rows[at][0] == self.rows[at - 1][0] {
                self.rows[at][0].clear();
            }
        }
        self
    }

    fn lines(&self) -> impl Iterator<Item = Vec<&str>> {
        let heading = std::iter::once(self.headings.clone());
        heading.chain(self.rows.iter().map(|row| row.iter().map(|cell| &**cell).collect()))
    }

    /// Without the columns that have no cell with anything in it.
    #[must_use]
    pub fn without_empty_columns(self) -> Table {
        let full: Vec<bool> = (0..self.headings.len())
            .map(|column| {
                let mut cells = self.rows.iter().filter_map(|row| row.get(column));
                cells.any(|cell| !cell.is_empty())
            })
            .collect();
        let kept = |column: &usize| full[*column];
        let left = (0..self.left).filter(kept).count();
        let rows = self.rows.iter();
        let cells = |row: &Vec<String>| {
            (0..row.len()).filter(kept).map(|column| row[column].clone()).collect()
        };
        Table {
            headings: (0..full.len()).filter(kept).map(|column| self.headings[column]).collect(),
            left,
            spare: self.spare,
            rows: rows.map(cells).collect(),
        }
    }

    /// Without a column.
    fn without(&self, heading: &str) -> Table {
        let Some(at) = self.headings.iter().position(|other| *other == heading) else {
            return self.clone();
        };
        let mut table = self.clone();
        table.headings.remove(at);
        table.left -= usize::from(at < table.left);
        table.rows.iter_mut().for_each(|row| drop(row.remove(at)));
        table
    }

    /// In columns, two spaces apart; where the terminal is narrower, without what can be spared, or row by row.
    pub fn text(&self) -> String {
        match columns::terminal() {
            Some(most) => self.within(most),
            None => self.columns(),
        }
    }

    fn within(&self, most: usize) -> String {
        let fits = |text: &str| text.lines().all(|line| line.width() <= most);
        let (mut table, mut text) = (self.clone(), self.columns());
        let mut left_out = Vec::new();
        for &heading in self.spare.iter().filter(|heading| self.headings.contains(heading)) {
            if fits(&text) {
                break;
            }
            table = table.without(heading);
            text = table.columns();
            left_out.push(heading);
        }
        if !fits(&text) {
            return self.stacked(most);
        }
        if !left_out.is_empty() {
            let _ = writeln!(text, "(too narrow for {})", left_out.join(", "));
        }
        text
    }

    /// Each row on lines of its own: the cells on the left, below them those on the right, each
    /// behind its heading.
    fn stacked(&self, most: usize) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let full = |cell: &&String| !cell.is_empty();
            let name: Vec<&str> =
                row[..self.left.min(row.len())].iter().filter(full).map(|cell| &**cell).collect();
            for line in columns::filled(name, "  ", 0, most) {
                let _ = writeln!(text, "{line}");
            }
            let cells = self.headings.iter().zip(row).skip(self.left);
            let said: Vec<String> = cells
                .filter(|(_, cell)| !cell.is_empty())
                .map(|(heading, cell)| format!("{heading} {cell}").trim().to_owned())
                .collect();
            if !said.is_empty() {
                for line in columns::filled(said.iter().map(|cell| &**cell), ", ", 2, most) {
                    let _ = writeln!(text, "{line}");
                }
            }
        }
        text
    }

    fn columns(&self) -> String {
        aligned(&self.lines().collect::<Vec<_>>(), self.left, 0)
    }

    /// As a table of GitHub's Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (number, line) in self.lines().enumerate() {
            // Headings are ours, and need no escapes.
            let cell = |cell: &str| if number == 0 { cell.to_owned() } else { markdown_cell(cell) };
            let cells: Vec<String> = line.into_iter().map(cell).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
            if number == 0 {
                let side = |column| if column < self.left { "---" } else { "---:" };
                let sides: Vec<&str> = (0..self.headings.len()).map(side).collect();
                let _ = writeln!(text, "|{}|", sides.join("|"));
            }
        }
        text
    }

    /// As comma-separated values, after RFC 4180 but for the ends of lines, which are those of
    /// Unix.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for line in self.lines() {
            let cells: Vec<String> = line.into_iter().map(csv_cell).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        }
        text
    }
}

/// Rows in columns, two spaces apart and behind so many; the first columns stand on the left, the
/// others on the right.
pub(super) fn aligned<S: AsRef<str>>(rows: &[Vec<S>], left: usize, indent: usize) -> String {
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let width = |column| cells(column).map(|cell| cell.as_ref().width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    let mut text = String::new();
    for cells in rows {
        let mut row = String::new();
        for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let cell = cell.as_ref();
            let pad = width.saturating_sub(cell.width());
            let gap = if column == 0 { indent } else { 2 };
            let _ = match column < left {
                true => write!(row, "{:gap$}{cell}{:pad$}", "", ""),
                false => write!(row, "{:gap$}{:pad$}{cell}", "", ""),
            };
        }
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text
}

/// What would be read as markup is escaped, and a cell is one line.
fn markdown_cell(cell: &str) -> String {
    let mut text = String::new();
    for c in cell.chars() {
        match c {
            '|' | '\\' | '*' | '_' | '`' | '<' | '[' | ']' => {
                text.push('\\');
                text.push(c);
            }
            '\n' | '\r' => text.push(' '),
            c => text.push(c),
        }
    }
    text
}

/// In quotes where it must be, with the quotes inside doubled.
pub(super) fn csv_cell(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = vec![row(["a|b", "", "1,000"]), row(["\"c\"", "", "7"])];
        Table { headings: vec!["name", "none", "n"], left: 2, spare: &[], rows }
            .without_empty_columns()
    }

    #[test]
    fn for_people() {
        assert_eq!(table().text(), "name      n\na|b   1,000\n\"c\"       7\n");
    }

    #[test]
    fn for_people_with_narrow_terminals() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows = vec![row(["five", "bfs", "1,000", "2 ms"]), row(["", "astar", "7", ""])];
        let table = Table {
            headings: vec!["instance", "engine", "expanded", "time"],
            left: 2,
            spare: &["time"],
            rows,
        };
        let narrow = "five  bfs\n  expanded 1,000,\n  time 2 ms\nastar\n  expanded 7\n";
        assert_eq!(table.stacked(20), narrow);
        assert!(table.stacked(20).lines().all(|line| line.width() <= 20));
        let spared = "instance  engine  expanded\nfive      bfs        1,000\n          astar          7\n(too narrow for time)\n";
        assert_eq!(table.within(30), spared);
        assert_eq!(table.within(20), narrow);
    }

    #[test]
    fn as_markdown() {
        let expected = "| name | n |\n|---|---:|\n| a\\|b | 1,000 |\n| \"c\" | 7 |\n";
        assert_eq!(table().markdown(), expected);
    }

    #[test]
    fn as_comma_separated_values() {
        assert_eq!(table().csv(), "name,n\na|b,\"1,000\"\n\"\"\"c\"\"\",7\n");
    }
}
