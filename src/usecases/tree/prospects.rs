//! Who wins: the states of a tree by exact play, and the line of best play.

use super::report::{Form, NodeKind, Prospect, TreeReport};
use zug_domain::game::{RuleGame, RuleValue, with_plain_game};
use zug_domain::{PackedState, RuleError};
use zug_prolog::session::Session;
use zug_search::Limits;
use zug_search::game::{CHANCE, Expected, Game, Player};

/// States that a game may have to be solved for a picture.
const MOST_STATES: u64 = 50_000;

/// What exact play from a state comes to: for whom the value is, the value, moves to the end.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub player: Player,
    /// On the scale of the engines, where both values of two players add up to nothing.
    pub value: Expected,
    /// The value as the rules mean it.
    pub meant: Expected,
    pub distance: Option<u32>,
}

/// The values of states, what is said of them, and what they rest on.
type Prospects = (Vec<Option<Exact>>, Option<String>, Option<String>);

/// Solves the game from the root of a tree, if it isn't too large: what each state comes to, or
/// nothing at all.
///
/// # Errors
/// An error in a rule.
pub(super) fn solve(
    session: &mut Session,
    report: &TreeReport,
    limits: &Limits,
) -> Result<Option<Prospects>, Box<RuleError>> {
    let limits = Limits { nodes: Some(MOST_STATES), depth: None, ..limits.clone() };
    let (m, w) = (&mut session.machine, &mut session.world);
    with_plain_game(m, w, &limits, |table| {
        let mut found = Vec::with_capacity(report.states.len());
        for state in &report.states {
            let at = table.position(state.mover.as_ref(), &state.record)?;
            let Ok(node) = table.solve(&at)? else { return Ok(None) };
            let player = match table.game.player(&at) {
                CHANCE => 0,
                player => player,
            };
            let solved = table.solved();
            let value = solved.and_then(|solved| solved.mean_to(table.graph, node, player));
            let distance = solved.and_then(|solved| solved.distance(node));
            found.push(value.map(|value| {
                let meant = table.game.meant(value.clone());
                Exact { player, value, meant, distance }
            }));
        }
        let condition = table.impurity().map(|given| format!("Who wins holds if {given}."));
        Ok(Some((found, sum_remark(&table.game), condition)))
    })
}

/// Marks the states of a tree as won, lost or drawn for the player to move, or for the first player.
pub(super) fn mark(report: &mut TreeReport, exact: &[Option<Exact>]) {
    let by_winner = report.by_winner;
    for (state, exact) in report.states.iter_mut().zip(exact) {
        let Some(Exact { value, player, .. }) = exact else { continue };
        let zero = Expected::zero();
        let prospect = if value.is_positive() {
            Prospect::Win
        } else if zero.minus(value).is_positive() {
            Prospect::Loss
        } else {
            Prospect::Draw
        };
        state.prospect = Some(match (by_winner && *player == 1, prospect) {
            (true, Prospect::Win) => Prospect::Loss,
            (true, Prospect::Loss) => Prospect::Win,
            (_, prospect) => prospect,
        });
    }
}

/// Marks the line of best play of a game for two, as far as it is drawn: the first moves that
/// keep the value and, where somebody wins, the distance.
pub(super) fn line(report: &mut TreeReport, exact: &[Option<Exact>]) {
    let mut leaving = vec![Vec::new(); report.nodes.len()];
    for (number, edge) in report.edges.iter().enumerate() {
        leaving[edge.from].push(number);
    }
    let mut at = 0;
    let mut met = vec![false; report.nodes.len()];
    while !std::mem::replace(&mut met[at], true) {
        report.nodes[at].path = true;
        let Some(Some(here)) = exact.get(report.nodes[at].state) else { return };
        let keeps = |number: &&usize| {
            let to = report.edges[**number].to;
            let Some(Some(next)) = exact.get(report.nodes[to].state) else { return false };
            let turned = next.player != here.player;
            let value =
                if turned { Expected::zero().minus(&next.value) } else { next.value.clone() };
            let nearer = here.distance.is_none_or(|moves| next.distance.is_none_or(|n| n < moves));
            same(&value, &here.value) && nearer
        };
        let Some(&number) = leaving[at].iter().find(keeps) else { return };
        report.edges[number].path = true;
        at = report.edges[number].to;
        if let NodeKind::Again(there) = report.nodes[at].kind
            && report.form == Form::Truncated
        {
            report.nodes[at].path = true;
            at = there;
        }
    }
}

fn same(a: &Expected, b: &Expected) -> bool {
    !a.minus(b).is_positive() && !b.minus(a).is_positive()
}

/// The value of a state as text.
pub(super) fn value_text(exact: &Exact) -> String {
    value_shown(&exact.meant)
}

/// A value in a tree: as the report has it, floats with up to four digits behind the point.
pub(super) fn value_shown(value: &Expected) -> String {
    match value {
        Expected::Float(value) if value.is_finite() => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        value => zug_report::Number::from(value.clone()).shown(Some(4)),
    }
}

/// What is to be known of values where two players share a sum that is not nothing.
pub(super) fn sum_remark<S: PackedState, V: RuleValue>(
    game: &RuleGame<'_, S, V>,
) -> Option<String> {
    let sum = game.sum_of_both()?;
    Some(format!("What the two players get adds up to {sum}; who gets more than half wins."))
}
