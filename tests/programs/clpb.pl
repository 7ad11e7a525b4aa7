% library(clpb): Boolean constraints.

:- use_module(library(clpb)).

% Smullyan: knights tell the truth, knaves lie.
first([A,B]) :- sat(A =:= ~A + B).
second([A,B]) :- sat(A =:= ~A * ~B).
third([A,B,C]) :- sat(A =:= (B =:= (~A))), sat(B =:= ~C), sat(C =:= 1#A#B).

% N pigeons in M holes.
pigeons(N, M, Rows) :-
    length(Rows, N),
    length(Row, M),
    maplist(same_length(Row), Rows),
    maplist(in_a_hole, Rows),
    columns(Rows, Columns),
    maplist(no_two, Columns).
in_a_hole(Row) :- sat(card([1], Row)).
no_two(Column) :- sat(card([0,1], Column)).
columns([[]|_], []) :- !.
columns(Rows, [Column|Columns]) :- maplist([[X|Xs],X,Xs]>>true, Rows, Column, Rest), columns(Rest, Columns).

residue(Goal, Goal, Gs) :- call(Goal), term_variables(Goal, Vs), copy_term(Vs, Vs, Gs).

%? first([A,B]).
%= A = 1, B = 1
%? second([A,B]).
%= A = 0, B = 1
%? pigeons(5, 4, _).
%= false
%? pigeons(4, 4, Rows), append(Rows, _Vs), findall(_Vs, labeling(_Vs), _Ls), length(_Ls, N).
%= Rows = [[_,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]], N = 24
%? pigeons(4, 4, Rows), append(Rows, _Vs), sat_count(+[1|_Vs], N).
%= Rows = [[_,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]], N = 24
%? sat(X*Y).
%= X = 1, Y = 1
%? sat(X* ~X).
%= false
%? sat(X*Y + X*Z), labeling([X,Y,Z]).
%= X = 1, Y = 0, Z = 1
%= X = 1, Y = 1, Z = 0
%= X = 1, Y = 1, Z = 1
%? taut(X + ~X, T), \+ taut(X + Y, _), taut(Y * ~Y, U).
%= X = _, T = 1, Y = _, U = 0
%? sat(X =:= Y), X == Y.
%= X = _, Y = _
%? sat(X # Y), X = 1.
%= X = 1, Y = 0
%? sat(X # Y), X = Y.
%= false
%? sat(X + Y), sat(Z =:= X * Y), Z = 0, X = 1.
%= X = 1, Y = 0, Z = 0
%? sat(X + Y), X = f(_).
%! error(domain_error(clpb_expr,f(_)))
%? sat(X + 2).
%! error(domain_error(clpb_expr,_+2))
%? sat(+[X|_]).
%! error(instantiation_error)
%? sat(X =:= a), X == a.
%= X = a
%? sat(X + a), X = 1.
%= X = 1
%? sat(X =:= a), X = 1.
%= false
%? sat(A =< B), sat(B =< C), taut(A =< C, T), copy_term([A,B,C], _Vs, Gs), _Vs = [x,y,z].
%= A = _, B = _, C = _, T = 1, Gs = [clpb:sat(x=:=x*y),clpb:sat(y=:=y*z)]
%? sat(1#X#a#b), copy_term(X, y, Gs).
%= X = _, Gs = [clpb:sat(y=:=a#b)]
%? sat(card([2],[X,Y,Z])), copy_term([X,Y,Z], [x,y,z], Gs), sat_count(+[1,X,Y,Z], N).
%= X = _, Y = _, Z = _, Gs = [clpb:sat(x*y#x*y*z#x*z#y*z)], N = 3
%? length(_Vs, 120), sat_count(+_Vs, Or), sat_count(*(_Vs), And).
%= Or = 1329227995784915872903807060280344575, And = 1
%? sat(A # B), weighted_maximum([1,2,1], [A,B,C], M).
%= A = 0, B = 1, C = 1, M = 3
%? sat(A + B), weighted_maximum([-1,-1], [A,B], M).
%= A = 0, B = 1, M = -1
%= A = 1, B = 0, M = -1
%? sat(X*Y), random_labeling(1, [X,Y]), length(_Vs, 30), sat(+_Vs), random_labeling(7, _Vs), maplist(integer, _Vs).
%= X = 1, Y = 1
%? sat(X), ( sat(Y # X) ; Y = 1 ).
%= X = 1, Y = 0
%= X = 1, Y = 1
%? labeling([_,2]).
%! error(domain_error(clpb_variable,2))
%? set_prolog_flag(clpb_monotonic, true), catch(sat(X =:= 1), error(E, _), true), sat(v(Y) =:= 1#1), set_prolog_flag(clpb_monotonic, false).
%= X = _, E = instantiation_error, Y = 0
