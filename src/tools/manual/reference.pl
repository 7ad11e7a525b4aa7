% reference.pl: what predicates do that are written in Rust, or are compiled in place.
% The form is that of the library; examples are run by `manual::tests`.

% Control

%! ','(:A, :B)
%  A and B.
%  ?- member(X, [1,2]), X > 1.
%  X = 2.

%! ;(:A, :B)
%  A or B.
%  ?- ( fail ; X = 1 ).
%  X = 1.

%! ->(:If, :Then)
%  The first answer of If, and then Then. (If -> Then ; Else) does Else when If has no answer.
%  ?- ( 1 < 2 -> X = yes ; X = no ).
%  X = yes.

%! *->(:If, :Then)
%  Every answer of If, and then Then. (If *-> Then ; Else) does Else when If has no answer.
%  ?- ( fail *-> X = yes ; X = no ).
%  X = no.

%! '|'(:A, :B)
%  As ;/2, for grammar rules.

%! !
%  The cut: keeps what was found so far; no other clause of this predicate, and no other
%  answer of the goals before it, is tried.
%  ?- member(X, [1,2]), !.
%  X = 1.

%! $
%  As the cut; and what stands behind it in the clause must have exactly one answer, else a
%  determinism_error is raised.

%! $(:Goal)
%  Goal, which must have exactly one answer, else determinism_error(Goal, det, Observed, goal) is raised.
%  ?- catch($(member(X, [1,2])), error(E, _), true).
%  E = determinism_error(member(1,[1,2]),det,nondet,goal).

%! \+(:Goal)
%  Goal has no answer. Binds nothing.
%  ?- \+ member(x, [a,b]).
%  true.

%! call(:Goal), call(:Goal, ?A1, ...)
%  The answers of Goal, with more arguments put behind its own.
%  ?- call(plus(1), 2, X).
%  X = 3.

%! catch(:Goal, ?Catcher, :Recovery)
%  As Goal; if it throws a ball that unifies with Catcher, Recovery is called instead.
%  ?- catch(throw(oops), Ball, true).
%  Ball = oops.

%! throw(+Ball)
%  Ends goals until a catch/3 takes the ball.
%  ?- catch(throw(a), a, true).
%  true.

%! reset(:Goal, ?Ball, -Continuation)
%  As Goal, with Continuation = 0; a shift/1 in it whose ball unifies with Ball leaves it, and
%  call(Continuation) does what was left to do in Goal behind that. Cuts in a
%  continuation are local to it. A findall/3 or a tabled call around the shift can't be left.
%  ?- reset((shift(a), X = 1), Ball, Continuation), call(Continuation).
%  X = 1, Ball = a.

%! shift(+Ball), shift_for_copy(+Ball)
%  Leaves the innermost reset/3 whose ball unifies with Ball, and hands it what is left to do.
%  ?- reset((member(X, [1,2]), shift(X)), Ball, _).
%  X = 1, Ball = 1.

%! engine_next(+Engine, -Term)
%  The next answer of an engine; fails if there is none, and then the engine is gone.
%  ?- engine_create(X, member(X, [a,b]), E), engine_next(E, A).
%  A = a.

%! engine_destroy(+Engine)
%  Ends an engine that is at rest.
%  ?- engine_create(x, true, E), engine_destroy(E).

%! engine_self(-Engine)
%  The engine whose goal this is part of; fails in others.
%  ?- engine_create(E, engine_self(E), _).

%! is_engine(+Term)
%  Term is an engine.
%  ?- engine_create(x, true, E), is_engine(E).

%! call_continuation(+Frames)
%  Goes on where a shift/1 left: what the continuations of reset/3 call.
%  ?- call_continuation([]).
%  true.

%! forall(:Condition, :Action)
%  Action has an answer for every answer of Condition. Binds nothing.
%  ?- forall(member(X, [1,2]), X > 0).
%  true.

%! true, otherwise
%  Is true.
%  ?- true.
%  true.

%! fail, false
%  Has no answer.
%  ?- \+ fail.
%  true.

%! halt, halt(+Status)
%  Ends zug, with a status for the shell.

% Comparison

%! =(?X, ?Y)
%  X and Y unify: they are made equal by binding variables.
%  ?- f(X, b) = f(a, Y).
%  X = a, Y = b.

%! \=(?X, ?Y)
%  X and Y do not unify.
%  ?- a \= b.
%  true.

%! unify_with_occurs_check(?X, ?Y)
%  As =/2, but never makes a term that contains itself.
%  ?- \+ unify_with_occurs_check(X, f(X)).
%  true.

%! unifiable(?X, ?Y, -Unifier)
%  X and Y unify, by the list Unifier of Variable = Value; nothing is bound.
%  ?- unifiable(f(X), f(a), L), L = [V = T].
%  T = a.

%! ==(?X, ?Y)
%  X and Y are the same term; nothing is bound.
%  ?- f(X) == f(X).
%  true.

%! \==(?X, ?Y)
%  X and Y are not the same term.
%  ?- X \== Y.
%  true.

%! =@=(?X, ?Y)
%  X and Y are variants: the same but for the names of variables.
%  ?- f(A, B) =@= f(C, D).
%  true.

%! \=@=(?X, ?Y)
%  X and Y are no variants.
%  ?- f(A, A) \=@= f(C, D).
%  true.

%! ?=(?X, ?Y)
%  It is decided whether X and Y are equal: they are the same, or can't be unified.
%  ?- ?=(a, b).
%  true.

