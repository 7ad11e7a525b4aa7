% pairs.pl: lists of Key-Value pairs.

%! pairs_keys_values(?Pairs, ?Keys, ?Values)
%  Pairs are the Key-Value pairs of two lists.
%  ?- pairs_keys_values(P, [a,b], [1,2]).
%  P = [a-1,b-2].
pairs_keys_values([], [], []).
pairs_keys_values([K-V|Pairs], [K|Keys], [V|Values]) :-
    pairs_keys_values(Pairs, Keys, Values).

%! pairs_keys(?Pairs, ?Keys)
%  The keys of a list of pairs.
%  ?- pairs_keys([a-1,b-2], Ks).
%  Ks = [a,b].
pairs_keys([], []).
pairs_keys([K-_|Pairs], [K|Keys]) :-
    pairs_keys(Pairs, Keys).

%! pairs_values(?Pairs, ?Values)
%  The values of a list of pairs.
%  ?- pairs_values([a-1,b-2], Vs).
%  Vs = [1,2].
pairs_values([], []).
pairs_values([_-V|Pairs], [V|Values]) :-
    pairs_values(Pairs, Values).

%! transpose_pairs(+Pairs, -Swapped)
%  Keys and values change places; the result is sorted by the new keys.
%  ?- transpose_pairs([a-2,b-1], P).
%  P = [1-b,2-a].
transpose_pairs(Pairs, Swapped) :-
    '$flip_pairs'(Pairs, Flipped),
    keysort(Flipped, Swapped).

'$flip_pairs'([], []).
'$flip_pairs'([K-V|Pairs], [V-K|Flipped]) :-
    '$flip_pairs'(Pairs, Flipped).

%! map_list_to_pairs(:Function, +List, -Pairs)
%  Each element of List behind the key that call(Function, Element, Key) gives.
%  ?- map_list_to_pairs(atom_length, [abc,d], P).
%  P = [3-abc,1-d].
map_list_to_pairs(Function, List, Pairs) :-
    '$map_to_pairs'(List, Function, Pairs).

'$map_to_pairs'([], _, []).
'$map_to_pairs'([X|Xs], Function, [K-X|Pairs]) :-
    call(Function, X, K),
    '$map_to_pairs'(Xs, Function, Pairs).

%! group_pairs_by_key(+Pairs, -Groups)
%  Neighbours with identical keys come together: Key-Values.
%  ?- group_pairs_by_key([a-1,a-2,b-3], G).
%  G = [a-[1,2],b-[3]].
group_pairs_by_key([], []).
group_pairs_by_key([K-V|Pairs], [K-[V|Vs]|Groups]) :-
    '$same_key'(Pairs, K, Vs, Rest),
    group_pairs_by_key(Rest, Groups).

'$same_key'([], _, [], []).
'$same_key'([K-V|Pairs], K0, Vs, Rest) :-
    (   K == K0
    ->  Vs = [V|Vs1],
        '$same_key'(Pairs, K0, Vs1, Rest)
    ;   Vs = [],
        Rest = [K-V|Pairs]
    ).
