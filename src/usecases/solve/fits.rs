//! Option compatibility: options that do not apply to a kind of domain, or exclude each other.

use super::{SolveRequest, Wanted};
use zug_domain::DomainKind::{self, Game, Model, Program, Puzzle, Simultaneous};
use zug_domain::Effort;
use zug_domain::model::Labelling;
use zug_search::Options;
use zug_search::game::Sampling;

/// What was given.
pub struct Given<'g> {
    /// The request.
    pub request: &'g SolveRequest,
    /// A base to answer from.
    pub db: bool,
}

/// The kinds of domain that a rule is for, the option and why it does not fit, and whether that is so.
type Misfit = (&'static [DomainKind], &'static str, &'static str, fn(&Given<'_>) -> bool);

const GAMES: &[DomainKind] = &[Game, Simultaneous];
const PUZZLES: &[DomainKind] = &[Puzzle, Program];
const ALL_BUT_MODELS: &[DomainKind] = &[Puzzle, Program, Game, Simultaneous];

const FOR_PUZZLES: &str = " is for puzzles, and this file is a game";
const FOR_MODELS: &str = " is for models (`model(Vars)`), and this file is none";
const NOT_FOR_MODELS: &str = " is not for models, and this file is one";

fn all_plans(given: &Given<'_>) -> bool {
    matches!(given.request.wanted, Wanted::Plans(_))
}

fn workers(given: &Given<'_>) -> bool {
    let _ = given;
    #[cfg(feature = "cluster")]
    return given.request.cluster.is_some();
    #[cfg(not(feature = "cluster"))]
    false
}

fn disk(given: &Given<'_>) -> bool {
    let _ = given;
    #[cfg(feature = "cluster")]
    return given.request.disk.is_some();
    #[cfg(not(feature = "cluster"))]
    false
}

fn base(given: &Given<'_>) -> bool {
    given.request.save.is_some() || given.db
}

/// The first that strikes is reported.
static MISFITS: &[Misfit] = &[
    (GAMES, "--all-plans", FOR_PUZZLES, all_plans),
    (GAMES, "--heuristic", FOR_PUZZLES, |given| given.request.heuristic.is_some()),
    (&[Game], "--all", FOR_PUZZLES, |given| given.request.every),
    (&[Simultaneous], "--workers, as --hosts,", FOR_PUZZLES, workers),
    (ALL_BUT_MODELS, "--all-solutions", FOR_MODELS, |given| {
        matches!(given.request.wanted, Wanted::Solutions(_))
    }),
    (ALL_BUT_MODELS, "--unique", FOR_MODELS, |given| {
        matches!(given.request.wanted, Wanted::Unique)
    }),
    (ALL_BUT_MODELS, "--label", FOR_MODELS, |given| {
        given.request.labelling != Labelling::default()
    }),
    (&[Model], "--engine", NOT_FOR_MODELS, |given| given.request.engine.is_some()),
    (&[Model], "--player", NOT_FOR_MODELS, |given| given.request.player.is_some()),
    (&[Model], "--state", NOT_FOR_MODELS, |given| given.request.state.is_some()),
    (&[Model], "--heuristic", NOT_FOR_MODELS, |given| given.request.heuristic.is_some()),
    (&[Model], "--all-plans (for models there is --all-solutions)", NOT_FOR_MODELS, all_plans),
    (&[Model], "--depth", NOT_FOR_MODELS, |given| given.request.limits.depth.is_some()),
    (&[Model], "--threads", NOT_FOR_MODELS, |given| given.request.limits.threads() > 1),
    (&[Model], "--symmetry", NOT_FOR_MODELS, |given| given.request.options.symmetry),
    (&[Model], "a parameter of engines, as --weight,", NOT_FOR_MODELS, |given| {
        given.request.options != Options::default()
    }),
    (&[Model], "--verify", NOT_FOR_MODELS, |given| given.request.effort != Effort::default()),
    (&[Model], "--seed", NOT_FOR_MODELS, |given| given.request.sampling != Sampling::default()),
    (&[Model], "--save, as --db,", NOT_FOR_MODELS, base),
    (&[Model], "--boards, as --step and --draw,", NOT_FOR_MODELS, |given| given.request.boards),
    (&[Model], "--workers, as --hosts,", NOT_FOR_MODELS, workers),
    (
        &[Game],
        "--save",
        " keeps every state of a game for itself: it can't go with --symmetry",
        |given| given.request.save.is_some() && given.request.options.symmetry,
    ),
    (
        &[Simultaneous],
        "--player",
        " is for games of players in turn; here the values of all are shown",
        |given| given.request.player.is_some(),
    ),
    (PUZZLES, "--player", " is for games, and this file is none", |given| {
        given.request.player.is_some()
    }),
    (PUZZLES, "--all-plans", " is for one worker: leave --workers and --hosts out", |given| {
        all_plans(given) && workers(given)
    }),
    (
        PUZZLES,
        "--all-plans",
        " counts every state for itself: it can't go with --symmetry",
        |given| all_plans(given) && given.request.options.symmetry,
    ),
    (
        PUZZLES,
        "--all-plans",
        " looks at plans of any number of moves: it takes no --depth",
        |given| all_plans(given) && given.request.limits.depth.is_some(),
    ),
    (
        PUZZLES,
        "--all-plans",
        " proves that no plan is cheaper by a blind search: it takes no --engine and no --heuristic",
        |given| {
            let engine = given.request.engine.as_deref();
            let is_other = engine.is_some_and(|engine| engine != "ucs");
            all_plans(given) && (is_other || given.request.heuristic.is_some())
        },
    ),
    (PUZZLES, "--all-plans", " keeps nothing in a base: it takes no --save", |given| {
        all_plans(given) && given.request.save.is_some()
    }),
    (
        PUZZLES,
        "--all-plans",
        " shows plans by their moves: no --boards, --step or --draw",
        |given| all_plans(given) && given.request.boards,
    ),
    (
        &[Puzzle, Program, Game],
        "several workers",
        " have no base: leave --save and --db out",
        |given| workers(given) && base(given),
    ),
    (PUZZLES, "nothing", " is kept of a search for a plan: --disk is for games here", disk),
];

/// The first option that does not fit the kind of domain, or another option, in a sentence.
pub fn misfit(given: &Given<'_>, kind: DomainKind) -> Option<String> {
    let found = MISFITS.iter().find(|(kinds, .., strikes)| kinds.contains(&kind) && strikes(given));
    found.map(|(_, option, why, _)| format!("{option}{why}"))
}
