//! A tree as a page of its own: zoom, folding, steps forward and back, details of a node.
//!
//! The page is one file that asks for nothing else. Its script gets the tree as JSON, the size of
//! each box in it, folds it until it fits the window, and lays out what is unfolded; only graphs
//! come laid out. What is not in the window is not in the document.

use super::drawing::{self, Box, Direction, Drawing, content};
use super::fold::for_picture;
use super::label::Label;
use super::svg::{self, Look, MONO};
use super::words;
use crate::svg::{dark, escaped, in_page};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;
use zug_usecases::tree::{Form, NodeKind, Note, Step, TreeReport};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("page/layout.js"),
    include_str!("page/draw.js"),
    include_str!("page/page.js"),
    "})();\n"
);

#[derive(Serialize)]
struct Page<'r> {
    title: &'r str,
    graph: bool,
    width: f64,
    height: f64,
    unit: Unit,
    /// What the marked path is called, if there is one.
    path: Option<&'static str>,
    looks: Vec<PageLook>,
    states: Vec<PageState<'r>>,
    nodes: Vec<PageNode<'r>>,
    edges: Vec<PageEdge>,
    steps: &'r [Step],
}

/// Lengths that the script needs to write into boxes, and to place them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Unit {
    pad: f64,
    line: f64,
    #[serde(rename = "type")]
    size: f64,
    small: f64,
    small_char: f64,
    small_type: f64,
    beside: f64,
    below: f64,
    trunk: f64,
    mono: &'static str,
}

/// A state, once for all nodes that show it.
#[derive(Serialize)]
struct PageState<'r> {
    term: &'r str,
    lines: &'r [String],
    /// The width of the widest line.
    wide: f64,
    /// A board in the place of the lines: its elements, width and height.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<(String, f64, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prospect: Option<String>,
}

/// Fields that are missing are zero, empty or none.
#[derive(Serialize)]
struct PageNode<'r> {
    s: usize,
    look: usize,
    w: f64,
    h: f64,
    depth: u32,
    said: String,
    /// The place, in a graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<f64>,
    /// Head without the number of the expansion, which comes with its step.
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<(String, &'static str)>,
    /// Small print beside the notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    foot: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(skip_serializing_if = "zug_usecases::record::is_zero")]
    step: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<usize>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'r [Note],
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    path: bool,
}

#[derive(PartialEq, Serialize)]
struct PageLook {
    fill: &'static str,
    /// Before it is expanded.
    before: &'static str,
    stroke: &'static str,
    width: f64,
    dashed: bool,
    double: bool,
    /// 0: no players; 1, 2, …: players in turn; -1: chance.
    shape: i64,
    text: &'static str,
}

#[derive(Serialize)]
struct PageEdge {
    from: usize,
    to: usize,
    words: String,
    /// The line and the place of the words, in a graph.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<(f64, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<(f64, f64)>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    path: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dashed: bool,
    #[serde(skip_serializing_if = "zug_usecases::record::is_zero")]
    step: usize,
}

/// A tree as a page.
pub fn html(report: &TreeReport, labels: &[Label]) -> String {
    let page = data(report, labels);
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
            "STYLE" => text += &format!("{STYLE}{}", dark("#picture")),
            "REMARKS" => text += &remarks,
            "LEGEND" => text += &legend(report),
            "ARROW" => text += svg::ARROW,
            "STATIC" => text += &without_scripts(report, labels),
            "DATA" => text += &data,
            "SCRIPT" => text += SCRIPT,
            other => text += &format!("@{other}@"),
        }
        rest = after;
    }
    text + rest
}

/// What is seen where scripts are switched off: the picture of the tree, folded to a page.
fn without_scripts(report: &TreeReport, labels: &[Label]) -> String {
    let picture = svg::svg(&for_picture(report, labels, false), labels);
    format!("<p>Scripts are switched off: nothing unfolds.</p>\n{}", in_page(&picture))
}

