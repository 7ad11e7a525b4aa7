% Delimited continuations: effects, iterators, coroutines, cuts and handlers in continuations.

% State as an effect.
run_state(Goal, S0, S) :-
    reset(Goal, Command, Continuation),
    (   Continuation == 0
    ->  S = S0
    ;   Command = get(S0)
    ->  run_state(Continuation, S0, S)
    ;   Command = put(S1)
    ->  run_state(Continuation, S1, S)
    ).

add(N) :- shift(get(S)), S1 is S+N, shift(put(S1)).

add_all([]).
add_all([N|Ns]) :- add(N), add_all(Ns).

% An iterator: what a goal yields, one by one.
yielded(Goal, Items) :-
    reset(Goal, yield(Item), Continuation),
    (   Continuation == 0
    ->  Items = []
    ;   Items = [Item|Rest],
        yielded(Continuation, Rest)
    ).

from_to(N, M) :- N > M, !.
from_to(N, M) :- shift(yield(N)), N1 is N+1, from_to(N1, M).

tree(nil).
tree(t(L, X, R)) :- tree(L), shift(yield(X)), tree(R).

% A producer and a consumer that take turns.
transduce(Producer, Consumer) :-
    reset(Consumer, Ask, More),
    (   More == 0
    ->  true
    ;   Ask = receive(Item),
        reset(Producer, yield(Item), Rest),
        (   Rest == 0
        ->  Item = none,
            call(More)
        ;   transduce(Rest, More)
        )
    ).

sum(S0, S) :-
    shift(receive(X)),
    (   X == none
    ->  S = S0
    ;   S1 is S0+X,
        sum(S1, S)
    ).

% Alternatives of a goal before and behind the place it is left at.
choose(X-Y) :- member(X, [1,2]), shift(between), member(Y, [a,b]).

% Conditions, negations and cuts around the place.
condition(R) :- ( shift(now) -> R = then ; R = else ).
condition(again).
soft(R) :- ( shift(now), member(X, [1,2]) *-> R = X ; R = else ).
cut(R) :- shift(now), !, R = first.
cut(second).
twice(R) :- reset(cut(R), now, C), C \== 0, member(_, [1,2]), call(C).
many(N, a(A, B, C, D, E, F, G, H, I, J, K, L, M, O, P, Q, R, N)) :-
    A = 1, B = 2, C = 3, D = 4, E = 5, F = 6, G = 7, H = 8, I = 9, J = 10,
    K = 11, L = 12, M = 13, O = 14, P = 15, Q = 16, R = 17, shift(many), true.

%? run_state(add_all([1,2,3]), 10, S).
%= S = 16
%? yielded(from_to(1, 5), L).
%= L = [1,2,3,4,5]
%? yielded(tree(t(t(nil, 1, nil), 2, t(nil, 3, nil))), L).
%= L = [1,2,3]
%? transduce(from_to(1, 10), sum(0, S)).
%= S = 55
%? findall(P, (reset(choose(P), between, _C), call(_C)), L).
%= P = _, L = [1-a,1-b,2-a,2-b]
%? reset(true, _, C).
%= C = 0
%? reset(fail, _, _).
%= false
%? reset(shift(a), a, C), call(C).
%= C = call_continuation([])
%? reset(true, _, 1).
%! error(uninstantiation_error(1))
% The innermost reset/3 whose ball unifies is the one that is left.
%? reset(reset((shift(outer), X = 1), inner, _), outer, _C), var(X), call(_C).
%= X = 1
%? reset(reset((shift(outer), shift(inner), X = 1), inner, _D), outer, _C), call(_C), var(X), call(_D).
%= X = 1
% ISO SWI-Prolog says existence_error(reset, Ball); its manual says what is here.
%? shift(a).
%! error(existence_error(reset/3,a))
%? catch(reset(shift(a), b, _), error(existence_error(K, B), _), true), B == a.
%= K = reset/3, B = a
%? reset(condition(R), now, _C), call(_C).
%= R = then
%! error(type_error(callable,0))
%? findall(R, (reset(soft(R), now, _C), _C \== 0, call(_C)), L).
%= R = _, L = [1,2]
%? findall(R, (reset(cut(R), now, _C), ( _C == 0 -> true ; call(_C) )), L).
%= R = _, L = [first,second]
%? findall(R, twice(R), L).
%= R = _, L = [first,first]
%? reset(call((shift(a), X = 1 ; X = 2)), a, _C), call(_C).
%= X = 1
%! error(type_error(callable,0))
%? reset(many(z, A), many, _C), call(_C).
%= A = a(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,z)
% A handler is in force again in the continuation.
%? reset(catch((shift(a), throw(b)), E, true), a, _C), call(_C).
%= E = b
%? reset(catch(shift(a), _, true), a, _C), catch((call(_C), throw(b)), E, true).
%= E = b
% A copy of a continuation has variables of its own.
%? reset((shift_for_copy(a), X = f(_)), a, _C), copy_term(_C, _D), call(_D), var(X).
%= X = _
%? call_continuation([]).
%= true
% ISO
%? call_continuation(a).
%! error(type_error(list,a))
%? call_continuation([a]).
%! error(type_error(continuation,a))
%? call_continuation(['$cont$'(1, 0)]).
%! error(type_error(continuation,'$cont$'(1,0)))
