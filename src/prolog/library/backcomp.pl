% backcomp.pl: what older programs call (libraries backcomp, quintus and edinburgh).

%! write_ln(?Term)
%  As writeln/1.
write_ln(Term) :-
    writeln(Term).

%! proper_list(@Term)
%  As is_list/1.
%  ?- proper_list([a]).
%  true.
proper_list(Term) :-
    is_list(Term).

%! flush
%  As flush_output/0.
flush :-
    flush_output.

%! displayq(?Term), displayq(+Stream, ?Term), display(?Term), display(+Stream, ?Term)
%  Writes a term without operators, quoted or not.
%  ?- display(1+a).
%  +(1,a)
%  true.
displayq(Term) :-
    write_term(Term, [ignore_ops(true),quoted(true)]).

displayq(Stream, Term) :-
    write_term(Stream, Term, [ignore_ops(true),quoted(true)]).

display(Term) :-
    write_term(Term, [ignore_ops(true)]).

display(Stream, Term) :-
    write_term(Stream, Term, [ignore_ops(true)]).

%! 'C'(?List, ?Element, ?Rest)
%  List is [Element|Rest]: terminals of grammar rules in older programs.
%  ?- 'C'([a,b], X, R).
%  R = [b], X = a.
'C'([Element|Rest], Element, Rest).

%! merge(+Xs, +Ys, -Zs), merge_set(+Xs, +Ys, -Zs)
%  Two ordered lists as one ordered list, with duplicates, or two ordered sets as one.
%  ?- merge([1,3], [2,3], L).
%  L = [1,2,3,3].
merge(Xs, Ys, Zs) :-
    append(Xs, Ys, All),
    msort(All, Zs).

merge_set(Xs, Ys, Zs) :-
    ord_union(Xs, Ys, Zs).

%! read_variables(-Term, -Bindings), read_variables(+Stream, -Term, -Bindings)
%  Reads a term; Bindings are Name = Variable.
read_variables(Term, Bindings) :-
    read_term(Term, [variable_names(Bindings)]).

read_variables(Stream, Term, Bindings) :-
    read_term(Stream, Term, [variable_names(Bindings)]).

%! read_clause(-Clause), read_clause(+Stream, -Clause), read_clause(+Stream, -Clause, +Options)
%  Reads a clause, as read_term/2 with the same options.
read_clause(Clause) :-
    read_term(Clause, []).

read_clause(Stream, Clause) :-
    read_term(Stream, Clause, []).

read_clause(Stream, Clause, Options) :-
    read_term(Stream, Clause, Options).

%! setup_and_call_cleanup(:Setup, :Goal, :Cleanup)
%  As setup_call_cleanup/3.
%  ?- setup_and_call_cleanup(true, X = 1, true).
%  X = 1.
setup_and_call_cleanup(Setup, Goal, Cleanup) :-
    setup_call_cleanup(Setup, Goal, Cleanup).

%! hash_term(+Term, -Hash)
%  As term_hash/2.
hash_term(Term, Hash) :-
    term_hash(Term, Hash).

%! string_to_list(?String, ?Codes)
%  As string_codes/2.
%  ?- string_to_list("ab", L).
%  L = [97,98].
string_to_list(String, Codes) :-
    string_codes(String, Codes).

%! sformat(-String, +Format)
%  As sformat/3, without arguments.
%  ?- sformat(S, "ab").
%  S = "ab".
sformat(String, Format) :-
    format(string(String), Format, []).

%! free_variables(+Term, -Variables)
%  As term_variables/2.
free_variables(Term, Variables) :-
    term_variables(Term, Variables).

%! on_exception(?Ball, :Goal, :Recovery), raise_exception(+Ball)
%  As catch/3 and throw/1.
%  ?- on_exception(X, raise_exception(a), true).
%  X = a.
on_exception(Ball, Goal, Recovery) :-
    catch(Goal, Ball, Recovery).

raise_exception(Ball) :-
    throw(Ball).

%! genarg(?N, +Term, ?Argument)
%  As arg/3.
%  ?- genarg(N, f(a), X).
%  N = 1, X = a.
genarg(N, Term, Argument) :-
    arg(N, Term, Argument).

%! simple(@Term)
%  Term is atomic or a variable.
%  ?- simple(a).
%  true.
simple(Term) :-
    ( atomic(Term) -> true ; var(Term) ).

%! skip_line, skip_line(+Stream)
%  Reads to the end of the line.
skip_line :-
    skip(10).

skip_line(Stream) :-
    skip(Stream, 10).

%! midstring(?Whole, ?Part, ?Without), midstring(?Whole, ?Part, ?Without, ?Before), midstring(?Whole, ?Part, ?Without, ?Before, ?Length), midstring(?Whole, ?Part, ?Without, ?Before, ?Length, ?After)
%  Part stands in Whole; Without is Whole without it.
%  ?- midstring(abc, b, W).
%  W = ac.
midstring(Whole, Part, Without) :-
    midstring(Whole, Part, Without, _, _, _).

midstring(Whole, Part, Without, Before) :-
    midstring(Whole, Part, Without, Before, _, _).

midstring(Whole, Part, Without, Before, Length) :-
    midstring(Whole, Part, Without, Before, Length, _).

midstring(Whole, Part, Without, Before, Length, After) :-
    sub_atom(Whole, Before, Length, After, Part),
    sub_atom(Whole, 0, Before, _, Left),
    sub_atom(Whole, _, After, 0, Right),
    atom_concat(Left, Right, Without).

%! compile(+Files), reconsult(+Files), load_files(+Files)
%  As consult/1.
compile(Files) :-
    consult(Files).

reconsult(Files) :-
    consult(Files).

load_files(Files) :-
    consult(Files).

%! no_style_check(+Style)
%  Accepted; changes nothing.
no_style_check(Style) :-
    must_be(nonvar, Style).
