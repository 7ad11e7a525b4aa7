//! Certificates of the value of a game: a strategy for either player.

use super::{Certified, Made, Open, Origin, Written, no_room, start_record};
use crate::canonical_text::canonical_text;
use crate::error::{RuleError, stopped_in};
use crate::game::{Table, with_plain_game};
use std::io::{self, Write};
use zug_certificate::{Position, Writer, strategy};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{GameOutcome, GameSolution, Number, Utilities};
use zug_search::game::{Expected, NodeId, Player};
use zug_search::{Limits, StateId};
use zug_term::Record;

/// The kind of these certificates.
pub(super) const KIND: &str = "value";

/// What is between a table and its text: why there is no certificate, or what the stream says.
enum Failed {
    Not(Certified),
    Io(io::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Failed {
        Failed::Io(error)
    }
}

/// Writes a certificate of the value of a state, in which a player is to move.
///
/// # Errors
/// An error in a rule.
pub fn certify_value(
    m: &mut Machine,
    w: &mut World,
    (player, origin): (Option<&Record>, &Origin),
    found: &GameSolution<Record>,
    limits: &Limits,
    open: Open<'_>,
) -> Made {
    if let Some(why) = nothing_exact(found) {
        return Ok(Ok(Certified::Not(why.to_owned())));
    }
    let limits = Limits { nodes: None, depth: None, ..limits.clone() };
    let made = with_plain_game(m, w, &limits, |table| {
        Ok(match write(table, (player, origin), found, open)? {
            Ok(written) => Ok(Certified::Written(written)),
            Err(Failed::Not(why)) => Ok(why),
            Err(Failed::Io(error)) => Err(error),
        })
    });
    match made {
        Ok(made) => Ok(made),
        Err(error) => Ok(Ok(no_room(stopped_in(m, w, error, limits.time.is_some())?.0))),
    }
}

/// Why nothing exact was found.
fn nothing_exact(found: &GameSolution<Record>) -> Option<&'static str> {
    if let GameOutcome::Stopped(_) = found.outcome {
        return Some("a limit ended the search: nothing is claimed");
    }
    let exact = found.exactness.is_exact() || found.proof.is_some();
    (!exact).then_some("the value is not exact: nothing is proved of it")
}

/// Solves the game and writes a strategy for either side.
fn write(
    table: &mut Table<'_>,
    (player, origin): (Option<&Record>, &Origin),
    found: &GameSolution<Record>,
    open: Open<'_>,
) -> Result<Result<Written, Failed>, Box<RuleError>> {
    let not = |why: &str| Ok(Err(Failed::Not(Certified::Not(why.to_owned()))));
    let start = table.position(player, &found.state)?;
    if table.game.has_chance() {
        return not("chance moves: there is no format for that yet");
    }
    if zug_search::game::Game::players(&table.game) != 2 {
        return not("there are not two players: there is no format for that yet");
    }
    let root = match table.solve(&start)? {
        Ok(root) => root,
        Err(reason) => return Ok(Err(Failed::Not(no_room(reason)))),
    };
    if table.is_general_sum()? {
        return not("what one player gets the other does not lose: there is no format for that yet");
    }
    let Some(value) = table.value_of(root) else { return not("the state is not solved") };
    if found.exactness.is_exact()
        && found.value.as_ref().is_some_and(|claimed| !claimed.is_near(&value))
    {
        let why = format!("its value without symmetries is {value}");
        return not(&why);
    }
    Ok(write_text(table, root, (origin, &found.state, &value), open))
}

fn write_text(
    table: &mut Table<'_>,
    root: NodeId,
    (origin, state, value): (&Origin, &Record, &Number),
    open: Open<'_>,
) -> Result<Written, Failed> {
    let mut writer = Writer::new(open()?, KIND)?;
    let mover = table.graph.player(root);
    let player = table.game.player_term(mover);
    let Utilities { kind, sum } = table.described_utilities().unwrap_or(Utilities {
        kind: "zero_sum",
        sum: None,
    });
    let (m, w) = table.game.machine();
    writer.record(&start_record(m, w, origin, state))?;
    writer.record(&format!("player({})", canonical_text(m, w, &player)))?;
    writer.record(&format!("utilities({kind},{})", sum.as_deref().unwrap_or("0")))?;
    writer.record(&format!("value({value})"))?;
    for seat in [mover, mover ^ 1] {
        let positions = table.solved().and_then(|solved| {
            strategy::<crate::game::RuleGame<'_>>(table.graph, solved, root, seat)
        });
        let Some(positions) = positions else {
            return Err(Failed::Not(Certified::Not("a strategy could not be made".to_owned())));
        };
        write_strategy(table, seat, &positions, &mut writer)?;
    }
    let (records, bytes) = writer.finish()?;
    Ok(Written { kind: KIND, records, bytes })
}

/// Writes the positions of a strategy in the order of their ranks and texts.
fn write_strategy(
    table: &mut Table<'_>,
    seat: Player,
    positions: &[Position<StateId>],
    writer: &mut Writer<impl Write>,
) -> io::Result<()> {
    let term = |table: &mut Table<'_>, term: &Record| {
        let (m, w) = table.game.machine();
        canonical_text(m, w, term)
    };
    let name = |table: &mut Table<'_>, seat| {
        let player = table.game.player_term(seat);
        term(table, &player)
    };
    let own = name(table, seat);
    let mut lines = Vec::with_capacity(positions.len());
    for &Position { node, rank, mv } in positions {
        let (mover, state) = (table.graph.player(node), table.graph.state(node));
        let (mover, state) = (name(table, mover), table.game.state_term(&state));
        let state = term(table, &state);
        let mut line = format!("holds({own},{mover},{state},{rank}");
        if let Some(mv) = mv {
            let mv = table.game.move_term(mv);
            line += ",";
            line += &term(table, &mv);
        }
        line += ")";
        lines.push((rank, line));
    }
    lines.sort_unstable();
    lines.iter().try_for_each(|(_, line)| writer.record(line))
}

impl Table<'_> {
    /// The value of a solved node to the player to move, as the rules mean it.
    fn value_of(&self, node: NodeId) -> Option<Number> {
        let value = self.solved()?.value(self.graph, node)?;
        Some(self.game.meant(Expected::of(value)).into())
    }
}
