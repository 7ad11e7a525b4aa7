initial_state(game([[x,-],[o,x]], o)).
final_state(game([[x,o],[-,-]], _)).
rule(put, 1, game([[A,_],_], P), game([[A,P],[-,-]], P)).
