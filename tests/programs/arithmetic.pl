% Arithmetic: integers without bound, floats, signs of division, bits, errors.

%? X is 1+2*3-4.
%= X = 3
%? X is 7//2, Y is -7//2, Z is 7// -2.
%= X = 3, Y = -3, Z = -3
%? X is 7 mod 3, Y is -7 mod 3, Z is 7 mod -3, W is -7 mod -3.
%= X = 1, Y = 2, Z = -2, W = -1
%? X is 7 rem 3, Y is -7 rem 3, Z is 7 rem -3.
%= X = 1, Y = -1, Z = 1
%? X is div(7, 2), Y is div(-7, 2), Z is -7 div -2.
%= X = 3, Y = -4, Z = 3
%? X is 2**10, Y is 2^100, Z is 2** -1, W is 2.0**3.
%= X = 1024, Y = 1267650600228229401496703205376, Z = 0.5, W = 8.0
%? X is 4/2, Y is 7/2, Z is 1/3.0.
%= X = 2, Y = 3.5, Z = 0.3333333333333333
%? X is max(3, 7), Y is min(3, 7.0), Z is max(2, 3.0).
%= X = 7, Y = 3, Z = 3.0
%? X is abs(-5), Y is sign(-3), Z is sign(2.5), W is abs(-1.5).
%= X = 5, Y = -1, Z = 1.0, W = 1.5
%? X is gcd(12, 18), Y is msb(1000).
%= X = 6, Y = 9
%? X is 5 /\ 3, Y is 5 \/ 3, Z is 5 xor 3, W is \ 5.
%= X = 1, Y = 7, Z = 6, W = -6
%? X is 1 << 70, Y is 1000 >> 3, Z is -1 >> 1.
%= X = 1180591620717411303424, Y = 125, Z = -1
%? X is truncate(3.7), Y is round(3.5), Z is ceiling(3.2), W is floor(-3.2).
%= X = 3, Y = 4, Z = 4, W = -4
%? X is integer(2.5), Y is integer(-2.5), Z is float(3), W is float_integer_part(3.7).
%= X = 3, Y = -3, Z = 3.0, W = 3.0
%? X is truncate(-0.5), Y is round(-2.5).
%= X = 0, Y = -3
%? X is sqrt(16), Y is exp(0), Z is log(1), W is sin(0.0).
%= X = 4.0, Y = 1.0, Z = 0.0, W = 0.0
%? X is atan2(1, 1), Y is atan(1.0), Z is acos(1.0), W is asin(0.0).
%= X = 0.7853981633974483, Y = 0.7853981633974483, Z = 0.0, W = 0.0
%? X is pi, Y is e.
%= X = 3.141592653589793, Y = 2.718281828459045
%? X is 123456789*987654321*123456789.
%= X = 15053411111487447638891241
%? X is 100000000000000000000-99999999999999999999.
%= X = 1
%? X is 2**200 mod 1000007.
%= X = 446616
%? X is -(2**70), Y is abs(X), Z is X // 3.
%= X = -1180591620717411303424, Y = 1180591620717411303424, Z = -393530540239137101141
%? X is 9223372036854775807+1.
%= X = 9223372036854775808
%? X is -9223372036854775808-1.
%= X = -9223372036854775809
%? X is 3.0, Y is 1.0e10, Z is 1.0e22, W is 1.0e-5.
%= X = 3.0, Y = 10000000000.0, Z = 1.0e+22, W = 1.0e-5
%? X = 1.0e100, Y = 123456789012345680.0, Z = 1.0e15, W = 1.0e14.
%= X = 1.0e+100, Y = 1.2345678901234568e+17, Z = 1.0e+15, W = 100000000000000.0
%? X is -0.0, Y is 0.0.
%= X = -0.0, Y = 0.0
%? X is 10/4, Y is 10/5.
%= X = 2.5, Y = 2
%? 1 =:= 1.0, 1 =\= 2, 1 < 2, 2 >= 2.0.
%= true
%? 1 == 1.0.
%= false
%? 1.0 =:= 1.
%= true
%? 2**3 =:= 8.
%= true
%? X is inf.
%= X = 1.0Inf
%? X = 5, Y is X*X, Z is Y-1.
%= X = 5, Y = 25, Z = 24
%? X is "a".
%= X = 97
%? X is "a"+0.
%= X = 97
%? X is [5].
%= X = 5
%? X is 0'a.
%= X = 97
%? X is 0x1F+0b101+0o17.
%= X = 51
%? X is 1_000_000.
%= X = 1000000
%? X is 16'FF.
%= X = 255
%? X is 1/0.
%! error(evaluation_error(zero_divisor))
%? X is 1/0.0.
%! error(evaluation_error(zero_divisor))
%? X is 1.0/0.
%! error(evaluation_error(zero_divisor))
%? X is 1//0.
%! error(evaluation_error(zero_divisor))
%? X is 1 mod 0.
%! error(evaluation_error(zero_divisor))
%? X is 0.0/0.
%! error(evaluation_error(undefined))
%? X is foo.
%! error(type_error(evaluable,foo/0))
%? X is foo(1, 2).
%! error(type_error(evaluable,foo/2))
%? X is Y+1.
%! error(instantiation_error)
%? X is 1+a.
%! error(type_error(evaluable,a/0))
%? X is sqrt(-1).
%! error(evaluation_error(undefined))
%? X is acos(2).
%! error(evaluation_error(undefined))
%? X is 1.5 mod 2.
%! error(type_error(integer,1.5))
%? X is 1 << 1.0.
%! error(type_error(integer,1.0))
%? X is 2.5 // 1.
%! error(type_error(integer,2.5))
%? 1 < a.
%! error(type_error(evaluable,a/0))
%? _ =:= 1.
%! error(instantiation_error)
%? X is 0 ** -1.
%! error(evaluation_error(zero_divisor))
%? X is 0 ^ -1.
%! error(evaluation_error(zero_divisor))
%? X is 1 ^ -1.
%= X = 1
%? X is 0 ** 0.
%= X = 1
%? X is 2 ** 3.0.
%= X = 8.0
%? X is 7 xor 2.0.
%! error(type_error(integer,2.0))
%? X is 255, format("~8r ~16r ~8|~a~n", [X,X,end]).
%> 377 ff  end
%= X = 255
%? X is 1.0e16, Y is 123456.789, Z is 1.0Inf.
%= X = 1.0e+16, Y = 123456.789, Z = 1.0Inf
%? X is 5.0e-324, Y is 1.7976931348623157e308.
%= X = 5.0e-324, Y = 1.7976931348623157e+308
%? X is 3 - -2, Y is 3 - (-2), Z is - 3, W is -(3).
%= X = 5, Y = 5, Z = -3, W = -3
%? X is -(-(3)), Y is +(4).
%= X = 3, Y = 4
%? X is 17, ( X mod 2 =:= 0 -> Y = even ; Y = odd ).
%= X = 17, Y = odd

%? X is 2 ^ -1, Y is 2 ** -1, Z is (-1) ^ -3.
%= X = 0.5, Y = 0.5, Z = -1
% ISO 9.3.1: an integer power with a negative exponent is an error
%? set_prolog_flag(iso, true).
%= true
%? X is 2 ^ -1.
%! error(type_error(float,2))
%? set_prolog_flag(iso, false).
%= true
%? 9007199254740993 =:= 9007199254740992.0, \+ 9007199254740993 > 9007199254740992.0, compare(O, 9007199254740993, 9007199254740992.0).
%= O = >
%? X is max(9007199254740993, 9007199254740992.0), 10**400 =:= inf.
%= X = 9.007199254740992e+15
% ISO 9.3.6
%? X is log(0).
%! error(evaluation_error(undefined))
% ISO Cor.2: no such functions in every system, but courses use them
%? X is truncate(1000*cot(1.0)).
%= X = 642
%? X is 1.5e300*1.0e10.
%! error(evaluation_error(float_overflow))
%? catch(X is 1.0e300*1.0e300, error(E, _), true).
%= X = _, E = evaluation_error(float_overflow)
