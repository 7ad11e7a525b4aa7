% Negation of tabled goals that depends on itself: the well-founded model, or an error.

% A position is won that has a move to one that is not.
:- table wins/1.
wins(X) :- edge(X, Y), \+ wins(Y).

% a and b go round; b's other move is to a won position.
edge(a, b). edge(b, a). edge(b, c). edge(c, d).
% e and f go round, but f wins at once.
edge(e, f). edge(f, e). edge(f, g).
% h loses: both its moves lead to won positions, one of which goes round by it.
edge(h, i). edge(h, c). edge(i, h). edge(i, g).

:- table wins_by_cut/1.
wins_by_cut(X) :- edge(X, Y), not_won(Y).
not_won(X) :- wins_by_cut(X), !, fail.
not_won(_).

:- table wins_by_list/1.
wins_by_list(X) :- edge(X, Y), findall(Y, wins_by_list(Y), []).

:- table wins_by_else/1.
wins_by_else(X) :- edge(X, Y), ( wins_by_else(Y) -> fail ; true ).

%? wins(a).
%! error(permission_error(negate,tabled_procedure,wins/1))
%? wins(b).
%! error(permission_error(negate,tabled_procedure,wins/1))
%? wins(_).
%! error(permission_error(negate,tabled_procedure,wins/1))
%? wins(c), \+ wins(d).
%= true
%? wins(f), \+ wins(e).
%= true
%? \+ wins(h), wins(i).
%= true
%? abolish_all_tables, wins(i), \+ wins(h).
%= true
%? wins_by_cut(f), \+ wins_by_cut(e), wins_by_cut(i), \+ wins_by_cut(h).
%= true
%? wins_by_cut(a).
%! error(permission_error(negate,tabled_procedure,wins_by_cut/1))
%? wins_by_list(f), \+ wins_by_list(e), wins_by_list(i), \+ wins_by_list(h).
%= true
%? wins_by_list(b).
%! error(permission_error(collect,tabled_procedure,wins_by_list/1))
%? wins_by_else(c), wins_by_else(f), \+ wins_by_else(e).
%= true
%? wins_by_else(a).
%! error(permission_error(negate,tabled_procedure,wins_by_else/1))
% After an error, with a table of which some is known.
%? catch(wins(a), error(permission_error(_, _, _), _), true), wins(c).
%= true

% Two predicates, and an unfounded loop beside them.
:- table p/0, q/0, r/0, s/0.
p :- \+ q.
q :- r.
r :- s.
s :- r.

%? p, \+ q, \+ r.
%= true

% A number of answers that changes the answers.
:- table item/1, size/1.
item(a).
item(b) :- size(N), N < 2.
size(N) :- aggregate_all(count, item(_), N).

%? item(b).
%! error(permission_error(collect,tabled_procedure,item/1))
%? size(_).
%! error(permission_error(collect,tabled_procedure,item/1))

% Cuts and conditions over calls that come back to themselves, and need no more than one answer.
:- table reach/2.
arc(1, 2). arc(2, 1). arc(2, 3). arc(3, 4). arc(4, 2).
reach(X, X).
reach(X, Y) :- first_step(X, Y).
first_step(X, Y) :- arc(X, Z), reach(Z, Y), !.

:- table meets/2.
meets(X, X).
meets(X, Y) :- once(( arc(X, Z), meets(Z, Y) )).
meets(X, Y) :- arc(Y, Z), ( meets(X, Z) -> true ).

%? reach(1, 4), reach(4, 1), reach(3, 3), \+ reach(1, 5).
%= true
%? meets(1, 4), meets(4, 1), \+ meets(5, 1).
%= true

% What is negated does not come back.
:- table path/2, apart/2.
path(X, Y) :- arc(X, Y).
path(X, Y) :- path(X, Z), arc(Z, Y).
apart(X, Y) :- member(X, [1, 4, 5]), member(Y, [1, 4, 5]), \+ path(X, Y).

%? findall(X-Y, apart(X, Y), L).
%= X = _, Y = _, L = [1-5,4-5,5-1,5-4,5-5]

% Conditions within conditions, a cut behind a negation, and a ball in the place of a cut.
:- table doubly/0, each/0, cut/1, thrown/0.
doubly :- \+ \+ doubly.
each :- forall(true, each).
cut(X) :- \+ cut(X), !, fail.
cut(_).
thrown :- catch(( thrown, throw(found) ; true ), found, fail).

%? doubly.
%! error(permission_error(negate,tabled_procedure,doubly/0))
%? each.
%! error(permission_error(negate,tabled_procedure,each/0))
%? cut(1).
%! error(permission_error(negate,tabled_procedure,cut/1))
%? thrown.
%! error(permission_error(negate,tabled_procedure,thrown/0))

% Passes end although tables are abolished in them.
:- table ends/0, fact/0, also/0.
ends :- abolish_all_tables, fact, \+ ends.
fact :- also.
fact.
also :- abolish_all_tables, \+ fact.

%? ends.
%! error(permission_error(negate,tabled_procedure,ends/0))
%? fact, \+ also.
%= true

% The first answer of a condition depends on whether it is asked for.
:- table once_by/1, once_after/1.
choice(1, a). choice(2, b).
ok(1, Goal) :- call(Goal).
ok(2, _).
once_by(V) :- ( member(X, [1,2]), choice(X, W), ok(X, once_by(b)) -> true ; fail ), V = W.
once_after(V) :- member(X, [1,2]), choice(X, W), ok(X, once_after(b)), !, V = W.

%? once_by(b).
%! error(permission_error(negate,tabled_procedure,once_by/1))
%? once_by(_).
%! error(permission_error(negate,tabled_procedure,once_by/1))
%? once_after(b).
%! error(permission_error(negate,tabled_procedure,once_after/1))

% A branch that is given up leaves nothing in a bag around it.
:- table bag_p/0, bag_q/0.
bag_p.
bag_p :- findall(x, \+ bag_q, [_]).
bag_q :- \+ bag_p.

%? findall(ok, bag_q, L).
%= L = []
%? bagof(Z, ( member(Z, [1,2]), ( bag_q ; true ) ), L).
%= Z = _, L = [1,2]

% It has no effects.
:- dynamic noted/1.
:- table effect_p/0, effect_q/0.
effect_p.
effect_p :- ( effect_q -> true ; assertz(noted(q_is_false)), fail ).
effect_q :- \+ effect_p.
effect_q.

%? effect_q, \+ noted(_).
%= true
