% A puzzle under the names that people guess.
%! W0507 7
%! W0507 8
%! W0507 9

% The state is s(A, B): what is in the jugs.
start(s(0,0)).
goal(s(4,_)).
move(s(_,B), fill_a, s(5,B)).
move(s(A,_), fill_b, s(A,3)).
move(s(A,B), pour, s(C,D)) :- T is min(A, 3 - B), C is A - T, D is B + T.
