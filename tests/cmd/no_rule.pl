% A start and a goal, and no way to move.

initial_state(1).
final_state(3).
