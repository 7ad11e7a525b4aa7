//! The options of every predicate that takes some.

use super::advice::options_of;
use zug_search::engines;

#[test]
fn every_engine_has_its_options() {
    for engine in engines() {
        let known = options_of(engine.name).expect("it has options").infos();
        for parameter in engine.parameters {
            assert!(known.iter().any(|info| info.name == *parameter), "{}", engine.name);
        }
    }
    for name in ["mcts", "playouts", "nash", "match", "tournament", "train", "compare", "enumerate"]
    {
        assert!(options_of(name).is_some_and(|table| !table.infos().is_empty()), "{name}");
    }
    assert!(options_of("append").is_none());
}
