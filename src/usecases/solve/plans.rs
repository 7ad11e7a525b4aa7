//! Every cheapest plan of an instance, and how many there are.

use super::puzzle::{InstanceRecord, InstanceReport, describe};
use super::{SolveEvent, SolveObserver, SolveRequest};
use crate::asking::ask;
use crate::record::TermData;
use crate::{Failure, Named};
use serde::Serialize;
use zug_domain::{Contract, FoundPlans, PlansWanted, find_plans};
use zug_prolog::session::Session;
use zug_search::{Observer, PlanCount};

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

/// Finds the cheapest plans of an instance, `most` of them to be shown.
pub(super) fn found(
    session: &mut Session,
    request: &SolveRequest,
    contract: &Contract,
    (named, most): (&Named, usize),
    observer: Option<&mut SolveObserver<'_>>,
) -> Result<PlansReport, Failure> {
    let mut observer = observer.map(|observer| move |state: &_| observer(SolveEvent::Path(state)));
    let observer = observer.as_mut().map(|observer| observer as &mut Observer<'_>);
    let wanted = PlansWanted { most, counted: true };
    let state = &named.instance.state;
    let found =
        ask(session, |m, w| find_plans(m, w, contract, wanted, &request.limits, state, observer))?;
    let first = describe(request, named, found.first.clone());
    Ok(PlansReport::new(first, &found, session))
}
