% occurs.pl: parts of terms.

%! sub_term(?Part, +Term)
%  Part is Term or a part of it, from the outside in.
%  ?- findall(X, sub_term(X, f(a,g(b))), L).
%  L = [f(a,g(b)),a,g(b),b].
sub_term(Part, Term) :-
    '$sub_term'([Term], Part).

'$sub_term'([Term|Terms], Part) :-
    (   compound(Term)
    ->  compound_name_arguments(Term, _, Arguments),
        append(Arguments, Terms, More)
    ;   More = Terms
    ),
    '$sub_term'(More, Term, Part).

'$sub_term'([], Part, Part).
'$sub_term'([_|_], Part, Part).
'$sub_term'([Term|Terms], _, Part) :-
    '$sub_term'([Term|Terms], Part).

%! occurrences_of_term(@Part, +Term, -Count)
%  How many parts of Term unify with Part.
%  ?- occurrences_of_term(a, f(a,g(a)), N).
%  N = 2.
occurrences_of_term(Part, Term, Count) :-
    aggregate_all(count, (sub_term(Found, Term), subsumes_term(Part, Found)), Count).

%! occurrences_of_var(@Variable, +Term, -Count)
%  How often Variable stands in Term.
%  ?- occurrences_of_var(X, f(X,g(X,_)), N).
%  N = 2.
occurrences_of_var(Variable, Term, Count) :-
    aggregate_all(count, (sub_term(Found, Term), Found == Variable), Count).

%! mapargs(:Goal, ?Term1, ?Term2)
%  call(Goal, X, Y) holds for the arguments of two terms of one name and arity.
%  ?- mapargs(succ, f(1,2), T).
%  T = f(2,3).
mapargs(Goal, Term1, Term2) :-
    (   compound(Term1)
    ->  compound_name_arity(Term1, Name, Arity),
        compound_name_arity(Term2, Name, Arity)
    ;   compound_name_arity(Term2, Name, Arity),
        compound_name_arity(Term1, Name, Arity)
    ),
    compound_name_arguments(Term1, _, Xs),
    compound_name_arguments(Term2, _, Ys),
    '$maplist'(Xs, Ys, Goal).
