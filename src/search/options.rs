//! The options of engines, searches and learning: what they are called, what they take, and which
//! setting each one is. Command line, option lists and prompt take theirs from here; a new option of
//! an engine is a row.

use crate::estimates::SurveyOptions;
use crate::game::learn::{Beads, Method, Rule};
use crate::game::{Sampling, Storage};
use crate::generate::GenerateOptions;
use crate::limits::{Limits, Options, Weight};
use std::num::NonZeroUsize;
use zug_options::{Rejected, Row, row};

/// Parameters of engines; [`EngineInfo::parameters`](crate::EngineInfo::parameters) says whose.
pub static PARAMETERS: [Row<Options>; 2] = [
    Row::number(
        "weight",
        "W",
        "Factor on the heuristic for `wastar`, at least 1",
        |to: &mut Options, weight| match Weight::new(weight) {
            Some(weight) => {
                to.weight = weight;
                Ok(())
            }
            None => Rejected::out_of_range(),
        },
    )
    .default("2")
    .wants("a weight is a number that is at least 1, as 1.5"),
    Row::whole(
        "width",
        "K",
        "States that `beam` keeps at each depth",
        |to: &mut Options, width| match usize::try_from(width).ok().and_then(NonZeroUsize::new) {
            Some(width) => {
                to.width = width;
                Ok(())
            }
            None => Rejected::out_of_range(),
        },
    )
    .default("100")
    .wants("write a whole number from 1 on"),
];

/// Symmetries.
pub static SYMMETRY: [Row<Options>; 1] = [row!(
    flag("symmetry", "Take states for one that are alike by symmetries found in the rules") => Options.symmetry
)];

/// Expansions.
pub const NODES: Row<Limits> = row!(
    count("nodes", "N", "Stop after this many expansions, as 100000 or 5M") => Some(Limits.nodes)
);

/// Moves of a path, or of a play.
pub const DEPTH: Row<Limits> = row!(
    small("depth", "D", "Follow paths, or plays of a game, of at most this many moves") => Some(Limits.depth)
);

/// Time by the clock.
pub const TIME: Row<Limits> =
    row!(time("time", "TIME", "Stop after this time, as 10s, 500ms or 2m") => Limits.time);

/// Memory.
pub const MEMORY: Row<Limits> = row!(
    size(
        "memory",
        "SIZE",
        "Memory that the rules may take, and as much for states, as 512M or 1G [default: half of what \
         the machine, a container or `ulimit -v` gives, at most 2G]",
    ) => Some(Limits.memory)
);

/// Threads.
pub const THREADS: Row<Limits> =
    Row::whole("threads", "N", "Search with so many threads", |to: &mut Limits, threads| {
        match usize::try_from(threads).ok().and_then(NonZeroUsize::new) {
            Some(threads) if threads.get() <= MOST_THREADS => {
                to.threads = Some(threads);
                Ok(())
            }
            _ => Rejected::out_of_range(),
        }
    })
    .letter('j')
    .default("1")
    .wants("write a whole number from 1 to 256");

/// The most threads of a search.
const MOST_THREADS: usize = 256;

/// What any search may use.
pub static LIMITS: [Row<Limits>; 5] = [DEPTH, NODES, TIME, MEMORY, THREADS];

/// The seed of plays at random.
pub const SEED: Row<Sampling> =
    row!(whole("seed", "S", "The seed of plays at random") => Sampling.seed).default("1");

/// Plays at random.
pub const PLAYOUTS: Row<Sampling> = row!(
    count(
        "playouts",
        "N",
        "Plays at random that `mcts` and `playouts` make [default: 10000, unless a time or nodes are \
         given]",
    ) => Some(Sampling.playouts)
);

/// What is given to moves that were tried little.
pub const EXPLORATION: Row<Sampling> = Row::number(
    "exploration",
    "C",
    "How much `mcts` tries moves it knows little of [default: 1.414]",
    |to: &mut Sampling, factor| {
        if !factor.is_finite() || factor < 0.0 {
            return Rejected::out_of_range();
        }
        to.exploration = factor;
        Ok(())
    },
)
.wants("it is a number that is at least 0, as 1.4");

/// How plays at random are made.
pub static SAMPLING: [Row<Sampling>; 5] = [
    PLAYOUTS,
    SEED,
    EXPLORATION,
    Row::number(
        "rave",
        "K",
        "Let `mcts` guess from plays in which a move was made later too; after K plays through a \
         state as much as from the move itself",
        |to: &mut Sampling, plays| {
            if !plays.is_finite() || plays <= 0.0 {
                return Rejected::out_of_range();
            }
            to.rave = Some(plays);
            Ok(())
        },
    )
    .wants("it is a number of plays greater than 0, as 300"),
    row!(
        small("cutoff", "D", "Break plays at random off after so many moves and take the heuristic")
            => Some(Sampling.cutoff)
    ),
];

