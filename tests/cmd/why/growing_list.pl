% The recursion makes its list longer instead of shorter.
% query: done([a])
% culprit: 7

done([]).
done([X|Xs]) :-
    done([X, X|Xs]).
