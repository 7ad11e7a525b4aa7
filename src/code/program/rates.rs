//! What making programs takes and how fast they run, for rule files of games.
//!
//! `ZUG_FILE=rules/reversi.pl ZUG_STATE='initial_state(eight, S)' cargo test --release -p zug-code
//! --features native program::rates -- --ignored --nocapture` prints it.

#![expect(clippy::print_stderr, reason = "it prints a table")]

use super::make::{Met, make};
use super::picking::{count, nth};
use crate::backend::{Backend, Narrow};
use crate::code::Layout;
use crate::frame::{Frame, Reply};
use crate::merging::Residual;
use crate::moves::{Form, HEAD, STATELESS};
use crate::units::{Arg, Target};
use std::path::Path;
use std::time::{Duration, Instant};
use zug_machine::Space;
use zug_prolog::session::Session;
use zug_random::Random;
use zug_state::{Codec, Word};
use zug_term::Record;

/// The first value of a variable of a query.
fn asked(session: &mut Session, text: &str, name: &str) -> Record {
    let mut query = session.query(text).expect("it is a query");
    assert!(session.next(&mut query).is_ok_and(|found| found), "{text} has an answer");
    let (_, cell) = session.bindings(&query).find(|&(of, _)| of == name).expect("it is there");
    let record = Record::new(&mut session.machine.heap, cell);
    session.close(query);
    record
}

/// A program, and what it took.
struct Made {
    whole: Backend,
    picking: Option<(Backend, Box<[super::picking::Group]>, Backend)>,
}

fn made(
    session: &mut Session,
    codec: &mut Codec,
    (shape, sample): (u8, &[Word]),
    target: &Target,
    interpret: bool,
) -> Made {
    let begun = Instant::now();
    let met = Met { sample, singles: &[], integers: None, progress: None, is_settled: false };
    let made = make(
        &mut session.machine,
        &mut session.world,
        codec,
        target,
        (shape, met),
        1 << 40,
        (&mut None, &mut Residual::default()),
    );
    let made = made.unwrap_or_else(|unmade| panic!("{}: {:?}", target.indicator, unmade.why.err()));
    let time = begun.elapsed();
    let layout = Layout { before: 2, words: 0 }.of_leaves(sample.len());
    let code = made.lowered.code;
    let parts = code.program.parts();
    eprintln!(
        "{}: {} work in {time:.1?}, {parts} parts {:?}",
        target.indicator, made.work, made.reasons
    );
    let mut whole = Backend::new(code, layout);
    let native = |backend: &mut Backend, what: &str| {
        if interpret {
            return;
        }
        let begun = Instant::now();
        backend.make_native();
        eprintln!("  {what} to machine code in {:.1?}", begun.elapsed());
    };
    native(&mut whole, "all");
    let picking = made.lowered.picking.map(|picking| {
        let planes: usize = picking.groups.iter().map(|group| group.planes.len()).sum();
        let parts = |code: &crate::code::Code| code.program.parts();
        eprintln!(
            "  {} groups of {planes} planes, {} parts; {} bodies, {} parts",
            picking.groups.len(),
            parts(&picking.guards),
            picking.bodies.moves.len(),
            parts(&picking.bodies)
        );
        let mut guards = Backend::new(picking.guards, layout);
        let mut bodies = Backend::new(picking.bodies, layout);
        native(&mut guards, "guards");
        native(&mut bodies, "bodies");
        (guards, picking.groups, bodies)
    });
    Made { whole, picking }
}

#[test]
#[ignore = "it prints a table"]
fn rates() {
    if std::env::var("ZUG_COMPARE").is_ok() {
        crate::native::compare::MOST_PARTS.set(u64::MAX);
        crate::native::compare::comparing(play);
    } else {
        play();
    }
}

