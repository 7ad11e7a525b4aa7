% gensym.pl: new atoms from a base and a counter.

%! gensym(+Base, -Atom)
%  Atom is Base with the next number behind it: base1, base2, ...
%  ?- reset_gensym(g), gensym(g, A), gensym(g, B).
%  A = g1, B = g2.
gensym(Base, Atom) :-
    '$gensym_key'(Base, Key),
    flag(Key, N, N + 1),
    N1 is N + 1,
    atom_concat(Base, N1, Atom),
    (   recorded('$gensym', Key)
    ->  true
    ;   recorda('$gensym', Key)
    ).

%! reset_gensym(+Base)
%  The next number for Base is 1 again.
%  ?- reset_gensym(g), gensym(g, A).
%  A = g1.
reset_gensym(Base) :-
    '$gensym_key'(Base, Key),
    flag(Key, _, 0).

%! reset_gensym
%  The next number is 1 again for every base.
%  ?- reset_gensym, gensym(g, A).
%  A = g1.
reset_gensym :-
    (   recorded('$gensym', Key),
        flag(Key, _, 0),
        fail
    ;   true
    ).

'$gensym_key'(Base, Key) :-
    atom_concat('$gensym_', Base, Key).
