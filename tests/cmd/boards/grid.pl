% A board with nothing declared: the state is a list of rows.
initial_state([[a,b],[-,c]]).
final_state([[-,b],[a,c]]).
rule(slide, 1, [[X,Y],[-,Z]], [[-,Y],[X,Z]]).
rule(turn,  1, [[X,Y],[V,W]], [[V,X],[W,Y]]).
