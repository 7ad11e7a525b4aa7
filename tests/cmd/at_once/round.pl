% Who waits, waits for ever.
players([ann, bob]).
initial_state(wait).
action(_, _, wait).
action(_, _, stop).
joint_move(As, wait, S) :- ( memberchk(stop, As) -> S = over ; S = wait ).
terminal(over).
utility(_, over, 0).
