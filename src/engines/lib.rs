//! Instances of the generic engines of `zug-search` for packed states, one per type of rows and of costs.
//!
//! A generic caller would compile every engine again. These traits hide the instances: [hot engines](HotEngine),
//! enumeration, the check of claims, cheapest plans and new starts have one per width of rows, all other engines and
//! surveys of heuristics one for rows of any length.

use zug_search::{
    CheapestPlans, ClaimCheck, ClaimToCheck, Cost, Engine, Estimates, Failure, Float,
    GenerateRequest, HotEngine, Limits, NewStarts, Observer, Options, Reachable, Report, Row,
    SearchError, Space, StopReason, SurveyOptions, SurveyReport, Team,
};
use zug_state::{Fixed, Large, Packed};

/// The arguments of a search.
pub struct Run<'r, 'o> {
    /// Its parameters.
    pub options: &'r Options,
    /// What it may use.
    pub limits: &'r Limits,
    /// Who is told how far it is.
    pub observer: Option<&'r mut Observer<'o>>,
}

/// Rows with instances of the hot engines for these costs.
pub trait HotRow<C: Cost>: Row {
    /// See [`zug_search::search`].
    ///
    /// # Errors
    /// An operation of the space failed.
    fn search_hot(
        engine: HotEngine,
        team: &mut Team<'_, Self, C>,
        start: &Self,
        run: Run<'_, '_>,
    ) -> Result<Report<Self, C>, SearchError>;

    /// See [`zug_search::enumerate()`].
    ///
    /// # Errors
    /// An operation of the space failed.
    fn enumerate(
        team: &mut Team<'_, Self, C>,
        start: &Self,
        limits: &Limits,
        observer: Option<&mut Observer<'_>>,
    ) -> Result<Reachable<Self>, SearchError>;

    /// See [`zug_search::check_claim`].
    ///
    /// # Errors
    /// An operation of the space failed.
    fn check_claim(
        space: &mut dyn Space<Self, C>,
        start: &Self,
        claimed: ClaimToCheck<'_, Self, C>,
        informed: bool,
        limits: &Limits,
    ) -> Result<ClaimCheck<Self, C>, SearchError>;

    /// See [`zug_search::cheapest_plans`].
    ///
    /// # Errors
    /// An operation of the space failed.
    fn cheapest_plans(
        space: &mut dyn Space<Self, C>,
        start: &Self,
        counted: bool,
        limits: &Limits,
        observer: Option<&mut Observer<'_>>,
    ) -> Result<CheapestPlans<Self, C>, SearchError>;

    /// See [`zug_search::generate()`].
    ///
    /// # Errors
    /// An operation of the space failed.
    fn generate(
        space: &mut dyn Space<Self, C>,
        asked: GenerateRequest<'_, Self, C>,
        limits: &Limits,
        observer: Option<&mut Observer<'_>>,
        limit_in: &dyn Fn(&Failure) -> Option<StopReason>,
    ) -> Result<NewStarts<Self, C>, SearchError>;
}

/// Costs with instances of all engines for rows of any length.
pub trait AnyEngine: Cost {
    /// See [`zug_search::search`].
    ///
    /// # Errors
    /// An operation of the space failed.
    fn search(
        engine: Engine,
        team: &mut Team<'_, Packed, Self>,
        start: &Packed,
        run: Run<'_, '_>,
    ) -> Result<Report<Packed, Self>, SearchError>;

    /// See [`zug_search::survey()`].
    ///
    /// # Errors
    /// An operation of the space failed.
    fn survey(
        space: &mut dyn Estimates<Packed, Self>,
        starts: &[Packed],
        how: &SurveyOptions,
        limits: &Limits,
        observer: Option<&mut Observer<'_>>,
    ) -> Result<SurveyReport<Packed, Self>, SearchError>;
}

macro_rules! instances {
    ($($row:ty, $cost:ty;)*) => {$(
        impl HotRow<$cost> for $row {
            fn search_hot(
                engine: HotEngine,
                team: &mut Team<'_, $row, $cost>,
                start: &$row,
                run: Run<'_, '_>,
            ) -> Result<Report<$row, $cost>, SearchError> {
                zug_search::search_hot(engine, team, start, run.options, run.limits, run.observer)
            }

            fn enumerate(
                team: &mut Team<'_, $row, $cost>,
                start: &$row,
                limits: &Limits,
                observer: Option<&mut Observer<'_>>,
            ) -> Result<Reachable<$row>, SearchError> {
                zug_search::enumerate(team, start, limits, observer)
            }

            fn check_claim(
                space: &mut dyn Space<$row, $cost>,
                start: &$row,
                claimed: ClaimToCheck<'_, $row, $cost>,
                informed: bool,
                limits: &Limits,
            ) -> Result<ClaimCheck<$row, $cost>, SearchError> {
                zug_search::check_claim(space, start, claimed, informed, limits)
            }

            fn cheapest_plans(
                space: &mut dyn Space<$row, $cost>,
                start: &$row,
                counted: bool,
                limits: &Limits,
                observer: Option<&mut Observer<'_>>,
            ) -> Result<CheapestPlans<$row, $cost>, SearchError> {
                zug_search::cheapest_plans(space, start, counted, limits, observer)
            }

            fn generate(
                space: &mut dyn Space<$row, $cost>,
                asked: GenerateRequest<'_, $row, $cost>,
                limits: &Limits,
                observer: Option<&mut Observer<'_>>,
                limit_in: &dyn Fn(&Failure) -> Option<StopReason>,
            ) -> Result<NewStarts<$row, $cost>, SearchError> {
                zug_search::generate(space, asked, limits, observer, limit_in)
            }
        }
    )*};
}

instances! {
    Fixed<16>, i64;
    Fixed<24>, i64;
    Fixed<64>, i64;
    Packed, i64;
    Packed, Large;
    Packed, Float;
}

macro_rules! any_engine {
    ($($cost:ty),*) => {$(
        impl AnyEngine for $cost {
            fn search(
                engine: Engine,
                team: &mut Team<'_, Packed, $cost>,
                start: &Packed,
                run: Run<'_, '_>,
            ) -> Result<Report<Packed, $cost>, SearchError> {
                zug_search::search(engine, team, start, run.options, run.limits, run.observer)
            }

            fn survey(
                space: &mut dyn Estimates<Packed, $cost>,
                starts: &[Packed],
                how: &SurveyOptions,
                limits: &Limits,
                observer: Option<&mut Observer<'_>>,
            ) -> Result<SurveyReport<Packed, $cost>, SearchError> {
                zug_search::survey(space, starts, how, limits, observer)
            }
        }
    )*};
}

any_engine!(i64, Large, Float);
