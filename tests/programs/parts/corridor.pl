% A corridor: forms of the engines, options, answers that break the contract of a puzzle.

initial_state(0).
final_state(5).
rule(right, 1, X, Y) :- X < 9, Y is X + 1.
rule(left, 1, X, Y) :- X > 0, Y is X - 1.
heuristic(X, H) :- H is abs(5 - X).

% The one answer of all these engines.
agree(Arguments, Answer) :-
    Engines = [astar, wastar, greedy, idastar, ucs, bfs, iddfs, beam],
    findall(Arguments, ( member(E, Engines), G =.. [E|Arguments], call(G) ), Answers),
    length(Answers, 8),
    sort(Answers, [Answer]).

%# Every engine is a predicate of three arities.
%? agree([_P, _C], A).
%= A = [[right,right,right,right,right],5]
%? agree([2, _P, _C], A).
%= A = [2,[right,right,right],3]
%? agree([_S, _P, _C], A).
%= A = [0,[right,right,right,right,right],5]
%? agree([4, _P, _C, [states(_Ss)]], A).
%= A = [4,[right],1,[states([4,5])]]
%? agree([5, _P, _C], A).
%= A = [5,[],0]
%? dfs(P, C).
%= P = [right,right,right,right,right], C = 5

%# The user's own engine wins.
astar(mine, too).
%? astar(X, Y).
%= X = mine, Y = too
%? engine:astar(4, P, C).
%= P = [right], C = 1

%# No plan is failure, a limit is not.
final_state(50).
%? astar(P, C).
%= false
%? dfs(P, C).
%= false
%? bfs(_, P, C, [nodes(3)]).
%~ out of nodes (the search was stopped before it could tell), in bfs/4
%? bfs(_, P, C, [depth(3)]).
%~ out of depth (the search was stopped before it could tell), in bfs/4
%? bfs(_, P, C, [time(0)]).
%~ out of time (the search was stopped before it could tell), in bfs/4
%? bfs(_, P, C, [memory(0)]).
%! error(resource_error(memory))
%? bfs(_, P, C, [nodes(3)]).
%! error(resource_error(nodes))

%# Moves with the same name at several costs.
rule(right, 7, X, Y) :- X < 9, Y is X + 1.
rule(right, 1, X, Y) :- X < 9, Y is X + 1.
%? agree([3, _P, _C], A).
%= A = [3,[right,right],2]
%? dfs(3, P, C).
%= P = [right,right], C = 2

%# Errors of options are those of the standard.
%? astar(0, P, C, [heuristc(x)]).
%~ `heuristc(x)` is not a valid engine option, in astar/4; did you mean `heuristic`?
%? astar(0, P, C, [heuristic(h)]).
%~ the program has no heuristic `h`
%? astar(0, _, _, [weight(0)]).
%! error(domain_error(engine_option,weight(0)))
%? astar(0, _, _, x).
%! error(type_error(list,x))
%? astar(0, _, _, [weight(_)]).
%! error(instantiation_error)
%? astar(0, _, _, [nodes(_)]).
%! error(instantiation_error)
%? astar(0, _, _, [_]).
%! error(instantiation_error)
%? astar(0, _, _, [nodes(foo)]).
%! error(type_error(number,foo))
%? astar(0, _, _, [time(-1)]).
%! error(domain_error(engine_option,time(-1)))
%? astar(0, _, _, [weight(0.5)]).
%! error(domain_error(engine_option,weight(0.5)))
%? astar(0, _, _, [width(0)]).
%! error(domain_error(engine_option,width(0)))
%? astar(0, _, _, [weight]).
%! error(domain_error(engine_option,weight))
%? astar(0, _, _, [weight(2,3)]).
%! error(domain_error(engine_option,weight(2,3)))
%? astar(0, _, _, [7]).
%! error(domain_error(engine_option,7))
%? astar(0, _, _, [no_such(1), weight(_)]).
%! error(domain_error(engine_option,no_such(1)))
%? astar(0, _, _, [nodes(10)|foo]).
%! error(type_error(list,[nodes(10)|foo]))
%? cheapest_plan(0, _, _, [weight(2)]).
%! error(domain_error(engine_option,weight(2)))
%? compare([random(foo)], _).
%! error(type_error(number,foo))
%? compare([engines(_)], _).
%! error(instantiation_error)
%? nash(_, _, [iterations(1.5)]).
%! error(type_error(integer,1.5))
%? nash(_, _, [learn(slowly)]).
%! error(domain_error(option,learn(slowly)))
%? nash(_, _, [eliminate(x)]).
%! error(domain_error(option,eliminate(x)))
%? train([games(foo)], _).
%! error(domain_error(train_option,games(foo)))
%? train([epsilon(2)], _).
%! error(domain_error(train_option,epsilon(2)))
%? train([method(luck)], _).
%! error(domain_error(train_option,method(luck)))
%? train([baseline(self)], _).
%! error(domain_error(train_option,baseline(self)))
%? train([beads(1, 2)], _).
%! error(domain_error(train_option,beads(1,2)))

