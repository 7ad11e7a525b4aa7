% Conditional compilation, and goals of call/1 that are variables.

:- if(fail).
p(first).
:- if(true).
p(inner).
:- else.
p(inner_else).
:- endif.
this is no clause ) and is passed over.
:- elif(current_prolog_flag(bounded, false)).
p(elif).
:- else.
p(else).
:- endif.
:- if(true).
p(last).
:- else.
p(not).
:- endif.

%? p(X).
%= X = elif
%= X = last
%? call((Z = !, member(X, [1,2]), Z)).
%= Z = !, X = 1
%= Z = !, X = 2
%? call((member(X, [1,2]), !)).
%= X = 1
%? call(',', C = !, (X = 1, C ; X = 2)).
%= C = !, X = 1
%= C = !, X = 2
%? call((fail, 1)).
%! error(type_error(callable, (fail, 1)))
%? current_op(_, 1, _).
%! error(type_error(atom, 1))
%? current_op(x, _, _).
%! error(type_error(integer, x))
%? current_predicate(f/ -1).
%! error(domain_error(not_less_than_zero, -1))
%? predicate_property(findall(_,_,_), meta_predicate(findall(_,M,_))).
%= M = 0
%? X = (a | b), write_canonical(X).
%> '|'(a,b)
%= X = (a|b)
%? ( fail | true ).
%= true
%? number_chars(_, [_|1]).
%! error(instantiation_error)
%? setup_call_cleanup(G = true, true, G).
%= G = true
