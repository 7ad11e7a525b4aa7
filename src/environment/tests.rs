//! Environments of shipped rules.

use crate::{
    Arena, Batch, Buffers, Finals, Kind, Mover, Pixels, Place, SIMULTANEOUS, Stepping, SurveyLimits,
};
use std::path::Path;
use std::sync::Arc;
use zug_code::Specialise;
use zug_prolog::session::Session;
use zug_random::Random;

fn session(file: &str) -> Session {
    let (mut session, _) = zug_tools::language::captured("");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(file);
    let findings = session.load_file(&path).expect("it can be read");
    assert!(findings.iter().all(|finding| !finding.is_error()), "{findings:?}");
    session
}

fn of_text(text: &str) -> Session {
    let (mut session, _) = zug_tools::language::captured("");
    let findings = session.load_text("rules", text);
    assert!(findings.iter().all(|finding| !finding.is_error()), "{findings:?}");
    session
}

fn arena(file: &str, states: usize) -> Arena {
    arena_by(file, states, Specialise::On)
}

fn arena_by(file: &str, states: usize, rules: Specialise) -> Arena {
    let mut session = session(file);
    rules.set(&mut session.world);
    let limits = SurveyLimits { states, moves: 2_000 };
    Arena::new(session, None, limits).map_err(|failed| failed.1).expect("an environment")
}

#[test]
fn moves_are_numbered_in_standard_order() {
    let arena = arena("connect4.pl", 500);
    assert_eq!(arena.kind(), Kind::Game);
    assert_eq!(arena.actions().len(), 7);
    let observer = arena.observer().expect("atoms");
    assert_eq!(observer.planes(), ["-", "o", "x", "x to move", "o to move"]);
    assert_eq!(observer.shape(), [5, 7, 6]);
}

#[test]
fn a_play_ends_with_what_it_is_worth() {
    let mut arena = arena("tictactoe.pl", 10_000);
    assert!(arena.survey().is_complete);
    assert_eq!(arena.actions().len(), 9);
    let start = arena.start().clone();
    let first = arena.position(&start).expect("no error");
    let mut end = first.clone();
    // x fills the first row.
    for action in [0, 3, 1, 4, 2] {
        assert!(end.legal().contains(&action));
        end = arena.after(&end, action).expect("legal");
    }
    assert_eq!(end.mover, Mover::Over);
    assert_eq!(end.returns, [10_000.0, -10_000.0]);
    assert!(arena.after(&end, 5).is_err());
    // The way is known now.
    let second = first.known_after(0).expect("it was reached");
    assert!(Arc::ptr_eq(&second, &arena.after(&first, 0).expect("legal")));
    assert!(first.known_after(1).is_none());
}

#[test]
fn all_may_choose_at_once() {
    let mut arena = arena("rock_paper_scissors.pl", 100);
    let start = arena.position(&Place::Stage(None)).expect("no error");
    assert_eq!(start.mover, Mover::Together);
    assert_eq!(start.legal_of(0), start.legal_of(1));
    let end = arena.after_all(&start, &[0, 1]).expect("legal");
    let end = arena.position(&end).expect("no error");
    assert_eq!(end.returns.iter().sum::<f64>(), 0.0);
    assert_ne!(end.returns[0], 0.0);
}

/// Buffers of boards.
struct Room {
    observations: Vec<f32>,
    masks: Vec<bool>,
    final_observations: Vec<f32>,
    final_masks: Vec<bool>,
    players: Vec<i32>,
    rewards: Vec<f32>,
    flags: [Vec<bool>; 3],
}

