% findall, bagof, setof with ^, forall, aggregate_all.

age(peter, 7). age(ann, 11). age(pat, 8). age(tom, 5). age(mike, 11).
class(a, 1, ann). class(a, 1, pat). class(b, 1, mike). class(b, 2, tom).
p(1, a). p(2, b). p(3, a). p(1, c).

%? findall(N, age(N, _), L).
%= N = _, L = [peter,ann,pat,tom,mike]
%? findall(N-A, age(N, A), L).
%= N = _, A = _, L = [peter-7,ann-11,pat-8,tom-5,mike-11]
%? findall(X, fail, L).
%= X = _, L = []
%? findall(X, member(X, [A,B,A]), [C,D,E]), C \== D, F = different.
%= X = _, A = _, B = _, C = _, D = _, E = _, F = different
%? findall(X, (member(X, [1,2,3]), X > 1), L, [end]).
%= X = _, L = [2,3,end]
%? bagof(N, age(N, A), L).
%= N = _, A = 5, L = [tom]
%= N = _, A = 7, L = [peter]
%= N = _, A = 8, L = [pat]
%= N = _, A = 11, L = [ann,mike]
%? bagof(N, A^age(N, A), L).
%= N = _, A = _, L = [peter,ann,pat,tom,mike]
%? setof(A-N, age(N, A), L).
%= A = _, N = _, L = [5-tom,7-peter,8-pat,11-ann,11-mike]
%? setof(N, A^(age(N, A), A > 7), L).
%= N = _, A = _, L = [ann,mike,pat]
%? setof(A, N^age(N, A), L), last(L, Oldest).
%= A = _, N = _, L = [5,7,8,11], Oldest = 11
%? bagof(N, age(N, 99), L).
%= false
%? setof(S, class(C, Y, S), L).
%= S = _, C = a, Y = 1, L = [ann,pat]
%= S = _, C = b, Y = 1, L = [mike]
%= S = _, C = b, Y = 2, L = [tom]
%? setof(S, Y^class(C, Y, S), L).
%= S = _, Y = _, C = a, L = [ann,pat]
%= S = _, Y = _, C = b, L = [mike,tom]
%? setof(S, C^Y^class(C, Y, S), L).
%= S = _, C = _, Y = _, L = [ann,mike,pat,tom]
%? setof(C-L, setof(S, Y^class(C, Y, S), L), R).
%= C = _, L = _, S = _, Y = _, R = [a-[ann,pat],b-[mike,tom]]
%? bagof(X, p(X, Y), L).
%= X = _, Y = a, L = [1,3]
%= X = _, Y = b, L = [2]
%= X = _, Y = c, L = [1]
%? (bagof(X, p(X, zz), L) ; L = []).
%= X = _, L = []
%? bagof(X-Z, (member(X, [1,2]), Z = Y), L).
%= X = _, Z = _, Y = _, L = [1-_,2-_]
%? setof(X, member(X, [c,a,b,a]), [F|_]).
%= X = _, F = a
%? forall(age(_, A), A > 4).
%= A = _
%? forall(age(_, A), A > 5).
%= false
%? aggregate_all(count, age(_, _), N).
%= N = 5
%? aggregate_all(sum(A), age(_, A), N).
%= A = _, N = 42
%? aggregate_all(max(A), age(_, A), N).
%= A = _, N = 11
%? aggregate_all(max(A, N), age(N, A), M).
%= A = _, N = _, M = max(11,ann)
%? aggregate_all(min(A-N), age(N, A), M).
%! error(type_error(evaluable,peter/0))
%? aggregate_all(bag(A), age(_, A), N).
%= A = _, N = [7,11,8,5,11]
%? aggregate_all(set(A), age(_, A), N).
%= A = _, N = [5,7,8,11]
%? aggregate_all(count, fail, N).
%= N = 0
%? aggregate_all(max(X), member(X, []), M).
%= false
%? aggregate_all(r(count, sum(A), max(A)), age(_, A), R).
%= A = _, R = r(5,42,11)
%? findall(X, G, L).
%! error(instantiation_error)
%? findall(X, 4, L).
%! error(type_error(callable,4))
%? bagof(X, G, L).
%! error(instantiation_error)
%? bagof(X, 1, L).
%! error(type_error(callable,1))
%? findall(L, bagof(X, member(X-Y, [1-a,2-b]), L), Ls).
%= L = _, X = _, Y = _, Ls = [[1],[2]]
%? findall(X-Y, (member(X, [1,2]), member(Y, [a,b])), L).
%= X = _, Y = _, L = [1-a,1-b,2-a,2-b]
