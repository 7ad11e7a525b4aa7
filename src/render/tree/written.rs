//! A tree in the format of a file.

use super::label::Label;
use super::{dot, html, svg, text};
use crate::render::style::Theme;
use crate::usecases::record;
use crate::usecases::tree::TreeReport;
use std::path::Path;

/// What a tree is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Lines, children indented.
    Text,
    /// For Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A page to step through.
    Html,
    /// A picture in pixels.
    Png,
    /// For programs.
    Json,
}

impl Written {
    /// The names of all formats.
    pub const NAMES: &str = "text, dot, svg, html, png, json";

    /// The format of this name, or with this ending.
    pub fn by_word(word: &str) -> Option<Written> {
        Some(match word {
            "text" | "txt" => Written::Text,
            "dot" | "gv" => Written::Dot,
            "svg" => Written::Svg,
            "html" | "htm" => Written::Html,
            "png" => Written::Png,
            "json" => Written::Json,
            _ => return None,
        })
    }

    /// The format that the name of a file says; text if it says nothing.
    pub fn by_name(path: Option<&Path>) -> Written {
        let ending = path.and_then(|path| path.extension()?.to_str().map(str::to_lowercase));
        ending.and_then(|ending| Written::by_word(&ending)).unwrap_or(Written::Text)
    }
}

/// A tree in a format; `theme` is for text.
///
/// # Errors
/// Why there is no picture, in words.
pub fn written(
    report: &TreeReport,
    labels: &[Label],
    format: Written,
    theme: &Theme,
) -> Result<Vec<u8>, String> {
    Ok(match format {
        Written::Text => text::text(report, theme).into_bytes(),
        Written::Dot => dot::dot(report, labels).into_bytes(),
        Written::Svg => svg::svg(report, labels).into_bytes(),
        Written::Html => html::html(report, labels).into_bytes(),
        #[cfg(feature = "png")]
        Written::Png => super::png::png(&svg::svg(report, labels))?,
        #[cfg(not(feature = "png"))]
        Written::Png => {
            return Err(
                "this zug was built without png; `cargo install --path . --features png` builds one \
                 with it, and svg, html and dot are there without"
                    .to_owned(),
            );
        }
        // Only maps with other keys than strings can fail.
        Written::Json => (record::line("result", report) + "\n").into_bytes(),
    })
}
