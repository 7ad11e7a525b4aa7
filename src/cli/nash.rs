//! `zug nash`: equilibria of a game in which all choose at once.

use super::boards::BoardArgs;
use super::simultaneous_args::NashArgs;
use super::{Exit, rules, solve};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_code::Specialise;
use zug_search::Limits;
use zug_usecases::solve::{SolveRequest, Wanted};

/// Runs the command.
pub fn run(args: &NashArgs, flag: &Arc<AtomicBool>) -> Exit {
    let terms = args.rules.terms(Specialise::Off);
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request = SolveRequest {
        file,
        wanted: Wanted::Equilibria(args.wanted.0, args.lessons.learning()),
        instance: args.instance.clone(),
        state: args.state.clone(),
        limits: Limits { nodes: args.steps.nodes, memory: None, ..args.rules.limits(flag) },
        ..SolveRequest::default()
    };
    solve::answer(&mut session, &request, &BoardArgs::default(), false)
}
