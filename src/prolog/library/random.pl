% random.pl: random numbers and choices, over the built-in random_float and
% random(N) as evaluables.  The generator is seeded: a run can be repeated.

%! random(-X)
%  A float between 0 and 1, both excluded.
%  ?- random(X), X > 0.0, X < 1.0.
%  true.
random(X) :-
    X is random_float.

%! random_between(+Low, +High, -N)
%  An integer from Low to High, both included.
%  ?- random_between(1, 6, N), between(1, 6, N).
%  true.
random_between(Low, High, N) :-
    must_be(integer, Low),
    must_be(integer, High),
    Low =< High,
    N is Low + random(High - Low + 1).

%! random(+Low, +High, -X)
%  An integer from Low to High - 1, or a float when a bound is one.
%  ?- random(0, 10, N), N < 10.
%  true.
random(Low, High, X) :-
    (   integer(Low), integer(High)
    ->  Low < High,
        X is Low + random(High - Low)
    ;   X is Low + (High - Low) * random_float
    ).

%! random_member(-X, +List)
%  One of the elements of List.
%  ?- random_member(X, [a,b]), memberchk(X, [a,b]).
%  true.
random_member(X, List) :-
    must_be(list, List),
    length(List, N),
    N > 0,
    I is random(N),
    nth0(I, List, X).

%! random_select(-X, +List, -Rest)
%  One of the elements of List, and the others.
%  ?- random_select(X, [a], R).
%  X = a, R = [].
random_select(X, List, Rest) :-
    must_be(list, List),
    length(List, N),
    N > 0,
    I is random(N),
    '$nth0_rest'(I, List, X, Rest).

%! random_permutation(+List, -Permutation)
%  The elements of List in random order.
%  ?- random_permutation([a,b,c], P), msort(P, L).
%  L = [a,b,c].
random_permutation(List, Permutation) :-
    must_be(list, List),
    '$random_keys'(List, Keyed),
    keysort(Keyed, Sorted),
    pairs_values(Sorted, Permutation).

'$random_keys'([], []).
'$random_keys'([X|Xs], [K-X|Keyed]) :-
    K is random_float,
    '$random_keys'(Xs, Keyed).

%! random_subseq(+List, -Part, -Rest)
%  Deals the elements of List out at random, order kept.
%  ?- random_subseq([a,b], P, R), append(P, R, L), msort(L, M).
%  M = [a,b].
random_subseq([], [], []).
random_subseq([X|Xs], Part, Rest) :-
    (   random(2) =:= 0
    ->  Part = [X|Part1],
        random_subseq(Xs, Part1, Rest)
    ;   Rest = [X|Rest1],
        random_subseq(Xs, Part, Rest1)
    ).

%! randseq(+K, +Max, -List)
%  K different integers from 1 to Max in random order.
%  ?- randseq(2, 2, L), msort(L, M).
%  M = [1,2].
randseq(K, Max, List) :-
    must_be(nonneg, K),
    must_be(nonneg, Max),
    (   K > Max
    ->  domain_error(at_most(Max), K)
    ;   findall(I, between(1, Max, I), All),
        random_permutation(All, Shuffled),
        '$first'(K, Shuffled, List)
    ).

'$first'(K, Xs, Firsts) :-
    (   K =:= 0
    ->  Firsts = []
    ;   Xs = [X|Xs1],
        Firsts = [X|Firsts1],
        K1 is K - 1,
        '$first'(K1, Xs1, Firsts1)
    ).

%! randset(+K, +Max, -Set)
%  K different integers from 1 to Max, sorted.
%  ?- randset(2, 2, S).
%  S = [1,2].
randset(K, Max, Set) :-
    randseq(K, Max, List),
    sort(List, Set).

%! random_numlist(+Probability, +Low, +High, -Numbers)
%  Each integer from Low to High with this probability, in order.
%  ?- random_numlist(1, 1, 3, L).
%  L = [1,2,3].
random_numlist(Probability, Low, High, Numbers) :-
    must_be(between(0, 1), Probability),
    numlist(Low, High, All),
    '$random_part'(All, Probability, Numbers).

'$random_part'([], _, []).
'$random_part'([Number|All], Probability, Numbers) :-
    (   random_float < Probability
    ->  Numbers = [Number|Numbers1]
    ;   Numbers = Numbers1
    ),
    '$random_part'(All, Probability, Numbers1).

%! maybe, maybe(+Probability), maybe(+K, +N)
%  True at random: every second time, with a probability, or K times out of N.
%  ?- maybe(1.0).
%  true.
maybe :-
    random(2) =:= 0.

maybe(Probability) :-
    must_be(between(0.0, 1.0), Probability),
    random_float < Probability.

maybe(K, N) :-
    must_be(nonneg, K),
    must_be(positive_integer, N),
    random(N) < K.

%! random_perm2(?A, ?B, ?X, ?Y)
%  X and Y are A and B, or B and A, at random.
%  ?- random_perm2(1, 1, X, Y).
%  X = 1, Y = 1.
random_perm2(A, B, X, Y) :-
    (   maybe
    ->  X = A, Y = B
    ;   X = B, Y = A
    ).
