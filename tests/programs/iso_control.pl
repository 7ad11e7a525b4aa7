% The examples of ISO/IEC 13211-1, section 7.8: control constructs.

b(1). b(2).
twice(!) :- write('C ').
twice(true) :- write('Moss ').
goal((twice(_), !)).
goal(write('Three ')).

%? true.
%= true
%? fail.
%= false
%? call(!).
%= true
%? call(fail).
%= false
%? call((fail, _X)).
%= false
%? call((fail, call(1))).
%= false
%? call((write(3), _X)).
%> 3
%! error(instantiation_error)
%? call((write(3), call(1))).
%> 3
%! error(type_error(callable,1))
%? call(_X).
%! error(instantiation_error)
%? call(1).
%! error(type_error(callable,1))
%? call((fail, 1)).
%! error(type_error(callable,(fail,1)))
%? call((write(3), 1)).
%! error(type_error(callable,(write(3),1)))
%? call((1 ; true)).
%! error(type_error(callable,(1;true)))
%? !.
%= true
%? (!, fail ; true).
%= false
%? (call(!), fail ; true).
%= true
%? twice(_), !, write('Forwards '), fail.
%> C Forwards 
%= false
%? (! ; write('No ')), write('Cut disjunction '), fail.
%> Cut disjunction 
%= false
%? twice(_), (write('No ') ; !), write('Cut '), fail.
%> C No Cut Cut 
%= false
%? twice(_), (!, fail ; write('No ')).
%> C 
%= false
%? twice(X), call(X), write('Forwards '), fail.
%> C Forwards Moss Forwards 
%= false
%? goal(X), call(X), write('Forwards '), fail.
%> C Forwards Three Forwards 
%= false
%? twice(_), \+ \+ !, write('Forwards '), fail.
%> C Forwards Moss Forwards 
%= false
%? twice(_), once(!), write('Forwards '), fail.
%> C Forwards Moss Forwards 
%= false
%? twice(_), call(!), write('Forwards '), fail.
%> C Forwards Moss Forwards 
%= false
%? (X = 1, var(X)).
%= false
%? (var(X), X = 1).
%= X = 1
%? (X = 1 ; X = 2).
%= X = 1
%= X = 2
%? ((!, fail) ; true).
%= false
%? (X = 1, X = 2 ; X = 3).
%= X = 3
%? (X = 0 -> true ; fail), X = 0.
%= X = 0
%? (fail -> true ; true).
%= true
%? (true -> true).
%= true
%? (true -> fail).
%= false
%? (fail -> true).
%= false
%? (true -> X = 1 ; X = 2).
%= X = 1
%? (fail -> X = 1 ; X = 2).
%= X = 2
%? (true ; true -> fail).
%= true
%? ((!, fail) -> true ; X = 1).
%= X = 1
%? ((X = 1 ; X = 2) -> true ; X = 3).
%= X = 1
%? ((true ; X = 2) -> X = 1 ; X = 3).
%= X = 1
%? catch(true, _, 3).
%= true
%? catch(number_codes(_, "1a1"), error(syntax_error(_), _), fail).
%= false
%? catch(throw(exit(1)), exit(X), write(X)).
%> 1
%= X = 1
%? catch((b(X), throw(a(X))), a(Y), true).
%= X = _, Y = 1
%? \+ true.
%= false
%? \+ !.
%= false
%? \+ (!, fail).
%= true
%? \+ 4 = 5.
%= true
% ISO 8.15.1.3
%? \+ 3.
%! error(type_error(callable,3))
% ISO 8.15.1.3
%? \+ (fail, 1).
%! error(type_error(callable,(fail,1)))
%? once(!).
%= true
%? once((X = 1 ; X = 2)).
%= X = 1
%? once(repeat).
%= true
%? once(fail).
%= false
%? once(3).
%! error(type_error(callable,3))
%? repeat, !, fail.
%= false
