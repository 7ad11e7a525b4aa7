//! What the specialiser made of a rule file.

use super::number::{counted, grouped};
use super::style::{Theme, paint};
use std::fmt::Write;
use zug_code::{CodeFigures, Examined, ExaminedShape, Stage};
use zug_usecases::specialise::once;

/// Shapes whose figures are shown one by one; of more, the sums.
const SINGLE: usize = 3;
/// Shapes of which a text is shown.
const TEXTS: usize = 4;
/// Shapes that are listed.
const LISTED: usize = 20;
/// Characters shown of a shape.
const LONGEST: usize = 72;

/// All predicates: figures, or the text of one of the stages.
pub fn text(all: &[Examined], stage: Stage, theme: &Theme) -> String {
    let mut text = String::new();
    for examined in all {
        let _ = writeln!(text, "{}", paint(theme.strong, &examined.what));
        match examined.shapes.len() {
            0 => text += "  was not asked about\n",
            _ if !matches!(stage, Stage::Stats | Stage::Verdict) => {
                text += &stages(&examined.shapes, stage, theme);
            }
            1..=SINGLE => {
                for shape in &examined.shapes {
                    let _ = writeln!(text, "  {}", cut(&shape.shape));
                    text += &figures(std::slice::from_ref(shape), theme);
                }
            }
            _ => {
                let first = examined.shapes.first().map_or("", |shape| &shape.shape);
                let shapes = examined.shapes.len();
                let _ = writeln!(text, "  {} and {} more shapes", cut(first), shapes - 1);
                text += &figures(&examined.shapes, theme);
            }
        }
    }
    text
}

/// A shape, not too long.
fn cut(shape: &str) -> String {
    match shape.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &shape[..end]),
        None => shape.to_owned(),
    }
}

/// Shapes with the texts that were asked for.
fn stages(shapes: &[ExaminedShape], stage: Stage, theme: &Theme) -> String {
    let mut text = String::new();
    let most = if stage == Stage::Shape { LISTED } else { TEXTS };
    let (shown, rest) = shapes.split_at(shapes.len().min(most));
    for shape in shown {
        let _ = writeln!(text, "  S = {}", shape.shape);
        if let Err(obstacle) = &shape.outcome {
            let machine = paint(theme.warning, "machine");
            let _ = writeln!(text, "    {machine}: {}", obstacle.text);
        }
        for line in shape.text.lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    if !rest.is_empty() {
        let line = format!("  and {} more shapes", rest.len());
        let _ = writeln!(text, "{}", paint(theme.dim, &line));
    }
    text.push('\n');
    text
}

/// The figures of shapes added up, and what stands in the way, once.
fn figures(shapes: &[ExaminedShape], theme: &Theme) -> String {
    let mut text = String::new();
    let with_code: Vec<&CodeFigures> =
        shapes.iter().filter_map(|shape| shape.outcome.as_ref().ok()).collect();
    if !with_code.is_empty() {
        let of = match with_code.len() == shapes.len() {
            true => String::new(),
            false => format!(" for {}", counted(with_code.len() as u64, "shape")),
        };
        let sum = |noun, part: fn(&CodeFigures) -> u64| {
            counted(with_code.iter().map(|figures| part(figures)).sum::<u64>(), noun)
        };
        let time: f64 = with_code.iter().map(|code| code.time.as_secs_f64()).sum();
        let _ = writeln!(
            text,
            "    {}{of}: {}, {}, {}; {} in {:.1} ms",
            paint(theme.good, "code"),
            sum("value", |code| code.values as u64),
            sum("block", |code| code.blocks as u64),
            sum("table", |code| code.tables as u64),
            sum("step", |code| code.steps),
            time * 1e3,
        );
    }
    text += &machine(shapes, theme);
    let given_back: u64 =
        shapes.iter().filter(|shape| shape.outcome.is_ok()).map(|shape| shape.given_back).sum();
    if given_back > 0 {
        let asked: u64 = shapes.iter().map(|shape| shape.asked).sum();
        let (back, all) = (grouped(given_back), counted(asked, "state"));
        let _ = writeln!(text, "    gave {back} of {all} back to the machine");
        let gave = shapes.iter().filter(|shape| shape.given_back > 0);
        for obstacle in once(gave.flat_map(|shape| &shape.gives_back)) {
            let line = format!("    gives back where {}", obstacle.text);
            let _ = writeln!(text, "{}", paint(theme.dim, &line));
        }
    }
    text
}

/// What leaves shapes to the machine.
fn machine(shapes: &[ExaminedShape], theme: &Theme) -> String {
    let mut text = String::new();
    let obstacles = || shapes.iter().filter_map(|shape| shape.outcome.as_ref().err());
    for obstacle in once(obstacles()) {
        let count = obstacles().filter(|other| *other == obstacle).count() as u64;
        let of = match shapes.len() {
            1 => String::new(),
            _ => format!(" for {}", counted(count, "shape")),
        };
        let _ = writeln!(text, "    {}{of}: {}", paint(theme.warning, "machine"), obstacle.text);
        if let Some(hint) = obstacle.hint {
            let _ = writeln!(text, "    {}", paint(theme.dim, hint));
        }
    }
    text
}
