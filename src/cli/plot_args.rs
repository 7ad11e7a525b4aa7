//! `--plot`, which commands with something to draw have in common.

use super::{Exit, complain, output, print, rules, tell};
use clap::Args;
use std::path::{Path, PathBuf};
use zug_render::plot::{Bars, Plot};
use zug_usecases::Failure;

/// What pictures are to be made.
#[derive(Args, Debug, Clone, Default)]
pub struct PlotArgs {
    /// Draw a plot: --plot svg FILE as a picture, --plot=text on the terminal
    #[arg(long, num_args = 1..=2, value_names = ["KIND", "FILE"])]
    pub plot: Vec<PathBuf>,
    /// Overwrite the picture if it is there already; with --save, a base of other rules
    #[arg(long)]
    pub force: bool,
}

/// What can be drawn.
pub enum Drawing {
    /// Series over two axes.
    Plot(Plot),
    /// Bars beside names.
    Bars(Bars),
}

impl Drawing {
    fn svg(&self) -> String {
        match self {
            Drawing::Plot(plot) => plot.svg(),
            Drawing::Bars(bars) => bars.svg(),
        }
    }

    fn text(&self) -> String {
        match self {
            Drawing::Plot(plot) => plot.text(),
            Drawing::Bars(bars) => bars.text(),
        }
    }
}

/// The pictures that are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlotTargets<'a> {
    /// On the terminal.
    pub text: bool,
    /// To a file.
    pub svg: Option<&'a Path>,
}

impl PlotArgs {
    /// What is asked for.
    ///
    /// # Errors
    /// It is no kind of picture.
    pub fn wanted(&self) -> Result<PlotTargets<'_>, String> {
        let mut wanted = PlotTargets::default();
        let mut words = self.plot.iter();
        while let Some(kind) = words.next() {
            match kind.to_str() {
                Some("text") => wanted.text = true,
                Some("svg") => match words.next() {
                    Some(file) => wanted.svg = Some(file),
                    None => return Err("--plot svg needs a file: --plot svg FILE".to_owned()),
                },
                _ => {
                    let kind = kind.display();
                    return Err(format!(
                        "`{kind}` is no kind of picture: --plot svg FILE, or --plot=text"
                    ));
                }
            }
        }
        Ok(wanted)
    }

    /// What is asked for, once it is sure that the file may be written: before the work.
    ///
    /// # Errors
    /// It is no kind of picture, or the file may not be written.
    pub fn check(&self) -> Result<PlotTargets<'_>, Failure> {
        let wanted = self.wanted().map_err(Failure::Players)?;
        if let Some(path) = wanted.svg {
            output::check(path, self.force)?;
        }
        Ok(wanted)
    }

    /// Draws it. On a terminal it goes to standard output below results `for_people`, and else
    /// to standard error, beside those for programs.
    pub fn draw(
        &self,
        wanted: &PlotTargets<'_>,
        drawing: Option<&Drawing>,
        for_people: bool,
    ) -> Exit {
        if *wanted == PlotTargets::default() {
            return Exit::Success;
        }
        let Some(drawing) = drawing else {
            complain("note: there is nothing to draw");
            return Exit::Success;
        };
        if wanted.text {
            let text = format!("\n{}", drawing.text());
            if !for_people {
                tell(text.trim_end());
            } else if print(&text) != Exit::Success {
                return Exit::Error;
            }
        }
        match wanted.svg.map(|path| output::write(path, drawing.svg().as_bytes(), self.force)) {
            Some(Err(failure)) => rules::show_failure(&failure),
            _ => Exit::Success,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_pictures() {
        let of = |words: &[&str]| PlotArgs {
            plot: words.iter().map(PathBuf::from).collect(),
            force: false,
        };
        let both = of(&["text", "svg", "a.svg"]);
        let wanted = both.wanted();
        assert_eq!(wanted, Ok(PlotTargets { text: true, svg: Some(Path::new("a.svg")) }));
        assert!(of(&["svg"]).wanted().is_err_and(|words| words.contains("FILE")));
        assert!(of(&["png", "a.png"]).wanted().is_err_and(|words| words.contains("`png`")));
        assert_eq!(of(&[]).wanted(), Ok(PlotTargets::default()));
    }
}
