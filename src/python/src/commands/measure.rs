//! What measures and makes: comparisons, spaces, heuristics, new starts.

use super::solve::{WORKERS, Workers};
use super::{Reports, failed, limits, one};
use crate::asked::{Asked, take};
use crate::progress::Told;
use crate::session::Rules;
use zug::usecases::compare::{self, CompareRequest, compare_loaded};
use zug::usecases::enumerate::{EnumerateRequest, KEPT, PLACE, enumerate_loaded};
use zug::usecases::generate::{self, GenerateRequest, generate_loaded};
use zug::usecases::heuristics::{self, HeuristicsRequest, heuristics_loaded};
use zug::usecases::record::Progress;
use zug::usecases::solve::why_one_thread;
use zug_domain::judge::ComparisonProgress;
use zug_domain::options::EFFORT;
use zug_options::{Row, Rows, Table, Within, row};
use zug_search::options::{
    GENERATING, LIMITS, PARAMETERS, SAMPLING, SURVEY, SURVEY_NODES, SYMMETRY,
};

static COMPARE: Table<CompareRequest> = Table(&[
    &Rows(&compare::OPTIONS),
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
    force: bool,
    workers: Workers,
}

static ENUMERATE: Table<Counting> = Table(&[
    &Within(&PLACE, |to: &mut Counting| &mut to.request),
    &Within(&KEPT_BY_ONE, |to: &mut Counting| &mut to.request),
    &Rows(&[
        row!(flag("force", "Replace a base of other rules") => Counting.force).requires("save")
    ]),
    &Within(&WORKERS, |to: &mut Counting| &mut to.workers),
    &Within(&LIMITS, |to: &mut Counting| &mut to.request.limits),
]);

static KEPT_BY_ONE: [Row<EnumerateRequest>; 3] = [
    KEPT[0].conflicts(&["disk", "diagrams", "workers"]),
    KEPT[1],
    KEPT[2].conflicts(&["disk", "workers"]),
];

static HEURISTICS: Table<HeuristicsRequest> = Table(&[
    &Rows(&heuristics::OPTIONS),
    &Within(&SURVEY, |to: &mut HeuristicsRequest| &mut to.survey),
    &Within(&SURVEY_NODES, |to: &mut HeuristicsRequest| &mut to.survey),
    &Within(&LIMITS, |to: &mut HeuristicsRequest| &mut to.limits),
]);

static GENERATE: Table<GenerateRequest> = Table(&[
    &Rows(&generate::OPTIONS),
    &Within(&GENERATING, |to: &mut GenerateRequest| &mut to.options),
    &Within(&LIMITS, |to: &mut GenerateRequest| &mut to.limits),
]);

/// Engines and heuristics side by side.
pub(super) fn compare(rules: &mut Rules, asked: &Asked, told: &Told) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut request = CompareRequest { file, ..CompareRequest::default() };
    take(asked, "compare", &COMPARE, &mut request)?;
    request.seed = request.sampling.seed;
    request.limits = limits(session, request.limits);
    let mut watch = |standing: &ComparisonProgress<'_>| {
        told.tell(|elapsed| Progress::compared(standing, elapsed));
    };
    Ok(one(&compare_loaded(session, &request, &mut watch).map_err(failed)?))
}

/// Counts states.
pub(super) fn enumerate(rules: &mut Rules, asked: &Asked) -> Reports {
    let mut counting = Counting::default();
    take(asked, "enumerate", &ENUMERATE, &mut counting)?;
    let (request, workers) = (counting.request, counting.workers);
    let save = request.save.clone().map(|save| save.forced(counting.force));
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
