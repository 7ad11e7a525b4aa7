% term_positions.pl: positions of terms in texts, as read_term/2 gives them by the option
% subterm_positions(P).

%! valid_term_position(@Term, @Position)
%  Position is one that reading Term may have given.
%  ?- term_string(T, "f(X,[a])", [subterm_positions(P)]), valid_term_position(T, P).
valid_term_position(Term, Position) :-
    nonvar(Position),
    '$position_range'(Position, From, To),
    '$in_range'(From, To),
    '$valid_position'(Position, Term),
    !.

'$position_range'(From-To, From, To).
'$position_range'(string_position(From, To), From, To).
'$position_range'(parentheses_term_position(From, To, _), From, To).
'$position_range'(brace_term_position(From, To, _), From, To).
'$position_range'(list_position(From, To, _, _), From, To).
'$position_range'(term_position(From, To, _, _, _), From, To).

'$in_range'(From, To) :-
    integer(From),
    integer(To),
    From >= 0,
    From =< To.

'$valid_position'(_-_, Term) :-
    (   var(Term)
    ->  true
    ;   atomic(Term)
    ).
'$valid_position'(string_position(_, _), Term) :-
    (   atomic(Term)
    ->  true
    ;   is_list(Term)
    ).
'$valid_position'(parentheses_term_position(_, _, Inner), Term) :-
    valid_term_position(Term, Inner).
'$valid_position'(brace_term_position(_, _, Inner), {Term}) :-
    valid_term_position(Term, Inner).
'$valid_position'(list_position(_, _, Items, Tail), Term) :-
    '$valid_items'(Items, Term, Rest),
    (   Tail == none
    ->  Rest == []
    ;   valid_term_position(Rest, Tail)
    ).
'$valid_position'(term_position(_, _, From, To, Parts), Term) :-
    compound(Term),
    '$in_range'(From, To),
    compound_name_arguments(Term, _, Arguments),
    '$valid_items'(Parts, Arguments, []).

'$valid_items'([], Rest, Rest).
'$valid_items'([Position|Positions], Terms, Rest) :-
    nonvar(Terms),
    Terms = [Term|Terms1],
    valid_term_position(Term, Position),
    '$valid_items'(Positions, Terms1, Rest).
