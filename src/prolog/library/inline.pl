% inline.pl: goals that the compiler turns into instructions, as predicates, so
% that call/N and maplist/2.. can reach them. Each body is compiled in place.

true.
otherwise.
fail :- fail.
false :- fail.
X = X.
X \== Y :- X \== Y.
X == Y :- X == Y.
X @< Y :- X @< Y.
X @> Y :- X @> Y.
X @=< Y :- X @=< Y.
X @>= Y :- X @>= Y.
X is Y :- X is Y.
X =:= Y :- X =:= Y.
X =\= Y :- X =\= Y.
X < Y :- X < Y.
X > Y :- X > Y.
X =< Y :- X =< Y.
X >= Y :- X >= Y.
var(X) :- var(X).
nonvar(X) :- nonvar(X).
atom(X) :- atom(X).
integer(X) :- integer(X).
float(X) :- float(X).
number(X) :- number(X).
atomic(X) :- atomic(X).
compound(X) :- compound(X).
callable(X) :- callable(X).
\+ Goal :- \+ call(Goal).
forall(Condition, Action) :- \+ ( call(Condition), \+ call(Action) ).

%! findall(?Template, :Goal, -List)
%  The instances of Template for the answers of Goal, in order.
%  ?- findall(X, member(X, [a,b]), L).
%  L = [a,b].
findall(Template, Goal, List) :-
    '$must_be_partial_list'(List),
    findall(Template, call(Goal), List).

%! findall(?Template, :Goal, -List, ?Tail)
%  As findall/3; the list ends in Tail.
%  ?- findall(X, member(X, [a,b]), L, T).
%  L = [a,b|T].
findall(Template, Goal, List, Tail) :-
    '$must_be_partial_list'(List),
    findall(Template, call(Goal), Items),
    append(Items, Tail, List).

% Control constructs met by call/1: C is the height that a cut goes back to.
'$conjunction'(A, B, C) :- '$call_body'(A, C), '$call_body'(B, C).
'$disjunction'(A, _, C) :- '$call_body'(A, C).
'$disjunction'(_, B, C) :- '$call_body'(B, C).
'$if_then'(If, Then, C) :- call(If), !, '$call_body'(Then, C).
'$if_then_else'(If, Then, _, C) :- call(If), !, '$call_body'(Then, C).
'$if_then_else'(_, _, Else, C) :- '$call_body'(Else, C).
'$soft_if'(If, Then, Else, C) :-
    (   call(If)
    *-> '$call_body'(Then, C)
    ;   '$call_body'(Else, C)
    ).
