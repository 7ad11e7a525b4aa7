//! Models of opponents against each other.

use super::{RPS, bimatrix, zero_sum};
use crate::ratio;
use crate::repeated::{
    MAX_COUNTERS, MAX_ORDER, Match, Model, ModelError, ModelSpec, RepeatedGame, Tournament, Until,
    play, tournament, wilson,
};
use zug_search::{Limits, StopReason};

/// Plays a sequence again and again.
struct Cycle {
    sequence: Vec<usize>,
    round: usize,
}

impl Model for Cycle {
    fn expects(&self) -> Vec<f64> {
        vec![1.0 / 3.0; 3]
    }

    fn plays(&self) -> Vec<f64> {
        let next = self.sequence[self.round % self.sequence.len()];
        (0..3).map(|action| f64::from(u8::from(action == next))).collect()
    }

    fn observe(&mut self, _own: usize, _other: usize) {
        self.round += 1;
    }
}

fn rps() -> RepeatedGame {
    RepeatedGame::new(zero_sum(&RPS).to_bimatrix())
}

/// Rounds of 200 that a model wins against a sequence.
fn wins(spec: &ModelSpec, sequence: &[usize]) -> u64 {
    let game = rps();
    let cycle = Box::new(Cycle { sequence: sequence.to_vec(), round: 0 });
    let model = game.model(spec, 0).expect("a model");
    let mut played = Match::new(&game, [model, cycle], 1);
    (0..200).for_each(|_| drop(played.step()));
    played.score().wins[0]
}

#[test]
fn memory_sees_through_sequences() {
    assert!(wins(&ModelSpec::history(1), &[0, 1, 2]) >= 195);
    assert!(wins(&ModelSpec::history(2), &[0, 1, 2]) >= 193);
    // What follows 0 takes the action before it to know; what follows 0, 0 below, two.
    let period_four = [0, 0, 1, 2];
    assert!(wins(&ModelSpec::history(3), &period_four) >= 190);
    assert!(wins(&ModelSpec::history(2), &period_four) >= 190);
    assert!(wins(&ModelSpec::history(1), &period_four) < 180);
    assert!(wins(&ModelSpec::history(3), &[0, 0, 0, 1]) >= 190);
    assert!(wins(&ModelSpec::history(2), &[0, 0, 0, 1]) < 180);
}

#[test]
fn a_mixture_finds_the_order() {
    let mixture = ModelSpec::mixture(vec![1, 2, 3, 4]);
    for sequence in [&[0, 1, 2][..], &[0, 0, 1, 2], &[0, 0, 0, 1], &[0, 0, 0, 0, 1]] {
        assert!(wins(&mixture, sequence) >= 180, "{sequence:?}");
    }
    // The first order knows 2 after 1 is as likely as 0 after 1; the second knows which.
    assert!(wins(&mixture, &[0, 1, 2, 1]) >= 180);
}

fn duel(first: &ModelSpec, second: &ModelSpec, seed: u64) -> [u64; 2] {
    let limits = Limits::none();
    let report = play(&rps(), [first, second], Until::Rounds(300), seed, &limits);
    report.expect("models").score.wins
}

#[test]
fn a_counter_beats_what_it_counters() {
    for order in 1..=3 {
        let history = ModelSpec::history(order);
        let counter = history.clone().counter();
        for seed in 0..5 {
            let [counters, histories] = duel(&counter, &history, seed);
            assert!(counters > 150 && histories < 60, "{order} {counters} {histories}");
            let [above, below] = duel(&counter.clone().counter(), &counter, seed);
            assert!(above > 150 && below < 60, "{order} {above} {below}");
        }
    }
    let fixed = ModelSpec::fixed(2);
    assert_eq!(duel(&fixed.clone().counter(), &fixed, 1), [300, 0]);
}

#[test]
fn a_counter_expects_what_comes() {
    let game = rps();
    let spec = ModelSpec::history(1);
    let models = [spec.clone().counter(), spec];
    let models = [game.model(&models[0], 0), game.model(&models[1], 1)];
    let mut played = Match::new(&game, models.map(|model| model.expect("a model")), 3);
    for _ in 0..50 {
        let round = played.step();
        assert_eq!(round.expected[0], round.mixed[1]);
    }
}

#[test]
fn seats_differ_where_the_game_does() {
    // Matching pennies with two coins against three: the third never matches.
    let game = RepeatedGame::new(zero_sum(&[[1, -1, -1], [-1, 1, -1]]).to_bimatrix());
    let third = ModelSpec::fixed(2);
    assert!(game.model(&third, 1).is_ok());
    let missing = Some(ModelError::Action { action: 2, actions: 2 });
    assert_eq!(game.model(&third, 0).err(), missing);
    assert_eq!(game.model(&third.clone().counter(), 1).err(), missing);
    let counter = game.model(&third.counter(), 0).expect("a model");
    assert_eq!((counter.expects(), counter.plays()), (vec![0.0, 0.0, 1.0], vec![0.5; 2]));
}

