//! The list of engines, of what there is where all choose at once, and of ways to learn.

use super::style::{Theme, paint};
use std::fmt::Write;
use zug_search::game::game_engines;
use zug_search::game::learn::Method;
use zug_search::{EngineInfo, Guarantee, engines};

/// What an engine's plan is known to be, in a word or two.
fn guarantee(engine: &EngineInfo) -> &'static str {
    match engine.guarantee {
        Guarantee::Cheapest => "cheapest",
        Guarantee::Factor => "within a factor",
        Guarantee::FewestMoves => "fewest moves",
        Guarantee::None => "any",
    }
}

/// What there is where all choose at once: name, players, what it finds.
const AT_ONCE: [(&str, &str, &str); 6] = [
    ("nash", "any", "the value and both strategies; pure and mixed equilibria; all exact"),
    (
        "nash --learn",
        "any",
        "mixtures of two near an equilibrium, with a bound; of more, see there",
    ),
    ("solve_game", "any", "the same as nash at every stage of a game, from the end"),
    ("mcts", "any", "how decoupled plays at random mix the actions, without a bound"),
    ("match", "2", "how two players do against each other, round after round"),
    ("tournament", "2", "the same for every two of several players"),
];

/// Who there is to play against, by command.
const OPPONENTS: [(&str, &str); 3] = [
    ("play, train", "random, an engine as alphabeta:4 or mcts:500, policy:FILE, greedy:FILE"),
    ("", "play also level:1 to level:9; train also self, optimal, human"),
    (
        "match, play",
        "at once: uniform, nash, mcts(N), fixed(A), history(K), mixture(Ks), counter(P), or own",
    ),
];

/// The tables of all engines: for puzzles, for games, where all choose at once; of ways to
/// learn, and of opponents.
pub fn table(theme: &Theme) -> String {
    let mut text = String::new();
    let head = format!("{:<9} {:<16} {:<10} finds", "engine", "plan", "heuristic");
    let _ = writeln!(text, "{}", paint(theme.strong, &head));
    for engine in engines() {
        let heuristic = if engine.informed { "yes" } else { "no" };
        let mut finds = engine.summary.to_owned();
        for parameter in engine.parameters {
            let _ = write!(finds, " (--{})", parameter);
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
    let head = format!("{:<14} {:<16} finds", "all at once", "players");
    let _ = writeln!(text, "\n{}", paint(theme.strong, &head));
    for (name, players, finds) in AT_ONCE {
        let _ = writeln!(text, "{name:<14} {players:<16} {finds}");
    }
    let head = format!("{:<14} learns", "zug train");
    let _ = writeln!(text, "\n{}", paint(theme.strong, &head));
    for (method, name) in Method::ALL {
        let _ = writeln!(text, "{name:<14} {}", method.summary());
    }
    let _ = writeln!(text, "\n{}", paint(theme.strong, "opponents"));
    for (command, who) in OPPONENTS {
        let _ = writeln!(text, "{command:<14} {who}");
    }
    text
}
