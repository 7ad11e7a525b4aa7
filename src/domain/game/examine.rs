//! What the specialiser makes of a game's rules.

use super::table::initial_player;
use super::with_plain_game;
use crate::examine::{Ends, STATES, visit, visit_position};
use crate::measure::{INSTANCES, Trial};
use crate::memory::forget;
use crate::{Contract, RuleError, instances};
use zug_code::{Examined, Stage};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::CodeUse;
use zug_search::Limits;

/// As [`crate::examine`], for a game, from its first states.
pub(crate) fn examine(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    stage: Stage,
    most: usize,
) -> Result<Vec<Examined>, Box<RuleError>> {
    let starts = instances(m, w, contract, most)?;
    let player = initial_player(m, w)?;
    let ends = Ends::of(m);
    // Nothing that was found out before counts.
    forget(w);
    with_plain_game(m, w, &Limits::none(), |table| {
        let mut states = Vec::new();
        for start in &starts {
            states.extend(table.position(player.as_ref(), &start.state));
        }
        visit(states, STATES, &ends, |state| visit_position(&mut table.game, state));
        Ok(table.game.examine(stage))
    })
}

/// As [`crate::measure`], for a game.
pub(crate) fn measure(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    trial: Trial,
) -> Result<Option<CodeUse>, Box<RuleError>> {
    let starts = instances(m, w, contract, INSTANCES)?;
    let player = initial_player(m, w)?;
    let ends = Ends::of(m);
    let over = m.inferences().saturating_add(trial.inferences);
    // Nothing that was found out before counts.
    forget(w);
    let measured = with_plain_game(m, w, &Limits::none(), |table| {
        table.game.pay(trial.paid);
        let mut states = Vec::new();
        for start in &starts {
            states.extend(table.position(player.as_ref(), &start.state));
        }
        let before = table.game.counts();
        visit(states, trial.states, &ends, |state| {
            let is_over = table.game.inferences() > over;
            if is_over { Vec::new() } else { visit_position(&mut table.game, state) }
        });
        Ok(table.game.code_use(&before))
    });
    // Nor does what was found out here.
    forget(w);
    measured
}