fn play() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = std::env::var("ZUG_FILE").unwrap_or_else(|_| "rules/tictactoe.pl".to_owned());
    let start = std::env::var("ZUG_STATE").unwrap_or_else(|_| "initial_state(S)".to_owned());
    let (mut session, _) = Session::captured(&[], "");
    session.load_file(&root.join(file)).expect("it can be read");
    let state = asked(&mut session, &format!("{start}."), "S");
    let first = asked(&mut session, "initial_player(J).", "J");
    let second = asked(&mut session, "initial_player(I), opponent(I, J).", "J");
    let mut codec = Codec::new();
    let cell = state.instantiate(&mut session.machine.heap);
    let packed =
        codec.encode(&mut session.machine.heap, cell).expect("it is finite").bytes().to_vec();
    let (shape, leaves) = (packed[0], &packed[1..]);
    let sample: Vec<Word> = leaves.iter().map(|&byte| Word(i64::from(byte))).collect();
    // What leaves may be is known when the moves of both players were made.
    let quick = std::env::var("ZUG_INTERPRET").is_ok();
    let mut ask = |session: &mut Session, name: &str, args: Vec<Arg>, indicator| {
        let name = session.machine.symbols.intern(name);
        let pred =
            session.machine.program.lookup(name, args.len(), Space::User).expect("it is there");
        let target = Target { pred, indicator, args };
        made(session, &mut codec, (shape, &sample), &target, quick)
    };
    for player in [&first, &second] {
        let args = vec![Arg::Fixed(player.clone()), Arg::Name, Arg::State, Arg::To];
        ask(&mut session, "move", args, "move/4");
    }
    eprintln!("---");
    let mut players = [first, second].map(|player| {
        let fixed = || Arg::Fixed(player.clone());
        let moves =
            ask(&mut session, "move", vec![fixed(), Arg::Name, Arg::State, Arg::To], "move/4");
        let ends = ask(&mut session, "terminal", vec![fixed(), Arg::State], "terminal/2");
        (moves, ends)
    });
    let words = (2 + leaves.len()).div_ceil(8);
    let mut begin = vec![0; 8 * words];
    begin[1..=packed.len()].copy_from_slice(&packed);
    let mut frame = Frame { exit: vec![0; HEAD], ..Frame::default() };
    let mut random = Random::new(1);
    let (mut plies, mut games) = (0u64, 0u64);
    let mut times = [Duration::ZERO; 3];
    let timed = std::env::var("ZUG_TIMES").is_ok();
    let now = || timed.then(Instant::now);
    let since = |at: Option<Instant>| at.map_or(Duration::ZERO, |at| at.elapsed());
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(2) {
        let mut room = begin.clone();
        for turn in 0.. {
            let (moves, ends) = &mut players[turn % 2];
            let narrow = Narrow { room: &room, leaves: &room[2..packed.len() + 1] };
            let at = now();
            let over = ends.whole.run(Some(narrow), &mut frame);
            times[0] += since(at);
            if over == Reply::True {
                break;
            }
            assert_eq!(over, Reply::Done);
            let (guards, groups, bodies) = moves.picking.as_mut().expect("it has moves");
            let at = now();
            assert_eq!(guards.run(Some(narrow), &mut frame), Reply::Done);
            let planes = &frame.exit[HEAD..frame.end];
            let all = count(planes);
            let chosen = nth(groups, planes, random.below(u64::from(all)) as u32);
            times[1] += since(at);
            let at = now();
            frame.chosen = chosen.expect("there are so many") as usize;
            assert_eq!(bodies.run(Some(narrow), &mut frame), Reply::Done);
            let number = (frame.exit[HEAD] & !STATELESS) as usize;
            let form: &Form = &bodies.forms()[number];
            assert_eq!(frame.exit[HEAD] & STATELESS, 0);
            let behind = HEAD + 1 + form.saved.len();
            for (at, word) in frame.exit[behind..behind + words].iter().enumerate() {
                room[8 * at..8 * at + 8].copy_from_slice(&word.to_le_bytes());
            }
            times[2] += since(at);
            plies += 1;
            assert!(turn < 10_000, "it ends");
        }
        games += 1;
    }
    let rate = plies as f64 / began.elapsed().as_secs_f64();
    let each = times.map(|time| time.as_nanos() as f64 / plies as f64);
    eprintln!(
        "{games} games, {plies} plies, {rate:.0} a second; end, guards, body in ns: {each:.0?}"
    );
}