%# Options take values of all kinds.
%? astar(0, _, C, [weight(2), width(3), depth(inf), nodes(1.0e6), time(10), memory(64)]), C > 0.
%= C = 5
%? astar(0, _, C, [time(1.0e300), nodes(inf), states(_), stats(_)]), C > 0.
%= C = 5

%# Messages about options know what was meant.
%? astar(0, _, _, [wieght(2)]).
%~ did you mean `weight`?
%? astar(0, _, _, [weight(0)]).
%~ a weight is a number that is at least 1, as 1.5
%? cheapest_plan(0, _, _, [weight(2)]).
%~ the options are instance(Name), nodes(N)
%? compare([enginse([bfs])], _).
%~ did you mean `engines`?
%? train([epsilom(0.1)], _).
%~ did you mean `epsilon`?
%? nash(_, _, [iteration(3)]).
%~ did you mean `iterations`?

%# A cost without a value.
rule(up, _, X, Y) :- Y is X + 1.
%? astar(0, P, C).
%~ a variable has no value yet where one is needed (the cost of the move `up` has no value in an answer of rule/4, in state 0, part:2:1), in rule/4; bind it before this goal is called
%? X = 1.
%= X = 1

%# A cost below zero.
rule(up, -1, X, Y) :- Y is X + 1.
%? astar(0, P, C).
%~ expected a number that is not negative, found `-1` (the cost of the move `up` in an answer of rule/4 is -1, less than zero, in state 0, part:2:1), in rule/4

%# A cost that is no number.
rule(up, one, X, Y) :- Y is X + 1.
%? astar(0, P, C).
%~ expected a number, found `one` (an atom) (the cost of the move `up` in an answer of rule/4 is `one`, which is no number, in state 0, part:2:1), in rule/4

%# A move to an unbound variable.
rule(ok, 1, X, X).
rule(up(_), 1, _, _).
%? astar(0, P, C).
%~ a variable has no value yet where one is needed (the move `up(_1)` leads to an unbound variable, in state 0, part:3:1), in rule/4; bind it before this goal is called

%# A cyclic state.
rule(up, 1, _, Y) :- Y = f(Y).
%? astar(0, P, C).
%~ expected an acyclic term, found `state` (an atom) (a state of rule/4 contains itself, in state 0, part:2:1), in rule/4

%# No estimate.
heuristic(X, H) :- X > 0, H = 0.
%? astar(0, P, C).
%~ estimate `0` does not exist (heuristic/2 has no answer, in state 0), in heuristic/2

%# An estimate below zero.
heuristic(X, H) :- H is X - 1.
%? astar(0, P, C).
%~ expected a number that is not negative, found `-1` (the estimate in an answer of heuristic/2 is -1, less than zero, in state 0, part:2:1), in heuristic/2

%# An estimate without a value.
heuristic(_, _).
%? astar(0, P, C).
%~ a variable has no value yet where one is needed (the estimate has no value in an answer of heuristic/2, in state 0, part:2:1), in heuristic/2; bind it before this goal is called

%# Errors in the bodies of rules.
heuristic(X, H) :- H is X + foo.
%? astar(0, P, C).
%~ arithmetic: there is no function foo/0, in (is)/2; only numbers and functions can stand in arithmetic

%# An error term without a context.
rule(_, _, _, _) :- throw(error(mine, _)).
%? astar(0, P, C).
%~ error `mine`, in rule/4

%# Any other exception.
rule(_, _, _, _) :- throw(oops).
%? astar(0, P, C).
%~ nothing catches the exception `oops`

%# An error in a goal.
final_state(X) :- X > y.
%? astar(0, P, C).
%~ arithmetic: there is no function y/0, in (>)/2; only numbers and functions can stand in arithmetic
%? X = 1.
%= X = 1
