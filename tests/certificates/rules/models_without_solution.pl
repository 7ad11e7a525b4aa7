:- use_module(library(clpfd)).

model(product, [x=X, y=Y]) :- [X,Y] ins 2..30, X * Y #= 221, X mod 3 #= 0.
model(truths, [a=A, b=B, c=C]) :- [A,B,C] ins 0..1, A #<==> (B #> C), B #<==> #\ C, A #\= B.
model(element, [i=I, v=V]) :- I in 1..4, element(I, [3,5,7,9], V), V mod 2 #= 0.
model(circuit, [c=[A,B,C,D]]) :- circuit([A,B,C,D]), A #= 2, B #= 1.
model(lex, [l=[A,B,C,D]]) :- [A,B,C,D] ins 0..2, lex_chain([[A,B],[C,D]]), A #> C.
model(table, [t=[A,B,C]]) :- tuples_in([[A,B],[B,C]], [[1,2],[2,3],[3,1]]), A #= C.
model(machine, [w=Ws]) :-
    length(Ws, 6), Ws ins 0..1,
    automaton(Ws, [source(a),sink(b)], [arc(a,0,a),arc(a,1,b),arc(b,0,b)]),
    sum(Ws, #>, 1).
model(counts, [x=[A,B,C]]) :- global_cardinality([A,B,C], [1-N,2-M,3-K]), N #= M, K #= 0.
model(powers, [x=X, y=Y]) :-
    [X,Y] ins -5..5, X^3 + Y^3 #= 3, max(X, Y) - min(X,Y) #> 0, abs(X) #< 6.
model(squares, [x=X, y=Y]) :- [X,Y] ins 0..20, X * X + Y * Y #= 77.
model(boxes, [x=[A,B,C]]) :- [A,B,C] ins 0..3, disjoint2([r(A,2,0,2),r(B,2,1,2),r(C,2,0,3)]).
model(serial, [x=[A,B,C]]) :- [A,B,C] ins 0..5, serialized([A,B,C], [3,3,3]).
model(either, [x=X]) :- X in 1..5, (X #< 2 #\/ X #> 4), X #\= 1, X #\= 5.
model(divided, [x=X, y=Y]) :-
    X in -20..20, Y in -3..3, X // Y #= 7, X rem Y #= 2, X mod Y #\= 2, Y #> 2, X #< 23.
