% Shortest way through a table of directed roads; the state is an atom.
initial_state(a).
final_state(z).

r(a,b,7).  r(a,c,9).  r(a,f,14). r(b,c,10). r(b,d,15).
r(c,d,11). r(c,f,2).  r(d,e,6).  r(f,e,9).  r(d,z,13).
r(e,z,8).  r(f,g,1).  r(g,h,1).  r(h,a,1).  r(e,e,0).

rule(X-Y, D, X, Y) :- r(X, Y, D).

est(a, 20). est(b, 19). est(c, 17). est(d, 12). est(e, 8).

heuristic(X, H) :- est(X, H) -> true ; H = 0.