/// How `solve_game` keeps states.
pub static STORAGE: [Row<Storage>; 1] = [row!(
    flag(
        "compact",
        "Let `solve_game` keep states sorted, in a few bytes each, and ask for moves again: slower where play goes \
         round [default: by itself where it pays, or memory would end]",
    ) => Storage.compact
)
.conflicts(&["save"])];

/// Moves of a walk at random.
pub const STEPS: Row<SurveyOptions> =
    row!(small("steps", "K", "Moves of such a walk, at most") => SurveyOptions.steps).default("50");

/// How far heuristics are looked at.
pub static SURVEY: [Row<SurveyOptions>; 4] = [
    Row::count(
        "limit",
        "N",
        "Look at every state that can be reached if there are no more than these, else at samples",
        |to: &mut SurveyOptions, states| {
            to.states = usize::try_from(states).unwrap_or(usize::MAX);
            Ok(())
        },
    )
    .default("500k"),
    row!(count("samples", "N", "Walks at random for samples") => SurveyOptions.walks)
        .default("100"),
    STEPS,
    row!(whole("seed", "S", "The seed of the walks") => SurveyOptions.seed).default("1"),
];

/// What the end of a walk may cost. In option lists `nodes` is what all may cost.
pub static SURVEY_NODES: [Row<SurveyOptions>; 1] = [row!(
    count("nodes", "N", "Expansions to solve the end of a walk with") => SurveyOptions.nodes
)
.default("50k")];

/// Which new starts are made of a puzzle, and how they are looked for.
pub static GENERATING: [Row<GenerateOptions>; 7] = [
    Row::count("count", "K", "Starts to make, at most", |to: &mut GenerateOptions, count| {
        match usize::try_from(count) {
            Ok(count @ 1..) => {
                to.count = count;
                Ok(())
            }
            _ => Rejected::out_of_range(),
        }
    })
    .wants("write a whole number from 1 on")
    .default("5"),
    row!(flag("unique", "Only starts with exactly one cheapest plan") => GenerateOptions.unique),
    row!(
        whole("seed", "S", "The seed by which starts that fit equally well are drawn, and of walks")
            => GenerateOptions.seed
    )
    .default("1"),
    Row::count(
        "limit",
        "N",
        "Look at every state that can be reached if there are no more than these, else at samples",
        |to: &mut GenerateOptions, states| {
            to.states = usize::try_from(states).unwrap_or(usize::MAX);
            Ok(())
        },
    )
    .default("1M"),
    row!(count("samples", "N", "States to solve for samples") => GenerateOptions.samples)
    .default("200"),
    row!(
        small("steps", "K", "Moves of a walk at random to a sample, at most") => GenerateOptions.steps
    )
    .default("50"),
    row!(
        count("search-nodes", "N", "Expansions to solve a sample with, and again to count its cheapest plans")
            => GenerateOptions.search_nodes
    )
    .default("50k"),
];

/// The words for a part of 1.
const PART: &str = "this is a number from 0 to 1, as 0.1";

/// How long to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Games to play.
    pub games: u64,
    /// The seed of what happens at random.
    pub seed: u64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { games: 10_000, seed: 1 }
    }
}

/// How long to learn.
pub static SCHEDULE: [Row<Schedule>; 2] = [
    row!(count("games", "N", "Games to play, as 10000 or 50k") => Schedule.games).default("10000"),
    row!(whole("seed", "S", "The seed of what happens at random") => Schedule.seed).default("1"),
];

/// Which way to learn.
pub static METHOD: [Row<Rule>; 1] =
    [Row::word("method", "METHOD", "How to learn", &Method::NAMES, |to: &mut Rule, name| {
        match Method::by_name(name) {
            Some(method) => {
                to.method = method;
                Ok(())
            }
            None => Rejected::out_of_range(),
        }
    })
    .default("matchboxes")];

