//! Curves of shares from 0 to 1 over a count: on a terminal, and as SVG.

use super::number::grouped;
use super::svg::{Anchor, Svg, palette};
use std::fmt::Write;

/// A curve: what it is called, its sign on a terminal, its colour, its points by count.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What it shows.
    pub name: String,
    /// Its sign on a terminal.
    pub sign: char,
    /// Its colour in a picture, as CSS has it.
    pub colour: &'static str,
    /// Counts, in order, and shares.
    pub points: Vec<(u64, f64)>,
}

/// Rows and columns on a terminal.
const ROWS: usize = 10;
const COLUMNS: usize = 60;

fn last(curves: &[Curve]) -> u64 {
    let ends = curves.iter().filter_map(|curve| curve.points.last());
    ends.map(|&(count, _)| count).max().unwrap_or(0).max(1)
}

/// The share at a count, on a straight line between the points beside it.
fn at(points: &[(u64, f64)], count: f64) -> Option<f64> {
    let next = points.iter().position(|&(other, _)| other as f64 >= count)?;
    let (right, share) = points[next];
    let Some(&(left, before)) = next.checked_sub(1).and_then(|at| points.get(at)) else {
        return Some(share);
    };
    let part = (count - left as f64) / (right - left).max(1) as f64;
    Some(before + part * (share - before))
}

/// Curves as lines of text; earlier ones lie above later ones. `unit` is what is counted.
pub fn text(curves: &[Curve], unit: &str) -> String {
    let mut field = [[' '; COLUMNS]; ROWS + 1];
    let end = last(curves);
    let column_at = |column: usize| end as f64 * column as f64 / (COLUMNS - 1) as f64;
    for curve in curves.iter().rev() {
        let shares = (0..COLUMNS).map(|column| at(&curve.points, column_at(column)));
        for (column, share) in shares.enumerate() {
            let Some(share) = share else { continue };
            let row = (share.clamp(0.0, 1.0) * ROWS as f64).round() as usize;
            field[ROWS - row][column] = curve.sign;
        }
    }
    let mut text = String::new();
    for (row, line) in field.iter().enumerate() {
        let label = match row * 100 / ROWS {
            0 => "100%",
            50 => "50%",
            100 => "0%",
            _ => "",
        };
        let line: String = line.iter().collect();
        let _ = writeln!(text, "{}", format!("{label:>5} |{line}").trim_end());
    }
    let end = format!("{} {unit}", grouped(end));
    let _ = writeln!(text, "      +{}", "-".repeat(COLUMNS));
    let _ = writeln!(text, "       0{end:>width$}", width = COLUMNS - 1);
    for curve in curves {
        let _ = writeln!(text, "      {}  {}", curve.sign, curve.name);
    }
    text
}

/// Width and height of a picture, and the room around the curves.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 50.0;
const TOP: f64 = 30.0;
const FOOT: f64 = 40.0;

/// Curves as a picture.
pub fn svg(title: &str, curves: &[Curve], unit: &str) -> String {
    let end = last(curves) as f64;
    let (wide, high) = (WIDTH - LEFT - 20.0, HEIGHT - TOP - FOOT);
    let x = |count: f64| LEFT + wide * count / end;
    let y = |share: f64| TOP + high * (1.0 - share);
    let mut picture = Svg::new(WIDTH, HEIGHT, title);
    picture.text((LEFT, 18.0), Anchor::Start, "font-weight=\"bold\"", title);
    for percent in [0, 25, 50, 75, 100] {
        let at = y(f64::from(percent) / 100.0);
        picture.line((LEFT, at), (x(end), at), &format!("stroke=\"{}\"", palette::PALE));
        picture.text((LEFT - 6.0, at + 4.0), Anchor::End, "", &format!("{percent}%"));
    }
    for quarter in 0..=4 {
        let count = end * f64::from(quarter) / 4.0;
        let label = grouped(count.round() as u64);
        let (anchor, label) = match quarter {
            4 => (Anchor::End, format!("{label} {unit}")),
            _ => (Anchor::Middle, label),
        };
        picture.text((x(count), HEIGHT - FOOT + 18.0), anchor, "", &label);
    }
    for (number, curve) in curves.iter().enumerate() {
        let points = curve.points.iter().map(|&(count, share)| (x(count as f64), y(share)));
        picture.polyline(points, &format!("stroke=\"{}\" stroke-width=\"2\"", curve.colour));
        let at = (x(end), y(0.0) - 8.0 - 16.0 * number as f64);
        picture.text(at, Anchor::End, &format!("fill=\"{}\"", curve.colour), &curve.name);
    }
    picture.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rising() -> Curve {
        let points = vec![(0, 0.0), (50, 0.5), (100, 1.0)];
        Curve { name: "a < b".to_owned(), sign: '*', colour: "red", points }
    }

    #[test]
    fn a_curve_on_a_terminal() {
        let text = text(&[rising()], "games");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with(" 100% |") && lines[0].ends_with('*'));
        assert!(lines[10].starts_with("   0% |*"));
        assert_eq!(lines[12].split_whitespace().last(), Some("games"));
    }

    #[test]
    fn a_curve_as_a_picture() {
        let picture = svg("rules & more", &[rising()], "games");
        assert!(picture.contains("points=\"50.0,320.0 335.0,175.0 620.0,30.0\""), "{picture}");
        assert!(picture.contains("a &lt; b") && picture.contains("rules &amp; more"));
    }
}
