% setup_call_cleanup/3 and goals with a limit of their own.

m(1).
m(2).
m(3).
deep :- deeper.
deeper :- deepest.
deepest.
down(0) :- !.
down(N) :- N1 is N-1, down(N1).
first(X) :- m(X), !.
edge(1,2).
edge(2,3).
edge(3,1).
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
cut_with(f(X)) :- setup_call_cleanup(true, member(X, [1,2]), ( write([X]), nl, throw(oops) )).

%? setup_call_cleanup(true, m(X), write(c)).
%> c
%= X = 1
%= X = 2
%= X = 3
%? setup_call_cleanup(S = 1, X = S, write(S)).
%> 1
%= S = 1, X = 1
%? call_cleanup(m(X), write(c)), X >= 2, !, atom_length(abc, N), write(after).
%> cafter
%= X = 2, N = 3
%? once(call_cleanup(m(X), write(c(X)))), atom_length(abc, _N), write(after).
%> c(1)after
%= X = 1
%? catch((call_cleanup(m(_X), write(c)), throw(oops)), E, (atom(E), write(E))).
%> coops
%= E = oops
%? catch(call_cleanup(throw(a), throw(b)), E, true).
%= E = a
%? catch(call_cleanup(true, throw(b)), E, true).
%= E = b
%? catch(call_cleanup(fail, throw(b)), E, true).
%= E = b
%? call_cleanup(fail, write(c)).
%> c
%= false
%? findall(X, call_cleanup(m(X), write(c)), L).
%> c
%= X = _, L = [1,2,3]
%? call_cleanup(call_cleanup(m(X), write(i)), write(o)), X > 1, !, atom_length(abc, _N).
%> io
%= X = 2
%? setup_call_cleanup(fail, write(no), write(no)).
%= false
%? setup_call_cleanup(true, true, _C).
%! error(instantiation_error)

%? catch(call_with_time_limit(0.05, (repeat, fail)), E, true).
%= E = time_limit_exceeded
%? call_with_time_limit(10, m(X)).
%= X = 1
%? call_with_time_limit(10, fail).
%= false
%? call_with_inference_limit((repeat, fail), 10000, R).
%= R = inference_limit_exceeded
%? call_with_inference_limit(fail, 10000, R).
%= false
%? call_with_inference_limit(m(X), 10000, R).
%= X = 1, R = true
%= X = 2, R = true
%= X = 3, R = !
%? call_with_inference_limit(call_with_inference_limit((repeat, fail), 1000, A), 100000, B).
%= A = inference_limit_exceeded, B = !
%? findall(X-R, call_with_inference_limit((m(X), numlist(1, 500, L), foldl([Y,S0,S]>>(S is S0+Y), L, 0, _)), 1000000, R), Rs).
%= X = _, R = _, L = _, Y = _, S0 = _, S = _, Rs = [1-true,2-true,3-!]
%? catch(call_with_inference_limit(throw(a), 1000, _), E, true), \+ call_with_inference_limit(fail, 1000, _).
%= E = a
%? once(call_with_inference_limit(m(X), 1000, _)), numlist(1, 5000, _L), foldl([Y,S0,S]>>(S is S0+Y), _L, 0, Sum).
%= X = 1, Y = _, S0 = _, S = _, Sum = 12502500
%? call_with_depth_limit(deep, 10, R), call_with_depth_limit(deep, 2, S), call_with_depth_limit(down(5), 10, T).
%= R = 3, S = depth_limit_exceeded, T = 6
%? findall(Y-R, call_with_depth_limit(path(1, Y), 5, R), L), _L = L.
%= Y = _, R = _, L = [2-2,3-3,1-4,2-5,_-depth_limit_exceeded]
%? call_with_depth_limit(first(X), 10, R).
%= X = 1, R = 2
%? call_with_depth_limit(fail, 10, _).
%= false
%? call_with_depth_limit((deep, \+ down(20)), 10, R).
%= R = 11
%? call_with_depth_limit(no_such_predicate, 10, _).
%! error(existence_error(procedure,no_such_predicate/0))
% What a cleanup throws after a cut.
%? catch((setup_call_cleanup(true, member(_, [1,2]), throw(oops)), !), E, true).
%= E = oops
%? catch(( setup_call_cleanup(true, member(X, [1,2]), throw(oops)) -> true ; true ), E, true).
%= X = _, E = oops
%? catch(\+ setup_call_cleanup(true, member(_, [1,2]), throw(oops)), E, true).
%= E = oops
%? catch(once(cut_with(f(_))), E, true).
%> [1]
%= E = oops
%? catch((setup_call_cleanup(true, member(_, [1,2]), throw(a)), setup_call_cleanup(true, member(_, [1,2]), throw(b)), !), E, true).
%= E = b
%? setup_call_cleanup(true, member(X, [1,2,3]), (write(done), nl)), X > 1, !, write(after), nl.
%> done
%> after
%= X = 2
