% Grammars: sentences with agreement, a calculator, palindromes, a^n b^n c^n.

sentence(s(NP, VP)) --> noun_phrase(N, NP), verb_phrase(N, VP).
noun_phrase(N, np(D, S)) --> determiner(N, D), noun(N, S).
noun_phrase(sg, np(P)) --> [P], { name_of(P) }.
verb_phrase(N, vp(V)) --> verb(N, V).
verb_phrase(N, vp(V, NP)) --> verb(N, V), noun_phrase(_, NP).

determiner(_, the) --> [the].
determiner(sg, a) --> [a].
noun(sg, cat) --> [cat].
noun(pl, cats) --> [cats].
verb(sg, sees) --> [sees].
verb(pl, see) --> [see].
name_of(eva).

expr(X) --> term(T), expr_rest(T, X).
expr_rest(A, X) --> "+", !, term(T), { B is A+T }, expr_rest(B, X).
expr_rest(A, X) --> "-", !, term(T), { B is A-T }, expr_rest(B, X).
expr_rest(X, X) --> [].
term(X) --> factor(F), term_rest(F, X).
term_rest(A, X) --> "*", !, factor(F), { B is A*F }, term_rest(B, X).
term_rest(A, X) --> "/", !, factor(F), { B is A/F }, term_rest(B, X).
term_rest(X, X) --> [].
factor(X) --> "(", !, expr(X), ")".
factor(X) --> "-", !, factor(Y), { X is -Y }.
factor(X) --> num(X).
num(X) --> dig(D), digs(Ds), { number_codes(X, [D|Ds]) }.
digs([D|Ds]) --> dig(D), digs(Ds).
digs([]) --> [].
dig(D) --> [D], { 0'0 =< D, D =< 0'9 }.

calc(A, X) :- atom_codes(A, Cs), phrase(expr(X), Cs), !.

palindrome --> [].
palindrome --> [_].
palindrome --> [X], palindrome, [X].

abc(N) --> as(N), bs(N), cs(N).
as(0) --> [].
as(s(N)) --> [a], as(N).
bs(0) --> [].
bs(s(N)) --> [b], bs(N).
cs(0) --> [].
cs(s(N)) --> [c], cs(N).

greeting --> [hello], ( [dear] ; [] ), name.
name, [seen] --> [N], { atom(N) }.
any([]) --> [].
any([X|Xs]) --> [X], any(Xs).
has_not(X) --> \+ ( any(_), [X] ), any(_).

%? phrase(sentence(T), [the,cat,sees,eva]).
%= T = s(np(the,cat),vp(sees,np(eva)))
%? phrase(sentence(_), [the,cats,sees,eva]).
%= false
%? findall(S, phrase(sentence(_), S), L), length(L, N).
%= S = _, L = [[the,cat,sees],[the,cat,sees,the,cat],[the,cat,sees,the,cats],[the,cat,sees,a,cat],[the,cat,sees,eva],[the,cats,see],[the,cats,see,the,cat],[the,cats,see,the,cats],[the,cats,see,a,cat],[the,cats,see,eva],[a,cat,sees],[a,cat,sees,the,cat],[a,cat,sees,the,cats],[a,cat,sees,a,cat],[a,cat,sees,eva],[eva,sees],[eva,sees,the,cat],[eva,sees,the,cats],[eva,sees,a,cat],[eva,sees,eva]], N = 20
%? phrase(sentence(_), [eva,sees,a|R]), R = [N].
%= R = [cat], N = cat
%? calc('1+2*3', X).
%= X = 7
%? calc('(1+2)*3-4', X).
%= X = 5
%? calc('8/4/2', X).
%= X = 1
%? calc('7/2', X).
%= X = 3.5
%? calc('-3*-(2-5)', X).
%= X = -9
%? calc('2+', X).
%= false
%? phrase(palindrome, [a,b,b,a]).
%= true
%? phrase(palindrome, [a,b]).
%= false
%? phrase(abc(N), [a,a,b,b,c,c]).
%= N = s(s(0))
%? phrase(abc(_), [a,a,b,c,c]).
%= false
%? phrase(greeting, [hello,dear,eva], R).
%= R = [seen]
%= R = [seen,eva]
%? phrase(has_not(x), [a,b]).
%= true
%? phrase(has_not(b), [a,b]).
%= false
%? phrase(any(X), [1,2], R).
%= X = [], R = [1,2]
%= X = [1], R = [2]
%= X = [1,2], R = []
%? phrase(sequence(any, [-], L), [a,b], R).
%= L = [[]], R = [a,b]
%= L = [[a]], R = [b]
%= L = [[a,b]], R = []
%? phrase(sequence(any, [-], L), [a,-,b]).
%= L = [[a],[b]]
%? phrase(sequence(any, [-], [X,Y]), [a,-,b]).
%= X = [a], Y = [b]
