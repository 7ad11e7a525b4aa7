//! Written rules are held against the interpreter on plays at random: what is legal, what comes next, goals
//! and ends.

use super::interpret::Interpreter;
use super::invariants::{self, Values};
use super::plays::Plays;
use super::program::{Program, key};
use super::syntax::{self, Key, Literal, Rule};
use super::table::TermId;
use super::tableau::Statics;
use super::turns::{Play, play};
use super::{boards, check, domains, relaxed, write};
use std::rc::Rc;
use zug_prolog::Session;
use zug_prolog::session::Allowance;
use zug_random::Random;
use zug_term::source::Source;

const CHECK: &str = include_str!("check.pl");

struct Game {
    program: Program,
    interpreter: Interpreter,
}

fn game(name: &str, text: &str) -> Game {
    let source = Source::new(name, text);
    let mut findings = Vec::new();
    let rules = syntax::rules(&source, &mut findings);
    let program = check::checked(&source, rules, true, &mut findings);
    assert_eq!(findings, [], "{name}");
    let interpreter = Interpreter::new(&program).expect("the game can be run");
    Game { program, interpreter }
}

impl Game {
    fn terms(&self, ids: &[TermId]) -> String {
        let terms: Vec<String> = ids.iter().map(|&id| self.interpreter.terms.show(id)).collect();
        format!("[{}]", terms.join(","))
    }

    fn by_role(&self, lists: &[Vec<TermId>]) -> String {
        let roles = self.interpreter.roles.iter().zip(lists);
        let parts: Vec<String> = roles
            .map(|(&role, list)| {
                format!("{}-{}", self.interpreter.terms.show(role), self.terms(list))
            })
            .collect();
        format!("[{}]", parts.join(","))
    }

    /// A play as a fact, and the number of its steps.
    fn play(&mut self, random: &mut Random) -> (String, usize) {
        let mut steps = Vec::new();
        let mut state = self.interpreter.initial.to_vec();
        loop {
            self.interpreter.set_state(&state).expect("the state is small");
            let (over, legal) = (self.interpreter.terminal(), self.interpreter.legal());
            let about = format!(
                "{},{over},{},{}",
                self.terms(&state),
                self.by_role(&legal),
                self.by_role(&self.interpreter.goals())
            );
            if over || steps.len() == 30 {
                steps.push(format!("step({about},none,none)"));
                break;
            }
            let pick = |moves: &Vec<TermId>, random: &mut Random| {
                moves[random.below(moves.len() as u64) as usize]
            };
            let chosen: Vec<TermId> = legal.iter().map(|moves| pick(moves, random)).collect();
            let next = self.interpreter.next(&chosen).expect("the state is small");
            steps.push(format!("step({about},{},{})", self.terms(&chosen), self.terms(&next)));
            state = next;
        }
        (format!("play([{}]).\n", steps.join(",\n  ")), steps.len())
    }
}

/// How a joint move is made by the contract's predicates.
fn moved(play: &Play) -> &'static str {
    match play {
        Play::Alone => "moved([M], S1, S2) :- rule(M, 1, S1, S2).\n",
        Play::InTurn(_) => "moved(As, S1, S2) :- joint(J, M, As), move(J, M, S1, S2).\n",
        Play::AtOnce => "moved(As, S1, S2) :- joint_move(As, S1, S2).\n",
    }
}

