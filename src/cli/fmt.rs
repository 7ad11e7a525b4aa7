//! `zug fmt`: lays rule files out.

use super::guide_args::FmtArgs;
use super::{Exit, complain, io, rules};
use std::io::Write as _;
use std::path::Path;
use zug_prolog::builtins::loader::STDIN;
use zug_usecases::layout::lay_out;

/// Runs the command.
pub fn run(args: &FmtArgs) -> Exit {
    let mut exit = Exit::Success;
    for name in &args.files {
        let found = match rules::find(name) {
            Ok(file) => format_file(args, &file),
            Err(exit) => exit,
        };
        exit = exit.graver(found);
    }
    exit
}

fn format_file(args: &FmtArgs, file: &Path) -> Exit {
    let laid_out = match lay_out(file) {
        Ok(laid_out) => laid_out,
        Err(failure) => return rules::show_failure(&failure),
    };
    if args.check {
        if !laid_out.changes() {
            return Exit::Success;
        }
        complain(&format!("{}: `zug fmt` would change it", file.display()));
        return Exit::Failure;
    }
    if file == Path::new(STDIN) {
        let mut out = io::stdout();
        return match out.write_all(laid_out.new.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => Exit::Success,
            // What is wrong is said once, at the end.
            Err(_) => Exit::Error,
        };
    }
    if !laid_out.changes() {
        return Exit::Success;
    }
    match laid_out.write(file) {
        Ok(()) => {
            complain(&format!("{}: laid out", file.display()));
            Exit::Success
        }
        Err(failure) => rules::show_failure(&failure),
    }
}