fn data<'r>(report: &'r TreeReport, labels: &'r [Label]) -> Page<'r> {
    let graph = report.form == Form::Graph;
    let drawing = graph.then(|| Drawing::of(report, labels, Direction::Down));
    let mut looks: Vec<PageLook> = Vec::new();
    let nodes = (0..report.nodes.len()).map(|at| {
        let own = look(report, at);
        let number = looks.iter().position(|look| *look == own).unwrap_or_else(|| {
            looks.push(own);
            looks.len() - 1
        });
        node(report, labels, (at, number), drawing.as_ref().map(|drawing| drawing.boxes[at]))
    });
    let nodes = nodes.collect();
    let edges = report.edges.iter().enumerate().map(|(number, edge)| {
        let wire = drawing.as_ref().map(|drawing| &drawing.wires[number]);
        let place = |&(x, y): &(f64, f64)| (round(x), round(y));
        PageEdge {
            from: edge.from,
            to: edge.to,
            words: words::moves(edge),
            points: wire.map(|wire| wire.points.iter().map(place).collect()).unwrap_or_default(),
            at: wire.and_then(|wire| wire.words.as_ref()).map(|(_, at)| place(at)),
            path: edge.path,
            dashed: report.nodes[edge.to].kind != NodeKind::State,
            step: report.nodes[edge.from].done.filter(|_| graph).unwrap_or(0),
        }
    });
    let edges = edges.collect();
    let found = report.nodes.iter().any(|node| node.path);
    let path = if report.players.is_empty() { "Path found" } else { "Best play" };
    let (width, height) = drawing.map_or((0.0, 0.0), |drawing| (drawing.width, drawing.height));
    Page {
        title: &report.title,
        graph,
        width: round(width),
        height: round(height),
        unit: Unit {
            pad: drawing::PAD,
            line: drawing::LINE,
            size: drawing::TYPE,
            small: drawing::SMALL_LINE,
            small_char: drawing::SMALL_CHAR,
            small_type: drawing::SMALL_TYPE,
            beside: drawing::BESIDE,
            below: drawing::BELOW,
            // The mark of a folded node stands before it.
            trunk: drawing::TRUNK + 24.0,
            mono: MONO,
        },
        path: found.then_some(path),
        looks,
        states: report
            .states
            .iter()
            .zip(labels)
            .map(|(state, label)| PageState {
                term: &state.term.text,
                lines: &label.lines,
                wide: round(
                    label.lines.iter().map(|line| line.width()).max().unwrap_or(0) as f64
                        * drawing::CHAR,
                ),
                board: label
                    .board_part()
                    .zip(label.board_size())
                    .map(|(part, (width, height))| (part, round(width), round(height))),
                player: state
                    .player
                    .and_then(|at| report.players.get(at))
                    .map(|player| &*player.text),
                prospect: state.prospect.map(|known| words::prospect(report, known)),
            })
            .collect(),
        nodes,
        edges,
        steps: &report.steps,
    }
}

/// JSON that can stand in a script element: nothing in it ends the element or begins another.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Places to a tenth of a pixel.
fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

/// What a node looks like; those that look alike share it.
fn look(report: &TreeReport, at: usize) -> PageLook {
    let Look { fill, stroke, width, dashed, double, shape, text } = svg::look(report, at);
    let before = if fill == svg::fill::EXPANDED { svg::fill::PLAIN } else { fill };
    let shape = if shape == svg::CHANCE { -1 } else { i64::try_from(shape).unwrap_or(3) };
    PageLook { fill, before, stroke, width, dashed, double, shape, text }
}

fn node<'r>(
    report: &'r TreeReport,
    labels: &[Label],
    (at, look): (usize, usize),
    place: Option<Box>,
) -> PageNode<'r> {
    let node = &report.nodes[at];
    let mut content = content(report, labels, at);
    let hidden = words::hidden(node);
    if let (Some(last), Some(hidden)) = (content.foot.last_mut(), &hidden) {
        last.clone_from(hidden);
    }
    let (width, height) = content.size();
    let order = node.order.filter(|_| report.engine.is_some());
    let head = content.head.map(|(left, sign)| match order {
        Some(order) => {
            let number = format!("{order}.");
            (left.strip_prefix(&number).unwrap_or(&left).trim_start().to_owned(), sign)
        }
        None => (left, sign),
    });
    let notes = words::notes(node).len();
    PageNode {
        s: node.state,
        look,
        w: round(width),
        h: round(height),
        depth: node.depth,
        said: words::sentence(report, at),
        x: place.map(|place| round(place.x)),
        y: place.map(|place| round(place.y)),
        head,
        foot: content.foot[notes..].to_vec(),
        parent: node.parent,
        step: node.step,
        order,
        done: node.done,
        notes: &node.notes,
        hidden,
        again: match node.kind {
            NodeKind::Again(there) => Some(there),
            _ => None,
        },
        path: node.path,
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
