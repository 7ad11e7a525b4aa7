%! E0119 3

```
#####
#@$.#
```

    initial_state(3).
    final_state(0).
    rule(dec, 1, N, M) :- N > 0, M is N - 1.
