//! Sessions over text in memory.

use super::{Console, Input, NextAnswer, Piped, PipedSession, Repl};
use std::collections::VecDeque;
use std::io;
use zug_prolog::session::Session;
use zug_term::source::Source;

/// Everything a session writes for this input, answers and complaints.
fn transcript(rules: &str, input: &str) -> (String, PipedSession) {
    let (mut session, written) = zug_tools::language::captured(input);
    session.load_text("rules", rules);
    let tally = Repl::new(&mut session, Box::new(Piped), (false, false))
        .run(&[])
        .expect("memory can be written");
    (written.take(), tally)
}

fn check(input: &str, expect: &str) {
    assert_eq!(transcript("p(1). p(2). likes(mary).", input).0, expect, "{input}");
}

#[test]
fn answers() {
    check("X = 1.", "X = 1.\n");
    check("p(X).", "X = 1.  % ; for more\n");
    check("p(X).\n;\n", "X = 1.  % ; for more\nX = 2.\n");
    check("p(X). ; ;", "X = 1.  % ; for more\nX = 2.\nno more answers.\n");
    check("member(X, [a,b]), X \\= b.\n;\n", "X = a.  % ; for more\nno more answers.\n");
    check("true.", "true.\n");
    check("fail.", "false.\n");
    check("p(_Hidden).", "true.  % ; for more\n");
    check("X = Y.", "X = Y.\n");
    check("X = Y, Y = Z.", "X = Y, Y = Z.\n");
    check("X = f(Y, A, A, _).", "X = f(Y, A, A, _).\n");
    check("length(L, 2).", "L = [_, _].\n");
    check("copy_term(f(A, A), X).", "X = f(_A, _A).\n");
    check("X = 'hello world', Y = \"s\".", "X = 'hello world', Y = \"s\".\n");
    check("X = (a :- b).", "X = (a:-b).\n");
    check(":- p(X).", "X = 1.  % ; for more\n");
    check("?- p(3).", "false.\n");
    check("% nothing\n/* at all */", "");
}

#[test]
fn output_comes_before_its_answer() {
    check("write(a).", "a\ntrue.\n");
    check("write(a), nl.", "a\ntrue.\n");
    check("p(X), write(X), nl, fail.", "1\n2\nfalse.\n");
}

#[test]
fn queries_share_the_input_with_what_they_read() {
    check("read(X). foo(bar). X = 2.", "X = foo(bar).\nX = 2.\n");
    check("get_char(C).\nX = 1.", "C = '\\n'.\nX = 1.\n");
    check("[user].\nq(7).\nend_of_file.\nq(X).", "true.\nX = 7.\n");
}

#[test]
fn long_answers_are_cut_and_shown_in_full() {
    let (text, _) = transcript("", "numlist(1, 1000, L).\n:full\nX = 1.\n:full");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "L = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …|…] (1000 elements; :full shows all)."
    );
    assert!(lines[1].ends_with("998, 999, 1000]."), "{}", lines[1]);
    assert_eq!(lines[2..], ["X = 1.", "nothing was left out of the last answer"]);
    check(
        "numlist(1, 20, L), L = [_|T].",
        "L = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],\nT = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].\n",
    );
    let (text, _) = transcript("", "numlist(1, 100000, L), atomic_list_concat(L, A).");
    assert!(text.contains("… (:full shows all)"), "{}", &text[text.len() - 100..]);
}

#[test]
fn mistakes_are_explained() {
    let says = |input, part: &str| {
        let (text, tally) = transcript("p(1). go :- hlper(2). helper(_).", input);
        assert!(text.contains(part), "{input}: {text}");
        assert_ne!(tally, PipedSession::default(), "{input}");
    };
    says("foo(a).", "assertz(foo(a))");
    says("foo(X).", "unknown procedure foo/1");
    says("pp(X).", "unknown procedure pp/1");
    says("go.", "did you mean `helper/1`?");
    says("go.", "rules:1:13");
    says("a :- b.", "assertz((a :- b))");
    says("a --> b.", "[user]");
    says("quit.", "`:quit`");
    says("p(", "error[");
    says("X = 1", "error[");
    says("p(X)) . ", "error[");
    says("X is foo + 1.", "there is no function foo/0");
    says(":fulll", "did you mean `:full`?");
    says(":zzzzzz", "`:commands` lists them");
    says("nosuch(1), p(X).", "unknown procedure nosuch/1");
}