#[test]
fn models_are_checked_and_have_names() {
    let game = rps();
    let error = |spec: &ModelSpec| game.model(spec, 0).err();
    assert_eq!(error(&ModelSpec::history(0)), Some(ModelError::Order(0)));
    let long = ModelSpec::mixture(vec![1, MAX_ORDER + 1]);
    assert_eq!(error(&long), Some(ModelError::Order(MAX_ORDER + 1)));
    assert_eq!(error(&ModelSpec::mixture(vec![])), Some(ModelError::NoOrders));
    let high = (0..=MAX_COUNTERS).fold(ModelSpec::uniform(), |spec, _| spec.counter());
    assert_eq!(error(&high), Some(ModelError::Counters(MAX_COUNTERS + 1)));
    let names = [
        ModelSpec::uniform().to_string(),
        ModelSpec::fixed(1).counter().counter().to_string(),
        ModelSpec::mixture(vec![1, 3]).counter().to_string(),
    ];
    assert_eq!(names, ["uniform", "counter(counter(fixed(1)))", "counter(mixture([1,3]))"]);
}

#[test]
fn matches_end_by_wins_rounds_and_limits() {
    let game = rps();
    let models = [&ModelSpec::fixed(1), &ModelSpec::fixed(0)];
    let until = Until::Wins { wins: 7, rounds: 100 };
    let report = play(&game, models, until, 1, &Limits::none()).expect("models");
    assert_eq!((report.score.rounds, report.score.wins, report.winner), (7, [7, 0], Some(0)));
    assert_eq!(report.score.payoffs, [ratio(7, 1), ratio(-7, 1)]);
    let same = [models[0]; 2];
    let report = play(&game, same, until, 1, &Limits::none()).expect("models");
    assert_eq!((report.score.rounds, report.score.draws, report.winner), (100, 100, None));
    let limits = Limits { nodes: Some(3), ..Limits::none() };
    let report = play(&game, models, until, 1, &limits).expect("models");
    assert_eq!((report.score.rounds, report.stopped), (3, Some(StopReason::Nodes)));
}

/// Payoffs decide where both can gain.
#[test]
fn who_is_paid_more_wins_a_match_of_rounds() {
    let dilemma = RepeatedGame::new(bimatrix(&[[3, 0], [5, 1]], &[[3, 5], [0, 1]]));
    let models = [&ModelSpec::fixed(0), &ModelSpec::history(1)];
    let report = play(&dilemma, models, Until::Rounds(10), 1, &Limits::none()).expect("models");
    assert_eq!(report.winner, Some(1));
    assert!(report.score.payoffs[1] >= ratio(5 * 8 + 2 * 3, 1));
}

#[test]
fn a_tournament_ranks_by_matches_won() {
    let specs = [
        ModelSpec::uniform(),
        ModelSpec::fixed(0),
        ModelSpec::history(1),
        ModelSpec::history(1).counter(),
    ];
    let until = Until::Wins { wins: 20, rounds: 1000 };
    let how = Tournament { matches: 10, until, seed: 5 };
    let play = |limits: &Limits| tournament(&rps(), &specs, &how, limits).expect("models");
    let standings = play(&Limits::none());
    assert_eq!(standings, play(&Limits::none()));
    assert!(standings.records.iter().all(|record| record.played() == 30));
    assert_eq!(standings.against[2][1].won, 10);
    assert_eq!(standings.against[3][2].won, 10);
    assert_eq!(standings.against[2][3].lost, 10);
    assert_eq!(standings.ranking[0], 3);
    let (low, high) = standings.against[3][2].interval();
    assert!((low - 0.7225).abs() < 1e-4 && high > 0.999);
    let sum = standings.records.iter().map(|record| record.payoff.clone()).sum::<super::Rational>();
    assert_eq!(sum, ratio(0, 1));
    let short = play(&Limits { nodes: Some(50), ..Limits::none() });
    assert_eq!(short.stopped, Some(StopReason::Nodes));
}

/// Values from Brown, Cai, DasGupta, *Interval estimation for a binomial proportion*, 2001.
#[test]
fn wilson_intervals() {
    let near = |(low, high): (f64, f64), expected: (f64, f64)| {
        assert!((low - expected.0).abs() < 1e-3 && (high - expected.1).abs() < 1e-3);
    };
    near(wilson(0, 10), (0.0, 0.2775));
    near(wilson(5, 10), (0.2366, 0.7634));
    near(wilson(10, 10), (0.7225, 1.0));
    assert_eq!(wilson(0, 0), (0.0, 1.0));
}
