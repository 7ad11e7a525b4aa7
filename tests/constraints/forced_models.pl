% Models with a solution, some of whose values are forced. `why(model(Name, Vars))` tells of each such value which
% constraints force it.
:- use_module(library(clpfd)).

model(bounds, [x=X, y=Y]) :-
    X in 1..9,
    Y in 1..3,
    X #>= 3 * Y,
    Y #>= 3,
    X #\= 8,
    label([X,Y]).

model(send_more, [s=S, e=E, n=N, d=D, m=M, o=O, r=R, y=Y]) :-
    [S,E,N,D,M,O,R,Y] ins 0..9,
    all_different([S,E,N,D,M,O,R,Y]),
    1000*S + 100*E + 10*N + D + 1000*M + 100*O + 10*R + E #= 10000*M + 1000*O + 100*N + 10*E + Y,
    M #\= 0,
    S #\= 0,
    label([S,E,N,D,M,O,R,Y]).

model(left_over, [a=A, b=B, c=C]) :-
    [A,B,C] ins 1..3,
    all_distinct([A,B,C]),
    A #\= 1,
    B #\= 1,
    label([A,B,C]).

model(sum, [x=X, y=Y]) :-
    X in 0..4,
    Y in 0..5,
    X + Y #= 9,
    label([X,Y]).

model(difference, [x=X, y=Y]) :-
    X in 1..5,
    Y in 1..5,
    X - Y #= 4,
    label([X,Y]).

model(product, [w=W, h=H]) :-
    [W,H] ins 2..20,
    W * H #= 35,
    W #< H,
    label([W,H]).

model(square, [x=X]) :-
    X in 1..100,
    X * X #= 144,
    label([X]).

model(equal, [x=X, y=Y, z=Z]) :-
    X in 0..9,
    X #= Y,
    Y #= 7,
    Z in 1..2,
    label([X,Y,Z]).

model(knights, [a=A, b=B]) :-
    [A,B] ins 0..1,
    A #<==> (A #= 0 #\/ B #= 1),
    label([A,B]).

model(implied, [rain=R, wet=W]) :-
    [R,W] ins 0..1,
    R #==> W,
    R #= 1,
    label([R,W]).

model(element, [i=I, v=V]) :-
    I in 1..4,
    element(I, [5,2,7,2], V),
    V #> 5,
    label([I,V]).

model(row, [x=X, y=Y]) :-
    tuples_in([[X,Y]], [[1,4],[2,3],[3,5]]),
    Y #< 4,
    label([X,Y]).

model(circuit, [s=[A,B,C]]) :-
    circuit([A,B,C]),
    A #= 3,
    label([A,B,C]).

model(largest, [x=X, y=Y, m=M]) :-
    X in 1..4,
    Y in 6..6,
    M #= max(X, Y),
    label([X,Y,M]).

model(queens, [a=A, b=B, c=C, d=D]) :-
    [A,B,C,D] ins 1..4,
    A #< D,
    all_different([A,B,C,D]),
    abs(A - B) #\= 1,
    abs(B - C) #\= 1,
    abs(C - D) #\= 1,
    abs(A - C) #\= 2,
    abs(B - D) #\= 2,
    abs(A - D) #\= 3,
    label([A,B,C,D]).

model(by_cases, [x=X, y=Y, z=Z]) :-
    [X,Y,Z] ins 1..3,
    X #\= Y,
    X #< 3,
    Y #< 3,
    X #\= Z,
    Y #\= Z,
    label([X,Y,Z]).

model(timetable, [maths=M, art=A, sport=S]) :-
    [M,A,S] ins 1..3,
    all_different([M,A,S]),
    M #< A,
    A #< S,
    label([M,A,S]).

model(sum_of_list, [c=Cs]) :-
    Cs = [_,_,_],
    maplist(coin, Cs),
    sum(Cs, #=, 6),
    label(Cs).

coin(C) :-
    C in 0..2.

model(counts, [v=[A,B,C], n=N]) :-
    [A,B,C] ins 1..2,
    global_cardinality([A,B,C], [1-N,2-_]),
    A #\= 2,
    B #\= 2,
    C #\= 2,
    label([A,B,C,N]).

model(serial, [a=A, b=B]) :-
    A in 0..1,
    B in 0..3,
    serialized([A,B], [3,2]),
    label([A,B]).

model(huge, [x=X, y=Y]) :-
    X in 1..10,
    Y #= X * 1000000000000000000000000,
    Y #>= 10000000000000000000000000,
    label([X]).

model(small_sudoku, [r=[[A,B],[C,D]]]) :-
    [A,B,C,D] ins 1..2,
    A #\= B,
    C #\= D,
    A #\= C,
    B #\= D,
    A #= 2,
    label([A,B,C,D]).