impl Room {
    fn new(arena: &Arena, boards: usize) -> Room {
        let size = arena.observer().map_or(0, |observer| observer.size());
        let choosers = if arena.kind() == Kind::Together { arena.seats() } else { 1 };
        Room {
            observations: vec![9.0; boards * size],
            masks: vec![false; boards * choosers * arena.actions().len()],
            final_observations: vec![9.0; boards * size],
            final_masks: vec![false; boards * choosers * arena.actions().len()],
            players: vec![9; boards],
            rewards: vec![9.0; boards * arena.seats()],
            flags: [(); 3].map(|()| vec![true; boards]),
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        let [terminated, truncated, solved] = &mut self.flags;
        Buffers {
            observations: Pixels::Floats(&mut self.observations),
            masks: &mut self.masks,
            players: &mut self.players,
            rewards: &mut self.rewards,
            terminated,
            truncated,
            solved,
            finals: Some(Finals {
                observations: Pixels::Floats(&mut self.final_observations),
                masks: &mut self.final_masks,
            }),
        }
    }

    /// A legal action for each row of masks.
    fn choose(&self, boards: usize, random: &mut Random) -> Vec<i64> {
        let count = self.masks.len() / boards;
        let rows = self.masks.chunks(count);
        let choose = |row: &[bool]| {
            let legal: Vec<i64> = (0_i64..).zip(row).filter(|p| *p.1).map(|p| p.0).collect();
            legal[random.below(legal.len() as u64) as usize]
        };
        rows.map(choose).collect()
    }
}

/// Steps boards at random, each beside a play by positions; what is in the buffers is what these say.
fn agrees(file: &str, steps: usize, rules: Specialise) -> usize {
    const BOARDS: usize = 7;
    let mut arena = arena_by(file, 300, rules);
    let mut room = Room::new(&arena, BOARDS);
    let stepping = Stepping { boards: BOARDS, most_moves: 40, seed: 1 };
    let mut batch = Batch::new(&arena, stepping);
    batch.reset(&mut arena, None, &mut room.buffers()).expect("no error");
    let (mut random, mut ends) = (Random::new(3), 0);
    let mut observation = vec![0.0; arena.observer().map_or(0, |observer| observer.size())];
    for _ in 0..steps {
        let before: Vec<Place> = (0..BOARDS).filter_map(|at| batch.place(at)).collect();
        let actions = room.choose(BOARDS, &mut random);
        batch.step(&mut arena, &actions, &mut room.buffers()).expect("no error");
        for at in 0..BOARDS {
            let from = arena.position(&before[at]).expect("no error");
            let to = arena.after(&from, actions[at] as u32).expect("legal");
            if to.mover == Mover::Chance {
                continue;
            }
            assert_eq!(room.flags[0][at], to.is_over(), "{file}");
            if to.is_over() {
                ends += 1;
                if arena.kind() == Kind::Game {
                    let seats = arena.seats();
                    let rewards = &room.rewards[at * seats..(at + 1) * seats];
                    let meant: Vec<f32> = to.returns.iter().map(|&value| value as f32).collect();
                    assert_eq!(rewards, meant, "{file}");
                }
            } else if !room.flags[1][at] {
                assert_eq!(batch.place(at).as_ref(), Some(&to.place), "{file}");
            }
            let (count, size) = (arena.actions().len(), observation.len());
            let legal = |masks: &[bool]| -> Vec<u32> {
                let mask = &masks[at * count..(at + 1) * count];
                (0..).zip(mask).filter(|p| *p.1).map(|p| p.0).collect()
            };
            if room.flags[0][at] || room.flags[1][at] {
                assert_eq!(legal(&room.final_masks), to.legal(), "{file}");
                arena.observe(&to, &mut observation).expect("it can be written");
                let seen = &room.final_observations[at * size..(at + 1) * size];
                assert_eq!(observation, seen, "{file}");
            }
            let now = arena.position(&batch.place(at).expect("a board")).expect("no error");
            assert_eq!(legal(&room.masks), now.legal(), "{file}");
            arena.observe(&now, &mut observation).expect("it can be written");
            assert_eq!(observation, room.observations[at * size..(at + 1) * size], "{file}");
        }
    }
    ends
}

#[test]
fn boards_are_stepped_as_positions_are() {
    let files = ["connect4.pl", "tictactoe.pl", "kalah.pl", "pig.pl", "hanoi.pl", "jugs.pl"];
    for file in files {
        // What code says of moves without making them, and of the one that is made, the machine says too.
        for rules in [Specialise::On, Specialise::Off, Specialise::CrossCheck] {
            let ends = agrees(file, 60, rules);
            assert!(ends > 0 || file == "hanoi.pl" || file == "jugs.pl", "{file}");
        }
    }
}

/// Steps boards on which all choose at once, each beside a play by positions.
fn agrees_together(mut arena: Arena, steps: usize, most_moves: u32) -> usize {
    const BOARDS: usize = 6;
    let (seats, count) = (arena.seats(), arena.actions().len());
    let mut room = Room::new(&arena, BOARDS);
    let stepping = Stepping { boards: BOARDS, most_moves, seed: 1 };
    let mut batch = Batch::new(&arena, stepping);
    batch.reset(&mut arena, None, &mut room.buffers()).expect("no error");
    assert_eq!(room.players, [SIMULTANEOUS; BOARDS]);
    let (mut random, mut ends) = (Random::new(3), 0);
    let mut observation = vec![0.0; arena.observer().map_or(0, |observer| observer.size())];
    for _ in 0..steps {
        let before: Vec<Place> = (0..BOARDS).filter_map(|at| batch.place(at)).collect();
        let actions = room.choose(BOARDS * seats, &mut random);
        batch.step(&mut arena, &actions, &mut room.buffers()).expect("no error");
        for at in 0..BOARDS {
            let from = arena.position(&before[at]).expect("no error");
            let chosen: Vec<u32> =
                actions[at * seats..(at + 1) * seats].iter().map(|&action| action as u32).collect();
            let to = arena.after_all(&from, &chosen).expect("legal");
            let to = arena.position(&to).expect("no error");
            assert_eq!(room.flags[0][at], to.is_over());
            let rewards = &room.rewards[at * seats..(at + 1) * seats];
            let meant = match to.is_over() {
                true => to.returns.iter().map(|&value| value as f32).collect(),
                false => vec![0.0; seats],
            };
            assert_eq!(rewards, meant);
            ends += usize::from(to.is_over() || room.flags[1][at]);
            let now = batch.place(at).expect("a board");
            match to.is_over() || room.flags[1][at] {
                true => assert_eq!(&now, arena.start()),
                false => assert_eq!(now, to.place),
            }
            let now = arena.position(&now).expect("no error");
            for seat in 0..seats {
                let row = at * seats + seat;
                let mask = &room.masks[row * count..(row + 1) * count];
                let legal: Vec<u32> = (0..).zip(mask).filter(|p| *p.1).map(|p| p.0).collect();
                assert_eq!(legal, now.legal_of(seat as u8));
            }
            let size = observation.len();
            arena.observe(&now, &mut observation).expect("it can be written");
            assert_eq!(observation, room.observations[at * size..(at + 1) * size]);
        }
    }
    ends
}

#[test]
fn boards_on_which_all_choose_at_once() {
    for file in ["goofspiel.pl", "rock_paper_scissors.pl", "prisoners_dilemma.pl", "rpsls.pl"] {
        assert!(agrees_together(arena(file, 1_000), 40, 0) > 0, "{file}");
    }
    // Plays are cut off.
    assert!(agrees_together(arena("goofspiel.pl", 1_000), 12, 2) > 0);
}

#[test]
fn what_is_drawn_in_a_stage_is_drawn_each_time() {
    // The next state is no function of the actions: nothing may be kept of it.
    let rules =
        "players([a, b]). action(_, s(N), up) :- N < 1000. action(_, s(N), down) :- N < 1000.
        joint_move(_, s(_), s(M)) :- M is random(900).
        initial_state(s(0)). terminal(s(N)) :- N >= 1000. utility(_, _, 0).";
    let limits = SurveyLimits { states: 2_000, moves: 10 };
    let arena = Arena::new(of_text(rules), None, limits);
    let mut arena = arena.map_err(|failed| failed.1).expect("an environment");
    let mut room = Room::new(&arena, 2);
    let mut batch = Batch::new(&arena, Stepping { boards: 2, ..Stepping::default() });
    batch.reset(&mut arena, None, &mut room.buffers()).expect("no error");
    let mut met = std::collections::BTreeSet::new();
    for _ in 0..20 {
        batch.reset(&mut arena, None, &mut room.buffers()).expect("no error");
        let observations = Pixels::None;
        let mut buffers = Buffers { observations, ..room.buffers() };
        batch.step(&mut arena, &[0, 0, 1, 1], &mut buffers).expect("no error");
        met.insert(format!("{:?}", batch.place(0)));
    }
    assert!(met.len() > 5, "{met:?}");
}

#[test]
fn an_illegal_action_where_all_choose_at_once() {
    let mut arena = arena("goofspiel.pl", 1_000);
    let mut room = Room::new(&arena, 2);
    let mut batch = Batch::new(&arena, Stepping { boards: 2, ..Stepping::default() });
    batch.reset(&mut arena, None, &mut room.buffers()).expect("no error");
    batch.step(&mut arena, &[0, 1, 2, 0], &mut room.buffers()).expect("legal");
    let before = batch.place(0);
    let error = batch.step(&mut arena, &[1, 0, 0, 0], &mut room.buffers()).expect_err("it is gone");
    let text = "action 0 of player 1 is not legal on board 1; no board was stepped";
    assert_eq!(error.to_string(), text);
    assert_eq!(batch.place(0), before);
}

#[test]
fn an_illegal_action_changes_nothing() {
    let mut arena = arena("tictactoe.pl", 300);
    let mut room = Room::new(&arena, 2);
    let stepping = Stepping { boards: 2, ..Stepping::default() };
    let mut batch = Batch::new(&arena, stepping);
    batch.reset(&mut arena, None, &mut room.buffers()).expect("no error");
    batch.step(&mut arena, &[0, 1], &mut room.buffers()).expect("legal");
    let before = batch.place(0);
    let error = batch.step(&mut arena, &[2, 1], &mut room.buffers()).expect_err("it is taken");
    assert_eq!(error.to_string(), "action 1 is not legal on board 1; no board was stepped");
    assert_eq!(batch.place(0), before);
}

#[test]
fn numbers_that_outgrow_the_boards_take_more_room() {
    // The counter doubles: two bytes of leaves become many.
    let rules = "initial_state(s(1, 0)). initial_player(a). opponent(a, b). opponent(b, a).
        move(_, double, s(N, K), s(M, L)) :- K < 50, M is N * 2, L is K + 1.
        move(_, stay, s(N, K), s(N, L)) :- K < 50, L is K + 1.
        terminal(_, s(_, 50)). utility(_, _, 0).";
    let limits = SurveyLimits { states: 100, moves: 200 };
    let arena = Arena::new(of_text(rules), None, limits);
    let mut arena = arena.map_err(|failed| failed.1).expect("an environment");
    let mut room = Room::new(&arena, 3);
    let stepping = Stepping { boards: 3, ..Stepping::default() };
    let mut batch = Batch::new(&arena, stepping);
    batch.reset(&mut arena, None, &mut room.buffers()).expect("no error");
    for _ in 0..40 {
        batch.step(&mut arena, &[0, 0, 1], &mut room.buffers()).expect("no error");
    }
    let size = arena.observer().expect("integers").size();
    assert_eq!(room.observations[0], (1_u64 << 40) as f32);
    assert_eq!(room.observations[2 * size], 1.0);
}

#[test]
fn declared_actions_give_the_numbers() {
    let rules = |actions: &str| {
        format!(
            "{actions} initial_state(3). initial_player(a). opponent(a, b). opponent(b, a).
            move(_, take(K), N, M) :- member(K, [1, 2]), K =< N, M is N - K.
            terminal(_, 0). utility(_, _, 1)."
        )
    };
    let made = |text: &str| {
        Arena::new(of_text(text), None, SurveyLimits::default()).map_err(|failed| failed.1)
    };
    let mut arena = made(&rules("actions([take(2), take(1)]).")).expect("an environment");
    let start = arena.position(&arena.start().clone()).expect("no error");
    let to = arena.after(&start, 0).expect("legal");
    let state = arena.state_term(&to.place).expect("no error").expect("a state");
    assert_eq!(state.root.as_int(), Some(1));
    let mut few = made(&rules("actions([take(1)]).")).expect("an environment");
    let error = few.position(&few.start().clone()).expect_err("take(2) has no number");
    assert!(error.to_string().contains("not in the list of actions/1"), "{error}");
    assert!(made(&rules("actions(all).")).is_err());
}

#[test]
fn few_integers_have_planes_of_their_own() {
    let planes = |rules: &str| {
        let limits = SurveyLimits { states: 500, moves: 500 };
        let made = Arena::new(of_text(rules), None, limits);
        let mut arena = made.map_err(|failed| failed.1).expect("an environment");
        let planes = arena.observer().expect("states are numbers").planes().to_vec();
        let start = arena.start().clone();
        let start = arena.position(&start).expect("no error");
        let mut seen = vec![9.0; arena.observer().map_or(0, |observer| observer.size())];
        arena.observe(&start, &mut seen).expect("it can be written");
        (planes, seen)
    };
    // All states are seen: each number is a plane.
    let swaps = "initial_state([2,1]). final_state([1,2]). rule(swap, 1, [A,B], [B,A]).";
    assert_eq!(planes(swaps), (vec!["1".into(), "2".into()], vec![0.0, 1.0, 1.0, 0.0]));
    // Not all are: a number that was not met goes to the plane of integers.
    let walk = "initial_state(s(0, 30)). final_state(s(30, _)).
        rule(on, 1, s(A, C), s(B, C)) :- A < 9, B is A + 1.
        rule(far, 1, s(9, C), s(9, D)) :- D is C + 1.";
    let (named, seen) = planes(walk);
    assert_eq!(named, ["integer"], "there are more than 32");
    assert_eq!(seen, [0.0, 30.0]);
    let many = "initial_state(s(0, 0, 0, 0)). final_state(s(7, 7, 7, 7)).
        rule(I, 1, S, T) :- between(1, 4, I), S =.. [s|L], nth1(I, L, N, R), N < 7, M is N + 1,
            nth1(I, K, M, R), T =.. [s|K].";
    let (named, seen) = planes(many);
    assert_eq!(named, ["0", "1", "2", "3", "4", "5", "6", "7", "integer"]);
    assert_eq!(&seen[..8], [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
}
