//! A tree as a page of its own: zoom, folding, steps forward and back, details of a node.
//!
//! The page is one file that asks for nothing else. Its script gets the tree as JSON with every
//! box in its place; it lays the tree out again only where something is folded.

use super::drawing::{self, Box, Drawing, content};
use super::label::Label;
use super::svg::{self, Look, MONO};
use super::words;
use crate::render::svg::escaped;
use crate::usecases::tree::{Form, NodeKind, Note, Step, TreeReport};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

#[derive(Serialize)]
struct Page<'r> {
    title: &'r str,
    graph: bool,
    width: f64,
    height: f64,
    unit: Unit,
    nodes: Vec<PageNode<'r>>,
    edges: Vec<PageEdge>,
    steps: &'r [Step],
}

/// Lengths that the script needs to write into boxes.
#[derive(Serialize)]
struct Unit {
    pad: f64,
    line: f64,
    small: f64,
    #[serde(rename = "smallChar")]
    small_char: f64,
    mono: &'static str,
}

#[derive(Serialize)]
struct PageNode<'r> {
    x: f64,
    y: f64,
    w: f64,
    h: f64,
    /// Width with the room beside it, for the script's own layout.
    room: f64,
    outline: String,
    inner: Option<String>,
    look: PageLook,
    /// Head without the number of the expansion, which comes with its step.
    head: Option<(String, &'static str)>,
    lines: Vec<String>,
    /// The width of the widest line.
    wide: f64,
    /// A board in the place of the lines: its elements, width and height.
    board: Option<(String, f64, f64)>,
    /// Small print beside the notes.
    foot: Vec<String>,
    parent: Option<usize>,
    depth: u32,
    step: usize,
    order: Option<usize>,
    done: Option<usize>,
    notes: &'r [Note],
    said: String,
    term: &'r str,
    player: Option<&'r str>,
    prospect: Option<&'static str>,
    hidden: Option<String>,
    again: Option<usize>,
}

#[derive(Serialize)]
struct PageLook {
    fill: &'static str,
    /// Before it is expanded.
    before: &'static str,
    stroke: &'static str,
    width: f64,
    dashed: bool,
    text: &'static str,
}

#[derive(Serialize)]
struct PageEdge {
    from: usize,
    to: usize,
    words: String,
    points: Vec<(f64, f64)>,
    at: (f64, f64),
    path: bool,
    dashed: bool,
    arrow: bool,
    step: usize,
}

/// A tree as a page.
pub fn html(report: &TreeReport, labels: &[Label]) -> String {
    let drawing = Drawing::of(report, labels);
    let graph = report.form == Form::Graph;
    let mut beside = vec![0.0f64; report.nodes.len()];
    for edge in &report.edges {
        beside[edge.to] = words::moves(edge).width() as f64 * drawing::SMALL_CHAR;
    }
    let nodes = (0..report.nodes.len())
        .map(|at| node(report, labels, at, drawing.boxes[at], beside[at]))
        .collect();
    let edges = report.edges.iter().zip(&drawing.wires).map(|(edge, wire)| {
        let (text, at) = wire.words.clone().unwrap_or_default();
        let dashed = report.nodes[edge.to].kind != NodeKind::State;
        let step = report.nodes[edge.from].done.unwrap_or(0);
        let step = if graph { step } else { 0 };
        let (from, to, path) = (edge.from, edge.to, edge.path);
        let points = wire.points.iter().map(|&(x, y)| (round(x), round(y))).collect();
        let at = (round(at.0), round(at.1));
        PageEdge { from, to, words: text, points, at, path, dashed, arrow: graph, step }
    });
    let page = Page {
        title: &report.title,
        graph,
        width: round(drawing.width),
        height: round(drawing.height),
        unit: Unit {
            pad: drawing::PAD,
            line: drawing::LINE,
            small: drawing::SMALL_LINE,
            small_char: drawing::SMALL_CHAR,
            mono: MONO,
        },
        nodes,
        edges: edges.collect(),
        steps: &report.steps,
    };
    // Only maps with other keys than strings can fail.
    let data = in_script(&serde_json::to_string(&page).unwrap_or_default());
    let remarks: String =
        report.remarks.iter().map(|remark| format!("<p>{}</p>", escaped(remark))).collect();
    // Each mark is looked for in the page alone, never in what was put into it.
    let mut text = String::with_capacity(PAGE.len() + data.len() + SCRIPT.len() + STYLE.len());
    let mut rest = PAGE;
    while let Some((before, behind)) = rest.split_once('@') {
        let Some((mark, after)) = behind.split_once('@') else { break };
        text += before;
        match mark {
            "TITLE" => text += &escaped(&report.title),
            "STYLE" => text += STYLE,
            "REMARKS" => text += &remarks,
            "LEGEND" => text += &legend(report),
            "ARROW" => text += svg::ARROW,
            "DATA" => text += &data,
            "SCRIPT" => text += SCRIPT,
            other => text += &format!("@{other}@"),
        }
        rest = after;
    }
    text + rest
}

