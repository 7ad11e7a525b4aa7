//! `solve --all-plans`: every cheapest plan of an instance, and how many there are.

use super::diagnosis::diagnosed;
use super::exit::{CommandResult, Exit};
use super::given::starts;
use super::record::TermData;
use super::solve::{InstanceRecord, InstanceReport, SolveRequest, describe};
use super::{Failure, Named};
use serde::Serialize;
use zug_domain::{Contract, FoundPlans, PlansWanted, find_plans};
use zug_prolog::session::Session;
use zug_search::{Observer, Outcome, PlanCount, StopReason};

/// Plans that are shown unless another number is asked for.
pub const MOST_PLANS: usize = 20;

/// The cheapest plans of an instance.
#[derive(Clone, Debug)]
pub struct PlansReport {
    /// The first plan, as a blind search finds it.
    pub first: InstanceReport,
    /// All of them.
    pub all: AllPlans,
    /// The count itself.
    pub count: Option<PlanCount>,
}

/// The cheapest plans of an instance as they are written for programs: the report of the first one,
/// and more.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlansRecord<'a> {
    #[serde(flatten)]
    first: InstanceRecord,
    #[serde(flatten)]
    all: &'a AllPlans,
}

/// How many cheapest plans there are, and some of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AllPlans {
    /// How many there are; `null` if that is not known, or there is none.
    pub plan_count: Option<Count>,
    /// There are at least so many, where the count was cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_count_at_least: Option<Count>,
    /// The sequences of states that they go through.
    pub state_sequences: Option<Count>,
    /// There is no other; `null` if that is not known, or there is none.
    pub unique: Option<bool>,
    /// Costs are floats: plans are equally cheap that differ by no more than rounding does.
    pub rounded: bool,
    /// Some of them, in the order of the moves.
    pub plans: Vec<PlanData>,
}

impl CommandResult for PlansReport {
    fn exit(&self) -> Exit {
        self.first.exit()
    }

    fn limit(&self) -> Option<StopReason> {
        self.first.limit()
    }
}

/// A plan.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanData {
    /// Its moves.
    pub path: Vec<TermData>,
    /// The states it goes through, start and goal included.
    pub states: Vec<TermData>,
}

/// A number of plans.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Count {
    /// One that every reader of JSON keeps as it is.
    Number(u64),
    /// A larger one.
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = "^[0-9]+$")))]
    Text(String),
}

impl From<&num_bigint::BigUint> for Count {
    fn from(count: &num_bigint::BigUint) -> Count {
        match u64::try_from(count) {
            Ok(small) if small <= zug_report::LARGEST_EXACT as u64 => Count::Number(small),
            _ => Count::Text(count.to_string()),
        }
    }
}

impl PlansReport {
    fn new(first: InstanceReport, found: &FoundPlans, session: &Session) -> PlansReport {
        let (m, w) = (&session.machine, &session.world);
        let terms = |terms: &[zug_term::Record]| {
            terms.iter().map(|term| TermData::of(m, w, term)).collect()
        };
        let plans = found.plans.iter();
        let plans =
            plans.map(|plan| PlanData { path: terms(&plan.path), states: terms(&plan.states) });
        let whole = found.count.as_ref().filter(|count| count.stopped.is_none());
        let cut = found.count.as_ref().filter(|count| count.stopped.is_some());
        let several = cut.is_some_and(|count| count.plans > 1u8.into());
        let all = AllPlans {
            plan_count: whole.map(|count| Count::from(&count.plans)),
            plan_count_at_least: cut.map(|count| Count::from(&count.plans)),
            state_sequences: whole.map(|count| Count::from(&count.lines)),
            unique: whole.map(|count| count.plans == 1u8.into()).or(several.then_some(false)),
            rounded: found.rounded,
            plans: plans.collect(),
        };
        PlansReport { first, all, count: found.count.clone() }
    }

    /// The report for programs.
    pub fn record(&self, session: &Session) -> PlansRecord<'_> {
        PlansRecord { first: self.first.record(session), all: &self.all }
    }
}

/// Finds the cheapest plans of the instances that are asked for, in the rules that are loaded, at
/// most `most` of each to be shown. `each` is called with every report as it comes, and says
/// whether to go on. Returns the names of the other instances.
///
/// # Errors
/// See [`Failure`].
pub fn plans(
    session: &mut Session,
    request: &SolveRequest,
    most: usize,
    observer: Option<&mut Observer<'_>>,
    each: impl FnMut(&PlansReport, &mut Session) -> bool,
) -> Result<Vec<String>, Failure> {
    all_plans(session, request, most, observer, each).map_err(|failure| diagnosed(session, failure))
}

fn all_plans(
    session: &mut Session,
    request: &SolveRequest,
    most: usize,
    mut observer: Option<&mut Observer<'_>>,
    mut each: impl FnMut(&PlansReport, &mut Session) -> bool,
) -> Result<Vec<String>, Failure> {
    let contract = Contract::of(&session.machine);
    let (instance, state) = (request.instance.as_deref(), request.state.as_deref());
    let mut instances = starts(session, &contract, instance, state)?;
    let asked = if request.every { instances.len() } else { instances.len().min(1) };
    let others = instances.split_off(asked).into_iter().map(|other| other.name).collect();
    for named in instances {
        let observed = observer.as_deref_mut();
        let report = instance_plans(session, request, &contract, (named, most), observed)?;
        let cancelled = report.first.found.outcome() == Outcome::Stopped(StopReason::Cancelled);
        if !each(&report, session) || cancelled {
            break;
        }
    }
    Ok(others)
}

fn instance_plans(
    session: &mut Session,
    request: &SolveRequest,
    contract: &Contract,
    (named, most): (Named, usize),
    observer: Option<&mut Observer<'_>>,
) -> Result<PlansReport, Failure> {
    let wanted = PlansWanted { most, counted: true };
    let (m, w) = (&mut session.machine, &mut session.world);
    let state = &named.instance.state;
    let found = find_plans(m, w, contract, wanted, &request.limits, state, observer);
    let found = found.map_err(|error| Failure::rule(session, &error))?;
    let first = describe(request, named, found.first.clone());
    Ok(PlansReport::new(first, &found, session))
}
