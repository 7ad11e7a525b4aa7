//! Bars beside names, with the interval in which each value lies.

use crate::svg::{Anchor, Svg, palette};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use zug_tools::columns;

/// A bar, in parts of 1.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What it belongs to.
    pub name: String,
    /// Its length.
    pub value: f64,
    /// Where the value lies.
    pub interval: (f64, f64),
}

/// Bars below each other.
#[derive(Clone, Debug)]
pub struct Bars {
    /// What they show.
    pub title: String,
    /// What is measured.
    pub axis: String,
    /// What the intervals are.
    pub note: String,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// Columns of the longest bar on a terminal.
const COLUMNS: usize = 50;
/// Columns for what stands beside the field.
const MARGIN: usize = 34;

/// The columns of the field: fewer on a narrow terminal.
fn wide() -> usize {
    columns::most(COLUMNS + MARGIN).saturating_sub(MARGIN).max(10)
}

/// Width of a picture, height of a bar with the room around it.
const WIDTH: f64 = 640.0;
const ROW: f64 = 30.0;
const TOP: f64 = 40.0;
const LETTER: f64 = 6.8;
/// Letters of a name that are shown.
const LONGEST: usize = 28;

fn short(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

impl Bars {
    /// The bars as lines of text: `#` up to the value, `|` and `-` for the interval.
    pub fn text(&self) -> String {
        let width = self.bars.iter().map(|bar| short(&bar.name).width()).max().unwrap_or(0);
        let column = |part: f64| (part.clamp(0.0, 1.0) * wide() as f64).round() as usize;
        let mut text = String::new();
        for bar in &self.bars {
            let mut line = vec![' '; wide() + 1];
            line[..column(bar.value)].fill('#');
            let (low, high) = (column(bar.interval.0), column(bar.interval.1));
            line[low..=high].fill('-');
            line[low] = '|';
            line[high] = '|';
            let name = short(&bar.name);
            let pad = width - name.width();
            let line: String = line.iter().collect();
            let _ = writeln!(text, "{}", format!("  {:pad$}{name} |{line}", "").trim_end());
        }
        let (half, whole) = (wide() / 2 - 1, wide() / 2);
        let axis = format!("-{}+{}+", "-".repeat(half), "-".repeat(whole - 1));
        let _ = writeln!(text, "  {:width$} +{axis}", "");
        let _ = writeln!(text, "  {:width$}  0%{:>half$}{:>whole$}", "", "50%", "100%");
        let _ = writeln!(text, "  {:width$}  {}", "", self.axis);
        let _ = writeln!(text, "  {:width$}  |--|  {}", "", self.note);
        text
    }

    /// The bars as a picture.
    pub fn svg(&self) -> String {
        let longest = self.bars.iter().map(|bar| short(&bar.name).width()).max().unwrap_or(0);
        let left = 24.0 + LETTER * longest as f64;
        let wide = WIDTH - left - 36.0;
        let bottom = TOP + ROW * self.bars.len() as f64;
        let mut picture = Svg::new(WIDTH, bottom + 74.0, &self.title);
        picture.text((12.0, 22.0), Anchor::Start, "font-weight=\"bold\"", &self.title);
        let x = |part: f64| left + wide * part.clamp(0.0, 1.0);
        for percent in [0, 25, 50, 75, 100] {
            let at = x(f64::from(percent) / 100.0);
            let grid = format!("stroke=\"{}\"", palette::PALE);
            picture.line((at, TOP), (at, bottom), &grid);
            picture.text((at, bottom + 16.0), Anchor::Middle, "", &format!("{percent}%"));
        }
        let ink = format!("stroke=\"{}\" stroke-width=\"1.5\"", palette::INK);
        for (row, bar) in self.bars.iter().enumerate() {
            let top = TOP + ROW * row as f64;
            let middle = top + ROW / 2.0;
            let fill = format!("fill=\"{}\"", palette::SKY);
            picture.rect((left, top + 5.0), (x(bar.value) - left, ROW - 10.0), &fill);
            picture.text((left - 8.0, middle + 4.0), Anchor::End, "", &short(&bar.name));
            whisker(&mut picture, (x(bar.interval.0), x(bar.interval.1)), middle, &ink);
        }
        picture.line((left, TOP), (left, bottom), &format!("stroke=\"{}\"", palette::INK));
        picture.text((left + wide / 2.0, bottom + 36.0), Anchor::Middle, "", &self.axis);
        whisker(&mut picture, (left, left + 30.0), bottom + 54.0, &ink);
        picture.text((left + 38.0, bottom + 58.0), Anchor::Start, "", &self.note);
        picture.finish()
    }
}

/// The interval from one place to another.
fn whisker(picture: &mut Svg, (low, high): (f64, f64), y: f64, style: &str) {
    picture.line((low, y), (high, y), style);
    picture.line((low, y - 5.0), (low, y + 5.0), style);
    picture.line((high, y - 5.0), (high, y + 5.0), style);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars() -> Bars {
        let bar = |name: &str, value, interval| Bar { name: name.to_owned(), value, interval };
        Bars {
            title: "who wins".to_owned(),
            axis: "matches won".to_owned(),
            note: "95% confidence".to_owned(),
            bars: vec![bar("a<b", 0.5, (0.4, 0.6)), bar("c", 0.0, (0.0, 0.04))],
        }
    }

    #[test]
    fn bars_on_a_terminal() {
        let text = bars().text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], format!("  a<b |{}|---------|", "#".repeat(20)));
        assert_eq!(lines[1], "    c ||-|");
        assert!(lines[3].ends_with("100%"), "{text}");
    }

    #[test]
    fn bars_as_a_picture() {
        let picture = bars().svg();
        assert!(picture.contains("a&lt;b") && picture.contains("matches won"), "{picture}");
        assert_eq!(picture.matches("<rect").count(), 3);
    }
}
