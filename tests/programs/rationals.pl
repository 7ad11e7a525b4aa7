% Rational numbers.

half(1r2).
half(2r4).
third(1 rdiv 3).
size(1r3, small).
size(5r2, large).
size(7, whole).

:- dynamic known/1.

%? X is 1 rdiv 3, Y is 4 rdiv 2, Z is 1r3 + 1r6, V is 1r3 - 1r3, W is 1r3*3.
%= X = 1r3, Y = 2, Z = 1r2, V = 0, W = 1
%? X is 1r3 + 0.5.
%= X = 0.8333333333333333
%? X is 1r3/2, Y is 2/1r3, Z is 7/2, V is 6/3.
%= X = 1r6, Y = 6, Z = 3.5, V = 2
%? X is 1r3/0.
%! error(evaluation_error(zero_divisor))
%? X is 1 rdiv 0.
%! error(evaluation_error(zero_divisor))
%? X is 1.0 rdiv 2.
%! error(type_error(rational,1.0))
%? X is 7r2 // 2.
%! error(type_error(integer,7r2))
%? X is -(1r3), Y is abs(-1r3), Z is sign(-1r3), V is max(1r3, 0.3), W is min(1r3, 1).
%= X = -1r3, Y = 1r3, Z = -1, V = 1r3, W = 1r3
%? X is truncate(-7r2), Y is integer(-7r2), Z is floor(-7r2), V is ceiling(-7r2), W is round(5r2).
%= X = -3, Y = -4, Z = -4, V = -3, W = 3
%? X is float(1r3), Y is numerator(6r4), Z is denominator(6r4), V is denominator(3).
%= X = 0.3333333333333333, Y = 3, Z = 2, V = 1
%? X is rational(0.25), Y is rational(0.1), Z is rationalize(0.1), V is rationalize(-2.5).
%= X = 1r4, Y = 3602879701896397r36028797018963968, Z = 1r10, V = -5r2
%? X is rational(inf).
%! error(evaluation_error(rational_overflow))
%? X is float_integer_part(-7r2), Y is float_fractional_part(-7r2).
%= X = -3, Y = -1r2
%? X is 1r2 ** 2, Y is 1r2 ** -2, Z is 4 ** 1r2, V is -8 ** 1r3, W is 2 ** 1r2.
%= X = 1r4, Y = 4, Z = 2, V = -2, W = 1.4142135623730951
%? X is 1r4 ^ 1r2, Y is 1r2 ** 0.5.
%= X = 1r2, Y = 0.7071067811865476
%? X is 2 ** 100 rdiv 3 ** 50, Y is 1r3 + 100000000000000000000.
%= X = 1267650600228229401496703205376r717897987691852588770249, Y = 300000000000000000001r3
%? 1r3 =:= 2r6, 1r3 == 2r6, 1r3 = 2r6, 1r2 =:= 0.5, 1r2 \== 0.5, 1r2 \= 0.5.
%= true
%? 1r3 < 0.5, -1r3 > -1, 1r3 @< 0.5, 1r3 @> 0, 10000000000000000000r3 > 1.
%= true
%? compare(A, 1r2, 0.5), compare(B, 0.5, 1r2), compare(C, 1r2, 1).
%= A = >, B = <, C = <
%? msort([1, 1r2, 0.5, 0.4, a, "s", 2r3], L).
%= L = [0.4,0.5,1r2,2r3,1,"s",a]
%? sort(0, @>=, [1r2, 1r3, 0.4, 1, 1r3], L).
%= L = [1,1r2,0.4,1r3,1r3]
%? rational(1r3), rational(3), \+ rational(0.5), number(1r3), atomic(1r3), \+ integer(1r3), \+ float(1r3), integer(2r1).
%= true
%? rational(6r4, N, D), rational(3, M, E), \+ rational(0.5, _, _).
%= N = 3, D = 2, M = 3, E = 1
%? findall(_X, half(_X), L), half(1r2).
%= L = [1r2,1r2]
%= L = [1r2,1r2]
%? third(T), X is T.
%= T = 1 rdiv 3, X = 1r3
%? size(1r3, A), size(5r2, B), \+ size(1r5, _), findall(_X, size(_X, _), L).
%= A = small, B = large, L = [1r3,5r2,7]
%? assertz(known(1r3)), assertz(known(2r3)), known(2r6), retract(known(2r3)), findall(X, known(X), L).
%= X = _, L = [1r3]
%? sum_list([1r2, 1r3], S), max_list([1r2, 1r3, 0.4], M).
%= S = 5r6, M = 1r2
%? atom_number('1r3', X), atom_number(A, 1r3), number_codes(N, "-2r4"), atom_length(1r3, L), atom_string(B, "1r3").
%= X = 1r3, A = '1r3', N = -1r2, L = 3, B = '1r3'
%? print(1r3), nl, print(-1r3), nl, print(1r3-1r3), nl, print(1- -1r3), nl, print(1r3^2), nl, print([-1r3]), nl.
%> 1r3
%> -1r3
%> 1r3-1r3
%> 1- -1r3
%> 1r3^2
%> [-1r3]
%= true
%? term_to_atom(T, '1r3 + 2r4'), X = 1_000r3, Y = 1r03, Z = 0r5.
%= T = 1r3+1r2, X = 1000r3, Y = 1r3, Z = 0
%? X = 1r0.
%! error(syntax_error(illegal_number))
%? X = 1r 3.
%! error(syntax_error(illegal_number))
%? X = (1rdiv 3).
%= X = 1 rdiv 3
%? format("~2f|~0f|~10f|~30f|~e|~4g~n", [1r3,1r3,1r3,1r3,1r3,1r3]).
%> 0.33|0|0.3333333333|0.333333333333333333333333333333|3.333333e-01|0.3333
%= true
%? format("~2f ~2f ~0f ~0f ~w~n", [2r3, -2r3, 1r2, 3r2, 1r3]).
%> 0.67 -0.67 1 2 1r3
%= true
%? format("~d", [1r3]).
%! error(format_argument_type(d,1r3))
%? succ(1r2, _).
%! error(type_error(integer,1r2))
%? catch(must_be(rational, 0.5), error(E, _), true), must_be(rational, 1r2).
%= E = type_error(rational,0.5)
%? 1r3 =.. L, functor(1r3, N, A), copy_term(1r3, C).
%= L = [1r3], N = 1r3, A = 0, C = 1r3
%? set_prolog_flag(prefer_rationals, true), X is 1/3, Y is 2 ** -1, Z is 2 ^ -2, V is 6/3, set_prolog_flag(prefer_rationals, false), W is 1/4.
%= X = 1r3, Y = 1r2, Z = 1r4, V = 2, W = 0.25
