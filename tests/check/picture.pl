% A picture in a block of Markdown among the rules.
%! E0119 3
```
#@.#
```
initial_state(0). final_state(1).
rule(inc, 1, 0, 1).
