//! zug: a solver for games and puzzles whose rules are written as Prolog clauses.
//!
//! This is the library behind the command `zug`: load rules, ask them queries, have their puzzles
//! and games solved by engines, play, and take results as data. Names that are not re-exported
//! here belong to the command and change with it.
//!
//! # Should I use this?
//!
//! Use it where people write the rules: a state is a term, a move is a clause, and neither is
//! compiled into the program that embeds zug. Where the rules are Rust, `zug-search` alone has the
//! same engines over a trait, without a language and many times faster; `zug-prolog` alone is the
//! language without engines, `zug-matrix` tables of payoffs and their equilibria, `zug-syntax`
//! reader and printer of terms. `docs/library.md` compares them.
//!
//! A [`Session`] belongs to one thread and has one program. Rules may loop and take all memory:
//! [`Session::allow`] bounds loads and queries, [`Limits`] searches, and [`Session::sandbox`] keeps
//! rules of strangers from files and processes.
//!
//! # Rules and queries
//!
//! What is wrong with a text comes back as findings; an error among them means that clauses are
//! missing. A query is asked for one answer after the other.
//!
//! ```
//! let (mut session, written) = zug::captured("");
//! let findings = session.load_text("family", "parent(tom, bob). parent(bob, ann).");
//! assert!(findings.is_empty());
//!
//! let mut query = session.query("parent(X, Y), write(Y), nl")?;
//! let mut answers = Vec::new();
//! while session.next(&mut query).expect("no exception, and no limit") {
//!     answers.push(session.answer(&query));
//! }
//! session.close(query);
//! assert_eq!(answers, ["X = tom, Y = bob", "X = bob, Y = ann"]);
//! // What rules write waits in a buffer.
//! session.world.streams.flush_standard().expect("it is kept in memory");
//! assert_eq!(written.take(), "bob\nann\n");
//! # Ok::<(), Box<zug::SyntaxFault>>(())
//! ```
//!
//! # A puzzle
//!
//! [`solve`] runs an engine from an instance of the rules, or from a state that is given. What is said of the
//! plan, and on what that rests, is in the report's [`Ending`](report::Ending).
//!
//! ```
//! use zug::report::{Number, Outcome, Verdict};
//! use zug::{Limits, SolveRequest};
//!
//! let (mut session, _) = zug::captured("");
//! session.load_text(
//!     "jugs",
//!     "initial_state(jugs(0, 0)).
//!      final_state(jugs(4, _)).
//!      rule(fill(5), 1, jugs(_, B), jugs(5, B)).
//!      rule(fill(3), 1, jugs(A, _), jugs(A, 3)).
//!      rule(empty(5), 1, jugs(_, B), jugs(0, B)).
//!      rule(empty(3), 1, jugs(A, _), jugs(A, 0)).
//!      rule(pour(5, 3), 1, jugs(A1, B1), jugs(A2, B2)) :-
//!          N is min(A1, 3 - B1), A2 is A1 - N, B2 is B1 + N.
//!      rule(pour(3, 5), 1, jugs(A1, B1), jugs(A2, B2)) :-
//!          N is min(B1, 5 - A1), A2 is A1 + N, B2 is B1 - N.",
//! );
//! let request = SolveRequest {
//!     engine: Some("ucs".to_owned()),
//!     limits: Limits { nodes: Some(10_000), ..Limits::none() },
//!     ..SolveRequest::default()
//! };
//! let solved = zug::solve(&mut session, &request)?;
//! let report = solved.results[0].plan().expect("the rules are a puzzle");
//! let found = &report.found;
//! assert_eq!(found.outcome(), Outcome::Solved);
//! assert_eq!(found.cost, Some(Number::Int(6)));
//! let plan: Vec<String> = found.moves().iter().map(|mv| zug::text(&session, mv)).collect();
//! assert_eq!(plan[..2], ["fill(5)", "pour(5,3)"]);
//! let Verdict::Proved(by) = &found.ending.verdict else { panic!("uniform-cost search proves it") };
//! assert_eq!(by, "no heuristic was used");
//! assert!(found.stats.expanded < 20);
//!
//! // The record that `zug solve --format jsonl` writes: see `docs/json.md`.
//! let record = report.record(&session);
//! assert!(zug::record_line("result", &record).starts_with(r#"{"schema":"zug/2","record":"result""#));
//! let json = serde_json::to_value(&record).expect("a record is JSON");
//! assert_eq!((&json["cost"], &json["optimal"]), (&6.into(), &true.into()));
//! # Ok::<(), zug::Failure>(())
//! ```
//!
//! # A game
//!
//! Of a game, [`solve`] finds the value of a state; a [`Match`] is a game being played, which keeps what
//! was solved from one move to the next.
//!
//! ```
//! use zug::report::Number;
//! use zug::{Agent, Level, Match, PlayRequest, SolveRequest};
//!
//! let (mut session, _) = zug::captured("");
//! session.load_text(
//!     "nim",
//!     "initial_state(6).
//!      initial_player(a).
//!      opponent(a, b).
//!      opponent(b, a).
//!      move(_, take(K), N1, N2) :- Most is min(3, N1), between(1, Most, K), N2 is N1 - K.
//!      terminal(_, 0).
//!      utility(_, 0, 1).      % who takes the last one loses",
//! );
//! // The value of a state to the player to move, by retrograde analysis.
//! let request = SolveRequest { state: Some("5".to_owned()), ..SolveRequest::default() };
//! let solved = zug::solve(&mut session, &request)?;
//! let lost = solved.results[0].value().expect("the rules are a game");
//! assert_eq!(lost.found.value, Some(Number::Int(-1)));
//! assert!(lost.found.certainty.is_exact());
//!
//! // A person begins, and the machine plays as well as it can.
//! let request = PlayRequest {
//!     humans: vec!["a".to_owned()],
//!     agents: vec![Agent::Level(Level::BEST)],
//!     ..PlayRequest::default()
//! };
//! let mut game = Match::begin(&mut session, &request)?;
//! let outlook = game.evaluate(&mut session)?;
//! let best = outlook.choice.expect("the game is not over");
//! assert_eq!(zug::text(&session, &game.now().choices[best].mv), "take(1)");
//! while game.ending().is_none() {
//!     let choice = match game.to_move() {
//!         Agent::Human => game.evaluate(&mut session)?.choice.unwrap_or(0),
//!         _ => game.think(&mut session)?.choice,
//!     };
//!     game.play(&mut session, choice)?;
//! }
//! let winners = game.ending().expect("it is over").winners;
//! assert_eq!(zug::text(&session, &winners[0]), "a");
//! # Ok::<(), zug::Failure>(())
//! ```