#[test]
fn errors_leave_the_session_as_it_was() {
    check("X is 1/0.\nX = 1.", "error[E0601]: arithmetic: division by zero, in (is)/2\nX = 1.\n");
    let (text, tally) = transcript("", "throw(oops).\nX = 1.\n");
    assert!(text.ends_with("\nX = 1.\n") && text.contains("oops"), "{text}");
    assert_eq!(tally, PipedSession { errors: 1, ..PipedSession::default() });
    assert_eq!(transcript("", "halt(3). X = 1.").1.halted, Some(3));
}

#[test]
fn engines_report_under_their_answers() {
    let rules = "
        initial_state(s(0,0)). final_state(s(2,_)).
        rule(up, 1, s(X,Y), s(Z,Y)) :- X < 3, Z is X + 1.
        print_state(s(X,_)) :- write(at(X)), nl.";
    let (text, _) = transcript(rules, "bfs(S, P, C).");
    let found: Vec<&str> = text.lines().collect();
    assert_eq!(
        found[..4],
        [
            "S = s(0, 0), P = [up, up], C = 2.",
            "S",
            "at(0)",
            "bfs: Solved in 2 moves, cost 2 (optimal)"
        ],
        "{text}"
    );
    assert_eq!(transcript(rules, "S = s(7,7).").0, "S = s(7, 7).\n", "nothing says it is a state");
    let (text, _) = transcript(rules, "rule(up, 1, s(0,7), S).");
    assert_eq!(text, "S = s(1, 7).\nS\nat(1)\n");
    let (text, _) = transcript(rules, "S = s(7,7), print_state(S).");
    assert_eq!(text, "at(7)\nS = s(7, 7).\n", "a query that draws is left alone");
    let (text, _) = transcript(rules, "bfs(s(9,0), P, C).");
    assert!(text.starts_with("false.\nbfs: No solution"), "{text}");
    let (text, tally) = transcript(rules, "bfs(S, P, C, [nodes(1)]).");
    assert!(text.starts_with("bfs: Stopped: the limit of nodes"), "{text}");
    assert_eq!(tally.errors, 1);
}

#[test]
fn commands() {
    let (text, _) = transcript("", ":help\n:commands\n:engines\n:quit\nX = 1.");
    for part in ["full stop", ":load FILE", "idastar"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("X = 1"));
    let (text, _) = transcript("", ":load ../../rules/wolf.pl\ninitial_state(late, _).");
    assert_eq!(text, "true.\n");
    assert!(transcript("", ":load nosuch.pl").0.contains("there is no file `nosuch.pl`"));
}

