% dcg_high_order.pl: grammar rules that take grammar rules as arguments.

%! sequence(:Element, ?List)//
%  Element//1 again and again, as often as it can, fewer on backtracking.
%  ?- atom_codes('12', Cs), phrase(sequence(digit, Ds), Cs), atom_codes(A, Ds).
%  A = '12'.
sequence(Element, List) -->
    '$sequence'(List, Element).

'$sequence'([X|Xs], Element) -->
    call(Element, X),
    '$sequence'(Xs, Element).
'$sequence'([], _) -->
    [].

%! sequence(:Element, :Separator, ?List)//
%  Element//1 again and again, with Separator between them.
%  ?- atom_codes('1,2', Cs), phrase(sequence(integer, ",", L), Cs).
%  L = [1,2].
sequence(Element, Separator, List) -->
    '$sequence_sep'(List, Element, Separator).

% Elements of an open list: an element may have several readings as long as no separator is behind it.
'$sequence_sep'(List, Element, Separator) -->
    { var(List) }, !,
    (   call(Element, X)
    *-> (   Separator
        ->  !,
            { List = [X|Xs] },
            '$sequence_more'(Xs, Element, Separator)
        ;   { List = [X] }
        )
    ;   { List = [] }
    ).
'$sequence_sep'([], _, _) -->
    [].
'$sequence_sep'([X|Xs], Element, Separator) -->
    call(Element, X),
    '$sequence_rest'(Xs, Element, Separator).

'$sequence_more'([X|Xs], Element, Separator) -->
    call(Element, X),
    (   Separator
    ->  !,
        '$sequence_more'(Xs, Element, Separator)
    ;   { Xs = [] }
    ).

'$sequence_rest'(Xs, Element, Separator) -->
    (   { Xs == [] }
    ->  []
    ;   Separator,
        '$sequence_sep'(Xs, Element, Separator)
    ).

%! sequence(:Start, :Element, :Separator, :End, ?List)//
%  As sequence//3 between Start and End.
%  ?- atom_codes('[1,2]', Cs), phrase(sequence("[", integer, ",", "]", L), Cs).
%  L = [1,2].
sequence(Start, Element, Separator, End, List) -->
    Start,
    sequence(Element, Separator, List),
    End, !.

%! optional(:Match, :Default)//
%  Match, or else Default.
%  ?- atom_codes(x, Cs), phrase((optional("y", []), "x"), Cs).
%  true.
optional(Match, _) -->
    Match, !.
optional(_, Default) -->
    Default.

%! foreach(:Generator, :Element)//
%  Element for each answer of Generator, one after the other.
%  ?- phrase(foreach(member(X, [1,2]), integer(X)), Cs), atom_codes(A, Cs).
%  A = '12'.
foreach(Generator, Element) -->
    foreach(Generator, Element, []).

%! foreach(:Generator, :Element, :Separator)//
%  As foreach//2 with Separator between the elements.
%  ?- phrase(foreach(member(X, [1,2]), integer(X), ","), Cs), atom_codes(A, Cs).
%  A = '1,2'.
foreach(Generator, Element, Separator) -->
    { findall(Element, Generator, Elements) },
    '$foreach_element'(Elements, Separator).

'$foreach_element'([], _) -->
    [].
'$foreach_element'([Element|Elements], Separator) -->
    Element,
    '$foreach_more'(Elements, Separator).

'$foreach_more'([], _) -->
    [].
'$foreach_more'([Element|Elements], Separator) -->
    Separator,
    Element,
    '$foreach_more'(Elements, Separator).
