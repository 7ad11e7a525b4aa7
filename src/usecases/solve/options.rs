//! Options of `solve`, for the prompt and Python.

use super::SolveRequest;
use zug_options::Row;

/// The engine.
pub const ENGINE: Row<SolveRequest> =
    Row::text("engine", "Name", "The engine", |to: &mut SolveRequest, name| {
        to.engine = Some(name.to_owned());
        Ok(())
    });

/// The heuristic.
pub const HEURISTIC: Row<SolveRequest> =
    Row::text("heuristic", "Name", "The heuristic", |to: &mut SolveRequest, name| {
        to.heuristic = Some(name.to_owned());
        Ok(())
    });

/// The instance.
pub const INSTANCE: Row<SolveRequest> =
    Row::text("instance", "Name", "The instance", |to: &mut SolveRequest, name| {
        to.instance = Some(name.to_owned());
        Ok(())
    })
    .conflicts(&["state", "every"]);

/// The state in the place of an instance.
pub const STATE: Row<SolveRequest> =
    Row::term_text("state", "S", "The state to start from", |to: &mut SolveRequest, state| {
        to.state = Some(state.to_owned());
        Ok(())
    })
    .conflicts(&["every"]);

/// The player to move.
pub const PLAYER: Row<SolveRequest> =
    Row::term_text("player", "J", "The player to move", |to: &mut SolveRequest, player| {
        to.player = Some(player.to_owned());
        Ok(())
    });

/// Every instance.
pub const EVERY: Row<SolveRequest> =
    Row::flag("every", "Every instance", |to: &mut SolveRequest, on| {
        to.every = on;
        Ok(())
    });

/// How far plays are followed.
pub const DEPTH: Row<SolveRequest> =
    Row::small("depth", "D", "How many moves ahead", |to: &mut SolveRequest, depth| {
        to.limits.depth = Some(depth);
        Ok(())
    });

/// The time.
pub const TIME: Row<SolveRequest> =
    Row::time("time", "TIME", "The time for the search", |to: &mut SolveRequest, time| {
        to.limits.time = time;
        Ok(())
    });
