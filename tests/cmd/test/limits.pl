:- begin_tests(limits).
count(N) :- N1 is N + 1, count(N1).
test(endless) :- count(0).
test(wordy) :- repeat, write(again), fail.
test(leaves) :- halt(7).
test(fine) :- true.
:- end_tests(limits).
