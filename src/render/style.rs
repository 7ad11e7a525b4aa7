//! Colours, or none.

use anstyle::{AnsiColor, Style};

/// The styles of what a person reads; all plain without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Whether ANSI colours are used.
    pub colour: bool,
    /// What went wrong.
    pub error: Style,
    /// What may be wrong.
    pub warning: Style,
    /// What went well.
    pub good: Style,
    /// Headings and names.
    pub strong: Style,
    /// What matters less: statistics, advice.
    pub dim: Style,
}

impl Theme {
    /// The theme with or without colour.
    pub fn new(colour: bool) -> Theme {
        let style = |style: Style| if colour { style } else { Style::new() };
        let bold = |colour: AnsiColor| style(Style::new().bold().fg_color(Some(colour.into())));
        Theme {
            colour,
            error: bold(AnsiColor::BrightRed),
            warning: bold(AnsiColor::Yellow),
            good: bold(AnsiColor::Green),
            strong: style(Style::new().bold()),
            dim: style(Style::new().dimmed()),
        }
    }
}

/// Text in a style.
pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
