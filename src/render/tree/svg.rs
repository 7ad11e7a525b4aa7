//! A tree as an SVG picture.

use super::drawing::{
    Box, Content, Direction, Drawing, LINE, PAD, SMALL_LINE, SMALL_TYPE, TYPE, content, words_width,
};
use super::fold::Folded;
use super::label::Label;
use super::words;
use crate::svg::{Anchor, Svg, palette};
use unicode_width::UnicodeWidthStr;
use zug_usecases::tree::{Form, NodeKind, Prospect, TreeReport};

/// Room around the picture.
const MARGIN: f64 = 16.0;
/// Height of the title, and of a line of the legend.
const TITLE: f64 = 26.0;
const LEGEND: f64 = 22.0;
/// Fonts whose characters are all of one width.
pub(super) const MONO: &str = "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace";

/// Fills, pale enough for text: pairs told apart by lightness and by hue without red and green.
pub(super) mod fill {
    /// Won for the player to move.
    pub const WIN: &str = "#bfe0f5";
    /// Lost for the player to move.
    pub const LOSS: &str = "#fbd38a";
    /// Neither.
    pub const DRAW: &str = "#e9e9e9";
    /// Expanded by a search.
    pub const EXPANDED: &str = "#e4eff7";
    /// Nothing known.
    pub const PLAIN: &str = "#ffffff";
}

/// What a box looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub fill: &'static str,
    pub stroke: &'static str,
    pub width: f64,
    pub dashed: bool,
    pub double: bool,
    /// 0: no players; 1, 2, …: players in turn; [`CHANCE`].
    pub shape: usize,
    pub text: &'static str,
}

/// The head of an arrow, as `url(#arrow)`.
pub(super) const ARROW: &str = "<marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
     markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
     <path d=\"M0 0L8 4L0 8z\" fill=\"#777777\"/></marker>";

/// The shape of nodes where chance moves.
pub(super) const CHANCE: usize = usize::MAX;

/// What a node looks like.
pub(super) fn look(report: &TreeReport, at: usize) -> Look {
    let node = &report.nodes[at];
    let state = &report.states[node.state];
    let faint = node.kind != NodeKind::State;
    let fill = match state.prospect {
        _ if node.kind == NodeKind::Pruned => fill::PLAIN,
        Some(Prospect::Win) => fill::WIN,
        Some(Prospect::Loss) => fill::LOSS,
        Some(Prospect::Draw) => fill::DRAW,
        None if report.engine.is_some() && node.order.is_some() => fill::EXPANDED,
        None => fill::PLAIN,
    };
    let shape = state.player.map_or(0, |player| {
        let chance = report.players.get(player).is_some_and(|name| name.text == "chance");
        if chance { CHANCE } else { player + 1 }
    });
    Look {
        fill,
        stroke: if faint { palette::GREY } else { palette::INK },
        width: if node.path { 3.0 } else { 1.2 },
        dashed: faint,
        double: state.end && !faint,
        shape,
        text: if faint { "#666666" } else { palette::INK },
    }
}