%! same_term(?X, ?Y)
%  X and Y are one term in memory, or the same constant.
%  ?- same_term(a, a).
%  true.

%! @<(?X, ?Y)
%  X comes before Y in the standard order: variables, numbers, atoms, strings, compounds.
%  ?- 2 @< a.
%  true.

%! @>(?X, ?Y)
%  X comes behind Y in the standard order.
%  ?- b @> a.
%  true.

%! @=<(?X, ?Y)
%  X comes before Y in the standard order, or is the same.
%  ?- a @=< a.
%  true.

%! @>=(?X, ?Y)
%  X comes behind Y in the standard order, or is the same.
%  ?- f(a) @>= f(a).
%  true.

%! compare(?Order, ?X, ?Y)
%  Order is <, = or >, as X stands to Y in the standard order.
%  ?- compare(O, a, b).
%  O = (<).

%! subsumes_term(?General, ?Specific)
%  General can be made equal to Specific by binding variables of General alone.
%  ?- subsumes_term(f(_), f(a)).
%  true.

% Arithmetic

%! is(?Number, +Expression)
%  Number is the value of Expression, as 2 + 3 * 4.
%  ?- X is 2 + 3 * 4.
%  X = 14.

%! =:=(+X, +Y)
%  The values of the expressions X and Y are equal.
%  ?- 1 + 1 =:= 2.0.
%  true.

%! =\=(+X, +Y)
%  The values of the expressions X and Y are not equal.
%  ?- 1 =\= 2.
%  true.

%! <(+X, +Y)
%  The value of the expression X is less than that of Y.
%  ?- 1 < 2.
%  true.

%! >(+X, +Y)
%  The value of the expression X is greater than that of Y.
%  ?- 2 > 1.
%  true.

%! =<(+X, +Y)
%  The value of the expression X is less than that of Y, or equal.
%  ?- 2 =< 2.
%  true.

%! >=(+X, +Y)
%  The value of the expression X is greater than that of Y, or equal.
%  ?- 2 >= 2.
%  true.

%! between(+Low, +High, ?X)
%  X is an integer from Low to High, one after the other; High may be inf.
%  ?- findall(X, between(1, 3, X), L).
%  L = [1,2,3].

%! succ(?X, ?Y)
%  Y is X + 1; neither is less than 0.
%  ?- succ(X, 4).
%  X = 3.

%! plus(?X, ?Y, ?Z)
%  Z is X + Y; one of them may be unbound.
%  ?- plus(X, 2, 5).
%  X = 3.

%! set_random(+Option)
%  seed(S) begins random numbers anew, the same after the same S.

% Types

%! var(?X)
%  X is an unbound variable.
%  ?- var(X).
%  true.

%! nonvar(?X)
%  X is no unbound variable.
%  ?- nonvar(a).
%  true.

%! atom(?X)
%  X is an atom, as a, [] or 'two words'.
%  ?- atom(a).
%  true.

%! number(?X)
%  X is an integer or a float.
%  ?- number(1.5).
%  true.

%! integer(?X)
%  X is an integer.
%  ?- integer(1).
%  true.

%! rational(?X)
%  X is an integer or a rational number, as 1r3.
%  ?- X is 2 rdiv 6, rational(X).
%  X = 1r3.

%! rational(?X, -Numerator, -Denominator)
%  X is a rational number with these parts, which have no common divisor; the denominator of an integer is 1.
%  ?- X is 6 rdiv 4, rational(X, N, D).
%  X = 3r2, N = 3, D = 2.

%! float(?X)
%  X is a float.
%  ?- float(1.5).
%  true.

%! atomic(?X)
%  X is an atom, a number or a string.
%  ?- atomic("a").
%  true.

%! compound(?X)
%  X has a name and arguments, as f(a) or [a].
%  ?- compound(f(a)).
%  true.

%! callable(?X)
%  X is an atom or a compound term: it can be called.
%  ?- callable(f(a)).
%  true.

%! string(?X)
%  X is a string.
%  ?- string("abc").
%  true.

%! is_list(?X)
%  X is a list to its end.
%  ?- is_list([a,b]).
%  true.

%! ground(?X)
%  There is no unbound variable in X.
%  ?- ground(f(a)).
%  true.

%! nonground(?Term, ?Variable)
%  Variable is the first unbound variable in Term.
%  ?- nonground(f(a, X), V), V == X.
%  true.

%! acyclic_term(?X)
%  X does not contain itself.
%  ?- acyclic_term(f(a)).
%  true.

%! cyclic_term(?X)
%  X contains itself.
%  ?- X = f(X), cyclic_term(X).

%! is_dict(?X), blob(?X, ?Type)
%  Fails: there are no dicts and blobs.
%  ?- \+ is_dict(_).
%  true.

% Attributed variables

%! attvar(@X)
%  X is an unbound variable with attributes.
%  ?- put_attr(X, colours, [red]), attvar(X), del_attrs(X), \+ attvar(X).
%  true.

%! put_attr(+Variable, +Module, +Value)
%  Variable has this value for its attribute of Module, until this is backtracked over. When Variable
%  is bound, Module:attr_unify_hook(Value, Other) is called with what it is bound to;
%  Module:attribute_goals(Variable)//0 describes goals that say as much as the attribute.
%  ?- put_attr(X, colours, [red]), get_attr(X, colours, Cs), del_attrs(X).
%  Cs = [red].

