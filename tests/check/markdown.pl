Here is the program:
%! E0119 4

```prolog
initial_state(3).
final_state(0).
rule(dec, 1, N, M) :- N > 0, M is N - 1.
```

%= initial_state(3).

It counts down to 0.
