% Small puzzles: states of every kind, costs, several goals.

%# No heuristic.
initial_state(0).
final_state(5).
rule(right, 1, X, Y) :- X < 9, Y is X + 1.
%? astar(0, P, C).
%~ the program has no heuristic/2; define `heuristic(S, H)`; ucs, bfs, dfs, iddfs need none

%# No goal.
initial_state(0).
rule(right, 1, X, Y) :- X < 9, Y is X + 1.
heuristic(_, 0).
%? astar(0, P, C).
%~ the program has no final_state/1; define `final_state(S)`

%# Names of heuristics and instances.
initial_state(near, 4).
initial_state(far, 0).
final_state(5).
rule(right, 1, X, Y) :- X < 9, Y is X + 1.
heuristic(exact, X, H) :- H is abs(5 - X).
heuristic(zero, _, 0).
heuristic(dead, _, inf).
%? findall(_S-_C, astar(_S, _, _C), L).
%= L = [4-1,0-5]
%? astar(S, _, C, [instance(far), heuristic(zero)]).
%= S = 0, C = 5
%? findall(_N, astar(_, _, _, [instance(_N)]), L).
%= L = [near,far]
%? astar(S, _, C, [heuristic(dead)]).
%= false

%# Variants are one state: two variables, which may be joined. f(A, B) and f(A, A) are all there is.
initial_state(f(_, _)).
final_state(f(x, _)).
rule(swap, 1, f(A, B), f(B, A)).
rule(join, 1, f(A, _), f(A, A)).
rule(fresh, 1, f(_, _), f(_, _)).
%? enumerate(f(_, _), S).
%= S = space(2,[1,1],0,[f(_,_)])
%? bfs(f(_, _), P, C).
%= P = [], C = 0

%# States that grow.
initial_state([]).
final_state(L) :- length(L, 5).
rule(add(X), 1, L, [X|L]) :- member(X, [a,b]), length(L, N), N < 5.
%? enumerate(space(N, D, T, _)).
%= N = 63, D = [1,2,4,8,16,32], T = 32
%? bfs(P, C).
%= P = [add(a),add(a),add(a),add(a),add(a)], C = 5

%# States of constants of all kinds.
initial_state(s(1, "text", 2.5, 100000000000000000000, a, [x|t])).
final_state(t).
rule(go(X), 0.5, s(X, T, F, B, A, L), u(T, F, B, A, L, X)).
rule(on, 0.25, u(T, 2.5, 100000000000000000000, a, [x|t], 1), T) :- string(T).
rule(end, 1, T, t) :- T == "text".
%? ucs(P, C).
%= P = [go(1),on,end], C = 1.75

%# Costs and goals.
initial_state(a).
final_state(c).
final_state(d).
rule(dear, 10, a, c).
rule(cheap, 1+1, a, b).
rule(on, 3, b, d).
rule(free, 0, d, d).
%? ucs(P, C).
%= P = [cheap,on], C = 5
%? bfs(P, C).
%= P = [dear], C = 10

%# Every cheapest plan is an answer.
:- dynamic(seen/1).
initial_state(0).
initial_state(far, 10).
final_state(3).
rule(go, 0, 0, 1).
rule(go, 0, 1, 2).
rule(back, 0, 2, 0).
rule(stay, 0, 1, 1).
rule(go, 1, 2, 3).
rule(leap, 1, 1, 3).
rule(leap, 1, 1, 3).
rule(fly, 2, 0, 3).
rule(hop, 1, 10, 11).
rule(hop, 1, 10, 12).
rule(hop, 1, 11, 3).
rule(hop, 1, 12, 3).
rule(skip, 1, 12, 3).
%? cheapest_plan(0, P, C).
%= P = [go,go,go], C = 1
%= P = [go,leap], C = 1
%? cheapest_plan(2, P, C).
%= P = [back,go,leap], C = 1
%= P = [go], C = 1
%? cheapest_plan(3, P, C).
%= P = [], C = 0
%? cheapest_plan(13, P, C).
%= false
%? cheapest_plan(0, [go,leap], C).
%= C = 1
%? cheapest_plan(0, P, 2).
%= false
%? once(cheapest_plan(0, P, C)).
%= P = [go,go,go], C = 1
%? catch((cheapest_plan(0, _, _C), throw(_C)), E, true).
%= E = 1
%? findall(x, (cheapest_plan(0, _, _), cheapest_plan(2, _, _)), L).
%= L = [x,x,x,x]
%? forall(cheapest_plan(0, _P, _), assertz(seen(_P))), aggregate_all(count, seen(_), N).
%= N = 2
%? plan_count(0, N, C).
%= N = 2, C = 1
%? plan_count(S, N, C, [instance(far)]).
%= S = 10, N = 3, C = 2
%? plan_count(13, N, C).
%= false
%? cheapest_plan(0, _, _, [depth(2)]).
%! error(domain_error(engine_option,depth(2)))
%? plan_count(0, _, _, [heuristic(h)]).
%! error(domain_error(engine_option,heuristic(h)))
%? cheapest_plan(0, _, _, [nodes(1)]).
%! error(resource_error(nodes))
%? cheapest_plan(0, _, _, nodes).
%! error(type_error(list,nodes))

%# More plans than a machine word counts.
initial_state(0).
final_state(100).
rule(a, 1, X, Y) :- X < 100, Y is X + 1.
rule(b, 1, X, Y) :- X < 100, Y is X + 1.
%? plan_count(N, C), N =:= 2**100.
%= N = 1267650600228229401496703205376, C = 100

%# Floats are equally cheap up to rounding.
initial_state(0).
final_state(9).
rule(a, 0.1, 0, 1).
rule(b, 0.2, 1, 9).
rule(c, 0.3, 0, 9).
rule(d, 0.3000001, 0, 9).
%? plan_count(N, _).
%= N = 2

%# Costs whose sums are no machine words.
initial_state(0).
final_state(2).
rule(a, 9223372036854775807, 0, 1).
rule(b, 9223372036854775807, 1, 2).
rule(c, 9223372036854775807, 0, 2).
%? cheapest_plan(P, _).
%= P = [c]
