//! Certificates of the value of a game: a strategy for either player.

use super::payoffs::{Ends, Payoffs};
use super::seats::{begins, has_name};
use super::starts::start_in_doubt;
use super::texts::{Sorted, Texts};
use super::{
    Certified, Made, Open, Origin, Unmade, Written, made, not_made, not_pure, split, start_record,
};
use crate::Packed;
use crate::canonical_text::canonical_text;
use crate::error::RuleError;
use crate::game::{RuleGame, Table, with_plain_game};
use std::fmt::Write as _;
use std::io::{self, Write};
use zug_certificate::{Position, Writer, rank_all, strategy};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{Exactness, GameOutcome, GameSolution, Number, Utilities};
use zug_search::Limits;
use zug_search::game::{Expected, Game, NodeId, Player};
use zug_term::Record;

/// The kind of certificates with a strategy for either player.
pub(super) const VALUE: &str = "value";
/// The kind of certificates with the values of all states.
pub(super) const VALUES: &str = "values";
/// The kind of certificates with strategies whose positions have bounds of their own.
pub(super) const BOUNDS: &str = "bounds";
/// How ends are read where every player is asked for their own utility.
pub(super) const EACH: &str = "each";

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
    if let Some(why) = start_in_doubt(m, w, origin, Some(&found.state))? {
        return Ok(Ok(Certified::Not(why)));
    }
    let limits = Limits { nodes: None, depth: None, ..limits.clone() };
    let write = |table: &mut Table<'_>| made(write(table, (player, origin), found, open));
    with_plain_game(m, w, &limits, write)
        .or_else(|error| not_made(m, w, error, limits.time.is_some()))
}

/// Why nothing exact was found.
fn nothing_exact(found: &GameSolution<Record>) -> Option<&'static str> {
    if let GameOutcome::Stopped(_) = found.outcome {
        return Some("a limit ended the search: nothing is claimed");
    }
    // Bounds of an iteration are no estimates.
    let exact = found.certainty.exactness != Exactness::Estimated
        || found.proof.is_some()
        || found.error.is_some();
    (!exact).then_some("the value is an estimate, and nothing is proved of it: `--engine solve_game` finds exact ones")
}

/// Solves the game and writes a strategy for either side, if the rules are functions of the state.
fn write(
    table: &mut Table<'_>,
    (player, origin): (Option<&Record>, &Origin),
    found: &GameSolution<Record>,
    open: Open<'_>,
) -> Result<Written, Unmade> {
    let not = |why: &str| Err(Unmade::because(why));
    let start = table.position(player, &found.state)?;
    let roles = *table.game.roles();
    if let Some(player) = player
        && roles.opponent.is_none()
        && roles.to_move.is_none()
        && !has_name(table, player)?
    {
        return not("the rules do not name the player");
    }
    let origin = match player {
        Some(player) if roles.to_move.is_none() && !begins(table, player)? => &Origin::Given,
        _ => origin,
    };
    let root = table.solve(&start)?.map_err(Unmade::limit)?;
    if let Some(condition) = table.impurity() {
        return Err(Unmade::Not(not_pure(&condition)));
    }
    let apart = table.game.is_general_sum() || table.game.players() != 2;
    if table.game.has_chance() || apart {
        let about = (origin, &found.state);
        return match rank_all::<RuleGame<'_>>(table.graph, root) {
            Some(ranked) => write_values(table, (root, ranked), about, open),
            None if table.game.is_general_sum() => {
                not("play can come back to a state, and what one gets the other does not lose")
            }
            None => super::bounds::write(table, root, about, open),
        };
    }
    let Some(value) = table.value_of(root) else { return not("the state is not solved") };
    if found.certainty.exactness == Exactness::Exact
        && found.value.as_ref().is_some_and(|claimed| !claimed.is_near(&value))
    {
        let why = format!("its value without symmetries is {value}");
        return not(&why);
    }
    let mover = table.graph.player(root);
    let mut both = Vec::new();
    for seat in [mover, mover ^ 1] {
        let positions = table
            .solved()
            .and_then(|solved| strategy::<RuleGame<'_>>(table.graph, solved, root, seat));
        let Some(positions) = positions else { return not("a strategy could not be made") };
        both.push((seat, positions));
    }
    let nodes = both.iter().flat_map(|(_, positions)| positions.iter().map(|at| at.node));
    let payoffs = payoffs(table, &start, nodes.collect())?;
    let Some(value) = value_of_ends(table, &payoffs, &both, &value)? else {
        return not("what ends are worth differs in the last digits of floats");
    };
    Ok(write_text(table, (mover, both), (origin, &found.state, &payoffs, &value), open)?)
}

