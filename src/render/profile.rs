//! Profiles: a table, and stacks as a flame graph (B. Gregg, "The Flame Graph", 2016): each
//! predicate a bar as wide as its inferences, on top of the one that called it.

use super::number::{counted, grouped, rate, time};
use super::style::{Theme, paint};
use super::svg::{Anchor, Svg, escaped, palette};
use std::fmt::Write;
use std::time::Duration;
use zug_prolog::builtins::tracer::profiler::{ProfilePlace, ProfileReport};

/// Rows of a table.
const ROWS: usize = 25;
/// Bars narrower than this are left out of a picture, in pixels.
const NARROW: f64 = 0.3;
/// Size of a picture and its bars, in pixels.
const WIDTH: f64 = 1200.0;
const BAR: f64 = 18.0;
const MARGIN: f64 = 10.0;
const TOP: f64 = 46.0;
/// Width of a letter, as wide as they get.
const LETTER: f64 = 6.6;
/// Bars above each other; higher ones are left out.
const LEVELS: u32 = 200;

/// Percent with one place, as text: the same on every machine.
fn percent(part: u64, whole: u64) -> String {
    let permille = u128::from(part) * 1000 / u128::from(whole.max(1));
    format!("{}.{}", permille / 10, permille % 10)
}

/// The table, with what was measured above it.
pub fn text(report: &ProfileReport, theme: &Theme) -> String {
    let clock = |seconds: f64| time(Duration::try_from_secs_f64(seconds).unwrap_or_default());
    let speed = if report.cpu_seconds > 0.0 {
        format!(", {}/s", rate(report.inferences as f64 / report.cpu_seconds))
    } else {
        String::new()
    };
    let head = format!(
        "{} in {} ({} by the clock){speed}",
        counted(report.inferences, "inference"),
        clock(report.cpu_seconds),
        clock(report.seconds)
    );
    let mut text = format!("{}\n", paint(theme.strong, &head));
    let all = report.inferences;
    let rows: Vec<[String; 7]> = report
        .predicates
        .iter()
        .take(ROWS)
        .map(|row| {
            [
                row.predicate.clone(),
                grouped(row.calls),
                grouped(row.inferences),
                percent(row.inferences, all),
                percent(row.total, all),
                clock(row.seconds),
                row.place.clone().unwrap_or_default(),
            ]
        })
        .collect();
    let titles = ["predicate", "calls", "inferences", "self %", "total %", "time", "place"];
    let mut widths = titles.map(|title| title.chars().count());
    // Times differ from run to run; the table does not.
    widths[5] = 7;
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: [&str; 7]| {
        let mut line = format!("{:<w$}", cells[0], w = widths[0]);
        for i in 1..6 {
            let _ = write!(line, "  {:>w$}", cells[i], w = widths[i]);
        }
        format!("{line}  {}", cells[6]).trim_end().to_owned()
    };
    if !rows.is_empty() {
        let _ = writeln!(text, "{}", paint(theme.dim, &line(titles)));
    }
    for row in &rows {
        let _ = writeln!(text, "{}", line(std::array::from_fn(|i| row[i].as_str())));
    }
    let more = report.predicates.len().saturating_sub(ROWS);
    if more > 0 {
        let _ = writeln!(text, "{}", paint(theme.dim, &format!("… {} more", grouped(more as u64))));
    }
    let mut remarks = Vec::new();
    if report.every > 1 && report.samples > 0 {
        remarks.push(format!(
            "calls are exact; inferences are those of {}",
            counted(report.samples, "sample")
        ));
    }
    if report.by_code > 0 {
        remarks.push(format!(
            "code made from the rules answered {}, which a profile doesn't see; with \
             --no-specialize the rules answer",
            counted(report.by_code, "question")
        ));
    }
    for remark in remarks {
        let _ = writeln!(text, "{}", paint(theme.dim, &remark));
    }
    text
}

/// A bar: where it is drawn.
struct Bar {
    at: usize,
    x: f64,
    width: f64,
    level: u32,
}

