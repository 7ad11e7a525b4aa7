//! Plots: series of points over two axes, as SVG and on a terminal; and bars beside names.
//!
//! Series are told apart by colour, by marker and by dashes, so that a print in black and white
//! can be read; the legend stands below the picture, where no data are.

mod bars;
mod picture;
mod terminal;
mod ticks;

pub use bars::{Bar, Bars};

/// How numbers lie along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal quotients; what is not positive has no place.
    Log,
}

/// What the numbers of an axis are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Numbers.
    Number,
    /// Parts of 1, shown as percent from 0 to 100.
    Share,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is measured.
    pub title: String,
    /// How.
    pub scale: Scale,
    /// In what.
    pub unit: Unit,
}

impl Axis {
    /// A linear axis of numbers.
    pub fn new(title: &str) -> Axis {
        Axis { title: title.to_owned(), scale: Scale::Linear, unit: Unit::Number }
    }

    /// The same, logarithmic.
    #[must_use]
    pub fn log(self) -> Axis {
        Axis { scale: Scale::Log, ..self }
    }

    /// The same for parts of 1.
    #[must_use]
    pub fn shares(self) -> Axis {
        Axis { unit: Unit::Share, ..self }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A line from point to point, without markers.
    Line,
    /// A marker at every point, and a line through the mean of each x: the geometric one on a
    /// logarithmic axis.
    Points,
    /// A bar from the axis to every point.
    Bars,
}

/// A set of data.
#[derive(Clone, Debug)]
pub struct Series {
    /// What it shows.
    pub name: String,
    /// How.
    pub shape: Shape,
    /// The points, by x.
    pub points: Vec<(f64, f64)>,
}

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical one.
    pub y: Axis,
    /// The data; earlier ones lie above later ones on a terminal.
    pub series: Vec<Series>,
}

impl Plot {
    /// The plot as a picture.
    pub fn svg(&self) -> String {
        picture::svg(self)
    }

    /// The plot as lines of text.
    pub fn text(&self) -> String {
        terminal::text(self)
    }

    /// Where the axes begin and end, with their ticks.
    fn ticks(&self) -> (ticks::Ticks, ticks::Ticks) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let bars = self.series.iter().any(|series| series.shape == Shape::Bars);
        let x = ticks::Ticks::over(&self.x, points().map(|point| point.0)).ending_with_data(bars);
        let y = ticks::Ticks::over(&self.y, points().map(|point| point.1));
        (x, y)
    }
}

impl Series {
    /// The mean of y at every x, in the order of x.
    fn means(&self, scale: Scale) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = self.points.clone();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mean = |group: &[(f64, f64)]| {
            let count = group.len() as f64;
            match scale {
                Scale::Linear => group.iter().map(|point| point.1).sum::<f64>() / count,
                Scale::Log => (group.iter().map(|point| point.1.ln()).sum::<f64>() / count).exp(),
            }
        };
        points.chunk_by(|a, b| a.0 == b.0).map(|group| (group[0].0, mean(group))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn rising() -> Plot {
        let points = vec![(0.0, 0.0), (50.0, 0.5), (100.0, 1.0)];
        let series = Series { name: "a < b".to_owned(), shape: Shape::Line, points };
        let (x, y) = (Axis::new("games"), Axis::new("won").shares());
        Plot { title: "rules & more".to_owned(), x, y, series: vec![series] }
    }

    #[test]
    fn means_are_those_of_the_axis() {
        let points = vec![(2.0, 100.0), (1.0, 5.0), (2.0, 1.0)];
        let series = Series { name: String::new(), shape: Shape::Points, points };
        assert_eq!(series.means(Scale::Linear), [(1.0, 5.0), (2.0, 50.5)]);
        let means = series.means(Scale::Log);
        assert!((means[1].1 - 10.0).abs() < 1e-9, "{means:?}");
    }
}