/// JSON that can stand in a script element: nothing in it ends the element or begins another.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Places to a tenth of a pixel.
fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

fn node<'r>(
    report: &'r TreeReport,
    labels: &[Label],
    at: usize,
    place: Box,
    words: f64,
) -> PageNode<'r> {
    let node = &report.nodes[at];
    let state = &report.states[node.state];
    let content = content(report, labels, at);
    let Look { fill, stroke, width, dashed, double, shape, text } = svg::look(report, at);
    let own = Box { x: 0.0, y: 0.0, ..place };
    let order = node.order.filter(|_| report.engine.is_some());
    let head = content.head.map(|(left, sign)| match order {
        Some(order) => {
            let number = format!("{order}.");
            (left.strip_prefix(&number).unwrap_or(&left).trim_start().to_owned(), sign)
        }
        None => (left, sign),
    });
    let notes = words::notes(node).len();
    let wide = content.lines.iter().map(|line| line.width()).max().unwrap_or(0);
    let before = if fill == svg::fill::EXPANDED { svg::fill::PLAIN } else { fill };
    PageNode {
        x: round(place.x),
        y: round(place.y),
        w: round(place.width),
        h: round(place.height),
        room: round(place.width.max(words) + drawing::BESIDE),
        outline: svg::outline(&own, shape, 0.0),
        inner: double.then(|| svg::outline(&own, shape, 3.0)),
        look: PageLook { fill, before, stroke, width, dashed, text },
        head,
        lines: content.lines,
        wide: wide as f64 * drawing::CHAR,
        board: labels[node.state]
            .board_part()
            .zip(content.board)
            .map(|(part, (width, height))| (part, width, height)),
        foot: content.foot[notes..].to_vec(),
        parent: node.parent,
        depth: node.depth,
        step: node.step,
        order,
        done: node.done,
        notes: &node.notes,
        said: words::sentence(report, at),
        term: &state.term.text,
        player: state.player.and_then(|at| report.players.get(at)).map(|player| &*player.text),
        prospect: state.prospect.map(words::prospect),
        hidden: words::hidden(node),
        again: match node.kind {
            NodeKind::Again(there) => Some(there),
            _ => None,
        },
    }
}

fn legend(report: &TreeReport) -> String {
    let keys = svg::legend(report);
    if keys.is_empty() {
        return String::new();
    }
    let mut text = String::from("<h2>Signs</h2>\n<ul class=\"legend\">\n");
    for (look, words) in keys {
        let place = Box { x: 3.0, y: 3.0, width: 24.0, height: 14.0 };
        text += "<li><svg aria-hidden=\"true\">";
        text += &svg::framed(&place, &look);
        text += &format!("</svg><span>{}</span></li>\n", escaped(&words));
    }
    text + "</ul>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_data_ends_its_element() {
        let json = serde_json::to_string("</script><script>alert(1)<!-- \u{2028}").expect("text");
        let safe = in_script(&json);
        assert!(!safe.contains('<') && !safe.contains('\u{2028}'), "{safe}");
        let back: String = serde_json::from_str(&safe).expect("the same text");
        assert!(back.starts_with("</script>") && back.ends_with("<!-- \u{2028}"));
    }
}
