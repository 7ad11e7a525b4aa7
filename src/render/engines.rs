//! The list of engines.

use super::style::{Theme, paint};
use crate::search::game::game_engines;
use crate::search::{EngineInfo, Guarantee, engines};
use std::fmt::Write;

/// What an engine's plan is known to be, in a word or two.
fn guarantee(engine: &EngineInfo) -> &'static str {
    match engine.guarantee {
        Guarantee::Cheapest => "cheapest",
        Guarantee::Factor => "within a factor",
        Guarantee::FewestMoves => "fewest moves",
        Guarantee::None => "any",
    }
}

/// The tables of all engines: for puzzles, for games.
pub fn table(theme: &Theme) -> String {
    let mut text = String::new();
    let head = format!("{:<9} {:<16} {:<10} finds", "engine", "plan", "heuristic");
    let _ = writeln!(text, "{}", paint(theme.strong, &head));
    for engine in engines() {
        let heuristic = if engine.informed { "yes" } else { "no" };
        let mut finds = engine.summary.to_owned();
        for parameter in engine.parameters {
            let _ = write!(finds, " (--{})", parameter.name());
        }
        let _ =
            writeln!(text, "{:<9} {:<16} {heuristic:<10} {finds}", engine.name, guarantee(engine));
    }
    let head = format!("{:<14} {:<8} {:<7} finds", "for games", "players", "chance");
    let _ = writeln!(text, "\n{}", paint(theme.strong, &head));
    for engine in game_engines() {
        let (players, chance) = (engine.players.name(), if engine.chance { "yes" } else { "no" });
        let _ = writeln!(text, "{:<14} {players:<8} {chance:<7} {}", engine.name, engine.summary);
    }
    text
}
