% Eliza answers: patterns with words and gaps.

rule([1,i,am,2], [why,are,you,2,'?']).
rule([1,you,2,me], [what,makes,you,think,i,2,you,'?']).
rule([i,like,1], [does,anyone,else,in,your,family,like,1,'?']).
rule([1], [please,go,on]).

match([N|P], Ws, D) :- integer(N), !, append(L, R, Ws), lookup(N, D, L), match(P, R, D).
match([W|P], [W|Ws], D) :- atom(W), match(P, Ws, D).
match([], [], _).

lookup(K, [K-V|_], V) :- !.
lookup(K, [K1-_|D], V) :- K \== K1, lookup(K, D, V).

fill([], _, []).
fill([N|P], D, Out) :- integer(N), !, lookup(N, D, L), append(L, R, Out), fill(P, D, R).
fill([W|P], D, [W|R]) :- fill(P, D, R).

reply(Line, Answer) :-
    atomic_list_concat(Words, ' ', Line),
    rule(P, Q), match(P, Words, D), fill(Q, D, Out), !,
    atomic_list_concat(Out, ' ', Answer).

%? reply('well i am very tired', A).
%= A = 'why are you very tired ?'
%? reply('i like prolog', A).
%= A = 'does anyone else in your family like prolog ?'
%? reply('do you hate me', A).
%= A = 'what makes you think i hate you ?'
%? reply('hm', A).
%= A = 'please go on'