/// The first difference on some plays, and the number of steps.
fn difference(game: &mut Game, rules: &str) -> (Option<String>, usize) {
    let play = play(&game.program, &game.interpreter);
    let mut random = Random::new(7);
    let mut text = format!("{rules}\n{CHECK}\n{}", moved(&play));
    let mut count = 0;
    for _ in 0..20 {
        let (fact, steps) = game.play(&mut random);
        text += &fact;
        count += steps;
    }
    let mut session = Session::new();
    let findings = session.load_text("rules", &text);
    let errors: Vec<_> = findings.iter().filter(|finding| finding.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{rules}");
    let mut query = session.query("mismatch(W)").expect("it reads");
    let found = match session.next(&mut query) {
        Ok(found) => found.then(|| session.answer(&query)),
        Err(fault) => Some(format!("{fault:?}")),
    };
    (found, count)
}

fn agrees(name: &str, text: &str) -> (Game, String) {
    let mut game = game(name, text);
    let rules = write::write(&game.program, &game.interpreter, name);
    let (found, steps) = difference(&mut game, &rules);
    assert_eq!(found, None, "{name}:\n{rules}");
    assert!(steps > 20, "{name}: {steps} steps");
    (game, rules)
}

const NOUGHTS: &str = include_str!("games/noughts.kif");
const MAZE: &str = include_str!("games/maze.kif");
const BIDS: &str = include_str!("games/bids.kif");
const FRAME: &str = include_str!("games/frame.kif");

const CONNECT_FOUR: &str = include_str!("games/connect_four.kif");
const BREAKTHROUGH: &str = include_str!("games/breakthrough.kif");

#[test]
fn players_move_in_turn_or_at_once() {
    let play = |text| {
        let game = game("game", text);
        play(&game.program, &game.interpreter)
    };
    let Play::InTurn(turns) = play(NOUGHTS) else { panic!("players move in turn") };
    assert_eq!((turns.control.as_str(), turns.order), ("control", vec![0, 1]));
    assert_eq!((play(MAZE), play(BIDS)), (Play::Alone, Play::AtOnce));
}

/// Games, and what stands in their rules, and what does not.
#[test]
fn written_rules_do_what_the_interpreter_does() {
    // Places are asked for by what is no number.
    let off = "(role r) (init (at 1 a)) (index 1) (index 2) (index off)
        (<= (legal r (go ?i)) (index ?i))
        (<= (next (at 1 b)) (does r (go 2)) (true (at 1 ?v)))
        (<= (next (at 2 a)) (does r (go off)) (not (true (at off a))))
        (<= (next (at ?n ?v)) (true (at ?n ?v)) (does r (go ?m)) (not (true (at ?m ?v))))
        (<= terminal (true (at 2 a)) (true (at 1 b)))
        (<= (goal r 100) terminal) (<= (goal r 0) (not terminal))";
    // Names of lists differ from other variables.
    let lists: String = ["c", "x1", "l1", "s", "f", "a", "e1", "e"]
        .iter()
        .map(|name| {
            format!(
                "(init ({name} 0)) (<= (next ({name} ?n)) (true ({name} ?m)) (succ ?m ?n) (does p {name}))
                 (<= (next ({name} ?m)) (true ({name} ?m)) (not (does p {name}))) (legal p {name})\n"
            )
        })
        .collect();
    let rest = "(role p) (init (at 1 0)) (init up) (<= (next (at ?n 0)) (true (at ?n 0))) (<= (next (at ?n 0)) (true (c ?n)))
        (<= (next up) (true up)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= terminal (true (at 3 0))) (<= (goal p 100) (true (x1 2)) (true up)) (<= (goal p 0) (not (true (x1 2))))";
    let small = |from: &str, to: &str| {
        let text = small_outflank(false);
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    };
    let puts = "(<= (next (disc ?r ?c ?p)) (does ?p (put ?r1 ?c1)) (turns ?r ?c))";
    let some =
        format!("{} (odd 1) (odd 3)", puts.replace("(turns ?r ?c))", "(turns ?r ?c) (odd ?r))"));
    let offset = "(init (offset 3)) (<= (next (offset ?n)) (true (offset ?n)))";
    let begins =
        ("(<= (discs ?p 1 1 0) (role ?p))", "(<= (discs ?p 1 1 ?n) (role ?p) (true (offset ?n)))");
    let denies = ("(not (true (disc ?r ?c ?p))))", "(not (true (disc ?r1 ?c1 ?p))))");
    let [begins, denies] =
        [begins, denies].map(|(from, to)| format!("{offset} {}", small(from, to)));
    let leaps = leaps();
    let cases: [(&str, &str, &[&str], &[&str]); 15] = [
        (
            "noughts",
            NOUGHTS,
            &[
                "opponent(x, o).",
                "% A mark goes to an empty square.",
                "state(x, [\n    [b, b, b],",
                "changes(cell, mark(X1, X2), [X1-X2]).\n",
            ],
            &[],
        ),
        // Discs that don't lie there are empty places; all that lie there stay.
        (
            "connect four",
            CONNECT_FOUR,
            &[
                "state(x, [\n    [-, -, -, -, -, -],",
                "gained(disc(",
                "gained(disc(X1, X2, X3), As, S), Changes).\n",
            ],
            &["changes(", "\nlost("],
        ),
        // All that is excepted is lost.
        (
            "breakthrough",
            BREAKTHROUGH,
            &[
                "lost(pawn(C, R, P), As, S) :-\n    left(C, R, As, S),\n",
                "lost(pawn(C, R, P), As, S) :-\n    reached(C, R, As, S),\n",
            ],
            &["changes("],
        ),
        ("off", off, &[], &[]),
        ("lists", &(lists + rest), &[], &[]),
        // What depends on the state and is recursive is tabled; what is static is listed.
        ("maze", MAZE, &[":- table reach/3.", "less(0, 7).\n"], &[]),
        ("bids", BIDS, &["players([ann, bob, eve])."], &[]),
        // Too many moves to list what each changes: what is not kept is lost, and all places are computed where no rule keeps
        // any.
        (
            "leaps",
            &leaps,
            &["\\+ kept(cell(X1, X2), As, S).", "layout(last, [1, 2,", "next_places(last, "],
            &["changes(", "layout(cell,"],
        ),
        // Rules that name no relation.
        ("frame", FRAME, &["holds(F, state(Fs))"], &[]),
        ("small", &small_outflank(false), &[], &[]),
        // Recursive lines are asked of each place.
        ("round", &small_outflank(true), &[":- table enclosed/5.", "changes(disc,"], &[]),
        // What is enclosed is taken away, and its places are empty then.
        (
            "takes",
            &small(puts, ""),
            &["append(Lost, Gained, Changes)", "\nlost(disc(R, C, P), As, S) :-\n"],
            &[],
        ),
        // Only some are turned over.
        ("odd", &small(puts, &some), &["append(Lost, Gained, Changes)"], &[]),
        // A count from a number of the state.
        ("offset", &begins, &[], &[":- table discs/5."]),
        // Rules of recursion that do not exclude each other.
        ("no count", &denies, &[":- table discs/5."], &[]),
    ];
    for (name, text, there, absent) in cases {
        let (_, rules) = agrees(name, text);
        for part in there {
            assert!(rules.contains(part), "{name}: {part}\n{rules}");
        }
        for part in absent {
            assert!(!rules.contains(part), "{name}: {part}\n{rules}");
        }
    }
}

/// A game of thousands of moves.
fn leaps() -> String {
    let digits: String = (1..=9).map(|n| format!("(digit {n}) (init (cell {n} b))")).collect();
    format!(
        "(role white) (role black) {digits} (init (control white)) (init (last 1 1)) (init (step 0))
         (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
         (<= (legal ?p (leap ?a ?b ?c ?d)) (true (control ?p)) (digit ?a) (digit ?b) (digit ?c) (digit ?d))
         (<= (legal white noop) (true (control black))) (<= (legal black noop) (true (control white)))
         (<= (next (cell ?a ?p)) (does ?p (leap ?a ?b ?c ?d)))
         (<= (next (cell ?b b)) (does ?p (leap ?a ?b ?c ?d)) (distinct ?a ?b))
         (<= (next (cell ?n ?v)) (true (cell ?n ?v)) (does ?p (leap ?a ?b ?c ?d)) (distinct ?n ?a) (distinct ?n ?b))
         (<= (next (last ?c ?d)) (does ?p (leap ?a ?b ?c ?d)))
         (<= (next (control white)) (true (control black))) (<= (next (control black)) (true (control white)))
         (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
         (<= terminal (true (step 3))) (<= terminal (true (last 9 9)))
         (<= (goal ?p 100) (role ?p) (true (cell 1 ?p))) (<= (goal ?p 0) (role ?p) (not (true (cell 1 ?p))))"
    )
}

#[test]
fn domains_of_arguments_have_all_that_may_hold() {
    let outflank = small_outflank(false);
    for text in [NOUGHTS, CONNECT_FOUR, BREAKTHROUGH, &outflank, &leaps()] {
        let game = game("game", text);
        let (program, interpreter) = (&game.program, &game.interpreter);
        let reach = relaxed::reach(program, interpreter, Some("control")).expect("it is small");
        let functors: Vec<Key> = reach.fluents.keys().cloned().collect();
        let domains = domains::of_fluents(program, interpreter, &functors).expect("they are known");
        for (functor, rows) in &reach.fluents {
            let known = &domains[functor];
            assert!(rows.iter().all(|row| known.contains(row)), "{functor:?} of {text}");
        }
    }
}

#[test]
fn a_place_may_have_several_values() {
    // Plays at random don't reach it: it takes one move in a thousand.
    let digits: String = (0..10).map(|n| format!("(digit {n})")).collect();
    let text = format!(
        "(role r) {digits} (init (lamp hall off))
         (<= (legal r (press ?a ?b ?c)) (digit ?a) (digit ?b) (digit ?c))
         (<= (next (lamp hall red)) (does r (press 7 7 ?c)))
         (<= (next (lamp hall green)) (does r (press ?a 7 7)))
         (<= (next over) (does r (press ?a ?b ?c)))
         (<= terminal (true over))
         (<= (goal r 100) (true (lamp hall red)) (true (lamp hall green)))
         (<= (goal r 0) (not (true (lamp hall red))))"
    );
    let game = game("lamp", &text);
    let rules = write::write(&game.program, &game.interpreter, "lamp");
    assert!(rules.contains("initial_state(state([off], [-]))."), "{rules}");
    let mut session = Session::new();
    let findings = session.load_text("rules", &rules);
    assert!(!findings.iter().any(|finding| finding.is_error()), "{findings:?}\n{rules}");
    for (presses, lamps) in
        [("7,7,7", "[green,red]"), ("7,7,1", "[red]"), ("1,7,7", "[green]"), ("1,1,1", "[]")]
    {
        let goal = format!(
            "initial_state(S), rule(press({presses}), 1, S, T), findall(V, holds(lamp(hall, V), T), L), \
             L == {lamps}, holds(over, T), ( {lamps} = [_,_] -> final_state(T) ; \\+ final_state(T) )"
        );
        let mut query = session.query(&goal).expect("it reads");
        assert!(session.next(&mut query).expect("it runs"), "{presses}:\n{rules}");
    }
}

/// Relations whose places have one value, as is proved; that they have is held against plays.
fn single(text: &str) -> Vec<String> {
    single_of(&game("single", text))
}

fn single_of(game: &Game) -> Vec<String> {
    let play = play(&game.program, &game.interpreter);
    let mut plays = Plays::of(&game.program, &game.interpreter, 1);
    let boards = boards::of(&game.program, &game.interpreter, &play, &mut plays).boards;
    let mut names = Vec::new();
    let plays = Plays::of(&game.program, &game.interpreter, 2);
    for board in boards.iter().filter(|board| board.single) {
        let value = board.value.expect("one value of some argument");
        assert!(plays.has_one_value(&board.functor, value), "{:?}", board.functor);
        names.push(board.functor.0.clone());
    }
    names.sort_unstable();
    names
}

#[test]
fn values_of_a_place_are_proved_to_exclude_each_other() {
    assert_eq!(single(NOUGHTS), ["cell", "control"]);
    assert_eq!(single(BREAKTHROUGH), ["control", "pawn"]);
    let lamps = |rules: &str| {
        single(&format!(
            "(role r) (place hall) (place yard) (colour red) (colour blue)
             (init (lamp hall red)) (init (lamp yard blue)) (init (mode on))
             (<= (lit ?l) (true (lamp ?l ?c)))
             (<= (terminal) (true (lamp hall red)) (true (lamp yard red))) (goal r 100)
             (<= (next (mode on)) (true (mode on))) {rules}"
        ))
    };
    let press = "(<= (legal r (press ?l ?c)) (place ?l) (colour ?c))";
    let keep =
        "(<= (next (lamp ?l ?c)) (true (lamp ?l ?c)) (does r (press ?k ?d)) (distinct ?k ?l))";
    let set = "(<= (next (lamp ?l ?c)) (does r (press ?l ?c)))";
    assert_eq!(lamps(&format!("{press} {keep} {set}")), ["lamp", "mode"]);
    // The lamp that is pressed keeps its colour, and has the other one.
    let keep_all = "(<= (next (lamp ?l ?c)) (true (lamp ?l ?c)))";
    assert_eq!(lamps(&format!("{press} {keep_all} {set}")), ["mode"]);
    // It does not where only lamps that are off are pressed.
    let off = "(<= (legal r (press ?l ?c)) (place ?l) (colour ?c) (not (lit ?l)))";
    assert_eq!(lamps(&format!("{off} {keep_all} {set} (legal r wait)")), ["lamp", "mode"]);
    // Nor where the other colour is that of a lamp which has it.
    let same = "(<= (next (lamp ?l ?c)) (does r (press ?l ?d)) (true (lamp ?l ?c)))";
    assert_eq!(lamps(&format!("{press} {keep_all} {same}")), ["lamp", "mode"]);
}

const CELLS: &str = include_str!("games/connect_four_cells.kif");

#[test]
fn what_else_holds_of_states_is_found_and_proved() {
    assert_eq!(single(CELLS), ["control", "square"]);
    let (_, rules) = agrees("connect four", CELLS);
    assert!(rules.contains("[ground, b, b, b, b, b, b],"), "{rules}");
    // Where the lowest disc of a full column may be taken away from below the others, a square comes to have
    // two values. Plays at random don't get there.
    let lift = |keeps: &str| {
        let lift = format!(
            "(<= (legal white (lift 1)) (true (control white))
                 (true (square 1 1 w)) (true (square 1 2 r)) (true (square 1 3 w))
                 (true (square 1 4 r)) (true (square 1 5 w)) (true (square 1 6 r)))
             (<= lifted (does white (lift ?f)))
             (<= (next (square ?f 1 b)) (does white (lift ?f)))
             (<= (next (square ?f ?r b)) (does white (lift ?g)) (true (square ?f ?r b)))
             (<= (next (square ?f ?r ?v)) (true (square ?f ?r ?v)) (distinct ?v b) {keeps})"
        );
        let keep = "(<= (next (square ?f ?r ?v)) (true (square ?f ?r ?v)) (distinct ?v b))";
        assert!(CELLS.contains(keep));
        CELLS.replace(keep, &lift)
    };
    let breaks = lift("(or (distinct ?r 1) (not lifted))");
    assert_eq!(most_values_after_lift(&breaks), 2);
    assert_eq!(single(&breaks), ["control"]);
    // It does not where all discs are taken away.
    let clears = lift("(or (true (square ?f ?r ground)) (not lifted))");
    assert_eq!(most_values_after_lift(&clears), 1);
    assert_eq!(single(&clears), ["control", "square"]);
    // Then nothing stands above an empty square, and later moves elsewhere make that empty too.
    let game = game("clears", &clears);
    let rules = write::write(&game.program, &game.interpreter, "clears");
    assert!(
        rules.contains("changes(square, drop(_), Keys) :-\n    places(square, Keys)."),
        "{rules}"
    );
}

/// The most values of a square when the first column is filled, its lowest disc is taken away, and another is
/// dropped elsewhere.
fn most_values_after_lift(text: &str) -> usize {
    let Game { mut interpreter, .. } = game("lift", text);
    let [one, two, noop] = ["1", "2", "noop"].map(|name| interpreter.intern(name, &[]));
    let [first, second] = [one, two].map(|file| interpreter.intern("drop", &[file]));
    let lift = interpreter.intern("lift", &[one]);
    let (white, red) = ([first, noop], [noop, first]);
    let mut state = interpreter.initial.to_vec();
    for moves in [white, red, white, red, white, red, [lift, noop], [noop, second]] {
        interpreter.set_state(&state).expect("the state is small");
        let legal = interpreter.legal();
        assert!(legal.iter().zip(&moves).all(|(legal, chosen)| legal.contains(chosen)));
        state = interpreter.next(&moves).expect("the state is small");
    }
    let place = |fact: &TermId| {
        let (symbol, args) = interpreter.terms.get(*fact);
        (interpreter.terms.name(symbol) == "square").then(|| args[..2].to_vec())
    };
    let places: Vec<Vec<TermId>> = state.iter().filter_map(place).collect();
    let values = |place| places.iter().filter(|other| *other == place).count();
    places.iter().map(values).max().unwrap_or(0)
}

/// What is proved of a game in which each square has a value, as far as can be told from plays.
fn proved(game: &Game) -> (Values, Vec<Rc<Rule>>) {
    let program = &game.program;
    let reach = relaxed::reach(program, &game.interpreter, Some("control"))
        .expect("what may hold is known");
    let statics = Rc::new(Statics::of(program, &game.interpreter, &reach));
    let mut plays = Plays::of(program, &game.interpreter, 1);
    let known = [(key("control", 1), 0)].into_iter().collect();
    let values = [(key("control", 1), 0), (key("square", 3), 2)].into_iter().collect();
    invariants::prove(program, &statics, &mut plays, &values, &known)
}

#[test]
fn invariants_hold_in_other_plays() {
    let game = game("connect four", CELLS);
    let (values, never) = proved(&game);
    assert_eq!(values.len(), 2);
    assert!(!never.is_empty(), "one value follows from the rules alone");
    let mut plays = Plays::of(&game.program, &game.interpreter, 2);
    for rule in &never {
        assert_eq!(plays.meet(rule), Ok(false), "{:?}", rule.body);
        // Fluents alone are met: it is all together that is not.
        let fluents = |literal: &&Literal| literal.atom().is_some_and(|atom| atom.name == "true");
        let fluents = rule.body.iter().filter(fluents).cloned().collect();
        let weaker = Rule { body: fluents, ..(**rule).clone() };
        assert_eq!(plays.meet(&weaker), Ok(true), "{:?}", weaker.body);
    }
}

/// What a game that writes words down says when one lamp is lit, in its imported form.
fn written(words: &str) -> String {
    let text = format!(
        "(role p) (init (lit none)) (letter a) (letter b) {words}
        (<= (legal p (light ?x)) (letter ?x))
        (<= (next (lit ?x)) (does p (light ?x)))
        (<= (added ?x nil (w ?x nil)) (letter ?x))
        (<= (added ?x (w ?h ?t) (w ?h ?n))
            (letter ?h) (letter ?x) (distinct ?x ?h) (word ?t) (added ?x ?t ?n) (word ?n))
        (<= (written ?l) (true (lit ?x)) (letter ?x) (added ?x (w a nil) ?l))
        (<= terminal (written ?l))
        (<= (goal p 100) (written ?l))"
    );
    let imported = super::import(&Source::new("words", &text)).expect("it is imported");
    let mut session = Session::new();
    session.load_text("rules", &imported.rules);
    session.allow(&Allowance { inferences: Some(100_000), ..Allowance::default() });
    let goal = "initial_state(_S1), rule(light(b), 1, _S1, _S2), findall(L, written(L, _S2), Ls)";
    let mut query = session.query(goal).expect("it reads");
    let found = session.next(&mut query).expect("there is an end");
    assert!(found, "{}", imported.rules);
    session.answer(&query)
}

#[test]
fn conditions_are_never_asked_with_fewer_values_where_that_has_no_end() {
    for word in [
        // There are infinitely many words,
        "(word (w b nil)) (<= (word (w a ?t)) (word ?t))",
        // or as many as there are states,
        "(<= (word (w ?x nil)) (true (lit ?x))) (<= (word (w a ?t)) (word ?t))",
        // or too many of each state.
        "(<= (word (w ?a nil)) (true (lit ?x)) (letter ?a))
         (<= (word (w ?a (w ?b (w ?c (w ?d nil))))) (true (lit ?x)) (letter ?a) (letter ?b)
             (letter ?c) (letter ?d))",
        "(<= (word (w ?x nil)) (letter ?x))
         (<= (word (w ?a (w ?b nil))) (true (lit ?x)) (many ?a) (many ?b))
         (<= (many ?n) (letter ?n)) (<= (many (t ?a ?b ?c ?d)) (ten ?a) (ten ?b) (ten ?c) (ten ?d))
         (ten 0) (ten 1) (ten 2) (ten 3) (ten 4) (ten 5) (ten 6) (ten 7) (ten 8) (ten 9)",
    ] {
        assert_eq!(written(&format!("(word nil) {word}")), "Ls = [w(a,w(b,nil))]", "{word}");
    }
}

const OUTFLANK: &str = include_str!("games/outflank.kif");

/// The same on a board of four by four; lines may go on at the other edge.
fn small_outflank(round: bool) -> String {
    let left_out = ["(plus ", "(line ", "(succ 16 ", "(succ 24 ", "(succ 32 ", "(succ 40 "];
    let left_out = [&left_out[..], &["(succ 48 ", "(succ 56 "]].concat();
    let kept = |line: &&str| !left_out.iter().any(|start| line.starts_with(start));
    let lines: Vec<&str> = OUTFLANK.lines().filter(kept).collect();
    let mut text = lines.join("\n");
    for (from, to) in [
        ("(disc 4 4 o)", "(disc 2 2 o)"),
        ("(disc 4 5 x)", "(disc 2 3 x)"),
        ("(disc 5 4 x)", "(disc 3 2 x)"),
        ("(disc 5 5 o)", "(disc 3 3 o)"),
        ("(plus ?c 1 ?c1))", "(plus ?c 1 ?c1) (distinct ?c1 1))"),
        (
            "(after ?r 8 ?r1 1) (plus ?r 1 ?r1)",
            "(after ?r 4 ?r1 1) (plus ?r 1 ?r1) (distinct ?r1 1)",
        ),
        ("(after 8 8 9 1)", "(after 4 4 5 1)"),
        (" 9 1 ", " 5 1 "),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    for n in 1..=4 {
        text += &format!("(line {n}) (plus {n} 0 {n})");
        let next = if n == 4 { 1 } else { n + 1 };
        if n < 4 || round {
            text += &format!("(plus {n} 1 {next}) (plus {next} -1 {n})");
        }
    }
    text
}

#[test]
fn what_moves_change_along_lines() {
    let game = game("outflank", OUTFLANK);
    let rules = write::write(&game.program, &game.interpreter, "outflank");
    // What is turned over is asked for once, and not of each place.
    let gained = "findall(X1-X2-X3, gained(disc(X1, X2, X3), As, S), Changes).\n";
    assert!(rules.contains(gained) && !rules.contains("changes("), "{rules}");
    assert!(rules.contains("enclosed_from(Way, R1, C1, R1_1, C1_1, S).\n"), "{rules}");
    // A place to move to is found once.
    assert!(
        rules.contains("open_to(P, R, C, S) :-\n    vacant(R, C, S),\n    once((\n"),
        "{rules}"
    );
    // What stands where a line begins is known.
    assert!(rules.contains("once(closed(Way, R1, C1, Q, S))"), "{rules}");
    // Discs are counted without tables, and numbers compared.
    assert!(!rules.contains(":- table"), "{rules}");
    assert!(rules.contains("    X > Y.\n") && !rules.contains("more(1, 0)."), "{rules}");
}

#[test]
fn names_that_are_taken_stay_apart() {
    let opened =
        "(role p) (init s) (open a) (game_open b) (legal p go) (<= (next done) (does p go))
        (<= terminal (true done)) (<= (goal p 100) (true done) (open b))
        (<= (goal p 0) (true done) (game_open b) (open a)) (<= (next s) (true s))";
    let (_, rules) = agrees("opened", opened);
    assert!(rules.contains("game_open(a).\n") && rules.contains("game_game_open(b).\n"), "{rules}");
    let words: std::collections::BTreeSet<&str> = zug_prolog::builtins::host::PROTECTED
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()) && *name != "true")
        .collect();
    for arity in 1..=8 {
        let all = |arg: &str| -> String {
            let args = format!(" {arg}").repeat(arity);
            words.iter().map(|word| format!("({word}{args})")).collect()
        };
        let game = format!(
            "(role p) (init s) {} (legal p go) (<= (next t) (does p go) {}) (<= terminal (true t))
             (<= (goal p 100) (true t)) (<= (goal p 0) (true s))",
            all("a"),
            all("?x")
        );
        agrees("built in", &game);
    }
}

#[test]
fn a_difference_is_found() {
    for (from, to) in [
        ("does(P, mark(M, N), As)", "does(P, mark(N, M), As)"),
        ("goal(P, 50, S)", "goal(P, 51, S)"),
        ("terminal(S) :-\n    \\+ game_open(S)", "terminal(S) :-\n    game_open(S)"),
        ("state(x, [", "state(o, ["),
        ("mark(X1, X2), [X1-X2]", "mark(X1, X2), [X2-X1]"),
        ("-> C = X3", "-> C = x"),
    ] {
        let mut game = game("noughts", NOUGHTS);
        let rules = write::write(&game.program, &game.interpreter, "noughts");
        let wrong = rules.replacen(from, to, 1);
        assert_ne!(wrong, rules, "{from}");
        assert!(difference(&mut game, &wrong).0.is_some(), "{from}");
    }
}

/// The games of the folder that `ZUG_GDL_GAMES` names are held against the interpreter too.
#[test]
#[ignore = "needs a folder of games"]
fn games_of_a_folder() {
    let folder = std::env::var_os("ZUG_GDL_GAMES").expect("ZUG_GDL_GAMES names a folder");
    let files =
        std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let mut different = Vec::new();
    for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "kif")) {
        let name = file.display().to_string();
        let mut game = game(&name, &std::fs::read_to_string(&file).expect("text"));
        let rules = write::write(&game.program, &game.interpreter, &name);
        different.extend(difference(&mut game, &rules).0.map(|found| format!("{name}: {found}")));
        single_of(&game);
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Writes the rule files of those games to the folder that `ZUG_GDL_TEXTS` names.
#[test]
#[ignore = "writes files"]
fn texts_of_a_folder() {
    let [from, to] =
        ["ZUG_GDL_GAMES", "ZUG_GDL_TEXTS"].map(|name| std::env::var_os(name).expect(name));
    for file in std::fs::read_dir(from).expect("a folder").map(|file| file.expect("a file").path())
    {
        let text = std::fs::read_to_string(&file).expect("text");
        let source = Source::new(&file.display().to_string(), &text);
        let Ok(imported) = super::import(&source) else { continue };
        let to =
            std::path::Path::new(&to).join(file.with_extension("pl").file_name().expect("a name"));
        std::fs::write(to, imported.rules).expect("it is written");
    }
}
