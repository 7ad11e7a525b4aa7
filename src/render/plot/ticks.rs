//! Where an axis begins and ends, and at which round numbers it has ticks: steps of 1, 2 or 5
//! times a power of ten (P. Heckbert, *Nice Numbers for Graph Labels*, 1990).

use super::{Axis, Scale, Unit};
use crate::number::grouped;

/// Ticks that a linear axis has about.
const ABOUT: f64 = 5.0;
/// Powers of ten on a logarithmic axis beyond which not each of them has a tick.
const MOST_POWERS: u32 = 8;

/// An axis with its ends and ticks.
#[derive(Clone, Debug)]
pub struct Ticks {
    scale: Scale,
    low: f64,
    high: f64,
    /// The greatest number of the data.
    end: f64,
    /// The numbers with a tick, and their labels.
    pub at: Vec<(f64, String)>,
}

impl Ticks {
    /// The axis for these values, from one tick to another.
    pub fn over(axis: &Axis, values: impl Iterator<Item = f64>) -> Ticks {
        let fits = |value: &f64| value.is_finite() && (axis.scale == Scale::Linear || *value > 0.0);
        let ends = values.filter(fits).fold(None, |ends: Option<(f64, f64)>, value| {
            Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        });
        let (low, high) = ends.unwrap_or((1.0, 1.0));
        match (axis.unit, axis.scale) {
            (Unit::Share, _) => Ticks::shares(),
            (_, Scale::Log) => Ticks::log(low, high),
            (_, Scale::Linear) => Ticks::linear(low.min(0.0), high),
        }
    }

    fn shares() -> Ticks {
        let at = [0, 25, 50, 75, 100].map(|n| (f64::from(n) / 100.0, format!("{n}%")));
        Ticks { scale: Scale::Linear, low: 0.0, high: 1.0, end: 1.0, at: at.into() }
    }

    /// The same axis ending where the data do, if it is linear; `bars` need room on both sides.
    pub fn ending_with_data(mut self, bars: bool) -> Ticks {
        if self.scale == Scale::Linear && self.end > self.low {
            let end = self.end;
            self.at.retain(|(value, _)| *value <= end * (1.0 + 1e-9));
            self.high = end;
        }
        if bars {
            self.low -= 0.6;
            self.high += 0.6;
        }
        self
    }

    fn linear(low: f64, high: f64) -> Ticks {
        let span = if high > low { high - low } else { 1.0 };
        let step = nice(span / ABOUT);
        // What is counted has no ticks between whole numbers.
        let step = if low.fract() == 0.0 && high.fract() == 0.0 { step.max(1.0) } else { step };
        let first = (low / step).floor();
        let last = (high.max(low + span) / step - 1e-9).ceil();
        let digits = if step >= 1.0 { 0 } else { (-step.log10().floor()) as usize };
        // Numbers beyond what a float tells apart have no ticks.
        let count = ((last - first) as usize).min(100);
        let at = (0..=count).map(|n| (first + n as f64) * step);
        Ticks {
            scale: Scale::Linear,
            low: first * step,
            high: last * step,
            end: high,
            at: at.map(|value| (value, label(value, digits))).collect(),
        }
    }

    fn log(low: f64, high: f64) -> Ticks {
        let first = (low.log10() + 1e-9).floor() as i32;
        let last = ((high.log10() - 1e-9).ceil() as i32).max(first + 1);
        let every = (last - first).unsigned_abs().div_ceil(MOST_POWERS).max(1);
        let powers = (first..=last).step_by(every as usize);
        let at = powers.map(|power| {
            let value = 10f64.powi(power);
            (value, label(value, power.min(0).unsigned_abs() as usize))
        });
        let (low, end) = (10f64.powi(first), high);
        Ticks { scale: Scale::Log, low, high: 10f64.powi(last), end, at: at.collect() }
    }

