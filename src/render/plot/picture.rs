//! A plot as SVG.

use super::ticks::Ticks;
use super::{Plot, Series, Shape};
use crate::svg::{Anchor, Svg, palette};

/// Width of a picture, and height without the legend.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
/// Room around the data.
const TOP: f64 = 36.0;
const RIGHT: f64 = 24.0;
const FOOT: f64 = 52.0;
/// Height of a line of the legend, and the width of a letter, about.
const LINE: f64 = 20.0;
const LETTER: f64 = 6.4;
/// Width of a sample in the legend.
const SAMPLE: f64 = 30.0;

/// How lines are broken, to tell them apart without colour.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// How a series looks.
struct Look {
    colour: &'static str,
    dash: &'static str,
    marker: usize,
}

impl Look {
    /// Of the series of this number. Those that share a colour differ in marker and dashes.
    fn of(number: usize) -> Look {
        let colours = palette::DATA.len();
        Look {
            colour: palette::DATA[number % colours],
            dash: DASHES[(number + number / colours) % DASHES.len()],
            marker: (number + number / colours) % 6,
        }
    }

    fn line(&self) -> String {
        let dash = match self.dash {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        format!("stroke=\"{}\" stroke-width=\"2\"{dash}", self.colour)
    }
}

/// The plot as a picture.
pub(super) fn svg(plot: &Plot) -> String {
    let (xs, ys) = plot.ticks();
    let widest = ys.at.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    let left = 40.0 + LETTER * widest as f64;
    let legend = legend_lines(plot, left);
    let height = HEIGHT + LINE * legend.len() as f64;
    let (wide, high) = (WIDTH - left - RIGHT, HEIGHT - TOP - FOOT);
    let x = |value: f64| left + wide * xs.part(value);
    let y = |value: f64| TOP + high * (1.0 - ys.part(value));
    let mut picture = Svg::new(WIDTH, height, &plot.title);
    picture.text((left, 22.0), Anchor::Start, "font-weight=\"bold\"", &plot.title);
    axes(&mut picture, plot, (&xs, &ys), (left, wide, high));
    for (number, series) in plot.series.iter().enumerate() {
        draw(&mut picture, plot, series, &Look::of(number), (&x, &y));
    }
    for (row, line) in legend.iter().enumerate() {
        let base = HEIGHT + LINE * row as f64 + 6.0;
        for &(number, at) in line {
            let (look, series) = (Look::of(number), &plot.series[number]);
            let middle = (at + SAMPLE / 2.0, base - 4.0);
            match series.shape {
                Shape::Bars => bar(&mut picture, (at, base - 10.0), (SAMPLE, 12.0), &look),
                _ => picture.line((at, base - 4.0), (at + SAMPLE, base - 4.0), &look.line()),
            }
            if series.shape == Shape::Points {
                marker(&mut picture, middle, &look);
            }
            picture.text((at + SAMPLE + 6.0, base), Anchor::Start, "", &series.name);
        }
    }
    picture.finish()
}

/// The series of each line of the legend, with where they stand.
fn legend_lines(plot: &Plot, left: f64) -> Vec<Vec<(usize, f64)>> {
    let mut lines: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut at = f64::INFINITY;
    // One series without a name needs none.
    for (number, series) in plot.series.iter().enumerate().filter(|(_, s)| !s.name.is_empty()) {
        let wide = SAMPLE + 24.0 + LETTER * series.name.chars().count() as f64;
        if at + wide > WIDTH - 4.0 {
            at = left;
            lines.push(Vec::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push((number, at));
        }
        at += wide;
    }
    lines
}

fn axes(
    picture: &mut Svg,
    plot: &Plot,
    (xs, ys): (&Ticks, &Ticks),
    (left, wide, high): (f64, f64, f64),
) {
    let pale = format!("stroke=\"{}\"", palette::PALE);
    let ink = format!("stroke=\"{}\"", palette::INK);
    let bottom = TOP + high;
    for (value, label) in &ys.at {
        let at = bottom - high * ys.part(*value);
        picture.line((left, at), (left + wide, at), &pale);
        picture.text((left - 7.0, at + 4.0), Anchor::End, "", label);
    }
    for (value, label) in &xs.at {
        let at = left + wide * xs.part(*value);
        picture.line((at, bottom), (at, bottom + 5.0), &ink);
        picture.text((at, bottom + 19.0), Anchor::Middle, "", label);
    }
    picture.line((left, bottom), (left + wide, bottom), &ink);
    picture.line((left, TOP), (left, bottom), &ink);
    picture.text((left + wide / 2.0, bottom + 38.0), Anchor::Middle, "", &plot.x.title);
    let turned = format!("transform=\"rotate(-90 16 {:.1})\"", TOP + high / 2.0);
    picture.text((16.0, TOP + high / 2.0), Anchor::Middle, &turned, &plot.y.title);
}

/// Where numbers lie in the picture.
type Places<'a> = (&'a dyn Fn(f64) -> f64, &'a dyn Fn(f64) -> f64);

fn draw(picture: &mut Svg, plot: &Plot, series: &Series, look: &Look, (x, y): Places<'_>) {
    let place = |&(a, b): &(f64, f64)| (x(a), y(b));
    match series.shape {
        Shape::Line => picture.polyline(series.points.iter().map(place), &look.line()),
        Shape::Points => {
            let means = series.means(plot.y.scale);
            picture.polyline(means.iter().map(place), &look.line());
            for point in &series.points {
                marker(picture, place(point), look);
            }
        }
        Shape::Bars => {
            let half = (x(1.0) - x(0.0)).abs() * 0.4;
            // Nothing has no height on any scale.
            for point in series.points.iter().filter(|point| point.1 > 0.0) {
                let (middle, top) = place(point);
                let foot = HEIGHT - FOOT;
                let top = top.min(foot - 1.0);
                bar(picture, (middle - half, top), (2.0 * half, foot - top), look);
            }
        }
    }
}

fn bar(picture: &mut Svg, at: (f64, f64), size: (f64, f64), look: &Look) {
    picture.rect(at, size, &format!("fill=\"{}\"", look.colour));
}

/// A sign at a point: circle, square, triangle, diamond, cross, plus.
fn marker(picture: &mut Svg, (x, y): (f64, f64), look: &Look) {
    let colour = look.colour;
    let corners = |corners: &[(f64, f64)]| -> String {
        let points: Vec<String> =
            corners.iter().map(|(a, b)| format!("{:.1},{:.1}", x + a, y + b)).collect();
        format!("<polygon points=\"{}\" fill=\"{colour}\"/>", points.join(" "))
    };
    let thick = format!("stroke=\"{colour}\" stroke-width=\"2\"");
    match look.marker {
        0 => picture.circle((x, y), 4.0, &format!("fill=\"{colour}\"")),
        1 => picture.rect((x - 3.5, y - 3.5), (7.0, 7.0), &format!("fill=\"{colour}\"")),
        2 => picture.raw(&corners(&[(0.0, -5.0), (4.8, 3.8), (-4.8, 3.8)])),
        3 => picture.raw(&corners(&[(0.0, -5.2), (5.2, 0.0), (0.0, 5.2), (-5.2, 0.0)])),
        4 => {
            picture.line((x - 4.0, y - 4.0), (x + 4.0, y + 4.0), &thick);
            picture.line((x - 4.0, y + 4.0), (x + 4.0, y - 4.0), &thick);
        }
        _ => {
            picture.line((x - 5.0, y), (x + 5.0, y), &thick);
            picture.line((x, y - 5.0), (x, y + 5.0), &thick);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::rising;

    #[test]
    fn a_line_as_a_picture() {
        let picture = rising().svg();
        // From the lower left to the upper right corner of the field, through its middle.
        assert!(picture.contains("points=\"65.6,348.0 340.8,192.0 616.0,36.0\""), "{picture}");
        assert!(picture.contains("a &lt; b") && picture.contains("rules &amp; more"));
        assert!(picture.contains(">games<") && picture.contains(">won<"));
    }
}
