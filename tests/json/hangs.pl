% A file whose load has no end.
:- initialization(spin).
spin :- spin.
