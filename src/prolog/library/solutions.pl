% solutions.pl: answers in another order, without some of them, or in portions.

%! offset(+N, :Goal)
%  The answers of Goal but for the first N.
%  ?- findall(X, offset(1, member(X, [a,b,c])), L).
%  L = [b,c].
offset(N, Goal) :-
    must_be(nonneg, N),
    State = count(0),
    call(Goal),
    arg(1, State, I0),
    (   I0 < N
    ->  I is I0 + 1,
        nb_setarg(1, State, I),
        fail
    ;   true
    ).

%! order_by(+Keys, :Goal)
%  The answers of Goal sorted by Keys, each asc(Term) or desc(Term); the first
%  key counts most.
%  ?- findall(X, order_by([desc(X)], member(X, [a,c,b])), L).
%  L = [c,b,a].
order_by(Keys, Goal) :-
    must_be(list, Keys),
    '$order_keys'(Keys, Orders, Terms),
    term_variables(Goal, Variables),
    findall(Terms-Variables, Goal, Rows0),
    length(Keys, N),
    '$order_rows'(N, Orders, Rows0, Rows),
    member(Terms-Variables, Rows).

'$order_keys'([], [], []).
'$order_keys'([Key|Keys], [Order|Orders], [Term|Terms]) :-
    (   nonvar(Key), '$order_key'(Key, Order, Term)
    ->  '$order_keys'(Keys, Orders, Terms)
    ;   domain_error(order_specifier, Key)
    ).

'$order_key'(asc(Term), @=<, Term).
'$order_key'(desc(Term), @>=, Term).

% Stable sorts, the last key first.
'$order_rows'(N, Orders, Rows0, Rows) :-
    (   N =:= 0
    ->  Rows = Rows0
    ;   nth1(N, Orders, Order),
        '$keyed_rows'(Rows0, N, Keyed0),
        sort(1, Order, Keyed0, Keyed),
        pairs_values(Keyed, Rows1),
        N1 is N - 1,
        '$order_rows'(N1, Orders, Rows1, Rows)
    ).

'$keyed_rows'([], _, []).
'$keyed_rows'([Terms-Values|Rows], N, [Key-(Terms-Values)|Keyed]) :-
    nth1(N, Terms, Key),
    '$keyed_rows'(Rows, N, Keyed).

%! distinct(:Goal)
%  The answers of Goal, each but once.
%  ?- findall(X, distinct(member(X, [a,b,a])), L).
%  L = [a,b].
distinct(Goal) :-
    distinct(Goal, Goal).

%! distinct(?Witness, :Goal)
%  The answers of Goal in which Witness is not a variant of an earlier one.
%  ?- findall(X-Y, distinct(X, member(X-Y, [a-1,a-2,b-3])), L).
%  L = [a-1,b-3].
distinct(Witness, Goal) :-
    empty_assoc(Empty),
    State = seen(Empty),
    call(Goal),
    copy_term_nat(Witness, Key),
    numbervars(Key, 0, _),
    arg(1, State, Seen),
    \+ get_assoc(Key, Seen, _),
    put_assoc(Key, Seen, true, More),
    nb_setarg(1, State, More).

%! findnsols(+N, ?Template, :Goal, -List)
%  Lists of N answers each, the last one shorter.
%  ?- findall(L, findnsols(2, X, member(X, [a,b,c]), L), Ls).
%  Ls = [[a,b],[c]].
findnsols(N, Template0, Goal0, List) :-
    must_be(positive_integer, N),
    copy_term(Template0-Goal0, Template-Goal),
    State = found(0, []),
    (   call(Goal),
        arg(1, State, I0),
        arg(2, State, Found),
        I is I0 + 1,
        nb_setarg(2, State, [Template|Found]),
        nb_setarg(1, State, I),
        I =:= N,
        '$found_answers'(State, List)
    ;   '$found_answers'(State, List)
    ).

'$found_answers'(State, List) :-
    arg(2, State, Found),
    reverse(Found, List),
    nb_setarg(2, State, []),
    nb_setarg(1, State, 0).

%! group_by(?By, ?Template, :Goal, -Bag)
%  As bagof/3 of Template, once for each value of By; other variables of Goal are bound.
%  ?- group_by(K, V, member(K-V, [a-1,b-2,a-3]), Vs).
%  K = a, Vs = [1,3].
group_by(By, Template, Goal, Bag) :-
    '$variable_set'(Goal, Variables),
    term_variables(By-Template, Kept0),
    sort(Kept0, Kept),
    ord_subtract(Variables, Kept, Free),
    bagof(Template, Free^Goal, Bag).

'$variable_set'(Term, Set) :-
    term_variables(Term, Variables),
    sort(Variables, Set).
