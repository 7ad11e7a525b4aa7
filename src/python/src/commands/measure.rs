//! What measures and makes: comparisons, spaces, heuristics, new starts.

use super::bases::file_to;
use super::solve::{WORKERS, Workers};
use super::{Reports, failed, limits, one, texts};
use crate::asked::{Asked, take};
use crate::progress::Told;
use crate::session::Rules;
use std::path::PathBuf;
use zug::usecases::compare::{CompareRequest, compare_loaded};
use zug::usecases::enumerate::{EnumerateRequest, enumerate_loaded};
use zug::usecases::generate::{GenerateRequest, generate_loaded};
use zug::usecases::heuristics::{HeuristicsRequest, heuristics_loaded};
use zug::usecases::record::Progress;
use zug::usecases::solve::why_one_thread;
use zug_domain::judge::{ComparisonProgress, NODES, TIME};
use zug_domain::options::EFFORT;
use zug_options::{Rejected, Row, Rows, SetResult, Table, Within};
use zug_search::Limits;
use zug_search::options::{
    GENERATING, LIMITS, PARAMETERS, SAMPLING, SURVEY, SURVEY_NODES, SYMMETRY,
};

static COMPARE: Table<CompareRequest> = Table(&[
    &Rows(&[
        Row::names("engines", "NAMES", "The engines", |to: &mut CompareRequest, names| {
            to.engines = names;
            Ok(())
        }),
        Row::names("heuristics", "NAMES", "The heuristics", |to, names| {
            to.heuristics = names;
            Ok(())
        }),
        Row::names("instances", "NAMES", "The instances", |to, names| {
            to.instances = names;
            Ok(())
        }),
        Row::term_text(
            "state",
            "TERM",
            "The state to start from",
            |to: &mut CompareRequest, text| {
                to.state = Some(text.to_owned());
                Ok(())
            },
        )
        .conflicts(&["instances"]),
        Row::count("random", "N", "Starts made by walks at random", |to, count| {
            to.random = count;
            Ok(())
        }),
        Row::small("steps", "K", "Moves of such a walk, at most", |to, steps| {
            to.steps = steps;
            Ok(())
        }),
    ]),
    &Within(&LIMITS, |to: &mut CompareRequest| &mut to.limits),
    &Within(&PARAMETERS, |to: &mut CompareRequest| &mut to.options),
    &Within(&SYMMETRY, |to: &mut CompareRequest| &mut to.options),
    &Within(&EFFORT, |to: &mut CompareRequest| &mut to.effort),
    &Within(&SAMPLING, |to: &mut CompareRequest| &mut to.sampling),
]);

/// States to be counted.
#[derive(Clone, Debug, Default)]
struct Counting {
    request: EnumerateRequest,
    save: Option<PathBuf>,
    force: bool,
    workers: Workers,
}

static ENUMERATE: Table<Counting> = Table(&[
    &Rows(texts!(Counting:
        "instance" text "The instance" => request.instance;
        "state" term_text "The state to start from" => request.state;
        "disk" file "The folder that the states are kept in" => request.disk;
    )),
    &Rows(&[
        Row::flag("diagrams", "Layers are decision diagrams", |to: &mut Counting, on| {
            to.request.diagrams = on;
            Ok(())
        })
        .conflicts(&["disk", "workers"]),
        Row::file("save", "DB", "The base that costs are kept in", |to: &mut Counting, path| {
            to.save = Some(path.into());
            Ok(())
        })
        .conflicts(&["disk", "diagrams", "workers"]),
        Row::flag("force", "Replace a base of other rules", |to: &mut Counting, on| {
            to.force = on;
            Ok(())
        })
        .requires("save"),
    ]),
    &Within(&WORKERS, |to: &mut Counting| &mut to.workers),
    &Within(&LIMITS, |to: &mut Counting| &mut to.request.limits),
]);

static HEURISTICS: Table<HeuristicsRequest> = Table(&[
    &Rows(&[
        Row::names("heuristics", "NAMES", "The heuristics", |to: &mut HeuristicsRequest, names| {
            to.heuristics = names;
            Ok(())
        }),
        Row::names("instances", "NAMES", "The instances", |to, names| {
            to.instances = names;
            Ok(())
        }),
    ]),
    &Within(&SURVEY, |to: &mut HeuristicsRequest| &mut to.survey),
    &Within(&SURVEY_NODES, |to: &mut HeuristicsRequest| &mut to.survey),
    &Within(&LIMITS, |to: &mut HeuristicsRequest| &mut to.limits),
]);

static GENERATE: Table<GenerateRequest> = Table(&[
    &Rows(texts!(GenerateRequest:
        "instance" text "The instance" => instance;
        "heuristic" text "The heuristic of searches" => heuristic;
    )),
    &Rows(&[Row::number("cost", "N", "What cheapest plans cost", cost)
        .wants("a cost is a number that is not negative")]),
    &Within(&GENERATING, |to: &mut GenerateRequest| &mut to.options),
    &Within(&LIMITS, |to: &mut GenerateRequest| &mut to.limits),
]);

fn cost(to: &mut GenerateRequest, cost: f64) -> SetResult {
    if !cost.is_finite() || cost < 0.0 {
        return Rejected::out_of_range();
    }
    to.cost = Some(cost);
    Ok(())
}

/// Engines and heuristics side by side.
pub(super) fn compare(rules: &mut Rules, asked: &Asked, told: &Told) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut request = CompareRequest { file, steps: 50, ..CompareRequest::default() };
    take(asked, "compare", &COMPARE, &mut request)?;
    request.seed = request.sampling.seed;
    let limits = limits(session, std::mem::take(&mut request.limits));
    request.limits =
        Limits { nodes: limits.nodes.or(Some(NODES)), time: limits.time.or(Some(TIME)), ..limits };
    let mut watch = |standing: &ComparisonProgress<'_>| {
        told.tell(|elapsed| Progress::compared(standing, elapsed));
    };
    Ok(one(&compare_loaded(session, &request, &mut watch).map_err(failed)?))
}

/// Counts states.
pub(super) fn enumerate(rules: &mut Rules, asked: &Asked) -> Reports {
    let mut counting = Counting::default();
    take(asked, "enumerate", &ENUMERATE, &mut counting)?;
    let save = file_to(counting.save, counting.force);
    let (request, workers) = (counting.request, counting.workers);
    rules.with_base((None, save.as_ref()), |rules| {
        let file = rules.file();
        let session = &mut rules.session;
        let limits = limits(session, request.limits.clone());
        let (cluster, save) = (workers.wanted(), save.clone());
        let request = EnumerateRequest { file, limits, cluster, save, ..request };
        let mut found = one(&enumerate_loaded(session, &request, None).map_err(failed)?);
        found.remarks.extend(why_one_thread(session, &request.limits, None));
        Ok(found)
    })
}

/// What heuristics are worth.
pub(super) fn heuristics(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut request = HeuristicsRequest { file, ..HeuristicsRequest::default() };
    take(asked, "heuristics", &HEURISTICS, &mut request)?;
    request.limits = limits(session, request.limits);
    Ok(one(&heuristics_loaded(session, &request, None).map_err(failed)?))
}

/// New starts of a puzzle.
pub(super) fn generate(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut request = GenerateRequest { file, ..GenerateRequest::default() };
    take(asked, "generate", &GENERATE, &mut request)?;
    request.limits = limits(session, request.limits);
    Ok(one(&generate_loaded(session, &request, None).map_err(failed)?))
}
