initial_state(a.
final_state(b).
