//! Colours, or none.

use anstyle::{AnsiColor, Style};

/// The styles of what a person reads; all plain without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Whether ANSI colours are used.
    pub colour: bool,
    /// Whether compiler diagnostics are wanted.
    pub code: bool,
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
            code: false,
            error: bold(AnsiColor::BrightRed),
            warning: bold(AnsiColor::Yellow),
            good: bold(AnsiColor::Green),
            strong: style(Style::new().bold()),
            dim: style(Style::new().dimmed()),
        }
    }

    /// The same with compiler diagnostics, or without.
    pub fn telling_code(self, code: bool) -> Theme {
        Theme { code, ..self }
    }
}

/// Text in a style.
pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
