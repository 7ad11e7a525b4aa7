% Shunting: in(Track), a siding (a stack of at most 3), and the track out.
initial_state(yard([4,2,5,1,3], [], [])).
final_state(yard([], [], [5,4,3,2,1])).

rule(push, 1, yard([C|In], Siding, Out), yard(In, [C|Siding], Out)) :-
    length(Siding, N), N < 3.
rule(pop, 1, yard(In, [C|Siding], Out), yard(In, Siding, [C|Out])).
rule(through, 2, yard([C|In], Siding, Out), yard(In, Siding, [C|Out])).
rule(back, 3, yard(In, Siding, [C|Out]), yard([C|In], Siding, Out)) :-
    last([C|Out], L), L \== 1.

heuristic(yard(In, S, _), H) :- length(In, N), length(S, M), H is N + M.
