//! Boards as pictures: one, a plan as a strip of them, and a plan as an animation.

use super::grid::{Colour, Grid, Square};
use crate::svg::{Anchor, Svg, palette};
use unicode_width::UnicodeWidthStr;

/// The side of a square.
const SIDE: f64 = 36.0;
/// The width of a character at font size 1, sans serif and of one width.
const CHARACTER: f64 = 0.6;
/// The size of text that is no grid.
const TYPE: f64 = 13.0;
/// The height of a line of it.
const LINE: f64 = 16.0;
/// Around a picture and between boards.
const GAP: f64 = 24.0;
/// The most that a strip is wide, unless one board is wider.
const STRIP: f64 = 1000.0;
/// Seconds for each state of an animation; the last one stays for three of them.
const SECONDS: f64 = 0.8;

/// What a state looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// A board of squares.
    Grid(Grid),
    /// Lines of text, as `print_state/1` writes them, or the term.
    Text(String),
}

/// A state of a plan: what led to it, and what it looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The move before it, or what it is.
    pub caption: String,
    /// What it looks like.
    pub picture: Picture,
}

/// The side of the squares of a grid, across and down: wider where text is long.
fn cell(grid: &Grid) -> (f64, f64) {
    let longest = longest(grid);
    (SIDE.max(longest as f64 * letter(longest) * CHARACTER + 8.0), SIDE)
}

/// The most characters in a square.
fn longest(grid: &Grid) -> usize {
    grid.rows.iter().flatten().map(|square| square.text.width()).max().unwrap_or(0)
}

/// The size of the text in squares, of which the longest has so many characters.
fn letter(longest: usize) -> f64 {
    match longest {
        0 | 1 => 22.0,
        2 | 3 => 19.0,
        _ => 16.0,
    }
}

/// The width and the height that a picture takes.
pub fn size(picture: &Picture) -> (f64, f64) {
    match picture {
        Picture::Grid(grid) => {
            let (wide, high) = cell(grid);
            let below = if grid.below.is_some() { LINE + 4.0 } else { 0.0 };
            (wide * grid.columns() as f64, high * grid.rows.len() as f64 + below)
        }
        Picture::Text(text) => {
            let longest = text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0).max(1);
            let lines = text.lines().count().max(1);
            (longest as f64 * TYPE * CHARACTER + 8.0, lines as f64 * LINE + 8.0)
        }
    }
}

/// Draws a picture with its upper left corner at a point.
pub fn draw(svg: &mut Svg, (x, y): (f64, f64), picture: &Picture) {
    match picture {
        Picture::Grid(grid) => draw_grid(svg, (x, y), grid),
        Picture::Text(text) => {
            for (number, line) in text.lines().enumerate() {
                let at = (x + 4.0, y + 4.0 + LINE * (number as f64 + 0.8));
                let style = format!(
                    "font-family=\"monospace\" font-size=\"{TYPE}\" xml:space=\"preserve\""
                );
                svg.text(at, Anchor::Start, &style, line);
            }
        }
    }
}

fn draw_grid(svg: &mut Svg, (x, y): (f64, f64), grid: &Grid) {
    let (wide, high) = cell(grid);
    let letter = letter(longest(grid));
    for (row, squares) in grid.rows.iter().enumerate() {
        for (column, square) in squares.iter().enumerate() {
            let at = (x + wide * column as f64, y + high * row as f64);
            draw_square(svg, at, ((wide, high), letter), square);
        }
    }
    if let Some(below) = &grid.below {
        let at = (x, y + high * grid.rows.len() as f64 + LINE);
        svg.text(at, Anchor::Start, "", below);
    }
}

fn draw_square(
    svg: &mut Svg,
    (x, y): (f64, f64),
    ((wide, high), letter): ((f64, f64), f64),
    square: &Square,
) {
    let paper = if square.is_empty() || square.disc.is_some() { "#eeeeee" } else { "white" };
    // What the rules colour is the same in the dark, and so is what it stands on.
    let kept = |colour: &str| format!("style=\"fill:{colour}\"");
    let fill = match square.fill {
        Some(fill) => kept(&fill.css()),
        None if square.ink.is_some() => kept(paper),
        None => format!("fill=\"{paper}\""),
    };
    let style = format!("{fill} stroke=\"{}\"", palette::INK);
    svg.rect((x, y), (wide, high), &style);
    let middle = (x + wide / 2.0, y + high / 2.0);
    if let Some(disc) = square.disc {
        let style = format!("{} stroke=\"{}\"", kept(&disc.css()), palette::INK);
        svg.circle(middle, high * 0.38, &style);
    }
    if square.mark {
        let style = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"3\"", palette::INK);
        svg.rect((x + 3.0, y + 3.0), (wide - 6.0, high - 6.0), &style);
    }
    if !square.text.is_empty() {
        let dark = square.disc.or(square.fill).is_none_or(Colour::is_light);
        let coloured = square.disc.or(square.fill).is_some();
        let ink = match square.ink {
            Some(ink) => kept(&ink.css()),
            None if coloured => kept(if dark { palette::INK } else { "white" }),
            None => format!("fill=\"{}\"", palette::INK),
        };
        let style = format!("font-size=\"{letter}\" {ink}");
        svg.text((middle.0, middle.1 + letter * 0.34), Anchor::Middle, &style, &square.text);
    }
}

/// The width that a title takes.
fn title_width(title: &str) -> f64 {
    title.width() as f64 * 12.0 * 0.62 + 2.0 * GAP
}

