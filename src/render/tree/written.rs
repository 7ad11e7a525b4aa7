//! A tree in the format of a file.

use super::label::Label;
use super::{dot, fold, html, svg, text};
use crate::style::Theme;
use std::path::Path;
use zug_usecases::record;
use zug_usecases::tree::TreeReport;

/// What a tree is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeOutput {
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

impl TreeOutput {
    /// The names of all formats.
    pub const NAMES: &str = "text, dot, svg, html, png, json";

    /// The format of this name, or with this ending.
    pub fn by_word(word: &str) -> Option<TreeOutput> {
        Some(match word {
            "text" | "txt" => TreeOutput::Text,
            "dot" | "gv" => TreeOutput::Dot,
            "svg" => TreeOutput::Svg,
            "html" | "htm" => TreeOutput::Html,
            "png" => TreeOutput::Png,
            "json" => TreeOutput::Json,
            _ => return None,
        })
    }

    /// The format that the name of a file says; text if it says nothing.
    pub fn by_name(path: Option<&Path>) -> TreeOutput {
        let ending = path.and_then(|path| path.extension()?.to_str().map(str::to_lowercase));
        ending.and_then(|ending| TreeOutput::by_word(&ending)).unwrap_or(TreeOutput::Text)
    }
}

/// How much of a tree is shown, and where.
#[derive(Clone, Copy, Debug, Default)]
pub struct View {
    /// All of it, however large; else a picture is folded until it fits a page.
    pub all: bool,
    /// Columns of the terminal that text is for.
    pub columns: Option<usize>,
    /// Lines that text may have, unless all is asked for.
    pub lines: Option<usize>,
}

/// A tree that is written.
#[derive(Clone, Debug)]
pub struct Output {
    /// What is in the file.
    pub bytes: Vec<u8>,
    /// What its reader has to know: that the tree is cut or folded, and how to see more.
    pub remarks: Vec<String>,
}

/// A tree in a format; `theme` is for text.
///
/// # Errors
/// Why there is no picture, in words.
pub fn written(
    report: &TreeReport,
    labels: &[Label],
    format: TreeOutput,
    theme: &Theme,
    view: View,
) -> Result<Output, String> {
    let folded = match format {
        TreeOutput::Svg | TreeOutput::Png | TreeOutput::Dot => {
            Some(fold::for_picture(report, labels, view.all))
        }
        TreeOutput::Text => {
            view.lines.filter(|_| !view.all).map(|lines| fold::for_lines(report, lines))
        }
        TreeOutput::Html | TreeOutput::Json => None,
    };
    let mut folded = folded.unwrap_or_else(|| fold::whole(report));
    let remarks = folded.report.remarks.clone();
    if !matches!(format, TreeOutput::Text | TreeOutput::Json) {
        for_others(folded.report.to_mut());
    }
    let bytes = match format {
        TreeOutput::Text => text::text(&folded.report, theme, view.columns).into_bytes(),
        TreeOutput::Dot => dot::dot(&folded, labels).into_bytes(),
        TreeOutput::Svg => svg::svg(&folded, labels).into_bytes(),
        TreeOutput::Html => html::html(&folded.report, labels).into_bytes(),
        #[cfg(feature = "png")]
        TreeOutput::Png => super::png::png(&svg::svg(&folded, labels))?,
        #[cfg(not(feature = "png"))]
        TreeOutput::Png => {
            return Err(
                "this zug was built without png: the packages of a release have it (docs/packages.md), and \
                 `cargo install --path . --features png` builds one with it; svg, html and dot need none"
                    .to_owned(),
            );
        }
        // Only maps with other keys than strings can fail.
        TreeOutput::Json => (record::line("result", report) + "\n").into_bytes(),
    };
    Ok(Output { bytes, remarks })
}

/// Takes out of a report what is for those alone who typed the command: advice on options, and the
/// folders of the file.
fn for_others(report: &mut TreeReport) {
    let remarks = std::mem::take(&mut report.remarks);
    report.remarks = remarks.iter().filter_map(|remark| without_advice(remark)).collect();
    report.size_remarks = report.size_remarks.min(report.remarks.len());
    if let Some(rest) = report.title.strip_prefix(&report.file) {
        report.title = file_name(&report.file) + rest;
    }
}

/// A remark without advice on options of the command line; `None` if it is nothing else.
fn without_advice(remark: &str) -> Option<String> {
    match remark.find("--") {
        None => Some(remark.to_owned()),
        Some(at) => remark[..at].strip_suffix("; ").map(|said| format!("{said}.")),
    }
}

/// The name of a file without its folders.
pub fn file_name(file: &str) -> String {
    let name = Path::new(file).file_name();
    name.map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_no_advice_on_options() {
        for (remark, expected) in [
            ("The tree has 3 nodes.", Some("The tree has 3 nodes.")),
            ("--all draws more of them.", None),
            ("Too many; --depth D looks less far.", Some("Too many.")),
        ] {
            assert_eq!(without_advice(remark).as_deref(), expected, "{remark}");
        }
    }
}
