//! `zug check`: mistakes in rule files, and what kind of domain they are.

use super::args::CheckArgs;
use super::{Exit, emit, io, print, rules};
use crate::builtins::Specialise;
use crate::render::check;
use crate::render::diagnostic::{RenderOptions, render};
use crate::render::style::Theme;
use crate::usecases;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs the command: each file on its own, as if it were the only one.
pub fn run(args: &CheckArgs, flag: &Arc<AtomicBool>) -> Exit {
    let mut exit = Exit::Success;
    for (i, name) in args.files.iter().enumerate() {
        let found = match rules::find(name) {
            Ok(file) => check_file(args, &file, i > 0, flag),
            Err(exit) => exit,
        };
        if found == Exit::Interrupted {
            return found;
        }
        if found.code() > exit.code() {
            exit = found;
        }
    }
    exit
}

fn check_file(args: &CheckArgs, file: &Path, apart: bool, flag: &Arc<AtomicBool>) -> Exit {
    let terms = args.rules.careful_terms(Specialise::Off);
    let mut session = rules::within(&terms, file, flag);
    session.world.asking_time = terms.allowance.time;
    let checked = match usecases::check::check(&mut session, file) {
        Ok(checked) => checked,
        Err(failure) => return rules::show_failure(&failure),
    };
    let _ = session.world.streams.end_query();
    let exit = match usecases::check::exit_code(&checked) {
        0 => Exit::Success,
        _ => Exit::Rules,
    };
    if emit::is_open() {
        emit::record("result", &usecases::check::report(file, &checked));
        return emit::full().unwrap_or(exit);
    }
    let theme = Theme::new(io::colours().0);
    // The findings are what was asked for, so they are the result.
    let mut text = String::new();
    if apart {
        text.push('\n');
    }
    for finding in &checked.findings {
        // Writing to a string doesn't fail.
        let _ = render(&mut text, finding, RenderOptions { colour: theme.colour });
        text.push('\n');
    }
    text += &check::text(&file.display().to_string(), &checked, &theme);
    match print(&text) {
        Exit::Success => exit,
        failure => failure,
    }
}