// The command, piece by piece. It is public for the program's own tests and benchmarks.
#[doc(hidden)]
pub use {zug_cli as cli, zug_render as render, zug_repl as repl, zug_usecases as usecases};

#[doc(inline)]
pub use zug_report as report;

#[doc(inline)]
pub use zug_domain::Effort;
#[doc(inline)]
pub use zug_domain::game::{Choice, Position};
#[doc(inline)]
pub use zug_prolog::session::{Allowance, LoadError, Query, Session};
#[doc(inline)]
pub use zug_search::game::Sampling;
#[doc(inline)]
pub use zug_search::{Limits, Options};
#[doc(inline)]
pub use zug_syntax::SyntaxFault;
#[doc(inline)]
pub use zug_term::Record;
#[doc(inline)]
pub use zug_term::diagnostic::{Diagnostic, Severity};
#[doc(inline)]
pub use zug_tools::language::{captured, session, with_io};

pub use usecases::Failure;
pub use usecases::play::{Agent, Ending, Level, Match, Outlook, PlayRequest, Thought};
pub use usecases::record::{TermData, line as record_line};
pub use usecases::solve::{
    Found, FoundRecord, GameRecord, GameReport, InstanceRecord, InstanceReport, ModelRecord,
    ModelReport, NashReport, PlansReport, SolveReport, SolveRequest, TryReport, Wanted,
};

/// Solves what the rules of a session pose, from the instance or the state of the request, or from the first
/// instance, or from all: plans of a puzzle, the value of a state of a game, solutions of a model, equilibria of a game
/// in which all choose at once.
///
/// # Errors
/// The program is none of these, has no such engine, heuristic, player or instance; an error in a rule. A limit is no
/// failure: the report has what was found until then.
pub fn solve(session: &mut Session, request: &SolveRequest) -> Result<SolveReport, Failure> {
    usecases::solve::solve(session, request, None, &mut |_, _| true)
}

/// A term of a report as text, with quotes and operators: what is read back is a variant of it.
pub fn text(session: &Session, term: &Record) -> String {
    TermData::text_of(session, term)
}

/// Bytes that rules may take unless a limit is given: half of what the machine, a container or `ulimit -v` gives, at most
/// 2 GiB.
pub fn default_memory() -> usize {
    cli::memory::default_limit()
}

/// A finding as people read it: message, lines of the source with marks, and hints.
pub fn diagnostic_text(diagnostic: &Diagnostic) -> String {
    let mut text = String::new();
    let options = render::diagnostic::RenderOptions::default();
    // A string takes whatever is written to it.
    let _ = render::diagnostic::render(&mut text, diagnostic, options);
    text
}
