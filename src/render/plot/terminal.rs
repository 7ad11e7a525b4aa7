//! A plot as lines of text.

use super::ticks::Ticks;
use super::{Plot, Series, Shape};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use zug_tools::columns;

/// Rows and columns of the field.
const ROWS: usize = 12;
const COLUMNS: usize = 60;
/// Columns for what stands beside the field.
const MARGIN: usize = 16;

/// The columns of the field: fewer on a narrow terminal.
fn wide() -> usize {
    columns::most(COLUMNS + MARGIN).saturating_sub(MARGIN).max(10)
}

/// The signs of the series in turn.
const SIGNS: [char; 12] = ['*', 'o', '+', 'x', '#', '@', '%', '&', '=', '$', '~', '?'];

/// The plot as lines of text.
pub(super) fn text(plot: &Plot) -> String {
    let (xs, ys) = plot.ticks();
    let mut field = vec![vec![' '; wide() + 1]; ROWS + 1];
    // Earlier series lie above later ones.
    for (number, series) in plot.series.iter().enumerate().rev() {
        let sign = SIGNS[number % SIGNS.len()];
        for (column, row) in cells(series, (&xs, &ys)) {
            field[ROWS - row][column] = sign;
        }
    }
    let labels = row_labels(&ys);
    let width = labels.iter().flatten().map(|label| label.width()).max().unwrap_or(0);
    let mut text = format!("{:width$}   {}\n", "", plot.y.title);
    for (line, label) in field.iter().zip(labels.iter().rev()) {
        let line: String = line.iter().collect();
        let tick = if label.is_some() { '+' } else { '|' };
        let label = label.as_deref().unwrap_or("");
        let _ = writeln!(text, "{}", format!(" {label:>width$} {tick}{line}").trim_end());
    }
    text += &foot(&xs, width, &plot.x.title);
    for (number, series) in plot.series.iter().enumerate().filter(|(_, s)| !s.name.is_empty()) {
        let sign = SIGNS[number % SIGNS.len()];
        let _ = writeln!(text, "{:width$}   {sign}  {}", "", series.name);
    }
    text
}

/// The columns and rows, counted from below, that a series covers.
fn cells(series: &Series, (xs, ys): (&Ticks, &Ticks)) -> Vec<(usize, usize)> {
    let column = |x: f64| (xs.part(x) * wide() as f64).round() as usize;
    let row = |y: f64| (ys.part(y) * ROWS as f64).round() as usize;
    match series.shape {
        Shape::Points => series.points.iter().map(|&(x, y)| (column(x), row(y))).collect(),
        Shape::Bars => {
            let shown = series.points.iter().filter(|point| point.1 > 0.0);
            shown.flat_map(|&(x, y)| (0..=row(y)).map(move |at| (column(x), at))).collect()
        }
        Shape::Line => {
            let values = (0..=wide()).map(|column| {
                let x = xs.value(column as f64 / wide() as f64);
                Some((column, row(at(&series.points, x)?)))
            });
            values.flatten().collect()
        }
    }
}

/// The y at an x, on a straight line between the points beside it.
fn at(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let next = points.iter().position(|point| point.0 >= x)?;
    let (right, y) = points[next];
    let Some(&(left, before)) = next.checked_sub(1).and_then(|at| points.get(at)) else {
        return (right - x <= 0.0).then_some(y);
    };
    Some(before + (x - left) / (right - left) * (y - before))
}

/// The label of each row, counted from below.
fn row_labels(ys: &Ticks) -> Vec<Option<String>> {
    let mut labels = vec![None; ROWS + 1];
    for (value, label) in &ys.at {
        labels[(ys.part(*value) * ROWS as f64).round() as usize].get_or_insert(label.clone());
    }
    labels
}

/// The horizontal axis with its labels and title.
fn foot(xs: &Ticks, width: usize, title: &str) -> String {
    let mut axis = vec!['-'; wide() + 1];
    let mut labels = String::new();
    for (value, label) in &xs.at {
        let column = (xs.part(*value) * wide() as f64).round() as usize;
        // The corner has a tick already.
        axis[column] = if column == 0 { '-' } else { '+' };
        let start = (column + width + 3).saturating_sub(label.width() / 2);
        // A label that would touch the one before is left out.
        if labels.is_empty() || labels.width() < start {
            let pad = start - labels.width();
            let _ = write!(labels, "{:pad$}{label}", "");
        }
    }
    let axis: String = axis.iter().collect();
    let centre = (wide() / 2 + width + 3).saturating_sub(title.width() / 2);
    format!(" {:width$} +{}\n{labels}\n{:centre$}{title}\n", "", &axis, "")
}

#[cfg(test)]
mod tests {
    use super::super::tests::rising;
    use super::super::{Axis, Plot, Series, Shape};

    #[test]
    fn a_line_on_a_terminal() {
        let text = rising().text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].trim(), "won");
        assert!(lines[1].starts_with(" 100% +") && lines[1].ends_with('*'), "{text}");
        assert!(lines[13].starts_with("   0% +*"), "{text}");
        assert_eq!(lines[16].trim(), "games");
        assert_eq!(lines[17].trim(), "*  a < b");
    }

    #[test]
    fn points_on_logarithmic_axes() {
        let series =
            |name: &str, points| Series { name: name.to_owned(), shape: Shape::Points, points };
        let plot = Plot {
            title: String::new(),
            x: Axis::new("depth"),
            y: Axis::new("nodes").log(),
            series: vec![
                series("a", vec![(0.0, 1.0), (10.0, 10_000.0)]),
                series("b", vec![(5.0, 100.0), (10.0, 0.0)]),
            ],
        };
        let text = plot.text();
        let rows: Vec<&str> =
            text.lines().filter(|line| line.contains(['*', 'o']) && line.contains('+')).collect();
        assert!(rows[0].starts_with(" 10,000 +") && rows[0].ends_with('*'), "{text}");
        assert_eq!(rows[1].find('o'), Some(9 + 30), "{text}");
        assert!(rows[2].starts_with("      1 +*") && rows[2].ends_with('o'), "{text}");
    }
}
