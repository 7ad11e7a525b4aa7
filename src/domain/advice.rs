//! Options of the engine predicates by the names of the predicates, and advice about mistaken ones.

use super::{game, judge, plan_predicates, predicates, simultaneous};
use zug_options::{NameMatch, Named};
use zug_search::Engine;

/// The options of the predicates of this name, in lists.
pub fn options_of(predicate: &str) -> Option<&'static dyn Named> {
    Some(match predicate {
        "mcts" | "playouts" => &game::sampling::OPTIONS,
        "nash" => &simultaneous::predicates::NASH,
        "match" | "tournament" => &simultaneous::contests::OPTIONS,
        "train" => &game::training::predicates::OPTIONS,
        "compare" | "check_heuristics" => &judge::predicates::OPTIONS,
        "cheapest_plan" | "plan_count" => &plan_predicates::OPTIONS,
        "enumerate" => &predicates::OPTIONS,
        engine if Engine::by_name(engine).is_some() => &predicates::OPTIONS,
        _ => return None,
    })
}

/// What to do about an option that a predicate does not take as it stands.
pub(crate) fn advice(predicate: &str, option: &str) -> Option<String> {
    let known = options_of(predicate)?.infos();
    let names: Vec<String> = known.iter().map(|info| info.atom()).collect();
    match NameMatch::of(option, names.iter().map(String::as_str)) {
        NameMatch::Nearly(name) => Some(format!("did you mean `{name}`?")),
        NameMatch::Known => {
            let info = known.iter().find(|info| info.answers_to(option))?;
            (!info.wants.is_empty()).then(|| info.wants.to_owned())
        }
        NameMatch::Unknown => {
            let all: Vec<String> = known.iter().map(|info| info.in_list()).collect();
            Some(format!("the options are {}", all.join(", ")))
        }
    }
}
