% Tables while the program changes them during a query.

%# An enumeration goes on with the answers of a table that was abolished.
:- table p/1, q/1, r/1.
p(1).
p(2).
p(3).
q(a).
q(b).
q(c).
q(d).
r(X) :- p(X).
r(X) :- r(Y), Y < 9, X is Y + 3.
t(X, Do) :- p(X), ( X == 1 -> call(Do), q(_) -> true ; true ).
loaded :- table(other/2).
taken :- untable(q/1).
%? findall(_X, t(_X, abolish_all_tables), L).
%= L = [1,2,3]
%? findall(_X, t(_X, loaded), L).
%= L = [1,2,3]
%? findall(_X, t(_X, (abolish_all_tables, abolish_all_tables)), L).
%= L = [1,2,3]
%? findall(_X, q(_X), L).
%= L = [a,b,c,d]
%? findall(_Y-_Z, (p(_Y), abolish_all_tables, q(_Z), abolish_all_tables), L).
%= L = [1-a,1-b,1-c,1-d,2-a,2-b,2-c,2-d,3-a,3-b,3-c,3-d]
%? findall(_X, (r(_X), ( _X == 2 -> abolish_all_tables ; true ), once(q(_))), L).
%= L = [1,2,3,4,5,6,7,8,9,10,11]
%? findall(_X, t(_X, taken), L).
%= L = [1,2,3]

%# Answers of an evaluation that an exception ended go.
:- dynamic flag_/0.
:- table p/1, q/1.
flag_.
p(X) :- flag_, member(X, [1, 2, 3]).
p(X) :- q(X).
q(_) :- p(_), flag_, throw(stop).
q(9).
%? catch(p(_), stop, true), retract(flag_).
%= true
%? findall(_X, p(_X), L).
%= L = [9]

%# Answers of an evaluation that abolished its own table go.
:- dynamic fact/1.
:- table own/1.
fact(1).
fact(2).
own(X) :- fact(X).
own(X) :- own(_), change, fact(X).
change :- retract(fact(1)), !, abolish_all_tables.
change.
%? ignore(own(_)).
%= true
%? findall(_X, own(_X), L).
%= L = [2]

%# An evaluation that abolishes tables ends.
:- table p/1, q/1, both/1, more/1.
q(1).
q(2).
p(X) :- abolish_all_tables, q(X).
p(X) :- p(Y), Y < 5, X is Y + 1.
both(X) :- more(X).
both(X) :- both(Y), Y < 4, X is Y + 1.
more(X) :- both(Y), abolish_all_tables, Y < 6, X is Y + 2.
more(0).
%? findall(_X, p(_X), L).
%= L = [1,2,3,4,5]
%? setof(_Y, both(_Y), L).
%= L = [0,1,2,3,4,5,6,7]

%# A predicate says that it is tabled.
:- table path/2, cheap(_, _, min), route(_, lattice(better/3)), up(po(less/2), _).
path(a, b).
cheap(a, b, 1).
route(a, [b]).
up(1, 2).
plain(1).
%? predicate_property(path(_, _), tabled).
%= true
%? predicate_property(plain(_), tabled).
%= false
%? listing(path/2).
%> :- table path/2.
%>
%> path(a, b).
%>
%= true
%? listing(cheap/3).
%> :- table cheap(_, _, min).
%>
%> cheap(a, b, 1).
%>
%= true
%? listing(route/2).
%> :- table route(_, lattice(better/3)).
%>
%> route(a, [b]).
%>
%= true
%? listing(up/2).
%> :- table up(po(less/2), _).
%>
%> up(1, 2).
%>
%= true
%? listing(plain/1).
%> plain(1).
%>
%= true

%# An exception in what waited drops the evaluation.
:- table p/1, q/1.
:- dynamic stop/0.
p(1).
p(X) :- q(Y), Y < 5, ( stop, Y > 3 -> throw(stopped) ; X is Y + 1 ).
q(X) :- p(X).
stop.
%? catch(q(_), E, true).
%= E = stopped
%? catch(q(_), E, true).
%= E = stopped
%? retract(stop).
%= true
%? findall(_X, q(_X), L).
%= L = [1,2,3,4,5]

%# What waits goes on when facts have gone.
:- table p/1, q/1.
:- dynamic f/1.
p(0).
p(X) :- q(Y), Y < 300, retract(f(Y)), X is Y + 1.
q(X) :- p(X), f(X).
%? forall(between(0, 1000, _X), assertz(f(_X))).
%= true
%? f(0), aggregate_all(count, p(_), N), aggregate_all(count, f(_), M).
%= N = 301, M = 701

%# Some tables are forgotten, others stay.
:- table p/1, q/2, m(_, max).
:- dynamic calls/1.
p(X) :- assertz(calls(p)), X = 1.
q(X, f(Y, [X|_], 1.5, "s")) :- assertz(calls(q)), Y = a.
m(a, 1).
m(a, 2).
told(L) :- findall(C, retract(calls(C)), L).
again(L) :- p(_), q(x, _), q(_, f(_, _, _, _)), told(L).
%? p(_), q(x, _), q(_, f(_, _, _, _)), m(a, M).
%= M = 2
%? forall(current_table(_V, _), (numbervars(_V, 0, _), print(_V), nl)).
%> p(A)
%> q(x,A)
%> q(A,f(B,C,D,E))
%> m(a,A)
%= true
%? told(L).
%= L = [p,q,q]
%? abolish_table_subgoals(q(x, _)), again(L).
%= L = [q,q]
%? abolish_table_subgoals(p(_)), again(L).
%= L = [p]
%? abolish_module_tables(user), again(L).
%= L = [p,q,q]
%? again(L).
%= L = []

%# Incremental tables follow the facts.
:- dynamic([f/1] as incremental).
:- dynamic g/1.
:- table p/1 as incremental.
:- table (q/1, r/1) as (subsumptive, incremental).
:- table s/1.
f(1).
f(2).
g(1).
p(X) :- f(X).
p(X) :- p(Y), Y < 5, X is Y * 3.
q(X) :- p(X).
r(X) :- g(X).
s(X) :- f(X).
%? findall(_X, q(_X), L).
%= L = [1,2,3,6,9]
%? findall(_X, s(_X), L).
%= L = [1,2]
%? findall(_X, r(_X), L).
%= L = [1]
%? once((p(_X) ; _X = q, q(_) ; s(_X) ; r(_X))), assertz(g(2)).
%= true
%? findall(_X, r(_X), L).
%= L = [1]
%? assertz(f(4)), retract(f(1)).
%= true
%? findall(_X, q(_X), L).
%= L = [2,4,6,12]
%? findall(_X, r(_X), L).
%= L = [1,2]
%? findall(_X, s(_X), L).
%= L = [1,2]

%# A continuation survives neither its clause nor its query.
:- dynamic(g/1).
keep(G) :- reset(G, stop, C), nb_setval(kept, C).
go(T) :- nb_getval(kept, C), call(C), print(T).
s(X) :- shift(stop), print(X).
%? assertz((g(_X) :- true, s(_X), print(g(_X)))).
%= true
%? keep(g(1)), retract((g(_) :- _)), assertz((g(_) :- a, b, c)), go(done).
%> 1g(1)done
%= true
%? keep(s(2)).
%= true
%? go(2).
%> 22
%= true
%? retractall(g(_)), assertz((g(_X) :- true, s(_X), print(g(_X)))).
%= true
%? keep(g(3)), retract((g(_) :- _)).
%= true
%? catch(go(3), error(type_error(T, _), _), true).
%= T = continuation
