% format/2 and friends.

%? format("hello~n").
%> hello
%= true
%? format("~w and ~q and ~a~n", ['A b', 'A b', 'A b']).
%> A b and 'A b' and A b
%= true
%? format("~d ~D~n", [1234567, 1234567]).
%> 1234567 1,234,567
%= true
%? format("~2d ~0d~n", [1234, 5]).
%> 12.34 5
%= true
%? format("~2f ~0f ~4f ~f~n", [3.14159, 2.5, 2, 1.0]).
%> 3.14 2 2.0000 1.000000
%= true
%? format("~e ~3e ~g~n", [1.5, 1.5, 1.5]).
%> 1.500000e+00 1.500e+00 1.5
%= true
%? format("~s~n", [[104,105]]).
%> hi
%= true
%? format("~s~n", ["text"]).
%> text
%= true
%? format("~c~c ~3c~n", [104, 105, 120]).
%> hi xxx
%= true
%? format("~p~n", [f('X')]).
%> f('X')
%= true
%? format("~a~10|~a~n", [ab, cd]).
%> ab        cd
%= true
%? format("~w~t~10|~w~n", [left, next]).
%> left      next
%= true
%? format("~t~w~10|~w~n", [right, next]).
%>      rightnext
%= true
%? format("~t~w~t~11|~w~n", [mid, next]).
%>     mid    next
%= true
%? format("~`-t~30|~n").
%> ------------------------------
%= true
%? format("~w~t~8+~w~t~8+~w~n", [a, bb, ccc]).
%> a       bb      ccc
%= true
%? format("~t~d~6|~t~d~12|~n", [1, 22]).
%>      1    22
%= true
%? format("~t~2f~10|~n", [3.14159]).
%>       3.14
%= true
%? format("~8|abc~n").
%>         abc
%= true
%? format("~*c~w~n", [3, 0'x, end]).
%> xxxend
%= true
%? format("~e~n", [100.0]).
%> 1.000000e+02
%= true
%? format("~8r ~16r ~8R ~16R~n", [100, 255, 100, 255]).
%> 144 ff 144 FF
%= true
%? format("~i~w~n", [skipped, shown]).
%> shown
%= true
%? format("~~ 100%~n").
%> ~ 100%
%= true
%? format("no args~n", []).
%> no args
%= true
%? format("~w", x), nl.
%> x
%= true
%? format(string(S), "~a", [abc]).
%= S = "abc"
%? format(codes(C), "ab", []).
%= C = [97,98]
%? with_output_to(string(S), (write(a), write(b))).
%= S = "ab"
%? with_output_to(atom(A), print([1,'B'])).
%= A = '[1,\'B\']'
%? with_output_to(codes(C), write(hi)).
%= C = [104,105]
%? forall(member(X-Y, [apple-3, fig-12]), format("~w~t~10|~t~d~4+~n", [X, Y])).
%> apple        3
%> fig         12
%= X = _, Y = _
%? format('~w~30|~w~n', [a,b]).
%> a                             b
%= true
%? format("~ic~w~n", [a,b]).
%> cb
%= true
%? format("abc~tdef~20|ghi~n").
%> abc              defghi
%= true
%? format("~ta~tb~20|c~n").
%>          a         bc
%= true
%? atomic_list_concat([a, 1, "s", 2.5], A).
%= A = 'a1s2.5'
%? format("~a~n", ["string"]).
%> string
%= true
%? writef('%w costs %d\n', [tea, 3]).
%> tea costs 3
%= true
%? write_canonical("s"), nl.
%> "s"
%= true
%? format(atom(A), "~w-~w", [a, b]).
%= A = 'a-b'
%? catch(format("~w ~w~n", [a]), error(format(_), _), true).
%> a 
%= true
%? catch(format("~w~n", [a, b]), error(format(_), _), true).
%> a
%= true
%? catch(format("~d~n", [a]), error(_, _), true).
%= true
