% A name written with a capital letter in the start.
%! W0521 3
initial_state(at(Home)).
final_state(at(school)).
road(home, shop). road(shop, school).
rule(go, 1, at(X), at(Y)) :- road(X, Y).
