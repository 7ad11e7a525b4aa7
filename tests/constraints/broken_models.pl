% Models without a solution, each broken on purpose. `why_not(model(Name, Vars))` tells of each a smallest set of
% constraints that can't hold together.
:- use_module(library(clpfd)).

% Domains and comparisons.

model(domains, [x=X, y=Y]) :-
    X in 1..5,
    Y in 1..5,
    X in 7..9,
    X #< Y.

model(holes, [x=X, y=Y]) :-
    X in 1..3 \/ 7..9,
    Y in 4..6,
    X #> 3,
    X #< 7,
    X #\= Y.

model(cycle, [a=A, b=B, c=C, d=D]) :-
    [A,B,C,D] ins 0..20,
    A #< B,
    B #< C,
    C #< A,
    D #> A.

model(open_cycle, [a=A, b=B]) :-
    A #> B,
    B #> A,
    A #< 1000.

model(steps_apart, [first=F, second=S, third=T]) :-
    [F,S,T] ins 1..10,
    S #>= F + 4,
    T #>= S + 4,
    T #=< F + 7,
    F #\= 3.

model(one_line, [x=X, y=Y, z=Z]) :-
    [X,Y,Z] ins 0..4, X #> Y, Y #> Z, Z #> 2,
    X #\= Z.

model(several_sets, [x=X, y=Y]) :-
    X in 0..9,
    Y in 0..9,
    X #> 5,
    X #< 4,
    Y #> 6,
    Y #< 3.

model(ages, [ann=Ann, bob=Bob, eve=Eve]) :-
    [Ann,Bob,Eve] ins 1..60,
    Ann #= 2 * Bob,
    Bob #= Eve + 20,
    Eve #> 10,
    Ann #=< 60.

model(huge, [x=X, y=Y]) :-
    X #>= 100000000000000000000000000000,
    Y #>= X + 1,
    Y #=< 100000000000000000000000000000,
    X #\= Y.

% Pigeonholes.

model(pigeons_different, [p=Ps]) :-
    Ps = [_,_,_,_],
    Ps ins 1..3,
    all_different(Ps).

model(pigeons_distinct, [a=A, b=B, c=C, d=D]) :-
    A in 1..2,
    B in 1..2,
    C in 1..3,
    D in 1..3,
    all_distinct([A,B,C,D]).

model(three_of_two, [x=X, y=Y, z=Z]) :-
    X in 1..2,
    Y in 1..2,
    Z in 1..2,
    X #\= Y,
    Y #\= Z,
    X #\= Z.

% Sums, products, parity.

