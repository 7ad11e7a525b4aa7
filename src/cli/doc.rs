//! `zug doc`: a document of a rule file.

use super::rule_args::TimedArgs;
use super::{Exit, complain, output, print, rules};
use clap::{Args, ValueEnum};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_code::Specialise;
use zug_render::board::svg::single;
use zug_render::board::{draw, picture, trimmed};
use zug_render::doc::{InstanceView, html, markdown};

/// `zug doc`.
#[derive(Args, Debug)]
pub struct DocArgs {
    /// The rule file
    pub file: PathBuf,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// What to write [default: by the name of the output, else markdown]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<DocFormat>,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Overwrite the output if it is there already
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Kinds of documents.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocFormat {
    /// A page for a browser: one file that needs nothing else
    Html,
    /// Text with marks
    Markdown,
}

/// Runs the command.
pub fn run(args: &DocArgs, flag: &Arc<AtomicBool>) -> Exit {
    if let Some(Err(failure)) = args.out.as_ref().map(|path| output::check(path, args.force)) {
        return rules::show_failure(&failure);
    }
    let file = match rules::find(&args.file) {
        Ok(file) => file,
        Err(exit) => return exit,
    };
    let terms = args.rules.careful_terms(Specialise::Off);
    let mut session = rules::within(&terms, &file, flag);
    let document = match zug_usecases::doc::document(&mut session, &file) {
        Ok(document) => document,
        Err(failure) => return rules::show_failure(&failure),
    };
    let format = args.format.unwrap_or_else(|| by_name(args));
    let mut boards = Vec::with_capacity(document.instances.len());
    for (name, state) in &document.instances {
        let board = draw(&mut session, state)
            .unwrap_or_else(|| zug_prolog::term_text(&session.machine, &session.world, state));
        // A state that can't be drawn is still there as text.
        let drawn = match format {
            DocFormat::Html => picture(&mut session, state).ok(),
            DocFormat::Markdown => None,
        };
        boards.push(InstanceView {
            name: name.clone(),
            board: trimmed(&board).to_owned(),
            picture: drawn.map(|picture| single(name, &picture)),
        });
    }
    let _ = session.world.streams.end_query();
    let text = match format {
        DocFormat::Html => html(&document, &boards),
        DocFormat::Markdown => markdown(&document, &boards),
    };
    let Some(path) = &args.out else { return print(&text) };
    match output::write(path, text.as_bytes(), args.force) {
        Ok(()) => {
            complain(&format!("the document is in `{}`", path.display()));
            Exit::Success
        }
        Err(failure) => rules::show_failure(&failure),
    }
}

/// The kind of document that the name of the output asks for.
fn by_name(args: &DocArgs) -> DocFormat {
    match args.out.as_ref().and_then(|path| path.extension()).and_then(OsStr::to_str) {
        Some("html" | "htm") => DocFormat::Html,
        _ => DocFormat::Markdown,
    }
}
