% print_message/2 and its hooks; writef/2; directives of format/2 that are seldom used.

:- multifile prolog:message//1, user:message_hook/3.

prolog:message(moved(X, Y)) --> [ 'From ~w'-[X], nl, 'to ~q'-[Y] ].
prolog:message(seen(File, Line)) --> [ url(File:Line), ': seen', ansi(bold, ' by ~w', [me]), at_same_line ].
prolog:message(broken) --> { throw(oops) }.

message(own(X)) --> [ 'own ~w'-[X] ].

user:message_hook(hidden(X), Kind, _) :- format("~w ~w~n", [Kind,X]).

%? print_message(error, moved(a, 'B c')).
%> ERROR: From a
%> ERROR: to 'B c'
%= true
%? print_message(warning, seen('f.pl', 3)).
%> Warning: f.pl:3: seen by me
%= true
%? print_message(warning, own(x)).
%> Warning: own x
%= true
%? print_message(error, hidden(1)).
%> error 1
%= true
%? print_message(error, broken).
%> ERROR: broken
%= true
%? print_message(silent, moved(a, b)), print_message(error, format("~w and ~q", [a,'B'])).
%> ERROR: a and 'B'
%= true
%? message_to_codes(moved(1, 2), _, _C), atom_codes(A, _C).
%= A = 'From 1\nto 2\n'
%? writef('%5L|%5R|%5C|%w%d\\n', [a,b,c,d,e]).
%> a    |    b|  c  |de
%= true
%? writef('a\\tb\\\\ %s %q\\l', [`xyz`]).
%> a	b\ xyz %q
%= true
%? format("a~Nb~n~Nc~n").
%> a
%> b
%> c
%= true
%? format("~I ~2I ~0I ~I~n", [1234567,1234567,1234567,-12]).
%> 1_234_567 1_23_45_67 1234567 -12
%= true
%? format("~E ~3E ~G~n", [1.5,0.000123456,1.0e20]).
%> 1.500000E+00 1.235E-04 1E+20
%= true
%? _X is 10**400, _Y is -(2**100), format("~e ~3e~n", [_X,_Y]).
%> 1.000000e+400 -1.268e+30
%= true
%? format("~20e|~2e|~0e~n", [2r3,1r7,99r10]).
%> 6.66666666666666666667e-01|1.43e-01|1e+01
%= true
%? format("~a", [[]]).
%! error(format_argument_type(a,[]))
%? format("~c", [1114112]).
%! error(representation_error(code_point))
