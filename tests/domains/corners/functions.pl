% Functions of integers, texts made of what is in a state, places that are computed.
initial_state(s(A, B, C)) :- member(A, [0, 1, 5]), member(B, [2, 3]), member(C, [a, bc, d]).
rule(rem, 1, s(A, B, C), s(D, B, C)) :- D is A rem B + sign(A - 1) * 2 + (\ A) + 7.
rule(power, 1, s(A, B, C), s(D, B, C)) :- D is (2 ** A + A ** 2 + B ^ 3) mod 7.
rule(gcd, 1, s(A, B, C), s(D, B, C)) :- D is gcd(A, B), msb(B) =:= 1.
rule(exact, 1, s(A, B, C), s(D, B, C)) :- A mod B =:= 0, D is A / B.
rule(either, 1, s(A, B, C), s(D, B, C)) :- Q is A / B, ( integer(Q) -> D = Q ; D is truncate(Q) + 1 ).
rule(Name, 1, s(A, B, C), s(D, B, C)) :- format(atom(Name), '~w to ~w', [A, C]), D is (A + 1) mod 6.
rule(chars, 1, s(A, B, C), s(A, B, D)) :- atom_chars(C, [X|_]), member(X-D, [a-bc, b-d, d-a]).
rule(Text, 1, s(A, B, C), s(A, B, D)) :- term_to_atom(f(A, C), Text), atom_length(Text, N), nth0(N, [x, x, x, x, x, x, a, d], D).
rule(place(X), 1, s(A, B, C), s(A, X, C)) :- I is (A + B) mod 3, nth0(I, [2, 3, 2], X).
rule(left(R), 1, s(A, B, C), s(A, X, C)) :- exclude(=(A), [0, 1, 2, 3], L), nth1(B, L, X), X > 1, last(L, R).
rule(before(X), 1, s(A, B, C), s(X, B, C)) :- succ(X, A).
final_state(s(A, B, C)) :- A =:= B, C == d.
heuristic(s(A, B, C), H) :- atom_length(C, N), H is max(A, B) - min(A, B) + N.
