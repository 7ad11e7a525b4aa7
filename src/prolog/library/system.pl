% system.pl: what a program asks of the system it runs in: time, assertions, messages for
% debugging.

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
    ->  Number is round(Factor * Amount / Seconds),
        format(atom(Rate), "~D", [Number])
    ;   Rate = 'Infinite'
    ).

%! assertion(:Goal)
%  Goal has an answer, or else the program is wrong: binds nothing.
%  ?- catch(assertion(fail), assertion_failed(G), true).
%  G = fail.
assertion(Goal) :-
    '$assertion_result'(Goal, Result),
    (   Result == true
    ->  true
    ;   '$note_assertion'(Goal, Result)
    ->  true
    ;   print_message(error, format("Assertion failed: ~p", [Goal])),
        throw(assertion_failed(Goal))
    ).

'$assertion_result'(Goal, Result) :-
    (   catch(\+ \+ Goal, Ball, true)
    ->  (   var(Ball)
        ->  Result = true
        ;   Result = raised(Ball)
        )
    ;   Result = fail
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
    ;   ( Term = (_ --> _) ; Term = (_ ==> _) )
    ->  dcg_translate_rule(Term, Expanded)
    ;   Expanded = Term
    ).

%! expand_goal(+Goal, -Expanded)
%  What the loader makes of a goal: what goal_expansion/2 of the program makes of it and of the goals in it.
%  ?- expand_goal(foo, G).
%  G = foo.
expand_goal(Goal, Expanded) :-
    '$expand_goals'(Goal, Expanded0),
    Expanded = Expanded0.

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

%! unknown(-Old, +New)
%  What a call of an undefined predicate does: error or fail.
%  ?- unknown(Old, error).
%  Old = error.
unknown(Old, New) :-
    current_prolog_flag(unknown, Old),
    (   Old == New
    ->  true
    ;   set_prolog_flag(unknown, New)
    ).

%! at_halt(:Goal)
%  Goal is called when the session ends.
%  ?- at_halt(true).
%  true.
at_halt(Goal) :-
    must_be(callable, Goal),
    recordz('$at_halt', Goal).

'$run_at_halt' :-
    (   recorded('$at_halt', Goal, Reference),
        erase(Reference),
        catch(Goal, Error, (print_message(error, Error), fail)),
        fail
    ;   true
    ).

%! stamp_date_time(+Stamp, -Date, ?Zone)
%  Date is the moment Stamp, in seconds since 1970, as date(Y,M,D,H,Mn,S,Offset,Zone,Summer). Zone is 'UTC', local, which
%  is UTC too, or an offset in seconds to the west.
%  ?- stamp_date_time(0, date(Y,M,D,_,_,_,_,_,_), local).
%  Y = 1970, M = 1, D = 1.
stamp_date_time(Stamp, date(Y, M, D, H, Mn, S, Offset, Name, Summer), Zone) :-
    (   var(Zone)
    ->  Zone = local
    ;   true
    ),
    '$time_zone'(Zone, Offset, Name, Summer),
    (   Offset =:= 0
    ->  Local = Stamp
    ;   Local is Stamp-Offset
    ),
    '$date_parts'(Local, [Y,M,D,H,Mn,S]).

'$time_zone'(Zone, Offset, Name, Summer) :-
    (   integer(Zone)
    ->  Offset = Zone,
        Name = (-),
        Summer = (-)
    ;   Zone == local
    ->  Offset = 0,
        Name = 'UTC',
        Summer = false
    ;   Zone == 'UTC'
    ->  Offset = 0,
        Name = 'UTC',
        Summer = (-)
    ;   atom(Zone)
    ->  domain_error(timezone, Zone)
    ;   type_error(integer, Zone)
    ).

%! date_time_stamp(+Date, -Stamp)
%  The moment of date(Y,M,D,H,Mn,S,Offset,Zone,Summer) or date(Y,M,D).
%  ?- date_time_stamp(date(2000,1,1), S).
%  S = 946684800.0.
date_time_stamp(date(Y, M, D), Stamp) :-
    '$date_stamp'([Y,M,D,0,0,0], Stamp).
date_time_stamp(date(Y, M, D, H, Mn, S), Stamp) :-
    '$date_stamp'([Y,M,D,H,Mn,S], Stamp).
date_time_stamp(date(Y, M, D, H, Mn, S, Offset0, _, _), Stamp) :-
    (   integer(Offset0)
    ->  Offset = Offset0
    ;   Offset = 0
    ),
    '$date_stamp'([Y,M,D,H,Mn,S], Stamp0),
    Stamp is Stamp0 + Offset.

%! date_time_value(?Key, +Date, ?Value)
%  Value is the part Key of a date/9: year, month, day, hour, minute, second, utc_offset, time_zone, daylight_saving,
%  date, time. A zone or daylight saving that is - is not known, and has no value.
%  ?- date_time_value(year, date(2000,1,2,3,4,5.0,0,'UTC',-), Y).
%  Y = 2000.
date_time_value(year, date(Y,_,_,_,_,_,_,_,_), Y).
date_time_value(month, date(_,M,_,_,_,_,_,_,_), M).
date_time_value(day, date(_,_,D,_,_,_,_,_,_), D).
date_time_value(hour, date(_,_,_,H,_,_,_,_,_), H).
date_time_value(minute, date(_,_,_,_,M,_,_,_,_), M).
date_time_value(second, date(_,_,_,_,_,S,_,_,_), S).
date_time_value(utc_offset, date(_,_,_,_,_,_,Offset,_,_), Offset).
date_time_value(time_zone, date(_,_,_,_,_,_,_,Zone,_), Zone) :- Zone \== (-).
date_time_value(daylight_saving, date(_,_,_,_,_,_,_,_,Saving), Saving) :- Saving \== (-).
date_time_value(date, date(Y,M,D,_,_,_,_,_,_), date(Y,M,D)).
date_time_value(time, date(_,_,_,H,M,S,_,_,_), time(H,M,S)).

%! format_time(+Output, +Format, +StampOrDate)
%  Writes a moment by the directives of C's strftime, such as %Y-%m-%d %H:%M:%S.
%  ?- format_time(atom(A), '%d %b %Y', 0).
%  A = '01 Jan 1970'.
format_time(Output, Format, When) :-
    (   number(When)
    ->  Stamp = When
    ;   var(When)
    ->  instantiation_error(When)
    ;   date_time_stamp(When, Stamp)
    ),
    '$format_time'(Format, Stamp, Text),
    format(Output, "~s", [Text]).

%! format_time(+Output, +Format, +StampOrDate, +Locale)
%  As format_time/3; there is one locale.
%  ?- format_time(atom(A), '%Y', 0, posix).
%  A = '1970'.
format_time(Output, Format, When, _) :-
    format_time(Output, Format, When).

%! pwd
%  Writes the working directory.
pwd :-
    working_directory(Directory, Directory),
    writeln(Directory).

%! cd(+Directory)
%  Changes the working directory.
cd(Directory) :-
    working_directory(_, Directory).

%! ls
%  Writes the names of the files in the working directory.
ls :-
    directory_files('.', Names0),
    msort(Names0, Names),
    forall(( member(Name, Names), \+ sub_atom(Name, 0, _, _, '.') ), writeln(Name)).
