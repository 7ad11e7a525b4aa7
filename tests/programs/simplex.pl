% library(simplex): linear programs.

:- use_module(library(simplex)).

small(S) :-
    gen_state(S0),
    constraint([x,y] >= 10, S0, S1),
    constraint([x] =< 8, S1, S2),
    minimize([3*x,2*y], S2, S).

% A radiation therapy of two beams, and knapsacks, as in the manual of SWI-Prolog.
knapsack(Integral, S) :-
    gen_state(S0),
    constraint([6*x, 4*y] =< 8, S0, S1),
    constraint([x] =< 1, S1, S2),
    constraint([y] =< 2, S2, S3),
    foldl([V,A,B]>>constraint(integral(V), A, B), Integral, S3, S4),
    maximize([7*x, 4*y], S4, S).

priced(Goal, P1, P2, O) :-
    gen_state(S0),
    constraint(c1, [x,y] >= 2, S0, S1),
    constraint(c2, [x,3*y] =< 15, S1, S2),
    call(Goal, S2, S),
    objective(S, O),
    shadow_price(S, c1, P1),
    shadow_price(S, c2, P2).

coins(S) :-
    gen_state(S0),
    constraint([1*c(1),5*c(5),20*c(20)] = 111, S0, S1),
    constraint([c(1)] =< 3, S1, S2),
    constraint([c(5)] =< 20, S2, S3),
    constraint([c(20)] =< 10, S3, S4),
    foldl([V,A,B]>>constraint(integral(V), A, B), [c(1),c(5),c(20)], S4, S5),
    minimize([c(1),c(5),c(20)], S5, S).

%? small(_S), variable_value(_S, x, X), variable_value(_S, y, Y), objective(_S, O).
%= X = 0, Y = 10, O = 20
%? knapsack([], _S), variable_value(_S, x, X), variable_value(_S, y, Y), objective(_S, O).
%= X = 1, Y = 1r2, O = 9
%? knapsack([x,y], _S), variable_value(_S, x, X), variable_value(_S, y, Y), objective(_S, O).
%= X = 0, Y = 2, O = 8
%? priced(maximize([x,y]), P1, P2, O), priced(minimize([x,2*y]), Q1, Q2, U).
%= P1 = 0, P2 = 1, O = 15, Q1 = 1, Q2 = 0, U = 2
%? coins(_S), findall(V, (member(C, [1,5,20]), variable_value(_S, c(C), V)), Vs).
%= V = _, C = _, Vs = [1,2,5]
%? transportation([12,7,14], [3,15,9,6], [[20,50,10,60],[70,40,60,30],[40,80,70,40]], Ts).
%= Ts = [[0,3,9,0],[0,7,0,0],[3,5,0,6]]
%? assignment([[6,3,4],[5,8,2],[9,1,7]], A).
%= A = [[1,0,0],[0,0,1],[0,1,0]]
%? gen_state(_S0), constraint([x] =< 2.5, _S0, _S1), maximize([x], _S1, _S), objective(_S, O), variable_value(_S, z, Z).
%= O = 5r2, Z = 0
%? gen_state(_S0), constraint([x] >= 2, _S0, _S1), maximize([x], _S1, _).
%= false
%? gen_state(_S0), constraint([x] >= 2, _S0, _S1), constraint([x] =< 1, _S1, _S2), maximize([x], _S2, _).
%= false
%? gen_state(_S0), constraint([2*x] = 1, _S0, _S1), constraint(integral(x), _S1, _S2), maximize([x], _S2, _).
%= false
%? gen_state(_S0), constraint([3*x] =< 2, _S0, _S1), maximize([x], _S1, _S), objective(_S, O).
%= O = 2r3
%? gen_state(_S0), constraint(a, [x] =< 2, _S0, _S1), constraint_add(a, [y], _S1, _S2), maximize([x,2*y], _S2, _S), objective(_S, O).
%= O = 4
