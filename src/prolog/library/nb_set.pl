% nb_set.pl: sets that are changed in place, and keep what was added on backtracking.

%! empty_nb_set(-Set)
%  A set without elements.
%  ?- empty_nb_set(S), add_nb_set(a, S), nb_set_to_list(S, L).
%  L = [a].
empty_nb_set(nb_set(Tree)) :-
    empty_assoc(Tree).

%! add_nb_set(+Element, +Set), add_nb_set(+Element, +Set, ?New)
%  Element is in Set from here on; New is true if it was not there before, else false.
%  ?- empty_nb_set(S), add_nb_set(a, S), ( add_nb_set(b, S), fail ; nb_set_to_list(S, L) ).
%  L = [a,b].
add_nb_set(Element, Set) :-
    add_nb_set(Element, Set, _).

add_nb_set(Element, Set, New) :-
    arg(1, Set, Tree),
    (   get_assoc(Element, Tree, _)
    ->  New = false
    ;   New = true,
        put_assoc(Element, Tree, true, Tree1),
        nb_setarg(1, Set, Tree1)
    ).

%! gen_nb_set(+Set, -Element)
%  Each element of Set, in order.
gen_nb_set(Set, Element) :-
    nb_set_to_list(Set, Elements),
    member(Element, Elements).

%! nb_set_to_list(+Set, -Elements)
%  The elements of Set, in order.
nb_set_to_list(nb_set(Tree), Elements) :-
    assoc_to_keys(Tree, Elements).

%! size_nb_set(+Set, -Size)
%  The number of elements.
size_nb_set(Set, Size) :-
    nb_set_to_list(Set, Elements),
    length(Elements, Size).