model(sum_too_large, [coins=Cs]) :-
    Cs = [A,B,C],
    A in 0..4,
    B in 0..3,
    C in 0..2,
    sum(Cs, #=, 10),
    A #>= B.

model(sum_too_small, [x=X, y=Y, z=Z]) :-
    [X,Y,Z] ins 3..9,
    X + Y + Z #=< 8,
    X #\= Y.

model(parity, [x=X, y=Y]) :-
    X in 0..10,
    Y in 0..10,
    2 * X + 4 * Y #= 13,
    X #< Y.

model(parity_of_two, [x=X, y=Y, z=Z]) :-
    [X,Y,Z] ins 0..8,
    X + Y #= 2 * Z,
    X - Y #= 3,
    Z #> 0.

model(product, [width=W, height=H]) :-
    W in 2..6,
    H in 2..6,
    W * H #= 23,
    W #=< H.

model(square, [x=X]) :-
    X in 0..20,
    X * X #= 50.

model(pythagoras, [a=A, b=B, c=C]) :-
    [A,B,C] ins 1..4,
    A * A + B * B #= C * C,
    A #< B.

model(cube, [x=X, y=Y]) :-
    X in 1..9,
    Y in 1..9,
    X ^ 3 #= Y + 30.

model(division, [x=X, y=Y]) :-
    X in 10..19,
    Y in 3..4,
    X // Y #= 7,
    X mod 2 #= 0.

model(remainders, [n=N]) :-
    N in 1..40,
    N mod 4 #= 1,
    N mod 6 #= 2.

model(extremes, [x=X, y=Y, m=M]) :-
    X in 1..4,
    Y in 1..4,
    M #= max(X, Y),
    M #> 4.

model(minimum, [x=X, y=Y]) :-
    [X,Y] ins 5..9,
    min(X, Y) #< 5,
    X #\= Y.

model(distance, [x=X, y=Y]) :-
    X in 1..3,
    Y in 1..3,
    abs(X - Y) #>= 3,
    X #> Y.

model(scalar, [pens=P, books=B]) :-
    P in 0..10,
    B in 0..10,
    scalar_product([6,9], [P,B], #=, 40),
    P #> B.

model(change, [fives=F, twos=T]) :-
    [F,T] ins 0..3,
    5 * F + 2 * T #= 18,
    F #=< 2.

% Formulas.

model(knights, [a=A, b=B]) :-
    [A,B] ins 0..1,
    A #<==> (B #= 0),
    B #<==> (A #= 1).

model(three_knights, [a=A, b=B, c=C]) :-
    [A,B,C] ins 0..1,
    A #<==> (B #= 0 #/\ C #= 0),
    B #<==> (A #= 1 #\/ C #= 1),
    C #<==> (A + B + C #= 1),
    A #= B.

model(implication, [rain=R, wet=W, dry=D]) :-
    [R,W,D] ins 0..1,
    R #= 1,
    R #==> W,
    W #==> #\ D,
    D #= 1.

model(either, [x=X, y=Y]) :-
    X in 0..9,
    Y in 0..9,
    X #= 2 #\/ X #= 5,
    X #> 5,
    Y #> X.

model(counted, [x=X, y=Y, n=N]) :-
    [X,Y] ins 1..3,
    BX #<==> (X #= 2),
    BY #<==> (Y #= 2),
    N #= BX + BY,
    N #= 2,
    X #\= Y.

model(exactly_one, [p=P, q=Q]) :-
    [P,Q] ins 0..1,
    P #\ Q,
    P #<==> Q.

% Global constraints.

model(element, [i=I, v=V]) :-
    I in 1..5,
    element(I, [3,1,4,1,5], V),
    V #> 5,
    I #\= 2.

model(element_index, [i=I, v=V]) :-
    element(I, [3,1,4], V),
    I #> 3,
    V #> 0.

model(rows, [x=X, y=Y]) :-
    [X,Y] ins 0..9,
    tuples_in([[X,Y]], [[1,2],[2,3],[3,5]]),
    X #> 1,
    Y #< 3.

model(loops, [s=Ss]) :-
    Ss = [A,B,C,D],
    circuit(Ss),
    A #= 2,
    B #= 1,
    C #\= D.

model(cardinality, [v=Vs]) :-
    Vs = [A,B,C],
    global_cardinality(Vs, [1-N,2-M]),
    N #>= 2,
    M #>= 2,
    A #=< C,
    B #>= 1.

model(cardinality_alone, [v=Vs]) :-
    Vs = [_,_,_],
    global_cardinality(Vs, [1-2,2-2]).

model(capacity, [a=A, b=B, c=C]) :-
    [A,B,C] ins 0..2,
    cumulative([task(A,2,_,1,_), task(B,2,_,1,_), task(C,2,_,1,_)], [limit(1)]),
    A #< B.

model(rectangles, [x=X, y=Y]) :-
    X in 0..1,
    Y in 0..1,
    disjoint2([r(X,2,0,2), r(Y,2,1,2)]),
    X #=< Y.

model(serial, [a=A, b=B, c=C]) :-
    [A,B,C] ins 0..5,
    serialized([A,B,C], [3,3,3]),
    A #\= 4.

model(automaton, [d=Ds]) :-
    Ds = [A,_,C],
    automaton(Ds, [source(0), sink(0)], [arc(0,0,0), arc(0,1,1), arc(1,0,0)]),
    A #= 0,
    C #= 1.

model(lexicographic, [rows=[[A,B],[C,D]]]) :-
    [A,B,C,D] ins 0..3,
    lex_chain([[A,B], [C,D]]),
    A #> C,
    B #= D.

model(descending, [h=Hs]) :-
    Hs = [_,_,_,_,_],
    Hs ins 1..4,
    chain(Hs, #>).

model(different_sums, [v=[X,Y,Z]]) :-
    [X,Y,Z] ins 1..3,
    all_different([X,Y,Z]),
    X + Y #= 2 * Z,
    X #> 2,
    Z #\= 2.

% Constraints of helper predicates.

model(ascending, [v=Vs]) :-
    Vs = [_,_,_,_],
    Vs ins 1..5,
    ascending(Vs),
    gaps(Vs).

ascending([_]).
ascending([X,Y|Rest]) :-
    X #< Y,
    ascending([Y|Rest]).

gaps([_]).
gaps([X,Y|Rest]) :-
    Y - X #>= 2,
    gaps([Y|Rest]).

model(queens, [q=Qs]) :-
    Qs = [_,_,_],
    Qs ins 1..3,
    safe(Qs).

safe([]).
safe([Q|Qs]) :-
    attacks(Q, Qs, 1),
    safe(Qs).

attacks(_, [], _).
attacks(Q, [R|Rs], D) :-
    Q #\= R,
    abs(Q - R) #\= D,
    D1 #= D + 1,
    attacks(Q, Rs, D1).

model(weights, [box=Boxes]) :-
    Boxes = [_,_,_],
    maplist(weight, Boxes),
    sum(Boxes, #=, 30),
    Boxes = [First|_],
    First #= 2.

weight(Box) :-
    Box in 1..9.

model(lookup, [ann=A, bob=B]) :-
    [A,B] ins 1..3,
    prefers(ann, A),
    prefers(bob, B),
    A #\= B.

prefers(ann, Day) :- Day #= 2.
prefers(bob, Day) :- Day #> 1, Day #< 3.

% Puzzles.

model(send_more, [s=S, e=E, n=N, d=D, m=M, o=O, r=R, y=Y]) :-
    [S,E,N,D,M,O,R,Y] ins 0..9,
    all_different([S,E,N,D,M,O,R,Y]),
    1000*S + 100*E + 10*N + D + 1000*M + 100*O + 10*R + E #= 10000*M + 1000*O + 100*N + 10*E + Y,
    M #\= 0,
    S #\= 0,
    Y #> 2.

model(send_momey, [s=S, e=E, n=N, d=D, m=M, o=O, r=R, y=Y]) :-
    [S,E,N,D,M,O,R,Y] ins 0..9,
    all_different([S,E,N,D,M,O,R,Y]),
    1000*S + 100*E + 10*N + D + 1000*M + 100*O + 10*R + E #= 10000*M + 1000*O + 100*M + 10*E + Y,
    M #\= 0,
    S #\= 0.

model(two_and_two, [t=T, w=W, o=O, f=F, u=U, r=R]) :-
    Vs = [T,W,O,F,U,R],
    Vs ins 0..9,
    all_different(Vs),
    2 * (100*T + 10*W + O) #= 1000*F + 100*O + 10*U + R,
    F #\= 0,
    T #< 5.

model(magic, [m=Square]) :-
    Square = [[A,B,C],[D,E,F],[G,H,I]],
    Vs = [A,B,C,D,E,F,G,H,I],
    Vs ins 1..9,
    all_different(Vs),
    A + B + C #= 16,
    D + E + F #= 16,
    G + H + I #= 16.

model(magic_centre, [m=[[A,B,C],[D,E,F],[G,H,I]]]) :-
    Vs = [A,B,C,D,E,F,G,H,I],
    Vs ins 1..9,
    all_different(Vs),
    A + B + C #= 15,
    D + E + F #= 15,
    G + H + I #= 15,
    A + E + I #= 15,
    C + E + G #= 15,
    B + E + H #= 15,
    E #= 4.

model(golomb, [marks=[A,B,C,D]]) :-
    A #= 0,
    D in 0..5,
    A #< B,
    B #< C,
    C #< D,
    AB #= B - A,
    AC #= C - A,
    BC #= C - B,
    BD #= D - B,
    CD #= D - C,
    all_different([AB,AC,BC,BD,CD,D]).

model(colours, [wa=WA, nt=NT, sa=SA, q=Q, nsw=NSW, v=V]) :-
    [WA,NT,SA,Q,NSW,V] ins 1..2,
    WA #\= NT,
    WA #\= SA,
    NT #\= SA,
    NT #\= Q,
    SA #\= Q,
    SA #\= NSW,
    SA #\= V,
    Q #\= NSW,
    NSW #\= V.

model(wheel, [hub=H, rim=[A,B,C,D,E]]) :-
    [H,A,B,C,D,E] ins 1..3,
    maplist(#\=(H), [A,B,C,D,E]),
    A #\= B,
    B #\= C,
    C #\= D,
    D #\= E,
    E #\= A.

model(timetable, [maths=Maths, art=Art, music=Music, sport=Sport]) :-
    [Maths,Art,Music,Sport] ins 1..4,
    all_different([Maths,Art,Music,Sport]),
    Maths #< Art,
    Music #> Sport,
    Sport #= 4.

model(lessons, [week=week(Mon, Tue, Wed)]) :-
    Mon = day(M1, M2),
    Tue = day(T1, T2),
    Wed = day(W1, W2),
    [M1,M2,T1,T2,W1,W2] ins 1..3,
    M1 #\= M2,
    T1 #\= T2,
    W1 #\= W2,
    all_different([M1,T1,W1]),
    M1 + T1 #= 2,
    W2 #= 3.

model(seating, [ann=Ann, bob=Bob, cid=Cid, dan=Dan]) :-
    Guests = [Ann,Bob,Cid,Dan],
    Guests ins 1..4,
    all_different(Guests),
    abs(Ann - Bob) #= 1,
    abs(Ann - Cid) #= 1,
    abs(Ann - Dan) #= 1.

model(houses, [red=Red, blue=Blue, green=Green, cat=Cat, dog=Dog]) :-
    [Red,Blue,Green,Cat,Dog] ins 1..3,
    all_different([Red,Blue,Green]),
    Cat #= Red,
    Dog #= Blue,
    Cat #= Dog.

model(knapsack, [rope=R, lamp=L, food=F]) :-
    [R,L,F] ins 0..3,
    4*R + 5*L + 2*F #=< 9,
    6*R + 7*L + 3*F #>= 15,
    F #=< 2.

model(shifts, [s=s(E,L,N)]) :-
    [E,L,N] ins 0..5,
    E + L + N #= 12,
    E #=< 3,
    L #=< E,
    N #=< 5.

model(small_sudoku, [r=Rows]) :-
    Rows = [[A,B,C,D],[E,F,G,H],[I,J,K,L],[M,N,O,P]],
    maplist(four, Rows),
    transpose(Rows, Columns),
    maplist(all_different, Columns),
    maplist(all_different, [[A,B,E,F],[C,D,G,H],[I,J,M,N],[K,L,O,P]]),
    A #= 1,
    B #= 2,
    G #= 3,
    H #= 4,
    P #= 3,
    C #= 4.

four(Row) :-
    Row ins 1..4,
    all_different(Row).

model(sudoku, [r=Rows]) :-
    Rows = [A,B,C,D,E,F,G,H,I],
    maplist(nine, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Columns),
    blocks(A, B, C),
    blocks(D, E, F),
    blocks(G, H, I),
    given(A, [_,_,_,_,_,_,_,1,2]),
    given(B, [_,_,_,_,3,5,_,_,_]),
    given(C, [_,_,_,6,_,_,_,7,_]),
    given(D, [7,_,_,_,_,_,3,_,_]),
    given(E, [_,_,_,4,_,_,8,_,_]),
    given(F, [1,_,_,_,_,_,_,_,_]),
    given(G, [_,_,_,1,2,_,_,_,_]),
    given(H, [_,8,_,_,_,_,_,4,3]),
    given(I, [_,5,_,_,_,_,6,_,7]).

nine(Row) :-
    length(Row, 9),
    Row ins 1..9,
    all_distinct(Row).

blocks([], [], []).
blocks([A,B,C|Bs1], [D,E,F|Bs2], [G,H,I|Bs3]) :-
    all_distinct([A,B,C,D,E,F,G,H,I]),
    blocks(Bs1, Bs2, Bs3).

given([], []).
given([V|Vs], [G|Gs]) :-
    (   var(G)
    ->  true
    ;   V #= G
    ),
    given(Vs, Gs).