/// A tree as a picture.
pub fn svg(folded: &Folded<'_>, labels: &[Label]) -> String {
    let report = &*folded.report;
    let drawing = Drawing::of(report, labels, folded.way);
    let keys = legend(report);
    let columns = 1.max((drawing.width / 230.0) as usize).min(keys.len().max(1));
    let rows = keys.len().div_ceil(columns);
    let remarks = report.remarks.len() as f64 * SMALL_LINE;
    let title = words::short(&report.title, 200);
    let least = title.chars().count() as f64 * 7.2;
    let remark = report.remarks.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let least = least.max(remark as f64 * 6.0).max(if keys.is_empty() { 0.0 } else { 230.0 });
    let width = drawing.width.max(least) + 2.0 * MARGIN;
    let top = MARGIN + TITLE + remarks;
    let foot = if keys.is_empty() { 0.0 } else { 14.0 + rows as f64 * LEGEND };
    let height = top + drawing.height + foot + 2.0 * MARGIN;
    let mut picture = Svg::new(width, height, &report.title);
    picture.text((MARGIN, MARGIN + 12.0), Anchor::Start, "font-weight=\"bold\"", &title);
    for (at, remark) in report.remarks.iter().enumerate() {
        let y = MARGIN + 12.0 + (at + 1) as f64 * (SMALL_LINE + 2.0);
        picture.text((MARGIN, y), Anchor::Start, "font-size=\"11\" fill=\"#555555\"", remark);
    }
    // A tree to the right begins at the left side, like the words above it.
    let free = width - 2.0 * MARGIN - drawing.width;
    let left = MARGIN + if folded.way == Direction::Right { 0.0 } else { free / 2.0 };
    picture.open(&format!("transform=\"translate({left:.1} {:.1})\"", top + MARGIN));
    let graph = report.form == Form::Graph;
    if graph {
        picture.raw(ARROW);
    }
    // Lines first: boxes lie above them.
    for (edge, wire) in report.edges.iter().zip(&drawing.wires) {
        let pruned = report.nodes[edge.to].kind != NodeKind::State;
        let style = match (edge.path, pruned) {
            (true, _) => format!("stroke=\"{}\" stroke-width=\"3\"", palette::INK),
            (_, true) => {
                format!("stroke=\"{}\" stroke-dasharray=\"4 3\"", palette::GREY)
            }
            _ => format!("stroke=\"{}\"", palette::GREY),
        };
        let arrow = if graph { " marker-end=\"url(#arrow)\"" } else { "" };
        let style = style + arrow;
        picture.polyline(wire.points.iter().copied(), &style);
    }
    for wire in &drawing.wires {
        if let Some((text, at)) = &wire.words {
            if graph {
                // The line goes on behind the words.
                let width = words_width(text) + 4.0;
                let corner = (at.0 - width / 2.0, at.1 - 9.0);
                picture.rect(corner, (width, 12.0), "fill=\"white\"");
            }
            let style =
                format!("font-family=\"{MONO}\" font-size=\"{SMALL_TYPE}\" fill=\"#333333\"");
            picture.text(*at, Anchor::Middle, &style, text);
        }
    }
    for (at, place) in drawing.boxes.iter().enumerate() {
        picture.open("class=\"node\"");
        picture
            .raw(&format!("<title>{}</title>", crate::svg::escaped(&words::sentence(report, at))));
        let look = look(report, at);
        frame(&mut picture, place, &look);
        let part = labels[report.nodes[at].state].board_part();
        write(&mut picture, place, &look, &content(report, labels, at), part.as_deref());
        picture.close();
    }
    picture.close();
    let y = top + drawing.height + MARGIN + 24.0;
    for (at, (look, text)) in keys.iter().enumerate() {
        let x = MARGIN + (at % columns) as f64 * 230.0;
        let y = y + (at / columns) as f64 * LEGEND;
        let place = Box { x, y: y - 10.0, width: 24.0, height: 14.0 };
        frame(&mut picture, &place, look);
        picture.text((x + 32.0, y + 1.0), Anchor::Start, "font-size=\"11\"", text);
    }
    picture.finish()
}

/// The outline of a box by its shape: SVG path data.
pub(super) fn outline(place: &Box, shape: usize, inset: f64) -> String {
    let (x, y) = (place.x + inset, place.y + inset);
    let (w, h) = (place.width - 2.0 * inset, place.height - 2.0 * inset);
    let round = |r: f64| {
        let r = r.min(w / 2.0).min(h / 2.0);
        format!(
            "M{:.1} {y:.1}h{:.1}a{r:.1} {r:.1} 0 0 1 {r:.1} {r:.1}v{:.1}a{r:.1} {r:.1} 0 0 1 -{r:.1} \
             {r:.1}h-{:.1}a{r:.1} {r:.1} 0 0 1 -{r:.1} -{r:.1}v-{:.1}a{r:.1} {r:.1} 0 0 1 {r:.1} -{r:.1}z",
            x + r,
            w - 2.0 * r,
            h - 2.0 * r,
            w - 2.0 * r,
            h - 2.0 * r,
        )
    };
    match shape {
        0 => round(3.0),
        1 => format!("M{x:.1} {y:.1}h{w:.1}v{h:.1}h-{w:.1}z"),
        2 => round(11.0),
        CHANCE => {
            // A hexagon with points at its sides.
            let point = 8.0f64.min(w / 4.0);
            format!(
                "M{:.1} {y:.1}h{w:.1}l{point:.1} {:.1}l-{point:.1} {:.1}h-{w:.1}l-{point:.1} -{:.1}z",
                x,
                h / 2.0,
                h / 2.0,
                h / 2.0
            )
        }
        _ => {
            // Cut corners.
            let cut = 6.0f64.min(h / 2.0);
            let (iw, ih) = (w - 2.0 * cut, h - 2.0 * cut);
            format!(
                "M{:.1} {y:.1}h{iw:.1}l{cut:.1} {cut:.1}v{ih:.1}l-{cut:.1} {cut:.1}h-{iw:.1}\
                 l-{cut:.1} -{cut:.1}v-{ih:.1}z",
                x + cut
            )
        }
    }
}

fn frame(picture: &mut Svg, place: &Box, look: &Look) {
    picture.raw(&framed(place, look));
}

/// The outline of a box as elements.
pub(super) fn framed(place: &Box, look: &Look) -> String {
    let dash = if look.dashed { " stroke-dasharray=\"4 3\"" } else { "" };
    let mut text = format!(
        "<path d=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"{dash}/>",
        outline(place, look.shape, 0.0),
        look.fill,
        look.stroke,
        look.width
    );
    if look.double {
        text += &format!(
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\"/>",
            outline(place, look.shape, 3.0),
            look.stroke
        );
    }
    text
}