/// A strategy with the player whose it is.
type Strategy = (Player, Vec<Position>);

/// How the ends among some nodes are read: as a search from the start reads them.
pub(super) fn payoffs(
    table: &mut Table<'_>,
    start: &Packed,
    nodes: Vec<NodeId>,
) -> Result<Payoffs, Unmade> {
    let known = utilities(table);
    let ends = ends_of(table, nodes.into_iter());
    let payoffs = Payoffs::of(table, start, &ends, &mut None)?;
    let now = (payoffs.kind, payoffs.sum.to_string());
    if now == known {
        return Ok(payoffs);
    }
    let why = format!("from this state on ends show that it is utilities({},{})", now.0, now.1);
    Err(Unmade::Not(why))
}

fn ends_of(table: &Table<'_>, nodes: impl Iterator<Item = NodeId>) -> Ends {
    let ends = nodes.filter(|&node| table.graph.known_edges(node).is_empty());
    ends.map(|node| (0, table.graph.state(node))).collect()
}

/// What an end, or play without one, is worth to the player of the first strategy, where that is the value of the game:
/// floats are written as the rules give them.
fn value_of_ends(
    table: &mut Table<'_>,
    payoffs: &Payoffs,
    both: &[Strategy],
    value: &Number,
) -> Result<Option<Expected>, Box<RuleError>> {
    let mut worths = Vec::new();
    for (seat, positions) in both {
        for (line, state) in ends_of(table, positions.iter().map(|at| at.node)) {
            match split(payoffs.worth(table, (line, &state), both[0].0))? {
                Ok(worth) => worths.push((*seat, worth)),
                Err(_) => return Ok(None),
            }
        }
    }
    let distance = |worth: &Expected| (worth.as_f64() - value.as_f64()).abs();
    let half = payoffs.half();
    let all = worths.iter().map(|(_, worth)| worth).chain([&half]);
    let Some(nearest) = all.min_by(|a, b| distance(a).total_cmp(&distance(b))) else {
        return Ok(None);
    };
    let holds = worths.iter().all(|(seat, worth)| match *seat == both[0].0 {
        true => worth >= nearest,
        false => worth <= nearest,
    });
    let is_finite = nearest.as_f64().is_finite();
    Ok((holds && is_finite).then(|| nearest.clone()))
}

fn write_text(
    table: &mut Table<'_>,
    (mover, both): (Player, Vec<Strategy>),
    (origin, state, payoffs, value): (&Origin, &Record, &Payoffs, &Expected),
    open: Open<'_>,
) -> io::Result<Written> {
    let mut writer = Writer::new(open()?, VALUE)?;
    write_claim(table, mover, (origin, state, payoffs), &mut writer)?;
    writer.record(&format!("value({value})"))?;
    for (seat, positions) in both {
        let own = player_text(table, seat);
        let positions = positions.into_iter().map(|position| (position, None)).collect();
        write_positions(table, ("holds", &own), positions, &mut writer)?;
    }
    let (records, bytes) = writer.finish()?;
    Ok(Written { kind: VALUE, records, bytes })
}

/// Writes the start, who is to move there, and how ends are read.
pub(super) fn write_claim(
    table: &mut Table<'_>,
    mover: Player,
    (origin, state, payoffs): (&Origin, &Record, &Payoffs),
    writer: &mut Writer<impl Write>,
) -> io::Result<()> {
    let player = player_text(table, mover);
    let Payoffs { kind, sum, .. } = payoffs;
    let (m, w) = table.game.machine();
    writer.record(&start_record(m, w, origin, state))?;
    writer.record(&format!("player({player})"))?;
    writer.record(&format!("utilities({kind},{sum})"))
}

/// How a search reads ends, and what two players get together.
fn utilities(table: &Table<'_>) -> (&'static str, String) {
    let found = table.described_utilities().filter(|_| !table.game.is_general_sum());
    let Some(Utilities { kind, sum }) = found else { return (EACH, "0".to_owned()) };
    (kind, sum.unwrap_or_else(|| "0".to_owned()))
}

pub(super) fn player_text(table: &mut Table<'_>, seat: Player) -> String {
    let player = table.game.player_term(seat);
    term_text(table, &player)
}

pub(super) fn term_text(table: &mut Table<'_>, term: &Record) -> String {
    let (m, w) = table.game.machine();
    canonical_text(m, w, term)
}

