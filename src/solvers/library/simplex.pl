% simplex.pl: linear programs, above '$linear_program'/4 in Rust.
%
% A program is linear(Constraints, Integrals): constraints c(Name, Left, Kind, Right), the last one first, and the variables that
% have to be integers. Solved it is solved(Value, Variables, Names), with pairs for both lists. Numbers are exact.

%! gen_state(-State)
%  State is a linear program without constraints.
gen_state(linear([], [])).

%! constraint(+Constraint, +State0, -State)
%  State has one constraint more: Left =< Number, Left = Number or Left >= Number, where Left is a list of
%  Coefficient*Variable, or Variable, whose sum is meant; or integral(Variable). Variables are terms without variables of
%  Prolog. They are not negative.
%  ?- gen_state(S0), constraint([x,2*y] =< 4, S0, S1), maximize([x,y], S1, S), objective(S, O).
%  O = 4.
constraint(Constraint, State0, State) :-
    '$simplex_constraint'(Constraint, none, State0, State).

%! constraint(+Name, +Constraint, +State0, -State)
%  The same, with a name for constraint_add/4 and shadow_price/3.
constraint(Name, Constraint, State0, State) :-
    must_be(ground, Name),
    '$simplex_constraint'(Constraint, name(Name), State0, State).

'$simplex_constraint'(Constraint, Name, linear(Cs, Is), linear(Cs1, Is1)) :-
    must_be(nonvar, Constraint),
    (   Constraint = integral(Variable)
    ->  must_be(ground, Variable),
        Cs1 = Cs,
        Is1 = [Variable|Is]
    ;   '$simplex_parts'(Constraint, Left, Kind, Right0),
        must_be(list, Left),
        '$simplex_number'(Right0, Right),
        '$simplex_terms'(Left, Terms),
        Cs1 = [c(Name, Terms, Kind, Right)|Cs],
        Is1 = Is
    ).

'$simplex_parts'(Left =< Right, Left, =<, Right).
'$simplex_parts'(Left = Right, Left, =, Right).
'$simplex_parts'(Left >= Right, Left, >=, Right).

'$simplex_number'(Expression, Number) :-
    must_be(ground, Expression),
    Number is rationalize(Expression).

'$simplex_terms'([], []).
'$simplex_terms'([Term|Terms], [Variable-Coefficient|Pairs]) :-
    must_be(ground, Term),
    (   Term = Coefficient0*Variable0,
        catch('$simplex_number'(Coefficient0, Coefficient), error(_, _), fail)
    ->  Variable = Variable0
    ;   Coefficient = 1,
        Variable = Term
    ),
    '$simplex_terms'(Terms, Pairs).

%! constraint_add(+Name, +Left, +State0, -State)
%  The terms of the list Left are added to the left side of the constraint of this name.
constraint_add(Name, Left, linear(Cs0, Is), linear(Cs, Is)) :-
    must_be(list, Left),
    '$simplex_terms'(Left, Terms),
    '$simplex_add'(Cs0, Name, Terms, Cs).

'$simplex_add'([c(Name, Terms0, Kind, Right)|Cs0], Wanted, Terms, Cs) :-
    (   Name == name(Wanted)
    ->  append(Terms0, Terms, Terms1),
        Cs = [c(Name, Terms1, Kind, Right)|Cs0]
    ;   Cs = [c(Name, Terms0, Kind, Right)|Cs1],
        '$simplex_add'(Cs0, Wanted, Terms, Cs1)
    ).

%! maximize(+Objective, +State0, -State)
%  State is the program with the values for which the sum of the list Objective is greatest. Fails if there is none.
%  ?- gen_state(S0), constraint([3*x] =< 2, S0, S1), maximize([x], S1, S), variable_value(S, x, X).
%  X = 2r3.
maximize(Objective, State0, State) :-
    '$simplex_solve'(Objective, State0, 1, State).

%! minimize(+Objective, +State0, -State)
%  The same for the least sum.
minimize(Objective, State0, State) :-
    '$simplex_solve'(Objective, State0, -1, State).

'$simplex_solve'(Objective, linear(Cs0, Is), Sign, solved(Value, Values, Prices)) :-
    must_be(list, Objective),
    '$simplex_terms'(Objective, Terms),
    reverse(Cs0, Cs),
    findall(Variable,
            (   member(c(_, Left, _, _), Cs), member(Variable-_, Left)
            ;   member(Variable-_, Terms)
            ;   member(Variable, Is)
            ),
            Variables0),
    sort(Variables0, Variables),
    length(Variables, Count),
    End is Count-1,
    numlist(0, End, Numbers),
    pairs_keys_values(Pairs, Variables, Numbers),
    list_to_assoc(Pairs, Assoc),
    '$simplex_rows'(Cs, Assoc, Rows),
    '$simplex_numbered'(Terms, Assoc, Numbered),
    '$simplex_objective'(Numbers, Numbered, Sign, Coefficients),
    '$simplex_places'(Is, Assoc, Whole),
    '$linear_program'(Rows, Coefficients, Whole, best(Value0, Found, Prices0)),
    Value is Sign*Value0,
    pairs_keys_values(Values, Variables, Found),
    '$simplex_prices'(Cs, Prices0, Sign, Prices).

