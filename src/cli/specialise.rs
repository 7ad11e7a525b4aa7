//! `zug specialize`: the code that is made from rules, stage by stage.

use super::args::Format;
use super::rule_args::TimedArgs;
use super::{Exit, io, report, rules};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use zug_code::{Specialise, Stage};
use zug_render::specialise;
use zug_render::style::Theme;

/// `zug specialize`.
#[derive(Args, Debug)]
pub struct SpecialiseArgs {
    /// The rule file
    pub file: PathBuf,
    /// Only this predicate, as rule/4
    #[arg(long, value_name = "NAME/ARITY")]
    pub predicate: Option<String>,
    /// What to show
    #[arg(long, value_name = "STAGE", default_value = "stats")]
    pub emit: Emit,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// What `zug specialize` shows.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The shapes of states, with names for their leaves
    Shape,
    /// What the rules come to once the shape is known, simplified: answers with their conditions
    Answers,
    /// Vectorised conditions: what is computed for all places of a board at once
    Planes,
    /// Answers partitioned into decisions, before scheduling
    Blocks,
    /// Slices: the guards of moves, and single moves
    Slices,
    /// The scheduled program, as it runs: blocks and values, moves and tables
    Program,
    /// Sizes and times, and what stands in the way
    Stats,
}

/// Runs the command.
pub fn run(args: &SpecialiseArgs, flag: &Arc<AtomicBool>) -> Exit {
    let file = match rules::find(&args.file) {
        Ok(file) => file,
        Err(exit) => return exit,
    };
    let terms = args.rules.careful_terms(Specialise::On);
    let mut session = rules::within(&terms, &file, flag);
    let stage = match args.emit {
        Emit::Shape => Stage::Shape,
        Emit::Answers => Stage::Answers,
        Emit::Planes => Stage::Planes,
        Emit::Blocks => Stage::Blocks,
        Emit::Slices => Stage::Slices,
        Emit::Program => Stage::Program,
        Emit::Stats => Stage::Stats,
    };
    if let Err(exit) = rules::load(&mut session, &file) {
        return exit;
    }
    let all = zug_usecases::specialise::specialise(&mut session, args.predicate.as_deref(), stage);
    let _ = session.world.streams.end_query();
    let all = match all {
        Ok(all) => all,
        Err(failure) => return rules::show_failure(&failure),
    };
    if flag.load(Ordering::Relaxed) {
        return Exit::Interrupted;
    }
    let record = zug_usecases::specialise::SpecialiseRecord::from(&all[..]);
    report(&record, || specialise::text(&all, stage, &Theme::new(io::colours().0)))
}
