% Goals of a module's own that are handed to predicates of libraries.
:- module(handed,
          [folded/1, mapped/1, greatest/1, parted/1, args/1, sequenced/1, found/1, here/1,
           locked/1]).
:- use_module(library(rbtrees)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(terms)).
:- use_module(library(dcg/high_order)).
:- use_module(library(thread)).

add(_-V, S0, S) :- S is S0 + V.
double(X, Y) :- Y is 2 * X.
shorter(A, B) :- atom_length(A, N), atom_length(B, M), N =< M.
side(X, D) :- compare(D, X, 3).
digit(D) --> [C], { char_type(C, digit(D)) }.
odd(X) :- X mod 2 =:= 1.

folded(S) :- list_to_rbtree([a-1, b-2, c-3], T), rb_fold(add, T, 0, S).
mapped(L) :- list_to_rbtree([a-1, b-2], T), rb_map(T, double, T2), findall(V, rb_in(_, V, T2), L).
greatest(X) :- max_member(shorter, X, [bb, aaa, c]).
parted(A-B-C) :- partition(side, [1, 2, 3, 4], A, B, C).
args(T) :- mapargs(double, f(1, 2), T).
sequenced(L) :- phrase(sequence(digit, L), ['1', '2']).
found(L) :- concurrent_maplist(double, [1, 2], L).
here(M) :- context_module(M).
locked(X) :- with_mutex(lock, odd(X)).
