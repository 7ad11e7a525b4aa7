//! Pictures as SVG: the few elements that drawings here are made of.
//!
//! Lengths are in user units, one of which is a pixel at the picture's own size; y grows
//! downwards. Colours come from [`palette`], which is told apart without red and green. Where
//! the reader prefers dark, a rule for each of them puts another in its place ([`dark`]); a colour
//! that was chosen in a rule file stays, since it stands in a `style` of its own.

use std::fmt::Write;

/// Colours for data, after M. Okabe and K. Ito, *Color Universal Design* (2008): told apart
/// by people with any common colour blindness, and by their lightness in print.
pub mod palette {
    /// For lines of text and frames.
    pub const INK: &str = "#222222";
    /// For what stands back: grids, edges.
    pub const GREY: &str = "#999999";
    /// For the lines of a grid.
    pub const PALE: &str = "#dddddd";
    /// The first colour for data.
    pub const BLUE: &str = "#0072b2";
    /// The second.
    pub const ORANGE: &str = "#e69f00";
    /// The third.
    pub const GREEN: &str = "#009e73";
    /// The fourth.
    pub const VERMILION: &str = "#d55e00";
    /// The fifth.
    pub const PURPLE: &str = "#cc79a7";
    /// The sixth.
    pub const SKY: &str = "#56b4e9";

    /// Colours for several sets of data, in turn.
    pub const DATA: [&str; 6] = [BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY];
}

/// What stands for each colour where the reader prefers dark: paper, inks and lines, fills behind
/// text, data. Each keeps its contrast to what it is drawn on.
const DARK: [(&str, &str); 21] = [
    ("white", "#1b1c1f"),
    ("#eeeeee", "#2e3036"),
    (palette::INK, "#e8e8e8"),
    ("#333333", "#d4d4d4"),
    ("#555555", "#bcbcbc"),
    ("#666666", "#b0b0b0"),
    ("#777777", "#a0a0a0"),
    (palette::GREY, "#8c8f96"),
    (palette::PALE, "#43464d"),
    ("#bfe0f5", "#154663"),
    ("#fbd38a", "#5a3a03"),
    ("#e9e9e9", "#44474e"),
    ("#e4eff7", "#20384a"),
    ("#ffffff", "#26282d"),
    (palette::BLUE, "#4aa8ea"),
    (palette::ORANGE, "#f0b030"),
    (palette::GREEN, "#2cc79a"),
    (palette::VERMILION, "#ff8b45"),
    (palette::PURPLE, "#e59cc6"),
    (palette::SKY, "#8fd0f5"),
    ("#000000", "#e8e8e8"),
];

/// The rules of a style sheet that turn pictures dark where the reader prefers it. `text` is what
/// draws without a colour of its own: `svg`, or a place in a page.
pub fn dark(text: &str) -> String {
    let mut rules = format!(
        ":root{{color-scheme:light dark}}\n\
         @media screen and (prefers-color-scheme:dark){{\n{text}{{fill:#e8e8e8}}\n"
    );
    for (light, dark) in DARK {
        let _ =
            write!(rules, "[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}");
    }
    rules + "\n}\n"
}

/// A picture that stands in a page whose style sheet has the rules of [`dark`] already.
pub fn in_page(picture: &str) -> String {
    match picture.split_once("<style>\n").and_then(|(before, rest)| {
        rest.split_once("</style>\n").map(|(_, after)| format!("{before}{after}"))
    }) {
        Some(bare) => bare,
        None => picture.to_owned(),
    }
}

/// Text as it stands in an element or an attribute.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 has no place for other control characters, escaped or not.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Where a line of text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// A picture that is being drawn.
#[derive(Clone, Debug)]
pub struct Svg {
    text: String,
}

