% Recursion along a list that comes to the same call by several clauses or branches, and what is
% in the way of running that call first.
:- discontiguous(heuristic/3).

initial_state([0,1,2,0,1,2,0,1,2,0,3]).
initial_state([a,1,2,0,1,b,0,1,2,0,3]).
initial_state([0,1,2,3,4,5,6,7,8,9,10]).
initial_state([_,1,_,0,1,2,0,1,_,0,3]).
final_state([z]).
rule(turn, 1, [X|T], S) :- append(T, [X], S).
rule(next, 1, [X|T], [Y|T]) :- integer(X), Y is (X + 1) mod 4.
rule(name, 1, [X|T], [a|T]) :- X == 2.
rule(exchange, 1, S, T) :- nth0(1, S, X), nonvar(X), maplist(exchange(X), S, T).
exchange(X, 0, X) :- X \== 0, !.
exchange(X, X, 0) :- !.
exchange(_, Y, Y).

% The result is bound before the call, or tested.
heuristic(tested, S, H) :- tested(S, 0, H).
tested([], H, H).
tested([X|T], A, H) :- X == 0, var(H), !, tested(T, A, H).
tested([X|T], A, H) :- ( integer(X) -> B is A + X ; B = A ), tested(T, B, H).
heuristic(bound, S, H) :- bound(S, N), H = N.
bound([], 0).
bound([X|_], H) :- X == 3, !, H = 7.
bound([X|T], H) :- X == 1, !, bound(T, N), H is N + 1.
bound([_|T], H) :- bound(T, H).

% What is bound in some ways is used later.
heuristic(later, S, H) :- later(S, U, N), ( nonvar(U) -> H is N + 100 ; H = N ).
later([], _, 0).
later([X|T], U, N) :-
    (   integer(X), X > 0
    ->  ( X > 2 -> D = 0, U = big ; D = 1 )
    ;   D = 2
    ),
    later(T, U, M),
    N is M + D.
heuristic(inner, S, H) :- inner(S, 0, H).
inner([], H, H).
inner([X|T], A, H) :-
    (   X == 0
    ->  ( T == [] -> P = 1, Q = 3 ; P = 2 ), D = 1
    ;   D = 2, P = 0
    ),
    ( var(Q) -> E = 1 ; E = 5 ),
    B is A + D + P + E,
    inner(T, B, H).

% Several answers, none, cuts behind the call.
heuristic(several, S, H) :- findall(N, several(S, N), Ns), length(Ns, L), sum_list(Ns, M), H is L + M.
several([], 0).
several([], 1).
several([X|T], N) :- X == 0, !, several(T, M), N is M + 1.
several([_|T], N) :- several(T, N).
heuristic(first, S, H) :- findall(N, first(S, N), Ns), length(Ns, L), sum_list(Ns, M), H is L + M.
first([], 0).
first([], 1).
first([X|T], N) :- X == 0, first(T, M), !, N is M + 1.
first([_|T], N) :- first(T, N).
heuristic(none, S, H) :- ( none(S, N) -> H = N ; H = 99 ).
none([], N) :- N is 1 - 1, fail.
none([3], 0).
none([X|T], N) :- X == 0, !, none(T, M), N is M + 1.
none([_|T], N) :- none(T, N).

% Two calls, calls within conditions and negations, another predicate between.
heuristic(twice, S, H) :- length(P, 4), append(P, _, S), twice(P, H).
twice([], 1).
twice([X|T], N) :- X == 1, !, twice(T, A), twice(T, B), N is A + B.
twice([_|T], N) :- twice(T, N).
heuristic(condition, S, H) :- condition(S, H).
condition([], 0).
condition([X|T], N) :- ( X == 0, condition(T, M) -> N is M + 1 ; condition(T, N) ).
heuristic(negation, S, H) :- ( negation(S) -> H = 1 ; H = 0 ).
negation([]).
negation([X|T]) :- X == 0, !, \+ negation(T).
negation([_|T]) :- negation(T).
heuristic(amid, S, H) :- one(S, 0, H).
one([], H, H).
one([X|T], A, H) :- X == 0, !, B is A + 1, other(T, B, H).
one([_|T], A, H) :- other(T, A, H).
other([], H, H).
other([X|T], A, H) :- ( X == 1 -> one(T, A, H) ; B is A + 2, one(T, B, H) ).

% One variable in two places, results in a term, errors on the way, a counter that is tested.
heuristic(shared, S, H) :- shared(S, X, X, H).
shared([], X, Y, H) :- ( X == Y -> H = 1 ; H = 2 ).
shared([X|T], A, B, H) :- X == 0, !, shared(T, A, B, H).
shared([_|T], A, B, H) :- shared(T, B, A, H).
heuristic(term, S, H) :- in_term(S, f(H)).
in_term([], f(0)).
in_term([X|T], f(H)) :- X == 0, !, in_term(T, f(M)), H is M + 1.
in_term([_|T], F) :- in_term(T, F).
heuristic(errors, S, H) :- errors(S, 0, H).
errors([], H, H).
errors([X|T], A, H) :- X > 1, !, B is A + X, errors(T, B, H).
errors([X|T], A, H) :- B is A - X, errors(T, B, H).
heuristic(counted, S, H) :- counted(S, 0, H).
counted([], H, H).
counted([X|T], A, H) :- X == 0, A < 3, !, B is A + 1, counted(T, B, H).
counted([X|T], A, H) :- X == 1, !, B is A * 2 - 1, counted(T, B, H).
counted([_|T], A, H) :- counted(T, A, H).

% Lists that are filtered, and what in them is unbound.
heuristic(filtered, S, H) :- exclude([X]>>( X == 0 ), S, L), length(L, H).
heuristic(deleted, S, H) :- delete(S, 1, L), length(L, H).
heuristic(binding, S, H) :- include(=(X), S, L), length(L, N), ( var(X) -> H = N ; H is N + 50 ).
heuristic(larger, S, H) :- include(<(1), S, L), sum_list(L, H).
heuristic(places, S, H) :- T =.. [f|S], findall(I, ( arg(I, T, X), X == 0 ), Is), sum_list(Is, H).
heuristic(opened, S, H) :- T =.. [f|S], T =.. [_,_|As], aggregate_all(count, member(0, As), H).

% Terms that would be numbers if they were evaluated.
heuristic(sums, S, H) :- sums(S, 0, H).
sums([], H, H).
sums([X|T], A, H) :- sum_of(X, E), ( E = _ + _ -> B is A + 1 ; B is A + 5 ), sums(T, B, H).
sum_of(X, E) :- ( X == 0 -> E = 1 + 2 ; E = 3 + 4 ).
heuristic(written, S, H) :- written(S, 0, E), ( integer(E) -> H = 1 ; E = A + _ -> H is 2 + abs(A) * 0 ; H = 3 ).
written([], E, E).
written([X|T], E, F) :- X == 0, !, written(T, E + 1, F).
written([_|T], E, F) :- written(T, E + 2, F).

% Answers of the recursion come before those of later clauses, also where an element may be absent.
heuristic(before, S, H) :- exclude(==(1), S, L), before(L, 0, H).
before([X|T], N, H) :- X == 2, !, before(T, N, H).
before([_|T], N, H) :- M is N + 1, before(T, M, H).
before([], N, N) :- N < 8.
before(_, _, 30).
heuristic(amid, S, H) :- delete(S, 1, L), amid(L, 0, H).
amid([X|_], N, H) :- X == b, H is N + 50.
amid([_|T], N, H) :- M is N + 1, amid(T, M, H).
amid([X|_], N, H) :- integer(X), X > 1, H is 20 - N.