/// The stacks as a picture.
pub fn flame(report: &ProfileReport, title: &str) -> String {
    let places = &report.stacks;
    let (sums, children) = branches(places);
    let all = sums.first().copied().unwrap_or(0).max(1);
    let scale = (WIDTH - 2.0 * MARGIN) / all as f64;
    let mut bars: Vec<Bar> = Vec::new();
    let mut todo = vec![(0usize, MARGIN, 0u32)];
    let mut highest = 0;
    while let Some((at, x, level)) = todo.pop() {
        let width = sums[at] as f64 * scale;
        if width < NARROW || level > LEVELS {
            continue;
        }
        highest = highest.max(level);
        bars.push(Bar { at, x, width, level });
        let mut x = x;
        for &child in &children[at] {
            todo.push((child, x, level + 1));
            x += sums[child] as f64 * scale;
        }
    }
    let height = TOP + f64::from(highest + 1) * BAR + MARGIN;
    let mut svg = Svg::new(WIDTH, height, &format!("Flame graph of {title}"));
    svg.text(
        (MARGIN, 20.0),
        Anchor::Start,
        "font-size=\"15\" font-weight=\"bold\"",
        &cut(title, 140),
    );
    let under = format!(
        "{}; a bar is as wide as the inferences of a predicate and all above it, which it called",
        counted(report.inferences, "inference")
    );
    svg.text((MARGIN, 37.0), Anchor::Start, &format!("fill=\"{}\"", palette::INK), &under);
    svg.open("font-family=\"monospace\" font-size=\"11\"");
    for bar in &bars {
        let place = &places[bar.at];
        let name = if bar.at == 0 { "all" } else { place.predicate.as_str() };
        // The bottom stands at the bottom.
        let y = TOP + f64::from(highest - bar.level) * BAR;
        let own = place.inferences;
        let words = format!(
            "{name}: {} ({} %), its own {} ({} %)",
            counted(sums[bar.at], "inference"),
            percent(sums[bar.at], all),
            grouped(own),
            percent(own, all)
        );
        svg.raw(&format!("<g><title>{}</title>", escaped(&words)));
        // Half of a colour is pale on white and deep in the dark: text is read on both.
        let fill = match bar.at {
            0 => format!("fill=\"{}\"", palette::PALE),
            _ => format!("style=\"fill:{}\"", colour(name)),
        };
        svg.rect(
            (bar.x, y),
            (bar.width, BAR - 1.0),
            &format!("{fill} fill-opacity=\"0.55\" stroke=\"white\""),
        );
        let letters = ((bar.width - 6.0) / LETTER).max(0.0) as usize;
        if letters >= 3 {
            svg.text((bar.x + 3.0, y + 12.5), Anchor::Start, "", &cut(name, letters));
        }
        svg.close();
    }
    svg.close();
    svg.finish()
}

/// The sum of each place with all above it, and the places on top of each, widest first.
fn branches(places: &[ProfilePlace]) -> (Vec<u64>, Vec<Vec<usize>>) {
    let mut sums: Vec<u64> = places.iter().map(|place| place.inferences).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); places.len()];
    for at in (1..places.len()).rev() {
        let parent = places[at].parent as usize;
        sums[parent] += sums[at];
        children[parent].push(at);
    }
    for list in &mut children {
        list.sort_by(|&a, &b| {
            sums[b].cmp(&sums[a]).then_with(|| places[a].predicate.cmp(&places[b].predicate))
        });
    }
    (sums, children)
}

/// The colour of a predicate: the same in every picture.
fn colour(name: &str) -> &'static str {
    let hash = name
        .bytes()
        .fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    palette::DATA[(hash >> 8) as usize % palette::DATA.len()]
}

/// The first letters of a text.
fn cut(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        None => text.to_owned(),
        Some(_) => text.chars().take(letters.saturating_sub(1)).chain(['…']).collect(),
    }
}
