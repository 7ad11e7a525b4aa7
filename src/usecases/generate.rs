//! `generate`: new starts for a puzzle, as clauses for its file.

use super::asking::{Operation, ask, diagnosing, must_suit};
use super::exit::{CommandResult, Exit};
use super::record::TermData;
use super::solve::Count;
use super::{Failure, choose_instances};
use serde::Serialize;
use std::path::PathBuf;
use zug_domain::{Contract, Heuristic, StartsWanted};
use zug_options::{Rejected, Row, row};
use zug_prolog::session::Session;
use zug_report::{CodeUse, Number, Stats};
use zug_search::{GenerateOptions, Limits, NewStart, Observer, PlanCount, StopReason};
use zug_term::Record;

/// What names of new starts begin with.
const NAME: &str = "generated_";

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct GenerateRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The instance whose space is looked at; the spaces of all if none is named.
    pub instance: Option<String>,
    /// The heuristic of searches, where the space is too large to be looked at as a whole.
    pub heuristic: Option<String>,
    /// What cheapest plans are to cost; as much as can be, if nothing is said.
    pub cost: Option<f64>,
    /// What else is wanted, and how it is looked for.
    pub options: GenerateOptions,
    /// Limits.
    pub limits: Limits,
}

/// Which starts are wanted, and of what.
pub static OPTIONS: [Row<GenerateRequest>; 4] = [
    Row::flag(
        "hardest",
        "Starts whose cheapest plan costs as much as can be: the default",
        |_: &mut GenerateRequest, _| Ok(()),
    )
    .conflicts(&["cost"]),
    Row::number(
        "cost",
        "N",
        "Starts whose cheapest plan costs exactly this: the number of its moves, where each costs 1",
        |to: &mut GenerateRequest, cost| {
            if cost < 0.0 {
                return Err("this is less than zero".to_owned().into());
            }
            if !cost.is_finite() {
                return Rejected::out_of_range();
            }
            to.cost = Some(cost);
            Ok(())
        },
    )
    .wants("write a number, as `20` or `2.5`"),
    row!(
        text(
            "instance", "NAME",
            "The instance whose space is looked at: the name in initial_state(Name, S), or its number [default: all]",
        ) => Some(GenerateRequest.instance)
    ),
    row!(
        text(
            "heuristic", "NAME",
            "The heuristic of searches, where the space is too large to be looked at as a whole [default: the first \
             of the file, else `derived` from the rules if that can be]",
        ) => Some(GenerateRequest.heuristic)
    ),
];

/// What is found, as the command line writes it in JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GenerateReport {
    /// The rule file.
    pub file: String,
    /// The instances from which states were reached.
    pub instances: Vec<String>,
    /// `cost`: starts whose cheapest plan has the cost asked for; `hardest`: the greatest cost.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["cost", "hardest"])))]
    pub asked: &'static str,
    /// Only starts with one cheapest plan were asked for.
    pub unique: bool,
    /// Every state that can be reached was looked at: costs and numbers of plans are proved, also
    /// that no state costs more.
    pub whole: bool,
    /// What has to be so for that, where the rules are no functions of the state, or costs rest on
    /// a heuristic.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trusted: Vec<String>,
    /// States looked at: with `whole` all there are, else those that searches began in.
    pub states: u64,
    /// Those of which a plan is known.
    pub solved: u64,
    /// Without `whole`, those that no search solved within its limits.
    pub unsolved: u64,
    /// The most that a cheapest plan costs of these states; `null` if none has a plan.
    pub greatest: Option<Number>,
    /// How many states have that cost.
    pub at_greatest: u64,
    /// Without `whole`, states were reached by walks from a goal, since every move can be undone.
    pub from_goals: bool,
    /// The heuristic of the searches, if there were any.
    pub heuristic: Option<String>,
    /// Costs are floats: plans are equally cheap that differ by no more than rounding does.
    pub rounded: bool,
    /// Which limit ended it early.
    pub stopped: Option<String>,
    /// The new starts, the dearest first.
    pub starts: Vec<NewStartData>,
    /// The counts of all searches together.
    pub stats: Stats,
    /// What answered the questions asked of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeUse>,
    /// The limit itself.
    #[serde(skip)]
    pub limit: Option<StopReason>,
    /// How many starts were asked for.
    #[serde(skip)]
    pub count: usize,
    /// The cost that was asked for.
    #[serde(skip)]
    pub cost: Option<f64>,
}

