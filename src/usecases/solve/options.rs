//! The options of `solve`.

use super::{SolveRequest, Wanted};
use zug_options::{Row, row};

/// The engine.
pub static ENGINE: [Row<SolveRequest>; 1] =
    [row!(text("engine", "NAME", "The engine") => Some(SolveRequest.engine))];

/// Who is to move.
pub static PLAYER: [Row<SolveRequest>; 1] = [row!(
    term_text("player", "TERM", "The player to move, in a game [default: the initial player]")
        => Some(SolveRequest.player)
)];

/// The state in the place of an instance.
pub static STATE: [Row<SolveRequest>; 1] = [row!(
    term_text("state", "TERM", "The state to start from, as '[[x,_,_],[_,o,_],[_,_,_]]'")
        => Some(SolveRequest.state)
)
.conflicts(&["instance", "all"])];

/// How many plans are looked for.
pub static PLANS: [Row<SolveRequest>; 1] = [Row::whole(
    "all-plans",
    "N",
    "Find all cheapest plans of a puzzle: how many there are, and N of them [default: 20]",
    |to: &mut SolveRequest, shown| {
        to.wanted = Wanted::Plans(usize::try_from(shown).unwrap_or(usize::MAX));
        Ok(())
    },
)
.bare("20")
.conflicts(&["all-solutions", "unique"])];

/// How many solutions of a model are looked for.
pub static SOLUTIONS: [Row<SolveRequest>; 2] = [
    Row::whole(
        "all-solutions",
        "N",
        "Find all solutions of a model, with an objective all best ones: how many there are, and N of them \
         [default: 20]",
        |to: &mut SolveRequest, shown| {
            to.wanted = Wanted::Solutions(usize::try_from(shown).unwrap_or(usize::MAX));
            Ok(())
        },
    )
    .bare("20"),
    Row::flag(
        "unique",
        "Find out whether a solution of a model is the only one, with an objective the only best one",
        |to: &mut SolveRequest, on| {
            if on {
                to.wanted = Wanted::Unique;
            }
            Ok(())
        },
    )
    .conflicts(&["all-solutions"]),
];

/// The heuristic.
pub static HEURISTIC: [Row<SolveRequest>; 1] = [row!(
    text(
        "heuristic", "NAME",
        "The heuristic: the name in heuristic(Name, S, H), or one made from the rules: derived, lmcut, hmax, hff, hadd \
         [default: the first of the file]",
    ) => Some(SolveRequest.heuristic)
)];

/// Which instances are solved.
pub static INSTANCES: [Row<SolveRequest>; 2] = [
    row!(
        text(
            "instance", "NAME",
            "The instance, if the file has several: the name in initial_state(Name, S) or model(Name, Vars), or its \
             number [default: the first]",
        ) => Some(SolveRequest.instance)
    )
    .alias("instances"),
    row!(flag("all", "Solve every instance, one report after the other") => SolveRequest.every)
        .conflicts(&["instance"]),
];

/// What is written of results.
pub static FILES: [Row<SolveRequest>; 2] = [
    row!(
        file(
            "save", "DB",
            "Keep in this base what is known then: of a game every state with value, distance and best move, of a \
             puzzle the states along a cheapest plan, and tables of `--heuristic derived`; what is there is not \
             searched, or derived, again",
        ) => Some(SolveRequest.save)
    )
    .conflicts(&["db"]),
    row!(
        file(
            "certificate", "FILE",
            "Write into this file what proves the result, to be checked by `zug verify` or others",
        ) => Some(SolveRequest.certificate)
    )
    .conflicts(&["all", "all-plans"]),
];
