% clpb.pl: constraints over Boolean variables, above the predicates in Rust.

%! labeling(+Variables)
%  Gives Boolean variables values for which all constraints hold, 0 first.
%  ?- sat(X =\= Y), labeling([X,Y]).
%  X = 0, Y = 1.
labeling(Variables) :-
    must_be(list, Variables),
    '$clpb_variables'(Variables),
    '$clpb_order'(Variables, Ordered),
    '$clpb_label'(Ordered).

'$clpb_variables'([]).
'$clpb_variables'([Variable|Variables]) :-
    (   ( var(Variable) ; Variable == 0 ; Variable == 1 )
    ->  true
    ;   domain_error(clpb_variable, Variable)
    ),
    '$clpb_variables'(Variables).

'$clpb_label'([]).
'$clpb_label'([Variable|Variables]) :-
    (   integer(Variable)
    ->  true
    ;   '$clpb_bit'(Variable)
    ),
    '$clpb_label'(Variables).

'$clpb_bit'(0).
'$clpb_bit'(1).

%! sat_count(+Expression, -Count)
%  How many values of the variables in Expression make it 1, with all constraints.
%  ?- sat(A =< B), sat_count(+[1,A,B], N).
%  N = 3.
sat_count(Expression, Count) :-
    % Variables without constraints stay that way.
    findall(Count0, '$clpb_count'(Expression, Count0), [Count1]),
    Count = Count1.

%! random_labeling(+Seed, +Variables)
%  Gives Boolean variables values for which all constraints hold, all such values with the same probability; the
%  same ones for the same Seed.
%  ?- sat(X*Y), random_labeling(1, [X,Y]).
%  X = 1, Y = 1.
random_labeling(Seed, Variables) :-
    must_be(integer, Seed),
    must_be(list, Variables),
    '$clpb_variables'(Variables),
    '$clpb_random'(Seed, Variables, Values),
    Variables = Values.

%! weighted_maximum(+Weights, +Variables, ?Maximum)
%  Maximum is the greatest sum of the Weights, integers, of those Variables that are 1; gives them the values that reach
%  it.
%  ?- sat(A =\= B), weighted_maximum([1,2], [A,B], M).
%  A = 0, B = 1, M = 2.
weighted_maximum(Weights, Variables, Maximum) :-
    must_be(list(integer), Weights),
    must_be(list, Variables),
    '$clpb_variables'(Variables),
    same_length(Weights, Variables),
    '$clpb_heaviest'(Weights, Variables, Maximum0),
    Maximum = Maximum0,
    '$clpb_order'(Variables, Ordered),
    '$clpb_label'(Ordered).