%! get_attr(+Variable, +Module, -Value)
%  Value is the value of the attribute of Module; fails if there is none.
%  ?- \+ get_attr(_, colours, _).
%  true.

%! del_attr(+Variable, +Module)
%  Variable has no attribute of Module any more.
%  ?- put_attr(X, colours, [red]), del_attr(X, colours), \+ attvar(X).
%  true.

%! get_attrs(+Variable, -Attributes), put_attrs(+Variable, +Attributes), del_attrs(+Variable)
%  All attributes of a variable, as att(Module, Value, Others) and `[]` at the end: asked for, given in
%  place of others, taken away.
%  ?- put_attr(X, a, 1), put_attr(X, b, 2), get_attrs(X, As), del_attrs(X).
%  As = att(a,1,att(b,2,[])).

%! term_attvars(+Term, -Variables)
%  Variables is the list of the attributed variables of Term, and of those in their attributes.
%  ?- freeze(X, true), term_attvars(f(X,_), [V]), V = a.
%  X = a, V = a.

%! copy_term_nat(?Term, -Copy)
%  As copy_term/2, but the new variables have no attributes.
%  ?- freeze(X, fail), copy_term_nat(X, Y), Y = 1, del_attrs(X).
%  Y = 1.

% Constraints over integers: `:- use_module(library(clpfd)).`

%! #=(?X, ?Y), #\=(?X, ?Y), #<(?X, ?Y), #=<(?X, ?Y), #>(?X, ?Y), #>=(?X, ?Y)
%  The values of two integer expressions compare so; variables need not have values yet.  Expressions
%  have + - * // div mod rem rdiv ^ min max abs << >> /\ \/ xor \ msb lsb popcount.
%  ?- X #= 3 + 4, 10 #= Y + X.
%  X = 7, Y = 3.
%  ?- X #> 3, X #< 5.
%  X = 4.

%! in(?X, +Set)
%  X is one of a set of integers: L..U, with inf and sup for open ends, unions \/, complements \.
%  ?- X in 1..3, X #\= 2, X #> 1.
%  X = 3.

%! ins(+Xs, +Set)
%  Each variable of a list is one of a set.
%  ?- [X,Y] ins 0..1, X + Y #= 2.
%  X = 1, Y = 1.

%! #\(?P)
%  The constraint P does not hold.
%  ?- X in 1..2, #\ X #= 1.
%  X = 2.

%! #/\(?P, ?Q), #\/(?P, ?Q), #\(?P, ?Q)
%  Both constraints hold; one of them does; just one of them does.
%  ?- X in 0..9, X #> 4 #/\ X #< 6.
%  X = 5.

%! #==>(?P, ?Q), #<==(?P, ?Q), #<==>(?P, ?Q)
%  Q follows from P; P follows from Q; both hold or neither.  A variable that stands for a constraint is
%  1 if it holds, and 0 if not.
%  ?- X in 5..9, X #> 4 #<==> B.
%  B = 1.

