% Known values of games that ship.

%# Nim is lost at one more than fours.
:- consult('rules/nim.pl').
%? forall(between(1, 10000, _N), ( losing(a, _N) -> _N mod 4 =:= 1 ; _N mod 4 =\= 1 )).
%= true
%? findall(_P, (between(0, 6, _N), count_plays(_N, _P)), Ps).
%= Ps = [1,1,2,4,7,13,24]
% p(n+3) = p(n+2) + p(n+1) + p(n), with 265 digits at the end.
%? count_plays(1000, _P), count_plays(999, _P1), count_plays(998, _P2), count_plays(997, _P3), _P =:= _P1 + _P2 + _P3, number_codes(_P, _Digits), length(_Digits, N).
%= N = 265
%? count_states(100, N).
%= N = 200
%? solve_game(a, S, V), best_move(a, S, M), game_length(a, S, L).
%= S = 16, V = 1, M = take(3), L = 8
%? reach(a, 5, 1, L), reach(a, 5, 1, Short, shortest).
%= L = [take(1),take(1),take(1),take(2)], Short = [take(2),take(3)]
%? losing(a, 5), reach(a, 2, -1, L).
%= L = [take(2)]
%? strategy(a, 6, T).
%= T = play(take(1),[take(1)-play(take(3),[take(1)-over]),take(2)-play(take(2),[take(1)-over]),take(3)-play(take(1),[take(1)-over])])
%? strategy(a, 5, _).
%= false
%? findall(_G, (between(0, 9, _N), grundy(_N, _G)), Gs).
%= Gs = [0,1,2,3,0,1,2,3,0,1]
%? grundy([3, 5, 6], G).
%= G = 0
%? forall(between(2, 16, _N), ( mcts(a, _N, _M, _V, [playouts(20000)]), ( _N mod 4 =:= 1 -> _V =:= -1 ; _V =:= 1, best_move(a, _N, _M) ) )).
%= true
%? mcts(a, _, _, _, [plays(3)]).
%~ plays(3)
%? mcts(a, _, _, _, [playouts(-3)]).
%~ playouts(-3)
%? mcts(a, _, _, _, [playouts(_)]).
%~ a variable has no value yet where one is needed, in mcts/5
%? playouts(a, _, 0, _).
%~ expected an integer greater than zero
%? mcts(a, _, _, _, [nodes(1)]).
%~ nodes

%# Tic-tac-toe is counted and solved.
:- consult('rules/tictactoe.pl').
%? count_states(N), count_plays(P).
%= N = 5478, P = 255168
%? findall(_N, (between(1, 9, _D), perft(_, _D, _N)), Ns).
%= Ns = [9,72,504,3024,15120,54720,148176,200448,127872]
%? solve_game(x, _S, 0), drawn(x, _S), best_move(x, _, M).
%= M = [1,1]
%? heuristic(x, [[_,_,_],[_,_,_],[_,_,_]], H).
%= H = 0
%? heuristic(x, [[x,_,_],[_,o,x],[_,x,o]], H).
%= H = 1
%? heuristic(x, [[x,_,_],[_,_,o],[_,x,_]], H).
%= H = 3
% A win in one, and a fork to be stopped.
%? mcts(x, [[x,_,o],[_,x,o],[_,_,_]], M, V).
%= M = [3,3], V = 10000
%? mcts(o, [[x,_,_],[_,o,_],[_,_,x]], _M, 0), memberchk(_M, [[1,2],[2,1],[2,3],[3,2]]).
%= true

%# Sums of games: rows of kayles.
:- consult('rules/kayles.pl').
%? grundy([], G0), findall(_G, (between(1, 24, _N), grundy([_N], _G)), Gs).
%= G0 = 0, Gs = [1,2,3,1,4,3,2,1,4,2,6,4,1,2,7,1,4,3,2,1,4,6,7,4]
%? grundy([[3], [5]], G), grundy([3, 5], H).
%= G = 7, H = 7

%# Chomp.
:- consult('rules/chomp.pl').
%? best_move(J, [5,5,5], M), pns(J, [5,5,5], V).
%= J = a, M = bite(3,4), V = 1

%# A game that goes round.
:- consult('rules/hare_and_hounds.pl').
%? solve_game(J, S, V), game_length(J, S, N).
%= J = hounds, S = hunt([a,b,d],k), V = 1, N = 23
%? drawn(hounds, hunt([d,e,k], i)).
%= true
%? count_states(N).
%= N = 2116
%? count_plays(N).
%~ play can go round for ever: it has no end to be followed to

%# Three players.
:- consult('rules/coins.pl').
%? maxn(a, _, 0, inf, [M, Vs]).
%= M = left, Vs = [a-20,b-14,c-11]
%? solve_game(a, _, V).
%= V = 20

%# A race is solved in fractions.
:- consult('rules/race.pl').
squares(3).
faces(2).
%? solve_game(chance, _S, [_-_V, _-_W]), initial_state(_S), _V =:= -_W, _V > 0, _V = _/_, expectiminimax(chance, _S, 0, inf, [none, [_-_E|_]]), _E == _V.
%= true

%# Goofspiel: stages, and the mixtures of decoupled UCT.
:- consult('rules/goofspiel.pl').
%? solve_game(J, goofspiel([1],[2],[1],3), V).
%= J = first, V = 4
%= J = second, V = -4
%? nash(Ss, Us, [state(goofspiel([],[],[],3))]).
%= Ss = [[none-1],[none-1]], Us = [3,-3]
%? solve_game(second, _, V).
%= V = 0
%? mcts(first, _, A, _V, [playouts(3000), mixture(_Ps)]), abs(_V) < 0.1, memberchk(3-_P, _Ps), _P > 0.5.
%= A = 3
% Each player on backtracking; the same seed is the same run.
%? findall(_J-_V, mcts(_J, _, _, _V, [playouts(300), seed(4)]), _Us), _Us = [first-_F, second-_W], _F =:= -_W, mcts(first, _, _, _F, [playouts(300), seed(4)]), mcts(first, _, _, _X, [playouts(300), seed(5)]), _X =\= _F.
%= true
% The last card leaves no choice, and after it the game is over.
%? mcts(J, goofspiel([1],[2],[1],-3), A, V, [playouts(9), mixture(Ps)]).
%= J = first, A = 2, V = -2.0, Ps = [2-1.0]
%= J = second, A = 1, V = 2.0, Ps = [1-1.0]
%? mcts(second, goofspiel([],[],[],3), A, V).
%= A = none, V = -3.0
%? mcts(J, _, _, _, [cutoff(3)]).
%~ cutoff(3)
%? mcts(J, _, _, _, [playouts(x)]).
%~ integer
%? mcts(J, _, _, _, [nodes(1)]).
%~ nodes

%# One round and its players.
:- consult('rules/rock_paper_scissors.pl').
%? mcts(one, _, _, _, [mixture(_Ps)]), forall(member(_-_P, _Ps), abs(_P - 1/3) < 0.05), length(_Ps, N).
%= N = 3
%? match(mcts, fixed(rock), score(_A, _B, _C, _), [rounds(300)]), _A > 70, _B > 70, _C > 70.
%= true

%# A dilemma.
:- consult('rules/prisoners_dilemma.pl').
%? mcts(bob, _, A, _).
%= A = defect
%? match(counter(mcts(50)), fixed(defect), S, [rounds(2)]).
%= S = score(0,2,0,[2,2])
