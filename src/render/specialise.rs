//! What the specialiser made of a rule file.

use super::number::grouped;
use super::style::{Theme, paint};
use crate::domain::specialise::{Examined, ExaminedShape, Stage};
use std::fmt::Write;

/// Shapes shown of one predicate.
const SHAPES: usize = 12;
/// Characters shown of a shape in a table.
const LONGEST: usize = 100;

/// All predicates: figures, or the text of one of the stages.
pub fn text(all: &[Examined], stage: Stage, theme: &Theme) -> String {
    let mut text = String::new();
    for examined in all {
        let _ = writeln!(text, "{}", paint(theme.strong, &examined.what));
        if examined.shapes.is_empty() {
            let _ = writeln!(text, "  was not asked about");
        }
        let (shown, rest) = examined.shapes.split_at(examined.shapes.len().min(SHAPES));
        for shape in shown {
            text += &of_shape(shape, stage, theme);
        }
        if !rest.is_empty() {
            let code = rest.iter().filter(|shape| shape.outcome.is_ok()).count();
            let line = format!("  and {} more shapes, {code} of them with code", rest.len());
            let _ = writeln!(text, "{}", paint(theme.dim, &line));
        }
    }
    text
}

fn of_shape(shape: &ExaminedShape, stage: Stage, theme: &Theme) -> String {
    let mut text = String::new();
    if stage != Stage::Stats {
        let _ = writeln!(text, "  S = {}", shape.shape);
        if let Err(obstacle) = &shape.outcome {
            let _ = writeln!(text, "  the machine: {}", obstacle.text);
        }
        for line in shape.text.lines() {
            let _ = writeln!(text, "    {line}");
        }
        text.push('\n');
        return text;
    }
    let mut name = shape.shape.clone();
    if let Some((end, _)) = name.char_indices().nth(LONGEST) {
        name.truncate(end);
        name += "...";
    }
    let _ = writeln!(text, "  {name}");
    match &shape.outcome {
        Err(obstacle) => {
            let _ = writeln!(text, "    {}: {}", paint(theme.warning, "machine"), obstacle.text);
            if let Some(hint) = obstacle.hint {
                let _ = writeln!(text, "    {}", paint(theme.dim, hint));
            }
        }
        Ok(code) => {
            let _ = writeln!(
                text,
                "    {}: {} parts, {} blocks, {} tables; {} steps in {:.1} ms",
                paint(theme.good, "code"),
                grouped(code.nodes as u64),
                grouped(code.blocks as u64),
                grouped(code.tables as u64),
                grouped(code.steps),
                code.time.as_secs_f64() * 1e3,
            );
            if shape.given_back > 0 {
                let _ = writeln!(
                    text,
                    "    gave {} of {} states back to the machine",
                    grouped(shape.given_back),
                    grouped(shape.asked),
                );
            }
            let given_back = shape.given_back > 0;
            for obstacle in shape.gives_back.iter().filter(|_| given_back) {
                let line = format!("    gives back where {}", obstacle.text);
                let _ = writeln!(text, "{}", paint(theme.dim, &line));
            }
        }
    }
    text
}
