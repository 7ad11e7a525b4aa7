//! The players by the rules, and the player to move in the start of a certificate: [`begin`].

use super::records::Fact;
use super::{Found, Origin, Rejected};
use crate::Packed;
use crate::canonical_text::canonical_text;
use crate::error::RuleError;
use crate::game::Table;
use crate::simultaneous::same;
use zug_search::game::{CHANCE, Game, Player};
use zug_term::{Record, is_ground};

/// Who plays against a player who is alone.
pub(super) const NOBODY: &str = "nobody";

/// The start with the player to move, who has to be a player by the rules. All players have seats from here on, or are
/// met by moves.
pub(super) fn begin(
    table: &mut Table<'_>,
    (start, origin): (&Record, &Origin),
    said: &Fact,
) -> Found<Packed> {
    let player = &said.arguments[0];
    let reject = |why: &str| Err(Rejected::at(said.line, why).into());
    let (heap, root) = player.to_heap();
    if !is_ground(&heap, root) {
        return reject("the player is not ground");
    }
    let roles = *table.game.roles();
    if roles.to_move.is_some() {
        match table.game.turn_named(start)? {
            None => return reject("the rules name no player to move there"),
            Some(mover) if !same(&mover, player) => {
                return reject("another player is to move there");
            }
            Some(_) => {}
        }
    }
    if *origin != Origin::Given && roles.to_move.is_none() && !begins(table, player)? {
        return reject("by the rules another player begins");
    }
    let number = if roles.opponent.is_some() {
        let Some(first) = table.game.first_named(player)? else {
            return reject("the rules have no players");
        };
        table.game.seat(&first)?;
        table.game.met_player(player)
    } else if roles.to_move.is_some() {
        Some(0)
    } else {
        if has_name(table, player)? { Some(table.game.seat(player)?) } else { None }
    };
    let Some(number) = number else { return reject("there is no such player") };
    let packed = table.game.pack(number, start)?;
    if roles.opponent.is_none() && roles.to_move.is_some() {
        // The other player is met by moves.
        table.ends_near(&packed)?;
    }
    Ok(packed)
}

/// Whether a player may begin in an initial state, where the state does not name the player to move.
pub(super) fn begins(table: &mut Table<'_>, player: &Record) -> Result<bool, Box<RuleError>> {
    if table.game.roles().initial_player.is_none() {
        return Ok(true);
    }
    Ok(table.game.first_named(player)?.is_some_and(|first| same(&first, player)))
}

/// Whether the rules know a player by name, where they do not say who takes turns.
pub(super) fn has_name(table: &mut Table<'_>, player: &Record) -> Result<bool, Box<RuleError>> {
    let first = table.game.first_named(player)?;
    let (m, w) = table.game.machine();
    let is_unnamed = ["first", "second"].contains(&canonical_text(m, w, player).as_str());
    Ok(is_unnamed || first.is_some_and(|first| same(&first, player)))
}

/// The number of a player in a record; a single player has no opponent.
pub(super) fn seat_of(
    table: &mut Table<'_>,
    player: &Record,
    line: u64,
) -> Result<Player, Rejected> {
    let players = table.game.players();
    let (m, w) = table.game.machine();
    if players == 1 && canonical_text(m, w, player) == NOBODY {
        return Ok(1);
    }
    let seat = table.game.met_player(player).filter(|&seat| seat != CHANCE);
    seat.ok_or_else(|| Rejected::at(line, "there is no such player"))
}