/// One board as a picture of its own.
pub fn single(title: &str, picture: &Picture) -> String {
    let (wide, high) = size(picture);
    let mut svg = Svg::new(wide + 2.0 * GAP, high + 2.0 * GAP, title);
    draw(&mut svg, (GAP, GAP), picture);
    svg.finish()
}

/// The room that each scene takes, its caption included.
fn room(scenes: &[Scene]) -> (f64, f64) {
    let caption = |scene: &Scene| scene.caption.width() as f64 * 12.0 * CHARACTER;
    let wide = scenes.iter().map(|scene| size(&scene.picture).0.max(caption(scene)));
    let high = scenes.iter().map(|scene| size(&scene.picture).1);
    (wide.fold(0.0, f64::max), high.fold(0.0, f64::max) + LINE + 4.0)
}

fn draw_scene(svg: &mut Svg, (x, y): (f64, f64), wide: f64, scene: &Scene) {
    let own = size(&scene.picture).0;
    svg.text((x + wide / 2.0, y + 12.0), Anchor::Middle, "", &scene.caption);
    draw(svg, (x + (wide - own) / 2.0, y + LINE + 4.0), &scene.picture);
}

/// A plan as a strip of boards, in lines from left to right.
pub fn strip(title: &str, scenes: &[Scene]) -> String {
    let (wide, high) = room(scenes);
    let columns = (((STRIP - GAP) / (wide + GAP)) as usize).clamp(1, scenes.len().max(1));
    let rows = scenes.len().div_ceil(columns);
    let width = (columns as f64 * (wide + GAP) + GAP).max(title_width(title));
    let mut svg = Svg::new(width, rows as f64 * (high + GAP) + GAP + LINE, title);
    svg.text((GAP, 18.0), Anchor::Start, "font-weight=\"bold\"", title);
    for (number, scene) in scenes.iter().enumerate() {
        let (row, column) = (number / columns, number % columns);
        let x = GAP + column as f64 * (wide + GAP);
        let y = GAP + LINE + row as f64 * (high + GAP);
        draw_scene(&mut svg, (x, y), wide, scene);
    }
    svg.finish()
}

/// A plan as a picture that moves, over and over.
pub fn animation(title: &str, scenes: &[Scene]) -> String {
    let (wide, high) = room(scenes);
    let width = (wide + 2.0 * GAP).max(title_width(title));
    let mut svg = Svg::new(width, high + 2.0 * GAP + LINE, title);
    svg.text((GAP, 18.0), Anchor::Start, "font-weight=\"bold\"", title);
    let turns = scenes.len() as f64 + 2.0;
    for (number, scene) in scenes.iter().enumerate() {
        // Without animation the last state is what is seen.
        let last = number + 1 == scenes.len();
        svg.open(if last { "" } else { "display=\"none\"" });
        let (from, to) = (number as f64 / turns, (number as f64 + 1.0) / turns);
        let (values, times) = match (number, last) {
            (0, true) => ("inline".to_owned(), "0".to_owned()),
            (0, false) => ("inline;none".to_owned(), format!("0;{to:.5}")),
            (_, true) => ("none;inline".to_owned(), format!("0;{from:.5}")),
            _ => ("none;inline;none".to_owned(), format!("0;{from:.5};{to:.5}")),
        };
        svg.raw(&format!(
            "<animate attributeName=\"display\" calcMode=\"discrete\" values=\"{values}\" \
             keyTimes=\"{times}\" dur=\"{:.1}s\" repeatCount=\"indefinite\"/>",
            turns * SECONDS
        ));
        draw_scene(&mut svg, (GAP, GAP + LINE), wide, scene);
        svg.close();
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenes(count: usize) -> Vec<Scene> {
        let square = |text: &str| Square { text: text.to_owned(), ..Square::default() };
        let scene = |number: usize| {
            let rows = vec![vec![square("a<b"), square(""), square(&number.to_string())]];
            let picture = Picture::Grid(Grid { rows, below: None });
            Scene { caption: format!("{number}. move"), picture }
        };
        (0..count).map(scene).collect()
    }

    #[test]
    fn a_strip_has_every_board_and_stays_narrow() {
        let picture = strip("a & b", &scenes(40));
        assert_eq!(picture.matches(">a&lt;b</text>").count(), 40);
        assert_eq!(picture.matches("fill=\"#eeeeee\" stroke").count(), 40);
        let width = picture.split("width=\"").nth(1).and_then(|rest| rest.split('"').next());
        assert!(
            width.and_then(|width| width.parse::<f64>().ok()).is_some_and(|w| w <= STRIP + GAP)
        );
    }

    #[test]
    fn an_animation_shows_one_state_at_a_time() {
        let picture = animation("t", &scenes(3));
        // Turns: three states, and two more for the last one.
        for times in ["0;0.20000", "0;0.20000;0.40000", "0;0.40000"] {
            assert_eq!(picture.matches(&format!("keyTimes=\"{times}\"")).count(), 1, "{times}");
        }
        assert_eq!(picture.matches("<g display=\"none\">").count(), 2);
    }

    #[test]
    fn a_page_keeps_to_itself() {
        let mut scenes = scenes(2);
        scenes[1].caption = "</script>{{title}}\"".to_owned();
        let page = crate::board::page::page("{{scenes}}", &scenes);
        assert_eq!(page.matches("class=\"scene\"").count(), 2);
        assert_eq!(page.matches("</script>").count(), 1, "one script, ended once");
        assert!(!page.contains("http://") || page.matches("http://").count() == 2, "two pictures");
    }
}