/// A console with a person's keys written down.
struct Scripted(VecDeque<&'static str>, VecDeque<NextAnswer>);

impl Console for Scripted {
    fn read(&mut self, _: &mut Session) -> io::Result<Input> {
        Ok(self.0.pop_front().map_or(Input::End, |text| Input::Query(Source::new("query", text))))
    }
    fn more(&mut self, session: &mut Session, line: &str) -> io::Result<NextAnswer> {
        session.world.streams.put_str(1, &format!("{line}?\n"))?;
        Ok(self.1.pop_front().unwrap_or(NextAnswer::Stop))
    }
    fn line(&mut self, _: &mut Session, _: &str, _: &[String]) -> io::Result<super::Line> {
        Ok(self.0.pop_front().map_or(super::Line::End, |text| match text {
            "^C" => super::Line::Interrupted,
            text => super::Line::Text(text.to_owned()),
        }))
    }
    fn interactive(&self) -> bool {
        true
    }
}

#[test]
fn keys_choose_what_comes_next() {
    let (mut session, written) = zug_tools::language::captured("");
    let console = Scripted(
        ["member(X, [a,b,c]).", "X = 1."].into(),
        [NextAnswer::Next, NextAnswer::Stop].into(),
    );
    Repl::new(&mut session, Box::new(console), (false, false))
        .run(&[])
        .expect("memory can be written");
    let text = written.take();
    let (banner, rest) = text.split_once('\n').expect("a banner");
    assert!(banner.starts_with("zug "), "{banner}");
    assert_eq!(rest, "X = a?\nX = b?\nX = 1.\n");
}

#[test]
fn a_game_at_the_prompt() {
    let (mut session, written) = zug_tools::language::captured("");
    session.load_text(
        "sticks",
        "initial_state(2). initial_player(a). opponent(a, b). opponent(b, a).
         move(_, K, N, M) :- between(1, 2, K), K =< N, M is N - K.
         move(_, pass, 1, 1) :- fail.
         terminal(_, 0). utility(_, 0, 1).",
    );
    let lines = [
        "play([against(random), seed(1)]).",
        "^C",
        "3",
        "1",
        "undo",
        "2.",
        "undo",
        "quit",
        "play([against(deep_blue)]).",
        "play([as(z)]).",
        "play(foo).",
        "play(levle(3)).",
        "play([against(random)]).",
        "^C",
        "^C",
        "X = 1.",
    ];
    let console = Scripted(lines.into(), VecDeque::new());
    let tally = Repl::new(&mut session, Box::new(console), (false, false))
        .run(&[])
        .expect("memory can be written");
    assert_eq!(tally.errors, 4);
    let text = written.take();
    for part in [
        "you are a and begin, against b (random)",
        "`quit`, Ctrl-D or Ctrl-C again leaves",
        "there is no move `3` here; legal: 1, 2\n",
        "took back",
        "Over after",
        "`again`, `undo`, `save FILE`, or Return to leave",
        "there is no engine `deep_blue`",
        "there is no player `z`",
        "`foo` is no option of play/1; its options are as(Player)",
        "`levle` is no option of play/1; did you mean `level(N)`?",
        "The game did not begin.",
        "X = 1.",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_game_on_a_pipe() {
    let (text, tally) = transcript(
        "initial_state(1). initial_player(a). opponent(a, b). opponent(b, a).
         move(_, only, 1, 0). terminal(_, 0). utility(_, 0, -1).",
        "play.\n\nX = after.\nplay(games(2)).\nplay([as(none), games(2), seed(3)]).",
    );
    let (game, rest) = text.split_once("X = after.\n").expect("the query behind the game");
    assert!(game.contains("a can only play only: Return plays it\na> \n"), "{game}");
    assert!(game.ends_with("Over after 1 move: a wins. You win.\n"), "{game}");
    assert!(rest.contains("game 2: a (#2) against b (#1); a (#2) wins, 1 move\n"), "{rest}");
    assert!(rest.contains("#1 level 5 of 9: 1 win, 0 draws, 1 loss\n"), "{rest}");
    assert_eq!(tally.errors, 0);
}

#[test]
fn refusals_at_the_prompt() {
    let faulty = "initial_state(1). final_state(9). rule(up, 1, S, T) :- T is S + foo.
        heuristic(S, H) :- H is 9 - T.";
    for query in ["tree(moves).", "play."] {
        let (text, tally) = transcript(faulty, query);
        assert!(text.contains("there is no function foo/0"), "{query}\n{text}");
        assert!(text.contains("warning["), "{query}\n{text}");
        assert!(!text.contains("no rules of a puzzle or a game are loaded"), "{query}\n{text}");
        assert_eq!(tally.errors, 1);
    }
    for (query, part) in [
        ("tree(moves).", "no rules of a puzzle or a game are loaded"),
        ("solve(P).", "an option of solve/1 has no value yet; write `solve([])`"),
        ("tree(moves, P).", "write `tree(moves, [])`, or `tree(moves, [depth(3)])`"),
    ] {
        let (text, _) = transcript("p(1).", query);
        assert!(text.contains(part), "{query}\n{text}");
    }
    let steps =
        "initial_state(0). final_state(9). rule(K, 1, S, T) :- member(K, [1, 2]), T is S + K.";
    let (text, _) = transcript(steps, "solve([engine(deep_blue)]).\ntree(moves).");
    assert!(text.contains("there is no engine `deep_blue`"), "{text}");
    assert!(text.contains("`truncate` draws what is below a state once"), "{text}");
    assert!(!text.contains("--"), "{text}");
}