%! scalar_product(+Cs, +Xs, +Relation, ?Expr)
%  The sum of variables times integers is in Relation (#=, #\=, #<, #=<, #>, #>=) to Expr.
%  ?- scalar_product([2,3], [X,1], #=, 7).
%  X = 2.

%! sat(+Expression)
%  library(clpb): the Boolean Expression holds, of 0, 1, variables, atoms for what may be 0 or 1, ~E, E+F, E*F, E#F, E=:=F,
%  E=\=F, E=<F, E>=F, E<F, E>F, X^E, card(Numbers, Es), +Es and *Es for lists Es. Variables with one value get it.
%  ?- sat(X*Y).
%  X = 1, Y = 1.

%! taut(+Expression, ?Truth)
%  library(clpb): with all constraints Expression is always 1, or always 0; fails if it may be both.
%  ?- sat(X*Y), taut(X+Y, T).
%  T = 1, X = 1, Y = 1.

%! all_different(+Xs), all_distinct(+Xs)
%  No two of the variables have the same value.  all_distinct/1 finds all that follows; all_different/1
%  what follows of values that are known, which is quicker.
%  ?- [X,Y] ins 1..2, all_distinct([X,Y]), X #> Y.
%  X = 2, Y = 1.

%! tuples_in(+Tuples, +Relation)
%  Each tuple, a list of variables, is one of the rows of Relation, lists of integers.
%  ?- tuples_in([[X,Y]], [[1,2],[1,3],[2,3]]), X #> 1.
%  X = 2, Y = 3.

%! element(?I, +Xs, ?X)
%  X is the element of the list at place I, counted from 1.
%  ?- element(I, [3,5,7], 5).
%  I = 2.

%! global_cardinality(+Xs, +Pairs), global_cardinality(+Xs, +Pairs, +Options)
%  Each variable has one of the keys of Pairs, Key-Count, and each key is the value of so many.  Options:
%  consistency(value), which is quicker and finds less; cost(Cost, Matrix), the sum of what the values of
%  variables cost by the rows of Matrix.
%  ?- global_cardinality([X,1], [1-1,2-1]).
%  X = 2.

%! circuit(+Xs)
%  The variables are the successors of 1, 2, ... along one circuit through all of them.
%  ?- circuit([X,Y]).
%  X = 2, Y = 1.

%! lex_chain(+Lists)
%  Each list is at most the next one, in lexicographic order.
%  ?- [X,Y] ins 0..1, lex_chain([[1,1],[X,Y]]).
%  X = 1.

%! serialized(+Starts, +Durations)
%  Tasks with these starts and durations do not overlap.
%  ?- X in 0..3, serialized([0,X], [3,1]).
%  X = 3.

%! cumulative(+Tasks), cumulative(+Tasks, +Options)
%  Tasks task(Start, Duration, End, Demand, Name) never need more together than limit(L) says, which is 1.
%  ?- X in 0..2, cumulative([task(0,2,_,1,a), task(X,1,_,1,b)], [limit(1)]).
%  X = 2.

%! disjoint2(+Rectangles)
%  Rectangles name(X, Width, Y, Height) do not overlap.
%  ?- X in 0..1, disjoint2([r(0,1,0,1), r(X,1,0,1)]).
%  X = 1.

%! fd_var(@X)
%  X is a variable with constraints.
%  ?- X in 1..3, fd_var(X), X = 1.
%  X = 1.

%! fd_inf(+X, -Least), fd_sup(+X, -Greatest), fd_size(+X, -Count), fd_dom(+X, -Set), fd_degree(+X, -Count)
%  What is known of the values of X: the least, the greatest, how many there are, their set; and how many
%  constraints X was posted in.
%  ?- X in 1..3, fd_size(X, N), X = 1.
%  X = 1, N = 3.

%! fd_set(+X, -Set), in_set(?X, +Set)
%  Set is the set of values that X can still have, as a term; and X has one of the values of Set.
%  ?- X in 1..3, fd_set(X, S), Y in_set S, X = 1, Y = 2.
%  X = 1, S = from_to(n(1), n(3)), Y = 2.

%! list_to_fdset(+List, -Set), range_to_fdset(+Range, -Set), fdset_to_range(+Set, -Range)
%  Sets of the integers of a list, and of a range as in/2 takes it.
%  ?- list_to_fdset([3,1,2], S), fdset_to_range(S, R).
%  S = from_to(n(1), n(3)), R = 1..3.

%! is_fdset(@Set), fdset_eq(+Set1, +Set2), fdset_subset(+Set1, +Set2), fdset_disjoint(+Set1, +Set2), fdset_intersect(+Set1, +Set2)
%  Set is a set of integers; two have the same elements; the second has those of the first; they have none in
%  common, or some.
%  ?- list_to_fdset([1], S), range_to_fdset(0..2, T), fdset_subset(S, T).
%  S = from_to(n(1), n(1)), T = from_to(n(0), n(2)).

%! fdset_min(+Set, -Least), fdset_max(+Set, -Greatest), fdset_size(+Set, -Count)
%  The least element of a set, the greatest, and how many there are; inf or sup where there is no end.
%  ?- range_to_fdset(2..sup, S), fdset_min(S, Min), fdset_max(S, Max).
%  S = from_to(n(2), sup), Min = 2, Max = sup.

%! fdset_interval(?Set, ?Min, ?Max), fdset_parts(?Set, ?Min, ?Max, ?Rest)
%  Set is all integers from Min to Max; or these, and the set Rest of greater ones behind a gap.
%  ?- fdset_interval(S, 1, 3), fdset_size(S, N).
%  S = from_to(n(1), n(3)), N = 3.

%! fdset_add_element(+Set, +Element, -Set2), fdset_del_element(+Set, +Element, -Set2)
%  Set2 is Set with an element more, or without it.
%  ?- fdset_interval(S, 1, 3), fdset_del_element(S, 3, T).
%  S = from_to(n(1), n(3)), T = from_to(n(1), n(2)).

%! fdset_union(+Set1, +Set2, -Union), fdset_intersection(+Set1, +Set2, -Both), fdset_subtract(+Set1, +Set2, -Rest), fdset_complement(+Set, -Others)
%  What is in either set, in both, in the first and not in the second, and all integers that are not in a set.
%  ?- fdset_interval(S, 1, 4), fdset_interval(T, 3, 9), fdset_intersection(S, T, U).
%  S = from_to(n(1), n(4)), T = from_to(n(3), n(9)), U = from_to(n(3), n(4)).

% Terms

%! functor(?Term, ?Name, ?Arity)
%  Term has this name and number of arguments.
%  ?- functor(f(a,b), N, A).
%  N = f, A = 2.

%! =..(?Term, ?List)
%  List is the name of Term and its arguments.
%  ?- T =.. [f,a,b].
%  T = f(a,b).

%! compound_name_arity(?Term, ?Name, ?Arity)
%  As functor/3 for compound terms, f() among them.
%  ?- compound_name_arity(f(a), N, A).
%  N = f, A = 1.

%! compound_name_arguments(?Term, ?Name, ?Arguments)
%  As =../2 for compound terms.
%  ?- compound_name_arguments(T, f, [a]).
%  T = f(a).

%! copy_term(?Term, -Copy), duplicate_term(?Term, -Copy)
%  Copy is Term with new variables, which have the attributes that those of Term have.
%  ?- copy_term(f(X, X, a), f(1, Y, Z)).
%  Y = 1, Z = a.

%! term_variables(?Term, -Variables), term_variables(?Term, -Variables, ?Tail)
%  Variables is the list of the unbound variables of Term, each once.
%  ?- term_variables(f(X, Y, X), Vs), length(Vs, N).
%  N = 2.

%! setarg(+N, +Term, +Value)
%  Replaces argument N of Term; undone on backtracking.
%  ?- T = f(a), setarg(1, T, b).
%  T = f(b).

%! nb_setarg(+N, +Term, +Value)
%  Replaces argument N of Term by a copy of Value; not undone on backtracking.
%  ?- T = f(a), ( nb_setarg(1, T, b), fail ; true ).
%  T = f(b).

%! numbervars(?Term), numbervars(?Term, +Start, -End)
%  Binds the variables of Term to '$VAR'(Start), …, which are written as A, B, ….
%  ?- T = f(X, Y), numbervars(T, 0, End).
%  End = 2.

%! term_size(?Term, -Cells)
%  How many words of memory Term takes.

%! term_hash(?Term, -Hash)
%  Hash is a number for Term, the same for the same term; unbound if Term has variables.
%  ?- term_hash(f(a), H1), term_hash(f(a), H2), H1 == H2.

% Atoms, strings, characters

%! atom_length(+Text, ?Length)
%  Length is the number of characters of Text.
%  ?- atom_length(abc, N).
%  N = 3.

%! atom_chars(?Atom, ?Chars)
%  Chars is the list of the characters of Atom.
%  ?- atom_chars(A, [a,b]).
%  A = ab.

%! atom_codes(?Atom, ?Codes)
%  Codes is the list of the character codes of Atom.
%  ?- atom_codes(A, [97,98]).
%  A = ab.

%! char_code(?Char, ?Code)
%  Code is the code of the character Char.
%  ?- char_code(a, C).
%  C = 97.

%! number_chars(?Number, ?Chars)
%  Chars is the list of the characters of Number.
%  ?- number_chars(N, ['4','2']).
%  N = 42.

%! number_codes(?Number, ?Codes)
%  Codes is the list of the character codes of Number.
%  ?- atom_codes('42', Cs), number_codes(N, Cs).
%  N = 42.

%! atom_number(?Atom, ?Number)
%  Number is what Atom reads as; fails if that is no number.
%  ?- atom_number('42', N).
%  N = 42.

%! name(?Constant, ?Codes)
%  Codes are the character codes of an atom or a number; of both, a number is preferred.
%  ?- atom_codes('42', Cs), name(X, Cs).
%  X = 42.

%! upcase_atom(+Text, -Atom)
%  Atom is Text in capital letters.
%  ?- upcase_atom(abc, A).
%  A = 'ABC'.

%! downcase_atom(+Text, -Atom)
%  Atom is Text in small letters.
%  ?- downcase_atom('ABC', A).
%  A = abc.

%! atom_string(?Atom, ?String)
%  String has the text of Atom.
%  ?- atom_string(A, "abc").
%  A = abc.

%! atomic_list_concat(+Parts, ?Atom), atomic_list_concat(?Parts, +Separator, ?Atom)
%  Atom is all Parts together, with Separator between them. Atom may be taken apart, too.
%  ?- atomic_list_concat(Parts, '-', 'a-b-c').
%  Parts = [a,b,c].

%! atomics_to_string(+Parts, -String)
%  String is all Parts together.
%  ?- atomics_to_string([a,1], S).
%  S = "a1".

%! string_length(+Text, ?Length)
%  Length is the number of characters of Text.
%  ?- string_length("abc", N).
%  N = 3.

%! string_chars(?String, ?Chars)
%  Chars is the list of the characters of String.
%  ?- string_chars(S, [a,b]).
%  S = "ab".

%! string_codes(?String, ?Codes)
%  Codes is the list of the character codes of String.
%  ?- string_codes(S, [97,98]).
%  S = "ab".

%! string_to_atom(?String, ?Atom)
%  Atom has the text of String.
%  ?- string_to_atom("abc", A).
%  A = abc.

%! string_code(+Index, +String, -Code)
%  Code is that of character Index of String, counted from 1.
%  ?- string_code(1, "abc", C).
%  C = 97.

%! number_string(?Number, ?String)
%  Number is what String reads as; white space around it does not matter.
%  ?- number_string(N, " 42 ").
%  N = 42.

%! string_number(+String, -Number)
%  Number is what String reads as.
%  ?- string_number("42", N).
%  N = 42.

%! string_lower(+Text, -String)
%  String is Text in small letters.
%  ?- string_lower("ABC", S).
%  S = "abc".

%! string_upper(+Text, -String)
%  String is Text in capital letters.
%  ?- string_upper("abc", S).
%  S = "ABC".

%! text_to_string(+Text, -String)
%  String is Text: an atom, a string, or a list of characters or codes.
%  ?- text_to_string(abc, S).
%  S = "abc".

%! split_string(+Text, +Separators, +Padding, -Parts)
%  Parts are the strings between the characters Separators, without those of Padding at both ends.
%  ?- split_string("a, b", ",", " ", Parts).
%  Parts = ["a","b"].

%! read_string(+Stream, ?Length, -String)
%  String is what Stream still has, Length characters at most if that is bound.

%! term_to_atom(?Term, ?Atom)
%  Atom is Term as text, or Term what Atom reads as.
%  ?- term_to_atom(f(X, a), A), atom(A).

%! term_string(?Term, ?String), term_string(?Term, ?String, +Options)
%  String is Term as text, or Term what String reads as.
%  ?- term_string(T, "f(a)").
%  T = f(a).

%! atom_to_term(+Text, -Term, -Bindings)
%  Term is what Text reads as, Bindings the list of its variables as Name = Variable.
%  ?- atom_to_term('f(X,a)', T, [N = x]).
%  T = f(x,a), N = 'X'.

% Lists

%! memberchk(?X, ?List)
%  The first way in which X is an element of List.
%  ?- memberchk(b, [a,b,c]).
%  true.

%! numlist(+Low, +High, -List)
%  List has the integers from Low to High.
%  ?- numlist(1, 3, L).
%  L = [1,2,3].

%! sum_list(+Numbers, -Sum), sumlist(+Numbers, -Sum)
%  Sum is the sum of Numbers.
%  ?- sum_list([1,2,3], S).
%  S = 6.

%! max_list(+Numbers, -Greatest)
%  Greatest is the greatest of Numbers; fails if there is none.
%  ?- max_list([1,3,2], X).
%  X = 3.

%! min_list(+Numbers, -Least)
%  Least is the least of Numbers; fails if there is none.
%  ?- min_list([2,1,3], X).
%  X = 1.

%! list_to_set(+List, -Set)
%  Set is List with the first of equal elements only.
%  ?- list_to_set([b,a,b], S).
%  S = [b,a].

%! sort(+List, -Sorted)
%  Sorted is List in standard order, equal elements once.
%  ?- sort([b,a,b], L).
%  L = [a,b].

%! sort(+Key, +Order, +List, -Sorted)
%  Sorts by argument Key of the elements, 0 for the elements themselves. Order is @< or @>,
%  without equal ones, or @=< or @>=, with them.
%  ?- sort(0, @>=, [1,3,2,3], L).
%  L = [3,3,2,1].

%! msort(+List, -Sorted)
%  Sorted is List in standard order.
%  ?- msort([b,a,b], L).
%  L = [a,b,b].

%! keysort(+Pairs, -Sorted)
%  Sorts Key-Value pairs by their keys; pairs of equal keys stay in their order.
%  ?- keysort([b-1,a-2], L).
%  L = [a-2,b-1].

% Clauses

%! assertz(+Clause), assert(+Clause)
%  Adds a clause behind the others of its predicate, which becomes dynamic.
%  ?- assertz(p(1)), p(X).
%  X = 1.

%! asserta(+Clause)
%  Adds a clause before the others of its predicate, which becomes dynamic.

%! assert(+Clause, -Reference), assertz(+Clause, -Reference)
%  As assertz/1; Reference is the clause's own, for clause/3, erase/1 and instance/2.
%  ?- assertz(p(1), R), erase(R), \+ p(_).

%! asserta(+Clause, -Reference)
%  As asserta/1; Reference is the clause's own.

%! retractall(+Head)
%  Removes all clauses whose head unifies with Head.

%! abolish(+Indicator)
%  Removes a predicate, as Name/Arity.

%! dynamic(+Indicators)
%  Declares predicates whose clauses are added and removed: `:- dynamic p/1, q/2.`

%! discontiguous(+Indicators)
%  Declares predicates whose clauses need not stand together.

%! multifile(+Indicators)
%  Declares predicates whose clauses may come from several files.

%! det(+Indicators)
%  Declares predicates that must have exactly one answer: a call that fails, or leaves a choice point, raises
%  determinism_error(Indicator, det, Observed, property).
%  ?- det(p/1), assertz(p(1)), catch(p(2), error(E, _), true).
%  E = determinism_error(p/1,det,fail,property).

%! module_transparent(+Indicators), public(+Indicators), volatile(+Indicators)
%  Accepted, without effect.

%! meta_predicate(+Heads)
%  As a directive: arguments 0 to 9, ^ and // of these heads are goals, or get that many arguments to be goals; those of
%  callers in another module are called there.

%! vm_list(:Indicator)
%  Writes the instructions of a predicate's code.

%! erase(+Reference)
%  Removes the clause or the recorded term of a reference.

%! instance(+Reference, -Term)
%  Term is the clause or the recorded term of a reference.

% Memory of the program

%! nb_setval(+Name, +Value), b_setval(+Name, +Value)
%  Gives the global variable Name a value; b_setval/2 until backtracking.
%  ?- nb_setval(n, 1), nb_getval(n, X).
%  X = 1.

%! nb_getval(+Name, -Value), b_getval(+Name, -Value)
%  Value is that of the global variable Name.

%! flag(+Key, -Old, +New)
%  Old is the value of a counter, 0 at first; New, an expression, becomes its value.
%  ?- flag(n, Old, Old + 1), flag(n, X, X).
%  Old = 0, X = 1.

%! recorda(+Key, +Term), recorda(+Key, +Term, -Reference)
%  Records Term under Key, before the others.

%! recordz(+Key, +Term), recordz(+Key, +Term, -Reference)
%  Records Term under Key, behind the others.

% Loading

%! exists_source(+Source)
%  There is such a file, or such a library, as library(lists).
%  ?- exists_source(library(lists)).
%  true.

%! consult(+Files)
%  Loads a rule file, or each of a list; as [File].

%! '.'(+File, +Files)
%  As consult/1: what `[File].` calls.

%! use_base(+File)
%  Has solve_game/3, best_move/3, winning/2, astar/2 and others answer from a base of the rules
%  that are loaded, which `zug solve FILE --save BASE` made; what is not in it is searched.

%! ensure_loaded(+File), use_module(+File), use_module(+File, +Imports), autoload(+File), autoload(+File, +Imports)
%  Loads a file that is not loaded yet, and imports what it exports, if it is a module: all, a list of
%  Name/Arity and Name/Arity as Other, or except(List). The library is always there.

%! reexport(+File), reexport(+File, +Imports)
%  As use_module; the module that says so exports what it imports.

%! load_files(+Files, +Options)
%  As consult/1.

%! include(+File)
%  In a file: the text of another file takes the place of the directive.

%! make
%  Loads again the files that have changed.

%! initialization(:Goal)
%  In a file: Goal is called when the file is loaded.

%! prolog_load_context(?Key, -Value)
%  What is being loaded: source, file, directory, stream.

%! module(+Name, +Exports)
%  At the beginning of a file: it is a module, whose predicates are its own. Exports has those that others get,
%  Name/Arity, and operators, op(P, T, Name).

%! export(+Indicators), import(+Indicators)
%  Adds to what the module of the file exports; imports Module:Name/Arity.

%! context_module(-Module)
%  The module that the goal stands in.
%  ?- context_module(M).
%  M = user.

%! strip_module(+Term, -Module, -Plain)
%  Term is Module:Plain, or Plain in the module that the goal stands in.
%  ?- strip_module(m:p(X), M, G).
%  M = m, G = p(X).

%! style_check(+Option), license(+Terms), expects_dialect(+Dialect), encoding(+Encoding), set_stream_encoding(+Encoding)
%  In a file: taken, without effect.

%! dcg_translate_rule(+Rule, -Clause)
%  Clause is the grammar rule Rule, Head --> Body, as a clause.
%  ?- dcg_translate_rule((a --> b), C).
%  C = (a(S0,S) :- b(S0,S)).

%! op(+Priority, +Type, +Names)
%  Makes Names operators: Type is xfx, xfy, yfx, fy, fx, xf or yf, a priority of 0 removes them.

%! char_conversion(+From, +To)
%  To stands for From when text is read; without effect unless a flag says so.

% Writing

%! write(?Term), write(+Stream, ?Term)
%  Writes a term, without quotes.
%  ?- write('A b'), nl.
%  A b
%  true.

%! writeln(?Term), writeln(+Stream, ?Term)
%  Writes a term, without quotes, and ends the line.

%! writeq(?Term), writeq(+Stream, ?Term)
%  Writes a term with the quotes that it needs to be read again.
%  ?- writeq('A b'), nl.
%  'A b'
%  true.

%! write_canonical(?Term), write_canonical(+Stream, ?Term)
%  Writes a term with quotes, and without operators.

%! write_term(?Term, +Options), write_term(+Stream, ?Term, +Options)
%  Writes a term; options are quoted(true), ignore_ops(true), max_depth(N), numbervars(true), ….

%! write_length(?Term, -Length, +Options)
%  Length is the number of characters that write_term/2 would write.
%  ?- write_length(abc, N, []).
%  N = 3.

%! portray_clause(?Clause), portray_clause(+Stream, ?Clause)
%  Writes a clause as one stands in a file.

%! nl, nl(+Stream)
%  Ends the line.

%! put_char(+Char), put_char(+Stream, +Char)
%  Writes a character.

%! put_code(+Code), put_code(+Stream, +Code)
%  Writes the character of a code.

%! put_byte(+Byte), put_byte(+Stream, +Byte)
%  Writes a byte to a binary stream.

%! flush_output, flush_output(+Stream), ttyflush
%  Sends what was written on its way.

% Reading

%! read(-Term), read(+Stream, -Term)
%  Reads a term up to its full stop; end_of_file at the end.

%! read_term(-Term, +Options), read_term(+Stream, -Term, +Options)
%  As read/1; options are variable_names(Vs), variables(Vs), ….

%! get_char(-Char), get_char(+Stream, -Char)
%  Reads a character; end_of_file at the end.

%! peek_char(-Char), peek_char(+Stream, -Char)
%  The next character, which is still there to be read.

%! get_code(-Code), get_code(+Stream, -Code), get0(-Code), get0(+Stream, -Code)
%  Reads a character as its code; -1 at the end.

%! peek_code(-Code), peek_code(+Stream, -Code)
%  The code of the next character, which is still there to be read.

%! get_byte(-Byte), get_byte(+Stream, -Byte)
%  Reads a byte of a binary stream; -1 at the end.

%! peek_byte(-Byte), peek_byte(+Stream, -Byte)
%  The next byte, which is still there to be read.

%! get(-Code), get(+Stream, -Code)
%  Reads the next character that is no white space, as its code.

%! skip(+Char), skip(+Stream, +Char)
%  Reads up to a character, given as a character or a code.

%! read_line_to_string(+Stream, -String)
%  Reads a line without its end; end_of_file at the end.

%! read_line_to_codes(-Codes), read_line_to_codes(+Stream, -Codes), read_line_to_codes(+Stream, -Codes, ?Tail)
%  Reads a line as codes, with a tail together with its end; end_of_file at the end.

%! read_stream_to_codes(+Stream, -Codes), read_stream_to_codes(+Stream, -Codes, ?Tail)
%  Reads all that a stream still has, as codes.

%! prompt(-Old, +New)
%  What is shown where a program reads from the terminal.

% Streams

%! open(+File, +Mode, -Stream), open(+File, +Mode, -Stream, +Options)
%  Opens a file; Mode is read, write, append or update. Options are alias(A), type(binary), encoding(E), bom(true) for a
%  byte order mark, reposition(false), eof_action(A), buffer(B).

%! open_string(+Text, -Stream)
%  Opens a text to read from.
%  ?- open_string("f(a).", S), read(S, T), close(S).

%! close(+Stream), close(+Stream, +Options)
%  Closes a stream.

%! current_input(-Stream), current_output(-Stream)
%  The stream that is read from, or written to, where none is named.

%! set_input(+Stream), set_output(+Stream)
%  Reads from this stream, or writes to it, where none is named.

%! is_stream(?X)
%  X is an open stream, or the alias of one.
%  ?- is_stream(user_input).
%  true.

%! set_stream(+Stream, +Property)
%  Changes a stream: alias(A), eof_action(A), encoding(E), ….

%! at_end_of_stream, at_end_of_stream(+Stream)
%  There is nothing more to read.

%! set_stream_position(+Stream, +Position)
%  Goes to a place of a stream, as stream_property/2 gave it.

%! character_count(+Stream, -N), byte_count(+Stream, -N)
%  How many characters, or bytes, were read or written.

%! line_count(+Stream, -N), line_position(+Stream, -N)
%  The line a stream is at, from 1, and how many characters of it are done.

%! see(+File), seen, seeing(-Stream)
%  Reads from a file; ends that; what is read from.

%! tell(+File), append(+File), told, telling(-Stream)
%  Writes to a file, from its start or behind its end; ends that; what is written to.

% Files and the system

%! exists_file(+File), exists_directory(+Directory)
%  There is such a file, or such a folder.

%! delete_file(+File), delete_directory(+Directory)
%  Removes a file, or an empty folder.

%! rename_file(+Old, +New)
%  Gives a file another name.

%! make_directory(+Directory)
%  Makes a folder.

%! directory_files(+Directory, -Names)
%  Names are the files and folders in a folder.

%! size_file(+File, -Bytes), time_file(+File, -Stamp)
%  The size of a file, and when it was last changed, in seconds since 1970.

%! tmp_file(+Base, -File)
%  File is a name for a new file that nobody else uses.

%! working_directory(-Old, +New)
%  Changes the folder from which names of files start.

%! absolute_file_name(+File, -Path), absolute_file_name(+File, -Path, +Options)
%  Path is File from the root of the file system on.

%! file_base_name(+Path, -Name), file_directory_name(+Path, -Directory)
%  The last part of a path, and all before it.
%  ?- file_base_name('/a/b.pl', N), file_directory_name('/a/b.pl', D).
%  N = 'b.pl', D = '/a'.

%! file_name_extension(?Base, ?Extension, ?Name)
%  Name is Base, a dot, and Extension.
%  ?- file_name_extension(B, E, 'a.pl').
%  B = a, E = pl.

%! shell(+Command), shell(+Command, -Status)
%  Runs a command of the shell.

%! getenv(+Name, -Value), setenv(+Name, +Value), unsetenv(+Name)
%  Variables of the environment.

%! sleep(+Seconds)
%  Waits.

%! get_time(-Stamp)
%  Seconds since 1970.

%! statistics(+Key, -Value)
%  What the session took: runtime, cputime, walltime, inferences, ….
%  ?- statistics(inferences, N), integer(N).

%! set_prolog_flag(+Flag, +Value), create_prolog_flag(+Flag, +Value, +Options)
%  Changes a flag, as double_quotes; makes a new one.

%! garbage_collect, garbage_collect_atoms, trim_stacks, set_prolog_stack(+Stack, +Limit)
%  Without effect: zug sees to its memory by itself.

% Help

%! help, help(+Topic)
%  Explains a predicate, as help(append/3) or help(append), an engine, as help(astar), or a
%  part of the contract of rule files, as help(rule/4). Your own predicates are explained
%  by the comment above them.

%! apropos(+Text)
%  Lists predicates and engines that have Text in their name or description.

% Grading

%! expect(+What), expect(+Instance, +What), expect(+What, points(+N)), expect(+Instance, +What, points(+N))
%  As a directive: what should come out of this file, which `zug batch --expect` checks; it is
%  worth N points, or 1. What is solved, unsolvable, cost(C), moves(N), plan(Moves), value(V),
%  best(Move), true, false, answers(List), error(E), or how else a result may end. Instance is
%  the name of an instance, a query, or a number from 1; without it the first is meant.
%  ?- expect(easy, cost(5), points(2)).
%  true.

% Debugging

%! trace, notrace
%  Switches the four-port tracer on, and off.

%! tracing
%  The tracer is on.

%! debug, nodebug, debugging
%  Lets spy points stop, lets them be; writes which there are.

%! nospyall
%  Takes all spy points away.

%! nowatch_states
%  Ends what watch_state/1 began.

% Tabling

%! abolish_all_tables
%  Forgets the answers of all tabled predicates: after the facts that they rest on changed.
%  ?- abolish_all_tables.
%  true.

% Unit tests

%! begin_tests(+Unit), begin_tests(+Unit, +Options)
%  As a directive: the clauses up to end_tests(Unit) are tests, test(Name) :- Body or
%  test(Name, Options) :- Body, and their helpers, a name space of their own.  Options
%  lists setup(Goal), cleanup(Goal), condition(Goal), blocked(Why).
%
%      :- begin_tests(arithmetic).
%      test(add, X =:= 4) :- X is 2 + 2.
%      :- end_tests(arithmetic).

%! end_tests(+Unit)
%  As a directive: ends the unit of tests that begin_tests(Unit) began.
