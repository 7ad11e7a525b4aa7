//! Equilibria of a table: which are looked for, and what is known of them.
//!
//! | game | equilibria |
//! |---|---|
//! | two players, payoffs add to zero | one, which gives the value |
//! | two players | all pure ones, and a mixed one if one is found |
//! | two players, all asked for | all extreme ones |
//! | other numbers | all pure ones |
//!
//! Every one of them comes with its certificate, made from the whole table.

use super::table::Table;
use num_traits::Zero;
use zug_matrix::{
    Bimatrix, Certificate, Elimination, MixedStrategy, Payoffs, Removal, all_equilibria, eliminate,
    lemke_howson, pure_equilibria, solve_zero_sum, verify,
};
use zug_search::{Limits, StopReason};

/// Actions of two players together up to which all equilibria are looked through for a mixed
/// one.
const FEW: usize = 12;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct NashTask {
    /// All equilibria, not only some.
    pub all: bool,
    /// Dominated actions are removed first.
    pub eliminate: Option<Elimination>,
    /// Limits; what counts as a node depends on the method.
    pub limits: Limits,
}

/// What is known beside the equilibria that were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All equilibria have the same value.
    Value,
    /// There may be others.
    Some,
    /// These are all.
    All,
    /// All others are mixes of these.
    Extreme,
    /// All pure ones; mixed ones were not looked for.
    Pure,
}

/// An equilibrium, by the numbers of the table's actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equilibrium {
    /// A strategy for each player.
    pub profile: Vec<MixedStrategy>,
    /// What it pays, and what deviations gain: nothing.
    pub certificate: Certificate,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Nash {
    /// What dominance removed, if that was asked for.
    pub removed: Vec<Removal>,
    /// The actions of each player that are left.
    pub kept: Vec<Vec<usize>>,
    /// The equilibria, pure ones first.
    pub equilibria: Vec<Equilibrium>,
    /// What is known of others.
    pub extent: Extent,
}

/// Looks for equilibria.
///
/// # Errors
/// A limit struck.
pub fn nash(table: &Table, task: &NashTask) -> Result<Nash, StopReason> {
    let limits = &task.limits;
    let everything = table.game.shape().iter().map(|&actions| (0..actions).collect()).collect();
    let (removed, kept) = match task.eliminate {
        Some(which) => {
            let left = eliminate(&table.game, which, limits)?;
            (left.removed, left.kept)
        }
        None => (Vec::new(), everything),
    };
    let game = table.game.restricted(&kept);
    let (profiles, extent) = match game.to_bimatrix() {
        Some(game) => of_two(&game, task)?,
        None => (pure(&game, limits)?, Extent::Pure),
    };
    let weak = removed.iter().any(|removal| removal.weak);
    let extent = match extent {
        // Weak dominance may take equilibria away.
        Extent::All | Extent::Extreme if weak => Extent::Some,
        extent => extent,
    };
    let whole = |profile: Vec<MixedStrategy>| -> Option<Equilibrium> {
        let players = profile.iter().enumerate();
        let profile: Vec<MixedStrategy> = players
            .map(|(player, own)| spread(own, &kept[player], table.game.actions(player)))
            .collect::<Option<_>>()?;
        let certificate = verify(&table.game, &profile).ok()?;
        Some(Equilibrium { profile, certificate })
    };
    let equilibria = profiles.into_iter().filter_map(whole).collect();
    Ok(Nash { removed, kept, equilibria, extent })
}

/// A strategy over the actions kept as one over all actions.
fn spread(own: &MixedStrategy, kept: &[usize], actions: usize) -> Option<MixedStrategy> {
    let mut probabilities = vec![Zero::zero(); actions];
    for (&at, share) in kept.iter().zip(own.probabilities()) {
        probabilities[at] = share.clone();
    }
    MixedStrategy::new(probabilities)
}

type EquilibriumProfiles = Vec<Vec<MixedStrategy>>;

fn pure(game: &zug_matrix::NormalForm, limits: &Limits) -> Result<EquilibriumProfiles, StopReason> {
    let strategies = |profile: Vec<usize>| -> Vec<MixedStrategy> {
        let own = profile.iter().zip(game.shape());
        own.map(|(&action, &actions)| MixedStrategy::pure(action, actions)).collect()
    };
    Ok(pure_equilibria(game, limits)?.into_iter().map(strategies).collect())
}

fn of_two(game: &Bimatrix, task: &NashTask) -> Result<(EquilibriumProfiles, Extent), StopReason> {
    let limits = &task.limits;
    if task.all {
        let all = all_equilibria(game, limits)?;
        let (mut found, mixed): (EquilibriumProfiles, EquilibriumProfiles) =
            all.equilibria.into_iter().map(Vec::from).partition(|profile| is_pure(profile));
        found.extend(mixed);
        let extent = if all.nondegenerate { Extent::All } else { Extent::Extreme };
        return Ok((found, extent));
    }
    if let Some(game) = game.to_zero_sum() {
        let solution = solve_zero_sum(&game, limits)?;
        return Ok((vec![solution.profile.into()], Extent::Value));
    }
    let mut found = pure(&game.into(), limits)?;
    if game.actions(0) + game.actions(1) > FEW {
        // Without a pure equilibrium the path ends at a mixed one.
        let end = lemke_howson(game, 0, limits)?.map(Vec::from);
        found.extend(end.filter(|profile| !is_pure(profile)));
        return Ok((found, Extent::Some));
    }
    let all = all_equilibria(game, limits)?;
    let complete =
        |found: &EquilibriumProfiles| all.nondegenerate && all.equilibria.len() == found.len();
    if found.is_empty() {
        // The one that stages are solved with.
        found.extend(lemke_howson(game, 0, limits)?.map(Vec::from));
    } else {
        let mut mixed = all.equilibria.iter().cloned().map(Vec::from);
        found.extend(mixed.find(|profile| !is_pure(profile)));
    }
    let extent = if complete(&found) { Extent::All } else { Extent::Some };
    Ok((found, extent))
}

fn is_pure(profile: &[MixedStrategy]) -> bool {
    profile.iter().all(|own| own.as_pure().is_some())
}
