//! What rules say, asked as anybody may ask them: by queries, without an engine, a state's bytes or a checker of zug's.

use std::collections::HashMap;
use std::path::Path;
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::session::Session;

/// What is asked: each answer in lines, written in the same way whatever it was read from.
const PROGRAM: &str = "
    judged_lines(Ts) :- forall(member(T, Ts), ( writeq(T), nl )).
    judged_record(T) :- T =.. Parts, judged_lines(Parts).
    judged_list(Ts) :- judged_lines(Ts).
    judged_final(S) :- ( \\+ \\+ final_state(S) -> writeln(yes) ; writeln(no) ).
    judged_moves(S) :- forall(rule(M, C, S, T), judged_lines([M, C, T])).
    judged_starts :- forall(initial_state(N, S), judged_lines([instance(N), S])).
    judged_start :- forall(initial_state(S), judged_lines([instance, S])).

    judged_mover(J, T, K) :- ( catch(to_move(T, K), _, fail) -> true ; opponent(J, K) ).
    judged_leads(J, S) :- forall(move(J, M, S, T), ( judged_mover(J, T, K), judged_lines([M, at(K, T)]) )).
    judged_over(J, S) :- ( \\+ \\+ terminal(J, S) -> writeln(yes) ; writeln(no) ).
    judged_turn(J, S) :- judged_mover(J, S, K), judged_lines([K]).
    judged_worth(J, S) :- once(utility(J, S, U)), judged_lines([U]).
    judged_chance(M, S) :-
        (   catch(probability(M, S, P), _, fail) -> true
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
}