    /// Where a number lies between the ends, as a part of 1; what has no place lies at the low
    /// end.
    pub fn part(&self, value: f64) -> f64 {
        let part = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log if value > 0.0 => (value / self.low).ln() / (self.high / self.low).ln(),
            Scale::Log => 0.0,
        };
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The number that lies at a part of 1.
    pub fn value(&self, part: f64) -> f64 {
        match self.scale {
            Scale::Linear => self.low + part * (self.high - self.low),
            Scale::Log => self.low * (self.high / self.low).powf(part),
        }
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not less.
fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let times =
        [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power >= step * (1.0 - 1e-9));
    times.unwrap_or(10.0) * power
}

/// A number at a tick: short where it is large.
fn label(value: f64, digits: usize) -> String {
    const UNITS: [(f64, &str); 3] = [(1e12, "T"), (1e9, "G"), (1e6, "M")];
    if digits > 0 || value < 0.0 {
        return format!("{value:.digits$}");
    }
    for (unit, name) in UNITS {
        if value >= unit && (value / unit * 10.0).fract().abs() < 1e-6 && value < 1e15 {
            return format!("{}{name}", value / unit);
        }
    }
    if value >= 1e15 { format!("{value:e}") } else { grouped(value.round() as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(axis: &Axis, values: &[f64], expected: &[&str]) -> Ticks {
        let ticks = Ticks::over(axis, values.iter().copied());
        let labels: Vec<&str> = ticks.at.iter().map(|(_, label)| &**label).collect();
        assert_eq!(labels, expected);
        ticks
    }

    #[test]
    fn linear_axes_have_round_numbers() {
        let axis = Axis::new("n");
        check(&axis, &[3.0, 31.0], &["0", "10", "20", "30", "40"]);
        check(&axis, &[0.0, 24_047.0], &["0", "5,000", "10,000", "15,000", "20,000", "25,000"]);
        check(&axis, &[0.0, 2.0], &["0", "1", "2"]);
        check(&axis, &[1.0], &["0", "1"]);
        check(&axis, &[], &["0", "1"]);
        check(&axis, &[0.0, 0.7], &["0.0", "0.2", "0.4", "0.6", "0.8"]);
        check(&axis, &[-4.0, 4.0], &["-4", "-2", "0", "2", "4"]);
        check(&axis, &[9e6], &["0", "2M", "4M", "6M", "8M", "10M"]);
        check(&axis, &[f64::NAN, f64::INFINITY, 4.0], &["0", "1", "2", "3", "4"]);
        check(&axis.shares(), &[0.3], &["0%", "25%", "50%", "75%", "100%"]);
    }

    #[test]
    fn an_axis_may_end_with_the_data() {
        let over = |values: &[f64]| Ticks::over(&Axis::new("n"), values.iter().copied());
        let plain = over(&[0.0, 31.0]).ending_with_data(false);
        let labels: Vec<&str> = plain.at.iter().map(|(_, label)| &**label).collect();
        assert_eq!(labels, ["0", "10", "20", "30"]);
        assert_eq!((plain.part(31.0), plain.part(0.0)), (1.0, 0.0));
        let bars = over(&[0.0, 31.0]).ending_with_data(true);
        assert!(bars.part(31.0) < 1.0 && bars.part(0.0) > 0.0);
        // One point at 0 still has an axis.
        assert_eq!(over(&[0.0]).ending_with_data(false).part(1.0), 1.0);
    }

    #[test]
    fn logarithmic_axes_have_powers_of_ten() {
        let axis = Axis::new("n").log();
        let ticks = check(&axis, &[3.0, 2_000.0], &["1", "10", "100", "1,000", "10,000"]);
        assert!((ticks.part(100.0) - 0.5).abs() < 1e-12);
        assert!((ticks.value(0.5) - 100.0).abs() < 1e-9);
        assert_eq!((ticks.part(0.0), ticks.part(1e9)), (0.0, 1.0));
        check(&axis, &[1.0, 1.0], &["1", "10"]);
        check(&axis, &[10.0, 1000.0], &["10", "100", "1,000"]);
        check(&axis, &[0.02, 3.0], &["0.01", "0.1", "1", "10"]);
        check(&axis, &[0.0, 1.0, 2e12, 1e12], &["1", "100", "10,000", "1M", "100M", "10G", "1T"]);
        check(&axis, &[1.0, 1e18], &["1", "1,000", "1M", "1G", "1T", "1e15", "1e18"]);
    }
}
