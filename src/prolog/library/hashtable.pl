% hashtable.pl: tables from ground keys to values that are changed in place, and restored on
% backtracking (library(hashtable)). The terms below the keys are balanced trees.

%! ht_new(-Table)
%  A table without keys.
%  ?- ht_new(T), ht_put(T, a, 1), ht_get(T, a, V), ht_size(T, N).
%  N = 1, V = 1.
ht_new(ht(Tree)) :-
    empty_assoc(Tree).

%! ht_is_hashtable(@Term)
%  Term is a table.
ht_is_hashtable(Term) :-
    nonvar(Term),
    Term = ht(_).

%! ht_put(+Table, +Key, ?Value)
%  Table has Value for Key from here on.
ht_put(Table, Key, Value) :-
    must_be(ground, Key),
    arg(1, Table, Tree0),
    put_assoc(Key, Tree0, Value, Tree),
    setarg(1, Table, Tree).

%! ht_put(+Table, +Key, ?Value, +Default, -Old)
%  As ht_put/3; Old is what Table had for Key, or Default.
ht_put(Table, Key, Value, Default, Old) :-
    (   ht_get(Table, Key, Old0)
    ->  Old = Old0
    ;   Old = Default
    ),
    ht_put(Table, Key, Value).

%! ht_put_new(+Table, +Key, ?Value)
%  As ht_put/3; fails if Table has Key.
ht_put_new(Table, Key, Value) :-
    \+ ht_get(Table, Key, _),
    ht_put(Table, Key, Value).

%! ht_update(+Table, +Key, ?Old, ?New)
%  Table has New for Key in the place of Old.
ht_update(Table, Key, Old, New) :-
    ht_get(Table, Key, Old0),
    Old = Old0,
    ht_put(Table, Key, New).

%! ht_del(+Table, +Key, -Value)
%  Table has Key, with Value, no more.
ht_del(Table, Key, Value) :-
    arg(1, Table, Tree0),
    del_assoc(Key, Tree0, Value, Tree),
    setarg(1, Table, Tree).

%! ht_get(+Table, +Key, -Value)
%  Value is what Table has for Key.
ht_get(Table, Key, Value) :-
    must_be(ground, Key),
    arg(1, Table, Tree),
    get_assoc(Key, Tree, Value).

%! ht_gen(+Table, -Key, -Value)
%  Each key and its value.
ht_gen(Table, Key, Value) :-
    ht_pairs(Table, Pairs),
    member(Key-Value, Pairs).

%! ht_pairs(?Table, ?Pairs)
%  The keys and values as Key-Value; a new table of such pairs if Table is unbound.
ht_pairs(Table, Pairs) :-
    (   var(Table)
    ->  list_to_assoc(Pairs, Tree),
        Table = ht(Tree)
    ;   arg(1, Table, Tree),
        assoc_to_list(Tree, Pairs)
    ).

%! ht_keys(+Table, -Keys)
%  The keys.
ht_keys(Table, Keys) :-
    ht_pairs(Table, Pairs),
    pairs_keys(Pairs, Keys).

%! ht_size(+Table, -Size)
%  The number of keys.
ht_size(Table, Size) :-
    ht_pairs(Table, Pairs),
    length(Pairs, Size).
