% Answers in another order, once each, in portions; parts of terms.

%? offset(1, member(X, [a,b,c])).
%= X = b
%= X = c
%? order_by([desc(X)], member(X, [a,c,b])).
%= X = c
%= X = b
%= X = a
%? order_by([asc(X),desc(Y)], member(X-Y, [a-1,c-2,b-1,a-2])).
%= X = a, Y = 2
%= X = a, Y = 1
%= X = b, Y = 1
%= X = c, Y = 2
%? distinct(X, member(X, [a,b,a])).
%= X = a
%= X = b
%? findnsols(2, X, member(X, [a,b,c]), L).
%= X = _, L = [a,b]
%= X = _, L = [c]
%? sub_term(X, f(a,g(b))).
%= X = f(a,g(b))
%= X = a
%= X = g(b)
%= X = b
%? occurrences_of_term(a, f(a,g(a)), N).
%= N = 2
%? memberchk(b, [a|T]), memberchk(c, T), !.
%= T = [b,c|_]
%? memberchk(a, [b|c]).
%! error(type_error(list,c))
%? memberchk(f(X,b), [f(1,a),f(Y,Y),f(3,b)]).
%= X = b, Y = b
%? reverse([1,2|T], [4,3,2,1]).
%= T = [3,4]
%? nth0(2, [a|T], x).
%= T = [_,x|_]
%? numlist(3, 1, L).
%= false
%? max_list([1+2,1], M).
%= M = 3
