//! `zug specialize`: the code that is made from rules, stage by stage.

use super::args::{Emit, SpecialiseArgs};
use super::{Exit, complain, io, print, rules};
use crate::builtins::Specialise;
use crate::domain::specialise::Stage;
use crate::render::specialise;
use crate::render::style::Theme;
use crate::usecases;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs the command.
pub fn run(args: &SpecialiseArgs, flag: &Arc<AtomicBool>) -> Exit {
    let file = match rules::find(&args.file) {
        Ok(file) => file,
        Err(exit) => return exit,
    };
    let mut session = rules::session(None, Specialise::On, flag);
    let stage = match args.emit {
        Emit::Shape => Stage::Shape,
        Emit::Residual => Stage::Residual,
        Emit::Optimised => Stage::Optimised,
        Emit::Code => Stage::Code,
        Emit::Stats => Stage::Stats,
    };
    let wanted = args.predicate.as_deref();
    let all = usecases::specialise::specialise(&mut session, &file, wanted, stage);
    match all {
        Ok(all) if all.is_empty() => {
            let wanted = wanted.unwrap_or("a contract predicate");
            complain(&format!("error: the rules were never asked for {wanted}"));
            Exit::Usage
        }
        Ok(all) => {
            let theme = Theme::new(io::colours().0);
            print(&specialise::text(&all, stage, &theme))
        }
        Err(failure) => rules::show_failure(&failure),
    }
}