/// Writes the values of all states that can be reached.
fn write_values(
    table: &mut Table<'_>,
    (root, mut ranked): (NodeId, Vec<(NodeId, u32)>),
    (origin, state): (&Origin, &Record),
    open: Open<'_>,
) -> Result<Written, Unmade> {
    ranked.sort_by_key(|&(_, rank)| rank);
    if ranked.iter().any(|&(node, _)| values_of(table, node).is_none()) {
        return Err(Unmade::because(
            "chances are floats, and sums of floats prove nothing: `1/2` is exact where `0.5` is not; or utilities are infinite",
        ));
    }
    let (start, nodes) = (table.graph.state(root), ranked.iter().map(|&(node, _)| node));
    let payoffs = payoffs(table, &start, nodes.collect())?;
    Ok(write_table(table, (root, &ranked), (origin, state, &payoffs), open)?)
}

fn write_table(
    table: &mut Table<'_>,
    (root, ranked): (NodeId, &[(NodeId, u32)]),
    about: (&Origin, &Record, &Payoffs),
    open: Open<'_>,
) -> io::Result<Written> {
    let mut writer = Writer::new(open()?, VALUES)?;
    write_claim(table, table.graph.player(root), about, &mut writer)?;
    let seats = 0..table.game.players() as Player;
    let players: Vec<String> = seats.map(|seat| player_text(table, seat)).collect();
    writer.record(&format!("players([{}])", players.join(",")))?;
    let values = values_of(table, root).unwrap_or_default();
    writer.record(&format!("values({values})"))?;
    let (mut texts, mut sorted) = (Texts::default(), Sorted::new(&table.limits));
    for layer in ranked.chunk_by(|(_, rank), (_, other)| rank == other) {
        for &(node, rank) in layer {
            let values = values_of(table, node).unwrap_or_default();
            let mover = player_text(table, table.graph.player(node));
            sorted.add(|out| {
                let _ = write!(out, "worth({mover},");
                push_state(table, node, &mut texts, out);
                let _ = write!(out, ",{rank},{values})");
            })?;
        }
        sorted.write(&mut writer)?;
    }
    let (records, bytes) = writer.finish()?;
    Ok(Written { kind: VALUES, records, bytes })
}

/// What a solved node is worth to each player, as a list; `None` if that is not known exactly.
fn values_of(table: &Table<'_>, node: NodeId) -> Option<String> {
    let solved = table.solved()?;
    let mut values = Vec::new();
    for seat in 0..table.game.players() as Player {
        let value = table.game.meant(solved.mean_to(table.graph, node, seat)?);
        if !value.is_exact() && (table.game.has_chance() || value.as_f64().is_infinite()) {
            return None;
        }
        values.push(Number::from(value).to_string());
    }
    Some(format!("[{}]", values.join(",")))
}

/// Writes the positions of a strategy, with what each is worth where that is told, in the order of their ranks and
/// texts: records of this name about this player.
pub(super) fn write_positions(
    table: &mut Table<'_>,
    (name, own): (&str, &str),
    mut positions: Vec<(Position, Option<i128>)>,
    writer: &mut Writer<impl Write>,
) -> io::Result<()> {
    let (mut texts, mut sorted) = (Texts::default(), Sorted::new(&table.limits));
    positions.sort_by_key(|(position, _)| position.rank);
    for layer in positions.chunk_by(|one, other| one.0.rank == other.0.rank) {
        for &(Position { node, rank, mv }, worth) in layer {
            let mover = player_text(table, table.graph.player(node));
            let mv = mv.map(|mv| table.game.move_term(mv));
            let mv = mv.map(|mv| term_text(table, &mv));
            sorted.add(|out| {
                let _ = write!(out, "{name}({own},{mover},");
                push_state(table, node, &mut texts, out);
                let _ = write!(out, ",{rank}");
                if let Some(worth) = worth {
                    let _ = write!(out, ",{worth}");
                }
                if let Some(mv) = mv {
                    let _ = write!(out, ",{mv}");
                }
                out.push(')');
            })?;
        }
        sorted.write(writer)?;
    }
    Ok(())
}

/// Puts the text of a state behind `out`.
pub(super) fn push_state(table: &mut Table<'_>, node: NodeId, texts: &mut Texts, out: &mut String) {
    let state = table.graph.state(node);
    let (m, w, codec) = table.game.asker();
    texts.push(m, w, codec, &state.bytes()[1..], out);
}

impl Table<'_> {
    /// The value of a solved node to the player to move, as the rules mean it.
    fn value_of(&self, node: NodeId) -> Option<Number> {
        let value = self.solved()?.value(self.graph, node)?;
        Some(self.game.meant(Expected::of(value)).into())
    }
}