impl Svg {
    /// An empty picture of a width and a height, white or dark as the reader prefers, with a title
    /// for those who can't see it.
    pub fn new(width: f64, height: f64, title: &str) -> Svg {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"sans-serif\" font-size=\"12\" \
             role=\"img\">\n<title>{}</title>\n<style>\n{}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            escaped(title),
            dark("svg"),
        );
        Svg { text }
    }

    /// Elements that are to stand in another picture.
    pub fn part() -> Svg {
        Svg { text: String::new() }
    }

    /// What was drawn of such a part.
    pub fn into_part(self) -> String {
        self.text
    }

    /// A rectangle by its upper left corner and its size; `style` is attributes as they are.
    pub fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), style: &str) {
        let _ = writeln!(
            self.text,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {style}/>"
        );
    }

    /// A straight line; `style` is attributes as they are.
    pub fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), style: &str) {
        let _ = writeln!(
            self.text,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
        );
    }

    /// A circle; `style` is attributes as they are.
    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, style: &str) {
        let _ =
            writeln!(self.text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" {style}/>");
    }

    /// Straight lines from point to point; `style` is attributes as they are.
    pub fn polyline(&mut self, points: impl IntoIterator<Item = (f64, f64)>, style: &str) {
        let points: Vec<String> =
            points.into_iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.text,
            "<polyline fill=\"none\" points=\"{}\" {style}/>",
            points.join(" ")
        );
    }

    /// A line of text on a base line; `style` is attributes as they are.
    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, style: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let space = if style.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\"{anchor}{space}{style}>{}</text>",
            escaped(text)
        );
    }

    /// Begins a group of these attributes; [`Svg::close`] ends it.
    pub fn open(&mut self, attributes: &str) {
        let _ = writeln!(self.text, "<g {attributes}>");
    }

    /// Ends the group begun last.
    pub fn close(&mut self) {
        self.text.push_str("</g>\n");
    }

    /// An element that this type has no name for, as it is written.
    pub fn raw(&mut self, element: &str) {
        self.text.push_str(element);
        self.text.push('\n');
    }

    /// The picture as a file.
    pub fn finish(self) -> String {
        self.text + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_control_characters_are_none_of_xml() {
        assert_eq!(escaped("a<b & \"c\"\u{1b}"), "a&lt;b &amp; &quot;c&quot;\u{fffd}");
    }

    /// The contrast of two colours, after WCAG 2.2.
    fn contrast(a: &str, b: &str) -> f64 {
        let part = |text: &str| {
            let value = f64::from(u8::from_str_radix(text, 16).expect("two digits")) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let light = |text: &str| {
            let text = if text == "white" { "#ffffff" } else { text };
            let [r, g, b] = [1, 3, 5].map(|at| part(&text[at..at + 2]));
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_is_read_and_data_is_seen_in_light_and_in_dark() {
        let dark = |light: &str| DARK.iter().find(|pair| pair.0 == light).expect("a pair").1;
        let paper = ["white", "#eeeeee", "#bfe0f5", "#fbd38a", "#e9e9e9", "#e4eff7", "#ffffff"];
        for paper in paper {
            for ink in [palette::INK, "#333333"] {
                assert!(contrast(ink, paper) >= 7.0, "{ink} on {paper}");
                assert!(contrast(dark(ink), dark(paper)) >= 6.0, "{ink} on {paper} in the dark");
            }
        }
        for ink in ["#555555", "#666666"] {
            assert!(contrast(ink, "white") >= 4.5 && contrast(dark(ink), dark("white")) >= 4.5);
        }
        for data in palette::DATA {
            assert!(contrast(dark(data), dark("white")) >= 4.5, "{data}");
        }
    }

    #[test]
    fn a_picture_is_one_element_with_a_title() {
        let mut svg = Svg::new(10.0, 20.0, "x < y");
        svg.text((1.0, 2.0), Anchor::Middle, "", "1 < 2");
        let picture = svg.finish();
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert!(picture.contains("<title>x &lt; y</title>"));
        assert!(picture.contains("[fill=\"white\"]{fill:#1b1c1f}"));
        assert!(picture.contains("<text x=\"1.0\" y=\"2.0\" text-anchor=\"middle\">1 &lt; 2<"));
    }
}
