% knights_and_knaves.pl: on an island each is a knight, who always tells the truth, or a knave, who always lies
% (R. Smullyan, What is the name of this book?, 1978). 1 is a knight, 0 a knave; what somebody says is true
% exactly if he is a knight.
%
%     zug solve knights_and_knaves.pl --all      who is what on each of the islands

:- use_module(library(clpfd)).

% A: "Both of us are knaves."
model(both, [a=A, b=B]) :-
    [A,B] ins 0..1,
    A #<==> (#\ A #/\ #\ B).

% A: "I am a knave, or B is a knight."
model(either, [a=A, b=B]) :-
    [A,B] ins 0..1,
    A #<==> (#\ A #\/ B).

% A: "All of us are knaves." B: "Exactly one of us is a knight."
model(three, [a=A, b=B, c=C]) :-
    [A,B,C] ins 0..1,
    A #<==> (A + B + C #= 0),
    B #<==> (A + B + C #= 1).

% A: "I am a knave." Nobody can say that.
model(liar, [a=A]) :-
    A in 0..1,
    A #<==> #\ A.

print_state(Vars) :-
    forall(member(Name=Kind, Vars), ( who(Kind, Who), format("~w is a ~w~n", [Name,Who]) )).

who(1, knight).
who(0, knave).
