//! Boards of a plan: on the terminal one after the other, or in a file.

use super::{Exit, complain, io, output, print, rules};
use clap::Args;
use std::ffi::OsStr;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use zug_prolog::session::Session;
use zug_render::board::svg::{Scene, animation, strip};
use zug_render::board::{BoardStyle, draw_in, page::page, picture};
use zug_render::style::{Theme, paint};
use zug_term::Record;
use zug_usecases::Failure;

/// How the states of a plan are shown.
#[derive(Args, Debug, Clone, Default)]
pub struct BoardArgs {
    /// Print the board after every move
    #[arg(long, conflicts_with = "format")]
    pub boards: bool,
    /// Show the boards one by one: Return goes on, q stops
    #[arg(long, conflicts_with = "format")]
    pub step: bool,
    /// Boards in sentences, for those who listen
    #[arg(long)]
    pub plain: bool,
    /// Draw the plan to a file: a strip of boards (FILE.svg), or a page to step through (FILE.html)
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    pub draw: Option<PathBuf>,
    /// With --draw FILE.svg: one board that moves
    #[arg(long, requires = "draw")]
    pub animate: bool,
    /// Overwrite the drawing if it is there already; with --save, a base of other rules
    #[arg(long)]
    pub force: bool,
}

/// The kinds of drawing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Svg,
    Html,
}

impl BoardArgs {
    fn kind(&self, path: &Path) -> Result<Kind, Failure> {
        match path.extension().and_then(OsStr::to_str) {
            Some("svg") => Ok(Kind::Svg),
            Some("html" | "htm") if !self.animate => Ok(Kind::Html),
            Some("html" | "htm") => Err(Failure::Players(
                "a page steps through the boards by itself; --animate is for FILE.svg".to_owned(),
            )),
            _ => Err(Failure::Players(format!(
                "`{}` is no kind of drawing: --draw FILE.svg or --draw FILE.html",
                path.display()
            ))),
        }
    }

    /// Whether what is asked for can be done, before the search.
    ///
    /// # Errors
    /// The file can't be written, or is of no known kind.
    pub fn check(&self) -> Result<(), Failure> {
        let Some(path) = &self.draw else { return Ok(()) };
        self.kind(path)?;
        output::check(path, self.force)
    }

    /// Whether anything but the start and the end is shown.
    pub fn wants_states(&self) -> bool {
        self.boards || self.step || self.draw.is_some()
    }

    /// The start of a plan, and its end, are shown so.
    pub fn manner(&self) -> BoardStyle {
        if self.plain { BoardStyle::Sentences } else { BoardStyle::Printed }
    }

    /// Shows the states of a plan, of which `states[0]` is the start, as far as that is asked for.
    pub fn show(
        &self,
        session: &mut Session,
        title: &str,
        states: &[Record],
        moves: &[String],
    ) -> Exit {
        if (self.boards || self.step) && self.list(session, states, moves) != Exit::Success {
            return Exit::Error;
        }
        let Some(path) = &self.draw else { return Exit::Success };
        let drawn = self.kind(path).and_then(|kind| {
            let mut scenes = Vec::with_capacity(states.len());
            for (number, state) in states.iter().enumerate() {
                let picture = picture(session, state).map_err(Failure::Players)?;
                scenes.push(Scene { caption: caption(number, moves), picture });
            }
            let text = match kind {
                Kind::Svg if self.animate => animation(title, &scenes),
                Kind::Svg => strip(title, &scenes),
                Kind::Html => page(title, &scenes),
            };
            output::write(path, text.as_bytes(), self.force)
        });
        match drawn {
            Ok(()) => {
                complain(&format!("the boards are in `{}`", path.display()));
                Exit::Success
            }
            Err(failure) => rules::show_failure(&failure),
        }
    }

    /// Prints boards, and waits between them if that is wanted.
    fn list(&self, session: &mut Session, states: &[Record], moves: &[String]) -> Exit {
        let theme = Theme::new(io::colours().0);
        let manner = match self.plain {
            true => BoardStyle::Sentences,
            false if theme.colour => BoardStyle::Coloured,
            false => BoardStyle::Printed,
        };
        let waits = self.step && std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        for (number, state) in states.iter().enumerate() {
            let board = draw_in(session, state, manner).unwrap_or_else(|| {
                zug_prolog::term_text(&session.machine, &session.world, state) + "\n"
            });
            let heading = paint(theme.strong, &caption(number, moves));
            let board = zug_render::board::trimmed(&board);
            if print(&format!("\n{heading}\n{board}\n")) != Exit::Success {
                return Exit::Error;
            }
            if waits && number + 1 < states.len() && !goes_on() {
                break;
            }
        }
        Exit::Success
    }
}

/// What led to a state of a plan.
fn caption(number: usize, moves: &[String]) -> String {
    match number.checked_sub(1).and_then(|before| moves.get(before)) {
        Some(mv) => format!("{number}. {mv}"),
        None => "start".to_owned(),
    }
}

/// Asks whether to go on to the next board.
fn goes_on() -> bool {
    let mut err = io::stderr();
    let _ = write!(err, "Return goes on, q stops: ").and_then(|()| err.flush());
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.is_ok_and(|length| length > 0) && !line.trim().starts_with(['q', 'Q'])
}
