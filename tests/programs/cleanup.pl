% setup_call_cleanup/3 and goals with a limit of their own.

m(X) :- member(X, [1,2,3]).
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
