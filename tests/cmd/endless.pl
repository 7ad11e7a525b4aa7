% A generator without an end, all of whose answers are collected.
sizes(Ns) :- findall(N, length(_, N), Ns).
