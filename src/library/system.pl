% system.pl: what a program asks of the system it runs in: time, assertions,
% messages for debugging, and the switches of a tracer.

%! time(:Goal)
%  Calls Goal and writes to the error stream how much work and time it took.
%  ?- time(true).
%  true.
time(Goal) :-
    statistics(inferences, Inferences),
    statistics(cputime, Cpu),
    get_time(Wall),
    (   catch(Goal, Ball, true)
    *-> '$report_time'(Inferences, Cpu, Wall),
        '$throw_again'(Ball)
    ;   '$report_time'(Inferences, Cpu, Wall),
        fail
    ).

'$report_time'(Inferences0, Cpu0, Wall0) :-
    statistics(inferences, Inferences1),
    statistics(cputime, Cpu1),
    get_time(Wall1),
    Inferences is Inferences1 - Inferences0,
    Cpu is Cpu1 - Cpu0,
    Wall is Wall1 - Wall0,
    '$per_second'(Cpu, Wall, 100, Percent),
    '$per_second'(Inferences, Cpu, 1, Lips),
    format(user_error, "% ~D inferences, ~3f CPU in ~3f seconds (~w% CPU, ~w Lips)~n",
           [Inferences, Cpu, Wall, Percent, Lips]).

'$per_second'(Amount, Seconds, Factor, Rate) :-
    (   Seconds > 0
    ->  Rate is round(Factor * Amount / Seconds)
    ;   Rate = 'Infinite'
    ).

%! assertion(:Goal)
%  Goal has an answer, or else the program is wrong: binds nothing.
%  ?- catch(assertion(fail), assertion_failed(G), true).
%  G = fail.
assertion(Goal) :-
    (   \+ \+ catch(Goal, _, fail)
    ->  true
    ;   print_message(error, format("Assertion failed: ~p", [Goal])),
        throw(assertion_failed(Goal))
    ).

%! expand_term(+Term, -Expanded)
%  What the loader makes of a term it reads: the program's term_expansion/2 comes
%  first, then grammar rules.
%  ?- expand_term((a --> b), X).
%  X = (a(S0,S) :- b(S0,S)).
expand_term(Term, Expanded) :-
    (   var(Term)
    ->  Expanded = Term
    ;   '$current_predicates'(term_expansion/2, [_|_]),
        call(term_expansion(Term, Expanded0))
    ->  Expanded = Expanded0
    ;   Term = (_ --> _)
    ->  dcg_translate_rule(Term, Expanded)
    ;   Expanded = Term
    ).

%! expand_goal(+Goal, -Expanded)
%  What the loader makes of a goal: the program's goal_expansion/2, if any.
%  ?- expand_goal(foo, G).
%  G = foo.
expand_goal(Goal, Expanded) :-
    (   nonvar(Goal),
        '$current_predicates'(goal_expansion/2, [_|_]),
        call(goal_expansion(Goal, Expanded0))
    ->  Expanded = Expanded0
    ;   Expanded = Goal
    ).

%! current_char_conversion(?From, ?To)
%  The character To stands for From when text is read.
%  ?- current_char_conversion(a, C).
%  C = a.
current_char_conversion(From, To) :-
    (   var(From)
    ->  between(1, 255, Code),
        char_code(From, Code)
    ;   true
    ),
    '$char_conversion'(From, To).

%! statistics
%  Writes time and memory to the error stream.
statistics :-
    statistics(cputime, Cpu),
    statistics(inferences, Inferences),
    statistics(globalused, Heap),
    statistics(atoms, Atoms),
    statistics(predicates, Predicates),
    statistics(clauses, Clauses),
    statistics(garbage_collection, [Collections, Collected, Time|_]),
    format(user_error, "% ~3f seconds cpu time for ~D inferences~n", [Cpu, Inferences]),
    format(user_error, "% ~D bytes of terms~n", [Heap]),
    format(user_error, "% ~D atoms, ~D predicates, ~D clauses~n", [Atoms, Predicates, Clauses]),
    format(user_error, "% ~D garbage collections gained ~D bytes in ~3d seconds~n",
           [Collections, Collected, Time]).

%! abs(+X, -Y)
%  Y is the absolute value of X.
%  ?- abs(-1, Y).
%  Y = 1.
abs(X, Y) :-
    Y is abs(X).

%! pow(+X, +Y, -Z)
%  Z is X to the power of Y.
%  ?- pow(2, 3, Z).
%  Z = 8.
pow(X, Y, Z) :-
    Z is X ** Y.

%! trunc(+X, -Y)
%  Y is the integer part of X.
%  ?- trunc(2.5, Y).
%  Y = 2.
trunc(X, Y) :-
    Y is truncate(X).

%! truncate(+X, -Y)
%  Y is the integer part of X.
%  ?- truncate(-2.5, Y).
%  Y = -2.
truncate(X, Y) :-
    Y is truncate(X).

%! ansi_format(+Attributes, +Format, +Arguments)
%  As format/2; colours are left to the terminal's own programs.
%  ?- ansi_format([bold], "a~w", [b]), nl.
%  ab
%  true.
ansi_format(_, Format, Arguments) :-
    format(Format, Arguments).

%! debug(+Topic, +Format, :Arguments)
%  Writes to the error stream when debug/1 was called for Topic.
%  ?- debug(search, "expanding ~w", [x]).
%  true.
debug(Topic, Format, Arguments) :-
    (   recorded('$debug', Topic)
    ->  format(user_error, "% ", []),
        format(user_error, Format, Arguments),
        nl(user_error)
    ;   true
    ).

%! debug(+Topic)
%  Switches the messages of debug/3 for Topic on.
debug(Topic) :-
    (   recorded('$debug', Topic)
    ->  true
    ;   recordz('$debug', Topic)
    ).

%! nodebug(+Topic)
%  Switches the messages of debug/3 for Topic off.
nodebug(Topic) :-
    (   recorded('$debug', Topic, Reference),
        erase(Reference),
        fail
    ;   true
    ).

%! thread_self(-Thread)
%  The only thread.
%  ?- thread_self(T).
%  T = main.
thread_self(main).

%! with_mutex(+Mutex, :Goal)
%  Calls Goal once: there is nobody to wait for.
%  ?- with_mutex(m, X = 1).
%  X = 1.
with_mutex(_, Goal) :-
    once(Goal).

%! chdir(+Directory)
%  As working_directory/2.
%  ?- working_directory(D, D), chdir(D).
chdir(Directory) :-
    working_directory(_, Directory).

%! prolog_flag(?Flag, ?Value)
%  As current_prolog_flag/2.
%  ?- prolog_flag(bounded, B).
%  B = false.
prolog_flag(Flag, Value) :-
    current_prolog_flag(Flag, Value).

% There is no tracer to switch on or off: programs that try go on.
trace.
notrace.
debug.
nodebug.
nodebugging.
spy(_).
nospy(_).
nospyall.
leash(_).
visible(_).
tracing :- fail.