/// What is done with beads.
pub static BEADS: [Row<Rule>; 3] = [
    Row::word(
        "reinforce",
        "WHICH",
        "For which moves of a game beads are put in: the last one, or all",
        &[("last", "The last move of the game"), ("all", "Every move of the game")],
        |to: &mut Rule, which| {
            to.beads.all = which == "all";
            Ok(())
        },
    )
    .default("all"),
    Row::flag("punish", "Take a bead out after a loss", |to: &mut Rule, on| {
        to.beads.loss = if on { -1 } else { 0 };
        Ok(())
    }),
    Row::integers(
        "beads",
        "W,D,L",
        "Beads after a win, a draw and a loss, as 3,1,-1 [default: 1,0,0; with --punish 1,0,-1]",
        3,
        |to: &mut Rule, beads| {
            let beads: Vec<i32> = beads.iter().filter_map(|&n| i32::try_from(n).ok()).collect();
            let [win, draw, loss] = beads[..] else { return Rejected::out_of_range() };
            to.beads = Beads { win, draw, loss, all: to.beads.all };
            Ok(())
        },
    )
    .wants("beads are three whole numbers, as 3,1,-1")
    .conflicts(&["punish"]),
];

/// A part of 1, put where it belongs.
macro_rules! part {
    ($name:literal, $metavar:literal, $help:literal, $to:ident => $place:expr, $part:ident) => {
        Row::number($name, $metavar, $help, |$to: &mut Rule, $part| {
            if !(0.0..=1.0).contains(&$part) {
                return Rejected::out_of_range();
            }
            $place;
            Ok(())
        })
        .wants(PART)
    };
}

/// Rates of Q-learning and Monte Carlo.
pub static RATES: [Row<Rule>; 4] = [
    part!(
        "epsilon", "E", "Moves made at random, as a part of 1, by q and monte-carlo",
        to => to.rates.epsilon = part, part
    )
    .default("0.2"),
    part!(
        "alpha", "A",
        "The size of a step, as a part of 1 [default: 0.2 for q, 1/n at the nth time for monte-carlo]",
        to => to.rates.alpha = Some(part), part
    ),
    Row::number(
        "decay",
        "D",
        "After n games both are divided by 1 + D*n",
        |to: &mut Rule, rate| {
            if !rate.is_finite() || rate < 0.0 {
                return Rejected::out_of_range();
            }
            to.rates.decay = rate;
            Ok(())
        },
    )
    .wants("this is a number that is not negative, as 0.001")
    .default("0"),
    part!(
        "discount", "G", "What a win is worth one move later, as a part of 1",
        to => to.rates.discount = part, part
    )
    .default("1"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use zug_options::Value;

    /// What is shown as the default is the default.
    fn check<T: Default + PartialEq + std::fmt::Debug>(rows: &'static [Row<T>]) {
        for row in rows {
            let info = row.info();
            if info.default.is_empty() {
                continue;
            }
            let mut settings = T::default();
            let value = info.read(info.default).expect("it is a value");
            row.take(&mut settings, value).expect("the option takes it");
            assert_eq!(settings, T::default(), "{}", info.name);
        }
    }

    #[test]
    fn defaults_are_what_is_shown() {
        check(&PARAMETERS);
        check(&SAMPLING);
        check(&SURVEY);
        check(&SURVEY_NODES);
        check(&GENERATING);
        check(&SCHEDULE);
        check(&METHOD);
        check(&BEADS);
        check(&RATES);
    }

    #[test]
    fn parameters_of_engines_are_in_the_table() {
        for engine in crate::engines() {
            for parameter in engine.parameters {
                let known = PARAMETERS.iter().any(|row| row.info().name == *parameter);
                assert!(known, "{} reads {parameter}", engine.name);
            }
        }
    }

    #[test]
    fn what_is_out_of_range_is_not_taken() {
        let mut options = Options::default();
        for (row, values) in PARAMETERS.iter().zip([
            [Value::Number(0.5), Value::Number(f64::INFINITY)],
            [Value::Whole(0), Value::Number(1.0)],
        ]) {
            for value in values {
                assert!(row.take(&mut options, value.clone()).is_err(), "{value:?}");
            }
        }
        assert_eq!(options, Options::default());
        let mut sampling = Sampling::default();
        for row in &SAMPLING {
            assert!(row.take(&mut sampling, Value::Number(-1.0)).is_err(), "{}", row.info().name);
        }
    }

    #[test]
    fn beads_keep_which_moves_they_are_for() {
        let mut rule = Rule::default();
        let mut take = |name: &str, text: &str| {
            let row = BEADS.iter().find(|row| row.info().name == name).expect("it is there");
            let value = row.info().read(text).expect("it is a value");
            row.take(&mut rule, value).expect("it is taken");
        };
        take("reinforce", "last");
        take("beads", "3,1,-1");
        assert_eq!(rule.beads, Beads { win: 3, draw: 1, loss: -1, all: false });
    }
}
