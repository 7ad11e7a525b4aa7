//! What rules say, asked as anybody may ask them: by queries, without an engine, a state's bytes or a checker of zug's.

use std::collections::HashMap;
use std::path::Path;
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::session::Session;

/// What is asked: each answer in lines, written in the same way whatever it was read from; variants are written alike.
const PROGRAM: &str = "
    judged_lines(Ts) :- forall(member(T, Ts), judged_line(T)).
    judged_line(T) :-
        copy_term(T, C), numbervars(C, 0, _),
        write_term(C, [quoted(true), numbervars(true)]), nl.
    judged_record(T) :- T =.. Parts, judged_lines(Parts).
    judged_list(Ts) :- judged_lines(Ts).
    judged_final(S) :- ( \\+ \\+ final_state(S) -> writeln(yes) ; writeln(no) ).
    judged_moves(S) :- forall(rule(M, C, S, T), judged_lines([M, C, T])).
    judged_starts :- forall(initial_state(N, S), judged_lines([instance(N), S])).
    judged_start :- forall(initial_state(S), judged_lines([instance, S])).

    judged_mover(_, T, K) :- current_predicate(to_move/2), !, to_move(T, K).
    judged_mover(J, _, K) :- current_predicate(opponent/2), !, opponent(J, K).
    judged_mover(first, _, second).
    judged_mover(second, _, first).
    judged_move(J, M, S, T) :- current_predicate(move/4), !, move(J, M, S, T).
    judged_move(_, M, S, T) :- move(M, S, T).
    judged_leads(J, S) :-
        forall(judged_move(J, M, S, T), ( judged_mover(J, T, K), judged_lines([M, at(K, T)]) )).
    judged_over(J, S) :-
        (   current_predicate(terminal/2) -> judged_holds(terminal(J, S))
        ;   judged_holds(\\+ judged_move(J, _, S, _))
        ).
    judged_holds(G) :- ( \\+ \\+ G -> writeln(yes) ; writeln(no) ).
    judged_turn(J, S) :- ( current_predicate(to_move/2) -> to_move(S, K) ; K = J ), judged_lines([K]).
    judged_worth(J, S) :-
        ( current_predicate(utility/3) -> once(utility(J, S, U)) ; U = -1 ),
        judged_lines([U]).
    judged_chance(M, S) :-
        (   current_predicate(probability/3) -> once(probability(M, S, P))
        ;   findall(N, move(chance, N, S, _), Ns), length(Ns, Count), P = 1/Count
        ),
        judged_lines([P]).

    judged_actions(J, S) :- forall(action(J, S, A), judged_lines([A])).
    judged_joint(As, S) :- once(joint_move(As, S, T)), judged_lines([T]).
    judged_payoff(As) :- once(payoff(As, Us)), judged_lines(Us).
    judged_ends(S) :- ( \\+ \\+ terminal(S) -> writeln(yes) ; writeln(no) ).";

/// Rules, and what was asked of them.
pub struct Oracle {
    session: Session,
    shown: SharedBuffer,
    known: HashMap<String, Option<Vec<String>>>,
}

impl Oracle {
    pub fn of(path: &Path) -> Oracle {
        let (mut session, shown) = zug_tools::language::captured("");
        session.load_file(path).expect("it loads");
        session.load_text("oracle", PROGRAM);
        Oracle { session, shown, known: HashMap::new() }
    }

    /// The lines that a goal writes; `None` if it can't be read, fails or raises an error.
    pub fn ask(&mut self, goal: &str) -> Option<Vec<String>> {
        if let Some(known) = self.known.get(goal) {
            return known.clone();
        }
        let found = self.session.query(goal).ok().and_then(|mut query| {
            let answered = self.session.next(&mut query);
            self.session.close(query);
            let _ = self.session.world.streams.end_query();
            let lines = self.shown.take().lines().map(str::to_owned).collect();
            matches!(answered, Ok(true)).then_some(lines)
        });
        self.known.insert(goal.to_owned(), found.clone());
        found
    }

    /// Whether a goal writes `yes`.
    pub fn is(&mut self, goal: &str) -> Option<bool> {
        Some(self.ask(goal)?.first()? == "yes")
    }

    /// A record, apart: its name, then its arguments.
    pub fn record(&mut self, line: &str) -> Option<Vec<String>> {
        self.ask(&format!("judged_record(({}))", line.strip_suffix('.')?))
    }

    /// The items of a list.
    pub fn list(&mut self, text: &str) -> Option<Vec<String>> {
        self.ask(&format!("is_list({text}), judged_list({text})"))
    }

    /// All states that can be reached from one, of a puzzle; or positions `at(Mover,State)` of a game.
    pub fn reachable(&mut self, start: &str) -> Vec<String> {
        let mut found = vec![start.to_owned()];
        let mut next = 0;
        while let Some(state) = found.get(next).cloned() {
            next += 1;
            let leads = match place(&state) {
                Some((mover, state))
                    if self.is(&format!("judged_over({mover},{state})")) == Some(false) =>
                {
                    let leads = self.ask(&format!("judged_leads({mover},{state})"));
                    leads.unwrap_or_default().chunks(2).map(|lead| lead[1].clone()).collect()
                }
                Some(_) => Vec::new(),
                None => {
                    let moves = self.ask(&format!("judged_moves({state})")).unwrap_or_default();
                    moves.chunks(3).map(|one| one[2].clone()).collect::<Vec<_>>()
                }
            };
            for to in leads {
                if !found.contains(&to) {
                    found.push(to);
                }
            }
        }
        found
    }
}

/// Who is to move, and the state, of a position.
pub fn place(position: &str) -> Option<(&str, &str)> {
    position.strip_prefix("at(")?.strip_suffix(')')?.split_once(',')
}