'$simplex_rows'([], _, []).
'$simplex_rows'([c(_, Left, Kind, Right)|Cs], Assoc, [row(Terms, Kind, Right)|Rows]) :-
    '$simplex_numbered'(Left, Assoc, Terms),
    '$simplex_rows'(Cs, Assoc, Rows).

'$simplex_numbered'([], _, []).
'$simplex_numbered'([Variable-Coefficient|Terms], Assoc, [Number-Coefficient|Numbered]) :-
    get_assoc(Variable, Assoc, Number),
    '$simplex_numbered'(Terms, Assoc, Numbered).

'$simplex_objective'([], _, _, []).
'$simplex_objective'([Number|Numbers], Terms, Sign, [Coefficient|Coefficients]) :-
    findall(C, member(Number-C, Terms), Cs),
    sum_list(Cs, Sum),
    Coefficient is Sign*Sum,
    '$simplex_objective'(Numbers, Terms, Sign, Coefficients).

'$simplex_places'([], _, []).
'$simplex_places'([Variable|Variables], Assoc, [Number|Numbers]) :-
    get_assoc(Variable, Assoc, Number),
    '$simplex_places'(Variables, Assoc, Numbers).

'$simplex_prices'([], [], _, []).
'$simplex_prices'([c(Name, _, _, _)|Cs], [Price0|Prices0], Sign, Prices) :-
    (   Name = name(Key)
    ->  Price is Sign*Price0,
        Prices = [Key-Price|Prices1]
    ;   Prices = Prices1
    ),
    '$simplex_prices'(Cs, Prices0, Sign, Prices1).

%! variable_value(+State, +Variable, -Value)
%  Value is that of Variable in a program that was solved; 0 if it has no such variable.
variable_value(solved(_, Values, _), Variable, Value) :-
    (   memberchk(Variable-Value0, Values)
    ->  Value = Value0
    ;   Value = 0
    ).

%! objective(+State, -Objective)
%  Objective is the sum that was maximized or minimized.
objective(solved(Objective, _, _), Objective).

%! shadow_price(+State, +Name, -Price)
%  Price is how much more the objective would be for each unit more on the right side of the constraint of this name.
%  ?- gen_state(S0), constraint(c, [2*x] =< 4, S0, S1), maximize([x], S1, S), shadow_price(S, c, P).
%  P = 1r2.
shadow_price(solved(_, _, Prices), Name, Price) :-
    memberchk(Name-Price0, Prices),
    Price = Price0.

%! transportation(+Supplies, +Demands, +Costs, -Transport)
%  Transport is a list of rows, how much goes from each supply to each demand, so that the costs are least: Costs has the cost of
%  a unit for each, as rows too.
%  ?- transportation([2,1], [1,2], [[1,5],[2,3]], T).
%  T = [[1,1],[0,1]].
transportation(Supplies, Demands, Costs, Transport) :-
    length(Supplies, Rows),
    length(Demands, Columns),
    length(Transport, Rows),
    findall(x(I,J)-C, ( nth1(I, Costs, Row), nth1(J, Row, C) ), Terms),
    findall(c(none, Left, =<, Supply),
            ( nth1(I, Supplies, Supply),
              findall(x(I,J)-1, between(1, Columns, J), Left) ),
            OfSupplies),
    findall(c(none, Left, =, Demand),
            ( nth1(J, Demands, Demand),
              findall(x(I,J)-1, between(1, Rows, I), Left) ),
            OfDemands),
    append(OfDemands, OfSupplies, Cs),
    findall(C*X, member(X-C, Terms), Objective),
    minimize(Objective, linear(Cs, []), solved(_, Values, _)),
    '$simplex_table'(Transport, 1, Columns, Values).

'$simplex_table'([], _, _, _).
'$simplex_table'([Row|Rows], I, Columns, Values) :-
    findall(V, ( between(1, Columns, J), memberchk(x(I,J)-V, Values) ), Row),
    I1 is I+1,
    '$simplex_table'(Rows, I1, Columns, Values).

%! assignment(+Costs, -Assignment)
%  Assignment is a table of 0 and 1 with a single 1 in each row and column, for which the sum of the Costs, a table too, is
%  least.
%  ?- assignment([[1,2],[3,1]], A).
%  A = [[1,0],[0,1]].
assignment(Costs, Assignment) :-
    length(Costs, Size),
    length(Ones, Size),
    maplist(=(1), Ones),
    transportation(Ones, Ones, Costs, Assignment).