fn write(picture: &mut Svg, place: &Box, look: &Look, content: &Content, board: Option<&str>) {
    let small = format!("font-family=\"{MONO}\" font-size=\"{SMALL_TYPE}\" fill=\"{}\"", look.text);
    let plain = format!("font-family=\"{MONO}\" font-size=\"{TYPE}\" fill=\"{}\"", look.text);
    let middle = place.x + place.width / 2.0;
    let mut y = place.y + PAD;
    if let Some((left, right)) = &content.head {
        y += SMALL_LINE;
        let at = y - 3.0;
        let bold = format!("{small} font-weight=\"bold\"");
        match (left.is_empty(), right.is_empty()) {
            (false, true) => picture.text((middle, at), Anchor::Middle, &small, left),
            (true, _) => picture.text((middle, at), Anchor::Middle, &bold, right),
            _ => {
                picture.text((place.x + PAD, at), Anchor::Start, &small, left);
                picture.text((place.x + place.width - PAD, at), Anchor::End, &bold, right);
            }
        }
    }
    // Lines of a board stand one below the other, as wide as the widest.
    let widest = content.lines.iter().map(|line| line.width());
    let widest = widest.max().unwrap_or(0) as f64 * super::drawing::CHAR;
    let mut lines = content.lines.as_slice();
    if let (Some((width, height)), Some(board)) = (content.board, board) {
        lines = &[];
        let x = middle - width / 2.0;
        let faint = if look.dashed { " opacity=\"0.45\"" } else { "" };
        picture.open(&format!("transform=\"translate({x:.1} {:.1})\"{faint}", y + 1.0));
        picture.raw(board);
        picture.close();
        y += height + 4.0;
    }
    for line in lines {
        y += LINE;
        // Blanks side by side would become one.
        let line = line.replace(' ', "\u{a0}");
        picture.text((middle - widest / 2.0, y - 3.5), Anchor::Start, &plain, &line);
    }
    for line in &content.foot {
        y += SMALL_LINE;
        picture.text((middle, y - 3.0), Anchor::Middle, &small, line);
    }
}

/// What there is to be explained: an example and its meaning.
pub(super) fn legend(report: &TreeReport) -> Vec<(Look, String)> {
    let plain = Look {
        fill: fill::PLAIN,
        stroke: palette::INK,
        width: 1.2,
        dashed: false,
        double: false,
        shape: 0,
        text: palette::INK,
    };
    let mut keys = Vec::new();
    for (number, name) in report.players.iter().enumerate() {
        let shape = if name.text == "chance" { CHANCE } else { number + 1 };
        let moves = if name.text == "chance" { "moves" } else { "to move" };
        keys.push((Look { shape, ..plain }, format!("{} {moves}", words::short(&name.text, 20))));
    }
    let game = !report.players.is_empty();
    let states = &report.states;
    let (won, lost) = match (report.by_winner, report.players.as_slice()) {
        (true, [one, other]) => (
            format!("+  {} wins", words::short(&one.text, 20)),
            format!("−  {} wins", words::short(&other.text, 20)),
        ),
        _ => ("+  won for the player to move".into(), "−  lost for the player to move".into()),
    };
    for (prospect, fill, text) in [
        (Prospect::Win, fill::WIN, won),
        (Prospect::Loss, fill::LOSS, lost),
        (Prospect::Draw, fill::DRAW, "=  drawn".to_owned()),
    ] {
        if states.iter().any(|state| state.prospect == Some(prospect)) {
            keys.push((Look { fill, ..plain }, text));
        }
    }
    let nodes = &report.nodes;
    if report.engine.is_some() && !game && nodes.iter().any(|node| node.order.is_some()) {
        let text = "expanded, in the order of the numbers".to_owned();
        keys.push((Look { fill: fill::EXPANDED, ..plain }, text));
        keys.push((plain, "generated only".to_owned()));
        if nodes.iter().any(|node| node.notes.iter().any(|note| note.name == "f")) {
            let faint = Look { fill: "none", stroke: "none", ..plain };
            keys.push((faint, "f = g + h: cost so far and estimate".to_owned()));
        }
    }
    if states.iter().any(|state| state.end) {
        let text = if game { "the game is over" } else { "a goal" };
        keys.push((Look { double: true, ..plain }, text.to_owned()));
    }
    if nodes.iter().any(|node| node.path) {
        let text = if game { "best play" } else { "the path found" };
        keys.push((Look { width: 3.0, ..plain }, text.to_owned()));
    }
    if nodes.iter().any(|node| node.hidden.is_some()) {
        let bare = Look { fill: "none", stroke: "none", ..plain };
        keys.push((bare, "+34  so many more below, not drawn".to_owned()));
    }
    let faint = Look { dashed: true, stroke: palette::GREY, ..plain };
    if nodes.iter().any(|node| matches!(node.kind, NodeKind::Again(_))) {
        keys.push((faint, "…  a state that is drawn elsewhere".to_owned()));
    }
    if nodes.iter().any(|node| node.kind == NodeKind::Pruned) {
        keys.push((faint, "left out by the search".to_owned()));
    }
    keys
}