/// A new start.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewStartData {
    /// A name that no instance of the file has.
    pub name: String,
    /// The state.
    pub state: TermData,
    /// The clause that makes it an instance of the file.
    pub clause: String,
    /// What a cheapest plan costs.
    pub cost: Number,
    /// How many cheapest plans there are; `null` if that is not known.
    pub plan_count: Option<Count>,
    /// There are at least so many, where the count was cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_count_at_least: Option<Count>,
    /// The moves of a cheapest plan.
    pub path: Vec<TermData>,
    /// The count itself.
    #[serde(skip)]
    pub plans: Option<PlanCount>,
}

impl CommandResult for GenerateReport {
    fn exit(&self) -> Exit {
        match self.limit() {
            None if self.starts.is_empty() => Exit::Failure,
            limit => Exit::stopped(limit),
        }
    }

    fn limit(&self) -> Option<StopReason> {
        // Samples that have nothing prove nothing.
        let in_vain = !self.whole && self.starts.is_empty();
        self.limit.or(in_vain.then_some(StopReason::Nodes))
    }
}

/// Finds new starts of the puzzle that a session has loaded.
///
/// # Errors
/// See [`Failure`].
pub fn generate_loaded(
    session: &mut Session,
    request: &GenerateRequest,
    observer: Option<&mut Observer<'_>>,
) -> Result<GenerateReport, Failure> {
    diagnosing(session, |session| {
        let contract = Contract::of(&session.machine);
        must_suit(&contract, Operation::Generate)?;
        let heuristic = choose_heuristic(session, &contract, request.heuristic.as_deref())?;
        let all = choose_instances(session, &contract, None)?;
        let chosen = match &request.instance {
            None => None,
            name => Some(choose_instances(session, &contract, name.as_deref())?),
        };
        let states = |named: &[super::Named]| -> Vec<Record> {
            named.iter().map(|named| named.instance.state.clone()).collect()
        };
        let taken = states(&all);
        let from = chosen.as_deref().unwrap_or(&all);
        let starts = states(from);
        let wanted = StartsWanted {
            heuristic,
            starts: &starts,
            taken: &taken,
            cost: request.cost,
            how: &request.options,
        };
        let made = ask(session, |m, w| {
            zug_domain::generate(m, w, &contract, &wanted, &request.limits, observer)
        })?;
        let names: Vec<&str> = all.iter().map(|named| named.name.as_str()).collect();
        let found = made.found;
        Ok(GenerateReport {
            file: request.file.display().to_string(),
            instances: from.iter().map(|named| named.name.clone()).collect(),
            asked: if request.cost.is_some() { "cost" } else { "hardest" },
            unique: request.options.unique,
            whole: found.whole,
            trusted: made.trusted,
            states: found.states,
            solved: found.solved,
            unsolved: found.unsolved,
            greatest: found.greatest,
            at_greatest: found.at_greatest,
            from_goals: found.from_goals,
            heuristic: made.heuristic,
            rounded: made.rounded,
            stopped: found.stopped.map(|reason| reason.to_string()),
            starts: named(session, &names, found.starts),
            stats: found.stats,
            code: made.code,
            limit: found.stopped,
            count: request.options.count,
            cost: request.cost,
        })
    })
}

/// The heuristic of searches: the one of this name, or the first, or one that is derived.
fn choose_heuristic(
    session: &Session,
    contract: &Contract,
    name: Option<&str>,
) -> Result<Option<Heuristic>, Failure> {
    let known = contract.heuristics();
    let Some(name) = name else {
        return Ok(Some(known.first().copied().unwrap_or(Heuristic::DerivedInTime)));
    };
    let symbols = &session.machine.symbols;
    let names = || known.iter().map(|heuristic| heuristic.name(symbols)).collect();
    let found = contract.heuristic_named(symbols, name);
    found.map(Some).ok_or_else(|| Failure::NoSuchHeuristic(name.to_owned(), names()))
}

/// New starts with names that are not in use.
fn named(
    session: &Session,
    taken: &[&str],
    starts: Vec<NewStart<Record, Number, Record>>,
) -> Vec<NewStartData> {
    let (m, w) = (&session.machine, &session.world);
    let free = (1u64..).map(|number| format!("{NAME}{number}"));
    let free = free.filter(|name| !taken.contains(&name.as_str()));
    let named = free.zip(starts);
    let data = named.map(|(name, start)| {
        let state = TermData::of(m, w, &start.state);
        let whole = start.plans.as_ref().filter(|count| count.stopped.is_none());
        let cut = start.plans.as_ref().filter(|count| count.stopped.is_some());
        NewStartData {
            clause: format!("initial_state({name}, {state})."),
            name,
            state,
            cost: start.cost,
            plan_count: whole.map(|count| Count::from(&count.plans)),
            plan_count_at_least: cut.map(|count| Count::from(&count.plans)),
            path: start.path.iter().map(|mv| TermData::of(m, w, mv)).collect(),
            plans: start.plans,
        }
    });
    data.collect()
}
