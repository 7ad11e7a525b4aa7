model([x=X,y=Y]) :- X #< Y, X #\= 4.
