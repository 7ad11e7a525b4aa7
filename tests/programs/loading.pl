% Loading: quotes belong to modules, endings of rule files, imports under other names.

:- set_prolog_flag(double_quotes, chars).
:- use_module(modules/quoted, [text/1, hidden/1 as shown]).
:- [modules/ending].
% From the working directory, which is the folder of zug.
:- consult(tests/programs/modules/here).

own("a").

:- begin_tests(quotes).
kind(K) :- ( string("a") -> K = string ; K = other ).
:- set_prolog_flag(double_quotes, atom).
named("a").
:- end_tests(quotes).

own_again("b").

:- begin_tests(quotes).
named("b").
:- end_tests(quotes).

%? text(T), own(O), own_again(B).
%= T = "a", O = [a], B = [b]
%? plunit_quotes:kind(K), findall(A, plunit_quotes:named(A), As).
%= K = string, A = _, As = [a,b]
%? shown(X).
%= X = 1
%? ended(X).
%= X = [e]
%? current_prolog_flag(double_quotes, F).
%= F = string
%? found_here(X).
%= X = yes
